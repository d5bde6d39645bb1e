"""The players' pages as values: who plays in the matches of this device, and what one of them has played."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from babel.numbers import format_decimal
from flask import url_for

from scorepad.i18n import Words
from scorepad.i18n.words import MINUS
from scorepad.matches.projection import MatchSummary
from scorepad.matches.statistics import Figures, Made, PlayedMatch, Player, Players, Result
from scorepad.web.frame import Page
from scorepad.web.labels import moment, versus
from scorepad.web.live.watching import watch_all
from scorepad.web.matches.hands import anchor
from scorepad.web.matches.tables import is_default_name

MOST_SHOWN = 30
"""Matches of a player that stand on the page at once."""
ALL = "tutte"
"""In the address: every match of the player."""
NAMED = "nome"
"""In the address: a player whose name cannot stand in a path."""


@dataclass(frozen=True, slots=True)
class NameRow:
    """A player in the list."""

    url: str
    name: str
    matches: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayersPage(Page):
    """The players."""

    template: ClassVar[str] = "history/players.html"
    players: tuple[NameRow, ...]
    unread: str


@dataclass(frozen=True, slots=True)
class Fact:
    """A figure of a player: what it is, the figure, what goes with it, and where it comes from, if from one match."""

    name: str
    value: str
    more: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """Figures that belong together, under a heading; empty where there is no need of one."""

    id: str
    title: str
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match of the player."""

    url: str
    title: str
    players: str
    """Who sat at the table; empty where the sides' names say so."""
    result: str
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPage(Page):
    """A player."""

    template: ClassVar[str] = "history/player.html"
    results: tuple[Fact, ...]
    blocks: tuple[Block, ...]
    variants: tuple[Block, ...]
    """Game by game; empty where it was always the same one."""
    matches: tuple[MatchRow, ...]
    more_url: str
    """Where all matches are shown; empty where they are."""
    more: str
    unread: str


def players_page(tag: str, players: Players, words: Words) -> PlayersPage:
    """The list of names, without those that the page of a new match gives by itself.

    `tag` is how far the matches had come before they were read, here and below.
    """
    named = [each for each in players.named if not is_default_name(each.name)]
    return PlayersPage(
        title=words.text("history.players"),
        watch=watch_all(tag, url_for("history.players"), words),
        players=tuple(
            NameRow(player_url(each.name), each.name, words.plural("history.matches", each.matches)) for each in named
        ),
        unread=_unread(players.unread, words),
    )


def player_url(name: str, whole: str | None = None) -> str:
    """Where a player's page is. What browsers take for steps of a path goes behind the question mark."""
    if "/" in name or not name.strip("."):
        return url_for("history.players", nome=name, tutte=whole)
    return url_for("history.player", name=name, tutte=whole)


def player_page(tag: str, player: Player, words: Words, *, whole: bool) -> PlayerPage:
    """The page of a player; `whole`: with all matches, not only the last ones."""
    shown = player.matches if whole else player.matches[:MOST_SHOWN]
    hidden, here = len(player.matches) - len(shown), player_url(player.name, "1" if whole else None)
    return PlayerPage(
        title=player.name,
        watch=watch_all(tag, here, words, gone=words.text("history.gone", clock="{clock}")),
        results=tuple(_results(player, words)),
        blocks=tuple(_unit(figures, player, words) for figures in player.units),
        variants=tuple(_variant(figures, player, words) for figures in player.variants) if _several(player) else (),
        matches=tuple(_match(match, words) for match in shown),
        more_url=player_url(player.name, "1") if hidden else "",
        more=words.text("history.all", count=len(player.matches)),
        unread=_unread(player.unread, words),
    )


def _several(player: Player) -> bool:
    return len(player.variants) > 1


def _results(player: Player, words: Words) -> Iterator[Fact]:
    """How many matches, and how they went; what never happened is left out, but for won and lost."""
    yield Fact(words.text("history.played"), words.figure(len(player.matches)))
    for result in Result:
        count = sum(figures.results[result] for figures in player.units)
        if count or result in (Result.WON, Result.LOST):
            yield Fact(words.text(f"history.results.{result}"), words.figure(count))


def _unit(figures: Figures, player: Player, words: Words) -> Block:
    several = len(player.units) > 1
    title = words.text(f"history.unit.{figures.unit}" if several else "history.points-title")
    return Block(f"unit-{figures.unit}", title, tuple(_facts(figures, player, words)))


def _variant(figures: Figures, player: Player, words: Words) -> Block:
    results = [
        words.plural(f"history.count.{result}", figures.results[result]) for result in Result if figures.results[result]
    ]
    played = Fact(words.text("history.played"), words.figure(figures.matches), words.listing(results))
    title = words.text(f"variant.{figures.variant}.name")
    return Block(f"game-{figures.variant}", title, (played, *_facts(figures, player, words)))


def _facts(figures: Figures, player: Player, words: Words) -> Iterator[Fact]:
    """Averages, the best hand, the highest total."""
    if figures.by_hand is not None:
        value = average(figures.by_hand, figures.unit, words)
        yield Fact(words.text("history.by-hand"), value, words.plural("web.hands", figures.hands))
    if figures.by_match is not None:
        decided = sum(figures.results[result] for result in (Result.WON, Result.LOST, Result.DRAWN))
        value = average(figures.by_match, figures.unit, words)
        yield Fact(words.text("history.by-match"), value, words.plural("history.finished", decided))
    if figures.best is not None:
        yield _from(figures.best, "history.best", words.signed(figures.best.points), player, words)
    if figures.highest is not None:
        yield _from(figures.highest, "history.highest", words.figure(figures.highest.total), player, words)


def _from(made: Made, key: str, value: str, player: Player, words: Words) -> Fact:
    """A figure out of a hand, with the way there."""
    match = next(each.summary for each in player.matches if each.summary.id == made.match)
    where = words.text("history.hand-of", number=made.number, match=versus(match.names, words))
    url = url_for("matches.page", match=match.id, _anchor=anchor(made.number))
    return Fact(words.text(key), value, f"{where}, {words.day(match.started.astimezone())}", url)


def average(figure: float, unit: str, words: Words) -> str:
    """An average as people write it: whole points, tenths of units."""
    written = format_decimal(figure, "#,##0" if unit == "points" else "#,##0.0", locale=words.language.value)
    return written.replace("-", MINUS)


def _match(match: PlayedMatch, words: Words) -> MatchRow:
    summary = match.summary
    said = words.text(
        "web.home.said",
        variant=words.text(f"variant.{summary.variant}.name"),
        hands=words.plural("web.hands", summary.hands),
        when=moment(summary.changed, words),
    )
    return MatchRow(
        url=url_for("matches.page", match=summary.id),
        title=versus(summary.names, words),
        players=_seated(summary, words),
        result=words.text(
            "history.pair", name=words.text(f"history.result.{match.result}"), value=_score(summary, words)
        ),
        said=said,
    )


def _score(summary: MatchSummary, words: Words) -> str:
    """The totals, in the order of the sides."""
    totals = [words.figure(total) for total in summary.totals]
    if len(totals) == 2:  # noqa: PLR2004 - two sides
        return words.text("history.score", one=totals[0], other=totals[1])
    return words.listing(totals)


def _seated(summary: MatchSummary, words: Words) -> str:
    named = [[player for player in side if player] if len(side) > 1 else [] for side in summary.players]
    if not any(named):
        return ""
    sides = [words.listing(players) if players else name for name, players in zip(summary.names, named, strict=True)]
    return versus(sides, words)


def _unread(count: int, words: Words) -> str:
    return words.plural("history.unread", count) if count else ""
