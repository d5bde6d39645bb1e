"""The answer to a hand: problems, lines, totals, match; or that it cannot be read at all."""

from __future__ import annotations

import json
from typing import Any

from .hand import Hand
from .options import Unusable
from .problems import problems
from .reading import read_hand
from .score import lines, match

Answer = dict[str, Any]


def answer(text: str) -> Answer:
    """The answer to one hand as JSON text; `{"error": key}` where it is unusable."""
    try:
        hand = read_hand(json.loads(text))
    except Unusable as error:
        return {"error": str(error)}
    except ValueError:
        return {"error": "json"}
    found = sorted(problems(hand))
    told = [{"severity": severity, "code": code, "where": where} for severity, code, where in found]
    if any(severity == "error" for severity, _, _ in found):
        return {"valid": False, "problems": told, "sides": None, "match": None}
    return {"valid": True, "problems": told, **_scores(hand)}


def _scores(hand: Hand) -> Answer:
    made = {name: lines(hand, name) for name in hand.before}
    totals = {
        name: score + sum(line.points for line in made[name]) for name, score in hand.before.items()
    }
    state = match(hand, totals)
    sides = {}
    for name, total in totals.items():
        over = state["finished"]
        sides[name] = {
            "lines": [line.told() for line in made[name]],
            "hand": total - hand.before[name],
            "total": total,
            "opened": opened(hand, name),
            "opening_minimum": hand.game.minimum(hand.before[name], hand.deal),
            "next_opening_minimum": None if over else hand.game.minimum(total, hand.deal + 1),
        }
    return {"sides": sides, "match": state}


def opened(hand: Hand, name: str) -> bool | None:
    """Whether the side, or its pair, laid anything; None where only a sum tells."""
    if hand.side(name).sum is not None:
        return None
    laid = [side.laid for side in hand.members(name)]
    return None if None in laid and True not in laid else any(laid)
