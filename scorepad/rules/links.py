"""Links between values of the rules: what follows when a file of house rules changes one of them,
and what the file has to give then too.

The links are data (`scorepad/variants/links`); each names its rule, a function of `FOLLOWS` or
`RELATIONS`. Values are in the form of the data, by their keys in a file: `settings.NAME`, and
`penalties.CODE` for the points of a penalty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Any, NamedTuple

from scorepad.rules.cards import RED_THREE, count_cards_in_decks
from scorepad.rules.definitions import Citation, Variant
from scorepad.rules.toml_reader import TomlValue

Values = Mapping[str, Any]
"""Values by their keys in a file."""
SETTINGS_PREFIX = "settings."
"""How the keys of settings begin in a file."""
_NO_LIMIT = 99
"""The highest number of wild cards of a kind of canasta that names none."""
_ANY_WILDS = (0, _NO_LIMIT)
"""The fewest and the most wild cards of such a kind."""


class LinkKind(StrEnum):
    """What a link between values demands of a file that changes one of them."""

    MOVES = "moves"
    """One value follows from the other (`Consequence`): with one deck in place of two there are
    values for two red threes only.
    """
    ASKS = "asks"
    """The values have to fit (`Condition`), unless the file gives all of them: three decks in place
    of two need the values of two more red threes.
    """
    NEEDS = "needs"
    """The values always have to fit (`Condition`), whatever the file gives."""


@dataclass(frozen=True, slots=True)
class Consequence:
    """One value of a game that follows from another, unless a file gives both."""

    id: str
    cause: str
    """The key of the value that is changed, such as `settings.decks`."""
    effect: str
    """The key of the value that follows from it, such as `settings.red-three-values`."""
    rule: str
    """The name in `FOLLOWS` of the function that computes it."""
    cited: tuple[Citation, ...]
    """The passages of rule books that state it."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the two values."""
        return (self.cause, self.effect)


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that values of a game fulfil together."""

    id: str
    keys: tuple[str, ...]
    """The keys of the values, such as `settings.decks` and `settings.dealt`."""
    must_always_hold: bool
    """Whether it also holds for a file that gives all of these values itself."""
    rule: str
    """The name in `RELATIONS` of the function that compares the values."""
    cited: tuple[Citation, ...]
    """The passages of rule books that state it."""

    def is_fulfilled(self, values: Values) -> bool:
        """Tell whether the values of a game, by their keys in a file, fulfil this condition."""
        compare = RELATIONS[self.rule]
        return compare(*[values[key] for key in self.keys])


Link = Consequence | Condition
"""How values of a game depend on each other."""


# ---------------------------------------------------------------- what follows


def _keep_equal(other_before: Any, other_now: Any, value: Any) -> Any:
    """Return a value that follows another one, if both were equal before that one changed.

    A canasta needs seven cards, which changes to eight. The most cards of a meld:

    - it was 7 as well → 8
    - it was 12 → 12, it was chosen independently
    """
    if value == other_before:
        return other_now
    return value


def _keep_equal_to_black_three(
    card_points_before: Mapping[str, int], card_points_now: Mapping[str, int], value: int
) -> int:
    """Return what a black three left in hand costs, after the points of cards changed.

    It usually costs what the card is worth on the table. These points (under the code `3b`) change
    from 5 to 10:

    - it cost 5 as well → 10
    - it cost 100 → 100, it was chosen independently
    """
    black_three_before = card_points_before["3b"]
    black_three_now = card_points_now["3b"]
    return int(_keep_equal(black_three_before, black_three_now, value))


def _need_those_of_families(needed: int, families: list[tuple[str, int]]) -> int:
    """Return how many canastas a side needs in all, which is no less than it needs by families.

    A canasta is a group of seven or more cards. If a side needs one of the family `natural` and two
    of `mixed`, it needs at least 3 in all. `needed` is the number before that is counted.
    """
    return max(needed, _count_canastas_of_families(families))


def _cut_values_of_red_threes(values: list[int], decks: int) -> list[int]:
    """Return the values of red threes (bonus cards), without those for more than the decks have.

    The list has the value of one red three, of two, and so on. A deck has two red threes: with one
    deck, `[100, 200, 300, 800]` → `[100, 200]`.
    """
    red_threes = _count_red_threes(decks)
    return values[:red_threes]


def _adapt_canastas_to_limit(
    limit_before: int, limit: int, canastas: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return the kinds of canasta of a game in which the limit of wild cards in a meld changes.

    A meld is a group of cards on the table, and a canasta is a meld of seven or more. Wild cards
    are jokers and twos. If a meld may have 2 of them in place of 3:

    - a kind of canasta with one to three (`"wilds": [1, 3]`) → with one or two
    - a kind with exactly three (`"wilds": [3, 3]`) → left out, because nobody can make it any more
    """
    adapted: list[dict[str, Any]] = []
    for kind in canastas:
        fewest, most = kind.get("wilds", _ANY_WILDS)
        is_without_wilds = most == 0
        is_of_wilds_alone = kind["shape"] == "wilds"
        if is_without_wilds or is_of_wilds_alone:
            adapted.append(kind)  # the limit is not about such canastas
        elif fewest > limit:
            continue
        elif most == limit_before:
            adapted.append({**kind, "wilds": [fewest, limit]})
        else:
            adapted.append(kind)
    return adapted


def _count_canastas_of_families(families: list[tuple[str, int]]) -> int:
    """Count the canastas needed of all families: `[("natural", 1), ("mixed", 2)]` → 3."""
    return sum(number for _, number in families)


def _count_red_threes(decks: int) -> int:
    """Return how many red threes are in so many decks: two decks → 4."""
    return count_cards_in_decks(decks)[RED_THREE]


FOLLOWS: Mapping[str, Callable[[Any, Any, Any], Any]] = {
    "same": _keep_equal,
    "same-as-black-three": _keep_equal_to_black_three,
    "at-least-sum": lambda _before, families, needed: _need_those_of_families(needed, families),
    "only-red-threes-there": lambda _before, decks, values: _cut_values_of_red_threes(
        values, decks
    ),
    "most-wilds": _adapt_canastas_to_limit,
}
"""The rules by which a value follows from another one.

Each takes that other value before and after its change, and then its own value before; it returns
its own value now.
"""

# ---------------------------------------------------------------- what has to fit


def _canastas_fit_limit(limit: int, canastas: list[dict[str, Any]]) -> bool:
    """Tell whether the kinds of canasta fit the most wild cards that a meld may have.

    A meld is a group of cards on the table, and a canasta is a meld of seven or more. Wild cards
    are jokers and twos. With a limit of 2:

    - a canasta with one to three wild cards (`"wilds": [1, 3]`) → False, nobody can make it
    - only canastas with one at most → False, a meld with two could never become a canasta
    """
    most_in_groups: list[int] = []
    for kind in canastas:
        _fewest, most = kind.get("wilds", _ANY_WILDS)
        if kind["shape"] == "wilds":
            continue  # the limit does not hold for melds of wild cards alone
        if limit < most < _NO_LIMIT:
            return False
        if kind["shape"] == "group":  # equal cards, and no sequence
            most_in_groups.append(most)
    return max(most_in_groups, default=limit) >= limit


def _each_red_three_has_value(decks: int, values: list[int]) -> bool:
    """Tell whether the list has a value for each number of red threes in the decks.

    Three decks have six red threes (bonus cards): four values → False. An empty list → True, red
    threes count nothing then.
    """
    if not values:
        return True
    return len(values) >= _count_red_threes(decks)


def _is_not_less(least: int, value: int) -> bool:
    """Tell whether a value is not below another one: 100 and 200 → True, 200 and 100 → False."""
    return value >= least


def _is_at_most_first_minimum(steps: list[tuple[int, int]], below_zero: int) -> bool:
    """Tell whether the opening minimum below a score of zero is no higher than that from zero on.

    The opening minimum is how many points the first cards that a side lays must be worth. Each step
    is a score and the minimum from there on. With `[(0, 50), (1500, 90)]`: 15 below zero → True,
    60 below zero → False. Without steps there is nothing to compare → True.
    """
    if not steps:
        return True
    _, first_minimum = steps[0]
    return below_zero <= first_minimum


def _minimums_rise(steps: list[tuple[int, int]]) -> bool:
    """Tell whether a higher score never has a lower opening minimum.

    The opening minimum is how many points the first cards that a side lays must be worth. Each step
    is a score and its minimum: `[(0, 50), (1500, 90)]` → True, `[(0, 90), (1500, 50)]` → False.
    """
    minimums = [minimum for _score, minimum in sorted(steps)]
    return _numbers_rise(minimums)


def _numbers_rise(numbers: list[int]) -> bool:
    """Tell whether no number is below the one before it: `[50, 50, 90]` → True."""
    return all(number <= following for number, following in pairwise(numbers))


def _is_enough_for_families(needed: int, families: list[tuple[str, int]]) -> bool:
    """Tell whether a side needs at least as many canastas in all as it needs by their families.

    A canasta is a group of seven or more cards. With `[("natural", 1), ("mixed", 1)]`: 2 needed in
    all → True, 1 → False.
    """
    return needed >= _count_canastas_of_families(families)


def _canasta_length_is_possible(
    shortest_meld: int, canasta_length: int, longest_meld: int | str
) -> bool:
    """Tell whether a meld (group of cards on the table) can have as many cards as a canasta needs.

    A meld has at least `shortest_meld` cards, and at most `longest_meld`, or `"unlimited"`. For a
    canasta of 7: from 3 to 7 → True, from 3 to 5 → False.
    """
    if canasta_length < shortest_meld:
        return False
    if longest_meld == "unlimited":
        return True
    return canasta_length <= int(longest_meld)


def _wild_melds_match_canastas(wild_melds: str, canastas: list[dict[str, Any]]) -> bool:
    """Tell whether a game has both melds and canastas of wild cards alone, or neither of them.

    Wild cards are jokers and twos. A meld is a group of cards on the table, and a canasta is one of
    seven cards or more. `wild_melds` is "never" if there are no such melds.
    """
    has_melds = wild_melds != "never"
    has_canastas = any(kind["shape"] == "wilds" for kind in canastas)
    return has_melds == has_canastas


def _sequences_match_canastas(sequences: str, canastas: list[dict[str, Any]]) -> bool:
    """Tell whether a game has both sequences and canastas in sequence, or neither of them.

    A sequence is a run of one suit, such as 9 8 7 of hearts, and a canasta is one of seven cards or
    more. `sequences` is "none" if the game has no sequences.
    """
    has_melds = sequences != "none"
    has_canastas = any(kind["shape"] == "sequence" for kind in canastas)
    return has_melds == has_canastas


def _cards_are_enough(
    dealt: int, decks: int, hands_each: int, sides: list[int], resting: list[int]
) -> bool:
    """Tell whether the decks have enough cards to deal, with two left to begin the game.

    `sides` and `resting` are the players of each side, and those of them who sit out. One deck of
    54 cards for two sides of two players:

    - 13 cards for each → True: 52 are dealt
    - 14 cards for each → False
    """
    players = sum(sides) - sum(resting)
    cards_to_begin = 2  # the first card of the discard pile, and one to draw
    cards_needed = dealt * hands_each * players + cards_to_begin
    return cards_needed <= sum(count_cards_in_decks(decks))


RELATIONS: Mapping[str, Callable[..., bool]] = {
    "canastas-reach-limit": _canastas_fit_limit,
    "each-red-three-has-value": _each_red_three_has_value,
    "not-less": _is_not_less,
    "below-first-step": _is_at_most_first_minimum,
    "minimums-rise": _minimums_rise,
    "numbers-rise": _numbers_rise,
    "families-within": _is_enough_for_families,
    "in-order": _canasta_length_is_possible,
    "wild-canastas-with-wild-melds": _wild_melds_match_canastas,
    "sequence-canastas-with-sequences": _sequences_match_canastas,
    "cards-are-enough": _cards_are_enough,
}
"""The rules that values keep; each takes the values of a link, in its order."""


# ---------------------------------------------------------------- the links of a file


class AdjustedValue(NamedTuple):
    """A value that has to change because another one changed."""

    cause: str
    """The key of that other value, such as `settings.decks`."""
    new_value: Any


@dataclass(frozen=True, slots=True)
class ChangedValues:
    """The values of a game before and after a file changes some of them, each by its key."""

    before: Values
    """The values that hold without the file."""
    in_file: Values
    """The values that the file gives."""
    after: Values
    """All values that then hold."""

    def changed_keys(self, keys: tuple[str, ...]) -> tuple[str, ...]:
        """Return those of the keys to which the file gives a new value.

        The file says `decks = 3` and `dealt = 11`. Before, they were 2 and 11 → only
        `("settings.decks",)`.
        """
        changed: list[str] = []
        for key in keys:
            if key in self.in_file and self.in_file[key] != self.before.get(key):
                changed.append(key)
        return tuple(changed)

    def keys_not_in_file(self, keys: tuple[str, ...]) -> tuple[str, ...]:
        """Return those of the keys to which the file gives no value."""
        return tuple(key for key in keys if key not in self.in_file)


class BrokenCondition(NamedTuple):
    """A condition that is no longer fulfilled because a file changes values."""

    condition: Condition
    changed: tuple[str, ...]
    """The keys of its values that the file changes."""
    not_in_file: tuple[str, ...]
    """The keys of its values that the file does not give."""


def values_by_key(variant: Variant) -> dict[str, Any]:
    """Return the settings and penalties of a game, by their keys in its file.

    `{"settings.decks": 2, "penalties.draw-out-of-turn": 100, …}`. A penalty for which the players
    agree on the points is left out.
    """
    values: dict[str, Any] = {}
    for key, setting in variant.settings.items():
        values[f"{SETTINGS_PREFIX}{key}"] = setting.value
    for code, penalty in variant.penalties.items():
        if penalty.points is not None:
            values[f"penalties.{code}"] = penalty.points
    return values


def find_adjusted_values(
    links: Iterable[Link], parent_values: Values, file_values: Values
) -> dict[str, AdjustedValue]:
    """Find the values that must change because a file of house rules changes others, by key.

    A file lists only what differs from the game that it extends, its parent. With
    `settings.decks = 1` in place of two decks, the result has a new, shorter list for
    `settings.red-three-values`: one deck has only two red threes (bonus cards). A value that the
    file gives itself is never in the result.
    """
    adjusted: dict[str, AdjustedValue] = {}
    for link in links:
        if not isinstance(link, Consequence):
            continue
        cause, effect = link.keys
        if effect in file_values or effect not in parent_values:
            continue
        if cause not in file_values or cause not in parent_values:
            continue
        cause_before = parent_values[cause]
        cause_now = file_values[cause]
        if cause_now == cause_before:
            continue
        compute = FOLLOWS[link.rule]
        new_value = compute(cause_before, cause_now, parent_values[effect])
        if new_value != parent_values[effect]:
            adjusted[effect] = AdjustedValue(cause, new_value)
    return adjusted


def find_broken_conditions(links: Iterable[Link], values: ChangedValues) -> list[BrokenCondition]:
    """Find the conditions that values no longer fulfil because a file changes some of them.

    A file with only `settings.decks = 1` breaks the condition `cards-are-enough` if one deck has
    too few cards to deal.
    """
    broken: list[BrokenCondition] = []
    for condition in links:
        if not isinstance(condition, Condition):
            continue
        changed = values.changed_keys(condition.keys)
        if not changed:
            continue  # the file has nothing to do with it
        if any(key not in values.after for key in condition.keys):
            continue  # a value was wrong in itself, and is not judged again
        if condition.is_fulfilled(values.after):
            continue

        # A condition that need not always hold is broken only if the file forgets a value of it,
        # which did fit before. If the file gives all values, its author wants it so.
        not_in_file = values.keys_not_in_file(condition.keys)
        if condition.must_always_hold or (not_in_file and condition.is_fulfilled(values.before)):
            broken.append(BrokenCondition(condition, changed, not_in_file))
    return broken


def report_broken_conditions(
    entry: TomlValue, links: Iterable[Link], values: ChangedValues
) -> None:
    """Record an error for each condition that values of a user's file of house rules break.

    `entry` is the part of the file that gives the values: the whole file, or an option in it.
    """
    is_whole_file = entry.path == ""
    for broken in find_broken_conditions(links, values):
        key = broken.changed[0] if is_whole_file else ""  # an option is reported as a whole
        if broken.condition.must_always_hold:
            # "settings.dealt = 26; settings.decks = 1 …, the cards are too few for all players.
            # Change one of these values."
            entry.report(
                "linked.needs",
                key,
                link=broken.condition.id,
                figures=_format_values(broken.condition.keys, values.after),
            )
        else:
            # "settings.decks = 3, but settings.red-three-values = … is not in this file, the decks
            # hold more red threes than have a value. Give settings.red-three-values too."
            entry.report(
                "linked.asks",
                key,
                link=broken.condition.id,
                changed=_format_values(broken.changed, values.after),
                kept=_format_values(broken.not_in_file, values.after),
                names=", ".join(broken.not_in_file),
            )


def _format_values(keys: tuple[str, ...], values: Values) -> str:
    """Write values for a message: `settings.decks = 2; settings.drawn = 1`.

    `keys` say which of the `values`, in this order.
    """
    return "; ".join(f"{key} = {_format_value(values[key])}" for key in keys)


_LONGEST_VALUE = 120
"""Characters of a value that a message repeats."""


def _format_value(value: Any) -> str:
    """Write the value of a setting for a message, shortened if it is long: `[100, 200]`.

    The list of the kinds of canasta has a short form of its own.
    """
    is_list_of_tables = isinstance(value, list) and bool(value) and isinstance(value[0], dict)
    text = _format_kinds_of_canasta(value) if is_list_of_tables else str(value)
    return text[:_LONGEST_VALUE]


def _format_kinds_of_canasta(kinds: list[dict[str, Any]]) -> str:
    """Write the kinds of canasta (groups of seven or more cards) of a game for a message.

    Only their numbers of wild cards (jokers and twos) are written, as a link can be about these:
    `natural-canasta: wilds [0, 0]; mixed-canasta: wilds [1, 3]`.
    """
    return "; ".join(f"{kind['item']}: wilds {kind.get('wilds', 'any')}" for kind in kinds)
