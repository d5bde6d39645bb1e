"""`scorepad serve` in a process of its own, and a program that asks it over the wire."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

BEGUN = {"variant": "classica", "names": ["Noi", "Loro"], "options": {"target": 500_000}}


@dataclass
class Answer:
    """An answer, and the seconds that it took."""

    status: int
    text: str
    headers: dict[str, str]
    seconds: float
    cookies: str
    """The cookies that came with it, as a browser brings them again."""

    @property
    def json(self) -> Any:
        return json.loads(self.text)


@dataclass
class Served:
    """A server on a data file; `before` is Python that its process runs first."""

    data: Path
    flags: tuple[str, ...] = ("--no-limits",)
    before: str = ""
    port: int = 0
    process: subprocess.Popen[str] | None = None
    complaints: list[str] = field(default_factory=list)

    def start(self) -> bool:
        """Whether it listens."""
        words = ["serve", *self.flags, "--port", str(self.port), "--data", str(self.data)]
        code = (
            f"{self.before}\nimport sys\nfrom scorepad.cli import main\nsys.exit(main({words!r}))"
        )
        with self.data.with_suffix(".log").open("a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=log, text=True
            )
        assert self.process.stdout is not None
        found = re.search(r"http://[\d.]+:(\d+)/", self.process.stdout.readline())
        if found:
            self.port = int(found[1])
        return found is not None

    def stop(self, how: signal.Signals = signal.SIGKILL) -> None:
        assert self.process is not None
        self.process.send_signal(how)
        self.process.communicate(timeout=20)

    @property
    def told(self) -> str:
        """What it said on standard error."""
        return self.data.with_suffix(".log").read_text(encoding="utf-8")

    def ask(
        self, method: str, path: str, body: Any = None, key: str = "", **headers: str
    ) -> Answer:
        headers |= {"Authorization": f"Bearer {key}"} if key else {}
        if body is not None and not isinstance(body, str):
            body, headers["Content-Type"] = json.dumps(body), "application/json"
        started = time.monotonic()
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=60)) as connection:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            text = answer.read().decode()
        cookies = "; ".join(
            each.partition(";")[0] for each in answer.headers.get_all("Set-Cookie", [])
        )
        return Answer(
            answer.status, text, dict(answer.getheaders()), time.monotonic() - started, cookies
        )


@contextmanager
def serving(data: Path, *flags: str, before: str = "") -> Iterator[Served]:
    served = Served(data, flags or ("--no-limits",), before)
    assert served.start(), served.told
    try:
        yield served
    finally:
        served.stop()
    assert "Traceback" not in served.told, served.told


@dataclass
class Match:
    """A match that a program began, and the points of the hands that were acknowledged."""

    served: Served
    id: str
    key: str
    acknowledged: list[int] = field(default_factory=list)

    @classmethod
    def begin(cls, served: Served) -> Match:
        told = served.ask("POST", "/api/v1/matches", BEGUN)
        assert told.status == 201, told.text
        return cls(served, told.json["match"]["id"], told.json["keys"]["write"])

    def save(self, points: int | None = None) -> Answer:
        """The coming hand, worth 5 more than the one before."""
        number = len(self.acknowledged) + 1
        points = 5 * number if points is None else points
        body = {"number": number, "sides": {"Noi": {"sum": points}, "Loro": {"sum": 0}}}
        answer = self.served.ask("POST", f"/api/v1/matches/{self.id}/hands", body, self.key)
        if answer.status == 201:
            self.acknowledged.append(points)
        return answer

    def hands(self) -> list[int] | None:
        """The points of its hands as the server tells them; None where it cannot."""
        answer = self.served.ask("GET", f"/api/v1/matches/{self.id}", key=self.key)
        return (
            [each["sides"]["Noi"]["hand"] for each in answer.json["hands"]]
            if answer.status == 200
            else None
        )


@dataclass
class Phone:
    """A browser with an address of its own: each 127.x.y.z is one of this machine. A cookie holds
    for every path.
    """

    served: Served
    address: str
    cookies: dict[str, str] = field(default_factory=dict)

    def ask(self, method: str, path: str, form: dict[str, str] | None = None) -> tuple[int, str]:
        """The status, and the page or where it leads."""
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        body = None
        if form is not None:
            body = urlencode(form)
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection = HTTPConnection(
            "127.0.0.1", self.served.port, timeout=60, source_address=(self.address, 0)
        )
        with closing(connection):
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            text = answer.read().decode()
        for cookie in answer.headers.get_all("Set-Cookie", []):
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer.status, answer.headers["Location"] or text

    def enter(self, path: str) -> int:
        """The status of the page to which this one leads at last."""
        status = 303
        for _ in range(5):
            status, path = self.ask("GET", path)
            if status != 303:
                break
        return status

    def token(self) -> str:
        found = re.search(r'name="csrf_token"[^>]* value="([^"]+)"', self.ask("GET", "/entra")[1])
        assert found
        return found[1]
