"""Tables of cases, which stand in files beside the tests."""

import json
import tomllib
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parent


def read_data(file: str | Path) -> Any:
    """What a file of JSON or TOML holds, by its path from the folder of the tests."""
    path = TESTS / file
    text = path.read_text("utf-8")
    if path.suffix == ".toml":
        return tomllib.loads(text)
    return json.loads(text)
