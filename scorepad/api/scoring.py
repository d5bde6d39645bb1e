"""Hands scored and questions answered, without a match."""

from __future__ import annotations

from contextlib import nullcontext

from flask import Response

from scorepad.api.operations import operation
from scorepad.api.responses import json_body, json_response, speech
from scorepad.heavy import heavy_work
from scorepad.schemas import answer as hand_answer
from scorepad.schemas import read_hand_request


@operation("post", "/score", {200: "ScoreAnswer"}, "HandToScore")
def score() -> Response:
    """Score a hand."""
    asked = read_hand_request(json_body())
    words = speech().with_rules(asked.rules)
    return json_response(hand_answer(asked.judge(), asked.names, words))


@operation("post", "/rulings", {200: "RulingAnswer"}, "RulingQuestion")
def rulings() -> Response:
    """Ask the referee."""
    # Not imported at start.
    from scorepad.schemas.ruling_json import (
        answer_request,
        asks_about_hand,
        read_question,
        ruling_answer,
    )

    question = read_question(json_body())
    with heavy_work() if asks_about_hand(question) else nullcontext():
        answer = answer_request(question)
    return json_response(ruling_answer(question, answer, speech()))
