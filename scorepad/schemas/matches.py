"""Matches started and played by programs, decoded from JSON. Sides go by their names."""

from __future__ import annotations

from typing import Annotated, TypeVar

from pydantic import Field, ValidationError

from scorepad.rules.variants import default_variant
from scorepad.schemas.fields import Count, Form, Points
from scorepad.schemas.hands import HandForm
from scorepad.schemas.unusable import Path, Unusable, hand_takes, unusable

Names = Annotated[list[str], Field(max_length=3)]
Note = Annotated[str, Field(max_length=1_000)]
Seat = Annotated[list[Annotated[int, Field(ge=0, le=5)]], Field(min_length=2, max_length=2)]
"""A side's position and a player's in it."""


class NewMatchForm(Form):
    """A match to begin. `players` by side; `dealer` is where the first dealer sits; `carried` and `played` on paper."""

    variant: str = default_variant()
    preset: str | None = None
    options: dict[str, str | int | bool] = Field(default_factory=dict)
    names: Names
    players: Annotated[list[Annotated[list[str], Field(max_length=6)]], Field(max_length=3)] = Field(
        default_factory=list
    )
    dealer: Seat = Field(default_factory=lambda: [0, 0])
    place: str = ""
    carried: Annotated[list[Points], Field(max_length=3)] = Field(default_factory=list)
    played: Count = 0


class NewHandForm(HandForm):
    """A hand of a match. `number` is that of the coming hand, so that sent twice it counts once.

    `version` is that of what phones have typed of it, 0 for nothing: whoever sends a hand knows what it takes the place
    of. `agreed` is why the table counts a hand that the rules refuse.
    """

    number: Count
    version: Count = 0
    remark: Note = ""
    agreed: Note = ""


class CorrectionForm(HandForm):
    """A counted hand put right. `entry` is the version of it that was seen, `note` why."""

    entry: Count
    note: Note = ""
    remark: Note = ""
    agreed: Note = ""


class UndoForm(Form):
    """Undo the last thing done, if `sequence` is still the last of the match. `note` says why."""

    sequence: Count
    note: Note = ""


_Form = TypeVar("_Form", bound=Form)
TAKES = {
    "variant": "variant", "preset": "preset", "options": "options", "names": "names", "players": "players",
    "dealer": "dealer", "place": "text", "carried": "carried", "played": "count", "number": "count",
    "version": "count", "entry": "count", "sequence": "count", "note": "note", "remark": "note", "agreed": "note",
}  # fmt: skip
"""What each key takes, as the end of a message key."""


def read_new_match(source: bytes) -> NewMatchForm:
    """A match to begin. Raises Unusable."""
    form = _read(NewMatchForm, source)
    if form.players and len(form.players) != len(form.names):
        raise Unusable("unusable.wrong", "players", takes="players")
    return form


def read_new_hand(source: bytes) -> NewHandForm:
    """A hand to count. Raises Unusable."""
    return _read(NewHandForm, source)


def read_correction(source: bytes) -> CorrectionForm:
    """A hand put right. Raises Unusable."""
    return _read(CorrectionForm, source)


def read_undo(source: bytes) -> UndoForm:
    """What is to be undone. Raises Unusable."""
    return _read(UndoForm, source)


def _read(form: type[_Form], source: bytes) -> _Form:
    try:
        return form.model_validate_json(source)
    except ValidationError as trouble:
        reason = unusable(trouble, _takes)
        raise (Unusable("unusable.not-json-object") if reason.reason == "unusable.not-object" else reason) from None


def _takes(path: Path) -> str:
    key = str(path[0])
    if key == "options" and len(path) > 1:
        return "option"
    return TAKES.get(key) or hand_takes(path)
