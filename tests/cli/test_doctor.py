"""`scorepad doctor`: what it finds good, what not, what to do; and that it changes nothing."""

import os
import sqlite3
import stat
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from scorepad.app import signing_key
from scorepad.cli import data_file as doctor
from scorepad.storage import Storage
from scorepad.storage.doctor import make_good_result
from scorepad.storage.schema import EARLIER_IDS
from tests.cli.running import command_line_in, shell
from tests.data import read_data
from tests.matches.conftest import Table
from tests.storage.conftest import cut_a_save_short
from tests.storage.conftest import later as later  # noqa: PLC0414 - a fixture

OUTSIDE = read_data("cli/doctor.toml")["outside"]
Examine = Callable[..., tuple[int, str]]


@pytest.fixture
def table(table: Table, tmp_path: Path) -> Table:
    """A match of two hands in a file that is closed, with its key."""
    table.pad.context.storage.close()
    signing_key(tmp_path / "x.db")
    return table


@pytest.fixture
def examine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Examine:
    """Run doctor on `x.db`: its status, and what it prints. The folder is afterwards as it was, to
    the byte.
    """
    monkeypatch.setattr(
        doctor, "_check_pdf", lambda: make_good_result("pdf")
    )  # once is enough: in the first test

    def run(language: str = "it") -> tuple[int, str]:
        before = read_folder(tmp_path)
        with command_line_in(language):
            status: int = doctor.doctor_command.callback(data=tmp_path / "x.db")
        assert read_folder(tmp_path) == before, "doctor changes nothing"
        return status, capsys.readouterr().out

    return run


def read_folder(folder: Path) -> dict[str, tuple[bytes, int, int]]:
    """Content, rights and time of every file of a folder."""
    files = {}
    for file in folder.rglob("*"):
        if file.is_file():
            files[file.name] = (file.read_bytes(), file.stat().st_mode, file.stat().st_mtime_ns)
    return files


def list_problems(output: str) -> list[str]:
    """The lines of what has to be looked at."""
    lines = [line for line in output.splitlines() if line.startswith("DA VEDERE")]
    return [line.removeprefix("DA VEDERE").strip() for line in lines]


def test_the_usual_file_is_yet_to_come(tmp_path: Path) -> None:
    done = shell(f"XDG_DATA_HOME={tmp_path / 'data'} scorepad doctor", tmp_path)
    assert done.returncode == 0
    assert f"non c'è ancora: lo fa «scorepad serve», in {tmp_path / 'data'}" in done.stdout.decode()
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("pragma user_version = 7", "È di uno scorepad più recente (schema 7, qui si arriva a 1)."),
        (f"pragma application_id = {EARLIER_IDS[-1]}", "scorepad export"),
        (f"pragma application_id = {EARLIER_IDS[-1]}", "scorepad import"),
    ],
)
def test_a_file_of_a_later_or_an_earlier_scorepad_is_reported(
    examine: Examine, tmp_path: Path, statement: str, expected: str
) -> None:
    Storage(tmp_path / "x.db").close()
    with closing(sqlite3.connect(tmp_path / "x.db")) as db:
        db.execute(statement)
    (line,) = list_problems(examine()[1])
    assert expected in line


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Cara Ada " * 100, "Non è un file di scorepad. Indica con --data quello giusto."),
        ("", "Il file è rovinato: è vuoto."),
    ],
)
def test_another_programs_file_and_an_empty_one_are_reported(
    examine: Examine, tmp_path: Path, text: str, expected: str
) -> None:
    (tmp_path / "x.db").write_text(text, encoding="utf-8")
    status, output = examine()
    assert status == 1
    assert expected in output


def changed(path: Path, statement: str) -> None:
    """The file changed from outside, past its guards, which are put back."""
    with closing(sqlite3.connect(path)) as db:
        guards = db.execute("select name, sql from sqlite_master where type = 'trigger'").fetchall()
        for name, _ in guards:
            db.execute(f"drop trigger {name}")
        db.commit()
        db.execute(statement)
        for _, sql in guards:
            db.execute(sql)
        db.commit()


@pytest.mark.parametrize(("statement", "expected"), OUTSIDE)
def test_what_was_changed_from_outside_is_reported(
    table: Table, examine: Examine, tmp_path: Path, statement: str, expected: str
) -> None:
    table.keep({"a.cards": "100"})
    table.pad.context.storage.close()
    changed(tmp_path / "x.db", statement)
    status, output = examine()
    assert status == 1
    (line,) = list_problems(output)
    assert expected in line
    if expected.endswith(": "):
        assert f"{expected}{table.match}." in line
    assert output.splitlines()[-1] == "1 cosa da vedere."


def test_a_save_cut_short_is_reported_and_left_to_the_next_start(
    table: Table, examine: Examine, tmp_path: Path
) -> None:
    table.keep({"a.cards": "100"})
    table.pad.context.storage.close()
    cut_a_save_short(tmp_path / "x.db")
    status, output = examine()
    assert status == 1
    assert len(list_problems(output)) == 1
    assert "si annulla da sé" in list_problems(output)[0]
    assert "Partite: 1." in output, "what was there before is looked at all the same"
    Storage(tmp_path / "x.db").close()
    assert examine()[0] == 0


def test_somebody_in_the_middle_of_a_save_is_nothing_wrong(
    table: Table, tmp_path: Path, examine: Examine
) -> None:
    table.keep({"a.cards": "100"})
    with closing(sqlite3.connect(tmp_path / "x.db", isolation_level=None)) as db:
        db.execute("begin immediate")
        db.execute("update open_hands set version = version + 1")
        assert (tmp_path / "x.db-journal").exists()
        assert examine()[0] == 0
        db.execute("rollback")


def test_a_sound_file_is_reported_as_sound_line_by_line(table: Table, tmp_path: Path) -> None:
    done = shell("scorepad doctor --data x.db", tmp_path)

    *lines, last = done.stdout.decode().splitlines()
    assert done.returncode == 0, lines
    assert last == "Tutto a posto."
    for line in lines:
        assert line.startswith("bene        ")
    output = "\n".join(lines)
    for part in (
        f"SQLite {sqlite3.sqlite_version}",
        f"Python {sys.version.split()[0]}",
        "MB liberi",
        f"file delle partite è {tmp_path / 'x.db'} (",
        "Lo schema è il 1",
        "Partite: 1.",
        "La chiave",
    ):
        assert part in output


def test_a_sound_file_is_reported_in_english(table: Table, tmp_path: Path) -> None:
    done = shell("scorepad doctor --data x.db --lang en", tmp_path)
    assert done.stdout.decode().splitlines()[-1] == "All is well."


def test_a_file_cut_short_is_reported(table: Table, examine: Examine, tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    path.write_bytes(path.read_bytes()[:-100])
    _, output = examine()
    assert "è stato troncato" in list_problems(output)[0]


def test_a_garbled_page_is_reported(table: Table, examine: Examine, tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    whole = path.read_bytes()
    page_size = 4096
    for start in range(page_size, len(whole) - page_size + 1, page_size):
        path.write_bytes(whole[:start] + b"\xa5" * page_size + whole[start + page_size :])

        status, output = examine()

        assert status == 1
        (problem,) = list_problems(output)
        assert problem.startswith("Il file è rovinato: ")
        assert "l'ultima copia" in problem


def test_rights_the_key_room_and_what_was_left_over(
    table: Table, examine: Examine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "x.db"
    key = tmp_path / "x.db.key"
    data.chmod(0o640)
    key.chmod(0o644)
    tmp_path.chmod(0o755)
    (tmp_path / ".scorepad-0123456789ab.new").touch()
    monkeypatch.setattr(doctor, "SPARE", 2**60)

    _, output = examine()

    open_folder, open_file, open_key, room, left_over = list_problems(output)
    assert open_folder.endswith(f"Chiudila a loro: chmod 700 {tmp_path}")
    assert open_file.endswith(f"leggere o cambiare {data}. Toglilo a loro: chmod 600 {data}")
    assert open_key.endswith(f"leggere la chiave {key}. Toglila a loro: chmod 600 {key}")
    assert "Fai posto." in room
    assert ".scorepad-0123456789ab.new" in left_over
    assert output.endswith("5 cose da vedere.\n")


def test_a_read_only_file_is_reported(
    table: Table, examine: Examine, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: not mode & os.W_OK and real(path, mode))
    _, output = examine()
    assert "non si può leggere e scrivere: non si salva niente" in list_problems(output)[0]


def test_a_read_only_folder_is_reported(
    table: Table, examine: Examine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.access
    closed = str(tmp_path)
    monkeypatch.setattr(os, "access", lambda path, mode: str(path) != closed and real(path, mode))
    _, output = examine()
    assert f"Nella cartella {tmp_path} non si può scrivere" in list_problems(output)[0]


def test_a_key_that_is_none_is_reported(table: Table, examine: Examine, tmp_path: Path) -> None:
    (tmp_path / "x.db.key").write_bytes(b"short")
    (line,) = list_problems(examine()[1])
    assert "la chiave" in line.lower()


def test_an_earlier_file_is_reported_and_not_brought_up(
    examine: Examine, tmp_path: Path, later: Callable[[], None]
) -> None:
    Storage(tmp_path / "x.db").close()
    later()
    (tmp_path / "x.db").chmod(stat.S_IRUSR | stat.S_IWUSR)
    status, output = examine("en")
    assert status == 0
    assert (
        "The schema is 1: at the next start it becomes 2, and a copy as it is now stays beside it."
        in output
    )


@pytest.mark.parametrize(
    ("language", "said"), [("it", "Manca la chiave {key}: "), ("en", "The key {key} is missing: ")]
)
def test_a_lost_key_is_reported_where_phones_are_in_a_match(
    table: Table, examine: Examine, tmp_path: Path, language: str, said: str
) -> None:
    key = tmp_path / "x.db.key"
    key.unlink()
    status, output = examine(language)
    assert status == 1
    assert said.format(key=key) in output
    assert "scorepad link --admin" in output


def test_a_file_in_which_no_phone_is_needs_no_key(examine: Examine, tmp_path: Path) -> None:
    Storage(tmp_path / "x.db").close()
    assert examine()[0] == 0
