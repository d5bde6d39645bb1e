"""Rulings on whether a player's whole hand can open, and how best.

A player who opens discards one card and keeps at least one, unless the player goes out. This does
not apply if another hand of cards follows, if the pile is taken, or if play continues without cards
(W Variante mini).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from scorepad.referee.best_play import (
    BARRED,
    COUNTED,
    FITS,
    MELDS,
    TOP,
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
from scorepad.referee.situation import gather_readings, impossible_cards, kind_of
from scorepad.referee.whole_hand import possible_last_discards, worded_for_hand
from scorepad.rules.cards import NO_CARDS, NOTHING, Reading
from scorepad.rules.definitions import Ruleset
from scorepad.rules.settings import Settings

_KEPT = 2
"""Cards kept in the hand: one to discard, and one that stays."""
_SETTINGS_TO_KEEP = ("out-empty-handed", "canastas-needed")
"""The settings that make a player who stays in keep cards."""


def rule_best_opening(rules: Ruleset, question: OpeningQuestion) -> Ruling:
    """Whether any melds of the hand open, and those with the most points, including openings that
    go out.
    """
    hand = question.hand or NOTHING
    wrong = impossible_cards(rules, hand, question.top_card or NOTHING)
    if wrong:
        return forbidden(wrong)
    if question.concealed_out:
        return _rule_opening_to_go_out(rules, question)

    openings = _openings(rules, question, concealed_out=False)
    staying = openings.best_that_stays(keeps_cards=openings.must_keep_cards)
    leaving = openings.best_that_goes_out() if openings.must_keep_cards else None
    if leaving is not None and _is_better(leaving, staying, rules.settings):
        grounds = settings_of_canastas_needed(rules.settings)
        return _without_discard(leaving, reason("opening-goes-out", *grounds))
    if staying is None:
        return _without_discard(openings.why_none())
    if openings.must_keep_cards and staying.laid.size + _KEPT == hand.cards.size:
        kept = reason("opening-hand-kept", *_SETTINGS_TO_KEEP, cards=_KEPT)
        return _without_discard(staying, kept)
    return _without_discard(staying)


def _rule_opening_to_go_out(rules: Ruleset, question: OpeningQuestion) -> Ruling:
    """Going out concealed, if the hand can; else how it opens without going out."""
    leaving = _openings(rules, question, concealed_out=True).best_that_goes_out()
    if leaving is not None:
        return _without_discard(leaving)
    openings = _openings(rules, question, concealed_out=False)
    staying = openings.best_that_stays(keeps_cards=openings.must_keep_cards)
    grounds = settings_of_canastas_needed(rules.settings)
    not_out = reason("opening-not-out", *grounds, why="hand")
    return _without_discard(staying or openings.why_none(), not_out)


def _is_better(leaving: Ruling, staying: Ruling | None, settings: Settings) -> bool:
    return staying is None or _worth(leaving, settings) > _worth(staying, settings)


def _worth(opening: Ruling, settings: Settings) -> tuple[int, int, int]:
    """Sort key of openings: the points laid, then those counted, then fewer melds."""
    points = opening.laid.points(settings.card_points)
    counted = int(opening.details.get("counted") or 0)
    melds = len(opening.play.laid) if opening.play else 0
    return points, counted, -melds


def _without_discard(found: Ruling, *more: Reason) -> Ruling:
    """The answer with more reasons, followed by those on faults of the sources; without the last
    discard.
    """
    reasons: list[Reason] = []
    faults: list[Reason] = []
    for each in found.reasons:
        if each.code.startswith("fault-"):
            faults.append(each)
        else:
            reasons.append(each)
    play = Play(found.play.laid) if found.play else None
    return replace(found, reasons=(*reasons, *more, *faults), play=play)


# ----------------------------------------------------------------------------- the openings of a hand


class _Openings(NamedTuple):
    """The openings of a hand; the top card of the pile, if it is used, is among the cards held.

    `using_top` requires the use of the top card, `reaching` is what an opening must reach. The
    rulings contain the play that they judge.
    """

    rules: Ruleset
    question: OpeningQuestion
    task: LayingTask
    using_top: Limits
    reaching: Limits
    must_keep_cards: bool
    """Whether a player who does not go out must keep cards."""

    def best(
        self, limits: Limits, *, keeps_cards: bool = False, **task_changes: Any
    ) -> Ruling | None:
        """The ruling on the best play within these limits, optionally with cards to keep; None if
        there is none.
        """
        task = self.task._replace(limits=self.task.limits | limits, **task_changes)
        if keeps_cards:
            # Requiring every card to be laid or kept is faster to solve.
            kinds = tuple(kind for kind, count in enumerate(task.held.counts) if count)
            kept = Discards(kinds, (_KEPT, _KEPT + task.held.size))
            task = task._replace(whole=True, discards=kept)
        play = find_best_play(task)
        if play is None:
            return None
        shown = replace(self.question, melds=play.melds)
        return worded_for_hand(rule_opening(self.rules, shown), play)

    def best_that_stays(self, *, keeps_cards: bool) -> Ruling | None:
        """The best opening of a player who stays in the hand; None if there is none."""
        found = self.best(self.using_top | self.reaching, keeps_cards=keeps_cards)
        if found is None or found.verdict is Verdict.FORBIDDEN:
            return None
        return found

    def best_that_goes_out(self) -> Ruling | None:
        """The best opening of a player who goes out with it; None if there is none.

        If the top card is used, the other cards of the pile come into the hand; they are not known
        and not considered.
        """
        settings = self.rules.settings
        takes_pile = self.question.top_card is not None
        needs = self.using_top | canastas_needed(settings) | {BARRED: (0, 0)}
        if not self.question.concealed_out or settings.concealed_out != "own-melds-only":
            needs |= self.reaching
        discards = Discards()
        if not takes_pile:
            discards = possible_last_discards(settings, self.task.held, None)
        found = self.best(needs, whole=not takes_pile, discards=discards)
        if found is None or found.play is None or found.verdict is Verdict.FORBIDDEN:
            return None
        if takes_pile or self._may_go_out(found.play):
            return found
        return None

    def _may_go_out(self, play: Play) -> bool:
        """Whether the player may go out with this play, assuming that the partner agrees."""
        question = OutQuestion(
            play.melds,
            discard=Reading(play.discard or NO_CARDS),
            concealed=True,
            permission=Permission.GRANTED,
        )
        return rule_out(self.rules, question).verdict is Verdict.ALLOWED

    def why_none(self) -> Ruling:
        """Why nothing opens: what the melds with the highest count lack, or that too few cards
        would stay.
        """
        emptying = self.best_that_stays(keeps_cards=False) if self.must_keep_cards else None
        nearest = self._nearest(keeps_cards=emptying is not None)
        if emptying is None:
            return nearest or forbidden((reason("hand-without-meld", "meld-shortest"),))

        minimum = int(emptying.details["minimum"] or 0)
        if nearest is None:
            nearest = forbidden((), {"minimum": minimum, "counted": 0, "missing": minimum})
        cards = self.task.held.size - emptying.laid.size
        emptied = reason("opening-hand-emptied", *_SETTINGS_TO_KEEP, cards=cards, minimum=minimum)
        return _without_discard(nearest, emptied)

    def _nearest(self, *, keeps_cards: bool) -> Ruling | None:
        """The ruling on the melds with the highest count, first with the top card among them."""
        counted_first = (self.task.weights[0], 1)
        for using_top in (self.using_top, {}):
            limits = {**using_top, MELDS: (1, None)}
            found = self.best(limits, keeps_cards=keeps_cards, weights=counted_first)
            if found:
                return replace(found, play=None)
        return None


def _openings(rules: Ruleset, question: OpeningQuestion, *, concealed_out: bool) -> _Openings:
    """The openings from the melds of this hand that an opening may hold."""
    settings = rules.settings
    top = question.top_card
    shown = replace(question, concealed_out=concealed_out)
    held = gather_readings(question.hand or NOTHING, top or NOTHING).cards
    minimum = settings.opening_minimum(question.score, question.deal)

    melds = new_melds(settings, held, going_out=concealed_out)
    task = opening_task(rules, held, melds, minimum, top, concealed=concealed_out)
    candidates = tuple(_marked(rules, shown, candidate) for candidate in task.candidates)
    reaching: Limits = {FITS: (1, None)}
    # If all melds count, most points reach the minimum if any do.
    if minimum is not None and not all(each.counts for each in candidates):
        reaching[COUNTED] = (minimum, None)
    return _Openings(
        rules=rules,
        question=shown,
        task=task._replace(candidates=candidates),
        using_top={TOP: (1, None)} if top else {},
        reaching=reaching,
        must_keep_cards=settings.hands_each == 1 and top is None and settings.unit == "points",
    )


def _marked(rules: Ruleset, question: OpeningQuestion, candidate: Candidate) -> Candidate:
    """The candidate, marked if it may hold the top card of the pile."""
    meld = Reading(candidate.meld.cards)
    if question.top_card is None or not meld.cards.of(kind_of(question.top_card)):
        return candidate
    if any(against_top_card(rules, replace(question, melds=(meld,)))):
        return candidate
    return candidate._replace(tallies=candidate.tallies | {TOP: 1})
