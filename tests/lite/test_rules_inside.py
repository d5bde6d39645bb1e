"""The tests of the rules inside Pyodide: the Python of browsers, and HiGHS in WebAssembly.

HiGHS is the solver by which the referee finds the best way to play.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from scorepad.lite.pieces import Pieces
from tests.lite.inside import run_tests_inside

# Tests that are left out, because they come out otherwise in a browser.
OTHERWISE_INSIDE = (
    # A browser has no named pipes.
    "tests/rules/test_own_variants.py::test_what_is_no_text_file_is_named_and_not_read[make_pipe]",
    # The HiGHS of npm is 1.15, in which highspy too finds another way that is worth as much.
    "tests/rules/test_worked_rulings.py::test_a_worked_ruling_comes_out_as_worked"
    "[opening: Moderna: a whole hand with the top card]",
    "tests/rules/test_worked_rulings.py::test_a_worked_ruling_comes_out_as_worked"
    "[pile: Moderna: a whole hand opens with the pile]",
)
DESELECTED = [f"--deselect={test}" for test in OTHERWISE_INSIDE]


@pytest.mark.long
def test_solver_answers_in_a_browser_as_elsewhere(pieces: Pieces, modules: Path) -> None:
    # Of the tests that ask the solver those of totals, and of hands played as a whole, are enough.
    # They are chosen by words in their names, as with "pytest -k".
    files = ["tests/rules/test_totals.py", "tests/rules/test_worked_rulings.py"]
    of_totals = "test_totals and not interval and not exact_ends"
    of_whole_hands = "comes_out_as_worked and whole and hand"
    chosen = f"-k=({of_totals}) or ({of_whole_hands})"
    quick = "--assert=plain"  # pytest takes two seconds to make asserts tell more

    # pytest runs them in Pyodide, the Python of browsers, without three that come out otherwise
    # there (DESELECTED). This call raises an error if a test fails.
    printed = run_tests_inside(pieces, modules, *files, chosen, quick, *DESELECTED)
    assert " passed" in printed


@pytest.mark.full
def test_rules_are_in_a_browser_as_elsewhere(pieces: Pieces, modules: Path) -> None:
    # pytest runs all tests of two folders in Pyodide, the Python of browsers, without three that come
    # out otherwise there (DESELECTED). This call raises an error if a test fails.
    printed = run_tests_inside(pieces, modules, "tests/rules", "tests/rulings", *DESELECTED)
    assert " passed" in printed
