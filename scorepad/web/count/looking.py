"""What the rules say of as much of a hand as can be read, and of the sides that are right where another is not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from scorepad.matches.access import SIDE_KEYS
from scorepad.rules.entries import Place
from scorepad.rules.judge import Judgement, SideScore
from scorepad.rules.settings import Otherwise, Partnership, Settings
from scorepad.schemas import Unusable

Ask = Callable[[Mapping[str, Any]], Judgement]
"""What the rules say of a hand in the contract's JSON. Raises contract.Unusable."""


@dataclass(frozen=True, slots=True)
class Looked:
    """What the rules say of what could be read: a judgement, or why there is none.

    `others` is what they say without the sides in `wrong`, where the mistakes are those sides' alone.
    """

    judgement: Judgement | None
    unusable: Unusable | None = None
    others: Judgement | None = None
    wrong: frozenset[int] = frozenset()

    def score(self, position: int) -> SideScore | None:
        """The score of a side, where it stands whatever becomes of the mistakes."""
        judged = self.judgement if self.judgement and self.judgement.is_valid else self.others
        if judged is None or judged.sides is None or (judged is self.others and position in self.wrong):
            return None
        return judged.sides[position]


def look(ask: Ask, hand: Mapping[str, Any], settings: Settings) -> Looked:
    """Ask what the rules say, and again without those who have a mistake."""
    try:
        judgement = ask(hand)
    except Unusable as trouble:
        return _beside(Looked(None, trouble), ask, hand, settings)
    return Looked(judgement) if judgement.is_valid else _beside(Looked(judgement), ask, hand, settings)


def place_of(trouble: Unusable) -> Place:
    """Where in the hand something stands that cannot be used."""
    first, *rest = (int(part) if part.isascii() and part.isdigit() else part for part in trouble.key.split("/"))
    if first == "sides" and rest and rest[0] in SIDE_KEYS:
        return (first, SIDE_KEYS.index(str(rest[0])), *rest[1:])
    return (first, *rest)


def _beside(looked: Looked, ask: Ask, hand: Mapping[str, Any], settings: Settings) -> Looked:
    """The same with what the others have, where no mistake is everybody's and no points pass from side to side."""
    wrong = _in_the_wrong(looked, hand)
    if wrong is None or not _each_for_itself(settings):
        return looked
    sides = {key: {} if SIDE_KEYS.index(key) in wrong else side for key, side in hand["sides"].items()}
    out = hand.get("out")
    out = None if out is None or SIDE_KEYS.index(out["side"]) in wrong else out
    try:
        others = ask({**hand, "sides": sides, "out": out})
    except Unusable:
        return looked
    return Looked(looked.judgement, looked.unusable, others if others.is_valid else None, wrong)


def _in_the_wrong(looked: Looked, hand: Mapping[str, Any]) -> frozenset[int] | None:
    """The sides that have the mistakes; None where one belongs to the hand as a whole."""
    places = [place_of(looked.unusable)] if looked.unusable else []
    places += [finding.where for finding in (looked.judgement.findings if looked.judgement else ()) if finding.is_error]
    out = SIDE_KEYS.index(hand["out"]["side"]) if hand.get("out") else None
    sides = [
        out if place[0] == "out" else place[1] if place[0] == "sides" and len(place) > 1 else None for place in places
    ]
    whose = frozenset(side for side in sides if isinstance(side, int))
    return whose if all(isinstance(side, int) for side in sides) else None


def _each_for_itself(settings: Settings) -> bool:
    """Whether what a side scores never depends on what another laid."""
    handed = settings.red_threes_otherwise is Otherwise.TO_OPPONENTS
    shared = any(share.opponents for share in settings.red_threes_by_families)
    return settings.partnership is Partnership.FIXED and not handed and not shared
