"""Rulings on the opening: the minimum, and whether melds that a player shows reach it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from scorepad.referee.in_force import (
    naturals_needed,
    settings_of_canastas_needed,
    special_top,
)
from scorepad.referee.meld import against_incomplete_beside_canasta
from scorepad.referee.questions import OpeningQuestion
from scorepad.referee.reasons import minimum_faults, minimum_reason, reason
from scorepad.referee.ruling import (
    Details,
    Reason,
    Reasons,
    Ruling,
    allowed,
    forbidden,
    silent,
    value,
)
from scorepad.referee.situation import (
    ASKER,
    incomplete_wild_melds,
    kind_of,
    table_meld_checks,
    table_with,
    unknown_cards,
    violations,
)
from scorepad.rules.cards import Cards, Kind, Reading
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import Out
from scorepad.rules.settings import Settings
from scorepad.rules.table import LaidSide, Table
from scorepad.rules.turn_checks import OpeningCount, count_opening, has_out_canastas


def rule_opening(rules: Ruleset, question: OpeningQuestion) -> Ruling:
    """Whether melds are an opening: the first melds that a side lays in a hand, which must reach a
    minimum of points. Without melds, only the minimum.
    """
    if question.melds:
        return _rule_melds_shown(rules, question)
    return _rule_minimum(rules, question)


def _rule_melds_shown(rules: Ruleset, question: OpeningQuestion) -> Ruling:
    """Whether the melds that the player shows are an opening. The details give the points needed and
    those counted: `{"minimum": 90, "counted": 60, "missing": 30}`.
    """
    table = _opening_table(rules, question, concealed_out=_goes_out_with_opening(rules, question))
    minimum = _minimum_in_force(table)
    counted = _count_shown(table)
    details = _opening_details(minimum, counted)
    comments = tuple(_comments_on_opening(table, question))

    against = (*_against_opening(table), *against_top_card(rules, question))
    if against:
        return forbidden((*against, *comments), details)
    # The melds themselves are no obstacle. Whether the pile may be taken is another question.
    takes_pile = question.top_card is not None
    if takes_pile and rules.settings.pile == "not-refereed":
        not_refereed = Reason("top-card-not-refereed")
        return silent((not_refereed,), details)
    in_favour = _in_favour_of_opening(table, minimum, counted)
    return allowed((*in_favour, *comments), details)


def _goes_out_with_opening(rules: Ruleset, question: OpeningQuestion) -> bool:
    """Whether the player wants to go out in the turn of the opening, and has the canastas (melds of
    seven cards or more) for it. If not, the melds are judged as an opening alone.
    """
    return question.concealed_out and _has_canastas_to_go_out(rules, question)


def _comments_on_opening(table: Table, question: OpeningQuestion) -> Reasons:
    """What is said of an opening whether it is allowed or not: that the player cannot go out in the
    same turn, and the known faults of the sources about its minimum.
    """
    goes_out = table.hand.out is not None
    if question.concealed_out and not goes_out:
        yield reason("opening-not-out", cited_settings=settings_of_canastas_needed(table.settings))
    if _minimum_in_force(table) is not None:
        yield from minimum_faults(table)


def _rule_minimum(rules: Ruleset, question: OpeningQuestion) -> Ruling:
    """The ruling that names the opening minimum (points), or says that there is none: for a question
    without melds.
    """
    table = _opening_table(rules, question, concealed_out=question.concealed_out)
    minimum = _minimum_in_force(table)
    if minimum is None:
        return value((_why_no_minimum(table.settings),))
    reasons = (_why_minimum(table, minimum), *minimum_faults(table))
    return value(reasons, {"minimum": minimum})


def _why_no_minimum(settings: Settings) -> Reason:
    """Why the side needs no minimum of points to open: this game has none, or the player goes out
    concealed, which needs none.
    """
    if settings.opening_by == "nothing":
        return reason("opening-without-minimum", cited_settings="opening-by")
    return reason("opening-concealed-without-minimum", cited_settings="concealed-out")


def _has_canastas_to_go_out(rules: Ruleset, question: OpeningQuestion) -> bool:
    """Whether the melds of the opening include the canastas (melds of seven cards or more) that
    going out requires.
    """
    table = _opening_table(rules, question, concealed_out=True)
    return has_out_canastas(table, table.parties[ASKER])


def _opening_details(minimum: int | None, counted: OpeningCount | None) -> Details:
    """The minimum, the points counted toward it and those missing, as far as there are any."""
    details: Details = {}
    if minimum is not None:
        details["minimum"] = minimum
    if counted is not None:
        details["counted"] = counted.points
    if minimum is not None and counted is not None:
        details["missing"] = max(0, minimum - counted.points)
    return details


def _opening_table(rules: Ruleset, question: OpeningQuestion, *, concealed_out: bool) -> Table:
    """The table with the melds of the question, laid as an opening; `concealed_out`: the player
    goes out in the same turn.
    """
    return table_with(
        rules,
        *question.melds,
        opening=question.melds,
        out=Out(ASKER, concealed=True) if concealed_out else None,
        score=question.score,
        deal=question.deal,
    )


def _opener_of(table: Table) -> LaidSide:
    """The side of the question, which opens."""
    return table.sides[ASKER]


def _minimum_in_force(table: Table) -> int | None:
    """The opening minimum of the side, None if it needs none."""
    opener = _opener_of(table)
    return None if table.needs_no_minimum(opener) else opener.minimum


def _count_shown(table: Table) -> OpeningCount | None:
    """The points of the melds of the question that count toward the opening minimum.

    None if the game has no minimum, or if some of the cards cannot be read.
    """
    opener = _opener_of(table)
    if opener.minimum is None or opener.unreadable:
        return None
    return count_opening(table, opener, opener.minimum)


def _why_minimum(table: Table, minimum: int) -> Reason:
    """The reason that names the opening minimum (points), and what it depends on: the number of the
    hand in the match or, in most games, the side's match score before the hand.
    """
    if table.settings.opening_by == "deal":
        return minimum_reason(table, "opening-minimum-of-hand", minimum, deal=table.hand.deal)
    score = table.before[ASKER]
    if score < 0:
        return minimum_reason(table, "opening-minimum-below-zero", minimum, score=score)
    return minimum_reason(table, "opening-minimum", minimum, score=score)


def _in_favour_of_opening(
    table: Table, minimum: int | None, counted: OpeningCount | None
) -> Reasons:
    """Why the melds open: the minimum of points, if there is one, and that they reach it. Then what
    is unusual about them, and what follows.
    """
    if minimum is None:
        yield _why_no_minimum(table.settings)
    else:
        assert counted is not None, "cards that cannot be read have been refused"
        yield _why_minimum(table, minimum)
        yield from _why_minimum_is_reached(table, minimum, counted)
    # Sources that mention it want one meld of a rank, but no source forbids a second.
    yield from violations(table, {"meld-rank-repeated"})
    if _stops_opponents(table):
        yield reason("opening-wilds-stop", cited_settings="opening-wild-melds")


def _why_minimum_is_reached(table: Table, minimum: int, counted: OpeningCount) -> Reasons:
    """The reason that the melds reach the opening minimum, with the points that count toward it.

    In some games melds with wild cards do not count: a second reason gives their number, if any.
    """
    yield minimum_reason(table, "opening-reached", minimum, counted=counted.points)
    melds_not_counting = counted.aside
    if melds_not_counting > 0:
        yield reason(
            "opening-melds-aside",
            cited_settings="opening-naturals-up-to",
            melds=melds_not_counting,
            minimum=minimum,
        )


def _stops_opponents(table: Table) -> bool:
    """Whether this opening keeps the opponents from taking the pile, and from opening in the same
    way.

    A source (Wikipedia's page on canastone) says this of an opening of wild cards alone, for a game
    in which it is allowed and no side opens with the pile.
    """
    settings = table.settings
    wilds_alone_may_open = settings.opening_wild_melds == "as-others"
    pile_may_open = settings.opening_pile != "never"
    if pile_may_open or not wilds_alone_may_open:
        return False
    is_of_wilds_alone = all(laid.meld.naturals == 0 for laid in _opener_of(table).melds)
    return is_of_wilds_alone


def _against_opening(table: Table) -> Reasons:
    """Why the cards are no legal melds, or why the melds are no opening (the first melds of a side,
    which must reach a minimum of points).
    """
    checks_of_melds = table_meld_checks(table.rules)
    yield from violations(table, checks_of_melds | {"opening-below-minimum"})
    side_of_question = table.hand.sides[ASKER]
    melds = [entry.reading for entry in side_of_question.melds]
    yield from against_incomplete_beside_canasta(table.rules, melds)
    yield from _against_second_wild_meld(table.settings, melds)


def _against_second_wild_meld(settings: Settings, melds: list[Reading]) -> Reasons:
    """The reason against two incomplete melds of wild cards alone in an opening.

    In some games a side with such a meld, of fewer cards than a canasta (seven), may lay no other
    wild cards. One is legal in any opening, since the player may lay it after the other melds.
    """
    if settings.wilds_blocked == "nothing":
        return
    number_of_wild_melds = incomplete_wild_melds(settings, melds)
    if number_of_wild_melds > 1:
        yield reason("second-wild-meld", cited_settings="wilds-blocked", melds=number_of_wild_melds)


# ------------------------------------------------------------------------------------- the top card


def against_top_card(rules: Ruleset, question: OpeningQuestion) -> Reasons:
    """What forbids opening with the top card of the pile, if the question has one."""
    top_card = question.top_card
    if top_card is None:
        return
    if top_card.unknown:
        yield from unknown_cards(rules, top_card)
        return
    if rules.settings.pile == "not-refereed":
        return

    never_opens = _why_top_card_never_opens(rules.settings, kind_of(top_card))
    if never_opens is not None:
        yield never_opens
    else:
        yield from _against_melds_with_top_card(rules.settings, top_card, question.melds)


def _against_melds_with_top_card(
    settings: Settings, top_card: Reading, melds: Iterable[Reading]
) -> Reasons:
    """The reason if none of the melds holds the top card, or too few cards equal to it."""
    top = kind_of(top_card)
    melds_using_it = [meld.cards for meld in melds if top_card.cards.is_among(meld.cards)]
    if melds_using_it:
        yield from _against_few_equal_cards(settings, top, melds_using_it)
    else:
        yield reason("top-card-unused", cited_settings="opening-pile", card=top)


def _why_top_card_never_opens(settings: Settings, top: Kind) -> Reason | None:
    """Why no side may open with this card from the pile, whatever it lays; None if one may.

    Either no pile may be taken to open, or none with this card on top.
    """
    if settings.opening_pile == "never":
        return reason("top-card-never-opens", cited_settings="opening-pile", card=top)
    if top in settings.stop_ranks:
        return reason("top-card-stops", cited_settings="stop-ranks", card=top)
    if not top.is_natural and not _is_melded_from_pile(settings, top):
        return reason("top-card-stops", cited_settings="pile-tops", card=top)
    return None


def _is_melded_from_pile(settings: Settings, special_card: Kind) -> bool:
    """Whether a wild card or a three on top of the pile is melded by who takes the pile.

    In other games it cannot be taken, or is discarded with the equal cards that take it.
    """
    top_rule = special_top(settings, special_card)
    return top_rule is not None and top_rule.used == "melded"


class _EqualCardsNeeded(NamedTuple):
    """The cards of the hand equal to the top card that taking the pile requires."""

    number: int
    settings: tuple[str, ...]
    """The settings that say so."""


def _against_few_equal_cards(settings: Settings, top: Kind, melds_using_it: list[Cards]) -> Reasons:
    """The reason if the player lays too few cards equal to the top card of the pile with it.

    At least one meld uses the top card. With a king on top, a meld `K K 2` has one king of the hand.
    """
    needed = _equal_cards_needed(settings, top)
    most_in_a_meld = max(meld.of(top) for meld in melds_using_it)
    from_hand = most_in_a_meld - 1  # one of them is the top card itself
    if from_hand < needed.number:
        yield reason(
            "top-card-needs-more", cited_settings=needed.settings, card=top, needed=needed.number
        )


def _equal_cards_needed(settings: Settings, top: Kind) -> _EqualCardsNeeded:
    """How many cards of the hand equal to this top card take the pile: two for a king, say."""
    if top.is_natural:
        return _equal_natural_cards_needed(settings)
    return _equal_special_cards_needed(settings, top)


def _equal_natural_cards_needed(settings: Settings) -> _EqualCardsNeeded:
    """How many cards of the hand equal to a natural top card take the pile.

    A frozen pile may need more. A question on an opening does not say whether the pile is frozen:
    only in a game in which it always is, it is taken as frozen.
    """
    is_always_frozen = settings.freezing == "always"
    number = naturals_needed(settings, frozen=is_always_frozen)
    if is_always_frozen:
        return _EqualCardsNeeded(number, settings=("pile-naturals-frozen", "freezing"))
    return _EqualCardsNeeded(number, settings=("pile-naturals",))


def _equal_special_cards_needed(settings: Settings, special_card: Kind) -> _EqualCardsNeeded:
    """How many cards of the hand equal to this wild card or three take the pile that it tops."""
    rule_of_top_card = special_top(settings, special_card)
    assert rule_of_top_card is not None, "a card that never takes the pile has been refused"
    return _EqualCardsNeeded(rule_of_top_card.more, settings=(f"pile-tops/{special_card}",))
