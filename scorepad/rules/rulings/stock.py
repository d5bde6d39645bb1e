"""The stock is used up: does the hand end, must the pile be taken, may a card be discarded?"""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.rules.cards import Kind, Reading
from scorepad.rules.rulings.answers import Detail, Reason, Ruling, Verdict
from scorepad.rules.rulings.asked import EndOfStockAsked
from scorepad.rules.rulings.casing import reason
from scorepad.rules.rulings.faults import slips
from scorepad.rules.rulings.reading import kind_of, unknown_cards
from scorepad.rules.rulings.registry import ruling
from scorepad.rules.variants import Ruleset

REASONS = (
    "stock-hand-ends", "stock-at-once", "stock-red-three-last", "stock-red-three-unreplaced", "stock-must-take",
    "stock-top-fits-nothing", "stock-top-stops", "stock-always-frozen", "stock-pile-has-wild",
    "stock-pile-has-red-three", "stock-not-taken-ends", "stock-nobody-out",
)  # fmt: skip
"""The codes of its own reasons."""


@ruling(EndOfStockAsked)
def rule_end_of_stock(rules: Ruleset, asked: EndOfStockAsked) -> Ruling:
    """What happens when the last card of the stock is drawn."""
    unknown = unknown_cards(rules, asked.last_card, asked.top, *asked.table)
    if unknown:
        return Ruling(Verdict.FORBIDDEN, unknown)
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
    ends = reason(rules, "stock-hand-ends", "end-of-stock")
    if _is_red_three(asked.last_card):
        unreplaced = reason(rules, "stock-red-three-unreplaced", "red-threes-kept", "end-of-stock")
        told = (ends, unreplaced, *slips(rules, "fault-not-replaced"))
        return _value(told, hand_ends=True, must_take=False)
    return _value((ends,), hand_ends=True, must_take=False, may_discard=True)


def _while_taken(rules: Ruleset, asked: EndOfStockAsked) -> Ruling:
    """Play goes on as long as the pile is taken by who must."""
    nobody = reason(rules, "stock-nobody-out", "end-of-stock")
    if _is_red_three(asked.last_card):
        last = reason(rules, "stock-red-three-last", "end-of-stock")
        return _value((last, nobody), hand_ends=True, must_take=False, may_discard=False)
    against = tuple(_against_taking(rules, asked))
    if against:
        return _value((*against, nobody), hand_ends=True, must_take=False, may_discard=True)
    return _value(tuple(_in_favour(rules, kind_of(asked.top))), hand_ends=False, must_take=True, may_discard=True)


def _in_favour(rules: Ruleset, top: Kind) -> Iterator[Reason]:
    """Why the next player must take the pile, and what comes of it."""
    yield reason(rules, "stock-must-take", "end-of-stock", card=top)
    if rules.settings.freezing == "always":
        naturals = rules.settings.pile_naturals_frozen
        yield reason(rules, "stock-always-frozen", "freezing", "pile-naturals-frozen", card=top, naturals=naturals)
    yield reason(rules, "stock-not-taken-ends", "end-of-stock")
    yield from slips(rules, "fault-without-going-out")


def _against_taking(rules: Ruleset, asked: EndOfStockAsked) -> Iterator[Reason]:
    """Why the next player need not take the pile: it is never taken so, or not this time."""
    if not any(_takes(rules, asked.top, meld) for meld in asked.table):
        yield reason(rules, "stock-top-fits-nothing", "end-of-stock")
    elif kind_of(asked.top) in rules.settings.stop_ranks:
        yield reason(rules, "stock-top-stops", "stop-ranks", card=kind_of(asked.top))
    if asked.pile_has_wild:
        yield reason(rules, "stock-pile-has-wild", "end-of-stock")
    if asked.pile_has_red_three:
        yield reason(rules, "stock-pile-has-red-three", "end-of-stock")


def _takes(rules: Ruleset, top: Reading, meld: Reading) -> bool:
    """Whether a meld is of the top card's rank, and not full."""
    if not top.cards.size or not kind_of(top).is_natural:
        return False
    return meld.cards.of(kind_of(top)) > 0 and rules.settings.may_grow(meld.cards.size)
