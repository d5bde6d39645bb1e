"""The options of a variant in the form of house rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scorepad.i18n.settings_in_words import value_word
from scorepad.rules.definitions import Option, Variant
from scorepad.web.base import page_words
from scorepad.web.forms import Choice
from scorepad.web.rule_choices import effective_options, seat_options
from scorepad.web.rule_words import coded


def offered_options(parent: Variant) -> tuple[Option, ...]:
    """The options in the form: those with named values that do not decide the number of players."""
    options_of_seats = seat_options(parent)
    offered = []
    for option in effective_options(parent):
        is_amount = option.step is not None
        if not is_amount and option not in options_of_seats:
            offered.append(option)
    return tuple(offered)


def choices_of_option(option: Option, variant: Variant, parent: Variant) -> Iterator[Choice]:
    """The values of an option as choices of a form field."""
    words = page_words(variant)
    for value in parent.values_of(option):
        yield Choice(coded(value.value), value_word(option.id, value.value, words))


def default_choice(option: Option) -> str:
    """The default value of an option, as in the form."""
    assert option.default is not None, "an amount"
    return coded(option.default)


def current_choice(option: Option, variant: Variant, parent: Variant) -> str:
    """The value of an option that agrees with the settings of the house rules.

    The default value if none does.
    """
    for value in parent.values_of(option):
        choice = coded(value.value)
        settings = settings_of_choice(option, parent, choice)
        if _has_settings(variant, settings):
            return choice
    return default_choice(option)


def settings_of_choice(option: Option, parent: Variant, chosen: str) -> dict[str, Any]:
    """The values of all settings that an option decides, if this value of it is chosen.

    Settings that only its other values change are as in the parent.
    """
    settings: dict[str, Any] = {}
    for value in option.values:
        for key in value.sets:
            settings[key] = parent.settings[key].value
    for value in option.values:
        if coded(value.value) == chosen:
            settings.update(value.sets)
            break
    return settings


def _has_settings(variant: Variant, settings: Mapping[str, Any]) -> bool:
    """Whether a variant has these settings, apart from points of canastas."""
    for key, value in settings.items():
        if not is_equal_but_for_points(key, value, variant.settings[key].value):
            return False
    return True


def is_equal_but_for_points(key: str, value: Any, other: Any) -> bool:
    """Whether two values of a setting are equal; canastas may have other points."""
    if key == "canastas":
        kinds = [kind["item"] for kind in value]
        other_kinds = [kind["item"] for kind in other]
        return kinds == other_kinds
    return bool(value == other)
