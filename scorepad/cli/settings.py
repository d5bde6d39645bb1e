"""What `scorepad serve` is set by: the command line, else the environment, else a file."""

from __future__ import annotations

import errno
import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click
import platformdirs
from click.core import ParameterSource

from scorepad.cli.ending import Stop
from scorepad.cli.printing import shown
from scorepad.cli.wording import OptionInWords
from scorepad.i18n import Words, because

_FILE = "scorepad.settings"
"""Where a command keeps the name of the file that it was set by."""
_LINE = re.compile(r"line (\d+)")
_NOT_SET = {"config", "lang", "help"}
"""What only the command line says."""


def default_settings() -> Path:
    """The file of the settings where none is named: in the user's folder of settings."""
    return platformdirs.user_config_path("scorepad", appauthor=False) / "scorepad.toml"


def variable(name: str) -> str:
    """The variable of the environment that sets an option: `SCOREPAD_ALLOW_HOST` for `allow_host`."""
    return f"SCOREPAD_{name.upper().replace('-', '_')}"


def setting(name: str, *, help: str, **more: Any) -> Callable[[Any], Any]:  # noqa: A002 - as click calls it
    """An option that the environment and the file set as well; its help names the variable."""
    told = f"{help} [{variable(name)}]"
    return click.option(f"--{name}", cls=OptionInWords, envvar=variable(name), help=told, **more)


def config_option(speech: Words) -> Callable[[Any], Any]:
    """`--config`, read before all others: what the file says holds where nothing else does."""

    def read(context: click.Context, _: click.Parameter, given: str | None) -> str | None:
        if not context.resilient_parsing:
            context.default_map = _settings(context, given, speech)
        return given

    told = speech.text("settings.config", file=shown(default_settings()))
    return click.option(
        "--config", cls=OptionInWords, envvar=variable("config"), metavar="FILE", is_eager=True, expose_value=False,
        callback=read, help=f"{told} [{variable('config')}]",
    )  # fmt: skip


def origin(context: click.Context | None, param: click.Parameter | None) -> str:
    """What a value was given by, as a person finds it again: `--port`, `SCOREPAD_PORT`, `port (in FILE)`."""
    if param is None or param.name is None:
        return "?"
    source = context.get_parameter_source(param.name) if context else None
    if context and source is ParameterSource.ENVIRONMENT:
        return variable(param.name)
    if context and source is ParameterSource.DEFAULT_MAP:
        return f"{_key(param)} ({shown(context.meta[_FILE])})"
    return param.opts[0]


def origins(context: click.Context) -> Mapping[str, str]:
    """What each value of a command was given by."""
    return {param.name or "": origin(context, param) for param in context.command.params}


def _settings(context: click.Context, given: str | None, speech: Words) -> dict[str, Any]:
    """What the file sets, by the names of the options. Raises Stop."""
    if given == "":
        raise Stop(speech.text("cli.no-name", given="--config"))
    file = default_settings() if given is None else Path(given)
    context.meta[_FILE] = file
    takes = {_key(param): param for param in context.command.params if param.name not in _NOT_SET}
    found = _read(file, speech, needed=given is not None)
    for key, value in found.items():
        if key not in takes:
            known = ", ".join(takes)
            raise Stop(speech.text("settings.no-key", key=shown(key[:40]), file=shown(file), known=known))
        kind, fits = _kind(takes[key], value)
        if not fits:
            raise Stop(speech.text(f"settings.takes-{kind}", key=key, file=shown(file)))
    return {takes[key].name or "": value for key, value in found.items()}


def _read(file: Path, speech: Words, *, needed: bool) -> dict[str, Any]:
    try:
        octets = file.expanduser().read_bytes()
    except FileNotFoundError as trouble:
        if not needed:
            return {}
        raise Stop(speech.text("settings.unread", file=shown(file), detail=because(trouble, speech))) from None
    except (OSError, RuntimeError) as trouble:  # RuntimeError: the home folder of nobody
        cause = trouble if isinstance(trouble, OSError) else FileNotFoundError(errno.ENOENT, str(trouble))
        raise Stop(speech.text("settings.unread", file=shown(file), detail=because(cause, speech))) from None
    try:
        return tomllib.loads(octets.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as trouble:
        line = str(_line(trouble, octets))
        raise Stop(speech.text("settings.no-toml", file=shown(file), line=line)) from None


def _line(trouble: ValueError, octets: bytes) -> int:
    """The line of the file that cannot be read: the last one, where it is said to stop too early."""
    if isinstance(trouble, UnicodeDecodeError):
        return octets[: trouble.start].count(b"\n") + 1
    told = _LINE.search(str(trouble))
    return int(told[1]) if told else len(octets.splitlines()) or 1


def _key(param: click.Parameter) -> str:
    """What an option is called in the file: as on the command line."""
    return param.opts[0].lstrip("-")


def _kind(param: click.Parameter, value: object) -> tuple[str, bool]:
    """Which kind of value an option takes in the file, and whether this one is of it."""
    if isinstance(param, click.Option) and param.is_flag:
        return "switch", isinstance(value, bool)
    if isinstance(param.type, click.IntRange):
        return "number", isinstance(value, int) and not isinstance(value, bool)
    if isinstance(param, click.Option) and param.multiple:
        return "list", isinstance(value, list) and all(isinstance(each, str) for each in value)
    return "text", isinstance(value, str)
