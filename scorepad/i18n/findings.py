"""Findings and the referee's reasons as sentences, with their cards, names and figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scorepad.i18n.catalogue import Argument, Words
from scorepad.i18n.counted import (
    say_how_many_canastas_are_here,
    say_how_many_cards_are_here,
    say_number_of_canastas,
    say_number_of_cards,
    say_number_of_natural_cards,
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
    "ruling.pile-taken-most": "most",
    "ruling.wilds-reclaimed": "wilds",
    "ruling.pile-naturals": "needed",
    "ruling.pile-top-needs-more": "needed",
    "ruling.top-card-needs-more": "needed",
    "ruling.upcard-too-many": "cards",
    "ruling.wild-makes-mixed": "wilds",
    "ruling.wild-on-canasta": "wilds",
}
"""Messages with a singular and a plural, each with the argument that decides which."""
_OF_ANY_KIND = "any"
"""The family of all canastas together."""
_OF_NATURAL_CARDS = ("pile-naturals", "pile-with-naturals", "stock-always-frozen")
"""Reasons whose number of cards is of natural cards only."""
_WILD_CARDS = (TWO, JOKER)
_SPOKEN_ORDER = (*(index for index in range(len(KINDS)) if index not in _WILD_CARDS), *_WILD_CARDS)
"""The kinds of cards as people list them, by their index in `KINDS`: the wild cards come last."""


def list_cards_in_words(counts: tuple[int, ...], words: Words) -> str:
    """Say how many cards of each kind there are: "4 kings, 2 twos and 1 joker".

    `counts` has a number for each kind of card, in the order of `KINDS`: a joker and a two →
    `(1, 1, 0, 0, …)`. Without any cards the text is empty.
    """
    texts = []
    for index in _SPOKEN_ORDER:  # so that jokers and twos come last
        kind = KINDS[index]
        count = counts[index]
        if count > 0:
            noun = words.plural(f"card.{kind}", count)
            texts.append(f"{count} {noun}")
    if not texts:
        return ""
    return words.listing(texts)


# ---------------------------------------------------------------- findings


def describe_finding(finding: Finding, side_names: tuple[str, ...], words: Words) -> str:
    """Say what is wrong with a hand (a round) that a player entered, and what to do about it.

    "This meld has 2 cards: it needs at least 3. Add the cards that are missing or remove the meld."
    """
    return _describe_finding_in_lines(finding, side_names, words).replace(REMEDY, " ")


def describe_finding_without_remedy(
    finding: Finding, side_names: tuple[str, ...], words: Words
) -> str:
    """Say what is wrong with a hand (a round), but not what to do about it.

    "This meld has 2 cards: it needs at least 3." It is shown for a hand that the players agreed to
    count although it breaks a rule: then there is nothing to do.
    """
    text = _describe_finding_in_lines(finding, side_names, words)
    what_is_wrong, _, _remedy = text.partition(REMEDY)
    return what_is_wrong


def _describe_finding_in_lines(finding: Finding, side_names: tuple[str, ...], words: Words) -> str:
    """Say what is wrong with a hand; on a second line, if it is known, what to do about it.

    "This meld has 2 cards: it needs at least 3." and, on the second line, "Add the cards that are
    missing or remove the meld." The messages themselves have this line break (`REMEDY`), so that
    callers can drop the second line.
    """
    formatter = _ArgumentFormatter(words, side_names)
    arguments = formatter.format_all(finding.arguments)
    if finding.code == "out-canastas-missing":  # its message has two more placeholders
        arguments |= _describe_missing_canastas(finding.arguments, words)
    return _fill_message(PROBLEM, finding, arguments=arguments, words=words)


# ---------------------------------------------------------------- the referee's reasons


def explain_reason(reason: Reason, words: Words, *, game: str = "", numbered: bool = False) -> str:
    """Put a reason for the answer of the referee (who decides on questions of rules) into words.

    - usually: "The canasta was natural: with 1 wild card it becomes mixed."
    - `numbered`, if the question is about several melds (groups of cards): "Meld 2: The canasta was
      natural: with 1 wild card it becomes mixed."

    `game` is the id of the game: its players may have names of their own for things.
    """
    sentence = _write_sentence_of_reason(reason, game, words)
    meld_number = reason.arguments.get("meld")  # missing if the reason is about no single meld
    if numbered and isinstance(meld_number, int):
        return words.t("ruling.meld-number", meld=meld_number, said=sentence)
    return sentence


def _write_sentence_of_reason(reason: Reason, game: str, words: Words) -> str:
    """Write the sentence for a reason of the referee, often the rule that a move breaks.

    The referee has messages of its own for most rules: `ruling.wild-makes-mixed`. For the others it
    uses those about the cards of a round that was entered: `problem.card-unknown`.
    """
    arguments = _format_arguments_of_reason(reason, game, words)
    domain = PROBLEM
    if find_message_key(RULING, reason, words):
        domain = RULING
        # Only these messages have placeholders for numbers in words: "two queens".
        arguments |= _describe_needed_number(reason, game, words)
    text = _fill_message(domain, reason, arguments=arguments, words=words)
    # A message has a line break between what is wrong and what to do about it.
    return text.replace(REMEDY, " ")


def _format_arguments_of_reason(reason: Reason, game: str, words: Words) -> dict[str, Argument]:
    """Put the arguments of a reason into words, to be filled into its message.

    `{"wilds": 2, "card": Kind.QUEEN}` → `{"wilds": 2, "card": "a queen", "side": "The side", …}`.
    """
    # A question to the referee is about one side, whose name does not matter.
    the_side = words.t(words.find_known_key(f"ruling.side.{game}", "ruling.side"))  # "The side"
    formatter = _ArgumentFormatter(words, side_names=(the_side,), game=game)
    # Some messages have a placeholder for one side, others for several.
    arguments: dict[str, Argument] = {"side": the_side, "sides": the_side}
    arguments |= formatter.format_all(reason.arguments)
    if reason.code == "out-canastas-missing":
        arguments |= _describe_missing_canastas(reason.arguments, words)
    return arguments


# ---------------------------------------------------------------- the message of a code


def find_message_key(domain: str, rule: Finding | Reason, words: Words) -> str:
    """Find the key of the message about a rule; empty if there is none.

    `domain`, the beginning of the key, is `PROBLEM` or `RULING`. Some rules have several messages:

    - `pile-naturals` with the argument `why` = "frozen" → `ruling.pile-naturals.frozen`
    - `out-discard-special`, whose message depends on the `card` → the key ends with that card
    - `wild-makes-mixed`, which has one message only → `ruling.wild-makes-mixed`
    """
    usual_key = f"{domain}.{rule.code}"
    deciding_argument = "card" if rule.code == "out-discard-special" else "why"
    if deciding_argument in rule.arguments:
        special_key = f"{usual_key}.{rule.arguments[deciding_argument]}"
        return words.find_known_key(special_key, usual_key, "")
    return words.find_known_key(usual_key, "")


def _fill_message(
    domain: str, rule: Finding | Reason, *, arguments: Mapping[str, Argument], words: Words
) -> str:
    """Fill the message about a rule with its arguments, in the singular or plural if it has both.

    The rule `wild-makes-mixed` with `{"wilds": 1}` → "The canasta was natural: with 1 wild card it
    becomes mixed." Here the argument `wilds` decides between singular and plural.
    """
    key = find_message_key(domain, rule, words)
    deciding_argument = _COUNTED_BY.get(f"{domain}.{rule.code}", "")
    count = arguments.get(deciding_argument)
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
        """Put all arguments of a message into words.

        - `{"cards": 2, "card": Kind.QUEEN}` → `{"cards": 2, "card": "a queen"}`
        - a number of natural cards (neither jokers nor twos) is there as a word too:
          `{"naturals": 3}` → `{"naturals": 3, "naturals_words": "three"}`
        """
        formatted: dict[str, Argument] = {}
        for name, value in arguments.items():
            formatted[name] = self._format_argument(name, value)
        naturals = arguments.get("naturals")
        if isinstance(naturals, int):
            formatted["naturals_words"] = self.words.format_card_count(naturals)
        return formatted

    def _format_argument(self, name: str, value: MessageArgument) -> Argument:
        """Put one argument of a message into words, as the type of its value requires.

        - `card`, `Kind.QUEEN` → "a queen"; an argument with any other name → "queens"
        - `sides`, a tuple of sides → "We and They"
        - `item`, the text `natural-canasta` → "Natural canastas"
        - a number → unchanged
        """
        if isinstance(value, Kind) and name == "card":  # the message is about a single card
            return self.words.t(f"one-card.{value}")
        if isinstance(value, (SideName, Kind)):
            return self._format_name(value)
        if isinstance(value, tuple):
            return self._join_values(value)
        if isinstance(value, str):
            return self._format_text(name, value)
        return value

    def _format_text(self, name: str, text: str) -> str:
        """Put an argument that is a text into words. What its text means depends on its name."""
        words = self.words
        match name:
            case "item":  # something that the score counts: `natural-canasta` → "Natural canastas"
                return name_score_item(self.game, text, words)
            case "special":  # a special hand: `garbage` → "garbage"
                key = f"value.special.{text}"
                return words.t(key) if words.has(key) else text[:LONGEST_TOKEN]
            case "penalty" | "remedy":  # the end of a message key, or anything that a person typed
                key = f"{name}.{text}"
                return words.t(key) if words.has(key) else text[:LONGEST_TOKEN]
            case "stay":  # cards that stay in the hand: `K 2x4` → "1 king and 2 fours"
                return list_cards_in_words(read_cards(text).cards.counts, words)
            case "steps":  # minimums by the score: `0:50 1500:90` → "from 0: 50, from 1,500: 90"
                return describe_minimums_by_score(_parse_minimums(text), words)
            case "deals":  # minimums by the hand: `1:50 2:90` → "50 in hand 1, 90 in hand 2"
                return describe_minimums_by_hand(_parse_minimums(text), words)
            case _:
                return text

    def _join_values(self, values: tuple[Any, ...]) -> str:
        """Join several values into one text for a message. All of them have the same type.

        - names: `We and They`, `kings and queens`
        - too many cards: `9 kings: the decks hold 8; 9 queens: the decks hold 8`
        - words that a person typed: `foo, bar`, shortened if they are long
        """
        if not values:
            return ""

        first = values[0]
        if isinstance(first, (SideName, Kind, Needed)):
            return self.words.listing([self._format_name(value) for value in values])
        if isinstance(first, Excess):
            clauses = [_describe_excess(excess, self.words) for excess in values]
            return "; ".join(clauses)
        return _shorten_typed_words(values)

    def _format_name(self, item: SideName | Kind | Needed) -> str:
        """Name one thing that a message is about.

        - a side: by the name that it has in this match, such as "We"
        - a kind of card: in the plural, "queens"
        - canastas (groups of seven cards or more) that a side needs: "two natural canastas"
        """
        if isinstance(item, SideName):
            return self.side_names[item.position]
        if isinstance(item, Kind):
            return self.words.plural(f"card.{item}", 2)
        return say_number_of_canastas(self.game, item.family, item.count, self.words)


def _shorten_typed_words(typed: Sequence[str]) -> str:
    """Join words that a person typed: the first twelve only, each with forty characters at most.

    `["foo", "bar"]` → "foo, bar". They come from outside, and a message must not become endless.
    """
    return ", ".join([str(token)[:LONGEST_TOKEN] for token in typed[:MOST_TOKENS]])


def _describe_excess(excess: Excess, words: Words) -> str:
    """Say that there are more cards of a kind than the decks have.

    - "9 kings: the decks hold 8"
    - if their suit was given: "3 kings of hearts: the decks hold 2"
    """
    cards = words.plural(f"card.{excess.kind}", excess.count)
    if not excess.suit:
        return words.t("excess", count=excess.count, cards=cards, limit=excess.limit)
    suit = words.t(f"suit.{excess.suit}")
    return words.t("excess.suit", count=excess.count, cards=cards, limit=excess.limit, suit=suit)


def _parse_minimums(text: str) -> list[tuple[int, int]]:
    """Parse how many points a side needs to lay its first cards, from a certain score on.

    `0:50 1500:90` → `[(0, 50), (1500, 90)]`: 50 points from a score of 0, 90 from 1500. In games
    where that depends on the number of the hand (round), the first numbers are such numbers.
    """
    pairs = []
    for pair in text.split():
        from_number, _, minimum = pair.partition(":")
        pairs.append((int(from_number), int(minimum)))
    return pairs


def _describe_missing_canastas(
    arguments: Mapping[str, MessageArgument], words: Words
) -> dict[str, Argument]:
    """Put into words which canastas (groups of seven cards or more) a side lacks to end the round.

    The result fills two placeholders of the message: `{"wanted": "two canastas", "lacking": "one
    natural canasta (here: 0)"}`. `wanted` is how many are needed in all, `lacking` the kinds of
    which there are too few. Each is there only if the arguments tell it.
    """
    game = str(arguments.get("game"))
    in_words: dict[str, Argument] = {}
    number_in_all = arguments.get("needed")
    if isinstance(number_in_all, int):
        in_words["wanted"] = say_number_of_canastas(game, _OF_ANY_KIND, number_in_all, words)

    lacking_kinds = arguments.get("lacking")
    if isinstance(lacking_kinds, tuple):
        texts = []
        for needed in lacking_kinds:
            if isinstance(needed, Needed):
                wanted = say_number_of_canastas(game, needed.family, needed.count, words)
                texts.append(words.t("needed", wanted=wanted, has=needed.has))
        if texts:
            in_words["lacking"] = words.listing(texts)
    return in_words


def _describe_needed_number(reason: Reason, game: str, words: Words) -> dict[str, Argument]:
    """Put into words how many cards or canastas a rule asks for, and how many there are.

    The result fills two placeholders of the message. It is empty if the message has none.

    - cards: `{"wanted": "two natural queens", "here": "there is one here"}`
    - canastas (groups of seven cards or more): `{"wanted": "two canastas", "here": "there is one
      here"}`
    """
    needed_number = _find_needed_number(reason)
    if needed_number is None:
        return {}
    card = reason.arguments.get("card")
    if isinstance(card, Kind):
        return _describe_needed_cards(reason, card, needed_number, words)

    is_about_canastas = reason.code.startswith("out-canastas-")
    number_of_canastas = reason.arguments.get("has")  # how many the side has
    if is_about_canastas and isinstance(number_of_canastas, int):
        return {
            "wanted": say_number_of_canastas(game, _OF_ANY_KIND, needed_number, words),
            "here": say_how_many_canastas_are_here(game, number_of_canastas, words),
        }
    return {}


def _describe_needed_cards(
    reason: Reason, card: Kind, needed_number: int, words: Words
) -> dict[str, Argument]:
    """Put into words how many cards of a kind a rule asks for, and how many there are.

    - usually: `{"wanted": "two queens", "here": "there is one here"}`
    - without jokers and twos in their place: `{"wanted": "two natural queens", …}`

    `here` is left out if the reason does not tell how many there are.
    """
    in_words: dict[str, Argument] = {}
    if reason.code in _OF_NATURAL_CARDS:
        in_words["wanted"] = say_number_of_natural_cards(card, needed_number, words)
    else:
        in_words["wanted"] = say_number_of_cards(card, needed_number, words)

    number_here = reason.arguments.get("has")
    if isinstance(number_here, int):
        in_words["here"] = say_how_many_cards_are_here(card, number_here, words)
    return in_words


def _find_needed_number(reason: Reason) -> int | None:
    """Find the number of cards or canastas that a rule asks for; None if it asks for none.

    Rules have it in one of three arguments:

    - `{"needed": 2, "has": 1}` → 2
    - `{"more": 4, "has": 1}` → 4
    - `{"naturals": 3}` → 3
    """
    for name in ("needed", "more", "naturals"):
        if name in reason.arguments:
            number = reason.arguments[name]
            return number if isinstance(number, int) else None
    return None
