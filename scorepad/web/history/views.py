"""The log of a match, the list of the players, and the page of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import NamedTuple

from babel.numbers import format_decimal
from flask import Blueprint, abort, redirect, request, url_for
from werkzeug.wrappers import Response

from scorepad.i18n.catalogue import MINUS
from scorepad.matches.access import MatchId, MatchNotFound, NotAllowed, RequestId
from scorepad.matches.events import MATCH_TEXTS, Counted
from scorepad.matches.history import DECIDED, Result, Statistics
from scorepad.matches.names import known, texts_by_pointer, with_texts
from scorepad.matches.projection import MatchState
from scorepad.matches.transaction import Saved
from scorepad.rules.hand import HOUSE
from scorepad.rules.score_lines import Line, item_order
from scorepad.sheets.score_table import (
    LineChange,
    find_line_changes,
    line_label,
    lines_by_key,
    went_out_concealed,
)
from scorepad.storage.rows import SummaryRecord
from scorepad.web.base import (
    device_id,
    get_pad,
    load_match,
    notice,
    page_words,
    plural,
    render_page,
    t,
)
from scorepad.web.forms import CONFLICT, Choice, ChoiceField, PadForm, add_error, lazy
from scorepad.web.presenters import game_names, is_default_name
from scorepad.web.watching import watch, watch_all

blueprint = Blueprint("history", __name__)
LONG_LOG = 12
"""Minimum entries for a link to the last one."""
MOST_SHOWN = 30
"""Matches of a player shown at once."""
_WITHOUT_CARDS = ("sum", "penalty", "adjustment")
"""Items not derived from the cards."""
ALL, NAMED = "tutte", "nome"
"""URL parameters: all matches of a player; a player whose name cannot be part of a path."""


# ---------------------------------------------------------------- the log of a match


@blueprint.get("/partite/<match>/registro", endpoint="audit")
def show_log(match: MatchId) -> Response:
    """The log of a match, oldest first; `history/events.html` has a macro for each kind."""
    entries = get_pad().records.audit(match, device_id())
    pad = get_pad()
    state = load_match(match)
    words = page_words(state.rules)
    days = groupby(entries, key=lambda entry: entry.at.astimezone().date())
    return render_page(
        "history/audit.html",
        title=t("history.audit"),
        watch=watch(state),
        words=words,
        match=state,
        days=[(words.day(day), list(of_day)) for day, of_day in days],
        times={entry.sequence: entry.at for entry in entries},
        last=entries[-1].sequence if len(entries) >= LONG_LOG else None,
        match_texts=MATCH_TEXTS,
        holders=pad.devices.names(state.id, device_id()),
        changed_lines=changed_lines,
        points_text=points_text,
        totals_after=totals_after,
        totals_text=totals_text,
        zip=zip,
    )


def points_text(names: Iterable[str], before: Counted | None, after: Counted) -> str:
    """The points of each side, and what they were before: `Noi da +430 a +530, Loro sempre −60`."""
    signed = page_words().signed
    texts = []
    for position, name in enumerate(names):
        points = after.sides[position].points
        if before is None:
            text = t("history.points", side=name, points=signed(points))
        elif before.sides[position].points == points:
            text = t("history.points.same", side=name, points=signed(points))
        else:
            points_before = signed(before.sides[position].points)
            text = t(
                "history.points.changed", side=name, before=points_before, after=signed(points)
            )
        texts.append(text)
    return ", ".join(texts)


def totals_text(names: Iterable[str], totals: Iterable[int]) -> str:
    """The totals of the sides: `Noi 1.280, Loro −15`."""
    figure = page_words().figure
    texts = []
    for name, total in zip(names, totals, strict=True):
        texts.append(t("history.points", side=name, points=figure(total)))
    return ", ".join(texts)


def totals_after(names: Iterable[str], counted: Counted) -> str:
    """The totals of the sides after a hand: `Noi 1.280, Loro −15`."""
    totals = []
    for total_before, side in zip(counted.before, counted.sides, strict=True):
        totals.append(total_before + side.points)
    return totals_text(names, totals)


class ShownChange(NamedTuple):
    """A score line that a correction changed, in words."""

    side: str
    item: str
    before: str
    """Its points before the correction; empty if the hand had no such line."""
    after: str
    """Its points after the correction; empty if the hand has no such line any more."""


def changed_lines(
    names: Iterable[str], before: Counted | None, after: Counted, match: MatchState
) -> Iterator[ShownChange]:
    """The score lines that a correction of a hand changed. `before` and `after` are its counts.

    If `before` is None the hand was counted for the first time: then the lines are those that do
    not follow from the cards, such as penalties.
    """
    for position, name in enumerate(names):
        lines = after.sides[position].lines
        if before is None:
            changes = _lines_not_of_cards(lines)
        else:
            changes = find_line_changes(before.sides[position].lines, lines, by_reason=True)
        for change in sorted(changes, key=_display_order):
            yield _shown_change(name, change, before, after, match)


def _shown_change(
    side: str, change: LineChange, before: Counted | None, after: Counted, match: MatchState
) -> ShownChange:
    """A changed score line of a side in words. `before` and `after` are the counts of the hand,
    `before` None if the hand was counted for the first time.
    """
    # The words of a line depend on its hand: they say whether the side went out concealed. A line
    # that is gone is found in the count before.
    is_gone = change.after is None
    count_with_line = before if is_gone and before is not None else after
    label = line_label(
        change.key,
        page_words(match.rules),
        concealed=went_out_concealed(count_with_line.hand),
        variant=match.rules.variant,
    )
    is_first_count = before is None
    return ShownChange(
        side=side,
        item=label,
        before=_line_points(change.before, is_first=is_first_count),
        after=_line_points(change.after, is_first=is_first_count),
    )


def _lines_not_of_cards(lines: Iterable[Line]) -> list[LineChange]:
    """The lines of a first count that do not follow from the cards, as changes."""
    changes = []
    for key, line in lines_by_key(lines, by_reason=True).items():
        if key.item in _WITHOUT_CARDS and key.code != HOUSE:
            changes.append(LineChange(key, None, line))
    return changes


def _display_order(change: LineChange) -> tuple[float, str, str, int]:
    """By the order of items on the sheet, then by penalty, reason and number."""
    key = change.key
    return item_order(key.item), key.code or "", key.reason or "", key.repetition


def _line_points(line: Line | None, *, is_first: bool) -> str:
    """The points of a line, with its count if it has one: `+600 (2)`; empty for no line.

    `is_first`: the hand was counted for the first time, so that a count of one tells nothing.
    """
    if line is None:
        return ""
    points = page_words().signed(line.points)
    if line.count is None or line.item == "out":
        return points
    if is_first and line.count == 1:
        return points
    return t("history.cell", points=points, count=line.count)


# ---------------------------------------------------------------- players


@blueprint.get("/giocatori")
def players() -> Response:
    """The names in the matches of the device; a name that cannot be part of a path is a parameter."""
    if NAMED in request.args:
        return show_player(request.args[NAMED])
    tag = get_pad().tag_of_all(device_id())
    found = get_pad().records.players(device_id())
    return render_page(
        "history/players.html",
        title=t("history.players"),
        watch=watch_all(tag, url_for("history.players")),
        players=[each for each in found if not is_default_name(each.name)],
        player_url=player_url,
    )


@blueprint.get("/giocatori/<name>", endpoint="player")
def show_player(name: str) -> Response:
    """The matches and statistics of a player; all matches if the URL asks for them, else the last
    ones.
    """
    tag = get_pad().tag_of_all(device_id())  # read before the matches
    player = get_pad().records.player(device_id(), name)
    if player is None:
        abort(404)
    shows_all = ALL in request.args
    summaries = [match.summary for match in player.matches]
    names = game_names(summaries, page_words())
    # JavaScript puts the time in the place of `{clock}`.
    gone_message = t("history.gone", clock="{clock}")
    return render_page(
        "history/player.html",
        title=player.name,
        watch=watch_all(
            tag,
            player_url(player.name, "1" if shows_all else None),
            gone_message=gone_message,
        ),
        player=player,
        game_names=names,
        variant_names=_names_of_variants(summaries, names),
        results=list(Result),
        summaries={summary.id: summary for summary in summaries},
        shown=player.matches if shows_all else player.matches[:MOST_SHOWN],
        average=average,
        decided=_count_decided,
        player_url=player_url,
    )


def _names_of_variants(
    matches: Iterable[SummaryRecord], game_names: Mapping[str, str]
) -> dict[str, str]:
    """The name of each variant in these matches, the last changed first; `game_names` are the names
    of the variants by match.

    House rules may have been renamed: then the name in the match that was changed last is taken.
    """
    names: dict[str, str] = {}
    for match in matches:
        if match.variant not in names:
            names[match.variant] = game_names[match.id]
    return names


def _count_decided(statistics: Statistics) -> int:
    """How many matches were played to their end."""
    return sum(statistics.results[result] for result in DECIDED)


def player_url(name: str, whole: str | None = None) -> str:
    """The URL of a player's page; a name that browsers read as path steps becomes a parameter."""
    if "/" in name or not name.strip("."):
        return url_for("history.players", nome=name, tutte=whole)
    return url_for("history.player", name=name, tutte=whole)


def average(value: float, statistics: Statistics) -> str:
    """An average of these statistics in words: whole points, tenths of units."""
    pattern = "#,##0" if statistics.unit == "points" else "#,##0.0"
    text = format_decimal(value, pattern, locale=page_words().language.value)
    return text.replace("-", MINUS)


# ---------------------------------------------------------------- one player under two names


class SamePlayerForm(PadForm):
    """The other name of a player, as stored in finished matches."""

    other = ChoiceField(lazy("history.same.other"))


@blueprint.route("/stessa-persona", methods=["GET", "POST"])
def same_player() -> Response:
    """Merge a player who was typed under two names, in the finished matches of the device."""
    records = get_pad().records
    form = SamePlayerForm()
    player = records.player(device_id(), request.args.get(NAMED, ""))
    if player is None:
        abort(404)
    finished = [match.summary for match in player.matches if match.summary.finished]
    choices = []
    for listed in records.players(device_id()):
        is_other_player = known(listed.name) != known(player.name)
        if is_other_player and not is_default_name(listed.name):
            choices.append(Choice(listed.name, listed.name))
    form.other.choices = tuple(choices)

    if form.validate_on_submit():
        other = form.other.data
        have_played_together = any(
            known(other) in map(known, match.all_players) for match in finished
        )
        if not have_played_together:
            renamed = 0
            for match in finished:
                if _rename_player(MatchId(match.id), player.name, other, form.request_name):
                    renamed += 1
            notice(plural("history.same.done", renamed, name=other))
            return redirect(player_url(other if renamed else player.name), code=303)
        add_error(form.other, t("history.same.together", one=player.name, other=other))
        form.status = CONFLICT
    return render_page(
        "history/same_player.html",
        title=t("history.same.title", name=player.name),
        has_form=True,
        form=form,
        player=player,
        finished=len(finished),
        back=player_url(player.name),
    )


def _rename_player(match: MatchId, name: str, new_name: str, request_id: RequestId) -> bool:
    """Give a player of a match another name; returns whether it was stored.

    It is not if this device may not write in the match, if the match has no player of that name, or
    if the names are refused.
    """
    try:
        labels = get_pad().state(match, device_id(), to_write=True).labels
        changed = {}
        for pointer, text in texts_by_pointer(labels).items():
            is_name = pointer[0] in ("names", "players")
            if is_name and known(text) == known(name):
                changed[pointer] = new_name
        if not changed:
            return False
        request_of_match = RequestId(f"{request_id}+{match}")
        wanted = with_texts(labels, changed)
        result = get_pad().actions.rename(request_of_match, match, device_id(), wanted)
    except (MatchNotFound, NotAllowed):
        return False
    return isinstance(result, Saved)
