"""What a page carries to stay as fresh as the match; `static/live.js` says how it works."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from flask import url_for

from scorepad.i18n import Words
from scorepad.pad.pulse import Pulse
from scorepad.pad.values import MatchState


@dataclass(frozen=True, slots=True)
class Watch:
    """A page that follows its match: where to ask what is new, and where the page itself is fetched again.

    `tag` is how far the match had come when the page was made, `clock` when that was, as people read it; `told` is
    what is said aloud when it changes.
    """

    state: str
    page: str
    tag: str
    clock: str
    told: str


def watch(state: MatchState, page: str, words: Words) -> Watch:
    """Let a page that shows this match, at this address, follow it."""
    return Watch(url_for("live.state", match=state.id), page, Pulse.of(state).tag, clock(words), _told(state, words))


def clock(words: Words) -> str:
    """What time it is where the server stands."""
    return words.clock(datetime.now(UTC).astimezone())


def _told(state: MatchState, words: Words) -> str:
    totals = words.listing(words.text("live.told.side", side=side.name, total=side.total) for side in state.sides)
    return words.plural("live.told", len(state.hands), totals=totals)
