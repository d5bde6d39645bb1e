"""Everything that goes wrong at a table: what it costs, what else follows, and who says so.

Expected values are those of the pages of rules that the data cite.
"""

from __future__ import annotations

from typing import Any

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
    ("red-three-not-exposed", 500), ("pile-taken-without-meld", 50), ("pile-taken-top-card-unused", 200),
    ("draw-out-of-turn", 100), ("meld-out-of-turn-opponents", 100), ("meld-out-of-turn-partner", 200),
    ("permission-then-no-out", 100),
]  # fmt: skip
WITHOUT_POINTS = {
    "exposed-card", "two-cards-discarded", "opening-under-minimum", "wrong-dealer", "wrong-dealer-late", "partner-talk",
    "out-after-no", "meld-taken-back", "draw-taken-back",
}  # fmt: skip
ALONE = {"due", "tre"}
"""Variants in which nobody has a partner; in tagliagola two are one for the hand."""


def found(variant: str, **options: Any) -> tuple[Irregularity, ...]:
    return irregularities(settle(variant, None, options))


@pytest.mark.parametrize("variant", [name for name in variant_ids() if name != "mini"])
def test_every_variant_but_mini_knows_the_penalties_then_what_costs_nothing_then_its_own(
    variant: str,
) -> None:
    told = found(variant)
    assert [(each.code, each.points) for each in told if each.costs is Costs.POINTS] == PENALTIES
    without = [each.code for each in told if each.costs is Costs.NOTHING]
    assert set(without) == WITHOUT_POINTS - (
        {"out-after-no", "partner-talk"} if variant in ALONE else set()
    )
    assert [each.code for each in told if each.costs is Costs.AGREED] == ["house"]
    assert [each.costs for each in told] == [
        *[Costs.POINTS] * len(PENALTIES), *[Costs.NOTHING] * len(without), Costs.AGREED,
    ]  # fmt: skip


def test_where_a_red_three_may_be_kept_only_the_count_takes_points_for_it() -> None:
    first, *rest = found("samba", **{"red-threes-may-be-kept": True})
    assert (first.code, first.costs, first.points) == ("red-three-not-exposed", Costs.HELD, 750)
    assert [(each.code, each.points) for each in rest if each.costs is Costs.POINTS] == PENALTIES[
        1:
    ]


def test_mini_knows_none() -> None:
    assert found("mini") == ()
    assert irregularity(settle("mini"), "exposed-card") is None


OF_SAMBA = ("exposed-card", "two-cards-discarded", "opening-under-minimum")
OF_THE_CLASSIC_GAME = ("wrong-dealer", "wrong-dealer-late", "meld-taken-back", "draw-taken-back")
CLASSIC_TABLES = ("classica", "due", "tre", "tagliagola", "sei", "cinque")


@pytest.mark.parametrize("name", [name for name in variant_ids() if name != "mini"])
def test_what_a_page_says_of_another_game_is_read(name: str) -> None:
    rules = settle(name)
    stated = set()
    for code in (*OF_SAMBA, *OF_THE_CLASSIC_GAME):
        one = irregularity(rules, code)
        assert one is not None
        if one.cited.standing is Standing.STATED:
            stated.add(code)
        else:
            assert one.cited.standing is Standing.INFERRED
            assert words("it").has(f"read.{one.cited.read}")
    expected = set(OF_SAMBA) if name == "samba" else set()
    if name in CLASSIC_TABLES:
        expected = set(OF_THE_CLASSIC_GAME)
    assert stated == expected


@pytest.mark.parametrize("language", ["it", "en"])
def test_all_of_them_have_a_name_and_a_remedy_in_words(language: str) -> None:
    speech = words(language)
    for one in found("classica"):
        assert speech.has(f"penalty.{one.code}"), one.code
        assert one.remedy is None or speech.t(f"remedy.{one.remedy}").endswith("."), one.code


def test_all_that_is_listed_can_be_asked() -> None:
    rules = settle("classica")
    for one in irregularities(rules):
        answer = give_ruling(rules, PenaltyQuestion(one.code))
        assert answer.verdict == ("silent" if one.costs is Costs.AGREED else "value")
        points = {"points": one.points if one.costs is Costs.POINTS else None}
        told = {} if one.costs is Costs.AGREED else points
        assert answer.details == {**told, **({"remedy": one.remedy} if one.remedy else {})}
        assert all(reason.sources for reason in answer.reasons) is (one.costs is not Costs.AGREED)


def test_every_place_that_is_cited_stands_in_its_source() -> None:
    known = sources()
    listed = [one for group in load_irregularities().values() for one in group.values()]
    assert {one.code for one in listed} == WITHOUT_POINTS
    for one in listed:
        assert bool(one.remedy) is (one.code != "partner-talk")
        assert all(place.section in known[place.source].sections for place in one.cited.citations)
