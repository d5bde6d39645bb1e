"""Running `scorepad serve` as a service: its settings file, and `scorepad unit` for systemd."""

from __future__ import annotations

import errno
import re
import stat
import sys
import tomllib
from pathlib import Path
from typing import Any

import click
import platformdirs

from scorepad.assets import templates_dir
from scorepad.cli.base import SETTINGS_FILE, command, option, setting
from scorepad.cli.streams import DONE, Stop, print_error, print_text, require_name, shown
from scorepad.i18n import Words, os_error_text

_LINE = re.compile(r"line (\d+)")
_LONGEST_KEY = 40
_NOT_IN_FILE = {"config", "lang"}
_UNIT = Path(__file__).with_name("scorepad.service")
_DEFAULT_USER = "scorepad"
_USER = re.compile(r"[a-z_][a-z0-9_-]{0,30}")
_LONGEST_USER = 40
_UNWRITABLE = re.compile(r"[^\x20-\x7e\u00a0-\U0010ffff]|[\"\\]")
_HOMES = (Path("/home"), Path("/root"), Path("/run/user"))


def default_settings() -> Path:
    """The settings file where none is named: in the user's folder of settings."""
    return platformdirs.user_config_path("scorepad", appauthor=False) / "scorepad.toml"


def config(words: Words) -> click.Parameter:
    """`--config`: its file becomes click's `default_map`, before the other options are read."""

    def load(context: click.Context, _: click.Parameter, given: str | None) -> str | None:
        if not context.resilient_parsing:
            context.default_map = _defaults(context, given, words)
        return given

    more: dict[str, Any] = {"metavar": "FILE", "is_eager": True, "expose_value": False, "callback": load}
    return setting("config", "settings.config", {"file": shown(default_settings())}, **more)(words)


def _defaults(context: click.Context, given: str | None, words: Words) -> dict[str, Any]:
    """The values of the file by the names of their parameters. Raises Stop for a wrong key or type."""
    require_name(given, "--config", words)
    path = default_settings() if given is None else Path(given)
    context.meta[SETTINGS_FILE] = path
    options = {
        param.opts[0].lstrip("-"): param
        for param in context.command.params
        if isinstance(param, click.Option) and param.name not in _NOT_IN_FILE
    }
    defaults = {}
    for key, value in _read(path, words, is_required=given is not None).items():
        if key not in options:
            known = ", ".join(options)
            raise Stop(words.text("settings.no-key", key=shown(key[:_LONGEST_KEY]), file=shown(path), known=known))
        kind, fits = _kind(options[key], value)
        if not fits:
            raise Stop(words.text(f"settings.takes-{kind}", key=key, file=shown(path)))
        defaults[str(options[key].name)] = value
    return defaults


def _read(path: Path, words: Words, *, is_required: bool) -> dict[str, Any]:
    try:
        content = path.expanduser().read_bytes()
    except (OSError, RuntimeError) as error:  # RuntimeError: an unknown home folder
        if isinstance(error, FileNotFoundError) and not is_required:
            return {}
        cause = error if isinstance(error, OSError) else FileNotFoundError(errno.ENOENT, str(error))
        raise Stop(words.text("settings.unread", file=shown(path), detail=os_error_text(cause, words))) from None
    try:
        return tomllib.loads(content.decode())
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
    except tomllib.TOMLDecodeError as error:
        # An error at the end of the file names no line.
        found = _LINE.search(str(error))
        line = int(found[1]) if found else len(content.splitlines()) or 1
    raise Stop(words.text("settings.no-toml", file=shown(path), line=str(line)))


def _kind(option: click.Option, value: object) -> tuple[str, bool]:
    """The kind of value that an option takes in the file, and whether this value is one."""
    if option.is_flag:
        return "switch", isinstance(value, bool)
    if isinstance(option.type, click.IntRange):
        return "number", isinstance(value, int) and not isinstance(value, bool)
    if option.multiple:
        return "list", isinstance(value, list) and all(isinstance(each, str) for each in value)
    return "text", isinstance(value, str)


@command(
    "unit",
    option("--user", default=_DEFAULT_USER, metavar="NAME", help="unit.user", figures={"user": _DEFAULT_USER}),
    option("--config", metavar="FILE", help="unit.config"),
)
def unit_command(words: Words, user: str, config: str | None) -> int:
    """`scorepad unit`, for this program where it is installed now."""
    if not _USER.fullmatch(user):
        raise Stop(words.text("unit.no-user", given=shown(user[:_LONGEST_USER])))
    require_name(config, "--config", words)
    python, templates = Path(sys.executable), templates_dir()
    command = f'{_quoted(python, words)} -m scorepad serve --data "${{STATE_DIRECTORY}}/scorepad.db"'
    if config:
        command += f" --config {_quoted(Path(config).expanduser().absolute(), words)}"
    is_in_home = any(path.is_relative_to(home) for home in _HOMES for path in (python, templates))
    home = "read-only" if is_in_home else "yes"
    print_text(_UNIT.read_text(encoding="utf-8").format(command=command, user=user, home=home).rstrip())
    closed = closed_folder(python) or closed_folder(templates)
    if closed is not None:
        print_error(words.text("unit.closed", folder=shown(closed)))
    return DONE


def _quoted(path: Path, words: Words) -> str:
    """A path as an argument in ExecStart. Raises Stop for characters that cannot stand there."""
    if _UNWRITABLE.search(str(path)):
        raise Stop(words.text("unit.no-path", file=shown(path)))
    return f'"{path}"'.replace("%", "%%").replace("$", "$$")


def closed_folder(path: Path) -> Path | None:
    """The first folder above a path that only its owner may enter."""
    return next((folder for folder in reversed(path.parents) if not folder.stat().st_mode & stat.S_IXOTH), None)
