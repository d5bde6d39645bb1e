"""A file or a folder that may only be read is told, and the pad goes on once it may be written."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from scorepad.storage import Storage
from scorepad.storage.connection import Unwritable

NOBODY = 65534


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that anybody may come to."""
    made = Path(tempfile.mkdtemp())
    made.chmod(0o755)
    yield made
    made.chmod(0o755)
    shutil.rmtree(made)


@contextmanager
def as_anybody() -> Iterator[None]:
    """Root may do everything: the file is looked at as by somebody who may not."""
    if os.geteuid() != 0:
        yield
        return
    os.setresuid(NOBODY, NOBODY, 0)  # `os.access` goes by who it really is
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


@pytest.fixture
def sound(folder: Path, rows) -> Path:
    path = folder / "x.db"
    with Storage(path) as storage, storage.writing() as writing:
        rows.fill(writing)
    if os.geteuid() == 0:
        os.chown(path, NOBODY, NOBODY)
        os.chown(folder, NOBODY, NOBODY)
    return path


def allow(path: Path, file_mode: int, folder_mode: int) -> None:
    """Give the file and its folder these rights."""
    path.chmod(file_mode)
    path.parent.chmod(folder_mode)


@pytest.mark.parametrize(
    ("file_mode", "folder_mode"), [(0o400, 0o700), (0o600, 0o500), (0o400, 0o500)]
)
def test_nothing_is_started_where_nothing_can_be_saved(
    sound: Path, file_mode: int, folder_mode: int
) -> None:
    before = sound.read_bytes()
    allow(sound, file_mode, folder_mode)
    with as_anybody(), pytest.raises(Unwritable) as error:
        Storage(sound)
    assert error.value.reason == "read-only"
    assert sound.read_bytes() == before
    allow(sound, 0o600, 0o755)
    with as_anybody():
        Storage(sound).close()


@pytest.mark.parametrize(("file_mode", "folder_mode"), [(0o400, 0o700), (0o600, 0o500)])
def test_what_becomes_read_only_while_it_is_open_is_reported_and_goes_on_afterwards(
    sound: Path, rows, file_mode: int, folder_mode: int
) -> None:
    with as_anybody():
        storage = Storage(sound)
    before = sound.read_bytes()
    allow(sound, file_mode, folder_mode)
    with as_anybody():
        with pytest.raises(Unwritable), storage.writing() as writing:
            writing.append(rows.entry(3))
        with storage.reading() as reading:
            assert len(reading.entries("abc")) == 2
        storage.close()
    assert sound.read_bytes() == before
    allow(sound, 0o600, 0o755)
    with as_anybody():
        with storage.writing() as writing:
            writing.append(rows.entry(3))
        storage.close()


def test_a_folder_made_for_the_file_is_its_owners_alone_and_one_that_was_there_stays_as_it_is(
    tmp_path: Path,
) -> None:
    existing = tmp_path / "there"
    new = tmp_path / "new"
    existing.mkdir(mode=0o755)
    before = os.umask(0o022)
    try:
        Storage(existing / "x.db").close()
        Storage(new / "x.db").close()
    finally:
        os.umask(before)
    assert mode_of(existing) == 0o755
    assert mode_of(new) == 0o700
    assert mode_of(existing / "x.db") == 0o600
    assert mode_of(new / "x.db") == 0o600


def mode_of(path: Path) -> int:
    return path.stat().st_mode & 0o777
