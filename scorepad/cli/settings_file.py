"""The settings file of `scorepad serve`: its keys are the options of the command."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

import click
import platformdirs
from click.core import ParameterSource

from scorepad.cli.options import SETTINGS_FILE
from scorepad.cli.output import LONGEST, Stop, chosen_words, printable_name
from scorepad.i18n import describe_os_error

_NOT_IN_FILE = {"config", "lang"}
"""Options that the file cannot set."""
_LINE = re.compile(r"line (\d+)")


class SettingKind(StrEnum):
    """What kind of value a setting takes; the message `settings.takes-KIND` says it to people."""

    SWITCH = "switch"
    NUMBER = "number"
    LIST = "list"
    """A list of texts."""
    TEXT = "text"


_TYPES = {
    SettingKind.SWITCH: bool,
    SettingKind.NUMBER: int,
    SettingKind.LIST: list,
    SettingKind.TEXT: str,
}
"""The Python type of each kind of value in TOML."""


def default_settings() -> Path:
    """Return the path of the settings file if no other is named.

    It is `scorepad.toml` in the user's folder of configuration files.
    """
    return platformdirs.user_config_path("scorepad", appauthor=False) / "scorepad.toml"


def load_settings(context: click.Context, _: click.Parameter, path: Path) -> None:
    """Read the settings file, and let its values be the defaults of the command's options.

    click calls this with the path of `--config`. So an option on the command line still wins over
    the file. Raises Stop for an unknown key or a value of the wrong type.
    """
    context.meta[SETTINGS_FILE] = path  # for messages about a value that came from there
    is_named_by_user = context.get_parameter_source("config") is not ParameterSource.DEFAULT
    settings = _read_settings(path, is_required=is_named_by_user)
    options = _options_in_file(context.command)
    for key, value in settings.items():
        _require_usable_setting(key, value, options, path)
    # `allow-host` in the file is `allow_host` in Python.
    context.default_map = {str(options[key].name): value for key, value in settings.items()}


def _require_usable_setting(
    key: str, value: Any, options: Mapping[str, click.Option], path: Path
) -> None:
    """Raise Stop if a key of the settings file is none of these options, or has a wrong value.

    `path` is that of the file, for the message.
    """
    if key not in options:
        raise Stop(
            "settings.no-key",
            key=printable_name(key[:LONGEST]),
            file=printable_name(path),
            known=", ".join(options),
        )
    kind = _setting_kind(options[key])
    if not _has_kind(value, kind):
        raise Stop(f"settings.takes-{kind}", key=key, file=printable_name(path))


def _options_in_file(command: click.Command) -> dict[str, click.Option]:
    """List the options that the settings file may set, by their key in the file: `allow-host`."""
    options = {}
    for param in command.params:
        if isinstance(param, click.Option) and param.name not in _NOT_IN_FILE:
            key = param.opts[0].lstrip("-")
            options[key] = param
    return options


def _read_settings(path: Path, *, is_required: bool) -> dict[str, Any]:
    """Read the keys and values of the settings file.

    A missing file has none, unless it `is_required`. Raises Stop if the file cannot be read.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        is_missing = isinstance(error, FileNotFoundError)
        if is_missing and not is_required:
            return {}
        detail = describe_os_error(error, chosen_words())
        raise Stop("settings.unread", file=printable_name(path), detail=detail) from None
    return _parse_settings(content, path)


def _parse_settings(content: bytes, path: Path) -> dict[str, Any]:
    """Parse the content of the settings file, which is TOML.

    Raises Stop with the number of the line that is wrong.
    """
    try:
        return tomllib.loads(content.decode())
    except UnicodeDecodeError as error:
        content_before_error = content[: error.start]
        line = content_before_error.count(b"\n") + 1
    except tomllib.TOMLDecodeError as error:
        line = _line_of_error(error, content)
    raise Stop("settings.no-toml", file=printable_name(path), line=str(line))


def _line_of_error(error: tomllib.TOMLDecodeError, content: bytes) -> int:
    """Find the number of the line with an error, counted from 1.

    Python names it only in the text of its error: `… (at line 3, column 5)`. If it does not, the
    error is at the end of the file.
    """
    named_line = _LINE.search(str(error))
    if named_line:
        return int(named_line[1])
    return len(content.splitlines()) or 1


def _setting_kind(option: click.Option) -> SettingKind:
    """Return which kind of value an option takes in the file, such as a number or a list."""
    if option.is_flag:
        return SettingKind.SWITCH
    if isinstance(option.type, click.IntRange):
        return SettingKind.NUMBER
    if option.multiple:
        return SettingKind.LIST
    return SettingKind.TEXT


def _has_kind(value: Any, kind: SettingKind) -> bool:
    """Tell whether a value in the file is of this kind. A list must have only texts."""
    if type(value) is not _TYPES[kind]:  # no isinstance: true is no number
        return False
    if isinstance(value, list):
        return all(isinstance(entry, str) for entry in value)
    return True
