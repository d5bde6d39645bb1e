"""Checks of going out."""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.rules.cards import NOTHING, RED_THREE, Reading
from scorepad.rules.checks.registry import Figure, Needed, SideName, Trouble, check
from scorepad.rules.citations import Standing
from scorepad.rules.entries import Place
from scorepad.rules.table import Lay, Party, Table, only
from scorepad.rules.terms import LastDiscard, Shape
from scorepad.rules.variants import Ruleset


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
        read = by_reading(table.rules, own)
        if lacking:
            yield Trouble(("out",), {**figures, "why": "families", "lacking": lacking}, read)
        elif families:
            there = tuple(Needed(family, count, has[family]) for family, count in families)
            yield Trouble(("out",), {**figures, "why": "kinds", "lacking": there})
        else:
            yield Trouble(("out",), {**figures, "why": "number"})


def by_reading(rules: Ruleset, party: Party) -> tuple[str, ...]:
    """The ground of what canastas of wild cards alone count as, where the party has any and that is an inference."""
    why = rules.cited.get("canastas")
    of_wilds = [kind.item for kind in rules.settings.canastas if kind.shape is Shape.WILDS]
    is_read = why is not None and why.standing is Standing.READ
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


@check("out-discard-special")
def discard_special(table: Table) -> Iterator[Trouble]:
    """The last card discarded is a three or a wild card."""
    out = table.hand.out
    if out is None:
        return
    cards, allowed = out.discard.cards, table.settings.last_discard_special
    if allowed == "any" or (allowed == "wilds" and cards.wilds):
        return
    if cards.size and not cards.naturals:
        kind = "wild" if cards.wilds else _three(table) if cards.counts[RED_THREE] else "black-three"
        yield Trouble(("out", "discard"), {"card": kind})


def _three(table: Table) -> str:
    """A red three as what it is here: it belongs on the table, or may be kept and discarded in any other turn."""
    return "red-three" if table.settings.red_threes_kept == "exposed" else "red-three-kept"


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
