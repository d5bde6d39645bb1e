"""What a browser is told when a page cannot be shown: always in words, never a traceback."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from flask import Flask, Response, current_app
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException, MethodNotAllowed, TooManyRequests

from scorepad.errors import NewerError
from scorepad.i18n import system_error_text
from scorepad.matches.errors import MatchNotFound, NoSuchKey, NotAllowed, NotOwner, RequestRefused
from scorepad.matches.heavy import RETRY_AFTER, Overloaded
from scorepad.storage.errors import Busy, NoRoom, StorageError
from scorepad.web.again import Refused, refused_form
from scorepad.web.frame import Page, page_words, render
from scorepad.web.limits import MANY_MATCHES

_TOLD = {400, 403, 404, 405, 413, 429, 500, 503}
FIRST_TROUBLE = 400
"""The statuses below are no troubles: a redirect of the router's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TroublePage(Page):
    """Why a page cannot be shown, and what to do."""

    template: ClassVar[str] = "trouble.html"
    told: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedPage(TroublePage):
    """Why nothing was saved, with what had been typed: it can be sent again from here."""

    template: ClassVar[str] = "refused.html"
    has_form: ClassVar[bool] = True
    form: Refused


def register(app: Flask) -> None:
    """Answer every trouble with a page."""
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
    """The page of a trouble, by its name in the catalogue and the figures of its words."""
    speech = page_words()
    title, told = speech.text(f"web.trouble.{name}"), speech.text(f"web.trouble.{name}.told", **figures)
    return render(TroublePage(title=title, told=told), status)


def refused(name: str, status: int, **figures: str) -> Response:
    """The same for what keeps a form from being taken now: what was typed in it stays."""
    form = refused_form()
    if form is None:
        return trouble(name, status, **figures)
    speech = page_words()
    title, told = speech.text(f"web.trouble.{name}"), speech.text(f"web.trouble.{name}.told", **figures)
    return render(RefusedPage(title=title, told=told, form=form), status)


def _http(error: HTTPException) -> Response | HTTPException:
    status = error.code or 500
    if error.response is not None or status < FIRST_TROUBLE:
        return error
    if error.description == "host":
        return trouble("host", status)
    if error.description == "origin":
        return refused("origin", status)
    if isinstance(error, TooManyRequests):
        return refused(error.description if error.description == MANY_MATCHES else str(status), status)
    answer = trouble(str(status if status in _TOLD else 400), status)
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        answer.allow.update(error.valid_methods)
    return answer


def _overloaded(_: Overloaded) -> Response:
    answer = refused("overloaded", 503)
    answer.headers["Retry-After"] = str(RETRY_AFTER)
    return answer


def _storage(error: StorageError) -> Response:
    current_app.logger.error("%s", error)
    detail = system_error_text(error.reason, error.detail or type(error).__name__, page_words())
    return refused("storage", 503, detail=detail)


def _newer(error: NewerError) -> Response:
    current_app.logger.error("%s", error)
    return refused("storage", 503, detail=system_error_text("newer-match", str(error), page_words()))
