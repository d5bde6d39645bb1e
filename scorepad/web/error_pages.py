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
from scorepad.i18n import describe_system_error
from scorepad.matches.access import MatchId, MatchNotFound, NotAllowed, NotOwner
from scorepad.matches.keys import NoSuchKey
from scorepad.matches.transaction import DraftTooLong, LogFull, MatchOver, RequestRefused
from scorepad.storage.connection import Busy, NoRoom, NoRoomToSave, Stopping, StorageError
from scorepad.storage.scratch import ScratchFull, ScratchTooLarge
from scorepad.web.alone import is_alone
from scorepad.web.base import error_handlers, match_is_over, page_words, render_page, t
from scorepad.web.device_cookies import key_to_enter, set_renewed_cookie
from scorepad.web.headers import opens_page
from scorepad.web.refused_forms import RefusedForm, refused_form
from scorepad.web.request_limits import MANY_MATCHES

_STATUSES_WITH_TEXT = {400, 403, 404, 405, 413, 429, 500, 503}
_REPEATABLE_DESCRIPTIONS = {"origin", "not-admin", MANY_MATCHES}
"""Descriptions of HTTP errors that name their page, from which the form can be sent again."""
_PAGES_NAMED_BY_DESCRIPTION = {"host", *_REPEATABLE_DESCRIPTIONS}
"""Descriptions of HTTP errors that name their page in the catalogue."""
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
    """Render the error page of this name: `busy` → "Somebody else is writing".

    With a `form`, the page shows what was typed in it, and a button to send it again. `arguments`
    are those of the message that explains the error.
    """
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
    """Render the error page of this name, on which the submitted form can be sent again."""
    return error_page(name, status, refused_form(), **arguments)


def _answer_repeatable_error(name: str, status: int, _error: Exception) -> Response:
    """Answer an error with the error page of this name, on which the form can be sent again."""
    response = error_page_with_form(name, status)
    if name == "overloaded":
        response.headers["Retry-After"] = str(RETRY_AFTER)
    return response


def _answer_final_error(name: str, status: int, _error: Exception) -> Response:
    """Answer an error with the error page of this name, without the form.

    Sending the form again would not help.
    """
    return error_page(name, status)


for _kind, (_name, _status) in _REPEATABLE.items():
    error_handlers.app_errorhandler(_kind)(partial(_answer_repeatable_error, _name, _status))
for _kind, (_name, _status) in _NOT_REPEATABLE.items():
    error_handlers.app_errorhandler(_kind)(partial(_answer_final_error, _name, _status))


@error_handlers.app_errorhandler(HTTPException)
def http_error(error: HTTPException) -> Response | HTTPException:
    """Answer an HTTP error, which Flask or a view raised, with its error page.

    A redirect, or an error that brings a response of its own, is returned unchanged.
    """
    status = error.code or 500
    is_redirect = status < HTTPStatus.BAD_REQUEST
    if is_redirect or error.response is not None:
        return error

    page_name = _choose_page_of_http_error(error, status)
    if _may_be_sent_again(error):
        return error_page_with_form(page_name, status)
    response = error_page(page_name, status)
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        response.allow.update(error.valid_methods)  # HTTP requires the header `Allow`
    return response


def _choose_page_of_http_error(error: HTTPException, status: int) -> str:
    """Choose the error page for an HTTP error, by its name in the messages.

    - `abort(403, "origin")`, whose description is the name of a page → `origin`
    - `abort(404)` → `404`
    - a status that has no page of its own, such as 418 → `400`
    """
    if error.description in _PAGES_NAMED_BY_DESCRIPTION:
        return error.description
    if status in _STATUSES_WITH_TEXT:
        return str(status)
    return "400"


def _may_be_sent_again(error: HTTPException) -> bool:
    """Tell whether the form that led to an HTTP error may be sent again from its error page.

    True after too many requests, or if the page was opened under a wrong name. After most errors it
    may not, because the same form would fail again.
    """
    return error.description in _REPEATABLE_DESCRIPTIONS or isinstance(error, TooManyRequests)


@error_handlers.app_errorhandler(StorageError)
def storage_error(error: StorageError) -> Response:
    """Answer an error of the data file that has no page of its own."""
    if error.reason == "full":
        return _show_full_page(error)
    return _show_data_file_page(error, error.reason, error.detail or type(error).__name__)


def _show_full_page(error: StorageError) -> Response:
    """Log that there is no room to save, and return the page that says so.

    A pad that is alone has no room on the device with its browser, which says no more than that it
    cannot store anything.
    """
    current_app.logger.error("%s", error)
    if is_alone():
        return error_page_with_form("device-full", 507, detail=error.detail)
    return error_page_with_form("disk-full", 507)


@error_handlers.app_errorhandler(NewerError)
def newer_match(error: NewerError) -> Response:
    """Answer a request for a match that a later version of the program wrote."""
    return _show_data_file_page(error, "newer-match", str(error))


def _show_data_file_page(error: Exception, reason: str, detail: str) -> Response:
    """Log an error of the data file, and return its page: "The file of the matches cannot be used".

    `reason` is the end of a message key, `detail` the text shown if there is no such message.
    """
    current_app.logger.error("%s", error)
    text = describe_system_error(reason, detail, page_words())
    return error_page_with_form("storage", 503, detail=text)


@error_handlers.app_errorhandler(MatchOver)
def match_over(error: MatchOver) -> AnyResponse:
    """Redirect to the match, with the notice that it is over."""
    return match_is_over(error.id)


@error_handlers.app_errorhandler(MatchNotFound)
def no_match(error: MatchNotFound) -> AnyResponse:
    """Answer a request for a match that does not exist, or that the device may not see.

    It is the page "There is no such match". But a browser that still has a key of the match in its
    cookies is sent to the link by which that key lets it in.
    """
    key = _find_key_to_match_opened(MatchId(error.id))
    if not key:
        return error_page_with_form("no-match", 404)
    response = redirect(url_for("phones.enter", key=key), code=303)
    response.headers["Cache-Control"] = "no-store"  # the URL contains the key
    set_renewed_cookie(response, key)  # that link accepts only a cookie that nobody else can know
    return response


def _find_key_to_match_opened(match: MatchId) -> str:
    """Find a key in the cookies by which the device can enter the match whose page it opens.

    The result is empty if there is no such key, or if the request does not open a page of this
    match: only someone who opens a page is redirected.
    """
    match_of_url = (request.view_args or {}).get("match")
    if not opens_page() or match_of_url != match:
        return ""
    return key_to_enter(match)
