"""Common parts of the models: limited numbers, and the errors for unusable input."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
)
from pydantic_core import ErrorDetails

from scorepad.errors import ScorepadError
from scorepad.i18n import Words, json_error_text
from scorepad.rules.json_types import MOST_KEYS, Word

Position = Annotated[int, Field(ge=0, le=2)]
"""A side, by its position."""
Fields = dict[str, tuple[str, str]]
"""Changed fields of the open hand, by name: the text before and after; only in logs of earlier versions."""

Options = Annotated[dict[Word, Word | int | bool], Field(max_length=MOST_KEYS)]
"""Chosen options by id."""
Verdict = Literal["allowed", "forbidden", "value", "silent"]


class Input(BaseModel):
    """The base of everything that is decoded: figures are integers, unknown keys are refused."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, defer_build=True)


MOST_VALUES = 20_000
"""Values of a JSON text, counted by its commas. While a parser reads a hundred thousand, no other
thread runs for a tenth of a second.
"""
_LONGEST_QUOTED = 60
_NOT_JSON = "unusable.not-json"
_OF_A_KEY = "[key]"
"""What pydantic adds to the path of a key that is itself invalid."""
_UNKNOWN_KEY = ("extra_forbidden", "unexpected_keyword_argument")
"""Pydantic's errors for a key that a model, or a dataclass, does not have."""
_TOO_LONG = {"string_too_long": "unusable.too-long", "too_long": "unusable.too-many"}
"""The messages for pydantic's errors about lengths. Tuples have a fixed length, which has its own
message.
"""
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
TAKES = {
    "variant": "variant", "preset": "preset", "options": "options", "before": "before", "sides": "sides",
    "melds": "melds", "cards": "cards", "totals": "totals", "sum": "points", "adjustments": "adjustments",
    "left": "left", "penalties": "penalties", "opening": "opening", "out": "out", "side": "text", "concealed": "flag",
    "discard": "discard", "single": "text", "special": "text", "canastas": "canastas", "incomplete": "canastas",
    "points": "points", "reason": "text", "code": "text", "names": "names", "players": "players", "dealer": "dealer",
    "place": "text", "carried": "carried", "note": "note", "remark": "note", "agreed": "note",
}  # fmt: skip
"""What a key of a hand or of a match accepts, as the end of a message key; the others accept a
count.
"""


class Unusable(ScorepadError):
    """Input that is not a hand, or that names something the variant does not have.

    Attributes: `reason` (message key after `unusable.` or `choice.`), `key` (path of the invalid
    key), `arguments` (values of the message).
    """

    def __init__(self, reason: str, key: str = "", **arguments: str | int) -> None:
        super().__init__(f"{reason}: {key}")
        self.reason = reason
        self.key = key
        self.arguments = arguments

    def message(self, words: Words, *, of_a_line: bool = False) -> str:
        """The error message on one line: the key, and what it accepts.

        `of_a_line`: the JSON was a line of a file, so that only the column is named.
        """
        arguments = dict(self.arguments)
        if self.reason == _NOT_JSON:
            arguments["detail"] = json_error_text(
                str(arguments["detail"]), words, of_a_line=of_a_line
            )
        if "takes" in arguments:
            arguments["takes"] = words.t(f"expected.{arguments['takes']}", **arguments)
        return " ".join(words.t(self.reason, key=self.key, **arguments).split())


Path = tuple[int | str, ...]
"""The keys that lead to a value of the input."""


_Form = TypeVar("_Form")


def decode(
    form: type[_Form] | TypeAdapter[_Form],
    source: str | bytes | Mapping[str, Any],
    takes: Callable[[Path], str] | None = None,
    *,
    context: object = None,
    not_object: str = "unusable.not-object",
) -> _Form:
    """A value of this type from JSON, as text or already parsed.

    Raises Unusable, which names the first error. `takes` says what the key at a path accepts, by
    default for a hand or a match; `not_object` is the message for input that is not an object.
    """
    adapter = form if isinstance(form, TypeAdapter) else TypeAdapter(form)
    try:
        if not isinstance(source, str | bytes):
            return adapter.validate_python(source, context=context)
        check_json_text(source)
        return adapter.validate_json(source, strict=True, context=context)
    except ValidationError as error:
        raise unusable(error, takes or hand_takes, not_object) from None


def check_json_text(source: str | bytes) -> None:
    """Refuse JSON that takes too long to parse, or in which an object has a key twice. Raises
    Unusable.
    """
    refuse_many_values(source)
    _refuse_repeated_keys(source)


def refuse_many_values(source: str | bytes) -> None:
    """Refuse JSON that takes too long to parse. Raises Unusable."""
    commas = source.count(",") if isinstance(source, str) else source.count(b",")
    if commas > MOST_VALUES:
        raise Unusable("unusable.too-many-values", most=MOST_VALUES)


def _refuse_repeated_keys(source: str | bytes) -> None:
    """Refuse JSON in which an object has a key twice, or too many keys. Raises Unusable.

    The parser of the models takes the last of two keys, and reports every key that it does not
    know.
    """
    with suppress(ValueError, RecursionError):  # not JSON, which the parser of the models explains
        _KEYS_DECODER.decode(source if isinstance(source, str) else source.decode())


def _refuse_repeated(pairs: list[tuple[str, Any]]) -> None:
    if len(pairs) > MOST_KEYS:
        raise Unusable("unusable.too-many-keys", most=MOST_KEYS)
    if len(pairs) == len(dict(pairs)):
        return
    known = set()
    for key, _ in pairs:
        if key in known:
            raise Unusable("unusable.twice", quote(key))
        known.add(key)


_KEYS_DECODER = json.JSONDecoder(object_pairs_hook=_refuse_repeated)


def unusable(error: ValidationError, takes: Callable[[Path], str], not_object: str) -> Unusable:
    """The first error that the models found."""
    first = error.errors(include_url=False, include_context=True)[0]
    kind = first["type"]
    arguments = dict(first.get("ctx", {}))
    path = _path(first["loc"])
    parts = [str(part) for part in path]
    inside = arguments.pop("at", None)
    if inside:
        parts.append(inside)
    key = quote("/".join(parts))
    if kind.startswith("unusable."):
        return Unusable(kind, key, **arguments)
    if kind in ("json_invalid", "json_type"):
        return Unusable(_NOT_JSON, detail=_not_json(first))
    if kind in _UNKNOWN_KEY:
        return Unusable("unusable.unknown-key", key)
    if kind in _TOO_LONG and arguments.get("field_type") != "Tuple":
        return Unusable(_TOO_LONG[kind], key, most=arguments["max_length"])
    if not path:
        return Unusable(not_object)
    reason = "unusable.missing" if kind == "missing" else "unusable.wrong"
    return Unusable(reason, key, takes=takes(path))


def _not_json(error: ErrorDetails) -> str:
    """The JSON parser's message, or one for a byte order mark, which the parser does not explain."""
    source = error.get("input")
    if isinstance(source, bytes) and source.startswith(_MARKS):
        return "byte order mark at line 1 column 1"
    return str(error["ctx"]["error"]) if "ctx" in error else "?"


def _path(location: Path) -> Path:
    """The path in the input, from pydantic's, which also names the forms that were tried."""
    if location[-1:] == (_OF_A_KEY,):
        location = location[:-1]
    if location[:1] != ("sides",):
        return location[:2]
    if location[2:3] == ("left",):
        return location[:3] + location[4:]
    return location


def hand_takes(path: Path) -> str:
    """What the key at this path accepts, as the end of a message key."""
    match path:
        case ("before" | "options" | "sides" as key, _):
            return {"before": "score", "options": "option", "sides": "side"}[key]
        case ("sides", _, "totals", "cards"):
            return "points"
        case ("sides", _, "totals", _, _):
            return "count"
        case ("sides", _, "opening", *_):
            return "opening"
        case _:
            names = [part for part in path if isinstance(part, str)]
            return TAKES.get(names[-1], "count")


def refuse_unknown(
    names: Iterable[str], known: Collection[str], key: str, reason: str = "unusable.item"
) -> None:
    """Refuse a name under this key that is not among the known ones. Raises Unusable."""
    for name in names:
        if name not in known:
            if reason == "unusable.item":
                key = f"{key}/{quote(name)}"
            raise Unusable(reason, key, given=quote(name), known=", ".join(known))


def quote(value: object) -> str:
    """The input, shortened, on one line."""
    if isinstance(value, str) and value.isidentifier() and len(value) <= _LONGEST_QUOTED:
        return value
    text = str(value).lower() if isinstance(value, bool) else str(value)
    # Control characters and text direction marks are replaced.
    letters = list(" ".join(text.split()))
    for index, letter in enumerate(letters):
        if not letter.isprintable():
            letters[index] = "\N{REPLACEMENT CHARACTER}"
    text = "".join(letters)
    return text if len(text) <= _LONGEST_QUOTED else f"{text[:_LONGEST_QUOTED]}…"
