"""`scorepad doctor`: the state of the data file and of what it takes to run, and what to do."""

from __future__ import annotations

import click

from scorepad.cli.wording import CommandInWords, data_option, lang_option
from scorepad.i18n import Words


def doctor_command(speech: Words) -> CommandInWords:
    """The command, told in one language."""

    @click.command("doctor", cls=CommandInWords, help=speech.text("doctor.help"), words=speech)
    @data_option(speech)
    @lang_option(speech)
    def doctor(data: str | None) -> int:
        from scorepad.cli.examining import tell_state

        return tell_state(data, speech)

    assert isinstance(doctor, CommandInWords)
    return doctor
