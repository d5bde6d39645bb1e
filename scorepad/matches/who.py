"""Who asks the pad, about which match, and what they may do there."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NewType

from scorepad.storage.digests import AT_HOME

MatchId = NewType("MatchId", str)
"""A match: ten random letters and figures, fit for an address."""

DeviceId = NewType("DeviceId", str)
"""A browser or a command line, by the random name that it carries."""

DeviceMark = NewType("DeviceMark", str)
"""A device as the data file knows it: a digest of its name, which opens nothing."""

KEEPER = DeviceId("@keeper")
"""Whoever has the data file itself in hand, as on the command line: owns every match. Given to no browser."""


def at_home(device: DeviceId) -> DeviceId:
    """A browser with the home privilege: it holds every match, and is noted under its own name."""
    return DeviceId(f"{AT_HOME}{device}")


def is_keeper(device: DeviceId) -> bool:
    """Whether every match is this device's."""
    return device == KEEPER or device.startswith(AT_HOME)


RequestId = NewType("RequestId", str)
"""The random name of one submission of a form: sent twice, it counts once."""

SIDE_KEYS = ("a", "b", "c")
"""What the sides are called inside stored hands; names are labels that may change."""


class Access(StrEnum):
    """What a device may do with a match."""

    NONE = "none"
    VIEW = "view"
    WRITE = "write"
    OWN = "own"

    @property
    def can_write(self) -> bool:
        """Whether it may enter and correct hands."""
        return self in (Access.WRITE, Access.OWN)


@dataclass(frozen=True, slots=True)
class Keys:
    """What opens a match to whoever brings it: to write, or only to look. Secrets; the file holds their digests."""

    write: str = field(repr=False)
    view: str = field(repr=False)
