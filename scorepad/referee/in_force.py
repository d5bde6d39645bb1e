"""What the settings in force say of partners, the pile and going out, as several rulings ask it."""

from __future__ import annotations

from scorepad.rules.cards import Kind
from scorepad.rules.settings import PileTop, Settings


def has_partner(settings: Settings) -> bool:
    """Whether anyone at the table plays with a partner."""
    return max(settings.sides) > 1 or settings.partnership == "single-taker"


def is_frozen(settings: Settings, *, is_marked: bool) -> bool:
    """Whether the pile is frozen; `is_marked` is ignored where it always or never is."""
    return settings.freezing == "always" or (is_marked and settings.freezing != "never")


def naturals_needed(settings: Settings, *, frozen: bool) -> int:
    """The number of natural cards of the top card's rank needed to take the pile, frozen or not."""
    return settings.pile_naturals_frozen if frozen else settings.pile_naturals


def special_top(settings: Settings, card: Kind) -> PileTop | None:
    """How the pile is taken with this special card on top; None if it cannot be."""
    for top in settings.pile_tops:
        if top.card == card:
            return top
    return None


def settings_of_canastas_needed(settings: Settings) -> tuple[str, ...]:
    """The names of the settings that say which canastas going out requires."""
    if settings.canasta_families_needed:
        return ("canastas-needed", "canasta-families-needed")
    return ("canastas-needed",)
