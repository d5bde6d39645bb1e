"""A backup is whole, sound and of one moment; it takes nobody's place but an earlier backup's."""

import errno
import os
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from scorepad.storage import Storage, backup
from scorepad.storage.backup import back_up
from scorepad.storage.connection import BrokenFile, NoCopy
from tests.storage.conftest import Rows, interrupt_save, list_names

NOW = datetime(2026, 11, 21, 21, 5, 9, tzinfo=UTC)


def count_entries(path: Path) -> dict[str, int]:
    """Return the number of log entries of each match in a file."""
    with Storage(path) as storage, storage.reading() as reading:
        matches = reading.list_matches_in_order()
        return {match: len(reading.entries(match)) for match in matches}


def test_backup_without_name_is_beside_data_file_and_named_by_time(
    storage_with_match: Storage, path: Path
) -> None:
    # No target is given. It is 21:05:09 on 21 November 2026.
    backup = back_up(path, None, NOW)
    assert backup.path == path.with_name("scorepad-2026-11-21-210509.db")

    # It holds the match of the data file with its two entries, and only its owner may read it.
    assert backup.matches == 1
    assert count_entries(backup.path) == {"abc": 2}
    assert stat.S_IMODE(backup.path.stat().st_mode) == 0o600

    # No temporary file is left.
    assert list_names(path.parent) == ["scorepad-2026-11-21-210509.db", "scorepad.db"]


def test_second_backup_of_the_same_second_replaces_no_backup(
    storage_with_match: Storage, path: Path, rows: Rows
) -> None:
    first = back_up(path, None, NOW)
    content_of_first = first.path.read_bytes()

    # Another match is saved before the second backup.
    with storage_with_match.writing() as writing:
        rows.fill(writing, "later")
    second = back_up(path, None, NOW)

    # Its name would be that of the first, scorepad-2026-11-21-210509.db: a number is added.
    assert second.path.name == "scorepad-2026-11-21-210509-2.db"
    assert second.matches == 2
    assert first.path.read_bytes() == content_of_first


@pytest.fixture
def backup_folder(tmp_path: Path) -> Path:
    """Make an empty folder for backups."""
    folder = tmp_path / "backup_folder"
    folder.mkdir()
    return folder


def test_backup_into_a_folder_is_named_by_time(
    storage_with_match: Storage, path: Path, backup_folder: Path
) -> None:
    backup = back_up(path, backup_folder, NOW)
    assert backup.path == backup_folder / "scorepad-2026-11-21-210509.db"


def test_backup_under_a_name_replaces_earlier_backup(
    storage_with_match: Storage, path: Path, backup_folder: Path, rows: Rows
) -> None:
    # A backup is made under a name, then another match is saved.
    back_up(path, backup_folder / "mine.db", NOW)
    with storage_with_match.writing() as writing:
        rows.fill(writing, "later")

    second = back_up(path, backup_folder / "mine.db", NOW)

    # The file has this match with its two entries now, and it is the only backup.
    assert second.matches == 2
    assert count_entries(backup_folder / "mine.db")["later"] == 2
    assert list_names(backup_folder) == ["mine.db"]


def read_files(folder: Path) -> dict[Path, bytes]:
    """Return the content of all files in a folder and the folders below it."""
    return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def assert_backup_refused(data: Path, target: Path, reason: str) -> None:
    """Assert that a backup is refused for this reason, and that no file beside the data changes."""
    files_before = read_files(data.parent)
    with pytest.raises(NoCopy) as error:
        back_up(data, target, NOW)
    assert error.value.reason == reason
    assert read_files(data.parent) == files_before


@pytest.mark.parametrize("name", ["scorepad.db", "symbolic.db", "hard.db", "./scorepad.db"])
def test_backup_does_not_replace_data_file_under_any_name(
    storage_with_match: Storage, path: Path, tmp_path: Path, name: str
) -> None:
    # The data file is scorepad.db. Two links lead to it as well.
    (tmp_path / "symbolic.db").symlink_to(path)
    (tmp_path / "hard.db").hardlink_to(path)

    assert_backup_refused(path, tmp_path / name, "data-file")


def test_backup_does_not_replace_foreign_files(
    storage_with_match: Storage, path: Path, tmp_path: Path
) -> None:
    # A text, an empty file, and a database of another program: none is a backup of scorepad.
    (tmp_path / "letter.txt").write_text("Cara Ada", encoding="utf-8")
    (tmp_path / "empty.db").touch()
    with closing(sqlite3.connect(tmp_path / "contacts.db")) as other:
        other.execute("create table contacts (name text)")

    for name in ("letter.txt", "empty.db", "contacts.db"):
        assert_backup_refused(path, tmp_path / name, "not-ours")


def test_backup_beside_a_journal_is_refused(
    storage_with_match: Storage, path: Path, tmp_path: Path
) -> None:
    # The backup is to be called mine.db. A journal of this name was left by another database. SQLite
    # would take it for that of the backup, and overwrite pages of the backup with those in it.
    journal = tmp_path / "mine.db-journal"
    journal.write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7")  # as every journal begins

    assert_backup_refused(path, tmp_path / "mine.db", "in-use")


def test_backup_into_a_missing_folder_is_refused(
    storage_with_match: Storage, path: Path, tmp_path: Path
) -> None:
    assert_backup_refused(path, tmp_path / "missing" / "mine.db", "missing")


def test_backup_on_full_disk_keeps_the_earlier_backup(
    storage_with_match: Storage, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def sync_to_full_disk(_: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    # A backup succeeds. Then the disk is full, which comes out when the next one is written to it.
    back_up(path, tmp_path / "mine.db", NOW)
    monkeypatch.setattr(backup, "sync", sync_to_full_disk)

    assert_backup_refused(path, tmp_path / "mine.db", "full")


def test_backup_in_folder_that_takes_no_hard_links(
    storage_with_match: Storage, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse_to_link(*_: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    # Usually a finished copy gets its name by a hard link, which fails if the name is taken.
    monkeypatch.setattr(os, "link", refuse_to_link)

    first = back_up(path, None, NOW)
    assert first.matches == 1

    # Without hard links, too, a second backup does not replace one of the same second.
    second = back_up(path, None, NOW)
    assert second.path.name == "scorepad-2026-11-21-210509-2.db"


def test_garbled_file_is_not_backed_up(storage_with_match: Storage, path: Path) -> None:
    storage_with_match.close()
    whole = path.read_bytes()
    page_size = 4096

    # One page after the other is overwritten, each in a file that is sound otherwise. The first page
    # is left out: without it the file is no database.
    for start_of_page in range(page_size, len(whole), page_size):
        garbled = bytearray(whole)
        garbled[start_of_page : start_of_page + page_size] = b"\xa5" * page_size
        path.write_bytes(garbled)

        with pytest.raises(BrokenFile):
            back_up(path, None, NOW)

    # No backup is left, nor a part of one.
    assert list_names(path.parent) == ["scorepad.db"]


def test_backup_of_file_with_interrupted_save_is_without_that_save(
    storage_with_match: Storage, path: Path
) -> None:
    # A process is killed in the middle of a save. The data file holds one half of it, and beside it
    # lies the journal with which SQLite undoes this half.
    storage_with_match.close()
    entries_before = count_entries(path)
    interrupt_save(path)

    copy = back_up(path, None, NOW)

    assert count_entries(copy.path) == entries_before


def act_after_each_page(monkeypatch: pytest.MonkeyPatch, act: Callable[[], None]) -> None:
    """Let a backup copy one page at a time, and do something after each page."""

    # SQLite calls this object after each step of a copy.
    class ActingRestartLimit(backup._RestartLimit):
        def __call__(self, status: int, pages_left: int, all_pages: int) -> None:
            """End the copy if it has restarted too often, as ever. If not, act."""
            super().__call__(status, pages_left, all_pages)
            act()

    monkeypatch.setattr(backup, "PAGES_AT_ONCE", 1)
    monkeypatch.setattr(backup, "_RestartLimit", ActingRestartLimit)


@pytest.mark.parametrize(
    ("saves_tried", "saves_done"),
    [
        (1, 1),
        # The copy starts again after a save, twice at most. After the third save it keeps writers
        # out, so that it comes to an end.
        (100, 3),
    ],
)
def test_backup_has_every_match_that_was_saved_while_it_was_made(
    storage_with_match: Storage,
    path: Path,
    rows: Rows,
    monkeypatch: pytest.MonkeyPatch,
    saves_tried: int,
    saves_done: int,
) -> None:
    saved_matches: list[str] = []

    def save_another_match() -> None:
        """Save the matches "m0", "m1" and so on, until enough were tried."""
        if len(saved_matches) < saves_tried:
            match = f"m{len(saved_matches)}"
            saved_matches.append(match)
            with storage_with_match.writing() as writing:
                rows.fill(writing, match)

    # The file is copied page by page, and a match is saved after each page.
    act_after_each_page(monkeypatch, save_another_match)
    copy = back_up(path, None, NOW)

    # The backup has the match from before ("abc") and all that were saved meanwhile.
    assert len(saved_matches) == saves_done
    assert count_entries(copy.path).keys() == {"abc", *saved_matches}
