"""Corrections: every version is kept, scores follow, acknowledged lines never change."""

import pytest

from scorepad.matches.access import RequestId
from scorepad.matches.events import Labels, UnknownEntry
from scorepad.matches.hands import SentHand
from scorepad.matches.projection import NewMatch
from scorepad.matches.transaction import Saved, Stale
from scorepad.storage.rows import Entry
from tests.matches.conftest import FIVE_HANDS, SECOND_HAND_PUT_RIGHT, usual


def test_a_corrected_hand_moves_later_scores_and_minimums_and_puts_an_opening_in_doubt(
    table,
) -> None:
    table.play(*FIVE_HANDS)
    before = table.state
    assert [hand.sides[0].total for hand in before.hands] == [450, 1280, 1315, 2035, 2120]
    assert [hand.sides[0].opening_minimum for hand in before.hands] == [50, 50, 50, 50, 90]
    assert [side.minimum for side in before.sides] == [90, 50]

    saved = table.correct(2, SECOND_HAND_PUT_RIGHT, " due canaste pure ")
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
    for later, earlier in zip(state.hands[2:], before.hands[2:], strict=True):
        assert [side.lines for side in later.sides] == [side.lines for side in earlier.sides]
    assert table.totals == [2520, 885]
    assert [hand.is_corrected for hand in state.hands] == [False, True, False, False, False]
    assert [
        (version.sequence, version.event.reason, version.event.hand)
        for version in state.hands[1].versions
    ] == [(3, "", FIVE_HANDS[1]), (7, "due canaste pure", SECOND_HAND_PUT_RIGHT)]


@pytest.mark.parametrize("number", [0, -1, 6, 10**9])
def test_a_correction_of_a_hand_that_is_not_there_is_stale(table, number: int) -> None:
    table.play(*FIVE_HANDS)
    told = table.pad.correct(
        RequestId("x"), table.match, table.device, number, 2, SentHand(hand=FIVE_HANDS[0])
    )
    assert isinstance(told, Stale)
    assert table.state.sequence == 6


def test_a_warning_goes_when_a_correction_takes_its_reason_away(start) -> None:
    table = start(NewMatch("classica", None, {"target": 1000}, Labels(("Noi", "Loro"), ())))
    table.play(usual(), usual())
    table.correct(1, SECOND_HAND_PUT_RIGHT)  # 1230: the match was over before the second hand
    second = table.state.hands[1]
    assert ([finding.code for finding in second.doubts], second.warnings) == (
        ["target-reached"],
        (),
    )
    table.correct(2, usual())
    second = table.state.hands[1]
    assert ([finding.code for finding in second.warnings], second.doubts) == (
        ["target-reached"],
        (),
    )
    table.correct(1, usual())
    second = table.state.hands[1]
    assert (second.warnings, second.doubts, table.totals) == ((), (), [860, 120])


def test_a_correction_keeps_a_remark_written_meanwhile_and_does_not_overwrite_it(table) -> None:
    table.play(usual())
    seen, remark = table.entry(), table.pad.actions.remark
    remark(table.request(), table.match, table.device, 1, "", "importante")

    def correct(seen: int, text: str) -> object:
        sent = SentHand(hand=usual(), remark=text)
        return table.pad.correct(table.request(), table.match, table.device, 1, seen, sent)

    assert isinstance(correct(seen, ""), Saved)
    assert table.state.hands[0].remark == "importante"
    remark(table.request(), table.match, table.device, 1, "importante", "bella")
    assert isinstance(correct(table.entry(), "altro"), Stale)


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
