"""Who asks too much in too short a time is refused in words, and a full table never is."""

from __future__ import annotations

import time
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

PAPER = "/partite/zzzzzzzzzz/foglio.pdf"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The time of the limits, which passes only where a test says so."""
    now = SimpleNamespace(seconds=1_000_000)
    monkeypatch.setattr("pyrate_limiter.clocks.monotonic_ns", lambda: now.seconds * 10**9)
    return now


def use_up(client: Client, action: Action) -> None:
    """Ask for papers, or try wrong keys, as often as one phone may."""
    for _ in range(action.value.most_per_phone):
        path = f"/e/{new_key()}"
        if action is Action.FILE:
            path = PAPER
        assert client.raw.get(path).status_code == 404


# ---------------------------------------------------------------- a full table


def test_sixteen_phones_that_enter_and_take_four_papers_each_at_the_end_meet_no_limit(
    client: Client, visit: Visit, clock: SimpleNamespace
) -> None:
    link = f"/e/{keys_of(client, start(client)).write}"
    phones = [visit() for _ in range(16)]

    for phone in phones:
        assert phone.raw.get(link).status_code == 303
        assert phone.get("/").all("a", class_="match")
    for phone in phones * 4:
        assert phone.raw.get(PAPER).status_code == 404


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("HEAD", "/?cerca=pozzo", 200),
        ("HEAD", "/partite/zzzzzzzzzz/stato", 404),
        ("POST", "/partite/zzzzzzzzzz/smazzata", 404),
        ("POST", "/partite/zzzzzzzzzz/smazzata/controllo", 404),
        ("POST", "/api/v1/score", 415),
        ("POST", "/api/v1/rulings", 415),
    ],
)
def test_looking_searching_writing_and_asking_are_never_counted(
    client: Client, clock: SimpleNamespace, method: str, path: str, status: int
) -> None:
    client.get("/")
    assert client.raw.open(path, method=method).status_code == status
    counts = client.app.extensions["scorepad.limits"]
    assert not list(counts.phones._values)
    assert not list(counts.addresses._values)


def test_what_takes_long_is_known_by_its_address(app: Flask) -> None:
    counted = set()
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or set()):
            address = rule.rule.replace("int:", "").replace("<number>", "1")
            with app.test_request_context(address):
                if makes_or_reads_file():
                    counted.add(rule.endpoint)
    assert sorted(counted) == [
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
    for path in ("/file", "/ricevi"):
        with app.test_request_context(path, method="POST"):
            assert makes_or_reads_file()


# ---------------------------------------------------------------- too much


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("action", "path"),
    [(Action.FILE, PAPER), (Action.WRONG_KEY, "/e/nessuno")],
)
def test_too_many_papers_and_keys_tried_are_refused_in_words(
    client: Client, guest: Client, clock: SimpleNamespace, action: Action, path: str
) -> None:
    client.get("/regole")
    use_up(client, action)

    refused = client.raw.get(path)
    assert refused.status_code == 429
    assert refused.headers["Retry-After"] == "1"
    check(Page(refused, path), "it")

    client.get("/regole", status=200)  # everything else goes on
    guest.get("/regole")
    guest.get(path, status=404)  # and so does everybody else
    clock.seconds += 1
    client.get(path, status=404)


def test_a_right_key_is_accepted_after_any_number_of_wrong_ones_and_never_counted(
    client: Client, visit: Visit, clock: SimpleNamespace
) -> None:
    key = keys_of(client, start(client)).view
    for _ in range(Action.WRONG_KEY.value.most_per_address):
        visit().raw.get(f"/e/{new_key()}")
    assert visit().raw.get(f"/e/{new_key()}").status_code == 429

    guest = visit()
    for _ in range(Action.WRONG_KEY.value.most_per_phone + 1):
        assert guest.raw.get(f"/e/{key}").status_code == 303
    headers = {"Authorization": f"Bearer {key}"}
    assert guest.raw.get("/api/v1/matches", headers=headers).status_code == 200


def status_of_typed_code(client: Client, address: str) -> int:
    """The status after a wrong code was typed on a phone of this address that has no cookie of ours
    yet.
    """
    environ = {"REMOTE_ADDR": address}
    page = Page(client.raw.get("/entra", environ_base=environ), "/entra")
    form = page.form_values("Entra") | {"code": "AAAAAA"}
    client.raw.delete_cookie(DEVICE_COOKIE)
    return client.raw.post("/entra", data=form, environ_base=environ).status_code


def test_whoever_tries_codes_from_many_addresses_shuts_out_no_other_address(
    visit: Visit, clock: SimpleNamespace
) -> None:
    """The first tries of each address are apart; the further ones of all have a limit together."""
    limit = Action.SHORT_CODE.value
    thief = visit()
    counted_together = limit.most_per_address - limit.reserve_per_address
    for number in range(limit.most_shared // counted_together + 1):
        for _ in range(limit.most_per_address):
            status_of_typed_code(thief, f"10.0.0.{number}")

    statuses = [status_of_typed_code(visit(), "10.0.1.1") for _ in range(3)]

    assert statuses == [404, 404, 429]


def test_from_one_address_no_more_codes_are_read_than_it_may_try(
    visit: Visit, clock: SimpleNamespace
) -> None:
    for _ in range(Action.SHORT_CODE.value.most_per_address):
        assert status_of_typed_code(visit(), "10.0.0.1") == 404
    assert status_of_typed_code(visit(), "10.0.0.1") == 429


def test_whoever_enters_as_ever_new_devices_is_stopped_and_other_addresses_enter(
    app: Flask, client: Client, pad: Pad, clock: SimpleNamespace
) -> None:
    match = start(client)
    link = f"/e/{keys_of(client, match).write}"
    most = Action.ENTER.value.most_per_address

    def status_of_new_device(address: str) -> int:
        return app.test_client().get(link, environ_base={"REMOTE_ADDR": address}).status_code

    for _ in range(most):
        assert status_of_new_device("10.0.0.1") == 303
    assert status_of_new_device("10.0.0.1") == 429
    assert status_of_new_device("10.0.0.2") == 303
    assert client.raw.get(link).status_code == 303, "whoever is in already"
    assert len(pad.devices.list_devices(match_of(match), device(client))) == most + 2


def test_no_home_network_reaches_what_all_may_try_together() -> None:
    for action in (Action.SHORT_CODE, Action.BEGIN, Action.ENTER):
        limit = action.value
        assert limit.most_shared + 254 * limit.reserve_per_address <= limit.most_in_all


def test_programs_are_told_in_json(app: Flask, clock: SimpleNamespace) -> None:
    headers = {"Accept-Language": "en", "Authorization": "Bearer x"}
    program = app.test_client()
    for _ in range(Action.WRONG_KEY.value.most_per_phone):
        assert program.get("/api/v1/matches", headers=headers).status_code == 401

    answer = program.get("/api/v1/matches", headers=headers)

    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == "1"
    assert answer.headers["Content-Language"] == "en"
    assert answer.json["code"] == "too-many"
    assert answer.json["error"].startswith("Too many")
    assert program.get("/api/v1/variants").status_code == 200


def test_a_name_that_is_no_phones_is_counted_with_its_home_alone(
    app: Flask, clock: SimpleNamespace
) -> None:
    browser = app.test_client(use_cookies=False)
    headers = {"Cookie": f"{DEVICE_COOKIE}={'x' * 3000}"}
    for _ in range(Action.FILE.value.most_per_phone + 1):
        assert browser.get(PAPER, headers=headers).status_code == 404


def test_whatever_number_of_phones_come_by_what_is_kept_of_them_does_not_grow(
    app: Flask, clock: SimpleNamespace
) -> None:
    counts = app.extensions["scorepad.limits"]
    for number in range(5000):
        with app.test_request_context(
            "/",
            headers={"Cookie": f"{DEVICE_COOKIE}={device_cookie(f'{number:032}')}"},
            environ_base={"REMOTE_ADDR": f"10.0.{number >> 8}.9"},
        ):
            count_action(Action.FILE)
    assert len(counts.phones._values) == 4096
    assert len(counts.addresses._values) == 20


def test_by_configuration_nothing_is_counted(tmp_path: Path, clock: SimpleNamespace) -> None:
    app = create_app(Config(tmp_path / "x.db", b"k" * 32, limited=False, testing=True))
    client = Client(app)
    client.get("/regole")
    use_up(client, Action.FILE)
    use_up(client, Action.FILE)


@pytest.mark.parametrize(
    ("address", "home"),
    [
        ("192.168.1.7", "192.168.1.7"),
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("", ""),
        ("unix:", "unix:"),
    ],
)
def test_of_an_address_of_many_the_network_counts(address: str, home: str) -> None:
    assert network_of(address) == home


def test_a_clock_that_is_set_back_shuts_nobody_out(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.get("/regole")
    use_up(client, Action.FILE)
    monkeypatch.setattr("time.time", lambda: 0.0)
    with client.app.test_request_context("/foglio.pdf"):
        check_action_left(Action.FILE)


# ---------------------------------------------------------------- matches begun


BEGUN = {"variant": "classica", "names": ["Noi", "Loro"]}


def test_a_stranger_who_begins_too_many_is_told_when_to_begin_the_next(
    app: Flask, client: Client, clock: SimpleNamespace
) -> None:
    """An evening of sixteen phones, six matches each, begins its matches behind one address."""
    program = app.test_client()
    new = client.get("/partite/nuova")
    for _ in range(239):
        assert program.post("/api/v1/matches", json={}).status_code == 400, "it counts as well"
    assert program.post("/api/v1/matches", json=BEGUN).status_code == 201

    refused = program.post("/api/v1/matches", json=BEGUN)
    assert refused.status_code == 429
    assert refused.json["code"] == "many-matches"
    assert refused.headers["Retry-After"] == "15"
    assert "troppe partite" in refused.json["error"]
    refused_page = client.submit(new, "Comincia", status=429, name_0="Zia Pina")
    assert "troppe partite" in refused_page.one("p", class_="lead").text
    assert "Zia Pina" in refused_page.text

    elsewhere = {"REMOTE_ADDR": "10.0.0.7"}
    of_another_address = program.post("/api/v1/matches", json=BEGUN, environ_base=elsewhere)
    assert of_another_address.status_code == 201
    clock.seconds += 15
    assert program.post("/api/v1/matches", json=BEGUN).status_code == 201
    assert program.post("/api/v1/matches", json=BEGUN).status_code == 429


def test_all_strangers_together_begin_no_more_than_that_and_shut_out_no_other_address(
    app: Flask, clock: SimpleNamespace
) -> None:
    """The first matches of each address are apart; the further ones of all have a limit together."""
    limit = Action.BEGIN.value
    program = app.test_client()

    def status_of_begin(address: str) -> int:
        """An empty request is refused with 400, and counts as well."""
        environ = {"REMOTE_ADDR": address}
        return program.post("/api/v1/matches", json={}, environ_base=environ).status_code

    counted_together = limit.most_per_address - limit.reserve_per_address
    for number in range(limit.most_shared):
        address = f"10.0.{number // counted_together}.7"
        if number % counted_together == 0:
            for _ in range(limit.reserve_per_address):
                assert status_of_begin(address) == 400
        assert status_of_begin(address) == 400

    for _ in range(limit.reserve_per_address):
        assert status_of_begin("10.1.0.7") == 400
    assert status_of_begin("10.1.0.7") == 429


def test_whoever_has_the_home_privilege_meets_no_such_limit(app: Flask) -> None:
    owner = app.test_client()
    owner.set_cookie("scorepad_admin", admin_cookie())
    for _ in range(Action.BEGIN.value.most_per_address + 1):
        assert owner.post("/api/v1/matches", json={}).status_code == 400


@pytest.mark.parametrize("hours", [-5, -24 * 365 * 3, 5, 24 * 500])
def test_a_form_that_lay_open_while_the_clock_was_set_is_taken(
    client: Client, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    page = client.get("/partite/nuova")
    set_to = time.time() + hours * 3600
    monkeypatch.setattr(time, "time", lambda: set_to)
    assert client.submit(page, "Comincia: ").heading == "Noi contro Loro"
