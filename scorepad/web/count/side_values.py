"""One side's part of the page of a count, as values."""

from __future__ import annotations

from dataclasses import dataclass

from scorepad.web.count.fields import Choice, Field, Note


@dataclass(frozen=True, slots=True)
class SuitKey:
    """A suit that tapped cards get from now on, or none."""

    choice: Choice
    sign: str


@dataclass(frozen=True, slots=True)
class MeldRow:
    """A meld: its cards in text, and what they are."""

    field: Field
    row: int
    is_current: bool
    told: str
    """Kind and points."""
    cards: str
    """The cards in words."""
    concealed: Choice | None
    suits: tuple[SuitKey, ...]
    """The suits that tapped cards may get; none where melds need no suits."""


@dataclass(frozen=True, slots=True)
class House:
    """A penalty of the table's own."""

    row: int
    points: Field
    reason: Field


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Points that the table agreed; `less` says that they are taken off."""

    row: int
    points: Field
    less: Choice
    reason: Field


@dataclass(frozen=True, slots=True)
class SumForm:
    """The hand in one figure, as the table agreed it; `below` says that it is below zero."""

    points: Field
    below: Choice


@dataclass(frozen=True, slots=True)
class ValuesForm:
    """How many cards there are of each value, and what they come to."""

    id: str
    hint: str
    fields: tuple[Field, ...]
    told: str


@dataclass(frozen=True, slots=True)
class LaidForm:
    """What a side laid, in one of several ways."""

    ways: tuple[Choice, ...]
    canastas: tuple[Field, ...]
    incomplete: tuple[Field, ...]
    cards: Field | None
    """None where totals will not do."""
    values: ValuesForm
    sum: SumForm
    melds: tuple[MeldRow, ...]
    melds_notes: tuple[Note, ...]
    special: tuple[Choice, ...]
    special_notes: tuple[Note, ...]

    @property
    def fields(self) -> tuple[Field, ...]:
        """Every field in it, but for the choices."""
        return (
            *self.canastas,
            *self.incomplete,
            *((self.cards,) if self.cards else ()),
            *(m.field for m in self.melds),
            *self.values.fields,
            self.sum.points,
        )


@dataclass(frozen=True, slots=True)
class LeftForm:
    """The cards left in hand: in points, by the cards in one field or one for each hand, or by their value."""

    ways: tuple[Choice, ...]
    costs: str
    """What the cards cost, where that is not their points."""
    points: Field | None
    """None where points will not do: then the cards are tapped."""
    held: tuple[Field, ...]
    """Players who hold too many of a rank, beside points."""
    cards: tuple[Field, ...]
    values: ValuesForm

    @property
    def fields(self) -> tuple[Field, ...]:
        """Every field in it, but for the choices."""
        return (*((self.points,) if self.points else ()), *self.held, *self.cards, *self.values.fields)


@dataclass(frozen=True, slots=True)
class RareForm:
    """What few hands have, folded away: red threes in hand, penalties, those of the table's own, and points agreed."""

    title: str
    held: tuple[Field, ...]
    penalties: tuple[Field, ...]
    houses: tuple[House, ...]
    adjustments: tuple[Adjustment, ...]
    told: str
    """What of it was typed."""
    is_open: bool

    @property
    def fields(self) -> tuple[Field, ...]:
        """Every field in it."""
        return (
            *self.held,
            *self.penalties,
            *(field for house in self.houses for field in (house.points, house.reason)),
            *(field for each in self.adjustments for field in (each.points, each.reason)),
        )


@dataclass(frozen=True, slots=True)
class SideForm:
    """One side's part of the form."""

    key: str
    name: str
    facts: tuple[str, ...]
    """Its score before the hand, its opening minimum, with whom it lays."""
    laid: LaidForm | None
    """None where it is written in the form of another side what this one laid."""
    shared: str
    """Where it is written what a pair laid."""
    threes: tuple[Field, ...]
    left: LeftForm
    rare: RareForm
    opening: Field | None
    opening_open: bool

    @property
    def fields(self) -> tuple[Field, ...]:
        """Every field in it, but for the choices."""
        laid = self.laid.fields if self.laid else ()
        opening = (self.opening,) if self.opening else ()
        return (*laid, *self.threes, *self.left.fields, *self.rare.fields, *opening)
