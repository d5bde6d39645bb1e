"""Which sides lay their melds together in a hand, and under which of them the melds are typed.

A meld is a set of cards laid on the table. In most variants each side lays its own melds. In those
with temporary pairs one side plays alone (the single) and the other two lay theirs together.
"""

from __future__ import annotations

from scorepad.matches.hands import Draft
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import Hand, Out, SideEntry
from scorepad.rules.table import find_parties
from scorepad.schemas.hand_requests import SIDE_KEYS
from scorepad.web.hand_fields import (
    MELD_GROUPS,
    NOBODY,
    OUT,
    SINGLE,
    group_of_key,
    side_of_key,
)

Positions = tuple[int, ...]
"""Sides, by position."""


def side_chosen(draft: Draft, question: str, rules: Ruleset) -> int | None:
    """The position of the side that answers a question of the whole hand, such as who went out.

    The answer is a side (`b` → 1) or one of its players (`b.0` → 1). None if the question has no
    answer, or the answer is no side of this match.
    """
    side, _, _ = draft.get(question, "").partition(".")
    sides_of_match = SIDE_KEYS[: len(rules.settings.sides)]
    if side not in sides_of_match:
        return None
    return sides_of_match.index(side)


def has_temporary_pairs(rules: Ruleset) -> bool:
    """Whether one of three sides plays alone in each hand, and the other two are a pair."""
    return "single" in rules.entry_fields


def find_meld_groups(draft: Draft, rules: Ruleset) -> tuple[Positions, ...]:
    """For each side, the sides that lay their melds together with it, itself included.

    With temporary pairs, a hand in which side 0 plays alone has the groups `(0,)`, `(1, 2)` and
    `(1, 2)`. Until it is typed who that is, each side is a group of its own.
    """
    number_of_sides = len(rules.settings.sides)
    groups: list[Positions] = [(position,) for position in range(number_of_sides)]
    single = side_chosen(draft, SINGLE, rules)
    is_single_answered = single is not None or draft.get(SINGLE) == NOBODY
    if not has_temporary_pairs(rules) or not is_single_answered:
        return tuple(groups)

    # The pairs depend only on who plays alone and who went out, so the sides may be empty.
    side_out = side_chosen(draft, OUT, rules)
    out = None if side_out is None else Out(side_out)
    hand = Hand((SideEntry(),) * number_of_sides, out, single)
    for party in find_parties(rules.settings.partnership, hand):
        for position in party:
            groups[position] = party
    return tuple(groups)


def find_meld_writers(draft: Draft, rules: Ruleset, groups: tuple[Positions, ...]) -> Positions:
    """For each side, the side in whose fields its melds are typed.

    That is the side itself, unless it lays its melds together with another one: the melds of the
    two are typed once. `groups` are those of `find_meld_groups`.
    """
    if not has_temporary_pairs(rules):
        return tuple(range(len(groups)))
    side_out = side_chosen(draft, OUT, rules)
    writers = []
    for position, group in enumerate(groups):
        if any(_has_text_in(draft, side, ("sum",)) for side in group):
            writers.append(position)  # an agreed sum replaces the melds of one side only
        else:
            writers.append(_writer_in_group(draft, position, group, side_out))
    return tuple(writers)


def _writer_in_group(draft: Draft, position: int, group: Positions, side_out: int | None) -> int:
    """The side in whose fields the side at this position types its melds: itself if it did, else one
    of its group that did, else the one that went out, else the first.
    """
    sides_with_melds = [side for side in group if _has_text_in(draft, side, MELD_GROUPS)]
    if position in sides_with_melds:
        return position
    if sides_with_melds:
        return sides_with_melds[0]
    if side_out is not None and side_out in group:
        return side_out
    return group[0]


def _has_text_in(draft: Draft, side: int, field_groups: tuple[str, ...]) -> bool:
    """Whether something is typed for a side in one of these groups of fields."""
    for key, text in draft.items():
        if side_of_key(key) == side and group_of_key(key) in field_groups and text.strip():
            return True
    return False
