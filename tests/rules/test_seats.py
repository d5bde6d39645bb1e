"""Who deals, who begins, who sits out.

A seat is the side and the player of that side, both counted from 0.
"""

import pytest

from scorepad.rules.judging import Seat, Turn, find_roles_in_hand, seat_players
from scorepad.rules.variants import settle


def list_turns(variant: str, first_dealer: Seat, hands: int) -> list[Turn]:
    """Who deals, begins, cuts and rests in each of the first hands of a match."""
    settings = settle(variant).settings
    return [find_roles_in_hand(settings, first_dealer, number) for number in range(hands)]


def test_four_players_of_two_sides_sit_alternately() -> None:
    seats = seat_players(settle("classica").settings)
    assert seats == ((0, 0), (1, 0), (0, 1), (1, 1))


def test_six_players_of_two_sides_sit_alternately() -> None:
    seats = seat_players(settle("sei").settings)
    assert seats == ((0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2))


def test_the_deal_passes_clockwise() -> None:
    turns = list_turns("classica", first_dealer=(1, 0), hands=5)
    assert [turn.dealer for turn in turns] == [(1, 0), (0, 1), (1, 1), (0, 0), (1, 0)]


def test_the_player_left_of_the_dealer_begins_and_the_one_on_the_right_cuts() -> None:
    (turn,) = list_turns("classica", first_dealer=(1, 0), hands=1)
    assert turn.first == (0, 1)
    assert turn.cuts == (0, 0)
    assert turn.resting == ()


def test_of_five_players_each_of_the_side_of_three_rests_in_turn() -> None:
    turns = list_turns("cinque", first_dealer=(0, 0), hands=6)
    for turn in turns:
        (resting,) = turn.resting
        assert resting not in (turn.dealer, turn.first, turn.cuts)
        assert turn.dealer[0] != turn.first[0], "the side that did not deal begins"

    resting_seats = [turn.resting[0] for turn in turns]
    assert sorted(resting_seats[:3]) == [(1, 0), (1, 1), (1, 2)]
    assert resting_seats[3:] == resting_seats[:3]


@pytest.mark.parametrize("dealer", [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2)])
def test_the_first_dealer_of_five_plays_the_first_hand(dealer: Seat) -> None:
    (turn,) = list_turns("cinque", first_dealer=dealer, hands=1)
    assert turn.dealer == dealer


def test_a_seat_that_nobody_has_is_refused() -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        list_turns("due", first_dealer=(0, 1), hands=1)
