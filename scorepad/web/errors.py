"""Error pages, and how a refused form can be sent again from one."""

from __future__ import annotations

import re
from dataclasses import dataclass

from flask import Flask, Response, current_app, request
from flask_wtf.csrf import CSRFError, validate_csrf
from werkzeug.exceptions import HTTPException, MethodNotAllowed, TooManyRequests
from wtforms import ValidationError

from scorepad.errors import NewerError
from scorepad.i18n import system_error_text
from scorepad.matches.access import MatchNotFound, NoSuchKey, NotAllowed, NotOwner, RequestRefused
from scorepad.matches.service import RETRY_AFTER, Overloaded
from scorepad.storage.connection import Busy, NoRoom, StorageError
from scorepad.web.base import page_words, render_page, t
from scorepad.web.limits import MANY_MATCHES

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


def register(app: Flask) -> None:
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
    if error.description == "origin":
        return refused("origin", status)
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
