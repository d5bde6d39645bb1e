"""What the pages offer: every form with its fields, and every address with its parameters."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit

from flask import Flask
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Rule

from tests.browser.gallery import PAGES
from tests.soak.costs.browser import Browser
from tests.soak.costs.measuring import MeasuredServer
from tests.soak.costs.table import GAMES, Table
from tests.web.client import Element, Page

PLACES = {"number": "1", "entry": "1", "game": "classica", "question": "pozzo", "name": "Anna", "variant": "casa",
          "language": "it", "filename": "scorepad.css"}  # fmt: skip
"""Values of the parts of addresses, but for the match and the key."""


class NotOffered(AssertionError):
    """A page does not show a form any more, even on a fresh server."""


@dataclass
class FoundForm:
    """A form of a page, with what a browser sends of it now."""

    browser: Browser
    page: str
    button: str
    action: str
    method: str
    fields: dict[str, str]
    files: frozenset[str]
    """Names of fields that take a file."""
    sent_to: str = ""
    """Another address than its own to which it is sent."""

    def refresh(self) -> None:
        """Read the form again, from a server started anew if the page no longer shows it. Raises
        NotOffered.
        """
        if not self._read():
            self.browser.server.start()
            if not self._read():
                raise NotOffered(self.page)

    def _read(self) -> bool:
        page = self.browser.page(self.page)
        found = [] if page is None else list(forms_of(self.browser, self.page, page))
        for each in found:
            if each.key == self.key:
                self.action = each.action
                self.fields = each.fields
                return True
        return False

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells the form from others on its page."""
        return self.method, self.button, " ".join(sorted(self.fields))


@dataclass
class Offered:
    """All that the pages offer, by endpoint: forms, and addresses with their parameters."""

    app: Flask
    forms: dict[str, list[FoundForm]] = field(default_factory=lambda: defaultdict(list))
    addresses: dict[str, list[tuple[Browser, str]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    parameters: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def endpoint(self, path: str, method: str = "GET") -> str | None:
        """The endpoint of an address; None for none of ours."""
        try:
            return self.app.url_map.bind("localhost").match(urlsplit(path).path, method)[0]
        except HTTPException:
            return None


def explore(app: Flask, table: Table, server: MeasuredServer) -> Offered:
    """Fetch every page of the gallery, and the hand of every game, and keep what they offer."""
    offered = Offered(app)
    _note_page(offered, Browser(server, {}), f"/casa/{table.home_key}")
    browsers = {who: Browser(server, cookies) for who, cookies in table.cookies.items()}
    browsers["owner"] = table.owner(server)
    looked_at = [(shown.who, shown.path.format(**table.urls)) for shown in PAGES]
    looked_at += [("owner", f"{table.urls[game]}/smazzata") for game in GAMES]
    for who, path in dict.fromkeys(looked_at):
        _note_page(offered, browsers[who], path)
    return offered


def _note_page(offered: Offered, browser: Browser, path: str) -> None:
    """Keep the address of a page and its parameters, and its forms."""
    parts = urlsplit(path)
    endpoint = offered.endpoint(path)
    if endpoint is not None:
        offered.addresses[endpoint].append((browser, path))
        asked = parse_qsl(parts.query, keep_blank_values=True)
        offered.parameters[endpoint] |= {name for name, _ in asked}
    page = browser.page(path)
    if page is not None:
        for form in forms_of(browser, path, page):
            _note_form(offered, form)


def filled(rule: Rule, **places: str) -> str:
    """The address of a rule with these places, and usual values for the others."""
    path = rule.rule
    for name, value in (PLACES | places).items():
        for converter in ("", "int:", "path:"):
            path = path.replace(f"<{converter}{name}>", value)
    return path


def _note_form(offered: Offered, form: FoundForm) -> None:
    endpoint = offered.endpoint(form.action, form.method)
    if endpoint is None:
        return
    if form.method == "GET":
        offered.parameters[endpoint] |= form.fields.keys()
    else:
        offered.forms[endpoint].append(form)


def forms_of(browser: Browser, path: str, page: Page) -> Iterator[FoundForm]:
    """The forms of a page, each once for the first button that sends it; buttons elsewhere count
    too.
    """
    for form in page.all("form"):
        buttons = [each for each in form.all("button") if each.get("type", "submit") == "submit"]
        if form.has("id"):
            buttons += page.all("button", form=form["id"])
        pressed = _usual(buttons)
        fields = page.values(form)
        if pressed.get("name"):
            fields[pressed["name"]] = pressed.get("value")
        yield FoundForm(
            browser=browser,
            page=path,
            button=pressed.text,
            action=pressed.get("formaction") or form.get("action") or path,
            method=form.get("method", "get").upper(),
            fields=fields,
            files=frozenset(each["name"] for each in form.all("input", type="file")),
        )


def _usual(buttons: list[Element]) -> Element:
    """The button that saves; else the first that can be pressed; else one that says nothing."""
    shown = [each for each in buttons if not each.has("disabled")]
    for each in shown:
        if each.get("value") == "save":
            return each
    return shown[0] if shown else Element("button", {})
