"""Errors of the JSON parser (jiter, in pydantic-core) as sentences."""

from __future__ import annotations

import re

from scorepad.i18n.catalogue import Words

_ERROR_WITH_POSITION = re.compile(
    r"(?P<what>.*) at line (?P<line>\d+) column (?P<column>\d+)", re.DOTALL
)
_REASONS = {
    "expected `:`": "colon",
    "expected `,` or `]`": "comma",
    "expected `,` or `}`": "comma",
    "expected value": "value",
    "expected ident": "value",
    "key must be a string": "key",
    "trailing comma": "comma-too-many",
    "trailing characters": "more",
    "invalid number": "number",
    "number out of range": "number",
    "invalid unicode code point": "encoding",
    "byte order mark": "mark",
    "invalid escape": "escape",
    "lone leading surrogate in hex escape": "escape",
    "unexpected end of hex escape": "escape",
    "recursion limit exceeded": "deep",
}
"""The end of the message key `json.…`, by the parser's text."""
_ERROR_OF_EMPTY_TEXT = "EOF while parsing a value at line 1 column 0"
_REASONS_BY_BEGINNING = {"EOF while parsing": "end", "control character": "control"}
"""The same for texts of which the parser varies the end: `EOF while parsing a list`."""


def describe_json_error(detail: str, words: Words, *, of_a_line: bool = False) -> str:
    """Say what is wrong with some JSON and where, in the language of `words`.

    `detail` is the English text of the parser, such as `key must be a string at line 2 column 7`:

    - usually → "line 2, column 7: a key in double quotes is needed here"
    - `of_a_line`, for JSON that is one line of a file → "at character 7 of this line: a key in
      double quotes is needed here". The parser's line number is that within the JSON, always 1.
    """
    if detail == _ERROR_OF_EMPTY_TEXT:
        return words.t("json.nothing")  # "nothing is written there"

    error = _ERROR_WITH_POSITION.fullmatch(detail)
    if error is None:
        return detail
    reason = _describe_cause(error["what"], words)
    line = int(error["line"])
    column = int(error["column"])
    if of_a_line:
        return words.t("json.at-column", column=column, reason=reason)
    return words.t("json.at", line=line, column=column, reason=reason)


def _describe_cause(what: str, words: Words) -> str:
    """Translate what the JSON parser says is wrong.

    - a text that is always alike: `trailing comma` → "there is a comma too many before the bracket
      that closes"
    - a text that begins alike: `EOF while parsing a list` → "the text ends too soon"
    - any other: `odd error` → "it makes no sense (odd error)"
    """
    for beginning, reason in _REASONS_BY_BEGINNING.items():
        if what.startswith(beginning):
            return words.t(f"json.{reason}")
    if what in _REASONS:
        return words.t(f"json.{_REASONS[what]}")
    return words.t("json.other", detail=what)
