"""The score of a side: its lines, each counted by the function registered for a line rule of the
data.

The function gives the count, the points and the grounds (settings, steps, penalties); the line
cites these grounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from scorepad.rules.applied import CANASTA_OR_NOT, OF_CANASTAS, OF_ITEMS
from scorepad.rules.cards import BLACK_THREE, FIRST_NATURAL, INDEX, RED_THREE, gather
from scorepad.rules.definitions import Standing
from scorepad.rules.settings import Settings
from scorepad.rules.table import Lay, Party, Table, canasta_of
from scorepad.rules.turn_checks import has_out_canastas, wild_family_grounds


class Tally(NamedTuple):
    """One score line before its sources are added.

    `grounds` (`Ruleset.cited_at`): only the settings, steps and penalties that were applied.
    """

    item: str
    number: int | None
    points: int
    grounds: tuple[str, ...]
    code: str | None = None
    reason: str | None = None


LineMaker = Callable[[Table, Party, Lay], Iterator[Tally]]
"""Counts for a side (`Lay`) of a party: what the party shares, or what belongs to the side alone.
"""

LINES: dict[str, LineMaker] = {}


def line(rule: str) -> Callable[[LineMaker], LineMaker]:
    """Register a function for a line rule of the data."""

    def register(function: LineMaker) -> LineMaker:
        assert rule not in LINES, rule
        LINES[rule] = function
        return function

    return register


def count_line(table: Table, party: Party, lay: Lay, line_rule: str) -> tuple[int, tuple[str, ...]]:
    """The points (or units) that a line rule gives a side, and their grounds."""
    tallies = tuple(LINES[line_rule](table, party, lay))
    return sum(each.points for each in tallies), tuple(
        ground for each in tallies for ground in each.grounds
    )


def by_canastas(setting: str, signs: tuple[int, ...], party: Party) -> tuple[int, str]:
    """The sign for the number of a party's canastas, the last for more; and the step of the setting
    that states it.
    """
    reached = min(party.families.total(), len(signs) - 1)
    return signs[reached], f"{setting}/{reached}"


@line("canastas")
def canastas(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """The bonus of each kind of canasta."""
    counts = table.settings.canastas_count == "always" or has_out_canastas(table, party)
    worth = {kind.item: kind.points if counts else 0 for kind in table.settings.canastas}
    for item, count in party.canastas.items():
        if item in worth:
            yield Tally(
                item,
                count,
                count * worth[item],
                (f"canastas/{item}",) if counts else ("canastas-count",),
            )


@line("concealed-canasta")
def concealed_canasta(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """The extra bonus for canastas laid down complete, if they are counted."""
    bonus = table.settings.concealed_canasta
    if bonus:
        count = party.canastas["concealed-canasta"]
        # Totals do not show which of the canastas were concealed.
        kinds = concealed_kinds(table.settings, party)
        yield Tally(
            "concealed-canasta",
            count,
            count * bonus,
            tuple(f"concealed-canasta/{item}" for item in kinds),
        )


def concealed_kinds(settings: Settings, party: Party) -> tuple[str, ...]:
    """The items of the canastas that were, or may have been, laid down complete."""
    shown = [canasta_of(laid.meld, settings) for laid in party.melds if laid.meld.concealed]
    items = [kind.item for kind in shown if kind]
    if len(items) < party.canastas["concealed-canasta"]:
        items += [kind.item for kind in settings.canastas if party.canastas[kind.item]]
    return tuple(dict.fromkeys(items))


@line("cards")
def cards(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """The points of all cards laid."""
    signs = table.settings.cards_by_canastas
    counted = any(entry.totals for entry in party.entries)
    # The only source that gives a black three another value does not mention cards with one of
    # them.
    worth = (
        "card-points/3b" if any(laid.meld.black_threes for laid in party.melds) else "card-points"
    )
    sign, by = by_canastas("cards-by-canastas", signs, party)
    count = None if counted else sum(laid.meld.size for laid in party.melds)
    grounds = (worth, by, *table.rules.decided(CANASTA_OR_NOT)) if len(signs) > 1 else (worth,)
    yield Tally("cards", count, party.points * sign, grounds)


@line("incomplete")
def incomplete(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """Melds that cost something if they are not canastas."""
    for kind in table.settings.incomplete:
        if kind.item is not None:
            count = party.incomplete[kind.name]
            grounds = (f"incomplete/{kind.name}", *table.rules.decided(["canasta-length"]))
            yield Tally(kind.item, count, -count * kind.points, grounds)


WHOLE = 2
"""Number of halves in the full value."""


@line("red-threes")
def red_threes(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """Red threes exposed: each side's own, and those that another side must give it."""
    own = lay.entry.red_threes
    count, points = own, 0
    grounds: tuple[str, ...] = ()
    if own:
        points = _worth(table, own) * _shares(table, party)[0] // WHOLE
        grounds = red_three_grounds(table, party, own, points)
    for other in table.parties:
        if other is party:
            continue
        share = _shares(table, other)[1]
        handed = sum(entry.red_threes for entry in other.entries) if share else 0
        count, points = count + handed, points + _worth(table, handed) * share // WHOLE
        if handed:
            grounds = (*grounds, *red_three_grounds(table, other, handed, -points))
    yield Tally("red-threes", count, points, tuple(dict.fromkeys(grounds)))


def red_three_grounds(table: Table, party: Party, count: int, points: int) -> tuple[str, ...]:
    """The settings that decide the points of `count` red threes of a party in this hand.

    If they are not counted, or count against the side, only the settings that say so: their usual
    value is not applied, or is stated there too.
    """
    settings = table.settings
    worth = f"red-three-values/{count}"
    canastas = table.rules.decided(CANASTA_OR_NOT)
    match settings.red_threes_condition:
        case "canastas":
            by = by_canastas("red-threes-by-canastas", settings.red_threes_by_canastas, party)[1]
            return (worth, by, *canastas) if points else (by, *canastas)
        case "families":
            share = f"red-threes-by-families/{_having(party)}"
            read = wild_family_grounds(table.rules, party)
            return (worth, share, *read, *canastas) if points else (share, *read, *canastas)
        case "out-needs":
            families = (*table.rules.decided(["canastas-needed"]), *canastas)
            if settings.canasta_families_needed:
                families = ("canasta-families-needed", *families)
            return (
                (worth, "red-threes-condition", *families)
                if points > 0
                else ("red-threes-otherwise", *families)
            )
        case _:
            return (worth, "red-threes-condition") if points > 0 else ("red-threes-otherwise",)


def _worth(table: Table, count: int) -> int:
    return (0, *table.settings.red_three_values)[count]


def _shares(table: Table, party: Party) -> tuple[int, int]:
    """The effect of a party's red threes on itself and on its opponents, in halves of their value."""
    settings = table.settings
    if settings.red_threes_condition == "canastas":
        return by_canastas("red-threes-by-canastas", settings.red_threes_by_canastas, party)[
            0
        ] * WHOLE, 0
    if settings.red_threes_condition == "families":
        share = next(
            share for share in settings.red_threes_by_families if share.having == _having(party)
        )
        return share.own, share.opponents
    opened = settings.red_threes_condition == "opened"
    if party.opened if opened else has_out_canastas(table, party):
        return WHOLE, 0
    return {"negative": (-WHOLE, 0), "to-opponents": (0, WHOLE), "zero": (0, 0)}[
        settings.red_threes_otherwise
    ]


def _having(party: Party) -> str:
    natural, mixed = party.families["natural"], party.families["mixed"]
    return ("both" if mixed else "natural") if natural else ("mixed" if mixed else "none")


@line("black-threes-aside")
def black_threes_aside(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """Black threes found in a taken pile and laid aside."""
    count = party.extras["black_threes_aside"]
    worth = (0, *table.settings.black_threes_aside)[count]
    yield Tally("black-threes-aside", count, worth, (f"black-threes-aside/{count}",))


@line("black-threes")
def black_threes(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """Black threes exposed like red ones."""
    count = party.extras["black_threes"]
    signs = table.settings.red_threes_by_canastas
    sign, by = by_canastas("red-threes-by-canastas", signs, party)
    worth = (0, *table.settings.black_threes_exposed)[count]
    canastas = table.rules.decided(CANASTA_OR_NOT)
    grounds = (f"black-threes-exposed/{count}", by, *canastas) if sign else (by, *canastas)
    yield Tally("black-threes", count, worth * sign, grounds)


@line("cards-left")
def cards_left(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """Cards in hand at the end, except red threes if they have their own line."""
    settings, hands = table.settings, party.hands
    if settings.cards_left != "points":
        together = gather(hands)
        # Units: wild cards one by one, the others for each group begun, threes nothing.
        naturals = together.counts[FIRST_NATURAL:BLACK_THREE]
        groups = naturals if settings.cards_left == "groups-by-rank" else (sum(naturals),)
        units = together.wilds * settings.left_wild + sum(
            -(-count // settings.left_group) for count in groups
        )
        yield Tally("cards-left", together.size, -units, ("cards-left",))
        return
    in_points = [entry.left for entry in party.entries if isinstance(entry.left, int)]
    points = sum(in_points) + sum(cards.points(settings.left_points) for cards in hands)
    count: int | None = sum(cards.size - cards.counts[RED_THREE] for cards in hands)
    if in_points and (any(in_points) or not count):
        # Given in points, possibly 0: the number of cards is unknown.
        count = None
    has_own_value = settings.left_black_three != settings.card_points[BLACK_THREE]
    uses_own_value = has_own_value and any(cards.counts[BLACK_THREE] for cards in hands)
    yield Tally(
        "cards-left",
        count,
        -points,
        ("cards-left", "left-black-three") if uses_own_value else ("cards-left",),
    )


@line("red-threes-held")
def red_threes_held(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """Red threes in hand at the end, not exposed."""
    count = lay.entry.red_threes_in_hand
    times = count if table.settings.held_red_three_counts == "each" else min(count, 1)
    grounds = ("held-red-three", "held-red-three-counts") if count > 1 else ("held-red-three",)
    yield Tally("red-threes-held", count, -times * table.settings.held_red_three, grounds)


@line("held-together")
def held_together(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """Too many cards of a rank in one player's hand; each such player pays."""
    for kind in table.settings.held_together:
        rank = INDEX[kind.rank]
        count = (
            sum(cards.counts[rank] >= kind.number for cards in party.hands) + party.extras[kind.key]
        )
        # The setting says that each player pays, a step what one player pays.
        ground = f"held-together/{kind.key}" if count == 1 else "held-together"
        yield Tally(kind.item, count, -count * kind.points, (ground,))


@line("out")
def out(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """Going out: the bonus for how it was done, and the bonus for the canastas with which it was
    done.
    """
    if not party.is_out or table.hand.out is None:
        return
    settings = table.settings
    concealed = table.hand.out.concealed
    plain = settings.concealed_out_bonus if concealed else settings.out_bonus
    reached = [
        (bonus.points, bonus.canastas)
        for bonus in settings.out_bonus_canastas
        if party.families.total() >= bonus.canastas
        and party.families["natural"] >= bonus.natural
        and party.families["mixed"] >= bonus.mixed
    ]
    ground = "concealed-out-bonus" if concealed else "out-bonus"
    more, canastas = max(reached, default=(0, 0))
    if not more:
        yield Tally("out", 1, plain, (ground,))
        return
    with_canastas = (
        f"out-bonus-canastas/{canastas}",
        "out-bonus-adds",
        *wild_family_grounds(table.rules, party),
        *table.rules.decided(CANASTA_OR_NOT),
    )
    if settings.out_bonus_adds == "sum":
        yield Tally("out", 1, plain + more, (ground, *with_canastas))
    else:
        # If the plain bonus is the table's own, so is what is the highest.
        yield Tally("out", 1, max(plain, more), (*with_canastas, *table.rules.decided([ground])))


@line("special")
def special(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """A hand shown instead of melded: its points replace all others."""
    if lay.entry.special is not None:
        name = lay.entry.special
        yield Tally(
            "special", 1, dict(table.settings.special_hands)[name], (f"special-hands/{name}",)
        )


@line("sum")
def agreed_sum(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """The hand as one figure agreed at the table."""
    if lay.entry.sum is not None:
        yield Tally("sum", None, lay.entry.sum, ("table-agreement",))


@line("penalty")
def penalty(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """Penalties, one line for each code."""
    given = [penalty for entry in party.entries for penalty in entry.penalties]
    for code in dict.fromkeys(entry.code for entry in given):
        known = table.rules.penalties[code]
        each = [known.costs(entry.points) for entry in given if entry.code == code]
        yield Tally(
            "penalty", len(each), -sum(points or 0 for points in each), (f"penalties/{code}",), code
        )


@line("bonus")
def bonus(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """Bonuses recorded by the table, one line for each code."""
    for code, count in Counter(code for entry in party.entries for code in entry.bonuses).items():
        yield Tally(
            "bonus", count, count * table.rules.bonuses[code].points, (f"bonuses/{code}",), code
        )


@line("adjustment")
def adjustment(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """Points agreed at the table, one line each; they belong to the side alone."""
    for entry in lay.entry.adjustments:
        yield Tally("adjustment", None, entry.points, ("table-agreement",), None, entry.reason)


ITEMS = (
    "natural-canasta", "mixed-canasta", "wild-canasta", "twos-canasta", "four-jokers-canasta", "six-jokers-canasta",
    "sevens-canasta", "natural-aces-canasta", "mixed-aces-canasta", "samba", "dirty-samba", "bolivia",
    "concealed-canasta", "cards", "red-threes", "black-threes", "black-threes-aside", "out", "cards-left",
    "red-threes-held", "sevens-incomplete", "aces-incomplete", "wilds-incomplete", "sevens-held", "aces-held",
    "special", "sum", "penalty", "bonus", "adjustment",
)  # fmt: skip
"""Every item of a line, in display order; canastas of a user's own variant come last among the
canastas.
"""

_ORDER = {item: place for place, item in enumerate(ITEMS)}


def item_order(item: str) -> float:
    """The index of an item in `ITEMS`; canastas of a user's own variant come after the others."""
    return _ORDER.get(item, _ORDER["concealed-canasta"] - 0.5)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a score: its item, count (None if only points were given), points, and sources.

    Lines with a count of 0 are omitted. Melds, canastas and cards of a party of several sides
    (tagliagola) are counted together: each of its sides has the same line.

    `standing` is that of the sources for what was applied; None if no source is needed. `code` is
    the code of a penalty; `reason` is the text given for an adjustment. `read` names the arguments
    of an inference (`read.…` in the catalogue).
    """

    item: str
    count: int | None
    points: int
    sources: tuple[str, ...]
    code: str | None = None
    reason: str | None = None
    standing: Standing | None = None
    read: tuple[str, ...] = ()


BESIDE_SPECIAL = ("special", "penalty", "bonus", "adjustment")
"""The line rules of a side that showed a special hand, which replaces everything else."""
BESIDE_SUM = ("sum", "adjustment")
"""The line rules of a side for which only the sum of the hand is known."""


def score_lines(table: Table, party: Party, lay: Lay) -> tuple[Line, ...]:
    """The lines of one side in the order of `ITEMS`."""
    lines: list[Line] = []
    only = (
        BESIDE_SPECIAL
        if lay.entry.special is not None
        else None
        if lay.entry.sum is None
        else BESIDE_SUM
    )
    for rule in table.rules.lines:
        if only is not None and rule.id not in only:
            continue
        for item, count, points, grounds, code, reason in LINES[rule.id](table, party, lay):
            if count != 0:
                applied = OF_CANASTAS if rule.id == "canastas" else OF_ITEMS.get(item, ())
                basis = table.rules.basis(grounds, applied)
                lines.append(
                    Line(
                        item, count, points, basis.sources, code, reason, basis.standing, basis.read
                    )
                )
    lines.sort(key=lambda made: item_order(made.item))
    return tuple(lines)
