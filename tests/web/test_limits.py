"""Who asks too much in too short a time is refused in words, and a full table never is."""

from __future__ import annotations

import time
from http import HTTPStatus
from pathlib import Path
from types import SimpleNamespace

import pytest
from flask import Flask

from scorepad.app import Config, create_app
from scorepad.matches import Pad
from scorepad.matches.keys import new_key
from scorepad.web.cookies import DEVICE_COOKIE
from scorepad.web.rate_limits import Action
from scorepad.web.request_limits import (
    check_action_left,
    count_action,
    makes_or_reads_file,
    network_of,
)
from tests.cookies import admin_cookie, device_cookie
from tests.web.client import Client, Page, Visit, check
from tests.web.playing import device, keys_of, match_of, start

TOO_MANY_REQUESTS = HTTPStatus.TOO_MANY_REQUESTS
SHEET = "/partite/zzzzzzzzzz/foglio.pdf"
"""The score sheet of a match that does not exist. A request for it is answered with 404, and it is
counted like any other.
"""


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Stop the clock of the limits, and return it: its `seconds` pass only where a test says so."""
    now = SimpleNamespace(seconds=1_000_000)
    monkeypatch.setattr("pyrate_limiter.clocks.monotonic_ns", lambda: now.seconds * 10**9)
    return now


def use_up(client: Client, action: Action) -> None:
    """Do something as often as one phone may in a minute, and check that it is never refused.

    That is to ask for sheets of a match that does not exist, or to enter with wrong keys: both are
    answered with 404, and too many of them with 429.
    """
    paths = {Action.FILE: SHEET, Action.WRONG_KEY: f"/e/{new_key()}"}
    limit = action.value
    for _ in range(limit.most_per_phone):
        assert client.raw.get(paths[action]).status_code == 404


# ---------------------------------------------------------------- a full table


def test_sixteen_phones_may_enter_and_ask_for_four_sheets_each(
    client: Client, visit: Visit, clock: SimpleNamespace
) -> None:
    # Sixteen phones enter a match by its link, and see it on their home pages. All have the same
    # address, that of their home network. Because of `clock` no time passes in between.
    link = f"/e/{keys_of(client, start(client)).write}"
    phones = [visit() for _ in range(16)]
    for phone in phones:
        assert phone.raw.get(link).status_code == 303
        assert phone.get("/").all("a", class_="match")

    # At its end each takes four files, such as the score sheet. Here it is that of a match that does
    # not exist. None of them is refused, which would be the status 429.
    for phone in phones:
        for _ in range(4):
            sheet = phone.raw.get("/partite/zzzzzzzzzz/foglio.pdf")
            assert sheet.status_code == 404


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        # A search, and a question whether a match has changed.
        ("HEAD", "/?cerca=pozzo", 200),
        ("HEAD", "/partite/zzzzzzzzzz/stato", 404),
        # A hand that is saved, and one that is checked while it is typed.
        ("POST", "/partite/zzzzzzzzzz/smazzata", 404),
        ("POST", "/partite/zzzzzzzzzz/smazzata/controllo", 404),
        # A program that asks for the score of a hand, and for a ruling.
        ("POST", "/api/v1/score", 415),
        ("POST", "/api/v1/rulings", 415),
    ],
)
def test_ordinary_requests_are_not_counted(
    client: Client, clock: SimpleNamespace, method: str, path: str, status: int
) -> None:
    client.get("/")

    answer = client.raw.open(path, method=method)

    # Whatever the answer is, neither the phone nor its address has a counter.
    assert answer.status_code == status
    counts = client.app.extensions["scorepad.limits"]
    assert not list(counts.phones._values)
    assert not list(counts.addresses._values)


def counted_endpoints(app: Flask) -> list[str]:
    """Return the endpoints of the app whose GET requests count as making a file."""
    rules_for_get = [rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or set())]
    counted = set()
    for rule in rules_for_get:
        # An address for this rule: /partite/<id>/smazzate/<int:number> needs a number. In place of
        # the id any text will do, also "<id>".
        address = rule.rule.replace("<int:number>", "1")

        # Within a request to this address Flask knows its endpoint, and so does the function.
        with app.test_request_context(address):
            is_counted = makes_or_reads_file()
        if is_counted:
            counted.add(rule.endpoint)
    return sorted(counted)


def test_requests_that_make_a_file_are_counted(app: Flask) -> None:
    assert counted_endpoints(app) == [
        "api.export",
        "files.every",
        "files.every_row",
        "files.rows",
        "files.whole",
        "rulebook.blank",
        "rulebook.card",
        "share.picture",
        "share.sheet",
    ]


@pytest.mark.parametrize("path", ["/file", "/ricevi"])
def test_upload_of_a_file_is_counted(app: Flask, path: str) -> None:
    with app.test_request_context(path, method="POST"):
        assert makes_or_reads_file()


# ---------------------------------------------------------------- too much


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("action", "path"),
    [(Action.FILE, SHEET), (Action.WRONG_KEY, "/e/nessuno")],
)
def test_too_many_requests_are_refused_with_a_page(
    client: Client, guest: Client, clock: SimpleNamespace, action: Action, path: str
) -> None:
    # With its first page a phone gets the cookie by which the pad knows it. It then asks for score
    # sheets, or enters with wrong keys, as often as it may in a minute. There are no such sheets and
    # keys, so the status is 404 each time.
    client.get("/regole")
    use_up(client, action)

    # The next request is refused with a page. It may be made again after a second.
    refused = client.raw.get(path)
    assert refused.status_code == TOO_MANY_REQUESTS
    assert refused.headers["Retry-After"] == "1"
    check(Page(refused, path), "it")

    # The phone may still see other pages. Another phone is not refused: 404, as above.
    client.get("/regole", status=200)
    guest.get("/regole")
    guest.get(path, status=404)

    # After that second neither is the first phone.
    clock.seconds += 1
    client.get(path, status=404)


def test_right_key_is_accepted_after_many_wrong_ones(
    client: Client, visit: Visit, clock: SimpleNamespace
) -> None:
    right_key = keys_of(client, start(client)).view
    limit = Action.WRONG_KEY.value

    # Phones with the same address, a new one each time, try all the 480 wrong keys that an address
    # may try in a minute. The time stands still. One more is refused.
    for _ in range(limit.most_per_address):
        visit().raw.get(f"/e/{new_key()}")
    assert visit().raw.get(f"/e/{new_key()}").status_code == TOO_MANY_REQUESTS

    # From this address a guest enters with the right key, more often than it might try wrong ones.
    guest = visit()
    for _ in range(limit.most_per_phone + 1):
        assert guest.raw.get(f"/e/{right_key}").status_code == 303

    # A program may use the right key too.
    headers = {"Authorization": f"Bearer {right_key}"}
    assert guest.raw.get("/api/v1/matches", headers=headers).status_code == 200


def status_of_wrong_code(client: Client, address: str) -> int:
    """Type a wrong short code on a phone of this address, and return the status of the answer.

    The phone has no device cookie then, so that it is not limited as a phone but as its address.
    """
    environ = {"REMOTE_ADDR": address}
    page = Page(client.raw.get("/entra", environ_base=environ), "/entra")
    form = page.form_values("Entra") | {"code": "AAAAAA"}
    client.raw.delete_cookie(DEVICE_COOKIE)
    return client.raw.post("/entra", data=form, environ_base=environ).status_code


def test_wrong_codes_from_many_addresses_leave_tries_to_others(
    visit: Visit, clock: SimpleNamespace
) -> None:
    # By the limit `Action.SHORT_CODE` an address may try 60 codes in ten minutes. Its first 2 tries
    # are reserved for it. The other 58 come out of 300, which all addresses share. Because of
    # `clock` no time passes here.
    #
    # A thief uses up all 300 from six addresses, as 6 × 58 are 348.
    thief = visit()
    for number in range(6):
        for _ in range(60):
            status_of_wrong_code(thief, f"10.0.0.{number}")

    # Another address still has its own 2: the code is wrong (404), but the request is not refused.
    assert status_of_wrong_code(visit(), "10.0.1.1") == 404
    assert status_of_wrong_code(visit(), "10.0.1.1") == 404
    assert status_of_wrong_code(visit(), "10.0.1.1") == TOO_MANY_REQUESTS


def test_wrong_codes_of_one_address_are_limited(visit: Visit, clock: SimpleNamespace) -> None:
    for _ in range(Action.SHORT_CODE.value.most_per_address):
        assert status_of_wrong_code(visit(), "10.0.0.1") == 404
    assert status_of_wrong_code(visit(), "10.0.0.1") == TOO_MANY_REQUESTS


def test_new_devices_of_one_address_are_limited(
    app: Flask, client: Client, pad: Pad, clock: SimpleNamespace
) -> None:
    match = start(client)
    link = f"/e/{keys_of(client, match).write}"
    most = Action.ENTER.value.most_per_address

    # A new device without cookies enters the match by its link.
    def status_of_new_device(address: str) -> int:
        return app.test_client().get(link, environ_base={"REMOTE_ADDR": address}).status_code

    # As many as may do so from one address do. One more is refused, but not from another address.
    for _ in range(most):
        assert status_of_new_device("10.0.0.1") == 303
    assert status_of_new_device("10.0.0.1") == TOO_MANY_REQUESTS
    assert status_of_new_device("10.0.0.2") == 303

    # A device that is in the match already is not limited.
    assert client.raw.get(link).status_code == 303

    # The match has the devices of the first address, one of the second, and its owner.
    devices = pad.devices.list_devices(match_of(match), device(client))
    assert len(devices) == most + 2


def test_one_home_network_cannot_use_up_the_shared_limit() -> None:
    # For each address its reserve comes on top of what all addresses share. Even if the 254
    # addresses of a home network use up both, that is not more than all together may do.
    hosts_of_home_network = 254
    for action in (Action.SHORT_CODE, Action.BEGIN, Action.ENTER):
        limit = action.value
        reserves = hosts_of_home_network * limit.reserve_per_address
        assert limit.most_shared + reserves <= limit.most_in_all


def test_too_many_api_requests_are_refused_in_json(app: Flask, clock: SimpleNamespace) -> None:
    # A program has sent a wrong key as often as it may.
    headers = {"Accept-Language": "en", "Authorization": "Bearer x"}
    program = app.test_client()
    for _ in range(Action.WRONG_KEY.value.most_per_phone):
        assert program.get("/api/v1/matches", headers=headers).status_code == 401

    answer = program.get("/api/v1/matches", headers=headers)

    assert answer.status_code == TOO_MANY_REQUESTS
    assert answer.headers["Retry-After"] == "1"
    assert answer.headers["Content-Language"] == "en"
    assert answer.json["code"] == "too-many"
    assert answer.json["error"].startswith("Too many")

    # What needs no key is answered.
    assert program.get("/api/v1/variants").status_code == 200


def test_invalid_device_cookie_is_counted_by_address_only(
    app: Flask, clock: SimpleNamespace
) -> None:
    # A browser sends a cookie that the pad has not signed. It may ask for more sheets than one
    # phone may, because only its address is counted, which may do more.
    browser = app.test_client(use_cookies=False)
    headers = {"Cookie": f"{DEVICE_COOKIE}={'x' * 3000}"}
    for _ in range(Action.FILE.value.most_per_phone + 1):
        assert browser.get(SHEET, headers=headers).status_code == 404


def test_counts_of_many_phones_are_bounded(app: Flask, clock: SimpleNamespace) -> None:
    # 5000 phones ask for a file, each with its own cookie. There are 250 of them at each of twenty
    # addresses.
    for number in range(5000):
        cookie = device_cookie(f"{number:032}")
        headers = {"Cookie": f"{DEVICE_COOKIE}={cookie}"}
        environ = {"REMOTE_ADDR": f"10.0.{number // 250}.9"}
        with app.test_request_context("/", headers=headers, environ_base=environ):
            count_action(Action.FILE)

    # The pad has counters for at most 4096 phones, and for as many addresses. It has dropped those
    # of the first phones.
    counts = app.extensions["scorepad.limits"]
    assert len(counts.phones._values) == 4096
    assert len(counts.addresses._values) == 20


def test_limits_can_be_switched_off(tmp_path: Path, clock: SimpleNamespace) -> None:
    app = create_app(Config(tmp_path / "x.db", b"k" * 32, limited=False, testing=True))
    client = Client(app)
    client.get("/regole")

    # With limits a phone may ask for 120 sheets in a minute. Here it asks for twice as many while
    # the time stands still. The status is 404 each time, because there is no such match. It would be
    # 429 if a request were refused.
    for _ in range(2 * Action.FILE.value.most_per_phone):
        assert client.raw.get("/partite/zzzzzzzzzz/foglio.pdf").status_code == 404


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.168.1.7", "192.168.1.7"),
        # One customer of a provider has many IPv6 addresses: all with the same first 64 bits.
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"),
        # An IPv4 address as a server that listens for IPv6 is told it.
        ("::ffff:192.0.2.7", "192.0.2.7"),
        # What is no address stays as it is.
        ("", ""),
        ("unix:", "unix:"),
    ],
)
def test_network_of_address(address: str, network: str) -> None:
    assert network_of(address) == network


def test_clock_set_back_refuses_nobody(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    client.get("/regole")
    use_up(client, Action.FILE)

    # The wall clock is set back to 1970. The limits go by a clock that nobody can set.
    monkeypatch.setattr("time.time", lambda: 0.0)

    # This would raise TooManyRequests.
    with client.app.test_request_context("/foglio.pdf"):
        check_action_left(Action.FILE)


# ---------------------------------------------------------------- matches begun


NEW_MATCH = {"variant": "classica", "names": ["Noi", "Loro"]}


def test_too_many_matches_of_one_address_are_refused_for_some_seconds(
    app: Flask, client: Client, clock: SimpleNamespace
) -> None:
    # An address may begin 240 matches in an hour, and after that one every 15 seconds. A request
    # that does not begin one, like these 239 empty ones, counts as well.
    program = app.test_client()
    form = client.get("/partite/nuova")
    for _ in range(239):
        assert program.post("/api/v1/matches", json={}).status_code == 400
    assert program.post("/api/v1/matches", json=NEW_MATCH).status_code == 201

    # A program that begins one more is refused with "too many matches".
    refused = program.post("/api/v1/matches", json=NEW_MATCH)
    assert refused.status_code == TOO_MANY_REQUESTS
    assert refused.json["code"] == "many-matches"
    assert refused.headers["Retry-After"] == "15"
    assert "troppe partite" in refused.json["error"]

    # So is a person at the form, which keeps the name that was typed.
    refused_page = client.submit(form, "Comincia", TOO_MANY_REQUESTS, name_0="Zia Pina")
    assert "troppe partite" in refused_page.one("p", class_="lead").text
    assert "Zia Pina" in refused_page.text

    # Another address may begin one.
    elsewhere = {"REMOTE_ADDR": "10.0.0.7"}
    of_another_address = program.post("/api/v1/matches", json=NEW_MATCH, environ_base=elsewhere)
    assert of_another_address.status_code == 201

    # After 15 seconds this address may begin one, but not two.
    clock.seconds += 15
    assert program.post("/api/v1/matches", json=NEW_MATCH).status_code == 201
    assert program.post("/api/v1/matches", json=NEW_MATCH).status_code == TOO_MANY_REQUESTS


def test_matches_begun_from_many_addresses_leave_some_to_others(
    app: Flask, clock: SimpleNamespace
) -> None:
    # By the limit `Action.BEGIN` an address may begin 240 matches in an hour. The first 12 are
    # reserved for it. The other 228 come out of 960, which all addresses share. Because of `clock`
    # no time passes here.
    #
    # The requests are empty, and so wrong (400), but they count like those that begin a match.
    program = app.test_client()

    def try_to_begin(address: str) -> int:
        environ = {"REMOTE_ADDR": address}
        return program.post("/api/v1/matches", json={}, environ_base=environ).status_code

    def begin_matches(address: str, times: int) -> None:
        for _ in range(times):
            assert try_to_begin(address) == 400

    # Four addresses begin all that they may, 4 × 228 = 912 of the shared ones. A fifth one uses up
    # the 48 that are left.
    for number in range(4):
        begin_matches(f"10.0.{number}.7", 240)
    begin_matches("10.0.4.7", 12 + 48)
    assert try_to_begin("10.0.4.7") == TOO_MANY_REQUESTS

    # Another address still has its own 12.
    begin_matches("10.1.0.7", 12)
    assert try_to_begin("10.1.0.7") == TOO_MANY_REQUESTS


def test_admin_may_begin_any_number_of_matches(app: Flask) -> None:
    owner = app.test_client()
    owner.set_cookie("scorepad_admin", admin_cookie())
    for _ in range(Action.BEGIN.value.most_per_address + 1):
        assert owner.post("/api/v1/matches", json={}).status_code == 400


@pytest.mark.parametrize(
    "hours",
    [
        -5,  # set back by five hours
        5,
        pytest.param(-24 * 365 * 3, id="3 years back"),
        pytest.param(24 * 500, id="500 days on"),
    ],
)
def test_form_is_accepted_after_the_clock_was_set(
    client: Client, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    # The time is in the CSRF token of a form. The clock is set while somebody fills in the form.
    page = client.get("/partite/nuova")
    set_to = time.time() + hours * 3600
    monkeypatch.setattr(time, "time", lambda: set_to)
    assert client.submit(page, "Comincia: ").heading == "Noi contro Loro"
