"""The one word of an answer, large on the page: yes, no, a figure, or what happens now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorepad.i18n import Words


def verdict_word(kind: str, verdict: str, details: Mapping[str, Any], words: Words) -> str:
    """The word for an answer to a question of this kind, by its verdict and details in the contract."""
    if verdict == "value":
        return _value(kind, details, words)
    if kind == "discard" and verdict == "allowed" and details.get("effect") in ("stop", "freeze"):
        return words.text(f"referee.word.{details['effect']}")
    return words.text(f"referee.word.{verdict}")


def _value(kind: str, details: Mapping[str, Any], words: Words) -> str:
    match kind:
        case "opening":
            minimum = details.get("minimum")
            return words.text("referee.word.any") if minimum is None else words.text("referee.points", points=minimum)
        case "red-threes":
            return words.signed(details["points"])
        case "penalty":
            lost = details.get("points") or details.get("held")
            return words.text("referee.word.no-points") if lost is None else words.signed(-lost)
        case "upcard":
            return words.text(f"referee.word.{_turned(details)}")
        case _:
            ends, must = details["hand_ends"], details["must_take"]
            return words.text("referee.word." + ("ends" if ends else "must-take" if must else "goes-on"))


def _turned(details: Mapping[str, Any]) -> str:
    """What the first cards turned up come to."""
    if details["redeal"]:
        return "redeal"
    if "top" not in details:
        return "turn-another"
    return "frozen" if details["frozen"] else "free"
