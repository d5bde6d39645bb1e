"""Can this whole hand open, and how best: with the melds that lay most points.

What is found is judged like melds shown.
"""

from __future__ import annotations

from dataclasses import replace

from scorepad.rules.cards import NOTHING
from scorepad.rules.rulings.answers import Reason, Ruling, Verdict
from scorepad.rules.rulings.asked import OpeningAsked, OpeningOfHand
from scorepad.rules.rulings.casing import reason, to_go_out
from scorepad.rules.rulings.registry import ruling
from scorepad.rules.rulings.ways_opening_search import KEPT, Found, Search, search_of
from scorepad.rules.rulings.ways_weighing import cannot_be
from scorepad.rules.variants import Ruleset

REASONS = ("hand-without-meld", "opening-hand-emptied", "opening-hand-kept", "opening-goes-out")
"""The reasons of its own that this ruling gives."""

_TO_KEEP = ("out-empty-handed", "canastas-needed")
"""Why cards must stay with whoever does not go out."""


@ruling(OpeningOfHand)
def opening_of_hand(rules: Ruleset, asked: OpeningOfHand) -> Ruling:
    """Whether any melds of the hand open, and those that lay most points."""
    wrong = cannot_be(rules, asked.hand, asked.top_card or NOTHING)
    if wrong:
        return Ruling(Verdict.FORBIDDEN, wrong)
    if not asked.concealed_out:
        return _best(rules, search_of(rules, _shown(asked, concealed_out=False), asked.hand))
    leaving = search_of(rules, _shown(asked, concealed_out=True), asked.hand).leaving()
    if leaving is not None:
        return _told(leaving)
    return _not_out(rules, search_of(rules, _shown(asked, concealed_out=False), asked.hand))


def _shown(asked: OpeningOfHand, *, concealed_out: bool) -> OpeningAsked:
    return OpeningAsked(asked.score, (), asked.top_card, concealed_out, asked.deal)


def _best(rules: Ruleset, search: Search) -> Ruling:
    """The best opening, be it that the player goes out with it."""
    staying, leaving = search.staying(), search.leaving() if search.keeps else None
    if leaving is not None and (staying is None or leaving.worth > staying.worth):
        return _told(leaving, reason(rules, "opening-goes-out", *to_go_out(rules.settings)))
    if staying is None:
        return _nearest(rules, search)
    kept = search.keeps and staying.stay == KEPT
    return _told(staying, *((reason(rules, "opening-hand-kept", *_TO_KEEP, cards=KEPT),) if kept else ()))


def _not_out(rules: Ruleset, search: Search) -> Ruling:
    """The best opening of a player who said that he goes out with it, and cannot."""
    staying = search.staying()
    answer = _nearest(rules, search) if staying is None else _told(staying)
    return _with(answer, reason(rules, "opening-not-out", *to_go_out(rules.settings), why="hand"))


def _nearest(rules: Ruleset, search: Search) -> Ruling:
    """Why nothing opens: what the melds that count most lack, or that too few cards would stay."""
    emptying = search.staying(keeping=False) if search.keeps else None
    near = search.nearest(keeping=emptying is not None)
    if emptying is None:
        return near or Ruling(Verdict.FORBIDDEN, (reason(rules, "hand-without-meld", "meld-shortest"),))
    minimum = int(emptying.judged.details["minimum"] or 0)
    if near is None:
        near = Ruling(Verdict.FORBIDDEN, (), {"minimum": minimum, "counted": 0, "missing": minimum})
    why = reason(rules, "opening-hand-emptied", *_TO_KEEP, cards=emptying.stay, minimum=minimum)
    return _with(near, why)


def _told(found: Found, *more: Reason) -> Ruling:
    """The answer that shows this opening."""
    return _with(replace(found.judged, way=replace(found.way, discard=None)), *more)


def _with(answer: Ruling, *more: Reason) -> Ruling:
    """The answer with more reasons, those of what a source got wrong last."""
    notes = tuple(why for why in answer.reasons if why.code.startswith("fault-"))
    reasons = (*(why for why in answer.reasons if why not in notes), *more, *notes)
    return replace(answer, reasons=reasons)
