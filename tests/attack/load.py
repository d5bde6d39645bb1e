"""A real server to attack, and what its other visitors and its memory show meanwhile."""

from __future__ import annotations

import json
import os
import re
import secrets
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPMessage
from pathlib import Path
from typing import Any

import psutil

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
CLIENTS = 8
NEVER = 60.0
"""Seconds, in place of the time of a request that was not answered."""
MOST_MEMORY = 300
"""MB above the idle server, with the processes that it starts."""


def at_once(seconds: float = 1.0) -> float:
    """Seconds within which others must be answered: longer where other programs keep the processors
    busy already.
    """
    return seconds * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


@dataclass(frozen=True)
class Answer:
    """An answer, with its headers as they came."""

    status: int
    headers: HTTPMessage
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Served:
    """A running server: its process, its port and its data file."""

    process: subprocess.Popen[str]
    port: int
    data: Path

    def memory(self) -> float:
        """The resident memory of the process and of those that it started, in MB."""
        octets = 0
        with suppress(psutil.NoSuchProcess):
            server = psutil.Process(self.process.pid)
            for each in (server, *server.children()):
                with suppress(psutil.NoSuchProcess):  # ended meanwhile
                    octets += each.memory_info().rss
        return octets / 2**20

    def connections(self) -> int:
        """How many connections the server has open: its sockets, but for the one that listens."""
        found = 0
        for each in Path(f"/proc/{self.process.pid}/fd").iterdir():
            with suppress(OSError):  # closed just now
                found += str(each.readlink()).startswith("socket:")
        return found - 1

    def ask(
        self,
        method: str,
        path: str,
        headers: Mapping[str, str],
        body: bytes | None = None,
        timeout: float = 120,
    ) -> Answer:
        """The answer to a request on a connection of its own."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, path, body, dict(headers))
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())
        finally:
            connection.close()

    def get(
        self, path: str, headers: Mapping[str, str] | None = None, timeout: float = 20
    ) -> Answer:
        return self.ask("GET", path, headers or {}, timeout=timeout)

    def call(self, method: str, path: str, body: object = None, key: str = "") -> Answer:
        """The answer to what a program asks in JSON."""
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}
        return self.ask(method, f"/api/v1{path}", headers, json.dumps(body).encode())

    def upload(self, file: bytes, browser: Mapping[str, str] = OWNER, at: str = "/file") -> Answer:
        """Import a file through the form of a page."""
        headers, body = self.form_with(file, browser, at)
        return self.ask("POST", at, headers, body)

    def form_with(
        self, file: bytes, browser: Mapping[str, str] = OWNER, at: str = "/file"
    ) -> tuple[dict[str, str], bytes]:
        """The headers and the body of a page's form with a file in it."""
        page = self.get(at, browser)
        body = b""
        for name, value in re.findall(rb'<input[^>]*name="(\w+)"[^>]*value="([^"]*)"', page.body):
            body += b'--b\r\nContent-Disposition: form-data; name="%b"\r\n\r\n%b\r\n' % (
                name,
                value,
            )
        body += b'--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
        cookies = [*browser.values(), *cookies_of(page)]
        headers = {
            "Cookie": "; ".join(cookies),
            "Content-Type": "multipart/form-data; boundary=b",
        }
        return headers, body + file + b"\r\n--b--\r\n"


def cookies_of(answer: Answer) -> list[str]:
    """The cookies that came with an answer, as a browser brings them again."""
    lines = answer.headers.get_all("Set-Cookie", [])
    return [line.partition(";")[0] for line in lines]


@contextmanager
def serving(folder: Path, *options: str, patience: float = 30) -> Iterator[Served]:
    """`scorepad serve` in a process of its own; `patience` are the seconds for which it waits for
    a client that does not go on.
    """
    data = folder / "scorepad.db"
    key_path(data).write_bytes(KEY)
    code = f"""
import sys
from scorepad.app import timeouts
from scorepad.cli import main
timeouts.STALL_TIMEOUT = {patience}
main(sys.argv[1:])
"""
    command = [sys.executable, "-uc", code, "serve", "--port", "0", "--no-limits"]
    command += [*options, "--data", str(data)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S*:(\d+)/", process.stdout.readline())
        assert found
        yield Served(process, int(found[1]), data)
    finally:
        process.terminate()
        process.communicate(timeout=20)


def long_match(data: Path, hands: int = 140) -> MatchId:
    """A match of `DEVICE` with long notes: its log is a page of about 700 kB, since a quote takes
    five octets.
    """
    with Storage(data) as storage:
        pad = Pad(storage)
        saved = pad.actions.start(RequestId(secrets.token_hex(16)), DEVICE, FAR)
        assert isinstance(saved, Saved)
        for number in range(hands):
            coming = pad.open(saved.match, DEVICE)
            played = hand_of(
                hand(side(150 + 5 * (number % 25), mixed=1), side(0, 5 * (number % 9)))
            )
            pad.count(
                RequestId(secrets.token_hex(16)),
                saved.match,
                DEVICE,
                ShownDraft(coming.id, coming.version),
                SentHand(hand=played, draft={}, remark='"' * 980),
            )
    return saved.match


@dataclass
class Visitor:
    """Asks for pages again and again, and keeps how long each took and how much memory the server
    had.
    """

    served: Served
    paths: tuple[str, ...] = ("/salute",)
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
        self.memory.append(self.served.memory())
        for thread in threads:
            thread.start()
        try:
            time.sleep(0.3)
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
        while not over.wait(0.03):
            self.memory.append(self.served.memory())
            self.connections.append(self.served.connections())

    def was_not_disturbed(
        self, what: str, limit: float = 0.0, most_memory: float = MOST_MEMORY
    ) -> None:
        """Every page was answered at once, and the server took no more memory than it may."""
        longest, above = max(self.seconds), max(self.memory) - self.memory[0]
        print(
            f"\n{what}: {len(self.seconds)} pages, median {statistics.median(self.seconds):.3f} s, "
            f"at most {longest:.2f} s; +{above:.0f} MB; at most {max(self.connections)} connections"
        )
        assert longest < max(limit, at_once())
        assert above < most_memory


def statuses_of(ask: Callable[[int], int], seconds: float = 0.0) -> Counter[int]:
    """What eight clients are answered who all ask at once: each once, or for so many seconds."""
    told: Counter[int] = Counter()
    until = time.monotonic() + seconds

    def client(number: int) -> None:
        told[ask(number)] += 1
        while time.monotonic() < until:
            told[ask(number)] += 1

    threads = [threading.Thread(target=client, args=(number,)) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return told
