"""`scorepad rule`, from outside."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import refused, start

ALLOWED = '{"kind": "meld", "variant": "classica", "cards": "3xK"}'
VALUE = '{"kind": "penalty", "variant": "classica", "code": "draw-out-of-turn"}'
SILENT = '{"kind": "penalty", "variant": "classica", "code": "misdeal"}'
FORBIDDEN = '{"kind": "opening", "variant": "classica", "score": 1500, "melds": ["3xA", "5x7"]}'


def run(*arguments: str, given: str | bytes = "") -> subprocess.CompletedProcess[bytes]:
    source = given.encode() if isinstance(given, str) else given
    return subprocess.run(
        [sys.executable, "-m", "scorepad", "rule", *arguments],
        input=source,
        capture_output=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("question", "verdict", "status"),
    [
        (ALLOWED, "allowed", 0),
        (VALUE, "value", 0),
        (SILENT, "silent", 0),
        (FORBIDDEN, "forbidden", 1),
    ],
)
def test_a_question_is_answered_on_standard_output(
    question: str, verdict: str, status: int
) -> None:
    done = run(given=question)
    assert (done.returncode, done.stderr) == (status, b"")
    assert json.loads(done.stdout)["verdict"] == verdict


def test_the_reason_names_the_figures_of_the_case_in_the_language_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "question.json"
    file.write_text(FORBIDDEN)
    # 3 x 20 + 5 x 5 = 85
    said = [
        json.loads(run(str(file), *lang).stdout)["reasons"][0]["message"]
        for lang in ([], ["--lang", "en"])
    ]
    assert said[0] == "Per aprire servono 90 punti, ne hai calati 85: ne mancano 5."
    assert said[1] == "It takes 90 points to open, and you laid 85: 5 short."


def test_a_source_stands_beside_every_reason_and_the_others_below() -> None:
    told = json.loads(
        run(given='{"kind": "meld", "variant": "classica", "cards": "2", "on": "7xQ"}').stdout
    )
    assert all(reason["sources"] for reason in told["reasons"])
    assert told["elsewhere"][0] == {
        "preset": "giochi",
        "options": {"canasta-size": "exactly-seven"},
        "verdict": "forbidden",
        "details": {"points": 90},
        "sources": ["G:Regole sussidiarie"],
    }


@pytest.mark.quick(3)
@pytest.mark.parametrize(
    ("arguments", "given", "says"),
    [
        ([], "no", "Non è JSON"),
        (["--lang", "en"], "no", "Not JSON"),
        ([], "[]", "domanda"),
        ([], '{"kind": "melds", "variant": "classica"}', "«kind»"),
        (["--lang=en"], '{"kind": "meld", "variant": "poker", "cards": "3xK"}', "no variant poker"),
        (["/nowhere/question.json"], "", "/nowhere/question.json"),
        (["--wrong"], "", "--wrong"),
        (["a", "b"], "", "--help"),
        ([""], "", "FILE"),
    ],
)
def test_what_cannot_be_used_is_told_in_one_line_with_status_2(
    arguments: list[str], given: str, says: str
) -> None:
    done = run(*arguments, given=given)
    assert (done.returncode, done.stdout) == (2, b"")
    told = done.stderr.decode()
    assert told.count("\n") == 1
    assert says in told


def test_under_jsonl_a_bad_line_is_answered_in_its_place_and_the_run_goes_on() -> None:
    lines = [ALLOWED, "nonsense", FORBIDDEN, "", VALUE]
    done = run("--jsonl", given="\n".join(lines) + "\n")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [set(told) == {"error"} for told in answers] == [False, True, False, True, False]
    assert [told.get("verdict") for told in answers] == [
        "allowed",
        None,
        "forbidden",
        None,
        "value",
    ]
    assert (done.returncode, done.stderr) == (2, b"")


@pytest.mark.parametrize(
    ("lines", "status"),
    [([ALLOWED, SILENT], 0), ([ALLOWED, FORBIDDEN, VALUE], 1), ([], 0), (["x", FORBIDDEN], 2)],
)
def test_under_jsonl_the_worst_line_is_the_status(lines: list[str], status: int) -> None:
    assert run("--jsonl", given="\n".join(lines)).returncode == status


def test_the_referee_loads_neither_the_web_nor_the_database_nor_the_printer() -> None:
    code = (
        "import sys, io; from scorepad.cli import main\n"
        f"sys.stdin = type('S', (), {{'buffer': io.BytesIO({FORBIDDEN.encode()!r})}})()\n"
        "sys.stdout.flush()\n"
        "try: main(['rule'])\n"
        "except SystemExit: pass\n"
        "print([name for name in ('flask', 'sqlite_utils', 'sqlite3', 'weasyprint') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.decode().splitlines()[-1] == "[]"


def test_help_speaks_both_languages() -> None:
    assert "arbitro" in run("--help").stdout.decode()
    assert "referee" in run("--help", "--lang", "en").stdout.decode()


def test_a_closed_input_or_a_full_disk_is_told(tmp_path: Path) -> None:
    assert "lo standard input è chiuso" in refused(start("scorepad rule <&-", tmp_path))
    (tmp_path / "question.json").write_text(ALLOWED)
    assert "il disco è pieno" in refused(start("scorepad rule question.json >/dev/full", tmp_path))
