"""One side counts and the other checks: confirmed, contested, chosen, undone."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import DeviceId, MatchId, NotAllowed, RequestId
from scorepad.matches.hands import OwnHand, SentHand, ShownCounts, ShownDraft
from scorepad.matches.transaction import ReasonWanted, Saved, Stale
from scorepad.storage import Storage
from tests.matches.conftest import (
    PHONE,
    TABLET,
    TWO_AGAINST_TWO,
    Clock,
    Table,
    counted,
    hand,
    usual,
)

LOOKER = DeviceId("looker")


@pytest.fixture
def checked(pad: Pad) -> Table:
    """A match in which one side counts on the phone and the other checks on the tablet."""
    started = pad.actions.start(RequestId("start"), PHONE, TWO_AGAINST_TWO)
    assert isinstance(started, Saved)
    assert started.keys is not None
    pad.devices.enter(started.keys.write, TABLET)
    pad.devices.enter(started.keys.view, LOOKER)
    pad.checking.switch(RequestId("on"), started.match, PHONE, on=True)
    return Table(pad, started.match)


def stands(table: Table, number: int = 1) -> int:
    """The entry of the counting of a hand that holds."""
    return table.state.hands[number - 1].versions[-1].sequence


def confirm(
    table: Table, device: DeviceId = TABLET, number: int = 1, name: str = "confirm"
) -> Saved | Stale:
    return table.pad.checking.confirm(
        RequestId(name), table.match, device, number, stands(table, number)
    )


def contest(table: Table, played: Mapping[str, Any], note: str = "") -> Any:
    seen = stands(table)
    return table.pad.checking.contest(
        RequestId("contest"), table.match, TABLET, 1, seen, SentHand(hand=played, reason=note)
    )


def otherwise() -> dict[str, Any]:
    """The usual hand, where they made 10 more: 430, and 110 − 40 = 70."""
    return hand(counted(150, 20, mixed_canasta=1), counted(110, 40))


def test_a_hand_waits_until_the_other_side_confirms_it(checked: Table) -> None:
    checked.play(usual())
    assert checked.state.hands[0].waits
    assert isinstance(confirm(checked), Saved)
    shown = checked.state.hands[0]
    assert (shown.waits, shown.confirmed is not None, shown.contest) == (False, True, None)
    assert checked.totals == [430, 60]


def test_where_nobody_checks_no_hand_waits(pad: Pad) -> None:
    started = pad.actions.start(RequestId("start"), PHONE, TWO_AGAINST_TWO)
    table = Table(pad, started.match)
    table.play(usual())
    assert not table.state.checking
    assert not table.state.hands[0].waits


def test_a_hand_counted_before_checking_was_turned_on_does_not_wait(pad: Pad) -> None:
    started = pad.actions.start(RequestId("start"), PHONE, TWO_AGAINST_TWO)
    table = Table(pad, started.match)
    table.play(usual())
    pad.checking.switch(RequestId("on"), table.match, PHONE, on=True)
    table.play(usual())
    assert [shown.waits for shown in table.state.hands] == [False, True]


def test_who_counted_a_hand_does_not_confirm_it(checked: Table) -> None:
    checked.play(usual())
    with pytest.raises(OwnHand):
        confirm(checked, PHONE)
    assert checked.state.hands[0].waits


def test_another_phone_of_the_same_side_does_not_confirm_it_either(checked: Table) -> None:
    checked.pad.devices.sit(checked.match, PHONE, 0)
    checked.pad.devices.sit(checked.match, TABLET, 0)
    checked.play(usual())
    assert checked.pad.checking.can_check(checked.match, TABLET) == (False,)
    with pytest.raises(OwnHand):
        confirm(checked)
    checked.pad.devices.sit(checked.match, TABLET, 1)
    assert checked.pad.checking.can_check(checked.match, TABLET) == (True,)
    assert isinstance(confirm(checked), Saved)


def test_who_may_only_look_confirms_nothing(checked: Table) -> None:
    checked.play(usual())
    assert checked.pad.checking.can_check(checked.match, LOOKER) == (False,)
    with pytest.raises(NotAllowed):
        confirm(checked, LOOKER)


def test_what_was_not_shown_is_not_confirmed(checked: Table) -> None:
    checked.play(usual())
    shown = stands(checked)
    checked.pad.correct(
        RequestId("right"), checked.match, PHONE, 1, shown, SentHand(hand=otherwise())
    )
    answer = checked.pad.checking.confirm(RequestId("late"), checked.match, TABLET, 1, shown)
    assert isinstance(answer, Stale)
    assert checked.state.hands[0].confirmed is None


def test_a_correction_has_to_be_confirmed_again(checked: Table) -> None:
    checked.play(usual())
    confirm(checked)
    checked.pad.correct(
        RequestId("right"),
        checked.match,
        PHONE,
        1,
        stands(checked),
        SentHand(hand=otherwise(), reason="contata male"),
    )
    assert checked.state.hands[0].waits
    assert checked.totals == [430, 70]


def test_a_confirmed_hand_is_corrected_only_with_a_note_which_stays(checked: Table) -> None:
    checked.play(usual())
    confirm(checked)
    seen = stands(checked)
    bare = checked.pad.correct(
        RequestId("bare"), checked.match, PHONE, 1, seen, SentHand(hand=otherwise(), reason="  ")
    )
    assert isinstance(bare, ReasonWanted)
    assert checked.totals == [430, 60]
    told = checked.pad.correct(
        RequestId("told"),
        checked.match,
        PHONE,
        1,
        seen,
        SentHand(hand=otherwise(), reason="un dieci in più"),
    )
    assert isinstance(told, Saved)
    assert checked.state.hands[0].versions[-1].event.reason == "un dieci in più"


def test_a_contested_hand_shows_both_countings_and_the_first_one_counts_meanwhile(
    checked: Table,
) -> None:
    checked.play(usual())
    assert isinstance(contest(checked, otherwise(), "abbiamo un dieci in più"), Saved)
    shown = checked.state.hands[0].contest
    assert shown is not None
    assert [sum(line.points for line in lines) for lines in shown.event.lines] == [430, 70]
    assert shown.event.reason == "abbiamo un dieci in più"
    assert checked.totals == [430, 60]


def test_a_contested_hand_cannot_be_confirmed(checked: Table) -> None:
    checked.play(usual())
    contest(checked, otherwise())
    assert isinstance(confirm(checked), Stale)


@pytest.mark.parametrize(("which", "totals"), [(0, [430, 60]), (1, [430, 70])])
def test_of_two_countings_the_chosen_one_holds_and_is_confirmed(
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
    answer = checked.pad.checking.choose(
        RequestId("choose"), checked.match, other, 1, shown, shown[which]
    )
    assert isinstance(answer, Saved)
    assert checked.totals == totals
    state = checked.state.hands[0]
    assert (state.contest, state.confirmed is not None) == (None, True)


def test_a_correction_leaves_the_other_sides_count_beside_it(checked: Table) -> None:
    checked.play(usual())
    contest(checked, otherwise())
    third = hand(counted(150, 20, mixed_canasta=1), counted(120, 40))
    checked.pad.correct(
        RequestId("right"), checked.match, PHONE, 1, stands(checked), SentHand(hand=third)
    )
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


@pytest.mark.parametrize(
    "note", ["", "   ", "\u200b", "\u3164", "\u2800", "\u00ad", "\u2060", "\x00"]
)
def test_a_note_that_nobody_sees_is_none(checked: Table, note: str) -> None:
    checked.play(usual())
    confirm(checked)
    answer = checked.pad.correct(
        RequestId("r"),
        checked.match,
        PHONE,
        1,
        stands(checked),
        SentHand(hand=otherwise(), reason=note),
    )
    assert isinstance(answer, ReasonWanted)
    assert isinstance(
        checked.pad.undo(RequestId("u"), checked.match, PHONE, checked.state.sequence, note),
        ReasonWanted,
    )


def test_marks_that_turn_the_text_are_taken_out_of_a_note(checked: Table) -> None:
    checked.play(usual())
    confirm(checked)
    note = " contata\n male \u202e\x1b\x00"
    checked.pad.correct(
        RequestId("r"),
        checked.match,
        PHONE,
        1,
        stands(checked),
        SentHand(hand=otherwise(), reason=note),
    )
    assert checked.state.hands[0].versions[-1].event.reason == "contata male"


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


def test_undoing_what_was_agreed_takes_a_note(checked: Table) -> None:
    checked.play(usual())
    confirm(checked)
    seen = checked.state.sequence
    assert isinstance(checked.pad.undo(RequestId("u1"), checked.match, PHONE, seen), ReasonWanted)
    assert checked.state.hands[0].confirmed is not None
    assert isinstance(
        checked.pad.undo(RequestId("u2"), checked.match, PHONE, seen, "ho toccato per sbaglio"),
        Saved,
    )
    assert checked.state.hands[0].waits
    assert isinstance(
        checked.pad.undo(RequestId("u3"), checked.match, PHONE, checked.state.sequence), Saved
    )
    assert checked.state.hands == []


def test_undoing_a_choice_brings_both_countings_back(checked: Table) -> None:
    checked.play(usual())
    contest(checked, otherwise())
    contested = checked.state.hands[0].contest
    assert contested is not None
    shown = ShownCounts(stands(checked), contested.sequence)
    checked.pad.checking.choose(RequestId("choose"), checked.match, PHONE, 1, shown, shown[1])
    checked.pad.undo(
        RequestId("undo"), checked.match, TABLET, checked.state.sequence, "guardiamo meglio"
    )
    assert checked.totals == [430, 60]
    assert checked.state.hands[0].contest is not None


def test_the_same_confirmation_sent_twice_is_one(checked: Table) -> None:
    checked.play(usual())
    first, again = confirm(checked), confirm(checked)
    assert (first.again, again.again) == (False, True)  # type: ignore[union-attr]
    other = confirm(checked, name="another")
    assert isinstance(other, Saved)
    assert checked.state.sequence == 4  # start, switch, hand, confirmation


def test_a_confirmation_and_an_edit_at_once_never_confirm_what_was_not_shown(
    storage: Storage,
) -> None:
    pad, won = Pad(storage, Clock()), {"confirm": 0, "edit": 0}
    for race in range(RACES):
        if race % OF_ONE_MATCH == 0:
            match = _with_one_hand(pad, race)
        _race(pad, match, race, won)
    assert won["confirm"] + won["edit"] == RACES
    assert min(won.values()) > 0  # both orders were met


RACES = 500
OF_ONE_MATCH = 20
"""Races in a match, whose log would grow slow to read."""


def _with_one_hand(pad: Pad, race: int) -> MatchId:
    started = pad.actions.start(RequestId(f"s{race}"), PHONE, TWO_AGAINST_TWO)
    assert isinstance(started, Saved)
    assert started.keys is not None
    pad.devices.enter(started.keys.write, TABLET)
    pad.checking.switch(RequestId(f"on{race}"), started.match, PHONE, on=True)
    Table(pad, started.match).play(usual())
    return started.match


def _race(pad: Pad, match: MatchId, race: int, won: dict[str, int]) -> None:
    """Both have seen the same counting; one confirms it while the other corrects it, without a
    note.
    """
    seen = pad.state(match, PHONE).hands[0].versions[-1].sequence
    points = 100 + 5 * (race % 7)
    gate, answers = threading.Barrier(2), {}

    def confirms() -> None:
        gate.wait()
        answers["confirm"] = pad.checking.confirm(RequestId(f"c{race}"), match, TABLET, 1, seen)

    def edits() -> None:
        gate.wait()
        played = hand(counted(150, 20, mixed_canasta=1), counted(points, 40))
        answers["edit"] = pad.correct(
            RequestId(f"e{race}"), match, PHONE, 1, seen, SentHand(hand=played)
        )

    threads = [threading.Thread(target=confirms), threading.Thread(target=edits)]
    for thread in threads[:: 1 if race % 2 else -1]:
        thread.start()
    for thread in threads:
        thread.join()
    won[_winner(pad, match, seen, answers)] += 1
    if pad.state(match, PHONE).hands[0].confirmed:
        pad.undo(
            RequestId(f"u{race}"), match, TABLET, pad.state(match, TABLET).sequence, "di nuovo"
        )


def _winner(pad: Pad, match: MatchId, seen: int, answers: Mapping[str, Any]) -> str:
    """Who came first, having looked whether the other was told so and nothing else was done."""
    shown = pad.state(match, PHONE).hands[0]
    if isinstance(answers["confirm"], Saved):
        assert isinstance(answers["edit"], ReasonWanted)
        assert shown.versions[-1].sequence == seen
        assert shown.confirmed is not None
        return "confirm"
    assert isinstance(answers["confirm"], Stale)
    assert isinstance(answers["edit"], Saved)
    assert shown.versions[-1].sequence > seen
    assert shown.confirmed is None
    return "edit"


def test_what_the_table_agreed_is_kept_with_its_reason_and_counts(pad: Pad) -> None:
    started = pad.actions.start(RequestId("start"), PHONE, TWO_AGAINST_TWO)
    table = Table(pad, started.match)
    # They went out without a canasta: 100 for going out, 150 of cards.
    played = hand(counted(150), counted(100, 40), out="a")
    coming = pad.open(table.match, PHONE)
    refused = pad.count(
        RequestId("plain"),
        table.match,
        PHONE,
        ShownDraft(coming.id, coming.version),
        SentHand(hand=played),
    )
    assert not isinstance(refused, Saved)
    said = {"remark": "tardi", "agreed": "nessuno se n'era accorto"}
    answer = pad.count(
        RequestId("agreed"),
        table.match,
        PHONE,
        ShownDraft(coming.id, coming.version),
        SentHand(hand=played, **said),
    )
    assert isinstance(answer, Saved)
    shown = table.state.hands[0]
    assert table.totals == [250, 60]
    assert (shown.remark, shown.versions[-1].event.agreed) == ("tardi", "nessuno se n'era accorto")
    assert [finding.code for finding in shown.versions[-1].event.broken] == ["out-canastas-missing"]
    assert shown.doubts == ()


def test_nothing_is_agreed_where_the_rules_allow_the_hand(pad: Pad) -> None:
    started = pad.actions.start(RequestId("start"), PHONE, TWO_AGAINST_TWO)
    table = Table(pad, started.match)
    coming = pad.open(table.match, PHONE)
    pad.count(
        RequestId("c"),
        table.match,
        PHONE,
        ShownDraft(coming.id, 0),
        SentHand(hand=usual(), agreed="per sicurezza"),
    )
    assert table.state.hands[0].versions[-1].event.agreed == ""


def test_decks_and_arithmetic_are_not_to_be_agreed_on(pad: Pad) -> None:
    started = pad.actions.start(RequestId("start"), PHONE, TWO_AGAINST_TWO)
    table = Table(pad, started.match)
    coming = pad.open(table.match, PHONE)
    played = hand(counted(150, red_threes=3), counted(100, red_threes=2))
    answer = pad.count(
        RequestId("c"),
        table.match,
        PHONE,
        ShownDraft(coming.id, 0),
        SentHand(hand=played, agreed="così"),
    )
    assert not isinstance(answer, Saved)
    assert table.state.hands == []
