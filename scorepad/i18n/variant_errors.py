"""Errors in the files of variants as sentences: where, what is wrong, and what to do."""

from __future__ import annotations

from scorepad.errors import VariantError
from scorepad.i18n.catalogue import Words

_VALUE = "value."
"""What the problem begins with if a value has the wrong type; pydantic's error type follows."""
_CONTRADICTIONS = ("linked.asks", "linked.needs")
"""The problems that two settings contradict each other; a second message says why."""
_SIMILAR_NAME = ".meant"
"""What the problem ends with if a name is unknown and its message proposes a similar one. That may
be wrong, so all known names are listed too.
"""
_EXPECTED = {
    "int_type": "int",
    "int_from_float": "int",
    "bool_type": "bool",
    "bool_parsing": "bool",
    "string_type": "text",
    "tuple_type": "list",
    "dataclass_type": "table",
    "enum": "one-of",
    "literal_error": "one-of",
    "greater_than_equal": "least",
    "less_than_equal": "most",
    "missing": "missing",
    "unexpected_keyword_argument": "unknown",
    "too_long": "length",
    "too_short": "length",
    "value_error": "cards",
}
"""What is expected of a value, by pydantic's error type: the end of a message's key."""
_EXPECTED_OTHERWISE = "length"
"""What other error types are about: a list with too few or too many values."""


def describe_variant_errors(error: VariantError, words: Words) -> list[str]:
    """Write the messages of all errors in a file of rules.

    The exception is the first error, and carries the others. If they are too many, the last message
    says how many are left: "There are 4 more mistakes, which are told when these are corrected."
    """
    texts = [describe_variant_error(error, words)]
    for other in error.others:
        texts.append(describe_variant_error(other, words))
    if error.more:
        texts.append(words.plural("variant-file.more", error.more))
    return texts


def describe_variant_error(error: VariantError, words: Words) -> str:
    """Write the message of one error in a file of rules: where it is, and what is wrong.

    - in a value: "mine.toml, line 3, settings.decks: the value “two” cannot be here: a whole number
      is expected."
    - in the file as a whole: "mine.toml: the file cannot be read. Save it as UTF-8 text."
    """
    is_about_one_value = bool(error.key)
    message_key = "variant-file.at" if is_about_one_value else "variant-file.whole"
    if error.line is not None:
        message_key += "-line"
    return words.t(
        message_key,
        file=error.file,
        key=error.key,
        line=str(error.line),
        text=_describe_what_is_wrong(error, words),
    )


def _describe_what_is_wrong(error: VariantError, words: Words) -> str:
    """Say what is wrong in a file of rules, and what to do about it.

    `error.problem` is the end of a message key:

    - `value.int_type`: a value is not of the right type; the end is an error type of pydantic
    - `linked.asks`, `linked.needs`: two settings contradict each other, and the message says why
    - `unknown-setting.meant`: a name is unknown, and the message proposes a similar one
    - any other: the message says it all, "the file cannot be read. Save it as UTF-8 text."
    """
    if error.problem.startswith(_VALUE):
        return _describe_wrong_value(error, words)
    if error.problem in _CONTRADICTIONS:
        why = words.t(f"linked.{error.arguments['link']}")
        return words.t(f"variant-file.{error.problem}", why=why, **error.arguments)

    text = words.t(f"variant-file.{error.problem}", key=error.key, **error.arguments)
    known_names = error.arguments.get("known")
    if error.problem.endswith(_SIMILAR_NAME) and known_names:
        # The similar name may not be the one that was meant: "You can write: decks, dealt, …"
        text += " " + words.t("variant-file.choices", known=known_names)
    return text


def _describe_wrong_value(error: VariantError, words: Words) -> str:
    """Say which value in a file of rules is wrong, and what it should be.

    - usually: "the value “two” cannot be here: a whole number is expected."
    - a part of a value: "the value “two” cannot be here (2): a whole number is expected." The
      place within the value is the argument `inside`, which is empty otherwise.
    """
    place = error.arguments["inside"]
    inside = words.t("variant-file.value.inside", place=place) if place else ""
    return words.t(
        "variant-file.value",
        given=error.arguments["given"],
        inside=inside,
        expected=_describe_expected_value(error, words),
    )


def _describe_expected_value(error: VariantError, words: Words) -> str:
    """Say what a value in a file of rules should be.

    The problem of the error ends with an error type of pydantic:

    - `value.int_type` → "a whole number is expected"
    - `value.greater_than_equal` → "at least 1 is expected"
    - `value.enum` → "one of these is expected: 'a', 'b', 'c'"
    """
    pydantic_type = error.problem.removeprefix(_VALUE)
    end_of_message_key = _EXPECTED.get(pydantic_type, _EXPECTED_OTHERWISE)
    return words.t(
        f"variant-file.value.{end_of_message_key}",
        expected=_list_allowed_words(error),
        limit=_find_limit_of_value(error),
    )


def _list_allowed_words(error: VariantError) -> str:
    """List the words that a value may be: `'a', 'b', 'c'`; empty if the error has no such list.

    Pydantic writes `'a', 'b' or 'c'`, in English. The message may be in another language.
    """
    listed_in_english = str(error.arguments.get("expected", ""))
    return listed_in_english.replace("' or '", "', '")


def _find_limit_of_value(error: VariantError) -> int | str:
    """Find the least or the greatest value that is allowed; empty if the error has no limit."""
    for pydantic_name in ("ge", "le"):  # greater than or equal, less than or equal
        if pydantic_name in error.arguments:
            return error.arguments[pydantic_name]
    return ""
