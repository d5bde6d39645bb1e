"""Who deals, who begins, who sits out.

A seat is the side and the player of that side, both counted from 0.
"""

import pytest

from scorepad.rules.judging import Seat, Turn, find_roles_in_hand, seat_players
from scorepad.rules.variants import settle


def list_turns(variant: str, first_dealer: Seat, hands: int) -> list[Turn]:
    """Return who deals, begins, cuts and rests in each of the first hands of a match."""
    settings = settle(variant).settings
    return [find_roles_in_hand(settings, first_dealer, number) for number in range(hands)]


def test_sides_of_two_players_sit_alternately() -> None:
    # A seat is a side and a player of that side, both counted from 0. The partners of a side sit
    # opposite each other.
    seats = seat_players(settle("classica").settings)
    assert seats == ((0, 0), (1, 0), (0, 1), (1, 1))


def test_sides_of_three_players_sit_alternately() -> None:
    # Six play, three against three. A seat is a side and a player of that side, counted from 0.
    seats = seat_players(settle("sei").settings)
    assert seats == ((0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2))


def test_deal_passes_to_the_left() -> None:
    # To the left, the players sit in the order (0, 0), (1, 0), (0, 1), (1, 1). A seat is a side and
    # a player of that side: the first player of the second side deals first.
    turns = list_turns("classica", first_dealer=(1, 0), hands=5)
    assert [turn.dealer for turn in turns] == [(1, 0), (0, 1), (1, 1), (0, 0), (1, 0)]


def test_player_left_of_dealer_begins_and_player_right_of_dealer_cuts() -> None:
    # To the left, the players sit in the order (0, 0), (1, 0), (0, 1), (1, 1). A seat is a side and
    # a player of that side.
    (turn,) = list_turns("classica", first_dealer=(1, 0), hands=1)
    assert turn.first == (0, 1)
    assert turn.cuts == (0, 0)
    assert turn.resting == ()  # all four play


def test_each_player_of_a_side_of_three_sits_out_every_third_hand() -> None:
    # Of five players, two are the first side and three the second, of whom one sits out each hand.
    # A seat is a side and a player: (1, 0) is the first player of the second side.
    turns = list_turns("cinque", first_dealer=(0, 0), hands=6)

    sitting_out = [turn.resting for turn in turns]
    first_three_hands = sitting_out[:3]
    assert set(first_three_hands) == {((1, 0),), ((1, 1),), ((1, 2),)}
    assert sitting_out == first_three_hands * 2


def test_five_players_who_rests_neither_deals_nor_begins_nor_cuts() -> None:
    # Four of the five play a hand; the fifth has no role in it.
    for turn in list_turns("cinque", first_dealer=(0, 0), hands=6):
        (resting,) = turn.resting
        assert resting not in (turn.dealer, turn.first, turn.cuts)


def test_five_players_side_that_did_not_deal_begins() -> None:
    # The player to the left of the dealer, who begins, is one of the other side.
    for turn in list_turns("cinque", first_dealer=(0, 0), hands=6):
        side_of_dealer, _ = turn.dealer
        side_of_first_player, _ = turn.first
        assert side_of_first_player != side_of_dealer


@pytest.mark.parametrize("dealer", [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2)])
def test_five_players_first_dealer_plays_the_first_hand(dealer: Seat) -> None:
    # Whoever of the five deals first, somebody else sits out.
    (turn,) = list_turns("cinque", first_dealer=dealer, hands=1)
    assert turn.dealer == dealer


def test_first_dealer_in_a_seat_that_does_not_exist_is_refused() -> None:
    # Of two players, each is a side: no side has a second player, (0, 1).
    with pytest.raises(ValueError, match="not in tuple"):
        list_turns("due", first_dealer=(0, 1), hands=1)
