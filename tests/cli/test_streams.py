"""Standard input and output as shells leave them: closed, full, cut off, in an old encoding.

In a shell ">&-" closes standard output, "2>&-" standard error and "<&-" standard input. Whatever is
written to /dev/full fails as on a full disk.
"""

import json
from pathlib import Path

import pytest

from tests.cli.running import refused, shell_without_fork

HAND_WITH_ACCENTED_NAMES = """
{"variant": "classica", "before": {"nòi": 0, "lo−ro": 0},
 "sides": {"nòi": {"melds": ["7xQ"], "left": "4"}}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write a hand into `hand.json`, and return its folder."""
    (tmp_path / "hand.json").write_text(HAND_WITH_ACCENTED_NAMES, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("command", ["score hand.json", "variants", "matches", "--help"])
def test_closed_output_is_reported(folder: Path, command: str) -> None:
    # ">&-" closes standard output.
    message = refused(shell_without_fork(f"scorepad {command} >&-", folder))
    # In English: "standard output is closed. Open it".
    assert "lo standard output è chiuso. Aprilo" in message


@pytest.mark.parametrize("command", ["sheet abc --lang en", "serve --port 0 --lang=en"])
def test_closed_output_is_reported_in_english(folder: Path, command: str) -> None:
    # ">&-" closes standard output.
    message = refused(shell_without_fork(f"scorepad {command} >&-", folder))
    assert "standard output is closed. Open it" in message


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("it", "lo standard input è chiuso. Indica un FILE."),
        ("en", "standard input is closed. Name a FILE."),
    ],
)
@pytest.mark.parametrize("command", ["score", "score -", "score --jsonl", "rule"])
def test_closed_input_is_reported(folder: Path, command: str, language: str, expected: str) -> None:
    # Without a file these commands read standard input, which "<&-" closes.
    done = shell_without_fork(f"scorepad --lang {language} {command} <&-", folder)
    assert expected in refused(done)


def test_command_that_reads_a_file_works_with_closed_input(folder: Path) -> None:
    # "<&-" closes standard input, which neither command reads.
    assert shell_without_fork("scorepad score hand.json <&-", folder).returncode == 0
    assert shell_without_fork("scorepad variants <&-", folder).returncode == 0


def test_status_with_closed_or_full_standard_error(folder: Path) -> None:
    # There is no file /nowhere. The message about it cannot be written: standard error is closed,
    # or on a full disk, or standard output is closed, too. The status still tells that it failed.
    for redirection in ("2>&-", "2>/dev/full", ">&- 2>&-"):
        done = shell_without_fork(f"scorepad score /nowhere {redirection}", folder)
        assert done.returncode == 2
        assert done.stdout == b""
        assert done.stderr == b""


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    "command",
    [
        "variants",
        "variants classica",
        "variants due --json",
        "--help",
        "score --help",
        "score hand.json",
    ],
)
def test_reader_that_stops_ends_the_command_silently(folder: Path, command: str) -> None:
    # "true" ends without reading anything, mostly while the command still writes.
    done = shell_without_fork(f"scorepad {command} | true", folder)
    assert done.returncode == 0
    assert done.stderr == b""

    # Here it has ended before the command begins. "echo $?" prints the status of the command.
    with_reader_gone_before = f"(sleep 1; scorepad {command}; echo $? >&2) | true"
    status_of_command = shell_without_fork(with_reader_gone_before, folder).stderr
    assert status_of_command == b"0\n"


@pytest.mark.parametrize(
    "command",
    ["variants", "--help", "score hand.json", "score --jsonl < hand.json", "variants due --json"],
)
def test_full_disk_is_reported(folder: Path, command: str) -> None:
    # Linux refuses whatever is written to /dev/full, as on a full disk.
    message = refused(shell_without_fork(f"scorepad {command} >/dev/full", folder))
    assert "il disco è pieno." in message  # "the disk is full."


@pytest.mark.parametrize(
    ("encoding", "language"), [("latin-1", "it"), ("ascii", "en"), ("cp1252", "en")]
)
def test_old_encoding_keeps_the_sign_of_figures(folder: Path, encoding: str, language: str) -> None:
    command = f"scorepad variants classica --lang {language}"
    in_utf_8 = shell_without_fork(command, folder).stdout.decode()

    done = shell_without_fork(command, folder, PYTHONIOENCODING=encoding)

    assert done.returncode == 0
    assert done.stderr == b""
    # These encodings have no minus sign: a hyphen stands for it.
    in_old_encoding = done.stdout.decode(encoding)
    assert "\N{MINUS SIGN}100" in in_utf_8
    assert "-100" in in_old_encoding
    # Python writes "?" for a character that an encoding lacks. No other one was lost.
    assert in_old_encoding.count("?") == in_utf_8.count("?")
    assert len(in_old_encoding.splitlines()) == len(in_utf_8.splitlines())


def test_error_message_in_ascii(folder: Path) -> None:
    done = shell_without_fork("scorepad score /però", folder, PYTHONIOENCODING="ascii")
    # "Non si può leggere /però: non c'è. …" without its accents: "/però cannot be read: it is not
    # there. Name a file that can be read."
    without_accents = "Non si puo leggere /pero: non c'e. Indica un file che si possa leggere.\n"
    assert done.stderr.decode("ascii") == without_accents


def test_json_is_utf_8_in_every_encoding(folder: Path) -> None:
    # The names of the sides in hand.json have accents.
    for command in ("scorepad score hand.json", "scorepad variants classica --json"):
        in_usual_encoding = shell_without_fork(command, folder).stdout
        in_ascii = shell_without_fork(command, folder, PYTHONIOENCODING="ascii").stdout
        assert in_ascii == in_usual_encoding
        json.loads(in_usual_encoding.decode("utf-8"))


def test_file_name_that_is_no_text_is_reported(folder: Path) -> None:
    # The name is "café" in Latin-1. Its last byte is no text in UTF-8.
    message = refused(shell_without_fork("scorepad score $'caf\\xe9' --lang it", folder))
    assert "Non si può leggere caf" in message  # "caf… cannot be read"
