"""How an open page follows its match, and a form reports what happened meanwhile.

An open page polls `Watch.tag_url` (`static/live.js`), compares the tag, and fetches
`Watch.page_url` when it changed.
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

FIRST_SHOWN = "visto"
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


def watch(state: MatchState, page_url: str = "") -> Watch:
    """Return what an open page needs to notice that its match has changed.

    The page is then fetched again, from `page_url`, or else from its own URL without the query.
    """
    return Watch(
        tag_url=url_for("live.state", match=state.id),
        tag=state_tag(state),
        page_url=page_url or _url_without_query(),
        announcement=_say_totals_of_match(state),
    )


def _url_without_query() -> str:
    """Make the URL of the request without its query."""
    return url_for(str(request.endpoint), **(request.view_args or {}))


def watch_form(state: MatchState, kinds: Iterable[str]) -> Watch:
    """Return what an open form needs to report that its match has changed.

    "Meanwhile names have changed … What you wrote is still here." Only these `kinds` of log entries
    are reported.
    """
    entry = _find_entry_when_first_shown(state)
    query = {**request.args, FIRST_SHOWN: entry}
    page_url = f"{_url_without_query()}?{urlencode(query)}"
    change = _say_what_changed(state, entry, kinds)
    return watch(state, page_url)._replace(change=change)


def watch_form_by_other_page(state: MatchState, kinds: Iterable[str], page_url: str) -> Watch:
    """Return what an open form that cannot be fetched again needs to report a change of its match.

    In its place the page at `page_url` is fetched, which reports the same. Only these `kinds` of
    log entries are reported.
    """
    entry = _find_entry_when_first_shown(state)
    query = {FIRST_SHOWN: entry}
    change = _say_what_changed(state, entry, kinds)
    return watch(state, f"{page_url}?{urlencode(query)}")._replace(change=change)


def _find_entry_when_first_shown(state: MatchState) -> int:
    """Find the number of the last log entry of a match when the open form was first shown.

    A form that is fetched again has it in its URL. Any other form is first shown now.
    """
    last_entry_now = state.sequence
    return request.args.get(FIRST_SHOWN, last_entry_now, type=int)


def _say_what_changed(state: MatchState, sequence: int, kinds: Iterable[str]) -> str:
    """Say what was last done or undone in a match after this log entry; empty if nothing was.

    "Meanwhile the scores have changed. …" Only these `kinds` of log entries count. If the match is
    over, only that is said.
    """
    if sequence >= state.sequence:
        return ""  # the log has no later entry
    later_kinds = get_pad().records.list_kinds_since(state.id, device_id(), sequence)
    reported_kinds = [kind for kind in later_kinds if kind in kinds]
    if not reported_kinds:
        return ""

    if state.status.finished:
        notice = "over"
    else:
        last_kind = reported_kinds[-1]
        notice = _NOTICES.get(last_kind, "other")
    words = page_words()
    return words.t(
        f"live.moved.{notice}",
        now=_say_totals_of_match(state),
        names=versus(state.names, words),
    )


def watch_all(
    tag: str, page_url: str, last: SummaryRecord | None = None, gone_message: str = ""
) -> Watch:
    """Return what a page about all matches of a device needs to notice a change of one of them.

    - `tag`: a text that changes with any of the matches. It must have been read before the matches,
      so that a change in between shows as another tag.
    - `page_url`: the URL from which the page is then fetched again
    - `last`: a match whose totals are read out to users of screen readers
    - `gone_message`: shown if the page does not exist any more; empty for the usual text
    """
    return Watch(
        tag_url=url_for("home.state"),
        tag=tag,
        page_url=page_url,
        announcement="" if last is None else _say_totals_of_summary(last),
        gone_message=gone_message,
    )


def _say_totals_of_summary(match: SummaryRecord) -> str:
    """Say the totals of a match in a list: "Anna 1280 and Bea 950"."""
    sides = zip(match.names, match.totals, strict=True)
    return _join_totals(sides, page_words())


def is_refetch() -> bool:
    """Tell whether an open form is fetched again by its script, and not opened by somebody.

    Such a form is shown even where a new one would not be.
    """
    return FIRST_SHOWN in request.args


def state_tag(state: MatchState) -> str:
    """Return the tag of a match, a text that changes with each entry of its log.

    Open pages poll it. What is typed in the hand (round) being played does not change it.
    """
    tag_of_log = Version.from_state(state).tag
    times_replaced = get_pad().replacements  # how often the data file was replaced by another one
    return f"{tag_of_log}.{times_replaced}"


def noted_entries(state: MatchState) -> str:
    """List the log entries with penalties for the hand (round) being played, by number: `17 21`."""
    return " ".join(str(penalty.entry) for penalty in state.noted_penalties)


def tag_response(tag: str) -> Response:
    """Answer an open page that polls: the tag as JSON, and the time of day in a header.

    The answer is 304 (not modified) if the page has this tag already.
    """
    response = jsonify(tag=tag)
    response.set_etag(tag)
    response.headers["Scorepad-Clock"] = page_words().clock(datetime.now(UTC).astimezone())
    return response.make_conditional(request)


def _say_totals_of_match(state: MatchState) -> str:
    """Say the totals of a match, as screen readers announce them: "After 3 hands: …"."""
    words = page_words()
    sides = [(side.name, side.total) for side in state.sides]
    return words.plural("live.text", len(state.hands), totals=_join_totals(sides, words))


def _join_totals(sides: Iterable[tuple[str, int]], words: Words) -> str:
    """Join the name and total of each side into one text, with "and" before the last."""
    texts = [words.t("live.text.side", side=name, total=total) for name, total in sides]
    return words.listing(texts)
