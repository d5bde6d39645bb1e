"""Italian and English: messages, and the formats of figures and dates."""

from scorepad.i18n.catalogue import LANGUAGES, Language, Words, words
from scorepad.i18n.json_errors import json_error_text
from scorepad.i18n.system_errors import os_error_key, os_error_text, system_error_text

__all__ = [
    "LANGUAGES",
    "Language",
    "Words",
    "json_error_text",
    "os_error_key",
    "os_error_text",
    "system_error_text",
    "words",
]
