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
from scorepad.rules.definitions import Fault, Ruleset, citation_texts
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


def inference_about_wild_canastas(rules: Ruleset, party: Party) -> Reasons:
    """The reason that a party's canastas of wild cards alone count as natural or mixed ones by
    inference.

    Nothing if the party has no such canastas, or if a source states as which of the two they count.
    """
    depends_on_inference = len(wild_family_grounds(rules, party)) > 0
    if depends_on_inference:
        yield reason("wild-canastas-read", "canastas")


# --------------------------------------------------------------------------- faults of the sources


def faults(rules: Ruleset, *codes: str) -> Reasons:
    """The known faults of the sources, with these codes, that concern the rules in force.

    A fault concerns rules that cite a certain passage for what the fault is about. The data says
    that `fault-wilds-not-lost` is about `wild-ratio` and concerns the rules that cite `H:Regole …`
    for it.
    """
    for code in codes:
        fault = load_faults()[code]
        if fault.known_by in _passages_cited_for(rules, fault.touches):
            yield _reason_for_fault(fault)


def _passages_cited_for(rules: Ruleset, ground: str) -> tuple[str, ...]:
    """The passages of sources cited for a setting or a penalty, or for a single step of it."""
    cited = rules.cited_at(ground)
    return citation_texts([cited, *cited.steps.values()])


def _reason_for_fault(fault: Fault) -> Reason:
    """A fault of a source as a reason, which cites the passage that is wrong."""
    sources = citation_texts([fault.cited])
    return Reason(fault.code, sources=sources, standing=fault.cited.standing)


def faults_of(rules: Ruleset, ground: str) -> Reasons:
    """The known faults that concern this setting, or a penalty (`penalties/CODE`)."""
    codes = [code for code, fault in load_faults().items() if fault.touches == ground]
    yield from faults(rules, *codes)


_STARTS_FROM_ZERO = "fault-opening-from-zero"
"""A source's table of minimums starts from a score of zero."""
_LEAVES_OUT_FIFTEEN = "fault-without-fifteen"
"""A source does not mention the minimum of fifteen points, for scores below zero."""
_LEAVES_OUT_ALL_BUT_FIFTY = "fault-only-fifty"
"""A source mentions no minimum but that of fifty points."""
FAULTS_OF_MINIMUMS = (_STARTS_FROM_ZERO, _LEAVES_OUT_FIFTEEN, _LEAVES_OUT_ALL_BUT_FIFTY)
"""Known faults that are reported with opening minimums."""


def minimum_faults(table: Table) -> Reasons:
    """The known faults of the sources about the opening minimum of the side that the question
    concerns.

    A source that leaves some minimums out is named only where the minimum in force is one of them.
    """
    rules = table.rules
    score = table.before[ASKER]
    minimum_setting = rules.minimum_ground(score, table.hand.deal)
    if score < 0:
        yield from faults(rules, _STARTS_FROM_ZERO)
        yield from _fault_if_left_out(rules, _LEAVES_OUT_FIFTEEN, minimum_setting)
    yield from _fault_if_left_out(rules, _LEAVES_OUT_ALL_BUT_FIFTY, minimum_setting)


def _fault_if_left_out(rules: Ruleset, code: str, minimum_setting: str) -> Reasons:
    """The fault of a source that leaves out some opening minimums, if it leaves out this one.

    A source that is cited for the minimum states it. For example, a source that gives only the
    minimum of 50 is at fault where the minimum is 90, and not where it is 50.
    """
    sources_of_minimum = rules.sources_of(minimum_setting)
    for fault in faults(rules, code):
        leaves_it_out = not any(source in sources_of_minimum for source in fault.sources)
        if leaves_it_out:
            yield fault


# --------------------------------------------------------------------------------------- sources

_OPENING = APPLIED_IN_CHECKS["opening-below-minimum"]
_SETTINGS_BY_CODE = {
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
}
"""The settings that a reason follows from besides its grounds, by its code."""
_SETTINGS_BY_CODE_AND_WORDING = {
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
"""The settings that a reason follows from if it is worded so, by its code and its argument `why`."""


def with_sources(rules: Ruleset, ruling: Ruling) -> Ruling:
    """The ruling with the sources and the standing of the grounds of its reasons."""
    cited: list[Reason] = []
    for uncited in ruling.reasons:
        if uncited.grounds:
            support = rules.cite(uncited.grounds, _settings_besides_grounds(uncited))
            cited.append(replace(uncited, sources=support.sources, standing=support.standing))
        else:  # a fault of the sources has its own
            cited.append(uncited)
    return replace(ruling, reasons=tuple(cited))


def _settings_besides_grounds(applied: Reason) -> list[str]:
    """The settings that a reason follows from besides its grounds.

    They depend on its code and on its wording, the argument `why`: `pile-with-wild`, worded for a
    `frozen` pile, also follows from the setting `freezing`. A reason with the code of a check of a
    hand follows from the settings that the check applies.
    """
    wording = applied.arguments.get("why")
    settings: list[str] = []
    settings += APPLIED_IN_CHECKS.get(applied.code, ())
    settings += _SETTINGS_BY_CODE.get(applied.code, ())
    settings += _SETTINGS_BY_CODE_AND_WORDING.get(f"{applied.code}/{wording}", ())
    return settings
