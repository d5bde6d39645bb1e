"""The messages of each language, from the gettext catalogues; numbers, dates and lists in its format.

Message ids are keys (`problem.meld-too-short`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from enum import StrEnum
from functools import cache, lru_cache
from gettext import NullTranslations, translation
from pathlib import Path

from scorepad.rules.definitions import Ruleset, Variant

LOCALES = Path(__file__).with_name("locales")
DOMAIN = "messages"
MINUS = "\N{MINUS SIGN}"
Argument = int | str
"""A value for a placeholder of a message."""


class Language(StrEnum):
    ITALIAN = "it"
    ENGLISH = "en"


LANGUAGES = tuple(Language)
_DATE_LOCALES = {Language.ITALIAN: "it", Language.ENGLISH: "en_GB"}


class Words:
    """The messages of one language, with those of one ruleset where it has messages of its own."""

    def __init__(
        self,
        language: Language,
        catalogue: NullTranslations,
        of_rules: Mapping[str, str] | None = None,
    ) -> None:
        self.language = language
        self._catalogue = catalogue
        self._of_rules = of_rules or {}

    def with_rules(self, rules: Ruleset | Variant) -> Words:
        """The messages of this language with those of these rules, and of no others."""
        of_rules = rules.words.get(self.language)
        if not of_rules:
            return words(self.language)
        return Words(self.language, self._catalogue, of_rules)

    def t(self, key: str, /, **arguments: Argument) -> str:
        """The message of this key with its arguments: integers with digit grouping, texts unchanged.

        A message of the rules has no placeholders. A key without a message is returned itself.
        """
        message = self._catalogue.gettext(key)
        if message == key and key in self._of_rules:
            return self._of_rules[key]
        return self._fill(message, arguments)

    def plural(self, key: str, count: int, /, **arguments: Argument) -> str:
        """The message of this key in the singular or plural; `count` is among its arguments."""
        message = self._catalogue.ngettext(key, key, count)
        if message == key and key in self._of_rules:
            return f"{self.figure(count)} × {self._of_rules[key]}"
        return self._fill(message, {"count": count, **arguments})

    def has(self, key: str) -> bool:
        if key in self._of_rules:
            return True
        if self._catalogue.gettext(key) != key:
            return True
        return self._catalogue.ngettext(key, key, 2) != key

    def first(self, *keys: str) -> str:
        """The first of these keys that has a message; the last if none has."""
        for key in keys:
            if self.has(key):
                return key
        return keys[-1]

    def figure(self, number: int) -> str:
        """An integer in the usual format: `1.500`, `−250`."""
        return _figure(number, self.language)

    def spelled(self, number: int) -> str:
        """A small number of cards as a word: `due`; a larger one as a figure."""
        key = f"number.{number}"
        return self.t(key) if self.has(key) else self.figure(number)

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
        if not first:
            return last
        return f"{', '.join(first)} {self.t('list.and')} {last}"

    def _fill(self, message: str, arguments: Mapping[str, Argument]) -> str:
        if not arguments:
            return message
        shown = {}
        for name, value in arguments.items():
            shown[name] = self.figure(value) if isinstance(value, int) else value
        return message % shown


@cache
def words(language: Language | str) -> Words:
    """The messages of a language. Raises ValueError if it is not supported."""
    known = Language(language)
    return Words(known, translation(DOMAIN, LOCALES, [known]))


@lru_cache(maxsize=4096)
def _figure(number: int, language: Language) -> str:
    from babel.numbers import format_decimal

    return format_decimal(number, locale=language.value).replace("-", MINUS)
