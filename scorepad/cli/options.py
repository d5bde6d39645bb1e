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
        usage = t("cli.usage")
        super().write_usage(prog, args, f"{usage}: ")

    @contextmanager
    def section(self, name: str) -> Iterator[None]:
        """A section under its heading, `Options` or `Commands`."""
        with super().section(t(f"cli.{name.lower()}")):
            yield


class Context(click.Context):
    formatter_class = Formatter


class Command(click.Command):
    """A command whose help and errors are in the chosen language: click's are English."""

    context_class = Context

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments. Raises Stop for an extra argument."""
        ctx.allow_extra_args = True
        more = super().parse_args(ctx, args)
        if more and not isinstance(self, click.Group):
            raise Stop("cli.too-many", given=more[0][:LONGEST], command=ctx.command_path)
        return more

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """The option `--help`, described in the chosen language."""
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
        """The names of the option and its help: `("--port P", "port to listen on [SCOREPAD_PORT]")`.

        It is None for an option that the help does not show.
        """
        record = super().get_help_record(ctx)
        if record is None:
            return None
        names, message_key = record  # click puts in `help` as it is
        text = t(message_key, default=printable_name(self.get_default(ctx)))
        if self.envvar:
            text = f"{text} [{self.envvar}]"
        return names, text

    def get_help_extra(self, ctx: click.Context) -> OptionHelpExtra:  # noqa: ARG002 - click's signature
        """Nothing, because click's additions are in English."""
        return {}


class FileName(click.ParamType[Path]):
    """The name of a file or folder; `~` and `~USER` are expanded."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path. Raises Stop for an empty name and an unknown home folder."""
        if not str(value):
            raise Stop("cli.no-name", given=parameter_origin(ctx, param))
        try:
            return Path(value).expanduser()
        except RuntimeError:
            raise Stop("cli.no-home", given=printable_name(Path(value).parts[0])) from None


FILE = FileName()
option = partial(click.option, cls=TranslatedOption)


def setting(name: str, **more: Any) -> Callable[..., Any]:
    """An option that can also be set by an environment variable.

    `allow-host` is the option `--allow-host`, and the variable `SCOREPAD_ALLOW_HOST`.
    """
    variable = name.upper().replace("-", "_")
    return option(f"--{name}", envvar=f"SCOREPAD_{variable}", **more)


def _use_variants(_: click.Context, __: click.Parameter, given: Path | None) -> None:
    """Use the variants in the given folder, or in the user's configuration folder. Raises Stop."""
    folder = given or Path(click.get_app_dir("scorepad")) / "variants"
    if given and not folder.is_dir():
        raise Stop("cli.no-variants", given=printable_name(given))
    from scorepad.rules.variants import use_own

    use_own(folder)


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
    """Turn a function into a command that also takes `--variants` and `--lang`.

    The function returns the exit status.
    """
    click_command = click.command(cls=Command)(run)
    click_command.params += [OWN_VARIANTS, LANG]
    return click_command


# ---------------------------------------------------------------- where a value comes from


def setting_origin(name: str) -> str:
    """Where a value of the current command was given: `--port`, `SCOREPAD_PORT` or `port (FILE)`.

    `name` is that of its parameter, `port`.
    """
    context = click.get_current_context()
    for param in context.command.params:
        if param.name == name:
            return parameter_origin(context, param)
    raise LookupError(name)


def parameter_origin(context: click.Context | None, param: click.Parameter | None) -> str:
    """Where the value of a parameter was given; `?` if click does not tell it.

    On the command line it is the option, `--port`, or the name of the argument, `FILE`; else the
    environment variable, `SCOREPAD_PORT`; or the key and the settings file, `port (scorepad.toml)`.
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
