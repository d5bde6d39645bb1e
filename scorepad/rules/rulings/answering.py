"""The whole answer to a question: the ruling, and where it would be another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from scorepad.rules.rulings.answers import Reason, Ruling, Verdict
from scorepad.rules.rulings.asked import Asked
from scorepad.rules.rulings.elsewhere import Elsewhere, elsewhere
from scorepad.rules.rulings.registry import rule
from scorepad.rules.variants import Ruleset, get_variant

_OPPOSITE = {Verdict.ALLOWED, Verdict.FORBIDDEN}


@dataclass(frozen=True, slots=True)
class Answer:
    """A ruling under some rules, and where the same question is answered otherwise."""

    ruling: Ruling
    others: tuple[Elsewhere, ...]


def answer_to(rules: Ruleset, asked: Asked) -> Answer:
    """Answer a question under these rules.

    A text whose own codification says the contrary does not stand for the ruling, though it may agree with a part of
    what it rests on.
    """
    ruling = rule(rules, asked)
    others = elsewhere(rules, asked, ruling)
    dissenting = _dissenting(rules, ruling, others)
    return Answer(replace(ruling, reasons=tuple(_without(why, dissenting) for why in ruling.reasons)), others)


def _dissenting(rules: Ruleset, ruling: Ruling, others: Iterable[Elsewhere]) -> frozenset[str]:
    """The sources by whose codification the answer is the contrary."""
    against = [other.preset for other in others if {ruling.verdict, other.ruling.verdict} == _OPPOSITE]
    # A table's own options beside a codification are no word of its source.
    presets = [name for name in against if name is not None and name != rules.preset]
    return frozenset(get_variant(rules.variant).presets[name].source for name in presets)


def _without(why: Reason, dissenting: frozenset[str]) -> Reason:
    """The reason without those sources, as long as any other says it."""
    left = tuple(place for place in why.sources if place.partition(":")[0] not in dissenting)
    return replace(why, sources=left) if left else why
