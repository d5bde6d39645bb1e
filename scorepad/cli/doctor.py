"""`scorepad doctor`: checks the data file and what the pad needs to run. It changes nothing."""

from __future__ import annotations

import os
import platform
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

from scorepad import __version__
from scorepad.app.config import LENGTH, key_path
from scorepad.cli.base import command, data
from scorepad.cli.data_file import data_path, existing, exists, storage_errors
from scorepad.cli.streams import DONE, REFUSED, Stop, print_error, print_text, shown
from scorepad.errors import NewerError
from scorepad.i18n import Words, os_error_text, system_error_text
from scorepad.matches.projection import project
from scorepad.matches.transaction import Recent, rules_reader
from scorepad.rules.variants import Ruleset
from scorepad.storage.connection import TEMPORARY, BrokenFile, is_exposed, resolved_path
from scorepad.storage.doctor import Finding, examine, sqlite_version
from scorepad.storage.rows import Reading

_MARK_WIDTH = 12
_MEGABYTE = 2**20
SPARE = 20 * _MEGABYTE
"""Bytes that should be free beside those of a whole copy of the file."""
_PROBE = '<!doctype html><html lang="it"><head><title>scorepad</title></head><body><p>1.500</p></body></html>'


@command("doctor", data)
def doctor_command(words: Words, data: str | None) -> int:
    """`scorepad doctor`."""
    return report(data, words)


def report(data: str | None, words: Words) -> int:
    """Print a line for each finding; the exit status is 1 if one of them is not good. Raises Stop."""
    path = data_path(data, words)
    if data is not None:
        existing(path, words)
    wrong = 0
    try:
        with storage_errors(words):
            for finding in _findings(path, words):
                wrong += not finding.is_good
                mark = words.text("doctor.good" if finding.is_good else "doctor.wrong")
                print_text(f"{mark:<{_MARK_WIDTH}}{sentence(finding, words)}")
    except OSError as error:
        raise Stop(words.text("serve.unwritable", file=shown(path), detail=os_error_text(error, words))) from error
    print_text(words.plural("doctor.found", wrong) if wrong else words.text("doctor.well"))
    return REFUSED if wrong else DONE


def sentence(finding: Finding, words: Words) -> str:
    """What a finding is, and what to do where it is not good."""
    figures = dict(finding.figures)
    if finding.reason or finding.detail:
        figures["detail"] = system_error_text(finding.reason, finding.detail, words)
    return words.text(f"doctor.{finding.code}", **figures)


def _findings(path: Path, words: Words) -> Iterator[Finding]:
    yield Finding("python", figures={"version": platform.python_version()})
    yield Finding("scorepad", figures={"version": __version__})
    version, is_known = sqlite_version()
    yield Finding("sqlite-known" if is_known else "sqlite", figures={"version": version})
    yield _pdf()
    if not exists(path, words):
        yield Finding("no-file", figures={"file": shown(path)})
        return
    whole = resolved_path(path)
    yield from _surroundings(whole)
    yield from examine(whole, MatchCheck())


def _pdf() -> Finding:
    """Whether PDFs can be made."""
    from scorepad.sheets.pdf import NoPdf, SheetError, pdf_of

    try:
        pdf_of(_PROBE)
    except (NoPdf, SheetError) as error:
        return Finding("no-pdf", is_good=False, figures={"said": shown(error)})
    return Finding("pdf")


def _surroundings(path: Path) -> Iterator[Finding]:
    """The file, who may read and write it, its key, the free space, and temporary files left behind."""
    size = path.stat().st_size
    place = {"file": shown(path), "folder": shown(path.parent)}
    yield Finding("file", figures={"file": shown(path), "size": -(-size // 1024)})
    closed = []
    if not (path.is_file() and os.access(path, os.R_OK | os.W_OK)):
        closed.append(Finding("file-closed", is_good=False, figures=place))
    elif not os.access(path.parent, os.W_OK | os.X_OK):
        closed.append(Finding("folder-closed", is_good=False, figures=place))
    yield from [*closed, *exposed(path)] or [Finding("rights")]
    key = key_path(path)
    if key.exists():
        if os.access(key, os.R_OK) and key.stat().st_size >= LENGTH:
            yield Finding("key")
        else:
            yield Finding("key-broken", is_good=False, figures={"file": shown(key)})
    free, needed = shutil.disk_usage(path.parent).free, size + SPARE
    room = {"free": free // _MEGABYTE, "needed": -(-needed // _MEGABYTE)}
    yield Finding("room" if free >= needed else "no-room", is_good=free >= needed, figures=room)
    left = ", ".join(sorted(each.name for each in path.parent.glob(TEMPORARY)))
    figures = {"files": shown(left), "folder": shown(path.parent)}
    yield Finding("left-over", is_good=False, figures=figures) if left else Finding("tidy")


def exposed(path: Path) -> list[Finding]:
    """What other users of the computer can read or change: the data file, its key, its folder."""
    checked = (("folder-open", path.parent, 700), ("file-open", path, 600), ("key-open", key_path(path), 600))
    return [
        Finding(code, is_good=False, figures={"file": shown(each), "command": f"chmod {mode} {shlex.quote(str(each))}"})
        for code, each, mode in checked
        if is_exposed(each)
    ]


def warn_exposed(path: Path, words: Words) -> None:
    """Print a warning on standard error for each file that is exposed."""
    for finding in exposed(path):
        print_error(words.text("serve.warning", told=sentence(finding, words)))


class MatchCheck:
    """Checks one match after the other: its log can be projected, and the summary says the same."""

    def __init__(self) -> None:
        self._rules: Recent[Ruleset] = Recent()  # matches share them

    def __call__(self, rows: Reading, match: str) -> str:
        """What is wrong with a match, as the end of a message key; empty if nothing is. Raises BrokenFile."""
        record = rows.match(match)
        if record is None:
            return ""  # deleted meanwhile
        try:
            state = project(record, rows.entries(match), rules_reader(rows, self._rules))
        except (NewerError, LookupError, ValueError, TypeError):
            # The checksums are right and the log makes no sense: another version or another program wrote it.
            return "match-strange"
        rows.open_hand(match)
        try:
            return "" if rows.summary(match) == state.summary() else "summary-differs"
        except BrokenFile:
            return "summary-differs"
