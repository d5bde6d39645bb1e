"""Rulings on melds: whether cards may be laid, as a new meld or on one of the side's, and whether
melds open.
"""

from __future__ import annotations

from collections.abc import Iterable

from scorepad.referee.case import (
    ASKER,
    against_table_meld,
    against_unknown_cards,
    answers,
    broken,
    faults,
    incomplete_wild_melds,
    is_frozen,
    kind_of,
    lay_case,
    meld_checks,
    minimum_faults,
    minimum_reason,
    naturals_needed,
    reason,
    special_top,
    table_meld_checks,
    to_go_out,
    together,
)
from scorepad.referee.questions import (
    Details,
    MeldQuestion,
    OpeningQuestion,
    Reason,
    Reasons,
    Ruling,
    Verdict,
    allowed,
    forbidden,
    silent,
    value,
)
from scorepad.rules.cards import KINDS, NOTHING, Kind, Reading
from scorepad.rules.checks import Figure
from scorepad.rules.definitions import Ruleset
from scorepad.rules.settings import Settings
from scorepad.rules.table import (
    Meld,
    Out,
    Table,
    canasta_of,
    is_incomplete_wild_meld,
    read_meld,
    shape_of,
)
from scorepad.rules.turn_checks import count_opening, has_out_canastas

_GROUNDS = {
    "natural": ("meld-shortest", "meld-one-rank"),
    "mixed": ("meld-naturals", "wild-limit"),
    "wild": ("wild-melds", "wild-melds-shortest"),
    "sequence": ("sequences",),
    "dirty-sequence": ("sequences", "wild-limit"),
    "black-threes": ("black-threes", "black-threes-fewest", "black-threes-wilds"),
}
"""The settings that allow a meld of each kind; for a mixed one also the ratio of its wild cards, if
any.
"""


def meld_kind(meld: Meld, settings: Settings) -> str:
    """The name of the kind of a legal meld."""
    if meld.is_of_black_threes:
        return "black-threes"
    shape = shape_of(meld, settings)
    if shape == "wilds":
        return "wild"
    if shape == "sequence":
        return "dirty-sequence" if meld.wilds else "sequence"
    return "mixed" if meld.wilds else "natural"


@answers(MeldQuestion)
def rule_meld(rules: Ruleset, question: MeldQuestion) -> Ruling:
    """Whether the whole meld, including the cards it is laid on, is legal, and its kind."""
    settings, laid_now = rules.settings, question.cards.cards
    on = None if question.on is None else read_meld(question.on.cards)
    out = Out(ASKER) if question.going_out else None
    whole = together(question.on or NOTHING, question.cards)
    table = lay_case(rules, *(question.table or ()), whole, out=out)
    laid = table.parties[ASKER].melds[-1]
    meld, canasta = laid.meld, canasta_of(laid.meld, settings)
    # Cards have points in most games; the points of the meld are known only if all its cards are.
    points: Details = {"points": laid.points} if laid.whole and settings.unit == "points" else {}
    against = tuple(_against_meld(table, question, meld))
    if against:
        return forbidden((*against, *_faults(rules, against)), points)
    becomes_mixed = on is not None and laid_now.naturals > 0 and shape_of(on, settings) == "wilds"
    if becomes_mixed and settings.wild_meld_naturals == "unspoken":
        return silent(
            (Reason("naturals-on-wilds-unspoken", {"naturals": laid_now.naturals}),), points
        )
    reasons = list(_why_legal(settings, meld))
    if becomes_mixed:
        complete = meld.size >= settings.canasta_length
        ground = "wild-meld-naturals" if complete else "wild-meld-naturals/on-its-way"
        reasons.append(
            reason("wilds-become-mixed", ground, wilds=meld.wilds, naturals=meld.naturals)
        )
    # The extra bonus for a canasta laid down complete.
    concealed = settings.concealed_canasta if canasta and on is None else 0
    if canasta:
        item, bonus = canasta.item, canasta.points
        reasons.append(
            reason("canasta-made", f"canastas/{item}", item=item, bonus=bonus, cards=meld.size)
        )
        if concealed:
            reasons.append(
                reason("canasta-concealed", f"concealed-canasta/{item}", bonus=concealed)
            )
        if settings.canastas_count != "always":
            reasons.append(reason("canasta-with-out-needs", "canastas-count"))
        if on and canasta_of(on, settings) and meld.wilds and not on.wilds:
            reasons.append(reason("wild-makes-mixed", "wild-on-canasta", wilds=meld.wilds))
    reasons += _what_follows(table, question, meld)
    details: Details = {"kind": meld_kind(meld, settings), **points}
    details |= {
        "canasta": canasta.item if canasta else None,
        "bonus": canasta.points + concealed if canasta else 0,
    }
    return allowed((*reasons, *_faults(rules, reasons)), details)


def _faults(rules: Ruleset, reasons: Iterable[Reason]) -> Reasons:
    """The faults of the sources that these reasons cite."""
    codes = {each.code for each in reasons}
    if "meld-mixed-ranks" in codes:
        yield from faults(rules, "fault-suits-and-sequences")
    if codes & {"meld-too-many-wilds", "meld-mixed"}:
        yield from faults(rules, "fault-wilds-not-lost")
    if "meld-black-threes" in codes:
        yield from faults(rules, "fault-black-three-left-out", "fault-black-three-swapped")


def _against_meld(table: Table, question: MeldQuestion, meld: Meld) -> Reasons:
    """What forbids the whole meld, laying these cards on another, or laying them beside the side's
    other melds.
    """
    rules, cards, on = table.rules, question.cards, question.on
    found = broken(table, meld_checks(rules))
    only_red_threes = meld.red_threes == meld.size
    for why in found:
        # Red threes alone are sufficient as a reason.
        if only_red_threes and why.code == "meld-too-few-naturals":
            continue
        yield why
    if cards == NOTHING:
        yield reason("nothing-laid", "meld-shortest")
    wilds = cards.cards.wilds
    if on is not None:
        yield from against_table_meld(rules, on, out=table.hand.out)
        yield from against_laying_wilds(rules, read_meld(on.cards), wilds)
    begins = wilds > 0 and on is None
    beside = wilds if meld.naturals else 0
    yield from against_bound(rules.settings, question.table or (), on, meld, beside, begins=begins)


def against_bound(
    settings: Settings,
    table: Iterable[Reading],
    on: Reading | None,
    meld: Meld,
    wilds: int,
    *,
    begins: bool = False,
) -> Reasons:
    """What an incomplete meld of wild cards among the side's melds forbids.

    `wilds` wild cards are laid beside natural ones, `meld` is the result of laying on the meld
    `on`; `begins`: anew.
    """
    bound = incomplete_wild_melds(settings, table)
    if not bound or settings.wilds_blocked == "nothing":
        return
    was_canasta = on is not None and canasta_of(read_meld(on.cards), settings) is not None
    if wilds:
        yield reason("wilds-blocked", "wilds-blocked", wilds=wilds)
    elif begins:
        yield reason("second-wild-meld", "wilds-blocked", melds=bound + 1)
    elif (
        settings.wilds_blocked == "wilds-and-mixed"
        and meld.wilds
        and canasta_of(meld, settings)
        and not was_canasta
    ):
        yield reason("mixed-blocked", "wilds-blocked", cards=meld.size)


def against_laying_wilds(rules: Ruleset, on: Meld, wilds: int) -> Reasons:
    """What forbids laying wild cards on a meld."""
    yield from against_wilds_on(rules, on, wilds)
    rank = rank_without_wilds(rules.settings, on)
    if wilds and rank and not on.wilds:
        yield reason("natural-after-opening", "natural-after-opening", rank=rank, wilds=wilds)


def against_wilds_on(rules: Ruleset, on: Meld, wilds: int) -> Reasons:
    """The reason if wild cards may not be added to a canasta and the meld already is one when they
    are laid.

    Natural cards laid in the same turn may follow the wild ones, so only the wild ones can be too
    many.
    """
    settings = rules.settings
    stay = min(wilds, on.size + wilds - settings.canasta_length)
    # No source says this of canastas of wild cards alone.
    if stay > 0 and settings.wild_on_canasta == "forbidden" and shape_of(on, settings) != "wilds":
        completes: dict[str, Figure] = (
            {"why": "completes"} if on.size < settings.canasta_length else {}
        )
        yield reason("wild-on-canasta", "wild-on-canasta", wilds=stay, cards=on.size, **completes)


def rank_without_wilds(settings: Settings, meld: Meld) -> Kind | None:
    """The rank of a meld that may take wild cards only in the opening."""
    rank = None if meld.rank is None else KINDS[meld.rank]
    return rank if rank in settings.natural_after_opening else None


def against_begun_beside_canasta(rules: Ruleset, laid: Iterable[Reading]) -> Reasons:
    """The reason if a turn leaves an incomplete meld of a rank beside a canasta of that rank."""
    if rules.settings.repeated_rank != "not-incomplete":
        return
    melds = [read_meld(each.cards) for each in laid if not each.unknown]
    closed = {meld.rank for meld in melds if meld.size >= rules.settings.canasta_length}
    begun = {meld.rank for meld in melds if meld.size < rules.settings.canasta_length}
    for rank in sorted(rank for rank in begun & closed if rank is not None):
        yield reason("meld-begun-beside-canasta", "repeated-rank", rank=KINDS[rank])


def _why_legal(settings: Settings, meld: Meld) -> Reasons:
    """The settings that allow a meld of its kind."""
    kind = meld_kind(meld, settings)
    grounds = list(_GROUNDS[kind])
    if kind == "mixed" and settings.wild_ratio != "any":
        grounds.append("wild-ratio")
    if kind == "wild" and meld.size > settings.canasta_length:
        # The number of wild cards alone matters only for a meld longer than a canasta.
        grounds.append("wild-melds-longest")
    yield reason(
        f"meld-{kind}", *grounds, cards=meld.size, naturals=meld.naturals, wilds=meld.wilds
    )


def _what_follows(table: Table, question: MeldQuestion, meld: Meld) -> Reasons:
    """Notes on its wild cards and the side's other melds, and on missing facts that the answer
    depends on.
    """
    settings, is_new = table.settings, question.on is None
    natural, blocks = rank_without_wilds(settings, meld), settings.wilds_blocked != "nothing"
    # Wild cards that are only allowed in an opening, or that restrict the side.
    if natural and meld.wilds and is_new:
        yield reason(
            "wilds-only-in-opening", "natural-after-opening", rank=natural, wilds=meld.wilds
        )
    if blocks and is_incomplete_wild_meld(meld, settings):
        yield reason("wild-meld-binds", "wilds-blocked", cards=meld.size)
    begun = (
        is_new
        and meld.size < settings.canasta_length
        and settings.repeated_rank == "not-incomplete"
    )
    rank = KINDS[meld.rank] if begun and meld.rank is not None else None
    if question.table is not None:
        # Sources that mention it want one meld of a rank; no other source forbids a second.
        yield from broken(table, {"meld-rank-repeated"})
        if rank and any(each.cards.ranks == meld.ranks for each in question.table):
            yield reason("meld-hangs-on-turn", "repeated-rank", rank=rank)
        return
    if rank:
        yield reason("meld-hangs-on-rank", "repeated-rank", rank=rank)
    if blocks and question.cards.cards.wilds and (meld.naturals or is_new):
        yield reason("meld-hangs-on-wilds", "wilds-blocked")


# -------------------------------------------------------------------------------------- the opening


@answers(OpeningQuestion)
def rule_opening(rules: Ruleset, question: OpeningQuestion) -> Ruling:
    """The minimum, and whether the melds reach it. Without melds, only the minimum."""
    settings, melds = rules.settings, question.melds
    out = Out(ASKER, concealed=True) if question.concealed_out else None
    table = lay_case(
        rules, *melds, opening=melds, out=out, score=question.score, deal=question.deal
    )
    # Without the required canastas the player cannot go out: the answer is for an opening alone.
    stays = (
        question.concealed_out and bool(melds) and not has_out_canastas(table, table.parties[ASKER])
    )
    if stays:
        table = lay_case(rules, *melds, opening=melds, score=question.score, deal=question.deal)
    lay = table.parties[ASKER].lays[0]
    minimum = None if table.needs_no_minimum(lay) else lay.minimum
    details: Details = {} if minimum is None else {"minimum": minimum}
    known = () if minimum is None else tuple(minimum_faults(table))
    if not melds:
        return value((_why_minimum(table, minimum), *known), details)
    against = (*_against_opening(table), *against_top_card(rules, question))
    reasons = list(against or [_why_minimum(table, minimum)])
    if lay.minimum is not None and not lay.unreadable:
        weighed = count_opening(table, lay, lay.minimum)
        details["counted"] = weighed.points
        if minimum is not None:
            details["missing"] = max(0, minimum - weighed.points)
        if minimum is not None and not against:
            reasons.append(
                minimum_reason(table, "opening-reached", minimum, counted=weighed.points)
            )
            if weighed.aside:
                figures = {"melds": weighed.aside, "minimum": minimum}
                reasons.append(reason("opening-melds-aside", "opening-naturals-up-to", **figures))
    if not against:
        if question.top_card is not None and settings.pile == "not-refereed":
            return silent((Reason("top-card-not-refereed"),), details)
        # Sources that mention it want one meld of a rank; no other source forbids a second.
        reasons += broken(table, {"meld-rank-repeated"})
        # An opening of wild cards alone restricts the opponents if no pile may open (W Canastone).
        binds = settings.opening_wild_melds == "as-others" and settings.opening_pile == "never"
        if binds and not any(laid.meld.naturals for laid in lay.melds):
            reasons.append(reason("opening-wilds-stop", "opening-wild-melds"))
    if stays:
        reasons.append(reason("opening-not-out", *to_go_out(settings)))
    return Ruling(Verdict.FORBIDDEN if against else Verdict.ALLOWED, (*reasons, *known), details)


def _why_minimum(table: Table, minimum: int | None) -> Reason:
    score, by = table.hand.before[ASKER], table.settings.opening_by
    if by == "nothing":
        return reason("opening-without-minimum", "opening-by")
    if minimum is None:
        return reason("opening-concealed-without-minimum", "concealed-out")
    if by == "deal":
        return minimum_reason(table, "opening-minimum-of-hand", minimum, deal=table.hand.deal)
    code = "opening-minimum-below-zero" if score < 0 else "opening-minimum"
    return minimum_reason(table, code, minimum, score=score)


def _against_opening(table: Table) -> Reasons:
    """Reasons why the cards are not melds, or the melds not an opening."""
    settings, melds = table.settings, [entry.reading for entry in table.hand.sides[ASKER].melds]
    yield from broken(table, table_meld_checks(table.rules) | {"opening-below-minimum"})
    yield from against_begun_beside_canasta(table.rules, melds)
    # Other melds with wild cards may have been laid before an incomplete meld of wild cards alone;
    # a second incomplete one may not, if it restricts the side.
    incomplete = incomplete_wild_melds(settings, melds)
    if incomplete > 1 and settings.wilds_blocked != "nothing":
        yield reason("second-wild-meld", "wilds-blocked", melds=incomplete)


def against_top_card(rules: Ruleset, question: OpeningQuestion) -> Reasons:
    """What forbids opening with the top card of the pile."""
    if question.top_card is None:
        return
    if question.top_card.unknown:
        yield from against_unknown_cards(rules, question.top_card)
        return
    settings, top = rules.settings, kind_of(question.top_card)
    if settings.pile == "not-refereed":
        return
    frozen, way = is_frozen(settings, noted=False), special_top(settings, top)
    using = [meld.cards for meld in question.melds if question.top_card.cards.is_among(meld.cards)]
    stops = top in settings.stop_ranks
    if settings.opening_pile == "never":
        yield reason("top-card-never-opens", "opening-pile", card=top)
    elif stops or not (top.is_natural or (way and way.used == "melded")):
        yield reason("top-card-stops", "stop-ranks" if stops else "pile-tops", card=top)
    elif not using:
        yield reason("top-card-unused", "opening-pile", card=top)
    else:
        # The setting for how many equal cards from the hand must be laid with the top card.
        needed, grounds = way.more if way else 0, [f"pile-tops/{top}"]
        if top.is_natural:
            needed = naturals_needed(settings, frozen=frozen)
            grounds = ["pile-naturals-frozen", "freezing"] if frozen else ["pile-naturals"]
        if max(cards.of(top) for cards in using) <= needed:
            yield reason("top-card-needs-more", *grounds, card=top, needed=needed)
