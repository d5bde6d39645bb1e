"""Hands scored, questions ruled on, variants told: as on the command line."""

from __future__ import annotations

from flask import Response, abort

from scorepad.api.asking import answer, body
from scorepad.api.document import document
from scorepad.api.troubles import speech
from scorepad.errors import ChoiceError
from scorepad.referee.alternatives import answer_to
from scorepad.rules.judge import judge
from scorepad.schemas import answer as hand_answer
from scorepad.schemas import read_asked
from scorepad.schemas.rulings import read_question, ruling_answer
from scorepad.schemas.variants import variant_list, variant_whole


def score() -> Response:
    """Score a hand."""
    asked = read_asked(body())
    return answer(hand_answer(judge(asked.rules, asked.hand), asked.hand, speech()))


def rulings() -> Response:
    """Ask the referee."""
    question = read_question(body())
    return answer(ruling_answer(question, answer_to(question.rules, question.asked), speech()))


def variants() -> Response:
    """The variants, in a line each."""
    return answer(variant_list(speech()))


def variant(name: str) -> Response:
    """One variant whole."""
    try:
        return answer(variant_whole(name, speech()))
    except ChoiceError:
        abort(404)


def openapi() -> Response:
    """What can be asked, as an OpenAPI document."""
    return answer(document(speech()))
