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
from tests.bench.hostile import BODY, FIELD, HOSTILE, Shape, made_in, measure

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
    """Make a shape, a text that grows and its reader, of a row of `hostile.toml`."""
    reads = READERS.get(row["reads"]) or resolve_name(row["reads"])
    return Shape(row["name"], reads, made_in(row), row.get("most", BODY))


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
    # A shape is such as "JK JK JK … ♥ ♥ ♥ …" for the reader of typed cards. Told is its time beside
    # a plain function on the same text, and how much longer four times the text takes.
    measure(bench, shape)
