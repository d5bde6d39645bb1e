"""Rulings on whether a player's whole hand can take the pile, and how.

The melds that the top card can make with cards of the hand are tried one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from scorepad.referee.best_play import (
    MAY_HOLD_TOP_CARD,
    MAY_OPEN,
    Candidate,
    LayingTask,
    Limits,
    WildPoints,
    at_least,
    exactly,
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
from scorepad.rules.settings import Settings
from scorepad.rules.table import read_meld

_AGAINST_ANY_CARDS = frozenset({"pile-before-opening", "pile-top-stops", "pile-top-special"})
"""Reasons that do not depend on the cards of the hand."""
_AGAINST_MELDS_SHOWN = frozenset(
    {"pile-top-unused", "meld-too-short", BELOW_MINIMUM, *FAULTS_OF_MINIMUMS}
)
"""Reasons that apply only to melds shown by the player."""
_HOLDS_TOP_CARD: Limits = {MAY_HOLD_TOP_CARD: exactly(1)}
"""One of the melds laid holds the top card of the pile."""


class _OwnCards(NamedTuple):
    """Cards of the hand that are tried with the top card of the pile, by their numbers."""

    of_kind: int
    """Those of the top card's kind."""
    wilds: int = 0
    """The wild cards, jokers or twos."""

    def cards(self, kind: Kind) -> Cards:
        """The cards, if the top card is of this kind; twos stand for the wild cards."""
        return build_cards({TWO: self.wilds, INDEX[kind]: self.of_kind})


def rule_best_way_to_take(rules: Ruleset, question: PileQuestion) -> Ruling:
    """Whether the hand takes the pile, and the simplest way; when opening, the way with the most
    points that count.
    """
    hand = question.hand or NOTHING
    wrong = impossible_cards(rules, hand, question.top, *question.table)
    if wrong:
        return forbidden(wrong)
    without_melds = rule_pile(rules, question)
    if without_melds.verdict is Verdict.SILENT:  # the pile of this game is not refereed
        return without_melds
    against_any_cards = tuple(
        each for each in without_melds.reasons if each.code in _AGAINST_ANY_CARDS
    )
    if against_any_cards:
        return replace(without_melds, reasons=against_any_cards)

    play = _best_way(rules, question, hand.cards)
    if play is None:
        return _why_pile_not_taken(rules, question, hand.cards)
    return _rule_way_to_take(rules, question, play)


def _rule_way_to_take(rules: Ruleset, question: PileQuestion, play: Play) -> Ruling:
    """The ruling on taking the pile with the melds of a play, worded for a whole hand.

    The best play of a hand may still be forbidden, if it does not reach the opening minimum. Then
    it is not shown.
    """
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
    return _best_opening_with_pile(rules, question, hand, minimum=minimum)


def _simplest_way(rules: Ruleset, question: PileQuestion, hand: Cards) -> Play | None:
    """The play that takes the pile with the fewest cards, without regard to an opening minimum."""
    melds = _melds_of_top_card(rules, hand, question)
    simplest = next(melds, None)  # the others are not even tried
    if simplest is None:
        return None
    task = LayingTask(
        held=gather((hand, question.top.cards)),
        candidates=(simplest,),
        limits=_HOLDS_TOP_CARD,
        # Values that make the search lay twos before jokers.
        wilds=WildPoints(joker=0, two=1),
        top=question.top,
    )
    return find_best_play(task)


def _best_opening_with_pile(
    rules: Ruleset, question: PileQuestion, hand: Cards, *, minimum: int
) -> Play | None:
    """The play that takes the pile and lays the most points toward the opening minimum; None if the
    hand cannot take the pile.

    A play whose melds may open is better than any other, even if the other lays more points.
    """
    task = _task_of_opening_with_pile(rules, question, hand, minimum=minimum)
    opens: Limits = {MAY_OPEN: at_least(1)}
    play_that_opens = find_best_play(task._replace(limits=opens | task.limits))
    if play_that_opens is not None:
        return play_that_opens
    return find_best_play(task)


def _task_of_opening_with_pile(
    rules: Ruleset, question: PileQuestion, hand: Cards, *, minimum: int
) -> LayingTask:
    """The task of laying one meld with the pile's top card, and others of cards of the hand."""
    is_natural = kind_of(question.top).is_natural
    melds_of_top = [*_melds_of_natural_top_card(rules, hand, question)] if is_natural else []
    in_opening = [meld for meld in melds_of_top if not _is_top_card_alone(meld)]
    in_opening += new_melds(rules.settings, hand, going_out=False)

    held = gather((hand, question.top.cards))
    task = opening_task(rules, held, in_opening, minimum=minimum, top=question.top)
    return task._replace(
        candidates=(*task.candidates, *_lay_offs_of_top_card(melds_of_top)),
        limits=_HOLDS_TOP_CARD | task.limits,
    )


def _lay_offs_of_top_card(melds_of_top: list[Candidate]) -> list[Candidate]:
    """Those melds of the top card in which it is laid off alone on a meld of the table.

    It adds no points to an opening, of which it is no part.
    """
    lay_offs: list[Candidate] = []
    for meld in melds_of_top:
        if _is_top_card_alone(meld):
            lay_offs.append(opening_candidate(meld, points=0, may_open=False))
    return lay_offs


def _is_top_card_alone(meld_of_top: Candidate) -> bool:
    """Whether a meld of the top card is laid without cards of the hand: it adds the top card only."""
    return meld_of_top.cards_from_hand == 1


def _why_pile_not_taken(rules: Ruleset, question: PileQuestion, hand: Cards) -> Ruling:
    """Why no cards of the hand take the pile.

    With no cards laid, the ruling on the pile may only say that the top card fits no meld. Of a
    hand without a card of its rank, it is also said how many of these are needed.
    """
    kind = kind_of(question.top)
    number_held = hand.of(kind)
    reasons = _against_taking_with_all(rules, question, number_held)
    holds_none_of_rank = kind.is_natural and number_held == 0
    says_how_many = any(each.code == "pile-naturals" for each in reasons)
    if holds_none_of_rank and not says_how_many:
        reasons.append(too_few_naturals(rules, question, number_held))
    return forbidden(tuple(reasons))


def _against_taking_with_all(
    rules: Ruleset, question: PileQuestion, number_held: int
) -> list[Reason]:
    """The reasons against taking the pile with all cards of the top card's kind that the hand holds.

    Those that only concern the melds of a player who shows them are left out.
    """
    with_all = _with_own_cards(question, _OwnCards(of_kind=number_held))
    reasons: list[Reason] = []
    for each in rule_pile(rules, with_all).reasons:
        if each.code not in _AGAINST_MELDS_SHOWN:
            reasons.append(each)
    return reasons


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
    for number in range(hand.of(kind) + 1):
        own_cards = _OwnCards(of_kind=number)
        tried = _with_own_cards(question, own_cards)
        if rule_pile(rules, tried).verdict is Verdict.ALLOWED:
            yield _meld_with_top_card(rules.settings, kind, own_cards, on=None)


def _melds_of_natural_top_card(
    rules: Ruleset, hand: Cards, question: PileQuestion
) -> Iterator[Candidate]:
    """The melds of a natural top card with others of its rank and wild cards of the hand, which
    take the pile apart from the opening minimum. The simplest come first.
    """
    kind = kind_of(question.top)
    for own_cards in _cards_to_try(rules.settings, hand, kind):
        tried = _with_own_cards(question, own_cards)
        use = _first_use_that_takes_pile(rules, tried)
        if use is not None:
            yield _meld_with_top_card(rules.settings, kind, own_cards, on=use.onto_index)


def _cards_to_try(settings: Settings, hand: Cards, kind: Kind) -> Iterator[_OwnCards]:
    """The cards of the hand to try with a natural top card of this kind.

    Those with few wild cards come first, then those with few cards. With an eight on top, a hand of
    two eights and a two tries no card, 8, 8 8, 8 2 and 8 8 2.
    """
    most_wilds = min(hand.wilds, settings.wild_limit)
    for wilds in range(most_wilds + 1):
        fewest = 1 if wilds else 0  # wild cards need a natural card of the hand beside them
        for of_kind in range(fewest, hand.of(kind) + 1):
            yield _OwnCards(of_kind, wilds)


def _with_own_cards(question: PileQuestion, own_cards: _OwnCards) -> PileQuestion:
    """The question whether the pile may be taken by laying these cards of the hand."""
    cards = own_cards.cards(kind_of(question.top))
    return replace(question, laid=_laid_with_top_card(question, cards))


def _first_use_that_takes_pile(rules: Ruleset, question: PileQuestion) -> TopCardUse | None:
    """The first use of the top card that takes the pile, apart from the opening minimum: it may
    lack points, which other melds can add. None if no use takes the pile.
    """
    for use in uses_of_top_card(rules, question):
        against = against_use(rules, question, use)
        if all(each.code == BELOW_MINIMUM for each in against):
            return use
    return None


def _meld_with_top_card(
    settings: Settings, kind: Kind, own_cards: _OwnCards, *, on: int | None
) -> Candidate:
    """The top card, of this kind, with these cards of the hand as a meld to be laid.

    `on` is the index of the table's meld that they join, None for a new meld. The cards that the
    meld on the table had before are not part of it: they are not part of an opening.
    """
    with_top_card = own_cards._replace(of_kind=own_cards.of_kind + 1)
    meld = read_meld(with_top_card.cards(kind))
    tallies = {**tallies_of(settings, meld, on=on), MAY_HOLD_TOP_CARD: 1}
    without_wilds = with_top_card._replace(wilds=0)
    return Candidate(
        added=without_wilds.cards(kind),
        wilds=own_cards.wilds,
        meld=meld,
        on=on,
        tallies=tallies,
    )


# ---------------------------------------------------------------------------- melds as a question


def _melds_to_show(question: PileQuestion, play: Play) -> tuple[Reading, ...]:
    """The melds of a play that takes the pile, as a player shows them in a question.

    The first meld of such a play holds the top card. A question leaves it out of that meld where
    the cards of the hand join one of the table.
    """
    meld_of_top, *other_melds = play.laid
    own_cards = subtract_cards(meld_of_top.cards, question.top.cards)
    others = [Reading(laid.cards) for laid in other_melds]
    return (*_laid_with_top_card(question, own_cards), *others)


def _laid_with_top_card(question: PileQuestion, own_cards: Cards) -> tuple[Reading, ...]:
    """The meld that a question has (`laid`) if these cards of the hand are laid with the top card.

    There is none without cards of the hand: the top card is laid off alone. Cards that join a meld
    of the table stand by themselves; in a new meld the top card is one of its cards.
    """
    if not own_cards.size:
        return ()
    if _has_meld_to_join(question):
        return (Reading(own_cards),)
    return (gather_readings(question.top, Reading(own_cards)),)


def _has_meld_to_join(question: PileQuestion) -> bool:
    """Whether the table has a meld of the top card's rank."""
    rank = INDEX[kind_of(question.top)]
    return any(meld.cards.ranks == (rank,) for meld in question.table)
