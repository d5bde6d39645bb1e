"""What the entries of a match hold in the export file, one form for each kind. What has been written once stands.

Strict as those of a hand, and everything limited in size.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from scorepad.schemas.export_atoms import (
    PAIR,
    Digest,
    Draft,
    Figure,
    House,
    Names,
    Number,
    Players,
    Position,
    Seat,
    Sequence,
    Text,
    Word,
)
from scorepad.schemas.forms import Count, Form, HandForm, Points


class LineForm(Form):
    """A line of a score as it was acknowledged."""

    item: Word
    count: Count | None
    points: Points
    sources: Annotated[list[Text], Field(max_length=50)]
    code: Word | None = None
    reason: Text | None = None
    standing: Literal["stated", "read", "house"] | None = None
    read: Annotated[list[Word], Field(max_length=50)] | None = None


class CountedSideForm(Form):
    """A side's lines."""

    lines: Annotated[list[LineForm], Field(max_length=500)]
    opened: bool | None


class FindingForm(Form):
    """What the rules said of a hand: the figures of its sentence, without the words."""

    code: Word
    severity: Literal["error", "warning"]
    where: Annotated[list[str | int], Field(max_length=20)]
    figures: dict[Word, Figure]
    sources: Annotated[list[Text], Field(max_length=50)]


class StartPayload(Form):
    """The beginning of a match: names, the first dealer, what it brings from paper."""

    names: Names
    players: Players
    place: Word
    dealer: Seat
    house: House
    carried: Annotated[list[Points], Field(max_length=3)] = Field(default_factory=list)
    played: Count = 0
    practice: bool = False
    rematch: bool = False
    checking: bool = False


class RulesPayload(Form):
    """Other rules before the first hand: the digest of them."""

    ruleset: Digest
    house: House


class CountedPayload(Form):
    """A hand counted: as in the contract, with the scores before, the lines acknowledged and the fields as typed."""

    number: Number
    hand: HandForm
    before: Annotated[list[Points], Field(min_length=2, max_length=3)]
    sides: Annotated[list[CountedSideForm], Field(min_length=2, max_length=3)]
    findings: Annotated[list[FindingForm], Field(max_length=500)]
    draft: Draft
    replaces: Sequence | None = None
    note: Text = ""
    remark: Text = ""
    agreed: Text = ""
    by: Position | None = None
    played: Count = 0


class ConfirmPayload(Form):
    """The other side agrees to a hand."""

    number: Number
    entry: Sequence
    by: Position | None = None


class CheckingPayload(Form):
    """From now on one side counts and the other checks, or no longer."""

    on: bool


class RemarkPayload(Form):
    """A note on a hand."""

    number: Number
    text: Text


class PenaltyPayload(Form):
    """A penalty noted while the hand is played, and what it changed in the fields of the open hand."""

    number: Number
    fields: Annotated[dict[Word, Annotated[tuple[Text, Text], PAIR]], Field(max_length=200)]
    side: Position
    code: Word
    points: Points | None
    reason: Text


class ReasonForm(Form):
    """Why a ruling was what it was: the figures of its sentence, without the words."""

    code: Word
    figures: dict[Word, Figure]
    sources: Annotated[list[Text], Field(max_length=50)]


class ElsewhereForm(Form):
    """A codification or option under which a ruling would have been another."""

    preset: Word | None
    options: dict[Word, Word | bool | Points]
    verdict: Word
    details: dict[Word, JsonValue]
    sources: Annotated[list[Text], Field(max_length=50)]


class AnswerForm(Form):
    """What the referee answered then."""

    verdict: Literal["allowed", "forbidden", "value", "silent"]
    reasons: Annotated[list[ReasonForm], Field(max_length=200)]
    details: dict[Word, JsonValue]
    elsewhere: Annotated[list[ElsewhereForm], Field(max_length=200)]


class RulingPayload(Form):
    """A ruling kept with a hand: the question as in the contract, the answer, and the penalty that was noted by it."""

    number: Number
    side: Position | None
    question: Annotated[dict[Word, JsonValue], Field(max_length=50)]
    answer: AnswerForm
    code: Word | None = None
    points: Points | None = None
    fields: Annotated[dict[Word, Annotated[tuple[Text, Text], PAIR]], Field(max_length=200)] = Field(
        default_factory=dict
    )


class RenamePayload(Form):
    """Other names."""

    names: Names
    players: Players
    place: Word


class ReplacePayload(RenamePayload):
    """A player in another's place, from a hand on; the names are all names from then on."""

    seat: Seat
    was: Word
    name: Word
    number: Number


class EndPayload(Form):
    """An end that the table agreed."""

    how: Literal["last-hand", "hands", "time", "given-up", "broken-off", "by-rules"]
    hands: Count | None
    side: Position | None


class RematchPayload(Form):
    """The rematch began: nothing more is told."""


class DoorPayload(Form):
    """Whose match it is and who comes in: what was decided, of which key, about which device, by its number."""

    what: Literal["renew", "withdraw", "hand-on", "remove", "start-over"]
    access: Literal["write", "view"] | None
    phone: Number | None


class UndoPayload(Form):
    """What was undone: its entry, its kind, the hand that it touched, and why."""

    entry: Sequence
    kind: Word
    number: Number | None
    note: Text = ""


PAYLOADS: dict[str, type[Form]] = {
    "start": StartPayload,
    "rules": RulesPayload,
    "hand": CountedPayload,
    "correction": CountedPayload,
    "contest": CountedPayload,
    "confirm": ConfirmPayload,
    "choice": ConfirmPayload,
    "checking": CheckingPayload,
    "remark": RemarkPayload,
    "penalty": PenaltyPayload,
    "ruling": RulingPayload,
    "rename": RenamePayload,
    "replace": ReplacePayload,
    "end": EndPayload,
    "rematch": RematchPayload,
    "door": DoorPayload,
    "undo": UndoPayload,
}
"""What an entry of each kind holds. A new kind needs its form here."""
