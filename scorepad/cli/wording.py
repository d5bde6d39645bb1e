"""Help pages in the language chosen: click's own headings are English."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from scorepad.cli.ending import Stop
from scorepad.i18n import LANGUAGES, Words

if TYPE_CHECKING:
    from click.types import OptionHelpExtra

LANG = "--lang"
DATA_VARIABLE = "SCOREPAD_DATA"
"""The variable of the environment that stands for `--data`."""
_Decorated = TypeVar("_Decorated", bound=Callable[..., Any])


class CommandInWords(click.Command):
    """A command whose help speaks the language of its words."""

    def __init__(self, *args: Any, words: Words, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.words = words

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The words that stand beside the options. Raises Stop for one too many."""
        ctx.allow_extra_args = True
        more = super().parse_args(ctx, args)
        if more and not isinstance(self, click.Group):
            raise Stop(self.words.text("cli.too-many", given=more[0][:40], command=ctx.command_path))
        return more

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """The `--help` option, told in words."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = self.words.text("cli.help")
        return option

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The line of usage."""
        pieces = self.collect_usage_pieces(ctx)
        formatter.write_usage(ctx.command_path, " ".join(pieces), prefix=f"{self.words.text('cli.usage')}: ")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of options, and of commands where there are any."""
        records = [record for param in self.get_params(ctx) if (record := param.get_help_record(ctx))]
        if records:
            with formatter.section(self.words.text("cli.options")):
                formatter.write_dl(records)
        if isinstance(self, click.Group):
            self.format_commands(ctx, formatter)


class OptionInWords(click.Option):
    """An option whose help says by itself what it takes and what holds without it: click says so in English."""

    def get_help_extra(self, ctx: click.Context) -> OptionHelpExtra:  # noqa: ARG002 - click's own
        """What click would add to the help: nothing."""
        return {}


class GroupInWords(CommandInWords, click.Group):
    """The group of commands, likewise."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order in which they are needed, not of the alphabet."""
        return sorted(super().list_commands(ctx), key=list(self.commands).index)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands."""
        rows = [(name, self.commands[name].get_short_help_str(limit=200)) for name in self.list_commands(ctx)]
        with formatter.section(self.words.text("cli.commands")):
            formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the words ask for. Raises Stop where there is none."""
        if args[0] not in self.commands and not args[0].startswith("-"):
            known = ", ".join(self.commands)
            raise Stop(self.words.text("cli.no-command", given=args[0][:40], known=known))
        return super().resolve_command(ctx, args)


def lang_option(speech: Words) -> Callable[[_Decorated], _Decorated]:
    """`--lang`, which every command takes; it is read before the commands are built."""
    choice = click.Choice([language.value for language in LANGUAGES])
    return click.option(LANG, type=choice, expose_value=False, help=speech.text("cli.lang"))


def data_option(speech: Words) -> Callable[[_Decorated], _Decorated]:
    """`--data`, for every command that reads matches."""
    told = f"{speech.text('cli.data')} [{DATA_VARIABLE}]"
    return click.option("--data", metavar="FILE", cls=OptionInWords, envvar=DATA_VARIABLE, help=told)
