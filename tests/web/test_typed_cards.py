"""Cards as people write them at an Italian or an English table."""

from __future__ import annotations

import pytest

from scorepad.i18n import words
from scorepad.i18n.typed_cards import Doubt, TypedCards, parse_typed_cards
from scorepad.rules.cards import Kind, read_cards
from scorepad.rules.variants import settle
from scorepad.web.card_lines import (
    add_card,
    letter_warnings,
    remove_last_card,
    split_into_melds,
)
from tests.web.tables import read_tables

CASES = read_tables("typed_cards")


@pytest.mark.parametrize(("typed", "meant"), CASES["read"])
def test_what_people_write_is_read(typed: str, meant: str) -> None:
    """For example "3 re e 1 jolly", which is `3xK JK`."""
    read = parse_typed_cards(typed)
    assert read.doubts == ()
    assert read.unknown == ()
    # A red three is one of its colour, whatever its suit.
    assert read_cards(read.text).cards.counts == read_cards(meant).cards.counts
    if "3" not in meant:
        assert read_cards(read.text).cards == read_cards(meant).cards


@pytest.mark.parametrize("text", CASES["contract"])
def test_the_notation_of_the_contract_stays_as_it_is(text: str) -> None:
    assert parse_typed_cards(text).text == text


@pytest.mark.parametrize(("typed", "why", "which"), CASES["doubtful"])
def test_what_could_be_two_things_is_asked_and_not_guessed(
    typed: str, why: str, which: str
) -> None:
    """For example "1 matta": a wild card is a joker or a two."""
    assert parse_typed_cards(typed).doubts[0] == (Doubt[why], which)


@pytest.mark.parametrize("typed", CASES["no_cards"])
def test_what_is_no_card_is_told(typed: str) -> None:
    assert parse_typed_cards(typed).unknown


@pytest.mark.parametrize("language", ["it", "en"])
def test_every_card_is_read_by_the_name_that_the_pages_give_it(language: str) -> None:
    for kind in Kind:
        for count in (1, 4):
            name = words(language).plural(f"card.{kind}", count)
            cards = read_cards(parse_typed_cards(f"{count} {name}").text).cards
            assert cards.of(kind) == count, kind
            assert cards.size == count


@pytest.mark.parametrize(("typed", "melds"), CASES["melds"])
def test_a_comma_stands_between_cards_or_melds(typed: str, melds: list[str]) -> None:
    """For example "3 donne; 3 otto": two melds."""
    assert split_into_melds(typed, settle("classica").settings) == melds


def test_in_a_game_with_sequences_cards_with_commas_are_one_sequence() -> None:
    settings = settle("samba").settings
    assert split_into_melds("4, 5, 6 di cuori", settings) == ["4h 5h 6h"]
    assert split_into_melds("3 donne, 3 otto", settings) == ["3xQ", "3x8"]


@pytest.mark.parametrize(("language", "typed", "warnings"), CASES["letters"])
def test_a_letter_that_an_italian_table_may_mean_otherwise_is_told_beside_the_cards(
    language: str, typed: str, warnings: list[str]
) -> None:
    """For example J, which is the jack, where a joker (`JK`) may be meant."""
    assert list(letter_warnings(typed, words(language))) == warnings


@pytest.mark.parametrize("typed", ["1x" * 499 + "z", "1x" * 600 + "K", "K," * 900, "h" * 2000])
def test_a_long_row_of_what_only_counts_is_no_card(typed: str) -> None:
    assert parse_typed_cards(typed).unknown


@pytest.mark.parametrize("typed", ["", ".", "'", " ’ . "])
def test_signs_that_say_nothing_are_no_cards_and_no_mistake(typed: str) -> None:
    assert parse_typed_cards(typed) == TypedCards("", (), ())


def test_a_card_more_and_a_card_less_look_at_the_end_of_a_line_alone() -> None:
    text = "a" * 256_000 + " 2xK"
    assert add_card(text, "K").endswith(" 3xK")
    assert remove_last_card(text).endswith("a K")


@pytest.mark.parametrize(("text", "grown", "shrunk"), CASES["grown_and_shrunk"])
def test_a_card_more_and_a_card_less(text: str, grown: str, shrunk: str) -> None:
    assert add_card(text, "K") == grown
    assert remove_last_card(text) == shrunk
