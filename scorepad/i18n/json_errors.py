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
_REASONS_BY_BEGINNING = {"EOF while parsing": "end", "control character": "control"}


def json_error_text(detail: str, words: Words, *, of_a_line: bool = False) -> str:
    """What is wrong with some JSON and where, as a sentence in the language of `words`.

    `detail` is the parser's own text: `expected value at line 2 column 7`. `of_a_line`: the JSON is
    one line of a file, in which the parser's line number would mislead.
    """
    located = _AT.fullmatch(detail)
    if not located:
        return detail
    line = int(located["line"])
    column = int(located["column"])
    reason = _reason_in_text_of_parser(located["what"])
    is_empty = reason == "end" and line == 1 and column == 0
    if is_empty:
        return words.t("json.nothing")

    if reason:
        reason_text = words.t(f"json.{reason}")
    else:
        reason_text = words.t("json.other", detail=located["what"])
    if of_a_line:
        return words.t("json.at-column", column=column, reason=reason_text)
    return words.t("json.at", line=line, column=column, reason=reason_text)


def _reason_in_text_of_parser(what: str) -> str:
    """The end of the message key `json.…` for the parser's text; empty if there is no message."""
    for beginning, reason in _REASONS_BY_BEGINNING.items():
        if what.startswith(beginning):
            return reason
    return _REASONS.get(what, "")
