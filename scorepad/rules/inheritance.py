"""What a variant takes over from the variant that it extends.

The citations of inherited values are those of the parent, as far as they hold for the variant too
(`Cited.inherited`). A user's file changes single values of its parent: others may follow from them
(`rules.links`), and no source states those.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from scorepad.rules.completeness import wrong_values
from scorepad.rules.definitions import (
    Cited,
    Ends,
    Option,
    OptionValue,
    PenaltyKind,
    Standing,
    Value,
    Variant,
)
from scorepad.rules.hand import EXTRAS
from scorepad.rules.links import (
    SETTINGS_PREFIX,
    Link,
    Moved,
    moved_values,
    report_broken_links,
    values_by_key,
)
from scorepad.rules.toml_reader import TomlValue

_PENALTIES_PREFIX = "penalties."
_BY_THE_TABLE = Cited((), Standing.HOUSE)
"""The citation of a value that no source states."""
_Entry = TypeVar("_Entry")
_CitedEntry = TypeVar("_CitedEntry", Value, PenaltyKind)


def inherit(root: TomlValue, variant: Variant, parent: Variant, links: tuple[Link, ...]) -> Variant:
    """The variant that a file defines, with what it takes over from its parent.

    `root` is the root of the file, and `variant` what the file itself defines. Mistakes of a user's
    file are reported at the root.
    """
    _report_kept_citations(root, variant, parent)
    options = root.get("takes-options", []).texts_among(parent.options, "unknown-option")
    presets = root.get("takes-presets", []).texts_among(parent.presets, "unknown-preset")
    drops = _dropped_names(root, parent)
    taken_options = [parent.options[name] for name in options]
    if root.file.is_own:
        _report_decided_options(root, variant, parent, taken_options)

    settings = _cited_for(variant, parent.settings)
    penalties = _cited_for(variant, _without(drops, parent.penalties))
    moved: dict[str, Moved] = {}
    if root.file.is_own:
        moved = _find_moved(root, variant, replace(parent, penalties=penalties), links)
    settings |= _moved_settings(moved)
    settings |= variant.settings
    penalties |= _moved_penalties(moved, penalties)
    penalties |= variant.penalties

    offered_options = _inherited_options(variant, parent, taken_options, links)
    offered_options |= _options_of_file(root, variant, settings, links)

    return replace(
        variant,
        settings=settings,
        options=offered_options,
        presets={**{name: parent.presets[name] for name in presets}, **variant.presets},
        penalties=penalties,
        moved={key: each.cause for key, each in moved.items()},
        checks={**_without(drops, parent.checks), **variant.checks},
        lines={**_without(drops, parent.lines), **variant.lines},
        entry_fields=(*_inherited_entry_fields(parent, drops), *variant.entry_fields),
        inherits=variant.inherits or parent.inherits,
        stated_by=variant.stated_by or parent.stated_by,
        bonuses={**parent.bonuses, **variant.bonuses},
        ends=variant.ends if variant.ends != Ends() else parent.ends,
    )


def _dropped_names(root: TomlValue, parent: Variant) -> tuple[str, ...]:
    """What the file does not take over from the parent, by name (`drops`).

    That may be checks, score lines and penalties, and numbers that a side enters (`EXTRAS`).
    """
    extras = [name for name in parent.entry_fields if name in EXTRAS]
    droppable = (*parent.checks, *parent.lines, *parent.penalties, *extras)
    return root.get("drops", []).texts_among(droppable, "unknown-rule")


def _inherited_entry_fields(parent: Variant, drops: Collection[str]) -> list[str]:
    """The entry fields of the parent, without the numbers that the variant drops.

    A check or a line may be dropped under the name of another entry field, which stays.
    """
    inherited = []
    for name in parent.entry_fields:
        is_dropped = name in EXTRAS and name in drops
        if not is_dropped:
            inherited.append(name)
    return inherited


def _without(drops: Collection[str], entries: Mapping[str, _Entry]) -> dict[str, _Entry]:
    """The entries whose names are not dropped."""
    return {key: entry for key, entry in entries.items() if key not in drops}


def _cited_for(variant: Variant, entries: Mapping[str, _CitedEntry]) -> dict[str, _CitedEntry]:
    """Settings or penalties of the parent, cited as the variant cites what it inherits."""
    if variant.inherits is None:
        return dict(entries)
    inherited: dict[str, _CitedEntry] = {}
    for key, entry in entries.items():
        cited = entry.cited.inherited(variant.inherits, variant.stated_by)
        inherited[key] = replace(entry, cited=cited)
    return inherited


def _report_kept_citations(root: TomlValue, variant: Variant, parent: Variant) -> None:
    """Refuse a value that differs from the parent's with the parent's citations.

    The same passage cannot state two values; but another one may be inferred from it.
    """
    for key, value in variant.settings.items():
        parent_value = parent.settings[key]
        if value.value == parent_value.value or value.cited.standing is not Standing.STATED:
            continue
        if value.cited.citations == parent_value.cited.citations:
            root.report("kept-citations", f"settings.{key}", parent=parent.id)


def _changed_settings(variant: Variant, parent: Variant) -> set[str]:
    """The settings whose value the file of the variant changes."""
    changed: set[str] = set()
    for key, value in variant.settings.items():
        if value.value != parent.settings[key].value:
            changed.add(key)
    return changed


# ---------------------------------------------------------------- values that follow from others


def _find_moved(
    root: TomlValue, variant: Variant, parent: Variant, links: tuple[Link, ...]
) -> dict[str, Moved]:
    """The values that follow from those that a user's file gives, by key.

    Values that do not fit each other are reported.
    """
    usual = values_by_key(parent)
    given = values_by_key(variant)
    moved = moved_values(links, usual, given)
    in_force = {**usual, **given, **_new_values(moved)}
    for key in root.file.wrong_settings:
        in_force.pop(f"{SETTINGS_PREFIX}{key}", None)
    report_broken_links(root, links, usual=usual, given=given, now=in_force)
    return moved


def _new_values(moved: Mapping[str, Moved]) -> dict[str, Any]:
    """The values that follow from others, by key."""
    return {key: follower.value for key, follower in moved.items()}


def _moved_settings(moved: Mapping[str, Moved]) -> dict[str, Value]:
    """The settings among the values that follow from others, by name."""
    settings: dict[str, Value] = {}
    for key, follower in moved.items():
        if key.startswith(SETTINGS_PREFIX):
            name = key.removeprefix(SETTINGS_PREFIX)
            settings[name] = Value(follower.value, _BY_THE_TABLE)
    return settings


def _moved_penalties(
    moved: Mapping[str, Moved], penalties: Mapping[str, PenaltyKind]
) -> dict[str, PenaltyKind]:
    """The penalties whose points follow from other values, by code."""
    changed: dict[str, PenaltyKind] = {}
    for key, follower in moved.items():
        if key.startswith(_PENALTIES_PREFIX):
            code = key.removeprefix(_PENALTIES_PREFIX)
            changed[code] = replace(penalties[code], points=follower.value, cited=_BY_THE_TABLE)
    return changed


def _settings_by_key(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The values of settings, given by name, by their keys in a file."""
    return {f"{SETTINGS_PREFIX}{name}": value for name, value in settings.items()}


# ---------------------------------------------------------------- options


def _decides(option: Option) -> set[str]:
    """The settings that an option may change."""
    if option.sets:
        return {option.sets}
    decided: set[str] = set()
    for value in option.values:
        decided.update(value.sets)
    return decided


def _offers_choice(variant: Variant, option: Option) -> bool:
    """Whether an option of the parent still offers a choice in the variant.

    An option for an amount does not, if the variant gives the setting a value that is no number.
    """
    if option.sets is None:
        return True
    own_value = variant.settings.get(option.sets)
    return own_value is None or isinstance(own_value.value, int)


def _inherited_options(
    variant: Variant, parent: Variant, taken: Iterable[Option], links: tuple[Link, ...]
) -> dict[str, Option]:
    """The options that a variant takes from its parent, as far as they leave a choice."""
    inherited: dict[str, Option] = {}
    for option in taken:
        if _offers_choice(variant, option):
            cited = _cited_option(variant, parent, option)
            inherited[option.id] = _within_own_limits(cited, variant, parent, links)
    return inherited


def _options_of_file(
    root: TomlValue, variant: Variant, settings: Mapping[str, Value], links: tuple[Link, ...]
) -> dict[str, Option]:
    """The options that the file defines; those of a user's file set what follows from them too."""
    options = dict(variant.options)
    if root.file.is_own:
        for name, option in variant.options.items():
            options[name] = _with_consequences(root, option, settings, links)
    return options


def _report_decided_options(
    root: TomlValue, variant: Variant, parent: Variant, options: Iterable[Option]
) -> None:
    """Refuse options of the parent that decide what a user's file decides itself."""
    changed = _changed_settings(variant, parent)
    for option in options:
        decided = changed & _decides(option)
        is_amount = option.sets is not None and _offers_choice(variant, option)
        if decided and not is_amount:
            setting = min(decided)
            root.report("option-decided", "takes-options", name=option.id, setting=setting)


def _with_consequences(
    root: TomlValue, option: Option, settings: Mapping[str, Value], links: tuple[Link, ...]
) -> Option:
    """An option of a user's file; its values also set what follows from the settings that they set.

    Values that do not fit the other settings are reported.
    """
    entry = root.get("options").get(option.id)
    in_force = {key: value.value for key, value in settings.items()}
    usual = _settings_by_key(in_force)
    values: list[OptionValue] = []
    for value in option.values:
        if wrong_values({**in_force, **value.sets}, root, entry.path):
            continue
        sets = _settings_by_key(value.sets)
        moved = _new_values(moved_values(links, usual, sets))
        given = {**sets, **moved}
        report_broken_links(entry, links, usual=usual, given=given, now={**usual, **given})
        moved_settings = {key.removeprefix(SETTINGS_PREFIX): each for key, each in moved.items()}
        values.append(_also_setting(value, moved_settings))
    return replace(option, values=tuple(values))


def _also_setting(value: OptionValue, settings: Mapping[str, Any]) -> OptionValue:
    """A value of an option that sets these settings too, which no source states."""
    cited_of = dict(value.cited_of)
    for name in settings:
        cited_of[name] = _BY_THE_TABLE
    return replace(value, sets={**value.sets, **settings}, cited_of=cited_of)


def _within_own_limits(
    option: Option, variant: Variant, parent: Variant, links: tuple[Link, ...]
) -> Option:
    """An option of the parent whose values fit what the file of the variant changes.

    A lower limit of wild cards in the file, for example, also holds for the canastas that a value of
    the option sets.
    """
    own_values = values_by_key(variant)
    values: list[OptionValue] = []
    for value in option.values:
        usual = {**values_by_key(parent), **_settings_by_key(value.sets)}
        given = {key: each for key, each in own_values.items() if key in usual}
        moved = moved_values(links, usual, given)
        changed: dict[str, Any] = {}
        for name in value.sets:
            key = f"{SETTINGS_PREFIX}{name}"
            if key in moved:
                changed[name] = moved[key].value
        values.append(_also_setting(value, changed))
    return replace(option, values=tuple(values))


def _cited_option(variant: Variant, parent: Variant, option: Option) -> Option:
    """An option of the parent, cited for the variant."""
    changed = _changed_settings(variant, parent) & _decides(option)
    values: list[OptionValue] = []
    for value in option.values:
        if changed and not value.sets:
            # The default is the value that the variant itself sets.
            cited = variant.settings[min(changed)].cited
            values.append(_cited_for_variant(replace(value, cited=cited), variant))
        else:
            values.append(_cited_for_variant(value, variant))
    return replace(option, values=tuple(values))


def _cited_for_variant(value: OptionValue, variant: Variant) -> OptionValue:
    """A value of an option, with the citations that hold for the variant too.

    All of them do, unless sources are named that state the rest of the variant (`stated_by`).
    """
    if not variant.stated_by or variant.inherits is None:
        return value
    cited = value.cited.inherited(variant.inherits, variant.stated_by)
    cited_of: dict[str, Cited] = {}
    for key, each in value.cited_of.items():
        cited_of[key] = each.inherited(variant.inherits, variant.stated_by)
    return replace(value, cited=cited, cited_of=cited_of)
