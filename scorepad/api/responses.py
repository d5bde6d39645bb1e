"""The body of a request, and responses in the requested language."""

from __future__ import annotations

from flask import Response, abort, request
from pydantic_core import to_json

from scorepad.i18n import LANGUAGES, Language, Words, words


def read_json_body() -> bytes:
    """Return the bytes of the request's body, which is JSON.

    Aborts with status 415 if the request says that it is something else; Flask aborts with 413 if
    it is too large.
    """
    if request.mimetype != "application/json":
        abort(415)
    return request.get_data()


def speech() -> Words:
    """Return the messages in the language that the request asks for; by default in Italian."""
    known = [language.value for language in LANGUAGES]
    requested = request.accept_languages.best_match(known)
    return words(requested or Language.ITALIAN)


def json_response(answer: object, status: int = 200) -> Response:
    """Build a JSON response, whose sentences are in the language that the request asks for."""
    return set_language_headers(Response(to_json(answer), status, content_type="application/json"))


def set_language_headers(response: Response) -> Response:
    """Set the headers of a response that say in which language it is, and return it."""
    response.headers["Content-Language"] = speech().language.value
    response.vary.add("Accept-Language")
    return response


def error_response(sentence: str, code: str, status: int) -> Response:
    """Build an error response: a sentence in the language of the request, and its code."""
    return json_response({"error": sentence, "code": code}, status)
