"""Access to every match, for a browser that opened a one-time admin link, and for no address and no
host name.
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from scorepad.app import Config, create_app
from scorepad.matches import Pad
from scorepad.matches.access import Access
from scorepad.storage.rows import hash_device_id
from scorepad.web.cookies import ADMIN_COOKIE
from scorepad.web.home.views import make_start_link
from tests.apps import shared_app
from tests.cookies import admin_cookie
from tests.web.client import Client, Page, Visit
from tests.web.conftest import setup_of
from tests.web.phones_at_once import at_once
from tests.web.playing import device, match_of, start

HOST_NAME = "canasta.example"


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return shared_app(Config(tmp_path / "scorepad.db", b"k" * 32, (HOST_NAME,), testing=True))


@pytest.fixture
def match_url(visit: Visit) -> str:
    """Return the URL of a match that another browser started."""
    return start(visit())


@pytest.fixture
def admin_link(app: Flask) -> str:
    """Return a link for an admin, as the server prints it at its start."""
    return make_start_link(app)


@pytest.fixture
def admin(client: Client, admin_link: str) -> Client:
    """Return a browser that used the admin link, and so may see every match."""
    return open_admin_link(client, admin_link)


def open_admin_link(client: Client, admin_link: str) -> Client:
    """Open the link in a browser, press its button "See all the matches", return the browser."""
    client.submit(admin_link, "Vedi tutte le partite")
    return client


def token_of(page: Page) -> str:
    """Return the CSRF token in the forms of a page."""
    return page.all("input", name="csrf_token")[0]["value"]


def press_button(client: Client, admin_link: str, base_url: str) -> TestResponse:
    """Open an admin link at this address, press its button, and return the response."""
    page = client.get(admin_link, base_url=base_url)
    form = {"csrf_token": token_of(page)}
    headers = {"Origin": base_url}
    return client.raw.post(admin_link, data=form, base_url=base_url, headers=headers)


def set_cookies(answer: TestResponse) -> dict[str, str]:
    """Return the `Set-Cookie` headers of a response, by the names of their cookies."""
    headers = answer.headers.getlist("Set-Cookie")
    return {header.partition("=")[0]: header for header in headers}


def can_see_match(client: Client, match_url: str, **more: object) -> bool:
    """Return whether a browser is shown a match. Its own page, the home page and the file of all
    matches have to agree on that.
    """
    is_shown = client.raw.get(match_url, **more).status_code == 200
    is_on_home_page = match_url in client.raw.get("/", **more).text
    is_in_files = match_of(match_url) in client.raw.get("/file/partite.json", **more).text
    assert is_on_home_page is is_shown
    assert is_in_files is is_shown
    return is_shown


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8765", "127.0.0.1:8765", "[::1]:8765", "127.0.0.2", HOST_NAME]
)
@pytest.mark.parametrize("remote", ["127.0.0.1", "::1", "::ffff:127.0.0.1", "192.168.1.40", ""])
def test_no_address_or_host_name_gives_access_to_match(
    client: Client, match_url: str, host: str, remote: str
) -> None:
    # Only a cookie gives access. That the client runs on the server's own machine gives none,
    # whether one concludes that from the host name it asked for or from the address it comes from.
    environ = {"REMOTE_ADDR": remote}
    assert not can_see_match(client, match_url, headers={"Host": host}, environ_overrides=environ)


@pytest.mark.parametrize("remote", ["127.0.0.1", "192.168.1.40"])
@pytest.mark.parametrize("host", ["localhost:8765", HOST_NAME])
def test_admin_link_gives_access_under_any_host_name(
    client: Client, admin_link: str, match_url: str, host: str, remote: str
) -> None:
    base_url = f"http://{host}"
    client.raw.environ_base |= {"HTTP_HOST": host, "REMOTE_ADDR": remote}
    assert not can_see_match(client, match_url, base_url=base_url)

    answer = press_button(client, admin_link, base_url)

    # The browser gets a cookie and is sent to the home page.
    assert answer.status_code == 303
    assert answer.location == "/"
    cookie = set_cookies(answer)[ADMIN_COOKIE]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "Path=/" in cookie
    assert "Max-Age=34560000" in cookie  # 400 days
    assert can_see_match(client, match_url, base_url=base_url)


def test_admin_link_works_once(admin_link: str, visit: Visit, match_url: str) -> None:
    first = open_admin_link(visit(), admin_link)
    assert can_see_match(first, match_url)

    # A second browser opens the same link. The page says by which command another one is made.
    second = visit()
    page = second.get(admin_link, status=404)
    assert "scorepad link --admin" in page.text

    # It sends the form of the link without having seen it. "This link is not valid"
    form = {"csrf_token": token_of(second.get("/"))}
    refused = second.post(admin_link, form, status=404)
    assert refused.heading == "Questo link non vale"
    assert not can_see_match(second, match_url)


@pytest.mark.parametrize("token", ["x", "a" * 26, "%00", "x" * 5000])
def test_unknown_admin_link_is_not_found(client: Client, token: str) -> None:
    page = client.get(f"/casa/{token}", status=404)
    # "This link is not valid"
    assert page.heading == "Questo link non vale"


def test_admin_link_opened_by_admin_stays_unused(
    admin: Client, visit: Visit, match_url: str
) -> None:
    # A browser that sees every match already is sent on to the home page.
    new_link = make_start_link(admin.app)
    assert admin.get(new_link).url == "/"

    # So another browser can use the link.
    other = open_admin_link(visit(), new_link)
    assert can_see_match(other, match_url)


def test_admin_link_is_not_used_up_by_fetching_it(
    admin_link: str, visit: Visit, match_url: str
) -> None:
    # A messenger fetches the link to show a preview of it, and gets no access.
    for method in ("HEAD", "GET", "OPTIONS"):
        prefetched = visit().raw.open(
            admin_link, method=method, headers={"Sec-Purpose": "prefetch"}
        )
        assert prefetched.status_code == 200
        assert ADMIN_COOKIE not in set_cookies(prefetched)

    # The page of the link is not kept in caches, and no other site gets to know the link from it.
    page = visit().raw.get(admin_link)
    assert page.headers["Cache-Control"] == "no-store"
    assert page.headers["Referrer-Policy"] == "no-referrer"

    # A form with a wrong CSRF token does not use the link up either.
    with_wrong_token = visit().raw.post(admin_link, data={"csrf_token": "x"})
    assert with_wrong_token.status_code == 400

    # The administrator opens the link and presses its button.
    admin = open_admin_link(visit(), admin_link)
    assert can_see_match(admin, match_url)


def test_admin_link_of_server_start_does_not_expire(
    admin_link: str, visit: Visit, match_url: str, pad: Pad, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_ninety_days = pad.context.clock() + timedelta(days=90)
    monkeypatch.setattr(pad.context, "clock", lambda: in_ninety_days)
    admin = open_admin_link(visit(), admin_link)
    assert can_see_match(admin, match_url)


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-origin"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:9000"},
        {"Sec-Fetch-Site": "same-origin", "Origin": "https://evil.example"},
    ],
)
def test_request_from_another_site_has_no_admin_access(
    admin: Client, match_url: str, headers: dict[str, str]
) -> None:
    # Browsers tell by these headers from which site a request comes. The files of all matches are
    # refused: "This page does not come from here".
    not_from_here = "Questa pagina non viene da qui"
    for path in ("/file/partite.json", "/file/righe.csv"):
        refused = admin.raw.get(path, headers=headers)
        assert refused.status_code == 403
        assert not_from_here in refused.text

    # Other pages are shown as to a browser without the admin cookie.
    match_page = admin.raw.get(match_url, headers=headers)
    assert match_page.status_code == 404
    assert match_url not in admin.raw.get("/", headers=headers).text


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "same-origin"},
        # The user typed the address, or opened a bookmark.
        {"Sec-Fetch-Site": "none"},
        {"Origin": "http://localhost"},
        # An old browser says nothing.
        {},
    ],
)
def test_request_from_same_site_has_admin_access(
    admin: Client, match_url: str, headers: dict[str, str]
) -> None:
    assert can_see_match(admin, match_url, headers=headers)


@pytest.mark.parametrize(
    ("cookie", "value"),
    [
        (ADMIN_COOKIE, ""),
        (ADMIN_COOKIE, "1"),
        # The name under which the command line stands in the data file.
        (ADMIN_COOKIE, "@keeper"),
        # The form of a signed cookie: content, time and signature.
        (ADMIN_COOKIE, "ImEi.aSFhsA.AAAA"),
        (ADMIN_COOKIE, "é"),
        pytest.param(ADMIN_COOKIE, admin_cookie(b"x" * 32), id="signed with another key"),
        ("scorepad_device", "@keeper"),
        ("scorepad_device", "@admin:" + "d" * 32),
    ],
)
def test_forged_cookie_gives_no_access(
    client: Client, match_url: str, cookie: str, value: str
) -> None:
    client.raw.set_cookie(cookie, value)
    assert not can_see_match(client, match_url)


def test_admin_writes_to_match_as_its_own_device(admin: Client, pad: Pad, match_url: str) -> None:
    match = match_of(match_url)
    own_device = device(admin)

    # The admin says on the page of the phones that this phone counts for Noi. From then on it has
    # access as any other player, even if the admin cookie is lost.
    admin.submit(f"{match_url}/telefoni", "Noi")
    assert pad.access(match, own_device) is Access.WRITE

    # A side is renamed. The log says that this device did it, not "an admin".
    admin.submit(f"{match_url}/nomi", "Salva", name_0="Nonni")
    with pad.context.storage.reading() as rows:
        last_entry = rows.entries(match)[-1]
    assert last_entry.device == hash_device_id(own_device)


def test_admin_cookie_is_valid_after_restart_but_start_link_is_not(
    admin: Client, match_url: str, tmp_path: Path
) -> None:
    old_link = make_start_link(admin.app)

    # The server is restarted with the same data file and the same key.
    restarted_app = create_app(Config(tmp_path / "scorepad.db", b"k" * 32, testing=True))
    client = Client(restarted_app)

    client.get(old_link, status=404)
    client.raw.set_cookie(ADMIN_COOKIE, admin.cookie(ADMIN_COOKIE))
    assert can_see_match(client, match_url)


# ---------------------------------------------------------------- links of the command line


def test_link_of_command_line_works_once_and_its_token_is_not_stored(
    visit: Visit, match_url: str, tmp_path: Path
) -> None:
    data_file = tmp_path / "scorepad.db"

    # The command line, which is a process of its own, makes a link. The file has only its digest.
    command_line = create_app(Config(data_file, b"k" * 32))
    token = setup_of(command_line).pad.devices.make_admin_link()
    assert token.encode() not in data_file.read_bytes()

    # It works once at the server that runs. Capitals do not matter.
    client = open_admin_link(visit(), f"/casa/{token.upper()}")
    assert can_see_match(client, match_url)
    visit().get(f"/casa/{token}", status=404)


@pytest.mark.parametrize(
    ("seconds", "status"),
    [
        # 15 minutes are 900 seconds.
        (899, 200),
        (900, 404),
        # If the clock is set back the link expires at once, so that it does not last longer.
        pytest.param(-1, 404, id="clock set back"),
    ],
)
def test_link_of_command_line_expires_after_15_minutes(
    client: Client, pad: Pad, monkeypatch: pytest.MonkeyPatch, seconds: int, status: int
) -> None:
    token = pad.devices.make_admin_link()
    later = pad.context.clock() + timedelta(seconds=seconds)
    monkeypatch.setattr(pad.context, "clock", lambda: later)

    client.get(f"/casa/{token}", status)

    is_valid = status == 200
    assert pad.devices.use_admin_link(token) is is_valid


@pytest.mark.parametrize("made_by", ["start", "command line"])
def test_admin_link_pressed_by_ten_at_once_works_for_one(
    app: Flask, visit: Visit, pad: Pad, made_by: str
) -> None:
    if made_by == "start":
        admin_link = make_start_link(app)
    else:
        admin_link = f"/casa/{pad.devices.make_admin_link()}"
    # Ten browsers open the link, and then press its button at the same moment.
    clients = [visit() for _ in range(10)]
    tokens = [token_of(client.get(admin_link)) for client in clients]

    def status_of_press(number: int) -> int:
        form = {"csrf_token": tokens[number]}
        return clients[number].raw.post(admin_link, data=form).status_code

    statuses = at_once(status_of_press, 10)

    # One gets the cookie and is redirected, for the other nine the link is not valid any more.
    assert sorted(statuses) == [303] + [404] * 9


# ---------------------------------------------------------------- under https


def test_admin_cookie_behind_https_proxy_is_secure(tmp_path: Path, match_url: str) -> None:
    # A score pad named canasta.example is behind one proxy, whose headers it trusts.
    host_names = ("canasta.example",)
    app = create_app(
        Config(tmp_path / "scorepad.db", b"k" * 32, host_names, proxies=1, testing=True)
    )

    # The proxy adds two headers to each request of the browser: that it came over HTTPS, and from
    # which address.
    browser = Client(app)
    browser.raw.environ_base |= {
        "HTTP_X_FORWARDED_PROTO": "https",
        "HTTP_X_FORWARDED_FOR": "203.0.113.7",
    }
    base_url = "https://canasta.example"
    assert not can_see_match(browser, match_url, base_url=base_url)

    # The link that the server prints at its start is opened in the browser, and its button pressed.
    admin_link = make_start_link(app)
    response = press_button(browser, admin_link, base_url)

    # The browser gets the cookie of an administrator, which is sent over HTTPS only. Browsers accept
    # a name with `__Host-` only for such a cookie, and only from the host itself.
    cookie = set_cookies(response)["__Host-scorepad_admin"]
    assert "; Secure" in cookie
    assert can_see_match(browser, match_url, base_url=base_url)
