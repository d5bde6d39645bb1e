"""Every citation of every worked hand and ruling: the place that is named stands beside the value
that was applied.

What each place says is read from the data files by `recorded`, not by the engine. Which values a
line, a problem or a reason may rest on is written down here, and the figures told must be those of
the value beside the place.
"""

import json
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from scorepad.i18n import words
from scorepad.referee.answering import answer_to
from scorepad.referee.ruling import Reason
from scorepad.rules.definitions import split_into_parts
from scorepad.rules.judging import Finding
from scorepad.rules.score_lines import Line
from scorepad.rules.variants import variant_ids
from scorepad.schemas import Unusable, read_hand_request
from scorepad.schemas.ruling_json import read_question
from scorepad.schemas.variant_json import build_whole_variant
from tests.data import read_data
from tests.recorded import FOLDER, RecordedValue, recorded

TESTS = Path(__file__).parent
PROBLEMS = tomllib.loads(TESTS.joinpath("problems.toml").read_text("utf-8"))
FEWEST = 17_500
"""Citations in the worked hands, problems and rulings together; more come with every case."""

Rules = Mapping[str, RecordedValue]
Claim = tuple[str, str]
"""A setting and a step of it; no step: the whole."""


def cases(*folders: str) -> Iterator[dict[str, Any]]:
    for folder in folders:
        for file in sorted(TESTS.glob(folder)):
            yield from read_data(file)


def parts(rules: Rules, setting: str) -> Mapping[str, Any]:
    """The value of a setting by its steps."""
    return split_into_parts(setting, rules[setting].value)


def says(rules: Rules, claim: Claim) -> Any:
    setting, step = claim
    return parts(rules, setting).get(step, rules[setting].value)


def sign(number: float) -> int:
    return (number > 0) - (number < 0)


# -------------------------------------------------------------------------------------------- lines


def is_capped(rules: Rules, line: Line, points_each: int) -> bool:
    """Whether canastas of a side that did not go out count less than they are worth."""
    capped = rules["canastas-capped"].value != "never"
    return capped and abs(line.points) < abs(points_each * (line.count or 0))


def of_canasta(rules: Rules, line: Line) -> Iterator[Claim]:
    if is_capped(rules, line, says(rules, ("canastas", line.item))):
        yield "canastas-capped", ""
    elif not line.points:
        yield "canastas-count", ""
    elif says(rules, ("canastas", line.item)) * (line.count or 0) == line.points:
        yield "canastas", line.item


def of_concealed(rules: Rules, line: Line) -> Iterator[Claim]:
    if is_capped(rules, line, says(rules, ("concealed-canasta", ""))):
        yield "canastas-capped", ""
    elif says(rules, ("concealed-canasta", "")) * (line.count or 0) == line.points:
        yield from (("concealed-canasta", item) for item in parts(rules, "canastas"))


def of_cards(rules: Rules, line: Line) -> Iterator[Claim]:
    yield from (("card-points", step) for step in ("", "3b"))
    for step, its_sign in parts(rules, "cards-by-canastas").items():
        if its_sign == sign(line.points) or not line.points:
            yield "cards-by-canastas", step


def of_red_threes(rules: Rules, line: Line) -> Iterator[Claim]:
    points = abs(line.points)
    shares = parts(rules, "red-threes-by-families")
    may_go_to_opponents = says(rules, ("red-threes-otherwise", "")) == "to-opponents"
    may_go_to_opponents |= any(opponents for _, opponents in shares.values())
    for count, worth in parts(rules, "red-three-values").items():
        if points in (worth, 2 * worth) or (may_go_to_opponents and points):
            yield "red-three-values", count
    yield from _of_condition(rules, line)
    yield from _of_number_of_canastas(rules, line)
    for having, (own, opponents) in shares.items():
        if sign(own) == sign(line.points) or opponents:
            yield "red-threes-by-families", having
    if shares:
        yield "canastas", ""


def _of_number_of_canastas(rules: Rules, line: Line) -> Iterator[Claim]:
    for step, each in parts(rules, "red-threes-by-canastas").items():
        if each == sign(line.points):
            yield "red-threes-by-canastas", step


def _of_condition(rules: Rules, line: Line) -> Iterator[Claim]:
    otherwise = {
        "negative": line.points < 0,
        "zero": line.points == 0,
        "to-opponents": line.points >= 0,
    }
    if line.points > 0:
        yield "red-threes-condition", ""
    if otherwise[says(rules, ("red-threes-otherwise", ""))]:
        yield "red-threes-otherwise", ""
    if says(rules, ("red-threes-condition", "")) == "out-needs":
        yield "canasta-families-needed", ""


def of_black_threes(rules: Rules, line: Line) -> Iterator[Claim]:
    yield from (("black-threes-exposed", str(line.count)), ("black-threes-aside", str(line.count)))
    yield from _of_number_of_canastas(rules, line)


def of_out(rules: Rules, line: Line) -> Iterator[Claim]:
    bonuses = {name: says(rules, (name, "")) for name in ("out-bonus", "concealed-out-bonus")}
    plain = [name for name, points in bonuses.items() if points == line.points]
    if plain:
        yield from ((name, "") for name in plain)
        return
    is_added = says(rules, ("out-bonus-adds", "")) == "sum"
    yield from (("out-bonus-adds", ""), ("canastas", ""))
    for step, points in parts(rules, "out-bonus-canastas").items():
        rest = line.points - points
        beside = [name for name, points in bonuses.items() if is_added and points == rest]
        if beside or not rest:
            yield "out-bonus-canastas", step
            yield from ((name, "") for name in beside)


def of_cards_left(rules: Rules, line: Line) -> Iterator[Claim]:
    yield "cards-left", ""
    if line.points <= -says(rules, ("left-black-three", "")):
        yield "left-black-three", ""


def of_held(rules: Rules, line: Line) -> Iterator[Claim]:
    each, count = says(rules, ("held-red-three", "")), line.count or 0
    times = count if says(rules, ("held-red-three-counts", "")) == "each" else 1
    if line.points == -times * each:
        yield from (("held-red-three", ""), ("held-red-three-counts", ""))


def of_names(setting: str, item: str) -> Callable[[Rules, Line], Iterator[Claim]]:
    """A line whose step of the setting is found by its item."""

    def found(rules: Rules, line: Line) -> Iterator[Claim]:
        for entry in rules[setting].value:
            points = (line.count or 0) * entry["points"]
            with_four_jokers = points + entry.get("four_jokers", 0)
            if entry.get("item") == line.item and -line.points in (points, with_four_jokers):
                yield setting, entry[item]
                yield setting, ""

    return found


def of_special(rules: Rules, line: Line) -> Iterator[Claim]:
    hands = parts(rules, "special-hands")
    yield from (("special-hands", name) for name, points in hands.items() if points == line.points)


def of_penalty(rules: Rules, line: Line) -> Iterator[Claim]:
    points = rules[f"penalties/{line.code}"].value
    if points is None or -points * (line.count or 0) == line.points:
        yield f"penalties/{line.code}", ""


OF_LINES: dict[str, Callable[[Rules, Line], Iterator[Claim]]] = {
    "concealed-canasta": of_concealed, "cards": of_cards, "red-threes": of_red_threes, "black-threes": of_black_threes,
    "black-threes-aside": of_black_threes, "out": of_out, "cards-left": of_cards_left, "red-threes-held": of_held,
    "special": of_special, "penalty": of_penalty,
    **dict.fromkeys(("sevens-held", "aces-held"), of_names("held-together", "key")),
    **dict.fromkeys(("sevens-incomplete", "aces-incomplete", "wilds-incomplete"), of_names("incomplete", "name")),
    **dict.fromkeys(("sum", "adjustment"), lambda *_: iter([("table-agreement", "")])),
}  # fmt: skip


# ----------------------------------------------------------------------------------------- problems


def of_opening(rules: Rules, figures: Mapping[str, Any]) -> Iterator[Claim]:
    """What may be named for an opening: the step that has this minimum at this score, or what may
    open at all.
    """
    minimum = figures["minimum"]
    score, deal = figures.get("score", 0), figures.get("deal", 1)
    yield "concealed-out", "minimum"
    if rules["concealed-out"].value == "with-lay-offs":
        yield "concealed-out", ""
    if says(rules, ("opening-naturals-up-to", "")) >= minimum:
        yield "opening-naturals-up-to", ""
    if score < 0 and says(rules, ("opening-below-zero", "")) == minimum:
        yield "opening-below-zero", ""
    for start, points in parts(rules, "opening-steps").items():
        if points == minimum and 0 <= int(start) <= score:
            yield "opening-steps", start
    # A source may support the minimum only up to some score.
    for start in rules["opening-steps"].steps:
        if 0 <= int(start) <= score:
            yield "opening-steps", start
    if parts(rules, "opening-deals").get(str(deal)) == minimum:
        yield "opening-deals", str(deal)
    why = {
        "wilds-alone": ("opening-wild-melds", "not-alone"),
        "black-threes": ("black-threes", "going-out"),
    }
    setting, value = why.get(figures["why"], ("opening-natural-group", "needed"))
    if rules[setting].value == value:
        yield setting, ""


def with_figure(
    figure: str, *settings: str
) -> Callable[[Rules, Mapping[str, Any]], Iterator[Claim]]:
    """The setting whose value is this figure."""
    return lambda rules, figures: (
        (name, "") for name in settings if rules[name].value == figures[figure]
    )


def of_wilds(rules: Rules, figures: Mapping[str, Any]) -> Iterator[Claim]:
    if rules["wild-limit"].value < figures["wilds"]:
        yield "wild-limit", ""
    ratios = {
        "any": False, "not-more-than-naturals": figures["wilds"] > figures["naturals"],
        "fewer-than-naturals": figures["wilds"] >= figures["naturals"],
        "half-of-naturals": 2 * figures["wilds"] > figures["naturals"],
    }  # fmt: skip
    if ratios[rules["wild-ratio"].value]:
        yield "wild-ratio", ""
    if figures["allowed"] == 0:
        yield "natural-only", ""
    if rules["sequences"].value == "dirty":
        yield "sequences", ""


def of_canastas(rules: Rules, figures: Mapping[str, Any]) -> Iterator[Claim]:
    yield "canastas", ""
    if rules["canastas-needed"].value == figures["needed"] > figures["has"]:
        yield "canastas-needed", ""
    needed = parts(rules, "canasta-families-needed")
    if any(needed[each.family] == each.count > each.has for each in figures.get("lacking", ())):
        yield "canasta-families-needed", ""


def just(*settings: str) -> Callable[[Rules, Mapping[str, Any]], Iterator[Claim]]:
    return lambda *_: ((name, "") for name in settings)


OF_PROBLEMS: dict[str, Callable[[Rules, Mapping[str, Any]], Iterator[Claim]]] = {
    **{code: just(*settings) for code, settings in PROBLEMS["settings"].items()},
    "meld-too-short": with_figure("needed", "meld-shortest", "wild-melds-shortest"),
    "meld-too-few-naturals": with_figure("needed", "meld-naturals"),
    "meld-too-many-wilds": of_wilds,
    "meld-too-long": lambda rules, figures: iter(
        [*with_figure("allowed", "meld-longest", "wild-melds-longest")(rules, figures), ("sequences", "")]
    ),
    "out-canastas-missing": of_canastas, "opening-below-minimum": of_opening, "opening-impossible": of_opening,
    "opening-unknown": of_opening,
    "red-three-twice": lambda *_: iter([("penalties-known", "same-offence")]),
    "left-in-points": with_figure("points", "left-black-three"), "target-reached": with_figure("target", "target"),
    **dict.fromkeys(("card-unknown", "side-unknown", "not-checked", "bounds-not-checked"), lambda *_: iter(())),
}  # fmt: skip


# ------------------------------------------------------------------------------------------ rulings

FIGURES = {
    "minimum": ("opening-steps", "opening-below-zero", "opening-deals"), "bonus": ("canastas", "concealed-canasta"),
    "worth": ("red-three-values",), "naturals": (), "more": ("pile-tops",),
}  # fmt: skip
"""Figures of reasons that must be what a step beside the place says, where the reason rests on such
a setting.
"""


def of_reason(rules: Rules, reason: Reason) -> Iterator[Claim]:
    for cited_setting in reason.cited_settings:
        setting, _, step = cited_setting.partition("/")
        if setting == "penalties":
            yield cited_setting, ""
            continue
        about = [
            reason.arguments[name]
            for name, named in FIGURES.items()
            if setting in named and name in reason.arguments
        ]
        if step in parts(rules, setting) and about:
            assert says(rules, (setting, step)) in about, (reason, says(rules, (setting, step)))
        yield setting, step


def places_of_irregularities() -> dict[str, tuple[str, ...]]:
    """The places of what costs no points. How it stands in each game is in
    tests/rules/test_irregularities.py.
    """
    raw = read_data(FOLDER / "irregularities" / "irregularities.toml")
    places = {}
    for group in raw.values():
        places |= {code: tuple(entry["cite"]) for code, entry in group.items()}
    return places


def setting_of_irregularity(rules: Rules, code: str) -> RecordedValue:
    """What decides what it costs that something goes wrong."""
    if code == "out-after-no":
        return rules["permission"]
    if code == "red-three-not-exposed" and rules["red-threes-kept"].value != "exposed":
        return rules["held-red-three"]
    return rules[f"penalties/{code}"]


def faults() -> dict[str, dict[str, Any]]:
    return read_data(FOLDER / "faults.toml")


def named_for(rules: Rules, cited_setting: str) -> set[str]:
    """Every place that the data cite for a setting, or for a step of it."""
    said = rules[cited_setting]
    return {place for each in (said, *said.steps.values()) for place in each.places}


# ----------------------------------------------------------------------------------------- the walk


class Walk:
    """Counts citations, and asserts each."""

    def __init__(self) -> None:
        self.count: Counter[str] = Counter()

    def check(
        self, what: str, rules: Rules, found: Line | Finding | Reason, claims: Iterator[Claim]
    ) -> None:
        # A step that is not cited by itself is said by the places of the whole.
        beside = [rules[setting].at(step) for setting, step in claims]
        for place in found.sources:
            self.count[what] += 1
            assert any(place in said.places for said in beside), (place, found)
        if found.standing is None or not (beside or found.sources):
            assert not found.sources, found
        elif found.standing == "house":
            assert not found.sources, found
            assert "house" in {said.standing for said in beside}, found
        else:
            cited = [said for said in beside if set(said.places) & set(found.sources)]
            assert found.standing in {said.standing for said in cited}, found


def walk_hands(walk: Walk) -> None:
    for case in cases("cases/*/*.json"):
        try:
            asked = read_hand_request(json.dumps(case["hand"]))
        except Unusable:
            continue
        rules = recorded(
            asked.rules.variant, asked.rules.preset, beside(case["hand"], asked.rules.options)
        )
        judgement = asked.judge()
        for side in judgement.sides or ():
            for line in side.lines:
                walk.check("lines", rules, line, OF_LINES.get(line.item, of_canasta)(rules, line))
        for finding in judgement.findings:
            claims = OF_PROBLEMS[finding.code](rules, finding.arguments)
            walk.check("problems", rules, finding, claims)


def beside(hand: Mapping[str, Any], settled: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a question, and the number of players where its sides tell it."""
    players = {"players": settled["players"]} if "players" in settled else {}
    return {**players, **hand.get("options", {})}


def walk_rulings(walk: Walk) -> None:
    known = faults()
    without_points = places_of_irregularities()
    for case in cases("rulings/cases/*.json"):
        ask = case["ask"]
        question = read_question(json.dumps(ask))
        rules = recorded(ask["variant"], ask.get("preset"), ask.get("options", {}))
        answer = answer_to(question.rules, question.question)
        for reason in answer.ruling.reasons:
            if reason.cited_settings or not reason.sources:
                walk.check("reasons", rules, reason, of_reason(rules, reason))
            elif reason.code in known:
                fault = known[reason.code]
                walk.count["faults"] += len(reason.sources)
                assert list(reason.sources) == fault["cite"], reason
                assert reason.standing == fault.get("standing", "stated"), reason
                assert fault["known-by"] in named_for(rules, fault["touches"]), reason
            else:
                walk.count["reasons"] += len(reason.sources)
                if ask["code"] in without_points and ask["code"] != "out-after-no":
                    assert reason.sources == without_points[ask["code"]], reason
                else:
                    said = setting_of_irregularity(rules, ask["code"])
                    assert reason.sources == said.places, reason
                    assert reason.standing == said.standing, reason


@pytest.fixture(scope="module")
def walked() -> Walk:
    walk = Walk()
    walk_hands(walk)
    walk_rulings(walk)
    return walk


@pytest.mark.long
def test_every_citation_stands_beside_the_value_that_was_applied(walked: Walk) -> None:
    total = sum(walked.count.values())
    print(f"{total} citations walked: {dict(walked.count)}")
    assert total >= FEWEST
    assert set(walked.count) == {"lines", "problems", "reasons", "faults"}


@pytest.mark.parametrize("name", variant_ids())
def test_every_step_of_a_variant_names_its_own_places(name: str) -> None:
    rules = recorded(name, None, {})
    citations = 0
    for key, setting in build_whole_variant(name, words("it"))["settings"].items():
        assert setting["sources"] == list(rules[key].places), key
        for step in setting.get("steps", []):
            recorded_step = rules[key].at(step["step"])
            assert step["sources"] == list(recorded_step.places), step
            assert step["standing"] == recorded_step.standing, step
            assert step["value"] == says(rules, (key, step["step"])), step
            citations += len(step["sources"])
    assert citations > 20


TWO_FIGURES = {"fault-two-figures"}
"""Faults of a place that says the figure in force as well."""


def list_claims(said_by_setting: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """What a source says wrongly, as setting, step ("" for the whole) and value."""
    for setting, said in said_by_setting.items():
        if isinstance(said, dict):
            for step, value in said.items():
                yield setting, step, value
        else:
            yield setting, "", said


@pytest.mark.parametrize("code", faults())
def test_a_fault_says_what_no_value_cites_the_place_for(code: str) -> None:
    classica = recorded("classica", None, {})
    fault = faults()[code]
    for setting, step, value in list_claims(fault.get("says", {})):
        assert says(classica, (setting, step)) != value, (setting, step)
        if code not in TWO_FIGURES:
            places = classica[setting].at(step).places
            assert set(places).isdisjoint(fault["cite"]), (setting, step)
    for cited_setting in fault.get("omits", []):
        setting, _, step = cited_setting.partition("/")
        assert step in ("", *parts(classica, setting)), cited_setting


def test_a_line_that_cites_a_place_beside_another_value_is_found() -> None:
    rules = recorded("classica", None, {})
    # That place says nothing of the points for going out.
    wrong = Line(item="out", count=1, points=100, sources=("G:Glossario del gioco",))
    with pytest.raises(AssertionError):
        Walk().check("lines", rules, wrong, of_out(rules, wrong))


def test_a_problem_that_cites_a_place_beside_another_value_is_found() -> None:
    rules = recorded("classica", None, {})
    # That place names 50 as the opening minimum, and no 90.
    arguments = {"minimum": 90, "score": 1500, "deal": 1, "why": "points"}
    wrong = Finding("opening-impossible", "error", (), arguments, ("G:Regole sussidiarie",))
    with pytest.raises(AssertionError):
        Walk().check("problems", rules, wrong, of_opening(rules, arguments))


def test_the_arguments_of_inferences_have_words() -> None:
    for file in FOLDER.glob("*.toml"):
        for name in list_inferences(read_data(file)):
            assert words("it").has(f"read.{name}"), (file.name, name)


def list_inferences(entry: Any) -> Iterator[str]:
    """The names of the arguments of inferences in an entry of the data."""
    if isinstance(entry, dict):
        if isinstance(entry.get("read"), str):
            yield entry["read"]
        yield from entry.get("reads", {}).values()
        for value in entry.values():
            yield from list_inferences(value)
    elif isinstance(entry, list):
        for value in entry:
            yield from list_inferences(value)
