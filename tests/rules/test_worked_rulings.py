"""Rulings worked by hand from the sources: see `tests/rulings/cases`.

A case is a question as JSON (`ask`), why it is answered so (`why`) and what must come of it
(`expect`): the verdict, the details where the sources give them all, codes that must be among the
reasons, places that must be among their sources, the standing of reasons by code, answers that must
stand under `elsewhere`, and whether nothing else may stand there.

`tests/rulings/edges` has questions at the edge of a rule, in groups with what they are `about`. What
must come of one stands beside it: the verdict, all the details or those that it `shows`, codes that
are among the reasons or `untold`, all `codes` in their order, and by the code of a reason all its
sources, its standing, and parts of its sentence in Italian and in English; words that `never` stand
in a sentence; and all that stands under `elsewhere`.
"""

import json
from typing import Any

import pytest

from scorepad.referee.questions import QUESTIONS
from scorepad.rules.variants import variant_ids
from tests.data import read_data
from tests.rules.worked_rulings import RULINGS, answer_question, list_worked_rulings

PARTS_OF_EDGES = {
    "ask", "verdict", "details", "shows", "codes", "reasons", "untold", "sources", "standing", "it",
    "en", "never", "elsewhere",
}  # fmt: skip
WITHOUT_SOURCE = {
    "best-play-unknown", "card-unknown", "naturals-on-wilds-unspoken", "penalty-agreed", "upcard-not-told",
}  # fmt: skip
"""Reasons that rest on nobody's word."""


def list_edges() -> list[Any]:
    """Return the questions at the edge of a rule, with what must come of them.

    The id for the test run is the file and the beginning of the question.
    """
    edges = []
    for file in sorted(RULINGS.joinpath("edges").glob("*.json")):
        for group in read_data(file):
            for edge in group["rulings"]:
                question = json.dumps(edge["ask"])
                edges.append(pytest.param(edge, id=f"{file.stem}: {question[:80]}"))
    return edges


EDGES = list_edges()
EDGES_WITH_SENTENCES = [edge for edge in EDGES if edge.values[0].keys() & {"it", "en", "never"}]


def find_reason(answer: dict[str, Any], code: str) -> dict[str, Any]:
    """Return the one reason of an answer that has this code."""
    (reason,) = [each for each in answer["reasons"] if each["code"] == code]
    return reason


def find_elsewhere(answer: dict[str, Any], expected: dict[str, Any]) -> dict[str, Any]:
    """Return the one answer under `elsewhere` that has all these values.

    `elsewhere` holds what other rules of the same game say: those of another source, or an option.
    """
    # `>=`: the items of the answer include those that are expected.
    (found,) = [other for other in answer["elsewhere"] if other.items() >= expected.items()]
    return found


@pytest.mark.parametrize("kind", QUESTIONS)
def test_every_kind_of_question_has_thirty_worked_rulings(kind: str) -> None:
    # A kind of question is for example "meld": may these cards be laid together? A worked ruling is
    # one such question whose answer was worked out by hand, from the sources.
    cases = [case for kind_of_case, case in list_worked_rulings() if kind_of_case == kind]
    assert len(cases) >= 30

    names = {case["case"] for case in cases}
    assert len(names) == len(cases), "each case has a name of its own"

    # Of each variant of the game there is one at least.
    variants = {case["ask"]["variant"] for case in cases}
    assert variants == set(variant_ids())


def test_worked_rulings_have_their_kind_and_reason_and_no_unknown_key() -> None:
    # A misspelt key would be ignored, and what it expects would never be checked.
    known = {"verdict", "details", "reasons", "sources", "standing", "elsewhere", "nowhere_else"}
    for kind, case in list_worked_rulings():
        assert case["ask"]["kind"] == kind
        assert case["why"]
        assert case["expect"].keys() <= known


WORKED_RULINGS = [
    pytest.param(case, id=f"{kind}: {case['case']}") for kind, case in list_worked_rulings()
]


@pytest.mark.parametrize("case", WORKED_RULINGS)
def test_a_worked_ruling_comes_out_as_worked(case: dict[str, Any]) -> None:
    # One case asks whether "2x5 3x2" is a meld, two fives and three twos, which are wild cards. It
    # expects the verdict "allowed", and in its details 70 points: 2 x 5 + 3 x 20.
    expected = case["expect"]

    answer = answer_question(case["ask"])

    assert answer["verdict"] == expected["verdict"], answer
    # Everything but the verdict is checked only where the case gives it.
    if "details" in expected:
        assert answer["details"] == expected["details"]
    for code in expected.get("reasons", []):
        assert find_reason(answer, code)
    # The standing of a reason is how firmly the sources support it.
    for code, standing in expected.get("standing", {}).items():
        assert find_reason(answer, code)["standing"] == standing
    assert_sources(answer, expected.get("sources", []))


RULINGS_THAT_DIFFER_ELSEWHERE = [
    case for case in WORKED_RULINGS if "elsewhere" in case.values[0]["expect"]
]
RULINGS_WITH_NOTHING_ELSE_ELSEWHERE = [
    case for case in WORKED_RULINGS if "nowhere_else" in case.values[0]["expect"]
]


@pytest.mark.parametrize("case", RULINGS_THAT_DIFFER_ELSEWHERE)
def test_rules_that_answer_otherwise_are_named_with_their_sources(case: dict[str, Any]) -> None:
    answer = answer_question(case["ask"])

    # The same game is also played by other rules. Where these would answer otherwise, they stand
    # under "elsewhere": {"preset": "getty", "verdict": "forbidden", …} are the rules of one book.
    for expected in case["expect"]["elsewhere"]:
        other_answer = find_elsewhere(answer, expected)
        assert len(other_answer["sources"]) > 0


@pytest.mark.parametrize("case", RULINGS_WITH_NOTHING_ELSE_ELSEWHERE)
def test_no_more_rules_answer_otherwise_than_expected(case: dict[str, Any]) -> None:
    # The same game is also played by other rules. "elsewhere" lists those that would answer this
    # question otherwise. These cases give the whole list, or none where all rules agree.
    expected = case["expect"].get("elsewhere", [])

    answer = answer_question(case["ask"])

    # That the expected ones are there is checked in another test; here, that there are no others.
    assert len(answer["elsewhere"]) == len(expected)


def needs_source(reason: dict[str, Any]) -> bool:
    """Return whether a reason rests on a source: not if the players agreed on it ("house")."""
    return reason["standing"] != "house" and reason["code"] not in WITHOUT_SOURCE


def assert_sources(answer: dict[str, Any], expected: list[str]) -> None:
    """Assert that the reasons of an answer cite these sources; they may cite others too."""
    cited = []
    for reason in answer["reasons"]:
        has_sources = len(reason["sources"]) > 0
        assert has_sources == needs_source(reason), reason
        cited += reason["sources"]
    assert set(cited).issuperset(expected)


@pytest.mark.parametrize("edge", EDGES)
def test_answer_at_the_edge_of_a_rule_is_as_worked(edge: dict[str, Any]) -> None:
    # An edge is a question, and what its answer must have. One asks whether a two, which is wild,
    # may be laid on a canasta of six queens and a two, and expects the verdict "forbidden" and the
    # reason "wild-on-canasta". All its keys but the question may be left out.
    assert edge.keys() <= PARTS_OF_EDGES, "no key is misspelt"

    answer = answer_question(edge["ask"])

    if "verdict" in edge:
        assert answer["verdict"] == edge["verdict"]

    # Details are figures such as {"minimum": 50, "counted": 60}: all of them, or only some.
    if "details" in edge:
        assert answer["details"] == edge["details"]
    for name, value in edge.get("shows", {}).items():
        assert answer["details"][name] == value

    # The reasons have codes, sources, and how firmly these support them.
    assert_reasons(answer, edge)

    # The answers that other rules of the same game would give.
    if "elsewhere" in edge:
        assert_elsewhere(answer, edge["elsewhere"])


def assert_elsewhere(answer: dict[str, Any], expected: list[dict[str, Any]]) -> None:
    """Assert that other rules of the same game give these answers, and no others."""
    for other in expected:
        assert find_elsewhere(answer, other)
    assert len(answer["elsewhere"]) == len(expected)


def assert_reasons(answer: dict[str, Any], edge: dict[str, Any]) -> None:
    """Assert that an answer has the reasons that are expected; `edge` has these, if anything."""
    codes_found = [reason["code"] for reason in answer["reasons"]]

    # "codes": all codes in their order, ["wild-on-canasta", …].
    if "codes" in edge:
        assert codes_found == edge["codes"]
    # "reasons": some codes that must be among them. "untold": some that must not.
    for code in edge.get("reasons", []):
        assert code in codes_found
    for code in edge.get("untold", []):
        assert code not in codes_found

    # "sources": all places in the sources that a reason cites, by its code.
    for code, sources in edge.get("sources", {}).items():
        assert sorted(find_reason(answer, code)["sources"]) == sorted(sources)
    # "standing": how firmly they support it, "stated" or "read" into them.
    for code, standing in edge.get("standing", {}).items():
        assert find_reason(answer, code)["standing"] == standing


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("edge", EDGES_WITH_SENTENCES)
def test_sentences_at_the_edge_of_a_rule_say_why(edge: dict[str, Any], language: str) -> None:
    # An answer of the referee has one or more reasons, each with a code and a sentence.
    answer = answer_question(edge["ask"], language)

    # The edge has parts of these sentences in each language, by the code of the reason. In Italian
    # {"hand-cards-stay": ["restano 2 carte (2 otto)"]}, "two cards, two eights, are left".
    parts_by_code = edge.get(language, {})
    for code, parts in parts_by_code.items():
        sentence = find_reason(answer, code)["message"]
        for part in parts:
            assert part in sentence

    # Some words would be wrong in the answer to this question, whatever the reason.
    all_sentences = " ".join(reason["message"] for reason in answer["reasons"]).lower()
    for word in edge.get("never", []):
        assert word not in all_sentences
