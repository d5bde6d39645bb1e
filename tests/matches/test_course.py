"""What no page shows: totals that only programs send, what a deleted match leaves behind, rulings
without a penalty, and a match that ends by its time.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import RequestId
from scorepad.matches.actions import Asking
from scorepad.matches.names import NamesRefused
from scorepad.rules.hand import Hand
from scorepad.rules.variants import offer_own_variants
from scorepad.storage import Storage
from tests.matches.conftest import (
    PHONE,
    TWO_AGAINST_TWO,
    Clock,
    Table,
    hand,
    hand_of_430_and_60,
    side_counted,
)


@pytest.mark.parametrize(
    ("carried", "codes"),
    [((10_000_000, 0), ["carried-too-large", "carried-over"]), ((100,), ["carried-number"])],
)
def test_totals_that_only_a_program_can_send_are_refused(
    pad: Pad, carried: tuple[int, ...], codes: list[str]
) -> None:
    answer = pad.actions.start(RequestId("s"), PHONE, replace(TWO_AGAINST_TWO, carried=carried))
    assert isinstance(answer, NamesRefused)
    assert [problem.code for problem in answer.problems] == codes


def test_a_deleted_match_leaves_not_even_its_name_with_its_rematch(
    pad: Pad, storage: Storage, start: Callable[..., Table]
) -> None:
    finished = start(replace(TWO_AGAINST_TWO, options={"target": 500}, carried=(100, 0)))
    finished.play(hand_of_430_and_60())
    rematch = finished.rematch()

    pad.actions.delete(finished.match, PHONE)

    assert str(finished.match).encode() not in storage.path.read_bytes()
    assert rematch.state.rematch is None


DRAW_OUT_OF_TURN = {"kind": "penalty", "code": "draw-out-of-turn"}
EXPOSED_CARD = {"kind": "penalty", "code": "exposed-card"}
OPENING = {"kind": "opening", "score": 1600, "melds": ["3xQ", "3x9"]}


@pytest.mark.parametrize(
    ("question", "side"),
    [(DRAW_OUT_OF_TURN, None), (OPENING, 0), (EXPOSED_CARD, 0)],
    ids=["that nobody takes", "of a ruling without one", "that costs no points"],
)
def test_a_penalty_is_not_noted(
    table: Table, question: Mapping[str, Any], side: int | None
) -> None:
    open_hand = table.pad.open(table.match, PHONE)
    asking = Asking(question, table.state.rules.digest, open_hand.id, side)
    table.do(table.pad.actions.keep_ruling, asking, with_penalty=True)
    assert len(table.state.rulings) == 1
    assert table.state.noted_penalties == ()


@pytest.fixture
def timed(start: Callable[..., Table]) -> Iterator[Table]:
    """A match by house rules that ends when fifty minutes are over."""
    offer_own_variants(Path(__file__).parents[1] / "rules" / "own")
    yield start(replace(TWO_AGAINST_TWO, variant="a-tempo"))
    offer_own_variants(None)


def hand_with_canastas(cards_of_noi: int) -> Hand:
    """A hand in which both sides have a canasta, and Loro 200 points of cards."""
    return hand(
        side_counted(cards=cards_of_noi, mixed_canasta=1),
        side_counted(cards=200, mixed_canasta=1),
    )


def test_the_hand_that_is_played_when_time_is_up_still_counts(timed: Table, clock: Clock) -> None:
    timed.play(hand_with_canastas(250))
    clock.now += timedelta(minutes=50)
    assert not timed.state.status.finished, "nothing ends while a hand is being played"

    timed.play(hand_with_canastas(180))

    assert timed.state.status.finished
    assert timed.state.status.winner == 0


def test_a_hand_corrected_after_the_time_does_not_end_the_hand_being_played(
    timed: Table, clock: Clock
) -> None:
    timed.play(hand_with_canastas(250))
    clock.now += timedelta(minutes=55)

    timed.correct(1, hand_with_canastas(240))

    assert not timed.state.status.finished, "the second hand is still being played"
