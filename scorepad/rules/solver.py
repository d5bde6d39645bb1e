"""How often to choose each of several parts, so that they add up to what is required and are worth
most, or least.

Not every machine has the solver: `has_solver` tells.

A part is, for example, a meld that could be laid. It adds to totals over all that is chosen, such as
the kings used or the canastas. This is an "integer program", which HiGHS solves exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from math import inf
from typing import Any, Literal, NamedTuple

from scorepad.rules.cards import Cards

End = Literal["least", "most"]
"""Whether the parts are to be worth as little or as much as possible."""


class Total(NamedTuple):
    """The key under which something is added up over all parts chosen: `Total("melds")`.

    `of` says of what, where there are several such sums: `Total("cards", 3)` is for the kings used,
    as 3 is the index of kings in `cards.KINDS`.
    """

    name: str
    of: int | str | bool = ""
    suit: str = ""

    @classmethod
    def of_cards(cls, kind: int) -> Total:
        """Return the key under which the cards of one kind are counted.

        `kind` is an index of `cards.KINDS`.
        """
        return cls("cards", kind)

    @classmethod
    def of_suited_cards(cls, kind: int, suit: str) -> Total:
        """Return the key under which the cards of one kind and suit are counted, as kings of hearts.

        `kind` is an index of `cards.KINDS`, and hearts are `h`.
        """
        return cls("cards of a suit", kind, suit)


def count_cards_by_total(cards: Cards) -> dict[Total, int]:
    """Count the cards of each kind, and those with a known suit once more by kind and suit.

    Two kings of hearts → 2 for kings, and 2 for kings of hearts.
    """
    numbers: dict[Total, int] = {}
    for kind, count in enumerate(cards.counts):
        if count:
            numbers[Total.of_cards(kind)] = count
    for kind, suit, number in cards.suited:
        numbers[Total.of_suited_cards(kind, suit)] = number
    return numbers


class Between(NamedTuple):
    """What a number may be: `least` or more, and `most` or less; None if there is no maximum."""

    least: int
    most: int | None


class Part(NamedTuple):
    """Something that may be chosen any number of times, such as laying three kings."""

    value: int
    """What it is worth."""
    adds: tuple[tuple[Total, int], ...]
    """What it adds to the totals, each time that it is chosen."""


class ChoiceOfParts(NamedTuple):
    """The parts to choose from, and what those chosen must add up to."""

    parts: tuple[Part, ...]
    equal_totals: tuple[tuple[Total, Total], ...]
    """Pairs of totals that must come to the same number."""
    limits: tuple[tuple[Total, Between], ...]
    """What single totals must come to; a total that is not among them may be anything."""


MOST_OF_A_PART = 99
"""More than the number of any card, or of melds of any composition."""
_WHOLE = 1
"""HiGHS's constant for an integer variable."""
_SOLVED = "Optimal"
"""HiGHS's status for a program solved to optimality."""
_OPTIONS: dict[str, Any] = {
    "threads": 1,
    "mip_rel_gap": 0.0,
    # Points are integers: a smaller gap makes no difference.
    "mip_abs_gap": 0.5,
    # HiGHS's other techniques take longer than they save on a hand of cards.
    "mip_heuristic_run_feasibility_jump": False,
    "mip_detect_symmetry": False,
}


@cache
def has_solver() -> bool:
    """Tell whether this machine has the HiGHS library, which is not made for every system."""
    return find_spec("highspy") is not None


def solve(choice: ChoiceOfParts, end: End) -> tuple[int, ...] | None:
    """Find how often to choose each part, so that all together are worth the least or the most.

    One part is worth 10 points, another 25, each uses one card, and there are two cards: for the
    most points the result is `(0, 2)`, none of the first and two of the second. It is None if the
    parts cannot add up to what is required. Call it only if `has_solver`.
    """
    amounts = _list_amounts_by_total(choice.parts)
    for total, allowed in choice.limits:
        if allowed.least > 0 and total not in amounts:
            return None  # something is required that no part has

    program = _create_program(end)
    _add_parts(program, choice.parts)
    for one, other in choice.equal_totals:
        difference = _subtract_amounts(amounts.get(one, {}), amounts.get(other, {}))
        _require_sum(program, difference, Between(least=0, most=0))
    for total, allowed in choice.limits:
        if total in amounts:  # a total to which no part adds is zero anyway
            _require_sum(program, amounts[total], allowed)
    return _run_program(program)


def _list_amounts_by_total(parts: Sequence[Part]) -> dict[Total, dict[int, int]]:
    """List for each total which parts add to it, and how much.

    A part is given by its index. Part 0 has two kings and part 4 has one → the total of kings has
    `{0: 2, 4: 1}`.
    """
    amounts: dict[Total, dict[int, int]] = {}
    for index, part in enumerate(parts):
        for total, amount in part.adds:
            if amount != 0:
                amount_by_part = amounts.setdefault(total, {})
                amount_by_part[index] = amount
    return amounts


def _subtract_amounts(one: Mapping[int, int], other: Mapping[int, int]) -> dict[int, int]:
    """Compute how much more each part adds to one total than to another: it may be negative."""
    difference = dict(one)
    for part, amount in other.items():
        difference[part] = difference.get(part, 0) - amount
    return difference


def _run_program(program: Any) -> tuple[int, ...] | None:
    """Run a program of the HiGHS library, and return how often it chose each part.

    The result is None if no choice of whole numbers adds up to what is required.
    """
    program.run()
    status = program.modelStatusToString(program.getModelStatus())
    if status != _SOLVED:
        return None
    # HiGHS computes with floats: a 2 may come as 1.9999999.
    return tuple(round(value) for value in program.getSolution().col_value)


def _create_program(end: End) -> Any:
    """Create a program of the HiGHS library that looks for the least or the most points (`end`).

    It has no parts and no conditions yet. `Any`, because the library has no types.
    """
    # Imported lazily: most hands do not need the solver.
    import highspy

    program: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    program.silent()
    for name, value in _OPTIONS.items():
        program.setOptionValue(name, value)
    if end == "least":
        # The library simplifies a program first ("presolve"). For the least points that takes
        # longer than it saves.
        program.setOptionValue("presolve", "off")
        program.changeObjectiveSense(highspy.ObjSense.kMinimize)
    else:
        program.changeObjectiveSense(highspy.ObjSense.kMaximize)
    return program


def _add_parts(program: Any, parts: Sequence[Part]) -> None:
    """Add each part to a new program of the HiGHS library, as a variable (a "column").

    The value of the variable will be how often the part is chosen. The program makes the sum of
    all values, each times the worth of its part, as small or as large as it can.
    """
    number = len(parts)
    columns = list(range(number))
    lowest = [0.0] * number
    highest = [float(MOST_OF_A_PART)] * number
    worth = [float(part.value) for part in parts]
    program.addVars(number, lowest, highest)
    program.changeColsIntegrality(number, columns, [_WHOLE] * number)
    program.changeColsCost(number, columns, worth)


def _require_sum(program: Any, amount_by_part: Mapping[int, int], allowed: Between) -> None:
    """Require of a program of the HiGHS library what the parts that it chooses add up to.

    `amount_by_part` is how much each part adds when it is chosen once: `{0: 2, 4: 1}` if there are
    two kings in part 0 and one in part 4. With "at most 3", the program can choose both once.
    """
    highest = inf if allowed.most is None else float(allowed.most)
    parts = list(amount_by_part.keys())
    amounts = list(amount_by_part.values())
    program.addRow(float(allowed.least), highest, len(parts), parts, amounts)
