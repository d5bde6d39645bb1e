"""Whatever is sent, it is answered or refused in one line."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scorepad.i18n import words
from scorepad.schemas import Unusable, read_hand_request, score_answer
from tests.examples import examples

KEYS = [
    "variant", "preset", "options", "before", "sides", "noi", "loro", "melds", "cards", "concealed", "totals",
    "canastas", "natural-canasta", "incomplete", "sum", "adjustments", "points", "reason", "left", "red_threes",
    "red_threes_held", "penalties", "code", "opening", "out", "side", "discard", "player", "single", "deal", "special",
    "wild-limit", "target", "__proto__", "", "%s", "/", "~",
]  # fmt: skip
TEXTS = [
    "classica",
    "tre",
    "noi",
    "loro",
    "7xQ",
    "4xK 2x2",
    "3",
    "house",
    "draw-out-of-turn",
    "three",
    "%(key)s",
    "\0",
]
values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False),
        st.sampled_from(TEXTS),
        st.text(max_size=6),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.sampled_from(KEYS), inner, max_size=5)
    ),
    max_leaves=12,
)
HAND: dict[str, Any] = {
    "variant": "classica",
    "before": {"noi": 1480, "loro": 3010},
    "sides": {
        "noi": {
            "melds": ["7xQ", {"cards": "7x8", "concealed": True}],
            "left": ["4", ""],
            "penalties": ["x"],
        },
        "loro": {"totals": {"canastas": {"natural-canasta": 1}, "cards": 215}, "left": 85},
    },
    "out": {"side": "noi", "discard": "6"},
}


def is_answered(source: str | bytes) -> None:
    try:
        asked = read_hand_request(source)
    except Unusable as error:
        line = error.message(words("it"))
        assert line
        assert "\n" not in line
        return
    json.dumps(score_answer(asked.judge(), asked.names, words("en")))


@given(st.data())
@settings(max_examples=examples(500), deadline=None)
def test_a_hand_with_anything_anywhere_is_answered(data: st.DataObject) -> None:
    hand: Any = json.loads(json.dumps(HAND))
    for _ in range(data.draw(st.integers(1, 3))):
        place = hand
        while data.draw(st.booleans()):
            keys = (
                list(place)
                if isinstance(place, dict)
                else range(len(place))
                if isinstance(place, list)
                else []
            )
            inner = [key for key in keys if isinstance(place[key], dict | list)]
            if not inner:
                break
            place = place[data.draw(st.sampled_from(inner))]
        if isinstance(place, dict):
            known = [*place, *KEYS]
            place[data.draw(st.sampled_from(known))] = data.draw(values)
        elif place:
            place[data.draw(st.integers(0, len(place) - 1))] = data.draw(values)
    is_answered(json.dumps(hand))


@given(values)
@settings(max_examples=examples(300), deadline=None)
def test_any_json_is_answered(value: object) -> None:
    is_answered(json.dumps(value))


@given(st.binary(max_size=40))
@settings(max_examples=examples(300), deadline=None)
def test_any_bytes_are_answered(source: bytes) -> None:
    is_answered(source)


def test_huge_figures_and_texts_are_answered() -> None:
    for hand in (
        {"variant": "classica", "sides": {"noi": {"left": 10**400}}},
        {"variant": "classica", "sides": {"noi": {"melds": ["9" * 5000 + "xQ", "999999999999xQ"]}}},
        {"variant": "classica", "sides": {"noi": {"melds": ["K " * 50_000]}}},
        {
            "variant": "classica",
            "sides": {"noi": {"totals": {"cards": 1000, "canastas": {"mixed-canasta": 9_999_999}}}},
        },
        {"variant": "classica", "sides": {"noi": {"melds": ["7xQ"] * 3000}}},
        {"variant": "k" * 100_000, "sides": {}},
    ):
        is_answered(json.dumps(hand))
