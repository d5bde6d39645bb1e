"""What every page needs: the services, the device and the language of the request, and rendering.

A view calls `render_page` with a template and its values; `template_helpers` has the globals and filters of templates.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from flask import (
    Response,
    current_app,
    flash,
    get_flashed_messages,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask_babel import get_locale
from markupsafe import Markup
from werkzeug.routing import IntegerConverter, Map
from werkzeug.wrappers import Response as AnyResponse

from scorepad.i18n import LANGUAGES, Language, Words, words
from scorepad.matches.transaction import Recent
from scorepad.web.security import LOOKS_AGAIN, cookie_name, current_device, may_hold_key

if TYPE_CHECKING:
    from scorepad.matches import Pad
    from scorepad.matches.access import DeviceId
    from scorepad.matches.projection import MatchState
    from scorepad.web.polling import Watch

LANGUAGE_COOKIE = "scorepad_language"
EXTENSION = "scorepad"
"""Key of the `AppState` among Flask's extensions."""
LARGEST_NUMBER = 9_999_999
"""Largest number of a hand or log entry in a URL."""


class SmallNumber(IntegerConverter):
    """URL converter of the numbers of hands and log entries; a larger number is 404."""

    def __init__(self, of: Map, *args: Any, **more: Any) -> None:
        super().__init__(of, *args, **{"max": LARGEST_NUMBER, **more})


@dataclass(frozen=True, slots=True)
class AppState:
    """Services, settings and caches of the application."""

    pad: Pad
    allowed_hosts: tuple[str, ...] = ()
    listens: str = "127.0.0.1"
    """The host that the server listens on."""
    start_links: set[str] = field(default_factory=set)
    """Digests of the tokens of the home links that the server printed and that were not used yet."""
    shown: Recent[Markup] = field(default_factory=lambda: Recent(2**22, len))
    """Rendered parts of pages, by match and log entry."""
    rows: Recent[Markup] = field(default_factory=lambda: Recent(2**22, len))
    """Rendered rows of hands, by all that they show."""
    papers: Recent[bytes] = field(default_factory=lambda: Recent(2**23, len))
    """Blank pads, rules cards and pictures, by all that they show."""
    waiting: Recent[str] = field(default_factory=Recent)
    """Digests of the penalties in an open hand, by match and version."""
    short_codes: Recent[tuple[str, float]] = field(default_factory=lambda: Recent(most=512))
    """Short codes, each with the key that it stands for and when it expires by the monotonic clock."""
    deleted: Recent[str] = field(default_factory=lambda: Recent(most=64))
    """Messages about deleted matches by request, to answer the same request again."""

    def forget(self) -> None:
        """Clear what was rendered: another match with the same id may have been imported."""
        for kept in (self.shown, self.rows, self.waiting):
            kept.clear()


@dataclass(frozen=True, slots=True)
class FieldError:
    """An error message, and the id of its field (None: the whole page)."""

    field: str | None
    text: str


@dataclass(frozen=True, slots=True)
class LanguageLink:
    """A language to switch to, with its own name."""

    code: str
    name: str


def app_state() -> AppState:
    """The state of the running application."""
    state = current_app.extensions[EXTENSION]
    assert isinstance(state, AppState)
    return state


def get_pad() -> Pad:
    """The services of the running application."""
    return app_state().pad


def device_id() -> DeviceId:
    """The device of the request; a new one gets its cookie with the response."""
    return current_device(get_pad())


def language() -> Language:
    """The language of the request: the one chosen on the device, else the browser's, else Italian."""
    locale = get_locale()
    return Language(locale.language) if locale else Language.ITALIAN


def choose_language() -> str:
    """Flask-Babel's locale selector."""
    known = [each.value for each in Language]
    chosen = request.cookies.get(cookie_name(LANGUAGE_COOKIE), "")
    return chosen if chosen in known else request.accept_languages.best_match(known, Language.ITALIAN.value)


def page_words() -> Words:
    """The catalogue of the request's language."""
    return words(language())


def t(key: str, /, **figures: int | str) -> str:
    """The message of this key in the language of the request."""
    return page_words().text(key, **figures)


def plural(key: str, count: int, /, **figures: int | str) -> str:
    """The message of this key for so many things, in the language of the request."""
    return page_words().plural(key, count, **figures)


def template_helpers() -> tuple[Mapping[str, Callable[..., Any]], Mapping[str, Callable[..., Any]]]:
    """The globals and the filters that the page templates use."""
    from scorepad.web.presenters import moment, versus  # imports this module

    functions: dict[str, Callable[..., Any]] = {"t": t, "plural": plural}
    filters: dict[str, Callable[..., Any]] = {
        "figure": lambda number: page_words().figure(number),
        "signed": lambda number: page_words().signed(number),
        "day": lambda moment: page_words().day(moment.astimezone()),
        "listing": lambda parts: page_words().listing(parts),
        "versus": lambda names: versus(names, page_words()),
        "moment": lambda when: moment(when, page_words()),
    }
    return functions, filters


def new_request_id() -> str:
    """A random id for one submission of a form."""
    return secrets.token_urlsafe(16)


def notice(text: str) -> None:
    """Show a message on the next page of this device."""
    flash(text)


def to_match(match: str, anchor: str | None = None) -> AnyResponse:
    """Redirect to the page of a match."""
    return redirect(url_for("matches.page", match=match, _anchor=anchor), code=303)


def match_is_over(match: str) -> AnyResponse:
    """Redirect to a match, with the notice that it is over."""
    notice(t("course.over"))
    return to_match(match)


def load_match(match: str) -> MatchState:
    """The match of a URL, as this device may see it. Raises MatchNotFound."""
    from scorepad.matches.access import MatchId

    return get_pad().state(MatchId(match), device_id())


def render_page(
    template: str,
    *,
    title: str,
    status: int = 200,
    errors: tuple[FieldError, ...] = (),
    watch: Watch | None = None,
    has_form: bool = False,
    **values: Any,
) -> Response:
    """Render a template; `title` is its h1 and the window's title. `has_form`: something may be typed in it.

    It sets the device cookie, so that a form sent twice comes from one device.
    """
    if status < HTTPStatus.INTERNAL_SERVER_ERROR:  # else the data file may be what failed
        device_id()
    values |= {"title": title, "errors": errors, "watch": watch, "has_form": has_form}
    html = render_template(template, **values, **_base_values())
    response = make_response(html, status)
    if has_form:
        # Going back to a form must fetch it again, with a fresh request id.
        response.headers["Cache-Control"] = "private, no-store"
    return response


def _base_values() -> dict[str, Any]:
    """What the base template shows around every page."""
    here = language()
    speech = words(here)
    others = [each for each in LANGUAGES if each is not here]
    may_return = request.method == "GET" and not may_hold_key(request.path)
    return {
        "words": speech,
        # The globals of the same names, without looking up the language for each text.
        "t": speech.text,
        "plural": speech.plural,
        "language": here.value,
        "language_links": [LanguageLink(each.value, words(each).text("web.language.own-name")) for each in others],
        "return_path": request.full_path.removesuffix("?") if may_return else url_for("home.page"),
        # A page that refetches itself must not consume the notices of the next page.
        "notices": () if LOOKS_AGAIN in request.headers else tuple(map(str, get_flashed_messages())),
    }
