"""Standard output has nothing but answers: what libraries print goes to standard error.

The solver highspy, a library in C++, may print a banner of its own while it computes an answer.
"""

import json
import subprocess
import sys

import pytest

# scorepad asks the solver whether points and canastas that a table counted are possible at all, and
# which of a player's cards make an opening.
HAND_OF_TOTALS = (
    '{"variant": "cubana", "sides": {"noi": {"totals": '
    '{"canastas": {"natural-canasta": 3, "mixed-canasta": 2}, "cards": 1500}}}}'
)
QUESTION = (
    '{"variant": "classica", "kind": "opening", "score": 1500, "hand": "3xA 4xK 2x2 JK 9 8 7"}'
)
# A program that is scorepad, but with a solver that prints in three ways: to the file descriptor,
# through the library of C, and with Python.
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
    # To answer, scorepad calls its solver, a library in C++ that may print banners. This scorepad has
    # one that prints three each time: by the file descriptor, by the library of C, and by Python.
    # With --jsonl each line of input gets a line of output.
    done = subprocess.run(
        [sys.executable, "-c", SCOREPAD_WITH_PRINTING_SOLVER, command, "--jsonl"],
        input=f"{given}\n{given}\n".encode(),
        capture_output=True,
        check=False,
    )

    # Standard output has the two answers and no banner.
    first_answer, second_answer = done.stdout.splitlines()
    assert isinstance(json.loads(first_answer), dict)
    assert isinstance(json.loads(second_answer), dict)

    # The banners of all three kinds went to standard error.
    assert b"a banner\n" in done.stderr
    assert b"a banner from C\n" in done.stderr
    assert b"a banner of Python\n" in done.stderr


def test_closed_standard_error_drops_the_output_of_the_solver() -> None:
    # For this question scorepad calls its solver, a library in C++, which may print banners. They
    # would go to standard error, which "2>&-" closes.
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m scorepad rule --jsonl 2>&-"],
        input=QUESTION.encode(),
        capture_output=True,
        check=False,
    )
    assert isinstance(json.loads(done.stdout), dict)
    assert done.stderr == b""


def test_reader_that_stops_while_the_solver_prints_is_no_error() -> None:
    # "head -n 1" reads one line and ends, while scorepad still answers 400 questions. With
    # "pipefail" the shell ends with the status of scorepad.
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
