"""Reads the data files of the variants. Refuses what is unknown, missing or uncited, with file and key.

A file holds the tables `settings`, `options`, `presets`, `penalties`, `checks` and `lines`: what it says itself; the
rest is inherited from the variant that it `extends`. Every value stands as `{ value = …, cite = ["SOURCE:section"] }`;
a value that is an inference has `standing = "read"` and names its argument (`read = "…"`). A value of an option of
which single settings are inferred names those with their arguments (`reads = { drawn = "…" }`).

A value that is a table may cite single steps by themselves, each beside what it says there: in a table `steps` of the
setting, or of the option's value by setting (`500 = { says = 50, cite = […] }`, see `citations.steps_of`).

The file of a user's own variant also holds what the package keeps elsewhere: its `words`, the `sources` that it cites,
the argument of an inference as a text, and words beside each option, penalty, bonus and canasta of its own.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import takewhile
from typing import Any, NoReturn, TypeVar

from scorepad.errors import VariantError
from scorepad.rules.citations import Citation, Cited, Source, SourceId, Standing, steps_of
from scorepad.rules.definitions import (
    SETTING_KEYS,
    Bonus,
    Ends,
    Fault,
    Option,
    OptionValue,
    Penalty,
    Preset,
    Rule,
    Value,
    Variant,
    VariantId,
    inherited,
)
from scorepad.rules.settings import LARGEST

_FILE_KEYS = (
    "extends players takes-options takes-presets entry-fields drops inherits stated-by"
    " settings options presets penalties bonuses ends checks lines words sources"
)
_CITE_KEYS = "cite standing read notes"
_LANGUAGES = ("it", "en")
FAMILIES = ("natural", "mixed", "sequence", "wild", "any")
"""The families of canastas that have words of their own; another one is called as its canastas are."""
LONGEST_TEXT = 300
"""Characters of a name or a sentence in a file of one's own."""
MOST_HANDS, MOST_MINUTES = 99, 24 * 60
"""The most hands of a match that ends by them, and minutes."""


def data_folder() -> Traversable:
    """The folder of the variants that scorepad ships."""
    return files("scorepad.variants")


def load_sources(folder: Traversable | None = None) -> dict[SourceId, Source]:
    """The sources that may be cited, by id. Raises VariantError."""
    file = (folder or data_folder()) / "sources.toml"
    reader = _Reader(file, {})
    return {SourceId(name): reader.source(name, each) for name, each in reader.data.items()}


def load_variant(
    file: Traversable,
    sources: Mapping[SourceId, Source],
    parent_of: Callable[[str], Variant],
    parents: Collection[str] | None = None,
) -> Variant:
    """Read one variant's file, with what it inherits. Raises VariantError.

    `parents` are the variants that a file of the user's may extend; None for a file of the package.
    """
    reader = _Reader(file, sources, own=parents is not None)
    if parents is not None and "extends" in reader.data:
        reader.known(reader.data.get("extends"), parents, "extends", "unknown-variant")
    return reader.variant(parent_of)


def load_irregularities(sources: Mapping[SourceId, Source]) -> dict[str, dict[str, Penalty]]:
    """What costs no points, by where it can happen and by its code. Raises VariantError."""
    reader = _Reader(data_folder() / "irregularities" / "irregularities.toml", sources)
    return {where: _each(reader.penalty, listed) for where, listed in reader.data.items()}


def load_faults(sources: Mapping[SourceId, Source], folder: Traversable | None = None) -> dict[str, Fault]:
    """The known faults of the sources, by code. Raises VariantError."""
    reader = _Reader((folder or data_folder()) / "faults.toml", sources)
    return _each(reader.fault, reader.data)


def load_order() -> tuple[VariantId, ...]:
    """The variants of the package in the order in which they are offered. Raises VariantError."""
    reader = _Reader(data_folder() / "order.toml", {})
    return tuple(VariantId(name) for name in reader.table(reader.data, "", "variants")["variants"])


def read_cited(file: Traversable, key: str, entry: dict[str, Any], sources: Mapping[SourceId, Source]) -> Cited:
    """The citation of an entry that has nothing else. Raises VariantError."""
    reader = _Reader(file, sources)
    return reader.cited(reader.table(entry, key, "", _CITE_KEYS), key)


_Entry = TypeVar("_Entry")


def _each(read: Callable[[str, object], _Entry], table: Mapping[str, object]) -> dict[str, _Entry]:
    return {key: read(key, entry) for key, entry in table.items()}


_HEADER = re.compile(r"\s*\[\[?\s*([^\[\]]+?)\s*\]")
_KEY = re.compile(r"\s*([\w\-\"'.]+)\s*=")


def line_of(text: str, key: str) -> int | None:
    """The line of a key in a TOML text, or of the table that it is missing from; None where neither is there."""
    wanted, table, deepest, found = key.split("."), list[str](), 0, None
    for number, line in enumerate(text.splitlines(), 1):
        header, entry = _HEADER.match(line), _KEY.match(line)
        if header:
            table = _parts(header[1])
        path = [*table, *_parts(entry[1])] if entry and not header else table
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(path, wanted, strict=False)))
        if shared > deepest:
            deepest, found = shared, number
    return found


def _parts(path: str) -> list[str]:
    return [part.strip(" \"'") for part in path.split(".")]


class _Reader:
    """Reads one file, whose name and lines stand in the errors. `own`: it is the user's, and brings its words."""

    def __init__(self, file: Traversable, sources: Mapping[SourceId, Source], *, own: bool = False) -> None:
        self.file = file.name
        self.own = own
        self.words: dict[str, dict[str, str]] = {language: {} for language in _LANGUAGES}
        """The messages that the file brings, by language and catalogue key."""
        try:
            self.text = file.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as trouble:
            raise VariantError(self.file, "", "unreadable") from trouble
        try:
            self.data = tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as trouble:
            place = re.search(r"at line (\d+)", str(trouble))
            line = int(place[1]) if place else self.text.count("\n") + 1
            raise VariantError(self.file, "", "not-toml", line) from trouble
        self.sources = dict(sources)
        self.brought: dict[SourceId, Source] = {}
        if own:
            self.brought = {SourceId(name): each for name, each in self.entries("sources", self.source).items()}
            self.sources |= self.brought

    def refuse(self, key: str, problem: str, **figures: str | int) -> NoReturn:
        raise VariantError(self.file, key, problem, line_of(self.text, key), **figures)

    def table(self, entry: object, path: str, required: str = "", optional: str = "") -> dict[str, Any]:
        """An entry that must be a table with these keys, and no others; keys are separated by spaces."""
        if not isinstance(entry, dict):
            self.refuse(path, "not-table")
        known = (*required.split(), *optional.split())
        for name in entry:
            self.known(name, known, f"{path}.{name}".strip("."), "unknown-key")
        for name in required.split():
            if name not in entry:
                self.refuse(f"{path}.{name}".strip("."), "missing")
        return entry

    def known(self, name: object, names: Iterable[str], path: str, problem: str) -> None:
        """Refuse a name that is none of these, with the one that was probably meant."""
        listed = list(names)
        if name not in listed:
            meant = get_close_matches(str(name), listed, 1)
            if meant:
                self.refuse(path, f"{problem}.meant", name=str(name), meant=meant[0])
            self.refuse(path, problem, name=str(name), known=", ".join(listed))

    def entries(self, name: str, read: Callable[[str, object], _Entry]) -> dict[str, _Entry]:
        """The entries of a table of the file, each read; none where there is no such table."""
        table = self.data.get(name, {})
        if not isinstance(table, dict):
            self.refuse(name, "not-table")
        return _each(read, table)

    def tables(self, entry: object, path: str) -> list[dict[str, Any]]:
        """A list of tables."""
        if not isinstance(entry, list) or not all(isinstance(each, dict) for each in entry):
            self.refuse(path, "not-tables")
        return entry

    def listing(self, entry: object, path: str) -> list[str]:
        """A list of texts; none where nothing is given."""
        if not isinstance(entry, list) or not all(isinstance(each, str) for each in entry):
            self.refuse(path, "not-texts")
        return entry

    # ------------------------------------------------------------------------------------------------ the variant

    def variant(self, parent_of: Callable[[str], Variant]) -> Variant:
        raw = self.table(self.data, "", "", f"id {_FILE_KEYS}")
        if raw.get("id") != self.file.removesuffix(".toml"):
            self.refuse("id", "id", id=self.file.removesuffix(".toml"))
        players, parent = raw.get("players"), parent_of(raw["extends"]) if "extends" in raw else None
        if players is None and parent is None:
            self.refuse("extends" if self.own else "players", "missing")
        own = Variant(
            id=VariantId(raw["id"]),
            parent=None if parent is None else parent.id,
            players=parent.players if parent and players is None else self.value("players", players),
            settings=self.entries("settings", self.setting),
            options=self.entries("options", self.option),
            presets=self.entries("presets", self.preset),
            penalties=self.entries("penalties", self.penalty),
            checks=self.entries("checks", partial(self.rule, "checks")),
            lines=self.entries("lines", partial(self.rule, "lines")) | self.bonus_line(),
            entry_fields=tuple(self.listing(raw.get("entry-fields", []), "entry-fields")),
            inherits=raw.get("inherits"),
            stated_by=self.stated_by(raw),
            bonuses=self.entries("bonuses", self.bonus),
            ends=self.ends(raw.get("ends", {})),
            words=self.words,
            sources=self.brought,
        )
        self.name_variant(raw)
        whole = own if parent is None else self.heir(raw, own, parent)
        return replace(whole, settings={**whole.settings, **whole.ends.settings})

    def heir(self, raw: dict[str, Any], own: Variant, parent: Variant) -> Variant:
        """A variant with what it takes over from its parent, cited as it holds here."""
        self.refuse_kept_citations(own, parent)
        options = {name: _option_over(own, parent, parent.options[name]) for name in self.taken(raw, parent, "option")}
        presets = {name: parent.presets[name] for name in self.taken(raw, parent, "preset")}
        drops = self.listing(raw.get("drops", []), "drops")
        for name in drops:
            self.known(name, (*parent.checks, *parent.lines, *parent.penalties), "drops", "unknown-rule")
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
            bonuses={**parent.bonuses, **own.bonuses},
            ends=own.ends if own.ends != Ends() else parent.ends,
        )

    def taken(self, raw: dict[str, Any], parent: Variant, what: str) -> list[str]:
        """The options or presets of the parent that the file takes."""
        key = f"takes-{what}s"
        names = self.listing(raw.get(key, []), key)
        for name in names:
            self.known(name, parent.options if what == "option" else parent.presets, key, f"unknown-{what}")
        return names

    def refuse_kept_citations(self, own: Variant, parent: Variant) -> None:
        """A value that differs from the parent's does not stand where the parent's does, unless as an inference."""
        for key, value in own.settings.items():
            was = parent.settings[key]
            kept = value.cited.standing is Standing.STATED and value.cited.citations == was.cited.citations
            if kept and value.value != was.value:
                self.refuse(f"settings.{key}", "kept-citations", parent=parent.id)

    def stated_by(self, raw: dict[str, Any]) -> tuple[str, ...]:
        named = tuple(self.listing(raw.get("stated-by", []), "stated-by"))
        if named and "inherits" not in raw:
            self.refuse("stated-by", "stated-without-argument")
        for name in named:
            self.known(name, self.sources, "stated-by", "unknown-source")
        return named

    # ------------------------------------------------------------------------------------------- what it brings itself

    def source(self, name: str, entry: object) -> Source:
        found = self.table(entry, f"sources.{name}" if self.own else name, "title sections", "notes")
        if name in self.sources:
            self.refuse(f"sources.{name}", "source-taken", name=name)
        self.text_of(found["title"], f"sources.{name}.title")
        sections = self.listing(found["sections"], f"sources.{name}.sections")
        return Source(SourceId(name), found["title"], tuple(sections), tuple(found.get("notes", {}).items()))

    def bonus_line(self) -> dict[str, Rule]:
        """The score line that counts the bonuses of the file; none where it has none."""
        return {"bonus": Rule("bonus", "error", ())} if self.data.get("bonuses") else {}

    def bonus(self, code: str, entry: object) -> Bonus:
        path = f"bonuses.{code}"
        found = self.table(entry, path, "points", f"words {_CITE_KEYS}")
        self.name(f"bonus.{code}", found, path)
        return Bonus(code, self.points(found["points"], f"{path}.points"), self.cited(found, path))

    def points(self, value: object, path: str) -> int:
        if type(value) is not int or not -LARGEST <= value <= LARGEST:
            self.refuse(path, "number", least=-LARGEST, most=LARGEST)
        return value

    def ends(self, entry: object) -> Ends:
        found = self.table(entry, "ends", "", "hands minutes")
        for name, number in found.items():
            most = MOST_HANDS if name == "hands" else MOST_MINUTES
            if type(number) is not int or not 1 <= number <= most:
                self.refuse(f"ends.{name}", "number", least=1, most=most)
        return Ends(**found)

    def name_variant(self, raw: dict[str, Any]) -> None:
        """Take the name of a variant of one's own, and what is special in it."""
        if not self.own:
            return
        texts = self.table(raw.get("words", {}), "words", "", " ".join(_LANGUAGES))
        for language, entry in texts.items():
            self.table(entry, f"words.{language}", "name", "special")
        for what, usual in (("name", raw["id"]), ("special", "")):
            given = {language: entry.get(what, usual) for language, entry in texts.items()}
            self.add_words(f"variant.{raw['id']}.{what}", given or dict.fromkeys(_LANGUAGES, usual), f"words.{what}")

    def name(self, key: str, entry: dict[str, Any], path: str) -> None:
        """Take the name of something that only this file has; without words its code is its name."""
        if self.own and "words" in entry:
            texts = self.table(entry["words"], f"{path}.words", "", " ".join(_LANGUAGES))
            self.add_words(key, texts, f"{path}.words")

    def text_of(self, text: object, path: str) -> None:
        """Refuse what is no text on a line."""
        if not isinstance(text, str) or len(text) > LONGEST_TEXT or not text.isprintable():
            self.refuse(path, "text", most=LONGEST_TEXT)

    def add_words(self, key: str, texts: Mapping[str, object], path: str) -> None:
        """Add a message; where one language is missing the other stands in."""
        for text in texts.values():
            self.text_of(text, path)
        for language, messages in self.words.items():
            messages[key] = str(texts.get(language, next(iter(texts.values()), "")))

    def setting(self, key: str, entry: object) -> Value:
        path = f"settings.{key}"
        self.known(key, SETTING_KEYS, path, "unknown-setting")
        found = self.table(entry, path, "value", f"steps {_CITE_KEYS}")
        if key == "canastas" and self.own:
            found = {**found, "value": [self.canasta(each, path) for each in self.tables(found["value"], path)]}
        steps = self.steps(path, key, found["value"], found.get("steps", {}))
        return Value(found["value"], replace(self.cited(found, path), steps=steps))

    def canasta(self, entry: dict[str, Any], path: str) -> dict[str, Any]:
        """A kind of canasta without its words."""
        variant = self.file.removesuffix(".toml")
        self.name(f"item.{variant}.{entry.get('item')}", entry, path)
        if entry.get("family") not in FAMILIES:
            self.name(f"family.{variant}.{entry.get('family')}", entry, path)
        return {key: value for key, value in entry.items() if key != "words"}

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
                self.refuse(key, "says-other")
            found[name] = self.cited(entry, key)
        return found

    def cited(self, entry: dict[str, Any], key: str) -> Cited:
        self.known(entry.get("standing", "stated"), tuple(Standing), f"{key}.standing", "unknown-standing")
        standing = Standing(entry.get("standing", "stated"))
        cite = self.listing(entry.get("cite", []), f"{key}.cite")
        citations = tuple(self.citation(text, f"{key}.cite") for text in cite)
        if not citations and (standing is Standing.STATED or (standing is Standing.READ and not self.own)):
            self.refuse(key, "uncited")
        if citations and standing is Standing.HOUSE:
            self.refuse(key, "house-cited")
        if (standing is Standing.READ) != ("read" in entry):
            self.refuse(key, "argument")
        argument = entry.get("read")
        if self.own and argument is not None:
            name = f"{self.file.removesuffix('.toml')}.{key}"
            self.add_words(f"read.{name}", dict.fromkeys(_LANGUAGES, argument), f"{key}.read")
            argument = name
        return Cited(citations, standing, argument, tuple(self.note(n, key) for n in entry.get("notes", ())))

    def citation(self, text: str, key: str) -> Citation:
        name, _, section = text.partition(":")
        self.known(name, self.sources, key, "unknown-source")
        source = self.sources[SourceId(name)]
        self.known(section, source.sections, key, "unknown-section")
        return Citation(source.id, section)

    def note(self, number: int, key: str) -> str:
        manuals = dict(note for source in self.sources.values() for note in source.notes)
        self.known(str(number), manuals, f"{key}.notes", "unknown-note")
        return manuals[str(number)]

    def option(self, key: str, entry: object) -> Option:
        path = f"options.{key}"
        if isinstance(entry, dict) and "step" in entry:
            return self.amount(key, path, self.table(entry, path, "step sets", f"values words {_CITE_KEYS}"))
        found = self.table(entry, path, "default values", "words")
        self.name(f"option.{key}", found, path)
        values = tuple(self.option_value(path, each) for each in self.tables(found["values"], f"{path}.values"))
        option = Option(key, found["default"], values)
        if option.value_of(option.default) is None:
            self.refuse(f"{path}.default", "no-such-value")
        return option

    def amount(self, key: str, path: str, entry: dict[str, Any]) -> Option:
        step, sets = entry["step"], entry["sets"]
        self.name(f"option.{key}", entry, path)
        self.known(sets, SETTING_KEYS, f"{path}.sets", "unknown-setting")
        if type(step) is not int or not 1 <= step <= LARGEST:
            self.refuse(f"{path}.step", "number", least=1, most=LARGEST)
        given = self.tables(entry.get("values", []), f"{path}.values")
        values = tuple(self.option_value(path, {**each, "set": {sets: each.get("is")}}) for each in given)
        for each in values:
            if type(each.value) is not int or each.value <= 0 or each.value % step:
                self.refuse(f"{path}.{each.value}", "not-multiple", step=step)
        return Option(key, None, values, step, sets, self.cited(entry, path))

    def option_value(self, path: str, entry: object) -> OptionValue:
        found = self.table(entry, path, "is", f"set only-sides reads steps words {_CITE_KEYS}")
        value, place = found["is"], f"{path}.{found['is']}"
        if not isinstance(value, str | int):
            self.refuse(path, "not-value")
        self.name(f"option.{path.partition('.')[2]}.{str(value).lower()}", found, place)
        sets = self.table(found.get("set", {}), f"{place}.set", "", " ".join(SETTING_KEYS))
        reads = self.table(found.get("reads", {}), f"{place}.reads", "", " ".join(sets))
        steps = self.table(found.get("steps", {}), f"{place}.steps", "", " ".join(sets))
        of_steps = {key: self.steps(f"{place}.{key}", key, sets[key], steps[key]) for key in steps}
        return OptionValue(value, sets, self.cited(found, place), found.get("only-sides"), reads, of_steps)

    def preset(self, key: str, entry: object) -> Preset:
        found = self.table(entry, f"presets.{key}", "source options")
        self.known(found["source"], self.sources, f"presets.{key}.source", "unknown-source")
        options = self.table(found["options"], f"presets.{key}.options", "", " ".join(found["options"]))
        return Preset(key, SourceId(found["source"]), options)

    def penalty(self, key: str, entry: object) -> Penalty:
        path = f"penalties.{key}"
        found = self.table(entry, path, "", f"points remedy words {_CITE_KEYS}")
        self.name(f"penalty.{key}", found, path)
        points = self.points(found["points"], f"{path}.points") if "points" in found else None
        return Penalty(key, points, found.get("remedy"), self.cited(found, path))

    def fault(self, key: str, entry: object) -> Fault:
        found = self.table(entry, key, "touches known-by cite", "standing says omits")
        if ("says" in found) is ("omits" in found):
            self.refuse(key, "says-or-omits")
        touches = found["touches"]
        about = (*found.get("says", ()), *found.get("omits", ()), touches)
        self.all_known((name.partition("/")[0] for name in about if not name.startswith("penalties/")), key)
        known_by, standing = str(self.citation(found["known-by"], key)), Standing(found.get("standing", "stated"))
        return Fault(key, touches, known_by, Cited(tuple(self.citation(each, key) for each in found["cite"]), standing))

    def rule(self, table: str, key: str, entry: object) -> Rule:
        found = self.table(entry, f"{table}.{key}", "rests", "severity")
        self.known(found.get("severity", "error"), ("error", "warning"), f"{table}.{key}.severity", "unknown-severity")
        rests = self.listing(found["rests"], f"{table}.{key}.rests")
        self.all_known(rests, f"{table}.{key}")
        return Rule(key, found.get("severity", "error"), tuple(rests))

    def all_known(self, settings: Iterable[str], path: str) -> None:
        for name in settings:
            self.known(name, SETTING_KEYS, path, "unknown-setting")


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
