"""What the entries of a log say, and the same as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scorepad.matches.findings import finding_from, finding_json
from scorepad.matches.values import EndHow, Ending, Replacement, Said
from scorepad.rules.citations import Standing
from scorepad.rules.judge import Finding
from scorepad.rules.match import Seat
from scorepad.rules.score import Line

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
    said: Said = field(default_factory=Said)
    by: int | None = None
    """The side for which the device that counted it counts, where it said so."""
    played: int = 0
    """The hands played on paper before the match came to the pad."""

    @property
    def deal(self) -> int:
        """The number of the hand among all of the match, for rules that go by it."""
        return self.number + self.played


@dataclass(frozen=True, slots=True)
class Undone:
    """Which entry was undone: its sequence and its kind, the hand that it touched, and why, where that was said."""

    entry: int
    kind: str
    number: int | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Beginning:
    """What a match starts with beside its names: the first dealer on the pad, what it brings from paper.

    `house` are the options that the table plays otherwise than usual.
    """

    dealer: Seat
    house: tuple[str, ...] = ()
    carried: tuple[int, ...] = ()
    played: int = 0
    practice: bool = False
    is_rematch: bool = False
    checking: bool = False
    """Whether one side counts and the other checks from the beginning."""


def labels_json(labels: Labels) -> dict[str, Any]:
    """The payload of a rename."""
    return {"names": list(labels.names), "players": [list(side) for side in labels.players], "place": labels.place}


def labels_from(payload: Json) -> Labels:
    """The names in the payload of a start or a rename."""
    return Labels(tuple(payload["names"]), tuple(tuple(side) for side in payload["players"]), payload["place"])


def start_json(labels: Labels, begins: Beginning) -> dict[str, Any]:
    """The payload of a start."""
    told: dict[str, Any] = {**labels_json(labels), "dealer": list(begins.dealer), "house": list(begins.house)}
    more = {
        "carried": list(begins.carried),
        "played": begins.played,
        "practice": begins.practice,
        "rematch": begins.is_rematch,
        "checking": begins.checking,
    }
    return told | {key: value for key, value in more.items() if value}


def beginning_from(payload: Json) -> Beginning:
    """What the payload of a start tells."""
    side, player = payload["dealer"]
    return Beginning(
        dealer=(side, player),
        house=tuple(payload["house"]),
        carried=tuple(payload.get("carried", ())),
        played=payload.get("played", 0),
        practice=payload.get("practice", False),
        is_rematch=payload.get("rematch", False),
        checking=payload.get("checking", False),
    )


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
    more = {
        "remark": counted.said.remark,
        "agreed": counted.said.agreed,
        "by": counted.by,
        "played": counted.played or None,
    }
    return told | {key: value for key, value in more.items() if value not in (None, "")}


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
        said=Said(payload.get("remark", ""), payload.get("agreed", "")),
        by=payload.get("by"),
        played=payload.get("played", 0),
    )


def undone_json(undone: Undone) -> dict[str, Any]:
    """The payload of an undo."""
    told = {"entry": undone.entry, "kind": undone.kind, "number": undone.number}
    return told | ({"note": undone.note} if undone.note else {})


def undone_from(payload: Json) -> Undone:
    """What the payload of an undo names."""
    return Undone(payload["entry"], payload["kind"], payload["number"], payload.get("note", ""))


def ending_json(ending: Ending) -> dict[str, Any]:
    """The payload of an end that the table agreed."""
    return {"how": ending.how.value, "hands": ending.hands, "side": ending.side}


def ending_from(payload: Json) -> Ending:
    """The end in the payload of one."""
    return Ending(EndHow(payload["how"]), payload["hands"], payload["side"])


def replacement_json(labels: Labels, taken: Replacement) -> dict[str, Any]:
    """The payload of a player taking another's place; `labels` are all names from then on."""
    return {**labels_json(labels), "seat": list(taken.seat), "was": taken.was, "name": taken.name,
            "number": taken.number}  # fmt: skip


def replacement_from(payload: Json) -> Replacement:
    """Who took whose place."""
    side, player = payload["seat"]
    return Replacement((side, player), payload["was"], payload["name"], payload["number"])


def _line_json(line: Line) -> dict[str, Any]:
    told = {"item": line.item, "count": line.count, "points": line.points, "sources": list(line.sources or ())}
    apart = {"code": line.code, "reason": line.reason, "standing": line.standing, "read": list(line.read) or None}
    return told | {key: value for key, value in apart.items() if value is not None}


def _line_from(told: Json) -> Line:
    return Line(
        told["item"],
        told["count"],
        told["points"],
        tuple(told["sources"]),
        told.get("code"),
        told.get("reason"),
        Standing(told["standing"]) if "standing" in told else None,
        tuple(told.get("read", ())),
    )
