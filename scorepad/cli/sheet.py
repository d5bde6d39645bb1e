"""`scorepad sheet`: the match sheet as PDF."""

from __future__ import annotations

import click

from scorepad.cli.wording import CommandInWords, data_option, lang_option
from scorepad.i18n import Words


def sheet_command(speech: Words) -> CommandInWords:
    """The command, told in one language."""

    @click.command("sheet", cls=CommandInWords, help=speech.text("cli.sheet"), words=speech)
    @click.argument("match", metavar="MATCH")
    @click.option("-o", "--output", metavar="FILE", help=speech.text("cli.sheet.output"))
    @data_option(speech)
    @lang_option(speech)
    def sheet(match: str, output: str | None, data: str | None) -> int:
        from scorepad.cli.keeping import write_sheet

        return write_sheet(match, output, data, speech)

    assert isinstance(sheet, CommandInWords)
    return sheet
