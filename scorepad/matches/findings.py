"""What the rules said of a hand, as JSON and back: figures keep their kind, so that their words can be made later."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorepad.rules.cards import Kind
from scorepad.rules.checks import Excess, Figure, Needed, SideName
from scorepad.rules.judge import Finding


def finding_json(finding: Finding) -> dict[str, Any]:
    """A finding as JSON."""
    return {
        "code": finding.code,
        "severity": finding.severity,
        "where": list(finding.where),
        "figures": {name: figure_json(figure) for name, figure in finding.figures.items()},
        "sources": list(finding.sources),
    }


def finding_from(told: Mapping[str, Any]) -> Finding:
    """The finding that `finding_json` made this from."""
    figures = {name: figure_from(figure) for name, figure in told["figures"].items()}
    return Finding(told["code"], told["severity"], tuple(told["where"]), figures, tuple(told["sources"]))


def figure_json(figure: Figure | Excess | Needed) -> Any:
    """Figures and words as they are; what is more than that says what it is: `{"side": 0}`, `{"card": "Q"}`."""
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
    """The figure that `figure_json` made this from."""
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
        case _:
            return told
