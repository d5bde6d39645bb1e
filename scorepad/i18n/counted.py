"""Numbers of cards and canastas as people say them: `due donne naturali`, `una canasta`, `qui ce
n'è uno`.
"""

from __future__ import annotations

from collections.abc import Sequence

from scorepad.i18n.catalogue import Words
from scorepad.rules.cards import Kind


def spell_number(number: int, words: Words) -> str:
    """Write a number as a word if it is small: 2 → "two", 16 → "16"."""
    number_words = words.t("numbers").split()  # "zero one two three …", up to fifteen
    if 0 <= number < len(number_words):
        return number_words[number]
    return words.figure(number)


def say_number_of_cards(kind: Kind, count: int, words: Words) -> str:
    """Say a number of cards of one kind: "a queen", "two eights"."""
    if count == 1:
        return words.t(f"one-card.{kind}")
    return f"{spell_number(count, words)} {_name_card(kind, count, words)}"


def say_number_of_natural_cards(kind: Kind, count: int, words: Words) -> str:
    """Say a number of natural cards, that is, without jokers and twos in their place.

    - English: "one natural queen", "two natural eights"
    - Italian, where "one" depends on the noun: `una donna naturale`, `un re naturale`
    """
    noun = _name_card(kind, count, words)
    gender = _find_gender_of_card(kind, words)
    number = _say_number_before_noun(gender, count, words)
    return words.plural("counted.natural", count, name=noun, number=number)


def say_how_many_cards_are_here(kind: Kind, count: int, words: Words) -> str:
    """Say how many cards of a kind there are: "there is one here", "there are two here".

    The text does not name them, but in Italian it depends on their grammatical gender: `qui ce n'è
    una` of a queen, `qui ce n'è uno` of a king.
    """
    gender = _find_gender_of_card(kind, words)
    return _say_how_many_are_here(gender, count, words)


def say_number_of_canastas(game: str, family: str, count: int, words: Words) -> str:
    """Say a number of canastas (groups of seven cards or more), as the players of a game call them.

    `family` is the kind of canasta, or `any`:

    - `classica`, `mixed`, 1 → "one mixed canasta"
    - `hand-and-foot`, `natural`, 2 → "two clean books"
    - `bolivia`, `sequence`, 1 → "one escalera": this has a message of its own for a single one,
      since in Italian it is `un'escalera`
    """
    message_for_one = f"one-family.{game}.{family}"
    if count == 1 and words.has(message_for_one):
        return words.t(message_for_one)
    gender = _find_gender_of_canasta(game, words)
    number = _say_number_before_noun(gender, count, words)
    key = words.find_known_key(f"family.{game}.{family}", f"family.{family}")
    return words.plural(key, count, count=number)


def say_how_many_canastas_are_here(game: str, count: int, words: Words) -> str:
    """Say how many canastas (groups of seven cards or more) there are: "there are two here".

    In Italian it depends on what the players of the game call them: `qui ce n'è una` of canastas,
    `qui ce n'è uno` of books.
    """
    gender = _find_gender_of_canasta(game, words)
    return _say_how_many_are_here(gender, count, words)


def say_what_canastas_must_be(game: str, families: Sequence[tuple[str, int]], words: Words) -> str:
    """Say of which families some canastas (groups of seven cards or more) must be.

    `[("natural", 1), ("mixed", 1)]` → "one must be natural and one mixed". Each family comes with
    the number of canastas; there is at least one family.
    """
    parts = []
    for position, (family, count) in enumerate(families):
        number = _say_number_without_noun(game, count, words)
        adjective = _describe_family(game, family, count, words)
        if position == 0:
            verb = words.plural("counted.must-be", count)  # "must be": only the first part has it
            parts.append(f"{number} {verb} {adjective}")
        else:
            parts.append(f"{number} {adjective}")
    return words.listing(parts)


def _say_number_without_noun(game: str, count: int, words: Words) -> str:
    """Say a number of canastas without naming them: "one", "two".

    In Italian, "one" depends on the game: `una` of canastas, `uno` where players call them books.
    """
    if count == 1:
        gender = _find_gender_of_canasta(game, words)
        return words.t(f"counted.pronoun.{gender}")
    return spell_number(count, words)


def _describe_family(game: str, family: str, count: int, words: Words) -> str:
    """Say what canastas of a family are: "natural", or "clean" in a game that calls them so.

    `count` decides between the singular and plural, which differ in Italian.
    """
    key = words.find_known_key(f"family-is.{game}.{family}", f"family-is.{family}")
    return words.plural(key, count)


def _name_card(kind: Kind, count: int, words: Words) -> str:
    """Return the name of a kind of card after a number, in the singular or plural: "queens".

    In Italian, a three has a name of its own here. After the number three its usual name would
    read `tre tre rossi`, so that it is `tre 3 rossi`.
    """
    key = words.find_known_key(f"counted.{kind}", f"card.{kind}")
    return words.plural(key, count)


def _say_number_before_noun(gender: str, count: int, words: Words) -> str:
    """Say a number in front of a noun of this gender: "one", "two"; in Italian `un`, `una`, `due`.

    `gender` is `masculine` or `feminine`.
    """
    if count == 1:
        return words.t(f"counted.one.{gender}")
    return spell_number(count, words)


def _find_gender_of_card(kind: Kind, words: Words) -> str:
    """Return the grammatical gender of a card's name: `feminine` for a queen, else `masculine`.

    It matters in Italian. The catalogue has it as a message.
    """
    key = words.find_known_key(f"gender.card.{kind}", "gender.card")
    return words.t(key)


def _find_gender_of_canasta(game: str, words: Words) -> str:
    """Return the grammatical gender of the word that the players of a game use for a canasta.

    `feminine` for `canasta` itself, `masculine` in `hand-and-foot`, where it is called a book
    (`libro` in Italian).
    """
    key = words.find_known_key(f"gender.canasta.{game}", "gender.canasta")
    return words.t(key)


def _say_how_many_are_here(gender: str, count: int, words: Words) -> str:
    """Say how many there are of something whose name has this gender.

    - 0 → "there are none here"
    - 1 → "there is one here"
    - 2 → "there are two here"
    """
    if count == 0:
        return words.t("counted.here.none")
    return words.plural(f"counted.here.{gender}", count, number=spell_number(count, words))
