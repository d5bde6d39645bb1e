"""A value of a TOML data file with its path, so that invalid values are refused with file, key and line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from importlib.resources.abc import Traversable
from itertools import takewhile
from typing import Any, NoReturn, TypeVar

from scorepad.errors import VariantError
from scorepad.rules.definitions import Citation, Cited, Source, SourceId, Standing, steps_of

CITE_KEYS = "cite standing read notes"
LANGUAGES = ("it", "en")
CODE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
"""The ids of variants, and the codes of bonuses and canastas: lower-case letters, digits and hyphens."""
LONGEST_TEXT = 300
"""Maximum number of characters of a name or a sentence in a user's file."""

_Read = TypeVar("_Read")


@dataclass(slots=True)
class File:
    """The file being read. `own`: it is a user's file, with its own words and sources."""

    name: str
    text: str
    own: bool
    sources: dict[SourceId, Source]
    words: dict[str, dict[str, str]]
    """The messages that the file defines, by language and catalogue key."""
    known: Mapping[str, Collection[str]] = field(default_factory=dict)
    """The codes with words of their own, by kind (`penalty`, `option`): a user's file names any other."""
    troubles: list[VariantError] = field(default_factory=list)
    """The errors of a user's file found so far; reading goes on, to report all of them."""

    @contextmanager
    def going_on(self) -> Iterator[None]:
        """Collect an error of a user's file; raise that of a file of the package."""
        try:
            yield
        except VariantError as trouble:
            if not self.own:
                raise
            self.troubles.append(trouble)


def open_file(file: Traversable, sources: Mapping[SourceId, Source], *, own: bool = False) -> TomlValue:
    """The root of a file; only these sources may be cited. Raises VariantError."""
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as trouble:
        problem = "no-file" if isinstance(trouble, FileNotFoundError) else "unreadable"
        raise VariantError(file.name, "", problem) from trouble
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as trouble:  # not TOML; a number too large, or nesting too deep
        place = re.search(r"at line (\d+)", str(trouble))
        line = int(place[1]) if place else text.count("\n") + 1
        problem = "twice" if re.match("Cannot (overwrite|declare)", str(trouble)) else "not-toml"
        raise VariantError(file.name, "", problem, line) from trouble
    return TomlValue(File(file.name, text, own, dict(sources), {language: {} for language in LANGUAGES}), data)


_HEADER = re.compile(r"\s*\[\[?\s*([^\[\]]+?)\s*\]")
_KEY = re.compile(r"\s*([\w\-\"'.]+)\s*=")


def line_of(text: str, key: str) -> int | None:
    """The line of a key in a TOML text, or of the table that lacks it; None if neither is found."""
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


@dataclass(frozen=True, slots=True)
class TomlValue:
    """A value of a file, and its dotted path. Its methods refuse invalid values."""

    file: File
    value: Any
    path: str = ""

    def refuse(self, problem: str, key: str = "", **figures: str | int) -> NoReturn:
        """Raise VariantError for this value, or for a key in it."""
        key, text = self.under(key), self.file.text
        # What the parent brings is named in a list; what the file lacks altogether belongs at its head.
        line = line_of(text, key) or line_of(text, f"takes-{key.partition('.')[0]}") or 1
        raise VariantError(self.file.name, key, problem, line, **figures)

    def report(self, problem: str, key: str = "", **figures: str | int) -> None:
        """Refuse a key, and go on with the other keys of a user's file."""
        with self.file.going_on():
            self.refuse(problem, key, **figures)

    def under(self, key: str) -> str:
        """The path of a key in this value."""
        return f"{self.path}.{key}".strip(".")

    def get(self, key: str, default: Any = None) -> TomlValue:
        """The value of a key."""
        return TomlValue(self.file, self.value.get(key, default), self.under(key))

    def at(self, key: object) -> TomlValue:
        """The same value under a longer path."""
        return replace(self, path=self.under(str(key)))

    def table(self, required: str = "", optional: str = "") -> TomlValue:
        """Itself, after checking that it is a table with only these keys; keys are separated by spaces."""
        if not isinstance(self.value, dict):
            self.refuse("not-table")
        known, before = (*required.split(), *optional.split()), len(self.file.troubles)
        for name in self.value:
            with self.file.going_on():
                TomlValue(self.file, name, self.under(name)).among(known, "unknown-key")
        if self.path and self.file.troubles[before:]:  # what is missing may be there under the unknown name
            raise self.file.troubles.pop()
        for name in required.split():
            if name not in self.value:
                self.refuse("missing", name)
        return self

    def each(self, read: Callable[[str, TomlValue], _Read]) -> dict[str, _Read]:
        """The entries of this table, each read by `read`."""
        if not isinstance(self.value, dict):
            self.refuse("not-table")
        found = {}
        for key in self.value:
            with self.file.going_on():
                found[key] = read(key, self.get(key))
        return found

    def tables(self) -> list[TomlValue]:
        """The tables of this list, all with its path."""
        if not isinstance(self.value, list) or not all(isinstance(each, dict) for each in self.value):
            self.refuse("not-tables")
        return [TomlValue(self.file, each, self.path) for each in self.value]

    def texts(self) -> tuple[str, ...]:
        """The texts of this list."""
        if not isinstance(self.value, list) or not all(isinstance(each, str) for each in self.value):
            self.refuse("not-texts")
        return tuple(self.value)

    def among(self, names: Iterable[str], problem: str) -> Any:
        """The value, which must be one of these names; the refusal suggests the closest name."""
        listed, name = list(names), str(self.value)
        if self.value not in listed:
            meant = get_close_matches(name, listed, 1)
            if meant:
                self.refuse(f"{problem}.meant", name=name, meant=meant[0])
            self.refuse(problem, name=name, known=", ".join(listed))
        return self.value

    def all_among(self, names: Iterable[str], problem: str) -> tuple[str, ...]:
        """The texts of this list, each of which must be one of these names."""
        listed = tuple(names)
        for text in self.texts():
            with self.file.going_on():
                replace(self, value=text).among(listed, problem)
        return tuple(text for text in self.value if text in listed)

    def number(self, least: int, most: int, step: int = 1) -> int:
        """A number within these limits that is a multiple of `step`."""
        if type(self.value) is not int or not least <= self.value <= most:
            self.refuse("number" if step == 1 else "number-step", least=least, most=most, step=step)
        if self.value % step:
            self.refuse("not-multiple", step=step)
        return self.value

    def line(self) -> str:
        """A text on one line."""
        if not isinstance(self.value, str) or len(self.value) > LONGEST_TEXT or not self.value.isprintable():
            self.refuse("text", most=LONGEST_TEXT)
        return self.value

    def add_words(self, key: str, texts: Mapping[str, object]) -> None:
        """Add a message of the file; a missing language uses the text of the other."""
        lines = {language: replace(self, value=text).line() for language, text in texts.items()}
        for language, messages in self.file.words.items():
            messages[key] = lines.get(language, next(iter(lines.values()), ""))

    def name(self, key: str, code: str = "") -> None:
        """Read the words of an item of a user's file; a `code` that is not among the known ones needs them."""
        if self.file.own and "words" in self.value:
            words = self.get("words").table("", " ".join(LANGUAGES))
            words.add_words(key, words.value)
        if code and not CODE.fullmatch(code):
            self.report("id-form", name=code)
        elif self.file.own and code and not self.value.get("words"):
            with self.file.going_on():
                replace(self, value=code).among(self.file.known.get(key.partition(".")[0], ()), "no-words")

    def cited(self) -> Cited:
        """The citation of this entry."""
        standing = Standing(self.get("standing", "stated").among(Standing, "unknown-standing"))
        cite = self.get("cite", [])
        citations = tuple(replace(cite, value=text).citation() for text in cite.texts())
        if not citations and (standing is Standing.STATED or (standing is Standing.READ and not self.file.own)):
            self.refuse("uncited")
        if citations and standing is Standing.HOUSE:
            self.refuse("house-cited")
        if (standing is Standing.READ) != ("read" in self.value):
            self.refuse("argument")
        argument = self.value.get("read")
        if self.file.own and argument is not None:
            name = f"{self.file.name.removesuffix('.toml')}.{self.path}"
            self.get("read").add_words(f"read.{name}", dict.fromkeys(LANGUAGES, argument))
            argument = name
        manuals = dict(note for source in self.file.sources.values() for note in source.notes)
        notes = self.get("notes", [])
        if isinstance(notes.value, list):
            notes = replace(notes, value=[str(number) for number in notes.value])
        numbers = notes.all_among(manuals, "unknown-note")
        return Cited(citations, standing, argument, tuple(manuals[number] for number in numbers))

    def citation(self) -> Citation:
        """A place in a source, from its text."""
        name, _, section = self.value.partition(":")
        source = self.file.sources[SourceId(replace(self, value=name).among(self.file.sources, "unknown-source"))]
        return Citation(source.id, replace(self, value=section).among(source.sections, "unknown-section"))

    def steps(self, setting: str, value: Any) -> dict[str, Cited]:
        """The citations of single steps of a value; the value given with each must match the value's own."""
        said = {}
        with suppress(TypeError, ValueError, LookupError):
            said = steps_of(setting, value)

        def step(name: str, entry: TomlValue) -> Cited:
            # A value that is not a table is the same at every step.
            if entry.table("says", CITE_KEYS).value["says"] != (said or {name: value}).get(name):
                entry.refuse("says-other")
            return entry.cited()

        return self.each(step)
