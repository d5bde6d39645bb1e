"""Numbers of cards and canastas as people say them: `due donne naturali`, `una canasta`, `qui ce
n'è uno`.
"""

from __future__ import annotations

from collections.abc import Sequence

from scorepad.i18n.catalogue import Words
from scorepad.rules.cards import Kind


def number_word(number: int, words: Words) -> str:
    """A number as a word, as in `dodici`; above fifteen in digits."""
    number_words = words.t("numbers").split()  # `zero uno due tre …`
    if 0 <= number < len(number_words):
        return number_words[number]
    return words.figure(number)


def counted_cards(kind: Kind, count: int, words: Words) -> str:
    """A number of cards of one kind: `una donna`, `due otto`."""
    if count == 1:
        return words.t(f"one-card.{kind}")
    return f"{number_word(count, words)} {_card_noun(kind, count, words)}"


def counted_natural_cards(kind: Kind, count: int, words: Words) -> str:
    """A number of cards of one rank, without wild cards in their place: `due otto naturali`."""
    noun = _card_noun(kind, count, words)
    number = _number_before_noun(_card_gender(kind, words), count, words)
    return words.plural("counted.natural", count, name=noun, number=number)


def cards_here(kind: Kind, count: int, words: Words) -> str:
    """How many cards of a kind there are: `qui ce n'è una`, `qui ce ne sono due`."""
    return _count_here(_card_gender(kind, words), count, words)


def counted_canastas(game: str, family: str, count: int, words: Words) -> str:
    """A number of canastas, as the players of a game call them: `una canasta mista`.

    A canasta is a set of seven cards or more. `family` is its kind, such as `mixed`, or `any`. In
    hand and foot, `game`, canastas are called books: `due libri puliti`.
    """
    message_for_one = f"one-family.{game}.{family}"
    if count == 1 and words.has(message_for_one):
        return words.t(message_for_one)
    number = _number_before_noun(_canasta_gender(game, words), count, words)
    key = words.first_known(f"family.{game}.{family}", f"family.{family}")
    return words.plural(key, count, count=number)


def canastas_here(game: str, count: int, words: Words) -> str:
    """How many canastas there are: `qui ce n'è una`; where they are called books, `ce n'è uno`."""
    return _count_here(_canasta_gender(game, words), count, words)


def canastas_required(game: str, families: Sequence[tuple[str, int]], words: Words) -> str:
    """What some of the canastas must be: `[("natural", 1), ("mixed", 1)]` → `una dev'essere naturale
    e una mista`.

    `families` has the number for each kind of canasta, at least one.
    """
    parts: list[str] = []
    for family, count in families:
        number = _number_of_canastas(game, count, words)
        adjective = _family_adjective(game, family, count, words)
        is_first = not parts
        if is_first:  # the verb stands only here
            must_be = words.plural("counted.must-be", count)
            parts.append(f"{number} {must_be} {adjective}")
        else:
            parts.append(f"{number} {adjective}")
    return words.listing(parts)


def _number_of_canastas(game: str, count: int, words: Words) -> str:
    """A number of canastas without the noun: `una`, `due`; `uno` where the noun is masculine."""
    if count == 1:
        return words.t(f"counted.pronoun.{_canasta_gender(game, words)}")
    return number_word(count, words)


def _family_adjective(game: str, family: str, count: int, words: Words) -> str:
    """What canastas of a family are, in the words of a game: `naturale`, or `pulito`."""
    key = words.first_known(f"family-is.{game}.{family}", f"family-is.{family}")
    return words.plural(key, count)


def _card_noun(kind: Kind, count: int, words: Words) -> str:
    """The name of a kind of card, in the singular or plural.

    A three has its digit here: "tre 3 rossi" can be read, "tre tre rossi" cannot.
    """
    key = words.first_known(f"counted.{kind}", f"card.{kind}")
    return words.plural(key, count)


def _number_before_noun(gender: str, count: int, words: Words) -> str:
    """A number in front of what it counts: `un`, `una`, `due`."""
    if count == 1:
        return words.t(f"counted.one.{gender}")
    return number_word(count, words)


def _card_gender(kind: Kind, words: Words) -> str:
    """The grammatical gender of a card: `feminine` for a queen in Italian."""
    key = words.first_known(f"gender.card.{kind}", "gender.card")
    return words.t(key)


def _canasta_gender(game: str, words: Words) -> str:
    """The grammatical gender of the word that the players of a game use for a canasta."""
    key = words.first_known(f"gender.canasta.{game}", "gender.canasta")
    return words.t(key)


def _count_here(gender: str, count: int, words: Words) -> str:
    """How many there are of something of this gender: `qui ce n'è una`, `qui non ce ne sono`."""
    if count == 0:
        return words.t("counted.here.none")
    return words.plural(f"counted.here.{gender}", count, number=number_word(count, words))
