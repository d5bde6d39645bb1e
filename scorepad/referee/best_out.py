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
    MELDS_THAT_MAY_OPEN,
    NEW_CANASTAS,
    NO_MELD_PREVENTS_OUT,
    ONE_INCOMPLETE_OF_EACH,
    OPENING_POINTS,
    Candidate,
    Discards,
    LayingTask,
    Limits,
    Weights,
    WildPoints,
    at_least,
    exactly,
    find_best_play,
    find_lay_offs,
    find_melds_for_opening,
    find_new_melds,
    get_wild_points,
    give_opening_points,
    laid_on_meld,
    require_canastas_to_go_out,
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
from scorepad.rules.bounds import Quantity, UseLimits
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
from scorepad.rules.table import Meld, find_kind_of_canasta, read_meld
from scorepad.rules.turn_checks import may_be_last

_NATURALS_ON_WILDS: Quantity = ("naturals-on-wilds",)
"""The total of the cases in which natural cards are laid on a meld of wild cards alone."""
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
    """Any one of them."""
    ONLY_SOME = "some"
    """Some of them are special cards, which may not be discarded last."""
    NONE = "special"
    """All of them are special cards, which may not be discarded last."""
    NAMED_BEFORE = "said"
    """It does not matter: the discard was named by the question, or is clear from the hand."""
    NOT_WANTED = "without"
    """The question asks for a way out without a discard."""


def rule_best_way_out(rules: Ruleset, question: OutQuestion) -> Ruling:
    """Whether the player can go out, and one way to do it."""
    opens_in_same_turn = not question.table
    # A player who opens and goes out in one turn goes out concealed, even if the question does not
    # say so.
    concealed = question.concealed or opens_in_same_turn
    ruling = _rule_hand(rules, replace(question, concealed=concealed))
    return with_permission_penalty(rules, question, ruling)


def _rule_hand(rules: Ruleset, question: OutQuestion) -> Ruling:
    """Whether the hand can go out: first what prevents any way, then the best way there is.

    If it is not known whether the best way is allowed, because no source says, that is the answer.
    """
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
    not_stated = _why_no_source_says(rules, question, play)
    if not_stated:
        return replace(ruling, verdict=Verdict.SILENT, reasons=not_stated)
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
        yield reason("discard-not-in-hand", cited_settings="last-discard")
    # In some games a player goes out concealed only in the turn in which the side opens.
    only_when_opening = settings.concealed_out == "opening-turn"
    has_opened = len(question.table) > 0
    if question.concealed and only_when_opening and has_opened:
        yield reason("concealed-after-opening", cited_settings="concealed-out")


def _against_threes_held(settings: Settings, hand: Cards) -> Reasons:
    """The reason if the hand holds threes that must be exposed, and so lacks the cards drawn for
    them.
    """
    cited_settings: list[str] = []
    threes = 0
    if hand.counts[RED_THREE] and settings.red_threes_kept == "exposed":
        cited_settings.append("red-threes-kept")
        threes += hand.counts[RED_THREE]
    if hand.counts[BLACK_THREE] and settings.black_threes_exposed:
        cited_settings.append("black-threes-exposed")
        threes += hand.counts[BLACK_THREE]
    if cited_settings:
        yield reason("hand-threes-to-expose", cited_settings=cited_settings, threes=threes)


def _minimum_to_reach(settings: Settings, question: OutQuestion) -> int | None:
    """The points that the play must reach as an opening (what a side lays first in a hand).

    None if it need not reach any: the side has opened before, or this game requires no minimum of a
    player who opens and goes out in one turn.
    """
    has_opened = len(question.table) > 0
    if has_opened:
        return None
    needs_minimum = settings.concealed_out != "own-melds-only"
    if not needs_minimum:
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
    laying_hand = _task_of_laying_hand(rules, question, hand, minimum=minimum)
    going_out = laying_hand.with_limits(_requirements_of_out(settings, question, minimum))
    play = find_best_play(going_out)
    if play is not None:
        return play
    if _may_try_naturals_on_wilds(settings, question):
        return find_best_play(_permit_naturals_on_wilds(going_out))
    return None


def _may_try_naturals_on_wilds(settings: Settings, question: OutQuestion) -> bool:
    """Whether the table has a meld of wild cards alone, in a game of which no source says whether
    natural cards may be laid on it.
    """
    if settings.wild_meld_naturals != "unspoken":
        return False
    return any(_is_of_wilds(meld.cards) for meld in question.table)


def _permit_naturals_on_wilds(task: LayingTask) -> LayingTask:
    """The same task, but natural cards may be laid on melds of wild cards alone: a king on `2 2 JK`.

    The limit that forbids it (exactly none) is replaced by one that permits any number.
    """
    any_number = at_least(0)
    return task.with_limits({_NATURALS_ON_WILDS: any_number})


def _requirements_of_out(settings: Settings, question: OutQuestion, minimum: int | None) -> Limits:
    """What going out requires of all melds together, as limits of their totals: of the number of
    canastas (melds of seven cards or more) at least 2, for example.

    `minimum` is the opening minimum in points that they must reach, None if there is none.
    """
    required: Limits = {}
    required |= require_canastas_to_go_out(settings)
    required |= NO_MELD_PREVENTS_OUT
    if settings.out_red_threes == "one-for-each-canasta":
        # The side needs a red three for each of its canastas, so its red threes are the maximum.
        required[CANASTAS] = UseLimits(least=settings.canastas_needed, most=question.red_threes)
    if question.concealed:  # a player who laid nothing before needs a canasta of the own hand
        required[NEW_CANASTAS] = at_least(1)
    if minimum is not None:
        required |= _requirements_of_opening(minimum)
    return required


def _requirements_of_opening(minimum: int) -> Limits:
    """What an opening with this minimum of points requires of all melds together."""
    return {MELDS_THAT_MAY_OPEN: at_least(1), OPENING_POINTS: at_least(minimum)}


def _task_of_laying_hand(
    rules: Ruleset, question: OutQuestion, hand: Cards, *, minimum: int | None
) -> LayingTask:
    """The task of laying all cards of the hand but the last discard, for the most points. Whether the
    player may go out with these melds is not yet required.

    `minimum` is the opening minimum in points that they must reach, None if there is none.
    """
    settings = rules.settings
    discards = possible_last_discards(settings, hand, question.discard)
    # Cards that are discarded in any case are not available for melds.
    available = subtract_cards(hand, discards.set_aside)
    melds = [
        *_new_melds(rules, question, available, minimum=minimum),
        *_lay_offs(rules, question, available),
    ]
    task = LayingTask(
        available=available,
        candidates=tuple(_with_points_as_worth(meld, settings) for meld in melds),
        limits=_limits_of_any_play(settings, question),
        wilds=get_wild_points(settings),
        weights=_weights_for(available),
    )
    return task.using_all_cards(discards)


def _weights_for(cards_to_lay: Cards) -> Weights:
    """How plays of these cards are compared: by their points, except for a large hand. Any way out
    is correct, and the best one of a large hand takes too long to find.
    """
    is_large_hand = cards_to_lay.size > LARGEST_TIDIED_HAND
    return ALL_PLAYS_EQUAL if is_large_hand else Weights()


def _limits_of_any_play(settings: Settings, question: OutQuestion) -> Limits:
    """The limits of any legal way to lay all cards, whether or not the player may then go out.

    For example, a side may have at most one incomplete meld of kings (one that is no canasta).
    """
    limits: Limits = {}
    for index in range(len(question.table)):
        # What may be laid on a meld of the table are candidates that exclude each other: with two
        # kings in the hand, no king, one or two. One of them is chosen.
        limits[laid_on_meld(index)] = exactly(1)
    limits |= ONE_INCOMPLETE_OF_EACH
    if settings.wild_meld_naturals == "unspoken":
        # No source allows natural cards on melds of wild cards alone. They are tried only if there
        # is no other way (`_permit_naturals_on_wilds`).
        limits[_NATURALS_ON_WILDS] = exactly(0)
    return limits


def _with_points_as_worth(candidate: Candidate, settings: Settings) -> Candidate:
    """The candidate with its points, including those of a canasta, as its worth."""
    points = candidate.added.points(settings.card_points)
    canasta = find_kind_of_canasta(candidate.meld, settings)
    if canasta:
        points += canasta.points
    return candidate._replace(worth=points)


def _new_melds(
    rules: Ruleset, question: OutQuestion, available: Cards, *, minimum: int | None
) -> list[Candidate]:
    """The new melds that a player who goes out can lay with these cards.

    `minimum` is the opening minimum in points that the melds of a player who opens must reach, None
    if there is none. If there is one, each meld has the points that it adds to it.
    """
    legal_melds = find_new_melds(rules.settings, available, going_out=True)
    has_opened = len(question.table) > 0
    if has_opened:
        return _allowed_after_opening(rules.settings, legal_melds)
    opens_without_minimum = minimum is None
    if opens_without_minimum:
        return list(legal_melds)
    opened_at_once = find_melds_for_opening(rules, legal_melds, minimum, concealed=True)
    completed_later = _canastas_completed_after_opening(rules.settings, legal_melds)
    return [*opened_at_once, *completed_later]


def _canastas_completed_after_opening(
    settings: Settings, candidates: Iterable[Candidate]
) -> Iterator[Candidate]:
    """Those of these melds that a player opens without one of their cards, and completes later in the
    turn, with the points that they add to the opening.

    They are canastas (melds of seven cards or more) that an opening may not hold complete. `6xK 2`
    opens as `5xK 2`, and only the points of these cards count.
    """
    for candidate in candidates:
        if _is_completed_after_opening(settings, candidate.meld):
            rank = _rank_of(candidate.meld)
            in_opening = _without_one_of_rank(candidate.added, rank)
            points = in_opening.points(settings.card_points)
            # It may not open, because complete it is no opening; it only adds points.
            yield give_opening_points(candidate, points, may_open=False)


def _is_completed_after_opening(settings: Settings, meld: Meld) -> bool:
    """Whether a meld is a canasta of natural and wild cards, in a game in which an opening may not
    hold a complete one.
    """
    if settings.opening_natural_group != "needed":
        return False
    has_rank = meld.rank is not None
    return has_rank and meld.wilds > 0 and find_kind_of_canasta(meld, settings) is not None


def _without_one_of_rank(cards: Cards, rank: int) -> Cards:
    """These cards without one card of a rank (index): `6xK 2` without one king is `5xK 2`."""
    one_card = build_cards({rank: 1})
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


def _lay_offs(rules: Ruleset, question: OutQuestion, available: Cards) -> Iterator[Candidate]:
    """What can be laid on each meld of the table, including nothing.

    A player who goes out concealed (without having laid cards before) lays nothing there.
    """
    cards_to_lay = NO_CARDS if question.concealed else available
    for index, table_meld in enumerate(question.table):
        for candidate in find_lay_offs(rules.settings, cards_to_lay, table_meld, on=index):
            if _may_take_wilds(rules, table_meld, candidate.wilds_from_hand):
                yield _mark_if_on_wilds(candidate, table_meld)


def _may_take_wilds(rules: Ruleset, table_meld: Reading, wilds: int) -> bool:
    """Whether so many wild cards may be laid on a meld of the table."""
    against = tuple(against_laying_wilds(rules, read_meld(table_meld.cards), wilds))
    return not against


def _mark_if_on_wilds(candidate: Candidate, table_meld: Reading) -> Candidate:
    """The cards to be laid on a meld of the table; if they are natural cards on wild cards alone, as
    `K` on `2 2 JK`, they are added to the total of such cases.
    """
    has_naturals = candidate.added.naturals > 0
    if has_naturals and _is_of_wilds(table_meld.cards):
        return candidate.also_adding_one_to(_NATURALS_ON_WILDS)
    return candidate


def _is_of_wilds(meld: Cards) -> bool:
    """Whether it is a meld of wild cards alone."""
    return meld.wilds == meld.size


# ------------------------------------------------------------------------------ the ruling on a play


def _rule_play(rules: Ruleset, question: OutQuestion, play: Play) -> Ruling:
    """The ruling on going out with this play.

    If it is forbidden, it has only the reasons for that. Otherwise it has the play, and advice on the
    order in which the cards are laid.
    """
    ruling = _rule_out_and_opening(rules, question, play)
    if ruling.verdict is Verdict.FORBIDDEN:
        return forbidden(ruling.reasons)
    advice = _advice_on_order(rules.settings, table_after(play, question.table), play)
    return allowed((*ruling.reasons, *advice), ruling.details, play)


def _rule_out_and_opening(rules: Ruleset, question: OutQuestion, play: Play) -> Ruling:
    """Whether a player may go out with the melds of a play and, if they are the first ones of the
    side in this hand, whether they may open too.
    """
    question_after_play = replace(
        question,
        table=table_after(play, question.table),
        discard=Reading(play.discard or NO_CARDS),
    )
    ruling_on_out = rule_out(rules, question_after_play)
    opens = len(question.table) == 0
    if opens and _must_judge_opening(rules.settings, ruling_on_out):
        ruling_on_opening = _rule_opening_of(rules, question, play)
        return _combine_rulings(ruling_on_out, ruling_on_opening)
    return ruling_on_out


def _advice_on_order(
    settings: Settings, table_after_play: tuple[Reading, ...], play: Play
) -> Reasons:
    """The advice to lay wild cards before natural ones, if the play is not legal in another order."""
    if _lays_wilds_before_naturals(settings, table_after_play, play):
        yield reason("way-wilds-first", cited_settings="wild-on-canasta")


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

    In games in which such an opening must reach a minimum of points, they always are. In the others
    an opening can only be refused for other reasons, and these are not given to a player who may not
    go out anyway.
    """
    needs_minimum = settings.concealed_out != "own-melds-only"
    if needs_minimum:
        return True
    may_go_out = ruling_on_out.verdict is Verdict.ALLOWED
    return may_go_out


def _lays_wilds_before_naturals(
    settings: Settings, table_after_play: tuple[Reading, ...], play: Play
) -> bool:
    """Whether a play must lay wild cards on a meld of the table before natural ones, in a game in
    which a canasta (a meld of seven cards) may take no wild cards.

    For example `K K 2` is laid on five kings: after the two kings they would be a canasta, and the
    two could not be laid any more.
    """
    if settings.wild_on_canasta != "forbidden":
        return False
    for laid in play.laid:
        if laid.on is None or laid.cards.wilds == 0:  # a new meld, or natural cards only
            continue
        size_after_play = table_after_play[laid.on].cards.size
        if size_after_play > settings.canasta_length:
            return True
    return False


def _rule_opening_of(rules: Ruleset, question: OutQuestion, play: Play) -> Ruling:
    """The ruling on the melds of a play as an opening, which is what a side lays first in a hand.

    Of a canasta (a meld of seven cards or more) that an opening may not hold complete, one card is
    laid later in the turn; the ruling has a comment that says so.
    """
    settings = rules.settings
    completed_later: list[Reading] = []
    for meld in play.melds:
        if _is_completed_after_opening(settings, read_meld(meld.cards)):
            completed_later.append(meld)

    goes_out_with_opening = not completed_later
    opening = OpeningQuestion(
        score=question.score or 0,  # what the question leaves out: a match that has just begun
        melds=tuple(_as_opened(settings, meld) for meld in play.melds),
        concealed_out=goes_out_with_opening,
        deal=question.deal or 1,
    )
    ruling = worded_for_hand(rule_opening(rules, opening), play=None)
    comments = tuple(_reason_to_complete_later(canasta) for canasta in completed_later)
    return replace(ruling, reasons=ruling.reasons + comments)


def _as_opened(settings: Settings, meld: Reading) -> Reading:
    """The cards of a meld that are laid in an opening: all, or all but one of a canasta (a meld of
    seven cards or more) that an opening may not hold complete.

    In a game with such a rule `6xK 2` opens as `5xK 2`.
    """
    read = read_meld(meld.cards)
    if not _is_completed_after_opening(settings, read):
        return meld
    return Reading(_without_one_of_rank(meld.cards, _rank_of(read)))


def _reason_to_complete_later(canasta: Reading) -> Reason:
    """The comment that a canasta (a meld of seven cards or more) is opened without one of its cards,
    which is added later in the turn. It names the rank: `6xK 2` → K.
    """
    meld = read_meld(canasta.cards)
    rank = KINDS[_rank_of(meld)]
    return reason("opening-canasta-after", cited_settings="opening-natural-group", rank=rank)


def _why_no_source_says(rules: Ruleset, question: OutQuestion, play: Play) -> tuple[Reason, ...]:
    """The reasons that no source says whether a play is allowed, because of the cards that it lays
    on a meld of the table. The first such meld is enough; empty if there is none.
    """
    for laid in play.laid:
        if laid.on is None:  # a new meld
            continue
        table_meld = question.table[laid.on]
        laying_question = MeldQuestion(Reading(laid.cards), on=table_meld, going_out=True)
        ruling = rule_meld(rules, laying_question)
        if ruling.verdict is Verdict.SILENT:
            return ruling.reasons
    return ()


# -------------------------------------------------------------------------------- why there is no way


def _why_no_way_out(rules: Ruleset, question: OutQuestion, hand: Cards) -> Ruling:
    """The ruling that a hand has no way out, and why.

    If all its cards can be laid, it says what the melds lack, such as a canasta (a meld of seven
    cards or more). Otherwise it names the cards that cannot be laid.
    """
    play = _play_of_all_cards(rules, question, hand)
    if play is None:
        return forbidden((_why_cards_stay(rules, question, hand),))
    ruling = _rule_play(rules, question, play)
    if ruling.verdict is Verdict.FORBIDDEN:
        return forbidden(ruling.reasons)
    # All that going out requires is judged by that ruling, except one thing: a player who goes out
    # concealed needs a whole canasta from the hand. As there is no way out, that must be missing.
    return forbidden((reason("own-canasta-missing", cited_settings="concealed-out"),))


def _play_of_all_cards(rules: Ruleset, question: OutQuestion, hand: Cards) -> Play | None:
    """The best play that lays all cards of the hand, even if the player may not go out with it; None
    if there is none.

    The last discard may be missing. The ruling on the play then says that one is needed.
    """
    task = _task_of_laying_hand(rules, question, hand, minimum=None)
    optional_discard = task.discards._replace(fewest=0)
    return find_best_play(task.using_all_cards(optional_discard))


def _why_cards_stay(rules: Ruleset, question: OutQuestion, hand: Cards) -> Reason:
    """The reason that names the cards that stay in the hand even if as many as possible are laid,
    and says which of them may be discarded.

    Of `4xK 9 5` the cards `9 5` stay, and either of them may be discarded.
    """
    staying = _cards_left(hand, _play_of_most_cards(rules, question, hand))
    discardable = _which_may_be_discarded(rules.settings, question, hand, staying=staying)
    return reason(
        "hand-cards-stay",
        cited_settings=_settings_on_last_card(discardable),
        wording=discardable.value,
        cards=sum(staying.values()),
        stay=_counts_in_notation(staying),
    )


def _settings_on_last_card(discardable: _Discardable) -> list[str]:
    """The names of the settings that prevent a player from going out with cards in the hand: that no
    card may stay, and if it matters, which cards may not be discarded last.
    """
    if discardable in (_Discardable.ONLY_SOME, _Discardable.NONE):
        return ["out-empty-handed", "last-discard-special"]
    return ["out-empty-handed"]


def _counts_in_notation(counts: Mapping[Kind, int]) -> str:
    """Cards in notation, from the number of each kind: two kings and a nine are `2xK 9`."""
    tokens: list[str] = []
    for kind, count in counts.items():
        if count > 1:
            tokens.append(f"{count}x{kind}")
        else:
            tokens.append(str(kind))
    return " ".join(tokens)


def _play_of_most_cards(rules: Ruleset, question: OutQuestion, hand: Cards) -> Play | None:
    """The play that lays as many cards of the hand as possible; None if there is none.

    It discards no card, unless the question says which one, or the hand has threes that can only be
    discarded together.
    """
    laying_hand = _task_of_laying_hand(rules, question, hand, minimum=None)
    task = _laying_most_cards(laying_hand)
    if question.discard is None:
        only_threes_together = Discards(set_aside=task.discards.set_aside)
        task = task._replace(discards=only_threes_together)
    return find_best_play(task)


def _laying_most_cards(task: LayingTask) -> LayingTask:
    """The task of laying as many of the cards as possible, for which each card is worth one: `K K 2`
    is worth 3.
    """
    worth_their_cards: list[Candidate] = []
    for candidate in task.candidates:
        worth_their_cards.append(candidate._replace(worth=candidate.cards_from_hand))
    wilds_worth_nothing_more = WildPoints()  # they are counted in the meld that they are laid in
    return task._replace(
        candidates=tuple(worth_their_cards),
        wilds=wilds_worth_nothing_more,
        weights=Weights(),  # plays are compared, which those of a large hand are not otherwise
        uses_all_cards=False,
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
    settings: Settings, question: OutQuestion, hand: Cards, *, staying: Iterable[Kind]
) -> _Discardable:
    """Which of the kinds of card that stay in the hand may be the last discard."""
    wants_no_discard = question.discard == NOTHING
    if wants_no_discard:
        return _Discardable.NOT_WANTED
    if _is_discard_settled(settings, question, hand):
        return _Discardable.NAMED_BEFORE
    may_be_discarded = [_may_kind_be_last(settings, kind) for kind in staying]
    if all(may_be_discarded):
        return _Discardable.ANY_ONE
    if any(may_be_discarded):
        return _Discardable.ONLY_SOME
    return _Discardable.NONE


def _is_discard_settled(settings: Settings, question: OutQuestion, hand: Cards) -> bool:
    """Whether the last discard is not a choice: the question names it, or the hand has threes that
    are discarded together.
    """
    if question.discard is not None:
        return True
    discards = possible_last_discards(settings, hand, question.discard)
    return discards.set_aside.size > 0


def _may_kind_be_last(settings: Settings, kind: Kind) -> bool:
    """Whether a card of this kind may be the last discard of a player who goes out."""
    one_card = build_cards({INDEX[kind]: 1})
    return may_be_last(one_card, settings)
