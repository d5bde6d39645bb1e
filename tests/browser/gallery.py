"""Every page of the app, as some person finds it: what is looked at by axe, on small screens and in
large text.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page
from werkzeug.serving import make_server

from scorepad.app import Config, create_app
from scorepad.rules.variants import offer_own_variants
from scorepad.web import network_addresses
from scorepad.web.cookies import LANGUAGE_COOKIE
from tests.browser.tables import Tables, lay
from tests.web.conftest import setup_of

OWN = Path(__file__).parents[1] / "rules" / "own"
"""House rules as files."""
LOOKS = tuple(product(("it", "en"), ("light", "dark"), (320, 390, 1280)))
"""Language, theme, width."""


@dataclass(frozen=True)
class Shown:
    """A page: its name here, its address with the matches by name, who looks at it.

    Where it answers a form: what is `typed` before the button `press` (a selector) is pressed on
    it, and where that leads `to` if not where the form says.
    """

    name: str
    path: str
    who: str = "owner"
    status: int = 200
    press: str = ""
    to: str = ""
    typed: Mapping[str, str] = field(default_factory=dict)


SAVE = "button[value=save]"
MAIN = "main form button.primary"
WRONG_HAND = {"a.cards": "153", "a.left": "2", "b.cards": "molte", "b.red_threes": "9", "out": "a"}
PAGES = (
    Shown("home", "/"),
    Shown("home, nothing there", "/", "stranger"),
    Shown("home, searched", "/?cerca=carla"),
    Shown("home, nothing found", "/?cerca=zanzibar"),
    Shown("matches in progress", "/in-corso"),
    Shown("matches in progress, nothing found", "/in-corso?cerca=zanzibar"),
    Shown("new match", "/partite/nuova"),
    Shown("new match, another game", "/partite/nuova?variante=tre"),
    Shown("new match, wrong", "/partite/nuova", status=422, press=MAIN, typed={
        "name-0": "", "name-1": "Loro" * 30, "carried-0": "-65", "option-target": "tanti"}),
    Shown("house rules", "/nostre-regole/"),
    Shown("house rules, no file chosen", "/nostre-regole/", status=422, press="details form button"),
    Shown("house rules, new", "/nostre-regole/nuove"),
    Shown("house rules, new, mini", "/nostre-regole/nuove?da=mini"),
    Shown("house rules, wrong", "/nostre-regole/nuove", status=422, press=MAIN, typed={
        "dealt": "99", "bonus-0": "Taglio giusto", "target": "tanti"}),
    Shown("house rules, of a club", "/nostre-regole/tredici"),
    Shown("house rules, not mine", "/nostre-regole/tredici/cambia", status=403),
    Shown("rulebook", "/regole"),
    Shown("rulebook, a game", "/regole/samba"),
    Shown("rulebook, as a table plays", "/regole/classica?preset=getty&held-red-three=once"),
    Shown("rulebook, wrong choice", "/regole/classica?preset=hoyle&target=tanti"),
    Shown("rulebook, searched", "/regole/cerca?testo=pozzo congelato"),
    Shown("rulebook, nothing found", "/regole/cerca?testo=zanzibar"),
    Shown("rulebook, side by side", "/regole/confronta?uno=classica/giochi&altro=mini"),
    Shown("rulebook, nothing chosen", "/regole/confronta"),
    Shown("rulebook, words", "/regole/parole"),
    Shown("referee", "/arbitro"),
    Shown("referee, another game", "/arbitro?variante=samba&preset=altro"),
    Shown("referee, rules", "/arbitro/regole"),
    Shown("referee, searched", "/arbitro?testo=pozzo congelato"),
    Shown("referee, a card", "/arbitro/pozzo"),
    Shown("referee, choices", "/arbitro/pozzo?top=K"),
    Shown("referee, melds", "/arbitro/pozzo?top=K&laid=2xK / 3x8&passo=laid"),
    Shown("referee, suits", "/arbitro/calata?variante=samba&cards=Qh Jh 10h&passo=cards"),
    Shown("referee, score", "/arbitro/apertura?melds=3xQ"),
    Shown("referee, all facts", "/arbitro/pozzo?top=K&passo=tutti"),
    Shown("referee, what changes it", "/arbitro/penalita?sbaglio=red-three-not-exposed"),
    Shown("referee, in time", "/arbitro/penalita?caso=red-three-in-time"),
    Shown("referee, wrong", "/arbitro/calata", status=422, press=".bar button", typed={"cards": "quattro gatti"}),
    Shown("referee, canastas", "/arbitro/tre-rossi?variante=cubana&count=2"),
    Shown("referee, no", "/arbitro/pozzo?top=K&laid=K 2&frozen=yes&passo=risposta"),
    Shown("referee, yes", "/arbitro/chiusura?table=7xQ / 3xK&passo=risposta"),
    Shown("referee, silent", "/arbitro/pozzo?variante=moderna&top=K&laid=2xK&passo=risposta"),
    Shown("referee, mistakes", "/arbitro/penalita"),
    Shown("referee, no mistakes known", "/arbitro/penalita?variante=mini"),
    Shown("referee, in a match", "{played}/arbitro"),
    Shown("referee, who", "{long}/arbitro/apertura?melds=3xQ&passo=who"),
    Shown("referee, to be kept", "{long}/arbitro/penalita?caso=draw-out-of-turn"),
    Shown("referee, whose penalty", "{played}/arbitro/penalita?caso=draw-out-of-turn", status=422,
          press=".keeping button"),
    Shown("referee, kept", "{ruled}/arbitro/decisioni"),
    Shown("referee, none kept", "{fresh}/arbitro/decisioni"),
    Shown("match, with rulings", "{ruled}"),
    Shown("files", "/file"),
    Shown("files, nothing there", "/file", "stranger"),
    Shown("files, none chosen", "/file", status=422, press=MAIN),
    Shown("files, of a match", "{played}/file"),
    Shown("for programs", "/api/"),
    Shown("players", "/giocatori"),
    Shown("players, none", "/giocatori", "stranger"),
    Shown("player", "/giocatori/Ada"),
    Shown("player, long", "/giocatori/Maria Antonietta Bartolomei Degli Innocenti"),
    Shown("player under two names", "/stessa-persona?nome=Ada"),
    Shown("player, unknown", "/giocatori/Nessuno", status=404),
    Shown("match, fresh", "{fresh}"),
    Shown("match, played", "{played}"),
    Shown("match, for a viewer", "{played}", "viewer"),
    Shown("match, long names", "{long}"),
    Shown("match, three", "{three}"),
    Shown("match, from paper", "{paper}"),
    Shown("match, practice", "{practice}"),
    Shown("match, waits for the others", "{awaiting}"),
    Shown("match, to be checked", "{awaiting}", "writer"),
    Shown("match, contested", "{contested}"),
    Shown("match, confirmed", "{confirmed}"),
    Shown("match, over", "{over}"),
    Shown("match, given up", "{given_up}"),
    Shown("match, a last hand agreed", "{last}"),
    Shown("undo, with a note", "{confirmed}/annulla"),
    Shown("undo, without the note", "{confirmed}/annulla", status=422, press=MAIN),
    Shown("undo, overtaken", "{played}", status=409, press=".bar form button", typed={"seen": "1"}),
    Shown("board", "{played}/tabellone"),
    Shown("board, long names", "{long}/tabellone"),
    Shown("board, three", "{three}/tabellone"),
    Shown("board, over", "{over}/tabellone"),
    Shown("chart", "{played}/andamento"),
    Shown("chart, long names", "{long}/andamento"),
    Shown("chart, three", "{three}/andamento"),
    Shown("chart, nothing yet", "{fresh}/andamento"),
    Shown("share", "{played}/condividi"),
    Shown("share, over", "{over}/condividi"),
    Shown("audit", "{played}/registro"),
    Shown("audit, contested", "{contested}/registro", "viewer"),
    Shown("phones, owner", "{played}/telefoni"),
    Shown("phones, writer", "{played}/telefoni", "writer"),
    Shown("phones, viewer", "{played}/telefoni", "viewer"),
    Shown("count", "{fresh}/smazzata"),
    Shown("count, penalty waiting", "{played}/smazzata"),
    Shown("count, long names", "{long}/smazzata"),
    Shown("count, cards", "{cards}/smazzata"),
    Shown("count, values", "{values}/smazzata"),
    Shown("count, sum", "{sum}/smazzata"),
    Shown("count, three", "{three}/smazzata"),
    Shown("count, wrong", "{wrong}/smazzata", press=SAVE, typed=WRONG_HAND),
    Shown("count, to agree", "{agreeing}/smazzata", press=SAVE, typed={
        "a.cards": "100", "a.left": "0", "b.cards": "60", "b.left": "35", "out": "a"}),
    Shown("count, changed by another", "{stale}/smazzata", "writer", 409, press=SAVE, typed={
        "version": "0", "a.cards": "100", "a.left": "35"}),
    Shown("count, already counted", "{overtaken}/smazzata", status=409, press=SAVE, typed={
        "hand": "x" * 22, "a.cards": "100", "a.left": "35", "b.cards": "60", "b.left": "35", "out": "nobody"}),
    Shown("correction", "{played}/smazzate/2/correggi"),
    Shown("correction, wants a note", "{confirmed}/smazzate/1/correggi", status=422, press=SAVE,
          typed={"a.cards": "410"}),
    Shown("correction, changed by another", "{played}/smazzate/1/correggi", status=409, press=SAVE,
          typed={"seen": "2", "a.cards": "410", "reason": "Contata due volte"}),
    Shown("contest", "{awaiting}/smazzate/1/contesta", "writer"),
    Shown("checking, to be confirmed", "{awaiting}/smazzate/1/controlla", "writer"),
    Shown("checking, one's own", "{awaiting}/smazzate/1/controlla"),
    Shown("checking, two counts", "{contested}/smazzate/1/controlla"),
    Shown("checking, changed meanwhile", "{awaiting}/smazzate/1/controlla", "writer", 409, press=MAIN,
          typed={"seen": "1"}),
    Shown("switch, off", "{fresh}/controllo"),
    Shown("switch, on", "{awaiting}/controllo"),
    Shown("names", "{played}/nomi"),
    Shown("end, the match went on", "{played}/fine?visto=1"),
    Shown("names, wrong", "{long}/nomi", status=422, press=MAIN, typed={"name-0": "", "player-1-0": "Zia Concetta"}),
    Shown("penalty", "{fresh}/penalita"),
    Shown("penalty, one noted", "{played}/penalita"),
    Shown("penalty, wrong", "{fresh}/penalita", status=422, press=MAIN),
    Shown("remark", "{played}/smazzate/4/annotazione"),
    Shown("remark, too long", "{played}/smazzate/4/annotazione", status=422, press=MAIN, typed={"text": "ehi " * 200}),
    Shown("end", "{played}/fine"),
    Shown("end, wrong", "{played}/fine", status=422, press=MAIN),
    Shown("replace", "{played}/giocatore"),
    Shown("replace, wrong", "{played}/giocatore", status=422, press=MAIN),
    Shown("rules", "{fresh}/regole"),
    Shown("rules, wrong", "{fresh}/regole", status=422, press=MAIN, typed={"option-target": "mille"}),
    Shown("rules, frozen", "{played}/regole"),
    Shown("delete", "{played}/cancella"),
    Shown("delete, not sure", "{played}/cancella", status=422, press="main form button"),
    Shown("delete, another's", "{played}/cancella", "writer"),
    Shown("home link", "{home_link}", "stranger"),
    Shown("home link, not valid", "/casa/" + "a" * 26, "stranger", 404),
    Shown("who joins", "{played}/telefoni/chi"),
    Shown("who joins, too long", "{played}/telefoni/chi", status=400, press="main .seat-row:last-of-type button",
          typed={"name": "Zia " * 20}),
    Shown("short code", "/entra", "stranger"),
    Shown("short code, wrong", "/entra", "stranger", 404, press="main form button", typed={"code": "AAAAAA"}),
    Shown("key, wrong", "/e/" + "a" * 26, "stranger", 404),
    Shown("no such match", "/partite/xxxxxxxxxx", status=404),
    Shown("no such page", "/nessuna/pagina", status=404),
    Shown("only to look", "{played}/smazzata", "viewer", 403),
    Shown("no such way", "/lingua", status=405),
    Shown("form refused", "{played}", "viewer", 403, press="footer button", to="{played}/nomi", typed={
        "name-0": "Le nonne di Castelvecchio", "place": "Casa della zia"}),
    Shown("form too old", "/", status=400, press="button[name=language]", typed={"csrf_token": "x"}),
)  # fmt: skip

_SEND = """([selector, typed, to]) => {
  const button = document.querySelector(selector), form = button.form;
  if (to) form.action = to;
  for (const [name, value] of Object.entries(typed)) {
    const field = form.elements.namedItem(name) || document.createElement('input');
    if (!field.form) {
      Object.assign(field, {type: 'hidden', name});
      form.append(field);
    }
    if (field.type === 'checkbox') field.checked = true; else field.value = value;
  }
  if (button.name) {
    const pressed = document.createElement('input');
    Object.assign(pressed, {type: 'hidden', name: button.name, value: button.value});
    form.append(pressed);
  }
  HTMLFormElement.prototype.submit.call(form);
}"""
_UNFOLD = """document.querySelectorAll('details').forEach((each) => {
  each.removeAttribute('name');
  each.open = true;
})"""


@dataclass(frozen=True)
class Gallery:
    """The pages, served."""

    address: str
    tables: Tables
    phones: dict[tuple[str, bool], Page] = field(default_factory=dict)

    def path(self, shown: Shown) -> str:
        """Where a page is."""
        return shown.path.format(**self.tables.urls)

    @contextmanager
    def phone(
        self,
        browser: Browser,
        who: str,
        language: str = "it",
        size: tuple[int, int] = (390, 844),
        *,
        mobile: bool = True,
    ) -> Iterator[Page]:
        """Somebody's phone, one for all the pages that they look at. An error in a script fails the
        test.
        """
        last_page = self.phones.get((who, mobile))
        if last_page is None or last_page.context.browser is not browser:
            context = browser.new_context(has_touch=True, locale="it-IT", is_mobile=mobile)
            context.add_cookies([
                {"name": name, "value": value, "domain": "127.0.0.1", "path": path}
                for name, value, path in self.tables.cookies[who]
            ])  # fmt: skip
            self.phones[who, mobile] = context.new_page()
        page, complaints = self.phones[who, mobile], []
        self.speak(page, language)
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.emulate_media(color_scheme="light", reduced_motion="no-preference")

        def complain(error: object) -> None:
            complaints.append(str(error))

        page.on("pageerror", complain)
        try:
            yield page
        finally:
            page.goto("about:blank")  # no longer asks for news
            offer_own_variants(None)
            page.remove_listener("pageerror", complain)
        assert complaints == []

    def speak(self, page: Page, language: str) -> None:
        """Choose the language of the pages to come."""
        page.context.add_cookies([
            {"name": LANGUAGE_COOKIE, "value": language, "domain": "127.0.0.1", "path": "/"}
        ])  # fmt: skip

    def show(self, page: Page, shown: Shown, *, unfolded: bool = True) -> None:
        """Come to a page, and open all that is folded on it."""
        offer_own_variants(OWN if shown.path.startswith("/nostre-regole") else None)
        answer = page.goto(self.address + self.path(shown))
        if shown.press:
            with page.expect_navigation() as sent:
                page.evaluate(
                    _SEND, [shown.press, dict(shown.typed), shown.to.format(**self.tables.urls)]
                )
            answer = sent.value
        assert answer is not None
        assert answer.status == shown.status, shown.name
        if unfolded:
            self.unfold(page)

    def unfold(self, page: Page) -> None:
        """Open all that is folded on a page."""
        page.evaluate(_UNFOLD)


@contextmanager
def opened(folder: Path, port: int = 0) -> Iterator[Gallery]:
    """The gallery on a data file of its own, answering the home network, whatever the network of
    this machine.
    """
    config = Config(folder / "scorepad.db", b"k" * 32, listens="0.0.0.0", testing=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(network_addresses, "home_address", lambda: "192.168.1.23")
        app = create_app(config)
        tables = lay(app, setup_of(app).pad)
        server = make_server("127.0.0.1", port, app, threaded=True)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield Gallery(f"http://127.0.0.1:{server.port}", tables)
        finally:
            server.shutdown()
            thread.join()
            server.server_close()
