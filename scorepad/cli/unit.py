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
    """Run `scorepad unit`: print a file for systemd that starts the server with the machine.

    The server runs as this user. A warning is printed if that user cannot read the program, because
    it is installed in somebody's private folder.
    """
    if not _USER.fullmatch(user):
        # "--user takes the name of a user, such as scorepad; “…” is none."
        raise Stop("unit.no-user", given=printable_name(user[:LONGEST]))
    write_line(_unit_text(user, _start_command(config)))

    python = Path(sys.executable)
    private_folder = closed_folder(python) or closed_folder(templates_dir())
    if private_folder is not None:
        write_error_line(t("unit.closed", folder=printable_name(private_folder)))
    return DONE


def _unit_text(user: str, start_command: str) -> str:
    """Fill in the template of the systemd unit: the user, and the command that starts the server."""
    is_program_in_home = _is_in_home(Path(sys.executable)) or _is_in_home(templates_dir())
    # The value of `ProtectHome=`: with `yes`, the server could not read a program in a home folder.
    protect_home = "read-only" if is_program_in_home else "yes"
    template = _UNIT.read_text(encoding="utf-8")
    unit = template.format(command=start_command, user=user, home=protect_home)
    return unit.rstrip()


def _start_command(config: Path | None) -> str:
    """Build the command line that starts the server, quoted for systemd.

    `"/opt/…/python" -m scorepad serve …`. `config` is the settings file, if any. The data file is
    in the folder that systemd makes for the unit.
    """
    python = _quoted(Path(sys.executable))
    command_line = f'{python} -m scorepad serve --data "${{STATE_DIRECTORY}}/scorepad.db"'
    if config:
        command_line += f" --config {_quoted(config.absolute())}"
    return command_line


def _is_in_home(path: Path) -> bool:
    """Tell whether a path is in a user's home folder, which systemd may hide from the server."""
    return any(path.is_relative_to(home) for home in _HOMES)


def _quoted(path: Path) -> str:
    """Quote a path for the line ExecStart of a systemd unit: `/opt/pad` → `"/opt/pad"`.

    Raises Stop for characters that the path may not have.
    """
    if _UNWRITABLE.search(str(path)):
        raise Stop("unit.no-path", file=printable_name(path))
    quoted_path = f'"{path}"'
    return quoted_path.replace("%", "%%").replace("$", "$$")  # signs with a meaning for systemd


def closed_folder(path: Path) -> Path | None:
    """Find the outermost folder above a path that only its owner may enter; None if there is none.

    `/home/anna/scorepad` → `/home/anna`, if other users have no right to enter it.
    """
    for folder in reversed(path.parents):
        may_others_enter = folder.stat().st_mode & stat.S_IXOTH
        if not may_others_enter:
            return folder
    return None
