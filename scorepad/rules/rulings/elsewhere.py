"""The same question under the other codifications and options of the variant: where the answer would be another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from scorepad.errors import ChoiceError
from scorepad.rules.choices import same
from scorepad.rules.citations import Cited
from scorepad.rules.loader import Option, OptionValue, Preset
from scorepad.rules.rulings.answers import Ruling
from scorepad.rules.rulings.asked import Asked
from scorepad.rules.rulings.registry import rule
from scorepad.rules.variants import Choice, Choices, Ruleset, Variant, default_of, get_variant, settle


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Another answer: asked with this preset and exactly these options, the question gets this ruling.

    `changed` are the options among them that make the difference, where one of them alone does; `sources` say so.
    """

    preset: str | None
    options: Choices
    changed: Choices
    ruling: Ruling
    sources: tuple[str, ...]


def elsewhere(rules: Ruleset, asked: Asked, here: Ruling) -> tuple[Elsewhere, ...]:
    """Where the answer would not be `here`: first under the other presets, then under single options that none sets."""
    try:
        return _others(rules, asked, here)
    except ChoiceError:
        # A match keeps the rules that it began with; what they were chosen from may be gone.
        return ()


def _others(rules: Ruleset, asked: Asked, here: Ruling) -> tuple[Elsewhere, ...]:
    variant = get_variant(rules.variant)
    own = _own_choices(variant, rules)
    singles = [other for other in _under_options(variant, rules, own, asked) if _differs(other.ruling, here)]
    codes = [other for other in _under_presets(variant, rules, own, asked, singles) if _differs(other.ruling, here)]
    told = {changed for code in codes for changed in code.changed.items()}
    return (*codes, *(single for single in singles if not told.issuperset(single.changed.items())))


def _own_choices(variant: Variant, rules: Ruleset) -> dict[str, Choice]:
    """The options that the table chose itself, beside its preset."""
    given = settle(variant.id, rules.preset).options
    return {name: value for name, value in rules.options.items() if name in given and not same(value, given[name])}


def _differs(one: Ruling, other: Ruling) -> bool:
    return one.verdict is not other.verdict or dict(one.details) != dict(other.details)


def _under_options(variant: Variant, rules: Ruleset, own: Choices, asked: Asked) -> Iterator[Elsewhere]:
    """Every value of every option but the one in force, the rest kept as it is."""
    for option, value in other_values(variant, rules):
        there = settle(variant.id, rules.preset, {**own, option.id: value.value})
        # No codification has another value than its own: what is told then are the options.
        options = {**own, option.id: value.value} if rules.preset is None else _chosen(variant, there)
        yield Elsewhere(None, options, {option.id: value.value}, rule(there, asked), _places([value.cited]))


def _chosen(variant: Variant, rules: Ruleset) -> dict[str, Choice]:
    """The options that make these rules, without a codification."""
    usual = settle(variant.id).options
    return {name: value for name, value in rules.options.items() if not same(value, usual[name])}


def other_values(variant: Variant, rules: Ruleset) -> Iterator[tuple[Option, OptionValue]]:
    """The values that a table could have chosen instead; amounts, of which there is no list, bear on no ruling.

    How many sit at the table is no choice of rules.
    """
    for option in variant.options.values():
        for value in variant.values_of(option):
            in_force = option.id in rules.options and same(value.value, rules.options[option.id])
            if not in_force and "sides" not in value.sets:
                yield option, value


def _under_presets(
    variant: Variant, rules: Ruleset, own: Choices, asked: Asked, singles: list[Elsewhere]
) -> Iterator[Elsewhere]:
    """The other codifications, with what the table chose itself where their source says nothing of it."""
    for preset in variant.presets.values():
        if preset.id == rules.preset:
            continue
        kept = {name: value for name, value in own.items() if not _decides(preset, variant, name)}
        there = settle(variant.id, preset.id, kept)
        ruling = rule(there, asked)
        changed = {
            name: value
            for single in singles
            for name, value in single.changed.items()
            if same(there.options[name], value) and not _differs(single.ruling, ruling)
        }
        differ = {name: value for name, value in there.options.items() if not same(value, rules.options[name])}
        told = [variant.options[name].value_of(value) for name, value in (changed or preset.options or differ).items()]
        places = _places(each.cited for each in told if each)
        yield Elsewhere(preset.id, {**kept, **changed}, changed, ruling, places)


def _decides(preset: Preset, variant: Variant, name: str) -> bool:
    """Whether the source of a codification speaks of what this option decides."""
    if name in preset.options:
        return True
    option = variant.options[name]
    usual = option.value_of(default_of(variant, option))
    return usual is not None and any(place.source == preset.source for place in usual.cited.citations)


def _places(cited: Iterable[Cited]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(place) for why in cited for place in why.citations))
