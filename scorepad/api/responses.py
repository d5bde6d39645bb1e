"""The body of a request, and responses in the requested language."""

from __future__ import annotations

from flask import Response, abort, request
from pydantic_core import to_json

from scorepad.i18n import LANGUAGES, Language, Words, words


def json_body() -> bytes:
    """The bytes of the request's body; 415 if it is not JSON, 413 if it is too large."""
    if request.mimetype != "application/json":
        abort(415)
    return request.get_data()


def speech() -> Words:
    """The messages in the language that the request asks for; by default Italian."""
    known = [language.value for language in LANGUAGES]
    requested = request.accept_languages.best_match(known)
    return words(requested or Language.ITALIAN)


def json_response(answer: object, status: int = 200) -> Response:
    """A JSON response in the requested language."""
    return in_language(Response(to_json(answer), status, content_type="application/json"))


def in_language(response: Response) -> Response:
    """Set the language headers of the response."""
    response.headers["Content-Language"] = speech().language.value
    response.vary.add("Accept-Language")
    return response


def error_response(sentence: str, code: str, status: int) -> Response:
    """An error response in the common form: a sentence in the requested language and a code."""
    return json_response({"error": sentence, "code": code}, status)
