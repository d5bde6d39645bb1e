"""Rulings on the opening: the minimum, and whether melds that a player shows reach it."""

from __future__ import annotations

from typing import NamedTuple

from scorepad.referee.in_force import (
    is_frozen,
    naturals_needed,
    settings_of_canastas_needed,
    special_top,
)
from scorepad.referee.meld import against_incomplete_beside_canasta
from scorepad.referee.questions import OpeningQuestion
from scorepad.referee.reasons import minimum_faults, minimum_reason, reason
from scorepad.referee.ruling import Details, Reason, Reasons, Ruling, Verdict, silent, value
from scorepad.referee.situation import (
    ASKER,
    incomplete_wild_melds,
    kind_of,
    table_meld_checks,
    table_with,
    unknown_cards,
    violations,
)
from scorepad.rules.cards import Cards, Kind
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import Out
from scorepad.rules.settings import Settings
from scorepad.rules.table import LaidSide, Table
from scorepad.rules.turn_checks import OpeningCount, count_opening, has_out_canastas


def rule_opening(rules: Ruleset, question: OpeningQuestion) -> Ruling:
    """The minimum, and whether the melds reach it. Without melds, only the minimum."""
    if not question.melds:
        return _rule_minimum(rules, question)

    # Who cannot go out is answered for an opening alone.
    goes_out = question.concealed_out and _has_canastas_to_go_out(rules, question)
    table = _opening_table(rules, question, concealed_out=goes_out)
    minimum = _minimum_in_force(table)
    counted = _count_shown(table)
    details = _opening_details(minimum, counted)

    against = [*_against_opening(table), *against_top_card(rules, question)]
    uses_top_card = question.top_card is not None
    if not against and uses_top_card and rules.settings.pile == "not-refereed":
        return silent((Reason("top-card-not-refereed"),), details)
    if against:
        verdict = Verdict.FORBIDDEN
        reasons = against
    else:
        verdict = Verdict.ALLOWED
        reasons = [*_in_favour_of_opening(table, minimum, counted)]
    if question.concealed_out and not goes_out:
        grounds = settings_of_canastas_needed(rules.settings)
        reasons.append(reason("opening-not-out", *grounds))
    if minimum is not None:
        reasons += minimum_faults(table)
    return Ruling(verdict, tuple(reasons), details)


def _rule_minimum(rules: Ruleset, question: OpeningQuestion) -> Ruling:
    """The minimum for an opening of which no melds are given."""
    table = _opening_table(rules, question, concealed_out=question.concealed_out)
    minimum = _minimum_in_force(table)
    reasons = [_why_minimum(table, minimum)]
    if minimum is not None:
        reasons += minimum_faults(table)
    return value(tuple(reasons), _opening_details(minimum, None))


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
    return table.parties[ASKER].sides[0]


def _minimum_in_force(table: Table) -> int | None:
    """The opening minimum of the side, None if it needs none."""
    opener = _opener_of(table)
    return None if table.needs_no_minimum(opener) else opener.minimum


def _count_shown(table: Table) -> OpeningCount | None:
    """The melds counted toward the minimum; None if there is none, or a card is unreadable."""
    opener = _opener_of(table)
    if opener.minimum is None or opener.unreadable:
        return None
    return count_opening(table, opener, opener.minimum)


def _why_minimum(table: Table, minimum: int | None) -> Reason:
    settings = table.settings
    if settings.opening_by == "nothing":
        return reason("opening-without-minimum", "opening-by")
    if minimum is None:
        return reason("opening-concealed-without-minimum", "concealed-out")
    if settings.opening_by == "deal":
        return minimum_reason(table, "opening-minimum-of-hand", minimum, deal=table.hand.deal)
    score = table.before[ASKER]
    code = "opening-minimum-below-zero" if score < 0 else "opening-minimum"
    return minimum_reason(table, code, minimum, score=score)


def _in_favour_of_opening(
    table: Table, minimum: int | None, counted: OpeningCount | None
) -> Reasons:
    """Why the melds open: the minimum, and that they reach it; then what is unusual or follows."""
    yield _why_minimum(table, minimum)
    if minimum is not None and counted is not None:
        yield from _why_minimum_is_reached(table, minimum, counted)
    # Sources that mention it want one meld of a rank; no other source forbids a second.
    yield from violations(table, {"meld-rank-repeated"})
    if _stops_opponents(table):
        yield reason("opening-wilds-stop", "opening-wild-melds")


def _why_minimum_is_reached(table: Table, minimum: int, counted: OpeningCount) -> Reasons:
    """The points counted toward the minimum, and how many melds do not count, if any."""
    yield minimum_reason(table, "opening-reached", minimum, counted=counted.points)
    melds_not_counting = counted.aside
    if melds_not_counting > 0:
        yield reason(
            "opening-melds-aside",
            "opening-naturals-up-to",
            melds=melds_not_counting,
            minimum=minimum,
        )


def _stops_opponents(table: Table) -> bool:
    """Whether this opening keeps the opponents from opening likewise and from taking the pile.

    One of wild cards alone does where it may open, and where no side may open with the pile; the
    source is Wikipedia's page on canastone.
    """
    settings = table.settings
    if settings.opening_wild_melds != "as-others" or settings.opening_pile != "never":
        return False
    return not any(laid.meld.naturals for laid in _opener_of(table).melds)


def _against_opening(table: Table) -> Reasons:
    """Reasons why the cards are not melds, or the melds not an opening."""
    melds = [entry.reading for entry in table.hand.sides[ASKER].melds]
    yield from violations(table, table_meld_checks(table.rules) | {"opening-below-minimum"})
    yield from against_incomplete_beside_canasta(table.rules, melds)
    # In some games an incomplete meld of wild cards keeps its side from laying others. One is legal
    # in any opening, since it may be laid last; of two, the second is laid beside the first.
    incomplete = incomplete_wild_melds(table.settings, melds)
    if incomplete > 1 and table.settings.wilds_blocked != "nothing":
        yield reason("second-wild-meld", "wilds-blocked", melds=incomplete)


# ------------------------------------------------------------------------------------- the top card


def against_top_card(rules: Ruleset, question: OpeningQuestion) -> Reasons:
    """What forbids opening with the top card of the pile."""
    if question.top_card is None:
        return
    if question.top_card.unknown:
        yield from unknown_cards(rules, question.top_card)
        return
    if rules.settings.pile == "not-refereed":
        return

    top = kind_of(question.top_card)
    never_opens = _why_top_card_never_opens(rules.settings, top)
    if never_opens is not None:
        yield never_opens
        return
    melds_using_it: list[Cards] = []
    for meld in question.melds:
        if question.top_card.cards.is_among(meld.cards):
            melds_using_it.append(meld.cards)
    if melds_using_it:
        yield from _against_few_equal_cards(rules.settings, top, melds_using_it)
    else:
        yield reason("top-card-unused", "opening-pile", card=top)


def _why_top_card_never_opens(settings: Settings, top: Kind) -> Reason | None:
    """Why no side may open with this card from the pile, whatever it lays; None if one may.

    Either no pile may be taken to open, or none with this card on top.
    """
    if settings.opening_pile == "never":
        return reason("top-card-never-opens", "opening-pile", card=top)
    if top in settings.stop_ranks:
        return reason("top-card-stops", "stop-ranks", card=top)
    if top.is_natural:
        return None
    special = special_top(settings, top)
    is_melded = special is not None and special.used == "melded"
    if not is_melded:  # a wild card or a three that stops, or is discarded with its equals
        return reason("top-card-stops", "pile-tops", card=top)
    return None


class _EqualCardsNeeded(NamedTuple):
    """The cards of the hand equal to the top card that taking the pile requires, and the settings
    that say so.
    """

    number: int
    grounds: tuple[str, ...]


def _against_few_equal_cards(settings: Settings, top: Kind, melds_using_it: list[Cards]) -> Reasons:
    """The reason if too few cards of the hand equal to the top card are laid with it."""
    needed = _equal_cards_needed(settings, top)
    with_top_card = max(cards.of(top) for cards in melds_using_it)
    from_hand = with_top_card - 1
    if from_hand < needed.number:
        yield reason("top-card-needs-more", *needed.grounds, card=top, needed=needed.number)


def _equal_cards_needed(settings: Settings, top: Kind) -> _EqualCardsNeeded:
    """What taking the pile with this card on top requires; the question does not say that the pile
    is frozen, but in some games it always is.
    """
    if not top.is_natural:
        special = special_top(settings, top)
        return _EqualCardsNeeded(special.more if special else 0, (f"pile-tops/{top}",))
    if is_frozen(settings, is_marked=False):
        number = naturals_needed(settings, frozen=True)
        return _EqualCardsNeeded(number, ("pile-naturals-frozen", "freezing"))
    return _EqualCardsNeeded(naturals_needed(settings, frozen=False), ("pile-naturals",))
