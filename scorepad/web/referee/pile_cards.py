"""The cards of the hand that take the pile, with its top card added to the meld where it belongs.

The page asks for the cards of the hand only. In the contract one of the melds holds the top card, except where the
side has a meld of its rank on the table: there the cards of the hand join that one.
"""

from __future__ import annotations

from collections.abc import Callable

from scorepad.rules.cards import Reading, read_cards
from scorepad.rules.entries import SideEntry
from scorepad.rules.rulings.asked import PileAsked
from scorepad.rules.rulings.casing import broken, laid_down, lay_case, together
from scorepad.rules.rulings.piling import against_use
from scorepad.rules.rulings.reading import kind_of
from scorepad.rules.rulings.taking import special_top
from scorepad.rules.rulings.top_card import is_legal, uses_of
from scorepad.rules.terms import Sequences
from scorepad.rules.variants import Ruleset
from scorepad.web.cards import grow


def with_top(laid: list[str], top: str, table: list[str], rules: Ruleset) -> list[str]:
    """The melds as the contract takes them, out of those of the hand; in notation all."""
    card = read_cards(top)
    place = None if card.cards.size != 1 else _place_of(card, list(map(read_cards, laid)), table, rules)
    return [grow(meld, top) if number == place else meld for number, meld in enumerate(laid)]


def _place_of(top: Reading, laid: list[Reading], table: list[str], rules: Ruleset) -> int | None:
    """The meld of the hand that the top card belongs with; None where it stays by itself, or joins the table's."""
    kind, on_table = kind_of(top), list(map(read_cards, table))

    def first(belongs: Callable[[Reading], bool]) -> int | None:
        return next((place for place, meld in enumerate(laid) if belongs(meld)), None)

    if not kind.is_natural:
        return first(lambda meld: meld.cards.of(kind) > 0)
    if any(meld.cards.ranks == top.cards.ranks for meld in on_table):
        return None
    ways: list[Callable[[Reading], bool]] = [lambda meld: meld.cards.ranks == top.cards.ranks]
    if rules.settings.sequences is not Sequences.NONE:
        ways.append(lambda meld: is_legal(rules, together(meld, top)))
    ways.append(lambda meld: meld.cards.of(kind) > 0)
    # Wild cards by themselves go with it where nothing else can.
    if not any(is_legal(rules, together(meld, top)) for meld in on_table):
        ways.append(lambda meld: not meld.cards.naturals)
    return next((place for place in map(first, ways) if place is not None), None)


def as_they_lie(rules: Ruleset, asked: PileAsked) -> tuple[Reading, ...]:
    """The melds of the turn once the pile is taken: that with the top card as it then lies."""
    table = lay_case(rules, SideEntry(melds=laid_down(*asked.table, *asked.laid)))
    if not kind_of(asked.top).is_natural or broken(table, {"deck-exceeded"}):
        return asked.laid
    uses = uses_of(rules, asked)
    if not uses:
        return asked.laid
    use = min(uses, key=lambda each: len(against_use(rules, asked, each)))
    if use.number is None:
        return (*asked.laid, use.meld)
    return (*asked.laid[: use.number], use.meld, *asked.laid[use.number + 1 :])


def is_used(rules: Ruleset, asked: PileAsked) -> bool:
    """Whether the top card goes with any of the melds."""
    kind = kind_of(asked.top)
    return bool(uses_of(rules, asked)) if kind.is_natural else any(meld.cards.of(kind) for meld in asked.laid)


def is_discarded(rules: Ruleset, asked: PileAsked, meld: Reading) -> bool:
    """Whether these cards are no meld: special ones that are discarded with the top card at the end of the turn."""
    way = special_top(rules.settings, kind_of(asked.top))
    return way is not None and way.used == "discarded" and meld.cards.of(kind_of(asked.top)) > 0
