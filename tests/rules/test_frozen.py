"""Rules stored with a match: frozen, read back, and what is scored by them worked by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from scorepad.errors import NewerError
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import Hand
from scorepad.rules.judging import Judgement, judge
from scorepad.rules.variants import freeze, settle, thaw
from tests.rules.hands import codes, counted, hand, side, went_out

CONCEALED = settle("classica", None, {"concealed-canasta": 100, "red-threes-unopened": "zero"})
DUE, TRE = settle("due"), settle("tre")


def stored(rules: Ruleset) -> dict[str, Any]:
    """Rules as they come back from a file."""
    frozen: dict[str, Any] = json.loads(json.dumps(freeze(rules)))
    return frozen


def lines(judgement: Judgement) -> list[list[tuple[str, int | None, int]]]:
    assert judgement.sides is not None
    return [
        [(line.item, line.count, line.points) for line in scored.lines]
        for scored in judgement.sides
    ]


def scored(rules: Ruleset, played: Hand, before: tuple[int, ...] | None = None) -> Judgement:
    return judge(thaw(stored(rules)), played, before)


def test_frozen_rules_carry_version_1_and_no_other_one_is_read() -> None:
    frozen = stored(CONCEALED)
    assert frozen["version"] == 1
    assert thaw(frozen) == CONCEALED
    for version in (2, 0, None, "1"):
        with pytest.raises(NewerError, match="version"):
            thaw({**frozen, "version": version})
    with pytest.raises(NewerError):
        thaw({key: value for key, value in frozen.items() if key != "version"})


@pytest.mark.parametrize("key", ["upcard_wild", "opening_by"])
def test_frozen_rules_that_lack_a_setting_are_not_completed(key: str) -> None:
    frozen = stored(CONCEALED)
    del frozen["settings"][key]
    with pytest.raises(ValidationError, match=key):
        thaw(frozen)


def test_frozen_rules_without_a_table_of_settings_are_refused() -> None:
    frozen = {**stored(CONCEALED), "settings": 5}
    with pytest.raises(ValidationError, match="settings"):
        thaw(frozen)


def test_a_classica_with_concealed_canastas_and_red_threes_at_zero_is_scored_by_its_frozen_rules() -> (
    None
):
    # noi: 7 queens 500, concealed 100 more; 4 kings with two twos and a joker 300; cards 70 + 40 +
    # 40 + 50 = 200; one red three 100; out 100; the partner's 4 and 9 cost 15; one red three in
    # hand 500: 785. loro never opened: two red threes count nothing; aces in hand 40, a black three
    # 5: -45.
    noi = side("7xQ", "4xK 2x2 JK", left="4 9", red_threes=1, red_threes_held=1)
    queens, kings = noi.melds
    noi = replace(noi, melds=(replace(queens, concealed=True), kings))
    judgement = scored(CONCEALED, hand(noi, side(left="2xA 3s", red_threes=2), out=went_out(0)))
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


def test_a_game_of_two_needs_its_two_canastas() -> None:
    # One canasta is too few; with a second one: 500 + 300, cards 70 + 50 + 40 = 160, out 100 =
    # 1060; Bea loses K 10.
    one = scored(DUE, hand(side("7xQ"), side("3xA", left="K"), out=went_out(0)))
    assert codes(one) == {"out-canastas-missing"}
    both = scored(DUE, hand(side("7xQ", "5x8 2x2"), side("3xA", left="K"), out=went_out(0)))
    assert lines(both) == [
        [
            ("natural-canasta", 1, 500),
            ("mixed-canasta", 1, 300),
            ("cards", 14, 160),
            ("out", 1, 100),
        ],
        [("cards", 3, 60), ("cards-left", 1, -10)],
    ]


def test_a_game_of_three_is_scored_each_alone_to_5000() -> None:
    # 4800 + (500 + 140 + 100) = 5540 wins; 3 queens and 3 tens 60 and a two in hand 20: 1490 + 40 =
    # 1530; nothing opened: a red three costs 100, the ten 10, from -5 to -115.
    noi, loro, altri = side("7xA"), side("3xQ", "3x10", left="2"), side(left="10", red_threes=1)
    judgement = scored(TRE, hand(noi, loro, altri, out=went_out(0)), before=(4800, 1490, -5))
    assert judgement.sides is not None
    assert [scored.total for scored in judgement.sides] == [5540, 1530, -115]
    assert judgement.status is not None
    assert (judgement.status.target, judgement.status.winner) == (5000, 0)


def test_totals_have_the_bounds_of_the_frozen_rules() -> None:
    # Seven fours are the cheapest natural canasta, 35; all the cards without black threes are 1160.
    for points, held in ((35, False), (50, True), (1160, True), (1165, False)):
        judgement = scored(CONCEALED, hand(counted(points, natural_canasta=1), side()))
        assert (judgement.sides is not None) is held
    assert codes(
        scored(CONCEALED, hand(counted(30, natural_canasta=1), side()), before=(-5, 0))
    ) == {"totals-impossible"}
