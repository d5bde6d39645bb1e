"""Eight phones at once on the real server, over the network: nothing lost, nothing twice, nobody
turned away.
"""

from __future__ import annotations

import re
import secrets
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import unescape
from http.client import HTTPConnection
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlencode

import pytest

from scorepad.app import signing_key
from scorepad.matches import Pad
from scorepad.matches.access import DeviceId, MatchId, RequestId
from scorepad.matches.events import Labels
from scorepad.matches.projection import MatchState, NewMatch
from scorepad.matches.transaction import Saved
from scorepad.storage import Storage
from scorepad.storage.rows import hash_device_id
from tests.cli.running import serving
from tests.cookies import device_cookie

PHONES = 8
SENT_AT_ONCE = 10
FAR = NewMatch("classica", None, {"target": 500_000}, Labels(("Noi", "Loro"), (("", ""), ("", ""))))
HIDDEN = re.compile(r'<input (?=[^>]*type="hidden")(?=[^>]*name="(\w+)")[^>]*value="([^"]*)"')
Answer = TypeVar("Answer")


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
        status, text, _ = self.ask("GET", path)
        assert status == 200, (status, text[:500])
        return text

    def ask(
        self, method: str, path: str, fields: dict[str, str] | None = None
    ) -> tuple[int, str, str]:
        """Status, text, and where it leads."""
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if fields is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        self.connection.request(
            method, path, urlencode(fields) if fields is not None else None, headers
        )
        answer = self.connection.getresponse()
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie":
                cookie, _, content = value.partition(";")[0].partition("=")
                self.cookies[cookie] = content
        return answer.status, answer.read().decode(), answer.headers.get("Location", "")

    def form(self, match: MatchId) -> dict[str, str]:
        """The unseen fields of the coming hand's form."""
        page = self.get(f"/partite/{match}/smazzata")
        found = {name: unescape(value) for name, value in HIDDEN.findall(page)}
        assert {"csrf_token", "request_id", "hand", "version", "number"} <= set(found)
        return found

    def save(self, match: MatchId, form: dict[str, str], number: int) -> tuple[int, str, str]:
        """Send the form with the hand of this number typed in."""
        status, text, where = self.ask(
            "POST", f"/partite/{match}/smazzata", {**form, **typed(number), "do": "save"}
        )
        assert status != 303 or where == f"/partite/{match}", where
        return status, text, where

    def count(self, match: MatchId, number: int) -> int:
        """Count the coming hand; the status of the answer."""
        return self.save(match, self.form(match), number)[0]


def typed(number: int) -> dict[str, str]:
    """A hand like no other of the first 400: worth 450 and 5 more for each number, and −5 for every
    25.
    """
    return {
        "a.canastas.mixed-canasta": "1", "a.cards": str(150 + 5 * (number % 25)),
        "a.left": "0", "b.cards": "0",
        "b.left": str(5 * (number // 25)), "out": "nobody",
    }  # fmt: skip


def worth(number: int) -> tuple[int, int]:
    """300 for the canasta and the points of its cards; what is left in hand."""
    return 300 + 150 + 5 * (number % 25), -5 * (number // 25)


@dataclass
class Table:
    """The data file behind the server, and phones that may write."""

    data: Path
    port: int
    taken: list[Phone] = field(default_factory=list)

    def phones(self, count: int = PHONES) -> list[Phone]:
        made = [
            Phone(self.port, DeviceId(secrets.token_urlsafe(24)), signing_key(self.data))
            for _ in range(count)
        ]
        self.taken += made
        return made

    def twins(self, phone: Phone, count: int = SENT_AT_ONCE) -> list[Phone]:
        """The same phone on so many connections."""
        made = [
            Phone(self.port, phone.device, phone.key, dict(phone.cookies)) for _ in range(count)
        ]
        self.taken += made
        return made

    def match_of(self, *phones: Phone) -> MatchId:
        """A match that the first phone owns and the others may write to."""
        with Storage(self.data) as storage:
            saved = Pad(storage).actions.start(
                RequestId(secrets.token_hex(8)), phones[0].device, FAR
            )
            assert isinstance(saved, Saved)
            with storage.writing() as rows:
                for phone in phones[1:]:
                    rows.grant(
                        saved.match, hash_device_id(phone.device), "write", datetime.now(UTC)
                    )
        return saved.match

    def state(self, match: MatchId, phone: Phone) -> MatchState:
        """The match as it is in the file."""
        with Storage(self.data) as storage:
            return Pad(storage).state(match, phone.device)

    def kept(self, match: MatchId, phone: Phone) -> list[tuple[int, ...]]:
        """What the hands are worth that are in the file."""
        hands = self.state(match, phone).hands
        assert [hand.number for hand in hands] == list(range(1, len(hands) + 1))
        return [tuple(side.hand for side in hand.sides) for hand in hands]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with serving(tmp_path) as served:
        sat_down = Table(tmp_path / "x.db", served.port)
        yield sat_down
        for phone in sat_down.taken:
            phone.connection.close()
        served.process.terminate()
        _, complaints = served.process.communicate()
    assert not re.search("ERROR|Traceback", complaints), complaints


def at_once(work: Callable[[int], Answer], count: int = PHONES) -> list[Answer]:
    """Do it so many times at the same moment; what each answered."""
    ready = threading.Barrier(count)

    def go(number: int) -> Answer:
        ready.wait()
        return work(number)

    with ThreadPoolExecutor(count) as crowd:
        return list(crowd.map(go, range(count)))


@pytest.mark.parametrize("hands", [6, pytest.param(50, marks=pytest.mark.full)])
def test_eight_phones_in_one_match_lose_no_hand_and_double_none(table: Table, hands: int) -> None:
    phones = table.phones()
    match = table.match_of(*phones)

    def play(at: int) -> list[tuple[int, int]]:
        """Count every hand that nobody was quicker to count: its place, and what was typed."""
        mine: list[tuple[int, int]] = []
        tried = 0
        while (place := int((form := phones[at].form(match))["number"])) <= hands:
            what = PHONES * tried + at  # no two ever type the same
            status, text, _ = phones[at].save(match, form, what)
            assert status in (303, 409), text[:1000]
            mine += [(place, what)] if status == 303 else []
            tried += 1
        return mine

    acknowledged = dict(sorted(hand for mine in at_once(play) for hand in mine))
    assert list(acknowledged) == list(range(1, hands + 1))
    assert table.kept(match, phones[0]) == [worth(what) for what in acknowledged.values()]


def test_of_eight_who_count_the_same_hand_one_is_kept_and_seven_are_shown_what_is(
    table: Table,
) -> None:
    phones = table.phones()
    match = table.match_of(*phones)
    forms = [phone.form(match) for phone in phones]
    assert len({form["hand"] for form in forms}) == 1
    told = at_once(lambda at: phones[at].save(match, forms[at], at))
    assert Counter(status for status, _, _ in told) == {303: 1, 409: PHONES - 1}
    kept = next(at for at, (status, _, _) in enumerate(told) if status == 303)
    assert table.kept(match, phones[0]) == [worth(kept)]
    for at, (status, text, _) in enumerate(told):
        if status == 409:
            figures = re.findall(r"<bdi>([^<]*)</bdi>", text)
            assert [typed(kept)["a.cards"], typed(at)["a.cards"]] in (figures[:2], figures[2:4]), (
                figures
            )


def test_eight_who_count_the_same_hand_alike_are_all_told_that_it_stands(table: Table) -> None:
    phones = table.phones()
    match = table.match_of(*phones)
    forms = [phone.form(match) for phone in phones]
    told = at_once(lambda at: phones[at].save(match, forms[at], 7))
    assert [(status, where) for status, _, where in told] == [(303, f"/partite/{match}")] * PHONES
    assert table.kept(match, phones[0]) == [worth(7)]


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("page", "action", "more", "hands"),
    [
        ("/smazzata", "/smazzata", {**typed(3), "do": "save"}, 3),
        ("/nomi", "/nomi", {"name-0": "Rossi", "name-1": "Verdi"}, 2),
        ("", "/annulla", {}, 1),
    ],
    ids=["a hand", "names", "an undo"],
)
def test_what_is_sent_ten_times_at_once_is_done_once(
    table: Table, page: str, action: str, more: dict[str, str], hands: int
) -> None:
    (phone,) = table.phones(1)
    match = table.match_of(phone)
    path = f"/partite/{match}"
    assert [phone.count(match, number) for number in (1, 2)] == [303, 303]
    form = dict(HIDDEN.findall(phone.get(path + page))) | more
    again = table.twins(phone)
    told = at_once(lambda at: again[at].ask("POST", path + action, form), SENT_AT_ONCE)
    assert {status for status, _, _ in told} == {303}
    assert len(table.kept(match, phone)) == hands
    assert table.state(match, phone).sequence == 4
