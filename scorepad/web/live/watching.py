"""What a page carries to stay as fresh as the match; `static/live.js` says how it works."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from flask import jsonify, request, url_for
from werkzeug.wrappers import Response

from scorepad.i18n import Words
from scorepad.matches.access import MatchId
from scorepad.matches.projection import MatchState, MatchSummary
from scorepad.matches.transaction import Version, short_digest
from scorepad.web.frame import device_id, setup, the_pad

CLOCK = "Scorepad-Clock"
"""The header that says what time it was when nothing was new."""


@dataclass(frozen=True, slots=True)
class Watch:
    """A page that follows its match: where to ask what is new, and where the page itself is fetched again.

    `tag` is how far the match had come when the page was made, `clock` when that was, as people read it; `told` is
    what is said aloud when it changes. `moved` is what happened since to a match in which something is being typed
    here (moving.py), None on a page where nothing is.
    """

    state: str
    page: str
    tag: str
    clock: str
    told: str
    moved: str | None = None
    gone: str = ""
    """What is said when there is no such page any more; empty where that is because the match is not seen from here."""


def watch(state: MatchState, page: str, words: Words) -> Watch:
    """Let a page that shows this match, at this address, follow it."""
    return Watch(url_for("live.state", match=state.id), page, _tag_of(state), clock(words), told(state, words))


def tag_of(match: MatchId, pulse: Version) -> str:
    """How far a match has come, in one word. What is typed of a hand is no news, but a penalty that waits in it is."""
    if not pulse.version:
        return _plain(pulse)
    waiting = setup().waiting.get((match, pulse.sequence, pulse.version))
    return _tag_of(the_pad().state(match, device_id())) if waiting is None else _plain(pulse) + waiting


def _tag_of(state: MatchState) -> str:
    pulse = Version.of(state)
    if not pulse.version:
        return _plain(pulse)
    from scorepad.web.course.penalties import waiting_fields  # the first page has no hand to look into

    fields = waiting_fields(state)
    waiting = short_digest(fields) if fields else ""
    return _plain(pulse) + setup().waiting.put((state.id, pulse.sequence, pulse.version), waiting)


def _plain(pulse: Version) -> str:
    """The tag of a match as it stands in the file that is there now."""
    generation = the_pad().generation
    return f"{pulse.tag}.{generation}." if generation else pulse.tag


def watch_phones(state: MatchState, tag: str, words: Words) -> Watch:
    """Let the page of the phones follow who comes in and goes, too; `tag` is from before they were read."""
    page, asks = (url_for(name, match=state.id) for name in ("phones.page", "phones.state"))
    return Watch(asks, page, tag, clock(words), told(state, words))


def watch_all(tag: str, page: str, words: Words, last: MatchSummary | None = None, gone: str = "") -> Watch:
    """Let a page about the matches of this device follow them; `tag` is from before they were read.

    The totals of the `last` one are told when they change.
    """
    totals = _totals(zip(last.names, last.totals, strict=True), words) if last else ""
    return Watch(url_for("home.state"), page, tag, clock(words), totals, gone=gone)


def tag_answer(tag: str, words: Words) -> Response:
    """The tag of now; to whoever has it already, only that nothing is new."""
    answer = jsonify(tag=tag)
    answer.set_etag(tag)
    answer.headers[CLOCK] = clock(words)
    return answer.make_conditional(request)


def clock(words: Words) -> str:
    """What time it is where the server stands."""
    return words.clock(datetime.now(UTC).astimezone())


def told(state: MatchState, words: Words) -> str:
    """How many hands, and the totals."""
    totals = _totals(((side.name, side.total) for side in state.sides), words)
    return words.plural("live.told", len(state.hands), totals=totals)


def _totals(sides: Iterable[tuple[str, int]], words: Words) -> str:
    return words.listing(words.text("live.told.side", side=name, total=total) for name, total in sides)
