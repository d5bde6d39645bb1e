"""Findings, reasons of the referee and verdicts in words, with their cards, names and figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from scorepad.i18n.settings import family_word, item_word
from scorepad.i18n.words import Figure, Words
from scorepad.referee.questions import Reason
from scorepad.rules.cards import JOKER, KINDS, TWO, Kind, read_cards
from scorepad.rules.checks import Excess, Needed
from scorepad.rules.checks import Figure as RuleFigure
from scorepad.rules.judge import Finding
from scorepad.rules.table import SideName


def cards_in_words(counts: tuple[int, ...], words: Words) -> str:
    """So many of each kind: `4 re, 2 pinelle e 1 jolly`."""
    order = sorted(range(len(KINDS)), key=lambda index: (index in (TWO, JOKER), index == JOKER))
    named = [
        f"{counts[index]} {words.plural(f'card.{KINDS[index]}', counts[index])}" for index in order if counts[index]
    ]
    return words.listing(named) if named else ""


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
"""Rules whose message is in the singular or plural, by this figure."""


REMEDY = "\n"
"""What stands in a message between what is wrong and what to do about it."""


def message(finding: Finding, names: tuple[str, ...], words: Words) -> str:
    """What is wrong and what to do, in one or two sentences; `names` are those of the sides, by position."""
    return rule_message("problem", finding.code, finding.figures, names, words)


def fact(finding: Finding, names: tuple[str, ...], words: Words) -> str:
    """What the rules refuse, without what to do about it: nothing, where the table has agreed to it."""
    return _filled("problem", finding.code, finding.figures, names, words).partition(REMEDY)[0]


def rule_message(
    domain: str, code: str, figures: Mapping[str, RuleFigure], names: tuple[str, ...], words: Words
) -> str:  # fmt: skip
    """The message `DOMAIN.CODE` of a rule, with its figures in words."""
    return _filled(domain, code, figures, names, words).replace(REMEDY, " ")


def _filled(domain: str, code: str, figures: Mapping[str, RuleFigure], names: tuple[str, ...], words: Words) -> str:
    key = f"{domain}.{code}"
    figure = BY_FIGURE.get(code)
    # Without that figure the rule's own words hold, where there are any.
    if figure and (figure in figures or not words.has(key)):
        own = f"{key}.{figures[figure]}"
        key = own if words.has(own) else key
    values = {name: figure_words(value, names, words) for name, value in figures.items()}
    if code == "out-canastas-missing":
        values |= _canastas_wanted(figures, words)
    counted = values.get(_COUNTED.get(code, ""))
    return words.plural(key, counted, **values) if isinstance(counted, int) else words.text(key, **values)


def figure_words(value: RuleFigure, names: tuple[str, ...], words: Words) -> Figure:
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
    values = {"wanted": family_word(str(game), "any", needed, words)} if isinstance(needed, int) else {}
    families = [part for part in lacking if isinstance(part, Needed)] if isinstance(lacking, tuple) else []
    listed = [
        words.text("needed", wanted=family_word(str(game), part.family, part.count, words), has=part.has)
        for part in families
    ]
    return {**values, "lacking": words.listing(listed)} if listed else dict(values)


def _excess(excess: Excess, words: Words) -> str:
    cards = words.plural(f"card.{excess.kind}", excess.count)
    suit = {"suit": words.text(f"suit.{excess.suit}")} if excess.suit else {}
    key = "excess.suit" if excess.suit else "excess"
    return words.text(key, count=excess.count, cards=cards, limit=excess.limit, **suit)


OWN, SHARED = "ruling", "problem"
"""Where the words of a reason stand: the referee's own, or those of the same rule where a hand breaks it."""
WHY, MELD, CARD = "why", "meld", "card"
"""Figures: what tells apart the messages of a code, if no other does; which meld is meant; one card and no rank."""


def reason_words(reason: Reason, words: Words, *, game: str = "", numbered: bool = False) -> str:
    """Why the answer is what it is. A rule that the pad knows too has its words, if the referee has no own.

    `game` is the variant, whose players may have names of their own for things. `numbered`: the question is about
    several melds, so that the number of the one that is meant belongs to it.
    """
    text = _reason_text(reason, words, game)
    meld = reason.figures.get(MELD)
    if not numbered or not isinstance(meld, int):
        return text
    return words.text("ruling.meld-number", meld=meld, said=text)


def _reason_text(reason: Reason, words: Words, game: str) -> str:
    side = words.text("ruling.side")
    own = reason_key(reason, words)
    if own is None:
        return rule_message(SHARED, reason.code, {"side": side, "sides": side, **reason.figures}, (side,), words)
    if reason.code in _AS_PROBLEMS:
        return rule_message(OWN, reason.code, reason.figures, (side,), words)
    figures = {key: _figure(key, value, words, game) for key, value in reason.figures.items()}
    counted = figures.get(_COUNTED_REASONS.get(reason.code, ""))
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
    return figure_words(value, (words.text("ruling.side"),), words)


def _minimums(text: str, key: str, by: str, words: Words) -> str:
    pairs = (map(int, pair.split(":")) for pair in text.split())
    return ", ".join(
        words.text("value.opening-below", minimum=minimum) if at < 0 else words.text(key, minimum=minimum, **{by: at})
        for at, minimum in pairs
    )


def reason_key(reason: Reason, words: Words) -> str | None:
    """The message of the referee's own for this reason; None where there is none."""
    key = f"{OWN}.{reason.code}"
    figure = BY_FIGURE.get(reason.code, WHY)
    own = f"{key}.{reason.figures[figure]}" if figure in reason.figures else key
    return next((found for found in (own, key) if words.has(found)), None)


_AS_PROBLEMS = {"out-canastas-missing"}
"""Codes of checks whose figures are put into words in a way of their own."""
_COUNTED_REASONS = {
    "canasta-made": "bonus",
    "hand-cards-stay": "cards",
    "meld-too-many-wilds": "allowed",
    "pile-draws-too": "cards",
    "upcard-too-many": "cards",
    "wild-makes-mixed": "wilds",
    "wild-on-canasta": "wilds",
}
"""Codes of the referee's own in the singular or plural, by this figure."""
_WRITTEN: dict[str, Callable[[str, Words], str]] = {
    "stay": lambda text, words: cards_in_words(read_cards(text).cards.counts, words),
    "steps": lambda text, words: _minimums(text, "value.opening-step", "score", words),
    "deals": lambda text, words: _minimums(text, "value.opening-deal", "deal", words),
}
"""Figures that are written in a way of their own: cards, and the opening minimums of a game, `0:50 1500:90`."""
_NAMED = {"penalty", "remedy"}
"""Figures that are names out of the data, with words of their own in the catalogue."""


def verdict_word(kind: str, verdict: str, details: Mapping[str, Any], words: Words) -> str:
    """The word for an answer to a question of this kind, by its verdict and details in the contract."""
    if verdict == "value":
        return _value(kind, details, words)
    if kind == "discard" and verdict == "allowed" and details.get("effect") in ("stop", "freeze"):
        return words.text(f"referee.word.{details['effect']}")
    return words.text(f"referee.word.{verdict}")


def _value(kind: str, details: Mapping[str, Any], words: Words) -> str:
    match kind:
        case "opening":
            minimum = details.get("minimum")
            return words.text("referee.word.any") if minimum is None else words.text("referee.points", points=minimum)
        case "red-threes":
            return words.signed(details["points"])
        case "penalty":
            lost = details.get("points") or details.get("held")
            return words.text("referee.word.no-points") if lost is None else words.signed(-lost)
        case "upcard":
            return words.text(f"referee.word.{_turned(details)}")
        case _:
            ends, must = details["hand_ends"], details["must_take"]
            return words.text("referee.word." + ("ends" if ends else "must-take" if must else "goes-on"))


def _turned(details: Mapping[str, Any]) -> str:
    """What the first cards turned up come to."""
    if details["redeal"]:
        return "redeal"
    if "top" not in details:
        return "turn-another"
    return "frozen" if details["frozen"] else "free"
