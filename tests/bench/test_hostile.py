"""Everything that reads what people send, on texts made to hurt."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from scorepad.i18n import Language, describe_json_error, words
from scorepad.i18n.typed_cards import parse_typed_cards, to_notation
from scorepad.matches.file_reader import read_export
from scorepad.matches.names import has_visible_text, make_comparable, tidy, tidy_text
from scorepad.referee.answering import give_ruling
from scorepad.rules.cards import read_cards
from scorepad.rules.variants import settle
from scorepad.schemas import Unusable, build_score_answer, read_hand_request
from scorepad.schemas.ruling_json import read_question
from scorepad.sheets.spreadsheet import _make_text_safe
from scorepad.web.card_lines import add_card, read_line, remove_last_card, split_into_melds
from scorepad.web.field_texts import meld_lines
from scorepad.web.forms import read_figure
from scorepad.web.host_names import is_host_name
from scorepad.web.refused_forms import is_typed
from scorepad.web.text_search import content_words, plain_words
from tests.bench.conftest import Bench
from tests.bench.hostile import FIELD, QUESTION, TEXT, UPLOAD, Made, Shape, measure, over

SETTINGS = settle("classica").settings


def score(text: str) -> object:
    try:
        asked = read_hand_request(text)
    except Unusable as error:
        return error.message(words("it"))
    return build_score_answer(asked.judge(), asked.names, words("it"))


def ask(text: str) -> object:
    try:
        question = read_question(text)
    except Unusable as error:
        return error.message(words("it"))
    return give_ruling(question.rules, question.question)


def take(text: str) -> object:
    try:
        return list(read_export(text.encode()))
    except Unusable as error:
        return error.reason


def loads(text: str) -> object:
    with suppress(ValueError, RecursionError):
        return json.loads(text)
    return None


def hand(side: Callable[[int], dict[str, Any]], **more: Any) -> Made:
    """A hand in JSON whose first side grows; `side` makes it of so many parts, of ten characters
    each or so.
    """
    return lambda size: json.dumps(
        {"variant": "classica", "sides": {"noi": side(size // 10), "loro": {}}, **more}
    )


def question(kind: str, **more: Any) -> Made:
    """A question about many cards."""
    return lambda size: json.dumps(
        {"variant": "classica", "kind": kind, "hand": "K Q 8 2 " * (size // 8), **more}
    )


def figure(text: str) -> object:
    return read_figure(text, Language.ITALIAN)


MARKS = over("\u0301\u0316", begin="a")
CARDS = [
    Shape("cards: many", read_cards, over("K ")),
    Shape("cards: many with suits", read_cards, over("12x10h ")),
    Shape("cards: one long count", read_cards, over("9", end="xz")),
    Shape("cards: blanks", read_cards, over(" ")),
    Shape("cards: none of them cards", read_cards, over("zz ")),
    Shape("a card more: one long word", lambda text: add_card(text, "K"), over("a", end=" a")),
    Shape("a card more: counts of counts", lambda text: add_card(text, "K"), over("1x", end=" a")),
    Shape("a card less: one long word", remove_last_card, over("a", end=" a")),
    Shape("a card less: blanks", remove_last_card, over(" ", begin="K", end="K")),
    Shape("typed: runs", parse_typed_cards, over("akq"), FIELD),
    Shape(
        "typed: jokers, then hearts",
        parse_typed_cards,
        lambda n: "JK " * (n // 5) + "♥ " * (n // 5),
        FIELD,
    ),
    Shape("typed: numbers and signs", parse_typed_cards, over("2 3 neri "), FIELD),
    Shape("typed: commas", to_notation, over("K,"), FIELD),
    Shape("typed: words that are nearly cards", parse_typed_cards, over("pinnela kwen "), FIELD),
    Shape("typed: one long word that is none", parse_typed_cards, over("pinel"), FIELD),
    Shape("typed: digits before a blank", parse_typed_cards, over("1", end="  "), FIELD),
    Shape(
        "melds in a line: slashes", lambda text: split_into_melds(text, SETTINGS), over("K/"), FIELD
    ),
    Shape(
        "melds in a line: commas",
        lambda text: split_into_melds(text, SETTINGS),
        over("K,8,"),
        FIELD,
    ),
    Shape("melds in a line: blanks", read_line, over(" \n"), FIELD),
    Shape("an opening: a line for each", meld_lines, over("K,;\n")),
]
FIGURES = [
    Shape("figure: digits", figure, over("1")),
    Shape("figure: blanks", figure, over(" ", begin="1", end="x")),
    Shape("figure: a minus far away", figure, over(" ", begin="-", end="x")),
    Shape("figure: points", figure, over("1.")),
]
TEXTS = [
    Shape("name: marks", tidy, MARKS),
    Shape("name read aloud: marks", make_comparable, MARKS),
    Shape("name read aloud: ligatures", make_comparable, over("\ufdfa")),
    Shape("note: marks", tidy_text, MARKS),
    Shape("note: nothing to see", has_visible_text, over("\u3164")),
    Shape("a cell of a spreadsheet: marks", _make_text_safe, MARKS, TEXT),
    Shape("rulebook: marks", plain_words, MARKS, QUESTION),
    Shape("rulebook: figures", content_words, over("1."), QUESTION),
    Shape("host", is_host_name, over("a-", end="!")),
    Shape("field: typed by a person", lambda text: is_typed("x", text), over("a-")),
    Shape("field: never typed", lambda text: is_typed(text, "x"), over("-current", end="x")),
    Shape(
        "complaint of a reader of JSON",
        lambda text: describe_json_error(text, words("it")),
        over(" at line 1 column 1x"),
    ),
]
CONTRACT = [
    Shape("hand: melds of one rank", score, hand(lambda n: {"melds": ["7xQ"] * n}), floor=loads),
    Shape("hand: melds that are none", score, hand(lambda n: {"melds": ["zz 2x2 3"] * n}), floor=loads),
    Shape("hand: one long meld", score, hand(lambda n: {"melds": ["z Kh 2 JK " * n]}), floor=loads),
    Shape("hand: hands left", score, hand(lambda n: {"left": ["4 4 4"] * n}), floor=loads),
    Shape("hand: penalties", score, hand(lambda n: {"penalties": [f"p{each}" for each in range(n)]}), floor=loads),
    Shape("hand: an opening", score, hand(lambda n: {"melds": ["7xQ"], "opening": {"melds": ["3xQ"] * n}}),
          floor=loads),
    Shape("hand: canastas", score, hand(lambda n: {"totals": {"cards": 0, "canastas": {f"c{k}": 1 for k in range(n)}}}),
          floor=loads),
    Shape("hand: keys", score, lambda size: json.dumps({f"k{each}": 1 for each in range(size // 10)}), floor=loads),
    Shape("hand: sides", score, lambda size: json.dumps(
        {"variant": "classica", "sides": {f"s{each}": {} for each in range(size // 12)}}), floor=loads),
    Shape("hand: brackets", score, over("["), floor=loads),
    Shape("hand: a text without end", score, over("a", begin='"'), floor=loads),
    Shape("hand: digits", score, over("1"), floor=loads),
    Shape("question: opening", ask, question("opening", score=1500), floor=loads),
    Shape("question: going out", ask, question("out", table=["7xQ"]), floor=loads),
    Shape("question: meld", ask, lambda size: json.dumps(
        {"variant": "samba", "kind": "meld", "cards": "4h 5h 6h " * (size // 9), "on": None, "going_out": False}),
          floor=loads),
    Shape("file: brackets", take, over("["), UPLOAD, loads),
    Shape("file: matches that are none", take, over('{"id":1},', begin='{"format":"scorepad","version":1,"matches":[',
                                                   end="{}]}"), UPLOAD, loads),
]  # fmt: skip


@pytest.mark.bench
@pytest.mark.parametrize(
    "shape", [*CARDS, *FIGURES, *TEXTS, *CONTRACT], ids=lambda shape: shape.name
)
def test_hostile_texts_are_read_in_time_that_grows_with_their_length(
    bench: Bench, shape: Shape
) -> None:
    measure(bench, shape)


# ------------------------------------------------------------------------------------------- mended
