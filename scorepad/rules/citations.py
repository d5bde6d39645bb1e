"""Where a figure comes from, and how firmly it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NewType

SourceId = NewType("SourceId", str)
"""The short name of a source: `W`, `G`, `H`, `E`, or a public rules page of `P`."""


class Standing(StrEnum):
    """How a figure stands."""

    STATED = "stated"
    """A source says it."""
    READ = "read"
    """An inference from what the sources say, argued in the data."""
    HOUSE = "house"
    """Agreed at the table; no source gives it."""


@dataclass(frozen=True, slots=True)
class Source:
    """A text that the rules are taken from.

    `title` is its name as printed, `sections` the headings that may be cited, `notes` its footnotes that name a manual.
    """

    id: SourceId
    title: str
    sections: tuple[str, ...]
    notes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Citation:
    """A place in a source. Written `W:L'apertura`."""

    source: SourceId
    section: str

    def __str__(self) -> str:
        return f"{self.source}:{self.section}"


@dataclass(frozen=True, slots=True)
class Cited:
    """Why a value is what it is: its citations, its standing, and what goes with them.

    `read` names the argument of an inference in the catalogue (`read.…`), `notes` the manuals behind the citation.
    `steps` are the citations of single steps of the value (`scorepad.rules.steps`) that differ from those of the whole.
    """

    citations: tuple[Citation, ...]
    standing: Standing = Standing.STATED
    read: str | None = None
    notes: tuple[str, ...] = ()
    steps: Mapping[str, Cited] = field(default_factory=dict)

    def of(self, step: str) -> Cited:
        """Why a single step is what it is; of one without citations of its own, as the whole."""
        return self.steps.get(step, self)

    @property
    def everywhere(self) -> frozenset[str]:
        """Every place cited for the whole or for a step of it."""
        return frozenset(str(place) for each in (self, *self.steps.values()) for place in each.citations)
