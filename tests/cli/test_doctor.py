"""`scorepad doctor`: what it finds good, what not, what to do; and that it changes nothing."""

from __future__ import annotations

import os
import sqlite3
import stat
import sys
import tomllib
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
from tests.matches.conftest import Table
from tests.storage.conftest import cut_a_save_short
from tests.storage.conftest import later as later  # noqa: PLC0414 - a fixture

OUTSIDE = tomllib.loads(Path(__file__).with_name("doctor.toml").read_text("utf-8"))["outside"]
Told = Callable[..., tuple[int, str]]


@pytest.fixture
def table(table: Table, tmp_path: Path) -> Table:
    """A match of two hands in a file that is closed, with its key."""
    table.pad.context.storage.close()
    signing_key(tmp_path / "x.db")
    return table


@pytest.fixture
def asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Told:
    """What doctor answers of `x.db`, and its status. The folder is afterwards as it was, to the
    byte.
    """
    monkeypatch.setattr(
        doctor, "_check_pdf", lambda: make_good_result("pdf")
    )  # once is enough: in the first test

    def ask(language: str = "it") -> tuple[int, str]:
        before = standing(tmp_path)
        assert doctor.doctor_command.callback is not None
        with command_line_in(language):
            status: int = doctor.doctor_command.callback(data=tmp_path / "x.db")
        assert standing(tmp_path) == before, "doctor changes nothing"
        return status, capsys.readouterr().out

    return ask


def standing(folder: Path) -> dict[str, tuple[bytes, int, int]]:
    return {
        each.name: (each.read_bytes(), each.stat().st_mode, each.stat().st_mtime_ns)
        for each in folder.rglob("*")
        if each.is_file()
    }


def wrong(told: str) -> list[str]:
    """The lines of what has to be looked at."""
    lines = [line for line in told.splitlines() if line.startswith("DA VEDERE")]
    return [line.removeprefix("DA VEDERE").strip() for line in lines]


def test_a_sound_file_is_told_as_sound_line_by_line_in_both_languages(
    table: Table, tmp_path: Path
) -> None:
    done = shell("scorepad doctor --data x.db", tmp_path)
    *lines, last = done.stdout.decode().splitlines()
    assert done.returncode == 0, lines
    assert last == "Tutto a posto."
    assert all(line.startswith("bene        ") for line in lines)
    told = "\n".join(lines)
    for part in (
        f"SQLite {sqlite3.sqlite_version}", f"Python {sys.version.split()[0]}", "MB liberi",
        f"file delle partite è {tmp_path / 'x.db'} (", "Lo schema è il 1", "Partite: 1.", "La chiave",
    ):  # fmt: skip
        assert part in told
    english = shell("scorepad doctor --data x.db --lang en", tmp_path).stdout.decode().splitlines()
    assert len(english) == len(lines) + 1
    assert english[-1] == "All is well."


def test_the_usual_file_is_yet_to_come(tmp_path: Path) -> None:
    done = shell(f"XDG_DATA_HOME={tmp_path / 'data'} scorepad doctor", tmp_path)
    assert done.returncode == 0
    assert f"non c'è ancora: lo fa «scorepad serve», in {tmp_path / 'data'}" in done.stdout.decode()
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("pragma user_version = 7", "È di uno scorepad più recente (schema 7, qui si arriva a 1)."),
        (f"pragma application_id = {EARLIER_IDS[-1]}", "scorepad export"),
        (f"pragma application_id = {EARLIER_IDS[-1]}", "scorepad import"),
    ],
)
def test_a_file_of_a_later_or_an_earlier_scorepad_is_told(
    asked: Told, tmp_path: Path, statement: str, says: str
) -> None:
    Storage(tmp_path / "x.db").close()
    with closing(sqlite3.connect(tmp_path / "x.db")) as db:
        db.execute(statement)
    (line,) = wrong(asked()[1])
    assert says in line


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Cara Ada " * 100, "Non è un file di scorepad. Indica con --data quello giusto."),
        ("", "Il file è rovinato: è vuoto."),
    ],
)
def test_another_programs_file_and_an_empty_one_are_told(
    asked: Told, tmp_path: Path, text: str, says: str
) -> None:
    (tmp_path / "x.db").write_text(text, encoding="utf-8")
    status, told = asked()
    assert status == 1
    assert says in told


def test_a_file_cut_short_and_a_garbled_page(table: Table, asked: Told, tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    whole = path.read_bytes()
    path.write_bytes(whole[:-100])
    assert "è stato troncato" in wrong(asked()[1])[0]
    for page in range(1, len(whole) // 4096):
        path.write_bytes(whole[: page * 4096] + b"\xa5" * 4096 + whole[(page + 1) * 4096 :])
        status, told = asked()
        assert status == 1
        (line,) = wrong(told)
        assert line.startswith("Il file è rovinato: ")
        assert "l'ultima copia" in line


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


@pytest.mark.parametrize(("statement", "says"), OUTSIDE)
def test_what_was_changed_from_outside_is_told(
    table: Table, asked: Told, tmp_path: Path, statement: str, says: str
) -> None:
    table.keep({"a.cards": "100"})
    table.pad.context.storage.close()
    changed(tmp_path / "x.db", statement)
    status, told = asked()
    assert status == 1
    (line,) = wrong(told)
    assert says in line
    if says.endswith(": "):
        assert f"{says}{table.match}." in line
    assert told.splitlines()[-1] == "1 cosa da vedere."


def test_a_save_cut_short_is_told_and_left_to_the_next_start(
    table: Table, asked: Told, tmp_path: Path
) -> None:
    table.keep({"a.cards": "100"})
    table.pad.context.storage.close()
    cut_a_save_short(tmp_path / "x.db")
    status, told = asked()
    assert status == 1
    assert len(wrong(told)) == 1
    assert "si annulla da sé" in wrong(told)[0]
    assert "Partite: 1." in told, "what was there before is looked at all the same"
    Storage(tmp_path / "x.db").close()
    assert asked()[0] == 0


def test_somebody_in_the_middle_of_a_save_is_nothing_wrong(
    table: Table, tmp_path: Path, asked: Told
) -> None:
    table.keep({"a.cards": "100"})
    with closing(sqlite3.connect(tmp_path / "x.db", isolation_level=None)) as db:
        db.execute("begin immediate")
        db.execute("update open_hands set version = version + 1")
        assert (tmp_path / "x.db-journal").exists()
        assert asked()[0] == 0
        db.execute("rollback")


def test_rights_the_key_room_and_what_was_left_over(
    table: Table, asked: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.db"
    key = tmp_path / "x.db.key"
    path.chmod(0o640)
    key.chmod(0o644)
    tmp_path.chmod(0o755)
    (tmp_path / ".scorepad-0123456789ab.new").touch()
    monkeypatch.setattr(doctor, "SPARE", 2**60)
    told = asked()[1]
    open_folder, open_file, open_key, room, left_over = wrong(told)
    assert open_folder.endswith(f"Chiudila a loro: chmod 700 {tmp_path}")
    assert open_file.endswith(f"leggere o cambiare {path}. Toglilo a loro: chmod 600 {path}")
    assert open_key.endswith(f"leggere la chiave {key}. Toglila a loro: chmod 600 {key}")
    assert "Fai posto." in room
    assert ".scorepad-0123456789ab.new" in left_over
    assert told.endswith("5 cose da vedere.\n")


def test_a_key_that_is_none_is_told(table: Table, asked: Told, tmp_path: Path) -> None:
    (tmp_path / "x.db.key").write_bytes(b"short")
    (line,) = wrong(asked()[1])
    assert "la chiave" in line.lower()


def test_a_read_only_file_and_folder_are_told(
    table: Table, asked: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: not mode & os.W_OK and real(path, mode))
    assert "non si può leggere e scrivere: non si salva niente" in wrong(asked()[1])[0]
    closed = str(tmp_path)
    monkeypatch.setattr(os, "access", lambda path, mode: str(path) != closed and real(path, mode))
    assert f"Nella cartella {tmp_path} non si può scrivere" in wrong(asked()[1])[0]


def test_an_earlier_file_is_told_and_not_brought_up(
    asked: Told, tmp_path: Path, later: Callable[[], None]
) -> None:
    Storage(tmp_path / "x.db").close()
    later()
    (tmp_path / "x.db").chmod(stat.S_IRUSR | stat.S_IWUSR)
    status, told = asked("en")
    assert status == 0
    assert (
        "The schema is 1: at the next start it becomes 2, and a copy as it is now stays beside it."
        in told
    )


@pytest.mark.parametrize(
    ("language", "said"), [("it", "Manca la chiave {key}: "), ("en", "The key {key} is missing: ")]
)
def test_a_lost_key_is_told_where_phones_are_in_a_match(
    table: Table, asked: Told, tmp_path: Path, language: str, said: str
) -> None:
    key = tmp_path / "x.db.key"
    key.unlink()
    status, told = asked(language)
    assert status == 1
    assert said.format(key=key) in told
    assert "scorepad link --admin" in told


def test_a_file_in_which_no_phone_is_needs_no_key(asked: Told, tmp_path: Path) -> None:
    Storage(tmp_path / "x.db").close()
    assert asked()[0] == 0
