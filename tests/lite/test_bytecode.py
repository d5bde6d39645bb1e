"""Modules compiled for the browser run as before, and a traceback shows the first line of a function."""

from __future__ import annotations

import sys
import traceback
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from scorepad.lite.inside.bytecode import compile_module

SOURCE = b'''"""A module."""


def divide(points, hands):
    """Divide points by hands."""
    total = points
    quotient = total / hands
    return quotient


def add_up(*points):
    total = 0
    for figure in points:
        total += figure
    return total
'''


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Compile SOURCE for the browser, and import it from its bytecode."""
    (tmp_path / "compiled_sums.pyc").write_bytes(compile_module(SOURCE, "/app/sums.py"))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "compiled_sums", raising=False)
    return import_module("compiled_sums")


def test_compiled_functions_return_the_same(module: ModuleType) -> None:
    assert module.add_up(500, 300, -15) == 785  # 500 + 300 - 15
    assert module.divide(600, 4) == 150


def test_compiled_functions_have_no_docstrings(module: ModuleType) -> None:
    assert module.divide.__doc__ is None


def test_traceback_shows_first_line_of_function(module: ModuleType) -> None:
    # Dividing by zero fails in the 7th line of SOURCE, `quotient = total / hands`.
    with pytest.raises(ZeroDivisionError) as error:
        module.divide(600, 0)

    # To be small, the bytecode has only one line number for each function: that of its `def`.
    last_frame = traceback.extract_tb(error.tb)[-1]
    assert (last_frame.filename, last_frame.name) == ("/app/sums.py", "divide")
    assert last_frame.lineno == 4


def test_bytecode_is_never_compared_with_a_source() -> None:
    # The bytes 4 to 7 of a .pyc file are its flags. 1 is: it has the digest of its source, which
    # Python does not check (PEP 552).
    flags = compile_module(SOURCE, "/app/sums.py")[4:8]
    assert flags == bytes([1, 0, 0, 0])
