"""Exports of an earlier version, which wrote noted penalties into the typed fields of the hand."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, MatchId, RequestId
from scorepad.matches.projection import MatchState
from scorepad.storage import Storage
from tests.hands_read import hand_of
from tests.matches.conftest import Table

EXPORTS = Path(__file__).parents[1] / "exports"
NOTED, TYPED_OVER, COUNTED, UNDONE = map(
    MatchId, ("hhyk28n8me", "jfpn2p9967", "6etg2n8zah", "a9axxertkf")
)
"""The matches of `noted-penalties`."""
FIELD = "b.penalties.draw-out-of-turn"


def imported(pad: Pad, name: str) -> tuple[MatchId, ...]:
    file = gzip.decompress((EXPORTS / f"{name}.json.gz").read_bytes())
    return tuple(pad.imports.import_file(file, ADMIN).taken)


@pytest.fixture
def taken(tmp_path: Path) -> Iterator[Pad]:
    """A pad that imported `noted-penalties`."""
    with Storage(tmp_path / "taken.db") as storage:
        pad = Pad(storage)
        imported(pad, "noted-penalties")
        yield pad


def penalties(state: MatchState) -> list[tuple[int, str, int | None]]:
    return [(each.side, each.code, each.points) for each in state.noted_penalties]


def typed(state: MatchState) -> dict[str, str]:
    return dict(state.open_hand.draft) if state.open_hand else {}


def undo(pad: Pad, match: MatchId, times: int = 1) -> MatchState:
    for time in range(times):
        pad.undo(RequestId(f"undo-{time}"), match, ADMIN, pad.state(match, ADMIN).sequence)
    return pad.state(match, ADMIN)


def test_penalties_of_the_hand_being_played_stand_in_the_log_alone(taken: Pad) -> None:
    state = taken.state(NOTED, ADMIN)
    assert penalties(state) == [
        (1, "draw-out-of-turn", None),
        (1, "draw-out-of-turn", None),
        (0, "house", 50),
        (0, "draw-out-of-turn", None),
    ]
    assert typed(state) == {"a.cards": "150"}
    assert penalties(undo(taken, NOTED))[-1] == (0, "house", 50)


def test_a_penalty_that_was_typed_over_counts_as_it_is_typed(taken: Pad) -> None:
    state = taken.state(TYPED_OVER, ADMIN)
    assert (penalties(state), typed(state)) == ([], {FIELD: "3"})


def test_penalties_of_a_counted_hand_count_as_before(taken: Pad) -> None:
    state = taken.state(COUNTED, ADMIN)
    assert [side.total for side in state.sides] == [430, -140]
    assert [kept.event.number for kept in state.rulings] == [1, 2]
    state = undo(taken, COUNTED, 2)  # the ruling, and the hand
    assert penalties(state) == [(1, "draw-out-of-turn", None)] * 2
    assert FIELD not in typed(state)


def test_a_hand_that_was_undone_has_its_penalty_once(taken: Pad) -> None:
    state = taken.state(UNDONE, ADMIN)
    assert penalties(state) == [(1, "draw-out-of-turn", None)]
    assert typed(state) == {
        "a.canastas.mixed-canasta": "1",
        "a.cards": "150",
        "b.cards": "100",
        "a.left": "20",
        "b.left": "40",
        "out": "nobody",
    }
    taken.redo(RequestId("redo"), UNDONE, ADMIN, state.sequence)
    assert [side.total for side in taken.state(UNDONE, ADMIN).sides] == [430, -40]


def test_an_open_hand_with_noted_penalties_counts_each_once(pad: Pad) -> None:
    (match,) = imported(pad, "open-hand")
    state = pad.state(match, ADMIN)
    assert typed(state) == {}
    assert penalties(state) == [
        (1, "draw-out-of-turn", None),
        (1, "draw-out-of-turn", None),
        (0, "house", 25),
    ]
    table = Table(pad, match, ADMIN)
    us, them = table.totals
    table.play(hand_of({"sides": {}, "out": None}))
    assert table.totals == [us - 25, them - 200]
