"""Which fields a problem stands beside, and leads to: the one it was typed in, or those where it can be put right."""

from __future__ import annotations

from collections.abc import Mapping

from scorepad.i18n import Language
from scorepad.matches.access import SIDE_KEYS
from scorepad.rules.cards import Kind, read_cards
from scorepad.rules.checks import Excess
from scorepad.rules.judge import Finding
from scorepad.rules.table import BLACK_THREES_SHOWN
from scorepad.web.count import names
from scorepad.web.count.said import Count
from scorepad.web.figures import read_figure


def field_to_mend(finding: Finding, count: Count, draft: Mapping[str, str], language: Language) -> str | None:
    """The field that a problem leads to; None where it lies before the hand.

    What all sides have too many of leads to the last field that has some of it.
    """
    fields = fields_beside(finding, count, draft, language)
    if fields or not _is_of_all(finding):
        return fields[-1] if fields else None
    return count.fields.get(("sides", 0))


def fields_beside(finding: Finding, count: Count, draft: Mapping[str, str], language: Language) -> tuple[str, ...]:
    """The fields that a problem stands beside; none where it stands above them all.

    What all sides have too many of stands beside the last field of each that has some of it.
    """
    if not _is_of_all(finding):
        field = count.field_of(finding.where)
        return () if field is None else (field,)
    kinds = _too_many(finding)
    holding = [name for name in dict.fromkeys(count.fields.values()) if _holds(name, draft, kinds, language)]
    return tuple({name[0] if name[1:2] == "-" else name: name for name in holding}.values())


def _is_of_all(finding: Finding) -> bool:
    """Whether a problem lies with all sides together."""
    return finding.where == ("sides",)


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
