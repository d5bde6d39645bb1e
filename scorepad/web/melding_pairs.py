"""Which sides lay their melds together in a hand, and under which of them the melds are typed."""

from __future__ import annotations

from scorepad.matches.hands import Draft
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import Hand, Out, SideEntry
from scorepad.rules.table import find_parties
from scorepad.schemas.hand_requests import SIDE_KEYS
from scorepad.web import hand_fields
from scorepad.web.hand_fields import NOBODY, OUT, SINGLE

Positions = tuple[int, ...]
"""Sides, by position."""


def side_chosen(draft: Draft, name: str, rules: Ruleset) -> int | None:
    """The position of the side that a field of the whole hand names; None if it names none."""
    side = draft.get(name, "").partition(".")[0]
    known = SIDE_KEYS[: len(rules.settings.sides)]
    return known.index(side) if side in known else None


def melding_groups(draft: Draft, rules: Ruleset) -> tuple[Positions, ...]:
    """For each side, the sides that lay their melds together with it, itself included.

    In variants with temporary pairs the side that takes the pile first plays alone (`single`), and
    the other two are a pair. While it is not yet said who that is, every side is alone.
    """
    number_of_sides = len(rules.settings.sides)
    alone = [(position,) for position in range(number_of_sides)]
    if "single" not in rules.entry_fields:
        return tuple(alone)
    single = side_chosen(draft, SINGLE, rules)
    nobody_took_the_pile = draft.get(SINGLE) == NOBODY
    if single is None and not nobody_took_the_pile:
        return tuple(alone)

    # The pairs depend on who took the pile and who went out only, so the sides may be empty.
    side_out = side_chosen(draft, OUT, rules)
    out = None if side_out is None else Out(side_out)
    hand = Hand((SideEntry(),) * number_of_sides, out, single)
    groups: list[Positions] = list(alone)
    for party in find_parties(rules.settings.partnership, hand):
        for position in party:
            groups[position] = party
    return tuple(groups)


def melding_writers(draft: Draft, rules: Ruleset, groups: tuple[Positions, ...]) -> Positions:
    """By side, the side whose fields hold its melds.

    The cards of a pair are typed under the side that has text, else under the one that went out,
    else under the first; under each if one of them is counted by an agreed sum.
    """
    if "single" not in rules.entry_fields:
        return tuple(range(len(groups)))
    typed_groups = _typed_groups(draft)
    side_out = side_chosen(draft, OUT, rules)
    writers = []
    for position, group in enumerate(groups):
        has_sum = any("sum" in typed_groups.get(side, ()) for side in group)
        typed_melds = [side for side in group if _has_melds(typed_groups.get(side, set()))]
        if has_sum or position in typed_melds:
            writers.append(position)
        elif typed_melds:
            writers.append(typed_melds[0])
        elif side_out in group:
            writers.append(side_out)
        else:
            writers.append(group[0])
    return tuple(writers)


def _typed_groups(draft: Draft) -> dict[int, set[str]]:
    """By side, the groups of fields in which something is typed."""
    groups: dict[int, set[str]] = {}
    for name, text in draft.items():
        position = hand_fields.side_of(name)
        if position is not None and text.strip():
            groups.setdefault(position, set()).add(hand_fields.group_of(name))
    return groups


def _has_melds(typed_groups: set[str]) -> bool:
    return any(group in typed_groups for group in hand_fields.MELD_GROUPS)
