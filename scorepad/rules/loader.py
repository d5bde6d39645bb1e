"""Read the data files of the variants. Unknown, missing or uncited entries are refused with file,
key and line.

A file holds the tables `settings`, `options`, `presets`, `penalties`, `checks` and `lines` as far
as the variant defines them; the rest is inherited from the variant that it `extends`. Every value
is written as `{ value = …, cite = ["SOURCE:section"] }`; an inferred value has `standing = "read"`
and names its argument (`read = "…"`). A value of an option with single inferred settings names
their arguments (`reads = { drawn = "…" }`).

A value that is a table may cite single steps separately, each with its value, in a table `steps` of
the setting, or of the option's value by setting (`500 = { says = 50, cite = […] }`, see
`definitions.steps_of`).

The file of a user's own variant also holds what the package stores elsewhere: its `words`, the
`sources` that it cites, the argument of an inference as text, and words for each option, penalty,
bonus and canasta that it adds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import fields, replace
from functools import cache, partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, TypeVar

from scorepad.errors import VariantError
from scorepad.rules.completeness import LIMITS, check_entries, check_values, report_wrong_values
from scorepad.rules.definitions import (
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
from scorepad.rules.links import FOLLOWS, RELATIONS, SETTINGS_PREFIX, Link, LinkKind
from scorepad.rules.score_lines import ITEMS
from scorepad.rules.settings import LARGEST, CanastaKind
from scorepad.rules.toml_reader import CITE_KEYS, LANGUAGES, MOST_MISTAKES, TomlValue, open_toml

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
    """The folder of the variants shipped with scorepad."""
    return files("scorepad.variants")


@cache
def load_sources(folder: Traversable | None = None) -> Mapping[SourceId, Source]:
    """The sources that may be cited, by id: those of scorepad, or of the file `sources.toml` in
    another folder. Raises VariantError.
    """
    return _read_sources(open_toml((folder or data_folder()) / "sources.toml", {}))


@cache
def load_irregularities() -> Mapping[str, Mapping[str, FreeIrregularity]]:
    """Irregularities that cost no points, by their condition and code. Raises VariantError."""
    root = open_toml(data_folder() / "irregularities" / "irregularities.toml", load_sources())
    irregularities: dict[str, Mapping[str, FreeIrregularity]] = {}
    for condition, table in root.entries():
        irregularities[condition] = table.read_entries(_read_free_irregularity)
    return irregularities


@cache
def load_links() -> tuple[Link, ...]:
    """The links between values of the rules, in the order of the data. Raises VariantError."""
    root = open_toml(data_folder() / "links" / "links.toml", load_sources())
    return tuple(root.read_entries(_read_link).values())


@cache
def load_faults(folder: Traversable | None = None) -> Mapping[str, Fault]:
    """The known faults of the sources, by code. Raises VariantError."""
    root = open_toml((folder or data_folder()) / "faults.toml", load_sources())
    return root.read_entries(_read_fault)


@cache
def load_statements(folder: Traversable | None = None) -> Mapping[str, Statement]:
    """The sentences of the rulebook that are not settings, in the order of the data. Raises
    VariantError.
    """
    folder = folder or data_folder() / "book"
    root = open_toml(folder / "statements.toml", load_sources())
    return root.read_entries(_read_statement)


def load_order() -> tuple[VariantId, ...]:
    """The variants of the package in display order. Raises VariantError."""
    root = open_toml(data_folder() / "order.toml", {})
    root.check_keys(required=["variants"])
    return tuple(VariantId(name) for name in root.get("variants").list_of_texts())


# -------------------------------------------------------------------------------------- the variant


def load_variant(root: TomlValue, parent_of: Callable[[str], Variant]) -> Variant:
    """Read a variant of the package from the root of its file, including what it inherits.

    `parent_of` returns the variant with an id. Raises VariantError for the first mistake.
    """
    parent = None
    if root.has("extends"):
        parent = parent_of(root.value["extends"])
    variant = _read_variant(root, parent)
    check_entries(variant, root)
    check_values(variant, root)
    return variant


def load_users_variant(
    root: TomlValue, parent_of: Callable[[str], Variant], parents: Collection[str]
) -> Variant:
    """Read a variant from the root of a user's file, including what it inherits.

    `parents` are the ids of the variants that it may extend, `parent_of` returns the one with an id.
    Raises VariantError with all mistakes of the file.
    """
    file = root.file
    # What the file may cite has to be known before anything that cites it is read.
    with file.collecting_errors():
        _add_sources_of_file(root)

    extends = root.value.get("extends")
    if extends not in parents:
        _report_unknown_parent(root, parents)
        any_parent = parent_of(next(iter(parents)))
        _report_mistakes_without_parent(root, any_parent)
        raise _as_one_error(file.errors)

    variant = _read_variant(root, parent_of(extends))
    check_entries(variant, root)
    check_values(variant, root, file.wrong_settings)
    if file.errors:
        raise _as_one_error(file.errors)
    return variant


def _add_sources_of_file(root: TomlValue) -> None:
    """Add the sources that a user's file describes to those that it may cite."""
    described = root.get("sources", {}).limited_to(MOST_ENTRIES["sources"])
    root.file.sources |= _read_sources(described)


def _report_unknown_parent(root: TomlValue, parents: Collection[str]) -> None:
    """Report that a user's file does not name a variant that it may extend, one of `parents`."""
    if root.value.get("extends") is None:
        root.report("missing", "extends")
    else:
        extends = root.get("extends")
        extends.check_name_and_go_on(extends.value, parents, "unknown-variant")


def _report_mistakes_without_parent(root: TomlValue, any_parent: Variant) -> None:
    """Report the mistakes of a user's file that does not say which variant it extends.

    It is read as if it extended `any_parent`, only to find what is wrong with every parent, such as
    a misspelt key. Mistakes that depend on the parent are left out.
    """
    root.file.lacks_parent = True
    _read_variant(root, any_parent)


def _as_one_error(errors: Iterable[VariantError]) -> VariantError:
    """The first error of a file by its line, which then tells the other ones too.

    Of 30 errors, the first one holds the following 19 (`others`), and the number of those beyond
    the limit of 20, 10 (`more`). Errors with the same message are one.
    """
    error_of_message = {str(error): error for error in errors}
    in_order = sorted(error_of_message.values(), key=lambda error: error.line or 0)
    first = in_order[0]
    first.others = tuple(in_order[1:MOST_MISTAKES])
    first.more = len(in_order[MOST_MISTAKES:])
    return first


def _read_variant(root: TomlValue, parent: Variant | None) -> Variant:
    """The variant that a file defines, with what it inherits from its parent (None: it has none).

    Mistakes of a user's file are reported, and what is wrong is left out of the variant.
    """
    _check_keys_and_id(root)
    if parent:
        # The entries of the file are read with this: which of them need words of their own.
        _add_codes_with_words(root, parent)
    variant = _read_tables(root, parent)
    _check_argument_of_inheriting(root, variant)
    if root.file.is_from_user:
        _add_words_of_variant(root)

    variant = _with_line_for_bonuses(variant)
    if parent:
        variant = _complete_from_parent(root, variant, parent)
    return _with_settings_of_ends(variant)


def _check_argument_of_inheriting(root: TomlValue, variant: Variant) -> None:
    """Refuse a file that lists sources for what it inherits, but gives no argument.

    The sources in `stated-by` describe the variant as its parent with some changes. What they do not
    state is an inference, which needs the argument that `inherits` names.
    """
    if variant.stated_by and variant.inherits is None:
        root.refuse("stated-without-argument", "stated-by")


def _with_settings_of_ends(variant: Variant) -> Variant:
    """The variant, in which the number of hands after which a match ends is a setting too.

    It takes the place of a number that was inherited.
    """
    return replace(variant, settings={**variant.settings, **variant.ends.settings})


def _check_keys_and_id(root: TomlValue) -> None:
    """Check that a file has only the keys of a variant, and that its id is the name of the file."""
    root.check_keys(optional=_FILE_KEYS)
    name_of_file = root.file.variant_id
    if root.value.get("id") != name_of_file:
        root.report("id", "id", id=name_of_file)


def _add_codes_with_words(root: TomlValue, parent: Variant) -> None:
    """Tell the file which codes have words already, those of its parent: it need not give any."""
    root.file.known = {"penalty": parent.penalties, "option": parent.options, "item": ITEMS}


def _with_line_for_bonuses(variant: Variant) -> Variant:
    """The variant, with a line of the score for its bonuses if it has any: they count there."""
    if not variant.bonuses:
        return variant
    line = Rule("bonus", "error", settings=())
    return replace(variant, lines={**variant.lines, line.id: line})


def _complete_from_parent(root: TomlValue, variant: Variant, parent: Variant) -> Variant:
    """The variant that a file defines, completed with what it takes over from its parent.

    Settings of a user's file that are wrong are reported, and left out first.
    """
    if root.file.is_from_user:
        variant = _report_and_drop_wrong_settings(root, variant, parent)
    if root.file.lacks_parent:
        # The file names no parent, and this is any of them, only to find mistakes: what fits its
        # rules says nothing of those that the user wants.
        return variant
    return inherit_from_parent(root, variant, parent, load_links())


def _report_and_drop_wrong_settings(root: TomlValue, variant: Variant, parent: Variant) -> Variant:
    """The variant of a user's file without the settings that have impossible values.

    `decks = 0`, for example, is reported and left out. Its name is kept in `wrong_settings` of the
    file, so that nothing else is reported because of it.
    """
    all_settings = {**parent.settings, **variant.settings}
    values = {name: setting.value for name, setting in all_settings.items()}
    wrong = report_wrong_values(values, root, "settings")
    right = {name: value for name, value in variant.settings.items() if name not in wrong}
    # Settings that could not even be read are wrong too.
    root.file.wrong_settings = _settings_in_file(root).difference(right)
    return replace(variant, settings=right)


def _settings_in_file(root: TomlValue) -> set[str]:
    """The names of all settings in a file, of those that could not be read too."""
    table = root.value.get("settings", {})
    if not isinstance(table, dict):
        return set()  # another value than a table, which was reported when it was read
    return set(table)


def _read_tables(root: TomlValue, parent: Variant | None) -> Variant:
    """The variant as far as its file defines it, table by table.

    Without a number of players in the file it has that of its parent.
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
        entry_fields=root.get("entry-fields", []).list_of_texts(),
        inherits=root.value.get("inherits"),
        stated_by=root.get("stated-by", []).texts_among(file.sources, "unknown-source"),
        words=file.words,
        sources=_sources_of_file(root),
    )


def _sources_of_file(root: TomlValue) -> dict[SourceId, Source]:
    """The sources that a file adds to those of scorepad; they were read before anything else."""
    added = root.value.get("sources", ())
    return {id_: source for id_, source in root.file.sources.items() if id_ in added}


def _read_players(root: TomlValue, parent: Variant | None) -> Value:
    """The number of players: that of the file, or else of the parent."""
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
    """The entries of a table of the variant, each read by a function of its key and value.

    Those of a table with too many are not read.
    """
    table = root.get(name, {})
    entries: dict[str, _Entry] = {}
    with root.file.collecting_errors():
        if name in MOST_ENTRIES:
            table.limited_to(MOST_ENTRIES[name])
        entries = table.read_entries(read_entry)
    return entries


def _read_ends(root: TomlValue) -> Ends:
    """What ends the matches of the variant besides a target: a number of hands, or of minutes.

    If this cannot be read from a user's file, it is reported, and only the target ends a match.
    """
    ends = Ends()
    with root.file.collecting_errors():
        table = root.get("ends", {})
        table.check_keys(optional=["hands", "minutes"])
        limits = table.read_entries(_read_end)
        ends = Ends(hands=limits.get("hands"), minutes=limits.get("minutes"))
    return ends


def _read_end(name: str, limit: TomlValue) -> int:
    """The number of hands or minutes after which a match ends; `name` says which."""
    most = MOST_HANDS if name == "hands" else MOST_MINUTES
    return limit.number_between(1, most)


def _add_words_of_variant(root: TomlValue) -> None:
    """Add the name of a user's own variant, and what is special in it, to the words of its file.

    The file gives them as `words = { en = { name = …, special = … } }`. A variant without a name is
    called by its id. What is wrong is reported.
    """
    variant = root.file.variant_id
    with root.file.collecting_errors():
        words = root.get("words", {})
        words.check_keys(optional=LANGUAGES)
        texts = words.read_entries(_read_name_and_special)
        names = _texts_with_key(texts, "name", default=variant)
        specials = _texts_with_key(texts, "special", default="")
        words.at_path("name").add_message_texts(f"variant.{variant}.name", names)
        words.at_path("special").add_message_texts(f"variant.{variant}.special", specials)


def _texts_with_key(
    tables: Mapping[str, Mapping[str, object]], key: str, *, default: str
) -> dict[str, object]:
    """The texts with this key in tables that are given by language.

    Of `{"it": {"name": "Mia"}, "en": {"name": "Mine"}}`, those with the key `name` are
    `{"it": "Mia", "en": "Mine"}`. If no table has the key, all languages have the default.
    """
    texts = {language: table[key] for language, table in tables.items() if key in table}
    if texts:
        return texts
    return dict.fromkeys(LANGUAGES, default)


def _read_name_and_special(_language: str, entry: TomlValue) -> Mapping[str, object]:
    """The texts of a variant in one language: its name, and what is special in it."""
    entry.check_keys(required=["name"], optional=["special"])
    texts: Mapping[str, object] = entry.value
    return texts


# -------------------------------------------------------------------------------- settings, options


def _read_setting(key: str, entry: TomlValue) -> Value:
    """A setting of the variant, from its entry: `decks = { value = 2, cite = ["W:Samba"] }`.

    The key of the entry is the name of the setting. Unknown names and keys are refused.
    """
    entry.check_name(key, SETTING_KEYS, "unknown-setting")
    entry.check_keys(required=["value"], optional=["steps", *CITE_KEYS])
    # What is wrong with the value is reported at the setting, `settings.decks`.
    value_in_file = entry.with_value(entry.value["value"])
    if key in MOST_ENTRIES:
        value_in_file.limited_to(MOST_ENTRIES[key])
    cited = _read_citations_of_setting(key, entry, value_in_file.value)
    is_with_words = key == "canastas" and entry.file.is_from_user
    if is_with_words:
        # A user's file may define canastas of its own, each with words that name it.
        return Value(value_in_file.read_tables(_read_canasta), cited)
    return Value(value_in_file.value, cited)


def _read_citations_of_setting(key: str, entry: TomlValue, value: Any) -> Cited:
    """What supports a setting with this key and value: as a whole, and single steps of it.

    If a user's file has a mistake there, it is reported. The setting then counts as one that the
    table agreed, so that its value is checked all the same.
    """
    agreed_at_table = Cited(citations=(), standing=Standing.AGREED)
    cited = agreed_at_table  # stays so after a mistake
    with entry.file.collecting_errors():
        cited_as_whole = entry.read_citations()
        steps = entry.get("steps", {}).read_cited_steps(key, value)
        cited = replace(cited_as_whole, steps=steps)
    return cited


_REQUIRED_OF_CANASTA = ("item", "points", "shape", "family")
_OPTIONAL_OF_CANASTA = tuple(
    field.name for field in fields(CanastaKind) if field.name not in _REQUIRED_OF_CANASTA
)


def _read_canasta(entry: TomlValue) -> dict[str, Any]:
    """A kind of canasta of a user's file: its values as they are in the file, without its `words`.

    The words, which name the kind or its family, are added to those of the file.
    """
    entry.check_keys(required=_REQUIRED_OF_CANASTA, optional=[*_OPTIONAL_OF_CANASTA, "words"])
    _define_codes_of_canasta(entry)
    return {key: value for key, value in entry.value.items() if key != "words"}


def _define_codes_of_canasta(entry: TomlValue) -> None:
    """Add the words of a kind of canasta to those of its file, and report codes that are wrong.

    The words name its `item`, under which it is counted. They also name its `family`, the group of
    kinds to which it belongs, unless scorepad has a name for that.
    """
    variant = entry.file.variant_id
    item = str(entry.value["item"])
    entry.define_code("item", item, message_key=f"item.{variant}.{item}")
    family = str(entry.value["family"])
    if family not in FAMILIES:
        entry.define_code("family", family, message_key=f"family.{variant}.{family}")


def _read_option(key: str, entry: TomlValue) -> Option:
    """An option of the variant: one with a list of values, or one that is an amount."""
    is_amount = isinstance(entry.value, dict) and "step" in entry.value
    if is_amount:
        entry.check_keys(required=["step", "sets"], optional=["values", "words", *CITE_KEYS])
    else:
        entry.check_keys(required=["default", "values"], optional=["words"])
    entry.define_code("option", key, message_key=f"option.{key}")
    values = entry.get("values", []).limited_to(MOST_ENTRIES["values"])
    tables = [table.value for table in values.list_of_tables()]
    if is_amount:
        return _read_amount(key, entry, tables)
    return _read_choice(key, entry, tables)


def _read_choice(key: str, entry: TomlValue, tables: list[dict[str, Any]]) -> Option:
    """An option with a list of values, each given by one of these tables."""
    values = entry.with_value(tables).read_tables(partial(_read_option_value, key))
    option = Option(key, entry.value["default"], tuple(values))
    if option.value_of(option.default) is None:
        entry.refuse("no-such-value", "default")
    return option


def _read_amount(key: str, entry: TomlValue, tables: list[dict[str, Any]]) -> Option:
    """An option by which a table chooses a number, such as the points at which a match ends.

    `{ sets = "target", step = 5, values = [{ is = 5000, cite = […] }] }` lets it set the setting
    `target` to any multiple of 5. `tables` are those of `values`: the numbers that sources name.
    """
    setting = entry.get("sets").one_of(SETTING_KEYS, "unknown-setting")
    step = entry.get("step").number_between(1, LARGEST)
    numbers_of_sources: list[OptionValue] = []
    for table in tables:
        complete_table = entry.with_value(_with_setting(table, setting))
        numbers_of_sources.append(_read_option_value(key, complete_table))
    for number in numbers_of_sources:
        _refuse_no_multiple(entry, number.value, step)
    return Option(
        id=key,
        default=None,  # the number that the variant has anyway
        values=tuple(numbers_of_sources),
        amount=Amount(setting, step, entry.read_citations()),
    )


def _with_setting(table: Mapping[str, Any], setting: str) -> dict[str, Any]:
    """The table of a number that an option may have, which also says what setting has that number.

    For the setting `target`, `{"is": 5000}` → `{"is": 5000, "set": {"target": 5000}}`.
    """
    return {**table, "set": {setting: table.get("is")}}


def _refuse_no_multiple(entry: TomlValue, value: ChoiceValue, step: int) -> None:
    """Refuse the entry unless the value is a positive multiple of `step`."""
    is_number = type(value) is int  # `true` is no number here
    if not is_number or int(value) <= 0 or int(value) % step != 0:
        entry.refuse("not-multiple", str(value), step=step)


def _read_option_value(key: str, table: TomlValue) -> OptionValue:
    """A value of the option with this key: `{ is = "fifty", set = { drawn = 2 }, cite = […] }`.

    A table that chooses `fifty` plays with the settings in `set`. The `words` of the value, if it has
    any, are added to those of the file.
    """
    table.check_keys(
        required=["is"],
        optional=["set", "only-sides", "reads", "steps", "words", *CITE_KEYS],
    )
    value = table.value["is"]
    if not isinstance(value, str | int):
        table.refuse("not-value")
    # The values of an option are a list without keys: in messages, each is named by itself.
    entry = table.at_path(value)
    entry.add_message_from_words(f"option.{key}.{str(value).lower()}")
    settings_to_set = _table_with_keys(entry, "set", SETTING_KEYS)
    cited = entry.read_citations()
    return OptionValue(
        value=value,
        sets=settings_to_set,
        cited=cited,
        cited_of=_read_citations_by_setting(entry, settings_to_set, cited),
        only_sides=entry.value.get("only-sides"),
    )


def _table_with_keys(entry: TomlValue, name: str, keys: Iterable[str]) -> dict[str, Any]:
    """The table with this name in an entry; empty if there is none.

    It may have any of these keys, and is refused if it has others.
    """
    table = entry.get(name, {})
    table.check_keys(optional=keys)
    values: dict[str, Any] = table.value
    return values


def _read_citations_by_setting(
    entry: TomlValue, settings: Mapping[str, Any], cited: Cited
) -> dict[str, Cited]:
    """What supports each of the settings that a value of an option sets, by the setting's name.

    That is `cited`, what supports the value as a whole. The `entry` of the value can add to it:
    `steps` cite parts of a setting by themselves, and `reads = { drawn = "ARGUMENT" }` says that the
    setting `drawn` is only inferred, by that argument.
    """
    arguments = _table_with_keys(entry, "reads", settings)
    steps = _table_with_keys(entry, "steps", settings)
    cited_of: dict[str, Cited] = {}
    for name, value in settings.items():
        cited_of[name] = cited
        if name in steps:
            steps_of_setting = entry.at_path(f"{name}.steps").with_value(steps[name])
            cited_steps = steps_of_setting.read_cited_steps(name, value)
            cited_of[name] = replace(cited_of[name], steps=cited_steps)
        if name in arguments:
            cited_of[name] = _as_inference(cited_of[name], arguments[name])
    return cited_of


def _as_inference(cited: Cited, argument: str) -> Cited:
    """The same citations, from which something is inferred by the argument with this name."""
    return replace(cited, standing=Standing.INFERRED, read=argument)


def _read_preset(key: str, entry: TomlValue) -> Preset:
    """A preset: the source that it follows, and the options that it chooses."""
    entry.check_keys(required=["source", "options"])
    source = entry.get("source").one_of(entry.file.sources, "unknown-source")
    options = entry.get("options").read_entries(_read_chosen_value)
    return Preset(key, SourceId(source), options)


def _read_chosen_value(_option: str, chosen: TomlValue) -> Any:
    return chosen.value


# --------------------------------------------------------------------- penalties, bonuses, checks


def _read_penalty(key: str, entry: TomlValue) -> PenaltyKind:
    """A penalty: its points, None if it costs none, and what else follows (`remedy`)."""
    entry.check_keys(optional=["points", "remedy", "words", *CITE_KEYS])
    with entry.file.collecting_errors():
        entry.define_code("penalty", key, message_key=f"penalty.{key}")
    points = None
    if entry.has("points"):
        limits = LIMITS["penalties"]
        with entry.file.collecting_errors():
            points = entry.get("points").number_between(limits.least, limits.most)
    return PenaltyKind(key, points, entry.value.get("remedy"), entry.read_citations())


def _read_free_irregularity(code: str, entry: TomlValue) -> FreeIrregularity:
    """A mistake of a player that costs no points: `{ game = "samba", cite = ["W:Samba"] }`.

    `game` is the variant of which the source speaks. What the player has to do instead may be named
    by the key `remedy`.
    """
    entry.check_keys(required=["game"], optional=["remedy", *CITE_KEYS])
    package_variants = load_order()
    game = entry.get("game").one_of(package_variants, "unknown-variant")
    return FreeIrregularity(
        code=code,
        remedy=entry.value.get("remedy"),
        cited=entry.read_citations(),
        game=game,
    )


def _read_bonus(code: str, entry: TomlValue) -> Bonus:
    """A bonus that the table awards: `{ points = 100, cite = […] }`, and `words` that name it.

    If a user's file has a wrong code or wrong points, that is reported, and reading goes on.
    """
    entry.check_keys(required=["points"], optional=["words", *CITE_KEYS])
    with entry.file.collecting_errors():
        entry.define_code("bonus", code, message_key=f"bonus.{code}")
    points = 0  # if they are wrong
    with entry.file.collecting_errors():
        points = entry.get("points").number_between(1, LIMITS["bonuses"].most)
    return Bonus(code, points, entry.read_citations())


def _read_rule(key: str, entry: TomlValue) -> Rule:
    """A check, or a line of a score, with what it follows from: `{ settings = ["out-bonus"] }`.

    That may also be `statements` of the rulebook, but it has to be something. What a check finds is
    an error, unless its `severity` is `warning`.
    """
    entry.check_keys(optional=["settings", "statements", "severity"])
    severity = entry.get("severity", "error").one_of(("error", "warning"), "unknown-severity")
    settings = _known_settings(entry, entry.get("settings", []).list_of_texts())
    statements = entry.get("statements", []).texts_among(GROUND_STATEMENTS, "unknown-key")
    if not settings and not statements:
        entry.refuse("missing", "settings")
    return Rule(key, severity, settings, statements)


# ------------------------------------------------------------------- sources, faults, links, book


def _read_sources(table: TomlValue) -> dict[SourceId, Source]:
    """The sources of a table, by their id."""
    sources: dict[SourceId, Source] = {}
    for source in table.read_entries(_read_source).values():
        sources[source.id] = source
    return sources


def _read_source(name: str, entry: TomlValue) -> Source:
    """A source: its title, the sections that may be cited, and its footnotes by number."""
    entry.check_keys(required=["title", "sections"], optional=["notes"])
    if name in entry.file.sources:
        entry.refuse("source-taken", name=name)
    sections = entry.get("sections").limited_to(MOST_ENTRIES["sections"]).list_of_texts()
    notes = entry.get("notes", {}).limited_to(MOST_ENTRIES["notes"]).read_entries(_read_note)
    return Source(
        id=SourceId(name),
        title=entry.get("title").text_line(),
        sections=sections,
        notes=tuple(notes.items()),
    )


def _read_note(_number: str, note: TomlValue) -> str:
    return note.text_line()


def _read_fault(code: str, entry: TomlValue) -> Fault:
    """A known fault of a source: what it says wrongly (`says`), or what it omits (`omits`).

    `touches` is the setting or penalty that the fault is about, such as `card-points/3b`. `cite` is
    the wrong passage, and `known-by` the passage by which the fault is known.
    """
    entry.check_keys(
        required=["touches", "known-by", "cite"],
        optional=["standing", "says", "omits"],
    )
    has_both_or_none = entry.has("says") == entry.has("omits")
    if has_both_or_none:
        entry.refuse("says-or-omits")
    _refuse_unknown_settings(entry, _settings_of_fault(entry.value))

    known_by = entry.read_citation(entry.value["known-by"])
    wrong_passages = tuple(entry.read_citation(text) for text in entry.value["cite"])
    standing = Standing(entry.value.get("standing", "stated"))
    return Fault(
        code=code,
        subject=entry.value["touches"],
        reported_with=str(known_by),
        cited=Cited(wrong_passages, standing),
    )


def _settings_of_fault(fault: Mapping[str, Any]) -> list[str]:
    """The settings that the table of a fault names: `card-points/3b` is a step of `card-points`.

    A fault about penalties, `penalties/CODE`, names no setting.
    """
    names = [*fault.get("says", ()), *fault.get("omits", ()), fault["touches"]]
    settings: list[str] = []
    for setting_or_step in names:
        setting, _, _step = setting_or_step.partition("/")
        if setting != "penalties":
            settings.append(setting)
    return settings


def _read_link(key: str, entry: TomlValue) -> Link:
    """A link between values: which ones, by which rule, and who states it.

    `{ kind = "needs", between = ["settings.decks", "settings.dealt"], rule = "cards-are-enough" }`
    demands enough cards for the deal. `LinkKind` says what each kind demands.
    """
    entry.check_keys(required=["kind", "rule"], optional=["of", "then", "between", "cite"])
    kind = LinkKind(entry.get("kind").one_of(LinkKind, "unknown-key"))
    linked_keys = _keys_of_link(kind, entry)
    rule = entry.get("rule").one_of(_rules_of_links(kind), "unknown-rule")
    _refuse_unknown_settings(entry, _settings_among_keys(linked_keys))
    return Link(
        id=key,
        kind=kind,
        keys=linked_keys,
        rule=rule,
        cited=entry.get("cite", []).list_of_citations(),
    )


def _keys_of_link(kind: LinkKind, entry: TomlValue) -> tuple[str, ...]:
    """The keys of the values that a link connects, such as `settings.decks`.

    Where one value follows from another (`then` from `of`), that other is first.
    """
    if kind is LinkKind.MOVES:
        return (entry.value["of"], entry.value["then"])
    return entry.get("between").list_of_texts()


def _rules_of_links(kind: LinkKind) -> Collection[str]:
    """The names of the rules that a link of this kind may have."""
    if kind is LinkKind.MOVES:
        return FOLLOWS
    return RELATIONS


def _settings_among_keys(keys: Iterable[str]) -> list[str]:
    """The names of the settings among keys of values: `["settings.decks", "penalties.late"]` →
    `["decks"]`.
    """
    prefix = SETTINGS_PREFIX
    return [key.removeprefix(prefix) for key in keys if key.startswith(prefix)]


def _read_statement(name: str, entry: TomlValue) -> Statement:
    """A sentence of the rulebook that is no setting, with its citation.

    It stands in a `section`, `after` what is said about one setting there. It holds in games whose
    settings have the values of the table `when`, and none of those of the table `unless`.
    """
    entry.check_keys(
        required=["section"],
        optional=["after", "when", "unless", "differs", "instead", *CITE_KEYS],
    )
    table = entry.value
    after = table.get("after")
    when = table.get("when", {})
    unless = table.get("unless", {})
    _refuse_unknown_settings(entry, [*when, *unless])
    if after is not None:
        _refuse_unknown_settings(entry, [after])
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


def _known_settings(entry: TomlValue, names: Iterable[str]) -> tuple[str, ...]:
    """The names of settings among these; others are refused."""
    return entry.with_value(list(names)).texts_among(SETTING_KEYS, "unknown-setting")


def _refuse_unknown_settings(entry: TomlValue, names: Iterable[str]) -> None:
    """Refuse the entry of a file if one of these names, which it holds, is that of no setting."""
    _known_settings(entry, names)
