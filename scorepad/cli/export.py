"""`scorepad export`: matches as a file."""

from __future__ import annotations

import click

from scorepad.cli.wording import CommandInWords, data_option, lang_option
from scorepad.i18n import Words


def export_command(speech: Words) -> CommandInWords:
    """The command, told in one language."""

    @click.command("export", cls=CommandInWords, help=speech.text("files.export"), words=speech)
    @click.argument("match", required=False, metavar="[MATCH]")
    @click.option("-o", "--output", metavar="FILE", help=speech.text("files.export.output"))
    @click.option("--csv", "as_rows", is_flag=True, help=speech.text("files.export.csv"))
    @data_option(speech)
    @lang_option(speech)
    def export(match: str | None, output: str | None, as_rows: bool, data: str | None) -> int:
        from scorepad.cli.exporting import write_export

        return write_export(match, output, data, speech, as_rows=as_rows)

    assert isinstance(export, CommandInWords)
    return export
