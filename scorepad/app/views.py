"""The two addresses that belong to no folder of `web`: the health check, and the page that shows the JSON interface."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from flask import Blueprint, Response, current_app

from scorepad.storage import Storage
from scorepad.web.base import page_words, render_page, t

STORAGE = "scorepad.storage"
"""Key of the `Storage` among Flask's extensions."""
HEALTH = "app.health"
"""The endpoint of the health check, which answers under any host name."""

blueprint = Blueprint("app", __name__)


@blueprint.get("/salute")
def health() -> Response:
    """The word of `Storage.health`, with 200 for `ok` and 503 for all others. It says nothing of any match."""
    storage: Storage = current_app.extensions[STORAGE]
    word = storage.health()
    response = Response(f"{word}\n", 200 if word == "ok" else 503, mimetype="text/plain")
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.get("/api/")
def interface() -> Response:
    """The operations and types of the JSON interface, made of its OpenAPI document."""
    from scorepad.api.openapi import document  # builds the models of all answers

    return render_page("api/page.html", title=t("api.title"), document=document(page_words()), refs=_refs, takes=_takes)


def _refs(schema: Any) -> list[str]:
    """The names of the types that a schema refers to, each once."""
    return list(dict.fromkeys(_each_ref(schema)))


def _each_ref(schema: Any) -> Iterator[str]:
    if isinstance(schema, Mapping) and isinstance(schema.get("$ref"), str):
        yield schema["$ref"].rpartition("/")[2]
    parts = schema.values() if isinstance(schema, Mapping) else schema if isinstance(schema, list) else ()
    for part in parts:
        yield from _each_ref(part)


def _takes(schema: Mapping[str, Any]) -> str:
    """What a key takes, in the words of JSON Schema."""
    if "const" in schema:
        return f"“{schema['const']}”"
    if "enum" in schema:
        return ", ".join(f"“{value}”" for value in schema["enum"])
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " | ".join(dict.fromkeys(filter(None, map(_takes, schema[several]))))
    kind, inner = str(schema.get("type", "")), schema.get("additionalProperties")
    if kind == "array" or (kind == "object" and isinstance(inner, Mapping)):
        part = schema.get("items", {}) if kind == "array" else inner or {}
        return f"{kind}({_takes(part) or next(_each_ref(part), '')})"
    least, most = schema.get("minimum", ""), schema.get("maximum", "")
    limits = f" {least}…{most}" if least != "" or most != "" else ""
    return f"{kind}{limits}" if kind else next(_each_ref(schema), "")
