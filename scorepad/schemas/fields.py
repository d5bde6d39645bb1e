"""Common parts of the models: limited numbers, and the errors for unusable input."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Collection, Iterable, Mapping
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
    # the rules (`RulesInput`, `HandToScore`)
    "variant": "variant",
    "preset": "preset",
    "options": "options",
    "before": "before",
    # a hand (`rules.hand`)
    "sides": "sides",
    "out": "out",
    "single": "text",
    # what a side laid, holds, and is charged or awarded
    "melds": "melds",
    "cards": "cards",
    "concealed": "flag",
    "totals": "totals",
    "canastas": "canastas",
    "incomplete": "canastas",
    "sum": "points",
    "adjustments": "adjustments",
    "points": "points",
    "reason": "text",
    "left": "left",
    "penalties": "penalties",
    "code": "text",
    "opening": "opening",
    "special": "text",
    # who went out
    "side": "text",
    "discard": "discard",
    # a match, and what is said of a hand of it (`schemas.requests`)
    "names": "names",
    "players": "players",
    "dealer": "dealer",
    "place": "text",
    "carried": "carried",
    "note": "note",
    "remark": "note",
    "agreed": "note",
}
"""What a key accepts: `melds` is the message `expected.melds`. A key that is not here, as of a
number that a side counts, accepts a whole number from 0 (`expected.count`).
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
            detail = str(arguments["detail"])
            arguments["detail"] = json_error_text(detail, words, of_a_line=of_a_line)
        if "takes" in arguments:
            arguments["takes"] = words.t(f"expected.{arguments['takes']}", **arguments)
        text = words.t(self.reason, key=self.key, **arguments)
        return " ".join(text.split())


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
    is_checked: bool = False,
) -> _Form:
    """A value of this type from JSON, as text or already parsed.

    Raises Unusable, which names the first error. `takes` says what the key at a path accepts, by
    default for a hand or a match; `not_object` is the message for input that is not an object.
    `is_checked`: `parse_checked_json` has already read the text, so it is not checked again.
    """
    adapter = form if isinstance(form, TypeAdapter) else TypeAdapter(form)
    try:
        if not isinstance(source, str | bytes):
            return adapter.validate_python(source, context=context)
        if not is_checked:
            parse_checked_json(source)
        return adapter.validate_json(source, strict=True, context=context)
    except ValidationError as error:
        raise unusable(error, takes or hand_takes, not_object) from None


def parse_checked_json(source: str | bytes) -> Any:
    """The value of a JSON text; None for text that is not JSON, which the models' parser explains.

    Raises Unusable for JSON that takes too long to parse, and for an object that has a key twice or
    too many keys: the models' parser would take the last of two keys, and report every key that it
    does not know.
    """
    _refuse_many_values(source)
    try:
        text = source if isinstance(source, str) else source.decode()
        return _CHECKING_DECODER.decode(text)
    except (ValueError, RecursionError):
        return None


def _refuse_many_values(source: str | bytes) -> None:
    """Refuse JSON with so many values that it takes too long to parse. Raises Unusable.

    Values are counted by the commas between them.
    """
    if isinstance(source, str):
        commas = source.count(",")
    else:
        commas = source.count(b",")
    if commas > MOST_VALUES:
        raise Unusable("unusable.too-many-values", most=MOST_VALUES)


def _object_without_repeated_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object with these keys and values, given in the order of the text.

    Raises Unusable if a key is there twice, or if there are too many.
    """
    if len(pairs) > MOST_KEYS:
        raise Unusable("unusable.too-many-keys", most=MOST_KEYS)
    value_of_key = dict(pairs)
    if len(value_of_key) < len(pairs):
        raise Unusable("unusable.twice", quote(_first_repeated_key(pairs)))
    return value_of_key


def _first_repeated_key(pairs: list[tuple[str, Any]]) -> str:
    """The first key of an object that already stands further up in it."""
    earlier_keys = set()
    for key, _ in pairs:
        if key in earlier_keys:
            return key
        earlier_keys.add(key)
    raise AssertionError("no key is there twice")


_CHECKING_DECODER = json.JSONDecoder(object_pairs_hook=_object_without_repeated_keys)


def unusable(error: ValidationError, takes: Callable[[Path], str], not_object: str) -> Unusable:
    """The first of pydantic's errors, as the one that is shown: the key, and what it accepts.

    `takes` says what the key at a path accepts, as the end of a message key; `not_object` is the
    message for input that is not an object at all.
    """
    first = error.errors(include_url=False, include_context=True)[0]
    kind = first["type"]
    arguments = dict(first.get("ctx", {}))
    path = _path_in_input(first["loc"])
    keys = [str(part) for part in path]
    key_inside = arguments.pop("at", None)  # of an error of our own, see `unusable_error`
    if key_inside:
        keys.append(key_inside)
    key = quote("/".join(keys))

    if kind.startswith("unusable."):
        return Unusable(kind, key, **arguments)
    if kind in ("json_invalid", "json_type"):
        return Unusable(_NOT_JSON, detail=_parser_message(first))
    if kind in _UNKNOWN_KEY:
        return Unusable("unusable.unknown-key", key)
    if kind in _TOO_LONG and arguments.get("field_type") != "Tuple":
        return Unusable(_TOO_LONG[kind], key, most=arguments["max_length"])
    if not path:
        return Unusable(not_object)
    reason = "unusable.missing" if kind == "missing" else "unusable.wrong"
    return Unusable(reason, key, takes=takes(path))


def _parser_message(error: ErrorDetails) -> str:
    """The JSON parser's message, or one for a byte order mark, which the parser does not explain."""
    source = error.get("input")
    if isinstance(source, bytes) and source.startswith(_MARKS):
        return "byte order mark at line 1 column 1"
    return str(error["ctx"]["error"]) if "ctx" in error else "?"


def _path_in_input(location: Path) -> Path:
    """The keys that lead to an error, from pydantic's location of it.

    Pydantic also names which of several forms it tried: `("sides", "Noi", "left", "apart", 1)`
    becomes `("sides", "Noi", "left", 1)`. Outside the sides, the first two keys say enough.
    """
    if location[-1:] == (_OF_A_KEY,):
        location = location[:-1]
    is_in_sides = location[:1] == ("sides",)
    if not is_in_sides:
        return location[:2]
    is_in_left = location[2:3] == ("left",)
    if is_in_left:
        return location[:3] + location[4:]
    return location


def hand_takes(path: Path) -> str:
    """What the key at this path of a hand or of a match accepts, as the end of a message key.

    `("sides", "Noi", "melds", 0)` → `melds`; `("options", "target")` → `option`.
    """
    match path:
        case ("before", _):
            return "score"
        case ("options", _):
            return "option"
        case ("sides", _):
            return "side"
        case ("sides", _, "totals", "cards"):
            return "points"
        case ("sides", _, "totals", _, _):
            return "count"
        case ("sides", _, "opening", *_):
            return "opening"
    keys = [part for part in path if isinstance(part, str)]  # without indices of lists
    return TAKES.get(keys[-1], "count")


def refuse_unknown(
    names: Iterable[str], known: Collection[str], key: str, reason: str = "unusable.item"
) -> None:
    """Refuse a name that is not among the known ones, which the message lists. Raises Unusable.

    `key` is the path of the names. The usual message says which of them it is about.
    """
    for name in names:
        if name in known:
            continue
        wrong_key = f"{key}/{quote(name)}" if reason == "unusable.item" else key
        raise Unusable(reason, wrong_key, given=quote(name), known=", ".join(known))


def quote(value: object) -> str:
    """A value of the input as a message shows it: on one line, shortened, nothing invisible."""
    if isinstance(value, str) and value.isidentifier() and len(value) <= _LONGEST_QUOTED:
        return value  # most names, for which the rest would change nothing
    text = str(value)
    if isinstance(value, bool):
        text = text.lower()  # as in JSON
    on_one_line = " ".join(text.split())

    # Control characters and text direction marks are replaced.
    letters = []
    for letter in on_one_line:
        letters.append(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}")
    if len(letters) > _LONGEST_QUOTED:
        return "".join(letters[:_LONGEST_QUOTED]) + "…"
    return "".join(letters)
