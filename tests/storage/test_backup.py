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
from tests.storage.conftest import cut_a_save_short, names

NOW = datetime(2026, 11, 21, 21, 5, 9, tzinfo=UTC)


def logs(path: Path) -> dict[str, int]:
    """The number of entries of each match."""
    with Storage(path) as storage, storage.reading() as reading:
        matches = sorted(reading.list_matches_in_order())
        return {match: len(reading.entries(match)) for match in matches}


def test_without_a_name_it_stands_beside_the_data_under_its_moment(
    filled: Storage, path: Path
) -> None:
    backup = back_up(path, None, NOW)
    assert backup.path == path.with_name("scorepad-2026-11-21-210509.db")
    assert backup.matches == 1
    assert logs(backup.path) == {"abc": 2}
    assert stat.S_IMODE(backup.path.stat().st_mode) == 0o600
    assert names(path.parent) == ["scorepad-2026-11-21-210509.db", "scorepad.db"]


def test_the_same_moment_again_takes_no_backups_place(filled: Storage, path: Path, rows) -> None:
    first = back_up(path, None, NOW).path
    before = first.read_bytes()
    with filled.writing() as writing:
        rows.fill(writing, "later")
    second = back_up(path, None, NOW)
    assert second.path.name == "scorepad-2026-11-21-210509-2.db"
    assert second.matches == 2
    assert first.read_bytes() == before


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    folder = tmp_path / "stick"
    folder.mkdir()
    return folder


def test_in_a_folder_it_stands_under_its_moment(filled: Storage, path: Path, stick: Path) -> None:
    assert back_up(path, stick, NOW).path == stick / "scorepad-2026-11-21-210509.db"


def test_under_a_name_it_replaces_the_backup_before(
    filled: Storage, path: Path, stick: Path, rows
) -> None:
    back_up(path, stick / "mine.db", NOW)
    with filled.writing() as writing:
        rows.fill(writing, "later")
    assert back_up(path, stick / "mine.db", NOW).matches == 2
    assert logs(stick / "mine.db")["later"] == 2
    assert names(stick) == ["mine.db"]


def contents(folder: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def refused(data: Path, target: Path, reason: str) -> None:
    before = contents(data.parent)
    with pytest.raises(NoCopy) as error:
        back_up(data, target, NOW)
    assert error.value.reason == reason
    assert contents(data.parent) == before


@pytest.mark.parametrize("name", ["scorepad.db", "symbolic.db", "hard.db", "./scorepad.db"])
def test_it_never_takes_the_place_of_the_data_itself_by_whatever_name(
    filled: Storage, path: Path, tmp_path: Path, name: str
) -> None:
    (tmp_path / "symbolic.db").symlink_to(path)
    (tmp_path / "hard.db").hardlink_to(path)
    refused(path, tmp_path / name, "data-file")


def test_it_takes_the_place_of_no_other_programs_file(
    filled: Storage, path: Path, tmp_path: Path
) -> None:
    (tmp_path / "letter.txt").write_text("Cara Ada", encoding="utf-8")
    (tmp_path / "empty.db").touch()
    with closing(sqlite3.connect(tmp_path / "contacts.db")) as other:
        other.execute("create table contacts (name text)")
    for name in ("letter.txt", "empty.db", "contacts.db"):
        refused(path, tmp_path / name, "not-ours")


def test_it_goes_neither_where_a_journal_waits_nor_into_a_folder_that_is_not_there(
    filled: Storage, path: Path, tmp_path: Path
) -> None:
    """What waits in a journal would be taken back of the backup."""
    (tmp_path / "mine.db-journal").write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7")
    refused(path, tmp_path / "mine.db", "in-use")
    refused(path, tmp_path / "stick" / "mine.db", "missing")


def test_a_full_disk_leaves_the_earlier_backup_and_no_half_one(
    filled: Storage, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    back_up(path, tmp_path / "mine.db", NOW)
    monkeypatch.setattr(backup, "sync", full)
    refused(path, tmp_path / "mine.db", "full")


def test_where_the_folder_takes_no_links_it_is_made_all_the_same(
    filled: Storage, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    assert back_up(path, None, NOW).matches == 1
    assert back_up(path, None, NOW).path.name == "scorepad-2026-11-21-210509-2.db"


def test_a_garbled_file_gives_no_backup(filled: Storage, path: Path) -> None:
    filled.close()
    whole = path.read_bytes()
    for page in range(1, len(whole) // 4096):
        path.write_bytes(whole[: page * 4096] + b"\xa5" * 4096 + whole[(page + 1) * 4096 :])
        with pytest.raises(BrokenFile):
            back_up(path, None, NOW)
    assert names(path.parent) == ["scorepad.db"]


def test_of_a_file_with_a_save_cut_short_the_copy_is_what_it_was_before(
    filled: Storage, path: Path
) -> None:
    filled.close()
    expected = logs(path)
    cut_a_save_short(path)
    assert logs(back_up(path, None, NOW).path) == expected


@pytest.mark.parametrize(("saves", "saved"), [(1, 1), (100, backup.MOST_RESTARTS + 1)])
def test_who_saves_while_pages_are_copied_does_not_wait_unless_it_would_never_end(
    filled: Storage, path: Path, rows, monkeypatch: pytest.MonkeyPatch, saves: int, saved: int
) -> None:
    """One page at a time, and somebody who saves after each: the copy begins anew, and in the end
    it holds all off. Either way it is of one moment.
    """
    matches = []

    class Saving(backup._RestartLimit):
        def __call__(self, status: int, left: int, total: int) -> None:
            super().__call__(status, left, total)
            if len(matches) < saves:
                matches.append(f"m{len(matches)}")
                with filled.writing() as writing:
                    rows.fill(writing, matches[-1])

    monkeypatch.setattr(backup, "PAGES_AT_ONCE", 1)
    monkeypatch.setattr(backup, "_RestartLimit", Saving)
    copy = back_up(path, None, NOW).path
    assert len(matches) == saved
    assert set(logs(copy)) == {"abc", *matches}
