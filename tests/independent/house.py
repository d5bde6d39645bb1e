"""The house rules in tests/rules/own, as a person reads their files: what each table plays otherwise than classica."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class House:
    """House rules that start from classica. Points.

    `takes` are the options that a match may choose; `hands` is the last hand of a match without a target; `openings`
    the minimum of each hand; `families` the canastas of each kind that going out needs.
    """

    takes: tuple[str, ...] = ()
    target: int | None = 5000
    bonus: Mapping[str, int] = field(default_factory=dict)
    bonuses: Mapping[str, int] = field(default_factory=dict)
    hands: int | None = None
    openings: tuple[int, ...] = ()
    wild_melds: bool = False
    families: tuple[str, ...] = ()


HOUSES = {
    "tredici": House(takes=("wild-limit", "target"), bonuses={"exact-cut": 100}),
    "rosse-nere": House(bonus={"natural-canasta": 700, "mixed-canasta": 500}, bonuses={"exact-cut": 100}),
    "quattromila": House(target=4000, bonus={"natural-canasta": 500, "mixed-canasta": 200}),
    "a-tempo": House(target=None, hands=3, openings=(125, 155, 180)),
    "quattro-canaste": House(
        bonus={"all-sevens": 1500, "wild-canasta": 1000},
        wild_melds=True,
        families=("natural-canasta", "mixed-canasta", "wild-canasta", "all-sevens"),
    ),
}
CLASSIC = House()
