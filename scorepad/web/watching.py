"""How an open page follows its match, and a form reports what happened meanwhile.

An open page polls `Watch.state` (`static/live.js`), compares the tag, and fetches `Watch.page` when
it changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from urllib.parse import urlencode

from flask import jsonify, request, url_for
from werkzeug.wrappers import Response

from scorepad.i18n import Words
from scorepad.matches.events import (
    ChosenCount,
    Correction,
    Ending,
    NewHand,
    NotedPenalty,
    Remark,
    Rename,
    Replacement,
    RulesChange,
)
from scorepad.matches.projection import MatchState
from scorepad.matches.versions import Version
from scorepad.storage.rows import SummaryRecord
from scorepad.web.base import Watch, device_id, get_pad, page_words
from scorepad.web.presenters import versus

SEEN = "visto"
"""Query parameter of a form that refetches itself: the last log entry when it was first shown."""

# Kinds of log entries that a form reports.
SCORES = frozenset({NewHand.kind, Correction.kind, ChosenCount.kind})
NAMES = frozenset({Rename.kind, Replacement.kind})
RULES = frozenset({RulesChange.kind, NewHand.kind})
END = SCORES | {Ending.kind}
PENALTIES = frozenset({NewHand.kind, NotedPenalty.kind, Ending.kind})
REMARKS = SCORES | {Remark.kind}

_NOTICES = {
    **dict.fromkeys(SCORES, "scores"),
    **dict.fromkeys(NAMES, "names"),
    RulesChange.kind: "rules",
    Ending.kind: "end",
    NotedPenalty.kind: "penalty",
    Remark.kind: "remark",
}


def watch(state: MatchState, page: str = "", poll: str = "", tag: str = "") -> Watch:
    """Let a page follow its match: that of the request, or the one at the URL `page`.

    `poll`: another URL for its tag, read before the match.
    """
    page = page or url_for(str(request.endpoint), **(request.view_args or {}))
    poll = poll or url_for("live.state", match=state.id)
    return Watch(poll, page, tag or state_tag(state), _totals_in_words(state))


def watch_form(state: MatchState, kinds: Iterable[str], page: str = "") -> Watch:
    """Let a form follow its match: it reports what was done or undone of these kinds since it was
    first shown.

    `page`: the URL of another page with this report, for a form that cannot be fetched again.
    """
    seen = request.args.get(SEEN, state.sequence, type=int)
    query: dict[str, str | int] = {} if page else {**request.args}
    query[SEEN] = seen
    watched = watch(state, page)
    return watched._replace(
        page=f"{watched.page}?{urlencode(query)}",
        change=_change_since(state, seen, kinds),
    )


def _change_since(state: MatchState, seen: int, kinds: Iterable[str]) -> str:
    """What was last done or undone of these kinds since a log entry, in words; empty if nothing."""
    if seen >= state.sequence:
        return ""
    happened = get_pad().records.since(state.id, device_id(), seen)
    changed = [kind for kind in happened if kind in kinds]
    if not changed:
        return ""
    notice = "over" if state.status.finished else _NOTICES.get(changed[-1], "other")
    words = page_words()
    return words.t(
        f"live.moved.{notice}",
        now=_totals_in_words(state),
        names=versus(state.names, words),
    )


def watch_all(
    tag: str, page: str, last: SummaryRecord | None = None, gone_message: str = ""
) -> Watch:
    """Let a page about all matches of the device follow them; `tag` was read before them.

    The totals of the `last` one are announced when they change.
    """
    totals = ""
    if last:
        totals = _listing(zip(last.names, last.totals, strict=True), page_words())
    return Watch(url_for("home.state"), page, tag, totals, gone_message=gone_message)


def is_refetch() -> bool:
    """Whether an open form refetches itself: then it is shown even if a new one would not be."""
    return SEEN in request.args


def state_tag(state: MatchState) -> str:
    """The tag of a match. Typing in the open hand does not change it."""
    return f"{Version.of(state).tag}.{get_pad().replacements}"


def noted_entries(state: MatchState) -> str:
    """The entries of the penalties noted for the hand being played, in one text: `17 21`."""
    return " ".join(str(penalty.entry) for penalty in state.noted_penalties)


def tag_response(tag: str) -> Response:
    """The current tag, or 304 to a client that already has it; with the server's time of day."""
    response = jsonify(tag=tag)
    response.set_etag(tag)
    response.headers["Scorepad-Clock"] = page_words().clock(datetime.now(UTC).astimezone())
    return response.make_conditional(request)


def _totals_in_words(state: MatchState) -> str:
    words = page_words()
    totals = _listing(((side.name, side.total) for side in state.sides), words)
    return words.plural("live.text", len(state.hands), totals=totals)


def _listing(sides: Iterable[tuple[str, int]], words: Words) -> str:
    texts = [words.t("live.text.side", side=name, total=total) for name, total in sides]
    return words.listing(texts)
