"""Italian and English: the words, and figures and dates as people write them."""

from scorepad.i18n.machine import because
from scorepad.i18n.words import LANGUAGES, Language, Words, words

__all__ = ["LANGUAGES", "Language", "Words", "because", "words"]
