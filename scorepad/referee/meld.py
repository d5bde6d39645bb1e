"""Rulings on melds: whether cards may be laid, as a new meld or on one of the side's."""

from __future__ import annotations

from collections.abc import Iterable

from scorepad.referee.questions import MeldQuestion
from scorepad.referee.reasons import faults, reason
from scorepad.referee.ruling import Details, Reason, Reasons, Ruling, allowed, forbidden, silent
from scorepad.referee.situation import (
    ASKER,
    against_table_meld,
    gather_readings,
    incomplete_wild_melds,
    laid_meld_checks,
    table_with,
    violations,
)
from scorepad.rules.cards import KINDS, NOTHING, Kind, Reading
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import Out
from scorepad.rules.settings import Settings
from scorepad.rules.table import (
    LaidMeld,
    Meld,
    Table,
    canasta_of,
    is_incomplete_wild_meld,
    read_meld,
    shape_of,
)

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


def rule_meld(rules: Ruleset, question: MeldQuestion) -> Ruling:
    """Whether the whole meld, including the cards it is laid on, is legal, and its kind."""
    settings = rules.settings
    whole = gather_readings(question.on or NOTHING, question.cards)
    out = Out(ASKER) if question.going_out else None
    table = table_with(rules, *(question.table or ()), whole, out=out)
    laid = table.parties[ASKER].melds[-1]
    points = _points_of_meld(laid, settings)

    against = tuple(_against_meld(table, question, laid.meld))
    if against:
        return forbidden((*against, *_faults_cited(rules, against)), points)

    if _becomes_mixed(question, settings) and settings.wild_meld_naturals == "unspoken":
        naturals = question.cards.cards.naturals
        return silent((Reason("naturals-on-wilds-unspoken", {"naturals": naturals}),), points)

    reasons = [
        *_why_legal(settings, laid.meld),
        *_why_becoming_mixed(question, laid.meld, settings),
        *_about_canasta(question, laid.meld, settings),
        *_what_follows(table, question, laid.meld),
    ]
    details = _meld_details(question, laid.meld, settings, points)
    return allowed((*reasons, *_faults_cited(rules, reasons)), details)


def _points_of_meld(laid: LaidMeld, settings: Settings) -> Details:
    """Cards have points in most games; those of the meld are known only if all its cards are."""
    if laid.whole and settings.unit == "points":
        return {"points": laid.points}
    return {}


def _meld_details(
    question: MeldQuestion, meld: Meld, settings: Settings, points: Details
) -> Details:
    details: Details = {"kind": meld_kind(meld, settings), **points, "canasta": None, "bonus": 0}
    canasta = canasta_of(meld, settings)
    if canasta:
        details["canasta"] = canasta.item
        details["bonus"] = canasta.points + _concealed_bonus(question, settings)
    return details


def _concealed_bonus(question: MeldQuestion, settings: Settings) -> int:
    """The extra bonus for a canasta laid down complete."""
    return settings.concealed_canasta if question.on is None else 0


def _becomes_mixed(question: MeldQuestion, settings: Settings) -> bool:
    """Whether natural cards are laid on a meld of wild cards alone."""
    if question.on is None or question.cards.cards.naturals == 0:
        return False
    return shape_of(read_meld(question.on.cards), settings) == "wilds"


def _faults_cited(rules: Ruleset, reasons: Iterable[Reason]) -> Reasons:
    """The faults of the sources that these reasons cite."""
    codes = {each.code for each in reasons}
    if "meld-mixed-ranks" in codes:
        yield from faults(rules, "fault-suits-and-sequences")
    if codes & {"meld-too-many-wilds", "meld-mixed"}:
        yield from faults(rules, "fault-wilds-not-lost")
    if "meld-black-threes" in codes:
        yield from faults(rules, "fault-black-three-left-out", "fault-black-three-swapped")


# ------------------------------------------------------------------------------- what forbids a meld


def _against_meld(table: Table, question: MeldQuestion, meld: Meld) -> Reasons:
    """What forbids the whole meld, laying these cards on another, or laying them beside the side's
    other melds.
    """
    rules = table.rules
    only_red_threes = meld.red_threes == meld.size
    for violation in violations(table, laid_meld_checks(rules)):
        # Red threes alone are sufficient as a reason.
        if only_red_threes and violation.code == "meld-too-few-naturals":
            continue
        yield violation
    if question.cards == NOTHING:
        yield reason("nothing-laid", "meld-shortest")
    wilds = question.cards.cards.wilds
    if question.on is not None:
        yield from against_table_meld(rules, question.on, out=table.hand.out)
        yield from against_laying_wilds(rules, read_meld(question.on.cards), wilds)
    yield from against_restricted_wilds(
        rules.settings,
        question.table or (),
        question.on,
        meld,
        wilds=wilds if meld.naturals else 0,
        begins_wild_meld=wilds > 0 and question.on is None,
    )


def against_restricted_wilds(
    settings: Settings,
    table: Iterable[Reading],
    on: Reading | None,
    meld: Meld,
    *,
    wilds: int,
    begins_wild_meld: bool = False,
) -> Reasons:
    """What an incomplete meld of wild cards among the side's melds forbids.

    `wilds` wild cards are laid beside natural ones, `meld` is the result of laying on the meld
    `on`.
    """
    incomplete = incomplete_wild_melds(settings, table)
    if not incomplete or settings.wilds_blocked == "nothing":
        return
    if wilds:
        yield reason("wilds-blocked", "wilds-blocked", wilds=wilds)
        return
    if begins_wild_meld:
        yield reason("second-wild-meld", "wilds-blocked", melds=incomplete + 1)
        return

    was_canasta = on is not None and canasta_of(read_meld(on.cards), settings) is not None
    completes_mixed = bool(meld.wilds) and canasta_of(meld, settings) is not None
    if settings.wilds_blocked == "wilds-and-mixed" and completes_mixed and not was_canasta:
        yield reason("mixed-blocked", "wilds-blocked", cards=meld.size)


def against_laying_wilds(rules: Ruleset, on: Meld, wilds: int) -> Reasons:
    """What forbids laying wild cards on a meld."""
    yield from against_wilds_on_canasta(rules, on, wilds)
    rank = rank_without_wilds(rules.settings, on)
    if wilds and rank and not on.wilds:
        yield reason("natural-after-opening", "natural-after-opening", rank=rank, wilds=wilds)


def against_wilds_on_canasta(rules: Ruleset, on: Meld, wilds: int) -> Reasons:
    """The reason if wild cards may not be added to a canasta and the meld already is one when they
    are laid.

    Natural cards laid in the same turn may follow the wild ones, so only the wild ones can be too
    many.
    """
    settings = rules.settings
    # No source says this of canastas of wild cards alone.
    if settings.wild_on_canasta != "forbidden" or shape_of(on, settings) == "wilds":
        return
    too_many = min(wilds, on.size + wilds - settings.canasta_length)
    if too_many <= 0:
        return
    if on.size < settings.canasta_length:
        yield reason(
            "wild-on-canasta", "wild-on-canasta", wilds=too_many, cards=on.size, why="completes"
        )
    else:
        yield reason("wild-on-canasta", "wild-on-canasta", wilds=too_many, cards=on.size)


def rank_without_wilds(settings: Settings, meld: Meld) -> Kind | None:
    """The rank of a meld that may take wild cards only in the opening."""
    if meld.rank is None:
        return None
    rank = KINDS[meld.rank]
    return rank if rank in settings.natural_after_opening else None


def against_begun_beside_canasta(rules: Ruleset, laid: Iterable[Reading]) -> Reasons:
    """The reason if a turn leaves an incomplete meld of a rank beside a canasta of that rank."""
    if rules.settings.repeated_rank != "not-incomplete":
        return
    begun: set[int] = set()
    complete: set[int] = set()
    for reading in laid:
        meld = read_meld(reading.cards)
        if reading.unknown or meld.rank is None:
            continue
        if meld.size < rules.settings.canasta_length:
            begun.add(meld.rank)
        else:
            complete.add(meld.rank)
    for rank in sorted(begun & complete):
        yield reason("meld-begun-beside-canasta", "repeated-rank", rank=KINDS[rank])


# ------------------------------------------------------------------------------------ a legal meld


def _why_legal(settings: Settings, meld: Meld) -> Reasons:
    """The settings that allow a meld of its kind."""
    kind = meld_kind(meld, settings)
    grounds = [*_GROUNDS[kind]]
    if kind == "mixed" and settings.wild_ratio != "any":
        grounds.append("wild-ratio")
    if kind == "wild" and meld.size > settings.canasta_length:
        # The number of wild cards alone matters only for a meld longer than a canasta.
        grounds.append("wild-melds-longest")
    yield reason(
        f"meld-{kind}", *grounds, cards=meld.size, naturals=meld.naturals, wilds=meld.wilds
    )


def _why_becoming_mixed(question: MeldQuestion, meld: Meld, settings: Settings) -> Reasons:
    """What allows natural cards on a meld of wild cards alone."""
    if not _becomes_mixed(question, settings):
        return
    ground = "wild-meld-naturals"
    if meld.size < settings.canasta_length:
        ground = "wild-meld-naturals/on-its-way"
    yield reason("wilds-become-mixed", ground, wilds=meld.wilds, naturals=meld.naturals)


def _about_canasta(question: MeldQuestion, meld: Meld, settings: Settings) -> Reasons:
    """The bonuses of a canasta, and what it changes."""
    canasta = canasta_of(meld, settings)
    if canasta is None:
        return
    item = canasta.item
    yield reason(
        "canasta-made", f"canastas/{item}", item=item, bonus=canasta.points, cards=meld.size
    )
    concealed_bonus = _concealed_bonus(question, settings)
    if concealed_bonus:
        yield reason("canasta-concealed", f"concealed-canasta/{item}", bonus=concealed_bonus)
    if settings.canastas_count != "always":
        yield reason("canasta-with-out-needs", "canastas-count")
    if question.on is None:
        return
    before = read_meld(question.on.cards)
    if canasta_of(before, settings) and meld.wilds and not before.wilds:
        yield reason("wild-makes-mixed", "wild-on-canasta", wilds=meld.wilds)


def _what_follows(table: Table, question: MeldQuestion, meld: Meld) -> Reasons:
    """Comments on its wild cards and the side's other melds, and on missing facts that the answer
    depends on.
    """
    settings = table.settings
    yield from _restrictions_by_wilds(question, meld, settings)

    begun_rank = _rank_begun_alone(question, meld, settings)
    if question.table is None:
        if begun_rank:
            yield reason("meld-hangs-on-rank", "repeated-rank", rank=begun_rank)
        lays_wilds_apart = question.cards.cards.wilds and (meld.naturals or question.on is None)
        if settings.wilds_blocked != "nothing" and lays_wilds_apart:
            yield reason("meld-hangs-on-wilds", "wilds-blocked")
        return

    # Sources that mention it want one meld of a rank; no other source forbids a second.
    yield from violations(table, {"meld-rank-repeated"})
    if begun_rank and any(other.cards.ranks == meld.ranks for other in question.table):
        yield reason("meld-hangs-on-turn", "repeated-rank", rank=begun_rank)


def _restrictions_by_wilds(question: MeldQuestion, meld: Meld, settings: Settings) -> Reasons:
    """Wild cards that are only allowed in an opening, or that restrict the side from now on."""
    rank = rank_without_wilds(settings, meld)
    if rank and meld.wilds and question.on is None:
        yield reason("wilds-only-in-opening", "natural-after-opening", rank=rank, wilds=meld.wilds)
    if settings.wilds_blocked != "nothing" and is_incomplete_wild_meld(meld, settings):
        yield reason("wild-meld-binds", "wilds-blocked", cards=meld.size)


def _rank_begun_alone(question: MeldQuestion, meld: Meld, settings: Settings) -> Kind | None:
    """The rank of a new incomplete meld, if a side may have only one of its rank."""
    if settings.repeated_rank != "not-incomplete" or question.on is not None:
        return None
    if meld.rank is None or meld.size >= settings.canasta_length:
        return None
    return KINDS[meld.rank]
