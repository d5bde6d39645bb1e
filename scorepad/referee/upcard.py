"""Rulings on the first cards turned up, with which the discard pile begins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from scorepad.referee.in_force import is_frozen
from scorepad.referee.questions import UpcardQuestion
from scorepad.referee.reasons import reason
from scorepad.referee.ruling import Details, Reason, Reasons, Ruling, Verdict, forbidden, silent
from scorepad.referee.situation import kind_of, report_impossible_cards
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
    """What turning up the first cards leads to, and the cards that it took."""

    cards_turned: int
    reasons: tuple[Reason, ...]
    is_redeal: bool
    """Whether the hand is dealt again."""
    pile_size: int
    """The cards in the pile that the last card turned up tops; 0 if none stays on top yet."""
    was_frozen: bool
    """Whether one of the cards turned up freezes the pile."""

    @property
    def has_top_card(self) -> bool:
        """Tell whether the last card turned up stays on top of the pile."""
        return self.pile_size > 0


class _CardTurned(NamedTuple):
    """What one card turned up does, and why."""

    reasons: tuple[Reason, ...]
    effect: UpcardEffect
    pile_size: int = 0
    """The cards in the pile that the card tops; 0 if it does not stay on top."""

    @property
    def is_redeal(self) -> bool:
        """Tell whether the hand is dealt again."""
        return self.effect == "redeal"

    @property
    def is_last(self) -> bool:
        """Tell whether no other card is turned up after this one."""
        return self.is_redeal or self.pile_size > 0

    @property
    def freezes_pile(self) -> bool:
        return self.effect in _FREEZING_EFFECTS


def rule_upcard(rules: Ruleset, question: UpcardQuestion) -> Ruling:
    """Answer what happens with the first cards turned up, with which the discard pile begins.

    A nine stays on top of the pile, so that the details of the answer are
    `{"top": "9", "frozen": False, "redeal": False, "pile_size": 1}`.
    """
    settings = rules.settings
    if settings.upcard == "not-told":
        # On the page: "The sources gathered for this game do not say what becomes of the first card
        # turned up."
        return silent((reason("upcard-not-told", cited_settings="upcard"),))
    impossible = report_impossible_cards(rules, *question.cards)
    if impossible:
        return forbidden(impossible)
    if settings.upcard == "none":
        # On the page: "No card is turned up here: the pile begins empty, with the first discard."
        begins_empty = reason("upcard-none", cited_settings="upcard")
        turn_card = tuple(_explain_turn_card(settings))
        return Ruling(Verdict.VALUE, (begins_empty, *turn_card), {"redeal": False, "pile_size": 0})

    outcome = _turn_up_cards(settings, question.cards)
    reasons = [*outcome.reasons, *_comment_on_number_of_cards(len(question.cards), outcome)]
    if outcome.is_redeal:
        return Ruling(Verdict.VALUE, tuple(reasons), {"redeal": True})

    reasons += _comment_on_freezing_in_game(settings)
    if outcome.has_top_card:
        reasons += _comment_on_exchanged_cards(settings)
    return Ruling(Verdict.VALUE, tuple(reasons), _describe_pile(settings, question.cards, outcome))


def _explain_turn_card(settings: Settings) -> Reasons:
    """Explain what is done with the stock where a card in it tells how many are left below it."""
    if settings.turn_card > 0:
        # On the page: "8 cards of the stock lie below the turn card, which is placed crosswise on
        # them: whoever draws it says so."
        yield reason("turn-card", cited_settings="turn-card", cards=settings.turn_card)


def _comment_on_freezing_in_game(settings: Settings) -> Reasons:
    """Comment that the pile is always frozen in this game, or never, whatever card is turned up.

    A frozen pile is harder to take. In most games it depends on the cards: then there is no
    comment.
    """
    if settings.freezing == "always":
        # On the page: "In this game the pile is always frozen."
        yield reason("upcard-always-frozen", cited_settings="freezing")
    elif settings.freezing == "never":
        # On the page: "In this game the pile is never frozen."
        yield reason("upcard-never-frozen", cited_settings="freezing")


def _comment_on_number_of_cards(cards_given: int, outcome: _Outcome) -> Reasons:
    """Comment that more cards must be turned up, or that some of the cards were not needed.

    Cards are turned up until one stays on top of the pile, or the hand (round) is dealt again. If a
    nine stays, and the question gives two cards (`9 K`), one was not needed.
    """
    is_settled = outcome.is_redeal or outcome.has_top_card
    if not is_settled:
        # On the page: "There is no natural card yet: another card is turned up."
        yield reason("upcard-turn-another", cited_settings="upcard")

    cards_not_needed = cards_given - outcome.cards_turned
    if cards_not_needed > 0:
        # On the page: "1 card too many was turned up: it should not have been."
        yield reason("upcard-too-many", cited_settings="upcard", cards=cards_not_needed)


def _count_exchanged_cards(settings: Settings) -> int:
    """Count the cards that the players lay on the pile before the first card is turned up.

    In some games each player exchanges one card there: with two players → 2. In most games → 0.
    """
    if not settings.first_exchange:
        return 0
    number_of_players = sum(settings.sides)  # each number is that of the players of one side
    return number_of_players


def _comment_on_exchanged_cards(settings: Settings) -> Reasons:
    """Comment on the cards that the players lay on the pile before the first card is turned up.

    In some games each player exchanges one card there, and a rule book tells the wrong number of
    cards in that pile. Nothing is yielded in other games.
    """
    exchanged = _count_exchanged_cards(settings)
    if exchanged == 0:
        return

    # On the page: "The pile already holds what each player discarded before: 2."
    yield reason("upcard-exchanged", cited_settings="first-exchange", cards=exchanged)
    # On the page: "Note: Wikipedia says “at least two cards”, but the discards and the upcard are
    # 3."
    size_with_upcard = exchanged + 1
    yield reason("fault-first-pile-of-two", cited_settings="first-exchange", cards=size_with_upcard)


def _describe_pile(settings: Settings, cards: tuple[Reading, ...], outcome: _Outcome) -> Details:
    """Describe the discard pile after the first cards were turned up, as details of the answer.

    After a nine: `{"top": "9", "frozen": False, "redeal": False, "pile_size": 1}`. After a joker,
    on which another card must be turned up: `{"frozen": True, "redeal": False}`.
    """
    frozen = is_frozen(settings, is_marked=outcome.was_frozen)
    if not outcome.has_top_card:
        return {"frozen": frozen, "redeal": False}

    cards_turned = cards[: outcome.cards_turned]
    top_card = cards_turned[-1]
    cards_laid_before = _count_exchanged_cards(settings)
    return {
        "top": write_cards(top_card.cards),
        "frozen": frozen,
        "redeal": False,  # the cards are not dealt again
        "pile_size": cards_laid_before + outcome.pile_size,
    }


def _turn_up_cards(settings: Settings, cards: tuple[Reading, ...]) -> _Outcome:
    """Turn these cards up one after the other, until one stays on top or the hand is dealt again.

    `cards` are one or more. A joker and then a nine, in the classic game: the joker freezes the
    pile, and the nine stays on top of a pile of two cards.
    """
    turned_up: list[_CardTurned] = []
    wilds_in_a_row = 0  # jokers and twos
    for position, card in enumerate(cards, start=1):
        kind = kind_of(card)
        if kind.is_wild:
            wilds_in_a_row += 1
        else:
            wilds_in_a_row = 0
        turned = _turn_up_card(settings, kind, position=position, wilds_in_a_row=wilds_in_a_row)
        turned_up.append(turned)
        if turned.is_last:
            break

    reasons: list[Reason] = []
    buried = 0  # cards that went back into the stock
    for turned in turned_up:
        reasons += turned.reasons
        if turned.effect == "bury":
            buried += 1
    last_turned = turned_up[-1]
    pile_size = 0  # another card still has to cover the last one
    if last_turned.pile_size > 0:
        pile_size = last_turned.pile_size - buried
    return _Outcome(
        cards_turned=len(turned_up),
        reasons=tuple(reasons),
        is_redeal=last_turned.is_redeal,
        pile_size=pile_size,
        was_frozen=any(turned.freezes_pile for turned in turned_up),
    )


def _turn_up_card(
    settings: Settings, kind: Kind, *, position: int, wilds_in_a_row: int
) -> _CardTurned:
    """Find out what a card does when it is turned up: it stays on top, freezes the pile, and so on.

    `position` is 1 for the first card turned up, 2 for the next. `wilds_in_a_row` is the number of
    wild cards (jokers and twos) up to this card, with no other card between them.
    """
    wilds_for_redeal = settings.upcard_wilds_redeal  # 0 in games in which that never happens
    if wilds_for_redeal > 0 and wilds_in_a_row >= wilds_for_redeal:
        return _deal_again(wilds_in_a_row)
    if kind.is_natural:
        return _describe_natural_card(settings, kind, position)
    if _find_effect_of_special_card(settings, kind) == "big-pile":
        return _describe_card_on_many_others(settings, kind)
    return _turn_up_special_card(settings, kind, position)


def _deal_again(wilds_in_a_row: int) -> _CardTurned:
    """Say that the hand is dealt again, because so many wild cards were turned up in a row."""
    # On the page: "That is 3 wild cards in a row: the deal is void, and the cards are dealt again."
    why = reason("upcard-wilds-redeal", cited_settings="upcard-wilds-redeal", wilds=wilds_in_a_row)
    return _CardTurned(reasons=(why,), effect="redeal")


def _describe_card_on_many_others(settings: Settings, kind: Kind) -> _CardTurned:
    """Describe a joker or a two that is turned up and put on a pile of many cards of the stock.

    That is so in few games: there are 50 cards in the pile of a joker, and 20 in that of a two.
    """
    pile_size = _find_size_of_big_pile(settings, kind)
    setting_of_size = f"upcard-big-piles/{kind}"
    # On the page: "The card turned is a joker: the pile is made of 50 cards. …"
    many_cards = reason(
        "upcard-big-pile",
        cited_settings=(_find_setting_of_special_card(kind), setting_of_size),
        card=kind,
        cards=pile_size,
    )
    return _CardTurned(reasons=(many_cards,), effect="big-pile", pile_size=pile_size)


def _find_size_of_big_pile(settings: Settings, kind: Kind) -> int:
    """Return the number of cards in the pile that a joker or a two tops: joker → 50, two → 20.

    The setting gives both: `(50, 20)`.
    """
    under_joker, under_two = settings.upcard_big_piles
    if kind is Kind.JOKER:
        return under_joker
    return under_two


def _turn_up_special_card(settings: Settings, kind: Kind, position: int) -> _CardTurned:
    """Find out what a joker, a two or a three does when it is turned up, by the rules of the game.

    `position` is 1 for the first card turned up. The sentence of each effect:

    - `stay`: “The card turned is a red three: it stays on top of the pile.”
    - `stay-and-freeze`: “… it stays on top of the pile and freezes it.”
    - `cover`: “… the next card covers it, and it does not freeze the pile.”
    - `freeze`: “… it goes across under the pile and freezes it, and the next one is turned up.”
    - `redeal`: “… the deal is void, and the cards are dealt again.”
    - `bury`: “… it goes back into the middle of the stock, and another is turned.”
    """
    effect = _find_effect_of_special_card(settings, kind)
    # Where the pile is frozen in any case, the sentence must not say that the card freezes it.
    wording = "always" if settings.freezing == "always" else None
    why = reason(
        f"upcard-{effect}",
        cited_settings=_name_setting_for_position(_find_setting_of_special_card(kind), position),
        wording=wording,
        card=kind,
    )
    if effect in _STAYING_EFFECTS:
        # The pile is all cards turned up so far, with this one on top.
        return _CardTurned(reasons=(why,), effect=effect, pile_size=position)
    return _CardTurned(reasons=(why,), effect=effect)


def _describe_natural_card(settings: Settings, kind: Kind, position: int) -> _CardTurned:
    """Describe a natural card (ace, king to four) that is turned up: it stays on top of the pile.

    `position` is the number of cards turned up so far, which are all in the pile. In some games as
    many more go under the card as its number: nine under a nine.
    """
    # On the page: "The card turned is a nine, a natural card: it stays on top of the pile."
    natural = reason("upcard-natural", cited_settings="upcard", card=kind)
    adds_cards_below = settings.upcard_pile == "by-number"
    if not adds_cards_below:
        return _CardTurned(reasons=(natural,), effect="stay", pile_size=position)

    cards_below = _find_number_of_card(kind)
    # On the page: "Under a nine go 9 cards from the stock, face down, as many as its number."
    by_number = reason(
        "upcard-by-number",
        cited_settings=("upcard", _name_setting_for_position("upcard-pile", position)),
        card=kind,
        number=cards_below,
    )
    pile_size = position + cards_below
    return _CardTurned(reasons=(natural, by_number), effect="stay", pile_size=pile_size)


def _name_setting_for_position(setting: str, position: int) -> str:
    """Name the part of a setting that is about a card turned up at this position.

    - `upcard-wild`, 1 → `upcard-wild`
    - `upcard-wild`, 2 → `upcard-wild/later`, as some rule books speak of the first card only
    """
    if position == 1:
        return setting
    return f"{setting}/later"


def _find_number_of_card(kind: Kind) -> int:
    """Return the number of a natural card: 9 for a nine, 13 for a king."""
    if kind in _NUMBERS:
        return _NUMBERS[kind]
    return int(kind.value)


def _find_setting_of_special_card(kind: Kind) -> str:
    """Return the name of the setting that says what a joker, a two or a three turned up does."""
    if kind is Kind.RED_THREE:
        return "upcard-red-three"
    if kind is Kind.BLACK_THREE:
        return "upcard-black-three"
    return "upcard-wild"


def _find_effect_of_special_card(settings: Settings, kind: Kind) -> UpcardEffect:
    """Return what a joker, a two or a three does when it is turned up: `freeze`, for example."""
    if kind is Kind.RED_THREE:
        effect = settings.upcard_red_three
    elif kind is Kind.BLACK_THREE:
        effect = settings.upcard_black_three
    else:
        effect = settings.upcard_wild

    if settings.upcard_freezes == "never":
        # In this game no card turned up freezes the pile: `freeze` → `cover`.
        return _WITHOUT_FREEZING.get(effect, effect)
    return effect
