"""The operations of the API: each view with its route and what the OpenAPI document says of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import NamedTuple, TypeVar

from flask import Blueprint, Response

PREFIX = "/api/v1"
blueprint = Blueprint("api", __name__, url_prefix=PREFIX)

_View = TypeVar("_View", bound=Callable[..., Response])


class Operation(NamedTuple):
    """A route of the API, and what the OpenAPI document says of it."""

    id: str
    """The name of its view."""
    method: str
    path: str
    """As the document writes it: `/variants/{variant}`."""
    answers: Mapping[int, str]
    """The types of its answers in the document, by status: `{200: "ScoreAnswer"}`."""
    body: str
    """The type of the request's body in the document; empty for none."""
    error_statuses: tuple[int, ...]
    """Statuses of errors that do not follow from the route, as all others do."""

    @property
    def is_about_matches(self) -> bool:
        return self.path.startswith("/matches")

    @property
    def needs_key(self) -> bool:
        """Tell whether a request needs a key: all about matches do, except to start one."""
        return self.is_about_matches and self.id != "begin"

    @property
    def path_parameters(self) -> list[str]:
        """List the names of the parameters in the path: `/variants/{variant}` → `["variant"]`."""
        return re.findall(r"{(\w+)}", self.path)

    @property
    def statuses(self) -> list[int]:
        """List every status that a response may have, in ascending order, for the OpenAPI document.

        Most statuses of errors follow from what the route is like. `POST /score`, which has a body
        → `[200, 400, 413, 415, 503]`.
        """
        statuses = {*self.answers, *self.error_statuses}
        statuses.add(HTTPStatus.SERVICE_UNAVAILABLE)  # the data file may be locked at any time
        if self.path_parameters:  # there may be no match or variant of that name
            statuses.add(HTTPStatus.NOT_FOUND)
        if self.is_about_matches:  # wrong keys, matches begun and exports are limited in number
            statuses.add(HTTPStatus.TOO_MANY_REQUESTS)
        if self.needs_key:  # the key may be missing or wrong
            statuses.add(HTTPStatus.UNAUTHORIZED)
        if self.body:
            statuses.update(_BODY_ERRORS)
        if self.needs_key and self.body:  # the request changes a match
            statuses.update(_WRITE_ERRORS)
        return sorted(int(status) for status in statuses)


_BODY_ERRORS = (
    HTTPStatus.BAD_REQUEST,  # the JSON cannot be used
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE,  # not sent as JSON
)
"""The statuses for what may be wrong with the body of a request."""

_WRITE_ERRORS = (
    HTTPStatus.FORBIDDEN,  # the key is one to view
    HTTPStatus.CONFLICT,  # the match has changed since the program read it
    HTTPStatus.INSUFFICIENT_STORAGE,
)
"""The statuses of a request to change a match that is not carried out."""


OPERATIONS: list[Operation] = []
"""Every route, in the order of the document."""


def operation(
    method: str,
    path: str,
    answers: Mapping[int, str],
    body: str = "",
    error_statuses: tuple[int, ...] = (),
) -> Callable[[_View], _View]:
    """Make the decorator that adds a view to the API: its route, and its part of the document.

    `@operation("get", "/variants/<variant>", {200: "VariantAnswer"})` adds a route to Flask. In the
    OpenAPI document, the answer with status 200 has the type `VariantAnswer`, and `body` is the type
    of the request's body. `error_statuses` are those that do not follow from the route, as
    `Operation.statuses` finds all others.
    """
    route = Operation(
        id="",  # the name of the view, which is not known yet
        method=method,
        path=_path_in_document(path),
        answers=answers,
        body=body,
        error_statuses=error_statuses,
    )

    def add_operation(view: _View) -> _View:
        """Add the view to Flask and to the OpenAPI document; return it unchanged."""
        name = view.__name__
        blueprint.add_url_rule(path, name, view, methods=[method.upper()])
        OPERATIONS.append(route._replace(id=name))
        return view

    return add_operation


def _path_in_document(flask_path: str) -> str:
    """Write a path of Flask as OpenAPI does: `/hands/<int:number>` → `/hands/{number}`."""
    return re.sub(r"<(?:int:)?(\w+)>", r"{\1}", flask_path)
