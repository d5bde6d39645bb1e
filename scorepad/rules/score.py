"""How the lines of a score are counted, each by the function registered for a line rule of the
data.

The function gives the count, the points and the settings to cite: what the points follow from, by
the names of settings (`out-bonus`), steps of settings (`canastas/samba`) and penalties
(`penalties/house`). The line cites the sources of these settings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import ceil
from typing import Literal, NamedTuple

from scorepad.rules.applied import SETTINGS_OF_CANASTAS
from scorepad.rules.cards import (
    BLACK_THREE,
    INDEX,
    JOKER,
    NATURAL_INDICES,
    RED_THREE,
    Cards,
    gather,
)
from scorepad.rules.definitions import Rule, Ruleset
from scorepad.rules.hand import EXTRA_COUNTS, ExtraCount, SideEntry
from scorepad.rules.score_lines import Line, sort_by_item
from scorepad.rules.settings import HeldKind, IncompleteKind, OutBonus, Settings
from scorepad.rules.table import (
    LaidSide,
    Party,
    Table,
    find_kind_of_canasta,
    find_kind_of_incomplete_meld,
)
from scorepad.rules.turn_checks import has_canasta_of_inferred_family, has_canastas_to_go_out


class CountedLine(NamedTuple):
    """A line of a score before its sources are added.

    `number` is how many cards or canastas the points are for; None if only points were given.
    """

    item: str
    number: int | None
    points: int
    cited_settings: tuple[str, ...]
    """What gave the points: the sources of these settings, steps and penalties are named."""
    code: str | None = None
    reason: str | None = None
    also_depends_on: tuple[str, ...] = ()
    """Other settings that decided the points. Their sources are not named; but if the players
    changed one of them, no source supports the line.
    """


PartyLineCounter = Callable[[Table, Party], Iterator[CountedLine]]
SideLineCounter = Callable[[Table, Party, LaidSide], Iterator[CountedLine]]

LINES: list[str] = []
"""All line rules that have a function."""
PARTY_LINES: dict[str, PartyLineCounter] = {}
"""The functions that count lines of a party, by the line rule: each of its sides gets them."""
SIDE_LINES: dict[str, SideLineCounter] = {}
"""The functions that count lines of a single side of a party, by the line rule."""


def line_of_party(rule: str) -> Callable[[PartyLineCounter], PartyLineCounter]:
    """Register the decorated function, which counts lines of the score sheet for a party.

    A party is the sides (teams) that lay their cards together: each of them gets these lines.
    `@line_of_party("cards")`: the line rule `cards`, which the data of most games lists, is counted
    by this function.
    """
    return partial(_store_line_of_party, rule)


def _store_line_of_party(rule: str, count_lines: PartyLineCounter) -> PartyLineCounter:
    """Store the function that counts the lines of a party by a line rule, and return it."""
    _add_line_rule(rule)
    PARTY_LINES[rule] = count_lines
    return count_lines


def _add_line_rule(rule: str) -> None:
    """Add a line rule to those that the data may name. Each is counted by one function."""
    assert rule not in LINES, f"two functions for the line rule {rule}"
    LINES.append(rule)


def line_of_side(rule: str) -> Callable[[SideLineCounter], SideLineCounter]:
    """Register the decorated function, which counts lines of the score sheet for one side (team).

    `@line_of_side("adjustment")`: the line rule `adjustment`, which the data of most games lists,
    is counted by this function.
    """
    return partial(_store_line_of_side, rule)


def _store_line_of_side(rule: str, count_lines: SideLineCounter) -> SideLineCounter:
    """Store the function that counts the lines of a side by a line rule, and return it."""
    _add_line_rule(rule)
    SIDE_LINES[rule] = count_lines
    return count_lines


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
        count_for_party = PARTY_LINES.get(rule.id)
        if count_for_party is not None:
            counted_lines = count_for_party(table, party)
        else:
            counted_lines = SIDE_LINES[rule.id](table, party, side)
        for counted in counted_lines:
            if counted.number != 0:
                lines.append(_add_sources_to_line(counted, table.rules))
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


def _add_sources_to_line(counted: CountedLine, rules: Ruleset) -> Line:
    """Turn a counted line into the line of the score sheet, which names the rule books behind it.

    If the players changed a setting that decided the points, no rule book is named.
    """
    support = rules.cite(counted.cited_settings, counted.also_depends_on)
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


# ---------------------------------------------------------------- canastas and cards laid


def _find_step_by_canastas(party: Party, steps: tuple[int, ...]) -> int:
    """Find which of the `steps` holds for a party by its number of canastas.

    A canasta is a group of seven cards or more, and a party the sides (teams) that lay their cards
    together. The first step is for no canasta, the next for one, and so on; the last one also for
    any more. Of two steps: no canasta → 0, one → 1, and three → 1.
    """
    last_step = len(steps) - 1
    return min(party.families.total(), last_step)


@line_of_party("canastas")
def count_canastas(table: Table, party: Party) -> Iterator[CountedLine]:
    """Count the bonus of a party for its canastas (groups of seven cards or more), by kind.

    Two natural canastas at 500 points each → a line of 1,000 points. In some games canastas count
    only for a party that has as many as are needed to end the round; otherwise they give 0 points.

    A party is the sides (teams) that lay their cards together: each of them gets these lines.
    """
    are_counted = table.settings.canastas_count == "always" or has_canastas_to_go_out(table, party)
    points_by_kind = {kind.item: kind.points for kind in table.settings.canastas}
    number_scored = _count_canastas_scored(table, party, points_by_kind)
    for item, count in party.canastas.items():
        if item not in points_by_kind:
            continue  # the extra bonus for concealed canastas, which has its own line
        points = 0
        cited_settings = ["canastas-count"]  # the rule by which they do not count
        if are_counted:
            points = number_scored[item] * points_by_kind[item]
            cited_settings = [f"canastas/{item}"]
            if number_scored[item] < count:
                cited_settings.append("canastas-capped")
        yield CountedLine(
            item=item,
            number=count,
            points=points,
            cited_settings=tuple(cited_settings),
            also_depends_on=("canasta-length", "canastas", "canastas-count", "wild-limit"),
        )


def _find_most_canastas_scored(table: Table, party: Party) -> int | None:
    """Find of how many canastas a party may score the bonus; None for all of them.

    At some tables a party that did not go out scores at most as many as the one that went out has.
    A canasta is a group of seven cards or more, and a party the sides that lay cards together.
    """
    if table.settings.canastas_capped == "never" or party.is_out:
        return None
    for other in table.parties:
        if other.is_out and not other.is_summed:
            return other.families.total()
    return None  # nobody went out, or it is not known how many canastas that party has


def _count_canastas_scored(
    table: Table, party: Party, points_by_kind: Mapping[str, int]
) -> dict[str, int]:
    """Count the canastas whose bonus a party scores, by kind: the dearest, if not all of them."""
    most = _find_most_canastas_scored(table, party)
    scored: dict[str, int] = {}
    for item in sorted(points_by_kind, key=points_by_kind.__getitem__, reverse=True):
        scored[item] = party.canastas[item]
        if most is not None:
            scored[item] = min(party.canastas[item], most)
            most -= scored[item]
    return scored


@line_of_party("concealed-canasta")
def count_concealed_canasta(table: Table, party: Party) -> Iterator[CountedLine]:
    """Count the extra bonus for canastas that were laid on the table complete, in one go.

    A canasta is a group of seven cards or more. Two such canastas at 100 points each → a line of
    200 points. Most games have no such bonus: then there is no line.

    A party is the sides (teams) that lay their cards together: each of them gets this line.
    """
    points_of_each = table.settings.concealed_canasta
    if points_of_each == 0:
        return
    count = party.canastas["concealed-canasta"]
    kinds = _list_kinds_laid_complete(table.settings, party, count)
    cited_settings = [f"concealed-canasta/{kind}" for kind in kinds]
    number_scored = count
    most_scored = _find_most_canastas_scored(table, party)
    if most_scored is not None and most_scored < count:
        number_scored = most_scored
        cited_settings.append("canastas-capped")
    yield CountedLine(
        item="concealed-canasta",
        number=count,
        points=number_scored * points_of_each,
        cited_settings=tuple(cited_settings),
        also_depends_on=("canasta-length",),
    )


def _list_kinds_laid_complete(settings: Settings, party: Party, number: int) -> list[str]:
    """List the kinds of canasta among those that a party laid complete, in one go: each kind once.

    A canasta is a group of seven cards or more, and a party the sides (teams) that lay their cards
    together. It laid `number` of them complete: `["natural-canasta", "mixed-canasta"]`. Where it is
    not known which ones, all kinds that the party has are listed.
    """
    kinds: list[str] = []
    for laid in party.melds:
        kind = find_kind_of_canasta(laid.meld, settings)
        if kind is not None and laid.meld.concealed:
            kinds.append(kind.item)

    are_all_known = len(kinds) == number
    if not are_all_known:  # of the others, the players entered no cards
        kinds += [kind.item for kind in settings.canastas if party.canastas[kind.item] > 0]
    return _remove_duplicates(kinds)


def _remove_duplicates(names: Iterable[str]) -> list[str]:
    """Return each of these names once, in the order in which they first appear.

    `b a b` → `["b", "a"]`
    """
    return list(dict.fromkeys(names))


@line_of_party("cards")
def count_cards(table: Table, party: Party) -> Iterator[CountedLine]:
    """Count the points of all cards that a party laid on the table, as one line.

    In some games they are added or subtracted by the number of the party's canastas (groups of
    seven cards or more): without a canasta, cards worth 150 points may count as -150.

    A party is the sides (teams) that lay their cards together: each of them gets this line.
    """
    signs = table.settings.cards_by_canastas  # 1 adds the points, -1 subtracts them
    step = _find_step_by_canastas(party, signs)
    cited_settings = [_cite_value_of_cards_laid(party)]
    also_depends_on: tuple[str, ...] = ("cards-by-canastas",)
    does_number_of_canastas_matter = len(signs) > 1
    if does_number_of_canastas_matter:
        cited_settings.append(f"cards-by-canastas/{step}")
        also_depends_on = ("cards-by-canastas", *SETTINGS_OF_CANASTAS)
    yield CountedLine(
        item="cards",
        number=_count_cards_laid(party),
        points=party.points * signs[step],
        cited_settings=tuple(cited_settings),
        also_depends_on=also_depends_on,
    )


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


_ALL_JOKERS = 4
"""The jokers of two decks."""


@line_of_party("incomplete")
def count_incomplete(table: Table, party: Party) -> Iterator[CountedLine]:
    """Count the cost of melds (groups of cards) that had to become canastas and did not.

    In some games a meld of sevens, say, costs points at the end of the round if it has not grown to
    a canasta, a meld of seven cards. One such meld at 1,500 points → a line of -1,500.

    A party is the sides (teams) that lay their cards together: each of them gets this line.
    """
    for kind in table.settings.incomplete:
        if kind.item is None:
            continue  # such a meld costs nothing: it only stops its side from ending the round
        count = party.incomplete[kind.name]
        cost = count * kind.points + _count_extra_cost_of_four_jokers(table.settings, party, kind)
        yield CountedLine(
            item=kind.item,
            number=count,
            points=-cost,
            cited_settings=(f"incomplete/{kind.name}",),
            also_depends_on=("canasta-length",),
        )


def _count_extra_cost_of_four_jokers(settings: Settings, party: Party, kind: IncompleteKind) -> int:
    """Count what an incomplete meld of this kind costs more because it holds all four jokers.

    In most games it is nothing. Nor is it known of melds of which only their number was entered.
    """
    if kind.four_jokers == 0:
        return 0
    for laid in party.melds:
        is_of_kind = find_kind_of_incomplete_meld(laid.meld, settings) == kind
        if is_of_kind and laid.meld.cards.counts[JOKER] == _ALL_JOKERS:
            return kind.four_jokers
    return 0


# ---------------------------------------------------------------- threes exposed

BOTH_HALVES = 2
"""The whole value of red threes, of which the shares are counted in halves."""

_SETTINGS_OF_RED_THREES = (
    "red-three-values", "red-threes-condition", "red-threes-otherwise", "red-threes-by-canastas",
    "red-threes-by-families",
)  # fmt: skip
_DECIDING_ON_RED_THREES: dict[str, tuple[str, ...]] = {
    "opened": (),
    "out-needs": ("canastas-needed", *SETTINGS_OF_CANASTAS),
    "canastas": SETTINGS_OF_CANASTAS,
    "families": SETTINGS_OF_CANASTAS,
}
"""The settings that decide whether a party meets the condition for its red threes to count, by that
condition.
"""


class Shares(NamedTuple):
    """What becomes of the value of a party's red threes, in halves: 2 is all of it, -2 a loss."""

    own_halves: int
    """What the party itself gets."""
    opponents_halves: int
    """What each of its opponents gets."""


class _CountedThrees(NamedTuple):
    """Red threes that count for a side: their number and points, and the settings to cite."""

    number: int
    points: int
    cited_settings: tuple[str, ...]


_NO_THREES = _CountedThrees(number=0, points=0, cited_settings=())


@line_of_side("red-threes")
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
        also_depends_on=(
            *_SETTINGS_OF_RED_THREES,
            *_DECIDING_ON_RED_THREES[table.settings.red_threes_condition],
        ),
    )


def count_points_of_red_threes(table: Table, party: Party, side: LaidSide) -> int:
    """Count the points that a side gets for red threes (bonus cards): 200 for two of them.

    `party` are the sides (teams) that lay their cards together with it.
    """
    return sum(line.points for line in count_red_threes(table, party, side))


def _count_own_red_threes(table: Table, party: Party, side: LaidSide) -> _CountedThrees:
    """Count the red threes (bonus cards) that a side has on the table, and the points it gets.

    Two red threes → 200 points. If the side did not meet a condition of the game, they may count
    against it: -200 points. `party` are the sides (teams) that lay their cards together with it,
    and meet that condition together.
    """
    number = side.entry.red_threes
    if number == 0:
        return _NO_THREES
    shares = _find_shares_of_red_threes(table, party)
    points = _compute_points_of_red_threes(table.settings, number, shares.own_halves)
    cited_settings = _cite_red_threes(table, party, number, points)
    return _CountedThrees(number, points, cited_settings)


def _count_red_threes_given_away(table: Table, loser: Party) -> _CountedThrees:
    """Count the red threes that a party loses to its opponents, and the points each of them gets.

    Red threes are bonus cards, and a party is the sides (teams) that lay their cards together. In
    some games their points go to the opponents if the party does not meet a condition. In all other
    cases the opponents get nothing: the result is `_NO_THREES`.
    """
    number = sum([entry.red_threes for entry in loser.entries])
    if number == 0:
        return _NO_THREES
    shares = _find_shares_of_red_threes(table, loser)
    if shares.opponents_halves == 0:
        return _NO_THREES
    points = _compute_points_of_red_threes(table.settings, number, shares.opponents_halves)
    points_of_loser = -points  # the settings explain why it lost them
    cited_settings = _cite_red_threes(table, loser, number, points_of_loser)
    return _CountedThrees(number, points, cited_settings)


def cite_points_of_red_threes(
    table: Table, party: Party, count: int, points: int
) -> tuple[str, ...]:
    """Name the settings that explain the points of a party's red threes (bonus cards).

    A party is the sides (teams) that lay their cards together. For two red threes of a party that
    laid cards, as most games require: `("red-three-values/2", "red-threes-condition")`. Settings
    that the players changed come last, if they matter too.
    """
    cited_settings = _cite_red_threes(table, party, count, points)
    also_deciding = _DECIDING_ON_RED_THREES[table.settings.red_threes_condition]
    return (*cited_settings, *table.rules.find_settings_chosen_by_players(also_deciding))


def _cite_red_threes(table: Table, party: Party, count: int, points: int) -> tuple[str, ...]:
    """Name the settings that gave a party the points of its red threes (bonus cards).

    A party is the sides (teams) that lay their cards together. By what the game asks of it:

    - that it laid cards, and it did → `("red-three-values/2", "red-threes-condition")`
    - that it laid cards, and it did not → `("red-threes-otherwise",)`
    - canastas (groups of seven cards or more), and it has one →
      `("red-three-values/2", "red-threes-by-canastas/1")`
    """
    settings = table.settings
    cited_settings: list[str] = []
    if settings.red_threes_condition in ("canastas", "families"):
        if points != 0:
            cited_settings.append(f"red-three-values/{count}")
        cited_settings += _cite_canastas_for_red_threes(table, party)
        return tuple(cited_settings)

    is_condition_met = points > 0
    if is_condition_met:
        cited_settings += [f"red-three-values/{count}", "red-threes-condition"]
    else:
        cited_settings.append("red-threes-otherwise")
    if settings.red_threes_condition == "out-needs" and settings.canasta_families_needed:
        cited_settings.append("canasta-families-needed")
    return tuple(cited_settings)


def _cite_canastas_for_red_threes(table: Table, party: Party) -> list[str]:
    """Name the settings by which a party's canastas decide what its red threes count.

    A canasta is a group of seven cards or more. For a party with one of them:

    - where their number decides → `["red-threes-by-canastas/1"]`
    - where it matters whether they are natural or mixed → `["red-threes-by-families/natural"]`
    """
    if table.settings.red_threes_condition == "canastas":
        step = _find_step_by_canastas(party, table.settings.red_threes_by_canastas)
        return [f"red-threes-by-canastas/{step}"]
    cited_settings = [f"red-threes-by-families/{_classify_families_of_canastas(party)}"]
    if has_canasta_of_inferred_family(table.rules, party):
        cited_settings.append("canastas")
    return cited_settings


def _compute_points_of_red_threes(settings: Settings, count: int, halves: int) -> int:
    """Compute the points that so many red threes (bonus cards) give together.

    `halves` is how many halves of their value a side gets. For two red threes worth 200 points
    together:

    - 2, that is, both halves → 200
    - 1, one half → 100
    - -2 → -200, the value is subtracted
    """
    value_of_all = settings.red_three_values[count - 1]  # the list begins with the value of one
    return value_of_all * halves // BOTH_HALVES


def _find_shares_of_red_threes(table: Table, party: Party) -> Shares:
    """Find how much of the value of a party's red threes (bonus cards) each side gets, in halves.

    A party is the sides (teams) that lay their cards together.

    - the party gets all of it → `Shares(own_halves=2, opponents_halves=0)`
    - it is subtracted from the score of the party → `Shares(own_halves=-2, opponents_halves=0)`
    """
    settings = table.settings
    if settings.red_threes_condition == "canastas":
        # It depends on how many canastas (groups of seven cards or more) the party has.
        signs = settings.red_threes_by_canastas  # 1 adds the value, -1 subtracts it
        sign = signs[_find_step_by_canastas(party, signs)]
        return Shares(own_halves=sign * BOTH_HALVES, opponents_halves=0)
    if settings.red_threes_condition == "families":
        # It depends on whether the party has natural canastas, mixed ones, both or none.
        shares_by_families = {share.having: share for share in settings.red_threes_by_families}
        share = shares_by_families[_classify_families_of_canastas(party)]
        return Shares(share.own, share.opponents)
    if _meets_condition_of_red_threes(table, party):
        return Shares(own_halves=BOTH_HALVES, opponents_halves=0)
    return _find_shares_if_condition_is_not_met(settings)


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
        return Shares(own_halves=-BOTH_HALVES, opponents_halves=0)
    if settings.red_threes_otherwise == "to-opponents":
        return Shares(own_halves=0, opponents_halves=BOTH_HALVES)
    return Shares(own_halves=0, opponents_halves=0)


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


@line_of_party("black-threes")
def count_black_threes(table: Table, party: Party) -> Iterator[CountedLine]:
    """Count the black threes that a party laid on the table as bonus cards, where a game has those.

    The number of the party's canastas (groups of seven cards or more) decides whether they are
    added, subtracted or not counted. Two black threes worth 300 points together, with no canasta →
    a line of -300 points.

    A party is the sides (teams) that lay their cards together: each of them gets this line.
    """
    count = party.sum_extra("black_threes")
    if count == 0:
        return
    values_together = table.settings.black_threes_exposed  # of one, two, three … cards
    signs = (
        table.settings.red_threes_by_canastas
    )  # for threes of both colours: 1 adds, -1 subtracts
    step = _find_step_by_canastas(party, signs)
    cited_settings = [f"red-threes-by-canastas/{step}"]
    if signs[step] != 0:
        cited_settings.insert(0, f"black-threes-exposed/{count}")
    yield CountedLine(
        item="black-threes",
        number=count,
        points=values_together[count - 1] * signs[step],
        cited_settings=tuple(cited_settings),
        also_depends_on=("black-threes-exposed", "red-threes-by-canastas", *SETTINGS_OF_CANASTAS),
    )


# ---------------------------------------------------------------- cards in hand at the end

_SETTINGS_OF_CARDS_LEFT = ("card-points", "left-black-three", "left-wild", "left-group")


@line_of_party("cards-left")
def count_cards_left(table: Table, party: Party) -> Iterator[CountedLine]:
    """Count the cost of the cards that players still have in hand when the round ends.

    Most games subtract the points of these cards: `K K` → a line of -20 points. One game, mini,
    counts units in place of points. Red threes have a line of their own.

    A party is the sides (teams) that lay their cards together: each of them gets this line.
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
        also_depends_on=_SETTINGS_OF_CARDS_LEFT,
    )


def _count_units_of_cards_left(settings: Settings, cards_in_hand: Cards) -> int:
    """Count what cards still in hand cost, in a game that counts units in place of points.

    Each wild card (joker or two) costs `left-wild` units. The other cards are put into groups of
    `left-group` cards, and each group costs one unit, the last one even if it is not full. Threes
    cost nothing. With 3 for both settings: a joker and four other cards → 3 + 2 = 5.
    """
    units = cards_in_hand.wilds * settings.left_wild
    if settings.cards_left != "groups-by-rank":
        return units + ceil(cards_in_hand.naturals / settings.left_group)
    for rank in NATURAL_INDICES:  # a group may not hold cards of two ranks
        units += ceil(cards_in_hand.counts[rank] / settings.left_group)
    return units


def _count_cards_left_by_points(settings: Settings, party: Party) -> CountedLine:
    """Count the line for cards still in hand, in a game that subtracts the points of these cards.

    A party is the sides (teams) that lay their cards together. Each of them entered its cards, or
    only how many points they are worth: `K K` of one and 25 points of another → a line of -45.
    """
    cards_in_hand = gather(party.held)
    points = cards_in_hand.points(settings.left_points)
    for entry in party.entries:
        points += entry.left.points  # 0 if its cards were entered

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
        also_depends_on=_SETTINGS_OF_CARDS_LEFT,
    )


def _find_number_of_cards_left(party: Party, cards_in_hand: Cards) -> int | None:
    """Find how many cards the players of a party still have in hand; None if that is not known.

    It is not known where a side entered only the points of its cards. Red threes are left out: they
    have a line of their own. `cards_in_hand` are the cards of the sides that entered cards.
    """
    number = cards_in_hand.size - cards_in_hand.counts[RED_THREE]
    points_entered = [entry.left.points for entry in party.entries if entry.left.is_in_points]
    if any(points != 0 for points in points_entered):
        return None
    if points_entered and number == 0:
        return None  # 0 points were entered: no cards, or cards that are worth nothing
    return number


@line_of_side("red-threes-held")
def count_red_threes_held(table: Table, _party: Party, side: LaidSide) -> Iterator[CountedLine]:
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


@line_of_party("held-together")
def count_held_together(table: Table, party: Party) -> Iterator[CountedLine]:
    """Count the cost of too many cards of one rank in a player's hand when the round ends.

    In some games a player pays for three sevens, say. Two such players at 500 points each → a line
    of -1,000 points.

    A party is the sides (teams) that lay their cards together: each of them gets this line.
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


def count_extra_cards(extra: ExtraCount, table: Table, party: Party) -> Iterator[CountedLine]:
    """Count the line of cards that only some games ask for, such as black threes laid aside.

    `extra` says which cards these are, and `party` are the sides that lay their cards together.
    Three such cards of the party may be worth 15 points: a line of 15.
    """
    number = party.sum_extra(extra.key)
    if number == 0:
        return
    yield CountedLine(
        item=extra.item,
        number=number,
        points=extra.count_points(table.settings, number),
        cited_settings=(extra.find_setting_to_cite(number),),
    )


for _extra in EXTRA_COUNTS:
    if not _extra.has_own_line:
        line_of_party(_extra.item)(partial(count_extra_cards, _extra))


# ---------------------------------------------------------------- going out


class _BonusForWay(NamedTuple):
    """The bonus for the way of going out, and the setting that holds it."""

    points: int
    setting: str


@line_of_party("out")
def count_out(table: Table, party: Party) -> Iterator[CountedLine]:
    """Count the bonus for going out: a player of the side played the last card and ended the round.

    It is usually 100 points. A party is the sides (teams) that lay their cards together. Each of
    them gets this line.
    """
    if table.hand.out is None or not party.is_out:
        return
    bonus = count_bonus_for_going_out(table, party, concealed=table.hand.out.concealed)
    yield CountedLine(
        item="out",
        number=1,
        points=bonus.points,
        cited_settings=bonus.cited_settings,
        also_depends_on=("out-bonus-canastas", *bonus.also_depends_on),
    )


class BonusForGoingOut(NamedTuple):
    """The bonus for going out, with the settings that gave it."""

    points: int
    cited_settings: tuple[str, ...]
    also_depends_on: tuple[str, ...] = ()
    """Other settings that decided the points, and are cited only if the players changed them."""


def count_bonus_for_going_out(table: Table, party: Party, *, concealed: bool) -> BonusForGoingOut:
    """Count the bonus of a party for going out, that is, for playing the last card of the round.

    It is usually 100 points. Some games have another bonus for a party with many canastas (groups
    of seven cards or more), and count the higher one, or the sum of both. A party is the sides
    (teams) that lay their cards together. `concealed`: a player laid all cards in one turn.
    """
    usual = _find_bonus_for_way_of_going_out(table.settings, concealed=concealed)
    for_canastas = _find_best_bonus_for_canastas(table.settings, party)
    if for_canastas is None:
        return BonusForGoingOut(usual.points, (usual.setting,))

    cited_for_canastas = [f"out-bonus-canastas/{for_canastas.canastas}", "out-bonus-adds"]
    if has_canasta_of_inferred_family(table.rules, party):
        cited_for_canastas.append("canastas")
    if table.settings.out_bonus_adds == "sum":
        return BonusForGoingOut(
            points=usual.points + for_canastas.points,
            cited_settings=(usual.setting, *cited_for_canastas),
            also_depends_on=SETTINGS_OF_CANASTAS,
        )
    return BonusForGoingOut(
        points=max(usual.points, for_canastas.points),
        cited_settings=tuple(cited_for_canastas),
        also_depends_on=(*SETTINGS_OF_CANASTAS, usual.setting),  # the usual one may be higher
    )


def _find_bonus_for_way_of_going_out(settings: Settings, *, concealed: bool) -> _BonusForWay:
    """Find the bonus for playing the last card of a round, by the way in which it was done.

    - all cards laid in one turn ("concealed") → `_BonusForWay(200, "concealed-out-bonus")`
    - in any other way → `_BonusForWay(100, "out-bonus")`
    """
    if concealed:
        return _BonusForWay(settings.concealed_out_bonus, "concealed-out-bonus")
    return _BonusForWay(settings.out_bonus, "out-bonus")


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


@line_of_side("special")
def count_special(table: Table, _party: Party, side: LaidSide) -> Iterator[CountedLine]:
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


@line_of_side("sum")
def count_agreed_sum(_table: Table, _party: Party, side: LaidSide) -> Iterator[CountedLine]:
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


@line_of_party("penalty")
def count_penalty(table: Table, party: Party) -> Iterator[CountedLine]:
    """Count what penalties cost a party, in one line for each kind of penalty.

    Two penalties `draw-out-of-turn` at 100 points each → a line of -200 points.

    A party is the sides (teams) that lay their cards together: each of them gets these lines.
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


@line_of_party("bonus")
def count_bonus(table: Table, party: Party) -> Iterator[CountedLine]:
    """Count the bonuses that the players gave a party, in one line for each kind of bonus.

    Only house rules have such bonuses. One of 50 points that was given twice → a line of 100. A
    party is the sides (teams) that lay their cards together: each of them gets all these points.
    """
    times_by_code: dict[str, int] = {}
    for entry in party.entries:
        for code in entry.bonuses:
            times_by_code[code] = times_by_code.get(code, 0) + 1
    for code, times in times_by_code.items():
        yield CountedLine(
            item="bonus",
            number=times,
            points=times * table.rules.bonuses[code].points,
            cited_settings=(f"bonuses/{code}",),
            code=code,
        )


@line_of_side("adjustment")
def count_adjustments(_table: Table, _party: Party, side: LaidSide) -> Iterator[CountedLine]:
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
