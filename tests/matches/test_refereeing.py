"""Rulings kept with a match: frozen as they were answered, with their penalty, told everywhere,
taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from scorepad.i18n import words
from scorepad.matches.access import RequestId
from scorepad.matches.actions import Asking
from scorepad.matches.transaction import Saved
from scorepad.sheets.match_sheet import MatchSheet
from tests.matches.conftest import TWO_AGAINST_TWO, Table

SHORT = {"kind": "opening", "score": 1600, "melds": ["3xQ", "3x9"]}
"""Thirty and thirty points where ninety are needed (W, L'apertura)."""
OUT_OF_TURN = {"kind": "penalty", "code": "draw-out-of-turn"}


def asking(
    table: Table, question: Mapping[str, Any] = SHORT, side: int | None = 0, **other: str
) -> Asking:
    told = {
        "rules": table.state.rules.digest,
        "hand_id": table.pad.open(table.match, table.device).id,
        **other,
    }
    return Asking(question, told["rules"], told["hand_id"], side)


def keep(
    table: Table,
    asked: Asking | None = None,
    *,
    with_penalty: bool = False,
    request: RequestId | None = None,
) -> Any:
    return table.pad.actions.keep_ruling(
        request or table.request(),
        table.match,
        table.device,
        asked or asking(table),
        with_penalty=with_penalty,
    )


def noted(table: Table) -> list[tuple[int, str]]:
    return [(each.side, each.code) for each in table.state.noted_penalties]


def test_a_ruling_is_kept_with_the_hand_that_is_being_played(table: Table) -> None:
    assert isinstance(keep(table), Saved)
    kept = table.state.rulings[0].event
    ruling = kept.answer.ruling
    assert (kept.number, kept.side, kept.question["kind"], ruling.verdict) == (
        1,
        0,
        "opening",
        "forbidden",
    )
    assert kept.question == SHORT
    assert ruling.details == {"minimum": 90, "counted": 60, "missing": 30}
    reason = ruling.reasons[0]
    assert reason.code == "opening-below-minimum"
    assert "W:L'apertura" in reason.sources
    assert (kept.code, kept.points) == (None, None)


@pytest.mark.parametrize(
    ("question", "side", "with_penalty"),
    [
        (OUT_OF_TURN, None, False),
        (SHORT, 0, True),
        ({"kind": "penalty", "code": "exposed-card"}, 0, True),
    ],
    ids=["that nobody takes", "of a ruling without one", "that costs no points"],
)
def test_a_penalty_is_not_noted(
    table: Table, question: Mapping[str, Any], side: int | None, with_penalty: bool
) -> None:
    keep(table, asking(table, question, side=side), with_penalty=with_penalty)
    assert table.state.rulings[0].event.points is None
    assert noted(table) == []


def test_the_sheet_tells_the_ruling_with_its_reason_its_source_and_its_penalty(
    table: Table,
) -> None:
    keep(table, asking(table, OUT_OF_TURN, side=1), with_penalty=True)
    (ruling,) = MatchSheet(table.state, words("it")).footnotes.rulings
    assert (ruling.number, ruling.text) == (1, "Pescata fuori turno: −100")
    assert "100 punti" in ruling.reasons[0][0]
    assert "Calcolo delle penalità" in ruling.reasons[0][1]
    assert ruling.detail.endswith("Penalità: Eva–Ivo, −100")


def test_hands_on_paper_count_in_the_number_of_a_ruling(start: Callable[..., Table]) -> None:
    table = start(replace(TWO_AGAINST_TWO, carried=(1480, 65), played=3))
    keep(table)
    assert table.state.rulings[0].event.number == 1
    assert MatchSheet(table.state, words("it")).footnotes.rulings[0].number == 4
