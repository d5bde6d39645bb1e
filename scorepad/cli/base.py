"""The command `scorepad`: its commands, options and errors in the chosen language; streams and exit
statuses.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn

import click
from click.core import ParameterSource

from scorepad import __version__
from scorepad.errors import ChoiceError, ScorepadError, VariantError
from scorepad.i18n import LANGUAGES, Language, Words, os_error_text, words

if TYPE_CHECKING:
    from click.types import OptionHelpExtra

DONE, REFUSED, UNUSABLE, INTERRUPTED = 0, 1, 2, 130
"""Exit statuses; the last is that of shells after Ctrl-C."""
COMMANDS = {
    "serve": "serve", "score": "answers", "rule": "answers", "variants": "answers", "matches": "data_file",
    "sheet": "data_file", "pad": "data_file", "export": "data_file", "import": "data_file", "link": "serve",
    "backup": "data_file", "doctor": "data_file", "unit": "serve",
}  # fmt: skip
"""The commands, each with the module that defines `NAME_command`; `cli.NAME` is the message key of
its help.
"""
SETTINGS_FILE = "scorepad.settings"
"""The key in `Context.meta` of the path of the settings file."""
SPEECH: ContextVar[Words] = ContextVar("speech")
"""The words of the language chosen by `--lang`."""
LONGEST = 40
"""Characters of a wrong argument that an error repeats."""
_LONGEST_HELP, _LONGEST_NAME = 200, 240
"""Characters of a command's help in the list, and of a file name."""
_FALLBACK = "scorepad.fallback"
_OUTPUT, _ERRORS = 1, 2
"""The file descriptors of standard output and standard error."""
_REPLACEMENTS = {
    "−": "-", "–": "-", "“": '"', "”": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "…": "...", "·": "-", "×": "x",
}  # fmt: skip


def t(key: str, /, **arguments: int | str) -> str:
    """A message in the language of the command line."""
    return SPEECH.get().text(key, **arguments)


class Stop(click.ClickException):
    """Ends a command with a message on standard error."""

    def __init__(self, key: str, /, **arguments: int | str) -> None:
        super().__init__(t(key, **arguments))


# ---------------------------------------------------------------- streams


def echo(message: str | bytes) -> None:
    """Write text or bytes and a line break to standard output. Raises Stop; exits if the pipe is
    closed.
    """
    try:
        click.echo(message, sys.stdout)
    except BrokenPipeError:
        raise SystemExit from None  # as click does: `| head` is not an error
    except OSError as error:
        raise Stop("cli.cannot-answer", detail=os_error_text(error, SPEECH.get())) from error


def echo_error(sentence: str) -> None:
    """Write one line to standard error, if it is open."""
    try:
        click.echo(" ".join(sentence.split()), sys.stderr, err=True)
    except OSError:
        _discard(sys.stderr)


def _discard(stream: Any) -> None:
    """Discard buffered output, so that Python does not try to write it again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def shown(name: object) -> str:
    """A file name for a message: printable, on one line, shortened in the middle."""
    text = "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in str(name)
    )
    half = _LONGEST_NAME // 2
    return text if len(text) <= _LONGEST_NAME else f"{text[:half]}…{text[-half:]}"


@contextmanager
def open_input(file: Path | None) -> Iterator[BinaryIO]:
    """Open FILE, or standard input for None and `-`. Raises Stop if it cannot be opened or read."""
    path = None if file == Path("-") else file
    if path is None and sys.stdin is None:
        raise Stop("cli.no-input")
    try:
        with nullcontext(sys.stdin.buffer) if path is None else path.open("rb") as stream:
            yield stream
    except OSError as error:
        name = t("cli.input") if path is None else shown(path)
        raise Stop(
            "cli.cannot-read", file=name, detail=os_error_text(error, SPEECH.get())
        ) from None


def write_file(file: Path, content: bytes) -> None:
    """Write a file and print its name. Raises Stop."""
    try:
        file.write_bytes(content)
    except OSError as error:
        raise Stop(
            "cli.cannot-write", file=shown(file), detail=os_error_text(error, SPEECH.get())
        ) from error
    echo(t("cli.written", file=shown(file)))


# ---------------------------------------------------------------- commands and options


class Formatter(click.HelpFormatter):
    """Writes the usage line and the headings in the chosen language."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:  # noqa: ARG002 - click's
        """Write the usage line."""
        super().write_usage(prog, args, f"{t('cli.usage')}: ")

    @contextmanager
    def section(self, name: str) -> Iterator[None]:
        """A section under its heading, `Options` or `Commands`."""
        with super().section(t(f"cli.{name.lower()}")):
            yield


class Context(click.Context):
    """The context of a command."""

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
        """The `--help` option."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = t("cli.help")
        return option


class LazyGroup(Command, click.Group):
    """The group of `COMMANDS`: it imports the module of a command when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names of the commands, in the order of `COMMANDS`."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command; its help is in the chosen language."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"scorepad.cli.{COMMANDS[cmd_name]}")
        found: click.Command = getattr(module, f"{cmd_name}_command")
        found.help, epilog = t(f"cli.{cmd_name}"), f"cli.{cmd_name}.epilog"
        found.epilog = t(epilog) if SPEECH.get().has(epilog) else None
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands, without importing them."""
        rows = [
            (name, click.Command(name, help=t(f"cli.{name}")).get_short_help_str(_LONGEST_HELP))
            for name in COMMANDS
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


class Option(click.Option):
    """An option whose `help` is a message key.

    The message names the range, and the default as `%(default)s`; the help adds the environment
    variable.
    """

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The names of the option and its help in the chosen language."""
        names, key = super().get_help_record(ctx) or ("", "")
        text = t(key, default=shown(self.get_default(ctx)))
        return names, f"{text} [{self.envvar}]" if self.envvar else text

    def get_help_extra(self, ctx: click.Context) -> OptionHelpExtra:  # noqa: ARG002 - click's signature
        """Nothing, because click's additions are in English."""
        return {}


class FileName(click.ParamType[Path]):
    """The name of a file or folder; `~` and `~USER` are expanded."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path. Raises Stop for an empty name and an unknown home folder."""
        if not str(value):
            raise Stop("cli.no-name", given=_origin(ctx, param))
        try:
            return Path(value).expanduser()
        except RuntimeError:
            raise Stop("cli.no-home", given=shown(Path(value).parts[0])) from None


FILE = FileName()
option = partial(click.option, cls=Option)


def setting(name: str, **more: Any) -> Callable[..., Any]:
    """An option that can also be set by an environment variable: `SCOREPAD_ALLOW_HOST` for
    `allow-host`.
    """
    return option(f"--{name}", envvar=f"SCOREPAD_{name.upper().replace('-', '_')}", **more)


def _use_variants(_: click.Context, __: click.Parameter, given: Path | None) -> None:
    """Use the variants in the given folder, or in the user's configuration folder. Raises Stop."""
    folder = given or Path(click.get_app_dir("scorepad")) / "variants"
    if given and not folder.is_dir():
        raise Stop("cli.no-variants", given=shown(given))
    from scorepad.rules.variants import use_own

    use_own(folder)


OWN_VARIANTS = Option(
    ["--variants"], envvar="SCOREPAD_VARIANTS", type=FILE, metavar="DIR", help="cli.own-variants",
    callback=_use_variants, expose_value=False,
)  # fmt: skip
LANG = Option(
    ["--lang"],
    type=click.Choice([language.value for language in LANGUAGES]),
    expose_value=False,
    help="cli.lang",
)
"""`--lang`; `main` reads it before the arguments are parsed."""
data = setting("data", type=FILE, help="cli.data")
"""`--data`, for every command that reads matches."""


def command(run: Callable[..., int]) -> click.Command:
    """Turn a function into a command that also takes `--variants` and `--lang`."""
    made = click.command(cls=Command)(run)
    made.params += [OWN_VARIANTS, LANG]
    return made


@click.group(cls=LazyGroup, invoke_without_command=True)
@click.version_option(__version__, message="%(prog)s %(version)s", cls=Option, help="cli.version")
@click.pass_context
def scorepad(context: click.Context) -> int | None:
    """The command; without a subcommand it is `serve`."""
    if context.invoked_subcommand is not None:
        return None
    status: int = scorepad.main(["serve"], "scorepad", standalone_mode=False)
    return status


scorepad.params.insert(0, LANG)


# ---------------------------------------------------------------- errors


def origin(name: str) -> str:
    """The source of a value of the current command: `--port`, `SCOREPAD_PORT` or `port (FILE)`."""
    context = click.get_current_context()
    return _origin(context, next(param for param in context.command.params if param.name == name))


def _origin(context: click.Context | None, param: click.Parameter | None) -> str:
    if context is None or param is None or param.name is None:
        return "?"
    match context.get_parameter_source(param.name):
        case ParameterSource.ENVIRONMENT:
            return str(param.envvar)
        case ParameterSource.DEFAULT_MAP:
            return f"{param.opts[0].lstrip('-')} ({shown(context.meta[SETTINGS_FILE])})"
        case _:
            return param.opts[0] if isinstance(param, click.Option) else param.human_readable_name


def _usage_error(error: click.ClickException) -> str:
    """The message for a usage error, because click's messages are in English."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "scorepad"
    match error:
        case Stop():
            return error.message
        case click.BadParameter(param=click.Parameter() as param) if not isinstance(
            error, click.MissingParameter
        ):
            return _bad_value(_origin(context, param), param.type, command)
        case click.NoSuchCommand(command_name=given):
            key, given = "cli.no-command", given[:LONGEST]
        case click.NoSuchOption(option_name=given):
            key = "cli.no-option"
        case click.BadOptionUsage(option_name=given):
            key = "cli.no-value"
        case click.MissingParameter(param=click.Parameter(human_readable_name=given)):
            key = "cli.missing"
        case _:
            key, given = "cli.misused", ""
    return t(key, given=given, command=command, known=", ".join(COMMANDS))


def _bad_value(given: str, kind: click.ParamType[Any], command: str) -> str:
    match kind:
        case click.IntRange(min=least, max=most):
            return t("cli.bad-number", given=given, least=str(least), most=str(most))
        case click.Choice(choices=choices):
            return t("cli.bad-choice", given=given, known=", ".join(map(str, choices)))
        case click.types.BoolParamType():
            return t("cli.bad-choice", given=given, known="true, false")
        case _:
            return t("cli.bad-value", given=given, command=command)


def _sentence(error: Exception) -> str:
    """The message for an error: the problem and the remedy."""
    match error:
        case click.ClickException():
            return _usage_error(error)
        case ScorepadError():
            return _own_error(error)
        case OSError():
            return t("cli.machine", detail=os_error_text(error, SPEECH.get()))
        case _:
            return t("cli.broken", detail=type(error).__name__)


def _own_error(error: ScorepadError) -> str:
    from scorepad.schemas import Unusable  # only needed for errors

    if isinstance(error, Unusable):
        return error.message(SPEECH.get())
    if isinstance(error, ChoiceError):
        given, known = str(error.given)[:LONGEST], ", ".join(error.known)
        return t(f"choice.{error.reason}", key=error.key, given=given, known=known)
    if isinstance(error, VariantError):
        from scorepad.i18n.variant_errors import variant_problem

        return variant_problem(error, SPEECH.get())
    from scorepad.cli.data_file import error_text

    return error_text(error)


# ---------------------------------------------------------------- the command


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit: 0 done, 1 refused by the rules, 2 unusable."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    SPEECH.set(words(_language(given)))
    sys.exit(_run(given))


def _run(given: list[str]) -> int:
    try:
        _prepare_output()
        _keep_libraries_off_output()
        scorepad.help = t("cli.about")
        status = scorepad.main(given, "scorepad", standalone_mode=False)
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except SystemExit:  # standard output is a closed pipe
        _discard(sys.stdout)
        return DONE
    except Exception as error:  # noqa: BLE001 - no traceback reaches a person
        if sys.stdout is not None:
            try:
                sys.stdout.flush()
            except OSError:
                _discard(sys.stdout)
        echo_error(_sentence(error))
        return UNUSABLE
    return status if isinstance(status, int) else DONE


def _prepare_output() -> None:
    """Replace characters that the terminal cannot encode. Raises Stop if standard output is closed."""
    if sys.stdout is None:
        raise Stop("cli.no-output")
    codecs.register_error(_FALLBACK, _closest)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_FALLBACK)


def _keep_libraries_off_output() -> None:
    """Send to standard error what libraries write to standard output, also from C, for the rest of
    the process.

    Some print banners, which would stand among the answers. Our answers go to a duplicate of
    standard output, and its descriptor is redirected. It is not restored: a C library may write
    what it has buffered when the process ends.
    """
    output = sys.stdout
    if not isinstance(output, io.TextIOWrapper) or not _is_open(output, _OUTPUT):
        return  # replaced by a caller
    output.flush()
    answers = io.TextIOWrapper(
        os.fdopen(os.dup(_OUTPUT), "wb"),
        encoding=output.encoding,
        errors=output.errors,
        line_buffering=output.line_buffering,
    )
    if _is_open(sys.stderr, _ERRORS):
        os.dup2(_ERRORS, _OUTPUT)
    else:
        os.dup2(os.open(os.devnull, os.O_WRONLY), _OUTPUT)
    sys.stdout = answers


def _is_open(stream: Any, descriptor: int) -> bool:
    """Whether a stream is open, on this file descriptor."""
    try:
        return stream is not None and stream.fileno() == descriptor
    except (OSError, ValueError):
        return False


def _closest(error: UnicodeError) -> tuple[str, int]:
    """The codec error handler: `è` becomes `e`, `−` becomes `-`, characters without equivalent `?`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    import unicodedata

    lost = error.object[error.start : error.end]
    closest = (
        _REPLACEMENTS.get(letter) or unicodedata.normalize("NFKD", letter) for letter in lost
    )
    return "".join(
        letters.encode("ascii", "ignore").decode() or "?" for letters in closest
    ), error.end


def _language(given: Sequence[str]) -> Language:
    """The value of `--lang`, read before click runs, because its errors use that language too."""
    chosen = Language.ITALIAN
    for word, after in zip(given, [*given[1:], ""], strict=False):
        value = after if word == "--lang" else word.removeprefix("--lang=")
        if word.startswith("--lang") and value in tuple(Language):
            chosen = Language(value)
    return chosen
