"""Read the data files of the variants. Unknown, missing or uncited entries are refused with file, key and line.

A file holds the tables `settings`, `options`, `presets`, `penalties`, `checks` and `lines` as far as the variant
defines them; the rest is inherited from the variant that it `extends`. Every value is written as
`{ value = …, cite = ["SOURCE:section"] }`; an inferred value has `standing = "read"` and names its argument
(`read = "…"`). A value of an option with single inferred settings names their arguments (`reads = { drawn = "…" }`).

A value that is a table may cite single steps separately, each with its value, in a table `steps` of the setting, or
of the option's value by setting (`500 = { says = 50, cite = […] }`, see `definitions.steps_of`).

The file of a user's own variant also holds what the package stores elsewhere: its `words`, the `sources` that it
cites, the argument of an inference as text, and words for each option, penalty, bonus and canasta that it adds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import fields, replace
from functools import cache, partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from scorepad.rules.cards import KINDS, NATURAL_INDICES, RED_THREE, in_decks
from scorepad.rules.checks import CHECKS, SMALLEST_POINTS
from scorepad.rules.definitions import (
    SETTING_KEYS,
    Bonus,
    Cited,
    Ends,
    Fault,
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
    steps_of,
)
from scorepad.rules.score import ITEMS, LINES
from scorepad.rules.settings import LARGEST, CanastaKind, Settings
from scorepad.rules.toml_reader import CITE_KEYS, LANGUAGES, TomlValue, open_file

_FILE_KEYS = "id extends players takes-options takes-presets entry-fields drops inherits stated-by ends words sources"
FAMILIES = ("natural", "mixed", "sequence", "wild", "any")
"""The families of canastas with words of their own; any other is named after its canastas."""
MOST_HANDS, MOST_MINUTES = 99, 24 * 60
"""The limits of hands, and of minutes, that may end a match."""
LIMITS: Mapping[str, tuple[int, int, int]] = {
    "canastas": (0, 5000, 5), "concealed-canasta": (0, 5000, 5), "out-bonus": (0, 5000, 5),
    "concealed-out-bonus": (0, 5000, 5), "red-three-values": (0, 9000, 5), "held-red-three": (0, 5000, 5),
    "opening-steps": (0, 1000, 5), "opening-below-zero": (0, 1000, 5), "opening-deals": (0, 1000, 5),
    "canastas-needed": (0, 7, 1), "canasta-families-needed": (0, 7, 1), "target": (5, 100_000, 5), "decks": (1, 8, 1),
    "dealt": (3, 26, 1), "drawn": (1, 4, 1), "wild-limit": (0, 6, 1), "card-points": (0, 500, 5),
    "left-black-three": (0, 500, 5), "penalties": (0, 5000, 5), "bonuses": (5, 5000, 5), "hands-each": (1, 99, 1),
    "meld-shortest": (1, 99, 1), "canasta-length": (1, 99, 1),
}  # fmt: skip
"""Minimum and maximum of figures, and the step of points (in units 1)."""
MOST_SIDES, MOST_PLAYERS = 3, 4
"""The maximum number of sides of a match, and of players of a side."""
_RANKS = tuple(KINDS[index].value for index in NATURAL_INDICES)
_OTHER_LINES = ITEMS[ITEMS.index("concealed-canasta") :]
"""Items of a score that a canasta may not use."""

_Read = TypeVar("_Read")
_Sources = Mapping[SourceId, Source]


def data_folder() -> Traversable:
    """The folder of the variants shipped with scorepad."""
    return files("scorepad.variants")


@cache
def load_sources(folder: Traversable | None = None) -> Mapping[SourceId, Source]:
    """The sources that may be cited, by id: those of scorepad, or of another folder. Raises VariantError."""
    sources = open_file((folder or data_folder()) / "sources.toml", {}).each(_source)
    return {SourceId(name): source for name, source in sources.items()}


def load_variant(
    file: Traversable, sources: _Sources, parent_of: Callable[[str], Variant], parents: Collection[str] | None = None
) -> Variant:
    """Read one variant's file, including what it inherits. Raises VariantError.

    `parents` are the variants that a user's file may extend; None for a file of the package.
    """
    root = open_file(file, sources, own=parents is not None)
    if root.file.own:
        root.file.sources |= {source.id: source for source in root.get("sources", {}).each(_source).values()}
    if parents is not None and "extends" in root.value:
        root.get("extends").among(parents, "unknown-variant")
    variant = _variant(root, parent_of)
    for check in (_check, _check_figures):
        if not root.file.troubles:
            check(variant, root)
    if root.file.troubles:
        found = {str(trouble): trouble for trouble in root.file.troubles}.values()
        first, *others = sorted(found, key=lambda trouble: trouble.line or 0)
        first.others = tuple(others)
        raise first
    return variant


@cache
def load_irregularities() -> Mapping[str, Mapping[str, Penalty]]:
    """Irregularities that cost no points, by their condition and code. Raises VariantError."""
    file = open_file(data_folder() / "irregularities" / "irregularities.toml", load_sources())
    return file.each(lambda _, listed: listed.each(_penalty))


@cache
def load_faults(folder: Traversable | None = None) -> Mapping[str, Fault]:
    """The known faults of the sources, by code. Raises VariantError."""
    return open_file((folder or data_folder()) / "faults.toml", load_sources()).each(_fault)


@cache
def load_statements(folder: Traversable | None = None) -> Mapping[str, Statement]:
    """The sentences of the rulebook that are not settings, in the order of the data. Raises VariantError."""
    return open_file((folder or data_folder() / "book") / "statements.toml", load_sources()).each(_statement)


def load_order() -> tuple[VariantId, ...]:
    """The variants of the package in display order. Raises VariantError."""
    return tuple(map(VariantId, open_file(data_folder() / "order.toml", {}).table("variants").get("variants").texts()))


# Built on first use, to keep the start of the program fast.
@cache
def _settings_form() -> TypeAdapter[Settings]:
    return TypeAdapter(Settings)


def build_settings(values: Mapping[str, Any]) -> Settings:
    """Settings from the values of the data, by key. Raises pydantic's ValidationError."""
    return _settings_form().validate_python({key.replace("-", "_"): value for key, value in values.items()})


# ------------------------------------------------------------------------------------------------ what it defines


def _source(name: str, entry: TomlValue) -> Source:
    entry.table("title sections", "notes")
    if name in entry.file.sources:
        entry.refuse("source-taken", name=name)
    sections, notes = entry.get("sections").texts(), entry.get("notes", {}).each(lambda _, note: note.line())
    return Source(SourceId(name), entry.get("title").line(), sections, tuple(notes.items()))


def _setting(key: str, entry: TomlValue) -> Value:
    replace(entry, value=key).among(SETTING_KEYS, "unknown-setting")
    value = entry.table("value", f"steps {CITE_KEYS}").value["value"]
    if key == "canastas" and entry.file.own:
        value = [_canasta(each) for each in replace(entry, value=value).tables()]
    return Value(value, replace(entry.cited(), steps=entry.get("steps", {}).steps(key, value)))


def _canasta(entry: TomlValue) -> dict[str, Any]:
    """A kind of canasta without its words."""
    keys = [each.name for each in fields(CanastaKind)]
    found = entry.table(" ".join(keys[:4]), " ".join((*keys[4:], "words"))).value
    variant, item, family = entry.file.name.removesuffix(".toml"), str(found["item"]), str(found["family"])
    entry.name(f"item.{variant}.{item}", item)
    if family not in FAMILIES:
        entry.name(f"family.{variant}.{family}", family)
    return {key: value for key, value in entry.value.items() if key != "words"}


def _option(key: str, entry: TomlValue) -> Option:
    is_amount = isinstance(entry.value, dict) and "step" in entry.value
    entry.table(*("step sets", f"values words {CITE_KEYS}") if is_amount else ("default values", "words"))
    entry.name(f"option.{key}", key)
    values = [each.value for each in entry.get("values", []).tables()]
    if not is_amount:
        option = Option(key, entry.value["default"], tuple(_option_value(key, entry, each) for each in values))
        if option.value_of(option.default) is None:
            entry.refuse("no-such-value", "default")
        return option
    sets, step = entry.get("sets").among(SETTING_KEYS, "unknown-setting"), entry.get("step").number(1, LARGEST)
    named = tuple(_option_value(key, entry, {**each, "set": {sets: each.get("is")}}) for each in values)
    for each in named:
        if type(each.value) is not int or each.value <= 0 or each.value % step:
            entry.refuse("not-multiple", str(each.value), step=step)
    return Option(key, None, named, step, sets, entry.cited())


def _option_value(key: str, option: TomlValue, table: Mapping[str, Any]) -> OptionValue:
    entry = replace(option, value=table).table("is", f"set only-sides reads steps words {CITE_KEYS}")
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
    source = SourceId(entry.table("source options").get("source").among(entry.file.sources, "unknown-source"))
    return Preset(key, source, entry.get("options").each(lambda _, chosen: chosen.value))


def _penalty(key: str, entry: TomlValue) -> Penalty:
    entry.table("", f"points remedy words {CITE_KEYS}").name(f"penalty.{key}", key)
    points = entry.get("points").number(*LIMITS["penalties"][:2]) if "points" in entry.value else None
    return Penalty(key, points, entry.value.get("remedy"), entry.cited())


def _bonus(code: str, entry: TomlValue) -> Bonus:
    entry.table("points", f"words {CITE_KEYS}").name(f"bonus.{code}", code)
    return Bonus(code, entry.get("points").number(1, LIMITS["bonuses"][1]), entry.cited())


def _rule(key: str, entry: TomlValue) -> Rule:
    given = entry.table("settings", "severity").get("severity", "error")
    severity = given.among(("error", "warning"), "unknown-severity")
    return Rule(key, severity, _all_settings(entry, entry.get("settings").texts()))


def _fault(key: str, entry: TomlValue) -> Fault:
    found = entry.table("touches known-by cite", "standing says omits").value
    if ("says" in found) is ("omits" in found):
        entry.refuse("says-or-omits")
    about = (*found.get("says", ()), *found.get("omits", ()), found["touches"])
    _all_settings(entry, (name.partition("/")[0] for name in about if not name.startswith("penalties/")))
    known_by, *cited = (replace(entry, value=text).citation() for text in (found["known-by"], *found["cite"]))
    return Fault(key, found["touches"], str(known_by), Cited(tuple(cited), Standing(found.get("standing", "stated"))))


def _statement(name: str, entry: TomlValue) -> Statement:
    found = entry.table("section", f"after when unless differs instead {CITE_KEYS}").value
    when, unless, after = found.get("when", {}), found.get("unless", {}), found.get("after")
    _all_settings(entry, (*when, *unless, *filter(None, [after])))
    differs, instead = found.get("differs", False), found.get("instead")
    return Statement(name, found["section"], after, when, unless, entry.cited(), differs, instead)


def _all_settings(entry: TomlValue, names: Iterable[str]) -> tuple[str, ...]:
    return replace(entry, value=list(names)).all_among(SETTING_KEYS, "unknown-setting")


def _ends(entry: TomlValue) -> Ends:
    found = entry.table("", "hands minutes").value
    return Ends(**{name: entry.get(name).number(1, MOST_HANDS if name == "hands" else MOST_MINUTES) for name in found})


_TABLES: Mapping[str, Callable[[str, TomlValue], Any]] = {
    "settings": _setting, "options": _option, "presets": _preset, "penalties": _penalty, "checks": _rule,
    "lines": _rule, "bonuses": _bonus,
}  # fmt: skip
"""The tables of a file whose entries are read one by one, each with the function that reads an entry."""


# ------------------------------------------------------------------------------------------------ the variant


def _variant(root: TomlValue, parent_of: Callable[[str], Variant]) -> Variant:
    raw, name = root.table("", " ".join((_FILE_KEYS, *_TABLES))).value, root.file.name.removesuffix(".toml")
    if raw.get("id") != name:
        root.report("id", "id", id=name)
    parent = parent_of(raw["extends"]) if "extends" in raw else None
    if parent:
        root.file.known = {"penalty": parent.penalties, "option": parent.options, "item": ITEMS}
    if "players" in raw:
        players = Value(root.get("players").table("value", CITE_KEYS).value["value"], root.get("players").cited())
    elif parent:
        players = parent.players
    else:
        root.refuse("missing", "extends" if root.file.own else "players")
    tables = {name: root.get(name, {}).each(read) for name, read in _TABLES.items()}
    if tables["bonuses"]:
        tables["lines"]["bonus"] = Rule("bonus", "error", ())
    own = Variant(
        id=VariantId(name),
        parent=parent.id if parent else None,
        players=players,
        **tables,
        entry_fields=root.get("entry-fields", []).texts(),
        inherits=raw.get("inherits"),
        stated_by=root.get("stated-by", []).all_among(root.file.sources, "unknown-source"),
        ends=_ends(root.get("ends", {})),
        words=root.file.words,
        sources={each: source for each, source in root.file.sources.items() if each in raw.get("sources", ())},
    )
    if own.stated_by and own.inherits is None:
        root.refuse("stated-without-argument", "stated-by")
    if root.file.own:
        _name_variant(root.get("words", {}).table("", " ".join(LANGUAGES)), name)
    whole = _heir(root, own, parent) if parent else own
    return replace(whole, settings={**whole.settings, **whole.ends.settings})


def _name_variant(words: TomlValue, variant: str) -> None:
    """Read the name of a user's own variant and what is special in it."""
    texts = words.each(lambda _, entry: entry.table("name", "special").value)
    for what, usual in (("name", variant), ("special", "")):
        given = {language: entry[what] for language, entry in texts.items() if what in entry}
        words.at(what).add_words(f"variant.{variant}.{what}", given or dict.fromkeys(LANGUAGES, usual))


_CitedEntry = TypeVar("_CitedEntry", Value, Penalty)


def _heir(root: TomlValue, own: Variant, parent: Variant) -> Variant:
    """A variant with what it inherits from its parent, cited for this variant."""

    def taken(entries: Mapping[str, _CitedEntry]) -> dict[str, _CitedEntry]:
        if own.inherits is None:
            return dict(entries)
        argument, stated_by = own.inherits, own.stated_by
        return {key: replace(each, cited=each.cited.inherited(argument, stated_by)) for key, each in entries.items()}

    for key, value in own.settings.items():
        # A value that differs from the parent's cannot use the parent's citation, except as an inference.
        was = parent.settings[key]
        kept = value.cited.standing is Standing.STATED and value.cited.citations == was.cited.citations
        if kept and value.value != was.value:
            root.report("kept-citations", f"settings.{key}", parent=parent.id)
    options = root.get("takes-options", []).all_among(parent.options, "unknown-option")
    presets = root.get("takes-presets", []).all_among(parent.presets, "unknown-preset")
    drops = root.get("drops", []).all_among((*parent.checks, *parent.lines, *parent.penalties), "unknown-rule")

    chosen = [parent.options[name] for name in options if _can_choose(own, parent.options[name])]
    changed = {key for key, value in own.settings.items() if value.value != parent.settings[key].value}
    for option in (parent.options[name] for name in options if root.file.own):
        decides = {option.sets} if option.sets else {key for value in option.values for key in value.sets}
        if changed & decides and (option.sets is None or option not in chosen):
            root.report("option-decided", "takes-options", name=option.id, setting=min(changed & decides))

    def left(entries: Mapping[str, _Read]) -> dict[str, _Read]:
        return {key: entry for key, entry in entries.items() if key not in drops}

    return replace(
        own,
        settings={**taken(parent.settings), **own.settings},
        options={**{each.id: _option_over(own, parent, each) for each in chosen}, **own.options},
        presets={**{name: parent.presets[name] for name in presets}, **own.presets},
        penalties={**taken(left(parent.penalties)), **own.penalties},
        checks={**left(parent.checks), **own.checks},
        lines={**left(parent.lines), **own.lines},
        entry_fields=(*parent.entry_fields, *own.entry_fields),
        inherits=own.inherits or parent.inherits,
        stated_by=own.stated_by or parent.stated_by,
        bonuses={**parent.bonuses, **own.bonuses},
        ends=own.ends if own.ends != Ends() else parent.ends,
    )


def _can_choose(own: Variant, option: Option) -> bool:
    """Whether an option offers a choice: an amount needs a variant whose own value is a figure."""
    decided = own.settings.get(option.sets or "")
    return decided is None or isinstance(decided.value, int)


def _option_over(own: Variant, parent: Variant, option: Option) -> Option:
    """An option of the parent, cited for the variant; its default is the value that the variant itself sets."""
    decided = {key for value in option.values for key in value.sets} & own.settings.keys()
    changed = [key for key in sorted(decided) if own.settings[key].value != parent.settings[key].value]
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


# ------------------------------------------------------------------------------------------------ completeness


def _check(variant: Variant, root: TomlValue) -> None:
    """Refuse a variant that is incomplete, or names what there is not."""
    for key in SETTING_KEYS:
        if key not in variant.settings:
            root.report("missing", f"settings.{key}")
    for kind, rules, known in (("checks", variant.checks, CHECKS), ("lines", variant.lines, LINES)):
        for name in rules:
            if name not in known:
                root.report("unknown-rule", f"{kind}.{name}", name=name, known=", ".join(known))
    for preset in variant.presets.values():
        for name, value in preset.options.items():
            if name not in variant.options or variant.options[name].value_of(value) is None:
                root.report("no-such-value", f"presets.{preset.id}.{name}")
                break


def _check_figures(variant: Variant, root: TomlValue) -> None:
    """Refuse a variant whose values are invalid or inconsistent."""
    for kind, entries in (("bonuses", variant.bonuses), ("penalties", variant.penalties)):
        for code, each in entries.items():
            if variant.settings["unit"].value == "points" and (each.points or 0) % SMALLEST_POINTS:
                root.report("not-multiple", f"{kind}.{code}.points", step=SMALLEST_POINTS)
    values = {key: value.value for key, value in variant.settings.items()}
    for sets in ({}, *(each.sets for option in variant.options.values() for each in option.values)):
        _check_values({**values, **sets}, variant, root)
    if values["target"] == values["match-deals"] == "unlimited" and variant.ends.minutes is None:
        root.report("endless", "settings.target")


def _check_values(values: Mapping[str, Any], variant: Variant, root: TomlValue) -> None:
    before = len(root.file.troubles)
    for key, (least, most, step) in LIMITS.items():
        with suppress(TypeError, ValueError, LookupError):  # not of the form of the setting, as the next check says
            for name, figure in (steps_of(key, values[key]) or {"": values[key]}).items():
                if type(figure) is int:
                    with root.file.going_on():
                        entry = TomlValue(root.file, figure, f"settings.{key}.{name}".strip("."))
                        entry.number(least, most, step if values["unit"] == "points" else 1)
    if root.file.troubles[before:]:
        return
    try:
        settings = build_settings(values)
    except ValidationError as trouble:
        _report_values(trouble, root)
        return
    _check_table(settings, root)
    _check_counts(settings, root)
    threes = in_decks(settings.decks)[RED_THREE]
    if "red-threes" in variant.lines and len(settings.red_three_values) < threes:
        root.report("too-few", "settings.red-three-values", needed=threes, has=len(settings.red_three_values))


def _report_values(trouble: ValidationError, root: TomlValue) -> None:
    """Report pydantic's first error of each setting as `value.TYPE`, with what was expected."""
    for first in {each["loc"][0]: each for each in reversed(trouble.errors())}.values():
        key, *inside = map(str, first["loc"])
        known = {name: str(each) for name, each in first.get("ctx", {}).items()}
        figures = {"given": str(first["input"])[:40], "inside": ".".join(inside), **known}
        root.report(f"value.{first['type']}", f"settings.{key.replace('_', '-')}", **figures)


def _check_table(settings: Settings, root: TomlValue) -> None:
    sides = settings.sides
    if not 1 < len(sides) <= MOST_SIDES or not all(1 <= side <= MOST_PLAYERS for side in sides):
        root.report("sides", "settings.sides", most=MOST_SIDES, players=MOST_PLAYERS)
    if len(settings.resting) != len(sides) or any(settings.hands_of(side) < 1 for side in range(len(sides))):
        root.report("resting", "settings.resting", sides=len(sides))
    if settings.cards_left != "points" and settings.left_group < 1:
        root.report("number", "settings.left-group", least=1, most=99)
    families = dict.fromkeys(kind.family for kind in settings.canastas)
    for family, _ in settings.canasta_families_needed:
        if family not in families:
            root.report("unknown-family", "settings.canasta-families-needed", name=family, known=", ".join(families))
    for kind in settings.canastas:
        if kind.rank is not None and kind.rank not in _RANKS:
            root.report("unknown-rank", "settings.canastas", name=kind.rank, known=", ".join(_RANKS))
        if kind.item in _OTHER_LINES:
            root.report("item", "settings.canastas", name=kind.item)


def _check_counts(settings: Settings, root: TomlValue) -> None:
    """Refuse empty lists that must not be empty, and openings that do not rise from 0."""
    by_canastas = settings.red_threes_condition == "canastas" or settings.black_threes_exposed
    by_score, by_deal = (settings.opening_by == by for by in ("score", "deal"))
    for key, is_needed, values in (
        ("cards-by-canastas", True, settings.cards_by_canastas),
        ("red-threes-by-canastas", by_canastas, settings.red_threes_by_canastas),
        ("opening-deals", by_deal, settings.opening_deals),
    ):
        if is_needed and not values:
            root.report("too-few", f"settings.{key}", needed=1, has=0)
    starts = [start for start, _ in settings.opening_steps]
    if by_score and starts[:1] != [0]:
        root.report("first-step", "settings.opening-steps")
    elif starts != sorted(set(starts)):
        root.report("not-rising", "settings.opening-steps")
