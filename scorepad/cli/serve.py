"""`scorepad serve`: the pad in the browser."""

from __future__ import annotations

from typing import Any

import click

from scorepad.cli.growing import growing
from scorepad.cli.settings import config_option, origins, setting
from scorepad.cli.wording import CommandInWords, data_option, lang_option
from scorepad.i18n import Words

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8765
MOST_PROXIES = 9
LOGS = ("plain", "json")
"""How requests are told, where they are told at all."""


def serve_command(speech: Words) -> CommandInWords:
    """The command, told in one language."""
    text = speech.text

    @click.command("serve", cls=CommandInWords, help=text("cli.serve"), epilog=text("settings.order"), words=speech)
    @setting("host", default=DEFAULT_HOST, metavar="H", help=text("cli.serve.host", host=DEFAULT_HOST))
    @setting(
        "port", default=DEFAULT_PORT, type=click.IntRange(0, 65535), metavar="P",
        help=text("cli.serve.port", port=str(DEFAULT_PORT)),
    )  # fmt: skip
    @setting("allow-host", multiple=True, metavar="NAME", help=text("cli.serve.allow-host"))
    @setting("proxies", default=0, type=click.IntRange(0, MOST_PROXIES), metavar="N", help=text("settings.proxies"))
    @setting("no-limits", is_flag=True, help=text("settings.no-limits"))
    @setting("no-open", is_flag=True, help=text("cli.serve.no-open"))
    @setting("log", type=click.Choice(LOGS), help=text("settings.log"))
    @data_option(speech)
    @config_option(speech)
    @lang_option(speech)
    @click.pass_context
    def serve(context: click.Context, /, data: str | None, **door: Any) -> int:
        # The web is only loaded for this command: `score` answers without it.
        with growing():
            from scorepad.cli.serving import Door, serve_pad

        return serve_pad(Door(**door, origins=origins(context)), data, speech)

    assert isinstance(serve, CommandInWords)
    return serve
