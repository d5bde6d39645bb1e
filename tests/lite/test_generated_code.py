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
def take_back() -> Iterator[None]:
    """Let the modules use Python's own `exec` and `eval` again after each test."""
    yield
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
    expected = repr(make_boat())

    # When the site is built, the code of the classes is compiled and recorded.
    recorded = GeneratedCode({})
    generated_code.install(recorded)
    make_boat()
    generated_code.save(recorded, tmp_path)

    # In the browser, the classes are made from the record. No text is compiled and added to it.
    generated_code.use_generated_code(tmp_path)
    used = vars(dataclasses)["exec"].__self__
    texts_before = set(used.compiled)
    assert repr(make_boat()) == expected
    assert set(used.compiled) == texts_before == set(recorded.compiled)


def test_class_without_recorded_code_is_made_too(tmp_path: Path) -> None:
    # The record is empty.
    generated_code.save(GeneratedCode({}), tmp_path)
    assert (tmp_path / FILE).is_file()

    generated_code.use_generated_code(tmp_path)

    assert repr(make_boat()).endswith("Boat(name='Sirena', size=size(length=12, width=4))")
