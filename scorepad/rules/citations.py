"""Where a figure comes from: sources, citations, how firmly they stand, and the steps of values that are tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple, NewType

SourceId = NewType("SourceId", str)
"""The short name of a source: `W`, `G`, `H`, `E`, or an address (`pagat.com`)."""


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
    `steps` are the citations of single steps of the value (`steps_of`) that differ from those of the whole.
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


class Basis(NamedTuple):
    """The places that say what was applied, how firmly it stands, and the names of the arguments of a reading.

    `standing` is None where nothing needs a source.
    """

    sources: tuple[str, ...]
    standing: Standing | None
    read: tuple[str, ...] = ()


def places(cited: Iterable[Cited]) -> tuple[str, ...]:
    """The places that are cited, each once, in order."""
    return tuple(dict.fromkeys(str(place) for each in cited for place in each.citations))


def weakest(standings: Iterable[Standing]) -> Standing | None:
    """The least firm of several standings; None of none."""
    found = set(standings)
    return next((each for each in (Standing.HOUSE, Standing.READ, Standing.STATED) if each in found), None)


def _counted_from(first: int) -> Callable[[Any], dict[str, Any]]:
    return lambda value: {str(number): each for number, each in enumerate(value, first)}


def _named(name: str, worth: str) -> Callable[[Any], dict[str, Any]]:
    return lambda value: {str(entry[name]): entry[worth] for entry in value}


def _pairs(value: Any) -> dict[str, Any]:
    return {str(name): worth for name, worth in value}


_TABLES: Mapping[str, Callable[[Any], dict[str, Any]]] = {
    "opening-steps": _pairs,  # by the match score that the minimum begins at
    "opening-deals": _counted_from(1),  # by the hand of the match
    "red-three-values": _counted_from(1),  # by how many they are
    "red-threes-by-canastas": _counted_from(0),  # by the canastas of the side
    "red-threes-by-families": lambda value: {entry["having"]: [entry["own"], entry["opponents"]] for entry in value},
    "cards-by-canastas": _counted_from(0),
    "black-threes-aside": _counted_from(1),
    "black-threes-exposed": _counted_from(1),
    "card-points": dict,
    "canastas": _named("item", "points"),
    "canasta-families-needed": _pairs,
    "incomplete": _named("name", "points"),
    "held-together": _named("key", "points"),
    "special-hands": _pairs,
    "out-bonus-canastas": _named("canastas", "points"),
    "pile-tops": _named("card", "more"),
    "upcard-big-piles": lambda value: dict(zip(("JK", "2"), value, strict=False)),
}


def steps_of(setting: str, value: Any) -> dict[str, Any]:
    """The steps of a value as the data has it, each with what it says; none where the value is no table."""
    return _TABLES[setting](value) if setting in _TABLES else {}
