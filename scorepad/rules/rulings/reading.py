"""Single cards of a question: what they are, how they are written, and which of them are no cards."""

from __future__ import annotations

from scorepad.rules.cards import KINDS, Kind, Reading
from scorepad.rules.entries import SideEntry
from scorepad.rules.rulings.answers import Reason
from scorepad.rules.rulings.casing import broken, lay_case, together
from scorepad.rules.variants import Ruleset


def kind_of(card: Reading) -> Kind:
    """What a single card is."""
    return next(kind for kind, count in zip(KINDS, card.cards.counts, strict=True) if count)


def token_of(card: Reading) -> str:
    """A single card as it is written, with its suit where it was given."""
    kind = kind_of(card)
    suits = [suit for _, suit, _ in card.cards.suited]
    if not suits:
        return kind.value
    return f"{'3' if kind.is_three else kind.value}{suits[0]}"


def unknown_cards(rules: Ruleset, *cards: Reading) -> tuple[Reason, ...]:
    """That some of these are no cards."""
    return broken(lay_case(rules, SideEntry(left=(together(*cards),))), {"card-unknown"})
