"""One side counts and the other checks. What the counts come to is in `tests/model`; here is what
people see of a reason, and that nobody settles a dispute alone.
"""

import pytest

from scorepad.matches.hands import OwnHand, ShownCounts
from scorepad.matches.transaction import ReasonWanted, Saved
from tests.matches.conftest import TABLET, Table, hand, hand_of_430_and_60, side_counted


@pytest.fixture
def checked(table: Table) -> Table:
    """A match in which one side counted a hand on the phone and the other checks on the tablet."""
    table.let_in(TABLET)
    table.check()
    table.play(hand_of_430_and_60())
    return table


@pytest.mark.parametrize(
    "reason", ["", "   ", "\u200b", "\u3164", "\u2800", "\u00ad", "\u2060", "\x00"]
)
def test_what_was_confirmed_is_not_changed_without_a_reason_that_people_see(
    checked: Table, reason: str
) -> None:
    checked.let_in(TABLET).confirm()
    assert isinstance(checked.correct(1, hand_of_430_and_60(), reason), ReasonWanted)
    assert isinstance(checked.undo(reason), ReasonWanted)


def test_a_reason_is_kept_in_one_line_without_characters_that_spoil_a_page(checked: Table) -> None:
    checked.let_in(TABLET).confirm()
    with_control_characters = " contata\n male \u202e\x1b\x00"

    saved = checked.correct(1, hand_of_430_and_60(), with_control_characters)

    assert isinstance(saved, Saved)
    correction = checked.state.hands[0].versions[-1]
    assert correction.event.reason == "contata male"


def test_nobody_chooses_their_own_count_of_a_contested_hand(checked: Table) -> None:
    other = checked.let_in(TABLET)
    other.contest(
        hand(side_counted(cards=150, left=20, mixed_canasta=1), side_counted(cards=110, left=40))
    )
    counts = ShownCounts(checked.entry(), checked.state.hands[0].contest.sequence)

    with pytest.raises(OwnHand):
        checked.choose(counts, counts.in_force)
    with pytest.raises(OwnHand):
        other.choose(counts, counts.contest)
