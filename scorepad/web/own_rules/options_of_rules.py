"""The options of a variant in the form of house rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scorepad.i18n.settings_in_words import value_word
from scorepad.rules.definitions import Option, Variant
from scorepad.web.base import page_words
from scorepad.web.forms import Choice
from scorepad.web.rule_choices import effective_options, seat_options, settings_decided_by
from scorepad.web.rule_words import coded


def offered_options(parent: Variant) -> tuple[Option, ...]:
    """The options in the form: those with values to choose from.

    Options that decide the number of players are left out: each match chooses them.
    """
    options_of_seats = seat_options(parent)
    offered = []
    for option in effective_options(parent):
        if not _is_typed_amount(option) and option not in options_of_seats:
            offered.append(option)
    return tuple(offered)


def _is_typed_amount(option: Option) -> bool:
    """Whether the value of an option is any number in steps, such as the score to reach.

    Other options have a few values to choose from.
    """
    return option.step is not None


def choices_of_option(option: Option, variant: Variant, parent: Variant) -> Iterator[Choice]:
    """The values of an option as choices of a form field."""
    words = page_words(variant)
    for value in parent.values_of(option):
        yield Choice(coded(value.value), value_word(option.id, value.value, words))


def default_choice(option: Option) -> str:
    """The default value of an option, as the form sends it: `true`, `getty`.

    Every option that the form offers has one.
    """
    assert option.default is not None, "only an option that is an amount has no default"
    return coded(option.default)


def current_choice(option: Option, variant: Variant, parent: Variant) -> str:
    """The value of an option that agrees with the settings of house rules, as the form sends it.

    `variant` are the house rules, `parent` is the variant that they start from. If the settings
    agree with no value, it is the default one.
    """
    for value in parent.values_of(option):
        choice = coded(value.value)
        settings_of_value = settings_of_choice(option, parent, choice)
        if _agrees_with(variant, settings_of_value):
            return choice
    return default_choice(option)


def settings_of_choice(option: Option, parent: Variant, choice: str) -> dict[str, Any]:
    """The values of all settings that an option decides, if a value of it is chosen.

    `choice` is the value as the form sends it. Settings that only other values of the option change
    are as in the parent.
    """
    settings = {key: parent.settings[key].value for key in settings_decided_by(option)}
    settings.update(_settings_changed_by(option, choice))
    return settings


def _settings_changed_by(option: Option, choice: str) -> Mapping[str, Any]:
    """The settings that a value of an option changes, by key; none for an unknown value."""
    for value in option.values:
        if coded(value.value) == choice:
            return value.sets
    return {}


def _agrees_with(variant: Variant, settings: Mapping[str, Any]) -> bool:
    """Whether a variant has these values of settings, apart from the points of canastas."""
    for key, value in settings.items():
        if not is_equal_but_for_points(key, value, variant.settings[key].value):
            return False
    return True


def is_equal_but_for_points(key: str, value: Any, other: Any) -> bool:
    """Whether two values of a setting are equal; kinds of canasta may have other points."""
    if key == "canastas":
        kinds = [kind["item"] for kind in value]
        other_kinds = [kind["item"] for kind in other]
        return kinds == other_kinds
    return bool(value == other)
