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
from tests.storage.conftest import Rows

USER_NOBODY = 65534


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that every user may list and enter."""
    path = Path(tempfile.mkdtemp())
    path.chmod(0o755)
    yield path
    path.chmod(0o755)
    shutil.rmtree(path)


@contextmanager
def as_user_nobody() -> Iterator[None]:
    """Where root runs the tests, who may do everything, act as a user who may not.

    Root is kept as the saved user, so that the process can become root again. `os.access` goes by
    the real user, so that the effective one alone would not do.
    """
    if os.geteuid() != 0:
        yield
        return
    os.setresuid(USER_NOBODY, USER_NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


@pytest.fixture
def file_of_nobody(folder: Path, rows: Rows) -> Path:
    path = folder / "x.db"
    with Storage(path) as storage, storage.writing() as writing:
        rows.fill(writing)
    if os.geteuid() == 0:
        os.chown(path, USER_NOBODY, USER_NOBODY)
        os.chown(folder, USER_NOBODY, USER_NOBODY)
    return path


def set_modes(path: Path, file_mode: int, folder_mode: int) -> None:
    """Give the file and its folder these rights."""
    path.chmod(file_mode)
    path.parent.chmod(folder_mode)


@pytest.mark.parametrize(
    ("file_mode", "folder_mode"), [(0o400, 0o700), (0o600, 0o500), (0o400, 0o500)]
)
def test_read_only_file_or_folder_is_not_opened(
    file_of_nobody: Path, file_mode: int, folder_mode: int
) -> None:
    content_before = file_of_nobody.read_bytes()
    set_modes(file_of_nobody, file_mode, folder_mode)

    with as_user_nobody(), pytest.raises(Unwritable) as error:
        Storage(file_of_nobody)

    assert error.value.reason == "read-only"
    assert file_of_nobody.read_bytes() == content_before


def test_file_that_may_be_written_again_is_opened(file_of_nobody: Path) -> None:
    set_modes(file_of_nobody, file_mode=0o400, folder_mode=0o500)
    with as_user_nobody(), pytest.raises(Unwritable):
        Storage(file_of_nobody)

    set_modes(file_of_nobody, file_mode=0o600, folder_mode=0o755)
    with as_user_nobody():
        Storage(file_of_nobody).close()


@pytest.fixture(params=["file", "folder"])
def read_only_storage(file_of_nobody: Path, request: pytest.FixtureRequest) -> Iterator[Storage]:
    """A storage whose file, or the folder of it, became read-only after it was opened."""
    with as_user_nobody():
        storage = Storage(file_of_nobody)
    if request.param == "file":
        set_modes(file_of_nobody, file_mode=0o400, folder_mode=0o700)
    else:
        set_modes(file_of_nobody, file_mode=0o600, folder_mode=0o500)
    yield storage
    storage.close()


def test_file_that_becomes_read_only_can_still_be_read(
    read_only_storage: Storage, rows: Rows
) -> None:
    content_before = read_only_storage.path.read_bytes()

    with as_user_nobody():
        with pytest.raises(Unwritable), read_only_storage.writing() as writing:
            writing.append(rows.entry(sequence=3))
        with read_only_storage.reading() as reading:
            assert len(reading.entries("abc")) == 2

    assert read_only_storage.path.read_bytes() == content_before


def test_file_that_became_read_only_can_be_written_again_later(
    read_only_storage: Storage, rows: Rows
) -> None:
    with as_user_nobody(), pytest.raises(Unwritable), read_only_storage.writing() as writing:
        writing.append(rows.entry(sequence=3))
    read_only_storage.close()

    set_modes(read_only_storage.path, file_mode=0o600, folder_mode=0o755)

    with as_user_nobody():
        with read_only_storage.writing() as writing:
            writing.append(rows.entry(sequence=3))
        read_only_storage.close()


def test_modes_of_new_file_and_its_folder(
    tmp_path: Path,
) -> None:
    existing_folder = tmp_path / "there"
    new_folder = tmp_path / "new"
    existing_folder.mkdir(mode=0o755)
    umask_before = os.umask(0o022)
    try:
        Storage(existing_folder / "x.db").close()
        Storage(new_folder / "x.db").close()
    finally:
        os.umask(umask_before)

    assert mode_of(existing_folder) == 0o755, "as it was"
    assert mode_of(new_folder) == 0o700
    assert mode_of(existing_folder / "x.db") == 0o600
    assert mode_of(new_folder / "x.db") == 0o600


def mode_of(path: Path) -> int:
    return path.stat().st_mode & 0o777
