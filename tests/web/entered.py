"""The form of a hand as somebody fills it in: from the hand's JSON to the values of the fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from scorepad.rules.hand import EXTRAS

HANDS_APART = ("mini", "moderna", "sette")
"""Variants in which each player's hand has a field of its own."""
PLAIN = ("red_threes", "red_threes_held", *EXTRAS, "sum", "special")


def form_values(hand: Mapping[str, Any], variant: str, *, alone: bool = False) -> dict[str, str]:
    """The values of the fields for a hand with its sides under `a`, `b` and `c`; `alone`: each side
    is one player.
    """
    values = _out(hand) if "out" in hand else {}
    if "single" in hand:
        values["single"] = hand["single"] or "nobody"
    for key, side in hand["sides"].items():
        values |= {
            f"{key}.{name}": text
            for name, text in _side(
                side, variant, apart=variant in HANDS_APART and not alone
            ).items()
        }
        if (
            not {"sum", "special"} & side.keys()
            and not _has_laid(side)
            and not _laid_by_partner(hand, key)
        ):
            values[f"{key}.melds" if variant == "mini" else f"{key}.cards"] = "0"
    return values


def _has_laid(side: Mapping[str, Any]) -> bool:
    return bool(side.get("melds") or side.get("totals"))


def _laid_by_partner(hand: Mapping[str, Any], key: str) -> bool:
    """In tagliagola a pair's cards stand under one of the two."""
    if "single" not in hand:
        return False
    single = hand["single"] or (hand.get("out") or {}).get("side")
    pair = [other for other in hand["sides"] if other != single] if single else [key]
    # Where neither laid, the first of them says so.
    return key in pair and (
        any(_has_laid(hand["sides"][other]) for other in pair) or pair[0] != key
    )


def _out(hand: Mapping[str, Any]) -> dict[str, str]:
    out = hand["out"]
    if out is None:
        return {"out": "nobody"}
    values = {
        "out": f"{out['side']}.{out['player']}" if out.get("player") is not None else out["side"]
    }
    if out.get("concealed"):
        values["concealed"] = "on"
    if "discard" in out:
        values |= {"discard": out["discard"]} if out["discard"] else {"discard_none": "on"}
    return values


def _side(side: Mapping[str, Any], variant: str, *, apart: bool) -> dict[str, str]:
    values = {name: str(side[name]) for name in PLAIN if side.get(name)}
    totals = side.get("totals") or {}
    values |= {f"canastas.{item}": str(count) for item, count in totals.get("canastas", {}).items()}
    values |= {
        f"incomplete.{kind}": str(count) for kind, count in totals.get("incomplete", {}).items()
    }
    if totals:
        values["cards"] = str(totals["cards"])
    if side.get("melds"):
        values["melds"] = "\n".join(map(_line, side["melds"]))
    codes = Counter(each for each in side.get("penalties", ()) if isinstance(each, str))
    values |= {f"penalties.{code}": str(count) for code, count in codes.items()}
    agreed = {"house": [each for each in side.get("penalties", ()) if not isinstance(each, str)]}
    for group, rows in (agreed | {"adjustments": side.get("adjustments", [])}).items():
        for row, each in enumerate(rows):
            values |= {
                f"{group}.{row}.points": str(each["points"]),
                f"{group}.{row}.reason": each["reason"],
            }
    if "sum" in side:
        return values | {"sum": str(side["sum"])}
    if side.get("opening"):
        values["opening"] = "\n".join(side["opening"]["melds"])
    return (
        values if "special" in side else values | _left(side.get("left", ""), variant, apart=apart)
    )


def _line(meld: str | Mapping[str, Any]) -> str:
    if isinstance(meld, str):
        return meld
    return f"{meld['cards']} *" if meld.get("concealed") else str(meld["cards"])


def _left(left: str | int | list[str], variant: str, *, apart: bool) -> dict[str, str]:
    if isinstance(left, list):
        if apart and len(left) > 1:
            return {f"left.{number}": cards or "0" for number, cards in enumerate(left)}
        return {"left.0": " / ".join(cards or "0" for cards in left)}
    if isinstance(left, str) and left:
        return {"left.all" if apart else "left.0": left}
    if variant != "mini":
        return {"left": str(left or 0)}
    return {"left.0": "0", "left.1": "0"} if apart else {"left.0": "0"}
