"""The rules of the same variant under which a question would get another answer.

Those are its other presets, and the values of its options that a table could have
chosen instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from scorepad.errors import ChoiceError
from scorepad.referee.ruling import Alternative, Ruling
from scorepad.rules.definitions import (
    Choices,
    ChoiceValue,
    Option,
    OptionValue,
    Preset,
    Ruleset,
    SourceId,
    Variant,
    citation_texts,
    is_same,
)
from scorepad.rules.variants import default_of, get_variant, settle

RulingUnder = Callable[[Ruleset], Ruling]
"""The ruling on a question under some rules."""


def find_alternatives(
    rules: Ruleset, ruling: Ruling, ruling_under: RulingUnder
) -> tuple[Alternative, ...]:
    """The other rules of the same game (variant) under which a question would get another answer
    than `ruling`: first presets, then single options that these do not explain.

    `ruling_under` gives the ruling on the question under any rules. Empty if the variant no longer
    has the options of these rules: a match keeps the rules that it began with.
    """
    try:
        search = _search_for_alternatives(rules, ruling, ruling_under)
        return search.all_alternatives()
    except ChoiceError:
        return ()


def _search_for_alternatives(
    rules: Ruleset, ruling: Ruling, ruling_under: RulingUnder
) -> _AlternativeSearch:
    """The search for other rules than these, which give this ruling. Raises ChoiceError if the
    variant of the rules, or their preset, no longer exists.
    """
    return _AlternativeSearch(
        variant=get_variant(rules.variant),
        rules=rules,
        table_options=_options_of_the_table(rules),
        ruling=ruling,
        ruling_under=ruling_under,
    )


def _not_changed_by_presets(
    single_options: list[Alternative], presets: list[Alternative]
) -> list[Alternative]:
    """The alternatives of a single option that none of these presets explains.

    If a preset gives another answer because of its option `upcard`, that option is not listed
    again by itself.
    """
    changed_by_presets: list[tuple[str, ChoiceValue]] = []
    for preset in presets:
        changed_by_presets += preset.changed.items()

    others: list[Alternative] = []
    for single in single_options:
        is_explained = all(change in changed_by_presets for change in single.changed.items())
        if not is_explained:
            others.append(single)
    return others


def is_same_answer(one: Ruling, other: Ruling) -> bool:
    """Whether two rulings have the same verdict and the same details."""
    return one.verdict is other.verdict and dict(one.details) == dict(other.details)


def _options_of_the_table(rules: Ruleset) -> Choices:
    """The options that the table chose in addition to its preset. Raises ChoiceError."""
    options_of_preset = settle(rules.variant, rules.preset).options
    # A match may have options that the variant no longer has.
    known = {name: value for name, value in rules.options.items() if name in options_of_preset}
    return _changed_options(known, options_of_preset)


def _changed_options(options: Choices, defaults: Choices) -> Choices:
    """The options whose values are not these defaults."""
    return {name: value for name, value in options.items() if not is_same(value, defaults[name])}


# --------------------------------------------------------------------------------------- the search


@dataclass(frozen=True, slots=True)
class _AlternativeSearch:
    """The search for other rules of a variant that give another ruling on a question. Its methods
    raise ChoiceError if the variant no longer has a preset or an option.
    """

    variant: Variant
    rules: Ruleset
    """The rules in force."""
    table_options: Choices
    """The options that the table chose in addition to its preset."""
    ruling: Ruling
    """The ruling under the rules in force."""
    ruling_under: RulingUnder

    def all_alternatives(self) -> tuple[Alternative, ...]:
        """The presets that give another answer, and then the single options that do, except those
        that these presets explain.
        """
        single_options = self.differing_options()
        presets = self.differing_presets(single_options)
        return (*presets, *_not_changed_by_presets(single_options, presets))

    def differing_options(self) -> list[Alternative]:
        """The values of single options that give another answer, with all else unchanged."""
        alternatives: list[Alternative] = []
        for option, value in other_values(self.variant, self.rules):
            alternative = self._with_option(option, value)
            if not is_same_answer(alternative.ruling, self.ruling):
                alternatives.append(alternative)
        return alternatives

    def differing_presets(self, single_options: list[Alternative]) -> list[Alternative]:
        """The other presets that give another answer.

        A preset is a set of options that a source plays with. `single_options` are the options that
        give another answer by themselves.
        """
        alternatives: list[Alternative] = []
        for preset in self.variant.presets.values():
            if preset.id == self.rules.preset:
                continue
            alternative = self._with_preset(preset, single_options)
            if not is_same_answer(alternative.ruling, self.ruling):
                alternatives.append(alternative)
        return alternatives

    def _with_option(self, option: Option, value: OptionValue) -> Alternative:
        """The ruling if this option had this value, and all else were as in the rules in force."""
        changed = {option.id: value.value}
        options_of_table: Choices = {**self.table_options, **changed}
        other_rules = settle(self.variant.id, self.rules.preset, options_of_table)
        return Alternative(
            preset=None,
            options=self._options_without_preset(other_rules, options_of_table),
            changed=changed,
            ruling=self.ruling_under(other_rules),
            sources=citation_texts([value.cited]),
        )

    def _options_without_preset(self, other_rules: Ruleset, options_of_table: Choices) -> Choices:
        """The options that give these other rules if no preset is chosen.

        The other rules are those of the preset with one option changed, so the preset's name cannot
        stand for them. Instead all options are listed in which they differ from the variant's
        defaults, those of the preset among them.
        """
        if self.rules.preset is None:
            return options_of_table
        rules_with_defaults = settle(self.variant.id)
        return _changed_options(other_rules.options, rules_with_defaults.options)

    def _with_preset(self, preset: Preset, single_options: list[Alternative]) -> Alternative:
        """The ruling under this preset (a set of options that a source plays with).

        The table keeps those of its own options that the preset leaves open. `single_options` are
        the options that give another answer by themselves. If some of them are part of the preset
        and give its very answer, they are the change that is reported.
        """
        kept_options = _kept_beside(preset, self.variant, self.table_options)
        rules_of_preset = settle(self.variant.id, preset.id, kept_options)
        ruling = self.ruling_under(rules_of_preset)
        changed = _deciding_options(rules_of_preset, ruling, single_options)
        options_to_cite = changed
        if not changed:
            options_to_cite = _options_of_preset(preset, rules_of_preset, self.rules)
        return Alternative(
            preset=preset.id,
            options={**kept_options, **changed},
            changed=changed,
            ruling=ruling,
            sources=_sources_of(self.variant, options_to_cite),
        )


# ------------------------------------------------------------------------------------------ options


def other_values(variant: Variant, rules: Ruleset) -> Iterator[tuple[Option, OptionValue]]:
    """The values that a table could have chosen instead, each with its option.

    Of an option that takes any amount, these are only the amounts that a source names.
    """
    for option in variant.options.values():
        for value in variant.values_of(option):
            changes_number_of_players = "sides" in value.sets
            if changes_number_of_players:  # that is no choice of rules
                continue
            chosen = rules.options.get(option.id)
            if chosen is None or not is_same(value.value, chosen):
                yield option, value


# ------------------------------------------------------------------------------------------ presets


def _options_of_preset(preset: Preset, rules_of_preset: Ruleset, rules: Ruleset) -> Choices:
    """The options by which a preset may differ from the rules in force: all that it sets.

    A preset that sets none stands for the defaults of the variant. Then they are the options in
    which `rules_of_preset` differ from the rules in force.
    """
    if preset.options:
        return preset.options
    return _changed_options(rules_of_preset.options, rules.options)


def _kept_beside(preset: Preset, variant: Variant, table_options: Choices) -> Choices:
    """The table's own options that a preset leaves open: it does not set them, and its source does
    not state their default either.
    """
    kept: dict[str, ChoiceValue] = {}
    for name, chosen in table_options.items():
        is_decided = name in preset.options or _states_default(preset.source, variant, name)
        if not is_decided:
            kept[name] = chosen
    return kept


def _states_default(source: SourceId, variant: Variant, option_name: str) -> bool:
    """Whether a source is cited for the default value of an option."""
    option = variant.options[option_name]
    default = option.value_of(default_of(variant, option))
    if default is None:  # an amount has no citations of its own
        return False
    return any(citation.source == source for citation in default.cited.citations)


def _deciding_options(
    rules_of_preset: Ruleset, ruling_of_preset: Ruling, single_options: list[Alternative]
) -> Choices:
    """The options that give the ruling of a preset even without the rest of it.

    `single_options` are the alternatives of one option each. If the preset has the option `upcard`
    with the value `cover`, and this alone gives the same answer, it is `{"upcard": "cover"}`.
    """
    deciding: dict[str, ChoiceValue] = {}
    for single in single_options:
        gives_same_answer = is_same_answer(single.ruling, ruling_of_preset)
        if gives_same_answer and _are_in_force(rules_of_preset, single.changed):
            deciding |= single.changed
    return deciding


def _are_in_force(rules: Ruleset, options: Choices) -> bool:
    """Whether these options have the same values in the rules."""
    return all(is_same(rules.options[name], value) for name, value in options.items())


def _sources_of(variant: Variant, options: Choices) -> tuple[str, ...]:
    """The citations of the values of these options, each once; an amount has none."""
    values = [variant.options[name].value_of(chosen) for name, chosen in options.items()]
    listed_values = [value for value in values if value is not None]
    return citation_texts(value.cited for value in listed_values)
