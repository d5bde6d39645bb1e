"""Small hands for the model, each with its points worked out by hand, beside the same as the pad takes it.

A side counts canastas (natural 500, mixed 300), the points of its cards, its red threes (100 each, all four 800, for a
side that laid something; against it where it did not), 100 for going out and 200 for going out concealed, less what is
left in hand and 100 for a draw out of turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Side:
    """What a side counted. `cards` None: only the sum was told."""

    points: int
    """Worked out by hand."""
    cards: int | None = None
    natural: int = 0
    mixed: int = 0
    threes: int = 0
    left: int = 0
    fouls: int = 0
    can_open_low: bool = False
    """Whether it went out concealed, for which there is no minimum."""

    def told(self) -> dict[str, Any]:
        """The same as the pad takes it."""
        if self.cards is None:
            return {"sum": self.points}
        canastas = {"natural-canasta": self.natural, "mixed-canasta": self.mixed}
        totals = {"canastas": {item: count for item, count in canastas.items() if count}, "cards": self.cards}
        fouls = {"penalties": ["draw-out-of-turn"] * self.fouls} if self.fouls else {}
        return {"totals": totals, "left": self.left, "red_threes": self.threes, **fouls}


@dataclass(frozen=True)
class Hand:
    """A hand of all sides. `out`: who went out. `wrong`: not even by agreement. `broken`: only by agreement."""

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

    def told(self) -> dict[str, Any]:
        """The same as the pad takes it."""
        sides = {key: side.told() for key, side in zip("abc", self.sides, strict=False)}
        out = None if self.out is None else {"side": "abc"[self.out], "concealed": self.concealed}
        return {"sides": sides, "out": out} | ({"weather": "fine"} if self.unreadable else {})


_430 = Side(430, cards=150, mixed=1, left=20)  # 300 + 150 - 20
_60 = Side(60, cards=100, left=40)  # 100 - 40
TWO_SIDES: dict[str, Hand] = {
    "usual": Hand((_430, _60)),
    "turned": Hand((_60, _430)),
    # 60 - 20 and 55 - 10; from 1,500 on neither opens, from 0 on both.
    "small": Hand((Side(40, cards=60, left=20), Side(45, cards=55, left=10))),
    # 500 + 130 + 100 for a three + 100 for going out; 150 - 85.
    "out": Hand((Side(830, cards=130, natural=1, threes=1), Side(65, cards=150, left=85)), out=0),
    # Nothing laid: two threes count against them, -200 - 150. 2 x 500 + 200 + 200 for going out concealed.
    "concealed": Hand(
        (Side(-350, cards=0, threes=2, left=150), Side(1400, cards=200, natural=2, can_open_low=True)),
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
    name: Hand((*hand.sides, _THIRD[name]), hand.out, hand.concealed, hand.wrong, hand.broken, hand.unreadable)
    for name, hand in TWO_SIDES.items()
}
# Hand and foot counts its threes by canastas and goes out with five of them: what is left of the hands above.
HAND_AND_FOOT = {name: hand for name, hand in TWO_SIDES.items() if name not in ("out", "concealed", "fouled", "agreed")}
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

    @property
    def sides(self) -> int:
        """How many play."""
        return len(self.hands["usual"].sides)

    def minimum(self, total: int, deal: int) -> int:
        """The points that open: 15 below nothing, then 50, 90 from 1,500, 120 from 3,000; or by the deal."""
        if self.deals:
            return (50, 90, 120, 150)[min(deal, self.deals) - 1]
        return 15 if total < 0 else 50 if total < 1500 else 90 if total < 3000 else 120

    def too_low(self, hand: Hand, before: tuple[int, ...], deal: int) -> tuple[int, ...]:
        """The sides that laid less than opens."""
        return tuple(
            position
            for position, (side, total) in enumerate(zip(hand.sides, before, strict=True))
            if side.cards and side.cards < self.minimum(total, deal) and not side.can_open_low
        )


GAMES = {
    "classica": Game("classica", TWO_SIDES, 5000),
    "paper": Game("classica", TWO_SIDES, 5000, carried=(2900, -65), played=3),
    "tre": Game("tre", THREE_SIDES, 5000),
    "hand-and-foot": Game("hand-and-foot", HAND_AND_FOOT, None, deals=4, carried=(1000, 500), played=1),
}
