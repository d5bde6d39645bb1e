"""The form of a hand as somebody fills it in: from the hand's JSON to the values of the fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from scorepad.rules.hand import EXTRAS

HANDS_APART = ("mini", "moderna", "sette")
"""Variants in which each player's hand has a field of its own."""
PLAIN = ("red_threes", "red_threes_held", *EXTRAS, "sum", "special")
Json = Mapping[str, Any]


def form_values(hand: Json, variant: str, *, alone: bool = False) -> dict[str, str]:
    """The values of the fields for a hand with its sides under `a`, `b` and `c`; `alone`: each side
    is one player.
    """
    values = _out(hand["out"]) if "out" in hand else {}
    if "single" in hand:
        values["single"] = hand["single"] or "nobody"
    for key, side in hand["sides"].items():
        texts = _side(side, variant, apart=variant in HANDS_APART and not alone)
        is_laid_entered = _has_laid(side) or _is_laid_by_partner(hand, key)
        if not is_laid_entered and "sum" not in side and "special" not in side:
            texts["melds" if variant == "mini" else "cards"] = "0"
        values |= {f"{key}.{name}": text for name, text in texts.items()}
    return values


def _has_laid(side: Json) -> bool:
    return bool(side.get("melds") or side.get("totals"))


def _is_laid_by_partner(hand: Json, key: str) -> bool:
    """In tagliagola a pair's cards stand under one of the two."""
    if "single" not in hand:
        return False
    single = hand["single"] or (hand.get("out") or {}).get("side")
    if not single or key == single:
        return False
    pair = [other for other in hand["sides"] if other != single]
    if any(_has_laid(hand["sides"][other]) for other in pair):
        return True
    return key != pair[0]  # where neither laid, the first of them says so


def _out(out: Json | None) -> dict[str, str]:
    if out is None:
        return {"out": "nobody"}
    values = {"out": out["side"]}
    if out.get("player") is not None:
        values["out"] = f"{out['side']}.{out['player']}"
    if out.get("concealed"):
        values["concealed"] = "on"
    if out.get("discard"):
        values["discard"] = out["discard"]
    elif "discard" in out:
        values["discard_none"] = "on"
    return values


def _side(side: Json, variant: str, *, apart: bool) -> dict[str, str]:
    values = {name: str(side[name]) for name in PLAIN if side.get(name)}
    if side.get("totals"):
        values |= _totals(side["totals"])
    if side.get("melds"):
        values["melds"] = "\n".join(_line(meld) for meld in side["melds"])
    penalties = side.get("penalties", [])
    codes = Counter(each for each in penalties if isinstance(each, str))
    values |= {f"penalties.{code}": str(count) for code, count in codes.items()}
    values |= _rows("house", [each for each in penalties if not isinstance(each, str)])
    values |= _rows("adjustments", side.get("adjustments", []))
    if "sum" in side:
        return values | {"sum": str(side["sum"])}
    if side.get("opening"):
        values["opening"] = "\n".join(side["opening"]["melds"])
    if "special" in side:
        return values
    return values | _left(side.get("left", ""), variant, apart=apart)


def _totals(totals: Json) -> dict[str, str]:
    values = {"cards": str(totals["cards"])}
    for group in ("canastas", "incomplete"):
        for name, count in totals.get(group, {}).items():
            values[f"{group}.{name}"] = str(count)
    return values


def _rows(group: str, rows: list[Json]) -> dict[str, str]:
    values = {}
    for number, row in enumerate(rows):
        values[f"{group}.{number}.points"] = str(row["points"])
        values[f"{group}.{number}.reason"] = row["reason"]
    return values


def _line(meld: str | Json) -> str:
    if isinstance(meld, str):
        return meld
    return f"{meld['cards']} *" if meld.get("concealed") else str(meld["cards"])


def _left(left: str | int | list[str], variant: str, *, apart: bool) -> dict[str, str]:
    if isinstance(left, list):
        hands = [cards or "0" for cards in left]
        if apart and len(hands) > 1:
            return {f"left.{number}": cards for number, cards in enumerate(hands)}
        return {"left.0": " / ".join(hands)}
    if isinstance(left, str) and left:
        return {"left.all" if apart else "left.0": left}
    if variant != "mini":
        return {"left": str(left or 0)}
    return {"left.0": "0", "left.1": "0"} if apart else {"left.0": "0"}
