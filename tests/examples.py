"""How many examples a Hypothesis test searches: a fifth in the default run, all of them under `-m long`."""

from __future__ import annotations

QUICK_SHARE = 5
LEAST = 5
_share = QUICK_SHARE


def search_in_full() -> None:
    """Search all examples. Called before any test module is imported."""
    global _share  # noqa: PLW0603 - one setting for the run
    _share = 1


def searches_in_full() -> bool:
    return _share == 1


def examples(count: int) -> int:
    """The number of examples to search in this run, of so many in all."""
    return max(LEAST, count // _share)
