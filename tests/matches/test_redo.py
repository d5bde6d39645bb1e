"""What was undone is done again; rematches make a series."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import ADMIN
from scorepad.matches.events import Redo, Undo
from scorepad.matches.file_format import encode
from scorepad.matches.transaction import Stale
from scorepad.schemas.fields import Unusable
from tests.exported import export_file
from tests.matches.conftest import PHONE, TWO_AGAINST_TWO, Table, counted, hand, usual


def test_a_hand_changed_in_its_fields_is_not_done_again(table: Table) -> None:
    table.count(usual(), {"cards": "150"})
    table.undo()
    table.keep({"cards": "150", "left": " "})  # the same
    assert table.state.redoable is not None
    table.keep({"cards": "160"})
    assert isinstance(table.redo(), Stale)
    assert table.state.open_hand is not None
    assert table.state.open_hand.draft == {"cards": "160"}


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


def test_a_series_cannot_be_agreed_shorter_than_it_is(pad: Pad, won: Table) -> None:
    second = won.rematch()
    second.play(WON)
    assert pad.records.find_series(second.state).lengths == (5,)
    assert series(second.rematch(3)) == ((2, 0), 0, None)


def test_a_result_put_right_later_counts_in_the_series(won: Table) -> None:
    second = won.rematch(3)
    won.correct(1, LOST)
    assert series(second) == ((0, 1), 3, None)
