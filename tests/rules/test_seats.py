"""Who deals, who begins, who sits out."""

from __future__ import annotations

import pytest

from scorepad.rules.judging import Seat, Turn, find_roles_in_hand, seat_players
from scorepad.rules.settings import Settings
from scorepad.rules.variants import settle


def turns(table: Settings, dealer: Seat, hands: int) -> list[Turn]:
    return [find_roles_in_hand(table, dealer, number) for number in range(hands)]


def test_four_sit_alternately_and_the_deal_passes_clockwise() -> None:
    four = settle("classica").settings
    assert seat_players(four) == ((0, 0), (1, 0), (0, 1), (1, 1))
    dealt = turns(four, (1, 0), 5)
    assert [turn.dealer for turn in dealt] == [(1, 0), (0, 1), (1, 1), (0, 0), (1, 0)]
    # The player on the dealer's left plays first, the one on the right cuts, and nobody rests.
    assert (dealt[0].first, dealt[0].cuts, dealt[0].resting) == ((0, 1), (0, 0), ())


def test_six_sit_alternately_three_to_a_side() -> None:
    assert seat_players(settle("sei").settings) == ((0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2))


def test_of_five_one_of_the_three_sits_out_each_hand_in_turn() -> None:
    dealt = turns(settle("cinque").settings, (0, 0), 6)
    resting = []
    for turn in dealt:
        (seat,) = turn.resting
        resting.append(seat)
        assert seat not in (turn.dealer, turn.first, turn.cuts)
        assert turn.dealer[0] != turn.first[0]
    assert sorted(resting[:3]) == [(1, 0), (1, 1), (1, 2)]
    assert resting[3:] == resting[:3]


def test_the_first_dealer_of_five_plays_the_first_hand() -> None:
    for dealer in [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2)]:
        assert turns(settle("cinque").settings, dealer, 1)[0].dealer == dealer


def test_a_seat_that_nobody_has_is_refused() -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        turns(settle("due").settings, (0, 1), 1)
