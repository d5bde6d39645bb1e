"""What the settings say of taking the pile, for every ruling that touches on it."""

from __future__ import annotations

from scorepad.rules.cards import Kind
from scorepad.rules.settings import Settings
from scorepad.rules.terms import PileTop


def is_frozen(settings: Settings, *, noted: bool) -> bool:
    """Whether the pile is frozen, where so much is noted of it: in some variants it always is, or never."""
    return settings.freezing == "always" or (noted and settings.freezing != "never")


def naturals_needed(settings: Settings, *, frozen: bool) -> int:
    """The natural cards of the top card's rank with which a pile that is frozen, or not, is taken."""
    return settings.pile_naturals_frozen if frozen else settings.pile_naturals


def special_top(settings: Settings, card: Kind) -> PileTop | None:
    """How the pile is taken with this special card on top; None where it is not."""
    return next((top for top in settings.pile_tops if top.card == card), None)
