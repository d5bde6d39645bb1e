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


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Flask:
    """Make the app of a pad that answers the whole home network, at the address 192.168.1.23."""
    monkeypatch.setattr(network_addresses, "home_address", lambda: "192.168.1.23")
    return shared_app(Config(tmp_path / "scorepad.db", b"k" * 32, (), "0.0.0.0", testing=True))


def short_codes_of(client: Client, url: str) -> list[str]:
    """Return the short codes on the page of the phones: one to keep score, and one to look on."""
    page = client.get(f"{url}/telefoni")
    return [code.one("strong").text for code in page.all(class_="short")]


@pytest.fixture
def write_code(client: Client, url: str) -> str:
    """Return the short code that lets others keep score of the match."""
    return short_codes_of(client, url)[0]


@pytest.fixture
def view_code(client: Client, url: str) -> str:
    """Return the short code that lets others look on."""
    return short_codes_of(client, url)[1]


def enter_code(client: Client, code: str, status: int = 200) -> Page:
    """Type a short code on the page for it, press "Enter", and return the page that follows."""
    return client.submit("/entra", "Entra", status, code=code)


# ---------------------------------------------------------------- short codes


def test_short_code_has_no_characters_that_look_alike(write_code: str, view_code: str) -> None:
    # Two groups of three letters or digits, without B that looks like 8, G that looks like 6, and
    # so on
    for code in (write_code, view_code):
        assert re.fullmatch("[A-Z3-9]{3} [A-Z3-9]{3}", code)
        assert not re.search("[BGIOSZ01258]", code)


def test_write_code_gives_write_access(guest: Client, pad: Pad, url: str, write_code: str) -> None:
    # A guest types the code on the home page, in lower case and without the space.
    without_space = write_code.lower().replace(" ", "")
    page = guest.submit("/", "Entra", code=without_space)
    assert page.heading == "Chi sei?"  # "Who are you?"
    assert pad.access(match_of(url), device(guest)) is Access.WRITE


def test_view_code_gives_view_access(guest: Client, pad: Pad, url: str, view_code: str) -> None:
    # A hyphen may stand for the space. The guest sees the match at once.
    page = enter_code(guest, view_code.replace(" ", "-"))
    assert page.heading == "Noi contro Loro"
    assert pad.access(match_of(url), device(guest)) is Access.VIEW


def test_code_form_is_folded_on_home_page_until_a_match_is_there(client: Client) -> None:
    # A device without matches has the form at hand, behind "I have a code".
    i_have_a_code = "Ho un codice"
    fold = client.get("/").one(id="join").one("details")
    assert fold.one("summary").text == i_have_a_code
    assert not fold.has("open")

    # With a match a link leads to the form.
    start(client)
    page = client.get("/")
    assert not page.all("input", name="code")
    assert page.links()[i_have_a_code] == "/entra"


@pytest.mark.parametrize("code", ["", "AAAAAA", "A", "A" * 4000, "é€", "\x00", "a" * 26])
def test_wrong_short_code_is_refused(guest: Client, url: str, code: str) -> None:
    page = enter_code(guest, code, status=404)
    # "This code is not valid, or not valid any more."
    assert page.errors[0].startswith("Questo codice non vale, o non vale più.")


def test_short_code_is_replaced_after_five_minutes_and_valid_for_ten(
    client: Client, visit: Visit, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The time passes only where this test says so.
    clock = SimpleNamespace(seconds=1000.0)
    for module in (views, short_codes):
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: clock.seconds))
    first_code = short_codes_of(client, url)[0]
    tag_before = client.raw.get(f"{url}/telefoni/stato").json

    # A second before five minutes have passed, the page still shows the first code.
    clock.seconds += 299
    assert short_codes_of(client, url)[0] == first_code

    # A second before ten minutes have passed, it shows another one. An open page asks for the tag
    # from time to time, sees that it has changed, and fetches the new code. The first one is still
    # valid.
    clock.seconds += 300
    tag = client.raw.get(f"{url}/telefoni/stato").json
    assert tag != tag_before
    second_code = short_codes_of(client, url)[0]
    assert second_code != first_code
    enter_code(visit(), first_code)

    # After ten minutes only the second one is.
    clock.seconds += 1
    enter_code(visit(), first_code, status=404)
    enter_code(visit(), second_code)


def test_many_codes_of_two_addresses_end_no_code_of_another(
    app: Flask, visit: Visit, write_code: str, view_code: str
) -> None:
    codes = setup_of(app).short_codes

    # The pad keeps a limited number of short codes. Two addresses by turns have many more made.
    for number in range(3 * MOST_SHORT_CODES):
        address = f"10.0.0.{number % 2}"
        codes.find_or_make_code(f"key {number}", address)

    # These two lose codes of their own: the two codes of the match, made at a third, are still
    # valid.
    assert len(codes) == MOST_SHORT_CODES
    enter_code(visit(), write_code)
    enter_code(visit(), view_code)


def test_withdrawing_a_key_ends_its_short_code(
    client: Client, visit: Visit, pad: Pad, url: str, write_code: str, view_code: str
) -> None:
    # A short code stands for the long key in a link, which the owner withdraws here.
    pad.devices.withdraw_key(match_of(url), device(client), Access.WRITE)
    refused = enter_code(visit(), write_code, status=404)
    assert refused.heading == "Questo codice non apre niente"  # "This code opens nothing"
    enter_code(visit(), view_code)


def test_viewer_is_not_shown_the_write_code(guest: Client, url: str, view_code: str) -> None:
    # Viewers may let in other viewers.
    enter_code(guest, view_code)
    assert short_codes_of(guest, url) == [view_code]


def test_right_code_is_refused_after_twelve_wrong_ones(
    guest: Client, write_code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The time stands still, so that no wrong try is forgotten.
    monkeypatch.setattr("pyrate_limiter.clocks.monotonic_ns", lambda: 10**15)
    for _ in range(12):
        enter_code(guest, "AAAAAA", status=404)

    # Twelve tries are those of one phone. test_limits.py has those of an address, and of all
    # together.
    enter_code(guest, write_code, status=429)


def test_form_of_another_site_cannot_enter_a_code(guest: Client, write_code: str) -> None:
    # The guest has visited the pad, so its browser sends a device cookie. The form of another site
    # cannot have the CSRF token of the pad's forms.
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

    # A guest enters the code and is asked who they are: one of the players of Noi or Loro, or
    # somebody else, who can say for which side "this phone counts".
    question = enter_code(guest, write_code)
    assert question.texts("legend") == ["Noi", "Loro", "Questo telefono conta per"]

    # Carla taps her name. "Done: this phone counts for Loro."
    page = guest.submit(question, "Carla")
    assert page.url == url
    assert page.notices == ["Fatto: questo telefono conta per Loro."]

    # The owner sees her phone ("telefono 2") with its name and its side.
    phones = client.get(f"{url}/telefoni").text
    assert "Carla, telefono 2" in phones
    assert "Conta per: Loro" in phones


def test_log_names_the_phone_by_its_typed_name_and_side(
    client: Client, guest: Client, pad: Pad, url: str, write_code: str
) -> None:
    # A guest enters the code, and is asked who they are. She types "Aunt <Pina>", and presses the
    # button of the side for which her phone counts, Loro. Spaces around the name are dropped, and so
    # is U+202E, a character that shows the text after it from right to left.
    question = enter_code(guest, write_code)
    guest.submit(question, "Loro", name="  Zia\u202e <Pina>  ")

    # She saves a hand. The log names her phone, the second one of the match.
    play(pad, guest, url, HAND_430_TO_60)
    log = client.get(f"{url}/registro")
    assert "Zia <Pina>, telefono 2, per Loro" in log.text

    # Her page of the phones has a form with her name. She empties the field, and presses "Tutti":
    # her phone counts for all sides.
    page_of_phones = guest.get(f"{url}/telefoni")
    assert page_of_phones.value_of("name") == "Zia <Pina>"
    guest.submit(page_of_phones, "Tutti", name="")

    # The owner does not see her name any more.
    page_of_owner = client.get(f"{url}/telefoni")
    assert "Pina" not in page_of_owner.text


def test_question_who_you_are_can_be_skipped(
    client: Client, guest: Client, url: str, write_code: str
) -> None:
    # "Skip" leads to the match, and the phone has a number in place of a name.
    question = enter_code(guest, write_code)
    assert question.links()["Salta"] == url
    assert "Telefono 2" in client.get(f"{url}/telefoni").text

    # Who has answered is not asked again.
    guest.submit(question, "Noi")
    assert enter_code(guest, write_code).url == url


def test_viewer_is_not_asked_who_they_are(guest: Client, url: str, view_code: str) -> None:
    # The page of the question ("chi", "who") is not for viewers.
    enter_code(guest, view_code)
    guest.get(f"{url}/telefoni/chi", status=403)


def test_own_side_is_shown_first(
    client: Client, guest: Client, pad: Pad, url: str, write_code: str
) -> None:
    # The guest's phone counts for Loro, the second side.
    play(pad, client, url, HAND_430_TO_60)
    guest.submit(enter_code(guest, write_code), "Loro")

    # Loro come first in the match, in the form of a hand and on the score board.
    for path in ("", "/smazzata", "/tabellone"):
        headings = guest.get(f"{url}{path}").texts("h2")
        assert headings.index("Loro") < headings.index("Noi"), path

    # So do their 60 points in the table of the hands.
    page = guest.get(url)
    columns = page.one("table").texts("th", scope="col")
    assert columns[-2:] == ["Loro", "Noi"]
    assert page.texts("span", class_="made") == ["+60", "+430"]


def test_conflict_names_the_holder_of_the_other_phone(
    client: Client, guest: Client, pad: Pad, url: str, write_code: str
) -> None:
    # Aunt Pina enters a match of somebody else by its code, and types her name.
    question = enter_code(guest, write_code)
    guest.submit(question, "Loro", name="Zia Pina")
    phone_of_pina = Scorer(guest, pad, url)
    phone_of_owner = Scorer(client, pad, url)

    # The owner opens the form of a hand. Then Aunt Pina types 210 for the cards of Noi in it.
    page_of_owner = phone_of_owner.open()
    phone_of_pina.check({"a.cards": "210", "out": "nobody"})

    # The owner types 300 into the same field. The page shows that 210 was "saved by Aunt Pina", and
    # offers to keep it.
    typed = {"a.cards": "300", "out": "nobody"}
    conflict = phone_of_owner.check(typed, page_of_owner, status=409)
    assert "Salvato da Zia Pina" in conflict.texts("th")
    assert "Tieni 210 (Zia Pina)" in conflict.links()


def test_too_long_name_is_refused(guest: Client, write_code: str) -> None:
    # A name has at most 40 characters.
    question = enter_code(guest, write_code)
    page = guest.submit(question, "Loro", status=400, name="x" * 41)

    assert len(page.errors) == 1
    assert page.one("input", name="name")["aria-invalid"] == "true"


# ---------------------------------------------------------------- opening the pad to the network


# In these tests a pad on somebody's computer listens at 127.0.0.1, for this computer alone. The
# owner may open it to the home network: then it listens at the computer's address there too.
NETWORK_ADDRESS = "127.0.0.2"
"""What stands for the computer's address in its home network."""
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
        """Return the status of a page at an address of the computer, or `NOBODY_LISTENS`.

        `/salute` is a page that says whether the server is healthy.
        """
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
    """Run a server in a thread, which listens for this computer alone, until the test has ended."""
    # The server finds one address at which it could listen to the home network, and pages show the
    # same one.
    monkeypatch.setattr("scorepad.app.server.home_addresses", lambda: (NETWORK_ADDRESS,))
    monkeypatch.setattr(network_addresses, "home_address", lambda: NETWORK_ADDRESS)

    # The page of the phones opens the network through the server, which it finds in the app.
    app = shared_app(Config(tmp_path / "local.db", b"k" * 32, testing=True))
    server = listen(app, "127.0.0.1", 0)
    app.extensions[views.SERVER] = server

    thread = threading.Thread(target=server.run)
    thread.start()
    yield LocalServer(app, server)

    # Other tests share the app, and have no server.
    del app.extensions[views.SERVER]
    server.stop()
    thread.join(timeout=10)
    assert not thread.is_alive()


def owner_of(local: LocalServer) -> Client:
    """Return a browser that used the link shown at the start, and so may open the network."""
    client = Client(local.app)
    client.submit(make_start_link(local.app), "Vedi tutte le partite")
    return client


def test_owner_opens_the_network(local: LocalServer) -> None:
    client = owner_of(local)
    url = start(client)

    # At first nobody listens on the network, and there are no QR codes with which phones could
    # enter. "Open the pad to the other phones"
    page = client.get(f"{url}/telefoni")
    assert page.one("h2", id="network").text == "Apri il segnapunti agli altri telefoni"
    assert page.all(class_="qr") == []
    assert local.status_at(NETWORK_ADDRESS) == NOBODY_LISTENS

    # Afterwards there are two, one for those who keep score and one for those who look on. "Done,
    # the other phones of the network can enter"
    page = client.submit(page, OPEN_NETWORK)
    assert page.notices[0].startswith("Fatto: gli altri telefoni della rete possono entrare")
    assert len(page.all(class_="qr")) == 2
    assert local.status_at(NETWORK_ADDRESS) == 200

    # A device of the network that has not entered does not see the match.
    assert local.status_at(NETWORK_ADDRESS, url) == 404


def test_owner_closes_the_network_and_its_connections(local: LocalServer) -> None:
    client = owner_of(local)
    page = client.submit(f"{start(client)}/telefoni", OPEN_NETWORK)

    # A device of the network is connected when the owner presses "Close to the network". Its
    # connection is closed, or reset if the server had not yet accepted it.
    with socket.create_connection((NETWORK_ADDRESS, local.port), timeout=5) as connection:
        page = client.submit(page, "Chiudi alla rete")
        with suppress(ConnectionResetError):
            assert connection.recv(1) == b""

    # "Done, the pad answers only this computer again."
    assert page.notices == ["Fatto: il segnapunti risponde di nuovo solo a questo computer."]
    assert local.status_at(NETWORK_ADDRESS) == NOBODY_LISTENS
    assert local.status_at("127.0.0.1") == 200

    # It can be opened again.
    client.submit(page, OPEN_NETWORK)
    assert local.status_at(NETWORK_ADDRESS) == 200


def test_host_is_checked_on_network_address(local: LocalServer) -> None:
    # A page of another site may ask for this address by its own host name (DNS rebinding).
    local.server.open_network()
    with closing(HTTPConnection(NETWORK_ADDRESS, local.port, timeout=5)) as connection:
        connection.request("GET", "/", headers={"Host": "evil.example"})
        assert connection.getresponse().status == 400


def test_server_stops_while_network_is_open(local: LocalServer) -> None:
    # Opened twice, the network is open once.
    local.server.open_network()
    local.server.open_network()

    local.server.stop()

    # Within five seconds nobody listens any more.
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
    # The owner of the pad may open it to the home network, by a form on the page of the phones. An
    # attacker wants the owner's browser to send this form.
    browser = owner_of(local)
    match_url = start(browser)
    page = browser.get(f"{match_url}/telefoni")
    form = page.form(OPEN_NETWORK)
    url = form["action"]
    fields = {**page.values(form), "do": "open"}

    # A page of another site sends the form. Browsers say in a header where it comes from.
    from_other_site = browser.raw.post(url, data=fields, headers={header: value})
    assert from_other_site.status_code in (400, 403, 404)

    # The form has a wrong CSRF token.
    with_wrong_token = browser.raw.post(url, data={**fields, "csrf_token": "x"})
    assert with_wrong_token.status_code == 400

    # The owner follows a link to the address of the form.
    by_link = browser.raw.get(url)
    assert by_link.status_code == 405

    # The server does not listen on the network.
    assert local.server.network == {}


@pytest.mark.parametrize(
    "cookie", ["", "x", pytest.param(admin_cookie(b"x" * 32), id="signed by another")]
)
def test_only_owner_can_open_the_network(local: LocalServer, cookie: str) -> None:
    # A stranger has a match of its own on the pad, and an admin cookie that is not valid.
    match_of_owner = start(owner_of(local))
    stranger = Client(local.app)
    own_match = start(stranger)
    stranger.raw.set_cookie(ADMIN_COOKIE, cookie)

    # It is not offered to open the network. "Open here the link that was shown at the start."
    page = stranger.get(f"{own_match}/telefoni")
    assert page.all("h2", id="network") == []
    assert "apri qui il link mostrato all'avvio" in page.one(class_="warn").text

    # It sends the form all the same, with the CSRF token of another form of the page.
    fields = page.form_values("Noi") | {"do": "open"}
    in_own_match = stranger.raw.post(f"{own_match}/telefoni/rete", data=fields)
    in_match_of_owner = stranger.raw.post(f"{match_of_owner}/telefoni/rete", data=fields)
    assert in_own_match.status_code == 403
    assert in_match_of_owner.status_code == 404
    assert local.status_at(NETWORK_ADDRESS) == NOBODY_LISTENS


def test_network_address_that_cannot_be_opened_is_reported(
    local: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The computer does not have this address, so the server cannot listen there.
    monkeypatch.setattr("scorepad.app.server.home_addresses", lambda: ("192.0.2.77",))
    client = owner_of(local)

    refused = client.submit(f"{start(client)}/telefoni", OPEN_NETWORK, status=503)

    # "The pad could not be opened to the network"
    assert refused.errors[0].startswith("Non si è potuto aprire il segnapunti alla rete: ")
    assert local.status_at("127.0.0.1") == 200
