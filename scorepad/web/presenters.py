"""How pages name and show a match, its sides and its players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from markupsafe import Markup

from scorepad.i18n import Language, Words, words
from scorepad.matches.access import Access
from scorepad.matches.projection import MatchState
from scorepad.rules.judging import Seat
from scorepad.sheets.chart import chart_svg, running_chart
from scorepad.sheets.printed_names import joined
from scorepad.storage.rows import SummaryRecord
from scorepad.web.base import app_state, device_id, get_pad


def versus(names: Sequence[str], words: Words) -> str:
    """Who plays: `Noi contro Loro`; `Anna, Bea e Carlo`."""
    if list(names) == [words.t("web.side.noi"), words.t("web.side.loro")]:
        return words.t("web.versus.unnamed")
    if len(names) == 2:  # noqa: PLR2004 - two sides
        return words.t("web.versus", one=names[0], other=names[1])
    return words.listing(names)


def own_side_first(state: MatchState) -> tuple[int, ...]:
    """The positions of the sides in the display order of this device: its own side first."""
    return tuple(sorted(range(len(state.sides)), key=lambda position: position != state.own_side))


def player_name(seat: Seat, number: int | None = None, *, state: MatchState, words: Words) -> str:
    """A player at the table, now or in a hand: by name and side; if unnamed, by number in the side."""
    position, index = seat
    side = state.sides[position]
    if len(side.players) == 1:
        return side.name
    name = side.players[index] if number is None else state.sat(seat, number)
    if name and side.name == joined(side.players):
        return name
    if name:
        return words.t("web.seat.named", player=name, side=side.name)
    return words.t("web.seat.unnamed", side=side.name, seat=index + 1)


def game_names(matches: Sequence[SummaryRecord], words: Words) -> dict[str, str]:
    """The name of the game of each match, by the match's id; rules of a table's own have theirs."""
    own_rules = get_pad().rules_of_own_variants(matches)
    names = {}
    for match in matches:
        key = f"variant.{match.variant}.name"
        of_match = words.with_rules(own_rules[match.id]) if match.id in own_rules else words
        names[match.id] = of_match.t(key) if of_match.has(key) else match.variant
    return names


def moment(when: datetime, words: Words) -> str:
    """A day and time in the server's time zone."""
    local = when.astimezone()
    return words.t("web.moment", day=words.day(local), clock=words.clock(local))


def default_names(side_sizes: Sequence[int], words: Words) -> tuple[str, ...]:
    """The names of unnamed sides: Noi and Loro for pairs."""
    if len(side_sizes) == 2 and max(side_sizes) > 1:  # noqa: PLR2004 - two sides
        return words.t("web.side.noi"), words.t("web.side.loro")
    return tuple(words.t("web.side.player", number=number + 1) for number in range(len(side_sizes)))


def is_default_name(name: str) -> bool:
    """Whether a name is empty, or a default name of the form, in any language."""
    name = name.strip()
    if not name:
        return True
    for language in Language:
        for side_sizes in ((2, 2), (1, 1, 1)):
            if name in default_names(side_sizes, words(language)):
                return True
    return False


def hand_anchor(number: int) -> str:
    """The id of a hand on the page of its match."""
    return f"smazzata-{number}"


def reachable(state: MatchState) -> MatchState:
    """The match without its rematch, if that was deleted or this device cannot access it."""
    if state.rematch and get_pad().access(state.rematch, device_id()) is Access.NONE:
        return replace(state, rematch=None)
    return state


def chart_of(state: MatchState, words: Words) -> Markup:
    """The chart of the totals, for a page with `share.css`; empty before the first hand. Cached by
    log entry.
    """
    if not state.hands:
        return Markup()
    cache = app_state().shown
    key = ("chart", state.id, state.sequence, state.names, words.language)
    cached = cache.get(key)
    if cached:
        return cached
    svg = Markup(chart_svg(running_chart(state, words.language)))  # noqa: S704 - it escapes what people wrote
    return cache.put(key, Markup('<div class="chart">{}</div>').format(svg))
