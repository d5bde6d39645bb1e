"""What an ordinary visitor measures while a server is attacked, and matches that are dear to show."""

import json
import os
import secrets
import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path

from scorepad.matches import Pad
from scorepad.matches.access import MatchId, RequestId
from scorepad.matches.events import Labels
from scorepad.matches.file_format import encode
from scorepad.matches.projection import NewMatch
from scorepad.matches.transaction import Saved
from scorepad.storage import Storage
from tests.attack.served import Answer, Browser, Served
from tests.cookies import device_cookie
from tests.exported import export_file
from tests.hands_read import hand_of
from tests.matches.conftest import Table
from tests.web.playing import DEVICE, hand, side

CLIENTS = 8
MOST_MEMORY = 300
"""MB above the idle server, with its children."""
SIZE = 8 * 2**20 - 10_000
"""Bytes of the largest upload, with some room for the other parts of the form."""
OWNER = {"scorepad_device": device_cookie(DEVICE)}
"""The cookies of whoever owns the matches made here."""
FAR = NewMatch("classica", None, {"target": 500_000}, Labels(("Noi", "Loro"), (("", ""), ("", ""))))
NEVER = 60.0
"""Seconds, in place of the time of a request that was not answered."""


def owner(served: Served) -> Browser:
    """The browser of whoever owns the matches made here."""
    return Browser(served.port, cookies=dict(OWNER))


def request_for(path: str, cookies: dict[str, str] = OWNER) -> bytes:
    """What a browser sends to ask for a page, for whoever does not read the answer as one does."""
    pairs = "; ".join(f"{name}={value}" for name, value in cookies.items())
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {pairs}\r\n\r\n".encode()


def at_once(seconds: float = 1.0) -> float:
    """Seconds within which others must be answered: longer where other programs keep the processors
    busy already.
    """
    return seconds * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def upload(served: Served, file: bytes) -> Answer:
    """Import a file of matches through its page, from a new device."""
    return Browser(served.port).upload("/file", "/file", file)


def long_match(data: Path, hands: int = 140) -> MatchId:
    """A match of `DEVICE` with long notes: its log is a page of about 700 kB, since a quote takes
    five octets.
    """
    with Storage(data) as storage:
        pad = Pad(storage)
        saved = pad.actions.start(RequestId(secrets.token_hex(16)), DEVICE, FAR)
        assert isinstance(saved, Saved)
        table = Table(pad, saved.match, DEVICE)
        for number in range(hands):
            ours, theirs = side(150 + 5 * (number % 25), mixed=1), side(0, 5 * (number % 9))
            table.play(hand_of(hand(ours, theirs)), remark='"' * 980)
    return saved.match


def copies_of_match(pad: Pad) -> bytes:
    """A file of almost 8 MB with copies of the only match, each with an id and requests of its own."""
    exported = json.loads(export_file(pad))
    (match,) = exported["matches"]
    length = len(json.dumps(match, separators=(",", ":")))
    copies = []
    for _ in range((SIZE - 60_000) // (length + 200)):
        name = "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz") for _ in range(10))
        entries = [{**entry, "request": secrets.token_hex(16)} for entry in match["entries"]]
        copies.append({**match, "id": name, "entries": entries, "open_hand": None})
    return encode(exported["rulesets"], copies)


def fill(data: Path, files: int) -> None:
    """Import so many files with copies of a long match into a new data file, all of `DEVICE`."""
    original = data.with_name("original.db")
    long_match(original, hands=40)
    with Storage(original) as one, Storage(data) as many:
        for _ in range(files):
            Pad(many).imports.import_file(copies_of_match(Pad(one)), DEVICE)


def run_at_once(ask: Callable[[int], Answer]) -> Counter[int]:
    """Let each client ask once, all at the same time; how often each status was answered, 0 for no
    answer.
    """
    statuses: Counter[int] = Counter()

    def client(number: int) -> None:
        try:
            statuses[ask(number).status] += 1
        except (OSError, HTTPException):
            statuses[0] += 1

    threads = [threading.Thread(target=client, args=(number,)) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return statuses


@dataclass
class Visitor:
    """Asks for pages again and again, and keeps how long each took, and how much memory and how
    many connections the server had.
    """

    served: Served
    paths: tuple[str, ...] = ("/salute",)
    pause: float = 0.1
    cookies: dict[str, str] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    connections: list[int] = field(default_factory=list)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Ask until the block is left."""
        over = threading.Event()
        self._look()
        threads = [threading.Thread(target=self._ask, args=(path, over)) for path in self.paths]
        threads.append(threading.Thread(target=self._look_on, args=(over,)))
        for thread in threads:
            thread.start()
        time.sleep(0.3)
        try:
            yield
        finally:
            over.set()
            for thread in threads:
                thread.join()

    @property
    def memory_taken(self) -> float:
        """MB above the server before the attack, at most."""
        return max(self.memory) - self.memory[0]

    def _ask(self, path: str, over: threading.Event) -> None:
        while not over.is_set():
            began = time.perf_counter()
            try:
                Browser(self.served.port, cookies=dict(self.cookies)).ask("GET", path, timeout=20)
            except (OSError, HTTPException):
                self.seconds.append(NEVER)
            else:
                self.seconds.append(time.perf_counter() - began)
            over.wait(self.pause)

    def _look_on(self, over: threading.Event) -> None:
        while not over.wait(0.05):
            self._look()

    def _look(self) -> None:
        self.memory.append(self.served.memory())
        self.connections.append(self.served.connections())

    def figures(self) -> str:
        median, longest = statistics.median(self.seconds), max(self.seconds)
        return (
            f"{len(self.seconds)} pages, median {median * 1000:.0f} ms, at most {longest * 1000:.0f} ms; "
            f"memory {self.memory[0]:.0f} MB, at most {max(self.memory):.0f} MB; "
            f"at most {max(self.connections)} connections"
        )
