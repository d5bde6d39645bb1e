"""Small hands for the model, each with its points worked out by hand, beside the same as the pad
takes it.

A side counts canastas (natural 500, mixed 300, a samba 1,500; in the canastone natural aces 1,000,
seven twos 3,000), the points of its cards, its red threes and for going out, less what is left in
hand and 100 for a draw out of turn.

Going out gives 100, concealed 200. Red threes are 100 each, all four of two decks 800. They count
against a side that laid nothing; in samba against one without two canastas; in the canastone for
one with a natural and a mixed canasta, against one with mixed ones only, twice against one with
none, and nothing with natural ones only. Going out gives 200 in samba, concealed or not, in the
canastone 300 and 500.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from scorepad.rules.hand import Hand as HandOfPad
from scorepad.schemas.hand_requests import SIDE_KEYS
from tests.hands_read import hand_of


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
        canastas = {"natural-canasta": self.natural, "mixed-canasta": self.mixed} | dict.fromkeys(
            self.more, 1
        )
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


_430 = Side(430, cards=150, mixed=1, left=20)  # 300 + 150 - 20
_60 = Side(60, cards=100, left=40)  # 100 - 40
TWO_SIDES: dict[str, Hand] = {
    "usual": Hand((_430, _60)),
    "turned": Hand((_60, _430)),
    # 60 - 20 and 55 - 10; from 1,500 on neither opens, from 0 on both.
    "small": Hand((Side(40, cards=60, left=20), Side(45, cards=55, left=10))),
    # 500 + 130 + 100 for a three + 100 for going out; 150 - 85.
    "out": Hand((Side(830, cards=130, natural=1, threes=1), Side(65, cards=150, left=85)), out=0),
    # Nothing laid: two threes count against them, -200 - 150. 2 x 500 + 200 + 200 for going out
    # concealed.
    "concealed": Hand(
        (Side(-350, cards=0, threes=2, left=150), Side(1400, cards=200, natural=2)),
        out=1,
        concealed=True,
    ),
    # All four threes: 800 + 120; 60 less 100 for the foul.
    "fouled": Hand((Side(920, cards=120, threes=4), Side(-40, cards=100, left=40, fouls=1))),
    "summed": Hand((Side(1200), Side(-85))),
    "great": Hand((Side(300), Side(2150))),
    "even": Hand((Side(2500), Side(2500))),
    # Out without a canasta: 130 + 100 where the table agreed to it, 60.
    "agreed": Hand((Side(230, cards=130), _60), out=0, broken=True),
    # Seven points of cards there cannot be.
    "wrong": Hand((Side(7, cards=7), _60), wrong=True),
    "unreadable": Hand((_430, _60), unreadable=True),
}
_THIRD = {
    "usual": Side(-75, cards=0, left=75),
    "turned": Side(145, cards=150, left=5),
    "small": Side(45, cards=50, left=5),
    "out": Side(155, cards=160, left=5),
    "concealed": Side(-20, cards=0, left=20),
    "fouled": Side(-50, cards=0, left=50),
    "summed": Side(705),
    "great": Side(2150),
    "even": Side(100),
    "agreed": Side(120, cards=125, left=5),
    "wrong": Side(0, cards=0),
    "unreadable": Side(0, cards=0),
}
THREE_SIDES = {
    name: Hand(
        (*hand.sides, _THIRD[name]),
        hand.out,
        hand.concealed,
        hand.wrong,
        hand.broken,
        hand.unreadable,
    )
    for name, hand in TWO_SIDES.items()
}
# Hand and foot counts its threes by canastas and goes out with five of them: what is left of the
# hands above.
HAND_AND_FOOT = {
    name: hand
    for name, hand in TWO_SIDES.items()
    if name not in ("out", "concealed", "fouled", "agreed")
}
# What another count of threes, canastas or going out changes of the hands above; the rest is worth
# the same.
SAMBA = TWO_SIDES | {
    # 1500 + 500 + 200 + 2 x 100 + 200 for going out; 150 - 85.
    "out": Hand(
        (Side(2600, cards=200, natural=1, more=("samba",), threes=2), Side(65, cards=150, left=85)),
        out=0,
    ),
    # No two canastas: two threes count against them, -200 - 150. 500 + 300 + 200 + 200 for going
    # out.
    "concealed": Hand(
        (Side(-350, cards=0, threes=2, left=150), Side(1200, cards=200, natural=1, mixed=1)),
        out=1,
        concealed=True,
    ),
    # Four threes of six: 500 + 300 + 160 + 400. One canasta only: 500 + 100 - 100 for a three, less
    # 40 and the foul.
    "fouled": Hand(
        (
            Side(1360, cards=160, natural=1, mixed=1, threes=4),
            Side(360, cards=100, natural=1, threes=1, left=40, fouls=1),
        )
    ),
    # Out with a single samba: 1500 + 130 + 200 where the table agreed to it.
    "agreed": Hand((Side(1830, cards=130, more=("samba",)), _60), out=0, broken=True),
}
CANASTONE = TWO_SIDES | {
    # Seven twos are natural: 3000 + 300 + 230 + 100 for a three + 300 for going out; 150 - 85.
    "out": Hand(
        (
            Side(3930, cards=230, mixed=1, more=("twos-canasta",), threes=1),
            Side(65, cards=150, left=85),
        ),
        out=0,
    ),
    # No canasta: two threes twice against them, -400 - 150. Natural aces: 1000 + 300 + 300 + 500
    # for going out.
    "concealed": Hand(
        (
            Side(-550, cards=0, threes=2, left=150),
            Side(2100, cards=300, mixed=1, more=("natural-aces-canasta",)),
        ),
        out=1,
        concealed=True,
    ),
    # Natural ones only: threes for nothing, 500 + 120. Mixed ones only: 300 + 100 - 2 x 100 - 40,
    # less the foul.
    "fouled": Hand(
        (
            Side(620, cards=120, natural=1, threes=4),
            Side(60, cards=100, mixed=1, threes=2, left=40, fouls=1),
        )
    ),
    # Out without a mixed canasta: 500 + 130 + 300 where the table agreed to it.
    "agreed": Hand((Side(930, cards=130, natural=1), _60), out=0, broken=True),
}
NAMES = tuple(TWO_SIDES)


@dataclass(frozen=True)
class Game:
    """What the model knows of a variant: its hands, where a match ends, and what opens it."""

    variant: str
    hands: dict[str, Hand]
    target: int | None
    deals: int | None = None
    carried: tuple[int, ...] = ()
    played: int = 0
    steps: tuple[tuple[int, int], ...] = ((1500, 90), (3000, 120))
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
        return (
            15
            if total < 0
            else max((50, *(opens for start, opens in self.steps if total >= start)))
        )

    def too_low(self, hand: Hand, before: tuple[int, ...], deal: int) -> tuple[int, ...]:
        """The sides that laid less than opens."""
        return tuple(
            position
            for position, (side, total) in enumerate(zip(hand.sides, before, strict=True))
            if side.cards and side.cards < self.minimum(total, deal)
        )


GAMES = {
    "classica": Game("classica", TWO_SIDES, 5000),
    "paper": Game("classica", TWO_SIDES, 5000, carried=(2900, -65), played=3),
    "tre": Game("tre", THREE_SIDES, 5000),
    "samba": Game("samba", SAMBA, 10_000, steps=((1500, 90), (3000, 120), (7000, 150))),
    "canastone": Game(
        "canastone",
        CANASTONE,
        15_000,
        steps=((3000, 90), (5000, 120), (7000, 160), (10_000, 180), (12_000, 200)),
    ),
    "hand-and-foot": Game(
        "hand-and-foot", HAND_AND_FOOT, None, deals=4, carried=(1000, 500), played=1
    ),
}
