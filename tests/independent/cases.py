"""The independent scorer over hands worked by hand from the same documents."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from .oracle import answer


def differences(case: dict[str, Any]) -> Iterator[str]:
    """What the scorer answers otherwise than the worked hand expects."""
    expected, got = case["expect"], answer(json.dumps(case["hand"]))
    if "unusable" in expected or "error" in got:
        if ("unusable" in expected) != ("error" in got):
            yield f"unusable: expected {expected.get('unusable')!r}, got {got.get('error')!r}"
        return
    if "problems" in expected:
        want = {tuple(one) for one in expected["problems"]}
        have = {(one["severity"], one["code"], one["where"]) for one in got["problems"]}
        if want != have:
            yield f"problems: missing {sorted(want - have)}, too many {sorted(have - want)}"
    if not expected["valid"] or not got["valid"]:
        return
    if expected.get("match", got["match"]) != got["match"]:
        yield f"match: expected {expected['match']}, got {got['match']}"
    for name, side in expected["sides"].items():
        yield from _side_differences(name, side, got["sides"][name])


def _side_differences(name: str, expected: dict[str, Any], got: dict[str, Any]) -> Iterator[str]:
    for key, value in expected.items():
        have = in_order([short(line) for line in got["lines"]]) if key == "lines" else got[key]
        if have != (in_order(value) if key == "lines" else value):
            yield f"{name} {key}: expected {value}, got {have}"


def in_order(lines: list[list[Any]]) -> list[list[Any]]:
    """The lines, penalties among themselves by code: the contract does not say in which order they
    come.
    """
    return sorted(
        lines, key=lambda line: str(line[0]) if str(line[0]).startswith("penalty") else ""
    )


def short(line: dict[str, Any]) -> list[Any]:
    """A line as worked hands write it."""
    name = f"penalty:{line['code']}" if "code" in line else line["item"]
    return [name, line["count"], line["points"]]


def golden(match: dict[str, Any]) -> Iterator[str]:
    """Differences over a whole match, hand after hand."""
    before = dict.fromkeys(match["names"], 0)
    state = None
    for number, (hand, expected) in enumerate(
        zip(match["hands"], match["expected"], strict=True), 1
    ):
        head = {"variant": match["variant"], "options": match.get("options", {}), "before": before}
        got = answer(json.dumps(head | hand))
        if not got.get("valid"):
            yield f"hand {number}: {got}"
            return
        for key, found in (
            ("hand", "hand"),
            ("total", "total"),
            ("minimum", "next_opening_minimum"),
        ):
            have = {name: side[found] for name, side in got["sides"].items()}
            if expected.get(key, have) != have:
                yield f"hand {number} {key}: expected {expected[key]}, got {have}"
        before = {name: side["total"] for name, side in got["sides"].items()}
        state = got["match"]
    if state and state["winner"] != match["winner"]:
        yield f"winner: expected {match['winner']}, got {state['winner']}"


def check(file: Path) -> tuple[int, int]:
    """Worked hands in a file, and how many come out otherwise; prints each."""
    loaded = json.loads(file.read_text("utf-8"))
    whole = isinstance(loaded, dict)
    wrong = 0
    for case in [loaded] if whole else loaded:
        found = list(golden(case) if whole else differences(case))
        if found:
            wrong += 1
            told = "" if whole else json.dumps(case["hand"], ensure_ascii=False)
            print(
                f"{file.parent.name}/{file.name}: {case.get('case', 'golden')}",
                *found,
                told,
                sep="\n    ",
            )
    return 1 if whole else len(loaded), wrong


def main(given: Sequence[str]) -> int:
    """Check every file of worked hands below the folders given."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    files = [
        file
        for folder in parser.parse_args(given).folders
        for file in sorted(folder.rglob("*.json"))
    ]
    results = [check(file) for file in files]
    print(
        f"{sum(n for n, _ in results)} worked hands, {sum(wrong for _, wrong in results)} otherwise"
    )
    return 1 if any(wrong for _, wrong in results) else 0
