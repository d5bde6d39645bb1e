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
from scorepad.rules.completeness import LIMITS, check_entries, check_figures, wrong_values
from scorepad.rules.definitions import (
    SETTING_KEYS,
    Bonus,
    Cited,
    Ends,
    Fault,
    FreeIrregularity,
    Option,
    OptionValue,
    Penalty,
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
from scorepad.rules.links import FOLLOWS, RELATIONS, Link, figures_of, moved_figures, report_unfit
from scorepad.rules.score_lines import ITEMS
from scorepad.rules.settings import LARGEST, CanastaKind
from scorepad.rules.toml_reader import CITE_KEYS, LANGUAGES, MOST_MISTAKES, TomlValue, open_file

_FILE_KEYS = "id extends players takes-options takes-presets entry-fields drops inherits stated-by ends words sources"
FAMILIES = ("natural", "mixed", "sequence", "wild", "any")
"""The families of canastas with words of their own; any other is named after its canastas."""
MOST_HANDS, MOST_MINUTES = 99, 24 * 60
"""The limits of hands, and of minutes, that may end a match."""
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
    sources = open_file((folder or data_folder()) / "sources.toml", {}).each(_source)
    return {SourceId(name): source for name, source in sources.items()}


def load_variant(
    root: TomlValue, parent_of: Callable[[str], Variant], parents: Collection[str] | None = None
) -> Variant:
    """Read one variant from the root of its file, including what it inherits. Raises VariantError.

    `parents` are the variants that a user's file may extend; None for a file of the package.
    """
    if parents is not None:
        return _load_own(root, parent_of, parents)
    variant = _variant(root, parent_of(root.value["extends"]) if "extends" in root.value else None)
    check_entries(variant, root)
    check_figures(variant, root)
    return variant


def _load_own(
    root: TomlValue, parent_of: Callable[[str], Variant], parents: Collection[str]
) -> Variant:
    """Read the variant of a user's file. Raises VariantError with all of its mistakes."""
    with root.file.going_on():
        brought = root.get("sources", {}).at_most(MOST_ENTRIES["sources"]).each(_source)
        root.file.sources |= {source.id: source for source in brought.values()}
    extends = root.value.get("extends")
    if extends in parents:
        variant = _variant(root, parent_of(extends))
        wrong = root.file.wrong
        check_entries(variant, root)
        check_figures(variant, root, wrong)
    else:
        with root.file.going_on():
            if extends is None:
                root.refuse("missing", "extends")
            root.get("extends").among(parents, "unknown-variant")
        # What the file means depends on its parent. Its values can be judged by any.
        root.file.is_lost = True
        variant = _variant(root, parent_of(next(iter(parents))))
    if root.file.troubles:
        raise _in_one(root.file.troubles)
    return variant


def _in_one(mistakes: Iterable[VariantError]) -> VariantError:
    """The first mistake of a file by its line, with the others; of many, the number of those beyond
    the first ones.
    """
    different = {str(mistake): mistake for mistake in mistakes}.values()
    first, *others = sorted(different, key=lambda mistake: mistake.line or 0)
    told = others[: MOST_MISTAKES - 1]
    first.others = tuple(told)
    first.more = len(others) - len(told)
    return first


@cache
def load_irregularities() -> Mapping[str, Mapping[str, FreeIrregularity]]:
    """Irregularities that cost no points, by their condition and code. Raises VariantError."""
    file = open_file(data_folder() / "irregularities" / "irregularities.toml", load_sources())
    return file.each(lambda _, listed: listed.each(_free_irregularity))


@cache
def load_links() -> tuple[Link, ...]:
    """The figures that hang together, in the order of the data. Raises VariantError."""
    return tuple(
        open_file(data_folder() / "links" / "links.toml", load_sources()).each(_link).values()
    )


@cache
def load_faults(folder: Traversable | None = None) -> Mapping[str, Fault]:
    """The known faults of the sources, by code. Raises VariantError."""
    return open_file((folder or data_folder()) / "faults.toml", load_sources()).each(_fault)


@cache
def load_statements(folder: Traversable | None = None) -> Mapping[str, Statement]:
    """The sentences of the rulebook that are not settings, in the order of the data. Raises
    VariantError.
    """
    return open_file((folder or data_folder() / "book") / "statements.toml", load_sources()).each(
        _statement
    )


def load_order() -> tuple[VariantId, ...]:
    """The variants of the package in display order. Raises VariantError."""
    return tuple(
        map(
            VariantId,
            open_file(data_folder() / "order.toml", {}).table("variants").get("variants").texts(),
        )
    )


# ---------------------------------------------------------------------------------- what it defines


def _source(name: str, entry: TomlValue) -> Source:
    entry.table("title sections", "notes")
    if name in entry.file.sources:
        entry.refuse("source-taken", name=name)
    sections = entry.get("sections").at_most(MOST_ENTRIES["sections"]).texts()
    notes = entry.get("notes", {}).at_most(MOST_ENTRIES["notes"]).each(lambda _, note: note.line())
    return Source(SourceId(name), entry.get("title").line(), sections, tuple(notes.items()))


def _setting(key: str, entry: TomlValue) -> Value:
    replace(entry, value=key).among(SETTING_KEYS, "unknown-setting")
    value = entry.table("value", f"steps {CITE_KEYS}").value["value"]
    if key in MOST_ENTRIES:
        replace(entry, value=value).at_most(MOST_ENTRIES[key])
    cited = Cited((), Standing.HOUSE)
    with entry.file.going_on():
        cited = replace(entry.cited(), steps=entry.get("steps", {}).steps(key, value))
    if key == "canastas" and entry.file.own:
        value = replace(entry, value=value).all_tables(_canasta)
    return Value(value, cited)


def _canasta(entry: TomlValue) -> dict[str, Any]:
    """A kind of canasta without its words."""
    keys = [each.name for each in fields(CanastaKind)]
    found = entry.table(" ".join(keys[:4]), " ".join((*keys[4:], "words"))).value
    variant, item, family = (
        entry.file.name.removesuffix(".toml"),
        str(found["item"]),
        str(found["family"]),
    )
    entry.name(f"item.{variant}.{item}", item)
    if family not in FAMILIES:
        entry.name(f"family.{variant}.{family}", family)
    return {key: value for key, value in entry.value.items() if key != "words"}


def _option(key: str, entry: TomlValue) -> Option:
    is_amount = isinstance(entry.value, dict) and "step" in entry.value
    entry.table(
        *("step sets", f"values words {CITE_KEYS}") if is_amount else ("default values", "words")
    )
    entry.name(f"option.{key}", key)
    values = [
        each.value for each in entry.get("values", []).at_most(MOST_ENTRIES["values"]).tables()
    ]
    if not is_amount:
        read = replace(entry, value=values).all_tables(
            lambda each: _option_value(key, entry, each.value)
        )
        option = Option(key, entry.value["default"], tuple(read))
        if option.value_of(option.default) is None:
            entry.refuse("no-such-value", "default")
        return option
    sets, step = (
        entry.get("sets").among(SETTING_KEYS, "unknown-setting"),
        entry.get("step").number(1, LARGEST),
    )
    named = tuple(
        _option_value(key, entry, {**each, "set": {sets: each.get("is")}}) for each in values
    )
    for each in named:
        if type(each.value) is not int or each.value <= 0 or each.value % step:
            entry.refuse("not-multiple", str(each.value), step=step)
    return Option(key, None, named, step, sets, entry.cited())


def _option_value(key: str, option: TomlValue, table: Mapping[str, Any]) -> OptionValue:
    entry = replace(option, value=table).table(
        "is", f"set only-sides reads steps words {CITE_KEYS}"
    )
    value = table["is"]
    if not isinstance(value, str | int):
        entry.refuse("not-value")
    entry = entry.at(value)
    entry.name(f"option.{key}.{str(value).lower()}")
    sets = entry.get("set", {}).table("", " ".join(SETTING_KEYS)).value
    reads = entry.get("reads", {}).table("", " ".join(sets)).value
    cited, steps = entry.cited(), entry.get("steps", {}).table("", " ".join(sets)).value
    cited_of = dict.fromkeys(sets, cited)
    for name in steps:
        of_steps = replace(entry.at(f"{name}.steps"), value=steps[name]).steps(name, sets[name])
        cited_of[name] = replace(cited, steps=of_steps)
    for name, argument in reads.items():  # its source does not state this setting directly
        cited_of[name] = replace(cited_of[name], standing=Standing.READ, read=argument)
    return OptionValue(value, sets, cited, cited_of, table.get("only-sides"))


def _preset(key: str, entry: TomlValue) -> Preset:
    source = SourceId(
        entry.table("source options").get("source").among(entry.file.sources, "unknown-source")
    )
    return Preset(key, source, entry.get("options").each(lambda _, chosen: chosen.value))


def _penalty(key: str, entry: TomlValue) -> Penalty:
    entry.table("", f"points remedy words {CITE_KEYS}")
    with entry.file.going_on():
        entry.name(f"penalty.{key}", key)
    points = None
    with entry.file.going_on():
        points = (
            entry.get("points").number(*LIMITS["penalties"][:2])
            if "points" in entry.value
            else None
        )
    return Penalty(key, points, entry.value.get("remedy"), entry.cited())


def _free_irregularity(code: str, entry: TomlValue) -> FreeIrregularity:
    entry.table("game", f"remedy {CITE_KEYS}")
    game = entry.get("game").among(load_order(), "unknown-variant")
    return FreeIrregularity(code, entry.value.get("remedy"), entry.cited(), game)


def _bonus(code: str, entry: TomlValue) -> Bonus:
    entry.table("points", f"words {CITE_KEYS}")
    with entry.file.going_on():
        entry.name(f"bonus.{code}", code)
    points = 0
    with entry.file.going_on():
        points = entry.get("points").number(1, LIMITS["bonuses"][1])
    return Bonus(code, points, entry.cited())


def _rule(key: str, entry: TomlValue) -> Rule:
    given = entry.table("settings", "severity").get("severity", "error")
    severity = given.among(("error", "warning"), "unknown-severity")
    return Rule(key, severity, _all_settings(entry, entry.get("settings").texts()))


def _fault(key: str, entry: TomlValue) -> Fault:
    found = entry.table("touches known-by cite", "standing says omits").value
    if ("says" in found) is ("omits" in found):
        entry.refuse("says-or-omits")
    about = (*found.get("says", ()), *found.get("omits", ()), found["touches"])
    _all_settings(
        entry, (name.partition("/")[0] for name in about if not name.startswith("penalties/"))
    )
    known_by, *cited = (
        replace(entry, value=text).citation() for text in (found["known-by"], *found["cite"])
    )
    return Fault(
        key,
        found["touches"],
        str(known_by),
        Cited(tuple(cited), Standing(found.get("standing", "stated"))),
    )


def _link(key: str, entry: TomlValue) -> Link:
    kind = (
        entry.table("kind rule", "of then between cite")
        .get("kind")
        .among(("moves", "asks", "needs"), "unknown-key")
    )
    is_moving = kind == "moves"
    between = (
        (entry.value["of"], entry.value["then"]) if is_moving else entry.get("between").texts()
    )
    for ground in between:
        if ground.startswith("settings."):
            _all_settings(entry, [ground.removeprefix("settings.")])
    rule = entry.get("rule").among(FOLLOWS if is_moving else RELATIONS, "unknown-rule")
    cite = entry.get("cite", [])
    return Link(
        key,
        kind,
        between,
        rule,
        tuple(replace(cite, value=text).citation() for text in cite.texts()),
    )


def _statement(name: str, entry: TomlValue) -> Statement:
    found = entry.table("section", f"after when unless differs instead {CITE_KEYS}").value
    when, unless, after = found.get("when", {}), found.get("unless", {}), found.get("after")
    _all_settings(entry, (*when, *unless, *filter(None, [after])))
    differs, instead = found.get("differs", False), found.get("instead")
    return Statement(name, found["section"], after, when, unless, entry.cited(), differs, instead)


def _all_settings(entry: TomlValue, names: Iterable[str]) -> tuple[str, ...]:
    return replace(entry, value=list(names)).all_among(SETTING_KEYS, "unknown-setting")


def _ends(entry: TomlValue) -> Ends:
    most = {"hands": MOST_HANDS, "minutes": MOST_MINUTES}
    entry.table("", " ".join(most))
    return Ends(**entry.each(lambda name, figure: figure.number(1, most[name])))


_TABLES: Mapping[str, Callable[[str, TomlValue], Any]] = {
    "settings": _setting, "options": _option, "presets": _preset, "penalties": _penalty, "checks": _rule,
    "lines": _rule, "bonuses": _bonus,
}  # fmt: skip
"""The tables of a file whose entries are read one by one, each with the function that reads an
entry.
"""


# -------------------------------------------------------------------------------------- the variant


def _variant(root: TomlValue, parent: Variant | None) -> Variant:
    raw, name = (
        root.table("", " ".join((_FILE_KEYS, *_TABLES))).value,
        root.file.name.removesuffix(".toml"),
    )
    if raw.get("id") != name:
        root.report("id", "id", id=name)
    if parent:
        root.file.known = {"penalty": parent.penalties, "option": parent.options, "item": ITEMS}
    if "players" in raw:
        players = Value(
            root.get("players").table("value", CITE_KEYS).value["value"],
            root.get("players").cited(),
        )
    elif parent:
        players = parent.players
    else:
        root.refuse("missing", "players")
    tables = {name: _entries(root.get(name, {}), read) for name, read in _TABLES.items()}
    if tables["bonuses"]:
        tables["lines"]["bonus"] = Rule("bonus", "error", ())
    ends = Ends()
    with root.file.going_on():
        ends = _ends(root.get("ends", {}))
    own = Variant(
        id=VariantId(name),
        parent=parent.id if parent else None,
        players=players,
        **tables,
        entry_fields=root.get("entry-fields", []).texts(),
        inherits=raw.get("inherits"),
        stated_by=root.get("stated-by", []).all_among(root.file.sources, "unknown-source"),
        ends=ends,
        words=root.file.words,
        sources={
            each: source
            for each, source in root.file.sources.items()
            if each in raw.get("sources", ())
        },
    )
    if own.stated_by and own.inherits is None:
        root.refuse("stated-without-argument", "stated-by")
    if root.file.own:
        with root.file.going_on():
            _name_variant(root.get("words", {}).table("", " ".join(LANGUAGES)), name)
    if root.file.own and parent:
        own = _without_wrong(root, own, parent)
        if root.file.is_lost:
            return own
    whole = _heir(root, own, parent) if parent else own
    return replace(whole, settings={**whole.settings, **whole.ends.settings})


def _entries(table: TomlValue, read: Callable[[str, TomlValue], Any]) -> dict[str, Any]:
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
        words.at(what).add_words(
            f"variant.{variant}.{what}", given or dict.fromkeys(LANGUAGES, usual)
        )


def _without_wrong(root: TomlValue, own: Variant, parent: Variant) -> Variant:
    """A user's variant without the settings that cannot be, which are reported and noted in the
    file.
    """
    values = {key: value.value for key, value in {**parent.settings, **own.settings}.items()}
    told = wrong_values(values, root, "settings")
    settings = {key: value for key, value in own.settings.items() if key not in told}
    written = root.value.get("settings", {})
    root.file.wrong = (
        {key for key in written if key not in settings} if isinstance(written, dict) else set()
    )
    return replace(own, settings=settings)


_CitedEntry = TypeVar("_CitedEntry", Value, Penalty)


def _heir(root: TomlValue, own: Variant, parent: Variant) -> Variant:
    """A variant with what it inherits from its parent, cited for this variant."""

    def taken(entries: Mapping[str, _CitedEntry]) -> dict[str, _CitedEntry]:
        if own.inherits is None:
            return dict(entries)
        argument, stated_by = own.inherits, own.stated_by
        return {
            key: replace(each, cited=each.cited.inherited(argument, stated_by))
            for key, each in entries.items()
        }

    for key, value in own.settings.items():
        # A value that differs from the parent's cannot use the parent's citation, except as an
        # inference.
        was = parent.settings[key]
        kept = (
            value.cited.standing is Standing.STATED and value.cited.citations == was.cited.citations
        )
        if kept and value.value != was.value:
            root.report("kept-citations", f"settings.{key}", parent=parent.id)
    options = root.get("takes-options", []).all_among(parent.options, "unknown-option")
    presets = root.get("takes-presets", []).all_among(parent.presets, "unknown-preset")
    drops = root.get("drops", []).all_among(
        (*parent.checks, *parent.lines, *parent.penalties), "unknown-rule"
    )

    chosen = [parent.options[name] for name in options if _can_choose(own, parent.options[name])]
    changed = {
        key for key, value in own.settings.items() if value.value != parent.settings[key].value
    }
    for option in (parent.options[name] for name in options if root.file.own):
        decides = (
            {option.sets} if option.sets else {key for value in option.values for key in value.sets}
        )
        if changed & decides and (option.sets is None or option not in chosen):
            root.report(
                "option-decided", "takes-options", name=option.id, setting=min(changed & decides)
            )

    def left(entries: Mapping[str, _Read]) -> dict[str, _Read]:
        return {key: entry for key, entry in entries.items() if key not in drops}

    house = Cited((), Standing.HOUSE)
    settings, penalties = taken(parent.settings), taken(left(parent.penalties))
    moved = _moved(root, own, replace(parent, penalties=penalties)) if root.file.own else {}
    for ground, (_, figure) in moved.items():
        kind, _, name = ground.partition(".")
        if kind == "settings":
            settings[name] = Value(figure, house)
        else:
            penalties[name] = replace(penalties[name], points=figure, cited=house)
    settings |= own.settings
    offered = {
        each.id: _option_moved(_option_over(own, parent, each), own, parent) for each in chosen
    }
    for option in own.options.values():
        offered[option.id] = _own_option(root, option, settings) if root.file.own else option
    return replace(
        own,
        settings=settings,
        options=offered,
        presets={**{name: parent.presets[name] for name in presets}, **own.presets},
        penalties={**penalties, **own.penalties},
        moved={ground: cause for ground, (cause, _) in moved.items()},
        checks={**left(parent.checks), **own.checks},
        lines={**left(parent.lines), **own.lines},
        entry_fields=(*parent.entry_fields, *own.entry_fields),
        inherits=own.inherits or parent.inherits,
        stated_by=own.stated_by or parent.stated_by,
        bonuses={**parent.bonuses, **own.bonuses},
        ends=own.ends if own.ends != Ends() else parent.ends,
    )


def _moved(root: TomlValue, own: Variant, parent: Variant) -> dict[str, tuple[str, Any]]:
    """What follows from the figures that a user's file gives; those that do not fit each other are
    reported.
    """
    usual, given = figures_of(parent), figures_of(own)
    moved = moved_figures(load_links(), usual, given)
    now = {**usual, **given, **{ground: figure for ground, (_, figure) in moved.items()}}
    for key in root.file.wrong:
        now.pop(f"settings.{key}", None)
    report_unfit(root, load_links(), usual, given, now)
    return moved


def _own_option(root: TomlValue, option: Option, settings: Mapping[str, Value]) -> Option:
    """An option of a user's file with what follows from its values; those that do not fit are
    reported.
    """
    entry = root.get("options").get(option.id)
    in_force = {key: value.value for key, value in settings.items()}
    usual = {f"settings.{key}": figure for key, figure in in_force.items()}
    values = []
    for value in option.values:
        if wrong_values({**in_force, **value.sets}, root, entry.path):
            continue
        sets = {f"settings.{key}": figure for key, figure in value.sets.items()}
        moved = {
            ground: figure
            for ground, (_, figure) in moved_figures(load_links(), usual, sets).items()
        }
        report_unfit(entry, load_links(), usual, {**sets, **moved}, {**usual, **sets, **moved})
        found = {ground.removeprefix("settings."): figure for ground, figure in moved.items()}
        values.append(_with_sets(value, found))
    return replace(option, values=tuple(values))


def _with_sets(value: OptionValue, moved: Mapping[str, Any]) -> OptionValue:
    """A value of an option that sets these settings too, which no source states."""
    cited_of = {**value.cited_of, **dict.fromkeys(moved, Cited((), Standing.HOUSE))}
    return replace(value, sets={**value.sets, **moved}, cited_of=cited_of)


def _can_choose(own: Variant, option: Option) -> bool:
    """Whether an option offers a choice: an amount needs a variant whose own value is a figure."""
    decided = own.settings.get(option.sets or "")
    return decided is None or isinstance(decided.value, int)


def _option_moved(option: Option, own: Variant, parent: Variant) -> Option:
    """An option whose values also follow what the file of a variant changes: a limit, in the
    canastas that it sets.
    """
    given = figures_of(own)
    values = []
    for value in option.values:
        usual = {
            **figures_of(parent),
            **{f"settings.{key}": figure for key, figure in value.sets.items()},
        }
        moved = moved_figures(
            load_links(), usual, {ground: given[ground] for ground in given if ground in usual}
        )
        found = {
            key: moved[f"settings.{key}"][1] for key in value.sets if f"settings.{key}" in moved
        }
        values.append(_with_sets(value, found))
    return replace(option, values=tuple(values))


def _option_over(own: Variant, parent: Variant, option: Option) -> Option:
    """An option of the parent, cited for the variant; its default is the value that the variant
    itself sets.
    """
    decided = {key for value in option.values for key in value.sets} & own.settings.keys()
    changed = [
        key for key in sorted(decided) if own.settings[key].value != parent.settings[key].value
    ]
    values = option.values
    if changed:
        cited = own.settings[changed[0]].cited
        values = tuple(value if value.sets else replace(value, cited=cited) for value in values)
    # If no source states the rest of the variant, the options are those of the parent's sources.
    if own.stated_by and own.inherits is not None:
        taken = partial(Cited.inherited, argument=own.inherits, stated_by=own.stated_by)
        values = tuple(
            replace(
                value,
                cited=taken(value.cited),
                cited_of={key: taken(cited) for key, cited in value.cited_of.items()},
            )
            for value in values
        )
    return replace(option, values=values)
