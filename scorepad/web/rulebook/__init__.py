"""The rulebook: every game in full, a search, two games side by side, the words.

Its modules are read when it is first entered, like those of a match.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint

if TYPE_CHECKING:
    from werkzeug.wrappers import Response

blueprint = Blueprint("rulebook", __name__)
# Where the games were told before there was a rulebook.
blueprint.add_url_rule("/giochi", "games", redirect_to="/regole")
blueprint.add_url_rule("/giochi/<game>", "game", redirect_to="/regole/<game>")


@blueprint.get("/regole")
def first() -> Response:
    """The first page, with all games."""
    from scorepad.web.rulebook import views

    return views.show_first()


@blueprint.get("/regole/cerca")
def search() -> Response:
    """The search."""
    from scorepad.web.rulebook import views

    return views.show_search()


@blueprint.get("/regole/confronta")
def compare() -> Response:
    """Two games side by side."""
    from scorepad.web.rulebook import views

    return views.show_comparison()


@blueprint.get("/regole/parole")
def glossary() -> Response:
    """The words of canasta."""
    from scorepad.web.rulebook import views

    return views.show_words()


@blueprint.get("/regole/<game>/segnapunti.pdf")
def blank(game: str) -> Response:
    """Blank pads of a game, to be filled in by pen."""
    from scorepad.web.rulebook import views

    return views.show_blank(game)


@blueprint.get("/regole/<game>/scheda.pdf")
def card(game: str) -> Response:
    """The rules of a game on a page."""
    from scorepad.web.rulebook import views

    return views.show_card(game)


@blueprint.get("/regole/<game>")
def page(game: str) -> Response:
    """A game in full."""
    from scorepad.web.rulebook import views

    return views.show_game(game)
