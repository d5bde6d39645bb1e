"""The fields of a count as values, with what was typed in them and the notes beside them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Tone(StrEnum):
    """How a note is meant."""

    ERROR = "error"
    WARNING = "warning"
    PENDING = "pending"
    """Of something that is still being typed: no error yet."""
    AGREED = "agreed"
    """Against the rules, and counted because the table agreed."""


@dataclass(frozen=True, slots=True)
class Note:
    """What is to be said beside a field: in words, the rule's source, and its place in the rulebook."""

    text: str
    source: str
    tone: Tone
    place: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """A field: its name is its id. `value` is what was typed, as it was typed."""

    id: str
    label: str
    value: str
    hint: str = ""
    notes: tuple[Note, ...] = ()
    told: str = ""
    """What the field's content comes to, in words."""
    most: int | None = None
    """The most that a button counts up to."""

    @property
    def is_wrong(self) -> bool:
        """Whether an error stands beside it."""
        return any(note.tone is Tone.ERROR for note in self.notes)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several values of a field, or a tick."""

    id: str
    name: str
    value: str
    label: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class CardButton:
    """A card that can be tapped: its token and its name. `suited`: it may get a suit."""

    token: str
    name: str
    suited: bool
