"""What is wrong with the file of a variant, in words."""

from __future__ import annotations

from scorepad.errors import VariantError
from scorepad.i18n.words import Words

_EXPECTED = {
    "int_type": "int", "int_from_float": "int", "bool_type": "bool", "bool_parsing": "bool", "string_type": "text",
    "tuple_type": "list", "dataclass_type": "table", "enum": "one-of", "literal_error": "one-of",
    "greater_than_equal": "least", "less_than_equal": "most", "missing": "missing",
    "unexpected_keyword_argument": "unknown", "too_long": "length", "too_short": "length", "value_error": "cards",
}  # fmt: skip
"""What a value should be, by pydantic's type of error."""


def variant_problem(trouble: VariantError, words: Words) -> str:
    """The message of an error: the file, its line and key where they are known, what is wrong and what to do."""
    text = _text(trouble, words)
    place = "at" if trouble.key else "whole"
    key = f"variant-file.{place}" if trouble.line is None else f"variant-file.{place}-line"
    return words.text(key, file=trouble.file, key=trouble.key, line=str(trouble.line), text=text)


def _text(trouble: VariantError, words: Words) -> str:
    figures, (problem, _, kind) = trouble.figures, trouble.problem.partition("value.")
    if problem:
        return words.text(f"variant-file.{trouble.problem}", key=trouble.key, **figures)
    known = str(figures.get("expected", "")).replace("' or '", "', '")
    limit = figures.get("ge", figures.get("le", ""))
    expected = words.text(f"variant-file.value.{_EXPECTED.get(kind, 'length')}", expected=known, limit=limit)
    place = words.text("variant-file.value.inside", place=figures["inside"]) if figures["inside"] else ""
    return words.text("variant-file.value", given=figures["given"], inside=place, expected=expected)
