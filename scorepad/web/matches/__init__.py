"""A match: started, shown, undone, renamed.

Its modules are read when it is first entered: who starts the pad sees the home page, and need not wait for the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint

from scorepad.web.forms import checks_itself

if TYPE_CHECKING:
    from werkzeug.wrappers import Response

blueprint = Blueprint("matches", __name__, url_prefix="/partite")
BOTH = ["GET", "POST"]


@blueprint.route("/nuova", methods=BOTH)
@checks_itself
def new() -> Response:
    """Start a match."""
    from scorepad.web.matches import starting

    return starting.answer_new()


@blueprint.get("/<match>")
def page(match: str) -> Response:
    """A match as it stands."""
    from scorepad.web.matches import views

    return views.show(match)


@blueprint.route("/<match>/annulla", methods=BOTH)
@checks_itself
def undo(match: str) -> Response:
    """Undo the last thing done; where somebody did something since, show what stands. Asked, why it is undone."""
    from scorepad.web.matches import views

    return views.undo(match)


@blueprint.route("/<match>/nomi", methods=BOTH)
@checks_itself
def names(match: str) -> Response:
    """Other names for the sides, the players and the place."""
    from scorepad.web.matches import views

    return views.names(match)
