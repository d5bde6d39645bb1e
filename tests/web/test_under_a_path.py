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
EXPECTED_STATUSES = {200, 302, 303, 308}
TYPED_INTO_FORMS = {
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


class Site:
    """A browser at the application below `PATH`, where nothing else answers.

    It is an administrator's, who may see every match. Each answer is checked.
    """

    def __init__(self, app: Flask) -> None:
        """Answer below `/canasta/app` by the app, and everywhere else with 404, not found."""
        self.app = app
        self.mounted = Browser(DispatcherMiddleware(NotFound(), {PATH: app}))
        self.mounted.set_cookie("scorepad_admin", admin_cookie())
        self.addresses = pattern_of_addresses(app)

    def get(self, url: str) -> TestResponse:
        """Return the checked answer to a GET request, in Italian."""
        answer = self.mounted.get(url, headers={"Accept-Language": "it"}, buffered=True)
        self.check(answer, url)
        return answer

    def page(self, url: str) -> Page:
        """Return the page at this address."""
        return Page(self.get(url), url)

    def post(self, url: str, data: dict[str, str]) -> TestResponse:
        """Send a form, and return the checked answer."""
        answer = self.mounted.post(url, data=data, headers={"Accept-Language": "it"}, buffered=True)
        self.check(answer, url)
        return answer

    def check(self, answer: TestResponse, url: str) -> None:
        """Check that nothing in an answer leads out of the path, `/canasta/app`.

        That is no redirect, no cookie, and no address in the text of a page.
        """
        redirect = answer.headers.get("Location", "")
        assert leads_inside(redirect), (url, redirect)

        for cookie in answer.headers.getlist("Set-Cookie"):
            path = re.search("Path=([^;]*)", cookie)[1]
            # A cookie for the whole host, "/", holds below the path too.
            assert path == "/" or leads_inside(path), cookie

        if answer.mimetype not in ("text/html", "application/manifest+json"):
            return
        # Full addresses become paths: "http://localhost/canasta/app/giochi" too.
        text = answer.text.replace("http://localhost", "")
        for address in self.addresses.finditer(text):
            surrounding_text = text[max(0, address.start() - 60) : address.end() + 20]
            assert address[0].startswith("/canasta/app/"), (url, surrounding_text)


def pattern_of_addresses(app: Flask) -> re.Pattern[str]:
    """Build a pattern that finds addresses of the application in the text of a page.

    It knows them by their first part, such as `partite` in `/partite/nuova`, and finds them with
    whatever path stands in front: `/canasta/app/partite`.
    """
    # The route `/partite/<match>` begins with `partite`.
    first_parts = {re.match("/([^/<]*)", rule.rule)[1] for rule in app.url_map.iter_rules()}
    # The home page has the route `/`. That of a link into a match, `/e/<key>`, begins with a word
    # that is too short to be told from other texts.
    first_parts -= {"", "e"}
    any_first_part = "|".join(sorted(first_parts))

    # No letter and no dot stands before an address. A slash, a quote or a blank may follow.
    path_in_front = r"(?<![\w.])(/[\w/]+)?"
    return re.compile(rf'{path_in_front}/({any_first_part})(?=[/"?:#<\s])')


def leads_inside(url: str) -> bool:
    """Tell whether a URL is relative, or below `PATH`."""
    path = urlsplit(url).path
    return not path.startswith("/") or path == PATH or path.startswith(f"{PATH}/")


@pytest.fixture(params=[False, True], ids=["at home", "alone"])
def app(request: pytest.FixtureRequest, tmp_path: Path) -> Flask:
    """Make the app: as a server has it, and as it runs alone in a browser, without a server."""
    data = tmp_path / "scorepad.db"
    return shared_app(Config(data, b"k" * 32, testing=True, alone=request.param))


@pytest.fixture
def site(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Site:
    """Open a browser at the application below the path.

    No PDF can be made here: sheets are pages to print instead, which have addresses too.
    """
    monkeypatch.setattr("scorepad.sheets.pdf.can_make_pdf", lambda: False)
    return Site(app)


def links_below_path(page: Page) -> Iterator[str]:
    """Yield the addresses in a page, without the path in front: `/partite/nuova`."""
    for element in page.all():
        for name in ("href", "src", "data-live-state", "data-live-page"):
            if element.get(name).startswith(PATH):
                yield element[name].removeprefix(PATH)


def filled_forms(page: Page) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the address and the fields of each form of a page that is sent with POST.

    The fields are as the page has them, with what a person has to type.
    """
    for form in page.all("form", method="post"):
        sent = page.values(form)

        # A browser sends the name and value of the button that is pressed. Here it is the first.
        buttons = [button for button in form.all("button") if button.get("name")]
        if buttons:
            sent[buttons[0]["name"]] = buttons[0].get("value")

        # At "/partite/ID/giocatore", for example, a seat and the name "Pina" are typed, whatever
        # the ID of the match.
        url = form.get("action") or page.url
        path = re.sub("/partite/[a-z0-9]+", "/partite/ID", url.removeprefix(PATH))
        yield url, sent | TYPED_INTO_FORMS.get(path, {})


def test_all_links_and_forms_stay_below_the_path(site: Site, client: Client) -> None:
    # Somebody looks at a match without the path first: if the app kept that page in a cache, its
    # addresses would be seen below the path.
    client.get(start(client))

    # `site` checks that no answer leads out of the path. Follow the links of all pages.
    begin_match(site)
    forms = visit_all_pages(site)

    # Send all forms that were found. Last come those that take away what others need: to delete
    # (cancella), to leave (esci), to remove (togli) and to end (fine).
    sent_last = ("/cancella", "/esci", "/togli", "/fine")
    for url in sorted(forms, key=lambda url: url.endswith(sent_last)):
        answer = site.post(url, forms[url])
        if answer.location:
            assert site.get(answer.location).status_code in EXPECTED_STATUSES, answer.location


def visit_all_pages(site: Site) -> dict[str, dict[str, str]]:
    """Follow the links of all pages, and return the fields of their forms by address."""
    forms: dict[str, dict[str, str]] = {}

    # The loop goes on with the addresses that are added in it. Each comes once, and with other
    # query parameters, or the rulebook of another game, it is still the same.
    addresses = Addresses("/", "/giochi", "/giochi/classica", most=1)
    for address in addresses:
        # Addresses are added without the path of the application, /canasta/app, in front.
        url = PATH + address
        answer = site.get(url)
        assert answer.status_code in EXPECTED_STATUSES, (url, answer.status_code)
        if answer.location:
            addresses.add([urlsplit(answer.location).path.removeprefix(PATH)])
        elif answer.mimetype == "text/html":
            page = Page(answer, url)
            addresses.add(links_below_path(page))
            forms.update(filled_forms(page))

    assert len(addresses.seen) > 80  # otherwise links were missed
    return forms


def begin_match(site: Site) -> None:
    """Begin a match through the pages, and save a hand."""
    page = site.page(f"{PATH}/partite/nuova")
    begun = site.post(page.url, page.form_values("Comincia: "))  # the button "Begin: …"
    assert begun.status_code == 303

    page = site.page(f"{begun.location}/smazzata")
    _address, fields = next(filled_forms(page))
    saved = site.post(page.url, fields | {"do": "save"})
    assert saved.location == begun.location


def test_refused_form_is_sent_again_below_the_path(site: Site) -> None:
    # A form for a new match seems to come from another site, and is refused.
    url = f"{PATH}/partite/nuova?variante=classica"
    page = site.page(f"{PATH}/partite/nuova")
    fields = page.form_values("Comincia: ") | {"name-0": "Zia Pina"}
    foreign = {"Origin": "http://elsewhere.example"}
    refused = site.mounted.post(url, data=fields, headers=foreign)
    assert refused.status_code == 403

    # The page of the refusal has a form that sends the same again, to the same address.
    assert Page(refused, url).one("form", class_="resend")["action"] == url


def test_scripts_contain_no_absolute_paths() -> None:
    for path in static_dir().glob("*.js"):
        script = remove_comments(path.read_text(encoding="utf-8"))
        # A text in quotes that begins with a slash and a letter, such as "/partite/nuova".
        assert re.findall(r"""["'`]/(?=[a-z])[^"'`]*""", script) == [], path.name
