"""Dataclasses and named tuples are the same when their generated code was compiled before."""

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


def test_what_was_compiled_before_is_used_and_makes_the_same_classes(tmp_path: Path) -> None:
    expected = repr(make_boat())
    recorded = GeneratedCode({})
    generated_code.install(recorded)
    make_boat()
    generated_code.save(recorded, tmp_path)

    generated_code.use_generated_code(tmp_path)
    used = vars(dataclasses)["exec"].__self__
    texts_before = set(used.compiled)
    assert repr(make_boat()) == expected
    assert set(used.compiled) == texts_before == set(recorded.compiled)


def test_a_class_that_nobody_has_seen_is_made_too(tmp_path: Path) -> None:
    generated_code.save(GeneratedCode({}), tmp_path)
    assert (tmp_path / FILE).is_file()
    generated_code.use_generated_code(tmp_path)
    assert repr(make_boat()).endswith("Boat(name='Sirena', size=size(length=12, width=4))")
