"""The home page as values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from flask import url_for

from scorepad.i18n import Words
from scorepad.pad.values import EndHow, MatchSummary, Summaries
from scorepad.web.forms import PadForm
from scorepad.web.frame import FieldError, Page
from scorepad.web.labels import moment, versus

MOST_FINISHED = 30
"""Finished matches shown at once; the others are found by name."""


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
    """The search among finished matches, and what it found."""

    wanted: str
    found: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HomePage(Page):
    """Matches in progress, then the finished ones."""

    template: ClassVar[str] = "home/page.html"
    in_progress: tuple[Listed, ...]
    finished: tuple[Listed, ...]
    search: Search | None
    has_any: bool
    has_players: bool
    """Whether there are matches in which somebody may have played."""
    garbled: tuple[str, ...]
    """Addresses of matches whose row in the list cannot be read."""
    practice: str
    """Where the practice match of this device is; empty where there is none."""
    form: PadForm
    """Starts a practice match."""


def home_page(
    summaries: Summaries,
    wanted: str,
    found: Sequence[MatchSummary],
    words: Words,
    errors: tuple[FieldError, ...] = (),
) -> HomePage:
    """The home page; `found` are the finished matches to show, those of the name that is `wanted` where one is."""
    searchable = bool(wanted or summaries.finished)
    told = words.plural("web.home.found", len(found)) if wanted else ""
    practice = summaries.practice
    return HomePage(
        title=words.text("web.home.title"),
        errors=errors,
        in_progress=tuple(_listed(match, words) for match in summaries.in_progress),
        finished=tuple(_listed(match, words) for match in found[:MOST_FINISHED]),
        search=Search(wanted, told) if searchable else None,
        has_any=bool(summaries.in_progress or summaries.finished or summaries.garbled),
        has_players=bool(summaries.in_progress or summaries.finished),
        garbled=tuple(url_for("matches.page", match=match) for match in summaries.garbled),
        practice=url_for("matches.page", match=practice[0].id) if practice else "",
        form=PadForm(formdata=None),
    )


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
