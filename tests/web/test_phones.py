"""The phones of a match: codes that let others in, who came in, and what is never told to anybody
else.
"""

from __future__ import annotations

import io
import logging
import re
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
import segno
from flask import Flask
from pypdf import PdfReader
from waitress.utilities import queue_logger

from scorepad.app import STORAGE, Config, create_app
from scorepad.app.server import listen
from scorepad.matches import Pad
from scorepad.matches.access import Access
from scorepad.matches.devices import Devices
from scorepad.matches.keys import Keys
from scorepad.storage.connection import Busy
from scorepad.web import network_addresses
from scorepad.web.cookies import DEVICE_COOKIE, VIEW_COOKIE, WRITE_COOKIE
from tests.apps import shared_app
from tests.web.addresses import Addresses
from tests.web.client import Client, Element, Page, Visit
from tests.web.playing import ALL_GOOD, device, keys_of, match_of, play, start
from tests.web.scorer import let_in
from tests.web.tables import read_tables
from tests.web.ways_to_write import token_of

HOME = "192.168.1.23"
OWNS = "Tiene la partita: segna, e decide chi entra"


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Flask:
    """A pad that answers the home network, whatever the network of the machine that tests it."""
    monkeypatch.setattr(network_addresses, "home_address", lambda: HOME)
    config = Config(
        tmp_path / "scorepad.db", b"k" * 32, ("canasta.example",), "0.0.0.0", testing=True
    )
    return shared_app(config)


def phones(client: Client, url: str) -> Page:
    return client.get(f"{url}/telefoni")


COOKIES = {"write": WRITE_COOKIE, "view": VIEW_COOKIE}


def shown_keys(page: Page) -> Keys:
    """The keys in the addresses that stand beside the codes."""
    return Keys(*(each.text.rpartition("/e/")[2] for each in page.all(class_="address")))


def listed(page: Page) -> list[Element]:
    return [each for each in page.one("ol", class_="phones").children if isinstance(each, Element)]


def rows(page: Page) -> list[str]:
    """What stands of each phone, without the moment when it came."""
    told = []
    for item in listed(page):
        facts = [fact.text for fact in item.all("li") if "Entrato" not in fact.text]
        told.append(" ".join([item.all("h3")[0].text, *facts]))
    return told


def code_form(page: Page, access: str) -> dict[str, str]:
    """What is sent with the buttons of a code."""
    (form,) = [form for form in page.all("form") if form.all("input", name="access", value=access)]
    return page.values(form)


def press(client: Client, url: str, access: str, do: str) -> Page:
    """Press a button of a code on the page of the phones."""
    sent = code_form(phones(client, url), access) | {"do": do}
    return client.post(f"{url}/telefoni/codice", sent)


def everything(app: Flask) -> list[str]:
    """Everything in the data file."""
    with closing(sqlite3.connect(app.extensions[STORAGE].path)) as file:
        return list(file.iterdump())


# ---------------------------------------------------------------- coming in


def test_whoever_starts_a_match_carries_its_keys_to_its_pages_and_nowhere_else(
    client: Client,
) -> None:
    page = client.get("/partite/nuova")
    answer = client.raw.post("/partite/nuova", data=page.values(page.form("Comincia: ")))
    url = answer.headers["Location"]
    cookie = re.compile(
        rf"scorepad_(write|view)=[a-z2-9]{{26}}; .*Max-Age=34560000; HttpOnly; Path={url}; "
        "SameSite=Lax$"
    )
    told = answer.headers.getlist("Set-Cookie")
    assert sum(cookie.match(each) is not None for each in told) == 2


@pytest.mark.parametrize(("kind", "may"), [("write", Access.WRITE), ("view", Access.VIEW)])
def test_a_link_lets_a_phone_in_and_leaves_a_clean_address(
    client: Client, visit: Visit, pad: Pad, url: str, kind: str, may: Access
) -> None:
    guest, held = visit(), keys_of(client, url)
    key = getattr(held, kind)
    answer = guest.raw.get(f"/e/{key}")
    next_page = f"{url}/telefoni/chi" if kind == "write" else url
    assert (answer.status_code, answer.headers["Location"]) == (303, next_page)
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Cache-Control"] == "no-store"
    assert key not in answer.text
    assert pad.access(match_of(url), device(guest)) is may
    assert guest.get(url).answer.headers["Referrer-Policy"] == "same-origin"
    assert keys_of(guest, url) == (held if kind == "write" else Keys("", key))
    let_in(client, url, guest, VIEW_COOKIE)
    assert pad.access(match_of(url), device(guest)) is may, "the other link takes nothing away"
    assert keys_of(guest, url) == (held if kind == "write" else Keys("", key))


@pytest.mark.parametrize(
    ("method", "headers"),
    [
        ("HEAD", {}),
        ("GET", {"Sec-Purpose": "prefetch;prerender"}),
        ("GET", {"Purpose": "prefetch"}),
        ("GET", {"X-Purpose": "preview"}),
        ("GET", {"X-Moz": "prefetch"}),
    ],
)
def test_whoever_only_looks_at_a_link_or_ahead_of_it_does_not_come_in(
    client: Client, guest: Client, url: str, method: str, headers: dict[str, str]
) -> None:
    link = f"/e/{keys_of(client, url).write}"
    answer = guest.raw.open(link, method=method, headers=headers)
    assert (answer.status_code, answer.data) == (204, b"")
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in answer.headers
    assert len(rows(phones(client, url))) == 1


@pytest.mark.parametrize(
    ("language", "advice"),
    [
        ("it", "Chiedi un codice nuovo a chi ha cominciato la partita"),
        ("en", "Ask whoever started the match"),
    ],
)
def test_every_wrong_key_is_answered_alike_and_told_what_to_do(
    client: Client, visit: Visit, url: str, language: str, advice: str
) -> None:
    held, guest = keys_of(client, url), visit(language)
    press(client, url, "view", "withdraw")
    press(client, url, "write", "renew")
    wrong = (held.view, held.write, match_of(url), "a" * 26, "x", "%00", "a" * 3000)
    told = {guest.get(f"/e/{key}", 404).text for key in wrong}
    assert len(told) == 1
    assert advice in told.pop()
    assert not guest.get("/").all("a", class_="match")


# ---------------------------------------------------------------- the codes on the page


def test_the_page_draws_both_codes_at_once_the_one_to_write_first(client: Client, url: str) -> None:
    page, held = phones(client, url), keys_of(client, url)
    wanted = [f"http://{HOME}:80/e/{key}" for key in (held.write, held.view)]
    assert [each.text for each in page.all(class_="address")] == wanted
    labels = ("Codice per segnare", "Codice per guardare")
    for box, address, label in zip(page.all(class_="qr"), wanted, labels, strict=True):
        assert box["aria-label"] == label
        white, black = box.all("path")
        code = segno.make(address, error="l", micro=False)
        assert f'd="{black["d"]}"' in code.svg_inline(light="#fff", omitsize=True)
        size = int(box.one("svg")["viewbox"].split()[2])
        assert size <= 41, "few and large modules"
        assert (white["fill"], black["stroke"]) == ("#fff", "#000")
        assert white["d"] == f"M0 0h{size}v{size}h-{size}z"
        assert black["d"].startswith("M4 4.5h7"), "four modules of rim, then the corner"
    write, view = page.all("section", class_="code")
    assert write.all("h2")[0].text == "Per segnare"
    assert view.all("summary")[0].text == "Solo per guardare", "the other stands alone at first"
    assert "Possono guardare fino a 64 telefoni insieme." in view.text
    assert "insieme" not in write.text
    assert not page.one(class_="codes").has("hidden")
    assert page.answer.headers["Cache-Control"] == "private, no-store"


def test_the_codes_name_the_address_that_the_phone_itself_used(
    client: Client, visit: Visit, url: str
) -> None:
    guest, link = visit(), f"http://canasta.example:8765/e/{keys_of(client, url).write}"
    guest.raw.get(link)
    answer = guest.raw.get(f"http://canasta.example:8765{url}/telefoni")
    assert f"{link}<" in answer.text
    assert HOME not in answer.text


def test_where_no_phone_can_reach_the_pad_no_code_is_shown_and_the_page_says_why(
    client: Client, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = Client(create_app(Config(tmp_path / "alone.db", b"k" * 32, testing=True)))
    page = phones(alone, start(alone))
    assert "apri qui il link mostrato all'avvio" in page.one(class_="warn").text
    assert page.one(class_="codes").has("hidden")
    assert not page.all(class_="address") + page.all(class_="qr")
    monkeypatch.setattr(network_addresses, "home_address", lambda: None)
    page = phones(client, url)
    assert "non è in rete" in page.one(class_="warn").text
    assert not page.all(class_="qr")


def test_a_phone_that_may_only_look_is_shown_the_code_to_look_and_nothing_that_is_the_owners(
    client: Client, guest: Client, url: str
) -> None:
    held = keys_of(client, url)
    let_in(client, url, guest, VIEW_COOKIE)
    page = phones(guest, url)
    assert [each.text for each in page.all(class_="address")] == [f"http://{HOME}:80/e/{held.view}"]
    assert held.write not in page.answer.text
    assert buttons(page) == ["Togli la partita", "English"]
    assert rows(page) == [f"Telefono 1 {OWNS}", "Telefono 2 (questo) Può solo guardare"]


def test_a_phone_that_writes_is_shown_both_codes_and_gets_a_new_one_by_itself(
    client: Client, guest: Client, url: str
) -> None:
    let_in(client, url, guest)
    page = phones(guest, url)
    assert shown_keys(page) == keys_of(client, url)
    assert buttons(page) == ["Noi", "Loro", "Tutti Scelto", "Togli la partita", "English"]
    press(client, url, "view", "renew")
    assert shown_keys(phones(guest, url)) == keys_of(client, url) == keys_of(guest, url)


def buttons(page: Page) -> list[str]:
    return [button.text for button in page.all("button") if not button.has("hidden")]


def test_a_browser_without_the_keys_is_told_that_it_can_make_new_ones(
    client: Client, url: str
) -> None:
    for name in COOKIES.values():
        client.raw.delete_cookie(name, path=url)
    page = phones(client, url)
    assert not page.all(class_="qr")
    assert page.text.count("questo telefono non lo conosce") == 2
    assert shown_keys(press(client, url, "write", "renew")) == keys_of(client, url)


def test_codes_that_were_withdrawn_are_made_again_when_they_are_wanted(
    client: Client, url: str
) -> None:
    for access in COOKIES:
        page = press(client, url, access, "withdraw")
    assert page.text.count("Adesso nessuno può entrare così: non c'è un codice.") == 2
    offered = [button.text for button in page.all("button") if "codice" in button.text]
    assert offered == ["Fai un codice"] * 2
    assert "Fai un codice" not in [fold.text for fold in page.all("summary")]
    for access in COOKIES:
        page = press(client, url, access, "renew")
    assert shown_keys(page) == keys_of(client, url)


# ---------------------------------------------------------------- what the owner does


@pytest.mark.parametrize(
    ("access", "do", "told"),
    [
        ("write", "renew", "Fatto: ecco i nuovi codici per segnare e per guardare."),
        ("view", "renew", "Fatto: ecco il nuovo codice per guardare."),
        ("view", "withdraw", "Fatto: il codice per guardare non vale più."),
    ],
)
def test_after_a_code_is_renewed_or_withdrawn_who_came_by_it_is_out(
    client: Client, guest: Client, url: str, access: str, do: str, told: str
) -> None:
    held = keys_of(client, url)
    let_in(client, url, guest, COOKIES[access])
    page = press(client, url, access, do)
    assert page.notices == [told]
    guest.get(url, 404)
    guest.get(f"/e/{getattr(held, access)}", 404)
    assert client.get(url).status == 200
    if do == "withdraw":
        assert [each.text.rpartition("/e/")[2] for each in page.all(class_="address")] == [
            held.write
        ]
        return
    fresh = keys_of(client, url)
    assert shown_keys(page) == fresh
    assert fresh.view != held.view
    assert (fresh.write == held.write) is (access == "view")
    assert let_in(client, url, guest, COOKIES[access]).get(url).status == 200


@pytest.mark.parametrize(
    ("language", "told"),
    [("it", "cambia anche il codice per guardare"), ("en", "the code for watching changes too")],
)
def test_the_page_says_before_a_new_code_to_write_that_the_one_to_look_changes_too(
    client: Client, url: str, language: str, told: str
) -> None:
    client.raw.set_cookie("scorepad_language", language)
    client.language = language

    def said(code: str) -> bool:
        return told in phones(client, url).one(id=f"change-{code}").text.lower()

    assert said("write")
    assert not said("view")
    press(client, url, "write", "withdraw")
    assert said("write"), "nor when one is made after the old one was withdrawn"
    press(client, url, "view", "withdraw")
    assert not said("write")


def test_the_match_is_handed_on_and_then_only_the_other_decides(
    client: Client, guest: Client, url: str
) -> None:
    let_in(client, url, guest)
    page = phones(client, url)
    sent = page.values(listed(page)[1].one("form")) | {"do": "hand-on"}
    page = client.post(f"{url}/telefoni/telefono", sent)
    assert page.notices == ["Fatto: la partita adesso la tiene quel telefono."]
    assert rows(page) == ["Telefono 1 (questo) Può segnare", f"Telefono 2 {OWNS}"]
    again = client.post(f"{url}/telefoni/telefono", sent)
    assert (again.notices, rows(again)) == ([], rows(page)), "sent twice"
    sent |= {"request_id": page.values(page.form("Noi"))["request_id"]}
    sent |= {"access": "write", "do": "withdraw"}
    refused = client.post(f"{url}/telefoni/codice", sent, 403)
    assert refused.one("h1").text == "Questo lo decide chi tiene la partita"
    assert shown_keys(phones(guest, url)) == keys_of(guest, url)


def test_a_phone_is_sent_out(client: Client, guest: Client, url: str) -> None:
    let_in(client, url, guest)
    page = phones(client, url)
    sent = page.values(listed(page)[1].one("form")) | {"do": "remove"}
    for notices in (["Fatto: quel telefono è fuori."], []):
        page = client.post(f"{url}/telefoni/telefono", sent)
        assert page.notices == notices
        assert len(rows(page)) == 1
    guest.get(url, 404)
    sent |= {"request_id": code_form(page, "write")["request_id"], "do": "hand-on"}
    gone = client.post(f"{url}/telefoni/telefono", sent)
    assert gone.notices == ["Quel telefono non è più in questa partita, e non è cambiato niente."]


@pytest.mark.parametrize(
    ("access", "do"), [("write", "renew"), ("view", "renew"), ("view", "withdraw")]
)
def test_what_is_done_to_a_code_sent_again_changes_nothing_and_sets_no_cookie(
    app: Flask, client: Client, url: str, access: str, do: str
) -> None:
    sent = code_form(phones(client, url), access) | {"do": do}
    first = client.raw.post(f"{url}/telefoni/codice", data=sent)
    cookies = "".join(first.headers.getlist("Set-Cookie"))
    assert (f"scorepad_{access}=" in cookies) is (do == "renew")
    assert len(phones(client, url).notices) == 1
    if do == "withdraw":
        press(client, url, access, "renew")
    held, before = keys_of(client, url), everything(app)
    again = client.raw.post(f"{url}/telefoni/codice", data=sent)
    assert (again.status_code, again.headers["Location"]) == (303, first.headers["Location"])
    for cookie in again.headers.getlist("Set-Cookie"):
        assert not cookie.startswith((WRITE_COOKIE, VIEW_COOKIE))
    assert everything(app) == before
    assert keys_of(client, url) == held


def test_of_ten_that_make_a_code_at_once_the_one_that_made_it_sets_the_cookie(
    app: Flask, client: Client, url: str
) -> None:
    sent = code_form(phones(client, url), "write") | {"do": "renew"}
    cookies = {name: client.cookie(name) for name in (DEVICE_COOKIE, "scorepad_session")}

    def send(_: int) -> str:
        """The key to write that comes with the answer; empty without one."""
        browser = app.test_client()
        for name, value in cookies.items():
            browser.set_cookie(name, value)
        assert browser.post(f"{url}/telefoni/codice", data=sent).status_code == 303
        cookie = browser.get_cookie(WRITE_COOKIE, path=url)
        return cookie.value if cookie else ""

    with ThreadPoolExecutor(10) as at_once:
        (fresh,) = filter(None, at_once.map(send, range(10)))
    assert client.raw.get(f"/e/{fresh}").status_code == 303


def test_another_button_of_a_page_that_was_sent_changes_nothing_and_is_told(
    app: Flask, client: Client, url: str
) -> None:
    sent = code_form(phones(client, url), "view")
    client.post(f"{url}/telefoni/codice", sent | {"do": "renew"})
    before = everything(app)
    page = client.post(f"{url}/telefoni/codice", sent | {"do": "withdraw"}, 409)
    assert page.errors[0].startswith("Da questa pagina era già stato mandato altro")
    assert everything(app) == before
    names = [field["value"] for field in page.all("input", name="request_id")]
    assert len(set(names)) == len(names), "each form of the page is a submission of its own"


def test_many_phones_that_only_look_are_folded_away(client: Client, visit: Visit, url: str) -> None:
    let_in(client, url, visit())
    for number in range(9):
        page = phones(client, url)
        assert len(page.one("ol", class_="phones").all("h3")) == 2 + number
        guest = let_in(client, url, visit(), VIEW_COOKIE)
    page = phones(client, url)
    others, lookers = page.all("ol", class_="phones")
    assert [each.text for each in others.all("h3")] == ["Telefono 1 (questo)", "Telefono 2"]
    assert len(lookers.all("h3")) == len(lookers.all("form")) == 9
    assert "9 telefoni che possono solo guardare" in [each.text for each in page.all("summary")]
    mine = phones(guest, url).all("ol", class_="phones")[0]
    assert mine.all("h3")[-1].text == "Telefono 11 (questo)", "one's own is not folded away"


def test_a_phone_says_which_side_it_counts_for(client: Client, url: str) -> None:
    page = client.submit(phones(client, url), "Loro")
    assert page.notices == ["Fatto: questo telefono conta per Loro."]
    assert page.one("button", aria_current="true").text == "Loro Scelto"
    assert rows(page) == [f"Telefono 1 (questo) {OWNS} Conta per: Loro"]
    page = client.submit(page, "Tutti")
    assert page.one("button", aria_current="true")["value"] == "none"


@pytest.mark.parametrize(("path", "sent"), read_tables("phones")["unoffered"])
def test_what_no_button_sends_changes_nothing(
    client: Client, url: str, path: str, sent: dict[str, str]
) -> None:
    page = phones(client, url)
    form = page.values(page.form("Noi"))
    before = everything(client.app)
    named = {name: form[name] for name in ("csrf_token", "request_id")}
    assert len(client.post(f"{url}/telefoni/{path}", named | sent, 400).errors) == 1
    assert everything(client.app) == before


# ---------------------------------------------------------------- what a key never does


def test_the_key_of_a_match_opens_no_other(client: Client, guest: Client, url: str) -> None:
    other = start(client)
    let_in(client, url, guest)
    held = keys_of(guest, url)
    guest.raw.set_cookie(WRITE_COOKIE, held.write, path=other)
    guest.raw.set_cookie(VIEW_COOKIE, held.view, path=other)
    guest.get(other, 404)
    hidden = guest.get(f"{other}/telefoni", 404)
    assert hidden.text == guest.get("/partite/zzzzzzzzzz/telefoni", 404).text
    assert [link["href"] for link in guest.get("/").all("a", class_="match")] == [url]


@pytest.mark.long
def test_no_key_stands_on_any_other_page_or_in_a_title_or_an_address(
    client: Client, pad: Pad, url: str
) -> None:
    play(pad, client, url, ALL_GOOD)
    held = keys_of(client, url)

    def tells_key(text: str) -> bool:
        return held.write in text or held.view in text

    assert tells_key(phones(client, url).answer.text)
    addresses = Addresses("/", url, most=1)
    for address in addresses:
        answer = client.raw.get(address)
        answer.headers.remove("Set-Cookie")
        assert not tells_key(str(answer.headers)), address
        if address.endswith("/telefoni"):
            page = Page(answer, address)
            assert not tells_key(page.title)
            assert not tells_key("\n".join(page.links().values()))
        elif answer.mimetype == "application/pdf":
            for part in PdfReader(io.BytesIO(answer.data)).pages:
                assert not tells_key(part.extract_text().replace("\n", ""))
        else:
            assert not tells_key(answer.data.decode("latin-1")), address
            if answer.mimetype == "text/html":
                addresses.add(link["href"] for link in Page(answer, address).all("a"))
    assert {f"{url}/telefoni", f"{url}/foglio.pdf"} <= set(addresses.seen)


@pytest.mark.parametrize("path", ["", "/", "/weiter", "?x=1"])
def test_a_link_that_leads_nowhere_tells_its_key_to_nobody(visit: Visit, path: str) -> None:
    guest, key = visit(), "a" * 26
    for before in (f"/e/{key}", f"/E/{key}", "/e"):
        answer = guest.raw.get(f"{before}{path}")
        assert answer.status_code == 404, before
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["Cache-Control"] == "no-store"
        assert key not in answer.text
        assert Page(answer, "/").one("input", name="back")["value"] == "/"


def test_neither_does_a_refused_or_a_busy_one(
    client: Client, url: str, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: object) -> None:
        raise Busy(client.app.extensions[STORAGE].path)

    guest, link = visit(), f"/e/{keys_of(client, url).view}"
    token = guest.get("/").all("input", name="csrf_token")[0]["value"]
    refused = guest.raw.post(link, data={"csrf_token": token})
    elsewhere = guest.raw.get(link, headers={"Host": "evil.example"})
    monkeypatch.setattr(Devices, "enter", busy)
    waiting = guest.raw.get(link, follow_redirects=True)
    for answer, status in ((refused, 405), (elsewhere, 400), (waiting, 503)):
        assert answer.status_code == status
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["Cache-Control"] == "no-store"
        assert link not in answer.text


def test_no_key_comes_to_the_log_even_of_our_own_mistakes(
    client: Client,
    visit: Visit,
    url: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    held = keys_of(client, url)
    guest, tried = visit(), (held.write, held.view, "a" * 26)
    for key in tried:
        guest.raw.get(f"/e/{key}")
    phones(client, url)
    monkeypatch.setattr(Devices, "enter", lambda *_: 1 / 0)
    client.app.testing = False
    assert guest.raw.get(f"/e/{tried[0]}").status_code == 500
    assert "ZeroDivisionError" in caplog.text
    assert "/e/<key>" in caplog.text
    for key in tried:
        assert key not in caplog.text


def test_that_requests_wait_for_a_moment_is_not_told_on_the_terminal(
    caplog: pytest.LogCaptureFixture,
) -> None:
    server = listen(lambda *_: [], "127.0.0.1", 0)
    try:
        queue_logger.warning("Task queue depth is %d", 3)
        queue_logger.error("something else")
    finally:
        server.close()
    assert "Task queue depth" not in caplog.text
    assert "something else" in caplog.text


# ---------------------------------------------------------------- leaving


@pytest.mark.parametrize("kind", ["write", "view"])
def test_a_phone_leaves_a_match_and_comes_back_with_the_code(
    client: Client, guest: Client, url: str, kind: str
) -> None:
    let_in(client, url, guest, COOKIES[kind])
    home = guest.submit(phones(guest, url), "Togli la partita")
    assert (home.url, home.notices) == ("/", ["Fatto: la partita non è più su questo telefono."])
    assert url not in home.links().values()
    guest.get(url, 404)
    assert "Telefono 2" not in phones(client, url).text
    let_in(client, url, guest, COOKIES[kind])
    assert guest.get(url).status == 200


def test_the_owner_and_whoever_is_not_in_a_match_do_not_leave_it(
    client: Client, visit: Visit, url: str
) -> None:
    guest = let_in(client, url, visit())
    assert "Togli la partita" not in phones(client, url).text
    page = phones(guest, url)
    sent = page.values(page.form("Togli la partita"))
    for other, status in ((client, 403), (visit(), 404)):
        other.post("/esci", sent | {"csrf_token": token_of(other)}, status)
    assert guest.post("/esci", sent | {"csrf_token": "wrong"}, 400).errors
    guest.get(url)
