"""`scorepad backup`: a whole copy of the data file, while it is in use."""

from __future__ import annotations

import click

from scorepad.cli.ending import Stop
from scorepad.cli.wording import CommandInWords, data_option, lang_option
from scorepad.i18n import Words


def backup_command(speech: Words) -> CommandInWords:
    """The command, told in one language."""

    @click.command("backup", cls=CommandInWords, help=speech.text("backup.help"), words=speech)
    @click.argument("file", required=False, metavar="[FILE]")
    @click.option("-o", "--output", metavar="FILE", help=speech.text("backup.output"))
    @data_option(speech)
    @lang_option(speech)
    def backup(file: str | None, output: str | None, data: str | None) -> int:
        from scorepad.cli.backing_up import write_backup

        if file is not None and output is not None:
            raise Stop(speech.text("backup.two-names"))
        return write_backup(output if file is None else file, data, speech)

    assert isinstance(backup, CommandInWords)
    return backup
