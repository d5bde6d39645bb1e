"""A rules card as values: a variant's figures on one page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scorepad.i18n import Language
from scorepad.sheets.blank_values import Fact

_LETTERS = 32
"""In a line of a column, of a name or of a value, where room is scarce and letters small."""
_HEADING, _APART = 2.0, 0.2
"""Lines that a heading takes, and what keeps figures apart."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """Figures that belong together. `notes` is what else there is to say, by the name of the figure that it is of."""

    title: str
    facts: tuple[Fact, ...]
    notes: Mapping[str, tuple[str, ...]]

    @property
    def lines(self) -> float:
        """About how many lines it takes in a column."""
        told = [1 + max(len(fact.name), len(fact.value)) // _LETTERS for fact in self.facts]
        told += [1 + len(note) // (2 * _LETTERS) for said in self.notes.values() for note in said]
        return _HEADING + sum(told) + _APART * len(told)


@dataclass(frozen=True, slots=True)
class RulesCard:
    """What stands on the card. `chosen` is what the table plays otherwise than usual, `sources` who says all this.

    `classic`: who says what is taken over from the classic game.
    """

    language: Language
    variant: str
    special: str
    chosen: tuple[str, ...]
    chapters: tuple[Chapter, ...]
    sources: tuple[str, ...]
    classic: tuple[str, ...]

    @property
    def columns(self) -> tuple[tuple[Chapter, ...], tuple[Chapter, ...]]:
        """The chapters in two columns, as even as they can be without cutting one in two."""
        lines = [chapter.lines for chapter in self.chapters]
        half = min(range(len(lines) + 1), key=lambda end: abs(sum(lines[:end]) - sum(lines[end:])))
        return self.chapters[:half], self.chapters[half:]
