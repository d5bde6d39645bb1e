"""The openings that a whole hand can lay: the best to stay in the hand with, the best to go out with, and the nearest.

One card of the hand is discarded and at least one stays, unless the player goes out. It is otherwise where another hand
follows, where the pile comes into the hand, and where play goes on without cards (W Variante mini).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from scorepad.rules.cards import NO_CARDS, NOTHING, Reading
from scorepad.rules.melds import incomplete_of
from scorepad.rules.programs import Resource
from scorepad.rules.rulings.answers import Ruling, Verdict, Way
from scorepad.rules.rulings.asked import OpeningAsked, OutAsked, Permission
from scorepad.rules.rulings.casing import together
from scorepad.rules.rulings.going_out import rule_out
from scorepad.rules.rulings.opening import rule_opening
from scorepad.rules.rulings.reading import kind_of
from scorepad.rules.rulings.ways import COUNTED, TOP, Choice, Task, as_of_a_hand, best_way, new_melds
from scorepad.rules.rulings.ways_melds import drafts_of, legal
from scorepad.rules.rulings.ways_out_search import BARRED, Leaving, discarding
from scorepad.rules.rulings.ways_weighing import (
    FITS,
    Limits,
    Opener,
    Tallies,
    canastas_needed,
    choices,
    one_of_each,
    openers,
)
from scorepad.rules.terms import ConcealedOut
from scorepad.rules.variants import Ruleset

_AGAINST_TOP = frozenset({"top-card-never-opens", "top-card-unused", "top-card-stops", "top-card-needs-more"})
_MELDS: Resource = ("melds",)
KEPT = 2
"""Cards of the hand: one to discard, and one that stays."""


@dataclass(frozen=True, slots=True)
class Found:
    """An opening of the hand that is not forbidden: its melds, what the rules say to them, and the cards that stay.

    `worth` is what makes one the best: the points laid, then those counted, then few melds.
    """

    way: Way
    judged: Ruling
    stay: int
    worth: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Search:
    """The openings of a hand; the top card of the pile, where it is used, is among the cards held."""

    rules: Ruleset
    asked: OpeningAsked
    held: Reading
    openers: tuple[Opener, ...]

    @property
    def minimum(self) -> int | None:
        """The minimum that the opening must reach, in points; None where there is none."""
        return self.rules.settings.opening_minimum(self.asked.score, self.asked.deal)

    @property
    def keeps(self) -> bool:
        """Whether cards must stay with whoever does not go out."""
        settings = self.rules.settings
        return settings.hands_each == 1 and self.asked.top_card is None and settings.unit == "points"

    def staying(self, *, keeping: bool = True) -> Found | None:
        """The best opening of a player who stays in the hand; `keeping` the cards that must stay."""
        task = self._task((*self._using, *self._reaching))
        return self._found(self._keeping(task) if keeping and self.keeps else task)

    def leaving(self) -> Found | None:
        """The best opening of a player who goes out with it.

        With the top card of the pile the other cards of it come into the hand, and what becomes of them is not known.
        """
        settings = self.rules.settings
        free = self.asked.concealed_out and settings.concealed_out is ConcealedOut.OWN_MELDS_ONLY
        needs = (*canastas_needed(settings), (BARRED, (0, 0)), *(() if free else self._reaching))
        task = self._task((*self._using, *needs))
        if self.asked.top_card is not None:
            return self._found(task)
        ends = discarding(self.rules, Leaving(self.held.cards), None)
        found = self._found(replace(task, whole=True, discards=ends.discards, discarded=ends.discarded))
        return found if found is not None and _may_go_out(self.rules, found.way) else None

    def nearest(self, *, keeping: bool) -> Ruling | None:
        """What the rules say to the melds that count most, the top card among them if that can be."""
        way, some = None, ((_MELDS, (1, None)),)
        for limits in ((*self._using, *some), some):
            task = self._task(limits, counted_first=True)
            way = way or best_way(self._keeping(task) if keeping else task)
        return None if way is None else self._judged(way)

    @property
    def _using(self) -> Limits:
        return ((TOP, (1, None)),) if self.asked.top_card else ()

    @property
    def _reaching(self) -> Limits:
        """What an opening must reach; where all melds count, the most points do if any do."""
        all_count = all(opener.counts for opener in self.openers)
        return ((FITS, (1, None)), *(() if self.minimum is None or all_count else ((COUNTED, (self.minimum, None)),)))

    def _keeping(self, task: Task) -> Task:
        """With the cards that must stay: every card is laid or stays, which is found sooner than with fewer laid."""
        held = self.held.cards
        kinds = tuple(index for index, count in enumerate(held.counts) if count)
        return replace(task, whole=True, discards=kinds, discarded=(KEPT, KEPT + held.size))

    def _task(self, limits: Limits, *, counted_first: bool = False) -> Task:
        made, wilds, aside = choices(self.rules.settings, self.openers, self.minimum, counted_first=counted_first)
        using = tuple(replace(one, tallies=(*one.tallies, *self._tallies(one))) for one in made)
        return Task(self.held.cards, using, (*one_of_each(made), *limits), wilds, aside, top=self.asked.top_card)

    def _tallies(self, choice: Choice) -> Tallies:
        unfinished = incomplete_of(choice.draft.lies, self.rules.settings)
        barred = ((BARRED, 1),) if unfinished and unfinished.bars_out else ()
        return ((_MELDS, 1), *barred, *self._of_top(choice))

    def _of_top(self, choice: Choice) -> Tallies:
        """That a meld may hold the top card, if it may: what the rules say to an opening of this meld alone."""
        top, lies = self.asked.top_card, Reading(choice.draft.lies.cards)
        if top is None or not lies.cards.of(kind_of(top)):
            return ()
        alone = rule_opening(self.rules, replace(self.asked, melds=(lies,)))
        return () if any(why.code in _AGAINST_TOP for why in alone.reasons) else ((TOP, 1),)

    def _judged(self, way: Way) -> Ruling:
        answer = rule_opening(self.rules, replace(self.asked, melds=new_melds(way)))
        return replace(answer, reasons=as_of_a_hand(answer.reasons))

    def _found(self, task: Task) -> Found | None:
        way = best_way(task)
        judged = None if way is None else self._judged(way)
        if way is None or judged is None or judged.verdict is Verdict.FORBIDDEN:
            return None
        points = sum(laid.cards.points(self.rules.settings.card_points) for laid in way.laid)
        worth = (points, int(judged.details.get("counted") or 0), -len(way.laid))
        return Found(way, judged, self.held.cards.size - sum(laid.cards.size for laid in way.laid), worth)


def search_of(rules: Ruleset, asked: OpeningAsked, hand: Reading) -> Search:
    """The search among the melds of this hand that an opening may hold."""
    held, leaving = together(hand, asked.top_card or NOTHING), asked.concealed_out
    drafts = legal(rules, drafts_of(rules.settings, held.cards), going_out=leaving)
    minimum = rules.settings.opening_minimum(asked.score, asked.deal)
    return Search(rules, asked, held, tuple(openers(rules, drafts, minimum, concealed=leaving)))


def _may_go_out(rules: Ruleset, way: Way) -> bool:
    """Whether the player may go out like this, if the partner has nothing against it."""
    discard = Reading(way.discard or NO_CARDS)
    out = OutAsked(new_melds(way), discard, True, concealed=True, permission=Permission.GRANTED)
    return rule_out(rules, out).verdict is Verdict.ALLOWED
