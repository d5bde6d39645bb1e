"""What `scorepad doctor` looks at around the data file: the machine, the folder, rights and room."""

from __future__ import annotations

import os
import platform
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

from scorepad import __version__
from scorepad.app.keys import LENGTH, key_path
from scorepad.cli.printing import shown
from scorepad.storage.examining import Finding, sqlite_version
from scorepad.storage.files import FRESH, is_exposed

_MEGABYTE = 2**20
SPARE = 20 * _MEGABYTE
"""Octets that should be free beside what a whole copy of the file takes."""
_PROBE = '<!doctype html><html lang="it"><head><title>scorepad</title></head><body><p>1.500</p></body></html>'


def machine() -> Iterator[Finding]:
    """Python, scorepad, SQLite, and whether PDFs can be made."""
    yield Finding("python", figures={"version": platform.python_version()})
    yield Finding("scorepad", figures={"version": __version__})
    version, is_known = sqlite_version()
    yield Finding("sqlite-known" if is_known else "sqlite", figures={"version": version})
    yield _pdf()


def around(path: Path) -> Iterator[Finding]:
    """Where the file is, who may write it, how much room there is, and what lies about."""
    size = path.stat().st_size
    yield Finding("file", figures={"file": shown(path), "size": -(-size // 1024)})
    yield from _rights(path)
    if key_path(path).exists():
        yield _key(key_path(path))
    free = shutil.disk_usage(path.parent).free
    room = {"free": free // _MEGABYTE, "needed": -(-(size + SPARE) // _MEGABYTE)}
    yield Finding("room", figures=room) if free >= size + SPARE else Finding("no-room", is_good=False, figures=room)
    left = sorted(each.name for each in path.parent.glob(FRESH))
    figures = {"files": shown(", ".join(left)), "folder": shown(path.parent)}
    yield Finding("left-over", is_good=False, figures=figures) if left else Finding("tidy")


def _pdf() -> Finding:
    from scorepad.sheets.pdf import NoPdf, SheetError, pages_of

    try:
        pages_of(_PROBE)
    except (NoPdf, SheetError) as trouble:
        return Finding("no-pdf", is_good=False, figures={"said": shown(trouble)})
    return Finding("pdf")


def exposed(path: Path) -> list[Finding]:
    """What other users of the computer can read or change, of the data file, its key and its folder."""
    looked = (("folder-open", path.parent, 700), ("file-open", path, 600), ("key-open", key_path(path), 600))
    return [
        Finding(code, is_good=False, figures={"file": shown(each), "command": f"chmod {mode} {shlex.quote(str(each))}"})
        for code, each, mode in looked
        if is_exposed(each)
    ]


def _rights(path: Path) -> Iterator[Finding]:
    """Whether the one who asks may save, and nobody else may read or change what is saved."""
    found = [*_closed(path), *exposed(path)]
    yield from found or [Finding("rights")]


def _closed(path: Path) -> Iterator[Finding]:
    figures = {"file": shown(path), "folder": shown(path.parent)}
    if not (path.is_file() and os.access(path, os.R_OK | os.W_OK)):
        yield Finding("file-closed", is_good=False, figures=figures)
    elif not os.access(path.parent, os.W_OK | os.X_OK):
        yield Finding("folder-closed", is_good=False, figures=figures)


def _key(path: Path) -> Finding:
    """The key beside the file, that cookies are signed with."""
    figures = {"file": shown(path)}
    if not os.access(path, os.R_OK) or path.stat().st_size < LENGTH:
        return Finding("key-broken", is_good=False, figures=figures)
    return Finding("key")
