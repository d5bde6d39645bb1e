"""Reads the data files of the variants. Refuses what is unknown, missing or uncited, with file and key.

A file holds the tables `settings`, `options`, `presets`, `penalties`, `checks` and `lines`: what it says itself; the
rest is inherited from the variant that it `extends`. Every value stands as `{ value = …, cite = ["SOURCE:section"] }`;
a value that is an inference has `standing = "read"` and names its argument (`read = "…"`). A value of an option of
which single settings are inferred names those with their arguments (`reads = { drawn = "…" }`).

A value that is a table may cite single steps by themselves, each beside what it says there: in a table `steps` of the
setting, or of the option's value by setting (`500 = { says = 50, cite = […] }`, see `citations.steps_of`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, NewType, TypeVar

from scorepad.errors import VariantError
from scorepad.rules.citations import Citation, Cited, Source, SourceId, Standing, steps_of
from scorepad.rules.settings import Settings


def same(one: object, other: object) -> bool:
    """Whether two values are the same value of the same type: `true` is not 1."""
    return type(one) is type(other) and one == other


@dataclass(frozen=True, slots=True)
class OptionValue:
    """One value that an option may take: what it sets, and the number of sides it is bound to (None: any).

    `reads` are the settings among `sets` that its source does not say outright, each with its argument; `steps` are the
    citations of single steps of those settings.
    """

    value: str | int | bool
    sets: Mapping[str, Any]
    cited: Cited
    only_sides: int | None = None
    reads: Mapping[str, str] = field(default_factory=dict)
    steps: Mapping[str, Mapping[str, Cited]] = field(default_factory=dict)

    def cited_of(self, setting: str) -> Cited:
        """Why a setting is as this value sets it."""
        cited = replace(self.cited, steps=self.steps.get(setting, {}))
        if setting not in self.reads:
            return cited
        return replace(cited, standing=Standing.READ, read=self.reads[setting])


@dataclass(frozen=True, slots=True)
class Option:
    """A choice that a table has: its values in order, and the one in force where nothing is chosen.

    An amount (`step` not None) is any positive multiple of `step`, which becomes the setting `sets`; its default is
    what the variant sets there, and its values are other amounts that a source names.
    """

    id: str
    default: str | int | bool | None
    values: tuple[OptionValue, ...]
    step: int | None = None
    sets: str | None = None
    cited: Cited | None = None

    def value_of(self, value: object) -> OptionValue | None:
        """What is said of this value; None where it is none of the option's."""
        return next((each for each in self.values if same(each.value, value)), None)


VariantId = NewType("VariantId", str)

SETTING_KEYS = tuple(item.name.replace("_", "-") for item in fields(Settings))
_FILE_KEYS = (
    "extends players takes-options takes-presets entry-fields drops inherits stated-by"
    " settings options presets penalties checks lines"
)
_CITE_KEYS = "cite standing read notes"


@dataclass(frozen=True, slots=True)
class Value:
    """A value of the data with its reason."""

    value: Any
    cited: Cited


@dataclass(frozen=True, slots=True)
class Preset:
    """The options that make a codification, under the name of its source."""

    id: str
    source: SourceId
    options: Mapping[str, str | int | bool]


@dataclass(frozen=True, slots=True)
class Penalty:
    """A penalty: its points (None: agreed at the table) and the catalogue key of what else follows."""

    code: str
    points: int | None
    remedy: str | None
    cited: Cited

    def costs(self, agreed: int | None) -> int | None:
        """The points that it costs: its own, or those that the table agreed; None where nobody said."""
        return agreed if self.points is None else self.points


@dataclass(frozen=True, slots=True)
class Fault:
    """A known fault of a source: the setting (or penalty) whose citation of `known_by` makes it worth telling.

    `cited` is the place that is wrong.
    """

    code: str
    touches: str
    known_by: str
    cited: Cited


@dataclass(frozen=True, slots=True)
class Rule:
    """A check or score line, with the settings that it may rest on."""

    id: str
    severity: str
    rests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant whole: what its file says and what it inherits, before any option is chosen."""

    id: VariantId
    parent: VariantId | None
    players: Value
    settings: Mapping[str, Value]
    options: Mapping[str, Option]
    presets: Mapping[str, Preset]
    penalties: Mapping[str, Penalty]
    checks: Mapping[str, Rule]
    lines: Mapping[str, Rule]
    entry_fields: tuple[str, ...]
    inherits: str | None = None
    """The argument by which the classic game holds where its sources do not speak of this variant."""
    stated_by: tuple[str, ...] = ()
    """The sources that say that all the rest is as in the parent: what they say of the parent is stated here too."""

    def values_of(self, option: Option) -> tuple[OptionValue, ...]:
        """The values of an option that its tables can choose: some are only for so many sides."""
        sides = len(self.settings["sides"].value)
        return tuple(value for value in option.values if value.only_sides in (None, sides))


def inherited(cited: Cited, argument: str, stated_by: Collection[str] = ()) -> Cited:
    """The citations of a value in a variant that takes it from its parent.

    What a source in `stated_by` states stands there too, without the sources that do not speak of the variant; what
    only those state is an inference with this argument.
    """
    if cited.standing is Standing.HOUSE:
        return cited
    steps = {name: inherited(step, argument, stated_by) for name, step in cited.steps.items()}
    if stated_by and cited.standing is Standing.READ:
        return replace(cited, steps=steps)
    own = tuple(place for place in cited.citations if place.source in stated_by)
    if own:
        return replace(cited, citations=own, steps=steps)
    return replace(cited, standing=Standing.READ, read=argument, steps=steps)


def data_folder() -> Traversable:
    """The folder of the variants that scorepad ships."""
    return files("scorepad.variants")


def load_sources(folder: Traversable | None = None) -> dict[SourceId, Source]:
    """The sources that may be cited, by id. Raises VariantError."""
    raw = _toml((folder or data_folder()) / "sources.toml")
    reader, found = _Reader("sources.toml", {}), {}
    for name, each in raw.items():
        entry = reader.table(each, name, "title sections", "notes")
        notes = tuple(entry.get("notes", {}).items())
        found[SourceId(name)] = Source(SourceId(name), entry["title"], tuple(entry["sections"]), notes)
    return found


def load_variant(file: Traversable, sources: Mapping[SourceId, Source], parent_of: Callable[[str], Variant]) -> Variant:
    """Read one variant's file, with what it inherits. Raises VariantError with the file, the key and what is wrong."""
    return _Reader(file.name, sources).variant(_toml(file), parent_of)


def load_irregularities(sources: Mapping[SourceId, Source]) -> dict[str, dict[str, Penalty]]:
    """What costs no points, by where it can happen and by its code. Raises VariantError."""
    file = data_folder() / "irregularities" / "irregularities.toml"
    reader = _Reader(file.name, sources)
    return {where: _each(reader.penalty, listed) for where, listed in _toml(file).items()}


def load_faults(sources: Mapping[SourceId, Source], folder: Traversable | None = None) -> dict[str, Fault]:
    """The known faults of the sources, by code. Raises VariantError."""
    file = (folder or data_folder()) / "faults.toml"
    return _each(_Reader(file.name, sources).fault, _toml(file))


def load_order() -> tuple[VariantId, ...]:
    """The variants of the package in the order in which they are offered. Raises VariantError."""
    file = data_folder() / "order.toml"
    return tuple(VariantId(name) for name in _Reader(file.name, {}).table(_toml(file), "", "variants")["variants"])


def read_cited(file: str, key: str, entry: dict[str, Any], sources: Mapping[SourceId, Source]) -> Cited:
    """The citation of an entry that has nothing else. Raises VariantError."""
    reader = _Reader(file, sources)
    return reader.cited(reader.table(entry, key, "", _CITE_KEYS), key)


def _toml(file: Traversable) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as trouble:
        raise VariantError(file.name, "", str(trouble)) from trouble


_Entry = TypeVar("_Entry")


def _each(read: Callable[[str, object], _Entry], table: Mapping[str, object]) -> dict[str, _Entry]:
    return {key: read(key, entry) for key, entry in table.items()}


class _Reader:
    """Reads one file, knowing its name for the errors."""

    def __init__(self, file: str, sources: Mapping[SourceId, Source]) -> None:
        self.file = file
        self.sources = sources

    def table(self, entry: object, path: str, required: str = "", optional: str = "") -> dict[str, Any]:
        """An entry that must be a table with these keys, and no others; keys are separated by spaces."""
        if not isinstance(entry, dict):
            raise VariantError(self.file, path, "must be a table")
        wrong = [(name, "unknown key") for name in entry if name not in (*required.split(), *optional.split())]
        wrong += [(name, "missing") for name in required.split() if name not in entry]
        for name, problem in wrong:
            raise VariantError(self.file, f"{path}.{name}".strip("."), problem)
        return entry

    def variant(self, raw: dict[str, Any], parent_of: Callable[[str], Variant]) -> Variant:
        self.table(raw, "", "", f"id {_FILE_KEYS}")
        if raw.get("id") != self.file.removesuffix(".toml"):
            raise VariantError(self.file, "id", "must be the name of the file")
        players = raw.get("players")
        parent = parent_of(raw["extends"]) if "extends" in raw else None
        if players is None and parent is None:
            raise VariantError(self.file, "players", "missing")
        own = Variant(
            id=VariantId(raw["id"]),
            parent=None if parent is None else parent.id,
            players=parent.players if parent and players is None else self.value("players", players),
            settings=_each(self.setting, raw.get("settings", {})),
            options=_each(self.option, raw.get("options", {})),
            presets=_each(self.preset, raw.get("presets", {})),
            penalties=_each(self.penalty, raw.get("penalties", {})),
            checks=_each(lambda key, entry: self.rule("checks", key, entry), raw.get("checks", {})),
            lines=_each(lambda key, entry: self.rule("lines", key, entry), raw.get("lines", {})),
            entry_fields=tuple(raw.get("entry-fields", ())),
            inherits=raw.get("inherits"),
            stated_by=self.stated_by(raw),
        )
        return own if parent is None else self.heir(raw, own, parent)

    def heir(self, raw: dict[str, Any], own: Variant, parent: Variant) -> Variant:
        """A variant with what it takes over from its parent, cited as it holds here."""
        self.refuse_kept_citations(own, parent)
        options = {name: _option_over(own, parent, parent.options[name]) for name in self.taken(raw, parent, "option")}
        presets = {name: parent.presets[name] for name in self.taken(raw, parent, "preset")}
        drops = raw.get("drops", ())
        checks = {key: rule for key, rule in parent.checks.items() if key not in drops}
        lines = {key: rule for key, rule in parent.lines.items() if key not in drops}
        penalties = {code: each for code, each in parent.penalties.items() if code not in drops}
        return replace(
            own,
            settings={**_taken(own, parent.settings), **own.settings},
            options={**options, **own.options},
            presets={**presets, **own.presets},
            penalties={**_taken(own, penalties), **own.penalties},
            checks={**checks, **own.checks},
            lines={**lines, **own.lines},
            entry_fields=(*parent.entry_fields, *own.entry_fields),
            inherits=own.inherits or parent.inherits,
            stated_by=own.stated_by or parent.stated_by,
        )

    def taken(self, raw: dict[str, Any], parent: Variant, what: str) -> list[str]:
        """The options or presets of the parent that the file takes."""
        names: list[str] = raw.get(f"takes-{what}s", [])
        for name in names:
            if name not in (parent.options if what == "option" else parent.presets):
                raise VariantError(self.file, f"takes-{what}s", f"{parent.id} has no {what} {name}")
        return names

    def refuse_kept_citations(self, own: Variant, parent: Variant) -> None:
        """A value that differs from the parent's does not stand where the parent's does, unless as an inference."""
        for key, value in own.settings.items():
            was = parent.settings[key]
            kept = value.cited.standing is Standing.STATED and value.cited.citations == was.cited.citations
            if kept and value.value != was.value:
                raise VariantError(self.file, f"settings.{key}", f"differs from {parent.id} and keeps its citations")

    def stated_by(self, raw: dict[str, Any]) -> tuple[str, ...]:
        named = tuple(raw.get("stated-by", ()))
        problems = (
            ["needs `inherits`, the argument of what these sources do not state"] if "inherits" not in raw else []
        )
        problems += [f"unknown source {name}" for name in named if name not in self.sources]
        if named and problems:
            raise VariantError(self.file, "stated-by", problems[0])
        return named

    def setting(self, key: str, entry: object) -> Value:
        path = f"settings.{key}"
        if key not in SETTING_KEYS:
            raise VariantError(self.file, path, "unknown setting")
        found = self.table(entry, path, "value", f"steps {_CITE_KEYS}")
        steps = self.steps(path, key, found["value"], found.get("steps", {}))
        return Value(found["value"], replace(self.cited(found, path), steps=steps))

    def value(self, key: str, entry: object) -> Value:
        found = self.table(entry, key, "value", _CITE_KEYS)
        return Value(found["value"], self.cited(found, key))

    def steps(self, path: str, setting: str, value: Any, entries: dict[str, Any]) -> dict[str, Cited]:
        """The citations of single steps of a value, each of which must say what the value says there."""
        found = {}
        for name, each in entries.items():
            key = f"{path}.steps.{name}"
            entry = self.table(each, key, "says", _CITE_KEYS)
            # What is no table has the same value at every step.
            if entry["says"] != (steps_of(setting, value) or {name: value}).get(name):
                raise VariantError(self.file, key, "says another value than the setting")
            found[name] = self.cited(entry, key)
        return found

    def cited(self, entry: dict[str, Any], key: str) -> Cited:
        standing = Standing(entry.get("standing", "stated"))
        citations = tuple(self.citation(text, key) for text in entry.get("cite", ()))
        if not citations and standing is not Standing.HOUSE:
            raise VariantError(self.file, key, "has no citation")
        if citations and standing is Standing.HOUSE:
            raise VariantError(self.file, key, "is the table's own, and no source says it")
        if (standing is Standing.READ) != ("read" in entry):
            raise VariantError(self.file, key, 'an inference has standing = "read" and its argument in `read`')
        return Cited(citations, standing, entry.get("read"), tuple(self.note(n, key) for n in entry.get("notes", ())))

    def citation(self, text: str, key: str) -> Citation:
        name, _, section = text.partition(":")
        source = self.sources.get(SourceId(name))
        if source is None or section not in source.sections:
            raise VariantError(self.file, key, f"cites what no source has: {text}")
        return Citation(source.id, section)

    def note(self, number: int, key: str) -> str:
        for name, manual in (note for source in self.sources.values() for note in source.notes):
            if name == str(number):
                return manual
        raise VariantError(self.file, key, f"no source has a note {number}")

    def option(self, key: str, entry: object) -> Option:
        path = f"options.{key}"
        if isinstance(entry, dict) and "step" in entry:
            return self.amount(key, path, self.table(entry, path, "step sets", f"values {_CITE_KEYS}"))
        found = self.table(entry, path, "default values")
        values = tuple(self.option_value(path, each) for each in found["values"])
        option = Option(key, found["default"], values)
        if option.value_of(option.default) is None:
            raise VariantError(self.file, path, "the default is none of its values")
        return option

    def amount(self, key: str, path: str, entry: dict[str, Any]) -> Option:
        step, sets = entry["step"], entry["sets"]
        values = tuple(
            self.option_value(path, {**each, "set": {sets: each.get("is")}}) for each in entry.get("values", ())
        )
        for each in values:
            if type(each.value) is not int or each.value <= 0 or each.value % step:
                raise VariantError(self.file, f"{path}.{each.value}", f"must be a positive multiple of {step}")
        return Option(key, None, values, step, sets, self.cited(entry, path))

    def option_value(self, path: str, entry: object) -> OptionValue:
        found = self.table(entry, path, "is", f"set only-sides reads steps {_CITE_KEYS}")
        value, place = found["is"], f"{path}.{found['is']}"
        sets = self.table(found.get("set", {}), f"{place}.set", "", " ".join(SETTING_KEYS))
        reads = self.table(found.get("reads", {}), f"{place}.reads", "", " ".join(sets))
        steps = self.table(found.get("steps", {}), f"{place}.steps", "", " ".join(sets))
        of_steps = {key: self.steps(f"{place}.{key}", key, sets[key], steps[key]) for key in steps}
        return OptionValue(value, sets, self.cited(found, place), found.get("only-sides"), reads, of_steps)

    def preset(self, key: str, entry: object) -> Preset:
        found = self.table(entry, f"presets.{key}", "source options")
        if found["source"] not in self.sources:
            raise VariantError(self.file, f"presets.{key}.source", f"unknown source {found['source']}")
        return Preset(key, SourceId(found["source"]), found["options"])

    def penalty(self, key: str, entry: object) -> Penalty:
        path = f"penalties.{key}"
        found = self.table(entry, path, "", f"points remedy {_CITE_KEYS}")
        return Penalty(key, found.get("points"), found.get("remedy"), self.cited(found, path))

    def fault(self, key: str, entry: object) -> Fault:
        found = self.table(entry, key, "touches known-by cite", "standing says omits")
        if ("says" in found) is ("omits" in found):
            raise VariantError(self.file, key, "has either what the place says, or what it omits")
        touches = found["touches"]
        about = (*found.get("says", ()), *found.get("omits", ()), touches)
        self.all_known((name.partition("/")[0] for name in about if not name.startswith("penalties/")), key)
        known_by, standing = str(self.citation(found["known-by"], key)), Standing(found.get("standing", "stated"))
        return Fault(key, touches, known_by, Cited(tuple(self.citation(each, key) for each in found["cite"]), standing))

    def rule(self, table: str, key: str, entry: object) -> Rule:
        found = self.table(entry, f"{table}.{key}", "rests", "severity")
        self.all_known(found["rests"], f"{table}.{key}")
        return Rule(key, found.get("severity", "error"), tuple(found["rests"]))

    def all_known(self, settings: Iterable[str], path: str) -> None:
        for name in settings:
            if name not in SETTING_KEYS:
                raise VariantError(self.file, path, f"rests on an unknown setting {name}")


_CitedEntry = TypeVar("_CitedEntry", Value, Penalty)


def _taken(own: Variant, entries: Mapping[str, _CitedEntry]) -> dict[str, _CitedEntry]:
    """Entries of the parent, cited as they hold in a variant that takes them over."""
    if own.inherits is None:
        return dict(entries)
    return {
        key: replace(each, cited=inherited(each.cited, own.inherits, own.stated_by)) for key, each in entries.items()
    }


def _option_over(own: Variant, parent: Variant, option: Option) -> Option:
    """An option of the parent, cited as it holds in the variant, its usual value as what that decides itself there."""
    decided = {key for value in option.values for key in value.sets} & own.settings.keys()
    changed = [key for key in sorted(decided) if own.settings[key].value != parent.settings[key].value]
    values = option.values
    if changed:
        cited = own.settings[changed[0]].cited
        values = tuple(value if value.sets else replace(value, cited=cited) for value in values)
    # Where no source states the rest of the variant, the options are those of the parent's sources.
    if own.stated_by and own.inherits is not None:
        values = tuple(_value_taken(value, own.inherits, own.stated_by) for value in values)
    return replace(option, values=values)


def _value_taken(value: OptionValue, argument: str, stated_by: tuple[str, ...]) -> OptionValue:
    steps = {
        key: {name: inherited(cited, argument, stated_by) for name, cited in steps.items()}
        for key, steps in value.steps.items()
    }
    return replace(value, cited=inherited(value.cited, argument, stated_by), steps=steps)
