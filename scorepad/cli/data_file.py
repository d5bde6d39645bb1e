"""The commands on the data file, except `serve` and `link`; its default path, opening and checks."""

from __future__ import annotations

import io
import json
import os
import platform
import shlex
import shutil
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

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
    write_json_line,
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


def file_exists(path: Path) -> bool:
    """Whether the file exists. Raises StorageError if that cannot be determined."""
    try:
        path.stat()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise Unwritable.from_os_error(path, error) from None
    return True


def require_file(path: Path) -> Path:
    """Return the path. Raises Stop if there is no such file."""
    if not file_exists(path):
        raise Stop("serve.no-file", file=printable_name(path))
    return path


def open_pad(data: Path | None) -> Pad:
    """The matches of an existing data file. Raises Stop, StorageError."""
    return Pad(Storage(require_file(data or default_data())))


# ---------------------------------------------------------------- matches, sheets, files


@command
@data
def matches_command(data: Path | None) -> int:
    """`scorepad matches`: the matches of the file, those in progress first."""
    if data is None and not file_exists(default_data()):
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
    """A match in one line: `7k2m…  Noi (Anna e Bea) 1.205, Loro 635  (Bar, in corso, 1 maggio, 20:30)`.

    By players, place, day and time, matches with the same names can be told apart.
    """
    sides = [_side_with_total(match, position) for position in range(len(match.names))]
    return f"{match.id}  {', '.join(sides)}  ({', '.join(_match_details(match))})"


def _side_with_total(match: SummaryRecord, position: int) -> str:
    """A side of a match, its players if they are named, and its total: `Noi (Anna e Bea) 1.205`."""
    words = chosen_words()
    side = match.names[position]
    if match.players:
        named_players = [player for player in match.players[position] if player]
        if named_players:
            side += f" ({words.listing(named_players)})"
    return f"{side} {words.figure(match.totals[position])}"


def _match_details(match: SummaryRecord) -> list[str]:
    """Where a match is played, whether it is finished, and the day and time of its last change."""
    words = chosen_words()
    changed = match.changed.astimezone()
    details = []
    if match.venue:
        details.append(match.venue)
    details.append(t("cli.matches.finished") if match.finished else t("cli.matches.open"))
    details.append(words.day(changed))
    details.append(words.clock(changed))
    return details


@command
@click.argument("match")
@option("-o", "--output", type=FILE, help="cli.sheet.output")
@option("--details", is_flag=True, help="cli.sheet.details")
@option("--large", is_flag=True, help="cli.sheet.large")
@data
def sheet_command(
    match: str, output: Path | None, *, details: bool, large: bool, data: Path | None
) -> int:
    """`scorepad sheet`: the sheet of a match, as PDF."""
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
    variant: str,
    output: Path | None,
    copies: str,
    preset: str | None,
    options: tuple[str, ...],
    large: bool,
) -> int:
    """`scorepad pad`: a blank score pad for a variant, as PDF; a large one is a page by itself."""
    from scorepad.sheets.blank_pad import Copies, make_blank_pad

    copies_on_page = Copies.LARGE if large else Copies(int(copies))
    chosen_options = dict(_parse_option(typed) for typed in options)
    pad = make_blank_pad(variant, chosen_words(), copies_on_page, preset, chosen_options)
    write_file(output or Path(f"{variant}.pdf"), pad)
    return DONE


def _parse_option(typed: str) -> tuple[str, Any]:
    """The name and value of an option as typed: `wild-limit=three` → `("wild-limit", "three")`.

    A number, `true` or `false` is read as JSON, anything else as text. Raises Stop without `=`.
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
    if not as_csv:
        exported = _export_as_json(pad, match)
    elif match is None:
        exported = _export_all_as_csv(pad)
    else:
        exported = _export_one_as_csv(pad, match)

    if output is None:
        write_json_line(exported.content.removesuffix(b"\n"))
    else:
        write_file(output, exported.content)
    if exported.unread:
        write_error_line(t("files.unread", matches=", ".join(exported.unread)))
        return UNUSABLE
    return DONE


class Exported(NamedTuple):
    """The content of an exported file, and the ids of the matches that cannot be read."""

    content: bytes
    unread: Sequence[MatchId]


def _export_as_json(pad: Pad, match: str | None) -> Exported:
    """The match with this id, or all matches if it is None, as JSON."""
    chosen = None if match is None else MatchId(match)
    target = io.BytesIO()
    unread = pad.exports.write(target, chosen, ADMIN)
    return Exported(target.getvalue(), unread)


def _export_all_as_csv(pad: Pad) -> Exported:
    """All matches but practice matches, as CSV."""
    from scorepad.sheets.spreadsheet import write_all_matches_csv

    target = io.BytesIO()
    unread = write_all_matches_csv(target, pad, ADMIN, chosen_words())
    return Exported(target.getvalue(), unread)


def _export_one_as_csv(pad: Pad, match: str) -> Exported:
    """The match with this id, as CSV. Raises an error if it cannot be read."""
    from scorepad.sheets.spreadsheet import write_match_csv

    target = io.BytesIO()
    write_match_csv(target, pad.state(MatchId(match), ADMIN), chosen_words())
    return Exported(target.getvalue(), unread=[])


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
    """Print the message of this key, with the ids of these matches."""
    write_line(chosen_words().plural(key, len(matches), matches=", ".join(matches)))


@command
@click.argument("file", required=False, type=FILE)
@option("-o", "--output", type=FILE, help="cli.backup.output")
@data
def backup_command(file: Path | None, output: Path | None, data: Path | None) -> int:
    """`scorepad backup`: a whole copy of the data file, while it is in use."""
    if file is not None and output is not None:
        raise Stop("backup.two-names")
    data_file = require_file(data or default_data())
    copy = back_up(data_file, file or output, datetime.now().astimezone())
    write_line(chosen_words().plural("backup.done", copy.matches, file=printable_name(copy.path)))
    return DONE


# ---------------------------------------------------------------- doctor


@command
@data
def doctor_command(data: Path | None) -> int:
    """`scorepad doctor`: a line for each check; the exit status is 1 if there is a problem."""
    path = require_file(data) if data else default_data()
    with Unwritable.instead_of_os_error(path):
        results = list(_all_results(path))
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


def _all_results(path: Path) -> Iterator[CheckResult]:
    """All results: the programs, the PDFs, and, if there is one, the data file."""
    yield check_result("python", version=platform.python_version())
    yield check_result("scorepad", version=__version__)
    sqlite = sqlite_version()
    code = "sqlite-known" if sqlite.may_lose_commits else "sqlite"
    yield check_result(code, version=sqlite.number)
    yield _check_pdf()
    if not file_exists(path):
        yield check_result("no-file", file=printable_name(path))
        return
    real_path = resolved_path(path)
    yield from _check_surroundings(real_path)
    yield from examine(real_path, MatchChecker().find_problem)


def _check_pdf() -> CheckResult:
    """Whether this machine can make PDFs."""
    from scorepad.sheets.pdf import NoPdf, SheetError, pdf_of

    try:
        pdf_of(_PROBE)
    except (NoPdf, SheetError) as error:
        return check_result("no-pdf", False, said=printable_name(error))
    return check_result("pdf")


def _check_surroundings(path: Path) -> Iterator[CheckResult]:
    """The file, its access rights, its key, the free space, and temporary files left behind."""
    size = path.stat().st_size
    yield check_result("file", file=printable_name(path), size=_divide_rounding_up(size, 1024))
    problems = [*_check_own_rights(path), *find_exposed_files(path)]
    if problems:
        yield from problems
    else:
        yield check_result("rights")
    yield from _check_key(path)
    yield _check_room(path, size)
    yield _check_left_over(path.parent)


def _check_room(path: Path, size: int) -> CheckResult:
    """Whether the disk has room for a whole copy of the file, which has this size in bytes."""
    free = shutil.disk_usage(path.parent).free
    needed = size + SPARE
    has_room = free >= needed
    return check_result(
        "room" if has_room else "no-room",
        has_room,
        free=free // _MEGABYTE,
        needed=_divide_rounding_up(needed, _MEGABYTE),
    )


def _check_left_over(folder: Path) -> CheckResult:
    """Whether temporary files of a process that was killed are in the folder."""
    left_over = sorted(file.name for file in folder.glob(TEMPORARY))
    if not left_over:
        return check_result("tidy")
    files = printable_name(", ".join(left_over))
    return check_result("left-over", False, files=files, folder=printable_name(folder))


def _divide_rounding_up(number: int, divisor: int) -> int:
    """A quotient, rounded up: 7 by 2 → 4."""
    return (number + divisor - 1) // divisor


def _check_own_rights(path: Path) -> list[CheckResult]:
    """A problem, if this program may not read and write the file, or its folder; else nothing."""
    arguments = {"file": printable_name(path), "folder": printable_name(path.parent)}
    if not (path.is_file() and os.access(path, os.R_OK | os.W_OK)):
        return [check_result("file-closed", False, **arguments)]
    if not os.access(path.parent, os.W_OK | os.X_OK):
        return [check_result("folder-closed", False, **arguments)]
    return []


def _check_key(path: Path) -> Iterator[CheckResult]:
    """The key that signs the cookies; no result if it is missing, and no phone needs it."""
    from scorepad.app import LENGTH, key_path  # imports Flask, which other commands do not need

    key = key_path(path)
    if not key.exists():
        if has_phones(path):
            yield check_result("key-missing", False, file=printable_name(key))
        return
    is_usable = os.access(key, os.R_OK) and key.stat().st_size >= LENGTH
    if is_usable:
        yield check_result("key")
    else:
        yield check_result("key-broken", False, file=printable_name(key))


def find_exposed_files(path: Path) -> list[CheckResult]:
    """A problem for each of the data file, its folder and its key that other users can open."""
    from scorepad.app import key_path

    results = []
    if is_exposed(path.parent):
        results.append(_exposed_result("folder-open", path.parent, "700"))
    if is_exposed(path):
        results.append(_exposed_result("file-open", path, "600"))
    if is_exposed(key_path(path)):
        results.append(_exposed_result("key-open", key_path(path), "600"))
    return results


def _exposed_result(code: str, path: Path, mode: str) -> CheckResult:
    """The problem that others can open a file, with the command that sets its mode: `600`."""
    command = f"chmod {mode} {shlex.quote(str(path))}"
    return check_result(code, False, file=printable_name(path), command=command)


def warn_exposed(path: Path) -> None:
    """Print a warning on standard error for each file that is exposed."""
    for result in find_exposed_files(path):
        write_error_line(t("serve.warning", text=result_in_words(result)))


class MatchChecker:
    """Checks the matches in a data file, one after another."""

    def __init__(self) -> None:
        self._rules: LruCache[Ruleset] = LruCache()
        """The rules that were read: most matches have the same ones."""

    def find_problem(self, rows: ReadTransaction, match: str) -> str:
        """The problem of a match, as the code of a result of `doctor`; empty if there is none.

        `match-strange`: its log cannot be read. `summary-differs`: its line in the list of matches
        does not agree with the log. Raises BrokenFile if a row of the match is garbled.
        """
        record = rows.match(match)
        if record is None:
            return ""  # deleted meanwhile
        try:
            state = project(record, rows.entries(match), rules_reader(rows, self._rules))
        except (NewerError, LookupError, ValueError, TypeError):
            return "match-strange"  # another version or another program wrote it
        rows.open_hand(match)  # read only because it raises BrokenFile if it is garbled
        if rows.summary(match) != state.summary():
            return "summary-differs"
        return ""
