"""Joining a match: short codes, who holds a phone, and the pad that opens itself to the home
network.
"""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from types import SimpleNamespace

import pytest
from flask import Flask

from scorepad.app import Config
from scorepad.app.server import listen
from scorepad.matches import Pad
from scorepad.matches.access import Access
from scorepad.web import network_addresses, short_codes
from scorepad.web.cookies import ADMIN_COOKIE, DEVICE_COOKIE
from scorepad.web.home.views import make_start_link
from scorepad.web.phones import views
from scorepad.web.short_codes import MOST_SHORT_CODES
from tests.apps import shared_app
from tests.cookies import admin_cookie
from tests.web.client import Client, Page, Visit
from tests.web.conftest import setup_of
from tests.web.playing import ALL_GOOD, device, match_of, play, start
from tests.web.scorer import Scorer

HOME = "192.168.1.23"


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Flask:
    """A pad that answers the home network."""
    monkeypatch.setattr(network_addresses, "home_address", lambda: HOME)
    return shared_app(Config(tmp_path / "scorepad.db", b"k" * 32, (), "0.0.0.0", testing=True))


def codes(client: Client, url: str) -> list[str]:
    """The short codes on the page of the phones: to write, to view."""
    return [each.one("strong").text for each in client.get(f"{url}/telefoni").all(class_="short")]


def join(client: Client, code: str, status: int = 200) -> Page:
    """Type a short code on the first page, or on the page to which it leads."""
    page = client.get("/")
    page = page if page.all("input", name="code") else client.get("/entra")
    sent = page.values(page.form("Entra")) | {"code": code}
    return client.post("/entra", sent, status)


# ---------------------------------------------------------------- short codes


@pytest.mark.parametrize(("place", "may"), [(0, Access.WRITE), (1, Access.VIEW)])
def test_a_short_code_typed_on_the_first_page_leads_into_the_match(
    client: Client, guest: Client, pad: Pad, url: str, place: int, may: Access
) -> None:
    found = codes(client, url)
    assert all(re.fullmatch("[A-Z3-9]{3} [A-Z3-9]{3}", code) for code in found)
    assert not set("BGIOSZ01258") & set("".join(found)), "no letter looks like another"
    page = join(guest, found[place].lower().replace(" ", "-" if place else ""))
    assert page.one("h1").text == ("Chi sei?" if may is Access.WRITE else "Noi contro Loro")
    assert pad.access(match_of(url), device(guest)) is may


def test_the_form_for_a_code_folds_on_the_first_page_and_has_one_of_its_own(
    client: Client,
) -> None:
    fold = client.get("/").one(id="join").one("details")
    assert (fold.one("summary").text, fold.has("open")) == ("Ho un codice", False)
    assert fold.all("input", name="code")
    start(client)
    page = client.get("/")
    assert not page.all("input", name="code")
    assert page.links()["Ho un codice"] == "/entra"
    assert client.get("/entra").one("label").text == "Ho un codice"


@pytest.mark.parametrize("code", ["", "AAAAAA", "A", "A" * 4000, "é€", "\x00", "a" * 26])
def test_a_wrong_short_code_is_told_and_lets_nobody_in(guest: Client, url: str, code: str) -> None:
    page = join(guest, code, 404)
    assert page.errors[0].startswith("Questo codice non vale, o non vale più.")


def test_a_short_code_is_valid_for_ten_minutes_and_replaced_in_time(
    client: Client, visit: Visit, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = SimpleNamespace(value=1000.0)
    for module in (views, short_codes):
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: now.value))
    first, _ = codes(client, url)
    tag = client.raw.get(f"{url}/telefoni/stato").json
    now.value += 299
    assert codes(client, url)[0] == first
    now.value += 300
    assert client.raw.get(f"{url}/telefoni/stato").json != tag, "an open page fetches the next one"
    second, _ = codes(client, url)
    assert second != first
    join(visit(), first)
    now.value += 1
    join(visit(), first, 404)
    join(visit(), second)


def test_whoever_has_many_codes_made_ends_none_of_another_address(
    client: Client, visit: Visit, url: str
) -> None:
    (write, view), kept = codes(client, url), setup_of(client.app).short_codes
    for number in range(3 * MOST_SHORT_CODES):
        kept.find_or_make_code(f"key {number}", f"10.0.0.{number % 2}")
    assert len(kept) == MOST_SHORT_CODES
    join(visit(), write)
    join(visit(), view)


def test_a_short_code_ends_with_the_key_that_it_stands_for(
    client: Client, visit: Visit, pad: Pad, url: str
) -> None:
    (write, view) = codes(client, url)
    pad.devices.withdraw_key(match_of(url), device(client), Access.WRITE)
    assert join(visit(), write, 404).one("h1").text == "Questo codice non apre niente"
    join(visit(), view)


def test_a_phone_that_only_views_is_shown_no_code_to_write(
    client: Client, visit: Visit, url: str
) -> None:
    guest, (write, view) = visit(), codes(client, url)
    join(guest, view)
    assert codes(guest, url) == [view]
    assert write not in guest.get(f"{url}/telefoni").text


def test_a_device_has_twelve_tries_and_after_them_even_the_right_code_is_not_read(
    client: Client, guest: Client, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How many an address and all together have is in test_limits.py."""
    monkeypatch.setattr("pyrate_limiter.clocks.monotonic_ns", lambda: 10**15)
    right = codes(client, url)[0]
    for _ in range(12):
        join(guest, "AAAAAA", 404)
    for code in ("AAAAAA", right):
        join(guest, code, 429)


def test_a_form_of_another_site_tries_no_code(client: Client, guest: Client, url: str) -> None:
    sent = {"code": codes(client, url)[0]}
    guest.get("/")
    assert guest.raw.post("/entra", data=sent).status_code == 400
    foreign = {"Origin": "https://evil.example"}
    assert guest.raw.post("/entra", data=sent, headers=foreign).status_code == 403


# ---------------------------------------------------------------- who holds a phone


def test_a_tap_on_a_player_says_who_it_is_and_the_side(client: Client, guest: Client) -> None:
    players = {"player_0_0": "Anna", "player_0_1": "Bruno", "player_1_0": "Carla"}
    url = start(client, **players, player_1_1="Dino")
    page = join(guest, codes(client, url)[0])
    legends = [legend.text for legend in page.all("legend")]
    assert legends == ["Noi", "Loro", "Questo telefono conta per"]
    page = guest.submit(page, "Carla")
    assert (page.url, page.notices) == (url, ["Fatto: questo telefono conta per Loro."])
    phones = client.get(f"{url}/telefoni").text
    assert "Carla, telefono 2" in phones
    assert "Conta per: Loro" in phones


def test_a_typed_name_and_a_side_name_the_phone_in_the_log(
    client: Client, guest: Client, pad: Pad, url: str
) -> None:
    page = join(guest, codes(client, url)[0])
    guest.submit(page, "Loro", name="  Zia\u202e <Pina>  ")
    play(pad, guest, url, ALL_GOOD)
    assert "Zia <Pina>, telefono 2, per Loro" in client.get(f"{url}/registro").text
    assert guest.get(f"{url}/telefoni").one("input", name="name")["value"] == "Zia <Pina>"
    page = guest.submit(guest.get(f"{url}/telefoni"), "Tutti", name="")
    assert "Pina" not in client.get(f"{url}/telefoni").text


def test_the_question_can_be_skipped_and_is_asked_only_of_those_who_write(
    client: Client, visit: Visit, url: str
) -> None:
    guest, viewer, (write, view) = visit(), visit(), codes(client, url)
    page = join(guest, write)
    assert page.links()["Salta"] == url
    assert "Telefono 2" in client.get(f"{url}/telefoni").text
    join(viewer, view)
    viewer.get(f"{url}/telefoni/chi", 403)
    assert visit().get(f"{url}/telefoni/chi", 404)
    guest.submit(guest.get(f"{url}/telefoni/chi"), "Noi")
    assert join(guest, write).url == url, "who has answered is not asked again"


def test_the_side_that_a_phone_counts_for_stands_first_on_it(
    client: Client, guest: Client, pad: Pad, url: str
) -> None:
    play(pad, client, url, ALL_GOOD)
    guest.submit(join(guest, codes(client, url)[0]), "Loro")

    def order(phone: Client, path: str, *tags: str, **attributes: str) -> list[str]:
        found = phone.get(f"{url}{path}").all(*tags, **attributes)
        return [each.text for each in found if each.text in ("Noi", "Loro", "+430", "+60")]

    for path in ("", "/smazzata", "/tabellone"):
        assert order(client, path, "h2") == ["Noi", "Loro"]
        assert order(guest, path, "h2") == ["Loro", "Noi"]
    assert order(guest, "", "th", scope="col") == ["Loro", "Noi"], "the lines of the hand as well"
    assert order(guest, "", "span", class_="made") == order(client, "", "span", class_="made")[::-1]


def test_a_conflict_names_who_holds_the_other_phone(
    client: Client, guest: Client, pad: Pad, url: str
) -> None:
    guest.submit(join(guest, codes(client, url)[0]), "Loro", name="Zia Pina")
    mine, theirs = Scorer(client, pad, url), Scorer(guest, pad, url)
    page = mine.open()
    theirs.check({"a.cards": "210", "out": "nobody"})
    page = mine.check({"a.cards": "300", "out": "nobody"}, page, 409)
    assert "Salvato da Zia Pina" in [each.text for each in page.all("th")]
    assert "Tieni 210 (Zia Pina)" in page.links()


def test_a_name_too_long_is_told_beside_its_field(client: Client, guest: Client, url: str) -> None:
    page = guest.submit(join(guest, codes(client, url)[0]), "Loro", 400, name="x" * 41)
    assert len(page.errors) == 1
    assert page.one("input", name="name")["aria-invalid"] == "true"


# ---------------------------------------------------------------- opening the pad to the network


@pytest.fixture
def local(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SimpleNamespace]:
    """A server for this machine alone, whose home network is 127.0.0.2."""
    monkeypatch.setattr("scorepad.app.server.home_addresses", lambda: ("127.0.0.2",))
    monkeypatch.setattr(network_addresses, "home_address", lambda: "127.0.0.2")
    app = shared_app(Config(tmp_path / "local.db", b"k" * 32, testing=True))
    server = listen(app, "127.0.0.1", 0)
    app.extensions[views.SERVER] = server
    thread = threading.Thread(target=server.run)
    thread.start()
    yield SimpleNamespace(app=app, server=server, port=server.effective_port)
    del app.extensions[views.SERVER]
    server.stop()
    thread.join(timeout=10)
    assert not thread.is_alive()


def reaches(host: str, port: int, path: str = "/salute") -> int:
    """The status of a page; 0 where nobody listens."""
    connection = HTTPConnection(host, port, timeout=5)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    except ConnectionError:
        return 0
    finally:
        connection.close()


def owner(local: SimpleNamespace) -> Client:
    """The browser with the home privilege."""
    client = Client(local.app)
    client.submit(client.get(make_start_link(local.app)), "Vedi tutte le partite")
    return client


def test_the_owner_opens_the_pad_to_the_network_and_closes_it_again(local: SimpleNamespace) -> None:
    def reached() -> list[int]:
        return [reaches(host, local.port) for host in ("127.0.0.1", "127.0.0.2")]

    client = owner(local)
    url = start(client)
    page = client.get(f"{url}/telefoni")
    assert page.one("h2", id="network").text == "Apri il segnapunti agli altri telefoni"
    assert not page.all(class_="qr")
    assert reached() == [200, 0]
    page = client.submit(page, "Apri alla rete di casa")
    assert page.notices[0].startswith("Fatto: gli altri telefoni della rete possono entrare")
    assert len(page.all(class_="qr")) == 2
    assert reached() == [200, 200]
    assert reaches("127.0.0.2", local.port, url) == 404, "the match stays that of its owner"
    with socket.create_connection(("127.0.0.2", local.port), timeout=5) as held:
        page = client.submit(page, "Chiudi alla rete")
        assert page.notices == ["Fatto: il segnapunti risponde di nuovo solo a questo computer."]
        assert reached() == [200, 0]
        assert held.recv(1) == b"", "its connections end too"
    client.submit(client.get(f"{url}/telefoni"), "Apri alla rete di casa")
    assert reached() == [200, 200], "and once more"


def test_hosts_are_checked_there_as_everywhere(local: SimpleNamespace) -> None:
    local.server.open_network()
    with closing(HTTPConnection("127.0.0.2", local.port, timeout=5)) as connection:
        connection.request("GET", "/", headers={"Host": "evil.example"})
        assert connection.getresponse().status == 400


def test_the_server_stops_with_the_network_open(local: SimpleNamespace) -> None:
    local.server.open_network()
    local.server.open_network()
    local.server.stop()
    for _ in range(50):
        if not reaches("127.0.0.2", local.port):
            return
        time.sleep(0.1)
    raise AssertionError("still listening")


def test_nobody_else_opens_it(local: SimpleNamespace) -> None:
    client = owner(local)
    url = start(client)
    page = client.get(f"{url}/telefoni")
    sent = page.values(page.form("Apri alla rete di casa")) | {"do": "open"}
    path = f"{url}/telefoni/rete"
    assert client.raw.post(path, data=sent | {"csrf_token": "x"}).status_code == 400
    for name, value, statuses in (
        ("Sec-Fetch-Site", "cross-site", (400, 403, 404)),
        ("Sec-Fetch-Site", "same-site", (400, 403, 404)),
        ("Origin", "null", (400, 403, 404)),
        ("Origin", "https://evil.example", (403,)),
    ):
        answer = client.raw.post(path, data=sent, headers={name: value})
        assert answer.status_code in statuses, value
    assert client.raw.get(path).status_code == 405
    for value in ("", "x", admin_cookie(b"x" * 32)):
        stranger = Client(local.app)
        own = start(stranger)
        stranger.raw.set_cookie(ADMIN_COOKIE, value)
        theirs = stranger.get(f"{own}/telefoni")
        assert not theirs.all("h2", id="network")
        assert "apri qui il link mostrato all'avvio" in theirs.one(class_="warn").text
        asked = theirs.values(theirs.form("Noi")) | {"do": "open"}
        assert stranger.raw.post(f"{own}/telefoni/rete", data=asked).status_code == 403
        assert stranger.raw.post(path, data=asked).status_code == 404
    stranger.raw.set_cookie(DEVICE_COOKIE, client.cookie(DEVICE_COOKIE))
    assert stranger.raw.post(path, data=sent).status_code in (400, 403, 404)
    assert local.server.network == {}
    assert reaches("127.0.0.2", local.port) == 0


def test_an_address_that_is_taken_is_told(
    local: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorepad.app.server.home_addresses", lambda: ("192.0.2.77",))
    client = owner(local)
    page = client.get(f"{start(client)}/telefoni")
    page = client.submit(page, "Apri alla rete di casa", 503)
    assert page.errors[0].startswith("Non si è potuto aprire il segnapunti alla rete: ")
    assert reaches("127.0.0.1", local.port) == 200
