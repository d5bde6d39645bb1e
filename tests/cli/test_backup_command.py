"""`scorepad backup`: where it puts the copy, what it prints, and how a copy is put back."""

import re
from pathlib import Path

import pytest

from scorepad.cli.data_file_errors import data_file_error
from scorepad.matches import Pad
from scorepad.matches.access import ADMIN
from scorepad.storage import Storage
from scorepad.storage.connection import NotKept
from tests.cli.running import command_line_in, refused, shell
from tests.data import read_data
from tests.matches.conftest import Table, hand_of_430_and_60

IMPOSSIBLE_BACKUPS = read_data("cli/backup.toml")["refused"]


def read_totals(path: Path, table: Table) -> list[int]:
    """Return the points of both sides, as a data file has them."""
    with Storage(path) as storage:
        return [side.total for side in Pad(storage).state(table.match, ADMIN).sides]


def test_backup_is_beside_data_file_and_can_be_restored(table: Table, tmp_path: Path) -> None:
    # The match has two hands of 430 and 60 points.
    done = shell("scorepad backup --data x.db", tmp_path)

    assert done.returncode == 0
    assert done.stderr == b""
    # The message is "The copy is in …: 1 match, checked."
    message = re.fullmatch(
        r"La copia è in (\S+/x-\d{4}-\d\d-\d\d-\d{6}\.db): 1 partita, controllata\.\n",
        done.stdout.decode(),
    )
    assert message
    copy = Path(message[1])
    assert copy.parent == tmp_path
    assert read_totals(copy, table) == [860, 120]  # 2 × 430, 2 × 60

    # A third hand is played after the backup.
    table.play(hand_of_430_and_60())
    assert read_totals(tmp_path / "x.db", table) == [1290, 180]

    # Copying the backup over the data file brings back the state of two hands.
    table.pad.context.storage.close()
    restore = f"cp {copy.name} x.db && scorepad matches --data x.db"
    assert shell(restore, tmp_path).returncode == 0
    assert read_totals(tmp_path / "x.db", table) == [860, 120]


@pytest.mark.quick(1)
@pytest.mark.parametrize("how", ["mine.db", "-o mine.db", "--output mine.db"])
def test_name_of_backup_may_be_argument_or_option(table: Table, tmp_path: Path, how: str) -> None:
    command = f"scorepad backup {how} --data x.db --lang en"
    message = f"The copy is in {tmp_path / 'mine.db'}: 1 match, checked.\n"

    # The second backup replaces the first.
    first_backup = shell(command, tmp_path)
    second_backup = shell(command, tmp_path)

    assert first_backup.stdout.decode() == message
    assert second_backup.stdout.decode() == message
    # The match has two hands of 430 and 60 points.
    assert read_totals(tmp_path / "mine.db", table) == [860, 120]


@pytest.mark.quick(2)
@pytest.mark.parametrize(("line", "italian", "english"), IMPOSSIBLE_BACKUPS)
def test_impossible_backup_is_refused_and_changes_no_file(
    table: Table, tmp_path: Path, line: str, italian: str, english: str
) -> None:
    # A line is, say, "backup -o x.db": the copy would overwrite the data file ("is the file of the
    # matches itself"). Others would overwrite a letter, or a journal, from which SQLite restores.
    (tmp_path / "letter.txt").write_text("Cara Ada", encoding="utf-8")
    (tmp_path / "held.db-journal").write_bytes(b"something")
    files_before = read_files(tmp_path)

    message = refused(shell(f"scorepad {line} --data x.db --lang it", tmp_path))
    english_message = refused(shell(f"scorepad {line} --data x.db --lang en", tmp_path))

    assert italian in message
    assert english in english_message
    assert read_files(tmp_path) == files_before


def read_files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.mark.parametrize(
    ("language", "reason", "file_is_untouched"),
    [
        ("it", "una copia nella cartella /data, e non ci si riesce: il disco è pieno.", "non è stato toccato"),
        ("en", "put into the folder /data, and that fails: the disk is full.", "The file was not touched."),
    ],
)  # fmt: skip
def test_message_where_no_copy_can_be_made_before_migration(
    language: str, reason: str, file_is_untouched: str
) -> None:
    # Before a new version changes the form of the data file, it copies the file beside it. Here
    # the disk is full.
    error = NotKept(Path("/data/x.db"), "No space left on device", "full")
    with command_line_in(language):
        message = data_file_error(error)

    assert reason in message
    assert file_is_untouched in message
