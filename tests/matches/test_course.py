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
    [
        # Ten million is a figure too many, and more than the 5000 points that win the match.
        ((10_000_000, 0), ["carried-too-large", "carried-over"]),
        # One total, for two sides.
        ((100,), ["carried-number"]),
    ],
)
def test_invalid_totals_from_paper_are_refused(
    pad: Pad, carried: tuple[int, ...], codes: list[str]
) -> None:
    # Players began the match on paper and go on here: each side brings its total.
    from_paper = replace(TWO_AGAINST_TWO, carried=carried)

    answer = pad.actions.start(RequestId("s"), PHONE, from_paper)

    assert isinstance(answer, NamesRefused)
    assert [problem.code for problem in answer.problems] == codes


def test_deleted_match_leaves_no_trace_in_its_rematch(
    pad: Pad, storage: Storage, start: Start
) -> None:
    # 100 + 430 points win the match to 500, and the players begin a rematch.
    finished = start(options={"target": 500}, carried=(100, 0))
    finished.play(hand_of_430_and_60())
    rematch = finished.rematch()

    pad.actions.delete(finished.match, PHONE)

    # The data file linked both matches. The id of the deleted one is nowhere in it any more, and the
    # rematch can still be shown. It has no rematch itself.
    assert str(finished.match).encode() not in storage.path.read_bytes()
    assert rematch.state.rematch is None


@pytest.mark.parametrize(
    ("question", "side"),
    [
        # A draw out of turn costs 100 points, but it is not said which side drew.
        pytest.param({"kind": "penalty", "code": "draw-out-of-turn"}, None, id="no side"),
        # The question is whether three queens and three nines are enough to open.
        pytest.param(
            {"kind": "opening", "score": 1600, "melds": ["3xQ", "3x9"]}, 0, id="no penalty"
        ),
        # For an exposed card, the rules take no points from a side.
        pytest.param({"kind": "penalty", "code": "exposed-card"}, 0, id="no points"),
    ],
)
def test_kept_ruling_notes_no_penalty_without_side_or_points(
    table: Table, question: Mapping[str, Any], side: int | None
) -> None:
    # A player asks the referee during a hand, by the rules of the match and perhaps for a side, and
    # keeps the answer, the ruling, "with its penalty".
    open_hand = table.pad.open(table.match, PHONE)
    asking = Asking(question, table.state.rules.digest, open_hand.id, side)
    table.do(table.pad.actions.keep_ruling, asking, with_penalty=True)

    # The ruling is kept. There is no penalty to take points for in this hand.
    assert len(table.state.rulings) == 1
    assert table.state.noted_penalties == ()


@pytest.fixture
def match_of_50_minutes(start: Start) -> Iterator[Table]:
    """Start a match by house rules, which ends with the hand being played after 50 minutes.

    The rules are in `tests/rules/own/a-tempo.toml`. No score ends the match earlier.
    """
    offer_own_variants(Path(__file__).parents[1] / "rules" / "own")
    yield start(variant="a-tempo")
    offer_own_variants(None)


def hand_with_canastas(cards_of_noi: int) -> Hand:
    """Return a hand in which both sides have a canasta, worth 300, and Loro 200 points of cards."""
    return hand(
        side_counted(cards=cards_of_noi, mixed_canasta=1),
        side_counted(cards=200, mixed_canasta=1),
    )


def test_hand_being_played_when_time_is_up_ends_the_match(
    match_of_50_minutes: Table, clock: Clock
) -> None:
    # In each hand both sides have a canasta of 300 points. Here Noi ("we") get 550 points, 300 + 250
    # of other cards, and Loro ("they") 500, 300 + 200.
    match = match_of_50_minutes
    match.play(hand_with_canastas(cards_of_noi=250))

    # The time of the match is up while the second hand is being played.
    clock.now += timedelta(minutes=50)
    assert not match.state.status.finished

    # That hand is saved: Noi get 480 points, 300 + 180, and Loro 500 again.
    match.play(hand_with_canastas(cards_of_noi=180))

    # It ends the match. Noi, side 0, win with 550 + 480 = 1030 points to 1000.
    assert match.state.status.finished
    assert match.state.status.winner == 0


def test_hand_corrected_when_time_is_up_does_not_end_the_match(
    match_of_50_minutes: Table, clock: Clock
) -> None:
    match_of_50_minutes.play(hand_with_canastas(cards_of_noi=250))

    # The time is up while the second hand is being played. Somebody corrects the first one.
    clock.now += timedelta(minutes=55)
    match_of_50_minutes.correct(1, hand_with_canastas(cards_of_noi=240))

    assert not match_of_50_minutes.state.status.finished, "the second hand is being played"
