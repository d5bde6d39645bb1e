"""`scorepad score`: hands in JSON, checked and counted."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import Any, BinaryIO

import click
from pydantic_core import to_json

from scorepad.cli.ending import DONE, REFUSED, UNUSABLE, Stop
from scorepad.cli.printing import send, shown, standard_input
from scorepad.cli.wording import CommandInWords, lang_option
from scorepad.contract import Unusable, answer, read_asked
from scorepad.i18n import Words, because
from scorepad.rules.judge import judge


def score_command(speech: Words) -> CommandInWords:
    """The command, told in one language."""

    @click.command("score", cls=CommandInWords, help=speech.text("cli.score"), words=speech)
    @click.argument("file", required=False, metavar="[FILE]")
    @click.option("--jsonl", is_flag=True, help=speech.text("cli.score.jsonl"))
    @lang_option(speech)
    def score(file: str | None, jsonl: bool) -> int:
        source = None if file in (None, "-") else file
        name = speech.text("cli.input") if source is None else shown(source)
        try:
            with nullcontext(standard_input(speech)) if source is None else _open(source, speech) as stream:
                return _score_lines(stream, speech) if jsonl else _score_one(stream, speech)
        except OSError as trouble:
            raise Stop(speech.text("cli.cannot-read", file=name, detail=because(trouble, speech))) from None

    assert isinstance(score, CommandInWords)
    return score


def _open(file: str, speech: Words) -> BinaryIO:
    if not file:
        raise Stop(speech.text("cli.no-name", given="FILE"))
    return Path(file).open("rb")


def _score_one(stream: BinaryIO, speech: Words) -> int:
    try:
        told = _answer(stream.read(), speech)
    except Unusable as trouble:
        raise Stop(trouble.told(speech)) from None
    send(to_json(told, indent=2))
    return DONE if told["valid"] else REFUSED


def _score_lines(lines: Iterable[bytes], speech: Words) -> int:
    """Every line answered in its place; the worst of them is the status."""
    status = DONE
    for line in lines:
        try:
            told = _answer(line, speech)
            status = max(status, DONE if told["valid"] else REFUSED)
        except Unusable as trouble:
            told = {"error": trouble.told(speech)}
            status = UNUSABLE
        send(to_json(told))
    return status


def _answer(source: bytes, speech: Words) -> dict[str, Any]:
    asked = read_asked(source)
    return answer(judge(asked.rules, asked.hand), asked.hand, speech)
