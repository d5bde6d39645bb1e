"""The sentences of errors: the problem and the remedy, in the chosen language."""

from __future__ import annotations

from typing import Any

import click

from scorepad.cli.commands import COMMANDS
from scorepad.cli.options import parameter_origin
from scorepad.cli.output import LONGEST, Stop, chosen_words, t
from scorepad.errors import ChoiceError, ScorepadError, VariantError
from scorepad.i18n import describe_os_error


def error_sentence(error: Exception) -> str:
    """Return the message to print for any error that ends a command."""
    if isinstance(error, click.ClickException):
        return _usage_error(error)
    if isinstance(error, ScorepadError):
        return _scorepad_error(error)
    if isinstance(error, OSError):
        return t("cli.machine", detail=describe_os_error(error, chosen_words()))
    return t("cli.broken", detail=type(error).__name__)


def _usage_error(error: click.ClickException) -> str:
    """Return the message for wrong use of the command line, in the chosen language.

    click has such messages itself, but in English only.
    """
    if isinstance(error, Stop):
        return error.message
    context: click.Context | None = getattr(error, "ctx", None)  # some of click's errors have it
    command = context.command_path if context else "scorepad"
    if isinstance(error, click.MissingParameter) and error.param is not None:
        return t("cli.missing", given=error.param.human_readable_name, command=command)
    if isinstance(error, click.BadParameter) and error.param is not None:
        origin = parameter_origin(context, error.param)
        return _bad_value(origin, error.param.type, command)
    if isinstance(error, click.NoSuchCommand):
        known = ", ".join(COMMANDS)
        return t("cli.no-command", given=error.command_name[:LONGEST], known=known, command=command)
    if isinstance(error, click.NoSuchOption):
        return t("cli.no-option", given=error.option_name, command=command)
    if isinstance(error, click.BadOptionUsage):
        return t("cli.no-value", given=error.option_name, command=command)
    return t("cli.misused", command=command)


def _bad_value(origin: str, kind: click.ParamType[Any], command: str) -> str:
    """Return the message for a value of the wrong type, which says what is expected.

    `origin` is where the value was given, such as `--port`.
    """
    if isinstance(kind, click.IntRange):
        return t("cli.bad-number", given=origin, least=str(kind.min), most=str(kind.max))
    if isinstance(kind, click.Choice):
        choices = ", ".join(str(choice) for choice in kind.choices)
        return t("cli.bad-choice", given=origin, known=choices)
    if isinstance(kind, click.types.BoolParamType):
        return t("cli.bad-choice", given=origin, known="true, false")
    return t("cli.bad-value", given=origin, command=command)


def _scorepad_error(error: ScorepadError) -> str:
    """Return the message for an error of this program: in the input, the rules, or the data file."""
    # Imported here: commands start faster without what only errors need.
    from scorepad.schemas import Unusable

    if isinstance(error, Unusable):
        return error.message(chosen_words())
    if isinstance(error, ChoiceError):
        given = str(error.given)[:LONGEST]
        known = ", ".join(error.known)
        return t(f"choice.{error.reason}", key=error.key, given=given, known=known)
    if isinstance(error, VariantError):
        from scorepad.i18n.variant_errors import describe_variant_error

        return describe_variant_error(error, chosen_words())
    from scorepad.cli.data_file_errors import data_file_error

    return data_file_error(error)
