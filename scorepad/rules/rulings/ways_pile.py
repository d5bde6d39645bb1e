"""Can the pile be taken with this whole hand, and how?

The cards that go down with the top card are tried one by one, and judged like those shown. Where the side has yet to
open, other melds of the hand come beside them, so that most points count.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from scorepad.rules.cards import INDEX, NATURAL_INDICES, TWO, Cards, Reading, gather
from scorepad.rules.melds import read_meld
from scorepad.rules.rulings.answers import Ruling, Verdict, Way
from scorepad.rules.rulings.asked import PileAsked, PileOfHand
from scorepad.rules.rulings.casing import together
from scorepad.rules.rulings.faults import OF_MINIMUMS
from scorepad.rules.rulings.piling import against_use, rule_pile, too_few_naturals
from scorepad.rules.rulings.reading import kind_of
from scorepad.rules.rulings.registry import ruling
from scorepad.rules.rulings.top_card import Use, uses_of
from scorepad.rules.rulings.ways import TOP, Choice, Task, as_of_a_hand, best_way, without
from scorepad.rules.rulings.ways_melds import Draft, cards_of, drafts_of, legal
from scorepad.rules.rulings.ways_weighing import FITS, Opener, cannot_be, choices, one_of_each, openers
from scorepad.rules.variants import Ruleset

_WHATEVER_IS_LAID = frozenset({"pile-before-opening", "pile-top-stops", "pile-top-special"})
"""Reasons that no cards of the hand can take away."""
_SHORT = "opening-below-minimum"
_OF_MELDS_SHOWN = frozenset({"pile-top-unused", "meld-too-short", _SHORT, *OF_MINIMUMS})
"""What is wrong with melds that nobody laid."""


@dataclass(frozen=True, slots=True)
class Holder:
    """Cards of the hand with which the top card may be used, all of its kind but for so many wild ones.

    `use` is how; None for a special top card, which goes with more of its kind.
    """

    cards: Cards
    wilds: int
    use: Use | None


@ruling(PileOfHand)
def pile_of_hand(rules: Ruleset, asked: PileOfHand) -> Ruling:
    """Whether the hand takes the pile, and the plainest way; to open, that in which most points count."""
    wrong = cannot_be(rules, asked.hand, asked.top, *asked.table)
    if wrong:
        return Ruling(Verdict.FORBIDDEN, wrong)
    shown = PileAsked(asked.top, asked.frozen, asked.opened, asked.score, asked.table, (), asked.deal)
    bare = rule_pile(rules, shown)
    decided = tuple(why for why in bare.reasons if why.code in _WHATEVER_IS_LAID)
    if decided or bare.verdict is Verdict.SILENT:
        return replace(bare, reasons=decided or bare.reasons)
    minimum = None if asked.opened else rules.settings.opening_minimum(asked.score, asked.deal)
    holders = _holders(rules, asked, shown)
    if minimum is not None:
        return _opened(rules, asked, shown, tuple(holders), minimum)
    plainest = next(holders, None)
    if plainest is None:
        return _why_none(rules, asked, shown)
    return _judged(rules, shown, _alone(asked, plainest))


# ------------------------------------------------------------------------------------------- beside the top card


def _tries(rules: Ruleset, asked: PileOfHand) -> Iterator[tuple[Cards, int]]:
    """What of the hand may go down with the top card: the plainest first, without wild cards, and few cards."""
    index, held = INDEX[kind_of(asked.top)], asked.hand.cards
    most = min(held.wilds, rules.settings.wild_limit) if index in NATURAL_INDICES else 0
    for wilds in range(most + 1):
        for count in range(1 if wilds else 0, held.counts[index] + 1):
            yield cards_of({index: count}), wilds


def _question(shown: PileAsked, cards: Cards, wilds: int) -> PileAsked:
    """The question as somebody asks it who lays these cards."""
    return replace(shown, laid=_as_shown(shown, gather((cards, cards_of({TWO: wilds})))))


def _as_shown(shown: PileAsked, own: Cards) -> tuple[Reading, ...]:
    """Cards of the hand that go with the top card, as a question shows them.

    The top card stands among them, but where the table has a meld of its rank: there they are the hand's only. Where
    there are none the top card is laid off alone, and nothing is shown.
    """
    if not own.size:
        return ()
    joins = any(lying.cards.ranks == (INDEX[kind_of(shown.top)],) for lying in shown.table)
    return (Reading(own) if joins else together(shown.top, Reading(own)),)


def _holders(rules: Ruleset, asked: PileOfHand, shown: PileAsked) -> Iterator[Holder]:
    """What may go down with the top card, judged as if there were nothing to reach."""
    for cards, wilds in _tries(rules, asked):
        question = _question(shown, cards, wilds)
        if INDEX[kind_of(asked.top)] in NATURAL_INDICES:
            use = next((use for use in uses_of(rules, question) if _takes(rules, question, use)), None)
            if use is not None:
                yield Holder(cards, wilds, use)
        elif rule_pile(rules, question).verdict is Verdict.ALLOWED:
            yield Holder(cards, wilds, None)


def _takes(rules: Ruleset, question: PileAsked, use: Use) -> bool:
    return all(why.code == _SHORT for why in against_use(rules, question, use))


def _draft(asked: PileOfHand, holder: Holder) -> Draft:
    """The top card and those that go down with it."""
    added = gather((holder.cards, cards_of({INDEX[kind_of(asked.top)]: 1})))
    use = holder.use
    on = None if use is None or use.onto is None else asked.table.index(use.onto)
    # What lies on the table before is no part of an opening.
    return Draft(added, holder.wilds, read_meld(gather((added, cards_of({TWO: holder.wilds})))), on)


def _why_none(rules: Ruleset, asked: PileOfHand, shown: PileAsked) -> Ruling:
    """What is said to somebody who lays all there is of the top card's kind, but for what only melds shown lack."""
    kind = kind_of(asked.top)
    held = asked.hand.cards.of(kind)
    answer = rule_pile(rules, _question(shown, cards_of({INDEX[kind]: held}), 0))
    reasons = tuple(why for why in answer.reasons if why.code not in _OF_MELDS_SHOWN)
    if kind.is_natural and not held and all(why.code != "pile-naturals" for why in reasons):
        reasons = (*reasons, too_few_naturals(rules, shown, held))
    return Ruling(Verdict.FORBIDDEN, reasons)


# ------------------------------------------------------------------------------------------- the way


def _alone(asked: PileOfHand, holder: Holder) -> Way:
    """The top card and what goes down with it, twos rather than jokers."""
    held = together(asked.hand, asked.top).cards
    choice = Choice(_draft(asked, holder), 0, ((TOP, 1),))
    way = best_way(Task(held, (choice,), ((TOP, (1, 1)),), wilds=((0, 0), (1, 0)), top=asked.top))
    assert way is not None, "what goes down with the top card is in the hand"
    return way


def _opened(rules: Ruleset, asked: PileOfHand, shown: PileAsked, holders: tuple[Holder, ...], minimum: int) -> Ruling:
    """The opening that counts most, with the top card in one of its melds."""
    hand = legal(rules, drafts_of(rules.settings, asked.hand.cards), going_out=False)
    laid = [_draft(asked, holder) for holder in holders if holder.use and holder.use.number is not None]
    # The top card laid off by itself is no part of an opening.
    off = [_draft(asked, holder) for holder in holders if holder.use and holder.use.number is None]
    with_top = [
        *openers(rules, laid, minimum, concealed=False),
        *(Opener(draft, 0, fits=False) for draft in off),
    ]
    others = openers(rules, hand, minimum, concealed=False)
    made, wilds, aside = choices(rules.settings, (*with_top, *others), minimum)
    held = together(asked.hand, asked.top).cards
    holding = tuple(replace(one, tallies=(*one.tallies, (TOP, 1))) for one in made[: len(with_top)])
    limits = ((TOP, (1, 1)), (FITS, (1, None)), *one_of_each(made))
    task = Task(held, (*holding, *made[len(with_top) :]), limits, wilds, aside, top=asked.top)
    way = best_way(task) or best_way(replace(task, limits=tuple(one for one in limits if one[0] != FITS)))
    return _why_none(rules, asked, shown) if way is None else _judged(rules, shown, way)


def _judged(rules: Ruleset, shown: PileAsked, way: Way) -> Ruling:
    """What the rules say to this way, the meld with the top card first."""
    joining, *others = (Reading(laid.cards) for laid in way.laid)
    own = without(joining.cards, shown.top.cards)
    judged = rule_pile(rules, replace(shown, laid=(*_as_shown(shown, own), *others)))
    found = None if judged.verdict is Verdict.FORBIDDEN else way
    return replace(judged, reasons=as_of_a_hand(judged.reasons), way=found)
