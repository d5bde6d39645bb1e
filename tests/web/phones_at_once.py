"""Phones that write to the same match at the same moment, on the real server over the network."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from html import unescape
from http.client import HTTPConnection
from typing import NamedTuple, TypeVar
from urllib.parse import urlencode

from scorepad.matches.access import DeviceId, MatchId
from scorepad.matches.events import Labels
from scorepad.matches.projection import NewMatch
from tests.cookies import device_cookie

MATCH_TO_500_000 = NewMatch(
    variant="classica",
    preset=None,
    options={"target": 500_000},
    labels=Labels(names=("Noi", "Loro"), players=(("", ""), ("", ""))),
)
"""A match whose target is so far that no test reaches it."""
HIDDEN_FIELD = re.compile(r'<input (?=[^>]*type="hidden")(?=[^>]*name="(\w+)")[^>]*value="([^"]*)"')
Result = TypeVar("Result")


class Answer(NamedTuple):
    status: int
    text: str
    location: str
    """Where a redirect leads; empty if it is none."""


@dataclass
class Phone:
    """A browser without JavaScript on a connection of its own."""

    port: int
    device: DeviceId
    key: bytes
    cookies: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.cookies["scorepad_device"] = device_cookie(self.device, self.key)
        self.connection = HTTPConnection("127.0.0.1", self.port, timeout=60)

    def get(self, path: str) -> str:
        """The text of a page."""
        answer = self.ask("GET", path)
        assert answer.status == 200, (answer.status, answer.text[:500])
        return answer.text

    def ask(self, method: str, path: str, fields: dict[str, str] | None = None) -> Answer:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers = {"Cookie": cookies, "Content-Type": "application/x-www-form-urlencoded"}
        body = None if fields is None else urlencode(fields)
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        for set_cookie in answer.headers.get_all("Set-Cookie", []):
            name, _, value = set_cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return Answer(answer.status, answer.read().decode(), answer.headers.get("Location", ""))

    def form(self, match: MatchId) -> dict[str, str]:
        """The hidden fields of the form of the coming hand."""
        fields = hidden_fields(self.get(f"/partite/{match}/smazzata"))
        assert {"csrf_token", "request_id", "hand", "version", "number"} <= set(fields)
        return fields

    def save(self, match: MatchId, form: dict[str, str], number: int) -> Answer:
        """Send the form with the hand of this number typed in."""
        sent = {**form, **fields_of_hand(number), "do": "save"}
        answer = self.ask("POST", f"/partite/{match}/smazzata", sent)
        if answer.status == 303:
            assert answer.location == f"/partite/{match}"
        return answer


def hidden_fields(page: str) -> dict[str, str]:
    return {name: unescape(value) for name, value in HIDDEN_FIELD.findall(page)}


def fields_of_hand(number: int) -> dict[str, str]:
    """What is typed for a hand like no other of the first 400: see `points_of_hand`."""
    return {
        "a.canastas.mixed-canasta": "1",
        "a.cards": str(150 + 5 * (number % 25)),
        "a.left": "0",
        "b.cards": "0",
        "b.left": str(5 * (number // 25)),
        "out": "nobody",
    }


def points_of_hand(number: int) -> list[int]:
    """300 for the canasta and the points of the cards; what is left in hand counts against."""
    return [300 + 150 + 5 * (number % 25), -5 * (number // 25)]


def at_once(work: Callable[[int], Result], count: int = 8) -> list[Result]:
    """Call it with 0, 1, 2 and so on at the same moment; the results in this order."""
    barrier = threading.Barrier(count)

    def wait_and_work(number: int) -> Result:
        barrier.wait()
        return work(number)

    with ThreadPoolExecutor(count) as threads:
        return list(threads.map(wait_and_work, range(count)))
