"""The rulings by the kind of question; one function answers each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from scorepad.rules.rulings.answers import Ruling
from scorepad.rules.rulings.asked import Asked
from scorepad.rules.variants import Ruleset

_Kind = TypeVar("_Kind")
Ruler = Callable[[Ruleset, _Kind], Ruling]

RULERS: dict[type, Ruler[Any]] = {}


def ruling(kind: type[_Kind]) -> Callable[[Ruler[_Kind]], Ruler[_Kind]]:
    """Register a function as the answer to a kind of question."""

    def register(function: Ruler[_Kind]) -> Ruler[_Kind]:
        assert kind not in RULERS, kind
        RULERS[kind] = function
        return function

    return register


def rule(rules: Ruleset, asked: Asked) -> Ruling:
    """What the rules in force say to a question."""
    return RULERS[type(asked)](rules, asked)
