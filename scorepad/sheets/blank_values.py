"""A blank pad as values: the card to fill in by pen, with its variant's figures printed on it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from scorepad.i18n import Language


class Copies(IntEnum):
    """How many cards stand on an A4 sheet: two of A5 side by side, or four of A6."""

    TWO = 2
    FOUR = 4


_SHORT_NAME, _SHORT_VALUE = 30, 6
"""Letters."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A figure with its name, both in words."""

    name: str
    value: str

    @property
    def is_short(self) -> bool:
        """Whether two of them have room beside each other."""
        return len(self.name) <= _SHORT_NAME and len(self.value) <= _SHORT_VALUE


@dataclass(frozen=True, slots=True)
class BlankPad:
    """What stands on each of the cards.

    `columns` are the names printed over them, an empty one for a line to write a name on. `goal` is what is played for,
    `chosen` what the table plays otherwise than usual. `opening` tells from which score which minimum holds; `bonuses`
    are the variant's figures in the order of a count; `hands` the number of hands of a match, None where it ends by
    score; `has_resting`: in every hand somebody sits out, who is written down.
    """

    language: Language
    variant: str
    chosen: tuple[str, ...]
    goal: Fact
    columns: tuple[str, ...]
    opening: tuple[Fact, ...]
    bonuses: tuple[Fact, ...]
    hands: int | None
    has_resting: bool
    copies: Copies
