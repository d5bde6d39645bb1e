"""What happened to a match while something was being typed about it: told beside the form, which nothing touches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from flask import request, url_for

from scorepad.i18n import Words
from scorepad.matches.events import EntryKind
from scorepad.matches.projection import MatchState
from scorepad.web.frame import device_id, the_pad
from scorepad.web.labels import versus
from scorepad.web.live.watching import Watch, told, watch

SEEN = "visto"
"""In the address of a page that fetches itself again: the last entry of the match when it was shown to be filled in."""

SCORES = frozenset({EntryKind.HAND, EntryKind.CORRECTION, EntryKind.CHOICE})
NAMES = frozenset({EntryKind.RENAME, EntryKind.REPLACE})
RULES = frozenset({EntryKind.RULES, EntryKind.HAND})
END = SCORES | {EntryKind.END}
PENALTIES = frozenset({EntryKind.HAND, EntryKind.PENALTY, EntryKind.END})
REMARKS = SCORES | {EntryKind.REMARK}
"""What matters to the forms: of the names, of the rules, of an end, of a penalty, of a note."""

_SAID = dict.fromkeys(SCORES, "scores") | dict.fromkeys(NAMES, "names")
_SAID |= {EntryKind.RULES: "rules", EntryKind.END: "end", EntryKind.PENALTY: "penalty", EntryKind.REMARK: "remark"}


def is_looking_again() -> bool:
    """Whether an open form asks what happened meanwhile: what it shows stays, whatever that was."""
    return SEEN in request.args


def watch_form(state: MatchState, endpoint: str, matters: Iterable[EntryKind], words: Words, **more: Any) -> Watch:
    """Let a form follow its match: it says what happened of these kinds, undone or done, since it was shown.

    `more` is what its address holds beside the match.
    """
    seen = request.args.get(SEEN, type=int)
    if seen is None:
        seen = state.sequence
    page = url_for(endpoint, match=state.id, visto=seen, **more)
    happened = the_pad().records.since(state.id, device_id(), seen) if seen < state.sequence else ()
    return replace(
        watch(state, page, words), moved=_moved(state, [kind for kind in happened if kind in matters], words)
    )


def _moved(state: MatchState, happened: list[EntryKind], words: Words) -> str:
    if not happened:
        return ""
    kind = "over" if state.standing.finished else _SAID.get(happened[-1], "other")
    figures = {"now": told(state, words), "names": versus([side.name for side in state.sides], words)}
    return words.text(f"live.moved.{kind}", **figures)
