"""The page that shows what programs may ask: made of the OpenAPI document, in the frame of every page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from flask import Response, url_for

from scorepad.api.openapi import document
from scorepad.web.base import Page, page_words, render

Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a type: its name, what it takes, whether it must be there."""

    name: str
    takes: str
    links: tuple[str, ...]
    """The types that it may be, told below."""
    required: bool


@dataclass(frozen=True, slots=True)
class TypeTold:
    """A type with its keys; `one_of` are the types that it may be instead."""

    name: str
    about: str
    keys: tuple[Key, ...]
    one_of: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """A status, what it means, and the type of the answer; empty for a trouble, whose form is always the same."""

    status: str
    meaning: str
    type: str


@dataclass(frozen=True, slots=True)
class Asked:
    """One thing to ask."""

    id: str
    method: str
    path: str
    about: str
    keyed: bool
    body: str
    answers: tuple[Answered, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InterfacePage(Page):
    """Everything that can be asked, and the types of questions and answers."""

    template: ClassVar[str] = "api/page.html"
    about: str
    more: str
    key: str
    document: str
    """Where the document itself is."""
    asked: tuple[Asked, ...]
    types: tuple[TypeTold, ...]


def page() -> Response:
    """What can be asked, as a page."""
    words = page_words()
    told = document(words)
    shown = InterfacePage(
        title=words.text("api.title"),
        about=told["info"]["summary"],
        more=told["info"]["description"],
        key=words.text("api.key"),
        document=url_for("api.openapi"),
        asked=tuple(_asked(told)),
        types=tuple(_types(told["components"]["schemas"])),
    )
    return render(shown)


def _asked(told: Mapping[str, Any]) -> Iterator[Asked]:
    base = told["servers"][0]["url"]
    for path, methods in told["paths"].items():
        for method, operation in methods.items():
            body = operation.get("requestBody")
            yield Asked(
                id=operation["operationId"],
                method=method.upper(),
                path=f"{base}{path}",
                about=operation["summary"],
                keyed="security" in operation,
                body=_name(body["content"]["application/json"]["schema"]) if body else "",
                answers=tuple(
                    Answered(status, answer["description"], _type(status, answer["content"]["application/json"]))
                    for status, answer in operation["responses"].items()
                ),
            )


def _type(status: str, content: Mapping[str, Any]) -> str:
    return _name(content["schema"]) if status.startswith("2") else ""


def _types(schemas: Mapping[str, Schema]) -> Iterator[TypeTold]:
    for name, schema in schemas.items():
        required = schema.get("required", ())
        yield TypeTold(
            name=name,
            about=schema.get("description", ""),
            keys=tuple(
                Key(key, _takes(value), tuple(dict.fromkeys(_refs(value))), key in required)
                for key, value in schema.get("properties", {}).items()
            ),
            one_of=tuple(_name(each) for each in schema.get("oneOf", ()) if "$ref" in each),
        )


def _name(schema: Schema) -> str:
    """The type that a schema refers to; empty where it is told in place."""
    return next(_refs(schema), "")


def _refs(schema: Any) -> Iterator[str]:
    """Every type that a schema refers to."""
    if isinstance(schema, Mapping):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"].rpartition("/")[2]
        for value in schema.values():
            yield from _refs(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _refs(value)


def _takes(schema: Schema) -> str:
    """What a key takes, in the words of JSON Schema."""
    if "const" in schema:
        return f"“{schema['const']}”"
    if "enum" in schema:
        return ", ".join(f"“{value}”" for value in schema["enum"])
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " | ".join(dict.fromkeys(filter(None, map(_takes, schema[several]))))
    kind = str(schema.get("type", ""))
    if kind == "array":
        return f"array({_takes(schema.get('items', {})) or _name(schema)})"
    if kind == "object" and isinstance(schema.get("additionalProperties"), Mapping):
        inner = schema["additionalProperties"]
        return f"object({_takes(inner) or _name(inner)})"
    return f"{kind}{_limits(schema)}" if kind else _name(schema)


def _limits(schema: Schema) -> str:
    least, most = schema.get("minimum"), schema.get("maximum")
    return "" if least is None and most is None else f" {'' if least is None else least}…{'' if most is None else most}"
