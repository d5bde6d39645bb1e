"""What stands on a match sheet, in the order in which it is printed.

Figures are points, or units where the game counts in those, and are grouped when printed; texts are already in the
sheet's language and stand as they are. What belongs to each side comes in the order of `SheetPage.sides`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from scorepad.i18n import Language


@dataclass(frozen=True, slots=True)
class Side:
    """A side and its players, as far as somebody named them."""

    name: str
    players: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Goal:
    """How long the match goes: what that is called, and how far."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class HouseOption:
    """An option of the rules that this table plays otherwise than its codification."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Cell:
    """What a side has in a row: how many (None where only points were given), and the points."""

    count: int | None
    points: int


@dataclass(frozen=True, slots=True)
class Row:
    """One item of a hand: what it is for, more about it, and each side's part (None where it has none)."""

    label: str
    detail: str
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True, slots=True)
class Hand:
    """A counted hand.

    `about` tells who dealt, how it ended and whether it was corrected, `openings` each side's opening minimum in words;
    `hand` and `total` are each side's points in it and its match score after it.
    """

    number: int
    about: tuple[str, ...]
    openings: tuple[str, ...]
    rows: tuple[Row, ...]
    hand: tuple[int, ...]
    total: tuple[int, ...]

    @property
    def has_opening(self) -> bool:
        """Whether any side had an opening minimum."""
        return any(self.openings)


@dataclass(frozen=True, slots=True)
class Remark:
    """A penalty of a hand, or points agreed: whose, what for, and the reason that was given.

    `points` is None where nobody said how many; `source` is empty where no source speaks.
    """

    number: int
    side: str
    what: str
    points: int | None
    reason: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A rule that a hand breaks only since an earlier one was corrected, in words, and where the rule stands."""

    number: int
    text: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """What a correction changed: the item of a side as it was and as it became (None where there was none)."""

    side: str
    what: str
    before: Cell | None
    after: Cell | None


@dataclass(frozen=True, slots=True)
class Correction:
    """A hand counted again: when, with which note, and all that changed."""

    number: int
    at: datetime
    note: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """How the match ended, or that it goes on, in a sentence; and the total of each side, `winner` by its position."""

    sentence: str
    totals: tuple[int, ...]
    winner: int | None


@dataclass(frozen=True, slots=True)
class SheetPage:
    """A match sheet whole.

    `codification` is empty where none was chosen, `goal` tells how long the match goes, `unit` what it is counted in,
    `dealer` who dealt first, `signers` who signs.
    """

    language: Language
    title: str
    played: date
    place: str
    variant: str
    codification: str
    goal: Goal
    unit: str
    dealer: str
    options: tuple[HouseOption, ...]
    sides: tuple[Side, ...]
    hands: tuple[Hand, ...]
    penalties: tuple[Remark, ...]
    doubts: tuple[Doubt, ...]
    corrections: tuple[Correction, ...]
    result: Result
    signers: tuple[str, ...]
