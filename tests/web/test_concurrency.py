"""Eight phones at once on the real server, over the network: nothing lost, nothing twice, nobody
turned away.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http import HTTPStatus
from itertools import count
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
    MATCH_TO_500_000,
    Phone,
    at_once,
    fields_of_hand,
    hidden_fields,
    points_of_hand,
)
from tests.web.playing import new_request


@dataclass
class RunningServer:
    """A running server, its data file, and the phones that are connected to it."""

    data: Path
    port: int
    connected_phones: list[Phone] = field(default_factory=list)

    def connect_phone(self, device: DeviceId, **cookies: str) -> Phone:
        """Connect a phone that is known as this device and has these cookies."""
        phone = Phone(self.port, device, signing_key(self.data), cookies)
        self.connected_phones.append(phone)
        return phone

    def connect_new_phones(self, count: int) -> list[Phone]:
        return [self.connect_phone(DeviceId(secrets.token_urlsafe(24))) for _ in range(count)]

    def begin_match(self, *phones: Phone) -> MatchId:
        """Begin a match that the first phone owns and the others may write to. Returns its id."""
        owner, *others = phones
        with Storage(self.data) as storage:
            saved = Pad(storage).actions.start(new_request(), owner.device, MATCH_TO_500_000)
            assert isinstance(saved, Saved)

            # Instead of opening the link to the match, each phone is entered in the data file.
            with storage.writing() as rows:
                for phone in others:
                    stored_device = hash_device_id(phone.device)
                    rows.grant(saved.match, stored_device, "write", datetime.now(UTC))
        return saved.match

    def state(self, match: MatchId, phone: Phone) -> MatchState:
        """Read the match from the data file, which is opened beside the server."""
        with Storage(self.data) as storage:
            return Pad(storage).state(match, phone.device)

    def points(self, match: MatchId, phone: Phone) -> list[list[int]]:
        """Read the points of each stored hand, by side: `[[430, 60]]`."""
        hands = self.state(match, phone).hands
        return [[side.hand for side in hand.sides] for hand in hands]


@pytest.fixture
def running_server(tmp_path: Path) -> Iterator[RunningServer]:
    """Start a server in a process of its own. In the end its log must have no error."""
    with serving(tmp_path) as served:
        running_server = RunningServer(tmp_path / "x.db", served.port)
        yield running_server

        for phone in running_server.connected_phones:
            phone.connection.close()
        served.process.terminate()
        _, server_log = served.process.communicate()

    assert not re.search("ERROR|Traceback", server_log), server_log


@pytest.mark.parametrize("hands", [6, pytest.param(50, marks=pytest.mark.full)])
def test_hands_saved_by_eight_phones_at_once_are_stored_once_each(
    running_server: RunningServer, hands: int
) -> None:
    phones = running_server.connect_new_phones(8)
    match = running_server.begin_match(*phones)
    acknowledged_points: dict[int, list[int]] = {}  # by the number of the hand in the match

    def save_hands(phone_number: int) -> None:
        """Save one hand after the other on a phone, until the match has enough hands of all."""
        phone = phones[phone_number]
        form = phone.form(match)

        # Phone 0 types the hands 0, 8, 16 and so on, phone 1 the hands 1, 9, 17: all of them differ.
        for typed_hand in count(start=phone_number, step=8):
            hand_number = int(form["number"])
            if hand_number > hands:
                return

            answer = phone.save(match, form, typed_hand)
            if answer.status == HTTPStatus.SEE_OTHER:
                # The server says that it has saved the hand. No other phone was told so.
                assert hand_number not in acknowledged_points
                acknowledged_points[hand_number] = points_of_hand(typed_hand)
            else:
                # Another phone has saved the hand of this number meanwhile.
                assert answer.status == HTTPStatus.CONFLICT, answer.text[:1000]

            form = phone.form(match)

    at_once(save_hands, count=8)

    # Exactly the acknowledged hands are stored, in their order.
    assert len(acknowledged_points) == hands
    expected_points = [acknowledged_points[number] for number in range(1, hands + 1)]
    assert running_server.points(match, phones[0]) == expected_points


def test_same_hand_saved_by_eight_phones_is_stored_once(running_server: RunningServer) -> None:
    # All eight phones have the form of the first hand open.
    phones = running_server.connect_new_phones(8)
    match = running_server.begin_match(*phones)
    forms = [phone.form(match) for phone in phones]

    # All type the same, which is number 7 of the hands that `points_of_hand` knows.
    def save_hand(phone_number: int) -> int:
        """Save the hand on a phone. Returns the status of the answer."""
        answer = phones[phone_number].save(match, forms[phone_number], 7)
        return answer.status

    statuses = at_once(save_hand, 8)

    # The others are not told of a conflict, because what they sent is saved.
    assert statuses == [303] * 8
    assert running_server.points(match, phones[0]) == [points_of_hand(7)]


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("page", "action", "typed", "expected_hands"),
    [
        ("/smazzata", "/smazzata", {**fields_of_hand(3), "do": "save"}, 3),
        ("/nomi", "/nomi", {"name-0": "Rossi", "name-1": "Verdi"}, 2),
        ("", "/annulla", {}, 1),
    ],
    ids=["a hand", "names", "an undo"],
)
def test_form_sent_ten_times_at_once_takes_effect_once(
    running_server: RunningServer,
    page: str,
    action: str,
    typed: dict[str, str],
    expected_hands: int,
) -> None:
    # A phone saves two hands. Then it opens a form: of the third hand, of the names of the sides,
    # or the page of the match with the button that undoes the second hand.
    phone = running_server.connect_new_phones(1)[0]
    match = running_server.begin_match(phone)
    url = f"/partite/{match}"
    phone.save(match, phone.form(match), 1)
    phone.save(match, phone.form(match), 2)
    form = hidden_fields(phone.get(url + page)) | typed

    # The same form is sent on ten connections at the same moment.
    connections = [running_server.connect_phone(phone.device, **phone.cookies) for _ in range(10)]

    def send_form(number: int) -> int:
        """Send the form on one of the connections. Returns the status of the answer."""
        return connections[number].ask("POST", url + action, form).status

    statuses = at_once(send_form, 10)

    assert statuses == [303] * 10
    assert len(running_server.points(match, phone)) == expected_hands
    entries_of_log = running_server.state(match, phone).sequence
    assert entries_of_log == 4  # the start, two hands, and this form
