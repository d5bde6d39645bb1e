"""The program `scorepad`: it runs a command and exits with its status."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from scorepad.cli.commands import scorepad
from scorepad.cli.error_messages import error_sentence
from scorepad.cli.output import (
    DONE,
    INTERRUPTED,
    UNUSABLE,
    chosen_words,
    discard_buffer,
    keep_libraries_off_output,
    prepare_output,
    t,
    write_error_line,
)
from scorepad.i18n import Language, words


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit: 0 done, 1 refused by the rules, 2 unusable."""
    argv = list(sys.argv[1:] if arguments is None else arguments)
    language = _find_chosen_language(argv)
    # Errors are reported after the command has ended, and in the same language: so the context
    # that has the words is around both.
    with click.Context(scorepad, obj=words(language)):
        status = _run(argv)
    sys.exit(status)


def _run(argv: list[str]) -> int:
    """Run the command line and return its exit status. An error is written as one line.

    0: done, 1: refused by the rules, 2: an error, 130: the user pressed Ctrl-C.
    """
    try:
        prepare_output()
        keep_libraries_off_output()
        # "A score pad and rules referee for canasta. …" in the chosen language
        scorepad.help = t("cli.about")
        # Without `standalone_mode`, click raises errors and returns the status of the command.
        status = scorepad.main(argv, "scorepad", standalone_mode=False, obj=chosen_words())
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except SystemExit:
        # The output goes to a pipe that its reader has closed, as `| head` does: no error.
        discard_buffer(sys.stdout)
        return DONE
    except Exception as error:  # noqa: BLE001 - no traceback reaches a person
        _flush_output()
        write_error_line(error_sentence(error))
        return UNUSABLE
    if isinstance(status, int):
        return status
    return DONE  # `--help` and `--version` return nothing


def _flush_output() -> None:
    """Write out what is still buffered, so that it appears before the line of an error."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except OSError:
        discard_buffer(sys.stdout)


def _find_chosen_language(argv: Sequence[str]) -> Language:
    """Find the language that the option `--lang` chooses; Italian if the option is missing.

    click reads the arguments only later, but its errors must be in that language already. As in
    click, the last option counts: `--lang it --lang en` → English. An unknown language is ignored
    here; click reports it.
    """
    chosen = Language.ITALIAN
    for value in _values_of_lang(argv):
        if value in tuple(Language):
            chosen = Language(value)
    return chosen


def _values_of_lang(argv: Sequence[str]) -> list[str]:
    """List the values of the option `--lang` among the arguments.

    `["--lang=it", "score", "--lang", "en"]` → `["it", "en"]`.
    """
    values = []
    previous_argument = ""
    for argument in argv:
        if previous_argument == "--lang":
            values.append(argument)
        if argument.startswith("--lang="):
            values.append(argument.removeprefix("--lang="))
        previous_argument = argument
    return values
