"""Wild cards laid in the turn in which the pile is taken: by a side that they bind, or on a complete canasta."""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.rules.cards import Reading
from scorepad.rules.melds import canasta_of, read_meld, shape_of
from scorepad.rules.rulings.answers import Reason
from scorepad.rules.rulings.casing import reason
from scorepad.rules.rulings.top_card import Use
from scorepad.rules.settings import Settings
from scorepad.rules.terms import Shape
from scorepad.rules.variants import Ruleset

REASONS = ("wilds-blocked", "mixed-blocked")
"""The codes of its own reasons, beside those of laying off."""


def against_wilds(rules: Ruleset, table: tuple[Reading, ...], laid: tuple[Reading, ...], use: Use) -> Iterator[Reason]:
    """What forbids the wild cards of these melds, or the canasta that the top card makes."""
    settings = rules.settings
    wilds = laid[use.number].cards.wilds if use.number is not None else 0
    if use.onto is not None and wilds and _is_closed_to_wilds(settings, use.onto):
        size = use.onto.cards.size
        yield reason(rules, "wild-on-canasta", "wild-on-canasta", wilds=wilds, cards=size)
    if settings.wilds_blocked == "nothing" or not any(_binds(settings, meld) for meld in table):
        return
    used = sum(meld.cards.wilds for meld in laid if meld.cards.naturals)
    if used:
        yield reason(rules, "wilds-blocked", "wilds-blocked", wilds=used)
    elif settings.wilds_blocked == "wilds-and-mixed" and _completes_mixed(settings, use):
        yield reason(rules, "mixed-blocked", "wilds-blocked", cards=use.meld.cards.size)


def _is_closed_to_wilds(settings: Settings, meld: Reading) -> bool:
    return settings.wild_on_canasta == "forbidden" and canasta_of(read_meld(meld.cards), settings) is not None


def _binds(settings: Settings, reading: Reading) -> bool:
    """Whether a meld is of wild cards alone and no canasta."""
    meld = read_meld(reading.cards)
    return shape_of(meld, settings) is Shape.WILDS and canasta_of(meld, settings) is None


def _completes_mixed(settings: Settings, use: Use) -> bool:
    """Whether a mixed meld of the table becomes a canasta."""
    was = None if use.onto is None else canasta_of(read_meld(use.onto.cards), settings)
    return was is None and use.meld.cards.wilds > 0 and canasta_of(read_meld(use.meld.cards), settings) is not None
