"""How the lines of a score are counted, each by the function registered for a line rule of the
data.

The function gives the count, the points and the settings to cite: what the points follow from, by
the names of settings (`out-bonus`), steps of settings (`canastas/samba`) and penalties
(`penalties/house`). The line cites the sources of these settings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from math import ceil
from typing import Literal, NamedTuple

from scorepad.rules.applied import APPLIED_IN_CANASTA_LINES, APPLIED_IN_LINES, CANASTA_OR_NOT
from scorepad.rules.cards import BLACK_THREE, FIRST_NATURAL, INDEX, RED_THREE, Cards, gather
from scorepad.rules.definitions import Rule, Ruleset
from scorepad.rules.hand import EXTRA_COUNTS, ExtraCount, ExtraPoints, Out, SideEntry
from scorepad.rules.score_lines import Line, sort_by_item
from scorepad.rules.settings import HeldKind, OutBonus, Settings
from scorepad.rules.table import LaidSide, Party, Table, find_kind_of_canasta
from scorepad.rules.turn_checks import cite_family_of_wild_canastas, has_canastas_to_go_out


class CountedLine(NamedTuple):
    """A line of a score before its sources are added.

    `number` is how many cards or canastas the points are for; None if only points were given.
    `cited_settings` (`Ruleset.find_citations`): only the settings, steps and penalties that were
    applied.
    """

    item: str
    number: int | None
    points: int
    cited_settings: tuple[str, ...]
    code: str | None = None
    reason: str | None = None


LineMaker = Callable[[Table, Party, LaidSide], Iterator[CountedLine]]
"""Counts for a side of a party: what the party shares, or what belongs to the side alone."""

LINES: dict[str, LineMaker] = {}


def score_line(rule: str) -> Callable[[LineMaker], LineMaker]:
    """Register the decorated function, which counts lines of the score sheet.

    `@score_line("cards")`: the line rule `cards`, which the data of most games lists, is counted by
    this function. It takes the table, a party (sides that lay their cards together) and one of its
    sides.
    """

    def register(count_lines: LineMaker) -> LineMaker:
        assert rule not in LINES, f"two functions for the line rule {rule}"
        LINES[rule] = count_lines
        return count_lines

    return register


# ---------------------------------------------------------------- the lines of a side

BESIDE_SPECIAL = ("special", "penalty", "bonus", "adjustment")
"""The line rules of a side that showed a special hand, which replaces everything else."""
BESIDE_SUM = ("sum", "adjustment")
"""The line rules of a side for which only the sum of the hand is known."""


def count_lines_of_side(table: Table, party: Party, side: LaidSide) -> tuple[Line, ...]:
    """Count all lines that a side gets on the score sheet for one round of the game.

    A line is, for example, two natural canastas for 1,000 points. The lines are returned in the
    order of the sheet, without those that count nothing. `party` are the sides that lay their cards
    together with this one; in most games that is this side alone.
    """
    lines: list[Line] = []
    for rule in _choose_line_rules(table.rules, side.entry):
        count_lines = LINES[rule.id]
        for counted in count_lines(table, party, side):
            if counted.number != 0:
                lines.append(_add_sources_to_line(counted, table.rules, rule.id))
    lines.sort(key=lambda line: sort_by_item(line.item))
    return tuple(lines)


def _choose_line_rules(rules: Ruleset, entry: SideEntry) -> Sequence[Rule]:
    """Choose the rules by which the lines of a side are counted, from those of the game.

    `entry` is what the players entered for the side:

    - a special hand, which a player shows in place of laying cards → the points of that hand,
      penalties, bonuses, and points that the players agreed
    - only the sum of its points → that sum, and points that the players agreed
    - anything else → all rules of the game
    """
    if entry.special is not None:
        return [rule for rule in rules.lines if rule.id in BESIDE_SPECIAL]
    if entry.sum is not None:
        return [rule for rule in rules.lines if rule.id in BESIDE_SUM]
    return rules.lines


def _add_sources_to_line(counted: CountedLine, rules: Ruleset, line_rule: str) -> Line:
    """Turn a counted line into the line of the score sheet, which names the rule books behind it.

    `counted` has its points and the settings that gave them, whose rule books are named.
    `line_rule` is the rule by which it was counted, such as `"cards"`.
    """
    # Some other settings have an effect on the points, but their sources are not named. They matter
    # all the same: if the players changed one of them, no rule book supports the line.
    settings_not_cited = APPLIED_IN_LINES.get(counted.item, ())
    if line_rule == "canastas":  # each kind of canasta has a line, with an item of its own
        settings_not_cited = APPLIED_IN_CANASTA_LINES
    support = rules.cite(counted.cited_settings, settings_not_cited)
    return Line(
        item=counted.item,
        code=counted.code,
        count=counted.number,
        points=counted.points,
        reason=counted.reason,
        sources=support.sources,
        standing=support.standing,
        read=support.read,
    )


def count_points_by_line_rule(
    table: Table, party: Party, side: LaidSide, line_rule: str
) -> tuple[int, tuple[str, ...]]:
    """Count the points that a side gets by one line rule, and name the settings that explain them.

    The referee uses it to answer questions about points. For the side that ended the round, the
    line rule `"out"` → `(100, ("out-bonus",))`. `party` are the sides (teams) that lay their cards
    together with it.
    """
    points = 0
    cited_settings: list[str] = []
    for counted in LINES[line_rule](table, party, side):
        points += counted.points
        cited_settings += counted.cited_settings
    return points, tuple(cited_settings)


# ---------------------------------------------------------------- canastas and cards laid


class SignByCanastas(NamedTuple):
    """How points count for a party by the number of its canastas.

    `sign`: 1 in its favour, -1 against it, 0 not at all. `cited_setting`: the step of the setting
    that says so, as `cards-by-canastas/2`.
    """

    sign: int
    cited_setting: str


def _find_sign_by_canastas(party: Party, signs: tuple[int, ...], setting: str) -> SignByCanastas:
    """Find out whether points count for a party or against it, by how many canastas it has.

    A canasta is a group of seven cards or more, and a party the sides (teams) that lay their cards
    together. `signs` is the value of the setting: the sign with no canasta, with one, and so on;
    the last one holds for any more. With `(-1, 1)` as the value of the setting
    `"cards-by-canastas"`:

    - no canasta → `SignByCanastas(-1, "cards-by-canastas/0")`, the points are subtracted
    - three canastas → `SignByCanastas(1, "cards-by-canastas/1")`, the points are added
    """
    last_index = len(signs) - 1
    index = min(party.families.total(), last_index)
    return SignByCanastas(signs[index], f"{setting}/{index}")


@score_line("canastas")
def count_canastas(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """Count the bonus of a party for its canastas (groups of seven cards or more), by kind.

    Two natural canastas at 500 points each → a line of 1,000 points. In some games canastas count
    only for a party that has as many as are needed to end the round; otherwise they give 0 points.

    A party is the sides (teams) that lay their cards together. Each of them gets these lines.
    """
    are_counted = table.settings.canastas_count == "always" or has_canastas_to_go_out(table, party)
    points_by_kind = {kind.item: kind.points for kind in table.settings.canastas}
    for item, count in party.canastas.items():
        if item not in points_by_kind:
            continue  # the extra bonus for concealed canastas, which has its own line
        points = 0
        cited_setting = "canastas-count"  # the rule by which they do not count
        if are_counted:
            points = count * points_by_kind[item]
            cited_setting = f"canastas/{item}"
        yield CountedLine(item=item, number=count, points=points, cited_settings=(cited_setting,))


@score_line("concealed-canasta")
def count_concealed_canasta(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """Count the extra bonus for canastas that were laid on the table complete, in one go.

    A canasta is a group of seven cards or more. Two such canastas at 100 points each → a line of
    200 points. Most games have no such bonus: then there is no line.

    A party is the sides (teams) that lay their cards together. Each of them gets this line.
    """
    points_of_each = table.settings.concealed_canasta
    if points_of_each == 0:
        return
    count = party.canastas["concealed-canasta"]
    kinds = _list_kinds_laid_complete(table.settings, party)
    cited_settings = tuple(f"concealed-canasta/{kind}" for kind in kinds)
    yield CountedLine(
        item="concealed-canasta",
        number=count,
        points=count * points_of_each,
        cited_settings=cited_settings,
    )


def _list_kinds_laid_complete(settings: Settings, party: Party) -> list[str]:
    """List the kinds of canasta that a party laid, or may have laid, complete in one go.

    A canasta is a group of seven cards or more, and a party the sides (teams) that lay their cards
    together. Each kind is listed once: `["natural-canasta", "mixed-canasta"]`. By these names the
    rule books are found that give a bonus for it.
    """
    kinds: list[str] = []
    for laid in party.melds:
        kind = find_kind_of_canasta(laid.meld, settings)
        if kind is not None and laid.meld.concealed:
            kinds.append(kind.item)

    number_laid_complete = party.canastas["concealed-canasta"]
    if len(kinds) < number_laid_complete:
        # For some canastas only their number was entered, and how many were laid complete. So any
        # kind that the party has may be one of them.
        for kind in settings.canastas:
            if party.canastas[kind.item] > 0:
                kinds.append(kind.item)
    return _remove_duplicates(kinds)


def _remove_duplicates(names: Iterable[str]) -> list[str]:
    """Return each of these names once, in the order in which they first appear.

    `b a b` → `["b", "a"]`
    """
    return list(dict.fromkeys(names))


@score_line("cards")
def count_cards(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """Count the points of all cards that a party laid on the table, as one line.

    In some games they are added or subtracted by the number of the party's canastas (groups of
    seven cards or more): without a canasta, cards worth 150 points may count as -150.

    A party is the sides (teams) that lay their cards together. Each of them gets this line.
    """
    signs = table.settings.cards_by_canastas
    by_canastas = _find_sign_by_canastas(party, signs, "cards-by-canastas")
    cited_settings = (
        _cite_value_of_cards_laid(party),
        *_cite_sign_of_cards_laid(table, by_canastas),
    )
    yield CountedLine(
        item="cards",
        number=_count_cards_laid(party),
        points=party.points * by_canastas.sign,
        cited_settings=cited_settings,
    )


def _cite_sign_of_cards_laid(table: Table, by_canastas: SignByCanastas) -> tuple[str, ...]:
    """Name the settings which explain whether cards on the table are added or subtracted.

    `by_canastas` says which of the two it is by the party's number of canastas (groups of seven
    cards or more). The score sheet shows which rule books say so, looked up by these names.

    - a game in which it depends on that number, and a party with one canasta →
      `("cards-by-canastas/1",)`
    - a game that always adds them → `()`, there is nothing to explain
    """
    are_always_added = len(table.settings.cards_by_canastas) == 1
    if are_always_added:
        return ()
    # If the players changed what a canasta is, no rule book supports the points any more.
    rules_changed_by_players = table.rules.find_settings_chosen_by_players(CANASTA_OR_NOT)
    return (by_canastas.cited_setting, *rules_changed_by_players)


def _count_cards_laid(party: Party) -> int | None:
    """Count how many cards a party has on the table.

    A party is the sides (teams) that lay their cards together. None if the number is not known,
    because for one of them only the points of its cards were entered.
    """
    for entry in party.entries:
        if entry.totals is not None:
            return None

    number = 0
    for laid in party.melds:
        number += laid.meld.size
    return number


def _cite_value_of_cards_laid(party: Party) -> str:
    """Name the setting which says how many points the cards on the table are worth.

    The score sheet shows which rule books say so, looked up by this name.

    - black threes among them → `"card-points/3b"`, the part of that setting about black threes
    - otherwise → `"card-points"`
    """
    for laid in party.melds:
        if laid.meld.black_threes > 0:
            # One rule book gives black threes another value, and does not support these points. It
            # is a source of the setting as a whole, but not of this part of it.
            return "card-points/3b"
    return "card-points"


@score_line("incomplete")
def count_incomplete(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """Count the cost of melds (groups of cards) that had to become canastas and did not.

    In some games a meld of sevens, say, costs points at the end of the round if it has not grown to
    a canasta, a meld of seven cards. One such meld at 1,500 points → a line of -1,500.

    A party is the sides (teams) that lay their cards together. Each of them gets this line.
    """
    for kind in table.settings.incomplete:
        if kind.item is None:
            continue  # such a meld costs nothing: it only stops its side from ending the round
        count = party.incomplete[kind.name]
        # If the players changed how long a canasta is, no rule book supports the cost any more.
        changed_by_players = table.rules.find_settings_chosen_by_players(["canasta-length"])
        yield CountedLine(
            item=kind.item,
            number=count,
            points=-count * kind.points,
            cited_settings=(f"incomplete/{kind.name}", *changed_by_players),
        )


# ---------------------------------------------------------------- threes exposed

WHOLE = 2
"""Number of halves in the full value."""


class Shares(NamedTuple):
    """The part of the value of a party's red threes that the party gets, and each of its opponents,
    in halves.
    """

    own: int
    opponents: int


class _CountedThrees(NamedTuple):
    """Red threes that count for a party: their number and points, and the settings to cite."""

    number: int
    points: int
    cited_settings: tuple[str, ...]


_NO_THREES = _CountedThrees(number=0, points=0, cited_settings=())


@score_line("red-threes")
def count_red_threes(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """Count the red threes (bonus cards) on the table that give a side points, or cost it points.

    They are the side's own ones and, in some games, those of opponents who did not meet the
    condition for keeping their value. All are counted in one line: two red threes → 200 points.
    """
    counted = [_count_own_red_threes(table, party, side)]
    for other_party in table.parties:
        if other_party is not party:
            counted.append(_count_red_threes_given_away(table, other_party))

    # Add them up to one line.
    number = 0
    points = 0
    cited_settings: list[str] = []
    for threes in counted:
        number += threes.number
        points += threes.points
        cited_settings += threes.cited_settings
    yield CountedLine(
        item="red-threes",
        number=number,
        points=points,
        cited_settings=tuple(_remove_duplicates(cited_settings)),
    )


def _count_own_red_threes(table: Table, party: Party, side: LaidSide) -> _CountedThrees:
    """Count the red threes (bonus cards) that a side has on the table, and the points it gets.

    `party` are the sides (teams) that lay their cards together with it; together they have to meet
    a condition. Two red threes of a side that met it: 200 points. If it did not, they may count
    against it: -200 points.
    """
    number = side.entry.red_threes
    if number == 0:
        return _NO_THREES
    share = _find_shares_of_red_threes(table, party).own
    points = _compute_points_of_red_threes(table.settings, number, share)
    cited_settings = cite_points_of_red_threes(table, party, number, points)
    return _CountedThrees(number, points, cited_settings)


def _count_red_threes_given_away(table: Table, party: Party) -> _CountedThrees:
    """Count the red threes of a party whose points go to its opponents, and what each of them gets.

    Red threes are bonus cards, and a party is the sides (teams) that lay their cards together. In
    some games it loses their value to its opponents if it does not meet a condition. Otherwise the
    opponents get nothing, and the result is `_NO_THREES`.
    """
    number = 0
    for entry in party.entries:
        number += entry.red_threes
    if number == 0:
        return _NO_THREES

    share = _find_shares_of_red_threes(table, party).opponents
    if share == 0:
        return _NO_THREES
    points = _compute_points_of_red_threes(table.settings, number, share)
    # The settings explain why this party lost them, so they are asked for with points below zero.
    cited_settings = cite_points_of_red_threes(table, party, number, -points)
    return _CountedThrees(number, points, cited_settings)


def cite_points_of_red_threes(
    table: Table, party: Party, count: int, points: int
) -> tuple[str, ...]:
    """Name the settings that explain the points of a party's red threes (bonus cards).

    A party is the sides (teams) that lay their cards together. The score sheet shows which rule
    books say so, looked up by these names. For two red threes of a party that laid cards, as most
    games require: `("red-three-values/2", "red-threes-condition")`.
    """
    condition = table.settings.red_threes_condition
    if condition == "canastas":  # whether they count depends on the number of the party's canastas
        cited_for_canastas = _cite_number_of_canastas(table, party)
        return (*_cite_value_of_red_threes(count, points), *cited_for_canastas)
    if condition == "families":  # on the kinds of its canastas: natural, mixed, both or none
        cited_for_canastas = _cite_families_of_canastas(table, party)
        return (*_cite_value_of_red_threes(count, points), *cited_for_canastas)
    return _cite_condition_of_red_threes(table, count, points)


def _cite_value_of_red_threes(count: int, points: int) -> tuple[str, ...]:
    """Name the setting with the value of so many red threes (bonus cards).

    The score sheet shows which rule books say so, looked up by this name.

    - two red threes that count 200 points → `("red-three-values/2",)`
    - red threes that count 0 points → `()`, since their value was not used
    """
    if points == 0:
        return ()
    return (f"red-three-values/{count}",)


def _cite_condition_of_red_threes(table: Table, count: int, points: int) -> tuple[str, ...]:
    """Name the settings that explain the points of red threes (bonus cards) by their condition.

    In most games red threes give points to a side that laid cards in the round, or that has enough
    canastas (groups of seven cards or more). `count` is the number of red threes.

    - two red threes worth 200 points → `("red-three-values/2", "red-threes-condition")`
    - a side that did not meet the condition → `("red-threes-otherwise",)`, which says whether its
      red threes are then subtracted, lost, or given to the opponents
    """
    settings_of_canastas: tuple[str, ...] = ()
    if table.settings.red_threes_condition == "out-needs":
        settings_of_canastas = _cite_canastas_needed_for_red_threes(table)

    is_condition_met = points > 0
    if is_condition_met:
        return (f"red-three-values/{count}", "red-threes-condition", *settings_of_canastas)
    return ("red-threes-otherwise", *settings_of_canastas)


def _cite_number_of_canastas(table: Table, party: Party) -> tuple[str, ...]:
    """Name the settings which explain whether threes count for a party, or against it.

    In some games red and black threes (bonus cards) count against a party that has too few canastas
    (groups of seven cards or more). The score sheet shows which rule books say so, looked up by
    these names. For a party with one canasta: `("red-threes-by-canastas/1",)`.
    """
    signs = table.settings.red_threes_by_canastas
    by_canastas = _find_sign_by_canastas(party, signs, "red-threes-by-canastas")
    # If the players changed what a canasta is, no rule book supports the points any more.
    rules_changed_by_players = table.rules.find_settings_chosen_by_players(CANASTA_OR_NOT)
    return (by_canastas.cited_setting, *rules_changed_by_players)


def _cite_families_of_canastas(table: Table, party: Party) -> tuple[str, ...]:
    """Name the settings which explain whether red threes count for a party, or against it.

    Red threes are bonus cards. In some games that depends on whether the party has natural canastas
    (groups of seven cards or more), mixed ones (with jokers or twos), both or none. For a party
    with natural ones only: `("red-threes-by-families/natural",)`. The score sheet shows which rule
    books say so, looked up by these names.
    """
    families = _classify_families_of_canastas(party)
    setting_of_families = f"red-threes-by-families/{families}"
    # Whether a canasta of jokers and twos alone is natural or mixed, if the party has one.
    settings_of_wild_canastas = cite_family_of_wild_canastas(table.rules, party)
    # If the players changed what a canasta is, no rule book supports the points any more.
    rules_changed_by_players = table.rules.find_settings_chosen_by_players(CANASTA_OR_NOT)
    return (setting_of_families, *settings_of_wild_canastas, *rules_changed_by_players)


def _cite_canastas_needed_for_red_threes(table: Table) -> tuple[str, ...]:
    """Name the settings that say which canastas a side needs for its red threes to count.

    Red threes are bonus cards, and a canasta is a group of seven cards or more. In some games the
    side needs those that it also needs to end the round. In the game bolivia, one of them must be a
    sequence: `("canasta-families-needed",)`.
    """
    cited_settings: list[str] = []
    if table.settings.canasta_families_needed:
        cited_settings.append("canasta-families-needed")
    # If the players changed one of these rules, no rule book supports the points any more.
    cited_settings += table.rules.find_settings_chosen_by_players(
        ["canastas-needed", *CANASTA_OR_NOT]
    )
    return tuple(cited_settings)


def _compute_points_of_red_threes(settings: Settings, count: int, share_in_halves: int) -> int:
    """Compute the points that so many red threes (bonus cards) give together.

    `share_in_halves` is the part of their value that a side gets. For two red threes worth 200
    points together:

    - 2, that is, both halves → 200
    - 1, one half → 100
    - -2 → -200, the value is subtracted
    """
    value_of_all = settings.red_three_values[count - 1]  # the list begins with the value of one
    return value_of_all * share_in_halves // WHOLE


def _find_shares_of_red_threes(table: Table, party: Party) -> Shares:
    """Find which part of the value of a party's red threes (bonus cards) each side gets.

    A party is the sides (teams) that lay their cards together. The shares are in halves of the
    value: `Shares(own=2, opponents=0)` gives all of it to the party that has the red threes, and
    `own=-2` subtracts it from its score.
    """
    settings = table.settings
    condition = settings.red_threes_condition
    if condition == "canastas":  # by how many canastas (groups of seven cards or more) it has
        return _find_shares_by_number_of_canastas(settings, party)
    if condition == "families":  # by whether it has natural canastas, mixed ones, both or none
        return _find_shares_by_families_of_canastas(settings, party)
    if _meets_condition_of_red_threes(table, party):
        return Shares(own=WHOLE, opponents=0)
    return _find_shares_if_condition_is_not_met(settings)


def _find_shares_by_number_of_canastas(settings: Settings, party: Party) -> Shares:
    """Find what red threes (bonus cards) give a party by how many canastas it has.

    A canasta is a group of seven cards or more. In a game in which red threes count against a party
    without one: no canasta → `Shares(own=-2, opponents=0)`, all of their value is subtracted.
    """
    signs = settings.red_threes_by_canastas
    by_canastas = _find_sign_by_canastas(party, signs, "red-threes-by-canastas")
    return Shares(own=by_canastas.sign * WHOLE, opponents=0)


def _find_shares_by_families_of_canastas(settings: Settings, party: Party) -> Shares:
    """Find what red threes (bonus cards) give a party by the kinds of its canastas.

    It has natural canastas (groups of seven cards or more), mixed ones (with jokers or twos), both
    or none. In the game canastone, a party with both gets the whole value:
    `Shares(own=2, opponents=0)`.
    """
    shares_by_families = {share.having: share for share in settings.red_threes_by_families}
    share = shares_by_families[_classify_families_of_canastas(party)]
    return Shares(share.own, share.opponents)


def _meets_condition_of_red_threes(table: Table, party: Party) -> bool:
    """Tell whether a party did what the game requires for its red threes (bonus cards) to count.

    A party is the sides (teams) that lay their cards together. Most games require that it laid any
    cards in the round. Others require as many canastas (groups of seven cards or more) as a player
    needs to end the round.
    """
    if table.settings.red_threes_condition == "opened":
        return party.opened is True
    return has_canastas_to_go_out(table, party)


def _find_shares_if_condition_is_not_met(settings: Settings) -> Shares:
    """Find what happens to red threes (bonus cards) of a party that did not meet their condition.

    By the setting `red-threes-otherwise`:

    - `"negative"` → their value is subtracted from the score of the party
    - `"to-opponents"` → each opponent gets their value
    - `"zero"` → they count for nobody
    """
    if settings.red_threes_otherwise == "negative":
        return Shares(own=-WHOLE, opponents=0)
    if settings.red_threes_otherwise == "to-opponents":
        return Shares(own=0, opponents=WHOLE)
    return Shares(own=0, opponents=0)


def _classify_families_of_canastas(party: Party) -> Literal["both", "natural", "mixed", "none"]:
    """Tell whether a party has natural canastas, mixed ones, both or none.

    A canasta is a group of seven cards or more; a mixed one has jokers or twos in it. The setting
    `red-threes-by-families` has an entry under each of the four names.
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
    """Count the black threes that a party laid on the table as bonus cards, where a game has those.

    As with red threes, the number of the party's canastas (groups of seven cards or more) decides
    whether they are added, subtracted or not counted. Two black threes worth 300 points together,
    with no canasta → a line of -300 points.

    A party is the sides (teams) that lay their cards together. Each of them gets this line.
    """
    count = party.sum_extra("black_threes")
    if count == 0:
        return

    values_together = table.settings.black_threes_exposed  # of one, two, three … cards
    value = values_together[count - 1]
    signs = table.settings.red_threes_by_canastas  # this setting decides for black threes too
    sign = _find_sign_by_canastas(party, signs, "red-threes-by-canastas").sign

    cited_settings = _cite_number_of_canastas(table, party)
    is_value_used = sign != 0
    if is_value_used:
        cited_settings = (f"black-threes-exposed/{count}", *cited_settings)
    yield CountedLine(
        item="black-threes",
        number=count,
        points=value * sign,
        cited_settings=cited_settings,
    )


# ---------------------------------------------------------------- cards in hand at the end


@score_line("cards-left")
def count_cards_left(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """Count the cost of the cards that players still have in hand when the round ends.

    Most games subtract the points of these cards: `K K` → a line of -20 points. One game, mini,
    counts units in place of points. Red threes have a line of their own.

    A party is the sides (teams) that lay their cards together. Each of them gets this line.
    """
    if table.settings.cards_left == "points":
        yield _count_cards_left_by_points(table.settings, party)
        return

    cards_in_hand = gather(party.held)  # of all players of the party
    units = _count_units_of_cards_left(table.settings, cards_in_hand)
    yield CountedLine(
        item="cards-left",
        number=cards_in_hand.size,
        points=-units,
        cited_settings=("cards-left",),
    )


def _count_units_of_cards_left(settings: Settings, cards_in_hand: Cards) -> int:
    """Count what cards still in hand cost, in a game that counts units in place of points.

    Each wild card (joker or two) costs `left-wild` units. The other cards are put into groups of
    `left-group` cards, and each group costs one unit, the last one even if it is not full. Threes
    cost nothing. With 3 for both settings: a joker and four other cards → 3 + 2 = 5.
    """
    cards_of_each_rank = cards_in_hand.counts[FIRST_NATURAL:BLACK_THREE]
    cards_to_group: tuple[int, ...] = (sum(cards_of_each_rank),)
    if settings.cards_left == "groups-by-rank":  # a group may not hold cards of two ranks
        cards_to_group = cards_of_each_rank

    units = cards_in_hand.wilds * settings.left_wild
    for count in cards_to_group:
        units += ceil(count / settings.left_group)
    return units


def _count_cards_left_by_points(settings: Settings, party: Party) -> CountedLine:
    """Count the line for cards still in hand, in a game that subtracts the points of these cards.

    A party is the sides (teams) that lay their cards together. Each of them entered its cards, or
    only how many points they are worth: `K K` of one and 25 points of another → a line of -45.
    """
    cards_in_hand = gather(party.held)
    points = cards_in_hand.points(settings.left_points)
    for entry in party.entries:
        if entry.left.is_in_points:
            points += entry.left.points

    cited_settings: tuple[str, ...] = ("cards-left",)
    # In some games a black three costs more in hand than it is worth on the table.
    has_own_cost = settings.left_black_three != settings.card_points[BLACK_THREE]
    if has_own_cost and cards_in_hand.counts[BLACK_THREE] > 0:
        cited_settings = ("cards-left", "left-black-three")
    return CountedLine(
        item="cards-left",
        number=_find_number_of_cards_left(party, cards_in_hand),
        points=-points,
        cited_settings=cited_settings,
    )


def _find_number_of_cards_left(party: Party, cards_in_hand: Cards) -> int | None:
    """Find how many cards the players of a party still have in hand; None if that is not known.

    It is not known where a side entered only the points of its cards. Red threes are left out: they
    have a line of their own. `cards_in_hand` are the cards of the sides that entered cards.

    - `K K 3r`, and 0 points of another side → 2
    - `K K 3r`, and 25 points of another side → None
    """
    number = cards_in_hand.size - cards_in_hand.counts[RED_THREE]
    for entry in party.entries:
        if not entry.left.is_in_points:
            continue
        if entry.left.points != 0:
            return None
        if number == 0:
            return None  # 0 points may also be cards that are worth nothing
    return number


@score_line("red-threes-held")
def count_red_threes_held(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """Count the cost of red threes (bonus cards) that are still in hand when the round ends.

    A player should have put them on the table. In most games each of them costs 500 points, so that
    two → a line of -1,000; in others they cost 500 points together.
    """
    settings = table.settings
    count = side.entry.red_threes_in_hand
    number_charged = count
    if settings.held_red_three_counts == "once":
        number_charged = min(count, 1)
    points = -number_charged * settings.held_red_three

    cited_settings: tuple[str, ...] = ("held-red-three",)
    if count > 1:  # with one, it does not matter whether each of several is charged
        cited_settings = ("held-red-three", "held-red-three-counts")
    yield CountedLine(
        item="red-threes-held",
        number=count,
        points=points,
        cited_settings=cited_settings,
    )


@score_line("held-together")
def count_held_together(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """Count the cost of too many cards of one rank in a player's hand when the round ends.

    In some games a player pays for three sevens, say. Two such players at 500 points each → a line
    of -1,000 points.

    A party is the sides (teams) that lay their cards together. Each of them gets this line.
    """
    for kind in table.settings.held_together:
        # A side enters either the number of such players or the cards of each player, never both.
        players_entered = party.sum_extra(kind.key)
        players_seen = _count_players_holding(kind, party.held)
        players_paying = players_entered + players_seen
        setting_to_cite = f"held-together/{kind.key}"
        if players_paying > 1:
            # Fewer sources say that each of several players pays: those of the whole setting.
            setting_to_cite = "held-together"
        yield CountedLine(
            item=kind.item,
            number=players_paying,
            points=-players_paying * kind.points,
            cited_settings=(setting_to_cite,),
        )


def _count_players_holding(kind: HeldKind, hands: Iterable[Cards]) -> int:
    """Count the players who have too many cards of a rank in hand.

    `hands` are the cards of each player, and `kind` says which rank and how many are too many. For
    three sevens: the hands `7 7 7 K` and `7 7 Q` → 1.
    """
    rank = INDEX[kind.rank]
    players = 0
    for cards_of_player in hands:
        if cards_of_player.counts[rank] >= kind.number:
            players += 1
    return players


# ---------------------------------------------------------------- numbers that some variants count


def choose_counter_of_extra(extra: ExtraCount) -> LineMaker:
    """Choose the function that counts the score line of a number which only some games ask for.

    The number is how many cards of a sort a side has, such as black threes laid by themselves. They
    may have the same points each, or points that depend on how many there are.
    """
    if extra.points is ExtraPoints.EACH:
        return partial(_count_extra_with_same_points, extra)
    return partial(_count_extra_with_points_by_number, extra)


def _count_extra_with_same_points(
    extra: ExtraCount, table: Table, party: Party, side: LaidSide
) -> Iterator[CountedLine]:
    """Count the line of cards with the same points each, which only some games ask for.

    `extra` says which cards these are. A party (the sides that lay their cards together) entered
    three, at 100 points each → a line of 300 points.
    """
    count = party.sum_extra(extra.key)
    points_of_each = extra.read_points(table.settings)[0]
    yield CountedLine(
        item=extra.item,
        number=count,
        points=count * points_of_each,
        cited_settings=(extra.setting,),
    )


def _count_extra_with_points_by_number(
    extra: ExtraCount, table: Table, party: Party, side: LaidSide
) -> Iterator[CountedLine]:
    """Count the line of cards that some games ask for, with points that depend on their number.

    `extra` says which cards these are, and `party` are the sides that lay their cards together. If
    the setting `black-threes-aside` is `(5, 10, 15, 100)`, three black threes → a line of 15
    points, which cites `black-threes-aside/3`. Four of them → 100 points.
    """
    count = party.sum_extra(extra.key)
    if count == 0:
        return
    points_together = extra.read_points(table.settings)  # of one, two, three … cards
    yield CountedLine(
        item=extra.item,
        number=count,
        points=points_together[count - 1],
        cited_settings=(f"{extra.setting}/{count}",),
    )


for _extra in EXTRA_COUNTS:
    if not _extra.has_own_line:
        score_line(_extra.item)(choose_counter_of_extra(_extra))


# ---------------------------------------------------------------- going out


class _BonusForWay(NamedTuple):
    """The bonus for the way of going out, and the setting that holds it."""

    points: int
    setting: str


@score_line("out")
def count_out(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """Count the bonus for going out: a player of the side played the last card and ended the round.

    It is usually 100 points. Some games have another bonus for going out with many canastas (groups
    of seven cards or more), and count the higher one, or the sum of both.
    """
    if not party.is_out or table.hand.out is None:
        return
    usual_bonus = _find_bonus_for_way_of_going_out(table.settings, table.hand.out)
    canasta_bonus = _find_best_bonus_for_canastas(table.settings, party)
    points = usual_bonus.points
    cited_settings: tuple[str, ...] = (usual_bonus.setting,)
    if canasta_bonus is not None:
        cited_for_canastas = _cite_bonus_for_canastas(table, party, canasta_bonus)
        if table.settings.out_bonus_adds == "sum":
            points = usual_bonus.points + canasta_bonus.points
            cited_settings = (usual_bonus.setting, *cited_for_canastas)
        else:
            points = max(usual_bonus.points, canasta_bonus.points)
            # Only the bonus for canastas is explained. But if the players changed the usual bonus,
            # which is compared with it, no rule book supports the result any more.
            changed = table.rules.find_settings_chosen_by_players([usual_bonus.setting])
            cited_settings = (*cited_for_canastas, *changed)
    yield CountedLine(item="out", number=1, points=points, cited_settings=cited_settings)


def _find_bonus_for_way_of_going_out(settings: Settings, out: Out) -> _BonusForWay:
    """Find the bonus for playing the last card of a round, by the way in which it was done.

    - all cards laid in one turn ("concealed") → `_BonusForWay(200, "concealed-out-bonus")`
    - in any other way → `_BonusForWay(100, "out-bonus")`
    """
    if out.concealed:
        return _BonusForWay(settings.concealed_out_bonus, "concealed-out-bonus")
    return _BonusForWay(settings.out_bonus, "out-bonus")


def _cite_bonus_for_canastas(table: Table, party: Party, bonus: OutBonus) -> tuple[str, ...]:
    """Name the settings that explain the bonus for ending the round with many canastas.

    A canasta is a group of seven cards or more. The score sheet shows which rule books say so,
    looked up by these names. `bonus` for five canastas → `("out-bonus-canastas/5",
    "out-bonus-adds")`.
    """
    # Whether a canasta of jokers and twos alone is natural or mixed, if the party has one.
    settings_of_wild_canastas = cite_family_of_wild_canastas(table.rules, party)
    # If the players changed what a canasta is, no rule book supports the bonus any more.
    rules_changed_by_players = table.rules.find_settings_chosen_by_players(CANASTA_OR_NOT)
    return (
        f"out-bonus-canastas/{bonus.canastas}",  # how many points it is
        "out-bonus-adds",  # whether it is added to the other bonus for ending the round
        *settings_of_wild_canastas,
        *rules_changed_by_players,
    )


def _find_best_bonus_for_canastas(settings: Settings, party: Party) -> OutBonus | None:
    """Find the highest bonus that a party gets for ending the round with so many canastas.

    A canasta is a group of seven cards or more; a mixed one has jokers or twos in it. With five
    canastas where the game gives 1,000 points for five and 2,000 for six → the bonus of 1,000.
    None if the party has too few for any bonus.
    """
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
    """Count the points of a special hand, where a side showed one in place of laying cards.

    In the game moderna, a hand of pairs (`"pairs"`) → a line of 2,500 points.
    """
    name = side.entry.special
    if name is None:
        return
    points_by_name = dict(table.settings.special_hands)
    yield CountedLine(
        item="special",
        number=1,
        points=points_by_name[name],
        cited_settings=(f"special-hands/{name}",),
    )


@score_line("sum")
def count_agreed_sum(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """Count the line of a side for which the players entered only its points in the whole round.

    They agreed on 250 points → a line of 250.
    """
    if side.entry.sum is None:
        return
    yield CountedLine(
        item="sum",
        number=None,  # nothing is said about single cards
        points=side.entry.sum,
        cited_settings=("table-agreement",),
    )


@score_line("penalty")
def count_penalty(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """Count what penalties cost a party, in one line for each kind of penalty.

    Two penalties `draw-out-of-turn` at 100 points each → a line of -200 points.

    A party is the sides (teams) that lay their cards together. Each of them gets these lines.
    """
    costs_by_code: dict[str, list[int]] = {}
    for entry in party.entries:
        for penalty in entry.penalties:
            kind = table.rules.penalties[penalty.code]
            # Most costs stand in the rules; the players gave that of a penalty of their own.
            cost = kind.costs(penalty.points) or 0
            costs_by_code.setdefault(penalty.code, []).append(cost)

    for code, costs in costs_by_code.items():
        yield CountedLine(
            item="penalty",
            number=len(costs),
            points=-sum(costs),
            cited_settings=(f"penalties/{code}",),
            code=code,
        )


@score_line("bonus")
def count_bonus(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """Count the bonuses that the players gave a party, in one line for each kind of bonus.

    Only house rules have such bonuses. One of 50 points that was given twice → a line of 100.

    A party is the sides (teams) that lay their cards together. Each of them gets these lines.
    """
    codes: list[str] = []
    for entry in party.entries:
        codes += entry.bonuses
    for code in _remove_duplicates(codes):
        count = codes.count(code)
        yield CountedLine(
            item="bonus",
            number=count,
            points=count * table.rules.bonuses[code].points,
            cited_settings=(f"bonuses/{code}",),
            code=code,
        )


@score_line("adjustment")
def count_adjustments(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """Count the points on which the players agreed for a side, in one line for each reason.

    `Adjustment(points=-50, reason="spilled wine")` → a line of -50 points with that reason. Sides
    (teams) that lay their cards together do not share these points.
    """
    for entry in side.entry.adjustments:
        yield CountedLine(
            item="adjustment",
            number=None,
            points=entry.points,
            cited_settings=("table-agreement",),
            reason=entry.reason,
        )
