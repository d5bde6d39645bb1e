"""What else happens to a match: penalties, notes, an end agreed, players replaced, other rules, a rematch, no match.

Its modules are read when it is first entered, as those of a match.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, request

from scorepad.matches.errors import MatchNotFound
from scorepad.web.forms import checks_itself

if TYPE_CHECKING:
    from werkzeug.wrappers import Response

blueprint = Blueprint("course", __name__, url_prefix="/partite/<match>")
BOTH = ["GET", "POST"]


@blueprint.route("/penalita", methods=BOTH)
@checks_itself
def penalty(match: str) -> Response:
    """Note a penalty while the hand is being played."""
    from scorepad.web.course import noting

    return noting.answer(match)


@blueprint.route("/smazzate/<int:number>/annotazione", methods=BOTH)
@checks_itself
def remark(match: str, number: int) -> Response:
    """A note on a counted hand."""
    from scorepad.web.course import remarking

    return remarking.answer(match, number)


@blueprint.route("/fine", methods=BOTH)
@checks_itself
def end(match: str) -> Response:
    """End the match otherwise than by its rules."""
    from scorepad.web.course import ending

    return ending.answer(match)


@blueprint.route("/giocatore", methods=BOTH)
@checks_itself
def replace(match: str) -> Response:
    """Somebody takes a player's place."""
    from scorepad.web.course import replacing

    return replacing.answer(match)


@blueprint.route("/regole", methods=BOTH)
@checks_itself
def rules(match: str) -> Response:
    """The rules and the target: to be changed before the first hand, to be read after it."""
    from scorepad.web.course import ruling

    return ruling.answer(match)


@blueprint.route("/cancella", methods=BOTH)
@checks_itself
def delete(match: str) -> Response:
    """Delete the match for good."""
    from scorepad.web.course import deleting

    return deleting.answer(match)


@blueprint.post("/rivincita")
@checks_itself
def rematch(match: str) -> Response:
    """The same again, with the next dealer."""
    from scorepad.web.course import rematching

    return rematching.answer(match)


@blueprint.errorhandler(MatchNotFound)
def no_match(_: MatchNotFound) -> Response:
    """No such match; to a button that deletes one and was pressed twice, that it is gone."""
    if request.method == "POST" and request.endpoint == "course.delete":
        from scorepad.web.course import deleting

        return deleting.answer_gone((request.view_args or {})["match"])
    from scorepad.web.errors import refused

    return refused("no-match", 404)
