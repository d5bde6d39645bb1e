"""Rulings on whether a player's whole hand can take the pile, and how.

The melds that the top card can make with cards of the hand are tried one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from scorepad.referee.best_play import (
    MELDS,
    MELDS_FOR_TOP_CARD,
    MELDS_THAT_MAY_OPEN,
    LayableMeld,
    LayingTask,
    WildPoints,
    build_opening_task,
    find_best_play,
    find_melds_for_opening,
    find_melds_with_spare_top,
    find_new_melds,
    get_wild_points,
    give_opening_points,
    leave_barred_ranks_out,
    make_layable,
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
from scorepad.rules.possible_melds import PossibleMeld
from scorepad.rules.settings import Settings
from scorepad.rules.table import read_meld

_AGAINST_ANY_CARDS = frozenset(
    {"pile-before-opening", "pile-top-stops", "pile-top-special", "pile-top-dead"}
)
"""Reasons that do not depend on the cards of the hand."""
_AGAINST_MELDS_SHOWN = frozenset(
    {
        "pile-top-unused",
        "meld-too-short",
        "opening-from-hand",
        BELOW_MINIMUM,
        *FAULTS_OF_MINIMUMS,
    }
)
"""Reasons that apply only to melds shown by the player."""
_TOO_FEW_NATURALS = "pile-naturals"
"""The reason that the hand lacks cards of the top card's rank, which says how many are needed."""


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


def rule_best_way_to_take(rules: Ruleset, question: PileQuestion) -> Ruling:
    """Answer whether a player can take the discard pile, and how, with all cards of the hand known.

    To take the pile, a player lays its top card on the table with cards of the hand. The answer
    shows the simplest way. If these are the first cards that the side lays in this round, it shows
    the way with most points, because they must reach a minimum.
    """
    hand = question.hand or NOTHING
    opponents = question.opponents or ()
    impossible = report_impossible_cards(rules, hand, question.top, *question.table, *opponents)
    if impossible:
        return forbidden(impossible)

    ruling_for_any_hand = _rule_pile_for_any_hand(rules, question)
    if ruling_for_any_hand is not None:
        return ruling_for_any_hand
    return _rule_hand_taking_pile(rules, question, hand.cards)


def _rule_pile_for_any_hand(rules: Ruleset, question: PileQuestion) -> Ruling | None:
    """Rule on taking the discard pile if the answer is the same for any hand; otherwise None.

    Some top cards cannot be taken, for example, whatever cards the player has.
    """
    ruling = rule_pile(rules, question)  # as if the player laid no cards
    against_any_hand = [each for each in ruling.reasons if each.code in _AGAINST_ANY_CARDS]
    if against_any_hand:
        return replace(ruling, reasons=tuple(against_any_hand))
    return None


def _rule_hand_taking_pile(rules: Ruleset, question: PileQuestion, hand: Cards) -> Ruling:
    """Rule on the best way in which the cards of a hand take the discard pile.

    If there is none, the ruling says why.
    """
    play = _find_best_way_to_take(rules, question, hand)
    if play is None:
        return _explain_why_pile_is_not_taken(rules, question, hand)
    return _rule_play_taking_pile(rules, question, play)


def _rule_play_taking_pile(rules: Ruleset, question: PileQuestion, play: Play) -> Ruling:
    """Rule on taking the discard pile with this play, and show the play if it is allowed.

    It may be forbidden: the first cards that a side lays in a round must reach a minimum of points.
    Then the ruling says what is missing.
    """
    # The player is taken to have shown these melds, but the reasons speak of the whole hand.
    question_with_melds = replace(question, laid=_list_melds_as_shown(question, play))
    ruling = rule_pile(rules, question_with_melds)
    if ruling.verdict is Verdict.FORBIDDEN:
        return worded_for_hand(ruling, play=None)
    return worded_for_hand(ruling, Play(play.laid, discard=None))


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
    for meld in _find_melds_of_top_card(rules, hand, question):  # the simplest comes first
        return _lay_only(meld, question.top, hand)
    return None


def _lay_only(meld: LayableMeld, top: Reading, hand: Cards) -> Play | None:
    """Lay just this meld (group of cards), which holds the top card of the pile.

    The meld may leave open whether a card in it is a joker or a two. Then a two of the hand is
    taken if there is one, as jokers are worth more.
    """
    task = LayingTask(
        available=gather((hand, top.cards)),
        melds=(meld,),
        required={},
        wilds=WildPoints(joker=0, two=1),  # so a two is preferred
        top=top,
    )
    return find_best_play(task.requiring(MELDS, least=1, most=1))


def _find_best_opening_with_pile(
    rules: Ruleset, question: PileQuestion, hand: Cards, *, minimum: int
) -> Play | None:
    """Find how a side best takes the discard pile with the first cards that it lays in a round.

    These must reach a minimum of points, so the best play is the one with most points. None if the
    hand cannot take the pile at all. The result may still have fewer points than the minimum.
    """
    task = build_opening_task(
        available=gather((hand, question.top.cards)),
        melds=_list_melds_to_open_with_pile(rules, question, hand, minimum=minimum),
        wilds=get_wild_points(rules.settings),
        top=question.top,
    )
    task = task.requiring(MELDS_FOR_TOP_CARD, least=1, most=1)
    # In some games a meld of jokers and twos may be laid first only beside another meld.
    play_that_opens = find_best_play(task.requiring(MELDS_THAT_MAY_OPEN, least=1))
    if play_that_opens is not None:
        return play_that_opens
    return find_best_play(task)  # the ruling on this play will say why it does not open


def _list_melds_to_open_with_pile(
    rules: Ruleset, question: PileQuestion, hand: Cards, *, minimum: int
) -> list[LayableMeld]:
    """List the melds (groups of cards) that a side may lay first in a round when it takes the pile.

    Each has the points that it adds toward the minimum. With a king on top of the pile they are:

    - the king with cards of the hand
    - other cards of the hand, which may be laid beside that meld
    - the king alone, added to kings that the side already has on the table
    """
    top_with_hand: list[LayableMeld] = []
    top_alone: list[LayableMeld] = []
    for meld in _find_melds_of_top_card(rules, hand, question):
        if meld.cards_from_hand > 1:  # the top card is counted among them
            top_with_hand.append(meld)
        else:
            top_alone.append(give_opening_points(meld, points=0, may_open=False))

    new_melds_of_hand = find_new_melds(rules.settings, hand, going_out=False)
    hand_alone = leave_barred_ranks_out(
        rules.settings, new_melds_of_hand, question.table, question.opponents
    )
    if rules.settings.opening_pile == "hand-only":
        first_melds = find_melds_for_opening(rules, hand_alone, minimum, concealed=False)
        return [
            *find_melds_with_spare_top(rules, top_with_hand, question.top, minimum),
            *first_melds,
        ]
    new_melds = [*top_with_hand, *hand_alone]
    new_melds_with_points = find_melds_for_opening(rules, new_melds, minimum, concealed=False)
    return [*new_melds_with_points, *top_alone]


def _explain_why_pile_is_not_taken(rules: Ruleset, question: PileQuestion, hand: Cards) -> Ruling:
    """Rule that a hand cannot take the discard pile, and say why.

    With a king on top and two kings in the hand, the reasons are those against taking it with both.
    With no king in the hand, they always say how many kings are needed.
    """
    kind = kind_of(question.top)
    number_held = hand.of(kind)
    reasons = _list_reasons_against_all_equal_cards(rules, question, number_held)

    is_number_needed_told = any(each.code == _TOO_FEW_NATURALS for each in reasons)
    if kind.is_natural and number_held == 0 and not is_number_needed_told:
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
    ruling = rule_pile(rules, _ask_with_own_cards(question, all_of_kind))
    # This player showed no melds, so reasons about shown melds would make no sense.
    return [each for each in ruling.reasons if each.code not in _AGAINST_MELDS_SHOWN]


# ------------------------------------------------------------------------------ melds with the top card


def _find_melds_of_top_card(
    rules: Ruleset, hand: Cards, question: PileQuestion
) -> Iterator[LayableMeld]:
    """Find the melds of the pile's top card and cards of the hand with which the pile is taken.

    The simplest come first. They may have too few points, if the side must reach a minimum.
    """
    if kind_of(question.top).is_natural:
        yield from _find_melds_of_natural_top_card(rules, hand, question)
    else:
        yield from _find_melds_of_special_top_card(rules, hand, question)


def _find_melds_of_special_top_card(
    rules: Ruleset, hand: Cards, question: PileQuestion
) -> Iterator[LayableMeld]:
    """Find the melds with which a player takes a joker, a two or a three from the discard pile.

    These cards are laid with others of their kind only. With a joker on top and two in the hand,
    the top card is tried alone, with one joker, and with two.
    """
    kind = kind_of(question.top)
    most_of_kind = hand.of(kind)
    for number in range(most_of_kind + 1):
        own_cards = _OwnCards(kind, of_kind=number)
        ruling = rule_pile(rules, _ask_with_own_cards(question, own_cards))
        # Other melds that are laid in the same turn may add the points that are missing.
        lacks_only_points = all(each.code == BELOW_MINIMUM for each in ruling.reasons)
        if ruling.verdict is Verdict.ALLOWED or lacks_only_points:
            yield _make_meld_with_top_card(rules.settings, own_cards, index_on_table=None)


def _find_melds_of_natural_top_card(
    rules: Ruleset, hand: Cards, question: PileQuestion
) -> Iterator[LayableMeld]:
    """Find the melds with which a player takes a natural card, such as a king, from the pile.

    It is laid with other kings and with wild cards (jokers and twos) of the hand. The simplest
    melds come first. They may have too few points, if the side must reach a minimum.
    """
    for own_cards in _list_cards_to_try(rules.settings, hand, kind_of(question.top)):
        use = _find_first_use_that_takes_pile(rules, _ask_with_own_cards(question, own_cards))
        if use is None:
            continue  # the pile is not taken with these cards
        yield _make_meld_with_top_card(rules.settings, own_cards, index_on_table=use.joined_index)


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


def _ask_with_own_cards(question: PileQuestion, own_cards: _OwnCards) -> PileQuestion:
    """Ask the same question for a player who takes the pile with just these cards of the hand."""
    return replace(question, laid=_form_melds_with_top_card(question, own_cards.cards))


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


def _make_meld_with_top_card(
    settings: Settings, own_cards: _OwnCards, *, index_on_table: int | None
) -> LayableMeld:
    """Make the meld of the pile's top card and cards of the hand.

    An eight on top and `8 2` of the hand make a meld of two eights and a joker or a two.
    `index_on_table`: of the meld on the table that they join, None for a new meld. The cards that
    the meld on the table has are left out, because only those added count.
    """
    with_top_card = own_cards.of_kind + 1
    fixed_cards = build_cards({INDEX[own_cards.kind]: with_top_card})
    wilds = build_cards({TWO: own_cards.wilds})  # as twos; jokers are as good
    possible = PossibleMeld(
        fixed_cards,
        places_for_wilds=own_cards.wilds,
        meld=read_meld(gather((fixed_cards, wilds))),
    )
    meld = make_layable(settings, possible, index_on_table=index_on_table)
    return meld.also_adding_one_to(MELDS_FOR_TOP_CARD)


# ---------------------------------------------------------------------------- melds as a question


def _list_melds_as_shown(question: PileQuestion, play: Play) -> tuple[Reading, ...]:
    """List the melds (groups of cards) of a play that takes the pile, as a player would show them.

    A question on shown melds has the top card of the pile beside them, not always among them.
    """
    meld_of_top, *other_melds = play.laid  # the meld with the top card of the pile comes first
    own_cards = subtract_cards(meld_of_top.cards, question.top.cards)
    shown = list(_form_melds_with_top_card(question, own_cards))
    for meld in other_melds:
        shown.append(Reading(meld.cards))
    return tuple(shown)


def _form_melds_with_top_card(question: PileQuestion, own_cards: Cards) -> tuple[Reading, ...]:
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
