"""Findings, reasons of the referee and verdicts as text, with their cards, names and figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from scorepad.i18n.counted import canastas_here, cards_here, counted_canastas, counted_cards
from scorepad.i18n.settings import item_word, opening_deals, opening_steps
from scorepad.i18n.words import Figure, Words
from scorepad.referee.ruling import Reason
from scorepad.rules.cards import JOKER, KINDS, TWO, Kind, read_cards
from scorepad.rules.checks import Excess, Needed
from scorepad.rules.checks import Figure as RuleFigure
from scorepad.rules.judge import Finding
from scorepad.rules.table import SideName

LONGEST_TOKEN = 40
MOST_TOKENS = 12
REMEDY = "\n"
"""Separates in a message what is wrong from what to do about it."""
OWN, SHARED = "ruling", "problem"
"""The message domains of a reason: the referee's, or that of the same rule broken in a hand."""
_COUNTED = {
    "problem.meld-too-short": "cards", "problem.meld-too-few-naturals": "naturals",
    "problem.meld-too-many-wilds": "allowed", "problem.out-canastas-missing": "needed",
    "ruling.canasta-made": "bonus", "ruling.hand-cards-stay": "cards", "ruling.meld-too-many-wilds": "allowed",
    "ruling.out-canastas-enough": "needed", "ruling.out-canastas-missing": "needed",
    "ruling.pile-draws-too": "cards", "ruling.pile-naturals": "needed", "ruling.pile-top-needs-more": "needed",
    "ruling.top-card-needs-more": "needed", "ruling.upcard-too-many": "cards",
    "ruling.wild-makes-mixed": "wilds", "ruling.wild-on-canasta": "wilds",
}  # fmt: skip
"""Messages with a singular and a plural, by this figure."""


_SPELLED = "naturals"
"""The figure that messages also name as a word, as `naturals_words`."""


def cards_in_words(counts: tuple[int, ...], words: Words) -> str:
    """The number of cards of each kind: `4 re, 2 pinelle e 1 jolly`."""
    order = sorted(range(len(KINDS)), key=lambda index: (index in (TWO, JOKER), index == JOKER))
    named = [
        f"{counts[index]} {words.plural(f'card.{KINDS[index]}', counts[index])}"
        for index in order
        if counts[index]
    ]
    return words.listing(named) if named else ""


def message(finding: Finding, names: tuple[str, ...], words: Words) -> str:
    """What is wrong and what to do, in one or two sentences; `names` are the names of the sides, by
    position.
    """
    return _told(SHARED, finding, names, words).replace(REMEDY, " ")


def fact(finding: Finding, names: tuple[str, ...], words: Words) -> str:
    """What the rules refuse, without what to do about it, for a hand that the table has agreed to
    count.
    """
    return _told(SHARED, finding, names, words).partition(REMEDY)[0]


def reason_words(reason: Reason, words: Words, *, game: str = "", numbered: bool = False) -> str:
    """Why the answer is what it is. A rule shared with the pad uses the pad's message if the
    referee has none.

    `game` is the variant, whose players may use other names for things. `numbered`: the question is
    about several melds, so the message includes the number of the meld.
    """
    domain = OWN if message_key(OWN, reason, words) else SHARED
    side = words.text(words.first(f"ruling.side.{game}", "ruling.side"))
    text = _told(domain, reason, (side,), words, game).replace(REMEDY, " ")
    meld = reason.figures.get("meld")
    return (
        words.text("ruling.meld-number", meld=meld, said=text)
        if numbered and isinstance(meld, int)
        else text
    )


def message_key(domain: str, told: Finding | Reason, words: Words) -> str:
    """The message key of a rule, including one of its figures if that has its own message; empty if
    there is none.
    """
    figure = told.figures.get("card" if told.code == "out-discard-special" else "why")
    return words.first(f"{domain}.{told.code}.{figure}", f"{domain}.{told.code}", "")


def _told(
    domain: str, told: Finding | Reason, names: tuple[str, ...], words: Words, game: str = ""
) -> str:
    """The message of a rule, with its figures in words."""
    figures = told.figures
    values: dict[str, Figure] = (
        {"side": names[0], "sides": names[0]} if isinstance(told, Reason) else {}
    )
    values |= {name: _figure(name, value, names, words, game) for name, value in figures.items()}
    naturals = figures.get(_SPELLED)
    if isinstance(naturals, int):
        values[f"{_SPELLED}_words"] = words.spelled(naturals)
    if told.code == "out-canastas-missing":
        values |= _canastas_wanted(figures, words)
    if domain == OWN:
        values |= _counted(told, words, game)
    key, counted = (
        message_key(domain, told, words),
        values.get(_COUNTED.get(f"{domain}.{told.code}", "")),
    )
    return (
        words.plural(key, counted, **values)
        if isinstance(counted, int)
        else words.text(key, **values)
    )


_NATURALS = ("pile-naturals", "pile-with-naturals", "stock-always-frozen")
"""Reasons whose number of cards is of natural cards only."""


def _counted(told: Finding | Reason, words: Words, game: str) -> dict[str, Figure]:
    """The cards or canastas that a reason asks for as `wanted`, and those that there are as `here`."""
    figures = told.figures
    card, has = figures.get("card"), figures.get("has")
    wanted = next(
        (figures[name] for name in ("needed", "more", "naturals") if name in figures), None
    )
    values: dict[str, Figure] = {}
    if isinstance(card, Kind) and isinstance(wanted, int):
        values["wanted"] = counted_cards(card, wanted, words, natural=told.code in _NATURALS)
        if isinstance(has, int):
            values["here"] = cards_here(card, has, words)
    elif told.code.startswith("out-canastas-") and isinstance(wanted, int) and isinstance(has, int):
        values["wanted"] = counted_canastas(game, "any", wanted, words)
        values["here"] = canastas_here(game, has, words)
    return values


def _figure(
    name: str, value: RuleFigure, names: tuple[str, ...], words: Words, game: str
) -> Figure:
    """The text of a figure: cards, sides, names from the data and lists of them in words."""
    match value:
        case SideName(position=position):
            return names[position]
        case Kind():
            return (
                words.text(f"one-card.{value}")
                if name == "card"
                else words.plural(f"card.{value}", 2)
            )
        case tuple():
            return _listed(value, names, words, game)
        case str() if name in _NAMED:
            return _NAMED[name](value, words, game)
        case _:
            return value


_NAMED: Mapping[str, Callable[[str, Words, str], str]] = {
    "item": lambda item, words, game: item_word(game, item, words),
    "penalty": lambda code, words, _: _word(f"penalty.{code}", code, words),
    "remedy": lambda code, words, _: _word(f"remedy.{code}", code, words),
    "stay": lambda text, words, _: cards_in_words(read_cards(text).cards.counts, words),
    "steps": lambda text, words, _: opening_steps(_pairs(text), words),
    "deals": lambda text, words, _: opening_deals(_pairs(text), words),
}
"""Figures that are converted to text: names from the data, cards, the opening minimums of a game.
"""


def _word(key: str, code: str, words: Words) -> str:
    return words.text(key) if words.has(key) else code[:LONGEST_TOKEN]


def _listed(values: tuple[Any, ...], names: tuple[str, ...], words: Words, game: str) -> str:
    match values:
        case (SideName(), *_):
            return words.listing(names[value.position] for value in values)
        case (Excess(), *_):
            return "; ".join(_excess(value, words) for value in values)
        case (Kind(), *_):
            return words.listing(words.plural(f"card.{value}", 2) for value in values)
        case (Needed(), *_):
            return words.listing(
                counted_canastas(game, value.family, value.count, words) for value in values
            )
        case _:
            # Tokens are user input: show only a few, truncated.
            return ", ".join(str(value)[:LONGEST_TOKEN] for value in values[:MOST_TOKENS])


def _pairs(text: str) -> Iterator[tuple[int, int]]:
    """The opening minimums of a game, given as `0:50 1500:90`."""
    for pair in text.split():
        at, _, minimum = pair.partition(":")
        yield int(at), int(minimum)


def _canastas_wanted(figures: Mapping[str, RuleFigure], words: Words) -> dict[str, Figure]:
    """The canastas that going out requires, and those missing, with the names used by the players
    of the variant.
    """
    game, needed, lacking = (figures.get(name) for name in ("game", "needed", "lacking"))
    values: dict[str, Figure] = {}
    if isinstance(needed, int):
        values["wanted"] = counted_canastas(str(game), "any", needed, words)
    families = (
        [part for part in lacking if isinstance(part, Needed)] if isinstance(lacking, tuple) else []
    )
    if families:
        values["lacking"] = words.listing(
            words.text(
                "needed",
                wanted=counted_canastas(str(game), part.family, part.count, words),
                has=part.has,
            )
            for part in families
        )
    return values


def _excess(excess: Excess, words: Words) -> str:
    cards = words.plural(f"card.{excess.kind}", excess.count)
    suit = {"suit": words.text(f"suit.{excess.suit}")} if excess.suit else {}
    key = "excess.suit" if excess.suit else "excess"
    return words.text(key, count=excess.count, cards=cards, limit=excess.limit, **suit)


def verdict_word(kind: str, verdict: str, details: Mapping[str, Any], words: Words) -> str:
    """The word for an answer to a question of this kind, by its verdict and details."""
    if verdict == "value":
        return _value(kind, details, words)
    if kind == "discard" and verdict == "allowed" and details.get("effect") in ("stop", "freeze"):
        return words.text(f"referee.word.{details['effect']}")
    return words.text(f"referee.word.{verdict}")


def _value(kind: str, details: Mapping[str, Any], words: Words) -> str:
    match kind:
        case "opening":
            minimum = details.get("minimum")
            return (
                words.text("referee.word.any")
                if minimum is None
                else words.text("referee.points", points=minimum)
            )
        case "red-threes":
            return words.signed(details["points"])
        case "penalty":
            lost = details.get("points") or details.get("held")
            return words.text("referee.word.no-points") if lost is None else words.signed(-lost)
        case "upcard":
            pile = (
                "turn-another"
                if "top" not in details
                else "frozen"
                if details["frozen"]
                else "free"
            )
            return words.text(f"referee.word.{'redeal' if details['redeal'] else pile}")
        case _:
            ends, must = details["hand_ends"], details["must_take"]
            return words.text(
                "referee.word." + ("ends" if ends else "must-take" if must else "goes-on")
            )
