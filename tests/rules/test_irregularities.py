"""Everything that goes wrong at a table: what it costs, what else follows, and who says so.

Expected values are those of the pages of rules that the data cite.
"""

from __future__ import annotations

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


def codes_and_points(listed: Iterable[Irregularity]) -> list[tuple[str, int | None]]:
    return [(each.code, each.points) for each in listed if each.costs is Costs.POINTS]


@pytest.mark.parametrize("variant", ALL_BUT_MINI)
def test_penalties_stand_before_what_costs_nothing_and_before_what_the_table_agreed(
    variant: str,
) -> None:
    listed = irregularities(settle(variant))
    *others, last = listed
    penalties = PENALTIES + OF_ONE_VARIANT.get(variant, [])
    assert codes_and_points(others[: len(penalties)]) == penalties
    without_points = others[len(penalties) :]
    assert {each.costs for each in without_points} == {Costs.NOTHING}
    expected = WITHOUT_POINTS - OF_PARTNERS if variant in WITHOUT_PARTNERS else WITHOUT_POINTS
    assert {each.code for each in without_points} == expected
    assert (last.code, last.costs) == ("house", Costs.AGREED)


def test_where_a_red_three_may_be_kept_only_the_count_takes_points_for_it() -> None:
    first, *others = irregularities(settle("samba", None, {"red-threes-may-be-kept": True}))
    assert (first.code, first.costs, first.points) == ("red-three-not-exposed", Costs.HELD, 750)
    assert codes_and_points(others) == PENALTIES[1:]


def test_mini_knows_none() -> None:
    assert irregularities(settle("mini")) == ()
    assert irregularity(settle("mini"), "exposed-card") is None


@pytest.mark.parametrize("variant", ALL_BUT_MINI)
def test_what_a_page_says_of_another_game_is_inferred(variant: str) -> None:
    stated = set()
    for code in OF_SAMBA | OF_THE_CLASSIC_GAME:
        found = irregularity(settle(variant), code)
        assert found is not None
        if found.cited.standing is Standing.STATED:
            stated.add(code)
        else:
            assert found.cited.standing is Standing.INFERRED
            assert words("it").has(f"read.{found.cited.read}")
    if variant == "samba":
        assert stated == OF_SAMBA
    elif variant in CLASSIC_TABLES:
        assert stated == OF_THE_CLASSIC_GAME
    else:
        assert stated == set()


@pytest.mark.parametrize("language", ["it", "en"])
def test_each_has_a_name_and_a_remedy_in_words(language: str) -> None:
    speech = words(language)
    for each in irregularities(settle("classica")):
        assert speech.has(f"penalty.{each.code}"), each.code
        assert each.remedy is None or speech.t(f"remedy.{each.remedy}").endswith("."), each.code


def test_all_that_is_listed_can_be_asked() -> None:
    rules = settle("classica")
    for each in irregularities(rules):
        answer = give_ruling(rules, PenaltyQuestion(each.code))
        is_agreed = each.costs is Costs.AGREED
        assert answer.verdict == ("silent" if is_agreed else "value")
        details = {} if is_agreed else {"points": each.points or None}
        if each.remedy:
            details["remedy"] = each.remedy
        assert answer.details == details
        assert all(reason.sources for reason in answer.reasons) is not is_agreed


def test_every_place_that_is_cited_stands_in_its_source() -> None:
    known = sources()
    listed: dict[str, Irregularity] = {}
    for group in load_irregularities().values():
        listed |= group
    assert listed.keys() == WITHOUT_POINTS
    for code, each in listed.items():
        assert bool(each.remedy) is (code != "partner-talk")
        for place in each.cited.citations:
            assert place.section in known[place.source].sections
