"""Rulings on whether a player's whole hand can open, and how best.

A player who opens must discard one card and keep at least one, unless the player goes out. This
does not apply if another hand of cards follows, if the pile is taken, or if play continues without
cards (W Variante mini).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from scorepad.referee.best_play import (
    MELDS,
    MELDS_FOR_TOP_CARD,
    MELDS_THAT_MAY_OPEN,
    NO_MELD_PREVENTS_OUT,
    OPENING_POINTS,
    Candidate,
    LayingTask,
    Limits,
    at_least,
    build_opening_task,
    find_best_play,
    find_melds_for_opening,
    find_new_melds,
    get_wild_points_in_opening,
    require_canastas_to_go_out,
)
from scorepad.referee.field_types import Permission
from scorepad.referee.going_out import rule_out
from scorepad.referee.in_force import settings_of_canastas_needed
from scorepad.referee.opening import against_top_card, rule_opening
from scorepad.referee.questions import OpeningQuestion, OutQuestion
from scorepad.referee.reasons import reason
from scorepad.referee.ruling import Play, Reason, Reasons, Ruling, Verdict, forbidden
from scorepad.referee.situation import impossible_cards, kind_of
from scorepad.referee.whole_hand import possible_last_discards, worded_for_hand
from scorepad.rules.cards import NO_CARDS, NOTHING, Cards, Reading, gather_readings
from scorepad.rules.definitions import Ruleset
from scorepad.rules.settings import Settings

_CARDS_TO_KEEP = 2
"""Cards kept in the hand: one to discard, and one that stays."""
_SETTINGS_TO_KEEP = ("out-empty-handed", "canastas-needed")
"""The settings that make a player who stays in keep cards."""


def rule_best_opening(rules: Ruleset, question: OpeningQuestion) -> Ruling:
    """The ruling on the best opening of a player's whole hand: the melds with the most points. If no
    melds of the hand open, the ruling says why.

    The opening is what a side lays first in a hand. It may be one with which the player goes out.
    """
    wrong = impossible_cards(rules, question.hand or NOTHING, question.top_card or NOTHING)
    if wrong:
        return forbidden(wrong)
    if question.concealed_out:  # the player wants to go out in the turn of the opening
        ruling = _rule_opening_to_go_out(rules, question)
    else:
        ruling = _rule_any_opening(rules, question)
    return _as_answer(ruling)


def _rule_any_opening(rules: Ruleset, question: OpeningQuestion) -> Ruling:
    """The best opening of a player who need not go out with it."""
    search = _search_of(rules, question, concealed_out=False)
    if search.must_keep_cards:
        return _rule_opening_that_keeps_cards(search)
    return search.rule_without_going_out()


def _rule_opening_that_keeps_cards(search: _OpeningSearch) -> Ruling:
    """The best opening of a player who must keep two cards in the hand, unless the player goes out.

    So there are two ways to open: keeping cards, or going out. The one that lays more is the best.
    """
    settings = search.rules.settings
    keeping_cards = search.best_without_going_out(keeps_cards=True)
    going_out = search.best_going_out()
    if going_out is not None and _is_better(going_out, keeping_cards, settings):
        cited_settings = settings_of_canastas_needed(settings)
        says_goes_out = reason("opening-goes-out", cited_settings=cited_settings)
        return _with_more_reasons(going_out, says_goes_out)
    if keeping_cards is not None:
        comments = _comment_on_cards_kept(search, keeping_cards)
        return _with_more_reasons(keeping_cards, *comments)
    return search.why_hand_cannot_open()


def _comment_on_cards_kept(search: _OpeningSearch, opening: Ruling) -> Reasons:
    """The comment that the player had to keep two cards, if the best opening leaves no more: eight
    cards laid of ten.

    There is none if it leaves more. Then having to keep two made no difference.
    """
    cards_left = search.number_of_cards_left(opening)
    kept_only_as_required = cards_left <= _CARDS_TO_KEEP
    if kept_only_as_required:
        yield reason("opening-hand-kept", cited_settings=_SETTINGS_TO_KEEP, cards=_CARDS_TO_KEEP)


def _rule_opening_to_go_out(rules: Ruleset, question: OpeningQuestion) -> Ruling:
    """The best opening with which the hand goes out at once.

    If there is none, the ruling is on opening without going out, and it says that the hand cannot
    go out.
    """
    search_going_out = _search_of(rules, question, concealed_out=True)
    going_out = search_going_out.best_going_out()
    if going_out is not None:
        return going_out

    search_staying_in = _search_of(rules, question, concealed_out=False)
    staying_in = search_staying_in.rule_without_going_out()
    cited_settings = settings_of_canastas_needed(rules.settings)
    # The wording is that for a whole hand; another one is for melds that a player shows.
    cannot_go_out = reason("opening-not-out", cited_settings=cited_settings, wording="hand")
    return _with_more_reasons(staying_in, cannot_go_out)


class _OpeningWorth(NamedTuple):
    """What an opening is worth beside another one: the first figure that differs decides."""

    points_laid: int
    points_counted: int
    fewer_melds: int
    """The number of its melds, as a negative number: fewer are better."""


def _is_better(going_out: Ruling, keeping_cards: Ruling | None, settings: Settings) -> bool:
    """Whether an opening that goes out lays more than the best that keeps cards, if there is one."""
    if keeping_cards is None:
        return True
    worth = _worth_of_opening(going_out, settings)
    return worth > _worth_of_opening(keeping_cards, settings)


def _worth_of_opening(opening: Ruling, settings: Settings) -> _OpeningWorth:
    """What the opening that this ruling allows is worth beside others."""
    number_of_melds = len(opening.play.laid) if opening.play else 0
    return _OpeningWorth(
        points_laid=opening.laid.points(settings.card_points),
        points_counted=int(opening.details.get("counted") or 0),
        fewer_melds=-number_of_melds,
    )


def _with_more_reasons(ruling: Ruling, *more_reasons: Reason) -> Ruling:
    """The ruling with these reasons after its own."""
    return replace(ruling, reasons=ruling.reasons + more_reasons)


def _as_answer(ruling: Ruling) -> Ruling:
    """The ruling as it is shown: without the last discard of its play, since an answer about an
    opening shows only the cards to lay, and with mistakes of the sources as the last reasons.
    """
    play = ruling.play
    if play is not None:
        play = Play(play.laid, discard=None)
    return replace(ruling, reasons=_with_faults_last(ruling.reasons), play=play)


def _with_faults_last(reasons: tuple[Reason, ...]) -> tuple[Reason, ...]:
    """The same reasons; those on faults of the sources (printed mistakes of the rules) come last."""
    faults: list[Reason] = []
    others: list[Reason] = []
    for each in reasons:
        if _is_on_fault_of_source(each):
            faults.append(each)
        else:
            others.append(each)
    return (*others, *faults)


def _is_on_fault_of_source(each: Reason) -> bool:
    """Whether a reason only says that a source prints a rule wrongly, or leaves it out."""
    return each.code.startswith("fault-")


# ----------------------------------------------------------------------------- the openings of a hand


@dataclass(frozen=True, slots=True)
class _OpeningSearch:
    """The search for the best opening of a hand. Its results are rulings, with the play that they
    judge.

    Limits say what a play must reach: at least 90 points, or at least one meld that may open. The
    top card of the pile, if it is used, is among the cards of the task.
    """

    rules: Ruleset
    question: OpeningQuestion
    task: LayingTask
    """What is common to all plays that are searched for; each search adds its own limits."""
    minimum: int | None
    """The points that an opening must reach; None if it needs none."""
    limits_of_top_card: Limits
    """The limits by which a play uses the top card; empty without a top card."""
    limits_of_opening: Limits
    """The limits by which a play opens."""
    must_keep_cards: bool
    """Whether a player who does not go out must keep cards."""

    def number_of_cards_left(self, opening: Ruling) -> int:
        """The number of cards that stay in the hand after an opening."""
        return self.task.available.size - opening.laid.size

    def rule_without_going_out(self) -> Ruling:
        """The ruling on the best opening of a player who does not go out, or that there is none."""
        best = self.best_without_going_out(keeps_cards=self.must_keep_cards)
        if best is not None:
            return best
        return self.why_hand_cannot_open()

    def best_without_going_out(self, *, keeps_cards: bool) -> Ruling | None:
        """The ruling on the best opening of a player who does not go out; None if none is allowed.

        `keeps_cards`: two cards at least stay in the hand.
        """
        task = self.task.with_limits(self.limits_of_top_card | self.limits_of_opening)
        if keeps_cards:
            task = task.keeping_cards(_CARDS_TO_KEEP)
        return self._best_allowed(task)

    def best_going_out(self) -> Ruling | None:
        """The ruling on the best opening of a player who goes out with it; None if none is allowed."""
        takes_pile = self.question.top_card is not None
        if takes_pile:
            # The hand gets the other cards of the pile, which are not known. So it need not be laid
            # entirely: enough canastas for going out will do.
            return self._best_allowed(self._task_to_go_out())
        return self._best_going_out_with_whole_hand()

    def _best_going_out_with_whole_hand(self) -> Ruling | None:
        """The ruling on the best opening that lays the whole hand, or all but the last discard; None
        if there is none with which the player may go out.
        """
        task = self._task_to_go_out()
        discards = possible_last_discards(self.rules.settings, task.available, named_discard=None)
        play = find_best_play(task.using_all_cards(discards))
        if play is None:
            return None
        ruling = self._rule_opening_play(play)
        opens = ruling.verdict is not Verdict.FORBIDDEN
        if opens and self._may_go_out(play):
            return ruling
        return None

    def _task_to_go_out(self) -> LayingTask:
        """The task of a player who opens and goes out in one turn.

        The play lays the canastas (melds of seven cards or more) that going out requires, and no meld
        that prevents it. In most games it must also reach what an opening needs, such as points.
        """
        settings = self.rules.settings
        limits: Limits = {}
        limits |= self.limits_of_top_card
        limits |= require_canastas_to_go_out(settings)
        limits |= NO_MELD_PREVENTS_OUT
        out_is_enough = settings.concealed_out == "own-melds-only"
        needs_no_opening = self.question.concealed_out and out_is_enough
        if not needs_no_opening:
            limits |= self.limits_of_opening
        return self.task.with_limits(limits)

    def why_hand_cannot_open(self) -> Ruling:
        """The ruling that the hand cannot open, and why: too few cards would stay in it, or its best
        melds lack something, such as points, or it has no melds.
        """
        if self.must_keep_cards:
            opening_of_too_many = self.best_without_going_out(keeps_cards=False)
            if opening_of_too_many is not None:
                cards_left = self.number_of_cards_left(opening_of_too_many)
                return self._why_too_few_cards_stay(cards_left)
        nearest_melds = self._rule_nearest_melds(keeps_cards=False)
        if nearest_melds is not None:
            return nearest_melds
        return forbidden((reason("hand-without-meld", cited_settings="meld-shortest"),))

    def _why_too_few_cards_stay(self, cards_left: int) -> Ruling:
        """The ruling that the hand can open only with melds that leave too few cards in it, so many.

        For the rest it is the ruling on the best melds that leave enough cards: how many points of
        the minimum they lack.
        """
        minimum = self.minimum or 0
        nearest_melds = self._rule_nearest_melds(keeps_cards=True)
        if nearest_melds is None:
            nearest_melds = _forbid_without_melds(minimum)
        too_few_left = reason(
            "opening-hand-emptied",
            cited_settings=_SETTINGS_TO_KEEP,
            cards=cards_left,
            minimum=minimum,
        )
        return _with_more_reasons(nearest_melds, too_few_left)

    def _best_allowed(self, task: LayingTask) -> Ruling | None:
        """The ruling on the best play of a task, if it is allowed as an opening; otherwise None."""
        ruling = self._rule_best_play(task)
        if ruling is None or ruling.verdict is Verdict.FORBIDDEN:
            return None
        return ruling

    def _rule_best_play(self, task: LayingTask) -> Ruling | None:
        """The ruling on the best play of a task as an opening; None if there is no play."""
        play = find_best_play(task)
        if play is None:
            return None
        return self._rule_opening_play(play)

    def _rule_opening_play(self, play: Play) -> Ruling:
        """Whether the melds that a play lays are allowed as an opening.

        They are judged as if the player had shown them, but the reasons speak of the whole hand.
        """
        question_with_melds = replace(self.question, melds=play.melds)
        ruling_on_melds = rule_opening(self.rules, question_with_melds)
        return worded_for_hand(ruling_on_melds, play)

    def _may_go_out(self, play: Play) -> bool:
        """Whether the player may go out with this play, assuming that the partner agrees.

        It is a concealed going out: the player had no melds on the table before.
        """
        question = OutQuestion(
            table=play.melds,
            discard=Reading(play.discard or NO_CARDS),
            concealed=True,
            permission=Permission.GRANTED,
        )
        return rule_out(self.rules, question).verdict is Verdict.ALLOWED

    def _rule_nearest_melds(self, *, keeps_cards: bool) -> Ruling | None:
        """The ruling on the melds that come nearest to an opening: those with the most points that
        count. It shows no play. None if the hand has no melds.

        The pile's top card is in one of them, if it fits any.
        """
        has_melds: Limits = {MELDS: at_least(1)}
        limits_to_try = [self.limits_of_top_card | has_melds]
        if self.question.top_card is not None:
            limits_to_try.append(has_melds)  # the top card may fit no meld
        for limits in limits_to_try:
            ruling = self._rule_most_counting(limits, keeps_cards=keeps_cards)
            if ruling is not None:
                return replace(ruling, play=None)
        return None

    def _rule_most_counting(self, limits: Limits, *, keeps_cards: bool) -> Ruling | None:
        """The ruling on the melds with the most points that count toward the opening minimum.

        None if there are no melds within these limits. `keeps_cards`: two cards at least stay in the
        hand.
        """
        task = self.task.with_limits(limits).preferring_points_that_count()
        if keeps_cards:
            task = task.keeping_cards(_CARDS_TO_KEEP)
        return self._rule_best_play(task)


def _forbid_without_melds(minimum: int) -> Ruling:
    """The ruling that no melds can be laid, so that all points of the minimum are missing. It gives
    no reasons.
    """
    return forbidden((), {"minimum": minimum, "counted": 0, "missing": minimum})


def _search_of(rules: Ruleset, question: OpeningQuestion, *, concealed_out: bool) -> _OpeningSearch:
    """The search for an opening of the hand that a question gives.

    `concealed_out`: the player goes out in the same turn, whatever the question says of that.
    """
    settings = rules.settings
    question = replace(question, concealed_out=concealed_out)
    minimum = settings.opening_minimum(question.score, question.deal)
    task = _task_of_opening(rules, question, minimum)
    return _OpeningSearch(
        rules=rules,
        question=question,
        task=task,
        minimum=minimum,
        limits_of_top_card=_limits_of_top_card(question),
        limits_of_opening=_limits_of_opening(task, minimum),
        must_keep_cards=_must_keep_cards(settings, question),
    )


def _limits_of_top_card(question: OpeningQuestion) -> Limits:
    """The limits by which a play uses the pile's top card: one of its melds at least may hold it.

    They are empty if the player opens without the pile.
    """
    if question.top_card is None:
        return {}
    return {MELDS_FOR_TOP_CARD: at_least(1)}


def _task_of_opening(rules: Ruleset, question: OpeningQuestion, minimum: int | None) -> LayingTask:
    """The task of laying the best opening from the hand of a question, and from the pile's top card
    if the player takes it.

    `minimum` is the opening minimum in points; None if an opening needs none.
    """
    goes_out = question.concealed_out
    cards = gather_readings(question.hand or NOTHING, question.top_card or NOTHING).cards
    legal_melds = find_new_melds(rules.settings, cards, going_out=goes_out)
    melds_to_open_with = find_melds_for_opening(rules, legal_melds, minimum, concealed=goes_out)
    return build_opening_task(
        cards,
        _mark_holders_of_top_card(rules, question, melds_to_open_with),
        wilds=get_wild_points_in_opening(rules.settings, minimum),
        top=question.top_card,
    )


def _mark_holders_of_top_card(
    rules: Ruleset, question: OpeningQuestion, candidates: Iterable[Candidate]
) -> Iterator[Candidate]:
    """The same melds, of which those that may hold the pile's top card are marked: each adds one to
    the total of such melds. With a king on top, `K K K` is marked.
    """
    for candidate in candidates:
        if _may_hold_top_card(rules, question, candidate.meld.cards):
            yield candidate.also_adding_one_to(MELDS_FOR_TOP_CARD)
        else:
            yield candidate


def _limits_of_opening(task: LayingTask, minimum: int | None) -> Limits:
    """The limits by which the melds of a play open: at least one of them may open. If points of some
    melds do not count, those that count must also reach the minimum.

    `minimum` is the opening minimum in points; None if an opening needs none.
    """
    limits: Limits = {MELDS_THAT_MAY_OPEN: at_least(1)}
    # If all points count, the best play has the most of them anyway, and the ruling on it says
    # whether they reach the minimum. If not, the best play may lay many points of which few count.
    if minimum is not None and not task.has_only_counting_melds:
        limits[OPENING_POINTS] = at_least(minimum)
    return limits


def _must_keep_cards(settings: Settings, question: OpeningQuestion) -> bool:
    """Whether a player who opens without going out must keep cards in the hand."""
    gets_another_hand = settings.hands_each > 1
    if gets_another_hand:
        return False
    takes_pile = question.top_card is not None
    if takes_pile:  # its other cards come into the hand
        return False
    # Games that do not count in points, as W Variante mini, go on for a player without cards.
    return settings.unit == "points"


def _may_hold_top_card(rules: Ruleset, question: OpeningQuestion, meld: Cards) -> bool:
    """Whether the player may open with the pile's top card as one of the cards of this meld.

    A king on top may be in `K K K`, but not in `9 9 9`. Without a top card the answer is no.
    """
    top_card = question.top_card
    if top_card is None or meld.of(kind_of(top_card)) == 0:
        return False
    question_with_meld = replace(question, melds=(Reading(meld),))
    reasons_against = list(against_top_card(rules, question_with_meld))
    return len(reasons_against) == 0
