"""Rulings on all the cards that a player holds: the best opening, and taking the pile.

Of an opening one card is discarded and at least one stays, unless the player goes out; not so where another hand of
cards follows, where the pile is taken, and where play goes on without cards (W Variante mini). To take the pile, the
cards that go down with the top card are tried one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from scorepad.referee.answers import Play, Reason, Ruling, Verdict, ruling
from scorepad.referee.best_going_out import BARRED, Leaving, discarding
from scorepad.referee.best_play import (
    COUNTED,
    FITS,
    TOP,
    Candidate,
    Limits,
    MeldChoice,
    Opener,
    Tallies,
    Task,
    as_of_a_hand,
    best_play,
    canastas_needed,
    choices,
    legal,
    new_candidates,
    new_melds,
    one_of_each,
    openers,
)
from scorepad.referee.case import OF_MINIMUMS, cannot_be, kind_of, reason, to_go_out, together
from scorepad.referee.going_out import rule_out
from scorepad.referee.opening import rule_opening
from scorepad.referee.pile import Use, against_use, rule_pile, too_few_naturals, uses_of
from scorepad.referee.questions import (
    BestOpeningQuestion,
    BestPileQuestion,
    OpeningQuestion,
    OutQuestion,
    Permission,
    PileQuestion,
)
from scorepad.rules.bounds import Resource
from scorepad.rules.cards import (
    INDEX,
    NATURAL_INDICES,
    NO_CARDS,
    NOTHING,
    TWO,
    Cards,
    Reading,
    cards_of,
    gather,
    without,
)
from scorepad.rules.melds import incomplete_of, read_meld
from scorepad.rules.settings import ConcealedOut
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

    play: Play
    judged: Ruling
    stay: int
    worth: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Search:
    """The openings of a hand; the top card of the pile, where it is used, is among the cards held."""

    rules: Ruleset
    question: OpeningQuestion
    held: Reading
    openers: tuple[Opener, ...]

    @property
    def minimum(self) -> int | None:
        """The minimum that the opening must reach, in points; None where there is none."""
        return self.rules.settings.opening_minimum(self.question.score, self.question.deal)

    @property
    def keeps(self) -> bool:
        """Whether cards must stay with whoever does not go out."""
        settings = self.rules.settings
        return settings.hands_each == 1 and self.question.top_card is None and settings.unit == "points"

    def staying(self, *, keeping: bool = True) -> Found | None:
        """The best opening of a player who stays in the hand; `keeping` the cards that must stay."""
        task = self._task((*self._using, *self._reaching))
        return self._found(self._keeping(task) if keeping and self.keeps else task)

    def leaving(self) -> Found | None:
        """The best opening of a player who goes out with it.

        With the top card of the pile the other cards of it come into the hand, and what becomes of them is not known.
        """
        settings = self.rules.settings
        free = self.question.concealed_out and settings.concealed_out is ConcealedOut.OWN_MELDS_ONLY
        needs = (*canastas_needed(settings), (BARRED, (0, 0)), *(() if free else self._reaching))
        task = self._task((*self._using, *needs))
        if self.question.top_card is not None:
            return self._found(task)
        ends = discarding(self.rules, Leaving(self.held.cards), None)
        found = self._found(replace(task, whole=True, discards=ends.discards, discarded=ends.discarded))
        return found if found is not None and _may_go_out(self.rules, found.play) else None

    def nearest(self, *, keeping: bool) -> Ruling | None:
        """What the rules say to the melds that count most, the top card among them if that can be."""
        way, some = None, ((_MELDS, (1, None)),)
        for limits in ((*self._using, *some), some):
            task = self._task(limits, counted_first=True)
            way = way or best_play(self._keeping(task) if keeping else task)
        return None if way is None else self._judged(way)

    @property
    def _using(self) -> Limits:
        return ((TOP, (1, None)),) if self.question.top_card else ()

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
        return Task(self.held.cards, using, (*one_of_each(made), *limits), wilds, aside, top=self.question.top_card)

    def _tallies(self, choice: MeldChoice) -> Tallies:
        unfinished = incomplete_of(choice.candidate.lies, self.rules.settings)
        barred = ((BARRED, 1),) if unfinished and unfinished.bars_out else ()
        return ((_MELDS, 1), *barred, *self._of_top(choice))

    def _of_top(self, choice: MeldChoice) -> Tallies:
        """That a meld may hold the top card, if it may: what the rules say to an opening of this meld alone."""
        top, lies = self.question.top_card, Reading(choice.candidate.lies.cards)
        if top is None or not lies.cards.of(kind_of(top)):
            return ()
        alone = rule_opening(self.rules, replace(self.question, melds=(lies,)))
        return () if any(why.code in _AGAINST_TOP for why in alone.reasons) else ((TOP, 1),)

    def _judged(self, way: Play) -> Ruling:
        answer = rule_opening(self.rules, replace(self.question, melds=new_melds(way)))
        return replace(answer, reasons=as_of_a_hand(answer.reasons))

    def _found(self, task: Task) -> Found | None:
        way = best_play(task)
        judged = None if way is None else self._judged(way)
        if way is None or judged is None or judged.verdict is Verdict.FORBIDDEN:
            return None
        points = sum(laid.cards.points(self.rules.settings.card_points) for laid in way.laid)
        worth = (points, int(judged.details.get("counted") or 0), -len(way.laid))
        return Found(way, judged, self.held.cards.size - sum(laid.cards.size for laid in way.laid), worth)


def search_of(rules: Ruleset, question: OpeningQuestion, hand: Reading) -> Search:
    """The search among the melds of this hand that an opening may hold."""
    held, leaving = together(hand, question.top_card or NOTHING), question.concealed_out
    candidates = legal(rules, new_candidates(rules.settings, held.cards), going_out=leaving)
    minimum = rules.settings.opening_minimum(question.score, question.deal)
    return Search(rules, question, held, tuple(openers(rules, candidates, minimum, concealed=leaving)))


def _may_go_out(rules: Ruleset, way: Play) -> bool:
    """Whether the player may go out like this, if the partner has nothing against it."""
    discard = Reading(way.discard or NO_CARDS)
    out = OutQuestion(new_melds(way), discard, True, concealed=True, permission=Permission.GRANTED)
    return rule_out(rules, out).verdict is Verdict.ALLOWED


_TO_KEEP = ("out-empty-handed", "canastas-needed")
"""Why cards must stay with whoever does not go out."""


@ruling(BestOpeningQuestion)
def opening_of_hand(rules: Ruleset, question: BestOpeningQuestion) -> Ruling:
    """Whether any melds of the hand open, and those that lay most points."""
    wrong = cannot_be(rules, question.hand, question.top_card or NOTHING)
    if wrong:
        return Ruling(Verdict.FORBIDDEN, wrong)
    if not question.concealed_out:
        return _best(rules, search_of(rules, _shown(question, concealed_out=False), question.hand))
    leaving = search_of(rules, _shown(question, concealed_out=True), question.hand).leaving()
    if leaving is not None:
        return _told(leaving)
    return _not_out(rules, search_of(rules, _shown(question, concealed_out=False), question.hand))


def _shown(question: BestOpeningQuestion, *, concealed_out: bool) -> OpeningQuestion:
    return OpeningQuestion(question.score, (), question.top_card, concealed_out, question.deal)


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
    return _with(replace(found.judged, play=replace(found.play, discard=None)), *more)


def _with(answer: Ruling, *more: Reason) -> Ruling:
    """The answer with more reasons, those of what a source got wrong last."""
    notes = tuple(why for why in answer.reasons if why.code.startswith("fault-"))
    reasons = (*(why for why in answer.reasons if why not in notes), *more, *notes)
    return replace(answer, reasons=reasons)


_WHATEVER_IS_LAID = frozenset({"pile-before-opening", "pile-top-stops", "pile-top-special"})
"""Reasons that no cards of the hand can take away."""
_SHORT = "opening-below-minimum"
_OF_MELDS_SHOWN = frozenset({"pile-top-unused", "meld-too-short", _SHORT, *OF_MINIMUMS})
"""What is wrong with melds that nobody laid."""


@dataclass(frozen=True, slots=True)
class Holder:
    """Cards of the hand with which the top card may be used, all of its kind but for so many wild ones.

    `use` is how; None for a special top card, which goes with more of its kind.
    """

    cards: Cards
    wilds: int
    use: Use | None


@ruling(BestPileQuestion)
def pile_of_hand(rules: Ruleset, question: BestPileQuestion) -> Ruling:
    """Whether the hand takes the pile, and the plainest way; to open, that in which most points count."""
    wrong = cannot_be(rules, question.hand, question.top, *question.table)
    if wrong:
        return Ruling(Verdict.FORBIDDEN, wrong)
    shown = PileQuestion(
        question.top, question.frozen, question.opened, question.score, question.table, (), question.deal
    )
    bare = rule_pile(rules, shown)
    decided = tuple(why for why in bare.reasons if why.code in _WHATEVER_IS_LAID)
    if decided or bare.verdict is Verdict.SILENT:
        return replace(bare, reasons=decided or bare.reasons)
    minimum = None if question.opened else rules.settings.opening_minimum(question.score, question.deal)
    holders = _holders(rules, question, shown)
    if minimum is not None:
        return _opened(rules, question, shown, tuple(holders), minimum)
    plainest = next(holders, None)
    if plainest is None:
        return _why_none(rules, question, shown)
    return _judged(rules, shown, _alone(question, plainest))


# ------------------------------------------------------------------------------------------- beside the top card


def _tries(rules: Ruleset, question: BestPileQuestion) -> Iterator[tuple[Cards, int]]:
    """What of the hand may go down with the top card: the plainest first, without wild cards, and few cards."""
    index, held = INDEX[kind_of(question.top)], question.hand.cards
    most = min(held.wilds, rules.settings.wild_limit) if index in NATURAL_INDICES else 0
    for wilds in range(most + 1):
        for count in range(1 if wilds else 0, held.counts[index] + 1):
            yield cards_of({index: count}), wilds


def _question_with(shown: PileQuestion, cards: Cards, wilds: int) -> PileQuestion:
    """The question as somebody asks it who lays these cards."""
    return replace(shown, laid=_as_shown(shown, gather((cards, cards_of({TWO: wilds})))))


def _as_shown(shown: PileQuestion, own: Cards) -> tuple[Reading, ...]:
    """Cards of the hand that go with the top card, as a question shows them.

    The top card stands among them, but where the table has a meld of its rank: there they are the hand's only. Where
    there are none the top card is laid off alone, and nothing is shown.
    """
    if not own.size:
        return ()
    joins = any(lying.cards.ranks == (INDEX[kind_of(shown.top)],) for lying in shown.table)
    return (Reading(own) if joins else together(shown.top, Reading(own)),)


def _holders(rules: Ruleset, question: BestPileQuestion, shown: PileQuestion) -> Iterator[Holder]:
    """What may go down with the top card, judged as if there were nothing to reach."""
    for cards, wilds in _tries(rules, question):
        asked = _question_with(shown, cards, wilds)
        if INDEX[kind_of(question.top)] in NATURAL_INDICES:
            use = next((use for use in uses_of(rules, asked) if _takes(rules, asked, use)), None)
            if use is not None:
                yield Holder(cards, wilds, use)
        elif rule_pile(rules, asked).verdict is Verdict.ALLOWED:
            yield Holder(cards, wilds, None)


def _takes(rules: Ruleset, question: PileQuestion, use: Use) -> bool:
    return all(why.code == _SHORT for why in against_use(rules, question, use))


def _candidate(question: BestPileQuestion, holder: Holder) -> Candidate:
    """The top card and those that go down with it."""
    added = gather((holder.cards, cards_of({INDEX[kind_of(question.top)]: 1})))
    use = holder.use
    on = None if use is None or use.onto is None else question.table.index(use.onto)
    # What lies on the table before is no part of an opening.
    return Candidate(added, holder.wilds, read_meld(gather((added, cards_of({TWO: holder.wilds})))), on)


def _why_none(rules: Ruleset, question: BestPileQuestion, shown: PileQuestion) -> Ruling:
    """What is said to somebody who lays all there is of the top card's kind, but for what only melds shown lack."""
    kind = kind_of(question.top)
    held = question.hand.cards.of(kind)
    answer = rule_pile(rules, _question_with(shown, cards_of({INDEX[kind]: held}), 0))
    reasons = tuple(why for why in answer.reasons if why.code not in _OF_MELDS_SHOWN)
    if kind.is_natural and not held and all(why.code != "pile-naturals" for why in reasons):
        reasons = (*reasons, too_few_naturals(rules, shown, held))
    return Ruling(Verdict.FORBIDDEN, reasons)


# ------------------------------------------------------------------------------------------- the way


def _alone(question: BestPileQuestion, holder: Holder) -> Play:
    """The top card and what goes down with it, twos rather than jokers."""
    held = together(question.hand, question.top).cards
    choice = MeldChoice(_candidate(question, holder), 0, ((TOP, 1),))
    way = best_play(Task(held, (choice,), ((TOP, (1, 1)),), wilds=((0, 0), (1, 0)), top=question.top))
    assert way is not None, "what goes down with the top card is in the hand"
    return way


def _opened(
    rules: Ruleset, question: BestPileQuestion, shown: PileQuestion, holders: tuple[Holder, ...], minimum: int
) -> Ruling:
    """The opening that counts most, with the top card in one of its melds."""
    hand = legal(rules, new_candidates(rules.settings, question.hand.cards), going_out=False)
    laid = [_candidate(question, holder) for holder in holders if holder.use and holder.use.number is not None]
    # The top card laid off by itself is no part of an opening.
    off = [_candidate(question, holder) for holder in holders if holder.use and holder.use.number is None]
    with_top = [
        *openers(rules, laid, minimum, concealed=False),
        *(Opener(candidate, 0, fits=False) for candidate in off),
    ]
    others = openers(rules, hand, minimum, concealed=False)
    made, wilds, aside = choices(rules.settings, (*with_top, *others), minimum)
    held = together(question.hand, question.top).cards
    holding = tuple(replace(one, tallies=(*one.tallies, (TOP, 1))) for one in made[: len(with_top)])
    limits = ((TOP, (1, 1)), (FITS, (1, None)), *one_of_each(made))
    task = Task(held, (*holding, *made[len(with_top) :]), limits, wilds, aside, top=question.top)
    way = best_play(task) or best_play(replace(task, limits=tuple(one for one in limits if one[0] != FITS)))
    return _why_none(rules, question, shown) if way is None else _judged(rules, shown, way)


def _judged(rules: Ruleset, shown: PileQuestion, way: Play) -> Ruling:
    """What the rules say to this way, the meld with the top card first."""
    joining, *others = (Reading(laid.cards) for laid in way.laid)
    own = without(joining.cards, shown.top.cards)
    judged = rule_pile(rules, replace(shown, laid=(*_as_shown(shown, own), *others)))
    found = None if judged.verdict is Verdict.FORBIDDEN else way
    return replace(judged, reasons=as_of_a_hand(judged.reasons), play=found)
