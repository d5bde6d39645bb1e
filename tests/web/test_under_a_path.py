"""The application below a path of its host: no page, redirect, script or cookie leads out of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from flask import Flask
from werkzeug.exceptions import NotFound
from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.test import Client as Browser
from werkzeug.test import TestResponse

from scorepad.app import Config
from scorepad.assets import static_dir
from scorepad.web.static_files import remove_comments
from tests.apps import shared_app
from tests.cookies import admin_cookie
from tests.web.addresses import Addresses
from tests.web.client import Client, Page
from tests.web.playing import start

PATH = "/canasta/app"
FINE = {200, 302, 303, 308}
TYPED = {
    f"/partite/ID/{page}": typed
    for page, typed in {
        "smazzata": {"a.cards": "150", "a.left": "0", "b.cards": "100", "b.left": "40", "out": "nobody"},
        "penalita": {"side": "0", "code": "draw-out-of-turn"},
        "giocatore": {"seat": "0-1", "name": "Pina"},
        "fine": {"how": "time"},
        "smazzate/1/annotazione": {"remark": "una volta"},
    }.items()
}  # fmt: skip
"""What is typed in forms that send nothing as they are, by their addresses."""
LAST = ("/cancella", "/esci", "/togli", "/fine")
"""How the addresses of forms end that take away what others need."""


class Site:
    """A browser at the application below `PATH`, where nothing else answers."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.mounted = Browser(DispatcherMiddleware(NotFound(), {PATH: app}))
        self.mounted.set_cookie("scorepad_admin", admin_cookie())
        first_parts = {rule.rule.split("/")[1].split("<")[0] for rule in app.url_map.iter_rules()}
        beginnings = "|".join(sorted(first_parts - {"", "e"}))
        self.addresses = re.compile(rf'(?<![\w.])(/[\w/]+)?/({beginnings})(?=[/"?:#<\s])')

    def get(self, url: str) -> TestResponse:
        answer = self.mounted.get(url, headers={"Accept-Language": "it"}, buffered=True)
        self.check(answer, url)
        return answer

    def post(self, url: str, data: dict[str, str]) -> TestResponse:
        answer = self.mounted.post(url, data=data, headers={"Accept-Language": "it"}, buffered=True)
        self.check(answer, url)
        return answer

    def check(self, answer: TestResponse, url: str) -> None:
        """Nothing in an answer leads out: no link, no redirect, no text with an address."""
        assert leads_inside(answer.headers.get("Location", "")), (url, answer.headers)
        for cookie in answer.headers.getlist("Set-Cookie"):
            path = re.findall("Path=([^;]*)", cookie)
            assert path[0] == "/" or leads_inside(path[0]), cookie
        if answer.mimetype not in ("text/html", "application/manifest+json"):
            return
        text = answer.text.replace("http://localhost", "")
        for found in self.addresses.finditer(text):
            around = text[max(0, found.start() - 60) : found.end() + 20]
            assert found[0].startswith(f"{PATH}/"), (url, around)


def leads_inside(url: str) -> bool:
    path = urlsplit(url).path
    return not path.startswith("/") or path == PATH or path.startswith(f"{PATH}/")


@pytest.fixture(params=[False, True], ids=["at home", "alone"])
def app(request: pytest.FixtureRequest, tmp_path: Path) -> Flask:
    data = tmp_path / "scorepad.db"
    return shared_app(Config(data, b"k" * 32, testing=True, alone=request.param))


@pytest.fixture
def site(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Site:
    """Papers are pages to print, which have addresses too."""
    monkeypatch.setattr("scorepad.sheets.pdf.can_make_pdf", lambda: False)
    return Site(app)


def links_of(page: Page) -> Iterator[str]:
    for element in page.all():
        for name in ("href", "src", "data-live-state", "data-live-page"):
            if element.get(name).startswith(PATH):
                yield element[name].removeprefix(PATH)


def forms_of(page: Page) -> Iterator[tuple[str, dict[str, str]]]:
    """The forms of a page that change something, as they are, each with one of its buttons."""
    for form in page.all("form", method="post"):
        sent = page.values(form)
        for button in form.all("button"):
            if button.get("name"):
                sent[button["name"]] = button.get("value")
                break
        url = form.get("action") or page.url
        kind = re.sub("/partite/[a-z0-9]+", "/partite/ID", url.removeprefix(PATH))
        yield url, sent | TYPED.get(kind, {})


def test_no_page_and_no_form_of_a_pad_below_a_path_leads_out_of_it(
    site: Site, client: Client
) -> None:
    client.get(start(client))  # what is cached of it without the path is for no page below it
    begin_match(site)
    addresses = Addresses("/", "/giochi", "/giochi/classica", most=1)
    forms: dict[str, dict[str, str]] = {}
    for address in addresses:
        url = PATH + address
        answer = site.get(url)
        assert answer.status_code in FINE, (url, answer.status_code)
        if answer.location:
            addresses.add([urlsplit(answer.location).path.removeprefix(PATH)])
        elif answer.mimetype == "text/html":
            page = Page(answer, url)
            addresses.add(links_of(page))
            forms |= dict(forms_of(page))
    assert len(addresses.seen) > 80

    for url in sorted(forms, key=lambda url: url.endswith(LAST)):
        answer = site.post(url, forms[url])
        if answer.location:
            assert site.get(answer.location).status_code in FINE, answer.location


def begin_match(site: Site) -> None:
    """Begin a match through the pages, and save a hand."""
    page = Page(site.get(f"{PATH}/partite/nuova"), f"{PATH}/partite/nuova")
    begun = site.post(f"{PATH}/partite/nuova", page.values(page.form("Comincia: ")))
    assert begun.status_code == 303
    page = Page(site.get(f"{begun.location}/smazzata"), f"{begun.location}/smazzata")
    _, typed = next(forms_of(page))
    saved = site.post(page.url, typed | {"do": "save"})
    assert saved.location == begun.location


def test_a_form_that_was_refused_is_sent_again_to_its_own_address(site: Site) -> None:
    page = Page(site.get(f"{PATH}/partite/nuova"), "")
    url = f"{PATH}/partite/nuova?variante=classica"
    sent = page.values(page.form("Comincia: ")) | {"name-0": "Zia Pina"}
    refused = site.mounted.post(url, data=sent, headers={"Origin": "http://elsewhere.example"})
    assert refused.status_code == 403
    assert Page(refused, url).one("form", class_="resend")["action"] == url


def test_no_script_names_an_address_of_the_server() -> None:
    for path in static_dir().glob("*.js"):
        script = remove_comments(path.read_text(encoding="utf-8"))
        assert re.findall(r"""["'`]/(?=[a-z])[^"'`]*""", script) == [], path.name
