"""Known faults of the sources: where a text that an answer rests on has slipped, the answer says so."""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.rules.rulings.answers import Reason
from scorepad.rules.rulings.casing import cited
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
    "fault-only-fifty": ("opening-steps", "G:Regole sussidiarie", "G:Regole sussidiarie"),
    "fault-black-three-freezes": ("pile", "E:Canasta", "E:Canasta"),
    "fault-wild-unfreezes": ("pile", "E:Canasta", "E:Canasta"),
    "fault-without-going-out": ("end-of-stock", "G:Esecuzione del gioco", "G:Esecuzione del gioco"),
}  # fmt: skip

REASONS = (*_SLIPS, "fault-two-figures")
"""The codes of the faults that are told."""

OF_PENALTIES = {"red-three-not-exposed": "fault-two-figures"}
"""The faults in what the sources say of a penalty, by its code."""


_THE_ONE_MINIMUM = 50
"""Points: the opening minimum of the source that names only one (G)."""


def slips(rules: Ruleset, *codes: str) -> Iterator[Reason]:
    """Those of these faults that touch the rules in force."""
    for code in codes:
        setting, known_by, place = _SLIPS[code]
        if known_by in cited(rules, setting):
            yield Reason(code, {}, (place,))


def minimum_slips(rules: Ruleset, score: int, minimum: int) -> Iterator[Reason]:
    """What the sources got wrong or left out of the opening minimum that holds at this match score; points."""
    if score < 0:
        yield from slips(rules, "fault-opening-from-zero", "fault-without-fifteen")
    if minimum != _THE_ONE_MINIMUM:
        yield from slips(rules, "fault-only-fifty")
