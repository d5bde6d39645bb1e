"""The JSON of a hand: what is written of it is read as the same hand, whatever the sides are called."""

import json
from typing import Any

import pytest
from hypothesis import given, settings

from scorepad.rules.cards import NOTHING, read_cards
from scorepad.rules.hand import (
    Adjustment,
    Hand,
    HeldByPlayer,
    HeldInPoints,
    MeldEntry,
    Out,
    PenaltyEntry,
    SideEntry,
    Totals,
    encode_hand,
)
from scorepad.schemas import Unusable, read_hand_request
from scorepad.schemas.hand_requests import SIDE_KEYS
from tests.examples import examples
from tests.hands_read import hand_of, stored_hand
from tests.rules.hands_drawn import hands


@given(hands())
@settings(max_examples=examples(300))
def test_encoded_hand_is_decoded_as_the_same_hand(hand_json: dict[str, Any]) -> None:
    request = read_hand_request(json.dumps(hand_json))
    hand = request.hand

    # A program that sends a hand gives the sides any names. In a match they are "a", "b" and so on.
    names_sent = request.side_names
    names_in_match = SIDE_KEYS[: len(names_sent)]

    for names in (names_sent, names_in_match):
        encoded = encode_hand(hand, names)

        # It is the same hand if it is decoded as one that a program sends.
        decoded = hand_of(encoded, names)
        assert decoded == hand
        assert encode_hand(decoded, names) == encoded

        # And it is the same if it is decoded as one in the log of a match.
        assert stored_hand(encoded, names) == hand


def test_empty_hand_is_encoded_with_its_sides_alone() -> None:
    # Keys with no value, such as `out` for a hand that nobody ended, are left out.
    encoded = encode_hand(Hand((SideEntry(), SideEntry())), ("Noi", "Loro"))
    assert encoded == {"sides": {"Noi": {}, "Loro": {}}}


def test_side_with_cards_is_encoded_in_short_form() -> None:
    # Noi ("we") laid three queens with a two; and seven kings, all at once ("concealed"). In their
    # first turn they laid only the queens.
    queens = MeldEntry(read_cards("Q Q Q 2"))
    kings = MeldEntry(read_cards("7xK"), concealed=True)
    first_melds = (read_cards("3xQ"),)

    # One player is left with a nine, two fours and a three of spades, the other with nothing.
    left_of_players = HeldByPlayer((read_cards("9 4 4 3s"), NOTHING))

    # The side has a penalty of the rules; and one that the table made up ("house"), with its points
    # and the reason "late".
    penalties = (PenaltyEntry("draw-out-of-turn"), PenaltyEntry("house", 25, "late"))

    noi = SideEntry(
        melds=(queens, kings),
        left=left_of_players,
        red_threes=2,
        penalties=penalties,
        bonuses=("exact-cut",),
        opening=first_melds,
    )
    encoded = encode_hand(Hand((noi, SideEntry())), ("Noi", "Loro"))

    # Equal cards are written with their number: "Q Q Q 2" has become "3xQ 2".
    assert encoded["sides"]["Noi"] == {
        "melds": ["3xQ 2", {"cards": "7xK", "concealed": True}],
        "left": ["9 2x4 3s", ""],
        "red_threes": 2,
        "penalties": ["draw-out-of-turn", {"code": "house", "points": 25, "reason": "late"}],
        "bonuses": ["exact-cut"],
        "opening": {"melds": ["3xQ"]},
    }


def test_side_with_totals_is_encoded_in_short_form() -> None:
    # A side entered one canasta, the points of all its cards, and of the cards left in hand.
    by_totals = SideEntry(
        totals=Totals(50, {"mixed-canasta": 1}),
        left=HeldInPoints(85),
        adjustments=(Adjustment(-5, "z"),),
    )

    encoded = encode_hand(Hand((SideEntry(), by_totals)), ("Noi", "Loro"))

    assert encoded["sides"]["Loro"] == {
        "totals": {"cards": 50, "canastas": {"mixed-canasta": 1}},
        "left": 85,
        "adjustments": [{"points": -5, "reason": "z"}],
    }


def test_going_out_is_encoded_with_the_names_of_the_sides() -> None:
    # The second player of the first side went out, with the six of hearts as last discard.
    out = Out(0, concealed=True, discard=read_cards("6h"), player=1)
    hand = Hand((SideEntry(), SideEntry()), out, single=1, deal=2)

    encoded = encode_hand(hand, ("Noi", "Loro"))

    assert encoded == {
        "sides": {"Noi": {}, "Loro": {}},
        "out": {"side": "Noi", "concealed": True, "discard": "6h", "player": 1},
        "single": "Loro",
        "deal": 2,
    }


@pytest.mark.parametrize(
    ("out", "discard"),
    [
        pytest.param({"side": "b"}, None, id="not recorded"),
        pytest.param({"side": "b", "discard": None}, NOTHING, id="no discard"),
        pytest.param({"side": "b", "discard": "6"}, read_cards("6"), id="a six"),
    ],
)
def test_discard_that_was_not_recorded_differs_from_no_discard(
    out: dict[str, Any], discard: object
) -> None:
    # A player may go out without a last discard. Or nobody has entered which card it was.
    hand = hand_of({"sides": {}, "out": out})
    assert hand.out.discard == discard
    assert encode_hand(hand, ("a", "b"))["out"] == out


def test_unknown_cards_are_encoded_as_they_were_written() -> None:
    # Somebody mistyped: "zz", "?" and "!" are no cards. They are kept, and a form can show them.
    hand = hand_of({"sides": {"a": {"melds": ["zz K K Q ?"], "left": "9 ! 9"}}})

    encoded = encode_hand(hand, ("a", "b"))

    assert encoded["sides"]["a"] == {"melds": ["2xK Q zz ?"], "left": "2x9 !"}
    assert hand_of(encoded) == hand


def test_side_left_out_of_stored_hand_is_empty() -> None:
    # The log of a match names only the second side, which was left with cards worth 85 points.
    side_with_85_points_left = SideEntry(left=HeldInPoints(85))
    hand = stored_hand({"sides": {"b": {"left": 85}}})
    assert hand == Hand((SideEntry(), side_with_85_points_left))


@pytest.mark.parametrize(
    ("hand_json", "reason", "key"),
    [
        # A text may have 2,000 letters.
        ({"sides": {"a": {"left": "K" * 2001}}}, "too-long", "sides/a/left"),
        # A penalty that the table made up needs its points and a reason.
        ({"sides": {"a": {"penalties": ["house"]}}}, "house-reason", "sides/a/penalties/0"),
        # Only such a penalty has points.
        (
            {"sides": {"a": {"penalties": [{"code": "x", "points": 5}]}}},
            "penalty-points",
            "sides/a/penalties/0/points",
        ),
        # A reason may not be empty.
        (
            {"sides": {"a": {"adjustments": [{"points": 5, "reason": " "}]}}},
            "wrong",
            "sides/a/adjustments/0/reason",
        ),
        # The last discard is one card.
        ({"sides": {}, "out": {"side": "a", "discard": "4 5"}}, "one-card", "out/discard"),
    ],
)
def test_invalid_value_is_refused_with_its_key(
    hand_json: dict[str, Any], reason: str, key: str
) -> None:
    with pytest.raises(Unusable) as error:
        hand_of(hand_json)

    assert error.value.reason == f"unusable.{reason}"
    assert error.value.key == key


def test_hand_is_summed_if_every_side_has_a_sum() -> None:
    # A side may enter only the sum of its hand, without saying how it came about. Here that is 0.
    side_with_sum = SideEntry(sum=0)
    side_without_sum = SideEntry(left=HeldInPoints(85))
    assert Hand((side_with_sum, side_with_sum)).is_summed
    assert not Hand((side_with_sum, side_without_sum)).is_summed


@pytest.mark.parametrize(
    "hand_json",
    [
        {"sides": {"a": {}, "z": {}}},
        {"sides": {}, "out": {"side": "z"}},
        {"sides": {}, "single": "z"},
    ],
)
def test_stored_hand_with_unknown_side_is_refused(hand_json: dict[str, Any]) -> None:
    # The sides of a match are "a" and "b".
    with pytest.raises(ValueError, match="wrong"):
        stored_hand(hand_json)
