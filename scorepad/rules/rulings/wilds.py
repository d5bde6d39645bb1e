"""Wild cards laid in the turn in which the pile is taken: by a side that they bind, or on a complete canasta."""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.rules.cards import Reading
from scorepad.rules.checks import Figure
from scorepad.rules.melds import Meld, canasta_of, is_incomplete_wild_meld, read_meld, shape_of
from scorepad.rules.rulings.answers import Reason
from scorepad.rules.rulings.casing import reason
from scorepad.rules.rulings.top_card import Use
from scorepad.rules.settings import Settings
from scorepad.rules.terms import Shape
from scorepad.rules.variants import Ruleset

REASONS = ("wild-on-canasta", "wilds-blocked", "mixed-blocked")
"""The codes of its own reasons."""


def against_wilds(rules: Ruleset, table: tuple[Reading, ...], laid: tuple[Reading, ...], use: Use) -> Iterator[Reason]:
    """What forbids the wild cards of these melds, or the canasta that the top card makes."""
    settings = rules.settings
    if use.onto is not None and use.number is not None:
        yield from against_wilds_on(rules, read_meld(use.onto.cards), laid[use.number].cards.wilds)
    bound = any(is_incomplete_wild_meld(read_meld(meld.cards), settings) for meld in table)
    if settings.wilds_blocked == "nothing" or not bound:
        return
    used = sum(meld.cards.wilds for meld in laid if meld.cards.naturals)
    if used:
        yield reason(rules, "wilds-blocked", "wilds-blocked", wilds=used)
    elif settings.wilds_blocked == "wilds-and-mixed" and _completes_mixed(settings, use):
        yield reason(rules, "mixed-blocked", "wilds-blocked", cards=use.meld.cards.size)


def against_wilds_on(rules: Ruleset, on: Meld, wilds: int) -> Iterator[Reason]:
    """What forbids to lay so many wild cards on a meld: that it is a canasta by then, where none may come on those.

    Natural cards laid with them may come after the wild ones, so that only these can be too many.
    """
    settings = rules.settings
    stay = min(wilds, on.size + wilds - settings.canasta_length)
    # Of canastas of wild cards alone nobody says it.
    if stay <= 0 or settings.wild_on_canasta != "forbidden" or shape_of(on, settings) is Shape.WILDS:
        return
    completes: dict[str, Figure] = {"why": "completes"} if on.size < settings.canasta_length else {}
    yield reason(rules, "wild-on-canasta", "wild-on-canasta", wilds=stay, cards=on.size, **completes)


def _completes_mixed(settings: Settings, use: Use) -> bool:
    """Whether a mixed meld of the table becomes a canasta."""
    was = None if use.onto is None else canasta_of(read_meld(use.onto.cards), settings)
    return was is None and use.meld.cards.wilds > 0 and canasta_of(read_meld(use.meld.cards), settings) is not None
