"""The rules of the same variant under which a question would get another answer.

Those are its other presets, and the values of its options that a table could have
chosen instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scorepad.errors import ChoiceError
from scorepad.referee.ruling import Alternative, Ruling
from scorepad.rules.definitions import (
    Choices,
    ChoiceValue,
    Option,
    OptionValue,
    Preset,
    Ruleset,
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
    """The rules under which the ruling would be another: first other presets, then single options
    that no preset sets.
    """
    try:
        variant = get_variant(rules.variant)
        table_options = _options_of_the_table(rules)
        by_options = _under_other_options(variant, rules, table_options, ruling_under)
        single_options = [each for each in by_options if not is_same_answer(each.ruling, ruling)]
        by_presets = _under_other_presets(
            variant,
            rules,
            table_options=table_options,
            single_options=single_options,
            ruling_under=ruling_under,
        )
        presets = [each for each in by_presets if not is_same_answer(each.ruling, ruling)]
    except ChoiceError:
        # A match keeps its initial rules; the variant or options may no longer exist.
        return ()

    return (*presets, *_not_changed_by_presets(single_options, presets))


def _not_changed_by_presets(
    single_options: list[Alternative], presets: list[Alternative]
) -> list[Alternative]:
    """The options whose value makes the difference in none of these presets."""
    changes_of_presets: list[tuple[str, ChoiceValue]] = []
    for preset in presets:
        changes_of_presets += preset.changed.items()
    others: list[Alternative] = []
    for single in single_options:
        is_told_by_presets = all(change in changes_of_presets for change in single.changed.items())
        if not is_told_by_presets:
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


# ------------------------------------------------------------------------------------------ options


def _under_other_options(
    variant: Variant, rules: Ruleset, table_options: Choices, ruling_under: RulingUnder
) -> Iterator[Alternative]:
    """Every value of every option except the one in force, with the rest unchanged."""
    defaults = settle(variant.id).options
    for option, value in other_values(variant, rules):
        changed = {option.id: value.value}
        options: Choices = {**table_options, **changed}
        other_rules = settle(variant.id, rules.preset, options)
        if rules.preset is not None:
            # A changed preset is no longer that preset: report the options instead.
            options = _changed_options(other_rules.options, defaults)
        yield Alternative(
            preset=None,
            options=options,
            changed=changed,
            ruling=ruling_under(other_rules),
            sources=citation_texts([value.cited]),
        )


def other_values(variant: Variant, rules: Ruleset) -> Iterator[tuple[Option, OptionValue]]:
    """The values that a table could have chosen instead, each with its option.

    Options with any amount are not listed: they affect no ruling.
    """
    for option in variant.options.values():
        for value in variant.values_of(option):
            if "sides" in value.sets:  # the number of players is not a choice of rules
                continue
            chosen = rules.options.get(option.id)
            if chosen is None or not is_same(value.value, chosen):
                yield option, value


# ------------------------------------------------------------------------------------------ presets


def _under_other_presets(
    variant: Variant,
    rules: Ruleset,
    *,
    table_options: Choices,
    single_options: list[Alternative],
    ruling_under: RulingUnder,
) -> Iterator[Alternative]:
    """The rulings under the other presets.

    A preset is a set of options that a source plays with. Where the source says nothing of an
    option, the table's own choice is kept. `single_options` are the options that by themselves give
    another answer than the rules in force: a preset that gives the same answer is explained by
    them.
    """
    for preset in variant.presets.values():
        if preset.id == rules.preset:
            continue
        kept = _kept_beside(preset, variant, table_options)
        other_rules = settle(variant.id, preset.id, kept)
        ruling = ruling_under(other_rules)
        deciding = _deciding_options(other_rules, ruling, single_options)
        cited = deciding or _options_to_cite(preset, other_rules, rules)
        yield Alternative(
            preset=preset.id,
            options={**kept, **deciding},
            changed=deciding,
            ruling=ruling,
            sources=_sources_of(variant, cited),
        )


def _options_to_cite(preset: Preset, rules_of_preset: Ruleset, rules: Ruleset) -> Choices:
    """What to cite for a preset of which no single option decides: all options that it sets or, if
    it sets none, those in which its rules differ from the rules in force.
    """
    if preset.options:
        return preset.options
    return _changed_options(rules_of_preset.options, rules.options)


def _kept_beside(preset: Preset, variant: Variant, table_options: Choices) -> Choices:
    """The table's own options of which the source of a preset says nothing."""
    kept: dict[str, ChoiceValue] = {}
    for name, chosen in table_options.items():
        option = variant.options[name]
        default = option.value_of(default_of(variant, option))
        citations = default.cited.citations if default else ()
        is_decided = any(citation.source == preset.source for citation in citations)
        if not is_decided and name not in preset.options:
            kept[name] = chosen
    return kept


def _deciding_options(rules: Ruleset, ruling: Ruling, single_options: list[Alternative]) -> Choices:
    """The options of these rules each of which gives their answer by itself."""
    deciding: dict[str, ChoiceValue] = {}
    for single in single_options:
        if not is_same_answer(single.ruling, ruling):
            continue
        changes = single.changed.items()
        deciding |= {name: value for name, value in changes if is_same(rules.options[name], value)}
    return deciding


def _sources_of(variant: Variant, options: Choices) -> tuple[str, ...]:
    """The citations of the values of these options, each once; an amount has none."""
    values = [variant.options[name].value_of(chosen) for name, chosen in options.items()]
    listed_values = [value for value in values if value is not None]
    return citation_texts(value.cited for value in listed_values)
