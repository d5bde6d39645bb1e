"""Variants, each with what it inherits, and the ruleset in force once a table has chosen its options."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from importlib.resources.abc import Traversable
from typing import Any

from pydantic import TypeAdapter

from scorepad.errors import ChoiceError, NewerError, VariantError
from scorepad.rules.definitions import (
    Choice,
    Choices,
    Cited,
    Ends,
    Option,
    Ruleset,
    Source,
    SourceId,
    Standing,
    Statement,
    Value,
    Variant,
    VariantId,
)
from scorepad.rules.loader import (
    CODE,
    build_settings,
    data_folder,
    load_order,
    load_sources,
    load_statements,
    load_variant,
)
from scorepad.rules.settings import LARGEST, OpeningBy

__all__ = [
    "FROZEN_VERSION", "Choice", "Choices", "OwnVariants", "Ruleset", "Variant", "as_played", "build_variant",
    "default_of", "default_variant", "freeze", "get_variant", "own_message", "own_variants", "package_ids", "read_file",
    "read_own", "settle", "settle_variant", "sources", "thaw", "use_own", "variant_ids",
]  # fmt: skip


@cache
def package_sources() -> dict[SourceId, Source]:
    """The sources that scorepad ships, by id."""
    return load_sources()


def sources() -> dict[SourceId, Source]:
    """The sources of the rules, by id; those that the user's own variants bring last."""
    brought = {name: source for variant in _own.usable.values() for name, source in variant.sources.items()}
    return {**package_sources(), **brought}


@dataclass(frozen=True, slots=True)
class OwnVariants:
    """The variants of a folder of the user: those that can be used, and what is wrong with the other files."""

    folder: Traversable | None = None
    usable: Mapping[str, Variant] = field(default_factory=dict)
    broken: tuple[VariantError, ...] = ()
    number: int = 0
    """Another one whenever the folder is read again: the key of what is cached of all variants."""


_own = OwnVariants()
_words: dict[str, dict[str, str]] = {}
"""The messages of variants of the user's own, by language and catalogue key; those of running matches too."""


def use_own(folder: Traversable | None) -> OwnVariants:
    """Offer the variants of a folder beside those of the package; files that cannot be used are left out."""
    global _own  # noqa: PLW0603 - the process has one set of variants, which every rule set is made from
    found = OwnVariants() if folder is None else read_own(folder)
    _own = replace(found, number=_own.number + 1)
    for each in (variant_ids, get_variant, _settled):
        each.cache_clear()
    for variant in _own.usable.values():
        for language, messages in variant.words.items():
            _words[language] = {**_words.get(language, {}), **messages}
    return _own


def own_variants() -> OwnVariants:
    """The user's own variants that are offered."""
    return _own


def read_own(folder: Traversable) -> OwnVariants:
    """Read the variants of a folder; one that does not exist has none."""
    usable, broken = {}, []
    files = folder.iterdir() if folder.is_dir() else ()
    for file in sorted((each for each in files if each.name.endswith(".toml")), key=lambda each: each.name):
        try:
            usable[file.name.removesuffix(".toml")] = read_file(file)
        except VariantError as trouble:
            broken.append(trouble)
    return OwnVariants(folder, usable, tuple(broken))


def read_file(file: Traversable) -> Variant:
    """The variant in a file of the user's. Raises VariantError."""
    name = file.name.removesuffix(".toml")
    if not CODE.fullmatch(name):
        raise VariantError(file.name, "id", "id-form", name=name)
    if name in package_ids():
        raise VariantError(file.name, "id", "id-taken", name=name)
    return load_variant(file, package_sources(), get_variant, package_ids())


def learn(words: Mapping[str, Mapping[str, str]]) -> None:
    """Make the messages of a match's rules known, whose file may be gone; those of the folder hold before them."""
    for language, messages in words.items():
        _words[language] = {**messages, **_words.get(language, {})}


def own_message(language: str, key: str) -> str | None:
    """A message that a variant of the user's brings."""
    return _words.get(language, {}).get(key)


@cache
def package_ids() -> tuple[VariantId, ...]:
    """The variants that scorepad ships, in the order in which they are offered."""
    names = {file.name.removesuffix(".toml") for file in data_folder().iterdir() if file.name.endswith(".toml")}
    order = load_order()
    others = sorted(names - {*order, "sources", "order", "faults"})
    return (*(name for name in order if name in names), *map(VariantId, others))


@cache
def variant_ids() -> tuple[VariantId, ...]:
    """The variants that scorepad knows, in the order in which they are offered; the user's own last."""
    return (*package_ids(), *map(VariantId, _own.usable))


def default_variant() -> VariantId:
    """The variant that holds where nobody chose another: the one offered first."""
    return variant_ids()[0]


DEAL = "deal"
"""The entry field of the number of a hand in its match, where the opening goes by it."""
FROZEN_VERSION = 1
"""Version of the form in which rulesets are frozen: another one where a change of it would misread those stored."""


# Made when first asked for: a program that starts need not wait for it.
@cache
def _ruleset_form() -> TypeAdapter[Ruleset]:
    return TypeAdapter(Ruleset)


def freeze(rules: Ruleset) -> dict[str, Any]:
    """The ruleset as plain JSON values, with the version of their form."""
    return {"version": FROZEN_VERSION, **_ruleset_form().dump_python(rules, mode="json")}


def thaw(frozen: Mapping[str, Any]) -> Ruleset:
    """The ruleset that `freeze` made these values from.

    Raises NewerError for values of another version, ValidationError for any other values.
    """
    if frozen.get("version") != FROZEN_VERSION:
        raise NewerError(f"frozen rules of version {frozen.get('version')!r}")
    rules = _ruleset_form().validate_python({key: value for key, value in frozen.items() if key != "version"})
    learn(rules.words)
    return rules


@cache
def get_variant(name: str) -> Variant:
    """The variant of this id. Raises ChoiceError where there is none, VariantError where its data is wrong."""
    if name not in variant_ids():
        raise ChoiceError("variant", "unknown-variant", name, tuple(variant_ids()))
    return _own.usable.get(name) or build_variant(name, data_folder(), sources())


def build_variant(name: str, folder: Traversable, known: Mapping[SourceId, Source]) -> Variant:
    """A variant out of a folder of data, parents included; a parent may stand in the shipped folder.

    Raises VariantError.
    """
    file = folder / f"{name}.toml"
    if not file.is_file():
        file = data_folder() / f"{name}.toml"
    return load_variant(file, known, lambda parent: build_variant(parent, folder, known))


def settle(
    variant: str, preset: str | None = None, options: Choices | None = None, ends: Ends | None = None
) -> Ruleset:
    """The rules in force for a variant, a preset and options: an option beats the preset, the preset the default.

    `ends` is what ends the match beside its target, where the table chose it (None: as the variant says).
    Raises ChoiceError naming the key that cannot be, VariantError where the data is wrong.
    """
    chosen = tuple(sorted((name, type(value).__name__, value) for name, value in (options or {}).items()))
    return _settled(variant, preset, chosen, ends)


@lru_cache(maxsize=1024)
def _settled(
    variant: str, preset: str | None, chosen: tuple[tuple[str, str, Choice], ...], ends: Ends | None
) -> Ruleset:
    return settle_variant(get_variant(variant), preset, {name: value for name, _, value in chosen}, ends)


def settle_variant(variant: Variant, preset: str | None, options: Choices, ends: Ends | None = None) -> Ruleset:
    """As `settle`, for a variant in hand."""
    if ends is not None:
        unlimited = {"match-deals": Value("unlimited", Cited((), Standing.HOUSE))} if variant.ends.hands else {}
        variant = replace(variant, ends=ends, settings={**variant.settings, **unlimited})
    chosen, settings = _in_force(variant, preset, options)
    by_hand = settings["opening-by"].value == OpeningBy.DEAL and DEAL not in variant.entry_fields
    rules = Ruleset(
        variant=variant.id,
        preset=preset,
        options=chosen,
        settings=build_settings({key: value.value for key, value in settings.items()}),
        cited={key: value.cited for key, value in settings.items()},
        penalties=dict(variant.penalties),
        checks=tuple(variant.checks.values()),
        lines=tuple(variant.lines.values()),
        entry_fields=(*variant.entry_fields, DEAL) if by_hand else variant.entry_fields,
        bonuses=dict(variant.bonuses),
        ends=variant.ends,
        words={language: dict(messages) for language, messages in variant.words.items() if messages},
    )
    text = json.dumps(freeze(rules), sort_keys=True, ensure_ascii=True)
    return replace(rules, digest=hashlib.sha256(text.encode()).hexdigest())


def as_played(name: str, preset: str | None = None, options: Choices | None = None) -> Variant:
    """The variant of this id with the settings that a table's choices give it, each with its citation.

    Raises ChoiceError naming the key that cannot be, VariantError where the data is wrong.
    """
    variant = get_variant(name)
    return replace(variant, settings=_in_force(variant, preset, options or {})[1])


def _in_force(variant: Variant, preset: str | None, options: Choices) -> tuple[dict[str, Choice], dict[str, Value]]:
    """Every option with the value that holds, and the settings that follow."""
    if preset is not None and preset not in variant.presets:
        reason = "unknown-preset" if variant.presets else "no-presets"
        raise ChoiceError("preset", reason, preset, tuple(variant.presets))
    settings = dict(variant.settings)
    chosen = {name: default_of(variant, option) for name, option in variant.options.items()}
    for name, value in {**(variant.presets[preset].options if preset else {}), **options}.items():
        if name not in variant.options:
            raise ChoiceError(f"options/{name}", "unknown-option", name, tuple(variant.options))
        settings.update(_effect(variant, variant.options[name], value))
        chosen[name] = value
    return chosen, settings | variant.ends.settings


def default_of(variant: Variant, option: Option) -> Choice:
    """The value of an option that holds where a table chooses nothing."""
    if option.default is not None:
        return option.default
    amount: int = variant.settings[str(option.sets)].value
    return amount


def _effect(variant: Variant, option: Option, value: Choice) -> dict[str, Value]:
    """The settings that this value of the option changes."""
    entry = option.value_of(value)
    if option.step is None or option.sets is None or option.cited is None:
        fitting = variant.values_of(option)
        if entry is None or entry not in fitting:
            known = tuple(json.dumps(each.value) for each in fitting)
            raise ChoiceError(f"options/{option.id}", "unknown-value", value, known)
        return {setting: Value(new, entry.cited_of(setting)) for setting, new in entry.sets.items()}
    # No target is further than match scores go.
    if type(value) is not int or value <= 0 or value % option.step or value > LARGEST:
        raise ChoiceError(f"options/{option.id}", "unknown-amount", value, (str(option.step),))
    if value == default_of(variant, option):
        return {}
    return {option.sets: Value(value, entry.cited if entry else option.cited)}


# ---------------------------------------------------------------- the rulebook beside the figures


@cache
def all_statements() -> tuple[Statement, ...]:
    """Every sentence of the rulebook, in the order of the data. Raises VariantError where the data is wrong."""
    return tuple(load_statements(sources()).values())


def statements_of(variant: Variant) -> Iterator[Statement]:
    """Those that hold in a variant; taken over from the classic game where its own sources do not speak."""
    now = {key: value.value for key, value in variant.settings.items()}
    values = (variant.players, *variant.settings.values())
    own = {place for value in values if value.cited.read != variant.inherits for place in value.cited.citations}
    for each in all_statements():
        if any(now[key] != value for key, value in each.when.items()):
            continue
        if any(now[key] == value for key, value in each.unless.items()):
            continue
        is_own = variant.inherits is None or own.issuperset(each.cited.citations)
        if is_own:
            yield each
        elif not each.differs:
            yield replace(each, cited=each.cited.inherited(variant.inherits or "", variant.stated_by))
        # What another source of the classic game says otherwise is no matter of a game taken from elsewhere.
        elif variant.stated_by:
            yield each
