"""The sentences of errors: the problem and the remedy, in the chosen language."""

from __future__ import annotations

from typing import Any

import click

from scorepad.cli.commands import COMMANDS
from scorepad.cli.options import parameter_origin
from scorepad.cli.output import LONGEST, Stop, chosen_words, t
from scorepad.errors import ChoiceError, ScorepadError, VariantError
from scorepad.i18n import os_error_text


def error_sentence(error: Exception) -> str:
    """The message for any error that ends a command."""
    match error:
        case click.ClickException():
            return _usage_error(error)
        case ScorepadError():
            return _scorepad_error(error)
        case OSError():
            return t("cli.machine", detail=os_error_text(error, chosen_words()))
        case _:
            return t("cli.broken", detail=type(error).__name__)


def _usage_error(error: click.ClickException) -> str:
    """The message for a usage error, because click's messages are in English."""
    if isinstance(error, Stop):
        return error.message
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "scorepad"
    match error:
        case click.MissingParameter(param=click.Parameter(human_readable_name=given)):
            key = "cli.missing"
        case click.BadParameter(param=click.Parameter() as param):
            return _bad_value(parameter_origin(context, param), param.type, command)
        case click.NoSuchCommand(command_name=name):
            key = "cli.no-command"
            given = name[:LONGEST]
        case click.NoSuchOption(option_name=given):
            key = "cli.no-option"
        case click.BadOptionUsage(option_name=given):
            key = "cli.no-value"
        case _:
            key = "cli.misused"
            given = ""
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


def _scorepad_error(error: ScorepadError) -> str:
    # Imported here: commands start faster without what only errors need.
    from scorepad.schemas import Unusable

    if isinstance(error, Unusable):
        return error.message(chosen_words())
    if isinstance(error, ChoiceError):
        given = str(error.given)[:LONGEST]
        known = ", ".join(error.known)
        return t(f"choice.{error.reason}", key=error.key, given=given, known=known)
    if isinstance(error, VariantError):
        from scorepad.i18n.variant_errors import variant_problem

        return variant_problem(error, chosen_words())
    from scorepad.cli.data_file_errors import data_file_error

    return data_file_error(error)
