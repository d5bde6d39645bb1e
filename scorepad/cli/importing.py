"""`scorepad import`: matches out of a file."""

from __future__ import annotations

import click

from scorepad.cli.wording import CommandInWords, data_option, lang_option
from scorepad.i18n import Words


def import_command(speech: Words) -> CommandInWords:
    """The command, told in one language."""

    @click.command("import", cls=CommandInWords, help=speech.text("files.import"), words=speech)
    @click.argument("file", metavar="FILE")
    @data_option(speech)
    @lang_option(speech)
    def take(file: str, data: str | None) -> int:
        from scorepad.cli.exporting import take_import

        return take_import(file, data, speech)

    assert isinstance(take, CommandInWords)
    return take
