"""Messages in each language, from the gettext catalogues, and system errors as text.

Message ids are keys (`problem.meld-too-short`).
"""

from __future__ import annotations

import errno
import re
from collections.abc import Iterable
from datetime import date, datetime
from enum import StrEnum
from functools import cache, lru_cache
from gettext import translation
from pathlib import Path

from scorepad.errors import VariantError
from scorepad.rules.variants import own_message

LOCALES = Path(__file__).with_name("locales")
DOMAIN = "messages"
MINUS = "\N{MINUS SIGN}"
Figure = int | str


class Language(StrEnum):
    """A supported language."""

    ITALIAN = "it"
    ENGLISH = "en"


LANGUAGES = tuple(Language)
_DATE_LOCALES = {Language.ITALIAN: "it", Language.ENGLISH: "en_GB"}


class Words:
    """The messages of one language."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._catalogue = translation(DOMAIN, LOCALES, [language])

    def text(self, key: str, /, **figures: Figure) -> str:
        """The message of this key with its figures: integers with digit grouping, texts unchanged."""
        message = self._catalogue.gettext(key)
        own = own_message(self.language, key) if message == key else None
        return self._fill(message, figures) if own is None else own

    def plural(self, key: str, count: int, /, **figures: Figure) -> str:
        """The message of this key in the singular or plural; `count` is among its figures."""
        message = self._catalogue.ngettext(key, key, count)
        own = own_message(self.language, key) if message == key else None
        return (
            self._fill(message, {"count": count, **figures})
            if own is None
            else f"{self.figure(count)} × {own}"
        )

    def has(self, key: str) -> bool:
        """Whether there is a message for this key."""
        found = self._catalogue.gettext(key) != key or self._catalogue.ngettext(key, key, 2) != key
        return found or own_message(self.language, key) is not None

    def first(self, *keys: str) -> str:
        """The first of these keys that has a message; the last if none has."""
        return next((key for key in keys if self.has(key)), keys[-1])

    def figure(self, number: int) -> str:
        """An integer in the usual format: `1.500`, `−250`."""
        return _figure(number, self.language)

    def spelled(self, number: int) -> str:
        """A small number of cards as a word: `due`; a larger one as a figure."""
        key = f"number.{number}"
        return self.text(key) if self.has(key) else self.figure(number)

    def signed(self, number: int) -> str:
        """A signed integer, for additions and deductions: `+100`, `−15`."""
        return f"+{self.figure(number)}" if number > 0 else self.figure(number)

    def day(self, moment: date | datetime) -> str:
        """A day in words: `21 novembre 2026`."""
        from babel.dates import format_date

        return format_date(moment, format="long", locale=_DATE_LOCALES[self.language])

    def clock(self, moment: datetime) -> str:
        """A time of day: `21:05`."""
        return moment.strftime("%H:%M")

    def listing(self, parts: Iterable[str]) -> str:
        """The items joined by commas, the last with «and»."""
        *first, last = parts
        return f"{', '.join(first)} {self.text('list.and')} {last}" if first else last

    def _fill(self, message: str, figures: dict[str, Figure]) -> str:
        if not figures:
            return message
        return message % {
            name: self.figure(value) if isinstance(value, int) else value
            for name, value in figures.items()
        }


@cache
def words(language: Language | str) -> Words:
    """The messages of a language. Raises ValueError if it is not supported."""
    return Words(Language(language))


@lru_cache(maxsize=4096)
def _figure(number: int, language: Language) -> str:
    from babel.numbers import format_decimal

    return format_decimal(number, locale=language.value).replace("-", MINUS)


# ---------------------------------------------------------------- system errors

_REASONS = {
    "ENOENT": "missing",
    "ENOTDIR": "not-a-folder",
    "EISDIR": "folder",
    "EEXIST": "exists",
    "EACCES": "permission",
    "EPERM": "permission",
    "EROFS": "read-only",
    "ENOSPC": "full",
    "EDQUOT": "full",
    "EFBIG": "too-big",
    "ENAMETOOLONG": "long-name",
    "ELOOP": "loop",
    "EBUSY": "in-use",
    "EIO": "disk",
    "EBADF": "closed",
    "EMFILE": "too-many-open",
    "ENFILE": "too-many-open",
    "EADDRINUSE": "address-in-use",
    "EADDRNOTAVAIL": "address-elsewhere",
}

_JSON_AT = re.compile(r"(?P<what>.*) at line (?P<line>\d+) column (?P<column>\d+)", re.DOTALL)
_JSON = {
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
_JSON_BEGINNINGS = {"EOF while parsing": "end", "control character": "control"}


def os_error_text(trouble: OSError, words: Words) -> str:
    """The reason for a system error, as the end of a sentence; the system's text in brackets if
    there is no message.
    """
    return system_error_text(os_error_key(trouble), trouble.strerror or str(trouble), words)


def os_error_key(trouble: OSError) -> str:
    """The reason for a system error, as the end of a key; empty if there is no message."""
    return _REASONS.get(errno.errorcode.get(trouble.errno or 0, ""), "")


def system_error_text(reason: str, detail: str, words: Words) -> str:
    """The message for a reason, or the system's text."""
    key = f"machine.{reason}"
    return (
        words.text(key) if reason and words.has(key) else words.text("machine.other", detail=detail)
    )


def json_error_text(detail: str, words: Words, *, of_a_line: bool = False) -> str:
    """The error of the JSON parser, with its line and column; the parser's text if there is no
    message.

    `of_a_line`: the JSON is a line of a file, in which the parser's line number would mislead.
    """
    found = _JSON_AT.fullmatch(detail)
    if not found:
        return detail
    what, line, column = found["what"], int(found["line"]), int(found["column"])
    reason = _JSON.get(what) or next(
        (key for start, key in _JSON_BEGINNINGS.items() if what.startswith(start)), None
    )
    if reason == "end" and (line, column) == (1, 0):
        return words.text("json.nothing")
    why = words.text(f"json.{reason}") if reason else words.text("json.other", detail=what)
    if of_a_line:
        return words.text("json.at-column", column=column, reason=why)
    return words.text("json.at", line=line, column=column, reason=why)


# ---------------------------------------------------------------- the files of variants

_EXPECTED = {
    "int_type": "int", "int_from_float": "int", "bool_type": "bool", "bool_parsing": "bool", "string_type": "text",
    "tuple_type": "list", "dataclass_type": "table", "enum": "one-of", "literal_error": "one-of",
    "greater_than_equal": "least", "less_than_equal": "most", "missing": "missing",
    "unexpected_keyword_argument": "unknown", "too_long": "length", "too_short": "length", "value_error": "cards",
}  # fmt: skip
"""The expected type of a value, by pydantic's error type."""


def variant_problem(trouble: VariantError, words: Words) -> str:
    """The message of an error: the file, its line and key if they are known, what is wrong and what
    to do.
    """
    text = _text(trouble, words)
    place = "at" if trouble.key else "whole"
    key = f"variant-file.{place}" if trouble.line is None else f"variant-file.{place}-line"
    return words.text(key, file=trouble.file, key=trouble.key, line=str(trouble.line), text=text)


def variant_problems(error: VariantError, words: Words) -> list[str]:
    """The messages of all errors of a file; of many, the number of those that are not told in full."""
    texts = [variant_problem(each, words) for each in (error, *error.others)]
    if error.more:
        texts.append(words.plural("variant-file.more", error.more))
    return texts


def _text(trouble: VariantError, words: Words) -> str:
    figures, (problem, _, kind) = trouble.figures, trouble.problem.partition("value.")
    if trouble.problem in ("linked.asks", "linked.needs"):
        why = words.text(f"linked.{figures['link']}")
        return words.text(f"variant-file.{trouble.problem}", why=why, **figures)
    if problem:
        text = words.text(f"variant-file.{trouble.problem}", key=trouble.key, **figures)
        if problem.endswith(".meant") and figures.get("known"):
            text += " " + words.text("variant-file.choices", known=figures["known"])
        return text
    known = str(figures.get("expected", "")).replace("' or '", "', '")
    limit = figures.get("ge", figures.get("le", ""))
    expected = words.text(
        f"variant-file.value.{_EXPECTED.get(kind, 'length')}", expected=known, limit=limit
    )
    place = (
        words.text("variant-file.value.inside", place=figures["inside"])
        if figures["inside"]
        else ""
    )
    return words.text("variant-file.value", given=figures["given"], inside=place, expected=expected)
