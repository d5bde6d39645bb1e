"""What the text in a field of a hand means: read from what people type, and written for them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

from typing_extensions import override

from scorepad.i18n import Language
from scorepad.i18n.typed_cards import parse_typed_cards, to_notation
from scorepad.rules.cards import NOTHING, Reading, read_cards, write_cards
from scorepad.rules.hand import MeldEntry
from scorepad.web.card_lines import LONGEST_ECHO, LONGEST_TEXT
from scorepad.web.forms import Misread, read_sum

HIDDEN = "*"
"""After a meld: laid down whole."""
NONE = "0"
"""The text for no cards, or no points."""
HAND_SEPARATOR = "/"
"""Separates the cards of two players in one field."""
MOST_TIMES = 99


class TextProblem(NamedTuple):
    """Why a text cannot be read: the end of a message key, and a number or a text of the message.

    `is_missing`: more must be typed, which is an error only when the hand is saved.
    """

    reason: str
    is_missing: bool = False
    limit: int = 0
    given: str = ""


class TypedValue(NamedTuple):
    """The value of a text, None if it has none, and what is wrong with the text."""

    value: Any
    problems: tuple[TextProblem, ...] = ()


TOO_LONG = TextProblem("long", limit=LONGEST_TEXT)


class FieldText(ABC):
    """How the text of a field is read and written. `name` says so to the scripts."""

    name: str

    @abstractmethod
    def read(self, text: str, language: Language) -> TypedValue:
        """The value of a text that is not blank."""

    @abstractmethod
    def write(self, value: Any) -> str:
        """A text that is read as this value in every language."""


class WholeNumber(FieldText):
    """A number, or a sum of numbers; at most `most`."""

    def __init__(self, name: str, *, signed: bool = False, most: int | None = None) -> None:
        self.name = name
        self.is_signed = signed
        self._most = most

    def read(self, text: str, language: Language) -> TypedValue:
        number = read_sum(text, language, signed=self.is_signed)
        if isinstance(number, Misread):
            return TypedValue(None, (TextProblem(number.value),))
        if self._most is not None and number is not None and number > self._most:
            return TypedValue(None, (TextProblem("many"),))
        return TypedValue(number)

    def write(self, value: int) -> str:
        return str(value)


class HeldCards(FieldText):
    """The cards that players hold: a reading for each of them, separated by slashes."""

    name = "cards"

    @override
    def read(self, text: str, language: Language) -> TypedValue:
        if len(text) > LONGEST_TEXT:
            return TypedValue((NOTHING,), (TOO_LONG,))
        readings = []
        problems: list[TextProblem] = []
        for part in text.split(HAND_SEPARATOR):
            cards = part.strip()
            typed = _read_cards("" if cards == NONE else cards)
            readings.append(typed.value)
            problems += typed.problems
        return TypedValue(tuple(readings), tuple(problems))

    def write(self, value: tuple[Reading, ...]) -> str:
        texts = [_write_reading(reading) or NONE for reading in value]
        return f" {HAND_SEPARATOR} ".join(texts)


class Melds(FieldText):
    """Melds, one a line; `0` for none."""

    name = "melds"

    def __init__(self, separators: str = ";/") -> None:
        self._separators = separators

    @override
    def read(self, text: str, language: Language) -> TypedValue:
        if len(text) > LONGEST_TEXT:
            return TypedValue((), (TOO_LONG,))
        melds = []
        problems: list[TextProblem] = []
        for line in meld_lines(text, self._separators):
            typed = _read_cards(line.rstrip(HIDDEN).strip())
            melds.append(MeldEntry(typed.value, concealed=line.endswith(HIDDEN)))
            problems += typed.problems
        if text == NONE:
            melds = []
        return TypedValue(tuple(melds), tuple(problems))

    def write(self, value: tuple[MeldEntry, ...]) -> str:
        lines = []
        for meld in value:
            hidden = f" {HIDDEN}" if meld.concealed else ""
            lines.append(f"{_write_reading(meld.reading)}{hidden}")
        return "\n".join(lines)


class FreeText(FieldText):
    """A text, or the value of a choice, as it is."""

    def __init__(self, name: str) -> None:
        self.name = name

    @override
    def read(self, text: str, language: Language) -> TypedValue:
        if len(text) > LONGEST_TEXT:
            return TypedValue("", (TOO_LONG,))
        return TypedValue(text)

    def write(self, value: str) -> str:
        return value


COUNT = WholeNumber("count", most=MOST_TIMES)
"""A number of things."""
POINTS = WholeNumber("points")
SIGNED = WholeNumber("signed", signed=True)
"""Points of either sign."""
CARDS = HeldCards()
MELDS = Melds()
OPENING = Melds(",;/")
TEXT = FreeText("text")
CHOICE = FreeText("choice")


def meld_lines(text: str, separators: str = ";/") -> tuple[str, ...]:
    """The melds of a text: one a line, or between separators."""
    for separator in separators:
        text = text.replace(separator, "\n")
    return tuple(line.strip() for line in text.split("\n") if line.strip())


def _read_cards(text: str) -> TypedValue:
    """The cards of a text, and the first of them that is ambiguous."""
    problems = []
    for reason, given in parse_typed_cards(text).doubts[:1]:
        problems.append(TextProblem(reason, is_missing=True, given=given[:LONGEST_ECHO]))
    return TypedValue(read_cards(to_notation(text)), tuple(problems))


def _write_reading(reading: Reading) -> str:
    return " ".join(filter(None, (write_cards(reading.cards), *reading.unknown)))
