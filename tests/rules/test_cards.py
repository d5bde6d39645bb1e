"""Cards in text."""

import pytest
from pydantic import TypeAdapter

from scorepad.errors import UnreadableError
from scorepad.rules.cards import Cards, Kind, gather, parse_cards, read_cards
from tests.data import read_data

CARDS = read_data("rules/cards.toml")


@pytest.mark.parametrize("text", CARDS["read"])
def test_cards_are_read_as_people_write_them(text: str) -> None:
    cards = parse_cards(text)
    for kind, count in CARDS["read"][text].items():
        assert cards.of(Kind(kind)) == count


def test_no_text_is_no_cards() -> None:
    assert parse_cards("").size == 0


@pytest.mark.parametrize("word", CARDS["unread"]["words"])
def test_a_word_that_is_no_card_is_reported_beside_the_cards(word: str) -> None:
    reading = read_cards(f"7xQ {word}")
    assert reading.cards.of(Kind.QUEEN) >= 7
    assert reading.unknown


@pytest.mark.parametrize("word", CARDS["unread"]["words"])
def test_a_word_that_is_no_card_is_refused_where_only_cards_may_stand(word: str) -> None:
    with pytest.raises(UnreadableError, match="no cards") as error:
        parse_cards(word)
    assert isinstance(error.value, ValueError)


def test_a_count_of_any_size_costs_nothing_to_read() -> None:
    assert parse_cards("999999999999xQ").size == 999_999_999_999
    too_long = "9" * 5000 + "xQ"
    assert read_cards(too_long).unknown == (too_long,)


def test_a_text_too_long_to_remember_is_read_all_the_same() -> None:
    sixty_queens = parse_cards(" ".join(["Qh"] * 60))
    assert sixty_queens.suited == ((4, "h", 60),)


def test_cards_of_a_suit_are_described_as_an_array_of_three_values() -> None:
    schema = TypeAdapter(Cards).json_schema()
    assert schema["properties"]["suited"]["items"] == {
        "type": "array",
        "prefixItems": [{"type": "integer"}, {"type": "string"}, {"type": "integer"}],
        "minItems": 3,
        "maxItems": 3,
    }


def test_cards_are_among_others_only_if_their_suits_can_be() -> None:
    laid = parse_cards("Qh Qs Q 3xK")
    assert parse_cards("2xQ").is_among(laid)
    assert parse_cards("Qd Qh Qs").is_among(laid)  # the unsuited queen may be a diamond
    assert not parse_cards("Qd Qc").is_among(laid)
    assert not parse_cards("4xQ").is_among(laid)
    assert not parse_cards("A").is_among(laid)


def test_bundles_gathered_keep_their_suits() -> None:
    assert gather([parse_cards("Qh K"), parse_cards("Qh Qs")]) == parse_cards("2xQh Qs K")
