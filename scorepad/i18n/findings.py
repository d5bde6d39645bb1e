"""Findings told to people: the message of a rule, with its cards, names and figures in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scorepad.i18n.settings import family_word
from scorepad.i18n.words import Figure, Words
from scorepad.rules.cards import Kind
from scorepad.rules.checks import Excess, Needed, SideName
from scorepad.rules.checks import Figure as RuleFigure
from scorepad.rules.judge import Finding

LONGEST_TOKEN = 40
MOST_TOKENS = 12

BY_FIGURE = {
    "totals-impossible": "why", "out-discard-special": "card", "opening-below-minimum": "why",
    "opening-impossible": "why", "opening-unknown": "why", "out-canastas-missing": "why", "meld-too-short": "why",
    "black-threes-not-out": "why", "meld-too-many-wilds": "why", "meld-kind-not-allowed": "why",
    "meld-rank-repeated": "why", "points-not-multiple": "why", "penalty-unknown": "why",
}  # fmt: skip
"""Rules whose message depends on one of their figures, where that has words of its own."""

_COUNTED = {
    "meld-too-short": "cards",
    "meld-too-few-naturals": "naturals",
    "meld-too-many-wilds": "allowed",
    "out-canastas-missing": "needed",
}
"""Rules whose message is told in the singular or plural, by this figure."""


REMEDY = "\n"
"""What stands in a message between what is wrong and what to do about it."""


def message(finding: Finding, names: tuple[str, ...], words: Words) -> str:
    """What is wrong and what to do, in one or two sentences; `names` are those of the sides, by position."""
    return told("problem", finding.code, finding.figures, names, words)


def fact(finding: Finding, names: tuple[str, ...], words: Words) -> str:
    """What the rules refuse, without what to do about it: nothing, where the table has agreed to it."""
    return _filled("problem", finding.code, finding.figures, names, words).partition(REMEDY)[0]


def told(domain: str, code: str, figures: Mapping[str, RuleFigure], names: tuple[str, ...], words: Words) -> str:
    """The message `DOMAIN.CODE` of a rule, with its figures in words."""
    return _filled(domain, code, figures, names, words).replace(REMEDY, " ")


def _filled(domain: str, code: str, figures: Mapping[str, RuleFigure], names: tuple[str, ...], words: Words) -> str:
    key = f"{domain}.{code}"
    figure = BY_FIGURE.get(code)
    # Without that figure the rule's own words hold, where there are any.
    if figure and (figure in figures or not words.has(key)):
        telling = f"{key}.{figures[figure]}"
        key = telling if words.has(telling) else key
    said = {name: told_figure(value, names, words) for name, value in figures.items()}
    if code == "out-canastas-missing":
        said |= _canastas_wanted(figures, words)
    counted = said.get(_COUNTED.get(code, ""))
    return words.plural(key, counted, **said) if isinstance(counted, int) else words.text(key, **said)


def told_figure(value: RuleFigure, names: tuple[str, ...], words: Words) -> Figure:
    """A figure of a rule as it stands in a sentence: cards, sides and lists of them by name."""
    if isinstance(value, SideName):
        return names[value.position]
    if isinstance(value, Kind):
        return words.plural(f"card.{value}", 2)
    if isinstance(value, tuple):
        return _listed(value, names, words)
    return value


def _listed(values: Sequence[str | Excess | Needed | SideName], names: tuple[str, ...], words: Words) -> str:
    sides = [names[value.position] for value in values if isinstance(value, SideName)]
    if sides:
        return words.listing(sides)
    excess = [_excess(value, words) for value in values if isinstance(value, Excess)]
    ranks = [words.plural(f"card.{value}", 2) for value in values if isinstance(value, Kind)]
    if excess or ranks:
        return "; ".join(excess) or words.listing(ranks)
    # Tokens are what somebody typed: a few of them, none of them long, say enough.
    return ", ".join(str(value)[:LONGEST_TOKEN] for value in values[:MOST_TOKENS])


def _canastas_wanted(figures: Mapping[str, RuleFigure], words: Words) -> dict[str, Figure]:
    """The canastas that going out needs, and those lacking, as the players of the variant call them."""
    game, needed, lacking = (figures.get(name) for name in ("game", "needed", "lacking"))
    said = {"wanted": family_word(str(game), "any", needed, words)} if isinstance(needed, int) else {}
    families = [part for part in lacking if isinstance(part, Needed)] if isinstance(lacking, tuple) else []
    listed = [
        words.text("needed", wanted=family_word(str(game), part.family, part.count, words), has=part.has)
        for part in families
    ]
    return {**said, "lacking": words.listing(listed)} if listed else dict(said)


def _excess(excess: Excess, words: Words) -> str:
    cards = words.plural(f"card.{excess.kind}", excess.count)
    suit = {"suit": words.text(f"suit.{excess.suit}")} if excess.suit else {}
    key = "excess.suit" if excess.suit else "excess"
    return words.text(key, count=excess.count, cards=cards, limit=excess.limit, **suit)
