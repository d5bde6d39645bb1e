"""Hands of tests, decoded from JSON as the pad and its API decode them, and their answers."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

from scorepad.i18n import words
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import Hand
from scorepad.rules.json_types import JsonContext
from scorepad.schemas import HandRequest, build_score_answer, read_hand_request
from scorepad.schemas.hand_requests import SIDE_KEYS, make_hand_request, read_given_keys
from scorepad.schemas.requests import read_sent_hand

_HAND: TypeAdapter[Hand] = TypeAdapter(Hand)


def hand_of(given: Mapping[str, Any], names: tuple[str, ...] = SIDE_KEYS[:2]) -> Hand:
    """A hand of a match whose sides have these names: those of the pad, unless said otherwise.

    Raises Unusable.
    """
    return read_sent_hand(_HAND, _as_sent(given), JsonContext(names))


def stored_hand(given: Mapping[str, Any], names: tuple[str, ...] = SIDE_KEYS[:2]) -> Hand:
    """A hand as it is read from the log of a match. Raises ValidationError."""
    return _HAND.validate_json(
        _as_sent(given), strict=True, context=JsonContext(names, is_stored=True)
    )


def hand_request(
    given: Mapping[str, Any], rules: Ruleset, names: tuple[str, ...], before: tuple[int, ...]
) -> HandRequest:
    """A hand of a match with these rules, names and scores, checked against them. Raises Unusable."""
    source = _as_sent(given)
    context = JsonContext(names)
    hand = read_sent_hand(_HAND, source, context)
    return make_hand_request(hand, read_given_keys(source), context, rules=rules, before=before)


def score_hand(
    hand: Mapping[str, Any], language: str = "it", *, by_agreement: bool = False
) -> dict[str, Any]:
    """The JSON that answers a hand given as JSON. Raises Unusable."""
    request = read_hand_request(json.dumps(hand))
    judgement = request.judge(by_agreement=by_agreement)
    return build_score_answer(judgement, request.names, words(language))


def _as_sent(given: Mapping[str, Any]) -> bytes:
    return json.dumps(given).encode()
