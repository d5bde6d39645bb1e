"""`scorepad score`, `scorepad rule` and `scorepad variants`, from outside."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import run

HAND_OF_665 = (
    '{"variant": "classica", "sides": {"noi": {"melds": ["7xQ"], "left": "4"}},'
    ' "out": {"side": "noi", "discard": "6"}}'
)
HAND_WITH_SHORT_MELD = '{"variant": "classica", "sides": {"noi": {"melds": ["2xQ"]}}}'
ALLOWED_MELD = '{"kind": "meld", "variant": "classica", "cards": "3xK"}'
FORBIDDEN_OPENING = (
    '{"kind": "opening", "variant": "classica", "score": 1500, "melds": ["3xA", "5x7"]}'
)


def test_valid_hand_is_answered_with_status_0() -> None:
    done = run("score", given=HAND_OF_665)
    assert done.returncode == 0
    assert done.stderr == b""
    # A natural canasta 500, its cards 70, going out 100, less a four of 5.
    assert json.loads(done.stdout)["sides"]["noi"]["total"] == 665


def test_refused_hand_is_answered_with_status_1(tmp_path: Path) -> None:
    file = tmp_path / "hand.json"
    file.write_text(HAND_WITH_SHORT_MELD)

    done = run("score", str(file), "--lang", "en")

    assert done.returncode == 1
    answer = json.loads(done.stdout)
    assert answer["valid"] is False
    assert answer["problems"][-1]["message"].startswith("This meld has 2 cards")


@pytest.mark.parametrize("command", ["score", "rule"])
def test_request_with_too_many_values_is_refused(command: str) -> None:
    too_many_values = "," * 20_001
    done = run(command, "--jsonl", "--lang", "en", given=f"{too_many_values}\nno")
    first_answer = json.loads(done.stdout.splitlines()[0])
    assert first_answer == {"error": "The request has too many values: at most 20,000."}


def test_jsonl_answers_a_bad_line_in_its_place_and_continues() -> None:
    lines = [HAND_OF_665, "nonsense", HAND_WITH_SHORT_MELD, "", HAND_OF_665]

    done = run("score", "--jsonl", given="\n".join(lines) + "\n")

    assert done.returncode == 2
    assert done.stderr == b""
    first, nonsense, refused, empty, last = map(json.loads, done.stdout.splitlines())
    assert first["valid"]
    assert nonsense.keys() == {"error"}
    assert not refused["valid"]
    assert empty.keys() == {"error"}
    assert last["valid"]


def test_jsonl_error_names_the_character_in_its_line() -> None:
    lines = [
        HAND_OF_665,
        '{"variant": "classica" "sides": {}}',
        "",
        '{"variant": ',
        '{"sides": {}, "sides": {}}',
        HAND_OF_665,
    ]

    done = run("score", "--jsonl", "--lang", "en", given="\r\n".join(lines))

    errors = [json.loads(line).get("error") for line in done.stdout.splitlines()]
    assert errors == [
        None,
        "Not JSON: at character 24 of this line: a comma is missing, or the bracket that closes.",
        "Not JSON: nothing is written there.",
        "Not JSON: at character 12 of this line: the text ends too soon.",
        "“sides” stands twice in the same object: write it once.",
        None,
    ]


@pytest.mark.parametrize(
    "command", ["serve", "score", "rule", "variants", "matches", "sheet", "link"]
)
def test_command_has_help_in_italian(command: str) -> None:
    """In English it is `docs/commands.md`, which test_docs.py compares."""
    text = run(command, "--lang", "it", "--help").stdout.decode()
    assert "Uso: " in text
    assert "cli." not in text, "the key of a text"
    assert "<" not in text, "a range that is not in words"
    assert ">" not in text, "a range that is not in words"
    assert "[default" not in text


def test_help_in_italian_lists_the_commands() -> None:
    text = run("--lang", "it", "--help").stdout.decode()
    assert "Comandi:" in text
    for command in ("serve", "score", "rule", "variants", "matches", "sheet", "link"):
        assert command in text


def test_range_in_help_is_written_in_words() -> None:
    text = run("link", "--lang", "it", "--help").stdout.decode()
    assert "da 1 a 65535; senza, la 8765" in " ".join(text.split())


@pytest.mark.parametrize(
    ("command", "lines", "status"),
    [
        ("score", [HAND_OF_665], 0),
        ("score", [HAND_OF_665, HAND_WITH_SHORT_MELD], 1),
        ("score", [], 0),
        ("score", ["x", HAND_WITH_SHORT_MELD], 2),
        ("rule", [ALLOWED_MELD], 0),
        ("rule", [ALLOWED_MELD, FORBIDDEN_OPENING, ALLOWED_MELD], 1),
        ("rule", ["x", FORBIDDEN_OPENING], 2),
    ],
)
def test_jsonl_status_is_that_of_the_worst_line(
    command: str, lines: list[str], status: int
) -> None:
    done = run(command, "--jsonl", given="\n".join(lines))
    assert done.returncode == status
    assert len(done.stdout.splitlines()) == len(lines)


@pytest.mark.parametrize(
    ("command", "given"), [("score", HAND_OF_665), ("rule", FORBIDDEN_OPENING)]
)
def test_answer_imports_neither_flask_nor_sqlite_nor_weasyprint(command: str, given: str) -> None:
    code = f"""
import contextlib, sys
from scorepad.cli import main

with contextlib.suppress(SystemExit):
    main([{command!r}])
print(*sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], input=given.encode(), capture_output=True, check=True
    )
    _answer, imported_modules = done.stdout.decode().rsplit("\n", 2)[:2]
    assert set(imported_modules.split()).isdisjoint(
        ["flask", "sqlite_utils", "sqlite3", "weasyprint"]
    )


def test_variant_is_described_in_words_with_sources() -> None:
    description = run("variants", "classica").stdout.decode()
    assert "W:L'apertura" in description
    assert "value." not in description, "the key of a text"
    assert "setting." not in description, "the key of a text"


def test_error_message_has_no_escape_sequences() -> None:
    sets_title_of_terminal = "\x1b]0;x\x07"
    hand = {"variant": "classica", "sides": {sets_title_of_terminal: {"foo": 1}}}
    assert b"\x1b" not in run("score", given=hand).stderr


@pytest.mark.parametrize("line", ["--lang=en variants poker", "variants poker --lang=en"])
def test_language_may_follow_an_equals_sign(line: str) -> None:
    assert "there is no variant" in run(*line.split()).stderr.decode()


QUESTION_OF_PENALTY = {"kind": "penalty", "variant": "classica", "code": "draw-out-of-turn"}


@pytest.mark.parametrize(
    ("question", "verdict", "status"),
    [
        (ALLOWED_MELD, "allowed", 0),
        (QUESTION_OF_PENALTY, "value", 0),
        (QUESTION_OF_PENALTY | {"code": "misdeal"}, "silent", 0),
        (FORBIDDEN_OPENING, "forbidden", 1),
    ],
)
def test_question_is_answered_with_verdict_and_status(
    question: object, verdict: str, status: int
) -> None:
    done = run("rule", given=question)
    assert done.returncode == status
    assert done.stderr == b""
    assert json.loads(done.stdout)["verdict"] == verdict
