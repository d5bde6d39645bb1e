"""The home page as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from flask import url_for

from scorepad.i18n import Words
from scorepad.pad.values import MatchSummary, Summaries
from scorepad.web.frame import Page
from scorepad.web.labels import moment

MOST_FINISHED = 30
"""Finished matches shown at once; the others are found by name."""
SEARCHED_FROM = 6
"""Finished matches from which a search is worth its room."""


@dataclass(frozen=True, slots=True)
class SideScore:
    """A side of a match in a list."""

    name: str
    total: str
    won: bool


@dataclass(frozen=True, slots=True)
class Listed:
    """A match in a list."""

    url: str
    sides: tuple[SideScore, ...]
    said: str
    """Which game, how many hands, when."""


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
    garbled: tuple[str, ...]
    """Addresses of matches whose row in the list cannot be read."""


def home_page(summaries: Summaries, wanted: str, words: Words) -> HomePage:
    """The home page; `wanted` is the name searched for among the finished matches."""
    found = [match for match in summaries.finished if _is_named(match, wanted)]
    searchable = bool(wanted) or len(summaries.finished) >= SEARCHED_FROM
    told = words.plural("web.home.found", len(found)) if wanted else ""
    return HomePage(
        title=words.text("web.home.title"),
        in_progress=tuple(_listed(match, words) for match in summaries.in_progress),
        finished=tuple(_listed(match, words) for match in found[:MOST_FINISHED]),
        search=Search(wanted, told) if searchable else None,
        has_any=any(summaries),
        garbled=tuple(url_for("matches.page", match=match) for match in summaries.garbled),
    )


def _is_named(match: MatchSummary, wanted: str) -> bool:
    names = " ".join(match.names).casefold()
    return all(part in names for part in wanted.casefold().split())


def _listed(match: MatchSummary, words: Words) -> Listed:
    sides = tuple(
        SideScore(name, words.figure(total), match.standing.winner == position)
        for position, (name, total) in enumerate(zip(match.names, match.totals, strict=True))
    )
    level = match.standing.finished and match.standing.winner is None
    said = words.text(
        "web.home.said-level" if level else "web.home.said",
        variant=words.text(f"variant.{match.variant}.name"),
        hands=words.plural("web.hands", match.hands),
        when=moment(match.changed, words),
    )
    return Listed(url_for("matches.page", match=match.id), sides, said)
