"""`scorepad score`: hands in JSON, checked and counted."""

from __future__ import annotations

from typing import Any

from scorepad.cli.answering import answering_command
from scorepad.cli.wording import CommandInWords
from scorepad.contract import answer, read_asked
from scorepad.i18n import Words
from scorepad.rules.judge import judge


def score_command(speech: Words) -> CommandInWords:
    """The command, told in one language."""
    return answering_command("score", _answer, speech)


def _answer(source: bytes, speech: Words) -> tuple[dict[str, Any], bool]:
    asked = read_asked(source)
    told = answer(judge(asked.rules, asked.hand), asked.hand, speech)
    return told, not told["valid"]
