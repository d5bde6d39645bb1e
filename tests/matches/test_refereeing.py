"""Rulings kept with a match: when their penalty is noted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from scorepad.matches.actions import Asking
from tests.matches.conftest import Table

OPENING = {"kind": "opening", "score": 1600, "melds": ["3xQ", "3x9"]}
DRAW_OUT_OF_TURN = {"kind": "penalty", "code": "draw-out-of-turn"}
EXPOSED_CARD = {"kind": "penalty", "code": "exposed-card"}


@pytest.mark.parametrize(
    ("question", "side"),
    [(DRAW_OUT_OF_TURN, None), (OPENING, 0), (EXPOSED_CARD, 0)],
    ids=["that nobody takes", "of a ruling without one", "that costs no points"],
)
def test_a_penalty_is_not_noted(
    table: Table, question: Mapping[str, Any], side: int | None
) -> None:
    hand = table.pad.open(table.match, table.device)
    asking = Asking(question, table.state.rules.digest, hand.id, side)
    table.pad.actions.keep_ruling(
        table.request(), table.match, table.device, asking, with_penalty=True
    )
    assert len(table.state.rulings) == 1
    assert table.state.noted_penalties == ()
