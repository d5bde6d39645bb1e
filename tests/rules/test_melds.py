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
    """Name the canasta that these cards make by the rules of a variant, or "none".

    The names of options are written with `_` in place of `-`.
    """
    chosen = {name.replace("_", "-"): value for name, value in options.items()}
    meld = read_meld(parse_cards(cards))
    kind = find_kind_of_canasta(meld, settle(variant, None, chosen).settings)
    return kind.item if kind else "none"


@pytest.mark.parametrize(("cards", "where"), MELDS["sequences"].items())
def test_sequence_is_unbroken_where_its_wild_cards_are_allowed(cards: str, where: str) -> None:
    # In samba a sequence has no wild cards. In bolivia a table may choose that it has some, which
    # is called "dirty". `where` says in which of these the cards are a sequence: "everywhere",
    # "dirty" or "nowhere".
    meld = read_meld(parse_cards(cards))
    assert is_unbroken_sequence(meld, SAMBA) is (where == "everywhere")
    assert is_unbroken_sequence(meld, BOLIVIA_WITH_DIRTY_SEQUENCES) is (where != "nowhere")


def test_wild_cards_alone_have_a_shape_only_where_they_may_be_laid() -> None:
    # Two twos and a joker. In samba they may not be a meld, and are taken for a group of one rank
    # that lacks its natural cards.
    wild_cards = read_meld(parse_cards("2x2 JK"))
    assert find_shape(wild_cards, settle("bolivia").settings) == "wilds"
    assert find_shape(wild_cards, SAMBA) == "group"


@pytest.mark.parametrize("variant", MELDS["canastas"])
def test_canasta_is_named_by_its_cards(variant: str) -> None:
    # In classica, for example, "6xQ 2", six queens and a two, is a "mixed-canasta".
    for cards, expected in MELDS["canastas"][variant].items():
        assert name_canasta(cards, variant) == expected, cards


def test_sequence_of_seven_with_one_wild_card_is_a_canasta_by_option() -> None:
    # Six hearts in a row, and a two in place of the jack or the four.
    cards = "10h 9h 8h 7h 6h 5h 2"
    assert name_canasta(cards, "bolivia", dirty_escalera=True) == "dirty-samba"


def test_sequence_of_seven_with_three_wild_cards_is_no_canasta() -> None:
    # Four hearts in a row, two twos and a joker: two wild cards are allowed.
    cards = "10h 9h 8h 7h 2x2 JK"
    assert name_canasta(cards, "bolivia", dirty_escalera=True) == "none"


def test_seven_black_threes_are_a_canasta_by_option() -> None:
    # Six black threes and a two.
    assert name_canasta("6x3b 2", "samba", black_three_canasta=True) == "mixed-canasta"


@pytest.mark.parametrize("variant", MELDS["incomplete"])
def test_meld_that_must_become_a_canasta_is_incomplete_before(variant: str) -> None:
    # In moderna a meld of sevens has to become a canasta, that is a meld of seven cards. Three
    # sevens are an incomplete one of the kind "sevens": {"3x7": "sevens"}. In classica they may stay
    # as they are: {"3x7": "none"}.
    expected_by_cards: dict[str, str] = MELDS["incomplete"][variant]
    settings = settle(variant).settings

    for cards, expected in expected_by_cards.items():
        meld = read_meld(parse_cards(cards))
        kind = find_kind_of_incomplete_meld(meld, settings)
        name = kind.name if kind else "none"
        assert name == expected, cards
