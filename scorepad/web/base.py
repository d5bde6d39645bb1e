"""Basis of all pages: services, device and language of the request, redirects and rendering."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from flask import (
    Blueprint,
    Flask,
    Response,
    current_app,
    flash,
    get_flashed_messages,
    make_response,
    redirect,
    request,
    url_for,
)
from flask_babel import get_locale
from markupsafe import Markup
from werkzeug.routing import IntegerConverter, Map
from werkzeug.wrappers import Response as AnyResponse

from scorepad.caches import LruCache
from scorepad.i18n import LANGUAGES, Language, Words
from scorepad.i18n import words as catalogue
from scorepad.matches.access import MatchId
from scorepad.matches.transaction import Saved
from scorepad.sheets.printed_names import named_by_players
from scorepad.web import app_services, device_cookies
from scorepad.web.cookies import LANGUAGE_COOKIE, cookie_name, set_key_cookies
from scorepad.web.headers import LOOKS_AGAIN, may_hold_key
from scorepad.web.short_codes import ShortCodes

if TYPE_CHECKING:
    from jinja2 import Template

    from scorepad.matches import Pad
    from scorepad.matches.projection import MatchState
    from scorepad.rules.definitions import Ruleset, Variant

TEMPLATES = "scorepad.templates"
"""Key of the Jinja environments of the languages among Flask's extensions."""
error_handlers = Blueprint("errors", __name__)
"""The error pages of the application, which `scorepad.web.error_pages` adds when it is imported."""


class SmallNumber(IntegerConverter):
    """URL converter for the numbers of hands and log entries; a larger number is 404."""

    def __init__(self, of: Map, *args: Any, **more: Any) -> None:
        super().__init__(of, *args, **{"max": 9_999_999, **more})


@dataclass(frozen=True, slots=True)
class AppState:
    """Services and caches of the application."""

    pad: Pad
    start_links: set[str] = field(default_factory=set)
    """Digests of the tokens of printed admin links that are still unused."""
    shown: LruCache[Markup] = field(default_factory=lambda: LruCache(2**22, len))
    """Rendered parts of pages, by match and the values shown."""
    rows: LruCache[Markup] = field(default_factory=lambda: LruCache(2**22, len))
    """Rendered rows of hands, which stay when others are added."""
    papers: LruCache[bytes] = field(default_factory=lambda: LruCache(2**23, len))
    """Blank pads, rules cards and pictures, by the values shown."""
    short_codes: ShortCodes = field(default_factory=ShortCodes)
    deleted: LruCache[str] = field(default_factory=lambda: LruCache(most=64))
    """Messages about deleted matches, keyed by request, for a repeated request."""

    def forget(self) -> None:
        """Clear the rendered content: another match with the same id may have been imported."""
        self.shown.clear()
        self.rows.clear()


class FieldError(NamedTuple):
    """An error message, and the id of its field (None: the whole page)."""

    field: str | None
    text: str


Errors = tuple[FieldError, ...]


class ShownForm(Protocol):
    """A form on a page, with the status and the errors of the page."""

    status: int

    @property
    def summary(self) -> Errors: ...


class Watch(NamedTuple):
    """What a page needs to follow its match."""

    state: str
    """URL that returns the current tag."""
    page: str
    """URL from which the page is fetched again."""
    tag: str
    """State of the match when the page was rendered."""
    message: str
    """Text announced to screen readers when it changes."""
    change: str | None = None
    """On a form: what happened to the match since it was shown. None for other pages."""
    gone_message: str = ""
    """Shown when the page no longer exists; empty for the usual text."""


def app_state() -> AppState:
    state = current_app.extensions[app_services.EXTENSION]
    assert isinstance(state, AppState)
    return state


get_pad = app_services.get_pad
device_id = device_cookies.current_device
"""The device of the request; a new one gets a cookie with the response."""


def language() -> Language:
    """The language of the request: the one chosen on the device, else the browser's, else Italian."""
    locale = get_locale()
    return Language(locale.language) if locale else Language.ITALIAN


def select_locale() -> str:
    """Flask-Babel's locale selector."""
    known = [each.value for each in Language]
    chosen = request.cookies.get(cookie_name(LANGUAGE_COOKIE), "")
    if chosen in known:
        return chosen
    return request.accept_languages.best_match(known, Language.ITALIAN.value)


def page_words(rules: Ruleset | Variant | None = None) -> Words:
    """The messages of the request's language, with those of these rules."""
    plain = catalogue(language())
    return plain if rules is None else plain.with_rules(rules)


def t(key: str, /, **arguments: int | str) -> str:
    """The message of this key in the language of the request."""
    return page_words().t(key, **arguments)


def plural(key: str, count: int, /, **arguments: int | str) -> str:
    """The message of this key for a count, in the language of the request."""
    return page_words().plural(key, count, **arguments)


def template(name: str) -> Template:
    """A template in the language of the request."""
    found: Template = current_app.extensions[TEMPLATES][language()].get_template(name)
    return found


def template_words(words: Words) -> dict[str, Any]:
    """What a template calls for messages. A macro that is imported with its context calls them too."""
    return {"words": words, "t": words.t, "plural": words.plural}


def asset(marks: dict[str, str], name: str) -> str:
    """The URL of a static file, which changes with its content; `marks`: content marks by file
    name.
    """
    mark = marks.get(name, "")
    return f"{request.root_path}/static/{name}?v={mark}"


def new_request_id() -> str:
    """A random id for one submission of a form."""
    return secrets.token_urlsafe(16)


def notice(text: str) -> None:
    """Show a message on the next page of this device."""
    flash(text)


def to_match(match: str, anchor: str | None = None, message: str = "") -> AnyResponse:
    """Redirect to the page of a match, with a message there."""
    if message:
        notice(message)
    return redirect(url_for("matches.page", match=match, _anchor=anchor), code=303)


def done(result: Saved, key: str, **arguments: int | str) -> AnyResponse:
    """Redirect to the match, with a notice unless it was given before."""
    if result.again:
        return to_match(result.match)
    return to_match(result.match, message=t(key, **arguments))


def to_new_match(result: Saved) -> AnyResponse:
    """Redirect to a match that this device has started, with its keys and a renewed device cookie."""
    response = to_match(result.match)
    if result.keys is not None:
        set_key_cookies(response, result.match, result.keys)
    device_cookies.renew_device(response)
    return response


def match_is_over(match: str) -> AnyResponse:
    """Redirect to a match, with the notice that it is over."""
    notice(t("match.over"))
    return to_match(match)


def load_match(match: str) -> MatchState:
    """The match of a URL, as visible to this device. Raises MatchNotFound.

    "Noi" is the first side: on a phone of another one the sides are named by their players, where
    these have names.
    """
    state = get_pad().state(MatchId(match), device_id())
    return named_by_players(state) if state.own_side else state


def render_page(
    name: str,
    *,
    title: str,
    status: int = 200,
    errors: Errors | None = None,
    watch: Watch | None = None,
    has_form: bool = False,
    **values: Any,
) -> Response:
    """Render a template; `title` is its h1 and the window title. `has_form`: the page has input
    fields.

    The errors of a `form` among the values are shown with its status unless others are given.
    """
    form: ShownForm | None = values.get("form")
    if form is not None and status == HTTPStatus.OK:
        status = form.status
    if form is not None and errors is None:
        errors = form.summary
    values |= {
        "title": title,
        "errors": errors or (),
        "watch": watch,
        "has_form": has_form,
        "language_links": _language_links(),
        "return_path": _return_path(),
        "clock": page_words().clock(datetime.now(UTC).astimezone()),
        "notices": _notices(),
    }
    if "words" in values:
        values |= template_words(values["words"])
    response = make_response(template(name).render(values), status)
    if has_form:
        # Going back to a form must fetch it again, with a fresh request id.
        response.headers["Cache-Control"] = "private, no-store"
    return response


def _language_links() -> list[tuple[str, str]]:
    """The other languages, each with its own name."""
    return [
        (other.value, catalogue(other).t("web.language.own-name"))
        for other in LANGUAGES
        if other is not language()
    ]


def _return_path() -> str:
    """Where a choice of the language leads back to."""
    if request.method == "GET" and not may_hold_key(request.path):
        return request.full_path.removesuffix("?")
    return url_for("home.page")


def _notices() -> tuple[str, ...]:
    """The notices to show. A page that refetches itself must not consume those of the next page."""
    if LOOKS_AGAIN in request.headers:
        return ()
    return tuple(map(str, get_flashed_messages()))


def register_basics(app: Flask) -> None:
    """Register the converter of numbers in URLs and the error pages."""
    app.url_map.converters["int"] = SmallNumber
    app.register_blueprint(error_handlers)
