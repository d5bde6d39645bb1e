"""`scorepad matches`: what is in the data file."""

from __future__ import annotations

import click

from scorepad.cli.wording import CommandInWords, data_option, lang_option
from scorepad.i18n import Words


def matches_command(speech: Words) -> CommandInWords:
    """The command, told in one language."""

    @click.command("matches", cls=CommandInWords, help=speech.text("cli.matches"), words=speech)
    @data_option(speech)
    @lang_option(speech)
    def matches(data: str | None) -> int:
        from scorepad.cli.keeping import list_matches

        return list_matches(data, speech)

    assert isinstance(matches, CommandInWords)
    return matches
