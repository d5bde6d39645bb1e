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
    g,
    get_flashed_messages,
    has_request_context,
    make_response,
    redirect,
    request,
    url_for,
)
from markupsafe import Markup
from werkzeug.routing import IntegerConverter, Map
from werkzeug.wrappers import Response as AnyResponse

from scorepad.caches import LruCache
from scorepad.i18n import LANGUAGES, Language, Words
from scorepad.i18n import words as catalogue
from scorepad.matches.access import MatchId
from scorepad.matches.transaction import Saved
from scorepad.sheets.printed_names import name_sides_by_players
from scorepad.web import app_services, device_cookies
from scorepad.web.alone import is_alone
from scorepad.web.cookies import LANGUAGE_COOKIE, cookie_name, set_key_cookies
from scorepad.web.headers import is_refetch_by_page, may_hold_key
from scorepad.web.short_codes import ShortCodes

if TYPE_CHECKING:
    from jinja2 import Template

    from scorepad.matches import Pad
    from scorepad.matches.projection import MatchState
    from scorepad.rules.definitions import Ruleset, Variant

ASSET_PATH = "SCOREPAD_ASSET_PATH"
"""Key of the path of the static files in the configuration: `/static/3f2a81c09d7e`."""
TEMPLATES = "scorepad.templates"
"""Key of the Jinja environments of the languages among Flask's extensions."""
error_handlers = Blueprint("errors", __name__)
"""The error pages of the application, which `scorepad.web.error_pages` adds when it is imported."""


class SmallNumber(IntegerConverter):
    """URL converter for the numbers of hands and log entries; a larger number is 404."""

    def __init__(self, url_map: Map, *args: Any, **options: Any) -> None:
        options.setdefault("max", 9_999_999)
        super().__init__(url_map, *args, **options)


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

    def clear_rendered(self) -> None:
        """Forget all rendered content: another match may have the id of one that it shows."""
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
    """What an open page needs to notice that its match has changed, and to fetch itself again."""

    tag_url: str
    """URL that returns the tag of the match as it is now."""
    tag: str
    """The tag when the page was rendered; it is another one after each change."""
    page_url: str
    """URL from which the page is fetched again."""
    announcement: str
    """The totals in words, which are read out to users of screen readers when they change."""
    change: str | None = None
    """On a form: what happened to the match since the form was first shown, in words; empty if
    nothing did. None for other pages."""
    gone_message: str = ""
    """Shown when the page no longer exists; empty for the usual text."""


def app_state() -> AppState:
    """Return the services and caches of the application that answers the request."""
    state = current_app.extensions[app_services.EXTENSION]
    assert isinstance(state, AppState)
    return state


get_pad = app_services.get_pad
device_id = device_cookies.current_device
"""The device of the request; a new one gets a cookie with the response."""


def language() -> Language:
    """Return the language of the request: the one chosen, else the browser's, else Italian.

    It is found out once for each request.
    """
    if not has_request_context():
        return Language.ITALIAN
    chosen: Language | None = g.get("language")
    if chosen is None:
        chosen = _choose_language()
        g.language = chosen
    return chosen


def _choose_language() -> Language:
    """Choose the language of a page, by what its device and its browser say.

    It is the one chosen on the device, else the one that the browser prefers, else Italian.
    """
    known = [known_language.value for known_language in Language]
    chosen = request.cookies.get(cookie_name(LANGUAGE_COOKIE), "")
    if chosen not in known:
        chosen = request.accept_languages.best_match(known, Language.ITALIAN.value)
    return Language(chosen)


def select_locale() -> str:
    """Return the language of the request for Flask-Babel: `it` or `en`."""
    return language().value


def page_words(rules: Ruleset | Variant | None = None) -> Words:
    """Return the messages in the language of the request.

    With `rules`, messages that belong to these rules are added, such as the names of house rules.
    """
    words = catalogue(language())
    if rules is None:
        return words
    return words.with_rules(rules)


def t(key: str, /, **arguments: int | str) -> str:
    """Return the message of this key in the language of the request."""
    return page_words().t(key, **arguments)


def plural(key: str, count: int, /, **arguments: int | str) -> str:
    """Return the message of this key for a count: "1 hand" or "3 hands"."""
    return page_words().plural(key, count, **arguments)


def template(name: str) -> Template:
    """Load a template in the language of the request."""
    environment_of_language = current_app.extensions[TEMPLATES][language()]  # one of Jinja
    loaded: Template = environment_of_language.get_template(name)
    return loaded


def template_words(words: Words) -> dict[str, Any]:
    """List the values `words`, `t` and `plural`, by which a template gets its messages."""
    return {"words": words, "t": words.t, "plural": words.plural}


def asset(name: str) -> str:
    """Return the URL of a static file: `live.js` → `/static/3f2a81c09d7e/live.js`.

    The path contains a digest of all static files. When one of them changes, all have new URLs, so
    that browsers need not ask whether what they have is current. A script imports other scripts of
    its own version by relative URLs: `import "./dom.js"`.
    """
    return f"{request.root_path}{current_app.config[ASSET_PATH]}/{name}"


def own_path() -> str:
    """Return the path of the request as the browser has it: `/partite/k3v`.

    Below a path of its host the application has that before it: `/canasta/app/partite/k3v`.
    """
    return f"{request.root_path}{request.path}"


def own_url() -> str:
    """Return the path and the query of the request as the browser has them."""
    return f"{request.root_path}{request.full_path}".removesuffix("?")


_NO_SPACE_BEFORE = (
    Markup("</"),
    Markup("<d"),
    Markup("<h"),
    Markup("<li"),
    Markup("<p"),
    Markup("<summary"),
    Markup("<ul"),
)
"""How tags begin before which a browser shows no space: those of blocks, such as `<div>`, `<dt>`
and `<h3>`, and the end of any element.
"""


def leave_spaces_out(html: Markup) -> Markup:
    """Return a part of a page, without text fields, in one line and without spaces not shown."""
    # Not split(): that would part words at no-break spaces too.
    words = [word for word in html.replace("\n", " ").split(" ") if word]
    one_line = Markup(" ").join(words)
    for tag in _NO_SPACE_BEFORE:
        one_line = one_line.replace(Markup(" ") + tag, tag)
    return one_line


def new_request_id() -> str:
    """Make a random id for one submission of a form, so that it takes effect once."""
    return secrets.token_urlsafe(16)


def notice(text: str) -> None:
    """Show a message on the next page of this device."""
    flash(text)


def to_match(match: str, anchor: str | None = None, message: str = "") -> AnyResponse:
    """Redirect to the page of a match, which shows the message, if there is one."""
    if message:
        notice(message)
    # 303: the browser fetches the page by GET, also after a form
    return redirect(url_for("matches.page", match=match, _anchor=anchor), code=303)


def done(result: Saved, key: str, **arguments: int | str) -> AnyResponse:
    """Redirect to a match after something was saved in it, and say there what was done.

    `key` and `arguments` are those of the message. A form that was sent twice has saved nothing the
    second time, and gets no second message.
    """
    is_sent_twice = result.again
    message = "" if is_sent_twice else t(key, **arguments)
    return to_match(result.match, message=message)


def to_new_match(result: Saved) -> AnyResponse:
    """Redirect to a match that this device has just started.

    The response sets the keys of the match as cookies, and a renewed cookie of the device.
    """
    response = to_match(result.match)
    if result.keys is not None:
        set_key_cookies(response, result.match, result.keys)
    device_cookies.set_renewed_cookie(response)
    return response


def match_is_over(match: str) -> AnyResponse:
    """Redirect to a match, with the notice that it is over."""
    notice(t("match.over"))
    return to_match(match)


def load_match(match: str) -> MatchState:
    """Load the match of a URL as this device may see it. Raises MatchNotFound.

    The first side is usually called "Noi" (Italian for "us"), which would be wrong on a phone of
    another side. There the sides are named after their players, if these have names.
    """
    state = get_pad().state(MatchId(match), device_id())
    if state.own_side is None or state.own_side == 0:
        return state
    return name_sides_by_players(state)


def rules_on_arrival() -> Ruleset:
    """Return the rules of the match that the request may change, as they were when it came.

    The match was read then, to check that the device may change it.
    """
    match: MatchState = g.match_on_arrival
    return match.rules


def render_page(
    name: str,
    *,
    title: str,
    status: int = HTTPStatus.OK,
    errors: Errors | None = None,
    has_form: bool = False,
    form: ShownForm | None = None,
    **values: Any,
) -> Response:
    """Render a page from a template, and return it as a response.

    - `name`: the file of the template, such as `history/player.html`
    - `title`: the heading of the page, and the title of the window
    - `errors`: listed at the top of the page
    - `has_form`: the page has input fields, and is not cached
    - `form`: a form to show; if it was refused, the page has its status and lists its errors
    - `values`: passed to the template, such as `watch`, by which the open page notices changes of
      its match (None on a pad that is alone), and `words`, if certain rules have messages of their
      own
    """
    if form is not None:
        if status == HTTPStatus.OK:
            status = form.status  # an error if the form was refused
        if errors is None:
            errors = form.summary

    all_values = {"watch": None, **_values_of_every_page(), **values}
    if is_alone():
        all_values["watch"] = None  # no other device changes anything
    if "words" in values:
        all_values |= template_words(values["words"])
    page = template(name).render(
        title=title,
        errors=errors or (),
        has_form=has_form,
        form=form,
        **all_values,
    )
    response = make_response(page, status)
    if has_form:
        # Going back to a form must fetch it again, with a fresh request id.
        response.headers["Cache-Control"] = "private, no-store"
    return response


def _values_of_every_page() -> dict[str, Any]:
    """Collect the values that the frame around every page needs, by name.

    They are the links to other languages, the time, and the notices for this device.
    """
    return {
        "language_links": _list_language_links(),
        "return_path": _find_return_path(),
        "clock": page_words().clock(datetime.now(UTC).astimezone()),
        "notices": _take_notices(),
    }


def _list_language_links() -> list[tuple[str, str]]:
    """List the languages to switch to, each with its code and its own name.

    On an Italian page: `[("en", "English")]`.
    """
    links = []
    for other in LANGUAGES:
        if other is not language():
            links.append((other.value, catalogue(other).t("web.language.own-name")))
    return links


def _find_return_path() -> str:
    """Return the URL to which the device comes back after a language was chosen on this page.

    - a page that was opened → its own URL
    - the answer to a form, or a URL that may hold a secret key → the home page
    """
    if request.method == "GET" and not may_hold_key(request.path):
        return own_url()
    return url_for("home.page")


def _take_notices() -> tuple[str, ...]:
    """Take the messages that the next page shows once, such as "Hand counted".

    An open page that fetches itself again gets none: they are meant for the page that the user
    opens next.
    """
    if is_refetch_by_page():
        return ()
    return tuple(str(message) for message in get_flashed_messages())


def register_basics(app: Flask) -> None:
    """Register the converter of numbers in URLs and the error pages."""
    app.url_map.converters["int"] = SmallNumber
    app.register_blueprint(error_handlers)
