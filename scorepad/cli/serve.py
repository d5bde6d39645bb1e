"""`scorepad serve`: the pad in the browser."""

from __future__ import annotations

import click

from scorepad.cli.growing import growing
from scorepad.cli.wording import CommandInWords, OptionInWords, data_option, lang_option
from scorepad.i18n import Words

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8765


def serve_command(speech: Words) -> CommandInWords:
    """The command, told in one language."""

    @click.command("serve", cls=CommandInWords, help=speech.text("cli.serve"), words=speech)
    @click.option("--host", default=DEFAULT_HOST, metavar="H", help=speech.text("cli.serve.host", host=DEFAULT_HOST))
    @click.option(
        "--port", cls=OptionInWords, default=DEFAULT_PORT, type=click.IntRange(0, 65535), metavar="P",
        help=speech.text("cli.serve.port", port=str(DEFAULT_PORT)),
    )  # fmt: skip
    @click.option("--allow-host", multiple=True, metavar="NAME", help=speech.text("cli.serve.allow-host"))
    @click.option("--private", is_flag=True, help=speech.text("cli.serve.private"))
    @data_option(speech)
    @lang_option(speech)
    def serve(host: str, port: int, allow_host: tuple[str, ...], private: bool, data: str | None) -> int:
        # The web is only loaded for this command: `score` answers without it.
        with growing():
            from scorepad.cli.serving import Door, serve_pad

        return serve_pad(Door(host, port, allow_host, private), data, speech)

    assert isinstance(serve, CommandInWords)
    return serve
