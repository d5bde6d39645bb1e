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
from scorepad.rules.links import (
    FOLLOWS,
    RELATIONS,
    Link,
    Moved,
    moved_values,
    report_broken_links,
    values_by_key,
)
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
_SETTINGS = "settings."
_PENALTIES = "penalties."
"""How the keys of values in a file begin."""
MOST_ENTRIES: Mapping[str, int] = {
    "bonuses": 40, "penalties": 60, "options": 20, "values": 20, "presets": 20, "sources": 20, "sections": 60,
    "notes": 60, "canastas": 40, "incomplete": 40, "opening-steps": 20, "opening-deals": 40,
}  # fmt: skip
"""Most entries of the tables and lists of a user's file: what a pad, the form of a hand and a rules
card can show.
"""
_Read = TypeVar("_Read")
_Sources = Mapping[SourceId, Source]


def data_folder() -> Traversable:
    """The folder of the variants shipped with scorepad."""
    return files("scorepad.variants")


@cache
def load_sources(folder: Traversable | None = None) -> Mapping[SourceId, Source]:
    """The sources that may be cited, by id: those of scorepad, or of another folder. Raises
    VariantError.
    """
    root = open_toml((folder or data_folder()) / "sources.toml", {})
    return {source.id: source for source in root.each(_read_source).values()}


def load_variant(
    root: TomlValue, parent_of: Callable[[str], Variant], parents: Collection[str] | None = None
) -> Variant:
    """Read one variant from the root of its file, including what it inherits. Raises VariantError.

    `parents` are the variants that a user's file may extend; None for a file of the package.
    """
    if parents is not None:
        return _load_own(root, parent_of, parents)
    parent = None
    if root.has("extends"):
        parent = parent_of(root.value["extends"])
    variant = _read_variant(root, parent)
    check_entries(variant, root)
    check_values(variant, root)
    return variant


def _load_own(
    root: TomlValue, parent_of: Callable[[str], Variant], parents: Collection[str]
) -> Variant:
    """Read the variant of a user's file. Raises VariantError with all of its mistakes."""
    file = root.file
    with file.going_on():
        brought = root.get("sources", {}).at_most(MOST_ENTRIES["sources"]).each(_read_source)
        file.sources |= {source.id: source for source in brought.values()}

    extends = root.value.get("extends")
    if extends in parents:
        variant = _read_variant(root, parent_of(extends))
        check_entries(variant, root)
        check_values(variant, root, file.wrong)
    else:
        with file.going_on():
            if extends is None:
                root.refuse("missing", "extends")
            root.get("extends").among(parents, "unknown-variant")
        # What the file means depends on its parent. Its values can be judged by any.
        file.is_lost = True
        variant = _read_variant(root, parent_of(next(iter(parents))))
    if file.errors:
        raise _one_error(file.errors)
    return variant


def _one_error(mistakes: Iterable[VariantError]) -> VariantError:
    """The first mistake of a file by its line, with the others; of many, the number of those beyond
    the first ones.
    """
    different = {str(mistake): mistake for mistake in mistakes}
    first, *others = sorted(different.values(), key=lambda mistake: mistake.line or 0)
    reported = others[: MOST_MISTAKES - 1]
    first.others = tuple(reported)
    first.more = len(others) - len(reported)
    return first


@cache
def load_irregularities() -> Mapping[str, Mapping[str, FreeIrregularity]]:
    """Irregularities that cost no points, by their condition and code. Raises VariantError."""
    root = open_toml(data_folder() / "irregularities" / "irregularities.toml", load_sources())
    return root.each(lambda _, listed: listed.each(_read_free_irregularity))


@cache
def load_links() -> tuple[Link, ...]:
    """The links between values of the rules, in the order of the data. Raises VariantError."""
    root = open_toml(data_folder() / "links" / "links.toml", load_sources())
    return tuple(root.each(_read_link).values())


@cache
def load_faults(folder: Traversable | None = None) -> Mapping[str, Fault]:
    """The known faults of the sources, by code. Raises VariantError."""
    root = open_toml((folder or data_folder()) / "faults.toml", load_sources())
    return root.each(_read_fault)


@cache
def load_statements(folder: Traversable | None = None) -> Mapping[str, Statement]:
    """The sentences of the rulebook that are not settings, in the order of the data. Raises
    VariantError.
    """
    folder = folder or data_folder() / "book"
    root = open_toml(folder / "statements.toml", load_sources())
    return root.each(_read_statement)


def load_order() -> tuple[VariantId, ...]:
    """The variants of the package in display order. Raises VariantError."""
    root = open_toml(data_folder() / "order.toml", {}).table("variants")
    return tuple(VariantId(name) for name in root.get("variants").texts())


# ---------------------------------------------------------------------------------- what it defines


def _read_source(name: str, entry: TomlValue) -> Source:
    entry.table("title sections", "notes")
    if name in entry.file.sources:
        entry.refuse("source-taken", name=name)
    sections = entry.get("sections").at_most(MOST_ENTRIES["sections"]).texts()
    notes = entry.get("notes", {}).at_most(MOST_ENTRIES["notes"]).each(lambda _, note: note.line())
    return Source(SourceId(name), entry.get("title").line(), sections, tuple(notes.items()))


def _read_setting(key: str, entry: TomlValue) -> Value:
    file = entry.file
    entry.with_value(key).among(SETTING_KEYS, "unknown-setting")
    value = entry.table("value", f"steps {CITE_KEYS}").value["value"]
    if key in MOST_ENTRIES:
        entry.with_value(value).at_most(MOST_ENTRIES[key])
    cited = Cited((), Standing.HOUSE)
    with file.going_on():
        of_whole = entry.cited()
        of_steps = entry.get("steps", {}).steps(key, value)
        cited = replace(of_whole, steps=of_steps)
    if key == "canastas" and file.own:
        value = entry.with_value(value).all_tables(_read_canasta)
    return Value(value, cited)


def _read_canasta(entry: TomlValue) -> dict[str, Any]:
    """A kind of canasta without its words."""
    required = "item points shape family"
    keys = [each.name for each in fields(CanastaKind)]
    optional = [key for key in keys if key not in required.split()]
    found = entry.table(required, " ".join((*optional, "words"))).value
    variant = entry.file.name.removesuffix(".toml")
    item = str(found["item"])
    family = str(found["family"])
    entry.name(f"item.{variant}.{item}", item)
    if family not in FAMILIES:
        entry.name(f"family.{variant}.{family}", family)
    return {key: value for key, value in found.items() if key != "words"}


def _read_option(key: str, entry: TomlValue) -> Option:
    is_amount = isinstance(entry.value, dict) and "step" in entry.value
    if is_amount:
        entry.table("step sets", f"values words {CITE_KEYS}")
    else:
        entry.table("default values", "words")
    entry.name(f"option.{key}", key)
    values = entry.get("values", []).at_most(MOST_ENTRIES["values"]).tables()
    if is_amount:
        return _read_amount(key, entry, values)
    return _read_choice(key, entry, values)


def _read_choice(key: str, entry: TomlValue, values: list[TomlValue]) -> Option:
    """An option with a list of values."""

    def read(each: TomlValue) -> OptionValue:
        return _read_option_value(key, entry, each.value)

    tables = [each.value for each in values]
    read_values = entry.with_value(tables).all_tables(read)
    option = Option(key, entry.value["default"], tuple(read_values))
    if option.value_of(option.default) is None:
        entry.refuse("no-such-value", "default")
    return option


def _read_amount(key: str, entry: TomlValue, values: list[TomlValue]) -> Option:
    """An option that is a number of points or hands; its values are those that sources name."""
    sets = entry.get("sets").among(SETTING_KEYS, "unknown-setting")
    step = entry.get("step").number(1, LARGEST)
    named = []
    for each in values:
        table = {**each.value, "set": {sets: each.value.get("is")}}
        named.append(_read_option_value(key, entry, table))
    for value in named:
        amount = value.value
        if type(amount) is not int or amount <= 0 or amount % step:
            entry.refuse("not-multiple", str(amount), step=step)
    return Option(key, None, tuple(named), step, sets, entry.cited())


def _read_option_value(key: str, option: TomlValue, table: Mapping[str, Any]) -> OptionValue:
    entry = option.with_value(table)
    entry.table("is", f"set only-sides reads steps words {CITE_KEYS}")
    value = table["is"]
    if not isinstance(value, str | int):
        entry.refuse("not-value")
    entry = entry.at(value)
    entry.name(f"option.{key}.{str(value).lower()}")
    sets = entry.get("set", {}).table("", " ".join(SETTING_KEYS)).value
    cited = entry.cited()
    cited_of = _citations_of_sets(entry, sets, cited)
    return OptionValue(value, sets, cited, cited_of, table.get("only-sides"))


def _citations_of_sets(entry: TomlValue, sets: Mapping[str, Any], cited: Cited) -> dict[str, Cited]:
    """The citation of each setting that a value of an option sets: the value's own, unless `steps`
    cites steps of the setting, or `reads` infers it.
    """
    keys = " ".join(sets)
    reads = entry.get("reads", {}).table("", keys).value
    steps = entry.get("steps", {}).table("", keys).value
    cited_of = dict.fromkeys(sets, cited)
    for name, table in steps.items():
        of_steps = entry.at(f"{name}.steps").with_value(table).steps(name, sets[name])
        cited_of[name] = replace(cited, steps=of_steps)
    for name, argument in reads.items():
        cited_of[name] = replace(cited_of[name], standing=Standing.READ, read=argument)
    return cited_of


def _read_preset(key: str, entry: TomlValue) -> Preset:
    entry.table("source options")
    source = entry.get("source").among(entry.file.sources, "unknown-source")
    options = entry.get("options").each(lambda _, chosen: chosen.value)
    return Preset(key, SourceId(source), options)


def _read_penalty(key: str, entry: TomlValue) -> PenaltyKind:
    entry.table("", f"points remedy words {CITE_KEYS}")
    with entry.file.going_on():
        entry.name(f"penalty.{key}", key)
    points = None
    if entry.has("points"):
        least, most, _ = LIMITS["penalties"]
        with entry.file.going_on():
            points = entry.get("points").number(least, most)
    return PenaltyKind(key, points, entry.value.get("remedy"), entry.cited())


def _read_free_irregularity(code: str, entry: TomlValue) -> FreeIrregularity:
    entry.table("game", f"remedy {CITE_KEYS}")
    game = entry.get("game").among(load_order(), "unknown-variant")
    return FreeIrregularity(code, entry.value.get("remedy"), entry.cited(), game)


def _read_bonus(code: str, entry: TomlValue) -> Bonus:
    entry.table("points", f"words {CITE_KEYS}")
    with entry.file.going_on():
        entry.name(f"bonus.{code}", code)
    points = 0
    with entry.file.going_on():
        points = entry.get("points").number(1, LIMITS["bonuses"][1])
    return Bonus(code, points, entry.cited())


def _read_rule(key: str, entry: TomlValue) -> Rule:
    entry.table("", "settings statements severity")
    severity = entry.get("severity", "error").among(("error", "warning"), "unknown-severity")
    settings = _all_settings(entry, entry.get("settings", []).texts())
    statements = entry.get("statements", []).all_among(GROUND_STATEMENTS, "unknown-key")
    if not settings and not statements:
        entry.refuse("missing", "settings")
    return Rule(key, severity, settings, statements)


def _read_fault(code: str, entry: TomlValue) -> Fault:
    """A known fault of a source: what it says wrongly, or what it omits; never both."""
    entry.table("touches known-by cite", "standing says omits")
    if entry.has("says") == entry.has("omits"):
        entry.refuse("says-or-omits")

    found = entry.value
    settings = []
    for ground in (*found.get("says", ()), *found.get("omits", ()), found["touches"]):
        if not ground.startswith("penalties/"):
            settings.append(ground.partition("/")[0])
    _all_settings(entry, settings)

    known_by = entry.with_value(found["known-by"]).citation()
    citations = entry.citations(found["cite"])
    return Fault(
        code=code,
        touches=found["touches"],
        known_by=str(known_by),
        cited=Cited(citations, Standing(found.get("standing", "stated"))),
    )


def _read_link(key: str, entry: TomlValue) -> Link:
    entry.table("kind rule", "of then between cite")
    kind = entry.get("kind").among(("moves", "asks", "needs"), "unknown-key")
    keys: tuple[str, ...]
    rules: Collection[str]
    if kind == "moves":
        keys = (entry.value["of"], entry.value["then"])
        rules = FOLLOWS
    else:
        keys = entry.get("between").texts()
        rules = RELATIONS
    for linked in keys:
        if linked.startswith(_SETTINGS):
            _all_settings(entry, [linked.removeprefix(_SETTINGS)])
    rule = entry.get("rule").among(rules, "unknown-rule")
    cite = entry.get("cite", [])
    return Link(key, kind, keys, rule, cite.citations(cite.texts()))


def _read_statement(name: str, entry: TomlValue) -> Statement:
    found = entry.table("section", f"after when unless differs instead {CITE_KEYS}").value
    after = found.get("after")
    when = found.get("when", {})
    unless = found.get("unless", {})
    settings = [*when, *unless]
    if after is not None:
        settings.append(after)
    _all_settings(entry, settings)
    return Statement(
        id=name,
        section=found["section"],
        after=after,
        when=when,
        unless=unless,
        cited=entry.cited(),
        differs=found.get("differs", False),
        instead=found.get("instead"),
    )


def _all_settings(entry: TomlValue, names: Iterable[str]) -> tuple[str, ...]:
    return entry.with_value(list(names)).all_among(SETTING_KEYS, "unknown-setting")


def _read_ends(entry: TomlValue) -> Ends:
    most = {"hands": MOST_HANDS, "minutes": MOST_MINUTES}
    entry.table("", " ".join(most))
    return Ends(**entry.each(lambda name, limit: limit.number(1, most[name])))


_TABLES: Mapping[str, Callable[[str, TomlValue], Any]] = {
    "settings": _read_setting,
    "options": _read_option,
    "presets": _read_preset,
    "penalties": _read_penalty,
    "checks": _read_rule,
    "lines": _read_rule,
    "bonuses": _read_bonus,
}
"""The tables of a file whose entries are read one by one, each with the function that reads an
entry.
"""


# -------------------------------------------------------------------------------------- the variant


def _read_variant(root: TomlValue, parent: Variant | None) -> Variant:
    file = root.file
    root.table("", " ".join((_FILE_KEYS, *_TABLES)))
    name = file.name.removesuffix(".toml")
    if root.value.get("id") != name:
        root.report("id", "id", id=name)
    if parent:
        file.known = {"penalty": parent.penalties, "option": parent.options, "item": ITEMS}

    own = _read_own_part(root, name, parent)
    if own.stated_by and own.inherits is None:
        root.refuse("stated-without-argument", "stated-by")
    if file.own:
        with file.going_on():
            _name_variant(root.get("words", {}).table("", " ".join(LANGUAGES)), name)
    if parent is None:
        return _with_ends(own)
    if file.own:
        own = _without_wrong(root, own, parent)
        if file.is_lost:
            return own
    return _with_ends(_heir(root, own, parent))


def _read_own_part(root: TomlValue, name: str, parent: Variant | None) -> Variant:
    """The variant as far as its file defines it."""
    file = root.file
    players = _read_players(root, parent)
    tables = {table: _read_entries(root.get(table, {}), read) for table, read in _TABLES.items()}
    if tables["bonuses"]:
        tables["lines"]["bonus"] = Rule("bonus", "error", ())
    ends = Ends()
    with file.going_on():
        ends = _read_ends(root.get("ends", {}))
    brought = root.value.get("sources", ())
    return Variant(
        id=VariantId(name),
        parent=parent.id if parent else None,
        players=players,
        **tables,
        entry_fields=root.get("entry-fields", []).texts(),
        inherits=root.value.get("inherits"),
        stated_by=root.get("stated-by", []).all_among(file.sources, "unknown-source"),
        ends=ends,
        words=file.words,
        sources={source: file.sources[source] for source in file.sources if source in brought},
    )


def _read_players(root: TomlValue, parent: Variant | None) -> Value:
    if root.has("players"):
        entry = root.get("players").table("value", CITE_KEYS)
        return Value(entry.value["value"], entry.cited())
    if parent is None:
        root.refuse("missing", "players")
    return parent.players


def _with_ends(variant: Variant) -> Variant:
    """A variant with the settings that follow from what ends its matches."""
    return replace(variant, settings={**variant.settings, **variant.ends.settings})


def _read_entries(table: TomlValue, read: Callable[[str, TomlValue], Any]) -> dict[str, Any]:
    """The entries of a table of the variant; those of one with too many are not read."""
    entries = dict[str, Any]()
    with table.file.going_on():
        if table.path in MOST_ENTRIES:
            table.at_most(MOST_ENTRIES[table.path])
        entries |= table.each(read)
    return entries


def _name_variant(words: TomlValue, variant: str) -> None:
    """Read the name of a user's own variant and what is special in it."""
    texts = words.each(lambda _, entry: entry.table("name", "special").value)
    for what, usual in (("name", variant), ("special", "")):
        given = {language: entry[what] for language, entry in texts.items() if what in entry}
        if not given:
            given = dict.fromkeys(LANGUAGES, usual)
        words.at(what).add_words(f"variant.{variant}.{what}", given)


def _without_wrong(root: TomlValue, own: Variant, parent: Variant) -> Variant:
    """A user's variant without the settings that cannot be, which are reported and listed as wrong
    in the file.
    """
    in_force = {**parent.settings, **own.settings}
    values = {key: value.value for key, value in in_force.items()}
    wrong = wrong_values(values, root, "settings")
    settings = {key: value for key, value in own.settings.items() if key not in wrong}
    written = root.value.get("settings", {})
    root.file.wrong = set()
    if isinstance(written, dict):
        root.file.wrong = {key for key in written if key not in settings}
    return replace(own, settings=settings)


_CitedEntry = TypeVar("_CitedEntry", Value, PenaltyKind)


def _heir(root: TomlValue, own: Variant, parent: Variant) -> Variant:
    """A variant with what it inherits from its parent; inherited values are cited for this variant."""
    _check_citations(root, own, parent)
    options = root.get("takes-options", []).all_among(parent.options, "unknown-option")
    presets = root.get("takes-presets", []).all_among(parent.presets, "unknown-preset")
    droppable = (*parent.checks, *parent.lines, *parent.penalties)
    drops = root.get("drops", []).all_among(droppable, "unknown-rule")
    taken_options = [parent.options[name] for name in options]
    if root.file.own:
        _check_taken_options(root, own, parent, taken_options)

    inherited = _inherited(own, parent.settings)
    penalties = _inherited(own, _without_dropped(parent.penalties, drops))
    moved: dict[str, Moved] = {}
    if root.file.own:
        moved = _find_moved(root, own, replace(parent, penalties=penalties))
    settings = {**inherited, **_moved_settings(moved), **own.settings}
    penalties |= _moved_penalties(moved, penalties)

    offered = {}
    for option in taken_options:
        if _can_choose(own, option):
            over = _inherited_option(own, parent, option)
            offered[option.id] = _following_own_limits(over, own, parent)
    for option in own.options.values():
        offered[option.id] = _with_what_follows(root, option, settings) if root.file.own else option

    return replace(
        own,
        settings=settings,
        options=offered,
        presets={**{name: parent.presets[name] for name in presets}, **own.presets},
        penalties={**penalties, **own.penalties},
        moved={key: each.cause for key, each in moved.items()},
        checks={**_without_dropped(parent.checks, drops), **own.checks},
        lines={**_without_dropped(parent.lines, drops), **own.lines},
        entry_fields=(*parent.entry_fields, *own.entry_fields),
        inherits=own.inherits or parent.inherits,
        stated_by=own.stated_by or parent.stated_by,
        bonuses={**parent.bonuses, **own.bonuses},
        ends=own.ends if own.ends != Ends() else parent.ends,
    )


def _check_citations(root: TomlValue, own: Variant, parent: Variant) -> None:
    """Refuse a value that differs from the parent's with the parent's citations, except as an
    inference.
    """
    for key, value in own.settings.items():
        was = parent.settings[key]
        is_stated = value.cited.standing is Standing.STATED
        is_kept = is_stated and value.cited.citations == was.cited.citations
        if is_kept and value.value != was.value:
            root.report("kept-citations", f"settings.{key}", parent=parent.id)


def _check_taken_options(
    root: TomlValue, own: Variant, parent: Variant, options: Iterable[Option]
) -> None:
    """Refuse options of the parent that decide what a user's file decides itself."""
    changed = set()
    for key, value in own.settings.items():
        if value.value != parent.settings[key].value:
            changed.add(key)
    for option in options:
        decided = changed & _decides(option)
        is_amount = option.sets is not None and _can_choose(own, option)
        if decided and not is_amount:
            setting = min(decided)
            root.report("option-decided", "takes-options", name=option.id, setting=setting)


def _decides(option: Option) -> set[str]:
    """The settings that an option may change."""
    if option.sets:
        return {option.sets}
    decided = set[str]()
    for value in option.values:
        decided.update(value.sets)
    return decided


def _without_dropped(entries: Mapping[str, _Read], drops: Collection[str]) -> dict[str, _Read]:
    return {key: entry for key, entry in entries.items() if key not in drops}


def _inherited(own: Variant, entries: Mapping[str, _CitedEntry]) -> dict[str, _CitedEntry]:
    """Entries of the parent, cited for the variant."""
    if own.inherits is None:
        return dict(entries)
    found = {}
    for key, entry in entries.items():
        cited = entry.cited.inherited(own.inherits, own.stated_by)
        found[key] = replace(entry, cited=cited)
    return found


def _find_moved(root: TomlValue, own: Variant, parent: Variant) -> dict[str, Moved]:
    """What follows from the values that a user's file gives; those that do not fit each other are
    reported.
    """
    links = load_links()
    usual = values_by_key(parent)
    given = values_by_key(own)
    moved = moved_values(links, usual, given)
    now = {**usual, **given, **_values_moved(moved)}
    for key in root.file.wrong:
        now.pop(f"settings.{key}", None)
    report_broken_links(root, links, usual, given, now)
    return moved


def _values_moved(moved: Mapping[str, Moved]) -> dict[str, Any]:
    """The values that moved, by key."""
    return {key: each.value for key, each in moved.items()}


def _moved_settings(moved: Mapping[str, Moved]) -> dict[str, Value]:
    """The settings that moved: no source states them."""
    found = {}
    for key, value in _values_moved(moved).items():
        if key.startswith(_SETTINGS):
            found[key.removeprefix(_SETTINGS)] = Value(value, Cited((), Standing.HOUSE))
    return found


def _moved_penalties(
    moved: Mapping[str, Moved], penalties: Mapping[str, PenaltyKind]
) -> dict[str, PenaltyKind]:
    """The penalties that moved: no source states them."""
    found = {}
    for key, points in _values_moved(moved).items():
        if key.startswith(_PENALTIES):
            code = key.removeprefix(_PENALTIES)
            cited = Cited((), Standing.HOUSE)
            found[code] = replace(penalties[code], points=points, cited=cited)
    return found


def _by_key(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The values of settings, by their names, as values by key."""
    return {f"{_SETTINGS}{name}": value for name, value in settings.items()}


def _with_what_follows(root: TomlValue, option: Option, settings: Mapping[str, Value]) -> Option:
    """An option of a user's file with what follows from its values; those that do not fit are
    reported.
    """
    links = load_links()
    entry = root.get("options").get(option.id)
    in_force = {key: value.value for key, value in settings.items()}
    usual = _by_key(in_force)
    values = []
    for value in option.values:
        if wrong_values({**in_force, **value.sets}, root, entry.path):
            continue
        sets = _by_key(value.sets)
        moved = _values_moved(moved_values(links, usual, sets))
        given = {**sets, **moved}
        report_broken_links(entry, links, usual, given, {**usual, **given})
        found = {key.removeprefix(_SETTINGS): each for key, each in moved.items()}
        values.append(_with_sets(value, found))
    return replace(option, values=tuple(values))


def _with_sets(value: OptionValue, moved: Mapping[str, Any]) -> OptionValue:
    """A value of an option that sets these settings too, which no source states."""
    cited_of = {**value.cited_of, **dict.fromkeys(moved, Cited((), Standing.HOUSE))}
    return replace(value, sets={**value.sets, **moved}, cited_of=cited_of)


def _can_choose(own: Variant, option: Option) -> bool:
    """Whether an option offers a choice: an amount needs a variant whose own value is a number."""
    decided = own.settings.get(option.sets or "")
    return decided is None or isinstance(decided.value, int)


def _following_own_limits(option: Option, own: Variant, parent: Variant) -> Option:
    """An option whose values also follow what the file of a variant changes: a limit, in the
    canastas that it sets.
    """
    links = load_links()
    given = values_by_key(own)
    values = []
    for value in option.values:
        usual = {**values_by_key(parent), **_by_key(value.sets)}
        known = {key: each for key, each in given.items() if key in usual}
        moved = _values_moved(moved_values(links, usual, known))
        found = {}
        for name in value.sets:
            key = f"{_SETTINGS}{name}"
            if key in moved:
                found[name] = moved[key]
        values.append(_with_sets(value, found))
    return replace(option, values=tuple(values))


def _inherited_option(own: Variant, parent: Variant, option: Option) -> Option:
    """An option of the parent, cited for the variant; its default is the value that the variant
    itself sets.
    """
    values = list(option.values)
    changed = _first_changed(own, parent, option)
    if changed is not None:
        cited = own.settings[changed].cited
        for number, each in enumerate(values):
            if not each.sets:
                values[number] = replace(each, cited=cited)
    # If no source states the rest of the variant, the options are those of the parent's sources.
    if own.stated_by and own.inherits is not None:
        taken = partial(Cited.inherited, argument=own.inherits, stated_by=own.stated_by)
        for number, each in enumerate(values):
            cited_of = {key: taken(cited) for key, cited in each.cited_of.items()}
            values[number] = replace(each, cited=taken(each.cited), cited_of=cited_of)
    return replace(option, values=tuple(values))


def _first_changed(own: Variant, parent: Variant, option: Option) -> str | None:
    """The first setting that an option's values set and that the variant itself changes."""
    decided = set[str]()
    for value in option.values:
        decided.update(value.sets)
    for key in sorted(decided & own.settings.keys()):
        if own.settings[key].value != parent.settings[key].value:
            return key
    return None
