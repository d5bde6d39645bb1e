"""One side counts and the other checks. What the countings come to is in `tests/model`; here is what
it cannot show: reasons that people see, and two phones at once.
"""

from __future__ import annotations

import threading
from collections import Counter

import pytest

from scorepad.matches.access import RequestId
from scorepad.matches.hands import OwnHand, ShownCounts
from scorepad.matches.transaction import ReasonWanted, Saved, Stale
from tests.matches.conftest import TABLET, Table, counted, hand, usual


@pytest.fixture
def checked(table: Table) -> Table:
    """A match in which one side counts on the phone and the other checks on the tablet."""
    table.let_in(TABLET)
    table.check()
    return table


@pytest.mark.parametrize(
    "note", ["", "   ", "\u200b", "\u3164", "\u2800", "\u00ad", "\u2060", "\x00"]
)
def test_what_was_confirmed_is_changed_only_with_a_reason_that_people_see(
    checked: Table, note: str
) -> None:
    checked.play(usual())
    checked.let_in(TABLET).confirm()
    assert isinstance(checked.correct(1, usual(), note), ReasonWanted)
    assert isinstance(checked.undo(note), ReasonWanted)
    assert isinstance(checked.correct(1, usual(), " contata\n male \u202e\x1b\x00"), Saved)
    assert checked.state.hands[0].versions[-1].event.reason == "contata male"


def test_of_two_countings_that_were_shown_nobody_chooses_their_own(checked: Table) -> None:
    checked.play(usual())
    other, ours = checked.let_in(TABLET), checked.entry()
    other.contest(hand(counted(150, 20, mixed_canasta=1), counted(110, 40)))
    contested = checked.state.hands[0].contest
    assert contested is not None
    assert isinstance(checked.choose(ShownCounts(ours, ours), ours), Stale)
    shown = ShownCounts(ours, contested.sequence)
    with pytest.raises(OwnHand):
        checked.choose(shown, shown.in_force)
    with pytest.raises(OwnHand):
        other.choose(shown, shown.contest)


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
    seen = table.entry()
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
