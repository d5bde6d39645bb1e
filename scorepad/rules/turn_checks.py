"""Checks of what was done in a turn: the opening, and going out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from scorepad.rules.cards import JOKER, NATURAL_INDICES, NOTHING, RED_THREE, TWO, Cards, Reading
from scorepad.rules.checks import Figure, Needed, SideName, Trouble, check
from scorepad.rules.citations import Standing
from scorepad.rules.entries import Place
from scorepad.rules.melds import Meld, canasta_of
from scorepad.rules.settings import LastDiscard, Settings, Shape
from scorepad.rules.table import Laid, Lay, Party, Table, only
from scorepad.rules.variants import Ruleset

MINIMUM_HOLDS = "concealed-out/minimum"
"""The ground of the minimum for a side that opens and goes out in one turn."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """What an opening comes to: the points that count, how many of its melds do not count, and why it is none."""

    points: int
    aside: int
    why: str | None


@check("opening-below-minimum", of_opening=True)
def below_minimum(table: Table) -> Iterator[Trouble]:
    """The opening noted does not reach the minimum of the side that opened, or holds what may not open."""
    for lay in table.lays:
        minimum = table.minimum(lay.position)
        readable = lay.entry.opening is not None and all(laid.whole for laid in lay.opening)
        if not readable or minimum is None or table.needs_no_minimum(lay):
            continue
        weighed = weigh(table, lay, minimum)
        if weighed.why:
            figures = _shortfall(table, lay, weighed.points, minimum)
            grounds = (*_opening_grounds(table, lay, weighed.why), *_if_concealed(table, lay))
            yield Trouble((*lay.place, "opening"), {"why": weighed.why, **figures}, grounds)


def _opening_grounds(table: Table, lay: Lay, why: str) -> tuple[str, ...]:
    """What keeps melds from opening rests on: the minimum of the side, or what may open at all."""
    kinds = {
        "natural-group": "opening-natural-group", "mixed-canasta": "opening-natural-group",
        "wilds-alone": "opening-wild-melds", "black-threes": "black-threes",
    }  # fmt: skip
    if why in kinds:
        return (kinds[why],)
    minimum = table.settings.minimum_ground(table.hand.before[lay.position], table.hand.deal)
    return (minimum, "opening-naturals-up-to") if why == "naturals" else (minimum,)


def weigh(table: Table, lay: Lay, minimum: int) -> Weighed:
    """What the opening noted by a side comes to, against this minimum.

    Under the lowest minimums only melds without wild cards may count.
    """
    restricted = table.settings.opening_naturals_up_to
    # Black threes are laid when going out: they open only together with it.
    last = [laid for laid in lay.opening if laid.meld.is_of_black_threes and not table.is_concealed(lay)]
    counting = [laid for laid in lay.opening if laid not in last and (not laid.meld.wilds or minimum > restricted)]
    points = sum(laid.points for laid in counting)
    aside = len(lay.opening) - len(counting)
    why = "black-threes" if last else _wrong_kind(table.settings, lay.opening, minimum)
    if why is None and points < minimum:
        why = "naturals" if aside else "points"
    return Weighed(points, aside, why)


def _wrong_kind(settings: Settings, opening: Iterable[Laid], minimum: int) -> str | None:
    """What these melds are or lack that keeps them from opening, whatever their points."""
    melds = [laid.meld for laid in opening]
    if settings.opening_natural_group == "needed":
        if any(_is_complete_mixed(meld, settings) for meld in melds):
            return "mixed-canasta"
        if not any(_has_group(meld, settings) and not meld.wilds for meld in melds):
            return "natural-group"
    if _are_wilds_alone(settings, melds) and minimum > settings.opening_naturals_up_to:
        return "wilds-alone"
    return None


def _has_group(meld: Meld, settings: Settings) -> bool:
    """Whether its natural cards were enough for a meld of their own when it opened; black threes never open."""
    return meld.naturals - meld.black_threes >= settings.meld_shortest


def _is_complete_mixed(meld: Meld, settings: Settings) -> bool:
    return meld.wilds > 0 and meld.naturals > 0 and canasta_of(meld, settings) is not None


def _are_wilds_alone(settings: Settings, melds: list[Meld]) -> bool:
    """Whether nothing was laid but wild cards, where those may not open."""
    return settings.opening_wild_melds == "not-alone" and bool(melds) and not any(meld.naturals for meld in melds)


@check("opening-impossible", of_opening=True)
def impossible(table: Table) -> Iterator[Trouble]:
    """All that was laid in the hand, taken together, does not reach the minimum, so that no opening can have."""
    for party in table.parties:
        if not party.opened or party.unreadable or party.is_summed:
            continue
        lays = [(table.minimum(lay.position), lay) for lay in party.lays]
        reachable = [(minimum, lay) for minimum, lay in lays if minimum is not None]
        if not reachable or any(table.needs_no_minimum(lay) for lay in party.lays):
            continue
        minimum, opener = min(reachable, key=lambda pair: pair[0])
        points, why = _within_reach(table.settings, party, minimum)
        # Totals that no cards give at all are reported as that, and say nothing of the opening.
        impossible_totals = any(lay.entry.totals is not None and lay.entry.totals.cards < 0 for lay in party.lays)
        if (why or points < minimum) and not impossible_totals:
            laid = next(lay for lay in party.lays if lay.melds or (lay.entry.totals and lay.entry.totals.cards))
            up_to = (
                "opening-naturals-up-to"
                if minimum <= table.settings.opening_naturals_up_to
                else "opening-natural-group"
            )
            aside = (up_to,) if points < party.points and why is None else ()
            why = why or "points"
            grounds = (*_opening_grounds(table, opener, why), *aside, *_if_concealed(table, *party.lays))
            yield Trouble(laid.place, {"why": why, **_shortfall(table, opener, points, minimum)}, grounds)


def _within_reach(settings: Settings, party: Party, minimum: int) -> tuple[int, str | None]:
    """The most that an opening out of these cards can count, and what it lacks beside points."""
    if any(lay.entry.totals for lay in party.lays):
        return party.points, None
    melds = [laid.meld for laid in party.melds]
    if minimum <= settings.opening_naturals_up_to:
        grouped = [meld for meld in melds if _has_group(meld, settings)]
        counts = [(index, meld.cards.counts[index]) for meld in grouped for index in NATURAL_INDICES]
        return sum(count * settings.card_points[index] for index, count in counts), None if grouped else "naturals"
    points = party.points
    if settings.opening_natural_group == "needed":
        points -= sum(_cheapest(meld, settings) for meld in melds if _is_complete_mixed(meld, settings))
        if not any(_has_group(meld, settings) for meld in melds):
            return points, "natural-group"
    return points, "wilds-alone" if _are_wilds_alone(settings, melds) else None


def _cheapest(meld: Meld, settings: Settings) -> int:
    """The points of the card that a complete mixed canasta lacked when it opened, at best."""
    counts = meld.cards.counts
    values: tuple[int, ...] = settings.card_points
    cheapest: int = min(values[index] for index in (JOKER, TWO, *NATURAL_INDICES) if counts[index])
    return cheapest


@check("opening-unknown", of_opening=True)
def unknown(table: Table) -> Iterator[Trouble]:
    """Totals reach the minimum, but not all cards may open, and totals do not show which were laid."""
    settings = table.settings
    for lay in table.lays:
        minimum, totals = table.minimum(lay.position), lay.entry.totals
        if minimum is None or totals is None or totals.cards < minimum or table.needs_no_minimum(lay):
            continue
        if minimum <= settings.opening_naturals_up_to or settings.opening_natural_group == "needed":
            needed = settings.opening_natural_group == "needed"
            why, ground = (
                ("natural-group", "opening-natural-group") if needed else ("naturals", "opening-naturals-up-to")
            )
            figures: dict[str, Figure] = {"side": SideName(lay.position), "minimum": minimum, "why": why}
            yield Trouble(lay.place, figures, (ground, *_if_concealed(table, lay)))


def _if_concealed(table: Table, *lays: Lay) -> tuple[str, ...]:
    """The ground of the minimum for one of these who opened and went out in one turn."""
    return (MINIMUM_HOLDS,) if any(table.is_concealed(lay) for lay in lays) else ()


def _shortfall(table: Table, lay: Lay, points: int, minimum: int) -> dict[str, int | SideName]:
    score = table.hand.before[lay.position]
    return {"side": SideName(lay.position), "points": points, "minimum": minimum,
            "missing": minimum - points, "score": score, "deal": table.hand.deal}  # fmt: skip


def has_out_canastas(table: Table, party: Party) -> bool:
    """Whether a party has the canastas that going out needs."""
    settings = table.settings
    if party.families.total() < settings.canastas_needed:
        return False
    return all(party.families[family] >= count for family, count in settings.canasta_families_needed)


@check("out-canastas-missing")
def canastas_missing(table: Table) -> Iterator[Trouble]:
    """The side that went out lacks canastas that going out needs."""
    for party, side in _gone_out(table):
        # Whoever goes out concealed lays everything in that turn, also where others are of the party.
        own = only(table, side.position) if table.hand.out and table.hand.out.concealed else party
        if has_out_canastas(table, own):
            continue
        needed, families = table.settings.canastas_needed, table.settings.canasta_families_needed
        has = own.families
        lacking = tuple(Needed(family, count, has[family]) for family, count in families if has[family] < count)
        game = str(table.rules.variant)
        figures: dict[str, Figure] = {"side": side, "has": has.total(), "needed": needed, "game": game}
        if lacking:
            grounds = ("canasta-families-needed", *by_reading(table.rules, own))
            yield Trouble(("out",), {**figures, "why": "families", "lacking": lacking}, grounds)
        elif families:
            there = tuple(Needed(family, count, has[family]) for family, count in families)
            yield Trouble(("out",), {**figures, "why": "kinds", "lacking": there}, ("canastas-needed",))
        else:
            yield Trouble(("out",), {**figures, "why": "number"}, ("canastas-needed",))


def by_reading(rules: Ruleset, party: Party) -> tuple[str, ...]:
    """The ground of what canastas of wild cards alone count as, where the party has any and that is an inference."""
    of_wilds = [kind.item for kind in rules.settings.canastas if kind.shape is Shape.WILDS]
    is_read = rules.cited["canastas"].standing is Standing.READ
    return ("canastas",) if is_read and any(party.canastas[item] for item in of_wilds) else ()


def _gone_out(table: Table) -> Iterator[tuple[Party, SideName]]:
    """Who went out by laying melds of which everything is known."""
    for party in table.parties:
        if not party.is_out or party.unreadable or party.is_summed:
            continue
        gone = next(lay for lay in party.lays if lay.is_out)
        if gone.entry.special is None:
            yield party, SideName(gone.position)


@check("out-red-threes-missing")
def red_threes_missing(table: Table) -> Iterator[Trouble]:
    """The side that went out exposed fewer red threes than it made canastas."""
    for party, side in _gone_out(table):
        canastas = party.families.total()
        threes = sum(lay.entry.red_threes for lay in party.lays)
        if table.settings.out_red_threes == "one-for-each-canasta" and threes < canastas:
            yield Trouble(("out",), {"side": side, "threes": threes, "canastas": canastas})


@check("out-wild-meld-incomplete")
def wild_meld_incomplete(table: Table) -> Iterator[Trouble]:
    """The side that went out has a meld of wild cards alone that is no canasta."""
    yield from _barred(table, wilds=True)


@check("out-meld-incomplete")
def meld_incomplete(table: Table) -> Iterator[Trouble]:
    """The side that went out has a meld that must be a canasta by then."""
    yield from _barred(table, wilds=False)


def _barred(table: Table, *, wilds: bool) -> Iterator[Trouble]:
    kinds = [kind for kind in table.settings.incomplete if kind.bars_out and (kind.shape is Shape.WILDS) is wilds]
    for party, side in _gone_out(table):
        count = sum(party.incomplete[kind.name] for kind in kinds)
        if count:
            yield Trouble(("out",), {"side": side, "melds": count})


@check("out-cards-left")
def cards_left(table: Table) -> Iterator[Trouble]:
    """The player who went out still holds cards."""
    for lay in table.lays:
        if lay.is_out:
            yield from (Trouble(place, {"side": SideName(lay.position)}) for place in _still_held(table, lay))


def _still_held(table: Table, lay: Lay) -> Iterator[Place]:
    """Where cards stand that the player who went out cannot hold."""
    if lay.position not in table.hand.of_match:
        return
    out, entry = table.hand.out, lay.entry
    hands = table.settings.hands_of(lay.position)
    left: Place = (*lay.place, "left")
    if hands == 1:
        if isinstance(entry.left, int):
            yield from [left] if entry.left > 0 else []
        else:
            apart = entry.left_apart
            yield from ((*left, n) if apart else left for n, hand in enumerate(entry.left) if not _is_empty(hand))
        if entry.red_threes_held:
            yield (*lay.place, "red_threes_held")
    elif entry.left_apart and not isinstance(entry.left, int) and out is not None:
        if out.player is not None and not _is_empty(entry.left[out.player]):
            yield (*left, out.player)
        elif out.player is None and not any(_is_empty(hand) for hand in entry.left):
            yield left


def _is_empty(hand: Reading) -> bool:
    return not hand.cards.size and not hand.unknown


def may_be_last(discard: Cards, settings: Settings) -> bool:
    """Whether cards may be discarded last, by who goes out."""
    allowed = settings.last_discard_special
    return allowed == "any" or (allowed == "wilds" and discard.wilds > 0) or not discard.size or discard.naturals > 0


@check("out-discard-special")
def discard_special(table: Table) -> Iterator[Trouble]:
    """The last card discarded is a three or a wild card."""
    if table.hand.out is None:
        return
    cards = table.hand.out.discard.cards
    if not may_be_last(cards, table.settings):
        # A red three belongs on the table, or may be kept and discarded in any other turn.
        red = "red-three" if table.settings.red_threes_kept == "exposed" else "red-three-kept"
        kind = "wild" if cards.wilds else red if cards.counts[RED_THREE] else "black-three"
        yield Trouble(("out", "discard"), {"card": kind})


@check("out-discard-missing")
def discard_missing(table: Table) -> Iterator[Trouble]:
    """No last card was discarded where one is obligatory."""
    out = table.hand.out
    if out is None or table.settings.last_discard is not LastDiscard.OBLIGATORY:
        return
    # A hand that is shown instead of melded goes out without a discard.
    shown = out.side is not None and table.hand.sides[out.side].special is not None
    if out.discard_noted and out.discard == NOTHING and not shown:
        yield Trouble(("out", "discard"))
