"""Known faults of the sources: where a text that an answer rests on has slipped, the answer says so."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from scorepad.rules.rulings.answers import Reason
from scorepad.rules.rulings.casing import reason
from scorepad.rules.rulings.resting import NAMES_ONE_MINIMUM, THE_ONE_MINIMUM, cited
from scorepad.rules.terms import Shape
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
    "fault-only-fifty": ("opening-steps", NAMES_ONE_MINIMUM, NAMES_ONE_MINIMUM),
    "fault-black-three-freezes": ("pile", "E:Canasta", "E:Canasta"),
    "fault-wild-unfreezes": ("pile", "E:Canasta", "E:Canasta"),
    "fault-without-going-out": ("end-of-stock", "G:Esecuzione del gioco", "G:Esecuzione del gioco"),
}  # fmt: skip

REASONS = (*_SLIPS, "fault-two-figures", "wild-canastas-read")
"""The codes of the faults that are told, and of a reading that could be another."""

OF_PENALTIES = {"red-three-not-exposed": "fault-two-figures"}
"""The faults in what the sources say of a penalty, by its code."""


def slips(rules: Ruleset, *codes: str) -> Iterator[Reason]:
    """Those of these faults that touch the rules in force."""
    for code in codes:
        setting, known_by, place = _SLIPS[code]
        if known_by in cited(rules, setting):
            yield Reason(code, {}, (place,))


def slips_of(rules: Ruleset, setting: str) -> Iterator[Reason]:
    """Those that touch what is told of this setting."""
    yield from slips(rules, *(code for code, (key, _, _) in _SLIPS.items() if key == setting))


_OF_WILDS = "wild-canasta-families"
"""The argument by which canastas of wild cards alone count as natural or mixed, where the source only suggests it."""


def counter_readings(rules: Ruleset, items: Collection[str]) -> Iterator[Reason]:
    """That canastas of these items count as natural or mixed by a reading, where they are of wild cards alone."""
    known = rules.cited.get("canastas")
    of_wilds = {kind.item for kind in rules.settings.canastas if kind.shape is Shape.WILDS}
    if known is not None and known.read == _OF_WILDS and of_wilds.intersection(items):
        yield reason(rules, "wild-canastas-read", "canastas")


OF_MINIMUMS = ("fault-opening-from-zero", "fault-without-fifteen", "fault-only-fifty")
"""Those of opening minimums."""


def minimum_slips(rules: Ruleset, score: int, minimum: int) -> Iterator[Reason]:
    """What the sources got wrong or left out of the opening minimum that holds at this match score; points."""
    if score < 0:
        yield from slips(rules, "fault-opening-from-zero", "fault-without-fifteen")
    if minimum != THE_ONE_MINIMUM:
        yield from slips(rules, "fault-only-fifty")
