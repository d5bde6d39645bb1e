"""Rulings on whether a player's whole hand can take the pile, and how.

The cards laid with the top card are tried one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scorepad.referee.best_play import (
    FITS,
    TOP,
    Candidate,
    LayingTask,
    Limits,
    find_best_play,
    new_melds,
    opening_candidate,
    opening_task,
    tallies,
)
from scorepad.referee.pile import against_use, rule_pile, too_few_naturals, uses_of_top_card
from scorepad.referee.questions import PileQuestion
from scorepad.referee.reasons import FAULTS_OF_MINIMUMS
from scorepad.referee.ruling import Play, Ruling, Verdict, forbidden
from scorepad.referee.situation import gather_readings, impossible_cards, kind_of
from scorepad.referee.whole_hand import BELOW_MINIMUM, worded_for_hand
from scorepad.rules.cards import (
    INDEX,
    NOTHING,
    TWO,
    Cards,
    Reading,
    build_cards,
    gather,
    subtract_cards,
)
from scorepad.rules.definitions import Ruleset
from scorepad.rules.table import read_meld

_WHATEVER_IS_LAID = frozenset({"pile-before-opening", "pile-top-stops", "pile-top-special"})
"""Reasons that do not depend on the cards of the hand."""
_OF_MELDS_SHOWN = frozenset(
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
    decisive = tuple(why for why in without_melds.reasons if why.code in _WHATEVER_IS_LAID)
    if decisive:
        return replace(without_melds, reasons=decisive)

    play = _best_way(rules, question, hand.cards)
    if play is None:
        return _why_pile_not_taken(rules, question, hand.cards)
    joining, *others = (Reading(laid.cards) for laid in play.laid)
    own_cards = subtract_cards(joining.cards, question.top.cards)
    shown = (*_as_shown(question, own_cards), *others)
    ruling = rule_pile(rules, replace(question, laid=shown))
    if ruling.verdict is Verdict.FORBIDDEN:
        return worded_for_hand(ruling, None)
    return worded_for_hand(ruling, Play(play.laid))


def _best_way(rules: Ruleset, question: PileQuestion, hand: Cards) -> Play | None:
    minimum = None
    if not question.opened:
        minimum = rules.settings.opening_minimum(question.score, question.deal)
    if minimum is None:
        return _simplest_way(rules, question, hand)
    return _best_opening_with_pile(rules, question, hand, minimum)


def _simplest_way(rules: Ruleset, question: PileQuestion, hand: Cards) -> Play | None:
    candidate = next(_candidates_with_top(rules, hand, question), None)  # the others are not tried
    if candidate is None:
        return None
    held = gather((hand, question.top.cards))
    # Prefer twos to jokers.
    return find_best_play(LayingTask(held, (candidate,), {TOP: (1, 1)}, (0, 1), top=question.top))


def _best_opening_with_pile(
    rules: Ruleset, question: PileQuestion, hand: Cards, minimum: int
) -> Play | None:
    is_natural = kind_of(question.top).is_natural
    candidates = _candidates_with_top(rules, hand, question) if is_natural else ()
    with_top: list[Candidate] = []
    laid_off_alone: list[Candidate] = []
    for candidate in candidates:
        if candidate.added.size + candidate.wilds > 1:
            with_top.append(candidate)
        else:  # laying off the top card alone is not part of an opening
            laid_off_alone.append(opening_candidate(candidate, 0, fits=False))

    held = gather((hand, question.top.cards))
    melds = (*with_top, *new_melds(rules.settings, hand, going_out=False))
    task = opening_task(rules, held, melds, minimum, question.top)
    using_top: Limits = {TOP: (1, 1)}
    task = task._replace(
        candidates=(*task.candidates, *laid_off_alone), limits=using_top | task.limits
    )
    # A play that opens is better than any that does not reach the minimum.
    may_open: Limits = {FITS: (1, None)}
    play = find_best_play(task._replace(limits=may_open | task.limits))
    return play or find_best_play(task)


def _why_pile_not_taken(rules: Ruleset, question: PileQuestion, hand: Cards) -> Ruling:
    """The reasons given if all cards of the top card's kind are laid, except those about melds
    shown.
    """
    kind = kind_of(question.top)
    has = hand.of(kind)
    shown = _as_shown(question, build_cards({INDEX[kind]: has}))
    ruling = rule_pile(rules, replace(question, laid=shown))
    reasons = [why for why in ruling.reasons if why.code not in _OF_MELDS_SHOWN]
    says_naturals = any(why.code == "pile-naturals" for why in reasons)
    if kind.is_natural and not has and not says_naturals:
        reasons.append(too_few_naturals(rules, question, has))
    return forbidden(tuple(reasons))


# ------------------------------------------------------------------------------ melds with the top card


def _candidates_with_top(
    rules: Ruleset, hand: Cards, question: PileQuestion
) -> Iterator[Candidate]:
    """The melds of the top card with cards of the hand, judged without the opening minimum.

    The simplest come first: no wild cards, few cards. A special top card is laid with others of its
    kind.
    """
    kind = kind_of(question.top)
    top = INDEX[kind]
    most_wilds = min(hand.wilds, rules.settings.wild_limit) if kind.is_natural else 0
    for wilds in range(most_wilds + 1):
        fewest = 1 if wilds else 0
        for count in range(fewest, hand.counts[top] + 1):
            own = build_cards({TWO: wilds, top: count})
            tried = replace(question, laid=_as_shown(question, own))
            if not kind.is_natural:
                if rule_pile(rules, tried).verdict is Verdict.ALLOWED:
                    yield _candidate(rules, top, count, wilds, None)
                continue
            for onto in _melds_joined(rules, tried)[:1]:
                on = question.table.index(onto) if onto is not None else None
                yield _candidate(rules, top, count, wilds, on)


def _melds_joined(rules: Ruleset, question: PileQuestion) -> list[Reading | None]:
    """The melds of the table, None for a new one, on which the top card takes the pile, apart from
    the opening minimum.
    """
    joined: list[Reading | None] = []
    for use in uses_of_top_card(rules, question):
        against = against_use(rules, question, use)
        if all(why.code == BELOW_MINIMUM for why in against):
            joined.append(use.onto)
    return joined


def _candidate(rules: Ruleset, top: int, count: int, wilds: int, on: int | None) -> Candidate:
    """The top card with cards of the hand; the meld's cards on the table are not part of an
    opening.
    """
    meld = read_meld(build_cards({TWO: wilds, top: count + 1}))
    found = tallies(rules.settings, meld, on) | {TOP: 1}
    return Candidate(build_cards({top: count + 1}), wilds, meld, on, found)


def _as_shown(question: PileQuestion, own: Cards) -> tuple[Reading, ...]:
    """Cards of the hand that are laid with the top card, in the form of a question.

    The top card is included unless the table has a meld of its rank, which the cards of the hand
    then join. Without cards of the hand the top card is laid off alone, and the result is empty.
    """
    if not own.size:
        return ()
    rank = (INDEX[kind_of(question.top)],)
    if any(meld.cards.ranks == rank for meld in question.table):
        return (Reading(own),)
    return (gather_readings(question.top, Reading(own)),)
