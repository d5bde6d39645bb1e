"""A pad that is alone: the application runs in a browser, and serves nobody but that browser."""

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


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    """The application as a pad that is alone, instead of the usual server."""
    return shared_app(Config(tmp_path / "scorepad.db", b"k" * 32, testing=True, alone=True))


def test_pages_can_be_framed_only_by_their_own_site(client: Client, leading: Player) -> None:
    # The site shows the pad in a frame. Other sites must not be able to.
    for path in ("/", leading.match, f"{leading.match}/foglio.pdf", "/nowhere"):
        headers = client.raw.get(path).headers
        policy = headers["Content-Security-Policy"]
        assert headers["X-Frame-Options"] == "SAMEORIGIN"
        assert "frame-ancestors 'self'" in policy, path
        assert "'none'" in policy, "the rest of the policy stays"


def test_no_page_asks_what_other_devices_did(leading: Player) -> None:
    # On a usual server live.js asks whether other phones have changed the match. Here are none.
    for path in ("", "smazzata", "nomi", "condividi", "tabellone"):
        page = leading.page(path)
        assert "live.js" not in page.answer.text, path
        assert not page.one("main").has("data-live-state")
    assert "live.js" not in leading.client.get("/").answer.text


def test_browser_without_cookies_owns_every_match(visit: Visit) -> None:
    match_url = start(visit())

    # The browser loses its cookies: it is like another one, but there is nobody else.
    without_cookies = visit()
    assert match_url in without_cookies.get("/").links().values()

    names_page = without_cookies.get(f"{match_url}/nomi")
    match_page = without_cookies.submit(names_page, "Salva", name_0="Pina")
    assert "Pina" in match_page.text

    # Only the owner of a match can delete it.
    without_cookies.submit(f"{match_url}/cancella", "Cancella", sure="1")
    assert without_cookies.raw.get(match_url).status_code == 404


def test_admin_link_leads_home(client: Client) -> None:
    # On a usual server such a link gives access to all matches. This browser has it anyway.
    assert client.raw.get("/casa/abc").location == "/"


@pytest.mark.parametrize("path", ["/entra", "/telefoni/stato", "/telefoni/chi"])
def test_pages_about_other_phones_do_not_exist(player: Player, path: str) -> None:
    # "/entra" is where a phone joins a match; the other two are about the phones of a match.
    url = path if path == "/entra" else player.match + path
    player.client.get(url, status=404)

    # Nothing leads to them either.
    for page in (player.client.get("/"), player.page()):
        assert not [link for link in page.links().values() if link.endswith(path)]
        assert not page.all("form", action="/entra")


def test_check_by_other_side_can_only_be_switched_off(player: Player) -> None:
    # With this rule the other side checks each hand on its phone, and there is no other phone.
    switch = f"{player.match}/controllo"
    assert switch not in player.page().links().values()

    # A match that has the rule, such as one from a file, shows the link to switch it off.
    # The button says "From now on the other side checks".
    player.submit("controllo", "D'ora in poi l'altra parte controlla")
    assert switch in player.page().links().values()


def test_forms_are_accepted_only_from_the_site_of_the_pad(client: Client) -> None:
    # The pad has no address of its own. It accepts whatever host its site has.
    site = "https://somebody.example"
    page = client.get("/partite/nuova", base_url=site)
    form = page.form_values("Comincia: ")

    own = client.raw.post("/partite/nuova", data=form, base_url=site, headers={"Origin": site})
    assert own.status_code == 303

    headers_of_other_site = {"Origin": "https://other.example"}
    refused = client.raw.post(
        "/partite/nuova", data=form, base_url=site, headers=headers_of_other_site
    )
    assert refused.status_code == 403


def test_pad_needs_no_network_and_no_threads(
    client: Client, leading: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A browser has neither sockets nor threads.
    def refuse(*_: object) -> None:
        raise AssertionError("there is no network in a browser")

    monkeypatch.setattr("socket.socket", refuse)
    monkeypatch.setattr("socket.gethostname", refuse)
    monkeypatch.setattr("threading.Thread.start", refuse)

    # A hand is saved, pages are shown, and a file of all matches is made.
    leading.play(HAND_430_TO_60)
    for path in ("", "condividi", "file", "andamento", "tabellone"):
        leading.page(path)
    assert client.get("/", base_url="https://somebody.example").status == 200
    assert match_of(leading.match) in client.raw.get("/file/partite.json").text


@pytest.mark.parametrize("paper", ["foglio.pdf", "foglio.pdf?dettaglio=1", "foglio.pdf?grande=1"])
def test_sheet_of_match_is_a_page_to_print_with_a_link_back(leading: Player, paper: str) -> None:
    # The pad cannot make PDF files in a browser. The browser itself prints this page.
    answer = leading.client.raw.get(f"{leading.match}/{paper}")
    assert answer.mimetype == "text/html"
    assert f'<a href="{leading.match}">Torna alla pagina</a>' in answer.text  # "back to the page"


@pytest.mark.parametrize("paper", ["scheda.pdf", "segnapunti.pdf?per-foglio=4"])
def test_paper_of_rules_is_a_page_to_print_with_a_link_back(client: Client, paper: str) -> None:
    # The pad cannot make PDF files in a browser. The browser itself prints this page.
    answer = client.raw.get(f"/regole/samba/{paper}")
    assert answer.mimetype == "text/html"
    assert '<a href="/regole/samba">Torna alla pagina</a>' in answer.text  # "back to the page"


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
    """Let the user of the pad write house rules, which are stored in a folder."""
    offer_own_variants(tmp_path / "house")
    yield
    offer_own_variants(None)


@pytest.mark.usefixtures("_own_rules")
def test_only_links_to_files_have_the_download_attribute(leading: Player) -> None:
    client = leading.client
    rules_form = client.get("/nostre-regole/nuove?da=classica")
    house_rules = client.submit(rules_form, "Salva", name="Zia Pina").url
    match = leading.match
    pages = [
        "/",
        "/file",
        house_rules,
        match,
        f"{match}/file",
        f"{match}/condividi",
        f"{match}/telefoni",
    ]
    files = set()

    # By this attribute the script of the page knows which links lead to files. It saves them itself,
    # and it saves a picture as a PNG file.
    for page in pages:
        for link in client.get(page).all("a"):
            target = client.raw.get(link["href"])
            is_file = target.headers.get("Content-Disposition", "").startswith("attachment")
            is_picture = target.mimetype == "image/svg+xml"
            assert link.has("download") is (is_file or is_picture), link.attributes
            if is_file:
                files.add(link["href"])

    # Those of the match, those of all matches, and the house rules.
    assert files == {
        f"{match}/file/partita.json",
        f"{match}/file/righe.csv",
        "/file/partite.json",
        "/file/righe.csv",
        f"{house_rules}.toml",
    }


# ---------------------------------------------------------------- in a browser


@pytest.fixture
def address(app: Flask) -> Iterator[str]:
    """Serve the application below a path, as a site does. Yields its address."""
    with serving(DispatcherMiddleware(NotFound(), {"/canasta/app": app})) as site:
        yield f"{site}/canasta/app"


@pytest.fixture
def open_frame(address: str, open_page: Callable[[str], Page]) -> Callable[[str], Frame]:
    """Return a function that opens a page of the application in a frame, and returns the frame."""

    def open_in_frame(path: str) -> Frame:
        page = open_page("/")

        # The page around the frame is not part of the application: the browser is given this one.
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

    return open_in_frame


def test_print_button_prints_the_frame_and_not_the_page_around_it(
    open_frame: Callable[[str], Frame], new_match: Callable[[], MatchId]
) -> None:
    # The sheet to print is shown in a frame of another page.
    frame = open_frame(f"/partite/{new_match()}/foglio.pdf")
    page_around = frame.page

    # Instead of printing, both only change their title. So it can be told which one was printed.
    print_by_title = "() => { window.print = () => { document.title = 'printed'; }; }"
    frame.evaluate(print_by_title)
    page_around.evaluate(print_by_title)

    frame.get_by_role("button", name="Stampa").click()  # "Print"

    assert frame.title() == "printed"
    assert page_around.title() == ""


@pytest.mark.parametrize("paper", ["scheda.pdf", "segnapunti.pdf", "segnapunti.pdf?per-foglio=4"])
def test_paper_is_not_wider_than_its_narrow_frame(
    open_frame: Callable[[str], Frame], paper: str
) -> None:
    frame = open_frame(f"/regole/samba/{paper}")
    frame.wait_for_load_state()
    assert frame.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_hand_is_typed_and_saved_in_a_frame(
    pad: Pad, open_frame: Callable[[str], Frame], new_match: Callable[[], MatchId]
) -> None:
    match = new_match()
    frame = open_frame(f"/partite/{match}")
    frame.get_by_role("link", name="Nuova smazzata").first.click()  # "New hand"

    # Both sides laid cards worth 100 and have 15 left. Nobody went out.
    for letter in ("a", "b"):
        frame.locator(f"#{letter}-cards").fill("100")
        frame.locator(f"#{letter}-left").fill("15")
    frame.locator('label[for="out-nobody"]').click()
    expect(frame.locator("#kept")).to_contain_text("Bozza al sicuro")  # the draft is stored

    frame.locator('button[value="save"]').click()
    frame.wait_for_url(f"**/canasta/app/partite/{match}")
    assert [side.total for side in pad.state(match, DEVICE).sides] == [85, 85]


# ---------------------------------------------------------------- a browser without space


NO_ROOM = "la memoria di questo dispositivo è piena, o il browser non permette di usarla"
"""The memory of this device is full, or the browser does not allow to use it."""
NOT_LOST = "Quello che hai scritto non si perde. Fai posto, poi prova di nuovo."
"""What you have typed is not lost. Make space, then try again."""
TO_FILE = "mettile in un file, da «Salva o carica partite»"
"""The advice to save the matches to a file."""


def refuse_to_store(patch: pytest.MonkeyPatch) -> None:
    """Make the pad fail to store anything from now on, as in a browser that is out of space."""

    def refuse(storage: Storage) -> NoReturn:
        raise Unwritable(storage.path, "QuotaExceededError", "full")

    patch.setattr(Storage, "writing", refuse)


def test_page_of_refused_form_gives_the_reason_and_what_was_typed(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    start_page = client.get("/partite/nuova")

    refuse_to_store(monkeypatch)
    refusal = client.submit(start_page, "Comincia", status=507, place="La veranda")

    assert refusal.heading == "Qui non c'è posto per salvare"  # "no space to save here"
    for text in (NO_ROOM, "QuotaExceededError", TO_FILE):
        assert text in reason_of_refusal(refusal)
    assert "La veranda" in typed_texts(refusal)


def test_draft_of_hand_is_stored_once_there_is_space(
    open_page: Callable[[str], Page],
    new_match: Callable[[], MatchId],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = open_page(f"/partite/{new_match()}/smazzata")
    status_of_draft = page.locator("#kept")

    # The script of the form sends what is typed to the pad, which cannot store it.
    with monkeypatch.context() as full_device:
        refuse_to_store(full_device)
        page.locator("#a-cards").fill("100")
        for text in (NO_ROOM, NOT_LOST, TO_FILE):
            expect(status_of_draft).to_contain_text(text)

    # There is space again: the next change is stored.
    page.locator("#a-cards").fill("105")
    expect(status_of_draft).to_contain_text("Bozza al sicuro")  # the draft is stored


def test_form_says_if_typed_text_is_only_on_the_screen(
    open_page: Callable[[str], Page],
    new_match: Callable[[], MatchId],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = open_page(f"/partite/{new_match()}/smazzata")
    status_of_draft = page.locator("#kept")

    # Neither the pad nor the script of the form can store anything.
    refuse_to_store(monkeypatch)
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('no room'); }; }")
    page.locator("#a-cards").fill("100")

    expect(status_of_draft).to_contain_text(NO_ROOM)
    # "It stays only on this screen."
    expect(status_of_draft).to_contain_text("resta solo su questo schermo")


def test_form_that_was_not_saved_stays_open_and_can_be_sent_again(
    pad: Pad,
    open_page: Callable[[str], Page],
    new_match: Callable[[], MatchId],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = new_match()
    page = open_page(f"/partite/{match}/nomi")
    save_button = page.get_by_role("button", name="Salva").first
    page.locator("[name=name-0]").fill("Le volpi")

    # The browser has no space, and the new name of a side is not saved. The form stays. It says that
    # the memory is full, that what was typed is not lost, and that matches can be put into a file.
    with monkeypatch.context() as while_full:
        refuse_to_store(while_full)
        save_button.click()
        for text in (NO_ROOM, NOT_LOST, TO_FILE):
            expect(page.locator("#sending")).to_contain_text(text)

    # There is space again: the same form is saved, and leads to the match.
    save_button.click()
    page.wait_for_url(f"**/partite/{match}")
    assert pad.state(match, DEVICE).sides[0].name == "Le volpi"


# ---------------------------------------------------------------- files that are shared


def test_picture_of_result_is_saved_as_png(
    pad: Pad, open_page: Callable[[str], Page], new_match: Callable[[], MatchId]
) -> None:
    match = new_match()
    count_on_pad(pad, match, HAND_430_TO_60)
    page = open_page(f"/partite/{match}/condividi")

    with page.expect_download() as download:
        page.get_by_role("link", name="Scarica l'immagine").click()  # "Download the picture"

    name = download.value.suggested_filename
    assert name.startswith("Canasta, Noi contro Loro, ")
    assert name.endswith(".png")
    with Image.open(download.value.path()) as picture:
        assert picture.format == "PNG"
        assert picture.size == (1080, 1080)
        # A pixel of the paper, one of the green head, and one of the card of a side.
        colours = picture.convert("RGB")
        assert colours.getpixel((10, 10)) == (246, 241, 228)
        assert colours.getpixel((540, 50)) == (23, 85, 58)
        assert colours.getpixel((60, 600)) == (255, 253, 247)
        # The total of the first side stands here, in pixels that are nearly black.
        total = picture.convert("L").crop((100, 380, 500, 520))
        assert sum(total.histogram()[:60]) > 2000


def test_picture_is_shared_as_png(
    pad: Pad, open_page: Callable[[str], Page], new_match: Callable[[], MatchId]
) -> None:
    match = new_match()
    count_on_pad(pad, match, HAND_430_TO_60)
    page = open_page("/regole")

    # A phone has its own dialog for sharing, in place of which a script notes what it is given.
    page.add_init_script(
        "navigator.canShare = () => true;"
        "navigator.share = async ({ files }) => { window.sent = [files[0].type, files[0].size]; };"
    )
    page.goto(page.url.replace("/regole", f"/partite/{match}/condividi"), wait_until="networkidle")
    page.get_by_role("button", name="Condividi", exact=True).click()  # "Share"

    kind, size = page.evaluate("window.sent")
    assert kind == "image/png"
    assert size > 10_000


def test_reminder_disappears_once_file_of_match_is_shared(
    open_page: Callable[[str], Page], leading: Player
) -> None:
    leading.end("time")
    page = open_page("/regole")

    # Phones have a dialog in which the user chooses how to share a file. A script stands in for it.
    # It notes the name and the content of the file, or acts as if the user closed the dialog.
    page.add_init_script("""
        navigator.canShare = ({ files }) => files.length === 1;
        navigator.share = async ({ files }) => {
            if (window.isClosedWithoutChoice) throw new DOMException("", "AbortError");
            window.shared = [files[0].name, await files[0].text()];
        };
    """)

    # The match is over. Its page, on which the script runs from now on, reminds the user to save it
    # to a file.
    page.goto(page.url.replace("/regole", leading.match))
    reminder = page.get_by_text("Questa partita non è ancora in nessun file")
    file_link = page.get_by_role("link", name="Scarica la partita")  # "Download the match"
    expect(reminder).to_be_visible()

    # The user closes the dialog without a choice.
    page.evaluate("window.isClosedWithoutChoice = true")
    with page.expect_response("**/file/partita.json"):
        file_link.tap()
    page.wait_for_timeout(200)
    expect(reminder).to_be_visible()

    # The user shares the file.
    page.evaluate("window.isClosedWithoutChoice = false")
    file_link.tap()
    expect(reminder).to_be_hidden()
    name, content = page.evaluate("window.shared")
    assert name.endswith(".json")
    assert match_of(leading.match) in content

    # The browser remembers that the match is in a file.
    page.reload()
    expect(page.locator("h1")).to_be_visible()
    expect(reminder).to_be_hidden()


def test_file_of_match_is_downloaded_where_there_is_a_mouse(
    open_page: Callable[[str], Page], leading: Player
) -> None:
    leading.end("time")
    page = open_page("/regole")

    # The browser could share a file by a dialog. The page does so if the pointer is a finger: it asks
    # `matchMedia`, which says here that it is a mouse.
    page.add_init_script("""
        navigator.canShare = () => true;
        navigator.share = async () => {};
        window.matchMedia = () => ({ matches: false });
    """)
    page.goto(page.url.replace("/regole", leading.match))
    with page.expect_download() as download:
        page.get_by_role("link", name="Scarica la partita").click()  # "Download the match"

    # The page does not remind the user any more that "this match is not in any file yet".
    assert download.value.suggested_filename.endswith(".json")
    expect(page.get_by_text("Questa partita non è ancora in nessun file")).to_be_hidden()
