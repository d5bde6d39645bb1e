"""Can this whole hand open, and which melds count most? What is found is judged like melds shown.

Whether the player who would go out in the same turn can do so with the rest of the hand is another question (`out`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scorepad.rules.cards import NOTHING, Reading
from scorepad.rules.programs import Resource
from scorepad.rules.rulings.answers import Ruling, Verdict
from scorepad.rules.rulings.asked import OpeningAsked, OpeningOfHand
from scorepad.rules.rulings.casing import reason, together
from scorepad.rules.rulings.opening import rule_opening
from scorepad.rules.rulings.reading import kind_of
from scorepad.rules.rulings.registry import ruling
from scorepad.rules.rulings.ways import TOP, Choice, Task, as_of_a_hand, best_way, new_melds
from scorepad.rules.rulings.ways_melds import drafts_of, legal
from scorepad.rules.rulings.ways_weighing import (
    FITS,
    Limits,
    Tallies,
    canastas_needed,
    cannot_be,
    choices,
    one_of_each,
    openers,
)
from scorepad.rules.variants import Ruleset

REASONS = ("hand-without-meld",)
"""The reason of its own that this ruling gives."""

_AGAINST_TOP = frozenset({"top-card-never-opens", "top-card-unused", "top-card-stops", "top-card-needs-more"})


@ruling(OpeningOfHand)
def opening_of_hand(rules: Ruleset, asked: OpeningOfHand) -> Ruling:
    """Whether any melds of the hand open, and those that count most."""
    top = asked.top_card or NOTHING
    wrong = cannot_be(rules, asked.hand, top)
    if wrong:
        return Ruling(Verdict.FORBIDDEN, wrong)
    shown = OpeningAsked(asked.score, (), asked.top_card, asked.concealed_out, asked.deal)
    task = _task(rules, shown, together(asked.hand, top))
    judged = None
    for limits in _asking(rules, asked):
        way = best_way(replace(task, limits=(*task.limits, *limits)))
        if way is not None:
            answer = rule_opening(rules, replace(shown, melds=new_melds(way)))
            judged = replace(answer, reasons=as_of_a_hand(answer.reasons))
            if judged.verdict is not Verdict.FORBIDDEN:
                return replace(judged, way=way)
    # The melds that count most, whatever they lack, say what is missing.
    return judged or Ruling(Verdict.FORBIDDEN, (reason(rules, "hand-without-meld", "meld-shortest"),))


def _asking(rules: Ruleset, asked: OpeningOfHand) -> Iterator[Limits]:
    """What is asked of all the melds together: of an opening, of a going out without a minimum, and nothing."""
    using: Limits = ((TOP, (1, None)),) if asked.top_card else ()
    yield (*using, (FITS, (1, None)))
    if asked.concealed_out:
        yield (*using, *canastas_needed(rules.settings))
    yield ((_MELDS, (1, None)),)


_MELDS: Resource = ("melds",)


def _task(rules: Ruleset, shown: OpeningAsked, held: Reading) -> Task:
    settings, leaving = rules.settings, shown.concealed_out
    minimum = settings.opening_minimum(shown.score, shown.deal)
    drafts = legal(rules, drafts_of(settings, held.cards), going_out=leaving)
    made, wilds, aside = choices(settings, openers(rules, drafts, minimum, concealed=leaving), minimum)
    using = tuple(replace(one, tallies=(*one.tallies, (_MELDS, 1), *_of_top(rules, shown, one))) for one in made)
    return Task(held.cards, using, one_of_each(made), wilds, aside, top=shown.top_card)


def _of_top(rules: Ruleset, shown: OpeningAsked, choice: Choice) -> Tallies:
    """That a meld may hold the top card, if it may: what the rules say to an opening of this meld alone."""
    if shown.top_card is None or not choice.draft.lies.cards.of(kind_of(shown.top_card)):
        return ()
    alone = rule_opening(rules, replace(shown, melds=(Reading(choice.draft.lies.cards),)))
    return () if any(why.code in _AGAINST_TOP for why in alone.reasons) else ((TOP, 1),)
