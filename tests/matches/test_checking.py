"""One side counts and the other checks: confirmed, contested, chosen, undone."""

from __future__ import annotations

import threading
from collections import Counter
from typing import Any

import pytest

from scorepad.matches.access import Access, DeviceId, RequestId
from scorepad.matches.hands import OwnHand, SentHand, ShownCounts
from scorepad.matches.transaction import ReasonWanted, Saved, Stale
from scorepad.rules.hand import Hand
from tests.matches.conftest import (
    PHONE,
    TABLET,
    Table,
    counted,
    hand,
    usual,
)

LOOKER = DeviceId("looker")


@pytest.fixture
def checked(table: Table) -> Table:
    """A match in which one side counts on the phone and the other checks on the tablet."""
    table.let_in(TABLET)
    table.pad.checking.switch(RequestId("on"), table.match, PHONE, on=True)
    return table


def stands(table: Table) -> int:
    """The entry of the counting of the first hand that holds."""
    return table.state.hands[0].versions[-1].sequence


def confirm(table: Table, device: DeviceId = TABLET, name: str = "confirm") -> Saved | Stale:
    return table.pad.checking.confirm(RequestId(name), table.match, device, 1, stands(table))


def contest(table: Table, played: Hand) -> Any:
    sent = SentHand(hand=played)
    request = RequestId("contest")
    return table.pad.checking.contest(request, table.match, TABLET, 1, stands(table), sent)


def otherwise() -> Hand:
    """The usual hand, where they made 10 more: 430, and 110 − 40 = 70."""
    return hand(counted(150, 20, mixed_canasta=1), counted(110, 40))


def test_a_hand_counted_before_checking_was_turned_on_does_not_wait(table: Table) -> None:
    table.play(usual())
    table.pad.checking.switch(RequestId("on"), table.match, PHONE, on=True)
    table.play(usual())
    assert [shown.waits for shown in table.state.hands] == [False, True]


def test_neither_who_counted_a_hand_nor_another_phone_of_that_side_confirms_it(
    checked: Table,
) -> None:
    checked.pad.devices.set_side_and_holder(checked.match, PHONE, 0)
    checked.pad.devices.set_side_and_holder(checked.match, TABLET, 0)
    checked.play(usual())
    with pytest.raises(OwnHand):
        confirm(checked, PHONE)
    assert checked.pad.checking.can_check(checked.match, TABLET) == (False,)
    with pytest.raises(OwnHand):
        confirm(checked)
    checked.pad.devices.set_side_and_holder(checked.match, TABLET, 1)
    assert checked.pad.checking.can_check(checked.match, TABLET) == (True,)
    assert isinstance(confirm(checked), Saved)


@pytest.mark.parametrize(
    "note", ["", "   ", "\u200b", "\u3164", "\u2800", "\u00ad", "\u2060", "\x00"]
)
def test_what_was_confirmed_is_changed_only_with_a_reason_that_people_see(
    checked: Table, note: str
) -> None:
    checked.play(usual())
    confirm(checked)
    assert isinstance(checked.correct(1, otherwise(), note), ReasonWanted)
    assert isinstance(checked.undo(note), ReasonWanted)
    assert checked.totals == [430, 60]


def test_a_correction_keeps_its_reason_without_marks_that_turn_it_and_waits_again(
    checked: Table,
) -> None:
    checked.play(usual())
    confirm(checked)
    assert isinstance(checked.correct(1, otherwise(), " contata\n male \u202e\x1b\x00"), Saved)
    assert checked.state.hands[0].versions[-1].event.reason == "contata male"
    assert checked.state.hands[0].waits
    assert checked.totals == [430, 70]


def test_a_contested_hand_cannot_be_confirmed(checked: Table) -> None:
    checked.play(usual())
    contest(checked, otherwise())
    assert isinstance(confirm(checked), Stale)


@pytest.mark.parametrize(("which", "totals"), [(0, [430, 60]), (1, [430, 70])])
def test_of_two_countings_the_chosen_one_holds_until_the_choice_is_undone(
    checked: Table, which: int, totals: list[int]
) -> None:
    checked.play(usual())
    contest(checked, otherwise())
    contested = checked.state.hands[0].contest
    assert contested is not None
    shown = ShownCounts(stands(checked), contested.sequence)
    own, other = (PHONE, TABLET) if which == 0 else (TABLET, PHONE)
    assert checked.pad.checking.may_choose(checked.match, own, 1) == (which == 1, which == 0)
    with pytest.raises(OwnHand):
        checked.pad.checking.choose(RequestId("own"), checked.match, own, 1, shown, shown[which])
    chosen = RequestId("choose"), checked.match, other, 1
    assert isinstance(checked.pad.checking.choose(*chosen, shown, shown[which]), Saved)
    assert checked.totals == totals
    state = checked.state.hands[0]
    assert (state.contest, state.confirmed is not None) == (None, True)
    checked.undo("guardiamo meglio")
    assert checked.totals == [430, 60]
    assert checked.state.hands[0].contest is not None


def test_a_correction_leaves_the_other_sides_count_beside_it(checked: Table) -> None:
    checked.play(usual())
    contest(checked, otherwise())
    checked.correct(1, hand(counted(150, 20, mixed_canasta=1), counted(120, 40)))
    assert checked.totals == [430, 80]
    shown = checked.state.hands[0].contest
    assert shown is not None
    assert [sum(line.points for line in lines) for lines in shown.event.lines] == [430, 70]


def test_a_choice_between_countings_that_were_not_shown_is_stale(checked: Table) -> None:
    checked.play(usual())
    contest(checked, otherwise())
    stood = stands(checked)
    answer = checked.pad.checking.choose(
        RequestId("choose"), checked.match, PHONE, 1, ShownCounts(stood, stood), stood
    )
    assert isinstance(answer, Stale)
    assert checked.totals == [430, 60]
    assert checked.state.hands[0].contest is not None


def test_a_correction_keeps_a_note_on_the_hand_that_was_written_meanwhile(checked: Table) -> None:
    checked.play(usual())
    seen = stands(checked)
    checked.pad.actions.remark(RequestId("n"), checked.match, TABLET, 1, "", "importante")
    checked.pad.correct(
        RequestId("r"), checked.match, PHONE, 1, seen, SentHand(hand=otherwise(), remark="")
    )
    assert checked.state.hands[0].remark == "importante"
    both = checked.pad.correct(
        RequestId("s"),
        checked.match,
        PHONE,
        1,
        stands(checked),
        SentHand(hand=usual(), remark="altro"),
    )
    assert isinstance(both, Saved)  # the note was seen, and changed


def test_where_nobody_checks_any_more_an_old_page_confirms_nothing(checked: Table) -> None:
    checked.play(usual())
    checked.pad.checking.switch(RequestId("off"), checked.match, PHONE, on=False)
    assert isinstance(confirm(checked), Stale)


RACES = 200


def test_a_confirmation_and_an_edit_at_once_never_confirm_what_was_not_shown(
    checked: Table,
) -> None:
    checked.play(usual())
    winners = Counter(_race(checked, race) for race in range(RACES))
    assert winners.keys() == {"confirm", "edit"}, "both orders were met"


def _race(table: Table, race: int) -> str:
    """Both have seen the same counting: one confirms it while the other corrects it, without a
    note. Which came first.
    """
    seen = stands(table)
    played = hand(counted(150, 20, mixed_canasta=1), counted(100 + 5 * (race % 7), 40))
    gate, answers = threading.Barrier(2), {}

    def confirms() -> None:
        gate.wait()
        request = RequestId(f"confirm-{race}")
        answers["confirm"] = table.pad.checking.confirm(request, table.match, TABLET, 1, seen)

    def edits() -> None:
        gate.wait()
        answers["edit"] = table.correct(1, played, entry=seen)

    threads = [threading.Thread(target=confirms), threading.Thread(target=edits)]
    for thread in threads[:: 1 if race % 2 else -1]:
        thread.start()
    for thread in threads:
        thread.join()
    shown = table.state.hands[0]
    is_edited = isinstance(answers["edit"], Saved)
    assert (shown.versions[-1].sequence > seen) is is_edited
    assert (shown.confirmed is None) is is_edited
    if is_edited:
        assert isinstance(answers["confirm"], Stale)
        return "edit"
    assert isinstance(answers["confirm"], Saved)
    assert isinstance(answers["edit"], ReasonWanted)
    table.undo("di nuovo")
    return "confirm"


def test_the_same_confirmation_sent_twice_or_by_two_phones_is_one(checked: Table) -> None:
    checked.play(usual())
    checked.let_in(LOOKER, Access.VIEW)
    assert checked.pad.checking.can_check(checked.match, LOOKER) == (False,)
    first, again = confirm(checked), confirm(checked)
    assert isinstance(first, Saved)
    assert isinstance(again, Saved)
    assert (first.again, again.again) == (False, True)
    assert isinstance(confirm(checked, name="another"), Saved)
    assert checked.state.sequence == 4  # start, switch, hand, confirmation
