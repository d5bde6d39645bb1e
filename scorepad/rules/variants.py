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
    Amount,
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
    # Other modules cache what they make of all variants, with this number in the key of the cache:
    # under a new number they make it anew.
    _own = replace(own, number=_own.number + 1)
    _forget_cached_variants()
    return _own


def _forget_cached_variants() -> None:
    """Clear the caches of this module that depend on which variants a user has."""
    variant_ids.cache_clear()
    get_variant.cache_clear()
    _settle_cached.cache_clear()


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
    """The variant in a user's file. Raises VariantError if something is wrong with it.

    Another variant of the user's may not have the same name: one of `others` or, if that is None, of
    those on offer.
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
    """Raise VariantError if another of the user's variants has the same name in some language.

    Capital and small letters are the same there. `text` is that of the file of `variant`, in which
    the line of the name is reported.
    """
    for language in variant.words:
        name = _name_in_words(variant, language)
        other_name = _name_in_words(other, language)
        if name.lower() != other_name.lower():
            continue
        file = f"{variant.id}.toml"
        key = f"words.{language}.name"
        line = line_numbers(file, text).get(key)
        raise VariantError(file, key, "name-taken", line, name=name, other=f"{other.id}.toml")


def _name_in_words(variant: Variant, language: str) -> str:
    """The name of a user's own variant in a language, from the messages in its file."""
    messages = variant.words[language]
    return messages[f"variant.{variant.id}.name"]


_FILES_WITHOUT_VARIANT = frozenset({"sources", "order", "faults"})
"""The names of the files in the folder of variants that hold something else."""


@cache
def package_ids() -> tuple[VariantId, ...]:
    """The variants shipped with scorepad, in display order; those without a place in it are last."""
    names: set[str] = set()
    for file in data_folder().iterdir():
        if file.name.endswith(".toml"):
            names.add(file.name.removesuffix(".toml"))
    names -= _FILES_WITHOUT_VARIANT
    in_order = [name for name in load_order() if name in names]
    without_place = sorted(names.difference(in_order))
    return (*in_order, *map(VariantId, without_place))


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
        values["settings"] = _without_former_settings(settings)
    return _ruleset_form().validate_python(values)


def _without_former_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a stored ruleset, without those that there are no longer.

    Matches begun with an earlier version of scorepad stored them with the others.
    """
    return {name: value for name, value in settings.items() if name not in _FORMER_SETTINGS}


@cache
def get_variant(name: str) -> Variant:
    """The variant with this id. Raises ChoiceError if there is none, VariantError if its data is
    wrong.
    """
    if name in _own.usable:
        return _own.usable[name]
    _refuse_if_broken(name)
    if name not in variant_ids():
        raise ChoiceError("variant", "unknown-variant", name, known=tuple(variant_ids()))
    return build_variant(name, data_folder(), sources())


def _refuse_if_broken(name: str) -> None:
    """Raise ChoiceError if the user has a variant with this id whose file could not be read.

    The message says where in the file the mistake is: its name, the line and the key.
    """
    for error in _own.broken:
        if error.file == f"{name}.toml":
            line = error.line or 1
            place_of_mistake = (error.file, str(line), error.key)
            raise ChoiceError("variant", "broken-variant", name, known=place_of_mistake)


def build_variant(name: str, folder: Traversable, known: Mapping[SourceId, Source]) -> Variant:
    """A variant from a data folder, including its parents; a parent may be in the shipped folder.

    Raises VariantError.
    """
    file = folder / f"{name}.toml"
    if not file.is_file():
        file = data_folder() / f"{name}.toml"
    root = open_toml(file, known)
    return load_variant(root, lambda parent: build_variant(parent, folder, known))


class _ChosenOption(NamedTuple):
    """An option that a table chose, as part of the key of a cache.

    The type of the value has its name here, because a cache takes 1 and true for the same value.
    """

    name: str
    type_name: str
    value: ChoiceValue


def _as_cache_key(options: Choices) -> tuple[_ChosenOption, ...]:
    """Chosen options in a form that can be part of the key of a cache, which a dict cannot be.

    The same options give the same key in whatever order they were chosen.
    """
    chosen: list[_ChosenOption] = []
    for name, value in sorted(options.items()):
        chosen.append(_ChosenOption(name, type(value).__name__, value))
    return tuple(chosen)


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
    return _settle_cached(variant, preset, _as_cache_key(options or {}), ends)


@lru_cache(maxsize=1024)
def _settle_cached(
    variant: str, preset: str | None, chosen: tuple[_ChosenOption, ...], ends: Ends | None
) -> Ruleset:
    """The rules in force for a variant, a preset and options, made once for each choice of them."""
    options = {option.name: option.value for option in chosen}
    return settle_variant(get_variant(variant), preset, options, ends)


def settle_variant(
    variant: Variant, preset: str | None, options: Choices, ends: Ends | None = None
) -> Ruleset:
    """The rules in force at a table that plays this variant with a preset and options.

    The variant may also be one that is still being written, and that no table can choose yet.
    `ends` is what ends the match besides its target. Raises ChoiceError naming the invalid key.
    """
    if ends is not None:
        variant = _with_ends_of_table(variant, ends)
    chosen = _choose(variant, preset, options)
    rules = _ruleset_of(variant, preset, chosen)
    return replace(rules, digest=_digest_of(rules))


def _ruleset_of(variant: Variant, preset: str | None, chosen: _Chosen) -> Ruleset:
    """The ruleset of a variant with the chosen options and their settings, still without a digest."""
    values = {name: setting.value for name, setting in chosen.settings.items()}
    return Ruleset(
        variant=variant.id,
        preset=preset,
        options=chosen.options,
        settings=build_settings(values),
        cited=_citations_in_force(variant, chosen.settings),
        penalties=dict(variant.penalties),
        checks=tuple(variant.checks.values()),
        lines=tuple(variant.lines.values()),
        entry_fields=_entry_fields(variant, opening_by=values["opening-by"]),
        bonuses=dict(variant.bonuses),
        ends=variant.ends,
        words={language: dict(texts) for language, texts in variant.words.items() if texts},
    )


def _citations_in_force(variant: Variant, settings: Mapping[str, Value]) -> dict[str, Cited]:
    """What supports each of the settings in force, by the name of the setting.

    Some findings follow from a sentence of the rulebook that is no setting (`GROUND_STATEMENTS`):
    what supports these is there too, by the id of the sentence.
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
    """The variant for a match for which the table chose what ends it: hands, or minutes.

    A number of hands in the variant no longer counts: if matches of the variant end after 11 hands,
    and the table chose 60 minutes, any number of hands may be played in them.
    """
    with_ends = replace(variant, ends=ends)
    has_number_of_hands = bool(variant.ends.hands)
    if not has_number_of_hands:
        return with_ends
    # If the table chose a number of hands, `_settings_in_force` puts it in place of this.
    no_limit = Value("unlimited", Cited(citations=(), standing=Standing.AGREED))
    return replace(with_ends, settings={**variant.settings, "match-deals": no_limit})


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
    """Every option of a variant with the value in force at a table, and the settings in force."""

    options: dict[str, ChoiceValue]
    settings: dict[str, Value]


def _choose(variant: Variant, preset: str | None, options: Choices) -> _Chosen:
    """What is in force at a table that chose a preset and these options, or none.

    The value of an option is that in `options`, or else that of the preset, or else the default.
    Raises ChoiceError naming the invalid key.
    """
    chosen = {**_options_of_preset(variant, preset), **options}
    defaults = {name: default_of(variant, option) for name, option in variant.options.items()}
    return _Chosen(
        settings=_settings_in_force(variant, chosen),
        options={**defaults, **chosen},
    )


def _settings_in_force(variant: Variant, chosen: Choices) -> dict[str, Value]:
    """The settings of a variant, as the chosen options change them.

    Raises ChoiceError for an option that the variant does not have.
    """
    settings = dict(variant.settings)
    for name, value in chosen.items():
        if name not in variant.options:
            known = tuple(variant.options)
            raise ChoiceError(f"options/{name}", "unknown-option", given=name, known=known)
        settings |= _settings_of_choice(variant, variant.options[name], value)
    # No option changes after how many hands the match ends, if that is agreed.
    settings |= variant.ends.settings
    return settings


def _options_of_preset(variant: Variant, preset: str | None) -> Choices:
    """The options that a preset of a variant chooses; none without a preset. Raises ChoiceError."""
    if preset is None:
        return {}
    if preset in variant.presets:
        return variant.presets[preset].options
    problem = "unknown-preset" if variant.presets else "no-presets"
    raise ChoiceError("preset", problem, preset, tuple(variant.presets))


def default_of(variant: Variant, option: Option) -> ChoiceValue:
    """The value of an option if the table does not choose one.

    That of an amount, such as the target of a match, is what the variant itself has.
    """
    if option.amount is not None:
        amount: int = variant.settings[option.amount.setting].value
        return amount
    assert option.default is not None, "an option with a list of values has a default"
    return option.default


def _settings_of_choice(variant: Variant, option: Option, value: ChoiceValue) -> dict[str, Value]:
    """The settings that an option changes if a table chooses this value, by name.

    Raises ChoiceError if the option does not have the value.
    """
    if option.amount is None:
        return _settings_of_listed_value(variant, option, value)
    return _setting_of_number(variant, option, option.amount, value)


def _setting_of_number(
    variant: Variant, option: Option, amount: Amount, value: ChoiceValue
) -> dict[str, Value]:
    """The setting that an option for a number changes if a table chooses this number.

    `amount` says which setting that is, and which numbers it may have: 7000 → `{"target": 7000}`.
    It is empty if the variant has that number anyway. Raises ChoiceError for any other value.
    """
    if not amount.takes(value):
        step = str(amount.step)
        raise ChoiceError(f"options/{option.id}", "unknown-amount", value, known=(step,))
    if value == default_of(variant, option):
        return {}
    cited = amount.cited  # who leaves the number to the table
    named_by_source = option.value_of(value)
    if named_by_source is not None:
        cited = named_by_source.cited
    return {amount.setting: Value(value, cited)}


def _settings_of_listed_value(
    variant: Variant, option: Option, value: ChoiceValue
) -> dict[str, Value]:
    """The settings that this value of an option with a list of values sets.

    Raises ChoiceError for a value that is not in the list, or that is only for games with another
    number of sides.
    """
    values_on_offer = variant.values_of(option)
    listed = option.value_of(value)
    if listed is None or listed not in values_on_offer:
        known = tuple(json.dumps(each.value) for each in values_on_offer)
        raise ChoiceError(f"options/{option.id}", "unknown-value", value, known=known)
    return {name: Value(new, listed.cited_of[name]) for name, new in listed.sets.items()}


# ---------------------------------------------------------------- the rulebook beside the settings


def statements_of(variant: Variant) -> Iterator[Statement]:
    """The statements of the rulebook that apply to a variant, each with what supports it there.

    A statement is a sentence that is no setting. One that cites only passages that the variant
    itself cites applies as it is. Any other is taken over from the classic game.
    """
    own_citations = _own_citations(variant)
    for statement in load_statements().values():
        if not _holds(statement, variant.settings):
            continue
        is_about_variant = own_citations.issuperset(statement.cited.citations)
        if is_about_variant:
            yield statement
            continue
        inherited = _inherited_statement(statement, variant)
        if inherited is not None:
            yield inherited


def _inherited_statement(statement: Statement, variant: Variant) -> Statement | None:
    """A statement about the classic game as it applies to a variant; None if it does not apply.

    The sources in `stated_by` describe the variant, such as samba, as the classic game with changes:
    the statement is cited from those of them that make it. If none does, it is an inference, by the
    argument that `inherits` names.
    """
    if variant.inherits is None:
        return statement  # the variant is the classic game
    if not statement.differs:
        cited = statement.cited.inherited(variant.inherits, variant.stated_by)
        return replace(statement, cited=cited)

    # Some source of the classic game contradicts the others here.
    is_described_by_classic_game = bool(variant.stated_by)
    if is_described_by_classic_game:
        return statement
    return None  # the sources differ about a game that is not the variant's


def _holds(statement: Statement, settings: Mapping[str, Value]) -> bool:
    """Whether a statement is true of a variant with these settings.

    They must have all values that its table `when` names, and none that `unless` names.
    """
    for name, needed in statement.when.items():
        if settings[name].value != needed:
            return False
    for name, excluded in statement.unless.items():
        if settings[name].value == excluded:
            return False
    return True


def _own_citations(variant: Variant) -> set[Citation]:
    """The passages that a variant itself cites: not those for what it inherits or infers."""
    citations: set[Citation] = set()
    game = package_variant(variant)
    if _has_own_players(game):
        citations.update(game.players.cited.citations)
    for value in variant.settings.values():
        if value.cited.standing is Standing.STATED:
            citations.update(value.cited.citations)
    return citations


def _has_own_players(game: Variant) -> bool:
    """Whether a game of the package says for how many players it is, other than its parent."""
    if game.parent is None:
        return True
    parent = get_variant(game.parent)
    return game.players != parent.players


def package_variant(variant: Variant) -> Variant:
    """The variant, or that of the package from which a user's own variant is derived.

    House rules made from samba → samba.
    """
    while variant.is_own and variant.parent is not None:
        variant = get_variant(variant.parent)
    return variant
