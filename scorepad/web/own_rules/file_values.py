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


def choose_values_for_file(
    values: Values,
    parent_values: Values,
    *,
    typed_keys: Collection[str],
    keys_to_keep: Collection[str],
) -> dict[str, Any]:
    """Choose which values a file of house rules has to list, so that it stands for all these values.

    House rules start from a game, their parent. If that has two decks and the user typed one, the
    file lists `{"settings.decks": 1}`. It leaves out what is as in the parent, and what follows: one
    deck has fewer red threes (bonus cards), so that the list of their values is shorter by itself.

    `typed_keys` name the values that the user typed, `keys_to_keep` those that the file lists in
    any case.
    """
    changed_values = _select_changed_values(values, parent_values, keys_to_keep)
    keys_that_stay = {*typed_keys, *keys_to_keep}
    file_values = _leave_out_values_that_follow(changed_values, parent_values, keys_that_stay)

    # A typed value may be left out so far because it is as in the parent. If the other values of
    # the file would change it, the file must list it after all.
    values_that_follow = find_adjusted_values(load_links(), parent_values, file_values)
    for key in values_that_follow:
        if key in typed_keys:
            file_values[key] = values[key]
    return file_values


def _select_changed_values(
    values: Values, parent_values: Values, keys_to_keep: Collection[str]
) -> dict[str, Any]:
    """Select the values that differ from those of the parent game, and those with a key to keep.

    The parent has 2 decks and 11 cards dealt. `{"settings.decks": 1, "settings.dealt": 11}` →
    `{"settings.decks": 1}`.
    """
    selected: dict[str, Any] = {}
    for key, value in values.items():
        is_changed = value != parent_values.get(key)
        if is_changed or key in keys_to_keep:
            selected[key] = value
    return selected


def _leave_out_values_that_follow(
    file_values: Values, parent_values: Values, keys_that_stay: Collection[str]
) -> dict[str, Any]:
    """Return the values of a file without those that follow from its other values.

    Values with one of the `keys_that_stay` are not left out.
    """
    remaining = dict(file_values)
    for key in file_values:
        if key in keys_that_stay:
            continue
        # It must follow from what remains by now, not from a value that was left out before.
        if _can_leave_out(key, remaining, parent_values):
            del remaining[key]
    return remaining


def _can_leave_out(key: str, file_values: Values, parent_values: Values) -> bool:
    """Tell whether a file of house rules can leave out a value, as it follows from the others.

    The parent has two decks, and values for its four red threes (bonus cards). One deck has only
    two, so that their list is cut by itself. Of the file values
    `{"settings.decks": 1, "settings.red-three-values": [100, 200]}` the second can be left out.
    """
    other_values = dict(file_values)
    del other_values[key]
    values_that_follow = find_adjusted_values(load_links(), parent_values, other_values)
    if key not in values_that_follow:
        return False
    return bool(values_that_follow[key].new_value == file_values[key])


def compute_values_in_force(parent_values: Values, file_values: Values) -> dict[str, Any]:
    """Compute all values of house rules: those of the parent game, as the file changes them.

    A value that follows from the values of the file changes too: with fewer decks there are values
    for fewer red threes (bonus cards).
    """
    values = {**parent_values, **file_values}
    adjusted_values = find_adjusted_values(load_links(), parent_values, file_values)
    for key, adjusted_value in adjusted_values.items():
        values[key] = adjusted_value.new_value
    return values


def is_in_file(file_key: str, variant: Variant, parent: Variant) -> bool:
    """Tell whether the file of saved house rules lists a value itself.

    `variant` are the house rules, `parent` is the game that they start from.

    - `settings.decks`, which differs from the parent → True
    - `settings.red-three-values`, which differs only because there are fewer decks → False
    - a value that is as in the parent → False
    """
    follows_from_other_values = file_key in variant.moved
    if follows_from_other_values:
        return False
    table, _, name = file_key.partition(".")  # `settings.decks` or `penalties.draw-out-of-turn`
    if table == "settings":
        return variant.settings[name] != parent.settings[name]
    return variant.penalties[name] != parent.penalties[name]
