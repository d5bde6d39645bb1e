"""Rulings on the opening: the minimum, and whether melds that a player shows reach it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from scorepad.referee.in_force import (
    count_naturals_needed,
    find_rule_for_special_top,
    list_settings_of_canastas_needed,
)
from scorepad.referee.meld import (
    against_dead_rank,
    against_incomplete_beside_canasta,
    against_repeated_ranks,
)
from scorepad.referee.pile import (
    against_wilds_with_top_card,
    describe_talon,
    explain_opening_from_hand,
    explain_talon,
)
from scorepad.referee.questions import OpeningQuestion
from scorepad.referee.reasons import find_mistakes_about_minimum, make_reason_with_minimum, reason
from scorepad.referee.ruling import (
    Details,
    Reason,
    Reasons,
    Ruling,
    allowed,
    forbidden,
    value,
)
from scorepad.referee.situation import (
    ASKER,
    build_table_of_asker,
    count_incomplete_wild_melds,
    enter_melds,
    kind_of,
    leave_top_card_out,
    report_unreadable_cards,
    run_checks,
    select_checks_of_table_melds,
)
from scorepad.rules.cards import Cards, Kind, Reading, gather_readings
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import Out, SideEntry
from scorepad.rules.settings import Settings
from scorepad.rules.table import LaidSide, Table, read_meld
from scorepad.rules.turn_checks import OpeningCount, count_opening, has_canastas_to_go_out


def rule_opening(rules: Ruleset, question: OpeningQuestion) -> Ruling:
    """Decide whether a side may open, that is, lay its first melds of the round.

    A meld is a group of cards. Together the first ones must reach a minimum of points:

    - a question with melds → whether they do, `{"minimum": 90, "counted": 60, "missing": 30}`
    - a question without melds → the minimum alone, `{"minimum": 90}`
    """
    if question.melds:
        return _decide_for_shown_melds(rules, question)
    return _answer_with_minimum(rules, question)


def _decide_for_shown_melds(rules: Ruleset, question: OpeningQuestion) -> Ruling:
    """Decide whether a side may lay the melds shown as its first ones of the round.

    The details give the points needed and counted: `{"minimum": 90, "counted": 60, "missing": 30}`.
    """
    goes_out = _goes_out_with_opening(rules, question)
    table = _build_table_of_shown_melds(rules, question, concealed_out=goes_out)
    details = _describe_points_of_opening(table)
    comments = tuple(_comment_on_opening(table, question))
    if question.top_card is not None and rules.settings.opening_pile == "hand-only":
        comments = (explain_opening_from_hand(), *comments)

    reasons_against = (
        *_check_shown_melds(table),
        *report_unreadable_cards(rules, *(question.opponents or ())),
        *_check_dead_ranks(rules.settings, question),
        *against_repeated_ranks(rules.settings, question.melds, ()),
        *against_top_card(rules, question),
    )
    if reasons_against:
        return forbidden(reasons_against + comments, details)

    reasons_for = tuple(_explain_opening(table))
    reasons_for += tuple(_list_conditions_on_opponents(rules.settings, question))
    if not question.concealed_out:
        takes_pile = question.top_card is not None
        reasons_for += tuple(explain_talon(rules.settings, takes_pile=takes_pile))
        details |= describe_talon(rules.settings, takes_pile=takes_pile)
    return allowed(reasons_for + comments, details)


def _check_dead_ranks(settings: Settings, question: OpeningQuestion) -> Reasons:
    """Yield a reason for each meld (group of cards) of a rank that is dead by the other side's canasta.

    In some games nobody begins a meld of such a rank.
    """
    for shown in question.melds:
        yield from against_dead_rank(
            settings, read_meld(shown.cards), other_melds=(), opponents=question.opponents
        )


def _list_conditions_on_opponents(settings: Settings, question: OpeningQuestion) -> Reasons:
    """Yield the condition that no rank of the melds is dead, if the other side's melds are not known."""
    if settings.dead_ranks != "none" and question.opponents is None:
        # On the page: "Only if the opponents have no canasta of a rank of these melds: that rank
        # would be dead."
        yield reason("opening-hangs-on-dead", cited_settings="dead-ranks")


def _goes_out_with_opening(rules: Ruleset, question: OpeningQuestion) -> bool:
    """Tell whether the player ends the round in the turn in which the side lays its first melds.

    The player must want to, and must lay the canastas (melds of seven cards or more) needed for it.
    If some are missing → False: the melds are judged as those of a turn after which play goes on.
    """
    wants_to_go_out = question.concealed_out
    return wants_to_go_out and _has_canastas_to_go_out(rules, question)


def _comment_on_opening(table: Table, question: OpeningQuestion) -> Reasons:
    """Yield comments that are added to the answer, whether the side may open or not.

    - the player wants to end the round in this turn, but lacks the melds for it
    - a rule book is known to be mistaken about the minimum of points
    """
    wants_to_go_out = question.concealed_out
    goes_out = table.hand.out is not None
    if wants_to_go_out and not goes_out:
        # On the page: "These melds do not hold the canastas that going out needs."
        yield reason(
            "opening-not-out", cited_settings=list_settings_of_canastas_needed(table.settings)
        )
    if _find_minimum(table) is not None:
        yield from find_mistakes_about_minimum(table)


def _answer_with_minimum(rules: Ruleset, question: OpeningQuestion) -> Ruling:
    """Answer how many points the first melds (groups of cards) of a side must have.

    It is the answer to a question without melds. The details are `{"minimum": 90}`; there are none
    if the side needs no minimum.
    """
    table = _build_table_of_shown_melds(rules, question, concealed_out=question.concealed_out)
    minimum = _find_minimum(table)
    if minimum is None:
        no_minimum = _explain_lack_of_minimum(table.settings)
        return value(reasons=(no_minimum,))
    known_mistakes = find_mistakes_about_minimum(table)
    reasons = (_explain_minimum(table, minimum), *known_mistakes)
    return value(reasons, {"minimum": minimum})


def _explain_lack_of_minimum(settings: Settings) -> Reason:
    """Explain why the first melds (groups of cards) of a side need no minimum of points."""
    if settings.opening_by == "nothing":
        # On the page: "There is no opening minimum here: any meld will do."
        return reason("opening-without-minimum", cited_settings="opening-by")
    # "Whoever goes out concealed opens here without a minimum": that is, lays all cards at once.
    return reason("opening-concealed-without-minimum", cited_settings="concealed-out")


def _has_canastas_to_go_out(rules: Ruleset, question: OpeningQuestion) -> bool:
    """Tell whether the melds shown include the canastas needed to go out (end the round).

    A canasta is a meld of seven cards or more. Most games need one, some need two.
    """
    table = _build_table_of_shown_melds(rules, question, concealed_out=True)
    return has_canastas_to_go_out(table, table.parties[ASKER])


def _describe_points_of_opening(table: Table) -> Details:
    """Describe the points of a side's first melds as details of the answer.

    60 points where 90 are needed → `{"minimum": 90, "counted": 60, "missing": 30}`. What is not
    known, or not needed, is left out.
    """
    minimum = _find_minimum(table)
    counted = _count_points_of_shown_melds(table)
    details: Details = {}
    if minimum is not None:
        details["minimum"] = minimum
    if counted is not None:
        details["counted"] = counted.points
    if minimum is not None and counted is not None:
        details["missing"] = max(0, minimum - counted.points)
        if counted.refusal is None:
            details["missing"] = 0  # a canasta may open with fewer points
    return details


def _build_table_of_shown_melds(
    rules: Ruleset, question: OpeningQuestion, *, concealed_out: bool
) -> Table:
    """Build the table on which the side has laid the melds (groups of cards) shown, and no others.

    `concealed_out` says that the player also goes out (ends the round) in this turn.
    """
    all_melds = question.melds
    first_melds = _list_melds_that_count(rules, question)
    last_play = Out(ASKER, concealed=True) if concealed_out else None
    return build_table_of_asker(
        rules,
        SideEntry(melds=enter_melds(all_melds), opening=first_melds),
        out=last_play,
        score=question.score,
        deal=question.deal,
    )


def _list_melds_that_count(rules: Ruleset, question: OpeningQuestion) -> tuple[Reading, ...]:
    """List the melds (groups of cards) whose points count for the opening: most often all of them.

    In a game in which a side opens from the hand alone, the top card of the pile does not count: of
    `4xK`, with a king from the pile, `3xK` does. If several melds may hold that card, it is left out
    where the others are worth most.
    """
    top_card = question.top_card
    is_from_hand_alone = rules.settings.opening_pile == "hand-only"
    if top_card is None or top_card.unknown or not is_from_hand_alone:
        return question.melds

    choices: list[tuple[Reading, ...]] = []
    for index, meld in enumerate(question.melds):
        if top_card.cards.is_among(meld.cards):
            choices.append(leave_top_card_out(rules, question.melds, index, top_card))
    if not choices:  # no meld holds it, and another reason says so
        return question.melds
    points_of_cards = rules.settings.card_points
    return max(choices, key=lambda melds: gather_readings(*melds).cards.points(points_of_cards))


def _opening_side(table: Table) -> LaidSide:
    """Return the side of the table that opens (lays its first melds): the one that asks."""
    return table.sides[ASKER]


def _find_minimum(table: Table) -> int | None:
    """Find how many points the first melds (groups of cards) of the side must have, such as 50.

    None if the side needs no minimum.
    """
    side = _opening_side(table)
    if table.needs_no_minimum(side):
        return None
    return side.minimum


def _count_points_of_shown_melds(table: Table) -> OpeningCount | None:
    """Count the points that the melds (groups of cards) shown have toward the minimum.

    In some games melds with jokers or twos in them do not count. None if this game has no minimum
    of points, or if some words typed are no cards.
    """
    side = _opening_side(table)
    if side.minimum is None or side.unreadable:
        return None
    return count_opening(table, side, side.minimum)


def _explain_minimum(table: Table, minimum: int) -> Reason:
    """Explain how many points the first melds of the side must have, and why so many.

    In most games it depends on the side's score of the match: "At 1,500 points in the match it
    takes at least 90 to open." In others it depends on the number of the round.
    """
    if table.settings.opening_by == "deal":
        # On the page: "In hand number 2 it takes at least 90 points to open."
        return make_reason_with_minimum(
            table, "opening-minimum-of-hand", minimum, deal=table.hand.deal
        )

    score = table.before[ASKER]
    if score < 0:
        # On the page: "Below zero (-100 points) it takes at least 15 to open."
        return make_reason_with_minimum(table, "opening-minimum-below-zero", minimum, score=score)
    return make_reason_with_minimum(table, "opening-minimum", minimum, score=score)


def _explain_opening(table: Table) -> Reasons:
    """Explain, sentence by sentence, why the side may lay these melds as its first ones."""
    minimum = _find_minimum(table)
    if minimum is None:
        yield _explain_lack_of_minimum(table.settings)
    else:
        yield _explain_minimum(table, minimum)
        yield from _explain_points_of_opening(table, minimum)

    # "There are two melds of kings: the sources that speak of it keep one for each rank." They do
    # not forbid a second, so this is only a comment.
    yield from run_checks(table, {"meld-rank-repeated"})
    if _stops_opponents(table):
        # On the page: "In the next round of turns the opponents may neither open like that nor take
        # the pile."
        yield reason("opening-wilds-stop", cited_settings="opening-wild-melds")


def _explain_points_of_opening(table: Table, minimum: int) -> Reasons:
    """Explain that the melds (groups of cards) have enough points, and which of them did not count.

    In some games a low minimum must be reached without melds that have jokers or twos in them.
    """
    counted = count_opening(table, _opening_side(table), minimum)
    if counted.points < minimum:
        # On the page: "A natural canasta, or one of wild cards alone, opens without the minimum."
        yield reason("opening-by-canasta", cited_settings="opening-canasta")
        return
    # On the page: "It takes 50 points to open, and you laid 60: that will do."
    yield make_reason_with_minimum(table, "opening-reached", minimum, counted=counted.points)

    melds_not_counting = counted.melds_not_counting
    if melds_not_counting > 0:
        # On the page: "The melds with wild cards (1) may be laid in the same turn, but do not
        # count."
        yield reason(
            "opening-melds-aside",
            cited_settings="opening-naturals-up-to",
            melds=melds_not_counting,
            minimum=minimum,
        )


def _stops_opponents(table: Table) -> bool:
    """Tell whether this opening stops the opponents from taking the discard pile for a while.

    In one game, canastone, it does if all first melds of the side are of jokers and twos alone.
    """
    # Canastone is told by its rules, because house rules based on it may have another name.
    settings = table.settings
    may_open_with_wilds_alone = settings.opening_wild_melds == "as-others"
    never_opens_from_pile = settings.opening_pile == "never"
    is_canastone = may_open_with_wilds_alone and never_opens_from_pile
    if not is_canastone:
        return False
    melds = _opening_side(table).melds
    return all(laid.meld.naturals == 0 for laid in melds)


def _check_shown_melds(table: Table) -> Reasons:
    """Yield why the melds (groups of cards) are not legal, or too few to be the first of their side."""
    # Each meld, and the minimum of points: "It takes 50 points to open, and you laid 30."
    checks_of_melds = select_checks_of_table_melds(table.rules)
    yield from run_checks(table, checks_of_melds | {"opening-below-minimum"})

    # Melds that may not be laid in the same turn.
    asking_side = table.hand.sides[ASKER]
    melds = [entry.reading for entry in asking_side.melds]
    yield from against_incomplete_beside_canasta(table.rules, melds)
    yield from _check_for_second_wild_meld(table.settings, melds)


def _check_for_second_wild_meld(settings: Settings, melds: list[Reading]) -> Reasons:
    """Yield a reason if there are two short melds of wild cards (jokers and twos) alone.

    In some games a side that has laid `2 2 JK` must complete it to seven cards, before it lays wild
    cards anywhere else. One such meld is legal: the player may lay it last.
    """
    if settings.wilds_blocked == "nothing":  # this game has no such rule
        return
    number_of_wild_melds = count_incomplete_wild_melds(settings, melds)
    if number_of_wild_melds > 1:
        # On the page: "Before the first is a canasta wild cards are not used elsewhere."
        yield reason("second-wild-meld", cited_settings="wilds-blocked", melds=number_of_wild_melds)


# ------------------------------------------------------------------------------------- the top card


def against_top_card(rules: Ruleset, question: OpeningQuestion) -> Reasons:
    """Yield what forbids using the top card of the discard pile in the first melds of the side.

    A meld is a group of cards. Nothing is yielded if the question has no top card.
    """
    top_card = question.top_card
    if top_card is None:
        return
    if top_card.unknown:  # what was typed is no card
        yield from report_unreadable_cards(rules, top_card)
        return

    never_opens = _explain_why_top_card_never_opens(rules.settings, kind_of(top_card))
    if never_opens is not None:
        yield never_opens
        return

    melds_with_top_card = _find_melds_with_card(question.melds, top_card)
    if melds_with_top_card:
        yield from _check_number_of_cards_like_top(
            rules.settings, kind_of(top_card), melds_with_top_card
        )
        yield from _check_wilds_beside_top_card(
            rules.settings, kind_of(top_card), melds_with_top_card
        )
    else:
        # On the page: "The top card of the pile is a king and is in none of these melds."
        yield reason("top-card-unused", cited_settings="opening-pile", card=kind_of(top_card))


def _find_melds_with_card(melds: Iterable[Reading], card: Reading) -> list[Cards]:
    """Find the melds (groups of cards) that hold a card: of `K K K` and `8 8 2`, a king is in one."""
    return [meld.cards for meld in melds if card.cards.is_among(meld.cards)]


def _explain_why_top_card_never_opens(settings: Settings, top: Kind) -> Reason | None:
    """Explain why a side may not use this top card of the pile in its first melds; None if it may.

    In some games no card of the pile may be used for them. In others some cards may not, such as
    jokers.
    """
    if settings.opening_pile == "never":
        # On the page: "The top card of the pile is never used to open here, not even a king."
        return reason("top-card-never-opens", cited_settings="opening-pile", card=top)

    # On the page: "With a seven on top the pile may not be taken, and so not be used to open."
    if top in settings.stop_ranks:
        return reason("top-card-stops", cited_settings="stop-ranks", card=top)
    is_special = not top.is_natural  # a joker, a two or a three
    if is_special and not _is_melded_from_pile(settings, top):
        return reason("top-card-stops", cited_settings="pile-tops", card=top)
    return None


def _is_melded_from_pile(settings: Settings, special_card: Kind) -> bool:
    """Tell whether a joker, a two or a three on top of the pile is melded when the pile is taken.

    In some games such a pile cannot be taken. In others the card is not melded but discarded again,
    with the equal cards of the hand that take the pile.
    """
    top_rule = find_rule_for_special_top(settings, special_card)
    return top_rule is not None and top_rule.used == "melded"


class _EqualCardsNeeded(NamedTuple):
    """The cards of the hand equal to the top card that taking the pile requires."""

    number: int
    settings: tuple[str, ...]
    """The settings that say so."""


def _check_number_of_cards_like_top(
    settings: Settings, top: Kind, melds_with_top_card: list[Cards]
) -> Reasons:
    """Yield a reason if the player lays too few cards of the hand equal to the top card of the pile.

    With a king on top, `K K 2` has one king of the hand: too few where two are needed.
    """
    needed = _find_equal_cards_needed(settings, top)
    most_in_a_meld = max(meld.of(top) for meld in melds_with_top_card)
    number_from_hand = most_in_a_meld - 1  # one of them is the top card itself
    if number_from_hand < needed.number:
        # On the page: "To open with a king from the pile you need at least two kings from your
        # hand."
        yield reason(
            "top-card-needs-more", cited_settings=needed.settings, card=top, needed=needed.number
        )


def _check_wilds_beside_top_card(
    settings: Settings, top: Kind, melds_with_top_card: list[Cards]
) -> Reasons:
    """Yield a reason if each meld that may hold the top card has jokers or twos that it must not have.

    In some games aces take wild cards only in the opening, which is from the hand alone.
    """
    if settings.opening_pile != "hand-only":
        return
    meld_with_fewest_wilds = min(melds_with_top_card, key=lambda meld: meld.wilds)
    yield from against_wilds_with_top_card(settings, top, Reading(meld_with_fewest_wilds))


def _find_equal_cards_needed(settings: Settings, top: Kind) -> _EqualCardsNeeded:
    """Find how many cards of the hand, equal to this top card, a player needs to take the pile.

    For a king it is usually two. Some games have a rule of their own for a joker, two or three.
    """
    if top.is_natural:
        return _find_equal_natural_cards_needed(settings)
    rule_of_card = find_rule_for_special_top(settings, top)
    assert rule_of_card is not None, "a card without such a rule has been refused"
    return _EqualCardsNeeded(number=rule_of_card.more, settings=(f"pile-tops/{top}",))


def _find_equal_natural_cards_needed(settings: Settings) -> _EqualCardsNeeded:
    """Find how many equal cards of the hand a player needs to take a pile with an ordinary top card.

    A frozen pile may need more. The question does not say whether the pile is frozen, so it counts
    as frozen only in a game in which it always is.
    """
    is_always_frozen = settings.freezing == "always"
    number = count_naturals_needed(settings, frozen=is_always_frozen)
    if is_always_frozen:
        return _EqualCardsNeeded(number, settings=("pile-naturals-frozen", "freezing"))
    return _EqualCardsNeeded(number, settings=("pile-naturals",))
