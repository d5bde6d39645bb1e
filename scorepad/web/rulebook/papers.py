"""A game on paper, as a reader chose it: the blank pads, and the rules on a page."""

from __future__ import annotations

from flask import Response, request

from scorepad.pad.paper_blank import blank_pad
from scorepad.pad.paper_card import rules_card
from scorepad.rules.variants import get_variant
from scorepad.sheets.blank_values import Copies
from scorepad.web.frame import page_words
from scorepad.web.rulebook.choosing import Chosen, chosen
from scorepad.web.rulebook.places import COPIES
from scorepad.web.sheets import kept_or_made, pdf_answer


def blank(game: str) -> Response:
    """The blank pads."""
    wanted, words = _chosen(game), page_words()
    copies = Copies.FOUR if request.args.get(COPIES) == str(Copies.FOUR.value) else Copies.TWO
    key = ("blank", words.language, copies, *_parameters(game, wanted))
    return pdf_answer(
        lambda: kept_or_made(key, lambda: blank_pad(game, words, copies, wanted.preset, wanted.options)),
        f"segnapunti-{game}",
    )


def card(game: str) -> Response:
    """The rules on a page."""
    wanted, words = _chosen(game), page_words()
    key = ("card", words.language, *_parameters(game, wanted))
    return pdf_answer(
        lambda: kept_or_made(key, lambda: rules_card(game, words, wanted.preset, wanted.options)), f"regole-{game}"
    )


def _parameters(game: str, wanted: Chosen) -> tuple[object, ...]:
    return game, wanted.preset, frozenset(wanted.options.items())


def _chosen(game: str) -> Chosen:
    return chosen(get_variant(game), request.args, page_words())
