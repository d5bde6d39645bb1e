"""Rulings on the end of the stock: the face-down cards from which players draw."""

from __future__ import annotations

from scorepad.referee.in_force import count_naturals_needed, is_dead, is_frozen
from scorepad.referee.questions import EndOfStockQuestion
from scorepad.referee.reasons import find_known_mistakes, reason
from scorepad.referee.ruling import Details, Reason, Reasons, Ruling, Verdict, forbidden
from scorepad.referee.situation import (
    is_legal_meld,
    kind_of,
    report_impossible_cards,
    report_unreadable_cards,
)
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
_PILE_MAY_BE_TAKEN: Details = {"hand_ends": False, "must_take": False, "may_discard": True}
"""The hand goes on as long as players take the pile, which they need not."""
_PILE_MUST_BE_TAKEN: Details = {"hand_ends": False, "must_take": True, "may_discard": True}
"""The hand goes on: the next player must take the pile."""


def rule_end_of_stock(rules: Ruleset, question: EndOfStockQuestion) -> Ruling:
    """Answer what happens when the last card of the stock, from which players draw, is drawn.

    The details of the answer say whether the hand (round) ends with it, and whether the next player
    must take the discard pile: `{"hand_ends": True, "must_take": False, "may_discard": True}`.
    """
    settings = rules.settings
    wrong_cards = _check_cards(rules, question)
    if wrong_cards:
        return forbidden(wrong_cards)

    if settings.end_of_stock == "at-once":
        # On the page: "With the last card of the stock the hand ends."
        ends_at_once = reason("stock-at-once", cited_settings="end-of-stock")
        return Ruling(Verdict.VALUE, (ends_at_once,), _ENDS_AT_ONCE)

    if _is_three(question.last_card) and _does_last_three_end_hand(rules):
        three_stays = _explain_three_in_hand(settings)
        return Ruling(Verdict.VALUE, (three_stays,), _ENDS_WITHOUT_DISCARD)

    if settings.end_of_stock == "hand-ends":
        return _answer_if_hand_ends_with_stock(rules, question)
    if settings.end_of_stock == "while-taken":
        return _answer_if_pile_may_be_taken_on(rules, question)
    return _answer_if_hand_goes_on_without_stock(rules, question)


def _explain_three_in_hand(settings: Settings) -> Reason:
    """Explain that a three drawn last stays in the player's hand, and what it costs there."""
    # On the page: "The last card is a three: the hand ends at once, and the three stays in the
    # hand. It costs 5 points."
    return reason(
        "stock-three-stays",
        cited_settings=(f"end-of-stock/{_THREE_STAYS}", "held-red-three"),
        points=settings.held_red_three,
    )


def _check_cards(rules: Ruleset, question: EndOfStockQuestion) -> tuple[Reason, ...]:
    """List what is wrong with the cards of a question; empty if they can exist.

    Words that are no cards are wrong, and so are more cards of a kind than the decks hold.
    """
    cards_on_table = (question.top, *question.table)
    unreadable = report_unreadable_cards(rules, question.last_card, *cards_on_table)
    if unreadable:
        return unreadable
    # The last card may lie there by now, so that it must not be counted a second time.
    return report_impossible_cards(rules, *cards_on_table)


def _is_three(card: Reading) -> bool:
    """Tell whether a card is a red or a black three; False also for no card."""
    return card.cards.of(Kind.RED_THREE) > 0 or card.cards.of(Kind.BLACK_THREE) > 0


def _does_last_three_end_hand(rules: Ruleset) -> bool:
    """Tell whether a three drawn as the last card stays in the hand, and the round ends at once.

    In other games a red three is laid on the table, and a black three can be discarded.
    """
    # No setting says it. It is so where rule books are cited for this part of `end-of-stock`.
    parts_of_setting = rules.cited["end-of-stock"].steps
    return _THREE_STAYS in parts_of_setting


# -------------------------------------------------------------------- the hand ends with the stock


def _answer_if_hand_ends_with_stock(rules: Ruleset, question: EndOfStockQuestion) -> Ruling:
    """Answer what the last card of the stock means in a game that ends the hand (round) with it.

    It ends as soon as a player must draw and cannot. So whoever drew the last card may still play
    and discard, unless that card is a red three that the player must lay on the table.
    """
    is_last_red_three = question.last_card.cards.of(Kind.RED_THREE) > 0
    must_expose_red_threes = rules.settings.red_threes_kept == "exposed"
    if is_last_red_three and must_expose_red_threes:
        return _answer_for_last_red_three(rules)

    # On the page: "The hand ends as soon as the player whose turn it is must draw and cannot. …"
    reasons = [reason("stock-hand-ends", cited_settings="end-of-stock")]
    frozen = is_frozen(rules.settings, is_marked=question.pile_has_wild)
    if _is_pile_taken_by_lay_off(rules.settings, frozen=frozen) and _may_top_card_fit(
        rules, question
    ):
        # On the page: "pagat.com adds: if the pile is not frozen and the discard fits a meld of
        # your side, the player in turn must take it."
        reasons.append(reason("stock-may-oblige", cited_settings=f"end-of-stock/{_MUST_TAKE}"))
    return Ruling(Verdict.VALUE, tuple(reasons), _ENDS_WITH_DISCARD)


def _answer_for_last_red_three(rules: Ruleset) -> Ruling:
    """Answer that the hand (round) ends at once, because the card drawn last is a red three.

    A red three is a bonus card: the player lays it on the table and draws another card in its
    place. Here there is no other card left in the stock.
    """
    # On the page: "The last card is a red three: it is exposed, but nothing is left to draw in its
    # place."
    not_replaced = reason(
        "stock-red-three-unreplaced", cited_settings=("red-threes-kept", "end-of-stock")
    )
    # On the page: "Whoever drew it does not discard, and the hand ends."
    hand_ends = reason("stock-hand-ends", cited_settings="end-of-stock", wording="red-three")
    # On the page: "Note: for the Encyclopedia a red three drawn is exposed, but no other card is
    # drawn in its place."
    mistakes_of_sources = find_known_mistakes(rules, "fault-not-replaced")
    reasons = (not_replaced, hand_ends, *mistakes_of_sources)
    return Ruling(Verdict.VALUE, reasons, _ENDS_WITHOUT_DISCARD)


def _is_pile_taken_by_lay_off(settings: Settings, *, frozen: bool) -> bool:
    """Tell whether a player can take the pile by adding its top card to a meld of the table.

    A meld is a group of cards. A frozen pile is harder to take: in no game is that enough.
    """
    if frozen:
        return False
    return settings.pile_top_laid_off != "never"


def _may_top_card_fit(rules: Ruleset, question: EndOfStockQuestion) -> bool:
    """Tell whether the top card of the pile may fit a meld (group of cards) of the player's side.

    A king on top and `3xK` on the table → True. It may, too, if the top card is not known.
    """
    is_top_known = question.top.cards.size > 0
    if not is_top_known:
        return True
    if not kind_of(question.top).is_natural:  # a joker, a two or a three is not added to melds
        return False
    return _fits_any_meld(rules, question.top, question.table)


def _fits_any_meld(rules: Ruleset, card: Reading, melds: tuple[Reading, ...]) -> bool:
    """Tell whether a card can be added to one of these melds (groups of cards on the table)."""
    return any(is_legal_meld(rules, gather_readings(meld, card)) for meld in melds)


# ----------------------------------------------------------------------------- the pile is taken on


def _answer_if_pile_may_be_taken_on(rules: Ruleset, question: EndOfStockQuestion) -> Ruling:
    """Answer what the last card of the stock means where the hand (round) goes on with the pile.

    It goes on as long as each player in turn takes the discard pile, which nobody has to. With a
    card on top that cannot be taken, the next player would have to draw: the hand ends.
    """
    is_top_known = question.top.cards.size > 0
    if is_top_known:
        not_taken = _explain_why_nobody_takes_pile(rules, question, kind_of(question.top))
        if not_taken is not None:
            return Ruling(Verdict.VALUE, (not_taken,), _ENDS_WITH_DISCARD)

    # On the page: "The hand goes on as long as players take the pile, which nobody has to. Whoever
    # must or wants to draw ends it."
    goes_on = reason("stock-goes-on", cited_settings="end-of-stock")
    return Ruling(Verdict.VALUE, (goes_on,), _PILE_MAY_BE_TAKEN)


def _explain_why_nobody_takes_pile(
    rules: Ruleset, question: EndOfStockQuestion, top: Kind
) -> Reason | None:
    """Explain why the pile cannot be taken with this card on top; None if it can.

    It cannot with a joker, a two or a three, nor with a card of a dead rank, of which the side has
    a canasta (a meld of seven cards).
    """
    if not top.is_natural:
        # On the page: "With a joker on top the pile may not be taken: if nobody goes out, the hand
        # ends."
        return reason("stock-top-special", cited_settings="pile-tops", card=top)
    if is_dead(rules.settings, top, own_melds=question.table, opponents=None):
        # On the page: "The top card is a king, a dead card: a canasta of that rank is complete. The
        # pile is not taken."
        return reason("pile-top-dead", cited_settings="dead-ranks/pile", card=top)
    return None


def _answer_if_hand_goes_on_without_stock(rules: Ruleset, question: EndOfStockQuestion) -> Ruling:
    """Answer what the last card of the stock means in a game that goes on without a stock.

    It goes on as long as each player must take the discard pile. There are three cases:

    - the last card is a red three → the hand (round) ends at once
    - the next player need not take the pile → the hand ends after the discard
    - otherwise → the hand goes on, and the next player takes the pile
    """
    # On the page: "If nobody goes out there is no bonus for it; everything else counts, penalties
    # too."
    nobody_went_out = reason("stock-nobody-out", cited_settings="end-of-stock")

    if question.last_card.cards.of(Kind.RED_THREE) > 0:
        # On the page: "The last card is a red three: whoever drew it exposes it, melds what can be
        # melded and does not discard, and the hand ends."
        red_three_ends = reason("stock-red-three-last", cited_settings="end-of-stock")
        return Ruling(Verdict.VALUE, (red_three_ends, nobody_went_out), _ENDS_WITHOUT_DISCARD)

    why_not_taken = tuple(_explain_why_pile_stays(rules, question))
    if why_not_taken:
        return Ruling(Verdict.VALUE, (*why_not_taken, nobody_went_out), _ENDS_WITH_DISCARD)
    return _answer_that_pile_is_taken(rules, kind_of(question.top))


def _answer_that_pile_is_taken(rules: Ruleset, top: Kind) -> Ruling:
    """Answer that the hand (round) goes on, because the next player must take the discard pile.

    `top` is the card on top of the pile.
    """
    must_take = _explain_why_pile_must_be_taken(rules.settings, top)
    # On the page: "The next player does likewise. The hand ends when somebody goes out or does not
    # take the pile."
    otherwise_ends = reason("stock-not-taken-ends", cited_settings="end-of-stock")
    # On the page: "Note: Giochi di carte writes “without going out” and also “until a player goes
    # out”: it is read that one may."
    mistakes_of_sources = find_known_mistakes(rules, "fault-without-going-out")
    reasons = (must_take, otherwise_ends, *mistakes_of_sources)
    return Ruling(Verdict.VALUE, reasons, _PILE_MUST_BE_TAKEN)


def _explain_why_pile_must_be_taken(settings: Settings, top: Kind) -> Reason:
    """Explain that the next player must take the discard pile with this card on top.

    Usually the player takes it by adding the top card to a meld (group of cards) of the side. Where
    that does not take the pile, the reason says which cards the player must hold for it.
    """
    if settings.freezing == "always":
        # On the page: "The pile is always frozen here: with a king on top only a player who holds
        # at least two natural kings has to take it; otherwise nobody does, and the hand ends."
        return reason(
            "stock-always-frozen",
            cited_settings=("end-of-stock", "freezing", "pile-naturals-frozen"),
            card=top,
            naturals=count_naturals_needed(settings, frozen=True),
        )

    if settings.pile_top_laid_off == "never":
        # On the page: "Laying a king off does not take the pile here: only a player who holds
        # matching cards to meld with it has to take it; otherwise nobody does, and the hand ends."
        return reason(
            "stock-never-laid-off",
            cited_settings=("end-of-stock", "pile-top-laid-off"),
            card=top,
        )

    # On the page: "The top card is a king, which goes to a meld of the player's side, and the pile
    # holds no wild card and no red three. The player must take it, plays and discards."
    return reason("stock-must-take", cited_settings="end-of-stock", card=top)


def _explain_why_pile_stays(rules: Ruleset, question: EndOfStockQuestion) -> Reasons:
    """Explain why the next player need not take the discard pile; nothing if the player must.

    The player need not if the top card is not known or fits no group of cards of the side, or if
    there is a wild card (joker or two) or a red three in the pile.
    """
    is_top_known = question.top.cards.size > 0
    if not is_top_known:
        # On the page: "Nobody said what lies on top of the pile: the answer is that of an empty
        # pile. …"
        yield reason("stock-no-top", cited_settings="end-of-stock")
        return

    top = kind_of(question.top)
    yield from _explain_why_top_is_not_taken(rules, question, top)
    if question.pile_has_wild or top.is_wild:
        # On the page: "The pile holds a wild card: nobody has to take it. If it is not taken, the
        # hand ends."
        yield reason("stock-pile-has-wild", cited_settings="end-of-stock")
    if question.pile_has_red_three or top is Kind.RED_THREE:
        # On the page: "The pile holds a red three: nobody has to take it. If it is not taken, the
        # hand ends."
        yield reason("stock-pile-has-red-three", cited_settings="end-of-stock")


def _explain_why_top_is_not_taken(
    rules: Ruleset, question: EndOfStockQuestion, top: Kind
) -> Reasons:
    """Explain why nobody has to take the discard pile with this card on top of it.

    - a joker, a two or a three
    - a card that cannot be added to a meld (group) of its rank on the table
    - a card that always stops the next player, such as a seven in some games

    Nothing is yielded for other cards.
    """
    if not top.is_natural:
        # On the page: "With a joker on top the pile may not be taken: if nobody goes out, the hand
        # ends."
        yield reason("stock-top-special", cited_settings="pile-tops", card=top)
        return

    top_ranks = question.top.cards.ranks
    melds_of_same_rank = tuple(meld for meld in question.table if meld.cards.ranks == top_ranks)
    if not _fits_any_meld(rules, question.top, melds_of_same_rank):
        yield _explain_why_top_fits_nowhere(rules.settings, melds_of_same_rank, top)
        return

    if top in rules.settings.stop_ranks:
        # On the page: "The top card is a seven, a stop card here: the pile may not be taken, and
        # the hand ends."
        yield reason("stock-top-stops", cited_settings="stop-ranks", card=top)


def _explain_why_top_fits_nowhere(
    settings: Settings, melds_of_same_rank: tuple[Reading, ...], top: Kind
) -> Reason:
    """Explain why the top card of the discard pile cannot be added to a group of its rank.

    Call it if the card fits none of these melds (groups of cards on the table):

    - one of them is full, as `7xK` in some games → "the side's own meld of that rank is full"
    - otherwise → "the card goes to no meld of the player's side"
    """
    sizes = [meld.cards.size for meld in melds_of_same_rank]
    sizes_of_full_melds = [size for size in sizes if not settings.may_grow(size)]
    if sizes_of_full_melds:
        # On the page: "The top card is a king, but the side's own meld of that rank has 7 cards and
        # is full: nobody has to take the pile. If it is not taken, the hand ends."
        return reason(
            "stock-top-full",
            cited_settings=("end-of-stock", "meld-longest"),
            card=top,
            cards=sizes_of_full_melds[0],  # one is enough to explain it
        )

    # On the page: "The top card is a king, which goes to no meld of the player's side: nobody has
    # to take the pile. If it is not taken, the hand ends."
    return reason(
        "stock-top-fits-nothing", cited_settings="end-of-stock", wording="named", card=top
    )
