"""The command `scorepad`: its commands, options and errors in the chosen language; streams and exit statuses."""

from __future__ import annotations

import codecs
import io
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn

import click
from click.core import ParameterSource

from scorepad import __version__
from scorepad.errors import ChoiceError
from scorepad.i18n import LANGUAGES, Language, Words, os_error_text, words

if TYPE_CHECKING:
    from click.types import OptionHelpExtra

DONE, REFUSED, UNUSABLE, INTERRUPTED = 0, 1, 2, 130
"""Exit statuses; the last is that of shells after Ctrl-C."""
COMMANDS = {
    "serve": ("serve", "cli.serve"),
    "score": ("answers", "cli.score"),
    "rule": ("answers", "cli.rule"),
    "variants": ("answers", "cli.variants"),
    "matches": ("data_file", "cli.matches"),
    "sheet": ("data_file", "cli.sheet"),
    "pad": ("data_file", "paper.pad"),
    "export": ("data_file", "files.export"),
    "import": ("data_file", "files.import"),
    "link": ("serve", "cli.link"),
    "backup": ("data_file", "backup.help"),
    "doctor": ("data_file", "doctor.help"),
    "unit": ("serve", "unit.about"),
}
"""The commands, each with the module of its function `NAME_command(words)` and the message key of its help."""
SETTINGS_FILE = "scorepad.settings"
"""The key in `Context.meta` of the path of the settings file."""
_LONGEST, _LONGEST_HELP, _LONGEST_NAME = 40, 200, 240
"""Characters of a wrong argument in an error, of a command's help in the list, and of a file name."""
_FALLBACK = "scorepad.fallback"
_REPLACEMENTS = {
    "−": "-", "–": "-", "“": '"', "”": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "…": "...", "·": "-", "×": "x",
}  # fmt: skip


# ---------------------------------------------------------------- streams


class Stop(Exception):
    """Ends a command with a sentence on standard error."""


class ReaderGone(Exception):
    """The reader of standard output closed the pipe, as `| head` does. This is no error."""


class OutputFailed(Exception):
    """Standard output cannot be written; `error` is what the system reported."""

    def __init__(self, error: OSError) -> None:
        super().__init__(str(error))
        self.error = error


def print_text(text: str) -> None:
    """Write a text and a line break to standard output. Raises ReaderGone, OutputFailed."""
    _write(sys.stdout, f"{text}\n")


def print_bytes(content: bytes) -> None:
    """Write bytes, unchanged, and a line break to standard output. Raises ReaderGone, OutputFailed."""
    _write(sys.stdout.buffer, content + b"\n")


def print_error(sentence: str) -> None:
    """Write one line to standard error, if it is open."""
    if sys.stderr is None:
        return
    try:
        _write(sys.stderr, f"{' '.join(sentence.split())}\n")
    except (ReaderGone, OutputFailed):
        _discard(sys.stderr)


def _write(stream: Any, content: str | bytes) -> None:
    try:
        stream.write(content)
        stream.flush()
    except BrokenPipeError:
        raise ReaderGone from None
    except OSError as error:
        raise OutputFailed(error) from error


def _discard(stream: Any) -> None:
    """Send what is still buffered to the null device, so that Python does not write it again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def shown(name: object) -> str:
    """A file name for a sentence: printable, on one line, shortened in the middle."""
    text = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in str(name))
    half = _LONGEST_NAME // 2
    return text if len(text) <= _LONGEST_NAME else f"{text[:half]}…{text[-half:]}"


def require_name(given: str | None, option: str, words: Words) -> None:
    """Raise Stop if the file name given for an option is empty."""
    if given == "":
        raise Stop(words.text("cli.no-name", given=option))


@contextmanager
def open_input(file: str | None, words: Words) -> Iterator[BinaryIO]:
    """Open FILE, or standard input for None and `-`. Raises Stop if it cannot be opened or read."""
    require_name(file, "FILE", words)
    path = None if file in (None, "-") else Path(str(file))
    if path is None and sys.stdin is None:
        raise Stop(words.text("cli.no-input"))
    try:
        with nullcontext(sys.stdin.buffer) if path is None else path.open("rb") as stream:
            yield stream
    except OSError as error:
        name = words.text("cli.input") if path is None else shown(file)
        raise Stop(words.text("cli.cannot-read", file=name, detail=os_error_text(error, words))) from None


def write_file(file: Path, content: bytes, words: Words) -> None:
    """Write a file and print its name. Raises Stop."""
    try:
        file.write_bytes(content)
    except OSError as error:
        raise Stop(words.text("cli.cannot-write", file=shown(file), detail=os_error_text(error, words))) from error
    print_text(words.text("cli.written", file=shown(file)))


# ---------------------------------------------------------------- commands and options

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


class LazyGroup(Command, click.Group):
    """The group of `COMMANDS`: it imports the module of a command when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names of the commands, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import and build a command."""
        if cmd_name not in COMMANDS:
            return None
        module, help_key = COMMANDS[cmd_name]
        build: Callable[[Words], click.Command] = getattr(
            import_module(f"scorepad.cli.{module}"), f"{cmd_name}_command"
        )
        command = build(self.words)
        command.help = self.words.text(help_key)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands, without importing them."""
        rows = [
            (name, click.Command(name, help=self.words.text(key)).get_short_help_str(_LONGEST_HELP))
            for name, (_, key) in COMMANDS.items()
        ]
        with formatter.section(self.words.text("cli.commands")):
            formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command. Raises Stop if there is none of that name."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            raise Stop(self.words.text("cli.no-command", given=args[0][:_LONGEST], known=", ".join(COMMANDS)))
        return super().resolve_command(ctx, args)


def command(
    name: str, *parameters: Parameter, epilog: str = ""
) -> Callable[[Callable[..., int]], Callable[[Words], click.Command]]:
    """Make a function of the words and its parameters' values into a builder of the command; `--lang` comes last."""

    def decorate(run: Callable[..., int]) -> Callable[[Words], click.Command]:
        def build(words: Words) -> click.Command:
            built = [parameter(words) for parameter in (*parameters, own_variants, lang)]
            text = words.text(epilog) if epilog else None
            return Command(name, words=words, callback=partial(_with_variants, run, words), params=built, epilog=text)

        return build

    return decorate


def _with_variants(run: Callable[..., int], words: Words, variants: str | None, **values: Any) -> int:
    """Run a command with the variants of the folder given, or of the user's configuration. Raises Stop."""
    folder = Path(variants) if variants else Path(click.get_app_dir("scorepad")) / "variants"
    if variants is not None and not folder.is_dir():
        raise Stop(words.text("cli.no-variants", given=shown(variants)))
    from scorepad.rules.variants import use_own

    use_own(folder)
    return run(words, **values)


def argument(name: str, **more: Any) -> Parameter:
    """An argument."""
    return lambda _: click.Argument([name], **more)


def option(*names: str, help: str, figures: Mapping[str, str] | None = None, **more: Any) -> Parameter:  # noqa: A002
    """An option; `help` is a message key, `figures` what its text names."""
    return lambda words: Option(names, help=words.text(help, **figures or {}), **more)


def setting(name: str, help: str, figures: Mapping[str, str] | None = None, **more: Any) -> Parameter:  # noqa: A002
    """An option that an environment variable sets too; the help names the variable."""

    def build(words: Words) -> click.Parameter:
        text = f"{words.text(help, **figures or {})} [{variable(name)}]"
        return Option([f"--{name}"], help=text, envvar=variable(name), **more)

    return build


def variable(name: str) -> str:
    """The environment variable of an option: `SCOREPAD_ALLOW_HOST` for `allow-host`."""
    return f"SCOREPAD_{name.upper().replace('-', '_')}"


def lang(words: Words) -> click.Option:
    """`--lang`, which every command takes; `main` reads it before it builds the commands."""
    choice = click.Choice([language.value for language in LANGUAGES])
    return Option(["--lang"], type=choice, expose_value=False, help=words.text("cli.lang"))


own_variants = setting("variants", "cli.own-variants", metavar="DIR")
"""`--variants`, which every command takes: the folder of the user's own variants."""
data = setting("data", "cli.data", metavar="FILE")
"""`--data`, for every command that reads matches."""


# ---------------------------------------------------------------- errors


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


def choice_error(error: ChoiceError, words: Words, key: str = "") -> Stop:
    """What cannot be chosen, and what can; `key` is the name of the argument, if it differs from the error's."""
    figures = {"key": key or error.key, "given": str(error.given)[:_LONGEST], "known": ", ".join(error.known)}
    return Stop(words.text(f"choice.{error.reason}", **figures))


def _usage_error(error: click.ClickException, words: Words) -> str:
    """What is wrong with the command line, and what it takes: click's sentences are English."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "scorepad"
    match error:
        case click.NoSuchOption() | click.BadOptionUsage():
            key = "cli.no-option" if isinstance(error, click.NoSuchOption) else "cli.no-value"
            return words.text(key, given=error.option_name, command=command)
        case click.MissingParameter():
            name = error.param.make_metavar(context) if error.param and context else "?"
            return words.text("cli.missing", given=name, command=command)
        case click.BadParameter():
            return _bad_value(error, command, words)
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


def _sentence(error: Exception, words: Words) -> str:
    """What went wrong and what to do."""
    match error:
        case Stop():
            return str(error)
        case click.ClickException():
            return _usage_error(error, words)
        case OutputFailed():
            return words.text("cli.cannot-answer", detail=os_error_text(error.error, words))
        case OSError():
            return words.text("cli.machine", detail=os_error_text(error, words))
        case _:
            return words.text("cli.broken", detail=type(error).__name__)


# ---------------------------------------------------------------- the command


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit: 0 done, 1 refused by the rules, 2 unusable."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    sys.exit(_run(given, words(_language(given))))


def _run(given: list[str], words: Words) -> int:
    try:
        _prepare_output(words)
        status = _group(words).main(given, prog_name="scorepad", standalone_mode=False)
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except (ReaderGone, SystemExit):  # click exits by itself if the reader of its help is gone
        _discard(sys.stdout)
        return DONE
    except Exception as error:  # noqa: BLE001 - no traceback reaches a person
        if sys.stdout is not None:
            try:
                sys.stdout.flush()
            except OSError:
                _discard(sys.stdout)
        print_error(_sentence(error, words))
        return UNUSABLE
    return status if isinstance(status, int) else DONE


def _prepare_output(words: Words) -> None:
    """Replace characters that the terminal cannot encode. Raises Stop if standard output is closed."""
    if sys.stdout is None:
        raise Stop(words.text("cli.no-output"))
    codecs.register_error(_FALLBACK, _closest)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_FALLBACK)


def _closest(error: UnicodeError) -> tuple[str, int]:
    """The codec error handler: `è` becomes `e`, `−` becomes `-`, and what has no equivalent `?`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    import unicodedata

    lost = error.object[error.start : error.end]
    closest = (_REPLACEMENTS.get(letter) or unicodedata.normalize("NFKD", letter) for letter in lost)
    return "".join(letters.encode("ascii", "ignore").decode() or "?" for letters in closest), error.end


def _group(words: Words) -> click.Group:
    @click.group(
        cls=LazyGroup,
        invoke_without_command=True,
        help=f"{words.text('cli.about')} {words.text('cli.about.more')}",
        words=words,
    )
    @click.version_option(__version__, message="%(prog)s %(version)s", help=words.text("cli.version"))
    @click.pass_context
    def scorepad(context: click.Context, /, **_: Any) -> int | None:
        serve = scorepad.get_command(context, "serve") if context.invoked_subcommand is None else None
        if serve is None:
            return None
        # Not `context.invoke`, which reads neither the environment nor the settings file.
        with serve.make_context("serve", [], parent=context) as alone:
            status: int = serve.invoke(alone)
        return status

    scorepad.params.insert(0, lang(words))
    return scorepad


def _language(given: Sequence[str]) -> Language:
    """The value of `--lang`, read before click runs: its errors are in that language too."""
    chosen = Language.ITALIAN
    for index, word in enumerate(given):
        value = given[index + 1] if word == "--lang" and index + 1 < len(given) else word.removeprefix("--lang=")
        if word.startswith("--lang") and value in tuple(Language):
            chosen = Language(value)
    return chosen
