"""Card lines as tapped or typed: `4xK 2x2 / 3xQ`, their melds, and melds in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from scorepad.i18n import Language, Words
from scorepad.i18n.findings import cards_in_words
from scorepad.i18n.typed_cards import TypedCards, parse_typed_cards
from scorepad.referee.situation import is_legal_meld, kind_of
from scorepad.rules.cards import (
    KINDS,
    NATURAL_INDICES,
    Kind,
    Reading,
    Suit,
    gather_readings,
    read_cards,
)
from scorepad.rules.definitions import Ruleset
from scorepad.rules.settings import Settings
from scorepad.rules.table import Meld, canasta_of, is_unbroken_sequence, shape_of

CARD_KEYS = (
    *(KINDS[index] for index in NATURAL_INDICES),
    Kind.TWO,
    Kind.JOKER,
    Kind.BLACK_THREE,
    Kind.RED_THREE,
)
"""The cards that can be tapped."""
LONGEST_TEXT = 1000
"""Characters read from a field of cards."""
LONGEST_ECHO = 60
"""Characters of a text repeated in a message."""
TICKED = "on"
BETWEEN = " / "
"""Separates two melds of a line."""
_SEPARATOR = re.compile(r"[/;\n]+")
_LEAST_MELD = 3  # minimum cards for a part between commas to be a separate meld
_COUNTED = re.compile(r"(?:([0-9]{1,2})x)?(\S+)", re.IGNORECASE)
_JACK = re.compile(r"(?:[0-9]+x)?J", re.IGNORECASE)

# ---------------------------------------------------------------- tapping


def add_card(text: str, token: str) -> str:
    """Add a card to a line; a repeated card increases the count (`K` and `K` are `2xK`)."""
    before, count, last = _last_of(text)
    if last.upper() == token.upper():
        return f"{before}{count + 1}x{token}"
    return f"{text.rstrip()} {token}".lstrip()


def _last_of(text: str) -> tuple[str, int, str]:
    """The text before the last card of a line, its count, and the card; no card for an empty line."""
    line = text.rstrip()
    word = line.rsplit(None, 1)[-1] if line else ""
    counted = _COUNTED.fullmatch(word)
    if counted is None:
        return "", 0, ""
    before = line[: len(line) - len(word)]
    return before, int(counted[1] or 1), counted[2]


def remove_last_card(text: str) -> str:
    """Remove the last card of a line of cards or melds."""
    before, count, last = _last_of(text.rstrip(" /\r\n"))
    remaining = ""
    if count == 2:  # noqa: PLR2004 - one is left
        remaining = last
    elif count > 2:  # noqa: PLR2004 - several are left
        remaining = f"{count - 1}x{last}"
    return f"{before}{remaining}".rstrip(" /\r\n")


def add_to_meld(text: str, card: str, settings: Settings) -> str:
    """Add a card to a line of melds: to the meld of its rank, a wild card to the meld touched last."""
    melds = [meld.strip() for meld in text.split("/")]
    rank = _rank(card)
    if settings.sequences != "none" or not rank:
        return BETWEEN.join((*melds[:-1], add_card(melds[-1], card)))
    own_meld = _meld_of_rank(melds, rank)
    tokens = own_meld.split()
    cards = [token.lower().rpartition("x")[2] for token in tokens]
    if card.lower() in cards:
        index = cards.index(card.lower())
        tokens[index] = add_card(tokens[index], card)
    else:
        tokens.append(card)
    others = [meld for meld in melds if meld not in ("", own_meld)]
    return BETWEEN.join((*others, " ".join(tokens)))


def _meld_of_rank(melds: list[str], rank: tuple[int, ...]) -> str:
    """The meld of a rank, or wild cards that were tapped first; empty for a new meld."""
    for meld in melds:
        if _rank(meld) == rank:
            return meld
    return "" if _rank(melds[-1]) else melds[-1]


def _rank(text: str) -> tuple[int, ...]:
    """The natural ranks of some cards; all threes are one rank; wild cards alone have none."""
    cards = read_cards(cards_in_notation(text)).cards
    threes = cards.of(Kind.BLACK_THREE) + cards.of(Kind.RED_THREE)
    return cards.ranks or ((-1,) if threes else ())


# ---------------------------------------------------------------- reading


@lru_cache(maxsize=1024)
def cards_in_notation(text: str) -> str:
    """Typed cards in notation; unreadable text is checked separately."""
    return " ".join(parse_typed_cards(text).text.split())


def read_line(text: str) -> TypedCards:
    """A line of cards or melds in notation, with all unreadable and ambiguous parts."""
    parts = [parse_typed_cards(part) for part in _SEPARATOR.split(text)]
    doubts = tuple(doubt for part in parts for doubt in part.doubts)
    unknown = tuple(token for part in parts for token in part.unknown)
    return TypedCards(" ".join(part.text for part in parts), doubts, unknown)


def melds_of(text: str, settings: Settings) -> list[str]:
    """The melds of a line, in notation. A slash separates melds; otherwise cards of several ranks
    are several melds.

    If this game has sequences, a comma separates melds, and cards of one: `4, 5, 6 di cuori`.
    """
    parts = _SEPARATOR.split(text)
    if settings.sequences != "none":
        melds = []
        for part in parts:
            melds += _by_commas(part)
        return melds
    if len(parts) == 1:
        return _by_rank(cards_in_notation(text))
    return [meld for meld in map(cards_in_notation, parts) if meld]


def _by_rank(line: str) -> list[str]:
    """The cards of a line by rank, in the order of first cards; a wild card joins the rank before
    it.
    """
    melds: dict[tuple[int, ...], str] = {}
    rank: tuple[int, ...] = ()
    for token in line.split():
        token_rank = _rank(token)
        if token_rank and not rank and () in melds:
            # Wild cards before the first rank join it.
            melds[token_rank] = melds.pop(())
        rank = token_rank or rank
        melds[rank] = f"{melds.get(rank, '')} {token}".lstrip()
    return list(melds.values())


def _by_commas(text: str) -> list[str]:
    """The parts of a line between commas: melds, and cards that belong to the meld before them."""
    melds = [""]
    parts = [part for part in map(cards_in_notation, text.split(",")) if part]
    if all(read_cards(part).cards.size < _LEAST_MELD for part in parts):
        parts = [cards_in_notation(text)] if parts else []  # the suit applies to all
    for part in parts:
        if read_cards(part).cards.size < _LEAST_MELD:
            melds[-1] = f"{melds[-1]} {part}".lstrip()
        else:
            melds.append(part)
    return [meld for meld in melds if meld]


def with_top(melds: list[str], top: str, table: list[str], rules: Ruleset) -> list[str]:
    """The melds for the question about the pile, from those of the hand; all in notation.

    The page asks only for cards from the hand. In the schema one meld includes the top card, unless
    the side has a meld of that rank on the table: then these cards are added to that meld.
    """
    card = read_cards(top)
    if card.cards.size != 1:
        return melds
    melds_on_table = [read_cards(meld) for meld in table]
    is_natural = kind_of(card).is_natural
    if is_natural and any(meld.cards.ranks == card.cards.ranks for meld in melds_on_table):
        return melds
    index = _meld_for_top(card, [read_cards(meld) for meld in melds], melds_on_table, rules)
    if index is None:
        return melds
    return [*melds[:index], add_card(melds[index], top), *melds[index + 1 :]]


def _meld_for_top(
    top: Reading, melds: list[Reading], melds_on_table: list[Reading], rules: Ruleset
) -> int | None:
    """The index of the meld that the top card joins; None if there is none."""
    kind = kind_of(top)
    fits_sequences = kind.is_natural and rules.settings.sequences != "none"
    # Wild cards alone take a natural card only if no other meld can.
    may_join_wilds = kind.is_natural and not any(
        is_legal_meld(rules, gather_readings(meld, top)) for meld in melds_on_table
    )
    ways: list[Callable[[Reading], bool]] = [
        lambda meld: kind.is_natural and meld.cards.ranks == top.cards.ranks,
        lambda meld: fits_sequences and is_legal_meld(rules, gather_readings(meld, top)),
        lambda meld: meld.cards.of(kind) > 0,
        lambda meld: may_join_wilds and not meld.cards.naturals,
    ]
    for fits in ways:
        for index, meld in enumerate(melds):
            if fits(meld):
                return index
    return None


# ---------------------------------------------------------------- in words


def letter_warnings(text: str, words: Words) -> Iterator[str]:
    """Messages about letters that Italian players use for another card."""
    if words.language is not Language.ITALIAN:
        return
    line = read_line(text).text
    cards = read_cards(line).cards
    if any(suit == Suit.CLUBS for _, suit, _ in cards.suited):
        yield words.t("referee.letter.clubs")
    if len(cards.ranks) > 1 and any(map(_JACK.fullmatch, line.split())):
        yield words.t("referee.letter.jack")


def meld_kind_in_words(meld: Meld, rules: Ruleset, words: Words, *, is_wrong: bool = False) -> str:
    """The kind and points of a meld; `is_wrong`: it is not allowed."""
    settings = rules.settings
    canasta = canasta_of(meld, settings)
    shape = shape_of(meld, settings)
    if canasta:
        name = canasta.item
    elif is_wrong:
        name = "wrong"
    else:
        name = "meld" if shape == "group" else shape
    kind = words.t(words.first_known(f"hand.kind.{name}.{rules.variant}", f"hand.kind.{name}"))
    if settings.unit == "units":
        # Its cards score nothing; only canastas do.
        return words.plural("hand.text.units", canasta.points, what=kind) if canasta else kind
    return words.t("hand.text", what=kind, points=meld.cards.points(settings.card_points))


def meld_in_words(meld: Meld, settings: Settings, words: Words) -> str:
    """The cards, a sequence as one: `donna, fante e dieci di cuori`."""
    if shape_of(meld, settings) != "sequence" or not is_unbroken_sequence(meld, settings):
        return cards_in_words(meld.cards.counts, words)
    suit = meld.cards.suited[0][1]
    cards = [words.plural(f"card.{KINDS[index]}", 1) for index, _, _ in meld.cards.suited]
    sequence = words.t("hand.in-suit", cards=words.listing(cards), suit=words.t(f"suit.{suit}"))
    wild_counts = []
    for index, count in enumerate(meld.cards.counts):
        wild_counts.append(0 if index in meld.ranks else count)
    wilds = cards_in_words(tuple(wild_counts), words)
    return f"{sequence}, {wilds}" if wilds else sequence
