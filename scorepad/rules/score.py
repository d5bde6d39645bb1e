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
from functools import partial
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
    return partial(_register_line, rule)


def _register_line(rule: str, count_lines: LineMaker) -> LineMaker:
    """Store the function that counts the lines of a line rule.

    Returns the function unchanged, as a decorator has to.
    """
    assert rule not in LINES, f"two functions for the line rule {rule}"
    LINES[rule] = count_lines
    return count_lines


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
    """The points of all cards laid. In some games the number of canastas decides whether they are
    added, subtracted or not counted.
    """
    signs = table.settings.cards_by_canastas
    by_canastas = sign_for(party, signs, "cards-by-canastas")
    grounds = [_worth_of_cards_laid(party)]
    do_canastas_decide = len(signs) > 1
    if do_canastas_decide:
        grounds.append(by_canastas.ground)
        grounds += table.rules.decided_by_table(CANASTA_OR_NOT)
    points = party.points * by_canastas.sign
    yield CountedLine("cards", _number_of_cards_laid(party), points, tuple(grounds))


def _number_of_cards_laid(party: Party) -> int | None:
    """How many cards a party laid; None if some were counted at the table, which gives only their
    points.
    """
    for entry in party.entries:
        if entry.totals is not None:
            return None
    number = 0
    for laid in party.melds:
        number += laid.meld.size
    return number


def _worth_of_cards_laid(party: Party) -> str:
    """The setting, or its step, that says what the cards laid are worth.

    The only source that gives black threes another value does not say what the other cards are
    worth beside them, so it must not be cited where there are any: the step of the black threes
    (`3b`) is cited instead.
    """
    for laid in party.melds:
        if laid.meld.black_threes > 0:
            return "card-points/3b"
    return "card-points"


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
    """Red threes (bonus cards) exposed: those of the side itself, and those that other parties have
    but whose value goes to this one.
    """
    count = side.entry.red_threes
    points = 0
    grounds: list[str] = []
    if count:
        points = _points_of_red_threes(table.settings, count, _shares(table, party).own)
        grounds += red_three_grounds(table, party, count, points)

    for other_party in table.parties:
        given = _red_threes_given_away(table, other_party)
        if other_party is not party and given is not None:
            grounds += given.grounds
            count += given.number
            points += given.points

    without_repeats = tuple(dict.fromkeys(grounds))
    yield CountedLine("red-threes", count, points, without_repeats)


class _GivenAway(NamedTuple):
    """The red threes of a party whose value goes to each of its opponents: their number, what each
    opponent gets for them, and the settings that say so.
    """

    number: int
    points: int
    grounds: tuple[str, ...]


def _red_threes_given_away(table: Table, party: Party) -> _GivenAway | None:
    """What the opponents of a party get for its red threes; None if they get nothing."""
    count = sum(entry.red_threes for entry in party.entries)
    if count == 0:
        return None
    share = _shares(table, party).opponents
    if share == 0:
        return None
    points = _points_of_red_threes(table.settings, count, share)
    # The grounds are those of red threes that are lost for the party that has them.
    grounds = red_three_grounds(table, party, count, -points)
    return _GivenAway(count, points, grounds)


def red_three_grounds(table: Table, party: Party, count: int, points: int) -> tuple[str, ...]:
    """The settings that decide what `count` red threes of a party are worth to it: `points`.

    Their usual value is among these only where it is applied. Depending on the variant, what counts
    is the number of canastas of the party, their families, or whether a condition is met.
    """
    settings = table.settings
    usual_value = f"red-three-values/{count}"
    if settings.red_threes_condition in ("canastas", "families"):
        if settings.red_threes_condition == "canastas":
            grounds = _grounds_by_canastas(table, party)
        else:
            grounds = _grounds_of_red_threes_by_families(table, party)
        if points == 0:
            return grounds  # what says that they are not counted needs no value
        return (usual_value, *grounds)

    out_needs: tuple[str, ...] = ()
    if settings.red_threes_condition == "out-needs":
        out_needs = _grounds_of_out_needs(table)
    if points > 0:
        return (usual_value, "red-threes-condition", *out_needs)
    # What happens to red threes whose condition is not met is a rule of its own.
    return ("red-threes-otherwise", *out_needs)


def _grounds_by_canastas(table: Table, party: Party) -> tuple[str, ...]:
    """The settings that decide whether threes count for or against a party that has so many
    canastas.

    These are the step of `red-threes-by-canastas` for their number, and whatever the table itself
    changed in the rules of what is a canasta.
    """
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
    return settings.red_three_values[count - 1] * share // WHOLE


def _shares(table: Table, party: Party) -> Shares:
    """The part of the value of a party's red threes that it gets itself, and that its opponents get.

    The variant decides on what that depends: on the number of its canastas, on their families, or
    on a condition.
    """
    settings = table.settings
    if settings.red_threes_condition == "canastas":
        signs = settings.red_threes_by_canastas
        by_canastas = sign_for(party, signs, "red-threes-by-canastas")
        return Shares(own=by_canastas.sign * WHOLE, opponents=0)
    if settings.red_threes_condition == "families":
        return _shares_of_families(settings, party)
    if _is_red_three_condition_met(table, party):
        return Shares(own=WHOLE, opponents=0)
    return _shares_otherwise(settings)


def _shares_of_families(settings: Settings, party: Party) -> Shares:
    """The shares for a party with these families of canastas: natural, mixed, both or none."""
    share_of_families = {share.having: share for share in settings.red_threes_by_families}
    share = share_of_families[_families_of(party)]
    return Shares(share.own, share.opponents)


def _is_red_three_condition_met(table: Table, party: Party) -> bool:
    """Whether a party did what its red threes need to count in its favour: lay anything, or make the
    canastas that going out requires.
    """
    if table.settings.red_threes_condition == "opened":
        return bool(party.opened)
    return has_out_canastas(table, party)


def _shares_otherwise(settings: Settings) -> Shares:
    """The shares of red threes whose condition is not met: they are subtracted, go to the opponents,
    or count for nobody.
    """
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
    """Black threes exposed beside the melds, which some games count as bonus cards.

    As with red threes, and by the same setting, the number of canastas of the side decides whether
    they count for or against it.
    """
    settings = table.settings
    count = party.extras["black_threes"]
    if count == 0:
        return
    values = settings.black_threes_exposed  # of one, two … of them together
    worth = values[count - 1]
    signs = settings.red_threes_by_canastas
    sign = sign_for(party, signs, "red-threes-by-canastas").sign
    grounds = _grounds_by_canastas(table, party)
    if sign != 0:  # otherwise their value is not applied
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
    """The line for the cards that players of a party still hold, in a game that counts their points.

    The hand gives them as cards, or some of them only as points.
    """
    held = gather(party.held)
    points = held.points(settings.left_points)
    for entry in party.entries:
        if entry.left.is_in_points:
            points += entry.left.points

    grounds: tuple[str, ...] = ("cards-left",)
    has_own_value = settings.left_black_three != settings.card_points[BLACK_THREE]
    if has_own_value and held.counts[BLACK_THREE]:
        grounds = ("cards-left", "left-black-three")
    return CountedLine("cards-left", _number_of_cards_left(party, held), -points, grounds)


def _number_of_cards_left(party: Party, held: Cards) -> int | None:
    """How many cards the players of a party still hold, without red threes, which have a line of
    their own; None if that is not known, because some are given only in points.

    `held` are those that are given as cards.
    """
    number = held.size - held.counts[RED_THREE]
    for entry in party.entries:
        if not entry.left.is_in_points:
            continue
        # Points stand for cards of which nobody knows how many there are; and where no cards are
        # given either, not even 0 points say how many there are.
        if entry.left.points != 0 or number == 0:
            return None
    return number


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
    """The cost of holding too many cards of one rank, as three sevens, when the hand ends.

    Each player who holds so many pays. The hand gives these players by a number, or by their cards.
    """
    for kind in table.settings.held_together:
        rank = INDEX[kind.rank]
        players_paying = party.extras[kind.key]
        for cards_of_player in party.held:
            if cards_of_player.counts[rank] >= kind.number:
                players_paying += 1

        # The step of the setting says what a player pays. That each of several players pays is
        # said by the sources of the setting as a whole.
        ground = f"held-together/{kind.key}"
        if players_paying > 1:
            ground = "held-together"
        points = -players_paying * kind.points
        yield CountedLine(kind.item, players_paying, points, (ground,))


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
    bonus = settings.out_bonus
    ground = "out-bonus"
    if table.hand.out.concealed:
        bonus = settings.concealed_out_bonus
        ground = "concealed-out-bonus"

    for_canastas = _best_bonus_for_canastas(settings, party)
    if for_canastas is None:
        yield CountedLine("out", 1, bonus, (ground,))
        return
    grounds = _grounds_of_bonus_for_canastas(table, party, for_canastas)
    if settings.out_bonus_adds == "sum":
        yield CountedLine("out", 1, bonus + for_canastas.points, (ground, *grounds))
    else:
        # Which bonus is higher also depends on the one for how it was done. Its sources are not
        # cited for that, but if the table changed it, no source supports the result.
        changed_here = table.rules.decided_by_table([ground])
        highest = max(bonus, for_canastas.points)
        yield CountedLine("out", 1, highest, (*grounds, *changed_here))


def _grounds_of_bonus_for_canastas(table: Table, party: Party, bonus: OutBonus) -> tuple[str, ...]:
    """The settings that give a party this bonus for the canastas with which it went out."""
    return (
        f"out-bonus-canastas/{bonus.canastas}",
        "out-bonus-adds",
        *wild_family_grounds(table.rules, party),
        *table.rules.decided_by_table(CANASTA_OR_NOT),
    )


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
    counts: Counter[str] = Counter()
    costs: Counter[str] = Counter()
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
    counts: Counter[str] = Counter()
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
