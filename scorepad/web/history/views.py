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
_SIDES_OF_SCORE = 2
"""The message `history.score` has places for so many totals."""
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
    """Show the log of a match: everything that was written in it, the oldest entry first.

    The template `history/events.html` has a macro for each kind of entry.
    """
    pad = get_pad()
    entries = pad.records.audit(match, device_id())
    state = load_match(match)
    words = page_words(state.rules)
    holders = pad.devices.list_holder_names(state.id, device_id())
    return render_page(
        "history/audit.html",
        title=t("history.audit"),  # "Match log"
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
        """Group the entries of the log by the day on which they were made, the first day first."""
        # The entries are in the order in which they were made, so those of a day stand together.
        for day, entries in groupby(self.entries, key=_find_day_of_entry):
            yield LogDay(self.words.day(day), list(entries))

    @cached_property
    def times(self) -> dict[int, datetime]:
        """When each entry was made, by its number in the log."""
        return {entry.sequence: entry.at for entry in self.entries}

    @property
    def linked_entry(self) -> int | None:
        """Find the entry to which the link "Go to the last thing written" leads: the last one.

        The link is at the top of a long log. None if the log is short, and needs no link.
        """
        if len(self.entries) < LONG_LOG:
            return None
        return self.entries[-1].sequence

    def describe_points(self, names: Sequence[str], before: Counted | None, after: Counted) -> str:
        """Say how many points each side got in a hand (a round of the game).

        - counted for the first time (`before` is None) → `We +530, They −60`
        - corrected → `We from +430 to +530, They still −60`
        """
        texts = []
        for position, name in enumerate(names):
            points = after.sides[position].points
            if before is None:
                texts.append(_describe_points_of_side(name, points))
            else:
                points_before = before.sides[position].points
                texts.append(_describe_change_of_points(name, points_before, points))
        return ", ".join(texts)

    def describe_totals(self, names: Sequence[str], totals: Sequence[int]) -> str:
        """Say which total each side has: `We 1,280, They −15`."""
        texts = []
        for name, total in zip(names, totals, strict=True):
            texts.append(t("history.points", side=name, points=self.words.figure(total)))
        return ", ".join(texts)

    def describe_totals_after(self, names: Sequence[str], counted: Counted) -> str:
        """Say which total each side has after a hand (a round of play): `We 1,280, They −15`."""
        totals = []
        for total_before, side in zip(counted.before, counted.sides, strict=True):
            totals.append(total_before + side.points)
        return self.describe_totals(names, totals)

    def list_changed_lines(
        self, names: Sequence[str], before: Counted | None, after: Counted
    ) -> list[ShownChange]:
        """List the lines of the score that an entry of the log shows below the points of a hand.

        A hand is a round of the game, and `before` and `after` are two counts of it, with the
        lines of each side. `names` are those of the sides.

        - the hand was corrected → each line that differs: `We`, `Red threes`, `+100`, `+200`
        - it was counted for the first time (`before` is None) → each line that the cards do not
          explain, such as a penalty: `We`, its name, nothing, `−100`
        """
        changes: list[ShownChange] = []
        for position, name in enumerate(names):
            if before is None:
                changes += self._list_lines_not_of_cards(name, position, after)
            else:
                changes += self._list_lines_that_differ(name, position, before, after)
        return changes

    def _list_lines_not_of_cards(
        self, side_name: str, position: int, counted: Counted
    ) -> Iterator[ShownChange]:
        """List the lines of a side's score that do not follow from its cards.

        These are agreed points, penalties and adjustments. The log shows them when a hand is
        counted for the first time, so that nobody wonders about them later. `position` is 0 for
        the first side.
        """
        lines = index_lines_by_key(counted.sides[position].lines, by_reason=True)
        for key in sorted(lines, key=_make_sort_key_of_line):
            if key.item not in _WITHOUT_CARDS:
                continue
            if key.code == HOUSE:
                continue  # a penalty that the players made up: the log shows it with its reason
            points = _write_points_of_first_count(lines[key])
            yield ShownChange(side_name, self._label(key, counted), before="", after=points)

    def _list_lines_that_differ(
        self, side_name: str, position: int, before: Counted, after: Counted
    ) -> Iterator[ShownChange]:
        """List the lines of a side's score that a correction of a hand changed, added or removed.

        A changed line → `We`, `Natural canastas`, `+300`, `+600`. A line that is gone has no text
        after, and a new one none before. `position` is 0 for the first side.
        """
        lines_before = before.sides[position].lines
        lines_after = after.sides[position].lines
        changes = find_line_changes(lines_before, lines_after, by_reason=True)
        for change in sorted(changes, key=lambda change: _make_sort_key_of_line(change.key)):
            is_gone = change.after is None
            count_with_line = before if is_gone else after
            yield ShownChange(
                side=side_name,
                item=self._label(change.key, count_with_line),
                before=_write_points_and_count(change.before),
                after=_write_points_and_count(change.after),
            )

    def _label(self, key: LineKey, counted: Counted) -> str:
        """Return the label of a line of the score, as on the sheet: "Natural canastas".

        `counted` is the count of the hand (round) that has the line. The bonus for playing the last
        card has another label if the side had laid nothing before its last turn ("concealed").
        """
        return label_line(
            key,
            self.words,
            concealed=went_out_concealed(counted.hand),
            variant=self.match.rules.variant,
        )


def _find_day_of_entry(entry: AuditEntry) -> date:
    """Return the day on which an entry was made, in the time zone of the program."""
    return entry.at.astimezone().date()


def _describe_points_of_side(name: str, points: int) -> str:
    """Say how many points a side got in a hand (a round of the game): `We +530`."""
    return t("history.points", side=name, points=page_words().signed(points))


def _describe_change_of_points(name: str, points_before: int, points: int) -> str:
    """Say how a correction changed the points of a side in a hand (a round of the game).

    - 430 and 530 → `We from +430 to +530`
    - 430 and 430 → `We still +430`
    """
    words = page_words()
    after = words.signed(points)  # with a sign: "+530"
    if points_before == points:
        return t("history.points.same", side=name, points=after)
    before = words.signed(points_before)
    return t("history.points.changed", side=name, before=before, after=after)


def _make_sort_key_of_line(key: LineKey) -> tuple[float, str, str, int]:
    """Return a sort key that puts lines of the score in the order in which the sheet shows them.

    Lines of one item, such as several penalties, are sorted by their code and their reason.
    """
    place_of_item = sort_by_item(key.item)
    return (place_of_item, key.code or "", key.reason or "", key.repetition)


def _write_points_and_count(line: Line | None) -> str:
    """Write the points of a line of the score, and how often it counts.

    - two canastas for 600 points → `+600 (2)`
    - a line without a number, such as agreed points → `+600`
    - no line → an empty text
    """
    if line is None:
        return ""
    points = page_words().signed(line.points)
    is_going_out = line.item == "out"  # only one player can go out, so the number is always 1
    if line.count is None or is_going_out:
        return points
    return t("history.cell", points=points, count=line.count)  # "{points} ({count})"


def _write_points_of_first_count(line: Line) -> str:
    """Write the points of a line of the score when its hand was counted for the first time.

    - a penalty that was given once → `−100`
    - a penalty that was given twice → `−200 (2)`

    A correction shows the number 1 too, to compare it with the number before.
    """
    if line.count == 1:
        return page_words().signed(line.points)
    return _write_points_and_count(line)


# ---------------------------------------------------------------- players


@blueprint.get("/giocatori", endpoint="players")
def list_players() -> Response:
    """Show the names of all players in the matches of this device, each with a link to a page.

    With a name as a parameter, `/giocatori?nome=a/b`, it shows the page of that player: some names
    cannot be part of a path.
    """
    if NAMED in request.args:
        return show_player(request.args[NAMED])
    pad = get_pad()
    version = pad.tag_of_all(device_id())  # read before the matches, so that no change is missed
    players = []
    for player in pad.records.list_named_players(device_id()):
        if not is_default_name(player.name):  # "We" and "Player 1" are no names of people
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
    """Show the matches and statistics of a player; 404 if no match of this device has the name.

    The page has the last matches only, or all of them with the parameter `tutte` ("all").
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
        watch=watch_all(version, page.url, gone_message=_write_message_when_gone()),
        player=player,
        page=page,
    )


def _write_message_when_gone() -> str:
    """Return what an open page of a player says once the player is in no match any more.

    "This player is no longer in the matches of this phone … What you see is as of {clock}." The
    script of the page puts the time in the place of `{clock}`.
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
        """The matches that the page shows, all or only the last ones, the last changed first."""
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
        """Map the id of each game that the player has played to its name: `{"samba": "Samba"}`.

        Players may have renamed their own house rules. Then it is the name in the match that was
        changed last.
        """
        names: dict[str, str] = {}
        for match in self.summaries.values():  # the last changed first
            if match.variant not in names:
                names[match.variant] = self.game_names[match.id]
        return names

    def players_at_table(self, match: SummaryRecord) -> str:
        """Say who played a match, for the list of a player's matches.

        - the players have names → "Anna and Bea vs. Carl and Dan"
        - only one side has players with names → "Anna and Bea vs. They"
        - no player has a name → empty: the names of the sides alone say nothing
        """
        if not match.players:
            return ""
        sides: list[str] = []
        has_players = False
        for side_name, players_of_side in zip(match.names, match.players, strict=True):
            players = names_of_players(players_of_side)  # without those who have no name
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
        """Count the matches of the player by their result: `{WON: 3, LOST: 0, DRAWN: 1}`.

        Won and lost are always there. Other results, such as broken off, only if they happened.
        """
        counts: dict[Result, int] = {}
        for result in self.results:
            # There are statistics for matches in points, and others for those in small units.
            count = sum(statistics.results[result] for statistics in self.player.units)
            is_always_shown = result in (Result.WON, Result.LOST)
            if count > 0 or is_always_shown:
                counts[result] = count
        return counts

    @property
    def figures_by_unit(self) -> list[Statistics]:
        """List the statistics of the player that have something to show.

        Some games are scored in points and some in units, and each has statistics of its own.
        Before the first hand is counted there are no averages and no records in it.
        """
        shown = []
        for statistics in self.player.units:
            averages = (statistics.by_hand, statistics.by_match)
            records = (statistics.best, statistics.highest)
            has_figures = any(figure is not None for figure in (*averages, *records))
            if has_figures:
                shown.append(statistics)
        return shown

    def title_of_figures(self, figures: Statistics) -> str:
        """Return the heading above some statistics of the player.

        "The points" if there are no others, else with their unit: "Matches in points".
        """
        if len(self.player.units) == 1:
            return t("history.points-title")
        return t(f"history.unit.{figures.unit}")

    def list_results(self, statistics: Statistics) -> list[str]:
        """List how the matches ended for the player, in words: `["3 won", "1 lost"]`.

        A result that never happened is left out.
        """
        texts = []
        for result in self.results:
            count = statistics.results[result]
            if count > 0:
                texts.append(page_words().plural(f"history.count.{result}", count))
        return texts

    def write_score(self, match: SummaryRecord) -> str:
        """Write the totals of a match: "1,205 to 980", or for three sides "1,205, 980 and 80"."""
        totals = [page_words().figure(total) for total in match.totals]
        if len(totals) == _SIDES_OF_SCORE:
            return t("history.score", one=totals[0], other=totals[1])
        return page_words().listing(totals)

    def decided(self, statistics: Statistics) -> int:
        """Count the matches that were played to their end."""
        return sum(statistics.results[result] for result in DECIDED)

    def average(self, value: float, statistics: Statistics) -> str:
        """Write an average: whole points (`1,280`), but tenths of the small units (`2.5`)."""
        pattern = "#,##0.0"  # a pattern of Babel
        if statistics.unit == "points":
            pattern = "#,##0"
        text = format_decimal(value, pattern, locale=page_words().language.value)
        return text.replace("-", MINUS)


def player_url(name: str, *, shows_all: bool = False) -> str:
    """Make the URL of a player's page, with all matches or only with the last ones.

    - `Anna` → `/giocatori/Anna`
    - `..` and `a/b`, which browsers read as steps of a path → `/giocatori?nome=..`
    """
    all_matches = "1" if shows_all else None  # the parameter `tutte`
    has_only_dots = not name.strip(".")
    if "/" in name or has_only_dots:
        return url_for("history.players", nome=name, tutte=all_matches)
    return url_for("history.player", name=name, tutte=all_matches)


# ---------------------------------------------------------------- one player under two names


class SamePlayerForm(PadForm):
    """The other name of a player, as stored in finished matches."""

    other = ChoiceField(lazy("history.same.other"))


@blueprint.route("/stessa-persona", methods=["GET", "POST"], endpoint="same_player")
def merge_two_names() -> Response:
    """Merge two players who are one person, typed as "Anna" in one match and as "Anne" in another.

    The form asks for the name that stays. The player of the URL then gets that name in all finished
    matches of this device. It is refused if both names played in one match: they are two people.
    """
    player = get_pad().records.find_player(device_id(), request.args.get(NAMED, ""))
    if player is None:
        abort(404)
    finished_matches = [match.summary for match in player.matches if match.summary.finished]

    form = SamePlayerForm()
    form.other.choices = _list_other_players(player.name)
    if form.validate_on_submit():
        other_name = form.other.data
        are_two_people = _is_in_any_match(other_name, finished_matches)
        if not are_two_people:
            return _merge_players(finished_matches, player.name, other_name, form.request_name)
        # On the page: "Anna and Anne played in the same match: they are two people."
        add_error(form.other, t("history.same.together", one=player.name, other=other_name))
        form.status = CONFLICT

    return render_page(
        "history/same_player.html",
        title=t("history.same.title", name=player.name),
        has_form=True,
        form=form,
        player=player,
        finished=len(finished_matches),
        back=player_url(player.name),
    )


def _list_other_players(name: str) -> tuple[Choice, ...]:
    """List the other players in the matches of this device, as choices of a form.

    Left out are the player with this name, however it is written (`ada`, `Ada`), and names such as
    "Player 1", which are no people.
    """
    choices = []
    for player in get_pad().records.list_named_players(device_id()):
        if are_same_name(player.name, name) or is_default_name(player.name):
            continue
        choices.append(Choice(player.name, player.name))
    return tuple(choices)


def _is_in_any_match(name: str, matches: Iterable[SummaryRecord]) -> bool:
    """Tell whether a player of this name, however it is written, played in one of these matches."""
    for match in matches:
        for player in match.all_players:
            if are_same_name(player, name):
                return True
    return False


def _merge_players(
    matches: Iterable[SummaryRecord], name: str, new_name: str, request_id: RequestId
) -> Response:
    """Rename a player in these matches, and redirect to the player's page under the new name.

    A notice there says how many matches were changed: "2 matches are now under Anne." If none could
    be, it is still the page under the old name.
    """
    number_of_renamed = 0
    for match in matches:
        # Each match stores the change under a request id of its own.
        request_of_match = RequestId(f"{request_id}+{match.id}")
        if _rename_player(MatchId(match.id), name, new_name, request_of_match):
            number_of_renamed += 1
    notice(plural("history.same.done", number_of_renamed, name=new_name))
    name_now = new_name if number_of_renamed > 0 else name
    return redirect(player_url(name_now), code=303)


def _rename_player(match: MatchId, name: str, new_name: str, request_id: RequestId) -> bool:
    """Rename a player in one match, and tell whether that was stored.

    - this device may not write in the match, or the match is gone → False
    - the match has no player of that name → False
    - its services refuse the new names → False
    - anything else → True
    """
    pad = get_pad()
    try:
        labels = pad.state(match, device_id(), to_write=True).labels
        new_labels = _rename_player_in_labels(labels, name, new_name)
        if new_labels == labels:
            return False
        result = pad.actions.rename(request_id, match, device_id(), new_labels)
    except (MatchNotFound, NotAllowed):
        return False
    return isinstance(result, Saved)


def _rename_player_in_labels(labels: Labels, name: str, new_name: str) -> Labels:
    """Return the names of a match with a player renamed.

    A side that is called by the player's name, as where each plays alone, is renamed too.
    """
    names = _replace_name(labels.names, name, new_name)
    players = []
    for players_of_side in labels.players:
        players.append(_replace_name(players_of_side, name, new_name))
    return replace(labels, names=names, players=tuple(players))


def _replace_name(names: Iterable[str], name: str, new_name: str) -> tuple[str, ...]:
    """Replace a name in a list, however it is written there.

    `("ada", "Bea")`, `Ada`, `Adele` → `("Adele", "Bea")`.
    """
    replaced = []
    for old_name in names:
        is_meant = are_same_name(old_name, name)
        replaced.append(new_name if is_meant else old_name)
    return tuple(replaced)
