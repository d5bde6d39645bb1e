"""The command `scorepad`: its commands, its language, and the sentence and exit status of an error."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from scorepad import __version__
from scorepad.cli.base import LazyCommand, LazyGroup, lang, usage_error
from scorepad.cli.streams import (
    DONE,
    UNUSABLE,
    OutputFailed,
    ReaderGone,
    Stop,
    discard,
    flush_or_discard,
    prepare,
    print_error,
)  # fmt: skip
from scorepad.i18n import Language, Words, os_error_text, words

INTERRUPTED = 130
"""The exit status after Ctrl-C, as in shells."""

COMMANDS = {
    "serve": LazyCommand("scorepad.cli.serve", "cli.serve"),
    "score": LazyCommand("scorepad.cli.answers", "cli.score"),
    "rule": LazyCommand("scorepad.cli.answers", "cli.rule"),
    "variants": LazyCommand("scorepad.cli.answers", "cli.variants"),
    "matches": LazyCommand("scorepad.cli.data_file", "cli.matches"),
    "sheet": LazyCommand("scorepad.cli.data_file", "cli.sheet"),
    "pad": LazyCommand("scorepad.cli.data_file", "paper.pad"),
    "export": LazyCommand("scorepad.cli.data_file", "files.export"),
    "import": LazyCommand("scorepad.cli.data_file", "files.import"),
    "link": LazyCommand("scorepad.cli.serve", "cli.link"),
    "backup": LazyCommand("scorepad.cli.data_file", "backup.help"),
    "doctor": LazyCommand("scorepad.cli.doctor", "doctor.help"),
    "unit": LazyCommand("scorepad.cli.service", "unit.about"),
}


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit: 0 done, 1 refused by the rules, 2 unusable."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    sys.exit(_run(given, words(_language(given))))


def _run(given: list[str], words: Words) -> int:
    try:
        prepare(words)
        status = _group(words).main(given, prog_name="scorepad", standalone_mode=False)
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except (ReaderGone, SystemExit):  # click exits by itself if the reader of its help is gone
        discard(sys.stdout.fileno())
        return DONE
    except Exception as error:  # noqa: BLE001 - no traceback reaches a person
        flush_or_discard()
        print_error(_sentence(error, words))
        return error.status if isinstance(error, Stop) else UNUSABLE
    return status if isinstance(status, int) else DONE


def _sentence(error: Exception, words: Words) -> str:
    """What went wrong and what to do."""
    match error:
        case Stop():
            return error.sentence
        case click.ClickException():
            return usage_error(error, words)
        case OutputFailed():
            return words.text("cli.cannot-answer", detail=os_error_text(error.error, words))
        case OSError():
            return words.text("cli.machine", detail=os_error_text(error, words))
        case _:
            return words.text("cli.broken", detail=type(error).__name__)


def _group(words: Words) -> click.Group:
    @click.group(
        cls=LazyGroup,
        lazy=COMMANDS,
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
