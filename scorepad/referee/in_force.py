"""What the settings in force say of partners, the pile and going out, as several rulings ask it."""

from __future__ import annotations

from scorepad.rules.cards import Kind
from scorepad.rules.settings import PileTop, Settings


def has_partner(settings: Settings) -> bool:
    """Tell whether anyone plays with a partner: two pairs → True, two single players → False.

    In one game of three the first to take the discard pile plays alone against the two others, who
    are partners then → True.
    """
    players_of_largest_side = max(settings.sides)
    is_first_taker_alone = settings.partnership == "single-taker"
    return players_of_largest_side > 1 or is_first_taker_alone


def is_frozen(settings: Settings, *, is_marked: bool) -> bool:
    """Tell whether the discard pile is frozen, which makes it harder to take.

    `is_marked`: a card that freezes the pile lies in it. It is ignored in games in which the pile
    is always frozen, or never.
    """
    if settings.freezing == "always":
        return True
    if settings.freezing == "never":
        return False
    return is_marked


def count_naturals_needed(settings: Settings, *, frozen: bool) -> int:
    """Return how many cards equal to its top card a player must hold to take the discard pile.

    In the classic game, with a king on top, it is one king of the hand; if the pile is frozen, it
    is two. Jokers and twos in place of kings do not count.
    """
    if frozen:
        return settings.pile_naturals_frozen
    return settings.pile_naturals


def find_rule_for_special_top(settings: Settings, card: Kind) -> PileTop | None:
    """Find the rule by which a player takes the discard pile with this joker, two or three on top.

    In mini, with a two on top: `PileTop(card="2", more=4, used="melded")`, that is, four more twos
    are needed. None if the pile cannot be taken then.
    """
    for top in settings.pile_tops:
        if top.card == card:
            return top
    return None


def list_settings_of_canastas_needed(settings: Settings) -> tuple[str, ...]:
    """Return the names of the settings that say which canastas a side needs before it goes out.

    A canasta is a meld (group) of seven cards or more.

    - most games → `("canastas-needed",)`, how many
    - games that ask for certain families of canastas, such as one without jokers and twos → also
      `"canasta-families-needed"`
    """
    if settings.canasta_families_needed:
        return ("canastas-needed", "canasta-families-needed")
    return ("canastas-needed",)
