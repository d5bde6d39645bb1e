"""Matches to save: the page of one, and the files themselves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from flask import make_response, url_for
from werkzeug.wrappers import Response

from scorepad.errors import NewerError
from scorepad.i18n import Words
from scorepad.matches.access import MatchId
from scorepad.matches.errors import MatchNotFound
from scorepad.matches.projection import MatchState
from scorepad.sheets.csv_rows import rows_csv
from scorepad.storage.errors import BrokenFile
from scorepad.web.frame import Page, device_id, page_words, render, the_pad
from scorepad.web.headers import name_file
from scorepad.web.labels import versus
from scorepad.web.live.moving import NAMES, watch_form

_JSON, _CSV = "application/json", "text/csv; charset=utf-8"


@dataclass(frozen=True, slots=True, kw_only=True)
class SavePage(Page):
    """What can be saved of a match, and where."""

    template: ClassVar[str] = "files/save.html"
    names: str
    back: str
    whole: str
    rows: str


def save(match: str) -> Response:
    """What can be saved of a match."""
    state, words = the_pad().state(MatchId(match), device_id()), page_words()
    page = SavePage(
        title=words.text("files.save.title"),
        names=versus([side.name for side in state.sides], words),
        back=url_for("matches.page", match=state.id),
        whole=url_for("files.whole", match=state.id),
        rows=url_for("files.rows", match=state.id),
        watch=watch_form(state, "files.save", NAMES, words),
    )
    return render(page)


def whole(match: str) -> Response:
    """A match whole, to be taken back."""
    told = the_pad().exports.match(MatchId(match), device_id())
    return _file(told.encoded(), _JSON, _named(the_pad().state(MatchId(match), device_id()), page_words()), "json")


def rows(match: str) -> Response:
    """The hands of a match as rows for a spreadsheet."""
    state, words = the_pad().state(MatchId(match), device_id()), page_words()
    return _file(rows_csv([state], words), _CSV, _named(state, words), "csv")


def every() -> Response:
    """All matches of the device whole; those that are garbled are left out, and told on its first page."""
    return _file(the_pad().exports.every(device_id()).encoded(), _JSON, _named_all(page_words()), "json")


def every_row() -> Response:
    """The hands of all matches of the device as rows for a spreadsheet, without practice."""
    words = page_words()
    return _file(rows_csv(_states(), words), _CSV, _named_all(words), "csv")


def _states() -> Iterator[MatchState]:
    pad, device = the_pad(), device_id()
    for match in pad.exports.names(device):
        try:
            state = pad.state(match, device)
        except (BrokenFile, NewerError, MatchNotFound):
            continue
        if not state.practice:
            yield state


def _named(state: MatchState, words: Words) -> str:
    names = versus([side.name for side in state.sides], words)
    return words.text("files.name", names=names, day=words.day(state.started.astimezone()))


def _named_all(words: Words) -> str:
    return words.text("files.name.all", day=words.day(datetime.now().astimezone()))


def _file(octets: bytes, kind: str, name: str, ending: str) -> Response:
    """Something to keep."""
    answer = make_response(octets)
    answer.headers["Content-Type"] = kind
    name_file(answer, f"scorepad {name}", ending)
    return answer
