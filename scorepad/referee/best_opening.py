"""Rulings on whether a player's whole hand can open, and how best.

A player who opens must discard one card and keep at least one, unless the player goes out. This
does not apply if another hand of cards follows, if the pile is taken, or if play continues without
cards (W Variante mini).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from scorepad.referee.best_play import (
    BARS_GOING_OUT,
    COUNTING_POINTS_FIRST,
    MAY_HOLD_TOP_CARD,
    MAY_OPEN,
    MELDS,
    OPENING_POINTS,
    Candidate,
    Discards,
    LayingTask,
    Limits,
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
from scorepad.referee.ruling import Play, Reason, Ruling, Verdict, forbidden
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

    cards_left = search.task.held.size - staying.laid.size
    if cards_left > _CARDS_TO_KEEP:
        return _worded_answer(staying)
    # More might have been laid, if the player could go on without cards.
    kept = reason("opening-hand-kept", *_SETTINGS_TO_KEEP, cards=_CARDS_TO_KEEP)
    return _worded_answer(staying, kept)


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


def _is_better(leaving: Ruling, staying: Ruling | None, settings: Settings) -> bool:
    """Whether an opening that goes out lays more than the best that does not, if there is one."""
    return staying is None or _worth(leaving, settings) > _worth(staying, settings)


def _worth(opening: Ruling, settings: Settings) -> tuple[int, int, int]:
    """Sort key of openings: the points laid, then those counted, then fewer melds."""
    points = opening.laid.points(settings.card_points)
    counted = int(opening.details.get("counted") or 0)
    melds = len(opening.play.laid) if opening.play else 0
    return points, counted, -melds


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
        ruling = self._rule_best_play(task)
        if ruling is None or ruling.verdict is Verdict.FORBIDDEN:
            return None
        return ruling

    def best_that_goes_out(self) -> Ruling | None:
        """The best opening of a player who goes out with it; None if there is none."""
        takes_pile = self.question.top_card is not None
        task = self._task_of_leaving()
        if not takes_pile:
            # All cards are laid but the discard. The other cards of the pile, which come into the
            # hand, are not known: with the pile, cards may stay.
            discards = possible_last_discards(self.rules.settings, task.held, None)
            task = task._replace(whole=True, discards=discards)

        ruling = self._rule_best_play(task)
        if ruling is None or ruling.play is None or ruling.verdict is Verdict.FORBIDDEN:
            return None
        if takes_pile or self._may_go_out(ruling.play):
            return ruling
        return None

    def _task_of_leaving(self) -> LayingTask:
        """The task with what going out requires of the melds, and the opening minimum unless going
        out concealed does without it.
        """
        settings = self.rules.settings
        needs = self.uses_top_card | canastas_needed(settings) | {BARS_GOING_OUT: (0, 0)}
        needs_no_minimum = (
            self.question.concealed_out and settings.concealed_out == "own-melds-only"
        )
        if not needs_no_minimum:
            needs |= self.reaches_minimum
        return self.task.within(needs)

    def why_none(self) -> Ruling:
        """Why nothing opens: what the melds with the highest count lack, or that too few cards
        would stay.
        """
        opening_of_all_cards = None
        if self.must_keep_cards:
            opening_of_all_cards = self.best_that_stays(keeps_cards=False)
        if opening_of_all_cards is not None:
            return self._why_too_few_cards_stay(opening_of_all_cards)
        nearest = self._nearest_to_opening(keeps_cards=False)
        if nearest is not None:
            return nearest
        return forbidden((reason("hand-without-meld", "meld-shortest"),))

    def _why_too_few_cards_stay(self, opening_of_all_cards: Ruling) -> Ruling:
        """The ruling that the hand could open only with so many cards that too few would stay."""
        minimum = int(opening_of_all_cards.details["minimum"] or 0)
        nearest = self._nearest_to_opening(keeps_cards=True)
        if nearest is None:
            nearest = forbidden((), {"minimum": minimum, "counted": 0, "missing": minimum})
        cards_left = self.task.held.size - opening_of_all_cards.laid.size
        too_few_left = reason(
            "opening-hand-emptied", *_SETTINGS_TO_KEEP, cards=cards_left, minimum=minimum
        )
        return _worded_answer(nearest, too_few_left)

    def _rule_best_play(self, task: LayingTask) -> Ruling | None:
        """The ruling on the best play of a task; None if there is no play."""
        play = find_best_play(task)
        if play is None:
            return None
        shown = replace(self.question, melds=play.melds)
        return worded_for_hand(rule_opening(self.rules, shown), play)

    def _may_go_out(self, play: Play) -> bool:
        """Whether the player may go out with this play, assuming that the partner agrees."""
        question = OutQuestion(
            play.melds,
            discard=Reading(play.discard or NO_CARDS),
            concealed=True,
            permission=Permission.GRANTED,
        )
        return rule_out(self.rules, question).verdict is Verdict.ALLOWED

    def _nearest_to_opening(self, *, keeps_cards: bool) -> Ruling | None:
        """The ruling, without a play to show, on the melds of which the most points count, though
        they do not open; None if there are no melds.
        """
        has_melds: Limits = {MELDS: (1, None)}
        ruling = self._rule_most_counting(self.uses_top_card | has_melds, keeps_cards=keeps_cards)
        if ruling is None and self.uses_top_card:
            # No meld can hold the top card, so the others are judged.
            ruling = self._rule_most_counting(has_melds, keeps_cards=keeps_cards)
        if ruling is None:
            return None
        return replace(ruling, play=None)

    def _rule_most_counting(self, limits: Limits, *, keeps_cards: bool) -> Ruling | None:
        """The ruling on the play within these limits of which the most points count; None if there
        is no play.
        """
        task = self.task.within(limits)
        if not task.all_melds_count:
            task = task._replace(weights=COUNTING_POINTS_FIRST)
        if keeps_cards:
            task = _keeping_cards(task)
        return self._rule_best_play(task)


def _keeping_cards(task: LayingTask) -> LayingTask:
    """The task for a player who keeps cards in the hand: one to discard, and one that stays.

    The cards kept stand as discards: requiring every card to be laid or kept is faster to solve.
    """
    no_limit = _CARDS_TO_KEEP + task.held.size
    kept = Discards(tuple(kinds_among(task.held)), fewest=_CARDS_TO_KEEP, most=no_limit)
    return task._replace(whole=True, discards=kept)


def _search_of(rules: Ruleset, question: OpeningQuestion, *, concealed_out: bool) -> _OpeningSearch:
    """The search among the melds of this hand that an opening may hold."""
    settings = rules.settings
    top = question.top_card
    asked = replace(question, concealed_out=concealed_out)
    held = gather_readings(question.hand or NOTHING, top or NOTHING).cards
    minimum = settings.opening_minimum(question.score, question.deal)

    melds = new_melds(settings, held, going_out=concealed_out)
    task = opening_task(rules, held, melds, minimum=minimum, top=top, concealed=concealed_out)
    uses_top_card: Limits = {}
    if top is not None:
        candidates = [_with_top_card_tally(rules, asked, top, each) for each in task.candidates]
        task = task._replace(candidates=tuple(candidates))
        uses_top_card = {MAY_HOLD_TOP_CARD: (1, None)}
    return _OpeningSearch(
        rules=rules,
        question=asked,
        task=task,
        uses_top_card=uses_top_card,
        reaches_minimum=_limits_of_opening(task, minimum),
        must_keep_cards=_must_keep_cards(settings, question),
    )


def _limits_of_opening(task: LayingTask, minimum: int | None) -> Limits:
    """The limits by which melds open; `minimum` is None where an opening needs no points."""
    opens: Limits = {MAY_OPEN: (1, None)}
    # Where all melds count, the play with the most points is found, and then compared with the
    # minimum. Otherwise another play may lay more points, of which fewer count.
    if minimum is not None and not task.all_melds_count:
        opens[OPENING_POINTS] = (minimum, None)
    return opens


def _must_keep_cards(settings: Settings, question: OpeningQuestion) -> bool:
    """Whether a player who opens without going out must keep cards in the hand."""
    if settings.hands_each > 1:  # another hand of cards follows
        return False
    if question.top_card is not None:  # the other cards of the pile come into the hand
        return False
    # A game that counts in other units goes on for a player without cards (W Variante mini).
    return settings.unit == "points"


def _with_top_card_tally(
    rules: Ruleset, question: OpeningQuestion, top: Reading, candidate: Candidate
) -> Candidate:
    """The candidate, in the tally of the melds that may hold the top card if it is one of them."""
    meld = Reading(candidate.meld.cards)
    if not meld.cards.of(kind_of(top)):
        return candidate
    if any(against_top_card(rules, replace(question, melds=(meld,)))):
        return candidate
    return candidate._replace(tallies=candidate.tallies | {MAY_HOLD_TOP_CARD: 1})
