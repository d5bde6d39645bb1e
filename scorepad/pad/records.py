"""What can be looked up of the matches played: the audit of one, its players, and matches by name.

Most of what it takes is read when it is first asked for: who starts the pad need not wait for it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from scorepad.pad.access import admit
from scorepad.pad.errors import MatchNotFound, UnknownEntry
from scorepad.pad.folding import fold
from scorepad.pad.kinds import EntryKind
from scorepad.pad.labels import spoken
from scorepad.pad.matches import list_matches
from scorepad.pad.office import Office
from scorepad.pad.payloads import undone_from
from scorepad.pad.recent import Recent
from scorepad.pad.values import MatchSummary
from scorepad.pad.who import DeviceId, MatchId
from scorepad.storage.digests import known_as
from scorepad.storage.errors import BrokenFile
from scorepad.storage.reading import Reading

if TYPE_CHECKING:
    from scorepad.pad.audit import Happening
    from scorepad.pad.careers import Player, Players
    from scorepad.pad.chronicles import Chronicle

MOST_KEPT = 8192
"""Matches that are remembered in brief."""


class Records:
    """Looks at what was played. Every verb sees only the matches that the device may see. StorageError passes through.

    Practice matches are in none of the lists.
    """

    def __init__(self, office: Office) -> None:
        self._office = office
        # Not the shelf: looking through all matches would put away those that are being played.
        self._kept: Recent[tuple[tuple[int, int, str], Chronicle]] = Recent(MOST_KEPT)

    def audit(self, match: MatchId, device: DeviceId) -> tuple[Happening, ...]:
        """Everything that was done in a match, in its order. Raises MatchNotFound."""
        from scorepad.pad.audit import doers
        from scorepad.pad.retelling import retell

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
        from scorepad.pad.careers import players_of

        chronicles, unread = self._all(device)
        return players_of(chronicles, unread)

    def player(self, device: DeviceId, name: str) -> Player | None:
        """What somebody of this name has played; None where nobody of that name did."""
        from scorepad.pad.careers import player_of

        chronicles, unread = self._all(device)
        return player_of(chronicles, name, unread)

    def search(self, device: DeviceId, wanted: str, *, finished: bool = True) -> tuple[MatchSummary, ...]:
        """The finished matches in whose names, of sides, players and place, every word of this is found; or the others.

        Neither accents nor capitals matter. The last one changed first.
        """
        with self._office.storage.reading() as rows:
            listed = list_matches(rows, device)
        words, among = _plain(wanted).split(), listed.finished if finished else listed.in_progress
        return tuple(match for match in among if _has(self._names(match, device), words))

    def place(self, match: MatchId, device: DeviceId) -> str:
        """Where a match is played; empty where nobody said, or it cannot be read."""
        told = self._chronicle(match, device)
        return told.place if told else ""

    # ------------------------------------------------------------------------------------------------ in brief

    def _names(self, match: MatchSummary, device: DeviceId) -> Iterator[str]:
        """Everybody and everything that a match may be looked for by."""
        yield from match.names
        for players in match.players:
            yield from players
        told = self._chronicle(match.id, device)
        if told is not None:
            yield told.place
            yield from (part.name for part in told.parts)

    def _all(self, device: DeviceId) -> tuple[list[Chronicle], int]:
        """The matches in brief, the last one changed first, and how many of them cannot be read."""
        with self._office.storage.reading() as rows:
            listed = list_matches(rows, device)
        summaries = sorted((*listed.in_progress, *listed.finished), key=lambda match: match.place, reverse=True)
        names = [*(match.id for match in summaries), *listed.garbled]
        found = [self._chronicle(name, device) for name in names]
        told = [chronicle for chronicle in found if chronicle is not None]
        return [chronicle for chronicle in told if not chronicle.practice], len(found) - len(told)

    def _chronicle(self, match: MatchId, device: DeviceId) -> Chronicle | None:
        """A match in brief; None where its log is garbled, or it went meanwhile."""
        try:
            with self._office.storage.reading() as rows:
                return self._read(rows, match, device)
        except (BrokenFile, UnknownEntry, MatchNotFound):
            return None

    def _read(self, rows: Reading, match: MatchId, device: DeviceId) -> Chronicle:
        from scorepad.pad.chronicles import chronicle_of

        record, _ = admit(rows, match, device)
        last, kept = rows.last_entry(match), self._kept.get(match)
        if kept is None or kept[0] != last:
            log = fold(record, rows.entries(match), self._office.shelf.rules_of(rows))
            kept = self._kept.put(match, (last, chronicle_of(log)))
        return kept[1]


def _has(names: Iterable[str], words: list[str]) -> bool:
    text = " ".join(_plain(name) for name in names)
    return all(word in text for word in words)


_APOSTROPHES = str.maketrans("’ʼ`", "'''")


def _plain(name: str) -> str:
    """A name without accents and capitals: what somebody types who looks for it."""
    apart = unicodedata.normalize("NFKD", spoken(name).translate(_APOSTROPHES))
    return "".join(letter for letter in apart if not unicodedata.combining(letter))
