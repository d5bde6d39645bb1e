"""The phones of a match: the codes that let others in, who came in, and what is never disclosed.

A match has two keys. Whoever follows a link with the write key may enter hands, and with the view
key one may only look. The page of the phones shows both links as QR codes. The phone that started
the match owns it: only the owner renews or withdraws the codes, and removes phones.
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
from tests.web.player import Player
from tests.web.playing import HAND_430_TO_60, device, keys_of, start
from tests.web.tables import read_tables
from tests.web.ways_to_write import token_of

CASES = read_tables("phones")
LINK_WITHOUT_KEY = "http://192.168.1.23:80/e/"
"""The link of a code, whose end is the key."""
KEY_COOKIES = {"write": WRITE_COOKIE, "view": VIEW_COOKIE}
OWNER_FACTS = "Tiene la partita: segna, e decide chi entra"
"""What the page says of the owner's phone: "Owns the match, writes, and decides who comes in"."""


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Flask:
    """A pad on the home network at 192.168.1.23, whatever the network of the machine is."""
    monkeypatch.setattr(network_addresses, "home_address", lambda: "192.168.1.23")
    data = tmp_path / "scorepad.db"
    return shared_app(Config(data, b"k" * 32, ("canasta.example",), "0.0.0.0", testing=True))


def phones_page(phone: Client, player: Player) -> Page:
    """Open the page of the phones of the player's match on another phone."""
    return phone.get(f"{player.match}/telefoni")


def send(player: Player, action: str, form: dict[str, str], status: int = 200) -> Page:
    """Send a form of the page of the phones, and return the page that is answered.

    The form is that of a code, `codice`, or that of a phone, `telefono`.
    """
    return player.client.post(f"{player.match}/telefoni/{action}", form, status)


def shown_links(page: Page) -> list[str]:
    """Return the links that stand beside the QR codes."""
    return page.texts(class_="address")


def phone_items(page: Page) -> list[Element]:
    """Return the phones that the page lists, an element for each."""
    children = page.one("ol", class_="phones").children
    return [child for child in children if isinstance(child, Element)]


def listed_phones(page: Page) -> list[str]:
    """Return what the page says of each phone, without the time when it came in ("Entrato")."""
    phones = []
    for item in phone_items(page):
        facts = [fact for fact in item.texts("li") if "Entrato" not in fact]
        phones.append(" ".join([item.one("h3").text, *facts]))
    return phones


def visible_buttons(page: Page) -> list[str]:
    return [button.text for button in page.all("button") if not button.has("hidden")]


def code_form(page: Page, access: str) -> dict[str, str]:
    """Return the fields of the form that renews or withdraws a code, `write` or `view`."""
    for form in page.all("form"):
        if form.all("input", name="access", value=access):
            return page.values(form)
    raise AssertionError(f"no form of the code to {access}")


def change_code(player: Player, access: str, do: str) -> Page:
    """Press a button of a code, `renew` or `withdraw`, and return the page that is answered."""
    form = code_form(player.page("telefoni"), access)
    return send(player, "codice", form | {"do": do})


def second_phone_form(page: Page) -> dict[str, str]:
    """Return the fields of the form of the second phone in the list."""
    second_phone = phone_items(page)[1]
    return page.values(second_phone.one("form"))


def dump_data_file(app: Flask) -> list[str]:
    """Return the whole data file as SQL statements."""
    with closing(sqlite3.connect(app.extensions[STORAGE].path)) as file:
        return list(file.iterdump())


def check_address_is_told_to_nobody(answer: TestResponse) -> None:
    """Check that neither the next site nor a cache learns the address of this answer."""
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Cache-Control"] == "no-store"


# ---------------------------------------------------------------- coming in


@pytest.mark.parametrize("name", [WRITE_COOKIE, VIEW_COOKIE])
def test_key_cookies_are_limited_to_the_match(client: Client, name: str) -> None:
    # The button "Begin" is pressed on the page of a new match.
    match = client.submit("/partite/nuova", "Comincia: ").url

    cookie = client.raw.get_cookie(name, path=match)

    assert is_key(cookie.value)
    assert cookie.path == match
    assert cookie.http_only
    assert cookie.same_site == "Lax"
    assert cookie.max_age == 400 * 24 * 60 * 60  # 400 days, the longest that browsers keep one


@pytest.mark.parametrize(
    ("kind", "leads_to", "permission"),
    [
        # To the question who is on this phone. "May write".
        ("write", "/telefoni/chi", "Può segnare"),
        # To the match itself. "May only look".
        ("view", "", "Può solo guardare"),
    ],
)
def test_link_lets_a_phone_in_and_redirects_to_an_address_without_key(
    player: Player, guest: Client, kind: str, leads_to: str, permission: str
) -> None:
    key = getattr(player.keys, kind)

    # A guest scans the code.
    answer = guest.raw.get(f"/e/{key}")

    assert answer.status_code == 303
    assert answer.location == f"{player.match}{leads_to}"
    assert key not in answer.text
    check_address_is_told_to_nobody(answer)

    # The owner sees the second phone.
    assert listed_phones(player.page("telefoni"))[1] == f"Telefono 2 {permission}"


def test_view_link_neither_gives_nor_takes_the_write_key(
    player: Player, guest: Client, pad: Pad
) -> None:
    keys = player.keys

    # A guest follows the link to look.
    player.let_in(guest, VIEW_COOKIE)
    assert keys_of(guest, player.match) == Keys(write="", view=keys.view)

    # The guest follows the link to write, and later the other one again. It may still write.
    player.let_in(guest, WRITE_COOKIE)
    player.let_in(guest, VIEW_COOKIE)
    assert keys_of(guest, player.match) == keys
    assert pad.access(player.match_id, device(guest)) is Access.WRITE


@pytest.mark.parametrize(("method", "headers"), CASES["ahead"])
def test_prefetching_a_link_does_not_enter_the_match(
    player: Player, guest: Client, method: str, headers: dict[str, str]
) -> None:
    # A messenger or browser fetches a link to show a preview of it, or in case somebody opens it.
    # Such a request has the method HEAD, or a header such as `Purpose: prefetch`.
    link = f"/e/{player.keys.write}"

    answer = guest.raw.open(link, method=method, headers=headers)

    assert answer.status_code == 204
    assert answer.data == b""
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in answer.headers
    phones = listed_phones(player.page("telefoni"))
    assert len(phones) == 1, "only the owner's"


@pytest.mark.parametrize(
    ("language", "advice"),
    [
        ("it", "Chiedi un codice nuovo a chi ha cominciato la partita"),
        ("en", "Ask whoever started the match"),
    ],
)
def test_all_wrong_keys_get_the_same_page(
    player: Player, visit: Visit, language: str, advice: str
) -> None:
    # Both keys of the match were valid once.
    old_keys = player.keys
    change_code(player, "view", "withdraw")
    change_code(player, "write", "renew")

    # The page advises to ask for a new code.
    guest = visit(language)
    refused = guest.get(f"/e/{old_keys.write}", status=404)
    assert advice in refused.text

    # From the answer nobody learns whether a key was ever valid. A key has 26 characters.
    for key in (old_keys.view, player.match_id, "a" * 26, "x", "%00", "a" * 3000):
        same_page = guest.get(f"/e/{key}", status=404)
        assert same_page.text == refused.text

    # The guest has come into no match.
    assert guest.get("/").all("a", class_="match") == []


# ---------------------------------------------------------------- the codes on the page


def test_page_shows_write_code_and_view_code(player: Player) -> None:
    keys = player.keys

    page = player.page("telefoni")

    assert shown_links(page) == [
        f"{LINK_WITHOUT_KEY}{keys.write}",
        f"{LINK_WITHOUT_KEY}{keys.view}",
    ]
    write, view = page.all("section", class_="code")
    assert write.texts("h2")[0] == "Per segnare"  # "To write"
    assert view.texts("summary")[0] == "Solo per guardare"  # "Only to look"
    # "Up to 64 phones may look at once."
    assert "Possono guardare fino a 64 telefoni insieme." in view.text
    assert not page.one(class_="codes").has("hidden")
    assert page.answer.headers["Cache-Control"] == "private, no-store"


def test_qr_code_is_black_on_white_with_a_margin(player: Player) -> None:
    page = player.page("telefoni")
    drawing = page.all(class_="qr")[0]
    assert drawing["aria-label"] == "Codice per segnare"  # "Code to write"

    # The code has 29 modules, as its smallest squares are called, and a margin of 4 on each side:
    # 29 + 2 × 4 = 37. Below it all is white.
    assert drawing.one("svg")["viewbox"] == "0 0 37 37"
    white, black = drawing.all("path")
    assert white["fill"] == "#fff"
    assert white["d"] == "M0 0h37v37h-37z"

    # The black modules begin after the margin, with the corner that is 7 modules wide.
    assert black["stroke"] == "#000"
    assert black["d"].startswith("M4 4.5h7")

    # Segno, a library for QR codes, draws the same one for the link.
    expected_code = segno.make(shown_links(page)[0], error="l", micro=False)
    expected_drawing = expected_code.svg_inline(light="#fff", omitsize=True)
    assert f'd="{black["d"]}"' in expected_drawing


def test_codes_use_the_host_that_the_phone_used(player: Player, guest: Client) -> None:
    # In the home network the pad has the address 192.168.1.23, and a name too. A guest enters the
    # match by a link with the name, whose end is the key to write.
    link = f"http://canasta.example:8765/e/{player.keys.write}"
    guest.raw.get(link)

    # The guest opens the page with the codes for further phones, by the name again.
    page = guest.raw.get(f"http://canasta.example:8765{player.match}/telefoni").text

    # The link beside a code, `<…>http://…</…>`, has the name too.
    assert f"{link}<" in page
    assert "192.168.1.23" not in page


def test_no_code_is_shown_where_pad_answers_this_machine_only(tmp_path: Path) -> None:
    # By default the server listens for its own machine only, where no other phone can reach it.
    app = create_app(Config(tmp_path / "alone.db", b"k" * 32, testing=True))
    client = Client(app)

    page = client.get(f"{start(client)}/telefoni")

    # "Open here the link that was shown at the start."
    assert "apri qui il link mostrato all'avvio" in page.one(class_="warn").text
    assert page.one(class_="codes").has("hidden")
    assert shown_links(page) == []
    assert page.all(class_="qr") == []


def test_no_code_is_shown_without_a_network(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network_addresses, "home_address", lambda: None)

    page = player.page("telefoni")

    assert "non è in rete" in page.one(class_="warn").text  # "is in no network"
    assert page.all(class_="qr") == []


def test_viewer_sees_only_the_view_code(player: Player, guest: Client) -> None:
    keys = player.keys
    player.let_in(guest, VIEW_COOKIE)

    page = phones_page(guest, player)

    assert shown_links(page) == [f"{LINK_WITHOUT_KEY}{keys.view}"]
    assert keys.write not in page.answer.text
    # "Remove the match" from this phone, and the button that changes the language.
    assert visible_buttons(page) == ["Togli la partita", "English"]
    assert listed_phones(page) == [
        f"Telefono 1 {OWNER_FACTS}",
        "Telefono 2 (questo) Può solo guardare",  # "this one, may only look"
    ]


def test_writer_sees_both_codes_and_renewed_ones(player: Player, guest: Client) -> None:
    # A guest may write. The page of the phones has buttons for the side that the phone counts for,
    # "We", "They" or "Everybody", which is chosen, and to remove the match from this phone. There
    # is none to renew or withdraw a code.
    player.let_in(guest)
    buttons = visible_buttons(phones_page(guest, player))
    assert buttons == ["Noi", "Loro", "Tutti Scelto", "Togli la partita", "English"]

    # The owner makes a new key to view.
    change_code(player, "view", "renew")
    keys = player.keys

    # The guest sees the links of both codes, whose ends are the keys to write and to view.
    assert shown_links(phones_page(guest, player)) == [
        f"http://192.168.1.23:80/e/{keys.write}",
        f"http://192.168.1.23:80/e/{keys.view}",
    ]
    # The guest's browser has got the new key too.
    assert keys_of(guest, player.match) == keys


def test_owner_without_key_cookies_can_make_new_keys(player: Player) -> None:
    # The pad stores no keys, only their hashes. They are in the cookies, which are lost.
    player.client.raw.delete_cookie(WRITE_COOKIE, path=player.match)
    player.client.raw.delete_cookie(VIEW_COOKIE, path=player.match)

    # The page says of both codes "this phone does not know it".
    page = player.page("telefoni")
    assert page.all(class_="qr") == []
    assert page.text.count("questo telefono non lo conosce") == 2

    # The device cookie still tells that the phone owns the match. With the write code, the view
    # code is made anew as well.
    page = change_code(player, "write", "renew")
    keys = player.keys
    assert shown_links(page) == [
        f"{LINK_WITHOUT_KEY}{keys.write}",
        f"{LINK_WITHOUT_KEY}{keys.view}",
    ]


def test_withdrawn_codes_can_be_made_again(player: Player) -> None:
    # The page says of both codes "now nobody can come in this way, as there is no code".
    change_code(player, "write", "withdraw")
    page = change_code(player, "view", "withdraw")
    assert page.text.count("Adesso nessuno può entrare così: non c'è un codice.") == 2
    assert visible_buttons(page).count("Fai un codice") == 2  # "Make a code"

    # The owner makes new ones.
    change_code(player, "write", "renew")
    page = change_code(player, "view", "renew")
    keys = player.keys
    assert shown_links(page) == [
        f"{LINK_WITHOUT_KEY}{keys.write}",
        f"{LINK_WITHOUT_KEY}{keys.view}",
    ]


# ---------------------------------------------------------------- what the owner does


@pytest.mark.parametrize(
    ("access", "do", "notice"),
    [
        # "Done, here are the new codes to write and to look."
        ("write", "renew", "Fatto: ecco i nuovi codici per segnare e per guardare."),
        ("view", "renew", "Fatto: ecco il nuovo codice per guardare."),
        # "Done, the code to look is no longer valid."
        ("view", "withdraw", "Fatto: il codice per guardare non vale più."),
    ],
)
def test_renewing_or_withdrawing_a_code_removes_who_used_it(
    player: Player, guest: Client, access: str, do: str, notice: str
) -> None:
    # A guest came in by this code.
    old_key = getattr(player.keys, access)
    player.let_in(guest, KEY_COOKIES[access])

    page = change_code(player, access, do)
    assert page.notices == [notice]

    # The guest is out and cannot come back by the old link. The owner still has the match.
    guest.get(player.match, status=404)
    guest.get(f"/e/{old_key}", status=404)
    player.page(status=200)


@pytest.mark.parametrize(
    ("language", "warning"),
    [("it", "cambia anche il codice per guardare"), ("en", "the code for watching changes too")],
)
def test_page_warns_that_renewing_the_write_code_changes_the_view_code(
    player: Player, language: str, warning: str
) -> None:
    player.client.raw.set_cookie("scorepad_language", language)
    player.client.language = language

    def is_warned(page: Page, form: str) -> bool:
        return warning in page.one(id=form).text.lower()

    # The warning is beside the button that renews the write code.
    with_both_codes = player.page("telefoni")
    assert is_warned(with_both_codes, "change-write")
    assert not is_warned(with_both_codes, "change-view")

    # Where there is no write code, a new one changes the view code just as well.
    without_write_code = change_code(player, "write", "withdraw")
    assert is_warned(without_write_code, "change-write")

    # Where there is no view code either, there is none to change.
    without_any_code = change_code(player, "view", "withdraw")
    assert not is_warned(without_any_code, "change-write")


def test_new_owner_decides_after_handing_on_the_match(player: Player, guest: Client) -> None:
    # The owner hands the match on to the guest: "Done, that phone owns the match now."
    player.let_in(guest)
    form = second_phone_form(player.page("telefoni")) | {"do": "hand-on"}
    page = send(player, "telefono", form)
    assert page.notices == ["Fatto: la partita adesso la tiene quel telefono."]
    assert listed_phones(page) == ["Telefono 1 (questo) Può segnare", f"Telefono 2 {OWNER_FACTS}"]

    # The same form comes a second time, and changes nothing.
    sent_again = send(player, "telefono", form)
    assert sent_again.notices == []
    assert listed_phones(sent_again) == listed_phones(page)

    # The first phone may no longer withdraw a code: "The owner decides this". Both codes remain.
    withdrawal = page.form_values("Noi") | {"access": "write", "do": "withdraw"}
    refused = send(player, "codice", withdrawal, status=403)
    assert refused.heading == "Questo lo decide chi tiene la partita"
    assert len(shown_links(phones_page(guest, player))) == 2


def test_owner_removes_a_phone(player: Player, guest: Client) -> None:
    player.let_in(guest)
    form = second_phone_form(player.page("telefoni"))
    removal = form | {"do": "remove"}

    # "Done, that phone is out."
    page = send(player, "telefono", removal)
    assert page.notices == ["Fatto: quel telefono è fuori."]
    assert len(listed_phones(page)) == 1
    guest.get(player.match, status=404)

    # The same form comes a second time, and nothing is said.
    sent_again = send(player, "telefono", removal)
    assert sent_again.notices == []

    # From an older page the owner hands the match on to the phone that is out: "That phone is no
    # longer in this match, and nothing has changed."
    new_request_id = code_form(page, "write")["request_id"]
    handing_on = form | {"request_id": new_request_id, "do": "hand-on"}
    too_late = send(player, "telefono", handing_on)
    notice = "Quel telefono non è più in questa partita, e non è cambiato niente."
    assert too_late.notices == [notice]


@pytest.mark.parametrize("access", ["write", "view"])
def test_renewal_sent_twice_is_done_once(app: Flask, player: Player, access: str) -> None:
    url = f"{player.match}/telefoni/codice"
    form = code_form(player.page("telefoni"), access) | {"do": "renew"}

    # The first answer sets a cookie with the new key.
    first_answer = player.client.raw.post(url, data=form)
    assert f"{KEY_COOKIES[access]}=" in str(first_answer.headers)

    player.page("telefoni")
    data_before = dump_data_file(app)

    # The second answer leads to the same page, and there is no other key.
    second_answer = player.client.raw.post(url, data=form)
    assert f"{KEY_COOKIES[access]}=" not in str(second_answer.headers)
    assert second_answer.status_code == 303
    assert second_answer.location == first_answer.location
    assert dump_data_file(app) == data_before


def test_withdrawal_sent_twice_keeps_the_next_code(player: Player) -> None:
    # A match has two codes, to write and to view. The owner withdraws the second one by the form on
    # the page of the phones, and then makes a new one.
    withdrawal = code_form(player.page("telefoni"), "view") | {"do": "withdraw"}
    send(player, "codice", withdrawal)
    change_code(player, "view", "renew")
    new_key = player.keys.view

    # Only now the form of the withdrawal comes a second time.
    send(player, "codice", withdrawal)

    # The page shows the new code still.
    _link_to_write, link_to_view = shown_links(player.page("telefoni"))
    assert link_to_view == f"http://192.168.1.23:80/e/{new_key}"


def test_second_button_of_a_sent_form_is_refused(app: Flask, player: Player) -> None:
    # The form of a code has two buttons. The first one is pressed.
    form = code_form(player.page("telefoni"), "view")
    send(player, "codice", form | {"do": "renew"})
    data_before = dump_data_file(app)

    # Then the other one, on the same page: "From this page something else had been sent already".
    page = send(player, "codice", form | {"do": "withdraw"}, status=409)

    assert page.errors[0].startswith("Da questa pagina era già stato mandato altro")
    assert dump_data_file(app) == data_before


def test_many_viewers_are_folded(player: Player, visit: Visit) -> None:
    # Nine phones come in that may only look.
    for _ in range(8):
        player.let_in(visit(), VIEW_COOKIE)
    last_viewer = player.let_in(visit(), VIEW_COOKIE)

    # The owner sees the own phone, and a line to unfold: "9 phones that may only look".
    page_of_owner = player.page("telefoni")
    unfolded, folded = page_of_owner.all("ol", class_="phones")
    assert unfolded.texts("h3") == ["Telefono 1 (questo)"]  # "this one"
    assert len(folded.all("h3")) == 9
    assert "9 telefoni che possono solo guardare" in page_of_owner.texts("summary")

    # A viewer sees the own phone too.
    page_of_viewer = phones_page(last_viewer, player)
    unfolded = page_of_viewer.all("ol", class_="phones")[0]
    assert unfolded.texts("h3")[-1] == "Telefono 10 (questo)"


def test_phone_chooses_the_side_it_counts_for(player: Player) -> None:
    # The button of the second side, "They", is pressed: "Done, this phone counts for Them."
    page = player.submit("telefoni", "Loro")
    assert page.notices == ["Fatto: questo telefono conta per Loro."]
    assert page.one("button", aria_current="true").text == "Loro Scelto"  # "chosen"
    assert listed_phones(page) == [f"Telefono 1 (questo) {OWNER_FACTS} Conta per: Loro"]

    # The button "Everybody" is pressed: the phone counts for no side of its own.
    page = player.submit(page, "Tutti")
    assert page.one("button", aria_current="true")["value"] == "none"


@pytest.mark.parametrize(("path", "sent"), CASES["unoffered"])
def test_invalid_action_is_refused(
    app: Flask, player: Player, path: str, sent: dict[str, str]
) -> None:
    # One case is to choose the third side of a match of two: "parte" with {"side": "2"}.
    page = player.page("telefoni")
    form = page.form_values("Noi")
    data_before = dump_data_file(app)

    refused = send(player, path, form | sent, status=400)

    assert len(refused.errors) == 1
    assert dump_data_file(app) == data_before


# ---------------------------------------------------------------- what a key never does


def test_key_of_one_match_opens_no_other(player: Player, guest: Client) -> None:
    # A guest of one match sends its keys along to another match of the same owner.
    other_match = start(player.client)
    player.let_in(guest)
    keys = keys_of(guest, player.match)
    guest.raw.set_cookie(WRITE_COOKIE, keys.write, path=other_match)
    guest.raw.set_cookie(VIEW_COOKIE, keys.view, path=other_match)

    # The answer is the same as for a match that does not exist.
    guest.get(other_match, status=404)
    refused = guest.get(f"{other_match}/telefoni", status=404)
    no_match = guest.get("/partite/zzzzzzzzzz/telefoni", status=404)
    assert refused.text == no_match.text
    assert guest.get("/").hrefs("a", class_="match") == [player.match]


@pytest.mark.long
def test_keys_are_shown_only_on_the_phones_page(player: Player) -> None:
    player.play(HAND_430_TO_60)
    keys = player.keys
    phones_url = f"{player.match}/telefoni"

    # Every link is followed from the home page and the page of the match on. Of addresses that
    # differ only in their query, one is enough.
    addresses = Addresses("/", player.match, most=1)
    for address in addresses:
        answer = player.client.raw.get(address)
        answer.headers.remove("Set-Cookie")
        assert not holds_key(str(answer.headers), keys), address
        if address == phones_url:
            assert holds_key(answer.text, keys)
            continue
        assert not holds_key(text_of_answer(answer), keys), address
        if answer.mimetype == "text/html":
            addresses.add(Page(answer, address).hrefs("a"))

    # The page of the phones and a PDF were among them.
    assert phones_url in addresses.seen
    assert f"{player.match}/foglio.pdf" in addresses.seen


def test_phones_page_has_no_key_in_its_title_and_links(player: Player) -> None:
    page = player.page("telefoni")
    assert not holds_key(page.title, player.keys)
    assert not holds_key("\n".join(page.hrefs("a")), player.keys)


def holds_key(text: str, keys: Keys) -> bool:
    return keys.write in text or keys.view in text


def text_of_answer(answer: TestResponse) -> str:
    """Return the text of a page, a PDF or another file. A PDF may break a key into lines."""
    if answer.mimetype != "application/pdf":
        return answer.data.decode("latin-1")
    pages = PdfReader(io.BytesIO(answer.data)).pages
    return "".join(page.extract_text().replace("\n", "") for page in pages)


@pytest.mark.parametrize("link", CASES["nowhere"])
def test_malformed_link_does_not_leak_its_key(guest: Client, link: str) -> None:
    # One link is "/e/KEY/", with a slash too many. Its key may be that of a match.
    key = "a" * 26

    answer = guest.raw.get(link.replace("KEY", key))

    assert answer.status_code == 404
    assert key not in answer.text
    check_address_is_told_to_nobody(answer)
    # The button that changes the language would come back to this address, if it held no key.
    assert Page(answer, "/").value_of("back") == "/"


def test_refused_link_does_not_leak_its_key(player: Player, guest: Client) -> None:
    link = f"/e/{player.keys.view}"

    # The link is followed by a form, or under a host name that is not ours.
    posted = guest.raw.post(link, data={"csrf_token": token_of(guest)})
    to_other_host = guest.raw.get(link, headers={"Host": "evil.example"})

    assert posted.status_code == 405
    assert to_other_host.status_code == 400
    for answer in (posted, to_other_host):
        check_address_is_told_to_nobody(answer)
        assert link not in answer.text


def test_link_to_a_busy_pad_does_not_leak_its_key(
    player: Player, guest: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raise_busy(*_: object) -> None:
        raise Busy(player.client.app.extensions[STORAGE].path)

    # Another phone is writing, and the guest cannot be let in right now.
    link = f"/e/{player.keys.view}"
    guest.get("/")
    monkeypatch.setattr(Devices, "enter", raise_busy)

    answer = guest.raw.get(link, follow_redirects=True)

    assert answer.status_code == 503
    check_address_is_told_to_nobody(answer)
    assert link not in answer.text


def test_log_of_a_server_error_does_not_contain_the_key(
    player: Player,
    guest: Client,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    # Letting a phone in raises an exception, which the application logs and answers with 500. In
    # tests it would be raised instead.
    key = player.keys.write
    guest.get("/")
    monkeypatch.setattr(Devices, "enter", lambda *_: 1 / 0)
    player.client.app.testing = False

    answer = guest.raw.get(f"/e/{key}", follow_redirects=True)

    # The log names the exception and the address, with a placeholder for the key.
    assert answer.status_code == 500
    assert "ZeroDivisionError" in caplog.text
    assert "/e/<key>" in caplog.text
    assert key not in caplog.text


def test_queue_depth_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    server = listen(lambda *_: [], "127.0.0.1", 0)

    # The server, waitress, warns whenever a request has to wait, which is no trouble.
    queue_logger.warning("Task queue depth is %d", 3)
    queue_logger.error("something else")

    server.close()
    assert "Task queue depth" not in caplog.text
    assert "something else" in caplog.text


# ---------------------------------------------------------------- leaving


@pytest.mark.parametrize("cookie", [WRITE_COOKIE, VIEW_COOKIE])
def test_phone_leaves_a_match_and_returns_by_link(
    player: Player, guest: Client, cookie: str
) -> None:
    # The guest presses "Remove the match": "Done, the match is no longer on this phone."
    player.let_in(guest, cookie)
    home = guest.submit(phones_page(guest, player), "Togli la partita")
    assert home.url == "/"
    assert home.notices == ["Fatto: la partita non è più su questo telefono."]
    assert player.match not in home.links().values()

    # The match is closed to the guest, and the owner's page does not list the phone any more.
    guest.get(player.match, status=404)
    assert "Telefono 2" not in player.page("telefoni").text

    # By the link it comes in again.
    player.let_in(guest, cookie)
    guest.get(player.match, status=200)


def test_owner_cannot_leave_the_match(player: Player, guest: Client) -> None:
    # The button "Remove the match" is on the pages of other phones only.
    assert "Togli la partita" not in player.page("telefoni").text
    player.let_in(guest)
    page = phones_page(guest, player)
    form_of_guest = page.form_values("Togli la partita")

    # The owner sends its form all the same.
    form_of_owner = form_of_guest | {"csrf_token": token_of(player.client)}
    player.client.post("/esci", form_of_owner, status=403)

    player.page(status=200)


def test_leaving_needs_a_token_of_ones_own(player: Player, guest: Client, visit: Visit) -> None:
    player.let_in(guest)
    page = phones_page(guest, player)
    form_of_guest = page.form_values("Togli la partita")  # "Remove the match"

    # A phone outside the match cannot remove the guest by sending the guest's form.
    stranger = visit()
    stranger.post("/esci", form_of_guest | {"csrf_token": token_of(stranger)}, status=404)

    # Nor is the form accepted from the guest with a wrong token.
    guest.post("/esci", form_of_guest | {"csrf_token": "wrong"}, status=400)

    guest.get(player.match, status=200)
