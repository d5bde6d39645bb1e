"""Links between values of the rules: what follows when a file of house rules changes one of them,
and what the file has to give then too.

The links are data (`scorepad/variants/links`); each names its rule, a function of `FOLLOWS` or
`RELATIONS`. Values are in the form of the data, by their keys in a file: `settings.NAME`, and
`penalties.CODE` for the points of a penalty.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from scorepad.rules.cards import RED_THREE, in_decks
from scorepad.rules.definitions import Citation, Variant
from scorepad.rules.toml_reader import TomlValue

Values = Mapping[str, Any]
"""Values by their keys in a file."""
SETTINGS_PREFIX = "settings."
"""How the keys of settings begin in a file."""
NO_LIMIT = 99
"""The highest number of wild cards of a kind of canasta that names none."""


class Link(NamedTuple):
    """A rule between values of a variant, by their keys in a file."""

    id: str
    kind: Literal["moves", "asks", "needs"]
    """`moves`: the last value follows the first by the rule, unless a file gives it. `asks`: a file
    that changes one so that the rule no longer holds has to give the others too. `needs`: the rule
    holds in every file that gives one of them.
    """
    keys: tuple[str, ...]
    rule: str
    """Its name in `FOLLOWS` or in `RELATIONS`."""
    cited: tuple[Citation, ...]
    """The sources that state the link."""


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


def _only_red_threes_there(_decks_before: int, decks: int, values: list[int]) -> list[int]:
    """Of the values of one, two … red threes, those of more than the decks have fall away; if there
    are too few values, the others are asked for by another link.
    """
    return values[: _red_threes_in(decks)]


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
    "only-red-threes-there": _only_red_threes_there,
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
    """
    in_groups = _most_wilds_of_shape(canastas, "group")
    in_sequences = _most_wilds_of_shape(canastas, "sequence")
    for most in (*in_groups, *in_sequences):
        if limit < most < NO_LIMIT:
            return False
    return not in_groups or max(in_groups) >= limit


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
    given: tuple[str, ...]
    """The keys of its values that the file changes."""
    others: tuple[str, ...]
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


def moved_values(links: tuple[Link, ...], usual: Values, given: Values) -> dict[str, Moved]:
    """What follows when these values are given in place of the usual ones, by its key.

    Values that are given stay as they are.
    """
    moved: dict[str, Moved] = {}
    for link in links:
        if link.kind != "moves":
            continue
        cause = link.keys[0]
        follower = link.keys[-1]
        if follower not in usual or follower in given:
            continue
        if cause not in usual or cause not in given or given[cause] == usual[cause]:
            continue  # the cause does not change
        value_now = FOLLOWS[link.rule](usual[cause], given[cause], usual[follower])
        if value_now != usual[follower]:
            moved[follower] = Moved(cause, value_now)
    return moved


def broken_links(
    links: tuple[Link, ...], usual: Values, given: Values, now: Values
) -> list[BrokenLink]:
    """The links whose rule a file breaks by a value that it changes.

    `given` are the values of the file, `now` all values in force, `usual` those of its parent.
    """
    broken: list[BrokenLink] = []
    for link in links:
        is_known = all(key in now for key in link.keys)
        if link.kind == "moves" or not is_known:
            continue
        changed = [key for key in link.keys if key in given and given[key] != usual.get(key)]
        not_given = [key for key in link.keys if key not in given]
        if not changed or _keep_rule(link, now):
            continue
        if link.kind == "asks":
            # What the parent itself does not keep means nothing in its game.
            is_asked_for = bool(not_given) and _keep_rule(link, usual)
            if not is_asked_for:
                continue
        broken.append(BrokenLink(link, tuple(changed), tuple(not_given)))
    return broken


def _keep_rule(link: Link, values: Values) -> bool:
    """Whether these values keep the rule of a link."""
    linked_values = [values[key] for key in link.keys]
    return RELATIONS[link.rule](*linked_values)


def report_broken_links(
    entry: TomlValue, links: tuple[Link, ...], *, usual: Values, given: Values, now: Values
) -> None:
    """Report the values of a user's file that do not fit each other, at the first of them in the
    file.

    `entry` is the root of the file, or the option that gives the values. `given` are the values of
    the file, `now` all values in force, `usual` those of its parent.
    """
    is_option = bool(entry.path)
    for broken in broken_links(links, usual, given, now):
        link = broken.link
        key = "" if is_option else broken.given[0]
        if link.kind == "needs":
            figures = _values_in_words(link.keys, now)
            entry.report("linked.needs", key, link=link.id, figures=figures)
        else:
            entry.report(
                "linked.asks",
                key,
                link=link.id,
                changed=_values_in_words(broken.given, now),
                kept=_values_in_words(broken.others, now),
                names=", ".join(broken.others),
            )


def _values_in_words(keys: tuple[str, ...], values: Values) -> str:
    """Values with their keys, as a message repeats them: `settings.decks = 2; settings.drawn = 1`."""
    return "; ".join(f"{key} = {_value_in_words(values[key])}" for key in keys)


_LONGEST_VALUE = 120
"""Characters of a value that a message repeats."""


def _value_in_words(value: Any) -> str:
    """A value as a message repeats it; of kinds of canasta, the wild cards of each."""
    text = str(value)
    is_list_of_kinds = isinstance(value, list) and bool(value) and isinstance(value[0], dict)
    if is_list_of_kinds:
        kinds = [f"{kind['item']}: wilds {kind.get('wilds', 'any')}" for kind in value]
        text = "; ".join(kinds)
    return text[:_LONGEST_VALUE]
