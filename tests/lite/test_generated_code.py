"""Dataclasses and named tuples are the same when their generated code was compiled before.

Python puts the methods of such a class together as text, and compiles it with `exec` or `eval`. In
a browser this is slow: the compiled code is recorded when the site is built, and used there.
"""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorepad.lite.inside import generated_code
from scorepad.lite.inside.generated_code import FILE, GeneratedCode


@pytest.fixture(autouse=True)
def restore_exec_and_eval() -> Iterator[None]:
    """Let Python compile the code of new classes itself again after each test."""
    yield
    # A test puts a function "exec" into the module dataclasses, which is found there before the one
    # of Python, and runs recorded code; and an "eval" into collections. Without them, Python's own
    # are found again.
    vars(dataclasses).pop("exec", None)
    vars(collections).pop("eval", None)


def make_boat() -> object:
    """Make a named tuple and a dataclass, and an object that has both."""
    size = collections.namedtuple("size", ["length", "width"])

    @dataclasses.dataclass(frozen=True)
    class Boat:
        name: str
        size: object

    return Boat("Sirena", size(length=12, width=4))


def test_recorded_code_is_used_and_makes_the_same_classes(tmp_path: Path) -> None:
    # A dataclass and a named tuple are made, with code that Python generates as text and compiles.
    expected = repr(make_boat())

    # They are made again when the site is built. Their compiled code is recorded in a file.
    recorded = GeneratedCode({})
    generated_code.install(recorded)
    make_boat()
    generated_code.save(recorded, tmp_path)

    # The browser loads this record. The function "exec" in dataclasses is a method of it now.
    generated_code.use_generated_code(tmp_path)
    loaded = vars(dataclasses)["exec"].__self__
    assert loaded.compiled.keys() == recorded.compiled.keys()

    # The classes made there are the same. No other text was compiled, which would have been added.
    assert repr(make_boat()) == expected
    assert loaded.compiled.keys() == recorded.compiled.keys()


def test_class_without_recorded_code_is_made_too(tmp_path: Path) -> None:
    # The record is empty.
    generated_code.save(GeneratedCode({}), tmp_path)
    assert (tmp_path / FILE).is_file()

    generated_code.use_generated_code(tmp_path)

    assert repr(make_boat()).endswith("Boat(name='Sirena', size=size(length=12, width=4))")
