"""Types that the models share: limited figures, and the findings and rulings of the engine in their JSON form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, PlainSerializer, PlainValidator, TypeAdapter, with_config
from typing_extensions import TypedDict

from scorepad.rules.cards import Kind
from scorepad.rules.checks import Excess, Figure, Needed, SideName
from scorepad.rules.citations import Standing
from scorepad.rules.judge import Finding
from scorepad.rules.match import LARGEST

Points = Annotated[int, Field(ge=-LARGEST, le=LARGEST)]
Count = Annotated[int, Field(ge=0, le=LARGEST)]
Position = Annotated[int, Field(ge=0, le=2)]
"""A side, by its position."""
Fields = dict[str, tuple[str, str]]
"""Fields of the open hand that changed, by name: the text before and after."""
Details = dict[str, str | int | bool | None]
"""Figures of a ruling by name."""
Verdict = Literal["allowed", "forbidden", "value", "silent"]


TEXT, POINTS, HANDS, OBJECT = FORMS = ("#text", "#points", "#hands", "#object")
"""The tags of the types that one key may have."""


class Form(BaseModel):
    """The base of everything that is decoded: a figure is a whole number, unknown keys are refused."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, defer_build=True)


_STRICT = ConfigDict(extra="forbid", strict=True)


class StoredReason(TypedDict):
    """A reason of a ruling: the figures of its sentence, without the words."""

    code: str
    figures: dict[str, JsonValue]
    sources: list[str]


class StoredAlternative(TypedDict):
    """A codification or option under which a ruling would have been another."""

    preset: str | None
    options: dict[str, str | bool | int]
    verdict: str
    details: Details
    sources: list[str]


class KeptAnswer(TypedDict):
    """The referee's answer as it is kept with a match."""

    verdict: Verdict
    reasons: list[StoredReason]
    details: Details
    elsewhere: list[StoredAlternative]


@with_config(_STRICT)
class FindingJson(TypedDict):
    """A finding as JSON: the figures of its sentence, without the words."""

    code: str
    severity: Literal["error", "warning"]
    where: list[str | int]
    figures: dict[str, JsonValue]
    sources: list[str]
    standing: Literal["stated", "read", "house"] | None


_FINDING = TypeAdapter(FindingJson)


def finding_json(finding: Finding) -> FindingJson:
    """A finding as JSON. Figures keep their type, so that the sentence can be worded later."""
    return {
        "code": finding.code,
        "severity": "error" if finding.is_error else "warning",
        "where": list(finding.where),
        "figures": {name: figure_json(figure) for name, figure in finding.figures.items()},
        "sources": list(finding.sources),
        "standing": finding.standing.value if finding.standing else None,
    }


def finding_from(told: FindingJson | Finding) -> Finding:
    """The finding of this JSON. Raises ValueError for what is none."""
    if isinstance(told, Finding):
        return told
    told = _FINDING.validate_python(told)
    figures = {name: figure_from(figure) for name, figure in told["figures"].items()}
    standing = Standing(told["standing"]) if told["standing"] else None
    return Finding(told["code"], told["severity"], tuple(told["where"]), figures, tuple(told["sources"]), standing)


def figure_json(figure: Figure | Excess | Needed) -> Any:
    """Numbers and text as they are; other types are named: `{"side": 0}`, `{"card": "Q"}`."""
    match figure:
        case SideName():
            return {"side": figure.position}
        case Kind():
            return {"card": figure.value}
        case Excess():
            return {"excess": [figure.kind.value, figure.suit, figure.count, figure.limit]}
        case Needed():
            return {"needed": [figure.family, figure.count, figure.has]}
        case tuple():
            return [figure_json(part) for part in figure]
        case _:
            return figure


def figure_from(told: Any) -> Any:
    """The figure of this JSON. Raises ValueError for what is none."""
    match told:
        case {"side": position}:
            return SideName(position)
        case {"card": token}:
            return Kind(token)
        case {"excess": [token, suit, count, limit]}:
            return Excess(Kind(token), suit, count, limit)
        case {"needed": [family, count, has]}:
            return Needed(family, count, has)
        case list():
            return tuple(figure_from(part) for part in told)
        case Mapping():
            raise ValueError("figure")
        case _:
            return told


StoredFinding = Annotated[
    Finding,
    PlainValidator(finding_from, json_schema_input_type=FindingJson),
    PlainSerializer(finding_json, return_type=FindingJson),
]
"""A finding in a model."""
