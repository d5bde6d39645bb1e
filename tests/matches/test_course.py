"""What else happens to a match, where no page shows it: totals that only programs send, what a
deleted match leaves behind, and penalties taken back late.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import Access, RequestId
from scorepad.matches.names import NamesRefused
from scorepad.matches.transaction import Saved, Stale
from scorepad.storage import Storage
from tests.matches.conftest import PHONE, TABLET, TWO_AGAINST_TWO, Table, usual

ALMOST_OVER = replace(TWO_AGAINST_TWO, options={"target": 500}, carried=(100, 0))
"""A match that the usual hand ends."""


@pytest.mark.parametrize(
    ("carried", "codes"),
    [((10_000_000, 0), ["carried-too-large", "carried-over"]), ((100,), ["carried-number"])],
)
def test_totals_that_only_a_program_can_send_are_refused(
    pad: Pad, carried: tuple[int, ...], codes: list[str]
) -> None:
    new = replace(TWO_AGAINST_TWO, carried=carried)
    answer = pad.actions.start(RequestId("s"), PHONE, new)
    assert isinstance(answer, NamesRefused)
    assert [problem.code for problem in answer.problems] == codes


def test_a_deleted_match_leaves_not_even_its_name_with_its_rematch(
    pad: Pad, storage: Storage, start: Callable[..., Table]
) -> None:
    over = start(ALMOST_OVER)
    over.play(usual())
    begun = over.rematch()
    pad.actions.delete(over.match, PHONE)
    assert str(over.match).encode() not in storage.path.read_bytes()
    assert pad.state(begun.match, PHONE).rematch is None


def test_who_was_put_out_of_a_rematch_does_not_come_in_by_the_match_before(
    pad: Pad, start: Callable[..., Table]
) -> None:
    over = start(ALMOST_OVER)
    over.let_in(TABLET)
    over.play(usual())
    begun = over.rematch()
    pad.devices.withdraw_key(begun.match, PHONE, Access.WRITE)
    assert isinstance(pad.actions.rematch(RequestId("s"), over.match, TABLET), Stale)
    assert pad.access(begun.match, TABLET) is Access.NONE


def test_a_penalty_is_taken_back_once_and_not_after_its_hand_was_counted(
    pad: Pad, table: Table
) -> None:
    table.note(0)
    table.note(1)
    first, second = (each.entry for each in table.state.noted_penalties)
    take_back = pad.actions.take_back_penalty
    assert isinstance(take_back(table.request(), table.match, PHONE, first), Saved)
    assert isinstance(take_back(table.request(), table.match, PHONE, first), Stale)
    table.play(usual())
    assert table.totals == [430, -40]
    assert isinstance(take_back(table.request(), table.match, PHONE, second), Stale)
