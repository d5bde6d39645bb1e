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

HOME_ADDRESS = "192.168.1.23"


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Flask:
    """A pad that answers the home network."""
    monkeypatch.setattr(network_addresses, "home_address", lambda: HOME_ADDRESS)
    return shared_app(Config(tmp_path / "scorepad.db", b"k" * 32, (), "0.0.0.0", testing=True))


def short_codes_of(client: Client, url: str) -> list[str]:
    """The short codes on the page of the phones: the one to write, then the one to view."""
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


def enter_code(client: Client, code: str, status: int = 200) -> Page:
    """Type a short code into the form of its own; the page that follows."""
    return client.submit("/entra", "Entra", status, code=code)


# ---------------------------------------------------------------- short codes


def test_short_code_has_no_characters_that_look_alike(write_code: str, view_code: str) -> None:
    for code in (write_code, view_code):
        assert re.fullmatch("[A-Z3-9]{3} [A-Z3-9]{3}", code)
        assert not re.search("[BGIOSZ01258]", code), "B looks like 8, G like 6, and so on"


def test_write_code_gives_write_access(guest: Client, pad: Pad, url: str, write_code: str) -> None:
    without_space = write_code.lower().replace(" ", "")
    page = guest.submit("/", "Entra", code=without_space)
    assert page.heading == "Chi sei?"  # "Who are you?"
    assert pad.access(match_of(url), device(guest)) is Access.WRITE


def test_view_code_gives_view_access(guest: Client, pad: Pad, url: str, view_code: str) -> None:
    page = enter_code(guest, view_code.replace(" ", "-"))
    assert page.heading == "Noi contro Loro"
    assert pad.access(match_of(url), device(guest)) is Access.VIEW


def test_code_form_is_folded_on_home_page_until_a_match_is_there(client: Client) -> None:
    """Afterwards a link leads to the form."""
    i_have_a_code = "Ho un codice"
    fold = client.get("/").one(id="join").one("details")
    assert fold.one("summary").text == i_have_a_code
    assert not fold.has("open")

    start(client)
    page = client.get("/")
    assert not page.all("input", name="code")
    assert page.links()[i_have_a_code] == "/entra"


@pytest.mark.parametrize("code", ["", "AAAAAA", "A", "A" * 4000, "é€", "\x00", "a" * 26])
def test_wrong_short_code_is_refused(guest: Client, url: str, code: str) -> None:
    page = enter_code(guest, code, status=404)
    # "This code is not valid"
    assert page.errors[0].startswith("Questo codice non vale, o non vale più.")


def test_short_code_is_replaced_after_five_minutes_and_valid_for_ten(
    client: Client, visit: Visit, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SimpleNamespace(seconds=1000.0)
    for module in (views, short_codes):
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: clock.seconds))
    first_code = short_codes_of(client, url)[0]
    tag_before = client.raw.get(f"{url}/telefoni/stato").json

    clock.seconds += 299  # a second less than five minutes
    assert short_codes_of(client, url)[0] == first_code

    clock.seconds += 300  # a second less than ten minutes
    tag = client.raw.get(f"{url}/telefoni/stato").json
    assert tag != tag_before, "an open page fetches the next code"
    second_code = short_codes_of(client, url)[0]
    assert second_code != first_code
    enter_code(visit(), first_code)

    clock.seconds += 1  # ten minutes
    enter_code(visit(), first_code, status=404)
    enter_code(visit(), second_code)


def test_many_codes_of_two_addresses_end_no_code_of_another(
    app: Flask, visit: Visit, write_code: str, view_code: str
) -> None:
    codes = setup_of(app).short_codes

    for number in range(3 * MOST_SHORT_CODES):
        address = f"10.0.0.{number % 2}"  # two addresses by turns
        codes.find_or_make_code(f"key {number}", address)

    assert len(codes) == MOST_SHORT_CODES
    enter_code(visit(), write_code)
    enter_code(visit(), view_code)


def test_withdrawing_a_key_ends_its_short_code(
    client: Client, visit: Visit, pad: Pad, url: str, write_code: str, view_code: str
) -> None:
    pad.devices.withdraw_key(match_of(url), device(client), Access.WRITE)
    refused = enter_code(visit(), write_code, status=404)
    assert refused.heading == "Questo codice non apre niente"  # "This code opens nothing"
    enter_code(visit(), view_code)


def test_viewer_is_not_shown_the_write_code(guest: Client, url: str, view_code: str) -> None:
    enter_code(guest, view_code)
    assert short_codes_of(guest, url) == [view_code]


def test_right_code_is_refused_after_twelve_wrong_ones(
    guest: Client, write_code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How many an address and all together have is in test_limits.py."""
    monkeypatch.setattr("pyrate_limiter.clocks.monotonic_ns", lambda: 10**15)  # time stands still
    for _ in range(12):
        enter_code(guest, "AAAAAA", status=404)
    enter_code(guest, write_code, status=429)


def test_form_of_another_site_cannot_enter_a_code(guest: Client, write_code: str) -> None:
    form = {"code": write_code}
    foreign = {"Origin": "https://evil.example"}
    guest.get("/")

    without_token = guest.raw.post("/entra", data=form)
    from_elsewhere = guest.raw.post("/entra", data=form, headers=foreign)

    assert without_token.status_code == 400
    assert from_elsewhere.status_code == 403


# ---------------------------------------------------------------- who holds a phone


def test_tapping_a_player_sets_name_and_side_of_the_phone(client: Client, guest: Client) -> None:
    url = start(client, player_0_0="Anna", player_0_1="Bruno", player_1_0="Carla")
    write_code = short_codes_of(client, url)[0]
    question = enter_code(guest, write_code)
    assert question.texts("legend") == ["Noi", "Loro", "Questo telefono conta per"]

    page = guest.submit(question, "Carla")

    assert page.url == url
    assert page.notices == ["Fatto: questo telefono conta per Loro."]  # "… counts for them"
    phones = client.get(f"{url}/telefoni").text
    assert "Carla, telefono 2" in phones
    assert "Conta per: Loro" in phones


def test_log_names_the_phone_by_its_typed_name_and_side(
    client: Client, guest: Client, pad: Pad, url: str, write_code: str
) -> None:
    question = enter_code(guest, write_code)
    typed_name = "  Zia\u202e <Pina>  "  # \u202e would turn the text around

    guest.submit(question, "Loro", name=typed_name)
    play(pad, guest, url, HAND_430_TO_60)
    assert "Zia <Pina>, telefono 2, per Loro" in client.get(f"{url}/registro").text
    phones = guest.get(f"{url}/telefoni")
    assert phones.value_of("name") == "Zia <Pina>"

    guest.submit(phones, "Tutti", name="")
    assert "Pina" not in client.get(f"{url}/telefoni").text


def test_question_who_you_are_can_be_skipped(
    client: Client, guest: Client, url: str, write_code: str
) -> None:
    question = enter_code(guest, write_code)
    assert question.links()["Salta"] == url
    assert "Telefono 2" in client.get(f"{url}/telefoni").text

    guest.submit(question, "Noi")
    assert enter_code(guest, write_code).url == url, "who has answered is not asked again"


def test_viewer_is_not_asked_who_they_are(guest: Client, url: str, view_code: str) -> None:
    enter_code(guest, view_code)
    guest.get(f"{url}/telefoni/chi", status=403)


def test_own_side_is_shown_first(
    client: Client, guest: Client, pad: Pad, url: str, write_code: str
) -> None:
    play(pad, client, url, HAND_430_TO_60)
    guest.submit(enter_code(guest, write_code), "Loro")

    for path in ("", "/smazzata", "/tabellone"):
        headings = guest.get(f"{url}{path}").texts("h2")
        assert headings.index("Loro") < headings.index("Noi"), path

    page = guest.get(url)
    columns = page.one("table").texts("th", scope="col")
    assert columns[-2:] == ["Loro", "Noi"], "the lines of the hand as well"
    assert page.texts("span", class_="made") == ["+60", "+430"]


def test_conflict_names_the_holder_of_the_other_phone(
    client: Client, guest: Client, pad: Pad, url: str, write_code: str
) -> None:
    guest.submit(enter_code(guest, write_code), "Loro", name="Zia Pina")
    mine = Scorer(client, pad, url)
    theirs = Scorer(guest, pad, url)
    page = mine.open()
    theirs.check({"a.cards": "210", "out": "nobody"})

    conflict = mine.check({"a.cards": "300", "out": "nobody"}, page, status=409)

    assert "Salvato da Zia Pina" in conflict.texts("th")  # "Saved by …"
    assert "Tieni 210 (Zia Pina)" in conflict.links()  # "Keep 210 (…)"


def test_too_long_name_is_refused(guest: Client, write_code: str) -> None:
    question = enter_code(guest, write_code)
    too_long = "x" * 41
    page = guest.submit(question, "Loro", status=400, name=too_long)
    assert len(page.errors) == 1
    assert page.one("input", name="name")["aria-invalid"] == "true"


# ---------------------------------------------------------------- opening the pad to the network


NETWORK_ADDRESS = "127.0.0.2"
"""The address of the machine in its home network."""
OPEN_NETWORK = "Apri alla rete di casa"  # "Open to the home network"
NOBODY_LISTENS = 0


@dataclass
class LocalServer:
    app: Flask
    server: Server

    @property
    def port(self) -> int:
        return self.server.effective_port

    def status_at(self, host: str, path: str = "/salute") -> int:
        """The status of a page at an address of the machine, or `NOBODY_LISTENS`."""
        connection = HTTPConnection(host, self.port, timeout=5)
        try:
            connection.request("GET", path)
            return connection.getresponse().status
        except ConnectionError:
            return NOBODY_LISTENS
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


def owner_of(local: LocalServer) -> Client:
    """The browser that may see every match, and open the pad to the network."""
    client = Client(local.app)
    client.submit(make_start_link(local.app), "Vedi tutte le partite")
    return client


def test_owner_opens_the_network(local: LocalServer) -> None:
    client = owner_of(local)
    url = start(client)
    page = client.get(f"{url}/telefoni")
    # "Open the pad to the other phones"
    assert page.one("h2", id="network").text == "Apri il segnapunti agli altri telefoni"
    assert page.all(class_="qr") == []
    assert local.status_at(NETWORK_ADDRESS) == NOBODY_LISTENS

    page = client.submit(page, OPEN_NETWORK)
    # "Done, the other phones of the network can enter"
    assert page.notices[0].startswith("Fatto: gli altri telefoni della rete possono entrare")
    assert len(page.all(class_="qr")) == 2
    assert local.status_at(NETWORK_ADDRESS) == 200
    assert local.status_at(NETWORK_ADDRESS, url) == 404, "the match stays that of its owner"


def test_owner_closes_the_network_and_its_connections(local: LocalServer) -> None:
    client = owner_of(local)
    page = client.submit(f"{start(client)}/telefoni", OPEN_NETWORK)

    with socket.create_connection((NETWORK_ADDRESS, local.port), timeout=5) as connection:
        page = client.submit(page, "Chiudi alla rete")  # "Close to the network"
        # A connection that the server had not yet accepted is reset.
        with suppress(ConnectionResetError):
            assert connection.recv(1) == b"", "it was closed"
    assert page.notices == ["Fatto: il segnapunti risponde di nuovo solo a questo computer."]
    assert local.status_at(NETWORK_ADDRESS) == NOBODY_LISTENS
    assert local.status_at("127.0.0.1") == 200

    client.submit(page, OPEN_NETWORK)
    assert local.status_at(NETWORK_ADDRESS) == 200, "it can be opened again"


def test_host_is_checked_on_network_address(local: LocalServer) -> None:
    local.server.open_network()
    with closing(HTTPConnection(NETWORK_ADDRESS, local.port, timeout=5)) as connection:
        connection.request("GET", "/", headers={"Host": "evil.example"})
        assert connection.getresponse().status == 400


def test_server_stops_while_network_is_open(local: LocalServer) -> None:
    local.server.open_network()
    local.server.open_network()  # a second time changes nothing

    local.server.stop()

    deadline = time.monotonic() + 5
    while local.status_at(NETWORK_ADDRESS) != NOBODY_LISTENS:
        assert time.monotonic() < deadline, "still listening"
        time.sleep(0.1)


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("Sec-Fetch-Site", "cross-site"),
        ("Sec-Fetch-Site", "same-site"),
        ("Origin", "null"),
        ("Origin", "https://evil.example"),
    ],
)
def test_forged_request_cannot_open_the_network(
    local: LocalServer, header: str, value: str
) -> None:
    client = owner_of(local)
    page = client.get(f"{start(client)}/telefoni")
    form = page.form(OPEN_NETWORK)
    url = form["action"]
    fields = page.values(form) | {"do": "open"}

    from_elsewhere = client.raw.post(url, data=fields, headers={header: value})
    with_wrong_token = client.raw.post(url, data=fields | {"csrf_token": "x"})
    by_link = client.raw.get(url)

    assert from_elsewhere.status_code in (400, 403, 404)
    assert with_wrong_token.status_code == 400
    assert by_link.status_code == 405
    assert local.server.network == {}


@pytest.mark.parametrize(
    "cookie", ["", "x", pytest.param(admin_cookie(b"x" * 32), id="signed by another")]
)
def test_only_owner_can_open_the_network(local: LocalServer, cookie: str) -> None:
    match_of_owner = start(owner_of(local))
    stranger = Client(local.app)
    own_match = start(stranger)
    stranger.raw.set_cookie(ADMIN_COOKIE, cookie)

    page = stranger.get(f"{own_match}/telefoni")
    assert page.all("h2", id="network") == []
    # "Open here the link that was shown at the start."
    assert "apri qui il link mostrato all'avvio" in page.one(class_="warn").text

    fields = page.form_values("Noi") | {"do": "open"}
    in_own_match = stranger.raw.post(f"{own_match}/telefoni/rete", data=fields)
    in_match_of_owner = stranger.raw.post(f"{match_of_owner}/telefoni/rete", data=fields)
    assert in_own_match.status_code == 403
    assert in_match_of_owner.status_code == 404
    assert local.status_at(NETWORK_ADDRESS) == NOBODY_LISTENS


def test_network_address_that_cannot_be_opened_is_reported(
    local: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    address_of_nobody = "192.0.2.77"
    monkeypatch.setattr("scorepad.app.server.home_addresses", lambda: (address_of_nobody,))
    client = owner_of(local)
    page = client.get(f"{start(client)}/telefoni")
    refused = client.submit(page, OPEN_NETWORK, status=503)
    # "The pad could not be opened to the network"
    assert refused.errors[0].startswith("Non si è potuto aprire il segnapunti alla rete: ")
    assert local.status_at("127.0.0.1") == 200
