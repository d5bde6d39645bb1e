"""What the types of the JSON interface accept, in the words of JSON Schema, for its page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Schema = Mapping[str, Any]


def accepted_values(schema: Schema) -> str:
    """What a key of a JSON object accepts, on one line.

    `{"type": "integer", "minimum": 0}` → `integer 0…`; `{"enum": ["it", "en"]}` → `“it”, “en”`; a
    list of texts → `array(string)`.
    """
    if "const" in schema:
        return f"“{schema['const']}”"
    if "enum" in schema:
        return ", ".join(f"“{value}”" for value in schema["enum"])
    alternatives = schema.get("anyOf") or schema.get("oneOf")
    if alternatives:
        return _any_of(alternatives)
    if schema.get("type") == "array":
        return f"array({_values_inside(schema.get('items', {}))})"
    values_of_object = schema.get("additionalProperties")
    if schema.get("type") == "object" and isinstance(values_of_object, Mapping):
        return f"object({_values_inside(values_of_object)})"
    if "type" in schema:
        return f"{schema['type']}{_limits(schema)}"
    return _first_type_named(schema)


def _any_of(alternatives: list[Schema]) -> str:
    """What any of several schemas accepts, without repeats: `string | null`."""
    accepted = []
    for alternative in alternatives:
        values = accepted_values(alternative)
        if values and values not in accepted:
            accepted.append(values)
    return " | ".join(accepted)


def _values_inside(schema: Schema) -> str:
    """What the entries of a list, or the values of an object, accept."""
    return accepted_values(schema) or _first_type_named(schema)


def _limits(schema: Schema) -> str:
    """The least and the most that a number may be: ` 0…20`; empty if it has no limits."""
    if "minimum" not in schema and "maximum" not in schema:
        return ""
    least = schema.get("minimum", "")
    most = schema.get("maximum", "")
    return f" {least}…{most}"


def _first_type_named(schema: Schema) -> str:
    """The first type that a schema refers to; empty if it refers to none."""
    names = referenced_types(schema)
    return names[0] if names else ""


def referenced_types(schema: Any) -> list[str]:
    """The names of the types that a JSON schema refers to, each once, in order.

    `{"type": "array", "items": {"$ref": "#/components/schemas/Hand"}}` → `["Hand"]`.
    """
    names = []
    for reference in _references_in(schema):
        name = reference.rpartition("/")[2]
        if name not in names:
            names.append(name)
    return names


def _references_in(schema: Any) -> Iterator[str]:
    """The values of all keys `$ref` in JSON, from its beginning to its end."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key == "$ref":
                yield value
            else:
                yield from _references_in(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from _references_in(item)
