"""Every page of the app, as some person finds it: what is looked at by axe, on small screens and in
large text.
"""

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
from tests.data import read_data
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


PAGES = tuple(Shown(**page) for page in read_data("browser/pages.toml")["pages"])


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
