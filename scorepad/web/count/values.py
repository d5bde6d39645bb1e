"""The page of a count as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from scorepad.web.base import FieldError, Page
from scorepad.web.count.fields import CardButton, Choice, Field, Note
from scorepad.web.count.side_values import SideForm


@dataclass(frozen=True, slots=True)
class AskForm:
    """A question with a few answers, of the whole hand."""

    choices: tuple[Choice, ...]
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class DiscardForm:
    """The last card discarded. `asked` says what it must be where it is obligatory: then it is not folded away."""

    cards: tuple[Choice, ...]
    notes: tuple[Note, ...]
    none: Choice
    """That there was none."""
    none_notes: tuple[Note, ...]
    asked: str
    is_open: bool


@dataclass(frozen=True, slots=True)
class OutForm:
    """Who went out: one row of choices for each side, and nobody; `facts` are what it needs and what it is worth."""

    facts: tuple[str, ...]
    rows: tuple[tuple[Choice, ...], ...]
    notes: tuple[Note, ...]
    shown: str
    """That who shows a special hand went out."""
    concealed: Choice | None
    concealed_notes: tuple[Note, ...]
    discard: DiscardForm


@dataclass(frozen=True, slots=True)
class LiveLine:
    """A line of a side's score, and where the rulebook tells of it; empty where it does no longer."""

    label: str
    points: str
    place: str


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
    agreed: tuple[FieldError, ...]
    """What the rules refuse and the table agreed to."""

    @property
    def has_places(self) -> bool:
        """Whether there are lines that lead into the rulebook."""
        return any(line.place for side in self.sides for line in side.lines)


@dataclass(frozen=True, slots=True)
class AgreementForm:
    """That the table agrees to what the rules refuse, and why; `never` says why no table can, where that is so."""

    reason: Field
    is_offered: bool
    never: str


@dataclass(frozen=True, slots=True)
class RemarkForm:
    """A note on the hand, folded away."""

    field: Field
    is_open: bool


@dataclass(frozen=True, slots=True)
class Hidden:
    """What the form carries unseen: its token, its submission, which hand it is and what was seen of it."""

    token: str
    request_id: str
    hand: str
    version: int
    number: int
    seen: int
    contest: str
    refused: str


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the form is sent, where it is checked while it is typed, and the match."""

    action: str
    check: str
    back: str
    first: str
    """The page with the first count already in it, for one who contests that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountPage(Page):
    """The page on which a hand is counted, or a past one counted again, or by the other side."""

    template: ClassVar[str] = "count/page.html"
    has_form: ClassVar[bool] = True
    addresses: Addresses
    hidden: Hidden
    agreement: AgreementForm
    remark: RemarkForm
    note: Field
    facts: tuple[str, ...]
    """What holds for everybody in this hand."""
    single: AskForm | None
    """Who took the pile first, where that decides who lays together."""
    sides: tuple[SideForm, ...]
    buttons: tuple[CardButton, ...]
    """The cards that may be melded."""
    left_buttons: tuple[CardButton, ...]
    """The cards that may be left in hand, where nothing but the cards will do."""
    out: OutForm
    redraws: bool
    """Whether who went out changes what the form asks for."""
    live: Live
    general: tuple[Note, ...]
    kept: str
    save: str
    afresh: str
    """What begins a correction, or a contest, again."""
    first: str
    """What begins a contest with the first count, as long as nothing is typed, or where something is missing; empty
    where there is none."""

    @property
    def is_correction(self) -> bool:
        """Whether a past hand is counted again, or contested."""
        return bool(self.hidden.seen)


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
    """What keeps what was typed here; empty where nothing was."""
    hidden: Hidden
    note: str
    draft: tuple[tuple[str, str], ...]
