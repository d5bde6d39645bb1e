"""The home page as values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from flask import url_for

from scorepad.i18n import Words
from scorepad.matches.events import EndHow
from scorepad.matches.projection import MatchSummary, Summaries
from scorepad.web.forms import PadForm
from scorepad.web.frame import FieldError, Page
from scorepad.web.labels import moment, versus
from scorepad.web.live.watching import watch_all

MOST_IN_PROGRESS = 20
"""Matches in progress on the home page, those changed last; all of them have a page of their own."""
MOST_FINISHED = 30
"""Finished matches shown at once; the others are found by name."""
MOST_ON_PAGE = 100
"""Matches in progress shown at once on their own page; the others are found by name."""


@dataclass(frozen=True, slots=True)
class SideScore:
    """A side of a match in a list; `players` is empty where its name says who plays."""

    name: str
    players: str
    total: str
    won: bool


@dataclass(frozen=True, slots=True)
class Listed:
    """A match in a list."""

    url: str
    sides: tuple[SideScore, ...]
    said: str
    """Which game, how it ended where not by the rules, how many hands, when."""
    called: str
    """Who against whom."""
    sheet: str
    """Where its sheet is; empty as long as it is not finished."""


@dataclass(frozen=True, slots=True)
class Search:
    """A search among matches, and what it found."""

    wanted: str
    found: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HomePage(Page):
    """Matches in progress, then the finished ones."""

    template: ClassVar[str] = "home/page.html"
    in_progress: tuple[Listed, ...]
    all_in_progress: str
    """What leads to all of them; empty where all are here."""
    finished: tuple[Listed, ...]
    search: Search | None
    has_any: bool
    has_players: bool
    """Whether there are matches in which somebody may have played."""
    garbled: tuple[str, ...]
    """Addresses of matches that would stand here and whose row in the list cannot be read."""
    practice: str
    """Where the practice match of this device is; empty where there is none."""
    form: PadForm
    """Starts a practice match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InProgressPage(Page):
    """All matches in progress."""

    template: ClassVar[str] = "home/in_progress.html"
    garbled: tuple[str, ...]
    matches: tuple[Listed, ...]
    search: Search
    more: str
    """That there are more, which are found by name; empty where there are none."""


def home_page(
    tag: str,
    summaries: Summaries,
    wanted: str,
    found: Sequence[MatchSummary],
    words: Words,
    errors: tuple[FieldError, ...] = (),
) -> HomePage:
    """The home page; `found` are the finished matches to show, those of the name that is `wanted` where one is.

    `tag` is how far the matches had come before they were read.
    """
    searchable = bool(wanted or summaries.all_finished)
    practice, going_on, count = summaries.practice, summaries.in_progress, summaries.all_in_progress
    hidden, has_players = count > MOST_IN_PROGRESS, bool(count or summaries.all_finished)
    return HomePage(
        title=words.text("web.home.title"),
        errors=errors,
        watch=watch_all(tag, url_for("home.page", cerca=wanted or None), words, _first(going_on)),
        in_progress=tuple(_listed(match, words) for match in going_on),
        all_in_progress=words.text("web.home.all-in-progress", count=count) if hidden else "",
        finished=tuple(_listed(match, words) for match in found[:MOST_FINISHED]),
        search=Search(wanted, _found(wanted, found, words)) if searchable else None,
        has_any=has_players or bool(summaries.garbled),
        has_players=has_players,
        garbled=_garbled(summaries),
        practice=url_for("matches.page", match=practice[0].id) if practice else "",
        form=PadForm(formdata=None),
    )


def in_progress_page(
    tag: str, summaries: Summaries, wanted: str, found: Sequence[MatchSummary], count: int, words: Words
) -> InProgressPage:
    """The page of all matches in progress; `found` are the first of them, or of those of the name that is `wanted`.

    `count` is how many there are of these.
    """
    hidden = count > MOST_ON_PAGE
    return InProgressPage(
        title=words.text("web.home.in-progress"),
        watch=watch_all(tag, url_for("home.in_progress", cerca=wanted or None), words, _first(summaries.in_progress)),
        garbled=_garbled(summaries),
        matches=tuple(_listed(match, words) for match in found[:MOST_ON_PAGE]),
        search=Search(wanted, _found(wanted, found, words)),
        more=words.text("web.home.more", shown=MOST_ON_PAGE, count=count) if hidden else "",
    )


def _garbled(summaries: Summaries) -> tuple[str, ...]:
    return tuple(url_for("matches.page", match=match) for match in summaries.garbled)


def _first(matches: tuple[MatchSummary, ...]) -> MatchSummary | None:
    return matches[0] if matches else None


def _found(wanted: str, found: Sequence[MatchSummary], words: Words) -> str:
    return words.plural("web.home.found", len(found)) if wanted else ""


def _listed(match: MatchSummary, words: Words) -> Listed:
    players = match.players or ((),) * len(match.names)
    sides = tuple(
        SideScore(name, _named(seated, words), words.figure(total), match.standing.winner == position)
        for position, (name, seated, total) in enumerate(zip(match.names, players, match.totals, strict=True))
    )
    sheet = url_for("sheets.match_sheet", match=match.id) if match.standing.finished else ""
    page = url_for("matches.page", match=match.id)
    return Listed(page, sides, _said(match, words), versus(match.names, words), sheet)


def _named(players: Sequence[str], words: Words) -> str:
    """The players of a side of several, as far as they are named."""
    named = [player for player in players if player] if len(players) > 1 else []
    return words.listing(named) if named else ""


def _said(match: MatchSummary, words: Words) -> str:
    told = {
        "variant": words.text(f"variant.{match.variant}.name"),
        "hands": words.plural("web.hands", match.hands),
        "when": moment(match.changed, words),
    }
    level = match.standing.finished and match.standing.winner is None
    if match.ending is None:
        return words.text("web.home.said-level" if level else "web.home.said", **told)
    how = words.text(f"history.ended.{match.ending}")
    if level and match.ending is not EndHow.BROKEN_OFF:
        how = words.text("history.ended.level", how=how)
    return words.text("history.ended", how=how, **told)
