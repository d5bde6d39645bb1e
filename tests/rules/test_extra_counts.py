"""Numbers that a side enters in some games only: what follows from a row of `EXTRA_COUNTS`.

No game counts points for each of these cards yet, or limits their number by itself. `HUNDRED_EACH`
is the row of a game that would: up to three black threes laid aside, worth the bonus for going out.
"""

import pytest

from scorepad.errors import VariantError
from scorepad.rules.hand import EXTRA_COUNTS, ExtraCount, ExtraPoints, Hand, SideEntry
from scorepad.rules.score import CountedLine, count_extra_cards
from scorepad.rules.table import build_table
from scorepad.rules.variants import Variant, get_variant, parse_own_variant, settle
from scorepad.schemas import Unusable, hand_requests, read_hand_request, variant_json

CUBANA = settle("cubana")
ASIDE_IN_CUBANA = EXTRA_COUNTS[0]
HUNDRED_EACH = ExtraCount(
    key="black_threes_aside",
    item="black-threes-aside",
    setting="out-bonus",
    points=ExtraPoints.EACH,
    most=3,
)


def score_threes_aside(extra: ExtraCount, number: int) -> list[CountedLine]:
    """The lines of a side of cubana that laid so many black threes aside."""
    hand = Hand((SideEntry(black_threes_aside=number), SideEntry()))
    table = build_table(CUBANA, hand, (0, 0))
    return list(count_extra_cards(extra, table, table.parties[0]))


def test_points_of_each_card_are_multiplied() -> None:
    (line,) = score_threes_aside(HUNDRED_EACH, 2)
    assert line == CountedLine("black-threes-aside", 2, 200, ("out-bonus",))


def test_points_of_cards_together_are_those_of_their_number() -> None:
    (line,) = score_threes_aside(ASIDE_IN_CUBANA, 4)
    assert line == CountedLine("black-threes-aside", 4, 100, ("black-threes-aside/4",))


def test_no_cards_have_no_line() -> None:
    assert score_threes_aside(ASIDE_IN_CUBANA, 0) == []


def test_the_form_offers_as_many_as_the_row_allows() -> None:
    assert HUNDRED_EACH.read_points(CUBANA.settings) == (100,)
    assert HUNDRED_EACH.find_largest_number(CUBANA.settings) == 3


def test_the_form_offers_as_many_as_there_are_points_for() -> None:
    assert ASIDE_IN_CUBANA.read_points(CUBANA.settings) == (5, 10, 15, 100)
    assert ASIDE_IN_CUBANA.find_largest_number(CUBANA.settings) == 4


def test_a_number_above_the_limit_of_the_row_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand_requests, "EXTRA_COUNTS", (HUNDRED_EACH,))
    with pytest.raises(Unusable) as error:
        read_hand_request(
            '{"variant": "cubana", "sides": {"noi": {"black_threes_aside": 4}, "loro": {}}}'
        )
    assert error.value.reason == "unusable.above-most"
    assert error.value.key == "sides/noi/black_threes_aside"
    assert error.value.arguments == {"most": 3}


def read_heir_that_drops(number: str) -> Variant:
    """House rules that extend cubana and do not count one of its numbers."""
    return parse_own_variant(
        "senza.toml",
        f"""
        id = "senza"
        extends = "cubana"
        drops = ["{number}"]
        words.it = {{ name = "Senza", special = "Senza." }}
        words.en = {{ name = "Without", special = "Without." }}
        """,
    )


def test_house_rules_drop_a_number_that_their_parent_counts() -> None:
    assert read_heir_that_drops("black_threes_aside").entry_fields == ()


def test_house_rules_drop_no_number_that_their_parent_does_not_count() -> None:
    with pytest.raises(VariantError):
        read_heir_that_drops("aces_held")


def test_points_are_listed_only_where_a_side_enters_the_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(variant_json, "_ENTRY_FOR_POINTS", {"out-bonus": "black_threes_aside"})
    assert variant_json.has_effect("out-bonus", get_variant("cubana"))
    assert not variant_json.has_effect("out-bonus", get_variant("classica"))
