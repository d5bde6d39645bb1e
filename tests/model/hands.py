"""The hands of `hands.toml`, each as the model counts it and as the pad takes it, and the games they are of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scorepad.rules.hand import Hand as HandOfPad
from scorepad.schemas.hand_requests import SIDE_KEYS
from tests.data import read_data
from tests.hands_read import hand_of

TABLES = read_data("model/hands.toml")


@dataclass(frozen=True)
class Side:
    """What a side counted. `cards` None: only the sum was told."""

    points: int
    """Worked out by hand."""
    cards: int | None = None
    natural: int = 0
    mixed: int = 0
    more: tuple[str, ...] = ()
    """Canastas that not every variant has."""
    threes: int = 0
    left: int = 0
    fouls: int = 0

    def as_json(self) -> dict[str, Any]:
        """The same as a program sends it."""
        if self.cards is None:
            return {"sum": self.points}
        canastas = {"natural-canasta": self.natural, "mixed-canasta": self.mixed}
        canastas |= dict.fromkeys(self.more, 1)
        totals = {
            "canastas": {item: count for item, count in canastas.items() if count},
            "cards": self.cards,
        }
        fouls = {"penalties": ["draw-out-of-turn"] * self.fouls} if self.fouls else {}
        return {"totals": totals, "left": self.left, "red_threes": self.threes, **fouls}


@dataclass(frozen=True)
class Hand:
    """A hand of all sides. `out`: who went out. `wrong`: not even by agreement. `broken`: only by
    agreement.
    """

    sides: tuple[Side, ...]
    out: int | None = None
    concealed: bool = False
    wrong: bool = False
    broken: bool = False
    unreadable: bool = False

    @property
    def points(self) -> tuple[int, ...]:
        """Of each side."""
        return tuple(side.points for side in self.sides)

    def fouled(self, side: int) -> Hand:
        """The same with one more draw out of turn, which costs 100."""
        sides = list(self.sides)
        clean = sides[side]
        sides[side] = replace(clean, points=clean.points - 100, fouls=clean.fouls + 1)
        return replace(self, sides=tuple(sides))

    def as_json(self) -> dict[str, Any]:
        """The same as a program sends it."""
        sides = {key: side.as_json() for key, side in zip("abc", self.sides, strict=False)}
        out = None if self.out is None else {"side": "abc"[self.out], "concealed": self.concealed}
        if self.unreadable:
            sides["a"]["bonuses"] = ["fine-weather"]
        return {"sides": sides, "out": out}

    def of_pad(self) -> HandOfPad:
        """The same as the pad takes it."""
        return hand_of(self.as_json(), SIDE_KEYS[: len(self.sides)])


def side_of(row: Mapping[str, Any]) -> Side:
    return Side(**{**row, "more": tuple(row.get("more", ()))})


def hand_in(row: Mapping[str, Any]) -> Hand:
    return Hand(**{**row, "sides": tuple(map(side_of, row["sides"]))})


def hands_in(table: str) -> dict[str, Hand]:
    return {name: hand_in(row) for name, row in TABLES[table].items()}


TWO_SIDES = hands_in("two-sides")
THREE_SIDES = {
    name: replace(hand, sides=(*hand.sides, side_of(TABLES["third"][name])))
    for name, hand in TWO_SIDES.items()
}
# Hand and foot counts its threes by canastas and goes out with five of them.
HAND_AND_FOOT = {
    name: hand
    for name, hand in TWO_SIDES.items()
    if name not in ("out", "concealed", "fouled", "agreed")
}
NAMES = tuple(TWO_SIDES)
HANDS = {
    "two-sides": TWO_SIDES,
    "three-sides": THREE_SIDES,
    "samba": TWO_SIDES | hands_in("samba"),
    "canastone": TWO_SIDES | hands_in("canastone"),
    "hand-and-foot": HAND_AND_FOOT,
}


@dataclass(frozen=True)
class Game:
    """What the model knows of a variant: its hands, where a match ends, and what opens it."""

    variant: str
    hands: dict[str, Hand]
    target: int | None = None
    deals: int | None = None
    carried: tuple[int, ...] = ()
    played: int = 0
    steps: Sequence[tuple[int, int]] = ((1500, 90), (3000, 120))
    """From which total more than 50 opens, and what."""

    @property
    def sides(self) -> int:
        """How many play."""
        return len(self.hands["usual"].sides)

    @property
    def chairs(self) -> tuple[tuple[int, int], ...]:
        """Side and place of those who deal one after the other: partners sit opposite one another."""
        return ((0, 0), (1, 0), (2, 0)) if self.sides == 3 else ((0, 0), (1, 0), (0, 1), (1, 1))

    @property
    def nobody(self) -> tuple[tuple[str, ...], ...]:
        """The players of each side, none of them named."""
        return tuple(
            ("",) * sum(chair[0] == side for chair in self.chairs) for side in range(self.sides)
        )

    def minimum(self, total: int, deal: int) -> int:
        """The points that open: 15 below nothing, then 50, and more by steps; or by the deal."""
        if self.deals:
            return (50, 90, 120, 150)[min(deal, self.deals) - 1]
        if total < 0:
            return 15
        lowest = 50
        for start, opens in self.steps:
            if total >= start:
                lowest = opens
        return lowest

    def too_low(self, hand: Hand, before: tuple[int, ...], deal: int) -> tuple[int, ...]:
        """The sides that laid less than opens."""
        return tuple(
            position
            for position, (side, total) in enumerate(zip(hand.sides, before, strict=True))
            if side.cards and side.cards < self.minimum(total, deal)
        )


def game_in(row: Mapping[str, Any]) -> Game:
    return Game(**{**row, "hands": HANDS[row["hands"]]})


GAMES = {name: game_in(row) for name, row in TABLES["games"].items()}
