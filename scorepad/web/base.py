"""Basis of all pages: services, device and language of the request, rendering, error pages, files."""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from http import HTTPStatus
from io import SEEK_END
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast
from urllib.parse import quote

from flask import (
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
from flask_wtf.csrf import CSRFError, validate_csrf
from markupsafe import Markup
from werkzeug.exceptions import HTTPException, MethodNotAllowed, TooManyRequests
from werkzeug.routing import IntegerConverter, Map
from werkzeug.wrappers import Response as AnyResponse
from werkzeug.wsgi import wrap_file
from wtforms import ValidationError

from scorepad.errors import NewerError
from scorepad.i18n import LANGUAGES, Language, Words, system_error_text, words
from scorepad.matches.access import (
    MatchId,
    MatchNotFound,
    MatchOver,
    NoSuchKey,
    NotAllowed,
    NotOwner,
    RequestRefused,
)
from scorepad.matches.transaction import (
    RETRY_AFTER,
    DraftTooLong,
    LogFull,
    LruCache,
    Overloaded,
    Saved,
    heavy_work,
)
from scorepad.rules.variants import use_words
from scorepad.sheets.printed_names import named_by_players
from scorepad.storage.connection import Busy, NoRoom, NoRoomToSave, StorageError
from scorepad.storage.scratch import ScratchFile, ScratchFull, ScratchTooLarge
from scorepad.web import security
from scorepad.web.security import (
    EXTENSION,
    LOOKS_AGAIN,
    MANY_MATCHES,
    cookie_name,
    may_hold_key,
    set_key_cookies,
)
from scorepad.web.short_codes import ShortCodes

if TYPE_CHECKING:
    from jinja2 import Template

    from scorepad.matches import Pad
    from scorepad.matches.projection import MatchState
    from scorepad.web.forms import PadForm
    from scorepad.web.presenters import Watch

LANGUAGE_COOKIE = "scorepad_language"
TEMPLATES = "scorepad.templates"
"""Key of the Jinja environments of the languages among Flask's extensions."""


class SmallNumber(IntegerConverter):
    """URL converter for the numbers of hands and log entries; a larger number is 404."""

    def __init__(self, of: Map, *args: Any, **more: Any) -> None:
        super().__init__(of, *args, **{"max": 9_999_999, **more})


@dataclass(frozen=True, slots=True)
class AppState:
    """Services and caches of the application."""

    pad: Pad
    start_links: set[str] = field(default_factory=set)
    """Digests of the tokens of printed home links that are still unused."""
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


def app_state() -> AppState:
    """The state of the running application."""
    state = current_app.extensions[EXTENSION]
    assert isinstance(state, AppState)
    return state


def get_pad() -> Pad:
    """The services of the running application."""
    return app_state().pad


device_id = security.current_device
"""The device of the request; a new one gets a cookie with the response."""


def language() -> Language:
    """The language of the request: the one chosen on the device, else the browser's, else Italian."""
    locale = get_locale()
    return Language(locale.language) if locale else Language.ITALIAN


def choose_language() -> str:
    """Flask-Babel's locale selector."""
    known = [each.value for each in Language]
    chosen = request.cookies.get(cookie_name(LANGUAGE_COOKIE), "")
    return (
        chosen
        if chosen in known
        else request.accept_languages.best_match(known, Language.ITALIAN.value)
    )


def page_words() -> Words:
    """The catalogue of the request's language."""
    return words(language())


def t(key: str, /, **figures: int | str) -> str:
    """The message of this key in the language of the request."""
    return page_words().text(key, **figures)


def plural(key: str, count: int, /, **figures: int | str) -> str:
    """The message of this key for a count, in the language of the request."""
    return page_words().plural(key, count, **figures)


def template(name: str) -> Template:
    """A template in the language of the request."""
    found: Template = current_app.extensions[TEMPLATES][language()].get_template(name)
    return found


def asset(marks: dict[str, str], name: str) -> str:
    """The URL of a static file, which changes with its content; `marks`: content marks by file
    name.
    """
    return f"{request.root_path}/static/{name}?v={marks.get(name, '')}"


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


def done(result: Saved, key: str, **figures: int | str) -> AnyResponse:
    """Redirect to the match, with a notice unless it was given before."""
    return to_match(result.match, message="" if result.again else t(key, **figures))


def to_new_match(result: Saved) -> AnyResponse:
    """Redirect to a match that this device has started, with its keys and a renewed device cookie."""
    response = to_match(result.match)
    if result.keys is not None:
        set_key_cookies(response, result.match, result.keys)
    security.renew_device(response)
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

    If there is a `form` among the values, its errors are shown with its status unless others are
    given.
    """
    form: PadForm | None = values.get("form")
    if form is not None:
        status = form.status if status == HTTPStatus.OK else status
        errors = form.summary if errors is None else errors
    others = [each for each in LANGUAGES if each is not language()]
    may_return = request.method == "GET" and not may_hold_key(request.path)
    values |= {
        "title": title,
        "errors": errors or (),
        "watch": watch,
        "has_form": has_form,
        "language_links": [
            (each.value, words(each).text("web.language.own-name")) for each in others
        ],
        "return_path": request.full_path.removesuffix("?") if may_return else url_for("home.page"),
        "clock": page_words().clock(datetime.now(UTC).astimezone()),
        # A page that refetches itself must not consume the notices for the next page.
        "notices": ()
        if LOOKS_AGAIN in request.headers
        else tuple(map(str, get_flashed_messages())),
    }
    response = make_response(template(name).render(values), status)
    if has_form:
        # Going back to a form must fetch it again, with a fresh request id.
        response.headers["Cache-Control"] = "private, no-store"
    return response


# ------------------------------------------------ error pages, and how a refused form is sent again

_WITH_TEXT = {400, 403, 404, 405, 413, 429, 500, 503}
_NOT_TYPED = re.compile(
    r"csrf_token|request_id|back|hand|number|version|seen|other|refused|do|dealer|seat|asked|rules|seated|.*-current"
)
"""Fields that are not typed."""
_FREE_TEXT = re.compile(r"(player-|name-).*|name|place|reason|remark|text|note|agreed")
_CODE = re.compile(r"[a-z]+(-[a-z]+)*")  # the value of a choice
_ERRORS: dict[type[Exception], tuple[str, int]] = {
    CSRFError: ("expired", 400),
    NoSuchKey: ("no-key", 404),
    RequestRefused: ("sent-before", 400),
    NotAllowed: ("not-allowed", 403),
    NotOwner: ("not-owner", 403),
    Busy: ("busy", 503),
    NoRoom: ("no-room", 507),
    NoRoomToSave: ("no-room-to-save", 507),
    LogFull: ("log-full", 422),
    DraftTooLong: ("413", 413),
    Overloaded: ("overloaded", 503),
    ScratchFull: ("overloaded", 503),
    ScratchTooLarge: ("large-export", 413),
}
"""The name of the error page in the catalogue, and the status."""
_NOT_TO_REPEAT = (
    CSRFError,
    NoSuchKey,
    RequestRefused,
)  # errors after which the form cannot be sent again


def register(app: Flask) -> None:
    """Register the converter of numbers in URLs, and an error page for every error; end the words
    of a request.
    """
    app.url_map.converters["int"] = SmallNumber
    app.teardown_request(lambda _: use_words({}))
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(StorageError, _storage)
    app.register_error_handler(NewerError, _storage)
    app.register_error_handler(MatchNotFound, no_match)
    app.register_error_handler(MatchOver, lambda error: match_is_over(error.id))
    for kind, (name, status) in _ERRORS.items():
        app.register_error_handler(kind, partial(_refuse, name, status))


def trouble(
    name: str, status: int, *, typed: Any = (), fields: Any = (), **figures: str
) -> Response:
    """The error page of this name in the catalogue; `typed`: input of a form, to send its `fields`
    again.
    """
    return render_page(
        "trouble.html",
        title=t(f"web.trouble.{name}"),
        status=status,
        has_form=bool(typed),
        explanation=t(f"web.trouble.{name}.text", **figures),
        typed=typed,
        fields=fields,
    )


def refused(name: str, status: int, **figures: str) -> Response:
    """Like `trouble`; if the submitted form has typed input, it can be sent again.

    This requires a valid CSRF token: a form of another site must not be offered again.
    """
    if request.method != "POST" or request.files:
        return trouble(name, status, **figures)
    fields = [
        (field, value) for field, value in request.form.items(multi=True) if field != "csrf_token"
    ]
    typed = [value for field, value in fields if _is_typed(field, value.strip())]
    try:
        validate_csrf(request.form.get("csrf_token"))
    except ValidationError:
        return trouble(name, status, **figures)
    return trouble(name, status, typed=typed, fields=fields, **figures)


def _is_typed(name: str, value: str) -> bool:
    if not value or _NOT_TYPED.fullmatch(name):
        return False
    return bool(_FREE_TEXT.fullmatch(name)) or not _CODE.fullmatch(value)


def _http(error: HTTPException) -> Response | HTTPException:
    status = error.code or 500
    if error.response is not None or status < HTTPStatus.BAD_REQUEST:
        return error
    if error.description == "host":
        return trouble("host", status)
    if error.description in ("origin", "not-home"):
        return refused(error.description, status)
    if isinstance(error, TooManyRequests):
        return refused(
            error.description if error.description == MANY_MATCHES else str(status), status
        )
    response = trouble(str(status if status in _WITH_TEXT else 400), status)
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        response.allow.update(error.valid_methods)
    return response


def _storage(error: StorageError | NewerError) -> Response:
    current_app.logger.error("%s", error)
    reason, detail = "newer-match", str(error)
    if isinstance(error, StorageError):
        reason, detail = error.reason, error.detail or type(error).__name__
    return refused("storage", 503, detail=system_error_text(reason, detail, page_words()))


def no_match(error: MatchNotFound) -> AnyResponse:
    """404; but a device that never was in the match, and carries a key of it, enters by that key as
    by its link.
    """
    is_page = request.method == "GET" and LOOKS_AGAIN not in request.headers
    is_of_url = (request.view_args or {}).get("match") == error.id
    key = security.key_to_enter(error.id) if is_page and is_of_url else ""
    if not key:
        return refused("no-match", 404)
    response = redirect(url_for("phones.enter", key=key), code=303)
    response.headers["Cache-Control"] = "no-store"
    security.renew_device(response, key)  # the cookie that it has may have been planted
    return response


def _refuse(name: str, status: int, error: Exception) -> Response:
    response = (trouble if isinstance(error, _NOT_TO_REPEAT) else refused)(name, status)
    if isinstance(error, Overloaded | ScratchFull):
        response.headers["Retry-After"] = str(RETRY_AFTER)
    return response


# ------------------------------------------------- files: names, PDF responses, the cache of papers

_FORBIDDEN = frozenset('/\\:*?"<>|')
_LONGEST_NAME = 160  # bytes of a file name without its extension; file systems allow 255 with it


def name_file(response: AnyResponse, name: str, ending: str, *, inline: bool = False) -> None:
    """Set `Content-Disposition` with a file name made from typed text.

    RFC 6266: the name in ASCII; if the full name differs, also encoded by RFC 8187.
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


def paper_response(
    make: Callable[[], bytes],
    name: str,
    mimetype: str = "application/pdf",
    ending: str = "pdf",
    key: Hashable = None,
) -> Response:
    """A paper to show under this name; a page on how to print, if this machine cannot create
    papers.

    With a `key` it is made once, and cached. Raises Overloaded like `heavy_work`.
    """
    from scorepad.sheets.pdf import NoPdf

    papers = app_state().papers
    try:
        content = None if key is None else papers.get(key)
        if content is None:
            with heavy_work():
                # Another request may have made it meanwhile.
                content = make() if key is None else papers.get(key) or papers.put(key, make())
        return file_response(content, mimetype, name, ending, inline=True)
    except NoPdf:
        pass
    except OSError:  # no space for the library's temporary files
        current_app.logger.exception("no sheet")
    return trouble("no-pdf", 503)


def file_response(
    content: bytes, mimetype: str, name: str, ending: str, *, inline: bool = False
) -> Response:
    """A file to download, or with `inline` to show, under this name."""
    response = make_response(content)
    response.headers["Content-Type"] = mimetype
    name_file(response, name, ending, inline=inline)
    return response


def sent_file(file: ScratchFile, mimetype: str, name: str, ending: str) -> Response:
    """An open file to download under this name. The server closes it once it is sent, or the client
    has gone.
    """
    length = file.seek(0, SEEK_END)
    file.seek(0)
    # The server sends a file as fast as the client reads it; no thread waits for that.
    response = Response(
        wrap_file(request.environ, cast("IO[bytes]", file)),
        content_type=mimetype,
        direct_passthrough=True,
    )
    response.content_length = length
    name_file(response, name, ending)
    return response
