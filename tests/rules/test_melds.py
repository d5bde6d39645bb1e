"""What a bundle of cards is, laid as a meld."""

from __future__ import annotations

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

SAMBA = settle("samba").settings
DIRTY = settle("bolivia", None, {"dirty-escalera": True}).settings


def unbroken(cards: str, *, dirty: bool = False) -> bool:
    return is_unbroken_sequence(read_meld(parse_cards(cards)), DIRTY if dirty else SAMBA)


def canasta(cards: str, variant: str, **options: str | bool) -> str | None:
    kind = find_kind_of_canasta(
        read_meld(parse_cards(cards)),
        settle(variant, None, {k.replace("_", "-"): v for k, v in options.items()}).settings,
    )
    return kind and kind.item


@pytest.mark.parametrize(
    "cards",
    [
        "Ah Kh Qh",
        "6c 5c 4c",
        "10h 9h 8h 7h 6h 5h 4h",
        "4s 6s 5s",
        "Ad Kd Qd Jd 10d 9d 8d 7d 6d 5d 4d",
    ],
)
def test_cards_of_one_suit_one_after_the_other_are_a_sequence(cards: str) -> None:
    assert unbroken(cards)
    assert unbroken(cards, dirty=True)


@pytest.mark.parametrize(
    "cards",
    [
        "10h 9h 7h 6h",  # a gap
        "10h 9h 9h 8h",  # twice the same
        "10h 9s 8h",  # a second suit
        "10h 9h 8",  # a suit missing
        "Kh Ah 4h",  # after the four comes nothing
        "5h 4h 3s",  # a black three
    ],
)
def test_a_broken_sequence_is_none(cards: str) -> None:
    assert not unbroken(cards)
    assert not unbroken(cards, dirty=True) or cards == "10h 9h 7h 6h 2"


def test_wild_cards_fill_gaps_and_ends_only_where_sequences_take_them() -> None:
    for cards in ("10h 8h 2", "10h 7h 2 JK", "10h 9h 2", "Ah Kh 2 JK"):
        assert not unbroken(cards)
        assert unbroken(cards, dirty=True)
    assert not unbroken("10h 6h 2 JK", dirty=True)  # three ranks between them


def test_wild_cards_alone_are_a_shape_of_their_own_only_where_they_may_be_laid() -> None:
    wilds = read_meld(parse_cards("2x2 JK"))
    assert find_shape(wilds, settle("bolivia").settings) == "wilds"
    assert find_shape(wilds, SAMBA) == "group"


@pytest.mark.parametrize(
    ("variant", "cards", "item"),
    [
        ("classica", "7xQ", "natural-canasta"),
        ("classica", "6xQ 2", "mixed-canasta"),
        ("classica", "6xQ", None),
        ("classica", "4xQ 3xK", None),
        ("classica", "3xQ 4x2", None),
        ("classica", "7xQ 3h", "natural-canasta"),  # the red three is a mistake of its own
        ("cubana", "8xQ", "natural-canasta"),  # and so is a card too many
        ("uruguaiana", "4x2 3xJK", "wild-canasta"),
        ("cubana", "7x2", "twos-canasta"),
        ("cubana", "3x2 4xJK", "four-jokers-canasta"),
        ("cubana", "6x2 JK", "wild-canasta"),
        ("canastone", "7x2", "twos-canasta"),
        ("canastone", "2 6xJK", "six-jokers-canasta"),
        ("canastone", "2x2 5xJK", "wild-canasta"),
        ("canastone", "7xA", "natural-aces-canasta"),
        ("canastone", "4xA 3x2", "mixed-aces-canasta"),
        ("canastone", "3xA 4x2", None),
        ("moderna", "7xA", "natural-aces-canasta"),
        ("moderna", "5xA 2x2", "mixed-canasta"),
        ("moderna", "7x7", "sevens-canasta"),
        ("moderna", "6x7 2", None),
        ("messicana", "4x7 3x2", "sevens-canasta"),
        ("samba", "10h 9h 8h 7h 6h 5h 4h", "samba"),
        ("samba", "10h 9h 8h 7h 6h 5h 2", None),
        ("samba", "6x3b 2", None),
        ("bolivia", "7x2", "bolivia"),
        ("hand-and-foot", "5xQ 2x2", "mixed-canasta"),
        ("hand-and-foot", "4xQ 3x2", None),
        ("mini", "3xQ 2x2", "mixed-canasta"),
        ("mini", "6xJK", "wild-canasta"),  # a card too many here too
        ("mini", "5x2", "twos-canasta"),
        ("mini", "4x2", None),
    ],
)
def test_a_canasta_is_what_its_cards_make_of_it(variant: str, cards: str, item: str | None) -> None:
    assert canasta(cards, variant) == item


def test_a_samba_with_wild_cards_and_a_canasta_of_black_threes_are_options() -> None:
    assert canasta("10h 9h 8h 7h 6h 5h 2", "bolivia", dirty_escalera=True) == "dirty-samba"
    assert canasta("10h 9h 8h 7h 2x2 JK", "bolivia", dirty_escalera=True) is None
    assert canasta("6x3b 2", "samba", black_three_canasta=True) == "mixed-canasta"


@pytest.mark.parametrize(
    ("variant", "cards", "name"),
    [
        ("sette", "6x7", "sevens"), ("sette", "4x7 2", "sevens"), ("sette", "7x7", None), ("sette", "6xK", None),
        ("moderna", "3xA", "aces"), ("moderna", "3xA 2", None), ("moderna", "3x7", "sevens"),
        ("moderna", "3x2", "wilds"), ("canastone", "4x2 2xJK", "wilds"), ("classica", "3x7", None),
    ],
)  # fmt: skip
def test_a_meld_that_must_become_a_canasta_is_incomplete_until_it_is_one(
    variant: str, cards: str, name: str | None
) -> None:
    kind = find_kind_of_incomplete_meld(read_meld(parse_cards(cards)), settle(variant).settings)
    assert (kind and kind.name) == name
