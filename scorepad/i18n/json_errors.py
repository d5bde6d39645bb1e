"""Errors of the JSON parser (jiter, in pydantic-core) as sentences."""

from __future__ import annotations

import re

from scorepad.i18n.catalogue import Words

_AT = re.compile(r"(?P<what>.*) at line (?P<line>\d+) column (?P<column>\d+)", re.DOTALL)
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


def json_error_text(detail: str, words: Words, *, of_a_line: bool = False) -> str:
    """What is wrong with some JSON and where, as a sentence in the language of `words`.

    `detail` is the parser's own text: `expected value at line 2 column 7`. `of_a_line`: the JSON is
    one line of a file, so the line number of the parser would mislead, and is left out.
    """
    if detail == _ERROR_OF_EMPTY_TEXT:
        return words.t("json.nothing")
    located = _AT.fullmatch(detail)
    if not located:
        return detail
    line = int(located["line"])
    column = int(located["column"])
    reason = _reason_in_words(located["what"], words)
    if of_a_line:
        return words.t("json.at-column", column=column, reason=reason)
    return words.t("json.at", line=line, column=column, reason=reason)


def _reason_in_words(what: str, words: Words) -> str:
    """What the parser says is wrong, such as `expected value`, in the language of `words`."""
    for beginning, reason in _REASONS_BY_BEGINNING.items():
        if what.startswith(beginning):
            return words.t(f"json.{reason}")
    if what in _REASONS:
        return words.t(f"json.{_REASONS[what]}")
    return words.t("json.other", detail=what)
