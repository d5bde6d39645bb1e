"""`scorepad rule`: questions for the referee in JSON, answered."""

from __future__ import annotations

from typing import Any

from scorepad.cli.answering import answering_command
from scorepad.cli.wording import CommandInWords
from scorepad.i18n import Words


def rule_command(speech: Words) -> CommandInWords:
    """The command, told in one language."""
    return answering_command("rule", _answer, speech)


def _answer(source: bytes, speech: Words) -> tuple[dict[str, Any], bool]:
    # The referee's rooms are opened when somebody asks: the other commands start without them.
    from scorepad.contract.rulings import read_question, ruling_answer
    from scorepad.rules.rulings import Verdict
    from scorepad.rules.rulings.answering import answer_to

    question = read_question(source)
    answer = answer_to(question.rules, question.asked)
    return ruling_answer(question, answer, speech), answer.ruling.verdict is Verdict.FORBIDDEN
