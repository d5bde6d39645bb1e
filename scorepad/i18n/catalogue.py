"""The messages of each language, from the gettext catalogues; its formats of numbers and dates.

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
    """The messages of one language, with those that a set of rules brings along, if any."""

    def __init__(
        self,
        language: Language,
        catalogue: NullTranslations,
        rule_messages: Mapping[str, str] | None = None,
    ) -> None:
        self.language = language
        self._catalogue = catalogue
        self._rule_messages = rule_messages or {}

    def with_rules(self, rules: Ruleset | Variant) -> Words:
        """These words, together with the messages in the file of some rules.

        House rules name their game, bonuses and penalties there, which no catalogue knows.
        """
        rule_messages = rules.words.get(self.language)
        if rule_messages:
            return Words(self.language, self._catalogue, rule_messages)
        return words(self.language)

    def t(self, key: str, /, **arguments: Argument) -> str:
        """The message of a key with its placeholders filled: `t("players", count=4)`.

        A key that has no message is returned unchanged.
        """
        message = self._catalogue.gettext(key)
        is_in_catalogue = message != key  # gettext returns an unknown key unchanged
        if not is_in_catalogue and key in self._rule_messages:
            return self._rule_messages[key]  # a name in a file of rules: it has no placeholders
        return self._fill_placeholders(message, arguments)

    def plural(self, key: str, count: int, /, **arguments: Argument) -> str:
        """The message of a key in the singular or the plural, as `count` requires.

        The message may contain the placeholder `%(count)s`, besides those of the arguments.
        """
        message = self._catalogue.ngettext(key, key, count)
        is_in_catalogue = message != key  # ngettext returns an unknown key unchanged
        if not is_in_catalogue and key in self._rule_messages:
            # A file of rules gives names in the singular only: `2 × Smazzata perfetta`.
            return f"{self.figure(count)} × {self._rule_messages[key]}"
        return self._fill_placeholders(message, {"count": count, **arguments})

    def has(self, key: str) -> bool:
        """Whether a key has a message, with or without a plural."""
        if key in self._rule_messages:
            return True
        if self._catalogue.gettext(key) != key:
            return True
        return self._catalogue.ngettext(key, key, 2) != key

    def first_known(self, *keys: str) -> str:
        """The first of these keys that has a message; the last one if none has."""
        for key in keys:
            if self.has(key):
                return key
        return keys[-1]

    def figure(self, number: int) -> str:
        """An integer in the usual format: `1.500`, `−250`."""
        return _figure(number, self.language)

    def card_count(self, number: int) -> str:
        """A number of cards: a word if it is small, as in `due`, else digits, as in `12`."""
        key = f"number.{number}"
        if self.has(key):
            return self.t(key)
        return self.figure(number)

    def signed(self, number: int) -> str:
        """A number with its sign, for additions and deductions: `+100`, `−15`."""
        return f"+{self.figure(number)}" if number > 0 else self.figure(number)

    def day(self, moment: date | datetime) -> str:
        """A day in words: `21 novembre 2026`."""
        from babel.dates import format_date

        return format_date(moment, format="long", locale=_DATE_LOCALES[self.language])

    def clock(self, moment: datetime) -> str:
        """A time of day: `21:05`."""
        return moment.strftime("%H:%M")

    def listing(self, parts: Iterable[str]) -> str:
        """The parts as a list in a sentence: `re, donne e fanti`. There must be at least one."""
        texts = list(parts)
        last = texts.pop()
        if not texts:
            return last
        return f"{', '.join(texts)} {self.t('list.and')} {last}"

    def _fill_placeholders(self, message: str, arguments: Mapping[str, Argument]) -> str:
        """A message with its arguments: numbers formatted for the language, texts unchanged."""
        if not arguments:
            return message
        formatted = {}
        for name, value in arguments.items():
            if isinstance(value, int):
                formatted[name] = self.figure(value)
            else:
                formatted[name] = value
        return message % formatted


@cache
def words(language: Language | str) -> Words:
    """The messages of a language. Raises ValueError if it is not supported."""
    supported = Language(language)
    return Words(supported, translation(DOMAIN, LOCALES, [supported]))


@lru_cache(maxsize=4096)
def _figure(number: int, language: Language) -> str:
    """An integer in the format of a language, with a true minus sign."""
    from babel.numbers import format_decimal

    return format_decimal(number, locale=language.value).replace("-", MINUS)
