"""What a draft says: a hand in the contract's JSON, the fields that it came from, and what could not be read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from scorepad.matches.results import Said
from scorepad.rules.entries import Place


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something that cannot be read, or is missing: the field, and the end of its message key.

    `missing` is what was not typed yet: told while typing as something still to do, and only at the end as an error.
    `limit` is a figure that the message names: how many characters, or cards, there may be. `given` are cards that can
    be read in more ways than one, as they were typed.
    """

    field: str
    reason: str
    side: int | None = None
    missing: bool = False
    limit: int = 0
    given: str = ""


@dataclass(slots=True)
class Count:
    """What a draft says. `hand` holds all that could be read, in the contract's JSON.

    `fields` tells which field a place of the hand was typed in; `unfinished` are the sides whose points cannot be told
    yet, left out of `hand` as far as that would make the rules say something untrue. `unseated`: it is not known yet
    who lays together, so that nothing can be said of what depends on it. `said` goes with the hand beside its figures.
    """

    hand: dict[str, Any] = field(default_factory=dict)
    fields: dict[Place, str] = field(default_factory=dict)
    troubles: list[Trouble] = field(default_factory=list)
    unfinished: set[int] = field(default_factory=set)
    unseated: bool = False
    said: Said = field(default_factory=Said)

    def field_of(self, place: Place) -> str | None:
        """The field in which this place of the hand was typed, or that it stands in."""
        for length in range(len(place), 0, -1):
            if place[:length] in self.fields:
                return self.fields[place[:length]]
        return None
