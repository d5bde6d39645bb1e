"""What the entries of a log say, and the same as JSON. What is once written here must be readable for ever."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scorepad.pad.findings import finding_from, finding_json
from scorepad.rules.judge import Finding
from scorepad.rules.score import Line
from scorepad.rules.seats import Seat

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Labels:
    """What the match, its sides and its players are called: labels, which may change at any time."""

    names: tuple[str, ...]
    players: tuple[tuple[str, ...], ...]
    place: str


@dataclass(frozen=True, slots=True)
class CountedSide:
    """A side's lines as they were acknowledged, and whether it had opened (None where only the sum is known)."""

    lines: tuple[Line, ...]
    opened: bool | None

    @property
    def points(self) -> int:
        """The hand in points."""
        return sum(line.points for line in self.lines)


@dataclass(frozen=True, slots=True)
class Counted:
    """A hand as it was counted, or counted again.

    `hand` is as in the JSON contract, `before` the match scores then, `findings` the warnings that went with it,
    `draft` the fields as typed. `replaces` is the sequence of the entry that a correction stands in for.
    """

    number: int
    hand: Json
    before: tuple[int, ...]
    sides: tuple[CountedSide, ...]
    findings: tuple[Finding, ...]
    draft: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    replaces: int | None = None


@dataclass(frozen=True, slots=True)
class Undone:
    """Which entry was undone: its sequence and its kind, and the hand that it touched."""

    entry: int
    kind: str
    number: int | None


def labels_json(labels: Labels) -> dict[str, Any]:
    """The payload of a rename."""
    return {"names": list(labels.names), "players": [list(side) for side in labels.players], "place": labels.place}


def labels_from(payload: Json) -> Labels:
    """The names in the payload of a start or a rename."""
    return Labels(tuple(payload["names"]), tuple(tuple(side) for side in payload["players"]), payload["place"])


def start_json(labels: Labels, dealer: Seat, house: Iterable[str]) -> dict[str, Any]:
    """The payload of a start. `house` are the options that the table plays otherwise than usual."""
    return {**labels_json(labels), "dealer": list(dealer), "house": list(house)}


def dealer_from(payload: Json) -> Seat:
    """The first dealer in the payload of a start."""
    side, player = payload["dealer"]
    return side, player


def house_from(payload: Json) -> tuple[str, ...] | None:
    """The house rules in the payload of a start; None where it was written before they were told."""
    return tuple(payload["house"]) if "house" in payload else None


def counted_json(counted: Counted) -> dict[str, Any]:
    """The payload of a hand or of its correction."""
    told: dict[str, Any] = {
        "number": counted.number,
        "hand": counted.hand,
        "before": list(counted.before),
        "sides": [
            {"lines": [_line_json(line) for line in side.lines], "opened": side.opened} for side in counted.sides
        ],
        "findings": [finding_json(finding) for finding in counted.findings],
        "draft": dict(counted.draft),
    }
    if counted.replaces is not None:
        told |= {"replaces": counted.replaces, "note": counted.note}
    return told


def counted_from(payload: Json) -> Counted:
    """The hand in the payload of a hand or of its correction."""
    return Counted(
        number=payload["number"],
        hand=payload["hand"],
        before=tuple(payload["before"]),
        sides=tuple(CountedSide(tuple(map(_line_from, side["lines"])), side["opened"]) for side in payload["sides"]),
        findings=tuple(map(finding_from, payload["findings"])),
        draft=payload["draft"],
        note=payload.get("note", ""),
        replaces=payload.get("replaces"),
    )


def undone_json(undone: Undone) -> dict[str, Any]:
    """The payload of an undo."""
    return {"entry": undone.entry, "kind": undone.kind, "number": undone.number}


def undone_from(payload: Json) -> Undone:
    """What the payload of an undo names."""
    return Undone(payload["entry"], payload["kind"], payload["number"])


def _line_json(line: Line) -> dict[str, Any]:
    told = {"item": line.item, "count": line.count, "points": line.points, "sources": list(line.sources or ())}
    apart = {"code": line.code, "reason": line.reason}
    return told | {key: value for key, value in apart.items() if value is not None}


def _line_from(told: Json) -> Line:
    return Line(
        told["item"], told["count"], told["points"], tuple(told["sources"]), told.get("code"), told.get("reason")
    )
