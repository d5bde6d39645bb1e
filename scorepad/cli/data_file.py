"""The commands on the data file, except `serve` and `link`; its default path, opening and checks."""

from __future__ import annotations

import io
import json
import os
import platform
import shlex
import shutil
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import click
import platformdirs

from scorepad import __version__
from scorepad.caches import LruCache
from scorepad.cli.options import FILE, command, data, option
from scorepad.cli.output import (
    DONE,
    LONGEST,
    REFUSED,
    UNUSABLE,
    Stop,
    chosen_words,
    open_input,
    printable_name,
    t,
    write_error_line,
    write_file,
    write_line,
)
from scorepad.errors import NewerError
from scorepad.i18n import system_error_text
from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, MatchId
from scorepad.matches.file_format import LARGEST_FILE
from scorepad.matches.file_reader import verified_rows
from scorepad.matches.projection import project
from scorepad.matches.service import rules_reader
from scorepad.rules.definitions import Ruleset
from scorepad.storage import Storage
from scorepad.storage.backup import back_up
from scorepad.storage.connection import (
    TEMPORARY,
    Unwritable,
    is_exposed,
    resolved_path,
)
from scorepad.storage.doctor import CheckResult, check_result, examine, has_phones, sqlite_version
from scorepad.storage.rows import ReadTransaction, SummaryRecord

_LABEL_WIDTH = 12
_MEGABYTE = 2**20
SPARE = 20 * _MEGABYTE
"""Bytes that should be free in addition to the size of a whole copy of the file."""
_PROBE = '<!doctype html><html lang="it"><head><title>scorepad</title></head><body><p>1.500</p></body></html>'


# ---------------------------------------------------------------- the data file


def default_data() -> Path:
    """The default data file, in the user's data folder."""
    return platformdirs.user_data_path("scorepad", appauthor=False) / "scorepad.db"


def exists(path: Path) -> bool:
    """Whether the file exists. Raises StorageError if that cannot be determined."""
    try:
        path.stat()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise Unwritable.of(path, error) from None
    return True


def existing(path: Path) -> Path:
    """Return the path. Raises Stop if there is no such file."""
    if not exists(path):
        raise Stop("serve.no-file", file=printable_name(path))
    return path


def open_pad(data: Path | None) -> Pad:
    """The matches of an existing data file. Raises Stop, StorageError."""
    return Pad(Storage(existing(data or default_data())))


# ---------------------------------------------------------------- matches, sheets, files


@command
@data
def matches_command(data: Path | None) -> int:
    """`scorepad matches`: the matches of the file, those in progress first."""
    if data is None and not exists(default_data()):
        write_line(t("cli.matches.none"))
        return DONE
    summaries = open_pad(data).summaries(ADMIN)
    matches = [*summaries.in_progress, *summaries.finished]
    for match in matches:
        write_line(_match_in_line(match))
    if not matches:
        write_line(t("cli.matches.none"))
    return DONE


def _match_in_line(match: SummaryRecord) -> str:
    """A match in one line, with players, place, day and time, to distinguish matches with the same
    names.
    """
    words = chosen_words()
    all_players = match.players or ((),) * len(match.names)
    scores = []
    for name, players, total in zip(match.names, all_players, match.totals, strict=True):
        named = [player for player in players if player]
        side = f"{name} ({words.listing(named)})" if named else name
        scores.append(f"{side} {words.figure(total)}")
    when = match.changed.astimezone()
    details = [t("cli.matches.finished" if match.finished else "cli.matches.open")]
    if match.where:
        details.insert(0, match.where)
    details += [words.day(when), words.clock(when)]
    return f"{match.id}  {', '.join(scores)}  ({', '.join(details)})"


@command
@click.argument("match")
@option("-o", "--output", type=FILE, help="cli.sheet.output")
@option("--details", is_flag=True, help="cli.sheet.details")
@option("--large", is_flag=True, help="cli.sheet.large")
@data
def sheet_command(
    match: str, output: Path | None, *, details: bool, large: bool, data: Path | None
) -> int:
    from scorepad.sheets.match_sheet import make_match_sheet

    state = open_pad(data).state(MatchId(match), ADMIN)
    words = chosen_words().with_rules(state.rules)
    sheet = make_match_sheet(state, words, details=details, large=large)
    write_file(output or Path(f"{match}.pdf"), sheet)
    return DONE


@command
@click.argument("variant")
@option("-o", "--output", type=FILE, help="cli.pad.output")
@option("--copies", type=click.Choice(["2", "4"]), default="2", help="cli.pad.copies")
@option("--preset", metavar="ID", help="paper.preset")
@option("--option", "options", metavar="ID=X", multiple=True, help="paper.option")
@option("--large", is_flag=True, help="cli.pad.large")
def pad_command(
    variant: str, output: Path | None, preset: str | None, options: list[str], **form: Any
) -> int:
    from scorepad.sheets.blank_pad import Copies, make_blank_pad

    chosen = dict(map(_parse_option, options))
    copies = Copies.LARGE if form["large"] else Copies(int(form["copies"]))
    pad = make_blank_pad(variant, chosen_words(), copies, preset, chosen)
    write_file(output or Path(f"{variant}.pdf"), pad)
    return DONE


def _parse_option(typed: str) -> tuple[str, Any]:
    """An option as typed, `wild-limit=three`: numbers, `true` and `false` are read as JSON, the
    rest as text.
    """
    name, sign, value = typed.partition("=")
    if not sign:
        raise Stop("paper.option.wrong", given=typed[:LONGEST])
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


@command
@click.argument("match", required=False)
@option("-o", "--output", type=FILE, help="cli.export.output")
@option("--csv", "as_csv", is_flag=True, help="cli.export.csv")
@data
def export_command(match: str | None, output: Path | None, as_csv: bool, data: Path | None) -> int:
    """`scorepad export`: one match or all, as JSON or CSV."""
    pad = open_pad(data)
    chosen = None if match is None else MatchId(match)
    if as_csv:
        content, unread = _csv(pad, chosen)
    else:
        target = io.BytesIO()
        unread = pad.exports.write(target, chosen, ADMIN)
        content = target.getvalue()
    if output is None:
        write_line(content.removesuffix(b"\n"))
    else:
        write_file(output, content)
    if unread:
        write_error_line(t("files.unread", matches=", ".join(unread)))
    return UNUSABLE if unread else DONE


def _csv(pad: Pad, match: MatchId | None) -> tuple[bytes, tuple[MatchId, ...]]:
    """One match, or all but practice matches, as CSV, and the ids of those that cannot be read."""
    from scorepad.sheets.spreadsheet import every_row_csv, items_of_own_variants, rows_csv

    if match is not None:
        state = pad.state(match, ADMIN)
        return b"".join(rows_csv([state], chosen_words(), items_of_own_variants([state]))), ()
    unread: list[MatchId] = []
    return b"".join(every_row_csv(pad, ADMIN, chosen_words(), unread)), tuple(unread)


@command
@click.argument("file", type=FILE)
@data
def import_command(file: Path, data: Path | None) -> int:
    """`scorepad import`: the matches of an exported file."""
    with open_input(file) as stream:
        source = stream.read(LARGEST_FILE + 1)
    # All of it before the data file is opened, so that an unusable file leaves no empty one behind.
    rows = list(verified_rows(source))
    imported = Pad(Storage(data or default_data())).imports.put(rows, ADMIN)
    if imported.taken:
        _print_matches("files.taken", imported.taken)
    if imported.here:
        _print_matches("files.here", imported.here)
    if not (imported.taken or imported.here):
        write_line(t("files.none"))
    return DONE


def _print_matches(key: str, matches: Sequence[MatchId]) -> None:
    write_line(chosen_words().plural(key, len(matches), matches=", ".join(matches)))


@command
@click.argument("file", required=False, type=FILE)
@option("-o", "--output", type=FILE, help="cli.backup.output")
@data
def backup_command(file: Path | None, output: Path | None, data: Path | None) -> int:
    """`scorepad backup`: a whole copy of the data file, while it is in use."""
    if file is not None and output is not None:
        raise Stop("backup.two-names")
    copy = back_up(existing(data or default_data()), file or output, datetime.now().astimezone())
    write_line(chosen_words().plural("backup.done", copy.matches, file=printable_name(copy.path)))
    return DONE


# ---------------------------------------------------------------- doctor


@command
@data
def doctor_command(data: Path | None) -> int:
    """`scorepad doctor`: a line for each check; the exit status is 1 if there is a problem."""
    path = existing(data) if data else default_data()
    with Unwritable.instead(path):
        results = list(_results(path))
    for result in results:
        label = t("doctor.good" if result.is_good else "doctor.wrong")
        write_line(f"{label:<{_LABEL_WIDTH}}{result_in_words(result)}")
    problems = [result for result in results if not result.is_good]
    if problems:
        write_line(chosen_words().plural("doctor.found", len(problems)))
        return REFUSED
    write_line(t("doctor.well"))
    return DONE


def result_in_words(result: CheckResult) -> str:
    """A result in words, and the remedy if it is a problem."""
    arguments = dict(result.arguments)
    if "reason" in arguments:
        arguments["detail"] = system_error_text(
            str(arguments["reason"]), str(arguments["detail"]), chosen_words()
        )
    return t(f"doctor.{result.code}", **arguments)


def _results(path: Path) -> Iterator[CheckResult]:
    yield check_result("python", version=platform.python_version())
    yield check_result("scorepad", version=__version__)
    sqlite = sqlite_version()
    code = "sqlite-known" if sqlite.may_lose_commits else "sqlite"
    yield check_result(code, version=sqlite.number)
    yield _check_pdf()
    if not exists(path):
        yield check_result("no-file", file=printable_name(path))
        return
    whole = resolved_path(path)
    yield from _check_surroundings(whole)
    yield from examine(whole, match_checker())


def _check_pdf() -> CheckResult:
    from scorepad.sheets.pdf import NoPdf, SheetError, pdf_of

    try:
        pdf_of(_PROBE)
    except (NoPdf, SheetError) as error:
        return check_result("no-pdf", False, said=printable_name(error))
    return check_result("pdf")


def _check_surroundings(path: Path) -> Iterator[CheckResult]:
    """The file, its access rights, its key, the free space, and temporary files left behind."""
    size = path.stat().st_size
    yield check_result("file", file=printable_name(path), size=_divided_up(size, 1024))
    problems = [*_closed(path), *exposed(path)]
    yield from problems or [check_result("rights")]
    yield from _check_key(path)

    free = shutil.disk_usage(path.parent).free
    needed = size + SPARE
    has_room = free >= needed
    yield check_result(
        "room" if has_room else "no-room",
        has_room,
        free=free // _MEGABYTE,
        needed=_divided_up(needed, _MEGABYTE),
    )
    left_over = sorted(file.name for file in path.parent.glob(TEMPORARY))
    if left_over:
        files = printable_name(", ".join(left_over))
        yield check_result("left-over", False, files=files, folder=printable_name(path.parent))
    else:
        yield check_result("tidy")


def _divided_up(number: int, divisor: int) -> int:
    """A quotient, rounded up."""
    return -(-number // divisor)


def _closed(path: Path) -> list[CheckResult]:
    """The file or the folder if this program may not use it."""
    arguments = {"file": printable_name(path), "folder": printable_name(path.parent)}
    if not (path.is_file() and os.access(path, os.R_OK | os.W_OK)):
        return [check_result("file-closed", False, **arguments)]
    if not os.access(path.parent, os.W_OK | os.X_OK):
        return [check_result("folder-closed", False, **arguments)]
    return []


def _check_key(path: Path) -> Iterator[CheckResult]:
    """The key that signs the cookies; it may be missing as long as no phone needs it."""
    from scorepad.app import LENGTH, key_path  # imports Flask, which other commands do not need

    key = key_path(path)
    if not key.exists():
        if has_phones(path):
            yield check_result("key-missing", False, file=printable_name(key))
    elif os.access(key, os.R_OK) and key.stat().st_size >= LENGTH:
        yield check_result("key")
    else:
        yield check_result("key-broken", False, file=printable_name(key))


def exposed(path: Path) -> list[CheckResult]:
    """The files that other users of the computer can read or change: the data file, its key, its
    folder.
    """
    from scorepad.app import key_path

    results = []
    for code, checked, mode in (
        ("folder-open", path.parent, 700),
        ("file-open", path, 600),
        ("key-open", key_path(path), 600),
    ):
        if is_exposed(checked):
            remedy = f"chmod {mode} {shlex.quote(str(checked))}"
            results.append(check_result(code, False, file=printable_name(checked), command=remedy))
    return results


def warn_exposed(path: Path) -> None:
    """Print a warning on standard error for each file that is exposed."""
    for result in exposed(path):
        write_error_line(t("serve.warning", text=result_in_words(result)))


def match_checker() -> Callable[[ReadTransaction, str], str]:
    """A check of single matches: that the log can be projected, and the summary agrees with it.

    It returns the problem, as the end of a message key, or an empty text. It raises BrokenFile.
    """
    rules: LruCache[Ruleset] = LruCache()  # shared by matches

    def check(rows: ReadTransaction, match: str) -> str:
        record = rows.match(match)
        if record is None:
            return ""  # deleted meanwhile
        try:
            state = project(record, rows.entries(match), rules_reader(rows, rules))
        except (NewerError, LookupError, ValueError, TypeError):
            return "match-strange"  # another version or another program wrote it
        rows.open_hand(match)
        if rows.summary(match) != state.summary():
            return "summary-differs"
        return ""

    return check
