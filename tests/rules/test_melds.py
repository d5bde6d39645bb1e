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


def canasta(cards: str, variant: str, **options: str | bool) -> str | None:
    chosen = {name.replace("_", "-"): value for name, value in options.items()}
    meld = read_meld(parse_cards(cards))
    kind = find_kind_of_canasta(meld, settle(variant, None, chosen).settings)
    return kind.item if kind else None


@pytest.mark.parametrize("cards", MELDS["sequences"])
def test_a_sequence_is_unbroken_where_the_rules_take_its_wild_cards(cards: str) -> None:
    meld = read_meld(parse_cards(cards))
    unbroken = MELDS["sequences"][cards]
    assert is_unbroken_sequence(meld, SAMBA) is (unbroken == "everywhere")
    assert is_unbroken_sequence(meld, DIRTY) is (unbroken != "nowhere")


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
