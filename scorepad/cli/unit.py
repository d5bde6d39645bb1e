"""`scorepad unit`: a systemd unit that runs the server."""

from __future__ import annotations

import re
import stat
import sys
from pathlib import Path

from scorepad.assets import templates_dir
from scorepad.cli.options import FILE, command, option
from scorepad.cli.output import (
    DONE,
    LONGEST,
    Stop,
    printable_name,
    t,
    write_error_line,
    write_line,
)

_UNIT = Path(__file__).with_name("scorepad.service")
_USER = re.compile(r"[a-z_][a-z0-9_-]{0,30}")
_UNWRITABLE = re.compile(r"[^\x20-\x7e\u00a0-\U0010ffff]|[\"\\]")
"""Characters that a path in ExecStart may not have."""
_HOMES = (Path("/home"), Path("/root"), Path("/run/user"))
"""Folders that `ProtectHome=yes` makes inaccessible."""


@command
@option("--user", default="scorepad", metavar="NAME", help="unit.user")
@option("--config", type=FILE, help="unit.config")
def unit_command(user: str, config: Path | None) -> int:
    """`scorepad unit`: print a systemd unit that runs this program where it is installed now."""
    if not _USER.fullmatch(user):
        raise Stop("unit.no-user", given=printable_name(user[:LONGEST]))
    write_line(_unit_text(user, _start_command(config)))

    # The user of the unit could not read a program that is installed in such a folder.
    closed = closed_folder(Path(sys.executable)) or closed_folder(templates_dir())
    if closed is not None:
        write_error_line(t("unit.closed", folder=printable_name(closed)))
    return DONE


def _unit_text(user: str, start_command: str) -> str:
    """The text of the systemd unit that runs a command as this user."""
    reads_home = _is_in_home(Path(sys.executable)) or _is_in_home(templates_dir())
    template = _UNIT.read_text(encoding="utf-8")
    unit = template.format(
        command=start_command,
        user=user,
        home="read-only" if reads_home else "yes",  # of ProtectHome
    )
    return unit.rstrip()


def _start_command(config: Path | None) -> str:
    """The command that starts the server, perhaps with a settings file, quoted for systemd.

    The data file is in the folder that systemd makes for the unit.
    """
    python = _quoted(Path(sys.executable))
    command_line = f'{python} -m scorepad serve --data "${{STATE_DIRECTORY}}/scorepad.db"'
    if config:
        command_line += f" --config {_quoted(config.absolute())}"
    return command_line


def _is_in_home(path: Path) -> bool:
    """Whether a path is in the home folder of some user."""
    return any(path.is_relative_to(home) for home in _HOMES)


def _quoted(path: Path) -> str:
    """A path quoted for ExecStart. Raises Stop for characters not allowed there."""
    if _UNWRITABLE.search(str(path)):
        raise Stop("unit.no-path", file=printable_name(path))
    return f'"{path}"'.replace("%", "%%").replace("$", "$$")


def closed_folder(path: Path) -> Path | None:
    """The first folder above a path that only its owner may enter; None if there is none."""
    for folder in reversed(path.parents):
        may_others_enter = folder.stat().st_mode & stat.S_IXOTH
        if not may_others_enter:
            return folder
    return None
