"""The referee: questions as people ask them, each in a few steps, answered by the rules; alone, or in a match.

Everything asked stands in the address, so that a question can be sent to somebody, and comes back as it was after a
reload or a step back. Its modules are read when it is first entered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint

from scorepad.web.forms import checks_itself

if TYPE_CHECKING:
    from werkzeug.wrappers import Response

blueprint = Blueprint("referee", __name__)


@blueprint.get("/arbitro")
def start() -> Response:
    """The questions."""
    from scorepad.web.referee import views

    return views.start()


@blueprint.get("/arbitro/regole")
def rules() -> Response:
    """The game, its codification and its options, that questions are asked under."""
    from scorepad.web.referee import views

    return views.rules()


@blueprint.get("/arbitro/<question>")
def ask(question: str) -> Response:
    """A step of a question, or its answer."""
    from scorepad.web.referee import views

    return views.ask(question)


@blueprint.get("/partite/<match>/arbitro")
def start_in_match(match: str) -> Response:
    """The questions, in a match."""
    from scorepad.web.referee import views

    return views.start(match)


@blueprint.get("/partite/<match>/arbitro/decisioni")
def kept(match: str) -> Response:
    """The rulings kept with a match."""
    from scorepad.web.referee import keeping

    return keeping.show(match)


@blueprint.get("/partite/<match>/arbitro/<question>")
def ask_in_match(match: str, question: str) -> Response:
    """A step of a question in a match, or its answer."""
    from scorepad.web.referee import views

    return views.ask(question, match)


@blueprint.post("/partite/<match>/arbitro/<question>/tieni")
@checks_itself
def keep(match: str, question: str) -> Response:
    """Keep a ruling with the match."""
    from scorepad.web.referee import keeping

    return keeping.keep(match, question)


@blueprint.post("/partite/<match>/arbitro/decisioni/<int:entry>/togli")
@checks_itself
def take_back(match: str, entry: int) -> Response:
    """Take a kept ruling back."""
    from scorepad.web.referee import keeping

    return keeping.take_back(match, entry)
