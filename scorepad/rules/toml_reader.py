"""A value of a TOML data file with its path, so that invalid values are refused with file, key and
line.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sized
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from scorepad.errors import VariantError
from scorepad.rules.definitions import Citation, Cited, Source, SourceId, Standing, value_at
from scorepad.rules.toml_text import LARGEST_FILE, line_numbers

CITE_KEYS = ("cite", "standing", "read", "notes")
"""The keys with which an entry of a file says what supports it (see `read_citations`)."""
LANGUAGES = ("it", "en")
CODE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
"""The ids of variants, and the codes of bonuses and canastas: lower-case letters, digits and
hyphens.
"""
LONGEST_TEXT = 300
"""Maximum number of characters of a sentence in a user's file, and of the name of an option or its
value.
"""
LONGEST_NAME = 60
"""Maximum number of characters of the name of a variant, bonus, penalty or canasta in a user's
file.
"""
MOST_MISTAKES = 20
"""Mistakes of a file that are reported in full, and for which a similar name is looked for."""
_NEAR = 0.75
"""How alike two names are, from 0 to 1, for the one to be meant by the other."""
_FEW = 12
"""Names that are listed even where one of them is probably meant."""
_LONGEST_QUOTE = 60
"""Characters of an invalid value that its message repeats."""

_KINDS_OF_NAMES = ("bonus.", "family.", "item.", "penalty.")
"""How the keys of those messages begin that are names on papers and in forms: `penalty.late`."""

_Read = TypeVar("_Read")


@dataclass  # without slots: its lines are cached
class File:
    """The file being read. `is_own`: it is a user's file, with its own words and sources."""

    name: str
    text: str
    is_own: bool
    sources: dict[SourceId, Source]
    words: dict[str, dict[str, str]]
    """The messages that the file defines, by language and catalogue key."""
    known: Mapping[str, Collection[str]] = field(default_factory=dict)
    """The codes with words of their own, by kind (`penalty`, `option`): a user's file names any
    other.
    """
    errors: list[VariantError] = field(default_factory=list)
    """The errors of a user's file found so far; reading goes on, to report all of them."""
    wrong_settings: set[str] = field(default_factory=set)
    """The settings of a user's file that cannot be; what depends on them is not judged."""
    lacks_parent: bool = False
    """Whether a user's file names no variant to start from: what depends on that is not judged."""

    @property
    def variant_id(self) -> str:
        """The id of the variant in the file: `mia.toml` holds the variant `mia`."""
        return self.name.removesuffix(".toml")

    @cached_property
    def lines(self) -> Mapping[str, int]:
        """The line of each key and table, by its dotted path. Raises VariantError for a file beyond
        the limits.
        """
        return line_numbers(self.name, self.text)

    def refuse_beyond_limits(self) -> None:
        """Raise VariantError if the file has more lines, keys or values than a file may have."""
        _ = self.lines  # found by counting what is on them

    def line_of(self, key: str) -> int | None:
        """The line of a key, or of the table that lacks it; None if neither is found."""
        while key:
            if key in self.lines:
                return self.lines[key]
            key = key.rpartition(".")[0]
        return None

    @contextmanager
    def collecting_errors(self) -> Iterator[None]:
        """Go on after an error inside the `with` block if the file is a user's, whose errors are
        reported together; that of a file of the package is raised.
        """
        try:
            yield
        except VariantError as error:
            self.add_error(error)

    def add_error(self, error: VariantError) -> None:
        """Collect an error of a user's file; raise that of a file of the package."""
        if not self.is_own:
            raise error
        self.errors.append(error)

    def add_message(self, key: str, texts: Mapping[str, str]) -> None:
        """Add a message under a key of the catalogue to the words of the file.

        `texts` are its texts by language; a language without one uses the first text.
        """
        first_text = next(iter(texts.values()), "")
        for language, messages in self.words.items():
            messages[key] = texts.get(language, first_text)

    def manual_of_footnote(self) -> dict[str, str]:
        """The manuals that footnotes of the sources name, by the number of the footnote."""
        manuals: dict[str, str] = {}
        for source in self.sources.values():
            manuals.update(source.notes)
        return manuals


def open_toml(file: Traversable, sources: Mapping[SourceId, Source]) -> TomlValue:
    """The root of a file of the package; only these sources may be cited. Raises VariantError."""
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise _error_of_unread_file(file.name, error) from error
    return _open_text(file.name, text, sources, is_own=False)


def read_own_text(file: Path) -> str:
    """The text of a user's file. Raises VariantError, also for what is no regular file and for a
    file too large.
    """
    try:
        is_special = file.exists() and not file.is_file()
        if is_special:  # to read a pipe would wait until somebody writes to it
            raise VariantError(file.name, "", "unreadable")
        with file.open("rb") as stream:
            content = stream.read(LARGEST_FILE + 1)
    except OSError as error:
        raise _error_of_unread_file(file.name, error) from error
    return decode_own(file.name, content)


def _error_of_unread_file(name: str, error: Exception) -> VariantError:
    """The error for a file that is missing or cannot be read."""
    if isinstance(error, FileNotFoundError):
        return VariantError(name, "", "no-file")
    return VariantError(name, "", "unreadable")


def decode_own(name: str, content: bytes) -> str:
    """The text of a user's file from its bytes. Raises VariantError."""
    if len(content) > LARGEST_FILE:
        raise VariantError(name, "", "limit-bytes", most=LARGEST_FILE // 1024)
    try:
        return content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise VariantError(name, "", "unreadable") from error


def open_own(name: str, text: str, sources: Mapping[SourceId, Source]) -> TomlValue:
    """The root of a user's file, which may cite these sources and its own. Raises VariantError."""
    return _open_text(name, text, sources, is_own=True)


def _open_text(
    name: str, text: str, sources: Mapping[SourceId, Source], *, is_own: bool
) -> TomlValue:
    """The root of a file with this text. Raises VariantError if the text is no TOML.

    Only these sources may be cited; a user's file (`is_own`) may add others.
    """
    file = File(
        name=name,
        text=text,
        is_own=is_own,
        sources=dict(sources),
        words={language: {} for language in LANGUAGES},
    )
    if is_own:
        file.refuse_beyond_limits()  # to parse it could take too long
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        # Not TOML, a number too large, or nesting too deep.
        raise _error_of_no_toml(name, text, str(error)) from error
    return TomlValue(file, data)


def _error_of_no_toml(name: str, text: str, message: str) -> VariantError:
    """The error of a text that tomllib refuses with this message, which may name the line."""
    last_line = text.count("\n") + 1
    named_line = re.search(r"at line (\d+)", message)
    line = int(named_line[1]) if named_line else last_line
    is_key_twice = re.match("Cannot (overwrite|declare)", message)
    if is_key_twice:
        return VariantError(name, "", "twice", line)
    return VariantError(name, "", "not-toml", line)


def _is_list_of(kind: type, value: object) -> bool:
    """Whether a value is a list of which every element is of this type."""
    return isinstance(value, list) and all(isinstance(each, kind) for each in value)


@dataclass(frozen=True, slots=True)
class TomlValue:
    """A value of a file, and its dotted path. Its methods refuse invalid values."""

    file: File
    value: Any
    path: str = ""

    def refuse(self, problem: str, key: str = "", **arguments: str | int) -> NoReturn:
        """Raise VariantError for this value, or for a key in it, with its line in the file.

        `problem` is the key of the message, `arguments` are its values.
        """
        path = self.path_of(key)
        line = self._line_to_report(path)
        raise VariantError(self.file.name, path, problem, line, **arguments)

    def _line_to_report(self, path: str) -> int:
        """The line at which a mistake at this path of the file is reported.

        `options.draw` may not be in the file, but taken over from the parent by
        `takes-options = ["draw"]`: then it is the line of that list. If nothing of the path is in
        the file, it is the first line.
        """
        line = self.file.line_of(path)
        if line is not None:
            return line
        table = path.partition(".")[0]
        return self.file.line_of(f"takes-{table}") or 1

    def report(self, problem: str, key: str = "", **arguments: str | int) -> None:
        """Refuse a key, and go on with the other keys of a user's file."""
        with self.file.collecting_errors():
            self.refuse(problem, key, **arguments)

    def path_of(self, key: str) -> str:
        return f"{self.path}.{key}".strip(".")

    def get(self, key: str, default: Any = None) -> TomlValue:
        """The value of a key of this table, with its path; the default if it is missing."""
        return TomlValue(self.file, self.value.get(key, default), self.path_of(key))

    def has(self, key: str) -> bool:
        return key in self.value

    def at_path(self, key: object) -> TomlValue:
        """The same value, reported under the path of this key of it."""
        return replace(self, path=self.path_of(str(key)))

    def with_value(self, value: Any) -> TomlValue:
        """Another value at the same path."""
        return replace(self, value=value)

    def check_keys(self, *, required: Iterable[str] = (), optional: Iterable[str] = ()) -> None:
        """Refuse the value unless it is a table that has all `required` keys.

        Any key that is neither among these nor `optional` is refused too.
        """
        if not isinstance(self.value, dict):
            self.refuse("not-table")
        required_keys = list(required)
        self._refuse_unknown_keys([*required_keys, *optional])
        for name in required_keys:
            if not self.has(name):
                self.refuse("missing", name)

    def _refuse_unknown_keys(self, known: list[str]) -> None:
        """Refuse the keys of this table that are not known. A user's file is told of all of them.

        At the root of a user's file, reading goes on. In any other table it ends with an error: a
        required key may be there under a wrong name, and would be reported as missing too.
        """
        unknown_keys = [key for key in self.value if key not in known]
        if not unknown_keys:
            return
        is_root = not self.path
        if is_root:
            for key in unknown_keys:
                self.at_path(key).report_unknown_name(key, known, "unknown-key")
            return
        *other_keys, last_key = unknown_keys
        for key in other_keys:
            self.at_path(key).report_unknown_name(key, known, "unknown-key")
        self.at_path(last_key).check_name(last_key, known, "unknown-key")  # raises the error

    def entries(self) -> list[tuple[str, TomlValue]]:
        """The keys of this table, each with its value. Any other value is refused."""
        if not isinstance(self.value, dict):
            self.refuse("not-table")
        return [(key, self.get(key)) for key in self.value]

    def read_entries(self, read_entry: Callable[[str, TomlValue], _Read]) -> dict[str, _Read]:
        """The entries of this table, each read by a function of its key and value.

        Of a user's file, entries that cannot be read are reported and left out.
        """
        results: dict[str, _Read] = {}
        for key, value in self.entries():
            with self.file.collecting_errors():
                results[key] = read_entry(key, value)
        return results

    def list_of_tables(self) -> list[TomlValue]:
        """The tables of this list, all with its path."""
        if not _is_list_of(dict, self.value):
            self.refuse("not-tables")
        return [self.with_value(each) for each in self.value]

    def read_tables(self, read_table: Callable[[TomlValue], _Read]) -> list[_Read]:
        """The tables of this list, each read by a function.

        If some cannot be read, the others are read all the same; then the last error is raised.
        """
        results: list[_Read] = []
        last_error = None
        for table in self.list_of_tables():
            try:
                results.append(read_table(table))
            except VariantError as error:
                self.file.add_error(error)
                last_error = error
        if last_error:
            raise last_error
        return results

    def list_of_texts(self) -> tuple[str, ...]:
        if not _is_list_of(str, self.value):
            self.refuse("not-texts")
        return tuple(self.value)

    def one_of(self, names: Iterable[str], problem: str) -> Any:
        """The value, which must be one of these names; otherwise it is refused with this problem."""
        self.check_name(self.value, names, problem)
        return self.value

    def check_name(self, name: object, known_names: Iterable[str], problem: str) -> None:
        """Refuse this entry with this problem, unless the name, which it holds, is a known one."""
        known = list(known_names)
        if name not in known:
            self._refuse_name(str(name)[:_LONGEST_QUOTE], known, problem)

    def report_unknown_name(self, name: object, known_names: Iterable[str], problem: str) -> None:
        """Report this entry with this problem, unless the name, which it holds, is a known one.

        Reading a user's file goes on after that; an error in a file of the package is raised.
        """
        with self.file.collecting_errors():
            self.check_name(name, known_names, problem)

    def _refuse_name(self, name: str, known: list[str], problem: str) -> NoReturn:
        """Refuse an unknown name; the message says which similar name is meant, or lists all."""
        similar = self._similar_name(name, known)
        if similar is None:
            self.refuse(problem, name=name, known=", ".join(known))
        listed = ", ".join(known) if len(known) <= _FEW else ""
        self.refuse(f"{problem}.meant", name=name, meant=similar, known=listed)

    def _similar_name(self, name: str, known: list[str]) -> str | None:
        """The known name that is most like this one; None if none is like it.

        To look for it takes longer than anything else here: None also after many errors.
        """
        if len(self.file.errors) >= MOST_MISTAKES:
            return None
        similar = get_close_matches(name, known, 1, _NEAR)
        return similar[0] if similar else None

    def texts_among(self, names: Iterable[str], problem: str) -> tuple[str, ...]:
        """The texts of this list that are among these names; any other is refused with this problem."""
        known = list(names)
        texts: list[str] = []
        for text in self.list_of_texts():
            with self.file.collecting_errors():
                self.check_name(text, known, problem)
                texts.append(text)
        return tuple(texts)

    def number_between(self, least: int, most: int, step: int = 1) -> int:
        """The number, which must be within these limits and a multiple of `step`."""
        number = self.value
        if type(number) is not int or not least <= number <= most:
            problem = "number" if step == 1 else "number-step"
            self.refuse(problem, least=least, most=most, step=step)
        if number % step != 0:
            self.refuse("not-multiple", step=step)
        return number

    def limited_to(self, most: int) -> TomlValue:
        """Itself, after checking that a table or list of a user's file has at most so many entries."""
        is_too_long = isinstance(self.value, Sized) and len(self.value) > most
        if self.file.is_own and is_too_long:
            self.refuse("too-many", most=most, has=len(self.value))
        return self

    def text_line(self, most: int = LONGEST_TEXT) -> str:
        """The text, which must be one line of at most so many characters."""
        text = self.value
        if not isinstance(text, str) or len(text) > most or not text.isprintable():
            self.refuse("text", most=most)
        return text

    def add_words(self, key: str, texts: Mapping[str, object]) -> None:
        """Check the texts of a message, given by language, and add it to the words of the file.

        `key` is its key in the catalogue, such as `penalty.late`. A missing language uses the text of
        the other.
        """
        longest = _longest_message(key)
        checked_texts: dict[str, str] = {}
        for language, text in texts.items():
            checked_texts[language] = self.with_value(text).text_line(longest)
        self.file.add_message(key, checked_texts)

    def add_words_of_entry(self, key: str) -> None:
        """Add the `words` of this entry of a user's file to the words of the file, under this key of
        the catalogue.

        They are a text for each language: `words = { it = "Ritardo", en = "Being late" }`.
        """
        if not self.file.is_own or not self.has("words"):
            return
        words = self.get("words")
        words.check_keys(optional=LANGUAGES)
        words.add_words(key, words.value)

    def define_code(self, kind: str, code: str, *, key: str) -> None:
        """Add the words of an entry that defines a code, such as `late`, and report a wrong code.

        `kind` says what the code names, such as `penalty`. The words are added to those of the file
        under this key of the catalogue: `penalty.late`.
        """
        self.add_words_of_entry(key)
        is_well_formed = CODE.fullmatch(code) is not None
        if not is_well_formed:
            self.report("id-form", name=code)
            return
        if self.file.is_own:
            self._report_code_without_words(kind, code)

    def _report_code_without_words(self, kind: str, code: str) -> None:
        """Report this entry of a user's file if nothing says what to call the code that it defines.

        That may be the entry itself, by its `words`, or the program, which knows some codes of each
        kind: the penalty `late`, for example.
        """
        has_words = bool(self.value.get("words"))
        if not has_words:
            codes_with_words = self.file.known.get(kind, ())
            self.report_unknown_name(code, codes_with_words, "no-words")

    def read_citations(self) -> Cited:
        """What supports this entry, by its keys `cite`, `standing`, `read` and `notes`.

        `{ value = 2, cite = ["W:Samba"], notes = [47] }` is stated by the section `Samba` of the
        source `W`, and by the manual that footnote 47 names. Keys that contradict each other are
        refused.
        """
        # How well sources support the entry decides which of the other keys it needs.
        standing = Standing(self.get("standing", "stated").one_of(Standing, "unknown-standing"))
        citations = self._read_cite(standing)
        self._check_argument(standing)
        argument = None
        if standing is Standing.INFERRED:
            argument = self._name_of_argument()
            self._add_words_of_argument(argument)
        return Cited(citations=citations, standing=standing, read=argument, notes=self._manuals())

    def _read_cite(self, standing: Standing) -> tuple[Citation, ...]:
        """The citations of this entry: `cite = ["W:Samba"]`.

        An entry with this standing may have to cite something, or may not cite anything.
        """
        citations = self.get("cite", []).list_of_citations()
        if not citations and self._needs_citation(standing):
            self.refuse("uncited")
        if citations and standing is Standing.AGREED:
            self.refuse("house-cited")  # what the table agreed is stated by no source
        return citations

    def _check_argument(self, standing: Standing) -> None:
        """Refuse an inference from the sources without its argument, the key `read`.

        An entry with any other standing is refused if it has an argument.
        """
        needs_argument = standing is Standing.INFERRED
        has_argument = self.has("read")
        if has_argument != needs_argument:
            self.refuse("argument")

    def _needs_citation(self, standing: Standing) -> bool:
        """Whether an entry with this standing has to cite a source.

        An inference in a file of the package names the passages that it starts from; in a user's
        file its argument alone is enough.
        """
        if standing is Standing.INFERRED:
            return not self.file.is_own
        return standing is Standing.STATED

    def _name_of_argument(self) -> str:
        """The name of the argument in this entry, which is an inference.

        A file of the package gives that name; a user's file gives the argument as a text, which is
        named after the place of the entry: `mia.settings.sides`.
        """
        if self.file.is_own:
            return f"{self.file.variant_id}.{self.path}"
        name: str = self.value["read"]
        return name

    def _add_words_of_argument(self, name: str) -> None:
        """Add the argument in this entry of a user's file to the words of the file, under a name.

        The user writes the text once, and it is shown in every language. In a file of the package,
        the entry has only the name of the argument, and there is nothing to add.
        """
        if not self.file.is_own:
            return
        argument = self.get("read")
        text_by_language: dict[str, object] = {}
        for language in LANGUAGES:
            text_by_language[language] = argument.value
        argument.add_words(f"read.{name}", text_by_language)

    def _manuals(self) -> tuple[str, ...]:
        """The manuals behind the citations of this entry: those that its footnotes name.

        The key `notes` of the entry has the numbers of the footnotes: `notes = [3, 7]`.
        """
        manuals = self.file.manual_of_footnote()
        notes = self.get("notes", [])
        if not isinstance(notes.value, list):
            notes.refuse("not-texts")
        # The numbers are keys of a table in the description of a source, and those are texts.
        numbers = notes.with_value([str(number) for number in notes.value])
        known_numbers = numbers.texts_among(manuals, "unknown-note")
        return tuple(manuals[number] for number in known_numbers)

    def list_of_citations(self) -> tuple[Citation, ...]:
        """The citations in this list of texts: `["W:Samba"]`."""
        return tuple(self.read_citation(text) for text in self.list_of_texts())

    def read_citation(self, text: str) -> Citation:
        """The citation in a text of this entry: `W:Samba`, the section `Samba` of the source `W`.

        The entry is refused if there is no such source or no such section.
        """
        name, _, section = text.partition(":")
        self.check_name(name, self.file.sources, "unknown-source")
        source = self.file.sources[SourceId(name)]
        self.check_name(section, source.sections, "unknown-section")
        return Citation(source.id, section)

    def read_cited_steps(self, setting: str, value: Any) -> dict[str, Cited]:
        """What supports single steps of a setting, by the name of the step.

        For `opening-steps = [[0, 50], [1500, 90]]`, this table may hold the entry
        `1500 = { says = 90, cite = […] }`: it cites what states the minimum from 1500 points on.
        Steps that cannot be read are reported and left out.
        """
        cited_steps: dict[str, Cited] = {}
        for step, entry in self.entries():
            with self.file.collecting_errors():
                value_of_step = _value_at_step(setting, value, step)
                cited_steps[step] = entry.read_citations_of_step(value_of_step)
        return cited_steps

    def read_citations_of_step(self, value_of_step: Any) -> Cited:
        """What supports one step of a setting, by this entry for it: `{ says = 90, cite = […] }`.

        The entry is refused unless `says` repeats the value of that step. Who changes the value in
        the setting is thus reminded to change the citations too.
        """
        self.check_keys(required=["says"], optional=CITE_KEYS)
        if self.value["says"] != value_of_step:
            self.refuse("says-other")
        return self.read_citations()


def _value_at_step(setting: str, value: Any, step: str) -> Any:
    """The part of a setting's value that a step names; None if there is no such part.

    A value that does not have the form of the setting, such as a number in place of a list, has no
    parts.
    """
    try:
        return value_at(setting, value, step)
    except (TypeError, ValueError, LookupError):
        return None


def _longest_message(key: str) -> int:
    """The most characters of a message in a user's file, by its key in the catalogue.

    Names have room for fewer than sentences: `penalty.late` → 60, `read.mia.sides` → 300.
    """
    is_name = key.endswith(".name") or key.startswith(_KINDS_OF_NAMES)
    return LONGEST_NAME if is_name else LONGEST_TEXT
