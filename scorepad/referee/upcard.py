"""Rulings on the first cards turned up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from scorepad.referee.in_force import is_frozen
from scorepad.referee.questions import UpcardQuestion
from scorepad.referee.reasons import reason
from scorepad.referee.ruling import Details, Reason, Reasons, Ruling, forbidden, silent, value
from scorepad.referee.situation import impossible_cards, kind_of
from scorepad.rules.cards import Kind, Reading, write_cards
from scorepad.rules.definitions import Ruleset
from scorepad.rules.settings import Settings, UpcardEffect

_NUMBERS = {Kind.ACE: 14, Kind.KING: 13, Kind.QUEEN: 12, Kind.JACK: 11}
"""The numbers of the cards without a printed number (W, Canastone)."""

_FREEZING_EFFECTS: tuple[UpcardEffect, ...] = ("freeze", "stay-and-freeze")
"""The effects of a card turned up that freezes the pile."""
_STAYING_EFFECTS: tuple[UpcardEffect, ...] = ("stay", "stay-and-freeze")
"""The effects of a card turned up that is the top card of the pile."""
_WITHOUT_FREEZING: Mapping[UpcardEffect, UpcardEffect] = {
    "freeze": "cover",
    "stay-and-freeze": "stay",
}
"""What the freezing effects are in a game in which no upcard freezes the pile."""


class _Outcome(NamedTuple):
    """What the last card turned up does, and the cards that it took to reach it.

    `pile_size` is that of the pile that the last card tops, 0 if another card is turned on it.
    """

    cards_turned: int
    reasons: tuple[Reason, ...]
    effect: UpcardEffect
    pile_size: int
    was_frozen: bool

    @property
    def is_redeal(self) -> bool:
        """Whether the hand is dealt again."""
        return self.effect == "redeal"

    @property
    def tops_pile(self) -> bool:
        """Whether the last card turned up is the top card of the pile."""
        return self.pile_size > 0


class _CardTurned(NamedTuple):
    """What one card turned up does: why, the effect, and the size of the pile that it tops; 0 if it
    does not.
    """

    reasons: tuple[Reason, ...]
    effect: UpcardEffect
    pile_size: int = 0

    @property
    def is_last(self) -> bool:
        """Whether no other card is turned up after this one."""
        return self.effect == "redeal" or self.pile_size > 0

    @property
    def freezes_pile(self) -> bool:
        return self.effect in _FREEZING_EFFECTS


def rule_upcard(rules: Ruleset, question: UpcardQuestion) -> Ruling:
    """What happens with the first cards turned up, which begin the discard pile.

    Of a nine, the details say `{"top": "9", "frozen": False, "redeal": False, "pile_size": 1}`.
    """
    settings = rules.settings
    if settings.pile == "not-refereed":
        return silent((Reason("upcard-not-refereed"),))
    if settings.upcard == "not-told":
        return silent((reason("upcard-not-told", cited_settings="upcard"),))
    impossible = impossible_cards(rules, *question.cards)
    if impossible:
        return forbidden(impossible)

    outcome = _turn_cards(settings, question.cards)
    reasons = [*outcome.reasons, *_about_number_of_cards(question, outcome)]
    if outcome.is_redeal:
        return value(tuple(reasons), {"redeal": True})
    reasons += _about_freezing_in_general(settings)
    if outcome.tops_pile:
        reasons += _about_cards_below(settings)
    return value(tuple(reasons), _details_of_pile(settings, question, outcome))


def _about_freezing_in_general(settings: Settings) -> Reasons:
    """The comment that in this game the pile is always frozen, or never, whatever is turned up."""
    if settings.freezing == "always":
        yield reason("upcard-always-frozen", cited_settings="freezing")
    elif settings.freezing == "never":
        yield reason("upcard-never-frozen", cited_settings="freezing")


def _about_number_of_cards(question: UpcardQuestion, outcome: _Outcome) -> Reasons:
    """What is said if the question gives too few or too many cards: another card must be turned up,
    or so many cards of the question were not needed.
    """
    is_settled = outcome.is_redeal or outcome.tops_pile
    if not is_settled:
        yield reason("upcard-turn-another", cited_settings="upcard")
    cards_not_needed = len(question.cards) - outcome.cards_turned
    if cards_not_needed > 0:
        yield reason("upcard-too-many", cited_settings="upcard", cards=cards_not_needed)


def _cards_exchanged(settings: Settings) -> int:
    """The cards that the players put on the pile before the upcard, one each; 0 in most games."""
    return sum(settings.sides) if settings.first_exchange else 0


def _about_cards_below(settings: Settings) -> Reasons:
    """What is said of the cards under the first upcard, in a game in which each player puts one
    there: how many they are, and that a source gives a wrong number for the whole pile.
    """
    exchanged = _cards_exchanged(settings)
    if exchanged == 0:
        return
    size_of_pile = exchanged + 1  # with the upcard
    yield reason("upcard-exchanged", cited_settings="first-exchange", cards=exchanged)
    # The source says two cards; the reason names the right number.
    yield reason("fault-first-pile-of-two", cited_settings="first-exchange", cards=size_of_pile)


def _details_of_pile(settings: Settings, question: UpcardQuestion, outcome: _Outcome) -> Details:
    """Whether the pile is frozen and, if a card tops it already, that card and the size of the
    pile.

    Of a nine: `{"top": "9", "frozen": False, "redeal": False, "pile_size": 1}`.
    """
    frozen = is_frozen(settings, is_marked=outcome.was_frozen)
    if not outcome.tops_pile:
        return {"frozen": frozen, "redeal": False}
    top = question.cards[outcome.cards_turned - 1]
    return {
        "top": write_cards(top.cards),
        "frozen": frozen,
        "redeal": False,
        "pile_size": outcome.pile_size + _cards_exchanged(settings),
    }


def _turn_cards(settings: Settings, cards: tuple[Reading, ...]) -> _Outcome:
    """Turn these cards up one after the other, until one tops a pile or the hand is dealt again."""
    reasons: list[Reason] = []
    was_frozen = False
    for cards_turned in range(1, len(cards) + 1):
        turned = _turn_last_card(settings, cards[:cards_turned])
        reasons += turned.reasons
        was_frozen = was_frozen or turned.freezes_pile
        if turned.is_last:
            return _Outcome(
                cards_turned=cards_turned,
                reasons=tuple(reasons),
                effect=turned.effect,
                pile_size=turned.pile_size,
                was_frozen=was_frozen,
            )
    # Each card was to be covered by another one, and so is the last: one more must be turned up.
    return _Outcome(
        cards_turned=len(cards),
        reasons=tuple(reasons),
        effect="cover",
        pile_size=0,
        was_frozen=was_frozen,
    )


def _turn_last_card(settings: Settings, cards: tuple[Reading, ...]) -> _CardTurned:
    """What the last of these cards does when it is turned up on top of the others."""
    kind = kind_of(cards[-1])
    position = len(cards)
    if _are_dealt_again(settings, cards):
        return _deal_again(wilds=_wilds_at_end(cards))
    if kind.is_natural:
        return _turn_natural_card(settings, kind, position)
    if _effect_of_special_card(settings, kind) == "big-pile":
        return _turn_onto_big_pile(settings, kind)
    return _turn_special_card(settings, kind, position)


def _deal_again(*, wilds: int) -> _CardTurned:
    """The effect that the hand is dealt again, because so many wild cards came in a row."""
    why = reason("upcard-wilds-redeal", cited_settings="upcard-wilds-redeal", wilds=wilds)
    return _CardTurned(reasons=(why,), effect="redeal")


def _are_dealt_again(settings: Settings, cards: tuple[Reading, ...]) -> bool:
    """Whether the cards turned up end with so many wild cards that the hand is dealt again."""
    wilds_for_redeal = settings.upcard_wilds_redeal  # 0 in games in which that never happens
    return wilds_for_redeal > 0 and _wilds_at_end(cards) >= wilds_for_redeal


def _wilds_at_end(cards: tuple[Reading, ...]) -> int:
    """How many wild cards follow each other at the end of these cards: two for a nine, a joker and
    a two.
    """
    number = 0
    for card in reversed(cards):
        if not kind_of(card).is_wild:
            break
        number += 1
    return number


def _turn_onto_big_pile(settings: Settings, kind: Kind) -> _CardTurned:
    """A joker or a two turned up, in a game in which it tops a pile of a fixed size: such as 50
    cards under a joker, and 20 under a two.
    """
    size = _size_of_big_pile(settings, kind)
    big_pile = reason(
        "upcard-big-pile",
        cited_settings=(_setting_of_special_card(kind), f"upcard-big-piles/{kind}"),
        card=kind,
        cards=size,
    )
    return _CardTurned(reasons=(big_pile,), effect="big-pile", pile_size=size)


def _size_of_big_pile(settings: Settings, kind: Kind) -> int:
    """The cards of the pile that a joker or a two tops: the setting gives first those under a joker,
    then those under a two.
    """
    under_joker, under_two = settings.upcard_big_piles
    return under_joker if kind is Kind.JOKER else under_two


def _turn_special_card(settings: Settings, kind: Kind, position: int) -> _CardTurned:
    """A wild card or a three turned up at this position (from one), with the effect that the rules
    give it.

    It may stay as the top card of the pile, freeze the pile (which makes it harder to take), be
    covered by another card, or cause a new deal.
    """
    effect = _effect_of_special_card(settings, kind)
    # Where the pile is frozen in any case, the reason must not say that the card freezes it.
    wording = "always" if settings.freezing == "always" else None
    why = reason(
        f"upcard-{effect}",
        cited_settings=_setting_at_position(_setting_of_special_card(kind), position),
        wording=wording,
        card=kind,
    )
    stays_on_top = effect in _STAYING_EFFECTS
    pile_size = position if stays_on_top else 0
    return _CardTurned(reasons=(why,), effect=effect, pile_size=pile_size)


def _turn_natural_card(settings: Settings, kind: Kind, position: int) -> _CardTurned:
    """A natural card turned up at this position (from one): it stays, and tops the pile.

    The pile is the cards turned up and, in some games, as many more as the number of the card: a
    nine turned up second tops a pile of 2 + 9 cards.
    """
    natural = reason("upcard-natural", cited_settings="upcard", card=kind)
    if settings.upcard_pile != "by-number":
        return _CardTurned(reasons=(natural,), effect="stay", pile_size=position)

    cards_below = _number_of_card(kind)
    by_number = reason(
        "upcard-by-number",
        cited_settings=("upcard", _setting_at_position("upcard-pile", position)),
        card=kind,
        number=cards_below,
    )
    pile_size = position + cards_below
    return _CardTurned(reasons=(natural, by_number), effect="stay", pile_size=pile_size)


def _setting_at_position(setting: str, position: int) -> str:
    """The name of what the sources say of a card turned up at this position (from one).

    Some sources say it only of the first card: `upcard-wild` names what they say of that one, and
    `upcard-wild/later` what they say of the others.
    """
    return setting if position == 1 else f"{setting}/later"


def _number_of_card(kind: Kind) -> int:
    """The number of a natural card: 9 for a nine, 13 for a king."""
    if kind in _NUMBERS:
        return _NUMBERS[kind]
    return int(kind.value)


def _setting_of_special_card(kind: Kind) -> str:
    """The setting that says what happens with a wild card or a three turned up."""
    if kind is Kind.RED_THREE:
        return "upcard-red-three"
    if kind is Kind.BLACK_THREE:
        return "upcard-black-three"
    return "upcard-wild"


def _effect_of_special_card(settings: Settings, kind: Kind) -> UpcardEffect:
    """What happens with a wild card or a three turned up.

    In some games no card turned up freezes the pile, whatever else it does.
    """
    if kind is Kind.RED_THREE:
        effect = settings.upcard_red_three
    elif kind is Kind.BLACK_THREE:
        effect = settings.upcard_black_three
    else:
        effect = settings.upcard_wild
    if settings.upcard_freezes == "never":
        return _WITHOUT_FREEZING.get(effect, effect)
    return effect
