"""What `scorepad unit` prints: the service as systemd reads it."""

from __future__ import annotations

import re
import stat
import sys
from pathlib import Path

from scorepad.assets import templates_dir
from scorepad.cli.ending import DONE, Stop
from scorepad.cli.printing import say, shown, tell
from scorepad.i18n import Words

_USER = re.compile(r"[a-z_][a-z0-9_-]{0,30}")
_UNWRITABLE = re.compile(r"[^\x20-\x7e\u00a0-\U0010ffff]|[\"\\]")
_HOMES = (Path("/home"), Path("/root"), Path("/run/user"))

_UNIT = """\
[Unit]
Description=Scorepad, segnapunti della canasta
Wants=network-online.target
After=network-online.target

[Service]
ExecStart={command}
User={user}
Restart=on-failure
RestartSec=5
# It finishes what runs for 10 seconds. Its memory stays under 300 MB however many ask, so more is a fault.
TimeoutStopSec=20
MemoryMax=512M
# The matches, in /var/lib/{user}, and what the PDFs remember of the fonts, in /var/cache/{user}.
StateDirectory={user}
StateDirectoryMode=0700
CacheDirectory={user}
Environment=HOME=/var/lib/{user} XDG_CACHE_HOME=/var/cache/{user} PYTHONDONTWRITEBYTECODE=1
# What waits to be sent or read waits on the disk: /tmp may be in memory.
Environment=TMPDIR=/var/tmp
UMask=0077
# Nothing else can be written, and nothing be had but the network.
NoNewPrivileges=yes
CapabilityBoundingSet=
ProtectSystem=strict
ProtectHome={home}
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectHostname=yes
ProtectControlGroups=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
# AF_NETLINK: by it the pad asks for the machine's addresses.
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
"""


def print_unit(user: str, config: str | None, speech: Words) -> int:
    """Print the unit for this program as it runs now. Raises Stop."""
    if not _USER.fullmatch(user):
        raise Stop(speech.text("unit.no-user", given=shown(user[:40])))
    if config == "":
        raise Stop(speech.text("cli.no-name", given="--config"))
    python, ours = Path(sys.executable), templates_dir()
    read = [_written(Path(config).expanduser().absolute(), speech)] if config else []
    words = [_written(python, speech), "-m scorepad serve --data", '"${STATE_DIRECTORY}/scorepad.db"']
    command = " ".join([*words, *(f"--config {each}" for each in read)])
    home = "read-only" if any(place.is_relative_to(each) for each in _HOMES for place in (python, ours)) else "yes"
    say(_UNIT.format(command=command, user=user, home=home).rstrip())
    closed = next(filter(None, map(_closed, (python, ours))), None)
    if closed is not None:
        tell(speech.text("unit.closed", folder=shown(closed)))
    return DONE


def _written(path: Path, speech: Words) -> str:
    """A path as a word of ExecStart. Raises Stop for one that cannot stand there."""
    if _UNWRITABLE.search(str(path)):
        raise Stop(speech.text("unit.no-path", file=shown(path)))
    return f'"{path}"'.replace("%", "%%").replace("$", "$$")


def _closed(path: Path) -> Path | None:
    """The first folder on the way to a path that only its owner may enter."""
    ways = [folder for folder in reversed(path.parents) if not _may_enter(folder)]
    return ways[0] if ways else None


def _may_enter(folder: Path) -> bool:
    return bool(folder.stat().st_mode & stat.S_IXOTH)
