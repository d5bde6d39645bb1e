"""Which values the file of house rules gives itself.

House rules start from a parent variant, and their file gives only what they change. Values are named
by their keys in the file: `settings.decks`, `penalties.draw-out-of-turn`. Some values follow from
others by the links of the data (`scorepad.rules.links`): fewer decks have fewer red threes, so that
the values of the rest fall away.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from scorepad.rules.definitions import Variant
from scorepad.rules.links import find_adjusted_values
from scorepad.rules.loader import load_links

Values = Mapping[str, Any]


def values_for_file(
    values: Values,
    parent_values: Values,
    *,
    typed_keys: Collection[str],
    keys_to_keep: Collection[str],
) -> dict[str, Any]:
    """The values that a file has to give, so that house rules with these values come from it.

    Left out are values that are as in the parent, and those that follow from other values of the
    file. `typed_keys` name the values that a player typed, `keys_to_keep` those that the file gives
    in any case.
    """
    changed_values = _values_to_start_with(values, parent_values, keys_to_keep)
    keys_that_stay = {*typed_keys, *keys_to_keep}
    file_values = _without_followers(changed_values, parent_values, keys_that_stay)
    for key in _keys_replaced_by_followers(file_values, parent_values):
        if key in typed_keys:
            file_values[key] = values[key]
    return file_values


def _keys_replaced_by_followers(file_values: Values, parent_values: Values) -> list[str]:
    """The keys of values that a file leaves out, and that will not be as in the parent.

    Something else follows from the values that the file gives. If it gives fewer decks, for example,
    this list has the key of the values of red threes.
    """
    return list(find_adjusted_values(load_links(), parent_values, file_values))


def _values_to_start_with(
    values: Values, parent_values: Values, keys_to_keep: Collection[str]
) -> dict[str, Any]:
    """Those values that differ from the parent's, and those of the keys to keep."""
    chosen: dict[str, Any] = {}
    for key, value in values.items():
        is_changed = value != parent_values.get(key)
        if is_changed or key in keys_to_keep:
            chosen[key] = value
    return chosen


def _without_followers(
    file_values: Values, parent_values: Values, keys_that_stay: Collection[str]
) -> dict[str, Any]:
    """The values of a file without those that follow from others in it.

    Values whose keys are to stay are in the result in any case.
    """
    remaining = dict(file_values)
    for key in file_values:
        if key in keys_that_stay:
            continue
        if _can_leave_out(key, remaining, parent_values):
            del remaining[key]
    return remaining


def _can_leave_out(key: str, file_values: Values, parent_values: Values) -> bool:
    """Whether a file can leave out a value, because the same value follows from its other ones.

    A file with one deck, in place of the two of the parent, can leave out that two red threes have a
    value: `{"settings.decks": 1, "settings.red-three-values": [100, 200]}`.
    """
    other_values = dict(file_values)
    value = other_values.pop(key)
    followers = find_adjusted_values(load_links(), parent_values, other_values)
    if key not in followers:
        return False
    return bool(followers[key].new_value == value)


def values_in_force(parent_values: Values, file_values: Values) -> dict[str, Any]:
    """All values of house rules: those of the parent, as the file changes them.

    What follows from the values of the file takes the place of the parent's values too.
    """
    values = {**parent_values, **file_values}
    adjusted_values = find_adjusted_values(load_links(), parent_values, file_values)
    for key, adjusted_value in adjusted_values.items():
        values[key] = adjusted_value.new_value
    return values


def is_in_file(file_key: str, variant: Variant, parent: Variant) -> bool:
    """Whether the file of saved house rules, `variant`, gives a value itself.

    A value that follows from others (`variant.moved`) differs from the parent without being given.
    """
    if file_key in variant.moved:
        return False
    table, _, name = file_key.partition(".")
    if table == "settings":
        return variant.settings[name] != parent.settings[name]
    return variant.penalties[name] != parent.penalties[name]
