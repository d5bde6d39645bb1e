"""Known faults of the sources: where a text that an answer rests on has slipped, the answer says so."""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.rules.checks.going_out import by_reading
from scorepad.rules.citations import Standing
from scorepad.rules.grounds import minimum_ground, places
from scorepad.rules.rulings.answers import Reason
from scorepad.rules.rulings.casing import ASKER, reason
from scorepad.rules.table import Party, Table
from scorepad.rules.variants import Ruleset

_SLIPS: dict[str, tuple[str, str, str]] = {
    # Code: the setting whose answer it touches, the place by which that is known, and the place of the slip.
    "fault-threes-swapped": (
        "red-three-values", "W:Chiusura, punteggi e vittoria", "H:Valore dei punti per le carte in Canasta",
    ),
    "fault-black-three-left-out": (
        "card-points", "W:Terminologia, classificazione e valori delle carte",
        "W:Terminologia, classificazione e valori delle carte",
    ),
    "fault-black-three-swapped": (
        "card-points", "H:Valore dei punti per le carte in Canasta", "H:Valore dei punti per le carte in Canasta",
    ),
    "fault-wilds-not-lost": (
        "wild-ratio", "H:Regole del classico gioco di carte Canasta", "H:Regole del classico gioco di carte Canasta",
    ),
    "fault-suits-and-sequences": ("meld-shortest", "G:Glossario del gioco", "G:Glossario del gioco"),
    "fault-opening-from-zero": ("opening-below-zero", "W:Canastone", "W:Canastone"),
    "fault-without-fifteen": ("opening-steps", "E:Canasta", "E:Canasta"),
    "fault-not-replaced": ("red-threes-condition", "E:Canasta", "E:Canasta"),
    "fault-only-fifty": ("opening-steps", "G:Regole sussidiarie", "G:Regole sussidiarie"),
    "fault-black-three-freezes": ("pile", "E:Canasta", "E:Canasta"),
    "fault-wild-unfreezes": ("pile", "E:Canasta", "E:Canasta"),
    "fault-without-going-out": ("end-of-stock", "G:Esecuzione del gioco", "G:Esecuzione del gioco"),
}  # fmt: skip

REASONS = (*_SLIPS, "fault-two-figures", "wild-canastas-read")
"""The codes of the faults that are told, and of a reading that could be another."""

OF_PENALTIES = {"red-three-not-exposed": "fault-two-figures"}
"""The faults in what the sources say of a penalty, by its code."""


_READ = {"fault-opening-from-zero", "fault-without-going-out"}
"""Faults that are told with what is read instead."""


def slips(rules: Ruleset, *codes: str) -> Iterator[Reason]:
    """Those of these faults that touch the rules in force."""
    for code in codes:
        setting, known_by, place = _SLIPS[code]
        if setting in rules.cited and known_by in rules.cited[setting].everywhere:
            yield Reason(code, {}, (place,), (), Standing.READ if code in _READ else Standing.STATED)


def slips_of(rules: Ruleset, setting: str) -> Iterator[Reason]:
    """Those that touch what is told of this setting."""
    yield from slips(rules, *(code for code, (key, _, _) in _SLIPS.items() if key == setting))


def counter_readings(rules: Ruleset, party: Party) -> Iterator[Reason]:
    """That canastas of wild cards alone count as natural or mixed by a reading, where the party has any."""
    if by_reading(rules, party):
        yield reason(rules, "wild-canastas-read", "canastas")


OF_MINIMUMS = ("fault-opening-from-zero", "fault-without-fifteen", "fault-only-fifty")
"""Those of opening minimums."""


def minimum_slips(table: Table) -> Iterator[Reason]:
    """What the sources left out of the opening minimum that holds for the side that the question is about."""
    rules, score = table.rules, table.hand.before[ASKER]
    if score < 0:
        yield from slips(rules, "fault-opening-from-zero")
    # A source is told to leave a minimum out where it is not the one that names it.
    named_by = places(rules, minimum_ground(rules.settings, score, table.hand.deal))
    left_out = ("fault-without-fifteen", "fault-only-fifty") if score < 0 else ("fault-only-fifty",)
    yield from slips(rules, *(code for code in left_out if _SLIPS[code][2] not in named_by))
