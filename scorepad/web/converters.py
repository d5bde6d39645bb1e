"""What stands for what in an address."""

from __future__ import annotations

from typing import Any

from werkzeug.routing import IntegerConverter, Map

LARGEST_NUMBER = 9_999_999
"""More hands and entries than any match has; a number of thousands of digits is none of them, and no figure either."""


class SmallNumber(IntegerConverter):
    """A number of a hand or an entry; any other address leads nowhere."""

    def __init__(self, of: Map, *args: Any, **more: Any) -> None:
        super().__init__(of, *args, **{"max": LARGEST_NUMBER, **more})
