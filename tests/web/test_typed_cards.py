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

# Cards in our notation: `3xK` is three kings, `2` a two, `JK` a joker, `3b` a black three, `4h` the
# four of hearts.
CASES = read_tables("typed_cards")


@pytest.mark.parametrize(("typed", "meant"), CASES["read"])
def test_typed_cards_are_read(typed: str, meant: str) -> None:
    # For example "3 re e 1 jolly" (three kings and one joker), which means `3xK JK`. The text is
    # put into this short notation first.
    parsed = parse_typed_cards(typed)
    assert parsed.doubts == ()
    assert parsed.unknown == ()

    # There are as many cards of each rank.
    cards = read_cards(parsed.text).cards
    expected_cards = read_cards(meant).cards
    assert cards.counts == expected_cards.counts

    # Their suits are the same too. Only "3♥" is a three of hearts, where `3r` means any red three.
    if "3" not in meant:
        assert cards == expected_cards


@pytest.mark.parametrize("text", CASES["contract"])
def test_card_notation_is_unchanged(text: str) -> None:
    # For example `4xK 2x2 JK`: four kings, two twos and a joker.
    assert parse_typed_cards(text).text == text


@pytest.mark.parametrize(("typed", "why", "which"), CASES["doubtful"])
def test_ambiguous_cards_are_reported(typed: str, why: str, which: str) -> None:
    # For example "1 matta" (one wild card) has the doubt WILD: it may be a joker or a two. `which`
    # is the part of the text that is in doubt.
    first_doubt = parse_typed_cards(typed).doubts[0]
    assert first_doubt == (Doubt[why], which)


@pytest.mark.parametrize("typed", CASES["no_cards"])
def test_unknown_cards_are_reported(typed: str) -> None:
    # For example "12", or "cuori" (hearts) without a rank.
    assert parse_typed_cards(typed).unknown


@pytest.mark.parametrize("language", ["it", "en"])
def test_every_card_is_read_by_its_name(language: str) -> None:
    # A kind is a rank, a joker, or a red or black three. Its name is another one in the plural:
    # "1 asso", "4 assi" (aces).
    for kind in Kind:
        for count in (1, 4):
            name = words(language).plural(f"card.{kind}", count)
            parsed = parse_typed_cards(f"{count} {name}")
            cards = read_cards(parsed.text).cards
            assert cards.of(kind) == count, kind
            assert cards.size == count


@pytest.mark.parametrize(("typed", "melds"), CASES["melds"])
def test_separators_split_cards_into_melds(typed: str, melds: list[str]) -> None:
    # For example "3 donne; 3 otto" (three queens; three eights) is two melds.
    assert split_into_melds(typed, settle("classica").settings) == melds


def test_cards_with_commas_are_one_sequence_in_samba() -> None:
    # In samba a meld may be a sequence of one suit. Otherwise commas divide melds.
    settings = settle("samba").settings
    assert split_into_melds("4, 5, 6 di cuori", settings) == ["4h 5h 6h"]  # "of hearts"
    assert split_into_melds("3 donne, 3 otto", settings) == ["3xQ", "3x8"]  # queens and eights


@pytest.mark.parametrize(("language", "typed", "warnings"), CASES["letters"])
def test_ambiguous_letters_have_a_warning(language: str, typed: str, warnings: list[str]) -> None:
    # For example "KKK J": "J is the jack; the joker is written JK." Jacks alone, such as "JJJ", are
    # most likely meant, and have no warning.
    assert list(letter_warnings(typed, words(language))) == warnings


@pytest.mark.parametrize("typed", ["1x" * 499 + "z", "1x" * 600 + "K", "K," * 900, "h" * 2000])
def test_long_nonsense_is_no_card(typed: str) -> None:
    # Each of these texts is longer than any hand that somebody would type.
    assert parse_typed_cards(typed).unknown


@pytest.mark.parametrize("typed", ["", ".", "'", " ’ . "])
def test_punctuation_alone_is_empty(typed: str) -> None:
    assert parse_typed_cards(typed) == TypedCards("", (), ())


def test_adding_and_removing_a_card_is_quick_in_a_long_text() -> None:
    # Somebody taps a key for a card below a very long text. Only the end of the text is read: two
    # kings become three, or one.
    long_text = "a" * 256_000 + " 2xK"
    assert add_card(long_text, "K").endswith(" 3xK")
    assert remove_last_card(long_text).endswith("a K")


@pytest.mark.parametrize(("text", "with_king", "without_last"), CASES["grown_and_shrunk"])
def test_adding_a_king_and_removing_the_last_card(
    text: str, with_king: str, without_last: str
) -> None:
    # For example "9xK" becomes "10xK" with one king more, and "8xK" without its last card.
    assert add_card(text, "K") == with_king
    assert remove_last_card(text) == without_last
