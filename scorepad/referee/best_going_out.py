"""Ruling on all the cards that a player holds: can the player go out, and how?

All cards but the discard are laid, in new melds or on those of the side. What is found is judged like the table at the
end of any going out; where nothing lies yet, the melds are judged as an opening too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from scorepad.referee.answers import Detail, Play, Reason, Ruling, Verdict, ruling
from scorepad.referee.best_play import (
    CANASTAS,
    COUNTED,
    FITS,
    TIDY_HAND,
    Candidate,
    MeldChoice,
    Opener,
    Tallies,
    Task,
    as_of_a_hand,
    best_play,
    canastas,
    canastas_needed,
    candidates_on,
    legal,
    lies_at_the_end,
    new_candidates,
    new_melds,
    one_of_each,
    openers,
    standing,
    wild_worths,
)
from scorepad.referee.case import ASKER, broken, cannot_be, lay_case, reason
from scorepad.referee.going_out import against_going_out, rule_out
from scorepad.referee.meld import against_laying_wilds, rule_meld
from scorepad.referee.opening import rule_opening
from scorepad.referee.questions import BestOutQuestion, MeldQuestion, OpeningQuestion, OutQuestion
from scorepad.rules.bounds import Resource
from scorepad.rules.cards import (
    BLACK_THREE,
    KINDS,
    NO_CARDS,
    NOTHING,
    RED_THREE,
    Cards,
    Kind,
    Reading,
    cards_of,
    gather,
    read_cards,
    without,
)
from scorepad.rules.entries import Out, SideEntry
from scorepad.rules.melds import Meld, canasta_of, incomplete_of, read_meld
from scorepad.rules.settings import ConcealedOut, LastDiscard, Settings
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
) -> Play | None:
    """The way that leaves most points on the table; None where there is none.

    `unspoken`: also with what no source speaks of. Without `needs` only the cards bound it, and not what going out
    asks; not `whole`: as many cards as possible are laid, whatever stays.
    """
    settings, minimum = rules.settings, leaving.minimum if needs else None
    made = tuple(_choices(rules, leaving, minimum, unspoken=unspoken))
    # Any way out will do; of a hand that is not too large, that with most points is shown.
    best = int(whole and leaving.held.size <= TIDY_HAND)
    if not best:
        made = tuple(replace(one, worth=(not whole) * (one.candidate.added.size + one.candidate.wilds)) for one in made)
    worths = wild_worths(settings, minimum or 0, best)
    each = tuple((("on", place), (1, 1)) for place in range(len(leaving.table)))
    limits = (*each, *one_of_each(made), *(_needs(settings, leaving, minimum) if needs else ()))
    aside = wild_worths(settings, minimum or 0, best, counted=False)
    task = Task(leaving.held, made, limits, worths, aside, whole, leaving.discards, leaving.discarded)
    way = best_play(task)
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


def _choices(rules: Ruleset, leaving: Leaving, minimum: int | None, *, unspoken: bool) -> Iterator[MeldChoice]:
    """Every meld that may be laid, or lie, with what it counts as when the hand ends."""
    new = legal(rules, new_candidates(rules.settings, leaving.held), going_out=True)
    if leaving.table:
        new = tuple(candidate for candidate in new if not _only_in_opening(rules.settings, candidate))
    for opener in (*openers(rules, new, minimum, concealed=True), *_completed(rules.settings, new, minimum)):
        yield _choice(rules.settings, opener.candidate, opener.tallies, counts=opener.counts)
    on = legal(rules, _laid_on(rules, leaving, unspoken=unspoken), going_out=True)
    yield from (_choice(rules.settings, candidate) for candidate in on)


def _completed(settings: Settings, candidates: Iterable[Candidate], minimum: int | None) -> Iterator[Opener]:
    """Mixed canastas, where no opening may hold one that is complete: a card of theirs comes after the opening."""
    for candidate in candidates if minimum is not None else ():
        rank = rank_after_opening(settings, candidate.lies)
        if rank is not None:
            yield Opener(candidate, one_less(candidate.added, rank).points(settings.card_points), fits=False)


def rank_after_opening(settings: Settings, meld: Meld) -> int | None:
    """The rank (index) of a complete mixed canasta, where an opening may hold none; None of any other meld."""
    completes = meld.wilds > 0 and canasta_of(meld, settings) is not None
    return meld.rank if completes and settings.opening_natural_group == "needed" else None


def one_less(cards: Cards, kind: int) -> Cards:
    """Cards without one of a kind (index); their suits do not matter."""
    return Cards(tuple(count - (index == kind) for index, count in enumerate(cards.counts)))


def _choice(settings: Settings, candidate: Candidate, tallies: Tallies = (), *, counts: bool = True) -> MeldChoice:
    canasta, unfinished = canasta_of(candidate.lies, settings), incomplete_of(candidate.lies, settings)
    told = [*tallies, *standing(settings, candidate.lies), *canastas(settings, candidate.lies)]
    if canasta and candidate.on is None:
        told.append((_OWN, 1))
    if candidate.on is not None:
        told.append((("on", candidate.on), 1))
    if unfinished and unfinished.bars_out:
        told.append((BARRED, 1))
    worth = (canasta.points if canasta else 0) + candidate.added.points(settings.card_points)
    return MeldChoice(candidate, worth, tuple(told), counts)


def _only_in_opening(settings: Settings, candidate: Candidate) -> bool:
    """Whether a meld holds wild cards that only an opening may hold."""
    rank = candidate.lies.rank
    return candidate.lies.wilds > 0 and rank is not None and KINDS[rank] in settings.natural_after_opening


def _laid_on(rules: Ruleset, leaving: Leaving, *, unspoken: bool) -> Iterator[Candidate]:
    """What may be laid on the melds of the side: nothing by a player who goes out concealed."""
    table, settings = leaving.table, rules.settings
    held = NO_CARDS if leaving.concealed else leaving.held
    melds = [read_meld(lying.cards) for lying in table]
    becoming = unspoken or settings.wild_meld_naturals == "allowed"
    wild = of_wilds(table)
    for candidate in candidates_on(settings, held, [lying.cards for lying in table]):
        assert candidate.on is not None
        if not becoming and candidate.on in wild and candidate.added.naturals:
            continue
        if not any(against_laying_wilds(rules, melds[candidate.on], candidate.wilds + candidate.added.wilds)):
            yield candidate


def of_wilds(table: tuple[Reading, ...]) -> frozenset[int]:
    """The places of melds of wild cards alone."""
    return frozenset(place for place, lying in enumerate(table) if lying.cards.wilds == lying.cards.size)


_TO_COME = frozenset({
    "out-canastas-missing", "out-red-threes-missing", "out-wild-meld-incomplete", "out-meld-incomplete",
})  # fmt: skip
"""What may be wrong with a table before the hand is laid on it."""


@ruling(BestOutQuestion)
def out_of_hand(rules: Ruleset, question: BestOutQuestion) -> Ruling:
    """Whether the player can go out, and a way to do it."""
    # Who goes out with nothing of the side on the table opens in that turn, said or not.
    question = replace(question, concealed=question.concealed or not question.table)
    wrong = tuple(_wrong(rules, question))
    if wrong:
        return Ruling(Verdict.FORBIDDEN, wrong)
    leaving = _leaving(rules, question)
    way = way_out(rules, leaving)
    if way is not None:
        return _judged(rules, question, way)
    if rules.settings.wild_meld_naturals == "unspoken" and of_wilds(question.table):
        way = way_out(rules, leaving, unspoken=True)
        if way is not None:
            return replace(
                _judged(rules, question, way), verdict=Verdict.SILENT, reasons=_unspoken(rules, question, way)
            )
    return Ruling(Verdict.FORBIDDEN, _why_none(rules, question, leaving))


def _wrong(rules: Ruleset, question: BestOutQuestion) -> Iterator[Reason]:
    """What keeps the player from going out whatever is laid."""
    wrong = cannot_be(rules, question.hand, *question.table)
    yield from wrong
    if wrong:
        return
    yield from _to_expose(rules, question.hand.cards)
    now = against_going_out(
        rules, _at_the_end(question, question.table, question.discard, noted=question.discard_noted)
    )
    yield from (why for why in now if why.code not in _TO_COME)
    if not question.discard.cards.is_among(question.hand.cards):
        yield reason(rules, "discard-not-in-hand", "last-discard")
    if question.concealed and question.table and rules.settings.concealed_out is ConcealedOut.OPENING_TURN:
        yield reason(rules, "concealed-after-opening", "concealed-out")


def _to_expose(rules: Ruleset, hand: Cards) -> Iterator[Reason]:
    """That threes are in the hand which belong on the table: what is drawn for them belongs to the question."""
    exposed = {
        "red-threes-kept": hand.counts[RED_THREE] * (rules.settings.red_threes_kept == "exposed"),
        "black-threes-exposed": hand.counts[BLACK_THREE] * bool(rules.settings.black_threes_exposed),
    }
    rests = [setting for setting, count in exposed.items() if count]
    if rests:
        yield reason(rules, "hand-threes-to-expose", *rests, threes=sum(exposed.values()))


def _at_the_end(
    question: BestOutQuestion, table: tuple[Reading, ...], discard: Reading, *, noted: bool = True
) -> OutQuestion:
    return OutQuestion(table, discard, noted, question.concealed, question.red_threes, question.permission)


def _leaving(rules: Ruleset, question: BestOutQuestion) -> Leaving:
    minimum = None if question.table else minimum_of(rules, question.score, question.deal)
    leaving = Leaving(
        question.hand.cards,
        question.table,
        concealed=question.concealed,
        minimum=minimum,
        red_threes=question.red_threes,
    )
    return discarding(rules, leaving, question.discard if question.discard_noted else None)


# ------------------------------------------------------------------------------------------- what is found


def _judged(rules: Ruleset, question: BestOutQuestion, way: Play) -> Ruling:
    """What the rules say to this way."""
    out = _at_the_end(question, lies_at_the_end(way, question.table), Reading(way.discard or NO_CARDS))
    judged = [rule_out(rules, out)]
    # Where going out asks no minimum, what it lacks says all.
    asks = rules.settings.concealed_out is not ConcealedOut.OWN_MELDS_ONLY or judged[0].verdict is Verdict.ALLOWED
    if not question.table and asks:
        judged.append(_opened(rules, question, new_melds(way)))
    against = tuple(why for each in judged if each.verdict is Verdict.FORBIDDEN for why in each.reasons)
    if against:
        return Ruling(Verdict.FORBIDDEN, against)
    details: dict[str, Detail] = {name: value for each in judged for name, value in each.details.items()}
    told = tuple(why for each in judged for why in each.reasons)
    return Ruling(Verdict.ALLOWED, (*told, *_in_order(rules, question.table, way)), details, way)


def _opened(rules: Ruleset, question: BestOutQuestion, melds: tuple[Reading, ...]) -> Ruling:
    """What the rules say to the opening; what may not be complete in it is completed later in the turn."""
    first, told = [], []
    for meld in melds:
        rank = rank_after_opening(rules.settings, read_meld(meld.cards))
        first.append(meld if rank is None else Reading(one_less(meld.cards, rank)))
        if rank is not None:
            told.append(reason(rules, "opening-canasta-after", "opening-natural-group", rank=KINDS[rank]))
    # What is completed after the opening is no going out with the opening alone.
    opening = OpeningQuestion(question.score, tuple(first), concealed_out=not told, deal=question.deal)
    opened = rule_opening(rules, opening)
    return replace(opened, reasons=(*as_of_a_hand(opened.reasons), *told))


def _in_order(rules: Ruleset, table: tuple[Reading, ...], way: Play) -> Iterator[Reason]:
    """That the wild cards go first on a meld that is a canasta with them: on a complete one they may not come."""
    length = rules.settings.canasta_length
    for laid in way.laid if rules.settings.wild_on_canasta == "forbidden" else ():
        if laid.on is not None and laid.cards.wilds and table[laid.on].cards.size + laid.cards.size > length:
            yield reason(rules, "way-wilds-first", "wild-on-canasta")
            return


def _unspoken(rules: Ruleset, question: BestOutQuestion, way: Play) -> tuple[Reason, ...]:
    """Why nobody says whether this way is one: what the referee says to the first meld that is laid on so."""
    laid = [
        MeldQuestion(Reading(laid.cards), question.table[laid.on], True) for laid in way.laid if laid.on is not None
    ]
    answers = [rule_meld(rules, question) for question in laid]
    return next(answer.reasons for answer in answers if answer.verdict is Verdict.SILENT)


def _why_none(rules: Ruleset, question: BestOutQuestion, leaving: Leaving) -> tuple[Reason, ...]:
    """Why there is no way: what is missing where all the cards can go, or how many cannot."""
    most = leaving.discarded[1]
    way = way_out(rules, replace(leaving, discarded=(0, most)), needs=False)
    if way is not None:
        judged = _judged(rules, question, way)
        return (
            judged.reasons
            if judged.verdict is Verdict.FORBIDDEN
            else (reason(rules, "own-canasta-missing", "concealed-out"),)
        )
    return (_staying(rules, question, leaving),)


def _staying(rules: Ruleset, question: BestOutQuestion, leaving: Leaving) -> Reason:
    """The cards that stay in the hand even where as many as can be are laid, and what of them may be discarded."""
    free = leaving if question.discard_noted else replace(leaving, discards=(), discarded=(0, 0))
    way = way_out(rules, free, needs=False, whole=False)
    gone = gather(() if way is None else (*(laid.cards for laid in way.laid), way.discard or NO_CARDS))
    left = [(kind, held - out) for kind, held, out in zip(KINDS, question.hand.cards.counts, gone.counts, strict=True)]
    stay = [(kind, count) for kind, count in left if count]
    why = _why_staying(rules, question, leaving, [kind for kind, _ in stay])
    rests = ("out-empty-handed", *(["last-discard-special"] if why in ("some", "special") else []))
    told = " ".join(f"{count}x{kind}" if count > 1 else str(kind) for kind, count in stay)
    return reason(rules, "hand-cards-stay", *rests, cards=sum(count for _, count in stay), stay=told, why=why)


def _why_staying(rules: Ruleset, question: BestOutQuestion, leaving: Leaving, kinds: list[Kind]) -> str:
    """What can be said of a discard out of cards that stay: it is another, there is none, or who of them may be it."""
    if question.discard.cards.size or leaving.said.size:
        return "said"
    if question.discard_noted:
        return "without"
    last = [may_be_last(rules, KINDS.index(kind)) for kind in kinds]
    return "one" if all(last) else "some" if any(last) else "special"
