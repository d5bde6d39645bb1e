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


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("3 re 1 jolly", "3xK JK"),
        ("3 re e 1 jolly", "3xK JK"),
        ("3 re + 1 jolly", "3xK JK"),
        ("tre re un jolly", "3xK JK"),
        ("3K", "3xK"),
        ("3 K", "3xK"),
        ("3x re", "3xK"),
        ("3 × K", "3xK"),
        ("KKK", "3xK"),
        ("KKK2", "3xK 2"),
        ("JJJ", "3xJ"),
        ("K,K,K,2", "3xK 2"),
        ("re, re, re, pinella", "3xK 2"),
        ("asso", "A"),
        ("2 assi", "2xA"),
        ("regina", "Q"),
        ("2 donne", "2xQ"),
        ("fante", "J"),
        ("4 otto", "4x8"),
        ("tre otto", "3x8"),
        ("3 8", "3x8"),
        ("due pinelle", "2x2"),
        ("2 due", "2x2"),
        ("3 nero", "3b"),
        ("tre nero", "3b"),
        ("3nero", "3b"),
        ("3 neri", "3x3b"),
        ("2 3 neri", "2x3b"),
        ("2 tre neri", "2x3b"),
        ("3 rosso", "3r"),
        ("re 3 rosso", "K 3r"),
        ("three kings", "3xK"),
        ("four eights", "4x8"),
        ("three queens and two twos", "3xQ 2x2"),
        ("two black threes", "2x3b"),
        ("black three", "3b"),
        ("red 3", "3r"),
        ("4♥", "4h"),
        ("4 ♥ 5♥️ 6♥", "4h 5h 6h"),
        ("10♠ J♠ Q♠", "10s Js Qs"),
        ("3♥", "3r"),
        ("re di cuori", "Kh"),
        ("4 5 6 di picche", "4s 5s 6s"),
        ("4, 5, 6 di picche", "4s 5s 6s"),
        ("king of clubs", "Kc"),
        ("4 quadri", "4d"),
        ("4xK e 2 jolly", "4xK 2xJK"),
        ("3 re 2", "3xK 2"),
        ("3 re, 2, JK", "3xK 2 JK"),
        ("nove e jolly", "9 JK"),
        ("9+jolly", "9 JK"),
        ("9 & joker", "9 JK"),
        ("nine and joker", "9 JK"),
        ("7 con una pinella", "7 2"),
        ("3 re con 2 jolly", "3xK 2xJK"),
        ("5 6 7 di cuori e un jolly", "5h 6h 7h JK"),
        ("4 e 5 e 6 di picche", "4s 5s 6s"),
        ("4 re 2 pinelle 1 jolly", "4xK 2x2 JK"),
        ("3 regine", "3xQ"),
        ("77", "2x7"),
        ("777 e jolly", "3x7 JK"),
        ("1010", "2x10"),
        ("2 K 1 jolly 3 Q", "2xK JK 3xQ"),
        ("a pair of kings and a two", "2xK 2"),
        ("a king", "K"),
        ("una coppia di re e una pinella", "2xK 2"),
        ("un paio di assi", "2xA"),
        ("due coppie di re", "4xK"),
        ("pinela", "2"),
        ("3 reggine", "3xQ"),
        ("three quens", "3xQ"),
    ],
)
def test_what_people_write_is_read(typed: str, meant: str) -> None:
    read = parse_typed_cards(typed)
    assert (read.doubts, read.unknown) == ((), ())
    # A red three is one of its colour, whatever its suit.
    assert read_cards(read.text).cards.counts == read_cards(meant).cards.counts
    if "3" not in meant:
        assert read_cards(read.text).cards == read_cards(meant).cards


@pytest.mark.parametrize(
    "text", ["", "4xK 2x2 JK", "4 9", "4 K", "Qh 10s 3b", "3r", "2 JK", "7 7", "t", "kc"]
)
def test_the_notation_of_the_contract_stays_as_it_is(text: str) -> None:
    assert parse_typed_cards(text).text == text


@pytest.mark.parametrize(
    ("typed", "why", "which"),
    [
        ("matta", Doubt.WILD, "matta"),
        ("3 re 1 matta", Doubt.WILD, "1 matta"),
        ("two wilds", Doubt.WILD, "two wilds"),
        ("donne", Doubt.MANY, "donne"),
        ("neri", Doubt.MANY, "neri"),
        ("black threes", Doubt.MANY, "black"),
        ("3", Doubt.COLOUR, "3"),
        ("tre", Doubt.COLOUR, "tre"),
        ("K K 3", Doubt.COLOUR, "3"),
        ("due otto", Doubt.COUNT, "due otto"),
        ("4 K 1 JK", Doubt.COUNT, "4 K"),
        ("D", Doubt.LETTER, "D"),
        ("DDD", Doubt.LETTER, "DDD"),
        ("3 D", Doubt.LETTER, "3 D"),
        ("F", Doubt.LETTER, "F"),
        ("4f 5f", Doubt.LETTER, "4f"),
        ("4p", Doubt.LETTER, "4p"),
        ("R", Doubt.LETTER, "R"),
        ("A joker", Doubt.LETTER, "A"),
        ("9 joker", Doubt.COUNT, "9 joker"),
        ("4 donna", Doubt.COUNT, "4 donna"),
        ("2 2 jolly", Doubt.COUNT, "2 2 jolly"),
        ("7 7 re", Doubt.COUNT, "7 7 re"),
        ("K K 2 jolly", Doubt.COUNT, "K 2 jolly"),
        ("10 10 matta", Doubt.WILD, "matta"),
        ("K K K and a wild", Doubt.WILD, "a wild"),
        ("cavallo", Doubt.OTHER, "cavallo"),
        ("3 cavalli", Doubt.OTHER, "3 cavalli"),
    ],
)
def test_what_could_be_two_things_is_asked_and_not_guessed(
    typed: str, why: Doubt, which: str
) -> None:
    assert parse_typed_cards(typed).doubts[0] == (why, which)


@pytest.mark.parametrize(
    "typed",
    [
        "Z",
        "pippo",
        "0xK pippo",
        "1",
        "12",
        "cuori",
        "x",
        "3 re ciao",
        "jolly di cuori",
        "un re nero",
        "una coppia",
    ],
)
def test_what_is_no_card_is_told(typed: str) -> None:
    assert parse_typed_cards(typed).unknown


@pytest.mark.parametrize("language", ["it", "en"])
def test_every_card_is_read_by_the_name_that_the_pages_give_it(language: str) -> None:
    speech = words(language)
    for kind in Kind:
        for count in (1, 4):
            read = parse_typed_cards(f"{count} {speech.plural(f'card.{kind}', count)}")
            assert read_cards(read.text).cards.of(kind) == count, kind
            assert read_cards(read.text).cards.size == count


@pytest.mark.parametrize(
    ("typed", "melds"),
    [
        ("3 donne / 3 otto", ["3xQ", "3x8"]),
        ("3 donne; 3 otto", ["3xQ", "3x8"]),
        ("3 donne, 3 otto", ["3xQ", "3x8"]),
        ("K,K,K,2", ["K K K 2"]),
        ("2 re, 1 jolly", ["2xK JK"]),
        ("K, K, 2, 8, 8, 8", ["K K 2", "8 8 8"]),
        ("", []),
        (" / ", []),
    ],
)
def test_a_comma_stands_between_cards_or_melds(typed: str, melds: list[str]) -> None:
    assert split_into_melds(typed, settle("classica").settings) == melds


def test_in_a_game_with_sequences_cards_with_commas_are_one_sequence() -> None:
    settings = settle("samba").settings
    assert split_into_melds("4, 5, 6 di cuori", settings) == ["4h 5h 6h"]
    assert split_into_melds("3 donne, 3 otto", settings) == ["3xQ", "3x8"]


def test_a_letter_that_an_italian_table_may_mean_otherwise_is_told_beside_the_cards() -> None:
    assert list(letter_warnings("4C 5C 6C", words("it"))) == ["La c è fiori; cuori si scrive h."]
    assert list(letter_warnings("KKK J", words("it"))) == [
        "La J è il fante; il jolly si scrive JK."
    ]
    assert list(letter_warnings("JJJ", words("it"))) == []
    assert list(letter_warnings("4C 5C 6C", words("en"))) == []


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


@pytest.mark.parametrize(
    ("text", "grown", "shrunk"),
    [
        ("", "K", ""),
        ("  ", "K", ""),
        ("K", "2xK", ""),
        ("8 2xk ", "8 3xK", "8 k"),
        ("9xK", "10xK", "8xK"),
        ("99xK", "100xK", "98xK"),
        ("123xK", "123xK K", ""),
        ("8\nK", "8\n2xK", "8"),
        ("0xK", "1xK", ""),
    ],
)
def test_a_card_more_and_a_card_less(text: str, grown: str, shrunk: str) -> None:
    assert (add_card(text, "K"), remove_last_card(text)) == (grown, shrunk)
