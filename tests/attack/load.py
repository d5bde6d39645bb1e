"""A real server to attack: its process, its memory, and what an ordinary visitor measures
meanwhile.
"""

from __future__ import annotations

import os
import re
import secrets
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path

from scorepad.app import key_path
from scorepad.matches import Pad
from scorepad.matches.access import MatchId, RequestId
from scorepad.matches.events import Labels
from scorepad.matches.hands import SentHand, ShownDraft
from scorepad.matches.projection import NewMatch
from scorepad.matches.transaction import Saved
from scorepad.storage import Storage
from tests.cookies import KEY, device_cookie
from tests.hands_read import hand_of
from tests.web.playing import DEVICE, hand, side

OWNER = {"Cookie": f"scorepad_device={device_cookie(DEVICE)}"}
"""The headers of whoever owns the matches made here."""
FAR = NewMatch("classica", None, {"target": 500_000}, Labels(("Noi", "Loro"), (("", ""), ("", ""))))
NEVER = 60.0
"""Seconds, in place of the time of a request that was not answered."""


def at_once(seconds: float = 1.0) -> float:
    """Seconds within which others must be answered: longer where other programs keep the processors
    busy already.
    """
    return seconds * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


@dataclass(frozen=True)
class Served:
    """A running server: its process, its port and its data file."""

    process: subprocess.Popen[str]
    port: int
    data: Path

    def memory(self) -> float:
        """The resident memory of the process in MB; 0 once it has ended."""
        return self._status("VmRSS") / 1024

    def _status(self, name: str) -> int:
        status = Path(f"/proc/{self.process.pid}/status").read_text("ascii")
        found = re.search(rf"{name}:\s+(\d+) kB", status)
        return int(found[1]) if found else 0

    def connections(self) -> int:
        """How many connections the server has open: its sockets, but for the one that listens."""
        found = 0
        for each in Path(f"/proc/{self.process.pid}/fd").iterdir():
            with suppress(OSError):  # closed just now
                found += str(each.readlink()).startswith("socket:")
        return found - 1

    def get(
        self, path: str, headers: dict[str, str] | None = None, timeout: float = 20
    ) -> tuple[int, bytes, dict[str, str]]:
        """Status, body and headers of a page, on a connection of its own."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request("GET", path, headers=headers or {})
            answer = connection.getresponse()
            return answer.status, answer.read(), dict(answer.getheaders())
        finally:
            connection.close()


@contextmanager
def serving(folder: Path, *options: str, patience: float | None = None) -> Iterator[Served]:
    """`scorepad serve` in a process of its own; `patience` are seconds in place of the usual 30."""
    data = folder / "scorepad.db"
    key_path(data).write_bytes(KEY)
    start = "import sys; from scorepad.app import timeouts; from scorepad.cli import main; "
    lowered = "" if patience is None else f"timeouts.STALL_TIMEOUT = {patience}; "
    command = [
        sys.executable,
        "-uc",
        f"{start}{lowered}main(sys.argv[1:])",
        "serve",
        "--port",
        "0",
        *options,
    ]
    process = subprocess.Popen(
        [*command, "--no-limits", "--data", str(data)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S*:(\d+)/", process.stdout.readline())
        assert found
        yield Served(process, int(found[1]), data)
    finally:
        process.terminate()
        process.communicate(timeout=20)


def upload(served: Served, file: bytes, browser: Mapping[str, str] = OWNER) -> tuple[int, str]:
    """Import a file through its page: the status and the text of the answer."""
    _, page, headers = served.get("/file", dict(browser))
    session = headers["Set-Cookie"].partition(";")[0]
    hidden = re.findall(r'<input[^>]*name="(\w+)"[^>]*value="([^"]*)"', page.decode())
    parts = ""
    for name, value in hidden:
        parts += f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
    parts += '--b\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n'
    sent = {
        "Cookie": "; ".join([*browser.values(), session]),
        "Content-Type": "multipart/form-data; boundary=b",
    }
    connection = HTTPConnection("127.0.0.1", served.port, timeout=120)
    try:
        connection.request("POST", "/file", parts.encode() + file + b"\r\n--b--\r\n", sent)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def long_match(data: Path, hands: int = 140) -> MatchId:
    """A match of `DEVICE` with long notes: its log is a page of about 700 kB, since a quote takes
    five octets.
    """
    with Storage(data) as storage:
        pad = Pad(storage)
        saved = pad.actions.start(request(), DEVICE, FAR)
        assert isinstance(saved, Saved)
        for number in range(hands):
            coming = pad.open(saved.match, DEVICE)
            said = {"remark": '"' * 980}
            played = hand_of(
                hand(side(150 + 5 * (number % 25), mixed=1), side(0, 5 * (number % 9)))
            )
            assert isinstance(
                pad.count(
                    request(),
                    saved.match,
                    DEVICE,
                    ShownDraft(coming.id, coming.version),
                    SentHand(hand=played, draft={}, **said),
                ),
                Saved,
            )
    return saved.match


def request() -> RequestId:
    return RequestId(secrets.token_hex(16))


@dataclass
class Visitor:
    """Asks for pages again and again, and keeps how long each took and how much memory the server
    had.
    """

    served: Served
    paths: tuple[str, ...]
    pause: float = 0.1
    headers: dict[str, str] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    connections: list[int] = field(default_factory=list)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Ask until the block is left."""
        over = threading.Event()
        threads = [threading.Thread(target=self._ask, args=(path, over)) for path in self.paths]
        threads.append(threading.Thread(target=self._look, args=(over,)))
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            over.set()
            for thread in threads:
                thread.join()

    def _ask(self, path: str, over: threading.Event) -> None:
        while not over.is_set():
            began = time.perf_counter()
            try:
                self.served.get(path, self.headers)
            except OSError:
                self.seconds.append(NEVER)
            else:
                self.seconds.append(time.perf_counter() - began)
            over.wait(self.pause)

    def _look(self, over: threading.Event) -> None:
        while not over.wait(0.1):
            self.memory.append(self.served.memory())
            self.connections.append(self.served.connections())

    def figures(self) -> str:
        median, longest = statistics.median(self.seconds), max(self.seconds)
        return (
            f"{len(self.seconds)} pages, median {median * 1000:.0f} ms, at most {longest * 1000:.0f} ms; "
            f"memory {self.memory[0]:.0f} MB, at most {max(self.memory):.0f} MB; "
            f"at most {max(self.connections)} connections"
        )
