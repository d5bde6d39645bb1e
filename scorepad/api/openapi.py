"""The OpenAPI document, made from the models that decode the input and the types of the answers.

OpenAPI 3.1 takes JSON Schema as pydantic writes it: apispec or spectree would add a second description of the same.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

from pydantic import BaseModel, TypeAdapter, create_model

from scorepad import __version__
from scorepad.api.views import OPERATIONS, PREFIX, Operation
from scorepad.i18n import Words
from scorepad.matches.events import EVENTS
from scorepad.matches.transfer import ExportFile
from scorepad.rules.variants import variant_ids
from scorepad.schemas import answers
from scorepad.schemas.hands import AskedForm, CorrectionForm, HandForm, NewHandForm, NewMatchForm, UndoForm
from scorepad.schemas.rulings import FORMS, HeadForm

_REF = "#/components/schemas/{model}"
_BODIES: tuple[type[BaseModel], ...] = (
    HandForm, AskedForm, NewMatchForm, NewHandForm, CorrectionForm, UndoForm, ExportFile,
)  # fmt: skip
_ANSWERS = (
    answers.Trouble, answers.ScoreAnswer, answers.RulingAnswer, answers.VariantLine, answers.VariantAnswer,
    answers.MatchesAnswer, answers.MatchAnswer, answers.BegunAnswer, answers.CountedAnswer, answers.UndoneAnswer,
)  # fmt: skip

_PLACES = {"variant": {"type": "string"}, "match": {"type": "string"},
           "number": {"type": "integer", "minimum": 1, "maximum": 9_999_999}}  # fmt: skip
"""The types of what stands in paths."""


@cache
def document(speech: Words) -> dict[str, Any]:
    """The document, its descriptions in one language."""
    paths: dict[str, Any] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method] = _operation(operation, speech)
    key = {"type": "http", "scheme": "bearer", "description": speech.text("api.key")}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "scorepad",
            "version": __version__,
            "summary": speech.text("api.about"),
            "description": speech.text("api.about.more"),
        },
        "servers": [{"url": PREFIX}],
        "paths": paths,
        "components": {"schemas": _schemas(), "securitySchemes": {"key": key}},
    }


def _operation(operation: Operation, speech: Words) -> dict[str, Any]:
    parameters: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": _PLACES[name]} for name in operation.places
    ]
    language = {"type": "string", "examples": ["it", "en"]}
    parameters.append({"name": "Accept-Language", "in": "header", "schema": language})
    for parameter in parameters:
        own = "language" if parameter["in"] == "header" else f"place.{parameter['name']}"
        parameter["description"] = speech.text(f"api.{own}")
    described: dict[str, Any] = {
        "operationId": operation.id,
        "tags": ["matches" if operation.path.startswith("/matches") else "rules"],
        "summary": speech.text(f"api.op.{operation.id}"),
        "parameters": parameters,
        "responses": {
            str(status): {"description": speech.text(f"api.status.{status}"), **_content(operation.answers.get(status))}
            for status in operation.statuses
        },
    }
    if operation.body:
        described["requestBody"] = {"required": True, **_content(operation.body)}
    if operation.keyed:
        described["security"] = [{"key": []}]
    return described


def _content(model: str | None) -> dict[str, Any]:
    """JSON of this type, `TYPE[]` for a list of them; without one, an error."""
    name = model or "Trouble"
    schema: dict[str, Any] = {"type": "object"} if name == "Document" else _ref(name.removesuffix("[]"))
    if name.endswith("[]"):
        schema = {"type": "array", "items": schema}
    return {"content": {"application/json": {"schema": schema}}}


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": _REF.format(model=name)}


@cache
def _schemas() -> dict[str, Any]:
    """Every type of the document by its name."""
    questions = _questions()
    bodies = [(model, "validation", TypeAdapter(model)) for model in (*_BODIES, *questions)]
    events = [(event, "serialization", event.adapter) for event in EVENTS.values()]
    outputs = [(model, "serialization", TypeAdapter(model)) for model in _ANSWERS]
    inputs: Any = [*bodies, *events, *outputs]
    _, whole = TypeAdapter.json_schemas(inputs, ref_template=_REF)
    schemas: dict[str, Any] = {name: _known(schema) for name, schema in whole["$defs"].items()}
    schemas["RulingQuestion"] = {"oneOf": [_ref(question.__name__) for question in questions]}
    schemas["HandAnswer"]["properties"]["hand"] = _ref("HandForm")
    keys = schemas["EntryForm"]["properties"]
    keys["kind"] = {"enum": list(EVENTS)}
    keys["payload"] = {"anyOf": [_ref(event.__name__) for event in EVENTS.values()]}
    return dict(sorted(schemas.items()))


@cache
def _questions() -> tuple[type[BaseModel], ...]:
    """What may be asked of the referee, a type for each kind: the keys of every question and those of its kind."""
    literal: Any = Literal  # the type of a single word
    return tuple(
        create_model(
            f"{kind.title().replace('-', '')}Question",
            __base__=(form, HeadForm),
            __doc__=form.__doc__,
            kind=(literal[kind], ...),
        )
        for kind, form in FORMS.items()
    )


def _known(schema: dict[str, Any]) -> dict[str, Any]:
    """A type that names a variant: one of those that there are."""
    variant = schema.get("properties", {}).get("variant")
    if variant and schema.get("additionalProperties") is False and "names" not in schema.get("required", ()):
        variant["enum"] = list(variant_ids())
    return schema
