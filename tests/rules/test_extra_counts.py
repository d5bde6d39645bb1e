"""Numbers that a side enters in some games only: what follows from a row of `EXTRA_COUNTS`.

No game counts points for each of these cards yet, or limits their number by itself. `HUNDRED_EACH_OF_THREE`
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
POINTS_BY_NUMBER = EXTRA_COUNTS[0]
"""The row of cubana: 1 to 4 black threes laid aside are worth 5, 10, 15 and 100 points together."""
HUNDRED_EACH_OF_THREE = ExtraCount(
    key="black_threes_aside",
    item="black-threes-aside",
    setting="out-bonus",
    points=ExtraPoints.EACH,
    most=3,
)


def score_black_threes_aside(extra: ExtraCount, number: int) -> list[CountedLine]:
    """Score a hand of cubana in which the first side laid so many black threes aside, and no more.

    Return the lines that the side gets for them: one, or none if there is nothing to count. `extra`
    says how the number is counted: 100 points for each, for example.
    """
    hand = Hand((SideEntry(black_threes_aside=number), SideEntry()))
    table = build_table(CUBANA, hand, before=(0, 0))
    first_side, _second_side = table.parties
    return list(count_extra_cards(extra, table, first_side))


def test_points_for_each_card_are_multiplied() -> None:
    # Two black threes of 100 points each.
    (line,) = score_black_threes_aside(HUNDRED_EACH_OF_THREE, number=2)
    assert line == CountedLine("black-threes-aside", 2, 200, ("out-bonus",))


def test_points_by_number_are_those_of_all_cards_together() -> None:
    # In cubana one black three is worth 5 points, two 10, three 15, and all four 100.
    (line,) = score_black_threes_aside(POINTS_BY_NUMBER, number=4)
    assert line == CountedLine("black-threes-aside", 4, 100, ("black-threes-aside/4",))


def test_no_cards_have_no_score_line() -> None:
    assert score_black_threes_aside(POINTS_BY_NUMBER, number=0) == []


def test_largest_number_is_the_limit_that_is_declared() -> None:
    # For these cards is declared that each is worth the points for going out, 100 in cubana, and
    # that a side may have three at most.
    assert HUNDRED_EACH_OF_THREE.read_points(CUBANA.settings) == (100,)
    assert HUNDRED_EACH_OF_THREE.find_largest_number(CUBANA.settings) == 3


def test_largest_number_without_limit_is_the_last_that_has_points() -> None:
    # The points of one, two, three and four cards: nobody can have five.
    assert POINTS_BY_NUMBER.read_points(CUBANA.settings) == (5, 10, 15, 100)
    assert POINTS_BY_NUMBER.find_largest_number(CUBANA.settings) == 4


def test_number_above_the_limit_that_is_declared_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # In cubana a side may lay black threes aside, and enter how many. No game declares a limit of
    # such a number yet. Here three at most are declared.
    monkeypatch.setattr(hand_requests, "EXTRA_COUNTS", (HUNDRED_EACH_OF_THREE,))

    # A side enters four of them.
    hand = '{"variant": "cubana", "sides": {"noi": {"black_threes_aside": 4}, "loro": {}}}'
    with pytest.raises(Unusable) as error:
        read_hand_request(hand)

    assert error.value.reason == "unusable.above-most"
    assert error.value.key == "sides/noi/black_threes_aside"
    assert error.value.arguments == {"most": 3}


def read_house_rules_dropping(number: str) -> Variant:
    """Read house rules that extend cubana without one of the numbers that players enter there.

    `number` is the key of its row, such as "black_threes_aside".
    """
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


def test_house_rules_may_drop_number_that_parent_counts() -> None:
    # It is the only number that players of cubana enter beside those of every game.
    assert read_house_rules_dropping("black_threes_aside").entry_fields == ()


def test_house_rules_may_not_drop_number_that_parent_does_not_count() -> None:
    # Aces held are counted in moderna, not in cubana.
    with pytest.raises(VariantError):
        read_house_rules_dropping("aces_held")


def test_points_have_effect_only_where_the_number_is_entered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A setting may hold the points for a number of cards that players enter in some games only. No
    # setting does so yet. Here one does: let `out-bonus` be the points for each black three that is
    # laid aside.
    points_by_entry = {"out-bonus": "black_threes_aside"}
    monkeypatch.setattr(variant_json, "_ENTRY_FOR_POINTS", points_by_entry)

    # In cubana players enter this number, so that the setting changes their score.
    assert variant_json.has_effect("out-bonus", get_variant("cubana"))

    # In classica they do not. The setting exists, but nothing is counted by it.
    assert not variant_json.has_effect("out-bonus", get_variant("classica"))
