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
_BY_THE_TABLE = Cited((), Standing.AGREED)
"""The citation of a value that no source states."""
_Entry = TypeVar("_Entry")
_CitedEntry = TypeVar("_CitedEntry", Value, PenaltyKind)


def inherit(root: TomlValue, variant: Variant, parent: Variant, links: tuple[Link, ...]) -> Variant:
    """The variant that a file defines, with what it takes over from its parent.

    `root` is the root of the file, and `variant` what the file itself defines. Mistakes of a user's
    file are reported at the root.
    """
    _report_kept_citations(root, variant, parent)
    names_of_options = root.get("takes-options", []).texts_among(parent.options, "unknown-option")
    parent_options = [parent.options[name] for name in names_of_options]
    drops = _dropped_names(root, parent)
    parent_penalties = _cited_for(variant, _without(drops, parent.penalties))
    moved: dict[str, Moved] = {}
    if root.file.is_own:
        _report_decided_options(root, variant, parent, parent_options)
        kept = replace(parent, penalties=parent_penalties)
        moved = moved_values(links, values_by_key(kept), values_by_key(variant))
        _report_unfit_values(root, variant, kept, links, moved)

    # What follows from the changes of the file replaces what the parent has, and what the file
    # itself gives replaces both.
    settings = _cited_for(variant, parent.settings)
    settings |= _moved_settings(moved)
    settings |= variant.settings
    penalties = dict(parent_penalties)
    penalties |= _moved_penalties(moved, parent_penalties)
    penalties |= variant.penalties

    options = _inherited_options(variant, parent, parent_options, links)
    options |= _options_of_file(root, variant, settings, links)
    with_values = replace(
        variant,
        settings=settings,
        penalties=penalties,
        options=options,
        moved={key: follower.cause for key, follower in moved.items()},
    )
    return _with_unchanged_parts(root, with_values, parent, drops)


def _with_unchanged_parts(
    root: TomlValue, variant: Variant, parent: Variant, drops: Collection[str]
) -> Variant:
    """The variant with those parts of its parent that are taken over as they are.

    Where both have an entry of the same name, or one that can be there only once, the variant keeps
    its own. `drops` are the names of what it does not take over.
    """
    names_of_presets = root.get("takes-presets", []).texts_among(parent.presets, "unknown-preset")
    presets = {name: parent.presets[name] for name in names_of_presets}
    return replace(
        variant,
        presets={**presets, **variant.presets},
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


def _report_unfit_values(
    root: TomlValue,
    variant: Variant,
    parent: Variant,
    links: tuple[Link, ...],
    moved: Mapping[str, Moved],
) -> None:
    """Report values of a user's file that do not fit each other or those of the parent.

    `moved` are the parent's values that follow from those of the file. Settings that were refused
    before are left out, so that nothing is reported twice.
    """
    parent_values = values_by_key(parent)
    file_values = values_by_key(variant)
    in_force = {**parent_values, **file_values, **_new_values(moved)}
    for name in root.file.wrong_settings:
        in_force.pop(f"{SETTINGS_PREFIX}{name}", None)
    report_broken_links(
        root, links, parent_values=parent_values, file_values=file_values, in_force=in_force
    )


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
    """The values of settings, given by name, by their keys in a file: `decks` → `settings.decks`."""
    return {f"{SETTINGS_PREFIX}{name}": value for name, value in settings.items()}


def _settings_by_name(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of settings, given by their keys in a file, by name: `settings.decks` → `decks`."""
    return {key.removeprefix(SETTINGS_PREFIX): value for key, value in values.items()}


# ---------------------------------------------------------------- options


def _settings_of_option(option: Option) -> set[str]:
    """The settings that an option may change."""
    if option.sets:
        return {option.sets}
    changeable: set[str] = set()
    for value in option.values:
        changeable.update(value.sets)
    return changeable


def _offers_choice(variant: Variant, option: Option) -> bool:
    """Whether tables of the variant still have something to choose with an option of its parent.

    An option for a number, such as the target of a match, has no use if the variant gives that
    setting no number, such as `"unlimited"`. All other options keep their values.
    """
    setting = option.sets
    if setting is None:
        return True
    if setting not in variant.settings:
        return True  # the variant keeps the number of its parent
    return isinstance(variant.settings[setting].value, int)


def _inherited_options(
    variant: Variant, parent: Variant, taken: Iterable[Option], links: tuple[Link, ...]
) -> dict[str, Option]:
    """The options that a variant takes from its parent, as far as they leave a choice."""
    inherited: dict[str, Option] = {}
    for option in taken:
        if _offers_choice(variant, option):
            cited = _cited_option(variant, parent, option)
            inherited[option.id] = _adapt_option(cited, variant, parent, links)
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
    """Refuse options of the parent that would set again what a user's file sets itself.

    An option for a number may be taken all the same: the number in the file is then its default.
    """
    changed_in_file = _changed_settings(variant, parent)
    for option in options:
        is_for_number = option.sets is not None
        if is_for_number and _offers_choice(variant, option):
            continue
        set_twice = sorted(changed_in_file & _settings_of_option(option))
        if set_twice:
            # The message names one of them, always the same one.
            root.report("option-decided", "takes-options", name=option.id, setting=set_twice[0])


def _with_consequences(
    root: TomlValue, option: Option, settings: Mapping[str, Value], links: tuple[Link, ...]
) -> Option:
    """An option of a user's file whose values also set what follows from the settings that they set.

    `settings` are those of the variant without its options. Values that are wrong in themselves are
    reported and left out.
    """
    entry = root.get("options").get(option.id)
    without_option = {name: setting.value for name, setting in settings.items()}
    values: list[OptionValue] = []
    for value in option.values:
        with_option = {**without_option, **value.sets}
        if wrong_values(with_option, root, entry.path):
            continue
        values.append(_value_with_consequences(entry, value, without_option, links))
    return replace(option, values=tuple(values))


def _value_with_consequences(
    entry: TomlValue, value: OptionValue, settings: Mapping[str, Any], links: tuple[Link, ...]
) -> OptionValue:
    """A value of an option that also sets what follows from the settings that it sets.

    `entry` is the option in the file: there it is reported if the value does not fit `settings`,
    those of the variant without the option.
    """
    before = _settings_by_key(settings)
    set_by_value = _settings_by_key(value.sets)
    following = _new_values(moved_values(links, before, set_by_value))
    changed = {**set_by_value, **following}
    report_broken_links(
        entry,
        links,
        parent_values=before,
        file_values=changed,
        in_force={**before, **changed},
    )
    return _also_setting(value, _settings_by_name(following))


def _also_setting(value: OptionValue, settings: Mapping[str, Any]) -> OptionValue:
    """A value of an option that sets these settings too, which no source states."""
    cited_of = dict(value.cited_of)
    for name in settings:
        cited_of[name] = _BY_THE_TABLE
    return replace(value, sets={**value.sets, **settings}, cited_of=cited_of)


def _adapt_option(
    option: Option, variant: Variant, parent: Variant, links: tuple[Link, ...]
) -> Option:
    """An option of the parent, whose values are adapted to what the file of the variant changes.

    If the file lowers the limit of wild cards, for example, that limit also holds for the canastas
    that a value of the option sets.
    """
    values: list[OptionValue] = []
    for value in option.values:
        adapted_settings = _adapt_settings(value.sets, variant, parent, links)
        values.append(_also_setting(value, adapted_settings))
    return replace(option, values=tuple(values))


def _adapt_settings(
    settings: Mapping[str, Any], variant: Variant, parent: Variant, links: tuple[Link, ...]
) -> dict[str, Any]:
    """Those of the settings that have to be other in the variant than in its parent, with their new
    values.

    `settings` are set by an option of the parent. They change where they follow from values that
    the file of the variant gives.
    """
    parent_values = {**values_by_key(parent), **_settings_by_key(settings)}
    own_values = values_by_key(variant)
    file_values = {key: value for key, value in own_values.items() if key in parent_values}
    moved = moved_values(links, parent_values, file_values)
    new_settings = _settings_by_name(_new_values(moved))
    return {name: new_settings[name] for name in settings if name in new_settings}


def _cited_option(variant: Variant, parent: Variant, option: Option) -> Option:
    """An option of the parent, with the citations that hold for the variant."""
    set_by_both = sorted(_changed_settings(variant, parent) & _settings_of_option(option))
    values: list[OptionValue] = []
    for value in option.values:
        cited = value.cited
        changes_nothing = not value.sets
        if set_by_both and changes_nothing:
            # To choose it is to keep what the variant itself sets, so that is what it cites.
            cited = variant.settings[set_by_both[0]].cited
        values.append(_cited_for_variant(replace(value, cited=cited), variant))
    return replace(option, values=tuple(values))


def _cited_for_variant(value: OptionValue, variant: Variant) -> OptionValue:
    """A value of an option of the parent, with the citations that hold for the variant too.

    All of them do, unless the variant names sources that state what it takes over (`stated_by`):
    then only theirs do.
    """
    argument = variant.inherits
    if argument is None or not variant.stated_by:
        return value
    cited_of: dict[str, Cited] = {}
    for setting, cited in value.cited_of.items():
        cited_of[setting] = cited.inherited(argument, variant.stated_by)
    cited_for_value = value.cited.inherited(argument, variant.stated_by)
    return replace(value, cited=cited_for_value, cited_of=cited_of)
