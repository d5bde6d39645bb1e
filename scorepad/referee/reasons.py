"""Reasons of rulings: those that the referee words itself, known faults of the sources, and the
sources of a reason's grounds.

A ruling gives its reasons with their grounds: the names of the settings, statements, steps and
penalties that they follow from. `with_sources` adds what the sources say of these.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from scorepad.referee.ruling import Detail, Reason, Reasons, Ruling, Verdict
from scorepad.referee.situation import ASKER
from scorepad.rules.applied import APPLIED_IN_CHECKS
from scorepad.rules.checks import MessageArgument
from scorepad.rules.definitions import Ruleset, citation_texts
from scorepad.rules.loader import load_faults
from scorepad.rules.table import Party, Table
from scorepad.rules.turn_checks import wild_family_grounds


def reason(code: str, *grounds: str, **arguments: MessageArgument) -> Reason:
    """A reason that the referee words itself, with these grounds."""
    return Reason(code, arguments, grounds=grounds)


def ruling_from_reasons(
    against: Iterable[Reason], favour: Iterable[Reason] = (), **details: Detail
) -> Ruling:
    """Forbidden for the reasons against it, if there are any; otherwise allowed for the reasons in
    favour.
    """
    reasons_against = tuple(against)
    if reasons_against:
        return Ruling(Verdict.FORBIDDEN, reasons_against, details)
    return Ruling(Verdict.ALLOWED, tuple(favour), details)


def minimum_reason(
    table: Table, code: str, minimum: int, *more: str, **arguments: MessageArgument
) -> Reason:
    """A reason with the opening minimum (points) of the side that the question concerns."""
    ground = table.rules.minimum_ground(table.before[ASKER], table.hand.deal)
    return reason(code, *more, ground, minimum=minimum, **arguments)


def wild_family_reasons(rules: Ruleset, party: Party) -> Reasons:
    """The reason that canastas of wild cards alone count as natural or mixed by inference, if the
    party has any.
    """
    if wild_family_grounds(rules, party):
        yield reason("wild-canastas-read", "canastas")


# --------------------------------------------------------------------------- faults of the sources


def faults(rules: Ruleset, *codes: str) -> Reasons:
    """Known faults of the sources, with these codes, that concern the rules in force."""
    for code in codes:
        fault = load_faults()[code]
        cited = rules.cited_at(fault.touches)
        if fault.known_by in citation_texts((cited, *cited.steps.values())):
            sources = citation_texts([fault.cited])
            yield Reason(code, sources=sources, standing=fault.cited.standing)


def faults_of(rules: Ruleset, ground: str) -> Reasons:
    """The known faults that concern this setting, or a penalty (`penalties/CODE`)."""
    codes = [code for code, fault in load_faults().items() if fault.touches == ground]
    yield from faults(rules, *codes)


_STARTS_FROM_ZERO = "fault-opening-from-zero"
_LEAVES_OUT_FIFTEEN = "fault-without-fifteen"
_LEAVES_OUT_ALL_BUT_FIFTY = "fault-only-fifty"
FAULTS_OF_MINIMUMS = (_STARTS_FROM_ZERO, _LEAVES_OUT_FIFTEEN, _LEAVES_OUT_ALL_BUT_FIFTY)
"""Known faults that are reported with opening minimums."""


def minimum_faults(table: Table) -> Reasons:
    """The known faults of the sources about the opening minimum in force for the side that the
    question concerns: a table that starts from zero, and minimums that a source leaves out.
    """
    rules = table.rules
    score = table.before[ASKER]
    ground = rules.minimum_ground(score, table.hand.deal)
    if score < 0:  # the minimum of fifteen points is that of scores below zero
        yield from faults(rules, _STARTS_FROM_ZERO)
        yield from _faults_of_omission(rules, _LEAVES_OUT_FIFTEEN, ground)
    yield from _faults_of_omission(rules, _LEAVES_OUT_ALL_BUT_FIFTY, ground)


def _faults_of_omission(rules: Ruleset, code: str, ground: str) -> Reasons:
    """The known fault with this code, if its source leaves out the minimum of this ground.

    A source that states the minimum, and so is cited for it, leaves out only others.
    """
    sources_of_minimum = rules.sources_of(ground)
    for fault in faults(rules, code):
        source_at_fault = fault.sources[0]
        if source_at_fault not in sources_of_minimum:
            yield fault


# --------------------------------------------------------------------------------------- sources

_OPENING = APPLIED_IN_CHECKS["opening-below-minimum"]
_ALSO_FOLLOWS_FROM = {
    "opening-reached": _OPENING,
    "pile-opening-reached": _OPENING,
    "out-concealed-reached": _OPENING,
    "out-concealed-never-opens": _OPENING,
    "out-concealed-if-reached": (*_OPENING, "opening-below-zero"),
    "opening-melds-aside": _OPENING,
    "red-threes-worth": ("red-three-values",),
    "red-threes-for": ("red-three-values", "red-threes-otherwise"),
    "red-threes-against": ("red-three-values", "red-threes-condition"),
    "red-threes-to-opponents": ("red-three-values", "red-threes-condition"),
    "red-threes-shared": ("red-three-values", "red-threes-condition"),
    "red-threes-twice-against": ("red-three-values", "red-threes-condition"),
    "canasta-made": ("canasta-length",),
    "canasta-concealed": ("canasta-length",),
    "out-worth": ("out-bonus-canastas",),
    "penalty-counted-once": ("held-red-three-counts",),
    # What a hand can open with depends on all that it may and must keep.
    "opening-reached/hand": (
        *APPLIED_IN_CHECKS["totals-impossible"],
        "canastas-needed",
        "hands-each",
    ),
    "pile-with-naturals/free": ("freezing",),
    "pile-with-wild/free": ("freezing",),
    "pile-with-naturals/frozen": ("freezing",),
    "pile-with-wild/frozen": ("freezing",),
    "upcard-freeze/always": ("freezing",),
    "upcard-freeze/never": ("freezing",),
    "upcard-cover/always": ("freezing",),
}
"""The settings that a reason follows from besides its grounds, by its code, or by that and its
`why`.
"""


def with_sources(rules: Ruleset, ruling: Ruling) -> Ruling:
    """The ruling with the sources and the standing of the grounds of its reasons."""
    cited: list[Reason] = []
    for uncited in ruling.reasons:
        if uncited.grounds:
            support = rules.cite(uncited.grounds, _also_applied(uncited))
            cited.append(replace(uncited, sources=support.sources, standing=support.standing))
        else:  # a fault of the sources has its own
            cited.append(uncited)
    return replace(ruling, reasons=tuple(cited))


def _also_applied(applied: Reason) -> tuple[str, ...]:
    """The settings that a reason follows from besides its grounds.

    They are listed by its code: those of the check of that code, if it is one, then those of
    `_ALSO_FOLLOWS_FROM` by the code alone, then by the code and the argument `why`, as in
    `opening-reached/hand`.
    """
    code_and_why = f"{applied.code}/{applied.arguments.get('why')}"
    return (
        *APPLIED_IN_CHECKS.get(applied.code, ()),
        *_ALSO_FOLLOWS_FROM.get(applied.code, ()),
        *_ALSO_FOLLOWS_FROM.get(code_and_why, ()),
    )
