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
    CardsReplacement,
    group_of_key,
    side_of_key,
)

Positions = tuple[int, ...]
"""Sides, by position."""


def side_chosen(draft: Draft, question: str, rules: Ruleset) -> int | None:
    """The index of the side that was chosen as the answer to a question, such as who ended the hand.

    The answer typed in the form is a side (`b` → 1) or one of its players (`b.0` → 1). None if there
    is no answer, or it is no side of this match.
    """
    side, _, _ = draft.get(question, "").partition(".")
    sides_of_match = SIDE_KEYS[: len(rules.settings.sides)]
    if side not in sides_of_match:
        return None
    return sides_of_match.index(side)


def has_temporary_pairs(rules: Ruleset) -> bool:
    """Whether one of three sides plays alone in each hand, and the other two are a pair."""
    return "single" in rules.entry_fields


def is_single_answered(draft: Draft, rules: Ruleset) -> bool:
    """Whether the form says which side plays alone, or that none does."""
    return side_chosen(draft, SINGLE, rules) is not None or draft.get(SINGLE) == NOBODY


def find_meld_groups(draft: Draft, rules: Ruleset) -> tuple[Positions, ...]:
    """For each side, the sides that lay their melds (sets of cards) together, itself included.

    If side 0 plays alone against sides 1 and 2, the groups are `((0,), (1, 2), (1, 2))`: that of
    side 0, that of side 1 and that of side 2.
    """
    group_of_side: dict[int, Positions] = {}
    for party in _find_parties_of_draft(draft, rules):
        for position in party:
            group_of_side[position] = party
    return tuple(group_of_side[position] for position in range(len(rules.settings.sides)))


def _find_parties_of_draft(draft: Draft, rules: Ruleset) -> list[Positions]:
    """The sides, gathered into those that play together in this hand.

    `[(0,), (1, 2)]` if the texts typed in the form, the `draft`, say that side 0 plays alone against
    the other two. Until they say who does, each side is by itself: `[(0,), (1,), (2,)]`.
    """
    number_of_sides = len(rules.settings.sides)
    are_pairs_known = has_temporary_pairs(rules) and is_single_answered(draft, rules)
    if not are_pairs_known:
        return [(position,) for position in range(number_of_sides)]

    # The rules find the parties of a hand only by who plays alone and who went out. All else that
    # is typed does not matter, so this hand has empty sides.
    side_out = side_chosen(draft, OUT, rules)
    hand = Hand(
        sides=(SideEntry(),) * number_of_sides,
        out=None if side_out is None else Out(side_out),
        single=side_chosen(draft, SINGLE, rules),
    )
    return find_parties(rules.settings.partnership, hand)


def find_meld_columns(draft: Draft, rules: Ruleset, groups: tuple[Positions, ...]) -> Positions:
    """For each side, the side in whose column of the form its melds (sets of cards) are typed.

    Two sides that lay together type their melds once, in the column of one of them: `(0, 2, 2)` if
    sides 1 and 2 do so in that of side 2. `groups` are those of `find_meld_groups`.
    """
    side_out = side_chosen(draft, OUT, rules)
    columns = []
    for position, group in enumerate(groups):
        is_alone = len(group) == 1
        if is_alone or _has_agreed_sum(draft, group):
            columns.append(position)
        else:
            column = _choose_shared_column(draft, position, group=group, side_out=side_out)
            columns.append(column)
    return tuple(columns)


def _has_agreed_sum(draft: Draft, group: Positions) -> bool:
    """Whether an agreed sum is typed for one of the sides that lay their melds together.

    It stands for the cards of this side only. So the melds of the other are its own, and are typed
    in its own column.
    """
    return any(_has_text_in(draft, side, (CardsReplacement.SUM,)) for side in group)


def _choose_shared_column(
    draft: Draft, position: int, *, group: Positions, side_out: int | None
) -> int:
    """The side in whose column of the form the side at this position types its melds (sets of cards).

    `group` are the sides that lay together, this one included. The column is its own if melds are
    typed there, else that of its partner if they are typed there. Before any are typed it is the
    column of the side that went out (played its last card), or that of the first of the group.
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
    """Whether something is typed for a side in one of these groups of the form's fields.

    The text in `a.canastas.samba` is typed for side 0 in the group `canastas`.
    """
    for key, text in draft.items():
        is_in_groups = side_of_key(key) == side and group_of_key(key) in field_groups
        if is_in_groups and text.strip():
            return True
    return False
