"""What keeps a stranger out, and what a browser is told so that it helps."""

from __future__ import annotations

import time

import pytest
from flask import Flask

from scorepad.web.cookies import DEVICE_COOKIE, VIEW_COOKIE
from scorepad.web.host_names import local_name
from tests.cookies import device_cookie
from tests.web.client import Client, Visit
from tests.web.player import Player
from tests.web.playing import device, keys_of, match_of, start
from tests.web.scorer import let_in
from tests.web.tables import read_tables

CASES = read_tables("security")


@pytest.mark.parametrize("url", CASES["headers"])
def test_answer_has_security_headers(client: Client, url: str) -> None:
    """All routes are in test_mutated_requests.py."""
    headers = client.raw.get(url).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "Access-Control-Allow-Origin" not in headers
    assert "Strict-Transport-Security" not in headers


@pytest.mark.parametrize("url", CASES["headers"])
def test_answer_under_https_has_strict_transport_security(client: Client, url: str) -> None:
    headers = client.raw.get(url, base_url="https://localhost").headers
    assert headers["Strict-Transport-Security"] == "max-age=31536000"  # a year


def test_stylesheet_is_cached_and_pages_are_not(client: Client) -> None:
    style = client.get("/").one("link", rel="stylesheet")["href"]
    assert "max-age=34560000" in client.raw.get(style).headers["Cache-Control"]  # 400 days
    pages = ("/", "/api/v1/variants", "/api/v1/nothing")
    missing_files = ("/static/niente.css", "/static/", "/static/../niente")
    for path in (*pages, *missing_files):
        assert client.raw.get(path).headers["Cache-Control"] == "private, no-cache"


def test_cookies_are_http_only_same_site_and_lasting(client: Client) -> None:
    cookies = client.raw.get("/partite/nuova").headers.getlist("Set-Cookie")
    assert names_of(cookies) == {"scorepad_device", "scorepad_session"}
    for cookie in cookies:
        assert "HttpOnly" in cookie
        assert "SameSite=Lax" in cookie
        assert "Max-Age=34560000" in cookie or "Expires=" in cookie, "it outlasts the session"


def names_of(set_cookies: list[str]) -> set[str]:
    """The names of cookies, by their headers `Set-Cookie`."""
    return {cookie.partition("=")[0] for cookie in set_cookies}


def test_device_id_is_random_with_128_bits(visit: Visit) -> None:
    first = visit()
    second = visit()
    first.get("/")
    second.get("/")
    assert device(first) != device(second)
    assert len(device(first)) * 6 >= 128, "six bits a character"


@pytest.mark.parametrize(("path", "status_for_viewers"), CASES["pages_of_a_match"])
def test_match_of_another_device_looks_like_no_match(
    leading: Player, guest: Client, path: str, status_for_viewers: int
) -> None:
    refused = guest.get(f"{leading.match}{path}", status=404)
    no_match = guest.get(f"/partite/zzzzzzzzzz{path}", status=404)
    assert refused.heading == "Questa partita non c'è"  # "This match does not exist"
    assert refused.text == no_match.text

    leading.let_in(guest, VIEW_COOKIE)
    assert guest.raw.get(f"{leading.match}{path}").status_code == status_for_viewers


def addresses_of_every_page(app: Flask, url: str) -> list[str]:
    """The address of every page, those of this match included."""
    values = {"match": match_of(url), "number": 1, "question": "pozzo", "entry": 1, "key": "k" * 26}
    tested_elsewhere = ("api.", "own_rules.")
    addresses = []
    with app.test_request_context():
        for rule in app.url_map.iter_rules():
            if rule.endpoint.startswith(tested_elsewhere):
                continue
            if rule.arguments <= values.keys():
                arguments = {name: values[name] for name in rule.arguments}
                addresses.append(app.url_for(rule.endpoint, **arguments))
    return addresses


def test_get_requests_change_nothing(app: Flask, leading: Player) -> None:
    log_position = leading.state.sequence
    for address in addresses_of_every_page(app, leading.match):
        answer = leading.client.raw.get(address)
        if answer.status_code == 405:
            assert "POST" in answer.headers["Allow"], address
    assert leading.state.sequence == log_position


@pytest.mark.parametrize("back", CASES["elsewhere"])
def test_change_of_language_does_not_redirect_elsewhere(client: Client, back: str) -> None:
    """`back` is the page that is shown again."""
    form = client.get("/").form_values("English")

    answer = client.raw.post("/lingua", data=form | {"language": "en", "back": back})

    assert answer.status_code == 303
    assert answer.location == "/"


@pytest.mark.parametrize(("host", "status"), [*CASES["hosts"], (local_name(), 200)])
def test_only_known_hosts_are_answered(client: Client, host: str, status: int) -> None:
    """So that a page of another site cannot reach the pad by a host name that leads here."""
    answer = client.raw.get("/", headers={"Host": host})
    assert answer.status_code == status
    assert "Traceback" not in answer.text


def test_too_large_request_is_refused(client: Client) -> None:
    page = client.get("/partite/nuova")
    too_large = page.form_values("Comincia: ") | {"place": "x" * 300_000}
    refused = client.post("/partite/nuova", too_large, status=413)
    assert refused.heading == "È troppo"  # "It is too much"


@pytest.mark.parametrize(
    ("content_type", "number"),
    [("application/x-www-form-urlencoded", 20_000), ("multipart/form-data", 2_100)],
)
def test_form_with_too_many_fields_is_refused(
    client: Client, content_type: str, number: int
) -> None:
    form = client.get("/partite/nuova").form_values("Comincia: ")
    too_many_fields = form | {f"x{field}": "1" for field in range(number)}

    for path in ("/partite/nuova", "/lingua", f"{start(client)}/smazzata"):
        refused = client.raw.post(path, data=too_many_fields, content_type=content_type)
        assert refused.status_code == 413
        assert "È troppo" in refused.text


@pytest.mark.parametrize(
    "content_type", ["application/x-www-form-urlencoded", "multipart/form-data"]
)
def test_form_with_a_thousand_fields_is_accepted(client: Client, content_type: str) -> None:
    form = client.get("/partite/nuova").form_values("Comincia: ")
    many_fields = form | {f"x{field}": "1" for field in range(1_000)}

    accepted = client.raw.post("/partite/nuova", data=many_fields, content_type=content_type)

    assert accepted.status_code == 303


@pytest.mark.parametrize(
    "data", [b"\xff\xfe=%zz&&&==", b"a" * 1000, b"%00=%00&name-0=%00", b"csrf_token=\xc3\x28"]
)
def test_malformed_body_is_refused(client: Client, data: bytes) -> None:
    answer = client.raw.post(
        "/partite/nuova", data=data, content_type="application/x-www-form-urlencoded"
    )
    assert answer.status_code in (400, 422)
    assert "Traceback" not in answer.text


@pytest.mark.parametrize("path", [*CASES["odd_addresses"], "/partite/" + "x" * 5000])
def test_odd_address_is_answered_without_error(client: Client, path: str) -> None:
    answer = client.raw.get(path)
    assert answer.status_code in (200, 404)
    assert "[project]" not in answer.text


# ---------------------------------------------------------------- device cookies


@pytest.mark.parametrize(
    "cookie",
    [
        "A" * 32,
        device_cookie("A" * 32, b"x" * 32),
        device_cookie("A" * 32)[:-1],
        "é",
        ".",
    ],
    ids=["not signed", "signed by another", "cut short", "not ASCII", "a dot"],
)
def test_unsigned_device_cookie_is_replaced(client: Client, cookie: str) -> None:
    client.raw.set_cookie(DEVICE_COOKIE, cookie)

    client.get("/")

    assert device(client) != "A" * 32
    assert client.cookie(DEVICE_COOKIE) != cookie


def test_planted_cookie_before_its_renewal_gives_no_access(client: Client, visit: Visit) -> None:
    first_match = start(client)
    second_match = start(client)
    thief = visit()
    victim = visit()
    thief.get("/")
    # The answer to this link renews the cookie; the thief does not follow its redirect.
    thief.raw.get(f"/e/{keys_of(client, first_match).view}")
    planted_cookie = thief.cookie(DEVICE_COOKIE)

    victim.raw.set_cookie(DEVICE_COOKIE, planted_cookie)
    victim.get(f"/e/{keys_of(client, second_match).view}")
    victim.get(second_match)

    thief.raw.set_cookie(DEVICE_COOKIE, planted_cookie)
    thief.get(second_match, status=404)


def test_late_request_with_old_cookie_does_not_replace_the_new_one(
    client: Client, guest: Client, visit: Visit, url: str
) -> None:
    guest.get("/")
    with_old_cookie = visit()
    with_old_cookie.raw.set_cookie(DEVICE_COOKIE, guest.cookie(DEVICE_COOKIE))
    let_in(client, url, guest)  # renews the cookie of the guest

    polled = with_old_cookie.raw.get("/", headers={"Scorepad-Live": "1"})
    posted = with_old_cookie.raw.post(f"{url}/nomi")

    assert DEVICE_COOKIE not in str(polled.headers)
    assert DEVICE_COOKIE not in str(posted.headers)


@pytest.mark.parametrize(
    ("days", "is_set_again"),
    [
        (29, False),
        (31, True),
        (401, True),
        (56 * 365, True),
        pytest.param(-400, False, id="signed before the clock was set back"),
    ],
)
def test_device_cookie_is_valid_for_ever_and_set_again_after_a_month(
    client: Client, monkeypatch: pytest.MonkeyPatch, days: int, is_set_again: bool
) -> None:
    client.get("/")
    own_device = device(client)
    time_of_signing = time.time() - days * 24 * 60 * 60
    with monkeypatch.context() as patch:
        patch.setattr("itsdangerous.timed.time.time", lambda: time_of_signing)
        cookie = device_cookie(own_device)
    client.raw.set_cookie(DEVICE_COOKIE, cookie)

    answer = client.raw.get("/")

    assert device(client) == own_device
    assert (f"{DEVICE_COOKIE}=" in str(answer.headers)) is is_set_again


# ---------------------------------------------------------------- under https


def test_cookies_under_https_are_secure_and_bound_to_the_host(client: Client) -> None:
    https = "https://localhost"
    page = client.get("/partite/nuova", base_url=https)
    form = page.form_values("Comincia: ")
    headers = {"Referer": f"{https}/"}
    answer = client.raw.post("/partite/nuova", data=form, base_url=https, headers=headers)

    cookies = page.answer.headers.getlist("Set-Cookie") + answer.headers.getlist("Set-Cookie")
    assert names_of(cookies) == {
        "__Host-scorepad_device",
        "__Host-scorepad_renewed",
        "__Host-scorepad_session",
        "__Secure-scorepad_write",
        "__Secure-scorepad_view",
    }
    for cookie in cookies:
        assert "; Secure" in cookie
        assert ("Path=/;" in cookie) is cookie.startswith("__Host-")
        assert "Domain" not in cookie
    match = answer.location
    assert client.raw.get(match, base_url=https).status_code == 200
    assert client.raw.get(match).status_code == 404, "without https the cookies have other names"
