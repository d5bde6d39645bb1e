"""Names of files and values that cannot be used: the cause in words, and what to do."""

import os
import shlex
import tomllib
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from scorepad.app import KeyUnusable, signing_key
from scorepad.cli.data_file_errors import data_file_error
from scorepad.cli.options import FILE
from scorepad.i18n import describe_json_error, describe_os_error, words
from scorepad.schemas import Unusable, read_hand_request
from scorepad.storage import Storage
from scorepad.storage.connection import FolderUnwritable, StorageError
from tests.cli.running import begin, command_line_in, refused, shell


def read(name: str) -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text("utf-8"))


REFUSED: list[dict[str, str]] = list(chain.from_iterable(read("refused").values()))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "hand.json").write_text("{}")
    (tmp_path / "here").symlink_to("there")
    (tmp_path / "there").symlink_to("here")
    return tmp_path


@pytest.mark.quick(12)
@pytest.mark.parametrize("row", REFUSED, ids=[row["line"] for row in REFUSED])
def test_what_cannot_be_used_is_reported_in_a_sentence_and_writes_nothing(
    folder: Path, row: dict[str, str]
) -> None:
    given = f"printf %s {shlex.quote(row['input'])} | " if "input" in row else ""
    before = set(folder.iterdir())
    for language in row.keys() & {"it", "en"}:
        done = shell(f"{given}scorepad --lang {language} {row['line']}", folder)
        assert row[language] in refused(done)
    assert set(folder.iterdir()) == before


@pytest.mark.long
def test_a_sheet_that_cannot_be_written_is_reported(folder: Path) -> None:
    match = begin(folder).match
    message = refused(shell(f"scorepad sheet {match} --data x.db -o /", folder))
    assert message == "Non si può scrivere /: è una cartella. Indica un altro file con -o."


def refuse(number: int):
    def fail(*_: object, **__: object) -> int:
        raise OSError(number, os.strerror(number))

    return fail


@pytest.mark.parametrize(
    ("number", "expected"), [(13, "manca il permesso"), (30, "è di sola lettura"), (28, "è pieno")]
)
def test_a_folder_that_takes_no_file_is_blamed_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, expected: str
) -> None:
    monkeypatch.setattr(os, "open", refuse(number))
    with pytest.raises(FolderUnwritable) as error:
        Storage(tmp_path / "pad.db")
    with command_line_in("it"):
        message = data_file_error(error.value)
    assert message.startswith(f"La cartella {tmp_path} non si può usare per le partite: ")
    assert expected in message
    assert not list(tmp_path.iterdir())


def test_a_folder_that_takes_no_key_is_blamed_and_not_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "pad.db"
    Storage(data).close()
    monkeypatch.setattr(os, "open", refuse(13))
    with pytest.raises(FolderUnwritable) as error:
        signing_key(data)
    with command_line_in("en"):
        message = data_file_error(error.value)
    assert message.startswith(
        f"The folder {tmp_path} cannot be used for the matches: permission is missing."
    )
    assert ".key" not in message


def test_a_key_that_is_a_folder_is_reported_in_words(folder: Path) -> None:
    (folder / "pad.db.key").mkdir()
    message = refused(shell("scorepad serve --port 0 --data pad.db", folder))
    assert "Non si può usare la chiave" in message
    assert "è una cartella" in message
    with pytest.raises(KeyUnusable):
        signing_key(folder / "pad.db")


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize(
    "reason",
    [
        "in-use",
        "full",
        "read-only",
        "disk",
        "cannot-open",
        "permission",
        "garbled",
        "empty",
        "cut-short",
    ],
)
def test_what_the_data_file_suffers_from_is_reported_in_words(reason: str, language: str) -> None:
    with command_line_in(language):
        message = data_file_error(StorageError(Path("/data/x.db"), "disk I/O error", reason))
    assert "disk I/O error" not in message


def test_what_nobody_has_heard_of_is_reported_in_brackets() -> None:
    with command_line_in("it"):
        message = data_file_error(StorageError(Path("/data/x.db"), "unheard-of trouble"))
    assert "il sistema non lo permette (unheard-of trouble)" in message


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OSError(28, "No space left on device"), "il disco è pieno"),
        (OSError(98, "Address already in use"), "un altro programma la usa già"),
        (OSError(95, "not supported"), "il sistema non lo permette (not supported)"),
        (OSError("strange"), "il sistema non lo permette (strange)"),
    ],
)
def test_what_the_system_refuses_is_reported_in_words_or_in_brackets(
    error: OSError, message: str
) -> None:
    assert describe_os_error(error, words("it")) == message


def test_a_home_of_ones_own_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert FILE.convert("~/pad.db", None, None) == tmp_path / "pad.db"


BROKEN = [(source.encode(), expected) for source, expected in read("broken_json")["broken"]]
BROKEN += [
    (b'{"a": "\xff"}', "il testo non è in UTF-8"),
    (b'\xef\xbb\xbf{"variant": "classica"}', "segno di codifica (BOM)"),
    (b"[" * 5000, "troppe parentesi"),
]


@pytest.mark.parametrize(("source", "expected"), BROKEN)
def test_what_is_no_json_is_reported_with_its_place_and_a_plain_reason(
    source: bytes, expected: str
) -> None:
    with pytest.raises(Unusable) as error:
        read_hand_request(source)
    message, english = (error.value.message(words(language)) for language in ("it", "en"))
    assert message.startswith("Non è JSON: ")
    assert expected in message
    assert english.startswith("Not JSON: ")
    assert not set(english.split()) & {"riga", "testo", "qui", "EOF", "ident"}


def test_what_json_complains_of_for_the_first_time_is_reported_in_brackets() -> None:
    assert describe_json_error("moon phase wrong at line 3 column 4", words("it")) == (
        "riga 3, colonna 4: non si capisce (moon phase wrong)"
    )
    assert describe_json_error("?", words("it")) == "?"
