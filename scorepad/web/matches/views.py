"""The page of a match."""

from __future__ import annotations

from flask import Blueprint
from werkzeug.wrappers import Response

from scorepad.web.base import load_match
from scorepad.web.matches.page import show_match

blueprint = Blueprint("matches", __name__, url_prefix="/partite")


@blueprint.get("/<match>")
def page(match: str) -> Response:
    """A match as it stands."""
    return show_match(load_match(match))
