"""How many examples a Hypothesis test searches: a tenth in the default run, a quarter in the long
half, or all.
"""

from typing import Any

import pytest

QUICK, LONG, ALL = 10, 4, 1
LEAST = 5
_share = QUICK


def search(share: int) -> None:
    """Search more than in the default run. Called before any test module is imported."""
    global _share  # noqa: PLW0603 - one setting for the run
    _share = share


def searches_further() -> bool:
    """Whether more is searched than in the default run."""
    return _share != QUICK


def examples(count: int) -> int:
    """The number of examples to search in this run, of so many in all."""
    return max(LEAST, count // _share)


def in_full(*values: object) -> list[Any]:
    """Further values of a parametrized test, for `-m full` alone."""
    return [pytest.param(value, marks=pytest.mark.full) for value in values]


def in_soak(*values: object) -> list[Any]:
    """Further values of a parametrized test, for `-m soak` alone."""
    return [pytest.param(value, marks=pytest.mark.soak) for value in values]
