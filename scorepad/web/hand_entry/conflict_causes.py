"""What may happen to a hand on another phone while its form is being filled in."""

from __future__ import annotations

from enum import StrEnum


class ConflictCause(StrEnum):
    """What happened to a hand on another phone while its form was being filled in on this one. The
    values are parts of message keys.
    """

    TYPED = "typed"
    """Something else was typed in the same field."""
    COUNTED = "counted"
    """The hand was counted."""
    CORRECTED = "corrected"
    """The hand was counted, and its count corrected."""
    UNDONE = "undone"
    """The past hand was undone."""
    OVER = "over"
    """The match ended, and the hand is not counted."""
    BACK = "back"
    """A hand before this one was undone, and has to be counted again first."""
