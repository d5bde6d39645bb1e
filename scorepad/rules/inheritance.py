"""What a variant takes over from the variant that it extends.

The citations of inherited values are those of the parent, as far as they hold for the variant too
(`Cited.inherited`). A user's file changes single values of its parent: others may follow from them
(`rules.links`), and no source states those.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from scorepad.rules.completeness import report_wrong_values
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
    ChangedValues,
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
    options_taken = _options_taken(root, parent)
    drops = _dropped_names(root, parent)
    penalties_taken = _cited_for(variant, _without(drops, parent.penalties))
    moved: dict[str, Moved] = {}
    if root.file.is_own:
        _report_decided_options(root, variant, parent, options_taken)
        parent_as_taken = replace(parent, penalties=penalties_taken)
        moved = moved_values(links, values_by_key(parent_as_taken), values_by_key(variant))
        _report_unfit_values(root, variant, parent_as_taken, links, moved)

    settings = _merged_settings(variant, parent, moved)
    options = _inherited_options(variant, parent, options_taken, links)
    options |= _options_of_file(root, variant, settings, links)
    with_values = replace(
        variant,
        settings=settings,
        penalties=_merged_penalties(variant, penalties_taken, moved),
        options=options,
        moved={key: follower.cause for key, follower in moved.items()},
    )
    return _with_unchanged_parts(root, with_values, parent, drops)


def _options_taken(root: TomlValue, parent: Variant) -> list[Option]:
    """The options of the parent that the file takes over, by its list `takes-options`."""
    names = root.get("takes-options", []).texts_among(parent.options, "unknown-option")
    return [parent.options[name] for name in names]


def _merged_settings(
    variant: Variant, parent: Variant, moved: Mapping[str, Moved]
) -> dict[str, Value]:
    """The settings of a variant with those of its parent.

    What follows from the changes of the file (`moved`) replaces what the parent has, and what the
    file itself gives replaces both.
    """
    settings = _cited_for(variant, parent.settings)
    settings |= _moved_settings(moved)
    settings |= variant.settings
    return settings


def _merged_penalties(
    variant: Variant, of_parent: Mapping[str, PenaltyKind], moved: Mapping[str, Moved]
) -> dict[str, PenaltyKind]:
    """The penalties of a variant with those that it takes over from its parent.

    What follows from the changes of the file (`moved`) replaces what the parent has, and what the
    file itself gives replaces both.
    """
    penalties = dict(of_parent)
    penalties |= _moved_penalties(moved, of_parent)
    penalties |= variant.penalties
    return penalties


def _with_unchanged_parts(
    root: TomlValue, variant: Variant, parent: Variant, drops: Collection[str]
) -> Variant:
    """The variant with those parts of its parent that are taken over as they are.

    Where both have an entry of the same name, or one that can be there only once, the variant keeps
    its own. `drops` are the names of what it does not take over.
    """
    names_of_presets = root.get("takes-presets", []).texts_among(parent.presets, "unknown-preset")
    presets_taken = {name: parent.presets[name] for name in names_of_presets}
    checks_taken = _without(drops, parent.checks)
    lines_taken = _without(drops, parent.lines)
    entry_fields_taken = _inherited_entry_fields(parent, drops)
    has_ends = variant.ends != Ends()
    return replace(
        variant,
        presets={**presets_taken, **variant.presets},
        checks={**checks_taken, **variant.checks},
        lines={**lines_taken, **variant.lines},
        entry_fields=(*entry_fields_taken, *variant.entry_fields),
        inherits=variant.inherits or parent.inherits,
        stated_by=variant.stated_by or parent.stated_by,
        bonuses={**parent.bonuses, **variant.bonuses},
        ends=variant.ends if has_ends else parent.ends,
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
    changed_values = ChangedValues(parent_values, file_values, in_force)
    report_broken_links(root, links, changed_values)


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


def _following_settings(
    links: tuple[Link, ...], before: Mapping[str, Any], changed: Mapping[str, Any]
) -> dict[str, Any]:
    """The settings that have to change because others do, by name, with their new values.

    `before` are all settings, and `changed` those with a new value: `{"decks": 1}` →
    `{"red-three-values": [100, 200]}`, because one deck has two red threes.
    """
    moved = moved_values(links, _settings_by_key(before), _settings_by_key(changed))
    return {name: setting.value for name, setting in _moved_settings(moved).items()}


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
    for option in options:
        is_for_number = option.sets is not None
        if is_for_number and _offers_choice(variant, option):
            continue
        set_twice = _setting_decided_by_file(variant, parent, option)
        if set_twice is not None:
            root.report("option-decided", "takes-options", name=option.id, setting=set_twice)


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
        wrong_settings = report_wrong_values(with_option, root, entry.path)
        if not wrong_settings:
            values.append(_value_with_consequences(entry, value, without_option, links))
    return replace(option, values=tuple(values))


def _value_with_consequences(
    entry: TomlValue, value: OptionValue, settings: Mapping[str, Any], links: tuple[Link, ...]
) -> OptionValue:
    """A value of an option that also sets what follows from the settings that it sets.

    A value that sets one deck also sets fewer values of red threes. `entry` is the option in the
    file: there it is reported if the value does not fit `settings`, those of the variant without the
    option.
    """
    following = _following_settings(links, settings, value.sets)
    changed = {**value.sets, **following}
    in_force = {**settings, **changed}
    changed_values = ChangedValues(
        parent=_settings_by_key(settings),
        given=_settings_by_key(changed),
        in_force=_settings_by_key(in_force),
    )
    report_broken_links(entry, links, changed_values)
    return _also_setting(value, following)


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
    """The new values of those settings, set by an option of the parent, that the variant changes.

    An option sets `canastas` with up to three wild cards each, for example, and the file of the
    variant lowers the `wild-limit` to two: then the new value of `canastas` has up to two.
    """
    parent_values = {**values_by_key(parent), **_settings_by_key(settings)}
    moved = moved_values(links, parent_values, values_by_key(variant))
    new_values: dict[str, Any] = {}
    for name in settings:
        key = f"{SETTINGS_PREFIX}{name}"
        if key in moved:
            new_values[name] = moved[key].value
    return new_values


def _cited_option(variant: Variant, parent: Variant, option: Option) -> Option:
    """An option of the parent, with the citations that hold for the variant."""
    decided_setting = _setting_decided_by_file(variant, parent, option)
    values: list[OptionValue] = []
    for value in option.values:
        cited = value.cited
        keeps_settings = not value.sets
        if decided_setting is not None and keeps_settings:
            # To choose this value is to keep what the variant itself decided: it cites the same.
            cited = variant.settings[decided_setting].cited
        values.append(_value_cited_for(variant, replace(value, cited=cited)))
    return replace(option, values=tuple(values))


def _setting_decided_by_file(variant: Variant, parent: Variant, option: Option) -> str | None:
    """A setting that an option of the parent may change, and that the file of the variant changes.

    None if there is none; of several, which the file gives together, the first by name.
    """
    decided = _changed_settings(variant, parent) & _settings_of_option(option)
    return min(decided, default=None)


def _value_cited_for(variant: Variant, value: OptionValue) -> OptionValue:
    """A value of an option of the parent, with the citations that hold for the variant too.

    All of them do, unless the variant names sources that state what it takes over (`stated_by`):
    then only theirs do.
    """
    inference = variant.inherits  # the name of the argument by which the parent's rules hold
    if inference is None or not variant.stated_by:
        return value
    cited_of: dict[str, Cited] = {}
    for setting, cited in value.cited_of.items():
        cited_of[setting] = cited.inherited(inference, variant.stated_by)
    cited_for_value = value.cited.inherited(inference, variant.stated_by)
    return replace(value, cited=cited_for_value, cited_of=cited_of)
