"""Checks that the worked hands do not reach."""

from __future__ import annotations

import json

import pytest

from scorepad.i18n import words
from scorepad.schemas import answer, read_hand_request


def problems(**hand: object) -> set[tuple[str, str]]:
    asked = read_hand_request(json.dumps({"variant": "classica", **hand}))
    told = answer(asked.judge(), asked.names, words("it"))
    return {(problem["code"], problem["where"]) for problem in told["problems"]}


def test_an_adjustment_is_a_multiple_of_five() -> None:
    noi = {"adjustments": [{"points": -20, "reason": "x"}, {"points": 7, "reason": "x"}]}
    assert problems(sides={"noi": noi}) == {("points-not-multiple", "/sides/noi/adjustments/1")}


def test_who_plays_alone_and_went_out_cannot_hold_a_red_three() -> None:
    anna = {"melds": ["7xK", "7xQ"], "red_threes_held": 1}
    found = problems(
        variant="due", before={"Anna": 0, "Bea": 0}, sides={"Anna": anna}, out={"side": "Anna"}
    )
    assert found == {("out-cards-left", "/sides/Anna/red_threes_held")}


def test_who_plays_alone_and_went_out_cannot_hold_a_card() -> None:
    anna = {"melds": ["7xK", "7xQ"]}
    for left, found in (
        ("", set()),
        ([""], set()),
        ("4", {("out-cards-left", "/sides/Anna/left")}),
    ):
        sides = {"Anna": {**anna, "left": left}}
        assert (
            problems(variant="due", before={"Anna": 0, "Bea": 0}, sides=sides, out={"side": "Anna"})
            == found
        )


def test_of_the_hands_given_apart_that_of_who_went_out_must_be_empty() -> None:
    noi = {"melds": ["7xK"], "left": ["4", ""]}
    assert problems(sides={"noi": noi}, out={"side": "noi", "player": 0}) == {
        ("out-cards-left", "/sides/noi/left/0")
    }
    assert not problems(sides={"noi": noi}, out={"side": "noi", "player": 1})
    assert not problems(sides={"noi": noi}, out={"side": "noi"})
    both = {"melds": ["7xK"], "left": ["4", "9"]}
    assert problems(sides={"noi": both}, out={"side": "noi"}) == {
        ("out-cards-left", "/sides/noi/left")
    }


def test_what_stands_under_a_wrong_name_is_judged_all_the_same() -> None:
    found = problems(sides={"nio": {"melds": ["2xK"], "left": "9"}}, out={"side": "noi"})
    assert found == {("side-unknown", "/sides/nio"), ("meld-too-short", "/sides/nio/melds/0")}
    # Who went out under a name that is nobody's is told as well.
    found = problems(sides={"nio": {"melds": ["7xK"], "left": ["4", ""]}}, out={"side": "nio"})
    assert found == {("side-unknown", "/sides/nio"), ("side-unknown", "/out/side")}


def test_of_a_meld_with_an_unknown_card_only_what_is_sure_is_told() -> None:
    assert problems(sides={"noi": {"melds": ["2xK ?"]}}) == {("card-unknown", "/sides/noi/melds/0")}
    found = problems(sides={"noi": {"melds": ["K Q 4x2 3r ?"]}})
    assert found == {
        ("card-unknown", "/sides/noi/melds/0"),
        ("meld-mixed-ranks", "/sides/noi/melds/0"),
        ("meld-too-many-wilds", "/sides/noi/melds/0"),
        ("meld-red-three", "/sides/noi/melds/0"),
    }


@pytest.mark.parametrize("points", [-5, -1000])
def test_negative_totals_say_nothing_of_the_opening(points: int) -> None:
    assert problems(sides={"noi": {"totals": {"cards": points}}}) == {
        ("totals-impossible", "/sides/noi/totals")
    }


def test_an_opening_cannot_hold_black_threes_unless_it_was_the_last_turn_too() -> None:
    noi = {"melds": ["7xA", "3x3b"], "opening": {"melds": ["7xA", "3x3b"]}}
    assert problems(sides={"noi": noi}, out={"side": "noi"}) == {
        ("opening-below-minimum", "/sides/noi/opening")
    }
    assert not problems(sides={"noi": noi}, out={"side": "noi", "concealed": True})


def test_a_side_beside_totals_may_note_its_opening() -> None:
    noi = {"totals": {"cards": 200}, "opening": {"melds": ["3x4"]}}
    assert problems(sides={"noi": noi}) == {("opening-below-minimum", "/sides/noi/opening")}


def test_what_a_stranger_holds_is_no_hand_of_the_table() -> None:
    # Whether one string of cards is one hand or several is said only of those who play.
    noi = {"melds": ["3xA"], "left": "4"}
    found = problems(variant="sette", sides={"noi": noi, "nio": {"melds": ["3xQ 2"], "left": "9"}})
    assert found == {("side-unknown", "/sides/nio"), ("hands-not-apart", "/sides/noi/left")}


def test_a_hand_that_is_shown_goes_out_without_a_discard() -> None:
    noi = {"special": "pairs"}
    for out in ({"side": "noi"}, {"side": "noi", "discard": None}):
        assert not problems(variant="moderna", sides={"noi": noi}, out=out)
    # Who melds must discard.
    noi = {"melds": ["7xK", "7xQ"]}
    assert problems(
        variant="moderna", sides={"noi": noi}, out={"side": "noi", "discard": None}
    ) == {("out-discard-missing", "/out/discard")}


@pytest.mark.parametrize(
    ("variant", "meld", "codes"),
    [
        ("uruguaiana", "8x2 ?", set()),  # with a natural card for the token it may be long
        ("cubana", "8x2 ?", {"meld-too-long"}),  # here nothing is longer than seven
        ("cubana", "2xK 4x2 ?", {"meld-too-many-wilds"}),
        ("cubana", "4x2 ?", set()),  # a wild card for the token, and they are wild cards alone
        ("classica", "4x2 ?", {"meld-too-many-wilds"}),
        ("samba", "Kh Ah 3x2 ?", set()),  # a queen of hearts, and it is a broken sequence
        ("samba", "2xK 3x2 ?", set()),
        ("mini", "6x2 ?", {"meld-too-long"}),
    ],
)
def test_of_a_meld_with_an_unknown_card_nothing_is_told_that_the_card_could_set_right(
    variant: str, meld: str, codes: set[str]
) -> None:
    found = problems(variant=variant, sides={"noi": {"melds": [meld]}})
    assert found == {(code, "/sides/noi/melds/0") for code in {"card-unknown", *codes}}


def test_an_opening_noted_beside_a_partners_totals_is_held_against_all_that_the_pair_laid() -> None:
    pair = {
        "Anna": {"totals": {"cards": 30}},
        "Bea": {"melds": ["5xK"], "opening": {"melds": ["3xA"]}},
    }
    table = {
        "variant": "tagliagola",
        "before": {"Anna": 0, "Bea": 0, "Carla": 0},
        "single": "Carla",
    }
    # 30 + 50 points laid together can hold three aces, 30 alone could not.
    assert not problems(**table, sides=pair)
    pair["Anna"] = {"sum": 200}
    # Of a sum nobody knows what was laid.
    assert problems(**table, sides=pair) == {("not-checked", "/sides/Anna/sum")}
