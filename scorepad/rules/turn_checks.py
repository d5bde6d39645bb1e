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
from scorepad.rules.hand import Out, Totals
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
    """Totals, the points of a side's cards as counted at the table, that no legal cards have."""
    for party in table.parties:
        for side in party.sides:
            totals = side.entry.totals
            if totals is None:
                continue
            taken = _cards_named_elsewhere(table, party)
            impossible = _check_totals(table.settings, side, totals, taken)
            if impossible:
                yield impossible


def _cards_named_elsewhere(table: Table, party: Party) -> Cards:
    """The cards that cannot be among the totals of a party: those that the hand names, and the
    openings of other parties whose melds are not given.
    """
    openings: list[Cards] = []
    for other in table.parties:
        if other is party or other.melds:
            continue
        for side in other.sides:
            openings += [laid.meld.cards for laid in side.opening]
    return gather([table.named, *openings])


def _check_totals(
    settings: Settings, side: LaidSide, totals: Totals, taken: Cards
) -> Violation | None:
    """The violation if no cards make the canastas and the points of a side's totals.

    `taken` are the cards of the decks that the side cannot have.
    """
    where = (*side.where, "totals")
    points = totals.cards
    bounds = find_bounds(settings, totals.canastas, taken, points, went_out=side.is_out)
    if bounds is None:
        grounds: tuple[str, ...] = ("card-points", "decks")
        return violation(where, grounds=grounds, side=side.name, why="no-cards", points=points)

    why = _why_points_are_impossible(points, bounds)
    if why is None:
        return None
    grounds = ("card-points",)
    if why in ("more", "meld"):
        grounds = ("card-points", "decks")
    return violation(
        where,
        grounds=grounds,
        side=side.name,
        why=why,
        points=points,
        least=bounds.least,
        most=bounds.most,
    )


def _why_points_are_impossible(points: int, bounds: Bounds) -> str | None:
    """Why the cards of a side cannot have these points; None if they can."""
    if points > bounds.most:
        return "more"
    if points < bounds.least:
        return "less"
    if points % SMALLEST_POINTS != 0:
        return "multiple"
    if not bounds.holds(points):
        return "meld"
    return None


# ---------------------------------------------------------------- the opening

# The opening is what a side lays first in a hand; its points must reach a minimum.

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
    """What an opening is worth, and whether it is refused."""

    points: int
    """The points of the melds that count."""
    aside: int
    """How many of its melds do not count."""
    why: str | None
    """Why it is refused, None if it is not: a key of `_SETTING_OF_FORBIDDEN_MELDS`, `naturals` if
    only melds of natural cards count and they lack points, or `points` if any melds would.
    """


def count_opening(table: Table, side: LaidSide, minimum: int) -> OpeningCount:
    """The value of the opening recorded for a side, against this minimum of points."""
    counting: list[LaidMeld] = []
    for laid in side.opening:
        may_open = not _is_forbidden_black_threes(side, laid)
        if may_open and _counts_toward(table.settings, laid.meld, minimum):
            counting.append(laid)
    points = sum(laid.points for laid in counting)
    aside = len(side.opening) - len(counting)

    if any(_is_forbidden_black_threes(side, laid) for laid in side.opening):
        return OpeningCount(points, aside, "black-threes")
    melds = [laid.meld for laid in side.opening]
    forbidden = _why_melds_may_not_open(table.settings, melds, minimum)
    if forbidden:
        return OpeningCount(points, aside, forbidden)
    if points >= minimum:
        return OpeningCount(points, aside, None)
    return OpeningCount(points, aside, "naturals" if aside else "points")


def _is_forbidden_black_threes(side: LaidSide, laid: LaidMeld) -> bool:
    """Whether it is a meld of black threes that may not open.

    They are laid when going out, so they open only if the side opened and went out in one turn.
    """
    return laid.meld.is_of_black_threes and not side.is_concealed


def _counts_toward(settings: Settings, meld: Meld, minimum: int) -> bool:
    """Whether a meld counts: toward the lowest minimums, melds with wild cards may not."""
    return not meld.wilds or minimum > settings.opening_naturals_up_to


def _why_melds_may_not_open(settings: Settings, melds: list[Meld], minimum: int) -> str | None:
    """Why these melds may not open regardless of their points; None if they may."""
    if settings.opening_natural_group == "needed":
        if any(_is_mixed_canasta(meld, settings) for meld in melds):
            return "mixed-canasta"
        pure_melds = [meld for meld in melds if not meld.wilds]
        if not any(_has_enough_naturals(meld, settings) for meld in pure_melds):
            return "natural-group"
    if minimum <= settings.opening_naturals_up_to:
        return None  # melds with wild cards do not count anyway
    return _why_wilds_may_not_open(settings, melds)


def _has_enough_naturals(meld: Meld, settings: Settings) -> bool:
    """Whether its natural cards alone make a meld; black threes never open."""
    return meld.naturals - meld.black_threes >= settings.meld_shortest


def _is_mixed_canasta(meld: Meld, settings: Settings) -> bool:
    """Whether it is a canasta of natural and wild cards."""
    is_mixed = meld.wilds > 0 and meld.naturals > 0
    return is_mixed and canasta_of(meld, settings) is not None


def _why_wilds_may_not_open(settings: Settings, melds: list[Meld]) -> str | None:
    """`wilds-alone` if only wild cards were laid and those may not open; otherwise None."""
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
        minimum = side.minimum
        if minimum is None or table.needs_no_minimum(side):
            continue
        is_recorded = side.entry.opening is not None
        is_readable = all(laid.whole for laid in side.opening)
        if not is_recorded or not is_readable:
            continue
        opening = count_opening(table, side, minimum)
        if opening.why is None:
            continue
        grounds = _grounds_against_opening(table, side, opening.why) + _grounds_if_concealed([side])
        yield _refused_opening(
            table,
            side,
            where=(*side.where, "opening"),
            grounds=grounds,
            why=opening.why,
            points=opening.points,
        )


def _grounds_against_opening(table: Table, side: LaidSide, why: str) -> tuple[str, ...]:
    """The settings by which an opening is refused for this reason (`OpeningCount.why`)."""
    minimum = table.rules.minimum_ground(table.before[side.position], table.hand.deal)
    if why in _SETTING_OF_FORBIDDEN_MELDS:
        return (_SETTING_OF_FORBIDDEN_MELDS[why], *table.rules.decided_by_table([minimum]))
    if why == "naturals":
        return (minimum, "opening-naturals-up-to")
    return (minimum,)


def _grounds_if_concealed(sides: Iterable[LaidSide]) -> tuple[str, ...]:
    """The ground of the minimum, if one of these sides opened and went out in one turn."""
    if any(side.is_concealed for side in sides):
        return (MINIMUM_HOLDS,)
    return ()


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
        grounds=grounds,
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
    """All cards laid in the hand together do not reach the minimum, so that no opening did.

    Sides that lay melds together (a party) are judged by the lowest minimum of theirs.
    """
    for party in table.parties:
        opener = _side_with_lowest_minimum(party)
        if opener is None or not _are_opening_cards_known(table, party):
            continue
        best = _best_possible_opening(table.settings, party, opener.minimum)
        if best.reaches(opener.minimum):
            continue
        yield _refused_opening(
            table,
            opener.side,
            where=_first_side_with_cards(party).where,
            grounds=_grounds_against_best_opening(table, party, opener.side, best),
            why=best.why or "points",
            points=best.points,
        )


def _grounds_against_best_opening(
    table: Table, party: Party, opener: LaidSide, best: _PossibleOpening
) -> tuple[str, ...]:
    """The settings by which a party cannot have opened, even with the best of its cards.

    `opener` is the side whose minimum had to be reached.
    """
    grounds = _grounds_against_opening(table, opener, best.why or "points")
    are_points_lacking = best.why is None
    if are_points_lacking and best.left_out_by is not None:
        grounds = (*grounds, best.left_out_by)
    return grounds + _grounds_if_concealed(party.sides)


class _Opener(NamedTuple):
    """A side that had to reach an opening minimum, and that minimum."""

    side: LaidSide
    minimum: int


def _side_with_lowest_minimum(party: Party) -> _Opener | None:
    """The side of a party with the lowest opening minimum, the first of several; None if no side
    has one.
    """
    lowest: _Opener | None = None
    for side in party.sides:
        if side.minimum is None:
            continue
        if lowest is None or side.minimum < lowest.minimum:
            lowest = _Opener(side, side.minimum)
    return lowest


def _are_opening_cards_known(table: Table, party: Party) -> bool:
    """Whether a party opened with cards that are known, and needed a minimum for it."""
    if not party.opened or party.unreadable or party.is_summed:
        return False
    for entry in party.entries:
        # Impossible totals are reported separately, and show nothing about the opening.
        if entry.totals and entry.totals.cards < 0:
            return False
    return not any(table.needs_no_minimum(side) for side in party.sides)


def _first_side_with_cards(party: Party) -> LaidSide:
    """The first side of a party that laid cards; one must have, because the party opened."""
    sides_with_cards: list[LaidSide] = []
    for side in party.sides:
        totals = side.entry.totals
        if side.melds or (totals and totals.cards):
            sides_with_cards.append(side)
    return sides_with_cards[0]


class _PossibleOpening(NamedTuple):
    """The best opening that some of a party's cards can have been."""

    points: int
    """The most points that it can count."""
    why: str | None = None
    """Why these cards may not open however many points they count; None if they may."""
    left_out_by: str | None = None
    """The setting by which not all points of the party's cards count; None if all do."""

    def reaches(self, minimum: int) -> bool:
        """Whether a side with this minimum may have opened so."""
        return self.why is None and self.points >= minimum


def _best_possible_opening(settings: Settings, party: Party, minimum: int) -> _PossibleOpening:
    """The best opening that the cards laid by a party in the whole hand allow.

    At a low minimum, some variants count only melds of natural cards; others want a natural group
    in the opening. In all other cases every card that was laid may have been in the opening.
    """
    if any(entry.totals for entry in party.entries):
        return _PossibleOpening(party.points)  # totals do not show which cards were laid
    if minimum <= settings.opening_naturals_up_to:
        return _best_opening_of_naturals(settings, party)
    if settings.opening_natural_group == "needed":
        return _best_opening_with_natural_group(settings, party)
    melds = [laid.meld for laid in party.melds]
    return _PossibleOpening(party.points, why=_why_wilds_may_not_open(settings, melds))


def _best_opening_with_natural_group(settings: Settings, party: Party) -> _PossibleOpening:
    """The best opening with a natural group (enough natural cards of a rank) and without a complete
    mixed canasta (a canasta of natural and wild cards).
    """
    melds = [laid.meld for laid in party.melds]
    laid_later = _points_laid_after_opening(settings, melds)
    left_out_by = "opening-natural-group" if laid_later > 0 else None
    if any(_has_enough_naturals(meld, settings) for meld in melds):
        why = _why_wilds_may_not_open(settings, melds)
    else:
        why = "natural-group"
    return _PossibleOpening(party.points - laid_later, why, left_out_by)


def _points_laid_after_opening(settings: Settings, melds: list[Meld]) -> int:
    """The fewest points that were laid after an opening which may hold no complete mixed canasta.

    At least one card of each mixed canasta was added to it later, the cheapest at best.
    """
    points = 0
    for meld in melds:
        if _is_mixed_canasta(meld, settings):
            points += _points_of_cheapest_card(settings, meld)
    return points


def _best_opening_of_naturals(settings: Settings, party: Party) -> _PossibleOpening:
    """The best opening without wild cards: the natural cards of the melds that have enough of them."""
    opening_melds: list[Meld] = []
    for laid in party.melds:
        if _has_enough_naturals(laid.meld, settings):
            opening_melds.append(laid.meld)
    points = sum(_points_of_naturals(settings, meld) for meld in opening_melds)
    left_out_by = "opening-naturals-up-to" if points < party.points else None
    why = None if opening_melds else "naturals"
    return _PossibleOpening(points, why, left_out_by)


def _points_of_naturals(settings: Settings, meld: Meld) -> int:
    """The points of its natural cards, without black threes."""
    counts = meld.cards.counts
    return sum(counts[rank] * settings.card_points[rank] for rank in NATURAL_INDICES)


def _points_of_cheapest_card(settings: Settings, meld: Meld) -> int:
    """The points of its cheapest card, without threes."""
    kinds = [kind for kind in (JOKER, TWO, *NATURAL_INDICES) if meld.cards.counts[kind]]
    points: int = min(settings.card_points[kind] for kind in kinds)
    return points


@hand_check("opening-unknown", of_opening=True)
def opening_unknown(table: Table) -> Iterator[Violation]:
    """Totals reach the minimum, but not all cards may open, and totals do not show which were laid."""
    settings = table.settings
    for side in table.sides:
        minimum = side.minimum
        totals = side.entry.totals
        if totals is None or minimum is None or table.needs_no_minimum(side):
            continue
        if totals.cards < minimum:
            continue
        if settings.opening_natural_group == "needed":
            why = "natural-group"
            setting = "opening-natural-group"
        elif minimum <= settings.opening_naturals_up_to:
            why = "naturals"
            setting = "opening-naturals-up-to"
        else:
            continue  # all cards may open
        grounds = (setting, *_grounds_if_concealed([side]))
        yield violation(side.where, grounds=grounds, side=side.name, minimum=minimum, why=why)


# ---------------------------------------------------------------- going out


# Going out is playing one's last card, which ends the hand.


def has_out_canastas(table: Table, party: Party) -> bool:
    """Whether a party has the canastas that going out requires, in all and of each family."""
    settings = table.settings
    if party.families.total() < settings.canastas_needed:
        return False
    for family, number_needed in settings.canasta_families_needed:
        if party.families[family] < number_needed:
            return False
    return True


def wild_family_grounds(rules: Ruleset, party: Party) -> tuple[str, ...]:
    """The ground `canastas`, if what a party gets depends on an inference from that setting.

    In which family a canasta of wild cards alone counts, natural or mixed, is in some games not
    stated by the sources, but inferred. The inference is cited only for a party that has such a
    canasta; in any other case the result is empty.
    """
    is_inferred = rules.cited["canastas"].standing is Standing.INFERRED
    if not is_inferred:
        return ()
    for kind in rules.settings.canastas:
        has_wild_canasta = kind.shape == "wilds" and party.canastas[kind.item] > 0
        if has_wild_canasta:
            return ("canastas",)
    return ()


class _GoingOut(NamedTuple):
    """The side that went out, and the party with which it laid its melds."""

    party: Party
    side: LaidSide


def _known_going_out(table: Table) -> Iterator[_GoingOut]:
    """The side that went out, if its melds are completely known; otherwise nothing.

    A special hand, which is shown instead of melded, is left out.
    """
    for party in table.parties:
        if party.unreadable or party.is_summed:
            continue
        for side in party.sides:
            if side.is_out and side.entry.special is None:
                yield _GoingOut(party, side)


@hand_check("out-canastas-missing")
def out_canastas_missing(table: Table) -> Iterator[Violation]:
    """The side that went out lacks canastas that going out requires."""
    for going_out in _known_going_out(table):
        side = going_out.side
        party = going_out.party
        if side.is_concealed:
            # Its player lays everything in that turn: only the melds of that side count.
            party = party_of(table.settings, [side])
        if not has_out_canastas(table, party):
            yield _canastas_missing(table, side, party)


def _canastas_missing(table: Table, side: LaidSide, party: Party) -> Violation:
    """The violation of a side that went out without the canastas that its party needs for it.

    Canastas of a family may be lacking, as natural ones; or there are enough of each family that is
    needed, but too few in all; or there are too few where no families are needed.
    """
    families = _families_needed(table.settings, party)
    lacking = tuple(family for family in families if family.has < family.count)
    arguments: dict[str, MessageArgument]
    if lacking:
        grounds = ("canasta-families-needed", *wild_family_grounds(table.rules, party))
        arguments = {"why": "families", "lacking": lacking}
    elif families:
        grounds = ("canastas-needed",)
        arguments = {"why": "kinds", "lacking": families}
    else:
        grounds = ("canastas-needed",)
        arguments = {"why": "number"}
    return violation(
        ("out",),
        grounds=grounds,
        side=side.name,
        has=party.families.total(),
        needed=table.settings.canastas_needed,
        game=str(table.rules.variant),
        **arguments,
    )


def _families_needed(settings: Settings, party: Party) -> tuple[Needed, ...]:
    """The families of canastas that going out requires, with those that the party has."""
    families: list[Needed] = []
    for family, count in settings.canasta_families_needed:
        families.append(Needed(family, count, party.families[family]))
    return tuple(families)


@hand_check("out-red-threes-missing")
def out_red_threes_missing(table: Table) -> Iterator[Violation]:
    """The side that went out exposed fewer red threes than it made canastas."""
    if table.settings.out_red_threes != "one-for-each-canasta":
        return
    for going_out in _known_going_out(table):
        canastas = going_out.party.families.total()
        threes = sum(entry.red_threes for entry in going_out.party.entries)
        if threes < canastas:
            side = going_out.side
            yield violation(("out",), side=side.name, threes=threes, canastas=canastas)


@hand_check("out-wild-meld-incomplete")
def out_wild_meld_incomplete(table: Table) -> Iterator[Violation]:
    """The side that went out has a meld of wild cards alone that must be a canasta by then."""
    kinds = [kind for kind in table.settings.incomplete if kind.shape == "wilds"]
    yield from _incomplete_melds_at_out(table, kinds)


@hand_check("out-meld-incomplete")
def out_meld_incomplete(table: Table) -> Iterator[Violation]:
    """The side that went out has another meld that must be a canasta by then."""
    kinds = [kind for kind in table.settings.incomplete if kind.shape != "wilds"]
    yield from _incomplete_melds_at_out(table, kinds)


def _incomplete_melds_at_out(table: Table, kinds: Iterable[IncompleteKind]) -> Iterator[Violation]:
    """The violation if the side that went out has melds of these kinds that prevent it."""
    names = [kind.name for kind in kinds if kind.bars_out]
    for going_out in _known_going_out(table):
        melds = sum(going_out.party.incomplete[name] for name in names)
        if melds:
            yield violation(("out",), side=going_out.side.name, melds=melds)


@hand_check("out-cards-left")
def out_cards_left(table: Table) -> Iterator[Violation]:
    """The player who went out still holds cards."""
    for side in table.sides:
        if not side.is_out:
            continue
        if side.players == 1:
            pointers = _where_lone_player_holds_cards(side)
        else:
            pointers = _where_partner_out_holds_cards(side, table.hand.out)
        for pointer in pointers:
            yield violation((*side.where, *pointer), side=side.name)


def _where_lone_player_holds_cards(side: LaidSide) -> Iterator[Pointer]:
    """Where the entry of a side of one player, who went out, has cards still in hand."""
    entry = side.entry
    if entry.left.points > 0:
        yield ("left",)
    for player, reading in enumerate(entry.held):
        if not _has_cards(reading):
            continue
        if entry.left.is_by_player:
            yield ("left", player)
        else:
            yield ("left",)
    if entry.red_threes_held:
        yield ("red_threes_held",)


def _where_partner_out_holds_cards(side: LaidSide, out: Out | None) -> Iterator[Pointer]:
    """Where the entry of a side of several players shows that the one who went out holds cards.

    It shows that only if it gives the cards of each player by themselves. If it does not say who of
    them went out, something is wrong only if all of them hold cards.
    """
    is_number_of_players_known = side.players > 0
    cards_of_players = side.entry.held
    if out is None or not is_number_of_players_known or not side.entry.left.is_by_player:
        return
    if out.player is not None:
        if _has_cards(cards_of_players[out.player]):
            yield ("left", out.player)
        return
    if all(_has_cards(cards) for cards in cards_of_players):
        yield ("left",)


def _has_cards(held: Reading) -> bool:
    return held.cards.size > 0 or bool(held.unknown)


def may_be_last(discard: Cards, settings: Settings) -> bool:
    """Whether these cards may be discarded last when going out; natural cards always may."""
    if not discard.size or discard.naturals:
        return True
    allowed = settings.last_discard_special
    if allowed == "wilds":
        return discard.wilds > 0
    return allowed == "any"


@hand_check("out-discard-special")
def out_discard_special(table: Table) -> Iterator[Violation]:
    """The last card discarded is a three or a wild card."""
    out = table.hand.out
    if out is None or out.discard is None:
        return
    cards = out.discard.cards
    if may_be_last(cards, table.settings):
        return
    where = ("out", "discard")
    grounds: tuple[str, ...] = ("last-discard-special",)
    if cards.wilds:
        yield violation(where, grounds=grounds, card="wild")
    elif cards.counts[RED_THREE]:
        # A red three must be exposed, or may be kept and discarded in any other turn.
        is_exposed = table.settings.red_threes_kept == "exposed"
        grounds += table.rules.decided_by_table(["red-threes-kept"])
        card = "red-three" if is_exposed else "red-three-kept"
        yield violation(where, grounds=grounds, card=card)
    else:
        yield violation(where, grounds=grounds, card="black-three")


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
