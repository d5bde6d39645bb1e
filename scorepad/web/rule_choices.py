"""The rules that a URL or a form chooses: variant, preset and options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from scorepad.errors import ChoiceError
from scorepad.i18n import Words
from scorepad.i18n.rule_sentences import has_sentence_for_value
from scorepad.rules.definitions import Choices, ChoiceValue, Option, Ruleset, Statement, Variant
from scorepad.rules.variants import settle, statements_of, variant_with_choices
from scorepad.schemas.variant_json import has_effect, is_listed
from scorepad.web.base import FieldError, page_words, t
from scorepad.web.forms import figure_of
from scorepad.web.rule_words import choices_words, coded
from scorepad.web.rulebook_links import PRESET, game_url

LONGEST_QUOTE = 40
"""Characters of an unknown value that its error message repeats."""
_SIDES = "sides"
"""The setting that says how many sides play, of how many players each."""


@dataclass(frozen=True)  # without slots: its values are cached
class ChosenRules:
    """A variant with the preset and the options that a reader chose.

    `options` are values by the id of the option. `errors` are about choices that do not exist.
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
        """The values that all options have under the preset (a named set of options) alone."""
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
        """Make the URL of the page of the game under these choices."""
        return game_url(self.variant.id, self.preset, self.options, anchor)

    def with_option(self, option: str, value: ChoiceValue) -> ChosenRules:
        """Return the same choices, but with this value of an option."""
        return replace(self, options={**self.options, option: value})

    def in_words(self, words: Words) -> str:
        """Name the choices in words; empty if there are none."""
        return choices_words(self.preset, self.options, words)


# ---------------------------------------------------------------- reading choices


def read_choices(variant: Variant, args: Mapping[str, str]) -> ChosenRules:
    """Read which rules of a game the parameters of a URL choose.

    `?preset=getty&target=3000` chooses a preset (a named set of options) and a value of one option.
    Choices that do not exist are left out, and each gets an error message.
    """
    errors = []
    preset = None
    typed_preset = args.get(PRESET, "").strip()
    if typed_preset in variant.presets:
        preset = typed_preset
    elif typed_preset:
        errors.append(_make_unknown_preset_error(typed_preset))

    options: dict[str, ChoiceValue] = {}
    for option in variant.options.values():
        typed = args.get(option.id, "").strip()
        if not typed:
            continue
        value = _read_possible_value(variant, option, typed)
        if value is None:
            errors.append(_make_unknown_value_error(variant, option, typed))
        else:
            options[option.id] = value
    return ChosenRules(variant, preset, options, tuple(errors))


def _read_possible_value(variant: Variant, option: Option, typed: str) -> ChoiceValue | None:
    """Read the value of an option from a URL: `3000` for the target of a match.

    None if the option does not have this value, or if the game cannot be played with it.
    """
    value = option_value(option, typed)
    if value is None or not _is_possible(variant, option, value):
        return None
    return value


def _make_unknown_preset_error(typed: str) -> FieldError:
    """Make the error for a preset that a game does not have; it quotes the beginning of the name.

    "This game has no rules “…”: the usual ones are shown."
    """
    message = t("rulebook.unknown.preset", given=typed[:LONGEST_QUOTE])
    return FieldError(None, message)


def _make_unknown_value_error(variant: Variant, option: Option, typed: str) -> FieldError:
    """Make the error for a value that an option does not have; it quotes the value's beginning.

    "“Target” cannot be “abc” here: the rules are shown without that choice."
    """
    name = page_words(variant).t(f"option.{option.id}")
    message = t("rulebook.unknown.option", option=name, given=typed[:LONGEST_QUOTE])
    return FieldError(None, message)


def option_value(option: Option, text: str) -> ChoiceValue | None:
    """Read the value of an option from the text in a form or a URL; None if it has no such value.

    - an amount, such as the target → a number: `3000`
    - an option with named values → one of them: `exactly-seven`
    """
    is_amount = option.step is not None
    if is_amount:
        return figure_of(text)
    for entry in option.values:
        if coded(entry.value) == text.strip():
            return entry.value
    return None


def _is_possible(variant: Variant, option: Option, value: ChoiceValue) -> bool:
    """Tell whether a game can be played with this value of an option: a target of 7 cannot, say."""
    try:
        settle(variant.id, None, {option.id: value})
    except ChoiceError:
        return False
    return True


# ---------------------------------------------------------------- the options of a variant


def effective_options(variant: Variant) -> Iterator[Option]:
    """List the options that can change something in a game. Others are not offered to players.

    Those by which few tables play come last.
    """
    for option in sorted(variant.options.values(), key=lambda option: option.is_rare):
        is_amount = option.step is not None
        if is_amount or _has_effect(option, variant):
            yield option


def _has_effect(option: Option, variant: Variant) -> bool:
    """Tell whether an option with named values can change anything in a game.

    It cannot if the settings that it decides mean nothing there, whichever value is chosen: how
    wild cards (jokers and twos) are laid is of no interest where there are none.
    """
    decided_keys = settings_decided_by(option)
    for value in variant.values_of(option):
        choice = {option.id: value.value}
        game = variant_with_choices(variant.id, preset=None, options=choice)
        if any(has_effect(key, game) for key in decided_keys):
            return True
    return False


def settings_decided_by(option: Option) -> set[str]:
    """Find all settings that the values of an option set, by key: `target` → `{"target"}`.

    An option may set several at once.
    """
    keys: set[str] = set()
    if option.sets is not None:  # an amount sets a single one
        keys.add(option.sets)
    for value in option.values:
        keys.update(value.sets)
    return keys


def in_book(key: str, variant: Variant, words: Words) -> bool:
    """Tell whether the rulebook shows a setting on the page of a game.

    - the setting changes nothing in this game → False
    - it is on the list of rules, or the rulebook has a sentence about it → True
    - players may choose another value, by an option that is not only for few tables → True
    - anything else → False
    """
    if not has_effect(key, variant):
        return False
    if is_listed(key, variant):
        return True
    if has_sentence_for_value(key, variant, words):
        return True
    usual_options = [option for option in variant.options.values() if not option.is_rare]
    return any(_decides(option, key) for option in usual_options)


def _decides(option: Option, key: str) -> bool:
    """Tell whether an option has a value that changes a setting."""
    return any(key in value.sets for value in option.values)


def seat_options(variant: Variant) -> tuple[Option, ...]:
    """List the options that decide how many players a game has.

    They are chosen before the names of the players.
    """
    return tuple(option for option in variant.options.values() if _decides(option, _SIDES))


def chosen_seats(variant: Variant, submitted: Mapping[str, str]) -> dict[str, ChoiceValue]:
    """Read from a submitted form the options that decide how many players a match has.

    An option without a valid value is left out, so that its default counts.
    """
    chosen: dict[str, ChoiceValue] = {}
    for option in seat_options(variant):
        value = option_value(option, submitted.get(f"option-{option.id}", ""))
        if value is not None:
            chosen[option.id] = value
    return chosen
