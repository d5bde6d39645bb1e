"""Errors over HTTP: always `{"error": "…", "code": "…"}`, a sentence in the language asked for and a code."""

from __future__ import annotations

from http import HTTPStatus

from flask import Blueprint, Response, current_app, request
from pydantic_core import to_json
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from scorepad.errors import NewerError
from scorepad.i18n import LANGUAGES, Language, Words, words
from scorepad.matches.access import MatchNotFound, MatchOver, NoSuchKey, NotAllowed, RequestRefused
from scorepad.matches.service import RETRY_AFTER, Overloaded
from scorepad.schemas import Unusable
from scorepad.storage.connection import Busy, NoRoom, StorageError

_CODES = {
    400: "bad-request", 401: "no-key", 403: "not-allowed", 404: "not-found", 405: "method", 409: "stale",
    413: "too-large", 415: "not-json", 429: "too-many", 503: "busy",
}  # fmt: skip
"""The code of each status; its sentence is `api.error.CODE`."""

_OWN_CODES = ("host", "origin", "many-matches")
"""Refusals with a code of their own."""


def speech() -> Words:
    """The words of the language that the request asks for; Italian if it asks for neither."""
    found = request.accept_languages.best_match([language.value for language in LANGUAGES])
    return words(found or Language.ITALIAN)


def is_api_path(path: str) -> bool:
    """Whether a path belongs to the API."""
    return path.startswith("/api/")


def register(blueprint: Blueprint) -> None:
    """Answer every error in JSON."""
    blueprint.register_error_handler(HTTPException, http)
    blueprint.register_error_handler(Unusable, lambda error: error_answer(error.message(speech()), "unusable", 400))
    blueprint.register_error_handler(NoSuchKey, lambda _: no_key())
    blueprint.register_error_handler(MatchNotFound, lambda _: trouble(404, "no-match"))
    blueprint.register_error_handler(NotAllowed, lambda _: trouble(403))
    blueprint.register_error_handler(MatchOver, lambda _: trouble(409, "over"))
    blueprint.register_error_handler(RequestRefused, lambda _: trouble(409))
    blueprint.register_error_handler(Busy, lambda _: trouble(503))
    blueprint.register_error_handler(NoRoom, lambda _: trouble(507, "no-room"))
    blueprint.register_error_handler(Overloaded, _overloaded)
    blueprint.register_error_handler(StorageError, _storage)
    blueprint.register_error_handler(NewerError, _storage)


def error_answer(sentence: str, code: str, status: int) -> Response:
    """An error in the form of all of them."""
    octets = to_json({"error": sentence, "code": code})
    return in_language(Response(octets, status, content_type="application/json"))


def trouble(status: int, code: str = "") -> Response:
    """An error by its status, or by its own code."""
    word = code or code_of(status)
    return error_answer(speech().text(f"api.error.{word}"), word, status)


def code_of(status: int) -> str:
    """The code of a status."""
    return _CODES.get(status) or ("broken" if status >= HTTPStatus.INTERNAL_SERVER_ERROR else "bad-request")


def no_key() -> Response:
    """The request brought no key, or one that opens nothing."""
    answer = trouble(401)
    answer.headers["WWW-Authenticate"] = "Bearer"
    return answer


def in_language(answer: Response) -> Response:
    """Mark the answer with the language of its sentences."""
    answer.headers["Content-Language"] = speech().language.value
    answer.vary.add("Accept-Language")
    return answer


def http(error: HTTPException) -> Response | HTTPException:
    """What Flask or a view refuses; redirects stay."""
    status = error.code or 500
    if error.response is not None or status < HTTPStatus.BAD_REQUEST:
        return error
    answer = trouble(status, error.description if error.description in _OWN_CODES else "")
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        answer.allow.update(error.valid_methods)
    return answer


def _overloaded(_: Overloaded) -> Response:
    answer = trouble(503, "overloaded")
    answer.headers["Retry-After"] = str(RETRY_AFTER)
    return answer


def _storage(error: StorageError | NewerError) -> Response:
    current_app.logger.error("%s", error)
    return trouble(503, "storage")
