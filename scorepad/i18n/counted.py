"""Numbers of cards and canastas as people say them: `due donne naturali`, `una canasta`, `qui ce
n'è uno`.
"""

from __future__ import annotations

from collections.abc import Sequence

from scorepad.i18n.catalogue import Words
from scorepad.rules.cards import Kind


def number_word(number: int, words: Words) -> str:
    """A small number in words, a large one as a figure."""
    number_words = words.t("numbers").split()
    if 0 <= number < len(number_words):
        return number_words[number]
    return words.figure(number)


def counted_cards(kind: Kind, count: int, words: Words, *, natural: bool = False) -> str:
    """A number of cards of one rank: `una donna`, `due otto`, `due otto naturali`."""
    # A three has its figure: "tre 3 rossi" can be read, "tre tre rossi" cannot.
    name = words.plural(words.first(f"counted.{kind}", f"card.{kind}"), count)
    if natural:
        number = _before_noun(_card_gender(kind, words), count, words)
        return words.plural("counted.natural", count, name=name, number=number)
    if count == 1:
        return words.t(f"one-card.{kind}")
    return f"{number_word(count, words)} {name}"


def cards_here(kind: Kind, count: int, words: Words) -> str:
    """How many cards of a rank there are: `qui ce n'è una`, `qui ce ne sono due`."""
    return _here(_card_gender(kind, words), count, words)


def counted_canastas(game: str, family: str, count: int, words: Words) -> str:
    """A number of canastas of a family, as the players of a game call them: `una canasta mista`,
    `due libri puliti`.
    """
    one = f"one-family.{game}.{family}"
    if count == 1 and words.has(one):
        return words.t(one)
    number = _before_noun(_canasta_gender(game, words), count, words)
    key = words.first(f"family.{game}.{family}", f"family.{family}")
    return words.plural(key, count, count=number)


def canastas_here(game: str, count: int, words: Words) -> str:
    """How many canastas there are: `qui ce n'è una`, of books `qui ce n'è uno`."""
    return _here(_canasta_gender(game, words), count, words)


def canastas_required(game: str, families: Sequence[tuple[str, int]], words: Words) -> str:
    """What some of the canastas must be: `una dev'essere naturale e una mista`."""
    parts: list[str] = []
    for family, count in families:
        if count == 1:
            number = words.t(f"counted.pronoun.{_canasta_gender(game, words)}")
        else:
            number = number_word(count, words)
        kind = words.plural(words.first(f"family-is.{game}.{family}", f"family-is.{family}"), count)
        if parts:
            parts.append(f"{number} {kind}")
        else:
            parts.append(f"{number} {words.plural('counted.must-be', count)} {kind}")
    return words.listing(parts)


def _before_noun(gender: str, count: int, words: Words) -> str:
    """A number before what it counts: `un`, `una`, `due`."""
    if count == 1:
        return words.t(f"counted.one.{gender}")
    return number_word(count, words)


def _card_gender(kind: Kind, words: Words) -> str:
    return words.t(words.first(f"gender.card.{kind}", "gender.card"))


def _canasta_gender(game: str, words: Words) -> str:
    """The gender of what the players of a game call a canasta."""
    return words.t(words.first(f"gender.canasta.{game}", "gender.canasta"))


def _here(gender: str, count: int, words: Words) -> str:
    if count == 0:
        return words.t("counted.here.none")
    return words.plural(f"counted.here.{gender}", count, number=number_word(count, words))
