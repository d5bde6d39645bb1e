"""Everything that goes wrong at a table: what it costs, what else follows, and who says so.

Expected values are those of the pages of rules that the data cite.
"""

from collections.abc import Iterable

import pytest

from scorepad.i18n import words
from scorepad.referee.answering import give_ruling
from scorepad.referee.penalties import (
    Costs,
    Irregularity,
    irregularities,
    irregularity,
)
from scorepad.referee.questions import PenaltyQuestion
from scorepad.rules.definitions import Standing
from scorepad.rules.loader import load_irregularities
from scorepad.rules.variants import settle, sources, variant_ids

PENALTIES = [
    ("red-three-not-exposed", 500),
    ("pile-taken-without-meld", 50),
    ("pile-taken-top-card-unused", 200),
    ("draw-out-of-turn", 100),
    ("meld-out-of-turn-opponents", 100),
    ("meld-out-of-turn-partner", 200),
    ("permission-then-no-out", 100),
]
OF_ONE_VARIANT = {"moderna": [("mismeld", 10)]}
OF_PARTNERS = {"out-after-no", "partner-talk"}
OF_SAMBA = {"exposed-card", "two-cards-discarded", "opening-under-minimum"}
OF_THE_CLASSIC_GAME = {"wrong-dealer", "wrong-dealer-late", "meld-taken-back", "draw-taken-back"}
WITHOUT_POINTS = OF_PARTNERS | OF_SAMBA | OF_THE_CLASSIC_GAME
CLASSIC_TABLES = ("classica", "due", "tre", "tagliagola", "sei", "cinque")
WITHOUT_PARTNERS = ("due", "tre")
"""In tagliagola two are partners for the hand."""
ALL_BUT_MINI = [name for name in variant_ids() if name != "mini"]


def list_penalties(listed: Iterable[Irregularity]) -> list[tuple[str, int | None]]:
    """The codes and points of those that cost points."""
    return [(each.code, each.points) for each in listed if each.costs is Costs.POINTS]


def list_codes_without_points(variant: str) -> set[str]:
    """The codes of what goes wrong in a game at no cost, as its sources say."""
    if variant in WITHOUT_PARTNERS:
        return WITHOUT_POINTS - OF_PARTNERS
    return WITHOUT_POINTS


@pytest.mark.parametrize("variant", ALL_BUT_MINI)
def test_penalties_stand_before_what_costs_nothing_and_before_what_the_table_agreed(
    variant: str,
) -> None:
    listed = irregularities(settle(variant))

    expected_penalties = PENALTIES + OF_ONE_VARIANT.get(variant, [])
    penalties = listed[: len(expected_penalties)]
    without_points = listed[len(expected_penalties) : -1]
    last = listed[-1]
    assert list_penalties(penalties) == expected_penalties
    assert {each.costs for each in without_points} == {Costs.NOTHING}
    assert {each.code for each in without_points} == list_codes_without_points(variant)
    assert last.code == "house"
    assert last.costs is Costs.AGREED


def test_where_a_red_three_may_be_kept_only_the_count_takes_points_for_it() -> None:
    first, *others = irregularities(settle("samba", None, {"red-threes-may-be-kept": True}))
    assert first.code == "red-three-not-exposed"
    assert first.costs is Costs.HELD
    assert first.points == 750
    assert list_penalties(others) == PENALTIES[1:]


def test_mini_knows_none() -> None:
    assert irregularities(settle("mini")) == ()
    assert irregularity(settle("mini"), "exposed-card") is None


@pytest.mark.parametrize("variant", ALL_BUT_MINI)
def test_what_a_page_says_of_another_game_is_inferred(variant: str) -> None:
    if variant == "samba":
        stated = OF_SAMBA
    elif variant in CLASSIC_TABLES:
        stated = OF_THE_CLASSIC_GAME
    else:
        stated = set()

    for code in OF_SAMBA | OF_THE_CLASSIC_GAME:
        listed = irregularity(settle(variant), code)
        if code in stated:
            assert listed.cited.standing is Standing.STATED
        else:
            assert listed.cited.standing is Standing.INFERRED
            assert words("it").has(f"read.{listed.cited.read}"), "says from what it is inferred"


@pytest.mark.parametrize("language", ["it", "en"])
def test_each_has_a_name_and_a_remedy_in_words(language: str) -> None:
    texts = words(language)
    for each in irregularities(settle("classica")):
        assert texts.has(f"penalty.{each.code}"), each.code
        if each.remedy:
            assert texts.t(f"remedy.{each.remedy}").endswith("."), each.code


@pytest.mark.parametrize(
    "listed", irregularities(settle("classica")), ids=lambda listed: listed.code
)
def test_each_can_be_asked_about(listed: Irregularity) -> None:
    ruling = give_ruling(settle("classica"), PenaltyQuestion(listed.code))

    details: dict[str, object] = {}
    if listed.costs is not Costs.AGREED:
        details["points"] = listed.points or None
    if listed.remedy:
        details["remedy"] = listed.remedy
    assert ruling.details == details
    if listed.costs is Costs.AGREED:
        assert ruling.verdict == "silent"
    else:
        assert ruling.verdict == "value"
        for reason in ruling.reasons:
            assert reason.sources


def test_every_place_that_is_cited_stands_in_its_source() -> None:
    known_sources = sources()
    listed: dict[str, Irregularity] = {}
    for group in load_irregularities().values():
        listed |= group

    assert listed.keys() == WITHOUT_POINTS
    for code, each in listed.items():
        assert bool(each.remedy) == (code != "partner-talk")
        for citation in each.cited.citations:
            assert citation.section in known_sources[citation.source].sections
