"""The OpenAPI document of the API as its page shows it: operations and types, without JSON schemas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from scorepad.api.types_in_words import accepted_values, referenced_types


class AnswerText(NamedTuple):
    """An answer of an operation: its HTTP status, when it comes, and the type of what it holds.

    The type is empty for errors, which all have the same.
    """

    status: str
    description: str
    type: str


class OperationText(NamedTuple):
    """An operation of the API, such as GET of a match."""

    id: str
    method: str
    url: str
    summary: str
    needs_key: bool
    body_type: str
    """The type of what is sent; empty if nothing is."""
    answers: list[AnswerText]


class PropertyText(NamedTuple):
    """A property of a type: its name, the values that it takes, and the types that these have."""

    name: str
    is_required: bool
    values: str
    types: list[str]


class TypeText(NamedTuple):
    """A type of what is sent or answered. `one_of` are the types of which it is one, if it is."""

    name: str
    description: str
    one_of: list[str]
    properties: list[PropertyText]


class DocumentTexts:
    """What the page about the API shows of its OpenAPI document."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document
        self.summary: str = document["info"]["summary"]
        self.description: str = document["info"]["description"]

    @property
    def operations(self) -> list[OperationText]:
        """List all operations, path after path."""
        operations = []
        for path, methods in self._document["paths"].items():
            for method, operation in methods.items():
                operations.append(self._describe_operation(path, method, operation))
        return operations

    def _describe_operation(
        self, path: str, method: str, operation: Mapping[str, Any]
    ) -> OperationText:
        server = self._document["servers"][0]["url"]
        return OperationText(
            id=operation["operationId"],
            method=method.upper(),
            url=f"{server}{path}",
            summary=operation["summary"],
            needs_key="security" in operation,
            body_type=_find_first_type(operation.get("requestBody")),
            answers=_list_answers(operation["responses"]),
        )

    @property
    def types(self) -> list[TypeText]:
        """List all types to which operations and other types refer."""
        types = []
        for name, schema in self._document["components"]["schemas"].items():
            types.append(
                TypeText(
                    name=name,
                    description=schema.get("description", ""),
                    one_of=_list_types_of_choice(schema),
                    properties=_list_properties(schema),
                )
            )
        return types


def _list_answers(responses: Mapping[str, Any]) -> list[AnswerText]:
    """List the answers of an operation; `responses` are those of the document, by HTTP status."""
    answers = []
    for status, response in responses.items():
        is_success = status.startswith("2")
        type_of_answer = _find_first_type(response["content"]) if is_success else ""
        answers.append(AnswerText(status, response["description"], type_of_answer))
    return answers


def _list_types_of_choice(schema: Mapping[str, Any]) -> list[str]:
    """List the types of which a type is one, such as a question of the referee of each kind."""
    alternatives = schema.get("oneOf", ())
    return referenced_types([each for each in alternatives if "$ref" in each])


def _list_properties(schema: Mapping[str, Any]) -> list[PropertyText]:
    """List the properties of a type by its JSON schema."""
    required = schema.get("required", ())
    properties = []
    for name, value in schema.get("properties", {}).items():
        properties.append(
            PropertyText(
                name=name,
                is_required=name in required,
                values=accepted_values(value),
                types=referenced_types(value),
            )
        )
    return properties


def _find_first_type(content: Any) -> str:
    """Return the name of the first type that a part of the document refers to; empty for none."""
    names = referenced_types(content)
    return names[0] if names else ""
