"""Italian and English: the words, and figures and dates as people write them."""

from scorepad.i18n.machine import because, json_word, machine_word, reason_of
from scorepad.i18n.words import LANGUAGES, Language, Words, words

__all__ = ["LANGUAGES", "Language", "Words", "because", "json_word", "machine_word", "reason_of", "words"]
