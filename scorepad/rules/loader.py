"""Read the data files of the variants. Unknown, missing or uncited entries are refused with file,
key and line.

A file holds the tables `settings`, `options`, `presets`, `penalties`, `checks` and `lines` as far
as the variant defines them; the rest is inherited from the variant that it `extends`. Every value
is written as `{ value = …, cite = ["SOURCE:section"] }`; an inferred value has `standing = "read"`
and names its reasoning (`read = "…"`). A value of an option with single inferred settings names
their reasonings (`reads = { drawn = "…" }`).

A value that is a table may cite single steps separately, each with its value, in a table `steps` of
the setting, or of the option's value by setting (`500 = { says = 50, cite = […] }`, see
`definitions.split_into_parts`).

The file of a user's own variant also holds what the package stores elsewhere: its `words`, the
`sources` that it cites, the reasoning of an inference as text, and words for each option, penalty,
bonus and canasta that it adds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import fields, replace
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, TypeVar

from scorepad.errors import VariantError
from scorepad.rules.completeness import LIMITS, check_entries, check_values, report_wrong_values
from scorepad.rules.definitions import (
    AGREED_BY_PLAYERS,
    GROUND_STATEMENTS,
    SETTING_KEYS,
    Amount,
    Bonus,
    ChoiceValue,
    Cited,
    Ends,
    Fault,
    FreeIrregularity,
    Option,
    OptionValue,
    PenaltyKind,
    Preset,
    Rule,
    Source,
    SourceId,
    Standing,
    Statement,
    Value,
    Variant,
    VariantId,
)
from scorepad.rules.inheritance import inherit_from_parent
from scorepad.rules.links import (
    FOLLOWS,
    RELATIONS,
    SETTINGS_PREFIX,
    Condition,
    Consequence,
    Link,
    LinkKind,
)
from scorepad.rules.score_lines import ITEMS
from scorepad.rules.settings import LARGEST, CanastaKind
from scorepad.rules.toml_reader import (
    CITE_KEYS,
    LANGUAGES,
    MOST_MISTAKES,
    TomlValue,
    read_toml_file,
)

_FILE_KEYS = (
    "id", "extends", "players", "takes-options", "takes-presets", "entry-fields", "drops", "inherits", "stated-by",
    "ends", "words", "sources",
    "settings", "options", "presets", "penalties", "checks", "lines", "bonuses",
)  # fmt: skip
"""The keys of the file of a variant; those of the last line are its tables."""
_Entry = TypeVar("_Entry")

FAMILIES = ("natural", "mixed", "sequence", "wild", "any")
"""The families of canastas with words of their own; any other is named after its canastas."""
MOST_HANDS = 99
"""The most hands after which a match may end."""
MOST_MINUTES = 24 * 60
"""The most minutes after which a match may end."""
MOST_ENTRIES: Mapping[str, int] = {
    "bonuses": 40, "penalties": 60, "options": 20, "values": 20, "presets": 20, "sources": 20, "sections": 60,
    "notes": 60, "canastas": 40, "incomplete": 40, "opening-steps": 20, "opening-deals": 40,
}  # fmt: skip
"""Most entries of the tables and lists of a user's file: what a pad, the form of a hand and a rules
card can show.
"""


def data_folder() -> Traversable:
    """Return the folder of the rules that are shipped with scorepad."""
    return files("scorepad.variants")


@cache
def load_sources(folder: Traversable | None = None) -> Mapping[SourceId, Source]:
    """Read the rule books that the rules may cite, by id, from the file `sources.toml`.

    That is scorepad's own file, or the one in another `folder`. Raises VariantError.
    """
    file = (folder or data_folder()) / "sources.toml"
    root = read_toml_file(file, sources={})  # this file cites nothing itself
    return _read_sources(root)


@cache
def load_irregularities() -> Mapping[str, Mapping[str, FreeIrregularity]]:
    """Read the mistakes of players that cost no points, by when they can happen, then by code.

    For example `{"always": {"exposed-card": …}, "with-minimum": {…}}`. Raises VariantError.
    """
    root = read_toml_file(data_folder() / "irregularities" / "irregularities.toml", load_sources())
    irregularities: dict[str, Mapping[str, FreeIrregularity]] = {}
    for condition, table in root.entries():
        irregularities[condition] = table.read_entries(_read_free_irregularity)
    return irregularities


@cache
def load_links() -> tuple[Link, ...]:
    """Read the links: which values of the rules depend on which others. Raises VariantError.

    The values of red threes, for example, depend on the number of decks.
    """
    root = read_toml_file(data_folder() / "links" / "links.toml", load_sources())
    return tuple(root.read_entries(_read_link).values())


@cache
def load_faults(folder: Traversable | None = None) -> Mapping[str, Fault]:
    """Read the known faults of the rule books, such as a misprint, by code. Raises VariantError.

    They are in the file `faults.toml` of scorepad, or of another `folder`.
    """
    file = (folder or data_folder()) / "faults.toml"
    root = read_toml_file(file, load_sources())
    return root.read_entries(_read_fault)


@cache
def load_statements(folder: Traversable | None = None) -> Mapping[str, Statement]:
    """Read the sentences of the rulebook that are no settings, by id, in the order of the file.

    A setting is a value, such as the number of decks. A statement only tells how the game goes.
    Raises VariantError.
    """
    folder = folder or data_folder() / "book"
    root = read_toml_file(folder / "statements.toml", load_sources())
    return root.read_entries(_read_statement)


def load_order() -> tuple[VariantId, ...]:
    """Read the ids of the games shipped with scorepad, in the order in which pages offer them.

    `("classica", "due", "tre", …)`. Raises VariantError.
    """
    root = read_toml_file(data_folder() / "order.toml", {})
    root.check_keys(required=["variants"])
    return tuple(VariantId(name) for name in root.get("variants").read_texts())


# -------------------------------------------------------------------------------------- the variant


def load_variant(root: TomlValue, parent_of: Callable[[str], Variant]) -> Variant:
    """Read a game that is shipped with scorepad, with everything that it inherits from its parent.

    `root` is the top-level table of its file. If the file says `extends = "classica"`, that is its
    parent, which `parent_of` returns by id. Raises VariantError for the first mistake.
    """
    if root.has("extends"):
        parent = parent_of(root.value["extends"])
        in_file = _read_file_of_game(root, parent)
        variant = inherit_from_parent(root, in_file, parent, load_links())
    else:
        variant = _read_file_of_game(root, parent=None)
    variant = _set_last_hand(variant)
    check_entries(variant, root)
    check_values(variant, root)
    return variant


def load_users_variant(
    root: TomlValue, parent_of: Callable[[str], Variant], parents: Collection[str]
) -> Variant:
    """Read a user's file of house rules, with everything that it inherits from its parent game.

    `root` is the top-level table of the file. `parents` are the ids of the games that it may
    extend, and `parent_of` returns a game by its id. Raises one VariantError with all mistakes.
    """
    file = root.file
    # The rule books that the file describes come first: its other entries may cite them.
    with file.collecting_errors():
        _add_sources_of_file(root)

    extends = root.value.get("extends")
    if extends not in parents:
        _report_unknown_parent(root, parents)
        # To find other mistakes too, the file is read as if it extended some game.
        some_game = parent_of(next(iter(parents)))
        in_file = _read_file_of_game(root, some_game)
        _report_wrong_settings(root, in_file, some_game)
        raise _combine_errors(file.errors)

    parent = parent_of(extends)
    in_file = _read_file_of_game(root, parent)
    wrong_settings = _report_wrong_settings(root, in_file, parent)
    usable = _leave_out_settings(in_file, wrong_settings)
    variant = inherit_from_parent(root, usable, parent, load_links(), wrong_settings)
    variant = _set_last_hand(variant)
    check_entries(variant, root)
    check_values(variant, root, wrong_settings)
    if file.errors:
        raise _combine_errors(file.errors)
    return variant


def _add_sources_of_file(root: TomlValue) -> None:
    """Read the rule books that a user's file describes, and allow the file to cite them."""
    described = root.get("sources", {}).check_length(MOST_ENTRIES["sources"])
    root.file.sources |= _read_sources(described)


def _report_unknown_parent(root: TomlValue, parents: Collection[str]) -> None:
    """Record that a user's file names no game to extend, or one that it may not extend.

    `parents` are the ids of those that it may extend.
    """
    extends = root.get("extends")
    if extends.value is None:
        root.report("missing", "extends")  # "missing. Add the key, or …"
        return
    # "there is no variant “clasica”. Did you mean “classica”?"
    extends.report_unknown_name(extends.value, parents, "unknown-variant")


def _combine_errors(errors: Iterable[VariantError]) -> VariantError:
    """Combine all errors of a file into one, to be raised: the first by line holds the others.

    Of 30 errors, `others` of the first are the next 19, which the user is shown too. `more` is 10:
    the rest is only counted.
    """
    error_by_message = {str(error): error for error in errors}  # the same error twice is one
    in_order = sorted(error_by_message.values(), key=lambda error: error.line or 0)
    first = in_order[0]
    first.others = tuple(in_order[1:MOST_MISTAKES])
    first.more = len(in_order[MOST_MISTAKES:])
    return first


def _read_file_of_game(root: TomlValue, parent: Variant | None) -> Variant:
    """Read what the file of a game says, without what the game inherits.

    `parent` is the game that it extends, if any. Mistakes of a user's file are recorded, and what
    is wrong is left out of the result.
    """
    _check_keys_and_id(root)
    if parent:
        _store_codes_with_words(root, parent)  # before the entries, which are checked with them
    variant = _read_tables(root, parent)
    _check_reasoning_is_given(root, variant)
    if root.file.is_from_user:
        _add_words_of_variant(root)
    return _add_line_for_bonuses(variant)


def _store_codes_with_words(root: TomlValue, parent: Variant) -> None:
    """Store, for reading a file, the codes of penalties and so on that the pages have a name for.

    These are the codes of the parent game, and the usual kinds of canasta. A user's file has to
    name any other code that it uses.
    """
    root.file.codes_with_words = {
        "penalty": parent.penalties,
        "option": parent.options,
        "item": ITEMS,
    }


def _check_reasoning_is_given(root: TomlValue, variant: Variant) -> None:
    """Check that a file with the key `stated-by` has `inherits` too; raise VariantError if not.

    `stated-by = ["W"]` says that the rule book `W` describes this game as its parent with some
    changes. Rules that `W` does not mention are then inferred, and `inherits` names the reasoning.
    """
    if variant.books_about_it and variant.reasoning_for_rest is None:
        # "stated-by also needs inherits, the argument for the rest."
        root.refuse("stated-without-argument", "stated-by")


def _set_last_hand(variant: Variant) -> Variant:
    """Return a copy of the game in which its last hand, if it has one, is a setting too.

    `ends = { hands = 4 }` in the file → the setting `match-deals` is 4, whatever the parent has.
    """
    return replace(variant, settings=variant.ends.set_last_hand(variant.settings))


def _check_keys_and_id(root: TomlValue) -> None:
    """Check that a file has only keys that it may have, and that its id is the name of the file.

    In `mia.toml`, `id = "mia"` is right. Mistakes of a user's file are recorded.
    """
    root.check_keys(optional=_FILE_KEYS)
    name_of_file = root.file.variant_id
    if root.value.get("id") != name_of_file:
        # "write id = "mia", as the name of the file."
        root.report("id", "id", id=name_of_file)


def _add_line_for_bonuses(variant: Variant) -> Variant:
    """Return a copy of a game with a line "bonus" in its scores, if the game has bonuses.

    A bonus is a number of points that the players write down for a side.
    """
    if not variant.bonuses:
        return variant
    line = Rule(id="bonus", severity="error", settings=())
    return replace(variant, lines={**variant.lines, line.id: line})


def _report_wrong_settings(root: TomlValue, in_file: Variant, parent: Variant) -> set[str]:
    """Record errors for settings of a user's file with impossible values; return their names.

    `decks = 0` → `{"decks"}`. `in_file` is what the file says, and `parent` has all other settings.
    Settings that could not even be read are in the result too.
    """
    all_settings = {**parent.settings, **in_file.settings}
    values = {name: setting.value for name, setting in all_settings.items()}
    impossible = report_wrong_values(values, root, "settings")
    usable = in_file.settings.keys() - impossible
    return _list_settings_in_file(root) - usable


def _leave_out_settings(variant: Variant, names: Collection[str]) -> Variant:
    """Return a copy of the game without the settings of these names."""
    settings = {name: each for name, each in variant.settings.items() if name not in names}
    return replace(variant, settings=settings)


def _list_settings_in_file(root: TomlValue) -> set[str]:
    """Return the names of all settings in a file, also of those that could not be read."""
    table = root.value.get("settings", {})
    if not isinstance(table, dict):
        return set()  # such as `settings = 1`, which was reported when it was read
    return set(table)


def _read_tables(root: TomlValue, parent: Variant | None) -> Variant:
    """Read everything that the file of a game says itself, without what the game inherits.

    Only the number of players is that of the parent if the file does not say it.
    """
    file = root.file
    return Variant(
        id=VariantId(file.variant_id),
        parent=parent.id if parent else None,
        players=_read_players(root, parent),
        settings=_read_entries(root, "settings", _read_setting),
        options=_read_entries(root, "options", _read_option),
        presets=_read_entries(root, "presets", _read_preset),
        penalties=_read_entries(root, "penalties", _read_penalty),
        checks=_read_entries(root, "checks", _read_rule),
        lines=_read_entries(root, "lines", _read_rule),
        bonuses=_read_entries(root, "bonuses", _read_bonus),
        ends=_read_ends(root),
        entry_fields=root.get("entry-fields", []).read_texts(),
        reasoning_for_rest=root.value.get("inherits"),
        books_about_it=root.get("stated-by", []).read_known_texts(file.sources, "unknown-source"),
        words=file.words,
        sources=_select_sources_of_file(root),
        is_own=file.is_from_user,
    )


def _select_sources_of_file(root: TomlValue) -> dict[SourceId, Source]:
    """Return the rule books that a file itself describes, by id, without those of scorepad.

    They were read before anything else: `root.file.sources` has both.
    """
    ids_in_file = root.value.get("sources", ())
    return {id_: source for id_, source in root.file.sources.items() if id_ in ids_in_file}


def _read_players(root: TomlValue, parent: Variant | None) -> Value:
    """Read for how many players a game is: `players = { value = [4], cite = […] }`.

    If the file does not say it, it is as in the parent game. Raises VariantError if there is none.
    """
    if root.has("players"):
        entry = root.get("players")
        entry.check_keys(required=["value"], optional=CITE_KEYS)
        return Value(entry.value["value"], entry.read_citations())
    if parent is None:
        root.refuse("missing", "players")
    return parent.players


def _read_entries(
    root: TomlValue, name: str, read_entry: Callable[[str, TomlValue], _Entry]
) -> dict[str, _Entry]:
    """Read a table of the file, such as `penalties`, and return its entries by key.

    `read_entry` makes an entry from its key and value. Mistakes of a user's file are recorded. A
    table with too many entries is not read: the result is empty then.
    """
    table = root.get(name, {})
    entries: dict[str, _Entry] = {}
    with root.file.collecting_errors():
        if name in MOST_ENTRIES:  # a table of a size that is limited in users' files
            table.check_length(MOST_ENTRIES[name])
        entries = table.read_entries(read_entry)
    return entries


def _read_ends(root: TomlValue) -> Ends:
    """Read what ends a match besides its target of points: a number of hands (rounds), or minutes.

    `ends = { hands = 4 }` in the file → `Ends(hands=4, minutes=None)`. Mistakes of a user's file
    are recorded, and only the target ends a match then.
    """
    table = root.get("ends", {})
    numbers: dict[str, int] = {}  # stays empty after a mistake
    with root.file.collecting_errors():
        table.check_keys(optional=["hands", "minutes"])
        numbers = table.read_entries(_read_length_of_match)
    return Ends(hands=numbers.get("hands"), minutes=numbers.get("minutes"))


def _read_length_of_match(unit: str, number: TomlValue) -> int:
    """Read after how many hands or minutes a match ends. `unit` is `hands` or `minutes`."""
    if unit == "hands":
        return number.read_number(1, MOST_HANDS)
    return number.read_number(1, MOST_MINUTES)


def _add_words_of_variant(root: TomlValue) -> None:
    """Add the name of a user's game, and what is special in it, to the messages of its file.

    The file has `words = { en = { name = "Mine", special = "No wild cards" }, it = {…} }`. A game
    without a name is called by its id. Mistakes are recorded.
    """
    game = root.file.variant_id
    with root.file.collecting_errors():
        words = root.get("words", {})
        words.check_keys(optional=LANGUAGES)
        words_by_language = words.read_entries(_read_name_and_special)

        for key, default in (("name", game), ("special", "")):
            texts: dict[str, object] = {}
            for language, words_of_language in words_by_language.items():
                if key in words_of_language:
                    texts[language] = words_of_language[key]
            if not texts:
                texts = dict.fromkeys(LANGUAGES, default)
            words.reported_at(key).add_message_texts(f"variant.{game}.{key}", texts)


def _read_name_and_special(_language: str, entry: TomlValue) -> Mapping[str, object]:
    """Read the texts about a game in one language: its `name`, and what is `special` in it."""
    entry.check_keys(required=["name"], optional=["special"])
    texts: Mapping[str, object] = entry.value
    return texts


# -------------------------------------------------------------------------------- settings, options


def _read_setting(key: str, entry: TomlValue) -> Value:
    """Read a setting of a game: `decks = { value = 2, cite = ["W:Introduzione"] }`.

    `key` is its name, `decks`. Returns the value 2 with what it cites. Raises VariantError for an
    unknown name, or for a wrong key in the entry.
    """
    entry.check_name(key, SETTING_KEYS, "unknown-setting")
    entry.check_keys(required=["value"], optional=["steps", *CITE_KEYS])
    value = entry.with_value(entry.value["value"])  # errors in it are reported at `settings.decks`
    if key in MOST_ENTRIES:  # a list of a length that is limited in users' files
        value.check_length(MOST_ENTRIES[key])
    cited = _read_citations_of_setting(key, entry)
    if key == "canastas" and entry.file.is_from_user:
        return Value(value.read_tables(_read_canasta), cited)
    return Value(value.value, cited)


def _read_citations_of_setting(key: str, entry: TomlValue) -> Cited:
    """Read what supports a setting: passages of rule books, or the choice of the players.

    `key` is its name. The entry may cite others for single parts of its value, under `steps`. After
    a mistake in a user's file, which is recorded, the setting counts as chosen by the players.
    """
    cited = AGREED_BY_PLAYERS  # stays so after a mistake
    with entry.file.collecting_errors():
        cited_for_whole = entry.read_citations()
        steps = entry.get("steps", {}).read_citations_of_parts(key, entry.value["value"])
        cited = replace(cited_for_whole, steps=steps)
    return cited


_REQUIRED_OF_CANASTA = ("item", "points", "shape", "family")
_OPTIONAL_OF_CANASTA = tuple(
    field.name for field in fields(CanastaKind) if field.name not in _REQUIRED_OF_CANASTA
)


def _read_canasta(entry: TomlValue) -> dict[str, Any]:
    """Read a kind of canasta (a group of seven or more cards) that a user's file defines.

    Returns its table without the `words` that name it, because they are stored with the messages of
    the file. Raises VariantError for a wrong key.
    """
    entry.check_keys(required=_REQUIRED_OF_CANASTA, optional=[*_OPTIONAL_OF_CANASTA, "words"])
    game = entry.file.variant_id
    item = str(entry.value["item"])  # the line of the score where it is counted
    entry.check_code_and_add_words("item", item, message_key=f"item.{game}.{item}")
    family = str(entry.value["family"])
    if family not in FAMILIES:  # the user invented this family too
        entry.check_code_and_add_words("family", family, message_key=f"family.{game}.{family}")
    return {key: value for key, value in entry.value.items() if key != "words"}


def _read_option(key: str, entry: TomlValue) -> Option:
    """Read an option: a choice that players make before a match. `key` is its name.

    There are two kinds of options:

    - a choice from a list: `{ default = "three", values = [{ is = "three", … }, …] }`
    - a number to choose freely, such as the target: `{ sets = "target", step = 500, … }`
    """
    is_number = isinstance(entry.value, dict) and "step" in entry.value
    if is_number:
        entry.check_keys(required=["step", "sets"], optional=["values", "words", *CITE_KEYS])
    else:
        entry.check_keys(required=["default", "values"], optional=["rare", "words"])
    entry.check_code_and_add_words("option", key, message_key=f"option.{key}")

    values = entry.get("values", []).check_length(MOST_ENTRIES["values"])
    values.read_list_of_tables()  # refuses anything else
    values = entry.with_value(values.value)  # errors in single values are reported at the option
    if is_number:
        return _read_option_for_number(key, entry, values)
    return _read_option_with_list(key, entry, values)


def _read_option_with_list(key: str, entry: TomlValue, values: TomlValue) -> Option:
    """Read an option by which players choose one of several values. `key` is its name.

    `values` is the list of them, a table for each. Raises VariantError if the default is none of
    these.
    """
    listed_values = values.read_tables(lambda table: _read_listed_value(key, table))
    option = Option(
        id=key,
        default=entry.value["default"],
        values=tuple(listed_values),
        is_rare=entry.get("rare", False).read_yes_or_no(),
    )
    if option.value_of(option.default) is None:
        entry.refuse("no-such-value", "default")  # "this variant has no such … value of it."
    return option


def _read_option_for_number(key: str, entry: TomlValue, values: TomlValue) -> Option:
    """Read an option by which players choose a number, such as the points that end a match.

    `{ sets = "target", step = 500, … }` lets them choose any multiple of 500 as the setting
    `target`. `values` is the list of numbers that rule books name, and `key` the option's name.
    """
    setting = entry.get("sets").read_one_of(SETTING_KEYS, "unknown-setting")
    step = entry.get("step").read_number(1, LARGEST)
    numbers = [_read_listed_number(key, setting, each) for each in values.read_list_of_tables()]
    for number in numbers:
        _check_multiple_of(step, number.value, entry)
    return Option(
        id=key,
        default=None,  # the number that the game has anyway
        values=tuple(numbers),
        amount=Amount(setting, step, entry.read_citations()),
    )


def _check_multiple_of(step: int, value: ChoiceValue, entry: TomlValue) -> None:
    """Check that a value of an option is a positive multiple of `step`; raise VariantError if not.

    The error is reported at the value, inside the `entry` of the option.
    """
    # `true` is no number here, although it is an instance of int.
    if type(value) is not int or value <= 0 or value % step != 0:
        entry.refuse("not-multiple", str(value), step=step)  # "a multiple of 500 is expected."


def _read_listed_value(option: str, table: TomlValue) -> OptionValue:
    """Read one value that players can choose for an option. `option` is the option's name.

    `{ is = "exactly-seven", set = { canasta-length = 7 }, cite = […] }`: players who choose
    `exactly-seven` play with 7 as the setting `canasta-length`. Raises VariantError for a mistake.
    """
    entry = _check_option_value(option, table)
    settings = _read_table_with_keys(entry, "set", SETTING_KEYS)
    return _make_option_value(entry, settings)


def _read_listed_number(option: str, setting: str, table: TomlValue) -> OptionValue:
    """Read a number that a rule book names for a setting such as `target`: `{ is = 5000, … }`.

    `option` is the name of the option by which players choose it. Raises VariantError for a
    mistake.
    """
    entry = _check_option_value(option, table)
    return _make_option_value(entry, settings={setting: entry.value["is"]})


def _check_option_value(option: str, table: TomlValue) -> TomlValue:
    """Check the keys of one value of an option, and store the words that name it.

    Returns the table, with further errors to be reported at the value's own name, as in
    `options.canasta-size.exactly-seven`. Raises VariantError for a mistake.
    """
    table.check_keys(
        required=["is"],
        optional=["set", "only-sides", "reads", "steps", "words", *CITE_KEYS],
    )
    value = table.value["is"]
    if not isinstance(value, str | int):
        table.refuse("not-value")  # "the value of an option is a text, a whole number or …"
    entry = table.reported_at(value)
    entry.add_message_from_words(f"option.{option}.{str(value).lower()}")
    return entry


def _make_option_value(entry: TomlValue, settings: Mapping[str, Any]) -> OptionValue:
    """Make a value of an option that changes these settings, with what its `entry` cites."""
    cited = entry.read_citations()
    return OptionValue(
        value=entry.value["is"],
        sets=settings,
        cited=cited,
        cited_by_setting=_read_citations_by_setting(entry, settings, cited),
        only_sides=entry.value.get("only-sides"),
    )


def _read_table_with_keys(entry: TomlValue, name: str, keys: Iterable[str]) -> dict[str, Any]:
    """Read a table inside an entry by its name; it is empty if the entry does not have it.

    Raises VariantError if it is no table, or has a key that is not among `keys`.
    """
    table = entry.get(name, {})
    table.check_keys(optional=keys)
    values: dict[str, Any] = table.value
    return values


def _read_citations_by_setting(
    entry: TomlValue, settings: Mapping[str, Any], cited: Cited
) -> dict[str, Cited]:
    """Read what supports each of the settings that one value of an option changes, by name.

    That is what supports the value of the option (`cited`), unless its `entry` says more:

    - `reads = { drawn = "REASONING" }`: `drawn` is only inferred, by the reasoning of that name
    - `steps = { opening-steps = { 1500 = {…} } }`: that part of the setting has its own citations
    """
    reasoning_of = _read_table_with_keys(entry, "reads", settings)
    steps_of = _read_table_with_keys(entry, "steps", settings)
    cited_by_setting: dict[str, Cited] = {}
    for name, value in settings.items():
        steps = entry.at_key(f"{name}.steps", steps_of.get(name, {})).read_citations_of_parts(
            name, value
        )
        cited_by_setting[name] = replace(cited, steps=steps)
        if name in reasoning_of:
            cited_by_setting[name] = replace(
                cited_by_setting[name], standing=Standing.INFERRED, read=reasoning_of[name]
            )
    return cited_by_setting


def _read_preset(key: str, entry: TomlValue) -> Preset:
    """Read a preset: a set of options that plays the game as one rule book describes it.

    `{ source = "G", options = { canasta-size = "exactly-seven" } }` follows the rule book `G`.
    `key` is the name of the preset.
    """
    entry.check_keys(required=["source", "options"])
    source = entry.get("source").read_one_of(entry.file.sources, "unknown-source")
    options = entry.get("options").read_entries(_read_chosen_value)
    return Preset(key, SourceId(source), options)


def _read_chosen_value(_option: str, chosen: TomlValue) -> Any:
    """Return the value that a preset chooses for an option; it is checked later."""
    return chosen.value


# --------------------------------------------------------------------- penalties, bonuses, checks


def _read_penalty(key: str, entry: TomlValue) -> PenaltyKind:
    """Read a penalty: `{ points = 100, remedy = "penalty-cards", cite = […] }`.

    `key` is its code, and `remedy` names what else follows. `points` may be missing: the players
    then agree on a number. Wrong points or a wrong code in a user's file are recorded.
    """
    entry.check_keys(optional=["points", "remedy", "words", *CITE_KEYS])
    _add_words_of_code("penalty", key, entry)
    points = None
    if entry.has("points"):
        points = _read_points(entry, LIMITS["penalties"].least, LIMITS["penalties"].most)
    return PenaltyKind(key, points, entry.value.get("remedy"), entry.read_citations())


def _add_words_of_code(kind: str, code: str, entry: TomlValue) -> None:
    """Store the words by which the pages call a penalty or bonus; record an error if they lack.

    `kind` is `penalty` or `bonus`, `code` its name in the file, and `entry` has the `words`.
    """
    with entry.file.collecting_errors():
        entry.check_code_and_add_words(kind, code, message_key=f"{kind}.{code}")


def _read_points(entry: TomlValue, least: int, most: int) -> int | None:
    """Read the points of a penalty or bonus, a number from `least` to `most`.

    If they are wrong, an error is recorded and the result is None.
    """
    points = None  # stays so after a mistake
    with entry.file.collecting_errors():
        points = entry.get("points").read_number(least, most)
    return points


def _read_free_irregularity(code: str, entry: TomlValue) -> FreeIrregularity:
    """Read a mistake of a player that costs no points, such as discarding two cards.

    `{ game = "samba", remedy = "next-player-chooses", cite = […] }`: the rule book that is cited
    speaks of the game samba, and `remedy` names what the players do about it. `code` names the
    mistake.
    """
    entry.check_keys(required=["game"], optional=["remedy", *CITE_KEYS])
    games_of_scorepad = load_order()
    game = entry.get("game").read_one_of(games_of_scorepad, "unknown-variant")
    return FreeIrregularity(
        code=code,
        remedy=entry.value.get("remedy"),
        cited=entry.read_citations(),
        game=game,
    )


def _read_bonus(code: str, entry: TomlValue) -> Bonus:
    """Read a bonus that players can give to a side: `{ points = 100, words = {…}, cite = […] }`.

    `code` is the name of the entry, and `words` say what the pages call it. Wrong points or a wrong
    code in a user's file are recorded, and reading goes on.
    """
    entry.check_keys(required=["points"], optional=["words", *CITE_KEYS])
    _add_words_of_code("bonus", code, entry)
    points = _read_points(entry, 1, LIMITS["bonuses"].most)
    if points is None:
        points = 0  # the file is refused as a whole later
    return Bonus(code, points, entry.read_citations())


def _read_rule(key: str, entry: TomlValue) -> Rule:
    """Read which settings a check, or a line of the score, depends on.

    `out = { settings = ["out-bonus", "concealed-out-bonus"] }`: the line `out` (that is the key)
    cites the rule books behind these settings. It may also depend on `statements` of the rulebook.
    With `severity = "warning"`, what a check finds is no error.
    """
    entry.check_keys(optional=["settings", "statements", "severity"])
    severity = entry.get("severity", "error").read_one_of(("error", "warning"), "unknown-severity")
    names = entry.get("settings", []).read_texts()
    settings = _select_known_settings(entry, names)
    statements = entry.get("statements", []).read_known_texts(GROUND_STATEMENTS, "unknown-key")
    if not settings and not statements:
        entry.refuse("missing", "settings")
    return Rule(key, severity, settings, statements)


# ------------------------------------------------------------------- sources, faults, links, book


def _read_sources(table: TomlValue) -> dict[SourceId, Source]:
    """Read a table of rule books, and return them by id."""
    sources: dict[SourceId, Source] = {}
    for source in table.read_entries(_read_source).values():
        sources[source.id] = source
    return sources


def _read_source(name: str, entry: TomlValue) -> Source:
    """Read a rule book: its title, the sections that may be cited, and its footnotes by number.

    `{ title = "Wikipedia (it), «Canasta»", sections = ["Samba", …], notes = { 47 = "…" } }`. The
    name, such as `W`, is its id. Raises VariantError if scorepad has a rule book of that name.
    """
    entry.check_keys(required=["title", "sections"], optional=["notes"])
    if name in entry.file.sources:
        entry.refuse("source-taken", name=name)  # "“W” is a source of scorepad. Give it another …"
    sections = entry.get("sections").check_length(MOST_ENTRIES["sections"])
    section_names = sections.read_texts()
    footnotes = entry.get("notes", {}).check_length(MOST_ENTRIES["notes"])
    text_by_number = footnotes.read_entries(_read_note)
    return Source(
        id=SourceId(name),
        title=entry.get("title").read_text_line(),
        sections=section_names,
        notes=tuple(text_by_number.items()),
    )


def _read_note(_number: str, note: TomlValue) -> str:
    """Read a footnote of a rule book: the printed manual that it names, on one line."""
    return note.read_text_line()


def _read_fault(code: str, entry: TomlValue) -> Fault:
    """Read a known fault of a rule book: what it says wrongly (`says`), or what it omits (`omits`).

    `touches` is the setting or penalty that the fault is about, and `cite` is the wrong passage.
    Where a rule cites the passage `known-by`, the answer mentions the fault. What the book says or
    omits is only checked here.
    """
    entry.check_keys(
        required=["touches", "known-by", "cite"],
        optional=["standing", "says", "omits"],
    )
    has_both_or_none = entry.has("says") == entry.has("omits")
    if has_both_or_none:
        entry.refuse("says-or-omits")  # "write either says or omits, one of the two."
    _check_settings_of_fault(entry)

    known_by = entry.read_citation(entry.value["known-by"])
    wrong_passages = tuple(entry.read_citation(text) for text in entry.value["cite"])
    standing = Standing(entry.value.get("standing", "stated"))
    return Fault(
        code=code,
        subject=entry.value["touches"],
        reported_with=str(known_by),
        cited=Cited(wrong_passages, standing),
    )


def _check_settings_of_fault(entry: TomlValue) -> None:
    """Check that a fault of a rule book names only settings that there are, or penalties.

    A name such as `card-points/3b` is a part of a setting. Raises VariantError for an unknown one.
    """
    fault = entry.value
    settings_said = fault.get("says", {})  # a table of wrong values, by setting
    for name in [*settings_said, *fault.get("omits", ()), fault["touches"]]:
        setting = name.split("/")[0]  # "card-points/3b" -> "card-points"
        if setting != "penalties":
            _check_setting_names(entry, [setting])


def _read_link(key: str, entry: TomlValue) -> Link:
    """Read how values of the rules depend on each other. `key` is the name of this link.

    - `{ kind = "moves", of = "settings.decks", then = "settings.red-three-values", … }`: the second
      value follows from the first
    - `{ kind = "needs", between = ["settings.decks", "settings.dealt"], … }`: these values have to
      fit; another kind is `asks`
    """
    entry.check_keys(required=["kind", "rule"], optional=["of", "then", "between", "cite"])
    kind = entry.get("kind").read_one_of(LinkKind, "unknown-key")
    if kind == LinkKind.MOVES:
        return _read_consequence(key, entry)
    return _read_condition_between_values(key, entry, must_always_hold=kind == LinkKind.NEEDS)


def _read_consequence(key: str, entry: TomlValue) -> Consequence:
    """Read how one value follows from another: `{ of = "settings.decks", then = …, rule = … }`.

    `rule` is the name of the function that computes the value `then` from the value `of`.
    """
    consequence = Consequence(
        id=key,
        cause=entry.value["of"],
        effect=entry.value["then"],
        rule=entry.get("rule").read_one_of(FOLLOWS, "unknown-rule"),
        cited=entry.get("cite", []).read_citation_list(),
    )
    _check_setting_names(entry, _select_settings(consequence.keys))
    return consequence


def _read_condition_between_values(
    key: str, entry: TomlValue, *, must_always_hold: bool
) -> Condition:
    """Read which values have to fit: `{ between = ["settings.decks", …], rule = … }`.

    `rule` is the name of the function that tells whether they do.
    """
    condition = Condition(
        id=key,
        keys=entry.get("between").read_texts(),
        must_always_hold=must_always_hold,
        rule=entry.get("rule").read_one_of(RELATIONS, "unknown-rule"),
        cited=entry.get("cite", []).read_citation_list(),
    )
    _check_setting_names(entry, _select_settings(condition.keys))
    return condition


def _select_settings(keys: Iterable[str]) -> list[str]:
    """Return the names of the settings among keys of values.

    `["settings.decks", "penalties.house"]` → `["decks"]`.
    """
    names: list[str] = []
    for key in keys:
        if key.startswith(SETTINGS_PREFIX):
            names.append(key.removeprefix(SETTINGS_PREFIX))
    return names


def _read_statement(name: str, entry: TomlValue) -> Statement:
    """Read a sentence of the rulebook that is no setting; its text is the message called `name`.

    It stands in a `section` of the rulebook, `after` the rule of a setting if given. It holds for
    games whose settings have the values `when`, and none of those in `unless`.

    If it says what one rule book claims against the others, `differs` is true. `instead` is then
    the name of the sentence that the others state.
    """
    entry.check_keys(
        required=["section"],
        optional=["after", "when", "unless", "differs", "instead", *CITE_KEYS],
    )
    table = entry.value
    after = table.get("after")
    when = table.get("when", {})
    unless = table.get("unless", {})
    settings_named = [*when, *unless] if after is None else [*when, *unless, after]
    _check_setting_names(entry, settings_named)
    return Statement(
        id=name,
        section=table["section"],
        after=after,
        when=when,
        unless=unless,
        cited=entry.read_citations(),
        differs=table.get("differs", False),
        instead=table.get("instead"),
    )


def _select_known_settings(entry: TomlValue, names: Collection[str]) -> tuple[str, ...]:
    """Return the names that are those of settings; record an error at the entry for any other.

    Of `["decks", "foo"]` → `("decks",)`, and an error about "foo".
    """
    _check_setting_names(entry, names)
    return tuple(name for name in names if name in SETTING_KEYS)


def _check_setting_names(entry: TomlValue, names: Collection[str]) -> None:
    """Record an error at an entry of a file for each of these names that is not a setting's.

    If the file is shipped with scorepad, the error is raised at once.
    """
    for name in names:
        entry.report_unknown_name(name, SETTING_KEYS, "unknown-setting")
