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

_SETTINGS_BY_KIND = {
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
    """Whether cards may be laid on the table as a meld, and the kind, the points and the bonus of
    the meld.

    The whole resulting meld is judged, including the cards that the new ones are laid on.
    """
    settings = rules.settings
    table = _table_with_meld(rules, question)
    resulting = _resulting_meld(table)
    points = _points_of_meld(resulting, settings)
    meld = resulting.meld

    against = tuple(_against_meld(table, question, meld))
    if against:
        return forbidden((*against, *_faults_to_mention(rules, against)), points)
    if _is_unspoken(question, settings):
        return silent((_no_source_on_naturals(question),), points)

    in_favour = tuple(_in_favour_of_meld(table, question, meld))
    details = _meld_details(question, meld, settings, points=points)
    return allowed((*in_favour, *_faults_to_mention(rules, in_favour)), details)


def _no_source_on_naturals(question: MeldQuestion) -> Reason:
    """The reason that no source says whether these natural cards may join a meld of wild cards."""
    return Reason("naturals-on-wilds-unspoken", {"naturals": question.cards.cards.naturals})


def _is_unspoken(question: MeldQuestion, settings: Settings) -> bool:
    """Whether natural cards are laid on a meld of wild cards alone, in a game of which no source
    says whether that is allowed.
    """
    return settings.wild_meld_naturals == "unspoken" and _lays_naturals_on_wilds(question, settings)


def _table_with_meld(rules: Ruleset, question: MeldQuestion) -> Table:
    """A table with the side's melds: first those that stay as they are, and last the one that
    results from laying the cards of the question.
    """
    other_melds = question.table or ()
    if question.on is None:
        resulting = question.cards
    else:
        resulting = gather_readings(question.on, question.cards)
    out = Out(ASKER) if question.going_out else None
    return table_with(rules, *other_melds, resulting, out=out)


def _resulting_meld(table: Table) -> LaidMeld:
    """The meld that results from laying the cards of the question, which is the last of the table."""
    melds = table.parties[ASKER].melds
    return melds[-1]


def _points_of_meld(laid: LaidMeld, settings: Settings) -> Details:
    """The points of the cards of a meld, as a detail of the ruling: `{"points": 30}` for three
    kings.

    No detail if some of the cards are unknown, or in a game that does not count cards in points.
    """
    are_cards_known = laid.whole
    if are_cards_known and settings.unit == "points":
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
    """The known faults of the sources about what these reasons state.

    If one of them is `meld-mixed`, the fault `fault-wilds-not-lost` is mentioned.
    """
    codes_of_reasons = [each.code for each in reasons]
    codes_of_faults: list[str] = []
    for code_of_reason, its_faults in _FAULTS_BY_REASON.items():
        if code_of_reason in codes_of_reasons:
            codes_of_faults += its_faults
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
        yield reason("nothing-laid", cited_settings="meld-shortest")
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
    """What the question lays, as far as an incomplete meld of wild cards may forbid it.

    `meld` is the resulting meld. Its wild cards are either beside natural cards, or a meld of their
    own.
    """
    wilds_laid = question.cards.cards.wilds
    is_beside_naturals = meld.naturals > 0
    is_new_meld = question.on is None
    return Laying(
        meld=meld,
        onto=question.on,
        wilds_beside_naturals=wilds_laid if is_beside_naturals else 0,
        is_new_wild_meld=is_new_meld and wilds_laid > 0 and not is_beside_naturals,
    )


def against_restricted_wilds(
    settings: Settings, melds_on_table: Iterable[Reading], laying: Laying
) -> Reasons:
    """The reason if an incomplete meld of wild cards alone forbids to lay these cards.

    In some games a side with such a meld, of fewer cards than a canasta (seven), may lay wild cards
    nowhere else. In some of these it may not complete a canasta with wild cards in it either.
    """
    if settings.wilds_blocked == "nothing":
        return
    number_of_wild_melds = incomplete_wild_melds(settings, melds_on_table)
    if number_of_wild_melds == 0:
        return

    rule = "wilds-blocked"
    mixed_canastas_are_forbidden = settings.wilds_blocked == "wilds-and-mixed"
    if laying.wilds_beside_naturals > 0:
        yield reason("wilds-blocked", cited_settings=rule, wilds=laying.wilds_beside_naturals)
    elif laying.is_new_wild_meld:
        with_new_one = number_of_wild_melds + 1
        yield reason("second-wild-meld", cited_settings=rule, melds=with_new_one)
    elif mixed_canastas_are_forbidden and _completes_mixed_canasta(settings, laying):
        yield reason("mixed-blocked", cited_settings=rule, cards=laying.meld.size)


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
    """What forbids laying so many wild cards on a meld of the table."""
    yield from against_wilds_on_canasta(rules, meld, wilds)
    yield from _against_wilds_after_opening(rules.settings, meld, wilds)


def _against_wilds_after_opening(settings: Settings, meld: Meld, wilds: int) -> Reasons:
    """The reason against laying so many wild cards on a meld of a rank that takes them only in the
    opening, the first melds of its side.

    The meld is on the table already. If it has wild cards, it got them in the opening, and may get
    others.
    """
    rank = rank_natural_after_opening(settings, meld)
    has_no_wilds_yet = meld.wilds == 0
    if rank is not None and has_no_wilds_yet and wilds > 0:
        code = "natural-after-opening"
        yield reason(code, cited_settings="natural-after-opening", rank=rank, wilds=wilds)


def against_wilds_on_canasta(rules: Ruleset, meld: Meld, wilds: int) -> Reasons:
    """The reason if some of these wild cards would be laid on a canasta (a meld of seven cards or
    more), in a game in which a canasta may not take them.

    `meld` is on the table. Of two wild cards laid on a meld of six, the first makes it a canasta,
    and the second is one too many.
    """
    settings = rules.settings
    too_many = _wilds_beyond_canasta(settings, meld, wilds)
    if too_many > 0 and _refuses_wilds_as_canasta(settings, meld):
        is_canasta_already = meld.size >= settings.canasta_length
        yield reason(
            "wild-on-canasta",
            cited_settings="wild-on-canasta",
            # The other wording says that the first of the wild cards complete the canasta.
            wording=None if is_canasta_already else "completes",
            wilds=too_many,
            cards=meld.size,
        )


def _refuses_wilds_as_canasta(settings: Settings, meld: Meld) -> bool:
    """Whether this meld takes no more wild cards once it is a canasta (a meld of seven cards or
    more).
    """
    if settings.wild_on_canasta != "forbidden":
        return False
    is_of_wilds_alone = shape_of(meld, settings) == "wilds"
    return not is_of_wilds_alone  # no source says it of canastas of wild cards alone


def _wilds_beyond_canasta(settings: Settings, meld: Meld, wilds: int) -> int:
    """How many of these wild cards come onto the meld when it is a canasta, of seven cards, already.

    Of two wild cards, it is one on a meld of six cards, and both on a meld of seven. Natural cards
    laid in the same turn do not matter, since they may be laid after the wild ones.
    """
    missing_to_canasta = max(0, settings.canasta_length - meld.size)
    return max(0, wilds - missing_to_canasta)


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
        yield reason("meld-begun-beside-canasta", cited_settings="repeated-rank", rank=KINDS[rank])


# ------------------------------------------------------------------------------------ a legal meld


def _in_favour_of_meld(table: Table, question: MeldQuestion, meld: Meld) -> Reasons:
    """Why the meld is legal; then its bonus as a canasta (a meld of seven cards or more), its effects
    on later melds, and on what else the answer depends.
    """
    settings = table.settings
    yield _why_legal(settings, meld)
    if _lays_naturals_on_wilds(question, settings):
        yield _why_naturals_join_wilds(settings, meld)
    yield from _bonuses_of_canasta(question, meld, settings)

    # What it changes for the side.
    yield from _natural_canasta_becomes_mixed(question, meld, settings)
    yield from _wild_meld_restricts_side(settings, meld)

    # On what else the answer depends.
    yield from _depends_on_opening(question, meld, settings)
    if question.table is None:
        yield from _depends_on_unknown_melds(settings, question, meld)
    else:
        yield from _about_melds_of_rank(table, question, meld)


def _why_legal(settings: Settings, meld: Meld) -> Reason:
    """The reason that a meld of this kind is legal, with the settings that allow it."""
    kind = meld_kind(meld, settings)
    return reason(
        f"meld-{kind}",
        cited_settings=_settings_that_allow(kind, settings, meld),
        cards=meld.size,
        naturals=meld.naturals,
        wilds=meld.wilds,
    )


def _settings_that_allow(kind: str, settings: Settings, meld: Meld) -> list[str]:
    """The settings that allow a meld of this kind: `meld-shortest` and `meld-one-rank` for a
    `natural` one.
    """
    allowing = list(_SETTINGS_BY_KIND[kind])
    if kind == "mixed" and settings.wild_ratio != "any":
        allowing.append("wild-ratio")
    is_longer_than_canasta = meld.size > settings.canasta_length
    if kind == "wild" and is_longer_than_canasta:  # a shorter one is never too long
        allowing.append("wild-melds-longest")
    return allowing


_SETTING_BEFORE_CANASTA = "wild-meld-naturals/on-its-way"
"""The part of the setting `wild-meld-naturals` for a meld of wild cards that is not yet a canasta: it
has other sources.
"""


def _why_naturals_join_wilds(settings: Settings, meld: Meld) -> Reason:
    """The reason that natural cards may be laid on a meld of wild cards alone: `K` on `2 2 JK`.

    `meld` is the resulting meld. If it is not yet a canasta (a meld of seven cards or more), the
    permission comes from other sources than for a canasta.
    """
    is_canasta = meld.size >= settings.canasta_length
    setting = "wild-meld-naturals" if is_canasta else _SETTING_BEFORE_CANASTA
    return reason(
        "wilds-become-mixed", cited_settings=setting, wilds=meld.wilds, naturals=meld.naturals
    )


def _bonuses_of_canasta(question: MeldQuestion, meld: Meld, settings: Settings) -> Reasons:
    """The reasons for the bonus of a canasta, a meld of seven cards or more; none for another meld.

    A canasta may have an extra bonus, and in some games it only counts for a side that has as many
    as going out requires.
    """
    canasta = canasta_of(meld, settings)
    if canasta is None:
        return
    yield reason(
        "canasta-made",
        cited_settings=f"canastas/{canasta.item}",
        item=canasta.item,
        bonus=canasta.points,
        cards=meld.size,
    )
    extra_bonus = _concealed_bonus(question, settings)
    if extra_bonus:
        setting = f"concealed-canasta/{canasta.item}"
        yield reason("canasta-concealed", cited_settings=setting, bonus=extra_bonus)
    if settings.canastas_count != "always":
        yield reason("canasta-with-out-needs", cited_settings="canastas-count")


def _natural_canasta_becomes_mixed(
    question: MeldQuestion, meld: Meld, settings: Settings
) -> Reasons:
    """The comment that wild cards make a natural canasta (of seven cards or more) of the table a
    mixed one. `meld` is the resulting meld.
    """
    if question.on is None or canasta_of(meld, settings) is None:
        return
    before = read_meld(question.on.cards)
    was_natural_canasta = before.wilds == 0 and canasta_of(before, settings) is not None
    if was_natural_canasta and meld.wilds > 0:
        yield reason("wild-makes-mixed", cited_settings="wild-on-canasta", wilds=meld.wilds)


def _depends_on_opening(question: MeldQuestion, meld: Meld, settings: Settings) -> Reasons:
    """The condition that a new meld is part of the opening, the first melds that its side lays.

    It is for melds with wild cards of a rank that takes them only in the opening.
    """
    rank = rank_natural_after_opening(settings, meld)
    if rank is None or question.on is not None:
        return
    if meld.wilds > 0:
        setting = "natural-after-opening"
        yield reason("wilds-only-in-opening", cited_settings=setting, rank=rank, wilds=meld.wilds)


def _wild_meld_restricts_side(settings: Settings, meld: Meld) -> Reasons:
    """The comment that a meld of wild cards alone restricts what its side may lay, until it is a
    canasta (a meld of seven cards or more).
    """
    restricts = settings.wilds_blocked != "nothing"
    if restricts and is_incomplete_wild_meld(meld, settings):
        yield reason("wild-meld-binds", cited_settings="wilds-blocked", cards=meld.size)


def _depends_on_unknown_melds(settings: Settings, question: MeldQuestion, meld: Meld) -> Reasons:
    """The conditions on the side's other melds, for a question that does not give them.

    In some games a meld may be laid only if the side has no incomplete meld (fewer than the seven
    cards of a canasta) of the same rank, or none of wild cards alone.
    """
    needs_no_incomplete_of_rank = _is_only_incomplete_of_rank(question, meld, settings)
    if needs_no_incomplete_of_rank:
        rank = _rank_of_meld(meld)
        yield reason("meld-hangs-on-rank", cited_settings="repeated-rank", rank=rank)

    wild_melds_may_forbid = settings.wilds_blocked != "nothing"
    needs_no_wild_meld = wild_melds_may_forbid and _lays_restricted_wilds(question, meld)
    if needs_no_wild_meld:
        yield reason("meld-hangs-on-wilds", cited_settings="wilds-blocked")


def _about_melds_of_rank(table: Table, question: MeldQuestion, meld: Meld) -> Reasons:
    """What is said of a legal meld whose side has another meld of the same rank on the table."""
    # Some sources want one meld of each rank, but none forbids a second.
    yield from violations(table, {"meld-rank-repeated"})
    yield from _depends_on_turn_of_canasta(table.settings, question, meld)


def _depends_on_turn_of_canasta(settings: Settings, question: MeldQuestion, meld: Meld) -> Reasons:
    """The condition that a canasta (a meld of seven cards or more) of the same rank was completed in
    an earlier turn.

    It is for games in which a rank may have only one incomplete meld, which may not be begun in the
    turn that completed a canasta of the rank.
    """
    if not _has_other_meld_of_rank(question, meld):
        return
    # The other meld must be a canasta: beside an incomplete one, this meld would not be legal.
    if _is_only_incomplete_of_rank(question, meld, settings):
        rank = _rank_of_meld(meld)
        yield reason("meld-hangs-on-turn", cited_settings="repeated-rank", rank=rank)


def _is_only_incomplete_of_rank(question: MeldQuestion, meld: Meld, settings: Settings) -> bool:
    """Whether a side may lay this new meld only as long as it has no other incomplete meld of its
    rank.

    An incomplete meld has fewer cards than a canasta (seven). In most games a side may have several.
    """
    if settings.repeated_rank != "not-incomplete":
        return False
    is_new_meld_of_one_rank = question.on is None and meld.rank is not None
    is_incomplete = meld.size < settings.canasta_length
    return is_new_meld_of_one_rank and is_incomplete


def _rank_of_meld(meld: Meld) -> Kind:
    """The rank of a meld that is of one rank: a king for `K K K` and for `K K 2`."""
    assert meld.rank is not None, "asked only of melds of one rank"
    return KINDS[meld.rank]


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
