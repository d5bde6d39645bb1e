"""A hand that was stored before hands had limits of length is still read."""

from typing import Any

import pytest

from scorepad.i18n import words
from scorepad.rules.variants import settle
from scorepad.schemas import Unusable
from tests.hands_read import hand_request, stored_hand

LONG: dict[str, Any] = {
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
    with pytest.raises(Unusable) as error:
        hand_request(hand, settle("classica"), ("a", "b"), (0, 0))
    assert "is too long" in error.value.message(words("en"))
