"""What the rulings on a player's whole hand have in common.

The best play is searched for (`best_play`), and then judged by the ruling on melds that a player
shows.
"""

from __future__ import annotations

from dataclasses import replace

from scorepad.referee.best_play import Discards
from scorepad.referee.ruling import Play, Reason, Ruling
from scorepad.referee.situation import gather_readings
from scorepad.rules.cards import BLACK_THREE, NOTHING, RED_THREE, Cards, Reading, build_cards
from scorepad.rules.settings import Settings
from scorepad.rules.turn_checks import may_be_last

BELOW_MINIMUM = "opening-below-minimum"
_WORDED_FOR_HANDS = frozenset({"opening-reached", "top-card-unused"})
"""Reasons with separate words for the best play of a hand, besides that for missing points."""


def table_after(play: Play, table: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """The melds of the side after a play; those of the table come first, in their order."""
    added: dict[int, Reading] = {}
    for laid in play.laid:
        if laid.on is not None:
            added[laid.on] = Reading(laid.cards)
    grown = [gather_readings(meld, added.get(index, NOTHING)) for index, meld in enumerate(table)]
    return (*grown, *play.melds)


def worded_for_hand(ruling: Ruling, play: Play | None) -> Ruling:
    """A ruling on the play found; its reasons are worded for the most that the hand can lay."""
    reasons: list[Reason] = []
    for reason in ruling.reasons:
        lacks_points = reason.code == BELOW_MINIMUM and reason.arguments.get("why") == "points"
        if lacks_points or reason.code in _WORDED_FOR_HANDS:
            reasons.append(replace(reason, arguments={**reason.arguments, "why": "hand"}))
        else:
            reasons.append(reason)
    return replace(ruling, reasons=tuple(reasons), play=play)


def possible_last_discards(settings: Settings, held: Cards, given: Reading | None) -> Discards:
    """The possible last discards of a player who goes out: the one given, or any that the rules
    allow.
    """
    fewest = int(settings.last_discard == "obligatory")
    if given == NOTHING:
        return Discards(number=(fewest, 0))
    cards = given.cards if given else held
    threes = _threes_discarded_together(settings, cards)
    if threes is not None:
        return Discards(aside=threes)
    if given and given.cards.suited:
        return Discards(aside=given.cards)

    kinds = [kind for kind, count in enumerate(cards.counts) if count]
    if given:
        return Discards(tuple(kinds), (1, 1))
    allowed = [kind for kind in kinds if may_be_last(build_cards({kind: 1}), settings)]
    return Discards(tuple(allowed), (fewest, 1))


def _threes_discarded_together(settings: Settings, cards: Cards) -> Cards | None:
    """Threes are discarded together: those that were given, or those that cannot be used
    otherwise.
    """
    number = settings.threes_together
    for kind in (BLACK_THREE, RED_THREE):
        if 0 < number == cards.counts[kind]:
            return build_cards({kind: number})
    return None
