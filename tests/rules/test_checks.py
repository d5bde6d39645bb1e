"""Checks that the worked hands do not reach."""

from __future__ import annotations

import json

import pytest

from scorepad.contract import answer, read_asked
from scorepad.i18n import words
from scorepad.rules.judge import judge


def problems(**hand: object) -> set[tuple[str, str]]:
    asked = read_asked(json.dumps({"variant": "classica", **hand}))
    told = answer(judge(asked.rules, asked.hand), asked.hand, words("it"))
    return {(problem["code"], problem["where"]) for problem in told["problems"]}


def test_an_adjustment_is_a_multiple_of_five() -> None:
    noi = {"adjustments": [{"points": -20, "reason": "x"}, {"points": 7, "reason": "x"}]}
    assert problems(sides={"noi": noi}) == {("points-not-multiple", "/sides/noi/adjustments/1")}


def test_who_plays_alone_and_went_out_cannot_hold_a_red_three() -> None:
    anna = {"melds": ["7xK", "7xQ"], "red_threes_held": 1}
    found = problems(variant="due", before={"Anna": 0, "Bea": 0}, sides={"Anna": anna}, out={"side": "Anna"})
    assert found == {("out-cards-left", "/sides/Anna/red_threes_held")}


def test_of_the_hands_given_apart_that_of_who_went_out_must_be_empty() -> None:
    noi = {"melds": ["7xK"], "left": ["4", ""]}
    assert problems(sides={"noi": noi}, out={"side": "noi", "player": 0}) == {("out-cards-left", "/sides/noi/left/0")}
    assert not problems(sides={"noi": noi}, out={"side": "noi", "player": 1})
    assert not problems(sides={"noi": noi}, out={"side": "noi"})
    both = {"melds": ["7xK"], "left": ["4", "9"]}
    assert problems(sides={"noi": both}, out={"side": "noi"}) == {("out-cards-left", "/sides/noi/left")}


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
    assert problems(sides={"noi": {"totals": {"cards": points}}}) == {("totals-impossible", "/sides/noi/totals")}


def test_an_opening_cannot_hold_black_threes_unless_it_was_the_last_turn_too() -> None:
    noi = {"melds": ["7xA", "3x3b"], "opening": {"melds": ["7xA", "3x3b"]}}
    assert problems(sides={"noi": noi}, out={"side": "noi"}) == {("opening-below-minimum", "/sides/noi/opening")}
    assert not problems(sides={"noi": noi}, out={"side": "noi", "concealed": True})


def test_a_side_beside_totals_may_note_its_opening() -> None:
    noi = {"totals": {"cards": 200}, "opening": {"melds": ["3x4"]}}
    assert problems(sides={"noi": noi}) == {("opening-below-minimum", "/sides/noi/opening")}
