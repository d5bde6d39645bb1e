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
def test_what_is_written_of_a_hand_is_read_as_the_same_hand(drawn: dict[str, Any]) -> None:
    request = read_hand_request(json.dumps(drawn))
    for names in (request.side_names, SIDE_KEYS[: len(request.side_names)]):
        written = encode_hand(request.hand, names)
        assert hand_of(written, names) == request.hand
        assert stored_hand(written, names) == request.hand
        assert encode_hand(hand_of(written, names), names) == written


def test_an_empty_hand_has_its_sides_alone() -> None:
    written = encode_hand(Hand((SideEntry(), SideEntry())), ("Noi", "Loro"))
    assert written == {"sides": {"Noi": {}, "Loro": {}}}


def test_a_hand_is_written_as_short_as_it_can_be_sent() -> None:
    noi = SideEntry(
        melds=(MeldEntry(read_cards("Q Q Q 2")), MeldEntry(read_cards("7xK"), concealed=True)),
        left=HeldByPlayer((read_cards("9 4 4 3s"), NOTHING)),
        red_threes=2,
        penalties=(PenaltyEntry("draw-out-of-turn"), PenaltyEntry("house", 25, "x")),
        bonuses=("y",),
        opening=(read_cards("3xQ"),),
    )
    loro = SideEntry(
        totals=Totals(50, {"mixed-canasta": 1}),
        left=HeldInPoints(85),
        adjustments=(Adjustment(-5, "z"),),
    )
    out = Out(0, concealed=True, discard=read_cards("6h"), player=1)
    assert encode_hand(Hand((noi, loro), out, single=1, deal=2), ("Noi", "Loro")) == {
        "sides": {
            "Noi": {
                "melds": ["3xQ 2", {"cards": "7xK", "concealed": True}],
                "left": ["9 2x4 3s", ""],
                "red_threes": 2,
                "penalties": ["draw-out-of-turn", {"code": "house", "points": 25, "reason": "x"}],
                "bonuses": ["y"],
                "opening": {"melds": ["3xQ"]},
            },
            "Loro": {
                "totals": {"cards": 50, "canastas": {"mixed-canasta": 1}},
                "left": 85,
                "adjustments": [{"points": -5, "reason": "z"}],
            },
        },
        "out": {"side": "Noi", "concealed": True, "discard": "6h", "player": 1},
        "single": "Loro",
        "deal": 2,
    }


@pytest.mark.parametrize(
    ("given_out", "discard"),
    [({}, None), ({"discard": None}, NOTHING), ({"discard": "6"}, read_cards("6"))],
)
def test_no_last_discard_is_distinguished_from_one_that_was_not_recorded(
    given_out: dict[str, Any], discard: object
) -> None:
    out = {"side": "b", **given_out}
    hand = hand_of({"sides": {}, "out": out})
    assert hand.out.discard == discard
    assert encode_hand(hand, ("a", "b"))["out"] == out


def test_cards_that_are_none_are_written_as_they_stood() -> None:
    hand = hand_of({"sides": {"a": {"melds": ["zz K K Q ?"], "left": "9 ! 9"}}})
    written = encode_hand(hand, ("a", "b"))
    assert written["sides"]["a"] == {"melds": ["2xK Q zz ?"], "left": "2x9 !"}
    assert hand_of(written) == hand


def test_a_stored_hand_without_one_of_its_sides_is_read_with_that_side_empty() -> None:
    assert stored_hand({"sides": {"b": {"left": 85}}}) == Hand(
        (SideEntry(), SideEntry(left=HeldInPoints(85)))
    )


@pytest.mark.parametrize(
    ("given_hand", "reason", "key"),
    [
        ({"sides": {"a": {"left": "K" * 2001}}}, "too-long", "sides/a/left"),
        ({"sides": {"a": {"penalties": ["house"]}}}, "house-reason", "sides/a/penalties/0"),
        (
            {"sides": {"a": {"penalties": [{"code": "x", "points": 5}]}}},
            "penalty-points",
            "sides/a/penalties/0/points",
        ),
        (
            {"sides": {"a": {"adjustments": [{"points": 5, "reason": " "}]}}},
            "wrong",
            "sides/a/adjustments/0/reason",
        ),
        ({"sides": {}, "out": {"side": "a", "discard": "4 5"}}, "one-card", "out/discard"),
    ],
)
def test_what_no_hand_has_is_refused_by_its_key(
    given_hand: dict[str, Any], reason: str, key: str
) -> None:
    with pytest.raises(Unusable) as error:
        hand_of(given_hand)
    assert (error.value.reason, error.value.key) == (f"unusable.{reason}", key)


def test_a_hand_is_summed_if_the_table_agreed_on_sums_of_all_sides() -> None:
    with_sum, counted = SideEntry(sum=0), SideEntry(left=HeldInPoints(85))
    assert Hand((with_sum, with_sum)).is_summed
    assert not Hand((with_sum, counted)).is_summed


@pytest.mark.parametrize(
    "given_hand",
    [
        {"sides": {"a": {}, "z": {}}},
        {"sides": {}, "out": {"side": "z"}},
        {"sides": {}, "single": "z"},
    ],
)
def test_a_hand_of_a_log_names_no_side_that_the_match_does_not_have(
    given_hand: dict[str, Any],
) -> None:
    with pytest.raises(ValueError, match="wrong"):
        stored_hand(given_hand)
