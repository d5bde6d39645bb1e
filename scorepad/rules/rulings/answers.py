"""What the referee answers: a verdict, its reasons with their sources, and the figures of the case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from scorepad.rules.checks import Figure

Detail = str | int | bool | None
"""A figure or a word of the case: points, cards, or a name of the contract's."""


class Verdict(StrEnum):
    """The one word."""

    ALLOWED = "allowed"
    FORBIDDEN = "forbidden"
    VALUE = "value"
    SILENT = "silent"
    """No source speaks of it; nothing is invented."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A rule that the answer rests on: its code, the figures that its words name, and where the sources say so."""

    code: str
    figures: Mapping[str, Figure] = field(default_factory=dict)
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ruling:
    """An answer. Details that do not apply are left out."""

    verdict: Verdict
    reasons: tuple[Reason, ...] = ()
    details: Mapping[str, Detail] = field(default_factory=dict)


def answered(reasons: tuple[Reason, ...], forbids: bool, **details: Detail) -> Ruling:
    """Allowed, or forbidden for these reasons."""
    return Ruling(Verdict.FORBIDDEN if forbids else Verdict.ALLOWED, reasons, details)
