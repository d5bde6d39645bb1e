"""What there is at a table: a clock, the match on both sides, and what somebody saw of it."""

import itertools
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from scorepad.matches.access import MatchId
from scorepad.matches.keys import Keys
from tests.model.match import Match


class Clock:
    """A clock that nobody should trust: an hour back, two on, and now and then the same moment
    twice.
    """

    def __init__(self) -> None:
        self.now = datetime(2026, 10, 24, 23, 30, tzinfo=UTC)
        self.jumps = itertools.cycle([0, 1, 1, -3600, 0, 7200, 1, -1, 86_400, -86_400])

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=next(self.jumps))
        return self.now


@dataclass(frozen=True)
class Look:
    """What somebody had on the screen: the last deed, the hand to come, its version, and each
    hand's countings.
    """

    at: int
    hand: int
    name: str
    version: int
    hands: tuple[tuple[int, int, str], ...]
    """The counting that holds, the contested one (0 for none), the remark."""
    rules: str
    rulings: tuple[int, ...]
    penalties: tuple[int, ...]


@dataclass
class Table:
    """A match on both sides, with the names that the pad gave its hands and the keys that it made."""

    name: MatchId
    model: Match
    keys: Keys
    old: str = "a" * 26
    """A key that opens nothing any more."""
