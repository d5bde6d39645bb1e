"""What is compared of two answers to a hand, and where they differ."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any


def essence(told: dict[str, Any]) -> dict[str, Any]:
    """What is compared of an answer: no messages, no sources."""
    if "error" in told:
        return {"unusable": True}
    problems = sorted({(one["severity"], one["code"], one["where"]) for one in told["problems"]})
    sides = {name: _side(side) for name, side in told["sides"].items()} if told["sides"] else None
    return {"valid": told["valid"], "problems": problems, "sides": sides, "match": told["match"]}


def _side(side: dict[str, Any]) -> dict[str, Any]:
    lines = [
        (line["item"], line.get("code"), line["count"], line["points"]) for line in side["lines"]
    ]
    coded = ("penalty", "bonus")
    return {
        **side,
        "lines": [line for line in lines if line[0] not in coded]
        + sorted((line for line in lines if line[0] in coded), key=str),
    }


def differences(one: Any, other: Any, at: str = "") -> Iterator[str]:
    """Where two essences part, each as one short line."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted({*one, *other}):
            yield from differences(one.get(key), other.get(key), f"{at}/{key}")
    elif isinstance(one, list) and isinstance(other, list):
        for word, some in (
            ("scorepad only", set(one) - set(other)),
            ("oracle only", set(other) - set(one)),
        ):
            if some:
                yield f"{at} {word}: {sorted(some, key=str)}"
        if one != other and set(one) == set(other):
            yield f"{at} order: scorepad {one}, oracle {other}"
    elif one != other:
        yield f"{at}: scorepad {one!r}, oracle {other!r}"


def chance(seed: str) -> random.Random:
    """The chances of one hand, the same for the same seed."""
    return random.Random(seed)  # noqa: S311 - nothing here is secret
