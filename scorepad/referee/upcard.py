"""Rulings on the first cards turned up."""

from __future__ import annotations

from typing import NamedTuple

from scorepad.referee.in_force import is_frozen
from scorepad.referee.questions import UpcardQuestion
from scorepad.referee.reasons import reason
from scorepad.referee.ruling import Details, Reason, Reasons, Ruling, forbidden, silent, value
from scorepad.referee.situation import impossible_cards, kind_of
from scorepad.rules.cards import Kind, Reading, write_cards
from scorepad.rules.checks import MessageArgument
from scorepad.rules.definitions import Ruleset
from scorepad.rules.settings import Settings, UpcardEffect

_NUMBERS = {Kind.ACE: 14, Kind.KING: 13, Kind.QUEEN: 12, Kind.JACK: 11}
"""The numbers of the cards without a printed number (W, Canastone)."""


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


def rule_upcard(rules: Ruleset, question: UpcardQuestion) -> Ruling:
    """What happens with the first cards turned up."""
    settings = rules.settings
    if settings.pile == "not-refereed":
        return silent((Reason("upcard-not-refereed"),))
    if settings.upcard == "not-told":
        return silent((reason("upcard-not-told", "upcard"),))
    wrong = impossible_cards(rules, *question.cards)
    if wrong:
        return forbidden(wrong)

    outcome = _turn_cards(settings, question.cards)
    reasons = [*outcome.reasons, *_about_number_of_cards(question, outcome)]
    if outcome.effect == "redeal":
        return value(tuple(reasons), {"redeal": True})
    if settings.freezing != "discarded-wild":
        # Always or never frozen, regardless of the cards turned.
        reasons.append(reason(f"upcard-{settings.freezing}-frozen", "freezing"))
    if outcome.tops_pile:
        reasons += _about_cards_below(settings)
    return value(tuple(reasons), _details_of_pile(settings, question, outcome))


def _about_number_of_cards(question: UpcardQuestion, outcome: _Outcome) -> Reasons:
    """That another card is to be turned up, or that too many were given."""
    if outcome.effect != "redeal" and not outcome.tops_pile:
        yield reason("upcard-turn-another", "upcard")
    too_many = len(question.cards) - outcome.cards_turned
    if too_many:
        yield reason("upcard-too-many", "upcard", cards=too_many)


def _cards_exchanged(settings: Settings) -> int:
    """The cards that the players put on the pile before the upcard, one each; 0 in most games."""
    return sum(settings.sides) if settings.first_exchange else 0


def _about_cards_below(settings: Settings) -> Reasons:
    """The cards that the players put on the pile before the upcard, if any; the source miscounts
    the pile with them.
    """
    exchanged = _cards_exchanged(settings)
    if exchanged:
        yield reason("upcard-exchanged", "first-exchange", cards=exchanged)
        yield reason("fault-first-pile-of-two", "first-exchange", cards=exchanged + 1)


def _details_of_pile(settings: Settings, question: UpcardQuestion, outcome: _Outcome) -> Details:
    """Whether the pile is frozen and, if a card tops it already, that card and the size of the
    pile.
    """
    details: Details = {}
    if outcome.tops_pile:
        top = question.cards[outcome.cards_turned - 1]
        details["top"] = write_cards(top.cards)
    details["frozen"] = is_frozen(settings, is_marked=outcome.was_frozen)
    details["redeal"] = False
    if outcome.tops_pile:
        details["pile_size"] = outcome.pile_size + _cards_exchanged(settings)
    return details


def _turn_cards(settings: Settings, cards: tuple[Reading, ...]) -> _Outcome:
    """Turn cards up until one tops a pile, or the hand is dealt again."""
    reasons: list[Reason] = []
    was_frozen = False
    wilds_in_a_row = 0
    for position, card in enumerate(cards, 1):
        kind = kind_of(card)
        wilds_in_a_row = wilds_in_a_row + 1 if kind.is_wild else 0
        if 0 < settings.upcard_wilds_redeal <= wilds_in_a_row:
            redeal = reason("upcard-wilds-redeal", "upcard-wilds-redeal", wilds=wilds_in_a_row)
            return _Outcome(position, (*reasons, redeal), "redeal", 0, was_frozen)
        turned = _turn_card(settings, kind, position)
        reasons += turned.reasons
        was_frozen = was_frozen or turned.effect in ("freeze", "stay-and-freeze")
        if turned.effect == "redeal" or turned.pile_size:
            return _Outcome(position, tuple(reasons), turned.effect, turned.pile_size, was_frozen)
    return _Outcome(len(cards), tuple(reasons), "cover", 0, was_frozen)


def _turn_card(settings: Settings, kind: Kind, position: int) -> _CardTurned:
    """What happens with a card turned up at this position."""
    if kind.is_natural:
        return _turn_natural_card(settings, kind, position)
    setting, effect = _effect_of_special_card(settings, kind)
    if effect == "big-pile":
        size = settings.upcard_big_piles[(Kind.JOKER, Kind.TWO).index(kind)]
        big = reason("upcard-big-pile", setting, f"upcard-big-piles/{kind}", card=kind, cards=size)
        return _CardTurned((big,), effect, size)

    step = _at_position(setting, position)
    arguments: dict[str, MessageArgument] = {"card": kind}
    if settings.freezing == "always":
        # No card freezes the pile or leaves it free.
        arguments["why"] = "always"
    stays = effect in ("stay", "stay-and-freeze")
    effect_reason = reason(f"upcard-{effect}", step, **arguments)
    return _CardTurned((effect_reason,), effect, position if stays else 0)


def _turn_natural_card(settings: Settings, kind: Kind, position: int) -> _CardTurned:
    natural = reason("upcard-natural", "upcard", card=kind)
    if settings.upcard_pile != "by-number":
        return _CardTurned((natural,), "stay", position)
    # As many more cards are under it as its number.
    number = _NUMBERS[kind] if kind in _NUMBERS else int(kind.value)
    step = _at_position("upcard-pile", position)
    by_number = reason("upcard-by-number", "upcard", step, card=kind, number=number)
    return _CardTurned((natural, by_number), "stay", position + number)


def _at_position(setting: str, position: int) -> str:
    """The setting, or its step for all cards but the first: sources may mention only that one."""
    return setting if position == 1 else f"{setting}/later"


def _effect_of_special_card(settings: Settings, kind: Kind) -> tuple[str, UpcardEffect]:
    """What happens with a card that is not natural, and the setting that says so."""
    setting: str = "upcard-wild"
    effect = settings.upcard_wild
    if kind is Kind.RED_THREE:
        setting = "upcard-red-three"
        effect = settings.upcard_red_three
    elif kind is Kind.BLACK_THREE:
        setting = "upcard-black-three"
        effect = settings.upcard_black_three
    if settings.upcard_freezes == "never":
        unfrozen: dict[str, UpcardEffect] = {"freeze": "cover", "stay-and-freeze": "stay"}
        effect = unfrozen.get(effect, effect)
    return setting, effect
