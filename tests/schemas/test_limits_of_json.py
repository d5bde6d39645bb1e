"""Every list, text and object of a hand, a question and a match has a limit, told with its key."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest

from scorepad.api.openapi_document import build_openapi
from scorepad.i18n import words
from scorepad.rules.json_types import JsonContext
from scorepad.schemas import Unusable, read_hand_request
from scorepad.schemas.requests import (
    HAND_TO_CORRECT,
    HAND_TO_COUNT,
    NewMatchInput,
    read_sent,
    read_sent_hand,
)
from scorepad.schemas.ruling_json import read_question

ENGLISH = words("en")


def hand(**more: Any) -> dict[str, Any]:
    return {"sides": {"noi": {}}, **more}


def side(**entered: Any) -> dict[str, Any]:
    return {"sides": {"noi": entered}}


MANY_KEYS = {f"k{number}": 1 for number in range(101)}
FIVE_SIDES = {f"s{number}": {} for number in range(5)}


def read_new_match(source: str) -> object:
    return read_sent(NewMatchInput, source)


def read_hand_of_match(form: Any) -> Any:
    return lambda source: read_sent_hand(form, source, JsonContext(("noi", "loro")))


HAND, QUESTION, MATCH = read_hand_request, read_question, read_new_match
COUNT, CORRECT = read_hand_of_match(HAND_TO_COUNT), read_hand_of_match(HAND_TO_CORRECT)


def told(read: Any, given: Any) -> str:
    with pytest.raises(Unusable) as refused:
        read(given if isinstance(given, str | bytes) else json.dumps(given))
    return refused.value.message(ENGLISH)


@pytest.mark.parametrize(
    ("read", "given", "says"),
    [
        (
            HAND,
            side(melds=["3xK"] * 101),
            "“sides/noi/melds” is too long: it takes at most 100 entries.",
        ),
        (
            HAND,
            side(melds=["K " * 1001]),
            "“sides/noi/melds/0/cards” is too long: it takes at most 2,000 characters.",
        ),
        (HAND, side(opening={"melds": ["3xK"] * 101}), "“sides/noi/opening/melds” is too long"),
        (HAND, side(left=["K"] * 7), "“sides/noi/left” is too long: it takes at most 6 entries."),
        (
            HAND,
            side(left="K" * 2001),
            "“sides/noi/left” is too long: it takes at most 2,000 characters.",
        ),
        (
            HAND,
            side(penalties=["draw-out-of-turn"] * 101),
            "“sides/noi/penalties” is too long: it takes",
        ),
        (
            HAND,
            side(penalties=["x" * 61]),
            "“sides/noi/penalties/0/code” is too long: it takes at most 60",
        ),
        (HAND, side(bonuses=["x"] * 101), "“sides/noi/bonuses” is too long"),
        (
            HAND,
            side(adjustments=[{"points": 5, "reason": "x"}] * 61),
            "“sides/noi/adjustments” is too",
        ),
        (
            HAND,
            side(adjustments=[{"points": 5, "reason": "x" * 1001}]),
            "at most 1,000 characters.",
        ),
        (HAND, side(special="x" * 61), "“sides/noi/special” is too long"),
        (
            HAND,
            side(totals={"cards": 0, "canastas": {"x" * 61: 1}}),
            "too long: it takes at most 60",
        ),
        (HAND, side(totals={"cards": 0, "canastas": MANY_KEYS}), "too many keys: at most 100"),
        (HAND, hand(sides=FIVE_SIDES), "“sides” is too long"),
        (HAND, hand(sides={"n" * 61: {}}), "is too long: it takes at most 60 characters."),
        (HAND, hand(before=dict.fromkeys(FIVE_SIDES, 0)), "“before” is too long"),
        (HAND, hand(out={"side": "n" * 61}), "“out/side” is too long"),
        (HAND, hand(single="n" * 61), "“single” is too long"),
        (HAND, hand(options={"target": "x" * 61}), "“options/target”"),
        (HAND, hand(variant="x" * 61), "“variant” is too long"),
        (HAND, hand(**MANY_KEYS), "An object here has too many keys: at most 100."),
        (
            QUESTION,
            {"kind": "opening", "melds": ["3xK"] * 101},
            "“melds” is too long: it takes at most 100",
        ),
        (
            QUESTION,
            {"kind": "meld", "cards": "K " * 1001},
            "“cards” is too long: it takes at most 2,000",
        ),
        (QUESTION, {"kind": "penalty", "code": "x" * 61}, "“code” is too long"),
        (QUESTION, {"kind": "meld", **MANY_KEYS}, "too many keys"),
        (MATCH, {"names": ["n" * 1001, "x"]}, "“names/0” is too long"),
        (
            MATCH,
            {"names": ["a", "b", "c", "d"]},
            "“names” cannot be used: a list with one name for each side.",
        ),
        (MATCH, {"names": ["a", "b"], "place": "x" * 1001}, "“place” is too long"),
        (COUNT, {"number": 1, "sides": {}, "remark": "x" * 1001}, "“remark” is too long"),
        (CORRECT, {"entry": 1, "sides": {}, "note": "x" * 1001}, "“note” is too long"),
    ],
)
def test_what_is_too_long_is_refused_with_its_key(
    read: Any, given: dict[str, Any], says: str
) -> None:
    with_variant = {} if read in (COUNT, CORRECT) else {"variant": "classica"}
    assert says in told(read, with_variant | given)


@pytest.mark.parametrize("read", [read_hand_request, read_question, read_new_match])
@pytest.mark.parametrize(
    "source",
    [
        '{"variant": "classica", "variant": "due", "kind": "meld", "sides": {}, "names": []}',
        '{"names": [], "kind": "meld", "sides": {"noi": {"variant": 1, "variant": 2}}}',
    ],
)
def test_a_key_that_stands_twice_is_refused_by_its_name(read: Any, source: str) -> None:
    assert told(read, source) == "“variant” stands twice in the same object: write it once."


@pytest.mark.parametrize("read", [read_hand_request, read_question, read_new_match, COUNT])
@pytest.mark.parametrize("as_sent", [str, str.encode])
def test_a_text_of_too_many_values_is_refused_before_it_is_parsed(read: Any, as_sent: Any) -> None:
    # Neither is JSON, which only who parses it can say.
    assert told(read, as_sent("," * 20_000)).startswith("Not JSON")
    many = "The request has too many values: at most 20,000."
    assert told(read, as_sent("," * 20_001)) == many


def test_a_key_may_stand_in_several_objects() -> None:
    side = {"melds": ["3xK"], "left": "4"}
    read_hand_request(json.dumps({"variant": "classica", "sides": {"noi": side, "loro": side}}))


def test_a_whole_pack_of_eight_decks_is_within_the_limit_of_a_card_string() -> None:
    ranks = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")
    pack = " ".join([f"{rank}{suit}" for rank in ranks for suit in "hdsc"] * 8 + ["JK"] * 16)
    read_question(json.dumps({"variant": "classica", "kind": "meld", "cards": pack}))


LIMITS = {
    "string": {"maxLength", "enum", "const"},
    "array": {"maxItems"},
    "object": {"properties", "maxProperties"},
}
"""What limits a value of each type in a schema."""


def limits(schema: Any, path: str = "") -> list[str]:
    """The places of a schema that hold lists, texts or objects without a limit."""
    found: list[str] = []
    if isinstance(schema, dict):
        limit = LIMITS.get(str(schema.get("type")))
        if limit and not limit & schema.keys():
            found.append(path)
        for key, value in schema.items():
            found += limits(value, f"{path}/{key}")
    if isinstance(schema, list):
        for number, value in enumerate(schema):
            found += limits(value, f"{path}/{number}")
    return found


def types_within(name: str, schemas: Mapping[str, Any], found: set[str]) -> set[str]:
    """A type of the document, and all types of its values, added to those found so far."""
    if name not in found:
        found.add(name)
        for inner in re.findall(r'schemas/([^"]+)"', json.dumps(schemas[name])):
            types_within(inner, schemas, found)
    return found


def test_the_document_has_a_limit_for_every_list_text_and_object_of_a_request() -> None:
    schemas = build_openapi(ENGLISH)["components"]["schemas"]
    wanted = {name for name in schemas if name.endswith("Question") and name != "RulingQuestion"}
    for form in (
        "Hand",
        "HandToScore",
        "NewMatchInput",
        "HandToCount",
        "HandToCorrect",
        "UndoInput",
    ):
        types_within(form, schemas, wanted)
    assert {"SideEntry", "MeldEntry", "Totals", "PenaltyEntry", "Adjustment", "Out"} <= wanted
    assert [place for name in sorted(wanted) for place in limits(schemas[name], name)] == []
