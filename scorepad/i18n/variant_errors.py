"""Errors in the files of variants as sentences: where, what is wrong, and what to do."""

from __future__ import annotations

from scorepad.errors import VariantError
from scorepad.i18n.catalogue import Words

_VALUE = "value."
"""What the problem begins with if a value has the wrong type; pydantic's error type follows."""
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
"""What is expected of a value, by pydantic's error type."""


def variant_problems(error: VariantError, words: Words) -> list[str]:
    """The messages of all errors of a file; of many, the number of those that are not told in full."""
    texts = [variant_problem(each, words) for each in (error, *error.others)]
    if error.more:
        texts.append(words.plural("variant-file.more", error.more))
    return texts


def variant_problem(error: VariantError, words: Words) -> str:
    """The message of an error: the file, its line and key if they are known, what is wrong and what
    to do.
    """
    key = "variant-file.at" if error.key else "variant-file.whole"
    if error.line is not None:
        key += "-line"
    text = _what_is_wrong(error, words)
    return words.t(key, file=error.file, key=error.key, line=str(error.line), text=text)


def _what_is_wrong(error: VariantError, words: Words) -> str:
    if error.problem.startswith(_VALUE):
        return _wrong_value(error, words)
    if error.problem in ("linked.asks", "linked.needs"):
        why = words.t(f"linked.{error.arguments['link']}")
        return words.t(f"variant-file.{error.problem}", why=why, **error.arguments)
    text = words.t(f"variant-file.{error.problem}", key=error.key, **error.arguments)
    if error.problem.endswith(".meant") and error.arguments.get("known"):
        text += " " + words.t("variant-file.choices", known=error.arguments["known"])
    return text


def _wrong_value(error: VariantError, words: Words) -> str:
    """What was given in place of which value."""
    arguments = error.arguments
    kind = _EXPECTED.get(error.problem.removeprefix(_VALUE), "length")
    expected = words.t(
        f"variant-file.value.{kind}",
        expected=str(arguments.get("expected", "")).replace("' or '", "', '"),
        limit=arguments.get("ge", arguments.get("le", "")),
    )
    inside = ""
    if arguments["inside"]:
        inside = words.t("variant-file.value.inside", place=arguments["inside"])
    return words.t("variant-file.value", given=arguments["given"], inside=inside, expected=expected)
