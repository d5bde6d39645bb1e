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
    SPEECH,
    UNUSABLE,
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
    SPEECH.set(words(_language(argv)))
    sys.exit(_run(argv))


def _run(argv: list[str]) -> int:
    """Run the command line; returns the exit status. Errors are written as one line."""
    try:
        prepare_output()
        keep_libraries_off_output()
        scorepad.help = t("cli.about")
        status = scorepad.main(argv, "scorepad", standalone_mode=False)
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except SystemExit:  # standard output is a closed pipe
        discard_buffer(sys.stdout)
        return DONE
    except Exception as error:  # noqa: BLE001 - no traceback reaches a person
        _flush_output()
        write_error_line(error_sentence(error))
        return UNUSABLE
    return status if isinstance(status, int) else DONE


def _flush_output() -> None:
    """Write what is buffered, so that it stands before the line of an error."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except OSError:
        discard_buffer(sys.stdout)


def _language(argv: Sequence[str]) -> Language:
    """The language that the option `--lang` chooses; Italian if it chooses none that there is.

    It is read before click runs, because the errors of click are in that language too. Of several
    options the last counts, as in click.
    """
    chosen = Language.ITALIAN
    for value in _values_of_lang(argv):
        if value in tuple(Language):
            chosen = Language(value)
    return chosen


def _values_of_lang(argv: Sequence[str]) -> list[str]:
    """The values of `--lang` among the arguments: `--lang=it score --lang en` → `["it", "en"]`."""
    values = []
    previous = ""
    for argument in argv:
        if previous == "--lang":
            values.append(argument)
        if argument.startswith("--lang="):
            values.append(argument.removeprefix("--lang="))
        previous = argument
    return values
