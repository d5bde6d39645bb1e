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
def test_every_answer_carries_the_headers_that_keep_it_safe(client: Client, url: str) -> None:
    """That every route does is in test_mutated_requests.py."""
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
    by_https = client.raw.get(url, base_url="https://localhost").headers
    assert by_https["Strict-Transport-Security"] == "max-age=31536000"


def test_a_page_is_kept_by_nobody_and_a_stylesheet_for_long(client: Client) -> None:
    style = client.get("/").one("link", rel="stylesheet")["href"]
    assert "max-age=34560000" in client.raw.get(style).headers["Cache-Control"]
    pages = ("/", "/api/v1/variants", "/api/v1/nothing")
    missing_files = ("/static/niente.css", "/static/", "/static/../niente")
    for path in (*pages, *missing_files):
        assert client.raw.get(path).headers["Cache-Control"] == "private, no-cache"


def test_the_cookies_are_out_of_reach_of_scripts_and_of_other_sites(client: Client) -> None:
    cookies = client.raw.get("/partite/nuova").headers.getlist("Set-Cookie")
    assert names_of(cookies) == {"scorepad_device", "scorepad_session"}
    for cookie in cookies:
        assert "HttpOnly" in cookie
        assert "SameSite=Lax" in cookie
        assert "Max-Age=34560000" in cookie or "Expires=" in cookie, "it outlasts the browser"


def names_of(set_cookies: list[str]) -> set[str]:
    """The names of cookies, by their headers `Set-Cookie`."""
    return {cookie.partition("=")[0] for cookie in set_cookies}


def test_a_device_is_128_bits_of_chance_and_more(visit: Visit) -> None:
    first = visit()
    second = visit()
    first.get("/")
    second.get("/")
    assert device(first) != device(second)
    assert len(device(first)) * 6 >= 128, "six bits a character"


@pytest.mark.parametrize(("path", "status_for_viewers"), CASES["pages_of_a_match"])
def test_a_match_of_another_device_is_answered_as_one_that_does_not_exist(
    leading: Player, guest: Client, path: str, status_for_viewers: int
) -> None:
    refused = guest.get(f"{leading.match}{path}", status=404)
    no_match = guest.get(f"/partite/zzzzzzzzzz{path}", status=404)
    assert refused.heading == "Questa partita non c'è"
    assert refused.text == no_match.text

    leading.let_in(guest, VIEW_COOKIE)
    assert guest.raw.get(f"{leading.match}{path}").status_code == status_for_viewers


def addresses_of_every_page(app: Flask, url: str) -> list[str]:
    """The address of every page, of a match and beside it."""
    values = {"match": match_of(url), "number": 1, "question": "pozzo", "entry": 1, "key": "k" * 26}
    addresses = []
    with app.test_request_context():
        for rule in app.url_map.iter_rules():
            is_elsewhere = rule.endpoint.startswith(("api.", "own_rules."))  # test_house_rules.py
            if rule.arguments <= values.keys() and not is_elsewhere:
                arguments = {name: values[name] for name in rule.arguments}
                addresses.append(app.url_for(rule.endpoint, **arguments))
    return addresses


def test_nothing_changes_by_following_a_link(app: Flask, leading: Player) -> None:
    log_position = leading.state.sequence
    for address in addresses_of_every_page(app, leading.match):
        answer = leading.client.raw.get(address)
        assert answer.status_code != 405 or "POST" in answer.headers["Allow"], address
    assert leading.state.sequence == log_position


@pytest.mark.parametrize("back", CASES["elsewhere"])
def test_a_change_of_language_leads_to_no_other_site(client: Client, back: str) -> None:
    """`back`, the page that is shown again, is made up."""
    page = client.get("/")
    form = page.form_values("English")
    answer = client.raw.post("/lingua", data=form | {"language": "en", "back": back})
    assert answer.status_code == 303
    assert answer.location == "/"


@pytest.mark.parametrize(("host", "status"), [*CASES["hosts"], (local_name(), 200)])
def test_the_machine_answers_to_its_own_names_and_to_no_other(
    client: Client, host: str, status: int
) -> None:
    """Lest a page of another site reach the pad under a name that leads here."""
    answer = client.raw.get("/", headers={"Host": host})
    assert answer.status_code == status
    assert "Traceback" not in answer.text


def test_a_request_too_large_is_refused_in_words(client: Client) -> None:
    page = client.get("/partite/nuova")
    too_large = page.form_values("Comincia: ") | {"place": "x" * 300_000}
    refused = client.post("/partite/nuova", too_large, status=413)
    assert refused.heading == "È troppo"


@pytest.mark.parametrize(
    ("kind", "number"),
    [("application/x-www-form-urlencoded", 20_000), ("multipart/form-data", 2_100)],
)
def test_a_form_of_thousands_of_fields_is_refused_in_words_however_it_is_sent(
    client: Client, kind: str, number: int
) -> None:
    page = client.get("/partite/nuova")
    form = page.form_values("Comincia: ")
    too_many_fields = form | {f"x{field}": "1" for field in range(number)}
    many_fields = form | {f"x{field}": "1" for field in range(1_000)}

    for path in ("/partite/nuova", "/lingua", f"{start(client)}/smazzata"):
        refused = client.raw.post(path, data=too_many_fields, content_type=kind)
        assert refused.status_code == 413
        assert "È troppo" in refused.text

    accepted = client.raw.post("/partite/nuova", data=many_fields, content_type=kind)
    assert accepted.status_code == 303


@pytest.mark.parametrize(
    "data", [b"\xff\xfe=%zz&&&==", b"a" * 1000, b"%00=%00&name-0=%00", b"csrf_token=\xc3\x28"]
)
def test_a_body_that_no_browser_sends_is_answered_in_words(client: Client, data: bytes) -> None:
    answer = client.raw.post(
        "/partite/nuova", data=data, content_type="application/x-www-form-urlencoded"
    )
    assert answer.status_code in (400, 422)
    assert "Traceback" not in answer.text


@pytest.mark.parametrize("path", [*CASES["odd_addresses"], "/partite/" + "x" * 5000])
def test_an_address_that_no_page_gives_is_answered_in_words(client: Client, path: str) -> None:
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
def test_a_cookie_that_this_server_did_not_sign_is_replaced(client: Client, cookie: str) -> None:
    client.raw.set_cookie(DEVICE_COOKIE, cookie)
    client.get("/")
    assert device(client) != "A" * 32
    assert client.cookie(DEVICE_COOKIE) != cookie


def test_a_renewed_cookie_that_never_came_back_and_is_planted_gives_nothing(
    client: Client, visit: Visit
) -> None:
    first_match = start(client)
    second_match = start(client)
    thief = visit()
    victim = visit()
    thief.get("/")
    # The answer to this link renews the cookie, and the thief does not follow it.
    thief.raw.get(f"/e/{keys_of(client, first_match).view}")
    planted = thief.cookie(DEVICE_COOKIE)

    victim.raw.set_cookie(DEVICE_COOKIE, planted)
    victim.get(f"/e/{keys_of(client, second_match).view}")
    victim.get(second_match)

    thief.raw.set_cookie(DEVICE_COOKIE, planted)
    thief.get(second_match, status=404)


def test_a_page_that_asks_with_the_cookie_of_before_does_not_replace_the_new_one(
    client: Client, guest: Client, visit: Visit, url: str
) -> None:
    guest.get("/")
    late_request = visit()
    late_request.raw.set_cookie(DEVICE_COOKIE, guest.cookie(DEVICE_COOKIE))
    let_in(client, url, guest)  # renews the cookie of the guest

    asked = late_request.raw.get("/", headers={"Scorepad-Live": "1"})
    sent = late_request.raw.post(f"{url}/nomi")

    assert DEVICE_COOKIE not in str(asked.headers)
    assert DEVICE_COOKIE not in str(sent.headers)


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
def test_a_cookie_is_set_again_after_a_month_and_valid_whatever_the_clock_says(
    client: Client, monkeypatch: pytest.MonkeyPatch, days: int, is_set_again: bool
) -> None:
    now = time.time
    client.get("/")
    name = device(client)
    with monkeypatch.context() as patch:
        patch.setattr("itsdangerous.timed.time.time", lambda: now() - days * 86400)
        cookie = device_cookie(name)
    client.raw.set_cookie(DEVICE_COOKIE, cookie)

    answer = client.raw.get("/")

    assert device(client) == name
    assert (f"{DEVICE_COOKIE}=" in str(answer.headers)) is is_set_again


# ---------------------------------------------------------------- under https


def test_under_https_cookies_are_for_https_and_this_host_alone(client: Client) -> None:
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
    assert client.raw.get(match).status_code == 404, "a name without the prefix is another"
