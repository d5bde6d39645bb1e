"""Checks of totals counted at the table, and of the events of a turn: the opening and going out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from scorepad.rules.bounds import Bounds, find_bounds
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
from scorepad.rules.checks import (
    SMALLEST_POINTS,
    MessageArgument,
    Needed,
    Violation,
    hand_check,
    violation,
)
from scorepad.rules.definitions import Ruleset, Standing
from scorepad.rules.hand import Totals
from scorepad.rules.settings import IncompleteKind, Settings
from scorepad.rules.table import (
    LaidMeld,
    LaidSide,
    Meld,
    Party,
    Pointer,
    Table,
    canasta_of,
    party_of,
)

# ---------------------------------------------------------------- totals


@hand_check("totals-impossible", agreeable=False)
def totals_impossible(table: Table) -> Iterator[Violation]:
    """Totals that are not possible with legal cards of the decks."""
    for party in table.parties:
        for side in party.sides:
            if side.entry.totals is not None:
                named_cards = _cards_named_elsewhere(table, party)
                yield from _impossible_totals(table.settings, side, side.entry.totals, named_cards)


def _cards_named_elsewhere(table: Table, party: Party) -> Cards:
    """The cards that the hand names, and the openings of other parties without melds: these cards
    cannot be among the totals of the party.
    """
    openings: list[Cards] = []
    for other in table.parties:
        if other is party or other.melds:
            continue
        for side in other.sides:
            openings += [laid.meld.cards for laid in side.opening]
    return gather([table.named, *openings]) if openings else table.named


def _impossible_totals(
    settings: Settings, side: LaidSide, totals: Totals, named_cards: Cards
) -> Iterator[Violation]:
    where = (*side.where, "totals")
    points = totals.cards
    bounds = find_bounds(settings, totals.canastas, named_cards, points, went_out=side.is_out)
    if bounds is None:
        grounds: tuple[str, ...] = ("card-points", "decks")
        yield violation(where, grounds, side=side.name, why="no-cards", points=points)
        return
    is_multiple = points % SMALLEST_POINTS == 0
    if is_multiple and bounds.holds(points):
        return
    why = _why_impossible(points, bounds)
    grounds = ("card-points",)
    if why in ("more", "meld"):
        grounds = ("card-points", "decks")
    yield violation(
        where,
        grounds,
        side=side.name,
        why=why,
        points=points,
        least=bounds.least,
        most=bounds.most,
    )


def _why_impossible(points: int, bounds: Bounds) -> str:
    if points > bounds.most:
        return "more"
    if points < bounds.least:
        return "less"
    return "multiple" if points % SMALLEST_POINTS else "meld"


# ---------------------------------------------------------------- the opening

MINIMUM_HOLDS = "concealed-out/minimum"
"""The ground for requiring the minimum of a side that opens and goes out in one turn."""
_SETTING_OF_FORBIDDEN_MELDS = {
    "natural-group": "opening-natural-group",
    "mixed-canasta": "opening-natural-group",
    "wilds-alone": "opening-wild-melds",
    "black-threes": "black-threes",
}
"""The setting that forbids melds as an opening, by the reason why they may not open."""


class OpeningCount(NamedTuple):
    """The points of an opening that count, how many of its melds do not count (`aside`), and why it
    is refused; None if it is not.

    `why` is a key of `_SETTING_OF_FORBIDDEN_MELDS`, `naturals` if only melds of natural cards count
    and they lack points, or `points` if any melds would.
    """

    points: int
    aside: int
    why: str | None


def count_opening(table: Table, side: LaidSide, minimum: int) -> OpeningCount:
    """The value of the opening recorded for a side, against this minimum."""
    # Black threes are laid when going out, so they open only in that turn.
    forbidden_threes: list[LaidMeld] = []
    if not side.is_concealed:
        forbidden_threes = [laid for laid in side.opening if laid.meld.is_of_black_threes]
    counting: list[LaidMeld] = []
    for laid in side.opening:
        if laid not in forbidden_threes and _counts_toward(table.settings, laid.meld, minimum):
            counting.append(laid)
    points = sum(laid.points for laid in counting)
    aside = len(side.opening) - len(counting)

    if forbidden_threes:
        return OpeningCount(points, aside, "black-threes")
    melds = [laid.meld for laid in side.opening]
    why = _why_melds_may_not_open(table.settings, melds, minimum)
    if why is None and points < minimum:
        why = "naturals" if aside else "points"
    return OpeningCount(points, aside, why)


def _counts_toward(settings: Settings, meld: Meld, minimum: int) -> bool:
    """Whether a meld counts: toward the lowest minimums, melds with wild cards may not."""
    return not meld.wilds or minimum > settings.opening_naturals_up_to


def _why_melds_may_not_open(settings: Settings, melds: list[Meld], minimum: int) -> str | None:
    """Why these melds may not open regardless of their points; None if they may."""
    if settings.opening_natural_group == "needed":
        if any(_is_mixed_canasta(meld, settings) for meld in melds):
            return "mixed-canasta"
        if not any(_has_enough_naturals(meld, settings) and not meld.wilds for meld in melds):
            return "natural-group"
    if minimum <= settings.opening_naturals_up_to:
        return None
    return _why_wilds_alone(settings, melds)


def _has_enough_naturals(meld: Meld, settings: Settings) -> bool:
    """Whether its natural cards alone make a meld; black threes never open."""
    return meld.naturals - meld.black_threes >= settings.meld_shortest


def _is_mixed_canasta(meld: Meld, settings: Settings) -> bool:
    return meld.wilds > 0 and meld.naturals > 0 and canasta_of(meld, settings) is not None


def _why_wilds_alone(settings: Settings, melds: list[Meld]) -> str | None:
    """The reason if only wild cards were laid and those may not open."""
    if settings.opening_wild_melds != "not-alone" or not melds:
        return None
    if any(meld.naturals for meld in melds):
        return None
    return "wilds-alone"


@hand_check("opening-below-minimum", of_opening=True)
def opening_below_minimum(table: Table) -> Iterator[Violation]:
    """The recorded opening does not reach the minimum of the side that opened, or holds melds that
    may not open.
    """
    for side in table.sides:
        is_readable = side.entry.opening is not None and all(laid.whole for laid in side.opening)
        if not is_readable or side.minimum is None or table.needs_no_minimum(side):
            continue
        opening = count_opening(table, side, side.minimum)
        if opening.why:
            grounds = _opening_grounds(table, side, opening.why)
            grounds += _grounds_if_concealed([side])
            yield _refused_opening(
                table,
                side,
                where=(*side.where, "opening"),
                grounds=grounds,
                why=opening.why,
                points=opening.points,
            )


def _opening_grounds(table: Table, side: LaidSide, why: str) -> tuple[str, ...]:
    """The grounds for refusing an opening: the side's minimum, or what may open at all."""
    minimum = table.rules.minimum_ground(table.before[side.position], table.hand.deal)
    if why in _SETTING_OF_FORBIDDEN_MELDS:
        return (_SETTING_OF_FORBIDDEN_MELDS[why], *table.rules.decided([minimum]))
    if why == "naturals":
        return (minimum, "opening-naturals-up-to")
    return (minimum,)


def _grounds_if_concealed(sides: Iterable[LaidSide]) -> tuple[str, ...]:
    """The ground of the minimum, if one of these sides opened and went out in one turn."""
    return (MINIMUM_HOLDS,) if any(side.is_concealed for side in sides) else ()


def _refused_opening(
    table: Table,
    side: LaidSide,
    *,
    where: Pointer,
    grounds: tuple[str, ...],
    why: str,
    points: int,
) -> Violation:
    """The violation of an opening of the side that counts so many points."""
    minimum = side.minimum or 0
    return violation(
        where,
        grounds,
        why=why,
        side=side.name,
        points=points,
        minimum=minimum,
        missing=minimum - points,
        score=table.before[side.position],
        deal=table.hand.deal,
    )


@hand_check("opening-impossible", of_opening=True)
def opening_impossible(table: Table) -> Iterator[Violation]:
    """All cards laid in the hand together do not reach the minimum, so that no opening did."""
    for party in table.parties:
        opener = _side_with_lowest_minimum(party)
        if opener is None or not _is_opening_known(table, party):
            continue
        minimum = opener.minimum or 0
        best = _best_possible_opening(table.settings, party, minimum)
        may_open = best.why is None
        if may_open and best.points >= minimum:
            continue
        why = best.why or "points"
        grounds = _opening_grounds(table, opener, why)
        if may_open and best.points < party.points:
            # Not all points of the cards count toward this minimum.
            is_low = minimum <= table.settings.opening_naturals_up_to
            grounds += ("opening-naturals-up-to" if is_low else "opening-natural-group",)
        grounds += _grounds_if_concealed(party.sides)
        yield _refused_opening(
            table,
            opener,
            where=_first_side_with_cards(party).where,
            grounds=grounds,
            why=why,
            points=best.points,
        )


def _side_with_lowest_minimum(party: Party) -> LaidSide | None:
    """The side of a party with the lowest opening minimum, the first of several; None if no side
    has one.
    """
    lowest = None
    for side in party.sides:
        if side.minimum is None:
            continue
        if lowest is None or side.minimum < (lowest.minimum or 0):
            lowest = side
    return lowest


def _is_opening_known(table: Table, party: Party) -> bool:
    """Whether a party opened with cards that are known, and needed a minimum for it."""
    if not party.opened or party.unreadable or party.is_summed:
        return False
    # Impossible totals are reported separately, and show nothing about the opening.
    if any(entry.totals and entry.totals.cards < 0 for entry in party.entries):
        return False
    return not any(table.needs_no_minimum(side) for side in party.sides)


def _first_side_with_cards(party: Party) -> LaidSide:
    """The first side of a party that opened which laid cards."""
    sides_with_cards: list[LaidSide] = []
    for side in party.sides:
        if side.melds or (side.entry.totals and side.entry.totals.cards):
            sides_with_cards.append(side)
    return sides_with_cards[0]


class _PossibleOpening(NamedTuple):
    """The most points that an opening with some of a party's cards can count, and why those cards
    may not open however many points they count; None if they may.
    """

    points: int
    why: str | None = None


def _best_possible_opening(settings: Settings, party: Party, minimum: int) -> _PossibleOpening:
    if any(entry.totals for entry in party.entries):
        return _PossibleOpening(party.points)
    melds = [laid.meld for laid in party.melds]
    with_enough_naturals = [meld for meld in melds if _has_enough_naturals(meld, settings)]
    if minimum <= settings.opening_naturals_up_to:
        points = sum(_points_of_naturals(settings, meld) for meld in with_enough_naturals)
        return _PossibleOpening(points, None if with_enough_naturals else "naturals")

    points = party.points
    if settings.opening_natural_group == "needed":
        for meld in melds:
            # A mixed canasta was opened without one of its cards, at best the cheapest.
            if _is_mixed_canasta(meld, settings):
                points -= _points_of_cheapest_card(settings, meld)
        if not with_enough_naturals:
            return _PossibleOpening(points, "natural-group")
    return _PossibleOpening(points, _why_wilds_alone(settings, melds))


def _points_of_naturals(settings: Settings, meld: Meld) -> int:
    """The points of its natural cards, without black threes."""
    counts = meld.cards.counts
    return sum(counts[index] * settings.card_points[index] for index in NATURAL_INDICES)


def _points_of_cheapest_card(settings: Settings, meld: Meld) -> int:
    kinds = [index for index in (JOKER, TWO, *NATURAL_INDICES) if meld.cards.counts[index]]
    points: int = min(settings.card_points[index] for index in kinds)
    return points


@hand_check("opening-unknown", of_opening=True)
def opening_unknown(table: Table) -> Iterator[Violation]:
    """Totals reach the minimum, but not all cards may open, and totals do not show which were laid."""
    needs_group = table.settings.opening_natural_group == "needed"
    why = "natural-group" if needs_group else "naturals"
    setting = "opening-natural-group" if needs_group else "opening-naturals-up-to"
    for side in table.sides:
        minimum = side.minimum
        totals = side.entry.totals
        if minimum is None or totals is None or totals.cards < minimum:
            continue
        if table.needs_no_minimum(side):
            continue
        if needs_group or minimum <= table.settings.opening_naturals_up_to:
            grounds = (setting, *_grounds_if_concealed([side]))
            yield violation(side.where, grounds, side=side.name, minimum=minimum, why=why)


# ---------------------------------------------------------------- going out


def has_out_canastas(table: Table, party: Party) -> bool:
    """Whether a party has the canastas that going out requires."""
    settings = table.settings
    if party.families.total() < settings.canastas_needed:
        return False
    needed = settings.canasta_families_needed
    return all(party.families[family] >= count for family, count in needed)


def wild_family_grounds(rules: Ruleset, party: Party) -> tuple[str, ...]:
    """The setting that says in which family a party's canastas of wild cards alone count, if that is
    an inference; none if the party has no such canastas.
    """
    if rules.cited["canastas"].standing is not Standing.READ:
        return ()
    items = [kind.item for kind in rules.settings.canastas if kind.shape == "wilds"]
    return ("canastas",) if any(party.canastas[item] for item in items) else ()


def _sides_that_went_out(table: Table) -> Iterator[tuple[Party, LaidSide]]:
    """The side that went out, with its party, if its melds are completely known.

    A special hand, which is shown instead of melded, is left out.
    """
    for party in table.parties:
        if party.unreadable or party.is_summed:
            continue
        for side in party.sides:
            if side.is_out and side.entry.special is None:
                yield party, side


@hand_check("out-canastas-missing")
def out_canastas_missing(table: Table) -> Iterator[Violation]:
    """The side that went out lacks canastas that going out requires."""
    settings = table.settings
    for party, side in _sides_that_went_out(table):
        # A player who goes out concealed lays everything in that turn: only the melds of that side
        # count, not those of its party.
        going_out = party_of(settings, [side]) if side.is_concealed else party
        if has_out_canastas(table, going_out):
            continue
        needed: list[Needed] = []
        for family, count in settings.canasta_families_needed:
            needed.append(Needed(family, count, going_out.families[family]))
        lacking = [each for each in needed if each.has < each.count]
        why = "kinds" if needed else "number"
        grounds: tuple[str, ...] = ("canastas-needed",)
        if lacking:
            why = "families"
            grounds = ("canasta-families-needed", *wild_family_grounds(table.rules, going_out))
        families_to_name = tuple(lacking or needed)
        families: dict[str, MessageArgument] = {}
        if families_to_name:
            families["lacking"] = families_to_name
        yield violation(
            ("out",),
            grounds,
            side=side.name,
            has=going_out.families.total(),
            needed=settings.canastas_needed,
            game=str(table.rules.variant),
            why=why,
            **families,
        )


@hand_check("out-red-threes-missing")
def out_red_threes_missing(table: Table) -> Iterator[Violation]:
    """The side that went out exposed fewer red threes than it made canastas."""
    if table.settings.out_red_threes != "one-for-each-canasta":
        return
    for party, side in _sides_that_went_out(table):
        canastas = party.families.total()
        threes = sum(entry.red_threes for entry in party.entries)
        if threes < canastas:
            yield violation(("out",), side=side.name, threes=threes, canastas=canastas)


@hand_check("out-wild-meld-incomplete")
def out_wild_meld_incomplete(table: Table) -> Iterator[Violation]:
    """The side that went out has a meld of wild cards alone that must be a canasta by then."""
    kinds = [kind for kind in table.settings.incomplete if kind.shape == "wilds"]
    yield from _incomplete_melds(table, kinds)


@hand_check("out-meld-incomplete")
def out_meld_incomplete(table: Table) -> Iterator[Violation]:
    """The side that went out has another meld that must be a canasta by then."""
    kinds = [kind for kind in table.settings.incomplete if kind.shape != "wilds"]
    yield from _incomplete_melds(table, kinds)


def _incomplete_melds(table: Table, kinds: Iterable[IncompleteKind]) -> Iterator[Violation]:
    """The side that went out has incomplete melds of these kinds, which prevent it."""
    names = [kind.name for kind in kinds if kind.bars_out]
    for party, side in _sides_that_went_out(table):
        melds = sum(party.incomplete[name] for name in names)
        if melds:
            yield violation(("out",), side=side.name, melds=melds)


@hand_check("out-cards-left")
def out_cards_left(table: Table) -> Iterator[Violation]:
    """The player who went out still holds cards."""
    for side in table.sides:
        if not side.is_out:
            continue
        for pointer in _where_cards_are_left(table, side):
            yield violation((*side.where, *pointer), side=side.name)


def _where_cards_are_left(table: Table, side: LaidSide) -> Iterator[Pointer]:
    """Where the side's entry has cards that the player who went out cannot hold."""
    entry = side.entry
    if side.players == 1:
        yield from _where_lone_player_has_cards(side)
        return
    out = table.hand.out
    if not side.players or not entry.is_left_apart or out is None:
        return
    if out.player is not None:
        if _has_cards(entry.held[out.player]):
            yield ("left", out.player)
    elif all(map(_has_cards, entry.held)):
        yield ("left",)


def _where_lone_player_has_cards(side: LaidSide) -> Iterator[Pointer]:
    entry = side.entry
    if isinstance(entry.left, int) and entry.left > 0:
        yield ("left",)
    for player, reading in enumerate(entry.held):
        if _has_cards(reading):
            yield ("left", player) if entry.is_left_apart else ("left",)
    if entry.red_threes_held:
        yield ("red_threes_held",)


def _has_cards(held: Reading) -> bool:
    return held.cards.size > 0 or bool(held.unknown)


def may_be_last(discard: Cards, settings: Settings) -> bool:
    """Whether these cards may be discarded last when going out."""
    if not discard.size or discard.naturals:
        return True
    allowed = settings.last_discard_special
    return allowed == "any" or (allowed == "wilds" and discard.wilds > 0)


@hand_check("out-discard-special")
def out_discard_special(table: Table) -> Iterator[Violation]:
    """The last card discarded is a three or a wild card."""
    out = table.hand.out
    if out is None or out.discard is None:
        return
    cards = out.discard.cards
    if may_be_last(cards, table.settings):
        return
    grounds: tuple[str, ...] = ("last-discard-special",)
    card = "black-three"
    if cards.wilds:
        card = "wild"
    elif cards.counts[RED_THREE]:
        # A red three must be exposed, or may be kept and discarded in any other turn.
        is_exposed = table.settings.red_threes_kept == "exposed"
        card = "red-three" if is_exposed else "red-three-kept"
        grounds += table.rules.decided(["red-threes-kept"])
    yield violation(("out", "discard"), grounds, card=card)


@hand_check("out-discard-missing")
def out_discard_missing(table: Table) -> Iterator[Violation]:
    """No last card was discarded although one is required."""
    out = table.hand.out
    if out is None or table.settings.last_discard != "obligatory":
        return
    # A hand that is shown instead of melded goes out without a discard.
    is_shown = any(side.is_out and side.entry.special is not None for side in table.sides)
    if out.discard == NOTHING and not is_shown:
        yield violation(("out", "discard"))
