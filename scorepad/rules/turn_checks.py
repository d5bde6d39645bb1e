"""Checks of totals counted at the table, and of the events of a turn: the opening and going out."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from scorepad.rules.bounds import interval
from scorepad.rules.cards import (
    JOKER,
    NATURAL_INDICES,
    NOTHING,
    RED_THREE,
    TWO,
    Cards,
    Reading,
    gather,
)
from scorepad.rules.checks import SMALLEST_POINTS, Figure, Needed, Violation, check, violation
from scorepad.rules.definitions import Ruleset, Standing
from scorepad.rules.settings import Settings
from scorepad.rules.table import LaidSide, Meld, Party, Pointer, Table, Totals, canasta_of, party_of

# ---------------------------------------------------------------- totals


@check("totals-impossible", agreeable=False)
def totals_impossible(table: Table) -> Iterator[Violation]:
    """Totals that are not possible with legal cards of the decks."""
    for party in table.parties:
        for lay in party.lays:
            if lay.entry.totals is not None:
                yield from _impossible(
                    lay, lay.entry.totals, table.settings, _named_elsewhere(table, party)
                )


def _named_elsewhere(table: Table, party: Party) -> Cards:
    """Every card that the hand names, including the openings of parties of which only points are
    known.
    """
    counted = [other for other in table.parties if other is not party and not any(other.melds)]
    opened = [laid.meld.cards for other in counted for lay in other.lays for laid in lay.opening]
    return gather([table.named, *opened]) if opened else table.named


def _impossible(
    lay: LaidSide, totals: Totals, settings: Settings, taken: Cards
) -> Iterator[Violation]:
    where, points = (*lay.place, "totals"), totals.cards
    bounds = interval(settings, totals.canastas, taken, points, went_out=lay.is_out)
    if bounds is None:
        yield violation(
            where, ("card-points", "decks"), side=lay.side, why="no-cards", points=points
        )
        return
    is_multiple = points % SMALLEST_POINTS == 0
    if is_multiple and bounds.holds(points):
        return
    why, grounds = (
        "meld" if is_multiple else "multiple",
        ("card-points", *(("decks",) if is_multiple else ())),
    )
    if points > bounds.most:
        why, grounds = "more", ("card-points", "decks")
    elif points < bounds.least:
        why, grounds = "less", ("card-points",)
    yield violation(
        where, grounds, side=lay.side, why=why, points=points, least=bounds.least, most=bounds.most
    )


# ---------------------------------------------------------------- the opening

MINIMUM_HOLDS = "concealed-out/minimum"
"""The ground for requiring the minimum of a side that opens and goes out in one turn."""
_KIND_GROUNDS = {
    "natural-group": "opening-natural-group", "mixed-canasta": "opening-natural-group",
    "wilds-alone": "opening-wild-melds", "black-threes": "black-threes",
}  # fmt: skip
"""The settings on what may open, by what is wrong with the melds."""


class OpeningCount(NamedTuple):
    """The value of an opening: the points that count, how many of its melds do not count, and why
    it is refused.
    """

    points: int
    aside: int
    why: str | None


def count_opening(table: Table, lay: LaidSide, minimum: int) -> OpeningCount:
    """The value of the opening recorded for a side, against this minimum.

    With the lowest minimums it may be that only melds without wild cards count.
    """
    restricted = table.settings.opening_naturals_up_to
    # Black threes are laid when going out, so they open only in that turn.
    last = [laid for laid in lay.opening if laid.meld.is_of_black_threes and not lay.is_concealed]
    counting = [
        laid
        for laid in lay.opening
        if laid not in last and (not laid.meld.wilds or minimum > restricted)
    ]
    points, aside = sum(laid.points for laid in counting), len(lay.opening) - len(counting)
    why = (
        "black-threes"
        if last
        else _wrong_kind(table.settings, [laid.meld for laid in lay.opening], minimum)
    )
    if why is None and points < minimum:
        why = "naturals" if aside else "points"
    return OpeningCount(points, aside, why)


def _wrong_kind(settings: Settings, melds: list[Meld], minimum: int) -> str | None:
    """Why these melds may not open regardless of their points; None if they may."""
    if settings.opening_natural_group == "needed":
        if any(_is_complete_mixed(meld, settings) for meld in melds):
            return "mixed-canasta"
        if not any(_has_group(meld, settings) and not meld.wilds for meld in melds):
            return "natural-group"
    return _wilds_alone(settings, melds) if minimum > settings.opening_naturals_up_to else None


def _has_group(meld: Meld, settings: Settings) -> bool:
    """Whether it had enough natural cards for a meld when it opened; black threes never open."""
    return meld.naturals - meld.black_threes >= settings.meld_shortest


def _is_complete_mixed(meld: Meld, settings: Settings) -> bool:
    return meld.wilds > 0 and meld.naturals > 0 and canasta_of(meld, settings) is not None


def _wilds_alone(settings: Settings, melds: list[Meld]) -> str | None:
    """The reason if only wild cards were laid and those may not open."""
    is_so = (
        settings.opening_wild_melds == "not-alone"
        and melds
        and not any(meld.naturals for meld in melds)
    )
    return "wilds-alone" if is_so else None


def _within_reach(settings: Settings, party: Party, minimum: int) -> tuple[int, str | None]:
    """The most that an opening from a party's cards can count, and what it lacks besides points."""
    if any(entry.totals for entry in party.entries):
        return party.points, None
    melds = [laid.meld for laid in party.melds]
    if minimum <= settings.opening_naturals_up_to:
        grouped = [meld for meld in melds if _has_group(meld, settings)]
        counts = [
            (index, meld.cards.counts[index]) for meld in grouped for index in NATURAL_INDICES
        ]
        return sum(
            count * settings.card_points[index] for index, count in counts
        ), None if grouped else "naturals"
    points = party.points
    if settings.opening_natural_group == "needed":
        # A complete mixed canasta may have been opened without one card, at best the cheapest.
        for meld in melds:
            if _is_complete_mixed(meld, settings):
                kinds = [
                    index for index in (JOKER, TWO, *NATURAL_INDICES) if meld.cards.counts[index]
                ]
                points -= min(settings.card_points[index] for index in kinds)
        if not any(_has_group(meld, settings) for meld in melds):
            return points, "natural-group"
    return points, _wilds_alone(settings, melds)


@check("opening-below-minimum", of_opening=True)
def below_minimum(table: Table) -> Iterator[Violation]:
    """The recorded opening does not reach the minimum of the side that opened, or holds melds that
    may not open.
    """
    for lay in table.lays:
        minimum = lay.minimum
        readable = lay.entry.opening is not None and all(laid.whole for laid in lay.opening)
        if not readable or minimum is None or table.needs_no_minimum(lay):
            continue
        counted = count_opening(table, lay, minimum)
        if counted.why:
            where, grounds = (*lay.place, "opening"), _opening_grounds(table, lay, counted.why)
            yield _shortfall(
                table, lay, where, (*grounds, *_if_concealed(lay)), counted.why, counted.points
            )


@check("opening-impossible", of_opening=True)
def impossible(table: Table) -> Iterator[Violation]:
    """All cards laid in the hand together do not reach the minimum, so that no opening did."""
    for party in table.parties:
        # Impossible totals are reported separately, and show nothing about the opening.
        negative = any(entry.totals and entry.totals.cards < 0 for entry in party.entries)
        unknown = party.unreadable or party.is_summed or negative
        lays = [(lay.minimum, lay) for lay in party.lays]
        reachable = [(minimum, lay) for minimum, lay in lays if minimum is not None]
        if (
            not party.opened
            or unknown
            or not reachable
            or any(map(table.needs_no_minimum, party.lays))
        ):
            continue
        minimum, opener = min(reachable, key=lambda pair: pair[0])
        points, why = _within_reach(table.settings, party, minimum)
        if why or points < minimum:
            laid = next(
                lay
                for lay in party.lays
                if lay.melds or (lay.entry.totals and lay.entry.totals.cards)
            )
            grounds = _opening_grounds(table, opener, why or "points")
            if points < party.points and why is None:
                is_low = minimum <= table.settings.opening_naturals_up_to
                grounds += ("opening-naturals-up-to" if is_low else "opening-natural-group",)
            grounds += _if_concealed(*party.lays)
            yield _shortfall(table, opener, laid.place, grounds, why or "points", points)


def _opening_grounds(table: Table, lay: LaidSide, why: str) -> tuple[str, ...]:
    """The grounds for refusing an opening: the side's minimum, or what may open at all."""
    minimum = table.rules.minimum_ground(table.hand.before[lay.position], table.hand.deal)
    if why in _KIND_GROUNDS:
        return (_KIND_GROUNDS[why], *table.rules.decided([minimum]))
    return (minimum, "opening-naturals-up-to") if why == "naturals" else (minimum,)


def _shortfall(
    table: Table, lay: LaidSide, where: Pointer, grounds: tuple[str, ...], why: str, points: int
) -> Violation:
    minimum, score = lay.minimum or 0, table.hand.before[lay.position]
    missing, deal = minimum - points, table.hand.deal
    return violation(
        where,
        grounds,
        why=why,
        side=lay.side,
        points=points,
        minimum=minimum,
        missing=missing,
        score=score,
        deal=deal,
    )


@check("opening-unknown", of_opening=True)
def unknown(table: Table) -> Iterator[Violation]:
    """Totals reach the minimum, but not all cards may open, and totals do not show which were laid."""
    needs_group = table.settings.opening_natural_group == "needed"
    why, ground = (
        ("natural-group", "opening-natural-group")
        if needs_group
        else ("naturals", "opening-naturals-up-to")
    )
    for lay in table.lays:
        minimum, totals = lay.minimum, lay.entry.totals
        if (
            minimum is None
            or totals is None
            or totals.cards < minimum
            or table.needs_no_minimum(lay)
        ):
            continue
        if needs_group or minimum <= table.settings.opening_naturals_up_to:
            yield violation(
                lay.place, (ground, *_if_concealed(lay)), side=lay.side, minimum=minimum, why=why
            )


def _if_concealed(*lays: LaidSide) -> tuple[str, ...]:
    """The ground of the minimum, if one of these sides opened and went out in one turn."""
    return (MINIMUM_HOLDS,) if any(lay.is_concealed for lay in lays) else ()


# ---------------------------------------------------------------- going out


def has_out_canastas(table: Table, party: Party) -> bool:
    """Whether a party has the canastas that going out requires."""
    settings = table.settings
    if party.families.total() < settings.canastas_needed:
        return False
    return all(
        party.families[family] >= count for family, count in settings.canasta_families_needed
    )


def wild_family_grounds(rules: Ruleset, party: Party) -> tuple[str, ...]:
    """The ground of the family of canastas of wild cards alone, if the party has any and it is an
    inference.
    """
    of_wilds = [kind.item for kind in rules.settings.canastas if kind.shape == "wilds"]
    is_read = rules.cited["canastas"].standing is Standing.READ
    return ("canastas",) if is_read and any(party.canastas[item] for item in of_wilds) else ()


def _gone_out(table: Table) -> Iterator[tuple[Party, LaidSide]]:
    """The sides that went out with melds that are completely known."""
    for party in table.parties:
        for lay in party.lays:
            if (
                lay.is_out
                and lay.entry.special is None
                and not party.unreadable
                and not party.is_summed
            ):
                yield party, lay


@check("out-canastas-missing")
def canastas_missing(table: Table) -> Iterator[Violation]:
    """The side that went out lacks canastas that going out requires."""
    settings = table.settings
    for party, lay in _gone_out(table):
        # A player who goes out concealed lays everything in that turn, even if the party has other
        # sides.
        own = party_of(settings, [lay]) if lay.is_concealed else party
        if has_out_canastas(table, own):
            continue
        has, needed = own.families, settings.canasta_families_needed
        lacking = tuple(
            Needed(family, count, has[family]) for family, count in needed if has[family] < count
        )
        why, grounds, listed = "number", ["canastas-needed"], lacking
        if lacking:
            why, grounds = (
                "families",
                ["canasta-families-needed", *wild_family_grounds(table.rules, own)],
            )
        elif needed:
            why, listed = (
                "kinds",
                tuple(Needed(family, count, has[family]) for family, count in needed),
            )
        more: dict[str, Figure] = {"lacking": listed} if listed else {}
        side, total, game = lay.side, has.total(), str(table.rules.variant)
        number = settings.canastas_needed
        yield violation(
            ("out",),
            tuple(grounds),
            side=side,
            has=total,
            needed=number,
            game=game,
            why=why,
            **more,
        )


@check("out-red-threes-missing")
def red_threes_missing(table: Table) -> Iterator[Violation]:
    """The side that went out exposed fewer red threes than it made canastas."""
    for party, lay in _gone_out(table):
        canastas, threes = party.families.total(), sum(entry.red_threes for entry in party.entries)
        if table.settings.out_red_threes == "one-for-each-canasta" and threes < canastas:
            yield violation(("out",), side=lay.side, threes=threes, canastas=canastas)


def _barred(table: Table, *, wilds: bool) -> Iterator[Violation]:
    """The side that went out has a meld, of wild cards alone or any other, that must be a canasta
    by then.
    """
    kinds = [
        kind
        for kind in table.settings.incomplete
        if kind.bars_out and (kind.shape == "wilds") is wilds
    ]
    for party, lay in _gone_out(table):
        melds = sum(party.incomplete[kind.name] for kind in kinds)
        if melds:
            yield violation(("out",), side=lay.side, melds=melds)


check("out-wild-meld-incomplete")(partial(_barred, wilds=True))
check("out-meld-incomplete")(partial(_barred, wilds=False))


@check("out-cards-left")
def cards_left(table: Table) -> Iterator[Violation]:
    """The player who went out still holds cards."""
    for lay in table.lays:
        for place in _still_held(table, lay) if lay.is_out else ():
            yield violation((*lay.place, *place), side=lay.side)


def _still_held(table: Table, lay: LaidSide) -> Iterator[Pointer]:
    """The places of cards in the side's entry that the player who went out cannot hold."""
    out, entry = table.hand.out, lay.entry
    if lay.hands == 1:
        if isinstance(entry.left, int) and entry.left > 0:
            yield ("left",)
        for number, hand in enumerate(entry.held):
            if not _is_empty(hand):
                yield ("left", number) if entry.left_apart else ("left",)
        if entry.red_threes_held:
            yield ("red_threes_held",)
    elif lay.hands and entry.left_apart and not isinstance(entry.left, int) and out is not None:
        if out.player is not None and not _is_empty(entry.left[out.player]):
            yield ("left", out.player)
        elif out.player is None and not any(map(_is_empty, entry.left)):
            yield ("left",)


def _is_empty(hand: Reading) -> bool:
    return not hand.cards.size and not hand.unknown


def may_be_last(discard: Cards, settings: Settings) -> bool:
    """Whether these cards may be discarded last when going out."""
    allowed = settings.last_discard_special
    return (
        allowed == "any"
        or (allowed == "wilds" and discard.wilds > 0)
        or not discard.size
        or discard.naturals > 0
    )


@check("out-discard-special")
def discard_special(table: Table) -> Iterator[Violation]:
    """The last card discarded is a three or a wild card."""
    cards = (table.hand.out.discard if table.hand.out else NOTHING).cards
    if not may_be_last(cards, table.settings):
        # A red three must be exposed, or may be kept and discarded in any other turn.
        red = "red-three" if table.settings.red_threes_kept == "exposed" else "red-three-kept"
        card = "wild" if cards.wilds else red if cards.counts[RED_THREE] else "black-three"
        grounds: tuple[str, ...] = ("last-discard-special",)
        if card == red:
            grounds += table.rules.decided(["red-threes-kept"])
        yield violation(("out", "discard"), grounds, card=card)


@check("out-discard-missing")
def discard_missing(table: Table) -> Iterator[Violation]:
    """No last card was discarded although one is required."""
    out = table.hand.out
    if out is None or table.settings.last_discard != "obligatory":
        return
    # A hand that is shown instead of melded goes out without a discard.
    shown = any(lay.is_out and lay.entry.special is not None for lay in table.lays)
    if out.discard_noted and out.discard == NOTHING and not shown:
        yield violation(("out", "discard"))
