"""Commands and options of click, with their help and errors in the chosen language."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from scorepad.cli.output import LONGEST, Stop, printable_name, t
from scorepad.i18n import LANGUAGES

if TYPE_CHECKING:
    from click.types import OptionHelpExtra

SETTINGS_FILE = "scorepad.settings"
"""The key in `Context.meta` of the path of the settings file."""


class Formatter(click.HelpFormatter):
    """Writes the usage line and the headings in the chosen language."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:  # noqa: ARG002 - click's
        """Write the line `Usage: scorepad …`, with "Usage" in the chosen language."""
        usage = t("cli.usage")
        super().write_usage(prog, args, f"{usage}: ")

    @contextmanager
    def section(self, name: str) -> Iterator[None]:
        """Write a section of the help under its heading in the chosen language.

        click gives the English heading, `Options` or `Commands`, as the `name`.
        """
        heading = t(f"cli.{name.lower()}")
        with super().section(heading):
            yield


class Context(click.Context):
    formatter_class = Formatter


class Command(click.Command):
    """A command whose help and errors are in the chosen language: click's are English."""

    context_class = Context

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments of the command. Raises Stop for one too many.

        click would report that itself, but in English.
        """
        ctx.allow_extra_args = True
        arguments_left = super().parse_args(ctx, args)
        is_group = isinstance(self, click.Group)  # what is left for a group is the command in it
        if arguments_left and not is_group:
            first = arguments_left[0][:LONGEST]
            raise Stop("cli.too-many", given=first, command=ctx.command_path)
        return arguments_left

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return the option `--help`, described in the chosen language."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = t("cli.help")
        return option


class TranslatedOption(click.Option):
    """An option whose `help` is a message key.

    The message names the range, and the default as `%(default)s`; the help adds the environment
    variable.
    """

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the two columns of the help for this option: its names, and what it does.

        `("--port P", "port to listen on (8765) [SCOREPAD_PORT]")`. None for a hidden option.
        """
        columns = super().get_help_record(ctx)
        if columns is None:
            return None
        names, message_key = columns  # click has put there the `help`, which is a message key
        default = printable_name(self.get_default(ctx))
        text = t(message_key, default=default)  # most messages do not mention the default
        if self.envvar:
            text += f" [{self.envvar}]"
        return names, text

    def get_help_extra(self, ctx: click.Context) -> OptionHelpExtra:  # noqa: ARG002 - click's signature
        """Return nothing. What click would add to the help is in English: `[default: 8765]`."""
        return {}


class FileName(click.ParamType[Path]):
    """The name of a file or folder; `~` and `~USER` are expanded."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Turn a typed file name into a path: `~/pad.db` → `/home/anna/pad.db`.

        Raises Stop for an empty name, and for the home folder of a user who does not exist.
        """
        if not str(value):
            raise Stop("cli.no-name", given=parameter_origin(ctx, param))
        path = Path(value)
        try:
            return path.expanduser()
        except RuntimeError:
            home = path.parts[0]  # `~nobody`
            raise Stop("cli.no-home", given=printable_name(home)) from None


FILE = FileName()
option = partial(click.option, cls=TranslatedOption)


def setting(name: str, **more: Any) -> Callable[..., Any]:
    """Define an option that can also be given by an environment variable.

    `allow-host` → `--allow-host`, or `SCOREPAD_ALLOW_HOST`.
    """
    variable = name.upper().replace("-", "_")
    return option(f"--{name}", envvar=f"SCOREPAD_{variable}", **more)


def _use_variants(_: click.Context, __: click.Parameter, given: Path | None) -> None:
    """Load the user's own variants of the game from the folder of `--variants`.

    click calls this with the value of the option. Without one, they are in the user's configuration
    folder. Raises Stop if the given folder does not exist.
    """
    folder = given or Path(click.get_app_dir("scorepad")) / "variants"
    if given and not folder.is_dir():
        raise Stop("cli.no-variants", given=printable_name(given))
    from scorepad.rules.variants import offer_own_variants

    offer_own_variants(folder)


OWN_VARIANTS = TranslatedOption(
    ["--variants"],
    envvar="SCOREPAD_VARIANTS",
    type=FILE,
    metavar="DIR",
    help="cli.own-variants",
    callback=_use_variants,
    expose_value=False,
)
LANG = TranslatedOption(
    ["--lang"],
    type=click.Choice([language.value for language in LANGUAGES]),
    expose_value=False,
    help="cli.lang",
)
"""`--lang`; `main` reads it before the arguments are parsed."""
data = setting("data", type=FILE, help="cli.data")
"""`--data`, for every command that reads matches."""


def command(run: Callable[..., int]) -> click.Command:
    """Turn a function into a command of click that also has the options `--variants` and `--lang`.

    The function returns the exit status of the program.
    """
    click_command = click.command(cls=Command)(run)
    click_command.params += [OWN_VARIANTS, LANG]
    return click_command


# ---------------------------------------------------------------- where a value comes from


def setting_origin(name: str) -> str:
    """Tell where the user has set an option of the current command.

    A message asks the user to change it there: `port` → `--port`, `SCOREPAD_PORT` or
    `port (scorepad.toml)`.
    """
    context = click.get_current_context()
    for param in context.command.params:
        if param.name == name:
            return parameter_origin(context, param)
    raise LookupError(name)


def parameter_origin(context: click.Context | None, param: click.Parameter | None) -> str:
    """Tell where the user has given the value of a parameter, for messages about that value.

    - on the command line → the option or the name of the argument: `--port`, `FILE`
    - in an environment variable → `SCOREPAD_PORT`
    - in the settings file → the key and the file: `port (scorepad.toml)`
    - unknown to click → `?`
    """
    if context is None or param is None or param.name is None:
        return "?"
    source = context.get_parameter_source(param.name)
    if source is ParameterSource.ENVIRONMENT:
        return str(param.envvar)
    if source is ParameterSource.DEFAULT_MAP:
        key = param.opts[0].lstrip("-")
        file = printable_name(context.meta[SETTINGS_FILE])
        return f"{key} ({file})"
    if isinstance(param, click.Option):
        return param.opts[0]
    return param.human_readable_name
