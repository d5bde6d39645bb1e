"""Hostile texts, hostile JSON and hostile TOML of `shapes.toml`, each made at a given number of bytes."""

import json
from collections.abc import Callable, Mapping

from tests.data import read_data

Made = Callable[[int], str]
KB = 1000
MB = 1000 * KB
TABLES = read_data("soak/costs/shapes.toml")


def repeat(part: str, begin: str = "", end: str = "") -> Made:
    """The same part again and again, within about so many bytes."""
    room_taken = len((begin + end).encode())
    length = len(part.encode())
    return lambda size: begin + part * max(1, (size - room_taken) // length) + end


def numbered(pattern: str, join: str = "", begin: str = "", end: str = "") -> Made:
    """Parts that all differ: the pattern with 0, 1, 2 and so on in place of `#`, within about so
    many bytes.
    """

    def make(size: int) -> str:
        parts = []
        length = len(begin) + len(end)
        while length < size:
            part = pattern.replace("#", str(len(parts)))
            parts.append(part)
            length += len(part.encode()) + len(join)
        return begin + join.join(parts) + end

    return make


def nested(opening: str, closing: str, inside: str = "") -> Made:
    """Brackets in brackets, as deep as the bytes allow."""

    def make(size: int) -> str:
        depth = max(1, size // len(opening + closing))
        return opening * depth + inside + closing * depth

    return make


def json_list(part: str) -> Made:
    """A list of the same part."""
    return repeat(f"{part},", begin="[", end=f"{part}]")


def shape_of(row: dict[str, str]) -> Made:
    """The shape that a row of `shapes.toml` describes."""
    if "repeat" in row:
        return repeat(row["repeat"], row.get("begin", ""), row.get("end", ""))
    if "opening" in row:
        return nested(**row)
    return numbered(row.pop("numbered"), **row)


def shapes_of(table: str) -> Mapping[str, Made]:
    return {name: shape_of(dict(row)) for name, row in TABLES[table].items()}


TEXTS = shapes_of("texts")
BODIES = shapes_of("bodies")
TOML_VALUES = shapes_of("toml-values")
TOML_LINES = shapes_of("toml-lines")
JSON_TEXTS = (
    "letters", "blanks", "digits", "x then 1", "1x1x1", "combining marks", "emoji", "quotes", "backslashes",
    "null characters", "less than", "words that differ", "cards", "counted cards", "cards that differ", "no cards",
    "melds and slashes",
)  # fmt: skip
"""The texts that stand in place of a JSON value."""


def as_json(made: Made) -> Made:
    return lambda size: json.dumps(made(size), ensure_ascii=False)


IN_JSON = {**shapes_of("values"), **{name: as_json(TEXTS[name]) for name in JSON_TEXTS}}
"""All that may stand in place of a JSON value."""
