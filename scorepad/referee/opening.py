"""Do these melds open, and how many points does an opening need?"""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.referee.answers import Detail, Reason, Ruling, Verdict, answered
from scorepad.referee.case import (
    ASKER,
    asker,
    broken,
    is_frozen,
    kind_of,
    laid_down,
    lay_case,
    lying_checks,
    minimum_faults,
    minimum_reason,
    naturals_needed,
    reason,
    special_top,
    to_go_out,
    unknown_cards,
)
from scorepad.referee.meld import begun_in_one_turn
from scorepad.referee.questions import OpeningQuestion
from scorepad.rules.cards import Kind
from scorepad.rules.entries import Out, SideEntry
from scorepad.rules.melds import is_incomplete_wild_meld
from scorepad.rules.settings import OpeningBy, Settings
from scorepad.rules.table import Lay, Table
from scorepad.rules.turn_checks import Weighed, has_out_canastas, weigh
from scorepad.rules.variants import Ruleset


def rule_opening(rules: Ruleset, question: OpeningQuestion) -> Ruling:
    """The minimum, and whether the melds reach it. Without melds, the minimum alone."""
    table = _lay(rules, question)
    lay = asker(table)[1]
    minimum = None if table.needs_no_minimum(lay) else table.minimums[ASKER]
    details: dict[str, Detail] = {} if minimum is None else {"minimum": minimum}
    known = () if minimum is None else tuple(minimum_faults(table))
    if not question.melds:
        return Ruling(Verdict.VALUE, (_why_minimum(table, minimum), *known), details)
    against = (*_against(table), *_against_top_card(rules, question))
    counts = table.minimums[ASKER] is not None and not lay.unreadable
    weighed = weigh(table, lay, table.minimums[ASKER] or 0) if counts else None
    if weighed is not None:
        details["counted"] = weighed.points
        details |= {} if minimum is None else {"missing": max(0, minimum - weighed.points)}
    if not against and question.top_card is not None and rules.settings.pile == "not-told":
        return Ruling(Verdict.SILENT, (Reason("top-card-not-told"),), details)
    reasons = list(against or _in_favour(table, lay, minimum, weighed))
    if question.concealed_out and table.hand.out is None:
        reasons.append(reason("opening-not-out", *to_go_out(rules.settings)))
    return answered((*reasons, *known), forbids=bool(against), **details)


def _lay(rules: Ruleset, question: OpeningQuestion) -> Table:
    """The melds on the table. Nobody goes out without the canastas, whatever was said: then it is an opening alone."""
    entry = SideEntry(melds=laid_down(*question.melds), opening=question.melds)
    leaving = lay_case(rules, entry, out=Out(ASKER, concealed=True), score=question.score, deal=question.deal)
    if question.concealed_out and (not question.melds or has_out_canastas(leaving, asker(leaving)[0])):
        return leaving
    return lay_case(rules, entry, score=question.score, deal=question.deal)


def _why_minimum(table: Table, minimum: int | None) -> Reason:
    rules, score = table.rules, table.hand.before[ASKER]
    by = rules.settings.opening_by
    if by is OpeningBy.NOTHING:
        return reason("opening-without-minimum", "opening-by")
    if minimum is None:
        return reason("opening-concealed-without-minimum", "concealed-out")
    if by is OpeningBy.DEAL:
        return minimum_reason(table, "opening-minimum-of-hand", minimum, deal=table.hand.deal)
    code = "opening-minimum-below-zero" if score < 0 else "opening-minimum"
    return minimum_reason(table, code, minimum, score=score)


def _against(table: Table) -> Iterator[Reason]:
    """What keeps the melds from opening: as melds, or as an opening."""
    settings = table.settings
    yield from broken(table, lying_checks(table.rules) | {"opening-below-minimum"})
    yield from begun_in_one_turn(table.rules, (entry.reading for entry in table.hand.sides[ASKER].melds))
    # Other melds with wild cards may have been laid before an incomplete meld of wild cards alone; a second one like
    # it may not, where it binds the side.
    incomplete = sum(is_incomplete_wild_meld(laid.meld, settings) for laid in asker(table)[1].melds)
    if incomplete > 1 and settings.wilds_blocked != "nothing":
        yield reason("second-wild-meld", "wilds-blocked", melds=incomplete)


def _against_top_card(rules: Ruleset, question: OpeningQuestion) -> Iterator[Reason]:
    """What forbids to open with the top card of the pile."""
    if question.top_card is None:
        return
    if question.top_card.unknown:
        yield from unknown_cards(rules, question.top_card)
        return
    settings, top = rules.settings, kind_of(question.top_card)
    using = [meld.cards for meld in question.melds if question.top_card.cards.is_among(meld.cards)]
    needed = _needed_with(settings, top)
    if settings.opening_pile == "never":
        yield reason("top-card-never-opens", "opening-pile", card=top)
    elif needed is None:
        ground = "stop-ranks" if top in settings.stop_ranks else "pile-tops"
        yield reason("top-card-stops", ground, card=top)
    elif not using:
        yield reason("top-card-unused", "opening-pile", card=top)
    elif max(cards.of(top) for cards in using) <= needed:
        yield reason("top-card-needs-more", *_needed_rests(settings, top), card=top, needed=needed)


def _needed_rests(settings: Settings, top: Kind) -> tuple[str, ...]:
    """The settings that say how many cards like the top card must be laid with it."""
    if not top.is_natural:
        return (f"pile-tops/{top}",)
    return ("pile-naturals-frozen", "freezing") if is_frozen(settings, noted=False) else ("pile-naturals",)


def _needed_with(settings: Settings, top: Kind) -> int | None:
    """Cards like the top card that must be laid with it out of the hand; None where nothing takes it to open."""
    if top in settings.stop_ranks:
        return None
    if top.is_natural:
        return naturals_needed(settings, frozen=is_frozen(settings, noted=False))
    way = special_top(settings, top)
    return way.more if way is not None and way.used == "melded" else None


def _in_favour(table: Table, lay: Lay, minimum: int | None, weighed: Weighed | None) -> Iterator[Reason]:
    """Why the melds open."""
    settings = table.settings
    yield _why_minimum(table, minimum)
    if weighed is not None and minimum is not None:
        yield minimum_reason(table, "opening-reached", minimum, counted=weighed.points)
        if weighed.aside:
            yield reason("opening-melds-aside", "opening-naturals-up-to", melds=weighed.aside, minimum=minimum)
    # Sources that speak of it want one meld of a rank; elsewhere nobody forbids a second.
    yield from broken(table, {"meld-rank-repeated"})
    # The opening of wild cards alone binds the opponents where no pile opens (W Canastone).
    binds = settings.opening_wild_melds == "as-others" and settings.opening_pile == "never"
    if binds and not any(laid.meld.naturals for laid in lay.melds):
        yield reason("opening-wilds-stop", "opening-wild-melds")
