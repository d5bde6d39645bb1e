"""`scorepad score`: hands in JSON, checked and counted."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO

import click
from pydantic_core import to_json

from scorepad.cli.ending import DONE, REFUSED, UNUSABLE, Heard, Stop
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
        try:
            with sys.stdin.buffer if file in (None, "-") else Path(str(file)).open("rb") as stream:
                return _score_lines(stream, speech) if jsonl else _score_one(stream, speech)
        except OSError as trouble:
            raise Stop(speech.text("cli.cannot-read", file=file or "-", detail=because(trouble, speech))) from None

    assert isinstance(score, CommandInWords)
    return score


def _score_one(stream: BinaryIO, speech: Words) -> int:
    try:
        told = _answer(stream.read(), speech)
    except Unusable as trouble:
        raise Stop(trouble.told(speech)) from None
    _write(to_json(told, indent=2))
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
        _write(to_json(told))
    return status


def _answer(source: bytes, speech: Words) -> dict[str, Any]:
    asked = read_asked(source)
    return answer(judge(asked.rules, asked.hand), asked.hand, speech)


def _write(text: bytes) -> None:
    try:
        sys.stdout.buffer.write(text + b"\n")
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise Heard from None
