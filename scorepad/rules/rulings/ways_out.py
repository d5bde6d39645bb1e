"""Can a player with this whole hand go out, and how?

All cards but the discard go down, in new melds or on those of the side. What is found is judged like the table at the
end of any going out; where nothing lies yet, the melds are judged as an opening too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from scorepad.rules.cards import KINDS, NO_CARDS, NOTHING, TWO, Cards, Reading, gather, read_cards
from scorepad.rules.entries import Out, SideEntry
from scorepad.rules.melds import canasta_of, incomplete_of
from scorepad.rules.programs import Resource
from scorepad.rules.rulings.answers import Detail, Reason, Ruling, Verdict, Way
from scorepad.rules.rulings.asked import MeldAsked, OpeningAsked, OutAsked, OutOfHand
from scorepad.rules.rulings.casing import ASKER, broken, lay_case, reason
from scorepad.rules.rulings.going_out import rule_out
from scorepad.rules.rulings.melding import rule_meld
from scorepad.rules.rulings.opening import rule_opening
from scorepad.rules.rulings.registry import ruling
from scorepad.rules.rulings.ways import (
    COUNTED,
    TIDY_HAND,
    Choice,
    Task,
    as_of_a_hand,
    best_way,
    lies_at_the_end,
    new_melds,
    without,
)
from scorepad.rules.rulings.ways_melds import Draft, drafts_of, drafts_on, legal
from scorepad.rules.rulings.ways_weighing import (
    CANASTAS,
    FITS,
    Tallies,
    canastas,
    canastas_needed,
    cannot_be,
    one_of_each,
    openers,
    standing,
    wild_worths,
)
from scorepad.rules.settings import Settings
from scorepad.rules.terms import ConcealedOut, LastDiscard
from scorepad.rules.variants import Ruleset

REASONS = ("hand-cards-stay", "discard-not-in-hand", "concealed-after-opening", "own-canasta-missing")
"""The reasons of its own that this ruling gives."""

_TO_COME = frozenset({
    "out-canastas-missing", "out-red-threes-missing", "out-wild-meld-incomplete", "out-meld-incomplete",
})  # fmt: skip
"""What may be wrong with a table before the hand is laid on it."""
_NO_WILDS = frozenset({"wild-on-canasta", "natural-after-opening"})
"""Why a meld takes no wild card."""

_BARRED: Resource = ("barred",)
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


@ruling(OutOfHand)
def out_of_hand(rules: Ruleset, asked: OutOfHand) -> Ruling:
    """Whether the player can go out, and a way to do it."""
    # Who goes out with nothing of the side on the table opens in that turn, said or not.
    asked = replace(asked, concealed=asked.concealed or not asked.table)
    wrong = tuple(_wrong(rules, asked))
    if wrong:
        return Ruling(Verdict.FORBIDDEN, wrong)
    leaving = _leaving(rules, asked)
    way = way_out(rules, leaving)
    if way is not None:
        return _judged(rules, asked, way)
    if rules.settings.wild_meld_naturals == "unspoken" and _of_wilds(asked.table):
        way = way_out(rules, leaving, unspoken=True)
        if way is not None:
            return replace(_judged(rules, asked, way), verdict=Verdict.SILENT, reasons=_unspoken(rules, asked, way))
    return Ruling(Verdict.FORBIDDEN, _why_none(rules, asked, leaving))


def _wrong(rules: Ruleset, asked: OutOfHand) -> Iterator[Reason]:
    """What keeps the player from going out whatever is laid."""
    wrong = cannot_be(rules, asked.hand, *asked.table)
    yield from wrong
    if wrong:
        return
    now = rule_out(rules, _at_the_end(asked, asked.table, asked.discard, noted=asked.discard_noted))
    yield from (why for why in now.reasons if now.verdict is Verdict.FORBIDDEN and why.code not in _TO_COME)
    if not asked.discard.cards.is_among(asked.hand.cards):
        yield reason(rules, "discard-not-in-hand", "last-discard")
    if asked.concealed and asked.table and rules.settings.concealed_out is ConcealedOut.OPENING_TURN:
        yield reason(rules, "concealed-after-opening", "concealed-out")


def _at_the_end(asked: OutOfHand, table: tuple[Reading, ...], discard: Reading, *, noted: bool = True) -> OutAsked:
    return OutAsked(table, discard, noted, asked.concealed, asked.red_threes, asked.permission)


def _leaving(rules: Ruleset, asked: OutOfHand) -> Leaving:
    minimum = None if asked.table else minimum_of(rules, asked.score, asked.deal)
    leaving = Leaving(
        asked.hand.cards, asked.table, concealed=asked.concealed, minimum=minimum, red_threes=asked.red_threes
    )
    return discarding(rules, leaving, asked.discard if asked.discard_noted else None)


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
    kinds = tuple(index for index, count in enumerate(leaving.held.counts) if count)
    if noted is not None and noted.cards.suited:
        return replace(leaving, held=without(leaving.held, noted.cards), said=noted.cards, discarded=(0, 0))
    if noted is not None:
        return replace(leaving, discards=tuple(index for index in kinds if noted.cards.counts[index]), discarded=(1, 1))
    return replace(leaving, discards=tuple(k for k in kinds if _may_be_last(rules, k)), discarded=(must, 1))


def _may_be_last(rules: Ruleset, kind: int) -> bool:
    out = Out(ASKER, discard=read_cards(KINDS[kind].value))
    return not broken(lay_case(rules, SideEntry(), out=out), {"out-discard-special"})


# ------------------------------------------------------------------------------------------- what is found


def _judged(rules: Ruleset, asked: OutOfHand, way: Way) -> Ruling:
    """What the rules say to this way."""
    out = _at_the_end(asked, lies_at_the_end(way, asked.table), Reading(way.discard or NO_CARDS))
    judged = [rule_out(rules, out)]
    if not asked.table:
        melds = new_melds(way)
        opened = rule_opening(rules, OpeningAsked(asked.score, melds, concealed_out=True, deal=asked.deal))
        judged.append(replace(opened, reasons=as_of_a_hand(opened.reasons)))
    against = tuple(why for each in judged if each.verdict is Verdict.FORBIDDEN for why in each.reasons)
    if against:
        return Ruling(Verdict.FORBIDDEN, against)
    details: dict[str, Detail] = {name: value for each in judged for name, value in each.details.items()}
    return Ruling(Verdict.ALLOWED, tuple(why for each in judged for why in each.reasons), details, way)


def _unspoken(rules: Ruleset, asked: OutOfHand, way: Way) -> tuple[Reason, ...]:
    """Why nobody says whether this way is one: what the referee says to the first meld that is laid on so."""
    laid = [MeldAsked(Reading(laid.cards), asked.table[laid.on], True) for laid in way.laid if laid.on is not None]
    answers = [rule_meld(rules, question) for question in laid]
    return next(answer.reasons for answer in answers if answer.verdict is Verdict.SILENT)


def _why_none(rules: Ruleset, asked: OutOfHand, leaving: Leaving) -> tuple[Reason, ...]:
    """Why there is no way: what is missing where all the cards can go, or how many cannot."""
    most = leaving.discarded[1]
    way = way_out(rules, replace(leaving, discarded=(0, most)), needs=False)
    if way is not None:
        judged = _judged(rules, asked, way)
        return (
            judged.reasons
            if judged.verdict is Verdict.FORBIDDEN
            else (reason(rules, "own-canasta-missing", "concealed-out"),)
        )
    way = way_out(rules, leaving, needs=False, whole=False)
    laid = 0 if way is None else sum(laid.cards.size for laid in way.laid)
    return (reason(rules, "hand-cards-stay", "out-empty-handed", cards=asked.hand.cards.size - laid),)


# ------------------------------------------------------------------------------------------- the search


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
    discards = leaving.discards if whole else ()
    discarded = leaving.discarded if whole else (0, 0)
    aside = wild_worths(settings, minimum or 0, best, counted=False)
    task = Task(leaving.held, made, limits, worths, aside, whole, discards, discarded)
    way = best_way(task)
    return way if way is None else replace(way, discard=gather((way.discard or NO_CARDS, leaving.said)))


def _needs(
    settings: Settings, leaving: Leaving, minimum: int | None
) -> Iterator[tuple[Resource, tuple[int, int | None]]]:
    """What going out asks of all the melds together."""
    yield from canastas_needed(settings)
    yield _BARRED, (0, 0)
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
    for opener in openers(rules, new, minimum, concealed=True):
        yield _choice(rules.settings, opener.draft, opener.tallies, counts=opener.counts)
    on = legal(rules, _laid_on(rules, leaving, unspoken=unspoken), going_out=True)
    yield from (_choice(rules.settings, draft) for draft in on)


def _choice(settings: Settings, draft: Draft, tallies: Tallies = (), *, counts: bool = True) -> Choice:
    canasta, unfinished = canasta_of(draft.lies, settings), incomplete_of(draft.lies, settings)
    told = [*tallies, *standing(settings, draft.lies), *canastas(settings, draft.lies)]
    if canasta and draft.on is None:
        told.append((_OWN, 1))
    if draft.on is not None:
        told.append((("on", draft.on), 1))
    if unfinished and unfinished.bars_out:
        told.append((_BARRED, 1))
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
    closed = {number for number, lying in enumerate(table) if not _takes_wilds(rules, lying)}
    becoming = unspoken or settings.wild_meld_naturals == "allowed"
    wild = _of_wilds(table)
    for draft in drafts_on(settings, held, [lying.cards for lying in table]):
        wilds = draft.wilds + draft.added.wilds
        if not (wilds and draft.on in closed) and (becoming or draft.on not in wild or not draft.added.naturals):
            yield draft


def _of_wilds(table: tuple[Reading, ...]) -> frozenset[int]:
    """The places of melds of wild cards alone."""
    return frozenset(place for place, lying in enumerate(table) if lying.cards.wilds == lying.cards.size)


def _takes_wilds(rules: Ruleset, lying: Reading) -> bool:
    """Whether a wild card may be laid on a meld, whatever else forbids it."""
    answer = rule_meld(rules, MeldAsked(read_cards(KINDS[TWO].value), lying, going_out=True))
    return not any(why.code in _NO_WILDS for why in answer.reasons)
