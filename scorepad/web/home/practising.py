"""A practice match: somebody's evening, two hands of it counted, to try everything on. It is never counted."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Any

from flask import redirect, url_for
from werkzeug.wrappers import Response

from scorepad.i18n import Words
from scorepad.pad.answers import Saved
from scorepad.pad.errors import MatchNotFound, RequestRefused
from scorepad.pad.pad import utc_now
from scorepad.pad.values import MatchSummary, NewMatch
from scorepad.pad.who import Access, MatchId, RequestId
from scorepad.web import limits
from scorepad.web.device import keep_keys
from scorepad.web.forms import PadForm, form_errors
from scorepad.web.frame import FieldError, device_id, page_words, the_pad
from scorepad.web.home.showing import show

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
"""Two hands of the classic game: 1205 and 635, then 35 and 785."""
AT_ONCE = timedelta(seconds=10)
"""Asked for again within this time it is the same match: none that a page is on its way to is deleted."""


def start() -> Response:
    """Start a practice match in place of the one before, and go to it."""
    form, words, device = PadForm(), page_words(), device_id()
    if not form.validate():
        return show(errors=form_errors(form), status=400)
    before = [match for match in the_pad().summaries(device, 0, 0).practice if _is_own(match.id)]
    if before and _has_just_begun(before[0]):
        return _go_to(before[0].id)
    limits.begin()
    try:
        answer = the_pad().start(form.request_name, device, _new(words))
    except RequestRefused:
        return show(errors=(FieldError(None, words.text("serve.sent-before")),), status=409)
    assert isinstance(answer, Saved), answer
    _play(answer.match, form.request_name)
    if not answer.again:
        for match in before:
            _delete(match.id)
    shown = _go_to(answer.match)
    if answer.keys is not None:
        keep_keys(shown, answer.match, answer.keys)
    return shown


def _go_to(match: MatchId) -> Response:
    return redirect(url_for("matches.page", match=match), code=303)


def _delete(match: MatchId) -> None:
    with suppress(MatchNotFound):  # by another that was asked for meanwhile
        the_pad().course.delete(match, device_id())


def _new(words: Words) -> NewMatch:
    return NewMatch(
        variant="classica",
        preset=None,
        options={},
        names=(words.text("web.side.noi"), words.text("web.side.loro")),
        players=(_players("noi", words), _players("loro", words)),
        practice=True,
    )


def _players(side: str, words: Words) -> tuple[str, ...]:
    return tuple(words.text(f"history.practice.{side}.{place}") for place in ("one", "other"))


def _play(match: MatchId, request: RequestId) -> None:
    """Count the hands of the evening; sent again, they are there already."""
    from scorepad.web.hand_entry.prefill import draft_from  # who starts the pad need not wait for it

    pad, device = the_pad(), device_id()
    rules = pad.state(match, device).rules
    for number, hand in enumerate(_HANDS, 1):
        coming = pad.open(match, device)
        name = RequestId(f"{request}+{number}")
        pad.count(name, match, device, coming.id, coming.version, hand, draft_from(hand, rules))


def _has_just_begun(match: MatchSummary) -> bool:
    """Whether it is as it began: the one that this would start."""
    # A clock that was put back is no reason to take an old one for it.
    return timedelta() <= utc_now() - match.started < AT_ONCE and match.hands <= len(_HANDS)


def _is_own(match: MatchId) -> bool:
    """Whether this very device started it: not what was shown to it, whatever else it may do."""
    try:
        phones = the_pad().doors.devices(match, device_id())
    except MatchNotFound:  # deleted since
        return False
    return any(phone.is_mine and phone.access is Access.OWN for phone in phones)
