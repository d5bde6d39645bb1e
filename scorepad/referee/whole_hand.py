"""What the rulings on a player's whole hand have in common.

The best play is searched for (`best_play`), and then judged by the ruling on melds that a player
shows.
"""

from __future__ import annotations

from dataclasses import replace

from scorepad.referee.best_play import Discards
from scorepad.referee.ruling import Play, Reason, Ruling
from scorepad.rules.cards import (
    BLACK_THREE,
    NOTHING,
    RED_THREE,
    Cards,
    Reading,
    build_cards,
    gather_readings,
)
from scorepad.rules.settings import Settings
from scorepad.rules.turn_checks import may_be_last

BELOW_MINIMUM = "opening-below-minimum"
_REASONS_WITH_WORDING_FOR_HAND = ("opening-reached", "top-card-unused")
"""Reasons that have another wording for a whole hand (their argument `why` is `hand`)."""


def table_after(play: Play, table: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """The melds of the side after a play; those of the table come first, in their order."""
    melds = list(table)
    for laid in play.laid:
        if laid.on is not None:
            melds[laid.on] = gather_readings(melds[laid.on], Reading(laid.cards))
    return (*melds, *play.melds)


def kinds_among(cards: Cards) -> list[int]:
    """The kinds of these cards, as indices of `cards.KINDS`."""
    return [kind for kind, count in enumerate(cards.counts) if count]


# ------------------------------------------------------------------------------------------- words


def worded_for_hand(ruling: Ruling, play: Play | None) -> Ruling:
    """The ruling on the best play; its reasons say what the hand can do, not what was shown."""
    reasons = tuple(_reason_for_hand(reason) for reason in ruling.reasons)
    return replace(ruling, reasons=reasons, play=play)


def _reason_for_hand(reason: Reason) -> Reason:
    """The reason in the wording about all the cards that a player holds, if it has one.

    In place of "you laid 60 points" it then says that "this hand can lay 60 points".
    """
    lacks_points = reason.code == BELOW_MINIMUM and reason.arguments.get("why") == "points"
    if lacks_points or reason.code in _REASONS_WITH_WORDING_FOR_HAND:
        return replace(reason, arguments={**reason.arguments, "why": "hand"})
    return reason


# -------------------------------------------------------------------------------- the last discard


def possible_last_discards(
    settings: Settings, hand: Cards, named_discard: Reading | None
) -> Discards:
    """The possible last discards of a player who goes out.

    `named_discard` is the one that the question names, `NOTHING` if it says that there is none;
    None if any that the rules allow will do.
    """
    if named_discard is None:
        return _allowed_last_discards(settings, hand)
    if named_discard == NOTHING:
        return _no_last_discard(settings)
    return _only_this_last_discard(settings, named_discard.cards)


def _no_last_discard(settings: Settings) -> Discards:
    """No discard at all. Where one is obligatory, no play is within these limits: at least one card
    and at most none.
    """
    return Discards(fewest=_fewest_last_discards(settings), most=0)


def _only_this_last_discard(settings: Settings, named: Cards) -> Discards:
    """Exactly the discard that is named: a card, or threes that go together."""
    threes = _threes_discarded_together(settings, named)
    if threes is not None:
        return Discards(aside=threes)
    if named.suited:  # no other card of its kind will do
        return Discards(aside=named)
    return Discards(tuple(kinds_among(named)), fewest=1, most=1)


def _allowed_last_discards(settings: Settings, hand: Cards) -> Discards:
    """Any last discard of this hand that the rules allow: one card or, if the hand holds as many
    threes of one colour as go together, these.
    """
    threes = _threes_discarded_together(settings, hand)
    if threes is not None:
        return Discards(aside=threes)
    allowed: list[int] = []
    for kind in kinds_among(hand):
        one_card = build_cards({kind: 1})
        if may_be_last(one_card, settings):
            allowed.append(kind)
    return Discards(tuple(allowed), fewest=_fewest_last_discards(settings), most=1)


def _fewest_last_discards(settings: Settings) -> int:
    """One card where the last discard is obligatory, otherwise none."""
    return 1 if settings.last_discard == "obligatory" else 0


def _threes_discarded_together(settings: Settings, cards: Cards) -> Cards | None:
    """As many threes of one colour as the rules let a player discard at once, if these cards hold
    exactly that many.
    """
    number = settings.threes_together
    for kind in (BLACK_THREE, RED_THREE):
        if 0 < number == cards.counts[kind]:
            return build_cards({kind: number})
    return None
