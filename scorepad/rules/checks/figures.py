"""Checks of what was written down: tokens, names, penalties, points, and totals that no cards can give."""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.rules.cards import BLACK_THREE, RED_THREE, Cards, Reading, gather
from scorepad.rules.checks.registry import Figure, SideName, Trouble, all_sides, check
from scorepad.rules.entries import NOT_EXPOSED, Place, SideEntry, Totals
from scorepad.rules.settings import Settings
from scorepad.rules.table import Lay, Party, Table, held
from scorepad.rules.totals import Bounds, Demand, interval

SMALLEST_POINTS = 5
"""Every card is worth a multiple of five points."""


@check("card-unknown", agreeable=False, by_itself=True)
def card_unknown(table: Table) -> Iterator[Trouble]:
    """Tokens that are no card."""
    for place, reading in _readings(table):
        if reading.unknown:
            yield Trouble(place, {"tokens": reading.unknown})


def _readings(table: Table) -> Iterator[tuple[Place, Reading]]:
    for position, entry in enumerate(table.hand.sides):
        yield from _readings_of(entry, ("sides", position))
    if table.hand.out:
        yield ("out", "discard"), table.hand.out.discard


def _readings_of(entry: SideEntry, place: Place) -> Iterator[tuple[Place, Reading]]:
    for number, meld in enumerate(entry.melds):
        yield (*place, "melds", number), meld.reading
    for number, reading in enumerate(entry.opening or ()):
        yield (*place, "opening", "melds", number), reading
    if not isinstance(entry.left, int):
        for number, reading in enumerate(entry.left):
            yield (*place, "left", number) if entry.left_apart else (*place, "left"), reading


@check("side-unknown", agreeable=False)
def side_unknown(table: Table) -> Iterator[Trouble]:
    """A side that the match does not have."""
    for place, name in table.hand.strangers:
        yield Trouble(place, {"name": name, "sides": all_sides(table.hand)})


@check("penalty-unknown", agreeable=False)
def penalty_unknown(table: Table) -> Iterator[Trouble]:
    """A penalty that the variant does not know."""
    known = table.rules.penalties
    for position, entry in enumerate(table.hand.sides):
        for number, penalty in enumerate(entry.penalties):
            if penalty.code not in known:
                figures: dict[str, Figure] = {"name": penalty.code, "known": tuple(known)}
                why: dict[str, Figure] = {} if known else {"why": "none"}
                yield Trouble(("sides", position, "penalties", number), {**figures, **why})


@check("red-three-twice")
def red_three_twice(table: Table) -> Iterator[Trouble]:
    """A red three counted as held, and as a penalty too, for the same side: it is the same offence."""
    for position, entry in enumerate(table.hand.sides):
        threes = entry.red_threes_held + sum(hand.cards.counts[RED_THREE] for hand in held(entry))
        given = [number for number, penalty in enumerate(entry.penalties) if penalty.code == NOT_EXPOSED]
        if threes and given:
            figures: dict[str, Figure] = {"side": SideName(position), "threes": threes, "penalties": len(given)}
            yield Trouble(("sides", position, "penalties", given[0]), figures)


@check("points-not-multiple", agreeable=False, by_itself=True)
def points_not_multiple(table: Table) -> Iterator[Trouble]:
    """Points that no cards can be, or that the pad does not count in."""
    for position, entry in enumerate(table.hand.sides):
        place: Place = ("sides", position)
        if isinstance(entry.left, int) and _is_odd(entry.left):
            yield Trouble((*place, "left"), {"points": entry.left})
        for number, penalty in enumerate(entry.penalties):
            if penalty.points is not None and _is_odd(penalty.points):
                yield Trouble((*place, "penalties", number), {"points": penalty.points, "why": "agreed"})
        for number, adjustment in enumerate(entry.adjustments):
            if adjustment.points % SMALLEST_POINTS:
                yield Trouble((*place, "adjustments", number), {"points": adjustment.points, "why": "agreed"})


def _is_odd(points: int) -> bool:
    return points < 0 or points % SMALLEST_POINTS != 0


@check("totals-impossible", agreeable=False)
def totals_impossible(table: Table) -> Iterator[Trouble]:
    """Totals that no legal cards of the decks can give."""
    for party in table.parties:
        for lay in party.lays:
            if lay.entry.totals is not None:
                yield from _judge_totals(lay, lay.entry.totals, table.settings, _named_elsewhere(table, party))


def _named_elsewhere(table: Table, party: Party) -> Cards:
    """Every card that the hand names, those with which others opened included where only their points are told."""
    counted = [other for other in table.parties if other is not party and not any(other.melds)]
    opened = [laid.meld.cards for other in counted for lay in other.lays for laid in lay.opening]
    return gather([table.named, *opened]) if opened else table.named


def _judge_totals(lay: Lay, totals: Totals, settings: Settings, taken: Cards) -> Iterator[Trouble]:
    place: Place = (*lay.place, "totals")
    demand = Demand(tuple(sorted(totals.canastas.items())), lay.is_out)
    bounds = interval(settings, demand, taken, totals.cards)
    side = SideName(lay.position)
    if bounds is None:
        yield Trouble(place, {"side": side, "why": "no-cards", "points": totals.cards})
    elif totals.cards % SMALLEST_POINTS or not bounds.holds(totals.cards):
        figures: dict[str, Figure] = {
            "why": _why(totals.cards, bounds),
            "points": totals.cards,
            "least": bounds.least,
            "most": bounds.most,
        }
        yield Trouble(place, {"side": side, **figures})


def _why(points: int, bounds: Bounds) -> str:
    if points > bounds.most:
        return "more"
    if points < bounds.least:
        return "less"
    return "multiple" if points % SMALLEST_POINTS else "meld"


@check("target-reached")
def target_reached(table: Table) -> Iterator[Trouble]:
    """A side was at the target before the hand."""
    target = table.settings.target
    for position, score in enumerate(table.hand.before):
        if target is not None and score >= target:
            figures: dict[str, Figure] = {"side": SideName(position), "score": score, "target": target}
            yield Trouble(("before", position), figures)


@check("not-checked")
def not_checked(table: Table) -> Iterator[Trouble]:
    """A hand given as the sum that the table agreed."""
    for position, entry in enumerate(table.hand.sides):
        if entry.sum is not None:
            yield Trouble(("sides", position, "sum"), {"side": SideName(position)})


@check("hands-not-apart")
def hands_not_apart(table: Table) -> Iterator[Trouble]:
    """Several hands given as one, where a rule goes by the single hand."""
    for lay in table.lays:
        if lay.position not in table.hand.of_match or not table.settings.held_together:
            continue
        hands = table.settings.hands_of(lay.position) - lay.is_out
        entry = lay.entry
        if hands > 1 and not entry.left_apart and not isinstance(entry.left, int) and entry.left:
            yield Trouble((*lay.place, "left"), {"side": SideName(lay.position), "hands": hands})


@check("left-in-points")
def left_in_points(table: Table) -> Iterator[Trouble]:
    """Cards in hand given in points, where a card in hand costs something else than its points."""
    settings = table.settings
    if settings.left_black_three == settings.card_points[BLACK_THREE]:
        return
    for lay in table.lays:
        if isinstance(lay.entry.left, int):
            figures: dict[str, Figure] = {"side": SideName(lay.position), "points": settings.left_black_three}
            yield Trouble((*lay.place, "left"), figures)
