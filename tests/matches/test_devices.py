"""Keys and devices: what opens a match, to whom, until when, and whose match it is."""

from __future__ import annotations

import re

import pytest

from scorepad.matches.access import (
    ADMIN,
    Access,
    DeviceId,
    MatchNotFound,
    RequestId,
    as_admin,
)
from scorepad.matches.devices import Devices
from scorepad.matches.keys import (
    NO_KEYS,
    Keys,
    derive_view_key,
    digest_of,
    is_key,
    new_key,
)
from scorepad.storage.rows import hash_device_id
from tests.matches.conftest import PHONE, TABLET, Table, usual

LAPTOP, WATCH = DeviceId("laptop"), DeviceId("watch")


class House(Table):
    """A match that the phone started, and its doors."""

    @property
    def doors(self) -> Devices:
        return self.pad.devices

    def access(self, device: DeviceId) -> Access:
        return self.pad.access(self.match, device)

    def shown_to(self, device: DeviceId, write: str = "", view: str = "") -> Keys:
        """The keys that a device is shown whose browser carries these keys."""
        return self.doors.find_keys_to_show(self.match, device, Keys(write, view)).keys

    def renew(self, access: Access, known: Keys) -> Keys:
        """The owner, whose browser carries these keys, makes a key anew."""
        return self.doors.renew_key(self.match, PHONE, access, known)

    def withdraw(self, access: Access) -> None:
        self.doors.withdraw_key(self.match, PHONE, access)


@pytest.fixture
def house(table: Table) -> House:
    return House(table.pad, table.match, keys=table.keys)


# ---------------------------------------------------------------- what keys are


def test_a_key_is_128_bits_of_chance_and_more_in_letters_that_nobody_takes_for_others() -> None:
    keys = {new_key() for _ in range(500)}
    assert len(keys) == 500
    assert all(re.fullmatch("[a-km-np-z2-9]{26}", key) for key in keys)
    assert len({key[0] for key in keys}) == 32, "the first place takes every letter"
    assert len({key[-1] for key in keys}) == 32, "and so does the last"


def test_the_key_to_view_follows_from_the_key_to_write_and_each_time_another() -> None:
    write = new_key()
    views = [derive_view_key(write, counter) for counter in range(1, 20)]
    assert all(is_key(view) for view in views)
    assert len({write, *views}) == 20
    assert derive_view_key(write, 1) == views[0]
    assert derive_view_key(new_key(), 1) not in views


def test_the_file_and_the_log_hold_no_key_in_clear(house: House) -> None:
    house.let_in(TABLET)
    renewed = house.renew(Access.VIEW, house.keys)
    storage = house.pad.context.storage
    storage.close()
    octets = storage.path.read_bytes()
    for key in (house.keys.write, house.keys.view, renewed.view):
        assert key.encode() not in octets
        assert key.upper().encode() not in octets
    assert digest_of(renewed.view).encode() in octets
    assert house.keys.write not in repr(house.keys), "where it is shown by mistake"


# ---------------------------------------------------------------- which keys a device may show


def test_the_owner_is_shown_the_keys_that_its_browser_carries(house: House) -> None:
    keys = house.keys
    assert house.shown_to(PHONE, keys.write, keys.view) == keys
    assert house.shown_to(PHONE, keys.write) == keys, "the other one follows from it"
    assert house.shown_to(PHONE) == NO_KEYS
    assert house.shown_to(PHONE, new_key(), new_key()) == NO_KEYS


def test_a_device_that_may_only_look_is_shown_no_key_to_write(house: House) -> None:
    keys = house.keys
    with pytest.raises(MatchNotFound):
        house.shown_to(TABLET, keys.write, keys.view)
    house.let_in(TABLET, Access.VIEW)
    assert house.shown_to(TABLET, keys.write, keys.view) == Keys("", keys.view)
    assert house.shown_to(TABLET, keys.write) == NO_KEYS


def test_a_browser_with_every_match_is_shown_no_key_but_makes_new_ones(house: House) -> None:
    home = as_admin(LAPTOP)
    assert house.shown_to(home) == NO_KEYS
    renewed = house.doors.renew_key(house.match, home, Access.WRITE, NO_KEYS)
    assert house.shown_to(home, renewed.write) == renewed


# ---------------------------------------------------------------- made anew and withdrawn


def test_a_key_to_view_made_without_the_key_to_write_is_known_to_its_maker_alone(
    house: House,
) -> None:
    made = house.renew(Access.VIEW, NO_KEYS)
    write = house.keys.write
    assert made.write == ""
    house.doors.enter(made.view, LAPTOP)
    assert house.access(LAPTOP) is Access.VIEW
    assert house.shown_to(PHONE, write) == Keys(write, "")
    assert house.shown_to(PHONE, write, made.view) == Keys(write, made.view)


def test_a_match_started_over_sent_again_keeps_who_came_in_since(house: House) -> None:
    sent = RequestId("first-submission")
    keys = house.doors.start_over(house.match, ADMIN, sent)
    house.doors.enter(keys.write, TABLET)
    assert house.doors.start_over(house.match, ADMIN, sent) == NO_KEYS
    assert house.access(TABLET) is Access.OWN


def test_in_a_match_started_over_the_first_who_comes_to_write_owns_it(house: House) -> None:
    keys = house.doors.start_over(house.match, ADMIN)
    house.doors.enter(keys.view, LAPTOP)
    house.doors.enter(keys.write, WATCH)
    house.doors.enter(keys.write, TABLET)
    assert house.access(LAPTOP) is Access.VIEW
    assert house.access(WATCH) is Access.OWN
    assert house.access(TABLET) is Access.WRITE


# ---------------------------------------------------------------- devices that only look


def let_in_lookers(house: House, number: int) -> None:
    for each in range(number):
        house.let_in(DeviceId(f"looker {each}"), Access.VIEW)


def numbers_of_lookers(house: House) -> list[int]:
    devices = house.doors.list_devices(house.match, PHONE)
    return [record.number for record in devices if record.access == Access.VIEW]


def test_a_link_passed_on_fills_the_file_with_no_more_than_64_devices(house: House) -> None:
    house.let_in(TABLET)
    let_in_lookers(house, 200)
    assert numbers_of_lookers(house) == list(range(139, 203)), "the last ones"
    with house.pad.context.storage.reading() as rows:
        assert len(rows.devices(house.match)) == 66
    assert house.access(DeviceId("looker 135")) is Access.NONE
    assert house.access(DeviceId("looker 136")) is Access.VIEW
    assert house.access(PHONE) is Access.OWN
    assert house.access(TABLET) is Access.WRITE


def test_who_looks_already_or_comes_to_write_sends_nobody_out(house: House) -> None:
    let_in_lookers(house, 64)
    house.let_in(DeviceId("looker 7"), Access.VIEW)
    house.let_in(PHONE, Access.VIEW)
    house.let_in(TABLET)
    assert numbers_of_lookers(house) == list(range(2, 66))


def test_a_looker_that_wrote_something_goes_and_keeps_its_number(house: House) -> None:
    house.let_in(TABLET).play(usual())
    house.doors.remove_device(house.match, PHONE, hash_device_id(TABLET))
    house.let_in(TABLET, Access.VIEW)
    let_in_lookers(house, 64)
    assert house.access(TABLET) is Access.NONE
    assert house.pad.records.audit(house.match, PHONE)[1].by.number == 2
