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
    from scorepad.rules.rulings import Verdict, rule
    from scorepad.rules.rulings.elsewhere import elsewhere

    question = read_question(source)
    ruling = rule(question.rules, question.asked)
    others = elsewhere(question.rules, question.asked, ruling)
    return ruling_answer(question, ruling, others, speech), ruling.verdict is Verdict.FORBIDDEN
