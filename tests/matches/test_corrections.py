"""Corrections and undo: every version is kept, scores follow, acknowledged lines never change."""

from datetime import UTC, datetime

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import RequestId
from scorepad.matches.events import Labels, UnknownEntry
from scorepad.matches.hands import SentHand
from scorepad.matches.projection import NewMatch
from scorepad.matches.transaction import Refused, Saved, Stale
from scorepad.storage.rows import Entry


def _lines(state) -> list[object]:
    return [[side.lines for side in hand.sides] for hand in state.hands]


def test_a_corrected_hand_moves_later_scores_and_minimums_and_puts_an_opening_in_doubt(
    table, five_hands, second_hand_put_right
) -> None:
    table.play(*five_hands)
    before = table.state
    assert [hand.sides[0].total for hand in before.hands] == [450, 1280, 1315, 2035, 2120]
    assert [hand.sides[0].opening_minimum for hand in before.hands] == [50, 50, 50, 50, 90]
    assert [side.minimum for side in before.sides] == [90, 50]

    saved = table.correct(2, second_hand_put_right, " due canaste pure ")
    assert isinstance(saved, Saved)
    assert (saved.number, [side.total for side in saved.judgement.sides]) == (2, [1680, 70])

    state = table.state
    assert [hand.sides[0].total for hand in state.hands] == [450, 1680, 1715, 2435, 2520]
    assert [hand.sides[1].total for hand in state.hands] == [30, 70, 490, 480, 885]
    assert [hand.sides[0].opening_minimum for hand in state.hands] == [50, 50, 90, 90, 90]
    # The third hand opened with 70 at most, which was enough for 50 and is not for 90.
    assert [[(doubt.code, doubt.where) for doubt in hand.doubts] for hand in state.hands] == [
        [], [], [("opening-impossible", ("sides", 0))], [], [],
    ]  # fmt: skip
    assert _lines(state)[2:] == _lines(before)[2:]
    assert table.totals == [2520, 885]


def test_every_version_of_a_hand_is_kept(table, five_hands, second_hand_put_right) -> None:
    table.play(*five_hands)
    table.correct(2, second_hand_put_right, "due canaste pure")
    hand = table.state.hands[1]
    assert hand.is_corrected
    assert [(version.sequence, version.event.reason) for version in hand.versions] == [
        (3, ""),
        (7, "due canaste pure"),
    ]
    assert [version.event.hand for version in hand.versions] == [
        five_hands[1],
        second_hand_put_right,
    ]
    assert [sum(line.points for line in version.event.lines[0]) for version in hand.versions] == [
        830,
        1230,
    ]
    assert hand.versions[0].at < hand.versions[1].at
    assert [hand.is_corrected for hand in table.state.hands] == [False, True, False, False, False]


def test_an_undone_correction_leaves_the_match_as_it_was(
    table, five_hands, second_hand_put_right
) -> None:
    table.play(*five_hands)
    before = table.state
    table.correct(2, second_hand_put_right)
    told = table.undo()
    assert (told.number, isinstance(told, Saved)) == (2, True)
    after = table.state
    assert (after.sides, after.hands, after.undoable) == (
        before.sides,
        before.hands,
        before.undoable,
    )
    assert (before.sequence, after.sequence) == (6, 8)
    assert [hand.doubts for hand in after.hands] == [()] * 5


def test_a_correction_of_a_correction_replaces_it(table, five_hands, second_hand_put_right) -> None:
    table.play(*five_hands)
    table.correct(2, second_hand_put_right)
    table.correct(2, five_hands[1])
    assert (table.totals, len(table.state.hands[1].versions)) == ([2120, 885], 3)
    table.undo()
    assert table.totals == [2520, 885]


def test_the_winner_follows_a_correction(start, build) -> None:
    table = start()
    win = build.hand(
        build.counted(290, natural_canasta=4, red_threes=4), build.counted(130, 10), "a"
    )
    table.play(
        win,
        build.hand(
            build.counted(290, natural_canasta=3, red_threes=1), build.counted(130, 10), "a"
        ),
    )
    assert table.state.status.winner == 0
    table.correct(
        2,
        build.hand(
            build.counted(130, 10), build.counted(290, natural_canasta=3, red_threes=1), "b"
        ),
    )
    # 3190 + 120 and 120 + 1990.
    assert (table.totals, table.state.status.finished) == ([3310, 2110], False)
    assert table.pad.summaries(table.device).finished == ()


def test_a_correction_of_what_has_changed_meanwhile_is_stale(
    table, five_hands, second_hand_put_right
) -> None:
    table.play(*five_hands)
    table.correct(2, second_hand_put_right)
    told = table.correct(2, five_hands[1], entry=3)
    assert isinstance(told, Stale)
    assert told.state.hands[1].versions[-1].event.hand == second_hand_put_right
    assert table.totals == [2520, 885]


@pytest.mark.parametrize("number", [0, -1, 6, 10**9])
def test_a_correction_of_a_hand_that_is_not_there_is_stale(table, five_hands, number: int) -> None:
    table.play(*five_hands)
    told = table.pad.correct(
        RequestId("x"), table.match, table.device, number, 2, SentHand(hand=five_hands[0])
    )
    assert isinstance(told, Stale)
    assert table.state.sequence == 6


def test_a_correction_that_cannot_be_is_refused(table, five_hands, build) -> None:
    table.play(*five_hands)
    table.keep({"cards": "1"})
    told = table.correct(2, build.hand(build.counted(45), build.counted(0)))
    assert isinstance(told, Refused)
    assert [finding.code for finding in told.judgement.findings] == ["opening-impossible"]
    assert told.open_hand.draft == {"cards": "1"}
    assert table.totals == [2120, 885]


def test_a_correction_sent_twice_corrects_once(table, five_hands, second_hand_put_right) -> None:
    table.play(*five_hands)
    sent = (
        RequestId("same"),
        table.match,
        table.device,
        2,
        3,
        SentHand(hand=second_hand_put_right),
    )
    first, again = table.pad.correct(*sent), table.pad.correct(*sent)
    assert (first.again, again.again) == (False, True)
    assert again.judgement == first.judgement
    assert len(table.state.hands[1].versions) == 2


def test_a_correction_leaves_what_is_being_typed_alone(
    table, five_hands, second_hand_put_right
) -> None:
    table.play(*five_hands)
    table.keep({"cards": "1"})
    coming = table.state.open_hand
    table.correct(2, second_hand_put_right)
    table.undo()
    assert table.state.open_hand == coming


def test_a_warning_goes_when_a_correction_takes_its_reason_away(
    start, build, second_hand_put_right
) -> None:
    table = start(NewMatch("classica", None, {"target": 1000}, Labels(("Noi", "Loro"), ())))
    table.play(build.usual(), build.usual())
    table.correct(1, second_hand_put_right)  # 1230: the match was over before the second hand
    second = table.state.hands[1]
    assert ([finding.code for finding in second.doubts], second.warnings) == (
        ["target-reached"],
        (),
    )
    table.correct(2, build.usual())
    second = table.state.hands[1]
    assert ([finding.code for finding in second.warnings], second.doubts) == (
        ["target-reached"],
        (),
    )
    table.correct(1, build.usual())
    second = table.state.hands[1]
    assert (second.warnings, second.doubts, table.totals) == ((), (), [860, 120])


def test_a_warning_that_was_there_before_a_correction_is_no_doubt(
    table, build, second_hand_put_right
) -> None:
    twice = {"melds": ["3xK", "4xK", "3x4"], "left": ""}  # two melds of kings: 70 + 15
    table.play(build.usual(), build.hand(twice, build.counted(100, 40)))
    table.correct(1, second_hand_put_right)
    second = table.state.hands[1]
    assert ([finding.code for finding in second.warnings], second.doubts) == (
        ["meld-rank-repeated"],
        (),
    )
    assert [side.total for side in second.sides] == [1315, 100]


def test_each_counting_keeps_the_fields_as_they_were_typed(
    table, five_hands, second_hand_put_right
) -> None:
    table.count(five_hands[0], {"a.cards": "1.50"})
    entry = table.state.hands[0].versions[-1].sequence
    table.pad.correct(
        table.request(),
        table.match,
        table.device,
        1,
        entry,
        SentHand(hand=second_hand_put_right, draft={"a-value-50": "3"}),
    )
    table.correct(1, five_hands[0])
    drafts = [dict(version.event.draft) for version in table.state.hands[0].versions]
    assert drafts == [{"a.cards": "1.50"}, {"a-value-50": "3"}, {}]


# ---------------------------------------------------------------- undo


def test_undo_goes_to_the_bottom_and_the_match_can_be_played_again(
    table, five_hands, second_hand_put_right
) -> None:
    table.play(*five_hands)
    whole = table.state
    table.correct(2, second_hand_put_right)
    table.pad.actions.rename(
        table.request(), table.match, table.device, Labels(("Rossi", "Bianchi"), (), "")
    )
    kinds = []
    while table.state.undoable:
        kinds.append((table.state.undoable.event.kind, table.state.undoable.event.hand_number))
        assert isinstance(table.undo(), Saved)
    assert kinds == [
        ("rename", None), ("correction", 2), ("hand", 5), ("hand", 4), ("hand", 3), ("hand", 2), ("hand", 1),
    ]  # fmt: skip
    assert (table.totals, table.state.hands, table.state.sides[0].name) == ([0, 0], [], "Noi")
    assert table.state.sequence == 1 + 7 + 7
    assert isinstance(table.undo(), Stale)

    table.play(*five_hands)
    assert _lines(table.state) == _lines(whole)
    assert table.state.sides == whole.sides


def test_an_undone_hand_is_open_again_as_it_was_typed(table, build) -> None:
    table.keep({"cards": "15"})
    told = table.count(build.usual(), {"cards": "150"})
    assert isinstance(told, Saved)
    table.undo()
    again = table.state.open_hand
    assert (again.draft, again.version) == ({"cards": "150"}, 1)
    assert isinstance(table.count(build.usual()), Saved)
    assert table.state.open_hand is None


def test_an_undone_hand_is_typed_as_last_kept_where_the_count_sent_no_fields(table, build) -> None:
    table.keep({"cards": "150"})
    table.play(build.usual())
    table.undo()
    assert table.state.open_hand.draft == {"cards": "150"}


def test_an_undone_hand_does_not_displace_what_is_being_typed(table, build) -> None:
    table.count(build.usual(), {"cards": "150"})
    table.keep({"cards": "7"})
    coming = table.state.open_hand
    table.undo()
    now = table.state.open_hand
    assert (now.id, now.version, now.draft) == (coming.id, coming.version, {"cards": "7"})
    assert len(table.state.hands) == 0
    assert isinstance(table.count(build.usual()), Saved)


def test_hands_undone_one_after_the_other_come_back_each_with_its_own_fields(table, build) -> None:
    for cards in ("150", "250", "350"):
        table.count(build.usual(), {"cards": cards})
    for cards in ("350", "250", "150"):
        told = table.undo()
        assert (table.state.open_hand.draft, told.keeps_typed) == ({"cards": cards}, False)


def test_what_was_typed_over_an_undone_hand_stays_when_one_more_is_undone(table, build) -> None:
    table.count(build.usual(), {"cards": "150"})
    table.count(build.usual(), {"cards": "250"})
    assert not table.undo().keeps_typed
    table.keep({"cards": "260"})
    assert table.undo().keeps_typed
    assert table.state.open_hand.draft == {"cards": "260"}


def test_a_page_of_the_hand_undone_before_is_stale_after_the_next_undoing(table, build) -> None:
    table.count(build.usual(), {"cards": "150"})
    table.count(build.usual(), {"cards": "250"})
    table.undo()
    seen = table.state.open_hand
    table.undo()
    assert isinstance(table.count(build.usual(), hand_id=seen.id, version=seen.version), Stale)


def test_an_undone_hand_takes_the_place_of_empty_fields(table, build) -> None:
    table.count(build.usual(), {"cards": "150"})
    table.keep({"cards": " ", "left": ""})
    table.undo()
    assert table.state.open_hand.draft == {"cards": "150"}


def test_a_hand_opened_before_an_undo_is_not_counted_after_it(table, build) -> None:
    table.play(build.usual())
    seen = table.pad.open(table.match, table.device)
    table.undo()
    told = table.count(build.usual(), hand_id=seen.id, version=0)
    assert isinstance(told, Stale)
    assert table.totals == [0, 0]


def test_a_form_older_than_a_count_and_its_undo_is_stale(table, build) -> None:
    seen = table.pad.open(table.match, table.device)
    table.play(build.usual())
    table.undo()
    assert isinstance(table.count(build.usual(), hand_id=seen.id, version=seen.version), Stale)
    assert table.totals == [0, 0]


def test_undo_of_what_has_changed_meanwhile_is_stale(table, build) -> None:
    table.play(build.usual())
    seen = table.state.sequence
    table.play(build.usual())
    told = table.pad.undo(table.request(), table.match, table.device, seen)
    assert isinstance(told, Stale)
    assert table.totals == [860, 120]


def test_undo_sent_twice_undoes_once(table, build) -> None:
    table.play(build.usual(), build.usual())
    sent = (RequestId("same"), table.match, table.device, table.state.sequence)
    first, again = table.pad.undo(*sent), table.pad.undo(*sent)
    assert (first.number, first.again, again.number, again.again) == (2, False, 2, True)
    assert table.totals == [430, 60]


# ---------------------------------------------------------------- order, and what is kept


def test_order_is_the_sequence_when_the_clock_jumps_back(table, clock, five_hands) -> None:
    table.play(*five_hands[:3])
    clock.now = datetime(2020, 10, 25, 2, 59, tzinfo=UTC)
    table.play(*five_hands[3:])
    state = table.state
    assert [hand.sides[0].total for hand in state.hands] == [450, 1280, 1315, 2035, 2120]
    assert state.changed < state.started
    assert state.undoable.event.hand_number == 5


def test_a_match_read_by_another_pad_is_the_same(
    table, storage, clock, five_hands, second_hand_put_right
) -> None:
    table.play(*five_hands)
    table.correct(2, second_hand_put_right, "nota")
    table.keep({"cards": "1"})
    storage.close()
    assert Pad(storage, clock).state(table.match, table.device) == table.state


def test_an_entry_of_an_unknown_kind_is_told(table, storage, clock) -> None:
    with storage.writing() as rows:
        rows.append(Entry(table.match, 2, "toast", clock(), "phone", "r", {}, "5e27"))
    with pytest.raises(UnknownEntry) as caught:
        table.pad.state(table.match, table.device)
    assert (caught.value.match, caught.value.sequence, caught.value.kind) == (
        table.match,
        2,
        "toast",
    )
