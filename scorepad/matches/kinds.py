"""The kinds of entries that the log of a match holds."""

from __future__ import annotations

from enum import StrEnum


class EntryKind(StrEnum):
    """What an entry does. A new kind needs a reader in `pad.folding` and nothing else to be understood."""

    START = "start"
    RULES = "rules"
    HAND = "hand"
    CORRECTION = "correction"
    CONFIRM = "confirm"
    CONTEST = "contest"
    CHOICE = "choice"
    CHECKING = "checking"
    REMARK = "remark"
    PENALTY = "penalty"
    RULING = "ruling"
    RENAME = "rename"
    REPLACE = "replace"
    END = "end"
    REMATCH = "rematch"
    DOOR = "door"
    UNDO = "undo"
