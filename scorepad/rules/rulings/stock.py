"""The stock is used up: does the hand end, must the pile be taken, may a card be discarded?"""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.rules.cards import Kind, Reading
from scorepad.rules.rulings.answers import Detail, Reason, Ruling, Verdict
from scorepad.rules.rulings.asked import EndOfStockAsked
from scorepad.rules.rulings.casing import reason, together
from scorepad.rules.rulings.faults import slips
from scorepad.rules.rulings.reading import kind_of, unknown_cards
from scorepad.rules.rulings.registry import ruling
from scorepad.rules.rulings.taking import is_frozen, naturals_needed
from scorepad.rules.rulings.top_card import is_legal
from scorepad.rules.rulings.ways_weighing import cannot_be
from scorepad.rules.variants import Ruleset

REASONS = (
    "stock-hand-ends", "stock-at-once", "stock-red-three-last", "stock-red-three-unreplaced", "stock-must-take",
    "stock-no-top", "stock-top-special", "stock-top-fits-nothing", "stock-top-full", "stock-top-stops",
    "stock-always-frozen", "stock-never-laid-off", "stock-pile-has-wild", "stock-pile-has-red-three",
    "stock-not-taken-ends", "stock-nobody-out", "stock-may-oblige",
)  # fmt: skip
"""The codes of its own reasons."""

MUST_TAKE = "must-take"
"""The step of the end of the stock by which a player may have to take the pile."""


@ruling(EndOfStockAsked)
def rule_end_of_stock(rules: Ruleset, asked: EndOfStockAsked) -> Ruling:
    """What happens when the last card of the stock is drawn."""
    # The card drawn last may be the one on top by now, or lie on the table.
    wrong = unknown_cards(rules, asked.last_card, asked.top, *asked.table) or cannot_be(rules, asked.top, *asked.table)
    if wrong:
        return Ruling(Verdict.FORBIDDEN, wrong)
    how = rules.settings.end_of_stock
    if how == "at-once":
        return _value((reason(rules, "stock-at-once", "end-of-stock"),), hand_ends=True, must_take=False)
    if how == "hand-ends":
        return _hand_ends(rules, asked)
    return _while_taken(rules, asked)


def _value(reasons: tuple[Reason, ...], **details: Detail) -> Ruling:
    return Ruling(Verdict.VALUE, reasons, details)


def _is_red_three(card: Reading) -> bool:
    return card.cards.of(Kind.RED_THREE) > 0


def _hand_ends(rules: Ruleset, asked: EndOfStockAsked) -> Ruling:
    """The hand ends when a player must draw and cannot; whoever drew the last card still plays."""
    # Where a red three need not be exposed, it is drawn like any card.
    if _is_red_three(asked.last_card) and rules.settings.red_threes_kept == "exposed":
        unreplaced = reason(rules, "stock-red-three-unreplaced", "red-threes-kept", "end-of-stock")
        ends = reason(rules, "stock-hand-ends", "end-of-stock", why="red-three")
        told = (unreplaced, ends, *slips(rules, "fault-not-replaced"))
        return _value(told, hand_ends=True, must_take=False, may_discard=False)
    ends = reason(rules, "stock-hand-ends", "end-of-stock")
    return _value((ends, *_may_oblige(rules, asked)), hand_ends=True, must_take=False, may_discard=True)


def _may_oblige(rules: Ruleset, asked: EndOfStockAsked) -> Iterator[Reason]:
    """What one source adds: that a discard which fits a meld of the side must be taken from a pile not frozen."""
    settings, top = rules.settings, asked.top
    never_so = settings.pile == "not-told" or settings.pile_top_laid_off == "never" or settings.freezing == "always"
    frozen = asked.pile_has_wild and settings.freezing != "never"
    fits = not top.cards.size or any(is_legal(rules, together(meld, top)) for meld in asked.table)
    special = top.cards.size and not kind_of(top).is_natural
    if not (never_so or frozen or special) and fits:
        yield reason(rules, "stock-may-oblige", f"end-of-stock/{MUST_TAKE}")


def _while_taken(rules: Ruleset, asked: EndOfStockAsked) -> Ruling:
    """Play goes on as long as the pile is taken by who must."""
    nobody = reason(rules, "stock-nobody-out", "end-of-stock")
    if _is_red_three(asked.last_card):
        last = reason(rules, "stock-red-three-last", "end-of-stock")
        return _value((last, nobody), hand_ends=True, must_take=False, may_discard=False)
    against = tuple(_against_taking(rules, asked))
    if against:
        return _value((*against, nobody), hand_ends=True, must_take=False, may_discard=True)
    # What the player holds is not known: where it matters, the reason says so.
    with_the_hand = tuple(_with_the_hand(rules, kind_of(asked.top)))
    taken = with_the_hand or (reason(rules, "stock-must-take", "end-of-stock", card=kind_of(asked.top)),)
    after = (reason(rules, "stock-not-taken-ends", "end-of-stock"), *slips(rules, "fault-without-going-out"))
    return _value((*taken, *after), hand_ends=False, must_take=True, may_discard=True)


def _with_the_hand(rules: Ruleset, top: Kind) -> Iterator[Reason]:
    """That only a player with cards for it can take the pile: laying the top card off alone never takes it here."""
    settings = rules.settings
    frozen = is_frozen(settings, noted=False)
    if frozen:
        rests = ("end-of-stock", "freezing", "pile-naturals-frozen")
        naturals = naturals_needed(settings, frozen=frozen)
        yield reason(rules, "stock-always-frozen", *rests, card=top, naturals=naturals)
    elif settings.pile_top_laid_off == "never":
        yield reason(rules, "stock-never-laid-off", "end-of-stock", "pile-top-laid-off", card=top)


def _against_taking(rules: Ruleset, asked: EndOfStockAsked) -> Iterator[Reason]:
    """Why the next player need not take the pile: it is never taken so, or not this time."""
    if not asked.top.cards.size:
        yield reason(rules, "stock-no-top", "end-of-stock")
        return
    top = kind_of(asked.top)
    yield from _against_top(rules, asked, top)
    if asked.pile_has_wild or top.is_wild:
        yield reason(rules, "stock-pile-has-wild", "end-of-stock")
    if asked.pile_has_red_three or top is Kind.RED_THREE:
        yield reason(rules, "stock-pile-has-red-three", "end-of-stock")


def _against_top(rules: Ruleset, asked: EndOfStockAsked, top: Kind) -> Iterator[Reason]:
    """What of the top card itself frees from taking it."""
    if not top.is_natural:
        yield reason(rules, "stock-top-special", "pile-tops", card=top)
        return
    of_rank = [meld for meld in asked.table if meld.cards.ranks == asked.top.cards.ranks]
    if not any(is_legal(rules, together(meld, asked.top)) for meld in of_rank):
        full = [meld.cards.size for meld in of_rank if not rules.settings.may_grow(meld.cards.size)]
        if full:
            yield reason(rules, "stock-top-full", "end-of-stock", "meld-longest", card=top, cards=full[0])
        else:
            yield reason(rules, "stock-top-fits-nothing", "end-of-stock", card=top, why="named")
    elif top in rules.settings.stop_ranks:
        yield reason(rules, "stock-top-stops", "stop-ranks", card=top)
