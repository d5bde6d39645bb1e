"""`scorepad score`, `scorepad rule` and `scorepad variants`, from outside."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import run

HAND = (
    '{"variant": "classica", "sides": {"noi": {"melds": ["7xQ"], "left": "4"}},'
    ' "out": {"side": "noi", "discard": "6"}}'
)
REFUSED = '{"variant": "classica", "sides": {"noi": {"melds": ["2xQ"]}}}'
ALLOWED = '{"kind": "meld", "variant": "classica", "cards": "3xK"}'
FORBIDDEN = '{"kind": "opening", "variant": "classica", "score": 1500, "melds": ["3xA", "5x7"]}'


def test_a_valid_hand_is_answered_on_standard_output_with_status_0() -> None:
    done = run("score", given=HAND)
    assert done.returncode == 0
    assert done.stderr == b""
    # 500 + 70 + 100 - 5
    assert json.loads(done.stdout)["sides"]["noi"]["total"] == 665


def test_a_refused_hand_is_answered_with_status_1(tmp_path: Path) -> None:
    file = tmp_path / "hand.json"
    file.write_text(REFUSED)

    done = run("score", str(file), "--lang", "en")

    assert done.returncode == 1
    answer = json.loads(done.stdout)
    assert answer["valid"] is False
    assert answer["problems"][-1]["message"].startswith("This meld has 2 cards")


@pytest.mark.parametrize("command", ["score", "rule"])
def test_a_text_of_too_many_values_is_refused_before_it_is_parsed(command: str) -> None:
    too_many_values = "," * 20_001
    done = run(command, "--jsonl", "--lang", "en", given=f"{too_many_values}\nno")
    first_answer = json.loads(done.stdout.splitlines()[0])
    assert first_answer == {"error": "The request has too many values: at most 20,000."}


def test_under_jsonl_a_bad_line_is_answered_in_its_place_and_the_run_goes_on() -> None:
    lines = [HAND, "nonsense", REFUSED, "", HAND]

    done = run("score", "--jsonl", given="\n".join(lines) + "\n")

    assert done.returncode == 2
    assert done.stderr == b""
    first, nonsense, refused, empty, last = map(json.loads, done.stdout.splitlines())
    assert first["valid"]
    assert nonsense.keys() == {"error"}
    assert not refused["valid"]
    assert empty.keys() == {"error"}
    assert last["valid"]


def test_under_jsonl_an_error_names_the_character_of_the_line_and_no_line() -> None:
    lines = [
        HAND,
        '{"variant": "classica" "sides": {}}',
        "",
        '{"variant": ',
        '{"sides": {}, "sides": {}}',
        HAND,
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
def test_a_command_has_its_help_in_italian(command: str) -> None:
    """In English it is `docs/commands.md`, which test_docs.py compares."""
    text = run(command, "--lang", "it", "--help").stdout.decode()
    assert "Uso: " in text
    assert "cli." not in text, "the key of a text without its words"
    assert "<" not in text, "ranges are told in words"
    assert ">" not in text
    assert "[default" not in text


def test_the_help_in_italian_lists_the_commands() -> None:
    text = run("--lang", "it", "--help").stdout.decode()
    assert "Comandi:" in text
    for command in ("serve", "score", "rule", "variants", "matches", "sheet", "link"):
        assert command in text


def test_a_range_is_written_in_words() -> None:
    text = run("link", "--lang", "it", "--help").stdout.decode()
    assert "da 1 a 65535; senza, la 8765" in " ".join(text.split())


@pytest.mark.parametrize(
    ("command", "lines", "status"),
    [
        ("score", [HAND], 0),
        ("score", [HAND, REFUSED], 1),
        ("score", [], 0),
        ("score", ["x", REFUSED], 2),
        ("rule", [ALLOWED], 0),
        ("rule", [ALLOWED, FORBIDDEN, ALLOWED], 1),
        ("rule", ["x", FORBIDDEN], 2),
    ],
)
def test_under_jsonl_the_worst_line_is_the_status(
    command: str, lines: list[str], status: int
) -> None:
    done = run(command, "--jsonl", given="\n".join(lines))
    assert done.returncode == status
    assert len(done.stdout.splitlines()) == len(lines)


@pytest.mark.parametrize(("command", "given"), [("score", HAND), ("rule", FORBIDDEN)])
def test_an_answer_loads_neither_the_web_nor_the_database_nor_the_printer(
    command: str, given: str
) -> None:
    code = (
        "import sys; from scorepad.cli import main\n"
        f"try: main([{command!r}])\n"
        "except SystemExit: pass\n"
        "print([name for name in ('flask', 'sqlite_utils', 'sqlite3', 'weasyprint') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=given.encode(), capture_output=True, check=True
    )
    assert done.stdout.splitlines()[-1] == b"[]"


def test_a_variant_is_described_in_words_with_its_sources() -> None:
    page = run("variants", "classica").stdout.decode()
    assert "W:L'apertura" in page
    assert "value." not in page
    assert "setting." not in page


def test_what_a_terminal_would_obey_is_not_sent_to_it() -> None:
    hand = {"variant": "classica", "sides": {"\x1b]0;x\x07": {"foo": 1}}}
    assert b"\x1b" not in run("score", given=json.dumps(hand)).stderr


@pytest.mark.parametrize("line", ["--lang=en variants poker", "variants poker --lang=en"])
def test_the_language_may_follow_an_equals_sign(line: str) -> None:
    assert "there is no variant" in run(*line.split()).stderr.decode()


PENALTY = {"kind": "penalty", "variant": "classica", "code": "draw-out-of-turn"}


@pytest.mark.parametrize(
    ("question", "verdict", "status"),
    [
        (ALLOWED, "allowed", 0),
        (PENALTY, "value", 0),
        (PENALTY | {"code": "misdeal"}, "silent", 0),
        (FORBIDDEN, "forbidden", 1),
    ],
)
def test_a_question_is_answered_on_standard_output(
    question: object, verdict: str, status: int
) -> None:
    done = run("rule", given=question)
    assert done.returncode == status
    assert done.stderr == b""
    assert json.loads(done.stdout)["verdict"] == verdict
