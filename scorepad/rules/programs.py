"""Programs in whole numbers: how many of each piece, within limits, come to the least or the most points.

HiGHS solves them exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, Literal

Resource = tuple[str | int, ...]
"""What pieces use up, or count toward: its name and what of it, like a card of a rank."""
Uses = tuple[tuple[Resource, int], ...]
Limits = Mapping[Resource, tuple[int, int | None]]
"""The least and the most that may be used of each resource; None without a bound."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Something of which there may be any number: its points, and how much it uses of what."""

    points: int
    uses: Uses


@dataclass(frozen=True, slots=True)
class Solution:
    """The points in all, and how many there are of each piece."""

    points: int
    counts: tuple[int, ...]


MOST_OF_A_PIECE = 99
"""More than the decks hold of any card, or melds of any make-up."""
_WHOLE = 1
"""HiGHS's word for a variable in whole numbers."""
_SOLVED = "Optimal"
"""HiGHS's word for a program whose best end was found."""
_IDLE = ("mip_heuristic_run_feasibility_jump", "mip_detect_symmetry")
"""What HiGHS tries besides its exact search, and what takes longer than it saves on a hand of cards."""
_NEARER_THAN_ONE = 0.5
"""Points are whole numbers: of two values nearer than that, neither is better."""


def solve(pieces: Sequence[Piece], limits: Limits, end: Literal["least", "most"]) -> Solution | None:
    """The pieces within the limits that come to the least or the most points; None where there are none.

    A resource that has no limits is only counted.
    """
    program = _program(end)
    number = len(pieces)
    every = list(range(number))
    program.addVars(number, [0.0] * number, [float(MOST_OF_A_PIECE)] * number)
    program.changeColsIntegrality(number, every, [_WHOLE] * number)
    program.changeColsCost(number, every, [float(piece.points) for piece in pieces])
    columns = _columns(pieces)
    for resource, (low, high) in limits.items():
        used = columns.get(resource, {})
        if low > 0 and not used:
            return None
        if used:
            most = inf if high is None else float(high)
            program.addRow(float(low), most, len(used), list(used), list(used.values()))
    program.run()
    if program.modelStatusToString(program.getModelStatus()) != _SOLVED:
        return None
    counts = tuple(round(value) for value in program.getSolution().col_value)
    return Solution(sum(count * piece.points for count, piece in zip(counts, pieces, strict=True)), counts)


def _program(end: Literal["least", "most"]) -> Any:
    """A program to be filled, that looks for this end."""
    # Only hard questions come here: the solver is read when the first of them does.
    import highspy

    program = highspy.Highs()  # type: ignore[no-untyped-call]
    program.silent()
    program.setOptionValue("threads", 1)
    program.setOptionValue("mip_rel_gap", 0.0)
    program.setOptionValue("mip_abs_gap", _NEARER_THAN_ONE)
    for search in _IDLE:
        program.setOptionValue(search, False)
    if end == "least":
        # A few cheap pieces are found sooner than the program is made smaller.
        program.setOptionValue("presolve", "off")
    wanted = highspy.ObjSense.kMinimize if end == "least" else highspy.ObjSense.kMaximize
    program.changeObjectiveSense(wanted)
    return program


def _columns(pieces: Sequence[Piece]) -> dict[Resource, dict[int, int]]:
    """What each resource is used up by: how much of it by each piece, by its number."""
    columns: dict[Resource, dict[int, int]] = {}
    for number, piece in enumerate(pieces):
        for resource, count in piece.uses:
            if count:
                columns.setdefault(resource, {})[number] = count
    return columns
