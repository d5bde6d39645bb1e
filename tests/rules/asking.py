"""Questions for the referee as a program sends them, and what is read of the answers."""

from __future__ import annotations

from typing import Any

from tests.rules.test_worked_rulings import answered

Ask = dict[str, Any]
"""A question as JSON."""


def meld(variant: str, cards: str, on: str | None = None, **more: Any) -> Ask:
    return {"kind": "meld", "variant": variant, "cards": cards, "on": on, **more}


def opening(variant: str, *melds: str, score: int = 0, **more: Any) -> Ask:
    shown = {} if "hand" in more else {"melds": list(melds)}
    return {"kind": "opening", "variant": variant, "score": score, **shown, **more}


def pile(variant: str, top: str, *laid: str, **more: Any) -> Ask:
    shown = {} if "hand" in more else {"with": list(laid)}
    return {"kind": "pile", "variant": variant, "top": top, **shown, **more}


def out(variant: str, *table: str, **more: Any) -> Ask:
    return {"kind": "out", "variant": variant, "table": list(table), **more}


def discard(variant: str, card: str, **more: Any) -> Ask:
    return {"kind": "discard", "variant": variant, "card": card, **more}


def upcard(variant: str, cards: str, **more: Any) -> Ask:
    return {"kind": "upcard", "variant": variant, "cards": cards, **more}


def red_threes(variant: str, count: int, **more: Any) -> Ask:
    return {"kind": "red-threes", "variant": variant, "count": count, **more}


def penalty(variant: str, code: str, **more: Any) -> Ask:
    return {"kind": "penalty", "variant": variant, "code": code, **more}


def end_of_stock(variant: str, *table: str, **more: Any) -> Ask:
    """The stock is used up at a table that takes its last card as G says."""
    options = {"end-of-stock": "giochi", **more.pop("options", {})}
    return {
        "kind": "end-of-stock",
        "variant": variant,
        "options": options,
        "table": list(table),
        **more,
    }


def codes(ask: Ask) -> list[str]:
    """The codes of the reasons for the answer."""
    return [reason["code"] for reason in answered(ask)["reasons"]]


def said(ask: Ask, code: str, language: str = "it") -> str:
    """The sentence of the reason with this code."""
    reasons = answered(ask, language)["reasons"]
    (message,) = [reason["message"] for reason in reasons if reason["code"] == code]
    return str(message)


def sources(ask: Ask, code: str) -> list[str]:
    """The places that the reason with this code cites."""
    (places,) = [reason["sources"] for reason in answered(ask)["reasons"] if reason["code"] == code]
    return list(places)
