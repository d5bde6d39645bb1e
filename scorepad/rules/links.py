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
    """A rule between the values with these keys.

    `moves`: the last value follows the first by the rule, unless a file gives it. `asks`: a file
    that changes one so that the rule no longer holds has to give the others too. `needs`: the rule
    holds in every file that gives one of them. `cited` are the sources that state the link.
    """

    id: str
    kind: Literal["moves", "asks", "needs"]
    keys: tuple[str, ...]
    rule: str
    cited: tuple[Citation, ...]


# ---------------------------------------------------------------- what follows


def _same_as_other(other_before: Any, other_now: Any, value: Any) -> Any:
    """A value that was the same as the other one stays the same."""
    return other_now if value == other_before else value


def _same_as_black_three(
    points_before: Mapping[str, int], points_now: Mapping[str, int], value: int
) -> int:
    return points_now["3b"] if value == points_before["3b"] else value


def _at_least_sum(_: Any, families_needed: list[tuple[str, int]], value: int) -> int:
    return max(value, sum(number for _, number in families_needed))


def _only_red_threes_there(_: int, decks: int, values: list[int]) -> list[int]:
    """The values of more red threes than there are fall away; those of further ones are asked for."""
    return values[: _red_threes(decks)]


def _most_wilds(
    limit_before: int, limit: int, canastas: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """The kinds of canasta that go up to the limit go up to the new one; those that it rules out
    fall away.
    """
    allowed: list[dict[str, Any]] = []
    for kind in canastas:
        fewest, most = kind.get("wilds", (0, NO_LIMIT))
        if kind["shape"] == "wilds" or most == 0:  # the limit does not concern it
            allowed.append(kind)
        elif fewest > limit:
            continue
        elif most == limit_before:
            allowed.append({**kind, "wilds": [fewest, limit]})
        else:
            allowed.append(kind)
    return allowed


FOLLOWS: Mapping[str, Callable[[Any, Any, Any], Any]] = {
    "same": _same_as_other,
    "same-as-black-three": _same_as_black_three,
    "at-least-sum": _at_least_sum,
    "only-red-threes-there": _only_red_threes_there,
    "most-wilds": _most_wilds,
}
"""The rules by which a value follows from another one.

Each takes the values of the other one before and after its change, and then its own value before.
"""

# ---------------------------------------------------------------- what has to fit


def _canastas_reach_limit(limit: int, canastas: list[dict[str, Any]]) -> bool:
    """No canasta has more wild cards than a meld may have, and melds with that many can become
    canastas.
    """
    in_groups = _wilds_of_canastas(canastas, "group")
    in_sequences = _wilds_of_canastas(canastas, "sequence")
    named_limits = [wilds for wilds in (*in_groups, *in_sequences) if wilds != NO_LIMIT]
    is_reached = not in_groups or max(in_groups) >= limit
    return is_reached and all(wilds <= limit for wilds in named_limits)


def _wilds_of_canastas(canastas: list[dict[str, Any]], shape: str) -> list[int]:
    """The highest number of wild cards of each kind of canasta with this shape."""
    highest: list[int] = []
    for kind in canastas:
        if kind["shape"] == shape:
            _, most = kind.get("wilds", (0, NO_LIMIT))
            highest.append(most)
    return highest


def _each_red_three_has_value(decks: int, values: list[int]) -> bool:
    return not values or len(values) >= _red_threes(decks)


def _not_less(least: int, value: int) -> bool:
    return value >= least


def _below_first_step(steps: list[tuple[int, int]], below_zero: int) -> bool:
    return not steps or below_zero <= steps[0][1]


def _minimums_rise(steps: list[tuple[int, int]]) -> bool:
    return _numbers_rise([minimum for _, minimum in sorted(steps)])


def _numbers_rise(numbers: list[int]) -> bool:
    return all(number <= following for number, following in pairwise(numbers))


def _families_within(needed: int, families: list[tuple[str, int]]) -> bool:
    return needed >= sum(number for _, number in families)


def _in_order(shortest: int, length: int, longest: int | str) -> bool:
    return shortest <= length and (longest == "unlimited" or length <= int(longest))


def _wild_canastas_with_wild_melds(wild_melds: str, canastas: list[dict[str, Any]]) -> bool:
    return (wild_melds != "never") == any(kind["shape"] == "wilds" for kind in canastas)


def _sequence_canastas_with_sequences(sequences: str, canastas: list[dict[str, Any]]) -> bool:
    return (sequences != "none") == any(kind["shape"] == "sequence" for kind in canastas)


def _cards_are_enough(
    dealt: int, decks: int, hands_each: int, sides: list[int], resting: list[int]
) -> bool:
    """After the deal a first upcard and a card to draw are left."""
    players = sum(sides) - sum(resting)
    return dealt * hands_each * players + 2 <= sum(in_decks(decks))


def _red_threes(decks: int) -> int:
    return in_decks(decks)[RED_THREE]


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
"""The rules that the values of a link, in its order, keep."""


# ---------------------------------------------------------------- the links of a file


class Moved(NamedTuple):
    """A value that follows from another one: the key of that one, and the new value."""

    cause: str
    value: Any


class BrokenLink(NamedTuple):
    """A link that a file breaks: the keys that it changes, and those that it does not give."""

    link: Link
    given: tuple[str, ...]
    others: tuple[str, ...]


def values_by_key(variant: Variant) -> dict[str, Any]:
    """The values of a variant that links can name: its settings, and the points of its penalties."""
    values = {f"{SETTINGS_PREFIX}{key}": value.value for key, value in variant.settings.items()}
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
        cause = link.keys[0]
        follower = link.keys[-1]
        if link.kind != "moves" or cause not in given or follower in given:
            continue
        if cause not in usual or follower not in usual or given[cause] == usual[cause]:
            continue
        value = FOLLOWS[link.rule](usual[cause], given[cause], usual[follower])
        if value != usual[follower]:
            moved[follower] = Moved(cause, value)
    return moved


def broken_links(
    links: tuple[Link, ...], usual: Values, given: Values, now: Values
) -> list[BrokenLink]:
    """The links that a file breaks which gives these values; `now` are all values in force, `usual`
    those of its parent.
    """
    broken: list[BrokenLink] = []
    for link in links:
        if link.kind == "moves" or not all(key in now for key in link.keys):
            continue
        changed = [key for key in link.keys if key in given and given[key] != usual.get(key)]
        not_given = [key for key in link.keys if key not in given]
        if not changed or _fits(link, now):
            continue
        # What the parent itself does not keep means nothing in its game.
        can_ask = bool(not_given) and _fits(link, usual)
        if link.kind == "needs" or can_ask:
            broken.append(BrokenLink(link, tuple(changed), tuple(not_given)))
    return broken


def _fits(link: Link, values: Values) -> bool:
    return RELATIONS[link.rule](*(values[key] for key in link.keys))


def report_broken_links(
    entry: TomlValue, links: tuple[Link, ...], usual: Values, given: Values, now: Values
) -> None:
    """Report the values of a user's file that do not fit each other, at the first of them in the
    file.

    `entry` is the root of the file, or the option that gives the values.
    """
    for broken in broken_links(links, usual, given, now):
        link = broken.link
        key = "" if entry.path else broken.given[0]
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
    """Values with their keys, as a message repeats them."""
    return "; ".join(f"{key} = {_value_in_words(values[key])}" for key in keys)


_LONGEST_VALUE = 120
"""Characters of a value that a message repeats."""


def _value_in_words(value: Any) -> str:
    """A value as a message repeats it; of kinds of canasta, the wild cards of each."""
    text = str(value)
    if isinstance(value, list) and value and isinstance(value[0], dict):
        kinds = [f"{kind['item']}: wilds {kind.get('wilds', 'any')}" for kind in value]
        text = "; ".join(kinds)
    return text[:_LONGEST_VALUE]
