"""A backup is whole, sound and of one moment; it takes nobody's place but an earlier backup's."""

import errno
import os
import sqlite3
import stat
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
    """The number of entries of each match."""
    with Storage(path) as storage, storage.reading() as reading:
        matches = reading.list_matches_in_order()
        return {match: len(reading.entries(match)) for match in matches}


def test_backup_without_name_is_beside_data_file_and_named_by_time(
    storage_with_match: Storage, path: Path
) -> None:
    backup = back_up(path, None, NOW)

    assert backup.path == path.with_name("scorepad-2026-11-21-210509.db")
    assert backup.matches == 1
    assert count_entries(backup.path) == {"abc": 2}
    assert stat.S_IMODE(backup.path.stat().st_mode) == 0o600
    assert list_names(path.parent) == ["scorepad-2026-11-21-210509.db", "scorepad.db"]


def test_second_backup_of_the_same_second_replaces_no_backup(
    storage_with_match: Storage, path: Path, rows: Rows
) -> None:
    first = back_up(path, None, NOW)
    content_of_first = first.path.read_bytes()
    with storage_with_match.writing() as writing:
        rows.fill(writing, "later")

    second = back_up(path, None, NOW)

    assert second.path.name == "scorepad-2026-11-21-210509-2.db"
    assert second.matches == 2
    assert first.path.read_bytes() == content_of_first


@pytest.fixture
def backup_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "backup_folder"
    folder.mkdir()
    return folder


def test_backup_into_a_folder_is_named_by_time(
    storage_with_match: Storage, path: Path, backup_folder: Path
) -> None:
    assert back_up(path, backup_folder, NOW).path == backup_folder / "scorepad-2026-11-21-210509.db"


def test_backup_under_a_name_replaces_earlier_backup(
    storage_with_match: Storage, path: Path, backup_folder: Path, rows: Rows
) -> None:
    back_up(path, backup_folder / "mine.db", NOW)
    with storage_with_match.writing() as writing:
        rows.fill(writing, "later")

    second = back_up(path, backup_folder / "mine.db", NOW)

    assert second.matches == 2
    assert count_entries(backup_folder / "mine.db")["later"] == 2
    assert list_names(backup_folder) == ["mine.db"]


def read_files(folder: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def assert_backup_refused(data: Path, target: Path, reason: str) -> None:
    """The backup is refused for this reason, and no file beside the data is changed."""
    files_before = read_files(data.parent)
    with pytest.raises(NoCopy) as error:
        back_up(data, target, NOW)
    assert error.value.reason == reason
    assert read_files(data.parent) == files_before


@pytest.mark.parametrize("name", ["scorepad.db", "symbolic.db", "hard.db", "./scorepad.db"])
def test_backup_does_not_replace_data_file_under_any_name(
    storage_with_match: Storage, path: Path, tmp_path: Path, name: str
) -> None:
    (tmp_path / "symbolic.db").symlink_to(path)
    (tmp_path / "hard.db").hardlink_to(path)

    assert_backup_refused(path, tmp_path / name, "data-file")


def test_backup_does_not_replace_foreign_files(
    storage_with_match: Storage, path: Path, tmp_path: Path
) -> None:
    (tmp_path / "letter.txt").write_text("Cara Ada", encoding="utf-8")
    (tmp_path / "empty.db").touch()
    with closing(sqlite3.connect(tmp_path / "contacts.db")) as other:
        other.execute("create table contacts (name text)")

    for name in ("letter.txt", "empty.db", "contacts.db"):
        assert_backup_refused(path, tmp_path / name, "not-ours")


def test_backup_beside_a_journal_is_refused(
    storage_with_match: Storage, path: Path, tmp_path: Path
) -> None:
    """SQLite would roll the backup back to what is in the journal."""
    first_bytes_of_journal = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
    (tmp_path / "mine.db-journal").write_bytes(first_bytes_of_journal)
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

    back_up(path, tmp_path / "mine.db", NOW)
    monkeypatch.setattr(backup, "sync", sync_to_full_disk)

    assert_backup_refused(path, tmp_path / "mine.db", "full")


def test_backup_in_folder_that_takes_no_hard_links(
    storage_with_match: Storage, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse_to_link(*_: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse_to_link)

    assert back_up(path, None, NOW).matches == 1
    assert back_up(path, None, NOW).path.name == "scorepad-2026-11-21-210509-2.db"


def test_garbled_file_is_not_backed_up(storage_with_match: Storage, path: Path) -> None:
    storage_with_match.close()
    whole = path.read_bytes()
    page_size = 4096
    for start_of_page in range(page_size, len(whole), page_size):
        garbled = bytearray(whole)
        garbled[start_of_page : start_of_page + page_size] = b"\xa5" * page_size
        path.write_bytes(garbled)

        with pytest.raises(BrokenFile):
            back_up(path, None, NOW)

    assert list_names(path.parent) == ["scorepad.db"]


def test_backup_of_file_with_interrupted_save_is_without_that_save(
    storage_with_match: Storage, path: Path
) -> None:
    storage_with_match.close()
    entries_before = count_entries(path)
    interrupt_save(path)

    copy = back_up(path, None, NOW)

    assert count_entries(copy.path) == entries_before


# The copy starts again after a save, twice at most; after the third save it keeps writers out.
@pytest.mark.parametrize(("saves_tried", "saves_done"), [(1, 1), (100, 3)])
def test_backup_has_every_match_that_was_saved_while_it_was_made(
    storage_with_match: Storage,
    path: Path,
    rows: Rows,
    monkeypatch: pytest.MonkeyPatch,
    saves_tried: int,
    saves_done: int,
) -> None:
    """One page of the file is copied at a time, and a match saved after each."""
    saved_matches: list[str] = []

    class SaveAfterEachPage(backup._RestartLimit):
        def __call__(self, status: int, left: int, total: int) -> None:
            super().__call__(status, left, total)
            if len(saved_matches) < saves_tried:
                match = f"m{len(saved_matches)}"
                saved_matches.append(match)
                with storage_with_match.writing() as writing:
                    rows.fill(writing, match)

    monkeypatch.setattr(backup, "PAGES_AT_ONCE", 1)
    monkeypatch.setattr(backup, "_RestartLimit", SaveAfterEachPage)

    copy = back_up(path, None, NOW)

    assert len(saved_matches) == saves_done
    assert count_entries(copy.path).keys() == {"abc", *saved_matches}
