"""The log of a match, the list of the players, and the page of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from operator import add

from babel.numbers import format_decimal
from flask import Blueprint, abort, request, url_for
from werkzeug.wrappers import Response

from scorepad.i18n.findings import fact
from scorepad.i18n.settings import value_word
from scorepad.i18n.words import MINUS
from scorepad.matches.access import SIDE_KEYS, MatchId
from scorepad.matches.events import Counted
from scorepad.matches.history import DECIDED, Figures, Result
from scorepad.matches.projection import MatchState
from scorepad.matches.rulings import ruling_text
from scorepad.rules.score import Line, item_order
from scorepad.rules.table import HOUSE
from scorepad.storage.rows import SummaryRecord
from scorepad.web.base import device_id, get_pad, load_match, page_words, render_page, t
from scorepad.web.presenters import (
    hand_anchor,
    is_default_name,
    line_word,
    places,
    side_names,
    versus,
    watch,
    watch_all,
)

blueprint = Blueprint("history", __name__)
LONG_LOG = 12
"""Entries from which on the page has a link to the last one."""
MOST_SHOWN = 30
"""Matches of a player shown at once."""
ALL, NAMED = "tutte", "nome"
"""URL parameters: all matches of a player; a player whose name cannot stand in a path."""


# ---------------------------------------------------------------- the log of a match


@blueprint.get("/partite/<match>/registro")
def audit(match: MatchId) -> Response:
    """Everything that was done in a match, the oldest first; `history/events.html` has a macro for each kind."""
    entries, pad = get_pad().records.audit(match, device_id()), get_pad()
    state, words = load_match(match), page_words()
    days = groupby(entries, key=lambda entry: entry.at.astimezone().date())
    return render_page(
        "history/audit.html",
        title=t("history.audit"),
        watch=watch(state, url_for("history.audit", match=state.id)),
        match=state,
        names=side_names(state),
        days=[(words.day(day), list(of_day)) for day, of_day in days],
        times={entry.sequence: entry.at for entry in entries},
        last=entries[-1].sequence if len(entries) >= LONG_LOG else None,
        holders=pad.devices.names(state.id, device_id()),
        changed_lines=changed_lines,
        fact=fact,
        house_penalties=house_penalties,
        lost=lambda points: words.signed(-points),
        places=places,
        points_text=points_text,
        ruling_text=ruling_text,
        totals_after=totals_after,
        totals_text=totals_text,
        value_word=value_word,
        zip=zip,
    )


def points_text(names: Iterable[str], before: Counted | None, after: Counted) -> str:
    """The points of each side, and what they were before: `Noi da +430 a +530, Loro sempre −60`."""
    signed, texts = page_words().signed, []
    for name, old, new in zip(names, (before or after).sides, after.sides, strict=True):
        if before is None:
            texts.append(t("history.points", side=name, points=signed(new.points)))
        elif old.points == new.points:
            texts.append(t("history.points.same", side=name, points=signed(new.points)))
        else:
            points = {"before": signed(old.points), "after": signed(new.points)}
            texts.append(t("history.points.changed", side=name, **points))
    return ", ".join(texts)


def totals_text(names: Iterable[str], totals: Iterable[int]) -> str:
    """The totals of the sides: `Noi 1.280, Loro −15`."""
    sides = zip(names, totals, strict=True)
    return ", ".join(t("history.points", side=name, points=page_words().figure(total)) for name, total in sides)


def totals_after(names: Iterable[str], counted: Counted) -> str:
    """The totals of the sides after a hand."""
    return totals_text(names, map(add, counted.before, (side.points for side in counted.sides)))


def changed_lines(
    names: Iterable[str], before: Counted | None, after: Counted, match: MatchState
) -> Iterator[tuple[str, str, str, str]]:
    """The score lines that a correction changed: side, item, and points before and after; empty for no line.

    Of the first count of a hand the lines that do not come from the cards.
    """
    for side, name in enumerate(names):
        if before is None:
            for line in after.sides[side].lines:
                if line.item in ("sum", "penalty", "adjustment") and line.code != HOUSE:
                    points = _points_of([replace(line, count=None) if line.count == 1 else line])
                    yield name, _label(line, after, match), "", points
            continue
        old, new = (_by_key(counted.sides[side].lines) for counted in (before, after))
        for key in sorted({*old, *new}, key=lambda key: (item_order(key[0]), key[1] or "", key[2] or "")):
            was, now = _points_of(old.get(key, [])), _points_of(new.get(key, []))
            if was != now:
                yield name, _label(new[key][0], after, match) if now else _label(old[key][0], before, match), was, now


def house_penalties(names: Iterable[str], counted: Counted) -> list[tuple[str, int, str]]:
    """House penalties: side, points, reason."""
    return [
        (name, -int(penalty["points"]), str(penalty["reason"]))
        for name, key in zip(names, SIDE_KEYS, strict=False)
        for penalty in counted.hand["sides"].get(key, {}).get("penalties", ())
        if isinstance(penalty, Mapping) and penalty.get("code") == HOUSE
    ]


def _by_key(lines: Iterable[Line]) -> Mapping[tuple[str, str | None, str | None], list[Line]]:
    found = defaultdict(list)
    for line in lines:
        found[line.item, line.code, line.reason].append(line)
    return found


def _points_of(lines: Iterable[Line]) -> str:
    """The points of lines, and how many where they are counted: `+600 (2)`."""
    signed = page_words().signed
    return ", ".join(
        signed(line.points)
        if line.count is None or line.item == "out"
        else t("history.cell", points=signed(line.points), count=line.count)
        for line in lines
    )


def _label(line: Line, counted: Counted, match: MatchState) -> str:
    concealed = bool((counted.hand.get("out") or {}).get("concealed"))
    return line_word(line, page_words(), concealed=concealed, variant=match.rules.variant)


# ---------------------------------------------------------------- players


@blueprint.get("/giocatori")
def players() -> Response:
    """The names in the matches of the device; a name that cannot stand in a path is a parameter."""
    if NAMED in request.args:
        return player(request.args[NAMED])
    tag, found = get_pad().tag_of_all(device_id()), get_pad().records.players(device_id())
    return render_page(
        "history/players.html",
        title=t("history.players"),
        watch=watch_all(tag, url_for("history.players")),
        players=[each for each in found.named if not is_default_name(each.name)],
        unread=found.unread,
        player_url=player_url,
    )


@blueprint.get("/giocatori/<name>")
def player(name: str) -> Response:
    """The matches and figures of a player."""
    tag, found = get_pad().tag_of_all(device_id()), get_pad().records.player(device_id(), name)
    if found is None:
        abort(404)
    is_whole = ALL in request.args
    here = player_url(found.name, "1" if is_whole else None)
    return render_page(
        "history/player.html",
        title=found.name,
        watch=watch_all(tag, here, gone_message=t("history.gone", clock="{clock}")),
        player=found,
        results=list(Result),
        summaries={each.summary.id: each.summary for each in found.matches},
        shown=found.matches if is_whole else found.matches[:MOST_SHOWN],
        average=average,
        decided=lambda figures: sum(figures.results[result] for result in DECIDED),
        has_figures=lambda figures: (figures.by_hand, figures.by_match, figures.best, figures.highest) != (None,) * 4,
        hand_anchor=hand_anchor,
        players_text=players_text,
        player_url=player_url,
    )


def player_url(name: str, whole: str | None = None) -> str:
    """The page of a player; a name that browsers take for steps of a path becomes a parameter."""
    if "/" in name or not name.strip("."):
        return url_for("history.players", nome=name, tutte=whole)
    return url_for("history.player", name=name, tutte=whole)


def average(figure: float, figures: Figures) -> str:
    """An average: whole points, tenths of units."""
    pattern = "#,##0" if figures.unit == "points" else "#,##0.0"
    return format_decimal(figure, pattern, locale=page_words().language.value).replace("-", MINUS)


def players_text(summary: SummaryRecord) -> str:
    """Who sat at the table; empty if nobody is named beside the sides."""
    words = page_words()
    named = [[player for player in side if player] if len(side) > 1 else [] for side in summary.players]
    sides = [words.listing(players) if players else name for name, players in zip(summary.names, named, strict=True)]
    return versus(sides, words) if any(named) else ""
