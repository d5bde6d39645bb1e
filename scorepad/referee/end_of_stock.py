"""Rulings on the end of the stock."""

from __future__ import annotations

from scorepad.referee.in_force import is_frozen, naturals_needed
from scorepad.referee.questions import EndOfStockQuestion
from scorepad.referee.reasons import faults, reason
from scorepad.referee.ruling import Details, Reason, Reasons, Ruling, forbidden, value
from scorepad.referee.situation import impossible_cards, is_legal_meld, kind_of, unknown_cards
from scorepad.rules.cards import Kind, Reading, gather_readings
from scorepad.rules.definitions import Ruleset
from scorepad.rules.settings import Settings

_MUST_TAKE = "must-take"
"""The step of the end of the stock that may require a player to take the pile."""
_THREE_STAYS = "three"
"""The step of the end of the stock for a game in which a three drawn last ends the hand and stays
in the hand.
"""
_ENDS_AT_ONCE: Details = {"hand_ends": True, "must_take": False}
"""The hand ends when the last card is drawn."""
_ENDS_WITH_DISCARD: Details = {"hand_ends": True, "must_take": False, "may_discard": True}
"""The hand ends after whoever drew the last card has discarded."""
_ENDS_WITHOUT_DISCARD: Details = {"hand_ends": True, "must_take": False, "may_discard": False}
_PILE_MUST_BE_TAKEN: Details = {"hand_ends": False, "must_take": True, "may_discard": True}
"""The hand goes on: the next player must take the pile."""


def rule_end_of_stock(rules: Ruleset, question: EndOfStockQuestion) -> Ruling:
    """What happens when the last card of the stock is drawn."""
    settings = rules.settings
    wrong = _cards_that_cannot_be(rules, question)
    if wrong:
        return forbidden(wrong)
    if settings.end_of_stock == "at-once":
        ends_at_once = reason("stock-at-once", cited_settings="end-of-stock")
        return value((ends_at_once,), _ENDS_AT_ONCE)
    if _last_three_stays_in_hand(rules, question):
        return value((_why_three_stays(settings),), _ENDS_WITHOUT_DISCARD)
    if settings.end_of_stock == "hand-ends":
        return _rule_hand_ends(rules, question)
    return _rule_pile_goes_on(rules, question)


def _why_three_stays(settings: Settings) -> Reason:
    """The reason that a three drawn last stays in the hand, and costs so many points there."""
    return reason(
        "stock-three-stays",
        cited_settings=(f"end-of-stock/{_THREE_STAYS}", "held-red-three"),
        points=settings.held_red_three,
    )


def _cards_that_cannot_be(rules: Ruleset, question: EndOfStockQuestion) -> tuple[Reason, ...]:
    """The reasons against tokens that are no cards, or more cards than the decks have.

    The card drawn last is not counted: it may now be on top of the pile, or on the table.
    """
    unknown = unknown_cards(rules, question.last_card, question.top, *question.table)
    if unknown:
        return unknown
    return impossible_cards(rules, question.top, *question.table)


def _last_three_stays_in_hand(rules: Ruleset, question: EndOfStockQuestion) -> bool:
    """Whether the card drawn last is a three, in a game in which it then stays in the hand."""
    has_that_rule = _THREE_STAYS in rules.cited["end-of-stock"].steps
    return has_that_rule and _is_three(question.last_card)


def _is_three(card: Reading) -> bool:
    return card.cards.of(Kind.RED_THREE) + card.cards.of(Kind.BLACK_THREE) > 0


# -------------------------------------------------------------------- the hand ends with the stock


def _rule_hand_ends(rules: Ruleset, question: EndOfStockQuestion) -> Ruling:
    """The ruling in a game in which the hand ends with the stock: when a player must draw a card and
    there is none.

    Whoever drew the last card still plays, unless it is a red three that must be exposed.
    """
    is_last_red_three = question.last_card.cards.of(Kind.RED_THREE) > 0
    must_expose_red_threes = rules.settings.red_threes_kept == "exposed"
    if is_last_red_three and must_expose_red_threes:
        return _rule_last_red_three(rules)

    reasons = [reason("stock-hand-ends", cited_settings="end-of-stock")]
    if _next_player_may_have_to_take(rules, question):
        reasons.append(reason("stock-may-oblige", cited_settings=f"end-of-stock/{_MUST_TAKE}"))
    return value(tuple(reasons), _ENDS_WITH_DISCARD)


def _rule_last_red_three(rules: Ruleset) -> Ruling:
    """The ruling if the card drawn last is a red three: it ends the hand at once.

    A red three is exposed, and replaced by another card of the stock. Here there is no other.
    """
    not_replaced = reason(
        "stock-red-three-unreplaced", cited_settings=("red-threes-kept", "end-of-stock")
    )
    hand_ends = reason("stock-hand-ends", cited_settings="end-of-stock", wording="red-three")
    mistakes_of_sources = faults(rules, "fault-not-replaced")
    return value((not_replaced, hand_ends, *mistakes_of_sources), _ENDS_WITHOUT_DISCARD)


def _next_player_may_have_to_take(rules: Ruleset, question: EndOfStockQuestion) -> bool:
    """Whether the next player may have to take the discard pile after the last discard.

    A source demands this if the pile is not frozen (which would forbid to take it so) and its top
    card fits a meld of the player's side.
    """
    settings = rules.settings
    if settings.pile == "not-refereed" or settings.pile_top_laid_off == "never":
        return False
    if is_frozen(settings, is_marked=question.pile_has_wild):
        return False
    is_top_known = question.top.cards.size > 0
    if not is_top_known:  # it may fit
        return True
    return kind_of(question.top).is_natural and _fits_a_meld(rules, question.top, question.table)


def _fits_a_meld(rules: Ruleset, top: Reading, melds: tuple[Reading, ...]) -> bool:
    return any(is_legal_meld(rules, gather_readings(meld, top)) for meld in melds)


# ----------------------------------------------------------------------------- the pile is taken on


def _rule_pile_goes_on(rules: Ruleset, question: EndOfStockQuestion) -> Ruling:
    """The ruling in a game in which the hand goes on without a stock, as long as each player must
    take the discard pile.

    If the last card drawn is a red three, the hand ends at once. If the next player need not take
    the pile, it ends after the discard. Otherwise the next player must take it.
    """
    nobody_went_out = reason("stock-nobody-out", cited_settings="end-of-stock")
    if question.last_card.cards.of(Kind.RED_THREE) > 0:
        red_three_ends = reason("stock-red-three-last", cited_settings="end-of-stock")
        return value((red_three_ends, nobody_went_out), _ENDS_WITHOUT_DISCARD)

    why_not_taken = tuple(_against_taking_pile(rules, question))
    if why_not_taken:
        return value((*why_not_taken, nobody_went_out), _ENDS_WITH_DISCARD)
    return _rule_pile_is_taken(rules, kind_of(question.top))


def _rule_pile_is_taken(rules: Ruleset, top: Kind) -> Ruling:
    """The ruling that the hand goes on, because the next player must take the discard pile with this
    card on top.
    """
    must_take = _why_pile_must_be_taken(rules, top)
    otherwise_ends = reason("stock-not-taken-ends", cited_settings="end-of-stock")
    mistakes_of_sources = faults(rules, "fault-without-going-out")
    return value((must_take, otherwise_ends, *mistakes_of_sources), _PILE_MUST_BE_TAKEN)


def _why_pile_must_be_taken(rules: Ruleset, top: Kind) -> Reason:
    """The reason that the next player must take the discard pile with this card on top.

    In most games everyone can take it, by laying the top card on a meld of the side. Where that
    does not take the pile, the reason says which cards a player must hold to take it.
    """
    settings = rules.settings
    is_always_frozen = settings.freezing == "always"
    if is_always_frozen:  # then only so many equal cards of the hand take it
        return reason(
            "stock-always-frozen",
            cited_settings=("end-of-stock", "freezing", "pile-naturals-frozen"),
            card=top,
            naturals=naturals_needed(settings, frozen=True),
        )
    lay_off_takes_pile = settings.pile_top_laid_off != "never"
    if not lay_off_takes_pile:
        cited_settings = ("end-of-stock", "pile-top-laid-off")
        return reason("stock-never-laid-off", cited_settings=cited_settings, card=top)
    return reason("stock-must-take", cited_settings="end-of-stock", card=top)


def _against_taking_pile(rules: Ruleset, question: EndOfStockQuestion) -> Reasons:
    """Why the next player need not take the discard pile; nothing if the player must.

    The player need not if the question names no top card, if that card does not oblige to take it,
    or if the pile holds a wild card or a red three.
    """
    is_top_known = question.top.cards.size > 0
    if not is_top_known:
        yield reason("stock-no-top", cited_settings="end-of-stock")
        return
    top = kind_of(question.top)
    yield from _against_taking_top(rules, question, top)
    if question.pile_has_wild or top.is_wild:
        yield reason("stock-pile-has-wild", cited_settings="end-of-stock")
    if question.pile_has_red_three or top is Kind.RED_THREE:
        yield reason("stock-pile-has-red-three", cited_settings="end-of-stock")


def _against_taking_top(rules: Ruleset, question: EndOfStockQuestion, top: Kind) -> Reasons:
    """The reason if the pile need not be taken because of this card on top of it.

    It must be taken if the card is natural, fits a meld of the side of its rank, and does not stop
    the player.
    """
    if not top.is_natural:
        yield reason("stock-top-special", cited_settings="pile-tops", card=top)
        return
    top_ranks = question.top.cards.ranks
    melds_of_rank = tuple(meld for meld in question.table if meld.cards.ranks == top_ranks)
    if not _fits_a_meld(rules, question.top, melds_of_rank):
        yield _why_top_fits_nothing(rules, melds_of_rank, top)
        return
    if top in rules.settings.stop_ranks:
        yield reason("stock-top-stops", cited_settings="stop-ranks", card=top)


def _why_top_fits_nothing(rules: Ruleset, melds_of_rank: tuple[Reading, ...], top: Kind) -> Reason:
    """Why the top card of the pile fits none of the side's melds of its rank: one of them is full,
    or there is none that takes it.
    """
    sizes = [meld.cards.size for meld in melds_of_rank]
    full_sizes = [size for size in sizes if not rules.settings.may_grow(size)]
    if full_sizes:
        size = full_sizes[0]  # the reason names one full meld
        return reason(
            "stock-top-full", cited_settings=("end-of-stock", "meld-longest"), card=top, cards=size
        )
    # `named` is the wording that names the card.
    return reason(
        "stock-top-fits-nothing", cited_settings="end-of-stock", wording="named", card=top
    )
