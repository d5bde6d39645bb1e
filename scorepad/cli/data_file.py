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
from scorepad.i18n import describe_system_error
from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, MatchId
from scorepad.matches.file_format import LARGEST_FILE
from scorepad.matches.file_reader import read_rows_to_store
from scorepad.matches.projection import project
from scorepad.matches.service import make_rules_reader
from scorepad.rules.definitions import Ruleset
from scorepad.storage import Storage
from scorepad.storage.backup import back_up
from scorepad.storage.connection import (
    TEMPORARY,
    Unwritable,
    is_exposed,
    resolve_path,
)
from scorepad.storage.doctor import (
    CheckResult,
    examine,
    is_entered_by_phone,
    make_good_result,
    make_problem_result,
    read_sqlite_version,
)
from scorepad.storage.rows import ReadTransaction, SummaryRecord

_LABEL_WIDTH = 12
_MEGABYTE = 2**20
SPARE = 20 * _MEGABYTE
"""Bytes that should be free in addition to the size of a whole copy of the file."""
_PROBE = '<!doctype html><html lang="it"><head><title>scorepad</title></head><body><p>1.500</p></body></html>'


# ---------------------------------------------------------------- the data file


def default_data() -> Path:
    """Return the path of the data file if no other is named. It is in the user's data folder."""
    return platformdirs.user_data_path("scorepad", appauthor=False) / "scorepad.db"


def file_exists(path: Path) -> bool:
    """Tell whether a file exists.

    Raises StorageError if the system does not tell, because of missing rights for example.
    """
    try:
        path.stat()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise Unwritable.from_os_error(path, error) from None
    return True


def require_file(path: Path) -> Path:
    """Return this path if there is a file. Raises Stop otherwise."""
    if not file_exists(path):
        raise Stop("serve.no-file", file=printable_name(path))
    return path


def open_pad(data: Path | None) -> Pad:
    """Open an existing data file; without a name, the default one. Raises Stop, StorageError."""
    return Pad(Storage(require_file(data or default_data())))


# ---------------------------------------------------------------- matches, sheets, files


@command
@data
def matches_command(data: Path | None) -> int:
    """Run `scorepad matches`: print a line for each match of the file, those in progress first."""
    if data is None and not file_exists(default_data()):
        write_line(t("cli.matches.none"))
        return DONE
    summaries = open_pad(data).summaries(ADMIN)
    matches = [*summaries.in_progress, *summaries.finished]
    for match in matches:
        write_line(_describe_match(match))
    if not matches:
        write_line(t("cli.matches.none"))
    return DONE


def _describe_match(match: SummaryRecord) -> str:
    """Describe a match in one line.

    `7k2m…  We (Ann and Bea) 1,205, They 635  (Bar, open, 1 May 2026, 20:30)`: players, place, day
    and time tell matches apart whose sides have the same names.
    """
    sides = [_describe_side(match, position) for position in range(len(match.names))]
    sides_text = ", ".join(sides)
    details_text = ", ".join(_list_match_details(match))
    return f"{match.id}  {sides_text}  ({details_text})"


def _describe_side(match: SummaryRecord, position: int) -> str:
    """Describe a side of a match by its name, its players and its points.

    - `We (Ann and Bea) 1,205`
    - no player has a name: `We 1,205`
    """
    words = chosen_words()
    name = match.names[position]
    points = words.figure(match.totals[position])
    players_of_side = match.players[position] if match.players else ()
    named_players = [player for player in players_of_side if player]
    if not named_players:
        return f"{name} {points}"
    return f"{name} ({words.listing(named_players)}) {points}"


def _list_match_details(match: SummaryRecord) -> list[str]:
    """List what else is shown of a match: its place, whether it is finished, its last change.

    `["Bar", "open", "1 May 2026", "20:30"]`.
    """
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
    """Run `scorepad sheet`: write the score sheet of a match as a PDF."""
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
    """Run `scorepad pad`: write an empty score pad as a PDF, to be filled in by hand.

    `variant` is the game that it is for. A large pad takes a page; otherwise there are two or four
    copies on it.
    """
    from scorepad.sheets.blank_pad import Copies, make_blank_pad

    copies_on_page = Copies.LARGE if large else Copies(int(copies))
    chosen_options = {}
    for typed in options:
        name, value = _parse_option(typed)
        chosen_options[name] = value
    pad = make_blank_pad(variant, chosen_words(), copies_on_page, preset, chosen_options)
    write_file(output or Path(f"{variant}.pdf"), pad)
    return DONE


def _parse_option(typed: str) -> tuple[str, Any]:
    """Split an option for the rules into its name and value.

    - `wild-limit=three` → `("wild-limit", "three")`
    - a number, `true` or `false` gets its type: `target=3000` → `("target", 3000)`

    Raises Stop if there is no `=`.
    """
    name, sign, value = typed.partition("=")
    if not sign:
        raise Stop("paper.option.wrong", given=typed[:LONGEST])
    try:
        return name, json.loads(value)
    except ValueError:  # it is a word
        return name, value


@command
@click.argument("match", required=False)
@option("-o", "--output", type=FILE, help="cli.export.output")
@option("--csv", "as_csv", is_flag=True, help="cli.export.csv")
@data
def export_command(match: str | None, output: Path | None, as_csv: bool, data: Path | None) -> int:
    """Run `scorepad export`: write one match or all matches, as JSON or CSV.

    They are written to the file `output`, or to standard output. The exit status is 2 if some
    matches are damaged and left out.
    """
    pad = open_pad(data)
    if not as_csv:
        exported = _export_as_json(pad, match)
    elif match is None:
        exported = _export_all_as_csv(pad)
    else:
        exported = _export_one_as_csv(pad, match)

    if output is None:
        without_last_line_break = exported.content.removesuffix(b"\n")
        write_json_line(without_last_line_break)  # adds a line break; it writes CSV as well
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
    """Export the match with this id as JSON; all matches if it is None."""
    chosen = None if match is None else MatchId(match)
    target = io.BytesIO()
    unread = pad.exports.write_export(target, chosen, ADMIN)
    return Exported(target.getvalue(), unread)


def _export_all_as_csv(pad: Pad) -> Exported:
    """Export all matches as CSV, without practice matches."""
    from scorepad.sheets.spreadsheet import write_all_matches_csv

    target = io.BytesIO()
    unread = write_all_matches_csv(target, pad, ADMIN, chosen_words())
    return Exported(target.getvalue(), unread)


def _export_one_as_csv(pad: Pad, match: str) -> Exported:
    """Export the match with this id as CSV. Raises an error if it cannot be read."""
    from scorepad.sheets.spreadsheet import write_match_csv

    target = io.BytesIO()
    write_match_csv(target, pad.state(MatchId(match), ADMIN), chosen_words())
    return Exported(target.getvalue(), unread=[])


@command
@click.argument("file", type=FILE)
@data
def import_command(file: Path, data: Path | None) -> int:
    """Run `scorepad import`: add the matches of an exported file to the data file."""
    with open_input(file) as stream:
        source = stream.read(LARGEST_FILE + 1)  # one byte too many shows that it is too large
    # Everything is read before the data file is opened, which makes one if there is none: an
    # unusable export must not leave an empty data file behind.
    rows = list(read_rows_to_store(source))
    pad = Pad(Storage(data or default_data()))
    imported = pad.imports.import_rows(rows, ADMIN)
    if imported.taken:
        _print_matches("files.taken", imported.taken)
    if imported.here:  # the data file had these matches already
        _print_matches("files.here", imported.here)
    if not imported.taken and not imported.here:
        write_line(t("files.none"))
    return DONE


def _print_matches(key: str, matches: Sequence[MatchId]) -> None:
    """Print a message about matches, with their number and ids.

    `files.taken` → "2 matches taken in: 7k2m…, k3f9…."
    """
    ids = ", ".join(matches)
    write_line(chosen_words().plural(key, len(matches), matches=ids))


@command
@click.argument("file", required=False, type=FILE)
@option("-o", "--output", type=FILE, help="cli.backup.output")
@data
def backup_command(file: Path | None, output: Path | None, data: Path | None) -> int:
    """Run `scorepad backup`: copy the data file, also while the server uses it.

    The place of the copy is given as an argument (`file`) or after `-o` (`output`).
    """
    if file is not None and output is not None:
        raise Stop("backup.two-names")
    place_of_copy = file or output  # None: beside the data file
    data_file = require_file(data or default_data())
    copy = back_up(data_file, place_of_copy, datetime.now().astimezone())
    write_line(chosen_words().plural("backup.done", copy.matches, file=printable_name(copy.path)))
    return DONE


# ---------------------------------------------------------------- doctor


@command
@data
def doctor_command(data: Path | None) -> int:
    """Run `scorepad doctor`: check the installation and the data file.

    A line is printed for each check. The exit status is 1 if there is a problem.
    """
    path = require_file(data) if data else default_data()
    with Unwritable.instead_of_os_error(path):
        results = list(_run_all_checks(path))
    for result in results:
        label = t("doctor.good" if result.is_good else "doctor.wrong")
        write_line(f"{label:<{_LABEL_WIDTH}}{describe_check_result(result)}")
    problems = [result for result in results if not result.is_good]
    if problems:
        write_line(chosen_words().plural("doctor.found", len(problems)))
        return REFUSED
    write_line(t("doctor.well"))
    return DONE


def describe_check_result(result: CheckResult) -> str:
    """Describe the result of a check in a sentence; a problem with what to do about it."""
    arguments = dict(result.arguments)
    if "reason" in arguments:  # an error of the operating system, which has a message of its own
        reason = str(arguments["reason"])
        arguments["detail"] = describe_system_error(
            reason, str(arguments["detail"]), chosen_words()
        )
    return t(f"doctor.{result.code}", **arguments)


def _run_all_checks(path: Path) -> Iterator[CheckResult]:
    """Check the installed programs, then the data file at this path if there is one.

    Yields a result for each check as soon as it is known.
    """
    yield make_good_result("python", version=platform.python_version())
    yield make_good_result("scorepad", version=__version__)
    sqlite = read_sqlite_version()
    # A version with a known fault is no problem: the fault does not concern this program.
    code = "sqlite-known" if sqlite.may_lose_commits else "sqlite"
    yield make_good_result(code, version=sqlite.number)
    yield _check_pdf()

    if not file_exists(path):
        yield make_good_result("no-file", file=printable_name(path))
        return
    real_path = resolve_path(path)
    yield from _check_surroundings(real_path)
    yield from examine(real_path, MatchChecker().find_problem)


def _check_pdf() -> CheckResult:
    """Check whether this machine can make PDFs, by making a small one."""
    from scorepad.sheets.pdf import NoPdf, SheetError, make_pdf

    try:
        make_pdf(_PROBE)
    except NoPdf as error:
        if error.package:
            return make_problem_result("no-pdf-package", package=error.package)
        return make_problem_result("no-pdf", said=printable_name(error))
    except SheetError as error:
        return make_problem_result("no-pdf", said=printable_name(error))
    return make_good_result("pdf")


def _check_surroundings(path: Path) -> Iterator[CheckResult]:
    """Check what the data file depends on: rights, its key, free space, and left-over files."""
    size = path.stat().st_size
    kilobytes = _divide_rounding_up(size, 1024)
    yield make_good_result("file", file=printable_name(path), size=kilobytes)
    problems_of_rights = [*_check_own_rights(path), *find_exposed_files(path)]
    if problems_of_rights:
        yield from problems_of_rights
    else:
        yield make_good_result("rights")
    yield from _check_key(path)
    yield _check_room(path, size)
    yield _check_left_over(path.parent)


def _check_room(path: Path, size: int) -> CheckResult:
    """Check whether the disk has room for a whole copy of the data file.

    `size` is that of the file in bytes. The result has the numbers in megabytes.
    """
    free = shutil.disk_usage(path.parent).free
    needed = size + SPARE
    megabytes = {
        "free": free // _MEGABYTE,
        "needed": _divide_rounding_up(needed, _MEGABYTE),
    }
    if free >= needed:
        return make_good_result("room", **megabytes)
    return make_problem_result("no-room", **megabytes)


def _check_left_over(folder: Path) -> CheckResult:
    """Check whether a killed process has left temporary files in the folder of the data file."""
    left_over = sorted(file.name for file in folder.glob(TEMPORARY))
    if not left_over:
        return make_good_result("tidy")
    files = printable_name(", ".join(left_over))
    return make_problem_result("left-over", files=files, folder=printable_name(folder))


def _divide_rounding_up(number: int, divisor: int) -> int:
    """Divide and round up: 7 by 2 → 4. Sizes are shown in whole kilobytes or megabytes."""
    return (number + divisor - 1) // divisor


def _check_own_rights(path: Path) -> list[CheckResult]:
    """Check whether the current user may read and write the data file and its folder.

    SQLite writes other files beside the data file. The list has the problem, or is empty.
    """
    arguments = {"file": printable_name(path), "folder": printable_name(path.parent)}
    if not (path.is_file() and os.access(path, os.R_OK | os.W_OK)):
        return [make_problem_result("file-closed", **arguments)]
    if not os.access(path.parent, os.W_OK | os.X_OK):
        return [make_problem_result("folder-closed", **arguments)]
    return []


def _check_key(path: Path) -> Iterator[CheckResult]:
    """Check the file with the key that signs the cookies.

    A missing key is a problem only if phones use the data file: the server makes one when it
    starts.
    """
    from scorepad.app import LENGTH, key_path  # imports Flask, which other commands do not need

    key_file = key_path(path)
    if not key_file.exists():
        if is_entered_by_phone(path):
            yield make_problem_result("key-missing", file=printable_name(key_file))
        return
    is_usable = os.access(key_file, os.R_OK) and key_file.stat().st_size >= LENGTH
    if is_usable:
        yield make_good_result("key")
    else:
        yield make_problem_result("key-broken", file=printable_name(key_file))


def find_exposed_files(path: Path) -> list[CheckResult]:
    """Find out whether other users of this machine can open the data file, its folder or its key.

    Returns a problem for each that they can open.
    """
    from scorepad.app import key_path

    folder = path.parent
    key_file = key_path(path)
    results = []
    if is_exposed(folder):
        results.append(_make_exposed_result("folder-open", folder, mode="700"))
    if is_exposed(path):
        results.append(_make_exposed_result("file-open", path, mode="600"))
    if is_exposed(key_file):
        results.append(_make_exposed_result("key-open", key_file, mode="600"))
    return results


def _make_exposed_result(code: str, path: Path, mode: str) -> CheckResult:
    """Make the result for a file that other users can open, with the command that protects it.

    For the mode `600` that is `chmod 600 matches.db`.
    """
    command = f"chmod {mode} {shlex.quote(str(path))}"
    return make_problem_result(code, file=printable_name(path), command=command)


def warn_exposed(path: Path) -> None:
    """Print a warning for each of the data file, its folder and its key that others can open.

    Others are the other users of this machine.
    """
    for result in find_exposed_files(path):
        write_error_line(t("serve.warning", text=describe_check_result(result)))


class MatchChecker:
    """Checks the matches in a data file, one after another."""

    def __init__(self) -> None:
        self._rules: LruCache[Ruleset] = LruCache()
        """The rules that were read: most matches have the same ones."""

    def find_problem(self, rows: ReadTransaction, match: str) -> str:
        """Find out what is wrong with a match in the data file; `match` is its id.

        Returns the code of the problem:

        - `match-strange`: the log of the match, its list of all actions, cannot be read
        - `summary-differs`: what the list of matches shows does not agree with the log
        - empty if all is well, or the match was deleted meanwhile

        Raises BrokenFile if a row in the tables of the match is damaged.
        """
        record = rows.match(match)
        if record is None:
            return ""
        read_rules = make_rules_reader(rows, self._rules)
        try:
            state = project(record, rows.entries(match), read_rules)
        except (NewerError, LookupError, ValueError, TypeError):
            return "match-strange"  # another version or another program wrote it
        rows.open_hand(match)  # not needed, but reading it raises BrokenFile if it is damaged
        if rows.summary(match) != state.summary():
            return "summary-differs"
        return ""
