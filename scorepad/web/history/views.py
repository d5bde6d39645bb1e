"""The log of a match, the list of the players, and the page of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from babel.numbers import format_decimal
from flask import Blueprint, abort, redirect, request, url_for
from werkzeug.wrappers import Response

from scorepad.i18n import Words
from scorepad.i18n.catalogue import MINUS
from scorepad.matches.access import MatchId, MatchNotFound, NotAllowed, RequestId
from scorepad.matches.events import MATCH_TEXTS, Counted, Labels
from scorepad.matches.history import (
    DECIDED,
    AuditEntry,
    PlayedMatch,
    Player,
    Result,
    Statistics,
)
from scorepad.matches.names import are_same_name
from scorepad.matches.projection import MatchState
from scorepad.matches.transaction import Saved
from scorepad.rules.hand import HOUSE
from scorepad.rules.score_lines import Line, sort_by_item
from scorepad.sheets.score_table import (
    LineKey,
    find_line_changes,
    index_lines_by_key,
    label_line,
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
from scorepad.web.presenters import game_names, is_default_name, names_of_players, versus
from scorepad.web.watching import watch, watch_all

blueprint = Blueprint("history", __name__)
LONG_LOG = 12
"""Minimum entries for a link to the last one."""
MOST_SHOWN = 30
"""Matches of a player shown at once."""
_WITHOUT_CARDS = ("sum", "penalty", "adjustment")
"""Items not derived from the cards."""
ALL = "tutte"
"""The URL parameter that asks for all matches of a player."""
NAMED = "nome"
"""The URL parameter with the name of a player, where the name cannot be part of the path."""


# ---------------------------------------------------------------- the log of a match


@blueprint.get("/partite/<match>/registro", endpoint="audit")
def show_log(match: MatchId) -> Response:
    """The log of a match, oldest first; `history/events.html` has a macro for each kind."""
    pad = get_pad()
    entries = pad.records.audit(match, device_id())
    state = load_match(match)
    words = page_words(state.rules)
    holders = pad.devices.holder_names(state.id, device_id())
    return render_page(
        "history/audit.html",
        title=t("history.audit"),
        watch=watch(state),
        words=words,
        match=state,
        match_texts=MATCH_TEXTS,
        page=LogPage(match=state, words=words, entries=entries, holders=holders),
        zip=zip,
    )


class LogDay(NamedTuple):
    """What happened in a match on one day."""

    day: str
    """The day in words."""
    entries: list[AuditEntry]


class ShownChange(NamedTuple):
    """A score line that a correction changed, in words."""

    side: str
    item: str
    before: str
    """Its points before the correction; empty if the hand had no such line."""
    after: str
    """Its points after the correction; empty if the hand has no such line any more."""


@dataclass(frozen=True, kw_only=True)
class LogPage:
    """What the page with the log of a match shows, and the texts that its template asks for."""

    match: MatchState
    words: Words
    """The messages, with those of the rules of the match."""
    entries: Sequence[AuditEntry]
    holders: Mapping[int, str]
    """Who holds each device of the match, as far as that is known, by the number of the device."""

    @property
    def days(self) -> Iterator[LogDay]:
        """The entries of each day, the first day first."""
        for day, entries in groupby(self.entries, key=_local_day):
            yield LogDay(self.words.day(day), list(entries))

    @cached_property
    def times(self) -> dict[int, datetime]:
        """When each entry was made, by its number in the log."""
        return {entry.sequence: entry.at for entry in self.entries}

    @property
    def linked_entry(self) -> int | None:
        """The number of the last entry, to which the page of a long log begins with a link; None if
        the log is short.
        """
        if len(self.entries) < LONG_LOG:
            return None
        return self.entries[-1].sequence

    def points_text(self, names: Sequence[str], before: Counted | None, after: Counted) -> str:
        """The points of each side in a hand: `Noi +530, Loro −60`. With what they were in the count
        before, if there is one: `Noi da +430 a +530, Loro sempre −60`.
        """
        texts = []
        if before is None:
            for name, side in zip(names, after.sides, strict=True):
                texts.append(_points_of_side(name, side.points))
        else:
            for name, side_before, side in zip(names, before.sides, after.sides, strict=True):
                texts.append(_change_of_side(name, side_before.points, side.points))
        return ", ".join(texts)

    def totals_text(self, names: Sequence[str], totals: Sequence[int]) -> str:
        """The totals of the sides: `Noi 1.280, Loro −15`."""
        texts = []
        for name, total in zip(names, totals, strict=True):
            texts.append(t("history.points", side=name, points=self.words.figure(total)))
        return ", ".join(texts)

    def totals_after(self, names: Sequence[str], counted: Counted) -> str:
        """The totals of the sides after a hand: `Noi 1.280, Loro −15`."""
        totals = []
        for total_before, side in zip(counted.before, counted.sides, strict=True):
            totals.append(total_before + side.points)
        return self.totals_text(names, totals)

    def changed_lines(
        self, names: Sequence[str], before: Counted | None, after: Counted
    ) -> Iterator[ShownChange]:
        """The score lines that a correction of a hand changed: `Noi`, `Canasta`, `+300`, `+500`.

        `before` and `after` are the counts of the hand. If it was counted for the first time,
        `before` is None: then they are the lines that do not follow from the cards, such as
        penalties.
        """
        for position, name in enumerate(names):
            if before is None:
                yield from self._lines_not_of_cards(name, position, after)
            else:
                yield from self._lines_that_differ(name, position, before, after)

    def _lines_not_of_cards(
        self, name: str, position: int, counted: Counted
    ) -> Iterator[ShownChange]:
        """The lines of a side that do not follow from the cards, in a hand that was counted for the
        first time. Penalties that the table made up are left out: they stand with their reason.
        """
        lines = index_lines_by_key(counted.sides[position].lines, by_reason=True)
        for key in sorted(lines, key=_display_order):
            if key.item in _WITHOUT_CARDS and key.code != HOUSE:
                points = _points_of_new_line(lines[key])
                yield ShownChange(name, self._label(key, counted), before="", after=points)

    def _lines_that_differ(
        self, name: str, position: int, before: Counted, after: Counted
    ) -> Iterator[ShownChange]:
        """The lines of a side that differ between two counts of a hand."""
        changes = find_line_changes(
            before.sides[position].lines, after.sides[position].lines, by_reason=True
        )
        changes.sort(key=lambda change: _display_order(change.key))
        for change in changes:
            is_gone = change.after is None
            count_with_line = before if is_gone else after
            yield ShownChange(
                side=name,
                item=self._label(change.key, count_with_line),
                before=_points_in_words(change.before),
                after=_points_in_words(change.after),
            )

    def _label(self, key: LineKey, counted: Counted) -> str:
        """The words for a score line of a hand; they say whether the side went out concealed."""
        return label_line(
            key,
            self.words,
            concealed=went_out_concealed(counted.hand),
            variant=self.match.rules.variant,
        )


def _local_day(entry: AuditEntry) -> date:
    """The day on which something was done, in the time zone of the program."""
    return entry.at.astimezone().date()


def _points_of_side(name: str, points: int) -> str:
    """The points of a side in a hand: `Noi +530`."""
    return t("history.points", side=name, points=page_words().signed(points))


def _change_of_side(name: str, points_before: int, points: int) -> str:
    """The points of a side in two counts of a hand: `Noi da +430 a +530`, or `Noi sempre +430`."""
    signed = page_words().signed
    if points_before == points:
        return t("history.points.same", side=name, points=signed(points))
    return t(
        "history.points.changed", side=name, before=signed(points_before), after=signed(points)
    )


def _display_order(key: LineKey) -> tuple[float, str, str, int]:
    """What score lines are sorted by: the order of items on the sheet, then penalty, reason and
    number.
    """
    return sort_by_item(key.item), key.code or "", key.reason or "", key.repetition


def _points_in_words(line: Line | None) -> str:
    """The points of a score line, with how often it counts, if it has such a count: `+600 (2)`.

    Empty for no line.
    """
    if line is None:
        return ""
    points = page_words().signed(line.points)
    is_going_out = line.item == "out"  # which always counts once
    if line.count is None or is_going_out:
        return points
    return t("history.cell", points=points, count=line.count)


def _points_of_new_line(line: Line) -> str:
    """The points of a score line of a hand that was counted for the first time: `−100`, or
    `−200 (2)` if the line counts twice.
    """
    if line.count == 1:  # beside no other count, this would tell nothing
        return page_words().signed(line.points)
    return _points_in_words(line)


# ---------------------------------------------------------------- players


@blueprint.get("/giocatori", endpoint="players")
def list_players() -> Response:
    """The names in the matches of the device. With a name as a parameter, the page of that player,
    whose name cannot be part of a path.
    """
    if NAMED in request.args:
        return show_player(request.args[NAMED])
    pad = get_pad()
    version = pad.tag_of_all(device_id())  # read before the matches, so that no change is missed
    players = []
    for player in pad.records.list_named_players(device_id()):
        if not is_default_name(player.name):
            players.append(player)
    return render_page(
        "history/players.html",
        title=t("history.players"),
        watch=watch_all(version, url_for("history.players")),
        players=players,
        player_url=player_url,
    )


@blueprint.get("/giocatori/<name>", endpoint="player")
def show_player(name: str) -> Response:
    """The matches and statistics of a player; all matches if the URL asks for them, else the last
    ones.
    """
    pad = get_pad()
    version = pad.tag_of_all(device_id())  # read before the matches, so that no change is missed
    player = pad.records.find_player(device_id(), name)
    if player is None:
        abort(404)
    page = PlayerPage(player=player, shows_all=ALL in request.args)
    return render_page(
        "history/player.html",
        title=player.name,
        watch=watch_all(version, page.url, gone_message=_message_when_gone()),
        player=player,
        page=page,
    )


def _message_when_gone() -> str:
    """What an open page says once it does not exist any more. JavaScript puts the time in the place
    of `{clock}`.
    """
    return t("history.gone", clock="{clock}")


@dataclass(frozen=True, kw_only=True)
class PlayerPage:
    """What the page of a player shows, and the texts that its template asks for."""

    player: Player
    shows_all: bool
    """Whether it shows all matches, or only the last ones."""
    results: tuple[Result, ...] = tuple(Result)

    @property
    def url(self) -> str:
        return player_url(self.player.name, shows_all=self.shows_all)

    @property
    def url_of_all(self) -> str:
        return player_url(self.player.name, shows_all=True)

    @property
    def matches(self) -> tuple[PlayedMatch, ...]:
        """The matches that the page shows, the last changed first."""
        if self.shows_all:
            return self.player.matches
        return self.player.matches[:MOST_SHOWN]

    @cached_property
    def summaries(self) -> dict[str, SummaryRecord]:
        """The summaries of all matches of the player, by the id of the match."""
        return {match.summary.id: match.summary for match in self.player.matches}

    @cached_property
    def game_names(self) -> dict[str, str]:
        """The name of the variant that was played in each match, by the id of the match."""
        return game_names(list(self.summaries.values()), page_words())

    @cached_property
    def variant_names(self) -> dict[str, str]:
        """The name of each variant that the player has played, by the id of the variant.

        House rules may have been renamed: then it is the name in the match that was changed last.
        """
        names: dict[str, str] = {}
        for match in self.summaries.values():  # the last changed first
            if match.variant not in names:
                names[match.variant] = self.game_names[match.id]
        return names

    def players_at_table(self, match: SummaryRecord) -> str:
        """Who played a match by the names of the players, and of sides without any: "Anna and Bea
        against Them". Empty if only the sides are named.
        """
        sides: list[str] = []
        has_players = False
        for position, side_name in enumerate(match.names):
            players: list[str] = []
            if match.players:  # without them the match has only names of sides
                players = names_of_players(match.players[position])
            if players:
                has_players = True
                sides.append(page_words().listing(players))
            else:
                sides.append(side_name)
        if not has_players:
            return ""
        return versus(sides, page_words())

    @property
    def counts_of_results(self) -> dict[Result, int]:
        """How many matches the player won, lost and so on; won and lost always, others only if they
        happened.
        """
        counts: dict[Result, int] = {}
        for result in self.results:
            count = sum(figures.results[result] for figures in self.player.units)
            if count or result in (Result.WON, Result.LOST):
                counts[result] = count
        return counts

    @property
    def figures_by_unit(self) -> list[Statistics]:
        """The figures of the player in points, and in units for games that count these, without those
        that have nothing to show yet.
        """
        shown = []
        for figures in self.player.units:
            averages = (figures.by_hand, figures.by_match)
            records = (figures.best, figures.highest)
            if any(figure is not None for figure in (*averages, *records)):
                shown.append(figures)
        return shown

    def title_of_figures(self, figures: Statistics) -> str:
        """The heading of the figures, with the unit if there are figures in several units."""
        if len(self.player.units) == 1:
            return t("history.points-title")
        return t(f"history.unit.{figures.unit}")

    def decided(self, statistics: Statistics) -> int:
        """How many matches were played to their end."""
        return sum(statistics.results[result] for result in DECIDED)

    def average(self, value: float, statistics: Statistics) -> str:
        """An average of these statistics in words: whole points, tenths of units."""
        pattern = "#,##0" if statistics.unit == "points" else "#,##0.0"
        text = format_decimal(value, pattern, locale=page_words().language.value)
        return text.replace("-", MINUS)


def player_url(name: str, *, shows_all: bool = False) -> str:
    """The URL of a player's page, with all matches or with the last ones.

    A name that browsers read as steps of a path, such as `..` or `a/b`, becomes a parameter.
    """
    whole = "1" if shows_all else None
    if "/" in name or not name.strip("."):
        return url_for("history.players", nome=name, tutte=whole)
    return url_for("history.player", name=name, tutte=whole)


# ---------------------------------------------------------------- one player under two names


class SamePlayerForm(PadForm):
    """The other name of a player, as stored in finished matches."""

    other = ChoiceField(lazy("history.same.other"))


@blueprint.route("/stessa-persona", methods=["GET", "POST"])
def same_player() -> Response:
    """Merge a player who was typed under two names, in the finished matches of the device."""
    player = get_pad().records.find_player(device_id(), request.args.get(NAMED, ""))
    if player is None:
        abort(404)
    finished = [match.summary for match in player.matches if match.summary.finished]
    form = SamePlayerForm()
    form.other.choices = _other_players(player.name)
    if form.validate_on_submit():
        other_name = form.other.data
        if not _is_in_any_match(other_name, finished):
            return _merge_players(finished, player.name, other_name, form.request_name)
        # Two people who sat at one table cannot be the same.
        add_error(form.other, t("history.same.together", one=player.name, other=other_name))
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


def _other_players(name: str) -> tuple[Choice, ...]:
    """The names of all players in the matches of the device but this one, to choose from."""
    choices = []
    for player in get_pad().records.list_named_players(device_id()):
        if not are_same_name(player.name, name) and not is_default_name(player.name):
            choices.append(Choice(player.name, player.name))
    return tuple(choices)


def _is_in_any_match(name: str, matches: Iterable[SummaryRecord]) -> bool:
    """Whether a player of this name has played in one of these matches."""
    for match in matches:
        for player in match.all_players:
            if are_same_name(player, name):
                return True
    return False


def _merge_players(
    matches: Iterable[SummaryRecord], name: str, new_name: str, request_id: RequestId
) -> Response:
    """Give a player another name in these matches, and go to the page of the player.

    That is the page under the new name, unless no match could be changed.
    """
    renamed = 0
    for match in matches:
        # Each match stores the change under a request id of its own.
        request_of_match = RequestId(f"{request_id}+{match.id}")
        if _rename_player(MatchId(match.id), name, new_name, request_of_match):
            renamed += 1
    notice(plural("history.same.done", renamed, name=new_name))
    return redirect(player_url(new_name if renamed else name), code=303)


def _rename_player(match: MatchId, name: str, new_name: str, request_id: RequestId) -> bool:
    """Give a player of a match another name; returns whether it was stored.

    It is not if this device may not write in the match, if the match has no player of that name, or
    if the names are refused.
    """
    pad = get_pad()
    try:
        labels = pad.state(match, device_id(), to_write=True).labels
        new_labels = _with_player_renamed(labels, name, new_name)
        if new_labels == labels:
            return False
        result = pad.actions.rename(request_id, match, device_id(), new_labels)
    except (MatchNotFound, NotAllowed):
        return False
    return isinstance(result, Saved)


def _with_player_renamed(labels: Labels, name: str, new_name: str) -> Labels:
    """The names of a match with another name for a player, also for a side that is named after that
    player.
    """
    names = _replace_name(labels.names, name, new_name)
    players = []
    for players_of_side in labels.players:
        players.append(_replace_name(players_of_side, name, new_name))
    return replace(labels, names=names, players=tuple(players))


def _replace_name(names: Iterable[str], name: str, new_name: str) -> tuple[str, ...]:
    """These names with another one in the place of `name`, however that is written: `ada`, `Ada`."""
    return tuple(new_name if are_same_name(each, name) else each for each in names)
