"""The phones of a match: codes that let others in, who came in, and what is never told to anybody
else.
"""

from __future__ import annotations

import io
import logging
import re
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
import segno
from flask import Flask
from flask.testing import FlaskClient
from pypdf import PdfReader
from waitress.utilities import queue_logger

from scorepad.app import STORAGE, Config, create_app
from scorepad.app.server import listen
from scorepad.matches import Pad
from scorepad.matches.access import Access, MatchId
from scorepad.matches.devices import Devices
from scorepad.matches.keys import Keys
from scorepad.storage.connection import Busy
from scorepad.web import network_addresses
from scorepad.web.cookies import VIEW_COOKIE, WRITE_COOKIE
from tests.apps import shared_app
from tests.web.addresses import Addresses
from tests.web.client import Client, Element, Page
from tests.web.playing import ALL_GOOD, device, match_of, play, start

HOME = "192.168.1.23"


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Flask:
    """A pad that answers the home network, whatever the network of the machine that tests it."""
    monkeypatch.setattr(network_addresses, "home_address", lambda: HOME)
    config = Config(
        tmp_path / "scorepad.db", b"k" * 32, ("canasta.example",), "0.0.0.0", testing=True
    )
    return shared_app(config)


@pytest.fixture
def url(client: Client) -> str:
    """A match that the client started."""
    return start(client)


def keys(client: Client, url: str) -> Keys:
    """The keys that a browser carries to the pages of this match."""
    found = [client.raw.get_cookie(name, path=url) for name in (WRITE_COOKIE, VIEW_COOKIE)]
    return Keys(*("" if cookie is None else cookie.value for cookie in found))


def enter(client: Client, key: str) -> None:
    answer = client.raw.get(f"/e/{key}", follow_redirects=True)
    assert (answer.status_code, answer.request.path.startswith("/partite/")) == (200, True)


def phones(client: Client, url: str) -> Page:
    return client.get(f"{url}/telefoni")


def addresses(page: Page) -> list[str]:
    return [each.text for each in page.all(class_="address")]


def buttons(page: Page) -> list[str]:
    """The buttons that are shown without JavaScript."""
    return [button.text for button in page.all("button") if not button.has("hidden")]


def pictures(page: Page) -> list[str]:
    """What is drawn black in each of the codes."""
    return [box.all("path")[1]["d"] for box in page.all(class_="qr")]


def dark(address: str) -> str:
    """What is black in the code of an address."""
    picture = segno.make(address, error="l", micro=False).svg_inline(light="#fff", omitsize=True)
    return str(re.findall(r' d="([^"]*)"', picture)[1])


def row(page: Page, number: int) -> Element:
    return page.one("ol", class_="phones").all("h3")[number - 1]


def rows(page: Page) -> list[str]:
    """What stands of each phone, without the moment when it came."""
    listed = page.one("ol", class_="phones")
    return [
        " ".join(
            [
                item.all("h3")[0].text,
                *(fact.text for fact in item.all("li") if "Entrato" not in fact.text),
            ]
        )
        for item in listed.children
        if isinstance(item, Element)
    ]


# ---------------------------------------------------------------- coming in


def test_whoever_starts_a_match_carries_its_keys_to_its_pages_and_nowhere_else(
    client: Client,
) -> None:
    page = client.get("/partite/nuova")
    answer = client.raw.post("/partite/nuova", data=page.values(page.form("Comincia: ")))
    url = answer.headers["Location"]
    told = [
        cookie
        for cookie in answer.headers.getlist("Set-Cookie")
        if cookie.startswith(("scorepad_w", "scorepad_v"))
    ]
    assert len(told) == 2
    for cookie in told:
        assert re.match(
            rf"scorepad_(write|view)=[a-z2-9]{{26}}; .*Max-Age=34560000; HttpOnly; Path={url}; SameSite=Lax$",
            cookie,
        )


@pytest.mark.parametrize(("kind", "may"), [("write", Access.WRITE), ("view", Access.VIEW)])
def test_a_link_lets_a_phone_in_and_leaves_a_clean_address(
    client: Client, visit: Callable[..., Client], pad: Pad, url: str, kind: str, may: Access
) -> None:
    guest, key = visit(), getattr(keys(client, url), kind)
    answer = guest.raw.get(f"/e/{key}")
    to = f"{url}/telefoni/chi" if kind == "write" else url
    assert (answer.status_code, answer.headers["Location"]) == (303, to)
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Cache-Control"] == "no-store"
    assert key not in answer.text
    assert pad.access(match_of(url), device(guest)) is may
    assert guest.get(url).status == 200
    assert keys(guest, url) == (keys(client, url) if kind == "write" else Keys("", key))


def test_a_writer_who_follows_the_other_link_goes_on_writing(
    client: Client, visit: Callable[..., Client], pad: Pad, url: str
) -> None:
    guest, held = visit(), keys(client, url)
    enter(guest, held.write)
    enter(guest, held.view)
    assert pad.access(match_of(url), device(guest)) is Access.WRITE
    assert keys(guest, url) == held


def test_whoever_only_looks_at_a_link_or_ahead_of_it_does_not_come_in(
    client: Client, visit: Callable[..., Client], pad: Pad, url: str
) -> None:
    guest, link = visit(), f"/e/{keys(client, url).write}"
    looks = [guest.raw.head(link)] + [
        guest.raw.get(link, headers=said)
        for said in (
            {"Sec-Purpose": "prefetch;prerender"},
            {"Purpose": "prefetch"},
            {"X-Purpose": "preview"},
        )
    ]
    for answer in looks:
        assert (answer.status_code, answer.data) == (204, b"")
        assert answer.headers["Cache-Control"] == "no-store"
        assert "Set-Cookie" not in answer.headers
    assert len(pad.devices.phones(match_of(url), device(client))) == 1


@pytest.mark.parametrize("language", ["it", "en"])
def test_every_wrong_key_is_answered_alike_and_told_what_to_do(
    client: Client, visit: Callable[..., Client], pad: Pad, url: str, language: str
) -> None:
    match, held = match_of(url), keys(client, url)
    pad.devices.withdraw(match, device(client), Access.VIEW)
    pad.devices.renew(match, device(client), Access.WRITE, held)
    guest = visit(language)
    told = {
        guest.get(f"/e/{key}", 404).text
        for key in (held.view, held.write, "a" * 26, "x", "%00", "a" * 3000)
    }
    assert len(told) == 1
    says = {
        "it": "Chiedi un codice nuovo a chi ha cominciato la partita",
        "en": "Ask whoever started the match",
    }
    assert says[language] in told.pop()
    assert not guest.get("/").all("a", class_="match")


# ---------------------------------------------------------------- the codes on the page


def test_the_page_draws_both_codes_at_once_the_one_to_write_first(client: Client, url: str) -> None:
    page, held = phones(client, url), keys(client, url)
    wanted = [f"http://{HOME}:80/e/{held.write}", f"http://{HOME}:80/e/{held.view}"]
    assert addresses(page) == wanted
    assert pictures(page) == [dark(address) for address in wanted]
    first, second = page.all("section", class_="code")
    assert [first.all("h2")[0].text, second.all("h2")[0].text] == [
        "Per segnare",
        "Solo per guardare",
    ]
    assert [box["aria-label"] for box in page.all(class_="qr")] == [
        "Codice per segnare",
        "Codice per guardare",
    ]
    assert second.all("summary")[0].text == "Solo per guardare", (
        "the code to write stands alone at first"
    )
    assert not page.one(class_="codes").has("hidden")


def test_a_code_is_black_on_white_with_its_quiet_rim_and_no_style_of_its_own(
    client: Client, url: str
) -> None:
    page = phones(client, url)
    for picture in page.all("svg"):
        size = int(picture["viewbox"].split()[2])
        white, black = picture.all("path")
        assert (white["fill"], black["stroke"]) == ("#fff", "#000")
        assert white["d"] == f"M0 0h{size}v{size}h-{size}z"
        assert black["d"].startswith("M4 4.5h7"), "four modules of rim, then the corner"
        assert size <= 41, "few and large modules"


def test_the_codes_name_the_address_that_the_phone_itself_used(
    client: Client, visit: Callable[..., Client], url: str
) -> None:
    held = keys(client, url)
    guest = visit()
    guest.raw.get(f"http://canasta.example:8765/e/{held.write}")
    answer = guest.raw.get(f"http://canasta.example:8765{url}/telefoni")
    assert f"http://canasta.example:8765/e/{held.write}<" in answer.text
    assert HOME not in answer.text


def test_a_pad_for_this_machine_alone_says_which_browser_can_open_it_to_phones(
    tmp_path: Path,
) -> None:
    app = create_app(Config(tmp_path / "alone.db", b"k" * 32, testing=True))
    client = Client(app)
    page = phones(client, start(client))
    assert "apri qui il link mostrato all'avvio" in page.one(class_="warn").text
    assert not page.all(class_="qr")
    assert not page.all(class_="address")
    assert page.one(class_="codes").has("hidden"), "there is no code to show"


def test_without_a_network_it_says_so(
    client: Client, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network_addresses, "home_address", lambda: None)
    page = phones(client, url)
    assert "non è in rete" in page.one(class_="warn").text
    assert not page.all(class_="qr")


def test_a_viewer_is_shown_the_code_that_it_came_by_and_may_leave(
    client: Client, visit: Callable[..., Client], pad: Pad, url: str
) -> None:
    guest, held = visit(), keys(client, url)
    enter(guest, held.view)
    page = phones(guest, url)
    assert addresses(page) == [f"http://{HOME}:80/e/{held.view}"]
    assert len(page.all("section", class_="code")) == 1
    assert held.write not in page.answer.text
    assert buttons(page) == ["Togli la partita", "English"]
    assert rows(page) == [
        "Telefono 1 Tiene la partita: segna, e decide chi entra", "Telefono 2 (questo) Può solo guardare",
    ]  # fmt: skip


def test_a_writer_is_shown_both_codes_and_nothing_that_is_the_owners(
    client: Client, visit: Callable[..., Client], url: str
) -> None:
    guest, held = visit(), keys(client, url)
    enter(guest, held.write)
    page = phones(guest, url)
    assert [address.rpartition("/")[2] for address in addresses(page)] == [held.write, held.view]
    assert buttons(page) == [
        "Noi", "Loro", "Tutti Scelto", "Togli la partita", "English",
    ]  # fmt: skip


def test_a_browser_without_the_keys_is_told_that_it_can_make_new_ones(
    client: Client, url: str
) -> None:
    for name in (WRITE_COOKIE, VIEW_COOKIE):
        client.raw.delete_cookie(name, path=url)
    page = phones(client, url)
    assert not page.all(class_="qr")
    assert page.text.count("questo telefono non lo conosce") == 2
    page = client.post(f"{url}/telefoni/codice", code_form(page, "write") | {"do": "renew"})
    assert [address.rpartition("/")[2] for address in addresses(page)] == [
        *held_of(keys(client, url))
    ]


def test_a_match_of_before_there_were_keys_gets_them_when_they_are_wanted(
    client: Client, pad: Pad, url: str
) -> None:
    for access in (Access.WRITE, Access.VIEW):
        pad.devices.withdraw(match_of(url), device(client), access)
    page = phones(client, url)
    assert page.text.count("Adesso nessuno può entrare così: non c'è un codice.") == 2
    assert [button.text for button in page.all("button") if "codice" in button.text] == [
        "Fai un codice"
    ] * 2
    assert "Fai un codice" not in [fold.text for fold in page.all("summary")]
    for access in ("write", "view"):
        page = client.post(f"{url}/telefoni/codice", code_form(page, access) | {"do": "renew"})
    assert len(addresses(page)) == 2


# ---------------------------------------------------------------- what the owner does


def code_form(page: Page, access: str) -> dict[str, str]:
    """What is sent with the buttons of a code."""
    (form,) = [form for form in page.all("form") if form.all("input", name="access", value=access)]
    return page.values(form)


def phone_form(page: Page, number: int) -> dict[str, str]:
    """What is sent with the buttons of a phone."""
    item = [each for each in page.one("ol", class_="phones").children if isinstance(each, Element)][
        number - 1
    ]
    return page.values(item.one("form"))


@pytest.mark.parametrize(
    ("access", "told"),
    [
        ("write", "Fatto: ecco i nuovi codici per segnare e per guardare."),
        ("view", "Fatto: ecco il nuovo codice per guardare."),
    ],
)
def test_a_new_code_takes_the_place_of_the_old_one(
    client: Client, visit: Callable[..., Client], url: str, access: str, told: str
) -> None:
    guest, held = visit(), keys(client, url)
    enter(guest, getattr(held, access))
    page = phones(client, url)
    page = client.post(f"{url}/telefoni/codice", code_form(page, access) | {"do": "renew"})
    assert page.notices == [told]
    fresh = keys(client, url)
    assert [address.rpartition("/")[2] for address in addresses(page)] == [fresh.write, fresh.view]
    assert fresh.view != held.view
    assert (fresh.write == held.write) is (access == "view")
    guest.get(url, 404)
    assert guest.raw.get(f"/e/{getattr(held, access)}").status_code == 404
    enter(guest, getattr(fresh, access))
    assert guest.get(url).status == 200


@pytest.mark.parametrize(
    ("language", "both"),
    [("it", "cambia anche il codice per guardare"), ("en", "the code for watching changes too")],
)
def test_the_page_says_before_a_new_code_to_write_that_the_one_to_look_changes_too(
    client: Client, visit: Callable[..., Client], url: str, language: str, both: str
) -> None:
    owner = visit(language)
    for name in ("scorepad_device", WRITE_COOKIE, VIEW_COOKIE):
        cookie = client.raw.get_cookie(name, path="/" if name == "scorepad_device" else url)
        assert cookie is not None
        owner.raw.set_cookie(name, cookie.value, path=cookie.path)

    def said(code: str) -> bool:
        return both.lower() in phones(owner, url).one(id=f"change-{code}").text.lower()

    assert said("write")
    assert not said("view")
    owner.post(
        f"{url}/telefoni/codice", code_form(phones(owner, url), "write") | {"do": "withdraw"}
    )
    assert said("write"), "nor when one is made after the old one was withdrawn"
    owner.post(f"{url}/telefoni/codice", code_form(phones(owner, url), "view") | {"do": "withdraw"})
    assert not said("write")


def test_a_writer_is_shown_the_new_code_to_look_without_doing_anything(
    client: Client, visit: Callable[..., Client], url: str
) -> None:
    guest, held = visit(), keys(client, url)
    enter(guest, held.write)
    client.post(f"{url}/telefoni/codice", code_form(phones(client, url), "view") | {"do": "renew"})
    page = phones(guest, url)
    assert [address.rpartition("/")[2] for address in addresses(page)] == [
        held.write,
        keys(client, url).view,
    ]
    assert keys(guest, url) == keys(client, url)


def test_a_code_withdrawn_opens_nothing_and_who_came_by_it_is_out(
    client: Client, visit: Callable[..., Client], url: str
) -> None:
    guest, held = visit(), keys(client, url)
    enter(guest, held.view)
    page = client.post(
        f"{url}/telefoni/codice", code_form(phones(client, url), "view") | {"do": "withdraw"}
    )
    assert page.notices == ["Fatto: il codice per guardare non vale più."]
    assert [address.rpartition("/")[2] for address in addresses(page)] == [held.write]
    guest.get(url, 404)
    guest.get(f"/e/{held.view}", 404)
    assert client.get(url).status == 200


def test_the_match_is_handed_on_and_then_only_the_other_decides(
    client: Client, visit: Callable[..., Client], url: str
) -> None:
    guest = visit()
    enter(guest, keys(client, url).write)
    sent = phone_form(phones(client, url), 2) | {"do": "hand-on"}
    page = client.post(f"{url}/telefoni/telefono", sent)
    assert page.notices == ["Fatto: la partita adesso la tiene quel telefono."]
    assert rows(page) == [
        "Telefono 1 (questo) Può segnare", "Telefono 2 Tiene la partita: segna, e decide chi entra",
    ]  # fmt: skip
    again = client.post(f"{url}/telefoni/telefono", sent)
    assert (again.notices, rows(again)) == ([], rows(page)), "sent twice"
    other = {"request_id": page.values(page.form("Noi"))["request_id"]}
    refused = client.post(
        f"{url}/telefoni/codice", sent | other | {"access": "write", "do": "withdraw"}, 403
    )
    assert refused.one("h1").text == "Questo lo decide chi tiene la partita"
    assert len(addresses(phones(guest, url))) == 2


def test_a_phone_is_sent_out(client: Client, visit: Callable[..., Client], url: str) -> None:
    guest = visit()
    enter(guest, keys(client, url).write)
    sent = phone_form(phones(client, url), 2) | {"do": "remove"}
    for notices in (["Fatto: quel telefono è fuori."], []):
        page = client.post(f"{url}/telefoni/telefono", sent)
        assert page.notices == notices
        assert len(rows(page)) == 1
    guest.get(url, 404)
    other = {"request_id": code_form(page, "write")["request_id"]}
    gone = client.post(f"{url}/telefoni/telefono", sent | other | {"do": "hand-on"})
    assert gone.notices == ["Quel telefono non è più in questa partita, e non è cambiato niente."]


@pytest.mark.parametrize("access", ["write", "view"])
def test_a_code_made_anew_sent_again_changes_nothing_and_sets_no_cookie(
    app: Flask, client: Client, visit: Callable[..., Client], url: str, access: str
) -> None:
    sent = code_form(phones(client, url), access) | {"do": "renew"}
    first = client.raw.post(f"{url}/telefoni/codice", data=sent)
    assert any(
        cookie.startswith(f"scorepad_{access}=") for cookie in first.headers.getlist("Set-Cookie")
    )
    assert len(phones(client, url).notices) == 1
    held, guest = keys(client, url), visit()
    enter(guest, getattr(held, access))
    before = dump(app)
    again = client.raw.post(f"{url}/telefoni/codice", data=sent)
    assert (again.status_code, again.headers["Location"]) == (303, first.headers["Location"])
    told = again.headers.getlist("Set-Cookie")
    assert not any(cookie.startswith(("scorepad_write", "scorepad_view")) for cookie in told)
    assert dump(app) == before
    assert phones(client, url).notices == []
    assert (keys(client, url), guest.get(url).status) == (held, 200)


def test_of_ten_that_make_a_code_at_once_the_one_that_made_it_sets_the_cookie(
    app: Flask, client: Client, url: str
) -> None:
    sent = code_form(phones(client, url), "write") | {"do": "renew"}
    cookies = {name: client.cookie(name) for name in ("scorepad_device", "scorepad_session")}

    def send(_: int) -> list[str]:
        browser = app.test_client()
        for name, value in cookies.items():
            browser.set_cookie(name, value)
        answer = browser.post(f"{url}/telefoni/codice", data=sent)
        assert answer.status_code == 303
        return [
            cookie
            for cookie in answer.headers.getlist("Set-Cookie")
            if cookie.startswith(WRITE_COOKIE)
        ]

    with ThreadPoolExecutor(10) as at_once:
        (told,) = [cookie for cookies in at_once.map(send, range(10)) for cookie in cookies]
    fresh = told.partition(";")[0].partition("=")[2]
    assert client.raw.get(f"/e/{fresh}").status_code == 303


def test_a_code_withdrawn_sent_again_leaves_the_one_made_after_it(client: Client, url: str) -> None:
    sent = code_form(phones(client, url), "view") | {"do": "withdraw"}
    page = client.post(f"{url}/telefoni/codice", sent)
    client.post(f"{url}/telefoni/codice", code_form(page, "view") | {"do": "renew"})
    again = client.post(f"{url}/telefoni/codice", sent)
    assert again.notices == []
    assert [address.rpartition("/")[2] for address in addresses(again)] == list(
        held_of(keys(client, url))
    )


def test_another_button_of_a_page_that_was_sent_changes_nothing_and_is_told(
    app: Flask, client: Client, url: str
) -> None:
    sent = code_form(phones(client, url), "view")
    client.post(f"{url}/telefoni/codice", sent | {"do": "renew"})
    before = dump(app)
    page = client.post(f"{url}/telefoni/codice", sent | {"do": "withdraw"}, 409)
    assert page.errors[0].startswith(
        "Da questa pagina era già stato mandato altro, che resta com'è."
    )
    assert dump(app) == before
    names = [field["value"] for field in page.all("input", name="request_id")]
    assert len(set(names)) == len(names), "each form of the page is a submission of its own"


def test_many_phones_that_only_look_are_folded_away(
    client: Client, visit: Callable[..., Client], url: str
) -> None:
    held = keys(client, url)
    enter(visit(), held.write)
    for number in range(9):
        page = phones(client, url)
        assert len(page.all("ol", class_="phones")) == 1
        assert len(page.one("ol", class_="phones").all("h3")) == 2 + number
        guest = visit()
        enter(guest, held.view)
    page = phones(client, url)
    others, lookers = page.all("ol", class_="phones")
    assert [each.text for each in others.all("h3")] == ["Telefono 1 (questo)", "Telefono 2"]
    assert [each.text for each in lookers.all("h3")] == [
        f"Telefono {number}" for number in range(3, 12)
    ]
    assert "9 telefoni che possono solo guardare" in [each.text for each in page.all("summary")]
    assert len(lookers.all("form")) == 9
    mine = phones(guest, url).all("ol", class_="phones")
    assert [each.text for each in mine[0].all("h3")][-1] == "Telefono 11 (questo)", (
        "one's own is not folded away"
    )


def test_the_code_to_look_says_how_many_can(client: Client, url: str) -> None:
    write, view = phones(client, url).all("section", class_="code")
    assert "Possono guardare fino a 64 telefoni insieme." in view.text
    assert "insieme" not in write.text


def test_a_phone_says_which_side_it_counts_for(client: Client, url: str) -> None:
    page = client.submit(phones(client, url), "Loro")
    assert page.notices == ["Fatto: questo telefono conta per Loro."]
    assert page.one("button", aria_current="true").text == "Loro Scelto"
    assert rows(page) == [
        "Telefono 1 (questo) Tiene la partita: segna, e decide chi entra Conta per: Loro"
    ]
    page = client.submit(page, "Tutti")
    assert page.one("button", aria_current="true")["value"] == "none"


@pytest.mark.parametrize(("path", "sent"), [
    ("codice", {"access": "own", "do": "renew"}), ("codice", {"access": "write", "do": "x"}), ("codice", {}),
    ("telefono", {"mark": "@keeper", "do": "hand-on"}), ("telefono", {"mark": "a" * 64, "do": ""}),
    ("parte", {"side": "2"}), ("parte", {"side": "-1"}), ("parte", {"side": "x"}), ("parte", {}),
])  # fmt: skip
def test_what_no_button_sends_changes_nothing(
    client: Client, url: str, path: str, sent: dict[str, str]
) -> None:
    page = phones(client, url)
    form = page.values(page.form("Noi"))
    base = {name: form[name] for name in ("csrf_token", "request_id")}
    before = dump(client.app)
    told = client.post(f"{url}/telefoni/{path}", base | sent, 400)
    assert len(told.errors) == 1
    assert dump(client.app) == before


def test_a_page_too_old_to_be_sent_says_so_and_shows_itself_again(client: Client, url: str) -> None:
    sent = code_form(phones(client, url), "write") | {"csrf_token": "x", "do": "withdraw"}
    page = client.post(f"{url}/telefoni/codice", sent, 400)
    assert page.title.startswith("Errore: Altri telefoni")
    assert len(addresses(page)) == 2


# ---------------------------------------------------------------- what a key never does


def dump(app: Flask) -> list[str]:
    """Everything in the data file."""
    with closing(sqlite3.connect(app.extensions[STORAGE].path)) as file:
        return list(file.iterdump())


def test_who_may_only_look_changes_nothing_by_any_way_there_is(
    app: Flask, client: Client, visit: Callable[..., Client], pad: Pad, url: str
) -> None:
    page = play(pad, client, url, ALL_GOOD)
    guest = visit()
    enter(guest, keys(client, url).view)
    token = guest.get(url).one("input", name="csrf_token")["value"]
    sent = page.values(page.form("Annulla la smazzata 1")) | {
        "csrf_token": token,
        "do": "save",
        "side": "0",
    }
    sent |= {"access": "view", "mark": "a" * 64, "reason": "x", "remark": "x"}
    before, tried = dump(app), 0
    for rule in app.url_map.iter_rules():
        if "match" not in rule.arguments or not (rule.methods or set()) & {
            "POST",
            "PUT",
            "PATCH",
            "DELETE",
        }:
            continue
        if rule.endpoint.startswith("api."):
            continue  # there a key opens a match, and no phone does
        with app.test_request_context():
            given = {name: match_of(url) if name == "match" else 1 for name in rule.arguments}
            path = app.url_for(rule.endpoint, **given)
        assert guest.post(path, sent, 403).one("h1").text == "Da qui si può solo guardare", path
        tried += 1
    assert dump(app) == before
    assert tried >= 8


def test_the_key_of_a_match_opens_no_other(
    client: Client, visit: Callable[..., Client], url: str
) -> None:
    other, guest = start(client), visit()
    enter(guest, keys(client, url).write)
    for name in (WRITE_COOKIE, VIEW_COOKIE):
        cookie = guest.raw.get_cookie(name, path=url)
        assert cookie is not None
        guest.raw.set_cookie(name, cookie.value, path=other)
    guest.get(other, 404)
    guest.get(f"{other}/telefoni", 404)
    assert [link["href"] for link in guest.get("/").all("a", class_="match")] == [url]


@pytest.mark.long
def test_no_key_stands_on_any_other_page_or_in_a_title_or_an_address(
    client: Client, pad: Pad, url: str
) -> None:
    play(pad, client, url, ALL_GOOD)
    held = keys(client, url)
    assert held.write in phones(client, url).answer.text
    addresses = Addresses("/", url, most=1)
    for address in addresses:
        answer = client.raw.get(address)
        assert not any(
            key in value
            for key in held_of(held)
            for name, value in answer.headers
            if name != "Set-Cookie"
        )
        if address.endswith("/telefoni"):
            page = Page(answer, address)
            assert not any(
                key in text
                for key in held_of(held)
                for text in (page.title, *page.links().values())
            )
            continue
        assert not any(key.encode() in answer.data for key in held_of(held)), address
        if answer.mimetype == "application/pdf":
            text = "".join(part.extract_text() for part in PdfReader(io.BytesIO(answer.data)).pages)
            assert not any(key in text.replace("\n", "") for key in held_of(held))
        elif answer.mimetype == "text/html":
            addresses.add(link["href"] for link in Page(answer, address).all("a"))
    assert f"{url}/telefoni" in addresses.seen
    assert f"{url}/foglio.pdf" in addresses.seen


def held_of(keys: Keys) -> tuple[str, str]:
    return keys.write, keys.view


def test_no_page_reached_by_a_link_tells_the_link_to_another(
    client: Client, visit: Callable[..., Client], url: str
) -> None:
    """The answer that holds the key in its address says that it is told to nobody, and no page
    stands under it.
    """
    guest = visit()
    answer = guest.raw.get(f"/e/{keys(client, url).view}", follow_redirects=True)
    assert answer.request.path == url
    assert [each.headers["Referrer-Policy"] for each in answer.history] == ["no-referrer"]
    assert answer.headers["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize("path", ["", "/", "/weiter", "?x=1"])
def test_a_link_that_leads_nowhere_tells_its_key_to_nobody(
    client: Client, url: str, visit: Callable[..., Client], path: str
) -> None:
    guest, key = visit(), "a" * 26
    for before in (f"/e/{key}", f"/E/{key}", "/e"):
        answer = guest.raw.get(f"{before}{path}")
        assert answer.status_code == 404, before
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["Cache-Control"] == "no-store"
        assert key not in answer.text
        assert Page(answer, "/").one("input", name="back")["value"] == "/"


def test_neither_does_a_refused_or_a_busy_one(
    client: Client, url: str, visit: Callable[..., Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    guest, link = visit(), f"/e/{keys(client, url).view}"
    token = guest.get("/").all("input", name="csrf_token")[0]["value"]
    answers = [
        guest.raw.post(link, data={"csrf_token": token}),
        guest.raw.get(link, headers={"Host": "evil.example"}),
    ]

    def busy(*_: object) -> None:
        raise Busy(client.app.extensions[STORAGE].path)

    monkeypatch.setattr(Devices, "enter", busy)
    answers.append(guest.raw.get(link, follow_redirects=True))
    assert [answer.status_code for answer in answers] == [405, 400, 503]
    for answer in answers:
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["Cache-Control"] == "no-store"
        assert link not in answer.text


def test_no_key_comes_to_the_log_even_of_our_own_mistakes(
    client: Client,
    visit: Callable[..., Client],
    url: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    held = keys(client, url)
    guest = visit()
    for key in (*held_of(held), "a" * 26):
        guest.raw.get(f"/e/{key}")
    phones(client, url)
    monkeypatch.setattr(Devices, "enter", lambda *_: 1 / 0)
    client.app.testing = False
    assert guest.raw.get(f"/e/{held.write}").status_code == 500
    assert "ZeroDivisionError" in caplog.text
    assert "/e/<key>" in caplog.text
    assert not any(key in caplog.text for key in (*held_of(held), "a" * 26))


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


def test_the_page_of_the_codes_is_kept_by_nobody(client: Client, url: str) -> None:
    assert phones(client, url).answer.headers["Cache-Control"] == "private, no-store"


def test_a_stranger_is_not_told_that_there_are_codes(
    visit: Callable[..., Client], url: str
) -> None:
    guest = visit()
    there, nowhere = (
        guest.get(f"{url}/telefoni", 404),
        guest.get("/partite/zzzzzzzzzz/telefoni", 404),
    )
    assert there.text == nowhere.text


def test_a_match_id_is_no_key(client: FlaskClient, url: str) -> None:
    assert MatchId(match_of(url)) not in ("", None)
    assert client.raw.get(f"/e/{match_of(url)}").status_code == 404


@pytest.mark.parametrize("access", [Access.WRITE, Access.VIEW])
def test_a_phone_leaves_a_match_and_comes_back_with_the_code(
    client: Client, visit: Callable[..., Client], url: str, access: Access
) -> None:
    guest, carried = visit(), keys(client, url)
    key = carried.write if access is Access.WRITE else carried.view
    enter(guest, key)
    page = guest.get(f"{url}/telefoni")
    assert "Togli la partita da questo telefono" in page.text
    home = guest.submit(page, "Togli la partita")
    assert (home.url, home.notices) == ("/", ["Fatto: la partita non è più su questo telefono."])
    assert url not in home.links().values()
    assert guest.get(url, 404).status == 404
    assert client.get(f"{url}/telefoni").text.count("Telefono 2") == 0
    assert client.get(url).status == 200
    enter(guest, key)
    assert guest.get(url).status == 200


def test_the_owner_and_whoever_is_not_in_a_match_do_not_leave_it(
    client: Client, visit: Callable[..., Client], url: str
) -> None:
    guest, stranger = visit(), visit()
    enter(guest, keys(client, url).write)
    assert "Togli la partita" not in client.get(f"{url}/telefoni").text
    page = guest.get(f"{url}/telefoni")
    sent = page.values(page.form("Togli la partita"))
    for other, status in ((client, 403), (stranger, 404)):
        token = other.get("/partite/nuova")
        typed = sent | {"csrf_token": token.values(token.form("Comincia"))["csrf_token"]}
        other.post("/esci", typed, status)
    assert guest.get(url).status == 200
    assert guest.post("/esci", sent | {"csrf_token": "wrong"}, 400).errors
    assert guest.get(url).status == 200
