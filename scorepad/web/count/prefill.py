"""From a hand that was counted back to the draft that says it: what the page for a correction starts with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorepad.pad.values import SIDE_KEYS
from scorepad.rules.variants import Ruleset
from scorepad.web.count import names


def draft_from(hand: Mapping[str, Any], rules: Ruleset) -> dict[str, str]:
    """The fields that say this hand."""
    draft: dict[str, str] = {}
    for position, key in enumerate(SIDE_KEYS[: len(rules.settings.sides)]):
        _fill_side(draft, key, hand["sides"].get(key, {}), rules, position)
    _fill_out(draft, hand.get("out"))
    return draft


def _fill_side(draft: dict[str, str], key: str, side: Mapping[str, Any], rules: Ruleset, position: int) -> None:
    by_cards = "totals" not in side and bool(side.get("melds"))
    draft[names.way(key)] = names.BY_CARDS if by_cards else names.BY_TOTALS
    totals = side.get("totals", {})
    if not by_cards:
        draft[names.cards(key)] = str(totals.get("cards", 0))
    for item, count in totals.get("canastas", {}).items():
        draft[names.canasta(key, item)] = str(count)
    for row, meld in enumerate(side.get("melds", ())):
        _fill_meld(draft, key, row, meld)
    fields = {"red_threes": names.red(key), "red_threes_held": names.red_held(key)}
    fields |= {field: names.counted(key, field) for field in names.EXTRAS}
    draft |= {name: str(side[field]) for field, name in fields.items() if side.get(field)}
    _fill_left(draft, key, side.get("left", ""), rules, position)
    _fill_penalties(draft, key, side.get("penalties", ()))
    if side.get("opening"):
        draft[names.opening(key)] = "\n".join(side["opening"]["melds"])


def _fill_meld(draft: dict[str, str], key: str, row: int, meld: str | Mapping[str, Any]) -> None:
    draft[names.meld(key, row)] = meld if isinstance(meld, str) else meld["cards"]
    if not isinstance(meld, str) and meld.get("concealed"):
        draft[names.meld_concealed(key, row)] = names.TICKED


def _fill_left(draft: dict[str, str], key: str, left: str | int | list[str], rules: Ruleset, position: int) -> None:
    if isinstance(left, int):
        draft[names.left_way(key)] = names.IN_POINTS
        draft[names.left(key)] = str(left)
        return
    hands = [left] if isinstance(left, str) else left
    if names.hands_apart(rules, position) is None:
        hands = [" ".join(hand for hand in hands if hand)]
    if not any(hand.strip() for hand in hands):
        draft[names.left(key)] = "0"
        return
    draft[names.left_way(key)] = names.IN_CARDS
    for place, hand in enumerate(hands):
        if hand.strip():
            draft[names.left_cards(key, place)] = hand


def _fill_penalties(draft: dict[str, str], key: str, penalties: list[str | Mapping[str, Any]]) -> None:
    row = 0
    for given in penalties:
        code = given if isinstance(given, str) else given["code"]
        if code == "house" and not isinstance(given, str):
            draft[names.house_points(key, row)] = str(given["points"])
            draft[names.house_reason(key, row)] = given["reason"]
            row += 1
        else:
            name = names.penalty(key, code)
            draft[name] = str(int(draft.get(name, "0")) + 1)


def _fill_out(draft: dict[str, str], out: Mapping[str, Any] | None) -> None:
    if out is None:
        draft[names.OUT] = names.NOBODY
        return
    player = out.get("player")
    draft[names.OUT] = out["side"] if player is None else f"{out['side']}.{player}"
    if out.get("concealed"):
        draft[names.CONCEALED] = names.TICKED
    if "discard" in out:
        if out["discard"] is None:
            draft[names.DISCARD_NONE] = names.TICKED
        else:
            draft[names.DISCARD] = out["discard"]
