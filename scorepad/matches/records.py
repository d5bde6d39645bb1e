"""What can be looked up of the matches played: the audit of one, its players, and matches by name.

Most of what it takes is read when it is first asked for: who starts the pad need not wait for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from scorepad.errors import NewerError
from scorepad.matches.access import admit, holder_of
from scorepad.matches.errors import MatchNotFound
from scorepad.matches.folding import fold
from scorepad.matches.kinds import EntryKind
from scorepad.matches.labels import spoken
from scorepad.matches.naming import has, is_named, labels_of, meant, names_in, plain, sitting
from scorepad.matches.office import Office
from scorepad.matches.payloads import Labels, undone_from
from scorepad.matches.recent import Recent
from scorepad.matches.values import MatchSummary
from scorepad.matches.who import DeviceId, MatchId
from scorepad.storage.digests import known_as
from scorepad.storage.errors import BrokenFile
from scorepad.storage.reading import LastEntry, Reading
from scorepad.storage.records import Kind

if TYPE_CHECKING:
    from scorepad.matches.audit import Happening
    from scorepad.matches.careers import Player, Players
    from scorepad.matches.chronicles import Chronicle

MOST_KEPT = 8192
"""Matches that are remembered in brief."""
_AT_ONCE = 500
"""Matches that are looked at together: a hundredth of a second."""
_COUNTED = (Kind.IN_PROGRESS, Kind.FINISHED)

_Seen = TypeVar("_Seen")
Look: TypeAlias = Callable[[Reading, Sequence[MatchId]], Iterable[_Seen]]


class Records:
    """Looks at what was played. Every verb sees only the matches that the device may see. StorageError passes through.

    Practice matches are in none of the lists.
    """

    def __init__(self, office: Office) -> None:
        self._office = office
        # Not the shelf: looking through all matches would put away those that are being played.
        self._kept: Recent[tuple[LastEntry, Chronicle]] = Recent(MOST_KEPT)

    def audit(self, match: MatchId, device: DeviceId) -> tuple[Happening, ...]:
        """Everything that was done in a match, in its order. Raises MatchNotFound."""
        from scorepad.matches.audit import doers
        from scorepad.matches.retelling import retell

        with self._office.storage.reading() as rows:
            log = self._office.look(rows, match, device).log
            seats = {grant.device: grant.side for grant in rows.grants(match)}
            told = doers(log.entries, rows.numbers(match), seats, known_as(device))
            return retell(log, self._office.shelf.rules_of(rows), told)

    def since(self, match: MatchId, device: DeviceId, seen: int) -> tuple[EntryKind, ...]:
        """What was done to a match after the entry of this sequence; for an undoing, of what. Raises MatchNotFound."""
        with self._office.storage.reading() as rows:
            log = self._office.look(rows, match, device).log
        later = (entry for entry in log.entries if entry.sequence > seen)
        return tuple(
            EntryKind(undone_from(entry.payload).kind if entry.kind == EntryKind.UNDO else entry.kind)
            for entry in later
        )

    def players(self, device: DeviceId) -> Players:
        """The names found in the matches, as they are written now and where somebody played under them before."""
        from scorepad.matches.careers import players_of

        look = partial(_by_match, labels_of)
        found = [self._played(match, labels, device) for match, labels in self._each(device, look, *_COUNTED)]
        told = [names for names in found if names is not None]
        return players_of(told, len(found) - len(told))

    def player(self, device: DeviceId, name: str) -> Player | None:
        """What somebody of this name has played; None where nobody of that name did."""
        from scorepad.matches.careers import player_of

        look = partial(_by_match, partial(is_named, spoken(name)))
        own = [match for match, is_own in self._each(device, look, *_COUNTED) if is_own]
        found = [self._chronicle(match, device) for match in own]
        told = [chronicle for chronicle in found if chronicle is not None]
        return player_of([each for each in told if not each.practice], name, len(found) - len(told))

    def search(self, device: DeviceId, wanted: str, *, finished: bool = True) -> tuple[MatchSummary, ...]:
        """The finished matches in whose names, of sides, players and place, every word of this is found; or the others.

        Neither accents nor capitals matter. The last one changed first.
        """
        words, kind = plain(wanted).split(), Kind.FINISHED if finished else Kind.IN_PROGRESS
        found = self._each(device, partial(meant, words), kind)
        return tuple(match for match, is_sure in found if is_sure or self._is_meant(match, words, device))

    def place(self, match: MatchId, device: DeviceId) -> str:
        """Where a match is played; empty where nobody said, or it cannot be read."""
        with suppress(BrokenFile, MatchNotFound), self._office.storage.reading() as rows:
            admit(rows, match, device)
            labels = labels_of(rows, match)
            if labels is not None:
                return labels.place
        told = self._chronicle(match, device)
        return told.place if told else ""

    # ------------------------------------------------------------------------------------------------ in brief

    def _each(self, device: DeviceId, look: Look[_Seen], *kinds: Kind) -> Iterator[_Seen]:
        """What is seen of the matches in these lists, the last one changed first.

        A few matches at a time, so that nobody who saves a hand waits for all of them.
        """
        with self._office.storage.reading() as rows:
            listed = sorted((each for kind in kinds for each in rows.listed(holder_of(device), kind)), reverse=True)
        for first in range(0, len(listed), _AT_ONCE):
            names = [MatchId(match) for _, match in listed[first : first + _AT_ONCE]]
            with self._office.storage.reading() as rows:
                seen = list(look(rows, names))
            yield from seen

    def _played(self, match: MatchId, labels: Labels | None, device: DeviceId) -> tuple[str, ...] | None:
        """Who played in a match, seat by seat: those who sit there, where nobody else ever did, else from its log."""
        if labels is not None:
            return sitting(labels)
        told = self._chronicle(match, device)
        return None if told is None else tuple(part.name for part in told.parts if not told.practice)

    def _is_meant(self, match: MatchSummary, words: list[str], device: DeviceId) -> bool:
        """Whether every word is found in the names of a match, those included that only its log tells."""
        told = self._chronicle(match.id, device)
        named = [] if told is None else [told.place, *(part.name for part in told.parts)]
        return has([*names_in(match), *named], words)

    def _chronicle(self, match: MatchId, device: DeviceId) -> Chronicle | None:
        """A match in brief; None where its log is garbled, or it went meanwhile."""
        try:
            with self._office.storage.reading() as rows:
                return self._read(rows, match, device)
        except (BrokenFile, NewerError, MatchNotFound):
            return None

    def _read(self, rows: Reading, match: MatchId, device: DeviceId) -> Chronicle | None:
        from scorepad.matches.chronicles import chronicle_of

        record, _ = admit(rows, match, device)
        last, kept = rows.last_entry(match), self._kept.get(match)
        if kept is None or kept[0] != last:
            entries = rows.entries(match)
            if not entries:
                return None
            log = fold(record, entries, self._office.shelf.rules_of(rows))
            kept = self._kept.put(match, (last, chronicle_of(log)))
        return kept[1]


def _by_match(
    look: Callable[[Reading, MatchId], _Seen], rows: Reading, matches: Sequence[MatchId]
) -> Iterator[tuple[MatchId, _Seen]]:
    """Each match and what is seen of it."""
    for match in matches:
        yield match, look(rows, match)
