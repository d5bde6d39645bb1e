"""Common parts of the models: limited numbers, and the errors for unusable input."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
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
from scorepad.i18n import Words, describe_json_error
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
            arguments["detail"] = describe_json_error(detail, words, of_a_line=of_a_line)
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
    """A value of this type (`form`) from JSON, as text or already parsed.

    Raises Unusable, which names the first wrong key. Its message is made with `takes`, which says
    what the key at a path accepts (by default for a hand or a match), or is `not_object` for input
    that is not an object. A text that `parse_checked_json` has read before is given with
    `is_checked`, and not checked again. `context` is passed to the validators of the type.
    """
    adapter = form if isinstance(form, TypeAdapter) else TypeAdapter(form)
    what_keys_take = takes or hand_takes
    try:
        if not isinstance(source, (str, bytes)):  # already parsed
            return adapter.validate_python(source, context=context)
        if not is_checked:
            parse_checked_json(source)
        # Strict: numbers, for example, are not accepted as texts.
        return adapter.validate_json(source, strict=True, context=context)
    except ValidationError as error:
        raise unusable(error, what_keys_take, not_object) from None


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
    """The object with these keys and values, as a decoder of JSON read them one after another.

    Raises Unusable if a key is there twice, or if there are too many keys.
    """
    if len(pairs) > MOST_KEYS:
        raise Unusable("unusable.too-many-keys", most=MOST_KEYS)
    value_of_key = dict(pairs)
    has_key_twice = len(value_of_key) < len(pairs)
    if has_key_twice:
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
    path = _path_in_input(first["loc"])
    if kind.startswith("unusable."):
        return _error_of_own_validator(first, path)
    if kind in ("json_invalid", "json_type"):
        return Unusable(_NOT_JSON, detail=_parser_message(first))

    key = _key_in_message(path)
    if kind in _UNKNOWN_KEY:
        return Unusable("unusable.unknown-key", key)
    if _is_too_long(first):
        return Unusable(_TOO_LONG[kind], key, most=first["ctx"]["max_length"])
    if not path:
        return Unusable(not_object)
    if kind == "missing":
        return Unusable("unusable.missing", key, takes=takes(path))
    return Unusable("unusable.wrong", key, takes=takes(path))


def _error_of_own_validator(error: ErrorDetails, path: Path) -> Unusable:
    """The error that a validator of ours raised as `unusable_error`, for the value at this path.

    Its argument `at` names the key inside the value that is wrong, if it is not the whole value.
    """
    arguments = dict(error.get("ctx", {}))
    key_inside = arguments.pop("at", None)
    if key_inside is not None:
        path = (*path, key_inside)
    return Unusable(error["type"], _key_in_message(path), **arguments)


def _key_in_message(path: Path) -> str:
    """The key at a path as a message names it: `("sides", "Noi", "melds", 0)` →
    `sides/Noi/melds/0`.
    """
    return quote("/".join(str(part) for part in path))


def _is_too_long(error: ErrorDetails) -> bool:
    """Whether an error of pydantic is about a text or list that is longer than its limit.

    A tuple has a fixed length: what it accepts says more than that it is too long.
    """
    if error["type"] not in _TOO_LONG:
        return False
    return error["ctx"].get("field_type") != "Tuple"


def _parser_message(error: ErrorDetails) -> str:
    """The JSON parser's message, or one for a byte order mark, which the parser does not explain."""
    source = error.get("input")
    if isinstance(source, bytes) and source.startswith(_MARKS):
        return "byte order mark at line 1 column 1"
    return str(error["ctx"]["error"]) if "ctx" in error else "?"


def _path_in_input(location: Path) -> Path:
    """The keys that lead to an error, from pydantic's location of it.

    Pydantic also names which form of the cards left in hand it tried:
    `("sides", "Noi", "left", "by-player", 1)` becomes `("sides", "Noi", "left", 1)`. Outside the
    sides, the first two keys say enough.
    """
    if location[-1:] == (_OF_A_KEY,):
        location = location[:-1]
    match location:
        case ("sides", name, "left", _form, *path_inside):
            return ("sides", name, "left", *path_inside)
        case ("sides", *_):
            return location
        case _:
            return location[:2]


_ENTRY_TAKES = {"before": "score", "options": "option", "sides": "side"}
"""What an entry accepts of those parts of a hand whose keys are names: `{"before": {"Noi": 120}}`."""


def hand_takes(path: Path) -> str:
    """What the key at this path of a hand or of a match accepts, as the end of a message key.

    `("sides", "Noi", "melds", 0)` → `melds`; `("options", "target")` → `option`.
    """
    match path:
        case ("before" | "options" | "sides" as key_of_part, _name):
            return _ENTRY_TAKES[key_of_part]
        case ("sides", _name, *path_in_side):
            return _side_takes(path_in_side)
        case _:
            return _last_key_takes(path)


def _side_takes(path: Sequence[int | str]) -> str:
    """What the key at this path inside a side of a hand accepts, as the end of a message key.

    `["totals", "canastas", "samba"]` → `count`, the number of these canastas.
    """
    match path:
        case ["totals", "cards"]:
            return "points"
        case ["totals", _key, _name]:
            return "count"
        case ["opening", *_]:
            return "opening"
        case _:
            return _last_key_takes(path)


def _last_key_takes(path: Sequence[int | str]) -> str:
    """What the last key of a path accepts, apart from indices of lists: `["melds", 0]` → `melds`.

    A key that `TAKES` does not have is that of a number which a side counts.
    """
    keys = [part for part in path if isinstance(part, str)]
    return TAKES.get(keys[-1], "count")


def refuse_unknown_items(names: Iterable[str], known: Collection[str], key: str) -> None:
    """Refuse a name that is not among the known ones, which the message lists. Raises Unusable.

    `key` is the path of the names: the unknown name `tris` in `sides/Noi/bonuses` is reported at
    `sides/Noi/bonuses/tris`.
    """
    for name in names:
        if name not in known:
            quoted = quote(name)
            raise Unusable("unusable.item", f"{key}/{quoted}", given=quoted, known=", ".join(known))


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
