"""The error pages; on them a refused form can be sent again."""

from __future__ import annotations

from functools import partial
from http import HTTPStatus

from flask import Response, current_app, redirect, request, url_for
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException, MethodNotAllowed, TooManyRequests
from werkzeug.wrappers import Response as AnyResponse

from scorepad.errors import NewerError
from scorepad.heavy import RETRY_AFTER, Overloaded
from scorepad.i18n import system_error_text
from scorepad.matches.access import MatchNotFound, NotAllowed, NotOwner
from scorepad.matches.keys import NoSuchKey
from scorepad.matches.transaction import DraftTooLong, LogFull, MatchOver, RequestRefused
from scorepad.storage.connection import Busy, NoRoom, NoRoomToSave, Stopping, StorageError
from scorepad.storage.scratch import ScratchFull, ScratchTooLarge
from scorepad.web import device_cookies
from scorepad.web.base import error_handlers, match_is_over, page_words, render_page, t
from scorepad.web.headers import LOOKS_AGAIN
from scorepad.web.refused_forms import RefusedForm, refused_form
from scorepad.web.request_limits import MANY_MATCHES

_STATUSES_WITH_TEXT = {400, 403, 404, 405, 413, 429, 500, 503}
_NOT_REPEATABLE: dict[type[Exception], tuple[str, int]] = {
    CSRFError: ("expired", 400),
    NoSuchKey: ("no-key", 404),
    RequestRefused: ("sent-before", 400),
}
"""Errors after which the form cannot be sent again: the page in the catalogue, and the status."""
_REPEATABLE: dict[type[Exception], tuple[str, int]] = {
    NotAllowed: ("not-allowed", 403),
    NotOwner: ("not-owner", 403),
    Busy: ("busy", 503),
    Stopping: ("503", 503),
    NoRoom: ("no-room", 507),
    NoRoomToSave: ("no-room-to-save", 507),
    LogFull: ("log-full", 422),
    DraftTooLong: ("413", 413),
    Overloaded: ("overloaded", 503),
    ScratchFull: ("overloaded", 503),
    ScratchTooLarge: ("large-export", 413),
}
"""Other errors, in the same form."""


def error_page(
    name: str, status: int, form: RefusedForm | None = None, **arguments: str
) -> Response:
    """The error page of this name in the catalogue; `form`: the one that can be sent again."""
    typed = form.typed if form else []
    return render_page(
        "error_page.html",
        title=t(f"web.error-page.{name}"),
        status=status,
        has_form=bool(typed),
        explanation=t(f"web.error-page.{name}.text", **arguments),
        typed=typed,
        fields=form.fields if form else [],
    )


def error_page_with_form(name: str, status: int, **arguments: str) -> Response:
    """Like `error_page`; if the submitted form has typed input, it can be sent again."""
    return error_page(name, status, refused_form(), **arguments)


def _repeatable_error(name: str, status: int, _error: Exception) -> Response:
    response = error_page_with_form(name, status)
    if name == "overloaded":
        response.headers["Retry-After"] = str(RETRY_AFTER)
    return response


def _final_error(name: str, status: int, _error: Exception) -> Response:
    return error_page(name, status)


for _kind, (_name, _status) in _REPEATABLE.items():
    error_handlers.app_errorhandler(_kind)(partial(_repeatable_error, _name, _status))
for _kind, (_name, _status) in _NOT_REPEATABLE.items():
    error_handlers.app_errorhandler(_kind)(partial(_final_error, _name, _status))


@error_handlers.app_errorhandler(HTTPException)
def http_error(error: HTTPException) -> Response | HTTPException:
    """The page of an HTTP error from Flask or a view; redirects are returned unchanged."""
    status = error.code or 500
    if error.response is not None or status < HTTPStatus.BAD_REQUEST:
        return error
    if error.description == "host":
        return error_page("host", status)
    if error.description in ("origin", "not-admin"):
        return error_page_with_form(error.description, status)
    if isinstance(error, TooManyRequests):
        name = MANY_MATCHES if error.description == MANY_MATCHES else str(status)
        return error_page_with_form(name, status)

    name = str(status) if status in _STATUSES_WITH_TEXT else "400"
    response = error_page(name, status)
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        response.allow.update(error.valid_methods)
    return response


@error_handlers.app_errorhandler(StorageError)
def storage_error(error: StorageError) -> Response:
    """The page of an error of the data file that has none of its own."""
    return _data_file_page(error, error.reason, error.detail or type(error).__name__)


@error_handlers.app_errorhandler(NewerError)
def newer_match(error: NewerError) -> Response:
    """The page of a match that a later scorepad wrote."""
    return _data_file_page(error, "newer-match", str(error))


def _data_file_page(error: Exception, reason: str, detail: str) -> Response:
    current_app.logger.error("%s", error)
    return error_page_with_form(
        "storage", 503, detail=system_error_text(reason, detail, page_words())
    )


@error_handlers.app_errorhandler(MatchOver)
def match_over(error: MatchOver) -> AnyResponse:
    """Redirect to the match, with the notice that it is over."""
    return match_is_over(error.id)


@error_handlers.app_errorhandler(MatchNotFound)
def no_match(error: MatchNotFound) -> AnyResponse:
    """404; but a device that never was in the match, and carries a key of it, enters by that key as
    by its link.
    """
    is_page = request.method == "GET" and LOOKS_AGAIN not in request.headers
    is_of_url = (request.view_args or {}).get("match") == error.id
    key = device_cookies.key_to_enter(error.id) if is_page and is_of_url else ""
    if not key:
        return error_page_with_form("no-match", 404)
    response = redirect(url_for("phones.enter", key=key), code=303)
    response.headers["Cache-Control"] = "no-store"
    device_cookies.renew_device(response, key)  # the cookie that it has may have been planted
    return response
