"""Reads the data files of the variants. Refuses what is unknown, missing or uncited, with file and key.

A file holds the tables `settings`, `options`, `presets`, `penalties`, `checks` and `lines`. Every value stands as
`{ value = …, cite = ["SOURCE:section"] }`; a value that is an inference has `standing = "read"` and names its argument
(`read = "…"`). A value of an option of which single settings are inferred names those with their arguments
(`reads = { drawn = "…" }`).

A value that is a table may cite single steps by themselves, each beside what it says there: in a table `steps` of the
setting, or of the option's value by setting (`500 = { says = 50, cite = […] }`, see `citations.steps_of`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, NewType

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
_FILE_KEYS = {
    "id", "extends", "players", "takes-options", "takes-presets", "entry-fields", "drops", "inherits", "stated-by",
    "settings", "options", "presets", "penalties", "checks", "lines",
}  # fmt: skip
_CITE_KEYS = {"cite", "standing", "read", "notes"}


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
class RuleData:
    """A check or a score line as the data knows it: the settings that it may rest on."""

    id: str
    rests: tuple[str, ...]
    severity: str = "error"


@dataclass(frozen=True, slots=True)
class VariantFile:
    """One file as read: only what it says itself, nothing inherited."""

    name: str
    id: VariantId
    extends: VariantId | None
    players: Value | None
    takes_options: tuple[str, ...]
    takes_presets: tuple[str, ...]
    entry_fields: tuple[str, ...]
    drops: tuple[str, ...]
    """Checks, lines and penalties of the parent that do not hold here."""
    inherits: str | None = None
    """The argument by which the parent's settings hold, where its sources do not speak of this variant."""
    stated_by: tuple[str, ...] = ()
    """The sources that say that all the rest is as in the parent: what they say of the parent is stated here too."""
    settings: Mapping[str, Value] = field(default_factory=dict)
    options: Mapping[str, Option] = field(default_factory=dict)
    presets: Mapping[str, Preset] = field(default_factory=dict)
    penalties: Mapping[str, Penalty] = field(default_factory=dict)
    checks: Mapping[str, RuleData] = field(default_factory=dict)
    lines: Mapping[str, RuleData] = field(default_factory=dict)

    def settings_over(self, inherited: Mapping[str, Value]) -> dict[str, Value]:
        """Its settings over those inherited, which are an inference where their sources speak of another game."""
        taken = {key: replace(value, cited=self.taken(value.cited)) for key, value in inherited.items()}
        return {**taken, **self.settings}

    def taken(self, cited: Cited) -> Cited:
        """The citations of a value of the parent as they hold here."""
        return cited if self.inherits is None else inherited(cited, self.inherits, self.stated_by)


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
    found = {}
    for name, entry in raw.items():
        _known(entry, {"title", "sections", "notes"}, "sources.toml", name)
        notes = tuple(entry.get("notes", {}).items())
        found[SourceId(name)] = Source(SourceId(name), entry["title"], tuple(entry["sections"]), notes)
    return found


def load_variant(file: Traversable, sources: Mapping[SourceId, Source]) -> VariantFile:
    """Read one variant's file. Raises VariantError with the file, the key and what is wrong."""
    return _Reader(file.name, sources).variant(_toml(file))


def load_irregularities(sources: Mapping[SourceId, Source]) -> dict[str, dict[str, Penalty]]:
    """What costs no points, by where it can happen and by its code. Raises VariantError."""
    file = data_folder() / "irregularities" / "irregularities.toml"
    reader = _Reader(file.name, sources)
    return {
        where: {code: reader.penalty(code, entry) for code, entry in listed.items()}
        for where, listed in _toml(file).items()
    }


def load_faults(sources: Mapping[SourceId, Source], folder: Traversable | None = None) -> dict[str, Fault]:
    """The known faults of the sources, by code. Raises VariantError."""
    file = (folder or data_folder()) / "faults.toml"
    reader = _Reader(file.name, sources)
    return {code: reader.fault(code, entry) for code, entry in _toml(file).items()}


def load_order() -> tuple[VariantId, ...]:
    """The variants of the package in the order in which they are offered. Raises VariantError."""
    file = data_folder() / "order.toml"
    raw = _toml(file)
    _known(raw, {"variants"}, file.name, "")
    return tuple(VariantId(name) for name in _Reader(file.name, {}).get(raw, "variants", ""))


def read_cited(file: str, key: str, entry: dict[str, Any], sources: Mapping[SourceId, Source]) -> Cited:
    """The citation of an entry that has nothing else. Raises VariantError."""
    _known(entry, _CITE_KEYS, file, key)
    return _Reader(file, sources).cited(entry, key)


def _toml(file: Traversable) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as trouble:
        raise VariantError(file.name, "", str(trouble)) from trouble


def _known(entry: object, allowed: set[str], file: str, key: str) -> None:
    if not isinstance(entry, dict):
        raise VariantError(file, key, "must be a table")
    for name in entry:
        if name not in allowed:
            raise VariantError(file, f"{key}.{name}".strip("."), "unknown key")


class _Reader:
    """Reads one file, knowing its name for the errors."""

    def __init__(self, file: str, sources: Mapping[SourceId, Source]) -> None:
        self.file = file
        self.sources = sources

    def variant(self, raw: dict[str, Any]) -> VariantFile:
        _known(raw, _FILE_KEYS, self.file, "")
        if raw.get("id") != self.file.removesuffix(".toml"):
            raise VariantError(self.file, "id", "must be the name of the file")
        players = raw.get("players")
        return VariantFile(
            name=self.file,
            id=VariantId(raw["id"]),
            extends=VariantId(raw["extends"]) if "extends" in raw else None,
            players=self.value("players", players) if players is not None else None,
            takes_options=tuple(raw.get("takes-options", ())),
            takes_presets=tuple(raw.get("takes-presets", ())),
            entry_fields=tuple(raw.get("entry-fields", ())),
            drops=tuple(raw.get("drops", ())),
            inherits=raw.get("inherits"),
            stated_by=self.stated_by(raw),
            settings={key: self.setting(key, entry) for key, entry in raw.get("settings", {}).items()},
            options={key: self.option(key, entry) for key, entry in raw.get("options", {}).items()},
            presets={key: self.preset(key, entry) for key, entry in raw.get("presets", {}).items()},
            penalties={key: self.penalty(key, entry) for key, entry in raw.get("penalties", {}).items()},
            checks={key: self.rule("checks", key, entry) for key, entry in raw.get("checks", {}).items()},
            lines={key: self.rule("lines", key, entry) for key, entry in raw.get("lines", {}).items()},
        )

    def stated_by(self, raw: dict[str, Any]) -> tuple[str, ...]:
        named = tuple(raw.get("stated-by", ()))
        if named and "inherits" not in raw:
            raise VariantError(
                self.file, "stated-by", "needs `inherits`, the argument of what these sources do not state"
            )
        for name in named:
            if name not in self.sources:
                raise VariantError(self.file, "stated-by", f"unknown source {name}")
        return named

    def setting(self, key: str, entry: object) -> Value:
        if key not in SETTING_KEYS:
            raise VariantError(self.file, f"settings.{key}", "unknown setting")
        path = f"settings.{key}"
        _known(entry, {"value", "steps", *_CITE_KEYS}, self.file, path)
        assert isinstance(entry, dict)
        value = self.get(entry, "value", path)
        steps = self.steps(path, key, value, entry.get("steps", {}))
        return Value(value, replace(self.cited(entry, path), steps=steps))

    def value(self, key: str, entry: object) -> Value:
        _known(entry, {"value", *_CITE_KEYS}, self.file, key)
        assert isinstance(entry, dict)
        return Value(self.get(entry, "value", key), self.cited(entry, key))

    def steps(self, path: str, setting: str, value: Any, entries: dict[str, Any]) -> dict[str, Cited]:
        """The citations of single steps of a value, each of which must say what the value says there."""
        found = {}
        for name, entry in entries.items():
            key = f"{path}.steps.{name}"
            _known(entry, {"says", *_CITE_KEYS}, self.file, key)
            # What is no table has the same value at every step.
            if self.get(entry, "says", key) != (steps_of(setting, value) or {name: value}).get(name):
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
        for source in self.sources.values():
            for name, manual in source.notes:
                if name == str(number):
                    return manual
        raise VariantError(self.file, key, f"no source has a note {number}")

    def option(self, key: str, entry: object) -> Option:
        path = f"options.{key}"
        _known(entry, {"default", "values", "step", "sets", *_CITE_KEYS}, self.file, path)
        assert isinstance(entry, dict)
        if "step" in entry:
            return self.amount(key, path, entry)
        default = self.get(entry, "default", path)
        option = Option(key, default, tuple(self.option_value(path, each) for each in self.get(entry, "values", path)))
        if option.value_of(default) is None:
            raise VariantError(self.file, path, "the default is none of its values")
        return option

    def amount(self, key: str, path: str, entry: dict[str, Any]) -> Option:
        step, sets = entry["step"], self.get(entry, "sets", path)
        values = tuple(
            self.option_value(path, {**each, "set": {sets: each.get("is")}}) for each in entry.get("values", ())
        )
        for each in values:
            if type(each.value) is not int or each.value <= 0 or each.value % step:
                raise VariantError(self.file, f"{path}.{each.value}", f"must be a positive multiple of {step}")
        return Option(key, None, values, step, sets, self.cited(entry, path))

    def option_value(self, path: str, entry: object) -> OptionValue:
        _known(entry, {"is", "set", "only-sides", "reads", "steps", *_CITE_KEYS}, self.file, path)
        assert isinstance(entry, dict)
        value = self.get(entry, "is", path)
        place = f"{path}.{value}"
        sets, reads, steps = entry.get("set", {}), entry.get("reads", {}), entry.get("steps", {})
        _known(sets, set(SETTING_KEYS), self.file, f"{place}.set")
        _known(reads, set(sets), self.file, f"{place}.reads")
        _known(steps, set(sets), self.file, f"{place}.steps")
        of_steps = {key: self.steps(f"{place}.{key}", key, sets[key], steps[key]) for key in steps}
        return OptionValue(value, sets, self.cited(entry, place), entry.get("only-sides"), reads, of_steps)

    def preset(self, key: str, entry: object) -> Preset:
        _known(entry, {"source", "options"}, self.file, f"presets.{key}")
        assert isinstance(entry, dict)
        source = SourceId(self.get(entry, "source", f"presets.{key}"))
        if source not in self.sources:
            raise VariantError(self.file, f"presets.{key}.source", f"unknown source {source}")
        return Preset(key, source, self.get(entry, "options", f"presets.{key}"))

    def penalty(self, key: str, entry: object) -> Penalty:
        path = f"penalties.{key}"
        _known(entry, {"points", "remedy", *_CITE_KEYS}, self.file, path)
        assert isinstance(entry, dict)
        return Penalty(key, entry.get("points"), entry.get("remedy"), self.cited(entry, path))

    def fault(self, key: str, entry: object) -> Fault:
        _known(entry, {"touches", "known-by", "cite", "standing", "says", "omits"}, self.file, key)
        assert isinstance(entry, dict)
        if ("says" in entry) is ("omits" in entry):
            raise VariantError(self.file, key, "has either what the place says, or what it omits")
        touches = self.get(entry, "touches", key)
        about = (
            *entry.get("says", ()),
            *entry.get("omits", ()),
            *([] if touches.startswith("penalties/") else [touches]),
        )
        self.all_known((name.partition("/")[0] for name in about), key)
        known_by = str(self.citation(self.get(entry, "known-by", key), key))
        standing = Standing(entry.get("standing", "stated"))
        return Fault(
            key,
            touches,
            known_by,
            Cited((*(self.citation(text, key) for text in self.get(entry, "cite", key)),), standing),
        )

    def rule(self, table: str, key: str, entry: object) -> RuleData:
        path = f"{table}.{key}"
        _known(entry, {"rests", "severity"}, self.file, path)
        assert isinstance(entry, dict)
        rests = tuple(self.get(entry, "rests", path))
        self.all_known(rests, path)
        return RuleData(key, rests, entry.get("severity", "error"))

    def all_known(self, settings: Iterable[str], path: str) -> None:
        for name in settings:
            if name not in SETTING_KEYS:
                raise VariantError(self.file, path, f"rests on an unknown setting {name}")

    def get(self, entry: dict[str, Any], name: str, path: str) -> Any:
        if name not in entry:
            raise VariantError(self.file, f"{path}.{name}", "missing")
        return entry[name]
