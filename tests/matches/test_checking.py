"""One side counts and the other checks. What the counts come to is in `tests/model`; here is what
people see of a reason, and that nobody settles a dispute alone.
"""

import pytest

from scorepad.matches.hands import OwnHand, ShownCounts
from scorepad.matches.transaction import ReasonWanted, Saved
from tests.matches.conftest import TABLET, Table, hand, hand_of_430_and_60, side_counted


@pytest.fixture
def phone(table: Table) -> Table:
    """Count a hand of 430 and 60 on the phone of one side; return the match on this phone.

    The other side has a tablet, on which it checks every hand and may count it again.
    """
    table.let_in(TABLET)
    table.check()
    table.play(hand_of_430_and_60())
    return table


@pytest.fixture
def tablet(phone: Table) -> Table:
    """Return the same match on the tablet of the side that checks."""
    return phone.let_in(TABLET)


@pytest.mark.parametrize(
    "invisible_reason", ["", "   ", "\u200b", "\u3164", "\u2800", "\u00ad", "\u2060", "\x00"]
)
def test_confirmed_hand_is_not_changed_without_a_visible_reason(
    phone: Table, tablet: Table, invisible_reason: str
) -> None:
    # The side that checks has agreed. Now a change of the hand needs a reason that it can read.
    tablet.confirm()

    # The reasons are spaces, a soft hyphen and other characters that nobody sees.
    correction = phone.correct(1, hand_of_430_and_60(), invisible_reason)
    undo = phone.undo(invisible_reason)

    assert isinstance(correction, ReasonWanted)
    assert isinstance(undo, ReasonWanted)


def test_reason_is_stored_in_one_line_without_control_characters(
    phone: Table, tablet: Table
) -> None:
    # The side that checks has agreed. Now a correction needs a reason.
    tablet.confirm()

    # The reason has two lines, and three control characters, of which U+202E turns text around.
    saved = phone.correct(1, hand_of_430_and_60(), " counted\n wrongly \u202e\x1b\x00")

    assert isinstance(saved, Saved)
    correction = phone.state.hands[0].versions[-1]
    assert correction.event.reason == "counted wrongly"


def test_nobody_can_choose_their_own_count_of_contested_hand(phone: Table, tablet: Table) -> None:
    # One side has counted a hand on its phone. The other side, which checks it on a tablet, counts it
    # again: it had 110 points of cards, not 100.
    first_side = side_counted(cards=150, left=20, mixed_canasta=1)
    second_side = side_counted(cards=110, left=40)
    tablet.contest(hand(first_side, second_side))

    # Each count is an entry in the log of the match, and is named by the number of its entry.
    (contested_hand,) = phone.state.hands
    count_of_phone = contested_hand.versions[-1].sequence
    count_of_tablet = contested_hand.contest.sequence
    both_counts = ShownCounts(count_of_phone, count_of_tablet)

    # One of both counts is to be chosen, but not by the side that made it.
    with pytest.raises(OwnHand):
        phone.choose(both_counts, count_of_phone)
    with pytest.raises(OwnHand):
        tablet.choose(both_counts, count_of_tablet)
