"""Every list, text and object of a hand, a question and a match has a limit, told with its key."""

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
from tests.data import read_data
from tests.schemas.grown import grown

ENGLISH = words("en")


def read_new_match(source: str) -> object:
    return read_sent(NewMatchInput, source)


def read_hand_of_match(form: Any) -> Any:
    return lambda source: read_sent_hand(form, source, JsonContext(("noi", "loro")))


READERS = {
    "hand": read_hand_request,
    "question": read_question,
    "match": read_new_match,
    "hand to count": read_hand_of_match(HAND_TO_COUNT),
    "hand to correct": read_hand_of_match(HAND_TO_CORRECT),
}
WITHOUT_KEY = [*READERS][:3]
"""What is sent without a match, and names its variant."""
TOO_LONG = read_data("schemas/too-long.json")


def refusal(reader: str, source: str | bytes) -> str:
    """The sentence with which a reader refuses this JSON."""
    with pytest.raises(Unusable) as error:
        READERS[reader](source)
    return error.value.message(ENGLISH)


@pytest.mark.parametrize("reader", READERS)
def test_what_is_too_long_is_refused_with_its_key(reader: str) -> None:
    variant = {"variant": "classica"} if reader in WITHOUT_KEY else {}
    for row in TOO_LONG[reader]:
        source = json.dumps(variant | grown(row["given"]))
        assert row["says"] in refusal(reader, source), row


@pytest.mark.parametrize("reader", WITHOUT_KEY)
@pytest.mark.parametrize(
    "source",
    [
        '{"variant": "classica", "variant": "due", "kind": "meld", "sides": {}, "names": []}',
        '{"names": [], "kind": "meld", "sides": {"noi": {"variant": 1, "variant": 2}}}',
    ],
)
def test_a_key_that_stands_twice_is_refused_by_its_name(reader: str, source: str) -> None:
    expected = "“variant” stands twice in the same object: write it once."
    assert refusal(reader, source) == expected


def test_a_key_may_stand_in_several_objects() -> None:
    side = {"melds": ["3xK"], "left": "4"}
    read_hand_request(json.dumps({"variant": "classica", "sides": {"noi": side, "loro": side}}))


LIMITS = {
    "string": {"maxLength", "enum", "const"},
    "array": {"maxItems"},
    "object": {"properties", "maxProperties"},
}
"""What limits a value of each type in a schema."""


def places_without_limit(schema: Any, path: str = "") -> list[str]:
    """The places of a schema that hold lists, texts or objects without a limit."""
    found: list[str] = []
    if isinstance(schema, dict):
        limit = LIMITS.get(str(schema.get("type")))
        if limit and not limit & schema.keys():
            found.append(path)
        for key, value in schema.items():
            found += places_without_limit(value, f"{path}/{key}")
    if isinstance(schema, list):
        for number, value in enumerate(schema):
            found += places_without_limit(value, f"{path}/{number}")
    return found


def test_all_cards_of_eight_decks_are_within_the_limit_of_a_card_string() -> None:
    ranks = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")
    deck = [f"{rank}{suit}" for rank in ranks for suit in "hdsc"] + ["JK", "JK"]
    cards = " ".join(deck * 8)
    read_question(json.dumps({"variant": "classica", "kind": "meld", "cards": cards}))


def collect_types(name: str, schemas: Mapping[str, Any], found: set[str]) -> None:
    """Add a type of the document, and all types of its values, to those found so far."""
    if name in found:
        return
    found.add(name)
    for inner in re.findall(r'schemas/([^"]+)"', json.dumps(schemas[name])):
        collect_types(inner, schemas, found)


def test_the_document_has_a_limit_for_every_list_text_and_object_of_a_request() -> None:
    schemas = build_openapi(ENGLISH)["components"]["schemas"]
    types: set[str] = set()
    for name in schemas:
        if name.endswith("Question") and name != "RulingQuestion":
            types.add(name)
    for form in ("HandToScore", "NewMatchInput", "HandToCount", "HandToCorrect", "UndoInput"):
        collect_types(form, schemas, types)

    assert {"SideEntry", "MeldEntry", "Totals", "PenaltyEntry", "Adjustment", "Out"} <= types
    for name in types:
        assert places_without_limit(schemas[name], name) == []
