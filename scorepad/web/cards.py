"""Cards that are tapped or typed on a page: keys, suits, and melds in words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from scorepad.i18n import Words
from scorepad.i18n.findings import cards_in_words
from scorepad.rules.cards import KINDS, NATURAL_INDICES, Kind, Suit
from scorepad.rules.settings import Settings, Shape
from scorepad.rules.table import Meld, canasta_of, is_unbroken_sequence, shape_of
from scorepad.rules.variants import Ruleset

LONGEST_TEXT = 1000
"""Characters of a field of cards that is read."""
LONGEST_ECHO = 60
"""Characters of a text that a message repeats."""
TICKED = "on"
NO_SUIT = "none"
SIGNS = {Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.SPADES: "♠", Suit.CLUBS: "♣"}
NO_SIGN = "–"

_COUNTED = re.compile(r"(?:([0-9]{1,2})x)?(\S+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several values of a field, or a tick."""

    id: str
    name: str
    value: str
    label: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class CardButton:
    """A card that can be tapped: its token and its name. `suited`: it may get a suit."""

    token: str
    name: str
    suited: bool


@dataclass(frozen=True, slots=True)
class SuitKey:
    """A suit to choose for tapped cards."""

    choice: Choice
    sign: str


def card_buttons(kinds: tuple[Kind, ...], words: Words) -> tuple[CardButton, ...]:
    """Cards to tap."""
    naturals = {KINDS[index] for index in NATURAL_INDICES}
    return tuple(CardButton(kind.value, words.plural(f"card.{kind}", 1), kind in naturals) for kind in kinds)


def grow(text: str, token: str) -> str:
    """A line of cards with one more: another of the last kind is counted with it (`K` and `K` are `2xK`)."""
    before, count, last = _last_of(text)
    if last.upper() == token.upper():
        return f"{before}{count + 1}x{token}"
    return f"{text.rstrip()} {token}".lstrip()


def shrink(text: str) -> str:
    """A line of cards without the last one."""
    before, count, last = _last_of(text)
    left = count - 1
    again = f"{left}x{last}" if left > 1 else last if left == 1 else ""
    return f"{before}{again}".rstrip()


def _last_of(text: str) -> tuple[str, int, str]:
    """What stands before the last card of a line, how many there are of it, and the card; none in an empty line."""
    line = text.rstrip()
    word = line.rsplit(None, 1)[-1] if line else ""
    found = _COUNTED.fullmatch(word)
    if not found:
        return "", 0, ""
    return line[: len(line) - len(word)], int(found[1] or 1), found[2]


def own_key(key: str, rules: Ruleset, words: Words) -> str:
    """The message of a key as the players of a variant say it, where there is one."""
    own = f"{key}.{rules.variant}"
    return own if words.has(own) else key


def meld_note(meld: Meld, rules: Ruleset, words: Words, *, is_wrong: bool = False) -> str:
    """What a meld is and what it counts; `is_wrong`: it may not be."""
    settings = rules.settings
    kind, shape = canasta_of(meld, settings), shape_of(meld, settings)
    name = kind.item if kind else "wrong" if is_wrong else "meld" if shape is Shape.GROUP else shape.value
    what = words.text(own_key(f"count.kind.{name}", rules, words))
    if settings.unit == "units":
        # Its cards count nothing; only what is complete does.
        return words.plural("count.told.units", kind.points, what=what) if kind else what
    return words.text("count.told", what=what, points=meld.cards.points(settings.card_points))


def meld_in_words(meld: Meld, settings: Settings, words: Words) -> str:
    """The cards, a sequence as one: `donna, fante e dieci di cuori`."""
    if shape_of(meld, settings) is not Shape.SEQUENCE or not is_unbroken_sequence(meld, settings):
        return cards_in_words(meld.cards.counts, words)
    (_, suit, _), *_ = meld.cards.suited
    cards = [words.plural(f"card.{KINDS[index]}", 1) for index, _, _ in meld.cards.suited]
    wilds = tuple(0 if index in meld.ranks else count for index, count in enumerate(meld.cards.counts))
    suited = words.text("count.in-suit", cards=words.listing(cards), suit=words.text(f"suit.{suit}"))
    return ", ".join(part for part in (suited, cards_in_words(wilds, words)) if part)
