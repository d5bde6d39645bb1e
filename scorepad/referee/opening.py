"""Rulings on the opening: the minimum, and whether melds that a player shows reach it."""

from __future__ import annotations

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
from scorepad.rules.table import Table
from scorepad.rules.turn_checks import OpeningCount, count_opening, has_out_canastas


def rule_opening(rules: Ruleset, question: OpeningQuestion) -> Ruling:
    """The minimum, and whether the melds reach it. Without melds, only the minimum."""
    table = _opening_table(rules, question, concealed_out=question.concealed_out)
    # Without the required canastas the player cannot go out: the answer is for an opening alone.
    cannot_go_out = (
        question.concealed_out
        and bool(question.melds)
        and not has_out_canastas(table, table.parties[ASKER])
    )
    if cannot_go_out:
        table = _opening_table(rules, question, concealed_out=False)

    minimum = _minimum_in_force(table)
    details: Details = {}
    faults_of_minimum: tuple[Reason, ...] = ()
    if minimum is not None:
        details["minimum"] = minimum
        faults_of_minimum = tuple(minimum_faults(table))
    if not question.melds:
        return value((_why_minimum(table, minimum), *faults_of_minimum), details)

    counted = _count_shown(table)
    if counted is not None:
        details["counted"] = counted.points
        if minimum is not None:
            details["missing"] = max(0, minimum - counted.points)

    against = (*_against_opening(table), *against_top_card(rules, question))
    is_unanswered = question.top_card is not None and rules.settings.pile == "not-refereed"
    if not against and is_unanswered:
        return silent((Reason("top-card-not-refereed"),), details)

    reasons = list(against or _in_favour_of_opening(table, minimum, counted))
    if cannot_go_out:
        grounds = settings_of_canastas_needed(rules.settings)
        reasons.append(reason("opening-not-out", *grounds))
    verdict = Verdict.FORBIDDEN if against else Verdict.ALLOWED
    return Ruling(verdict, (*reasons, *faults_of_minimum), details)


def _opening_table(rules: Ruleset, question: OpeningQuestion, *, concealed_out: bool) -> Table:
    return table_with(
        rules,
        *question.melds,
        opening=question.melds,
        out=Out(ASKER, concealed=True) if concealed_out else None,
        score=question.score,
        deal=question.deal,
    )


def _minimum_in_force(table: Table) -> int | None:
    """The opening minimum of the side, None if it needs none."""
    opener = table.parties[ASKER].sides[0]
    return None if table.needs_no_minimum(opener) else opener.minimum


def _count_shown(table: Table) -> OpeningCount | None:
    """The melds counted toward the minimum; None if there is none, or a card is unreadable."""
    opener = table.parties[ASKER].sides[0]
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
    """Why the melds open, with what is unusual or follows from them."""
    settings = table.settings
    yield _why_minimum(table, minimum)
    if minimum is not None and counted is not None:
        yield minimum_reason(table, "opening-reached", minimum, counted=counted.points)
        if counted.aside:
            yield reason(
                "opening-melds-aside",
                "opening-naturals-up-to",
                melds=counted.aside,
                minimum=minimum,
            )
    # Sources that mention it want one meld of a rank; no other source forbids a second.
    yield from violations(table, {"meld-rank-repeated"})
    # An opening of wild cards alone restricts the opponents if no pile may open (W Canastone).
    restricts = settings.opening_wild_melds == "as-others" and settings.opening_pile == "never"
    melds = table.parties[ASKER].sides[0].melds
    if restricts and not any(laid.meld.naturals for laid in melds):
        yield reason("opening-wilds-stop", "opening-wild-melds")


def _against_opening(table: Table) -> Reasons:
    """Reasons why the cards are not melds, or the melds not an opening."""
    melds = [entry.reading for entry in table.hand.sides[ASKER].melds]
    yield from violations(table, table_meld_checks(table.rules) | {"opening-below-minimum"})
    yield from against_incomplete_beside_canasta(table.rules, melds)
    # Other melds with wild cards may have been laid before an incomplete meld of wild cards alone;
    # a second incomplete one may not, if it restricts the side.
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
    settings = rules.settings
    if settings.pile == "not-refereed":
        return

    top = kind_of(question.top_card)
    if settings.opening_pile == "never":
        yield reason("top-card-never-opens", "opening-pile", card=top)
        return
    if top in settings.stop_ranks:
        yield reason("top-card-stops", "stop-ranks", card=top)
        return
    special = special_top(settings, top)
    if not top.is_natural and (special is None or special.used != "melded"):
        yield reason("top-card-stops", "pile-tops", card=top)
        return

    using = [meld.cards for meld in question.melds if question.top_card.cards.is_among(meld.cards)]
    if not using:
        yield reason("top-card-unused", "opening-pile", card=top)
        return
    yield from _against_few_equal_cards(rules, top, using)


def _against_few_equal_cards(rules: Ruleset, top: Kind, using: list[Cards]) -> Reasons:
    """The reason if too few cards of the hand equal to the top card are laid with it."""
    settings = rules.settings
    special = special_top(settings, top)
    frozen = is_frozen(settings, is_marked=False)
    if not top.is_natural:
        grounds = [f"pile-tops/{top}"]
        needed = special.more if special else 0
    elif frozen:
        grounds = ["pile-naturals-frozen", "freezing"]
        needed = naturals_needed(settings, frozen=True)
    else:
        grounds = ["pile-naturals"]
        needed = naturals_needed(settings, frozen=False)
    if max(cards.of(top) for cards in using) <= needed:
        yield reason("top-card-needs-more", *grounds, card=top, needed=needed)
