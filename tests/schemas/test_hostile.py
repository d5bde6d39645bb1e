"""Whatever is sent as a hand or a question, it is answered or refused in one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorepad.i18n import words
from scorepad.referee.answering import give_ruling
from scorepad.referee.questions import QUESTIONS
from scorepad.referee.ruling import Answer
from scorepad.schemas import Unusable, build_score_answer, read_hand_request
from scorepad.schemas.ruling_json import build_ruling_answer, list_keys_of_kind, read_question
from tests.examples import examples
from tests.schemas.grown import grown

CASES = json.loads(Path(__file__).with_name("hostile.json").read_text("utf-8"))
OF_QUESTIONS = {key for kind in QUESTIONS for key in list_keys_of_kind(kind)}
KEYS = [*CASES["keys"], *sorted(OF_QUESTIONS)]
TEXTS = [*QUESTIONS, *CASES["texts"], "9" * 5000]
SMALLEST: dict[str, dict[str, Any]] = CASES["questions"]
"""What each kind of question needs at least."""
simple = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.sampled_from(TEXTS),
    st.text(max_size=6),
)  # fmt: skip
values = st.recursive(
    simple,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.sampled_from(KEYS), inner, max_size=5)
    ),
    max_leaves=12,
)


def answer_hand(source: str | bytes) -> dict[str, Any]:
    asked = read_hand_request(source)
    return build_score_answer(asked.judge(), asked.names, words("en"))


def answer_question(source: str | bytes) -> dict[str, Any]:
    asked = read_question(source)
    return build_ruling_answer(
        asked, Answer(give_ruling(asked.rules, asked.question), ()), words("en")
    )


def is_answered(answer: Callable[[str | bytes], dict[str, Any]], source: str | bytes) -> None:
    """It is answered in JSON, or refused in one line."""
    try:
        json.dumps(answer(source))
    except Unusable as error:
        line = error.message(words("it"))
        assert line
        assert "\n" not in line


@pytest.mark.parametrize(
    "source",
    ["", "{", "[]", "3", "null", '"x"', "{}", '{"sides": {}}', "\ufeff{}", "[" * 100_000, "NaN",
     b"\xff\xfe", b'{"variant": "\xff"}', b'{"variant": "\\ud800", "sides": {}}', b"\x00"],
)  # fmt: skip
def test_what_is_neither_hand_nor_question_is_told_in_one_line(source: str | bytes) -> None:
    for read in (read_hand_request, read_question):
        with pytest.raises(Unusable) as refusal:
            read(source)
        line = refusal.value.message(words("it"))
        assert "\n" not in line
        assert read is read_hand_request or "smazzata" not in line


def containers_in(value: Any) -> list[Any]:
    """A hand, and every object and list in it."""
    if not isinstance(value, dict | list):
        return []
    found = [value]
    for inner in value.values() if isinstance(value, dict) else value:
        found += containers_in(inner)
    return found


@given(st.data())
@settings(max_examples=examples(500))
def test_a_hand_with_anything_anywhere_is_answered(data: st.DataObject) -> None:
    hand = deepcopy(CASES["hand"])
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.sampled_from(containers_in(hand)))
        if isinstance(place, dict):
            place[data.draw(st.sampled_from([*place, *KEYS]))] = data.draw(values)
        elif place:
            place[data.draw(st.integers(0, len(place) - 1))] = data.draw(values)
    is_answered(answer_hand, json.dumps(hand))


@given(st.sampled_from(list(QUESTIONS)), st.dictionaries(st.sampled_from(KEYS), values, max_size=3))
@settings(max_examples=examples(300))
def test_a_question_with_anything_anywhere_is_answered(kind: str, keys: dict[str, Any]) -> None:
    question = {"kind": kind, "variant": "classica", **SMALLEST[kind], **keys}
    is_answered(answer_question, json.dumps(question))


@given(st.one_of(values.map(json.dumps), st.binary(max_size=40)))
@settings(max_examples=examples(600))
def test_anything_at_all_is_answered(source: str | bytes) -> None:
    is_answered(answer_hand, source)
    is_answered(answer_question, source)


@pytest.mark.parametrize(
    ("answer", "sent"),
    [
        (answer_hand, {"sides": {"noi": {"left": 10**400}}}),
        (answer_hand, {"sides": {"noi": {"melds": ["9" * 5000 + "xQ"]}}}),
        (answer_question, {"kind": "red-threes", "count": 10**400}),
        (answer_question, {"kind": "meld", "cards": "9" * 5000 + "xQ"}),
        *((answer_hand, grown(sent)) for sent in CASES["huge"]["hands"]),
        *((answer_question, grown(sent)) for sent in CASES["huge"]["questions"]),
    ],
)
def test_huge_figures_and_texts_are_answered(
    answer: Callable[[str | bytes], dict[str, Any]], sent: dict[str, Any]
) -> None:
    is_answered(answer, json.dumps({"variant": "classica", **sent}))
