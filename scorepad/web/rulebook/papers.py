"""A game on paper, as a reader chose it: the blank pads, and the rules on a page."""

from __future__ import annotations

from flask import Response, request

from scorepad.rules.variants import get_variant
from scorepad.sheets.blank_pad import Copies, blank_pad
from scorepad.sheets.rules_card import rules_card
from scorepad.web.frame import page_words
from scorepad.web.rulebook.choosing import Chosen, chosen
from scorepad.web.rulebook.places import COPIES
from scorepad.web.sheets import pdf_answer


def blank(game: str) -> Response:
    """The blank pads."""
    wanted, words = _chosen(game), page_words()
    copies = Copies.FOUR if request.args.get(COPIES) == str(Copies.FOUR.value) else Copies.TWO
    return pdf_answer(lambda: blank_pad(game, words, copies, wanted.preset, wanted.options), f"segnapunti-{game}")


def card(game: str) -> Response:
    """The rules on a page."""
    wanted, words = _chosen(game), page_words()
    return pdf_answer(lambda: rules_card(game, words, wanted.preset, wanted.options), f"regole-{game}")


def _chosen(game: str) -> Chosen:
    return chosen(get_variant(game), request.args, page_words())
