"""Matches in a file: saved from a page and taken back on one, without a terminal; and as rows for a spreadsheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, abort, request

from scorepad.web.device import is_from_here
from scorepad.web.forms import checks_itself

if TYPE_CHECKING:
    from werkzeug.wrappers import Response

blueprint = Blueprint("files", __name__)


@blueprint.before_request
def refuse_other_sites() -> None:
    """Make no file because a page of another site asks for it."""
    if request.path.endswith((".json", ".csv")) and not is_from_here():
        abort(403, "origin")


@blueprint.get("/partite/<match>/file")
def save(match: str) -> Response:
    """What can be saved of a match."""
    from scorepad.web.files import views

    return views.save(match)


@blueprint.get("/partite/<match>/file/partita.json")
def whole(match: str) -> Response:
    """A match whole, to be taken back."""
    from scorepad.web.files import views

    return views.whole(match)


@blueprint.get("/partite/<match>/file/righe.csv")
def rows(match: str) -> Response:
    """The hands of a match as rows for a spreadsheet."""
    from scorepad.web.files import views

    return views.rows(match)


@blueprint.route("/file", methods=["GET", "POST"])
@checks_itself
def take() -> Response:
    """Take matches back from a file; save all of them."""
    from scorepad.web.files import taking

    return taking.answer()


@blueprint.get("/file/partite.json")
def every() -> Response:
    """All matches of the device whole, to be taken back."""
    from scorepad.web.files import views

    return views.every()


@blueprint.get("/file/righe.csv")
def every_row() -> Response:
    """The hands of all matches of the device as rows for a spreadsheet."""
    from scorepad.web.files import views

    return views.every_row()
