"""What else happens to a match, where no page shows it: ends agreed and taken back, totals that only
programs send, penalties against a count, and who has a rematch.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import Access, DeviceId, RequestId
from scorepad.matches.events import EndHow
from scorepad.matches.hands import SentHand, ShownDraft
from scorepad.matches.names import NamesRefused
from scorepad.matches.transaction import Saved, Stale
from scorepad.schemas import Unusable
from tests.matches.conftest import PHONE, TABLET, TWO_AGAINST_TWO, Table, counted, hand, usual

LOOKER = DeviceId("looker")
ALMOST_OVER = replace(TWO_AGAINST_TWO, options={"target": 500}, carried=(100, 0))
"""A match that the usual hand ends."""
Start = Callable[..., Table]


@pytest.fixture
def over(start: Start) -> Table:
    """A match that is over by its rules, with a tablet that writes and a device that looks."""
    table = start(ALMOST_OVER)
    table.let_in(TABLET)
    table.let_in(LOOKER, Access.VIEW)
    table.play(usual())
    return table


# --------------------------------------------------------------------------------------------- ends


def test_an_end_by_the_rules_comes_before_the_agreed_one(start: Start) -> None:
    table = start(ALMOST_OVER)
    table.end(EndHow.HANDS, hands=1)
    assert not table.state.status.finished
    table.play(usual())
    assert table.state.status.finished
    assert not table.state.ended_early


def test_a_correction_after_an_agreed_end_changes_who_won(table: Table) -> None:
    table.play(usual())
    table.end(EndHow.TIME)
    table.correct(1, hand(counted(100, 40), counted(150, 20, mixed_canasta=1)))
    assert table.state.status.winner == 1


def test_an_end_agreed_is_taken_back_even_after_another_hand(table: Table) -> None:
    table.end(EndHow.HANDS, hands=2)
    table.play(usual())
    table.end(EndHow.BY_RULES)
    table.play(usual())
    assert not table.state.status.finished
    assert table.state.ending is None


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


# ---------------------------------------------------------------------------------------- penalties


def test_a_penalty_is_taken_back_whatever_was_done_since_until_the_hand_is_counted(
    pad: Pad, table: Table
) -> None:
    table.note(0)
    table.note(1)
    first, second = (each.entry for each in table.state.noted_penalties)
    take_back = pad.actions.take_back_penalty
    assert isinstance(take_back(table.request(), table.match, PHONE, first), Saved)
    assert [each.entry for each in table.state.noted_penalties] == [second]
    assert isinstance(take_back(table.request(), table.match, PHONE, first), Stale)
    table.play(usual())
    assert table.totals == [430, -40]
    assert isinstance(take_back(table.request(), table.match, PHONE, second), Stale)


def test_a_hand_is_not_counted_with_penalties_that_its_page_did_not_show(
    pad: Pad, table: Table
) -> None:
    table.note(0)
    coming = pad.open(table.match, PHONE)
    sent = SentHand(hand=usual(), draft={})
    before, after = ShownDraft(coming.id, 0, ()), ShownDraft(coming.id, 0, (2,))
    assert isinstance(pad.count(table.request(), table.match, PHONE, before, sent), Stale)
    assert isinstance(pad.count(table.request(), table.match, PHONE, after, sent), Saved)
    assert table.totals == [330, 60]


def test_a_penalty_noted_for_a_side_that_is_counted_by_a_sum_is_not_lost(table: Table) -> None:
    table.note(0)
    with pytest.raises(Unusable) as refused:
        table.count(hand({"sum": 430}, {"sum": 60}))
    assert (refused.value.reason, refused.value.key) == ("unusable.sum-noted", "sides/a/sum")
    assert table.state.hands == []


# ----------------------------------------------------------------------------------------- rematch


def test_whoever_begins_the_rematch_owns_it_and_the_others_come_along(
    pad: Pad, over: Table
) -> None:
    begun = replace(over, device=TABLET).rematch()
    assert begun.keys.write
    fresh = begun.state
    assert (fresh.status.target, fresh.begins.carried, fresh.begins.dealer) == (500, (), (1, 0))
    accesses = [pad.access(begun.match, device) for device in (TABLET, PHONE, LOOKER)]
    assert accesses == [Access.OWN, Access.WRITE, Access.VIEW]
    assert over.rematch().match == begun.match == over.state.rematch


def test_a_deleted_match_leaves_not_even_its_name_with_its_rematch(
    pad: Pad, storage: Any, over: Table
) -> None:
    begun = over.rematch()
    pad.actions.delete(over.match, PHONE)
    assert str(over.match).encode() not in storage.path.read_bytes()
    assert pad.state(begun.match, PHONE).rematch is None


def test_the_rematch_of_a_deleted_rematch_can_begin_again(pad: Pad, over: Table) -> None:
    first = over.rematch()
    pad.actions.delete(first.match, PHONE)
    assert over.state.rematch is None
    assert over.rematch().match != first.match


def test_a_rematch_goes_on_checking_where_hands_were_checked(pad: Pad, over: Table) -> None:
    pad.checking.switch(RequestId("on"), over.match, PHONE, on=True)
    fresh = over.rematch()
    fresh.play(hand(counted(60), counted(60)))
    assert fresh.state.hands[0].waits


def test_who_was_put_out_of_a_rematch_does_not_come_in_by_the_match_before(
    pad: Pad, over: Table
) -> None:
    begun = over.rematch()
    pad.devices.withdraw_key(begun.match, PHONE, Access.WRITE)
    assert isinstance(pad.actions.rematch(RequestId("s"), over.match, TABLET), Stale)
    assert pad.access(begun.match, TABLET) is Access.NONE
