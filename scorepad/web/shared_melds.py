"""Which sides lay their melds together in a hand, and under which of them the melds are typed.

A meld is a set of cards laid on the table. In most variants each side lays its own melds. In those
with temporary pairs one side plays alone (the single) and the other two lay theirs together.
"""

from __future__ import annotations

from dataclasses import dataclass

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
    """Read which side was chosen as the answer to a question of the form, as an index.

    The question may be who ended the round (`out`), or who plays alone (`single`).

    - `b`, the second side → 1
    - `b.0`, a player of the second side → 1
    - no answer, or no side of this match → None
    """
    side, _, _ = draft.get(question, "").partition(".")
    sides_of_match = SIDE_KEYS[: len(rules.settings.sides)]
    if side not in sides_of_match:
        return None
    return sides_of_match.index(side)


def has_temporary_pairs(rules: Ruleset) -> bool:
    """Tell whether in each round one of three sides plays alone, and the other two are a pair."""
    return "single" in rules.entry_fields


def is_single_answered(draft: Draft, rules: Ruleset) -> bool:
    """Tell whether the form says which side plays alone against two others, or that none does."""
    return side_chosen(draft, SINGLE, rules) is not None or draft.get(SINGLE) == NOBODY


@dataclass(frozen=True, slots=True)
class MeldSharing:
    """Which sides lay their melds together in a hand, and in whose column of the form these are
    typed: two sides that lay together type them once, in the column of one of them.
    """

    groups: tuple[Positions, ...]
    """For each side, the sides that lay with it, itself included: `((0,), (1, 2), (1, 2))`."""
    columns: Positions
    """For each side, the side in whose column its melds are typed: `(0, 2, 2)`."""

    def are_typed_elsewhere(self, side: int) -> bool:
        """Tell whether the melds of a side are typed in the column of its partner."""
        return self.columns[side] != side

    def are_typed_with(self, side: int, other: int) -> bool:
        """Tell whether the melds of a side are typed in the column of this other side."""
        return side != other and self.columns[side] == other


def read_meld_sharing(draft: Draft, rules: Ruleset) -> MeldSharing:
    """Find which sides lay their melds together, and where they are typed, from a form's texts."""
    group_of_side: dict[int, Positions] = {}
    for group in _list_groups(draft, rules):
        for side in group:
            group_of_side[side] = group

    groups = []
    columns = []
    side_out = side_chosen(draft, OUT, rules)
    for side in range(len(rules.settings.sides)):
        group = group_of_side[side]
        groups.append(group)
        columns.append(_choose_column(draft, side, group=group, side_out=side_out))
    return MeldSharing(tuple(groups), tuple(columns))


def _list_groups(draft: Draft, rules: Ruleset) -> list[Positions]:
    """List the groups of sides that play together in this round, as the form says.

    - side 0 plays alone against the other two → `[(0,), (1, 2)]`
    - the form does not say yet who plays alone → `[(0,), (1,), (2,)]`
    """
    number_of_sides = len(rules.settings.sides)
    are_pairs_known = has_temporary_pairs(rules) and is_single_answered(draft, rules)
    if not are_pairs_known:
        return [(side,) for side in range(number_of_sides)]

    # The rules find the groups of a hand by who plays alone and who went out (played the last card).
    # Its cards, which are not read yet, do not matter.
    side_out = side_chosen(draft, OUT, rules)
    hand_without_cards = Hand(
        sides=(SideEntry(),) * number_of_sides,
        out=None if side_out is None else Out(side_out),
        single=side_chosen(draft, SINGLE, rules),
    )
    return find_parties(rules.settings.partnership, hand_without_cards)


def _choose_column(draft: Draft, side: int, *, group: Positions, side_out: int | None) -> int:
    """Choose the side in whose column of the form the melds of a side are typed.

    `group` are the sides that lay together, `side_out` is the one that ended the round. If somebody
    of the group has typed melds already, they stay where they are.
    """
    is_alone = len(group) == 1
    if is_alone:
        return side
    for member in group:
        has_agreed_points = _has_text_in(draft, member, (CardsReplacement.SUM,))
        if has_agreed_points:  # in place of its cards, so that the group types none together
            return side

    sides_with_melds = [member for member in group if _has_text_in(draft, member, MELD_GROUPS)]
    if side in sides_with_melds:
        return side
    if sides_with_melds:
        return sides_with_melds[0]
    if side_out is not None and side_out in group:
        return side_out
    return group[0]


def _has_text_in(draft: Draft, side: int, field_groups: tuple[str, ...]) -> bool:
    """Tell whether something is typed for a side in one of these groups of fields.

    The field `a.canastas.samba` is that of side 0 in the group `canastas`.
    """
    for key, text in draft.items():
        is_in_groups = side_of_key(key) == side and group_of_key(key) in field_groups
        if is_in_groups and text.strip():
            return True
    return False
