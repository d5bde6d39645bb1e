"""What was undone is done again; rematches make a series."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import ADMIN
from scorepad.matches.events import EndHow, Redo, Undo
from scorepad.matches.file_format import encode
from scorepad.matches.projection import MatchState
from scorepad.matches.transaction import Saved, Stale
from scorepad.schemas.fields import Unusable
from scorepad.storage import Storage
from tests.exported import export_file
from tests.matches.conftest import PHONE, TWO_AGAINST_TWO, Table, counted, hand, usual


def outcome(state: MatchState) -> tuple[Any, ...]:
    """What a match comes to, whatever its log."""
    scores = tuple(tuple(side.total for side in played.sides) for played in state.hands)
    remarks = tuple(played.remark for played in state.hands)
    return (
        scores,
        remarks,
        state.labels,
        state.status,
        tuple(entry.sequence for entry in state.undo_stack),
    )


def redone_kind(table: Table) -> str | None:
    again = table.state.redoable
    return None if again is None else str(again.event.kind)


def test_redo_goes_as_deep_as_undo_and_comes_to_the_same_match(table: Table) -> None:
    table.play(usual(), usual())
    table.pad.actions.remark(table.request(), table.match, PHONE, 1, "", "di corsa")
    table.correct(2, hand(counted(200), counted(100)))
    table.note(0)
    table.end(EndHow.BROKEN_OFF)
    passed = [outcome(table.state)]
    while table.state.undoable:
        assert isinstance(table.undo(), Saved)
        passed.append(outcome(table.state))
    for before in passed[-2::-1]:
        assert isinstance(table.redo(), Saved)
        assert outcome(table.state) == before
    assert table.state.redoable is None
    assert isinstance(table.redo(), Stale)


def test_anything_else_done_leaves_nothing_to_do_again(table: Table) -> None:
    table.play(usual())
    table.undo()
    assert redone_kind(table) == "hand"
    table.play(hand(counted(100), counted(50)))
    assert redone_kind(table) is None
    table.undo()  # and what was undone before that does not come back
    table.redo()
    assert redone_kind(table) is None
    assert table.totals == [100, 50]


def test_a_hand_changed_in_its_fields_is_not_done_again(table: Table) -> None:
    table.count(usual(), {"cards": "150"})
    table.undo()
    table.keep({"cards": "150", "left": " "})  # the same
    assert redone_kind(table) == "hand"
    table.keep({"cards": "160"})
    assert redone_kind(table) is None
    assert isinstance(table.redo(), Stale)
    assert table.state.open_hand is not None
    assert table.state.open_hand.draft == {"cards": "160"}


def test_a_hand_done_again_leaves_the_next_one_as_it_is_typed(table: Table) -> None:
    table.count(usual(), {"cards": "150"})
    table.keep({"cards": "7"})
    assert table.undo().keeps_typed
    assert isinstance(table.redo(), Saved)
    assert table.state.open_hand is not None
    assert (table.totals, table.state.open_hand.draft) == ([430, 60], {"cards": "7"})


def test_a_hand_done_again_is_no_longer_open(table: Table) -> None:
    table.count(usual(), {"cards": "150"})
    seen = table.pad.open(table.match, table.device)
    table.undo()
    stale = table.pad.open(table.match, table.device)
    table.redo()
    assert table.state.open_hand is None
    assert table.pad.open(table.match, table.device).id not in (seen.id, stale.id)
    assert isinstance(table.count(usual(), hand_id=stale.id, version=stale.version), Stale)


def test_what_was_typed_over_an_earlier_hand_undone_is_kept_when_a_later_one_is_done_again(
    table: Table,
) -> None:
    table.count(usual(), {"cards": "150"})
    table.count(usual(), {"cards": "250"})
    table.undo()
    table.keep({"cards": "260"})
    table.undo()
    table.redo()
    assert table.totals == [430, 60]
    assert redone_kind(table) is None  # it was typed in the place of this one


def test_a_hand_undone_has_its_noted_penalty_once_however_often(table: Table) -> None:
    table.note(0)
    table.count(usual(), {"a.cards": "150"})
    assert table.state.noted_penalties == ()
    table.undo()
    assert len(table.state.noted_penalties) == 1
    assert table.state.open_hand is not None
    assert table.state.open_hand.draft == {"a.cards": "150"}
    table.redo()
    assert table.totals == [330, 60]
    table.undo()
    table.count(usual(), {"a.cards": "150"})
    assert table.totals == [330, 60]


def test_the_log_says_what_was_undone_and_done_again(pad: Pad, table: Table) -> None:
    table.play(usual())
    table.correct(1, hand(counted(200), counted(100)))
    table.undo()
    table.redo()
    log = pad.records.audit(table.match, PHONE)
    assert [each.event for each in log[-2:]] == [Undo(3, "correction", 1), Redo(4, "correction", 1)]
    assert [each.undone for each in log] == [None] * 5
    table.correct(1, hand(counted(300), counted(100)))
    before = pad.records.audit(table.match, PHONE)[-1].before
    assert [side.points for side in before.sides] == [200, 100]
    assert pad.records.list_kinds_since(table.match, PHONE, 4) == ("correction", "correction")


def test_a_match_with_a_redo_is_exported_and_imported(
    pad: Pad, table: Table, tmp_path: Any
) -> None:
    table.play(usual(), usual())
    table.undo()
    table.undo()
    table.redo()
    source = export_file(pad, table.match, PHONE)
    with Storage(tmp_path / "other.db") as storage:
        other = Pad(storage)
        other.imports.import_file(source, ADMIN)
        taken = other.state(table.match, ADMIN)
        assert outcome(taken) == outcome(table.state)
        assert taken.redoable is not None
        assert taken.redoable.sequence == 3


@pytest.mark.parametrize("change", [{"entry": 4}, {"entry": 2}, {"kind": "rename"}])
def test_a_redo_of_something_else_is_not_imported(
    pad: Pad, table: Table, change: dict[str, Any]
) -> None:
    table.play(usual(), usual())
    table.undo()
    table.undo()
    table.redo()
    data = json.loads(export_file(pad, table.match, PHONE))
    data["matches"][0]["entries"][-1]["payload"] |= change
    with pytest.raises(Unusable):
        pad.imports.import_file(encode(data["rulesets"], data["matches"]), ADMIN)


# ------------------------------------------------------------------------------------------- series

WON, LOST, EVEN = (hand(counted(a), counted(b)) for a, b in ((900, 0), (0, 900), (9, 9)))


@pytest.fixture
def won(start: Callable[..., Table]) -> Table:
    """A short match that the first side won."""
    table = start(replace(TWO_AGAINST_TWO, options={"target": 500}))
    table.play(WON)
    return table


def series(table: Table) -> tuple[tuple[int, ...], int, int | None]:
    found = table.pad.records.find_series(table.state)
    return found.won, found.best_of, found.winner


@pytest.mark.parametrize(("best_of", "wins"), [(3, 2), (5, 3)])
def test_a_series_agreed_ends_with_more_than_half_of_its_matches(
    won: Table, best_of: int, wins: int
) -> None:
    table = won
    for number in range(1, wins):
        table = table.rematch(best_of)
        assert series(table) == ((number, 0), best_of, None)
        table.play(WON)
    assert series(table) == ((wins, 0), best_of, 0)
    assert series(table.rematch()) == ((0, 0), 0, None)  # another one begins


def test_a_series_cannot_be_agreed_shorter_than_it_is(pad: Pad, won: Table) -> None:
    second = won.rematch()
    second.play(WON)
    assert pad.records.find_series(second.state).lengths == (5,)
    assert series(second.rematch(3)) == ((2, 0), 0, None)


def test_a_result_put_right_later_counts_in_the_series(won: Table) -> None:
    second = won.rematch(3)
    won.correct(1, LOST)
    assert series(second) == ((0, 1), 3, None)


def test_a_match_deleted_counts_no_longer(pad: Pad, won: Table) -> None:
    second = won.rematch(3)
    pad.actions.delete(won.match, PHONE)
    assert series(second) == ((0, 0), 3, None)
