"""The operations of the API: each view with its route and what the OpenAPI document says of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeVar

from flask import Blueprint, Response

PREFIX = "/api/v1"
blueprint = Blueprint("api", __name__, url_prefix=PREFIX)

_View = TypeVar("_View", bound=Callable[..., Response])


class Operation(NamedTuple):
    """A route of the API, and what the OpenAPI document says of it.

    `answers` are the names of the response types by status, `body` is that of the request's type,
    empty for none. `error_statuses` are further statuses of errors.
    """

    id: str
    method: str
    path: str
    answers: Mapping[int, str]
    body: str
    error_statuses: tuple[int, ...]

    @property
    def keyed(self) -> bool:
        """Whether it needs a key: every operation on matches except starting one."""
        return self.path.startswith("/matches") and self.id != "begin"

    @property
    def path_parameters(self) -> list[str]:
        return re.findall(r"{(\w+)}", self.path)

    @property
    def statuses(self) -> list[int]:
        """Every status of its responses, in order."""
        statuses = {*self.answers, 503, *self.error_statuses}
        if self.body:
            statuses.update((400, 413, 415))
        if self.path_parameters:
            statuses.add(404)
        if self.keyed:
            statuses.add(401)
        if self.keyed and self.body:
            statuses.update((403, 409, 507))
        # Wrong keys, matches begun and exports are limited; scoring and rulings are not.
        if self.path.startswith("/matches"):
            statuses.add(429)
        return sorted(statuses)


OPERATIONS: list[Operation] = []
"""Every route, in the order of the document."""


def operation(
    method: str,
    path: str,
    answers: Mapping[int, str],
    body: str = "",
    error_statuses: tuple[int, ...] = (),
) -> Callable[[_View], _View]:
    """A decorator that registers a view as an operation, under the name of the function.

    `path` is as Flask writes it, `/variants/<variant>`; the document has `/variants/{variant}`.
    """

    def register(view: _View) -> _View:
        name = view.__name__
        blueprint.add_url_rule(path, name, view, methods=[method.upper()])
        path_of_document = re.sub(r"<(?:int:)?(\w+)>", r"{\1}", path)
        OPERATIONS.append(Operation(name, method, path_of_document, answers, body, error_statuses))
        return view

    return register
