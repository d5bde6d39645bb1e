"""Click commands, options and groups whose help and errors are in the chosen language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource

from scorepad.cli.streams import Stop, shown
from scorepad.errors import ChoiceError
from scorepad.i18n import LANGUAGES, Words

if TYPE_CHECKING:
    from click.types import OptionHelpExtra

ENVIRONMENT = "SCOREPAD"
"""The prefix of the environment variables."""
SETTINGS_FILE = "scorepad.settings"
"""The key in `Context.meta` of the path of the settings file."""
_LONGEST = 40
_LONGEST_HELP = 200

Parameter = Callable[[Words], click.Parameter]
"""Builds a parameter whose help is in a language."""


class Command(click.Command):
    """A command with help in one language: click's headings are English."""

    def __init__(self, *args: Any, words: Words, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.words = words

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments. Raises Stop for one too many."""
        ctx.allow_extra_args = True
        more = super().parse_args(ctx, args)
        if more and not isinstance(self, click.Group):
            raise Stop(self.words.text("cli.too-many", given=more[0][:_LONGEST], command=ctx.command_path))
        return more

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """The `--help` option."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = self.words.text("cli.help")
            option.allow_from_autoenv = False
        return option

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the usage line."""
        pieces = " ".join(self.collect_usage_pieces(ctx))
        formatter.write_usage(ctx.command_path, pieces, prefix=f"{self.words.text('cli.usage')}: ")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, and the commands of a group."""
        records = [record for param in self.get_params(ctx) if (record := param.get_help_record(ctx))]
        with formatter.section(self.words.text("cli.options")):
            formatter.write_dl(records)
        if isinstance(self, click.Group):
            self.format_commands(ctx, formatter)


class Option(click.Option):
    """An option whose help text names its range and default: click would add them in English."""

    def get_help_extra(self, ctx: click.Context) -> OptionHelpExtra:  # noqa: ARG002 - click's signature
        """Nothing."""
        return {}


class LazyCommand(NamedTuple):
    """A command that is not imported yet: `module` has a function `NAME_command(words)`, `help` is a message key."""

    module: str
    help: str


class LazyGroup(Command, click.Group):
    """A group that imports the module of a command when the command is used."""

    def __init__(self, *args: Any, lazy: Mapping[str, LazyCommand], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names of the commands, in the order of the table."""
        return list(self.lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import and build a command."""
        if cmd_name not in self.lazy:
            return None
        module, help_key = self.lazy[cmd_name]
        build: Callable[[Words], click.Command] = getattr(import_module(module), f"{cmd_name}_command")
        command = build(self.words)
        command.help = self.words.text(help_key)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands, without importing them."""
        rows = [
            (name, click.Command(name, help=self.words.text(command.help)).get_short_help_str(_LONGEST_HELP))
            for name, command in self.lazy.items()
        ]
        with formatter.section(self.words.text("cli.commands")):
            formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command. Raises Stop if there is none of that name."""
        if args[0] not in self.lazy and not args[0].startswith("-"):
            known = ", ".join(self.lazy)
            raise Stop(self.words.text("cli.no-command", given=args[0][:_LONGEST], known=known))
        return super().resolve_command(ctx, args)


def command(
    name: str, *parameters: Parameter, epilog: str = "", **more: Any
) -> Callable[[Callable[..., int]], Callable[[Words], click.Command]]:
    """Make a function of the words and its parameters' values into a builder of the command; `--lang` comes last."""

    def decorate(run: Callable[..., int]) -> Callable[[Words], click.Command]:
        def build(words: Words) -> click.Command:
            built = [parameter(words) for parameter in (*parameters, lang)]
            text = words.text(epilog) if epilog else None
            return Command(name, words=words, callback=partial(run, words), params=built, epilog=text, **more)

        return build

    return decorate


def argument(name: str, **more: Any) -> Parameter:
    """An argument."""
    return lambda _: click.Argument([name], **more)


def option(*names: str, help: str, figures: Mapping[str, str] | None = None, **more: Any) -> Parameter:  # noqa: A002
    """An option; `help` is a message key, `figures` what its text names."""
    return lambda words: Option(names, help=words.text(help, **figures or {}), **more)


def setting(name: str, help: str, figures: Mapping[str, str] | None = None, **more: Any) -> Parameter:  # noqa: A002
    """An option that an environment variable sets too; the help names the variable."""
    return lambda words: Option(
        [f"--{name}"], help=f"{words.text(help, **figures or {})} [{variable(name)}]", **more
    )  # fmt: skip


def lang(words: Words) -> click.Option:
    """`--lang`, which every command takes; `main` reads it before it builds the commands."""
    choice = click.Choice([language.value for language in LANGUAGES])
    return Option(["--lang"], type=choice, expose_value=False, allow_from_autoenv=False, help=words.text("cli.lang"))


def variable(name: str) -> str:
    """The environment variable of an option: `SCOREPAD_ALLOW_HOST` for `allow-host`."""
    return f"{ENVIRONMENT}_{name.upper().replace('-', '_')}"


data = setting("data", "cli.data", metavar="FILE", envvar=variable("data"))
"""`--data`, for every command that reads matches."""


def origin(context: click.Context | None, param: click.Parameter | None) -> str:
    """Where a value was given: `--port`, `SCOREPAD_PORT` or `port (FILE)`."""
    if param is None or param.name is None:
        return "?"
    source = context.get_parameter_source(param.name) if context else None
    if source is ParameterSource.ENVIRONMENT:
        return variable(param.name)
    if context and source is ParameterSource.DEFAULT_MAP:
        return f"{param.opts[0].lstrip('-')} ({shown(context.meta[SETTINGS_FILE])})"
    return param.opts[0]


def usage_error(error: click.ClickException, words: Words) -> str:
    """What is wrong with the command line, and what it takes: click's sentences are English."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "scorepad"
    match error:
        case click.NoSuchOption():
            return words.text("cli.no-option", given=error.option_name, command=command)
        case click.MissingParameter():
            name = error.param.make_metavar(context) if error.param and context else "?"
            return words.text("cli.missing", given=name, command=command)
        case click.BadParameter():
            return _bad_value(error, command, words)
        case click.BadOptionUsage():
            return words.text("cli.no-value", given=error.option_name, command=command)
        case _:
            return words.text("cli.misused", command=command)


def _bad_value(error: click.BadParameter, command: str, words: Words) -> str:
    name = origin(error.ctx, error.param)
    match error.param.type if error.param else None:
        case click.IntRange(min=least, max=most):
            return words.text("cli.bad-number", given=name, least=str(least), most=str(most))
        case click.Choice(choices=choices):
            return words.text("cli.bad-choice", given=name, known=", ".join(map(str, choices)))
        case click.types.BoolParamType():
            return words.text("cli.bad-choice", given=name, known="true, false")
        case _:
            return words.text("cli.bad-value", given=name, command=command)


def choice_error(error: ChoiceError, words: Words, key: str = "") -> Stop:
    """What cannot be chosen, and what can; `key` is the name of the argument, if it differs from the error's."""
    figures = {"key": key or error.key, "given": str(error.given)[:_LONGEST], "known": ", ".join(error.known)}
    return Stop(words.text(f"choice.{error.reason}", **figures))
