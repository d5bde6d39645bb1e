"""Which field a problem leads to: the one it stands in, or one in which what is wrong can be put right."""

from __future__ import annotations

from collections.abc import Mapping

from scorepad.i18n import Language
from scorepad.pad.who import SIDE_KEYS
from scorepad.rules.cards import Kind, read_cards
from scorepad.rules.checks import Excess
from scorepad.rules.judge import Finding
from scorepad.rules.table import BLACK_THREES_SHOWN
from scorepad.web.count import names
from scorepad.web.count.figures import read_figure
from scorepad.web.count.said import Count


def field_to_mend(finding: Finding, count: Count, draft: Mapping[str, str], language: Language) -> str | None:
    """The field that a problem leads to; None where it lies before the hand.

    What all sides have too many of leads to the last field that has some of it.
    """
    field = count.field_of(finding.where)
    if field is not None or finding.where[:1] != ("sides",):
        return field
    kinds = _too_many(finding)
    holding = [name for name in dict.fromkeys(count.fields.values()) if _holds(name, draft, kinds, language)]
    return holding[-1] if holding else count.fields.get(("sides", 0))


def _too_many(finding: Finding) -> frozenset[Kind]:
    """The cards of which there are more than the decks hold."""
    excess = finding.figures.get("excess")
    if isinstance(excess, tuple):
        return frozenset(each.kind for each in excess if isinstance(each, Excess))
    return frozenset({Kind.RED_THREE})


def _holds(name: str, draft: Mapping[str, str], kinds: frozenset[Kind], language: Language) -> bool:
    text = draft.get(name, "")
    if names.is_of_cards(name):
        cards = read_cards(text).cards
        return any(cards.of(kind) for kind in kinds)
    red = {field(key) for key in SIDE_KEYS for field in (names.red, names.red_held)}
    black = {names.counted(key, field) for key in SIDE_KEYS for field in BLACK_THREES_SHOWN}
    counted = (Kind.RED_THREE in kinds and name in red) or (Kind.BLACK_THREE in kinds and name in black)
    return counted and bool(read_figure(text, language))
