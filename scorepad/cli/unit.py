"""`scorepad unit`: the systemd unit that keeps the pad open on a machine."""

from __future__ import annotations

import click

from scorepad.cli.wording import CommandInWords, OptionInWords, lang_option
from scorepad.i18n import Words

DEFAULT_USER = "scorepad"


def unit_command(speech: Words) -> CommandInWords:
    """The command, told in one language."""

    @click.command("unit", cls=CommandInWords, help=speech.text("unit.about"), words=speech)
    @click.option(
        "--user", cls=OptionInWords, default=DEFAULT_USER, metavar="NAME",
        help=speech.text("unit.user", user=DEFAULT_USER),
    )  # fmt: skip
    @click.option("--config", metavar="FILE", help=speech.text("unit.config"))
    @lang_option(speech)
    def unit(user: str, config: str | None) -> int:
        from scorepad.cli.unit_text import print_unit

        return print_unit(user, config, speech)

    assert isinstance(unit, CommandInWords)
    return unit
