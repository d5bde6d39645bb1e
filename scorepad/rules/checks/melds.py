"""Checks of a meld by itself.

Of a meld with a token that is no card a check tells only what is wrong whatever that token was meant to be.
"""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.rules.cards import KINDS, NATURAL_INDICES, Kind
from scorepad.rules.checks.registry import Figure, Trouble, check
from scorepad.rules.melds import Meld, is_unbroken_sequence, shape_of
from scorepad.rules.settings import Settings
from scorepad.rules.table import Laid, Table
from scorepad.rules.terms import BlackThrees, Sequences, Shape


@check("meld-too-short", by_itself=True)
def too_short(table: Table) -> Iterator[Trouble]:
    """Fewer cards than a meld needs; wild cards alone may need more than others."""
    settings = table.settings
    for laid in table.judged:
        alone = shape_of(laid.meld, settings) is Shape.WILDS
        needed = settings.wild_melds_shortest if alone else settings.meld_shortest
        if laid.whole and laid.meld.size < needed:
            why = "wilds" if needed > settings.meld_shortest else "any"
            yield Trouble(laid.where, {"cards": laid.meld.size, "needed": needed, "why": why})


@check("meld-too-long", by_itself=True)
def too_long(table: Table) -> Iterator[Trouble]:
    """More cards than a meld may have."""
    settings = table.settings
    longest = {
        Shape.GROUP: settings.meld_longest,
        Shape.WILDS: settings.wild_melds_longest,
        Shape.SEQUENCE: len(NATURAL_INDICES),
    }
    for laid in table.judged:
        shape = shape_of(laid.meld, settings)
        # A token that is no card may have been a natural one.
        allowed = longest[Shape.GROUP if shape is Shape.WILDS and not laid.whole else shape]
        if allowed is not None and laid.meld.size > allowed:
            yield Trouble(laid.where, {"cards": laid.meld.size, "allowed": allowed, "why": shape.value})


@check("meld-too-few-naturals", by_itself=True)
def too_few_naturals(table: Table) -> Iterator[Trouble]:
    """Fewer natural cards than a meld needs."""
    needed = table.settings.meld_naturals
    for laid in table.judged:
        if laid.whole and laid.meld.naturals < needed and shape_of(laid.meld, table.settings) is not Shape.WILDS:
            yield Trouble(laid.where, {"naturals": laid.meld.naturals, "needed": needed})


@check("meld-too-many-wilds", by_itself=True)
def too_many_wilds(table: Table) -> Iterator[Trouble]:
    """More wild cards than the limit in force, the ratio to the natural cards included."""
    settings = table.settings
    for laid in table.judged:
        meld = laid.meld
        allowed = _most_wilds(laid, settings)
        if allowed is not None and meld.wilds > allowed:
            why = "sequence" if shape_of(meld, settings) is Shape.SEQUENCE else "some" if allowed else "none"
            told: dict[str, Figure] = {"wilds": meld.wilds, "allowed": allowed, "naturals": meld.naturals, "why": why}
            yield Trouble(laid.where, told)


def _most_wilds(laid: Laid, settings: Settings) -> int | None:
    """The most wild cards that the meld may hold; None where something else decides whether it may hold any."""
    meld, shape = laid.meld, shape_of(laid.meld, settings)
    if shape is Shape.SEQUENCE:
        return settings.wild_limit if settings.sequences is Sequences.DIRTY else None
    # With a token that is no card it may have been meant as a sequence, which holds no wild card at all.
    if shape is Shape.WILDS or (not laid.whole and meld.ranks and settings.sequences is Sequences.PURE):
        return None
    if not laid.whole:
        return settings.wild_limit
    # Of several ranks in one meld none is the meld's own: the widest limit tells what is wrong in any case.
    return max(settings.most_wilds(meld.naturals, rank) for rank in meld.ranks or NATURAL_INDICES)


@check("meld-mixed-ranks", by_itself=True)
def mixed_ranks(table: Table) -> Iterator[Trouble]:
    """Natural cards of different ranks, where all melds are of one rank."""
    for laid in table.judged:
        if len(laid.meld.ranks) > 1:
            yield Trouble(laid.where, {"ranks": tuple(KINDS[index] for index in laid.meld.ranks)})


@check("meld-sequence-broken", by_itself=True)
def sequence_broken(table: Table) -> Iterator[Trouble]:
    """Natural cards of different ranks that are no sequence of one suit."""
    for laid in table.judged:
        meld, settings = laid.meld, table.settings
        is_sequence = shape_of(meld, settings) is Shape.SEQUENCE
        if laid.whole and is_sequence and not is_unbroken_sequence(meld, settings):
            ranks = tuple(KINDS[index] for index in meld.ranks)
            yield Trouble(laid.where, {"ranks": ranks, "why": _why_broken(meld, settings)})


def _why_broken(meld: Meld, settings: Settings) -> str:
    """The first thing that keeps natural cards of different ranks from being a sequence."""
    naturals = [entry for entry in meld.cards.suited if entry[0] in NATURAL_INDICES]
    if meld.black_threes:
        return "black-three"
    if sum(count for _, _, count in naturals) < meld.naturals:
        return "suit-missing"
    if len({suit for _, suit, _ in naturals}) > 1:
        return "suits"
    if any(count > 1 for _, _, count in naturals):
        return "twice"
    return "wild" if meld.wilds and settings.sequences is not Sequences.DIRTY else "gap"


@check("meld-red-three", by_itself=True)
def red_three(table: Table) -> Iterator[Trouble]:
    """A red three in a meld."""
    for laid in table.judged:
        if laid.meld.red_threes:
            yield Trouble(laid.where, {"threes": laid.meld.red_threes})


@check("meld-kind-not-allowed", by_itself=True)
def kind_not_allowed(table: Table) -> Iterator[Trouble]:
    """Black threes that may not be melded like this."""
    settings = table.settings
    for laid in table.judged:
        meld = laid.meld
        told: dict[str, Figure] = {"threes": meld.black_threes, "wilds": meld.wilds, "cards": meld.size}
        if meld.black_threes and settings.black_threes is BlackThrees.NEVER:
            yield Trouble(laid.where, {**told, "why": "never"})
        elif laid.whole and meld.is_of_black_threes:
            yield from (Trouble(laid.where, {**told, **why}) for why in _wrong_with_black_threes(meld, settings))


def _wrong_with_black_threes(meld: Meld, settings: Settings) -> Iterator[dict[str, Figure]]:
    """What keeps black threes from being a meld: the first thing of it."""
    longest, fewest = settings.black_threes_longest, settings.black_threes_fewest
    if longest is not None and meld.size > longest:
        yield {"why": "longest", "allowed": longest}
    elif settings.black_threes_wilds == "pure" and meld.wilds:
        yield {"why": "pure"}
    # Where two will do, a single one is a meld with too few naturals and no other mistake.
    elif meld.black_threes < fewest and fewest > settings.meld_naturals:
        yield {"why": "fewest", "needed": fewest}


@check("black-threes-not-out")
def black_threes_not_out(table: Table) -> Iterator[Trouble]:
    """Black threes melded by a side that did not go out."""
    why = "never" if table.settings.black_threes is BlackThrees.NEVER else "going-out"
    for lay in table.lays:
        if lay.is_out:
            continue
        for laid in (*lay.melds, *lay.opening):
            if laid.meld.black_threes:
                yield Trouble(laid.where, {"threes": laid.meld.black_threes, "why": why})


@check("meld-rank-repeated")
def rank_repeated(table: Table) -> Iterator[Trouble]:
    """A second meld of a rank by those who lay together, where the sources that speak of it want one."""
    for party in table.parties:
        seen: set[int] = set()
        for laid in party.melds:
            rank = laid.meld.rank if laid.whole and _is_one_of_its_rank(laid.meld, table.settings) else None
            if rank in seen:
                why = "incomplete" if table.settings.repeated_rank == "not-incomplete" else "any"
                yield Trouble(laid.where, {"rank": Kind(KINDS[rank]), "why": why})
            if rank is not None:
                seen.add(rank)


def _is_one_of_its_rank(meld: Meld, settings: Settings) -> bool:
    """Whether no second meld like this one is wanted beside it."""
    incomplete = meld.size < settings.canasta_length
    return settings.repeated_rank == "discouraged" or (settings.repeated_rank == "not-incomplete" and incomplete)
