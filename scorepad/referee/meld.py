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
_FAULTS_BY_REASON = {
    "meld-mixed-ranks": ("fault-suits-and-sequences",),
    "meld-too-many-wilds": ("fault-wilds-not-lost",),
    "meld-mixed": ("fault-wilds-not-lost",),
    "meld-black-threes": ("fault-black-three-left-out", "fault-black-three-swapped"),
}
"""The known faults of the sources about what a reason states, by the code of the reason."""


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
    points = _points_of_meld(laid, settings)

    against = tuple(_against_meld(table, question, laid.meld))
    if against:
        return forbidden((*against, *_faults_to_mention(rules, against)), points)
    if _is_unspoken(question, settings):
        naturals = question.cards.cards.naturals
        return silent((Reason("naturals-on-wilds-unspoken", {"naturals": naturals}),), points)

    in_favour = tuple(_in_favour_of_meld(table, question, laid.meld))
    details = _meld_details(question, laid.meld, settings, points=points)
    return allowed((*in_favour, *_faults_to_mention(rules, in_favour)), details)


def _is_unspoken(question: MeldQuestion, settings: Settings) -> bool:
    """Whether natural cards are laid on a meld of wild cards alone, in a game of which no source
    says whether that is allowed.
    """
    return settings.wild_meld_naturals == "unspoken" and _lays_naturals_on_wilds(question, settings)


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
    question: MeldQuestion, meld: Meld, settings: Settings, *, points: Details
) -> Details:
    """The kind of a legal meld, its points (as a detail, if it has any), and its bonus as a canasta
    (a meld of seven cards or more).
    """
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
    laid_on = question.on
    cards_laid = question.cards.cards
    if laid_on is None or cards_laid.naturals == 0:
        return False
    return shape_of(read_meld(laid_on.cards), settings) == "wilds"


def _faults_to_mention(rules: Ruleset, reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    """The known faults of the sources about what these reasons state."""
    codes_of_reasons = [each.code for each in reasons]
    codes_of_faults: list[str] = []
    for code, about_it in _FAULTS_BY_REASON.items():
        if code in codes_of_reasons:
            codes_of_faults += about_it
    return tuple(faults(rules, *codes_of_faults))


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
    """What forbids laying the cards of the question, which result in this meld."""
    yield from _against_whole_meld(table, meld)
    if question.cards == NOTHING:
        yield reason("nothing-laid", "meld-shortest")
    if question.on is not None:
        yield from _against_laying_on(table, question.on, question.cards)
    laying = _laying_of_question(question, meld)
    yield from against_restricted_wilds(table.settings, question.table or (), laying)


def _against_laying_on(table: Table, table_meld: Reading, cards: Reading) -> Reasons:
    """What forbids laying cards on a meld of the table: it is not legal itself, or may not take
    these wild cards.
    """
    yield from against_table_meld(table.rules, table_meld, out=table.hand.out)
    yield from against_laying_wilds(table.rules, read_meld(table_meld.cards), cards.cards.wilds)


def _against_whole_meld(table: Table, meld: Meld) -> Reasons:
    """What forbids the melds of the table, of which this is the last."""
    only_red_threes = meld.red_threes == meld.size
    for violation in violations(table, laid_meld_checks(table.rules)):
        # That red threes are not melded is said already, and enough.
        if only_red_threes and violation.code == "meld-too-few-naturals":
            continue
        yield violation


def _laying_of_question(question: MeldQuestion, meld: Meld) -> Laying:
    """The laying of the question's cards, which result in this meld.

    Wild cards are either laid with natural ones, which their meld holds then, or on their own.
    """
    wilds = question.cards.cards.wilds
    if meld.naturals > 0:
        return Laying(meld, question.on, wilds_beside_naturals=wilds)
    is_new_wild_meld = question.on is None and wilds > 0
    return Laying(meld, question.on, wilds_beside_naturals=0, is_new_wild_meld=is_new_wild_meld)


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
    """Whether the cards make a meld with wild cards a canasta (a meld of seven cards or more) that
    was none before.
    """
    is_mixed_canasta = laying.meld.wilds > 0 and canasta_of(laying.meld, settings) is not None
    if laying.onto is None:
        return is_mixed_canasta
    was_canasta_before = canasta_of(read_meld(laying.onto.cards), settings) is not None
    return is_mixed_canasta and not was_canasta_before


def against_laying_wilds(rules: Ruleset, meld: Meld, wilds: int) -> Reasons:
    """What forbids laying this number of wild cards on a meld of the table."""
    yield from against_wilds_on_canasta(rules, meld, wilds)
    # Some ranks take wild cards only in the opening. A meld that got some there may get others.
    rank = rank_natural_after_opening(rules.settings, meld)
    is_natural_meld = meld.wilds == 0
    if rank is not None and is_natural_meld and wilds > 0:
        yield reason("natural-after-opening", "natural-after-opening", rank=rank, wilds=wilds)


def against_wilds_on_canasta(rules: Ruleset, meld: Meld, wilds: int) -> Reasons:
    """The reason if some of these wild cards would be laid on a canasta (a meld of seven cards or
    more), in a game in which a canasta may not take them.

    `meld` is on the table. Of two wild cards laid on a meld of six, the first makes it a canasta,
    and the second is one too many. Natural cards of the same turn do not matter, since they may be
    laid after the wild ones.
    """
    settings = rules.settings
    # No source says this of canastas of wild cards alone.
    if settings.wild_on_canasta != "forbidden" or shape_of(meld, settings) == "wilds":
        return
    too_many = _wilds_beyond_canasta(settings, meld, wilds)
    if too_many == 0:
        return
    arguments: dict[str, MessageArgument] = {"wilds": too_many, "cards": meld.size}
    is_canasta_already = meld.size >= settings.canasta_length
    if not is_canasta_already:
        arguments["why"] = "completes"  # the wording that wild cards complete it themselves
    yield reason("wild-on-canasta", "wild-on-canasta", **arguments)


def _wilds_beyond_canasta(settings: Settings, meld: Meld, wilds: int) -> int:
    """How many of these wild cards come onto a meld when it is as long as a canasta: with canastas
    of seven cards, one of two that are laid on a meld of six, and both on a meld of seven.
    """
    places_left = max(0, settings.canasta_length - meld.size)
    return max(0, wilds - places_left)


def rank_natural_after_opening(settings: Settings, meld: Meld) -> Kind | None:
    """The rank of a meld, if wild cards may be laid with this rank only in the opening.

    None for ranks that take wild cards at any time, and for melds that are not of one rank.
    """
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
    yield from _if_canasta_becomes_mixed(question, meld, settings)
    yield from _if_wilds_only_in_opening(question, meld, settings)
    yield from _if_wild_meld_restricts(settings, meld)
    if question.table is None:
        yield from _conditions_on_unknown_melds(settings, question, meld)
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
    """The setting that allows natural cards on a meld of wild cards alone, which becomes this meld.

    Its step `on-its-way` has the sources that say so of a meld that is still shorter than a canasta
    (a meld of seven cards or more).
    """
    setting = "wild-meld-naturals"
    is_canasta = meld.size >= settings.canasta_length
    if not is_canasta:
        setting = "wild-meld-naturals/on-its-way"
    return reason("wilds-become-mixed", setting, wilds=meld.wilds, naturals=meld.naturals)


def _bonuses_of_canasta(question: MeldQuestion, meld: Meld, settings: Settings) -> Reasons:
    """The bonus of a canasta, the extra one if it is laid down complete, and whether they depend on
    what going out requires. Nothing for a meld that is no canasta.
    """
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


def _if_canasta_becomes_mixed(question: MeldQuestion, meld: Meld, settings: Settings) -> Reasons:
    """The comment that wild cards make a natural canasta of the table a mixed one."""
    if question.on is None or canasta_of(meld, settings) is None:
        return
    before = read_meld(question.on.cards)
    was_natural_canasta = before.wilds == 0 and canasta_of(before, settings) is not None
    if was_natural_canasta and meld.wilds > 0:
        yield reason("wild-makes-mixed", "wild-on-canasta", wilds=meld.wilds)


def _if_wilds_only_in_opening(question: MeldQuestion, meld: Meld, settings: Settings) -> Reasons:
    """The condition that a new meld with these wild cards is part of the opening, for a rank that
    takes them only there.
    """
    rank = rank_natural_after_opening(settings, meld)
    is_new = question.on is None
    if rank is not None and is_new and meld.wilds > 0:
        yield reason("wilds-only-in-opening", "natural-after-opening", rank=rank, wilds=meld.wilds)


def _if_wild_meld_restricts(settings: Settings, meld: Meld) -> Reasons:
    """The comment that a meld of wild cards alone restricts its side until it is a canasta."""
    if settings.wilds_blocked != "nothing" and is_incomplete_wild_meld(meld, settings):
        yield reason("wild-meld-binds", "wilds-blocked", cards=meld.size)


def _conditions_on_unknown_melds(settings: Settings, question: MeldQuestion, meld: Meld) -> Reasons:
    """The conditions on the side's other melds, for a question that does not say which they are.

    In some games the meld may be laid only if the side has no incomplete meld of the same rank, or
    no incomplete meld of wild cards alone.
    """
    rank = _rank_of_new_incomplete_meld(question, meld, settings)
    if rank is not None:
        yield reason("meld-hangs-on-rank", "repeated-rank", rank=rank)
    if settings.wilds_blocked != "nothing" and _lays_restricted_wilds(question, meld):
        yield reason("meld-hangs-on-wilds", "wilds-blocked")


def _about_melds_of_rank(table: Table, question: MeldQuestion, meld: Meld) -> Reasons:
    """Comments on other melds of the same rank on the table, which do not forbid this one."""
    # Some sources want only one meld of each rank, but none forbids a second.
    yield from violations(table, {"meld-rank-repeated"})

    # Where a rank may have only one incomplete meld, a legal new one is beside a canasta.
    rank = _rank_of_new_incomplete_meld(question, meld, table.settings)
    if rank is not None and _has_other_meld_of_rank(question, meld):
        # It may not be begun in the turn in which that canasta was completed.
        yield reason("meld-hangs-on-turn", "repeated-rank", rank=rank)


def _has_other_meld_of_rank(question: MeldQuestion, meld: Meld) -> bool:
    """Whether the side has another meld of the same rank on the table."""
    other_melds = question.table or ()
    return any(other.cards.ranks == meld.ranks for other in other_melds)


def _lays_restricted_wilds(question: MeldQuestion, meld: Meld) -> bool:
    """Whether wild cards are laid that an incomplete meld of wild cards on the table may forbid.

    It may forbid those beside natural cards, and a second meld of wild cards alone. Wild cards that
    are laid on the incomplete meld itself are free.
    """
    lays_wilds = question.cards.cards.wilds > 0
    is_beside_naturals = meld.naturals > 0
    is_new_meld = question.on is None
    return lays_wilds and (is_beside_naturals or is_new_meld)


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
