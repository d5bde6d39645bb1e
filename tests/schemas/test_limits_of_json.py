"""Every list, text and object of a hand, a question and a match has a limit, told with its key."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
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


def read_hand_to_count(source: str) -> object:
    return read_sent_hand(HAND_TO_COUNT, source, JsonContext(("noi", "loro")))


def read_hand_to_correct(source: str) -> object:
    return read_sent_hand(HAND_TO_CORRECT, source, JsonContext(("noi", "loro")))


Reader = Callable[[str], object]
READERS_WITH_VARIANT: dict[str, Reader] = {
    "hand": read_hand_request,
    "question": read_question,
    "match": read_new_match,
}
"""Readers of JSON that names the variant of the game, by what they read.

The others read what is sent to a match, which has its variant.
"""
READERS = READERS_WITH_VARIANT | {
    "hand to count": read_hand_to_count,
    "hand to correct": read_hand_to_correct,
}
TOO_LONG = read_data("schemas/too-long.json")


def get_refusal(read: Reader, source: str) -> str:
    """Return the English sentence with which a reader refuses this JSON."""
    with pytest.raises(Unusable) as error:
        read(source)
    return error.value.message(ENGLISH)


@pytest.mark.parametrize("name", READERS)
def test_too_long_value_is_refused_with_its_key(name: str) -> None:
    # One row has a hand with 101 melds. It says that “sides/noi/melds” takes at most 100 entries.
    for row in TOO_LONG[name]:
        # The file is short: `grown` writes out "K *1001" as "K " 1001 times, for example.
        given = grown(row["given"])
        if name in READERS_WITH_VARIANT:
            given.setdefault("variant", "classica")

        refusal = get_refusal(READERS[name], json.dumps(given))

        assert row["says"] in refusal, row


@pytest.mark.parametrize("read", READERS_WITH_VARIANT.values())
@pytest.mark.parametrize(
    "source",
    [
        '{"variant": "classica", "variant": "due"}',
        # In an object within another one.
        '{"sides": {"noi": {"variant": 1, "variant": 2}}}',
    ],
)
def test_duplicate_key_is_refused(read: Reader, source: str) -> None:
    # `read` is the function that reads the JSON of a hand, of a question or of a new match. Most
    # readers of JSON take the last value of a key, and nobody sees that there was another.
    refusal = get_refusal(read, source)
    assert refusal == "“variant” stands twice in the same object: write it once."


def test_same_key_in_several_objects_is_accepted() -> None:
    side = {"melds": ["3xK"], "left": "4"}
    read_hand_request(json.dumps({"variant": "classica", "sides": {"noi": side, "loro": side}}))


LIMITING_KEYS = {
    "string": {"maxLength", "enum", "const"},
    "array": {"maxItems"},
    "object": {"properties", "maxProperties"},
}
"""The keys of a JSON schema that limit the length of a value, by its type."""


def has_limit(schema: dict[str, Any]) -> bool:
    """Return whether a JSON schema limits the length of its values.

    Texts, lists and objects need a key that limits them. Other values, such as numbers, do not.
    """
    type_of_value = str(schema.get("type"))
    if type_of_value not in LIMITING_KEYS:
        return True
    return any(key in schema for key in LIMITING_KEYS[type_of_value])


def list_places_without_limit(schema: Any, path: str = "") -> list[str]:
    """Return the places in a JSON schema at which texts, lists or objects have no limit."""
    if isinstance(schema, dict):
        inner_schemas = list(schema.items())
    elif isinstance(schema, list):
        inner_schemas = list(enumerate(schema))
    else:
        return []
    places: list[str] = []
    if isinstance(schema, dict) and not has_limit(schema):
        places.append(path)
    for key, inner in inner_schemas:
        places += list_places_without_limit(inner, f"{path}/{key}")
    return places


def test_all_cards_of_eight_decks_are_within_the_limit_of_a_card_string() -> None:
    # A deck has 13 ranks in four suits (hearts, diamonds, spades, clubs) and two jokers. Eight
    # decks are more than enough: no game has more than five.
    ranks = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")
    deck = [f"{rank}{suit}" for rank in ranks for suit in "hdsc"] + ["JK", "JK"]
    cards = " ".join(deck * 8)

    # A question with all these cards in one text is not refused.
    read_question(json.dumps({"variant": "classica", "kind": "meld", "cards": cards}))


def list_types(names: Iterable[str], schemas: Mapping[str, Any]) -> set[str]:
    """Return these types of the OpenAPI document, and all types to which they refer.

    `schemas` are those of all types, by their names.
    """
    found: set[str] = set()
    to_visit = list(names)
    while to_visit:
        name = to_visit.pop()
        if name not in found:
            found.add(name)
            to_visit += re.findall(r'schemas/([^"]+)"', json.dumps(schemas[name]))
    return found


def test_openapi_document_limits_every_list_text_and_object_of_a_request() -> None:
    # The types of what a program may send: hands, matches and questions. "RulingQuestion" means any
    # question, and has nothing of its own.
    schemas = build_openapi(ENGLISH)["components"]["schemas"]
    requests = ["HandToScore", "NewMatchInput", "HandToCount", "HandToCorrect", "UndoInput"]
    questions = [name for name in schemas if name.endswith("Question")]
    questions.remove("RulingQuestion")

    # The parts of a hand are found as well.
    types = list_types(requests, schemas) | set(questions)
    assert {"SideEntry", "MeldEntry", "Totals", "PenaltyEntry", "Adjustment", "Out"} <= types

    for name in types:
        assert list_places_without_limit(schemas[name], name) == []
