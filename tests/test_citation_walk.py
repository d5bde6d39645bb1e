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
        what: str,
        rules: Rules,
        citing: Line | Finding | Reason,
        applied: Iterator[SettingStep],
    ) -> None:
        """Assert that each cited place stands beside a setting that may have been applied, and that
        the standing is that of such a setting.
        """
        # A step, such as the opening minimum from 1,500 points on, may have places of its own. If
        # not, those of the whole setting hold.
        values = [rules[setting].at(step) for setting, step in applied]
        self.count[what] += len(citing.sources)
        for source in citing.sources:
            assert any(source in value.places for value in values), (source, citing)
        assert_standing_is_that_of_a_value(citing, values)


def assert_standing_is_that_of_a_value(
    citing: Line | Finding | Reason, values: list[RecordedValue]
) -> None:
    """Assert that the standing of what cites is that of one of these values.

    It says how firmly the sources say something: `stated`, `read` between their lines, or `house`
    for what the people at the table decided, which no source says. None: it rests on no rule.
    """
    if citing.standing in ("house", None):
        assert citing.sources == (), citing
    if citing.standing == "house" and values:
        assert "house" in [value.standing for value in values], citing

    needs_a_source = citing.standing in ("stated", "read") and (values or citing.sources)
    if needs_a_source:
        standings = [
            value.standing for value in values if not set(value.places).isdisjoint(citing.sources)
        ]
        assert citing.standing in standings, citing


def read_worked_hands() -> Iterator[tuple[Rules, Judgement]]:
    """Yield every worked hand: its rules as the data files record them, and the judgement of it."""
    for case in read_cases("cases/*/*.json"):
        try:
            request = read_hand_request(json.dumps(case["hand"]))
        except Unusable:  # some cases prove that a hand is refused
            continue
        options = options_of_hand(case["hand"], request.rules.options)
        yield recorded(request.rules.variant, request.rules.preset, options), request.judge()


def check_hands(check: CitationCheck) -> None:
    """Check the lines and problems of every worked hand."""
    for rules, judgement in read_worked_hands():
        for side in judgement.sides or ():
            for line in side.lines:
                check.check("lines", rules, line, settings_of_line(rules, line))
        for finding in judgement.findings:
            applied = settings_of_problem(rules, finding.code, finding.arguments)
            check.check("problems", rules, finding, applied)


def options_of_hand(hand: Mapping[str, Any], options_in_force: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a hand.

    In some games the number of players is one of them. If the hand does not say it, it follows from
    the number of sides.
    """
    options = dict(hand.get("options", {}))
    if "players" in options_in_force:
        options.setdefault("players", options_in_force["players"])
    return options


def check_rulings(check: CitationCheck) -> None:
    """Check the reasons of every worked ruling."""
    for case in read_cases("rulings/cases/*.json"):
        ask = case["ask"]
        request = read_question(json.dumps(ask))
        rules = recorded(ask["variant"], ask.get("preset"), ask.get("options", {}))
        answer = answer_to(request.rules, request.question)
        for reason in answer.ruling.reasons:
            check_reason(check, reason, rules, ask)


def check_reason(
    check: CitationCheck, reason: Reason, rules: Rules, ask: Mapping[str, Any]
) -> None:
    """Check a reason by what it is about: settings, a mistake of a source, or an irregularity,
    whose code is in the question asked.
    """
    if reason.cited_settings or not reason.sources:
        check.check("reasons", rules, reason, settings_of_reason(rules, reason))
        return
    if reason.code in FAULTS:
        check.count["faults"] += len(reason.sources)
        assert_cites_fault(reason, FAULTS[reason.code], rules)
        return
    check.count["reasons"] += len(reason.sources)
    assert_cites_irregularity(reason, ask["code"], rules)


def assert_cites_fault(reason: Reason, fault: Mapping[str, Any], rules: Rules) -> None:
    """Assert that a reason cites the place that is mistaken (`cite`), and that the setting which
    the mistake touches rests on the place that shows it (`known-by`).
    """
    assert list(reason.sources) == fault["cite"], reason
    assert reason.standing == fault.get("standing", "stated"), reason
    assert fault["known-by"] in places_beside(rules[fault["touches"]]), reason


def assert_cites_irregularity(reason: Reason, code: str, rules: Rules) -> None:
    """Assert that a reason cites the sources of an irregularity.

    One that costs nothing has sources of its own. What others cost is a setting of the rules, whose
    sources are cited.
    """
    sources_without_penalty = sources_of_irregularities()
    if code in sources_without_penalty and code != "out-after-no":
        assert reason.sources == sources_without_penalty[code], reason
        return
    setting = setting_of_irregularity(rules, code)
    assert reason.sources == setting.places, reason
    assert reason.standing == setting.standing, reason


@pytest.mark.long
def test_every_citation_stands_beside_an_applied_value() -> None:
    check = CitationCheck()

    # These assert it for each citation in every worked hand and ruling.
    check_hands(check)
    check_rulings(check)

    # Nearly all citations were reached; more come with every case.
    total = check.count.total()
    print(f"{total} citations checked: {dict(check.count)}")
    assert total >= 17_500
    assert check.count.keys() == {"lines", "problems", "reasons", "faults"}


@pytest.mark.parametrize("name", variant_ids())
def test_every_step_of_a_variant_has_its_own_sources(name: str) -> None:
    # A setting may have steps, such as the minimum to open: 50 at first, 90 from 1,500 points on.
    # The JSON of a variant cites for each step what the data file cites for it.
    rules = recorded(name, preset=None, options={})
    citations = 0
    for key, setting in build_whole_variant(name, words("it"))["settings"].items():
        assert setting["sources"] == list(rules[key].places), key
        for step in setting.get("steps", []):
            recorded_step = rules[key].at(step["step"])
            assert step["sources"] == list(recorded_step.places), step
            assert step["standing"] == recorded_step.standing, step
            assert step["value"] == value_of(rules, key, step["step"]), step
            citations += len(step["sources"])
    assert citations > 20  # every game has steps


@pytest.fixture
def classica() -> Rules:
    """Read the settings of the classic game, with their places, from its data file."""
    return recorded("classica", preset=None, options={})


def list_wrong_values(fault: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Yield what a source says wrongly, as setting, step ("" for the whole) and value."""
    for setting, said in fault.get("says", {}).items():
        if isinstance(said, dict):
            for step, value in said.items():
                yield setting, step, value
        else:
            yield setting, "", said


@pytest.mark.parametrize("code", FAULTS)
def test_wrong_value_of_a_source_is_not_in_force(code: str, classica: Rules) -> None:
    # One source, for example, knows only the minimum of 50. From 1,500 points on 90 are in force.
    for setting, step, wrong_value in list_wrong_values(FAULTS[code]):
        assert value_of(classica, setting, step) != wrong_value, (setting, step)


# The place of `fault-two-figures` gives the figure in force as well as the wrong one.
@pytest.mark.parametrize("code", sorted(FAULTS.keys() - {"fault-two-figures"}))
def test_place_with_a_wrong_value_is_not_cited_for_it(code: str, classica: Rules) -> None:
    for setting, step, _wrong_value in list_wrong_values(FAULTS[code]):
        places = classica[setting].at(step).places
        assert set(places).isdisjoint(FAULTS[code]["cite"]), (setting, step)


@pytest.mark.parametrize("code", FAULTS)
def test_what_a_source_omits_is_a_setting_or_one_of_its_steps(code: str, classica: Rules) -> None:
    # A source may say nothing of the setting "red-threes-kept", or of "card-points/3b": the step
    # for black threes of the setting "card-points".
    for omitted in FAULTS[code].get("omits", []):
        setting, _, step = omitted.partition("/")
        assert setting in classica
        if step:
            assert step in value_by_step(classica, setting)


def test_citation_check_finds_line_citing_a_wrong_place(classica: Rules) -> None:
    # A line of the score, 100 points for going out, cites a glossary that says nothing of them.
    glossary = "G:Glossario del gioco"
    line = Line(item="out", count=1, points=100, sources=(glossary,))
    settings = settings_of_going_out(classica, line)

    with pytest.raises(AssertionError, match="Glossario"):
        CitationCheck().check("lines", classica, line, settings)


def test_citation_check_finds_problem_citing_a_wrong_place(classica: Rules) -> None:
    # A side with 1,500 points needs 90 to open. The place cited knows only the minimum of 50.
    place = "G:Regole sussidiarie"
    figures = {"minimum": 90, "score": 1500, "deal": 1, "why": "points"}
    finding = Finding("opening-impossible", "error", (), figures, sources=(place,))
    settings = settings_of_opening(classica, figures)

    with pytest.raises(AssertionError, match="Regole sussidiarie"):
        CitationCheck().check("problems", classica, finding, settings)


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
