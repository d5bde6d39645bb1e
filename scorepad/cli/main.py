"""The command `scorepad`: finds the language, builds the commands in it, and tells mistakes in one line."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from scorepad import __version__
from scorepad.cli.backup import backup_command
from scorepad.cli.blank import pad_command
from scorepad.cli.doctor import doctor_command
from scorepad.cli.ending import DONE, UNUSABLE, Heard, Stop, Unheard
from scorepad.cli.export import export_command
from scorepad.cli.importing import import_command
from scorepad.cli.link import link_command
from scorepad.cli.matches import matches_command
from scorepad.cli.mistakes import mistake_told
from scorepad.cli.printing import give_up_answering, hush, prepare, tell
from scorepad.cli.rule import rule_command
from scorepad.cli.score import score_command
from scorepad.cli.serve import serve_command
from scorepad.cli.sheet import sheet_command
from scorepad.cli.unit import unit_command
from scorepad.cli.variants import variants_command
from scorepad.cli.wording import LANG, CommandInWords, GroupInWords, lang_option
from scorepad.i18n import Language, Words, because, words

STOPPED = 130
"""The status of a command that somebody stopped with Ctrl-C, as shells have it."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and leave with its status: 0, 1 refused, 2 unusable."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    sys.exit(_run(given, words(_language(given))))


def _run(given: list[str], speech: Words) -> int:
    try:
        prepare(speech)
        status = build(speech).main(given, prog_name="scorepad", standalone_mode=False)
    except (click.Abort, KeyboardInterrupt):
        return STOPPED
    except (Heard, SystemExit):  # click leaves where whoever read its help has heard enough
        hush(sys.stdout.fileno())
        return DONE
    except Exception as trouble:  # noqa: BLE001 - whatever it is, a person gets a sentence
        give_up_answering()
        tell(_sentence(trouble, speech))
        return trouble.status if isinstance(trouble, Stop) else UNUSABLE
    return status if isinstance(status, int) else DONE


def _sentence(trouble: Exception, speech: Words) -> str:
    """What went wrong and what to do."""
    match trouble:
        case Stop():
            return trouble.sentence
        case click.ClickException():
            return mistake_told(trouble, speech)
        case Unheard():
            return speech.text("cli.cannot-answer", detail=because(trouble.trouble, speech))
        case OSError():
            return speech.text("cli.machine", detail=because(trouble, speech))
        case _:
            return speech.text("cli.broken", detail=type(trouble).__name__)


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
            # Not by `invoke`, which would look neither into the environment nor into the file of the settings.
            with serve.make_context("serve", [], parent=context) as alone:
                status: int = serve.invoke(alone)
            return status
        return None

    serve = serve_command(speech)
    commands: list[CommandInWords] = [
        serve, score_command(speech), rule_command(speech), variants_command(speech), matches_command(speech),
        sheet_command(speech), pad_command(speech), export_command(speech), import_command(speech),
        link_command(speech), backup_command(speech), doctor_command(speech), unit_command(speech),
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
