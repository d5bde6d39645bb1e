"""Common parts of the models: limited numbers, and the errors for unusable input."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Collection, Iterable
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
"""Changed fields of the open hand, by name: the text before and after. Only in earlier logs."""

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
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
EXPECTED_OF_KEY = {
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
        """Write the error message in one language, on one line.

        "“sides/Noi/red_threes” cannot be used: it takes a whole number from 0 up."

        `of_a_line`: the JSON is a line of a file, so that a message names only the column in it.
        """
        arguments = dict(self.arguments)
        if self.reason == _NOT_JSON:
            # The parser's message is English: it is replaced by one in the language.
            english = str(arguments["detail"])
            arguments["detail"] = describe_json_error(english, words, of_a_line=of_a_line)
        if "takes" in arguments:
            # `count` is the name of a message: "it takes a whole number from 0 up".
            arguments["takes"] = words.t(f"expected.{arguments['takes']}", **arguments)
        text = words.t(self.reason, key=self.key, **arguments)
        one_line = " ".join(text.split())  # some messages have line breaks
        return one_line


Path = tuple[int | str, ...]
"""The keys that lead to a value of the input."""
_Wanted = TypeVar("_Wanted")


def decode_json(
    wanted: TypeAdapter[_Wanted],
    source: str | bytes,
    *,
    context: object = None,
    not_object: str = "unusable.not-object",
) -> _Wanted:
    """Decode a JSON text as the type that is wanted: `{"sequence": 7}` → `UndoInput(sequence=7)`.

    Call `parse_checked_json` before: it refuses texts that this would take too long for. Raises
    Unusable for the first mistake; if the text is no JSON object, with the message `not_object`.
    `context` is passed on to the validators of the type.
    """
    try:
        # Strict: the text "7" is not accepted as a number.
        return wanted.validate_json(source, strict=True, context=context)
    except ValidationError as error:
        raise explain_first_error(error, not_object=not_object) from None


def parse_checked_json(source: str | bytes) -> Any:
    """Parse a JSON text, and refuse what pydantic's own parser would accept or take too long for.

    - too many values, or an object with too many keys → raises Unusable
    - an object with a key twice, `{"a": 1, "a": 2}` → raises Unusable; pydantic would take the 2
    - text that is no JSON → None: pydantic gets the text too, and says what is wrong with it
    - anything else → the value, `{"a": 1}`
    """
    _refuse_many_values(source)
    try:
        text = source if isinstance(source, str) else source.decode()
        return _CHECKING_DECODER.decode(text)
    except (ValueError, RecursionError):
        return None


def _refuse_many_values(source: str | bytes) -> None:
    """Raise Unusable for JSON with so many values that it takes too long to parse.

    The values are not parsed for that: the commas between them are counted.
    """
    commas = source.count(",") if isinstance(source, str) else source.count(b",")
    if commas > MOST_VALUES:
        # Shown as: "The request has too many values: at most 20000."
        raise Unusable("unusable.too-many-values", most=MOST_VALUES)


def _build_object_without_repeated_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build a JSON object from its keys and values: `[("a", 1), ("b", 2)]` → `{"a": 1, "b": 2}`.

    The JSON decoder calls this for each object. Raises Unusable if a key is there twice, or if
    there are too many keys.
    """
    if len(pairs) > MOST_KEYS:
        # Shown as: "An object here has too many keys: at most 100."
        raise Unusable("unusable.too-many-keys", most=MOST_KEYS)
    json_object = dict(pairs)
    has_key_twice = len(json_object) < len(pairs)
    if has_key_twice:
        # Shown as: "“a” stands twice in the same object: write it once."
        raise Unusable("unusable.twice", quote(_find_first_repeated_key(pairs)))
    return json_object


def _find_first_repeated_key(pairs: list[tuple[str, Any]]) -> str:
    """Find the first key that is there for the second time. Call it only if a key is there twice.

    `[("a", 1), ("b", 2), ("b", 3), ("a", 4)]` → `"b"`
    """
    earlier_keys = set()
    for key, _ in pairs:
        if key in earlier_keys:
            return key
        earlier_keys.add(key)
    raise AssertionError("no key is there twice")


_CHECKING_DECODER = json.JSONDecoder(object_pairs_hook=_build_object_without_repeated_keys)


def find_expected_in_hand(path: Path) -> str:
    """Find what a key in the JSON of a hand or of a match accepts: `("red_threes",)` → `count`.

    The result is the name of a message: `expected.count` is "it takes a whole number from 0 up".
    """
    match path:
        case ("before", _side_name):
            return "score"
        case ("options", _option):
            return "option"
        case ("sides", _side_name):
            return "side"
        case ("sides", _side_name, "opening", *_):
            return "opening"
        case ("sides", _side_name, "totals", "cards"):
            return "points"
        case ("sides", _side_name, "totals", _kind, _name_of_item):
            return "count"
    # All other keys accept the same wherever they stand. A number in the path is no key.
    keys = [part for part in path if isinstance(part, str)]
    return EXPECTED_OF_KEY.get(keys[-1], "count")


def explain_first_error(
    error: ValidationError,
    find_expected: Callable[[Path], str] = find_expected_in_hand,
    not_object: str = "unusable.not-object",
) -> Unusable:
    """Turn pydantic's error into the one that is shown, about the first mistake only.

    `find_expected` finds what the wrong key accepts, to say so. `not_object` is the message for
    input that is no JSON object.
    """
    first = error.errors(include_url=False, include_context=True)[0]
    path = _find_path_of_error(first["loc"])
    key = _write_key_in_message(path)
    match first["type"]:  # pydantic's name of the error
        case kind if kind.startswith("unusable."):
            return _explain_error_of_own_validator(first, path)
        case "json_invalid" | "json_type":
            return Unusable(_NOT_JSON, detail=_find_parser_message(first))
        case "extra_forbidden" | "unexpected_keyword_argument":
            # Shown as: "“sides/Noi/x” is not a key that belongs here."
            return Unusable("unusable.unknown-key", key)
        case "string_too_long":
            return Unusable("unusable.too-long", key, most=first["ctx"]["max_length"])
        case "too_long" if first["ctx"].get("field_type") != "Tuple":
            # Shown as: "“sides/Noi/melds” is too long: it takes at most 100 entries."
            # A tuple has a fixed length: there it helps more to say what is accepted.
            return Unusable("unusable.too-many", key, most=first["ctx"]["max_length"])

    is_whole_input_wrong = not path
    if is_whole_input_wrong:
        return Unusable(not_object)  # "It takes a JSON object with the hand."
    # Shown as: "“variant” is missing: it takes the variant's name, as text."
    reason = "unusable.missing" if first["type"] == "missing" else "unusable.wrong"
    return Unusable(reason, key, takes=find_expected(path))


def _explain_error_of_own_validator(error: ErrorDetails, path: Path) -> Unusable:
    """Turn an error that a validator of this program raised (`unusable_error`) into the one shown.

    `path` leads to the value that was refused. The error may name the wrong key inside it (`at`):
    with `at="points"`, a message about `sides/Noi/penalties/0` is one about its `points`.
    """
    arguments = dict(error.get("ctx", {}))  # for the message
    if "at" in arguments:
        path = (*path, arguments.pop("at"))
    return Unusable(error["type"], _write_key_in_message(path), **arguments)


def _write_key_in_message(path: Path) -> str:
    """Write a path for a message: `("sides", "Noi", "melds", 0)` → `sides/Noi/melds/0`."""
    return quote("/".join(str(part) for part in path))


def _find_parser_message(error: ErrorDetails) -> str:
    """Find what the JSON parser said about text that is no JSON, in pydantic's error.

    - most often → that message, such as "EOF while parsing a list at line 1 column 1"
    - text with a byte order mark, with which some editors begin a file → a message that says so,
      since that of the parser does not
    """
    source = error.get("input")
    if isinstance(source, bytes) and source.startswith(_MARKS):
        return "byte order mark at line 1 column 1"
    if "ctx" not in error:
        return "?"  # pydantic gives no message, for input that is neither text nor bytes
    return str(error["ctx"]["error"])


def _find_path_of_error(location: Path) -> Path:
    """Find the keys that lead to a mistake in the input, from pydantic's location of it.

    They are the same but for parts that pydantic adds, and parts that would not help:

    - `("options", "target", "[key]")` → `("options", "target")`: pydantic says that the key itself
      is wrong
    - `("sides", "Noi", "left", "by-player", 1)` → `("sides", "Noi", "left", 1)`: pydantic says
      which of several types it tried for `left`
    - `("players", 0, 1)` → `("players", 0)`: outside the sides, two keys say enough
    """
    if location and location[-1] == _OF_A_KEY:
        location = location[:-1]
    match location:
        case ("sides", name, "left", _tried_type, *path_inside):
            return ("sides", name, "left", *path_inside)
        case ("sides", *_):
            return location
        case _:
            return location[:2]


def refuse_unknown_items(names: Iterable[str], known: Collection[str], key: str) -> None:
    """Raise Unusable for the first name that is not a known one; its message lists those.

    `key` is the path of the names in the JSON: the unknown name `tris` among
    `sides/Noi/totals/canastas` is reported at `sides/Noi/totals/canastas/tris`.
    """
    for name in names:
        if name not in known:
            quoted = quote(name)
            raise Unusable("unusable.item", f"{key}/{quoted}", given=quoted, known=", ".join(known))


def quote(value: object) -> str:
    """Make a value of the input safe to show in a message: on one line, short, nothing invisible.

    True → `true`, as in JSON. Of a text with more than 60 letters, only the first 60 are shown.
    """
    if isinstance(value, str) and value.isidentifier() and len(value) <= _LONGEST_QUOTED:
        return value  # most names, for which the rest would change nothing
    text = str(value)
    if isinstance(value, bool):
        text = text.lower()
    on_one_line = " ".join(text.split())

    # Control characters and text direction marks are replaced.
    letters = []
    for letter in on_one_line:
        letters.append(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}")
    shown = "".join(letters[:_LONGEST_QUOTED])
    if len(letters) > _LONGEST_QUOTED:
        return shown + "…"
    return shown
