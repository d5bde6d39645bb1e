"""Rulings on whether a player's whole hand can go out, and how.

All cards but the discard are laid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from scorepad.referee.best_play import (
    BARRED,
    CANASTAS,
    COUNTED,
    FITS,
    LARGEST_TIDIED_HAND,
    ONE_OF_EACH,
    OWN_CANASTAS,
    Candidate,
    Discards,
    LayingTask,
    Limits,
    canastas_needed,
    find_best_play,
    laid_off,
    new_melds,
    opening_candidate,
    opening_candidates,
    wild_points,
)
from scorepad.referee.going_out import against_going_out, rule_out, with_permission_penalty
from scorepad.referee.meld import against_laying_wilds, rank_without_wilds, rule_meld
from scorepad.referee.opening import rule_opening
from scorepad.referee.questions import MeldQuestion, OpeningQuestion, OutQuestion
from scorepad.referee.reasons import reason
from scorepad.referee.ruling import (
    Details,
    Play,
    Reason,
    Reasons,
    Ruling,
    Verdict,
    allowed,
    forbidden,
)
from scorepad.referee.situation import impossible_cards
from scorepad.referee.whole_hand import possible_last_discards, table_after, worded_for_hand
from scorepad.rules.bounds import Resource
from scorepad.rules.cards import (
    BLACK_THREE,
    INDEX,
    KINDS,
    NO_CARDS,
    NOTHING,
    RED_THREE,
    Cards,
    Kind,
    Reading,
    build_cards,
    gather,
    subtract_cards,
)
from scorepad.rules.definitions import Ruleset
from scorepad.rules.settings import Settings
from scorepad.rules.table import Meld, canasta_of, read_meld
from scorepad.rules.turn_checks import may_be_last

_BECOMING_MIXED: Resource = ("becoming",)
"""The tally of natural cards laid on melds of wild cards alone."""
_TO_COME = frozenset({
    "out-canastas-missing", "out-red-threes-missing", "out-wild-meld-incomplete", "out-meld-incomplete",
})  # fmt: skip
"""Faults of the table that laying the hand may still remove."""


def rule_best_way_out(rules: Ruleset, question: OutQuestion) -> Ruling:
    """Whether the player can go out, and one way to do it."""
    # A player who goes out without melds on the table opens in that turn, whether noted or not.
    shown = replace(question, concealed=question.concealed or not question.table)
    return with_permission_penalty(rules, question, _rule_hand(rules, shown))


def _rule_hand(rules: Ruleset, question: OutQuestion) -> Ruling:
    hand = question.hand or NOTHING
    wrong = impossible_cards(rules, hand, *question.table)
    wrong = wrong or tuple(_against_any_way(rules, question, hand.cards))
    if wrong:
        return forbidden(wrong)

    minimum = _minimum_to_reach(rules.settings, question)
    task = _task(rules, question, hand.cards, minimum)
    play = _way_out(rules.settings, question, task, minimum)
    if play is None:
        return _why_no_way_out(rules, question, hand.cards)
    ruling = _rule_play(rules, question, play)
    unmentioned = _reasons_unmentioned(rules, question, play)
    if unmentioned:
        return replace(ruling, verdict=Verdict.SILENT, reasons=unmentioned)
    return ruling


def _against_any_way(rules: Ruleset, question: OutQuestion, hand: Cards) -> Reasons:
    """What prevents the player from going out regardless of what is laid."""
    settings = rules.settings
    yield from _against_threes_held(settings, hand)
    for against in against_going_out(rules, question):
        if against.code not in _TO_COME:
            yield against
    if question.discard is not None and not question.discard.cards.is_among(hand):
        yield reason("discard-not-in-hand", "last-discard")
    if question.concealed and question.table and settings.concealed_out == "opening-turn":
        yield reason("concealed-after-opening", "concealed-out")


def _against_threes_held(settings: Settings, hand: Cards) -> Reasons:
    """Cards drawn for threes that must be exposed should be included in the hand asked about."""
    grounds: list[str] = []
    threes = 0
    if hand.counts[RED_THREE] and settings.red_threes_kept == "exposed":
        grounds.append("red-threes-kept")
        threes += hand.counts[RED_THREE]
    if hand.counts[BLACK_THREE] and settings.black_threes_exposed:
        grounds.append("black-threes-exposed")
        threes += hand.counts[BLACK_THREE]
    if grounds:
        yield reason("hand-threes-to-expose", *grounds, threes=threes)


def _minimum_to_reach(settings: Settings, question: OutQuestion) -> int | None:
    """The opening minimum that the play must reach; None if it need not open."""
    if question.table or settings.concealed_out == "own-melds-only":
        return None
    return settings.opening_minimum(question.score or 0, question.deal or 1)


# --------------------------------------------------------------------------------------- the search


def _way_out(
    settings: Settings, question: OutQuestion, task: LayingTask, minimum: int | None
) -> Play | None:
    """The best play that goes out; one that no source mentions only if there is no other."""
    limits = task.limits | _requirements(settings, question, minimum)
    play = find_best_play(task._replace(limits=limits))
    if play is not None or settings.wild_meld_naturals != "unspoken":
        return play
    if not any(_is_of_wilds(meld.cards) for meld in question.table):
        return None
    unmentioned: Limits = {_BECOMING_MIXED: (0, None)}
    return find_best_play(task._replace(limits=limits | unmentioned))


def _requirements(settings: Settings, question: OutQuestion, minimum: int | None) -> Limits:
    """What going out requires of all melds together."""
    needs = canastas_needed(settings) | {BARRED: (0, 0)}
    if settings.out_red_threes == "one-for-each-canasta":
        needs[CANASTAS] = (settings.canastas_needed, question.red_threes)
    if question.concealed:
        needs[OWN_CANASTAS] = (1, None)
    if minimum is not None:
        needs |= {FITS: (1, None), COUNTED: (minimum, None)}
    return needs


def _task(rules: Ruleset, question: OutQuestion, hand: Cards, minimum: int | None) -> LayingTask:
    """The task of laying all but the last discard: the candidates are all legal melds, weighted by
    points.

    Any way out is correct; for hands that are not too large, the one with the most points is shown.
    Plays that no source mentions are excluded.
    """
    settings = rules.settings
    discards = possible_last_discards(settings, hand, question.discard)
    held = subtract_cards(hand, discards.aside)
    candidates = [
        *_new_melds(rules, question, held, minimum),
        *_laid_on_table(rules, question, held),
    ]
    weight = int(held.size <= LARGEST_TIDIED_HAND)
    weighted = [_weighted(candidate, settings, weight) for candidate in candidates]
    limits: Limits = {("on", index): (1, 1) for index in range(len(question.table))}
    limits |= ONE_OF_EACH
    if settings.wild_meld_naturals == "unspoken":
        limits[_BECOMING_MIXED] = (0, 0)
    return LayingTask(
        held,
        tuple(weighted),
        limits,
        wild_points(settings),
        (weight, weight),
        whole=True,
        discards=discards,
    )


def _weighted(candidate: Candidate, settings: Settings, weight: int) -> Candidate:
    """The candidate with its points, including those of a canasta, as its worth."""
    points = candidate.added.points(settings.card_points)
    canasta = canasta_of(candidate.meld, settings)
    if canasta:
        points += canasta.points
    return candidate._replace(worth=weight * points)


def _new_melds(
    rules: Ruleset, question: OutQuestion, held: Cards, minimum: int | None
) -> Iterator[Candidate]:
    """The new melds; those with a minimum to reach are openings."""
    settings = rules.settings
    new: Iterable[Candidate] = new_melds(settings, held, going_out=True)
    if question.table:
        # These melds may take wild cards only in the opening.
        new = [each for each in new if not _has_wilds_after_opening(settings, each.meld)]
    if minimum is None:
        yield from new
        return
    yield from opening_candidates(rules, new, minimum, concealed=True)
    for candidate in new:
        # If an opening may not hold a complete mixed canasta, one of its cards is laid after the
        # opening.
        rank = _rank_after_opening(settings, candidate.meld)
        if rank is not None:
            in_opening = subtract_cards(candidate.added, build_cards({rank: 1}))
            yield opening_candidate(candidate, in_opening.points(settings.card_points), fits=False)


def _has_wilds_after_opening(settings: Settings, meld: Meld) -> bool:
    return meld.wilds > 0 and rank_without_wilds(settings, meld) is not None


def _laid_on_table(rules: Ruleset, question: OutQuestion, held: Cards) -> Iterator[Candidate]:
    """What can be laid off on the melds of the table; a player who goes out concealed does not lay
    off.
    """
    may_be_laid_off = NO_CARDS if question.concealed else held
    for candidate in laid_off(rules.settings, may_be_laid_off, question.table):
        on = question.table[candidate.on or 0].cards
        wilds = candidate.wilds + candidate.added.wilds
        if any(against_laying_wilds(rules, read_meld(on), wilds)):
            continue
        becomes_mixed = _is_of_wilds(on) and candidate.added.naturals > 0
        found = candidate.tallies | {_BECOMING_MIXED: int(becomes_mixed)}
        yield candidate._replace(tallies=found)


def _rank_after_opening(settings: Settings, meld: Meld) -> int | None:
    """The rank (index) of a complete mixed canasta, if an opening may not hold one; otherwise None."""
    if settings.opening_natural_group != "needed":
        return None
    if not meld.wilds or canasta_of(meld, settings) is None:
        return None
    return meld.rank


def _is_of_wilds(meld: Cards) -> bool:
    """Whether it is a meld of wild cards alone."""
    return meld.wilds == meld.size


# ------------------------------------------------------------------------------ the ruling on a play


def _rule_play(rules: Ruleset, question: OutQuestion, play: Play) -> Ruling:
    """The ruling on this way out, combined with that on its melds as an opening if the table was
    empty.
    """
    shown = replace(
        question,
        table=table_after(play, question.table),
        discard=Reading(play.discard or NO_CARDS),
    )
    rulings = [rule_out(rules, shown)]
    # If going out requires no minimum, its own reasons are sufficient.
    needs_no_minimum = rules.settings.concealed_out == "own-melds-only"
    is_allowed = rulings[0].verdict is Verdict.ALLOWED
    if not question.table and (is_allowed or not needs_no_minimum):
        rulings.append(_rule_opening_of(rules, question, play))

    against: list[Reason] = []
    reasons: list[Reason] = []
    details: Details = {}
    for ruling in rulings:
        if ruling.verdict is Verdict.FORBIDDEN:
            against += ruling.reasons
        reasons += ruling.reasons
        details.update(ruling.details)
    if against:
        return forbidden(tuple(against))
    reasons += _about_wilds_first(rules.settings, shown.table, play)
    return allowed(tuple(reasons), details, play)


def _about_wilds_first(settings: Settings, table: tuple[Reading, ...], play: Play) -> Reasons:
    """Wild cards are laid before natural ones on a meld that becomes a canasta, if complete ones
    may not take them. `table` are the melds at the end.
    """
    if settings.wild_on_canasta != "forbidden":
        return
    for laid in play.laid:
        if laid.on is None or not laid.cards.wilds:
            continue
        if table[laid.on].cards.size > settings.canasta_length:
            yield reason("way-wilds-first", "wild-on-canasta")
            return


def _rule_opening_of(rules: Ruleset, question: OutQuestion, play: Play) -> Ruling:
    """The ruling on the opening; a canasta that may not be complete in it is completed later in the
    turn.
    """
    opening: list[Reading] = []
    completed_later: list[Reason] = []
    for meld in play.melds:
        rank = _rank_after_opening(rules.settings, read_meld(meld.cards))
        if rank is None:
            opening.append(meld)
            continue
        opening.append(Reading(subtract_cards(meld.cards, build_cards({rank: 1}))))
        completed_later.append(
            reason("opening-canasta-after", "opening-natural-group", rank=KINDS[rank])
        )
    # If cards are added after the opening, the player does not go out with the opening alone.
    asked = OpeningQuestion(
        question.score or 0,
        tuple(opening),
        concealed_out=not completed_later,
        deal=question.deal or 1,
    )
    ruling = worded_for_hand(rule_opening(rules, asked), None)
    return replace(ruling, reasons=(*ruling.reasons, *completed_later))


def _reasons_unmentioned(rules: Ruleset, question: OutQuestion, play: Play) -> tuple[Reason, ...]:
    """Why no source says whether this way is allowed: it lays something that none mentions."""
    for laid in play.laid:
        if laid.on is None:
            continue
        on_table = MeldQuestion(Reading(laid.cards), question.table[laid.on], going_out=True)
        ruling = rule_meld(rules, on_table)
        if ruling.verdict is Verdict.SILENT:
            return ruling.reasons
    return ()


# -------------------------------------------------------------------------------- why there is no way


def _why_no_way_out(rules: Ruleset, question: OutQuestion, hand: Cards) -> Ruling:
    """What is missing if all cards can be laid, or how many cannot."""
    task = _task(rules, question, hand, None)
    most = task.discards.number[1]
    play = find_best_play(task._replace(discards=task.discards._replace(number=(0, most))))
    if play is None:
        return forbidden((_why_cards_stay(rules, question, hand, task),))
    ruling = _rule_play(rules, question, play)
    if ruling.verdict is Verdict.FORBIDDEN:
        return forbidden(ruling.reasons)
    return forbidden((reason("own-canasta-missing", "concealed-out"),))


def _why_cards_stay(rules: Ruleset, question: OutQuestion, hand: Cards, task: LayingTask) -> Reason:
    """The cards that stay in the hand even if as many as possible are laid, and which of them may
    be discarded.
    """
    aside = task.discards.aside
    candidates = [each._replace(worth=each.added.size + each.wilds) for each in task.candidates]
    task = task._replace(candidates=tuple(candidates), wilds=(0, 0), weights=(1, 1), whole=False)
    if question.discard is None:
        task = task._replace(discards=Discards(aside=aside))
    play = find_best_play(task)
    stay = _cards_left(hand, play)

    why = _which_may_be_discarded(rules.settings, stay)
    grounds = ["out-empty-handed"]
    if question.discard is not None and question.discard.cards.size:
        why = "said"
    elif aside.size:
        why = "said"
    elif question.discard is not None:
        why = "without"
    elif why != "one":
        grounds.append("last-discard-special")
    tokens: list[str] = []
    for kind, count in stay.items():
        tokens.append(f"{count}x{kind}" if count > 1 else str(kind))
    return reason(
        "hand-cards-stay", *grounds, cards=sum(stay.values()), stay=" ".join(tokens), why=why
    )


def _cards_left(hand: Cards, play: Play | None) -> dict[Kind, int]:
    """The number of each kind that a play leaves in the hand."""
    laid = [each.cards for each in play.laid] if play else []
    discard = play.discard if play else None
    gone = gather((*laid, discard or NO_CARDS))
    left: dict[Kind, int] = {}
    for kind in KINDS:
        count = hand.of(kind) - gone.of(kind)
        if count > 0:
            left[kind] = count
    return left


def _which_may_be_discarded(settings: Settings, stay: Iterable[Kind]) -> str:
    """Whether one of these cards may be the last discard: any, only some, or none."""
    allowed_last = [may_be_last(build_cards({INDEX[kind]: 1}), settings) for kind in stay]
    if all(allowed_last):
        return "one"
    if any(allowed_last):
        return "some"
    return "special"
