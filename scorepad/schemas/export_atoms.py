"""What the forms of the export file are made of: moments, names, texts and figures, each limited in size."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, Discriminator, Field, StringConstraints, Tag

from scorepad.schemas.forms import Form, Points

MOST_TEXT = 20_000
"""Characters of anything that somebody wrote."""


def _is_moment(text: str) -> str:
    datetime.fromisoformat(text)  # ValueError for the 31st of February
    return text


Moment = Annotated[
    str,
    StringConstraints(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}\+00:00$"),
    AfterValidator(_is_moment),
]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]{1,40}$")]
"""What a match is called in addresses."""
Mark = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Word = Annotated[str, StringConstraints(max_length=200)]
Text = Annotated[str, StringConstraints(max_length=MOST_TEXT)]
PAIR = Field(strict=False)
"""JSON knows no tuples."""
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Request = Annotated[str, StringConstraints(pattern=r"^[!-~]{1,200}$")]
Position = Annotated[int, Field(ge=0, le=2)]
Player = Annotated[int, Field(ge=0, le=5)]
Number = Annotated[int, Field(ge=1, le=100_000)]
Sequence = Annotated[int, Field(ge=1, le=1_000_000)]
Seat = Annotated[tuple[Position, Player], PAIR]
Names = Annotated[list[Word], Field(min_length=2, max_length=3)]
Players = Annotated[list[Annotated[list[Word], Field(max_length=6)]], Field(min_length=2, max_length=3)]
House = Annotated[list[Word], Field(max_length=100)]
Draft = Annotated[dict[Word, Text], Field(max_length=2_000)]


class SideFigure(Form):
    """A side, by its position."""

    side: Position


class CardFigure(Form):
    """A card, by its token."""

    card: Word


class ExcessFigure(Form):
    """More of a card than there is: the card, its suit, how many, and how many there are."""

    excess: Annotated[tuple[Word, Word, Points, Points], PAIR]


class NeededFigure(Form):
    """Canastas needed: of which family, how many, and how many there are."""

    needed: Annotated[tuple[Word, Points, Points], PAIR]


_FIGURES = {"side": SideFigure, "card": CardFigure, "excess": ExcessFigure, "needed": NeededFigure}


def _figure_kind(value: Any) -> str | None:
    if isinstance(value, dict):
        return next((name for name in _FIGURES if name in value), None)
    return "text" if isinstance(value, str) else "number" if type(value) is int else None


OneFigure = Annotated[
    Annotated[SideFigure, Tag("side")]
    | Annotated[CardFigure, Tag("card")]
    | Annotated[ExcessFigure, Tag("excess")]
    | Annotated[NeededFigure, Tag("needed")]
    | Annotated[Text, Tag("text")]
    | Annotated[Points, Tag("number")],
    Discriminator(_figure_kind),
]


def _many(value: Any) -> str:
    return "many" if isinstance(value, list) else "one"


Figure = Annotated[
    Annotated[OneFigure, Tag("one")] | Annotated[list[OneFigure], Field(max_length=500), Tag("many")],
    Discriminator(_many),
]
