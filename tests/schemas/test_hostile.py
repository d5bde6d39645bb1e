"""Whatever is sent as a hand or a question, it is answered or refused in one line."""

import json
from collections.abc import Callable
from copy import deepcopy
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
from tests.schemas.grown import HOSTILE, SMALLEST_QUESTIONS, grown

OF_QUESTIONS = {key for kind in QUESTIONS for key in list_keys_of_kind(kind)}
KEYS = [*HOSTILE["keys"], *sorted(OF_QUESTIONS)]
TEXTS = [*QUESTIONS, *HOSTILE["texts"], "9" * 5000]
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


def containers_in(value: Any) -> list[Any]:
    """A hand, and every object and list in it."""
    if not isinstance(value, dict | list):
        return []
    found = [value]
    for inner in value.values() if isinstance(value, dict) else value:
        found += containers_in(inner)
    return found


def score_hand(source: str | bytes) -> dict[str, Any]:
    request = read_hand_request(source)
    return build_score_answer(request.judge(), request.names, words("en"))


def rule_on_question(source: str | bytes) -> dict[str, Any]:
    request = read_question(source)
    answer = Answer(give_ruling(request.rules, request.question), ())
    return build_ruling_answer(request, answer, words("en"))


def assert_answered(answer: Callable[[str | bytes], dict[str, Any]], source: str | bytes) -> None:
    """It is answered in JSON, or refused in one line."""
    try:
        json.dumps(answer(source))
    except Unusable as error:
        line = error.message(words("it"))
        assert line
        assert "\n" not in line


@pytest.mark.parametrize("read", [read_hand_request, read_question])
@pytest.mark.parametrize(
    "source",
    ["", "{", "[]", "3", "null", '"x"', "{}", '{"sides": {}}', "\ufeff{}", "[" * 100_000, "NaN",
     b"\xff\xfe", b'{"variant": "\xff"}', b'{"variant": "\\ud800", "sides": {}}', b"\x00"],
)  # fmt: skip
def test_what_is_neither_hand_nor_question_is_refused_in_one_line(
    read: Callable[[str | bytes], object], source: str | bytes
) -> None:
    with pytest.raises(Unusable) as error:
        read(source)
    line = error.value.message(words("it"))
    assert "\n" not in line
    if read is read_question:
        assert "smazzata" not in line, "a question is not called a hand"


@given(st.data())
@settings(max_examples=examples(500))
def test_a_hand_with_anything_anywhere_is_answered(data: st.DataObject) -> None:
    hand = deepcopy(HOSTILE["hand"])
    changes = data.draw(st.integers(1, 3))
    for _ in range(changes):
        container = data.draw(st.sampled_from(containers_in(hand)))
        if isinstance(container, dict):
            key = data.draw(st.sampled_from([*container, *KEYS]))
            container[key] = data.draw(values)
        elif container:
            position = data.draw(st.integers(0, len(container) - 1))
            container[position] = data.draw(values)

    assert_answered(score_hand, json.dumps(hand))


@given(st.sampled_from(list(QUESTIONS)), st.dictionaries(st.sampled_from(KEYS), values, max_size=3))
@settings(max_examples=examples(300))
def test_a_question_with_anything_anywhere_is_answered(kind: str, keys: dict[str, Any]) -> None:
    question = {"kind": kind, "variant": "classica", **SMALLEST_QUESTIONS[kind], **keys}
    assert_answered(rule_on_question, json.dumps(question))


@given(st.one_of(values.map(json.dumps), st.binary(max_size=40)))
@settings(max_examples=examples(600))
def test_anything_at_all_is_answered(source: str | bytes) -> None:
    assert_answered(score_hand, source)
    assert_answered(rule_on_question, source)


@pytest.mark.parametrize(
    "hand",
    [
        {"sides": {"noi": {"left": 10**400}}},
        {"sides": {"noi": {"melds": ["9" * 5000 + "xQ"]}}},
        *(grown(hand) for hand in HOSTILE["huge"]["hands"]),
    ],
)
def test_a_hand_with_huge_figures_and_texts_is_answered(hand: dict[str, Any]) -> None:
    assert_answered(score_hand, json.dumps({"variant": "classica", **hand}))


@pytest.mark.parametrize(
    "question",
    [
        {"kind": "red-threes", "count": 10**400},
        {"kind": "meld", "cards": "9" * 5000 + "xQ"},
        *(grown(question) for question in HOSTILE["huge"]["questions"]),
    ],
)
def test_a_question_with_huge_figures_and_texts_is_answered(question: dict[str, Any]) -> None:
    assert_answered(rule_on_question, json.dumps({"variant": "classica", **question}))
