"""Card lines as tapped or typed: `4xK 2x2 / 3xQ`, their melds, and melds in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from scorepad.i18n import Language, Words
from scorepad.i18n.findings import cards_in_words
from scorepad.i18n.typed_cards import Typed, read_typed
from scorepad.referee.situation import gather_readings, is_legal_meld, kind_of
from scorepad.rules.cards import KINDS, NATURAL_INDICES, Kind, Reading, Suit, read_cards
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
    found = _COUNTED.fullmatch(word)
    return (line[: len(line) - len(word)], int(found[1] or 1), found[2]) if found else ("", 0, "")


def remove_last_card(text: str) -> str:
    """Remove the last card of a line of cards or melds."""
    before, count, last = _last_of(text.rstrip(" /\r\n"))
    again = f"{count - 1}x{last}" if count > 2 else last if count == 2 else ""  # noqa: PLR2004 - `2x` left or not
    return f"{before}{again}".rstrip(" /\r\n")


def add_to_meld(text: str, card: str, settings: Settings) -> str:
    """Add a card to a line of melds: to the meld of its rank, a wild card to the meld touched last."""
    melds = [meld.strip() for meld in text.split("/")]
    rank = _rank(card)
    if settings.sequences != "none" or not rank:
        return BETWEEN.join((*melds[:-1], add_card(melds[-1], card)))
    mine = next((meld for meld in melds if _rank(meld) == rank), "")
    if not mine and not _rank(melds[-1]):
        mine = melds[-1]  # wild cards that were tapped first
    tokens = mine.split()
    place = next(
        (at for at, token in enumerate(tokens) if token.lower().rpartition("x")[2] == card.lower()),
        None,
    )
    if place is None:
        tokens.append(card)
    else:
        tokens[place] = add_card(tokens[place], card)
    return BETWEEN.join((*(meld for meld in melds if meld not in ("", mine)), " ".join(tokens)))


def _rank(text: str) -> tuple[int, ...]:
    """The natural ranks of some cards; all threes are one rank; wild cards alone have none."""
    cards = read_cards(cards_of(text)).cards
    threes = cards.of(Kind.BLACK_THREE) + cards.of(Kind.RED_THREE)
    return cards.ranks or ((-1,) if threes else ())


# ---------------------------------------------------------------- reading


@lru_cache(maxsize=1024)
def cards_of(text: str) -> str:
    """Typed cards in notation; unreadable text is checked separately."""
    return " ".join(read_typed(text).text.split())


def read_line(text: str) -> Typed:
    """A line of cards or melds in notation, with all unreadable and ambiguous parts."""
    parts = [read_typed(part) for part in _SEPARATOR.split(text)]
    doubts = tuple(doubt for part in parts for doubt in part.doubts)
    unknown = tuple(token for part in parts for token in part.unknown)
    return Typed(" ".join(part.text for part in parts), doubts, unknown)


def melds_of(text: str, settings: Settings) -> list[str]:
    """The melds of a line, in notation. A slash separates melds; otherwise cards of several ranks
    are several melds.

    If this game has sequences, a comma separates melds, and cards of one: `4, 5, 6 di cuori`.
    """
    parts = _SEPARATOR.split(text)
    if settings.sequences != "none":
        return [meld for part in parts for meld in _by_commas(part)]
    return (
        _by_rank(cards_of(text))
        if len(parts) == 1
        else [meld for meld in map(cards_of, parts) if meld]
    )


def _by_rank(line: str) -> list[str]:
    """The cards of a line by rank, in the order of first cards; a wild card joins the rank before
    it.
    """
    melds: dict[tuple[int, ...], str] = {}
    rank: tuple[int, ...] = ()
    for token in line.split():
        here = _rank(token)
        if here and not rank and () in melds:
            melds[here] = melds.pop(())
        rank = here or rank
        melds[rank] = f"{melds.get(rank, '')} {token}".lstrip()
    return list(melds.values())


def _by_commas(text: str) -> list[str]:
    """The parts of a line between commas: melds, and cards that belong to the meld before them."""
    melds = [""]
    parts = [part for part in map(cards_of, text.split(",")) if part]
    if all(read_cards(part).cards.size < _LEAST_MELD for part in parts):
        parts = [cards_of(text)] if parts else []  # the suit applies to all
    for part in parts:
        if read_cards(part).cards.size < _LEAST_MELD:
            melds[-1] = f"{melds[-1]} {part}".lstrip()
        else:
            melds.append(part)
    return [meld for meld in melds if meld]


def with_top(laid: list[str], top: str, table: list[str], rules: Ruleset) -> list[str]:
    """The melds for the question about the pile, from those of the hand; all in notation.

    The page asks only for cards from the hand. In the schema one meld includes the top card, unless
    the side has a meld of that rank on the table: then these cards are added to that meld.
    """
    card, melds, on_table = (
        read_cards(top),
        list(map(read_cards, laid)),
        list(map(read_cards, table)),
    )
    if card.cards.size != 1:
        return laid
    kind = kind_of(card)
    if kind.is_natural and any(meld.cards.ranks == card.cards.ranks for meld in on_table):
        return laid
    fits = kind.is_natural and rules.settings.sequences != "none"
    # Wild cards alone take a natural card only if no other meld can.
    joined = not kind.is_natural or any(
        is_legal_meld(rules, gather_readings(meld, card)) for meld in on_table
    )
    ways: list[Callable[[Reading], bool]] = [
        lambda meld: kind.is_natural and meld.cards.ranks == card.cards.ranks,
        lambda meld: fits and is_legal_meld(rules, gather_readings(meld, card)),
        lambda meld: meld.cards.of(kind) > 0,
        lambda meld: not joined and not meld.cards.naturals,
    ]
    place = next((place for way in ways for place, meld in enumerate(melds) if way(meld)), None)
    return [add_card(meld, top) if number == place else meld for number, meld in enumerate(laid)]


# ---------------------------------------------------------------- in words


def notes_on(text: str, words: Words) -> Iterator[str]:
    """Notes on letters that Italian players use for another card."""
    if words.language is not Language.ITALIAN:
        return
    line = read_line(text).text
    cards = read_cards(line).cards
    if any(suit == Suit.CLUBS for _, suit, _ in cards.suited):
        yield words.t("referee.note.clubs")
    if len(cards.ranks) > 1 and any(map(_JACK.fullmatch, line.split())):
        yield words.t("referee.note.jack")


def meld_note(meld: Meld, rules: Ruleset, words: Words, *, is_wrong: bool = False) -> str:
    """The kind and points of a meld; `is_wrong`: it is not allowed."""
    settings = rules.settings
    kind, shape = canasta_of(meld, settings), shape_of(meld, settings)
    name = kind.item if kind else "wrong" if is_wrong else "meld" if shape == "group" else shape
    what = words.t(words.first(f"hand.kind.{name}.{rules.variant}", f"hand.kind.{name}"))
    if settings.unit == "units":
        # Its cards score nothing; only canastas do.
        return words.plural("hand.text.units", kind.points, what=what) if kind else what
    return words.t("hand.text", what=what, points=meld.cards.points(settings.card_points))


def meld_in_words(meld: Meld, settings: Settings, words: Words) -> str:
    """The cards, a sequence as one: `donna, fante e dieci di cuori`."""
    if shape_of(meld, settings) != "sequence" or not is_unbroken_sequence(meld, settings):
        return cards_in_words(meld.cards.counts, words)
    (_, suit, _), *_ = meld.cards.suited
    cards = [words.plural(f"card.{KINDS[index]}", 1) for index, _, _ in meld.cards.suited]
    wilds = tuple(
        0 if index in meld.ranks else count for index, count in enumerate(meld.cards.counts)
    )
    suited = words.t("hand.in-suit", cards=words.listing(cards), suit=words.t(f"suit.{suit}"))
    return ", ".join(part for part in (suited, cards_in_words(wilds, words)) if part)
