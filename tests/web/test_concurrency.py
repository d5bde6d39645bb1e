"""Eight phones at once on the real server, over the network: nothing lost, nothing twice, nobody
turned away.
"""

from __future__ import annotations

import re
import secrets
import threading
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
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers = {"Cookie": cookies, "Content-Type": "application/x-www-form-urlencoded"}
        body = None if fields is None else urlencode(fields)
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        for set_cookie in answer.headers.get_all("Set-Cookie", []):
            name, _, value = set_cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer.status, answer.read().decode(), answer.headers.get("Location", "")

    def form(self, match: MatchId) -> dict[str, str]:
        """The unseen fields of the coming hand's form."""
        page = self.get(f"/partite/{match}/smazzata")
        found = {name: unescape(value) for name, value in HIDDEN.findall(page)}
        assert {"csrf_token", "request_id", "hand", "version", "number"} <= set(found)
        return found

    def save(self, match: MatchId, form: dict[str, str], number: int) -> tuple[int, str, str]:
        """Send the form with the hand of this number typed in."""
        sent = {**form, **typed(number), "do": "save"}
        status, text, where = self.ask("POST", f"/partite/{match}/smazzata", sent)
        if status == 303:
            assert where == f"/partite/{match}"
        return status, text, where


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
    opened: list[Phone] = field(default_factory=list)

    def phone(self, device: DeviceId, **cookies: str) -> Phone:
        made = Phone(self.port, device, signing_key(self.data), cookies)
        self.opened.append(made)
        return made

    def phones(self, count: int = PHONES) -> list[Phone]:
        return [self.phone(DeviceId(secrets.token_urlsafe(24))) for _ in range(count)]

    def begin_match(self, *phones: Phone) -> MatchId:
        """Begin a match that the first phone owns and the others may write to."""
        owner, *others = phones
        request = RequestId(secrets.token_hex(8))
        with Storage(self.data) as storage:
            saved = Pad(storage).actions.start(request, owner.device, FAR)
            assert isinstance(saved, Saved)
            with storage.writing() as rows:
                for phone in others:
                    mark = hash_device_id(phone.device)
                    rows.grant(saved.match, mark, "write", datetime.now(UTC))
        return saved.match

    def state(self, match: MatchId, phone: Phone) -> MatchState:
        """The match as it is in the file."""
        with Storage(self.data) as storage:
            return Pad(storage).state(match, phone.device)

    def points(self, match: MatchId, phone: Phone) -> list[tuple[int, ...]]:
        """What the hands in the file are worth."""
        hands = self.state(match, phone).hands
        return [tuple(side.hand for side in hand.sides) for hand in hands]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with serving(tmp_path) as served:
        made = Table(tmp_path / "x.db", served.port)
        yield made
        for phone in made.opened:
            phone.connection.close()
        served.process.terminate()
        _, complaints = served.process.communicate()
    assert not re.search("ERROR|Traceback", complaints), complaints


def at_once(work: Callable[[int], Answer], count: int = PHONES) -> list[Answer]:
    """Do it so many times at the same moment; what each answered."""
    barrier = threading.Barrier(count)

    def wait_and_work(number: int) -> Answer:
        barrier.wait()
        return work(number)

    with ThreadPoolExecutor(count) as threads:
        return list(threads.map(wait_and_work, range(count)))


@pytest.mark.parametrize("hands", [6, pytest.param(50, marks=pytest.mark.full)])
def test_eight_phones_in_one_match_lose_no_hand_and_double_none(table: Table, hands: int) -> None:
    phones = table.phones()
    match = table.begin_match(*phones)
    acknowledged: dict[int, tuple[int, int]] = {}

    def play(number: int) -> None:
        """Count every hand that nobody else was quicker to count."""
        phone = phones[number]
        typed_hand = number
        form = phone.form(match)
        while int(form["number"]) <= hands:
            status, text, _ = phone.save(match, form, typed_hand)
            assert status in (303, 409), text[:1000]
            if status == 303:
                hand_number = int(form["number"])
                assert hand_number not in acknowledged
                acknowledged[hand_number] = worth(typed_hand)
            typed_hand += PHONES  # no two phones ever type the same
            form = phone.form(match)

    at_once(play)

    assert sorted(acknowledged) == list(range(1, hands + 1))
    assert table.points(match, phones[0]) == [points for _, points in sorted(acknowledged.items())]


def test_eight_who_count_the_same_hand_alike_are_all_told_that_it_stands(table: Table) -> None:
    phones = table.phones()
    match = table.begin_match(*phones)
    forms = [phone.form(match) for phone in phones]

    answers = at_once(lambda number: phones[number].save(match, forms[number], 7))

    assert {status for status, _, _ in answers} == {303}
    assert table.points(match, phones[0]) == [worth(7)]


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
    match = table.begin_match(phone)
    path = f"/partite/{match}"
    for number in (1, 2):
        phone.save(match, phone.form(match), number)
    form = dict(HIDDEN.findall(phone.get(path + page))) | more
    twins = [table.phone(phone.device, **phone.cookies) for _ in range(SENT_AT_ONCE)]

    answers = at_once(lambda number: twins[number].ask("POST", path + action, form), SENT_AT_ONCE)

    assert {status for status, _, _ in answers} == {303}
    assert len(table.points(match, phone)) == hands
    assert table.state(match, phone).sequence == 4
