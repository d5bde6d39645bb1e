"""What keeps a stranger out, and what a browser is told so that it helps."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from flask import Flask

from scorepad.matches import Pad
from scorepad.web.host_names import local_name
from tests.cookies import device_cookie
from tests.web.client import Client, Visit
from tests.web.player import Player
from tests.web.playing import ALL_GOOD, device, keys_of, match_of, play, start
from tests.web.scorer import let_in

PAGES = (
    "/", "/partite/nuova", "/niente", "/static/scorepad.css", "/static/niente.css", "/lingua", "/api/v1/variants",
    "/api/v1/nothing", "/api/v1/openapi.json",
)  # fmt: skip


@pytest.mark.parametrize("url", PAGES)
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
    missing = ("/static/niente.css", "/static/", "/static/../niente")
    for path in ("/", "/api/v1/variants", "/api/v1/nothing", *missing):
        assert client.raw.get(path).headers["Cache-Control"] == "private, no-cache"


def test_the_cookies_are_out_of_reach_of_scripts_and_of_other_sites(client: Client) -> None:
    told = client.raw.get("/partite/nuova").headers.getlist("Set-Cookie")
    names = {cookie.partition("=")[0] for cookie in told}
    assert names == {"scorepad_device", "scorepad_session"}
    for cookie in told:
        assert "HttpOnly" in cookie
        assert "SameSite=Lax" in cookie
        assert "Max-Age=34560000" in cookie or "Expires=" in cookie, "it outlasts the browser"


def test_a_device_is_128_bits_of_chance_and_more(visit: Visit) -> None:
    one, two = visit(), visit()
    one.get("/")
    two.get("/")
    assert device(one) != device(two)
    assert len(device(one)) * 6 >= 128


@pytest.mark.parametrize(
    ("path", "seen_by_viewers"),
    [
        ("", True),
        ("/nomi", False),
        ("/foglio.pdf", True),
        ("/smazzata", False),
        ("/smazzate/1/correggi", False),
        ("/arbitro/pozzo", True),
        ("/arbitro/decisioni", True),
        ("/tabellone", True),
        ("/andamento", True),
        ("/condividi", True),
        ("/risultato.png", True),
    ],
)
def test_a_match_of_another_device_is_answered_as_one_that_does_not_exist(
    player: Player, guest: Client, path: str, seen_by_viewers: bool
) -> None:
    player.play(ALL_GOOD)
    mine = guest.get(f"{player.match}{path}", 404)
    none = guest.get(f"/partite/zzzzzzzzzz{path}", 404)
    assert mine.one("h1").text == "Questa partita non c'è"
    assert mine.text == none.text
    let_in(player.client, player.match, guest, "scorepad_view")
    assert guest.raw.get(f"{player.match}{path}").status_code == (200 if seen_by_viewers else 403)


def addresses(app: Flask, url: str) -> Iterator[str]:
    """The address of every page, of a match and beside it."""
    values = {"match": match_of(url), "number": 1, "question": "pozzo", "entry": 1, "key": "k" * 26}
    with app.test_request_context():
        for rule in app.url_map.iter_rules():
            is_elsewhere = rule.endpoint.startswith(("api.", "own_rules."))  # test_house_rules.py
            if rule.arguments <= values.keys() and not is_elsewhere:
                asked = {name: values[name] for name in rule.arguments}
                yield app.url_for(rule.endpoint, **asked)


def test_nothing_changes_by_following_a_link(app: Flask, client: Client, pad: Pad) -> None:
    page = play(pad, client, start(client), ALL_GOOD)
    before = pad.state(match_of(page.url), device(client)).sequence
    for url in [*addresses(app, page.url)]:
        answer = client.raw.get(url)
        assert answer.status_code != 405 or "POST" in answer.headers["Allow"], url
    assert pad.state(match_of(page.url), device(client)).sequence == before


@pytest.mark.parametrize(
    "back",
    ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", ""],
)
def test_a_change_of_language_leads_to_no_other_site(client: Client, back: str) -> None:
    page = client.get("/")
    sent = page.values(page.form("English")) | {"language": "en", "back": back}
    answer = client.raw.post("/lingua", data=sent)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")


@pytest.mark.parametrize(("hosts", "status"), [
    (("localhost", "localhost:8765", "127.0.0.1:8765", "127.0.0.2", "[::1]:8765", "LOCALHOST"),
     200),
    ((local_name(),), 200),
    (("evil.example", "localhost.evil.example", "evil.local", "127.0.0.1.nip.io"), 400),
    (("0.0.0.0", "8.8.8.8", "224.0.0.1", "255.255.255.255", "[::]", "2130706433"), 400),
    (("localhost:0x", "user@localhost", "localhost/x", "local host"), 400),
], ids=["its own", "in the home network", "of others", "addresses of others", "no host"])  # fmt: skip
def test_the_machine_answers_to_its_own_names_and_to_no_other(
    client: Client, hosts: tuple[str, ...], status: int
) -> None:
    for host in hosts:
        answer = client.raw.get("/", headers={"Host": host})
        assert answer.status_code == status, host
        assert "Traceback" not in answer.text


def test_a_request_too_large_is_refused_in_words(client: Client) -> None:
    page = client.get("/partite/nuova")
    sent = page.values(page.form("Comincia: ")) | {"place": "x" * 300_000}
    assert client.post("/partite/nuova", sent, 413).one("h1").text == "È troppo"


@pytest.mark.parametrize(
    ("kind", "number"),
    [("application/x-www-form-urlencoded", 20_000), ("multipart/form-data", 2_100)],
)
def test_a_form_of_thousands_of_fields_is_refused_in_words_however_it_is_sent(
    client: Client, kind: str, number: int
) -> None:
    url = start(client)
    page = client.get("/partite/nuova")
    for path in ("/partite/nuova", "/lingua", f"{url}/smazzata"):
        sent = page.values(page.form("Comincia: ")) | {f"x{each}": "1" for each in range(number)}
        answer = client.raw.post(path, data=sent, content_type=kind)
        assert answer.status_code == 413
        assert "È troppo" in answer.text
    many = page.values(page.form("Comincia: ")) | {f"x{each}": "1" for each in range(1_000)}
    assert client.raw.post("/partite/nuova", data=many, content_type=kind).status_code == 303


@pytest.mark.parametrize(
    "data", [b"\xff\xfe=%zz&&&==", b"a" * 1000, b"%00=%00&name-0=%00", b"csrf_token=\xc3\x28"]
)
def test_a_body_that_no_browser_sends_is_answered_in_words(client: Client, data: bytes) -> None:
    answer = client.raw.post(
        "/partite/nuova", data=data, content_type="application/x-www-form-urlencoded"
    )
    assert answer.status_code in (400, 422)
    assert "Traceback" not in answer.text


@pytest.mark.parametrize("path", [
    "/partite/%00", "/partite/..%2f..%2fetc", "/partite/%F0%9F%92%A9", "/partite/" + "x" * 5000,
    "/static/../pyproject.toml", "/static/%2e%2e/pyproject.toml",
    "/static/", "/static/%00", "/static/count.js/x", "/?cerca=%ff%00",
    "/partite/a/smazzate/99999999999999999999/correggi",
])  # fmt: skip
def test_an_address_that_no_page_gives_is_answered_in_words(client: Client, path: str) -> None:
    answer = client.raw.get(path)
    assert answer.status_code in (200, 404)
    assert "[project]" not in answer.text


# ---------------------------------------------------------------- device cookies


def test_a_cookie_that_this_server_did_not_sign_is_replaced(client: Client) -> None:
    ours = device_cookie("A" * 32)
    for value in ("A" * 32, device_cookie("A" * 32, b"x" * 32), ours[:-1], "é", "."):
        client.raw.set_cookie("scorepad_device", value)
        client.get("/")
        assert device(client) != "A" * 32
        assert client.cookie("scorepad_device") != value


def test_a_renewed_cookie_that_never_came_back_and_is_planted_gives_nothing(
    client: Client, visit: Visit
) -> None:
    first, second = start(client), start(client)
    thief, victim = visit(), visit()
    thief.get("/")
    thief.raw.get(f"/e/{keys_of(client, first).view}")
    planted = thief.cookie("scorepad_device")
    victim.raw.set_cookie("scorepad_device", planted)
    victim.get(f"/e/{keys_of(client, second).view}")
    victim.get(second)
    thief.raw.set_cookie("scorepad_device", planted)
    thief.get(second, 404)


def test_a_page_that_asks_with_the_cookie_of_before_does_not_replace_the_new_one(
    client: Client, visit: Visit
) -> None:
    url, guest, late = start(client), visit(), visit()
    guest.get("/")
    late.raw.set_cookie("scorepad_device", guest.cookie("scorepad_device"))
    guest.get(f"/e/{keys_of(client, url).write}")
    for answer in (late.raw.get("/", headers={"Scorepad-Live": "1"}), late.raw.post(f"{url}/nomi")):
        assert "scorepad_device" not in "".join(answer.headers.getlist("Set-Cookie"))


def test_a_cookie_is_set_again_after_a_month_and_valid_whatever_the_clock_says(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.get("/")
    name, clock = device(client), time.time

    def after(days: int) -> list[str]:
        monkeypatch.setattr("itsdangerous.timed.time.time", lambda: clock() - days * 86400)
        client.raw.set_cookie("scorepad_device", device_cookie(name))
        monkeypatch.setattr("itsdangerous.timed.time.time", clock)
        told = client.raw.get("/").headers.getlist("Set-Cookie")
        return [cookie for cookie in told if cookie.startswith("scorepad_device")]

    assert after(29) == []
    for days in (31, 401, 56 * 365):
        assert len(after(days)) == 1
        assert device(client) == name
    assert after(-400) == [], "signed before the clock was set back"
    client.get("/")
    assert device(client) == name


# ---------------------------------------------------------------- under https


def test_under_https_cookies_are_for_https_and_this_host_alone(client: Client) -> None:
    https = "https://localhost"
    page = client.get("/partite/nuova", base_url=https)
    sent = page.values(page.form("Comincia: "))
    answer = client.raw.post(
        "/partite/nuova", data=sent, base_url=https, headers={"Referer": f"{https}/"}
    )
    told = [*page.answer.headers.getlist("Set-Cookie"), *answer.headers.getlist("Set-Cookie")]
    assert {cookie.partition("=")[0] for cookie in told} == {
        "__Host-scorepad_device", "__Host-scorepad_renewed", "__Host-scorepad_session",
        "__Secure-scorepad_write", "__Secure-scorepad_view",
    }  # fmt: skip
    for cookie in told:
        assert "; Secure" in cookie
        assert ("Path=/;" in cookie) is cookie.startswith("__Host-")
        assert "Domain" not in cookie
    url = answer.headers["Location"]
    assert client.raw.get(url, base_url=https).status_code == 200
    assert client.raw.get(url).status_code == 404, "a name without the prefix is another"
