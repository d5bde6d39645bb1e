"""A score: its lines, what they give a side in a hand, and the side's match score after it.

The JSON answers, the log and the export file hold these classes as they are dumped by pydantic.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import ConfigDict, Field, WithJsonSchema

from scorepad.rules.definitions import Standing
from scorepad.rules.hand import EXTRA_COUNTS

ITEMS = (
    "natural-canasta", "mixed-canasta", "wild-canasta", "twos-canasta", "four-jokers-canasta", "six-jokers-canasta",
    "sevens-canasta", "natural-aces-canasta", "mixed-aces-canasta", "samba", "dirty-samba", "bolivia",
    "concealed-canasta", "cards", "red-threes", "black-threes",
    *[extra.item for extra in EXTRA_COUNTS if not extra.has_own_line],
    "out", "cards-left", "red-threes-held", "sevens-incomplete", "aces-incomplete", "wilds-incomplete", "sevens-held",
    "aces-held", "special", "sum", "penalty", "bonus", "adjustment",
)  # fmt: skip
"""Every item of a line, in display order; canastas of a user's own variant come last among the
canastas.
"""

_ORDER = {item: index for index, item in enumerate(ITEMS)}
_AFTER_THE_CANASTAS = _ORDER["concealed-canasta"] - 0.5


def sort_by_item(item: str) -> float:
    """Return a sort key for the lines of a score: the position of what a line counts (its item).

    `cards` comes before `red-threes`. An item that is not in `ITEMS` is a kind of canasta (a group
    of seven cards) of a user's own game, and comes after all other canastas.
    """
    if item in _ORDER:
        return _ORDER[item]
    return _AFTER_THE_CANASTAS


def _is_none(value: object) -> bool:
    """Tell whether a field is None, so that pydantic leaves it out of the JSON."""
    return value is None


def _is_empty(names: tuple[str, ...]) -> bool:
    """Tell whether a field with names has none, so that pydantic leaves it out of the JSON."""
    return not names


# Not frozen: every hand has a dozen lines, and a frozen one takes twice as long to make.
@dataclass(slots=True, kw_only=True)
class Line:
    """A line of a score; `count` is null if only points were given."""

    __pydantic_config__ = ConfigDict(
        extra="forbid", json_schema_serialization_defaults_required=True
    )

    # Melds, canastas and cards of a party of several sides (tagliagola) are counted together: each
    # of its sides has the same line.
    item: str
    code: Annotated[
        str | None,
        Field(exclude_if=_is_none, description="Of a penalty or a bonus only."),
        WithJsonSchema({"type": "string"}, mode="serialization"),
    ] = None
    count: int | None
    points: int
    reason: Annotated[
        str | None,
        Field(exclude_if=_is_none, description="Of what the table agreed only."),
        WithJsonSchema({"type": "string"}, mode="serialization"),
    ] = None
    sources: tuple[str, ...]
    standing: Annotated[
        Standing | None,
        Field(
            description="How firmly the sources say what was applied: in words (`stated`), by an inference (`read`), "
            "or not at all, because the table decided it (`house`). Null where nothing needs a source."
        ),
    ] = None
    read: Annotated[
        tuple[str, ...],
        Field(
            exclude_if=_is_empty,
            description="Of an inference, in the log only: the names of its arguments.",
        ),
    ] = ()
    """`read.…` in the catalogue."""


@dataclass(frozen=True, slots=True)
class SideLines:
    """The lines of a side in a hand, and whether it had opened (None if only the sum is known)."""

    lines: tuple[Line, ...]
    opened: bool | None

    @property
    def points(self) -> int:
        """The points of all lines together."""
        return sum(line.points for line in self.lines)


@dataclass(frozen=True, slots=True)
class SideScore:
    """A side's part of a hand, in points, and its opening minimums before and after it."""

    __pydantic_config__ = ConfigDict(extra="forbid", defer_build=True)

    lines: tuple[Line, ...]
    hand: int
    total: int
    opened: bool | None
    opening_minimum: int | None
    next_opening_minimum: int | None

    @property
    def before(self) -> int:
        """The match score of the side before this hand (round), which is part of `total`."""
        return self.total - self.hand
