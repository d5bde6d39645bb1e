"""A file is opened only if it is sound and ours; whatever is refused stays as it was, to the byte."""

import random
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from scorepad.storage import Storage
from scorepad.storage.connection import (
    BrokenFile,
    EarlierFile,
    ForeignFile,
    NewerFile,
    StorageError,
    Unwritable,
)
from scorepad.storage.rows import ANYBODY, MatchList
from scorepad.storage.schema import APPLICATION_ID, EARLIER_IDS, known_version
from tests.storage.conftest import cut_a_save_short, names, together

PAGE = 4096


@pytest.fixture
def sound(path: Path, rows) -> Path:
    """A file with a few matches in it, closed."""
    with Storage(path) as storage, storage.writing() as writing:
        for number in range(30):
            rows.fill(writing, f"m{number}", hands=8)
    return path


def refused(path: Path, error: type[StorageError]) -> StorageError:
    """The refusal of this file, which leaves it and its folder as they were."""
    before = path.read_bytes()
    with pytest.raises(error) as caught:
        Storage(path)
    assert path.read_bytes() == before
    assert names(path.parent) == [path.name]
    assert caught.value.path == path
    return caught.value


def run(path: Path, *statements: str) -> None:
    """Change the file as another program could."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def patched(path: Path, at: int, new: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(new)


def test_a_new_file_and_its_folders_are_made_for_their_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "data" / "of mine" / "pad #1?.db"
    Storage(path).close()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("pragma application_id").fetchone() == (APPLICATION_ID,)
        assert connection.execute("pragma user_version").fetchone() == (known_version(),) == (1,)
        steps = connection.execute("select migration_set, name from _sqlite_migrations")
        assert steps.fetchall() == [("scorepad", "version_1")]
    assert names(path.parent) == [path.name]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_opened_again_is_the_same_to_the_byte(sound: Path) -> None:
    before = sound.read_bytes()
    with Storage(sound) as storage, storage.reading() as reading:
        assert len(reading.entries("m3")) == 8
    assert sound.read_bytes() == before


def test_two_who_open_a_new_file_at_once_share_it(path: Path) -> None:
    assert together([lambda: Storage(path).close()] * 8) == []
    assert names(path.parent) == [path.name]


def test_a_newer_file_is_refused_with_its_version(sound: Path) -> None:
    run(sound, "pragma user_version = 7")
    error = refused(sound, NewerFile)
    assert isinstance(error, NewerFile)
    assert error.version == 7
    assert error.known == 1


@pytest.mark.parametrize("application", EARLIER_IDS)
def test_a_file_of_a_form_before_the_first_release_is_refused(
    sound: Path, application: int
) -> None:
    run(sound, f"pragma application_id = {application}")
    refused(sound, EarlierFile)


def test_a_file_whose_guards_were_taken_off_is_refused(sound: Path) -> None:
    run(sound, "drop trigger entries_never_change")
    refused(sound, BrokenFile)


def test_another_programs_database_is_refused(path: Path) -> None:
    run(path, "create table contacts (name text)")
    refused(path, ForeignFile)


def test_a_file_that_is_no_database_is_refused(path: Path) -> None:
    path.write_text("Noi 1250\nLoro 800\n" * 50, encoding="utf-8")
    refused(path, ForeignFile)


def test_a_file_that_was_emptied_is_refused(path: Path) -> None:
    path.touch()
    assert refused(path, BrokenFile).detail == "empty"


def test_a_file_without_our_tables_is_refused(path: Path) -> None:
    run(path, f"pragma application_id = {APPLICATION_ID}", "pragma user_version = 1")
    run(path, "create table matches (id text)")
    assert refused(path, BrokenFile).detail == "tables missing"


def test_a_file_cut_short_is_refused_wherever_it_was_cut(sound: Path) -> None:
    whole = sound.read_bytes()
    size = len(whole)
    lengths = [1, 15, 16, 60, 99, 100, PAGE - 1, PAGE, size - PAGE, size - 1]
    chance = random.Random(5)  # noqa: S311
    lengths += [chance.randrange(1, size) for _ in range(60)]
    for length in lengths:
        sound.write_bytes(whole[:length])
        refused(sound, StorageError)


def test_a_folder_in_the_files_place_is_reported(path: Path) -> None:
    path.mkdir()
    with pytest.raises(Unwritable):
        Storage(path)


def test_a_file_in_the_folders_place_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("here", encoding="utf-8")
    with pytest.raises(Unwritable):
        Storage(file / "scorepad.db")


def test_a_file_with_a_page_of_noise_is_refused(sound: Path) -> None:
    whole = sound.read_bytes()
    chance = random.Random(6)  # noqa: S311
    for page in range(len(whole) // PAGE):
        sound.write_bytes(whole)
        patched(sound, page * PAGE, chance.randbytes(PAGE))
        refused(sound, StorageError)


def test_after_a_save_cut_by_a_power_cut_the_file_is_what_it_was_before_it(sound: Path) -> None:
    with Storage(sound) as storage, storage.reading() as reading:
        before = reading.summaries(ANYBODY, MatchList.IN_PROGRESS)
    whole = sound.read_bytes()
    cut_a_save_short(sound)
    assert sound.read_bytes() != whole
    with Storage(sound) as storage, storage.reading() as reading:
        assert reading.summaries(ANYBODY, MatchList.IN_PROGRESS) == before
    assert names(sound.parent) == [sound.name]
