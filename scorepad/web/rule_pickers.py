"""The fields with which a reader chooses the rules of a game: its preset, then each of its options."""

from __future__ import annotations

from typing import NamedTuple

from scorepad.i18n import Words
from scorepad.i18n.settings_in_words import describe_option_value
from scorepad.rules.definitions import Option
from scorepad.web.rule_choices import ChosenRules, effective_options
from scorepad.web.rule_words import coded


class PickerValue(NamedTuple):
    """A value that can be chosen in a picker."""

    value: str
    text: str
    is_chosen: bool


class RulePicker(NamedTuple):
    """A field for a rule: a list of `values` to choose from, or a field in which an `amount` is typed.

    `usual` says what holds if nothing is chosen or typed.
    """

    name: str
    label: str
    usual: str
    is_amount: bool
    values: list[PickerValue]
    amount: str


def list_rule_pickers(
    chosen: ChosenRules, words: Words, without: str = "", *, with_rare: bool = True
) -> list[RulePicker]:
    """List the fields for the rules of a game, filled with what was chosen.

    The field for the option `without` is left out, and without `with_rare` those of few tables.
    """
    pickers = []
    if chosen.variant.presets:
        pickers.append(_make_preset_picker(chosen, words))
    for option in effective_options(chosen.variant):
        if option.id != without and (with_rare or not option.is_rare):
            pickers.append(_make_option_picker(option, chosen, words))
    return pickers


def _make_preset_picker(chosen: ChosenRules, words: Words) -> RulePicker:
    """Make the field for the preset, a named set of options."""
    values = []
    for preset in chosen.variant.presets:
        name = words.t(f"preset.{preset}")
        values.append(PickerValue(preset, name, is_chosen=preset == chosen.preset))
    return RulePicker(
        name="preset",
        label=words.t("rulebook.choose.preset"),
        usual=words.t("web.new.preset.nothing"),
        is_amount=False,
        values=values,
        amount="",
    )


def _make_option_picker(option: Option, chosen: ChosenRules, words: Words) -> RulePicker:
    """Make the field for an option: a list of its values, or a field for an amount."""
    chosen_value = chosen.options.get(option.id)
    is_amount = option.step is not None
    amount = ""
    if is_amount and chosen_value is not None:
        amount = str(chosen_value)
    return RulePicker(
        name=option.id,
        label=words.t(f"option.{option.id}"),
        usual=_say_usual_value(option, chosen, words),
        is_amount=is_amount,
        values=[] if is_amount else _list_values(option, chosen, words),
        amount=amount,
    )


def _say_usual_value(option: Option, chosen: ChosenRules, words: Words) -> str:
    """Say which value an option has if none is chosen: that of the preset, or the usual one."""
    key = "rulebook.choose.usual"
    if chosen.preset and option.id in chosen.variant.presets[chosen.preset].options:
        key = "rulebook.choose.as-preset"
    value = describe_option_value(option.id, chosen.inherited[option.id], words)
    return words.t(key, value=value)


def _list_values(option: Option, chosen: ChosenRules, words: Words) -> list[PickerValue]:
    """List the values of an option.

    The usual one is left out as long as no value is chosen: then to choose nothing says the same.
    """
    usual = coded(chosen.inherited[option.id])
    chosen_value = chosen.options.get(option.id)
    values = []
    for each in chosen.variant.values_of(option):
        value = coded(each.value)
        if chosen_value is None and value == usual:
            continue
        is_chosen = chosen_value is not None and value == coded(chosen_value)
        text = describe_option_value(option.id, each.value, words)
        values.append(PickerValue(value, text, is_chosen))
    return values
