"""What keeps strangers out of a pad: headers, cookies, host names and limits on what is sent."""

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
    # Tried are pages, a file, and addresses where there is nothing. test_mutated_requests.py tries
    # all routes.
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
    # The browser would insist on https, which a pad at home does not have.
    assert "Strict-Transport-Security" not in headers


@pytest.mark.parametrize("url", CASES["headers"])
def test_answer_under_https_has_strict_transport_security(client: Client, url: str) -> None:
    headers = client.raw.get(url, base_url="https://localhost").headers
    assert headers["Strict-Transport-Security"] == "max-age=31536000"  # a year


def test_stylesheet_is_cached_and_pages_are_not(client: Client) -> None:
    # A new version of the stylesheet has a new address.
    style = client.get("/").one("link", rel="stylesheet")["href"]
    headers_of_style = client.raw.get(style).headers
    assert "max-age=34560000" in headers_of_style["Cache-Control"]  # 400 days

    # With "no-cache" the browser asks each time whether a page has changed.
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
        # The cookie is still there after the browser was closed. Its age is 400 days.
        assert "Max-Age=34560000" in cookie or "Expires=" in cookie


def names_of(set_cookies: list[str]) -> set[str]:
    """Return the names of cookies, given the headers `Set-Cookie`."""
    return {cookie.partition("=")[0] for cookie in set_cookies}


def test_device_id_is_random_with_128_bits(visit: Visit) -> None:
    # Two browsers open the home page for the first time.
    first = visit()
    second = visit()
    first.get("/")
    second.get("/")

    assert device(first) != device(second)
    assert len(device(first)) * 6 >= 128, "each character of base64 holds 6 bits"


@pytest.mark.parametrize(("path", "status_for_viewers"), CASES["pages_of_a_match"])
def test_match_of_another_device_looks_like_no_match(
    leading: Player, guest: Client, path: str, status_for_viewers: int
) -> None:
    # One page is "/nomi", where the names are changed. Who may only look gets status 403 there. To
    # a stranger it says "This match does not exist", with the same text as if that were true.
    refused = guest.get(f"{leading.match}{path}", status=404)
    no_match = guest.get(f"/partite/zzzzzzzzzz{path}", status=404)
    assert refused.heading == "Questa partita non c'è"
    assert refused.text == no_match.text

    # The stranger comes in by the code to look.
    leading.let_in(guest, VIEW_COOKIE)
    answer = guest.raw.get(f"{leading.match}{path}")
    assert answer.status_code == status_for_viewers


def addresses_of_every_page(app: Flask, url: str) -> list[str]:
    """List the addresses of all pages, those of this match included.

    Left out are the API, the pages of house rules, and routes with other arguments than these, such
    as the name of a game.
    """
    no_such_key = "k" * 26
    values = {
        "match": match_of(url),
        "number": 1,
        "question": "pozzo",
        "entry": 1,
        "key": no_such_key,
    }
    addresses = []
    with app.test_request_context():
        for rule in app.url_map.iter_rules():
            is_left_out = rule.endpoint.startswith(("api.", "own_rules."))
            if not is_left_out and rule.arguments <= values.keys():
                # For example `/partite/<match>/arbitro/<question>`.
                arguments = {name: values[name] for name in rule.arguments}
                addresses.append(app.url_for(rule.endpoint, **arguments))
    return addresses


def test_get_requests_change_nothing(app: Flask, leading: Player) -> None:
    # Every change of a match is an entry of its log, and has the next number.
    log_position = leading.state.sequence

    for address in addresses_of_every_page(app, leading.match):
        answer = leading.client.raw.get(address)
        if answer.status_code == 405:
            assert "POST" in answer.headers["Allow"], address

    assert leading.state.sequence == log_position


@pytest.mark.parametrize("back", CASES["elsewhere"])
def test_change_of_language_does_not_redirect_elsewhere(client: Client, back: str) -> None:
    # The form of the button "English" holds the page to which it returns. One case is
    # "//evil.example", which a browser takes for another host.
    form = client.get("/").form_values("English")

    answer = client.raw.post("/lingua", data=form | {"language": "en", "back": back})

    assert answer.status_code == 303
    assert answer.location == "/"


@pytest.mark.parametrize(("host", "status"), [*CASES["hosts"], (local_name(), 200)])
def test_only_known_hosts_are_answered(client: Client, host: str, status: int) -> None:
    # One host is "evil.example". Its owner may point that name at the address of this machine. Then
    # pages of that site could read the pad, in the browser of whoever visits them.
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
    # A form may have 2,000 fields. To that of a new match many more are added.
    form = client.get("/partite/nuova").form_values("Comincia: ")
    too_many_fields = form | {f"x{field}": "1" for field in range(number)}

    for path in ("/partite/nuova", "/lingua", f"{start(client)}/smazzata"):
        refused = client.raw.post(path, data=too_many_fields, content_type=content_type)
        assert refused.status_code == 413
        assert "È troppo" in refused.text  # "It is too much"


@pytest.mark.parametrize(
    "content_type", ["application/x-www-form-urlencoded", "multipart/form-data"]
)
def test_form_with_a_thousand_fields_is_accepted(client: Client, content_type: str) -> None:
    # The form of a hand has many fields, but never as many as that.
    form = client.get("/partite/nuova").form_values("Comincia: ")
    many_fields = form | {f"x{field}": "1" for field in range(1_000)}

    accepted = client.raw.post("/partite/nuova", data=many_fields, content_type=content_type)

    assert accepted.status_code == 303


@pytest.mark.parametrize(
    "data",
    [b"\xff\xfe=%zz&&&==", b"a" * 1000, b"%00=%00&name-0=%00", b"csrf_token=\xc3\x28"],
    ids=["no form at all", "one long name", "null characters", "not UTF-8"],
)
def test_malformed_body_is_refused(client: Client, data: bytes) -> None:
    answer = client.raw.post(
        "/partite/nuova", data=data, content_type="application/x-www-form-urlencoded"
    )

    assert answer.status_code in (400, 422)
    assert "Traceback" not in answer.text


@pytest.mark.parametrize("path", [*CASES["odd_addresses"], "/partite/" + "x" * 5000])
def test_odd_address_is_answered_without_error(client: Client, path: str) -> None:
    # One address is "/static/../pyproject.toml", a file of the program that is not for browsers.
    answer = client.raw.get(path)

    assert answer.status_code in (200, 404)
    assert "[project]" not in answer.text  # a line of pyproject.toml


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
    # A device cookie holds the id of a device, here 32 times "A", and the signature of the pad.
    client.raw.set_cookie(DEVICE_COOKIE, cookie)

    client.get("/")

    # The browser is another device, with a cookie that the pad has signed.
    assert device(client) != "A" * 32
    assert client.cookie(DEVICE_COOKIE) != cookie


def test_planted_cookie_before_its_renewal_gives_no_access(client: Client, visit: Visit) -> None:
    first_match = start(client)
    second_match = start(client)
    thief = visit()
    victim = visit()
    thief.get("/")

    # A thief follows a link into a match, which renews the device cookie with the next request. The
    # thief makes none, and keeps the cookie as it is.
    thief.raw.get(f"/e/{keys_of(client, first_match).view}")
    planted_cookie = thief.cookie(DEVICE_COOKIE)

    # The thief plants it in the browser of a victim, who then comes into another match.
    victim.raw.set_cookie(DEVICE_COOKIE, planted_cookie)
    victim.get(f"/e/{keys_of(client, second_match).view}")
    victim.get(second_match)

    # The cookie of the victim was renewed. The planted one does not open that match.
    thief.raw.set_cookie(DEVICE_COOKIE, planted_cookie)
    thief.get(second_match, status=404)


def test_late_request_with_old_cookie_does_not_replace_the_new_one(
    client: Client, guest: Client, visit: Visit, url: str
) -> None:
    # A guest comes into a match, which renews the guest's device cookie. A second client stands for
    # requests of the same browser that were sent before, with the old cookie.
    guest.get("/")
    with_old_cookie = visit()
    with_old_cookie.raw.set_cookie(DEVICE_COOKIE, guest.cookie(DEVICE_COOKIE))
    let_in(client, url, guest)

    # They arrive only now: an open page fetches itself again, and a form is sent.
    polled = with_old_cookie.raw.get("/", headers={"Scorepad-Live": "1"})
    posted = with_old_cookie.raw.post(f"{url}/nomi")

    # Neither answer sets a device cookie, as it would replace the new one in the browser.
    assert DEVICE_COOKIE not in str(polled.headers)
    assert DEVICE_COOKIE not in str(posted.headers)


@pytest.mark.parametrize(
    ("days", "is_set_again"),
    [
        (29, False),
        (31, True),
        (401, True),  # browsers keep a cookie for 400 days
        (56 * 365, True),
        pytest.param(-400, False, id="signed before the clock was set back"),
    ],
)
def test_device_cookie_is_valid_for_ever_and_set_again_after_a_month(
    client: Client, monkeypatch: pytest.MonkeyPatch, days: int, is_set_again: bool
) -> None:
    client.get("/")
    own_device = device(client)

    # The cookie of the browser was signed some days ago.
    time_of_signing = time.time() - days * 24 * 60 * 60
    with monkeypatch.context() as patch:
        patch.setattr("itsdangerous.timed.time.time", lambda: time_of_signing)
        cookie = device_cookie(own_device)
    client.raw.set_cookie(DEVICE_COOKIE, cookie)

    answer = client.raw.get("/")

    assert device(client) == own_device
    has_new_cookie = f"{DEVICE_COOKIE}=" in str(answer.headers)
    assert has_new_cookie is is_set_again


# ---------------------------------------------------------------- under https


def test_cookies_under_https_are_secure_and_bound_to_the_host(client: Client) -> None:
    # A match is begun over https, by the form of the page of a new match.
    https = "https://localhost"
    page = client.get("/partite/nuova", base_url=https)
    form = page.form_values("Comincia: ")  # the button "Begin: …"
    headers = {"Referer": f"{https}/"}
    answer = client.raw.post("/partite/nuova", data=form, base_url=https, headers=headers)

    # "__Host-" begins the names of cookies for the whole site, "__Secure-" those of the two keys of
    # the match, which are sent to its own pages only.
    cookies = page.answer.headers.getlist("Set-Cookie") + answer.headers.getlist("Set-Cookie")
    assert names_of(cookies) == {
        "__Host-scorepad_device",
        "__Host-scorepad_renewed",
        "__Host-scorepad_session",
        "__Secure-scorepad_write",
        "__Secure-scorepad_view",
    }

    # A browser takes a cookie so named only if it is for https. One with "__Host-" must have the
    # path "/", and may not be for other hosts of the domain.
    for cookie in cookies:
        assert "; Secure" in cookie
        assert "Domain" not in cookie
        assert ("Path=/;" in cookie) is cookie.startswith("__Host-")

    # Over http the pad reads cookies by other names, and so the match is not found.
    match = answer.location
    assert client.raw.get(match, base_url=https).status_code == 200
    assert client.raw.get(match).status_code == 404
