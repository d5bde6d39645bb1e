"""Rulings on all the cards that a player holds: the best opening, taking the pile, and going out.

Of an opening one card is discarded and at least one stays, unless the player goes out; not so where another hand of
cards follows, where the pile is taken, and where play goes on without cards (W Variante mini). To take the pile, the
cards that go down with the top card are tried one by one. To go out, all cards but the discard are laid. What is found
is judged by the rulings on melds that a player shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from scorepad.referee.best_play import (
    BARRED,
    CANASTAS,
    COUNTED,
    FITS,
    MELDS,
    ONE_OF_EACH,
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
    opener,
    openers,
    opening_task,
    tallied,
    wild_points,
)
from scorepad.referee.case import OF_MINIMUMS, answers, cannot_be, kind_of, reason, to_go_out, together
from scorepad.referee.going_out import against_going_out, rule_out
from scorepad.referee.meld import against_laying_wilds, against_top_card, begun_natural, rule_meld, rule_opening
from scorepad.referee.pile import Use, against_use, rule_pile, too_few_naturals, uses_of
from scorepad.referee.questions import (
    BestOpeningQuestion,
    BestOutQuestion,
    BestPileQuestion,
    Detail,
    MeldQuestion,
    OpeningQuestion,
    OutQuestion,
    Permission,
    PileQuestion,
    Play,
    Reason,
    Ruling,
    Verdict,
)
from scorepad.rules.bounds import Resource
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


def _last_discard(rules: Ruleset, held: Cards, noted: Reading | None) -> Discards:
    """The discards of a player who goes out: that which was noted, or any that the rules allow."""
    settings = rules.settings
    must = int(settings.last_discard is LastDiscard.OBLIGATORY)
    if noted == NOTHING:
        return Discards(number=(must, 0))
    for kind in (BLACK_THREE, RED_THREE) if settings.threes_together else ():
        # Threes are discarded all together: those that were noted, or that nothing else can become of.
        count = (noted.cards if noted else held).counts[kind]
        if count == settings.threes_together:
            return Discards(aside=cards_of({kind: count}))
    if noted is None:
        kinds = (index for index, count in enumerate(held.counts) if count)
        return Discards(tuple(kind for kind in kinds if may_be_last(cards_of({kind: 1}), settings)), (must, 1))
    if noted.cards.suited:
        return Discards(aside=noted.cards)
    both = zip(held.counts, noted.cards.counts, strict=True)
    return Discards(tuple(index for index, counts in enumerate(both) if all(counts)), (1, 1))


# ------------------------------------------------------------------------------------------- the best opening

_KEPT = 2
"""Cards of the hand: one to discard, and one that stays."""
_TO_KEEP = ("out-empty-handed", "canastas-needed")
"""Why cards must stay with whoever does not go out."""


@dataclass(frozen=True, slots=True)
class _Openings:
    """The openings of a hand; the top card of the pile, where it is used, is among the cards held.

    `reaching` is what an opening must reach, `keeps` whether cards must stay with whoever does not go out. The answers
    show the opening that they are about.
    """

    rules: Ruleset
    question: OpeningQuestion
    task: Task
    reaching: Limits
    keeps: bool

    def judged(self, limits: Limits, *, keep: bool = False, **changes: object) -> Ruling | None:
        """What the rules say to the best play within these limits, which may have to `keep` cards; None of none."""
        task = replace(self.task, limits=self.task.limits | limits, **changes)  # type: ignore[arg-type]
        if keep:
            # Every card is laid or stays, which is found sooner than with fewer laid.
            kinds = tuple(index for index, count in enumerate(task.held.counts) if count)
            task = replace(task, whole=True, discards=Discards(kinds, (_KEPT, _KEPT + task.held.size)))
        play = best_play(task)
        if play is None:
            return None
        answer = rule_opening(self.rules, replace(self.question, melds=melds_of(play)))
        return replace(answer, reasons=_as_of_a_hand(answer.reasons), play=play)

    @property
    def using(self) -> Limits:
        """That the top card is used."""
        return {TOP: (1, None)} if self.question.top_card else {}

    def staying(self, *, keep: bool) -> Ruling | None:
        """The best opening of a player who stays in the hand; None where nothing opens."""
        found = self.judged({**self.using, **self.reaching}, keep=keep)
        return None if found is None or found.verdict is Verdict.FORBIDDEN else found

    def leaving(self) -> Ruling | None:
        """The best opening of a player who goes out with it; None where there is none.

        With the top card of the pile the other cards of it come into the hand, and what becomes of them is not known.
        """
        settings, pile = self.rules.settings, self.question.top_card is not None
        free = self.question.concealed_out and settings.concealed_out is ConcealedOut.OWN_MELDS_ONLY
        needs = self.using | canastas_needed(settings) | {BARRED: (0, 0)} | ({} if free else self.reaching)
        discards = Discards() if pile else _last_discard(self.rules, self.task.held, None)
        found = self.judged(needs, whole=not pile, discards=discards)
        if found is None or found.play is None or found.verdict is Verdict.FORBIDDEN:
            return None
        # If the partner has nothing against it.
        discard, granted = Reading(found.play.discard or NO_CARDS), Permission.GRANTED
        out = OutQuestion(melds_of(found.play), discard, True, concealed=True, permission=granted)
        return found if pile or rule_out(self.rules, out).verdict is Verdict.ALLOWED else None

    def why_none(self) -> Ruling:
        """Why nothing opens: what the melds that count most lack, or that too few cards would stay."""
        emptying = self.staying(keep=False) if self.keeps else None
        counted_first, limits = (self.task.weights[0], 1), {**self.using, MELDS: (1, None)}
        near = self.judged(limits, keep=emptying is not None, weights=counted_first)
        if near is None and self.using:
            # The top card is among those melds only if that can be.
            near = self.judged({MELDS: (1, None)}, keep=emptying is not None, weights=counted_first)
        near = near and replace(near, play=None)
        if emptying is None:
            return near or Ruling(Verdict.FORBIDDEN, (reason("hand-without-meld", "meld-shortest"),))
        minimum = int(emptying.details["minimum"] or 0)
        if near is None:
            near = Ruling(Verdict.FORBIDDEN, (), {"minimum": minimum, "counted": 0, "missing": minimum})
        stay = self.stay(emptying)
        return _answer(near, reason("opening-hand-emptied", *_TO_KEEP, cards=stay, minimum=minimum))

    def worth(self, found: Ruling) -> tuple[int, int, int]:
        """What makes an opening the best: the points laid, then those counted, then few melds."""
        laid = found.play.laid if found.play else ()
        points = sum(each.cards.points(self.rules.settings.card_points) for each in laid)
        return points, int(found.details.get("counted") or 0), -len(laid)

    def stay(self, found: Ruling) -> int:
        """How many cards stay in the hand."""
        return self.task.held.size - sum(each.cards.size for each in (found.play.laid if found.play else ()))


def _openings(rules: Ruleset, question: BestOpeningQuestion, *, concealed_out: bool) -> _Openings:
    """The openings out of the melds of this hand that an opening may hold."""
    settings, top = rules.settings, question.top_card
    shown = OpeningQuestion(question.score, (), top, concealed_out, question.deal)
    held = together(question.hand, top or NOTHING).cards
    minimum = settings.opening_minimum(question.score, question.deal)

    def holding_top(candidate: Candidate) -> Candidate:
        lies = Reading(candidate.lies.cards)
        holds = top and lies.cards.of(kind_of(top)) and not any(against_top_card(rules, replace(shown, melds=(lies,))))
        return replace(candidate, tallies=(*candidate.tallies, (TOP, 1))) if holds else candidate

    melds = openers(rules, new_melds(settings, held, going_out=concealed_out), minimum, concealed=concealed_out)
    task = opening_task(settings, held, map(holding_top, melds), minimum, top)
    # Where all melds count, the most points do if any do.
    all_count = all(each.counts for each in task.candidates)
    counted: Limits = {} if minimum is None or all_count else {COUNTED: (minimum, None)}
    reaching: Limits = {FITS: (1, None), **counted}
    keeps = settings.hands_each == 1 and top is None and settings.unit == "points"
    return _Openings(rules, shown, task, reaching, keeps)


@answers(BestOpeningQuestion)
def best_opening(rules: Ruleset, question: BestOpeningQuestion) -> Ruling:
    """Whether any melds of the hand open, and those that lay most points, be it that the player goes out with them."""
    wrong = cannot_be(rules, question.hand, question.top_card or NOTHING)
    if wrong:
        return Ruling(Verdict.FORBIDDEN, wrong)
    leaving = _openings(rules, question, concealed_out=True).leaving() if question.concealed_out else None
    if leaving is not None:
        return _answer(leaving)
    openings = _openings(rules, question, concealed_out=False)
    staying = openings.staying(keep=openings.keeps)
    grounds = to_go_out(rules.settings)
    if question.concealed_out:
        return _answer(staying or openings.why_none(), reason("opening-not-out", *grounds, why="hand"))
    leaving = openings.leaving() if openings.keeps else None
    if leaving is not None and (staying is None or openings.worth(leaving) > openings.worth(staying)):
        return _answer(leaving, reason("opening-goes-out", *grounds))
    if staying is not None and openings.keeps and openings.stay(staying) == _KEPT:
        return _answer(staying, reason("opening-hand-kept", *_TO_KEEP, cards=_KEPT))
    return _answer(staying or openings.why_none())


def _answer(found: Ruling, *more: Reason) -> Ruling:
    """The answer with more reasons, those of what a source got wrong last; the last discard is no part of it."""
    notes = tuple(why for why in found.reasons if why.code.startswith("fault-"))
    reasons = (*(why for why in found.reasons if why not in notes), *more, *notes)
    return replace(found, reasons=reasons, play=found.play and Play(found.play.laid))


# ------------------------------------------------------------------------------------------- taking the pile

_WHATEVER_IS_LAID = frozenset({"pile-before-opening", "pile-top-stops", "pile-top-special"})
"""Reasons that no cards of the hand can take away."""
_OF_MELDS_SHOWN = frozenset({"pile-top-unused", "meld-too-short", _SHORT, *OF_MINIMUMS})
"""What is wrong with melds that nobody laid."""


@answers(BestPileQuestion)
def best_pile(rules: Ruleset, question: BestPileQuestion) -> Ruling:
    """Whether the hand takes the pile, and the plainest way; to open, that in which most points count."""
    top, hand = question.top, question.hand.cards
    wrong = cannot_be(rules, question.hand, top, *question.table)
    if wrong:
        return Ruling(Verdict.FORBIDDEN, wrong)
    shown = PileQuestion(top, question.frozen, question.opened, question.score, question.table, (), question.deal)
    bare = rule_pile(rules, shown)
    decided = tuple(why for why in bare.reasons if why.code in _WHATEVER_IS_LAID)
    if decided or bare.verdict is Verdict.SILENT:
        return replace(bare, reasons=decided or bare.reasons)
    minimum = None if question.opened else rules.settings.opening_minimum(question.score, question.deal)
    holding = _holding_top(rules, hand, shown)
    if minimum is not None:
        play = _opening_with_top(rules, hand, tuple(holding), shown, minimum)
    else:
        # Twos rather than jokers.
        plainest, held = next(holding, None), together(question.hand, top).cards
        play = plainest and best_play(Task(held, (plainest[0],), {TOP: (1, 1)}, (0, 1), top=top))
    if play is None:
        return _why_not_taken(rules, question, shown)
    joining, *others = (Reading(laid.cards) for laid in play.laid)
    judged = rule_pile(rules, replace(shown, laid=(*_as_shown(shown, less(joining.cards, top.cards)), *others)))
    found = None if judged.verdict is Verdict.FORBIDDEN else Play(play.laid)
    return replace(judged, reasons=_as_of_a_hand(judged.reasons), play=found)


def _opening_with_top(
    rules: Ruleset, hand: Cards, holding: tuple[tuple[Candidate, Use | None], ...], shown: PileQuestion, minimum: int
) -> Play | None:
    """The opening that counts most, with the top card in one of its melds."""
    laid = [each for each, use in holding if use and use.number is not None]
    # The top card laid off by itself is no part of an opening.
    off = [opener(each, 0, fits=False) for each, use in holding if use and use.number is None]
    others = openers(rules, new_melds(rules.settings, hand, going_out=False), minimum)
    candidates = (*openers(rules, laid, minimum), *off, *others)
    held = together(Reading(hand), shown.top).cards
    task = opening_task(rules.settings, held, candidates, minimum, shown.top)
    using: Limits = {TOP: (1, 1)}
    opening: Limits = {**using, FITS: (1, None)}
    plays = (best_play(replace(task, limits=limits | task.limits)) for limits in (opening, using))
    return next(filter(None, plays), None)


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


def _why_not_taken(rules: Ruleset, question: BestPileQuestion, shown: PileQuestion) -> Ruling:
    """What is said to somebody who lays all there is of the top card's kind, but for what only melds shown lack."""
    kind = kind_of(question.top)
    held = question.hand.cards.of(kind)
    answer = rule_pile(rules, replace(shown, laid=_as_shown(shown, cards_of({INDEX[kind]: held}))))
    reasons = tuple(why for why in answer.reasons if why.code not in _OF_MELDS_SHOWN)
    if kind.is_natural and not held and all(why.code != "pile-naturals" for why in reasons):
        reasons = (*reasons, too_few_naturals(rules, shown, held))
    return Ruling(Verdict.FORBIDDEN, reasons)


# ------------------------------------------------------------------------------------------- going out

_BECOMING: Resource = ("becoming",)
"""The tally of natural cards laid on melds of wild cards alone."""
_TO_COME = frozenset({
    "out-canastas-missing", "out-red-threes-missing", "out-wild-meld-incomplete", "out-meld-incomplete",
})  # fmt: skip
"""What may be wrong with a table before the hand is laid on it."""


@answers(BestOutQuestion)
def best_out(rules: Ruleset, question: BestOutQuestion) -> Ruling:
    """Whether the player can go out, and a way to do it."""
    settings, table = rules.settings, question.table
    # Who goes out with nothing of the side on the table opens in that turn, noted or not.
    question = replace(question, concealed=question.concealed or not table)
    wrong = cannot_be(rules, question.hand, *table) or tuple(_against_any_way(rules, question))
    if wrong:
        return Ruling(Verdict.FORBIDDEN, wrong)
    discards = _last_discard(rules, question.hand.cards, question.discard if question.discard_noted else None)
    # What going out asks of all the melds together.
    needs = canastas_needed(settings) | {BARRED: (0, 0)}
    if settings.out_red_threes == "one-for-each-canasta":
        needs[CANASTAS] = (settings.canastas_needed, question.red_threes)
    if question.concealed:
        needs[OWN_CANASTAS] = (1, None)
    minimum = None
    if not table and settings.concealed_out is not ConcealedOut.OWN_MELDS_ONLY:
        minimum = settings.opening_minimum(question.score, question.deal)
        needs |= {} if minimum is None else {FITS: (1, None), COUNTED: (minimum, None)}
    task = _out_task(rules, question, discards, minimum)
    play = best_play(replace(task, limits=task.limits | needs))
    if play is not None:
        return _judged_out(rules, question, play)
    play = (
        best_play(replace(task, limits=task.limits | needs | {_BECOMING: (0, None)}))
        if _BECOMING in task.limits
        else None
    )
    if play is not None:
        # Nobody says whether this way is one: what the referee says to the first meld that is laid on so.
        laid = [(Reading(each.cards), table[each.on]) for each in play.laid if each.on is not None]
        judged = [rule_meld(rules, MeldQuestion(cards, on, True)) for cards, on in laid]
        unspoken = next(each.reasons for each in judged if each.verdict is Verdict.SILENT)
        return replace(_judged_out(rules, question, play), verdict=Verdict.SILENT, reasons=unspoken)
    # What is missing where all the cards can go, or how many cannot.
    free = task if minimum is None else _out_task(rules, question, discards, None)
    play = best_play(replace(free, discards=replace(discards, number=(0, discards.number[1]))))
    if play is None:
        return Ruling(Verdict.FORBIDDEN, (_staying(rules, question, free),))
    lacking = _judged_out(rules, question, play)
    own = reason("own-canasta-missing", "concealed-out")
    return Ruling(Verdict.FORBIDDEN, lacking.reasons if lacking.verdict is Verdict.FORBIDDEN else (own,))


def _against_any_way(rules: Ruleset, question: BestOutQuestion) -> Iterator[Reason]:
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
    question: BestOutQuestion, table: tuple[Reading, ...], discard: Reading, *, noted: bool = True
) -> OutQuestion:
    return OutQuestion(table, discard, noted, question.concealed, question.red_threes, question.permission)


def _out_task(rules: Ruleset, question: BestOutQuestion, discards: Discards, minimum: int | None) -> Task:
    """To lay all but the last discard: every meld that may be laid, or lie, in a way that leaves most points.

    A player who goes out concealed lays nothing on the melds of the table. What no source speaks of is left out.
    """
    settings, table, held = rules.settings, question.table, less(question.hand.cards, discards.aside)
    new = new_melds(settings, held, going_out=True)
    if table:
        new = tuple(each for each in new if not (each.lies.wilds and begun_natural(settings, each.lies)))
    melds = list(new if minimum is None else openers(rules, new, minimum, concealed=True))
    for each in new if minimum is not None else ():
        # Where an opening may hold no mixed canasta that is complete, a card of it comes after the opening.
        rank = _rank_after_opening(settings, each.lies)
        if rank is not None:
            points = less(each.added, cards_of({rank: 1})).points(settings.card_points)
            melds.append(opener(each, points, fits=False))
    for each in laid_off(settings, NO_CARDS if question.concealed else held, table):
        on, wilds = table[each.on or 0].cards, each.wilds + each.added.wilds
        if not any(against_laying_wilds(rules, read_meld(on), wilds)):
            becoming = int(on.wilds == on.size and each.added.naturals > 0)
            melds += legal(settings, [each], (_BECOMING, becoming), going_out=True)
    # Any way out will do; of a hand that is not too large, that with most points is shown.
    tidy = int(held.size <= TIDY_HAND)
    canastas = [canasta_of(each.lies, settings) for each in melds]
    worth = [
        each.added.points(settings.card_points) + (canasta.points if canasta else 0)
        for each, canasta in zip(melds, canastas, strict=True)
    ]
    candidates = tuple(replace(each, worth=points * tidy) for each, points in zip(melds, worth, strict=True))
    limits: Limits = {("on", place): (1, 1) for place in range(len(table))} | ONE_OF_EACH
    if settings.wild_meld_naturals == "unspoken":
        limits[_BECOMING] = (0, 0)
    return Task(held, candidates, limits, wild_points(settings), (tidy, tidy), whole=True, discards=discards)


def _rank_after_opening(settings: Settings, meld: Meld) -> int | None:
    """The rank (index) of a complete mixed canasta, where an opening may hold none; None of any other meld."""
    completes = meld.wilds > 0 and canasta_of(meld, settings) is not None
    return meld.rank if completes and settings.opening_natural_group == "needed" else None


def _judged_out(rules: Ruleset, question: BestOutQuestion, play: Play) -> Ruling:
    """What the rules say to this way; where nothing lay on the table, to its melds as an opening too."""
    settings, table = rules.settings, table_after(play, question.table)
    judged = [rule_out(rules, _shown_out(question, table, Reading(play.discard or NO_CARDS)))]
    # Where going out asks no minimum, what it lacks says all.
    asks = settings.concealed_out is not ConcealedOut.OWN_MELDS_ONLY or judged[0].verdict is Verdict.ALLOWED
    if not question.table and asks:
        judged.append(_judged_opening(rules, question, melds_of(play)))
    against = tuple(why for each in judged if each.verdict is Verdict.FORBIDDEN for why in each.reasons)
    if against:
        return Ruling(Verdict.FORBIDDEN, against)
    details: dict[str, Detail] = {name: value for each in judged for name, value in each.details.items()}
    reasons = [why for each in judged for why in each.reasons]
    # Wild cards go first on a meld that is a canasta with them: on a complete one they may not come.
    on = [table[laid.on] for laid in play.laid if laid.on is not None and laid.cards.wilds]
    if settings.wild_on_canasta == "forbidden" and any(meld.cards.size > settings.canasta_length for meld in on):
        reasons.append(reason("way-wilds-first", "wild-on-canasta"))
    return Ruling(Verdict.ALLOWED, tuple(reasons), details, play)


def _judged_opening(rules: Ruleset, question: BestOutQuestion, melds: tuple[Reading, ...]) -> Ruling:
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


def _staying(rules: Ruleset, question: BestOutQuestion, task: Task) -> Reason:
    """The cards that stay in the hand even where as many as can be are laid, and what of them may be discarded."""
    aside = task.discards.aside
    melds = tuple(replace(each, worth=each.added.size + each.wilds) for each in task.candidates)
    task = replace(task, candidates=melds, wilds=(0, 0), weights=(1, 1), whole=False)
    play = best_play(task if question.discard_noted else replace(task, discards=Discards(aside=aside)))
    gone = gather(() if play is None else (*(laid.cards for laid in play.laid), play.discard or NO_CARDS))
    counts = zip(KINDS, question.hand.cards.counts, gone.counts, strict=True)
    stay = {kind: held - out for kind, held, out in counts if held > out}
    last = [may_be_last(cards_of({INDEX[kind]: 1}), rules.settings) for kind in stay]
    # What can be said of a discard: it is another, there is none, or who of those that stay may be it.
    why = "one" if all(last) else "some" if any(last) else "special"
    if question.discard.cards.size or aside.size:
        why = "said"
    elif question.discard_noted:
        why = "without"
    rests = ("out-empty-handed", *(["last-discard-special"] if why in ("some", "special") else []))
    named = " ".join(f"{count}x{kind}" if count > 1 else str(kind) for kind, count in stay.items())
    return reason("hand-cards-stay", *rests, cards=sum(stay.values()), stay=named, why=why)
