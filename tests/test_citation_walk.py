"""Every citation of every worked hand and ruling: the place that is named stands beside the value
that was applied.

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
from scorepad.rules.judging import Finding
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
FEWEST_CITATIONS = 17_500
"""Citations in the worked hands, problems and rulings together; more come with every case."""
FAULTS: dict[str, dict[str, Any]] = read_data(FOLDER / "faults.toml")
"""The known mistakes of the sources."""


def read_cases(pattern: str) -> Iterator[dict[str, Any]]:
    """The cases in the files whose paths match this, from the folder of the tests."""
    for file in sorted(TESTS.glob(pattern)):
        yield from read_data(file)


def sources_of_irregularities() -> dict[str, tuple[str, ...]]:
    """The sources of irregularities that cost no points, by code. How each game treats them is in
    tests/rules/test_irregularities.py.
    """
    irregularities = read_data(FOLDER / "irregularities" / "irregularities.toml")
    sources = {}
    for group in irregularities.values():
        for code, entry in group.items():
            sources[code] = tuple(entry["cite"])
    return sources


def setting_of_irregularity(rules: Rules, code: str) -> RecordedValue:
    """What decides what an irregularity costs."""
    if code == "out-after-no":
        return rules["permission"]
    if code == "red-three-not-exposed" and rules["red-threes-kept"].value != "exposed":
        return rules["held-red-three"]
    return rules[f"penalties/{code}"]


def places_beside(setting: RecordedValue) -> set[str]:
    """Every place that the data cite for a setting, or for a step of it."""
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
        """Assert that each source stands beside one of the settings that may have been applied, and
        that the standing is that of such a setting.
        """
        # A step that is not cited by itself is said by the places of the whole.
        values = [rules[setting].at(step) for setting, step in applied]
        self.count[what] += len(citing.sources)
        for source in citing.sources:
            assert any(source in value.places for value in values), (source, citing)
        assert_standing_is_that_of_a_value(citing, values)


def assert_standing_is_that_of_a_value(
    citing: Line | Finding | Reason, values: list[RecordedValue]
) -> None:
    if citing.standing == "house":
        assert not citing.sources, citing
        if values:
            assert "house" in [value.standing for value in values], citing
    elif citing.standing is None or not (values or citing.sources):
        assert not citing.sources, citing
    else:
        cited = [value for value in values if set(value.places) & set(citing.sources)]
        assert citing.standing in [value.standing for value in cited], citing


def check_hands(check: CitationCheck) -> None:
    """Check the lines and problems of every worked hand."""
    for case in read_cases("cases/*/*.json"):
        try:
            request = read_hand_request(json.dumps(case["hand"]))
        except Unusable:
            continue
        options = options_of_hand(case["hand"], request.rules.options)
        rules = recorded(request.rules.variant, request.rules.preset, options)
        judgement = request.judge()
        for side in judgement.sides or ():
            for line in side.lines:
                check.check("lines", rules, line, settings_of_line(rules, line))
        for finding in judgement.findings:
            applied = settings_of_problem(rules, finding.code, finding.arguments)
            check.check("problems", rules, finding, applied)


def options_of_hand(hand: Mapping[str, Any], settled: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a hand, and the number of players where it follows from its sides."""
    options = dict(hand.get("options", {}))
    if "players" in settled:
        options.setdefault("players", settled["players"])
    return options


def check_rulings(check: CitationCheck) -> None:
    """Check the reasons of every worked ruling."""
    for case in read_cases("rulings/cases/*.json"):
        ask = case["ask"]
        request = read_question(json.dumps(ask))
        rules = recorded(ask["variant"], ask.get("preset"), ask.get("options", {}))
        answer = answer_to(request.rules, request.question)
        for reason in answer.ruling.reasons:
            if reason.cited_settings or not reason.sources:
                check.check("reasons", rules, reason, settings_of_reason(rules, reason))
            elif reason.code in FAULTS:
                check.count["faults"] += len(reason.sources)
                assert_cites_fault(reason, FAULTS[reason.code], rules)
            else:
                check.count["reasons"] += len(reason.sources)
                assert_cites_irregularity(reason, ask["code"], rules)


def assert_cites_fault(reason: Reason, fault: Mapping[str, Any], rules: Rules) -> None:
    """The reason names the source that is mistaken, and another one shows the mistake."""
    assert list(reason.sources) == fault["cite"], reason
    assert reason.standing == fault.get("standing", "stated"), reason
    assert fault["known-by"] in places_beside(rules[fault["touches"]]), reason


def assert_cites_irregularity(reason: Reason, code: str, rules: Rules) -> None:
    sources_without_points = sources_of_irregularities()
    if code in sources_without_points and code != "out-after-no":
        assert reason.sources == sources_without_points[code], reason
    else:
        setting = setting_of_irregularity(rules, code)
        assert reason.sources == setting.places, reason
        assert reason.standing == setting.standing, reason


@pytest.mark.long
def test_every_citation_stands_beside_an_applied_value() -> None:
    check = CitationCheck()

    check_hands(check)
    check_rulings(check)

    total = check.count.total()
    print(f"{total} citations checked: {dict(check.count)}")
    assert total >= FEWEST_CITATIONS
    assert check.count.keys() == {"lines", "problems", "reasons", "faults"}


@pytest.mark.parametrize("name", variant_ids())
def test_every_step_of_a_variant_has_its_own_sources(name: str) -> None:
    rules = recorded(name, None, {})
    citations = 0
    for key, setting in build_whole_variant(name, words("it"))["settings"].items():
        assert setting["sources"] == list(rules[key].places), key
        for step in setting.get("steps", []):
            recorded_step = rules[key].at(step["step"])
            assert step["sources"] == list(recorded_step.places), step
            assert step["standing"] == recorded_step.standing, step
            assert step["value"] == value_of(rules, key, step["step"]), step
            citations += len(step["sources"])
    assert citations > 20


FAULT_WITH_TWO_FIGURES = "fault-two-figures"
"""The place says the figure in force as well as the wrong one."""


def list_wrong_values(fault: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """What a source says wrongly, as setting, step ("" for the whole) and value."""
    for setting, said in fault.get("says", {}).items():
        if isinstance(said, dict):
            for step, value in said.items():
                yield setting, step, value
        else:
            yield setting, "", said


@pytest.mark.parametrize("code", FAULTS)
def test_wrong_value_of_a_source_is_not_in_force_nor_its_place_cited(code: str) -> None:
    classica = recorded("classica", None, {})
    for setting, step, wrong_value in list_wrong_values(FAULTS[code]):
        assert value_of(classica, setting, step) != wrong_value, (setting, step)
        if code != FAULT_WITH_TWO_FIGURES:
            places = classica[setting].at(step).places
            assert set(places).isdisjoint(FAULTS[code]["cite"]), (setting, step)


@pytest.mark.parametrize("code", FAULTS)
def test_setting_that_a_source_omits_is_known(code: str) -> None:
    classica = recorded("classica", None, {})
    for cited_setting in FAULTS[code].get("omits", []):
        setting, _, step = cited_setting.partition("/")
        assert step in ("", *value_by_step(classica, setting)), cited_setting


def test_citation_check_finds_line_citing_a_wrong_place() -> None:
    rules = recorded("classica", None, {})
    place_without_points_for_going_out = "G:Glossario del gioco"
    line = Line(item="out", count=1, points=100, sources=(place_without_points_for_going_out,))

    with pytest.raises(AssertionError):
        CitationCheck().check("lines", rules, line, settings_of_going_out(rules, line))


def test_citation_check_finds_problem_citing_a_wrong_place() -> None:
    rules = recorded("classica", None, {})
    place_with_minimum_of_50 = "G:Regole sussidiarie"
    figures = {"minimum": 90, "score": 1500, "deal": 1, "why": "points"}
    finding = Finding("opening-impossible", "error", (), figures, (place_with_minimum_of_50,))

    with pytest.raises(AssertionError):
        CitationCheck().check("problems", rules, finding, settings_of_opening(rules, figures))


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.toml")), ids=lambda file: file.stem)
def test_every_inference_has_words(file: Path) -> None:
    for name in list_inferences(read_data(file)):
        assert words("it").has(f"read.{name}"), name


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
