"""Findings and the referee's reasons as sentences, with their cards, names and figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scorepad.i18n.catalogue import Argument, Words
from scorepad.i18n.counted import canastas_here, cards_here, counted_canastas, counted_cards
from scorepad.i18n.settings_in_words import item_word, opening_deals, opening_steps
from scorepad.referee.ruling import Reason
from scorepad.rules.cards import JOKER, KINDS, TWO, Kind, read_cards
from scorepad.rules.checks import Excess, MessageArgument, Needed
from scorepad.rules.judging import Finding
from scorepad.rules.table import SideName

LONGEST_TOKEN = 40
MOST_TOKENS = 12
REMEDY = "\n"
"""Separates in a message what is wrong from what to do about it."""
RULING = "ruling"
"""The beginning of the keys of the referee's messages."""
PROBLEM = "problem"
"""The beginning of the keys of messages about a hand; the referee uses those that it lacks."""
_COUNTED_BY = {
    "problem.meld-too-short": "cards",
    "problem.meld-too-few-naturals": "naturals",
    "problem.meld-too-many-wilds": "allowed",
    "problem.out-canastas-missing": "needed",
    "ruling.canasta-made": "bonus",
    "ruling.hand-cards-stay": "cards",
    "ruling.meld-too-many-wilds": "allowed",
    "ruling.out-canastas-enough": "needed",
    "ruling.out-canastas-missing": "needed",
    "ruling.pile-draws-too": "cards",
    "ruling.pile-naturals": "needed",
    "ruling.pile-top-needs-more": "needed",
    "ruling.top-card-needs-more": "needed",
    "ruling.upcard-too-many": "cards",
    "ruling.wild-makes-mixed": "wilds",
    "ruling.wild-on-canasta": "wilds",
}
"""Messages with a singular and a plural, each with the argument that decides which."""
_NATURALS = "naturals"
"""The figure that messages also name as a word, as `naturals_words`."""
_OF_NATURAL_CARDS = ("pile-naturals", "pile-with-naturals", "stock-always-frozen")
"""Reasons whose number of cards is of natural cards only."""


def cards_in_words(counts: tuple[int, ...], words: Words) -> str:
    """The number of cards of each kind: `4 re, 2 pinelle e 1 jolly`."""
    naturals = [index for index in range(len(KINDS)) if index not in (TWO, JOKER)]
    named = []
    for index in (*naturals, TWO, JOKER):
        count = counts[index]
        if count:
            named.append(f"{count} {words.plural(f'card.{KINDS[index]}', count)}")
    return words.listing(named) if named else ""


def message(finding: Finding, names: tuple[str, ...], words: Words) -> str:
    """What is wrong and what to do, in one or two sentences; `names` are the names of the sides, by
    position.
    """
    return _with_remedy(finding, names, words).replace(REMEDY, " ")


def fact(finding: Finding, names: tuple[str, ...], words: Words) -> str:
    """What the rules refuse, without what to do about it, for a hand that the table has agreed to
    count.
    """
    return _with_remedy(finding, names, words).partition(REMEDY)[0]


def _with_remedy(finding: Finding, names: tuple[str, ...], words: Words) -> str:
    arguments = _arguments(finding.arguments, names, words)
    if finding.code == "out-canastas-missing":
        arguments |= _missing_canastas_in_words(finding.arguments, words)
    return _rule_in_words(PROBLEM, finding, arguments, words)


def reason_words(reason: Reason, words: Words, *, game: str = "", numbered: bool = False) -> str:
    """Why the answer is what it is. A rule shared with the pad uses the pad's message if the
    referee has none.

    `game` is the variant, whose players may use other names for things. `numbered`: the question is
    about several melds, so the message includes the number of the meld.
    """
    side = words.t(words.first(f"ruling.side.{game}", "ruling.side"))
    arguments: dict[str, Argument] = {"side": side, "sides": side}
    arguments |= _arguments(reason.arguments, (side,), words, game)
    if reason.code == "out-canastas-missing":
        arguments |= _missing_canastas_in_words(reason.arguments, words)
    domain = PROBLEM
    if message_key(RULING, reason, words):
        domain = RULING
        arguments |= _counts_in_words(reason, words, game)
    text = _rule_in_words(domain, reason, arguments, words).replace(REMEDY, " ")
    meld = reason.arguments.get("meld")
    if numbered and isinstance(meld, int):
        return words.t("ruling.meld-number", meld=meld, said=text)
    return text


def message_key(domain: str, rule: Finding | Reason, words: Words) -> str:
    """The message key of a rule, including one of its figures if that has its own message; empty if
    there is none.
    """
    deciding = "card" if rule.code == "out-discard-special" else "why"
    figure = rule.arguments.get(deciding)
    return words.first(f"{domain}.{rule.code}.{figure}", f"{domain}.{rule.code}", "")


def _rule_in_words(
    domain: str, rule: Finding | Reason, arguments: Mapping[str, Argument], words: Words
) -> str:
    key = message_key(domain, rule, words)
    count = arguments.get(_COUNTED_BY.get(f"{domain}.{rule.code}", ""))
    if isinstance(count, int):
        return words.plural(key, count, **arguments)
    return words.t(key, **arguments)


# ---------------------------------------------------------------- the arguments of a message


def _arguments(
    figures: Mapping[str, MessageArgument], names: tuple[str, ...], words: Words, game: str = ""
) -> dict[str, Argument]:
    """The figures of a rule as arguments of its message: cards, sides and names of things in words."""
    arguments: dict[str, Argument] = {}
    for name, value in figures.items():
        arguments[name] = _argument(name, value, names, words, game)
    naturals = figures.get(_NATURALS)
    if isinstance(naturals, int):
        arguments[f"{_NATURALS}_words"] = words.spelled(naturals)
    return arguments


def _argument(
    name: str, value: MessageArgument, names: tuple[str, ...], words: Words, game: str
) -> Argument:
    match value:
        case SideName(position=position):
            return names[position]
        case Kind() if name == "card":
            return words.t(f"one-card.{value}")
        case Kind():
            return words.plural(f"card.{value}", 2)
        case tuple():
            return _listed(value, names, words, game)
        case str():
            return _named(name, value, words, game)
        case _:
            return value


def _named(name: str, value: str, words: Words, game: str) -> str:
    """What a name from the data, cards or opening minimums are in words; any other text unchanged."""
    match name:
        case "item":
            return item_word(game, value, words)
        case "penalty" | "remedy":
            key = f"{name}.{value}"
            return words.t(key) if words.has(key) else value[:LONGEST_TOKEN]
        case "stay":
            return cards_in_words(read_cards(value).cards.counts, words)
        case "steps":
            return opening_steps(_pairs(value), words)
        case "deals":
            return opening_deals(_pairs(value), words)
        case _:
            return value


def _listed(values: tuple[Any, ...], names: tuple[str, ...], words: Words, game: str) -> str:
    match values:
        case (SideName(), *_):
            return words.listing(names[side.position] for side in values)
        case (Excess(), *_):
            return "; ".join(_excess(excess, words) for excess in values)
        case (Kind(), *_):
            return words.listing(words.plural(f"card.{kind}", 2) for kind in values)
        case (Needed(), *_):
            return words.listing(
                counted_canastas(game, needed.family, needed.count, words) for needed in values
            )
        case _:
            # Tokens are user input: show only a few, truncated.
            return ", ".join(str(token)[:LONGEST_TOKEN] for token in values[:MOST_TOKENS])


def _excess(excess: Excess, words: Words) -> str:
    """Too many cards of a kind, or of a kind in one suit."""
    cards = words.plural(f"card.{excess.kind}", excess.count)
    if not excess.suit:
        return words.t("excess", count=excess.count, cards=cards, limit=excess.limit)
    suit = words.t(f"suit.{excess.suit}")
    return words.t("excess.suit", count=excess.count, cards=cards, limit=excess.limit, suit=suit)


def _pairs(text: str) -> Iterator[tuple[int, int]]:
    """The opening minimums of a game, given as `0:50 1500:90`."""
    for pair in text.split():
        at, _, minimum = pair.partition(":")
        yield int(at), int(minimum)


def _missing_canastas_in_words(
    figures: Mapping[str, MessageArgument], words: Words
) -> dict[str, Argument]:
    """The arguments of the message about canastas missing to go out: those required (`wanted`), and
    those missing (`lacking`).
    """
    game = str(figures.get("game"))
    arguments: dict[str, Argument] = {}
    needed = figures.get("needed")
    if isinstance(needed, int):
        arguments["wanted"] = counted_canastas(game, "any", needed, words)
    lacking = figures.get("lacking")
    if not isinstance(lacking, tuple):
        return arguments
    texts = []
    for part in lacking:
        if isinstance(part, Needed):
            canastas = counted_canastas(game, part.family, part.count, words)
            texts.append(words.t("needed", wanted=canastas, has=part.has))
    if texts:
        arguments["lacking"] = words.listing(texts)
    return arguments


def _counts_in_words(reason: Reason, words: Words, game: str) -> dict[str, Argument]:
    """The arguments of messages that count in words: how many cards or canastas a rule asks for
    (`wanted`: `due donne naturali`), and how many there are (`here`: `qui ce n'è una`).
    """
    figures = reason.arguments
    wanted = None
    for name in ("needed", "more", "naturals"):
        if name in figures:
            wanted = figures[name]
            break
    if not isinstance(wanted, int):
        return {}

    card = figures.get("card")
    has = figures.get("has")
    arguments: dict[str, Argument] = {}
    if isinstance(card, Kind):
        is_natural = reason.code in _OF_NATURAL_CARDS
        arguments["wanted"] = counted_cards(card, wanted, words, natural=is_natural)
        if isinstance(has, int):
            arguments["here"] = cards_here(card, has, words)
    elif reason.code.startswith("out-canastas-") and isinstance(has, int):
        arguments["wanted"] = counted_canastas(game, "any", wanted, words)
        arguments["here"] = canastas_here(game, has, words)
    return arguments
