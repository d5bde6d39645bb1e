"""Can a player with this whole hand go out, and how?

All cards but the discard go down, in new melds or on those of the side. What is found is judged like the table at the
end of any going out; where nothing lies yet, the melds are judged as an opening too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scorepad.rules.cards import BLACK_THREE, KINDS, NO_CARDS, RED_THREE, Cards, Kind, Reading, gather
from scorepad.rules.melds import read_meld
from scorepad.rules.rulings.answers import Detail, Reason, Ruling, Verdict, Way
from scorepad.rules.rulings.asked import MeldAsked, OpeningAsked, OutAsked, OutOfHand
from scorepad.rules.rulings.casing import reason
from scorepad.rules.rulings.going_out import against_going_out, rule_out
from scorepad.rules.rulings.melding import rule_meld
from scorepad.rules.rulings.opening import rule_opening
from scorepad.rules.rulings.registry import ruling
from scorepad.rules.rulings.ways import as_of_a_hand, lies_at_the_end, new_melds
from scorepad.rules.rulings.ways_out_search import (
    Leaving,
    discarding,
    may_be_last,
    minimum_of,
    of_wilds,
    one_less,
    rank_after_opening,
    way_out,
)
from scorepad.rules.rulings.ways_weighing import cannot_be
from scorepad.rules.terms import ConcealedOut
from scorepad.rules.variants import Ruleset

REASONS = (
    "hand-cards-stay", "discard-not-in-hand", "concealed-after-opening", "own-canasta-missing", "hand-threes-to-expose",
    "opening-canasta-after", "way-wilds-first",
)  # fmt: skip
"""The reasons of its own that this ruling gives."""

_TO_COME = frozenset({
    "out-canastas-missing", "out-red-threes-missing", "out-wild-meld-incomplete", "out-meld-incomplete",
})  # fmt: skip
"""What may be wrong with a table before the hand is laid on it."""


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
    if rules.settings.wild_meld_naturals == "unspoken" and of_wilds(asked.table):
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
    yield from _to_expose(rules, asked.hand.cards)
    now = against_going_out(rules, _at_the_end(asked, asked.table, asked.discard, noted=asked.discard_noted))
    yield from (why for why in now if why.code not in _TO_COME)
    if not asked.discard.cards.is_among(asked.hand.cards):
        yield reason(rules, "discard-not-in-hand", "last-discard")
    if asked.concealed and asked.table and rules.settings.concealed_out is ConcealedOut.OPENING_TURN:
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


def _at_the_end(asked: OutOfHand, table: tuple[Reading, ...], discard: Reading, *, noted: bool = True) -> OutAsked:
    return OutAsked(table, discard, noted, asked.concealed, asked.red_threes, asked.permission)


def _leaving(rules: Ruleset, asked: OutOfHand) -> Leaving:
    minimum = None if asked.table else minimum_of(rules, asked.score, asked.deal)
    leaving = Leaving(
        asked.hand.cards, asked.table, concealed=asked.concealed, minimum=minimum, red_threes=asked.red_threes
    )
    return discarding(rules, leaving, asked.discard if asked.discard_noted else None)


# ------------------------------------------------------------------------------------------- what is found


def _judged(rules: Ruleset, asked: OutOfHand, way: Way) -> Ruling:
    """What the rules say to this way."""
    out = _at_the_end(asked, lies_at_the_end(way, asked.table), Reading(way.discard or NO_CARDS))
    judged = [rule_out(rules, out)]
    # Where going out asks no minimum, what it lacks says all.
    asks = rules.settings.concealed_out is not ConcealedOut.OWN_MELDS_ONLY or judged[0].verdict is Verdict.ALLOWED
    if not asked.table and asks:
        judged.append(_opened(rules, asked, new_melds(way)))
    against = tuple(why for each in judged if each.verdict is Verdict.FORBIDDEN for why in each.reasons)
    if against:
        return Ruling(Verdict.FORBIDDEN, against)
    details: dict[str, Detail] = {name: value for each in judged for name, value in each.details.items()}
    told = tuple(why for each in judged for why in each.reasons)
    return Ruling(Verdict.ALLOWED, (*told, *_in_order(rules, asked.table, way)), details, way)


def _opened(rules: Ruleset, asked: OutOfHand, melds: tuple[Reading, ...]) -> Ruling:
    """What the rules say to the opening; what may not be complete in it is completed later in the turn."""
    first, told = [], []
    for meld in melds:
        rank = rank_after_opening(rules.settings, read_meld(meld.cards))
        first.append(meld if rank is None else Reading(one_less(meld.cards, rank)))
        if rank is not None:
            told.append(reason(rules, "opening-canasta-after", "opening-natural-group", rank=KINDS[rank]))
    # What is completed after the opening is no going out with the opening alone.
    opening = OpeningAsked(asked.score, tuple(first), concealed_out=not told, deal=asked.deal)
    opened = rule_opening(rules, opening)
    return replace(opened, reasons=(*as_of_a_hand(opened.reasons), *told))


def _in_order(rules: Ruleset, table: tuple[Reading, ...], way: Way) -> Iterator[Reason]:
    """That the wild cards go first on a meld that is a canasta with them: on a complete one they may not come."""
    length = rules.settings.canasta_length
    for laid in way.laid if rules.settings.wild_on_canasta == "forbidden" else ():
        if laid.on is not None and laid.cards.wilds and table[laid.on].cards.size + laid.cards.size > length:
            yield reason(rules, "way-wilds-first", "wild-on-canasta")
            return


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
    return (_staying(rules, asked, leaving),)


def _staying(rules: Ruleset, asked: OutOfHand, leaving: Leaving) -> Reason:
    """The cards that stay in the hand even where as many as can be are laid, and what of them may be discarded."""
    free = leaving if asked.discard_noted else replace(leaving, discards=(), discarded=(0, 0))
    way = way_out(rules, free, needs=False, whole=False)
    gone = gather(() if way is None else (*(laid.cards for laid in way.laid), way.discard or NO_CARDS))
    left = [(kind, held - out) for kind, held, out in zip(KINDS, asked.hand.cards.counts, gone.counts, strict=True)]
    stay = [(kind, count) for kind, count in left if count]
    why = _why_staying(rules, asked, leaving, [kind for kind, _ in stay])
    rests = ("out-empty-handed", *(["last-discard-special"] if why in ("some", "special") else []))
    told = " ".join(f"{count}x{kind}" if count > 1 else str(kind) for kind, count in stay)
    return reason(rules, "hand-cards-stay", *rests, cards=sum(count for _, count in stay), stay=told, why=why)


def _why_staying(rules: Ruleset, asked: OutOfHand, leaving: Leaving, kinds: list[Kind]) -> str:
    """What can be said of a discard out of cards that stay: it is another, there is none, or who of them may be it."""
    if asked.discard.cards.size or leaving.said.size:
        return "said"
    if asked.discard_noted:
        return "without"
    last = [may_be_last(rules, KINDS.index(kind)) for kind in kinds]
    return "one" if all(last) else "some" if any(last) else "special"
