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

KEYS_OF_QUESTIONS = {key for kind in QUESTIONS for key in list_keys_of_kind(kind)}
KEYS = [*HOSTILE["keys"], *sorted(KEYS_OF_QUESTIONS)]
TEXTS = [*QUESTIONS, *HOSTILE["texts"], "9" * 5000]
# Any value of JSON without others in it: a text may be one that means something, such as "7xQ".
simple = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.sampled_from(TEXTS),
    st.text(max_size=6),
)  # fmt: skip
# Any value of JSON: lists and objects have up to twelve simple values in them.
values = st.recursive(
    simple,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.sampled_from(KEYS), inner, max_size=5)
    ),
    max_leaves=12,
)


def containers_in(value: Any) -> list[Any]:
    """Return all objects and lists in a JSON value; the value itself is the first."""
    if isinstance(value, dict):
        inner_values = list(value.values())
    elif isinstance(value, list):
        inner_values = value
    else:
        return []
    found = [value]
    for inner in inner_values:
        found += containers_in(inner)
    return found


def score_hand(source: str | bytes) -> dict[str, Any]:
    """Return the answer to a hand in JSON: its score and its problems. Raises Unusable."""
    request = read_hand_request(source)
    return build_score_answer(request.judge(), request.names, words("en"))


def rule_on_question(source: str | bytes) -> dict[str, Any]:
    """Return the answer of the referee to a question in JSON. Raises Unusable.

    What would hold under other rules of the game is left out: it takes long to find.
    """
    request = read_question(source)
    answer = Answer(give_ruling(request.rules, request.question), ())
    return build_ruling_answer(request, answer, words("en"))


def assert_answered_or_refused(
    answer: Callable[[str | bytes], dict[str, Any]], source: str | bytes
) -> None:
    """Assert that this source is answered in JSON or refused in one line, by one of the functions.

    Any other error fails the test: it would be an internal error of the program.
    """
    try:
        json.dumps(answer(source))
    except Unusable as error:
        message = error.message(words("it"))
        assert message
        assert "\n" not in message


# Nothing, other JSON than an object, keys that are missing, bytes that are no text, and so on.
NEITHER_HAND_NOR_QUESTION = [
    "", "{", "[]", "3", "null", '"x"', "{}", '{"sides": {}}', "\ufeff{}", "[" * 100_000, "NaN",
    b"\xff\xfe", b'{"variant": "\xff"}', b'{"variant": "\\ud800", "sides": {}}', b"\x00",
]  # fmt: skip


@pytest.mark.parametrize("source", NEITHER_HAND_NOR_QUESTION)
def test_source_that_is_no_hand_is_refused_in_one_line(source: str | bytes) -> None:
    # Such as nothing at all, "[]", or bytes that are no text.
    with pytest.raises(Unusable) as error:
        read_hand_request(source)
    assert "\n" not in error.value.message(words("it"))


@pytest.mark.parametrize("source", NEITHER_HAND_NOR_QUESTION)
def test_source_that_is_no_question_is_refused_in_one_line(source: str | bytes) -> None:
    # Such as nothing at all, "[]", or bytes that are no text.
    with pytest.raises(Unusable) as error:
        read_question(source)
    message = error.value.message(words("it"))
    assert "\n" not in message

    # The message does not call the question a hand, "smazzata".
    assert "smazzata" not in message


@st.composite
def hostile_hands(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a hand with random values in one to three places."""
    hand: dict[str, Any] = deepcopy(HOSTILE["hand"])
    places = draw(st.integers(1, 3))
    for _ in range(places):
        # An object gets a value under one of its keys or another one; in a list, one is replaced.
        object_or_list = draw(st.sampled_from(containers_in(hand)))
        if isinstance(object_or_list, dict):
            key = draw(st.sampled_from([*object_or_list, *KEYS]))
            object_or_list[key] = draw(values)
        elif object_or_list:
            position = draw(st.integers(0, len(object_or_list) - 1))
            object_or_list[position] = draw(values)
    return hand


@given(hostile_hands())
@settings(max_examples=examples(500))
def test_hand_with_random_values_is_answered_or_refused(hand: dict[str, Any]) -> None:
    assert_answered_or_refused(score_hand, json.dumps(hand))


@st.composite
def hostile_questions(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a question in which up to three keys are added, or have a random value."""
    kind = draw(st.sampled_from(list(QUESTIONS)))
    # All that a question of this kind needs: {"cards": "3xK"} if it is about a meld.
    needed = SMALLEST_QUESTIONS[kind]
    random_values = draw(st.dictionaries(st.sampled_from(KEYS), values, max_size=3))
    return {"kind": kind, "variant": "classica", **needed, **random_values}


@given(hostile_questions())
@settings(max_examples=examples(300))
def test_question_with_random_values_is_answered_or_refused(question: dict[str, Any]) -> None:
    assert_answered_or_refused(rule_on_question, json.dumps(question))


@given(st.one_of(values.map(json.dumps), st.binary(max_size=40)))
@settings(max_examples=examples(600))
def test_random_source_is_answered_or_refused(source: str | bytes) -> None:
    assert_answered_or_refused(score_hand, source)
    assert_answered_or_refused(rule_on_question, source)


@pytest.mark.parametrize(
    "hand",
    [
        # The points left in hand are a number of 401 digits, more than any float holds.
        {"sides": {"noi": {"left": 10**400}}},
        # A meld of so many queens that their number has 5000 digits.
        {"sides": {"noi": {"melds": ["9" * 5000 + "xQ"]}}},
        # Others stand in hostile.json, such as one with three thousand melds.
        *(grown(hand) for hand in HOSTILE["huge"]["hands"]),
    ],
)
def test_hand_with_huge_value_is_answered_or_refused(hand: dict[str, Any]) -> None:
    assert_answered_or_refused(score_hand, json.dumps({"variant": "classica", **hand}))


@pytest.mark.parametrize(
    "question",
    [
        # What are so many red threes worth? The number has 401 digits.
        {"kind": "red-threes", "count": 10**400},
        # A meld of so many queens that their number has 5000 digits.
        {"kind": "meld", "cards": "9" * 5000 + "xQ"},
        # Others stand in hostile.json, such as one with three thousand melds.
        *(grown(question) for question in HOSTILE["huge"]["questions"]),
    ],
)
def test_question_with_huge_value_is_answered_or_refused(question: dict[str, Any]) -> None:
    assert_answered_or_refused(rule_on_question, json.dumps({"variant": "classica", **question}))
