"""Messages of scorepad in a language, from its gettext catalogue. Message ids are keys (`problem.meld-too-short`)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from enum import StrEnum
from functools import cache, lru_cache
from gettext import translation
from pathlib import Path

from scorepad.rules.variants import own_message

LOCALES = Path(__file__).with_name("locales")
DOMAIN = "messages"
MINUS = "\N{MINUS SIGN}"
Figure = int | str


class Language(StrEnum):
    """A language that scorepad speaks."""

    ITALIAN = "it"
    ENGLISH = "en"


LANGUAGES = tuple(Language)


class Words:
    """The words of one language."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._catalogue = translation(DOMAIN, LOCALES, [language])

    def text(self, key: str, /, **figures: Figure) -> str:
        """The message of this key, with its figures put in: whole numbers grouped, texts as they are."""
        message = self._catalogue.gettext(key)
        own = own_message(self.language, key) if message == key else None
        return self._fill(message, figures) if own is None else own

    def plural(self, key: str, count: int, /, **figures: Figure) -> str:
        """The message of this key for so many things; `count` is among its figures."""
        message = self._catalogue.ngettext(key, key, count)
        own = own_message(self.language, key) if message == key else None
        return self._fill(message, {"count": count, **figures}) if own is None else f"{self.figure(count)} × {own}"

    def has(self, key: str) -> bool:
        """Whether there is a message for this key."""
        found = self._catalogue.gettext(key) != key or self._catalogue.ngettext(key, key, 2) != key
        return found or own_message(self.language, key) is not None

    def figure(self, number: int) -> str:
        """A whole number as people write it: `1.500`, `−250`."""
        return _figure(number, self.language)

    def signed(self, number: int) -> str:
        """A whole number with its sign, for what is added or taken off: `+100`, `−15`."""
        return f"+{self.figure(number)}" if number > 0 else self.figure(number)

    def day(self, moment: date | datetime) -> str:
        """A day in words: `21 novembre 2026`."""
        from babel.dates import format_date

        return format_date(moment, format="long", locale=self.language.value)

    def clock(self, moment: datetime) -> str:
        """A time of day: `21:05`."""
        return moment.strftime("%H:%M")

    def listing(self, parts: Iterable[str]) -> str:
        """Things one after the other, the last with «and»."""
        *first, last = parts
        return f"{', '.join(first)} {self.text('list.and')} {last}" if first else last

    def _fill(self, message: str, figures: dict[str, Figure]) -> str:
        if not figures:
            return message
        return message % {
            name: self.figure(value) if isinstance(value, int) else value for name, value in figures.items()
        }


@cache
def words(language: Language | str) -> Words:
    """The words of a language. Raises ValueError for one that scorepad does not speak."""
    return Words(Language(language))


@lru_cache(maxsize=4096)
def _figure(number: int, language: Language) -> str:
    from babel.numbers import format_decimal

    return format_decimal(number, locale=language.value).replace("-", MINUS)
