"""Keys and devices: what opens a match, to whom, until when, and whose match it is."""

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
from tests.matches.conftest import PHONE, TABLET, Table, hand_of_430_and_60

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


def test_a_key_is_128_bits_of_chance_and_more_in_letters_that_nobody_takes_for_others() -> None:
    keys = {new_key() for _ in range(500)}
    assert len(keys) == 500
    for key in keys:
        assert re.fullmatch("[a-km-np-z2-9]{26}", key)
    # Of 32 letters each is 5 bits: both ends of a key take all of them.
    assert len({key[0] for key in keys}) == 32
    assert len({key[-1] for key in keys}) == 32


def test_the_key_to_view_follows_from_the_key_to_write_and_each_time_another() -> None:
    write_key = new_key()
    view_keys = [derive_view_key(write_key, counter) for counter in range(1, 20)]

    for view_key in view_keys:
        assert is_key(view_key)
    assert len({write_key, *view_keys}) == 20, "all different"
    assert derive_view_key(write_key, 1) == view_keys[0]
    assert derive_view_key(new_key(), 1) not in view_keys


def test_the_file_holds_no_key_in_clear(house: House) -> None:
    house.let_in(TABLET)
    renewed = house.renew(Access.VIEW, house.keys)
    storage = house.pad.context.storage
    storage.close()

    octets = storage.path.read_bytes()

    for key in (house.keys.write, house.keys.view, renewed.view):
        assert key.encode() not in octets
        assert key.upper().encode() not in octets
    assert digest_of(renewed.view).encode() in octets


def test_keys_shown_by_mistake_show_no_key(house: House) -> None:
    assert house.keys.write not in repr(house.keys)
    assert house.keys.view not in repr(house.keys)


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


def test_a_key_to_view_made_without_the_key_to_write_is_known_to_its_maker_alone(
    house: House,
) -> None:
    renewed = house.renew(Access.VIEW, NO_KEYS)
    assert renewed.write == ""

    house.doors.enter(renewed.view, LAPTOP)
    assert house.access(LAPTOP) is Access.VIEW

    # It does not follow from the key to write.
    write_key = house.keys.write
    assert house.shown_to(PHONE, write_key) == Keys(write_key, "")
    assert house.shown_to(PHONE, write_key, renewed.view) == Keys(write_key, renewed.view)


def test_in_a_match_started_over_the_first_who_comes_to_write_owns_it(house: House) -> None:
    keys = house.doors.start_over(house.match, ADMIN)
    house.doors.enter(keys.view, LAPTOP)
    house.doors.enter(keys.write, WATCH)
    house.doors.enter(keys.write, TABLET)
    assert house.access(LAPTOP) is Access.VIEW
    assert house.access(WATCH) is Access.OWN
    assert house.access(TABLET) is Access.WRITE


def let_in_lookers(house: House, number: int) -> None:
    for each in range(number):
        house.let_in(DeviceId(f"looker {each}"), Access.VIEW)


def test_a_match_started_over_twice_by_one_form_keeps_who_came_in_between(house: House) -> None:
    form = RequestId("first-submission")
    keys = house.doors.start_over(house.match, ADMIN, form)
    house.doors.enter(keys.write, TABLET)

    assert house.doors.start_over(house.match, ADMIN, form) == NO_KEYS

    assert house.access(TABLET) is Access.OWN


def numbers_of_lookers(house: House) -> list[int]:
    """The numbers of the devices that may only look, in the order in which they came in."""
    devices = house.doors.list_devices(house.match, PHONE)
    return [record.number for record in devices if record.access == Access.VIEW]


def test_a_link_passed_on_fills_the_file_with_no_more_than_64_devices(house: House) -> None:
    house.let_in(TABLET)
    # The phone is device 1, the tablet 2, "looker 0" is 3: the last one is 202.
    let_in_lookers(house, 200)

    assert numbers_of_lookers(house) == list(range(139, 203))
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
    house.let_in(TABLET, Access.WRITE)

    assert numbers_of_lookers(house) == list(range(2, 66))


def test_a_device_that_wrote_and_went_keeps_its_number_in_the_log(house: House) -> None:
    house.let_in(TABLET).play(hand_of_430_and_60())
    house.doors.remove_device(house.match, PHONE, hash_device_id(TABLET))
    house.let_in(TABLET, Access.VIEW)
    let_in_lookers(house, 64)
    assert house.access(TABLET) is Access.NONE

    count = house.pad.records.audit(house.match, PHONE)[1]

    assert count.by.number == 2
