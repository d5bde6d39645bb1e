"""What is shown and sent of a match: how its totals went, the result as a picture, and as text.

Its modules are read when it is first entered; the picture's own only when one is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint

if TYPE_CHECKING:
    from werkzeug.wrappers import Response

blueprint = Blueprint("share", __name__, url_prefix="/partite/<match>")


@blueprint.get("/andamento")
def chart(match: str) -> Response:
    """How the totals went, as a chart and its table."""
    from scorepad.web.share import views

    return views.chart(match)


@blueprint.get("/condividi")
def page(match: str) -> Response:
    """The result to send: the picture, and the text."""
    from scorepad.web.share import views

    return views.page(match)


@blueprint.get("/risultato.png")
def picture(match: str) -> Response:
    """The result as a picture."""
    from scorepad.web.share import views

    return views.picture(match)
