"""The API described for programs."""

from __future__ import annotations

from flask import Response, request

from scorepad.api.operations import operation
from scorepad.api.responses import json_response, speech


@operation("get", "/openapi.json", {200: "Document"})
def openapi() -> Response:
    """Answer with the OpenAPI document, in the language that the request asks for."""
    from scorepad.api.openapi_document import build_openapi  # rarely requested, and slow to build

    return json_response(build_openapi(speech(), request.root_path))
