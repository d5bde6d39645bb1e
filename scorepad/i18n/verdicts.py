"""The referee's verdicts in a word: `Sì`, `90 punti`, `Congelato`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorepad.i18n.catalogue import Words


def verdict_word(kind: str, verdict: str, details: Mapping[str, Any], words: Words) -> str:
    """The word for an answer to a question of this kind, by its verdict and details."""
    if verdict == "value":
        return _value(kind, details, words)
    if kind == "discard" and verdict == "allowed" and details.get("effect") in ("stop", "freeze"):
        return words.t(f"referee.word.{details['effect']}")
    return words.t(f"referee.word.{verdict}")


def _value(kind: str, details: Mapping[str, Any], words: Words) -> str:
    match kind:
        case "opening":
            return _opening_in_words(details, words)
        case "red-threes":
            return words.signed(details["points"])
        case "penalty":
            return _penalty_in_words(details, words)
        case "upcard":
            return words.t(f"referee.word.{_upcard_effect(details)}")
        case _:
            return words.t(f"referee.word.{_stock_effect(details)}")


def _opening_in_words(details: Mapping[str, Any], words: Words) -> str:
    minimum = details.get("minimum")
    if minimum is None:
        return words.t("referee.word.any")
    return words.t("referee.points", points=minimum)


def _penalty_in_words(details: Mapping[str, Any], words: Words) -> str:
    points_lost = details.get("points") or details.get("held")
    if points_lost is None:
        return words.t("referee.word.no-points")
    return words.signed(-points_lost)


def _upcard_effect(details: Mapping[str, Any]) -> str:
    if details["redeal"]:
        return "redeal"
    if "top" not in details:
        return "turn-another"
    return "frozen" if details["frozen"] else "free"


def _stock_effect(details: Mapping[str, Any]) -> str:
    if details["hand_ends"]:
        return "ends"
    return "must-take" if details["must_take"] else "goes-on"
