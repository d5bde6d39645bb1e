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
    Preset,
    Standing,
    Value,
    Variant,
)
from scorepad.rules.hand import EXTRAS
from scorepad.rules.links import (
    SETTINGS_PREFIX,
    ChangedValues,
    FollowingValue,
    Link,
    following_values,
    report_broken_links,
    values_by_key,
)
from scorepad.rules.toml_reader import TomlValue

_PENALTIES_PREFIX = "penalties."
_STATED_BY_NO_SOURCE = Cited(citations=(), standing=Standing.AGREED)
"""What supports a value that no source states: it counts as agreed at the table."""
_Entry = TypeVar("_Entry")
_CitedEntry = TypeVar("_CitedEntry", Value, PenaltyKind)


def inherit(root: TomlValue, variant: Variant, parent: Variant, links: tuple[Link, ...]) -> Variant:
    """The variant that a file defines, with what it takes over from its parent.

    `variant` is what the file itself defines: if that is only `decks = 3`, everything else is as in
    the parent. `links` say which values follow from others. Mistakes of a user's file are reported
    at its `root`.
    """
    _report_kept_citations(root, variant, parent)
    options_taken = _options_taken(root, parent)
    dropped = _dropped_names(root, parent)
    _report_decided_options(root, variant, parent, options_taken)

    parent_values = _parent_as_taken_over(variant, parent, dropped)
    following = _values_following_from_file(root, variant, parent_values, links)
    _report_unfit_values(root, variant, parent_values, links, following)
    with_values = _with_values_of_parent(variant, parent_values, following)

    # What the file itself defines (`variant`) decides how options of the parent are taken over.
    options = _inherited_options(variant, parent, options_taken, links)
    options |= _options_of_file(root, with_values, links)

    complete = replace(with_values, options=options)
    complete = _with_entries_of_parent(root, complete, parent, dropped)
    return _with_descriptions_of_parent(complete, parent)


def _options_taken(root: TomlValue, parent: Variant) -> list[Option]:
    """The options of the parent that the file takes over, by its list `takes-options`."""
    names = root.get("takes-options", []).texts_among(parent.options, "unknown-option")
    return [parent.options[name] for name in names]


def _parent_as_taken_over(variant: Variant, parent: Variant, dropped: Collection[str]) -> Variant:
    """The parent, with the settings and penalties that the variant may take over from it.

    Each has what supports it in the variant. `dropped` are the names of penalties left out.
    """
    return replace(
        parent,
        settings=_cited_for(variant, parent.settings),
        penalties=_cited_for(variant, _without(dropped, parent.penalties)),
    )


def _with_values_of_parent(
    variant: Variant, parent: Variant, following: Mapping[str, FollowingValue]
) -> Variant:
    """The variant with the settings and penalties that it takes over from its parent.

    What follows from the changes of the file (`following`) replaces what the parent has, and what
    the file itself gives replaces both.
    """
    following_settings = _settings_among(following)
    following_penalties = _penalties_among(following, parent.penalties)
    return replace(
        variant,
        settings={**parent.settings, **following_settings, **variant.settings},
        penalties={**parent.penalties, **following_penalties, **variant.penalties},
        moved={key: follower.cause for key, follower in following.items()},
    )


def _with_entries_of_parent(
    root: TomlValue, variant: Variant, parent: Variant, dropped: Collection[str]
) -> Variant:
    """The variant with the presets, checks, score lines, entry fields and bonuses of its parent.

    Where both have an entry of the same name, the variant keeps its own. `dropped` are the names of
    checks, score lines and entry fields that it does not take over.
    """
    checks_taken = _without(dropped, parent.checks)
    lines_taken = _without(dropped, parent.lines)
    entry_fields_taken = _inherited_entry_fields(parent, dropped)
    return replace(
        variant,
        presets={**_presets_taken(root, parent), **variant.presets},
        checks={**checks_taken, **variant.checks},
        lines={**lines_taken, **variant.lines},
        entry_fields=(*entry_fields_taken, *variant.entry_fields),
        bonuses={**parent.bonuses, **variant.bonuses},
    )


def _presets_taken(root: TomlValue, parent: Variant) -> dict[str, Preset]:
    """The presets of the parent that the file takes over, by its list `takes-presets`."""
    names = root.get("takes-presets", []).texts_among(parent.presets, "unknown-preset")
    return {name: parent.presets[name] for name in names}


def _with_descriptions_of_parent(variant: Variant, parent: Variant) -> Variant:
    """The variant with what its parent says of the game as a whole, where it does not say it itself.

    That is how the rules taken over are cited (`inherits` and `stated_by`), and after how many hands
    or minutes a match ends.
    """
    has_own_ends = variant.ends != Ends()
    return replace(
        variant,
        inherits=variant.inherits or parent.inherits,
        stated_by=variant.stated_by or parent.stated_by,
        ends=variant.ends if has_own_ends else parent.ends,
    )


def _dropped_names(root: TomlValue, parent: Variant) -> tuple[str, ...]:
    """What the file does not take over from the parent, by name (`drops`).

    That may be checks, score lines and penalties, and numbers that a side enters (`EXTRAS`).
    """
    extras = [name for name in parent.entry_fields if name in EXTRAS]
    droppable = (*parent.checks, *parent.lines, *parent.penalties, *extras)
    return root.get("drops", []).texts_among(droppable, "unknown-rule")


def _inherited_entry_fields(parent: Variant, drops: Collection[str]) -> list[str]:
    """The fields of the parent's form for a hand, without those that the variant drops.

    Only the fields for numbers that few variants count (`EXTRAS`) can be dropped. Others may have
    the same name as a check or a score line that is dropped, and stay.
    """
    inherited = []
    for name in parent.entry_fields:
        can_be_dropped = name in EXTRAS
        if can_be_dropped and name in drops:
            continue
        inherited.append(name)
    return inherited


def _without(drops: Collection[str], entries: Mapping[str, _Entry]) -> dict[str, _Entry]:
    """The entries whose names are not dropped."""
    return {key: entry for key, entry in entries.items() if key not in drops}


def _cited_for(variant: Variant, entries: Mapping[str, _CitedEntry]) -> dict[str, _CitedEntry]:
    """Settings or penalties of the parent, each with what supports it in the variant."""
    inherited: dict[str, _CitedEntry] = {}
    for key, entry in entries.items():
        inherited[key] = replace(entry, cited=_cited_in_variant(variant, entry.cited))
    return inherited


def _cited_in_variant(variant: Variant, cited: Cited) -> Cited:
    """What supports a value in a variant that takes it over, given what supports it in the parent.

    The source `W` describes samba as the classic game with some changes: what `W` states of the
    classic game is then stated of samba too. Anything else is an inference, with the argument that
    the file of the variant names (`inherits`). Without that name, everything is cited as before.
    """
    if variant.inherits is None:
        return cited
    return cited.inherited(variant.inherits, variant.stated_by)


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


def _values_following_from_file(
    root: TomlValue, variant: Variant, parent: Variant, links: tuple[Link, ...]
) -> dict[str, FollowingValue]:
    """The values that have to change because a user's file changes others, by key.

    A file with one deck in place of two leaves the values of two red threes, out of four. A file of
    the package gives every value itself, so that nothing follows.
    """
    if not root.file.is_own:
        return {}
    return following_values(links, values_by_key(parent), values_by_key(variant))


def _report_unfit_values(
    root: TomlValue,
    variant: Variant,
    parent: Variant,
    links: tuple[Link, ...],
    following: Mapping[str, FollowingValue],
) -> None:
    """Report values of a user's file that do not fit each other or those of the parent.

    A file with three decks, for example, has to give the values of six red threes: those of the
    parent are for four. `links` say which values have to fit, and `following` are the values that
    change together with those of the file.
    """
    if not root.file.is_own:
        return  # of a file of the package, `check_values` judges all values
    parent_values = values_by_key(parent)
    file_values = values_by_key(variant)
    all_values = {**parent_values, **file_values, **_new_values(following)}

    # A setting that was refused before is not judged again.
    refused_keys = {f"{SETTINGS_PREFIX}{name}" for name in root.file.wrong_settings}
    judged = {key: value for key, value in all_values.items() if key not in refused_keys}
    changed_values = ChangedValues(parent=parent_values, given=file_values, in_force=judged)
    report_broken_links(root, links, changed_values)


def _new_values(following: Mapping[str, FollowingValue]) -> dict[str, Any]:
    """The values that follow from others, by key."""
    return {key: follower.value for key, follower in following.items()}


def _settings_among(following: Mapping[str, FollowingValue]) -> dict[str, Value]:
    """The settings among values that follow from others, by name: `decks`.

    `following` has the values by their keys in a file, such as `settings.decks`. No source states
    them.
    """
    new_settings = _settings_by_name(_new_values(following))
    settings: dict[str, Value] = {}
    for name, value in new_settings.items():
        settings[name] = Value(value, _STATED_BY_NO_SOURCE)
    return settings


def _penalties_among(
    following: Mapping[str, FollowingValue], penalties: Mapping[str, PenaltyKind]
) -> dict[str, PenaltyKind]:
    """The penalties whose points are among values that follow from others, by code: `late`.

    `following` has the values by their keys in a file, such as `penalties.late`, and `penalties` are
    the penalties before.
    """
    changed: dict[str, PenaltyKind] = {}
    for key, follower in following.items():
        if key.startswith(_PENALTIES_PREFIX):
            code = key.removeprefix(_PENALTIES_PREFIX)
            changed[code] = replace(
                penalties[code],
                points=follower.value,
                cited=_STATED_BY_NO_SOURCE,
            )
    return changed


def _settings_by_key(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The values of settings, given by name, by their keys in a file: `decks` → `settings.decks`."""
    return {f"{SETTINGS_PREFIX}{name}": value for name, value in settings.items()}


def _settings_by_name(values: Mapping[str, Any]) -> dict[str, Any]:
    """The settings among values that are given by their keys in a file:
    `{"settings.decks": 1, "penalties.late": 50}` → `{"decks": 1}`.
    """
    settings: dict[str, Any] = {}
    for key, value in values.items():
        if key.startswith(SETTINGS_PREFIX):
            settings[key.removeprefix(SETTINGS_PREFIX)] = value
    return settings


def _following_settings(
    links: tuple[Link, ...], settings: Mapping[str, Any], new_settings: Mapping[str, Any]
) -> dict[str, Any]:
    """The settings that have to change when others get new values.

    All are given by name. The new setting `{"decks": 1}` gives `{"red-three-values": [100, 200]}`,
    because one deck has two red threes. `links` say what follows from what.
    """
    before = _settings_by_key(settings)
    changed = _settings_by_key(new_settings)
    following = following_values(links, before, changed)
    return _settings_by_name(_new_values(following))


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

    An option for a number lets the table choose, for example, at how many points a match ends. It
    has no use if the file of the variant sets that to `"unlimited"`.
    """
    setting_for_number = option.sets
    if setting_for_number is None:
        return True  # an option with a list of values, of which the table can still choose one
    if setting_for_number not in variant.settings:
        return True  # the variant keeps the number of its parent
    own_value = variant.settings[setting_for_number].value
    return isinstance(own_value, int)


def _inherited_options(
    variant: Variant, parent: Variant, taken: Iterable[Option], links: tuple[Link, ...]
) -> dict[str, Option]:
    """The options that a variant takes from its parent, as far as they leave a choice."""
    inherited: dict[str, Option] = {}
    for option in taken:
        if _offers_choice(variant, option):
            option_with_support = _option_cited_for(variant, parent, option)
            inherited[option.id] = _adapt_option(option_with_support, variant, parent, links)
    return inherited


def _options_of_file(
    root: TomlValue, variant: Variant, links: tuple[Link, ...]
) -> dict[str, Option]:
    """The options that the file of the variant defines, each with all the settings that it changes.

    An option in a user's file that sets one deck, for example, also sets the values of red threes to
    those of one deck. An option in a file of the package has all settings in the file already.
    """
    if not root.file.is_own:
        return dict(variant.options)
    values = {name: setting.value for name, setting in variant.settings.items()}
    options: dict[str, Option] = {}
    for name, option in variant.options.items():
        options[name] = _complete_option(root, option, values, links)
    return options


def _report_decided_options(
    root: TomlValue, variant: Variant, parent: Variant, options: Iterable[Option]
) -> None:
    """Report options of the parent that would set again what a user's file sets itself.

    `options` are those that the file takes over.
    """
    if not root.file.is_own:
        return
    for option in options:
        is_for_number = option.sets is not None
        if is_for_number and _offers_choice(variant, option):
            continue  # the number in the file is what tables play with if they choose no other
        set_twice = _setting_decided_by_file(variant, parent, option)
        if set_twice is not None:
            root.report("option-decided", "takes-options", name=option.id, setting=set_twice)


def _complete_option(
    root: TomlValue, option: Option, settings: Mapping[str, Any], links: tuple[Link, ...]
) -> Option:
    """An option of a user's file, each value of which also sets what follows from it.

    `settings` are those of the variant without its options. A value that sets something impossible,
    such as no decks, is reported and left out. One that does not fit other settings is reported too.
    """
    entry = root.get("options").get(option.id)
    complete_values: list[OptionValue] = []
    for value in option.values:
        settings_with_value = {**settings, **value.sets}
        impossible = report_wrong_values(settings_with_value, root, entry.path)
        if impossible:
            continue
        following_settings = _following_settings(links, settings, value.sets)
        complete_value = _with_more_settings(value, following_settings)
        _report_unfit_option_value(entry, complete_value, settings, links)
        complete_values.append(complete_value)
    return replace(option, values=tuple(complete_values))


def _report_unfit_option_value(
    entry: TomlValue, value: OptionValue, settings: Mapping[str, Any], links: tuple[Link, ...]
) -> None:
    """Report a value of an option that sets something which does not fit the other settings.

    It is reported at `entry`, the option in the user's file. `settings` are those of the variant
    without the option.
    """
    in_force = {**settings, **value.sets}
    changed_values = ChangedValues(
        parent=_settings_by_key(settings),
        given=_settings_by_key(value.sets),
        in_force=_settings_by_key(in_force),
    )
    report_broken_links(entry, links, changed_values)


def _with_more_settings(value: OptionValue, settings: Mapping[str, Any]) -> OptionValue:
    """A value of an option, which sets these settings too.

    They follow from others, and no source states them. One that the value sets already is replaced.
    """
    cited_of = dict(value.cited_of)
    for name in settings:
        cited_of[name] = _STATED_BY_NO_SOURCE
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
        values.append(_with_more_settings(value, adapted_settings))
    return replace(option, values=tuple(values))


def _adapt_settings(
    settings: Mapping[str, Any], variant: Variant, parent: Variant, links: tuple[Link, ...]
) -> dict[str, Any]:
    """Those settings of an option of the parent that have to change for the variant, by name.

    The option sets `canastas` with up to three wild cards each, for example, and the file of the
    variant lowers the `wild-limit` to two: the result is `canastas` with up to two wild cards.
    """
    values_with_option = {**values_by_key(parent), **_settings_by_key(settings)}
    following = following_values(links, values_with_option, values_by_key(variant))
    new_settings = _settings_by_name(_new_values(following))
    return {name: new_settings[name] for name in settings if name in new_settings}


def _option_cited_for(variant: Variant, parent: Variant, option: Option) -> Option:
    """An option of the parent, with what supports each of its values in the variant."""
    values: list[OptionValue] = []
    for value in option.values:
        support = value.cited
        leaves_settings = not value.sets
        if leaves_settings:
            support = _support_of_leaving(option, value, variant, parent)
        values.append(_option_value_cited_for(variant, replace(value, cited=support)))
    return replace(option, values=tuple(values))


def _support_of_leaving(
    option: Option, value: OptionValue, variant: Variant, parent: Variant
) -> Cited:
    """What supports a value of an option of the parent that leaves all settings as they are.

    Such a value is "as in the rules". If the file of the variant changes a setting of the option, the
    rules are what the file says: what it cites for the setting supports the value too.
    """
    decided_setting = _setting_decided_by_file(variant, parent, option)
    if decided_setting is None:
        return value.cited
    return variant.settings[decided_setting].cited


def _setting_decided_by_file(variant: Variant, parent: Variant, option: Option) -> str | None:
    """A setting that an option of the parent may change, and that the file of the variant changes.

    None if there is none; of several, which the file gives together, the first by name.
    """
    decided = _changed_settings(variant, parent) & _settings_of_option(option)
    return min(decided, default=None)


def _option_value_cited_for(variant: Variant, value: OptionValue) -> OptionValue:
    """A value of an option of the parent, with what supports it and its settings in the variant.

    Where sources describe the variant as its parent with some changes (`stated_by`), what they state
    of the parent supports the value in the variant too, and anything else is only an inference.
    Without such sources, the value is cited as in the parent.
    """
    if not variant.stated_by:
        return value
    cited_of: dict[str, Cited] = {}
    for setting, cited in value.cited_of.items():
        cited_of[setting] = _cited_in_variant(variant, cited)
    return replace(value, cited=_cited_in_variant(variant, value.cited), cited_of=cited_of)
