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


def find_meld_groups(draft: Draft, rules: Ruleset) -> tuple[Positions, ...]:
    """Find for each side which sides lay their cards together with it, itself included.

    - side 0 plays alone against sides 1 and 2 → `((0,), (1, 2), (1, 2))`
    - each side lays its own cards → `((0,), (1,))`
    """
    group_of_side: dict[int, Positions] = {}
    for party in _find_parties_of_draft(draft, rules):
        for position in party:
            group_of_side[position] = party
    return tuple(group_of_side[position] for position in range(len(rules.settings.sides)))


def _find_parties_of_draft(draft: Draft, rules: Ruleset) -> list[Positions]:
    """Find which sides play together in this round (a "hand"), by what is typed in the form.

    - the form says that side 0 plays alone against the other two → `[(0,), (1, 2)]`
    - it does not say yet who plays alone → `[(0,), (1,), (2,)]`, each side by itself
    """
    number_of_sides = len(rules.settings.sides)
    are_pairs_known = has_temporary_pairs(rules) and is_single_answered(draft, rules)
    if not are_pairs_known:
        return [(position,) for position in range(number_of_sides)]

    # The rules find the parties of a hand only by who plays alone and who went out (played the last
    # card). All else that is typed does not matter, so this hand has empty sides.
    side_out = side_chosen(draft, OUT, rules)
    hand_without_cards = Hand(
        sides=(SideEntry(),) * number_of_sides,
        out=None if side_out is None else Out(side_out),
        single=side_chosen(draft, SINGLE, rules),
    )
    return find_parties(rules.settings.partnership, hand_without_cards)


def find_meld_columns(draft: Draft, rules: Ruleset, groups: tuple[Positions, ...]) -> Positions:
    """Find for each side in whose column of the form its melds (cards on the table) are typed.

    Two sides that lay together type their melds once, in the column of one of them. If sides 1 and
    2 do so in that of side 2 → `(0, 2, 2)`. `groups` are those of `find_meld_groups`.
    """
    side_out = side_chosen(draft, OUT, rules)
    columns = []
    for position, group in enumerate(groups):
        is_alone = len(group) == 1
        if is_alone or _has_agreed_sum(draft, group):
            columns.append(position)  # its own column
        else:
            column = _choose_shared_column(draft, position, group=group, side_out=side_out)
            columns.append(column)
    return tuple(columns)


def _has_agreed_sum(draft: Draft, group: Positions) -> bool:
    """Tell whether points that the players agreed on are typed for one side of a group.

    They are typed instead of the cards of that side. So the sides of the group do not type their
    cards together.
    """
    return any(_has_text_in(draft, side, (CardsReplacement.SUM,)) for side in group)


def _choose_shared_column(
    draft: Draft, position: int, *, group: Positions, side_out: int | None
) -> int:
    """Choose the column of the form in which a side types the melds that it lays with a partner.

    Melds are sets of cards on the table. `group` are the sides that lay together, with the one at
    this position. The column is, in this order:

    1. its own, if melds are typed there
    2. that of its partner, if melds are typed there
    3. that of the side that ended the round (`side_out`), if it is one of them
    4. that of the first of them
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
    """Tell whether something is typed for a side in one of these groups of fields.

    The field `a.canastas.samba` is that of side 0 in the group `canastas`.
    """
    for key, text in draft.items():
        is_in_groups = side_of_key(key) == side and group_of_key(key) in field_groups
        if is_in_groups and text.strip():
            return True
    return False
