"""Rulings on whether a player's whole hand can open, and how best.

A player who opens must discard one card and keep at least one, unless the player goes out. This
does not apply if another hand of cards follows, if the pile is taken, or if play continues without
cards (W Variante mini).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from scorepad.referee.best_play import (
    COUNTING_POINTS_FIRST,
    MAY_HOLD_TOP_CARD,
    MAY_OPEN,
    MELDS,
    NOTHING_BARS_GOING_OUT,
    OPENING_POINTS,
    Candidate,
    Discards,
    LayingTask,
    Limits,
    at_least,
    canastas_needed,
    find_best_play,
    new_melds,
    opening_task,
)
from scorepad.referee.field_types import Permission
from scorepad.referee.going_out import rule_out
from scorepad.referee.in_force import settings_of_canastas_needed
from scorepad.referee.opening import against_top_card, rule_opening
from scorepad.referee.questions import OpeningQuestion, OutQuestion
from scorepad.referee.reasons import reason
from scorepad.referee.ruling import Play, Reason, Reasons, Ruling, Verdict, forbidden
from scorepad.referee.situation import impossible_cards, kind_of
from scorepad.referee.whole_hand import kinds_among, possible_last_discards, worded_for_hand
from scorepad.rules.cards import NO_CARDS, NOTHING, Reading, gather_readings
from scorepad.rules.definitions import Ruleset
from scorepad.rules.settings import Settings

_CARDS_TO_KEEP = 2
"""Cards kept in the hand: one to discard, and one that stays."""
_SETTINGS_TO_KEEP = ("out-empty-handed", "canastas-needed")
"""The settings that make a player who stays in keep cards."""


def rule_best_opening(rules: Ruleset, question: OpeningQuestion) -> Ruling:
    """Whether any melds of the hand open, and those with the most points, including openings that
    go out.
    """
    wrong = impossible_cards(rules, question.hand or NOTHING, question.top_card or NOTHING)
    if wrong:
        return forbidden(wrong)
    if question.concealed_out:
        return _rule_opening_to_go_out(rules, question)

    search = _search_of(rules, question, concealed_out=False)
    if search.must_keep_cards:
        return _rule_opening_that_keeps_cards(search)
    ruling = search.best_that_stays(keeps_cards=False)
    if ruling is None:
        ruling = search.why_none()
    return _worded_answer(ruling)


def _rule_opening_that_keeps_cards(search: _OpeningSearch) -> Ruling:
    """The best opening of a player who must keep cards, or goes out with the opening if that lays
    more.
    """
    settings = search.rules.settings
    staying = search.best_that_stays(keeps_cards=True)
    leaving = search.best_that_goes_out()
    if leaving is not None and _is_better(leaving, staying, settings):
        goes_out = reason("opening-goes-out", *settings_of_canastas_needed(settings))
        return _worded_answer(leaving, goes_out)
    if staying is None:
        return _worded_answer(search.why_none())
    return _worded_answer(staying, *_if_cards_were_kept(search, staying))


def _if_cards_were_kept(search: _OpeningSearch, opening: Ruling) -> Reasons:
    """The comment that two cards stay in the hand because the player must keep them.

    With more cards left, keeping two of them made no difference.
    """
    cards_left = search.task.held.size - opening.laid.size
    if cards_left <= _CARDS_TO_KEEP:
        yield reason("opening-hand-kept", *_SETTINGS_TO_KEEP, cards=_CARDS_TO_KEEP)


def _rule_opening_to_go_out(rules: Ruleset, question: OpeningQuestion) -> Ruling:
    """Going out concealed, if the hand can; else how it opens without going out."""
    leaving = _search_of(rules, question, concealed_out=True).best_that_goes_out()
    if leaving is not None:
        return _worded_answer(leaving)

    search = _search_of(rules, question, concealed_out=False)
    ruling = search.best_that_stays(keeps_cards=search.must_keep_cards)
    if ruling is None:
        ruling = search.why_none()
    grounds = settings_of_canastas_needed(rules.settings)
    return _worded_answer(ruling, reason("opening-not-out", *grounds, why="hand"))


class _OpeningWorth(NamedTuple):
    """What an opening is worth beside another one: the first figure that differs decides."""

    points_laid: int
    points_counted: int
    fewer_melds: int
    """The number of its melds, as a negative number: fewer are better."""


def _is_better(leaving: Ruling, staying: Ruling | None, settings: Settings) -> bool:
    """Whether an opening that goes out lays more than the best that does not, if there is one."""
    return staying is None or (
        _worth_of_opening(leaving, settings) > _worth_of_opening(staying, settings)
    )


def _worth_of_opening(opening: Ruling, settings: Settings) -> _OpeningWorth:
    """What the opening that this ruling allows is worth beside others."""
    number_of_melds = len(opening.play.laid) if opening.play else 0
    return _OpeningWorth(
        points_laid=opening.laid.points(settings.card_points),
        points_counted=int(opening.details.get("counted") or 0),
        fewer_melds=-number_of_melds,
    )


def _worded_answer(ruling: Ruling, *more_reasons: Reason) -> Ruling:
    """The ruling with more reasons, before those on faults of the sources; a play is shown without
    its last discard.
    """
    reasons: list[Reason] = []
    faults: list[Reason] = []
    for each in ruling.reasons:
        if each.code.startswith("fault-"):
            faults.append(each)
        else:
            reasons.append(each)
    play = Play(ruling.play.laid) if ruling.play else None
    return replace(ruling, reasons=(*reasons, *more_reasons, *faults), play=play)


# ----------------------------------------------------------------------------- the openings of a hand


@dataclass(frozen=True, slots=True)
class _OpeningSearch:
    """The search for the best opening of a hand; its rulings hold the play that they judge.

    The top card of the pile, if it is used, is among the cards of the task.
    """

    rules: Ruleset
    question: OpeningQuestion
    task: LayingTask
    minimum: int | None
    """The points that an opening must reach; None if it needs none."""
    uses_top_card: Limits
    """The limits of a play that uses the top card; none without a top card."""
    reaches_minimum: Limits
    """The limits of a play that opens."""
    must_keep_cards: bool
    """Whether a player who does not go out must keep cards."""

    def best_that_stays(self, *, keeps_cards: bool) -> Ruling | None:
        """The best opening of a player who does not go out; None if there is none."""
        task = self.task.within(self.uses_top_card | self.reaches_minimum)
        if keeps_cards:
            task = _keeping_cards(task)
        return self._best_allowed(task)

    def best_that_goes_out(self) -> Ruling | None:
        """The best opening of a player who goes out with it; None if there is none."""
        takes_pile = self.question.top_card is not None
        if takes_pile:
            return self._best_that_goes_out_with_pile()
        return self._best_that_goes_out_with_hand()

    def _best_that_goes_out_with_pile(self) -> Ruling | None:
        """The best opening with the pile whose melds are enough for going out; None if none is.

        Cards may stay in the hand: it gets the other cards of the pile, which are not known.
        """
        return self._best_allowed(self._task_of_leaving())

    def _best_that_goes_out_with_hand(self) -> Ruling | None:
        """The best opening that lays all cards of the hand but the discard; None if there is none."""
        task = self._task_of_leaving()
        discards = possible_last_discards(self.rules.settings, task.held, None)
        play = find_best_play(task._replace(whole=True, discards=discards))
        if play is None:
            return None
        ruling = self._rule_opening_play(play)
        if ruling.verdict is Verdict.FORBIDDEN or not self._may_go_out(play):
            return None
        return ruling

    def _task_of_leaving(self) -> LayingTask:
        """The task of a player who goes out: to lay the canastas that going out requires, no meld
        that prevents it, and the opening minimum where one is needed.
        """
        settings = self.rules.settings
        needs = self.uses_top_card | canastas_needed(settings) | NOTHING_BARS_GOING_OUT
        needs_no_minimum = (
            self.question.concealed_out and settings.concealed_out == "own-melds-only"
        )
        if not needs_no_minimum:
            needs |= self.reaches_minimum
        return self.task.within(needs)

    def why_none(self) -> Ruling:
        """Why nothing opens: that too few cards would stay, or what the melds with the highest count
        lack.
        """
        if self.must_keep_cards:
            opening_of_all_cards = self.best_that_stays(keeps_cards=False)
            if opening_of_all_cards is not None:
                return self._why_too_few_cards_stay(opening_of_all_cards)
        nearest = self._nearest_to_opening(keeps_cards=False)
        if nearest is None:
            return forbidden((reason("hand-without-meld", "meld-shortest"),))
        return nearest

    def _why_too_few_cards_stay(self, opening_of_all_cards: Ruling) -> Ruling:
        """The ruling that the hand could open only with so many cards that too few would stay."""
        minimum = self.minimum or 0
        nearest = self._nearest_to_opening(keeps_cards=True)
        if nearest is None:
            nearest = _forbid_without_melds(minimum)
        cards_left = self.task.held.size - opening_of_all_cards.laid.size
        too_few_left = reason(
            "opening-hand-emptied", *_SETTINGS_TO_KEEP, cards=cards_left, minimum=minimum
        )
        return _worded_answer(nearest, too_few_left)

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
        """The ruling on the melds of a play as an opening, worded for a whole hand."""
        shown = replace(self.question, melds=play.melds)
        return worded_for_hand(rule_opening(self.rules, shown), play)

    def _may_go_out(self, play: Play) -> bool:
        """Whether the player may go out with this play, assuming that the partner agrees.

        It is a concealed going out: the player had no melds on the table before.
        """
        question = OutQuestion(
            play.melds,
            discard=Reading(play.discard or NO_CARDS),
            concealed=True,
            permission=Permission.GRANTED,
        )
        return rule_out(self.rules, question).verdict is Verdict.ALLOWED

    def _nearest_to_opening(self, *, keeps_cards: bool) -> Ruling | None:
        """The ruling on the melds that come nearest to an opening, those with the most points that
        count. It has no play to show. None if the hand has no melds.
        """
        has_melds: Limits = {MELDS: at_least(1)}
        limits = self.uses_top_card | has_melds
        ruling = self._rule_most_counting(limits, keeps_cards=keeps_cards)
        if ruling is None and self.uses_top_card:
            # No meld can hold the top card, so the others are judged.
            ruling = self._rule_most_counting(has_melds, keeps_cards=keeps_cards)
        if ruling is None:
            return None
        return replace(ruling, play=None)

    def _rule_most_counting(self, limits: Limits, *, keeps_cards: bool) -> Ruling | None:
        """The ruling on the play within these limits with the most points that count; None if there
        is no play.
        """
        task = self.task.within(limits)
        if not task.all_melds_count:
            # The task would otherwise prefer the most points laid, whether they count or not.
            task = task._replace(weights=COUNTING_POINTS_FIRST)
        if keeps_cards:
            task = _keeping_cards(task)
        return self._rule_best_play(task)


def _forbid_without_melds(minimum: int) -> Ruling:
    """The ruling that a hand without melds does not reach this minimum, which lacks all its points.
    It gives no reasons.
    """
    return forbidden((), {"minimum": minimum, "counted": 0, "missing": minimum})


def _keeping_cards(task: LayingTask) -> LayingTask:
    """The task for a player who keeps cards in the hand: one to discard, and one that stays.

    The cards kept stand as discards, of any kind and two at least. Requiring every card to be laid
    or kept is faster to solve than leaving some unused.
    """
    more_than_held = task.held.size + _CARDS_TO_KEEP  # as good as no upper limit
    kept = Discards(tuple(kinds_among(task.held)), fewest=_CARDS_TO_KEEP, most=more_than_held)
    return task._replace(whole=True, discards=kept)


def _search_of(rules: Ruleset, question: OpeningQuestion, *, concealed_out: bool) -> _OpeningSearch:
    """The search among the melds of this hand that an opening may hold.

    `concealed_out`: the player goes out in the same turn, whatever the question says.
    """
    settings = rules.settings
    asked = replace(question, concealed_out=concealed_out)
    minimum = settings.opening_minimum(question.score, question.deal)
    task = _task_of_opening(rules, asked, minimum)
    uses_top_card: Limits = {}
    if question.top_card is not None:
        uses_top_card = {MAY_HOLD_TOP_CARD: at_least(1)}
    return _OpeningSearch(
        rules=rules,
        question=asked,
        task=task,
        minimum=minimum,
        uses_top_card=uses_top_card,
        reaches_minimum=_limits_of_opening(task, minimum),
        must_keep_cards=_must_keep_cards(settings, question),
    )


def _task_of_opening(rules: Ruleset, question: OpeningQuestion, minimum: int | None) -> LayingTask:
    """The task of laying melds of the hand, and of the pile's top card if it is used, as an opening
    with this minimum.
    """
    held = gather_readings(question.hand or NOTHING, question.top_card or NOTHING).cards
    task = opening_task(
        rules,
        held,
        new_melds(rules.settings, held, going_out=question.concealed_out),
        minimum=minimum,
        top=question.top_card,
        concealed=question.concealed_out,
    )
    if question.top_card is None:
        return task
    candidates: list[Candidate] = []
    for candidate in task.candidates:
        if _may_hold_top_card(rules, question, Reading(candidate.meld.cards)):
            tallies = candidate.tallies | {MAY_HOLD_TOP_CARD: 1}
            candidates.append(candidate._replace(tallies=tallies))
        else:
            candidates.append(candidate)
    return task._replace(candidates=tuple(candidates))


def _limits_of_opening(task: LayingTask, minimum: int | None) -> Limits:
    """The limits by which melds open; `minimum` is None where an opening needs no points.

    Where all melds count, the minimum is no limit: the play found has the most points, and the
    ruling on it says whether they reach the minimum. Otherwise the play found could be one that
    lays more points, of which too few count.
    """
    opens: Limits = {MAY_OPEN: at_least(1)}
    if minimum is not None and not task.all_melds_count:
        opens[OPENING_POINTS] = at_least(minimum)
    return opens


def _must_keep_cards(settings: Settings, question: OpeningQuestion) -> bool:
    """Whether a player who opens without going out must keep cards in the hand."""
    if settings.hands_each > 1:  # another hand of cards follows
        return False
    if question.top_card is not None:  # the other cards of the pile come into the hand
        return False
    # A game that counts in other units goes on for a player without cards (W Variante mini).
    return settings.unit == "points"


def _may_hold_top_card(rules: Ruleset, question: OpeningQuestion, meld: Reading) -> bool:
    """Whether one of the cards of a meld may be the pile's top card, so that it opens with it."""
    top_card = question.top_card
    if top_card is None or not meld.cards.of(kind_of(top_card)):
        return False
    with_this_meld = replace(question, melds=(meld,))
    against = tuple(against_top_card(rules, with_this_meld))
    return not against
