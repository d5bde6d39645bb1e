"""The referee's verdicts in a word: `Sì`, `90 punti`, `Congelato`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorepad.i18n.catalogue import Words


def describe_verdict(kind: str, verdict: str, details: Mapping[str, Any], words: Words) -> str:
    """Put the referee's answer to a question on the rules into a word or two.

    - `verdict` `allowed` → "Yes", `forbidden` → "No"
    - `verdict` `value`, for questions that are not answered by yes or no → what is in the details,
      such as "90 points" or "The hand ends"
    - `allowed` for a discard that has an effect on the discard pile → "Yes: it freezes the pile"
    """
    if verdict == "value":
        return _describe_value(kind, details, words)
    effect_on_pile = details.get("effect")
    if kind == "discard" and verdict == "allowed" and effect_on_pile in ("stop", "freeze"):
        return words.t(f"referee.word.{effect_on_pile}")
    return words.t(f"referee.word.{verdict}")


def _describe_value(kind: str, details: Mapping[str, Any], words: Words) -> str:
    """Put an answer that is a number, or what happens, into words.

    `kind` is the kind of question, and `details` has the answer: `opening`, `{"minimum": 90}` →
    "90 points".
    """
    if kind == "opening":
        return _describe_opening_minimum(details, words)
    if kind == "red-threes":
        return words.signed(details["points"])
    if kind == "penalty":
        return _describe_penalty_points(details, words)
    if kind == "upcard":
        return words.t(f"referee.word.{_find_upcard_effect(details)}")
    # What is left is the question when no card is left to draw.
    return words.t(f"referee.word.{_find_effect_of_empty_stock(details)}")


def _describe_opening_minimum(details: Mapping[str, Any], words: Words) -> str:
    """Say how many points the first cards that a side lays must reach.

    "90 points", or "No minimum" if any cards will do.
    """
    minimum = details.get("minimum")
    if minimum is None:
        return words.t("referee.word.any")
    return words.t("referee.points", points=minimum)


def _describe_penalty_points(details: Mapping[str, Any], words: Words) -> str:
    """Say how many points a penalty costs.

    - `{"points": 100}` → "−100"
    - `{"held": 500}`, no penalty, but the count at the end of the round takes points off → "−500"
    - neither → "The sources give no points"
    """
    points_lost = details.get("points") or details.get("held")
    if points_lost is None:
        return words.t("referee.word.no-points")
    return words.signed(-points_lost)


def _find_upcard_effect(details: Mapping[str, Any]) -> str:
    """Find what the card that begins the discard pile does, as the end of a message key."""
    if details["redeal"]:
        return "redeal"  # "Deal again"
    if details.get("pile_size") == 0:
        return "begins-empty"  # "The pile begins empty"
    if "top" not in details:
        return "turn-another"  # "Turn another card"
    if details["frozen"]:
        return "frozen"  # "The pile is frozen"
    return "free"  # "Play: the pile is free"


def _find_effect_of_empty_stock(details: Mapping[str, Any]) -> str:
    """Find what happens when no card is left to draw, as the end of a message key."""
    if details["hand_ends"]:
        return "ends"  # "The hand ends"
    if details["must_take"]:
        return "must-take"  # "The pile must be taken"
    return "goes-on"  # "Play goes on"
