"""Commands that answer JSON with JSON: one question, or with `--jsonl` a question a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import Any, BinaryIO

import click
from pydantic_core import to_json

from scorepad.cli.ending import DONE, REFUSED, UNUSABLE, Stop
from scorepad.cli.printing import send, shown, standard_input
from scorepad.cli.wording import CommandInWords, lang_option
from scorepad.contract import Unusable
from scorepad.i18n import Words, because

Answer = Callable[[bytes, Words], tuple[dict[str, Any], bool]]
"""The answer to a question, in the words of one language, and whether it is a refusal. Raises Unusable."""


def answering_command(name: str, answer: Answer, speech: Words) -> CommandInWords:
    """A command of this name, told in one language."""

    @click.command(name, cls=CommandInWords, help=speech.text(f"cli.{name}"), words=speech)
    @click.argument("file", required=False, metavar="[FILE]")
    @click.option("--jsonl", is_flag=True, help=speech.text(f"cli.{name}.jsonl"))
    @lang_option(speech)
    def command(file: str | None, jsonl: bool) -> int:
        source = None if file in (None, "-") else file
        told = speech.text("cli.input") if source is None else shown(source)
        try:
            with nullcontext(standard_input(speech)) if source is None else _open(source, speech) as stream:
                return _answer_lines(stream, answer, speech) if jsonl else _answer_one(stream, answer, speech)
        except OSError as trouble:
            raise Stop(speech.text("cli.cannot-read", file=told, detail=because(trouble, speech))) from None

    assert isinstance(command, CommandInWords)
    return command


def _open(file: str, speech: Words) -> BinaryIO:
    if not file:
        raise Stop(speech.text("cli.no-name", given="FILE"))
    return Path(file).open("rb")


def _answer_one(stream: BinaryIO, answer: Answer, speech: Words) -> int:
    try:
        told, refused = answer(stream.read(), speech)
    except Unusable as trouble:
        raise Stop(trouble.told(speech)) from None
    send(to_json(told, indent=2))
    return REFUSED if refused else DONE


def _answer_lines(lines: Iterable[bytes], answer: Answer, speech: Words) -> int:
    """Every line answered in its place; the worst of them is the status."""
    status = DONE
    for line in lines:
        try:
            told, refused = answer(line, speech)
            status = max(status, REFUSED if refused else DONE)
        except Unusable as trouble:
            told = {"error": trouble.told(speech)}
            status = UNUSABLE
        send(to_json(told))
    return status
