"""Which values the file of house rules gives itself.

House rules start from a base game, and their file gives only what they change. Values are named
by their keys in the file: `settings.decks`, `penalties.draw-out-of-turn`. Some values follow from
others by the links of the data (`scorepad.rules.links`): fewer decks have fewer red threes, so that
the values of the rest fall away.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorepad.rules.definitions import Variant
from scorepad.rules.links import (
    BrokenCondition,
    ChangedValues,
    find_adjusted_values,
    find_broken_conditions,
    values_by_key,
)
from scorepad.rules.loader import load_links

Values = Mapping[str, Any]


def find_values_before(house_rules: Variant, base_game: Variant) -> dict[str, Any]:
    """Find the values of house rules from which their form starts, by key: `{"settings.decks": 2}`.

    Values that only followed from others are as in the base game: what follows is worked out anew
    from what the user changes.
    """
    values = values_by_key(house_rules)
    base_values = values_by_key(base_game)
    for key in house_rules.moved:
        values[key] = base_values[key]
    return values


def choose_values_for_file(
    values: Values,
    base_values: Values,
    *,
    typed_keys: set[str],
    keys_to_keep: set[str],
) -> dict[str, Any]:
    """Choose which of the values of house rules their file has to list, so that all of them hold.

    It leaves out what is as in the base game, and what follows from the values that it lists.
    `typed_keys` name the values that the user typed, `keys_to_keep` those that it must list in any
    case.
    """
    changed_keys = {key for key, value in values.items() if value != base_values.get(key)}
    keys_listed_first = changed_keys | typed_keys | keys_to_keep
    keys_that_stay = keys_to_keep | (changed_keys & typed_keys)
    file_values = {key: value for key, value in values.items() if key in keys_listed_first}

    # A value that was typed as in the base game comes last: the file needs it only if its other
    # values would change it.
    keys_in_order = sorted(file_values, key=lambda key: key in typed_keys)
    for key in keys_in_order:
        if key not in keys_that_stay and _holds_without_file(key, file_values, base_values):
            del file_values[key]
    return file_values


def _holds_without_file(key: str, file_values: Values, base_values: Values) -> bool:
    """Tell whether a value of a file of house rules would hold too if the file did not list it.

    A file lists 1 deck, and values for two red threes (bonus cards). One deck has only two red
    threes, so that the list of the base game, which has values for four, is cut by itself → True.
    """
    other_values = dict(file_values)
    del other_values[key]
    values_without_it = compute_values_in_force(base_values, other_values)
    return bool(values_without_it.get(key) == file_values[key])


def compute_values_in_force(base_values: Values, file_values: Values) -> dict[str, Any]:
    """Compute all values of house rules: those of the base game, as the file changes them.

    A value that follows from the values of the file changes too: with fewer decks there are values
    for fewer red threes (bonus cards).
    """
    values = {**base_values, **file_values}
    adjusted_values = find_adjusted_values(load_links(), base_values, file_values)
    for key, adjusted_value in adjusted_values.items():
        values[key] = adjusted_value.new_value
    return values


def find_unfit_values(file_values: Values, base_game: Variant) -> list[BrokenCondition]:
    """Find where the values of house rules would not fit each other, if their file lists these.

    Three decks, for example, have more red threes (bonus cards) than the base game has values for.
    """
    base_values = values_by_key(base_game)
    values_in_force = compute_values_in_force(base_values, file_values)
    values = ChangedValues(before=base_values, in_file=file_values, after=values_in_force)
    return find_broken_conditions(load_links(), values)


def is_in_file(file_key: str, house_rules: Variant, base_game: Variant) -> bool:
    """Tell whether the file of saved house rules lists a value itself.

    - `settings.decks`, which differs from the base game → True
    - `settings.red-three-values`, which differs only because there are fewer decks → False
    - a value that is as in the base game → False
    """
    follows_from_other_values = file_key in house_rules.moved
    if follows_from_other_values:
        return False
    table, _, name = file_key.partition(".")  # `settings.decks` or `penalties.draw-out-of-turn`
    if table == "settings":
        return house_rules.settings[name] != base_game.settings[name]
    return house_rules.penalties[name] != base_game.penalties[name]
