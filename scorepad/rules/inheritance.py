"""What a variant takes over from the variant that it extends.

The citations of inherited values are those of the parent, as far as they hold for the variant too
(`Variant.cite_inherited`). A user's file changes single values of its parent: others may follow
from them (`rules.links`), and no source states those.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from scorepad.rules.completeness import report_wrong_values
from scorepad.rules.definitions import (
    AGREED_BY_PLAYERS,
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
    AdjustedValue,
    ChangedValues,
    Link,
    find_adjusted_values,
    report_broken_conditions,
    values_by_key,
)
from scorepad.rules.toml_reader import TomlValue

_Entry = TypeVar("_Entry")


def inherit_from_parent(
    root: TomlValue,
    variant: Variant,
    parent: Variant,
    links: tuple[Link, ...],
    wrong_settings: Collection[str] = (),
) -> Variant:
    """Complete the variant that a file defines with all that it inherits from its parent.

    A variant is one game with its rules. Its file lists only what differs from the game that it
    extends, its parent: if the file says only `decks = 3`, everything else is as in the parent.

    `variant` is what the file itself says, and `links` tell which values depend on others. Mistakes
    of a user's file are recorded at its `root`, and reading goes on. `wrong_settings` are those of
    the file for which an error is recorded already.
    """
    _report_citations_kept_from_parent(root, variant, parent)
    options_taken = _read_options_to_inherit(root, parent)
    dropped = _read_dropped_names(root, parent)
    if root.file.is_from_user:
        _report_options_decided_by_file(root, variant, parent, options_taken)

    inherited = _cite_for_variant(parent, variant, dropped)
    adjusted: Mapping[str, AdjustedValue] = {}
    if root.file.is_from_user:  # a file shipped with scorepad lists all values that change
        adjusted = find_adjusted_values(links, values_by_key(inherited), values_by_key(variant))
        _report_values_not_fitting(root, variant, inherited, adjusted, links, wrong_settings)
    complete = _merge_settings_and_penalties(variant, inherited, adjusted)
    inherited_options = {
        option.id: _inherit_option(option, variant, parent, links)
        for option in options_taken
        if _leaves_choice(variant, option)
    }
    own_options = variant.options
    if root.file.is_from_user:
        own_options = _complete_options_of_file(root, complete, links)
    complete = replace(complete, options={**inherited_options, **own_options})

    complete = _add_entries_of_parent(root, complete, parent, dropped)
    return _add_descriptions_of_parent(complete, parent)


def _read_options_to_inherit(root: TomlValue, parent: Variant) -> list[Option]:
    """Read from a file which options it takes over from the parent game.

    An option is a choice that players make before a match. `takes-options = ["target"]` in the file
    → the parent's option `target`. A name that the parent does not have is reported.
    """
    names = root.get("takes-options", []).read_known_texts(parent.options, "unknown-option")
    return [parent.options[name] for name in names]


def _cite_for_variant(parent: Variant, variant: Variant, dropped: Collection[str]) -> Variant:
    """Return a copy of the parent game, in which rules are cited as they are for the variant.

    The rule books that are cited for its settings and penalties are about the parent, and may say
    less about the variant. Penalties with `dropped` codes are left out.
    """
    settings: dict[str, Value] = {}
    for name, setting in parent.settings.items():
        settings[name] = replace(setting, cited=variant.cite_inherited(setting.cited))
    penalties: dict[str, PenaltyKind] = {}
    for code, penalty in _leave_out(dropped, parent.penalties).items():
        penalties[code] = replace(penalty, cited=variant.cite_inherited(penalty.cited))
    return replace(parent, settings=settings, penalties=penalties)


def _report_values_not_fitting(
    root: TomlValue,
    variant: Variant,
    inherited: Variant,
    adjusted: Mapping[str, AdjustedValue],
    links: tuple[Link, ...],
    wrong_settings: Collection[str],
) -> None:
    """Report values of a user's file that do not fit each other, or values that it inherits.

    With three decks there are six red threes. The parent has values for four, so that a file that
    says `decks = 3` must also list six values.

    `variant` is what the file says, and `adjusted` are new values of the `inherited` game. The
    `wrong_settings`, which were reported before, are not compared with others.
    """
    values_before = values_by_key(inherited)
    values_in_file = values_by_key(variant)
    values_after = {**values_before, **values_in_file}
    for key, adjusted_value in adjusted.items():
        values_after[key] = adjusted_value.new_value
    for name in wrong_settings:
        values_after.pop(f"{SETTINGS_PREFIX}{name}", None)
    changes = ChangedValues(values_before, values_in_file, values_after)
    report_broken_conditions(root, links, changes)


def _merge_settings_and_penalties(
    variant: Variant, inherited: Variant, adjusted: Mapping[str, AdjustedValue]
) -> Variant:
    """Return a copy of the variant, with the settings and penalties of the `inherited` game too.

    `adjusted` are new values of some of them, which depend on values of the variant's own. No rule
    book states these. What the variant's file says itself is kept.
    """
    settings = dict(inherited.settings)
    penalties = dict(inherited.penalties)
    for key, value in adjusted.items():
        table, _, name = key.partition(".")  # "settings.decks", "penalties.late"
        if table == "settings":
            settings[name] = Value(value.new_value, AGREED_BY_PLAYERS)
        else:
            penalties[name] = replace(
                penalties[name], points=value.new_value, cited=AGREED_BY_PLAYERS
            )
    return replace(
        variant,
        settings={**settings, **variant.settings},
        penalties={**penalties, **variant.penalties},
        # For the pages, which say why such a value changed.
        moved={key: value.cause for key, value in adjusted.items()},
    )


def _add_entries_of_parent(
    root: TomlValue, variant: Variant, parent: Variant, dropped: Collection[str]
) -> Variant:
    """Return a copy of the variant, with the other parts of its parent's rules.

    These are the presets, checks, score lines, form fields and bonuses. Where both games have an
    entry of one name, the variant keeps its own. `dropped` are names of checks, score lines and
    form fields that the file says it does not want.
    """
    presets = _read_presets_to_inherit(root, parent)
    checks = _leave_out(dropped, parent.checks)
    lines = _leave_out(dropped, parent.lines)
    entry_fields = _select_entry_fields(parent, dropped)
    return replace(
        variant,
        presets={**presets, **variant.presets},
        checks={**checks, **variant.checks},
        lines={**lines, **variant.lines},
        entry_fields=(*entry_fields, *variant.entry_fields),
        bonuses={**parent.bonuses, **variant.bonuses},
    )


def _read_presets_to_inherit(root: TomlValue, parent: Variant) -> dict[str, Preset]:
    """Read from a file which presets it takes over from the parent game.

    A preset is a set of options that plays a game as one rule book describes it.
    `takes-presets = ["giochi"]` in the file → `{"giochi": …}`. Unknown names are reported.
    """
    names = root.get("takes-presets", []).read_known_texts(parent.presets, "unknown-preset")
    return {name: parent.presets[name] for name in names}


def _add_descriptions_of_parent(variant: Variant, parent: Variant) -> Variant:
    """Return a copy of the variant, with the parent's statements about the game as a whole.

    These are the reasoning and the rule books that support what it inherits, and the number of
    hands (rounds) or minutes after which a match ends. What the variant says itself is kept.
    """
    has_own_ends = variant.ends != Ends()
    return replace(
        variant,
        reasoning_for_rest=variant.reasoning_for_rest or parent.reasoning_for_rest,
        books_about_it=variant.books_about_it or parent.books_about_it,
        ends=variant.ends if has_own_ends else parent.ends,
    )


def _read_dropped_names(root: TomlValue, parent: Variant) -> tuple[str, ...]:
    """Read from a file which rules of the parent game it does not want.

    `drops = ["draw-out-of-turn"]` → `("draw-out-of-turn",)`: this penalty of the parent is not
    inherited. A file can drop checks, score lines, penalties and some fields of the form. Other
    names are reported.
    """
    # Every game needs the usual fields of the form for a hand (round). `EXTRAS` are the others:
    # numbers that only few games count.
    droppable_fields = [name for name in parent.entry_fields if name in EXTRAS]
    droppable = (*parent.checks, *parent.lines, *parent.penalties, *droppable_fields)
    return root.get("drops", []).read_known_texts(droppable, "unknown-rule")


def _select_entry_fields(parent: Variant, dropped: Collection[str]) -> list[str]:
    """Select the fields of the parent's form for a hand that a variant has too.

    `dropped` are the names of everything that the variant does not want. They are also names of
    checks and score lines, so that a field is left out only if it is one that can be dropped.
    """
    selected = []
    for name in parent.entry_fields:
        can_be_dropped = name in EXTRAS  # a number that only few games count
        if can_be_dropped and name in dropped:
            continue
        selected.append(name)
    return selected


def _leave_out(dropped: Collection[str], entries: Mapping[str, _Entry]) -> dict[str, _Entry]:
    """Return the entries without those whose names are dropped."""
    return {name: entry for name, entry in entries.items() if name not in dropped}


def _report_citations_kept_from_parent(root: TomlValue, variant: Variant, parent: Variant) -> None:
    """Report settings to which a file gives a new value, but still the citations of the parent.

    The passage of a rule book that states two decks cannot state three. A file may infer another
    value from it, but then it must say that it is an inference.
    """
    for name, setting in variant.settings.items():
        parent_setting = parent.settings[name]
        if setting.value == parent_setting.value:
            continue
        if setting.cited.standing is not Standing.STATED:
            continue
        if setting.cited.citations == parent_setting.cited.citations:
            # "The value differs from that of classica and keeps its citations."
            root.report("kept-citations", f"settings.{name}", parent=parent.id)


def _find_changed_settings(variant: Variant, parent: Variant) -> set[str]:
    """Find the names of the settings to which the variant's file gives another value.

    The parent has `decks = 2` and `dealt = 11`, the file has `decks = 3` and `dealt = 11` →
    `{"decks"}`.
    """
    changed: set[str] = set()
    for name, setting in variant.settings.items():
        if setting.value != parent.settings[name].value:
            changed.add(name)
    return changed


# ---------------------------------------------------------------- options


def _list_changeable_settings(option: Option) -> set[str]:
    """List the names of all settings that an option can change.

    An option for a number changes one setting, such as `target`. An option with a list of values
    changes the settings that any of its values sets.
    """
    if option.sets:
        return {option.sets}
    changeable: set[str] = set()
    for value in option.values:
        changeable.update(value.sets)
    return changeable


def _leaves_choice(variant: Variant, option: Option) -> bool:
    """Tell whether an option of the parent still lets players of the variant choose something.

    The option `target` lets players choose at how many points a match ends. A file that says
    `target = "unlimited"` leaves no number to choose → False.
    """
    setting_for_number = option.sets
    if setting_for_number is None:
        return True  # this option has a list of values, of which players can still choose one
    if setting_for_number not in variant.settings:
        return True  # the file does not say it, so that the number of the parent holds
    value_in_file = variant.settings[setting_for_number].value
    return isinstance(value_in_file, int)


def _report_options_decided_by_file(
    root: TomlValue, variant: Variant, parent: Variant, options: Iterable[Option]
) -> None:
    """Report inherited options that would change a setting which a user's file fixes.

    The file says `wild-on-canasta = "forbidden"`, and takes over the option `wild-on-canasta`, by
    which players choose that setting. This is a contradiction. `options` are those that the file
    takes over.
    """
    for option in options:
        if option.amount is not None and _leaves_choice(variant, option):
            continue  # the file gives a number, and players may still choose another
        fixed_setting = _find_option_setting_changed_by_file(variant, parent, option)
        if fixed_setting is not None:
            # "The option “wild-on-canasta” decides settings.wild-on-canasta too, which this file
            # fixes."
            root.report("option-decided", "takes-options", name=option.id, setting=fixed_setting)


def _find_option_setting_changed_by_file(
    variant: Variant, parent: Variant, option: Option
) -> str | None:
    """Find a setting that an option of the parent can change, and that the variant's file changes.

    The option `wild-on-canasta` can change the setting of that name, and the file says
    `wild-on-canasta = "forbidden"` → `"wild-on-canasta"`. None if the file changes no setting of
    the option.
    """
    changed_by_file = _find_changed_settings(variant, parent)
    changed_by_both = changed_by_file & _list_changeable_settings(option)
    # Of several, any one will do for the message; the first by name is always the same one.
    return min(changed_by_both, default=None)


def _inherit_option(
    option: Option, variant: Variant, parent: Variant, links: tuple[Link, ...]
) -> Option:
    """Return an option of the parent game, as players of the variant can choose it.

    An option is a choice that players make before a match. Its values set other settings and cite
    other rule books than in the parent, as far as the variant needs it.
    """
    changed_setting = _find_option_setting_changed_by_file(variant, parent, option)
    values: list[OptionValue] = []
    for value in option.values:
        keeps_rules_as_they_are = not value.sets
        inherited = value
        if keeps_rules_as_they_are and changed_setting is not None:
            # The file changes such a rule, so the value now keeps what the file says and cites.
            inherited = replace(value, cited=variant.settings[changed_setting].cited)
        if variant.books_about_it:
            inherited = _cite_option_value_for_variant(inherited, variant)
        values.append(_adjust_option_value_to_file(inherited, variant, parent, links))
    return replace(option, values=tuple(values))


def _cite_option_value_for_variant(value: OptionValue, variant: Variant) -> OptionValue:
    """Copy a value of an option for a variant that inherits it, with the sources that still hold.

    The value itself has sources, and each setting that it changes may have others.
    """
    sources_of_value = variant.cite_inherited(value.cited)
    sources_by_setting: dict[str, Cited] = {}
    for setting, cited in value.cited_by_setting.items():
        sources_by_setting[setting] = variant.cite_inherited(cited)
    return replace(value, cited=sources_of_value, cited_by_setting=sources_by_setting)


def _adjust_option_value_to_file(
    value: OptionValue, variant: Variant, parent: Variant, links: tuple[Link, ...]
) -> OptionValue:
    """Return a value of a parent's option, with settings that fit what the variant's file changes.

    If the file allows only two wild cards (jokers and twos) in a meld in place of three, the value
    must not set kinds of canasta that need three.
    """
    values_with_option = {**values_by_key(parent), **_settings_by_key(value.sets)}
    adjusted = find_adjusted_values(links, values_with_option, values_by_key(variant))
    new_settings: dict[str, Any] = {}
    for name in value.sets:  # others may have to change too, but the option does not set them
        key = f"{SETTINGS_PREFIX}{name}"
        if key in adjusted:
            new_settings[name] = adjusted[key].new_value
    return _add_settings(value, new_settings)


def _complete_options_of_file(
    root: TomlValue, variant: Variant, links: tuple[Link, ...]
) -> dict[str, Option]:
    """Return the options that a user's file defines, each with all settings that it changes.

    An option is a choice that players make before a match. If a value of it says only that they
    play with one deck, it gets what must change with that: the values of the red threes, because
    one deck has only two of them.

    Values that set something impossible, such as no decks, are recorded as errors and left out.
    """
    settings = {name: setting.value for name, setting in variant.settings.items()}
    options: dict[str, Option] = {}
    for name, option in variant.options.items():
        option_in_file = root.get("options").get(name)
        possible_values: list[OptionValue] = []
        for value in option.values:
            settings_with_value = {**settings, **value.sets}
            wrong_settings = report_wrong_values(settings_with_value, root, option_in_file.path)
            if not wrong_settings:
                complete = _add_settings_that_follow(value, settings, links)
                _report_conditions_broken_by_value(option_in_file, complete, settings, links)
                possible_values.append(complete)
        options[name] = replace(option, values=tuple(possible_values))
    return options


def _add_settings_that_follow(
    value: OptionValue, settings: Mapping[str, Any], links: tuple[Link, ...]
) -> OptionValue:
    """Return a copy of an option's value that also sets what follows from the settings it changes.

    A value that sets `decks = 1` then sets the values of the red threes too: one deck has only two
    of them. `settings` are those of the game, by name, if players do not choose this value.
    """
    adjusted = find_adjusted_values(links, _settings_by_key(settings), _settings_by_key(value.sets))
    new_settings: dict[str, Any] = {}
    for key, adjusted_value in adjusted.items():
        new_settings[key.removeprefix(SETTINGS_PREFIX)] = adjusted_value.new_value
    return _add_settings(value, new_settings)


def _report_conditions_broken_by_value(
    option_in_file: TomlValue,
    value: OptionValue,
    settings: Mapping[str, Any],
    links: tuple[Link, ...],
) -> None:
    """Record errors for a value of a user's option that sets what does not fit other settings.

    `settings` are those of the game, by name, if players do not choose this value. A value with
    `decks = 3`, for example, has to set values for six red threes too.
    """
    changes = ChangedValues(
        before=_settings_by_key(settings),
        in_file=_settings_by_key(value.sets),
        after=_settings_by_key({**settings, **value.sets}),
    )
    report_broken_conditions(option_in_file, links, changes)


def _settings_by_key(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Turn the names of settings into their keys in a file.

    `{"decks": 1}` → `{"settings.decks": 1}`
    """
    return {f"{SETTINGS_PREFIX}{name}": value for name, value in settings.items()}


def _add_settings(value: OptionValue, settings: Mapping[str, Any]) -> OptionValue:
    """Return a copy of an option's value that sets these settings too, which no rule book states.

    They replace settings of the same name.
    """
    cited_by_setting = dict(value.cited_by_setting)
    for name in settings:
        cited_by_setting[name] = AGREED_BY_PLAYERS
    return replace(value, sets={**value.sets, **settings}, cited_by_setting=cited_by_setting)
