"""Checks of a meld by itself.

Of a meld with a token that is no card a check tells only what is wrong whatever that token was meant to be.
"""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.rules.cards import KINDS, Kind
from scorepad.rules.checks.registry import Trouble, check
from scorepad.rules.melds import Meld, is_unbroken_sequence, shape_of
from scorepad.rules.settings import BlackThrees, Settings, Shape
from scorepad.rules.table import Table


def _is_group(meld: Meld, settings: Settings) -> bool:
    return shape_of(meld, settings) is Shape.GROUP


@check("meld-too-short")
def too_short(table: Table) -> Iterator[Trouble]:
    """Fewer cards than a meld needs."""
    shortest = table.settings.meld_shortest
    for laid in table.judged:
        if laid.whole and laid.meld.size < shortest:
            yield Trouble(laid.where, {"cards": laid.meld.size, "needed": shortest})


@check("meld-too-long")
def too_long(table: Table) -> Iterator[Trouble]:
    """More cards than a meld may have."""
    longest = table.settings.meld_longest
    if longest is None:
        return
    for laid in table.judged:
        if laid.meld.size > longest:
            yield Trouble(laid.where, {"cards": laid.meld.size, "allowed": longest})


@check("meld-too-few-naturals")
def too_few_naturals(table: Table) -> Iterator[Trouble]:
    """Fewer natural cards than a meld needs."""
    needed = table.settings.meld_naturals
    for laid in table.judged:
        if laid.whole and laid.meld.naturals < needed:
            yield Trouble(laid.where, {"naturals": laid.meld.naturals, "needed": needed})


@check("meld-too-many-wilds")
def too_many_wilds(table: Table) -> Iterator[Trouble]:
    """More wild cards than the limit in force, the ratio to the natural cards included."""
    settings = table.settings
    for laid in table.judged:
        meld = laid.meld
        allowed = settings.most_wilds(meld.naturals) if laid.whole else settings.wild_limit
        if meld.wilds > allowed and _is_group(meld, settings):
            yield Trouble(laid.where, {"wilds": meld.wilds, "allowed": allowed, "naturals": meld.naturals})


@check("meld-mixed-ranks")
def mixed_ranks(table: Table) -> Iterator[Trouble]:
    """Natural cards of different ranks, where all melds are of one rank."""
    for laid in table.judged:
        if len(laid.meld.ranks) > 1:
            yield Trouble(laid.where, {"ranks": tuple(KINDS[index] for index in laid.meld.ranks)})


@check("meld-sequence-broken")
def sequence_broken(table: Table) -> Iterator[Trouble]:
    """Natural cards of different ranks that are no sequence of one suit."""
    for laid in table.judged:
        meld = laid.meld
        if laid.whole and not _is_group(meld, table.settings) and not is_unbroken_sequence(meld):
            yield Trouble(laid.where, {"ranks": tuple(KINDS[index] for index in meld.ranks)})


@check("meld-red-three")
def red_three(table: Table) -> Iterator[Trouble]:
    """A red three in a meld."""
    for laid in table.judged:
        if laid.meld.red_threes:
            yield Trouble(laid.where, {"threes": laid.meld.red_threes})


@check("meld-kind-not-allowed")
def kind_not_allowed(table: Table) -> Iterator[Trouble]:
    """Black threes that may not be melded like this."""
    settings = table.settings
    for laid in table.judged:
        meld = laid.meld
        if laid.whole and meld.is_of_black_threes and not _may_be_of_black_threes(meld, settings):
            yield Trouble(laid.where, {"threes": meld.black_threes, "wilds": meld.wilds, "cards": meld.size})


def _may_be_of_black_threes(meld: Meld, settings: Settings) -> bool:
    if settings.black_threes is BlackThrees.NEVER or meld.size > settings.black_threes_longest:
        return False
    if settings.black_threes_wilds == "pure" and meld.wilds:
        return False
    # Where two will do, a single one is a meld with too few naturals and no other mistake.
    return meld.black_threes >= settings.black_threes_fewest or settings.black_threes_fewest <= settings.meld_naturals


@check("black-threes-not-out")
def black_threes_not_out(table: Table) -> Iterator[Trouble]:
    """Black threes melded by a side that did not go out."""
    for lay in table.lays:
        if lay.is_out:
            continue
        for laid in (*lay.melds, *lay.opening):
            if laid.meld.black_threes:
                yield Trouble(laid.where, {"threes": laid.meld.black_threes})


@check("meld-rank-repeated")
def rank_repeated(table: Table) -> Iterator[Trouble]:
    """A second meld of a rank by those who lay together, where the sources that speak of it want one."""
    if table.settings.repeated_rank == "usual":
        return
    for party in table.parties:
        seen: set[int] = set()
        for laid in party.melds:
            rank = laid.meld.rank if laid.whole else None
            if rank in seen:
                yield Trouble(laid.where, {"rank": Kind(KINDS[rank])})
            if rank is not None:
                seen.add(rank)
