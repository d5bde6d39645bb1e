"""Rulings on melds: whether cards may be laid, as a new meld or on one of the side's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from scorepad.referee.questions import MeldQuestion
from scorepad.referee.reasons import faults, reason
from scorepad.referee.ruling import Details, Reason, Reasons, Ruling, allowed, forbidden, silent
from scorepad.referee.situation import (
    ASKER,
    against_table_meld,
    incomplete_wild_melds,
    laid_meld_checks,
    table_with,
    violations,
)
from scorepad.rules.cards import KINDS, NOTHING, Kind, Reading, gather_readings
from scorepad.rules.checks import MessageArgument
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
    table = _table_with_meld(rules, question)
    laid = table.parties[ASKER].melds[-1]  # the side's other melds come before it
    meld = laid.meld
    points = _points_of_meld(laid, settings)

    against = tuple(_against_meld(table, question, meld))
    if against:
        return forbidden((*against, *_faults_to_mention(rules, against)), points)
    if settings.wild_meld_naturals == "unspoken" and _lays_naturals_on_wilds(question, settings):
        naturals = question.cards.cards.naturals
        return silent((Reason("naturals-on-wilds-unspoken", {"naturals": naturals}),), points)

    reasons = tuple(_in_favour_of_meld(table, question, meld))
    return allowed(
        (*reasons, *_faults_to_mention(rules, reasons)),
        _meld_details(question, meld, settings, points),
    )


def _table_with_meld(rules: Ruleset, question: MeldQuestion) -> Table:
    """The side's other melds and, as the last, the meld of the question with the cards that it is
    laid on.
    """
    whole = gather_readings(question.on or NOTHING, question.cards)
    out = Out(ASKER) if question.going_out else None
    return table_with(rules, *(question.table or ()), whole, out=out)


def _points_of_meld(laid: LaidMeld, settings: Settings) -> Details:
    """The points of its cards, if all of them are known; some games count in other units."""
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


def _lays_naturals_on_wilds(question: MeldQuestion, settings: Settings) -> bool:
    """Whether natural cards are laid on a meld of wild cards alone."""
    if question.on is None or question.cards.cards.naturals == 0:
        return False
    return shape_of(read_meld(question.on.cards), settings) == "wilds"


def _faults_to_mention(rules: Ruleset, reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    """The known faults of the sources about the rules that these reasons state."""
    codes = {each.code for each in reasons}
    faults_to_mention: list[str] = []
    if "meld-mixed-ranks" in codes:
        faults_to_mention.append("fault-suits-and-sequences")
    if "meld-too-many-wilds" in codes or "meld-mixed" in codes:
        faults_to_mention.append("fault-wilds-not-lost")
    if "meld-black-threes" in codes:
        faults_to_mention += ["fault-black-three-left-out", "fault-black-three-swapped"]
    return tuple(faults(rules, *faults_to_mention))


# ------------------------------------------------------------------------------- what forbids a meld


class Laying(NamedTuple):
    """Cards laid in a turn, as far as an incomplete meld of wild cards may forbid them."""

    meld: Meld
    """The resulting meld."""
    onto: Reading | None
    """The meld of the table that they are laid on; None for a new meld."""
    wilds_beside_naturals: int
    """The wild cards laid in melds with natural cards."""
    is_new_wild_meld: bool = False
    """Whether they are a new meld of wild cards alone."""


def _against_meld(table: Table, question: MeldQuestion, meld: Meld) -> Reasons:
    """What forbids the whole meld, laying these cards on another, or laying them beside the side's
    other melds.
    """
    rules = table.rules
    yield from _against_whole_meld(table, meld)
    if question.cards == NOTHING:
        yield reason("nothing-laid", "meld-shortest")
    if question.on is not None:
        yield from against_table_meld(rules, question.on, out=table.hand.out)
        wilds = question.cards.cards.wilds
        yield from against_laying_wilds(rules, read_meld(question.on.cards), wilds)
    laying = _what_is_laid(question, meld)
    yield from against_restricted_wilds(rules.settings, question.table or (), laying)


def _against_whole_meld(table: Table, meld: Meld) -> Reasons:
    """What forbids the melds of the table, of which this is the last."""
    only_red_threes = meld.red_threes == meld.size
    for violation in violations(table, laid_meld_checks(table.rules)):
        # That red threes are not melded is said already, and enough.
        if only_red_threes and violation.code == "meld-too-few-naturals":
            continue
        yield violation


def _what_is_laid(question: MeldQuestion, meld: Meld) -> Laying:
    """The cards of the question that result in this meld."""
    wilds = question.cards.cards.wilds
    has_naturals = meld.naturals > 0
    return Laying(
        meld,
        onto=question.on,
        wilds_beside_naturals=wilds if has_naturals else 0,
        is_new_wild_meld=question.on is None and wilds > 0 and not has_naturals,
    )


def against_restricted_wilds(
    settings: Settings, melds_on_table: Iterable[Reading], laying: Laying
) -> Reasons:
    """The reason if cards may not be laid because one of the side's melds on the table is an
    incomplete meld of wild cards, which restricts the side in some games.
    """
    if settings.wilds_blocked == "nothing":
        return
    restricting_melds = incomplete_wild_melds(settings, melds_on_table)
    if restricting_melds == 0:
        return

    if laying.wilds_beside_naturals:
        yield reason("wilds-blocked", "wilds-blocked", wilds=laying.wilds_beside_naturals)
    elif laying.is_new_wild_meld:
        yield reason("second-wild-meld", "wilds-blocked", melds=restricting_melds + 1)
    elif settings.wilds_blocked == "wilds-and-mixed" and _completes_mixed_canasta(settings, laying):
        yield reason("mixed-blocked", "wilds-blocked", cards=laying.meld.size)


def _completes_mixed_canasta(settings: Settings, laying: Laying) -> bool:
    """Whether the cards make a meld with wild cards a canasta (a meld of seven cards or more)."""
    if canasta_of(laying.meld, settings) is None or laying.meld.wilds == 0:
        return False
    # A canasta to which cards are added was complete before.
    return laying.onto is None or canasta_of(read_meld(laying.onto.cards), settings) is None


def against_laying_wilds(rules: Ruleset, meld: Meld, wilds: int) -> Reasons:
    """What forbids laying this number of wild cards on a meld of the table."""
    yield from against_wilds_on_canasta(rules, meld, wilds)
    rank = rank_without_wilds(rules.settings, meld)
    if wilds and rank and not meld.wilds:
        yield reason("natural-after-opening", "natural-after-opening", rank=rank, wilds=wilds)


def against_wilds_on_canasta(rules: Ruleset, meld: Meld, wilds: int) -> Reasons:
    """The reason if some of these wild cards would be laid on a canasta, which may not take them.

    `meld` is on the table. Natural cards of the same turn may be laid after the wild ones, so they
    do not make it a canasta.
    """
    settings = rules.settings
    # No source says this of canastas of wild cards alone.
    if settings.wild_on_canasta != "forbidden" or shape_of(meld, settings) == "wilds":
        return
    size_with_wilds = meld.size + wilds
    too_many = min(wilds, size_with_wilds - settings.canasta_length)
    if too_many <= 0:
        return
    arguments: dict[str, MessageArgument] = {"wilds": too_many, "cards": meld.size}
    if meld.size < settings.canasta_length:
        arguments["why"] = "completes"
    yield reason("wild-on-canasta", "wild-on-canasta", **arguments)


def rank_without_wilds(settings: Settings, meld: Meld) -> Kind | None:
    """The rank of a meld that may take wild cards only in the opening."""
    if meld.rank is None:
        return None
    rank = KINDS[meld.rank]
    return rank if rank in settings.natural_after_opening else None


def against_incomplete_beside_canasta(rules: Ruleset, laid: Iterable[Reading]) -> Reasons:
    """The reason if a turn leaves an incomplete meld of a rank beside a canasta of that rank."""
    if rules.settings.repeated_rank != "not-incomplete":
        return
    incomplete_ranks: set[int] = set()
    canasta_ranks: set[int] = set()
    for reading in laid:
        meld = read_meld(reading.cards)
        if reading.unknown or meld.rank is None:
            continue
        if meld.size < rules.settings.canasta_length:
            incomplete_ranks.add(meld.rank)
        else:
            canasta_ranks.add(meld.rank)
    for rank in sorted(incomplete_ranks & canasta_ranks):
        yield reason("meld-begun-beside-canasta", "repeated-rank", rank=KINDS[rank])


# ------------------------------------------------------------------------------------ a legal meld


def _in_favour_of_meld(table: Table, question: MeldQuestion, meld: Meld) -> Reasons:
    """Why the meld is legal, what it is worth as a canasta, what follows from it, and on what else
    the answer depends.
    """
    settings = table.settings
    yield _why_legal(settings, meld)
    if _lays_naturals_on_wilds(question, settings):
        yield _why_naturals_join_wilds(settings, meld)
    yield from _bonuses_of_canasta(question, meld, settings)
    yield from _consequences_of_wilds(question, meld, settings)
    if question.table is None:
        yield from _if_other_melds_were_known(settings, question, meld)
    else:
        yield from _about_melds_of_rank(table, question, meld)


def _why_legal(settings: Settings, meld: Meld) -> Reason:
    """The settings that allow a meld of its kind."""
    kind = meld_kind(meld, settings)
    grounds = [*_GROUNDS[kind]]
    if kind == "mixed" and settings.wild_ratio != "any":
        grounds.append("wild-ratio")
    if kind == "wild" and meld.size > settings.canasta_length:
        # The number of wild cards alone matters only for a meld longer than a canasta.
        grounds.append("wild-melds-longest")
    return reason(
        f"meld-{kind}", *grounds, cards=meld.size, naturals=meld.naturals, wilds=meld.wilds
    )


def _why_naturals_join_wilds(settings: Settings, meld: Meld) -> Reason:
    """What allows natural cards on a meld of wild cards alone, which becomes this meld."""
    setting = "wild-meld-naturals"
    if meld.size < settings.canasta_length:
        setting = "wild-meld-naturals/on-its-way"
    return reason("wilds-become-mixed", setting, wilds=meld.wilds, naturals=meld.naturals)


def _bonuses_of_canasta(question: MeldQuestion, meld: Meld, settings: Settings) -> Reasons:
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


def _consequences_of_wilds(question: MeldQuestion, meld: Meld, settings: Settings) -> Reasons:
    """Wild cards that are only allowed in an opening, or that restrict the side from now on."""
    rank = rank_without_wilds(settings, meld)
    if rank and meld.wilds and question.on is None:
        yield reason("wilds-only-in-opening", "natural-after-opening", rank=rank, wilds=meld.wilds)
    if settings.wilds_blocked != "nothing" and is_incomplete_wild_meld(meld, settings):
        yield reason("wild-meld-binds", "wilds-blocked", cards=meld.size)


def _if_other_melds_were_known(settings: Settings, question: MeldQuestion, meld: Meld) -> Reasons:
    """The melds that the side may not have on the table, for a question that does not give its
    other melds: an incomplete one of the same rank, or of wild cards alone.
    """
    rank = _rank_of_new_incomplete_meld(question, meld, settings)
    if rank:
        yield reason("meld-hangs-on-rank", "repeated-rank", rank=rank)
    if settings.wilds_blocked != "nothing" and _needs_unrestricted_wilds(question, meld):
        yield reason("meld-hangs-on-wilds", "wilds-blocked")


def _about_melds_of_rank(table: Table, question: MeldQuestion, meld: Meld) -> Reasons:
    """Comments on other melds of the same rank on the table, which do not forbid this one."""
    # Sources that mention it want one meld of a rank; no other source forbids a second.
    yield from violations(table, {"meld-rank-repeated"})
    # A second incomplete one is forbidden where a rank may have only one: the other is a canasta.
    rank = _rank_of_new_incomplete_meld(question, meld, table.settings)
    melds = question.table or ()
    if rank and any(other.cards.ranks == meld.ranks for other in melds):
        # It may only be begun in a later turn than that of the canasta.
        yield reason("meld-hangs-on-turn", "repeated-rank", rank=rank)


def _needs_unrestricted_wilds(question: MeldQuestion, meld: Meld) -> bool:
    """Whether wild cards are laid elsewhere than on a meld of wild cards alone."""
    if not question.cards.cards.wilds:
        return False
    return meld.naturals > 0 or question.on is None


def _rank_of_new_incomplete_meld(
    question: MeldQuestion, meld: Meld, settings: Settings
) -> Kind | None:
    """The rank of a new incomplete meld, if a side may have only one of its rank.

    None for other melds, and where the rules allow several.
    """
    if settings.repeated_rank != "not-incomplete" or question.on is not None:
        return None
    if meld.rank is None or meld.size >= settings.canasta_length:
        return None
    return KINDS[meld.rank]
