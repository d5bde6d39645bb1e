"""The table of a hand: its melds as they are judged, and which sides lay melds together.

Three concepts are distinguished. A side scores in the match; a party is the sides that lay melds
together; a party's points go to each of its sides. In most variants every side is a party; if the
first to take the pile plays alone for the hand, the others are one party of two sides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from scorepad.rules.cards import (
    BLACK_THREE,
    INDEX,
    JOKER,
    NATURAL_INDICES,
    RED_THREE,
    Cards,
    Reading,
    build_cards,
    gather,
)
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import Hand, Out, SideEntry, Totals
from scorepad.rules.settings import (
    CanastaKind,
    IncompleteKind,
    Partnership,
    Settings,
    Shape,
)

Pointer = tuple[str | int, ...]
"""Where something stands in the hand, as the parts of a JSON Pointer: `("sides", 0, "melds", 1)`,
the side by its position.
"""


@dataclass(frozen=True, slots=True)
class SideName:
    """A side by its position, to be shown by its name."""

    position: int


# ---------------------------------------------------------------- melds


@dataclass(frozen=True, slots=True)
class Meld:
    """Cards laid as one meld. `naturals` includes black threes, which are the natural cards of
    their meld.
    """

    cards: Cards
    size: int
    length: int
    """Its size without red threes, which count by themselves if they are in it by mistake."""
    wilds: int
    naturals: int
    ranks: tuple[int, ...]
    """Natural ranks in it, including black threes, as indices of `cards.KINDS`."""
    black_threes: int
    red_threes: int
    concealed: bool

    @property
    def is_of_black_threes(self) -> bool:
        """Whether it is a meld of black threes, with or without wilds."""
        return self.ranks == (BLACK_THREE,)

    @property
    def rank(self) -> int | None:
        """Its only rank, or None if it has none or several."""
        return self.ranks[0] if len(self.ranks) == 1 else None


@lru_cache(maxsize=4096)
def read_meld(cards: Cards, concealed: bool = False) -> Meld:
    """Count what there is in a meld (a group of cards on the table): wild cards, ranks, threes.

    The cards may be any, whether or not the rules allow them as a meld. `concealed`: they were laid
    down complete, in one go.
    """
    black_threes = cards.counts[BLACK_THREE]
    red_threes = cards.counts[RED_THREE]
    ranks = cards.ranks
    if black_threes:
        ranks = (*ranks, BLACK_THREE)
    return Meld(
        cards=cards,
        size=cards.size,
        length=cards.size - red_threes,
        wilds=cards.wilds,
        naturals=cards.size - cards.wilds - red_threes,
        ranks=ranks,
        black_threes=black_threes,
        red_threes=red_threes,
        concealed=concealed,
    )


def find_shape(meld: Meld, settings: Settings) -> Shape:
    """Find out what a meld (cards on the table) has to be judged as, whether or not it is legal.

    - `9h 8h 7h` → "sequence", cards of different ranks, if the game has sequences
    - `JK 2 2` → "wilds", jokers and twos alone, if the game has such melds
    - anything else, such as `K K K 2` → "group", cards of one rank
    """
    if len(meld.ranks) > 1 and settings.sequences != "none":
        return "sequence"
    if meld.wilds and not meld.naturals and settings.wild_melds == "allowed":
        return "wilds"
    return "group"


class SequenceFault(StrEnum):
    """Why natural cards of different ranks are no sequence (consecutive cards of one suit)."""

    BLACK_THREE = "black-three"
    SUIT_MISSING = "suit-missing"
    """The suit of a card is not given."""
    SUITS = "suits"
    """The cards are of several suits."""
    TWICE = "twice"
    """A card is there twice."""
    WILD = "wild"
    """A wild card is among them, which the variant does not allow."""
    GAP = "gap"
    """Cards are missing between them."""


def find_fault_of_sequence(meld: Meld, settings: Settings) -> SequenceFault | None:
    """Find out why cards of different ranks are not a sequence, such as 9 8 7 of one suit.

    None if they are one. Otherwise the first fault is returned:

    - `9h 8h 3b` → `BLACK_THREE`
    - `9h 8 7h` → `SUIT_MISSING`
    - `9h 8d 7h` → `SUITS`
    - `9h 9h 8h` → `TWICE`
    - `9h 8h JK` → `WILD`, in a game without wild cards (jokers and twos) in sequences
    - `9h 8h 5h` → `GAP`
    """
    if meld.black_threes:
        return SequenceFault.BLACK_THREE
    with_suit = [cards for cards in meld.cards.suited if cards.kind in NATURAL_INDICES]
    number_with_suit = sum([cards.number for cards in with_suit])
    if number_with_suit < meld.naturals:
        return SequenceFault.SUIT_MISSING
    suits = {cards.suit for cards in with_suit}
    if len(suits) > 1:
        return SequenceFault.SUITS
    ranks = [cards.kind for cards in with_suit]  # numbered from the ace down
    if len(ranks) < number_with_suit:
        return SequenceFault.TWICE
    if meld.wilds and settings.sequences != "dirty":
        return SequenceFault.WILD
    cards_missing_between = max(ranks) - min(ranks) + 1 - len(ranks)
    if cards_missing_between > meld.wilds:  # wild cards stand for those that are missing
        return SequenceFault.GAP
    return None


def is_unbroken_sequence(meld: Meld, settings: Settings) -> bool:
    """Tell whether cards of different ranks are a sequence, such as 9 8 7 of one suit."""
    return find_fault_of_sequence(meld, settings) is None


def find_kind_of_canasta(meld: Meld, settings: Settings) -> CanastaKind | None:
    """Find the kind of canasta that a meld is, such as a natural one; None if it is no canasta.

    A canasta is a meld (a group of cards on the table) of seven cards or more: `7xK` is a natural
    one, `5xK 2 2` a mixed one. Cards that do not go together are none. A meld that is only too
    long, or has a red three by mistake, counts all the same: other checks report that.
    """
    if meld.length < settings.canasta_length:
        return None
    # Where the length of melds of black threes is limited, none is as long as a canasta.
    if meld.black_threes and settings.black_threes_longest is not None:
        return None
    shape = find_shape(meld, settings)
    if not _do_cards_go_together(meld, shape, settings):
        return None
    jokers = meld.cards.counts[JOKER]
    for kind in settings.canastas:  # several may fit: the first one counts
        if kind.fits(shape, meld.wilds, jokers, meld.ranks, size=meld.length):
            return kind
    return None


def is_natural_canasta(meld: Cards, settings: Settings) -> bool:
    """Tell whether a meld is a canasta (seven cards or more) of one rank without jokers and twos."""
    is_of_one_rank = len(meld.ranks) == 1
    return is_of_one_rank and meld.wilds == 0 and meld.naturals >= settings.canasta_length


def is_incomplete_wild_meld(meld: Meld, settings: Settings) -> bool:
    """Tell whether a meld is of wild cards (jokers and twos) alone, and not yet a canasta.

    A canasta is a meld (a group of cards on the table) of seven cards or more: `JK 2 2` → True in a
    game that has such melds.
    """
    return find_shape(meld, settings) == "wilds" and find_kind_of_canasta(meld, settings) is None


def find_kind_of_incomplete_meld(meld: Meld, settings: Settings) -> IncompleteKind | None:
    """Find the kind of incomplete meld that a meld is; None if being incomplete does not matter.

    In some games a meld (a group of cards) of sevens, say, has to become a canasta, that is, to
    reach seven cards. As long as it has not, it costs points or its side may not end the hand.
    """
    if not settings.incomplete or meld.length >= settings.canasta_length:
        return None
    shape = find_shape(meld, settings)
    for kind in settings.incomplete:
        fewest_wilds, most_wilds = kind.wilds
        is_of_rank = kind.rank is None or meld.rank == INDEX[kind.rank]  # None: of any rank
        if shape == kind.shape and fewest_wilds <= meld.wilds <= most_wilds and is_of_rank:
            return kind
    return None


def _do_cards_go_together(meld: Meld, shape: Shape, settings: Settings) -> bool:
    """Tell whether cards go together in one meld, a group of cards on the table, of this shape.

    - "wilds": jokers and twos alone go together in any number
    - "sequence": consecutive cards of one suit, such as 9 8 7
    - "group": natural cards of one rank

    In the last two there may be no more wild cards (jokers and twos) than the game allows.
    """
    if shape == "wilds":
        return True
    if shape == "sequence":
        return meld.wilds <= settings.wild_limit and is_unbroken_sequence(meld, settings)
    if len(meld.ranks) != 1:
        return False
    return meld.wilds <= settings.most_wilds(meld.naturals, meld.ranks[0])


# ---------------------------------------------------------------- the table


class LaidMeld(NamedTuple):
    """A meld, where it stands in the hand, how it is judged, and the points of its cards."""

    where: Pointer
    meld: Meld
    judged_as: Shape
    """As a group, a sequence or wild cards alone: by the rules for such melds."""
    points: int = 0
    has_unreadable_cards: bool = False


class LaidSide(NamedTuple):
    """One side's part of the table, and where it stands in the hand.

    `players`: how many of its players hold cards in this hand; 0 if that is not known.
    `unreadable`: its cards are not completely known, because of an unreadable token or an unknown
    name. `is_concealed`: it opened and went out in one turn.
    """

    position: int
    where: Pointer
    entry: SideEntry
    players: int
    melds: tuple[LaidMeld, ...]
    opening: tuple[LaidMeld, ...]
    unreadable: bool
    is_out: bool
    is_concealed: bool
    minimum: int | None
    """The opening minimum of the side for this hand, in points; None also if its match score is
    not known.
    """

    @property
    def name(self) -> SideName:
        """The side, to be shown by its name in a message."""
        return SideName(self.position)


class Party(NamedTuple):
    """The sides that lay melds together in this hand, one or more."""

    sides: tuple[LaidSide, ...]
    entries: tuple[SideEntry, ...]
    melds: tuple[LaidMeld, ...]
    """All its melds."""
    held: tuple[Cards, ...]
    """The cards that each player still holds, if they were given in cards."""
    points: int
    """Points of all cards laid, from melds and totals."""
    canastas: Counter[str]
    """Canastas by item, from melds and totals."""
    families: Counter[str]
    """Canastas by family, for the requirements of going out."""
    incomplete: Counter[str]
    """Melds that cost points or prevent going out because they are not canastas, by name."""
    opened: bool | None
    """None if only the sum of the hand is known."""
    is_out: bool
    unreadable: bool
    """Whether some of it could not be read, so that only what holds in any case can be reported."""
    is_summed: bool
    """Whether part of it is known only as a sum agreed at the table."""

    def sum_extra(self, key: str) -> int:
        """Add up a number that only some games count, over the sides (teams) of the party.

        `key` is the name of its attribute in `SideEntry`. One side entered 2 black threes, the
        other 1: `party.sum_extra("black_threes")` → 3.
        """
        total = 0
        for entry in self.entries:
            total += getattr(entry, key)
        return total


class Table(NamedTuple):
    """A hand ready to be judged under a ruleset."""

    rules: Ruleset
    hand: Hand
    before: tuple[int, ...]
    """The match score of each side before the hand."""
    sides: tuple[LaidSide, ...]
    """Every side's part, by its position."""
    parties: tuple[Party, ...]
    settings: Settings
    named: Cards
    """Every card that the hand names: laid, held, or discarded last."""

    @property
    def side_names(self) -> tuple[SideName, ...]:
        """All sides (teams) of the match by position, to be shown by their names in a message."""
        number_of_sides = len(self.hand.sides)
        return tuple(SideName(position) for position in range(number_of_sides))

    def needs_no_minimum(self, side: LaidSide) -> bool:
        """Tell whether the first cards of a side may be worth less than the usual minimum.

        In most games the first cards that a side lays in a round must be worth a minimum of
        points. Some waive it for a player who lays all cards in one turn, which ends the round.
        """
        return side.is_concealed and self.settings.concealed_out == "own-melds-only"


def build_table(rules: Ruleset, hand: Hand, before: tuple[int, ...]) -> Table:
    """Prepare a hand (a round of the game) to be checked and scored by these rules.

    `before` are the match scores of the sides before the hand.
    """
    settings = rules.settings
    sides = []
    for position, score in enumerate(before):
        sides.append(_build_side_of_match(settings, hand, position, score))
    groups = find_parties(settings.partnership, hand)
    return build_table_of_sides(rules, hand, before=before, sides=sides, groups=groups)


def build_table_of_sides(
    rules: Ruleset,
    hand: Hand,
    *,
    before: tuple[int, ...],
    sides: Sequence[LaidSide],
    groups: Iterable[tuple[int, ...]],
) -> Table:
    """Prepare a hand (a round of the game) to be checked and scored, from its sides (teams).

    `sides` are in the order of the match, and `groups` has the positions of those that lay their
    cards together: `[(0,), (1, 2)]`. `before` are the match scores of the sides before the hand.
    """
    parties: list[Party] = []
    for group in groups:
        sides_of_party = [sides[position] for position in group]
        parties.append(combine_sides(rules.settings, sides_of_party))

    return Table(
        rules=rules,
        hand=hand,
        before=before,
        sides=tuple(sides),
        parties=tuple(parties),
        settings=rules.settings,
        named=_gather_named_cards(hand.out, sides),
    )


def find_parties(partnership: Partnership, hand: Hand) -> list[tuple[int, ...]]:
    """Find which sides (teams) lay their cards together in a hand, by position.

    - in most games (`partnership` is "fixed"), every side is by itself → `[(0,), (1,)]`
    - in a game for three in which one side plays alone against the other two → `[(0,), (1, 2)]`

    If the hand does not say which side plays alone, it is the one that played its last card.
    """
    positions = range(len(hand.sides))
    alone = hand.single
    if alone is None and hand.out is not None:
        alone = hand.out.side
    if partnership == "fixed" or alone is None:
        return [(position,) for position in positions]
    others = tuple(position for position in positions if position != alone)
    return [(alone,), others]


def _build_side_of_match(settings: Settings, hand: Hand, position: int, score: int) -> LaidSide:
    """Prepare a side (team) of the match to be judged, from what the hand (round) gives for it.

    `position` is that of the side in the match, and `score` its match score before the hand.
    """
    has_gone_out = hand.out is not None and hand.out.side == position
    return build_side(
        settings,
        hand.sides[position],
        position,
        players=settings.players_of(position),
        minimum=settings.opening_minimum(score, hand.deal),
        out=hand.out if has_gone_out else None,
    )


def build_side(
    settings: Settings,
    entry: SideEntry,
    position: int,
    *,
    players: int,
    minimum: int | None,
    out: Out | None,
) -> LaidSide:
    """Prepare a side (team) to be judged, from what was entered for it in a hand (`entry`).

    - `players`: how many of its players play in the hand, 0 if that is not known
    - `minimum`: the points that the first cards it lays have to be worth, None for no minimum
    - `out`: how the side went out, that is, played its last card, which ends the hand; None if it
      did not
    """
    # Every meld has its path in the hand, such as `("sides", 0, "melds", 1)`.
    where: Pointer = ("sides", position)
    melds = []
    for index, meld in enumerate(entry.melds):
        pointer = (*where, "melds", index)
        melds.append(_build_meld(settings, meld.reading, pointer, concealed=meld.concealed))
    first_melds = []  # those that it laid first in the hand, if they were entered
    for index, reading in enumerate(entry.opening or ()):
        pointer = (*where, "opening", "melds", index)
        first_melds.append(_build_meld(settings, reading, pointer))
    return LaidSide(
        position=position,
        where=where,
        entry=entry,
        players=players,
        melds=tuple(melds),
        opening=tuple(first_melds),
        unreadable=any(meld.has_unreadable_cards for meld in melds),
        is_out=out is not None,
        is_concealed=out is not None and out.concealed,
        minimum=minimum,
    )


def _build_meld(
    settings: Settings, reading: Reading, where: Pointer, *, concealed: bool = False
) -> LaidMeld:
    """Prepare a meld (a group of cards on the table) to be judged, with its shape and its points.

    `reading` is what was entered, read as cards, and `where` its path in the hand, such as
    `("sides", 0, "melds", 1)`. `concealed`: it was laid down complete, in one go.
    """
    meld = read_meld(reading.cards, concealed)
    return LaidMeld(
        where=where,
        meld=meld,
        judged_as=find_shape(meld, settings),
        points=reading.cards.points(settings.card_points),
        has_unreadable_cards=bool(reading.unknown),
    )


def combine_sides(settings: Settings, sides: Sequence[LaidSide]) -> Party:
    """Combine sides (teams) that lay their cards together to a party.

    In most games a party is one side by itself. What a side laid was entered card by card, in melds
    (groups on the table), or only as the points that the players counted (totals).
    """
    melds: list[LaidMeld] = []
    cards_in_hand: list[Cards] = []
    is_out = False
    is_unreadable = False
    for side in sides:
        melds += side.melds
        cards_in_hand += [reading.cards for reading in side.entry.held]
        is_out = is_out or side.is_out
        is_unreadable = is_unreadable or side.unreadable

    entries = [side.entry for side in sides]
    totals = [entry.totals for entry in entries if entry.totals is not None]
    points_of_melds = sum([laid.points for laid in melds])
    points_of_totals = sum([counted.cards for counted in totals])
    counts = _count_melds(settings, melds, totals)
    return Party(
        sides=tuple(sides),
        entries=tuple(entries),
        melds=tuple(melds),
        held=tuple(cards_in_hand),
        points=points_of_melds + points_of_totals,
        canastas=counts.canastas,
        families=counts.families,
        incomplete=counts.incomplete,
        opened=_has_opened(entries),
        is_out=is_out,
        unreadable=is_unreadable,
        is_summed=_has_side_with_sum_only(entries),
    )


class _MeldCounts(NamedTuple):
    """Canastas by item and by family, and melds that are no canastas by name."""

    canastas: Counter[str]
    families: Counter[str]
    incomplete: Counter[str]


def _count_melds(
    settings: Settings, melds: Iterable[LaidMeld], totals: Iterable[Totals]
) -> _MeldCounts:
    """Count the canastas of a party, by name and by family, and its incomplete melds.

    A party is the sides (teams) that lay their cards together. A canasta is a meld (a group of
    cards) of seven cards or more; its family is natural or mixed (with jokers or twos). Its melds
    were entered card by card, or as `totals`, in which the players counted the canastas themselves:
    `{"samba": 1}`.
    """
    counts = _MeldCounts(canastas=Counter(), families=Counter(), incomplete=Counter())
    for laid in melds:
        canasta = find_kind_of_canasta(laid.meld, settings)
        if canasta is not None:
            counts.canastas[canasta.item] += 1
            counts.families[canasta.family] += 1
            if laid.meld.concealed:
                # Laid down complete in one go, it earns an extra bonus beside that of its kind.
                counts.canastas["concealed-canasta"] += 1
        else:
            unfinished = find_kind_of_incomplete_meld(laid.meld, settings)
            if unfinished is not None:
                counts.incomplete[unfinished.name] += 1

    for counted in totals:
        counts.canastas.update(counted.canastas)
        counts.incomplete.update(counted.incomplete)
        for item, number in counted.canastas.items():
            for family in _find_families(item, settings):  # usually one
                counts.families[family] += number
    return counts


def _find_families(item: str, settings: Settings) -> set[str]:
    """Find the family of the canastas that are counted under a name: `"samba"` → `{"natural"}`.

    A canasta is a group of seven cards or more, and its family is natural or mixed (with jokers or
    twos). The name `concealed-canasta` has no family → an empty set: such canastas, laid down
    complete, are also counted under the name of their kind, and must not count twice.
    """
    return {kind.family for kind in settings.canastas if kind.item == item}


def _has_side_with_sum_only(entries: Iterable[SideEntry]) -> bool:
    """Tell whether for one of these sides only the sum of its points in the hand was entered."""
    return any(entry.sum is not None for entry in entries)


def _has_opened(entries: Sequence[SideEntry]) -> bool | None:
    """Tell whether sides (teams) that lay their cards together laid any at all in the hand (round).

    None if that is not known, because for one of them only the sum of its points was entered.
    """
    for entry in entries:
        has_laid_totals = entry.totals is not None and entry.totals.cards > 0
        if entry.melds or has_laid_totals:
            return True
    if _has_side_with_sum_only(entries):
        return None
    return False


def _gather_named_cards(out: Out | None, sides: Sequence[LaidSide]) -> Cards:
    """Gather all cards that were entered for a hand (a round of the game).

    It is checked later that the decks have so many. The cards are on the table, still in hand when
    it ends, or the last card discarded. `out` says who played the last card, and whether one was
    discarded; None if nobody did.
    """
    bundles: list[Cards] = []
    if out and out.discard:
        bundles.append(out.discard.cards)
    for side in sides:
        bundles += [meld.reading.cards for meld in side.entry.melds]
        bundles += [reading.cards for reading in side.entry.held]
    black_threes = _count_black_threes_beside_melds(sides)
    if black_threes:
        bundles.append(build_cards({BLACK_THREE: black_threes}))
    return gather(bundles)


def _count_black_threes_beside_melds(sides: Sequence[LaidSide]) -> int:
    """Count the black threes that sides laid by themselves, beside their groups of cards.

    Two games know such threes, each with its own field: at most one of the two is filled in.
    """
    number = 0
    for side in sides:
        number += side.entry.black_threes_aside + side.entry.black_threes
    return number
