"""The count: the page on which a hand is counted, and a past one counted again, or by the other side.

It is the largest room, and nobody counts before having seen another page: its modules are read when it is first
entered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint

from scorepad.web.forms import checks_itself

if TYPE_CHECKING:
    from werkzeug.wrappers import Response

blueprint = Blueprint("count", __name__)
BOTH = ["GET", "POST"]


@blueprint.route("/partite/<match>/smazzata", methods=BOTH)
@checks_itself
def page(match: str) -> Response:
    """The hand being counted: shown as it was left, and what is sent of it taken."""
    from scorepad.web.count import views

    return views.page(match)


@blueprint.post("/partite/<match>/smazzata/controllo")
@checks_itself
def check(match: str) -> Response:
    """What the rules say of the hand while it is typed; it is kept on the way."""
    from scorepad.web.count import views

    return views.check(match)


@blueprint.route("/partite/<match>/smazzate/<int:number>/correggi", methods=BOTH)
@checks_itself
def correct(match: str, number: int) -> Response:
    """A past hand counted again."""
    from scorepad.web.count import views

    return views.correct(match, number)


@blueprint.route("/partite/<match>/smazzate/<int:number>/contesta", methods=BOTH)
@checks_itself
def contest(match: str, number: int) -> Response:
    """A past hand counted by the other side, beside the first count."""
    from scorepad.web.count import views

    return views.contest(match, number)
