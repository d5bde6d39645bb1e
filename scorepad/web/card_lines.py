"""Card lines as tapped or typed: `4xK 2x2 / 3xQ`, their melds, and melds in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from scorepad.i18n import Language, Words
from scorepad.i18n.findings import cards_in_words
from scorepad.i18n.typed_cards import TypedCards, TypedDoubt, parse_typed_cards
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
_MELD_END = " /\r\n"
_LEAST_MELD = 3  # minimum cards for a part between commas to be a separate meld
_RANK_OF_THREES = (-1,)
_COUNTED = re.compile(r"(?:([0-9]{1,2})x)?(\S+)", re.IGNORECASE)
_JACK = re.compile(r"(?:[0-9]+x)?J", re.IGNORECASE)

# ---------------------------------------------------------------- tapping


class _LastCard(NamedTuple):
    """The last card of a line: `4xK 2x2` ends with the card `2`, twice, after the text `4xK `."""

    text_before: str
    times: int
    card: str


def add_card(line: str, card: str) -> str:
    """Add a card to a line; a repeated card increases the count: `K` and `K` are `2xK`."""
    last = _find_last_card(line)
    if last is not None and last.card.upper() == card.upper():
        return f"{last.text_before}{last.times + 1}x{card}"
    return f"{line.rstrip()} {card}".lstrip()


def remove_last_card(line: str) -> str:
    """Remove the last card of a line of cards or melds: `4xK 2x2` → `4xK 2` → `4xK`."""
    last = _find_last_card(line.rstrip(_MELD_END))
    if last is None:
        return ""
    count_left = last.times - 1
    remaining = ""
    if count_left == 1:
        remaining = last.card
    elif count_left > 1:
        remaining = f"{count_left}x{last.card}"
    return f"{last.text_before}{remaining}".rstrip(_MELD_END)


def _find_last_card(line: str) -> _LastCard | None:
    """Find the last card of a line; None if the line is blank."""
    text = line.rstrip()
    if not text:
        return None
    last_word = text.split()[-1]
    counted = _COUNTED.fullmatch(last_word)
    if counted is None:
        return None
    text_before = text.removesuffix(last_word)
    return _LastCard(text_before, times=int(counted[1] or 1), card=counted[2])


def add_to_meld(line: str, card: str, settings: Settings) -> str:
    """Add a tapped card to the meld of its rank in a line of melds, which slashes separate.

    `3xQ / 2xK` (three queens, two kings) and `Q` → `2xK / 4xQ`: a meld is a set of cards of one
    rank, and the one that got the card is moved to the end. A wild card, which goes with any rank,
    joins the last meld; so does every card in games with sequences, where a rank does not tell the
    meld.
    """
    melds = [meld.strip() for meld in line.split("/")]
    ranks = _find_ranks(card)
    is_wild_card = not ranks
    if is_wild_card or settings.sequences != "none":
        melds[-1] = add_card(melds[-1], card)
        return BETWEEN.join(melds)

    meld_of_card = _meld_of_rank(melds, ranks)  # empty if the card begins a new one
    melds_after = []
    for meld in melds:
        is_blank = not meld
        if not is_blank and meld != meld_of_card:
            melds_after.append(meld)
    melds_after.append(_add_card_anywhere(meld_of_card, card))
    return BETWEEN.join(melds_after)


def _add_card_anywhere(meld: str, card: str) -> str:
    """Add a card to a meld; if it has this card already, wherever, the count is increased."""
    tokens = meld.split()
    for index, token in enumerate(tokens):
        _, _, card_of_token = token.lower().rpartition("x")
        if card_of_token == card.lower():
            tokens[index] = add_card(token, card)
            return " ".join(tokens)
    return " ".join([*tokens, card])


def _meld_of_rank(melds: list[str], ranks: tuple[int, ...]) -> str:
    """The meld that a card of a rank joins: that of its rank, else wild cards tapped just before it;
    empty for a new meld.
    """
    for meld in melds:
        if _find_ranks(meld) == ranks:
            return meld
    last_meld = melds[-1]
    is_without_rank = not _find_ranks(last_meld)
    return last_meld if is_without_rank else ""


def _find_ranks(text: str) -> tuple[int, ...]:
    """The natural ranks of some cards, as indices. All threes are one rank, and wild cards have
    none.
    """
    cards = read_cards(cards_in_notation(text)).cards
    if cards.ranks:
        return cards.ranks
    has_threes = cards.of(Kind.BLACK_THREE) + cards.of(Kind.RED_THREE) > 0
    return _RANK_OF_THREES if has_threes else ()


# ---------------------------------------------------------------- reading


@lru_cache(maxsize=1024)
def cards_in_notation(text: str) -> str:
    """Typed cards in notation: `4 re e un jolly` → `4xK JK`. Unreadable text stays as it is."""
    return " ".join(parse_typed_cards(text).text.split())


def read_line(text: str) -> TypedCards:
    """Read a line of cards or melds, with all unreadable and ambiguous parts of its melds."""
    texts = []
    doubts: list[TypedDoubt] = []
    unknown: list[str] = []
    for part in _SEPARATOR.split(text):
        typed = parse_typed_cards(part)
        texts.append(typed.text)
        doubts += typed.doubts
        unknown += typed.unknown
    return TypedCards(" ".join(texts), tuple(doubts), tuple(unknown))


def split_into_melds(text: str, settings: Settings) -> list[str]:
    """The melds (sets of cards laid together) of a line, in notation.

    A slash separates melds: `4xK / 3xQ`. Without one, cards of several ranks are several melds. In
    games with sequences (cards in a row) a comma separates melds, and the cards of one:
    `4, 5, 6 di cuori`.
    """
    parts = _SEPARATOR.split(text)
    melds = []
    if settings.sequences != "none":
        for part in parts:
            melds += _split_by_commas(part)
        return melds
    if len(parts) == 1:
        return _split_by_rank(cards_in_notation(text))
    for part in parts:
        meld = cards_in_notation(part)
        if meld:
            melds.append(meld)
    return melds


def _split_by_rank(line: str) -> list[str]:
    """Split a line of cards into one meld for each rank, in the order in which the ranks appear.

    A wild card (`2` or `JK`) has no rank. It joins the rank of the card before it, or the first
    rank of the line if none stands before: `2 K K Q 2` → `["2 K K", "Q 2"]`.
    """
    cards = line.split()
    rank_of_meld = _first_rank(cards)
    cards_by_rank: dict[tuple[int, ...], list[str]] = {}
    for card in cards:
        rank = _find_ranks(card)
        if rank:
            rank_of_meld = rank
        if rank_of_meld not in cards_by_rank:
            cards_by_rank[rank_of_meld] = []
        cards_by_rank[rank_of_meld].append(card)
    return [" ".join(cards_of_meld) for cards_of_meld in cards_by_rank.values()]


def _first_rank(cards: list[str]) -> tuple[int, ...]:
    """The rank of the first card that has one; empty if all of them are wild cards."""
    for card in cards:
        rank = _find_ranks(card)
        if rank:
            return rank
    return ()


def _split_by_commas(text: str) -> list[str]:
    """The melds of a text in which commas separate melds, and the cards of one.

    A part with too few cards for a meld belongs to the meld before it.
    """
    parts = []
    for part in text.split(","):
        cards = cards_in_notation(part)
        if cards:
            parts.append(cards)
    if parts and all(_is_too_short(part) for part in parts):
        # A suit at the end applies to all cards before it: `4, 5, 6 di cuori`.
        parts = [cards_in_notation(text)]

    melds: list[str] = []
    for part in parts:
        if melds and _is_too_short(part):
            melds[-1] = f"{melds[-1]} {part}"
        else:
            melds.append(part)
    return melds


def _is_too_short(cards: str) -> bool:
    """Whether these are too few cards for a meld of their own."""
    return read_cards(cards).cards.size < _LEAST_MELD


def add_top_card(melds: list[str], top: str, table: list[str], rules: Ruleset) -> list[str]:
    """Add the top card of the discard pile to the meld that a player lays with it.

    `melds` are the melds (sets of cards) that the player lays to take the pile, `table` those of the
    side that lie on the table already: with the top card `K`, `["3xQ", "2xK"]` → `["3xQ", "3xK"]`.
    The melds stay as they are if the card goes on a meld on the table, or if it fits none of them.
    """
    top_card = read_cards(top)
    is_one_card = top_card.cards.size == 1
    melds_on_table = [read_cards(meld) for meld in table]
    if not is_one_card or _is_rank_on_table(top_card, melds_on_table):
        return melds

    melds_from_hand = [read_cards(meld) for meld in melds]
    index = _index_of_meld_for_top(top_card, melds_from_hand, melds_on_table, rules)
    if index is None:
        return melds
    melds_with_top = list(melds)
    melds_with_top[index] = add_card(melds[index], top)
    return melds_with_top


def _is_rank_on_table(card: Reading, melds_on_table: list[Reading]) -> bool:
    """Whether a meld on the table has the rank of a card; never for wild cards and threes."""
    if not kind_of(card).is_natural:
        return False
    return any(meld.cards.ranks == card.cards.ranks for meld in melds_on_table)


def _index_of_meld_for_top(
    top: Reading, melds: list[Reading], melds_on_table: list[Reading], rules: Ruleset
) -> int | None:
    """The index of the meld that the top card joins; None if there is none.

    In this order: a meld of its rank, one with which it is a sequence, one that has such a card, and
    wild cards alone.
    """
    kind = kind_of(top)
    of_same_rank = []
    in_sequence = []
    with_same_kind = []
    wilds_alone = []
    for index, meld in enumerate(melds):
        if meld.cards.ranks == top.cards.ranks:
            of_same_rank.append(index)
        if rules.settings.sequences != "none" and is_legal_meld(rules, gather_readings(meld, top)):
            in_sequence.append(index)
        if meld.cards.of(kind) > 0:
            with_same_kind.append(index)
        if not meld.cards.naturals:
            wilds_alone.append(index)

    if not kind.is_natural:
        candidates = with_same_kind
    elif any(is_legal_meld(rules, gather_readings(meld, top)) for meld in melds_on_table):
        # Wild cards alone take a natural card only if no meld on the table can.
        candidates = of_same_rank + in_sequence + with_same_kind
    else:
        candidates = of_same_rank + in_sequence + with_same_kind + wilds_alone
    return candidates[0] if candidates else None


# ---------------------------------------------------------------- in words


def letter_warnings(text: str, words: Words) -> Iterator[str]:
    """Warnings in Italian about `F` as a suit and `J` as a rank: players use these letters for
    another card too.
    """
    if words.language is not Language.ITALIAN:
        return
    line = read_line(text).text
    cards = read_cards(line).cards
    has_clubs = any(suit == Suit.CLUBS for _, suit, _ in cards.suited)
    has_jack = any(_JACK.fullmatch(token) for token in line.split())
    if has_clubs:
        yield words.t("referee.letter.clubs")
    if has_jack and len(cards.ranks) > 1:
        yield words.t("referee.letter.jack")


def meld_kind_in_words(meld: Meld, rules: Ruleset, words: Words, *, is_wrong: bool = False) -> str:
    """The kind and points of a meld in words: "natural canasta, 570 points".

    `is_wrong`: it is not allowed.
    """
    settings = rules.settings
    canasta = canasta_of(meld, settings)
    shape = shape_of(meld, settings)
    if canasta:
        name = canasta.item
    elif is_wrong:
        name = "wrong"
    elif shape == "group":
        name = "meld"
    else:
        name = shape
    name_in_variant = f"hand.kind.{name}.{rules.variant}"
    kind = words.t(words.first_known(name_in_variant, f"hand.kind.{name}"))
    if settings.unit != "units":
        return words.t("hand.text", what=kind, points=meld.cards.points(settings.card_points))
    if canasta:
        return words.plural("hand.text.units", canasta.points, what=kind)
    return kind  # in games counted in units only canastas score


def meld_in_words(meld: Meld, settings: Settings, words: Words) -> str:
    """The cards of a meld in words, a sequence as one: "donna, fante e dieci di cuori"."""
    is_sequence = shape_of(meld, settings) == "sequence"
    if not is_sequence or not is_unbroken_sequence(meld, settings):
        return cards_in_words(meld.cards.counts, words)

    _, suit, _ = meld.cards.suited[0]
    cards = [words.plural(f"card.{KINDS[index]}", 1) for index, _, _ in meld.cards.suited]
    sequence = words.t("hand.in-suit", cards=words.listing(cards), suit=words.t(f"suit.{suit}"))
    counts_of_wilds = list(meld.cards.counts)
    for index in meld.ranks:
        counts_of_wilds[index] = 0
    wilds = cards_in_words(tuple(counts_of_wilds), words)
    if not wilds:
        return sequence
    return f"{sequence}, {wilds}"
