"""The rules that a URL chooses: variant, preset and options; the form for them, and the options with their values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from scorepad.errors import ChoiceError
from scorepad.i18n import Words
from scorepad.i18n.settings import goes_without_saying, value_word
from scorepad.rules.definitions import Cited, Option, Statement, same
from scorepad.rules.variants import Choice, Ruleset, Variant, as_played, default_of, settle, statements_of, use_words
from scorepad.schemas.variants import applies, is_told
from scorepad.web.base import FieldError
from scorepad.web.forms import read_whole
from scorepad.web.presenters import PRESET, anchor, coded, game_url, option_words

LONGEST_QUOTE = 40
"""Characters of an unknown value that its error message repeats."""


@dataclass(frozen=True)  # without slots: its values are cached
class ChosenRules:
    """A variant with the preset and options chosen by a reader; `errors`: for choices that do not exist."""

    variant: Variant
    preset: str | None = None
    options: Mapping[str, Choice] = field(default_factory=dict)
    errors: tuple[FieldError, ...] = ()

    @cached_property
    def played(self) -> Variant:
        """The variant with the settings that follow from the choices."""
        return as_played(self.variant.id, self.preset, self.options)

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """The statements of the sources beside the settings under these choices."""
        return tuple(statements_of(self.played))

    @cached_property
    def rules(self) -> Ruleset:
        """The rules in force under these choices."""
        return settle(self.variant.id, self.preset, self.options)

    def url(self, anchor: str | None = None) -> str:
        """The page of the game under these choices."""
        return game_url(self.variant.id, self.preset, self.options, anchor)

    def with_option(self, option: str, value: Choice) -> ChosenRules:
        """These choices with one option changed."""
        return replace(self, options={**self.options, option: value})

    def in_words(self, words: Words) -> str:
        """The choices in words; empty if there are none."""
        preset = [words.text(f"preset.{self.preset}")] if self.preset else []
        return "; ".join((*preset, *(option_words(name, value, words) for name, value in self.options.items())))


def read_choices(variant: Variant, args: Mapping[str, str], words: Words) -> ChosenRules:
    """The choices in the parameters of a URL; those that do not exist are left out, with an error for each."""
    use_words(variant.words)
    preset, errors = args.get(PRESET, "").strip() or None, []
    if preset is not None and preset not in variant.presets:
        errors.append(FieldError(None, words.text("rulebook.unknown.preset", given=preset[:LONGEST_QUOTE])))
        preset = None
    options: dict[str, Choice] = {}
    for option in variant.options.values():
        given = args.get(option.id, "").strip()
        value = _read_value(variant, option, given, words) if given else None
        if value is not None:
            options[option.id] = value
        elif given:
            name, given = words.text(f"option.{option.id}"), given[:LONGEST_QUOTE]
            errors.append(FieldError(None, words.text("rulebook.unknown.option", option=name, given=given)))
    return ChosenRules(variant, preset, options, tuple(errors))


def _read_value(variant: Variant, option: Option, given: str, words: Words) -> Choice | None:
    """The value of an option; None if the variant has no such value."""
    if option.step is not None:
        value: Choice | None = read_whole(given, words.language)
    else:
        value = next((each.value for each in option.values if coded(each.value) == given), None)
    if value is None:
        return None
    try:
        settle(variant.id, None, {option.id: value})
    except ChoiceError:
        return None
    return value


def effective_options(variant: Variant) -> Iterator[Option]:
    """The options of which at least one value changes something in the game."""
    for option in variant.options.values():
        keys = {key for value in option.values for key in value.sets}
        tables = (as_played(variant.id, None, {option.id: value.value}) for value in variant.values_of(option))
        if option.step is not None or any(applies(key, table) for table in tables for key in keys):
            yield option


def in_book(key: str, variant: Variant, words: Words) -> bool:
    """Whether a setting is shown in the rulebook: it has an effect, or an option may give it one."""
    if not applies(key, variant):
        return False
    may_be_chosen = any(key in value.sets for option in variant.options.values() for value in option.values)
    return may_be_chosen or is_told(key, variant) or goes_without_saying(key, variant, words)


SITS = "sides"
"""The setting that an option of the table decides."""


def seat_options(variant: Variant) -> tuple[Option, ...]:
    """The options that decide the number of players; they are chosen before the names."""
    return tuple(option for option in variant.options.values() if any(SITS in value.sets for value in option.values))


def seated_by(variant: Variant, sent: Mapping[str, str]) -> dict[str, Choice]:
    """The values of those options in a submitted form; the default for an unknown value."""
    return {
        option.id: value.value
        for option in seat_options(variant)
        for value in option.values
        if coded(value.value) == sent.get(f"option-{option.id}", "").strip()
    }


# ---------------------------------------------------------------- the form


@dataclass(frozen=True, slots=True)
class Picker:
    """A field of the form: a list of (value, label, whether it is chosen), or a text field if `lines` is empty."""

    name: str
    label: str
    lines: tuple[tuple[str, str, bool], ...]
    value: str = ""
    hint: str = ""


def pickers(chosen: ChosenRules, words: Words) -> Iterator[Picker]:
    """The fields to choose the rules of a table: the preset, then every option."""
    variant = chosen.variant
    if variant.presets:
        none = ("", words.text("web.new.preset.nothing"), chosen.preset is None)
        named = ((each, words.text(f"preset.{each}"), each == chosen.preset) for each in variant.presets)
        yield Picker(PRESET, words.text("rulebook.choose.preset"), (none, *named))
    inherited = settle(variant.id, chosen.preset).options
    by_preset = variant.presets[chosen.preset].options if chosen.preset else {}
    for option in effective_options(variant):
        label, now = words.text(f"option.{option.id}"), inherited[option.id]
        key = "rulebook.choose.as-told" if option.id in by_preset else "rulebook.choose.usual"
        usual = words.text(key, value=value_word(option.id, now, words))
        own = chosen.options.get(option.id)
        if option.step is not None:
            yield Picker(option.id, label, (), "" if own is None else str(own), usual)
            continue
        others = (
            (coded(each.value), value_word(option.id, each.value, words), own is not None and same(own, each.value))
            for each in variant.values_of(option)
            if own is not None or not same(each.value, now)
        )
        yield Picker(option.id, label, (("", usual, own is None), *others))


# ---------------------------------------------------------------- the options with their values


@dataclass(frozen=True, slots=True)
class OptionValue:
    """A value of an option as the page lists it.

    `is_shown`: shown by the page, but not the usual value. `url`: the page with this value, empty if it is
    already shown.
    """

    name: str
    cited: Cited
    is_usual: bool = False
    is_shown: bool = False
    url: str = ""


def option_values(chosen: ChosenRules, option: Option, words: Words) -> Iterator[OptionValue]:
    """The values of an option; for an amount the usual one, those named by a source, and any other."""
    usual, now = default_of(chosen.variant, option), chosen.rules.options[option.id]
    if option.sets is not None:
        yield OptionValue(words.figure(int(usual)), chosen.variant.settings[option.sets].cited, is_usual=True)
    for each in chosen.variant.values_of(option):
        is_now, is_usual = same(each.value, now), same(each.value, usual)
        url = "" if is_now else chosen.with_option(option.id, each.value).url(anchor("option", option.id))
        name = value_word(option.id, each.value, words)
        yield OptionValue(name, each.cited, is_usual=is_usual, is_shown=is_now and not is_usual, url=url)
    if option.cited is not None:
        is_own = now != usual and option.value_of(now) is None
        key = f"option.{option.id}.{'any' if option.step == 1 else 'amount'}"
        name = words.figure(int(now)) if is_own else words.text(key, step=option.step or 1)
        yield OptionValue(name, option.cited, is_shown=is_own)
