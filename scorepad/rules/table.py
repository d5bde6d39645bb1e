"""A hand prepared for the checks: who lays together, what each has, and what could not be read.

Three relations are kept apart. Those who lay together are a party; who stands in the match is a side; a party's points
go to each of its sides. In most variants every side is a party of its own; where the first to take the pile plays alone
for the hand, the others are one party of two sides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from scorepad.rules.cards import BLACK_THREE, KINDS, Cards, Reading, gather
from scorepad.rules.entries import Hand, Place, SideEntry
from scorepad.rules.melds import Meld, canasta_of, incomplete_of, read_meld
from scorepad.rules.settings import ConcealedOut, Partnership, Settings
from scorepad.rules.variants import Ruleset


@dataclass(frozen=True, slots=True)
class Laid:
    """A meld, where it stands in the hand, and the points of its cards. Not `whole`: some tokens are no cards."""

    where: Place
    meld: Meld
    points: int
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Lay:
    """One side's part of the table.

    `unreadable`: not all that it laid is known, because a token is no card or because a name is nobody's.
    """

    position: int
    entry: SideEntry
    melds: tuple[Laid, ...]
    opening: tuple[Laid, ...]
    unreadable: bool
    is_out: bool

    @property
    def place(self) -> Place:
        """Where the side stands in the hand."""
        return ("sides", self.position)


@dataclass(frozen=True, slots=True)
class Party:
    """Those who lay together in this hand, one side or more."""

    lays: tuple[Lay, ...]
    melds: tuple[Laid, ...]
    """All its melds."""
    points: int
    """Those of all cards that it laid, out of melds and totals together."""
    canastas: Counter[str]
    """Canastas by item, out of melds and totals together."""
    families: Counter[str]
    """Canastas by family, for what going out needs."""
    incomplete: Counter[str]
    """Melds that cost something, or bar the way out, as long as they are no canasta, by name."""
    opened: bool | None
    """None where only the sum of the hand is known."""
    is_out: bool
    unreadable: bool
    """Whether something it laid could not be read, so that only what holds in any case can be said of it."""
    is_summed: bool
    """Whether some of it is only known as a sum agreed at the table."""


@dataclass(frozen=True, slots=True)
class Table:
    """A hand ready to be judged under a ruleset."""

    rules: Ruleset
    hand: Hand
    parties: tuple[Party, ...]
    settings: Settings
    named: Cards
    """Every card that the hand names: laid, held, discarded last."""
    judged: tuple[Laid, ...]
    """Every meld written down: those that lie at the end, and those noted as openings."""

    @property
    def lays(self) -> Iterator[Lay]:
        """Every side's part, party by party."""
        return (lay for party in self.parties for lay in party.lays)

    def minimum(self, position: int) -> int | None:
        """The opening minimum of a side for this hand, in points; None also for a side that is not of the match."""
        if position not in self.hand.of_match:
            return None
        return self.settings.opening_minimum(self.hand.before[position], self.hand.deal)

    def needs_no_minimum(self, lay: Lay) -> bool:
        """Whether the side opened and went out in one turn under a codification that asks no minimum for that."""
        return self.is_concealed(lay) and self.settings.concealed_out is ConcealedOut.OWN_MELDS_ONLY

    def is_concealed(self, lay: Lay) -> bool:
        """Whether the side opened and went out in one turn."""
        return lay.is_out and self.hand.out is not None and self.hand.out.concealed


def lay_table(rules: Ruleset, hand: Hand) -> Table:
    """Lay a hand out under the rules in force."""
    lays = [_lay(hand, position, rules.settings.card_points) for position in range(len(hand.names))]
    groups = who_lays(rules.settings.partnership, hand)
    parties = tuple(_party(rules, [lays[position] for position in group]) for group in groups)
    judged = tuple(laid for lay in lays for laid in (*lay.melds, *lay.opening))
    return Table(rules, hand, parties, rules.settings, _named_cards(hand), judged)


def who_lays(partnership: Partnership, hand: Hand) -> list[tuple[int, ...]]:
    """Who lays together in the hand: the positions of each party's sides."""
    alone: list[tuple[int, ...]] = [(position,) for position in range(len(hand.names))]
    if partnership is Partnership.FIXED:
        return alone
    single = hand.single
    if single is None and hand.out is not None:
        single = hand.out.side
    if single is None or single not in hand.of_match:
        return alone
    others = tuple(position for position in hand.of_match if position != single)
    strangers = [(position,) for (position,) in alone if position not in hand.of_match]
    return [(single,), others, *strangers]


def _lay(hand: Hand, position: int, values: tuple[int, ...]) -> Lay:
    entry = hand.sides[position]
    place: Place = ("sides", position)
    melds = tuple(
        _laid((*place, "melds", number), meld.reading, values, concealed=meld.concealed)
        for number, meld in enumerate(entry.melds)
    )
    opening = tuple(
        _laid((*place, "opening", "melds", number), reading, values)
        for number, reading in enumerate(entry.opening or ())
    )
    misnamed = bool(hand.strangers) and position in hand.absent
    unreadable = misnamed or not all(laid.whole for laid in melds)
    is_out = hand.out is not None and hand.out.side == position
    return Lay(position, entry, melds, opening, unreadable, is_out)


def _laid(where: Place, reading: Reading, values: tuple[int, ...], *, concealed: bool = False) -> Laid:
    cards = reading.cards
    return Laid(where, read_meld(cards, concealed), cards.points(values), not reading.unknown)


def _party(rules: Ruleset, lays: list[Lay]) -> Party:
    """What those who lay together have."""
    canastas: Counter[str] = Counter()
    families: Counter[str] = Counter()
    incomplete: Counter[str] = Counter()
    melds = tuple(laid for lay in lays for laid in lay.melds)
    points = 0
    for laid in melds:
        points += laid.points
        canasta, unfinished = canasta_of(laid.meld, rules.settings), incomplete_of(laid.meld, rules.settings)
        if canasta:
            canastas[canasta.item] += 1
            families[canasta.family] += 1
            canastas["concealed-canasta"] += laid.meld.concealed
        elif unfinished:
            incomplete[unfinished.name] += 1
    for lay in lays:
        if lay.entry.totals:
            counted = lay.entry.totals.canastas
            points += lay.entry.totals.cards
            canastas.update(counted)
            incomplete.update(lay.entry.totals.incomplete)
            for item, family in {kind.item: kind.family for kind in rules.settings.canastas}.items():
                families[family] += counted.get(item, 0)
    opened = any(lay.melds or (lay.entry.totals and lay.entry.totals.cards > 0) for lay in lays)
    is_summed = any(lay.entry.sum is not None for lay in lays)
    return Party(
        lays=tuple(lays),
        melds=melds,
        points=points,
        canastas=canastas,
        families=families,
        incomplete=incomplete,
        opened=True if opened else None if is_summed else False,
        is_out=any(lay.is_out for lay in lays),
        unreadable=any(lay.unreadable for lay in lays),
        is_summed=is_summed,
    )


def only(table: Table, position: int) -> Party:
    """A side by itself, whoever else is of its party."""
    return _party(table.rules, [lay for lay in table.lays if lay.position == position])


def _named_cards(hand: Hand) -> Cards:
    bundles = [hand.out.discard.cards] if hand.out else []
    for entry in hand.sides:
        bundles += [meld.reading.cards for meld in entry.melds]
        bundles += [reading.cards for reading in held(entry)]
    shown = sum(entry.extras.get(key, 0) for entry in hand.sides for key in BLACK_THREES_SHOWN)
    if shown:
        bundles.append(Cards(tuple(shown if index == BLACK_THREE else 0 for index in range(len(KINDS)))))
    return gather(bundles)


BLACK_THREES_SHOWN = ("black_threes_aside", "black_threes")
"""Where black threes are counted that lie neither in a meld nor in a hand."""


def held(entry: SideEntry) -> tuple[Reading, ...]:
    """The hands still held, where they were given in cards."""
    return () if isinstance(entry.left, int) else entry.left
