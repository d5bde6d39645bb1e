"""Rulings on whether a player's whole hand can go out, and how.

All cards but the discard are laid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from scorepad.referee.best_play import (
    ALL_PLAYS_EQUAL,
    BARS_GOING_OUT,
    CANASTAS,
    LARGEST_TIDIED_HAND,
    MAY_OPEN,
    NEW_CANASTAS,
    ONE_INCOMPLETE_OF_EACH,
    OPENING_POINTS,
    Candidate,
    Discards,
    LayingTask,
    Limits,
    Weights,
    WildPoints,
    canastas_needed,
    find_best_play,
    laid_on_meld,
    lay_offs,
    new_melds,
    opening_candidate,
    opening_candidates,
    wild_points,
)
from scorepad.referee.going_out import against_going_out, rule_out, with_permission_penalty
from scorepad.referee.meld import against_laying_wilds, rank_natural_after_opening, rule_meld
from scorepad.referee.opening import rule_opening
from scorepad.referee.questions import MeldQuestion, OpeningQuestion, OutQuestion
from scorepad.referee.reasons import reason
from scorepad.referee.ruling import (
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

_NATURALS_ON_WILDS: Resource = ("naturals-on-wilds",)
"""The tally of natural cards laid on melds of wild cards alone."""
_REMEDIED_BY_LAYING = frozenset(
    {
        "out-canastas-missing",
        "out-red-threes-missing",
        "out-wild-meld-incomplete",
        "out-meld-incomplete",
    }
)
"""Reasons against the melds of the table that may go away when the hand is laid."""


def rule_best_way_out(rules: Ruleset, question: OutQuestion) -> Ruling:
    """Whether the player can go out, and one way to do it."""
    # A player who goes out without melds on the table opens in that turn, whether noted or not.
    concealed = question.concealed or not question.table
    ruling = _rule_hand(rules, replace(question, concealed=concealed))
    return with_permission_penalty(rules, question, ruling)


def _rule_hand(rules: Ruleset, question: OutQuestion) -> Ruling:
    """Whether the hand can go out: first what prevents any way, then the best way there is."""
    hand = question.hand or NOTHING
    wrong = impossible_cards(rules, hand, *question.table)
    if wrong:
        return forbidden(wrong)
    against = tuple(_against_any_way(rules, question, hand.cards))
    if against:
        return forbidden(against)

    minimum = _minimum_to_reach(rules.settings, question)
    task = _task_of_going_out(rules, question, hand.cards, minimum=minimum)
    play = _way_out(rules.settings, question, task, minimum)
    if play is None:
        return _why_no_way_out(rules, question, hand.cards)
    ruling = _rule_play(rules, question, play)
    unmentioned = _reasons_unmentioned(rules, question, play)
    if unmentioned:
        return replace(ruling, verdict=Verdict.SILENT, reasons=unmentioned)
    return ruling


def _against_any_way(rules: Ruleset, question: OutQuestion, hand: Cards) -> Reasons:
    """What prevents the player from going out regardless of which cards of the hand are laid."""
    yield from _against_threes_held(rules.settings, hand)
    for against in against_going_out(rules, question):
        # Cards of the hand may complete the melds of the table, or add others.
        if against.code not in _REMEDIED_BY_LAYING:
            yield against
    yield from _against_way_asked(rules.settings, question, hand)


def _against_way_asked(settings: Settings, question: OutQuestion, hand: Cards) -> Reasons:
    """What prevents the way that the question asks for: a last discard that the hand does not hold,
    or going out concealed too late.
    """
    if question.discard is not None and not question.discard.cards.is_among(hand):
        yield reason("discard-not-in-hand", "last-discard")
    # In some games a player goes out concealed only in the turn in which the side opens.
    only_when_opening = settings.concealed_out == "opening-turn"
    has_opened = len(question.table) > 0
    if question.concealed and only_when_opening and has_opened:
        yield reason("concealed-after-opening", "concealed-out")


def _against_threes_held(settings: Settings, hand: Cards) -> Reasons:
    """The reason if the hand holds threes that must be exposed, and so lacks the cards drawn for
    them.
    """
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
    """The opening minimum (points) that the play must reach; None if it need not open, because the
    side has melds on the table or going out concealed requires no minimum.
    """
    if question.table or settings.concealed_out == "own-melds-only":
        return None
    return settings.opening_minimum(question.score or 0, question.deal or 1)


# --------------------------------------------------------------------------------------- the search


def _way_out(
    settings: Settings, question: OutQuestion, task: LayingTask, minimum: int | None
) -> Play | None:
    """The best play that goes out; one that no source mentions only if there is no other."""
    task = task.within(_requirements(settings, question, minimum))
    play = find_best_play(task)
    if play is not None or settings.wild_meld_naturals != "unspoken":
        return play
    if not any(_is_of_wilds(meld.cards) for meld in question.table):
        return None
    allows_naturals_on_wilds: Limits = {_NATURALS_ON_WILDS: (0, None)}
    return find_best_play(task.within(allows_naturals_on_wilds))


def _requirements(settings: Settings, question: OutQuestion, minimum: int | None) -> Limits:
    """What going out requires of all melds together, as limits of their tallies: so many canastas,
    no incomplete meld that bars it, and the opening minimum if there is one.
    """
    needs = canastas_needed(settings) | {BARS_GOING_OUT: (0, 0)}
    if settings.out_red_threes == "one-for-each-canasta":
        needs[CANASTAS] = (settings.canastas_needed, question.red_threes)
    if question.concealed:
        needs[NEW_CANASTAS] = (1, None)
    if minimum is not None:
        needs[MAY_OPEN] = (1, None)
        needs[OPENING_POINTS] = (minimum, None)
    return needs


def _task_of_going_out(
    rules: Ruleset, question: OutQuestion, hand: Cards, *, minimum: int | None
) -> LayingTask:
    """The task of laying all cards but the last discard, with the most points.

    `minimum` is the opening minimum that they must reach, None if there is none. Plays that no
    source mentions are excluded.
    """
    settings = rules.settings
    discards = possible_last_discards(settings, hand, question.discard)
    held = subtract_cards(hand, discards.aside)
    melds = [*_new_melds(rules, question, held, minimum), *_lay_offs(rules, question, held)]
    candidates = [_with_points_as_worth(meld, settings) for meld in melds]
    return LayingTask(
        held=held,
        candidates=tuple(candidates),
        limits=_limits_of_going_out(settings, question),
        wilds=wild_points(settings),
        # Any way out is correct; for a large hand the best takes too long to find.
        weights=Weights() if held.size <= LARGEST_TIDIED_HAND else ALL_PLAYS_EQUAL,
        whole=True,
        discards=discards,
    )


def _limits_of_going_out(settings: Settings, question: OutQuestion) -> Limits:
    """The limits of any legal play of all cards, whether or not it may go out."""
    limits: Limits = {}
    for index in range(len(question.table)):
        # On each meld of the table something is laid once, which may be nothing.
        limits[laid_on_meld(index)] = (1, 1)
    limits |= ONE_INCOMPLETE_OF_EACH
    if settings.wild_meld_naturals == "unspoken":
        limits[_NATURALS_ON_WILDS] = (0, 0)
    return limits


def _with_points_as_worth(candidate: Candidate, settings: Settings) -> Candidate:
    """The candidate with its points, including those of a canasta, as its worth."""
    points = candidate.added.points(settings.card_points)
    canasta = canasta_of(candidate.meld, settings)
    if canasta:
        points += canasta.points
    return candidate._replace(worth=points)


def _new_melds(
    rules: Ruleset, question: OutQuestion, held: Cards, minimum: int | None
) -> list[Candidate]:
    """The new melds that the cards held can make; if they must reach an opening minimum, with what
    they add to it.
    """
    legal = new_melds(rules.settings, held, going_out=True)
    if question.table:
        return _allowed_after_opening(rules.settings, legal)
    if minimum is None:  # the player opens, but without a minimum
        return list(legal)
    return [
        *opening_candidates(rules, legal, minimum, concealed=True),
        *_canastas_completed_later(rules.settings, legal),
    ]


def _canastas_completed_later(
    settings: Settings, candidates: Iterable[Candidate]
) -> Iterator[Candidate]:
    """The canastas that an opening may not hold complete, with the points that they add to it.

    They are opened without one of their cards, which is laid later in the turn.
    """
    for candidate in candidates:
        rank = _rank_laid_after_opening(settings, candidate.meld)
        if rank is not None:
            in_opening = subtract_cards(candidate.added, build_cards({rank: 1}))
            points = in_opening.points(settings.card_points)
            yield opening_candidate(candidate, points, may_open=False)


def _allowed_after_opening(settings: Settings, candidates: Iterable[Candidate]) -> list[Candidate]:
    """The melds that a side may lay after its opening: some ranks take wild cards only in it."""
    allowed_melds: list[Candidate] = []
    for candidate in candidates:
        if not candidate.meld.wilds or rank_natural_after_opening(settings, candidate.meld) is None:
            allowed_melds.append(candidate)
    return allowed_melds


def _rank_laid_after_opening(settings: Settings, meld: Meld) -> int | None:
    """The rank (index) of a complete mixed canasta, if an opening may not hold one: a card of that
    rank is laid later in the turn. None for other melds.
    """
    if settings.opening_natural_group != "needed":
        return None
    if not meld.wilds or canasta_of(meld, settings) is None:
        return None
    return meld.rank


def _lay_offs(rules: Ruleset, question: OutQuestion, held: Cards) -> Iterator[Candidate]:
    """What can be laid off on each meld of the table, including nothing.

    A player who goes out concealed does not lay off.
    """
    may_be_laid_off = NO_CARDS if question.concealed else held
    for index, table_meld in enumerate(question.table):
        meld = read_meld(table_meld.cards)
        for candidate in lay_offs(rules.settings, may_be_laid_off, table_meld, on=index):
            if any(against_laying_wilds(rules, meld, candidate.wilds_from_hand)):
                continue
            if _is_of_wilds(table_meld.cards) and candidate.added.naturals:
                tallies = {**candidate.tallies, _NATURALS_ON_WILDS: 1}
                yield candidate._replace(tallies=tallies)
            else:
                yield candidate


def _is_of_wilds(meld: Cards) -> bool:
    """Whether it is a meld of wild cards alone."""
    return meld.wilds == meld.size


# ------------------------------------------------------------------------------ the ruling on a play


def _rule_play(rules: Ruleset, question: OutQuestion, play: Play) -> Ruling:
    """The ruling on this way out, combined with that on its melds as an opening if the table was
    empty.
    """
    settings = rules.settings
    table = table_after(play, question.table)
    discard = Reading(play.discard or NO_CARDS)
    ruling = rule_out(rules, replace(question, table=table, discard=discard))
    if not question.table and _must_judge_opening(settings, ruling):
        ruling = _combine_rulings(ruling, _rule_opening_of(rules, question, play))
    if ruling.verdict is Verdict.FORBIDDEN:
        return forbidden(ruling.reasons)

    reasons = [*ruling.reasons]
    if _lays_wilds_before_naturals(settings, table, play):
        reasons.append(reason("way-wilds-first", "wild-on-canasta"))
    return allowed(tuple(reasons), ruling.details, play)


def _combine_rulings(one: Ruling, other: Ruling) -> Ruling:
    """Two rulings as one: forbidden if either forbids, for the reasons of those that do; otherwise
    allowed for the reasons of both.
    """
    forbidding = [each for each in (one, other) if each.verdict is Verdict.FORBIDDEN]
    if forbidding:
        reasons: list[Reason] = []
        for each in forbidding:
            reasons += each.reasons
        return forbidden(tuple(reasons))
    return allowed((*one.reasons, *other.reasons), {**one.details, **other.details})


def _must_judge_opening(settings: Settings, ruling_on_out: Ruling) -> bool:
    """Whether the melds of a side that goes out in the turn of its opening are judged as an opening
    too. Where that needs no minimum, the reasons against going out are enough.
    """
    if settings.concealed_out == "own-melds-only":
        return ruling_on_out.verdict is Verdict.ALLOWED
    return True


def _lays_wilds_before_naturals(settings: Settings, table: tuple[Reading, ...], play: Play) -> bool:
    """Whether a play lays wild cards on a meld of the table before natural ones, because a canasta
    may not take wild cards.

    `table` are the melds after the play.
    """
    if settings.wild_on_canasta != "forbidden":
        return False
    for laid in play.laid:
        if laid.on is None or not laid.cards.wilds:
            continue
        # With the natural cards first, the meld would be a canasta when the wild ones come.
        if table[laid.on].cards.size > settings.canasta_length:
            return True
    return False


def _rule_opening_of(rules: Ruleset, question: OutQuestion, play: Play) -> Ruling:
    """The ruling on the melds of a play as an opening.

    A canasta that an opening may not hold complete is opened without one of its cards, and
    completed later in the turn.
    """
    opening: list[Reading] = []
    completed_later: list[Reason] = []
    for meld in play.melds:
        rank = _rank_laid_after_opening(rules.settings, read_meld(meld.cards))
        if rank is None:
            opening.append(meld)
        else:
            one_card = build_cards({rank: 1})
            opening.append(Reading(subtract_cards(meld.cards, one_card)))
            completed_later.append(
                reason("opening-canasta-after", "opening-natural-group", rank=KINDS[rank])
            )

    goes_out_with_opening = len(completed_later) == 0
    asked = OpeningQuestion(
        score=question.score or 0,
        melds=tuple(opening),
        concealed_out=goes_out_with_opening,
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
    task = _task_of_going_out(rules, question, hand, minimum=None)
    optional_discard = task.discards._replace(fewest=0)
    play = find_best_play(task._replace(discards=optional_discard))
    if play is None:
        return forbidden((_why_cards_stay(rules, question, hand, task),))
    ruling = _rule_play(rules, question, play)
    if ruling.verdict is Verdict.FORBIDDEN:
        return forbidden(ruling.reasons)
    # No way out was found, and yet this ruling allows one. It checks all that going out requires
    # but one thing, which must be what is missing: a whole canasta from the hand, to go out
    # concealed.
    return forbidden((reason("own-canasta-missing", "concealed-out"),))


def _why_cards_stay(rules: Ruleset, question: OutQuestion, hand: Cards, task: LayingTask) -> Reason:
    """The reason that names the cards that stay in the hand even if as many as possible are laid,
    and says which of them may be discarded.
    """
    discards = task.discards
    if question.discard is None:
        # No card is discarded: the one to discard is named among those that stay.
        discards = Discards(aside=task.discards.aside)
    play = find_best_play(_laying_most_cards(task)._replace(discards=discards))
    staying = _cards_left(hand, play)

    grounds = ["out-empty-handed"]
    which = _which_may_be_discarded(rules.settings, question, discards, staying)
    if which in ("some", "special"):
        grounds.append("last-discard-special")
    return reason(
        "hand-cards-stay",
        *grounds,
        cards=sum(staying.values()),
        stay=_counts_in_notation(staying),
        why=which,
    )


def _counts_in_notation(counts: Mapping[Kind, int]) -> str:
    """Cards in notation, from the number of each kind: two kings and a nine are `2xK 9`."""
    tokens: list[str] = []
    for kind, count in counts.items():
        tokens.append(f"{count}x{kind}" if count > 1 else str(kind))
    return " ".join(tokens)


def _laying_most_cards(task: LayingTask) -> LayingTask:
    """The task of laying as many of the cards as possible, whatever their points."""
    candidates: list[Candidate] = []
    for candidate in task.candidates:
        candidates.append(candidate._replace(worth=candidate.cards_from_hand))
    return task._replace(
        candidates=tuple(candidates), wilds=WildPoints(), weights=Weights(), whole=False
    )


def _cards_left(hand: Cards, play: Play | None) -> dict[Kind, int]:
    """The number of each kind that a play leaves in the hand."""
    used = _cards_used(play) if play else NO_CARDS
    left: dict[Kind, int] = {}
    for kind in KINDS:
        count = hand.of(kind) - used.of(kind)
        if count > 0:
            left[kind] = count
    return left


def _cards_used(play: Play) -> Cards:
    """The cards that a play lays or discards, as one bundle."""
    laid = [each.cards for each in play.laid]
    return gather((*laid, play.discard or NO_CARDS))


def _which_may_be_discarded(
    settings: Settings, question: OutQuestion, discards: Discards, staying: Iterable[Kind]
) -> str:
    """Which of the cards that stay in the hand may be the last discard: any `one` of them, only
    `some` or none (`special`).

    `without` if the question asks for a way without a discard, `said` if the discard is already
    settled.
    """
    if question.discard == NOTHING:
        return "without"
    if question.discard is not None or discards.aside.size > 0:
        return "said"
    may_be_discarded = [may_be_last(build_cards({INDEX[kind]: 1}), settings) for kind in staying]
    if all(may_be_discarded):
        return "one"
    if any(may_be_discarded):
        return "some"
    return "special"
