"""A pad that is alone: it runs in a browser, and serves nobody but that browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from flask import Flask
from PIL import Image
from playwright.sync_api import Frame, Page, expect
from werkzeug.exceptions import NotFound
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from scorepad.app import Config
from scorepad.matches import Pad
from scorepad.matches.access import MatchId
from scorepad.rules.variants import offer_own_variants
from scorepad.storage import Storage
from scorepad.storage.connection import Unwritable
from tests.apps import shared_app
from tests.web.client import Client, Visit
from tests.web.conftest import serving
from tests.web.counting import count_on_pad
from tests.web.player import Player
from tests.web.playing import DEVICE, HAND_430_TO_60, match_of, start
from tests.web.refusals import reason_of_refusal, typed_texts

SITE = "https://somebody.example"


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return shared_app(Config(tmp_path / "scorepad.db", b"k" * 32, testing=True, alone=True))


def test_its_pages_stand_in_a_frame_of_their_own_site_and_in_no_other(
    client: Client, leading: Player
) -> None:
    for path in ("/", leading.match, f"{leading.match}/foglio.pdf", "/nowhere"):
        headers = client.raw.get(path).headers
        assert headers["X-Frame-Options"] == "SAMEORIGIN"
        assert "frame-ancestors 'self'" in headers["Content-Security-Policy"], path
        assert "'none'" in headers["Content-Security-Policy"], "the rest of the policy stays"


def test_no_page_asks_what_other_devices_did(leading: Player) -> None:
    for path in ("", "smazzata", "nomi", "condividi", "tabellone"):
        page = leading.page(path)
        assert "live.js" not in page.answer.text, path
        assert not page.one("main").has("data-live-state")
    assert "live.js" not in leading.client.get("/").answer.text


def test_whoever_opens_it_owns_every_match(visit: Visit, pad: Pad) -> None:
    """Also where the browser has lost its cookies."""
    url = start(visit())
    other = visit()
    assert url in other.get("/").links().values()
    page = other.submit(other.get(f"{url}/nomi"), "Salva", name_0="Pina")
    assert "Pina" in page.text
    other.submit(other.get(f"{url}/cancella"), "Cancella", sure="1")
    assert other.raw.get(url).status_code == 404
    assert other.raw.get("/casa/abc").location == "/", "there is nothing to give it"


@pytest.mark.parametrize("path", ["/entra", "/telefoni/stato", "/telefoni/chi"])
def test_nothing_about_other_phones_and_the_network_is_there(player: Player, path: str) -> None:
    url = path if path == "/entra" else player.match + path
    player.client.get(url, status=404)
    for page in (player.client.get("/"), player.page()):
        assert not [link for link in page.links().values() if link.endswith(path)]
        assert not page.all("form", action="/entra")


def test_what_another_phone_would_check_can_only_be_switched_off(player: Player) -> None:
    switch = f"{player.match}/controllo"
    assert switch not in player.page().links().values()
    player.submit("controllo", "D'ora in poi l'altra parte controlla")
    assert switch in player.page().links().values()


def test_it_is_asked_under_the_host_of_its_site_whatever_that_is(client: Client) -> None:
    page = client.get("/partite/nuova", base_url=SITE)
    sent = page.values(page.form("Comincia: "))
    answer = client.raw.post("/partite/nuova", data=sent, base_url=SITE, headers={"Origin": SITE})
    assert answer.status_code == 303
    refused = client.raw.post(
        "/partite/nuova", data=sent, base_url=SITE, headers={"Origin": "https://other.example"}
    )
    assert refused.status_code == 403


def test_it_asks_the_machine_for_no_address(
    client: Client, leading: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("there is no network in a browser")

    monkeypatch.setattr("socket.socket", refuse)
    monkeypatch.setattr("socket.gethostname", refuse)
    monkeypatch.setattr("threading.Thread.start", refuse)
    leading.play(HAND_430_TO_60)
    for path in ("", "condividi", "file", "andamento", "tabellone"):
        leading.page(path)
    assert client.get("/", base_url=SITE).status == 200
    assert match_of(leading.match) in client.raw.get("/file/partite.json").text


@pytest.mark.parametrize("paper", ["foglio.pdf", "foglio.pdf?dettaglio=1", "foglio.pdf?grande=1"])
def test_a_sheet_is_a_page_to_print_that_leads_back(leading: Player, paper: str) -> None:
    answer = leading.client.raw.get(f"{leading.match}/{paper}")
    assert answer.mimetype == "text/html"
    assert f'<a href="{leading.match}">Torna alla pagina</a>' in answer.text


@pytest.mark.parametrize("paper", ["scheda.pdf", "segnapunti.pdf?per-foglio=4"])
def test_a_paper_of_a_game_is_a_page_to_print_that_leads_back(client: Client, paper: str) -> None:
    answer = client.raw.get(f"/regole/samba/{paper}")
    assert answer.mimetype == "text/html"
    assert '<a href="/regole/samba">Torna alla pagina</a>' in answer.text


def test_no_link_to_a_paper_says_that_it_is_a_pdf(leading: Player) -> None:
    leading.end("time")
    client = leading.client
    for url in ("/", leading.match, f"{leading.match}/condividi", f"{leading.match}/cancella",
                "/regole", "/regole/samba"):  # fmt: skip
        page = client.get(url)
        assert any(".pdf" in link["href"] for link in page.all("a")), url
        assert "(PDF)" not in page.text, url


@pytest.fixture
def _own_rules(tmp_path: Path) -> Iterator[None]:
    offer_own_variants(tmp_path / "house")
    yield
    offer_own_variants(None)


@pytest.mark.usefixtures("_own_rules")
def test_the_links_to_files_and_only_these_say_that_they_are_downloads(leading: Player) -> None:
    """The page around the frame has to save them."""
    client = leading.client
    rules = client.get("/nostre-regole/nuove?da=classica")
    house_rules = client.submit(rules, "Salva", name="Zia Pina").url
    files = set()
    for page_url in ("/", "/file", house_rules, leading.match, f"{leading.match}/file",
                     f"{leading.match}/condividi", f"{leading.match}/telefoni"):  # fmt: skip
        for link in client.get(page_url).all("a"):
            answer = client.raw.get(link["href"])
            is_file = answer.headers.get("Content-Disposition", "").startswith("attachment")
            is_picture = answer.mimetype == "image/svg+xml"
            assert link.has("download") is (is_file or is_picture), link.attributes
            if is_file:
                files.add(link["href"].replace(leading.match, "/partite/ID"))
    assert files == {
        "/partite/ID/file/partita.json",
        "/partite/ID/file/righe.csv",
        "/file/partite.json",
        "/file/righe.csv",
        f"{house_rules}.toml",
    }


# ---------------------------------------------------------------- in a browser


@pytest.fixture
def address(app: Flask) -> Iterator[str]:
    """Where the application answers: below a path, as on a site."""
    with serving(DispatcherMiddleware(NotFound(), {"/canasta/app": app})) as site:
        yield f"{site}/canasta/app"


@pytest.fixture
def open_frame(address: str, open_page: Callable[[str], Page]) -> Callable[[str], Frame]:
    """A page of the application in a frame of a page beside it."""

    def show(path: str) -> Frame:
        page = open_page("/")
        around = (
            f'<!doctype html><iframe name="pad" src="{address}{path}" width="380" height="800">'
        )
        page.route(
            f"{address}/shell",
            lambda route: route.fulfill(body=around, content_type="text/html"),
        )
        page.goto(f"{address}/shell")
        frame = page.frame("pad")
        assert frame is not None
        return frame

    return show


def test_in_a_frame_the_button_prints_the_sheet_and_not_the_page_around_it(
    open_frame: Callable[[str], Frame], new_match: Callable[[], MatchId]
) -> None:
    frame = open_frame(f"/partite/{new_match()}/foglio.pdf")
    for window in (frame, frame.page.main_frame):
        window.evaluate("() => { window.print = () => { document.title = 'printed'; }; }")
    frame.get_by_role("button", name="Stampa").click()
    assert (frame.title(), frame.page.title()) == ("printed", "")


@pytest.mark.parametrize("paper", ["scheda.pdf", "segnapunti.pdf", "segnapunti.pdf?per-foglio=4"])
def test_in_a_narrow_frame_a_paper_is_as_wide_as_the_frame(
    open_frame: Callable[[str], Frame], paper: str
) -> None:
    frame = open_frame(f"/regole/samba/{paper}")
    frame.wait_for_load_state()
    assert frame.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_in_a_frame_a_hand_is_typed_and_saved(
    pad: Pad, open_frame: Callable[[str], Frame], new_match: Callable[[], MatchId]
) -> None:
    match = new_match()
    frame = open_frame(f"/partite/{match}")
    frame.get_by_role("link", name="Nuova smazzata").first.click()
    for letter in ("a", "b"):
        frame.locator(f"#{letter}-cards").fill("100")
        frame.locator(f"#{letter}-left").fill("15")
    frame.locator('label[for="out-nobody"]').click()
    expect(frame.locator("#kept")).to_contain_text("Bozza al sicuro")
    frame.locator('button[value="save"]').click()
    frame.wait_for_url(f"**/canasta/app/partite/{match}")
    assert [side.total for side in pad.state(match, DEVICE).sides] == [85, 85]


NO_ROOM = "la memoria di questo dispositivo è piena, o il browser non permette di usarla"
NOT_LOST = "Quello che hai scritto non si perde. Fai posto, poi prova di nuovo."
TO_FILE = "mettile in un file, da «Salva o carica partite»"


def refuse_to_store(patch: pytest.MonkeyPatch) -> None:
    """The browser of the pad stores nothing from now on."""

    def refuse(storage: Storage) -> NoReturn:
        raise Unwritable(storage.path, "QuotaExceededError", "full")

    patch.setattr(Storage, "writing", refuse)


def test_where_the_browser_stores_nothing_a_page_says_so_and_has_what_was_typed(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_match = client.get("/partite/nuova")
    refuse_to_store(monkeypatch)
    refusal = client.submit(new_match, "Comincia", status=507, place="La veranda")
    assert refusal.heading == "Qui non c'è posto per salvare"
    for text in (NO_ROOM, "QuotaExceededError", TO_FILE):
        assert text in reason_of_refusal(refusal)
    assert "La veranda" in typed_texts(refusal)


def test_where_the_browser_stores_nothing_the_form_of_a_hand_says_so_and_tries_again(
    open_page: Callable[[str], Page],
    new_match: Callable[[], MatchId],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = open_page(f"/partite/{new_match()}/smazzata")
    message = page.locator("#kept")
    with monkeypatch.context() as full_device:
        refuse_to_store(full_device)
        page.locator("#a-cards").fill("100")
        for text in (NO_ROOM, NOT_LOST, TO_FILE):
            expect(message).to_contain_text(text)
    page.locator("#a-cards").fill("105")
    expect(message).to_contain_text("Bozza al sicuro")


def test_where_the_browser_stores_nothing_at_all_the_form_says_that_it_is_only_on_the_screen(
    open_page: Callable[[str], Page],
    new_match: Callable[[], MatchId],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = open_page(f"/partite/{new_match()}/smazzata")
    refuse_to_store(monkeypatch)
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('no room'); }; }")
    page.locator("#a-cards").fill("100")
    expect(page.locator("#kept")).to_contain_text(NO_ROOM)
    expect(page.locator("#kept")).to_contain_text("resta solo su questo schermo")


def test_where_the_browser_stores_nothing_another_form_says_so_and_is_sent_when_asked_again(
    pad: Pad,
    open_page: Callable[[str], Page],
    new_match: Callable[[], MatchId],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = new_match()
    page = open_page(f"/partite/{match}/nomi")
    save = page.get_by_role("button", name="Salva").first
    page.locator("[name=name-0]").fill("Le volpi")
    with monkeypatch.context() as full_device:
        refuse_to_store(full_device)
        save.click()
        for text in (NO_ROOM, NOT_LOST, TO_FILE):
            expect(page.locator("#sending")).to_contain_text(text)
    save.click()
    page.wait_for_url(f"**/partite/{match}")
    assert pad.state(match, DEVICE).sides[0].name == "Le volpi"


PIXELS = {"paper": (10, 10), "head": (540, 50), "card": (60, 600)}
COLOURS = {"paper": (246, 241, 228), "head": (23, 85, 58), "card": (255, 253, 247)}


def test_the_picture_of_the_result_is_drawn_and_saved_as_png(
    pad: Pad, open_page: Callable[[str], Page], new_match: Callable[[], MatchId]
) -> None:
    match = new_match()
    count_on_pad(pad, match, HAND_430_TO_60)
    page = open_page(f"/partite/{match}/condividi")
    with page.expect_download() as saving:
        page.get_by_role("link", name="Scarica l'immagine").click()
    assert saving.value.suggested_filename.startswith("Canasta, Noi contro Loro, ")
    assert saving.value.suggested_filename.endswith(".png")
    with Image.open(saving.value.path()) as picture:
        assert (picture.format, picture.size) == ("PNG", (1080, 1080))
        drawn = {name: picture.convert("RGB").getpixel(at) for name, at in PIXELS.items()}
        inked = sum(picture.convert("L").crop((100, 380, 500, 520)).histogram()[:60])
    assert drawn == COLOURS
    assert inked > 2000, "the total of the first side"


def test_the_phone_s_own_way_of_sharing_gets_the_picture_as_png(
    pad: Pad, open_page: Callable[[str], Page], new_match: Callable[[], MatchId]
) -> None:
    match = new_match()
    count_on_pad(pad, match, HAND_430_TO_60)
    page = open_page("/regole")
    page.add_init_script(
        "navigator.canShare = () => true;"
        "navigator.share = async ({ files }) => { window.sent = [files[0].type, files[0].size]; };"
    )
    page.goto(page.url.replace("/regole", f"/partite/{match}/condividi"), wait_until="networkidle")
    page.get_by_role("button", name="Condividi", exact=True).click()
    kind, size = page.evaluate("window.sent")
    assert kind == "image/png"
    assert size > 10_000


SHARE = """
  navigator.canShare = ({ files }) => files.length === 1;
  navigator.share = async ({ files }) => {
    if (window.isClosedWithoutChoice) throw new DOMException("", "AbortError");
    window.shared = [files[0].name, await files[0].text()];
  };
"""
REMINDER = "Questa partita non è ancora in nessun file"


def test_the_phone_s_own_way_of_sharing_gets_the_file_of_a_match_and_the_reminder_goes(
    open_page: Callable[[str], Page], leading: Player
) -> None:
    leading.end("time")
    page = open_page("/regole")
    page.add_init_script(SHARE)
    page.goto(page.url.replace("/regole", leading.match))
    reminder = page.get_by_text(REMINDER)
    link = page.get_by_role("link", name="Scarica la partita")
    expect(reminder).to_be_visible()

    page.evaluate("window.isClosedWithoutChoice = true")
    with page.expect_response("**/file/partita.json"):
        link.tap()
    page.wait_for_timeout(200)
    expect(reminder).to_be_visible()

    page.evaluate("window.isClosedWithoutChoice = false")
    link.tap()
    expect(reminder).to_be_hidden()
    name, content = page.evaluate("window.shared")
    assert name.endswith(".json")
    assert match_of(leading.match) in content
    page.reload()
    expect(page.locator("h1")).to_be_visible()
    expect(reminder).to_be_hidden()


def test_with_a_mouse_the_file_of_a_match_is_saved_and_the_reminder_goes(
    open_page: Callable[[str], Page], leading: Player
) -> None:
    leading.end("time")
    page = open_page("/regole")
    page.add_init_script(SHARE + "window.matchMedia = () => ({ matches: false });")
    page.goto(page.url.replace("/regole", leading.match))
    with page.expect_download() as saving:
        page.get_by_role("link", name="Scarica la partita").click()
    assert saving.value.suggested_filename.endswith(".json")
    expect(page.get_by_text(REMINDER)).to_be_hidden()
