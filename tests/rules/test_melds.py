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
DIRTY = settle("bolivia", None, {"dirty-escalera": True}).settings


def name_canasta(cards: str, variant: str, **options: str | bool) -> str:
    """The canasta that these cards make, or "none"."""
    chosen = {name.replace("_", "-"): value for name, value in options.items()}
    meld = read_meld(parse_cards(cards))
    kind = find_kind_of_canasta(meld, settle(variant, None, chosen).settings)
    return kind.item if kind else "none"


@pytest.mark.parametrize("cards", MELDS["sequences"])
def test_a_sequence_is_unbroken_where_the_rules_take_its_wild_cards(cards: str) -> None:
    meld = read_meld(parse_cards(cards))
    where_it_is_unbroken = MELDS["sequences"][cards]
    assert is_unbroken_sequence(meld, SAMBA) is (where_it_is_unbroken == "everywhere")
    # In bolivia with this option a sequence may hold wild cards.
    assert is_unbroken_sequence(meld, DIRTY) is (where_it_is_unbroken != "nowhere")


def test_wild_cards_alone_are_a_shape_of_their_own_only_where_they_may_be_laid() -> None:
    wilds = read_meld(parse_cards("2x2 JK"))
    assert find_shape(wilds, settle("bolivia").settings) == "wilds"
    assert find_shape(wilds, SAMBA) == "group"


@pytest.mark.parametrize("variant", MELDS["canastas"])
def test_a_canasta_is_what_its_cards_make_of_it(variant: str) -> None:
    for cards, expected in MELDS["canastas"][variant].items():
        assert name_canasta(cards, variant) == expected, cards


@pytest.mark.parametrize(
    ("cards", "canasta"), [("10h 9h 8h 7h 6h 5h 2", "dirty-samba"), ("10h 9h 8h 7h 2x2 JK", "none")]
)
def test_with_an_option_a_sequence_with_two_wild_cards_at_most_is_a_canasta(
    cards: str, canasta: str
) -> None:
    assert name_canasta(cards, "bolivia", dirty_escalera=True) == canasta


def test_with_an_option_black_threes_make_a_canasta() -> None:
    assert name_canasta("6x3b 2", "samba", black_three_canasta=True) == "mixed-canasta"


@pytest.mark.parametrize("variant", MELDS["incomplete"])
def test_a_meld_that_must_become_a_canasta_is_incomplete_until_it_is_one(variant: str) -> None:
    settings = settle(variant).settings
    for cards, expected in MELDS["incomplete"][variant].items():
        kind = find_kind_of_incomplete_meld(read_meld(parse_cards(cards)), settings)
        name = kind.name if kind else "none"
        assert name == expected, cards
