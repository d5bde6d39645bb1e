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
    """What a page needs to follow its match, and to be fetched again when it changes.

    `page` is the URL of the page, by default that of the request. A page that shows more than the
    match has a tag of its own: `poll` is the URL that returns it, and `tag` the current one, which
    was read before the match.
    """
    return Watch(
        state=poll or url_for("live.state", match=state.id),
        page=page or _url_without_query(),
        tag=tag or state_tag(state),
        announcement=_totals_in_words(state),
    )


def _url_without_query() -> str:
    """The URL of the request, without its query."""
    return url_for(str(request.endpoint), **(request.view_args or {}))


def watch_form(state: MatchState, kinds: Iterable[str], page: str = "") -> Watch:
    """What an open form needs to follow its match, and to say what happened since it was first
    shown.

    It says what was done or undone of these `kinds` of log entries. When the match changes, the
    script of the page fetches the form again to show that. `page` is the URL of another page that
    says the same, for a form that cannot be fetched again.
    """
    first_shown = request.args.get(SEEN, state.sequence, type=int)
    return Watch(
        state=url_for("live.state", match=state.id),
        page=_url_to_refetch(page, first_shown),
        tag=state_tag(state),
        announcement=_totals_in_words(state),
        change=_change_since(state, first_shown, kinds),
    )


def _url_to_refetch(page: str, first_shown: int) -> str:
    """The URL from which a form is fetched again: `/partite/…/nomi?visto=17`.

    Its query tells the last log entry when the form was first shown, here 17. `page` is the URL of a
    page to fetch in its place; if it is empty, the form is fetched with all of its own query.
    """
    if page:
        query = {SEEN: first_shown}
        return f"{page}?{urlencode(query)}"
    own_query = {**request.args, SEEN: first_shown}
    return f"{_url_without_query()}?{urlencode(own_query)}"


def _change_since(state: MatchState, sequence: int, kinds: Iterable[str]) -> str:
    """What was last done or undone of these kinds after this log entry, in words.

    Empty if nothing was.
    """
    if sequence >= state.sequence:
        return ""
    later_kinds = get_pad().records.list_kinds_since(state.id, device_id(), sequence)
    reported_kinds = [kind for kind in later_kinds if kind in kinds]
    if not reported_kinds:
        return ""
    if state.status.finished:
        notice = "over"
    else:
        notice = _NOTICES.get(reported_kinds[-1], "other")
    words = page_words()
    return words.t(
        f"live.moved.{notice}",
        now=_totals_in_words(state),
        names=versus(state.names, words),
    )


def watch_all(
    tag: str, page: str, last: SummaryRecord | None = None, gone_message: str = ""
) -> Watch:
    """What a page about all matches of the device needs to be fetched again when one changes.

    `page` is the URL of the page. `tag` is a text that changes with any of the matches; it must be
    read before the matches, so that a change in between shows as another tag. `last` is a match
    whose totals are read out to users of screen readers. `gone_message` is shown if the page does
    not exist any more; empty for the usual text.
    """
    return Watch(
        state=url_for("home.state"),
        page=page,
        tag=tag,
        announcement="" if last is None else _totals_of_summary(last),
        gone_message=gone_message,
    )


def _totals_of_summary(match: SummaryRecord) -> str:
    """The totals of a match in a list, in words."""
    sides = zip(match.names, match.totals, strict=True)
    return _join_totals(sides, page_words())


def is_refetch() -> bool:
    """Whether an open form refetches itself: then it is shown even if a new one would not be."""
    return SEEN in request.args


def state_tag(state: MatchState) -> str:
    """The tag of a match, a text that changes with each entry of its log.

    Typing in the open hand does not change it; another data file in place of this one does.
    """
    return f"{Version.from_state(state).tag}.{get_pad().replacements}"


def noted_entries(state: MatchState) -> str:
    """The numbers of the log entries with penalties for the hand being played: `17 21`."""
    return " ".join(str(penalty.entry) for penalty in state.noted_penalties)


def tag_response(tag: str) -> Response:
    """A response with the tag as JSON and the time of day; 304 if the client has the tag already."""
    response = jsonify(tag=tag)
    response.set_etag(tag)
    response.headers["Scorepad-Clock"] = page_words().clock(datetime.now(UTC).astimezone())
    return response.make_conditional(request)


def _totals_in_words(state: MatchState) -> str:
    """The totals after how many hands, as screen readers announce them."""
    words = page_words()
    sides = [(side.name, side.total) for side in state.sides]
    return words.plural("live.text", len(state.hands), totals=_join_totals(sides, words))


def _join_totals(sides: Iterable[tuple[str, int]], words: Words) -> str:
    """The name and total of each side, in one text."""
    texts = [words.t("live.text.side", side=name, total=total) for name, total in sides]
    return words.listing(texts)
