"""Every meld that could be laid out of the cards held: new, or by laying off on a meld of the side.

What may be laid is not decided here: melds are only put forward, and the checks that judge any meld sort them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product

from scorepad.rules.cards import (
    BLACK_THREE,
    END_NATURAL,
    FIRST_NATURAL,
    JOKER,
    KINDS,
    NATURAL_INDICES,
    NO_CARDS,
    TWO,
    Cards,
    Reading,
    Suit,
    gather,
)
from scorepad.rules.checks import CHECKS
from scorepad.rules.entries import Out, SideEntry
from scorepad.rules.melds import Meld, read_meld
from scorepad.rules.rulings.casing import ASKER, laid_down, lay_case, meld_checks
from scorepad.rules.settings import Settings
from scorepad.rules.terms import Sequences
from scorepad.rules.variants import Ruleset

RANKS = (*NATURAL_INDICES, BLACK_THREE)
"""The kinds of card that melds of one rank are made of, as indices of `cards.KINDS`."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A meld put forward.

    `added` are the cards of the hand in it, but for `wilds`: so many wild cards beside natural ones, whichever they
    are. `on` is the place of the meld of the table that they are laid on, None for a new one. `lies` is the meld as it
    would lie, those wild cards as twos.
    """

    added: Cards
    wilds: int
    lies: Meld
    on: int | None = None


@dataclass(frozen=True, slots=True)
class _Bounds:
    """What bounds the melds put forward: all that settings have to say of it."""

    wilds: int
    wilds_alone: int | None
    shortest: int
    sequences: Sequences


def _bounds(settings: Settings) -> _Bounds:
    alone = settings.wild_melds_shortest if settings.wild_melds == "allowed" else None
    return _Bounds(settings.wild_limit, alone, settings.meld_shortest, settings.sequences)


def drafts_of(settings: Settings, held: Cards) -> tuple[Draft, ...]:
    """The new melds that these cards could make."""
    return _drafts_of(_bounds(settings), held)


@lru_cache(maxsize=32)
def _drafts_of(bounds: _Bounds, held: Cards) -> tuple[Draft, ...]:
    """Remembered: few options change what could be put forward, and all of them are asked."""
    return tuple(_new(bounds, held))


def _new(bounds: _Bounds, held: Cards) -> Iterator[Draft]:
    for rank in RANKS:
        for naturals in range(1, held.counts[rank] + 1):
            for wilds in range(min(held.wilds, bounds.wilds) + 1):
                yield _draft({rank: naturals}, wilds)
    for jokers, twos in product(range(held.counts[JOKER] + 1), range(held.counts[TWO] + 1)):
        if bounds.wilds_alone is not None and jokers + twos >= bounds.wilds_alone:
            yield _draft({JOKER: jokers, TWO: twos}, 0)
    if bounds.sequences is not Sequences.NONE:
        for suit in Suit:
            yield from _sequences(bounds, held, suit.value, NO_CARDS, None)


def drafts_on(settings: Settings, held: Cards, table: Iterable[Cards]) -> tuple[Draft, ...]:
    """What could be laid off on each meld of the table; that nothing is laid on it is one way."""
    return _drafts_on(_bounds(settings), held, tuple(table))


@lru_cache(maxsize=32)
def _drafts_on(bounds: _Bounds, held: Cards, table: tuple[Cards, ...]) -> tuple[Draft, ...]:
    return tuple(draft for number, lying in enumerate(table) for draft in _laid_on(bounds, held, lying, number))


def _laid_on(bounds: _Bounds, held: Cards, lying: Cards, number: int) -> Iterator[Draft]:
    yield Draft(NO_CARDS, 0, read_meld(lying), number)
    if len(lying.ranks) > 1:
        yield from _sequences(bounds, held, _suit_of(lying), lying, number)
        return
    # On wild cards alone a rank of any kind may be begun.
    ranks = read_meld(lying).ranks
    for rank in ranks or RANKS:
        for naturals in range(0 if ranks else 1, held.counts[rank] + 1):
            for wilds in range(min(held.wilds, bounds.wilds) + 1):
                if naturals + wilds:
                    yield _draft({rank: naturals}, wilds, lying, number)
    for jokers, twos in product(range(held.counts[JOKER] + 1), range(held.counts[TWO] + 1)):
        if not ranks and jokers + twos:
            yield _draft({JOKER: jokers, TWO: twos}, 0, lying, number)


def _sequences(bounds: _Bounds, held: Cards, suit: str, lying: Cards, number: int | None) -> Iterator[Draft]:
    """Runs of a suit with what lies in them, wild cards in place of those that are not there or stay in the hand."""
    base, before = set(lying.ranks), lying.wilds
    most = min(bounds.wilds, before + held.wilds) if bounds.sequences is Sequences.DIRTY else 0
    mine = {index for index, of_suit, _ in held.suited if of_suit == suit and index in NATURAL_INDICES} - base
    seen = set()
    for first, end in combinations(range(FIRST_NATURAL, END_NATURAL + 1), 2):
        run = range(first, end)
        there = [rank for rank in run if rank in mine]
        short = len(run) - len(there) - sum(rank in base for rank in run)
        if len(run) < bounds.shortest or not base <= set(run) or short > most:
            continue
        for wilds in range(max(short, before), most + 1):
            for kept in combinations(there, wilds - short):
                added = tuple(rank for rank in there if rank not in kept)
                if (added, wilds) not in seen and len(added) + wilds > before:
                    seen.add((added, wilds))
                    yield _draft(dict.fromkeys(added, 1), wilds - before, lying, number, suit)


def _suit_of(lying: Cards) -> str:
    """The suit of a sequence."""
    return next(suit for index, suit, _ in lying.suited if index in NATURAL_INDICES)


def _draft(
    added: dict[int, int], wilds: int, lying: Cards = NO_CARDS, number: int | None = None, suit: str = ""
) -> Draft:
    suited = tuple((index, suit, count) for index, count in sorted(added.items())) if suit else ()
    cards = cards_of(added, suited)
    whole = cards_of({**added, TWO: added.get(TWO, 0) + wilds}, suited)
    return Draft(cards, wilds, read_meld(gather((lying, whole)) if lying.size else whole), number)


def cards_of(counts: Mapping[int, int], suited: tuple[tuple[int, str, int], ...] = ()) -> Cards:
    """So many cards of each kind (index), and of which the suit is told."""
    row = [0] * len(KINDS)
    for index, count in counts.items():
        row[index] = count
    return Cards(tuple(row), suited)


def legal(rules: Ruleset, drafts: Iterable[Draft], *, going_out: bool) -> tuple[Draft, ...]:
    """Those that are melds: all of them are laid down at once, and the checks of melds say which are none."""
    put = tuple(drafts)
    entry = SideEntry(melds=laid_down(*(Reading(draft.lies.cards) for draft in put)))
    table = lay_case(rules, entry, out=Out(ASKER) if going_out else None)
    # More cards than there are lie there, and many melds of a rank: they are tried, and not laid together.
    asked = meld_checks(rules) - {"deck-exceeded", "meld-rank-repeated"}
    checks = [CHECKS[rule.id] for rule in rules.checks if rule.id in asked]
    wrong = {trouble.where[-1] for check in checks for trouble in check(table)}
    return tuple(draft for number, draft in enumerate(put) if number not in wrong)
