"""Numbers that only some variants count: what follows from their row in `EXTRA_COUNTS`."""

from __future__ import annotations

from dataclasses import fields

import pytest

from scorepad.errors import VariantError
from scorepad.rules.definitions import SETTING_KEYS
from scorepad.rules.hand import EXTRA_COUNTS, ExtraCount, ExtraPoints, Hand, SideEntry
from scorepad.rules.score import CountedLine, count_extra_cards
from scorepad.rules.score_lines import ITEMS
from scorepad.rules.table import build_table
from scorepad.rules.variants import get_variant, parse_own_variant, settle
from scorepad.schemas import Unusable, hand_requests, read_hand_request, variant_json

EACH = ExtraCount(
    key="black_threes_aside",
    item="black-threes-aside",
    setting="out-bonus",
    points=ExtraPoints.EACH,
    most=3,
)
TOGETHER = EXTRA_COUNTS[0]
HEIR = """
id = "senza"
extends = "cubana"
drops = ["{dropped}"]
"""


def counted(extra: ExtraCount, number: int) -> list[CountedLine]:
    """The lines of a number for a side of cubana."""
    hand = Hand((SideEntry(black_threes_aside=number), SideEntry()))
    table = build_table(settle("cubana"), hand, (0, 0))
    return list(count_extra_cards(extra, table, table.parties[0]))


def test_every_row_names_an_attribute_a_setting_and_an_item() -> None:
    attributes = {attribute.name for attribute in fields(SideEntry)}
    for extra in EXTRA_COUNTS:
        assert extra.key in attributes
        assert extra.setting in SETTING_KEYS
        assert extra.item in ITEMS


def test_points_of_each_are_multiplied() -> None:
    assert counted(EACH, 2) == [CountedLine("black-threes-aside", 2, 200, ("out-bonus",))]


def test_points_of_several_together_are_those_of_their_step() -> None:
    line = CountedLine("black-threes-aside", 4, 100, ("black-threes-aside/4",))
    assert counted(TOGETHER, 4) == [line]
    assert counted(TOGETHER, 0) == []


def test_the_form_offers_as_many_as_the_row_or_the_list_of_points_allows() -> None:
    settings = settle("cubana").settings
    assert (EACH.read_points(settings), EACH.find_largest_number(settings)) == ((100,), 3)
    assert (TOGETHER.read_points(settings), TOGETHER.find_largest_number(settings)) == (
        (5, 10, 15, 100),
        4,
    )


def test_a_number_beyond_its_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand_requests, "EXTRA_COUNTS", (EACH,))
    sides = '{"noi": {"black_threes_aside": 4}, "loro": {}}'
    with pytest.raises(Unusable) as error:
        read_hand_request(f'{{"variant": "cubana", "sides": {sides}}}')
    assert error.value.reason == "unusable.above-most"
    assert error.value.key == "sides/noi/black_threes_aside"
    assert error.value.arguments == {"most": 3}


def test_an_heir_may_drop_what_its_parent_counts() -> None:
    words = "".join(
        f'[words.{language}]\nname = "Senza"\nspecial = "Senza."\n' for language in ("it", "en")
    )
    heir = parse_own_variant("senza.toml", HEIR.format(dropped="black_threes_aside") + words)
    assert heir.entry_fields == ()
    with pytest.raises(VariantError):
        parse_own_variant("senza.toml", HEIR.format(dropped="aces_held") + words)


def test_points_are_listed_only_where_a_side_enters_what_they_are_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(variant_json, "_ENTRY_FOR_POINTS", {"out-bonus": "black_threes_aside"})
    assert variant_json.has_effect("out-bonus", get_variant("cubana"))
    assert not variant_json.has_effect("out-bonus", get_variant("classica"))
