"""A match followed: how far it has come, for pages that stay open, and its totals large for the middle of the table.

Its modules are read when it is first entered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint

if TYPE_CHECKING:
    from werkzeug.wrappers import Response

blueprint = Blueprint("live", __name__, url_prefix="/partite/<match>")


@blueprint.get("/stato")
def state(match: str) -> Response:
    """How far a match has come; to whoever knows that already, only that nothing is new."""
    from scorepad.web.live import views

    return views.state(match)


@blueprint.get("/tabellone")
def board(match: str) -> Response:
    """The match in large figures."""
    from scorepad.web.live import views

    return views.board(match)
