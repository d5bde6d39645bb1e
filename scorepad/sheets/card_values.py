"""A rules card as values: a variant's figures on one page."""

from __future__ import annotations

from dataclasses import dataclass

from scorepad.i18n import Language
from scorepad.sheets.blank_values import Fact

_LETTERS = 26
"""In a line of a column, of a name or of a value."""
_HEADING = 2
"""Lines."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """Figures that belong together."""

    title: str
    facts: tuple[Fact, ...]

    @property
    def lines(self) -> int:
        """About how many lines it takes in a column."""
        return _HEADING + sum(1 + max(len(fact.name), len(fact.value)) // _LETTERS for fact in self.facts)


@dataclass(frozen=True, slots=True)
class RulesCard:
    """What stands on the card. `chosen` is what the table plays otherwise than usual, `sources` who says all this."""

    language: Language
    variant: str
    special: str
    chosen: tuple[str, ...]
    chapters: tuple[Chapter, ...]
    sources: tuple[str, ...]

    @property
    def columns(self) -> tuple[tuple[Chapter, ...], tuple[Chapter, ...]]:
        """The chapters in two columns, as even as they can be without cutting one in two."""
        lines = [chapter.lines for chapter in self.chapters]
        half = min(range(len(lines) + 1), key=lambda end: abs(sum(lines[:end]) - sum(lines[end:])))
        return self.chapters[:half], self.chapters[half:]
