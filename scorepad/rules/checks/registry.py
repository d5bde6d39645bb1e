"""The checks by rule id. A check says where something may not be, and the figures; the engine says which rule it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from scorepad.rules.cards import Kind
from scorepad.rules.entries import Hand, Place
from scorepad.rules.table import Table


@dataclass(frozen=True, slots=True)
class Excess:
    """More of a card than there is: `count` where the decks hold `limit`; `suit` where the suit was given."""

    kind: Kind
    suit: str
    count: int
    limit: int


@dataclass(frozen=True, slots=True)
class SideName:
    """A side by its position, to be told by its name."""

    position: int


@dataclass(frozen=True, slots=True)
class Needed:
    """Canastas of a family that going out needs, and how many the side has."""

    family: str
    count: int
    has: int


def all_sides(hand: Hand) -> tuple[SideName, ...]:
    """The sides of the match."""
    return tuple(SideName(position) for position in hand.of_match)


Many = tuple[str, ...] | tuple[Kind, ...] | tuple[Excess, ...] | tuple[SideName, ...] | tuple[Needed, ...]
Figure = int | str | Kind | SideName | Many


@dataclass(frozen=True, slots=True)
class Trouble:
    """Where a rule is broken, and the figures that its message names."""

    where: Place
    figures: Mapping[str, Figure] = field(default_factory=dict)


Check = Callable[[Table], Iterable[Trouble]]

CHECKS: dict[str, Check] = {}
_NEVER_AGREED: set[str] = set()


def check(rule: str, *, agreeable: bool = True) -> Callable[[Check], Check]:
    """Register a function as the check of a rule id.

    What is not `agreeable` is no matter of rules: figures that cannot be, cards that the decks do not hold, names that
    mean nothing. No table can agree to it, and scoring may count on it.
    """

    def register(function: Check) -> Check:
        assert rule not in CHECKS, rule
        CHECKS[rule] = function
        if not agreeable:
            _NEVER_AGREED.add(rule)
        return function

    return register


def may_be_agreed(code: str) -> bool:
    """Whether a table may agree to count a hand that breaks this rule."""
    return code not in _NEVER_AGREED
