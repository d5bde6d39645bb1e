"""What a table chooses: the values of options."""

from __future__ import annotations

from collections.abc import Mapping

Choice = str | int | bool
"""The value of an option."""

Choices = Mapping[str, Choice]
"""Options by id, as a table chose them."""


def same(one: object, other: object) -> bool:
    """Whether two values are the same value of the same type: `true` is not 1."""
    return type(one) is type(other) and one == other
