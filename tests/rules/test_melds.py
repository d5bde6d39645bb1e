"""What a bundle of cards is, laid as a meld."""

import pytest

from scorepad.rules.cards import parse_cards
from scorepad.rules.table import (
    find_kind_of_canasta,
    find_kind_of_incomplete_meld,
    find_shape,
    is_unbroken_sequence,
    read_meld,
)
from scorepad.rules.variants import settle
from tests.data import read_data

MELDS = read_data("rules/melds.toml")
SAMBA = settle("samba").settings
"""Sequences without wild cards."""
BOLIVIA_WITH_DIRTY_SEQUENCES = settle("bolivia", None, {"dirty-escalera": True}).settings
"""Sequences with two wild cards at most."""


def name_canasta(cards: str, variant: str, **options: str | bool) -> str:
    """The canasta that these cards make, or "none"; of options, `_` stands for `-`."""
    chosen = {name.replace("_", "-"): value for name, value in options.items()}
    meld = read_meld(parse_cards(cards))
    kind = find_kind_of_canasta(meld, settle(variant, None, chosen).settings)
    return kind.item if kind else "none"


@pytest.mark.parametrize(("cards", "where"), MELDS["sequences"].items())
def test_sequence_is_unbroken_where_its_wild_cards_are_allowed(cards: str, where: str) -> None:
    """In samba a sequence has no wild card, in this bolivia it may be "dirty", that is, have some.

    `where` is "everywhere", "dirty" (with wild cards only) or "nowhere".
    """
    meld = read_meld(parse_cards(cards))
    assert is_unbroken_sequence(meld, SAMBA) is (where == "everywhere")
    assert is_unbroken_sequence(meld, BOLIVIA_WITH_DIRTY_SEQUENCES) is (where != "nowhere")


def test_wild_cards_alone_have_a_shape_only_where_they_may_be_laid() -> None:
    wild_cards = read_meld(parse_cards("2x2 JK"))
    assert find_shape(wild_cards, settle("bolivia").settings) == "wilds"
    assert find_shape(wild_cards, SAMBA) == "group"


@pytest.mark.parametrize("variant", MELDS["canastas"])
def test_canasta_is_named_by_its_cards(variant: str) -> None:
    for cards, expected in MELDS["canastas"][variant].items():
        assert name_canasta(cards, variant) == expected, cards


def test_sequence_of_seven_with_one_wild_card_is_a_canasta_by_option() -> None:
    cards = "10h 9h 8h 7h 6h 5h 2"
    assert name_canasta(cards, "bolivia", dirty_escalera=True) == "dirty-samba"


def test_sequence_of_seven_with_three_wild_cards_is_no_canasta() -> None:
    cards = "10h 9h 8h 7h 2x2 JK"
    assert name_canasta(cards, "bolivia", dirty_escalera=True) == "none"


def test_seven_black_threes_are_a_canasta_by_option() -> None:
    assert name_canasta("6x3b 2", "samba", black_three_canasta=True) == "mixed-canasta"


@pytest.mark.parametrize("variant", MELDS["incomplete"])
def test_meld_that_must_become_a_canasta_is_incomplete_before(variant: str) -> None:
    """As in moderna sevens, which count nothing until there are seven. The table has cards with
    what they are on the way to, or "none".
    """
    settings = settle(variant).settings
    for cards, expected in MELDS["incomplete"][variant].items():
        kind = find_kind_of_incomplete_meld(read_meld(parse_cards(cards)), settings)
        name = kind.name if kind else "none"
        assert name == expected, cards
