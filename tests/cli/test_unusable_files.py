"""Files and values that cannot be used: the message names the cause and says what to do."""

import errno
import os
import shlex
from pathlib import Path

import pytest

from scorepad.app import KeyUnusable, signing_key
from scorepad.cli.data_file_errors import data_file_error
from scorepad.cli.options import FILE
from scorepad.i18n import describe_json_error, describe_os_error, words
from scorepad.schemas import Unusable, read_hand_request
from scorepad.storage import Storage
from scorepad.storage.connection import FolderUnwritable, StorageError
from tests.cli.running import begin_match, command_line_in, refused, shell
from tests.data import read_data

UNUSABLE_COMMAND_LINES: list[dict[str, str]] = []
for rows in read_data("cli/refused.toml").values():
    UNUSABLE_COMMAND_LINES += rows


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a folder with a hand, and with two links that lead to each other."""
    (tmp_path / "hand.json").write_text("{}")
    (tmp_path / "here").symlink_to("there")
    (tmp_path / "there").symlink_to("here")
    return tmp_path


@pytest.mark.quick(12)
@pytest.mark.parametrize(
    "row", UNUSABLE_COMMAND_LINES, ids=[row["line"] for row in UNUSABLE_COMMAND_LINES]
)
def test_unusable_command_line_is_reported_and_writes_nothing(
    folder: Path, row: dict[str, str]
) -> None:
    # A row has a command line and a part of its message in either language: {"line": "score /", "it":
    # "è una cartella", "en": "it is a folder"}. Some have what stands on standard input, too.
    input_pipe = ""
    if "input" in row:
        input_pipe = f"printf %s {shlex.quote(row['input'])} | "
    files_before = set(folder.iterdir())

    for language in ("it", "en"):
        if language in row:
            done = shell(f"{input_pipe}scorepad --lang {language} {row['line']}", folder)
            assert row[language] in refused(done)

    assert set(folder.iterdir()) == files_before


@pytest.mark.long
def test_sheet_that_cannot_be_written_is_reported(folder: Path) -> None:
    match = begin_match(folder).match
    message = refused(shell(f"scorepad sheet {match} --data x.db -o /", folder))
    # In English: "/ cannot be written: it is a folder. Name another file with -o."
    assert message == "Non si può scrivere /: è una cartella. Indica un altro file con -o."


def fail_to_open_files(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Make `os.open` fail with the error of this number. (Tests may run as root, who may open all.)"""

    def fail(*_: object, **__: object) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "open", fail)


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (errno.EACCES, "manca il permesso"),  # "permission is missing"
        (errno.EROFS, "è di sola lettura"),  # "it is read-only"
        (errno.ENOSPC, "è pieno"),  # "it is full"
    ],
)
def test_message_where_folder_takes_no_data_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, expected: str
) -> None:
    fail_to_open_files(monkeypatch, number)

    with pytest.raises(FolderUnwritable) as error:
        Storage(tmp_path / "pad.db")

    with command_line_in("it"):
        message = data_file_error(error.value)
    # In English: "The folder … cannot be used for the matches: …".
    assert message.startswith(f"La cartella {tmp_path} non si può usare per le partite: ")
    assert expected in message
    assert not list(tmp_path.iterdir())


def test_message_where_folder_takes_no_key_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The data file exists. The key that belongs beside it cannot be written.
    data = tmp_path / "pad.db"
    Storage(data).close()
    fail_to_open_files(monkeypatch, errno.EACCES)

    with pytest.raises(FolderUnwritable) as error:
        signing_key(data)

    # The message speaks of the folder, of which the reader knows, and not of the key.
    with command_line_in("en"):
        message = data_file_error(error.value)
    assert message.startswith(
        f"The folder {tmp_path} cannot be used for the matches: permission is missing."
    )
    assert ".key" not in message


def test_key_that_is_a_folder_is_reported(folder: Path) -> None:
    (folder / "pad.db.key").mkdir()
    message = refused(shell("scorepad serve --port 0 --data pad.db", folder))
    # In English: "The key … cannot be used: it is a folder".
    assert "Non si può usare la chiave" in message
    assert "è una cartella" in message


def test_key_that_is_a_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "pad.db.key").mkdir()
    with pytest.raises(KeyUnusable):
        signing_key(tmp_path / "pad.db")


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
def test_known_trouble_of_data_file_has_a_text(reason: str, language: str) -> None:
    # A reason without a text would be told by what SQLite says, in brackets.
    detail = "disk I/O error"
    with command_line_in(language):
        message = data_file_error(StorageError(Path("/data/x.db"), detail, reason))
    assert detail not in message


def test_unknown_trouble_of_data_file_is_in_brackets() -> None:
    with command_line_in("it"):
        message = data_file_error(StorageError(Path("/data/x.db"), "unheard-of trouble"))
    # In English: "the system does not allow it (…)".
    assert "il sistema non lo permette (unheard-of trouble)" in message


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "il disco è pieno"),
        (OSError(errno.EADDRINUSE, "Address already in use"), "un altro programma la usa già"),
        (OSError(errno.ENOTSUP, "not supported"), "il sistema non lo permette (not supported)"),
        (OSError("strange"), "il sistema non lo permette (strange)"),
    ],
)
def test_error_of_the_system_is_described_in_italian(error: OSError, message: str) -> None:
    # In English: "the disk is full", "another program uses it", "the system does not allow it (…)".
    assert describe_os_error(error, words("it")) == message


def test_tilde_is_the_home_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    # FILE is the type of an option of the command line that takes the name of a file.
    assert FILE.convert("~/pad.db", None, None) == tmp_path / "pad.db"


BROKEN_JSON: list[tuple[bytes, str]] = [
    (b'{"a": "\xff"}', "il testo non è in UTF-8"),
    (b'\xef\xbb\xbf{"variant": "classica"}', "segno di codifica (BOM)"),
    (b"[" * 5000, "troppe parentesi"),
]
for source, expected in read_data("cli/broken_json.toml")["broken"]:
    BROKEN_JSON.append((source.encode(), expected))


@pytest.mark.parametrize(("source", "expected"), BROKEN_JSON)
def test_broken_json_is_reported_with_a_plain_reason(source: bytes, expected: str) -> None:
    # Such as '{"a" 1}': "dopo una chiave mancano i due punti" ("after a key the colon is missing").
    with pytest.raises(Unusable) as error:
        read_hand_request(source)

    message = error.value.message(words("it"))
    assert message.startswith("Non è JSON: ")
    assert expected in message

    # The message in English has neither Italian words nor those of the JSON parser.
    english_message = error.value.message(words("en"))
    assert english_message.startswith("Not JSON: ")
    assert {"riga", "testo", "qui", "EOF", "ident"}.isdisjoint(english_message.split())


def test_unknown_json_error_is_in_brackets() -> None:
    # In English: "line 3, column 4: this cannot be understood (…)".
    assert describe_json_error("moon phase wrong at line 3 column 4", words("it")) == (
        "riga 3, colonna 4: non si capisce (moon phase wrong)"
    )
    # A message without a place stays as it is.
    assert describe_json_error("?", words("it")) == "?"
