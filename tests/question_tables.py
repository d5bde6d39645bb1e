"""The tables of `docs/command-line.md` with the fields of each kind of question, written from their
schema.

Run as a program, this module prints them: `python -m tests.question_tables`.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from scorepad.referee.questions import QUESTIONS
from scorepad.schemas.ruling_json import build_question_schema

_TYPES = {"string": "text", "integer": "whole number", "boolean": "true or false", "null": "null"}


def tables() -> str:
    """A table for each kind of question."""
    return "\n".join(_table(kind) for kind in QUESTIONS)


def _table(kind: str) -> str:
    schema = build_question_schema(kind)
    lines = [f"### {kind}\n", "| field | type | default | meaning |", "|---|---|---|---|"]
    lines += [_row(name, field, schema) for name, field in schema["properties"].items()]
    return "\n".join((*lines, ""))


def _row(name: str, field: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    default = (
        "required"
        if name in schema.get("required", ())
        else f"`{json.dumps(field.get('default'))}`"
    )
    return f"| `{name}` | {' or '.join(_types(field))} | {default} | {field['description']} |"


def _types(field: Mapping[str, Any]) -> Iterator[str]:
    """The types of a field in words."""
    if "anyOf" in field:
        for each in field["anyOf"]:
            yield from _types(each)
    elif "enum" in field:
        yield "word"
    elif field["type"] == "array":
        yield "list of texts"
    elif field["type"] == "object":
        yield "numbers by item"
    else:
        yield _TYPES[field["type"]]


if __name__ == "__main__":
    sys.stdout.write(tables())
