"""Random hands through the scorepad command and through the independent scorer; every difference is
told.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from .generate import make_hand
from .options import VARIANTS
from .oracle import answer

SHOWN = 10


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


def run(command: Sequence[str], hands: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The answers of the scorepad command to these hands."""
    lines = "".join(json.dumps(hand, ensure_ascii=False) + "\n" for hand in hands)
    done = subprocess.run(
        [*command, "score", "--jsonl"], input=lines, capture_output=True, text=True, check=False
    )
    if done.stderr.strip():
        print("standard error:", done.stderr.strip()[-2000:], file=sys.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


def compare(command: Sequence[str], hands: Sequence[dict[str, Any]]) -> int:
    """Print the first differences and the counts; how many hands differ."""
    theirs = run(command, hands)
    if len(theirs) != len(hands):
        print(f"{len(hands)} hands, {len(theirs)} answers")
        return len(hands)
    counts: dict[str, Counter[str]] = {}
    wrong = 0
    for hand, got in zip(hands, theirs, strict=True):
        ours = essence(answer(json.dumps(hand)))
        found = list(differences(essence(got), ours))
        state = "unusable" if "unusable" in ours else "valid" if ours["valid"] else "refused"
        counts.setdefault(hand["variant"], Counter()).update(
            [state, *(["different"] if found else [])]
        )
        if found:
            wrong += 1
            _show(wrong, hand, found, got)
    for variant, count in counts.items():
        print(f"{variant:14}", *(f"{state} {n}" for state, n in sorted(count.items())))
    return wrong


def _show(number: int, hand: dict[str, Any], found: list[str], got: dict[str, Any]) -> None:
    if number <= SHOWN:
        print(json.dumps(hand, ensure_ascii=False), *found, sep="\n    ")
        if "error" in got:
            print("    scorepad says:", got["error"])


def _option(text: str) -> tuple[str, Any]:
    name, _, value = text.partition("=")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def chance(seed: str) -> random.Random:
    """The chances of one hand, the same for the same seed."""
    return random.Random(seed)  # noqa: S311 - nothing here is secret


def main(given: Sequence[str]) -> int:
    """Compare; 1 where any hand differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200, help="hands of each variant")
    parser.add_argument("--variant", action="append", choices=VARIANTS)
    parser.add_argument("--option", action="append", type=_option, default=[])
    parser.add_argument("--command", default="scorepad", help="the scorepad command")
    asked = parser.parse_args(given)
    hands = [
        make_hand(chance(f"{asked.seed}-{variant}-{number}"), variant, dict(asked.option))
        for variant in asked.variant or VARIANTS
        for number in range(asked.count)
    ]
    return 1 if compare([asked.command], hands) else 0
