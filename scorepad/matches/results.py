"""The results of the service."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scorepad.matches.access import Keys, MatchId
from scorepad.matches.events import Labels
from scorepad.matches.projection import MatchState, OpenHand
from scorepad.rules.entries import Place
from scorepad.rules.judge import Judgement


@dataclass(frozen=True, slots=True)
class NameProblem:
    """Something in the names that cannot be.

    `code`: `name-empty`, `name-too-long`, `name-repeated` or `name-control` (a character that no one sees), and
    `names-number`, `players-number` where there are not as many as the variant seats, `dealer-unknown` where nobody
    sits in the dealer's seat. Of totals taken over from paper: `carried-number`, `carried-too-large`,
    `carried-not-multiple`, `carried-over` (the match would be over), `played-all` (no hand would be left).

    `where`: `("names", side)`, `("players", side, index)`, `("place",)`, `("dealer",)`, `("carried", side)`,
    `("played",)`, `("target",)`, `("names",)` or `("players", side)`. `limit`: the characters, names, points or hands
    that there may be.

    `name-overtaken`: somebody else changed it meanwhile, to what `stands`.
    """

    code: str
    where: Place
    limit: int | None = None
    stands: str | None = None


@dataclass(frozen=True, slots=True)
class NewMatchRefused:
    """A match cannot start with these names, or be renamed so: all that is wrong at once. Nothing was stored."""

    problems: tuple[NameProblem, ...]


@dataclass(frozen=True, slots=True)
class RenameRefused:
    """A match cannot be renamed so: all that is wrong at once. Nothing was stored.

    `labels` are the names as they would be, with what others changed meanwhile, after the entry `sequence`.
    """

    problems: tuple[NameProblem, ...]
    labels: Labels
    sequence: int

    @property
    def is_overtaken(self) -> bool:
        """Whether somebody else changed something that was changed here."""
        return any(problem.stands is not None for problem in self.problems)


@dataclass(frozen=True, slots=True)
class Saved:
    """It is stored. `again`: the same request had been stored before, and this is its first result."""

    match: MatchId
    number: int | None = None
    judgement: Judgement | None = None
    again: bool = False
    keeps_typed: bool = False
    """Whether the open hand stays as somebody was typing it, so that the hand undone does not come back into it."""
    keys: Keys | None = None
    """The keys of a match that was just started: they are shown this once."""
    sequence: int = field(default=0, compare=False)
    """The last entry of the match then; 0 where nothing had to be stored."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The rules refuse the hand; nothing was stored but the draft. `open_hand` is what is stored of it, if anything."""

    judgement: Judgement
    open_hand: OpenHand | None = None


@dataclass(frozen=True, slots=True)
class NoteWanted:
    """What the other side has agreed to can be changed or undone only with a note. Nothing was stored."""


@dataclass(frozen=True, slots=True)
class Stale:
    """The match had changed: what stands now. Nothing was stored."""

    current: OpenHand | None
    state: MatchState
    seen: Mapping[str, str] | None = None
    """The fields of the open hand as the device had seen them; None where they are not known any more."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A draft as it was stored."""

    open_hand: OpenHand


@dataclass(frozen=True, slots=True)
class Said:
    """Beside a counted hand: `remark` is a note on it, `agreed` why the table agreed to what the rules refuse."""

    remark: str = ""
    agreed: str = ""
