"""The OpenAPI document, made from the types that decode the input and those that tell the answers.

By pydantic alone: OpenAPI 3.1 takes JSON Schema as pydantic writes it, so that what apispec or spectree would add is a
second description beside the forms, and a decoding of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Literal

from pydantic import BaseModel, create_model
from pydantic.json_schema import models_json_schema

from scorepad import __version__
from scorepad.api import shapes
from scorepad.api.operations import OPERATIONS, Operation
from scorepad.i18n import Language, Words, words
from scorepad.rules.variants import variant_ids
from scorepad.schemas.export_forms import ExportFile
from scorepad.schemas.export_payloads import PAYLOADS
from scorepad.schemas.forms import AskedForm
from scorepad.schemas.matches_forms import CorrectionForm, NewHandForm, NewMatchForm, UndoForm
from scorepad.schemas.ruling_forms import FORMS, HeadForm

_REF = "#/components/schemas/{model}"
_BODIES: tuple[type[BaseModel], ...] = (AskedForm, NewMatchForm, NewHandForm, CorrectionForm, UndoForm, ExportFile)
_ANSWERS: tuple[type[BaseModel], ...] = (
    shapes.Trouble, shapes.ScoreAnswer, shapes.RulingAnswer, shapes.VariantLine, shapes.VariantAnswer,
    shapes.MatchesAnswer, shapes.MatchAnswer, shapes.BegunAnswer, shapes.CountedAnswer, shapes.UndoneAnswer,
)  # fmt: skip


def document(speech: Words) -> dict[str, Any]:
    """The document, its descriptions in one language."""
    return _document(speech.language)


@cache
def _document(language: Language) -> dict[str, Any]:
    speech = words(language)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "scorepad",
            "version": __version__,
            "summary": speech.text("api.about"),
            "description": speech.text("api.about.more"),
        },
        "servers": [{"url": "/api/v1"}],
        "paths": _paths(speech),
        "components": {
            "schemas": _schemas(),
            "securitySchemes": {
                "key": {"type": "http", "scheme": "bearer", "description": speech.text("api.key")},
            },
        },
    }


def _paths(speech: Words) -> dict[str, Any]:
    paths: dict[str, Any] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method] = _operation(operation, speech)
    return paths


def _operation(operation: Operation, speech: Words) -> dict[str, Any]:
    told: dict[str, Any] = {
        "operationId": operation.id,
        "tags": [operation.tag],
        "summary": speech.text(f"api.op.{operation.id}"),
        "parameters": [*_parameters(operation, speech)],
        "responses": {str(status): _response(status, operation, speech) for status in operation.statuses},
    }
    if operation.body:
        told["requestBody"] = {"required": True, "content": {"application/json": {"schema": _ref(operation.body)}}}
    if operation.keyed:
        told["security"] = [{"key": []}]
    return told


def _parameters(operation: Operation, speech: Words) -> Iterator[dict[str, Any]]:
    for name, kind in operation.places.items():
        yield {
            "name": name,
            "in": "path",
            "required": True,
            "schema": kind,
            "description": speech.text(f"api.place.{name}"),
        }
    yield {
        "name": "Accept-Language",
        "in": "header",
        "schema": {"type": "string", "examples": ["it", "en"]},
        "description": speech.text("api.language"),
    }


def _response(status: int, operation: Operation, speech: Words) -> dict[str, Any]:
    name = operation.answers.get(status, "Trouble")
    schema: dict[str, Any] = {"type": "array", "items": _ref(name[:-2])} if name.endswith("[]") else _ref(name)
    return {
        "description": speech.text(f"api.status.{status}"),
        "content": {"application/json": {"schema": {"type": "object"} if name == "Document" else schema}},
    }


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": _REF.format(model=name)}


@cache
def _schemas() -> dict[str, Any]:
    """Every type of the document by its name."""
    questions = _questions()
    asked = [(model, "validation") for model in (*_BODIES, *questions, *dict.fromkeys(PAYLOADS.values()))]
    told = [(model, "serialization") for model in _ANSWERS]
    _, whole = models_json_schema([*asked, *told], ref_template=_REF)  # type: ignore[list-item] # literals in a list
    schemas: dict[str, Any] = {name: _known(schema) for name, schema in whole["$defs"].items()}
    schemas["RulingQuestion"] = {"oneOf": [_ref(question.__name__) for question in questions]}
    _tell_entries(schemas["EntryForm"]["properties"])
    return dict(sorted(schemas.items()))


def _tell_entries(keys: dict[str, Any]) -> None:
    """What the entries of a log hold, by their kind, which is checked once the kind is known."""
    keys["kind"] = {"enum": list(PAYLOADS)}
    keys["payload"] = {"anyOf": [_ref(form.__name__) for form in dict.fromkeys(PAYLOADS.values())]}


@cache
def _questions() -> tuple[type[BaseModel], ...]:
    """What may be asked of the referee, a type for each kind: the keys of every question and those of its kind."""
    return tuple(
        create_model(_camel(kind), __base__=(form, HeadForm), __doc__=form.__doc__, kind=(_just(kind), ...))
        for kind, form in FORMS.items()
    )


def _just(word: str) -> Any:
    """The type of this one word."""
    return Literal[word]


def _camel(kind: str) -> str:
    return "".join(part.capitalize() for part in kind.split("-")) + "Question"


def _known(schema: dict[str, Any]) -> dict[str, Any]:
    """A type that names a variant: one of those that there are."""
    variant = schema.get("properties", {}).get("variant")
    if variant and schema.get("additionalProperties") is False and "names" not in schema.get("required", ()):
        variant["enum"] = list(variant_ids())
    return schema
