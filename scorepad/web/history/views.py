"""The log of a match, the list of the players, and the page of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from babel.numbers import format_decimal
from flask import Blueprint, abort, redirect, request, url_for
from werkzeug.wrappers import Response

from scorepad.i18n import Words
from scorepad.i18n.catalogue import MINUS
from scorepad.matches.access import MatchId, MatchNotFound, NotAllowed, RequestId
from scorepad.matches.events import Labels
from scorepad.matches.history import (
    DECIDED,
    AuditEntry,
    PlayedMatch,
    Player,
    Result,
    Statistics,
)
from scorepad.matches.names import are_same_name
from scorepad.matches.transaction import Saved
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
from scorepad.web.history.log_texts import LogTexts, ShownEntry
from scorepad.web.presenters import game_names, is_default_name, names_of_players, versus
from scorepad.web.watching import watch, watch_all

blueprint = Blueprint("history", __name__)
LONG_LOG = 12
"""Minimum entries for a link to the last one."""
_SIDES_OF_SCORE = 2
"""The message `history.score` has places for so many totals."""
MOST_SHOWN = 30
"""Matches of a player shown at once."""
ALL = "tutte"
"""The URL parameter that asks for all matches of a player."""
NAMED = "nome"
"""The URL parameter with the name of a player, where the name cannot be part of the path."""


# ---------------------------------------------------------------- the log of a match


@blueprint.get("/partite/<match>/registro", endpoint="audit")
def show_log(match: MatchId) -> Response:
    """Show the log of a match: everything that was written in it, the oldest entry first."""
    pad = get_pad()
    entries = pad.records.audit(match, device_id())
    state = load_match(match)
    words = page_words(state.rules)
    holders = pad.devices.list_holder_names(state.id, device_id())
    texts = LogTexts(state, words, entries, holders)
    return render_page(
        "history/audit.html",
        title=t("history.audit"),  # "Match log"
        watch=watch(state),
        words=words,
        match=state,
        linked_entry=_find_linked_entry(entries),
        days=_group_by_day(entries, texts, words),
    )


class LogDay(NamedTuple):
    """What happened in a match on one day."""

    day: str
    """The day in words."""
    entries: list[ShownEntry]


def _group_by_day(entries: Iterable[AuditEntry], texts: LogTexts, words: Words) -> Iterator[LogDay]:
    """Group the entries of a log by the day on which they were made, the first day first."""
    # The entries are in the order in which they were made, so those of a day stand together.
    for day, entries_of_day in groupby(entries, key=_find_day_of_entry):
        yield LogDay(words.day(day), [texts.show_entry(entry) for entry in entries_of_day])


def _find_linked_entry(entries: Sequence[AuditEntry]) -> int | None:
    """Find the entry to which the link "Go to the last thing written" leads: the last one.

    The link is at the top of a long log. None if the log is short, and needs no link.
    """
    if len(entries) < LONG_LOG:
        return None
    return entries[-1].sequence


def _find_day_of_entry(entry: AuditEntry) -> date:
    """Return the day on which an entry was made, in the time zone of the program."""
    return entry.at.astimezone().date()


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
            # Matches of games in points and of games in units have statistics of their own.
            count = 0
            for statistics in self.player.units:
                count += statistics.results[result]
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
            number = _rename_in_matches(
                finished_matches, player.name, other_name, form.request_name
            )
            return _report_renamed(number, player.name, other_name)
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


def _rename_in_matches(
    matches: Iterable[SummaryRecord], name: str, new_name: str, request_id: RequestId
) -> int:
    """Rename a player in these matches, where that is possible; return in how many it was."""
    number_of_renamed = 0
    for match in matches:
        # Each match stores the change under a request id of its own.
        request_of_match = RequestId(f"{request_id}+{match.id}")
        if _rename_player(MatchId(match.id), name, new_name, request_of_match):
            number_of_renamed += 1
    return number_of_renamed


def _report_renamed(number_of_matches: int, name: str, new_name: str) -> Response:
    """Redirect to the page of a player who was renamed in so many matches, with a notice of it.

    "2 matches are now under Anne." If there is none, the player still has the old name.
    """
    notice(plural("history.same.done", number_of_matches, name=new_name))
    name_now = new_name if number_of_matches > 0 else name
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
