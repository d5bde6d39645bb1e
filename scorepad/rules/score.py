"""How the lines of a score are counted, each by the function registered for a line rule of the
data.

The function gives the count, the points and the settings to cite: what the points follow from, by the names
of settings (`out-bonus`), steps of settings (`canastas/samba`) and penalties (`penalties/house`).
The line cites the sources of these cited_settings.
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
from scorepad.rules.turn_checks import has_out_canastas, wild_family_cited_settings


class CountedLine(NamedTuple):
    """A line of a score before its sources are added.

    `number` is how many cards or canastas the points are for; None if only points were given.
    `cited_settings` (`Ruleset.find_citations`): only the settings, steps and penalties that were applied.
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


def count_lines_of_side(table: Table, party: Party, side: LaidSide) -> tuple[Line, ...]:
    """The lines of one side in the order of `ITEMS`, without those that count nothing."""
    lines: list[Line] = []
    for rule in _line_rules(table.rules, side.entry):
        count_lines = LINES[rule.id]
        for counted in count_lines(table, party, side):
            if counted.number != 0:
                lines.append(cited_line(counted, table.rules, rule.id))
    lines.sort(key=lambda line: sort_by_item(line.item))
    return tuple(lines)


def _line_rules(rules: Ruleset, entry: SideEntry) -> Sequence[Rule]:
    """The line rules by which a side is counted, in the order of the data."""
    if entry.special is not None:
        return [rule for rule in rules.lines if rule.id in BESIDE_SPECIAL]
    if entry.sum is not None:
        return [rule for rule in rules.lines if rule.id in BESIDE_SUM]
    return rules.lines


def cited_line(counted: CountedLine, rules: Ruleset, line_rule: str) -> Line:
    """The line of a score with its sources: those of the settings that gave its points.

    `line_rule` is the rule by which it was counted. Other settings that the points depend on are not
    cited, but if the players changed one of them, no source supports the line.
    """
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


def count_line(
    table: Table, party: Party, side: LaidSide, line_rule: str
) -> tuple[int, tuple[str, ...]]:
    """The points (or units) that a line rule gives a side, and the settings cited for them."""
    points = 0
    cited_settings: list[str] = []
    for counted in LINES[line_rule](table, party, side):
        points += counted.points
        cited_settings += counted.cited_settings
    return points, tuple(cited_settings)


# ---------------------------------------------------------------- canastas and cards laid


class SignByCanastas(NamedTuple):
    """How points count for a party by the number of its canastas.

    `sign`: 1 in its favour, -1 against it, 0 not at all. `cited_setting`: the step of the setting that
    says so, as `cards-by-canastas/2`.
    """

    sign: int
    cited_setting: str


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
    cited_settings = [
        f"concealed-canasta/{item}" for item in concealed_kinds(table.settings, party)
    ]
    yield CountedLine("concealed-canasta", count, count * bonus, tuple(cited_settings))


def concealed_kinds(settings: Settings, party: Party) -> tuple[str, ...]:
    """The kinds of the canastas that were, or may have been, laid down complete, without repeats."""
    items: list[str] = []
    for laid in party.melds:
        kind = find_kind_of_canasta(laid.meld, settings)
        if laid.meld.concealed and kind:
            items.append(kind.item)
    are_some_unknown = len(items) < party.canastas["concealed-canasta"]
    if are_some_unknown:
        # Sides that give only totals do not say which: it may be any kind that the party has.
        items += [kind.item for kind in settings.canastas if party.canastas[kind.item]]
    without_repeats = dict.fromkeys(items)
    return tuple(without_repeats)


@score_line("cards")
def count_cards(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """The points of all cards that a party laid on the table.

    In some games the number of its canastas (melds of seven cards or more) decides whether they are
    added, subtracted or not counted: without a canasta, 150 points may count as -150.
    """
    by_canastas = sign_for(party, table.settings.cards_by_canastas, "cards-by-canastas")
    yield CountedLine(
        "cards",
        _number_of_cards_laid(party),
        party.points * by_canastas.sign,
        (_worth_of_cards_laid(party), *_cited_settings_of_sign_of_cards(table, by_canastas)),
    )


def _cited_settings_of_sign_of_cards(table: Table, by_canastas: SignByCanastas) -> tuple[str, ...]:
    """The settings to cite for whether cards are added or subtracted, such as `cards-by-canastas/1`.

    None in games where cards are always added. If the players changed a rule of what is a canasta,
    that is cited too, since the number of canastas depends on it.
    """
    are_always_added = len(table.settings.cards_by_canastas) == 1
    if are_always_added:
        return ()
    rules_changed_by_players = table.rules.find_settings_chosen_by_players(CANASTA_OR_NOT)
    return (by_canastas.cited_setting, *rules_changed_by_players)


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
        cited_settings = (
            f"incomplete/{kind.name}",
            *table.rules.find_settings_chosen_by_players(["canasta-length"]),
        )
        yield CountedLine(kind.item, count, -count * kind.points, cited_settings)


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
    """Red threes (bonus cards) exposed: those of the side itself, and those that other parties have
    but whose value goes to this one.
    """
    counted = [_own_red_threes(table, party, side)]
    for other_party in table.parties:
        if other_party is not party:
            counted.append(_red_threes_given_away(table, other_party))

    number = 0
    points = 0
    cited_settings: list[str] = []
    for threes in counted:
        number += threes.number
        points += threes.points
        cited_settings += threes.cited_settings
    without_repeats = tuple(dict.fromkeys(cited_settings))
    yield CountedLine("red-threes", number, points, without_repeats)


def _own_red_threes(table: Table, party: Party, side: LaidSide) -> _CountedThrees:
    """The red threes that a side exposed, with what it gets for them itself."""
    number = side.entry.red_threes
    if number == 0:
        return _NO_THREES
    share = _shares(table, party).own
    points = _points_of_red_threes(table.settings, number, share)
    return _CountedThrees(number, points, red_three_cited_settings(table, party, number, points))


def _red_threes_given_away(table: Table, party: Party) -> _CountedThrees:
    """The red threes of a party whose value goes to each of its opponents, with what each gets; none
    if the opponents get nothing.
    """
    number = 0
    for entry in party.entries:
        number += entry.red_threes
    if number == 0:
        return _NO_THREES
    share = _shares(table, party).opponents
    if share == 0:
        return _NO_THREES
    points = _points_of_red_threes(table.settings, number, share)
    # What is cited is why they are lost for the party that has them.
    cited_settings = red_three_cited_settings(table, party, number, -points)
    return _CountedThrees(number, points, cited_settings)


def red_three_cited_settings(
    table: Table, party: Party, count: int, points: int
) -> tuple[str, ...]:
    """The names of the settings whose sources are cited for the points of a party's red threes.

    Depending on the variant, `count` of them are worth these `points` because of the number of the
    party's canastas, their families, or a condition that it met or not. If it opened with two red
    threes: `("red-three-values/2", "red-threes-condition")`.
    """
    condition = table.settings.red_threes_condition
    if condition == "canastas":
        cited_settings = _cited_settings_by_canastas(table, party)
        return (*_settings_of_value(count, points), *cited_settings)
    if condition == "families":
        cited_settings = _cited_settings_by_families(table, party)
        return (*_settings_of_value(count, points), *cited_settings)
    return _cited_settings_by_condition(table, count, points)


def _settings_of_value(count: int, points: int) -> tuple[str, ...]:
    """The setting to cite for the value of `count` red threes: of two, `("red-three-values/2",)`.

    It is not cited for threes that count 0 points, because their value was not applied then.
    """
    if points == 0:
        return ()
    return (f"red-three-values/{count}",)


def _cited_settings_by_condition(table: Table, count: int, points: int) -> tuple[str, ...]:
    """The settings to cite for what `count` red threes are worth, where that depends on a condition:
    that the party laid cards, or that it has the canastas needed for going out.

    Two threes worth 200 → `("red-three-values/2", "red-threes-condition")`. Threes that met no
    condition are worth nothing to the party, or less: `("red-threes-otherwise",)` says which.
    """
    settings_of_condition: tuple[str, ...] = ()
    if table.settings.red_threes_condition == "out-needs":
        settings_of_condition = _cited_settings_of_out_needs(table)
    is_condition_met = points > 0
    if is_condition_met:
        return (f"red-three-values/{count}", "red-threes-condition", *settings_of_condition)
    return ("red-threes-otherwise", *settings_of_condition)


def _cited_settings_by_canastas(table: Table, party: Party) -> tuple[str, ...]:
    """The settings to cite for whether threes count for or against a party with so many canastas.

    With one canasta: `("red-threes-by-canastas/1",)`. If the players changed a rule of what is a
    canasta, such as the number of its cards, that is cited too, since the number depends on it.
    """
    signs = table.settings.red_threes_by_canastas
    by_canastas = sign_for(party, signs, "red-threes-by-canastas")
    rules_changed_by_players = table.rules.find_settings_chosen_by_players(CANASTA_OR_NOT)
    return (by_canastas.cited_setting, *rules_changed_by_players)


def _cited_settings_by_families(table: Table, party: Party) -> tuple[str, ...]:
    """The settings to cite for whether red threes count for or against a party with these families
    of canastas: natural ones, mixed ones (with wild cards), both or none.

    With natural canastas only: `("red-threes-by-families/natural",)`. If the party has a canasta of
    wild cards alone, the setting that says whether that is natural or mixed is cited too. So are
    rules of what is a canasta, if the players changed them.
    """
    families = _families_of(party)
    setting_of_families = f"red-threes-by-families/{families}"
    settings_of_wild_canastas = wild_family_cited_settings(table.rules, party)
    rules_changed_by_players = table.rules.find_settings_chosen_by_players(CANASTA_OR_NOT)
    return (setting_of_families, *settings_of_wild_canastas, *rules_changed_by_players)


def _cited_settings_of_out_needs(table: Table) -> tuple[str, ...]:
    """The settings to cite for whether a party has the canastas needed for going out (playing the
    last card): what families of them are needed, and rules that the players themselves changed.
    """
    cited_settings: list[str] = []
    if table.settings.canasta_families_needed:
        cited_settings.append("canasta-families-needed")
    cited_settings += table.rules.find_settings_chosen_by_players(
        ["canastas-needed", *CANASTA_OR_NOT]
    )
    return tuple(cited_settings)


def _points_of_red_threes(settings: Settings, count: int, share: int) -> int:
    """The points of so many red threes together, of which a side gets this share, in halves."""
    return settings.red_three_values[count - 1] * share // WHOLE


def _shares(table: Table, party: Party) -> Shares:
    """The part of the value of a party's red threes that it gets itself, and that its opponents get.

    The variant decides on what that depends: on the number of the party's canastas (melds of seven
    cards or more), on their families (natural, or mixed with wild cards), or on a condition, such as
    that it laid any cards.
    """
    settings = table.settings
    if settings.red_threes_condition == "canastas":
        return _shares_by_canastas(settings, party)
    if settings.red_threes_condition == "families":
        return _shares_of_families(settings, party)
    if _is_red_three_condition_met(table, party):
        return Shares(own=WHOLE, opponents=0)
    return _shares_otherwise(settings)


def _shares_by_canastas(settings: Settings, party: Party) -> Shares:
    """The shares for a party with so many canastas: its own is the whole value, as points for it or
    against it, or nothing.
    """
    signs = settings.red_threes_by_canastas
    by_canastas = sign_for(party, signs, "red-threes-by-canastas")
    return Shares(own=by_canastas.sign * WHOLE, opponents=0)


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

    The number of the side's canastas decides whether they count for it, against it or not at all,
    by the setting that decides it of red threes too.
    """
    count = party.sum_extra("black_threes")
    if count == 0:
        return
    values_together = table.settings.black_threes_exposed
    value = values_together[count - 1]  # the list begins with the value of one card

    signs = table.settings.red_threes_by_canastas
    by_canastas = sign_for(party, signs, "red-threes-by-canastas")
    points = value * by_canastas.sign

    cited_settings = _cited_settings_by_canastas(table, party)
    if by_canastas.sign != 0:  # otherwise their value is not applied, and not cited
        cited_settings = (f"black-threes-exposed/{count}", *cited_settings)
    yield CountedLine("black-threes", count, points, cited_settings)


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

    cited_settings: tuple[str, ...] = ("cards-left",)
    has_own_value = settings.left_black_three != settings.card_points[BLACK_THREE]
    if has_own_value and held.counts[BLACK_THREE]:
        cited_settings = ("cards-left", "left-black-three")
    return CountedLine("cards-left", _number_of_cards_left(party, held), -points, cited_settings)


def _number_of_cards_left(party: Party, held: Cards) -> int | None:
    """How many cards the players of a party still hold, without red threes, which have a line of
    their own; None if that is not known, because a side gives only the points of its cards.

    `held` are the cards of the other sides. With `K K 3r` in these, and 0 points of another side,
    the answer is 2; with 25 points it is None.
    """
    number = held.size - held.counts[RED_THREE]
    for entry in party.entries:
        if not entry.left.is_in_points:
            continue
        if entry.left.points != 0:
            return None  # the points do not show how many cards they are
        if number == 0:
            return None  # where no cards are given, 0 points alone do not show how many there are
    return number


@score_line("red-threes-held")
def count_red_threes_held(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """Red threes (bonus cards) that were not exposed, and are in hand when the hand ends."""
    settings = table.settings
    count = side.entry.red_threes_in_hand
    number_charged = count
    if settings.held_red_three_counts == "once":
        number_charged = min(count, 1)
    points = -number_charged * settings.held_red_three

    cited_settings: tuple[str, ...] = ("held-red-three",)
    if count > 1:  # with one, it does not matter whether each of several is charged
        cited_settings = ("held-red-three", "held-red-three-counts")
    yield CountedLine("red-threes-held", count, points, cited_settings)


@score_line("held-together")
def count_held_together(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """The cost of holding too many cards of one rank, as three sevens, when the hand ends.

    Each player who holds so many pays.
    """
    for kind in table.settings.held_together:
        # A side tells either the number of such players or the cards of each player, never both.
        players_paying = party.sum_extra(kind.key) + _players_holding(kind, party.held)
        points = -players_paying * kind.points
        setting_to_cite = f"held-together/{kind.key}"
        if players_paying > 1:
            # What one player pays has sources of its own; that each of several players pays is
            # said by the sources of the setting as a whole.
            setting_to_cite = "held-together"
        yield CountedLine(kind.item, players_paying, points, (setting_to_cite,))


def _players_holding(kind: HeldKind, hands: Iterable[Cards]) -> int:
    """How many players hold too many cards of a rank: for three sevens, `7 7 7 K` and `7 7 Q` → 1.

    `hands` are the cards of each player.
    """
    rank = INDEX[kind.rank]
    players = 0
    for cards_of_player in hands:
        if cards_of_player.counts[rank] >= kind.number:
            players += 1
    return players


# ---------------------------------------------------------------- numbers that some variants count


def line_of_extra(extra: ExtraCount) -> LineMaker:
    """The function that counts the line of a number that only some variants count."""
    if extra.points is ExtraPoints.EACH:
        return partial(_count_extra_each, extra)
    return partial(_count_extra_together, extra)


def _count_extra_each(
    extra: ExtraCount, table: Table, party: Party, side: LaidSide
) -> Iterator[CountedLine]:
    """The line of a number of cards that have the same points each: three at 100 points → 300."""
    count = party.sum_extra(extra.key)
    points_of_each = extra.read_points(table.settings)[0]
    yield CountedLine(extra.item, count, count * points_of_each, (extra.setting,))


def _count_extra_together(
    extra: ExtraCount, table: Table, party: Party, side: LaidSide
) -> Iterator[CountedLine]:
    """The line of a number of cards whose points together the setting lists: with `(5, 10, 15, 100)`,
    three count 15 points, and four 100. The step of the setting for their number is cited.
    """
    count = party.sum_extra(extra.key)
    if count == 0:
        return
    points_together = extra.read_points(table.settings)
    points = points_together[count - 1]  # the list begins with those of one card
    yield CountedLine(extra.item, count, points, (f"{extra.setting}/{count}",))


for _extra in EXTRA_COUNTS:
    if not _extra.has_own_line:
        score_line(_extra.item)(line_of_extra(_extra))


# ---------------------------------------------------------------- going out


class _BonusForWay(NamedTuple):
    """The bonus for the way of going out, and the setting that holds it."""

    points: int
    setting: str


@score_line("out")
def count_out(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """The bonus of the side whose player went out, by playing the last card of the hand.

    There is one for how it was done, and in some variants another for the canastas of the side; the
    setting `out-bonus-adds` says whether both count, or the higher one.
    """
    if not party.is_out or table.hand.out is None:
        return
    bonus = _bonus_for_way(table.settings, table.hand.out)
    canasta_bonus = _best_bonus_for_canastas(table.settings, party)
    if canasta_bonus is None:
        yield CountedLine("out", 1, bonus.points, (bonus.setting,))
        return

    settings_of_canasta_bonus = _cited_settings_of_bonus_for_canastas(table, party, canasta_bonus)
    if table.settings.out_bonus_adds == "sum":
        both_together = bonus.points + canasta_bonus.points
        yield CountedLine("out", 1, both_together, (bonus.setting, *settings_of_canasta_bonus))
        return

    higher = max(bonus.points, canasta_bonus.points)
    # The bonus for the way is not cited here; but which is higher depends on it, so it has to be
    # named if the players changed it: then no source supports the result.
    changed_by_players = table.rules.find_settings_chosen_by_players([bonus.setting])
    yield CountedLine("out", 1, higher, (*settings_of_canasta_bonus, *changed_by_players))


def _bonus_for_way(settings: Settings, out: Out) -> _BonusForWay:
    """The bonus for going out concealed, that is, for laying all one's cards in one turn, or in any
    other way.
    """
    if out.concealed:
        return _BonusForWay(settings.concealed_out_bonus, "concealed-out-bonus")
    return _BonusForWay(settings.out_bonus, "out-bonus")


def _cited_settings_of_bonus_for_canastas(
    table: Table, party: Party, bonus: OutBonus
) -> tuple[str, ...]:
    """The settings to cite for this bonus, which a party gets for its canastas when it goes out.

    For the bonus of two canastas: `("out-bonus-canastas/2", "out-bonus-adds")`. Added are what says
    whether a canasta of wild cards is natural or mixed, if the party has one, and the rules of what
    is a canasta that the players changed.
    """
    settings_of_wild_canastas = wild_family_cited_settings(table.rules, party)
    rules_changed_by_players = table.rules.find_settings_chosen_by_players(CANASTA_OR_NOT)
    return (
        f"out-bonus-canastas/{bonus.canastas}",
        "out-bonus-adds",
        *settings_of_wild_canastas,
        *rules_changed_by_players,
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
    costs_by_code: dict[str, list[int]] = {}
    for entry in party.entries:
        for penalty in entry.penalties:
            kind = table.rules.penalties[penalty.code]
            cost = kind.costs(penalty.points) or 0
            costs_by_code.setdefault(penalty.code, []).append(cost)
    for code, costs in costs_by_code.items():
        cited_settings = (f"penalties/{code}",)
        yield CountedLine("penalty", len(costs), -sum(costs), cited_settings, code=code)


@score_line("bonus")
def count_bonus(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """Bonuses recorded by the table, one line for each code."""
    codes: list[str] = []
    for entry in party.entries:
        codes += entry.bonuses
    for code in dict.fromkeys(codes):  # without repeats
        count = codes.count(code)
        points = count * table.rules.bonuses[code].points
        yield CountedLine("bonus", count, points, (f"bonuses/{code}",), code=code)


@score_line("adjustment")
def count_adjustments(table: Table, party: Party, side: LaidSide) -> Iterator[CountedLine]:
    """Points agreed at the table, one line each; they belong to the side alone."""
    for entry in side.entry.adjustments:
        yield CountedLine(
            "adjustment", None, entry.points, ("table-agreement",), reason=entry.reason
        )
