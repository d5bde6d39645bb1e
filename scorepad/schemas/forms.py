"""The forms of the contract as types: what a hand to score looks like in JSON.

Strict: a figure is a whole number and no text, and a key that does not belong is refused. Every form is as wide as all
variants together; what a variant does not use is refused afterwards, by name.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

from scorepad.rules.match import LARGEST

Points = Annotated[int, Field(ge=-LARGEST, le=LARGEST)]
Count = Annotated[int, Field(ge=0, le=LARGEST)]


TEXT, POINTS, HANDS, OBJECT = FORMS = ("#text", "#points", "#hands", "#object")
"""The forms that a key may take which takes several."""


def _by_type(value: Any) -> str | None:
    """Which form of a key that takes several was given."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        return TEXT
    if isinstance(value, int):
        return POINTS
    if isinstance(value, list):
        return HANDS
    return OBJECT if isinstance(value, dict | BaseModel) else None


class Form(BaseModel):
    """The root of all forms."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, defer_build=True)


class MeldForm(Form):
    """A meld with more to say than its cards."""

    cards: str
    concealed: bool = False


class TotalsForm(Form):
    """A side counted at the table."""

    canastas: dict[str, Count] = Field(default_factory=dict)
    cards: Points
    incomplete: dict[str, Count] = Field(default_factory=dict)


class PenaltyForm(Form):
    """A penalty with points and a reason of the table's own."""

    code: str
    points: Points | None = None
    reason: str | None = None


class AdjustmentForm(Form):
    """Points agreed at the table."""

    points: Points
    reason: str


class OpeningForm(Form):
    """The melds of the side's first turn."""

    melds: list[str]


Meld = Annotated[Annotated[str, Tag(TEXT)] | Annotated[MeldForm, Tag(OBJECT)], Discriminator(_by_type)]
Penalty = Annotated[Annotated[str, Tag(TEXT)] | Annotated[PenaltyForm, Tag(OBJECT)], Discriminator(_by_type)]
Left = Annotated[
    Annotated[str, Tag(TEXT)] | Annotated[list[str], Tag(HANDS)] | Annotated[Points, Tag(POINTS)],
    Discriminator(_by_type),
]


class SideForm(Form):
    """What a side laid, holds and owes."""

    melds: list[Meld] = Field(default_factory=list)
    totals: TotalsForm | None = None
    sum: Points | None = None
    adjustments: list[AdjustmentForm] = Field(default_factory=list)
    left: Left = ""
    red_threes: Count = 0
    red_threes_held: Count = 0
    penalties: list[Penalty] = Field(default_factory=list)
    opening: OpeningForm | None = None
    black_threes_aside: Count = 0
    black_threes: Count = 0
    sevens_held: Count = 0
    aces_held: Count = 0
    special: str | None = None


class OutForm(Form):
    """Who went out, and how."""

    side: str
    concealed: bool = False
    discard: str | None = None
    player: Count | None = None


class HandForm(Form):
    """A hand as the pad keeps it: without the variant and the scores before."""

    sides: dict[str, SideForm]
    out: OutForm | None = None
    single: str | None = None
    deal: Count | None = None


class AskedForm(HandForm):
    """A hand to score, whole."""

    variant: str
    preset: str | None = None
    options: dict[str, str | int | bool] = Field(default_factory=dict)
    before: dict[str, Points] = Field(default_factory=dict)
