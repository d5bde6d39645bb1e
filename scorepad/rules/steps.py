"""The steps of values that are tables: what each step is called, and its value.

A step is what an answer rests on where only one line of the table was applied: the opening minimum from 1500 on, four
red threes, the natural canasta.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def _counted_from(first: int) -> Callable[[Any], dict[str, Any]]:
    return lambda value: {str(number): each for number, each in enumerate(value, first)}


def _named(name: str, worth: str) -> Callable[[Any], dict[str, Any]]:
    return lambda value: {str(entry[name]): entry[worth] for entry in value}


def _pairs(value: Any) -> dict[str, Any]:
    return {str(name): worth for name, worth in value}


_TABLES: Mapping[str, Callable[[Any], dict[str, Any]]] = {
    "opening-steps": _pairs,  # by the match score that the minimum begins at
    "opening-deals": _counted_from(1),  # by the hand of the match
    "red-three-values": _counted_from(1),  # by how many they are
    "red-threes-by-canastas": _counted_from(0),  # by the canastas of the side
    "red-threes-by-families": lambda value: {entry["having"]: [entry["own"], entry["opponents"]] for entry in value},
    "cards-by-canastas": _counted_from(0),
    "black-threes-aside": _counted_from(1),
    "black-threes-exposed": _counted_from(1),
    "card-points": dict,
    "canastas": _named("item", "points"),
    "canasta-families-needed": _pairs,
    "incomplete": _named("name", "points"),
    "held-together": _named("key", "points"),
    "special-hands": _pairs,
    "out-bonus-canastas": _named("canastas", "points"),
    "pile-tops": _named("card", "more"),
    "upcard-big-piles": lambda value: dict(zip(("JK", "2"), value, strict=False)),
}


def steps_of(setting: str, value: Any) -> dict[str, Any]:
    """The steps of a value as the data has it, each with what it says; none where the value is no table."""
    return _TABLES[setting](value) if setting in _TABLES else {}
