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
from typing import Any

from scorepad.errors import VariantError
from scorepad.rules.completeness import LIMITS, check_entries, check_values, wrong_values
from scorepad.rules.definitions import (
    GROUND_STATEMENTS,
    SETTING_KEYS,
    Bonus,
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
from scorepad.rules.inheritance import inherit
from scorepad.rules.links import FOLLOWS, RELATIONS, SETTINGS_PREFIX, Link
from scorepad.rules.score_lines import ITEMS
from scorepad.rules.settings import LARGEST, CanastaKind
from scorepad.rules.toml_reader import CITE_KEYS, LANGUAGES, MOST_MISTAKES, TomlValue, open_toml

_FILE_KEYS = "id extends players takes-options takes-presets entry-fields drops inherits stated-by ends words sources"
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
    """The sources that may be cited, by id: those of scorepad, or of another folder. Raises
    VariantError.
    """
    return _read_sources(open_toml((folder or data_folder()) / "sources.toml", {}))


@cache
def load_irregularities() -> Mapping[str, Mapping[str, FreeIrregularity]]:
    """Irregularities that cost no points, by their condition and code. Raises VariantError."""
    root = open_toml(data_folder() / "irregularities" / "irregularities.toml", load_sources())
    return root.read_entries(_read_free_irregularities)


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
    root = open_toml(data_folder() / "order.toml", {}).checked_table("variants")
    return tuple(VariantId(name) for name in root.get("variants").list_of_texts())


# -------------------------------------------------------------------------------------- the variant


def load_variant(
    root: TomlValue, parent_of: Callable[[str], Variant], parents: Collection[str] | None = None
) -> Variant:
    """Read one variant from the root of its file, including what it inherits. Raises VariantError.

    `parents` are the variants that a user's file may extend; None for a file of the package.
    """
    if parents is not None:
        return _load_users_variant(root, parent_of, parents)
    parent = None
    if root.has("extends"):
        parent = parent_of(root.value["extends"])
    variant = _read_variant(root, parent)
    check_entries(variant, root)
    check_values(variant, root)
    return variant


def _load_users_variant(
    root: TomlValue, parent_of: Callable[[str], Variant], parents: Collection[str]
) -> Variant:
    """Read the variant of a user's file. Raises VariantError with all of its mistakes."""
    file = root.file
    with file.collecting_errors():
        file.sources |= _read_sources(root.get("sources", {}).limited_to(MOST_ENTRIES["sources"]))

    extends = root.value.get("extends")
    if extends in parents:
        variant = _read_variant(root, parent_of(extends))
        check_entries(variant, root)
        check_values(variant, root, file.wrong_settings)
    else:
        with file.collecting_errors():
            if extends is None:
                root.refuse("missing", "extends")
            root.get("extends").one_of(parents, "unknown-variant")
        # Any parent will do to find the mistakes that do not depend on it.
        file.lacks_parent = True
        variant = _read_variant(root, parent_of(next(iter(parents))))
    if file.errors:
        raise _as_one_error(file.errors)
    return variant


def _as_one_error(errors: Iterable[VariantError]) -> VariantError:
    """The first error of a file by its line, with the others; of many, the number of those beyond
    the first ones.
    """
    different = {str(error): error for error in errors}
    first, *others = sorted(different.values(), key=lambda error: error.line or 0)
    reported = others[: MOST_MISTAKES - 1]
    first.others = tuple(reported)
    first.more = len(others) - len(reported)
    return first


def _read_variant(root: TomlValue, parent: Variant | None) -> Variant:
    file = root.file
    root.checked_table("", " ".join((_FILE_KEYS, *_ENTRY_READERS)))
    name = file.name.removesuffix(".toml")
    if root.value.get("id") != name:
        root.report("id", "id", id=name)
    if parent:
        file.known = {"penalty": parent.penalties, "option": parent.options, "item": ITEMS}

    variant = _read_without_parent(root, name, parent)
    if variant.stated_by and variant.inherits is None:
        root.refuse("stated-without-argument", "stated-by")
    if file.is_own:
        with file.collecting_errors():
            words = root.get("words", {}).checked_table("", " ".join(LANGUAGES))
            _read_variant_words(words, name)
    if parent is None:
        return _with_setting_of_end(variant)
    if file.is_own:
        variant = _without_wrong_settings(root, variant, parent)
        if file.lacks_parent:
            return variant
    return _with_setting_of_end(inherit(root, variant, parent, load_links()))


def _read_without_parent(root: TomlValue, name: str, parent: Variant | None) -> Variant:
    """The variant as far as its file defines it."""
    file = root.file
    players = _read_players(root, parent)
    tables: dict[str, dict[str, Any]] = {}
    for table, read_entry in _ENTRY_READERS.items():
        tables[table] = _read_entries(root.get(table, {}), read_entry)
    if tables["bonuses"]:
        tables["lines"]["bonus"] = Rule("bonus", "error", ())
    ends = Ends()
    with file.collecting_errors():
        ends = _read_ends(root.get("ends", {}))
    added_sources = root.value.get("sources", ())
    return Variant(
        id=VariantId(name),
        parent=parent.id if parent else None,
        players=players,
        **tables,
        entry_fields=root.get("entry-fields", []).list_of_texts(),
        inherits=root.value.get("inherits"),
        stated_by=root.get("stated-by", []).texts_among(file.sources, "unknown-source"),
        ends=ends,
        words=file.words,
        sources={id_: source for id_, source in file.sources.items() if id_ in added_sources},
    )


def _read_players(root: TomlValue, parent: Variant | None) -> Value:
    if root.has("players"):
        entry = root.get("players").checked_table("value", CITE_KEYS)
        return Value(entry.value["value"], entry.cited())
    if parent is None:
        root.refuse("missing", "players")
    return parent.players


def _read_entries(table: TomlValue, read_entry: Callable[[str, TomlValue], Any]) -> dict[str, Any]:
    """The entries of a table of the variant; those of one with too many are not read."""
    entries: dict[str, Any] = {}
    with table.file.collecting_errors():
        if table.path in MOST_ENTRIES:
            table.limited_to(MOST_ENTRIES[table.path])
        entries |= table.read_entries(read_entry)
    return entries


def _read_ends(entry: TomlValue) -> Ends:
    entry.checked_table("", "hands minutes")
    return Ends(**entry.read_entries(_read_end))


def _read_end(name: str, limit: TomlValue) -> int:
    most = MOST_HANDS if name == "hands" else MOST_MINUTES
    return limit.number_between(1, most)


def _with_setting_of_end(variant: Variant) -> Variant:
    """A variant with the setting that follows from what ends its matches."""
    return replace(variant, settings={**variant.settings, **variant.ends.settings})


def _read_variant_words(words: TomlValue, variant: str) -> None:
    """Read the name of a user's own variant and what is special in it, by language."""
    texts = words.read_entries(_read_name_and_special)
    for what, usual in (("name", variant), ("special", "")):
        by_language = {language: entry[what] for language, entry in texts.items() if what in entry}
        if not by_language:
            by_language = dict.fromkeys(LANGUAGES, usual)
        words.at_path(what).add_words(f"variant.{variant}.{what}", by_language)


def _read_name_and_special(_language: str, entry: TomlValue) -> Mapping[str, Any]:
    table: Mapping[str, Any] = entry.checked_table("name", "special").value
    return table


def _without_wrong_settings(root: TomlValue, variant: Variant, parent: Variant) -> Variant:
    """A user's variant without the settings that cannot be, which are reported and listed as wrong
    in the file.
    """
    in_force = {**parent.settings, **variant.settings}
    values = {key: value.value for key, value in in_force.items()}
    wrong = wrong_values(values, root, "settings")
    settings = {key: value for key, value in variant.settings.items() if key not in wrong}
    written = root.value.get("settings", {})
    root.file.wrong_settings = set()
    if isinstance(written, dict):
        root.file.wrong_settings = {key for key in written if key not in settings}
    return replace(variant, settings=settings)


# -------------------------------------------------------------------------------- settings, options


def _read_setting(key: str, entry: TomlValue) -> Value:
    file = entry.file
    entry.with_value(key).one_of(SETTING_KEYS, "unknown-setting")
    value = entry.checked_table("value", f"steps {CITE_KEYS}").value["value"]
    if key in MOST_ENTRIES:
        entry.with_value(value).limited_to(MOST_ENTRIES[key])
    cited = Cited((), Standing.HOUSE)
    with file.collecting_errors():
        of_whole_value = entry.cited()
        of_steps = entry.get("steps", {}).cited_steps(key, value)
        cited = replace(of_whole_value, steps=of_steps)
    if key == "canastas" and file.is_own:
        value = entry.with_value(value).read_tables(_read_canasta)
    return Value(value, cited)


def _read_canasta(entry: TomlValue) -> dict[str, Any]:
    """A kind of canasta without its words."""
    required = "item points shape family"
    keys = [each.name for each in fields(CanastaKind)]
    optional = [key for key in keys if key not in required.split()]
    table = entry.checked_table(required, " ".join((*optional, "words"))).value
    variant = entry.file.name.removesuffix(".toml")
    item = str(table["item"])
    family = str(table["family"])
    entry.read_words(f"item.{variant}.{item}", item)
    if family not in FAMILIES:
        entry.read_words(f"family.{variant}.{family}", family)
    return {key: value for key, value in table.items() if key != "words"}


def _read_option(key: str, entry: TomlValue) -> Option:
    is_amount = isinstance(entry.value, dict) and "step" in entry.value
    if is_amount:
        entry.checked_table("step sets", f"values words {CITE_KEYS}")
    else:
        entry.checked_table("default values", "words")
    entry.read_words(f"option.{key}", key)
    values = entry.get("values", []).limited_to(MOST_ENTRIES["values"]).list_of_tables()
    tables = [value.value for value in values]
    if is_amount:
        return _read_amount(key, entry, tables)
    return _read_choice(key, entry, tables)


def _read_choice(key: str, entry: TomlValue, tables: list[dict[str, Any]]) -> Option:
    """An option with a list of values."""
    values = entry.with_value(tables).read_tables(partial(_read_option_value, key))
    option = Option(key, entry.value["default"], tuple(values))
    if option.value_of(option.default) is None:
        entry.refuse("no-such-value", "default")
    return option


def _read_amount(key: str, entry: TomlValue, tables: list[dict[str, Any]]) -> Option:
    """An option that is a number of points or hands; its values are those that sources name."""
    setting = entry.get("sets").one_of(SETTING_KEYS, "unknown-setting")
    step = entry.get("step").number_between(1, LARGEST)
    values: list[OptionValue] = []
    for table in tables:
        with_setting = {**table, "set": {setting: table.get("is")}}
        values.append(_read_option_value(key, entry.with_value(with_setting)))
    for value in values:
        amount = value.value
        if type(amount) is not int or amount <= 0 or amount % step:
            entry.refuse("not-multiple", str(amount), step=step)
    return Option(key, None, tuple(values), step, setting, entry.cited())


def _read_option_value(key: str, table: TomlValue) -> OptionValue:
    """A value of the option `key`; the table has the path of the option."""
    table.checked_table("is", f"set only-sides reads steps words {CITE_KEYS}")
    value = table.value["is"]
    if not isinstance(value, str | int):
        table.refuse("not-value")
    entry = table.at_path(value)
    entry.read_words(f"option.{key}.{str(value).lower()}")
    sets = entry.get("set", {}).checked_table("", " ".join(SETTING_KEYS)).value
    cited = entry.cited()
    cited_of = _citations_of_settings(entry, sets, cited)
    return OptionValue(value, sets, cited, cited_of, entry.value.get("only-sides"))


def _citations_of_settings(
    entry: TomlValue, sets: Mapping[str, Any], cited: Cited
) -> dict[str, Cited]:
    """The citation of each setting that a value of an option sets: the value's own, unless `steps`
    cites steps of the setting, or `reads` infers it.
    """
    names = " ".join(sets)
    arguments = entry.get("reads", {}).checked_table("", names).value
    steps = entry.get("steps", {}).checked_table("", names).value
    cited_of = dict.fromkeys(sets, cited)
    for name, table in steps.items():
        of_steps = entry.at_path(f"{name}.steps").with_value(table).cited_steps(name, sets[name])
        cited_of[name] = replace(cited, steps=of_steps)
    for name, argument in arguments.items():
        cited_of[name] = replace(cited_of[name], standing=Standing.READ, read=argument)
    return cited_of


def _read_preset(key: str, entry: TomlValue) -> Preset:
    entry.checked_table("source options")
    source = entry.get("source").one_of(entry.file.sources, "unknown-source")
    options = entry.get("options").read_entries(_read_chosen_value)
    return Preset(key, SourceId(source), options)


def _read_chosen_value(_option: str, chosen: TomlValue) -> Any:
    return chosen.value


# --------------------------------------------------------------------- penalties, bonuses, checks


def _read_penalty(key: str, entry: TomlValue) -> PenaltyKind:
    entry.checked_table("", f"points remedy words {CITE_KEYS}")
    with entry.file.collecting_errors():
        entry.read_words(f"penalty.{key}", key)
    points = None
    if entry.has("points"):
        least, most, _ = LIMITS["penalties"]
        with entry.file.collecting_errors():
            points = entry.get("points").number_between(least, most)
    return PenaltyKind(key, points, entry.value.get("remedy"), entry.cited())


def _read_free_irregularities(_condition: str, listed: TomlValue) -> Mapping[str, FreeIrregularity]:
    return listed.read_entries(_read_free_irregularity)


def _read_free_irregularity(code: str, entry: TomlValue) -> FreeIrregularity:
    entry.checked_table("game", f"remedy {CITE_KEYS}")
    game = entry.get("game").one_of(load_order(), "unknown-variant")
    return FreeIrregularity(code, entry.value.get("remedy"), entry.cited(), game)


def _read_bonus(code: str, entry: TomlValue) -> Bonus:
    entry.checked_table("points", f"words {CITE_KEYS}")
    with entry.file.collecting_errors():
        entry.read_words(f"bonus.{code}", code)
    points = 0
    with entry.file.collecting_errors():
        points = entry.get("points").number_between(1, LIMITS["bonuses"][1])
    return Bonus(code, points, entry.cited())


def _read_rule(key: str, entry: TomlValue) -> Rule:
    """A check, or a line of a score."""
    entry.checked_table("", "settings statements severity")
    severity = entry.get("severity", "error").one_of(("error", "warning"), "unknown-severity")
    settings = _known_settings(entry, entry.get("settings", []).list_of_texts())
    statements = entry.get("statements", []).texts_among(GROUND_STATEMENTS, "unknown-key")
    if not settings and not statements:
        entry.refuse("missing", "settings")
    return Rule(key, severity, settings, statements)


_ENTRY_READERS: Mapping[str, Callable[[str, TomlValue], Any]] = {
    "settings": _read_setting,
    "options": _read_option,
    "presets": _read_preset,
    "penalties": _read_penalty,
    "checks": _read_rule,
    "lines": _read_rule,
    "bonuses": _read_bonus,
}
"""The tables of a variant's file, each with the function that reads one of its entries."""


# ------------------------------------------------------------------- sources, faults, links, book


def _read_sources(table: TomlValue) -> dict[SourceId, Source]:
    return {source.id: source for source in table.read_entries(_read_source).values()}


def _read_source(name: str, entry: TomlValue) -> Source:
    entry.checked_table("title sections", "notes")
    if name in entry.file.sources:
        entry.refuse("source-taken", name=name)
    sections = entry.get("sections").limited_to(MOST_ENTRIES["sections"]).list_of_texts()
    notes = entry.get("notes", {}).limited_to(MOST_ENTRIES["notes"]).read_entries(_read_note)
    return Source(SourceId(name), entry.get("title").text_line(), sections, tuple(notes.items()))


def _read_note(_number: str, note: TomlValue) -> str:
    return note.text_line()


def _read_fault(code: str, entry: TomlValue) -> Fault:
    """A known fault of a source: what it says wrongly, or what it omits; never both."""
    entry.checked_table("touches known-by cite", "standing says omits")
    if entry.has("says") == entry.has("omits"):
        entry.refuse("says-or-omits")

    table = entry.value
    settings: list[str] = []
    for ground in (*table.get("says", ()), *table.get("omits", ()), table["touches"]):
        if not ground.startswith("penalties/"):
            settings.append(ground.partition("/")[0])
    _known_settings(entry, settings)

    known_by = entry.with_value(table["known-by"]).citation()
    citations = entry.citations(table["cite"])
    return Fault(
        code=code,
        touches=table["touches"],
        known_by=str(known_by),
        cited=Cited(citations, Standing(table.get("standing", "stated"))),
    )


def _read_link(key: str, entry: TomlValue) -> Link:
    entry.checked_table("kind rule", "of then between cite")
    kind = entry.get("kind").one_of(("moves", "asks", "needs"), "unknown-key")
    linked: tuple[str, ...]
    rules: Collection[str]
    if kind == "moves":
        linked = (entry.value["of"], entry.value["then"])
        rules = FOLLOWS
    else:
        linked = entry.get("between").list_of_texts()
        rules = RELATIONS
    for value_key in linked:
        if value_key.startswith(SETTINGS_PREFIX):
            _known_settings(entry, [value_key.removeprefix(SETTINGS_PREFIX)])
    rule = entry.get("rule").one_of(rules, "unknown-rule")
    cite = entry.get("cite", [])
    return Link(key, kind, linked, rule, cite.citations(cite.list_of_texts()))


def _read_statement(name: str, entry: TomlValue) -> Statement:
    table = entry.checked_table("section", f"after when unless differs instead {CITE_KEYS}").value
    after = table.get("after")
    when = table.get("when", {})
    unless = table.get("unless", {})
    settings = [*when, *unless]
    if after is not None:
        settings.append(after)
    _known_settings(entry, settings)
    return Statement(
        id=name,
        section=table["section"],
        after=after,
        when=when,
        unless=unless,
        cited=entry.cited(),
        differs=table.get("differs", False),
        instead=table.get("instead"),
    )


def _known_settings(entry: TomlValue, names: Iterable[str]) -> tuple[str, ...]:
    """The names of settings among these; others are refused."""
    return entry.with_value(list(names)).texts_among(SETTING_KEYS, "unknown-setting")
