"""May the player go out, and what is it worth?"""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.rules.entries import Out, SideEntry
from scorepad.rules.rulings.answers import Reason, Ruling, answered
from scorepad.rules.rulings.asked import OutAsked, Permission
from scorepad.rules.rulings.casing import (
    ASKER,
    MELD_CHECKS,
    asker,
    broken,
    laid_down,
    lay_case,
    line_sources,
    reason,
    scored,
)
from scorepad.rules.rulings.registry import ruling
from scorepad.rules.settings import Settings
from scorepad.rules.table import Table
from scorepad.rules.terms import ConcealedOut, LastDiscard, OpeningBy, Partnership
from scorepad.rules.variants import Ruleset

REASONS = (
    "permission-refused", "permission-not-asked", "out-canastas-enough", "out-worth", "out-worth-nothing",
    "out-concealed-opens", "out-concealed-own-melds",
    "out-discard-to-come",
)  # fmt: skip
"""The reasons of its own that this ruling gives."""

OUT_CHECKS = MELD_CHECKS | {
    "red-threes-exceeded", "out-canastas-missing", "out-red-threes-missing", "out-wild-meld-incomplete",
    "out-meld-incomplete", "out-discard-special", "out-discard-missing",
}  # fmt: skip
"""What keeps a player from going out, of what can be seen on the table."""

_OUT_LINE = "out"


@ruling(OutAsked)
def rule_out(rules: Ruleset, asked: OutAsked) -> Ruling:
    """Whether the melds, the discard and the partner allow it; and the bonus."""
    table = _lay(rules, asked)
    against = (*broken(table, _checks(rules)), *_against_by_partner(rules, asked.permission))
    if against:
        return answered(against, forbids=True)
    bonus = scored(table, *asker(table), _OUT_LINE)
    return answered(tuple(_in_favour(table, bonus)), forbids=False, bonus=bonus)


def _checks(rules: Ruleset) -> frozenset[str]:
    """The checks in force; where no second incomplete meld of a rank may be begun, none can lie there."""
    return OUT_CHECKS | {"meld-rank-repeated"} if rules.settings.repeated_rank == "not-incomplete" else OUT_CHECKS


def _lay(rules: Ruleset, asked: OutAsked) -> Table:
    out = Out(ASKER, asked.concealed, asked.discard, asked.discard_noted)
    return lay_case(rules, SideEntry(melds=laid_down(*asked.table), red_threes=asked.red_threes), out=out)


def _against_by_partner(rules: Ruleset, permission: Permission) -> Iterator[Reason]:
    """What the partner said, or was not asked; who plays alone asks nobody."""
    settings = rules.settings
    if not _has_partner(settings):
        return
    if permission is Permission.REFUSED:
        yield reason(rules, "permission-refused", "permission")
    elif permission is Permission.NOT_ASKED and settings.permission == "must-ask":
        yield reason(rules, "permission-not-asked", "permission")


def _has_partner(settings: Settings) -> bool:
    """Whether somebody at the table plays with a partner."""
    return max(settings.sides) > 1 or settings.partnership is Partnership.SINGLE_TAKER


def _in_favour(table: Table, bonus: int) -> Iterator[Reason]:
    rules, settings = table.rules, table.settings
    has = asker(table)[0].families.total()
    needs = ("canastas-needed", "canasta-families-needed")
    yield reason(rules, "out-canastas-enough", *needs, has=has, needed=settings.canastas_needed)
    out = table.hand.out
    if out and out.concealed:
        yield from _concealed(rules)
    if out and not out.discard_noted and settings.last_discard is LastDiscard.OBLIGATORY:
        yield reason(rules, "out-discard-to-come", "last-discard", "last-discard-special")
    # A game in which the line of going out is dropped gives nothing for it.
    counted = line_sources(rules, _OUT_LINE, "out-bonus")
    yield Reason("out-worth" if bonus else "out-worth-nothing", {"bonus": bonus} if bonus else {}, counted)


def _concealed(rules: Ruleset) -> Iterator[Reason]:
    """What a concealed going out asks that the table at the end does not show."""
    settings = rules.settings
    if settings.concealed_out is ConcealedOut.OWN_MELDS_ONLY:
        yield reason(rules, "out-concealed-own-melds", "concealed-out")
    elif settings.opening_by is not OpeningBy.NOTHING:
        yield reason(rules, "out-concealed-opens", "concealed-out", "opening-counts")
