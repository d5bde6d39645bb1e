"""Cards as people write them at a table, `3 re 1 jolly`, `KKK`, `three kings`, put into the notation of the contract.

The words of every language are known at once, for a table may speak two of them. What could mean two things is not
guessed: it is told apart, so that the page can ask.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from scorepad.i18n.typed_words import RANKS, THREE, Is, Word, said_in
from scorepad.rules.cards import Kind, read_cards


class Doubt(StrEnum):
    """Why something typed could be more than one thing."""

    WILD = "wild"
    """A wild card of either kind."""
    MANY = "many"
    """Several of a card, nobody says how many."""
    COLOUR = "colour"
    """A three without its colour."""
    COUNT = "count"
    """A number that counts, or is a card itself."""
    LETTER = "letter"
    """A letter that stands for one card in Italian and another in English, or for a suit."""
    OTHER = "other"
    """A card of other packs."""


@dataclass(frozen=True, slots=True)
class Typed:
    """What somebody typed: its cards in the contract's notation, what is doubtful and why, and what is no card."""

    text: str
    doubts: tuple[tuple[Doubt, str], ...] = ()
    unknown: tuple[str, ...] = ()


_SUITED = frozenset({*(kind.value for kind in Kind if kind.is_natural), "T", Kind.TWO.value, THREE})


_LONGEST = 1000
"""Characters of a line that is read as words: no hand takes as many, and what only counts or names suits takes long."""


def read_typed(text: str) -> Typed:
    """Read cards as people write them. Whatever is notation already stays as it is."""
    if not read_cards(text).unknown:
        return Typed(text)
    if len(text) > _LONGEST:
        return Typed("", unknown=tuple(text.split()))
    said = said_in(text)
    return _Reader(counts_all=_counts_all(said)).read(said)


def notated(text: str) -> str:
    """Cards in notation as far as they are clear: what is no card stands behind those that are, a doubt as typed."""
    typed = read_typed(text)
    alien = [token for token in typed.unknown if not read_cards(token).cards.size]
    if typed.doubts or len(alien) != len(typed.unknown):
        return text
    return " ".join((typed.text, *alien)).strip()


def _counts_all(said: list[Word]) -> bool:
    """Whether every card has a number before it, and most of those can be no cards: `2 K 1 jolly 3 Q`."""
    parts = [word for word in said if word.sort is not Is.BETWEEN]
    numbers, cards = parts[::2], parts[1::2]
    in_pairs = len(numbers) == len(cards) and all(word.sort is Is.NUMBER for word in numbers)
    counted = all(word.sort in (Is.CARD, Is.PLURAL, Is.WILD) for word in cards)
    return in_pairs and counted and 2 * sum(word.can_only_count for word in numbers) > len(numbers)


@dataclass(slots=True)
class _Reader:
    """Reads words one after the other: `count` is the number that waits for its card."""

    counts_all: bool
    """Whether every number counts."""
    cards: list[tuple[int, str]] = field(default_factory=list)
    doubts: list[tuple[Doubt, str]] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    count: Word | None = None
    bare: str = ""
    """The card before, where it came without a number: then the next number may be a card as well."""
    since: int = 0
    """Where the cards begin that a suit named after them is for."""

    def read(self, said: list[Word]) -> Typed:
        """The cards of all these words."""
        for before, word, after in zip([None, *said], said, [*said[1:], None], strict=False):
            self._take(word, before, after)
        self._settle()
        text = " ".join(card if count == 1 else f"{count}x{card}" for count, card in self.cards)
        return Typed(text, tuple(self.doubts), tuple(self.unknown))

    def _take(self, word: Word, before: Word | None, after: Word | None) -> None:
        match word.sort:
            case Is.NUMBER:
                self._number(word, before, after)
            case Is.PAIR:
                several = 2 * int(self.count.means if self.count else 1)
                self.count = replace(word, means=str(several), joined=True)
            case Is.CARD | Is.PLURAL:
                self._card(word)
            case Is.COLOUR:
                self._colour(word, before, after)
            case Is.SUIT:
                self._suit(word)
            case Is.WILD | Is.LETTER | Is.OTHER:
                if self.count and word.single and not self._counts(word):
                    self._settle()
                self._doubt(Doubt(word.sort.value), word)
            case _:
                self._settle()
                self.bare = ""
                self.unknown += [word.raw] if word.sort is Is.NOTHING else []

    def _counts(self, word: Word) -> bool:
        """Whether the number that waits can only say how many of these there are."""
        waits = self.count
        assert waits is not None
        if waits.can_only_count or word.plural or self.counts_all:
            return True
        # `4 re`, `due 8`: one in letters. `9 joker` and `2 2 jolly` are cards as well.
        differ = waits.spelled != word.spelled or (word.sort is Is.CARD and word.spelled)
        return differ and not word.single and not self.bare

    def _put(self, card: str, raw: str) -> None:
        """As many of a card as were counted."""
        count, self.bare = int(self.count.means) if self.count else 1, "" if self.count else raw
        self.count = None
        if count:
            self.cards.append((count, card))
        else:
            self.unknown.append(card)

    def _doubt(self, why: Doubt, word: Word) -> None:
        given = [self.bare if why is Doubt.COUNT else "", self.count.raw if self.count else "", word.raw]
        self.count = None
        self.doubts.append((why, " ".join(filter(None, given))))

    def _settle(self) -> None:
        """The number that waited is a card itself, if there is one of it."""
        number, self.count = self.count, None
        if number is None:
            return
        if number.means in RANKS and not number.joined:
            self._put(number.means, number.raw)
        elif number.means == THREE:
            self.doubts.append((Doubt.COLOUR, number.raw))
        else:
            self.unknown.append(number.raw)

    def _number(self, word: Word, before: Word | None, after: Word | None) -> None:
        waits = self.count
        if word.means == THREE and before and before.sort is Is.COLOUR:
            return  # `black three`: the colour said it
        if word.means == THREE and waits and after and after.sort is Is.COLOUR:
            self.count = replace(waits, joined=True)  # `2 3 neri`: it counts those that come
        elif waits and word.means in RANKS and self._counts(word):
            self._put(word.means, word.raw)
        elif waits and word.means in RANKS and word.spelled:
            self._doubt(Doubt.COUNT, word)
        else:
            self._settle()
            self.count = word

    def _card(self, word: Word) -> None:
        if self.count is None and word.plural:
            self._doubt(Doubt.MANY, word)
        elif self.count is None or self._counts(word):
            self._put(word.means, word.raw)
        else:
            self._doubt(Doubt.COUNT, word)

    def _colour(self, word: Word, before: Word | None, after: Word | None) -> None:
        is_three = bool(after and after.means == THREE)
        several = word.plural or (is_three and after is not None and after.plural)
        if self.count is None and not is_three and before and before.sort in (Is.CARD, Is.PLURAL):
            self.unknown.append(word.raw)  # `re nero`: only threes have a colour
            return
        if self.count is None and several:
            self._doubt(Doubt.MANY, word)
            return
        if self.count and self.count.means == THREE and not self.count.joined and not several:
            self.count = None  # `3 nero` is a card, `3 neri` are three of it
        self._put(word.means, "")

    def _suit(self, word: Word) -> None:
        """The suit of the card before, `re di cuori`; in words also of those before it, `4 5 6 di cuori`."""
        if self.count and self.count.means in (*RANKS, THREE):
            rank, self.count = self.count.means, None
            self._put(rank, rank)
        bare = [place for place in range(self.since, len(self.cards)) if self.cards[place][1] in _SUITED]
        if not bare or bare[-1] != len(self.cards) - 1:
            self.unknown.append(word.raw)
            return
        for place in bare[-1:] if word.joined or self.cards[-1][0] > 1 else bare:
            count, card = self.cards[place]
            self.cards[place] = (count, f"{card}{word.means}")
        self.since = len(self.cards)
