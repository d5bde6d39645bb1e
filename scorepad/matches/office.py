"""Where the pad works: the data file, the clock and what was read before, for all its verbs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from scorepad.matches.answers import Saved, Stale
from scorepad.matches.desk import Clock, Desk, Sent, View, found_again, view
from scorepad.matches.errors import SentOtherwise
from scorepad.matches.kinds import EntryKind
from scorepad.matches.shelf import Shelf
from scorepad.matches.who import DeviceId, DeviceMark, MatchId
from scorepad.storage import Storage
from scorepad.storage.digests import known_as
from scorepad.storage.reading import Reading
from scorepad.storage.writing import Writing

Answer = TypeVar("Answer")


class Office:
    """The data file of a pad. Any number of threads may use one."""

    def __init__(self, storage: Storage, clock: Clock) -> None:
        self.storage = storage
        self.clock = clock
        self.shelf = Shelf()

    def view(self, match: MatchId, device: DeviceId, *, to_write: bool = False) -> View:
        """A match for a device. Raises MatchNotFound, NotAllowed."""
        with self.storage.reading() as rows:
            return view(rows, self.shelf, match, device, to_write=to_write)

    def look(self, rows: Reading, match: MatchId, device: DeviceId) -> View:
        """A match for a device, in a look at the file that has begun. Raises MatchNotFound."""
        return view(rows, self.shelf, match, device)

    def desk(self, rows: Writing, match: MatchId, device: DeviceId, content: str = "") -> Desk:
        """A match in a transaction, for a device that may write; `content` is a digest of what it sent.

        Raises MatchNotFound, NotAllowed.
        """
        seen = view(rows, self.shelf, match, device, to_write=True)
        return Desk(rows, seen, DeviceMark(known_as(device)), self.clock(), content)

    def submit(
        self, kind: EntryKind, sent: Sent, match: MatchId, act: Callable[[Desk], Answer]
    ) -> Answer | Saved | Stale:
        """Do what a form asks for, once: sent again, it answers what it answered first.

        Sent again with other content it is stale: what it asked for then stands, and is shown beside this.
        """
        with self.storage.writing() as rows:
            desk = self.desk(rows, match, sent.device, sent.content)
            try:
                return found_again(rows, self.shelf, sent, kind, match) or act(desk)
            except SentOtherwise:
                return desk.seen.stale
