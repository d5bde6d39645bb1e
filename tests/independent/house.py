"""The house rules in tests/rules/own and tests/rules/linked: what each table plays otherwise than
classica.

They are written down in house.toml as a person reads their files, those in `linked` with what moves along by the
rules of the table of links in the documentation.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Ladder = Sequence[tuple[float, int]]
"""Opening minimums: from this match score on, this minimum; the last that applies holds."""


@dataclass(frozen=True)
class House:
    """House rules that start from classica. Points.

    `takes` are the options that a match may choose; `hands` is the last hand of a match without a
    target; `openings` the minimum of each hand; `families` the canastas of each kind that going out
    needs; `reds` the worth of one, two … red threes; `held` and `penalty` the cost of a red three
    in hand, and not exposed; `out` the bonus for going out, and concealed; `ladder` the minimums by
    match score; `black` the cost of a black three in hand; `long` the naturals of a long canasta.
    """

    takes: Sequence[str] = ()
    target: int | None = 5000
    bonus: Mapping[str, int] = field(default_factory=dict)
    bonuses: Mapping[str, int] = field(default_factory=dict)
    hands: int | None = None
    openings: Sequence[int] = ()
    wild_melds: bool = False
    families: Sequence[str] = ()
    wilds: int = 3
    decks: int = 2
    reds: Sequence[int] = (100, 200, 300, 800)
    held: int = 500
    penalty: int = 500
    out: Sequence[int] = (100, 200)
    ladder: Ladder | None = None
    black: int = 5
    long: int | None = None


FILE = tomllib.loads(Path(__file__).with_name("house.toml").read_text("utf-8"))


def house_in(row: dict[str, Any]) -> House:
    """House rules as a row of house.toml has them; without a target where hands end the match."""
    target = None if "hands" in row else row.get("target", 5000)
    return House(**{**row, "target": target})


HOUSES = {name: house_in(row) for name, row in FILE["own"].items()}
LINKED = {name: house_in(row) for name, row in FILE["linked"].items()}
"""Those whose figures hang together."""
CLASSIC = House()
