"""Who asks too much in too short a time is refused in words, and a full table never is."""

from __future__ import annotations

import time
from pathlib import Path

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
from tests.web.counting import begun
from tests.web.playing import device, start


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.seconds = 1_000_000.0

    def __call__(self) -> int:
        return int(self.seconds * 1e9)

    def go_on(self, seconds: float) -> None:
        self.seconds += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr("pyrate_limiter.clocks.monotonic_ns", made)
    return made


def use_up(client: Client, deed: Action) -> None:
    """Ask as often as one phone may."""
    for _ in range(deed.value.most_per_phone):
        if deed is Action.FILE:
            assert client.raw.get("/partite/zzzzzzzzzz/foglio.pdf").status_code == 404
        else:
            assert client.raw.get(f"/e/{new_key()}").status_code == 404


# ---------------------------------------------------------------- a full table


def test_sixteen_phones_that_enter_and_take_four_papers_each_at_the_end_meet_no_limit(
    client: Client, visit: Visit, pad: Pad, clock: Clock
) -> None:
    started = begun(pad, client)
    assert started.keys is not None
    phones = [visit() for _ in range(16)]
    for phone in phones:
        assert phone.raw.get(f"/e/{started.keys.write}").status_code == 303
        assert phone.get("/").all("a", class_="match")
    for phone in phones * 4:
        assert phone.raw.get("/partite/zzzzzzzzzz/foglio.pdf").status_code == 404


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("HEAD", "/", 200),
        ("HEAD", "/?cerca=pozzo", 200),
        ("HEAD", "/partite/zzzzzzzzzz/stato", 404),
        ("POST", "/partite/zzzzzzzzzz/smazzata", 404),
        ("POST", "/partite/zzzzzzzzzz/smazzata/controllo", 404),
        ("POST", "/api/v1/score", 415),
        ("POST", "/api/v1/rulings", 415),
    ],
)
def test_looking_searching_writing_and_asking_are_never_counted(
    client: Client, clock: Clock, method: str, path: str, status: int
) -> None:
    client.get("/")
    for _ in range(Action.FILE.value.most_per_phone + 1):
        assert client.raw.open(path, method=method).status_code == status
    counts = client.app.extensions["scorepad.limits"]
    assert not list(counts.phones._values)
    assert not list(counts.addresses._values)


def test_what_takes_long_is_known_by_its_address(app: Flask) -> None:
    papers = set()
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or set()):
            with app.test_request_context(rule.rule.replace("int:", "").replace("<number>", "1")):
                if makes_or_reads_file():
                    papers.add(rule.endpoint)
    assert papers == {
        "api.export", "files.every", "files.every_row", "files.rows", "files.whole", "rulebook.blank", "rulebook.card",
        "share.picture", "share.sheet",
    }  # fmt: skip
    with app.test_request_context("/file", method="POST"):
        assert makes_or_reads_file()


# ---------------------------------------------------------------- too much


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("deed", "path"),
    [(Action.FILE, "/partite/zzzzzzzzzz/foglio.pdf"), (Action.WRONG_KEY, "/e/nessuno")],
)
def test_too_many_papers_and_keys_tried_are_refused_in_words(
    client: Client, guest: Client, clock: Clock, deed: Action, path: str
) -> None:
    client.get("/regole")
    use_up(client, deed)
    answer = client.raw.get(path)
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "1")
    check(Page(answer, path), "it")
    assert client.get("/regole").one("h1"), "everything else goes on"
    guest.get("/regole")
    assert guest.raw.head(path).status_code != 429, "and so does everybody else"
    clock.go_on(1)
    assert client.raw.head(path).status_code != 429


@pytest.mark.long
def test_a_home_has_a_limit_whatever_names_its_phones_take(app: Flask, clock: Clock) -> None:
    def ask(**place: str) -> int:
        answer = app.test_client().get("/partite/zzzzzzzzzz/foglio.pdf", environ_base=place)
        return answer.status_code

    for _ in range(Action.FILE.value.most_per_address):
        assert ask() == 404
    assert ask() == 429
    assert ask(REMOTE_ADDR="192.0.2.7") == 404


def test_a_right_key_is_accepted_after_any_number_of_wrong_ones_and_never_counted(
    client: Client, visit: Visit, pad: Pad, clock: Clock
) -> None:
    started, guest = begun(pad, client), visit()
    assert started.keys is not None
    for _ in range(Action.WRONG_KEY.value.most_per_address):
        visit().raw.get(f"/e/{new_key()}")
    assert visit().raw.get(f"/e/{new_key()}").status_code == 429
    for _ in range(Action.WRONG_KEY.value.most_per_phone + 1):
        assert guest.raw.get(f"/e/{started.keys.view}").status_code == 303
    headers = {"Authorization": f"Bearer {started.keys.view}"}
    assert guest.raw.get("/api/v1/matches", headers=headers).status_code == 200


def type_code(client: Client, address: str, code: str = "AAAAAA") -> int:
    """The status after typing a code on a phone of this address that has no cookie of ours yet."""
    place = {"REMOTE_ADDR": address}
    page = Page(client.raw.get("/entra", environ_base=place), "/entra")
    sent = page.values(page.form("Entra")) | {"code": code}
    client.raw.delete_cookie(DEVICE_COOKIE)
    return client.raw.post("/entra", data=sent, environ_base=place).status_code


def test_whoever_tries_codes_from_many_addresses_shuts_out_no_other_address(
    visit: Visit, clock: Clock
) -> None:
    limit, thief, guest = Action.SHORT_CODE.value, visit(), visit()
    counted = limit.most_per_address - limit.reserve_per_address
    for number in range(limit.most_shared // counted + 1):
        for _ in range(limit.most_per_address):
            type_code(thief, f"10.0.0.{number}")
    told = [type_code(thief, "10.0.0.250") for _ in range(3)]
    assert told == [404, 404, 429], "those of all together are used up"
    told = [type_code(guest, "10.0.1.1") for _ in range(2)]
    assert told == [404, 404], "the first ones of an address are read"


def test_from_one_address_no_more_codes_are_read_than_it_may_try(
    visit: Visit, clock: Clock
) -> None:
    most = Action.SHORT_CODE.value.most_per_address
    told = [type_code(visit(), "10.0.0.1") for _ in range(most + 3)]
    assert told == [404] * most + [429] * 3


def test_whoever_enters_as_ever_new_devices_is_stopped_and_other_addresses_enter(
    app: Flask, client: Client, pad: Pad, clock: Clock
) -> None:
    started, most = begun(pad, client), Action.ENTER.value.most_per_address
    assert started.keys is not None
    link = f"/e/{started.keys.write}"

    def enter(address: str) -> int:
        return app.test_client().get(link, environ_base={"REMOTE_ADDR": address}).status_code

    told = [enter("10.0.0.1") for _ in range(most + 3)]
    assert told == [303] * most + [429] * 3
    assert enter("10.0.0.2") == 303
    assert client.raw.get(link).status_code == 303, "whoever is in already"
    assert len(pad.devices.list_devices(started.match, device(client))) == most + 2


def test_no_home_network_reaches_what_all_may_try_together() -> None:
    for action in (Action.SHORT_CODE, Action.BEGIN, Action.ENTER):
        limit = action.value
        assert limit.most_shared + 254 * limit.reserve_per_address <= limit.most_in_all


@pytest.mark.parametrize(("language", "word"), [("it", "Troppe"), ("en", "Too many")])
def test_programs_are_told_in_json(app: Flask, clock: Clock, language: str, word: str) -> None:
    headers = {"Accept-Language": language, "Authorization": "Bearer x"}
    program = app.test_client()
    for _ in range(Action.WRONG_KEY.value.most_per_phone):
        assert program.get("/api/v1/matches", headers=headers).status_code == 401
    answer = program.get("/api/v1/matches", headers=headers)
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "1")
    assert answer.json["code"] == "too-many"
    assert answer.json["error"].startswith(word)
    assert answer.headers["Content-Language"] == language
    assert program.get("/api/v1/variants").status_code == 200


def test_a_name_that_is_no_phones_is_counted_with_its_home_alone(app: Flask, clock: Clock) -> None:
    browser = app.test_client(use_cookies=False)
    headers = {"Cookie": f"{DEVICE_COOKIE}={'x' * 3000}"}
    for _ in range(Action.FILE.value.most_per_phone + 1):
        answer = browser.get("/partite/zzzzzzzzzz/foglio.pdf", headers=headers)
        assert answer.status_code == 404


def test_whatever_number_of_phones_come_by_what_is_kept_of_them_does_not_grow(
    app: Flask, clock: Clock
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


def test_by_configuration_nothing_is_counted(tmp_path: Path, clock: Clock) -> None:
    app = create_app(Config(tmp_path / "x.db", b"k" * 32, limited=False, testing=True))
    client = Client(app)
    client.get("/regole")
    for deed in (Action.WRONG_KEY, Action.FILE):
        use_up(client, deed)
        use_up(client, deed)


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
MOST = Action.BEGIN.value


def test_a_stranger_who_begins_too_many_is_told_when_to_begin_the_next(
    app: Flask, client: Client
) -> None:
    """An evening of sixteen phones, six matches each, begins its matches behind one address."""
    program = app.test_client()
    new = client.get("/partite/nuova")
    began, started = 0, time.monotonic()
    answer = program.post("/api/v1/matches", json=BEGUN)
    while answer.status_code == 201:
        began += 1
        answer = program.post("/api/v1/matches", json=BEGUN)
    # One more is allowed every 15 seconds.
    assert 240 <= began <= 241 + (time.monotonic() - started) / 15
    assert (answer.status_code, answer.json["code"]) == (429, "many-matches")
    assert 0 < int(answer.headers["Retry-After"]) <= 15
    assert "troppe partite" in answer.json["error"]
    sent = new.values(new.form("Comincia")) | {"name-0": "Zia Pina"}
    page = client.post("/partite/nuova", sent, 429)
    assert "troppe partite" in page.one("p", class_="lead").text
    assert "Zia Pina" in page.text
    elsewhere = {"REMOTE_ADDR": "10.0.0.7"}
    away = app.test_client().post("/api/v1/matches", json=BEGUN, environ_base=elsewhere)
    assert away.status_code == 201, "another address has its own"


def test_all_strangers_together_begin_no_more_than_that_and_shut_out_no_other_address(
    app: Flask,
) -> None:
    began, number, addresses = time.monotonic(), 0, 1

    def begin(address: str) -> int:
        place = {"REMOTE_ADDR": address}
        answer = app.test_client().post("/api/v1/matches", json={}, environ_base=place)
        return answer.status_code

    while begin(f"10.0.{addresses}.7") == 400:
        number += 1
        if number % 200 == 0:
            addresses += 1
    # One more is allowed each time that this part of an hour has passed.
    regained = (time.monotonic() - began) / (MOST.milliseconds / 1000 / MOST.most_shared)
    most = MOST.most_shared + MOST.reserve_per_address * addresses + regained
    assert MOST.most_shared <= number <= most
    assert begin("10.1.0.7") == 400, "the first ones of an address are apart"


def test_whoever_has_the_home_privilege_meets_no_such_limit(app: Flask) -> None:
    owner = app.test_client()
    owner.set_cookie("scorepad_admin", admin_cookie())
    asked = [
        owner.post("/api/v1/matches", json={}).status_code for _ in range(MOST.most_per_address + 1)
    ]
    assert set(asked) == {400}


@pytest.mark.parametrize("hours", [-5, -24 * 365 * 3, 5, 24 * 500])
def test_a_form_that_lay_open_while_the_clock_was_set_is_taken(
    client: Client, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    page, real = client.get("/partite/nuova"), time.time
    monkeypatch.setattr(time, "time", lambda: real() + hours * 3600)
    assert client.submit(page, "Comincia: ").url.startswith("/partite/")
    assert start(client)
