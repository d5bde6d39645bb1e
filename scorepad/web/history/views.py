"""The log of a match as a page, the list of the players, and the page of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from babel.numbers import format_decimal
from flask import Blueprint, abort, request, url_for
from werkzeug.wrappers import Response

from scorepad.i18n.words import MINUS
from scorepad.matches.access import MatchId
from scorepad.matches.history import Actor, Figures, Made, PlayedMatch, Player, Result
from scorepad.storage.rows import SummaryRecord
from scorepad.web.base import device_id, get_pad, load_match, page_words, plural, render_page, t
from scorepad.web.history.audit import Context, entry_details, entry_text
from scorepad.web.polling import watch, watch_all
from scorepad.web.presenters import hand_anchor, is_default_name, moment, side_names, versus

blueprint = Blueprint("history", __name__)
LONG_LOG = 12
"""Entries from which on the page has a link to the last one."""
MOST_SHOWN = 30
"""Matches of a player shown at once."""
ALL, NAMED = "tutte", "nome"
"""URL parameters: all matches of a player; a player whose name cannot stand in a path."""


# ---------------------------------------------------------------- the log of a match


@dataclass(frozen=True, slots=True)
class EntryRow:
    """An entry of the log; `undone` says when it was undone, empty if it stands."""

    anchor: str
    clock: str
    by: str
    what: str
    more: tuple[str, ...]
    undone: str


@blueprint.get("/partite/<match>/registro")
def audit(match: str) -> Response:
    """Everything that was done in a match, the oldest first."""
    happened = get_pad().records.audit(MatchId(match), device_id())
    state, words = load_match(match), page_words()
    times, days = {each.sequence: each.at for each in happened}, []
    for day, group in groupby(happened, key=lambda each: each.at.astimezone().date()):
        rows = []
        for each in group:
            context = Context(each.names, state)
            rows.append(
                EntryRow(
                    anchor=f"voce-{each.sequence}",
                    clock=words.clock(each.at.astimezone()),
                    by=_actor(each.by, each.names),
                    what=entry_text(each, context),
                    more=tuple(entry_details(each, context)),
                    undone="" if each.undone is None else _undone(each.at, times[each.undone]),
                )
            )
        days.append((words.day(day), rows))
    return render_page(
        "history/audit.html",
        title=t("history.audit"),
        watch=watch(state, url_for("history.audit", match=state.id)),
        match=state,
        names=versus(side_names(state), words),
        days=days,
        last=f"voce-{happened[-1].sequence}" if len(happened) >= LONG_LOG else "",
    )


def _undone(done: datetime, undone: datetime) -> str:
    """When an entry was undone, with the day if it is another."""
    if done.astimezone().date() != undone.astimezone().date():
        return t("history.undone.later", when=moment(undone, page_words()))
    return t("history.undone", clock=page_words().clock(undone.astimezone()))


def _actor(doer: Actor, names: tuple[str, ...]) -> str:
    """The device that did it, and the side that it counts for."""
    device = _device(doer)
    if doer.side is None or doer.side >= len(names):
        return device
    return t("history.by.side", device=device, side=names[doer.side])


def _device(doer: Actor) -> str:
    if doer.is_keeper:
        return t("history.by.keeper")
    if doer.number is None:
        # Only a browser with the home privilege acts without having joined the match.
        return t("history.by.machine-mine" if doer.is_mine else "history.by.machine")
    device = t("history.by.mine" if doer.is_mine else "history.by.phone", number=doer.number)
    return t("phones.held-by", name=doer.name, phone=device) if doer.name else device


# ---------------------------------------------------------------- players


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a player: its name, its value, what goes with it, and the hand that it comes from, if it is one."""

    name: str
    value: str
    more: str = ""
    url: str = ""


@blueprint.get("/giocatori")
def players() -> Response:
    """The names in the matches of the device; a name that cannot stand in a path is a parameter."""
    if NAMED in request.args:
        return player(request.args[NAMED])
    tag = get_pad().tag_of_all(device_id())
    found = get_pad().records.players(device_id())
    return render_page(
        "history/players.html",
        title=t("history.players"),
        watch=watch_all(tag, url_for("history.players")),
        players=[(player_url(each.name), each) for each in found.named if not is_default_name(each.name)],
        unread=found.unread,
    )


@blueprint.get("/giocatori/<name>")
def player(name: str) -> Response:
    """The matches and figures of a player."""
    tag, found = get_pad().tag_of_all(device_id()), get_pad().records.player(device_id(), name)
    if found is None:
        abort(404)
    is_whole = ALL in request.args
    shown = found.matches if is_whole else found.matches[:MOST_SHOWN]
    here = player_url(found.name, "1" if is_whole else None)
    return render_page(
        "history/player.html",
        title=found.name,
        watch=watch_all(tag, here, gone_message=t("history.gone", clock="{clock}")),
        player=found,
        results=list(_results(found)),
        units=[(figures, list(_figures(figures, found))) for figures in found.units],
        variants=[(figures, [_played(figures), *_figures(figures, found)]) for figures in found.variants],
        matches=[(each, _players(each.summary), _result(each)) for each in shown],
        all_url=player_url(found.name, "1") if len(shown) < len(found.matches) else "",
    )


def player_url(name: str, whole: str | None = None) -> str:
    """The page of a player; a name that browsers take for steps of a path becomes a parameter."""
    if "/" in name or not name.strip("."):
        return url_for("history.players", nome=name, tutte=whole)
    return url_for("history.player", name=name, tutte=whole)


def _results(player: Player) -> Iterator[Figure]:
    """How many matches, and how they went; results that never happened are left out, won and lost apart."""
    figure = page_words().figure
    yield Figure(t("history.played"), figure(len(player.matches)))
    for result in Result:
        count = sum(figures.results[result] for figures in player.units)
        if count or result in (Result.WON, Result.LOST):
            yield Figure(t(f"history.results.{result}"), figure(count))


def _played(figures: Figures) -> Figure:
    """How many matches of a variant, and their results."""
    words, results = page_words(), figures.results
    counts = [plural(f"history.count.{result}", results[result]) for result in Result if results[result]]
    return Figure(t("history.played"), words.figure(figures.matches), words.listing(counts))


def _figures(figures: Figures, player: Player) -> Iterator[Figure]:
    """Averages, the best hand, and the highest total."""
    words = page_words()
    if figures.by_hand is not None:
        yield Figure(t("history.by-hand"), average(figures.by_hand, figures.unit), plural("web.hands", figures.hands))
    if figures.by_match is not None:
        decided = sum(figures.results[result] for result in (Result.WON, Result.LOST, Result.DRAWN))
        value = average(figures.by_match, figures.unit)
        yield Figure(t("history.by-match"), value, plural("history.finished", decided))
    if figures.best is not None:
        yield _of_hand(figures.best, "history.best", words.signed(figures.best.points), player)
    if figures.highest is not None:
        yield _of_hand(figures.highest, "history.highest", words.figure(figures.highest.total), player)


def _of_hand(made: Made, key: str, value: str, player: Player) -> Figure:
    """A figure of a hand, with a link to it."""
    words, match = page_words(), next(each.summary for each in player.matches if each.summary.id == made.match)
    where = t("history.hand-of", number=made.number, match=versus(match.names, words))
    url = url_for("matches.page", match=match.id, _anchor=hand_anchor(made.number))
    return Figure(t(key), value, f"{where}, {words.day(match.started.astimezone())}", url)


def average(figure: float, unit: str) -> str:
    """An average: whole points, tenths of units."""
    pattern = "#,##0" if unit == "points" else "#,##0.0"
    return format_decimal(figure, pattern, locale=page_words().language.value).replace("-", MINUS)


def _result(match: PlayedMatch) -> str:
    """How a match went for the player, with the totals in the order of the sides."""
    words = page_words()
    totals = [words.figure(total) for total in match.summary.totals]
    is_pair = len(totals) == 2  # noqa: PLR2004 - two sides
    score = t("history.score", one=totals[0], other=totals[1]) if is_pair else words.listing(totals)
    return t("history.pair", name=t(f"history.result.{match.result}"), value=score)


def _players(summary: SummaryRecord) -> str:
    """Who sat at the table; empty if nobody is named beside the sides."""
    words = page_words()
    named = [[player for player in side if player] if len(side) > 1 else [] for side in summary.players]
    if not any(named):
        return ""
    sides = [words.listing(players) if players else name for name, players in zip(summary.names, named, strict=True)]
    return versus(sides, words)
