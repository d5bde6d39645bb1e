"""Corrections: every version is kept, scores follow, acknowledged lines never change."""

import pytest

from scorepad.matches.events import UnknownEntry
from scorepad.rules.score_lines import Line
from scorepad.storage import Storage
from scorepad.storage.rows import Entry
from tests.matches.conftest import (
    FIVE_HANDS,
    SECOND_HAND_PUT_RIGHT,
    Clock,
    Start,
    Table,
    hand_of_430_and_60,
)


@pytest.fixture
def corrected(table: Table) -> Table:
    """Play five hands, and correct the second one: the first side had 400 points more.

    The reason of the correction is written with spaces around it.
    """
    table.play(*FIVE_HANDS)
    table.correct(2, SECOND_HAND_PUT_RIGHT, " two natural canastas ")
    return table


def test_correction_changes_later_totals_and_opening_minimums(corrected: Table) -> None:
    hands = corrected.state.hands

    # Before, the totals of the first side were 450, 1280, 1315, 2035 and 2120. From the second hand
    # on they are 400 higher. Those of the second side are as before.
    assert [hand.sides[0].total for hand in hands] == [450, 1680, 1715, 2435, 2520]
    assert [hand.sides[1].total for hand in hands] == [30, 70, 490, 480, 885]
    # The first melds of a side must be worth 50 points, or 90 once it has 1500. The first side now
    # has so many before the third hand; with 1280 and 1315, 50 were enough until the fourth.
    assert [hand.sides[0].opening_minimum for hand in hands] == [50, 50, 90, 90, 90]


def test_opening_that_correction_makes_impossible_is_in_doubt(corrected: Table) -> None:
    # In the third hand the first side laid cards for 70 points. That was enough for its first melds
    # at 1280 points, where they must be worth 50. Corrected to 1680 points, they must be worth 90.
    (doubt,) = corrected.state.hands[2].doubts
    assert doubt.code == "opening-impossible"
    assert doubt.where == ("sides", 0)

    # In the fourth hand it laid 120 points and a canasta.
    assert corrected.state.hands[3].doubts == ()


def test_corrected_hand_keeps_both_versions(corrected: Table) -> None:
    # The second of five hands was counted, and later corrected, with a note on the reason.
    original, correction = corrected.state.hands[1].versions

    assert original.event.hand == FIVE_HANDS[1]
    assert correction.event.hand == SECOND_HAND_PUT_RIGHT
    # The reason is kept without the spaces around it.
    assert correction.event.reason == "two natural canastas"


def test_score_lines_of_later_hands_are_those_of_before_the_correction(table: Table) -> None:
    # A score line says what something in a hand is worth, such as 300 for a mixed canasta. Players
    # have agreed to those of hands three to five, which must not change with the second hand.
    table.play(*FIVE_HANDS)
    lines_before = lines_of_last_three_hands(table)

    # By the correction the first side has 400 points more.
    table.correct(2, SECOND_HAND_PUT_RIGHT)

    assert lines_of_last_three_hands(table) == lines_before


def lines_of_last_three_hands(table: Table) -> list[tuple[Line, ...]]:
    """Return the score lines of the first side in the last three of five hands."""
    return [hand.sides[0].lines for hand in table.state.hands[2:]]


@pytest.fixture
def over_before_second_hand(start: Start) -> Table:
    """Play two hands of a match to 1000 points, and correct the first one so that it ends there.

    The second hand should not have been played.
    """
    table = start(options={"target": 1000})
    table.play(hand_of_430_and_60(), hand_of_430_and_60())
    # The first side had 1230 points with the first hand, not 430.
    table.correct(1, SECOND_HAND_PUT_RIGHT)
    return table


def test_hand_played_after_the_corrected_end_is_in_doubt(over_before_second_hand: Table) -> None:
    # A match to 1000 points has two hands of 430. Then the first hand was corrected to 1230: so the
    # match was over before the second one, which should not have been played.
    second_hand = over_before_second_hand.state.hands[1]

    # When it was counted nobody could know that, so its players were not warned. It is in doubt.
    assert second_hand.warnings == ()
    assert [doubt.code for doubt in second_hand.doubts] == ["target-reached"]


def test_doubt_becomes_a_warning_when_the_hand_is_counted_again(
    over_before_second_hand: Table,
) -> None:
    # A correction has ended a match to 1000 points with its first hand. The second hand, which was
    # already played, is in doubt.
    match = over_before_second_hand

    # Players look at the second hand, and count it again as it was: 430 and 60 points. They are
    # warned that the match was over before, and save it all the same.
    match.correct(2, hand_of_430_and_60())

    # The hand keeps the warning that they have seen. No doubt is left.
    second_hand = match.state.hands[1]
    assert [warning.code for warning in second_hand.warnings] == ["target-reached"]
    assert second_hand.doubts == ()


def test_warning_goes_away_when_correction_removes_its_cause(
    over_before_second_hand: Table,
) -> None:
    # Counted again, the second hand has the warning that the match was over before.
    over_before_second_hand.correct(2, hand_of_430_and_60())

    # The first hand is corrected back to 430 points: the match was not over.
    over_before_second_hand.correct(1, hand_of_430_and_60())

    second_hand = over_before_second_hand.state.hands[1]
    assert second_hand.warnings == ()
    assert second_hand.doubts == ()


def test_entry_of_unknown_kind_is_reported_by_its_place(
    table: Table, storage: Storage, clock: Clock
) -> None:
    # A kind of entry that this version does not know is written directly into the data file.
    entry = Entry(
        match=table.match,
        sequence=2,
        kind="toast",
        at=clock(),
        device="phone",
        request="r",
        payload={},
        sent="5e27",  # a digest of what was sent
    )
    with storage.writing() as rows:
        rows.append(entry)

    with pytest.raises(UnknownEntry) as error:
        table.pad.state(table.match, table.device)

    assert error.value.match == table.match
    assert error.value.sequence == 2
    assert error.value.kind == "toast"
