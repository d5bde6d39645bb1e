"""Cases of the JSON that is sent: values too large to stand in a file, and the smallest questions."""

from typing import Any

from tests.data import read_data

HOSTILE: dict[str, Any] = read_data("schemas/hostile.json")
SMALLEST_QUESTIONS: dict[str, dict[str, Any]] = HOSTILE["questions"]
"""What each kind of question needs at least."""


def grown(value: Any) -> Any:
    """A value with what its stars stand for: "K *9" is a text nine times, ["K", "*9"] a list of
    nine, {"*9": 1} nine keys.
    """
    match value:
        case str() if "*" in value:
            text, _, times = value.partition("*")
            return text * int(times)
        case [each, str(times)] if times.startswith("*"):
            return [grown(each)] * int(times[1:])
        case list():
            return [grown(each) for each in value]
        case dict():
            found = {}
            for key, inner in value.items():
                times = int(key[1:]) if key.startswith("*") else 0
                keys = [f"k{number}" for number in range(times)] or [grown(key)]
                found |= dict.fromkeys(keys, grown(inner))
            return found
    return value
