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


class MatchOfPhone(Table):
    """A match that the phone started and owns, and what its devices may do."""

    @property
    def devices(self) -> Devices:
        return self.pad.devices

    def access(self, device: DeviceId) -> Access:
        return self.pad.access(self.match, device)

    def keys_shown_to(self, device: DeviceId, write: str = "", view: str = "") -> Keys:
        """Return the keys that a device is shown whose browser has these keys in its cookies."""
        return self.devices.find_keys_to_show(self.match, device, Keys(write, view)).keys

    def renew_key(self, access: Access, known: Keys) -> Keys:
        """Let the phone, whose browser has the known keys, replace one; return its keys then."""
        return self.devices.renew_key(self.match, PHONE, access, known)


@pytest.fixture
def owned_match(table: Table) -> MatchOfPhone:
    return MatchOfPhone(table.pad, table.match, keys=table.keys)


def test_key_has_26_random_letters_and_digits() -> None:
    keys = {new_key() for _ in range(500)}
    assert len(keys) == 500, "all different"

    # A key has no l, o, 0 and 1, which are easily confused when it is copied by hand.
    for key in keys:
        assert re.fullmatch("[a-km-np-z2-9]{26}", key)

    # That leaves 32 letters and digits. In so many keys each of them comes first and last.
    assert len({key[0] for key in keys}) == 32
    assert len({key[-1] for key in keys}) == 32


def test_view_keys_derived_from_write_key_differ_by_counter() -> None:
    # With the write key a device changes a match, with the view key it sees the match. The view key
    # is computed from the write key and a counter, which goes up when the view key is replaced.
    write_key = new_key()
    view_keys = [derive_view_key(write_key, counter) for counter in range(1, 20)]

    for view_key in view_keys:
        assert is_key(view_key)
    # The 19 view keys and the write key are all different.
    assert len({write_key, *view_keys}) == 20


def test_view_key_depends_on_write_key_and_counter_alone() -> None:
    write_key = new_key()
    view_key = derive_view_key(write_key, 1)

    assert derive_view_key(write_key, 1) == view_key
    assert derive_view_key(new_key(), 1) != view_key


def test_data_file_holds_no_key_in_clear(owned_match: MatchOfPhone) -> None:
    # A device has entered with the write key, and the view key was replaced.
    owned_match.let_in(TABLET)
    renewed = owned_match.renew_key(Access.VIEW, owned_match.keys)

    storage = owned_match.pad.context.storage
    storage.close()
    data = storage.path.read_bytes()

    # Whoever gets a copy of the file does not get in: it holds only a hash of each key.
    for key in (owned_match.keys.write, owned_match.keys.view, renewed.view):
        assert key.encode() not in data
        assert key.upper().encode() not in data
    assert digest_of(renewed.view).encode() in data


def test_repr_of_keys_contains_no_key(owned_match: MatchOfPhone) -> None:
    assert owned_match.keys.write not in repr(owned_match.keys)
    assert owned_match.keys.view not in repr(owned_match.keys)


def test_owner_is_shown_the_keys_that_its_browser_carries(owned_match: MatchOfPhone) -> None:
    # The data file holds no keys. The phone shows those that its browser has in cookies, so that
    # others can be let in.
    keys = owned_match.keys
    assert owned_match.keys_shown_to(PHONE, keys.write, keys.view) == keys

    # The view key can be computed from the write key.
    assert owned_match.keys_shown_to(PHONE, keys.write) == keys

    # The cookies are lost, or hold keys that do not open this match.
    assert owned_match.keys_shown_to(PHONE) == NO_KEYS
    assert owned_match.keys_shown_to(PHONE, new_key(), new_key()) == NO_KEYS


def test_device_without_access_is_shown_no_keys(owned_match: MatchOfPhone) -> None:
    # The tablet has valid keys in its cookies, but never entered the match with them.
    with pytest.raises(MatchNotFound):
        owned_match.keys_shown_to(TABLET, owned_match.keys.write, owned_match.keys.view)


def test_device_that_may_view_is_shown_no_write_key(owned_match: MatchOfPhone) -> None:
    # With the write key a device can change a match, with the view key it can only see it. The view
    # key can be computed from the write key. A device is shown keys that its browser has in cookies.
    keys = owned_match.keys
    owned_match.let_in(TABLET, Access.VIEW)

    # This browser has both keys. The tablet is shown the view key alone.
    shown = owned_match.keys_shown_to(TABLET, write=keys.write, view=keys.view)
    assert shown == Keys(write="", view=keys.view)

    # The browser has the write key alone. The view key is not computed from it for the tablet.
    shown = owned_match.keys_shown_to(TABLET, write=keys.write)
    assert shown == NO_KEYS


def test_admin_is_shown_only_keys_that_it_renewed(owned_match: MatchOfPhone) -> None:
    # The administrator may do everything in all matches, but has no keys in cookies.
    admin = as_admin(LAPTOP)
    assert owned_match.keys_shown_to(admin) == NO_KEYS

    # The administrator replaces the keys. The new ones are in the cookies then.
    renewed = owned_match.devices.renew_key(owned_match.match, admin, Access.WRITE, NO_KEYS)

    assert owned_match.keys_shown_to(admin, renewed.write) == renewed


def test_view_key_renewed_without_write_key_lets_in(owned_match: MatchOfPhone) -> None:
    # The phone has lost its cookies, and with them the write key. It can still make a new view key.
    renewed = owned_match.renew_key(Access.VIEW, NO_KEYS)
    assert renewed.write == ""

    owned_match.devices.enter(renewed.view, LAPTOP)

    assert owned_match.access(LAPTOP) is Access.VIEW


def test_view_key_renewed_without_write_key_does_not_follow_from_it(
    owned_match: MatchOfPhone,
) -> None:
    # A match has a key to write and a key to view it, which usually is computed from the write key.
    # The data file has neither: a phone keeps keys in cookies of its browser. This browser has lost
    # them, so the new view key that it makes is random.
    write_key = owned_match.keys.write
    view_key = owned_match.renew_key(Access.VIEW, known=NO_KEYS).view

    # A browser that has the write key alone does not find the view key.
    shown = owned_match.keys_shown_to(PHONE, write=write_key)
    assert shown == Keys(write=write_key, view="")

    # One that has both keys shows both.
    shown = owned_match.keys_shown_to(PHONE, write=write_key, view=view_key)
    assert shown == Keys(write=write_key, view=view_key)


def test_match_started_over_is_owned_by_first_device_with_write_key(
    owned_match: MatchOfPhone,
) -> None:
    # The owner's phone is lost. The administrator makes new keys and removes all devices.
    keys = owned_match.devices.start_over(owned_match.match, ADMIN)

    # A laptop enters with the view key, then a watch and a tablet with the write key.
    owned_match.devices.enter(keys.view, LAPTOP)
    owned_match.devices.enter(keys.write, WATCH)
    owned_match.devices.enter(keys.write, TABLET)

    assert owned_match.access(LAPTOP) is Access.VIEW
    assert owned_match.access(WATCH) is Access.OWN
    assert owned_match.access(TABLET) is Access.WRITE


def test_form_to_start_over_that_is_sent_twice_takes_effect_once(owned_match: MatchOfPhone) -> None:
    # The administrator removes all devices and makes new keys. A tablet enters with one of them.
    request = RequestId("first-submission")
    keys = owned_match.devices.start_over(owned_match.match, ADMIN, request)
    owned_match.devices.enter(keys.write, TABLET)

    # The browser sends the form again. No other keys are made, and the tablet is not removed.
    assert owned_match.devices.start_over(owned_match.match, ADMIN, request) == NO_KEYS
    assert owned_match.access(TABLET) is Access.OWN


def let_in_viewers(owned_match: MatchOfPhone, number: int) -> None:
    """Let so many devices enter with the view key: "viewer 0", "viewer 1" and so on."""
    for each in range(number):
        owned_match.let_in(DeviceId(f"viewer {each}"), Access.VIEW)


def list_numbers_of_viewers(owned_match: MatchOfPhone) -> list[int]:
    """Return the numbers of the devices that may only view, in the order in which they entered."""
    devices = owned_match.devices.list_devices(owned_match.match, PHONE)
    return [record.number for record in devices if record.access == Access.VIEW]


def test_last_64_of_200_viewers_keep_their_access(owned_match: MatchOfPhone) -> None:
    # Devices are numbered as they enter: the phone is device 1, the tablet 2, "viewer 0" is 3, and
    # the last of the 200 viewers is 202.
    owned_match.let_in(TABLET)
    let_in_viewers(owned_match, 200)

    # The last 64 are those from 139 on, "viewer 136".
    assert list_numbers_of_viewers(owned_match) == list(range(139, 203))
    assert owned_match.access(DeviceId("viewer 135")) is Access.NONE
    assert owned_match.access(DeviceId("viewer 136")) is Access.VIEW

    # The others are no longer in the data file: it holds the 64, the phone and the tablet.
    with owned_match.pad.context.storage.reading() as rows:
        assert len(rows.devices(owned_match.match)) == 66


def test_devices_that_may_write_keep_their_access_beside_200_viewers(
    owned_match: MatchOfPhone,
) -> None:
    # Of the viewers only the last 64 keep their access.
    owned_match.let_in(TABLET)
    let_in_viewers(owned_match, 200)

    assert owned_match.access(PHONE) is Access.OWN
    assert owned_match.access(TABLET) is Access.WRITE


def test_viewer_that_enters_again_or_writer_removes_no_viewer(owned_match: MatchOfPhone) -> None:
    # The phone is device 1. As many viewers as there may be enter: devices 2 to 65.
    let_in_viewers(owned_match, 64)

    # One of them enters again, then the owner by the view key, and a tablet that may write.
    owned_match.let_in(DeviceId("viewer 7"), Access.VIEW)
    owned_match.let_in(PHONE, Access.VIEW)
    owned_match.let_in(TABLET, Access.WRITE)

    # No viewer had to leave for them.
    assert list_numbers_of_viewers(owned_match) == list(range(2, 66))


def test_removed_device_that_wrote_keeps_its_number_in_the_log(owned_match: MatchOfPhone) -> None:
    # The phone is device 1. The tablet, device 2, counts a hand, and the phone removes it.
    owned_match.let_in(TABLET).play(hand_of_430_and_60())
    owned_match.devices.remove_device(owned_match.match, PHONE, hash_device_id(TABLET))

    # The tablet comes back as a viewer, and loses its access when 64 other viewers enter.
    owned_match.let_in(TABLET, Access.VIEW)
    let_in_viewers(owned_match, 64)
    assert owned_match.access(TABLET) is Access.NONE

    # The log still says that device 2 counted the hand.
    _start, count, *_ = owned_match.pad.records.audit(owned_match.match, PHONE)
    assert count.by.number == 2
