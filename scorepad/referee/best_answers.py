"""Rulings on a player's complete hand: the best opening, taking the pile, and going out.

A player who opens discards one card and keeps at least one, unless the player goes out. This does
not apply if another hand of cards follows, if the pile is taken, or if play continues without cards
(W Variante mini). To take the pile, the cards laid with the top card are tried one by one. To go
out, all cards but the discard are laid. The result is judged by the rulings on melds that a player
shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple

from scorepad.referee.best_play import (
    BARRED,
    CANASTAS,
    COUNTED,
    FITS,
    LARGEST_TIDIED_HAND,
    MELDS,
    ONE_OF_EACH,
    OWN_CANASTAS,
    TOP,
    Candidate,
    Discards,
    Limits,
    Task,
    best_play,
    canastas_needed,
    laid_off,
    new_melds,
    opener,
    openers,
    opening_task,
    tallies,
    wild_points,
)
from scorepad.referee.case import (
    OF_MINIMUMS,
    against_impossible_cards,
    answers,
    kind_of,
    reason,
    to_go_out,
    together,
)
from scorepad.referee.going_out import against_going_out, rule_out, with_permission_penalty
from scorepad.referee.meld import (
    against_laying_wilds,
    against_top_card,
    rank_without_wilds,
    rule_meld,
    rule_opening,
)
from scorepad.referee.pile import against_use, rule_pile, too_few_naturals, uses_of
from scorepad.referee.questions import (
    MeldQuestion,
    OpeningQuestion,
    OutQuestion,
    Permission,
    PileQuestion,
    Play,
    Reason,
    Reasons,
    Ruling,
    Verdict,
    allowed,
    forbidden,
)
from scorepad.rules.bounds import Resource
from scorepad.rules.cards import (
    BLACK_THREE,
    INDEX,
    KINDS,
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
from scorepad.rules.definitions import Ruleset
from scorepad.rules.settings import Settings
from scorepad.rules.table import Meld, canasta_of, read_meld
from scorepad.rules.turn_checks import may_be_last

_SHORT = "opening-below-minimum"
_OF_A_HAND = frozenset({"opening-reached", "top-card-unused"})
"""Reasons with separate words for the best play of a hand, besides that for missing points."""


def table_after(play: Play, table: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """The melds of the side after a play; those of the table come first, in their order."""
    added = {laid.on: Reading(laid.cards) for laid in play.laid if laid.on is not None}
    return (*(together(lying, added.get(n, NOTHING)) for n, lying in enumerate(table)), *play.melds)


def _of_a_hand(ruling: Ruling, play: Play | None) -> Ruling:
    """A ruling on the play found; its reasons are worded for the most that the hand can lay."""
    reasons = tuple(
        replace(why, figures={**why.figures, "why": "hand"})
        if why.code in _OF_A_HAND or (why.code, why.figures.get("why")) == (_SHORT, "points")
        else why
        for why in ruling.reasons
    )
    return replace(ruling, reasons=reasons, play=play)


def _last_discard(settings: Settings, held: Cards, noted: Reading | None) -> Discards:
    """The possible last discards of a player who goes out: the one noted, or any that the rules
    allow.
    """
    must = int(settings.last_discard == "obligatory")
    if noted == NOTHING:
        return Discards(number=(must, 0))
    cards = noted.cards if noted else held
    for kind in (BLACK_THREE, RED_THREE):
        # Threes are discarded together: those that were noted, or those that cannot be used
        # otherwise.
        if 0 < settings.threes_together == cards.counts[kind]:
            return Discards(aside=cards_of({kind: settings.threes_together}))
    if noted and noted.cards.suited:
        return Discards(aside=noted.cards)
    kinds = tuple(index for index, count in enumerate(cards.counts) if count)
    if noted:
        return Discards(kinds, (1, 1))
    return Discards(
        tuple(kind for kind in kinds if may_be_last(cards_of({kind: 1}), settings)), (must, 1)
    )


# --------------------------------------------------------------------------------- the best opening

_KEPT = 2
"""Cards kept in the hand: one to discard, and one that stays."""
_TO_KEEP = ("out-empty-handed", "canastas-needed")
"""The settings that make a player who stays in keep cards."""


class _Openings(NamedTuple):
    """The openings of a hand; the top card of the pile, if it is used, is among the cards held.

    `using` requires the use of the top card, `reaching` is what an opening must reach, `keeps` is
    true if a player who does not go out must keep cards. The rulings contain the play that they
    judge.
    """

    rules: Ruleset
    question: OpeningQuestion
    task: Task
    using: Limits
    reaching: Limits
    keeps: bool

    def judged(self, limits: Limits, *, keep: bool = False, **changes: Any) -> Ruling | None:
        """The ruling on the best play within these limits, optionally with cards to `keep`; None if
        there is none.
        """
        task = self.task._replace(limits=self.task.limits | limits, **changes)
        if keep:
            # Requiring every card to be laid or kept is faster to solve.
            kinds = tuple(index for index, count in enumerate(task.held.counts) if count)
            task = task._replace(
                whole=True, discards=Discards(kinds, (_KEPT, _KEPT + task.held.size))
            )
        play = best_play(task)
        return play and _of_a_hand(
            rule_opening(self.rules, replace(self.question, melds=play.melds)), play
        )

    def staying(self, *, keep: bool) -> Ruling | None:
        """The best opening of a player who stays in the hand; None if there is none."""
        found = self.judged(self.using | self.reaching, keep=keep)
        return None if found is None or found.verdict is Verdict.FORBIDDEN else found

    def leaving(self) -> Ruling | None:
        """The best opening of a player who goes out with it; None if there is none.

        If the top card is used, the other cards of the pile come into the hand; they are not known
        and not considered.
        """
        settings, pile = self.rules.settings, self.question.top_card is not None
        free = self.question.concealed_out and settings.concealed_out == "own-melds-only"
        needs = (
            self.using
            | canastas_needed(settings)
            | {BARRED: (0, 0)}
            | ({} if free else self.reaching)
        )
        discards = Discards() if pile else _last_discard(settings, self.task.held, None)
        found = self.judged(needs, whole=not pile, discards=discards)
        if found is None or found.play is None or found.verdict is Verdict.FORBIDDEN:
            return None
        # Assuming that the partner agrees.
        discard, granted = Reading(found.play.discard or NO_CARDS), Permission.GRANTED
        out = OutQuestion(found.play.melds, discard, True, concealed=True, permission=granted)
        return found if pile or rule_out(self.rules, out).verdict is Verdict.ALLOWED else None

    def why_none(self) -> Ruling:
        """Why nothing opens: what the melds with the highest count lack, or that too few cards
        would stay.
        """
        emptying = self.staying(keep=False) if self.keeps else None
        keep, counted_first = emptying is not None, (self.task.weights[0], 1)
        # Try first with the top card among those melds.
        tried = [{**using, MELDS: (1, None)} for using in (self.using, {})]
        found = (self.judged(limits, keep=keep, weights=counted_first) for limits in tried)
        near = next((replace(each, play=None) for each in found if each), None)
        if emptying is None:
            return near or forbidden((reason("hand-without-meld", "meld-shortest"),))
        minimum = int(emptying.details["minimum"] or 0)
        figures = {"cards": self.task.held.size - emptying.laid.size, "minimum": minimum}
        near = near or forbidden((), {"minimum": minimum, "counted": 0, "missing": minimum})
        return _answer(near, reason("opening-hand-emptied", *_TO_KEEP, **figures))


def _openings(rules: Ruleset, question: OpeningQuestion, *, concealed_out: bool) -> _Openings:
    """The openings from the melds of this hand that an opening may hold."""
    settings, top, shown = (
        rules.settings,
        question.top_card,
        replace(question, concealed_out=concealed_out),
    )
    held = together(question.hand or NOTHING, top or NOTHING).cards
    minimum = settings.opening_minimum(question.score, question.deal)

    def holding_top(candidate: Candidate) -> Candidate:
        lies = Reading(candidate.lies.cards)
        holds = (
            top
            and lies.cards.of(kind_of(top))
            and not any(against_top_card(rules, replace(shown, melds=(lies,))))
        )
        return candidate._replace(tallies=candidate.tallies | {TOP: 1}) if holds else candidate

    melds = new_melds(settings, held, going_out=concealed_out)
    task = opening_task(rules, held, melds, minimum, top, concealed=concealed_out)
    task = task._replace(candidates=tuple(map(holding_top, task.candidates)))
    using: Limits = {TOP: (1, None)} if top else {}
    reaching: Limits = {FITS: (1, None)}
    # If all melds count, most points reach the minimum if any do.
    if minimum is not None and not all(each.counts for each in task.candidates):
        reaching[COUNTED] = (minimum, None)
    keeps = settings.hands_each == 1 and top is None and settings.unit == "points"
    return _Openings(rules, shown, task, using, reaching, keeps)


@answers(OpeningQuestion, of_hand=True)
def best_opening(rules: Ruleset, question: OpeningQuestion) -> Ruling:
    """Whether any melds of the hand open, and those with the most points, including openings that
    go out.
    """
    hand = question.hand or NOTHING
    if wrong := against_impossible_cards(rules, hand, question.top_card or NOTHING):
        return forbidden(wrong)
    leaving = (
        _openings(rules, question, concealed_out=True).leaving() if question.concealed_out else None
    )
    if leaving is not None:
        return _answer(leaving)
    openings = _openings(rules, question, concealed_out=False)
    keeps, staying = openings.keeps, openings.staying(keep=openings.keeps)
    grounds = to_go_out(rules.settings)
    if question.concealed_out:
        return _answer(
            staying or openings.why_none(), reason("opening-not-out", *grounds, why="hand")
        )

    def worth(found: Ruling) -> tuple[int, int, int]:
        """Sort key of openings: the points laid, then those counted, then fewer melds."""
        points, melds = (
            found.laid.points(rules.settings.card_points),
            found.play.laid if found.play else (),
        )
        return points, int(found.details.get("counted") or 0), -len(melds)

    leaving = openings.leaving() if keeps else None
    if leaving is not None and (staying is None or worth(leaving) > worth(staying)):
        return _answer(leaving, reason("opening-goes-out", *grounds))
    if staying is not None and keeps and staying.laid.size + _KEPT == hand.cards.size:
        return _answer(staying, reason("opening-hand-kept", *_TO_KEEP, cards=_KEPT))
    return _answer(staying or openings.why_none())


def _answer(found: Ruling, *more: Reason) -> Ruling:
    """The answer with more reasons, followed by those on faults of the sources; without the last
    discard.
    """
    notes = tuple(why for why in found.reasons if why.code.startswith("fault-"))
    reasons = (*(why for why in found.reasons if why not in notes), *more, *notes)
    return replace(found, reasons=reasons, play=found.play and Play(found.play.laid))


# ---------------------------------------------------------------------------------- taking the pile

_WHATEVER_IS_LAID = frozenset({"pile-before-opening", "pile-top-stops", "pile-top-special"})
"""Reasons that do not depend on the cards of the hand."""
_OF_MELDS_SHOWN = frozenset({"pile-top-unused", "meld-too-short", _SHORT, *OF_MINIMUMS})
"""Reasons that apply only to melds shown by the player."""


@answers(PileQuestion, of_hand=True)
def best_pile(rules: Ruleset, question: PileQuestion) -> Ruling:
    """Whether the hand takes the pile, and the simplest way; when opening, the way with the most
    points that count.
    """
    top, hand = question.top, (question.hand or NOTHING).cards
    if wrong := against_impossible_cards(rules, question.hand or NOTHING, top, *question.table):
        return forbidden(wrong)
    bare = rule_pile(rules, question)
    decided = tuple(why for why in bare.reasons if why.code in _WHATEVER_IS_LAID)
    if decided or bare.verdict is Verdict.SILENT:
        return replace(bare, reasons=decided or bare.reasons)
    kind, held = kind_of(top), gather((hand, top.cards))
    minimum = (
        None if question.opened else rules.settings.opening_minimum(question.score, question.deal)
    )
    holding = _holding_top(rules, hand, question)
    using: Limits = {TOP: (1, 1)}
    if minimum is None:
        # Prefer twos to jokers.
        tasks = [Task(held, (each,), using, (0, 1), top=top) for each in islice(holding, 1)]
    else:
        melds = tuple(holding) if kind.is_natural else ()
        # Laying off the top card alone is not part of an opening.
        laid = [each for each in melds if each.added.size + each.wilds > 1]
        off = [opener(each, 0, fits=False) for each in melds if each not in laid]
        task = opening_task(
            rules, held, (*laid, *new_melds(rules.settings, hand, going_out=False)), minimum, top
        )
        task = task._replace(candidates=(*task.candidates, *off), limits=using | task.limits)
        tasks = [task._replace(limits={FITS: (1, None)} | task.limits), task]
    play = next(filter(None, map(best_play, tasks)), None)
    if play is not None:
        joining, *others = (Reading(laid.cards) for laid in play.laid)
        own = _as_shown(question, less(joining.cards, top.cards))
        judged = rule_pile(rules, replace(question, laid=(*own, *others)))
        return _of_a_hand(judged, None if judged.verdict is Verdict.FORBIDDEN else Play(play.laid))
    # The reasons given if all cards of the top card's kind are laid, except those about melds
    # shown.
    has = hand.of(kind)
    answer = rule_pile(
        rules, replace(question, laid=_as_shown(question, cards_of({INDEX[kind]: has})))
    )
    reasons = [why for why in answer.reasons if why.code not in _OF_MELDS_SHOWN]
    if kind.is_natural and not has and all(why.code != "pile-naturals" for why in reasons):
        reasons.append(too_few_naturals(rules, question, has))
    return forbidden(tuple(reasons))


def _holding_top(rules: Ruleset, hand: Cards, shown: PileQuestion) -> Iterator[Candidate]:
    """The melds of the top card with cards of the hand, judged without the opening minimum.

    The simplest come first: no wild cards, few cards. A special top card is laid with others of its
    kind.
    """
    kind = kind_of(shown.top)
    top = INDEX[kind]
    for wilds in range((min(hand.wilds, rules.settings.wild_limit) if kind.is_natural else 0) + 1):
        for count in range(1 if wilds else 0, hand.counts[top] + 1):
            tried = replace(shown, laid=_as_shown(shown, cards_of({TWO: wilds, top: count})))
            uses = uses_of(rules, tried) if kind.is_natural else ()
            taking = [
                use
                for use in uses
                if all(why.code == _SHORT for why in against_use(rules, tried, use))
            ]
            if taking or (
                not kind.is_natural and rule_pile(rules, tried).verdict is Verdict.ALLOWED
            ):
                on = shown.table.index(taking[0].onto) if taking and taking[0].onto else None
                # The meld's cards on the table are not part of an opening.
                lies = read_meld(cards_of({TWO: wilds, top: count + 1}))
                found = tallies(rules.settings, lies, on) | {TOP: 1}
                yield Candidate(cards_of({top: count + 1}), wilds, lies, on, found)


def _as_shown(shown: PileQuestion, own: Cards) -> tuple[Reading, ...]:
    """Cards of the hand that are laid with the top card, in the form of a question.

    The top card is included unless the table has a meld of its rank, which the cards of the hand
    then join. Without cards of the hand the top card is laid off alone, and the result is empty.
    """
    joins = any(lying.cards.ranks == (INDEX[kind_of(shown.top)],) for lying in shown.table)
    return (Reading(own) if joins else together(shown.top, Reading(own)),) if own.size else ()


# ---------------------------------------------------------------------------------------- going out

_BECOMING: Resource = ("becoming",)
"""The tally of natural cards laid on melds of wild cards alone."""
_TO_COME = frozenset({
    "out-canastas-missing", "out-red-threes-missing", "out-wild-meld-incomplete", "out-meld-incomplete",
})  # fmt: skip
"""Faults of the table that laying the hand may still remove."""


@answers(OutQuestion, of_hand=True)
def best_out(rules: Ruleset, question: OutQuestion) -> Ruling:
    """Whether the player can go out, and one way to do it."""
    return with_permission_penalty(rules, question, _best_way_out(rules, question))


def _best_way_out(rules: Ruleset, question: OutQuestion) -> Ruling:
    settings, table, hand = rules.settings, question.table, (question.hand or NOTHING).cards
    # A player who goes out without melds on the table opens in that turn, whether noted or not.
    shown = replace(question, concealed=question.concealed or not table)
    if wrong := against_impossible_cards(rules, question.hand or NOTHING, *table) or tuple(
        _against_any_way(rules, shown, hand)
    ):
        return forbidden(wrong)
    discards = _last_discard(settings, hand, shown.discard if shown.discard_noted else None)
    # What going out requires of all melds together.
    needs = canastas_needed(settings) | {BARRED: (0, 0)}
    if settings.out_red_threes == "one-for-each-canasta":
        needs[CANASTAS] = (settings.canastas_needed, shown.red_threes)
    if shown.concealed:
        needs[OWN_CANASTAS] = (1, None)
    minimum = None
    if not table and settings.concealed_out != "own-melds-only":
        minimum = settings.opening_minimum(question.score or 0, question.deal or 1)
        needs |= {} if minimum is None else {FITS: (1, None), COUNTED: (minimum, None)}
    task = _out_task(rules, shown, hand, discards, minimum)
    limits = task.limits | needs
    play = best_play(task._replace(limits=limits))
    if (
        play is None
        and settings.wild_meld_naturals == "unspoken"
        and any(_is_of_wilds(meld.cards) for meld in table)
    ):
        play = best_play(task._replace(limits=limits | {_BECOMING: (0, None)}))
    if play is not None:
        judged = _judged_out(rules, shown, play)
        laid = [(Reading(each.cards), table[each.on]) for each in play.laid if each.on is not None]
        asked = (rule_meld(rules, MeldQuestion(cards, on, True)) for cards, on in laid)
        # No source says whether a way is allowed in which something is laid that no source
        # mentions.
        unspoken = next((each.reasons for each in asked if each.verdict is Verdict.SILENT), None)
        return replace(judged, verdict=Verdict.SILENT, reasons=unspoken) if unspoken else judged
    # What is missing if all cards can be laid, or how many cannot.
    free = task if minimum is None else _out_task(rules, shown, hand, discards, None)
    play = best_play(free._replace(discards=discards._replace(number=(0, discards.number[1]))))
    if play is None:
        return forbidden((_staying(rules, shown, hand, free),))
    lacking = _judged_out(rules, shown, play)
    own = reason("own-canasta-missing", "concealed-out")
    return forbidden(lacking.reasons if lacking.verdict is Verdict.FORBIDDEN else (own,))


def _against_any_way(rules: Ruleset, shown: OutQuestion, hand: Cards) -> Reasons:
    """What prevents the player from going out regardless of what is laid."""
    # Cards drawn for threes that must be exposed should be included in the hand asked about.
    settings = rules.settings
    exposed = {
        "red-threes-kept": hand.counts[RED_THREE] * (settings.red_threes_kept == "exposed"),
        "black-threes-exposed": hand.counts[BLACK_THREE] * bool(settings.black_threes_exposed),
    }
    rests = [setting for setting, count in exposed.items() if count]
    if rests:
        yield reason("hand-threes-to-expose", *rests, threes=sum(exposed.values()))
    yield from (why for why in against_going_out(rules, shown) if why.code not in _TO_COME)
    if not shown.discard.cards.is_among(hand):
        yield reason("discard-not-in-hand", "last-discard")
    if shown.concealed and shown.table and settings.concealed_out == "opening-turn":
        yield reason("concealed-after-opening", "concealed-out")


def _out_task(
    rules: Ruleset, shown: OutQuestion, hand: Cards, discards: Discards, minimum: int | None
) -> Task:
    """The task of laying all but the last discard: the candidates are all legal melds, weighted by
    points.

    A player who goes out concealed does not lay off. Plays that no source mentions are excluded.
    """
    settings, table, held = rules.settings, shown.table, less(hand, discards.aside)
    new = new_melds(settings, held, going_out=True)
    if table:
        new = tuple(
            each
            for each in new
            if not (each.lies.wilds and rank_without_wilds(settings, each.lies))
        )
    melds = list(new if minimum is None else openers(rules, new, minimum, concealed=True))
    for each in new if minimum is not None else ():
        # If an opening may not hold a complete mixed canasta, one of its cards is laid after the
        # opening.
        rank = _rank_after_opening(settings, each.lies)
        if rank is not None:
            points = less(each.added, cards_of({rank: 1})).points(settings.card_points)
            melds.append(opener(each, points, fits=False))
    for each in laid_off(settings, NO_CARDS if shown.concealed else held, table):
        on, wilds = table[each.on or 0].cards, each.wilds + each.added.wilds
        if not any(against_laying_wilds(rules, read_meld(on), wilds)):
            becoming = int(_is_of_wilds(on) and each.added.naturals > 0)
            melds.append(each._replace(tallies=each.tallies | {_BECOMING: becoming}))
    # Any way out is correct; for hands that are not too large, the one with the most points is
    # shown.
    tidy = int(held.size <= LARGEST_TIDIED_HAND)

    def worth(candidate: Candidate) -> int:
        canasta = canasta_of(candidate.lies, settings)
        return tidy * (
            candidate.added.points(settings.card_points) + (canasta.points if canasta else 0)
        )

    candidates = tuple(each._replace(worth=worth(each)) for each in melds)
    limits: Limits = {("on", place): (1, 1) for place in range(len(table))} | ONE_OF_EACH
    if settings.wild_meld_naturals == "unspoken":
        limits[_BECOMING] = (0, 0)
    return Task(
        held, candidates, limits, wild_points(settings), (tidy, tidy), whole=True, discards=discards
    )


def _rank_after_opening(settings: Settings, meld: Meld) -> int | None:
    """The rank (index) of a complete mixed canasta, if an opening may not hold one; otherwise None."""
    completes = meld.wilds > 0 and canasta_of(meld, settings) is not None
    return meld.rank if completes and settings.opening_natural_group == "needed" else None


def _is_of_wilds(lying: Cards) -> bool:
    """Whether it is a meld of wild cards alone."""
    return lying.wilds == lying.size


def _judged_out(rules: Ruleset, shown: OutQuestion, play: Play) -> Ruling:
    """The ruling on this way out, combined with that on its melds as an opening if the table was
    empty.
    """
    settings, table = rules.settings, table_after(play, shown.table)
    discard = Reading(play.discard or NO_CARDS)
    judged = [rule_out(rules, replace(shown, table=table, discard=discard, discard_noted=True))]
    # If going out requires no minimum, its own reasons are sufficient.
    asks = settings.concealed_out != "own-melds-only" or judged[0].verdict is Verdict.ALLOWED
    if not shown.table and asks:
        judged.append(_judged_opening(rules, shown, play))
    if against := [
        why for each in judged if each.verdict is Verdict.FORBIDDEN for why in each.reasons
    ]:
        return forbidden(tuple(against))
    reasons = [why for each in judged for why in each.reasons]
    # Wild cards are laid before natural ones on a meld that becomes a canasta, if complete ones may
    # not take them.
    on = [table[laid.on] for laid in play.laid if laid.on is not None and laid.cards.wilds]
    if settings.wild_on_canasta == "forbidden" and any(
        meld.cards.size > settings.canasta_length for meld in on
    ):
        reasons.append(reason("way-wilds-first", "wild-on-canasta"))
    details = {name: figure for each in judged for name, figure in each.details.items()}
    return allowed(tuple(reasons), details, play)


def _judged_opening(rules: Ruleset, shown: OutQuestion, play: Play) -> Ruling:
    """The ruling on the opening; a canasta that may not be complete in it is completed later in the
    turn.
    """
    ranks = [_rank_after_opening(rules.settings, read_meld(meld.cards)) for meld in play.melds]
    first = [
        meld if rank is None else Reading(less(meld.cards, cards_of({rank: 1})))
        for meld, rank in zip(play.melds, ranks, strict=True)
    ]
    later = [
        reason("opening-canasta-after", "opening-natural-group", rank=KINDS[rank])
        for rank in ranks
        if rank
    ]
    # If cards are added after the opening, the player does not go out with the opening alone.
    opening = OpeningQuestion(
        shown.score or 0, tuple(first), concealed_out=not later, deal=shown.deal or 1
    )
    opened = _of_a_hand(rule_opening(rules, opening), None)
    return replace(opened, reasons=(*opened.reasons, *later))


def _staying(rules: Ruleset, shown: OutQuestion, hand: Cards, task: Task) -> Reason:
    """The cards that stay in the hand even if as many as possible are laid, and which of them may
    be discarded.
    """
    aside = task.discards.aside
    melds = tuple(each._replace(worth=each.added.size + each.wilds) for each in task.candidates)
    task = task._replace(candidates=melds, wilds=(0, 0), weights=(1, 1), whole=False)
    play = best_play(task if shown.discard_noted else task._replace(discards=Discards(aside=aside)))
    gone = gather((*(laid.cards for laid in play.laid), play.discard or NO_CARDS) if play else ())
    stay = {
        kind: held - gone.of(kind)
        for kind, held in zip(KINDS, hand.counts, strict=True)
        if held > gone.of(kind)
    }
    last = [may_be_last(cards_of({INDEX[kind]: 1}), rules.settings) for kind in stay]
    # Whether another card was noted as the discard, there is none, or which of the remaining cards
    # may be discarded.
    why = "one" if all(last) else "some" if any(last) else "special"
    if shown.discard.cards.size or aside.size:
        why = "said"
    elif shown.discard_noted:
        why = "without"
    rests = ("out-empty-handed", *(["last-discard-special"] if why in ("some", "special") else []))
    named = " ".join(f"{count}x{kind}" if count > 1 else str(kind) for kind, count in stay.items())
    return reason("hand-cards-stay", *rests, cards=sum(stay.values()), stay=named, why=why)
