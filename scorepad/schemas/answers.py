"""From a judgement to the JSON that the contract promises."""

from __future__ import annotations

from typing import Any

from scorepad.i18n import Words
from scorepad.i18n.findings import message
from scorepad.rules.entries import Hand, Place
from scorepad.rules.judge import Finding, Judgement, SideScore
from scorepad.rules.score import Line


def pointer(where: Place, names: tuple[str, ...]) -> str:
    """A place in the hand as a JSON Pointer, sides by name."""
    parts = [
        names[part] if at == 1 and isinstance(part, int) and where[0] in ("sides", "before") else str(part)
        for at, part in enumerate(where)
    ]
    return "".join(f"/{part.replace('~', '~0').replace('/', '~1')}" for part in parts)


def answer(judgement: Judgement, hand: Hand, words: Words) -> dict[str, Any]:
    """The answer to a hand, in the words of one language."""
    names = hand.names
    told: dict[str, Any] = {
        "valid": judgement.is_valid,
        "problems": [_problem(finding, hand, words) for finding in judgement.findings],
        "sides": None,
        "match": None,
    }
    if judgement.sides is not None and judgement.standing is not None:
        told["sides"] = {names[position]: _side(side) for position, side in enumerate(judgement.sides)}
        stands = judgement.standing
        winner = None if stands.winner is None else names[stands.winner]
        told["match"] = {"target": stands.target, "finished": stands.finished, "winner": winner}
    return told


def _problem(finding: Finding, hand: Hand, words: Words) -> dict[str, Any]:
    return {
        "severity": finding.severity,
        "code": finding.code,
        "where": pointer(finding.where, hand.names),
        "message": message(finding, hand.names, words),
        "sources": list(finding.sources),
        "standing": finding.standing,
    }


def _side(side: SideScore) -> dict[str, Any]:
    return {
        "lines": [_line(line) for line in side.lines],
        "hand": side.hand,
        "total": side.total,
        "opened": side.opened,
        "opening_minimum": side.opening_minimum,
        "next_opening_minimum": side.next_opening_minimum,
    }


def _line(line: Line) -> dict[str, Any]:
    told: dict[str, Any] = {"item": line.item}
    if line.code is not None:
        told["code"] = line.code
    told |= {"count": line.count, "points": line.points}
    if line.reason is not None:
        told["reason"] = line.reason
    return told | {"sources": list(line.sources), "standing": line.standing}
