"""Eight phones at once on the real server, over the network: nothing lost, nothing twice, nobody
turned away.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from scorepad.app import signing_key
from scorepad.matches import Pad
from scorepad.matches.access import DeviceId, MatchId
from scorepad.matches.projection import MatchState
from scorepad.matches.transaction import Saved
from scorepad.storage import Storage
from scorepad.storage.rows import hash_device_id
from tests.cli.running import serving
from tests.web.phones_at_once import (
    FAR,
    Phone,
    at_once,
    fields_of_hand,
    hidden_fields,
    points_of_hand,
)
from tests.web.playing import new_request


@dataclass
class Table:
    """The data file behind the server, and phones that may write."""

    data: Path
    port: int
    opened: list[Phone] = field(default_factory=list)

    def phone(self, device: DeviceId, **cookies: str) -> Phone:
        phone = Phone(self.port, device, signing_key(self.data), cookies)
        self.opened.append(phone)
        return phone

    def phones(self, count: int) -> list[Phone]:
        return [self.phone(DeviceId(secrets.token_urlsafe(24))) for _ in range(count)]

    def begin_match(self, *phones: Phone) -> MatchId:
        """Begin a match that the first phone owns and the others may write to."""
        owner, *others = phones
        with Storage(self.data) as storage:
            saved = Pad(storage).actions.start(new_request(), owner.device, FAR)
            assert isinstance(saved, Saved)
            with storage.writing() as rows:
                for phone in others:
                    stored_device = hash_device_id(phone.device)
                    rows.grant(saved.match, stored_device, "write", datetime.now(UTC))
        return saved.match

    def state(self, match: MatchId, phone: Phone) -> MatchState:
        """The match as it is in the file."""
        with Storage(self.data) as storage:
            return Pad(storage).state(match, phone.device)

    def points(self, match: MatchId, phone: Phone) -> list[list[int]]:
        """The points of each hand in the file, by side."""
        hands = self.state(match, phone).hands
        return [[side.hand for side in hand.sides] for hand in hands]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with serving(tmp_path) as served:
        made = Table(tmp_path / "x.db", served.port)
        yield made
        for phone in made.opened:
            phone.connection.close()
        served.process.terminate()
        _, server_log = served.process.communicate()
    assert not re.search("ERROR|Traceback", server_log), server_log


@pytest.mark.parametrize("hands", [6, pytest.param(50, marks=pytest.mark.full)])
def test_eight_phones_in_one_match_lose_no_hand_and_double_none(table: Table, hands: int) -> None:
    phones = table.phones(8)
    match = table.begin_match(*phones)
    acknowledged: dict[int, list[int]] = {}

    def play(phone_number: int) -> None:
        """Count every hand that no other phone was quicker to count."""
        phone = phones[phone_number]
        typed_hand = phone_number
        form = phone.form(match)
        while int(form["number"]) <= hands:
            answer = phone.save(match, form, typed_hand)
            assert answer.status in (303, 409), answer.text[:1000]
            if answer.status == 303:
                hand_number = int(form["number"])
                assert hand_number not in acknowledged
                acknowledged[hand_number] = points_of_hand(typed_hand)
            typed_hand += len(phones)  # no two phones ever type the same
            form = phone.form(match)

    at_once(play, len(phones))

    assert sorted(acknowledged) == list(range(1, hands + 1))
    points_in_order = [points for _, points in sorted(acknowledged.items())]
    assert table.points(match, phones[0]) == points_in_order


def test_eight_who_count_the_same_hand_alike_are_all_told_that_it_stands(table: Table) -> None:
    phones = table.phones(8)
    match = table.begin_match(*phones)
    forms = [phone.form(match) for phone in phones]

    answers = at_once(lambda number: phones[number].save(match, forms[number], 7), 8)

    assert [answer.status for answer in answers] == [303] * 8
    assert table.points(match, phones[0]) == [points_of_hand(7)]


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("page", "action", "typed", "hands_after"),
    [
        ("/smazzata", "/smazzata", {**fields_of_hand(3), "do": "save"}, 3),
        ("/nomi", "/nomi", {"name-0": "Rossi", "name-1": "Verdi"}, 2),
        ("", "/annulla", {}, 1),
    ],
    ids=["a hand", "names", "an undo"],
)
def test_what_is_sent_ten_times_at_once_is_done_once(
    table: Table, page: str, action: str, typed: dict[str, str], hands_after: int
) -> None:
    (phone,) = table.phones(1)
    match = table.begin_match(phone)
    url = f"/partite/{match}"
    phone.save(match, phone.form(match), 1)
    phone.save(match, phone.form(match), 2)
    form = hidden_fields(phone.get(url + page)) | typed
    tabs = [table.phone(phone.device, **phone.cookies) for _ in range(10)]

    answers = at_once(lambda number: tabs[number].ask("POST", url + action, form), 10)

    assert [answer.status for answer in answers] == [303] * 10
    assert len(table.points(match, phone)) == hands_after
    assert table.state(match, phone).sequence == 4, "the start, two hands, and this"
