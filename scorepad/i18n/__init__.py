"""Italian and English: messages, and the formats of figures and dates."""

from scorepad.i18n.catalogue import LANGUAGES, Language, Words, words
from scorepad.i18n.json_errors import describe_json_error
from scorepad.i18n.system_errors import (
    describe_os_error,
    describe_system_error,
    find_key_of_os_error,
)

__all__ = [
    "LANGUAGES",
    "Language",
    "Words",
    "describe_json_error",
    "describe_os_error",
    "describe_system_error",
    "find_key_of_os_error",
    "words",
]
