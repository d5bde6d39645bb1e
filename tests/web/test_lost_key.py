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
from scorepad.storage.rows import hash_device_id
from scorepad.web.cookies import DEVICE_COOKIE, VIEW_COOKIE, WRITE_COOKIE
from tests.web.client import Client, Visit
from tests.web.conftest import setup_of
from tests.web.playing import device, keys_of, match_of, start
from tests.web.scorer import let_in


@pytest.fixture
def restarted(tmp_path: Path, app: Flask) -> Flask:
    """Stop the server, and return an app on the same data file with another signing key."""
    app.extensions[STORAGE].close()
    return create_app(Config(tmp_path / "scorepad.db", b"n" * 32, testing=True))


def browser_after_restart(client: Client, app: Flask) -> Client:
    """Return the same browser, with its cookies, at the server that was started again."""
    other = Client(app)
    other.raw._cookies = client.raw._cookies
    return other


def status_of_polling(client: Client, url: str) -> int:
    """Ask as an open page does whether the match has changed, and return the status."""
    return client.raw.get(f"{url}/stato", headers={"Scorepad-Live": "1"}).status_code


@pytest.mark.parametrize(
    ("cookie", "access"), [(WRITE_COOKIE, Access.WRITE), (VIEW_COOKIE, Access.VIEW)]
)
def test_phone_enters_its_match_again_with_the_same_access(
    client: Client, visit: Visit, restarted: Flask, cookie: str, access: Access
) -> None:
    # A guest enters a match by a link. Its browser keeps two cookies: one says which device it is,
    # the other one has the key in the link.
    url = start(client)
    pad = setup_of(restarted).pad
    guest = let_in(client, url, visit(), cookie)

    # After the restart the signature of the first cookie is not valid: the browser is a new device.
    guest = browser_after_restart(guest, restarted)
    guest.get("/")

    # It opens the match twice, and enters by its key.
    guest.get(url)
    guest.get(url)

    assert pad.access(match_of(url), device(guest)) is access
    # The match has three: the owner, the guest before the restart, and the guest after it, only
    # once.
    devices = pad.devices.list_devices(match_of(url), ADMIN)
    assert len(devices) == 3


def test_form_open_during_restart_is_refused_and_kept(client: Client, restarted: Flask) -> None:
    # Somebody types a hand. Meanwhile the server is started again. It has lost the key that signed
    # its cookies and the CSRF token of the form.
    url = start(client)
    page = client.get(f"{url}/smazzata")
    form = page.form_values("Salva") | {"a.cards": "155", "do": "save"}
    browser = browser_after_restart(client, restarted)

    # The token is wrong now, and the form is refused. What was typed is shown again.
    refused = browser.post(f"{url}/smazzata", form, status=400)
    assert refused.value_of("a.cards") == "155"

    # The script of an open page, which asks now and then for changes, is answered.
    assert status_of_polling(browser, url) == 200


def test_renewed_key_does_not_let_a_phone_in_again(
    client: Client, guest: Client, pad: Pad, restarted: Flask
) -> None:
    # A guest may write in a match. The browser keeps the match's key to write, from which the key
    # to look on follows.
    url = start(client)
    let_in(client, url, guest)

    # The owner makes a new key to write, and withdraws the key to look on. So the guest's browser
    # has no key that is valid.
    pad.devices.renew_key(match_of(url), device(client), Access.WRITE, keys_of(client, url))
    pad.devices.withdraw_key(match_of(url), device(client), Access.VIEW)

    # To the restarted server every browser is a new device, which needs a key to enter. Without one
    # it is told that there is no such match.
    browser = browser_after_restart(guest, restarted)
    browser.get(url, status=404)


def test_removed_phone_stays_out_despite_its_key(client: Client, guest: Client, pad: Pad) -> None:
    # A guest enters a match by the key to write. The owner sends the guest out.
    url = start(client)
    let_in(client, url, guest)
    pad.devices.remove_device(match_of(url), device(client), hash_device_id(device(guest)))

    # The guest tries twice to open the match.
    guest.get(url, status=404)
    guest.get(url, status=404)

    # The browser has the key all the time, which is still valid. But the pad knows who was sent out.
    assert keys_of(guest, url).write != ""


def test_phone_that_left_stays_out_despite_its_key(client: Client, guest: Client, pad: Pad) -> None:
    # A guest enters a match by the key to look on, and leaves it.
    url = start(client)
    let_in(client, url, guest, VIEW_COOKIE)
    pad.devices.leave(match_of(url), device(guest))

    # The guest opens the match twice, and does not enter it again.
    guest.get(url, status=404)
    guest.get(url, status=404)

    # The browser has the key all the time. Only its link would let the guest in again.
    assert keys_of(guest, url).view != ""


def test_planted_device_cookie_gives_no_access(client: Client, guest: Client) -> None:
    # An attacker plants its own device cookie in the owner's browser.
    url = start(client)
    guest.get("/")
    cookie_of_guest = guest.cookie(DEVICE_COOKIE)
    client.raw.set_cookie(DEVICE_COOKIE, cookie_of_guest)

    # The owner's browser opens the match, by the key that it has.
    client.get(url)

    # It was not the attacker's device that entered then.
    guest.raw.set_cookie(DEVICE_COOKIE, cookie_of_guest)
    guest.get(url, status=404)


def test_polling_does_not_enter_a_match(client: Client, guest: Client) -> None:
    # A browser has the key of a match that its device has not entered.
    url = start(client)
    guest.get("/")
    guest.raw.set_cookie(VIEW_COOKIE, keys_of(client, url).view, path=url)

    # The script of an open page does not enter by it. A person who opens the page does.
    assert status_of_polling(guest, url) == 404
    guest.get(url, status=200)
