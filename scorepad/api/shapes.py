"""The answers as types: what the document promises, and what matches are told by."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from scorepad.schemas.forms import HandForm

Firmness = Annotated[
    Literal["stated", "read", "house"] | None,
    Field(
        description="How firmly the sources say what was applied: in words (`stated`), by an inference (`read`), or "
        "not at all, because the table decided it (`house`). Null where nothing needs a source."
    ),
]


class Shape(BaseModel):
    """The root of all answers: nothing in them that the document does not name."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class Trouble(Shape):
    """Why there is no answer: a sentence, and a word for programs."""

    error: str
    code: str


class ProblemTold(Shape):
    """Something wrong with a hand; `where` is a JSON Pointer into it."""

    severity: Literal["error", "warning"]
    code: str
    where: str
    message: str
    sources: list[str]
    standing: Firmness


class LineTold(Shape):
    """A line of a score; `count` is null where only points were given."""

    item: str
    code: str = Field(default="", description="Of a penalty only.")
    count: int | None
    points: int
    reason: str = Field(default="", description="Of what the table agreed only.")
    sources: list[str]
    standing: Firmness


class SideScored(Shape):
    """A side's part of a hand, in points."""

    lines: list[LineTold]
    hand: int
    total: int
    opened: bool | None
    opening_minimum: int | None
    next_opening_minimum: int | None


class StandingTold(Shape):
    """Where a match stands; the target is null where a number of hands decides."""

    target: int | None
    finished: bool
    winner: str | None


class ScoreAnswer(Shape):
    """A hand scored; a hand that cannot be is never half scored."""

    valid: bool
    problems: list[ProblemTold]
    sides: dict[str, SideScored] | None
    match: StandingTold | None


class ReasonTold(Shape):
    """Why. In an answer `silent` nothing stands on anything: `standing` is null."""

    code: str
    message: str
    sources: list[str]
    standing: Firmness


class OtherwiseTold(Shape):
    """A codification or option under which the answer would be another."""

    preset: str | None
    options: dict[str, str | int | bool]
    verdict: Literal["allowed", "forbidden", "value", "silent"]
    details: dict[str, Any]
    sources: list[str]


class RulingAnswer(Shape):
    """The referee's answer; what `details` holds goes by the kind of question."""

    verdict: Literal["allowed", "forbidden", "value", "silent"]
    reasons: list[ReasonTold]
    details: dict[str, Any]
    elsewhere: list[OtherwiseTold]


class VariantLine(Shape):
    """A variant in a line."""

    id: str
    name: str
    players: list[int]
    special: str


class VariantAnswer(VariantLine):
    """A variant whole: every figure with its source and standing.

    A setting that is a table has `steps`, a list: each step by its name (`step`: the match score that an opening
    minimum begins at, the number of red threes, the item of a canasta …), with its own `value`, `sources` and
    `standing`. `sources` beside them are those of the table as a whole.
    """

    extends: str | None
    items: list[str]
    differs: dict[str, dict[str, Any]]
    settings: dict[str, dict[str, Any]]
    options: dict[str, dict[str, Any]]
    presets: dict[str, dict[str, Any]]
    penalties: dict[str, dict[str, Any]]
    sources: dict[str, str]


class KeysTold(Shape):
    """What opens a match, told this once: one key to write, one only to look."""

    write: str
    view: str


class SideTold(Shape):
    """A side of a match: its total, and what its next opening must reach."""

    name: str
    players: list[str]
    total: int
    opening_minimum: int | None


class HandTold(Shape):
    """A counted hand. `entry` is its version, `hand` as it was given, `sides` what it was acknowledged as."""

    number: int
    entry: int
    at: str
    hand: HandForm
    sides: dict[str, HandSide]
    corrected: bool
    confirmed: bool
    contested: bool
    remark: str
    agreed: str


class HandSide(Shape):
    """A side's lines of a hand of a match, and its total before and after."""

    lines: list[LineTold]
    before: int
    hand: int
    total: int
    opened: bool | None
    opening_minimum: int | None


class ComingTold(Shape):
    """The hand to come: who deals (side and player, by position), and the version of what was typed of it."""

    number: int
    dealer: list[int]
    version: int


class MatchLine(Shape):
    """A match in a line."""

    id: str
    variant: str
    names: list[str]
    totals: list[int]
    hands: int
    finished: bool
    winner: str | None
    started: str
    changed: str
    access: Literal["view", "write", "own"]


class MatchesAnswer(Shape):
    """The matches that a key opens."""

    matches: list[MatchLine]


class MatchAnswer(Shape):
    """A match as it stands. `sequence` rises with everything done in it."""

    id: str
    variant: str
    preset: str | None
    options: dict[str, str | int | bool]
    unit: Literal["points", "units"]
    place: str
    started: str
    changed: str
    sequence: int
    access: Literal["view", "write", "own"]
    practice: bool
    played: int = Field(description="Hands played on paper before.")
    sides: list[SideTold]
    hands: list[HandTold]
    coming: ComingTold | None
    target: int | None
    finished: bool
    winner: str | None
    ending: str | None = Field(description="How it ended, or will, where that is not by its rules.")


class BegunAnswer(Shape):
    """A match that was begun, and its keys."""

    match: MatchAnswer
    keys: KeysTold


class CountedAnswer(ScoreAnswer):
    """What became of a hand: `saved`, or refused with its problems. `sequence` is the match's then."""

    saved: bool
    number: int
    sequence: int


class UndoneAnswer(Shape):
    """The match's last entry, once something was undone."""

    sequence: int
