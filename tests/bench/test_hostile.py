"""Everything that reads what people send, on texts made to hurt."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pkgutil import resolve_name
from typing import Any

import pytest

from scorepad.i18n import Language, describe_json_error, words
from scorepad.i18n.typed_cards import parse_typed_cards
from scorepad.matches.file_reader import read_export
from scorepad.referee.answering import give_ruling
from scorepad.rules.variants import settle
from scorepad.schemas import Unusable, build_score_answer, read_hand_request
from scorepad.schemas.ruling_json import read_question
from scorepad.web.card_lines import add_card, split_into_melds
from scorepad.web.forms import read_figure
from scorepad.web.refused_forms import is_typed
from tests.bench.conftest import Bench
from tests.bench.hostile import BODY, FIELD, HOSTILE, UPLOAD, Made, Shape, made_in, measure, over

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


OF_ARGUMENTS: dict[str, Callable[[str], object]] = {
    "add_a_king": lambda text: add_card(text, "K"),
    "split_into_classic_melds": lambda text: split_into_melds(text, SETTINGS),
    "is_typed_as_x": lambda text: is_typed("x", text),
    "is_x_typed_as": lambda text: is_typed(text, "x"),
    "describe_in_italian": lambda text: describe_json_error(text, words("it")),
    "figure": lambda text: read_figure(text, Language.ITALIAN),
}
"""What reads texts with something beside them, as `hostile.toml` calls it."""


def shape_in(row: dict[str, Any]) -> Shape:
    """A shape of `hostile.toml`; what reads it is named there by its module."""
    reads = OF_ARGUMENTS.get(row["reads"]) or resolve_name(row["reads"])
    return Shape(row["name"], reads, made_in(row), row.get("most", BODY))


TEXTS = [*map(shape_in, HOSTILE["texts"])]
TEXTS.append(
    Shape(
        "typed: jokers, then hearts",
        parse_typed_cards,
        lambda size: "JK " * (size // 5) + "♥ " * (size // 5),
        FIELD,
    )
)
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
@pytest.mark.parametrize("shape", [*TEXTS, *CONTRACT], ids=lambda shape: shape.name)
def test_hostile_texts_are_read_in_time_that_grows_with_their_length(
    bench: Bench, shape: Shape
) -> None:
    measure(bench, shape)
