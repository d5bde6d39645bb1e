"""Who scores with whom in a hand, and what a side has on the table (rules: "Words", "Other table
sizes").
"""

from __future__ import annotations

from collections import Counter

from .game import Game
from .hand import Side
from .melds import canasta, incomplete

NATURAL = ("natural-canasta", "natural-aces-canasta", "twos-canasta")
"""Canastone and mini: the canastas that count as natural (pure); all others count as mixed."""


def canastas(game: Game, sides: list[Side]) -> Counter[str]:
    """The complete canastas of these entries by item; `concealed-canasta` is no canasta of its own."""
    found: Counter[str] = Counter()
    for side in sides:
        items = (canasta(game, meld.cards) for meld in side.melds)
        found.update(item for item in items if item)
        if side.totals:
            found.update(side.totals.canastas)
    del found["concealed-canasta"]
    return +found


def incompletes(game: Game, sides: list[Side]) -> Counter[str]:
    """The incomplete melds that some variant minds, by kind."""
    found: Counter[str] = Counter()
    for side in sides:
        kinds = (incomplete(game, meld.cards) for meld in side.melds)
        found.update(kind for kind in kinds if kind)
        if side.totals:
            found.update(side.totals.incomplete)
    return found


def may_go_out(game: Game, made: Counter[str]) -> bool:
    """Whether these canastas are what going out needs."""
    if game.house.families:
        return all(made[item] for item in game.house.families)
    if game.variant in ("canastone", "mini"):
        return has_both(made)
    if game.variant == "hand-and-foot":
        clean, dirty, wild = made["natural-canasta"], made["mixed-canasta"], made["wild-canasta"]
        if game.option("books-needed") == "one-one-one":
            return clean >= 1 and dirty >= 1 and wild >= 1
        if game.option("books-needed") == "one-one" or not game.wild_melds:
            return clean >= 1 and dirty >= 1
        return clean >= 2 and dirty >= 2 and wild >= 1
    if game.variant == "bolivia" and not made["samba"] + made["dirty-samba"]:
        return False
    return made.total() >= _needed(game)


def _needed(game: Game) -> int:
    if game.variant == "due":
        return 2 if game.option("code") in ("attested", "usa-3") else 1
    if game.variant == "tagliagola":
        return 2 if game.option("canastas-needed") == 2 else 1
    return 2 if game.variant in ("messicana", "samba", "bolivia", "moderna") else 1


def naturals(made: Counter[str]) -> int:
    return sum(made[item] for item in NATURAL)


def has_both(made: Counter[str]) -> bool:
    """At least one natural and one mixed canasta."""
    return 0 < naturals(made) < made.total()
