"""The match page as values: the card with its two columns, what comes next, and the hands as on paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from markupsafe import Markup

from scorepad.sheets.result import Ended
from scorepad.web.frame import Page
from scorepad.web.matches.forms import UndoForm
from scorepad.web.matches.hands import Awaited


@dataclass(frozen=True, slots=True)
class Column:
    """A side at the head of the card. `minimum` is empty where none is asked or no hand is to come."""

    name: str
    is_long: bool
    """A name that needs smaller letters."""
    players: str
    total: str
    is_wide: bool
    """A total that needs smaller figures."""
    minimum: str
    why: str
    distance: str
    won: bool


@dataclass(frozen=True, slots=True)
class Fact:
    """Something to know before the coming hand, and what there is to say beside it."""

    name: str
    value: str
    more: str = ""


@dataclass(frozen=True, slots=True)
class Coming:
    """The hand to come: the button that leads to it, and what the table must know."""

    title: str
    button: str
    facts: tuple[Fact, ...]
    resting: str
    noted: str
    """The penalties noted in it so far; empty where there are none."""
    rulings: tuple[str, ...]
    """The rulings of the referee kept with it so far."""


@dataclass(frozen=True, slots=True)
class Doubtful:
    """A hand in doubt: what it is called, where it stands on the page, and why."""

    title: str
    anchor: str
    why: str


@dataclass(frozen=True, slots=True)
class Link:
    """Where else there is something about the match."""

    url: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPage(Page):
    """A match."""

    template: ClassVar[str] = "matches/page.html"
    id: str
    columns: tuple[Column, ...]
    ended: Ended | None
    level: bool
    """Equal beyond the target: the match goes on."""
    coming: Coming | None
    hands: Markup
    """The rows of the counted hands, empty before the first."""
    carried: tuple[str, ...]
    """The totals taken over from paper; empty where there are none."""
    undo: str
    """What would be undone; empty where there is nothing."""
    undo_asks: bool
    """The other side had agreed to it: a page asks why."""
    form: UndoForm
    doubtful: tuple[Doubtful, ...]
    """The hands that a correction left in doubt."""
    rules: tuple[Fact, ...]
    game: str
    """Where the game is told; empty where it is no longer among the games."""
    said: str
    """Which game, where and when."""
    can_write: bool
    practice: bool
    to_come: str
    """An end that the table agreed and that is still to come."""
    awaited: tuple[Awaited, ...]
    rematch: str
    """Where the rematch is; empty where none has begun."""
    links: Markup
    """Where else there is something about the match."""
    chart: Markup
    """The running totals of a finished match."""
