"""Variants with what they inherit, and the ruleset in force after a table has chosen its options."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from scorepad.errors import ChoiceError, NewerError, VariantError
from scorepad.rules.completeness import build_settings
from scorepad.rules.definitions import (
    GROUND_STATEMENTS,
    Choices,
    ChoiceValue,
    Citation,
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
    data_folder,
    load_order,
    load_sources,
    load_statements,
    load_users_variant,
    load_variant,
)
from scorepad.rules.settings import LARGEST
from scorepad.rules.toml_reader import CODE, open_own, open_toml, read_own_text
from scorepad.rules.toml_text import line_numbers

GUESTS = "guests"
"""The folder, in that of a user's variants, of those made by devices without access to all matches.
"""
RESERVED = frozenset({"nuove", "file", "cerca", "confronta", "parole", "check"})
"""Names that pages and commands have as addresses: no variant of a user's may have one as its id.
"""


def sources() -> dict[SourceId, Source]:
    """The sources of the rules, by id; those of the user's own variants are last."""
    all_sources = dict(load_sources())
    for variant in _own.usable.values():
        all_sources |= variant.sources
    return all_sources


@dataclass(frozen=True, slots=True)
class OwnVariants:
    """The variants in a user's folder: the usable ones, and the errors in the other files."""

    folder: Path | None = None
    usable: Mapping[str, Variant] = field(default_factory=dict)
    broken: tuple[VariantError, ...] = ()
    guests: frozenset[str] = frozenset()
    """The ids of those that devices without access to all matches made: the files of the folder
    `GUESTS`.
    """
    number: int = 0
    """Rises whenever the folder is read again: part of the key of what is cached of all variants."""


_own = OwnVariants()


def use_own(folder: Path | None) -> OwnVariants:
    """Offer the variants of a folder (None: no folder) besides those of the package, in the whole
    process.

    They replace the user's variants that were offered before. Unusable files are omitted.
    """
    global _own  # noqa: PLW0603 - the process has one set of variants, which every rule set is made from
    own = OwnVariants() if folder is None else read_own(folder)
    # Caches elsewhere have this number in their keys; the next one makes them forget what they hold.
    next_number = _own.number + 1
    _own = replace(own, number=next_number)
    for cached_function in (variant_ids, get_variant, _settled):
        cached_function.cache_clear()
    return _own


def own_variants() -> OwnVariants:
    """The user's own variants on offer."""
    return _own


def read_own(folder: Path) -> OwnVariants:
    """Read the variants of a folder, then those of its guests; empty if it does not exist."""
    usable: dict[str, Variant] = {}
    broken: list[VariantError] = []
    guests: set[str] = set()
    for file in (*_toml_files(folder), *_toml_files(folder / GUESTS)):
        name = file.stem
        if name in usable:
            broken.append(VariantError(file.name, "id", "id-exists", name=name))
            continue
        try:
            usable[name] = read_variant_file(file, usable)
        except VariantError as error:
            broken.append(error)
            continue
        if file.parent != folder:
            guests.add(name)
    return OwnVariants(folder, usable, tuple(broken), frozenset(guests))


def _toml_files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(file for file in folder.iterdir() if file.name.endswith(".toml"))


def read_variant_file(file: Path, others: Mapping[str, Variant] | None = None) -> Variant:
    """The variant in a user's file. Raises VariantError, also if one of the `others` (None: those on
    offer) has its name.
    """
    check_id(file.stem, file.name)
    text = read_own_text(file)
    variant = load_own(file.name, text)
    if others is None:
        others = _own.usable
    for other in others.values():
        if other.id != variant.id:
            _refuse_same_name(variant, other, text)
    return variant


def check_id(variant: str, file: str) -> None:
    """Refuse an id that a user's file may not have. Raises VariantError."""
    if not CODE.fullmatch(variant):
        raise VariantError(file, "id", "id-form", name=variant)
    if variant in package_ids():
        raise VariantError(file, "id", "id-taken", name=variant)
    if variant in RESERVED:
        raise VariantError(file, "id", "id-reserved", name=variant)


# The folder is read again after each change of one file; what was read of the others is still true.
@lru_cache(maxsize=256)
def load_own(file: str, text: str) -> Variant:
    """The variant in the text of a user's file. Raises VariantError."""
    root = open_own(file, text, load_sources())
    return load_users_variant(root, get_variant, package_ids())


def _refuse_same_name(variant: Variant, other: Variant, text: str) -> None:
    file = f"{variant.id}.toml"
    for language, messages in variant.words.items():
        name = messages[f"variant.{variant.id}.name"]
        if other.words[language][f"variant.{other.id}.name"].lower() == name.lower():
            key = f"words.{language}.name"
            line = line_numbers(file, text).get(key)
            raise VariantError(file, key, "name-taken", line, name=name, other=f"{other.id}.toml")


@cache
def package_ids() -> tuple[VariantId, ...]:
    """The variants shipped with scorepad, in display order."""
    names: set[str] = set()
    for file in data_folder().iterdir():
        if file.name.endswith(".toml"):
            names.add(file.name.removesuffix(".toml"))
    in_order = [name for name in load_order() if name in names]
    not_in_order = names - {*in_order, "sources", "order", "faults"}
    return (*in_order, *map(VariantId, sorted(not_in_order)))


@cache
def variant_ids() -> tuple[VariantId, ...]:
    """The available variants, in display order; the user's own are last."""
    return (*package_ids(), *map(VariantId, _own.usable))


def default_variant() -> VariantId:
    """The variant in force if none is chosen: the first on offer."""
    return variant_ids()[0]


DEAL = "deal"
"""The entry field for the number of a hand in its match, if the opening depends on it."""
FROZEN_VERSION = 1
"""Version of the serialized form of rulesets; raise it if a change would misread stored ones."""
_FORMER_SETTINGS = (
    "first_dealer", "cut", "first_player", "deal_passes", "meld_red_threes", "meld_lay_off", "opening_counts",
    "out_empty_handed", "table_agreement",
)  # fmt: skip
"""Settings of rulesets stored earlier that had one value each: what it says holds in every game."""


# Built on first use, to keep the start of the program fast.
@cache
def _ruleset_form() -> TypeAdapter[Ruleset]:
    return TypeAdapter(Ruleset)


def freeze(rules: Ruleset) -> dict[str, Any]:
    """The ruleset as plain JSON values, with the version of the form."""
    return {"version": FROZEN_VERSION, **_ruleset_form().dump_python(rules, mode="json")}


def thaw(frozen: Mapping[str, Any]) -> Ruleset:
    """The ruleset from which `freeze` made these values.

    Raises NewerError for values of another version, ValidationError for any other values.
    """
    if frozen.get("version") != FROZEN_VERSION:
        raise NewerError(f"frozen rules of version {frozen.get('version')!r}")
    values = {key: value for key, value in frozen.items() if key != "version"}
    settings = values.get("settings")
    if isinstance(settings, Mapping):
        values["settings"] = {
            key: value for key, value in settings.items() if key not in _FORMER_SETTINGS
        }
    return _ruleset_form().validate_python(values)


@cache
def get_variant(name: str) -> Variant:
    """The variant with this id. Raises ChoiceError if there is none, VariantError if its data is
    wrong.
    """
    if name in _own.usable:
        return _own.usable[name]
    for error in _own.broken:
        if error.file == f"{name}.toml":
            where = (error.file, str(error.line or 1), error.key)
            raise ChoiceError("variant", "broken-variant", name, where)
    if name not in variant_ids():
        raise ChoiceError("variant", "unknown-variant", name, tuple(variant_ids()))
    return build_variant(name, data_folder(), sources())


def build_variant(name: str, folder: Traversable, known: Mapping[SourceId, Source]) -> Variant:
    """A variant from a data folder, including its parents; a parent may be in the shipped folder.

    Raises VariantError.
    """
    file = folder / f"{name}.toml"
    if not file.is_file():
        file = data_folder() / f"{name}.toml"
    root = open_toml(file, known)
    return load_variant(root, lambda parent: build_variant(parent, folder, known))


def settle(
    variant: str,
    preset: str | None = None,
    options: Choices | None = None,
    ends: Ends | None = None,
) -> Ruleset:
    """The rules in force for a variant, a preset and options: options override the preset, the
    preset the defaults.

    `ends` is what ends the match besides its target, as chosen by the table (None: as in the
    variant). Raises ChoiceError naming the invalid key, VariantError if the data is wrong.
    """
    chosen: list[tuple[str, str, ChoiceValue]] = []
    for name, value in sorted((options or {}).items()):
        # The cache would take 1 and true for the same value without their types.
        chosen.append((name, type(value).__name__, value))
    return _settled(variant, preset, tuple(chosen), ends)


@lru_cache(maxsize=1024)
def _settled(
    variant: str,
    preset: str | None,
    chosen: tuple[tuple[str, str, ChoiceValue], ...],
    ends: Ends | None,
) -> Ruleset:
    options = {name: value for name, _, value in chosen}
    return settle_variant(get_variant(variant), preset, options, ends)


def settle_variant(
    variant: Variant, preset: str | None, options: Choices, ends: Ends | None = None
) -> Ruleset:
    """The rules in force for a variant that need not be on offer, a preset and options.

    Raises ChoiceError naming the invalid key.
    """
    if ends is not None:
        variant = _with_ends_of_table(variant, ends)
    in_force = _choose(variant, preset, options)
    values = {name: setting.value for name, setting in in_force.settings.items()}
    rules = Ruleset(
        variant=variant.id,
        preset=preset,
        options=in_force.options,
        settings=build_settings(values),
        cited=_citations_in_force(variant, in_force.settings),
        penalties=dict(variant.penalties),
        checks=tuple(variant.checks.values()),
        lines=tuple(variant.lines.values()),
        entry_fields=_entry_fields(variant, opening_by=values["opening-by"]),
        bonuses=dict(variant.bonuses),
        ends=variant.ends,
        words={language: dict(texts) for language, texts in variant.words.items() if texts},
    )
    return replace(rules, digest=_digest_of(rules))


def _citations_in_force(variant: Variant, settings: Mapping[str, Value]) -> dict[str, Cited]:
    """What is cited for each of the settings in force, and for the `GROUND_STATEMENTS`: sentences of
    the rulebook that are no settings, but are cited as they are.
    """
    cited = {name: setting.cited for name, setting in settings.items()}
    for statement in statements_of(variant):
        if statement.id in GROUND_STATEMENTS:
            cited[statement.id] = statement.cited
    return cited


def _entry_fields(variant: Variant, *, opening_by: str) -> tuple[str, ...]:
    """The fields of the form in which a hand of the variant is entered.

    If the opening minimum goes by the number of the hand (`opening_by` is `deal`), that number is
    one of them.
    """
    if opening_by == "deal" and DEAL not in variant.entry_fields:
        return (*variant.entry_fields, DEAL)
    return variant.entry_fields


def _digest_of(rules: Ruleset) -> str:
    """A hash of everything in a ruleset, by which it is recognized."""
    text = json.dumps(freeze(rules), sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _with_ends_of_table(variant: Variant, ends: Ends) -> Variant:
    """The variant with what a table chose to end its match, in place of its own number of hands."""
    settings = dict(variant.settings)
    if variant.ends.hands:
        # The number is a setting too, which would go on to hold. No source states that it does not.
        by_the_table = Cited(citations=(), standing=Standing.AGREED)
        settings["match-deals"] = Value("unlimited", by_the_table)
    return replace(variant, ends=ends, settings=settings)


def variant_with_choices(
    name: str, preset: str | None = None, options: Choices | None = None
) -> Variant:
    """The variant with this id, with the settings that a table's choices give it, each with its
    citation.

    Raises ChoiceError naming the invalid key, VariantError if the data is wrong.
    """
    variant = get_variant(name)
    return replace(variant, settings=_choose(variant, preset, options or {}).settings)


class _Chosen(NamedTuple):
    """Every option with the value in force, and the resulting settings."""

    options: dict[str, ChoiceValue]
    settings: dict[str, Value]


def _choose(variant: Variant, preset: str | None, options: Choices) -> _Chosen:
    """Every option of a variant with the value in force at a table, and the resulting settings.

    A value is that in `options`, or else that of the preset, or else the default. Raises ChoiceError
    naming the invalid key.
    """
    chosen = {**_options_of_preset(variant, preset), **options}
    in_force = {name: default_of(variant, option) for name, option in variant.options.items()}
    settings = dict(variant.settings)
    for name, value in chosen.items():
        if name not in variant.options:
            raise ChoiceError(f"options/{name}", "unknown-option", name, tuple(variant.options))
        in_force[name] = value
        settings |= _settings_of_choice(variant, variant.options[name], value)
    settings |= variant.ends.settings
    return _Chosen(in_force, settings)


def _options_of_preset(variant: Variant, preset: str | None) -> Choices:
    """The options that a preset of a variant chooses; none without a preset. Raises ChoiceError."""
    if preset is None:
        return {}
    if preset in variant.presets:
        return variant.presets[preset].options
    problem = "unknown-preset" if variant.presets else "no-presets"
    raise ChoiceError("preset", problem, preset, tuple(variant.presets))


def default_of(variant: Variant, option: Option) -> ChoiceValue:
    """The value of an option if the table does not choose one."""
    if option.default is not None:
        return option.default
    amount: int = variant.settings[str(option.sets)].value
    return amount


def _settings_of_choice(variant: Variant, option: Option, value: ChoiceValue) -> dict[str, Value]:
    """The settings that an option changes if a table chooses this value, by name.

    Raises ChoiceError if the option does not have the value.
    """
    is_amount = option.step is not None
    if is_amount:
        return _settings_of_amount(variant, option, value)
    return _settings_of_listed_value(variant, option, value)


def _settings_of_amount(variant: Variant, option: Option, value: ChoiceValue) -> dict[str, Value]:
    """The setting that an option for an amount, such as the target of a match, sets to this value;
    none if that is the default.
    """
    step, setting, cited = option.step, option.sets, option.cited
    assert step is not None, "an amount has a step"
    assert setting is not None, "an amount has a setting"
    assert cited is not None, "an amount has citations"
    is_number = type(value) is int  # `True` is no number here
    if not is_number or not _is_amount(int(value), step):
        raise ChoiceError(f"options/{option.id}", "unknown-amount", value, (str(step),))
    if value == default_of(variant, option):
        return {}
    named_by_source = option.value_of(value)
    if named_by_source is not None:
        cited = named_by_source.cited
    return {setting: Value(value, cited)}


def _is_amount(number: int, step: int) -> bool:
    """Whether a number is a positive multiple of a step, and no larger than a match score may be."""
    return 0 < number <= LARGEST and number % step == 0


def _settings_of_listed_value(
    variant: Variant, option: Option, value: ChoiceValue
) -> dict[str, Value]:
    """The settings that this value of an option with a list of values sets.

    A value may be only for games with another number of sides; it is then refused too.
    """
    values_on_offer = variant.values_of(option)
    chosen = option.value_of(value)
    if chosen is None or chosen not in values_on_offer:
        known = tuple(json.dumps(each.value) for each in values_on_offer)
        raise ChoiceError(f"options/{option.id}", "unknown-value", value, known)
    return {name: Value(new, chosen.cited_of[name]) for name, new in chosen.sets.items()}


# ---------------------------------------------------------------- the rulebook beside the settings


def statements_of(variant: Variant) -> Iterator[Statement]:
    """The statements that apply to a variant, including those inherited where its own sources are
    silent.
    """
    own_citations = _own_citations(variant)
    for statement in load_statements().values():
        if not _holds(statement, variant):
            continue
        is_cited_by_variant = own_citations.issuperset(statement.cited.citations)
        if is_cited_by_variant:
            yield statement
            continue
        inherited = _inherited_statement(statement, variant)
        if inherited is not None:
            yield inherited


def _inherited_statement(statement: Statement, variant: Variant) -> Statement | None:
    """A statement whose sources are not those of a variant, as it applies there; None if it does not.

    Its sources are about the game that the variant is derived from.
    """
    argument = variant.inherits
    if argument is None:
        return statement  # the variant is that game
    if statement.differs:
        # Where sources of that game differ means something only in a variant that a source defines
        # by the game.
        return statement if variant.stated_by else None
    cited = statement.cited.inherited(argument, variant.stated_by)
    return replace(statement, cited=cited)


def _holds(statement: Statement, variant: Variant) -> bool:
    settings = variant.settings
    if any(settings[key].value != value for key, value in statement.when.items()):
        return False
    return all(settings[key].value != value for key, value in statement.unless.items())


def _own_citations(variant: Variant) -> set[Citation]:
    """What a variant cites for itself: not for what it inherits or infers."""
    citations = set(_own_citations_of_players(variant))
    for value in variant.settings.values():
        if value.cited.standing is Standing.STATED:
            citations.update(value.cited.citations)
    return citations


def _own_citations_of_players(variant: Variant) -> tuple[Citation, ...]:
    """What a variant cites for its number of players; nothing if that is inherited.

    A user's own variant has the number of the game of the package that it changes.
    """
    game = package_variant(variant)
    is_inherited = game.parent is not None and game.players == get_variant(game.parent).players
    if is_inherited:
        return ()
    return game.players.cited.citations


def package_variant(variant: Variant) -> Variant:
    """The variant, or that of the package from which a user's own variant is derived."""
    while variant.is_own and variant.parent is not None:
        variant = get_variant(variant.parent)
    return variant
