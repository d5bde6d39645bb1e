"""Reasons of rulings: those that the referee words itself, known faults of the sources, and the
sources of a reason's cited_settings.

A ruling gives its reasons with their cited_settings: the names of the settings, statements, steps and
penalties that they follow from. `with_sources` adds what the sources say of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scorepad.referee.ruling import Reason, Reasons, Ruling
from scorepad.referee.situation import ASKER
from scorepad.rules.applied import APPLIED_IN_CHECKS
from scorepad.rules.checks import MessageArgument
from scorepad.rules.definitions import Fault, Ruleset, citation_texts
from scorepad.rules.loader import load_faults
from scorepad.rules.table import Party, Table
from scorepad.rules.turn_checks import wild_family_cited_settings


def reason(
    code: str,
    *,
    cited_settings: str | Sequence[str] = (),
    wording: str | None = None,
    **arguments: MessageArgument,
) -> Reason:
    """A reason that the referee words itself.

    `code` is the code of its message, which takes the `arguments`; `wording` chooses one of several
    messages of the code. It follows from a setting of the rules, or several:
    `reason("opening-minimum", cited_settings="opening-steps", minimum=50)`.
    """
    settings = (cited_settings,) if isinstance(cited_settings, str) else cited_settings
    if wording is not None:
        arguments["why"] = wording
    return Reason(code, arguments, cited_settings=tuple(settings))


def minimum_reason(
    table: Table,
    code: str,
    minimum: int,
    cited_settings: str | None = None,
    **arguments: MessageArgument,
) -> Reason:
    """A reason with the opening minimum (points) of the side that the question concerns.

    It follows from the setting of that minimum, and from another setting if one is given.
    """
    settings = [_setting_of_opening_minimum(table)]
    if cited_settings is not None:
        settings.insert(0, cited_settings)
    return Reason(code, {"minimum": minimum, **arguments}, cited_settings=tuple(settings))


def _setting_of_opening_minimum(table: Table) -> str:
    """The setting, or the entry of one, that gives the opening minimum of the side that the question
    concerns: `opening-steps/1500` for a match score of 1500 points or more.
    """
    match_score = table.before[ASKER]
    number_of_hand = table.hand.deal
    return table.rules.cited_setting_of_minimum(match_score, number_of_hand)


def inference_about_wild_canastas(rules: Ruleset, party: Party) -> Reasons:
    """The reason that the answer depends on how canastas of wild cards alone count.

    Some sources do not say whether such a canasta (a meld of seven cards or more) counts as a
    natural or a mixed one. Then that is inferred, and a party that has one is told so.
    """
    settings_to_cite = wild_family_cited_settings(rules, party)
    if settings_to_cite:  # none if a source says it, or if the party has no such canasta
        yield reason("wild-canastas-read", cited_settings="canastas")


# --------------------------------------------------------------------------- faults of the sources


def faults(rules: Ruleset, *codes: str) -> Reasons:
    """Those known mistakes of the sources, of these codes, that concern the rules in force.

    A mistake concerns the rules that cite a certain passage for a certain setting. The data says
    that `fault-wilds-not-lost` concerns rules that cite `H:Regole …` for the setting `wild-ratio`.
    """
    known_faults = load_faults()
    for code in codes:
        fault = known_faults[code]
        cited_passages = _passages_cited_for(rules, fault.touches)
        if fault.known_by in cited_passages:
            yield _reason_for_fault(fault)


def _passages_cited_for(rules: Ruleset, rule: str) -> tuple[str, ...]:
    """The passages of sources that these rules cite for a setting or a penalty.

    A setting with several entries may cite some passages for a single entry: `opening-steps` cites
    one for the entry `1500`. They are included.
    """
    cited = rules.cited_at(rule)
    cited_for_entries = cited.steps.values()
    return citation_texts([cited, *cited_for_entries])


def _reason_for_fault(fault: Fault) -> Reason:
    """A fault of a source as a reason, which cites the passage that is wrong."""
    sources = citation_texts([fault.cited])
    return Reason(fault.code, sources=sources, standing=fault.cited.standing)


def faults_of(rules: Ruleset, cited_setting: str) -> Reasons:
    """The known faults that concern this setting, or a penalty (`penalties/CODE`)."""
    codes = [code for code, fault in load_faults().items() if fault.touches == cited_setting]
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
    """The known mistakes of the sources about the opening minimum of the side that the question
    concerns.

    A source that mentions only some minimums is reported only if it lacks this one.
    """
    is_score_below_zero = table.before[ASKER] < 0
    if is_score_below_zero:  # these scores have a minimum of their own, of fifteen points
        yield from faults(table.rules, _STARTS_FROM_ZERO)
        yield from _fault_if_left_out(table, _LEAVES_OUT_FIFTEEN)
    yield from _fault_if_left_out(table, _LEAVES_OUT_ALL_BUT_FIFTY)


def _fault_if_left_out(table: Table, code: str) -> Reasons:
    """The known mistake of this code, if its source does not mention the opening minimum in force.

    The mistake is that the source gives only some of the minimums. A source that gives only the
    minimum of 50 points is reported if the minimum is 90, and not if it is 50.
    """
    rules = table.rules
    sources_of_minimum = rules.sources_of(_setting_of_opening_minimum(table))
    for fault in faults(rules, code):
        source_gives_minimum = any(source in sources_of_minimum for source in fault.sources)
        if not source_gives_minimum:
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
"""The settings that a reason follows from besides those it cites, by its code."""
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
    """The ruling, with the sources of each of its reasons, and how firmly they state it.

    These are the sources of the settings that the reason follows from.
    """
    cited = tuple(_with_its_sources(rules, uncited) for uncited in ruling.reasons)
    return replace(ruling, reasons=cited)


def _with_its_sources(rules: Ruleset, uncited: Reason) -> Reason:
    """A reason with the sources of the settings that it follows from.

    A reason without settings stays as it is: it has its own sources, or needs none.
    """
    if not uncited.cited_settings:
        return uncited
    support = rules.cite(uncited.cited_settings, _settings_besides_cited_settings(uncited))
    return replace(uncited, sources=support.sources, standing=support.standing)


def _settings_besides_cited_settings(reason_given: Reason) -> list[str]:
    """The settings that a reason follows from besides those that it names itself (its `cited_settings`).

    They depend on its code, and for some codes on the wording of its message too. For example,
    `pile-with-wild` worded for a `frozen` pile also follows from the setting `freezing`.
    """
    code = reason_given.code
    wording = reason_given.arguments.get("why")
    settings: list[str] = []
    settings += APPLIED_IN_CHECKS.get(code, ())  # the code may be that of a check of a hand
    settings += _SETTINGS_BY_CODE.get(code, ())
    settings += _SETTINGS_BY_CODE_AND_WORDING.get(f"{code}/{wording}", ())
    return settings
