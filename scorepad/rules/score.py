"""How the lines of a score are counted, each by the function registered for a line rule of the
data.

The function gives the count, the points and the grounds: what the points follow from, by the names
of settings (`out-bonus`), steps of settings (`canastas/samba`) and penalties (`penalties/house`).
The line cites the sources of these grounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil
from typing import Literal, NamedTuple

from scorepad.rules.applied import APPLIED_IN_CANASTA_LINES, APPLIED_IN_LINES, CANASTA_OR_NOT
from scorepad.rules.cards import BLACK_THREE, FIRST_NATURAL, INDEX, RED_THREE, Cards, gather
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import EXTRA_COUNTS, ExtraCount, SideEntry
from scorepad.rules.score_lines import Line, item_order
from scorepad.rules.settings import OutBonus, Settings
from scorepad.rules.table import LaidSide, Party, Table, canasta_of
from scorepad.rules.turn_checks import has_out_canastas, wild_family_grounds


@dataclass(frozen=True, slots=True)
class CountedLine:
    """A line of a score before its sources are added.

    `grounds` (`Ruleset.cited_at`): only the settings, steps and penalties that were applied.
    """

    item: str
    count: int | None
    points: int
    grounds: tuple[str, ...]
    code: str | None = None
    reason: str | None = None


LineMaker = Callable[[Table, Party, LaidSide], Iterator[CountedLine]]
"""Counts for a side of a party: what the party shares, or what belongs to the side alone."""

LINES: dict[str, LineMaker] = {}


def score_line(rule: str) -> Callable[[LineMaker], LineMaker]:
    """Decorate the function that counts the lines of a line rule, as `@score_line("cards")`."""

    def register(function: LineMaker) -> LineMaker:
        assert rule not in LINES, rule
        LINES[rule] = function
        return function

    return register


# ---------------------------------------------------------------- the lines of a side

BESIDE_SPECIAL = ("special", "penalty", "bonus", "adjustment")
"""The line rules of a side that showed a special hand, which replaces everything else."""
BESIDE_SUM = ("sum", "adjustment")
"""The line rules of a side for which only the sum of the hand is known."""


def side_lines(table: Table, party: Party, side: LaidSide) -> tuple[Line, ...]:
    """The lines of one side in the order of `ITEMS`, without those that count nothing."""
    lines: list[Line] = []
    for line_rule in _line_rules(table.rules, side.entry):
        count_lines = LINES[line_rule]
        for counted in count_lines(table, party, side):
            if counted.count != 0:
                lines.append(cited_line(counted, table.rules, line_rule))
    lines.sort(key=lambda line: item_order(line.item))
    return tuple(lines)


def _line_rules(rules: Ruleset, entry: SideEntry) -> list[str]:
    """The line rules by which a side is counted, in the order of the data."""
    line_rules = [rule.id for rule in rules.lines]
    if entry.special is not None:
        return [rule for rule in line_rules if rule in BESIDE_SPECIAL]
    if entry.sum is not None:
        return [rule for rule in line_rules if rule in BESIDE_SUM]
    return line_rules


def cited_line(counted: CountedLine, rules: Ruleset, line_rule: str) -> Line:
    """The line with the sources of its grounds and how firmly they say them."""
    also_applied = APPLIED_IN_LINES.get(counted.item, ())
    if line_rule == "canastas":
        also_applied = APPLIED_IN_CANASTA_LINES
    support = rules.cite(counted.grounds, also_applied)
    return Line(
        item=counted.item,
        code=counted.code,
        count=counted.count,
        points=counted.points,
        reason=counted.reason,
        sources=support.sources,
        standing=support.standing,
        read=support.read,
    )


def count_line(
    table: Table, party: Party, side: LaidSide, line_rule: str
) -> tuple[int, tuple[str, ...]]:
    """The points (or units) that a line rule gives a side, and their grounds."""
    points = 0
    grounds: list[str] = []
    for counted in LINES[line_rule](table, party, side):
        points += counted.points
        grounds += counted.grounds
    return points, tuple(grounds)


# ---------------------------------------------------------------- canastas and cards laid


class SignByCanastas(NamedTuple):
    """How points count for a party by the number of its canastas.

    `sign`: 1 in its favour, -1 against it, 0 not at all. `ground`: the step of the setting that
    says so, as `cards-by-canastas/2`.
    """

    sign: int
    ground: str


def sign_for(party: Party, signs: tuple[int, ...], setting: str) -> SignByCanastas:
    """The sign for the canastas that a party has.

    `signs` is the value of the setting: the sign with no canasta, with one, with two …; the last
    holds for more.
    """
    reached = min(party.families.total(), len(signs) - 1)
    return SignByCanastas(signs[reached], f"{setting}/{reached}")


@score_line("canastas")
def count_canastas(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """The bonus of each kind of canasta."""
    are_counted = table.settings.canastas_count == "always" or has_out_canastas(table, party)
    bonuses = {kind.item: kind.points for kind in table.settings.canastas}
    for item, count in party.canastas.items():
        if item not in bonuses:
            continue  # the extra bonus for concealed canastas, which has its own line
        if are_counted:
            points = count * bonuses[item]
            yield CountedLine(item, count, points, (f"canastas/{item}",))
        else:
            yield CountedLine(item, count, 0, ("canastas-count",))


@score_line("concealed-canasta")
def count_concealed_canasta(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """The extra bonus for canastas laid down complete, if they are counted."""
    bonus = table.settings.concealed_canasta
    if not bonus:
        return
    count = party.canastas["concealed-canasta"]
    grounds = [f"concealed-canasta/{item}" for item in concealed_kinds(table.settings, party)]
    yield CountedLine("concealed-canasta", count, count * bonus, tuple(grounds))


def concealed_kinds(settings: Settings, party: Party) -> tuple[str, ...]:
    """The kinds of the canastas that were, or may have been, laid down complete, without repeats."""
    items: list[str] = []
    for laid in party.melds:
        kind = canasta_of(laid.meld, settings)
        if laid.meld.concealed and kind:
            items.append(kind.item)
    if len(items) < party.canastas["concealed-canasta"]:
        # Totals do not show which of the canastas were concealed.
        items += [kind.item for kind in settings.canastas if party.canastas[kind.item]]
    return tuple(dict.fromkeys(items))


@score_line("cards")
def count_cards(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """The points of all cards laid, added or subtracted by the number of canastas."""
    count: int | None = sum(laid.meld.size for laid in party.melds)
    if any(entry.totals for entry in party.entries):
        count = None  # totals give the points, and not the number of cards

    worth = "card-points"
    if any(laid.meld.black_threes for laid in party.melds):
        # The only source that gives a black three another value does not mention cards with one of
        # them.
        worth = "card-points/3b"

    signs = table.settings.cards_by_canastas
    by_canastas = sign_for(party, signs, "cards-by-canastas")
    grounds: tuple[str, ...] = (worth,)
    if len(signs) > 1:  # otherwise the canastas make no difference
        grounds = (worth, by_canastas.ground, *table.rules.decided_by_table(CANASTA_OR_NOT))
    yield CountedLine("cards", count, party.points * by_canastas.sign, grounds)


@score_line("incomplete")
def count_incomplete(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """Melds that cost points because they are not canastas."""
    for kind in table.settings.incomplete:
        if kind.item is None:
            continue  # such a meld only prevents going out
        count = party.incomplete[kind.name]
        grounds = (f"incomplete/{kind.name}", *table.rules.decided_by_table(["canasta-length"]))
        yield CountedLine(kind.item, count, -count * kind.points, grounds)


# ---------------------------------------------------------------- threes exposed

WHOLE = 2
"""Number of halves in the full value."""


class Shares(NamedTuple):
    """The part of the value of a party's red threes that the party gets, and each of its opponents,
    in halves.
    """

    own: int
    opponents: int


@score_line("red-threes")
def count_red_threes(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """Red threes (bonus cards) exposed: the side's own, and those that count for the opponents of
    the party that has them.
    """
    count = side.entry.red_threes
    points = _points_of_red_threes(table.settings, count, _shares(table, party).own)
    grounds: list[str] = []
    if count:
        grounds += red_three_grounds(table, party, count, points)

    for opponents in table.parties:
        share = _shares(table, opponents).opponents
        if opponents is party or share == 0:
            continue
        count_given = sum(entry.red_threes for entry in opponents.entries)
        if count_given == 0:
            continue
        points_given = _points_of_red_threes(table.settings, count_given, share)
        # What the side is given was not counted for the opponents themselves.
        grounds += red_three_grounds(table, opponents, count_given, -points_given)
        count += count_given
        points += points_given

    without_repeats = tuple(dict.fromkeys(grounds))
    yield CountedLine("red-threes", count, points, without_repeats)


def red_three_grounds(table: Table, party: Party, count: int, points: int) -> tuple[str, ...]:
    """The settings that decide the points of `count` red threes of a party in this hand.

    If they are not counted, or count against the side, only the settings that say so: their usual
    value is not applied, or is stated there too.
    """
    settings = table.settings
    worth = f"red-three-values/{count}"
    if settings.red_threes_condition == "canastas":
        grounds = _grounds_of_red_threes_by_canastas(table, party)
        return (worth, *grounds) if points else grounds
    if settings.red_threes_condition == "families":
        grounds = _grounds_of_red_threes_by_families(table, party)
        return (worth, *grounds) if points else grounds

    out_needs: tuple[str, ...] = ()
    if settings.red_threes_condition == "out-needs":
        out_needs = _grounds_of_out_needs(table)
    if points > 0:
        return (worth, "red-threes-condition", *out_needs)
    return ("red-threes-otherwise", *out_needs)


def _grounds_of_red_threes_by_canastas(table: Table, party: Party) -> tuple[str, ...]:
    """What decides how red threes count, if that depends on the number of canastas."""
    signs = table.settings.red_threes_by_canastas
    by_canastas = sign_for(party, signs, "red-threes-by-canastas")
    return (by_canastas.ground, *table.rules.decided_by_table(CANASTA_OR_NOT))


def _grounds_of_red_threes_by_families(table: Table, party: Party) -> tuple[str, ...]:
    """What decides how red threes count, if that depends on having natural and mixed canastas."""
    return (
        f"red-threes-by-families/{_families_of(party)}",
        *wild_family_grounds(table.rules, party),
        *table.rules.decided_by_table(CANASTA_OR_NOT),
    )


def _grounds_of_out_needs(table: Table) -> tuple[str, ...]:
    """What decides whether a party has the canastas that going out requires."""
    grounds: list[str] = []
    if table.settings.canasta_families_needed:
        grounds.append("canasta-families-needed")
    grounds += table.rules.decided_by_table(["canastas-needed", *CANASTA_OR_NOT])
    return tuple(grounds)


def _points_of_red_threes(settings: Settings, count: int, share: int) -> int:
    """The points of so many red threes together, of which a side gets this share, in halves."""
    if count == 0:
        return 0
    return settings.red_three_values[count - 1] * share // WHOLE


def _shares(table: Table, party: Party) -> Shares:
    """How a party's red threes count: for or against itself, or for its opponents."""
    settings = table.settings
    if settings.red_threes_condition == "canastas":
        signs = settings.red_threes_by_canastas
        by_canastas = sign_for(party, signs, "red-threes-by-canastas")
        return Shares(own=by_canastas.sign * WHOLE, opponents=0)
    if settings.red_threes_condition == "families":
        shares = {share.having: share for share in settings.red_threes_by_families}
        reached = shares[_families_of(party)]
        return Shares(reached.own, reached.opponents)

    if settings.red_threes_condition == "opened":
        are_counted = bool(party.opened)
    else:
        are_counted = has_out_canastas(table, party)
    if are_counted:
        return Shares(own=WHOLE, opponents=0)
    if settings.red_threes_otherwise == "negative":
        return Shares(own=-WHOLE, opponents=0)
    if settings.red_threes_otherwise == "to-opponents":
        return Shares(own=0, opponents=WHOLE)
    return Shares(own=0, opponents=0)


def _families_of(party: Party) -> Literal["both", "natural", "mixed", "none"]:
    """Whether a party has natural canastas, mixed ones, both or none.

    The answer is the name of a step of the setting `red-threes-by-families`.
    """
    has_natural = party.families["natural"] > 0
    has_mixed = party.families["mixed"] > 0
    if has_natural and has_mixed:
        return "both"
    if has_natural:
        return "natural"
    if has_mixed:
        return "mixed"
    return "none"


@score_line("black-threes")
def count_black_threes(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """Black threes exposed, which count for or against the side as red ones do."""
    count = party.extras["black_threes"]
    if count == 0:
        return
    worth = table.settings.black_threes_exposed[count - 1]
    signs = table.settings.red_threes_by_canastas
    sign = sign_for(party, signs, "red-threes-by-canastas").sign
    grounds = _grounds_of_red_threes_by_canastas(table, party)
    if sign != 0:
        grounds = (f"black-threes-exposed/{count}", *grounds)
    yield CountedLine("black-threes", count, worth * sign, grounds)


# ---------------------------------------------------------------- cards in hand at the end


@score_line("cards-left")
def count_cards_left(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """The cost of the cards that players still hold when the hand ends; red threes have their own
    line.
    """
    if table.settings.cards_left == "points":
        yield _cards_left_in_points(table.settings, party)
    else:
        held = gather(party.held)
        units = _units_left(table.settings, held)
        yield CountedLine("cards-left", held.size, -units, ("cards-left",))


def _units_left(settings: Settings, held: Cards) -> int:
    """What cards in hand cost, in a game that counts units instead of points.

    Each wild card costs `left-wild` units. The other cards are put into groups of `left-group`
    cards, and each group costs one unit, the last one even if it is not full. Threes cost nothing.
    """
    naturals = held.counts[FIRST_NATURAL:BLACK_THREE]
    cards_to_group = naturals if settings.cards_left == "groups-by-rank" else (sum(naturals),)
    units = held.wilds * settings.left_wild
    for count in cards_to_group:
        units += ceil(count / settings.left_group)
    return units


def _cards_left_in_points(settings: Settings, party: Party) -> CountedLine:
    """The line for cards in hand, whose cost each side gives in points or by the cards."""
    points = 0
    number = 0
    has_black_threes = False
    for cards in party.held:
        points += cards.points(settings.left_points)
        number += cards.size - cards.counts[RED_THREE]
        if cards.counts[BLACK_THREE]:
            has_black_threes = True

    given_in_points = [entry.left.points for entry in party.entries if entry.left.is_in_points]
    count: int | None = number
    if any(given_in_points) or (given_in_points and number == 0):
        count = None  # the points do not say how many cards they are
    points += sum(given_in_points)

    grounds: tuple[str, ...] = ("cards-left",)
    has_own_value = settings.left_black_three != settings.card_points[BLACK_THREE]
    if has_own_value and has_black_threes:
        grounds = ("cards-left", "left-black-three")
    return CountedLine("cards-left", count, -points, grounds)


@score_line("red-threes-held")
def count_red_threes_held(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """Red threes (bonus cards) that were not exposed, and are in hand when the hand ends."""
    settings = table.settings
    count = side.entry.red_threes_in_hand
    times = count
    if settings.held_red_three_counts == "once":
        times = min(count, 1)
    grounds: tuple[str, ...] = ("held-red-three",)
    if count > 1:
        grounds = ("held-red-three", "held-red-three-counts")
    yield CountedLine("red-threes-held", count, -times * settings.held_red_three, grounds)


@score_line("held-together")
def count_held_together(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """Players with too many cards of one rank in hand, as three sevens; each of them pays."""
    for kind in table.settings.held_together:
        rank = INDEX[kind.rank]
        count = party.extras[kind.key]
        for cards_of_player in party.held:
            if cards_of_player.counts[rank] >= kind.number:
                count += 1
        # The setting says that each player pays, a step what one player pays.
        setting = f"held-together/{kind.key}" if count == 1 else "held-together"
        yield CountedLine(kind.item, count, -count * kind.points, (setting,))


# ---------------------------------------------------------------- numbers that some variants count


def line_of_extra(extra: ExtraCount) -> LineMaker:
    """The function that counts the line of a number that only some variants count."""

    def count_extra(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
        count = party.extras[extra.key]
        values = extra.points_in(table.settings)
        if extra.points == "each":
            yield CountedLine(extra.item, count, count * values[0], (extra.setting,))
        elif count:
            step = f"{extra.setting}/{count}"
            yield CountedLine(extra.item, count, values[count - 1], (step,))

    return count_extra


for _extra in EXTRA_COUNTS:
    if not _extra.has_own_line:
        score_line(_extra.item)(line_of_extra(_extra))


# ---------------------------------------------------------------- going out


@score_line("out")
def count_out(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """The bonus of the side whose player went out, by playing the last card of the hand.

    There is one for how it was done, and in some variants another for the canastas of the side; the
    setting `out-bonus-adds` says whether both count, or the higher one.
    """
    if not party.is_out or table.hand.out is None:
        return
    settings = table.settings
    if table.hand.out.concealed:
        setting = "concealed-out-bonus"
        bonus = settings.concealed_out_bonus
    else:
        setting = "out-bonus"
        bonus = settings.out_bonus

    for_canastas = _best_bonus_for_canastas(settings, party)
    if for_canastas is None:
        yield CountedLine("out", 1, bonus, (setting,))
        return
    grounds = (
        f"out-bonus-canastas/{for_canastas.canastas}",
        "out-bonus-adds",
        *wild_family_grounds(table.rules, party),
        *table.rules.decided_by_table(CANASTA_OR_NOT),
    )
    if settings.out_bonus_adds == "sum":
        yield CountedLine("out", 1, bonus + for_canastas.points, (setting, *grounds))
    else:
        # If the plain bonus is the table's own, so is what is the highest.
        grounds = (*grounds, *table.rules.decided_by_table([setting]))
        yield CountedLine("out", 1, max(bonus, for_canastas.points), grounds)


def _best_bonus_for_canastas(settings: Settings, party: Party) -> OutBonus | None:
    """The highest bonus for the canastas with which a party went out; None if there is none."""
    reached: list[OutBonus] = []
    for bonus in settings.out_bonus_canastas:
        has_enough = party.families.total() >= bonus.canastas
        has_natural = party.families["natural"] >= bonus.natural
        has_mixed = party.families["mixed"] >= bonus.mixed
        if bonus.points > 0 and has_enough and has_natural and has_mixed:
            reached.append(bonus)
    # Of two equal bonuses, the one for more canastas says better why it is due.
    return max(reached, key=lambda bonus: (bonus.points, bonus.canastas), default=None)


# ---------------------------------------------------------------- what the table gives or agrees


@score_line("special")
def count_special(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """A hand shown instead of melded: its points replace all others."""
    name = side.entry.special
    if name is not None:
        points = dict(table.settings.special_hands)[name]
        yield CountedLine("special", 1, points, (f"special-hands/{name}",))


@score_line("sum")
def count_agreed_sum(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """The hand as one sum agreed at the table."""
    if side.entry.sum is not None:
        yield CountedLine("sum", None, side.entry.sum, ("table-agreement",))


@score_line("penalty")
def count_penalty(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """Penalties, one line for each code."""
    counts = Counter[str]()
    costs = Counter[str]()
    for entry in party.entries:
        for penalty in entry.penalties:
            kind = table.rules.penalties[penalty.code]
            counts[penalty.code] += 1
            costs[penalty.code] += kind.costs(penalty.points) or 0
    for code, count in counts.items():
        yield CountedLine("penalty", count, -costs[code], (f"penalties/{code}",), code=code)


@score_line("bonus")
def count_bonus(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """Bonuses recorded by the table, one line for each code."""
    counts = Counter[str]()
    for entry in party.entries:
        counts.update(entry.bonuses)
    for code, count in counts.items():
        points = count * table.rules.bonuses[code].points
        yield CountedLine("bonus", count, points, (f"bonuses/{code}",), code=code)


@score_line("adjustment")
def count_adjustments(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """Points agreed at the table, one line each; they belong to the side alone."""
    for entry in side.entry.adjustments:
        yield CountedLine(
            "adjustment", None, entry.points, ("table-agreement",), reason=entry.reason
        )
