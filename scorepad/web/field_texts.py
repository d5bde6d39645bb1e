"""What the text in a field of a hand means: read from what people type, and written for them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

from typing_extensions import override

from scorepad.i18n import Language
from scorepad.i18n.typed_cards import TypedDoubt, parse_typed_cards, to_notation
from scorepad.rules.cards import NOTHING, Reading, read_cards, write_cards
from scorepad.rules.hand import MeldEntry
from scorepad.web.card_lines import LONGEST_ECHO, LONGEST_TEXT
from scorepad.web.forms import Misread, read_sum

CONCEALED_MARK = "*"
"""Stands after a meld that was laid down complete (concealed): `7xK *`."""
ZERO = "0"
"""The text for no cards, or no points."""
HAND_SEPARATOR = "/"
"""Separates the cards of two players in one field."""
MOST_TIMES = 99


class TextProblem(NamedTuple):
    """What is wrong with the text of a field.

    `reason` is the end of a message key, `limit` and `given` are a number and a text of the message.
    `is_unfinished`: more must be typed, which is an error only when the hand is saved.
    """

    reason: str
    is_unfinished: bool = False
    limit: int = 0
    given: str = ""


class TypedValue(NamedTuple):
    """The value that the text of a field has, and what is wrong with the text.

    The value is None if a number cannot be read; of cards and melds it is what can be read.
    """

    value: Any
    problems: tuple[TextProblem, ...] = ()


TOO_LONG = TextProblem("long", limit=LONGEST_TEXT)


class FieldText(ABC):
    """How the text of a field is read and written. The scripts of the page know it by its `name`."""

    name: str

    @abstractmethod
    def read_text(self, text: str, language: Language) -> TypedValue:
        """Read a text that is not blank, as typed by somebody who writes numbers as this language
        does.
        """

    @abstractmethod
    def write_text(self, value: Any) -> str:
        """Write a value as a text that has the same meaning in every language."""


class NumberText(FieldText):
    """A number or a sum of numbers: `3x50+4x20` is 230. At most `most`, if that is given."""

    def __init__(self, name: str, *, signed: bool = False, most: int | None = None) -> None:
        self.name = name
        self.is_signed = signed
        self._most = most

    def read_text(self, text: str, language: Language) -> TypedValue:
        """Read a typed number or sum.

        - `150` or `3x50` → 150
        - a number that cannot be read, or is too large for the field → None, and a problem
        """
        number = read_sum(text, language, signed=self.is_signed)
        if isinstance(number, Misread):
            return TypedValue(None, (TextProblem(number.value),))
        if number is None:
            return TypedValue(None)
        if self._most is not None and number > self._most:
            return TypedValue(None, (TextProblem("many"),))
        return TypedValue(number)

    def write_text(self, value: int) -> str:
        return str(value)


class HeldCardsText(FieldText):
    """The cards that players hold, those of each player after a slash: `K 4 / 9`; `0` for none."""

    name = "cards"

    @override
    def read_text(self, text: str, language: Language) -> TypedValue:
        """Read the cards that players still have in hand when the hand (the round) ends.

        The value is a tuple with the cards of each part between slashes: `K 4 / 9` are a king and a
        four of one player, and a nine of another. `0` is no cards.
        """
        if len(text) > LONGEST_TEXT:
            return TypedValue((NOTHING,), (TOO_LONG,))
        readings = []
        problems: list[TextProblem] = []
        for part in text.split(HAND_SEPARATOR):
            cards_text = part.strip()
            if cards_text == ZERO:
                cards_text = ""
            typed = _read_cards(cards_text)
            readings.append(typed.value)
            problems += typed.problems
        return TypedValue(tuple(readings), tuple(problems))

    def write_text(self, value: tuple[Reading, ...]) -> str:
        """Write the cards of each player, with slashes between them: `K 4 / 9`; `0` for none."""
        texts = [_write_reading(reading) or ZERO for reading in value]
        return f" {HAND_SEPARATOR} ".join(texts)


class MeldsText(FieldText):
    """Melds (sets of cards laid on the table), one a line; `0` for none.

    `separators` are the characters that separate melds as line ends do.
    """

    name = "melds"

    def __init__(self, separators: str = ";/") -> None:
        self._separators = separators

    @override
    def read_text(self, text: str, language: Language) -> TypedValue:
        """Read melds (sets of cards laid on the table), one a line.

        The value is a tuple with a `MeldEntry` for each. `3xK` and, on the next line, `7xQ *` are
        two: the mark `*` says that the second came on the table complete. `0` is no melds.
        """
        if len(text) > LONGEST_TEXT:
            return TypedValue((), (TOO_LONG,))
        if text == ZERO:
            return TypedValue(())
        melds = []
        problems: list[TextProblem] = []
        for line in meld_lines(text, self._separators):
            typed_cards = _read_cards(without_concealed_mark(line))
            is_concealed = line.endswith(CONCEALED_MARK)
            melds.append(MeldEntry(typed_cards.value, is_concealed))
            problems += typed_cards.problems
        return TypedValue(tuple(melds), tuple(problems))

    def write_text(self, value: tuple[MeldEntry, ...]) -> str:
        """Write each meld (set of cards) on a line, marked `*` if it was laid down complete."""
        lines = []
        for meld in value:
            cards = _write_reading(meld.reading)
            if meld.concealed:
                lines.append(f"{cards} {CONCEALED_MARK}")
            else:
                lines.append(cards)
        return "\n".join(lines)


class FreeText(FieldText):
    """A text whose value is the text itself, such as a reason or the value of a choice."""

    def __init__(self, name: str) -> None:
        self.name = name

    @override
    def read_text(self, text: str, language: Language) -> TypedValue:
        """Return the text itself as the value; one that is too long is a problem, and not kept."""
        if len(text) > LONGEST_TEXT:
            return TypedValue("", (TOO_LONG,))
        return TypedValue(text)

    def write_text(self, value: str) -> str:
        return value


COUNT = NumberText("count", most=MOST_TIMES)
"""A number of things."""
POINTS = NumberText("points")
SIGNED = NumberText("signed", signed=True)
"""Points of either sign."""
CARDS = HeldCardsText()
MELDS = MeldsText()
OPENING = MeldsText(",;/")
TEXT = FreeText("text")
CHOICE = FreeText("choice")


def meld_lines(text: str, separators: str = ";/") -> tuple[str, ...]:
    """Split a text into its melds (sets of cards): `3xK / 4xQ` → `3xK`, `4xQ`.

    Each is on a line of its own, or set off by one of the separators.
    """
    for separator in separators:
        text = text.replace(separator, "\n")
    lines = []
    for line in text.split("\n"):
        meld = line.strip()
        if meld:
            lines.append(meld)
    return tuple(lines)


def without_concealed_mark(meld_line: str) -> str:
    """Remove the mark `*`, which says that a meld was laid down complete: `7xK *` → `7xK`."""
    return meld_line.rstrip(CONCEALED_MARK).strip()


def _read_cards(text: str) -> TypedValue:
    """Read cards as people type them, in words or in short notation: `3 kings`, `3xK`.

    A word that may be two different cards, such as `wild` (a joker or a two), is a problem until
    what is typed next makes it clear.
    """
    doubts = parse_typed_cards(text).doubts
    if doubts:
        # In doubt no word is taken for a card: `3xK wild` is three kings.
        return TypedValue(read_cards(text), (_problem_of_doubt(doubts[0]),))
    cards_in_short = to_notation(text)  # `3 kings` → `3xK`
    return TypedValue(read_cards(cards_in_short))


def _problem_of_doubt(doubt: TypedDoubt) -> TextProblem:
    """Report that some typed words can be read in two ways, and show them, or their beginning.

    The problem is unfinished: it is an error only when the form is saved.
    """
    words_to_show = doubt.typed[:LONGEST_ECHO]
    return TextProblem(doubt.reason, is_unfinished=True, given=words_to_show)


def _write_reading(reading: Reading) -> str:
    """Write cards that were read from a text, and after them the words that are no cards.

    Two kings, a four and the word `zz` → `2xK 4 zz`.
    """
    words = [write_cards(reading.cards), *reading.unknown]
    return " ".join(word for word in words if word)
