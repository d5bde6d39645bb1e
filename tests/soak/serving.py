"""A pad served by a process of its own, that is killed and started again, and phones that save
hands in it.
"""

import os
import secrets
import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path

from scorepad.app import key_path
from scorepad.cli.data_file import MatchChecker
from scorepad.matches import Pad
from scorepad.matches.access import DeviceId, MatchId, RequestId
from scorepad.matches.transaction import Saved
from scorepad.storage import Storage
from scorepad.storage.doctor import CheckResult, examine
from tests.attack.processes import children_of
from tests.attack.served import Served
from tests.cookies import KEY
from tests.web.phones_at_once import MATCH_TO_500_000, Phone, points_of_hand

GONE = (OSError, HTTPException)
"""What a phone meets when the server goes while it asks."""
MOST = 350
"""Hands of one match: `typed` knows no more that differ."""


@dataclass
class Server(Served):
    """`scorepad serve` on a data file; `watcher` is the command that starts it and looks on."""

    flags: tuple[str, ...] = ("--no-limits",)

    def start(self) -> None:
        key_path(self.data).touch(0o600)
        key_path(self.data).write_bytes(KEY)
        super().start()

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End the server itself: what looks on goes with it."""
        for child in children_of(self.pid) if self.watcher else [self.pid]:
            os.kill(child, how)
        assert self.process is not None
        self.process.communicate(timeout=20)

    @contextmanager
    def running(self, how: signal.Signals = signal.SIGTERM) -> Iterator[None]:
        """A server that is there until the block is left, and goes as it is told."""
        self.start()
        try:
            yield
        finally:
            self.stop(how)
        assert "Traceback" not in self.said, self.said


@dataclass
class Scorer:
    """A phone that counts hand after hand in a match of its own, and keeps in mind what was
    acknowledged.
    """

    server: Server
    device: DeviceId = field(default_factory=lambda: DeviceId(secrets.token_urlsafe(24)))
    match: MatchId | None = None
    cookies: dict[str, str] = field(default_factory=dict)
    acknowledged: list[int] = field(default_factory=list)
    """The numbers of the hands of this match that were acknowledged."""
    acknowledged_before: int = 0
    """How many hands were, in the matches before."""
    sent: tuple[dict[str, str], int] | None = None
    """The form on its way, and the number of its hand: nobody knows whether it was saved."""
    again: int = 0

    def sit_down(self) -> None:
        """A new match. While no server runs, or beside it."""
        with Storage(self.server.data) as storage:
            saved = Pad(storage).actions.start(
                RequestId(secrets.token_hex(8)), self.device, MATCH_TO_500_000
            )
        assert isinstance(saved, Saved)
        self.acknowledged_before += len(self.acknowledged)
        self.match, self.acknowledged, self.sent = saved.match, [], None

    @property
    def address(self) -> MatchId:
        """The match that it sat down at."""
        assert self.match is not None
        return self.match

    def play(self, most: int = MOST) -> None:
        """Count hands until the server goes, or so many are counted."""
        phone = self._phone()
        with closing(phone.connection):
            try:
                while len(self.acknowledged) < most:
                    form = phone.form(self.address)
                    self.sent = (form, len(self.acknowledged))
                    self._send(phone)
            except GONE:
                pass

    def resend(self) -> None:
        """What was on its way when the server went is sent as it was: it counts once."""
        if self.sent is not None:
            phone = self._phone()
            with closing(phone.connection):
                self._send(phone)
            self.again += 1

    def check(self) -> None:
        """What the file holds: all that was acknowledged, in order, and besides at most what was on
        its way.
        """
        with Storage(self.server.data) as storage:
            hands = Pad(storage).state(self.address, self.device).hands
        kept = [[side.hand for side in hand.sides] for hand in hands]
        wanted = [points_of_hand(number) for number in self.acknowledged]
        more = [points_of_hand(self.sent[1])] if self.sent else []
        assert kept in (wanted, wanted + more), (kept[-3:], wanted[-3:], more)

    def _send(self, phone: Phone) -> None:
        assert self.sent is not None
        form, number = self.sent
        status, text, _ = phone.save(self.address, form, number)
        assert status == 303, (status, text[:800])
        self.acknowledged.append(number)
        self.sent = None

    def _phone(self) -> Phone:
        phone = Phone(self.server.port, self.device, KEY, self.cookies)
        phone.connection.timeout = 20
        return phone


def faults(data: Path) -> list[CheckResult]:
    """What `scorepad doctor` says against a file, read to the last row; a save cut short is none."""
    found = examine(data, MatchChecker().find_problem)
    return [finding for finding in found if not finding.is_good and finding.code != "journal-left"]
