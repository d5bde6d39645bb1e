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
        """Give access to the messages of a catalogue, in one language.

        `rule_messages` are further messages by key, from a file of rules that players wrote.
        """
        self.language = language
        self._catalogue = catalogue
        self._rule_messages = rule_messages or {}

    def with_rules(self, rules: Ruleset | Variant) -> Words:
        """Return the messages of this language together with those in the file of some rules.

        Players who write rules of their own name their game, bonuses and penalties in that file:
        the catalogue cannot know these names. Most rules have none. If these messages were made
        with other rules, the messages of those are left out.
        """
        rule_messages = rules.words.get(self.language)
        if not rule_messages:
            return words(self.language)  # the catalogue alone
        return Words(self.language, self._catalogue, rule_messages)

    def t(self, key: str, /, **arguments: Argument) -> str:
        """Return the message of a key, with its placeholders filled.

        - `t("referee.points", points=90)` → "90 points"
        - a key without a message → the key itself
        """
        message = self._catalogue.gettext(key)
        is_in_catalogue = message != key  # gettext returns an unknown key unchanged
        if is_in_catalogue:
            return self._fill_placeholders(message, arguments)
        if key in self._rule_messages:
            return self._rule_messages[key]  # a name in a file of rules: it has no placeholders
        return self._fill_placeholders(key, arguments)

    def plural(self, key: str, count: int, /, **arguments: Argument) -> str:
        """Return the message of a key in the singular or the plural, as a number requires.

        - `plural("family.natural", 1)` → "1 natural canasta"
        - `plural("family.natural", 2)` → "2 natural canastas"

        The number is in the message as `%(count)s`, unless another `count` is among the arguments.
        """
        message = self._catalogue.ngettext(key, key, count)
        is_in_catalogue = message != key  # ngettext returns an unknown key unchanged
        if not is_in_catalogue and key in self._rule_messages:
            name = self._rule_messages[key]
            # A file of rules has names in the singular only: "2 × Perfect hand".
            return f"{self.figure(count)} × {name}"
        return self._fill_placeholders(message, {"count": count, **arguments})

    def has(self, key: str) -> bool:
        """Tell whether a key has a message, with or without a plural."""
        if key in self._rule_messages:
            return True
        # `gettext` does not find a message that has a plural, and `ngettext` finds only those. Both
        # return an unknown key unchanged.
        has_single_message = self._catalogue.gettext(key) != key
        return has_single_message or self._catalogue.ngettext(key, key, 2) != key

    def find_known_key(self, *keys: str) -> str:
        """Return the first of these keys that has a message; the last key if none has.

        Callers give the most specific key first: `item.hand-and-foot.natural-canasta` before
        `item.natural-canasta`.
        """
        for key in keys:
            if self.has(key):
                return key
        return keys[-1]

    def figure(self, number: int) -> str:
        """Format an integer for the language: English "1,500", Italian "1.500"; "−250"."""
        return _format_integer(number, self.language)

    def format_card_count(self, number: int) -> str:
        """Write a number of cards, as a word if the catalogue has one: "two", but "12"."""
        key = f"number.{number}"
        if self.has(key):
            return self.t(key)
        return self.figure(number)

    def signed(self, number: int) -> str:
        """Format a number with its sign, for points that are added or deducted: "+100", "−15"."""
        return f"+{self.figure(number)}" if number > 0 else self.figure(number)

    def day(self, moment: date | datetime) -> str:
        """Format a date in words: "21 November 2026"."""
        return _format_day(moment.year, moment.month, moment.day, self.language)

    def clock(self, moment: datetime) -> str:
        """Format a time of day: "21:05"."""
        return moment.strftime("%H:%M")

    def listing(self, parts: Iterable[str]) -> str:
        """Join parts as in a sentence: "kings, queens and jacks". There must be at least one."""
        *all_but_last, last = parts
        if not all_but_last:
            return last
        beginning = ", ".join(all_but_last)
        return f"{beginning} {self.t('list.and')} {last}"

    def _fill_placeholders(self, message: str, arguments: Mapping[str, Argument]) -> str:
        """Fill the placeholders of a message.

        `"%(points)s points"`, `{"points": 1500}` → "1,500 points": numbers are formatted for the
        language, texts stay as they are.
        """
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
    """Load the messages of a language, `it` or `en`, once in the process.

    Raises ValueError for any other language.
    """
    supported = Language(language)
    return Words(supported, translation(DOMAIN, LOCALES, [supported]))


@lru_cache(maxsize=512)
def _format_day(year: int, month: int, day: int, language: Language) -> str:
    """Format a date in words: "21 November 2026"."""
    from babel.dates import format_date

    return format_date(date(year, month, day), format="long", locale=_DATE_LOCALES[language])


@lru_cache(maxsize=4096)
def _format_integer(number: int, language: Language) -> str:
    """Format an integer for a language, with a true minus sign: −1500 → "−1,500" in English."""
    from babel.numbers import format_decimal

    return format_decimal(number, locale=language.value).replace("-", MINUS)
