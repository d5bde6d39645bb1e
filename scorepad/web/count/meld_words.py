"""A meld in words: what it is, what it counts, which cards it has."""

from __future__ import annotations

from scorepad.i18n import Words
from scorepad.i18n.findings import cards_in_words
from scorepad.rules.cards import KINDS
from scorepad.rules.melds import Meld, canasta_of, is_unbroken_sequence, shape_of
from scorepad.rules.settings import Settings, Shape
from scorepad.rules.variants import Ruleset
from scorepad.web.count.naming import own_text


def meld_told(meld: Meld, rules: Ruleset, words: Words, *, is_wrong: bool = False) -> str:
    """What a meld is and what it counts; `is_wrong`: it may not be."""
    settings = rules.settings
    kind, shape = canasta_of(meld, settings), shape_of(meld, settings)
    key = kind.item if kind else "wrong" if is_wrong else "meld" if shape is Shape.GROUP else shape.value
    what = own_text(f"count.kind.{key}", rules, words)
    if settings.unit == "units":
        # Its cards count nothing; only what is complete does.
        return words.plural("count.told.units", kind.points, what=what) if kind else what
    return words.text("count.told", what=what, points=meld.cards.points(settings.card_points))


def meld_in_words(meld: Meld, settings: Settings, words: Words) -> str:
    """The cards, a sequence as one: `donna, fante e dieci di cuori`."""
    if shape_of(meld, settings) is not Shape.SEQUENCE or not is_unbroken_sequence(meld, settings):
        return cards_in_words(meld.cards.counts, words)
    (_, suit, _), *_ = meld.cards.suited
    cards = [words.plural(f"card.{KINDS[index]}", 1) for index, _, _ in meld.cards.suited]
    wilds = tuple(0 if index in meld.ranks else count for index, count in enumerate(meld.cards.counts))
    told = words.text("count.in-suit", cards=words.listing(cards), suit=words.text(f"suit.{suit}"))
    return ", ".join(part for part in (told, cards_in_words(wilds, words)) if part)
