"""A hand as values: what each side laid, held and is charged with, and who scores with whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from .cards import Cards
from .game import FIGURES, Game


def special_hands(game: Game) -> dict[str, int]:
    """The special hands of a game of moderna, and what each is worth."""
    worth: dict[str, dict[str, int]] = FIGURES["special-hands"]
    return worth[game.option("special-hands") or "league"]


@dataclass(frozen=True, slots=True)
class Meld:
    cards: Cards
    concealed: bool = False


@dataclass(frozen=True, slots=True)
class Totals:
    """What was counted at the table: canastas by item, points of all cards laid, incomplete melds
    by kind.
    """

    canastas: Counter[str]
    cards: int
    incomplete: Counter[str]


@dataclass(frozen=True, slots=True)
class Left:
    """Cards in hand at the end: points, or one string for all the hands, or one string for each."""

    points: int | None = None
    hands: tuple[Cards, ...] = ()
    listed: bool = False

    @property
    def reds(self) -> int:
        return sum(len(hand.reds) for hand in self.hands)


@dataclass(frozen=True, slots=True)
class Penalty:
    code: str
    points: int = 0


@dataclass(frozen=True, slots=True)
class Side:
    """One entry of `sides`."""

    name: str
    melds: tuple[Meld, ...] = ()
    totals: Totals | None = None
    sum: int | None = None
    special: str | None = None
    left: Left = Left()
    penalties: tuple[Penalty, ...] = ()
    bonuses: tuple[str, ...] = ()
    adjustments: tuple[int, ...] = ()
    opening: tuple[Cards, ...] | None = None
    counts: Mapping[str, int] | None = None

    def count(self, key: str) -> int:
        """One of the plain numbers of a side: `red_threes`, `sevens_held` and their like; 0 if left
        out.
        """
        return (self.counts or {}).get(key, 0)

    @property
    def reds_held(self) -> int:
        return self.count("red_threes_held") + self.left.reds

    @property
    def unknown(self) -> bool:
        """Whether some token of its melds is no card."""
        return any(meld.cards.unknown for meld in self.melds)

    @property
    def laid(self) -> bool | None:
        """Whether it laid anything; None where only a sum tells."""
        if self.sum is not None:
            return None
        return self.totals.cards > 0 if self.totals else bool(self.melds)


@dataclass(frozen=True, slots=True)
class Out:
    """Who went out; `noted` says whether a last discard, or its absence, was written down."""

    side: str
    concealed: bool = False
    player: int | None = None
    noted: bool = False
    discard: Cards | None = None


@dataclass(frozen=True, slots=True)
class Hand:
    game: Game
    before: Mapping[str, int]
    sides: Mapping[str, Side]
    out: Out | None
    single: str | None = None
    deal: int = 1

    def side(self, name: str) -> Side:
        return self.sides.get(name) or Side(name)

    def teams(self) -> list[tuple[str, ...]]:
        """The sides that score together: each by itself, but for the pair of tagliagola."""
        names = [*self.before, *(name for name in self.sides if name not in self.before)]
        single = self.single or (self.out.side if self.out else None)
        if self.game.variant != "tagliagola" or single is None or single not in self.before:
            return [(name,) for name in names]
        pair = tuple(name for name in self.before if name != single)
        strangers = [(name,) for name in names if name not in self.before]
        return [(single,), pair, *strangers]

    def team_of(self, name: str) -> tuple[str, ...]:
        """The names that score together with this one, itself among them."""
        return next(team for team in self.teams() if name in team)

    def members(self, name: str) -> list[Side]:
        """The entries that score together with this one's, itself among them."""
        return [self.side(one) for one in self.team_of(name)]

    def went_out(self, name: str) -> bool:
        return self.out is not None and self.out.side == name
