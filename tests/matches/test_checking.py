"""One side counts and the other checks. What the counts come to is in `tests/model`; here is what
people see of a reason, and that nobody settles a dispute alone.
"""

import pytest

from scorepad.matches.hands import OwnHand, ShownCounts
from scorepad.matches.transaction import ReasonWanted, Saved
from tests.matches.conftest import TABLET, Table, hand, hand_of_430_and_60, side_counted


@pytest.fixture
def phone(table: Table) -> Table:
    """The phone of a side that counted a hand; the other side is to check it."""
    table.let_in(TABLET)
    table.check()
    table.play(hand_of_430_and_60())
    return table


@pytest.fixture
def tablet(phone: Table) -> Table:
    """The tablet of the side that checks."""
    return phone.let_in(TABLET)


@pytest.mark.parametrize(
    "invisible_reason", ["", "   ", "\u200b", "\u3164", "\u2800", "\u00ad", "\u2060", "\x00"]
)
def test_confirmed_hand_is_not_changed_without_a_visible_reason(
    phone: Table, tablet: Table, invisible_reason: str
) -> None:
    tablet.confirm()
    correction = phone.correct(1, hand_of_430_and_60(), invisible_reason)
    assert isinstance(correction, ReasonWanted)
    assert isinstance(phone.undo(invisible_reason), ReasonWanted)


def test_reason_is_stored_in_one_line_without_control_characters(
    phone: Table, tablet: Table
) -> None:
    tablet.confirm()

    saved = phone.correct(1, hand_of_430_and_60(), " contata\n male \u202e\x1b\x00")

    assert isinstance(saved, Saved)
    correction = phone.state.hands[0].versions[-1]
    assert correction.event.reason == "contata male"


def test_nobody_can_choose_their_own_count_of_contested_hand(phone: Table, tablet: Table) -> None:
    tablet.contest(
        hand(side_counted(cards=150, left=20, mixed_canasta=1), side_counted(cards=110, left=40))
    )
    counts = ShownCounts(phone.entry(), phone.state.hands[0].contest.sequence)

    with pytest.raises(OwnHand):
        phone.choose(counts, counts.in_force)
    with pytest.raises(OwnHand):
        tablet.choose(counts, counts.contest)
