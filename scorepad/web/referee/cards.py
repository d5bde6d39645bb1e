"""Cards tapped or typed for a question: melds one by one, and the melds that take the pile with its top card."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from scorepad.i18n import Language, Words
from scorepad.i18n.typed_cards import Typed, read_typed
from scorepad.referee.case import broken, is_legal, kind_of, lay_case, special_top, together
from scorepad.referee.pile import against_use, laid_with, uses_of
from scorepad.referee.questions import PileQuestion
from scorepad.rules.cards import Kind, Reading, Suit, read_cards
from scorepad.rules.settings import Sequences, Settings
from scorepad.rules.variants import Ruleset
from scorepad.web.cards import grow, shrink

BETWEEN = " / "
"""Separates two melds of a line."""
_BETWEEN_MELDS = re.compile(r"[/;\n]+")
_LEAST_MELD = 3
"""Cards from which on a part between commas may be a meld of its own."""
_JACK = re.compile(r"(?:[0-9]+x)?J", re.IGNORECASE)


@lru_cache(maxsize=1024)
def cards_of(text: str) -> str:
    """Typed cards in notation; what cannot be read is checked apart."""
    return " ".join(read_typed(text).text.split())


def read_line(text: str) -> Typed:
    """A line of cards or melds in notation, with all that cannot be read or has two meanings."""
    parts = [read_typed(part) for part in _BETWEEN_MELDS.split(text)]
    doubts = tuple(doubt for part in parts for doubt in part.doubts)
    unknown = tuple(token for part in parts for token in part.unknown)
    return Typed(" ".join(part.text for part in parts), doubts, unknown)


def laid_on(text: str, card: str, settings: Settings) -> str:
    """A line of melds with one card more: beside those of its rank, a wild card in the meld touched last."""
    melds = [meld.strip() for meld in text.split("/")]
    rank = _rank(card)
    if settings.sequences is not Sequences.NONE or not rank:
        return BETWEEN.join((*melds[:-1], grow(melds[-1], card)))
    mine = next((meld for meld in melds if _rank(meld) == rank), "")
    if not mine and not _rank(melds[-1]):
        mine = melds[-1]  # wild cards that were tapped first
    return BETWEEN.join((*(meld for meld in melds if meld not in ("", mine)), _gathered(mine, card)))


def _rank(text: str) -> tuple[int, ...]:
    """The natural ranks of some cards; threes stand together; none of wild cards alone."""
    cards = read_cards(cards_of(text)).cards
    threes = cards.of(Kind.BLACK_THREE) + cards.of(Kind.RED_THREE)
    return cards.ranks or ((-1,) if threes else ())


def _gathered(meld: str, card: str) -> str:
    """A meld with one card more, equal cards together: `K 2` and `K` are `2xK 2`."""
    tokens = meld.split()
    for place, token in enumerate(tokens):
        if token.lower().rpartition("x")[2] == card.lower():
            return " ".join((*tokens[:place], grow(token, card), *tokens[place + 1 :]))
    return grow(meld, card)


def taken_off(text: str) -> str:
    """A line of melds without its last card."""
    return shrink(text.rstrip(" /")).rstrip(" /")


def melds_of(text: str, settings: Settings) -> list[str]:
    """The melds of a line, in notation. A slash separates melds; otherwise cards of several ranks are several melds.

    Where this game has sequences a comma separates melds, and cards of one: `4, 5, 6 di cuori`.
    """
    if settings.sequences is not Sequences.NONE:
        return [meld for part in _BETWEEN_MELDS.split(text) for meld in _by_commas(part)]
    if re.search(r"[/;\n]", text):
        return [meld for meld in map(cards_of, _BETWEEN_MELDS.split(text)) if meld]
    return _by_rank(cards_of(text))


def _by_rank(line: str) -> list[str]:
    """The cards of a line by rank, in the order of their first cards; a wild card belongs to the rank before it."""
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
        parts = [cards_of(text)] if parts else []  # the suit is of them all
    for part in parts:
        if read_cards(part).cards.size < _LEAST_MELD:
            melds[-1] = f"{melds[-1]} {part}".lstrip()
        else:
            melds.append(part)
    return [meld for meld in melds if meld]


def notes_on(text: str, words: Words) -> Iterator[str]:
    """Notes on letters that an Italian table may have meant otherwise."""
    if words.language is not Language.ITALIAN:
        return
    line = read_line(text).text
    cards = read_cards(line).cards
    if any(suit == Suit.CLUBS for _, suit, _ in cards.suited):
        yield words.text("referee.note.clubs")
    if len(cards.ranks) > 1 and any(map(_JACK.fullmatch, line.split())):
        yield words.text("referee.note.jack")


# ---------------------------------------------------------------- taking the pile


def with_top(laid: list[str], top: str, table: list[str], rules: Ruleset) -> list[str]:
    """The melds of the question's schema, made of those of the hand; all in notation.

    The page asks for the cards of the hand alone. In the schema one of the melds holds the top card, except if the side
    has a meld of its rank on the table: then the cards of the hand join that one.
    """
    card, melds, on_table = read_cards(top), list(map(read_cards, laid)), list(map(read_cards, table))
    if card.cards.size != 1:
        return laid
    kind, is_natural = kind_of(card), kind_of(card).is_natural
    if is_natural and any(meld.cards.ranks == card.cards.ranks for meld in on_table):
        return laid
    fits = is_natural and rules.settings.sequences is not Sequences.NONE
    # Wild cards alone hold a natural card only if nothing else can.
    joined = not is_natural or any(is_legal(rules, together(meld, card)) for meld in on_table)
    ways: list[Callable[[Reading], bool]] = [
        lambda meld: is_natural and meld.cards.ranks == card.cards.ranks,
        lambda meld: fits and is_legal(rules, together(meld, card)),
        lambda meld: meld.cards.of(kind) > 0,
        lambda meld: not joined and not meld.cards.naturals,
    ]
    place = next((place for way in ways for place, meld in enumerate(melds) if way(meld)), None)
    return [grow(meld, top) if number == place else meld for number, meld in enumerate(laid)]


def as_they_lie(rules: Ruleset, asked: PileQuestion) -> tuple[tuple[Reading, ...], bool]:
    """The melds of the turn after the pile was taken, and whether one of them holds the top card."""
    kind, laid = kind_of(asked.top), asked.laid
    table = lay_case(rules, *asked.table, *laid)
    if not kind.is_natural:
        return laid, any(meld.cards.of(kind) for meld in laid)
    uses = () if broken(table, {"deck-exceeded"}) else uses_of(rules, asked)
    if not uses:
        return laid, False
    use = min(uses, key=lambda each: len(against_use(rules, asked, each)))
    return laid_with(asked, use), True


def is_discarded(rules: Ruleset, asked: PileQuestion, meld: Reading) -> bool:
    """Whether these cards are no meld: special cards that are discarded with the top card at the end of the turn."""
    way = special_top(rules.settings, kind_of(asked.top))
    return way is not None and way.used == "discarded" and meld.cards.of(kind_of(asked.top)) > 0
