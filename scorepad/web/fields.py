"""Fields as templates draw them: what was typed, what it is called, what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass

from wtforms import Field


@dataclass(frozen=True, slots=True)
class TextField:
    """A line to type in. `id` is also its name."""

    id: str
    label: str
    value: str
    hint: str = ""
    errors: tuple[str, ...] = ()
    is_number: bool = False

    @property
    def described_by(self) -> str:
        """The ids of the texts that go with it."""
        about = [f"{self.id}-hint"] if self.hint else []
        return " ".join([*about, f"{self.id}-error"] if self.errors else about)


@dataclass(frozen=True, slots=True)
class TickField:
    """A box to tick. `id` is also its name."""

    id: str
    label: str
    is_on: bool
    errors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChoiceItem:
    """One choice: its words, more about it, and where that is said."""

    id: str
    value: str
    label: str
    note: str
    source: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class ChoiceField:
    """Choices of which one holds."""

    name: str
    label: str
    choices: tuple[ChoiceItem, ...]
    errors: tuple[str, ...] = ()


def text_field(field: Field, label: str, hint: str = "", *, is_number: bool = False) -> TextField:
    """A text field of a form. Its length is checked when it is sent: a browser would cut what is pasted, unsaid."""
    return TextField(field.id, label, field.data or "", hint, tuple(map(str, field.errors)), is_number)


def tick_field(field: Field, label: str) -> TickField:
    """A box of a form."""
    return TickField(field.id, label, bool(field.data), tuple(map(str, field.errors)))


@dataclass(frozen=True, slots=True)
class Choice:
    """What may be chosen, before it is known what was."""

    value: str
    label: str
    note: str = ""
    source: str = ""


def choice_field(field: Field, label: str, choices: tuple[Choice, ...]) -> ChoiceField:
    """A field of choices; the first one carries the field's own id, so that an error can lead to it."""
    items = tuple(
        ChoiceItem(
            field.id if number == 0 else f"{field.id}-{number}",
            choice.value, choice.label, choice.note, choice.source, field.data == choice.value,
        )
        for number, choice in enumerate(choices)
    )  # fmt: skip
    return ChoiceField(field.name, label, items, tuple(map(str, field.errors)))
