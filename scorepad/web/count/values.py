"""The page of a count as values: fields with what was typed in them and the notes beside them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from scorepad.web.frame import FieldError, Page


class Tone(StrEnum):
    """How a note is meant."""

    ERROR = "error"
    WARNING = "warning"
    PENDING = "pending"
    """Of something that is still being typed: no error yet."""


@dataclass(frozen=True, slots=True)
class Note:
    """What is to be said beside a field: in words, and the rule's source."""

    text: str
    source: str
    tone: Tone


@dataclass(frozen=True, slots=True)
class Field:
    """A field: its name is its id. `value` is what was typed, as it was typed."""

    id: str
    label: str
    value: str
    hint: str = ""
    notes: tuple[Note, ...] = ()
    told: str = ""
    """What the field's content comes to, in words."""

    @property
    def is_wrong(self) -> bool:
        """Whether an error stands beside it."""
        return any(note.tone is Tone.ERROR for note in self.notes)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several values of a field, or a tick."""

    id: str
    name: str
    value: str
    label: str
    chosen: bool


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


@dataclass(frozen=True, slots=True)
class House:
    """A penalty of the table's own."""

    row: int
    points: Field
    reason: Field


@dataclass(frozen=True, slots=True)
class CardButton:
    """A card that can be tapped: its token and its name."""

    token: str
    name: str


@dataclass(frozen=True, slots=True)
class LeftForm:
    """The cards left in hand, in points or by the cards: one field, or one for each hand."""

    ways: tuple[Choice, ...]
    points: Field
    cards: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class RareForm:
    """What few hands have, folded away: `counts` are red threes in hand, what only some variants count, penalties."""

    counts: tuple[Field, ...]
    houses: tuple[House, ...]
    told: str
    """What of it was typed."""
    is_open: bool


@dataclass(frozen=True, slots=True)
class SideForm:
    """One side's part of the form."""

    key: str
    name: str
    facts: tuple[str, ...]
    """Its score before the hand, its opening minimum, what going out needs."""
    ways: tuple[Choice, ...]
    canastas: tuple[Field, ...]
    cards: Field
    melds: tuple[MeldRow, ...]
    melds_notes: tuple[Note, ...]
    red: Field
    left: LeftForm
    rare: RareForm
    opening: Field
    opening_open: bool


@dataclass(frozen=True, slots=True)
class OutForm:
    """Who went out: one row of choices for each side, and nobody."""

    rows: tuple[tuple[Choice, ...], ...]
    notes: tuple[Note, ...]
    concealed: Choice
    concealed_notes: tuple[Note, ...]
    discard: tuple[Choice, ...]
    discard_notes: tuple[Note, ...]
    discard_none: Choice
    discard_none_notes: tuple[Note, ...]
    discard_open: bool


@dataclass(frozen=True, slots=True)
class LiveLine:
    """A line of a side's score."""

    label: str
    points: str


@dataclass(frozen=True, slots=True)
class LiveSide:
    """What a side's hand comes to so far; figures are empty where that cannot be told yet, and `waits` says why."""

    name: str
    hand: str
    total: str
    lines: tuple[LiveLine, ...]
    waits: str = ""


@dataclass(frozen=True, slots=True)
class Live:
    """The count as it stands: told in a sentence, side by side, and what is missing or wrong."""

    told: str
    sides: tuple[LiveSide, ...]
    missing: tuple[FieldError, ...]
    problems: tuple[FieldError, ...]
    warnings: tuple[FieldError, ...]


@dataclass(frozen=True, slots=True)
class Hidden:
    """What the form carries unseen: its token, its submission, which hand it is and what was seen of it."""

    token: str
    request_id: str
    hand: str
    version: int
    number: int
    seen: int


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the form is sent, where it is checked while it is typed, and the match."""

    action: str
    check: str
    back: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CountPage(Page):
    """The page on which a hand is counted, or a past one counted again."""

    template: ClassVar[str] = "count/page.html"
    has_form: ClassVar[bool] = True
    addresses: Addresses
    hidden: Hidden
    is_correction: bool
    note: Field
    sides: tuple[SideForm, ...]
    buttons: tuple[CardButton, ...]
    out: OutForm
    out_needs: str
    live: Live
    general: tuple[Note, ...]
    kept: str
    save: str


@dataclass(frozen=True, slots=True)
class Difference:
    """A field that two people filled differently."""

    label: str
    there: str
    mine: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StalePage(Page):
    """Somebody else was quicker: both values side by side."""

    template: ClassVar[str] = "count/stale.html"
    has_form: ClassVar[bool] = True
    addresses: Addresses
    told: str
    there: str
    """What the column of what is kept is called."""
    differences: tuple[Difference, ...]
    keep_there: str
    """Where taking what is kept leads."""
    take_there: str
    take_mine: str
    hidden: Hidden
    note: str
    draft: tuple[tuple[str, str], ...]
