"""The export file as octets, and back: read strictly, whole or not at all."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import from_json

from scorepad.schemas.export_forms import FORMAT, VERSION, ExportFile
from scorepad.schemas.export_payloads import PAYLOADS
from scorepad.schemas.unusable import Unusable, echo

LARGEST_FILE = 256 * 2**20
"""Octets of a file that is read at all: some ten thousand matches."""

Json = Mapping[str, Any]


def seal_of(told: Json) -> str:
    """A digest of all that a match says: shows what a memory card or somebody's hand has changed.

    SHA-256 of the match without its `seal` as JSON in ASCII, keys in their order, without spaces.
    """
    text = json.dumps({key: value for key, value in told.items() if key != "seal"}, sort_keys=True, **_PLAIN)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


_PLAIN: dict[str, Any] = {"ensure_ascii": True, "allow_nan": False, "separators": (",", ":")}


def encode(rulesets: Mapping[str, Json], matches: list[dict[str, Any]]) -> bytes:
    """The file, a line for each match: the same matches, the same octets."""
    lines = ",\n".join(json.dumps({**told, "seal": seal_of(told)}, **_PLAIN) for told in matches)
    rules = ",\n".join(f"{json.dumps(digest)}:{json.dumps(frozen, **_PLAIN)}" for digest, frozen in rulesets.items())
    head = f'{{"format":"{FORMAT}","version":{VERSION},\n"rulesets":{{\n{rules}\n}},\n"matches":[\n{lines}\n]}}\n'
    return head.encode("ascii")


def decode(source: bytes) -> dict[str, Any]:
    """The file as it stands, once it is known to be whole. Raises Unusable."""
    if len(source) > LARGEST_FILE:
        raise Unusable("files.too-large", most=LARGEST_FILE // 2**20)
    told = _parsed(source)
    _check_head(told)
    for match in told["matches"] if isinstance(told.get("matches"), list) else ():
        _check_sealed(match)
    try:
        ExportFile.model_validate(told)
    except ValidationError as trouble:
        raise _damaged(trouble, told) from None
    for match in told["matches"]:
        _check_entries(match)
    return told


def _parsed(source: bytes) -> dict[str, Any]:
    try:
        told = from_json(source, allow_inf_nan=False)
    except ValueError:
        # What begins as our file and does not end was cut short; anything else is none of ours.
        begins = source.lstrip()[: len(FORMAT) + 20].startswith(f'{{"format":"{FORMAT}"'.encode())
        raise Unusable("files.cut-short" if begins else "files.not-ours") from None
    if not isinstance(told, dict):
        raise Unusable("files.not-ours")
    return told


def _check_head(told: dict[str, Any]) -> None:
    version = told.get("version")
    if told.get("format") != FORMAT or type(version) is not int or version < 1:
        raise Unusable("files.not-ours")
    if version > VERSION:
        raise Unusable("files.newer", version=version, known=VERSION)


def _check_sealed(match: Any) -> None:
    if not isinstance(match, dict) or match.get("seal") != seal_of(match):
        name = match.get("id") if isinstance(match, dict) else None
        raise Unusable("files.damaged", match=echo(name or "?"))


def _check_entries(match: Json) -> None:
    """Every entry by the form of its kind. A kind that nobody here knows comes from a later scorepad."""
    for entry in match["entries"]:
        form = PAYLOADS.get(entry["kind"])
        if form is None:
            raise Unusable("files.newer-entry", match=match["id"], given=echo(entry["kind"]))
        try:
            form.model_validate(entry["payload"])
        except ValidationError:
            raise Unusable("files.damaged", match=match["id"]) from None


def _damaged(trouble: ValidationError, told: Json) -> Unusable:
    """Where the file is not as it must be: the match, if it is one."""
    place = trouble.errors(include_url=False, include_input=False)[0]["loc"]
    if place[:1] == ("matches",) and len(place) > 1 and isinstance(place[1], int):
        match = told["matches"][place[1]]
        return Unusable("files.damaged", match=echo(match.get("id") or "?"))
    return Unusable("files.damaged-file")
