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


def variant_problems(error: VariantError, words: Words) -> list[str]:
    """The messages of all errors in the file of a variant.

    If there are many errors, the last message says how many more there are.
    """
    texts = [variant_problem(error, words)]
    for other in error.others:
        texts.append(variant_problem(other, words))
    if error.more:
        texts.append(words.plural("variant-file.more", error.more))
    return texts


def variant_problem(error: VariantError, words: Words) -> str:
    """The message of one error: the file, its line and key if they are known, and what is wrong."""
    message = "variant-file.at" if error.key else "variant-file.whole"
    if error.line is not None:
        message += "-line"
    return words.t(
        message,
        file=error.file,
        key=error.key,
        line=str(error.line),
        text=_what_is_wrong(error, words),
    )


def _what_is_wrong(error: VariantError, words: Words) -> str:
    """What is wrong at the place of an error, and what to do about it.

    `error.problem` is the end of the key of its message, `error.arguments` are the values of its
    placeholders.
    """
    if error.problem.startswith(_VALUE):
        return _what_is_wrong_with_value(error, words)
    if error.problem in _CONTRADICTIONS:
        why = words.t(f"linked.{error.arguments['link']}")
        return words.t(f"variant-file.{error.problem}", why=why, **error.arguments)

    text = words.t(f"variant-file.{error.problem}", key=error.key, **error.arguments)
    known_names = error.arguments.get("known")
    if error.problem.endswith(_SIMILAR_NAME) and known_names:
        text += " " + words.t("variant-file.choices", known=known_names)
    return text


def _what_is_wrong_with_value(error: VariantError, words: Words) -> str:
    """What the file gives as a value, and what it should be: for instance a whole number.

    The argument `inside` is the place within the value; empty if the whole value is wrong.
    """
    place = error.arguments["inside"]
    inside = words.t("variant-file.value.inside", place=place) if place else ""
    return words.t(
        "variant-file.value",
        given=error.arguments["given"],
        inside=inside,
        expected=_expected_value(error, words),
    )


def _expected_value(error: VariantError, words: Words) -> str:
    """What a value should be: `value.int_type`, the problem of an error, → `a whole number`."""
    pydantic_type = error.problem.removeprefix(_VALUE)
    expected = _EXPECTED.get(pydantic_type, _EXPECTED_OTHERWISE)
    return words.t(
        f"variant-file.value.{expected}",
        expected=_allowed_words(error),
        limit=_limit_of_value(error),
    )


def _allowed_words(error: VariantError) -> str:
    """The words that a value may be: `'a', 'b', 'c'`; empty if the error is about something else.

    Pydantic lists them as `'a', 'b' or 'c'`, in every language.
    """
    listed_in_english = str(error.arguments.get("expected", ""))
    return listed_in_english.replace("' or '", "', '")


def _limit_of_value(error: VariantError) -> int | str:
    """The least or the greatest value that is allowed; empty if the error is not about a limit."""
    for pydantic_name in ("ge", "le"):  # greater or equal, less or equal
        if pydantic_name in error.arguments:
            return error.arguments[pydantic_name]
    return ""
