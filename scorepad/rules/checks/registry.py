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
    """Where a rule is broken, and the figures that its message names.

    `grounds` are what it rests on beside what its rule and figures say (`scorepad.rules.grounds`).
    """

    where: Place
    figures: Mapping[str, Figure] = field(default_factory=dict)
    grounds: tuple[str, ...] = ()


Check = Callable[[Table], Iterable[Trouble]]


@dataclass(frozen=True, slots=True)
class Nature:
    """What is to be known of a rule beside where it is broken.

    What is not `agreeable` is no matter of rules: figures that cannot be, cards that the decks do not hold, names that
    mean nothing. No table can agree to it, and scoring may count on it.
    `by_itself`: what is wrong is wrong in one meld, one card or one figure, whoever lays together with whom.
    `of_opening`: it is the opening that is wrong, and a minimum is among the figures.
    """

    agreeable: bool = True
    by_itself: bool = False
    of_opening: bool = False


CHECKS: dict[str, Check] = {}
_NATURES: dict[str, Nature] = {}
_USUAL = Nature()


def check(
    rule: str, *, agreeable: bool = True, by_itself: bool = False, of_opening: bool = False
) -> Callable[[Check], Check]:
    """Register a function as the check of a rule id, of this nature."""

    def register(function: Check) -> Check:
        assert rule not in CHECKS, rule
        CHECKS[rule], _NATURES[rule] = function, Nature(agreeable, by_itself, of_opening)
        return function

    return register


def nature_of(code: str) -> Nature:
    """What is to be known of a rule; of one that an earlier version found and none checks today, the usual."""
    return _NATURES.get(code, _USUAL)
