"""The commands on the data file, except `serve` and `link`; how it is found, opened and checked; its errors."""

from __future__ import annotations

import json
import os
import platform
import shlex
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import click
import platformdirs

from scorepad import __version__
from scorepad.cli.base import (
    DONE,
    REFUSED,
    UNUSABLE,
    Stop,
    argument,
    choice_error,
    command,
    data,
    open_input,
    option,
    print_bytes,
    print_error,
    print_text,
    require_name,
    shown,
    write_file,
)  # fmt: skip
from scorepad.errors import ChoiceError, NewerError
from scorepad.i18n import Words, os_error_text, system_error_text
from scorepad.matches import Pad
from scorepad.matches.access import KEEPER, MatchId, MatchNotFound
from scorepad.matches.projection import MatchState, project
from scorepad.matches.transaction import Recent, rules_reader
from scorepad.matches.transfer import LARGEST_FILE, read_file
from scorepad.rules.variants import Ruleset
from scorepad.schemas import Unusable
from scorepad.storage import Storage
from scorepad.storage import connection as storage_error
from scorepad.storage.backup import back_up
from scorepad.storage.connection import TEMPORARY, BrokenFile, NoCopy, StorageError, is_exposed, resolved_path
from scorepad.storage.doctor import Finding, examine, sqlite_version
from scorepad.storage.rows import Reading, SummaryRecord

_LONGEST_ID = 40
_COPIES = ("2", "4")
_MESSAGES: dict[type[StorageError], str] = {
    storage_error.NewerFile: "serve.newer-file",
    storage_error.FolderUnwritable: "serve.folder",
    storage_error.NotKept: "backup.not-kept",
    NoCopy: "backup.cannot",
    storage_error.ForeignFile: "serve.foreign-file",
    BrokenFile: "serve.broken-file",
    storage_error.Unwritable: "serve.unwritable",
    storage_error.Busy: "serve.busy",
    storage_error.NoRoom: "serve.no-room",
}
_NO_COPY = ("data-file", "not-ours", "in-use")
"""The reasons for which a backup is refused, each with a message of its own."""


_MARK_WIDTH = 12
_MEGABYTE = 2**20
SPARE = 20 * _MEGABYTE
"""Bytes that should be free beside those of a whole copy of the file."""
_PROBE = '<!doctype html><html lang="it"><head><title>scorepad</title></head><body><p>1.500</p></body></html>'


def default_data() -> Path:
    """The data file where none is named: in the user's data folder."""
    return platformdirs.user_data_path("scorepad", appauthor=False) / "scorepad.db"


def data_path(data: str | None, words: Words) -> Path:
    """The file that `--data` names. Raises Stop for an empty name or an unknown home folder."""
    if data is None:
        return default_data()
    require_name(data, "--data", words)
    try:
        return Path(data).expanduser()
    except RuntimeError:
        raise Stop(words.text("cli.no-home", given=shown(Path(data).parts[0]))) from None


def exists(path: Path, words: Words) -> bool:
    """Whether there is a file of this name. Raises Stop if the system does not tell."""
    try:
        path.stat()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise Stop(words.text("serve.unwritable", file=shown(path), detail=os_error_text(error, words))) from None
    return True


def existing(path: Path, words: Words) -> Path:
    """The path. Raises Stop if there is no such file."""
    if not exists(path, words):
        raise Stop(words.text("serve.no-file", file=shown(path)))
    return path


@contextmanager
def storage_errors(words: Words) -> Iterator[None]:
    """Turn the errors of the data file, and of a match that is not in it, into Stop."""
    try:
        yield
    except MatchNotFound as error:
        raise Stop(words.text("cli.no-match", match=shown(error.id[:_LONGEST_ID]))) from None
    except StorageError as error:
        raise storage_stop(error, words) from error


@contextmanager
def open_pad(path: Path, words: Words) -> Iterator[Pad]:
    """The matches of an existing data file. Raises Stop for whatever goes wrong with the file."""
    with storage_errors(words):
        yield Pad(Storage(existing(path, words)))


def storage_stop(error: StorageError, words: Words) -> Stop:
    """The sentence for a data file that cannot be used."""
    detail = system_error_text(error.reason, error.detail or type(error).__name__, words)
    key = next((key for kind, key in _MESSAGES.items() if isinstance(error, kind)), "serve.storage")
    if isinstance(error, NoCopy) and error.reason in _NO_COPY:
        key = f"backup.{error.reason}"
    folder = shown(getattr(error, "folder", ""))
    versions = {name: getattr(error, name, 0) for name in ("version", "known")}
    return Stop(words.text(key, file=shown(error.path), folder=folder, detail=detail, **versions))


@command("matches", data)
def matches_command(words: Words, data: str | None) -> int:
    """`scorepad matches`: the matches of the file, those in progress first."""
    path = data_path(data, words)
    if data is None and not exists(path, words):
        print_text(words.text("cli.matches.none"))
        return DONE
    with open_pad(path, words) as pad:
        found = pad.summaries(KEEPER)
        lines = [_line(match, words) for match in (*found.in_progress, *found.finished)]
    for line in lines:
        print_text(line)
    if found.garbled:
        print_error(words.text("cli.matches.garbled", matches=", ".join(found.garbled)))
        return UNUSABLE
    if not lines:
        print_text(words.text("cli.matches.none"))
    return DONE


def _line(match: SummaryRecord, words: Words) -> str:
    """A match with what distinguishes it from others of the same names: players, place, day and time."""
    scores = []
    for index, (name, total) in enumerate(zip(match.names, match.totals, strict=True)):
        players = [player for player in match.players[index] if player] if match.players else []
        side = f"{name} ({words.listing(players)})" if players else name
        scores.append(f"{side} {words.figure(total)}")
    state = words.text("cli.matches.finished" if match.finished else "cli.matches.open")
    when = match.changed.astimezone()
    details = filter(None, (match.venue, state, words.day(when), words.clock(when)))
    return f"{match.id}  {', '.join(scores)}  ({', '.join(details)})"


@command(
    "sheet",
    argument("match", metavar="MATCH"),
    option("-o", "--output", metavar="FILE", help="cli.sheet.output"),
    option("--details", is_flag=True, help="cli.sheet.details"),
    option("--large", is_flag=True, help="cli.sheet.large"),
    data,
)
def sheet_command(
    words: Words, match: str, *, output: str | None, details: bool, large: bool, data: str | None
) -> int:  # fmt: skip
    """`scorepad sheet`: the match sheet as PDF."""
    from scorepad.sheets.match_sheet import match_sheet

    def make() -> bytes:
        with open_pad(data_path(data, words), words) as pad:
            return match_sheet(pad.state(MatchId(match), KEEPER), words, details=details, large=large)

    return _write_pdf(make, output, match, words)


@command(
    "pad",
    argument("variant", metavar="VARIANT"),
    option("-o", "--output", metavar="FILE", help="paper.pad.output"),
    option("--copies", type=click.Choice(_COPIES), default=_COPIES[0], help="paper.pad.copies"),
    option("--preset", metavar="ID", help="paper.preset"),
    option("--option", "options", metavar="ID=X", multiple=True, help="paper.option"),
    option("--large", is_flag=True, help="paper.pad.large"),
)
def pad_command(
    words: Words, variant: str, *, output: str | None, preset: str | None, options: list[str], **form: Any
) -> int:  # fmt: skip
    """`scorepad pad`: blank score pads as PDF."""
    from scorepad.sheets.game_papers import Copies, blank_pad

    chosen, copies = dict(_options(options, words)), Copies.LARGE if form["large"] else Copies(int(form["copies"]))
    try:
        return _write_pdf(lambda: blank_pad(variant, words, copies, preset, chosen), output, variant, words)
    except ChoiceError as error:
        raise choice_error(error, words) from None


def _options(typed: Iterable[str], words: Words) -> Iterator[tuple[str, Any]]:
    """Options as typed, `wild-limit=three`: numbers, `true` and `false` are read as JSON, the rest as text."""
    for each in typed:
        name, sign, value = each.partition("=")
        if not sign:
            raise Stop(words.text("paper.option.wrong", given=each[:_LONGEST_ID]))
        try:
            yield name, json.loads(value)
        except ValueError:
            yield name, value


def _write_pdf(make: Callable[[], bytes], output: str | None, name: str, words: Words) -> int:
    """Write a PDF into FILE, else into `NAME.pdf`. Raises Stop."""
    from scorepad.sheets.pdf import NoPdf

    require_name(output, "-o", words)
    try:
        pdf = make()
    except NoPdf as error:
        raise Stop(words.text("serve.no-pdf", detail=error.detail)) from error
    write_file(Path(output or f"{name}.pdf"), pdf, words)
    return DONE


@command(
    "export",
    argument("match", required=False, metavar="[MATCH]"),
    option("-o", "--output", metavar="FILE", help="files.export.output"),
    option("--csv", "as_csv", is_flag=True, help="files.export.csv"),
    data,
)
def export_command(words: Words, match: str | None, output: str | None, as_csv: bool, data: str | None) -> int:
    """`scorepad export`: one match or all, as JSON or CSV."""
    require_name(output, "-o", words)
    with open_pad(data_path(data, words), words) as pad:
        content, unread = (_csv if as_csv else _json)(pad, None if match is None else MatchId(match), words)
    if output is None:
        print_bytes(content.removesuffix(b"\n"))
    else:
        write_file(Path(output), content, words)
    if unread:
        print_error(words.text("files.unread", matches=", ".join(unread)))
    return UNUSABLE if unread else DONE


def _json(pad: Pad, match: MatchId | None, _: Words) -> tuple[bytes, tuple[MatchId, ...]]:
    """One match or all as JSON, and the ids of those that cannot be read."""
    exported = pad.exports.every(KEEPER) if match is None else pad.exports.match(match, KEEPER)
    return exported.encoded(), exported.unread


def _csv(pad: Pad, match: MatchId | None, words: Words) -> tuple[bytes, tuple[MatchId, ...]]:
    """One match, or all but practice matches, as CSV, and the ids of those that cannot be read."""
    from scorepad.sheets.result import rows_csv

    if match is not None:
        return rows_csv([pad.state(match, KEEPER)], words), ()
    unread: list[MatchId] = []

    def states() -> Iterator[MatchState]:
        for name in pad.exports.names(KEEPER):
            try:
                state = pad.state(name, KEEPER)
            except (BrokenFile, NewerError, MatchNotFound):
                unread.append(name)
            else:
                if not state.practice:
                    yield state

    return rows_csv(states(), words), tuple(unread)


@command("import", argument("file", metavar="FILE"), data)
def import_command(words: Words, file: str, data: str | None) -> int:
    """`scorepad import`: the matches of an exported file."""
    with open_input(file, words) as stream:
        source = stream.read(LARGEST_FILE + 1)
    path = data_path(data, words)
    try:
        # Read first, so that an unusable file leaves no empty data file behind.
        read = read_file(source)
        with storage_errors(words):
            imported = Pad(Storage(path)).imports.put(read, KEEPER)
    except Unusable as error:
        raise Stop(error.message(words)) from None
    for key, matches in (("files.taken", imported.taken), ("files.here", imported.here)):
        if matches:
            print_text(words.plural(key, len(matches), matches=", ".join(matches)))
    if not (imported.taken or imported.here):
        print_text(words.text("files.none"))
    return DONE


@command(
    "backup",
    argument("file", required=False, metavar="[FILE]"),
    option("-o", "--output", metavar="FILE", help="backup.output"),
    data,
)
def backup_command(words: Words, file: str | None, output: str | None, data: str | None) -> int:
    """`scorepad backup`: a whole copy of the data file, while it is in use."""
    if file is not None and output is not None:
        raise Stop(words.text("backup.two-names"))
    named = output if file is None else file
    require_name(named, "-o", words)
    path = existing(data_path(data, words), words)
    with storage_errors(words):
        copy = back_up(path, None if named is None else Path(named).expanduser(), datetime.now().astimezone())
    print_text(words.plural("backup.done", copy.matches, file=shown(copy.path)))
    return DONE


# ---------------------------------------------------------------- doctor


def report(words: Words, data: str | None) -> int:
    """`scorepad doctor`: a line for each finding; the exit status is 1 if one of them is not good. Raises Stop."""
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


doctor_command = command("doctor", data)(report)


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
    yield from examine(whole, match_checker())


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
    from scorepad.app import LENGTH, key_path  # brings Flask, which other commands do without

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
    from scorepad.app import key_path

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


def match_checker() -> Callable[[Reading, str], str]:
    """A check of one match after the other: its log can be projected, and the summary says the same.

    It returns what is wrong, as the end of a message key, or nothing. It raises BrokenFile.
    """
    rules: Recent[Ruleset] = Recent()  # matches share them

    def check(rows: Reading, match: str) -> str:
        record = rows.match(match)
        if record is None:
            return ""  # deleted meanwhile
        try:
            state = project(record, rows.entries(match), rules_reader(rows, rules))
        except (NewerError, LookupError, ValueError, TypeError):
            # The checksums are right and the log makes no sense: another version or another program wrote it.
            return "match-strange"
        rows.open_hand(match)
        try:
            return "" if rows.summary(match) == state.summary() else "summary-differs"
        except BrokenFile:
            return "summary-differs"

    return check
