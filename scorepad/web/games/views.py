"""The pages of the games."""

from __future__ import annotations

from flask import abort
from werkzeug.wrappers import Response

from scorepad.rules.variants import get_variant, variant_ids
from scorepad.web.frame import page_words, render
from scorepad.web.games.pages import game_page, games_page


def show_all() -> Response:
    """All games."""
    return render(games_page(page_words()))


def show(game: str) -> Response:
    """A game; where there is none of this name, that there is no such page."""
    if game not in variant_ids():
        abort(404)
    return render(game_page(get_variant(game), page_words()))
