"""Our own mistakes and the machine's, as exceptions with attributes.

What a player enters wrongly is never one of these: those are findings, values that the pad shows.
"""

from __future__ import annotations


class ScorepadError(Exception):
    """The root of every error that scorepad raises on purpose."""


class NewerError(ScorepadError):
    """Something stored that this program does not know, as a later scorepad writes it."""


class VariantError(ScorepadError):
    """A file of a variant that does not hold what it must.

    Attributes: `file` (its name), `key` (dotted path inside it; empty: the file as a whole), `problem` (the key of its
    message: `variant-file.PROBLEM`), `figures` (what the message names) and `line` (None where it is not known).
    """

    def __init__(self, file: str, key: str, problem: str, line: int | None = None, **figures: str | int) -> None:
        super().__init__(f"{file}:{line or ''}: {key}: {problem} {figures or ''}".rstrip())
        self.file = file
        self.key = key
        self.problem = problem
        self.line = line
        self.figures = figures


class ChoiceError(ScorepadError):
    """A variant, preset, option or option value that was asked for and does not exist.

    Attributes: `key` (`variant`, `preset`, `options` or `options/NAME`), `reason` (a message key of the catalogue),
    `given` (what was asked for) and `known` (what may be asked for, as words).
    """

    def __init__(self, key: str, reason: str, given: object, known: tuple[str, ...] = ()) -> None:
        super().__init__(f"{key}: {reason}: {given!r}")
        self.key = key
        self.reason = reason
        self.given = given
        self.known = known
