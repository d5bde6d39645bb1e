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
from scorepad.matches.events import EndHow
from scorepad.matches.transaction import MatchOver, Saved, Stale
from scorepad.schemas import Unusable
from scorepad.sheets.match_sheet import MatchSheet
from tests.matches.conftest import FIVE_HANDS, TWO_AGAINST_TWO, Table, counted, hand

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


def take_back(table: Table, entry: int) -> Any:
    return table.pad.actions.take_back_ruling(table.request(), table.match, table.device, entry)


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


def test_where_the_answer_would_be_another_is_kept_as_well(table: Table) -> None:
    natural_and_wild = {
        "kind": "pile",
        "top": "K",
        "frozen": True,
        "opened": True,
        "with": ["2xK 2"],
    }
    keep(table, asking(table, natural_and_wild))
    kept = table.state.rulings[0].event
    assert kept.answer.ruling.verdict == "forbidden"
    assert {each.preset for each in kept.answer.others} == {"enciclopedia"}


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


def test_a_ruling_about_another_hand_or_by_other_rules_is_stale_and_none_after_the_end(
    table: Table,
) -> None:
    asked = asking(table)
    table.play(FIVE_HANDS[0])
    assert isinstance(keep(table, asked), Stale)
    assert isinstance(keep(table, asking(table, rules="other")), Stale)
    asked = asking(table)
    table.end(EndHow.BROKEN_OFF)
    with pytest.raises(MatchOver):
        keep(table, asked)
    assert table.state.rulings == []


def test_sent_again_with_another_question_it_is_stale(table: Table) -> None:
    name = table.request()
    keep(table, asking(table), request=name)
    assert isinstance(keep(table, asking(table, OUT_OF_TURN), request=name), Stale)


def test_what_is_no_question_is_told_as_such(table: Table) -> None:
    with pytest.raises(Unusable):
        keep(table, asking(table, {"kind": "opening", "melds": "3xQ"}))
    assert table.state.rulings == []


def test_a_ruling_is_taken_back_whatever_was_done_since_and_a_counted_hand_keeps_its_penalty(
    table: Table,
) -> None:
    keep(table)
    keep(table, asking(table, OUT_OF_TURN, side=1), with_penalty=True)
    first, second = table.state.rulings
    assert isinstance(take_back(table, first.sequence), Saved)
    assert (table.state.rulings, noted(table)) == ([second], [(1, "draw-out-of-turn")])
    assert isinstance(take_back(table, first.sequence), Stale)
    table.play(hand(counted(60), counted(60)))
    assert isinstance(take_back(table, second.sequence), Saved)
    assert (table.state.rulings, table.totals) == ([], [60, -40])


def test_a_ruling_stays_with_its_hand_when_that_is_counted_and_undone(table: Table) -> None:
    keep(table)
    table.play(FIVE_HANDS[0])
    keep(table, asking(table, OUT_OF_TURN, side=1))
    assert [kept.event.number for kept in table.state.rulings] == [1, 2]
    table.undo()
    table.undo()
    assert [kept.event.number for kept in table.state.rulings] == [1]


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
