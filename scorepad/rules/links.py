"""Links between values of the rules: what follows when a file of house rules changes one of them,
and what the file has to give then too.

The links are data (`scorepad/variants/links`); each names its rule, a function of `FOLLOWS` or
`RELATIONS`. Values are in the form of the data, by their keys in a file: `settings.NAME`, and
`penalties.CODE` for the points of a penalty.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from itertools import pairwise
from typing import Any, NamedTuple

from scorepad.rules.cards import RED_THREE, in_decks
from scorepad.rules.definitions import Citation, Variant
from scorepad.rules.toml_reader import TomlValue

Values = Mapping[str, Any]
"""Values by their keys in a file."""
SETTINGS_PREFIX = "settings."
"""How the keys of settings begin in a file."""
NO_LIMIT = 99
"""The highest number of wild cards of a kind of canasta that names none."""


class LinkKind(StrEnum):
    """What a link between values demands of a file that changes one of them."""

    MOVES = "moves"
    """The last value follows the first by the rule, unless the file gives it."""
    ASKS = "asks"
    """If the rule then no longer holds, the file has to give the other values too."""
    NEEDS = "needs"
    """The rule has to hold."""


class Link(NamedTuple):
    """A rule between values of a variant, by their keys in a file."""

    id: str
    kind: LinkKind
    keys: tuple[str, ...]
    rule: str
    """Its name in `FOLLOWS` or in `RELATIONS`."""
    cited: tuple[Citation, ...]
    """The sources that state the link."""

    @property
    def cause(self) -> str:
        """Of a link that `moves` a value, the key of the value from which that follows."""
        return self.keys[0]

    @property
    def follower(self) -> str:
        """Of a link that `moves` a value, the key of that value."""
        return self.keys[-1]


# ---------------------------------------------------------------- what follows


def _same_as_other(other_before: Any, other_now: Any, value: Any) -> Any:
    """A value that was the same as the other one stays the same."""
    if value == other_before:
        return other_now
    return value


def _same_as_black_three(
    points_before: Mapping[str, int], points_now: Mapping[str, int], value: int
) -> int:
    """A value that was the same as the points of a black three (`3b`) stays the same."""
    return int(_same_as_other(points_before["3b"], points_now["3b"], value))


def _at_least_sum(_families_before: object, families_now: list[tuple[str, int]], value: int) -> int:
    """A value that is less than the canastas needed of all families rises to their sum."""
    return max(value, _canastas_of_families(families_now))


def _values_of_red_threes_in(_decks_before: int, decks: int, values: list[int]) -> list[int]:
    """The values of one, two … red threes, without those for more red threes than there are.

    A deck has two red threes: with one deck, `[100, 200, 300, 400]` → `[100, 200]`.
    """
    red_threes = _red_threes_in(decks)
    return values[:red_threes]


def _most_wilds(
    limit_before: int, limit: int, canastas: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """The kinds of canasta whose most wild cards were the limit get the new limit; those that need
    more wild cards than it allows fall away.
    """
    allowed: list[dict[str, Any]] = []
    for kind in canastas:
        fewest, most = _wilds_of_kind(kind)
        is_without_limit = kind["shape"] == "wilds" or most == 0
        if is_without_limit:
            allowed.append(kind)
        elif fewest > limit:
            continue
        elif most == limit_before:
            allowed.append({**kind, "wilds": [fewest, limit]})
        else:
            allowed.append(kind)
    return allowed


def _wilds_of_kind(kind: Mapping[str, Any]) -> tuple[int, int]:
    """The fewest and the most wild cards of a kind of canasta."""
    fewest, most = kind.get("wilds", (0, NO_LIMIT))
    return fewest, most


def _canastas_of_families(families: list[tuple[str, int]]) -> int:
    """The canastas needed of all families together: `[("natural", 1), ("mixed", 2)]` → 3."""
    return sum(number for _, number in families)


def _red_threes_in(decks: int) -> int:
    return in_decks(decks)[RED_THREE]


FOLLOWS: Mapping[str, Callable[[Any, Any, Any], Any]] = {
    "same": _same_as_other,
    "same-as-black-three": _same_as_black_three,
    "at-least-sum": _at_least_sum,
    "only-red-threes-there": _values_of_red_threes_in,
    "most-wilds": _most_wilds,
}
"""The rules by which a value follows from another one.

Each takes that other value before and after its change, and then its own value before; it returns
its own value now.
"""

# ---------------------------------------------------------------- what has to fit


def _canastas_reach_limit(limit: int, canastas: list[dict[str, Any]]) -> bool:
    """Whether no canasta has more wild cards than a meld may have, and a group with that many wild
    cards can become a canasta.

    A kind of canasta that names no highest number of wild cards (`NO_LIMIT`) has that of melds.
    """
    most_in_groups = _most_wilds_of_shape(canastas, "group")
    most_in_sequences = _most_wilds_of_shape(canastas, "sequence")
    for most in (*most_in_groups, *most_in_sequences):
        has_own_limit = most < NO_LIMIT
        if has_own_limit and most > limit:
            return False
    are_groups_no_canastas = not most_in_groups
    return are_groups_no_canastas or max(most_in_groups) >= limit


def _most_wilds_of_shape(canastas: list[dict[str, Any]], shape: str) -> list[int]:
    """The most wild cards of each kind of canasta with this shape."""
    numbers: list[int] = []
    for kind in canastas:
        if kind["shape"] == shape:
            _, most = _wilds_of_kind(kind)
            numbers.append(most)
    return numbers


def _each_red_three_has_value(decks: int, values: list[int]) -> bool:
    return not values or len(values) >= _red_threes_in(decks)


def _not_less(least: int, value: int) -> bool:
    return value >= least


def _below_first_step(steps: list[tuple[int, int]], below_zero: int) -> bool:
    """Whether the opening minimum of a score below zero is not above that of the first step.

    A step is a score and the minimum from there on.
    """
    if not steps:
        return True
    _, first_minimum = steps[0]
    return below_zero <= first_minimum


def _minimums_rise(steps: list[tuple[int, int]]) -> bool:
    """Whether the opening minimums rise with the scores from which they hold."""
    return _numbers_rise([minimum for _, minimum in sorted(steps)])


def _numbers_rise(numbers: list[int]) -> bool:
    return all(number <= following for number, following in pairwise(numbers))


def _families_within(needed: int, families: list[tuple[str, int]]) -> bool:
    return needed >= _canastas_of_families(families)


def _in_order(shortest: int, length: int, longest: int | str) -> bool:
    """Whether a canasta is at least as long as the shortest meld, and no longer than the longest."""
    is_within_longest = longest == "unlimited" or length <= int(longest)
    return shortest <= length and is_within_longest


def _wild_canastas_with_wild_melds(wild_melds: str, canastas: list[dict[str, Any]]) -> bool:
    """Whether there are canastas of wild cards alone if there are such melds, and only then."""
    has_melds = wild_melds != "never"
    has_canastas = any(kind["shape"] == "wilds" for kind in canastas)
    return has_melds == has_canastas


def _sequence_canastas_with_sequences(sequences: str, canastas: list[dict[str, Any]]) -> bool:
    """Whether there are canastas of sequences if sequences are melds, and only then."""
    has_melds = sequences != "none"
    has_canastas = any(kind["shape"] == "sequence" for kind in canastas)
    return has_melds == has_canastas


def _cards_are_enough(
    dealt: int, decks: int, hands_each: int, sides: list[int], resting: list[int]
) -> bool:
    """Whether after the deal a first upcard and a card to draw are left."""
    players = sum(sides) - sum(resting)
    needed = dealt * hands_each * players + 2
    return needed <= sum(in_decks(decks))


RELATIONS: Mapping[str, Callable[..., bool]] = {
    "canastas-reach-limit": _canastas_reach_limit,
    "each-red-three-has-value": _each_red_three_has_value,
    "not-less": _not_less,
    "below-first-step": _below_first_step,
    "minimums-rise": _minimums_rise,
    "numbers-rise": _numbers_rise,
    "families-within": _families_within,
    "in-order": _in_order,
    "wild-canastas-with-wild-melds": _wild_canastas_with_wild_melds,
    "sequence-canastas-with-sequences": _sequence_canastas_with_sequences,
    "cards-are-enough": _cards_are_enough,
}
"""The rules that values keep; each takes the values of a link, in its order."""


# ---------------------------------------------------------------- the links of a file


class Moved(NamedTuple):
    """A value that follows from another one: the key of that one (`cause`), and the new value."""

    cause: str
    value: Any


class BrokenLink(NamedTuple):
    """A link that a file breaks."""

    link: Link
    changed: tuple[str, ...]
    """The keys of its values that the file changes."""
    not_given: tuple[str, ...]
    """The keys of its values that the file does not give."""


def values_by_key(variant: Variant) -> dict[str, Any]:
    """The values of a variant that links can name, by their keys in a file: its settings
    (`settings.decks`), and the points of its penalties (`penalties.draw-out-of-turn`).
    """
    values: dict[str, Any] = {}
    for key, setting in variant.settings.items():
        values[f"{SETTINGS_PREFIX}{key}"] = setting.value
    for code, penalty in variant.penalties.items():
        if penalty.points is not None:
            values[f"penalties.{code}"] = penalty.points
    return values


def moved_values(
    links: tuple[Link, ...], parent_values: Values, file_values: Values
) -> dict[str, Moved]:
    """The values that have to change because a file changes others, by their keys.

    `file_values` are the values that the file gives in place of those of its parent. What the file
    itself gives stays as it is.
    """
    moved: dict[str, Moved] = {}
    for link in links:
        if link.kind is not LinkKind.MOVES:
            continue
        if link.follower not in parent_values or link.follower in file_values:
            continue
        if not _is_cause_changed(link, parent_values, file_values):
            continue
        cause_before = parent_values[link.cause]
        cause_now = file_values[link.cause]
        value_before = parent_values[link.follower]
        value_now = FOLLOWS[link.rule](cause_before, cause_now, value_before)
        if value_now != value_before:
            moved[link.follower] = Moved(link.cause, value_now)
    return moved


def _is_cause_changed(link: Link, parent_values: Values, file_values: Values) -> bool:
    """Whether a file gives the value from which another follows, and gives it a new value."""
    if link.cause not in parent_values or link.cause not in file_values:
        return False
    return bool(file_values[link.cause] != parent_values[link.cause])


def broken_links(
    links: tuple[Link, ...], parent_values: Values, file_values: Values, in_force: Values
) -> list[BrokenLink]:
    """The links whose rule no longer holds because of a value that a file changes.

    `file_values` are the values that the file gives in place of those of its parent, `in_force` all
    values that then hold. A file that gives only `settings.decks = 1` breaks the link
    `cards-are-enough` if there are then too few cards to deal.
    """
    broken: list[BrokenLink] = []
    for link in links:
        if link.kind is LinkKind.MOVES or not _has_all_values(link, in_force):
            continue
        changed = _changed_keys(link, parent_values, file_values)
        if not changed or _fulfils_rule(link, in_force):
            continue
        not_given = tuple(key for key in link.keys if key not in file_values)
        if link.kind is LinkKind.ASKS:
            # There is nothing to ask for if the file gives all values, or if the rule does not hold
            # in the parent's game either.
            if not not_given or not _fulfils_rule(link, parent_values):
                continue
        broken.append(BrokenLink(link, changed, not_given))
    return broken


def _has_all_values(link: Link, values: Values) -> bool:
    return all(key in values for key in link.keys)


def _changed_keys(link: Link, parent_values: Values, file_values: Values) -> tuple[str, ...]:
    """The keys of a link whose values a file gives, and gives otherwise than its parent."""
    changed: list[str] = []
    for key in link.keys:
        if key in file_values and file_values[key] != parent_values.get(key):
            changed.append(key)
    return tuple(changed)


def _fulfils_rule(link: Link, values: Values) -> bool:
    """Whether these values, all of a variant by key, fulfil the rule of a link between some of them."""
    linked_values = [values[key] for key in link.keys]
    return RELATIONS[link.rule](*linked_values)


def report_broken_links(
    entry: TomlValue,
    links: tuple[Link, ...],
    *,
    parent_values: Values,
    file_values: Values,
    in_force: Values,
) -> None:
    """Report the values of a user's file that do not fit each other.

    `entry` is the root of the file, or the option that gives the values. The values are those of
    `broken_links`.
    """
    is_root = not entry.path
    for broken in broken_links(links, parent_values, file_values, in_force):
        key = ""  # the values of an option are reported at the option as a whole
        if is_root:
            key = broken.changed[0]
        if broken.link.kind is LinkKind.NEEDS:
            entry.report(
                "linked.needs",
                key,
                link=broken.link.id,
                figures=_values_in_words(broken.link.keys, in_force),
            )
        else:
            entry.report(
                "linked.asks",
                key,
                link=broken.link.id,
                changed=_values_in_words(broken.changed, in_force),
                kept=_values_in_words(broken.not_given, in_force),
                names=", ".join(broken.not_given),
            )


def _values_in_words(keys: tuple[str, ...], values: Values) -> str:
    """Values with their keys, as a message repeats them: `settings.decks = 2; settings.drawn = 1`."""
    return "; ".join(f"{key} = {_value_in_message(values[key])}" for key in keys)


_LONGEST_VALUE = 120
"""Characters of a value that a message repeats."""


def _value_in_message(value: Any) -> str:
    """A value as a message repeats it; of kinds of canasta, the wild cards of each."""
    text = str(value)
    is_list_of_kinds = isinstance(value, list) and bool(value) and isinstance(value[0], dict)
    if is_list_of_kinds:
        kinds = [f"{kind['item']}: wilds {kind.get('wilds', 'any')}" for kind in value]
        text = "; ".join(kinds)
    return text[:_LONGEST_VALUE]
