"""How an open page follows its match: the tag that it polls, and the notice shown beside a form after a change.

`static/live.js` is the other half: it polls `Watch.state`, compares the tag and fetches `Watch.page` when it changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from flask import jsonify, request, url_for
from werkzeug.wrappers import Response

from scorepad.i18n import Words
from scorepad.matches.access import MatchId
from scorepad.matches.events import (
    Choice,
    Correction,
    Ending,
    NewHand,
    Penalty,
    Remark,
    Rename,
    Replacement,
    RulesChange,
)
from scorepad.matches.projection import MatchState
from scorepad.matches.transaction import Version, short_digest
from scorepad.storage.rows import SummaryRecord
from scorepad.web.base import app_state, device_id, get_pad, page_words
from scorepad.web.hand_fields import waiting_fields
from scorepad.web.presenters import versus

CLOCK = "Scorepad-Clock"
"""Response header: the server's time of day when nothing had changed."""
SEEN = "visto"
"""Query parameter of a form that fetches itself again: the last log entry when the form was first shown."""

# Kinds of log entries that a form reports.
SCORES = frozenset({NewHand.kind, Correction.kind, Choice.kind})
NAMES = frozenset({Rename.kind, Replacement.kind})
RULES = frozenset({RulesChange.kind, NewHand.kind})
END = SCORES | {Ending.kind}
PENALTIES = frozenset({NewHand.kind, Penalty.kind, Ending.kind})
REMARKS = SCORES | {Remark.kind}

_NOTICES = dict.fromkeys(SCORES, "scores") | dict.fromkeys(NAMES, "names")
_NOTICES |= {RulesChange.kind: "rules", Ending.kind: "end", Penalty.kind: "penalty", Remark.kind: "remark"}


@dataclass(frozen=True, slots=True)
class Watch:
    """What a page needs to follow its match."""

    state: str
    """URL that returns the current tag."""
    page: str
    """URL from which the page is fetched again."""
    tag: str
    """State of the match when the page was rendered."""
    clock: str
    """Time of day when the page was rendered."""
    message: str
    """Text announced to screen readers when it changes."""
    change: str | None = None
    """On a form: what happened to the match since it was shown. None on a page without a form."""
    gone_message: str = ""
    """Shown when the page no longer exists; empty for the usual text."""


def watch(state: MatchState, page: str) -> Watch:
    """Let the page at this URL follow its match."""
    words = page_words()
    return Watch(url_for("live.state", match=state.id), page, _state_tag(state), _clock(words), _totals(state, words))


def watch_form(state: MatchState, endpoint: str, kinds: Iterable[str], **values: Any) -> Watch:
    """Let a form follow its match: it shows what was done or undone of these kinds since it was first shown.

    `values` are the other values of the endpoint's URL.
    """
    seen = request.args.get(SEEN, type=int)
    if seen is None:
        seen = state.sequence
    page = url_for(endpoint, match=state.id, visto=seen, **values)
    happened = get_pad().records.since(state.id, device_id(), seen) if seen < state.sequence else ()
    return replace(watch(state, page), change=_change_notice(state, [kind for kind in happened if kind in kinds]))


def watch_phones(state: MatchState, tag: str) -> Watch:
    """Let the page of the phones follow who joins and leaves; `tag` was read before them."""
    page, poll = (url_for(name, match=state.id) for name in ("phones.page", "phones.state"))
    words = page_words()
    return Watch(poll, page, tag, _clock(words), _totals(state, words))


def watch_all(tag: str, page: str, last: SummaryRecord | None = None, gone_message: str = "") -> Watch:
    """Let a page about all matches of the device follow them; `tag` was read before them.

    The totals of the `last` one are announced when they change.
    """
    words = page_words()
    totals = _listing(zip(last.names, last.totals, strict=True), words) if last else ""
    return Watch(url_for("home.state"), page, tag, _clock(words), totals, gone_message=gone_message)


def is_refetch() -> bool:
    """Whether an open form fetches itself again: then it is shown even where a new one would not be."""
    return SEEN in request.args


def match_tag(match: MatchId, pulse: Version) -> str:
    """The tag of a match from its version alone. Typing in the open hand does not change it, a penalty there does."""
    if not pulse.version:
        return _plain_tag(pulse)
    waiting = app_state().waiting.get((match, pulse.sequence, pulse.version))
    return _state_tag(get_pad().state(match, device_id())) if waiting is None else _plain_tag(pulse) + waiting


def tag_response(tag: str) -> Response:
    """The current tag, or 304 to a client that has it already."""
    response = jsonify(tag=tag)
    response.set_etag(tag)
    response.headers[CLOCK] = _clock(page_words())
    return response.make_conditional(request)


def _state_tag(state: MatchState) -> str:
    pulse = Version.of(state)
    if not pulse.version:
        return _plain_tag(pulse)
    fields = waiting_fields(state)
    waiting = short_digest(fields) if fields else ""
    return _plain_tag(pulse) + app_state().waiting.put((state.id, pulse.sequence, pulse.version), waiting)


def _plain_tag(pulse: Version) -> str:
    """The tag without the open hand; it includes the generation of the data file."""
    generation = get_pad().generation
    return f"{pulse.tag}.{generation}." if generation else pulse.tag


def _change_notice(state: MatchState, happened: list[str]) -> str:
    if not happened:
        return ""
    words = page_words()
    kind = "over" if state.standing.finished else _NOTICES.get(happened[-1], "other")
    names = versus([side.name for side in state.sides], words)
    return words.text(f"live.moved.{kind}", now=_totals(state, words), names=names)


def _clock(words: Words) -> str:
    return words.clock(datetime.now(UTC).astimezone())


def _totals(state: MatchState, words: Words) -> str:
    totals = _listing(((side.name, side.total) for side in state.sides), words)
    return words.plural("live.told", len(state.hands), totals=totals)


def _listing(sides: Iterable[tuple[str, int]], words: Words) -> str:
    return words.listing(words.text("live.told.side", side=name, total=total) for name, total in sides)
