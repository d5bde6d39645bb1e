"""Findings and the referee's reasons as sentences, with their cards, names and figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scorepad.i18n.catalogue import Argument, Words
from scorepad.i18n.counted import (
    canastas_here,
    cards_here,
    counted_canastas,
    counted_cards,
    counted_natural_cards,
)
from scorepad.i18n.settings_in_words import (
    describe_minimums_by_hand,
    describe_minimums_by_score,
    name_score_item,
)
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
_OF_NATURAL_CARDS = ("pile-naturals", "pile-with-naturals", "stock-always-frozen")
"""Reasons whose number of cards is of natural cards only."""
_WILD_CARDS = (TWO, JOKER)
_SPOKEN_ORDER = (*(index for index in range(len(KINDS)) if index not in _WILD_CARDS), *_WILD_CARDS)
"""The kinds of cards as people list them, by their index in `KINDS`: the wild cards come last."""


def cards_in_words(counts: tuple[int, ...], words: Words) -> str:
    """How many cards of each kind there are: `4 re, 2 pinelle e 1 jolly`; empty without cards.

    `counts` has a number for each kind, in the order of `KINDS`.
    """
    texts = []
    for index in _SPOKEN_ORDER:
        count = counts[index]
        if count > 0:
            noun = words.plural(f"card.{KINDS[index]}", count)
            texts.append(f"{count} {noun}")
    if not texts:
        return ""
    return words.listing(texts)


# ---------------------------------------------------------------- findings


def finding_text(finding: Finding, side_names: tuple[str, ...], words: Words) -> str:
    """What is wrong with a hand and what to do about it, in one or two sentences."""
    return _finding_with_remedy(finding, side_names, words).replace(REMEDY, " ")


def finding_without_remedy(finding: Finding, side_names: tuple[str, ...], words: Words) -> str:
    """What is wrong with a hand, without what to do about it.

    It is shown for a hand that the players agreed to count although it breaks a rule.
    """
    text, _, _remedy = _finding_with_remedy(finding, side_names, words).partition(REMEDY)
    return text


def _finding_with_remedy(finding: Finding, side_names: tuple[str, ...], words: Words) -> str:
    """What is wrong with a hand, then `REMEDY` (a line break), then what to do, if it is known."""
    formatter = _ArgumentFormatter(words, side_names)
    arguments = formatter.format_all(finding.arguments)
    if finding.code == "out-canastas-missing":
        arguments |= _missing_canastas_in_words(finding.arguments, words)
    return _filled_message(PROBLEM, finding, arguments=arguments, words=words)


# ---------------------------------------------------------------- the referee's reasons


def reason_words(reason: Reason, words: Words, *, game: str = "", numbered: bool = False) -> str:
    """Why the referee's answer is what it is, as a sentence.

    `game` is the id of the game, whose players may have their own names for things. `numbered`: the
    question is about several melds (sets of cards), so the sentence says the number of the meld.
    """
    sentence = _reason_sentence(reason, game, words)
    meld_number = reason.arguments.get("meld")
    if not numbered or not isinstance(meld_number, int):
        return sentence
    return words.t("ruling.meld-number", meld=meld_number, said=sentence)


def _reason_sentence(reason: Reason, game: str, words: Words) -> str:
    """A reason of the referee, without the number of the meld that it is about.

    If the referee has no message of its own for the rule, the message about a hand is used.
    """
    arguments = _arguments_of_reason(reason, game, words)
    has_message_of_referee = bool(message_key(RULING, reason, words))
    if has_message_of_referee:
        arguments |= _counts_in_words(reason, game, words)
        text = _filled_message(RULING, reason, arguments=arguments, words=words)
    else:
        text = _filled_message(PROBLEM, reason, arguments=arguments, words=words)
    # In the message, a line break parts what is wrong from what to do about it.
    return text.replace(REMEDY, " ")


def _arguments_of_reason(reason: Reason, game: str, words: Words) -> dict[str, Argument]:
    """The arguments for the message of a reason, in words.

    A question to the referee is about one side, which is called "the side", not by a name. Some
    messages have a placeholder for one side, others for several.
    """
    the_side = words.t(words.first_known(f"ruling.side.{game}", "ruling.side"))
    formatter = _ArgumentFormatter(words, side_names=(the_side,), game=game)
    arguments: dict[str, Argument] = {"side": the_side, "sides": the_side}
    arguments |= formatter.format_all(reason.arguments)
    if reason.code == "out-canastas-missing":
        arguments |= _missing_canastas_in_words(reason.arguments, words)
    return arguments


# ---------------------------------------------------------------- the message of a code


def message_key(domain: str, rule: Finding | Reason, words: Words) -> str:
    """The key of the message about a rule; empty if it has none.

    `domain` is `PROBLEM` or `RULING`. A value of the rule may have a message of its own:
    `ruling.out-discard-special.JK` comes before `ruling.out-discard-special`.
    """
    argument_with_own_messages = "why"
    if rule.code == "out-discard-special":
        argument_with_own_messages = "card"
    value = rule.arguments.get(argument_with_own_messages)
    return words.first_known(f"{domain}.{rule.code}.{value}", f"{domain}.{rule.code}", "")


def _filled_message(
    domain: str, rule: Finding | Reason, *, arguments: Mapping[str, Argument], words: Words
) -> str:
    """The message about a rule with its arguments, in the singular or plural if it has both."""
    key = message_key(domain, rule, words)
    counted_argument = _COUNTED_BY.get(f"{domain}.{rule.code}", "")
    count = arguments.get(counted_argument)
    if isinstance(count, int):
        return words.plural(key, count, **arguments)
    return words.t(key, **arguments)


# ---------------------------------------------------------------- the arguments of a message


@dataclass(frozen=True)
class _ArgumentFormatter:
    """Puts the arguments of messages into words: numbers stay, everything else becomes text.

    `side_names` are the names of the sides by position; `game` is the id of the game.
    """

    words: Words
    side_names: tuple[str, ...]
    game: str = ""

    def format_all(self, arguments: Mapping[str, MessageArgument]) -> dict[str, Argument]:
        """The arguments in words; a number of natural cards also as a word, `naturals_words`."""
        formatted: dict[str, Argument] = {}
        for name, value in arguments.items():
            formatted[name] = self._format(name, value)
        naturals = arguments.get("naturals")
        if isinstance(naturals, int):
            formatted["naturals_words"] = self.words.card_count(naturals)
        return formatted

    def _format(self, name: str, value: MessageArgument) -> Argument:
        """One argument, by the type of its value."""
        if isinstance(value, Kind) and name == "card":  # the message is about one: `una donna`
            return self.words.t(f"one-card.{value}")
        if isinstance(value, (SideName, Kind)):
            return self._format_item(value)
        if isinstance(value, tuple):
            return self._format_tuple(value)
        if isinstance(value, str):
            return self._format_text(name, value)
        return value

    def _format_text(self, name: str, text: str) -> str:
        """An argument that is text: an id or cards in words, by the argument's name."""
        words = self.words
        match name:
            case "item":  # the id of a line of the score: `natural-canasta`
                return name_score_item(self.game, text, words)
            case "penalty" | "remedy":  # an id, or what a person typed in place of one
                key = f"{name}.{text}"
                return words.t(key) if words.has(key) else text[:LONGEST_TOKEN]
            case "stay":  # cards in notation that stay in the hand: `K 2x4`
                return cards_in_words(read_cards(text).cards.counts, words)
            case "steps":  # minimums of points by the score: `0:50 1500:90`
                return describe_minimums_by_score(_parse_minimums(text), words)
            case "deals":  # minimums of points by the number of the hand: `1:50 2:90`
                return describe_minimums_by_hand(_parse_minimums(text), words)
            case _:
                return text

    def _format_tuple(self, values: tuple[Any, ...]) -> str:
        """Several things in words, all of the same type: `Noi e Loro`, `re, donne e fanti`."""
        if not values:
            return ""
        first = values[0]
        if isinstance(first, (SideName, Kind, Needed)):
            return self.words.listing([self._format_item(value) for value in values])
        if isinstance(first, Excess):  # each is half a sentence
            return "; ".join([_excess_in_words(excess, self.words) for excess in values])
        return _shortened(values)  # what a person typed

    def _format_item(self, item: SideName | Kind | Needed) -> str:
        """A side, a kind of card, or the canastas that a side needs: `due canaste naturali`."""
        if isinstance(item, SideName):
            return self.side_names[item.position]
        if isinstance(item, Kind):
            return self.words.plural(f"card.{item}", 2)
        return counted_canastas(self.game, item.family, item.count, self.words)


def _shortened(typed: Sequence[str]) -> str:
    """What a person typed, which may be long: only the first words of it, each shortened."""
    return ", ".join([str(token)[:LONGEST_TOKEN] for token in typed[:MOST_TOKENS]])


def _excess_in_words(excess: Excess, words: Words) -> str:
    """More cards of a kind, or of a kind in one suit, than the decks have."""
    cards = words.plural(f"card.{excess.kind}", excess.count)
    if not excess.suit:
        return words.t("excess", count=excess.count, cards=cards, limit=excess.limit)
    suit = words.t(f"suit.{excess.suit}")
    return words.t("excess.suit", count=excess.count, cards=cards, limit=excess.limit, suit=suit)


def _parse_minimums(text: str) -> list[tuple[int, int]]:
    """The pairs of numbers in a text, the second of which is a minimum of points.

    `0:50 1500:90` → `[(0, 50), (1500, 90)]`: from 0 points on 50, from 1500 on 90.
    """
    pairs = []
    for pair in text.split():
        from_number, _, minimum = pair.partition(":")
        pairs.append((int(from_number), int(minimum)))
    return pairs


def _missing_canastas_in_words(
    arguments: Mapping[str, MessageArgument], words: Words
) -> dict[str, Argument]:
    """Arguments for the message that a side lacks canastas to go out (play its last card).

    `wanted` are all canastas that it needs; `lacking` are those of which it has too few. Each is
    there only if the rule that is broken tells it.
    """
    game = str(arguments.get("game"))
    in_words: dict[str, Argument] = {}
    needed = arguments.get("needed")
    if isinstance(needed, int):
        in_words["wanted"] = counted_canastas(game, "any", needed, words)
    lacking = arguments.get("lacking")
    if isinstance(lacking, tuple):
        lacking_canastas = [part for part in lacking if isinstance(part, Needed)]
        if lacking_canastas:
            in_words["lacking"] = _lacking_in_words(lacking_canastas, game, words)
    return in_words


def _lacking_in_words(canastas: Sequence[Needed], game: str, words: Words) -> str:
    """The canastas of some families that a side needs, and how many of each it has."""
    texts = []
    for needed in canastas:
        wanted = counted_canastas(game, needed.family, needed.count, words)
        texts.append(words.t("needed", wanted=wanted, has=needed.has))
    return words.listing(texts)


def _counts_in_words(reason: Reason, game: str, words: Words) -> dict[str, Argument]:
    """Arguments for messages that count cards or canastas in words; empty for other messages.

    `wanted` is how many a rule asks for: `due donne naturali`; `here` is how many there are: `qui
    ce n'è una`.
    """
    asked_for = _count_asked_for(reason)
    if asked_for is None:
        return {}
    card = reason.arguments.get("card")
    if isinstance(card, Kind):
        return _cards_asked_for(reason, card, asked_for, words)
    if reason.code.startswith("out-canastas-"):
        return _canastas_asked_for(reason, game, asked_for, words)
    return {}


def _cards_asked_for(reason: Reason, card: Kind, count: int, words: Words) -> dict[str, Argument]:
    """The arguments `wanted`, such as `due donne`, and `here`, how many of these cards there are.

    `here` is left out if the reason does not tell that number.
    """
    in_words: dict[str, Argument] = {}
    if reason.code in _OF_NATURAL_CARDS:
        in_words["wanted"] = counted_natural_cards(card, count, words)
    else:
        in_words["wanted"] = counted_cards(card, count, words)
    count_here = reason.arguments.get("has")
    if isinstance(count_here, int):
        in_words["here"] = cards_here(card, count_here, words)
    return in_words


def _canastas_asked_for(reason: Reason, game: str, count: int, words: Words) -> dict[str, Argument]:
    """The arguments `wanted`, such as `due canaste`, and `here`, how many canastas there are.

    Empty if the reason does not tell how many there are.
    """
    count_here = reason.arguments.get("has")
    if not isinstance(count_here, int):
        return {}
    return {
        "wanted": counted_canastas(game, "any", count, words),
        "here": canastas_here(game, count_here, words),
    }


def _count_asked_for(reason: Reason) -> int | None:
    """The number of cards or canastas that a rule asks for; None if it asks for no number."""
    for name in ("needed", "more", "naturals"):
        if name in reason.arguments:
            count = reason.arguments[name]
            return count if isinstance(count, int) else None
    return None
