"""Joining a match: short codes, who holds a phone, and the pad that opens itself to the home
network.
"""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from types import SimpleNamespace

import pytest
from flask import Flask

from scorepad.app import Config
from scorepad.app.server import Server, listen
from scorepad.matches import Pad
from scorepad.matches.access import Access
from scorepad.web import network_addresses, short_codes
from scorepad.web.cookies import ADMIN_COOKIE
from scorepad.web.home.views import make_start_link
from scorepad.web.phones import views
from scorepad.web.short_codes import MOST_SHORT_CODES
from tests.apps import shared_app
from tests.cookies import admin_cookie
from tests.web.client import Client, Page, Visit
from tests.web.conftest import setup_of
from tests.web.playing import HAND_430_TO_60, device, match_of, play, start
from tests.web.scorer import Scorer

HOME = "192.168.1.23"


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Flask:
    """A pad that answers the home network."""
    monkeypatch.setattr(network_addresses, "home_address", lambda: HOME)
    return shared_app(Config(tmp_path / "scorepad.db", b"k" * 32, (), "0.0.0.0", testing=True))


def short_codes_of(client: Client, url: str) -> list[str]:
    """The short codes on the page of the phones: to write, to view."""
    page = client.get(f"{url}/telefoni")
    return [code.one("strong").text for code in page.all(class_="short")]


@pytest.fixture
def write_code(client: Client, url: str) -> str:
    """The short code that lets others write in the match."""
    return short_codes_of(client, url)[0]


@pytest.fixture
def view_code(client: Client, url: str) -> str:
    """The short code that lets others view the match."""
    return short_codes_of(client, url)[1]


def join(client: Client, code: str, status: int = 200) -> Page:
    """The page after a short code was typed."""
    return client.submit("/entra", "Entra", status, code=code)


# ---------------------------------------------------------------- short codes


def test_a_short_code_is_made_of_letters_and_figures_that_look_like_no_other(
    write_code: str, view_code: str
) -> None:
    for code in (write_code, view_code):
        assert re.fullmatch("[A-Z3-9]{3} [A-Z3-9]{3}", code)
        assert not re.search("[BGIOSZ01258]", code)


def test_the_code_to_write_typed_on_the_first_page_leads_into_the_match(
    guest: Client, pad: Pad, url: str, write_code: str
) -> None:
    without_space = write_code.lower().replace(" ", "")
    page = guest.submit("/", "Entra", code=without_space)
    assert page.heading == "Chi sei?"
    assert pad.access(match_of(url), device(guest)) is Access.WRITE


def test_the_code_to_view_leads_into_the_match(
    guest: Client, pad: Pad, url: str, view_code: str
) -> None:
    page = join(guest, view_code.replace(" ", "-"))
    assert page.heading == "Noi contro Loro"
    assert pad.access(match_of(url), device(guest)) is Access.VIEW


def test_the_form_for_a_code_folds_on_the_first_page_and_has_one_of_its_own(
    client: Client,
) -> None:
    fold = client.get("/").one(id="join").one("details")
    assert fold.one("summary").text == "Ho un codice"
    assert not fold.has("open")

    start(client)
    page = client.get("/")
    assert not page.all("input", name="code")
    assert page.links()["Ho un codice"] == "/entra"


@pytest.mark.parametrize("code", ["", "AAAAAA", "A", "A" * 4000, "é€", "\x00", "a" * 26])
def test_a_wrong_short_code_is_told_and_lets_nobody_in(guest: Client, url: str, code: str) -> None:
    page = join(guest, code, status=404)
    assert page.errors[0].startswith("Questo codice non vale, o non vale più.")


def test_a_short_code_is_valid_for_ten_minutes_and_replaced_in_time(
    client: Client, visit: Visit, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = SimpleNamespace(seconds=1000.0)
    for module in (views, short_codes):
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: now.seconds))
    first_code = short_codes_of(client, url)[0]
    tag_before = client.raw.get(f"{url}/telefoni/stato").json

    now.seconds += 299
    assert short_codes_of(client, url)[0] == first_code

    now.seconds += 300
    tag = client.raw.get(f"{url}/telefoni/stato").json
    assert tag != tag_before, "an open page fetches the next code"
    second_code = short_codes_of(client, url)[0]
    assert second_code != first_code
    join(visit(), first_code)

    now.seconds += 1
    join(visit(), first_code, status=404)
    join(visit(), second_code)


def test_whoever_has_many_codes_made_ends_none_of_another_address(
    app: Flask, visit: Visit, write_code: str, view_code: str
) -> None:
    codes = setup_of(app).short_codes

    for number in range(3 * MOST_SHORT_CODES):
        codes.find_or_make_code(f"key {number}", f"10.0.0.{number % 2}")

    assert len(codes) == MOST_SHORT_CODES
    join(visit(), write_code)
    join(visit(), view_code)


def test_a_short_code_ends_with_the_key_that_it_stands_for(
    client: Client, visit: Visit, pad: Pad, url: str, write_code: str, view_code: str
) -> None:
    pad.devices.withdraw_key(match_of(url), device(client), Access.WRITE)
    refused = join(visit(), write_code, status=404)
    assert refused.heading == "Questo codice non apre niente"
    join(visit(), view_code)


def test_a_phone_that_only_views_is_shown_no_code_to_write(
    guest: Client, url: str, view_code: str
) -> None:
    join(guest, view_code)
    assert short_codes_of(guest, url) == [view_code]


def test_a_device_has_twelve_tries_and_after_them_even_the_right_code_is_not_read(
    guest: Client, write_code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How many an address and all together have is in test_limits.py."""
    monkeypatch.setattr("pyrate_limiter.clocks.monotonic_ns", lambda: 10**15)
    for _ in range(12):
        join(guest, "AAAAAA", status=404)
    join(guest, write_code, status=429)


def test_a_form_of_another_site_tries_no_code(guest: Client, write_code: str) -> None:
    form = {"code": write_code}
    foreign = {"Origin": "https://evil.example"}
    guest.get("/")

    without_token = guest.raw.post("/entra", data=form)
    from_elsewhere = guest.raw.post("/entra", data=form, headers=foreign)

    assert without_token.status_code == 400
    assert from_elsewhere.status_code == 403


# ---------------------------------------------------------------- who holds a phone


def test_a_tap_on_a_player_says_who_it_is_and_the_side(client: Client, guest: Client) -> None:
    url = start(client, player_0_0="Anna", player_0_1="Bruno", player_1_0="Carla")
    page = join(guest, short_codes_of(client, url)[0])
    assert page.texts("legend") == ["Noi", "Loro", "Questo telefono conta per"]

    page = guest.submit(page, "Carla")

    assert page.url == url
    assert page.notices == ["Fatto: questo telefono conta per Loro."]
    phones = client.get(f"{url}/telefoni").text
    assert "Carla, telefono 2" in phones
    assert "Conta per: Loro" in phones


def test_a_typed_name_and_a_side_name_the_phone_in_the_log(
    client: Client, guest: Client, pad: Pad, url: str, write_code: str
) -> None:
    question = join(guest, write_code)

    guest.submit(question, "Loro", name="  Zia\u202e <Pina>  ")  # \u202e would turn the text around
    play(pad, guest, url, HAND_430_TO_60)
    assert "Zia <Pina>, telefono 2, per Loro" in client.get(f"{url}/registro").text
    phones = guest.get(f"{url}/telefoni")
    assert phones.value_of("name") == "Zia <Pina>"

    guest.submit(phones, "Tutti", name="")
    assert "Pina" not in client.get(f"{url}/telefoni").text


def test_the_question_can_be_skipped_and_is_asked_only_of_those_who_write(
    client: Client, visit: Visit, url: str, write_code: str, view_code: str
) -> None:
    writer = visit()
    viewer = visit()

    question = join(writer, write_code)
    assert question.links()["Salta"] == url
    assert "Telefono 2" in client.get(f"{url}/telefoni").text

    writer.submit(question, "Noi")
    assert join(writer, write_code).url == url, "who has answered is not asked again"

    join(viewer, view_code)
    viewer.get(f"{url}/telefoni/chi", status=403)


def test_the_side_that_a_phone_counts_for_stands_first_on_it(
    client: Client, guest: Client, pad: Pad, url: str, write_code: str
) -> None:
    play(pad, client, url, HAND_430_TO_60)
    guest.submit(join(guest, write_code), "Loro")

    for path in ("", "/smazzata", "/tabellone"):
        headings = guest.get(f"{url}{path}").texts("h2")
        assert headings.index("Loro") < headings.index("Noi"), path

    page = guest.get(url)
    columns = page.one("table").texts("th", scope="col")
    assert columns[-2:] == ["Loro", "Noi"], "the lines of the hand as well"
    assert page.texts("span", class_="made") == ["+60", "+430"]


def test_a_conflict_names_who_holds_the_other_phone(
    client: Client, guest: Client, pad: Pad, url: str, write_code: str
) -> None:
    guest.submit(join(guest, write_code), "Loro", name="Zia Pina")
    mine = Scorer(client, pad, url)
    theirs = Scorer(guest, pad, url)
    page = mine.open()
    theirs.check({"a.cards": "210", "out": "nobody"})

    conflict = mine.check({"a.cards": "300", "out": "nobody"}, page, status=409)

    assert "Salvato da Zia Pina" in conflict.texts("th")
    assert "Tieni 210 (Zia Pina)" in conflict.links()


def test_a_name_too_long_is_told_beside_its_field(guest: Client, write_code: str) -> None:
    page = guest.submit(join(guest, write_code), "Loro", status=400, name="x" * 41)
    assert len(page.errors) == 1
    assert page.one("input", name="name")["aria-invalid"] == "true"


# ---------------------------------------------------------------- opening the pad to the network


NETWORK_ADDRESS = "127.0.0.2"
"""The address of the machine in its home network."""
OPEN = "Apri alla rete di casa"


@dataclass
class LocalServer:
    app: Flask
    server: Server

    @property
    def port(self) -> int:
        return self.server.effective_port

    def status_at(self, host: str, path: str = "/salute") -> int:
        """The status of a page at an address of the machine; 0 where nobody listens."""
        connection = HTTPConnection(host, self.port, timeout=5)
        try:
            connection.request("GET", path)
            return connection.getresponse().status
        except ConnectionError:
            return 0
        finally:
            connection.close()


@pytest.fixture
def local(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalServer]:
    """A server that listens for this machine alone."""
    monkeypatch.setattr("scorepad.app.server.home_addresses", lambda: (NETWORK_ADDRESS,))
    monkeypatch.setattr(network_addresses, "home_address", lambda: NETWORK_ADDRESS)
    app = shared_app(Config(tmp_path / "local.db", b"k" * 32, testing=True))
    server = listen(app, "127.0.0.1", 0)
    app.extensions[views.SERVER] = server
    thread = threading.Thread(target=server.run)
    thread.start()
    yield LocalServer(app, server)
    del app.extensions[views.SERVER]
    server.stop()
    thread.join(timeout=10)
    assert not thread.is_alive()


def owner(local: LocalServer) -> Client:
    """The browser that may see every match, and open the pad to the network."""
    client = Client(local.app)
    client.submit(make_start_link(local.app), "Vedi tutte le partite")
    return client


def test_the_owner_opens_the_pad_to_the_network_and_closes_it_again(local: LocalServer) -> None:
    client = owner(local)
    url = start(client)
    page = client.get(f"{url}/telefoni")
    assert page.one("h2", id="network").text == "Apri il segnapunti agli altri telefoni"
    assert page.all(class_="qr") == []
    assert local.status_at(NETWORK_ADDRESS) == 0

    page = client.submit(page, OPEN)
    assert page.notices[0].startswith("Fatto: gli altri telefoni della rete possono entrare")
    assert len(page.all(class_="qr")) == 2
    assert local.status_at(NETWORK_ADDRESS) == 200
    assert local.status_at(NETWORK_ADDRESS, url) == 404, "the match stays that of its owner"

    with socket.create_connection((NETWORK_ADDRESS, local.port), timeout=5) as connection:
        page = client.submit(page, "Chiudi alla rete")
        # One that the server had not yet accepted is reset.
        with suppress(ConnectionResetError):
            assert connection.recv(1) == b"", "its connections end too"
    assert page.notices == ["Fatto: il segnapunti risponde di nuovo solo a questo computer."]
    assert local.status_at(NETWORK_ADDRESS) == 0
    assert local.status_at("127.0.0.1") == 200

    client.submit(page, OPEN)
    assert local.status_at(NETWORK_ADDRESS) == 200


def test_hosts_are_checked_there_as_everywhere(local: LocalServer) -> None:
    local.server.open_network()
    with closing(HTTPConnection(NETWORK_ADDRESS, local.port, timeout=5)) as connection:
        connection.request("GET", "/", headers={"Host": "evil.example"})
        assert connection.getresponse().status == 400


def test_the_server_stops_with_the_network_open(local: LocalServer) -> None:
    local.server.open_network()
    local.server.open_network()
    local.server.stop()
    for _ in range(50):
        if local.status_at(NETWORK_ADDRESS) == 0:
            return
        time.sleep(0.1)
    raise AssertionError("still listening")


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("Sec-Fetch-Site", "cross-site"),
        ("Sec-Fetch-Site", "same-site"),
        ("Origin", "null"),
        ("Origin", "https://evil.example"),
    ],
)
def test_no_page_of_elsewhere_and_no_form_without_its_token_opens_the_network(
    local: LocalServer, header: str, value: str
) -> None:
    client = owner(local)
    page = client.get(f"{start(client)}/telefoni")
    form = page.form(OPEN)
    sent = page.values(form) | {"do": "open"}

    from_elsewhere = client.raw.post(form["action"], data=sent, headers={header: value})
    without_token = client.raw.post(form["action"], data=sent | {"csrf_token": "x"})
    by_link = client.raw.get(form["action"])

    assert from_elsewhere.status_code in (400, 403, 404)
    assert without_token.status_code == 400
    assert by_link.status_code == 405
    assert local.server.network == {}


@pytest.mark.parametrize(
    "cookie", ["", "x", pytest.param(admin_cookie(b"x" * 32), id="signed by another")]
)
def test_nobody_but_the_owner_of_the_pad_opens_the_network(local: LocalServer, cookie: str) -> None:
    match_of_owner = start(owner(local))
    stranger = Client(local.app)
    own_match = start(stranger)
    stranger.raw.set_cookie(ADMIN_COOKIE, cookie)

    page = stranger.get(f"{own_match}/telefoni")
    assert page.all("h2", id="network") == []
    assert "apri qui il link mostrato all'avvio" in page.one(class_="warn").text

    sent = page.form_values("Noi") | {"do": "open"}
    in_own_match = stranger.raw.post(f"{own_match}/telefoni/rete", data=sent)
    in_match_of_owner = stranger.raw.post(f"{match_of_owner}/telefoni/rete", data=sent)
    assert in_own_match.status_code == 403
    assert in_match_of_owner.status_code == 404
    assert local.status_at(NETWORK_ADDRESS) == 0


def test_an_address_that_is_taken_is_told(
    local: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorepad.app.server.home_addresses", lambda: ("192.0.2.77",))
    client = owner(local)
    page = client.get(f"{start(client)}/telefoni")
    refused = client.submit(page, OPEN, status=503)
    assert refused.errors[0].startswith("Non si è potuto aprire il segnapunti alla rete: ")
    assert local.status_at("127.0.0.1") == 200
