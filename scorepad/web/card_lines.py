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
    """Remove the last card of a typed line.

    - `4xK 2x2` → `4xK 2`
    - `4xK 2` → `4xK`
    - `4xK / ` → `3xK`: a slash at the end, which separates two sets of cards, goes too
    """
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
    """Find the last card of a line, how often it is there, and the text before it.

    - `4xK 2x2` → the card `2`, twice, after `4xK `
    - a blank line → None

    The last word is taken for a card, even if there is no such card.
    """
    text = line.rstrip()
    if not text:
        return None
    last_word = text.split()[-1]
    counted = _COUNTED.fullmatch(last_word)  # `2x2` → the groups "2" and "2", `K` → None and "K"
    if counted is None:
        return None
    text_before = text.removesuffix(last_word)
    return _LastCard(text_before, times=int(counted[1] or 1), card=counted[2])


def add_to_meld(line: str, card: str, settings: Settings) -> str:
    """Add a tapped card to the right meld in a line of melds (sets of cards), separated by slashes.

    - `3xQ / 2xK` and `Q` → `2xK / 4xQ`: it joins the other queens, and their meld moves to the end
    - `3xQ / 2xK` and a joker, which goes with any rank → `3xQ / 2xK JK`: it joins the last meld
    - in a game with sequences, such as 9 8 7 of hearts, each card joins the last meld
    """
    melds = [meld.strip() for meld in line.split("/")]
    ranks = _find_ranks(card)
    is_wild_card = not ranks
    if is_wild_card or settings.sequences != "none":
        melds[-1] = add_card(melds[-1], card)
        return BETWEEN.join(melds)

    meld_of_card = _find_meld_to_join(melds, ranks)
    other_melds = [meld for meld in melds if meld not in ("", meld_of_card)]
    meld_with_card = _add_card_beside_equal_one(meld_of_card, card)
    return BETWEEN.join([*other_melds, meld_with_card])


def _add_card_beside_equal_one(meld: str, card: str) -> str:
    """Add a card to a meld (a set of cards), beside an equal card if there is one.

    - `3xK 2` and `K` → `4xK 2`
    - `3xK` and `2` → `3xK 2`
    """
    tokens = meld.split()
    for index, token in enumerate(tokens):
        if _remove_count(token) == card.lower():
            tokens[index] = add_card(token, card)
            return " ".join(tokens)
    return " ".join([*tokens, card])


def _remove_count(token: str) -> str:
    """Return the card in a word of a line, without its count and in lower case: `3xK` → `k`."""
    _count, _times, card = token.lower().rpartition("x")
    return card


def _find_meld_to_join(melds: list[str], ranks: tuple[int, ...]) -> str:
    """Find the meld (set of cards) that a tapped card joins; empty if it begins a new one.

    `ranks` has the rank of the card, here a king. `melds` has at least one text.

    - `["2xK", "3xQ"]` → `2xK`, which is of its rank
    - `["3xQ", "2xJK"]` → `2xJK`: jokers tapped last wait for the cards that they go with
    - `["3xQ"]` → empty
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
    """Find which ranks the cards in a text have, as indices of `KINDS`.

    - `4 kings` and `4xK 2x2` → the rank of kings; twos are wild cards, without a rank
    - `2xJK`, only wild cards → none
    - black and red threes → one rank for both, so that they are kept together
    """
    notation = cards_in_notation(text)
    cards = read_cards(notation).cards
    if cards.ranks:
        return cards.ranks
    # For the rules of the games threes have no rank.
    number_of_threes = cards.of(Kind.BLACK_THREE) + cards.of(Kind.RED_THREE)
    if number_of_threes > 0:
        return _RANK_OF_THREES
    return ()


# ---------------------------------------------------------------- reading


@lru_cache(maxsize=1024)
def cards_in_notation(text: str) -> str:
    """Write typed cards in the short notation of the app: `4 kings and a joker` → `4xK JK`.

    Words that cannot be read stay as they are.
    """
    typed = parse_typed_cards(text)
    return " ".join(typed.text.split())  # with single spaces


def read_line(text: str) -> TypedCards:
    """Read a line of cards or melds (sets of cards), which slashes separate.

    Returns the cards of all melds together, with everything that is unreadable or ambiguous.
    """
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
    """Split a typed line into melds (sets of cards that are laid together), in short notation.

    - `4 kings / 3xQ` → `["4xK", "3xQ"]`
    - `K K K Q Q Q`, without a slash → `["K K K", "Q Q Q"]`, a meld for each rank
    - `3xK, 3xQ`, in a game with sequences (such as 9 8 7 of hearts) → `["3xK", "3xQ"]`
    """
    parts = _SEPARATOR.split(text)
    if settings.sequences != "none":
        # Cards of different ranks may be one meld here. So a comma separates melds, not the rank.
        melds = []
        for part in parts:
            melds += _split_by_commas(part)
        return melds

    has_separator = len(parts) > 1
    if has_separator:
        return _write_parts_in_notation(parts)
    return _split_by_rank(cards_in_notation(text))


def _write_parts_in_notation(parts: list[str]) -> list[str]:
    """Write each text in short notation, and drop blank ones: `["4 re", ""]` → `["4xK"]`."""
    parts_with_cards = []
    for part in parts:
        cards = cards_in_notation(part)
        if cards:
            parts_with_cards.append(cards)
    return parts_with_cards


def _split_by_rank(line: str) -> list[str]:
    """Split a line of cards into one meld (set of cards) for each rank.

    - `K K Q Q K` → `["K K K", "Q Q"]`
    - `2 K K Q 2` → `["2 K K", "Q 2"]`: a two or a joker has no rank, and joins the card before it
    """
    cards = line.split()
    cards_by_rank: dict[tuple[int, ...], list[str]] = {}
    rank = _find_first_rank(
        cards
    )  # at the start of a line, twos and jokers join the card after them
    for card in cards:
        rank = _find_ranks(card) or rank
        cards_by_rank.setdefault(rank, []).append(card)
    return [" ".join(cards_of_rank) for cards_of_rank in cards_by_rank.values()]


def _find_first_rank(cards: list[str]) -> tuple[int, ...]:
    """Find the rank of the first card that has one; empty if all of them are wild cards.

    `["2", "K", "Q"]` → the rank of kings, as a two is a wild card.
    """
    for card in cards:
        rank = _find_ranks(card)
        if rank:
            return rank
    return ()


def _split_by_commas(text: str) -> list[str]:
    """Split a text with commas into melds (sets of cards): `3xK, 3xQ` → `["3xK", "3xQ"]`.

    A comma may also stand between the cards of one meld: `3xK, 2, 3xQ` → `["3xK 2", "3xQ"]`.
    """
    parts = _write_parts_in_notation(text.split(","))
    is_each_part_too_short = all(_is_too_short(part) for part in parts)
    if parts and is_each_part_too_short:
        # It is one meld, read as a whole: a suit at its end is that of all cards, as in
        # `4, 5, 6 of hearts`.
        return [cards_in_notation(text)]
    return _join_short_parts_to_melds(parts)


def _join_short_parts_to_melds(parts: list[str]) -> list[str]:
    """Join each part that is too short for a meld (a set of cards) to the part before it.

    `["3xK", "2", "3xQ"]` → `["3xK 2", "3xQ"]`. A short part at the beginning stays by itself.
    """
    melds: list[str] = []
    for part in parts:
        if melds and _is_too_short(part):
            melds[-1] = f"{melds[-1]} {part}"
        else:
            melds.append(part)
    return melds


def _is_too_short(cards: str) -> bool:
    """Tell whether these are fewer than three cards, too few for a meld (a set of cards)."""
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
        """Tell whether a meld is of the rank of this card, and of no other rank."""
        return meld.cards.ranks == self.reading.cards.ranks

    def continues_sequence(self, meld: Reading) -> bool:
        """Tell whether a meld and this card make a sequence, such as 9 8 7 of hearts.

        Only some games have sequences. It is not asked for melds of the rank of this card.
        """
        if self.rules.settings.sequences == "none":
            return False
        return self.makes_legal_meld_with(meld)

    def is_also_in(self, meld: Reading) -> bool:
        """Tell whether a meld has a card of the same kind already."""
        return meld.cards.of(self.kind) > 0

    def makes_legal_meld_with(self, meld: Reading) -> bool:
        """Tell whether the rules allow a meld (a set of cards) of these cards and this one."""
        return is_legal_meld(self.rules, gather_readings(meld, self.reading))


def add_top_card(melds: list[str], top: str, table: list[str], rules: Ruleset) -> list[str]:
    """Add the top card of the discard pile to one of the melds with which a player takes the pile.

    A meld is a set of cards. `melds` are those that the player lays from the hand, `table` those
    that the player's side has on the table already. With a king on top of the pile:

    - `["3xQ", "2xK"]` → `["3xQ", "3xK"]`
    - `["3xQ", "2xK"]` with `["3xK"]` on the table → unchanged: the king goes on the table
    - `["3xQ"]`, where it fits nothing → unchanged
    """
    top_card = _TopCard(read_cards(top), rules)
    if top_card.reading.cards.size != 1:
        return melds  # no card is typed, or more than one

    melds_on_table = [read_cards(meld) for meld in table]
    is_rank_on_table = any(top_card.has_rank_of(meld) for meld in melds_on_table)
    if top_card.kind.is_natural and is_rank_on_table:  # the card is added there
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
    """Choose which meld (set of cards) the top card of the discard pile joins, by its index.

    With a king on top, a meld of kings is better than a sequence, and that is better than a meld
    that has a king among other cards. Wild cards alone are the last choice. None if no meld fits.
    """
    if not top_card.kind.is_natural:
        return _find_first_meld(melds, top_card.is_also_in)

    for condition in (top_card.has_rank_of, top_card.continues_sequence, top_card.is_also_in):
        index = _find_first_meld(melds, condition)
        if index is not None:
            return index

    can_go_on_table = any(top_card.makes_legal_meld_with(meld) for meld in melds_on_table)
    if can_go_on_table:  # then wild cards from the hand are a meld of their own
        return None
    return _find_first_meld(melds, _has_no_natural_cards)


def _find_first_meld(melds: list[Reading], condition: Callable[[Reading], bool]) -> int | None:
    """Find the index of the first meld (set of cards) that meets a condition; None if none does."""
    for index, meld in enumerate(melds):
        if condition(meld):
            return index
    return None


def _has_no_natural_cards(meld: Reading) -> bool:
    """Tell whether a meld (set of cards) has no natural card, from the four to the ace.

    It may have jokers and twos, which are wild, and threes.
    """
    return meld.cards.naturals == 0


# ---------------------------------------------------------------- in words


def letter_warnings(text: str, words: Words) -> Iterator[str]:
    """Warn of two letters in typed cards that Italian players use for two cards each.

    - `4C 5C 6C`: C is read as clubs, but may mean hearts (*cuori*)
    - `KKK J`: J is read as a jack, but may mean a joker

    Nobody is warned on an English page.
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
    """Say what kind of meld (a set of cards) some cards are, and how much they are worth.

    - `natural canasta · 570 points`
    - in a game that counts canastas (melds of seven cards or more) in units: `samba · 2 units`
    - another meld in such a game, which scores nothing → `sequence`
    - a meld that the rules do not allow (`is_wrong`) → `not valid · 30 points`
    """
    settings = rules.settings
    name = _name_meld_kind(meld, settings, is_wrong=is_wrong)
    # Some variants have their own word, as `hand.kind.natural-canasta.mini` is "pure canasta".
    key_in_variant = f"hand.kind.{name}.{rules.variant}"
    kind = words.t(words.find_known_key(key_in_variant, f"hand.kind.{name}"))

    is_counted_in_units = settings.unit == "units"
    if not is_counted_in_units:
        points = meld.cards.points(settings.card_points)
        return words.t("hand.text", what=kind, points=points)
    canasta = find_kind_of_canasta(meld, settings)
    if canasta is None:
        return kind
    return words.plural("hand.text.units", canasta.points, what=kind)


def _name_meld_kind(meld: Meld, settings: Settings, *, is_wrong: bool) -> str:
    """Name the kind of a meld (a set of cards); the name is the end of a message key.

    - a canasta, which has seven cards or more → its kind, such as `natural-canasta`
    - any other meld that the rules do not allow (`is_wrong`) → `wrong`
    - cards of one rank → `meld`
    - a run of one suit → `sequence`
    - only wild cards (jokers and twos) → `wilds`
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
    """Say which cards a meld (a set of cards) has.

    - three kings and a joker → "3 kings and 1 joker"
    - a sequence (a run of one suit) → "queen, jack and ten of hearts", and after it its wild cards
      (jokers and twos)
    """
    is_sequence = find_shape(meld, settings) == "sequence"
    is_whole_sequence = is_sequence and is_unbroken_sequence(meld, settings)
    if not is_whole_sequence:
        return list_cards_in_words(meld.cards.counts, words)

    sequence = _say_sequence(meld.cards.suited, words)
    wild_cards = list_cards_in_words(_count_wild_cards_of_sequence(meld), words)
    if not wild_cards:
        return sequence
    return f"{sequence}, {wild_cards}"


def _say_sequence(sequence: Sequence[SuitedCards], words: Words) -> str:
    """Say which cards a sequence has, with their common suit: "queen, jack and ten of hearts"."""
    suit = words.t(f"suit.{sequence[0].suit}")
    ranks = [words.plural(f"card.{KINDS[card.kind]}", 1) for card in sequence]
    return words.t("hand.in-suit", cards=words.listing(ranks), suit=suit)


def _count_wild_cards_of_sequence(meld: Meld) -> tuple[int, ...]:
    """Count the wild cards (jokers and twos) of a sequence, a run of one suit.

    The result has a number for each kind of card, in the order of `KINDS`. For the other cards of
    the sequence, which have ranks from the four to the ace, the number is 0.
    """
    counts = list(meld.cards.counts)
    for rank in meld.ranks:
        counts[rank] = 0
    return tuple(counts)
