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
    names: list[str] = field(default_factory=list)
    """The names just read that dots join: after `a.b`, these are `a` and `b`. They may turn out to be
    a key, a header or a value.
    """
    follows_dot: bool = False
    """Whether a dot was read last, so that the next name belongs to those before it."""
    is_in_value: bool = False
    """Whether the `=` of this line was read: a bracket then opens a list, not a header."""
    brackets: list[_Bracket] = field(default_factory=list)
    """The brackets that are open, the innermost last."""

    def read_token(self, token: re.Match[str]) -> None:
        """Read the next token of the text, as `_TOKEN` matched it.

        It is a mark such as `=` or a line end; a text in quotation marks; or a word without them,
        which is a key, a number or a truth value. Spaces and comments are skipped.
        """
        if token.lastgroup == "mark":
            self.read_mark(token[0])
        elif token.lastgroup == "text":
            self.read_quoted_text(token[0])
        elif token.lastgroup == "word":
            self.read_word(token[0])

    def read_mark(self, mark: str) -> None:
        """Read a bracket, a line end, or a mark between keys and values: `.`, `=` or `,`."""
        if mark == ".":
            self.follows_dot = True
        elif mark == "=":
            self.read_equals_sign()
        elif mark in "[{":
            self.open_bracket()
        elif mark in "]}":
            self.close_bracket()
        elif mark == ",":
            self.count_comma()
        else:
            self.end_line()

    def read_quoted_text(self, quoted: str) -> None:
        """Read a text with its quotation marks: a key (`"late" = 50`) or a value (`name = "Mia"`).

        A text between three quotation marks may take several lines, which are counted.
        """
        text = quoted.strip("\"'")
        self.add_name(text)
        line_ends = quoted.count("\n")
        for _ in range(line_ends):
            self.count_line()

    def read_word(self, word: str) -> None:
        """Read a key, a number or a truth value, which have no quotation marks."""
        if len(word) > LONGEST_WORD:
            self.refuse_more("limit-word", LONGEST_WORD)
        self.add_name(word)

    def add_name(self, name: str) -> None:
        """Add a name to the names that were just read.

        A name after a dot belongs to those before the dot: `a`, `.` and `b` give `["a", "b"]`. Any
        other name takes their place: they were a value, such as the 1 in `[1, 2]`.
        """
        if self.follows_dot:
            self.names.append(name)
            self.follows_dot = False
        else:
            self.names = [name]
        if len(self.names) > MOST_PARTS:
            self.refuse_more("limit-parts", MOST_PARTS)

    def read_equals_sign(self) -> None:
        """Store the names just read as a key. What follows the `=` is its value."""
        if self.brackets:  # a key of an inline table: `a = { b = 1 }`
            path_of_table = self.brackets[-1].key_path
        else:
            path_of_table = self.table_path
        self.key_path = self.store_key(path_of_table, self.names)
        self.names = []
        self.is_in_value = True

    def open_bracket(self) -> None:
        """Begin a header (`[settings]`), a list (`[1, 2]`) or an inline table (`{ b = 1 }`)."""
        self.names = []  # names inside the bracket are none of those before it
        self.brackets.append(_Bracket(self.key_path))
        if len(self.brackets) > DEEPEST:
            self.refuse_more("limit-depth", DEEPEST)

    def close_bracket(self) -> None:
        """End a header (`[settings]`), a list (`[1, 2]`) or an inline table (`{ b = 1 }`)."""
        is_header = not self.is_in_value  # lists and inline tables are values, and follow an `=`
        # Of `[[faults]]`, the first `]` stores the header, and leaves no names to the second.
        if is_header and self.names:
            self.enter_table(self.names)
        self.names = []
        self.return_to_outer_key()

    def return_to_outer_key(self) -> None:
        """Go on with the value of the key in which the bracket that now closes was opened.

        In `a = [{ b = 1 }, 2]`, the 2 belongs to `a` again.
        """
        if not self.brackets:
            return  # this bracket was never opened: the text is no TOML
        closed = self.brackets.pop()
        self.key_path = closed.key_path

    def enter_table(self, names: list[str]) -> None:
        """Store the line of the table with these names, as a header gives them: `[options.draw]`.

        The keys in the lines below belong to it.
        """
        self.table_path = self.store_key(_WHOLE_FILE, names)

    def count_comma(self) -> None:
        """Count the comma between two values of a list, or two keys of an inline table."""
        if not self.brackets:
            return
        innermost = self.brackets[-1]
        innermost.commas += 1
        if innermost.commas > MOST_VALUES:
            self.refuse_more("limit-values", MOST_VALUES)

    def end_line(self) -> None:
        """Begin the next line.

        A value ends here, unless a list or an inline table of it is still open: that goes on in the
        next line.
        """
        self.count_line()
        self.names = []
        value_goes_on = bool(self.brackets)
        if not value_goes_on:
            self.is_in_value = False

    def count_line(self) -> None:
        self.line += 1
        if self.line > MOST_LINES:
            self.refuse_more("limit-lines", MOST_LINES)

    def store_key(self, path_of_table: str, names: list[str]) -> str:
        """Store the line of a key, and of the tables that it names, and return its path.

        `names` are the parts of the key. The key `a.b` in the table `t` stores the paths `t.a` and
        `t.a.b`, and returns `t.a.b`.
        """
        self.keys += 1
        if self.keys > MOST_KEYS:
            self.refuse_more("limit-keys", MOST_KEYS)
        path = path_of_table
        for name in names:
            if len(name) > LONGEST_WORD:
                self.refuse_more("limit-word", LONGEST_WORD)
            path = f"{path}.{name}" if path else name
            self.lines.setdefault(path, self.line)
        return path

    def refuse_more(self, problem: str, most: int) -> NoReturn:
        """Raise VariantError: the file has more than `most` of something, or something longer."""
        raise VariantError(self.file, "", problem, self.line, most=most)


def line_numbers(file: str, text: str) -> Mapping[str, int]:
    """The line of each key and table of a file, by its dotted path: in the text `[a]` and `b = 1`
    on two lines, `a` is on line 1 and `a.b` on line 2.

    If the text is no TOML, these are the lines up to there; its parser will say what is wrong.
    Raises VariantError if the text has more keys, lines, parts of a key, brackets or values than a
    file may have.
    """
    scan = _Scan(file)
    position = 0
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None:
            break
        scan.read_token(token)
        position = token.end()
    return scan.lines
