"""A hand that was stored before hands had limits of length is still read."""

from typing import Any

import pytest

from scorepad.i18n import words
from scorepad.rules.variants import settle
from scorepad.schemas import Unusable
from tests.hands_read import hand_request, stored_hand

TOO_LONG: dict[str, Any] = {
    "adjustments": {"adjustments": [{"points": 5, "reason": "x"}] * 61},
    "a reason": {"adjustments": [{"points": 5, "reason": "x" * 1_500}]},
    "penalties": {"penalties": ["draw-out-of-turn"] * 101},
    "melds": {"melds": ["3xK"] * 101},
    "cards": {"left": "K " * 1_500},
}


@pytest.mark.parametrize("side", TOO_LONG.values(), ids=TOO_LONG.keys())
def test_hand_that_is_too_long_is_refused_but_read_if_stored(side: dict[str, Any]) -> None:
    # Side a has more of something than is accepted, such as a reason of 1500 characters.
    hand = {"sides": {"a": side, "b": {}}}

    # The hand is refused when somebody sends it.
    with pytest.raises(Unusable) as error:
        hand_request(hand, settle("classica"), names=("a", "b"), before=(0, 0))
    assert "is too long" in error.value.message(words("en"))

    # It is still read from the log of a match, where it was stored before there were such limits.
    assert len(stored_hand(hand).sides) == 2
