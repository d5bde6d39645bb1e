"""The responses to errors: always `{"error": "…", "code": "…"}`."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import NamedTuple

from flask import Response, current_app
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from scorepad.api.operations import blueprint
from scorepad.api.responses import error_response, speech
from scorepad.errors import NewerError, ScorepadError
from scorepad.heavy import RETRY_AFTER, Overloaded
from scorepad.matches.access import MatchNotFound, NotAllowed
from scorepad.matches.keys import NoSuchKey
from scorepad.matches.transaction import DraftTooLong, LogFull, MatchOver, RequestRefused
from scorepad.schemas import Unusable
from scorepad.storage.connection import Busy, NoRoom, NoRoomToSave, Stopping, StorageError
from scorepad.storage.scratch import ScratchFull, ScratchTooLarge

_CODES = {
    400: "bad-request",
    401: "no-key",
    403: "not-allowed",
    404: "not-found",
    405: "method",
    409: "stale",
    413: "too-large",
    415: "not-json",
    429: "too-many",
    503: "busy",
}
"""The code of each status; its message key is `api.error.CODE`."""

_OWN_CODES = ("host", "origin", "many-matches")
"""Refusals with their own code."""


class _Refusal(NamedTuple):
    """How an exception is answered: the status, and the code if it differs from the status's."""

    status: int
    code: str = ""
    is_logged: bool = False
    """Whether it is written to the log too, for whoever runs the server."""


_REFUSALS: Mapping[type[ScorepadError], _Refusal] = {
    NoSuchKey: _Refusal(401),
    MatchNotFound: _Refusal(404, "no-match"),
    NotAllowed: _Refusal(403),
    MatchOver: _Refusal(409, "over"),
    LogFull: _Refusal(409, "log-full"),
    DraftTooLong: _Refusal(413),
    RequestRefused: _Refusal(409),
    Busy: _Refusal(503),
    Stopping: _Refusal(503),
    NoRoomToSave: _Refusal(507, "no-room-to-save"),
    NoRoom: _Refusal(507, "no-room"),
    Overloaded: _Refusal(503, "overloaded"),
    ScratchFull: _Refusal(503, "overloaded"),
    ScratchTooLarge: _Refusal(413, "large-export"),
    StorageError: _Refusal(503, "storage", is_logged=True),
    NewerError: _Refusal(503, "storage", is_logged=True),
}
"""The answer to each exception; a class stands before those that it is derived from."""


def is_api_path(path: str) -> bool:
    return path.startswith("/api/")


def code_of_status(status: int) -> str:
    """Return the `code` in the body of an error response with this status.

    404 → `not-found`, 500 → `broken`, any other status without a code of its own → `bad-request`.
    """
    if status in _CODES:
        return _CODES[status]
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return "broken"
    return "bad-request"


def build_status_error(status: int, code: str = "") -> Response:
    """Build the response to an error: `{"error": a sentence, "code": code}` with this status.

    Without a code, it has the usual one of its status: 404 → `not-found`.
    """
    code = code or code_of_status(status)
    response = error_response(speech().t(f"api.error.{code}"), code, status)
    if status == HTTPStatus.UNAUTHORIZED:
        response.headers["WWW-Authenticate"] = "Bearer"
    if code == "overloaded":
        response.headers["Retry-After"] = str(RETRY_AFTER)
    return response


@blueprint.errorhandler(HTTPException)
def handle_http_error(error: HTTPException) -> Response | HTTPException:
    """Build the JSON response to an HTTP error that Flask or a view of the API raised.

    Redirects and errors that have a response already are returned as they are.
    """
    status = error.code or 500
    is_error = status >= HTTPStatus.BAD_REQUEST
    if error.response is not None or not is_error:
        return error

    # Our own code may abort a request with a code in place of a description: `abort(400, "host")`.
    own_code = error.description if error.description in _OWN_CODES else ""
    response = build_status_error(status, own_code)
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        response.allow.update(error.valid_methods)  # the header `Allow: GET, PUT`
    return response


@blueprint.errorhandler(ScorepadError)
def handle_scorepad_error(error: ScorepadError) -> Response:
    """Build the response to an error of the request, of the match or of the data file.

    A wrong key (NoSuchKey) → status 401, code `no-key`.
    """
    if isinstance(error, Unusable):  # its own sentence says which key in the JSON is wrong
        return error_response(error.message(speech()), "unusable", 400)
    refusal = _find_refusal(error)
    if refusal is None:
        raise error  # a fault of this program: the response has status 500
    if refusal.is_logged:
        current_app.logger.error("%s", error)
    return build_status_error(refusal.status, refusal.code)


def _find_refusal(error: ScorepadError) -> _Refusal | None:
    """Find the status and the code with which an error is answered; None if it is not expected."""
    if isinstance(error, StorageError) and error.reason == "full":
        return _Refusal(507, "disk-full")
    for error_class, refusal in _REFUSALS.items():  # classes stand before those they derive from
        if isinstance(error, error_class):
            return refusal
    return None
