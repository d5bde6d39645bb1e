"""The variants and their rules."""

from __future__ import annotations

from flask import Response, abort

from scorepad.api.operations import operation
from scorepad.api.responses import json_response, speech
from scorepad.errors import ChoiceError
from scorepad.schemas.variant_json import build_whole_variant, list_variants


@operation("get", "/variants", {200: "VariantLine[]"})
def variants() -> Response:
    """List the variants, that is, the games that can be played."""
    return json_response(list_variants(speech()))


@operation("get", "/variants/<variant>", {200: "VariantAnswer"})
def variant(variant: str) -> Response:
    """Answer with all rules of one variant (game), such as `samba`; 404 if there is none."""
    try:
        answer = build_whole_variant(variant, speech())
    except ChoiceError:
        abort(404)
    return json_response(answer)
