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
from scorepad.rules.definitions import (
    Citation,
    Cited,
    Source,
    SourceId,
    Standing,
    get_value_of_part,
)
from scorepad.rules.toml_text import LARGEST_FILE, find_line_numbers

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
    """The TOML file being read.

    `is_from_user`: a user wrote it, and it may have words and sources of its own. Other files are
    shipped with scorepad.
    """

    name: str
    text: str
    is_from_user: bool
    sources: dict[SourceId, Source]
    words: dict[str, dict[str, str]]
    """The messages that the file defines, by language and catalogue key."""
    codes_with_words: Mapping[str, Collection[str]] = field(default_factory=dict)
    """The codes for which the pages have a name, by kind (`penalty`, `option`). A user's file has
    to name any other.
    """
    errors: list[VariantError] = field(default_factory=list)
    """The errors of a user's file found so far; reading goes on, to report all of them."""

    @property
    def variant_id(self) -> str:
        """The id of the game in the file, which is the file's name: `mia.toml` → `mia`."""
        return self.name.removesuffix(".toml")

    @cached_property
    def lines(self) -> Mapping[str, int]:
        """The line number of each key and table, by its path: `{"settings.decks": 12, …}`.

        Raises VariantError if the file has more lines, keys or values than a file may have.
        """
        return find_line_numbers(self.name, self.text)

    def check_size_limits(self) -> None:
        """Raise VariantError if the file has more lines, keys or values than a file may have."""
        _ = self.lines  # the first access counts them, and raises the error

    def find_line(self, path: str) -> int | None:
        """Find the line of a key by its path; if the key is missing, the line of its table.

        - `settings.decks`, written on line 12 → 12
        - `settings.decks`, missing in the table that begins on line 10 → 10
        - nothing of the path is in the file → None
        """
        while path:
            if path in self.lines:
                return self.lines[path]
            path = path.rpartition(".")[0]  # "settings.decks" -> "settings" -> ""
        return None

    @contextmanager
    def collecting_errors(self) -> Iterator[None]:
        """Record an error raised inside the `with` block, and go on after the block.

        All errors of a user's file are shown together at the end. A file that is shipped with
        scorepad must have none: its error is raised at once.
        """
        try:
            yield
        except VariantError as error:
            self.add_error(error)

    def add_error(self, error: VariantError) -> None:
        """Record an error of a user's file; raise it if the file is shipped with scorepad."""
        if not self.is_from_user:
            raise error
        self.errors.append(error)

    def add_message(self, key: str, texts: Mapping[str, str]) -> None:
        """Add a text that the file defines to its messages, in every language of the pages.

        `key` names the message, such as `penalty.late`, and `texts` are given by language. A
        language that is missing gets the first text: `{"en": "Late"}` → "Late" in Italian too.
        """
        first_text = next(iter(texts.values()), "")  # "" if there are no texts
        for language, messages in self.words.items():
            messages[key] = texts.get(language, first_text)

    def manuals_by_footnote(self) -> dict[str, str]:
        """Return the printed manuals that footnotes of the sources name, by footnote number.

        Wikipedia, for example, names a book in a footnote: `{"47": "Crawford 1951, pp. 31-40"}`.
        """
        manuals: dict[str, str] = {}
        for source in self.sources.values():
            manual_by_number = dict(source.notes)
            manuals.update(manual_by_number)
        return manuals


def read_toml_file(file: Traversable, sources: Mapping[SourceId, Source]) -> TomlValue:
    """Open a TOML file that is shipped with scorepad, and return its top-level table.

    `sources` are the rule books that the file may cite, by id. Raises VariantError if the file is
    missing or is not valid TOML.
    """
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise _make_error_for_unread_file(file.name, error) from error
    return _parse_text(file.name, text, sources, is_from_user=False)


def read_own_file(file: Path) -> str:
    """Read the text of a user's file of house rules.

    Raises VariantError if the file is missing, too large, not UTF-8, or no regular file.
    """
    try:
        is_special = file.exists() and not file.is_file()
        if is_special:  # to read a pipe would wait until somebody writes to it
            # "the file cannot be read. Save it as UTF-8 text."
            raise VariantError(file.name, "", "unreadable")
        with file.open("rb") as stream:
            content = stream.read(LARGEST_FILE + 1)  # one byte more shows that it is too large
    except OSError as error:
        raise _make_error_for_unread_file(file.name, error) from error
    return decode_own_file(file.name, content)


def _make_error_for_unread_file(name: str, error: Exception) -> VariantError:
    """Make the error to report for a file that is missing, or that cannot be read."""
    if isinstance(error, FileNotFoundError):
        # "there is no such file. Check its name and folder."
        return VariantError(name, "", "no-file")
    # "the file cannot be read. Save it as UTF-8 text."
    return VariantError(name, "", "unreadable")


def decode_own_file(name: str, content: bytes) -> str:
    """Decode the content of a user's file, and return it as text.

    Line ends as Windows writes them are replaced.

    Raises VariantError if the content is too large, or not UTF-8.
    """
    if len(content) > LARGEST_FILE:
        # "the file is too large for rules" and so on
        raise VariantError(name, "", "limit-bytes", most=LARGEST_FILE // 1024)
    try:
        return content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        # "the file cannot be read. Save it as UTF-8 text."
        raise VariantError(name, "", "unreadable") from error


def parse_own_toml(name: str, text: str, sources: Mapping[SourceId, Source]) -> TomlValue:
    """Parse the text of a user's file of house rules, and return its top-level table.

    `sources` are the rule books that the file may cite besides its own, by id. Raises VariantError
    if the text is not valid TOML, or too long.
    """
    return _parse_text(name, text, sources, is_from_user=True)


def _parse_text(
    name: str, text: str, sources: Mapping[SourceId, Source], *, is_from_user: bool
) -> TomlValue:
    """Parse the text of a TOML file, and return its top-level table.

    `sources` are the rule books that the file may cite, by id. A user's file (`is_from_user`) may
    describe further ones. Raises VariantError if the text is not valid TOML, or too long.
    """
    file = File(
        name=name,
        text=text,
        is_from_user=is_from_user,
        sources=dict(sources),
        words={language: {} for language in LANGUAGES},
    )
    if is_from_user:
        file.check_size_limits()  # before tomllib, which could take too long for a hostile file
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        # Not TOML, a number too large, or nesting too deep.
        raise _make_error_for_invalid_toml(name, text, str(error)) from error
    return TomlValue(file, data)


def _make_error_for_invalid_toml(name: str, text: str, message: str) -> VariantError:
    """Make the error to report for a text that tomllib refused with a message.

    The line is taken from the message, as in "Invalid value (at line 3, column 5)". A message
    without a line is about the end of the text.
    """
    named_line = re.search(r"at line (\d+)", message)
    line = int(named_line[1]) if named_line else text.count("\n") + 1

    # tomllib says "Cannot overwrite a value" or "Cannot declare … twice" then.
    is_key_twice = re.match("Cannot (overwrite|declare)", message)
    if is_key_twice:
        # "the key or the table of this line is already there above. Keep only one."
        return VariantError(name, "", "twice", line)
    # "the file is not valid TOML here. Check quotes, brackets and equals signs."
    return VariantError(name, "", "not-toml", line)


def _is_list_of(kind: type, value: object) -> bool:
    """Tell whether a value is a list in which every element is of this type."""
    return isinstance(value, list) and all(isinstance(each, kind) for each in value)


@dataclass(frozen=True, slots=True)
class TomlValue:
    """A value of a file, and its dotted path. Its methods refuse invalid values."""

    file: File
    value: Any
    path: str = ""

    def refuse(self, problem: str, key: str = "", **arguments: str | int) -> NoReturn:
        """Raise VariantError for this value, or for a key inside it, with its line in the file.

        `problem` is the code of the message, such as `"missing"`, and `arguments` are the values
        to insert into the message.
        """
        raise self.make_error(problem, key, **arguments)

    def report(self, problem: str, key: str = "", **arguments: str | int) -> None:
        """Record an error for this value, or for a key inside it, and go on.

        Takes what `refuse` takes. In a file that is shipped with scorepad, which must have no
        error, it is raised at once.
        """
        error = self.make_error(problem, key, **arguments)
        self.file.add_error(error)

    def make_error(self, problem: str, key: str, **arguments: str | int) -> VariantError:
        """Make the error for this value, or for a key inside it, with its line in the file."""
        path = self.path_of(key)
        line = self._find_line_to_report(path)
        return VariantError(self.file.name, path, problem, line, **arguments)

    def _find_line_to_report(self, path: str) -> int:
        """Find the line that an error message shows for a path of the file.

        - the key, or else its table, is in the file → its line
        - `options.target` is not in the file itself, but `takes-options = ["target"]` takes it
          over from the parent game → the line of `takes-options`
        - nothing of that is in the file → line 1
        """
        line = self.file.find_line(path)
        if line is None:
            table = path.partition(".")[0]  # "options.target" -> "options"
            line = self.file.find_line(f"takes-{table}")
        if line is None:
            return 1
        return line

    def path_of(self, key: str) -> str:
        """Return the path of a key of this table: `decks` in `settings` → `settings.decks`.

        An empty key stands for the table itself → `settings`.
        """
        return f"{self.path}.{key}".strip(".")

    def get(self, key: str, default: Any = None) -> TomlValue:
        """Return the value of a key of this table, or the default if the key is missing.

        Either way the result knows its path, so that an error can point to it.
        """
        return TomlValue(self.file, self.value.get(key, default), self.path_of(key))

    def has(self, key: str) -> bool:
        """Tell whether this table has a key."""
        return key in self.value

    def reported_at(self, key: object) -> TomlValue:
        """Return the same value, but with errors to be reported at a key inside it.

        For the value of `options.upcard` and the key `giochi`: at `options.upcard.giochi`.
        """
        return replace(self, path=self.path_of(str(key)))

    def with_value(self, value: Any) -> TomlValue:
        """Return another value, with errors to be reported at the path of this one."""
        return replace(self, value=value)

    def at_key(self, key: str, value: Any) -> TomlValue:
        """Return a value that belongs to a key of this one, with errors to be reported there.

        Unlike `get`, it needs no table: of the list `[100, 200]` at `settings.red-three-values`,
        the value 200 can be reported at `settings.red-three-values.2`.
        """
        return TomlValue(self.file, value, self.path_of(key))

    def check_keys(self, *, required: Iterable[str] = (), optional: Iterable[str] = ()) -> None:
        """Check that this value is a table, and which keys it has; raise VariantError otherwise.

        It must have all `required` keys. It may have the `optional` ones, and no others.
        """
        if not isinstance(self.value, dict):
            self.refuse("not-table")  # "a table is expected here, with its keys below [settings]."
        required_keys = list(required)
        self._check_no_unknown_keys([*required_keys, *optional])
        for name in required_keys:
            if not self.has(name):
                self.refuse("missing", name)  # "missing. Add the key, or extend a variant that …"

    def _check_no_unknown_keys(self, known: list[str]) -> None:
        """Record an error for each key of this table that is not a known one.

        Reading goes on after unknown keys at the top level of a file. In any other table the last
        error is raised: a required key may be there under a wrong name, and would be reported as
        missing too.
        """
        unknown_keys = [key for key in self.value if key not in known]
        is_top_level = self.path == ""
        for key in unknown_keys:
            # "there is no key “deks” here. Did you mean “decks”?"
            error = self.reported_at(key).make_error_for_unknown_name(key, known, "unknown-key")
            is_last = key == unknown_keys[-1]
            if is_last and not is_top_level:
                raise error
            self.file.add_error(error)

    def entries(self) -> list[tuple[str, TomlValue]]:
        """Return the keys of this table, each with its value. Raises VariantError for no table."""
        if not isinstance(self.value, dict):
            self.refuse("not-table")  # "a table is expected here, with its keys below [settings]."
        return [(key, self.get(key)) for key in self.value]

    def read_entries(self, read_entry: Callable[[str, TomlValue], _Read]) -> dict[str, _Read]:
        """Read each entry of this table with a function of its key and value.

        Returns the results by key. An entry of a user's file that cannot be read is recorded as an
        error and left out.
        """
        results: dict[str, _Read] = {}
        for key, value in self.entries():
            with self.file.collecting_errors():
                results[key] = read_entry(key, value)
        return results

    def read_list_of_tables(self) -> list[TomlValue]:
        """Return the tables of this list. Raises VariantError unless it is a list of tables.

        They have no keys of their own, so errors in them are reported at the list.
        """
        if not _is_list_of(dict, self.value):
            self.refuse("not-tables")  # "a list of tables is expected here: [ { … }, { … } ]."
        return [self.with_value(each) for each in self.value]

    def read_tables(self, read_table: Callable[[TomlValue], _Read]) -> list[_Read]:
        """Read each table of this list with a function, and return the results.

        If some tables have errors, the others are still read, so that all errors of a user's file
        are recorded. Then the last error is raised: the list as a whole cannot be used.
        """
        results: list[_Read] = []
        last_error = None
        for table in self.read_list_of_tables():
            try:
                results.append(read_table(table))
            except VariantError as error:
                self.file.add_error(error)
                last_error = error
        if last_error is not None:
            raise last_error
        return results

    def read_texts(self) -> tuple[str, ...]:
        """Return the texts of this list. Raises VariantError unless it is a list of texts."""
        if not _is_list_of(str, self.value):
            self.refuse("not-texts")  # "a list of texts is expected here: ["…", "…"]."
        return tuple(self.value)

    def read_one_of(self, names: Iterable[str], problem: str) -> Any:
        """Return this value if it is one of these names; raise VariantError otherwise.

        `problem` is the code of the message for any other value, such as `unknown-setting`.
        """
        self.check_name(self.value, names, problem)
        return self.value

    def read_yes_or_no(self) -> bool:
        """Return this value if it is true or false; raise VariantError otherwise."""
        if not isinstance(self.value, bool):
            # On the page: "The value “…” cannot be here, because true or false is expected."
            self.refuse("value.bool_type", given=str(self.value), inside="")
        return self.value

    def check_name(self, name: object, known_names: Iterable[str], problem: str) -> None:
        """Raise VariantError at this value if a name is not one of the known names.

        `problem` is the code of the message, such as `unknown-setting`.
        """
        known = list(known_names)
        if name not in known:
            raise self.make_error_for_unknown_name(name, known, problem)

    def report_unknown_name(self, name: object, known_names: Iterable[str], problem: str) -> None:
        """Record an error at this value if a name is not one of the known names.

        `problem` is the code of the message, such as `unknown-variant`. In a file that is shipped
        with scorepad, the error is raised at once.
        """
        known = list(known_names)
        if name not in known:
            self.file.add_error(self.make_error_for_unknown_name(name, known, problem))

    def make_error_for_unknown_name(
        self, name: object, known: list[str], problem: str
    ) -> VariantError:
        """Make the error for an unknown name. The message helps to find the right one.

        - `deks`, which is like `decks` → "Did you mean “decks”?"
        - `foo`, which is like no known name → all known names are listed
        """
        quoted = str(name)[:_LONGEST_QUOTE]
        similar = self._find_similar_name(quoted, known)
        if similar is None:
            return self.make_error(problem, "", name=quoted, known=", ".join(known))

        # The guess may be wrong, so all known names are added to the message if they are few.
        listed = ", ".join(known) if len(known) <= _FEW else ""
        return self.make_error(f"{problem}.meant", "", name=quoted, meant=similar, known=listed)

    def _find_similar_name(self, name: str, known: list[str]) -> str | None:
        """Find the known name that an unknown name probably means: `deks` → `decks`.

        Returns None if no known name is like it.
        """
        # The search is slow, and only the first errors of a file are shown with all details.
        if len(self.file.errors) >= MOST_MISTAKES:
            return None
        similar = get_close_matches(name, known, n=1, cutoff=_NEAR)
        return similar[0] if similar else None

    def read_known_texts(self, names: Iterable[str], problem: str) -> tuple[str, ...]:
        """Return the texts of this list that are known names, and record an error for any other.

        With `names` as `target` and `upcard`: `["target", "foo"]` → `("target",)`, and an error
        about "foo". `problem` is the code of its message, such as `unknown-option`.
        """
        known = list(names)
        known_texts: list[str] = []
        for text in self.read_texts():
            self.report_unknown_name(text, known, problem)
            if text in known:
                known_texts.append(text)
        return tuple(known_texts)

    def read_number(self, least: int, most: int, step: int = 1) -> int:
        """Return this value if it is a whole number from `least` to `most`, a multiple of `step`.

        Raises VariantError otherwise.
        """
        number = self.value
        # `true` is no number here, although it is an instance of int.
        if type(number) is not int or not least <= number <= most:
            # "a whole number from 5 to 5000 is expected here", or "…, a multiple of 5, is needed"
            problem = "number" if step == 1 else "number-step"
            self.refuse(problem, least=least, most=most, step=step)
        if number % step != 0:
            self.refuse("not-multiple", step=step)  # "a multiple of 5 is expected."
        return number

    def check_length(self, most: int) -> TomlValue:
        """Return this table or list, after a check that it is not too long for a user's file.

        Raises VariantError if it has more than `most` entries. Files shipped with scorepad have no
        such limit.
        """
        is_too_long = isinstance(self.value, Sized) and len(self.value) > most
        if self.file.is_from_user and is_too_long:
            # "at most 20 may stand here, and there are 25."
            self.refuse("too-many", most=most, has=len(self.value))
        return self

    def read_text_line(self, most: int = LONGEST_TEXT) -> str:
        """Return this value if it is a text on one line, with at most so many characters.

        Raises VariantError otherwise.
        """
        text = self.value
        # A text with a line end is not printable.
        if not isinstance(text, str) or len(text) > most or not text.isprintable():
            # "a text on one line is expected here, of 60 characters at most."
            self.refuse("text", most=most)
        return text

    def add_message_texts(self, key: str, texts: Mapping[str, object]) -> None:
        """Add a message to those of the file, such as `penalty.late`, with its text by language.

        Raises VariantError at this value if a text is too long, or not on one line.
        """
        longest = _get_longest_message(key)
        checked_texts: dict[str, str] = {}
        for language, text in texts.items():
            checked_texts[language] = self.with_value(text).read_text_line(longest)
        self.file.add_message(key, checked_texts)

    def add_message_from_words(self, message_key: str) -> None:
        """Add the texts that an entry of a user's file has under `words` to the file's messages.

        The users may add penalties, bonuses and so on, and say what to call them. The entry has
        `words = { en = "Being late", it = "Ritardo" }`, and `message_key` is `penalty.late`: the
        pages then show that message like one of scorepad's own.
        """
        if not self.file.is_from_user:
            return  # the words for files shipped with scorepad are in its message catalogue
        if not self.has("words"):
            return
        words = self.get("words")
        words.check_keys(optional=LANGUAGES)
        texts_by_language = words.value
        words.add_message_texts(message_key, texts_by_language)

    def check_code_and_add_words(self, kind: str, code: str, *, message_key: str) -> None:
        """Check a code that this entry defines, such as the penalty `late`, and add its words.

        `kind` says what the code names, such as `penalty`. The texts that the entry gives under
        `words` become the message `message_key`. Errors are recorded, and reading goes on.
        """
        self.add_message_from_words(message_key)
        is_well_formed = CODE.fullmatch(code) is not None
        if not is_well_formed:
            # "“Late!” cannot be a name", only lower-case letters, digits and hyphens
            self.report("id-form", name=code)
        elif self.file.is_from_user:
            self._check_code_has_words(kind, code)

    def _check_code_has_words(self, kind: str, code: str) -> None:
        """Record an error if nothing says what the pages should call a code of a user's file.

        `kind` says what the code names, such as `penalty`. The entry needs no `words` of its own if
        scorepad has words for the code, as for the penalty `draw-out-of-turn`.
        """
        has_words = bool(self.value.get("words"))
        if has_words:
            return
        codes_with_words = self.file.codes_with_words.get(kind, ())
        # "“late” is a name of your own: write how it reads, words.en = "…" and words.it = "…"."
        self.report_unknown_name(code, codes_with_words, "no-words")

    def read_citations(self) -> Cited:
        """Read what supports this entry: rule books, an inference, or the choice of the players.

        - `{ value = 2, cite = ["W:Samba"], notes = [47] }`: the section "Samba" of the source `W`
          states it, and so does the printed manual that its footnote 47 names.
        - `{ …, standing = "read", read = "…" }`: it is inferred, by the reasoning in `read`.
        - `{ …, standing = "house" }`: the players agreed on it, and no source states it.

        Raises VariantError if these keys contradict each other.
        """
        # The standing comes first: it decides which of the other keys the entry needs.
        standing = Standing(
            self.get("standing", "stated").read_one_of(Standing, "unknown-standing")
        )
        citations = self._read_cite_list(standing)
        reasoning = self._read_reasoning(standing)
        manuals = self._read_manuals()
        return Cited(citations=citations, standing=standing, read=reasoning, notes=manuals)

    def _read_cite_list(self, standing: Standing) -> tuple[Citation, ...]:
        """Read the passages of rule books that this entry cites: `cite = ["W:Samba"]`.

        Raises VariantError if the entry cites nothing but must, or cites something but may not.
        That depends on its standing (see `read_citations`).
        """
        citations = self.get("cite", []).read_citation_list()
        if not citations and self._needs_citation(standing):
            # "does not say where it comes from. Write standing = "house", or cite = […]."
            self.refuse("uncited")
        if citations and standing is Standing.AGREED:
            # What the players agreed is stated by no source: "is a rule of the table and cites …"
            self.refuse("house-cited")
        return citations

    def _read_reasoning(self, standing: Standing) -> str | None:
        """Read why this entry is inferred, and return the name under which the pages find it.

        None if `standing` says that the entry is not inferred. Raises VariantError if an inferred
        entry does not have the key `read`, or if another entry has it.
        """
        is_inferred = standing is Standing.INFERRED
        if self.has("read") != is_inferred:
            # "standing = "read" needs its argument: read = "…"; without it no read."
            self.refuse("argument")
        if not is_inferred:
            return None
        name = self._get_reasoning_name()
        self._add_reasoning_to_messages(name)
        return name

    def _needs_citation(self, standing: Standing) -> bool:
        """Tell whether an entry with this standing must cite a passage of a rule book.

        - stated → True
        - inferred → True, the passages from which it is inferred; a user's file may leave them out,
          because it has its reasoning as a text
        - agreed by the players → False
        """
        if standing is Standing.STATED:
            return True
        if standing is Standing.INFERRED:
            return not self.file.is_from_user
        return False

    def _get_reasoning_name(self) -> str:
        """Return the name under which the pages find the reasoning of this inferred entry.

        - shipped with scorepad: the entry gives the name, `read = "no-concealed-canasta"`
        - in a user's file, the entry gives the reasoning itself as a text. Its name is made from
          the place of the entry: `mia.settings.sides`
        """
        if self.file.is_from_user:
            return f"{self.file.variant_id}.{self.path}"
        name: str = self.value["read"]
        return name

    def _add_reasoning_to_messages(self, name: str) -> None:
        """Add the reasoning of an inferred entry of a user's file to the messages of the file.

        The user writes the text once, under `read`, and it is shown in every language. `name` is
        the name under which the pages find it.
        """
        if not self.file.is_from_user:
            return  # here `read` is only a name: the text is in scorepad's message catalogue
        reasoning = self.get("read")
        text_by_language: dict[str, object] = {}
        for language in LANGUAGES:
            text_by_language[language] = reasoning.value
        reasoning.add_message_texts(f"read.{name}", text_by_language)

    def _read_manuals(self) -> tuple[str, ...]:
        """Read which printed manuals support this entry, by the numbers of footnotes.

        A source such as Wikipedia names manuals in its footnotes. With `notes = [3, 7]` in the
        entry, the manuals that the footnotes 3 and 7 name are returned. Unknown numbers are
        recorded as errors.
        """
        notes = self.get("notes", [])
        if not isinstance(notes.value, list):
            notes.refuse("not-texts")  # "a list of texts is expected here: ["…", "…"]."
        manual_by_number = self.file.manuals_by_footnote()
        numbers = [str(number) for number in notes.value]  # the keys of a TOML table are texts
        for number in numbers:
            notes.report_unknown_name(number, manual_by_number, "unknown-note")
        return tuple(manual_by_number[each] for each in numbers if each in manual_by_number)

    def read_citation_list(self) -> tuple[Citation, ...]:
        """Read the citations in this list of texts, such as `["W:Samba", "W:L'apertura"]`."""
        return tuple(self.read_citation(text) for text in self.read_texts())

    def read_citation(self, text: str) -> Citation:
        """Read one citation: `W:Samba` → the section "Samba" of the source `W`.

        Raises VariantError at this value if there is no such source, or no such section in it.
        """
        name, _, section = text.partition(":")
        self.check_name(name, self.file.sources, "unknown-source")
        source = self.file.sources[SourceId(name)]
        self.check_name(section, source.sections, "unknown-section")
        return Citation(source.id, section)

    def read_citations_of_parts(self, setting: str, value: Any) -> dict[str, Cited]:
        """Read from this table what supports single parts of the value of a setting, by part.

        One rule book may state `opening-steps = [[0, 50], [1500, 90]]`, and another one only the
        minimum of 90 from 1500 on. Then this table has `1500 = { says = 90, cite = […] }`.

        A part with a mistake is recorded as an error and left out.
        """
        cited_parts: dict[str, Cited] = {}
        for part, entry in self.entries():
            with self.file.collecting_errors():
                entry.check_keys(required=["says"], optional=CITE_KEYS)
                # `says` repeats the value. Whoever changes the value alone gets an error here, and
                # so does not forget to change what it cites.
                if entry.value["says"] != _get_value_of_part_if_any(setting, value, part):
                    entry.refuse("says-other")  # "says another value than the setting."
                cited_parts[part] = entry.read_citations()
        return cited_parts


def _get_value_of_part_if_any(setting: str, value: Any, part: str) -> Any:
    """Return one part of the value of a setting; None if the value has no such part.

    The part `1500` of `opening-steps = [[0, 50], [1500, 90]]` → 90. A user's file may give a
    wrong value, such as a number in place of the list → None; that is reported elsewhere.
    """
    try:
        return get_value_of_part(setting, value, part)
    except (TypeError, ValueError, LookupError):
        return None


def _get_longest_message(key: str) -> int:
    """Return how many characters a message of a user's file may have.

    - `penalty.late`, a name: 60
    - `read.mia.sides`, a sentence: 300
    """
    is_name = key.endswith(".name") or key.startswith(_KINDS_OF_NAMES)
    return LONGEST_NAME if is_name else LONGEST_TEXT
