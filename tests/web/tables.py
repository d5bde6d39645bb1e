"""Tables of cases that stand beside the tests, in TOML."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any


def read_tables(name: str) -> dict[str, Any]:
    """The tables of a file: lists of rows, whose columns its comments name."""
    return tomllib.loads((Path(__file__).parent / f"{name}.toml").read_text("utf-8"))
