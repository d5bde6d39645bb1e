"""The forms in which matches are begun and carried on by programs. Sides go by their names, as everywhere in JSON."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from scorepad.rules.variants import USUAL
from scorepad.schemas.forms import Count, Form, HandForm, Points

Names = Annotated[list[str], Field(max_length=3)]
Note = Annotated[str, Field(max_length=1_000)]
Seat = Annotated[list[Annotated[int, Field(ge=0, le=5)]], Field(min_length=2, max_length=2)]
"""A side's position and a player's in it."""


class NewMatchForm(Form):
    """A match to begin. `players` by side; `dealer` is where the first dealer sits; `carried` and `played` on paper."""

    variant: str = USUAL
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
