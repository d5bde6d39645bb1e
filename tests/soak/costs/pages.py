"""What the pages offer: every form with its fields, and every address with its parameters, found by
following links.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit

from flask import Flask
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Rule

from tests.soak.costs.browser import Browser
from tests.soak.costs.table import GAMES, Table
from tests.web.client import Element, Page

MOST_ADDRESSES = 4
"""Addresses of one route that are followed from links."""
FILES = (".pdf", ".png", ".csv", ".json", ".toml", ".webmanifest")
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


def explore(app: Flask, table: Table, owner: Browser, other: Browser, stranger: Browser) -> Offered:
    """Fetch every page of every match, follow some links of each, and keep what they offer."""
    offered = Offered(app)
    _note_page(offered, stranger, f"/casa/{table.home_key}")
    seen = set[tuple[str, str]]()
    followed = Counter[str | None]()
    for browser, name in ((owner, "owner"), (other, "other")):
        todo = [(path, False) for path in _first_addresses(app, table, name == "other")]
        while todo:
            path, is_link = todo.pop()
            endpoint = offered.endpoint(path)
            known = (name, path)
            if (
                endpoint is None
                or known in seen
                or (is_link and followed[endpoint] >= MOST_ADDRESSES)
            ):
                continue
            seen.add(known)
            followed[endpoint] += is_link
            _note_address(offered, endpoint, browser, path)
            page = _note_page(offered, browser, path)
            if page is None:
                continue
            todo += [
                (link["href"], True) for link in page.all("a") if link.get("href").startswith("/")
            ]
    return offered


def _note_page(offered: Offered, browser: Browser, path: str) -> Page | None:
    """Keep the forms of a page; None for anything but a page."""
    if urlsplit(path).path.endswith(FILES):
        return None
    page = browser.page(path)
    if page is not None:
        for form in forms_of(browser, path, page):
            _note_form(offered, form)
    return page


def _first_addresses(app: Flask, table: Table, only_checked: bool) -> Iterator[str]:
    """Each page of each match; of the matches of other games only the hand and the rules."""
    key = table.matches["played"].key
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or set()) or rule.rule.startswith("/api/v1"):
            continue
        if "match" not in rule.arguments:
            if not only_checked:
                yield filled(rule, key=key)
            continue
        for name, match in table.matches.items():
            if only_checked and name != "awaiting":
                continue
            if name in GAMES and rule.endpoint not in (
                "hand_entry.page",
                "actions.rules",
                "matches.page",
            ):
                continue
            yield filled(rule, match=match.id)


def filled(rule: Rule, **places: str) -> str:
    """The address of a rule with these places, and usual values for the others."""
    path = rule.rule
    for name, value in (PLACES | places).items():
        for converter in ("", "int:", "path:"):
            path = path.replace(f"<{converter}{name}>", value)
    return path


def _note_address(offered: Offered, endpoint: str, browser: Browser, path: str) -> None:
    offered.addresses[endpoint].append((browser, path))
    offered.parameters[endpoint] |= {
        name for name, _ in parse_qsl(urlsplit(path).query, keep_blank_values=True)
    }


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
        action = form.get("action") or path
        yield FoundForm(
            browser=browser,
            page=path,
            button=_usual_button(buttons),
            action=_pressed_action(buttons) or action,
            method=form.get("method", "get").upper(),
            fields=page.values(form) | _pressed(buttons),
            files=frozenset(each["name"] for each in form.all("input", type="file")),
        )


def _usual(buttons: list[Element]) -> Element | None:
    """The button that saves; else the first that is not hidden."""
    shown = [each for each in buttons if not each.has("disabled")]
    for each in shown:
        if each.get("value") == "save":
            return each
    return shown[0] if shown else None


def _usual_button(buttons: list[Element]) -> str:
    button = _usual(buttons)
    return "" if button is None else button.text


def _pressed(buttons: list[Element]) -> dict[str, str]:
    button = _usual(buttons)
    if button is None or not button.get("name"):
        return {}
    return {button["name"]: button.get("value")}


def _pressed_action(buttons: list[Element]) -> str:
    button = _usual(buttons)
    return "" if button is None else button.get("formaction")
