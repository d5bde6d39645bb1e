"""`scorepad score`, `scorepad rule` and `scorepad variants`, run as commands."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import run

# Noi ("we") lay seven queens, keep a four, and go out by discarding a six.
HAND_OF_665 = (
    '{"variant": "classica", "sides": {"noi": {"melds": ["7xQ"], "left": "4"}},'
    ' "out": {"side": "noi", "discard": "6"}}'
)
# Two queens: at least three cards of a rank may be laid.
HAND_WITH_SHORT_MELD = '{"variant": "classica", "sides": {"noi": {"melds": ["2xQ"]}}}'
# May three kings be laid?
ALLOWED_MELD = '{"kind": "meld", "variant": "classica", "cards": "3xK"}'
# May a side with 1500 points begin with these cards? It needs 90 points. Three aces are 3 × 20, and
# five sevens 5 × 5.
FORBIDDEN_OPENING = (
    '{"kind": "opening", "variant": "classica", "score": 1500, "melds": ["3xA", "5x7"]}'
)


def test_valid_hand_is_answered_with_status_0() -> None:
    # Noi ("we") lay seven queens, go out, and a four stays in the hand of the partner.
    done = run("score", given=HAND_OF_665)

    assert done.returncode == 0
    assert done.stderr == b""
    # 500 for seven queens without a wild card, their own 7 × 10, 100 for going out, −5 for the four
    assert json.loads(done.stdout)["sides"]["noi"]["total"] == 665


def test_refused_hand_is_answered_with_status_1(tmp_path: Path) -> None:
    # The hand has a meld of two queens. Three cards of a rank are needed.
    file = tmp_path / "hand.json"
    file.write_text(HAND_WITH_SHORT_MELD)

    done = run("score", str(file), "--lang", "en")

    assert done.returncode == 1
    answer = json.loads(done.stdout)
    assert answer["valid"] is False
    assert answer["problems"][-1]["message"].startswith("This meld has 2 cards")


@pytest.mark.parametrize("command", ["score", "rule"])
def test_request_with_too_many_values_is_refused(command: str) -> None:
    # Values are counted by their commas, before a line is read as JSON.
    too_many_values = "," * 20_001
    done = run(command, "--jsonl", "--lang", "en", given=f"{too_many_values}\nno")

    first_answer = json.loads(done.stdout.splitlines()[0])
    assert first_answer == {"error": "The request has too many values: at most 20,000."}


def test_jsonl_answers_a_bad_line_in_its_place_and_continues() -> None:
    lines = [HAND_OF_665, "nonsense", HAND_WITH_SHORT_MELD, "", HAND_OF_665]

    done = run("score", "--jsonl", given="\n".join(lines) + "\n")

    # 2 because lines could not be read at all.
    assert done.returncode == 2
    assert done.stderr == b""
    # A hand against the rules gets an answer; what is no hand gets an error.
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

    # A file of Windows has "\r\n" between its lines.
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
    # The help in English is docs/commands.md, which test_docs.py compares.
    text = run(command, "--lang", "it", "--help").stdout.decode()

    assert "Uso: " in text  # "Usage: "
    # The key of a text whose translation is missing would begin with "cli.".
    assert "cli." not in text
    # Click itself writes a range as "0<=x<=9" and a default as "[default: 8765]", in English.
    assert "<" not in text
    assert ">" not in text
    assert "[default" not in text


def test_help_in_italian_lists_the_commands() -> None:
    text = run("--lang", "it", "--help").stdout.decode()
    assert "Comandi:" in text  # "Commands:"
    for command in ("serve", "score", "rule", "variants", "matches", "sheet", "link"):
        assert command in text


def test_range_in_help_is_written_in_words() -> None:
    text = run("link", "--lang", "it", "--help").stdout.decode()
    # In English: "from 1 to 65535; without it, 8765".
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
    # 0: every line is answered. 1: a hand or a meld is against the rules. 2: a line is no JSON.
    done = run(command, "--jsonl", given="\n".join(lines))
    assert done.returncode == status
    assert len(done.stdout.splitlines()) == len(lines)


@pytest.mark.parametrize(
    ("command", "given"), [("score", HAND_OF_665), ("rule", FORBIDDEN_OPENING)]
)
def test_answer_imports_neither_flask_nor_sqlite_nor_weasyprint(command: str, given: str) -> None:
    # Importing them would make every answer slower. A program answers as the command does, and
    # prints the names of all imported modules on a last line.
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

    # The rules on the opening are those of Wikipedia, section "L'apertura".
    assert "W:L'apertura" in description
    # The key of a text that is missing would begin so.
    assert "value." not in description
    assert "setting." not in description


def test_error_message_has_no_escape_sequences() -> None:
    # The name of a side would set the title of the terminal. The error names the side, since the
    # key "foo" in it is unknown.
    sets_title_of_terminal = "\x1b]0;x\x07"
    hand = {"variant": "classica", "sides": {sets_title_of_terminal: {"foo": 1}}}
    assert b"\x1b" not in run("score", given=hand).stderr


@pytest.mark.parametrize("line", ["--lang=en variants poker", "variants poker --lang=en"])
def test_language_may_follow_an_equals_sign(line: str) -> None:
    assert "there is no variant" in run(*line.split()).stderr.decode()


@pytest.mark.parametrize(
    ("question", "verdict", "status"),
    [
        (ALLOWED_MELD, "allowed", 0),
        ({"kind": "penalty", "variant": "classica", "code": "draw-out-of-turn"}, "value", 0),
        ({"kind": "penalty", "variant": "classica", "code": "misdeal"}, "silent", 0),
        (FORBIDDEN_OPENING, "forbidden", 1),
    ],
    ids=["allowed meld", "penalty with points", "penalty without points", "forbidden opening"],
)
def test_question_is_answered_with_verdict_and_status(
    question: object, verdict: str, status: int
) -> None:
    # The sources give points for drawing out of turn ("value") and say nothing of a misdeal
    # ("silent").
    done = run("rule", given=question)
    assert done.returncode == status
    assert done.stderr == b""
    assert json.loads(done.stdout)["verdict"] == verdict
