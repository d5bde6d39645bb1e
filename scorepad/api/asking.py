"""What a request brings: its body, and the key of its match."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from flask import Response, abort, current_app, request
from pydantic_core import to_json

from scorepad.api.troubles import in_language
from scorepad.matches import Pad
from scorepad.matches.errors import MatchNotFound, NoSuchKey
from scorepad.matches.who import DeviceId, MatchId

_BEARER = "bearer"


@dataclass(frozen=True, slots=True)
class Holder:
    """Who brings a key: the match that it opens, and the device by which the pad knows whoever brings it."""

    match: MatchId
    device: DeviceId


def the_pad() -> Pad:
    """The pad of the running application."""
    pad = current_app.extensions["scorepad.matches"]
    assert isinstance(pad, Pad)
    return pad


def body() -> bytes:
    """The body of a request, which must be JSON: 415 for anything else, 413 for too much of it."""
    if request.mimetype != "application/json":
        abort(415)
    return request.get_data(cache=False)


def holder(match: str | None = None) -> Holder:
    """Whoever brings a key, let in as a device is that opens the link. Raises NoSuchKey, and MatchNotFound for another.

    All who bring the same key are one device. What it may do is the pad's to say, as of any other.
    """
    scheme, _, key = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != _BEARER:
        raise NoSuchKey
    device = device_of(key)
    entered = the_pad().doors.enter(key, device)
    if match not in (None, entered.match):
        raise MatchNotFound(match or "")
    return Holder(entered.match, device)


def device_of(key: str) -> DeviceId:
    """The name by which the pad knows those who bring a key: nobody can tell it who has not the key."""
    return DeviceId(f"api-{hashlib.sha256(f'device of {key.strip().lower()}'.encode()).hexdigest()}")


def answer(told: Any, status: int = 200) -> Response:
    """An answer in JSON, in the language asked for."""
    return in_language(Response(to_json(told), status, content_type="application/json"))
