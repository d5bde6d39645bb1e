"""Rules that the first version of the program froze: a match begun then is scored to its end as it began."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scorepad.rules.entries import Hand
from scorepad.rules.judge import Judgement, judge
from scorepad.rules.variants import freeze, settle, thaw
from tests.rules.hands import codes, counted, hand, side, went_out

FROZEN = Path(__file__).with_name("frozen")
FILES = sorted(FROZEN.glob("*.json"))


def stored(name: str) -> dict[str, Any]:
    rules: dict[str, Any] = json.loads((FROZEN / f"{name}.json").read_text("utf-8"))
    return rules


def lines(judgement: Judgement) -> list[list[tuple[str, int | None, int]]]:
    assert judgement.sides is not None
    return [[(line.item, line.count, line.points) for line in scored.lines] for scored in judgement.sides]


def scored(name: str, played: Hand) -> Judgement:
    return judge(thaw(stored(name)), played)


def test_there_are_rules_of_the_first_version() -> None:
    assert [file.stem for file in FILES] == ["classica-first", "due-first", "tre-first"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_was_frozen_keeps_its_figures_its_digest_and_its_sources(file: Path) -> None:
    frozen = stored(file.stem)
    rules = thaw(frozen)
    again = freeze(rules)
    assert rules.digest == frozen["digest"]
    for key in ("variant", "preset", "options", "entry_fields"):
        assert again[key] == frozen[key], key
    for key in ("checks", "lines"):
        assert [rule["id"] for rule in again[key]] == [rule["id"] for rule in frozen[key]]
        assert all(rule["rests"] for rule in again[key]), "what they rest on is told as today"
    for cited, then in ((again["cited"][key], then) for key, then in frozen["cited"].items()):
        assert {key: cited[key] for key in then} == then
    for code, then in frozen["penalties"].items():
        assert again["penalties"][code]["points"] == then["points"]
    told = again["settings"]
    for key in frozen["settings"].keys() - {"cards_left", "canastas"}:
        assert told[key] == frozen["settings"][key], key
    for now, then in zip(told["canastas"], frozen["settings"]["canastas"], strict=True):
        assert {key: now[key] for key in then} == then


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_rules_frozen_thawed_and_frozen_again_stay_as_they_are(file: Path) -> None:
    rules = thaw(stored(file.stem))
    assert thaw(json.loads(json.dumps(freeze(rules)))) == rules


def test_a_classica_with_concealed_canastas_and_red_threes_at_zero_scores_as_it_did() -> None:
    # noi: 7 queens 500, concealed 100 more; 4 kings with two twos and a joker 300; cards 70 + 40 + 40 + 50 = 200;
    # one red three 100; out 100; the partner's 4 and 9 cost 15; one red three in hand 500: 785.
    # loro never opened: two red threes count nothing; aces in hand 40, a black three 5: -45.
    noi = side("7xQ", "4xK 2x2 JK", left="4 9", red_threes=1, red_threes_held=1)
    queens, kings = noi.melds
    noi = replace(noi, melds=(replace(queens, concealed=True), kings))
    judgement = scored("classica-first", hand(noi, side(left="2xA 3s", red_threes=2), out=went_out(0)))
    assert lines(judgement) == [
        [
            ("natural-canasta", 1, 500), ("mixed-canasta", 1, 300), ("concealed-canasta", 1, 100), ("cards", 14, 200),
            ("red-threes", 1, 100), ("out", 1, 100), ("cards-left", 2, -15), ("red-threes-held", 1, -500),
        ],
        [("red-threes", 2, 0), ("cards-left", 3, -45)],
    ]  # fmt: skip
    assert judgement.sides is not None
    assert [(scored.hand, scored.total) for scored in judgement.sides] == [(785, 785), (-45, -45)]
    assert [scored.next_opening_minimum for scored in judgement.sides] == [50, 15]


def test_a_game_of_two_needs_its_two_canastas_as_it_did() -> None:
    # One canasta is too few; with a second one: 500 + 300, cards 70 + 50 + 40 = 160, out 100 = 1060; Bea loses K 10.
    one = scored("due-first", hand(side("7xQ"), side("3xA", left="K"), out=went_out(0)))
    assert codes(one) == {"out-canastas-missing"}
    both = scored("due-first", hand(side("7xQ", "5x8 2x2"), side("3xA", left="K"), out=went_out(0)))
    assert lines(both) == [
        [("natural-canasta", 1, 500), ("mixed-canasta", 1, 300), ("cards", 14, 160), ("out", 1, 100)],
        [("cards", 3, 60), ("cards-left", 1, -10)],
    ]


def test_a_game_of_three_is_scored_each_alone_to_5000_as_it_was() -> None:
    # 4800 + (500 + 140 + 100) = 5540 wins; 3 queens and 3 tens 60 and a two in hand 20: 1490 + 40 = 1530; nothing
    # opened: a red three costs 100, the ten 10, from -5 to -115.
    noi, loro, altri = side("7xA"), side("3xQ", "3x10", left="2"), side(left="10", red_threes=1)
    judgement = scored("tre-first", hand(noi, loro, altri, before=(4800, 1490, -5), out=went_out(0)))
    assert judgement.sides is not None
    assert [scored.total for scored in judgement.sides] == [5540, 1530, -115]
    assert judgement.standing is not None
    assert (judgement.standing.target, judgement.standing.winner) == (5000, 0)


def test_totals_of_the_first_version_have_the_bounds_they_had() -> None:
    # Seven fours are the cheapest natural canasta, 35; all the cards without black threes are 1160.
    for points, held in ((35, False), (50, True), (1160, True), (1165, False)):
        judgement = scored("classica-first", hand(counted(points, natural_canasta=1), side()))
        assert (judgement.sides is not None) is held
    assert codes(scored("classica-first", hand(counted(30, natural_canasta=1), side(), before=(-5, 0)))) == {
        "totals-impossible"
    }


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_match_begun_today_with_the_same_options_is_played_by_the_same_settings(file: Path) -> None:
    then = thaw(stored(file.stem))
    today = settle(then.variant, None, then.options)
    assert today.settings == then.settings
    assert today.digest != then.digest
