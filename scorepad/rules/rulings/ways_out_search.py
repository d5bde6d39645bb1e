"""The search for a way to go out with a whole hand: what may be laid and discarded, and which of all ways is best."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from scorepad.rules.cards import BLACK_THREE, KINDS, NO_CARDS, NOTHING, RED_THREE, Cards, Reading, gather, read_cards
from scorepad.rules.entries import Out, SideEntry
from scorepad.rules.melds import Meld, canasta_of, incomplete_of, read_meld
from scorepad.rules.programs import Resource
from scorepad.rules.rulings.answers import Way
from scorepad.rules.rulings.casing import ASKER, broken, lay_case
from scorepad.rules.rulings.melding import against_laying_wilds
from scorepad.rules.rulings.ways import COUNTED, TIDY_HAND, Choice, Task, best_way, without
from scorepad.rules.rulings.ways_melds import Draft, cards_of, drafts_of, drafts_on, legal
from scorepad.rules.rulings.ways_weighing import (
    CANASTAS,
    FITS,
    Opener,
    Tallies,
    canastas,
    canastas_needed,
    one_of_each,
    openers,
    standing,
    wild_worths,
)
from scorepad.rules.settings import Settings
from scorepad.rules.terms import ConcealedOut, LastDiscard
from scorepad.rules.variants import Ruleset

BARRED: Resource = ("barred",)
"""The tally of melds that bar the way out."""
_OWN: Resource = ("own-canastas",)


@dataclass(frozen=True, slots=True)
class Leaving:
    """What going out asks: the cards that must go, beside which melds, with which last discard.

    `discards` are the kinds that may be it, at least and at most so many as `discarded` says; `said` is a card of the
    hand laid aside for it from the first. `minimum` is that of an opening in the same turn, None where there is none.
    `red_threes` are those exposed.
    """

    held: Cards
    table: tuple[Reading, ...] = ()
    discards: tuple[int, ...] = ()
    discarded: tuple[int, int] = (0, 1)
    said: Cards = NO_CARDS
    concealed: bool = True
    minimum: int | None = None
    red_threes: int = 0


def minimum_of(rules: Ruleset, score: int, deal: int) -> int | None:
    """The minimum of an opening in the turn of going out; None where there is none."""
    if rules.settings.concealed_out is ConcealedOut.OWN_MELDS_ONLY:
        return None
    return rules.settings.opening_minimum(score, deal)


def discarding(rules: Ruleset, leaving: Leaving, noted: Reading | None) -> Leaving:
    """With the discards that may be made: that which was said, or any that the rules allow."""
    must = int(rules.settings.last_discard is LastDiscard.OBLIGATORY)
    if noted == NOTHING:
        return replace(leaving, discarded=(must, 0))
    at_once = next(_at_once(rules.settings, leaving.held, noted), None)
    if at_once is not None:
        return _laid_aside(leaving, at_once, rules.settings.threes_together)
    kinds = tuple(index for index, count in enumerate(leaving.held.counts) if count)
    if noted is not None and noted.cards.suited:
        return replace(leaving, held=without(leaving.held, noted.cards), said=noted.cards, discarded=(0, 0))
    if noted is not None:
        return replace(leaving, discards=tuple(index for index in kinds if noted.cards.counts[index]), discarded=(1, 1))
    return replace(leaving, discards=tuple(k for k in kinds if may_be_last(rules, k)), discarded=(must, 1))


def _at_once(settings: Settings, held: Cards, noted: Reading | None) -> Iterator[int]:
    """The threes that are discarded all together: those that were said, or that nothing else can become of."""
    for kind in (BLACK_THREE, RED_THREE) if settings.threes_together else ():
        count = held.counts[kind] if noted is None else noted.cards.counts[kind]
        if count == settings.threes_together:
            yield kind


def _laid_aside(leaving: Leaving, kind: int, number: int) -> Leaving:
    """With so many cards of a kind as the discard; what suits they are of does not matter."""
    held = leaving.held
    left = tuple(count - number * (index == kind) for index, count in enumerate(held.counts))
    suited = tuple(entry for entry in held.suited if entry[0] != kind)
    return replace(leaving, held=Cards(left, suited), said=cards_of({kind: number}), discards=(), discarded=(0, 0))


def may_be_last(rules: Ruleset, kind: int) -> bool:
    """Whether a card of this kind (index) may be the last discard."""
    out = Out(ASKER, discard=read_cards(KINDS[kind].value))
    return not broken(lay_case(rules, SideEntry(), out=out), {"out-discard-special"})


def way_out(
    rules: Ruleset, leaving: Leaving, *, unspoken: bool = False, needs: bool = True, whole: bool = True
) -> Way | None:
    """The way that leaves most points on the table; None where there is none.

    `unspoken`: also with what no source speaks of. Without `needs` only the cards bound it, and not what going out
    asks; not `whole`: as many cards as possible are laid, whatever stays.
    """
    settings, minimum = rules.settings, leaving.minimum if needs else None
    made = tuple(_choices(rules, leaving, minimum, unspoken=unspoken))
    # Any way out will do; of a hand that is not too large, that with most points is shown.
    best = int(whole and leaving.held.size <= TIDY_HAND)
    if not best:
        made = tuple(replace(one, worth=(not whole) * (one.draft.added.size + one.draft.wilds)) for one in made)
    worths = wild_worths(settings, minimum or 0, best)
    each = tuple((("on", place), (1, 1)) for place in range(len(leaving.table)))
    limits = (*each, *one_of_each(made), *(_needs(settings, leaving, minimum) if needs else ()))
    aside = wild_worths(settings, minimum or 0, best, counted=False)
    task = Task(leaving.held, made, limits, worths, aside, whole, leaving.discards, leaving.discarded)
    way = best_way(task)
    return way if way is None else replace(way, discard=gather((way.discard or NO_CARDS, leaving.said)))


def _needs(
    settings: Settings, leaving: Leaving, minimum: int | None
) -> Iterator[tuple[Resource, tuple[int, int | None]]]:
    """What going out asks of all the melds together."""
    yield from canastas_needed(settings)
    yield BARRED, (0, 0)
    if settings.out_red_threes == "one-for-each-canasta":
        yield CANASTAS, (settings.canastas_needed, leaving.red_threes)
    if leaving.concealed:
        yield _OWN, (1, None)
    if minimum is not None:
        yield FITS, (1, None)
        yield COUNTED, (minimum, None)


def _choices(rules: Ruleset, leaving: Leaving, minimum: int | None, *, unspoken: bool) -> Iterator[Choice]:
    """Every meld that may be laid, or lie, with what it counts as when the hand ends."""
    new = legal(rules, drafts_of(rules.settings, leaving.held), going_out=True)
    if leaving.table:
        new = tuple(draft for draft in new if not _only_in_opening(rules.settings, draft))
    for opener in (*openers(rules, new, minimum, concealed=True), *_completed(rules.settings, new, minimum)):
        yield _choice(rules.settings, opener.draft, opener.tallies, counts=opener.counts)
    on = legal(rules, _laid_on(rules, leaving, unspoken=unspoken), going_out=True)
    yield from (_choice(rules.settings, draft) for draft in on)


def _completed(settings: Settings, drafts: Iterable[Draft], minimum: int | None) -> Iterator[Opener]:
    """Mixed canastas, where no opening may hold one that is complete: a card of theirs comes after the opening."""
    for draft in drafts if minimum is not None else ():
        rank = rank_after_opening(settings, draft.lies)
        if rank is not None:
            yield Opener(draft, one_less(draft.added, rank).points(settings.card_points), fits=False)


def rank_after_opening(settings: Settings, meld: Meld) -> int | None:
    """The rank (index) of a complete mixed canasta, where an opening may hold none; None of any other meld."""
    completes = meld.wilds > 0 and canasta_of(meld, settings) is not None
    return meld.rank if completes and settings.opening_natural_group == "needed" else None


def one_less(cards: Cards, kind: int) -> Cards:
    """Cards without one of a kind (index); their suits do not matter."""
    return Cards(tuple(count - (index == kind) for index, count in enumerate(cards.counts)))


def _choice(settings: Settings, draft: Draft, tallies: Tallies = (), *, counts: bool = True) -> Choice:
    canasta, unfinished = canasta_of(draft.lies, settings), incomplete_of(draft.lies, settings)
    told = [*tallies, *standing(settings, draft.lies), *canastas(settings, draft.lies)]
    if canasta and draft.on is None:
        told.append((_OWN, 1))
    if draft.on is not None:
        told.append((("on", draft.on), 1))
    if unfinished and unfinished.bars_out:
        told.append((BARRED, 1))
    worth = (canasta.points if canasta else 0) + draft.added.points(settings.card_points)
    return Choice(draft, worth, tuple(told), counts)


def _only_in_opening(settings: Settings, draft: Draft) -> bool:
    """Whether a meld holds wild cards that only an opening may hold."""
    rank = draft.lies.rank
    return draft.lies.wilds > 0 and rank is not None and KINDS[rank] in settings.natural_after_opening


def _laid_on(rules: Ruleset, leaving: Leaving, *, unspoken: bool) -> Iterator[Draft]:
    """What may be laid on the melds of the side: nothing by a player who goes out concealed."""
    table, settings = leaving.table, rules.settings
    held = NO_CARDS if leaving.concealed else leaving.held
    melds = [read_meld(lying.cards) for lying in table]
    becoming = unspoken or settings.wild_meld_naturals == "allowed"
    wild = of_wilds(table)
    for draft in drafts_on(settings, held, [lying.cards for lying in table]):
        assert draft.on is not None
        if not becoming and draft.on in wild and draft.added.naturals:
            continue
        if not any(against_laying_wilds(rules, melds[draft.on], draft.wilds + draft.added.wilds)):
            yield draft


def of_wilds(table: tuple[Reading, ...]) -> frozenset[int]:
    """The places of melds of wild cards alone."""
    return frozenset(place for place, lying in enumerate(table) if lying.cards.wilds == lying.cards.size)
