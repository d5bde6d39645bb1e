"""The phones of a match: codes that let others in, who came in, and what is never told to anybody
else.
"""

from __future__ import annotations

import io
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import segno
from flask import Flask
from pypdf import PdfReader
from waitress.utilities import queue_logger
from werkzeug.test import TestResponse

from scorepad.app import STORAGE, Config, create_app
from scorepad.app.server import listen
from scorepad.matches import Pad
from scorepad.matches.access import Access
from scorepad.matches.devices import Devices
from scorepad.matches.keys import Keys, is_key
from scorepad.storage.connection import Busy
from scorepad.web import network_addresses
from scorepad.web.cookies import VIEW_COOKIE, WRITE_COOKIE
from tests.apps import shared_app
from tests.web.addresses import Addresses
from tests.web.client import Client, Element, Page, Visit
from tests.web.playing import HAND_430_TO_60, device, keys_of, match_of, play, start
from tests.web.scorer import let_in
from tests.web.tables import read_tables
from tests.web.ways_to_write import token_of

CASES = read_tables("phones")
LINK = "http://192.168.1.23:80/e/"
"""A link into a match, without its key."""
COOKIES = {"write": WRITE_COOKIE, "view": VIEW_COOKIE}
"""The cookie of the key behind each of the two codes."""
OWNS = "Tiene la partita: segna, e decide chi entra"


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Flask:
    """A pad that answers the home network, whatever the network of the machine that tests it."""
    monkeypatch.setattr(network_addresses, "home_address", lambda: "192.168.1.23")
    data = tmp_path / "scorepad.db"
    return shared_app(Config(data, b"k" * 32, ("canasta.example",), "0.0.0.0", testing=True))


def phones_page(client: Client, url: str) -> Page:
    return client.get(f"{url}/telefoni")


def shown_links(page: Page) -> list[str]:
    """The links that stand beside the codes."""
    return page.texts(class_="address")


def phone_items(page: Page) -> list[Element]:
    """The list of phones, an element for each."""
    children = page.one("ol", class_="phones").children
    return [child for child in children if isinstance(child, Element)]


def listed_phones(page: Page) -> list[str]:
    """What the page tells of each phone, without the moment when it came."""
    told = []
    for item in phone_items(page):
        facts = [fact.text for fact in item.all("li") if "Entrato" not in fact.text]
        told.append(" ".join([item.one("h3").text, *facts]))
    return told


def buttons(page: Page) -> list[str]:
    return [button.text for button in page.all("button") if not button.has("hidden")]


def code_form(page: Page, access: str) -> dict[str, str]:
    """What the form of a code sends, but for the button."""
    forms = page.all("form")
    (form,) = [form for form in forms if form.all("input", name="access", value=access)]
    return page.values(form)


def press(client: Client, url: str, access: str, do: str) -> Page:
    """Press a button of a code on the page of the phones."""
    form = code_form(phones_page(client, url), access)
    return client.post(f"{url}/telefoni/codice", form | {"do": do})


def second_phone_form(page: Page) -> dict[str, str]:
    """What the form of the second phone in the list sends, but for the button."""
    return page.values(phone_items(page)[1].one("form"))


def everything(app: Flask) -> list[str]:
    """Everything in the data file."""
    with closing(sqlite3.connect(app.extensions[STORAGE].path)) as file:
        return list(file.iterdump())


def tells_nobody(answer: TestResponse) -> bool:
    """Whether neither the next page nor a cache learns the address of this answer."""
    headers = answer.headers
    return headers["Referrer-Policy"] == "no-referrer" and headers["Cache-Control"] == "no-store"


# ---------------------------------------------------------------- coming in


@pytest.mark.parametrize("name", [WRITE_COOKIE, VIEW_COOKIE])
def test_whoever_starts_a_match_carries_its_keys_to_its_pages_and_nowhere_else(
    client: Client, name: str
) -> None:
    page = client.get("/partite/nuova")
    match = client.submit(page, "Comincia: ").url
    cookie = client.raw.get_cookie(name, path=match)
    assert is_key(cookie.value)
    assert cookie.path == match
    assert cookie.http_only
    assert cookie.same_site == "Lax"
    assert cookie.max_age == 34_560_000


@pytest.mark.parametrize(
    ("kind", "leads_to", "may"),
    [("write", "/telefoni/chi", "Può segnare"), ("view", "", "Può solo guardare")],
)
def test_a_link_lets_a_phone_in_and_leaves_a_clean_address(
    client: Client, guest: Client, url: str, kind: str, leads_to: str, may: str
) -> None:
    key = getattr(keys_of(client, url), kind)
    answer = guest.raw.get(f"/e/{key}")
    assert answer.status_code == 303
    assert answer.headers["Location"] == f"{url}{leads_to}"
    assert tells_nobody(answer)
    assert key not in answer.text
    assert listed_phones(phones_page(client, url))[1] == f"Telefono 2 {may}"


def test_a_link_to_watch_gives_no_key_to_write_and_takes_none_away(
    client: Client, guest: Client, pad: Pad, url: str
) -> None:
    keys = keys_of(client, url)
    let_in(client, url, guest, VIEW_COOKIE)
    assert keys_of(guest, url) == Keys("", keys.view)
    let_in(client, url, guest)
    let_in(client, url, guest, VIEW_COOKIE)
    assert keys_of(guest, url) == keys
    assert pad.access(match_of(url), device(guest)) is Access.WRITE


@pytest.mark.parametrize(("method", "headers"), CASES["ahead"])
def test_a_browser_that_fetches_a_link_ahead_does_not_come_in(
    client: Client, guest: Client, url: str, method: str, headers: dict[str, str]
) -> None:
    link = f"/e/{keys_of(client, url).write}"
    answer = guest.raw.open(link, method=method, headers=headers)
    assert answer.status_code == 204
    assert answer.data == b""
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in answer.headers
    assert len(listed_phones(phones_page(client, url))) == 1


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
    old = keys_of(client, url)
    press(client, url, "view", "withdraw")
    press(client, url, "write", "renew")
    guest = visit(language)
    refusal = guest.get(f"/e/{old.write}", status=404).text
    assert advice in refusal
    for key in (old.view, match_of(url), "a" * 26, "x", "%00", "a" * 3000):
        assert guest.get(f"/e/{key}", status=404).text == refusal
    assert not guest.get("/").all("a", class_="match")


# ---------------------------------------------------------------- the codes on the page


def test_the_page_shows_the_code_to_write_and_then_the_one_to_watch(
    client: Client, url: str
) -> None:
    page = phones_page(client, url)
    keys = keys_of(client, url)
    assert shown_links(page) == [f"{LINK}{keys.write}", f"{LINK}{keys.view}"]
    write, view = page.all("section", class_="code")
    assert write.all("h2")[0].text == "Per segnare"
    assert view.all("summary")[0].text == "Solo per guardare"
    assert "Possono guardare fino a 64 telefoni insieme." in view.text
    assert not page.one(class_="codes").has("hidden")
    assert page.answer.headers["Cache-Control"] == "private, no-store"


def test_a_code_is_drawn_in_few_black_modules_on_white_with_a_rim(client: Client, url: str) -> None:
    page = phones_page(client, url)
    drawing = page.all(class_="qr")[0]
    assert drawing["aria-label"] == "Codice per segnare"
    assert drawing.one("svg")["viewbox"] == "0 0 37 37"
    white, black = drawing.all("path")
    assert white["fill"] == "#fff"
    assert white["d"] == "M0 0h37v37h-37z"
    assert black["stroke"] == "#000"
    assert black["d"].startswith("M4 4.5h7"), "four modules of rim, then the corner"
    expected = segno.make(shown_links(page)[0], error="l", micro=False)
    assert f'd="{black["d"]}"' in expected.svg_inline(light="#fff", omitsize=True)


def test_the_codes_name_the_address_that_the_phone_itself_used(
    client: Client, guest: Client, url: str
) -> None:
    link = f"http://canasta.example:8765/e/{keys_of(client, url).write}"
    guest.raw.get(link)
    answer = guest.raw.get(f"http://canasta.example:8765{url}/telefoni")
    assert f"{link}<" in answer.text
    assert "192.168.1.23" not in answer.text


def test_where_the_pad_answers_this_machine_alone_no_code_is_shown(tmp_path: Path) -> None:
    app = create_app(Config(tmp_path / "alone.db", b"k" * 32, testing=True))
    client = Client(app)
    page = phones_page(client, start(client))
    assert "apri qui il link mostrato all'avvio" in page.one(class_="warn").text
    assert page.one(class_="codes").has("hidden")
    assert shown_links(page) == []
    assert page.all(class_="qr") == []


def test_where_the_machine_is_in_no_network_no_code_is_shown(
    client: Client, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network_addresses, "home_address", lambda: None)
    page = phones_page(client, url)
    assert "non è in rete" in page.one(class_="warn").text
    assert page.all(class_="qr") == []


def test_a_phone_that_may_only_watch_is_shown_the_code_to_watch_and_no_button_of_the_owner(
    client: Client, guest: Client, url: str
) -> None:
    keys = keys_of(client, url)
    let_in(client, url, guest, VIEW_COOKIE)
    page = phones_page(guest, url)
    assert shown_links(page) == [f"{LINK}{keys.view}"]
    assert keys.write not in page.answer.text
    assert buttons(page) == ["Togli la partita", "English"]
    assert listed_phones(page) == [f"Telefono 1 {OWNS}", "Telefono 2 (questo) Può solo guardare"]


def test_a_phone_that_writes_is_shown_both_codes_and_gets_a_new_one_by_itself(
    client: Client, guest: Client, url: str
) -> None:
    let_in(client, url, guest)
    page = phones_page(guest, url)
    assert buttons(page) == ["Noi", "Loro", "Tutti Scelto", "Togli la partita", "English"]
    press(client, url, "view", "renew")
    keys = keys_of(client, url)
    assert shown_links(phones_page(guest, url)) == [f"{LINK}{keys.write}", f"{LINK}{keys.view}"]
    assert keys_of(guest, url) == keys


def test_a_browser_without_the_keys_is_told_that_it_can_make_new_ones(
    client: Client, url: str
) -> None:
    client.raw.delete_cookie(WRITE_COOKIE, path=url)
    client.raw.delete_cookie(VIEW_COOKIE, path=url)
    page = phones_page(client, url)
    assert page.all(class_="qr") == []
    assert page.text.count("questo telefono non lo conosce") == 2
    page = press(client, url, "write", "renew")
    keys = keys_of(client, url)
    assert shown_links(page) == [f"{LINK}{keys.write}", f"{LINK}{keys.view}"]


def test_codes_that_were_withdrawn_are_made_again_when_they_are_wanted(
    client: Client, url: str
) -> None:
    press(client, url, "write", "withdraw")
    page = press(client, url, "view", "withdraw")
    assert page.text.count("Adesso nessuno può entrare così: non c'è un codice.") == 2
    assert buttons(page).count("Fai un codice") == 2
    press(client, url, "write", "renew")
    page = press(client, url, "view", "renew")
    keys = keys_of(client, url)
    assert shown_links(page) == [f"{LINK}{keys.write}", f"{LINK}{keys.view}"]


# ---------------------------------------------------------------- what the owner does


@pytest.mark.parametrize(
    ("access", "do", "told"),
    [
        ("write", "renew", "Fatto: ecco i nuovi codici per segnare e per guardare."),
        ("view", "renew", "Fatto: ecco il nuovo codice per guardare."),
        ("view", "withdraw", "Fatto: il codice per guardare non vale più."),
    ],
)
def test_who_came_by_a_code_that_is_renewed_or_withdrawn_is_out(
    client: Client, guest: Client, url: str, access: str, do: str, told: str
) -> None:
    old_key = getattr(keys_of(client, url), access)
    let_in(client, url, guest, COOKIES[access])
    page = press(client, url, access, do)
    assert page.notices == [told]
    guest.get(url, status=404)
    guest.get(f"/e/{old_key}", status=404)
    client.get(url)


@pytest.mark.parametrize(
    ("language", "warning"),
    [("it", "cambia anche il codice per guardare"), ("en", "the code for watching changes too")],
)
def test_the_page_warns_that_a_new_code_to_write_changes_the_one_to_watch(
    client: Client, url: str, language: str, warning: str
) -> None:
    client.raw.set_cookie("scorepad_language", language)
    client.language = language
    page = phones_page(client, url)
    assert warning in page.one(id="change-write").text.lower()
    assert warning not in page.one(id="change-view").text.lower()
    page = press(client, url, "write", "withdraw")
    assert warning in page.one(id="change-write").text.lower()
    page = press(client, url, "view", "withdraw")
    assert warning not in page.one(id="change-write").text.lower()


def test_the_match_is_handed_on_and_then_only_the_other_decides(
    client: Client, guest: Client, url: str
) -> None:
    let_in(client, url, guest)
    form = second_phone_form(phones_page(client, url))
    page = client.post(f"{url}/telefoni/telefono", form | {"do": "hand-on"})
    assert page.notices == ["Fatto: la partita adesso la tiene quel telefono."]
    assert listed_phones(page) == ["Telefono 1 (questo) Può segnare", f"Telefono 2 {OWNS}"]

    sent_again = client.post(f"{url}/telefoni/telefono", form | {"do": "hand-on"})
    assert sent_again.notices == []
    assert listed_phones(sent_again) == listed_phones(page)

    withdrawal = page.values(page.form("Noi")) | {"access": "write", "do": "withdraw"}
    refused = client.post(f"{url}/telefoni/codice", withdrawal, status=403)
    assert refused.one("h1").text == "Questo lo decide chi tiene la partita"
    assert len(shown_links(phones_page(guest, url))) == 2


def test_a_phone_is_removed(client: Client, guest: Client, url: str) -> None:
    let_in(client, url, guest)
    form = second_phone_form(phones_page(client, url))
    page = client.post(f"{url}/telefoni/telefono", form | {"do": "remove"})
    assert page.notices == ["Fatto: quel telefono è fuori."]
    assert len(listed_phones(page)) == 1
    guest.get(url, status=404)

    sent_again = client.post(f"{url}/telefoni/telefono", form | {"do": "remove"})
    assert sent_again.notices == []

    form["request_id"] = code_form(page, "write")["request_id"]
    gone = client.post(f"{url}/telefoni/telefono", form | {"do": "hand-on"})
    assert gone.notices == ["Quel telefono non è più in questa partita, e non è cambiato niente."]


@pytest.mark.parametrize("access", ["write", "view"])
def test_a_new_code_sent_for_again_is_made_once_and_sets_no_cookie(
    app: Flask, client: Client, url: str, access: str
) -> None:
    form = code_form(phones_page(client, url), access) | {"do": "renew"}
    first = client.raw.post(f"{url}/telefoni/codice", data=form)
    assert f"{COOKIES[access]}=" in str(first.headers)
    phones_page(client, url)
    before = everything(app)
    again = client.raw.post(f"{url}/telefoni/codice", data=form)
    assert again.status_code == 303
    assert again.headers["Location"] == first.headers["Location"]
    assert f"{COOKIES[access]}=" not in str(again.headers)
    assert everything(app) == before


def test_a_withdrawal_sent_again_does_not_withdraw_the_next_code(client: Client, url: str) -> None:
    form = code_form(phones_page(client, url), "view") | {"do": "withdraw"}
    client.post(f"{url}/telefoni/codice", form)
    press(client, url, "view", "renew")
    client.post(f"{url}/telefoni/codice", form)
    assert shown_links(phones_page(client, url))[1] == f"{LINK}{keys_of(client, url).view}"


def test_another_button_of_a_form_that_was_sent_changes_nothing_and_is_told(
    app: Flask, client: Client, url: str
) -> None:
    form = code_form(phones_page(client, url), "view")
    client.post(f"{url}/telefoni/codice", form | {"do": "renew"})
    before = everything(app)
    page = client.post(f"{url}/telefoni/codice", form | {"do": "withdraw"}, status=409)
    assert page.errors[0].startswith("Da questa pagina era già stato mandato altro")
    assert everything(app) == before


def test_many_phones_that_only_watch_are_folded_away(
    client: Client, visit: Visit, url: str
) -> None:
    for _ in range(9):
        last = let_in(client, url, visit(), VIEW_COOKIE)
    page = phones_page(client, url)
    others, watching = page.all("ol", class_="phones")
    assert others.texts("h3") == ["Telefono 1 (questo)"]
    assert len(watching.all("h3")) == 9
    assert "9 telefoni che possono solo guardare" in page.texts("summary")
    own_list = phones_page(last, url).all("ol", class_="phones")[0]
    assert own_list.all("h3")[-1].text == "Telefono 10 (questo)", "one's own is not folded away"


def test_a_phone_says_which_side_it_counts_for(client: Client, url: str) -> None:
    page = client.submit(phones_page(client, url), "Loro")
    assert page.notices == ["Fatto: questo telefono conta per Loro."]
    assert page.one("button", aria_current="true").text == "Loro Scelto"
    assert listed_phones(page) == [f"Telefono 1 (questo) {OWNS} Conta per: Loro"]
    page = client.submit(page, "Tutti")
    assert page.one("button", aria_current="true")["value"] == "none"


@pytest.mark.parametrize(("path", "sent"), CASES["unoffered"])
def test_what_no_button_sends_changes_nothing(
    app: Flask, client: Client, url: str, path: str, sent: dict[str, str]
) -> None:
    page = phones_page(client, url)
    form = page.values(page.form("Noi"))
    before = everything(app)
    assert len(client.post(f"{url}/telefoni/{path}", form | sent, status=400).errors) == 1
    assert everything(app) == before


# ---------------------------------------------------------------- what a key never does


def test_the_key_of_a_match_opens_no_other(client: Client, guest: Client, url: str) -> None:
    other = start(client)
    let_in(client, url, guest)
    keys = keys_of(guest, url)
    guest.raw.set_cookie(WRITE_COOKIE, keys.write, path=other)
    guest.raw.set_cookie(VIEW_COOKIE, keys.view, path=other)
    guest.get(other, status=404)
    refused = guest.get(f"{other}/telefoni", status=404)
    assert refused.text == guest.get("/partite/zzzzzzzzzz/telefoni", status=404).text
    assert [link["href"] for link in guest.get("/").all("a", class_="match")] == [url]


@pytest.mark.long
def test_no_key_stands_on_any_other_page_or_in_a_title_or_an_address(
    client: Client, pad: Pad, url: str
) -> None:
    play(pad, client, url, HAND_430_TO_60)
    keys = keys_of(client, url)

    def tells_key(text: str) -> bool:
        return keys.write in text or keys.view in text

    assert tells_key(phones_page(client, url).answer.text)
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
    assert f"{url}/telefoni" in addresses.seen
    assert f"{url}/foglio.pdf" in addresses.seen


@pytest.mark.parametrize("link", CASES["nowhere"])
def test_a_link_that_leads_nowhere_tells_its_key_to_nobody(guest: Client, link: str) -> None:
    key = "a" * 26
    answer = guest.raw.get(link.replace("KEY", key))
    assert answer.status_code == 404
    assert tells_nobody(answer)
    assert key not in answer.text
    assert Page(answer, "/").one("input", name="back")["value"] == "/"


def test_a_refused_link_tells_its_key_to_nobody(client: Client, guest: Client, url: str) -> None:
    link = f"/e/{keys_of(client, url).view}"
    posted = guest.raw.post(link, data={"csrf_token": token_of(guest)})
    elsewhere = guest.raw.get(link, headers={"Host": "evil.example"})
    assert posted.status_code == 405
    assert elsewhere.status_code == 400
    for answer in (posted, elsewhere):
        assert tells_nobody(answer)
        assert link not in answer.text


def test_a_link_that_meets_a_busy_file_tells_its_key_to_nobody(
    client: Client, guest: Client, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: object) -> None:
        raise Busy(client.app.extensions[STORAGE].path)

    link = f"/e/{keys_of(client, url).view}"
    guest.get("/")
    monkeypatch.setattr(Devices, "enter", busy)
    answer = guest.raw.get(link, follow_redirects=True)
    assert answer.status_code == 503
    assert tells_nobody(answer)
    assert link not in answer.text


def test_a_mistake_of_ours_tells_no_key_in_the_log(
    client: Client,
    guest: Client,
    url: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    key = keys_of(client, url).write
    guest.get("/")
    monkeypatch.setattr(Devices, "enter", lambda *_: 1 / 0)
    client.app.testing = False
    answer = guest.raw.get(f"/e/{key}", follow_redirects=True)
    assert answer.status_code == 500
    assert "ZeroDivisionError" in caplog.text
    assert "/e/<key>" in caplog.text
    assert key not in caplog.text


def test_that_requests_wait_for_a_moment_is_not_told_on_the_terminal(
    caplog: pytest.LogCaptureFixture,
) -> None:
    server = listen(lambda *_: [], "127.0.0.1", 0)
    queue_logger.warning("Task queue depth is %d", 3)
    queue_logger.error("something else")
    server.close()
    assert "Task queue depth" not in caplog.text
    assert "something else" in caplog.text


# ---------------------------------------------------------------- leaving


@pytest.mark.parametrize("cookie", [WRITE_COOKIE, VIEW_COOKIE])
def test_a_phone_leaves_a_match_and_comes_back_with_the_code(
    client: Client, guest: Client, url: str, cookie: str
) -> None:
    let_in(client, url, guest, cookie)
    home = guest.submit(phones_page(guest, url), "Togli la partita")
    assert home.url == "/"
    assert home.notices == ["Fatto: la partita non è più su questo telefono."]
    assert url not in home.links().values()
    guest.get(url, status=404)
    assert "Telefono 2" not in phones_page(client, url).text
    let_in(client, url, guest, cookie)
    guest.get(url)


def test_the_owner_does_not_leave_a_match(client: Client, guest: Client, url: str) -> None:
    assert "Togli la partita" not in phones_page(client, url).text
    let_in(client, url, guest)
    page = phones_page(guest, url)
    form = page.values(page.form("Togli la partita"))
    client.post("/esci", form | {"csrf_token": token_of(client)}, status=403)
    client.get(url)


def test_a_phone_does_not_leave_a_match_by_the_form_of_another(
    client: Client, guest: Client, visit: Visit, url: str
) -> None:
    let_in(client, url, guest)
    page = phones_page(guest, url)
    form = page.values(page.form("Togli la partita"))
    stranger = visit()
    stranger.post("/esci", form | {"csrf_token": token_of(stranger)}, status=404)
    guest.post("/esci", form | {"csrf_token": "wrong"}, status=400)
    guest.get(url)
