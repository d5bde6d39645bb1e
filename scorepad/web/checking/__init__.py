"""One side counts and the other checks: a hand confirmed, or one of two countings chosen; and the switch for it.

Its modules are read when it is first entered: most tables never meet it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint

from scorepad.web.forms import checks_itself

if TYPE_CHECKING:
    from werkzeug.wrappers import Response

blueprint = Blueprint("checking", __name__, url_prefix="/partite/<match>")
BOTH = ["GET", "POST"]


@blueprint.route("/smazzate/<int:number>/controlla", methods=BOTH)
@checks_itself
def hand(match: str, number: int) -> Response:
    """A hand to be confirmed, or two countings of which one is to be chosen."""
    from scorepad.web.checking import views

    return views.hand(match, number)


@blueprint.route("/controllo", methods=BOTH)
@checks_itself
def switch(match: str) -> Response:
    """Whether one side counts and the other checks."""
    from scorepad.web.checking import views

    return views.switch(match)
