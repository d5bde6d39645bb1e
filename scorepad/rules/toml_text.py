"""The text of a TOML file before it is parsed: on which lines its keys are, and whether it is small
enough.

`tomllib` tells no lines, and takes time and memory by the square of the parts of a dotted key. What
is scanned here once, in time proportional to its length, is small enough for it and for whatever
reads the values.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NoReturn

from scorepad.errors import VariantError

LARGEST_FILE: Final = 32 * 1024
"""Most bytes of a file of house rules."""
MOST_LINES: Final = 1500
MOST_KEYS: Final = 1500
"""Most keys of a file, counting the headers of its tables and the keys of inline tables."""
MOST_PARTS: Final = 8
"""Most parts of a dotted key, as in `options.NAME.values`."""
DEEPEST: Final = 8
"""Most brackets inside each other."""
MOST_VALUES: Final = 100
"""Most values of a list."""
LONGEST_WORD: Final = 100
"""Most characters of a part of a key, or of a value without quotation marks."""
_WHOLE_FILE: Final = ""
"""The path of the file as a whole, in which its tables are."""

# No character of a token can be read in two ways, so that matching takes linear time. The texts end
# where tomllib ends them: one of several lines may have two quotation marks before the three that
# close it.
_TOKEN: Final = re.compile(
    r"""
      (?P<nothing> [ \t\r]+ | \#[^\n]* )
    | (?P<text>
          \"{3} (?: [^"\\] | \\. | "(?!"") )* \"{3,5}
        | '{3}  (?: [^'] | '(?!'') )* '{3,5}
        | "(?!"") (?: [^"\\\n] | \\[^\n] )* "
        | '(?!'') [^'\n]* '
      )
    | (?P<mark> [\[\]{}=,.\n] )
    | (?P<word> [^\s\[\]{}=,.\#"']+ )
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(slots=True)
class _Bracket:
    """An open bracket of a list or of an inline table, or of a header."""

    key_path: str
    """The path of the key whose value the bracket is in."""
    commas: int = 0
    """The commas read in it so far."""


@dataclass(slots=True)
class _Scan:
    """What was read of the text of a file so far, token by token.

    A key has the path of the table or of the key that it stands in: `wild-limit` below the header
    `[settings]` has the path `settings.wild-limit`.
    """

    file: str
    lines: dict[str, int] = field(default_factory=dict)
    """The line of each key and of each table, by its dotted path."""
    line: int = 1
    keys: int = 0
    table_path: str = _WHOLE_FILE
    """The path in the last header: `settings` below `[settings]`."""
    key_path: str = ""
    """The path of the key whose value is being read."""
    last_name: list[str] = field(default_factory=list)
    """The parts of the name that was read last: `a.b` has the parts `a` and `b`. It may turn out to
    be a key, a header or a value.
    """
    follows_dot: bool = False
    """Whether a dot was read last, so that the next word is a part of the same name."""
    is_in_value: bool = False
    """Whether the `=` of this line was read: a bracket then opens a list, not a header."""
    brackets: list[_Bracket] = field(default_factory=list)
    """The brackets that are open, the innermost last."""

    def read_token(self, token: re.Match[str]) -> None:
        """Read the next token (piece) of a TOML text, to find out on which line each key is.

        `token` is what the regular expression `_TOKEN` matched: a mark such as `=`, a text in
        quotation marks, or a word without them (a key, a number, `true`). Spaces and comments are
        skipped.
        """
        if token.lastgroup == "mark":
            self.read_mark(token[0])
        elif token.lastgroup == "text":
            self.read_quoted_text(token[0])
        elif token.lastgroup == "word":
            self.read_word(token[0])

    def read_mark(self, mark: str) -> None:
        """Read a character with a meaning of its own in TOML: `.`, `=`, `,`, bracket, line end.

        Each changes what is known of the place in the file, for the keys that follow.
        """
        if mark == ".":
            self.follows_dot = True
        elif mark == "=":
            self.begin_value_of_key()
        elif mark in "[{":
            self.open_bracket()
        elif mark in "]}":
            self.close_bracket()
        elif mark == ",":
            self.count_comma()
        else:
            self.end_line()

    def read_quoted_text(self, quoted: str) -> None:
        """Read a text in quotation marks: a key (`"late" = 50`) or a value (`name = "Mia"`).

        A text between three quotation marks may go over several lines, which are counted.
        """
        text = quoted.strip("\"'")
        self.remember_name(text)
        line_ends = quoted.count("\n")
        for _ in range(line_ends):
            self.count_line()

    def read_word(self, word: str) -> None:
        """Read a word without quotation marks, and remember it, as it may be a key.

        A number, `true` and `false` are such words too: only the `=` after a key tells them apart.
        Raises VariantError if it is too long.
        """
        self.check_length_of_word(word)
        self.remember_name(word)

    def check_length_of_word(self, word: str) -> None:
        """Raise VariantError if a part of a key, or a value without quotes, is too long."""
        if len(word) > LONGEST_WORD:
            self.refuse_more("limit-word", LONGEST_WORD)

    def remember_name(self, name: str) -> None:
        """Remember a word or text as the name read last, in case it turns out to be a key.

        - after a dot it is one more part of that name: `a`, `.`, `b` → `["a", "b"]`
        - otherwise it takes the place of the name before it: `1`, `,`, `2` → `["2"]`

        Raises VariantError if the name has too many parts.
        """
        if self.follows_dot:
            self.last_name.append(name)
        else:
            self.last_name = [name]
        self.follows_dot = False
        if len(self.last_name) > MOST_PARTS:
            self.refuse_more("limit-parts", MOST_PARTS)

    def begin_value_of_key(self) -> None:
        """Read an `=`: the name before it is a key, whose line is stored, and its value comes next.

        - `wild-limit =` below the header `[settings]` → `settings.wild-limit`
        - `cite =` in `decks = { value = 2, cite = …` there → `settings.decks.cite`
        """
        path_of_table = self.table_path  # that of the last header
        if self.brackets:  # an inline table is open: the key belongs to it
            path_of_table = self.brackets[-1].key_path
        self.key_path = self.store_key(path_of_table, self.last_name)
        self.last_name = []
        self.is_in_value = True

    def open_bracket(self) -> None:
        """Read a bracket that begins a header (`[settings]`), a list (`[1, 2]`) or an inline table.

        Raises VariantError if too many brackets are inside each other.
        """
        self.last_name = []  # what is inside does not belong to the name before the bracket
        self.brackets.append(_Bracket(self.key_path))
        if len(self.brackets) > DEEPEST:
            self.refuse_more("limit-depth", DEEPEST)

    def close_bracket(self) -> None:
        """Read a bracket that ends a header (`[settings]`), a list (`[1, 2]`) or an inline table."""
        if not self.is_in_value:  # a list or an inline table comes after an `=`
            self.end_header()
        self.last_name = []
        if not self.brackets:
            return  # closed but never opened: this is no valid TOML, which tomllib will say
        closed = self.brackets.pop()
        self.key_path = closed.key_path  # the value in which it was opened goes on

    def end_header(self) -> None:
        """End a header such as `[options.target]`: the keys in the lines below are in its table.

        The line of the table is stored too.
        """
        if not self.last_name:
            return  # the second of the two brackets that end `[[faults]]`
        self.table_path = self.store_key(_WHOLE_FILE, self.last_name)

    def count_comma(self) -> None:
        """Count a comma in the innermost list or inline table: one more value comes after it.

        Raises VariantError if the list has too many values.
        """
        if not self.brackets:
            return  # a comma outside of brackets is no valid TOML, which tomllib will say
        innermost = self.brackets[-1]
        innermost.commas += 1
        if innermost.commas > MOST_VALUES:
            self.refuse_more("limit-values", MOST_VALUES)

    def end_line(self) -> None:
        """Read a line end. It also ends a value, if no bracket of a list or inline table is open."""
        self.count_line()
        self.last_name = []
        if not self.brackets:
            self.is_in_value = False

    def count_line(self) -> None:
        """Count one more line of the file. Raises VariantError if it has too many."""
        self.line += 1
        if self.line > MOST_LINES:
            self.refuse_more("limit-lines", MOST_LINES)

    def store_key(self, path_of_table: str, names: list[str]) -> str:
        """Store on which line a key is, and return its full path.

        `names` are its parts, in the table `path_of_table`. The key `a.b` in the table `t` also
        names a table `t.a`. So `t.a` and `t.a.b` get the current line, and `t.a.b` is returned.

        Raises VariantError if the file has too many keys, or the key too long a part.
        """
        self.keys += 1
        if self.keys > MOST_KEYS:
            self.refuse_more("limit-keys", MOST_KEYS)
        path = path_of_table
        for name in names:
            self.check_length_of_word(name)
            path = f"{path}.{name}" if path else name
            self.lines.setdefault(path, self.line)  # a path named twice keeps its first line
        return path

    def refuse_more(self, problem: str, most: int) -> NoReturn:
        """Raise VariantError at the current line: the file goes beyond one of the limits.

        `problem` is the code of the message, such as `limit-lines`, and `most` is the limit.
        """
        raise VariantError(self.file, "", problem, self.line, most=most)


def find_line_numbers(file: str, text: str) -> Mapping[str, int]:
    r"""Find the line of each key and table in a TOML text, by its dotted path.

    `"[a]\nb = 1"` → `{"a": 1, "a.b": 2}`. `file` is the name of the file, for errors.

    If the text is not valid TOML, the result has the lines up to the mistake; tomllib will say what
    is wrong. Raises VariantError if the text has more lines, keys or values than a file may have.
    """
    scan = _Scan(file)
    position = 0
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None:
            break  # no valid TOML from here on
        scan.read_token(token)
        position = token.end()
    return scan.lines
