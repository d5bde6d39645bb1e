"""A hand that was stored before hands had limits of length is still read: in its match, and from an
exported file.
"""

from __future__ import annotations

from typing import Any

import pytest

from scorepad.i18n import words
from scorepad.rules.variants import settle
from scorepad.schemas import Unusable
from tests.hands_read import hand_of, hand_request, stored_hand

SIDES = ("a", "b")
LONG: dict[str, dict[str, Any]] = {
    "adjustments": {"adjustments": [{"points": 5, "reason": "x"}] * 61},
    "a reason": {"adjustments": [{"points": 5, "reason": "x" * 1_500}]},
    "penalties": {"penalties": ["draw-out-of-turn"] * 101},
    "melds": {"melds": ["3xK"] * 101},
    "cards": {"left": "K " * 1_500},
}


@pytest.mark.parametrize("side", LONG.values(), ids=LONG.keys())
def test_a_stored_hand_has_no_limit_of_length_and_a_new_one_has(side: dict[str, Any]) -> None:
    hand = {"sides": {"a": side, "b": {}}}
    assert len(stored_hand(hand).sides) == 2
    with pytest.raises(Unusable) as refused:
        hand_request(hand, settle("classica"), SIDES, (0, 0))
    assert "is too long" in refused.value.message(words("en"))


def test_a_stored_hand_is_read_as_a_new_one_is() -> None:
    side = {
        "melds": ["7xQ", {"cards": "4xK 2", "concealed": True}],
        "left": ["4", "9 9"],
        "penalties": ["x"],
    }
    hand = {"sides": {"a": side, "b": {"left": 85}}, "out": {"side": "a", "discard": "6"}}
    asked = hand_request(hand, settle("classica"), SIDES, (0, 0))
    assert stored_hand(hand) == hand_of(hand) == asked.hand


def test_a_stored_hand_with_an_unknown_key_is_refused() -> None:
    with pytest.raises(ValueError, match="unexpected_keyword_argument"):
        stored_hand({"sides": {"a": {"x": 1}}})
