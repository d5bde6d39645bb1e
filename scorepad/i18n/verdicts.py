"""The referee's verdicts in a word: `Sì`, `90 punti`, `Congelato`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorepad.i18n.catalogue import Words


def verdict_word(kind: str, verdict: str, details: Mapping[str, Any], words: Words) -> str:
    """The referee's answer to a question of some kind, in a word or two: `Sì`, `90 punti`.

    The verdict `value` stands for an answer that is in the details: a number, or what happens.
    """
    if verdict == "value":
        return _value_in_words(kind, details, words)
    if kind == "discard" and verdict == "allowed":
        effect = details.get("effect")  # on the discard pile
        if effect in ("stop", "freeze"):
            return words.t(f"referee.word.{effect}")
    return words.t(f"referee.word.{verdict}")


def _value_in_words(kind: str, details: Mapping[str, Any], words: Words) -> str:
    """The answer to a question that asks for a number, or for what happens."""
    if kind == "opening":
        return _opening_in_words(details, words)
    if kind == "red-threes":
        return words.signed(details["points"])
    if kind == "penalty":
        return _penalty_in_words(details, words)
    if kind == "upcard":
        return words.t(f"referee.word.{_upcard_effect(details)}")
    return words.t(f"referee.word.{_stock_effect(details)}")


def _opening_in_words(details: Mapping[str, Any], words: Words) -> str:
    """The points that a side's first melds must reach, or that any will do."""
    minimum = details.get("minimum")
    if minimum is None:
        return words.t("referee.word.any")
    return words.t("referee.points", points=minimum)


def _penalty_in_words(details: Mapping[str, Any], words: Words) -> str:
    """The points that a penalty costs, or that it costs none.

    `held` are points that the count at the end of the hand takes off already.
    """
    points_lost = details.get("points") or details.get("held")
    if points_lost is None:
        return words.t("referee.word.no-points")
    return words.signed(-points_lost)


def _upcard_effect(details: Mapping[str, Any]) -> str:
    """What the card that begins the discard pile does, as the end of a message key.

    The cards are dealt again, another card is turned up, or the pile is frozen or free to take.
    """
    if details["redeal"]:
        return "redeal"
    if "top" not in details:
        return "turn-another"
    if details["frozen"]:
        return "frozen"
    return "free"


def _stock_effect(details: Mapping[str, Any]) -> str:
    """What happens when no card is left to draw, as the end of a message key."""
    if details["hand_ends"]:
        return "ends"
    if details["must_take"]:
        return "must-take"
    return "goes-on"
