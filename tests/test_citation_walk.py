"""Every citation of every worked hand and ruling: the place that is named stands beside the value
that was applied.

An answer of the program cites places in books of rules, such as "W:Canastone": the section
Canastone of the source W. In the data files of the variants of the game, places are cited beside
each value of a setting.
What each place says is read from the data files by `recorded`, not by the engine. Which settings a
line, a problem or a reason may rest on is written down in `applied_settings`, and the figures told
must be those of the value beside the place.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from scorepad.i18n import words
from scorepad.referee.answering import answer_to
from scorepad.referee.ruling import Reason
from scorepad.rules.judging import Finding, Judgement
from scorepad.rules.score_lines import Line
from scorepad.rules.variants import variant_ids
from scorepad.schemas import Unusable, read_hand_request
from scorepad.schemas.ruling_json import read_question
from scorepad.schemas.variant_json import build_whole_variant
from tests.applied_settings import (
    Rules,
    SettingStep,
    settings_of_going_out,
    settings_of_line,
    settings_of_opening,
    settings_of_problem,
    settings_of_reason,
    value_by_step,
    value_of,
)
from tests.data import read_data
from tests.recorded import FOLDER, RecordedValue, recorded

TESTS = Path(__file__).parent
FAULTS: dict[str, dict[str, Any]] = read_data(FOLDER / "faults.toml")
"""The known mistakes of the sources, by code; `fault-only-fifty` is one."""


def read_cases(pattern: str) -> Iterator[dict[str, Any]]:
    """Yield the cases in the files whose paths match this, from the folder of the tests."""
    for file in sorted(TESTS.glob(pattern)):
        yield from read_data(file)


def sources_of_irregularities() -> dict[str, tuple[str, ...]]:
    """Return the sources of the irregularities that cost no points, by code.

    An irregularity is what somebody did against the rules, such as a draw out of turn. How each
    game treats them is in tests/rules/test_irregularities.py.
    """
    irregularities = read_data(FOLDER / "irregularities" / "irregularities.toml")
    sources = {}
    for group in irregularities.values():
        for code, entry in group.items():
            sources[code] = tuple(entry["cite"])
    return sources


def setting_of_irregularity(rules: Rules, code: str) -> RecordedValue:
    """Return the setting that says what an irregularity costs."""
    if code == "out-after-no":
        return rules["permission"]
    if code == "red-three-not-exposed" and rules["red-threes-kept"].value != "exposed":
        return rules["held-red-three"]
    return rules[f"penalties/{code}"]


def places_beside(setting: RecordedValue) -> set[str]:
    """List every place that the data cite for a setting, or for a step of it."""
    places = set(setting.places)
    for step in setting.steps.values():
        places.update(step.places)
    return places


class CitationCheck:
    """Checks citations, and counts them by what cites them: lines, problems, reasons, faults."""

    def __init__(self) -> None:
        self.count: Counter[str] = Counter()

    def check(
        self,
        kind: str,
        rules: Rules,
        citing: Line | Finding | Reason,
        applied: Iterator[SettingStep],
    ) -> None:
        """Assert that each place which is cited stands beside a value that may have been applied.

        The applied values are given as settings with a step: `("opening-steps", "1500")`, the
        minimum from 1,500 points on, or `("decks", "")`, which is a whole setting.
        """
        values = []
        for setting, step in applied:
            # The step has places of its own, or else those of the whole setting.
            values.append(rules[setting].at(step))

        for place in citing.sources:
            assert any(place in value.places for value in values), (place, citing)
            self.count[kind] += 1
        assert_standing_is_that_of_a_value(citing, values)


def assert_standing_is_that_of_a_value(
    citing: Line | Finding | Reason, values: list[RecordedValue]
) -> None:
    """Assert that what cites stands as firmly as one of the values on which it may rest.

    This is its standing: "stated" by a source, "read" between the lines of one, or decided in the
    "house", at the table. It is None for what rests on no rule.
    """
    # No source says what the table decided, nor what rests on no rule.
    if citing.standing in ("house", None):
        assert citing.sources == (), citing
    if citing.standing == "house" and values:
        assert any(value.standing == "house" for value in values), citing

    # What sources say is said by a place that is cited here and stands beside a value.
    is_from_sources = citing.standing in ("stated", "read")
    if is_from_sources and (values or citing.sources):
        cited_places = set(citing.sources)
        cited_values = [value for value in values if cited_places.intersection(value.places)]
        assert any(value.standing == citing.standing for value in cited_values), citing


def read_worked_hands() -> Iterator[tuple[Rules, Judgement]]:
    """Yield the rules and the judgement of every worked hand.

    The rules are read from the data files of the variant, the judgement is made by the program.
    """
    for case in read_cases("cases/*/*.json"):
        hand = case["hand"]
        try:
            request = read_hand_request(json.dumps(hand))
        except Unusable:  # some cases prove that a hand is refused
            continue

        options = options_of_hand(hand, request.rules.options)
        rules = recorded(request.rules.variant, request.rules.preset, options)
        yield rules, request.judge()


def check_hands(citations: CitationCheck) -> None:
    """Check the lines and problems of every worked hand, which is an example with its score."""
    for rules, judgement in read_worked_hands():
        # The score of a side has lines, such as "2 natural canastas, 1,000 points".
        for side in judgement.sides or ():
            for line in side.lines:
                citations.check("lines", rules, line, settings_of_line(rules, line))

        # A finding is a problem of the hand, such as an opening below the minimum.
        for finding in judgement.findings:
            applied = settings_of_problem(rules, finding.code, finding.arguments)
            citations.check("problems", rules, finding, applied)


def options_of_hand(hand: Mapping[str, Any], options_in_force: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a hand.

    In some games the number of players is one of them. If the hand does not say it, it follows from
    the number of sides.
    """
    options = dict(hand.get("options", {}))
    if "players" in options_in_force:
        options.setdefault("players", options_in_force["players"])
    return options


def check_rulings(citations: CitationCheck) -> None:
    """Check the reasons of every worked ruling, which is a question to the referee."""
    for case in read_cases("rulings/cases/*.json"):
        ask = case["ask"]

        # The program answers by its own rules.
        request = read_question(json.dumps(ask))
        answer = answer_to(request.rules, request.question)

        # The reasons are checked by the rules as the data files record them.
        rules = recorded(ask["variant"], ask.get("preset"), ask.get("options", {}))
        for reason in answer.ruling.reasons:
            check_reason(citations, reason, rules, ask)


def check_reason(
    citations: CitationCheck, reason: Reason, rules: Rules, ask: Mapping[str, Any]
) -> None:
    """Check a reason by what it rests on. `ask` is the question to the referee."""
    rests_on_settings = bool(reason.cited_settings)
    if rests_on_settings or not reason.sources:
        applied = settings_of_reason(rules, reason)
        citations.check("reasons", rules, reason, applied)
    elif reason.code in FAULTS:
        # The reason names a known mistake of a source, such as `fault-only-fifty`.
        assert_cites_fault(reason, FAULTS[reason.code], rules)
        citations.count["faults"] += len(reason.sources)
    else:
        # It names an irregularity, such as a draw out of turn: the question is about it.
        assert_cites_irregularity(reason, ask["code"], rules)
        citations.count["reasons"] += len(reason.sources)


def assert_cites_fault(reason: Reason, fault: Mapping[str, Any], rules: Rules) -> None:
    """Assert that a reason cites the place that is mistaken (`cite`), and that the setting which
    the mistake touches rests on the place that shows it (`known-by`).
    """
    assert list(reason.sources) == fault["cite"], reason
    assert reason.standing == fault.get("standing", "stated"), reason
    assert fault["known-by"] in places_beside(rules[fault["touches"]]), reason


def assert_cites_irregularity(reason: Reason, code: str, rules: Rules) -> None:
    """Assert that a reason cites the sources of an irregularity, such as a draw out of turn."""
    # An irregularity that costs no points has sources of its own. One of them rests on a setting
    # all the same: to go out although the partner said no.
    sources_without_penalty = sources_of_irregularities()
    if code in sources_without_penalty and code != "out-after-no":
        assert reason.sources == sources_without_penalty[code], reason
    else:
        # What any other costs is a setting of the rules, whose sources are cited.
        setting = setting_of_irregularity(rules, code)
        assert reason.sources == setting.places, reason
        assert reason.standing == setting.standing, reason


@pytest.mark.long
def test_every_citation_stands_beside_an_applied_value() -> None:
    citations = CitationCheck()

    # Each citation in the lines of a score, the problems of a hand and the reasons of a ruling is
    # compared with the data files. The first wrong one fails. A ruling may also name a fault, a
    # known mistake of a source.
    check_hands(citations)
    check_rulings(citations)

    # Nearly all citations were reached; more come with every case.
    total = citations.count.total()
    print(f"{total} citations checked: {dict(citations.count)}")
    assert total >= 17_500
    assert citations.count.keys() == {"lines", "problems", "reasons", "faults"}


@pytest.mark.parametrize("name", variant_ids())
def test_every_step_of_a_variant_has_its_own_sources(name: str) -> None:
    recorded_rules = recorded(name, preset=None, options={})  # read from the data file
    variant_json = build_whole_variant(name, words("it"))  # made by the program
    citations = 0

    for key, setting in variant_json["settings"].items():
        recorded_setting = recorded_rules[key]
        assert setting["sources"] == list(recorded_setting.places), key

        # A setting may have steps, such as the minimum to open: 50 at first, 90 from 1,500 points
        # on. The data file may cite other places for a step than for the whole.
        for step in setting.get("steps", []):
            recorded_step = recorded_setting.at(step["step"])
            assert step["sources"] == list(recorded_step.places), step
            assert step["standing"] == recorded_step.standing, step
            assert step["value"] == value_of(recorded_rules, key, step["step"]), step
            citations += len(step["sources"])

    assert citations > 20  # every game has steps


@pytest.fixture
def classica() -> Rules:
    """Read the settings of the classic game, with their places, from its data file."""
    return recorded("classica", preset=None, options={})


def list_wrong_values(fault: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Yield what a source says wrongly: a setting, its step, and the value of the source.

    A fault has them as `{"opening-steps": {"1500": 50}, "opening-below-zero": 50}`. The second of
    these is about a whole setting: its step is "".
    """
    for setting, said in fault.get("says", {}).items():
        said_by_step = said if isinstance(said, dict) else {"": said}
        for step, value in said_by_step.items():
            yield setting, step, value


@pytest.mark.parametrize("code", FAULTS)
def test_wrong_value_of_a_source_is_not_in_force(code: str, classica: Rules) -> None:
    # Known mistakes of the sources are listed. In one of them a source knows only 50 as the minimum
    # to open: ("opening-steps", "1500", 50). The rules have 90 from 1,500 points on.
    known_mistake = FAULTS[code]
    for setting, step, wrong_value in list_wrong_values(known_mistake):
        value_in_force = value_of(classica, setting, step)
        assert value_in_force != wrong_value, (setting, step)


@pytest.mark.parametrize("code", sorted(FAULTS.keys() - {"fault-two-figures"}))
def test_place_with_a_wrong_value_is_not_cited_for_it(code: str, classica: Rules) -> None:
    # Known mistakes of the sources are listed. In one of them the place "G:Regole sussidiarie"
    # says wrongly that the minimum to open is 50 from 1,500 points on.
    known_mistake = FAULTS[code]
    mistaken_places = set(known_mistake["cite"])

    # The rules have another value for this step, and cite other places beside it. The exception is
    # `fault-two-figures`, left out above: its place gives the right figure as well as the wrong one.
    for setting, step, _wrong_value in list_wrong_values(known_mistake):
        places_cited = classica[setting].at(step).places
        assert mistaken_places.isdisjoint(places_cited), (setting, step)


@pytest.mark.parametrize("code", [code for code in FAULTS if "omits" in FAULTS[code]])
def test_rule_that_a_source_omits_exists(code: str, classica: Rules) -> None:
    # A source that leaves out the points of black threes (3b) omits "card-points/3b": this step of
    # the setting "card-points". Another omits the whole setting "red-threes-kept".
    for omitted in FAULTS[code]["omits"]:
        setting, _, step = omitted.partition("/")
        assert setting in classica
        if step:
            assert step in value_by_step(classica, setting)


def test_citation_check_finds_line_citing_a_wrong_place(classica: Rules) -> None:
    # A line of the score, 100 points for going out, cites a glossary that says nothing of them.
    glossary = "G:Glossario del gioco"
    line = Line(item="out", count=1, points=100, sources=(glossary,))

    # It may cite only the places beside the settings that give points for going out.
    applied = settings_of_going_out(classica, line)
    with pytest.raises(AssertionError, match="Glossario"):
        CitationCheck().check("lines", classica, line, applied)


def test_citation_check_finds_problem_citing_a_wrong_place(classica: Rules) -> None:
    # A side with 1,500 points needs 90 to open, and its cards make less. The problem that says so
    # cites a place that knows only the minimum of 50.
    figures: dict[str, Any] = {"minimum": 90, "score": 1500, "deal": 1, "why": "points"}
    problem = Finding(
        code="opening-impossible",
        severity="error",
        where=(),  # no place in the hand is named
        arguments=figures,
        sources=("G:Regole sussidiarie",),
    )

    # It may cite only the places beside the settings from which the 90 follow.
    applied = settings_of_opening(classica, figures)
    with pytest.raises(AssertionError, match="Regole sussidiarie"):
        CitationCheck().check("problems", classica, problem, applied)


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.toml")), ids=lambda file: file.stem)
def test_every_inference_has_words(file: Path) -> None:
    # A value that no source states has the name of an argument, which is shown as a sentence.
    for name in list_inferences(read_data(file)):
        assert words("it").has(f"read.{name}"), name


def list_inferences(entry: Any) -> Iterator[str]:
    """Yield the arguments by which values were inferred, in an entry of a data file and within it.

    Written are `read = "as-classic"`, or one for each setting: `reads = { opening-steps = "…" }`.
    """
    if isinstance(entry, dict):
        if isinstance(entry.get("read"), str):
            yield entry["read"]
        yield from entry.get("reads", {}).values()
        for value in entry.values():
            yield from list_inferences(value)
    elif isinstance(entry, list):
        for value in entry:
            yield from list_inferences(value)
