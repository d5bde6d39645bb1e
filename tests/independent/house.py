"""The house rules in tests/rules/own and tests/rules/linked: what each table plays otherwise than
classica.

They are written down as a person reads their files, those in `linked` with what moves along by the
rules of the table of links in the documentation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class House:
    """House rules that start from classica. Points.

    `takes` are the options that a match may choose; `hands` is the last hand of a match without a
    target; `openings` the minimum of each hand; `families` the canastas of each kind that going out
    needs; `reds` the worth of one, two … red threes; `held` and `penalty` the cost of a red three
    in hand, and not exposed; `out` the bonus for going out, and concealed; `ladder` the minimums by
    match score; `black` the cost of a black three in hand; `long` the naturals of a long canasta.
    """

    takes: tuple[str, ...] = ()
    target: int | None = 5000
    bonus: Mapping[str, int] = field(default_factory=dict)
    bonuses: Mapping[str, int] = field(default_factory=dict)
    hands: int | None = None
    openings: tuple[int, ...] = ()
    wild_melds: bool = False
    families: tuple[str, ...] = ()
    wilds: int = 3
    decks: int = 2
    reds: tuple[int, ...] = (100, 200, 300, 800)
    held: int = 500
    penalty: int = 500
    out: tuple[int, int] = (100, 200)
    ladder: tuple[tuple[int | None, int], ...] | None = None
    black: int = 5
    long: int | None = None


HOUSES = {
    "tredici": House(takes=("wild-limit", "target"), bonuses={"exact-cut": 100}),
    "rosse-nere": House(
        bonus={"natural-canasta": 700, "mixed-canasta": 500}, bonuses={"exact-cut": 100}
    ),
    "quattromila": House(target=4000, bonus={"natural-canasta": 500, "mixed-canasta": 200}),
    "a-tempo": House(target=None, hands=3, openings=(125, 155, 180)),
    "quattro-canaste": House(
        bonus={"all-sevens": 1500, "wild-canasta": 1000},
        wild_melds=True,
        families=("natural-canasta", "mixed-canasta", "wild-canasta", "all-sevens"),
    ),
    "tutte-dodici": House(
        decks=3, reds=(100, 200, 300, 400, 500, 600), bonus={"long-canasta": 1000}, long=12
    ),
}
LINKED = {
    "quattro-matte": House(wilds=4),
    "due-matte": House(wilds=2),
    "mista-quattro": House(wilds=4, bonus={"natural-canasta": 500, "mixed-canasta": 400}),
    "tre-mazzi": House(decks=3, reds=(100, 200, 300, 400, 500, 1500)),
    "un-mazzo": House(decks=1, reds=(100, 200)),
    "penale-trecento": House(penalty=300, held=300),
    "mano-duecento": House(penalty=200, held=200),
    "penale-e-mano": House(penalty=300, held=500),
    "chiusura-trecento": House(out=(300, 600)),
    "aperture-alte": House(ladder=((None, 60), (0, 100), (2000, 150))),
    "due-famiglie": House(families=("natural-canasta", "mixed-canasta")),
    "neri-cinquanta": House(black=50),
}
"""Those whose figures hang together."""
CLASSIC = House()
