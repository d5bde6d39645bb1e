"""Nothing but answers on standard output: what libraries print, also from C, goes to standard
error.
"""

import json
import subprocess
import sys

import pytest

COUNTED = (
    '{"variant": "cubana", "sides": {"noi": {"totals": '
    '{"canastas": {"natural-canasta": 3, "mixed-canasta": 2}, "cards": 1500}}}}'
)
QUESTION = (
    '{"variant": "classica", "kind": "opening", "score": 1500, "hand": "3xA 4xK 2x2 JK 9 8 7"}'
)
PRINTING = """
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


@pytest.mark.parametrize(("command", "given"), [("score", COUNTED), ("rule", QUESTION)])
def test_what_the_solver_prints_does_not_stand_among_the_answers(command: str, given: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PRINTING, command, "--jsonl"],
        input=f"{given}\n{given}\n".encode(),
        capture_output=True,
        check=False,
    )
    assert len([json.loads(line) for line in done.stdout.splitlines()]) == 2
    for banner in (b"a banner\n", b"a banner from C\n", b"a banner of Python\n"):
        assert banner in done.stderr


def test_a_banner_is_dropped_where_standard_error_is_closed() -> None:
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m scorepad rule --jsonl 2>&-"],
        input=QUESTION.encode(),
        capture_output=True,
        check=False,
    )
    assert isinstance(json.loads(done.stdout), dict)
    assert done.stderr == b""


def test_a_reader_that_stops_while_a_library_prints_is_no_error() -> None:
    command = f"{sys.executable} -c '{PRINTING}' rule --jsonl | head -n 1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        input="\n".join([QUESTION] * 400).encode(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 1
    assert isinstance(json.loads(done.stdout), dict)
