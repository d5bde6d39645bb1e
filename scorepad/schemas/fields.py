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
        """Write the error message in one language, on one line.

        "“sides/Noi/red_threes” cannot be used: it takes a whole number from 0 up."

        `words` are the texts of the language. `of_a_line`: the JSON is a line of a file, so that a
        message about it names only the column.
        """
        arguments = dict(self.arguments)
        if self.reason == _NOT_JSON:
            # The parser's message is English: it is replaced by one in the language.
            parser_message = str(arguments["detail"])
            arguments["detail"] = describe_json_error(parser_message, words, of_a_line=of_a_line)
        if "takes" in arguments:
            # What the key accepts is a message of its own: "it takes a whole number from 0 up".
            arguments["takes"] = words.t(f"expected.{arguments['takes']}", **arguments)
        text = words.t(self.reason, key=self.key, **arguments)
        return " ".join(text.split())


Path = tuple[int | str, ...]
"""The keys that lead to a value of the input."""


_Form = TypeVar("_Form")


def decode(
    form: type[_Form] | TypeAdapter[_Form],
    source: str | bytes | Mapping[str, Any],
    find_expected: Callable[[Path], str] | None = None,
    *,
    context: object = None,
    not_object: str = "unusable.not-object",
    is_checked: bool = False,
) -> _Form:
    """Decode JSON, as text or already parsed, as a value of a type (`form`).

    `decode(UndoInput, '{"sequence": 7}')` → `UndoInput(sequence=7)`. Raises Unusable for the first
    mistake in the JSON, with these for its message:

    - `find_expected`: finds what a wrong key accepts from the path of the key; if it is not given,
      that is looked up for the keys of a hand or of a match
    - `not_object`: the key of the message for input that is no JSON object

    `context` is passed on to the validators of the type. With `is_checked`, `parse_checked_json`
    has read the text before, so that it is not checked again.
    """
    adapter = form if isinstance(form, TypeAdapter) else TypeAdapter(form)
    try:
        if not isinstance(source, (str, bytes)):  # already parsed
            return adapter.validate_python(source, context=context)
        if not is_checked:
            parse_checked_json(source)
        # Strict: numbers, for example, are not accepted as texts.
        return adapter.validate_json(source, strict=True, context=context)
    except ValidationError as error:
        find_expected = find_expected or find_expected_in_hand
        raise explain_first_error(error, find_expected, not_object) from None


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


def explain_first_error(
    error: ValidationError, find_expected: Callable[[Path], str], not_object: str
) -> Unusable:
    """Turn pydantic's error into the one that is shown, about the first mistake only.

    Its message names the wrong key and what the key accepts. `find_expected` finds that from the
    path of the key, as the end of a message key: `("red_threes",)` → `"count"`, which is shown as
    "it takes a whole number from 0 up". `not_object` is the key of the message for input that is no
    JSON object.
    """
    first = error.errors(include_url=False, include_context=True)[0]
    kind = first["type"]  # pydantic's name of the error, such as "missing"
    path = _find_path_of_error(first["loc"])
    if kind.startswith("unusable."):
        return _explain_error_of_own_validator(first, path)
    if kind in ("json_invalid", "json_type"):
        return Unusable(_NOT_JSON, detail=_find_parser_message(first))

    key = _write_key_in_message(path)
    if kind in _UNKNOWN_KEY:
        # Shown as: "“sides/Noi/x” is not a key that belongs here."
        return Unusable("unusable.unknown-key", key)
    if _is_value_too_long(first):
        # Shown as: "“sides/Noi/melds” is too long: it takes at most 100 entries."
        return Unusable(_TOO_LONG[kind], key, most=first["ctx"]["max_length"])

    is_whole_input_wrong = not path
    if is_whole_input_wrong:
        # Shown as: "It takes a JSON object with the hand."
        return Unusable(not_object)
    if kind == "missing":
        # Shown as: "“variant” is missing: it takes the variant's name, as text."
        return Unusable("unusable.missing", key, takes=find_expected(path))
    # Shown as: "“sides/Noi/red_threes” cannot be used: it takes a whole number from 0 up."
    return Unusable("unusable.wrong", key, takes=find_expected(path))


def _explain_error_of_own_validator(error: ErrorDetails, path: Path) -> Unusable:
    """Turn an error that one of our own validators raised (`unusable_error`) into the one shown.

    `path` leads to the value that the validator refused, and the message names it. If only a key
    inside the value is wrong, the error says which (`at`): for a penalty at `sides/Noi/penalties/0`
    with `at="points"`, the message names `sides/Noi/penalties/0/points`.
    """
    arguments = dict(error.get("ctx", {}))
    key_inside = arguments.pop("at", None)
    if key_inside is not None:
        path = (*path, key_inside)
    return Unusable(error["type"], _write_key_in_message(path), **arguments)


def _write_key_in_message(path: Path) -> str:
    """Write a path for a message: `("sides", "Noi", "melds", 0)` → `sides/Noi/melds/0`."""
    return quote("/".join(str(part) for part in path))


def _is_value_too_long(error: ErrorDetails) -> bool:
    """Tell whether pydantic's error is about a text or a list that is longer than its limit.

    - a text with more characters, or a list with more entries → True
    - a tuple with more entries, such as a dealer, which is always two numbers → False: the message
      for a wrong value says what is accepted, which helps more than "too long"
    - any other error → False
    """
    if error["type"] not in _TOO_LONG:
        return False
    is_tuple = error["ctx"].get("field_type") == "Tuple"
    return not is_tuple


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


_EXPECTED_IN_PARTS = {"before": "score", "options": "option", "sides": "side"}
"""What an entry accepts of those parts of a hand whose keys are names: `{"before": {"Noi": 120}}`.
"""


def find_expected_in_hand(path: Path) -> str:
    """Find what a key of a hand or of a match accepts, to say so in an error message.

    The result is the end of a message key: `score` stands for `expected.score`, which is "it takes
    a whole number of at most seven digits".

    - `("before", "Noi")` → `score`
    - `("sides", "Noi", "melds", 0)` → `melds`
    - `("preset",)` → `preset`
    """
    match path:
        case ("before" | "options" | "sides" as part, _name):
            return _EXPECTED_IN_PARTS[part]
        case ("sides", _name, *path_in_side):
            return _find_expected_in_side(path_in_side)
        case _:
            return _find_expected_of_last_key(path)


def _find_expected_in_side(path: Sequence[int | str]) -> str:
    """Find what a key inside a side of a hand accepts, to say so in an error message.

    The result is the end of a message key. The path begins inside the side:

    - `["totals", "cards"]`, the points of its cards → `points`
    - `["totals", "canastas", "samba"]`, how many of these it has → `count`
    - `["red_threes"]` → `count`, "it takes a whole number from 0 up"
    """
    match path:
        case ["totals", "cards"]:
            return "points"
        case ["totals", _key, _name]:
            return "count"
        case ["opening", *_]:
            return "opening"
        case _:
            return _find_expected_of_last_key(path)


def _find_expected_of_last_key(path: Sequence[int | str]) -> str:
    """Find what the last key of a path accepts, to say so in an error message.

    The result is the end of a message key:

    - `["melds", 0]` → `melds`, as the index in the list is no key
    - `["red_threes"]` → `count`, as any key that `TAKES` does not list: they all are for numbers
    """
    keys = [part for part in path if isinstance(part, str)]
    last_key = keys[-1]
    return TAKES.get(last_key, "count")


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
