"""Hands scored and questions answered, without a match."""

from __future__ import annotations

from flask import Response

from scorepad.api.operations import operation
from scorepad.api.responses import json_response, read_json_body, speech
from scorepad.heavy import one_heavy_job_at_a_time
from scorepad.schemas import build_score_answer as hand_answer
from scorepad.schemas import read_hand_request


@operation("post", "/score", {200: "ScoreAnswer"}, "HandToScore")
def score() -> Response:
    """Check and score a hand (round) of a game, by the rules that the request names.

    The body of the response lists what breaks the rules or, if nothing does, each side's points.
    """
    hand_request = read_hand_request(read_json_body())
    judgement = hand_request.judge()
    words = speech().with_rules(hand_request.rules)  # a user's own rules can add names of their own
    return json_response(hand_answer(judgement, hand_request.names, words))


@operation("post", "/rulings", {200: "RulingAnswer"}, "RulingQuestion")
def rulings() -> Response:
    """Answer a question to the referee: whether a play is allowed, or what something is worth."""
    # Imported only when somebody asks, to keep the start of the program fast.
    from scorepad.schemas.ruling_json import (
        answer_request,
        asks_about_hand,
        build_ruling_answer,
        read_question,
    )

    question = read_question(read_json_body())
    if asks_about_hand(question):
        with one_heavy_job_at_a_time():  # every way to lay the cards of a hand may have to be tried
            answer = answer_request(question)
    else:
        answer = answer_request(question)
    return json_response(build_ruling_answer(question, answer, speech()))
