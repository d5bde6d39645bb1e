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


def _as_sent(given: Mapping[str, Any]) -> bytes:
    return json.dumps(given).encode()
