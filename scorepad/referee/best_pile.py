"""Rulings on whether a player's whole hand can take the pile, and how.

The melds that the top card can make with cards of the hand are tried one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scorepad.referee.best_play import (
    MAY_HOLD_TOP_CARD,
    MAY_OPEN,
    Candidate,
    LayingTask,
    Limits,
    WildPoints,
    find_best_play,
    new_melds,
    opening_candidate,
    opening_task,
    tallies_of,
)
from scorepad.referee.pile import (
    TopCardUse,
    against_use,
    rule_pile,
    too_few_naturals,
    uses_of_top_card,
)
from scorepad.referee.questions import PileQuestion
from scorepad.referee.reasons import FAULTS_OF_MINIMUMS
from scorepad.referee.ruling import Play, Reason, Ruling, Verdict, forbidden
from scorepad.referee.situation import impossible_cards, kind_of
from scorepad.referee.whole_hand import BELOW_MINIMUM, worded_for_hand
from scorepad.rules.cards import (
    INDEX,
    NOTHING,
    TWO,
    Cards,
    Kind,
    Reading,
    build_cards,
    gather,
    gather_readings,
    subtract_cards,
)
from scorepad.rules.definitions import Ruleset
from scorepad.rules.table import read_meld

_AGAINST_ANY_CARDS = frozenset({"pile-before-opening", "pile-top-stops", "pile-top-special"})
"""Reasons that do not depend on the cards of the hand."""
_AGAINST_MELDS_SHOWN = frozenset(
    {"pile-top-unused", "meld-too-short", BELOW_MINIMUM, *FAULTS_OF_MINIMUMS}
)
"""Reasons that apply only to melds shown by the player."""


def rule_best_way_to_take(rules: Ruleset, question: PileQuestion) -> Ruling:
    """Whether the hand takes the pile, and the simplest way; when opening, the way with the most
    points that count.
    """
    hand = question.hand or NOTHING
    wrong = impossible_cards(rules, hand, question.top, *question.table)
    if wrong:
        return forbidden(wrong)
    without_melds = rule_pile(rules, question)
    if without_melds.verdict is Verdict.SILENT:
        return without_melds
    decisive = tuple(each for each in without_melds.reasons if each.code in _AGAINST_ANY_CARDS)
    if decisive:
        return replace(without_melds, reasons=decisive)

    play = _best_way(rules, question, hand.cards)
    if play is None:
        return _why_pile_not_taken(rules, question, hand.cards)
    ruling = rule_pile(rules, replace(question, laid=_melds_to_show(question, play)))
    if ruling.verdict is Verdict.FORBIDDEN:
        return worded_for_hand(ruling, None)
    return worded_for_hand(ruling, Play(play.laid))


def _best_way(rules: Ruleset, question: PileQuestion, hand: Cards) -> Play | None:
    """The play of this hand that takes the pile best; None if there is none.

    A side that has not opened yet must reach its opening minimum with it.
    """
    minimum = None
    if not question.opened:
        minimum = rules.settings.opening_minimum(question.score, question.deal)
    if minimum is None:
        return _simplest_way(rules, question, hand)
    return _best_opening_with_pile(rules, question, hand, minimum)


def _simplest_way(rules: Ruleset, question: PileQuestion, hand: Cards) -> Play | None:
    """The play that takes the pile with the fewest cards, without regard to an opening minimum."""
    simplest = next(_melds_of_top_card(rules, hand, question), None)  # the others are not tried
    if simplest is None:
        return None
    task = LayingTask(
        held=gather((hand, question.top.cards)),
        candidates=(simplest,),
        limits={MAY_HOLD_TOP_CARD: (1, 1)},
        wilds=WildPoints(joker=0, two=1),  # twos are laid before jokers
        top=question.top,
    )
    return find_best_play(task)


def _best_opening_with_pile(
    rules: Ruleset, question: PileQuestion, hand: Cards, minimum: int
) -> Play | None:
    """The play that takes the pile and lays the most points toward the opening minimum; None if the
    hand cannot take the pile.
    """
    task = _task_of_opening_with_pile(rules, question, hand, minimum)
    # A play that opens is better than any that does not reach the minimum.
    opens: Limits = {MAY_OPEN: (1, None)}
    play_that_opens = find_best_play(task._replace(limits=opens | task.limits))
    if play_that_opens is not None:
        return play_that_opens
    return find_best_play(task)


def _task_of_opening_with_pile(
    rules: Ruleset, question: PileQuestion, hand: Cards, minimum: int
) -> LayingTask:
    """The task of laying one meld with the pile's top card, and others of cards of the hand."""
    in_opening: list[Candidate] = []
    top_card_alone: list[Candidate] = []
    is_natural = kind_of(question.top).is_natural
    melds_of_top = _melds_of_natural_top_card(rules, hand, question) if is_natural else ()
    for candidate in melds_of_top:
        if candidate.cards_from_hand > 1:  # the top card is one of them
            in_opening.append(candidate)
        else:  # laying off the top card alone is not part of an opening
            top_card_alone.append(opening_candidate(candidate, 0, may_open=False))
    in_opening += new_melds(rules.settings, hand, going_out=False)

    held = gather((hand, question.top.cards))
    task = opening_task(rules, held, in_opening, minimum=minimum, top=question.top)
    holds_top_card: Limits = {MAY_HOLD_TOP_CARD: (1, 1)}
    return task._replace(
        candidates=(*task.candidates, *top_card_alone),
        limits=holds_top_card | task.limits,
    )


def _why_pile_not_taken(rules: Ruleset, question: PileQuestion, hand: Cards) -> Ruling:
    """Why no cards of the hand take the pile.

    These are the reasons against taking it with all cards of the hand of the top card's kind,
    without those that only concern the melds of a player who shows them.
    """
    kind = kind_of(question.top)
    number_held = hand.of(kind)
    all_of_kind = build_cards({INDEX[kind]: number_held})
    shown = replace(question, laid=_laid_with_top_card(question, all_of_kind))
    reasons: list[Reason] = []
    for each in rule_pile(rules, shown).reasons:
        if each.code not in _AGAINST_MELDS_SHOWN:
            reasons.append(each)

    # Without a card to lay, the ruling may not have looked at how many are needed.
    codes = [each.code for each in reasons]
    if kind.is_natural and number_held == 0 and "pile-naturals" not in codes:
        reasons.append(too_few_naturals(rules, question, number_held))
    return forbidden(tuple(reasons))


# ------------------------------------------------------------------------------ melds with the top card


def _melds_of_top_card(rules: Ruleset, hand: Cards, question: PileQuestion) -> Iterator[Candidate]:
    """The melds of the top card with cards of the hand that take the pile, apart from the opening
    minimum.

    The simplest come first.
    """
    if kind_of(question.top).is_natural:
        yield from _melds_of_natural_top_card(rules, hand, question)
    else:
        yield from _melds_of_special_top_card(rules, hand, question)


def _melds_of_special_top_card(
    rules: Ruleset, hand: Cards, question: PileQuestion
) -> Iterator[Candidate]:
    """The melds of a wild card or a three on top of the pile, with others of its kind: those of few
    cards first.
    """
    kind = kind_of(question.top)
    for equal_cards in range(hand.of(kind) + 1):
        tried = _with_cards_laid(question, equal_cards, wilds=0)
        if rule_pile(rules, tried).verdict is Verdict.ALLOWED:
            yield _candidate(rules, kind, equal_cards, wilds=0, on=None)


def _melds_of_natural_top_card(
    rules: Ruleset, hand: Cards, question: PileQuestion
) -> Iterator[Candidate]:
    """The melds of a natural top card with others of its rank and wild cards of the hand, which
    take the pile apart from the opening minimum.

    Those with few wild cards come first, then those of few cards: an eight on top with one, two and
    three eights of the hand, then the same with a two.
    """
    kind = kind_of(question.top)
    most_wilds = min(hand.wilds, rules.settings.wild_limit)
    for wilds in range(most_wilds + 1):
        fewest = 1 if wilds else 0  # wild cards need a natural card of the hand beside them
        for naturals_of_hand in range(fewest, hand.of(kind) + 1):
            tried = _with_cards_laid(question, naturals_of_hand, wilds)
            use = _first_use_that_takes_pile(rules, tried)
            if use is not None:
                yield _candidate(rules, kind, naturals_of_hand, wilds=wilds, on=use.onto_index)


def _with_cards_laid(question: PileQuestion, cards_of_kind: int, wilds: int) -> PileQuestion:
    """The question with so many cards of the top card's kind and wild cards laid from the hand."""
    top = INDEX[kind_of(question.top)]
    own_cards = build_cards({TWO: wilds, top: cards_of_kind})
    return replace(question, laid=_laid_with_top_card(question, own_cards))


def _first_use_that_takes_pile(rules: Ruleset, question: PileQuestion) -> TopCardUse | None:
    """The first use of the top card that takes the pile, apart from the opening minimum: it may
    lack points, which other melds can add. None if no use takes the pile.
    """
    for use in uses_of_top_card(rules, question):
        against = against_use(rules, question, use)
        if all(each.code == BELOW_MINIMUM for each in against):
            return use
    return None


def _candidate(
    rules: Ruleset, kind: Kind, cards_of_kind: int, *, wilds: int, on: int | None
) -> Candidate:
    """The top card with so many cards of its kind and wild cards of the hand, as a meld to be laid.

    `on` is the index of the table's meld that they join, None for a new meld. The cards that the
    meld on the table had before are not part of it: they are not part of an opening.
    """
    top = INDEX[kind]
    naturals = cards_of_kind + 1  # with the top card
    meld = read_meld(build_cards({TWO: wilds, top: naturals}))
    tallies = {**tallies_of(rules.settings, meld, on=on), MAY_HOLD_TOP_CARD: 1}
    return Candidate(build_cards({top: naturals}), wilds, meld, on, tallies)


# ---------------------------------------------------------------------------- melds as a question


def _melds_to_show(question: PileQuestion, play: Play) -> tuple[Reading, ...]:
    """The melds of a play, in the form in which a question has them; the first has the top card."""
    with_top_card = play.laid[0].cards
    own_cards = subtract_cards(with_top_card, question.top.cards)
    others = [Reading(laid.cards) for laid in play.laid[1:]]
    return (*_laid_with_top_card(question, own_cards), *others)


def _laid_with_top_card(question: PileQuestion, own_cards: Cards) -> tuple[Reading, ...]:
    """Cards of the hand that are laid with the top card, in the form of a question.

    The top card is included unless the table has a meld of its rank, which the cards of the hand
    then join. Without cards of the hand the top card is laid off alone, and the result is empty.
    """
    if not own_cards.size:
        return ()
    rank = (INDEX[kind_of(question.top)],)
    if any(meld.cards.ranks == rank for meld in question.table):
        return (Reading(own_cards),)
    return (gather_readings(question.top, Reading(own_cards)),)
