"""A match by rules of the user's own, which it keeps, and one that ends by its time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from scorepad.matches.events import Labels
from scorepad.matches.projection import NewMatch
from scorepad.rules.variants import offer_own_variants
from tests.matches.conftest import Clock, Table, counted, hand

OWN = Path(__file__).parents[1] / "rules" / "own"
BY_TIME = NewMatch("a-tempo", None, {}, Labels(("Noi", "Loro"), (("Ada", "Ugo"), ("Eva", "Ivo"))))


@pytest.fixture(autouse=True)
def offered() -> Iterator[None]:
    offer_own_variants(OWN)
    yield
    offer_own_variants(None)


def opened(points: int) -> dict[str, object]:
    """A hand in which both sides open with 180 and more."""
    return hand(counted(points, mixed_canasta=1), counted(200, mixed_canasta=1))


def test_the_hand_that_is_played_when_time_is_up_still_counts(
    start: Callable[[NewMatch], Table], clock: Clock
) -> None:
    table = start(BY_TIME)
    table.play(opened(250))
    assert not table.state.status.finished
    clock.now += timedelta(minutes=50)
    assert not table.state.status.finished, "nothing ends while a hand is being played"
    table.play(opened(180))
    assert (table.state.status.finished, table.state.status.winner) == (True, 0), (
        "550 and 480 against 500 and 500"
    )


def test_three_hands_end_it_before_its_time(start: Callable[[NewMatch], Table]) -> None:
    table = start(BY_TIME)
    for _ in range(3):
        assert not table.state.status.finished
        table.play(opened(200))
    assert (table.state.status.finished, table.state.status.winner) == (True, None), (
        "level: nobody wins"
    )


def test_a_match_goes_on_by_its_rules_where_the_file_is_gone(
    start: Callable[[NewMatch], Table],
) -> None:
    table = start(BY_TIME)
    offer_own_variants(None)
    table.play(opened(250))
    assert [side.minimum for side in table.state.sides] == [155, 155]
