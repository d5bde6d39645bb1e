"""Standard input and output as shells leave them: closed, full, cut off, in an old encoding."""

import json
from pathlib import Path

import pytest

from tests.cli.running import refused, start

HAND = '{"variant": "classica", "before": {"nòi": 0, "lo−ro": 0}, "sides": {"nòi": {"melds": ["7xQ"], "left": "4"}}}'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "hand.json").write_text(HAND, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("command", ["score hand.json", "variants", "matches", "--help"])
def test_a_closed_output_is_reported_and_what_to_do(folder: Path, command: str) -> None:
    message = refused(start(f"scorepad {command} >&-", folder))
    assert "lo standard output è chiuso. Aprilo" in message


@pytest.mark.parametrize("command", ["sheet abc --lang en", "serve --port 0 --lang=en"])
def test_a_closed_output_is_reported_in_english(folder: Path, command: str) -> None:
    message = refused(start(f"scorepad {command} >&-", folder))
    assert "standard output is closed. Open it" in message


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("it", "lo standard input è chiuso. Indica un FILE."),
        ("en", "standard input is closed. Name a FILE."),
    ],
)
@pytest.mark.parametrize("command", ["score", "score -", "score --jsonl", "rule"])
def test_a_closed_input_is_reported_and_what_to_do(
    folder: Path, command: str, language: str, expected: str
) -> None:
    assert expected in refused(start(f"scorepad --lang {language} {command} <&-", folder))


def test_what_needs_no_input_does_without(folder: Path) -> None:
    assert start("scorepad score hand.json <&-", folder).returncode == 0
    assert start("scorepad variants <&-", folder).returncode == 0


def test_where_nobody_listens_to_errors_the_status_tells(folder: Path) -> None:
    for closed in ("2>&-", "2>/dev/full", ">&- 2>&-"):
        done = start(f"scorepad score /nowhere {closed}", folder)
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
def test_whoever_stops_reading_ends_the_command_in_silence(folder: Path, command: str) -> None:
    done = start(f"scorepad {command} | true", folder)
    assert done.returncode == 0
    assert done.stderr == b""
    done = start(f"(sleep 1; scorepad {command}; echo $? >&2) | true", folder)
    assert done.stderr == b"0\n", "nobody is there from the beginning"


@pytest.mark.parametrize(
    "command",
    ["variants", "--help", "score hand.json", "score --jsonl < hand.json", "variants due --json"],
)
def test_a_full_disk_is_reported_by_its_name(folder: Path, command: str) -> None:
    message = refused(start(f"scorepad {command} >/dev/full", folder))
    assert "il disco è pieno." in message


@pytest.mark.parametrize(
    ("encoding", "language"), [("latin-1", "it"), ("ascii", "en"), ("cp1252", "en")]
)
def test_an_old_terminal_shows_what_it_can_and_no_figure_changes_its_sign(
    folder: Path, encoding: str, language: str
) -> None:
    whole = start(f"scorepad variants classica --lang {language}", folder).stdout.decode()
    done = start(f"scorepad variants classica --lang {language}", folder, PYTHONIOENCODING=encoding)
    assert done.returncode == 0
    assert done.stderr == b""
    message = done.stdout.decode(encoding)
    assert "\N{MINUS SIGN}100" in whole
    assert "-100" in message
    assert message.count("?") == whole.count("?"), "a sign that the terminal lacks"
    assert len(message.splitlines()) == len(whole.splitlines())


def test_a_mistake_is_reported_on_an_old_terminal_too(folder: Path) -> None:
    done = start("scorepad score /però", folder, PYTHONIOENCODING="ascii")
    assert (
        done.stderr == b"Non si puo leggere /pero: non c'e. Indica un file che si possa leggere.\n"
    )


def test_json_is_utf_8_on_every_terminal(folder: Path) -> None:
    for command in ("score hand.json", "variants classica --json"):
        usual = start(f"scorepad {command}", folder).stdout
        assert start(f"scorepad {command}", folder, PYTHONIOENCODING="ascii").stdout == usual
        json.loads(usual.decode("utf-8"))


def test_a_name_that_is_no_text_is_shown_all_the_same(folder: Path) -> None:
    message = refused(start("scorepad score $'caf\\xe9' --lang it", folder))
    assert "Non si può leggere caf" in message
