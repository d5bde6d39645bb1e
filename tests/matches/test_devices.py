"""Keys and devices: what opens a match, to whom, until when, and whose match it is."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from scorepad.matches.access import (
    ADMIN,
    Access,
    DeviceId,
    MatchNotFound,
    RequestId,
    as_admin,
)
from scorepad.matches.devices import MOST_VIEWERS, Devices
from scorepad.matches.events import Labels
from scorepad.matches.keys import (
    NO_KEYS,
    Keys,
    derive_view_key,
    digest_of,
    is_key,
    new_key,
)
from scorepad.matches.projection import NewMatch
from scorepad.storage.rows import hash_device_id
from tests.matches.conftest import PHONE, TABLET, Table, usual

LAPTOP, WATCH = DeviceId("laptop"), DeviceId("watch")
NEW = NewMatch("classica", None, {}, Labels(("Noi", "Loro"), (("", ""), ("", ""))))


class House(Table):
    """A match that the phone started, and its doors."""

    @property
    def doors(self) -> Devices:
        return self.pad.devices

    def access(self, device: DeviceId) -> Access:
        return self.pad.access(self.match, device)

    def holds(self, device: DeviceId, write: str = "", view: str = "") -> Keys:
        return self.doors.find_keys_to_show(self.match, device, Keys(write, view)).keys

    def renew(self, access: Access, known: Keys | None = None) -> Keys:
        """The owner makes a key anew, knowing these keys: all, unless said otherwise."""
        known = self.keys if known is None else known
        return self.doors.renew_key(self.match, PHONE, access, known)

    def withdraw(self, access: Access) -> None:
        self.doors.withdraw_key(self.match, PHONE, access)


@pytest.fixture
def house(start: Callable[..., Table]) -> House:
    table = start(NEW)
    return House(table.pad, table.match, keys=table.keys)


# ---------------------------------------------------------------- what keys are


def test_a_key_is_128_bits_of_chance_and_more_in_letters_that_nobody_takes_for_others() -> None:
    keys = {new_key() for _ in range(500)}
    assert len(keys) == 500
    assert all(re.fullmatch("[a-km-np-z2-9]{26}", key) for key in keys)
    assert 26 * 5 >= 128
    assert len({key[-1] for key in keys}) == len({key[0] for key in keys}) == 32, (
        "every place takes every letter"
    )


def test_the_key_to_view_follows_from_the_key_to_write_and_each_time_another() -> None:
    write = new_key()
    views = [derive_view_key(write, counter) for counter in range(1, 20)]
    assert all(is_key(view) for view in views)
    assert len({write, *views}) == 20
    assert views[0] == derive_view_key(write, 1)
    assert derive_view_key(new_key(), 1) not in views


# ---------------------------------------------------------------- coming in


def test_the_file_and_the_log_hold_no_key_in_clear(house: House) -> None:
    assert house.keys.write not in repr(house.keys), "where it is shown by mistake"
    house.let_in(TABLET)
    renewed = house.renew(Access.VIEW)
    path: Path = house.pad.context.storage.path
    house.pad.context.storage.close()
    octets = path.read_bytes()
    for key in (house.keys.write, house.keys.view, renewed.view):
        assert key.encode() not in octets
        assert key.upper().encode() not in octets
    assert digest_of(renewed.view).encode() in octets


# ---------------------------------------------------------------- which keys a device may show


def test_a_key_is_shown_again_only_to_a_device_that_carries_it(house: House) -> None:
    assert house.holds(PHONE, house.keys.write, house.keys.view) == house.keys
    assert house.holds(PHONE, house.keys.write) == house.keys, "the other one follows from it"
    assert house.holds(PHONE) == NO_KEYS, "it owns the match and carries no key"
    assert house.holds(PHONE, new_key(), new_key()) == NO_KEYS
    with pytest.raises(MatchNotFound):
        house.holds(TABLET, house.keys.write, house.keys.view)
    house.let_in(TABLET, Access.VIEW)
    assert house.holds(TABLET, house.keys.write, house.keys.view) == Keys("", house.keys.view)
    assert house.holds(TABLET, house.keys.write) == NO_KEYS, "it may only look"


# ---------------------------------------------------------------- made anew and withdrawn


def test_a_key_to_view_that_was_withdrawn_never_comes_back(house: House) -> None:
    house.withdraw(Access.VIEW)
    renewed = house.renew(Access.WRITE)
    assert renewed.view == ""
    existing = house.doors.find_keys_to_show(house.match, PHONE, renewed).existing
    assert existing == frozenset({Access.WRITE})
    seen = {house.keys.view}
    for _ in range(3):
        again = house.renew(Access.VIEW, renewed)
        seen.add(again.view)
        house.withdraw(Access.VIEW)
    assert len(seen) == 4
    again = house.renew(Access.VIEW, renewed)
    assert house.doors.enter(again.write, TABLET).keys == again


def test_after_withdrawing_either_key_can_be_made_again(house: House) -> None:
    house.let_in(LAPTOP, Access.VIEW)
    house.withdraw(Access.WRITE)
    again = house.renew(Access.WRITE)
    assert again.view != house.keys.view, "the key to view follows from the new key to write"
    assert house.access(LAPTOP) is Access.NONE
    assert house.doors.enter(again.write, TABLET).keys == again
    house.withdraw(Access.VIEW)
    assert house.doors.enter(again.write, LAPTOP).keys == Keys(again.write, "")
    last = house.renew(Access.VIEW, again)
    assert house.holds(TABLET, again.write) == last


def test_a_key_to_view_made_without_the_key_to_write_is_known_to_its_maker_alone(
    house: House,
) -> None:
    view = house.renew(Access.VIEW, NO_KEYS)
    assert view.write == ""
    house.doors.enter(view.view, LAPTOP)
    assert house.access(LAPTOP) is Access.VIEW
    assert house.holds(PHONE, house.keys.write) == Keys(house.keys.write, "")
    assert house.holds(PHONE, house.keys.write, view.view) == Keys(house.keys.write, view.view)
    again = house.renew(Access.VIEW)
    assert house.doors.enter(house.keys.write, TABLET).keys == again


# ---------------------------------------------------------------- sent again


def test_a_match_started_over_sent_again_keeps_who_came_in_since(house: House) -> None:
    sent = RequestId("first-submission")
    keys = house.doors.start_over(house.match, ADMIN, sent)
    house.doors.enter(keys.write, TABLET)
    assert house.doors.start_over(house.match, ADMIN, sent) == NO_KEYS
    assert house.access(TABLET) is Access.OWN


# ---------------------------------------------------------------- devices that only look


def lookers(house: House) -> list[int]:
    phones = house.doors.list_devices(house.match, PHONE)
    return [phone.number for phone in phones if phone.access == Access.VIEW]


def test_a_link_passed_on_fills_the_file_with_no_more_than_64_devices(house: House) -> None:
    house.let_in(TABLET)
    for number in range(200):
        house.let_in(DeviceId(f"looker {number}"), Access.VIEW)
    assert MOST_VIEWERS == 64
    assert lookers(house) == [*range(139, 203)], (
        "the last ones, under numbers that were nobody else's"
    )
    with house.pad.context.storage.reading() as rows:
        assert len(rows.devices(house.match)) == 66
    assert house.access(DeviceId("looker 135")) is Access.NONE
    assert house.access(DeviceId("looker 136")) is Access.VIEW
    assert [house.access(device) for device in (PHONE, TABLET)] == [Access.OWN, Access.WRITE]


def test_who_looks_already_or_comes_to_write_sends_nobody_out(house: House) -> None:
    for number in range(64):
        house.let_in(DeviceId(f"looker {number}"), Access.VIEW)
    house.let_in(DeviceId("looker 7"), Access.VIEW)
    house.let_in(PHONE, Access.VIEW)
    house.let_in(TABLET)
    assert lookers(house) == [*range(2, 66)]


def test_a_looker_that_wrote_something_goes_and_keeps_its_number(house: House) -> None:
    house.let_in(TABLET).play(usual())
    house.doors.remove_device(house.match, PHONE, hash_device_id(TABLET))
    house.let_in(TABLET, Access.VIEW)
    for number in range(64):
        house.let_in(DeviceId(f"looker {number}"), Access.VIEW)
    assert house.access(TABLET) is Access.NONE
    assert house.pad.records.audit(house.match, PHONE)[1].by.number == 2


# ---------------------------------------------------------------- a browser with the home privilege


def test_a_browser_on_the_machine_itself_is_shown_no_key_but_makes_new_ones(house: House) -> None:
    home = as_admin(LAPTOP)
    assert house.holds(home) == NO_KEYS
    renewed = house.doors.renew_key(house.match, home, Access.WRITE, NO_KEYS)
    assert house.holds(home, renewed.write) == renewed
