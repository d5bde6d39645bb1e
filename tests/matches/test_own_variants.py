"""A match by rules of the user's own that ends by its time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from scorepad.rules.variants import offer_own_variants
from tests.matches.conftest import TWO_AGAINST_TWO, Clock, Table, counted, hand

OWN = Path(__file__).parents[1] / "rules" / "own"


@pytest.fixture
def timed(start: Callable[..., Table]) -> Iterator[Table]:
    """A match that ends when fifty minutes are over."""
    offer_own_variants(OWN)
    yield start(replace(TWO_AGAINST_TWO, variant="a-tempo"))
    offer_own_variants(None)


def test_the_hand_that_is_played_when_time_is_up_still_counts(timed: Table, clock: Clock) -> None:
    timed.play(hand(counted(250, mixed_canasta=1), counted(200, mixed_canasta=1)))
    clock.now += timedelta(minutes=50)
    assert not timed.state.status.finished, "nothing ends while a hand is being played"
    timed.play(hand(counted(180, mixed_canasta=1), counted(200, mixed_canasta=1)))
    assert timed.state.status.finished
    assert timed.state.status.winner == 0
