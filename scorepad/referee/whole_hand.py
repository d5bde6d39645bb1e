"""What the rulings on a player's whole hand have in common.

The best play is searched for (`best_play`), and then judged by the ruling on melds that a player
shows.
"""

from __future__ import annotations

from dataclasses import replace

from scorepad.referee.best_play import CardsNotLaid
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
from scorepad.rules.turn_checks import may_be_last_discard

BELOW_MINIMUM = "opening-below-minimum"
_REASONS_WITH_WORDING_FOR_HAND = ("opening-reached", "top-card-unused")
"""Reasons that have another wording for a whole hand (their argument `why` is `hand`)."""


def table_after(play: Play, table: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """List the melds (groups of cards) of a side after a play: those of the table, then new ones.

    `play` says which cards are laid. With `4xK` on the table, and a play that lays one king on it
    and `3x8` as a new meld → `5xK` and `3x8`.
    """
    melds = list(table)
    for laid in play.laid:
        index_on_table = laid.on
        if index_on_table is None:  # a new meld
            continue
        before = melds[index_on_table]
        melds[index_on_table] = gather_readings(before, Reading(laid.cards))
    return (*melds, *play.melds)


def kinds_among(cards: Cards) -> list[int]:
    """List the kinds of these cards, each once, as indices of `cards.KINDS`: `K K 8` → `[3, 8]`."""
    return [kind for kind, count in enumerate(cards.counts) if count > 0]


# ------------------------------------------------------------------------------------------- words


def worded_for_hand(ruling: Ruling, play: Play | None) -> Ruling:
    """Reword an answer about melds shown, so that it speaks of what the whole hand can do.

    "You laid 60 points" becomes "this hand can lay 60 points". `play` is the best way to play the
    hand, which the answer shows; None if there is none.
    """
    reasons = tuple(_reword_for_hand(reason) for reason in ruling.reasons)
    return replace(ruling, reasons=reasons, play=play)


def _reword_for_hand(shown: Reason) -> Reason:
    """Reword one sentence of an answer about melds shown, so that it speaks of the whole hand.

    "You laid 60 points" becomes "this hand can lay 60 points". A sentence without such a second
    wording stays as it is.
    """
    if not _has_wording_for_hand(shown):
        return shown
    # The argument `why` of a sentence chooses one of its wordings.
    return replace(shown, arguments={**shown.arguments, "why": "hand"})


def _has_wording_for_hand(shown: Reason) -> bool:
    """Tell whether a sentence about melds shown has a second wording, about a whole hand."""
    if shown.code == BELOW_MINIMUM:  # it has only if it tells the points that are missing
        return shown.arguments.get("why") == "points"
    return shown.code in _REASONS_WITH_WORDING_FOR_HAND


# -------------------------------------------------------------------------------- the last discard


def possible_last_discards(
    settings: Settings, hand: Cards, named_discard: Reading | None
) -> CardsNotLaid:
    """Find what a player who ends the round may discard as the last card.

    `named_discard` is what the question says of it:

    - a card, such as `K` → exactly that one
    - `NOTHING` → none, because all cards are laid on the table
    - None, if the question does not say → any card that the rules allow
    """
    if named_discard is None:
        return _find_allowed_last_discards(settings, hand)
    if named_discard == NOTHING:
        # A game in which a card must be discarded asks for at least one, and there is none. So no
        # play is found, and the answer is that the player may not do it.
        return CardsNotLaid(fewest=_fewest_last_discards(settings), most=0)
    return _discard_only(settings, named_discard.cards)


def _discard_only(settings: Settings, named: Cards) -> CardsNotLaid:
    """Describe the last discard of a player who names the card to be discarded.

    - `Kh`, with its suit → exactly this card is put aside
    - `K` → one king, whichever of the hand fits best
    - `4x3b`, in a game in which four black threes go at once → these four are put aside
    """
    threes = _find_threes_to_discard_together(settings, named)
    if threes is not None:
        return CardsNotLaid(set_aside=threes)
    names_suit = len(named.suited) > 0
    if names_suit:
        return CardsNotLaid(set_aside=named)
    return CardsNotLaid(kinds=tuple(kinds_among(named)), fewest=1, most=1)


def _find_allowed_last_discards(settings: Settings, hand: Cards) -> CardsNotLaid:
    """Find the last discards that the rules allow for this hand, if the player names none.

    - most hands → one card of an allowed kind: in most games no joker and no three
    - a hand with exactly four black threes, in a game in which four of them may be discarded at
      once → these four
    """
    threes = _find_threes_to_discard_together(settings, hand)
    if threes is not None:
        return CardsNotLaid(set_aside=threes)

    allowed_kinds: list[int] = []
    for kind in kinds_among(hand):
        one_card = build_cards({kind: 1})
        if may_be_last_discard(one_card, settings):
            allowed_kinds.append(kind)
    return CardsNotLaid(kinds=tuple(allowed_kinds), fewest=_fewest_last_discards(settings), most=1)


def _fewest_last_discards(settings: Settings) -> int:
    """Return 1 in a game in which a player who ends the round must discard a last card, otherwise 0."""
    return 1 if settings.last_discard == "obligatory" else 0


def _find_threes_to_discard_together(settings: Settings, cards: Cards) -> Cards | None:
    """Find threes of one colour among these cards that may all be discarded at once.

    The rules say how many they must be. Where it is four: `4x3b K K` → `4x3b`, `3x3b K K` → None.
    """
    number_together = settings.threes_together
    if number_together == 0:  # this game has no such rule
        return None
    for kind in (BLACK_THREE, RED_THREE):
        if cards.counts[kind] == number_together:
            return build_cards({kind: number_together})
    return None
