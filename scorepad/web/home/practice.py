"""The practice match: an evening with two counted hands, to try everything on. It is in no list and no statistics."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Any

from werkzeug.wrappers import Response

from scorepad.matches.access import Access, MatchId, MatchNotFound, RequestId, RequestRefused
from scorepad.matches.projection import NewMatch
from scorepad.matches.service import utc_now
from scorepad.matches.transaction import Saved
from scorepad.storage.rows import SummaryRecord
from scorepad.web import limits
from scorepad.web.base import device_id, get_pad, t, to_match
from scorepad.web.security import set_key_cookies

_HANDS: tuple[dict[str, Any], ...] = (
    {
        "sides": {
            "a": {
                "totals": {"canastas": {"natural-canasta": 1, "mixed-canasta": 1}, "cards": 235},
                "red_threes": 1,
                "left": 30,
            },
            "b": {"totals": {"canastas": {"mixed-canasta": 1}, "cards": 180}, "red_threes": 2, "left": 45},
        },
        "out": {"side": "a"},
    },
    {
        "sides": {
            "a": {"totals": {"canastas": {}, "cards": 95}, "left": 60},
            "b": {
                "totals": {"canastas": {"natural-canasta": 1}, "cards": 205},
                "red_threes": 1,
                "left": 20,
                "penalties": ["draw-out-of-turn"],
            },
        },
        "out": {"side": "b"},
    },
)
"""Two hands of classica: 1,205 and 635 points, then 35 and 785."""
_TYPED: tuple[dict[str, str], ...] = (
    {
        "out": "a", "a.canastas.natural-canasta": "1", "a.canastas.mixed-canasta": "1", "a.cards": "235",
        "a.red_threes": "1", "a.left": "30", "b.canastas.mixed-canasta": "1", "b.cards": "180", "b.red_threes": "2",
        "b.left": "45",
    },
    {
        "out": "b", "a.cards": "95", "a.left": "60", "b.canastas.natural-canasta": "1", "b.cards": "205",
        "b.red_threes": "1", "b.left": "20", "b.penalties.draw-out-of-turn": "1",
    },
)  # fmt: skip
"""The same as typed into the form, which shows it again after an undo."""
AT_ONCE = timedelta(seconds=10)
"""Requested again within this time, the match is not replaced: a page may be on its way to it."""


def start(request: RequestId) -> Response | None:
    """Start a practice match in place of the one before, and go to it; None if the request id was used otherwise."""
    device = device_id()
    before = [match for match in get_pad().summaries(device, 0, 0).practice if _is_owned(MatchId(match.id))]
    if before and _has_just_begun(before[0]):
        return to_match(before[0].id)
    limits.begin()
    try:
        result = get_pad().actions.start(request, device, _new_match())
    except RequestRefused:
        return None
    assert isinstance(result, Saved), result
    _count_hands(result.match, request)
    for match in () if result.again else before:
        with suppress(MatchNotFound):  # another request may have deleted it
            get_pad().actions.delete(MatchId(match.id), device)
    response = to_match(result.match)
    if result.keys is not None:
        set_key_cookies(response, result.match, result.keys)
    return response


def _new_match() -> NewMatch:
    sides = ("noi", "loro")
    return NewMatch(
        variant="classica",
        preset=None,
        options={},
        names=tuple(t(f"web.side.{side}") for side in sides),
        players=tuple(tuple(t(f"history.practice.{side}.{place}") for place in ("one", "other")) for side in sides),
        practice=True,
    )


def _count_hands(match: MatchId, request: RequestId) -> None:
    """Count the hands of the evening; requested again, they are there already."""
    pad, device = get_pad(), device_id()
    for number, (hand, typed) in enumerate(zip(_HANDS, _TYPED, strict=True), 1):
        coming = pad.open(match, device)
        name = RequestId(f"{request}+{number}")
        pad.count(name, match, device, coming.id, coming.version, hand, typed)


def _has_just_begun(match: SummaryRecord) -> bool:
    # The clock may have been set back since.
    return timedelta() <= utc_now() - match.started < AT_ONCE and match.hands <= len(_HANDS)


def _is_owned(match: MatchId) -> bool:
    """Whether this very device started the match."""
    try:
        phones = get_pad().devices.phones(match, device_id())
    except MatchNotFound:
        return False
    return any(phone.is_mine and phone.access is Access.OWN for phone in phones)
