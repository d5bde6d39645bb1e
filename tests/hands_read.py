"""Hands of tests, decoded from JSON as the pad and its API decode them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import Hand
from scorepad.rules.json_types import JsonContext
from scorepad.schemas import HandRequest
from scorepad.schemas.hand_requests import SIDE_KEYS, given_keys
from scorepad.schemas.hand_requests import hand_request as request_of
from scorepad.schemas.requests import read_sent_hand

_HAND: TypeAdapter[Hand] = TypeAdapter(Hand)


def hand_of(given: Mapping[str, Any], names: tuple[str, ...] = SIDE_KEYS[:2]) -> Hand:
    """A hand of a match whose sides have these names: those of the pad, unless said otherwise.

    Raises Unusable.
    """
    return read_sent_hand(_HAND, _as_sent(given), names)


def stored_hand(given: Mapping[str, Any], names: tuple[str, ...] = SIDE_KEYS[:2]) -> Hand:
    """A hand as it is read from the log of a match. Raises ValidationError."""
    return _HAND.validate_json(
        _as_sent(given), strict=True, context=JsonContext(names, is_stored=True)
    )


def hand_request(
    given: Mapping[str, Any], rules: Ruleset, names: tuple[str, ...], before: tuple[int, ...]
) -> HandRequest:
    """A hand of a match with these rules, names and scores, checked against them. Raises Unusable."""
    hand = hand_of(given, names)
    return request_of(hand, given_keys(_as_sent(given)), rules=rules, names=names, before=before)


def _as_sent(given: Mapping[str, Any]) -> bytes:
    return json.dumps(given).encode()
