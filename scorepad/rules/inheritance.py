"""What a variant takes over from the variant that it extends.

The citations of inherited values are those of the parent, as far as they hold for the variant too
(`Cited.adapt_to_variant`). A user's file changes single values of its parent: others may follow
from them (`rules.links`), and no source states those.
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
    AdjustedValue,
    ChangedValues,
    Link,
    find_adjusted_values,
    report_broken_links,
    values_by_key,
)
from scorepad.rules.toml_reader import TomlValue

_PENALTIES_PREFIX = "penalties."
_STATED_BY_NO_SOURCE = Cited(citations=(), standing=Standing.AGREED)
"""What supports a value that no source states: it counts as agreed at the table."""
_Entry = TypeVar("_Entry")
_CitedEntry = TypeVar("_CitedEntry", Value, PenaltyKind)


def inherit_from_parent(
    root: TomlValue, variant: Variant, parent: Variant, links: tuple[Link, ...]
) -> Variant:
    """Complete the variant that a file defines with all that it inherits from its parent.

    A variant is one game with its rules. Its file lists only what differs from the game that it
    extends, its parent: if the file says only `decks = 3`, everything else is as in the parent.

    `variant` is what the file itself says. `links` tell which values must change with others: with
    more decks, for example, there are more red threes. Mistakes of a user's file are recorded at
    its `root`, and reading goes on.
    """
    _report_citations_kept_from_parent(root, variant, parent)
    options_to_inherit = _read_options_to_inherit(root, parent)
    dropped = _read_dropped_names(root, parent)
    _report_options_decided_by_file(root, variant, parent, options_to_inherit)

    # Settings and penalties. The options below are completed with these.
    parent_values = _inheritable_values(variant, parent, dropped)
    adjusted = _find_values_to_adjust(root, variant, parent_values, links)
    _report_values_not_fitting(root, variant, parent_values, links, adjusted)
    with_values = _add_values_of_parent(variant, parent_values, adjusted)

    # Inherited options need `variant`, not `with_values`: only what the file itself changes can
    # change an option of the parent.
    options = _adapt_inherited_options(variant, parent, options_to_inherit, links)
    options |= _complete_options_of_file(root, with_values, links)

    complete = replace(with_values, options=options)
    complete = _add_entries_of_parent(root, complete, parent, dropped)
    return _add_descriptions_of_parent(complete, parent)


def _read_options_to_inherit(root: TomlValue, parent: Variant) -> list[Option]:
    """Read from a file which options it takes over from the parent game.

    An option is a choice that players make before a match. `takes-options = ["target"]` in the file
    → the parent's option `target`. A name that the parent does not have is reported.
    """
    names = root.get("takes-options", []).read_known_texts(parent.options, "unknown-option")
    return [parent.options[name] for name in names]


def _inheritable_values(variant: Variant, parent: Variant, dropped: Collection[str]) -> Variant:
    """Return a copy of the parent game, with what the variant may inherit of its values.

    Settings and penalties get the citations that hold for the variant. The `dropped` penalties are
    left out.
    """
    penalties_kept = _leave_out(dropped, parent.penalties)
    return replace(
        parent,
        settings=_adapt_citations_of_entries(variant, parent.settings),
        penalties=_adapt_citations_of_entries(variant, penalties_kept),
    )


def _add_values_of_parent(
    variant: Variant, parent: Variant, adjusted: Mapping[str, AdjustedValue]
) -> Variant:
    """Return a copy of the variant, with the settings and penalties that it inherits.

    The file says `decks = 1`, and its parent has two decks and values for up to four red threes.
    The result has one deck (from the file), two values of red threes (`adjusted`, because one deck
    has only two red threes), and everything else from the parent.
    """
    adjusted_settings = _settings_among_adjusted(adjusted)
    adjusted_penalties = _penalties_among_adjusted(adjusted, parent.penalties)
    return replace(
        variant,
        # Where a name is there twice, the later one wins: the file itself is last.
        settings={**parent.settings, **adjusted_settings, **variant.settings},
        penalties={**parent.penalties, **adjusted_penalties, **variant.penalties},
        # For the pages, which say why such a value changed: {"settings.red-three-values":
        # "settings.decks"}
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

    These are what supports inherited rules (`inherits` and `stated_by`), and the number of hands
    (rounds) or minutes after which a match ends. What the variant says itself is kept.
    """
    has_own_ends = variant.ends != Ends()
    return replace(
        variant,
        inherits=variant.inherits or parent.inherits,
        stated_by=variant.stated_by or parent.stated_by,
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


def _adapt_citations_of_entries(
    variant: Variant, entries: Mapping[str, _CitedEntry]
) -> dict[str, _CitedEntry]:
    """Return settings or penalties of the parent, with citations that hold for the variant.

    `entries` are given by name, and so is the result.
    """
    adapted: dict[str, _CitedEntry] = {}
    for name, entry in entries.items():
        adapted[name] = replace(entry, cited=_adapt_citations(variant, entry.cited))
    return adapted


def _adapt_citations(variant: Variant, cited: Cited) -> Cited:
    """Return the citations of an inherited value, as far as they hold for the variant.

    The rule books cited for the parent are about the parent. `stated_by` lists those that describe
    the variant as "the parent with some changes": what they state holds for the variant too. Any
    other value is marked as an inference, with the argument that `inherits` names.
    """
    if variant.inherits is None:
        return cited  # the same game, by house rules or for another number of players
    return cited.adapt_to_variant(variant.inherits, variant.stated_by)


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


# ---------------------------------------------------------------- values that follow from others


def _find_values_to_adjust(
    root: TomlValue, variant: Variant, parent: Variant, links: tuple[Link, ...]
) -> dict[str, AdjustedValue]:
    """Find the values of the parent game that must change because a user's file changes others.

    A user's file lists only what differs from the parent. If it changes `decks` from 2 to 1, the
    parent's values for up to four red threes are too many, as one deck has only two red threes.
    The result is the shorter list, by its key `settings.red-three-values`.
    """
    if not root.file.is_from_user:
        return {}  # a file shipped with scorepad lists such values itself

    return find_adjusted_values(
        links,
        parent_values=values_by_key(parent),
        file_values=values_by_key(variant),
    )


def _report_values_not_fitting(
    root: TomlValue,
    variant: Variant,
    parent: Variant,
    links: tuple[Link, ...],
    adjusted: Mapping[str, AdjustedValue],
) -> None:
    """Report values of a user's file that do not fit each other, or those of the parent.

    With three decks there are six red threes. The parent has values for four, so that a file that
    says `decks = 3` must also list six values. If it does not, that is reported.

    `links` say which values have to fit, and `adjusted` are those that change by themselves.
    """
    if not root.file.is_from_user:
        return  # the values of a file shipped with scorepad are checked later, by `check_values`

    parent_values = values_by_key(parent)
    file_values = values_by_key(variant)
    # Where a key is there twice, the later value wins.
    values_in_force = {**parent_values, **file_values, **_new_values(adjusted)}

    # A setting that was reported before, such as `decks = 0`, is left out: a link that lacks one
    # of its values is not checked.
    for name in root.file.wrong_settings:
        values_in_force.pop(f"{SETTINGS_PREFIX}{name}", None)

    changed_values = ChangedValues(
        parent=parent_values,
        given=file_values,
        in_force=values_in_force,
    )
    report_broken_links(root, links, changed_values)


def _new_values(adjusted: Mapping[str, AdjustedValue]) -> dict[str, Any]:
    """Return the new value of each adjusted value: `{"settings.out-bonus": 200}`."""
    return {key: value.new_value for key, value in adjusted.items()}


def _settings_among_adjusted(adjusted: Mapping[str, AdjustedValue]) -> dict[str, Value]:
    """Select the settings among adjusted values, by name.

    The keys `settings.red-three-values` and `penalties.late` → `red-three-values` only. No rule
    book states such a value, so each counts as agreed by the players.
    """
    new_settings = _settings_by_name(_new_values(adjusted))
    settings: dict[str, Value] = {}
    for name, value in new_settings.items():
        settings[name] = Value(value, _STATED_BY_NO_SOURCE)
    return settings


def _penalties_among_adjusted(
    adjusted: Mapping[str, AdjustedValue], penalties: Mapping[str, PenaltyKind]
) -> dict[str, PenaltyKind]:
    """Select the penalties among adjusted values, and give them their new points.

    `penalties` are the penalties before, by code. The keys `settings.decks` and `penalties.late` →
    the penalty `late` with its new points, which no rule book states.
    """
    changed: dict[str, PenaltyKind] = {}
    for key, adjusted_value in adjusted.items():
        if not key.startswith(_PENALTIES_PREFIX):
            continue
        code = key.removeprefix(_PENALTIES_PREFIX)
        changed[code] = replace(
            penalties[code],
            points=adjusted_value.new_value,
            cited=_STATED_BY_NO_SOURCE,
        )
    return changed


def _settings_by_key(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Turn the names of settings into their keys in a file.

    `{"decks": 1}` → `{"settings.decks": 1}`. `_settings_by_name` does the opposite.
    """
    return {f"{SETTINGS_PREFIX}{name}": value for name, value in settings.items()}


def _settings_by_name(values: Mapping[str, Any]) -> dict[str, Any]:
    """Select the settings among values that are given by their keys in a file, by name.

    `{"settings.decks": 1, "penalties.late": 50}` → `{"decks": 1}`
    """
    settings: dict[str, Any] = {}
    for key, value in values.items():
        if key.startswith(SETTINGS_PREFIX):
            settings[key.removeprefix(SETTINGS_PREFIX)] = value
    return settings


def _find_settings_to_adjust(
    links: tuple[Link, ...], settings: Mapping[str, Any], new_settings: Mapping[str, Any]
) -> dict[str, Any]:
    """Find the settings that must change because others get new values.

    `settings` are all settings by name, and `new_settings` are the changes. With `{"decks": 1}` in
    place of two decks, the result is `{"red-three-values": [100, 200]}`: one deck has only two red
    threes. `links` say which values depend on which.
    """
    adjusted = find_adjusted_values(
        links,
        parent_values=_settings_by_key(settings),
        file_values=_settings_by_key(new_settings),
    )
    return _settings_by_name(_new_values(adjusted))


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


def _adapt_inherited_options(
    variant: Variant, parent: Variant, options: Iterable[Option], links: tuple[Link, ...]
) -> dict[str, Option]:
    """Adapt options of the parent to a variant that takes them over.

    An option is a choice that players make before a match. What it cites and what it sets may have
    to change. An option that leaves nothing to choose in the variant is left out.
    """
    adapted: dict[str, Option] = {}
    for option in options:
        if not _leaves_choice(variant, option):
            continue
        option_with_citations = _adapt_citations_of_option(variant, parent, option)
        adapted[option.id] = _adapt_values_of_option(option_with_citations, variant, parent, links)
    return adapted


def _complete_options_of_file(
    root: TomlValue, variant: Variant, links: tuple[Link, ...]
) -> dict[str, Option]:
    """Return the options that the variant's file defines, each with all settings that it changes.

    An option is a choice that players make before a match. In a user's file, an option may say
    only that it plays with one deck. Here it gets what must change with that: the values of the
    red threes, because one deck has only two of them.
    """
    if not root.file.is_from_user:
        return dict(variant.options)  # a file shipped with scorepad lists all settings itself

    settings = {name: setting.value for name, setting in variant.settings.items()}
    options: dict[str, Option] = {}
    for name, option in variant.options.items():
        options[name] = _complete_option(root, option, settings, links)
    return options


def _report_options_decided_by_file(
    root: TomlValue, variant: Variant, parent: Variant, options: Iterable[Option]
) -> None:
    """Report inherited options that would change a setting which a user's file fixes.

    The file says `wild-on-canasta = "forbidden"`, and takes over the option `wild-on-canasta`, by
    which players choose that setting. This is a contradiction. `options` are those that the file
    takes over.
    """
    if not root.file.is_from_user:
        return

    for option in options:
        is_for_number = option.sets is not None
        if is_for_number and _leaves_choice(variant, option):
            continue  # the file gives a number, and players may still choose another
        fixed_setting = _find_option_setting_changed_by_file(variant, parent, option)
        if fixed_setting is not None:
            # "The option “wild-on-canasta” decides settings.wild-on-canasta too, which this file
            # fixes."
            root.report("option-decided", "takes-options", name=option.id, setting=fixed_setting)


def _complete_option(
    root: TomlValue, option: Option, settings: Mapping[str, Any], links: tuple[Link, ...]
) -> Option:
    """Return an option of a user's file, whose values also set what must change with them.

    `settings` are those of the variant, by name, before players choose the option. A value that
    sets `decks = 1` then sets the values of the red threes too: one deck has only two of them.

    A value that sets something impossible, such as no decks, is reported and left out. One that
    does not fit other settings is reported and kept.
    """
    option_in_file = root.get("options").get(option.id)
    complete_values: list[OptionValue] = []
    for value in option.values:
        settings_with_value = {**settings, **value.sets}
        wrong_settings = report_wrong_values(settings_with_value, root, option_in_file.path)
        if wrong_settings:
            continue  # what depends on them cannot be judged

        settings_to_adjust = _find_settings_to_adjust(links, settings, value.sets)
        complete_value = _add_settings(value, settings_to_adjust)
        _report_option_value_not_fitting(option_in_file, complete_value, settings, links)
        complete_values.append(complete_value)
    return replace(option, values=tuple(complete_values))


def _report_option_value_not_fitting(
    option_in_file: TomlValue,
    value: OptionValue,
    settings: Mapping[str, Any],
    links: tuple[Link, ...],
) -> None:
    """Report a value of an option that sets something which does not fit the other settings.

    `settings` are those of the variant, by name, before players choose the option. A value with
    `decks = 3`, for example, needs values for six red threes.
    """
    settings_in_force = {**settings, **value.sets}
    changed_values = ChangedValues(
        parent=_settings_by_key(settings),
        given=_settings_by_key(value.sets),
        in_force=_settings_by_key(settings_in_force),
    )
    report_broken_links(option_in_file, links, changed_values)


def _add_settings(value: OptionValue, settings: Mapping[str, Any]) -> OptionValue:
    """Return a copy of an option's value that sets these settings too.

    `{"decks": 1}` and `{"red-three-values": [100, 200]}` → a value that sets both. The added
    settings were found by a rule, so no rule book is cited for them. They replace settings of the
    same name.
    """
    cited_of = dict(value.cited_of)
    for name in settings:
        cited_of[name] = _STATED_BY_NO_SOURCE
    return replace(value, sets={**value.sets, **settings}, cited_of=cited_of)


def _adapt_values_of_option(
    option: Option, variant: Variant, parent: Variant, links: tuple[Link, ...]
) -> Option:
    """Return an option of the parent, whose values fit what the variant's file changes.

    If the file allows only two wild cards (jokers and twos) in a meld in place of three, the
    option must not set kinds of canasta that need three.
    """
    values: list[OptionValue] = []
    for value in option.values:
        settings_to_adjust = _find_option_settings_to_adjust(value.sets, variant, parent, links)
        values.append(_add_settings(value, settings_to_adjust))
    return replace(option, values=tuple(values))


def _find_option_settings_to_adjust(
    option_settings: Mapping[str, Any], variant: Variant, parent: Variant, links: tuple[Link, ...]
) -> dict[str, Any]:
    """Find the settings of an option of the parent that must change for the variant.

    `option_settings` are what one value of the option sets. It sets `canastas` with up to three
    wild cards (jokers and twos), and the variant's file lowers the `wild-limit` to two →
    `{"canastas": […]}`, with up to two wild cards in each.
    """
    adjusted = find_adjusted_values(
        links,
        parent_values={**values_by_key(parent), **_settings_by_key(option_settings)},
        file_values=values_by_key(variant),
    )
    adjusted_settings = _settings_by_name(_new_values(adjusted))
    # Others may have to change too, but the option does not set them.
    return {name: adjusted_settings[name] for name in option_settings if name in adjusted_settings}


def _adapt_citations_of_option(variant: Variant, parent: Variant, option: Option) -> Option:
    """Return an option of the parent, with citations that hold for the variant.

    Each value of an option cites the rule books that support it, and those were chosen for the
    parent game.
    """
    values: list[OptionValue] = []
    for value in option.values:
        cited = _find_citations_of_option_value(option, value, variant, parent)
        values.append(_adapt_citations_of_option_value(variant, replace(value, cited=cited)))
    return replace(option, values=tuple(values))


def _find_citations_of_option_value(
    option: Option, value: OptionValue, variant: Variant, parent: Variant
) -> Cited:
    """Find what supports a value of the parent's option, in a variant that may change its rules.

    The value `allowed` of the option `wild-on-canasta` sets nothing: players who choose it keep the
    rules as they are. If the variant's file changes the setting `wild-on-canasta`, they keep what
    the file says, and so the value is supported by what the file cites for that setting. Any other
    value cites what it cites in the parent.
    """
    changes_rules = bool(value.sets)
    if changes_rules:
        return value.cited
    changed_setting = _find_option_setting_changed_by_file(variant, parent, option)
    if changed_setting is None:
        return value.cited
    return variant.settings[changed_setting].cited


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


def _adapt_citations_of_option_value(variant: Variant, value: OptionValue) -> OptionValue:
    """Return a value of an inherited option, with citations that hold for the variant.

    The value and each of its settings cite rule books, which are about the parent game. If some
    rule book describes the variant as the parent with changes, what that book states is stated for
    the variant too, and anything else is an inference. Without such a book nothing changes.
    """
    is_described_by_book = bool(variant.stated_by)
    if not is_described_by_book:
        return value

    cited_of: dict[str, Cited] = {}
    for setting, cited in value.cited_of.items():
        cited_of[setting] = _adapt_citations(variant, cited)
    return replace(value, cited=_adapt_citations(variant, value.cited), cited_of=cited_of)
