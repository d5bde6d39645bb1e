"""Cards in text."""

import pytest
from pydantic import TypeAdapter

from scorepad.errors import UnreadableError
from scorepad.rules.cards import Cards, Kind, gather, parse_cards, read_cards
from tests.data import read_data

CARDS_BY_TEXT = read_data("rules/cards.toml")["read"]
"""Texts such as "3xQ 2", each with the number of cards of each kind."""
WORDS_THAT_ARE_NO_CARDS = read_data("rules/cards.toml")["unread"]["words"]


@pytest.mark.parametrize(("text", "count_by_kind"), CARDS_BY_TEXT.items())
def test_parse_cards_counts_cards_of_each_kind(text: str, count_by_kind: dict[str, int]) -> None:
    # For example "4xK 2x2 JK" is four kings, two twos and a joker: {"K": 4, "2": 2, "JK": 1}.
    cards = parse_cards(text)
    for kind, count in count_by_kind.items():
        assert cards.of(Kind(kind)) == count


def test_parse_cards_of_empty_text_has_no_cards() -> None:
    assert parse_cards("").size == 0


@pytest.mark.parametrize("word", WORDS_THAT_ARE_NO_CARDS)
def test_read_cards_reports_unknown_word_beside_the_cards(word: str) -> None:
    # Seven queens, and a word such as "3", a three without its colour. What can be read is read, so
    # that a form can show it beside the mistake.
    reading = read_cards(f"7xQ {word}")

    assert reading.cards.of(Kind.QUEEN) == 7
    assert reading.unknown


@pytest.mark.parametrize("word", WORDS_THAT_ARE_NO_CARDS)
def test_parse_cards_refuses_unknown_word(word: str) -> None:
    # Such as "3", a three without its colour, or "0xK", no kings.
    with pytest.raises(UnreadableError, match="no cards") as error:
        parse_cards(word)
    assert isinstance(error.value, ValueError)


def test_huge_count_is_read() -> None:
    assert parse_cards("999999999999xQ").size == 999_999_999_999


def test_count_of_5000_digits_is_an_unknown_word() -> None:
    # Python itself reads no number of so many digits.
    too_long = "9" * 5000 + "xQ"
    assert read_cards(too_long).unknown == (too_long,)


def test_long_text_is_read_like_a_short_one() -> None:
    # Sixty queens of hearts, "Qh Qh Qh …". So long a text is read by other code: it is not kept in
    # the cache.
    long_text = " ".join(["Qh"] * 60)

    # They are the same cards as in a short text.
    cards = parse_cards(long_text)
    assert cards == parse_cards("60xQh")

    # Kind, suit and number: kinds are numbered, and 4 are the queens.
    assert cards.suited == ((4, "h", 60),)


def test_json_schema_of_suited_cards_is_array_of_three_values() -> None:
    schema = TypeAdapter(Cards).json_schema()

    # Cards whose suit is known are stored as kind, suit and number: [4, "h", 60].
    assert schema["properties"]["suited"]["items"] == {
        "type": "array",
        "prefixItems": [{"type": "integer"}, {"type": "string"}, {"type": "integer"}],
        "minItems": 3,
        "maxItems": 3,
    }


def test_is_among_compares_suits_where_they_are_known() -> None:
    # On the table: the queens of hearts and spades, a queen without a suit, and three kings.
    laid = parse_cards("Qh Qs Q 3xK")

    assert parse_cards("2xQ").is_among(laid)
    assert parse_cards("Qd Qh Qs").is_among(laid)  # the queen without a suit may be a diamond
    assert not parse_cards("Qd Qc").is_among(laid)  # but not a diamond and a club
    assert not parse_cards("4xQ").is_among(laid)
    assert not parse_cards("A").is_among(laid)


def test_gather_keeps_suits() -> None:
    assert gather([parse_cards("Qh K"), parse_cards("Qh Qs")]) == parse_cards("2xQh Qs K")
