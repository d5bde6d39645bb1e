"""`scorepad pad`: blank score pads as PDF."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import click

from scorepad.cli.ending import Stop
from scorepad.cli.mistakes import choice_told
from scorepad.cli.wording import CommandInWords, lang_option
from scorepad.errors import ChoiceError
from scorepad.i18n import Words

_EACH = ("2", "4")


def pad_command(speech: Words) -> CommandInWords:
    """The command, told in one language."""

    @click.command("pad", cls=CommandInWords, help=speech.text("paper.pad"), words=speech)
    @click.argument("variant", metavar="VARIANT")
    @click.option("-o", "--output", metavar="FILE", help=speech.text("paper.pad.output"))
    @click.option("--copies", type=click.Choice(_EACH), default=_EACH[0], help=speech.text("paper.pad.copies"))
    @click.option("--preset", metavar="ID", help=speech.text("paper.preset"))
    @click.option("--option", "options", metavar="ID=X", multiple=True, help=speech.text("paper.option"))
    @lang_option(speech)
    def pad(variant: str, output: str | None, copies: str, preset: str | None, options: tuple[str, ...]) -> int:
        from scorepad.cli.keeping import write_pdf
        from scorepad.sheets.blank_pad import Copies, blank_pad

        chosen = dict(_chosen(options, speech))
        try:
            return write_pdf(
                lambda: blank_pad(variant, speech, Copies(int(copies)), preset, chosen),
                output,
                f"{variant}.pdf",
                speech,
            )
        except ChoiceError as trouble:
            raise Stop(choice_told(trouble, speech)) from None

    assert isinstance(pad, CommandInWords)
    return pad


def _chosen(options: Iterable[str], speech: Words) -> Iterator[tuple[str, Any]]:
    """Options as typed, `wild-limit=three`: amounts are numbers, and `true` and `false` are what they say."""
    for typed in options:
        name, sign, value = typed.partition("=")
        if not sign:
            raise Stop(speech.text("paper.option.wrong", given=typed[:40]))
        try:
            yield name, json.loads(value)
        except ValueError:
            yield name, value
