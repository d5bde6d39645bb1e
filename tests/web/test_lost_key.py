"""The signing key is lost: every device is a new one, and enters again by the key of the match that
its browser has.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask

from scorepad.app import STORAGE, Config, create_app
from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, Access
from scorepad.matches.keys import NO_KEYS
from scorepad.storage.rows import hash_device_id
from scorepad.web.cookies import DEVICE_COOKIE, VIEW_COOKIE, WRITE_COOKIE
from tests.web.client import Client, Visit
from tests.web.conftest import setup_of
from tests.web.playing import device, keys_of, match_of, start
from tests.web.scorer import let_in


@pytest.fixture
def restarted(tmp_path: Path, app: Flask) -> Flask:
    """The same data file, served with another signing key."""
    app.extensions[STORAGE].close()
    return create_app(Config(tmp_path / "scorepad.db", b"n" * 32, testing=True))


def same_browser(client: Client, app: Flask) -> Client:
    """The same browser, with its cookies, at the server that was started again."""
    other = Client(app)
    other.raw._cookies = client.raw._cookies
    return other


def status_of_looking_again(client: Client, url: str) -> int:
    """The status that an open page is answered which asks how far the match has come."""
    return client.raw.get(f"{url}/stato", headers={"Scorepad-Live": "1"}).status_code


@pytest.mark.parametrize(
    ("cookie", "access"), [(WRITE_COOKIE, Access.WRITE), (VIEW_COOKIE, Access.VIEW)]
)
def test_a_phone_that_opens_its_match_is_in_it_again(
    client: Client, visit: Visit, restarted: Flask, cookie: str, access: Access
) -> None:
    url = start(client)
    pad = setup_of(restarted).pad
    guest = same_browser(let_in(client, url, visit(), cookie), restarted)
    guest.get("/")

    guest.get(url)
    guest.get(url)

    assert pad.access(match_of(url), device(guest)) is access
    devices = pad.devices.list_devices(match_of(url), ADMIN)
    assert len(devices) == 3, "the owner, the phone as it was and as it is now: it entered once"


def test_an_open_page_goes_on_and_gives_back_what_was_typed(
    client: Client, restarted: Flask
) -> None:
    url = start(client)
    page = client.get(f"{url}/smazzata")
    form = page.form_values("Salva") | {"a.cards": "155", "do": "save"}
    browser = same_browser(client, restarted)

    refused = browser.post(f"{url}/smazzata", form, status=400)

    assert refused.value_of("a.cards") == "155"
    assert status_of_looking_again(browser, url) == 200


def test_a_key_that_was_renewed_lets_nobody_in_again(
    client: Client, guest: Client, pad: Pad, restarted: Flask
) -> None:
    url = start(client)
    let_in(client, url, guest)
    pad.devices.renew_key(match_of(url), device(client), Access.WRITE, keys_of(client, url))
    pad.devices.withdraw_key(match_of(url), device(client), Access.VIEW)
    same_browser(guest, restarted).get(url, status=404)


def test_a_phone_that_was_removed_or_left_stays_out_with_the_key_that_it_carries(
    client: Client, visit: Visit, pad: Pad
) -> None:
    url = start(client)
    removed = let_in(client, url, visit())
    left = let_in(client, url, visit(), VIEW_COOKIE)

    pad.devices.remove_device(match_of(url), device(client), hash_device_id(device(removed)))
    pad.devices.leave(match_of(url), device(left))

    for phone in (removed, left):
        phone.get(url, status=404)
        phone.get(url, status=404)
        assert keys_of(phone, url) != NO_KEYS


def test_a_planted_cookie_gives_nothing_of_a_match_entered_by_the_key_that_the_browser_carries(
    client: Client, guest: Client
) -> None:
    """The guest planted the cookie of its own device on the browser of the owner."""
    url = start(client)
    guest.get("/")
    planted = guest.cookie(DEVICE_COOKIE)
    client.raw.set_cookie(DEVICE_COOKIE, planted)

    client.get(url)

    guest.raw.set_cookie(DEVICE_COOKIE, planted)
    guest.get(url, status=404)


def test_an_open_page_of_a_device_that_is_not_in_is_only_told(
    client: Client, guest: Client
) -> None:
    """It has the key of the match, by which a person who opens the page enters."""
    url = start(client)
    guest.get("/")
    guest.raw.set_cookie(VIEW_COOKIE, keys_of(client, url).view, path=url)
    assert status_of_looking_again(guest, url) == 404
    guest.get(url, status=200)
