"""`scorepad link`: new links for a match, where every phone that could write is lost; and links for every match."""

from __future__ import annotations

import click

from scorepad.cli.ending import Stop
from scorepad.cli.serve import DEFAULT_PORT
from scorepad.cli.wording import CommandInWords, OptionInWords, data_option, lang_option
from scorepad.i18n import Words


def link_command(speech: Words) -> CommandInWords:
    """The command, told in one language."""

    @click.command("link", cls=CommandInWords, help=speech.text("cli.link"), words=speech)
    @click.argument("match", metavar="MATCH", required=False)
    @click.option("--home", is_flag=True, help=speech.text("cli.link.home"))
    @click.option("--host", metavar="H", help=speech.text("cli.link.host"))
    @click.option(
        "--port", cls=OptionInWords, default=DEFAULT_PORT, type=click.IntRange(1, 65535), metavar="P",
        help=speech.text("cli.link.port", port=str(DEFAULT_PORT)),
    )  # fmt: skip
    @data_option(speech)
    @lang_option(speech)
    def link(match: str | None, home: bool, host: str | None, port: int, data: str | None) -> int:
        from scorepad.cli.linking import link_home, link_match

        if home == (match is not None):
            raise Stop(speech.text("cli.link.one"))
        return link_home(host, port, data, speech) if match is None else link_match(match, host, port, data, speech)

    assert isinstance(link, CommandInWords)
    return link
