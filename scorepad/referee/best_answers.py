"""Rulings on all the cards that a player holds: the best opening, taking the pile, and going out.

Of an opening one card is discarded and at least one stays, unless the player goes out; not so where another hand of
cards follows, where the pile is taken, and where play goes on without cards (W Variante mini). To take the pile, the
cards that go down with the top card are tried one by one. To go out, all cards but the discard are laid. What is found
is judged by the rulings on melds that a player shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from scorepad.referee import questions
from scorepad.referee.answers import Detail, Play, Reason, Ruling, Verdict
from scorepad.referee.best_play import (
    BARRED,
    CANASTAS,
    COUNTED,
    FITS,
    MELDS,
    OWN_CANASTAS,
    TIDY_HAND,
    TOP,
    Candidate,
    Discards,
    Limits,
    Task,
    best_play,
    canastas_needed,
    laid_off,
    legal,
    new_melds,
    one_of_each,
    opener,
    openers,
    opening_task,
    tallied,
    wild_points,
)
from scorepad.referee.case import (
    OF_MINIMUMS,
    cannot_be,
    kind_of,
    reason,
    to_go_out,
    together,
)
from scorepad.referee.going_out import against_going_out, rule_out
from scorepad.referee.meld import against_laying_wilds, begun_natural, rule_meld, rule_opening
from scorepad.referee.pile import Use, against_use, rule_pile, too_few_naturals, uses_of
from scorepad.referee.questions import MeldQuestion, OpeningQuestion, OutQuestion, Permission, PileQuestion
from scorepad.rules.cards import (
    BLACK_THREE,
    INDEX,
    KINDS,
    NATURAL_INDICES,
    NO_CARDS,
    NOTHING,
    RED_THREE,
    TWO,
    Cards,
    Kind,
    Reading,
    cards_of,
    gather,
    less,
)
from scorepad.rules.settings import ConcealedOut, LastDiscard, Settings
from scorepad.rules.table import Meld, canasta_of, read_meld
from scorepad.rules.turn_checks import may_be_last
from scorepad.rules.variants import Ruleset

_SHORT = "opening-below-minimum"
_OF_A_HAND = frozenset({"opening-reached", "top-card-unused"})
"""Reasons with words of their own for the best of a hand, beside the points that are missing."""


def melds_of(play: Play) -> tuple[Reading, ...]:
    """The new melds of a play."""
    return tuple(Reading(laid.cards) for laid in play.laid if laid.on is None)


def table_after(play: Play, table: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """The melds of the side after a play, those of the table first, in their order."""
    added = {laid.on: Reading(laid.cards) for laid in play.laid if laid.on is not None}
    return (*(together(lying, added.get(n, NOTHING)) for n, lying in enumerate(table)), *melds_of(play))


def _as_of_a_hand(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    """Reasons for the best of a hand: what was laid is then what can be laid at most."""
    return tuple(
        replace(why, figures={**why.figures, "why": "hand"})
        if why.code in _OF_A_HAND or (why.code, why.figures.get("why")) == (_SHORT, "points")
        else why
        for why in reasons
    )


# ------------------------------------------------------------------------------------------- the last discard


def _last_discard(rules: Ruleset, held: Cards, noted: Reading | None) -> Discards:
    """The discards of a player who goes out: that which was noted, or any that the rules allow."""
    settings = rules.settings
    must = int(settings.last_discard is LastDiscard.OBLIGATORY)
    if noted == NOTHING:
        return Discards(number=(must, 0))
    for kind in (BLACK_THREE, RED_THREE) if settings.threes_together else ():
        # Threes are discarded all together: those that were noted, or that nothing else can become of.
        count = held.counts[kind] if noted is None else noted.cards.counts[kind]
        if count == settings.threes_together:
            return Discards(aside=cards_of({kind: count}))
    if noted is not None and noted.cards.suited:
        return Discards(aside=noted.cards)
    kinds = tuple(index for index, count in enumerate(held.counts) if count)
    if noted is not None:
        return Discards(tuple(index for index in kinds if noted.cards.counts[index]), (1, 1))
    return Discards(tuple(kind for kind in kinds if may_be_last(cards_of({kind: 1}), settings)), (must, 1))


# ------------------------------------------------------------------------------------------- the best opening

_AGAINST_TOP = frozenset({"top-card-never-opens", "top-card-unused", "top-card-stops", "top-card-needs-more"})
_KEPT = 2
"""Cards of the hand: one to discard, and one that stays."""
_TO_KEEP = ("out-empty-handed", "canastas-needed")
"""Why cards must stay with whoever does not go out."""


@dataclass(frozen=True, slots=True)
class _Openings:
    """The openings of a hand; the top card of the pile, where it is used, is among the cards held.

    What is found is the answer that shows an opening which is not forbidden, or None.
    """

    rules: Ruleset
    question: OpeningQuestion
    held: Cards
    openers: tuple[Candidate, ...]
    minimum: int | None
    keeps: bool
    """Whether cards must stay with whoever does not go out."""

    def staying(self, *, keeping: bool = True) -> Ruling | None:
        """The best opening of a player who stays in the hand; `keeping` the cards that must stay."""
        task = self._task({**self._using, **self._reaching})
        return self._found(self._keeping(task) if keeping and self.keeps else task)

    def leaving(self) -> Ruling | None:
        """The best opening of a player who goes out with it.

        With the top card of the pile the other cards of it come into the hand, and what becomes of them is not known.
        """
        settings = self.rules.settings
        free = self.question.concealed_out and settings.concealed_out is ConcealedOut.OWN_MELDS_ONLY
        needs = canastas_needed(settings) | {BARRED: (0, 0)} | ({} if free else self._reaching)
        task = self._task(self._using | needs)
        if self.question.top_card is not None:
            return self._found(task)
        found = self._found(replace(task, whole=True, discards=_last_discard(self.rules, self.held, None)))
        if found is None or found.play is None:
            return None
        # If the partner has nothing against it.
        discard, granted = Reading(found.play.discard or NO_CARDS), Permission.GRANTED
        out = OutQuestion(melds_of(found.play), discard, True, concealed=True, permission=granted)
        return found if rule_out(self.rules, out).verdict is Verdict.ALLOWED else None

    def worth(self, found: Ruling) -> tuple[int, int, int]:
        """What makes an opening the best: the points laid, then those counted, then few melds."""
        laid = found.play.laid if found.play else ()
        points = sum(each.cards.points(self.rules.settings.card_points) for each in laid)
        return points, int(found.details.get("counted") or 0), -len(laid)

    def stay(self, found: Ruling) -> int:
        """How many cards stay in the hand."""
        return self.held.size - sum(each.cards.size for each in (found.play.laid if found.play else ()))

    def nearest(self, *, keeping: bool) -> Ruling | None:
        """What the rules say to the melds that count most, the top card among them if that can be."""
        for limits in (self._using, {}):
            task = self._task({**limits, MELDS: (1, None)}, counted_first=True)
            play = best_play(self._keeping(task) if keeping else task)
            if play is not None:
                return self._judged(play)
        return None

    @property
    def _using(self) -> Limits:
        return {TOP: (1, None)} if self.question.top_card else {}

    @property
    def _reaching(self) -> Limits:
        """What an opening must reach; where all melds count, the most points do if any do."""
        all_count = all(each.counts for each in self.openers)
        counted: Limits = {} if self.minimum is None or all_count else {COUNTED: (self.minimum, None)}
        return {FITS: (1, None), **counted}

    def _keeping(self, task: Task) -> Task:
        """With the cards that must stay: every card is laid or stays, which is found sooner than with fewer laid."""
        kinds = tuple(index for index, count in enumerate(self.held.counts) if count)
        return replace(task, whole=True, discards=Discards(kinds, (_KEPT, _KEPT + self.held.size)))

    def _task(self, limits: Limits, *, counted_first: bool = False) -> Task:
        task = opening_task(self.rules.settings, self.held, self.openers, self.minimum, counted_first=counted_first)
        return replace(task, limits=task.limits | limits, top=self.question.top_card)

    def _judged(self, play: Play) -> Ruling:
        answer = rule_opening(self.rules, replace(self.question, melds=melds_of(play)))
        return replace(answer, reasons=_as_of_a_hand(answer.reasons))

    def _found(self, task: Task) -> Ruling | None:
        play = best_play(task)
        judged = None if play is None else self._judged(play)
        return None if judged is None or judged.verdict is Verdict.FORBIDDEN else replace(judged, play=play)


def _openings(rules: Ruleset, question: questions.BestOpeningQuestion, *, concealed_out: bool) -> _Openings:
    """The openings out of the melds of this hand that an opening may hold."""
    settings, top = rules.settings, question.top_card
    shown = OpeningQuestion(question.score, (), top, concealed_out, question.deal)
    held = together(question.hand, top or NOTHING).cards
    minimum = settings.opening_minimum(question.score, question.deal)
    candidates = new_melds(settings, held, going_out=concealed_out)
    found = tuple(openers(rules, candidates, minimum, concealed=concealed_out))
    if top is not None:
        found = tuple(_holding(rules, shown, top, each) for each in found)
    keeps = settings.hands_each == 1 and top is None and settings.unit == "points"
    return _Openings(rules, shown, held, found, minimum, keeps)


def _holding(rules: Ruleset, question: OpeningQuestion, top: Reading, candidate: Candidate) -> Candidate:
    """That a meld may hold the top card, if it may: what the rules say to an opening of this meld alone."""
    lies = Reading(candidate.lies.cards)
    if not lies.cards.of(kind_of(top)):
        return candidate
    alone = rule_opening(rules, replace(question, melds=(lies,)))
    if any(why.code in _AGAINST_TOP for why in alone.reasons):
        return candidate
    return replace(candidate, tallies=(*candidate.tallies, (TOP, 1)))


def best_opening(rules: Ruleset, question: questions.BestOpeningQuestion) -> Ruling:
    """Whether any melds of the hand open, and those that lay most points, be it that the player goes out with them."""
    wrong = cannot_be(rules, question.hand, question.top_card or NOTHING)
    if wrong:
        return Ruling(Verdict.FORBIDDEN, wrong)
    if question.concealed_out:
        leaving = _openings(rules, question, concealed_out=True).leaving()
        if leaving is not None:
            return _answer(leaving)
    openings = _openings(rules, question, concealed_out=False)
    staying = openings.staying()
    if question.concealed_out:
        not_out = reason("opening-not-out", *to_go_out(rules.settings), why="hand")
        return _answer(staying or _nearest(openings), not_out)
    leaving = openings.leaving() if openings.keeps else None
    if leaving is not None and (staying is None or openings.worth(leaving) > openings.worth(staying)):
        return _answer(leaving, reason("opening-goes-out", *to_go_out(rules.settings)))
    if staying is not None and openings.keeps and openings.stay(staying) == _KEPT:
        return _answer(staying, reason("opening-hand-kept", *_TO_KEEP, cards=_KEPT))
    return _answer(staying or _nearest(openings))


def _nearest(openings: _Openings) -> Ruling:
    """Why nothing opens: what the melds that count most lack, or that too few cards would stay."""
    emptying = openings.staying(keeping=False) if openings.keeps else None
    near = openings.nearest(keeping=emptying is not None)
    if emptying is None:
        return near or Ruling(Verdict.FORBIDDEN, (reason("hand-without-meld", "meld-shortest"),))
    minimum = int(emptying.details["minimum"] or 0)
    if near is None:
        near = Ruling(Verdict.FORBIDDEN, (), {"minimum": minimum, "counted": 0, "missing": minimum})
    stay = openings.stay(emptying)
    return _answer(near, reason("opening-hand-emptied", *_TO_KEEP, cards=stay, minimum=minimum))


def _answer(found: Ruling, *more: Reason) -> Ruling:
    """The answer with more reasons, those of what a source got wrong last; the last discard is no part of it."""
    notes = tuple(why for why in found.reasons if why.code.startswith("fault-"))
    reasons = (*(why for why in found.reasons if why not in notes), *more, *notes)
    return replace(found, reasons=reasons, play=found.play and replace(found.play, discard=None))


# ------------------------------------------------------------------------------------------- taking the pile

_WHATEVER_IS_LAID = frozenset({"pile-before-opening", "pile-top-stops", "pile-top-special"})
"""Reasons that no cards of the hand can take away."""
_OF_MELDS_SHOWN = frozenset({"pile-top-unused", "meld-too-short", _SHORT, *OF_MINIMUMS})
"""What is wrong with melds that nobody laid."""


def best_pile(rules: Ruleset, question: questions.BestPileQuestion) -> Ruling:
    """Whether the hand takes the pile, and the plainest way; to open, that in which most points count."""
    top = question.top
    wrong = cannot_be(rules, question.hand, top, *question.table)
    if wrong:
        return Ruling(Verdict.FORBIDDEN, wrong)
    shown = PileQuestion(top, question.frozen, question.opened, question.score, question.table, (), question.deal)
    bare = rule_pile(rules, shown)
    decided = tuple(why for why in bare.reasons if why.code in _WHATEVER_IS_LAID)
    if decided or bare.verdict is Verdict.SILENT:
        return replace(bare, reasons=decided or bare.reasons)
    held = together(question.hand, top).cards
    minimum = None if question.opened else rules.settings.opening_minimum(question.score, question.deal)
    holding = _holding_top(rules, question.hand.cards, shown)
    if minimum is not None:
        play = _opening_with_top(rules, question.hand.cards, tuple(holding), shown, minimum)
    else:
        # Twos rather than jokers.
        plainest = next(holding, None)
        play = plainest and best_play(Task(held, (plainest[0],), {TOP: (1, 1)}, (0, 1), (1, 0), top=top))
    if play is None:
        return _why_not_taken(rules, question, shown)
    joining, *others = (Reading(laid.cards) for laid in play.laid)
    judged = rule_pile(rules, replace(shown, laid=(*_as_shown(shown, less(joining.cards, top.cards)), *others)))
    found = None if judged.verdict is Verdict.FORBIDDEN else play
    return replace(judged, reasons=_as_of_a_hand(judged.reasons), play=found)


def _opening_with_top(
    rules: Ruleset, hand: Cards, holding: tuple[tuple[Candidate, Use | None], ...], shown: PileQuestion, minimum: int
) -> Play | None:
    """The opening that counts most, with the top card in one of its melds."""
    laid = [each for each, use in holding if use and use.number is not None]
    # The top card laid off by itself is no part of an opening.
    off = [opener(each, 0, fits=False) for each, use in holding if use and use.number is None]
    others = openers(rules, new_melds(rules.settings, hand, going_out=False), minimum, concealed=False)
    found = (*openers(rules, laid, minimum, concealed=False), *off, *others)
    task = opening_task(rules.settings, together(Reading(hand), shown.top).cards, found, minimum)
    limits: Limits = {TOP: (1, 1), FITS: (1, None), **task.limits}
    task = replace(task, limits=limits, top=shown.top)
    return best_play(task) or best_play(replace(task, limits={name: limits[name] for name in limits if name != FITS}))


def _holding_top(rules: Ruleset, hand: Cards, shown: PileQuestion) -> Iterator[tuple[Candidate, Use | None]]:
    """The top card and what of the hand may go down with it, and its use, judged as if there were nothing to reach.

    The plainest first: without wild cards, and few cards. A special top card has no use: it goes with more of its kind.
    """
    top = INDEX[kind_of(shown.top)]
    natural = top in NATURAL_INDICES
    for wilds in range((min(hand.wilds, rules.settings.wild_limit) if natural else 0) + 1):
        for count in range(1 if wilds else 0, hand.counts[top] + 1):
            beside = cards_of({TWO: wilds})
            tried = replace(shown, laid=_as_shown(shown, gather((cards_of({top: count}), beside))))
            uses = uses_of(rules, tried) if natural else ()
            taking = (use for use in uses if all(why.code == _SHORT for why in against_use(rules, tried, use)))
            use = next(taking, None)
            if use is not None or (not natural and rule_pile(rules, tried).verdict is Verdict.ALLOWED):
                added = cards_of({top: count + 1})
                on = None if use is None or use.onto is None else shown.table.index(use.onto)
                # What lies on the table before is no part of an opening.
                lies = read_meld(gather((added, beside)))
                yield tallied(rules.settings, Candidate(added, wilds, lies, on), (TOP, 1)), use


def _as_shown(shown: PileQuestion, own: Cards) -> tuple[Reading, ...]:
    """Cards of the hand that go with the top card, as a question shows them.

    The top card stands among them, but where the table has a meld of its rank: there they are the hand's only. Where
    there are none the top card is laid off alone, and nothing is shown.
    """
    if not own.size:
        return ()
    joins = any(lying.cards.ranks == (INDEX[kind_of(shown.top)],) for lying in shown.table)
    return (Reading(own) if joins else together(shown.top, Reading(own)),)


def _why_not_taken(rules: Ruleset, question: questions.BestPileQuestion, shown: PileQuestion) -> Ruling:
    """What is said to somebody who lays all there is of the top card's kind, but for what only melds shown lack."""
    kind = kind_of(question.top)
    held = question.hand.cards.of(kind)
    answer = rule_pile(rules, replace(shown, laid=_as_shown(shown, cards_of({INDEX[kind]: held}))))
    reasons = tuple(why for why in answer.reasons if why.code not in _OF_MELDS_SHOWN)
    if kind.is_natural and not held and all(why.code != "pile-naturals" for why in reasons):
        reasons = (*reasons, too_few_naturals(rules, shown, held))
    return Ruling(Verdict.FORBIDDEN, reasons)


# ------------------------------------------------------------------------------------------- going out

_TO_COME = frozenset({
    "out-canastas-missing", "out-red-threes-missing", "out-wild-meld-incomplete", "out-meld-incomplete",
})  # fmt: skip
"""What may be wrong with a table before the hand is laid on it."""


def best_out(rules: Ruleset, question: questions.BestOutQuestion) -> Ruling:
    """Whether the player can go out, and a way to do it."""
    # Who goes out with nothing of the side on the table opens in that turn, noted or not.
    question = replace(question, concealed=question.concealed or not question.table)
    wrong = cannot_be(rules, question.hand, *question.table) or tuple(_against_any_way(rules, question))
    if wrong:
        return Ruling(Verdict.FORBIDDEN, wrong)
    discards = _last_discard(rules, question.hand.cards, question.discard if question.discard_noted else None)
    play = _way_out(rules, question, discards)
    if play is not None:
        return _judged_out(rules, question, play)
    if rules.settings.wild_meld_naturals == "unspoken" and _of_wilds(question.table):
        play = _way_out(rules, question, discards, unspoken=True)
        if play is not None:
            judged = _judged_out(rules, question, play)
            return replace(judged, verdict=Verdict.SILENT, reasons=_unspoken(rules, question, play))
    # What is missing where all the cards can go, or how many cannot.
    any_number = replace(discards, number=(0, discards.number[1]))
    play = _way_out(rules, question, any_number, needs=False)
    if play is None:
        return Ruling(Verdict.FORBIDDEN, (_staying(rules, question, discards),))
    judged = _judged_out(rules, question, play)
    own = reason("own-canasta-missing", "concealed-out")
    return Ruling(Verdict.FORBIDDEN, judged.reasons if judged.verdict is Verdict.FORBIDDEN else (own,))


def _against_any_way(rules: Ruleset, question: questions.BestOutQuestion) -> Iterator[Reason]:
    """What keeps the player from going out whatever is laid."""
    # What is drawn for threes that belong on the table is part of the question.
    settings, hand = rules.settings, question.hand.cards
    exposed = {
        "red-threes-kept": hand.counts[RED_THREE] * (settings.red_threes_kept == "exposed"),
        "black-threes-exposed": hand.counts[BLACK_THREE] * bool(settings.black_threes_exposed),
    }
    rests = [setting for setting, count in exposed.items() if count]
    if rests:
        yield reason("hand-threes-to-expose", *rests, threes=sum(exposed.values()))
    now = _shown_out(question, question.table, question.discard, noted=question.discard_noted)
    yield from (why for why in against_going_out(rules, now) if why.code not in _TO_COME)
    if not question.discard.cards.is_among(hand):
        yield reason("discard-not-in-hand", "last-discard")
    if question.concealed and question.table and settings.concealed_out is ConcealedOut.OPENING_TURN:
        yield reason("concealed-after-opening", "concealed-out")


def _shown_out(
    question: questions.BestOutQuestion, table: tuple[Reading, ...], discard: Reading, *, noted: bool = True
) -> OutQuestion:
    return OutQuestion(table, discard, noted, question.concealed, question.red_threes, question.permission)


def _way_out(
    rules: Ruleset,
    question: questions.BestOutQuestion,
    discards: Discards,
    *,
    unspoken: bool = False,
    needs: bool = True,
    whole: bool = True,
) -> Play | None:
    """The way that leaves most points on the table; None where there is none.

    `unspoken`: also with what no source speaks of. Without `needs` only the cards bound it, and not what going out
    asks; not `whole`: as many cards as possible are laid, whatever stays.
    """
    settings, held = rules.settings, less(question.hand.cards, discards.aside)
    minimum = None
    if needs and not question.table and settings.concealed_out is not ConcealedOut.OWN_MELDS_ONLY:
        minimum = settings.opening_minimum(question.score, question.deal)
    # Any way out will do; of a hand that is not too large, that with most points is shown.
    best = whole and held.size <= TIDY_HAND
    candidates = tuple(
        replace(each, worth=_worth(settings, each) if best else 0 if whole else each.added.size + each.wilds)
        for each in _melds_to_go_out(rules, question, held, minimum, unspoken=unspoken)
    )
    limits: Limits = {("on", place): (1, 1) for place in range(len(question.table))}
    limits |= one_of_each(candidates) | (_needed_out(settings, question, minimum) if needs else {})
    weights = (int(best), int(best))
    return best_play(Task(held, candidates, limits, wild_points(settings, minimum or 0), weights, whole, discards))


def _worth(settings: Settings, candidate: Candidate) -> int:
    canasta = canasta_of(candidate.lies, settings)
    return (canasta.points if canasta else 0) + candidate.added.points(settings.card_points)


def _needed_out(settings: Settings, question: questions.BestOutQuestion, minimum: int | None) -> Limits:
    """What going out asks of all the melds together."""
    limits = canastas_needed(settings) | {BARRED: (0, 0)}
    if settings.out_red_threes == "one-for-each-canasta":
        limits[CANASTAS] = (settings.canastas_needed, question.red_threes)
    if question.concealed:
        limits[OWN_CANASTAS] = (1, None)
    if minimum is not None:
        limits |= {FITS: (1, None), COUNTED: (minimum, None)}
    return limits


def _melds_to_go_out(
    rules: Ruleset, question: questions.BestOutQuestion, held: Cards, minimum: int | None, *, unspoken: bool
) -> Iterator[Candidate]:
    """Every meld that may be laid, or lie; a player who goes out concealed lays nothing on the melds of the table."""
    settings, table = rules.settings, question.table
    new = new_melds(settings, held, going_out=True)
    if table:
        new = tuple(each for each in new if not (each.lies.wilds and begun_natural(settings, each.lies)))
    yield from new if minimum is None else openers(rules, new, minimum, concealed=True)
    for each in new if minimum is not None else ():
        # Where an opening may hold no mixed canasta that is complete, a card of it comes after the opening.
        rank = _rank_after_opening(settings, each.lies)
        if rank is not None:
            yield opener(each, less(each.added, cards_of({rank: 1})).points(settings.card_points), fits=False)
    melds, wild = [read_meld(lying.cards) for lying in table], _of_wilds(table)
    becoming = unspoken or settings.wild_meld_naturals == "allowed"
    on = [
        each
        for each in laid_off(settings, NO_CARDS if question.concealed else held, table)
        if each.on is not None
        and (becoming or each.on not in wild or not each.added.naturals)
        and not any(against_laying_wilds(rules, melds[each.on], each.wilds + each.added.wilds))
    ]
    yield from legal(settings, on, going_out=True)


def _rank_after_opening(settings: Settings, meld: Meld) -> int | None:
    """The rank (index) of a complete mixed canasta, where an opening may hold none; None of any other meld."""
    completes = meld.wilds > 0 and canasta_of(meld, settings) is not None
    return meld.rank if completes and settings.opening_natural_group == "needed" else None


def _of_wilds(table: tuple[Reading, ...]) -> frozenset[int]:
    """The places of melds of wild cards alone."""
    return frozenset(place for place, lying in enumerate(table) if lying.cards.wilds == lying.cards.size)


def _judged_out(rules: Ruleset, question: questions.BestOutQuestion, play: Play) -> Ruling:
    """What the rules say to this way; where nothing lay on the table, to its melds as an opening too."""
    table = table_after(play, question.table)
    judged = [rule_out(rules, _shown_out(question, table, Reading(play.discard or NO_CARDS)))]
    # Where going out asks no minimum, what it lacks says all.
    asks = rules.settings.concealed_out is not ConcealedOut.OWN_MELDS_ONLY or judged[0].verdict is Verdict.ALLOWED
    if not question.table and asks:
        judged.append(_judged_opening(rules, question, melds_of(play)))
    against = tuple(why for each in judged if each.verdict is Verdict.FORBIDDEN for why in each.reasons)
    if against:
        return Ruling(Verdict.FORBIDDEN, against)
    details: dict[str, Detail] = {name: value for each in judged for name, value in each.details.items()}
    reasons = [why for each in judged for why in each.reasons]
    length = rules.settings.canasta_length
    # Wild cards go first on a meld that is a canasta with them: on a complete one they may not come.
    late = any(laid.on is not None and laid.cards.wilds and table[laid.on].cards.size > length for laid in play.laid)
    if rules.settings.wild_on_canasta == "forbidden" and late:
        reasons.append(reason("way-wilds-first", "wild-on-canasta"))
    return Ruling(Verdict.ALLOWED, tuple(reasons), details, play)


def _judged_opening(rules: Ruleset, question: questions.BestOutQuestion, melds: tuple[Reading, ...]) -> Ruling:
    """What the rules say to the opening; what may not be complete in it is completed later in the turn."""
    first, later = [], []
    for meld in melds:
        rank = _rank_after_opening(rules.settings, read_meld(meld.cards))
        first.append(meld if rank is None else Reading(less(meld.cards, cards_of({rank: 1}))))
        if rank is not None:
            later.append(reason("opening-canasta-after", "opening-natural-group", rank=KINDS[rank]))
    # What is completed after the opening is no going out with the opening alone.
    opening = OpeningQuestion(question.score, tuple(first), concealed_out=not later, deal=question.deal)
    opened = rule_opening(rules, opening)
    return replace(opened, reasons=(*_as_of_a_hand(opened.reasons), *later))


def _unspoken(rules: Ruleset, question: questions.BestOutQuestion, play: Play) -> tuple[Reason, ...]:
    """Why nobody says whether this way is one: what the referee says to the first meld that is laid on so."""
    laid = [(each.cards, question.table[each.on]) for each in play.laid if each.on is not None]
    answers = [rule_meld(rules, MeldQuestion(Reading(cards), on, True)) for cards, on in laid]
    return next(answer.reasons for answer in answers if answer.verdict is Verdict.SILENT)


def _staying(rules: Ruleset, question: questions.BestOutQuestion, discards: Discards) -> Reason:
    """The cards that stay in the hand even where as many as can be are laid, and what of them may be discarded."""
    free = discards if question.discard_noted else Discards(aside=discards.aside)
    play = _way_out(rules, question, free, needs=False, whole=False)
    gone = gather(() if play is None else (*(laid.cards for laid in play.laid), play.discard or NO_CARDS))
    counts = zip(KINDS, question.hand.cards.counts, gone.counts, strict=True)
    stay = [(kind, held - out) for kind, held, out in counts if held > out]
    why = _why_staying(rules, question, discards, [kind for kind, _ in stay])
    rests = ("out-empty-handed", *(["last-discard-special"] if why in ("some", "special") else []))
    named = " ".join(f"{count}x{kind}" if count > 1 else str(kind) for kind, count in stay)
    return reason("hand-cards-stay", *rests, cards=sum(count for _, count in stay), stay=named, why=why)


def _why_staying(rules: Ruleset, question: questions.BestOutQuestion, discards: Discards, kinds: list[Kind]) -> str:
    """What can be said of a discard out of cards that stay: it is another, there is none, or who of them may be it."""
    if question.discard.cards.size or discards.aside.size:
        return "said"
    if question.discard_noted:
        return "without"
    last = [may_be_last(cards_of({INDEX[kind]: 1}), rules.settings) for kind in kinds]
    return "one" if all(last) else "some" if any(last) else "special"
