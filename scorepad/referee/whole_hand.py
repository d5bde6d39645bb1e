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
    """The melds of the side after a play: those of the table, with the cards that the play lays on
    them, and then its new melds.

    With `4xK` on the table, a play of one king on it and of `3x8` results in `5xK` and `3x8`.
    """
    melds_of_table = list(table)
    for laid in play.laid:
        index_on_table = laid.on
        if index_on_table is not None:
            before = melds_of_table[index_on_table]
            melds_of_table[index_on_table] = gather_readings(before, Reading(laid.cards))
    return (*melds_of_table, *play.melds)


def kinds_among(cards: Cards) -> list[int]:
    """The kinds of these cards, as indices of `cards.KINDS`."""
    return [kind for kind, count in enumerate(cards.counts) if count]


# ------------------------------------------------------------------------------------------- words


def worded_for_hand(ruling: Ruling, play: Play | None) -> Ruling:
    """The ruling on the best play; its reasons say what the hand can do, not what was shown."""
    reasons = tuple(_reason_for_hand(reason) for reason in ruling.reasons)
    return replace(ruling, reasons=reasons, play=play)


def _reason_for_hand(shown: Reason) -> Reason:
    """A reason about cards that were shown, in the wording about all the cards that a player holds.

    In place of "you laid 60 points" it then says that "this hand can lay 60 points". A reason
    without such a wording stays as it is.
    """
    wording = shown.arguments.get("why")
    is_short_of_points = shown.code == BELOW_MINIMUM and wording == "points"
    if is_short_of_points or shown.code in _REASONS_WITH_WORDING_FOR_HAND:
        return replace(shown, arguments={**shown.arguments, "why": "hand"})
    return shown


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
    """The last discards for a player who wants to discard nothing: at most none.

    In a game in which one must discard a last card, no number of discards will do: it would be at
    least one and at most none. So no play is found, as it should be.
    """
    return Discards(fewest=_fewest_last_discards(settings), most=0)


def _only_this_last_discard(settings: Settings, named: Cards) -> Discards:
    """The last discards for a player who names the one to be made.

    Threes that are discarded together, or a card with its suit such as `Kh`, are exactly these
    cards. `K` is any king of the hand.
    """
    threes = _threes_discarded_together(settings, named)
    if threes is not None:
        return Discards(set_aside=threes)
    names_suit = len(named.suited) > 0
    if names_suit:
        return Discards(set_aside=named)
    any_of_kind = tuple(kinds_among(named))
    return Discards(kinds=any_of_kind, fewest=1, most=1)


def _allowed_last_discards(settings: Settings, hand: Cards) -> Discards:
    """The last discards that the rules allow for this hand, for a player who names none.

    If the hand holds as many threes of one colour as may be discarded at once, these are put aside.
    Otherwise it is one card of an allowed kind.
    """
    threes = _threes_discarded_together(settings, hand)
    if threes is not None:
        return Discards(set_aside=threes)
    allowed_kinds: list[int] = []
    for kind in kinds_among(hand):
        one_card = build_cards({kind: 1})
        if may_be_last(one_card, settings):
            allowed_kinds.append(kind)
    return Discards(kinds=tuple(allowed_kinds), fewest=_fewest_last_discards(settings), most=1)


def _fewest_last_discards(settings: Settings) -> int:
    """One card where the last discard is obligatory, otherwise none."""
    return 1 if settings.last_discard == "obligatory" else 0


def _threes_discarded_together(settings: Settings, cards: Cards) -> Cards | None:
    """The threes of one colour among these cards, if they are exactly as many as the rules let a
    player discard at once; None otherwise.

    Where four go together, the black threes of `4x3b K K` are.
    """
    number_together = settings.threes_together
    if number_together == 0:  # no threes may be discarded at once
        return None
    for kind in (BLACK_THREE, RED_THREE):
        number_of_threes = cards.counts[kind]
        if number_of_threes == number_together:
            return build_cards({kind: number_together})
    return None
