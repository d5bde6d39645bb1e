"""From a hand back to the draft that says it: what the form of a correction begins with."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from scorepad.i18n import Language
from scorepad.matches.access import SIDE_KEYS
from scorepad.rules.entries import HOUSE
from scorepad.rules.variants import Ruleset
from scorepad.web.figures import read_sum
from scorepad.web.hand_entry.parser import HANDS, HIDDEN, NONE, parties_of
from scorepad.web.hand_fields import (
    ALL_HANDS,
    CONCEALED,
    DISCARD,
    DISCARD_NONE,
    NOBODY,
    OUT,
    SINGLE,
    YES,
    FieldKind,
    counts_totals,
    fields_for,
    hands_apart,
    has_opening,
    key,
    needs_single,
    row_keys,
    rows_of,
    side_of,
)  # fmt: skip


def draft_from(
    hand: Mapping[str, Any], rules: Ruleset, typed: Mapping[str, str] = MappingProxyType({})
) -> dict[str, str]:
    """The fields that say this hand. `typed` is what it came from: its sums stay as long as they come to the same."""
    draft: dict[str, str] = {}
    if "out" in hand or not all("sum" in side for side in hand["sides"].values()):
        if needs_single(rules):
            draft[SINGLE] = hand.get("single") or NOBODY
        draft |= _out_fields(hand.get("out"))
    for position, side in enumerate(SIDE_KEYS[: len(rules.settings.sides)]):
        draft |= _side_fields(hand, rules, position, side)
    for position in parties_of(draft, rules).writers:
        side = SIDE_KEYS[position]
        told = ("sum", "special", "cards", "melds")
        if not any(key(side, name) in draft for name in told):
            draft[key(side, "cards" if counts_totals(rules.settings) else "melds")] = NONE
    return {name: _as_typed(name, text, typed.get(name, "")) for name, text in draft.items()}


def _as_typed(name: str, text: str, typed: str) -> str:
    """The sum that was typed, where it comes to this figure."""
    is_figure = side_of(name) is not None and text.lstrip("-").isdigit()
    # Figures below a thousand are written alike in every language.
    return typed if is_figure and read_sum(typed, Language.ITALIAN, signed=True) == int(text) else text


def _side_fields(hand: Mapping[str, Any], rules: Ruleset, position: int, side: str) -> dict[str, str]:
    told: Mapping[str, Any] = hand["sides"].get(side, {})
    draft: dict[str, str] = {}
    for given in told.get("penalties", ()):
        code = given if isinstance(given, str) else given["code"]
        if code == HOUSE and not isinstance(given, str):
            draft |= _row(draft, side, "house", given)
        else:
            name = key(side, f"penalties.{code}")
            draft[name] = str(int(draft.get(name, NONE)) + 1)
    for given in told.get("adjustments", ()):
        draft |= _row(draft, side, "adjustments", given)
    if "sum" in told:
        return {**draft, key(side, "sum"): str(told["sum"])}
    if told.get("special"):
        return {**draft, key(side, "special"): told["special"]}
    for each in fields_for(rules, position):
        if each.kind in (FieldKind.COUNT, FieldKind.POINTS) and each.group not in ("penalties", "house", "left"):
            value = _at(told, each.path)
            if value or (value == 0 and each.name == "cards"):
                draft[key(side, each.name)] = str(value)
    if told.get("melds"):
        draft[key(side, "melds")] = "\n".join(map(_meld_line, told["melds"]))
    draft |= _left_fields(told.get("left", ""), hand, rules, position)
    if told.get("opening") and has_opening(rules):
        draft[key(side, "opening")] = "\n".join(told["opening"]["melds"])
    return draft


def _row(draft: Mapping[str, str], side: str, group: str, given: Mapping[str, Any]) -> dict[str, str]:
    points, reason = row_keys(side, group, len(rows_of(draft, side, group)))
    return {points: str(given["points"]), reason: given["reason"]}


def _at(told: Mapping[str, Any], path: tuple[str | int, ...]) -> Any:
    """What stands at a path; None where there is nothing."""
    value: Any = told
    for part in path:
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _meld_line(meld: str | Mapping[str, Any]) -> str:
    if isinstance(meld, str):
        return meld
    return f"{meld['cards']} {HIDDEN}" if meld.get("concealed") else str(meld["cards"])


def _left_fields(left: str | int | list[str], hand: Mapping[str, Any], rules: Ruleset, position: int) -> dict[str, str]:
    side, apart = SIDE_KEYS[position], hands_apart(rules.settings, position)
    if isinstance(left, int):
        return {key(side, "left"): str(left)}
    if isinstance(left, list) and apart is None:
        return {key(side, "left.0"): f" {HANDS} ".join(hand.strip() or NONE for hand in left)}
    if isinstance(left, str) and not left.strip() and counts_totals(rules.settings):
        return {key(side, "left"): NONE}
    if apart is None:
        return {key(side, "left.0"): str(left).strip() or NONE}
    if isinstance(left, str) and left.strip():
        return {key(side, ALL_HANDS): left}
    return _hands_fields(left if isinstance(left, list) else [""] * apart, hand.get("out") or {}, side)


def _hands_fields(hands: list[str], out: Mapping[str, Any], side: str) -> dict[str, str]:
    """The hands noted one by one; that of whoever went out stays blank."""
    empty = [place for place, hand in enumerate(hands) if not hand.strip()]
    gone = out.get("player", empty[0] if empty else None) if out.get("side") == side else None
    return {
        key(side, f"left.{place}"): hand.strip() or NONE
        for place, hand in enumerate(hands)
        if place != gone or hand.strip()
    }


def _out_fields(out: Mapping[str, Any] | None) -> dict[str, str]:
    if out is None:
        return {OUT: NOBODY}
    player = out.get("player")
    draft = {OUT: out["side"] if player is None else f"{out['side']}.{player}"}
    if out.get("concealed"):
        draft[CONCEALED] = YES
    if "discard" in out:
        draft |= {DISCARD_NONE: YES} if out["discard"] is None else {DISCARD: out["discard"]}
    return draft
