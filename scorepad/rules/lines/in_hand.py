"""What is still in hand at the end."""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.rules.cards import BLACK_THREE, BY_TOKEN, FIRST_NATURAL, RED_THREE, Cards, gather
from scorepad.rules.lines.registry import Tally, line
from scorepad.rules.settings import Settings
from scorepad.rules.table import Lay, Party, Table, held
from scorepad.rules.terms import CardsLeft, Counting


@line("cards-left")
def cards_left(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """Cards in hand at the end, red threes apart where they have a line of their own."""
    settings = table.settings
    hands = [reading.cards for part in party.lays for reading in held(part.entry)]
    if settings.cards_left is not CardsLeft.POINTS:
        together = gather(hands)
        yield Tally("cards-left", together.size, -_in_groups(together, settings), ("cards-left",))
        return
    in_points = [part.entry.left for part in party.lays if isinstance(part.entry.left, int)]
    points = sum(in_points) + sum(cards.points(settings.left_points) for cards in hands)
    count: int | None = sum(cards.size - cards.counts[RED_THREE] for cards in hands)
    if in_points and (any(in_points) or not count):
        # Points were given, be it none of them: nobody knows how many cards.
        count = None
    dear = settings.left_black_three != settings.card_points[BLACK_THREE]
    dear = dear and any(cards.counts[BLACK_THREE] for cards in hands)
    yield Tally("cards-left", count, -points, ("cards-left", "left-black-three") if dear else ("cards-left",))


def _in_groups(cards: Cards, settings: Settings) -> int:
    """Units for cards in hand: wild cards one by one, the others for each group begun, threes nothing."""
    naturals = cards.counts[FIRST_NATURAL:BLACK_THREE]
    piles = naturals if settings.cards_left is CardsLeft.GROUPS_BY_RANK else (sum(naturals),)
    return cards.wilds * settings.left_wild + sum(-(-count // settings.left_group) for count in piles)


@line("red-threes-held")
def red_threes_held(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """Red threes in hand at the end, not exposed."""
    count = lay.entry.red_threes_held + sum(hand.cards.counts[RED_THREE] for hand in held(lay.entry))
    times = count if table.settings.held_red_three_counts is Counting.EACH else min(count, 1)
    grounds = ("held-red-three", "held-red-three-counts") if count > 1 else ("held-red-three",)
    yield Tally("red-threes-held", count, -times * table.settings.held_red_three, grounds)


@line("held-together")
def held_together(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """Too many cards of a rank in one player's hand; each such player pays."""
    hands = [reading.cards for part in party.lays for reading in held(part.entry)]
    for kind in table.settings.held_together:
        rank = BY_TOKEN[kind.rank]
        count = sum(cards.counts[rank] >= kind.number for cards in hands)
        count += sum(part.entry.extras.get(kind.key, 0) for part in party.lays)
        # The whole says that each player pays, a step what one of them does.
        ground = f"held-together/{kind.key}" if count == 1 else "held-together"
        yield Tally(kind.item, count, -count * kind.points, (ground,))
