"""`scorepad serve` in a process of its own, and browsers and programs that ask it over the wire."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from scorepad.app import key_path
from tests.attack.processes import resident
from tests.cookies import KEY

BEGUN = {"variant": "classica", "names": ["Noi", "Loro"], "options": {"target": 500_000}}
HIDDEN = re.compile(r'<input (?=[^>]*type="hidden")(?=[^>]*name="([\w-]+)")[^>]*value="([^"]*)"')


@dataclass
class Answer:
    """An answer, with its headers as they came, and the seconds that it took."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes
    seconds: float

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    def header(self, name: str) -> str:
        for each, value in self.headers:
            if each.lower() == name.lower():
                return value
        return ""


@dataclass
class Browser:
    """A browser that keeps its cookies, whichever path they are for.

    `address` is where it asks from: each 127.x.y.z is one of this machine. `host` is the name under
    which it asks.
    """

    port: int
    address: str = "127.0.0.1"
    host: str = ""
    cookies: dict[str, str] = field(default_factory=dict)

    def ask(
        self, method: str, path: str, body: bytes | None = None, timeout: float = 120, **more: str
    ) -> Answer:
        """Ask on a connection of its own. In the names of further headers `_` stands for `-`."""
        headers = {"Host": self.host or f"localhost:{self.port}", "Connection": "close"}
        if self.cookies:
            pairs = [f"{name}={value}" for name, value in self.cookies.items()]
            headers["Cookie"] = "; ".join(pairs)
        for name, value in more.items():
            headers[name.replace("_", "-")] = value
        started = time.monotonic()
        connection = HTTPConnection(
            "127.0.0.1", self.port, timeout=timeout, source_address=(self.address, 0)
        )
        with closing(connection):
            connection.request(method, path, body, headers)
            came = connection.getresponse()
            content = came.read()
        for cookie in came.headers.get_all("Set-Cookie", []):
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return Answer(came.status, came.getheaders(), content, time.monotonic() - started)

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, **headers)

    def follow(self, path: str) -> Answer:
        """A page, or where it leads at last."""
        answer = self.get(path)
        for _ in range(5):
            if answer.status != 303:
                break
            answer = self.get(answer.header("Location"))
        return answer

    def hidden_fields(self, path: str) -> dict[str, str]:
        """The hidden fields of a page, such as the token against forgery."""
        return dict(HIDDEN.findall(self.get(path).text))

    def token(self, path: str = "/") -> str:
        return self.hidden_fields(path)["csrf_token"]

    def submit(self, path: str, fields: dict[str, str]) -> Answer:
        kind = "application/x-www-form-urlencoded"
        return self.ask("POST", path, urlencode(fields).encode(), Content_Type=kind)

    def upload(self, page: str, path: str, file: bytes) -> Answer:
        """Send a file by the form of a page."""
        body = parts_of(self.hidden_fields(page), file)
        return self.ask("POST", path, body, Content_Type="multipart/form-data; boundary=b")


def parts_of(fields: dict[str, str], file: bytes, name: str = "a.json") -> bytes:
    """The body of a form with a file, its parts divided by `b`."""
    parts = ""
    for field_name, value in fields.items():
        parts += f'--b\r\nContent-Disposition: form-data; name="{field_name}"\r\n\r\n{value}\r\n'
    parts += f'--b\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    return parts.encode() + file + b"\r\n--b--\r\n"


@dataclass
class Served:
    """A server on a data file; `before` is Python that its process runs first, `watcher` a command
    under which it runs.
    """

    data: Path
    flags: tuple[str, ...] = ()
    before: str = ""
    watcher: tuple[str, ...] = ()
    port: int = 0
    process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it, on the same port as before."""
        words = ["serve", *self.flags, "--port", str(self.port), "--data", str(self.data)]
        code = (
            f"{self.before}\nimport sys; from scorepad.cli import main; sys.exit(main({words!r}))"
        )
        with self._log.open("a", encoding="utf-8") as log:
            command = [*self.watcher, sys.executable, "-uc", code]
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        self.port = int(self.read_until(r"http://[\d.]+:(\d+)/"))

    def read_until(self, pattern: str) -> str:
        """The first group of the first line of its output in which this is found."""
        assert self.process is not None
        assert self.process.stdout is not None
        for line in self.process.stdout:
            found = re.search(pattern, line)
            if found:
                return found[1]
        raise AssertionError(self.said)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        assert self.process is not None
        self.process.send_signal(how)
        self.process.communicate(timeout=20)

    @property
    def _log(self) -> Path:
        return self.data.with_suffix(".log")

    @property
    def said(self) -> str:
        """What it said on standard error."""
        return self._log.read_text(encoding="utf-8")

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def memory(self) -> float:
        """MB of the server and its children."""
        return resident(self.pid)

    def connections(self) -> int:
        """How many connections the server has open: its sockets, but for the one that listens."""
        found = 0
        for each in Path(f"/proc/{self.pid}/fd").iterdir():
            with suppress(OSError):  # closed just now
                found += str(each.readlink()).startswith("socket:")
        return found - 1

    def get(self, path: str, **headers: str) -> Answer:
        return Browser(self.port).get(path, **headers)

    def ask(self, method: str, path: str, body: Any = None, key: str = "") -> Answer:
        """Ask as a program does that has a key."""
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        if body is None:
            return Browser(self.port).ask(method, path, **headers)
        content = json.dumps(body).encode()
        kind = "application/json"
        return Browser(self.port).ask(method, path, content, Content_Type=kind, **headers)


@contextmanager
def serving(data: Path, *flags: str, before: str = "") -> Iterator[Served]:
    """A server that signs the cookies of devices with `KEY`; without limits unless it has flags."""
    key_path(data).touch(0o600)
    key_path(data).write_bytes(KEY)
    served = Served(data, flags or ("--no-limits",), before)
    served.start()
    try:
        yield served
    finally:
        served.stop()
    assert "Traceback" not in served.said, served.said


@dataclass
class Match:
    """A match that a program began, and the points of the hands that were acknowledged."""

    served: Served
    id: str
    key: str
    acknowledged: list[int] = field(default_factory=list)

    @classmethod
    def begin(cls, served: Served, *names: str) -> Match:
        answer = served.ask("POST", "/api/v1/matches", {**BEGUN, "names": names or BEGUN["names"]})
        assert answer.status == 201, answer.text
        return cls(served, answer.json["match"]["id"], answer.json["keys"]["write"])

    @property
    def page(self) -> str:
        return f"/partite/{self.id}"

    def ask(self, method: str, path: str = "", body: Any = None) -> Answer:
        return self.served.ask(method, f"/api/v1/matches/{self.id}{path}", body, self.key)

    def save(self, points: int | None = None) -> Answer:
        """The coming hand, worth 5 more than the one before."""
        number = len(self.acknowledged) + 1
        points = 5 * number if points is None else points
        sides = {"Noi": {"sum": points}, "Loro": {"sum": 0}}
        answer = self.ask("POST", "/hands", {"number": number, "sides": sides})
        if answer.status == 201:
            self.acknowledged.append(points)
        return answer

    def hands(self) -> list[int]:
        """The points of its hands as the server tells them."""
        told = self.ask("GET").json
        return [hand["sides"]["Noi"]["hand"] for hand in told["hands"]]
