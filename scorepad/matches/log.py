"""The log of a match and what it adds up to: every entry in its order, what was undone left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from operator import add

from scorepad.matches.kept_rulings import KeptRuling
from scorepad.matches.kinds import EntryKind
from scorepad.matches.payloads import Beginning, Counted, Labels, counted_from
from scorepad.matches.values import EndHow, Ending, Replacement, Undoable
from scorepad.rules.match import Seat, Standing, standing
from scorepad.rules.variants import Ruleset
from scorepad.storage.records import Entry, MatchRecord

RulesOf = Callable[[str], Ruleset]
"""The rules of a digest."""


@dataclass(frozen=True, slots=True)
class Version:
    """A counting of a hand and the entry that it came with."""

    entry: Entry
    counted: Counted


@dataclass(frozen=True, slots=True)
class Marks:
    """What stands beside a hand: the entry that confirms it, the other side's counting, the note on it."""

    confirmed: Entry | None = None
    contest: Version | None = None
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Log:
    """A match as its log tells it. `hands` are the hands in order, each with its versions, the last one counting.

    `marks` stand beside the hands. `undoable` are the entries that can still be undone, the last one last.
    `turned_at` is the sequence of the entry that the coming hand waits for: the hand before it, or the undoing of one.
    `checking_since` is the entry since which one side checks what the other counts, 0 where nobody does.
    """

    match: MatchRecord
    rules: Ruleset
    entries: tuple[Entry, ...]
    labels: Labels
    begins: Beginning
    hands: tuple[tuple[Version, ...], ...]
    marks: tuple[Marks, ...]
    undoable: tuple[Undoable, ...]
    turned_at: int
    scores: tuple[tuple[int, ...], ...]
    """The match scores before each hand, and last those that stand now, in points."""
    house: tuple[str, ...] = ()
    """The options that the table plays otherwise than was usual."""
    ending: Ending | None = None
    replacements: tuple[Replacement, ...] = ()
    checking_since: int = 0
    is_rematched: bool = False
    """Whether a rematch of it has begun."""
    rulings: tuple[KeptRuling, ...] = ()
    """Those kept with it, in the order in which they were."""

    @property
    def sequence(self) -> int:
        """The sequence of the last entry."""
        return self.entries[-1].sequence

    @property
    def last(self) -> Entry:
        """The last entry that is about the match itself, and not about who comes in."""
        return next(entry for entry in reversed(self.entries) if entry.kind != EntryKind.DOOR)

    @property
    def changed(self) -> datetime:
        """When something was last done to the match itself, by the clock of that moment."""
        return self.last.at

    @property
    def dealer(self) -> Seat:
        """Who dealt the first hand on the pad."""
        return self.begins.dealer

    @property
    def deals(self) -> int:
        """The hands of the match so far, those on paper included."""
        return self.begins.played + len(self.hands)

    @property
    def by_rules(self) -> Standing:
        """Where the match stands after its last hand, whatever the table agreed."""
        return standing(self.scores[-1], self.rules.settings, self.deals)

    @property
    def standing(self) -> Standing:
        """Where the match stands."""
        natural, ending = self.by_rules, self.ending
        if natural.finished or ending is None or (ending.hands is not None and len(self.hands) < ending.hands):
            return natural
        return Standing(natural.target, finished=True, winner=_winner(ending, self.scores[-1]))


def _winner(ending: Ending, totals: tuple[int, ...]) -> int | None:
    """Who wins a match that ended by agreement; nobody where it was broken off, or the highest are equal."""
    if ending.how is EndHow.BROKEN_OFF:
        return None
    best = ending.highest(totals)
    return best[0] if len(best) == 1 else None


@dataclass(slots=True)
class Tally:
    """The fold on its way through the log."""

    rules: Ruleset
    rules_of: RulesOf
    labels: Labels = field(default_factory=lambda: Labels((), (), ""))
    begins: Beginning = field(default_factory=lambda: Beginning((0, 0)))
    house: tuple[str, ...] = ()
    hands: list[list[Version]] = field(default_factory=list)
    marks: list[Marks] = field(default_factory=list)
    undoable: list[Undoable] = field(default_factory=list)
    turned_at: int = 0
    ending: Ending | None = None
    replacements: list[Replacement] = field(default_factory=list)
    checking_since: int = 0
    is_rematched: bool = False
    rulings: list[KeptRuling] = field(default_factory=list)
    known: dict[int, Counted] = field(default_factory=dict)
    """Hands read before, by the sequence of their entry."""

    def counted(self, entry: Entry) -> Counted:
        """The hand that an entry holds."""
        return self.known.get(entry.sequence) or counted_from(entry.payload)

    def mark(self, number: int, marks: Marks) -> None:
        """What stands beside a hand from now on."""
        self.marks[number - 1] = marks

    def can_undo(self, entry: Entry, number: int | None = None, *, guarded: bool = False) -> None:
        """What this entry did can be undone."""
        self.undoable.append(Undoable(entry.sequence, entry.kind, number, guarded))


def logged(match: MatchRecord, entries: tuple[Entry, ...], tally: Tally) -> Log:
    """The log that a tally has come to."""
    return Log(
        match=match,
        rules=tally.rules,
        entries=entries,
        labels=tally.labels,
        begins=tally.begins,
        hands=tuple(map(tuple, tally.hands)),
        marks=tuple(tally.marks),
        undoable=tuple(tally.undoable),
        turned_at=tally.turned_at,
        scores=tuple(_scores(tally)),
        house=tally.house,
        ending=tally.ending,
        replacements=tuple(tally.replacements),
        checking_since=tally.checking_since,
        is_rematched=tally.is_rematched,
        rulings=tuple(tally.rulings),
    )


def _scores(tally: Tally) -> Iterable[tuple[int, ...]]:
    scores = tally.begins.carried or (0,) * len(tally.rules.settings.sides)
    yield scores
    for versions in tally.hands:
        scores = tuple(map(add, scores, (side.points for side in versions[-1].counted.sides)))
        yield scores


def with_hand(log: Log, entry: Entry) -> Log:
    """A new hand changes nothing of what stood, and is what comes most often: it is added without folding again."""
    counted = counted_from(entry.payload)
    points = (side.points for side in counted.sides)
    return replace(
        log,
        entries=(*log.entries, entry),
        hands=(*log.hands, (Version(entry, counted),)),
        marks=(*log.marks, Marks(remark=counted.said.remark)),
        undoable=(*log.undoable, Undoable(entry.sequence, entry.kind, counted.number)),
        turned_at=entry.sequence,
        scores=(*log.scores, tuple(map(add, log.scores[-1], points))),
    )
