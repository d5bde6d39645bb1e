"""What every page needs: the services, the device and the language of the request, rendering, error pages, files.

A view calls `render_page` with a template and its values; `template_helpers` has the globals and filters of templates.
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from flask import (
    Flask,
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
from flask_wtf.csrf import CSRFError, validate_csrf
from markupsafe import Markup
from werkzeug.exceptions import HTTPException, MethodNotAllowed, TooManyRequests
from werkzeug.routing import IntegerConverter, Map
from werkzeug.wrappers import Response as AnyResponse
from wtforms import ValidationError

from scorepad.errors import NewerError
from scorepad.i18n import LANGUAGES, Language, Words, system_error_text, words
from scorepad.matches.access import MatchNotFound, NoSuchKey, NotAllowed, NotOwner, RequestRefused
from scorepad.matches.service import RETRY_AFTER, Overloaded, heavy_work
from scorepad.matches.transaction import Recent
from scorepad.storage.connection import Busy, NoRoom, StorageError
from scorepad.web.limits import MANY_MATCHES
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
        "language_links": [(each.value, words(each).text("web.language.own-name")) for each in others],
        "return_path": request.full_path.removesuffix("?") if may_return else url_for("home.page"),
        # A page that refetches itself must not consume the notices of the next page.
        "notices": () if LOOKS_AGAIN in request.headers else tuple(map(str, get_flashed_messages())),
    }


# ---------------------------------------------------------------- error pages, and how a refused form is sent again

_WITH_TEXT = {400, 403, 404, 405, 413, 429, 500, 503}
FIRST_ERROR = 400
_NOT_TYPED = re.compile(
    r"csrf_token|request_id|back|hand|number|version|seen|other|refused|do|dealer|seat|asked|rules|was-.*|.*-current"
)
"""Fields that no person types."""
_FREE_TEXT = re.compile(r"(player-|name-).*|name|place|reason|remark|text|note|agreed")
_CODE = re.compile(r"[a-z]+(-[a-z]+)*")
"""The value of a choice."""


@dataclass(frozen=True, slots=True)
class RefusedForm:
    """A refused form: its URL, all its fields, and the values that a person typed, in order."""

    action: str
    fields: tuple[tuple[str, str], ...]
    typed: tuple[str, ...]


def register_error_pages(app: Flask) -> None:
    """Register an error page for every error."""
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(CSRFError, lambda _: trouble("expired", 400))
    app.register_error_handler(MatchNotFound, lambda _: refused("no-match", 404))
    app.register_error_handler(NotAllowed, lambda _: refused("not-allowed", 403))
    app.register_error_handler(NotOwner, lambda _: refused("not-owner", 403))
    app.register_error_handler(NoSuchKey, lambda _: trouble("no-key", 404))
    app.register_error_handler(RequestRefused, lambda _: trouble("sent-before", 400))
    app.register_error_handler(Busy, lambda _: refused("busy", 503))
    app.register_error_handler(NoRoom, lambda _: refused("no-room", 507))
    app.register_error_handler(Overloaded, _overloaded)
    app.register_error_handler(StorageError, _storage)
    app.register_error_handler(NewerError, _newer)


def trouble(name: str, status: int, **figures: str) -> Response:
    """The error page of this name in the catalogue."""
    explanation = t(f"web.trouble.{name}.told", **figures)
    return render_page("trouble.html", title=t(f"web.trouble.{name}"), explanation=explanation, status=status)


def refused(name: str, status: int, **figures: str) -> Response:
    """Like `trouble`; if a form was submitted, what was typed in it can be sent again."""
    form = refused_form()
    if form is None:
        return trouble(name, status, **figures)
    explanation = t(f"web.trouble.{name}.told", **figures)
    title = t(f"web.trouble.{name}")
    return render_page("refused.html", title=title, explanation=explanation, form=form, status=status, has_form=True)


def refused_form() -> RefusedForm | None:
    """The submitted form, if a person typed something in it.

    None also without a valid CSRF token: a form of another site must not be offered for sending again.
    """
    if request.method != "POST" or request.files:
        return None
    fields = tuple(request.form.items(multi=True))
    typed = tuple(value for name, value in fields if _is_typed(name, value.strip()))
    try:
        validate_csrf(request.form.get("csrf_token"))
    except ValidationError:
        return None
    kept = tuple((name, value) for name, value in fields if name != "csrf_token")
    return RefusedForm(request.full_path.removesuffix("?"), kept, typed) if typed else None


def _is_typed(name: str, value: str) -> bool:
    if not value or _NOT_TYPED.fullmatch(name):
        return False
    return bool(_FREE_TEXT.fullmatch(name)) or not _CODE.fullmatch(value)


def _http(error: HTTPException) -> Response | HTTPException:
    status = error.code or 500
    if error.response is not None or status < FIRST_ERROR:
        return error
    if error.description == "host":
        return trouble("host", status)
    if error.description in ("origin", "not-home"):
        return refused(error.description, status)
    if isinstance(error, TooManyRequests):
        return refused(error.description if error.description == MANY_MATCHES else str(status), status)
    response = trouble(str(status if status in _WITH_TEXT else 400), status)
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        response.allow.update(error.valid_methods)
    return response


def _overloaded(_: Overloaded) -> Response:
    response = refused("overloaded", 503)
    response.headers["Retry-After"] = str(RETRY_AFTER)
    return response


def _storage(error: StorageError) -> Response:
    current_app.logger.error("%s", error)
    detail = system_error_text(error.reason, error.detail or type(error).__name__, page_words())
    return refused("storage", 503, detail=detail)


def _newer(error: NewerError) -> Response:
    current_app.logger.error("%s", error)
    return refused("storage", 503, detail=system_error_text("newer-match", str(error), page_words()))


# ---------------------------------------------------------------- files: names, PDF responses, the cache of papers

_FORBIDDEN = frozenset('/\\:*?"<>|')
_LONGEST_NAME = 160
"""Bytes of a file name without its extension; file systems take 255 with it."""


def name_file(response: AnyResponse, name: str, ending: str, *, inline: bool = False) -> None:
    """Set `Content-Disposition` with a file name made of what people typed.

    RFC 6266: the name in ASCII, and in full as RFC 8187 encodes it where that differs.
    """
    kept = "".join(each for each in name if each.isprintable() and each not in _FORBIDDEN)
    kept = kept.encode()[:_LONGEST_NAME].decode(errors="ignore").strip(" .")
    whole = f"{kept}.{ending}"
    plain = unicodedata.normalize("NFKD", kept).encode("ascii", "ignore").decode().replace("%", "_")
    plain = "".join(each for each in plain if each not in _FORBIDDEN)
    names = {"filename": f"{' '.join(plain.split())}.{ending}"}
    if names["filename"] != whole:
        names["filename*"] = f"UTF-8''{quote(whole, safe='')}"
    response.headers.set("Content-Disposition", "inline" if inline else "attachment", **names)


def cached_paper(key: Hashable, make: Callable[[], bytes]) -> bytes:
    """The paper of this key, made if it is not cached. Raises Overloaded like `heavy_work`."""
    papers = app_state().papers
    kept = papers.get(key)
    if kept is not None:
        return kept
    with heavy_work():
        return papers.get(key) or papers.put(key, make())  # another request may have made it meanwhile


def paper_response(
    make: Callable[[], bytes], name: str, mimetype: str = "application/pdf", ending: str = "pdf"
) -> Response:
    """A paper to show under this name; a page that explains how to print, if this machine cannot make papers."""
    from scorepad.sheets.pdf import NoPdf

    try:
        paper = make()
    except NoPdf:
        return trouble("no-pdf", 503)
    except OSError:  # no space for the library's temporary files
        current_app.logger.exception("no sheet")
        return trouble("no-pdf", 503)
    return file_response(paper, mimetype, name, ending, inline=True)


def file_response(content: bytes, mimetype: str, name: str, ending: str, *, inline: bool = False) -> Response:
    """A file to download, or with `inline` to show, under this name."""
    response = make_response(content)
    response.headers["Content-Type"] = mimetype
    name_file(response, name, ending, inline=inline)
    return response
