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
from scorepad.referee.situation import kind_of, report_impossible_cards
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
        """The cards themselves, with twos as the wild cards."""
        return build_cards({TWO: self.wilds, INDEX[self.kind]: self.of_kind})

    @property
    def with_top_card(self) -> _OwnCards:
        """A copy that also has the top card of the pile: one more card of its kind."""
        return self._replace(of_kind=self.of_kind + 1)

    @property
    def without_wilds(self) -> _OwnCards:
        """A copy without the wild cards."""
        return self._replace(wilds=0)


def rule_best_way_to_take(rules: Ruleset, question: PileQuestion) -> Ruling:
    """Answer whether a player can take the discard pile, and how, with all cards of the hand known.

    To take the pile, a player lays its top card on the table with cards of the hand. The answer
    shows the simplest way. If these are the first cards that the side lays in this round, it shows
    the way with most points, because they must reach a minimum.
    """
    hand = question.hand or NOTHING
    impossible = report_impossible_cards(rules, hand, question.top, *question.table)
    if impossible:
        return forbidden(impossible)

    # Some answers are the same for any hand. To find them, the pile is judged as if the player laid
    # no cards.
    ruling_without_cards = rule_pile(rules, question)
    if ruling_without_cards.verdict is Verdict.SILENT:  # the app cannot judge the pile of this game
        return ruling_without_cards
    against_any_hand = [
        each for each in ruling_without_cards.reasons if each.code in _AGAINST_ANY_CARDS
    ]
    if against_any_hand:
        return replace(ruling_without_cards, reasons=tuple(against_any_hand))
    return _rule_hand_taking_pile(rules, question, hand.cards)


def _rule_hand_taking_pile(rules: Ruleset, question: PileQuestion, hand: Cards) -> Ruling:
    """Rule on the best way in which the cards of a hand take the discard pile.

    If there is none, the ruling says why.
    """
    play = _find_best_way_to_take(rules, question, hand)
    if play is None:
        return _explain_why_pile_is_not_taken(rules, question, hand)
    return _rule_way_to_take(rules, question, play)


def _rule_way_to_take(rules: Ruleset, question: PileQuestion, play: Play) -> Ruling:
    """Rule on taking the discard pile with this play, the best one of the hand.

    It may still be forbidden: the first cards that a side lays in a round must reach a minimum of
    points. Then the ruling says what is missing, and does not show the play.
    """
    # The play is judged as if the player had shown its melds. `worded_for_hand` then makes the
    # reasons speak of the whole hand.
    question_with_melds = replace(question, laid=_list_melds_as_shown(question, play))
    ruling = rule_pile(rules, question_with_melds)
    if ruling.verdict is Verdict.FORBIDDEN:
        return worded_for_hand(ruling, play=None)
    play_without_discard = Play(play.laid, discard=None)
    return worded_for_hand(ruling, play_without_discard)


def _find_best_way_to_take(rules: Ruleset, question: PileQuestion, hand: Cards) -> Play | None:
    """Find the best way to take the discard pile with cards of the hand; None if there is none.

    If the side has laid cards before in this round, the simplest way is the best. Otherwise its
    first cards must reach a minimum of points in most games, and the best way has most points.
    """
    minimum = None
    if not question.opened:
        minimum = rules.settings.opening_minimum(question.score, question.deal)

    if minimum is None:
        return _find_simplest_way_to_take(rules, question, hand)
    return _find_best_opening_with_pile(rules, question, hand, minimum=minimum)


def _find_simplest_way_to_take(rules: Ruleset, question: PileQuestion, hand: Cards) -> Play | None:
    """Find the simplest way to take the discard pile with cards of the hand; None if there is none.

    With a king on top, the hand `K K 2` lays `K K` with it, and the hand `K 2 JK` lays `K 2`. No
    points need to be reached.
    """
    melds = _find_melds_of_top_card(rules, hand, question)  # the simplest comes first
    simplest_meld = next(melds, None)
    if simplest_meld is None:
        return None
    return _lay_meld_with_twos(simplest_meld, question.top, hand)


def _lay_meld_with_twos(meld: Candidate, top: Reading, hand: Cards) -> Play | None:
    """Lay a meld (group of cards) that holds the top card of the pile, with cards of the hand.

    The meld says only that it is, for example, two kings and a joker or a two. The solver takes
    cards of the hand for it, with their suits, and twos rather than jokers, which are worth more.
    """
    twos_are_best = WildPoints(joker=0, two=1)
    task = LayingTask(
        available=gather((hand, top.cards)),
        candidates=(meld,),
        limits=_ONE_MELD_HOLDS_TOP_CARD,  # so the only candidate must be laid
        wilds=twos_are_best,
        top=top,
    )
    return find_best_play(task)


def _find_best_opening_with_pile(
    rules: Ruleset, question: PileQuestion, hand: Cards, *, minimum: int
) -> Play | None:
    """Find how a side best takes the discard pile with the first cards that it lays in a round.

    These must reach a minimum of points, so the best play is the one with most points. None if the
    hand cannot take the pile at all. The result may still have fewer points than the minimum.
    """
    task = _build_task_of_opening_with_pile(rules, question, hand, minimum=minimum)
    # Some melds may be laid first only beside another one: in some games those of jokers and twos
    # alone. So a play with at least one other meld is preferred.
    has_meld_that_opens: Limits = {MELDS_THAT_MAY_OPEN: at_least(1)}
    play_that_opens = find_best_play(task._replace(limits=has_meld_that_opens | task.limits))
    if play_that_opens is not None:
        return play_that_opens
    return find_best_play(task)  # the ruling on this one says what is wrong with it


def _build_task_of_opening_with_pile(
    rules: Ruleset, question: PileQuestion, hand: Cards, *, minimum: int
) -> LayingTask:
    """Build the task of taking the discard pile with the first cards that a side lays in a round.

    One meld (a group of cards) has the top card of the pile, and others may be of the hand alone.
    `minimum` are the points that they should reach together. The task does not demand them, so that
    the best melds are found even if they have too few points.
    """
    task = build_opening_task(
        available=gather((hand, question.top.cards)),
        melds=_list_melds_to_open_with_pile(rules, question, hand, minimum=minimum),
        wilds=get_wild_points(rules.settings),
        top=question.top,
    )
    return task._replace(limits=_ONE_MELD_HOLDS_TOP_CARD | task.limits)


def _list_melds_to_open_with_pile(
    rules: Ruleset, question: PileQuestion, hand: Cards, *, minimum: int
) -> list[Candidate]:
    """List the melds (groups of cards) that a side may lay first in a round when it takes the pile.

    Each has the points that it adds toward the minimum. There are three sorts of them. With a king
    on top of the pile they are, for example:

    - `K K K`: the top card with two kings of the hand
    - `9 9 9`: cards of the hand alone, which may be laid beside the meld of the top card
    - `K`: the top card alone, added to kings that the side already has on the table
    """
    # Jokers, twos and threes are not taken from the pile in this way.
    is_natural = kind_of(question.top).is_natural
    melds_of_top = _find_melds_of_natural_top_card(rules, hand, question) if is_natural else ()

    top_with_own_cards: list[Candidate] = []
    top_alone: list[Candidate] = []
    for meld in melds_of_top:
        is_top_card_alone = meld.cards_from_hand == 1  # the top card is counted among them
        if is_top_card_alone:
            # It is added to a meld that lies on the table already, so it has no points here.
            top_alone.append(give_opening_points(meld, points=0, may_open=False))
        else:
            top_with_own_cards.append(meld)

    own_cards_alone = find_new_melds(rules.settings, hand, going_out=False)
    new_melds = [*top_with_own_cards, *own_cards_alone]
    melds_with_points = find_melds_for_opening(rules, new_melds, minimum, concealed=False)
    return [*melds_with_points, *top_alone]


def _explain_why_pile_is_not_taken(rules: Ruleset, question: PileQuestion, hand: Cards) -> Ruling:
    """Rule that a hand cannot take the discard pile, and say why.

    With a king on top and two kings in the hand, the reasons are those against taking it with both.
    With no king in the hand, they always say how many kings are needed.
    """
    kind = kind_of(question.top)
    number_held = hand.of(kind)
    reasons = _list_reasons_against_all_equal_cards(rules, question, number_held)

    has_none_of_rank = kind.is_natural and number_held == 0
    says_how_many_are_needed = any(each.code == _TOO_FEW_NATURALS for each in reasons)
    if has_none_of_rank and not says_how_many_are_needed:
        # On the page: "To take the pile you need two kings from your hand, melded at once:
        # none here."
        reasons.append(too_few_naturals(rules, question, number_held))
    return forbidden(tuple(reasons))


def _list_reasons_against_all_equal_cards(
    rules: Ruleset, question: PileQuestion, number_held: int
) -> list[Reason]:
    """List why a player cannot take the discard pile, even with all equal cards of the hand.

    `number_held` is how many cards of the top card's kind are in the hand: with a king on top and
    2, the pile is judged as if the player laid two kings.
    """
    all_of_kind = _OwnCards(kind_of(question.top), of_kind=number_held)
    ruling = rule_pile(rules, _build_question_with_cards(question, all_of_kind))
    # This player showed no melds, so reasons about shown melds would make no sense.
    return [each for each in ruling.reasons if each.code not in _AGAINST_MELDS_SHOWN]


# ------------------------------------------------------------------------------ melds with the top card


def _find_melds_of_top_card(
    rules: Ruleset, hand: Cards, question: PileQuestion
) -> Iterator[Candidate]:
    """Find the melds of the pile's top card and cards of the hand with which the pile is taken.

    The simplest come first. They may have too few points, if the side must reach a minimum.
    """
    if kind_of(question.top).is_natural:
        yield from _find_melds_of_natural_top_card(rules, hand, question)
    else:
        yield from _find_melds_of_special_top_card(rules, hand, question)


def _find_melds_of_special_top_card(
    rules: Ruleset, hand: Cards, question: PileQuestion
) -> Iterator[Candidate]:
    """Find the melds with which a player takes a joker, a two or a three from the discard pile.

    These cards are laid with others of their kind only. With a joker on top and two in the hand,
    the top card is tried alone, with one joker, and with two.
    """
    kind = kind_of(question.top)
    for number_of_cards in range(hand.of(kind) + 1):
        own_cards = _OwnCards(kind, of_kind=number_of_cards)
        question_with_cards = _build_question_with_cards(question, own_cards)
        if rule_pile(rules, question_with_cards).verdict is Verdict.ALLOWED:
            yield _combine_with_top_card(rules.settings, own_cards, on=None)


def _find_melds_of_natural_top_card(
    rules: Ruleset, hand: Cards, question: PileQuestion
) -> Iterator[Candidate]:
    """Find the melds with which a player takes a natural card, such as a king, from the pile.

    It is laid with other kings and with wild cards (jokers and twos) of the hand. The simplest
    melds come first. They may have too few points, if the side must reach a minimum.
    """
    for own_cards in _list_cards_to_try(rules.settings, hand, kind_of(question.top)):
        question_with_cards = _build_question_with_cards(question, own_cards)
        use = _find_first_use_that_takes_pile(rules, question_with_cards)
        if use is not None:
            index_on_table = use.onto_index  # of the meld that the cards join; None for a new meld
            yield _combine_with_top_card(rules.settings, own_cards, on=index_on_table)


def _list_cards_to_try(settings: Settings, hand: Cards, kind: Kind) -> Iterator[_OwnCards]:
    """List the cards of a hand to try with the top card of the pile, simple choices first.

    `kind` is the kind of the top card. With an eight on top and `8 8 2` in the hand:

    - without wild cards (jokers and twos): no card, `8`, `8 8`
    - with a wild card: `8 2`, `8 8 2`
    """
    most_of_kind = hand.of(kind)
    for of_kind in range(most_of_kind + 1):
        yield _OwnCards(kind, of_kind)

    most_wilds = min(hand.wilds, settings.wild_limit)
    for wilds in range(1, most_wilds + 1):
        # Wild cards alone do not take the pile: one equal card of the hand is needed beside them.
        for of_kind in range(1, most_of_kind + 1):
            yield _OwnCards(kind, of_kind, wilds)


def _build_question_with_cards(question: PileQuestion, own_cards: _OwnCards) -> PileQuestion:
    """Build the question whether the pile may be taken with just these cards of the hand.

    It is the question of a player who shows them, with the top card of the pile, as a meld (group).
    """
    return replace(question, laid=_show_cards_with_top_card(question, own_cards.cards))


def _find_first_use_that_takes_pile(rules: Ruleset, question: PileQuestion) -> TopCardUse | None:
    """Find the first allowed way to use the pile's top card with the cards of a question.

    It becomes part of a new meld (group of cards), or joins a meld on the table. None if neither is
    allowed.
    """
    for use in uses_of_top_card(rules, question):
        codes_against = {each.code for each in against_use(rules, question, use)}
        # Too few points for the first cards of a side are no obstacle here: other melds that are
        # laid in the same turn may add the missing ones.
        obstacles = codes_against - {BELOW_MINIMUM}
        if not obstacles:
            return use
    return None


def _combine_with_top_card(
    settings: Settings, own_cards: _OwnCards, *, on: int | None
) -> Candidate:
    """Combine the pile's top card with cards of the hand to a meld, as a candidate for the solver.

    An eight on top and `8 2` of the hand become two eights and one wild card, for which the solver
    chooses a joker or a two. `on` is the index of the meld on the table that they join; None for a
    new meld. What lay in that meld before is left out, because it has no part in the points.
    """
    cards_laid = own_cards.with_top_card
    meld = read_meld(cards_laid.cards)
    candidate = Candidate(
        added=cards_laid.without_wilds.cards,
        wilds=cards_laid.wilds,
        meld=meld,
        on=on,
        additions=compute_additions_of_meld(settings, meld, on=on),
    )
    # The solver counts the melds that may hold the top card: this is one more of them.
    return candidate.also_adding_one_to(MELDS_FOR_TOP_CARD)


# ---------------------------------------------------------------------------- melds as a question


def _list_melds_as_shown(question: PileQuestion, play: Play) -> tuple[Reading, ...]:
    """List the melds (groups of cards) of a play that takes the pile, as a player would show them.

    So the ruling on shown melds can judge what the search has found.
    """
    meld_of_top, *other_melds = play.laid  # the meld with the top card of the pile comes first
    own_cards = subtract_cards(meld_of_top.cards, question.top.cards)
    shown = list(_show_cards_with_top_card(question, own_cards))
    for meld in other_melds:
        shown.append(Reading(meld.cards))
    return tuple(shown)


def _show_cards_with_top_card(question: PileQuestion, own_cards: Cards) -> tuple[Reading, ...]:
    """Return the melds that a player shows to lay these cards of the hand with the pile's top card.

    With a king on top of the pile:

    - no cards → no meld: the king alone is added to kings on the table.
    - `K K` with kings on the table → `K K`, which join them together with the top card.
    - `K K` with no kings on the table → the new meld `K K K`.
    """
    if own_cards.size == 0:
        return ()
    if _has_group_to_join(question):
        return (Reading(own_cards),)
    new_meld = gather_readings(question.top, Reading(own_cards))
    return (new_meld,)


def _has_group_to_join(question: PileQuestion) -> bool:
    """Tell whether the side has a group of the top card's rank on the table.

    With a king on top of the pile: `K K K` or `K K 2` on the table → True.
    """
    only_rank = (INDEX[kind_of(question.top)],)  # jokers and twos beside it have no rank
    return any(meld.cards.ranks == only_rank for meld in question.table)
