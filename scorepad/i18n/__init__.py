"""Italian and English: the words, and figures and dates as people write them."""

from scorepad.i18n.words import (
    LANGUAGES,
    Language,
    Words,
    json_error_text,
    os_error_key,
    os_error_text,
    system_error_text,
    words,
)

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
