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
from typing import Final

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
    """An open bracket, the path of the key whose value it is in, and the number of commas in it."""

    mark: str
    path: str
    commas: int = 0


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
    table: str = ""
    """The path of the header above."""
    key: str = ""
    """The path of the key whose value is being read."""
    parts: list[str] = field(default_factory=list)
    """The names just read, if dots join them: a key, if `=` follows."""
    is_joined: bool = False
    """Whether a dot was read last."""
    is_value: bool = False
    """Whether the `=` of a line was read: a bracket is a list, and no header."""
    brackets: list[_Bracket] = field(default_factory=list)

    def take_token(self, token: re.Match[str]) -> None:
        """Read a token of the text, as `_TOKEN` matched it.

        It is a mark such as `=` or a line end; a text in quotation marks; a word without them, which
        is a key, a number or a truth value; or nothing, a space or a comment.
        """
        token_text = token[0]
        kind = token.lastgroup
        if kind == "mark":
            self.take_mark(token_text)
        elif kind == "text":
            self.take_name(token_text.strip("\"'"))
            for _ in range(token_text.count("\n")):
                self.count_line()
        elif kind == "word":
            if len(token_text) > LONGEST_WORD:
                self.refuse_more("limit-word", LONGEST_WORD)
            self.take_name(token_text)

    def take_name(self, name: str) -> None:
        """Read a key, a part of a dotted key, or a value."""
        if not self.is_joined:
            self.parts = []
        self.parts.append(name)
        self.is_joined = False
        if len(self.parts) > MOST_PARTS:
            self.refuse_more("limit-parts", MOST_PARTS)

    def take_mark(self, mark: str) -> None:
        """Read a bracket, a line end, or a mark between keys and values: `.`, `=` or `,`."""
        if mark == ".":
            self.is_joined = True
        elif mark == "=":
            self.take_equals()
        elif mark in "[{":
            self.open_bracket(mark)
        elif mark in "]}":
            self.close_bracket()
        elif mark == ",":
            self.take_comma()
        else:
            self.take_line_end()

    def take_equals(self) -> None:
        """Read the `=` after a key: the names just read are that key."""
        above = self.table
        if self.brackets:  # a key of an inline table
            above = self.brackets[-1].path
        self.key = self.store_key(above)
        self.is_value = True

    def open_bracket(self, mark: str) -> None:
        """Read the beginning of a header, of a list or of an inline table."""
        self.parts = []
        self.brackets.append(_Bracket(mark, self.key))
        if len(self.brackets) > DEEPEST:
            self.refuse_more("limit-depth", DEEPEST)

    def close_bracket(self) -> None:
        """Read the end of a header, of a list or of an inline table.

        At the end of the header `[settings]`, the name just read becomes the table of the keys below
        it. At any other end, what follows belongs to the value that the bracket stands in, such as
        the rest of a list.
        """
        # Names that are no value are those of a header; after an empty list there are none.
        is_header = bool(self.parts) and not self.is_value
        if is_header:
            self.table = self.store_key(above="")  # a header gives the whole path
        self.parts = []
        if self.brackets:
            closed = self.brackets.pop()
            self.key = closed.path

    def take_comma(self) -> None:
        """Read the comma between two values of a list, or two keys of an inline table."""
        if not self.brackets:
            return
        self.brackets[-1].commas += 1
        if self.brackets[-1].commas > MOST_VALUES:
            self.refuse_more("limit-values", MOST_VALUES)

    def take_line_end(self) -> None:
        """Read the end of a line, which ends a value unless that is in brackets."""
        self.count_line()
        self.parts = []
        if not self.brackets:
            self.is_value = False

    def count_line(self) -> None:
        self.line += 1
        if self.line > MOST_LINES:
            self.refuse_more("limit-lines", MOST_LINES)

    def store_key(self, above: str) -> str:
        """Store the line of the key just read, and of each part of it, and return its path.

        `above` is the path of the table that it stands in; `a.b` in the table `t` → `t.a`, `t.a.b`.
        """
        self.keys += 1
        if self.keys > MOST_KEYS:
            self.refuse_more("limit-keys", MOST_KEYS)
        path = above
        for part in self.parts:
            if len(part) > LONGEST_WORD:
                self.refuse_more("limit-word", LONGEST_WORD)
            path = f"{path}.{part}" if path else part
            if path not in self.lines:
                self.lines[path] = self.line
        self.parts = []
        return path

    def refuse_more(self, problem: str, most: int) -> None:
        """Refuse a file with more of something than this. Raises VariantError."""
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
        scan.take_token(token)
        position = token.end()
    return scan.lines
