"""The games: each in a line, and each with what sets it apart, its options and its figures.

Its modules are read when it is first entered, like those of a match.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint

if TYPE_CHECKING:
    from werkzeug.wrappers import Response

blueprint = Blueprint("games", __name__, url_prefix="/giochi")


@blueprint.get("")
def listing() -> Response:
    """All games."""
    from scorepad.web.games import views

    return views.show_all()


@blueprint.get("/<game>")
def page(game: str) -> Response:
    """A game."""
    from scorepad.web.games import views

    return views.show(game)
