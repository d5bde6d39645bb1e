"""What are red threes worth to a side?"""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.rules.checks.figures import SMALLEST_POINTS
from scorepad.rules.entries import SideEntry, Totals
from scorepad.rules.rulings.answers import Reason, Ruling, Verdict
from scorepad.rules.rulings.asked import RedThreesAsked
from scorepad.rules.rulings.casing import ASKER, asker, broken, lay_case, line_sources, reason, scored
from scorepad.rules.rulings.faults import counter_readings, slips
from scorepad.rules.rulings.registry import ruling
from scorepad.rules.settings import Settings
from scorepad.rules.table import Table
from scorepad.rules.terms import Condition
from scorepad.rules.variants import Ruleset

REASONS = (
    "red-threes-no-bonus", "red-threes-worth", "red-threes-always", "red-threes-for", "red-threes-against",
    "red-threes-twice-against", "red-threes-nothing", "red-threes-to-opponents", "red-threes-shared",
)  # fmt: skip
"""The reasons of its own that this ruling gives."""

_THREES_LINE = "red-threes"


@ruling(RedThreesAsked)
def rule_red_threes(rules: Ruleset, asked: RedThreesAsked) -> Ruling:
    """Their points for the side itself; more of them than the decks hold are worth what nobody says."""
    settings = rules.settings
    if not settings.red_three_values:
        return Ruling(Verdict.VALUE, (reason(rules, "red-threes-no-bonus", "red-three-values"),), {"points": 0})
    # What the side laid matters only as far as it laid anything.
    laid = SMALLEST_POINTS if asked.opened else 0
    table = lay_case(rules, SideEntry(totals=Totals(asked.canastas, laid), red_threes=asked.count))
    beyond = broken(table, {"red-threes-exceeded"})
    if beyond:
        return Ruling(Verdict.SILENT, beyond)
    points = scored(table, *asker(table), _THREES_LINE)
    told = (*_why(table, asked.count, points), *_notes(rules, asked))
    return Ruling(Verdict.VALUE, told, {"points": points})


def _notes(rules: Ruleset, asked: RedThreesAsked) -> Iterator[Reason]:
    """What the sources of the answer got wrong, or leave to be read."""
    if asked.count:
        yield from counter_readings(rules, [item for item, count in asked.canastas.items() if count])
    yield from slips(rules, "fault-threes-swapped")


def _of_opponents(table: Table) -> int:
    """The points that the side's red threes bring to another."""
    others = [(party, lay) for party in table.parties for lay in party.lays if lay.position != ASKER]
    return max(scored(table, party, lay, _THREES_LINE) for party, lay in others)


def _why(table: Table, count: int, points: int) -> Iterator[Reason]:
    rules = table.rules
    worth = (0, *table.settings.red_three_values)[count]
    yield reason(rules, "red-threes-worth", "red-three-values", count=count, worth=worth)
    if not count:
        return
    sources = line_sources(rules, _THREES_LINE, "red-threes-condition")
    opponents, by = _of_opponents(table), table.settings.red_threes_condition
    figures = {"why": by.value, "count": count, "points": points, "opponents": opponents}
    yield Reason(_effect(table.settings, worth, points, opponents), figures, sources)


def _effect(settings: Settings, worth: int, points: int, opponents: int) -> str:
    """What the side's canastas, or its opening, make of their worth."""
    if settings.red_threes_condition is Condition.CANASTAS and set(settings.red_threes_by_canastas) == {1}:
        return "red-threes-always"
    if opponents:
        return "red-threes-shared" if points else "red-threes-to-opponents"
    effects = {worth: "red-threes-for", 0: "red-threes-nothing", -worth: "red-threes-against"}
    return effects.get(points, "red-threes-twice-against")
