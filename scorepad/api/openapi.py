"""The OpenAPI document, made from the models that decode the input and the types of the answers.

OpenAPI 3.1 takes JSON Schema as pydantic writes it: apispec or spectree would add a second description of the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, TypeAdapter, create_model

from scorepad import __version__
from scorepad.i18n import Words
from scorepad.matches.events import EVENTS
from scorepad.matches.transfer import ExportFile
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

_PLACES = {"variant": {"type": "string"}, "match": {"type": "string"},
           "number": {"type": "integer", "minimum": 1, "maximum": 9_999_999}}  # fmt: skip
"""The types of what stands in paths."""


class Operation(NamedTuple):
    """One thing to ask. `answers` are the types told by status, `troubles` statuses that follow from nothing else."""

    id: str
    method: str
    path: str
    answers: Mapping[int, str]
    body: str = ""
    troubles: tuple[int, ...] = ()

    @property
    def keyed(self) -> bool:
        """Whether it needs a key: everything about matches but their beginning."""
        return self.path.startswith("/matches") and self.id != "begin"

    @property
    def places(self) -> list[str]:
        """What stands in its path."""
        return re.findall(r"{(\w+)}", self.path)

    @property
    def statuses(self) -> list[int]:
        """Every status that it answers with."""
        troubles = {503, *self.troubles}
        troubles |= {400, 413, 415} if self.body else set()
        troubles |= {404} if self.places else set()
        troubles |= {401} if self.keyed else set()
        troubles |= {403, 409} if self.keyed and self.body else set()
        # What is only read, and by anybody, may be asked as often as one likes.
        troubles |= {429} if self.keyed or self.body else set()
        return sorted({*self.answers, *troubles})


OPERATIONS = (
    Operation("score", "post", "/score", {200: "ScoreAnswer"}, "AskedForm"),
    Operation("rulings", "post", "/rulings", {200: "RulingAnswer"}, "RulingQuestion"),
    Operation("variants", "get", "/variants", {200: "VariantLine[]"}),
    Operation("variant", "get", "/variants/{variant}", {200: "VariantAnswer"}),
    Operation("openapi", "get", "/openapi.json", {200: "Document"}),
    Operation("matches", "get", "/matches", {200: "MatchesAnswer"}),
    Operation("begin", "post", "/matches", {201: "BegunAnswer"}, "NewMatchForm", (507,)),
    Operation("match", "get", "/matches/{match}", {200: "MatchAnswer"}),
    Operation("export", "get", "/matches/{match}/export", {200: "ExportFile"}),
    Operation("count", "post", "/matches/{match}/hands", dict.fromkeys((200, 201), "CountedAnswer"), "NewHandForm"),
    Operation("correct", "put", "/matches/{match}/hands/{number}", {200: "CountedAnswer"}, "CorrectionForm"),
    Operation("undo", "post", "/matches/{match}/undo", {200: "UndoneAnswer"}, "UndoForm"),
)
"""Everything, in the order in which it is told."""


@cache
def document(speech: Words) -> dict[str, Any]:
    """The document, its descriptions in one language."""
    paths: dict[str, Any] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method] = _operation(operation, speech)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "scorepad",
            "version": __version__,
            "summary": speech.text("api.about"),
            "description": speech.text("api.about.more"),
        },
        "servers": [{"url": "/api/v1"}],
        "paths": paths,
        "components": {
            "schemas": _schemas(),
            "securitySchemes": {
                "key": {"type": "http", "scheme": "bearer", "description": speech.text("api.key")},
            },
        },
    }


def _operation(operation: Operation, speech: Words) -> dict[str, Any]:
    parameters: list[dict[str, Any]] = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": _PLACES[name],
            "description": speech.text(f"api.place.{name}"),
        }
        for name in operation.places
    ]
    language = {"type": "string", "examples": ["it", "en"]}
    parameters.append(
        {"name": "Accept-Language", "in": "header", "schema": language, "description": speech.text("api.language")}
    )
    described: dict[str, Any] = {
        "operationId": operation.id,
        "tags": ["matches" if operation.path.startswith("/matches") else "rules"],
        "summary": speech.text(f"api.op.{operation.id}"),
        "parameters": parameters,
        "responses": {str(status): _response(status, operation, speech) for status in operation.statuses},
    }
    if operation.body:
        described["requestBody"] = {"required": True, "content": {"application/json": {"schema": _ref(operation.body)}}}
    if operation.keyed:
        described["security"] = [{"key": []}]
    return described


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
    bodies = [(model, "validation", TypeAdapter(model)) for model in (*_BODIES, *questions)]
    events = [(event, "serialization", event.adapter) for event in EVENTS.values()]
    outputs = [(model, "serialization", TypeAdapter(model)) for model in _ANSWERS]
    inputs: Any = [*bodies, *events, *outputs]
    _, whole = TypeAdapter.json_schemas(inputs, ref_template=_REF)
    schemas: dict[str, Any] = {name: _known(schema) for name, schema in whole["$defs"].items()}
    schemas["RulingQuestion"] = {"oneOf": [_ref(question.__name__) for question in questions]}
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
