"""The home privilege: every match, for a browser that opened a one-time link, and for no address
and no host name.
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

NAME = "canasta.example"


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return shared_app(Config(tmp_path / "scorepad.db", b"k" * 32, (NAME,), testing=True))


@pytest.fixture
def url(visit: Visit) -> str:
    """A match that another browser started."""
    return start(visit())


@pytest.fixture
def link(app: Flask) -> str:
    """The link of the start."""
    return make_start_link(app)


@pytest.fixture
def home(client: Client, link: str) -> Client:
    """A browser that opened the link of the start, and so may see every match."""
    return with_link_opened(client, link)


def with_link_opened(client: Client, link: str) -> Client:
    client.submit(link, "Vedi tutte le partite")
    return client


def token_of(page: Page) -> str:
    return page.all("input", name="csrf_token")[0]["value"]


def press_button(client: Client, link: str, base_url: str) -> TestResponse:
    """The answer to the button of a link opened under this name."""
    page = client.get(link, base_url=base_url)
    form = {"csrf_token": token_of(page)}
    headers = {"Origin": base_url}
    return client.raw.post(link, data=form, base_url=base_url, headers=headers)


def set_cookies(answer: TestResponse) -> dict[str, str]:
    """The cookies that an answer sets, by their names."""
    return {cookie.partition("=")[0]: cookie for cookie in answer.headers.getlist("Set-Cookie")}


def sees(client: Client, url: str, **more: object) -> bool:
    """Whether a browser that never came in is shown the match: by itself, on the home page and in
    the files.
    """
    is_shown = client.raw.get(url, **more).status_code == 200
    home_page = client.raw.get("/", **more).text
    file_of_all = client.raw.get("/file/partite.json", **more).text
    assert (url in home_page) is is_shown
    assert (match_of(url) in file_of_all) is is_shown
    return is_shown


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8765", "127.0.0.1:8765", "[::1]:8765", "127.0.0.2", NAME]
)
@pytest.mark.parametrize("remote", ["127.0.0.1", "::1", "::ffff:127.0.0.1", "192.168.1.40", ""])
def test_no_address_and_no_host_name_shows_the_match_of_another(
    client: Client, url: str, host: str, remote: str
) -> None:
    environ = {"REMOTE_ADDR": remote}
    assert not sees(client, url, headers={"Host": host}, environ_overrides=environ)


@pytest.mark.parametrize("remote", ["127.0.0.1", "192.168.1.40"])
@pytest.mark.parametrize("host", ["localhost:8765", NAME])
def test_the_link_gives_every_match_under_the_name_under_which_it_is_opened(
    client: Client, link: str, url: str, host: str, remote: str
) -> None:
    base_url = f"http://{host}"
    client.raw.environ_base |= {"HTTP_HOST": host, "REMOTE_ADDR": remote}
    assert not sees(client, url, base_url=base_url)

    answer = press_button(client, link, base_url)

    assert answer.status_code == 303
    assert answer.location == "/"
    cookie = set_cookies(answer)[ADMIN_COOKIE]
    for attribute in ("HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=34560000"):
        assert attribute in cookie
    assert sees(client, url, base_url=base_url)


def test_a_link_works_once(link: str, visit: Visit, url: str) -> None:
    first = with_link_opened(visit(), link)
    assert sees(first, url)

    second = visit()
    opened_late = second.get(link, status=404)
    assert "scorepad link --admin" in opened_late.text
    form = {"csrf_token": token_of(second.get("/"))}
    pressed_late = second.post(link, form, status=404)
    assert pressed_late.heading == "Questo link non vale"
    assert not sees(second, url)


@pytest.mark.parametrize("token", ["x", "a" * 26, "%00", "x" * 5000])
def test_a_link_that_nobody_made_does_not_work(client: Client, token: str) -> None:
    page = client.get(f"/casa/{token}", status=404)
    assert page.heading == "Questo link non vale"


def test_on_the_device_that_has_the_privilege_a_link_leads_home_and_stays_unused(
    home: Client, visit: Visit, url: str
) -> None:
    link = make_start_link(home.app)
    assert home.get(link).url == "/"
    assert sees(with_link_opened(visit(), link), url)


def test_whoever_only_looks_at_the_address_does_not_use_it_up(
    link: str, visit: Visit, url: str, pad: Pad, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs that show what is behind a link fetch it; it does not end with time either."""
    for method in ("HEAD", "GET", "OPTIONS"):
        prefetched = visit().raw.open(link, method=method, headers={"Sec-Purpose": "prefetch"})
        assert prefetched.status_code == 200
        assert ADMIN_COOKIE not in set_cookies(prefetched)
    fetched = visit().raw.get(link)
    assert fetched.headers["Cache-Control"] == "no-store"
    assert fetched.headers["Referrer-Policy"] == "no-referrer"
    without_token = visit().raw.post(link, data={"csrf_token": "x"})
    assert without_token.status_code == 400

    in_ninety_days = pad.context.clock() + timedelta(days=90)
    monkeypatch.setattr(pad.context, "clock", lambda: in_ninety_days)
    assert sees(with_link_opened(visit(), link), url)


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
def test_a_page_of_another_site_uses_no_privilege(
    home: Client, url: str, headers: dict[str, str]
) -> None:
    for path in ("/file/partite.json", "/file/righe.csv"):
        refused = home.raw.get(path, headers=headers)
        assert refused.status_code == 403
        assert "Questa pagina non viene da qui" in refused.text
    assert home.raw.get(url, headers=headers).status_code == 404
    assert url not in home.raw.get("/", headers=headers).text


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": "http://localhost"},
        {},
    ],
)
def test_a_page_of_the_pad_does(home: Client, url: str, headers: dict[str, str]) -> None:
    assert sees(home, url, headers=headers)


@pytest.mark.parametrize(
    ("cookie", "value"),
    [
        *[(ADMIN_COOKIE, value) for value in ("", "1", "@keeper", "ImEi.aSFhsA.AAAA", "é")],
        pytest.param(ADMIN_COOKIE, admin_cookie(b"x" * 32), id="signed with another key"),
        ("scorepad_device", "@keeper"),
        ("scorepad_device", "@admin:" + "d" * 32),
    ],
)
def test_a_cookie_that_this_server_did_not_sign_gives_nothing(
    client: Client, url: str, cookie: str, value: str
) -> None:
    client.raw.set_cookie(cookie, value)
    assert not sees(client, url)


def test_it_owns_the_matches_and_writes_under_its_own_name(
    home: Client, pad: Pad, url: str
) -> None:
    match = match_of(url)

    home.submit(f"{url}/telefoni", "Noi")
    assert pad.access(match, device(home)) is Access.WRITE, "for when the cookie is lost"

    home.submit(f"{url}/nomi", "Salva", name_0="Nonni")
    with pad.context.storage.reading() as rows:
        last_entry = rows.entries(match)[-1]
    assert last_entry.device == hash_device_id(device(home))


def test_the_cookie_outlasts_a_new_start_and_the_link_of_the_one_before_does_not(
    home: Client, url: str, tmp_path: Path
) -> None:
    link_of_before = make_start_link(home.app)

    restarted = create_app(Config(tmp_path / "scorepad.db", b"k" * 32, testing=True))
    client = Client(restarted)

    client.get(link_of_before, status=404)
    client.raw.set_cookie(ADMIN_COOKIE, home.cookie(ADMIN_COOKIE))
    assert sees(client, url)


# ---------------------------------------------------------------- links of the command line


def test_a_link_made_by_another_process_works_once_and_the_file_holds_no_token(
    visit: Visit, url: str, tmp_path: Path
) -> None:
    other_process = create_app(Config(tmp_path / "scorepad.db", b"k" * 32))
    token = setup_of(other_process).pad.devices.make_admin_link()
    assert token.encode() not in (tmp_path / "scorepad.db").read_bytes()

    client = with_link_opened(visit(), f"/casa/{token.upper()}")
    assert sees(client, url)
    visit().get(f"/casa/{token}", status=404)


@pytest.mark.parametrize(
    ("seconds", "status"),
    [(899, 200), (900, 404), pytest.param(-1, 404, id="the clock was set back")],
)
def test_it_ends_after_a_quarter_of_an_hour(
    client: Client, pad: Pad, monkeypatch: pytest.MonkeyPatch, seconds: int, status: int
) -> None:
    """Where the clock was set back it ends at once, lest it last longer."""
    token = pad.devices.make_admin_link()
    later = pad.context.clock() + timedelta(seconds=seconds)
    monkeypatch.setattr(pad.context, "clock", lambda: later)
    client.get(f"/casa/{token}", status)
    assert pad.devices.use_admin_link(token) is (status == 200)


@pytest.mark.parametrize("made_by", ["the start", "the command line"])
def test_of_ten_that_open_it_at_once_one_gets_the_privilege(
    app: Flask, visit: Visit, pad: Pad, made_by: str
) -> None:
    link = make_start_link(app)
    if made_by == "the command line":
        link = f"/casa/{pad.devices.make_admin_link()}"
    clients = [visit() for _ in range(10)]
    tokens = [token_of(client.get(link)) for client in clients]

    def status_of_press(number: int) -> int:
        form = {"csrf_token": tokens[number]}
        return clients[number].raw.post(link, data=form).status_code

    statuses = at_once(status_of_press, 10)

    assert sorted(statuses) == [303] + [404] * 9


# ---------------------------------------------------------------- under https


def test_behind_a_proxy_the_same_link_works_and_its_cookie_is_for_https_alone(
    tmp_path: Path, url: str
) -> None:
    app = create_app(Config(tmp_path / "scorepad.db", b"k" * 32, (NAME,), proxies=1, testing=True))
    client = Client(app)
    client.raw.environ_base |= {
        "HTTP_X_FORWARDED_PROTO": "https",
        "HTTP_X_FORWARDED_FOR": "203.0.113.7",
    }
    base_url = f"https://{NAME}"
    assert not sees(client, url, base_url=base_url)

    answer = press_button(client, make_start_link(app), base_url)

    assert "; Secure" in set_cookies(answer)["__Host-scorepad_admin"]
    assert sees(client, url, base_url=base_url)
