"""Exceptions with attributes, for program and system errors.

Invalid hands entered by players are not exceptions but findings: values that the pad shows.
"""

from __future__ import annotations


class ScorepadError(Exception):
    """The base class of scorepad's exceptions."""


class UnreadableError(ScorepadError):
    """Text or data that cannot be read: cards, the file of a variant, or stored data."""


class UnreadableCards(UnreadableError, ValueError):
    """A line of cards with tokens that are no cards: `unknown`."""

    def __init__(self, unknown: tuple[str, ...]) -> None:
        """Build the message: `("3", "X")` → "no cards: 3 X"."""
        super().__init__(f"no cards: {' '.join(unknown)}")
        self.unknown = unknown


class NewerError(UnreadableError):
    """Stored data unknown to this program, written by a later scorepad."""


class VariantError(UnreadableError):
    """A file of a variant that cannot be read.

    Attributes: `file` (its name), `key` (dotted path inside it; empty: the whole file), `problem`
    (the key of its message: `variant-file.PROBLEM`), `arguments` (values of the message), `line`
    (None if unknown), `others` (the further errors of the file that are reported in full) and `more`
    (the number of those that are not).
    """

    others: tuple[VariantError, ...] = ()
    more: int = 0

    def __init__(
        self, file: str, key: str, problem: str, line: int | None = None, **arguments: str | int
    ) -> None:
        """Build the message: "mine.toml:3: settings.decks: value.int_type {'given': 'two'}".

        The message is for logs. Users see a sentence in their language, made from the attributes.
        """
        line_text = "" if line is None else str(line)
        message = f"{file}:{line_text}: {key}: {problem}"
        if arguments:
            message += f" {arguments}"
        super().__init__(message)
        self.file = file
        self.key = key
        self.problem = problem
        self.line = line
        self.arguments = arguments


class TooManyWays(ScorepadError):
    """A question that may not be asked: its hand of cards can be laid in more ways than the referee
    examines.
    """


class ChoiceError(ScorepadError):
    """A requested variant, preset, option or option value that does not exist.

    Attributes: `key` (`variant`, `preset`, `options` or `options/NAME`), `reason` (a message key of
    the catalogue), `given` (the requested value) and `known` (the valid values, as words).
    """

    def __init__(self, key: str, reason: str, given: object, known: tuple[str, ...] = ()) -> None:
        """Build the message from the key, the reason and the value that was requested.

        It is for logs. Users see a sentence in their language, made from the attributes.
        """
        super().__init__(f"{key}: {reason}: {given!r}")
        self.key = key
        self.reason = reason
        self.given = given
        self.known = known
