"""The rules that a URL chooses: variant, preset and options; the form for them, and the options
with their values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from flask import session

from scorepad.errors import ChoiceError
from scorepad.i18n import Words
from scorepad.i18n.rule_sentences import is_left_out_of_lists
from scorepad.rules.definitions import Choices, ChoiceValue, Option, Ruleset, Statement, Variant
from scorepad.rules.variants import own_variants, settle, statements_of, variant_with_choices
from scorepad.schemas.variant_json import applies, is_listed
from scorepad.web.base import FieldError, page_words, t
from scorepad.web.forms import figure_of
from scorepad.web.rule_words import choices_words, coded
from scorepad.web.rulebook_links import PRESET, game_url

LONGEST_QUOTE = 40
"""Characters of an unknown value that its error message repeats."""


@dataclass(frozen=True)  # without slots: its values are cached
class ChosenRules:
    """A variant with the preset and options chosen by a reader; `errors`: for choices that do not
    exist.
    """

    variant: Variant
    preset: str | None = None
    options: Mapping[str, ChoiceValue] = field(default_factory=dict)
    errors: tuple[FieldError, ...] = ()

    @cached_property
    def current_variant(self) -> Variant:
        """The variant with the settings that follow from the choices."""
        return variant_with_choices(self.variant.id, self.preset, self.options)

    @cached_property
    def inherited(self) -> Choices:
        """The options under the preset alone."""
        return settle(self.variant.id, self.preset).options

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """The statements of the sources beside the settings under these choices."""
        return tuple(statements_of(self.current_variant))

    @cached_property
    def rules(self) -> Ruleset:
        """The rules in force under these choices."""
        return settle(self.variant.id, self.preset, self.options)

    def url(self, anchor: str | None = None) -> str:
        """The page of the game under these choices."""
        return game_url(self.variant.id, self.preset, self.options, anchor)

    def with_option(self, option: str, value: ChoiceValue) -> ChosenRules:
        return replace(self, options={**self.options, option: value})

    def in_words(self, words: Words) -> str:
        """The choices in words; empty if there are none."""
        return choices_words(self.preset, self.options, words)


def read_choices(variant: Variant, args: Mapping[str, str]) -> ChosenRules:
    """The choices in the parameters of a URL; those that do not exist are left out, with an error
    for each.
    """
    words = page_words(variant)
    preset = args.get(PRESET, "").strip() or None
    errors = []
    if preset is not None and preset not in variant.presets:
        errors.append(FieldError(None, t("rulebook.unknown.preset", given=preset[:LONGEST_QUOTE])))
        preset = None
    options: dict[str, ChoiceValue] = {}
    for option in variant.options.values():
        given = args.get(option.id, "").strip()
        value = option_value(option, given)
        if value is not None and _is_possible(variant, option, value):
            options[option.id] = value
        elif given:
            name = words.t(f"option.{option.id}")
            given = given[:LONGEST_QUOTE]
            errors.append(FieldError(None, t("rulebook.unknown.option", option=name, given=given)))
    return ChosenRules(variant, preset, options, tuple(errors))


def option_value(option: Option, text: str) -> ChoiceValue | None:
    """The value of an option as typed, or as coded in a form or URL; None if there is none."""
    if option.step is not None:
        return figure_of(text)
    for entry in option.values:
        if coded(entry.value) == text.strip():
            return entry.value
    return None


def _is_possible(variant: Variant, option: Option, value: ChoiceValue) -> bool:
    try:
        settle(variant.id, None, {option.id: value})
    except ChoiceError:
        return False
    return True


def effective_options(variant: Variant) -> Iterator[Option]:
    """The options of which at least one value changes something in the game."""
    for option in variant.options.values():
        if option.step is not None or _has_effect(option, variant):
            yield option


def _has_effect(option: Option, variant: Variant) -> bool:
    keys: set[str] = set()
    for value in option.values:
        keys.update(value.sets)
    for value in variant.values_of(option):
        with_value = variant_with_choices(variant.id, None, {option.id: value.value})
        if any(applies(key, with_value) for key in keys):
            return True
    return False


def in_book(key: str, variant: Variant, words: Words) -> bool:
    """Whether a setting is shown in the rulebook: it has an effect, or an option may give it one."""
    if not applies(key, variant):
        return False
    may_be_chosen = any(
        key in value.sets for option in variant.options.values() for value in option.values
    )
    return may_be_chosen or is_listed(key, variant) or is_left_out_of_lists(key, variant, words)


_MADE = "own-rules"
"""Session key of the house rules made by this device."""


def made_here() -> frozenset[str]:
    """The ids of the house rules that this device made; some may have been removed since."""
    return frozenset(session.get(_MADE, ()))


def keep_made(variant: str) -> None:
    """Remember that this device made these house rules, and may change them."""
    session[_MADE] = sorted({*(made_here() & own_variants().usable.keys()), variant})


def of_other_guests() -> frozenset[str]:
    """The house rules of devices without access to all matches, except those of this device."""
    return own_variants().guests - made_here()


SITS = "sides"
"""The setting that an option of the table decides."""


def seat_options(variant: Variant) -> tuple[Option, ...]:
    """The options that decide the number of players; they are chosen before the names."""
    return tuple(
        option
        for option in variant.options.values()
        if any(SITS in value.sets for value in option.values)
    )


def seated_by(variant: Variant, sent: Mapping[str, str]) -> dict[str, ChoiceValue]:
    """The values of those options in a submitted form; the default for an unknown value."""
    chosen = {
        each.id: option_value(each, sent.get(f"option-{each.id}", ""))
        for each in seat_options(variant)
    }
    return {name: value for name, value in chosen.items() if value is not None}
