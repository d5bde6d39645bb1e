"""Rulings on whether a player's whole hand can go out, and how.

All cards but the discard are laid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from enum import StrEnum

from scorepad.referee.best_play import (
    ALL_PLAYS_EQUAL,
    CANASTAS,
    LARGEST_TIDIED_HAND,
    MELDS_PREVENTING_OUT,
    MELDS_THAT_MAY_OPEN,
    NEW_CANASTAS,
    OPENING_POINTS,
    CardsNotLaid,
    LayableMeld,
    LayingTask,
    Weights,
    find_best_play,
    find_lay_offs,
    find_melds_for_opening,
    find_new_melds,
    get_wild_points,
    give_opening_points,
    laid_on_meld,
    leave_barred_ranks_out,
)
from scorepad.referee.going_out import against_going_out, decide_going_out, with_consequences_of_no
from scorepad.referee.in_force import is_dead
from scorepad.referee.meld import (
    against_laying_wilds,
    has_too_few_naturals_for_wilds,
    rule_meld,
    takes_wilds_only_in_opening,
)
from scorepad.referee.opening import rule_opening
from scorepad.referee.questions import MeldQuestion, OpeningQuestion, OutQuestion
from scorepad.referee.reasons import reason
from scorepad.referee.ruling import (
    Play,
    Reason,
    Reasons,
    Ruling,
    Verdict,
    allowed,
    forbidden,
)
from scorepad.referee.situation import report_impossible_cards
from scorepad.referee.special_hands import (
    explain_late_special_hand,
    find_special_hand,
    rule_special_hand,
)
from scorepad.referee.whole_hand import possible_last_discards, table_after, worded_for_hand
from scorepad.rules.cards import (
    BLACK_THREE,
    INDEX,
    KINDS,
    NO_CARDS,
    NOTHING,
    RED_THREE,
    Cards,
    Kind,
    Reading,
    build_cards,
    gather,
    subtract_cards,
)
from scorepad.rules.definitions import Ruleset
from scorepad.rules.settings import Settings
from scorepad.rules.solver import Total
from scorepad.rules.table import Meld, find_kind_of_canasta, read_meld
from scorepad.rules.turn_checks import may_be_last_discard

_NATURALS_ON_WILDS = Total("naturals on wilds")
"""How often natural cards are laid on a meld of wild cards alone."""
_REMEDIED_BY_LAYING = frozenset(
    {
        "out-canastas-missing",
        "out-red-threes-missing",
        "out-wild-meld-incomplete",
        "out-meld-incomplete",
    }
)
"""Reasons against the melds of the table that may go away when the hand is laid."""


class _Discardable(StrEnum):
    """Which of the cards that stay in a hand may be its last discard: the wording of a reason."""

    ANY_ONE = "one"
    """Any one of them."""
    ONLY_SOME = "some"
    """Some of them are special cards, which may not be discarded last."""
    NONE = "special"
    """All of them are special cards, which may not be discarded last."""
    NAMED_BEFORE = "said"
    """It does not matter: the discard was named by the question, or is clear from the hand."""
    NOT_WANTED = "without"
    """The question asks for a way out without a discard."""


def rule_best_way_out(rules: Ruleset, question: OutQuestion) -> Ruling:
    """Answer whether a player can go out, and how, with all cards of the hand known.

    To go out is to lay or discard the last card, which ends the round.
    """
    # Who lays the first cards of the side and goes out in the same turn goes out "concealed". Such
    # a question need not say so.
    lays_first_cards = len(question.table) == 0
    concealed = question.concealed or lays_first_cards
    ruling = _rule_hand_going_out(rules, replace(question, concealed=concealed))
    ruling = _with_condition_on_opponents(rules.settings, question, ruling)
    return with_consequences_of_no(rules, question, ruling)


def _with_condition_on_opponents(
    settings: Settings, question: OutQuestion, ruling: Ruling
) -> Ruling:
    """Return a ruling with the condition that no rank laid is dead, if that is not known.

    In some games a rank is dead once a side has a canasta of it: nobody lays more cards of it.
    """
    is_open = settings.dead_ranks != "none" and question.opponents is None
    if not is_open or ruling.play is None or not ruling.play.laid:
        return ruling
    # On the page: "Only if the opponents have no canasta of a rank of these melds: that rank would
    # be dead."
    condition = reason("opening-hangs-on-dead", cited_settings="dead-ranks")
    return replace(ruling, reasons=(*ruling.reasons, condition))


def _rule_hand_going_out(rules: Ruleset, question: OutQuestion) -> Ruling:
    """Rule on whether a hand can lay all its cards and end the round, and how.

    - Something forbids it, whatever cards are laid → forbidden.
    - There is no way to do it → forbidden, with what is missing.
    - No rule book says whether the best way is allowed → silent, since the referee never guesses.
    - Otherwise → the ruling on the best way.
    """
    hand = question.hand or NOTHING
    impossible = report_impossible_cards(rules, hand, *question.table, *(question.opponents or ()))
    if impossible:
        return forbidden(impossible)
    special = find_special_hand(rules.settings, hand.cards)
    if special is None:
        return _rule_laying_hand(rules, question, hand)
    shown = rule_special_hand(rules, question, special)
    if shown is not None:
        return shown
    ruling = _rule_laying_hand(rules, question, hand)
    return replace(ruling, reasons=(*ruling.reasons, explain_late_special_hand(special)))


def _rule_laying_hand(rules: Ruleset, question: OutQuestion, hand: Reading) -> Ruling:
    """Rule on whether a hand, whose cards can exist, can be laid but for the discard, and how."""
    against_any_way = tuple(_list_what_prevents_any_way_out(rules, question, hand.cards))
    if against_any_way:
        return forbidden(against_any_way)

    play = _find_best_way_out(rules, question, hand.cards)
    if play is None:
        return _explain_why_no_way_out(rules, question, hand.cards)
    ruling = _rule_play(rules, question, play)
    not_stated = _find_additions_not_in_rule_books(rules, question, play)
    if not_stated:
        return replace(ruling, verdict=Verdict.SILENT, reasons=not_stated)
    return ruling


def _list_what_prevents_any_way_out(rules: Ruleset, question: OutQuestion, hand: Cards) -> Reasons:
    """List what prevents a player from ending the round, whatever cards of the hand are laid.

    For example, the partner was asked and said no. Nothing is listed that the cards of the hand may
    still put right, such as too few complete melds on the table.
    """
    yield from _check_threes_in_hand(rules.settings, hand)
    for against in against_going_out(rules, question):
        if against.code not in _REMEDIED_BY_LAYING:
            yield against
    yield from _check_discard_is_in_hand(question.discard, hand)
    yield from _check_concealed_comes_in_time(rules.settings, question)


def _check_discard_is_in_hand(discard: Reading | None, hand: Cards) -> Reasons:
    """Yield a reason if the card that a player wants to discard last is not in the hand.

    The discard `9` and the hand `K K 8` → the reason. None: the player does not say which card.
    """
    if discard is None or discard.cards.is_among(hand):
        return
    # On the page: "The card to discard is not one of the hand."
    yield reason("discard-not-in-hand", cited_settings="last-discard")


def _check_concealed_comes_in_time(settings: Settings, question: OutQuestion) -> Reasons:
    """Yield a reason if it is too late to end the round "concealed": by laying all cards in one turn.

    In most games only the first cards that a side lays in the round may be laid so.
    """
    only_with_first_cards = settings.concealed_out == "opening-turn"
    side_has_laid_cards = len(question.table) > 0
    if question.concealed and only_with_first_cards and side_has_laid_cards:
        # On the page: "Going out concealed is for whoever opens and goes out in the same turn …"
        yield reason("concealed-after-opening", cited_settings="concealed-out")


def _check_threes_in_hand(settings: Settings, hand: Cards) -> Reasons:
    """Check that the hand holds no threes that should lie on the table, and yield the reason if so.

    In most games a red three (a bonus card) is put on the table at once, and another card is drawn
    for it. In some games the same holds for black threes.
    """
    red_threes = hand.counts[RED_THREE]
    black_threes = hand.counts[BLACK_THREE]
    threes = 0
    cited_settings: list[str] = []
    if red_threes > 0 and settings.red_threes_kept == "exposed":
        threes += red_threes
        cited_settings.append("red-threes-kept")
    if black_threes > 0 and settings.black_threes_exposed:
        threes += black_threes
        cited_settings.append("black-threes-exposed")

    if threes > 0:
        # On the page: "This hand holds threes to be exposed …"
        yield reason("hand-threes-to-expose", cited_settings=cited_settings, threes=threes)


def _find_points_to_reach(settings: Settings, question: OutQuestion) -> int | None:
    """Find how many points a player must lay to end the round: at least 50, for example.

    It is the minimum that the first cards of a side in a round must reach. None if the side has
    laid cards before, and in a game that waives it for a player who lays all cards in one turn.
    """
    side_has_laid_cards = len(question.table) > 0
    if side_has_laid_cards:
        return None
    is_waived = settings.concealed_out == "own-melds-only"
    if is_waived:
        return None
    # What the question leaves out is that of a match that has just begun.
    return settings.opening_minimum(question.score or 0, question.deal or 1)


# --------------------------------------------------------------------------------------- the search


def _find_best_way_out(rules: Ruleset, question: OutQuestion, hand: Cards) -> Play | None:
    """Find the best way to lay all cards of the hand and end the round; None if there is none.

    One card may be left over, to be discarded last.
    """
    settings = rules.settings
    minimum = _find_points_to_reach(settings, question)
    task = _build_task_of_laying_hand(rules, question, hand, minimum=minimum)
    task = _require_what_going_out_needs(task, settings, question, minimum)
    play = find_best_play(task)
    if play is not None:
        return play

    has_meld_of_wilds = any(_has_only_wilds(meld.cards) for meld in question.table)
    if settings.wild_meld_naturals == "unspoken" and has_meld_of_wilds:
        # The rule books of this game do not say whether a king may be added to a meld of jokers and
        # twos. That is tried only now, because the ruling on it cannot be a clear yes.
        return find_best_play(task.requiring(_NATURALS_ON_WILDS, least=0))
    return None


def _require_what_going_out_needs(
    task: LayingTask, settings: Settings, question: OutQuestion, minimum: int | None
) -> LayingTask:
    """Require of the melds to lay what a player needs to end the round, such as two canastas.

    A canasta is a meld of seven cards or more. `minimum` are the points that the melds must reach
    if they are the first of the side; None if there is no such limit.
    """
    task = task.requiring_canastas_to_go_out(settings)
    task = task.requiring(MELDS_PREVENTING_OUT, most=0)
    if settings.out_red_threes == "one-for-each-canasta":
        # Each canasta needs a red three (a bonus card) on the table beside it.
        task = task.requiring(CANASTAS, least=settings.canastas_needed, most=question.red_threes)
    if question.concealed:  # who had laid nothing before must lay a whole canasta
        task = task.requiring(NEW_CANASTAS, least=1)
    if minimum is not None:
        task = task.requiring(MELDS_THAT_MAY_OPEN, least=1)
        task = task.requiring(OPENING_POINTS, least=minimum)
    return task


def _build_task_of_laying_hand(
    rules: Ruleset, question: OutQuestion, hand: Cards, *, minimum: int | None
) -> LayingTask:
    """Build the task of laying all cards of the hand but the last discard, for the most points.

    It does not yet require what a player needs to end the round, such as two canastas. `minimum`
    are the points that first melds must reach; None if there is no such limit.
    """
    settings = rules.settings
    discards = possible_last_discards(settings, hand, question.discard)
    cards_to_lay = subtract_cards(hand, discards.set_aside)
    melds = [
        *_list_new_melds(rules, question, cards_to_lay, minimum=minimum),
        *_find_additions_to_table(rules, question, cards_to_lay),
    ]
    task = LayingTask(
        available=cards_to_lay,
        melds=tuple(_make_worth_its_points(meld, settings) for meld in melds),
        required={},
        wilds=get_wild_points(settings),
        weights=_choose_weights(cards_to_lay),
    )
    task = _require_legal_melds(task, settings, question)
    return task.laying_all_but(discards)


def _choose_weights(cards_to_lay: Cards) -> Weights:
    """Choose whether ways to lay these cards are compared by their points.

    They are, except in a hand of more than 40 cards: there the best way takes too long to find, and
    any way is a correct answer.
    """
    is_large_hand = cards_to_lay.size > LARGEST_TIDIED_HAND
    if is_large_hand:
        return ALL_PLAYS_EQUAL
    return Weights()


def _require_legal_melds(task: LayingTask, settings: Settings, question: OutQuestion) -> LayingTask:
    """Require what holds for the melds of a side after any play.

    For example, it may have only one incomplete meld of kings: one of fewer than seven cards.
    """
    for index in range(len(question.table)):
        # The choices for a meld on the table are to add nothing, one king, two kings and so on.
        task = task.requiring(laid_on_meld(index), least=1, most=1)
    task = task.with_one_incomplete_meld_of_each_rank()
    if settings.wild_meld_naturals == "unspoken":
        # No rule book says that a king may be added to a meld of jokers and twos.
        task = task.requiring(_NATURALS_ON_WILDS, most=0)
    return task


def _make_worth_its_points(meld: LayableMeld, settings: Settings) -> LayableMeld:
    """Return a copy of a meld that is worth the points of the cards laid from the hand.

    If it is a canasta (a meld of seven cards or more), the bonus for that is added.
    """
    points = meld.fixed_cards.points(settings.card_points)
    canasta = find_kind_of_canasta(meld.result, settings)
    if canasta is not None:
        points += canasta.points
    return meld._replace(worth=points)


def _list_new_melds(
    rules: Ruleset, question: OutQuestion, cards_to_lay: Cards, *, minimum: int | None
) -> list[LayableMeld]:
    """List the new melds (groups of cards) that a player who ends the round can lay.

    If they are the first ones of the side, each has the points that it adds to the `minimum` that
    first melds must reach; None if there is no such limit.
    """
    settings = rules.settings
    new_melds = find_new_melds(settings, cards_to_lay, going_out=True)
    legal_melds = leave_barred_ranks_out(settings, new_melds, question.table, question.opponents)
    side_has_laid_cards = len(question.table) > 0
    if side_has_laid_cards:
        return _select_melds_after_opening(settings, legal_melds)
    if minimum is None:
        return list(legal_melds)
    return [
        *find_melds_for_opening(rules, legal_melds, minimum, concealed=True),
        *_find_canastas_laid_in_two_steps(settings, legal_melds),
    ]


def _find_canastas_laid_in_two_steps(
    settings: Settings, melds: Iterable[LayableMeld]
) -> Iterator[LayableMeld]:
    """Find the melds that a player first lays without some cards, which are added later in the turn.

    In some games the first cards of a side may not include a complete canasta (seven cards or more)
    with a joker or a two. So of six kings and a two the player first lays five kings and the two,
    and only the points of these count toward the minimum for first cards.
    """
    for meld in melds:
        held_back = _find_cards_to_hold_back(settings, meld.result)
        if held_back.size == 0:
            continue
        laid_first = subtract_cards(meld.fixed_cards, held_back)
        points = laid_first.points(settings.card_points)
        # In these games another meld, without jokers and twos, must be laid first.
        yield give_opening_points(meld, points, may_open=False)


def _find_cards_to_hold_back(settings: Settings, meld: Meld) -> Cards:
    """Find the natural cards of a meld that a player holds back when laying the first cards.

    In some games the first cards of a side may not include a complete canasta (seven cards or more)
    with a joker or a two. Of six kings and a two it is a king, so that five kings and the two are
    laid first. Of five kings and a two it is none, because they can be laid as they are.
    """
    if settings.opening_natural_group == "not-needed" or meld.rank is None or meld.wilds == 0:
        return NO_CARDS
    beyond_incomplete = meld.size - settings.canasta_length + 1
    return build_cards({meld.rank: max(0, beyond_incomplete)})


def _select_melds_after_opening(
    settings: Settings, melds: Iterable[LayableMeld]
) -> list[LayableMeld]:
    """Select the melds (groups of cards) that a side may lay after its first ones.

    In some games certain ranks take wild cards (jokers and twos) only among the first cards of a
    side. Melds of such a rank with a wild card are left out.
    """
    allowed_melds: list[LayableMeld] = []
    for meld in melds:
        has_wilds = meld.result.wilds > 0
        if has_wilds and takes_wilds_only_in_opening(settings, meld.result):
            continue
        if has_too_few_naturals_for_wilds(settings, meld.result, meld.wilds_from_hand):
            continue
        allowed_melds.append(meld)
    return allowed_melds


def _find_additions_to_table(
    rules: Ruleset, question: OutQuestion, cards_to_lay: Cards
) -> Iterator[LayableMeld]:
    """Find what a player can add to each meld (group of cards) on the table, including nothing.

    A player who ends the round "concealed", which means to lay all cards in one turn, may lay them
    in new melds only in most games, and so adds nothing.
    """
    lays_new_melds_only = question.concealed and rules.settings.concealed_out != "with-lay-offs"
    cards_to_add = NO_CARDS if lays_new_melds_only else cards_to_lay
    for index, table_meld in enumerate(question.table):
        for grown in find_lay_offs(rules.settings, cards_to_add, table_meld, index_on_table=index):
            if not _may_add_wilds(rules, table_meld, grown.wilds_from_hand):
                continue
            if has_too_few_naturals_for_wilds(rules.settings, grown.result, grown.wilds_from_hand):
                continue
            adds_cards = grown.cards_from_hand > 0
            if adds_cards and _is_rank_dead(rules.settings, question, index, grown.result):
                continue
            if _lays_naturals_on_wilds(grown, table_meld):
                # Counted, because some rule books do not say whether it is allowed.
                yield grown.also_adding_one_to(_NATURALS_ON_WILDS)
            else:
                yield grown


def _is_rank_dead(settings: Settings, question: OutQuestion, index: int, meld: Meld) -> bool:
    """Tell whether a meld (group of cards) on the table is of a rank that nobody extends any more.

    In some games that is so once a side has a canasta of it. If that is this meld itself, at this
    `index`, its length decides: who goes out may make it longer in some games.
    """
    if meld.rank is None:
        return False
    other_melds = (*question.table[:index], *question.table[index + 1 :])
    return is_dead(settings, KINDS[meld.rank], own_melds=other_melds, opponents=question.opponents)


def _may_add_wilds(rules: Ruleset, table_meld: Reading, wilds: int) -> bool:
    """Tell whether this number of wild cards (jokers and twos) may be added to a meld on the table."""
    reasons_against = list(against_laying_wilds(rules, read_meld(table_meld.cards), wilds))
    return len(reasons_against) == 0


def _lays_naturals_on_wilds(meld: LayableMeld, table_meld: Reading) -> bool:
    """Tell whether natural cards are added to a meld of wild cards (jokers and twos) alone.

    A king added to `2 2 JK` → True; a joker added to it, or a king added to `K K 2` → False.
    """
    adds_naturals = meld.fixed_cards.naturals > 0
    return adds_naturals and _has_only_wilds(table_meld.cards)


def _has_only_wilds(meld: Cards) -> bool:
    """Tell whether a meld has no cards but wild ones, which are jokers and twos."""
    return meld.wilds == meld.size


# ------------------------------------------------------------------------------ the ruling on a play


def _rule_play(rules: Ruleset, question: OutQuestion, play: Play) -> Ruling:
    """Rule on ending the round with this play.

    - Forbidden → only the reasons for that.
    - Allowed → the play itself and, if the order of the cards matters, a hint about that.
    """
    ruling = _rule_out_and_opening(rules, question, play)
    if ruling.verdict is Verdict.FORBIDDEN:
        return forbidden(ruling.reasons)
    reasons = list(ruling.reasons)
    if _must_lay_wilds_first(rules.settings, table_after(play, question.table), play):
        # On the page: "… on the meld that becomes a canasta the wild cards are laid first …"
        reasons.append(reason("way-wilds-first", cited_settings="wild-on-canasta"))
    return allowed(tuple(reasons), ruling.details, play)


def _rule_out_and_opening(rules: Ruleset, question: OutQuestion, play: Play) -> Ruling:
    """Rule on whether a player may end the round (go out) with the melds of a play.

    If they are the first cards that the side lays in this round, they must also meet the conditions
    for first cards (an opening), such as a minimum of points.
    """
    lays_first_cards = len(question.table) == 0
    melds_in_the_end = table_after(play, question.table)
    question_in_the_end = replace(
        question,
        table=melds_in_the_end,
        discard=Reading(play.discard or NO_CARDS),
    )
    ruling_on_out = decide_going_out(rules, question_in_the_end)
    if lays_first_cards and _must_judge_opening(rules.settings, ruling_on_out):
        return _combine_rulings(ruling_on_out, _rule_play_as_opening(rules, question, play))
    return ruling_on_out


def _combine_rulings(one: Ruling, other: Ruling) -> Ruling:
    """Combine two rulings on the same play into one.

    - Both allow it → allowed, with the reasons and details of both.
    - One forbids it → forbidden, with the reasons of that one only.
    - Both forbid it → forbidden, with the reasons of both.
    """
    forbidding = [each for each in (one, other) if each.verdict is Verdict.FORBIDDEN]
    if forbidding:
        reasons_against: list[Reason] = []
        for ruling in forbidding:
            reasons_against += ruling.reasons
        return forbidden(tuple(reasons_against))
    return allowed(one.reasons + other.reasons, {**one.details, **other.details})


def _must_judge_opening(settings: Settings, ruling_on_out: Ruling) -> bool:
    """Tell whether melds that end the round must also be judged as the first cards of their side.

    In most games they must, because first cards have to reach a minimum of points. In others that
    is waived for a player who ends the round with them. There they are judged only if the player
    may end the round at all (`ruling_on_out`): if not, the reasons for that are enough.
    """
    is_minimum_waived = settings.concealed_out == "own-melds-only"
    if is_minimum_waived:
        return ruling_on_out.verdict is Verdict.ALLOWED
    return True


def _must_lay_wilds_first(
    settings: Settings, table_after_play: tuple[Reading, ...], play: Play
) -> bool:
    """Tell whether a play is legal only if wild cards (jokers and twos) are laid before the others.

    In some games no wild card may be added to a canasta, a meld of seven cards. With five kings on
    the table, `K K 2` of the hand → True: after the two kings the meld is a canasta, and the two
    could not be added any more.
    """
    if settings.wild_on_canasta != "forbidden":
        return False
    for laid in play.laid:
        if laid.on is None:  # a new meld
            continue
        if laid.cards.wilds == 0:
            continue
        size_after_play = table_after_play[laid.on].cards.size
        if size_after_play > settings.canasta_length:
            return True
    return False


def _rule_play_as_opening(rules: Ruleset, question: OutQuestion, play: Play) -> Ruling:
    """Rule on the melds of a play as the first cards that a side lays in this round.

    In some games these may not include a complete canasta (seven cards or more) with a joker or a
    two. Of such a canasta one card is added later in the turn, and the ruling has a hint about that.
    """
    settings = rules.settings
    melds_laid_first = [_leave_out_cards_to_add_later(settings, meld) for meld in play.melds]
    hints = tuple(_hint_at_cards_to_add_later(settings, play))
    lays_all_cards_at_once = len(hints) == 0
    opening = OpeningQuestion(
        score=question.score or 0,  # what the question leaves out: a match that has just begun
        melds=tuple(melds_laid_first),
        concealed_out=lays_all_cards_at_once,
        deal=question.deal or 1,
    )
    # Whoever goes out may have longer melds in some games, and draws no talon.
    settings_of_turn = replace(settings.when_going_out(), talon=())
    rules_of_turn = replace(rules, settings=settings_of_turn)
    ruling = worded_for_hand(rule_opening(rules_of_turn, opening), play=None)
    return replace(ruling, reasons=ruling.reasons + hints)


def _leave_out_cards_to_add_later(settings: Settings, meld: Reading) -> Reading:
    """Return a meld as a player lays it first: without the cards that are added later, if any.

    In some games `6xK 2`, a complete canasta with a two, is first laid as `5xK 2`.
    """
    held_back = _find_cards_to_hold_back(settings, read_meld(meld.cards))
    return Reading(subtract_cards(meld.cards, held_back))


def _hint_at_cards_to_add_later(settings: Settings, play: Play) -> Reasons:
    """Yield a hint for each meld that a player first lays without some cards, to add them later.

    In some games the first cards of a side may not include a complete canasta, a group of seven or
    more, with a joker or a two.
    """
    for laid in play.melds:
        meld = read_meld(laid.cards)
        held_back = _find_cards_to_hold_back(settings, meld)
        if meld.rank is not None and held_back.size > 0:
            # On the page: "You cannot open with a complete mixed canasta: lay the kings with one
            # natural card fewer, and lay that card off right after", or (`several`) "… as an
            # incomplete meld, and lay the other natural cards off right after."
            yield reason(
                "opening-canasta-after",
                cited_settings="opening-natural-group",
                wording=None if held_back.size == 1 else "several",
                rank=KINDS[meld.rank],
            )


def _find_additions_not_in_rule_books(
    rules: Ruleset, question: OutQuestion, play: Play
) -> tuple[Reason, ...]:
    """Find the first meld on the table to which a play adds cards, with no rule about that.

    For example, no rule book of some games says whether a king may be added to jokers and twos. The
    result are the reasons for not giving an answer; empty if the rule books say all.
    """
    for laid in play.laid:
        if laid.on is None:  # a new meld
            continue
        table_meld = question.table[laid.on]
        addition = MeldQuestion(Reading(laid.cards), on=table_meld, going_out=True)
        ruling = rule_meld(rules, addition)
        if ruling.verdict is Verdict.SILENT:
            return ruling.reasons
    return ()


# -------------------------------------------------------------------------------- why there is no way


def _explain_why_no_way_out(rules: Ruleset, question: OutQuestion, hand: Cards) -> Ruling:
    """Rule that a hand cannot end the round, and say why.

    - Some cards cannot be laid → the ruling names them.
    - All can be laid, but the melds lack something, such as a canasta (a meld of seven cards or
      more) → the ruling says what.
    """
    play = _find_play_of_all_cards(rules, question, hand)
    if play is None:
        return forbidden((_explain_which_cards_stay(rules, question, hand),))
    ruling = _rule_play(rules, question, play)
    if ruling.verdict is Verdict.FORBIDDEN:
        return forbidden(ruling.reasons)
    # One condition is not part of that ruling: who had laid nothing before must lay a canasta
    # without help of the partner.
    # On the page: "Going out concealed takes a canasta among the cards that the player alone lays."
    return forbidden((reason("own-canasta-missing", cited_settings="concealed-out"),))


def _find_play_of_all_cards(rules: Ruleset, question: OutQuestion, hand: Cards) -> Play | None:
    """Find the best play that lays all cards of the hand, even if it may not end the round.

    None if some cards cannot be laid. The play may leave one card to discard last. It need not do
    so: the ruling on the play then says that a discard is needed.
    """
    task = _build_task_of_laying_hand(rules, question, hand, minimum=None)
    discarding_is_optional = task.not_laid._replace(fewest=0)
    return find_best_play(task.laying_all_but(discarding_is_optional))


def _explain_which_cards_stay(rules: Ruleset, question: OutQuestion, hand: Cards) -> Reason:
    """Name the cards that stay in the hand, even if as many as possible are laid.

    Of the hand `4xK 9 5` the four kings are laid, and `9 5` stay. The reason also says which of
    these may be discarded last.
    """
    play = _find_play_of_most_cards(rules, question, hand)
    cards_left = _count_cards_left_by_play(hand, play)
    discardable = _decide_which_may_be_discarded(
        rules.settings, question, hand, kinds_left=cards_left.keys()
    )
    # On the page: "Whoever goes out holds no cards. Here, even with everything laid that can be, 2
    # cards stay in hand (9 5): only one may be discarded."
    return reason(
        "hand-cards-stay",
        cited_settings=_list_settings_on_cards_that_stay(discardable),
        wording=discardable.value,  # the page has a sentence for each
        cards=sum(cards_left.values()),
        stay=_write_in_notation(cards_left),
    )


def _list_settings_on_cards_that_stay(discardable: _Discardable) -> list[str]:
    """List the settings to cite if a player cannot end the round, because cards stay in the hand.

    That no card may stay is always cited. If some cards may not be discarded last, so is the
    setting that says which.
    """
    cited_settings = ["out-empty-handed"]
    if discardable in (_Discardable.ONLY_SOME, _Discardable.NONE):
        cited_settings.append("last-discard-special")
    return cited_settings


def _write_in_notation(counts: Mapping[Kind, int]) -> str:
    """Write cards as text, from the number of each kind: two kings and a nine → `2xK 9`."""
    words: list[str] = []
    for kind, count in counts.items():
        word = f"{count}x{kind}" if count > 1 else str(kind)
        words.append(word)
    return " ".join(words)


def _find_play_of_most_cards(rules: Ruleset, question: OutQuestion, hand: Cards) -> Play | None:
    """Find the play that lays as many cards of the hand as possible; None if no card can be laid.

    The cards that it leaves are those that keep the player from ending the round.
    """
    task = _build_task_of_laying_hand(rules, question, hand, minimum=None)
    task = task.preferring_most_cards()
    names_discard = question.discard is not None
    if names_discard:
        return find_best_play(task)
    # The player may still choose the last discard, so it is counted among the cards left. Only
    # threes that are discarded together, and so are set aside, do not stay.
    return find_best_play(task._replace(not_laid=CardsNotLaid(set_aside=task.not_laid.set_aside)))


def _count_cards_left_by_play(hand: Cards, play: Play | None) -> dict[Kind, int]:
    """Count the cards of each kind that a play leaves in the hand: all of them without a play.

    The hand `4xK 9 5` and a play of the four kings → `{Kind.NINE: 1, Kind.FIVE: 1}`.
    """
    used = _gather_cards_used(play) if play else NO_CARDS
    left: dict[Kind, int] = {}
    for kind in KINDS:
        count = hand.of(kind) - used.of(kind)
        if count > 0:
            left[kind] = count
    return left


def _gather_cards_used(play: Play) -> Cards:
    """Gather all cards that a play lays on the table or discards."""
    laid = [each.cards for each in play.laid]
    return gather((*laid, play.discard or NO_CARDS))


def _decide_which_may_be_discarded(
    settings: Settings, question: OutQuestion, hand: Cards, *, kinds_left: Iterable[Kind]
) -> _Discardable:
    """Decide what to tell a player about discarding one of the cards that stay in the hand.

    `kinds_left` are the kinds of these cards. In most games jokers, twos and threes may not be the
    last discard. So `9 5` → any one, `9 JK` → only some, `JK` → none.
    """
    wants_no_discard = question.discard == NOTHING
    if wants_no_discard:
        return _Discardable.NOT_WANTED
    if _is_discard_settled(settings, question, hand):
        return _Discardable.NAMED_BEFORE

    may_be_discarded = [_may_kind_be_last(settings, kind) for kind in kinds_left]
    if all(may_be_discarded):
        return _Discardable.ANY_ONE
    if any(may_be_discarded):
        return _Discardable.ONLY_SOME
    return _Discardable.NONE


def _is_discard_settled(settings: Settings, question: OutQuestion, hand: Cards) -> bool:
    """Tell whether it is clear which card a player discards last, so that there is nothing to choose.

    Either the question names the card, or the hand has threes that are discarded together.
    """
    if question.discard is not None:
        return True
    possible_discards = possible_last_discards(settings, hand, named_discard=None)
    threes_discarded_together = possible_discards.set_aside
    return threes_discarded_together.size > 0


def _may_kind_be_last(settings: Settings, kind: Kind) -> bool:
    """Tell whether a card of this kind may be the last discard of a player who ends the round."""
    one_card = build_cards({INDEX[kind]: 1})
    return may_be_last_discard(one_card, settings)
