"""What can be asked over HTTP, as data: the document tells it, and a test holds it against the routes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

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
