"""Rulings on whether a player's whole hand can take the pile, and how.

The melds that the top card can make with cards of the hand are tried one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from scorepad.referee.best_play import (
    MELDS_FOR_TOP_CARD,
    MELDS_THAT_MAY_OPEN,
    Candidate,
    LayingTask,
    Limits,
    WildPoints,
    at_least,
    build_opening_task,
    compute_additions_of_meld,
    exactly,
    find_best_play,
    find_melds_for_opening,
    find_new_melds,
    get_wild_points,
    give_opening_points,
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
_TOO_FEW_NATURALS = "pile-naturals"
"""The reason that the hand lacks cards of the top card's rank, which says how many are needed."""
_ONE_MELD_HOLDS_TOP_CARD: Limits = {MELDS_FOR_TOP_CARD: exactly(1)}
"""One of the melds laid holds the top card of the pile."""


class _OwnCards(NamedTuple):
    """Cards of the hand that are tried with the top card of the pile: `8 8 2` with an eight on top
    are two cards of its kind and one wild card.
    """

    kind: Kind
    """The kind of the top card."""
    of_kind: int
    """The number of cards of that kind."""
    wilds: int = 0
    """The number of wild cards (jokers or twos) beside them."""

    @property
    def cards(self) -> Cards:
        """The cards; twos stand for the wild cards."""
        return build_cards({TWO: self.wilds, INDEX[self.kind]: self.of_kind})

    @property
    def with_top_card(self) -> _OwnCards:
        """The same cards and the top card, which is one more of its kind."""
        return self._replace(of_kind=self.of_kind + 1)

    @property
    def without_wilds(self) -> _OwnCards:
        """The same cards without the wild cards beside them."""
        return self._replace(wilds=0)


def rule_best_way_to_take(rules: Ruleset, question: PileQuestion) -> Ruling:
    """Whether a player's hand can take the pile of discards, and how.

    The way shown is the simplest one or, if the side has an opening minimum to reach, the one with
    the most points that count toward it.
    """
    wrong = impossible_cards(rules, question.hand or NOTHING, question.top, *question.table)
    if wrong:
        return forbidden(wrong)

    # Some answers are the same whatever the hand holds. To find them, the pile is judged with no
    # cards of the hand.
    without_melds = rule_pile(rules, question)
    if without_melds.verdict is Verdict.SILENT:  # the pile of this game is not refereed
        return without_melds
    against_any_hand = tuple(
        each for each in without_melds.reasons if each.code in _AGAINST_ANY_CARDS
    )
    if against_any_hand:
        return replace(without_melds, reasons=against_any_hand)
    return _rule_hand_taking_pile(rules, question)


def _rule_hand_taking_pile(rules: Ruleset, question: PileQuestion) -> Ruling:
    """The ruling on the best way in which the hand takes the pile, or why there is none."""
    hand = question.hand or NOTHING
    play = _best_way(rules, question, hand.cards)
    if play is None:
        return _why_pile_not_taken(rules, question, hand.cards)
    return _rule_way_to_take(rules, question, play)


def _rule_way_to_take(rules: Ruleset, question: PileQuestion, play: Play) -> Ruling:
    """The ruling on taking the pile with the melds of a play, in words about a whole hand.

    The best play may still be forbidden, because it does not reach the opening minimum (the points
    that a side must lay first in a hand). Then it is not shown.
    """
    question_with_melds = replace(question, laid=_melds_as_shown(question, play))
    ruling = rule_pile(rules, question_with_melds)
    if ruling.verdict is Verdict.FORBIDDEN:
        return worded_for_hand(ruling, None)
    play_without_discard = Play(play.laid, discard=None)
    return worded_for_hand(ruling, play_without_discard)


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
    """The play that takes the pile with the simplest meld of its top card; None if no meld does.

    It is without regard to an opening minimum. Twos are laid rather than jokers: with a king on top
    the hand `K 2 JK` lays `K 2`.
    """
    melds = _melds_of_top_card(rules, hand, question)
    simplest_meld = next(melds, None)  # the others are not even tried
    if simplest_meld is None:
        return None
    return _lay_meld_with_twos(simplest_meld, question.top, hand)


def _lay_meld_with_twos(meld: Candidate, top: Reading, hand: Cards) -> Play | None:
    """The play that lays a meld with the pile's top card, and twos rather than jokers as its wild
    cards.

    The meld only says how many wild cards it has. The search chooses them, and finds the suits of
    the other cards in the hand.
    """
    twos_are_best = WildPoints(joker=0, two=1)
    task = LayingTask(
        available=gather((hand, top.cards)),
        candidates=(meld,),
        limits=_ONE_MELD_HOLDS_TOP_CARD,
        wilds=twos_are_best,
        top=top,
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
    may_open: Limits = {MELDS_THAT_MAY_OPEN: at_least(1)}
    task_that_opens = task._replace(limits=may_open | task.limits)
    play_that_opens = find_best_play(task_that_opens)
    if play_that_opens is not None:
        return play_that_opens
    return find_best_play(task)


def _task_of_opening_with_pile(
    rules: Ruleset, question: PileQuestion, hand: Cards, *, minimum: int
) -> LayingTask:
    """The task of laying one meld with the pile's top card, and others of cards of the hand.

    Together they are an opening, which is what a side lays first in a hand. It needs this minimum of
    points, but whether they reach it is not a condition here.
    """
    task = build_opening_task(
        available=gather((hand, question.top.cards)),
        melds=_melds_to_open_with_pile(rules, question, hand, minimum=minimum),
        wilds=get_wild_points(rules.settings),
        top=question.top,
    )
    limits = _ONE_MELD_HOLDS_TOP_CARD | task.limits
    return task._replace(limits=limits)


def _melds_to_open_with_pile(
    rules: Ruleset, question: PileQuestion, hand: Cards, *, minimum: int
) -> list[Candidate]:
    """The melds that a player who opens with the pile could lay, with the points that they add to
    the opening: those with the pile's top card, and those of the hand alone.
    """
    # A wild card or a three on top is not taken with an opening.
    is_natural = kind_of(question.top).is_natural
    melds_of_top = list(_melds_of_natural_top_card(rules, hand, question)) if is_natural else []

    # The top card alone is laid on a meld of the table, so it is no part of the opening.
    melds_with_own_cards = [meld for meld in melds_of_top if not _is_top_card_alone(meld)]
    top_card_alone = [meld for meld in melds_of_top if _is_top_card_alone(meld)]

    melds_in_opening = [
        *melds_with_own_cards,
        *find_new_melds(rules.settings, hand, going_out=False),
    ]
    melds = list(find_melds_for_opening(rules, melds_in_opening, minimum, concealed=False))
    for meld in top_card_alone:
        melds.append(give_opening_points(meld, points=0, may_open=False))
    return melds


def _is_top_card_alone(meld_of_top: Candidate) -> bool:
    """Whether a meld of the top card is laid without cards of the hand: it adds the top card only."""
    return meld_of_top.cards_from_hand == 1


def _why_pile_not_taken(rules: Ruleset, question: PileQuestion, hand: Cards) -> Ruling:
    """The ruling that no cards of the hand take the pile, and why.

    To a hand without a card of the top card's rank it always says how many are needed: with a king
    on top, that two kings are needed and the hand has none.
    """
    kind = kind_of(question.top)
    number_held = hand.of(kind)
    reasons = _against_taking_with_all(rules, question, number_held)
    says_how_many = any(each.code == _TOO_FEW_NATURALS for each in reasons)
    has_none_of_rank = kind.is_natural and number_held == 0
    if has_none_of_rank and not says_how_many:
        reasons.append(too_few_naturals(rules, question, number_held))
    return forbidden(tuple(reasons))


def _against_taking_with_all(
    rules: Ruleset, question: PileQuestion, number_held: int
) -> list[Reason]:
    """Why the pile cannot be taken, even if all cards of the top card's kind in the hand are laid
    with it. `number_held` says how many these are.

    Reasons that concern melds shown by a player are left out, since this player showed none.
    """
    all_of_kind = _OwnCards(kind_of(question.top), of_kind=number_held)
    question_with_all = _question_with_cards(question, all_of_kind)
    ruling = rule_pile(rules, question_with_all)
    reasons: list[Reason] = []
    for each in ruling.reasons:
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
    """The new melds in which a wild card or a three on top of the pile is taken with others of its
    kind; those of few cards come first.

    With a joker on top and two in the hand, it is tried alone, with one joker and with two.
    """
    kind = kind_of(question.top)
    for number_of_cards in range(hand.of(kind) + 1):
        own_cards = _OwnCards(kind, of_kind=number_of_cards)
        ruling = rule_pile(rules, _question_with_cards(question, own_cards))
        if ruling.verdict is Verdict.ALLOWED:
            yield _meld_with_top_card(rules.settings, own_cards, on=None)


def _melds_of_natural_top_card(
    rules: Ruleset, hand: Cards, question: PileQuestion
) -> Iterator[Candidate]:
    """The melds in which a natural top card is taken with cards of its rank and wild cards of the
    hand. The simplest come first.

    They take the pile, except that they may lack points for an opening.
    """
    for own_cards in _cards_to_try(rules.settings, hand, kind_of(question.top)):
        question_with_cards = _question_with_cards(question, own_cards)
        use = _first_use_that_takes_pile(rules, question_with_cards)
        if use is not None:
            index_of_joined_meld = use.onto_index  # None for a new meld
            yield _meld_with_top_card(rules.settings, own_cards, on=index_of_joined_meld)


def _cards_to_try(settings: Settings, hand: Cards, kind: Kind) -> Iterator[_OwnCards]:
    """The cards of the hand to try with a natural top card of this kind.

    Those with few wild cards come first, then those with few cards. With an eight on top, a hand of
    two eights and a two tries no card, 8, 8 8, 8 2 and 8 8 2.
    """
    most_of_kind = hand.of(kind)
    for of_kind in range(most_of_kind + 1):
        yield _OwnCards(kind, of_kind)

    most_wilds = min(hand.wilds, settings.wild_limit)
    for wilds in range(1, most_wilds + 1):
        # Wild cards need a natural card of the hand beside them.
        for of_kind in range(1, most_of_kind + 1):
            yield _OwnCards(kind, of_kind, wilds)


def _question_with_cards(question: PileQuestion, own_cards: _OwnCards) -> PileQuestion:
    """The question whether the pile may be taken by laying these cards of the hand."""
    return replace(question, laid=_shown_with_top_card(question, own_cards.cards))


def _first_use_that_takes_pile(rules: Ruleset, question: PileQuestion) -> TopCardUse | None:
    """The first way to use the top card that takes the pile, as a new meld or on one of the table.

    It may lack points for an opening, which other melds can add. None if no way takes the pile.
    """
    for use in uses_of_top_card(rules, question):
        reasons_against = against_use(rules, question, use)
        other_reasons = [each for each in reasons_against if each.code != BELOW_MINIMUM]
        if not other_reasons:
            return use
    return None


def _meld_with_top_card(settings: Settings, own_cards: _OwnCards, *, on: int | None) -> Candidate:
    """The meld that the pile's top card makes with these cards of the hand, as one to be laid: the
    top card `8` and `8 2` make `8 8` with one wild card, which may become a joker or a two.

    `on` is the index of the table's meld that they join; None for a new meld. The cards that lay
    there before are not part of it, because they are not part of an opening.
    """
    all_cards = own_cards.with_top_card
    meld = read_meld(all_cards.cards)
    candidate = Candidate(
        added=all_cards.without_wilds.cards,
        wilds=all_cards.wilds,
        meld=meld,
        on=on,
        additions=compute_additions_of_meld(settings, meld, on=on),
    )
    return candidate.also_adding_one_to(MELDS_FOR_TOP_CARD)


# ---------------------------------------------------------------------------- melds as a question


def _melds_as_shown(question: PileQuestion, play: Play) -> tuple[Reading, ...]:
    """The melds of a play that takes the pile, as a player would show them in a question.

    The first meld of such a play is the one with the top card.
    """
    meld_of_top = play.laid[0]
    own_cards = subtract_cards(meld_of_top.cards, question.top.cards)
    melds = list(_shown_with_top_card(question, own_cards))
    for other_meld in play.laid[1:]:
        melds.append(Reading(other_meld.cards))
    return tuple(melds)


def _shown_with_top_card(question: PileQuestion, own_cards: Cards) -> tuple[Reading, ...]:
    """What a player shows in a question to lay these cards of the hand with the pile's top card: one
    meld, or none.

    With a king on top, `K K` are shown as the new meld `K K K`; if kings lie on the table, they
    are shown as `K K`, which join them. No cards show no meld: the top card is laid off alone.
    """
    if own_cards.size == 0:
        return ()
    if _has_meld_to_join(question):
        return (Reading(own_cards),)
    new_meld = gather_readings(question.top, Reading(own_cards))
    return (new_meld,)


def _has_meld_to_join(question: PileQuestion) -> bool:
    """Whether the table has a meld of the top card's rank."""
    rank = INDEX[kind_of(question.top)]
    return any(meld.cards.ranks == (rank,) for meld in question.table)
