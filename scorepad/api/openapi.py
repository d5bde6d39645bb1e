"""The OpenAPI document, made from the models that decode the input and the types of the answers.

OpenAPI 3.1 takes JSON Schema as pydantic writes it: apispec or spectree would add a second description of the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

from pydantic import BaseModel, TypeAdapter, create_model

from scorepad import __version__
from scorepad.i18n import Language, Words, words
from scorepad.matches.events import ADAPTERS, EVENTS
from scorepad.matches.exports import ExportFile
from scorepad.rules.variants import variant_ids
from scorepad.schemas import answers
from scorepad.schemas.hands import AskedForm, CorrectionForm, NewHandForm, NewMatchForm, UndoForm
from scorepad.schemas.rulings import FORMS, HeadForm

_REF = "#/components/schemas/{model}"
_BODIES: tuple[type[BaseModel], ...] = (AskedForm, NewMatchForm, NewHandForm, CorrectionForm, UndoForm, ExportFile)
_ANSWERS = (
    answers.Trouble, answers.ScoreAnswer, answers.RulingAnswer, answers.VariantLine, answers.VariantAnswer,
    answers.MatchesAnswer, answers.MatchAnswer, answers.BegunAnswer, answers.CountedAnswer, answers.UndoneAnswer,
)  # fmt: skip

_MATCH: Mapping[str, Any] = {"match": {"type": "string"}}
_HAND: Mapping[str, Any] = {**_MATCH, "number": {"type": "integer", "minimum": 1, "maximum": 9_999_999}}
_READ = (401, 404)
_WRITTEN = (400, 401, 403, 404, 409, 413, 415)


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing to ask. `answers` are the types told by status, `troubles` the other statuses; `keyed`: needs a key."""

    id: str
    method: str
    path: str
    tag: str
    answers: Mapping[int, str]
    body: str = ""
    places: Mapping[str, Any] = field(default_factory=dict)
    troubles: tuple[int, ...] = ()
    keyed: bool = False

    @property
    def statuses(self) -> tuple[int, ...]:
        """Every status that it answers with."""
        # What is only read, and by anybody, may be asked as often as one likes.
        limited = (429,) if self.keyed or self.method != "get" else ()
        return (*self.answers, *self.troubles, *limited, 503)


OPERATIONS = (
    Operation("score", "post", "/score", "rules", {200: "ScoreAnswer"}, "AskedForm", troubles=(400, 413, 415)),
    Operation("rulings", "post", "/rulings", "rules", {200: "RulingAnswer"}, "RulingQuestion",
              troubles=(400, 413, 415)),
    Operation("variants", "get", "/variants", "rules", {200: "VariantLine[]"}),
    Operation("variant", "get", "/variants/{variant}", "rules", {200: "VariantAnswer"},
              places={"variant": {"type": "string"}}, troubles=(404,)),
    Operation("openapi", "get", "/openapi.json", "rules", {200: "Document"}),
    Operation("matches", "get", "/matches", "matches", {200: "MatchesAnswer"}, troubles=(401,), keyed=True),
    Operation("begin", "post", "/matches", "matches", {201: "BegunAnswer"}, "NewMatchForm",
              troubles=(400, 413, 415, 507)),
    Operation("match", "get", "/matches/{match}", "matches", {200: "MatchAnswer"}, places=_MATCH, troubles=_READ,
              keyed=True),
    Operation("export", "get", "/matches/{match}/export", "matches", {200: "ExportFile"}, places=_MATCH,
              troubles=_READ, keyed=True),
    Operation("count", "post", "/matches/{match}/hands", "matches", {200: "CountedAnswer", 201: "CountedAnswer"},
              "NewHandForm", _MATCH, _WRITTEN, keyed=True),
    Operation("correct", "put", "/matches/{match}/hands/{number}", "matches", {200: "CountedAnswer"},
              "CorrectionForm", _HAND, _WRITTEN, keyed=True),
    Operation("undo", "post", "/matches/{match}/undo", "matches", {200: "UndoneAnswer"}, "UndoForm", _MATCH, _WRITTEN,
              keyed=True),
)  # fmt: skip
"""Everything, in the order in which it is told."""


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
    asked = [(model, "validation", TypeAdapter(model)) for model in (*_BODIES, *questions)]
    events = [(event, "serialization", adapter) for event, adapter in ADAPTERS.items()]
    told = [(model, "serialization", TypeAdapter(model)) for model in _ANSWERS]
    inputs: Any = [*asked, *events, *told]
    _, whole = TypeAdapter.json_schemas(inputs, ref_template=_REF)
    schemas: dict[str, Any] = {name: _known(schema) for name, schema in whole["$defs"].items()}
    schemas["RulingQuestion"] = {"oneOf": [_ref(question.__name__) for question in questions]}
    keys = schemas["EntryForm"]["properties"]
    keys["kind"] = {"enum": list(EVENTS)}
    keys["payload"] = {"anyOf": [_ref(event.__name__) for event in ADAPTERS]}
    return dict(sorted(schemas.items()))


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
