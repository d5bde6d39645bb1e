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
"""The number of the user `nobody`, who has no rights of its own."""


@pytest.fixture
def folder() -> Iterator[Path]:
    """Make a folder that every user may list and enter (rights 755); delete it after the test."""
    path = Path(tempfile.mkdtemp())
    path.chmod(0o755)
    yield path
    path.chmod(0o755)
    shutil.rmtree(path)


@contextmanager
def as_user_nobody() -> Iterator[None]:
    """Act as the user `nobody` within a `with` block, if root runs the tests.

    Root may write every file, whatever its rights. Any other user stays who they are.
    """
    if os.geteuid() != 0:
        yield
        return

    # A process has a real, an effective and a saved user. `os.access` goes by the real one, so that
    # this one is changed too. Root stays the saved user, or the process could not become root again.
    os.setresuid(USER_NOBODY, USER_NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


@pytest.fixture
def file_of_nobody(folder: Path, rows: Rows) -> Path:
    """Make a data file with a match of two entries, which belongs to the user of `as_user_nobody`."""
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
    ("file_mode", "folder_mode"),
    [
        # A file of 400 can only be read, a folder of 500 only be listed and entered.
        pytest.param(0o400, 0o700, id="file"),
        pytest.param(0o600, 0o500, id="folder"),
        pytest.param(0o400, 0o500, id="file and folder"),
    ],
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
    # Even its owner may only read the file, and only list and enter the folder.
    set_modes(file_of_nobody, file_mode=0o400, folder_mode=0o500)
    with as_user_nobody(), pytest.raises(Unwritable):
        Storage(file_of_nobody)

    # The owner may write both again.
    set_modes(file_of_nobody, file_mode=0o600, folder_mode=0o755)
    with as_user_nobody():
        Storage(file_of_nobody).close()


@pytest.fixture(params=["file", "folder"])
def read_only_storage(file_of_nobody: Path, request: pytest.FixtureRequest) -> Iterator[Storage]:
    """Open a file; then let the file, or its folder, be read-only; return the storage."""
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
        # A third entry cannot be saved.
        with pytest.raises(Unwritable), read_only_storage.writing() as writing:
            writing.append(rows.entry(sequence=3))

        # The two entries of the match can still be read.
        with read_only_storage.reading() as reading:
            assert len(reading.entries("abc")) == 2

    assert read_only_storage.path.read_bytes() == content_before


def save_third_entry(storage: Storage, rows: Rows) -> None:
    """Save a third entry of the match, as a user who may write only what its rights allow."""
    with as_user_nobody(), storage.writing() as writing:
        writing.append(rows.entry(sequence=3))


def test_file_that_became_read_only_can_be_written_again_later(
    read_only_storage: Storage, rows: Rows
) -> None:
    # The file, or its folder, may only be read.
    with pytest.raises(Unwritable):
        save_third_entry(read_only_storage, rows)
    read_only_storage.close()

    # The owner may write both again. The storage opens the file anew, and saves the entry.
    set_modes(read_only_storage.path, file_mode=0o600, folder_mode=0o755)
    save_third_entry(read_only_storage, rows)


def test_new_file_and_new_folder_are_for_their_owner_only(tmp_path: Path) -> None:
    existing_folder = tmp_path / "there"
    existing_folder.mkdir(mode=0o755)
    new_folder = tmp_path / "new"

    # With this mask, which is the usual one, new files may be read by all users.
    umask_before = os.umask(0o022)
    try:
        Storage(existing_folder / "x.db").close()
        Storage(new_folder / "x.db").close()
    finally:
        os.umask(umask_before)

    # A folder that was there keeps its rights. A new one, and each file, is for its owner alone.
    assert mode_of(existing_folder) == 0o755
    assert mode_of(new_folder) == 0o700
    assert mode_of(existing_folder / "x.db") == 0o600
    assert mode_of(new_folder / "x.db") == 0o600


def mode_of(path: Path) -> int:
    return path.stat().st_mode & 0o777
