"""What the settings in force say of partners, the pile and going out, as several rulings ask it."""

from __future__ import annotations

from collections.abc import Iterable

from scorepad.rules.cards import (
    INDEX,
    JOKER,
    TWO,
    Kind,
    Reading,
    build_cards,
    gather_readings,
    subtract_cards,
)
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


def has_canasta_of_rank(settings: Settings, kind: Kind, melds: Iterable[Reading] | None) -> bool:
    """Tell whether these melds have a canasta (a meld of seven cards or more) of this rank.

    `7xK` for kings → True; `3xK` → False. None, for melds that are not known, → False.
    """
    if melds is None:
        return False
    return any(
        meld.cards.ranks == (INDEX[kind],) and meld.cards.size >= settings.canasta_length
        for meld in melds
    )


def leave_reclaimed_wilds_out(
    settings: Settings, on_table: Reading, laid: Reading
) -> Reading | None:
    """Return the natural canasta that is left when a meld of the table gives its wild cards back.

    In some games a canasta (seven cards or more) does so once it has natural cards enough: `K` laid
    on `6xK 2` → `7xK`. The wild cards, jokers and twos, are taken into the hand. None in all other
    cases.
    """
    if settings.meld_wilds_stay != "until-natural":
        return None
    wilds_on_table = on_table.cards.wilds
    if wilds_on_table == 0 or laid.cards.wilds > 0:
        return None
    whole = gather_readings(on_table, laid)
    is_of_one_rank = len(whole.cards.ranks) == 1
    has_naturals_enough = whole.cards.naturals >= settings.canasta_length
    if not is_of_one_rank or not has_naturals_enough or whole.unknown:
        return None
    wilds = {kind: whole.cards.counts[kind] for kind in (JOKER, TWO)}
    return Reading(subtract_cards(whole.cards, build_cards(wilds)))


def is_dead(
    settings: Settings,
    kind: Kind,
    *,
    own_melds: Iterable[Reading] | None,
    opponents: Iterable[Reading] | None,
) -> bool:
    """Tell whether cards of a rank are dead: a side has a canasta of it, so that nobody melds it.

    In most games no card is ever dead. Melds that are not known are None.
    """
    if settings.dead_ranks == "none" or not kind.is_natural:
        return False
    if has_canasta_of_rank(settings, kind, own_melds):
        return True
    return has_canasta_of_rank(settings, kind, opponents)


def may_be_dead(
    settings: Settings,
    kind: Kind,
    *,
    own_melds: Iterable[Reading] | None,
    opponents: Iterable[Reading] | None,
) -> bool:
    """Tell whether cards of a rank may be dead for all that is known: the melds of a side are None.

    Call it for cards that are not known to be dead.
    """
    if settings.dead_ranks == "none" or not kind.is_natural:
        return False
    return own_melds is None or opponents is None


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
