"""A pad that the command serves, and browsers on real sockets that keep cookies."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode


@dataclass
class Answer:
    """An answer, with its headers as they came."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str:
        return next((value for key, value in self.headers if key.lower() == name.lower()), "")


@dataclass
class Browser:
    """A browser at a port of this machine."""

    port: int
    host: str = ""
    cookies: dict[str, str] = field(default_factory=dict)

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        told = {"Host": self.host or f"localhost:{self.port}", "Connection": "close"}
        if self.cookies:
            told["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        told |= {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            connection.request(method, path, body, told)
            came = connection.getresponse()
            answer = Answer(came.status, came.getheaders(), came.read())
        finally:
            connection.close()
        for name, value in answer.headers:
            if name.lower() == "set-cookie":
                cookie, _, content = value.partition(";")[0].partition("=")
                self.cookies[cookie] = content
        return answer

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, **headers)

    def follow(self, path: str) -> Answer:
        """A page, and where it leads."""
        answer = self.get(path)
        for _ in range(5):
            if answer.status != 303:
                break
            answer = self.get(answer.header("Location"))
        return answer

    def form(self, path: str, fields: dict[str, str], **headers: str) -> Answer:
        kind = {"Content_Type": "application/x-www-form-urlencoded"}
        return self.ask("POST", path, urlencode(fields).encode(), **kind, **headers)

    def token(self, path: str = "/") -> str:
        """The token against forgery on a page."""
        found = re.search(rb'name="csrf_token"[^>]* value="([^"]+)"', self.get(path).body)
        assert found, path
        return found[1].decode()


def begin(port: int, *names: str) -> tuple[str, dict[str, str]]:
    """A match that a program begins: its address, and its keys. Lone surrogates go as JSON writes
    them.
    """
    browser, body = Browser(port), {"variant": "classica", "names": list(names)}
    kind = {"Content_Type": "application/json"}
    answer = browser.ask("POST", "/api/v1/matches", json.dumps(body).encode(), **kind)
    if answer.status != 201:
        return "", {}
    told = json.loads(answer.body)
    return f"/partite/{told['match']['id']}", told["keys"]


@contextmanager
def served(folder: Path, *more: str) -> Iterator[tuple[int, str]]:
    """The port of a pad of its own, and the link that it printed; empty where it printed none."""
    command = [
        sys.executable,
        "-um",
        "scorepad",
        "serve",
        "--port",
        "0",
        "--no-limits",
        "--data",
        "x.db",
        *more,
    ]
    with (folder / "said").open("w") as said, (folder / "log").open("w") as log:
        server = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=said, stderr=log
        )
        try:
            for _ in range(200):
                text = (folder / "said").read_text("utf-8")
                found = re.search(r"http://127\.0\.0\.1:(\d+)/", text)
                link = re.search(r"(/casa/[a-z2-9]{26})\n", text)
                if found and (link or server.poll() is not None):
                    break
                try:
                    server.wait(0.05)
                except subprocess.TimeoutExpired:
                    continue
            assert found
            yield int(found[1]), link[1] if link else ""
        finally:
            server.terminate()
            server.wait(20)
