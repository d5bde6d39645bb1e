"""What was typed wrongly on the command line, in words: click's own are English."""

from __future__ import annotations

import click

from scorepad.cli.settings import origin
from scorepad.errors import ChoiceError
from scorepad.i18n import Words

_LONGEST = 40


def mistake_told(mistake: click.ClickException, speech: Words) -> str:
    """What is wrong, and what is wanted."""
    context = getattr(mistake, "ctx", None)
    command = context.command_path if context else "scorepad"
    match mistake:
        case click.NoSuchOption():
            return speech.text("cli.no-option", given=mistake.option_name, command=command)
        case click.MissingParameter():
            name = mistake.param.make_metavar(context) if mistake.param and context else "?"
            return speech.text("cli.missing", given=name, command=command)
        case click.BadParameter():
            return _bad_value(mistake, command, speech)
        case click.BadOptionUsage():
            return speech.text("cli.no-value", given=mistake.option_name, command=command)
        case _:
            return speech.text("cli.misused", command=command)


def _bad_value(mistake: click.BadParameter, command: str, speech: Words) -> str:
    name = origin(mistake.ctx, mistake.param)
    match mistake.param.type if mistake.param else None:
        case click.IntRange(min=least, max=most):
            return speech.text("cli.bad-number", given=name, least=str(least), most=str(most))
        case click.Choice(choices=choices):
            return speech.text("cli.bad-choice", given=name, known=", ".join(map(str, choices)))
        case click.types.BoolParamType():
            return speech.text("cli.bad-choice", given=name, known="true, false")
        case _:
            return speech.text("cli.bad-value", given=name, command=command)


def choice_told(trouble: ChoiceError, speech: Words, key: str = "") -> str:
    """What cannot be chosen, and what can; `key` is what it is called where it was typed."""
    figures = {"key": key or trouble.key, "given": str(trouble.given)[:_LONGEST], "known": ", ".join(trouble.known)}
    return speech.text(f"choice.{trouble.reason}", **figures)
