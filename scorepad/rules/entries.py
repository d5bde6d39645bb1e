"""A hand as it is counted at the table: what somebody wrote down, before any rule has looked at it.

Sides are positions, in the order in which the match names them; names are only labels.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scorepad.rules.cards import NOTHING, Reading

Place = tuple[str | int, ...]
"""Where in the hand something stands: `("sides", 0, "melds", 1)`, the side by its position."""


@dataclass(frozen=True, slots=True)
class MeldEntry:
    """A meld as it lies at the end of the hand. `concealed`: laid down whole."""

    reading: Reading
    concealed: bool = False


@dataclass(frozen=True, slots=True)
class Totals:
    """A side counted at the table: canastas by item, the points of all its cards, incomplete melds that cost."""

    canastas: Mapping[str, int]
    cards: int
    incomplete: Mapping[str, int] = field(default_factory=dict)


NOT_EXPOSED = "red-three-not-exposed"
"""The code of the penalty for what the count of a hand knows as red threes in hand."""
HOUSE = "house"
"""The code of a penalty that the table agreed: its points and its reason are its own."""


@dataclass(frozen=True, slots=True)
class PenaltyEntry:
    """A penalty by its code; `points` and `reason` are those of a penalty of the table's own (`HOUSE`)."""

    code: str
    points: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Points of either sign that the table agreed, with the reason."""

    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class SideEntry:
    """What one side laid, holds and owes.

    Counted in one of three ways: `melds` card by card, `totals`, or `sum` (the hand in points, unchecked). `left` is
    the cards of each hand still held, or points; `left_apart` says that each hand was given by itself.
    """

    melds: tuple[MeldEntry, ...] = ()
    totals: Totals | None = None
    sum: int | None = None
    adjustments: tuple[Adjustment, ...] = ()
    left: tuple[Reading, ...] | int = ()
    left_apart: bool = False
    red_threes: int = 0
    red_threes_held: int = 0
    penalties: tuple[PenaltyEntry, ...] = ()
    bonuses: tuple[str, ...] = ()
    """Codes of the variant's bonuses, each as often as it was given."""
    opening: tuple[Reading, ...] | None = None
    extras: Mapping[str, int] = field(default_factory=dict)
    """What only some variants count (`black_threes_aside`, `sevens_held` …)."""
    special: str | None = None
    """The name of a hand that is shown instead of melded."""


@dataclass(frozen=True, slots=True)
class Out:
    """Who went out. `side` is None where the name given is nobody's; `player` is the index of the hand.

    `discard` is the last card discarded, `NOTHING` for none; `discard_noted` is false where nobody wrote it down.
    """

    side: int | None
    concealed: bool = False
    discard: Reading = NOTHING
    discard_noted: bool = False
    player: int | None = None


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand to be checked and scored, for a match that stands at `before`, in points.

    `single` is the side that took the pile first, where temporary pairs are played. What was written under a name that
    is none of the match's stands in `names` and `sides` after those of the match, which `before` counts; `strangers`
    are the places where such names were given, and `absent` the sides of which nothing was written.
    """

    names: tuple[str, ...]
    before: tuple[int, ...]
    sides: tuple[SideEntry, ...]
    out: Out | None = None
    single: int | None = None
    deal: int = 1
    """The number of the hand in the match, where that matters."""
    strangers: tuple[tuple[Place, str], ...] = ()
    absent: frozenset[int] = frozenset()

    @property
    def of_match(self) -> range:
        """The positions of the sides that stand in the match."""
        return range(len(self.before))
