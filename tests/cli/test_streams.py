"""Standard input and output as shells leave them: closed, full, cut off, in an old encoding."""

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
    (tmp_path / "hand.json").write_text(HAND_WITH_ACCENTED_NAMES, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("command", ["score hand.json", "variants", "matches", "--help"])
def test_closed_output_is_reported(folder: Path, command: str) -> None:
    message = refused(shell_without_fork(f"scorepad {command} >&-", folder))
    assert "lo standard output è chiuso. Aprilo" in message


@pytest.mark.parametrize("command", ["sheet abc --lang en", "serve --port 0 --lang=en"])
def test_closed_output_is_reported_in_english(folder: Path, command: str) -> None:
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
    assert expected in refused(
        shell_without_fork(f"scorepad --lang {language} {command} <&-", folder)
    )


def test_command_that_reads_a_file_works_with_closed_input(folder: Path) -> None:
    assert shell_without_fork("scorepad score hand.json <&-", folder).returncode == 0
    assert shell_without_fork("scorepad variants <&-", folder).returncode == 0


def test_status_with_closed_or_full_standard_error(folder: Path) -> None:
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
    done = shell_without_fork(f"scorepad {command} | true", folder)
    assert done.returncode == 0
    assert done.stderr == b""

    with_reader_gone_before = f"(sleep 1; scorepad {command}; echo $? >&2) | true"
    status_of_command = shell_without_fork(with_reader_gone_before, folder).stderr
    assert status_of_command == b"0\n"


@pytest.mark.parametrize(
    "command",
    ["variants", "--help", "score hand.json", "score --jsonl < hand.json", "variants due --json"],
)
def test_full_disk_is_reported(folder: Path, command: str) -> None:
    message = refused(shell_without_fork(f"scorepad {command} >/dev/full", folder))
    assert "il disco è pieno." in message


@pytest.mark.parametrize(
    ("encoding", "language"), [("latin-1", "it"), ("ascii", "en"), ("cp1252", "en")]
)
def test_old_encoding_keeps_the_sign_of_figures(folder: Path, encoding: str, language: str) -> None:
    command = f"scorepad variants classica --lang {language}"
    in_utf_8 = shell_without_fork(command, folder).stdout.decode()

    done = shell_without_fork(command, folder, PYTHONIOENCODING=encoding)

    assert done.returncode == 0
    assert done.stderr == b""
    in_old_encoding = done.stdout.decode(encoding)
    assert "\N{MINUS SIGN}100" in in_utf_8
    assert "-100" in in_old_encoding
    assert in_old_encoding.count("?") == in_utf_8.count("?"), "a character was lost"
    assert len(in_old_encoding.splitlines()) == len(in_utf_8.splitlines())


def test_error_message_in_ascii(folder: Path) -> None:
    done = shell_without_fork("scorepad score /però", folder, PYTHONIOENCODING="ascii")
    without_accents = "Non si puo leggere /pero: non c'e. Indica un file che si possa leggere.\n"
    assert done.stderr.decode("ascii") == without_accents


def test_json_is_utf_8_in_every_encoding(folder: Path) -> None:
    for command in ("scorepad score hand.json", "scorepad variants classica --json"):
        in_usual_encoding = shell_without_fork(command, folder).stdout
        in_ascii = shell_without_fork(command, folder, PYTHONIOENCODING="ascii").stdout
        assert in_ascii == in_usual_encoding
        json.loads(in_usual_encoding.decode("utf-8"))


def test_file_name_that_is_no_text_is_reported(folder: Path) -> None:
    latin_1_cafe = "$'caf\\xe9'"
    message = refused(shell_without_fork(f"scorepad score {latin_1_cafe} --lang it", folder))
    assert "Non si può leggere caf" in message
