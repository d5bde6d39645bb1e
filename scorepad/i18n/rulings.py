"""The referee's reasons told to people: a sentence or two with the cards and figures of the case."""

from __future__ import annotations

from collections.abc import Callable

from scorepad.i18n.cards import cards_in_words
from scorepad.i18n.findings import BY_FIGURE, LONGEST_TOKEN, told, told_figure
from scorepad.i18n.settings import family_word, item_word
from scorepad.i18n.words import Figure, Words
from scorepad.referee.answers import Reason
from scorepad.rules.cards import Kind, read_cards
from scorepad.rules.checks import Figure as RuleFigure
from scorepad.rules.checks import Needed

OWN, SHARED = "ruling", "problem"
"""Where the words of a reason stand: the referee's own, or those of the same rule where a hand breaks it."""
WHY, MELD, CARD = "why", "meld", "card"
"""Figures: what tells apart the messages of a code, if no other does; which meld is meant; one card and no rank."""


def reason_words(reason: Reason, words: Words, *, game: str = "", numbered: bool = False) -> str:
    """Why the answer is what it is. A rule that the pad knows too is told in its words, if the referee has no own.

    `game` is the variant, whose players may have names of their own for things. `numbered`: the question is about
    several melds, so that the number of the one that is meant belongs to it.
    """
    said = _said(reason, words, game)
    meld = reason.figures.get(MELD)
    if not numbered or not isinstance(meld, int):
        return said
    return words.text("ruling.meld-number", meld=meld, said=said)


def _said(reason: Reason, words: Words, game: str) -> str:
    side = words.text("ruling.side")
    own = reason_key(reason, words)
    if own is None:
        return told(SHARED, reason.code, {"side": side, "sides": side, **reason.figures}, (side,), words)
    if reason.code in _AS_PROBLEMS:
        return told(OWN, reason.code, reason.figures, (side,), words)
    figures = {key: _figure(key, value, words, game) for key, value in reason.figures.items()}
    counted = figures.get(_COUNTED.get(reason.code, ""))
    return words.plural(own, counted, **figures) if isinstance(counted, int) else words.text(own, **figures)


def _figure(key: str, value: RuleFigure, words: Words, game: str) -> Figure:
    """A figure in words; names out of the data as people say them, a single card with its article."""
    if isinstance(value, Kind) and key == CARD:
        return words.text(f"a-card.{value}")
    if key == "item":
        return item_word(game, str(value), words)
    if key in _WRITTEN:
        return _WRITTEN[key](str(value), words)
    if key == "families" and isinstance(value, tuple):
        kinds = [part for part in value if isinstance(part, Needed)]
        return words.listing([family_word(game, part.family, part.count, words) for part in kinds])
    if key in _NAMED:
        return words.text(f"{key}.{value}") if words.has(f"{key}.{value}") else str(value)[:LONGEST_TOKEN]
    return told_figure(value, (words.text("ruling.side"),), words)


def _minimums(text: str, key: str, by: str, words: Words) -> str:
    pairs = (map(int, pair.split(":")) for pair in text.split())
    return ", ".join(
        words.text("value.opening-below", minimum=minimum) if at < 0 else words.text(key, minimum=minimum, **{by: at})
        for at, minimum in pairs
    )


def reason_key(reason: Reason, words: Words) -> str | None:
    """The message of the referee's own for this reason; None where there is none."""
    key = f"{OWN}.{reason.code}"
    telling = BY_FIGURE.get(reason.code, WHY)
    own = f"{key}.{reason.figures[telling]}" if telling in reason.figures else key
    return next((found for found in (own, key) if words.has(found)), None)


_AS_PROBLEMS = {"out-canastas-missing"}
"""Codes of checks whose figures are put into words in a way of their own."""
_COUNTED = {
    "canasta-made": "bonus",
    "hand-cards-stay": "cards",
    "meld-too-many-wilds": "allowed",
    "pile-draws-too": "cards",
    "upcard-too-many": "cards",
    "wild-makes-mixed": "wilds",
    "wild-on-canasta": "wilds",
}
"""Codes of the referee's own told in the singular or plural, by this figure."""
_WRITTEN: dict[str, Callable[[str, Words], str]] = {
    "stay": lambda text, words: cards_in_words(read_cards(text).cards.counts, words),
    "steps": lambda text, words: _minimums(text, "value.opening-step", "score", words),
    "deals": lambda text, words: _minimums(text, "value.opening-deal", "deal", words),
}
"""Figures that are written in a way of their own: cards, and the opening minimums of a game, `0:50 1500:90`."""
_NAMED = {"penalty", "remedy"}
"""Figures that are names out of the data, with words of their own in the catalogue."""
