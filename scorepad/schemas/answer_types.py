"""The response types of the JSON contract; the OpenAPI document is generated from them."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal, NotRequired, cast

from pydantic import ConfigDict, Field, TypeAdapter, with_config
from typing_extensions import TypedDict

from scorepad.i18n import Words
from scorepad.i18n.findings import describe_finding
from scorepad.rules.judging import Finding, Judgement, MatchStatus
from scorepad.rules.score_lines import Line, SideScore
from scorepad.rules.table import Pointer
from scorepad.schemas.fields import Options, Verdict

Standing = Annotated[
    Literal["stated", "read", "house"] | None,
    Field(
        description="How firmly the sources say what was applied: in words (`stated`), by an inference (`read`), or "
        "not at all, because the table decided it (`house`). Null where nothing needs a source."
    ),
]
Entries = dict[str, dict[str, Any]]
AccessName = Literal["view", "write", "own"]


@with_config(ConfigDict(extra="forbid", strict=True, defer_build=True))
class Exact(TypedDict):
    """The base of all responses: they have exactly these keys."""


class ErrorAnswer(Exact):
    """Why there is no answer: a sentence, and a code for programs."""

    error: str
    code: str


class Problem(Exact):
    """Something wrong with a hand; `where` is a JSON Pointer into it."""

    severity: Literal["error", "warning"]
    code: str
    where: str
    message: str
    sources: list[str]
    standing: Standing


class StatusAnswer(Exact):
    """The state of a match; the target is null if a number of hands decides."""

    target: int | None
    finished: bool
    winner: str | None


class ScoreAnswer(Exact):
    """A scored hand; there is no partial score."""

    valid: bool
    problems: list[Problem]
    sides: dict[str, SideScore] | None
    match: StatusAnswer | None


class ReasonAnswer(Exact):
    """A reason for the answer. With the verdict `silent` the `standing` is null."""

    code: str
    message: str
    sources: list[str]
    standing: Standing


class AlternativeAnswer(Exact):
    """A codification or option under which the answer would be different."""

    preset: str | None
    options: Options
    verdict: Verdict
    details: dict[str, Any]
    sources: list[str]


class RulingAnswer(Exact):
    """The referee's answer; what `details` holds depends on the kind of question."""

    verdict: Verdict
    reasons: list[ReasonAnswer]
    details: dict[str, Any]
    elsewhere: list[AlternativeAnswer]


class VariantLine(Exact):
    """A short description of a variant."""

    id: str
    name: str
    players: list[int]
    special: str


class VariantAnswer(VariantLine):
    """A complete variant: every figure with its source and standing.

    A setting that is a table has a list `steps`: each step with its name (`step`: the match score
    from which an opening minimum applies, the number of red threes, the item of a canasta …), and
    its own `value`, `sources` and `standing`. The `sources` of the setting are those of the table
    as a whole.
    """

    extends: str | None
    items: list[str]
    differs: Entries
    settings: Entries
    statements: Annotated[Entries, Field(description="Rules that are not settings, in words.")]
    options: Entries
    presets: Entries
    penalties: Entries
    bonuses: NotRequired[Annotated[Entries, Field(description="Of house rules that have any.")]]
    sources: dict[str, str]


class KeysAnswer(Exact):
    """The keys of a match, returned only once: one to write, one only to view.

    The key to view is derived from the key to write: a new key to write replaces both.
    """

    write: str
    view: str


class SideAnswer(Exact):
    """A side of a match: its total, and its next opening minimum."""

    name: str
    players: list[str]
    total: int
    opening_minimum: int | None


class HandSideAnswer(Exact):
    """A side's part of a hand of a match, and its total before."""

    lines: list[Line]
    hand: int
    total: int
    opened: bool | None
    opening_minimum: int | None
    before: int


class HandAnswer(Exact):
    """A counted hand. `entry` is its version, `hand` the hand as given, `sides` its score when it
    was counted.
    """

    number: int
    entry: int
    at: str
    hand: dict[str, Any]
    sides: dict[str, HandSideAnswer]
    corrected: bool
    confirmed: bool
    contested: bool
    remark: str
    agreed: str


class ComingAnswer(Exact):
    """The next hand: who deals (side and player, by position), and the version of its draft."""

    number: int
    dealer: list[int]
    version: int


class MatchHead(Exact):
    """The fields common to all responses about a match."""

    id: str
    variant: str
    started: str
    changed: str
    access: AccessName
    finished: bool
    winner: str | None


class MatchLine(MatchHead):
    """A short description of a match."""

    names: list[str]
    totals: list[int]
    hands: int


class MatchesAnswer(Exact):
    """The matches to which a key gives access."""

    matches: list[MatchLine]


class MatchAnswer(MatchHead):
    """The state of a match. `sequence` increases with every change."""

    preset: str | None
    options: Options
    unit: Literal["points", "units"]
    place: str
    sequence: int
    practice: bool
    played: Annotated[int, Field(description="Hands played on paper before.")]
    ends: Annotated[
        dict[str, int | None],
        Field(description="The hands and the minutes that end it beside its target, or null."),
    ]
    sides: list[SideAnswer]
    hands: list[HandAnswer]
    coming: ComingAnswer | None
    target: int | None
    ending: Annotated[
        str | None, Field(description="How it ended, or will, where that is not by its rules.")
    ]


class BegunAnswer(Exact):
    """A new match, and its keys."""

    match: MatchAnswer
    keys: KeysAnswer


class CountedAnswer(ScoreAnswer):
    """The result for a hand: `saved`, or refused with its problems. `sequence` is that of the match
    afterwards.
    """

    saved: bool
    number: int
    sequence: int


class UndoneAnswer(Exact):
    """The last entry of the match after an undo."""

    sequence: int


_NAMES_OF_ARGUMENTS = {"read"}
"""What a line of a score has besides its JSON: the names of the arguments of inferences, by which
the pages find their texts.
"""
_ALL = "__all__"
"""What stands, in an exclusion of pydantic's, for every entry of a list or of a dict."""
_LEFT_OUT_OF_SIDE: dict[str, Any] = {"lines": {_ALL: _NAMES_OF_ARGUMENTS}}
_LEFT_OUT_OF_SCORE: dict[str, Any] = {"sides": {_ALL: _LEFT_OUT_OF_SIDE}}
_LEFT_OUT_OF_HAND_SIDE: dict[str, Any] = {**_LEFT_OUT_OF_SIDE, "next_opening_minimum": True}
"""Of a side of a match, the minimum after the hand is that of its next hand: it is given there."""


# Built on first use, to keep the start of the program fast.
@cache
def _get_score_form() -> TypeAdapter[ScoreAnswer]:
    """Return what pydantic needs to turn a scored hand into JSON."""
    return TypeAdapter(ScoreAnswer)


@cache
def _get_side_score_form() -> TypeAdapter[SideScore]:
    """Return what pydantic needs to turn the score of a side in a hand into JSON."""
    return TypeAdapter(SideScore)


def build_score_answer(
    judgement: Judgement, names: tuple[str, ...], words: Words
) -> dict[str, Any]:
    """Build the JSON of a scored hand (a round): what is wrong with it, and the score of each side.

    `names` are the names of the sides (teams) by position, and `words` the language of the
    messages.

    - a hand that is in order → `{"valid": True, "problems": [], "sides": {"Noi": …, "Loro": …}, …}`
    - a hand that the rules refuse → `{"valid": False, "problems": [{…}], "sides": None, …}`
    """
    answer = _collect_score_answer(judgement, names, words)
    in_json: dict[str, Any] = _get_score_form().dump_python(
        answer, mode="json", exclude=_LEFT_OUT_OF_SCORE
    )
    return in_json


def write_score_answer(
    judgement: Judgement, names: tuple[str, ...], words: Words, *, indent: int | None = None
) -> bytes:
    """Write the JSON that `build_score_answer` builds for a scored hand (a round), as text.

    `indent` is the number of spaces by which it is indented; None writes it on one line. This is
    faster than writing the result of `build_score_answer` as text.
    """
    answer = _collect_score_answer(judgement, names, words)
    return _get_score_form().dump_json(answer, indent=indent, exclude=_LEFT_OUT_OF_SCORE)


def _collect_score_answer(
    judgement: Judgement, names: tuple[str, ...], words: Words
) -> ScoreAnswer:
    """Collect what is told of a scored hand (a round), with the scores of its sides as objects.

    Pydantic turns these into JSON with the rest. `names` are the names of the sides (teams) by
    position, and `words` the language of the messages.
    """
    scores: dict[str, SideScore] | None = None
    if judgement.sides is not None:
        scores = {names[position]: score for position, score in enumerate(judgement.sides)}
    return {
        "valid": judgement.is_valid,
        "problems": [_build_problem(finding, names, words) for finding in judgement.findings],
        "sides": scores,
        "match": _build_status(judgement.status, names),
    }


def _build_problem(finding: Finding, names: tuple[str, ...], words: Words) -> Problem:
    """Build the JSON of something that is wrong with a hand (a round), with its message.

    `{"severity": "error", "code": "meld-too-short", "where": "/sides/Noi/melds/0", …}`. `finding`
    is the rule that the hand breaks, and `names` are the names of the sides (teams) by position.
    """
    standing: Standing = None
    if finding.standing is not None:
        standing = finding.standing.value
    return {
        "severity": finding.severity,
        "code": finding.code,
        "where": write_pointer(finding.where, names),
        "message": describe_finding(finding, names, words),
        "sources": list(finding.sources),
        "standing": standing,
    }


def _build_status(status: MatchStatus | None, names: tuple[str, ...]) -> StatusAnswer | None:
    """Build the JSON of the state of a match after a hand (a round), with the winner by name.

    `{"target": 5000, "finished": True, "winner": "Noi"}`. None if the hand was not scored, because
    the rules refuse it.
    """
    if status is None:
        return None
    winner = None
    if status.winner is not None:
        winner = names[status.winner]
    return {"target": status.target, "finished": status.finished, "winner": winner}


def build_hand_side_answer(side: SideScore) -> HandSideAnswer:
    """Build the JSON of what a hand (a round) gave one side of a match.

    `{"lines": […], "hand": 250, "total": 1750, "before": 1500, …}`: the side (team) had 1,500
    points, and got 250.
    """
    in_json = _get_side_score_form().dump_python(side, mode="json", exclude=_LEFT_OUT_OF_HAND_SIDE)
    in_json["before"] = side.before  # a property, which pydantic leaves out
    return cast("HandSideAnswer", in_json)


def write_pointer(where: Pointer, names: tuple[str, ...]) -> str:
    """Write a place in the JSON of a hand as a JSON Pointer, in which sides (teams) have names.

    `names` are the names of the sides by position. With the first one called `Noi`:
    `("sides", 0, "melds", 2)` → `/sides/Noi/melds/2`.
    """
    parts = [str(part) for part in where]
    is_about_a_side = len(where) > 1 and where[0] in ("sides", "before")
    if is_about_a_side and isinstance(where[1], int):
        position = where[1]
        parts[1] = names[position]

    # A slash or a tilde in a name is escaped, as the standard of JSON Pointers says.
    escaped = [part.replace("~", "~0").replace("/", "~1") for part in parts]
    return "".join(f"/{part}" for part in escaped)
