"""Looking back: everything that was done in a match, and the players of all matches.

Its modules are read when it is first entered, as those of a match.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint

if TYPE_CHECKING:
    from werkzeug.wrappers import Response

blueprint = Blueprint("history", __name__)


@blueprint.get("/partite/<match>/registro")
def audit(match: str) -> Response:
    """Everything that was done in a match."""
    from scorepad.web.history import views

    return views.audit(match)


@blueprint.get("/giocatori")
def players() -> Response:
    """The names found in the matches of this device."""
    from scorepad.web.history import views

    return views.players()


@blueprint.get("/giocatori/<name>")
def player(name: str) -> Response:
    """What a player has played."""
    from scorepad.web.history import views

    return views.player(name)
