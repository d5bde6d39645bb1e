"""What every page needs: its words, the pad, the device that asks, and one way to be shown.

A view makes one frozen value (a `Page` of its own) and hands it to `render`; the template gets it as `page`, with
`words` (the language of the request) and `frame` (what stands around every page).
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, ClassVar

from flask import Response, current_app, flash, get_flashed_messages, make_response, render_template, request, url_for
from flask_babel import get_locale
from markupsafe import Markup

from scorepad.i18n import LANGUAGES, Language, Words, words
from scorepad.matches.cache import Recent
from scorepad.web.device import cookie_name, current_device
from scorepad.web.headers import LOOKS_AGAIN, may_hold_key

if TYPE_CHECKING:
    from scorepad.matches import Pad
    from scorepad.matches.access import DeviceId
    from scorepad.web.live.watching import Watch

LANGUAGE_COOKIE = "scorepad_language"
EXTENSION = "scorepad"
"""Where the application keeps its `Setup`, among Flask's extensions."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What the application was made with, for those who answer requests."""

    pad: Pad
    allowed_hosts: tuple[str, ...] = ()
    listens: str = "127.0.0.1"
    """The host that the server listens on."""
    start_links: set[str] = field(default_factory=set)
    """Digests of the tokens of the home links that this server printed and nobody used yet."""
    shown: Recent[Markup] = field(default_factory=lambda: Recent(2**22, len))
    """Pieces of pages that stay the same until the match changes."""
    rows: Recent[Markup] = field(default_factory=lambda: Recent(2**22, len))
    """Rows of hands, which stay the same until the hand changes."""
    papers: Recent[bytes] = field(default_factory=lambda: Recent(2**23, len))
    """Blank pads, rules cards and pictures, by all that they are made from."""
    waiting: Recent[str] = field(default_factory=Recent)
    """The penalties that wait in an open hand, in a short word, by how far it has come."""
    deleted: Recent[str] = field(default_factory=lambda: Recent(most=64))
    """What is said of a match that a form deleted, to say it again: of the match itself nothing stays."""

    def forget(self) -> None:
        """Let go of what was drawn: of a match of the same name another log may have come to be in the file."""
        for kept in (self.shown, self.rows, self.waiting):
            kept.clear()


@dataclass(frozen=True, slots=True)
class FieldError:
    """What is wrong, in words, and the id of the field that it stands beside (None: the page as a whole)."""

    field: str | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What any page holds. One subclass for each template, named by `template`.

    `title` is the one h1 and the title of the window. `has_form`: something may be typed here, so nothing on the page
    leads away that would lose it. `watch`: the page follows its match while it is open.
    """

    template: ClassVar[str]
    has_form: ClassVar[bool] = False
    title: str
    errors: tuple[FieldError, ...] = ()
    watch: Watch | None = None

    def beside(self, field: str) -> tuple[str, ...]:
        """The errors that stand beside this field."""
        return tuple(error.text for error in self.errors if error.field == field)


@dataclass(frozen=True, slots=True)
class Tongue:
    """A language to change to: its code and its own name for itself."""

    code: str
    name: str


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around every page."""

    language: str
    others: tuple[Tongue, ...]
    notices: tuple[str, ...]
    here: str
    """The path to come back to after a change of language."""


def setup() -> Setup:
    """What the running application was made with."""
    made = current_app.extensions[EXTENSION]
    assert isinstance(made, Setup)
    return made


def the_pad() -> Pad:
    """The pad of the running application."""
    return setup().pad


def device_id() -> DeviceId:
    """The device that asks; a new one gets its cookie with this answer."""
    return current_device(the_pad())


def language() -> Language:
    """The language of this request: the one chosen on the device, Italian where none was."""
    locale = get_locale()
    return Language(locale.language) if locale else Language.ITALIAN


def choose_language() -> str:
    """Flask-Babel's selector."""
    chosen = request.cookies.get(cookie_name(LANGUAGE_COOKIE), "")
    if chosen in tuple(Language):
        return chosen
    return Language.ITALIAN.value


def page_words() -> Words:
    """The words of this request."""
    return words(language())


def new_request_id() -> str:
    """A fresh name for one submission of a form."""
    return secrets.token_urlsafe(16)


def notice(text: str) -> None:
    """Say something on the next page that is shown on this device."""
    flash(text)


def render(page: Page, status: int = 200) -> Response:
    """The page as an answer.

    With its first page the device gets its name: a form sent twice, because the answer was lost, comes from one device.
    """
    if status < HTTPStatus.INTERNAL_SERVER_ERROR:  # the data file may be what failed
        device_id()
    speech = page_words()
    html = render_template(page.template, page=page, words=speech, frame=_frame(speech))
    response = make_response(html, status)
    if page.has_form:
        # Going back to a form shows it as it is now, with a fresh name for what is sent from it.
        response.headers["Cache-Control"] = "private, no-store"
    return response


def _frame(speech: Words) -> Frame:
    others = tuple(
        Tongue(tongue.value, words(tongue).text("web.language.own-name"))
        for tongue in LANGUAGES
        if tongue is not speech.language
    )
    comes_back = request.method == "GET" and not may_hold_key(request.path)
    here = request.full_path.removesuffix("?") if comes_back else url_for("home.page")
    # What was to be said on the next page is not for one that only looks what is new.
    notices = () if LOOKS_AGAIN in request.headers else tuple(map(str, get_flashed_messages()))
    return Frame(speech.language.value, others, notices, here)
