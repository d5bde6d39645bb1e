"""`scorepad doctor`: what it reports of a data file, and that it changes nothing."""

import os
import sqlite3
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
from tests.storage.conftest import interrupt_save
from tests.storage.conftest import use_later_schema as use_later_schema  # noqa: PLC0414 - a fixture

CHANGES_FROM_OUTSIDE = read_data("cli/doctor.toml")["outside"]
Examine = Callable[..., tuple[int, str]]


@pytest.fixture
def table(table: Table, tmp_path: Path) -> Table:
    """Return the match of the fixture `table` of all tests of commands, as after a server ended.

    It has two hands, and is in the data file `x.db`.
    """
    table.pad.context.storage.close()

    # A server signs cookies with a key in the file `x.db.key`, which this call makes if it is missing.
    signing_key(tmp_path / "x.db")
    return table


@pytest.fixture
def examine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Examine:
    """Return a function that runs doctor on `x.db` and returns its status and its output.

    It also checks that doctor leaves every file of the folder as it was, to the byte.
    """
    # Making a PDF takes long, and is checked by the tests that use the shell.
    monkeypatch.setattr(doctor, "_check_pdf", lambda: make_good_result("pdf"))

    def run(language: str = "it") -> tuple[int, str]:
        before = read_folder(tmp_path)
        with command_line_in(language):
            status: int = doctor.doctor_command.callback(data=tmp_path / "x.db")
        assert read_folder(tmp_path) == before, "doctor changes nothing"
        return status, capsys.readouterr().out

    return run


def read_folder(folder: Path) -> dict[str, tuple[bytes, int, int]]:
    """Return content, rights and time of change of every file of a folder."""
    files = {}
    for file in folder.rglob("*"):
        if file.is_file():
            files[file.name] = (file.read_bytes(), file.stat().st_mode, file.stat().st_mtime_ns)
    return files


def list_problems(output: str) -> list[str]:
    """Return the lines of problems. They begin with "DA VEDERE" ("to look at")."""
    lines = [line for line in output.splitlines() if line.startswith("DA VEDERE")]
    return [line.removeprefix("DA VEDERE").strip() for line in lines]


def test_missing_default_file_is_no_problem(tmp_path: Path) -> None:
    # Without --data the file is one of the user's folder. It has not been made yet.
    done = shell(f"XDG_DATA_HOME={tmp_path / 'data'} scorepad doctor", tmp_path)

    assert done.returncode == 0
    # In English: "It is not there yet: scorepad serve makes it, in …"
    assert f"non c'è ancora: lo fa «scorepad serve», in {tmp_path / 'data'}" in done.stdout.decode()
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        # In English: "It is of a newer scorepad (schema 7, here 1 is the last)."
        ("pragma user_version = 7", "È di uno scorepad più recente (schema 7, qui si arriva a 1)."),
        (f"pragma application_id = {EARLIER_IDS[-1]}", "scorepad export"),
        (f"pragma application_id = {EARLIER_IDS[-1]}", "scorepad import"),
    ],
)
def test_file_of_later_or_earlier_version_is_reported(
    examine: Examine, tmp_path: Path, statement: str, expected: str
) -> None:
    # SQLite keeps two numbers in a file: the version of its tables (user_version) and which program
    # made it (application_id). Files from before the first release have another id: they must be
    # exported with the old program and imported.
    Storage(tmp_path / "x.db").close()
    with closing(sqlite3.connect(tmp_path / "x.db")) as db:
        db.execute(statement)

    _, output = examine()

    (problem,) = list_problems(output)
    assert expected in problem


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # In English: "This is no file of scorepad. Give the right one with --data."
        ("Cara Ada " * 100, "Non è un file di scorepad. Indica con --data quello giusto."),
        # In English: "The file is damaged: it is empty."
        ("", "Il file è rovinato: è vuoto."),
    ],
    ids=["letter", "empty"],
)
def test_foreign_or_empty_file_is_reported(
    examine: Examine, tmp_path: Path, text: str, expected: str
) -> None:
    (tmp_path / "x.db").write_text(text, encoding="utf-8")
    status, output = examine()
    assert status == 1
    assert expected in output


def change_past_guards(path: Path, statement: str) -> None:
    """Run a statement that the triggers of the data file forbid.

    They are taken out, because the log may only grow, and put back afterwards.
    """
    with closing(sqlite3.connect(path)) as db:
        select_triggers = "select name, sql from sqlite_master where type = 'trigger'"
        triggers = db.execute(select_triggers).fetchall()
        for name, _ in triggers:
            db.execute(f"drop trigger {name}")
        db.commit()

        db.execute(statement)

        for _, create_trigger in triggers:
            db.execute(create_trigger)
        db.commit()


@pytest.mark.parametrize(("statement", "expected"), CHANGES_FROM_OUTSIDE)
def test_change_from_outside_is_reported(
    table: Table, examine: Examine, tmp_path: Path, statement: str, expected: str
) -> None:
    # A match in the data file has two hands. A third one is being typed: 100 points of cards.
    table.keep({"a.cards": "100"})
    table.pad.context.storage.close()

    # Somebody changes the file with another program. In one case the second entry is deleted:
    # "delete from entries where sequence = 2".
    change_past_guards(tmp_path / "x.db", statement)

    # Doctor reports one problem, then: "rows of these matches are damaged: MATCH." Cases have MATCH
    # in place of the id of the match.
    status, output = examine()
    assert status == 1
    (problem,) = list_problems(output)
    assert expected.replace("MATCH", table.match) in problem
    assert output.splitlines()[-1] == "1 cosa da vedere."  # "1 thing to look at."


def test_interrupted_save_is_reported_and_undone_at_next_start(
    table: Table, examine: Examine, tmp_path: Path
) -> None:
    # Somebody types 100 points of cards into the form of the next hand.
    table.keep({"a.cards": "100"})
    table.pad.context.storage.close()

    # The power fails while something is saved: half of it is in the file.
    interrupt_save(tmp_path / "x.db")

    status, output = examine()
    assert status == 1
    (problem,) = list_problems(output)
    assert "si annulla da sé" in problem  # "it undoes itself"
    # Doctor also reads what was there before the save: "Matches: 1."
    assert "Partite: 1." in output

    # SQLite takes the half save back when the file is opened.
    Storage(tmp_path / "x.db").close()
    status_after_start, _ = examine()
    assert status_after_start == 0


def test_save_in_progress_is_no_problem(table: Table, tmp_path: Path, examine: Examine) -> None:
    # Somebody types 100 points of cards into the form of the next hand.
    table.keep({"a.cards": "100"})
    with closing(sqlite3.connect(tmp_path / "x.db", isolation_level=None)) as db:
        # Another process is saving. SQLite has a journal beside the file meanwhile.
        db.execute("begin immediate")
        db.execute("update open_hands set version = version + 1")
        assert (tmp_path / "x.db-journal").exists()

        status, _ = examine()

        assert status == 0
        db.execute("rollback")


def test_sound_file_has_no_problem_in_any_line(table: Table, tmp_path: Path) -> None:
    done = shell("scorepad doctor --data x.db", tmp_path)

    *lines, last = done.stdout.decode().splitlines()
    assert done.returncode == 0, lines
    assert last == "Tutto a posto."  # "All is well."
    for line in lines:
        assert line.startswith("bene        ")  # "good"

    # There is a line about SQLite, Python, the disk, the file, its schema, the matches, the key.
    output = "\n".join(lines)
    assert f"SQLite {sqlite3.sqlite_version}" in output
    assert f"Python {sys.version.split()[0]}" in output
    assert "MB liberi" in output
    assert f"file delle partite è {tmp_path / 'x.db'} (" in output
    assert "Lo schema è il 1" in output
    assert "Partite: 1." in output
    assert "La chiave" in output


def test_sound_file_in_english(table: Table, tmp_path: Path) -> None:
    done = shell("scorepad doctor --data x.db --lang en", tmp_path)
    assert done.stdout.decode().splitlines()[-1] == "All is well."


def test_truncated_file_is_reported(table: Table, examine: Examine, tmp_path: Path) -> None:
    # The data file, in which `table` is a match, lacks its last 100 bytes.
    data_file = tmp_path / "x.db"
    whole = data_file.read_bytes()
    data_file.write_bytes(whole[:-100])

    # Doctor examines this file.
    _, output = examine()
    first_problem, *_ = list_problems(output)
    assert "è stato troncato" in first_problem  # "was truncated"


def test_garbled_page_is_reported(table: Table, examine: Examine, tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    whole = path.read_bytes()

    # SQLite reads and writes its file in pages. Each of them but the first is garbled in turn.
    page_size = 4096
    for start in range(page_size, len(whole), page_size):
        garbled = bytearray(whole)
        garbled[start : start + page_size] = b"\xa5" * page_size
        path.write_bytes(garbled)

        status, output = examine()

        # "The file is damaged: …" and what to do: put "the last copy" in its place.
        assert status == 1
        (problem,) = list_problems(output)
        assert problem.startswith("Il file è rovinato: ")
        assert "l'ultima copia" in problem


def test_open_rights_full_disk_and_left_over_file_are_reported(
    table: Table, examine: Examine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Others on this machine may read the folder, the data file and its key.
    tmp_path.chmod(0o755)
    data = tmp_path / "x.db"
    data.chmod(0o640)
    key = tmp_path / "x.db.key"
    key.chmod(0o644)
    # The room that should be left on the disk is more than any disk has.
    monkeypatch.setattr(doctor, "SPARE", 2**60)
    # A process ended before it had written a new file to its end.
    (tmp_path / ".scorepad-0123456789ab.new").touch()

    _, output = examine()

    open_folder, open_file, open_key, full_disk, left_over = list_problems(output)
    # Each says what to do: "Close it to them: chmod 700 …", "Take it from them: chmod 600 …".
    assert open_folder.endswith(f"Chiudila a loro: chmod 700 {tmp_path}")
    assert open_file.endswith(f"leggere o cambiare {data}. Toglilo a loro: chmod 600 {data}")
    assert open_key.endswith(f"leggere la chiave {key}. Toglila a loro: chmod 600 {key}")
    assert "Fai posto." in full_disk  # "Make room."
    assert ".scorepad-0123456789ab.new" in left_over
    assert output.endswith("5 cose da vedere.\n")  # "5 things to look at."


def test_read_only_file_is_reported(
    table: Table, examine: Examine, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Tests may run as root, who can write everywhere: so the answer of the system is replaced.
    real_access = os.access

    def access_to_read_only_file(path: Path, mode: int) -> bool:
        asks_to_write = bool(mode & os.W_OK)
        return not asks_to_write and real_access(path, mode)

    monkeypatch.setattr(os, "access", access_to_read_only_file)

    _, output = examine()

    # In English: "It cannot be read and written: nothing is saved."
    first_problem, *_ = list_problems(output)
    assert "non si può leggere e scrivere: non si salva niente" in first_problem


def test_read_only_folder_is_reported(
    table: Table, examine: Examine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Tests may run as root, who can write everywhere: so the answer of the system is replaced.
    real_access = os.access

    def access_beside_folder(path: Path, mode: int) -> bool:
        return Path(path) != tmp_path and real_access(path, mode)

    monkeypatch.setattr(os, "access", access_beside_folder)

    _, output = examine()

    # "In the folder … nothing can be written."
    first_problem, *_ = list_problems(output)
    assert f"Nella cartella {tmp_path} non si può scrivere" in first_problem


def test_invalid_key_is_reported(table: Table, examine: Examine, tmp_path: Path) -> None:
    # With this key the server signs the cookies by which it knows a phone. It has 32 bytes.
    (tmp_path / "x.db.key").write_bytes(b"short")
    _, output = examine()
    (problem,) = list_problems(output)
    assert "la chiave" in problem.lower()  # "the key"


def test_file_of_earlier_schema_is_reported_and_not_migrated(
    examine: Examine, tmp_path: Path, use_later_schema: Callable[[], None]
) -> None:
    # After a data file was made, scorepad is replaced by a version whose tables are others.
    Storage(tmp_path / "x.db").close()
    use_later_schema()
    (tmp_path / "x.db").chmod(0o600)

    status, output = examine("en")

    # This is no problem, since the next start of the server adapts the file.
    assert status == 0
    assert (
        "The schema is 1: at the next start it becomes 2, and a copy as it is now stays beside it."
        in output
    )


@pytest.mark.parametrize(
    ("language", "expected"),
    [("it", "Manca la chiave {key}: "), ("en", "The key {key} is missing: ")],
)
def test_lost_key_is_reported_where_a_match_has_devices(
    table: Table, examine: Examine, tmp_path: Path, language: str, expected: str
) -> None:
    # The key file that signs the cookies is lost: no phone is known any more.
    key = tmp_path / "x.db.key"
    key.unlink()

    status, output = examine(language)

    assert status == 1
    assert expected.format(key=key) in output
    # This command makes a link that lets a phone into every match again.
    assert "scorepad link --admin" in output


def test_missing_key_is_no_problem_without_matches(examine: Examine, tmp_path: Path) -> None:
    Storage(tmp_path / "x.db").close()
    status, _ = examine()
    assert status == 0
