"""`scorepad backup`: where the copy goes, what is told, and how a copy is put back."""

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

REFUSED = read_data("cli/backup.toml")["refused"]


def totals(path: Path, table: Table) -> list[int]:
    with Storage(path) as storage:
        return [side.total for side in Pad(storage).state(table.match, ADMIN).sides]


def test_a_copy_beside_the_data_is_reported_and_put_back(table: Table, tmp_path: Path) -> None:
    done = shell("scorepad backup --data x.db", tmp_path)
    found = re.fullmatch(
        r"La copia è in (\S+/x-\d{4}-\d\d-\d\d-\d{6}\.db): 1 partita, controllata\.\n",
        done.stdout.decode(),
    )
    assert done.returncode == 0
    assert done.stderr == b""
    assert found
    copy = Path(found[1])
    assert copy.parent == tmp_path
    assert totals(copy, table) == [860, 120]
    table.play(hand_of_430_and_60())
    assert totals(tmp_path / "x.db", table) == [1290, 180]
    table.pad.context.storage.close()
    assert shell(f"cp {copy.name} x.db && scorepad matches --data x.db", tmp_path).returncode == 0
    assert totals(tmp_path / "x.db", table) == [860, 120]


@pytest.mark.quick(1)
@pytest.mark.parametrize("how", ["mine.db", "-o mine.db", "--output mine.db"])
def test_the_name_may_stand_alone_or_after_the_option(
    table: Table, tmp_path: Path, how: str
) -> None:
    for _ in range(2):
        done = shell(f"scorepad backup {how} --data x.db --lang en", tmp_path)
        assert done.stdout.decode() == f"The copy is in {tmp_path / 'mine.db'}: 1 match, checked.\n"
    assert totals(tmp_path / "mine.db", table) == [860, 120]


@pytest.mark.quick(2)
@pytest.mark.parametrize(("line", "it", "en"), REFUSED)
def test_what_cannot_be_is_reported_in_a_sentence_and_touches_nothing(
    table: Table, tmp_path: Path, line: str, it: str, en: str
) -> None:
    (tmp_path / "letter.txt").write_text("Cara Ada", encoding="utf-8")
    (tmp_path / "held.db-journal").write_bytes(b"something")
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir()}
    for language, expected in (("it", it), ("en", en)):
        message = refused(shell(f"scorepad {line} --data x.db --lang {language}", tmp_path))
        assert expected in message, message
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    ("language", "why", "remains"),
    [
        ("it", "una copia nella cartella /data, e non ci si riesce: il disco è pieno.", "non è stato toccato"),
        ("en", "put into the folder /data, and that fails: the disk is full.", "The file was not touched."),
    ],
)  # fmt: skip
def test_an_earlier_file_that_cannot_be_copied_first_is_reported_untouched(
    language: str, why: str, remains: str
) -> None:
    with command_line_in(language):
        message = data_file_error(NotKept(Path("/data/x.db"), "No space left on device", "full"))
    assert why in message
    assert remains in message
