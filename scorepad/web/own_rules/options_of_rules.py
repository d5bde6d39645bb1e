"""The options of a variant in the form of house rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scorepad.i18n.settings_in_words import describe_option_value
from scorepad.rules.definitions import Option, Variant
from scorepad.web.base import page_words
from scorepad.web.forms import Choice
from scorepad.web.rule_choices import effective_options, seat_options, settings_decided_by
from scorepad.web.rule_words import coded


def list_offered_options(base_game: Variant) -> tuple[Option, ...]:
    """List the options that the form of house rules offers: those with values to choose from.

    Options that decide the number of players are left out: each match chooses them.
    """
    options_of_seats = seat_options(base_game)
    offered = []
    for option in effective_options(base_game):
        if not _is_typed_amount(option) and option not in options_of_seats:
            offered.append(option)
    return tuple(offered)


def _is_typed_amount(option: Option) -> bool:
    """Tell whether the value of an option is a number that players type, such as the target score.

    Other options have a few values to choose from.
    """
    return option.step is not None


def list_choices_of_option(
    option: Option, house_rules: Variant, base_game: Variant
) -> Iterator[Choice]:
    """List the values of an option as the choices of a form field, each with its name in words."""
    words = page_words(house_rules)
    for value in base_game.values_of(option):
        yield Choice(coded(value.value), describe_option_value(option.id, value.value, words))


def find_default_choice(option: Option) -> str:
    """Return the default value of an option, as the form sends it: `true`, `getty`.

    Call it only for an option that the form offers: an amount, which is typed, has no default.
    """
    assert option.default is not None, "only an option that is an amount has no default"
    return coded(option.default)


def find_current_choice(option: Option, house_rules: Variant, base_game: Variant) -> str:
    """Find the value of an option that the house rules have now, as the form sends it: `true`.

    House rules store settings, not options. So it is the first value of the option whose settings
    they have; if there is none, the default.
    """
    for value in base_game.values_of(option):
        choice = coded(value.value)
        settings_of_value = list_settings_of_choice(option, base_game, choice)
        if _agrees_with(house_rules, settings_of_value):
            return choice
    return find_default_choice(option)


def list_settings_of_choice(option: Option, base_game: Variant, choice: str) -> dict[str, Any]:
    """List all settings that an option decides, as they are if one of its values is chosen.

    `choice` is that value, as the form sends it. The values of one option may change different
    settings: what this one does not change is as in the base game.
    """
    settings = {}
    for key in settings_decided_by(option):
        settings[key] = base_game.settings[key].value
    settings.update(_find_settings_changed_by(option, choice))
    return settings


def _find_settings_changed_by(option: Option, choice: str) -> Mapping[str, Any]:
    """Find the settings that a value of an option changes, by key; none for an unknown value."""
    for value in option.values:
        if coded(value.value) == choice:
            return value.sets
    return {}


def _agrees_with(variant: Variant, settings: Mapping[str, Any]) -> bool:
    """Tell whether a variant has these values of settings: `{"decks": 2}`.

    The points of canastas (groups of seven cards or more) do not matter.
    """
    for key, value in settings.items():
        if not is_equal_apart_from_points(key, value, variant.settings[key].value):
            return False
    return True


def is_equal_apart_from_points(key: str, value: Any, other: Any) -> bool:
    """Tell whether two values of a setting are equal, apart from the points of canastas.

    A canasta is a group of seven cards or more. The setting `canastas` lists its kinds with their
    points: the kinds must be the same, but their points may differ.
    """
    if key == "canastas":
        kinds = [kind["item"] for kind in value]
        other_kinds = [kind["item"] for kind in other]
        return kinds == other_kinds
    return bool(value == other)
