"""The command `scorepad`: finds the language, builds the commands in it, and tells mistakes in one line."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from scorepad import __version__
from scorepad.cli.ending import DONE, UNUSABLE, Heard, Stop
from scorepad.cli.matches import matches_command
from scorepad.cli.score import score_command
from scorepad.cli.serve import serve_command
from scorepad.cli.sheet import sheet_command
from scorepad.cli.variants import variants_command
from scorepad.cli.wording import LANG, CommandInWords, GroupInWords, lang_option
from scorepad.i18n import Language, Words, because, words


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and leave with its status: 0, 1 refused, 2 unusable."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    speech = words(_language(given))
    try:
        status = build(speech).main(given, prog_name="scorepad", standalone_mode=False)
    except Stop as stop:
        _tell(stop.sentence)
        status = stop.status
    except click.ClickException as mistake:
        _tell(_mistake(mistake, speech))
        status = UNUSABLE
    except (click.Abort, KeyboardInterrupt):
        status = 130
    except Heard:
        # What is still waiting to be written goes nowhere, so that nothing complains when the process ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = DONE
    except OSError as trouble:
        _tell(speech.text("cli.machine", detail=because(trouble, speech)))
        status = UNUSABLE
    except Exception as trouble:  # noqa: BLE001 - whatever it is, a person gets a sentence
        _tell(speech.text("cli.broken", detail=type(trouble).__name__))
        status = UNUSABLE
    sys.exit(status if isinstance(status, int) else 0)


def build(speech: Words) -> click.Group:
    """The commands, with their help in one language."""

    @click.group(
        cls=GroupInWords,
        invoke_without_command=True,
        help=f"{speech.text('cli.about')} {speech.text('cli.about.more')}",
        words=speech,
    )
    @lang_option(speech)
    @click.version_option(__version__, message="%(prog)s %(version)s", help=speech.text("cli.version"))
    @click.pass_context
    def scorepad(context: click.Context, /, **_: Any) -> int | None:
        if context.invoked_subcommand is None:
            status: int = context.invoke(serve)
            return status
        return None

    serve = serve_command(speech)
    commands: list[CommandInWords] = [
        serve, score_command(speech), variants_command(speech), matches_command(speech), sheet_command(speech),
    ]  # fmt: skip
    for command in commands:
        scorepad.add_command(command)
    return scorepad


def _language(given: Sequence[str]) -> Language:
    """The language asked for, before anything else is read: even mistakes are told in it."""
    chosen = Language.ITALIAN
    for at, word in enumerate(given):
        value = given[at + 1] if word == LANG and at + 1 < len(given) else word.removeprefix(f"{LANG}=")
        if word.startswith(LANG) and value in tuple(Language):
            chosen = Language(value)
    return chosen


def _mistake(mistake: click.ClickException, speech: Words) -> str:
    context = getattr(mistake, "ctx", None)
    command = context.command_path if context else "scorepad"
    match mistake:
        case click.NoSuchOption():
            return speech.text("cli.no-option", given=mistake.option_name, command=command)
        case click.MissingParameter():
            name = mistake.param.make_metavar(context) if mistake.param and context else "?"
            return speech.text("cli.missing", given=name, command=command)
        case click.BadParameter():
            name = mistake.param.opts[0] if mistake.param else "?"
            return speech.text("cli.bad-value", given=name, command=command)
        case click.BadOptionUsage():
            return speech.text("cli.bad-value", given=mistake.option_name, command=command)
        case _:
            return speech.text("cli.misused", command=command)


def _tell(sentence: str) -> None:
    click.echo(" ".join(sentence.split()), err=True)
