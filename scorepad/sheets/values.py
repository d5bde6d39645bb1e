"""What stands on a match sheet, in the order in which it is printed.

Figures are points, or units where the game counts in those, and are grouped when printed; texts are already in the
sheet's language and stand as they are. What belongs to each side comes in the order of `SheetPage.sides`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from scorepad.i18n import Language
from scorepad.sheets.chart_values import Chart


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

    `about` tells who dealt, how it ended, whether it was corrected and how far it is checked, `openings` each side's
    opening minimum in words; `hand` and `total` are each side's points in it and its match score after it.
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
class Carried:
    """What a match taken over from paper had: the hands played there, in words or empty, and each side's total."""

    about: str
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PenaltyGiven:
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
class Broken:
    """A rule that a hand breaks, in words, and where the rule stands."""

    text: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Agreement:
    """A hand that the table counted against the rules: why, and which they are."""

    number: int
    reason: str
    broken: tuple[Broken, ...]


@dataclass(frozen=True, slots=True)
class Ruled:
    """A ruling of the referee in a hand: question and answer, the case, why, and the penalty, if any."""

    number: int
    ruling: str
    case: str
    reasons: tuple[Broken, ...]
    penalty: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """Something to be said of a hand."""

    number: int
    text: str


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
    """A hand counted again: when, with which note, and all that changed; or would, as long as it is not agreed to."""

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
    `dealer` who dealt first, `replacements` who took whose place, `signers` who signs. `carried` is None where the
    match began with nothing, `chart` where there is too little to draw; `chart_names` says who is meant where the
    chart goes by numbers. `agreements` are hands counted against the rules, `sums` those of which only a sum is known,
    `contests` those counted in two ways, `remarks` notes on hands.
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
    replacements: tuple[str, ...]
    is_practice: bool
    sides: tuple[Side, ...]
    carried: Carried | None
    hands: tuple[Hand, ...]
    chart: Chart | None
    chart_names: tuple[str, ...]
    penalties: tuple[PenaltyGiven, ...]
    agreements: tuple[Agreement, ...]
    sums: tuple[str, ...]
    contests: tuple[Correction, ...]
    doubts: tuple[Doubt, ...]
    remarks: tuple[Note, ...]
    corrections: tuple[Correction, ...]
    result: Result
    signers: tuple[str, ...]
    rulings: tuple[Ruled, ...] = ()
    """Rulings of the referee that the table kept."""
