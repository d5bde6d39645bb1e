"""Rulings on whether a player's whole hand can go out, and how.

All cards but the discard are laid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from enum import StrEnum

from scorepad.referee.best_play import (
    ALL_PLAYS_EQUAL,
    CANASTAS,
    LARGEST_TIDIED_HAND,
    MAY_OPEN,
    NEW_CANASTAS,
    NOTHING_BARS_GOING_OUT,
    ONE_INCOMPLETE_OF_EACH,
    OPENING_POINTS,
    Candidate,
    Discards,
    LayingTask,
    Limits,
    Weights,
    WildPoints,
    at_least,
    canastas_needed,
    exactly,
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
from scorepad.rules.bounds import Resource, UseLimits
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


class _Discardable(StrEnum):
    """Which of the cards that stay in a hand may be its last discard: the wording of a reason."""

    ANY_ONE = "one"
    ONLY_SOME = "some"
    NONE = "special"
    """All of them are special cards, which may not be discarded last."""
    NAMED_BEFORE = "said"
    """It does not matter: the discard was named by the question, or is clear from the hand."""
    NOT_WANTED = "without"
    """The question asks for a way out without a discard."""


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

    play = _way_out(rules, question, hand.cards)
    if play is None:
        return _why_no_way_out(rules, question, hand.cards)
    ruling = _rule_play(rules, question, play)
    no_source = _why_no_source_says(rules, question, play)
    if no_source:
        return replace(ruling, verdict=Verdict.SILENT, reasons=no_source)
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


def _way_out(rules: Ruleset, question: OutQuestion, hand: Cards) -> Play | None:
    """The best play of this hand that goes out; None if there is none.

    Where no source says whether natural cards may be laid on melds of wild cards alone, a way that
    lays some there is taken only if there is no other.
    """
    settings = rules.settings
    minimum = _minimum_to_reach(settings, question)
    task = _task_of_going_out(rules, question, hand, minimum=minimum)
    task = task.within(_requirements(settings, question, minimum))
    play = find_best_play(task)
    if play is None and _may_lay_naturals_on_wilds_unspoken(settings, question):
        return find_best_play(_with_naturals_on_wilds(task))
    return play


def _may_lay_naturals_on_wilds_unspoken(settings: Settings, question: OutQuestion) -> bool:
    """Whether the table has a meld of wild cards alone, in a game of which no source says whether
    natural cards may be laid on it.
    """
    if settings.wild_meld_naturals != "unspoken":
        return False
    return any(_is_of_wilds(meld.cards) for meld in question.table)


def _with_naturals_on_wilds(task: LayingTask) -> LayingTask:
    """The task, in which natural cards may be laid on melds of wild cards alone, any number of
    times.
    """
    return task.within({_NATURALS_ON_WILDS: at_least(0)})


def _requirements(settings: Settings, question: OutQuestion, minimum: int | None) -> Limits:
    """What going out requires of all melds together, as limits of tallies: totals over the melds,
    such as the number of their canastas.

    That is so many canastas (melds of seven cards or more), no incomplete meld that prevents going
    out, and the opening minimum if there is one. A player who goes out concealed also needs a new
    canasta.
    """
    needs = canastas_needed(settings) | NOTHING_BARS_GOING_OUT
    if settings.out_red_threes == "one-for-each-canasta":
        # No more canastas than the side has red threes.
        needs[CANASTAS] = UseLimits(least=settings.canastas_needed, most=question.red_threes)
    if question.concealed:
        needs[NEW_CANASTAS] = at_least(1)
    if minimum is not None:
        needs[MAY_OPEN] = at_least(1)
        needs[OPENING_POINTS] = at_least(minimum)
    return needs


def _task_of_going_out(
    rules: Ruleset, question: OutQuestion, hand: Cards, *, minimum: int | None
) -> LayingTask:
    """The task of laying all cards but the last discard, with the most points.

    `minimum` is the opening minimum that they must reach, None if there is none.
    """
    settings = rules.settings
    discards = possible_last_discards(settings, hand, question.discard)
    held = subtract_cards(hand, discards.aside)
    melds = _new_melds(rules, question, held, minimum=minimum)
    melds += _lay_offs(rules, question, held)
    candidates = [_with_points_as_worth(meld, settings) for meld in melds]
    return LayingTask(
        held=held,
        candidates=tuple(candidates),
        limits=_limits_of_going_out(settings, question),
        wilds=wild_points(settings),
        weights=_weights_for(held),
        whole=True,
        discards=discards,
    )


def _weights_for(held: Cards) -> Weights:
    """How plays of these cards are compared: by their points, except for a large hand. Any way out
    is correct, and the best one of a large hand takes too long to find.
    """
    is_large_hand = held.size > LARGEST_TIDIED_HAND
    return ALL_PLAYS_EQUAL if is_large_hand else Weights()


def _limits_of_going_out(settings: Settings, question: OutQuestion) -> Limits:
    """The limits of any legal play of all cards, whether or not it may go out."""
    limits: Limits = {}
    for index in range(len(question.table)):
        # One of the ways to lay cards off on this meld is used; laying nothing is one of them.
        limits[laid_on_meld(index)] = exactly(1)
    limits |= ONE_INCOMPLETE_OF_EACH
    if settings.wild_meld_naturals == "unspoken":
        # No source says whether natural cards may be laid on melds of wild cards alone.
        limits[_NATURALS_ON_WILDS] = exactly(0)
    return limits


def _with_points_as_worth(candidate: Candidate, settings: Settings) -> Candidate:
    """The candidate with its points, including those of a canasta, as its worth."""
    points = candidate.added.points(settings.card_points)
    canasta = canasta_of(candidate.meld, settings)
    if canasta:
        points += canasta.points
    return candidate._replace(worth=points)


def _new_melds(
    rules: Ruleset, question: OutQuestion, held: Cards, *, minimum: int | None
) -> list[Candidate]:
    """The new melds that the cards held can make; if they must reach an opening minimum, with what
    they add to it.
    """
    legal = new_melds(rules.settings, held, going_out=True)
    has_opened = len(question.table) > 0
    if has_opened:
        return _allowed_after_opening(rules.settings, legal)
    if minimum is None:  # the player opens, but without a minimum
        return list(legal)
    in_opening = opening_candidates(rules, legal, minimum, concealed=True)
    completed_later = _canastas_completed_after_opening(rules.settings, legal)
    return [*in_opening, *completed_later]


def _canastas_completed_after_opening(
    settings: Settings, candidates: Iterable[Candidate]
) -> Iterator[Candidate]:
    """The canastas (melds of seven cards or more) that may not be laid complete in an opening, with
    the points that they add to it.

    The player opens with all their cards but one, and adds that one later in the turn: six kings
    and a two open as five kings and a two.
    """
    for candidate in candidates:
        if _is_completed_after_opening(settings, candidate.meld):
            in_opening = _without_one_of_rank(candidate.added, candidate.meld)
            points = in_opening.points(settings.card_points)
            yield opening_candidate(candidate, points, may_open=False)


def _is_completed_after_opening(settings: Settings, meld: Meld) -> bool:
    """Whether a meld is a canasta of natural and wild cards, in a game in which an opening may not
    hold a complete one.
    """
    if settings.opening_natural_group != "needed":
        return False
    has_rank = meld.rank is not None
    return has_rank and meld.wilds > 0 and canasta_of(meld, settings) is not None


def _without_one_of_rank(cards: Cards, meld: Meld) -> Cards:
    """These cards without one natural card of the meld that they belong to."""
    one_card = build_cards({_rank_of(meld): 1})
    return subtract_cards(cards, one_card)


def _rank_of(meld: Meld) -> int:
    """The rank (index) of a meld of one rank."""
    assert meld.rank is not None, "a sequence has several ranks, and wild cards have none"
    return meld.rank


def _allowed_after_opening(settings: Settings, candidates: Iterable[Candidate]) -> list[Candidate]:
    """The melds that a side may lay after its opening.

    Some games have ranks that take wild cards only in the opening: mixed melds of these are left
    out.
    """
    allowed_melds: list[Candidate] = []
    for candidate in candidates:
        has_wilds = candidate.meld.wilds > 0
        if has_wilds and rank_natural_after_opening(settings, candidate.meld) is not None:
            continue
        allowed_melds.append(candidate)
    return allowed_melds


def _lay_offs(rules: Ruleset, question: OutQuestion, held: Cards) -> Iterator[Candidate]:
    """What can be laid off on each meld of the table, including nothing.

    A player who goes out concealed lays off nothing.
    """
    may_be_laid_off = NO_CARDS if question.concealed else held
    for index, table_meld in enumerate(question.table):
        for candidate in lay_offs(rules.settings, may_be_laid_off, table_meld, on=index):
            if _may_take_wilds(rules, table_meld, candidate.wilds_from_hand):
                yield _counted_if_on_wilds(candidate, table_meld)


def _may_take_wilds(rules: Ruleset, table_meld: Reading, wilds: int) -> bool:
    """Whether so many wild cards may be laid on a meld of the table."""
    against = tuple(against_laying_wilds(rules, read_meld(table_meld.cards), wilds))
    return not against


def _counted_if_on_wilds(candidate: Candidate, table_meld: Reading) -> Candidate:
    """What is laid off on a meld of the table, in the tally of natural cards laid on wild ones if it
    is such a case.
    """
    if not _is_of_wilds(table_meld.cards) or candidate.added.naturals == 0:
        return candidate
    tallies = {**candidate.tallies, _NATURALS_ON_WILDS: 1}
    return candidate._replace(tallies=tallies)


def _is_of_wilds(meld: Cards) -> bool:
    """Whether it is a meld of wild cards alone."""
    return meld.wilds == meld.size


# ------------------------------------------------------------------------------ the ruling on a play


def _rule_play(rules: Ruleset, question: OutQuestion, play: Play) -> Ruling:
    """The ruling on this way out, combined with that on its melds as an opening if the table was
    empty. If it is forbidden, it has only the reasons for that.
    """
    table = table_after(play, question.table)
    discard = Reading(play.discard or NO_CARDS)
    ruling = rule_out(rules, replace(question, table=table, discard=discard))
    opens = len(question.table) == 0
    if opens and _must_judge_opening(rules.settings, ruling):
        ruling = _combine_rulings(ruling, _rule_opening_of(rules, question, play))
    if ruling.verdict is Verdict.FORBIDDEN:
        return forbidden(ruling.reasons)

    reasons = [*ruling.reasons]
    if _lays_wilds_before_naturals(rules.settings, table, play):
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
    """Whether the melds of a player who opens and goes out in one turn are judged as an opening too.

    In some games such an opening needs no minimum. It can then only be refused for other reasons,
    which do not matter if the player may not go out anyway.
    """
    needs_no_minimum = settings.concealed_out == "own-melds-only"
    may_go_out = ruling_on_out.verdict is Verdict.ALLOWED
    return may_go_out or not needs_no_minimum


def _lays_wilds_before_naturals(
    settings: Settings, table_after_play: tuple[Reading, ...], play: Play
) -> bool:
    """Whether a play must lay wild cards on a meld of the table before natural ones, because a
    canasta (a meld of seven cards or more) may not take wild cards.

    A meld that grows beyond the length of a canasta would be one when the wild cards come, if the
    natural ones were laid first.
    """
    if settings.wild_on_canasta != "forbidden":
        return False
    for laid in play.laid:
        if laid.on is None or laid.cards.wilds == 0:
            continue
        size_after_play = table_after_play[laid.on].cards.size
        if size_after_play > settings.canasta_length:
            return True
    return False


def _rule_opening_of(rules: Ruleset, question: OutQuestion, play: Play) -> Ruling:
    """The ruling on the melds of a play as an opening.

    A canasta (a meld of seven cards or more) that an opening may not hold complete is opened
    without one of its cards, and completed later in the turn.
    """
    settings = rules.settings
    completed_later = [
        meld for meld in play.melds if _is_completed_after_opening(settings, read_meld(meld.cards))
    ]
    # A player who completes a canasta later does not go out with the opening itself.
    goes_out_with_opening = not completed_later
    asked = OpeningQuestion(
        score=question.score or 0,
        melds=tuple(_as_opened(settings, meld) for meld in play.melds),
        concealed_out=goes_out_with_opening,
        deal=question.deal or 1,
    )
    ruling = worded_for_hand(rule_opening(rules, asked), None)
    comments = [_reason_to_complete_later(meld) for meld in completed_later]
    return replace(ruling, reasons=(*ruling.reasons, *comments))


def _as_opened(settings: Settings, meld: Reading) -> Reading:
    """The cards of a meld that are laid in an opening: all, or all but one of a canasta that may not
    be laid complete.
    """
    read = read_meld(meld.cards)
    if not _is_completed_after_opening(settings, read):
        return meld
    return Reading(_without_one_of_rank(meld.cards, read))


def _reason_to_complete_later(canasta: Reading) -> Reason:
    """The reason that this canasta is opened without one of its cards, which is added later."""
    rank = KINDS[_rank_of(read_meld(canasta.cards))]
    return reason("opening-canasta-after", "opening-natural-group", rank=rank)


def _why_no_source_says(rules: Ruleset, question: OutQuestion, play: Play) -> tuple[Reason, ...]:
    """The reasons that no source says whether a play is allowed, because of what it lays on a meld
    of the table. The first such meld is enough; empty if there is none.
    """
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
    """The ruling for a hand without a way out: what its melds lack if all cards can be laid,
    otherwise how many cannot.
    """
    play = _play_of_all_cards(rules, question, hand)
    if play is None:
        return forbidden((_why_cards_stay(rules, question, hand),))
    ruling = _rule_play(rules, question, play)
    if ruling.verdict is Verdict.FORBIDDEN:
        return forbidden(ruling.reasons)
    # The search found no way out, but the ruling allows this one. It checks all that the search
    # requires but one thing, which must be what is missing: a whole canasta from the hand, to go
    # out concealed.
    return forbidden((reason("own-canasta-missing", "concealed-out"),))


def _play_of_all_cards(rules: Ruleset, question: OutQuestion, hand: Cards) -> Play | None:
    """The best play that lays all cards of the hand, whether it may go out or not; None if there is
    none.

    A last discard is not required: that it is missing can be a reason against going out.
    """
    task = _task_of_going_out(rules, question, hand, minimum=None)
    optional_discard = task.discards._replace(fewest=0)
    return find_best_play(task._replace(discards=optional_discard))


def _why_cards_stay(rules: Ruleset, question: OutQuestion, hand: Cards) -> Reason:
    """The reason that names the cards that stay in the hand even if as many as possible are laid,
    and says which of them may be discarded.
    """
    task = _task_of_going_out(rules, question, hand, minimum=None)
    if question.discard is None:
        # No card is discarded: the one to discard is named among those that stay.
        task = task._replace(discards=Discards(aside=task.discards.aside))
    staying = _cards_left(hand, find_best_play(_laying_most_cards(task)))

    discardable = _which_may_be_discarded(
        rules.settings, question, discards=task.discards, staying=staying
    )
    grounds = ["out-empty-handed"]
    if discardable in (_Discardable.ONLY_SOME, _Discardable.NONE):
        grounds.append("last-discard-special")
    return reason(
        "hand-cards-stay",
        *grounds,
        cards=sum(staying.values()),
        stay=_counts_in_notation(staying),
        why=discardable.value,
    )


def _counts_in_notation(counts: Mapping[Kind, int]) -> str:
    """Cards in notation, from the number of each kind: two kings and a nine are `2xK 9`."""
    tokens: list[str] = []
    for kind, count in counts.items():
        if count > 1:
            tokens.append(f"{count}x{kind}")
        else:
            tokens.append(str(kind))
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
    settings: Settings, question: OutQuestion, *, discards: Discards, staying: Iterable[Kind]
) -> _Discardable:
    """Which of the kinds of card that stay in the hand may be the last discard."""
    if question.discard == NOTHING:
        return _Discardable.NOT_WANTED
    if question.discard is not None or discards.aside.size > 0:
        return _Discardable.NAMED_BEFORE
    may_be_discarded = [_may_kind_be_last(settings, kind) for kind in staying]
    if all(may_be_discarded):
        return _Discardable.ANY_ONE
    if any(may_be_discarded):
        return _Discardable.ONLY_SOME
    return _Discardable.NONE


def _may_kind_be_last(settings: Settings, kind: Kind) -> bool:
    """Whether a card of this kind may be the last discard of a player who goes out."""
    one_card = build_cards({INDEX[kind]: 1})
    return may_be_last(one_card, settings)
