"""What no page shows: totals that only programs send, what a deleted match leaves behind, rulings
without a penalty, and a match that ends by its time.
"""

from collections.abc import Iterator, Mapping
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
    Start,
    Table,
    hand,
    hand_of_430_and_60,
    side_counted,
)


@pytest.mark.parametrize(
    ("carried", "codes"),
    [((10_000_000, 0), ["carried-too-large", "carried-over"]), ((100,), ["carried-number"])],
)
def test_invalid_totals_from_paper_are_refused(
    pad: Pad, carried: tuple[int, ...], codes: list[str]
) -> None:
    answer = pad.actions.start(RequestId("s"), PHONE, replace(TWO_AGAINST_TWO, carried=carried))
    assert isinstance(answer, NamesRefused)
    assert [problem.code for problem in answer.problems] == codes


def test_deleted_match_leaves_no_trace_in_its_rematch(
    pad: Pad, storage: Storage, start: Start
) -> None:
    finished = start(options={"target": 500}, carried=(100, 0))
    finished.play(hand_of_430_and_60())  # 100 + 430 points: the match is over
    rematch = finished.rematch()

    pad.actions.delete(finished.match, PHONE)

    assert str(finished.match).encode() not in storage.path.read_bytes()
    assert rematch.state.rematch is None


@pytest.mark.parametrize(
    ("question", "side"),
    [
        pytest.param({"kind": "penalty", "code": "draw-out-of-turn"}, None, id="no side"),
        pytest.param(
            {"kind": "opening", "score": 1600, "melds": ["3xQ", "3x9"]}, 0, id="no penalty"
        ),
        pytest.param({"kind": "penalty", "code": "exposed-card"}, 0, id="no points"),
    ],
)
def test_kept_ruling_notes_no_penalty_without_side_or_points(
    table: Table, question: Mapping[str, Any], side: int | None
) -> None:
    open_hand = table.pad.open(table.match, PHONE)
    asking = Asking(question, table.state.rules.digest, open_hand.id, side)
    table.do(table.pad.actions.keep_ruling, asking, with_penalty=True)
    assert len(table.state.rulings) == 1
    assert table.state.noted_penalties == ()


@pytest.fixture
def match_of_50_minutes(start: Start) -> Iterator[Table]:
    """A match by house rules that ends with the hand being played when 50 minutes are over."""
    offer_own_variants(Path(__file__).parents[1] / "rules" / "own")
    yield start(variant="a-tempo")
    offer_own_variants(None)


def hand_with_canastas(cards_of_noi: int) -> Hand:
    """A hand in which both sides have a canasta, and Loro 200 points of cards."""
    return hand(
        side_counted(cards=cards_of_noi, mixed_canasta=1),
        side_counted(cards=200, mixed_canasta=1),
    )


def test_hand_being_played_when_time_is_up_ends_the_match(
    match_of_50_minutes: Table, clock: Clock
) -> None:
    match_of_50_minutes.play(hand_with_canastas(cards_of_noi=250))
    clock.now += timedelta(minutes=50)
    assert not match_of_50_minutes.state.status.finished

    match_of_50_minutes.play(hand_with_canastas(cards_of_noi=180))

    assert match_of_50_minutes.state.status.finished
    assert match_of_50_minutes.state.status.winner == 0


def test_hand_corrected_when_time_is_up_does_not_end_the_match(
    match_of_50_minutes: Table, clock: Clock
) -> None:
    match_of_50_minutes.play(hand_with_canastas(cards_of_noi=250))
    clock.now += timedelta(minutes=55)

    match_of_50_minutes.correct(1, hand_with_canastas(cards_of_noi=240))

    assert not match_of_50_minutes.state.status.finished, "the second hand is being played"
