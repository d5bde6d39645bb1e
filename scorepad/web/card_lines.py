"""Card lines as tapped or typed: `4xK 2x2 / 3xQ`, their melds, and melds in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from scorepad.i18n import Language, Words
from scorepad.i18n.findings import list_cards_in_words
from scorepad.i18n.typed_cards import TypedCards, TypedDoubt, parse_typed_cards
from scorepad.referee.situation import is_legal_meld, kind_of
from scorepad.rules.cards import (
    KINDS,
    NATURAL_INDICES,
    Kind,
    Reading,
    Suit,
    SuitedCards,
    gather_readings,
    read_cards,
)
from scorepad.rules.definitions import Ruleset
from scorepad.rules.settings import Settings
from scorepad.rules.table import Meld, find_kind_of_canasta, find_shape, is_unbroken_sequence

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

    meld_of_card = _meld_of_rank(melds, ranks)
    other_melds = [meld for meld in melds if meld not in ("", meld_of_card)]
    meld_with_card = _add_card_anywhere(meld_of_card, card)
    return BETWEEN.join([*other_melds, meld_with_card])


def _add_card_anywhere(meld: str, card: str) -> str:
    """Add a card to a meld (a set of cards), beside one of its kind if it has such a card.

    `3xK 2` and `K` → `4xK 2`; `3xK` and `2` → `3xK 2`.
    """
    tokens = meld.split()
    for index, token in enumerate(tokens):
        if _without_count(token) == card.lower():
            tokens[index] = add_card(token, card)
            return " ".join(tokens)
    return " ".join([*tokens, card])


def _without_count(token: str) -> str:
    """The card in a token of a line, in lower case and without its count: `3xK` → `k`."""
    _count, _times, card = token.lower().rpartition("x")
    return card


def _meld_of_rank(melds: list[str], ranks: tuple[int, ...]) -> str:
    """The meld (set of cards) that a natural card joins; empty if the card begins a new one.

    `ranks` has the rank of the card. A king joins `2xK` in `["2xK", "3xQ"]`. In `["3xQ", "2xJK"]` it
    joins the two jokers: wild cards tapped last wait for the rank that they go with.
    """
    for meld in melds:
        if _find_ranks(meld) == ranks:
            return meld
    last_meld = melds[-1]
    has_only_wild_cards = not _find_ranks(last_meld)
    if has_only_wild_cards:
        return last_meld
    return ""


def _find_ranks(text: str) -> tuple[int, ...]:
    """The ranks of the cards in a text, as indices of `KINDS`: that of kings alone for `4 re` or
    `4xK 2x2`.

    Wild cards (jokers and twos) have no rank. For the rules threes have none either; here black and
    red ones are one rank, so that they are kept together.
    """
    notation = cards_in_notation(text)
    cards = read_cards(notation).cards
    if cards.ranks:
        return cards.ranks
    number_of_threes = cards.of(Kind.BLACK_THREE) + cards.of(Kind.RED_THREE)
    if number_of_threes > 0:
        return _RANK_OF_THREES
    return ()


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
    """The melds (sets of cards laid together) of a line, in notation: `4 re / 3xQ` → `4xK`, `3xQ`.

    A slash separates melds. Without one, cards of several ranks are several melds. In games with
    sequences (cards in a row) a comma may separate melds too.
    """
    parts = _SEPARATOR.split(text)
    if settings.sequences != "none":
        melds = []
        for part in parts:
            melds += _split_by_commas(part)
        return melds
    has_separator = len(parts) > 1
    if not has_separator:
        return _split_by_rank(cards_in_notation(text))
    return _in_notation(parts)


def _in_notation(parts: list[str]) -> list[str]:
    """The cards of each part of a text in notation, without blank parts: `["4 re", ""]` → `["4xK"]`."""
    parts_with_cards = []
    for part in parts:
        cards = cards_in_notation(part)
        if cards:
            parts_with_cards.append(cards)
    return parts_with_cards


def _split_by_rank(line: str) -> list[str]:
    """Split a line of cards into one meld for each rank, in the order in which the ranks appear.

    A wild card (`2` or `JK`) has no rank. It joins the rank of the card before it, or the first
    rank of the line if none stands before: `2 K K Q 2` → `["2 K K", "Q 2"]`.
    """
    cards = line.split()
    current_rank = _first_rank(cards)
    cards_by_rank: dict[tuple[int, ...], list[str]] = {}
    for card in cards:
        rank_of_card = _find_ranks(card)
        is_wild_card = not rank_of_card
        if not is_wild_card:
            current_rank = rank_of_card
        if current_rank not in cards_by_rank:
            cards_by_rank[current_rank] = []
        cards_by_rank[current_rank].append(card)
    return [" ".join(cards_of_rank) for cards_of_rank in cards_by_rank.values()]


def _first_rank(cards: list[str]) -> tuple[int, ...]:
    """The rank of the first card that has one; empty if all of them are wild cards."""
    for card in cards:
        rank = _find_ranks(card)
        if rank:
            return rank
    return ()


def _split_by_commas(text: str) -> list[str]:
    """The melds of a text with commas: `3xK, 3xQ` → `["3xK", "3xQ"]`.

    A comma may also stand between the cards of one meld. So a part with fewer than three cards
    belongs to the meld before it: `3xK, 2, 3xQ` → `["3xK 2", "3xQ"]`.
    """
    parts = _in_notation(text.split(","))
    if not parts:
        return []
    if all(_is_too_short(part) for part in parts):
        # It is one meld, read as a whole: a suit at its end is that of all cards, as in
        # `4, 5, 6 di cuori`.
        return [cards_in_notation(text)]

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


@dataclass(frozen=True)
class _TopCard:
    """The top card of the discard pile, and in which ways it goes with a meld (set of cards)."""

    reading: Reading
    rules: Ruleset

    @property
    def kind(self) -> Kind:
        """The kind of card that it is, such as a king."""
        return kind_of(self.reading)

    def has_rank_of(self, meld: Reading) -> bool:
        """Whether a meld is of the rank of this card, and of no other."""
        return meld.cards.ranks == self.reading.cards.ranks

    def continues_sequence(self, meld: Reading) -> bool:
        """Whether a meld and this card are a sequence (cards in a row), in games that have these."""
        if self.rules.settings.sequences == "none":
            return False
        return self.makes_legal_meld_with(meld)

    def is_also_in(self, meld: Reading) -> bool:
        """Whether a meld has a card of the same kind already."""
        return meld.cards.of(self.kind) > 0

    def makes_legal_meld_with(self, meld: Reading) -> bool:
        """Whether the rules allow a meld of these cards and this one."""
        return is_legal_meld(self.rules, gather_readings(meld, self.reading))


def add_top_card(melds: list[str], top: str, table: list[str], rules: Ruleset) -> list[str]:
    """Add the top card of the discard pile to the meld that a player lays with it.

    `melds` are the melds (sets of cards) that the player lays to take the pile, `table` those of the
    side that lie on the table already: with the top card `K`, `["3xQ", "2xK"]` → `["3xQ", "3xK"]`.
    The melds stay as they are if the card goes on a meld on the table, or if it fits none of them.
    """
    top_card = _TopCard(read_cards(top), rules)
    if top_card.reading.cards.size != 1:
        return melds

    melds_on_table = [read_cards(meld) for meld in table]
    is_rank_on_table = any(top_card.has_rank_of(meld) for meld in melds_on_table)
    if top_card.kind.is_natural and is_rank_on_table:
        return melds

    melds_from_hand = [read_cards(meld) for meld in melds]
    index = _choose_meld_for_top(top_card, melds_from_hand, melds_on_table)
    if index is None:
        return melds
    melds_with_top = list(melds)
    melds_with_top[index] = add_card(melds[index], top)
    return melds_with_top


def _choose_meld_for_top(
    top_card: _TopCard, melds: list[Reading], melds_on_table: list[Reading]
) -> int | None:
    """The index of the meld (set of cards) that the top card of the pile joins; None if none fits.

    A natural card joins a meld of its rank; else one that becomes a sequence with it; else one that
    has such a card; else wild cards alone. Any other card joins only a meld that has such a card.
    """
    if not top_card.kind.is_natural:
        return _first_index(melds, top_card.is_also_in)
    for fits in (top_card.has_rank_of, top_card.continues_sequence, top_card.is_also_in):
        index = _first_index(melds, fits)
        if index is not None:
            return index
    if any(top_card.makes_legal_meld_with(meld) for meld in melds_on_table):
        return None  # it goes on the table, and leaves the wild cards alone
    return _first_index(melds, _has_no_natural_cards)


def _first_index(melds: list[Reading], condition: Callable[[Reading], bool]) -> int | None:
    """The index of the first meld (set of cards) that meets a condition; None if none does."""
    for index, meld in enumerate(melds):
        if condition(meld):
            return index
    return None


def _has_no_natural_cards(meld: Reading) -> bool:
    """Whether a meld (set of cards) has no card from the four to the ace: only wild ones, say."""
    return meld.cards.naturals == 0


# ---------------------------------------------------------------- in words


def letter_warnings(text: str, words: Words) -> Iterator[str]:
    """Warnings about two letters in typed cards that Italian players use for two cards each.

    `F` is read as the suit of clubs, and `J` as a jack, but somebody may have meant another card.
    """
    if words.language is not Language.ITALIAN:
        return
    line = read_line(text).text
    cards = read_cards(line).cards
    has_clubs = any(card.suit == Suit.CLUBS for card in cards.suited)
    if has_clubs:
        yield words.t("referee.letter.clubs")
    has_jack = any(_JACK.fullmatch(token) for token in line.split())
    has_other_ranks = len(cards.ranks) > 1  # jacks alone are most likely meant as jacks
    if has_jack and has_other_ranks:
        yield words.t("referee.letter.jack")


def meld_kind_in_words(meld: Meld, rules: Ruleset, words: Words, *, is_wrong: bool = False) -> str:
    """The kind and points of a meld (a set of cards) in words: "natural canasta, 570 points".

    `is_wrong`: the rules do not allow it. Some games count canastas (melds of seven cards or more)
    in units instead of points: "samba, 2 units". Other melds score nothing there: "sequence".
    """
    settings = rules.settings
    name = _name_of_meld_kind(meld, settings, is_wrong=is_wrong)
    name_in_variant = f"hand.kind.{name}.{rules.variant}"
    kind = words.t(words.first_known(name_in_variant, f"hand.kind.{name}"))

    is_counted_in_units = settings.unit == "units"
    if not is_counted_in_units:
        points = meld.cards.points(settings.card_points)
        return words.t("hand.text", what=kind, points=points)
    canasta = find_kind_of_canasta(meld, settings)
    if canasta is None:
        return kind
    return words.plural("hand.text.units", canasta.points, what=kind)


def _name_of_meld_kind(meld: Meld, settings: Settings, *, is_wrong: bool) -> str:
    """The end of the message key that names the kind of a meld (a set of cards).

    For a canasta, which has seven cards or more, it is the kind of canasta: `natural-canasta`. For
    other melds it is `wrong` if the rules do not allow it, else `sequence`, `wilds` or `meld`.
    """
    canasta = find_kind_of_canasta(meld, settings)
    if canasta is not None:
        return canasta.item
    if is_wrong:
        return "wrong"
    shape = find_shape(meld, settings)
    if shape == "group":  # cards of one rank: the usual meld
        return "meld"
    return shape


def meld_in_words(meld: Meld, settings: Settings, words: Words) -> str:
    """The cards of a meld (a set of cards) in words: "tre re e un jolly".

    A sequence is named as one: "donna, fante e dieci di cuori", and after it the wild cards.
    """
    is_sequence = find_shape(meld, settings) == "sequence"
    if not is_sequence or not is_unbroken_sequence(meld, settings):
        return list_cards_in_words(meld.cards.counts, words)

    sequence = _sequence_in_words(meld.cards.suited, words)
    wild_cards = list_cards_in_words(_counts_without_ranks(meld), words)
    if not wild_cards:
        return sequence
    return f"{sequence}, {wild_cards}"


def _sequence_in_words(sequence: Sequence[SuitedCards], words: Words) -> str:
    """The cards of a sequence in words, with their common suit: "donna, fante e dieci di cuori"."""
    suit = words.t(f"suit.{sequence[0].suit}")
    ranks = [words.plural(f"card.{KINDS[card.kind]}", 1) for card in sequence]
    return words.t("hand.in-suit", cards=words.listing(ranks), suit=suit)


def _counts_without_ranks(meld: Meld) -> tuple[int, ...]:
    """How many cards of each kind a meld has beside those of its ranks: only its wild cards count.

    The numbers are in the order of `KINDS`.
    """
    counts = list(meld.cards.counts)
    for index in meld.ranks:
        counts[index] = 0
    return tuple(counts)
