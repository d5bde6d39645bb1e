"""What the types of the JSON interface accept, in the words of JSON Schema, for its page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Schema = Mapping[str, Any]


def accepted_values(schema: Schema) -> str:
    """Describe on one line what a key of a JSON object accepts, from its JSON schema.

    `{"type": "integer", "minimum": 0}` → `integer 0…`
    """
    match schema:
        case {"const": value}:
            return f"“{value}”"
        case {"enum": values}:
            return ", ".join(f"“{value}”" for value in values)
        case {"anyOf": alternatives} | {"oneOf": alternatives}:
            return _describe_alternatives(alternatives)
        case {"type": "array"}:
            return f"array({_describe_values_inside(schema.get('items', {}))})"
        case {"type": "object", "additionalProperties": Mapping() as schema_of_values}:
            return f"object({_describe_values_inside(schema_of_values)})"
        case {"type": type_name}:
            return f"{type_name}{_describe_limits(schema)}"
        case _:  # only a reference to another type
            return _find_first_referenced_type(schema)


def _describe_alternatives(alternatives: list[Schema]) -> str:
    """Describe what any of several schemas accepts, each only once: `string | null`."""
    accepted = []
    for alternative in alternatives:
        values = accepted_values(alternative)
        if values and values not in accepted:
            accepted.append(values)
    return " | ".join(accepted)


def _describe_values_inside(schema: Schema) -> str:
    """Describe what the entries of a list, or the values of an object, accept: `string`."""
    return accepted_values(schema) or _find_first_referenced_type(schema)


def _describe_limits(schema: Schema) -> str:
    """Describe the least and the most that a number may be.

    - from 0 to 20 → ` 0…20`, with a space before
    - from 0 → ` 0…`
    - without limits → an empty text
    """
    if "minimum" not in schema and "maximum" not in schema:
        return ""
    least = schema.get("minimum", "")
    most = schema.get("maximum", "")
    return f" {least}…{most}"


def _find_first_referenced_type(schema: Schema) -> str:
    """Return the name of the first type that a schema refers to; empty if it refers to none."""
    names = referenced_types(schema)
    return names[0] if names else ""


def referenced_types(schema: Any) -> list[str]:
    """List the names of the types that a JSON schema refers to, each once, in order.

    `{"type": "array", "items": {"$ref": "#/components/schemas/Hand"}}` → `["Hand"]`.
    """
    names = []
    for reference in _find_references(schema):
        name = reference.rpartition("/")[2]  # the last part of the path
        if name not in names:
            names.append(name)
    return names


def _find_references(json_value: Any) -> Iterator[str]:
    """Find the values of all keys `$ref` anywhere in JSON, from its beginning to its end.

    `[{"$ref": "a"}, {"items": {"$ref": "b"}}]` → `a`, `b`.
    """
    if isinstance(json_value, dict):
        for key, value in json_value.items():
            if key == "$ref":
                yield value
            else:
                yield from _find_references(value)
    elif isinstance(json_value, list):
        for item in json_value:
            yield from _find_references(item)
