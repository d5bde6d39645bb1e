"""Nothing but answers on standard output: what libraries print, also from C, goes to standard
error.
"""

import json
import subprocess
import sys

import pytest

HAND_OF_TOTALS = (
    '{"variant": "cubana", "sides": {"noi": {"totals": '
    '{"canastas": {"natural-canasta": 3, "mixed-canasta": 2}, "cards": 1500}}}}'
)
QUESTION = (
    '{"variant": "classica", "kind": "opening", "score": 1500, "hand": "3xA 4xK 2x2 JK 9 8 7"}'
)
SCOREPAD_WITH_PRINTING_SOLVER = """
import ctypes, os, sys
from scorepad.rules import bounds, judge
from scorepad.schemas import ruling_json

real = bounds.solve

def solve(*arguments):
    os.write(1, b"a banner\\n")
    ctypes.CDLL(None).puts(b"a banner from C")
    print("a banner of Python", file=sys.__stdout__, flush=True)
    return real(*arguments)

bounds.solve = solve
import scorepad.referee.best_play
scorepad.referee.best_play.solve = solve
from scorepad.cli import main
main(sys.argv[1:])
"""


@pytest.mark.parametrize(("command", "given"), [("score", HAND_OF_TOTALS), ("rule", QUESTION)])
def test_output_of_the_solver_goes_to_standard_error(command: str, given: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCOREPAD_WITH_PRINTING_SOLVER, command, "--jsonl"],
        input=f"{given}\n{given}\n".encode(),
        capture_output=True,
        check=False,
    )
    first_answer, second_answer = done.stdout.splitlines()
    assert isinstance(json.loads(first_answer), dict)
    assert isinstance(json.loads(second_answer), dict)
    assert b"a banner\n" in done.stderr
    assert b"a banner from C\n" in done.stderr
    assert b"a banner of Python\n" in done.stderr


def test_output_of_the_solver_is_dropped_where_standard_error_is_closed() -> None:
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m scorepad rule --jsonl 2>&-"],
        input=QUESTION.encode(),
        capture_output=True,
        check=False,
    )
    assert isinstance(json.loads(done.stdout), dict)
    assert done.stderr == b""


def test_reader_that_stops_while_the_solver_prints_is_no_error() -> None:
    command = f"{sys.executable} -c '{SCOREPAD_WITH_PRINTING_SOLVER}' rule --jsonl | head -n 1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        input="\n".join([QUESTION] * 400).encode(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0
    (answer,) = done.stdout.splitlines()
    assert isinstance(json.loads(answer), dict)
