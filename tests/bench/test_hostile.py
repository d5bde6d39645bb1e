"""Everything that reads what people send, on texts that are made to be slow to read."""

import json
from collections.abc import Callable
from dataclasses import replace
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
from tests.bench.hostile import FIELD, HOSTILE, Shape, made_in, measure

SETTINGS = settle("classica").settings


def score_hand(text: str) -> object:
    """Score a hand of cards given as JSON, or say in Italian why it cannot be read."""
    try:
        asked = read_hand_request(text)
    except Unusable as error:
        return error.message(words("it"))
    return build_score_answer(asked.judge(), asked.names, words("it"))


def answer_question(text: str) -> object:
    """Answer a question to the referee given as JSON, or say in Italian why it cannot be read."""
    try:
        question = read_question(text)
    except Unusable as error:
        return error.message(words("it"))
    return give_ruling(question.rules, question.question)


def read_file(text: str) -> object:
    """Read the matches of an exported file, or return why it cannot be read."""
    try:
        return list(read_export(text.encode()))
    except Unusable as error:
        return error.reason


def load_json(text: str) -> object:
    """Decode JSON with the standard library alone, for comparison."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


READERS: dict[str, Callable[[str], object]] = {
    "score": score_hand,
    "ask": answer_question,
    "take": read_file,
    "add_a_king": lambda text: add_card(text, "K"),
    "split_into_classic_melds": lambda text: split_into_melds(text, SETTINGS),
    "is_typed_as_x": lambda text: is_typed("x", text),
    "is_x_typed_as": lambda text: is_typed(text, "x"),
    "describe_in_italian": lambda text: describe_json_error(text, words("it")),
    "figure": lambda text: read_figure(text, Language.ITALIAN),
}
"""Readers by their names in `hostile.toml`: those that are no function of a module."""


def make_shape(row: dict[str, Any]) -> Shape:
    """Return what is measured for a row of `hostile.toml`: a reader, and a text that grows."""
    # "reads" is a key of `READERS`, or the path of a function to import, such as
    # "scorepad.rules.cards:read_cards".
    reader = READERS.get(row["reads"]) or resolve_name(row["reads"])

    # This function makes the text in any length, up to the most characters that are ever read.
    make_text = made_in(row)
    most_characters = row.get("most", 256 * 1024)
    return Shape(row["name"], reader, make_text, most_characters)


TEXTS = [make_shape(row) for row in HOSTILE["texts"]]
TEXTS.append(
    Shape(
        "typed: jokers, then hearts",
        parse_typed_cards,
        lambda size: "JK " * (size // 5) + "♥ " * (size // 5),
        FIELD,
    )
)
CONTRACT = [replace(make_shape(row), floor=load_json) for row in HOSTILE["contract"]]


@pytest.mark.bench
@pytest.mark.parametrize("shape", [*TEXTS, *CONTRACT], ids=lambda shape: shape.name)
def test_hostile_texts_are_read_in_linear_time(bench: Bench, shape: Shape) -> None:
    # A shape is a function that reads, and a text that is made to be slow for it: for the reader of
    # typed cards, for example, "JK JK JK … ♥ ♥ ♥ …".
    #
    # `measure` lets the function read a long text and a quarter of it, and checks that it reads
    # both. It reports the times, and asserts nothing about them: if the long text takes about four
    # times as long, the function is linear; if it takes sixteen times as long, it is quadratic.
    measure(bench, shape)
