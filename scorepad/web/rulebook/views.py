"""The pages of the rulebook."""

from __future__ import annotations

from flask import abort, request
from werkzeug.wrappers import Response

from scorepad.rules.variants import get_variant, variant_ids
from scorepad.web.frame import page_words, render
from scorepad.web.rulebook import places
from scorepad.web.rulebook.choosing import chosen
from scorepad.web.rulebook.comparing import compare_page
from scorepad.web.rulebook.glossary import words_page
from scorepad.web.rulebook.pages import first_page, game_page
from scorepad.web.rulebook.searching import search_page


def show_first() -> Response:
    """The rulebook's first page."""
    return render(first_page(page_words()))


def show_search() -> Response:
    """The answers to a question."""
    return render(search_page(request.args.get("testo", ""), request.args.get("gioco", ""), page_words()))


def show_comparison() -> Response:
    """Two games side by side."""
    asked = request.args.get("uno", ""), request.args.get("altro", "")
    return render(compare_page(asked, page_words()))


def show_words() -> Response:
    """The glossary."""
    return render(words_page(page_words()))


def show_game(game: str) -> Response:
    """A game in full."""
    _known(game)
    words = page_words()
    return render(game_page(chosen(get_variant(game), request.args, words), words, is_open=places.OPEN in request.args))


def show_blank(game: str) -> Response:
    """The blank pads of a game."""
    from scorepad.web.rulebook import papers

    _known(game)
    return papers.blank(game)


def show_card(game: str) -> Response:
    """The rules of a game on a page."""
    from scorepad.web.rulebook import papers

    _known(game)
    return papers.card(game)


def _known(game: str) -> None:
    """Go on where there is a game of this name; there is no such page otherwise."""
    if game not in variant_ids():
        abort(404)
