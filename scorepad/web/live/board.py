"""The match in large figures, as values: for a tablet in the middle of the table, or a television."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from flask import url_for

from scorepad.i18n import Words
from scorepad.matches.projection import MatchState, SideState
from scorepad.sheets.result import ended_of, ending_to_come
from scorepad.web.course.penalties import told_in_short
from scorepad.web.frame import Page
from scorepad.web.labels import player, versus
from scorepad.web.live.watching import watch

SHORT = 6
LONG = 14
"""Letters up to which a name stands large, and beyond which it stands small."""
_HALVES = {".": 1, ",": 1, "\N{MINUS SIGN}": 3}
"""How wide a character of a figure is, in halves of a digit."""
LEAST_HALVES, MOST_HALVES = 4, 24
"""Which the style sheet knows."""


@dataclass(frozen=True, slots=True)
class BoardSide:
    """A side on the board. `size` is that of its name: `short`, `usual` or `long`; `minimum` empty where none holds."""

    name: str
    size: str
    total: str
    minimum: str
    won: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardPage(Page):
    """The board."""

    template: ClassVar[str] = "live/board.html"
    sides: tuple[BoardSide, ...]
    width: int
    """Of the widest total, in halves of a digit."""
    facts: tuple[str, ...]
    """Which hand comes, who deals, who leads, what waits; of a finished match how it ended."""
    rematch: str
    """Where the board of the rematch is; empty where none has begun."""
    back: str


def board_page(state: MatchState, words: Words) -> BoardPage:
    """The board of a match as it stands."""
    names = [side.name for side in state.sides]
    return BoardPage(
        title=words.text("live.board.title", names=versus(names, words)),
        watch=watch(state, url_for("live.board", match=state.id), words),
        sides=tuple(_side(side, state.standing.winner == place, words) for place, side in enumerate(state.sides)),
        width=_width(state, words),
        facts=_ended(state, words) if state.standing.finished else _facts(state, words),
        rematch=url_for("live.board", match=state.rematch) if state.rematch else "",
        back=url_for("matches.page", match=state.id),
    )


def _side(side: SideState, won: bool, words: Words) -> BoardSide:
    size = "short" if len(side.name) <= SHORT else "long" if len(side.name) > LONG else "usual"
    minimum = "" if side.minimum is None else words.figure(side.minimum)
    return BoardSide(side.name, size, words.figure(side.total), minimum, won)


def _width(state: MatchState, words: Words) -> int:
    figures = (words.figure(side.total) for side in state.sides)
    widest = max(sum(_HALVES.get(character, 2) for character in figure) for figure in figures)
    return max(LEAST_HALVES, min(MOST_HALVES, widest))


def _ended(state: MatchState, words: Words) -> tuple[str, ...]:
    ended = ended_of(state, words)
    return ended.sentence, ended.how, *_to_check(state, words)


def _facts(state: MatchState, words: Words) -> tuple[str, ...]:
    dealer = words.text("live.board.deals", player=player(state.next_turn.dealer, state.sides, words))
    hand = words.text("live.board.hand", number=state.coming)
    practice = words.text("live.board.practice") if state.practice else ""
    waits = (told_in_short(state, words), *_to_check(state, words), ending_to_come(state, words))
    return tuple(filter(None, (hand, dealer, _leads(state, words), *waits, practice)))


def _to_check(state: MatchState, words: Words) -> Iterator[str]:
    """The hands of which one of two counts is to be chosen, and those that wait for the other side's word."""
    contested = [state.called(hand.number) for hand in state.hands if hand.checked.contest]
    waiting = [state.called(hand.number) for hand in state.hands if hand.checked.waits and not hand.checked.contest]
    for key, numbers in (("live.board.contested", contested), ("live.board.waits", waiting)):
        if numbers:
            yield words.text(key, numbers=words.listing(map(words.figure, numbers)))


def _leads(state: MatchState, words: Words) -> str:
    """Who leads, and by how much; empty before anybody has a point more or less."""
    first, second, *_ = ranked = sorted(state.sides, key=lambda side: side.total, reverse=True)
    if first.total != second.total:
        key = "live.board.leads" if len(ranked) == 2 else "live.board.leads-over"  # noqa: PLR2004 - two sides
        return words.text(key, side=first.name, points=first.total - second.total, other=second.name)
    if not any(side.total for side in ranked):
        return ""
    level = [side.name for side in state.sides if side.total == first.total]
    return words.text("live.board.level", sides=words.listing(level))
