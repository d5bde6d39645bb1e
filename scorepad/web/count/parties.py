"""Who lays together in the hand that is typed, and whose form holds what they laid: each meld is written once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scorepad.matches.access import SIDE_KEYS
from scorepad.rules.entries import Hand, Out, SideEntry
from scorepad.rules.table import who_lays
from scorepad.rules.variants import Ruleset
from scorepad.web.count import names

_LAID = re.compile(r"[abc]-(?:cards|canasta-.+|incomplete-.+|meld-[0-9]+|value-[0-9]+)")


@dataclass(frozen=True, slots=True)
class Parties:
    """The sides, by position, in groups that lay together; `writers` are those in whose forms it is written."""

    groups: tuple[tuple[int, ...], ...]
    writers: frozenset[int]

    def of(self, position: int) -> tuple[int, ...]:
        """The group of a side."""
        return next(group for group in self.groups if position in group)

    def others(self, position: int) -> tuple[int, ...]:
        """Those who lay together with a side."""
        return tuple(other for other in self.of(position) if other != position)

    def writer(self, position: int) -> int:
        """In whose form it is written what a side laid."""
        if position in self.writers:
            return position
        return next(each for each in self.of(position) if each in self.writers)


def parties_of(draft: Mapping[str, str], rules: Ruleset) -> Parties:
    """Who lays together, as far as the draft says it; until then each alone.

    A pair writes where it has begun to, else with whoever went out, else with the first of the two; each for itself as
    soon as one of them is counted by the sum that the table agreed.
    """
    sides = range(len(rules.settings.sides))
    out, single = out_side(draft, rules), single_side(draft, rules)
    groups: tuple[tuple[int, ...], ...] = tuple((position,) for position in sides)
    if single is not None or draft.get(names.SINGLE) == names.NOBODY:
        blank = (SideEntry(),) * len(sides)
        gone = None if out is None else Out(out)
        hand = Hand(SIDE_KEYS[: len(sides)], (0,) * len(sides), blank, gone, single)
        groups = tuple(who_lays(rules.settings.partnership, hand))
    writers = (position for group in groups for position in _writers(group, draft, out))
    return Parties(groups, frozenset(writers))


def out_side(draft: Mapping[str, str], rules: Ruleset) -> int | None:
    """The side that is said to have gone out."""
    return _side(draft.get(names.OUT, "").partition(".")[0], rules)


def single_side(draft: Mapping[str, str], rules: Ruleset) -> int | None:
    """The side that is said to have taken the pile first."""
    return _side(draft.get(names.SINGLE, ""), rules)


def _side(key: str, rules: Ruleset) -> int | None:
    known = SIDE_KEYS[: len(rules.settings.sides)]
    return known.index(key) if key in known else None


def _writers(group: tuple[int, ...], draft: Mapping[str, str], out: int | None) -> Iterator[int]:
    begun = [position for position in group if _has_begun(draft, SIDE_KEYS[position])]
    if any(draft.get(names.way(SIDE_KEYS[position])) == names.BY_SUM for position in group):
        yield from group
    elif begun:
        yield from begun
    else:
        yield out if out in group else group[0]


def _has_begun(draft: Mapping[str, str], key: str) -> bool:
    """Whether anything that was laid is typed in the form of a side."""
    return any(name[0] == key and _LAID.fullmatch(name) and text.strip() for name, text in draft.items())
