"""What a bundle of cards is, laid as a meld."""

from __future__ import annotations

import tomllib
from pathlib import Path

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

MELDS = tomllib.loads(Path(__file__).with_name("melds.toml").read_text("utf-8"))
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


@pytest.mark.parametrize("variant", MELDS["canastas"])
def test_a_canasta_is_what_its_cards_make_of_it(variant: str) -> None:
    for cards, item in MELDS["canastas"][variant].items():
        assert (canasta(cards, variant) or "none") == item, cards


def test_a_samba_with_wild_cards_and_a_canasta_of_black_threes_are_options() -> None:
    assert canasta("10h 9h 8h 7h 6h 5h 2", "bolivia", dirty_escalera=True) == "dirty-samba"
    assert canasta("10h 9h 8h 7h 2x2 JK", "bolivia", dirty_escalera=True) is None
    assert canasta("6x3b 2", "samba", black_three_canasta=True) == "mixed-canasta"


@pytest.mark.parametrize("variant", MELDS["incomplete"])
def test_a_meld_that_must_become_a_canasta_is_incomplete_until_it_is_one(variant: str) -> None:
    for cards, name in MELDS["incomplete"][variant].items():
        meld = read_meld(parse_cards(cards))
        kind = find_kind_of_incomplete_meld(meld, settle(variant).settings)
        assert (kind.name if kind else "none") == name, cards
