"""The audit of a match as a page: what was done day by day, when, on which device, and what was undone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import ClassVar

from flask import url_for

from scorepad.i18n import Words
from scorepad.matches.audit import Actor, AuditEntry
from scorepad.matches.projection import MatchState
from scorepad.web.frame import Page
from scorepad.web.history.counting import Say
from scorepad.web.history.telling import tell
from scorepad.web.labels import moment, versus
from scorepad.web.live.watching import watch

LONG_LOG = 12
"""Entries from which on the last one is worth a link of its own."""


@dataclass(frozen=True, slots=True)
class EntryRow:
    """An entry: when and on which device, what was done, what there is to say beside it.

    `undone` says when it was undone; empty where it stands.
    """

    anchor: str
    clock: str
    by: str
    what: str
    more: tuple[str, ...]
    undone: str


@dataclass(frozen=True, slots=True)
class Day:
    """The entries of a day."""

    id: str
    name: str
    entries: tuple[EntryRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditPage(Page):
    """Everything that was done in a match, the oldest first as on paper."""

    template: ClassVar[str] = "history/audit.html"
    back: str
    said: str
    days: tuple[Day, ...]
    last: str
    """Where the last entry stands, in a log too long to see its end at once; empty otherwise."""


def audit_page(state: MatchState, happened: Sequence[AuditEntry], words: Words) -> AuditPage:
    """The page of a match."""
    names = tuple(side.name for side in state.sides)
    return AuditPage(
        title=words.text("history.audit"),
        watch=watch(state, url_for("history.audit", match=state.id), words),
        back=url_for("matches.page", match=state.id),
        said=versus(names, words),
        days=tuple(_days(happened, state, words)),
        last=_anchor(happened[-1].sequence) if len(happened) >= LONG_LOG else "",
    )


def _days(happened: Sequence[AuditEntry], state: MatchState, words: Words) -> Iterator[Day]:
    undone = {each.sequence: each.at for each in happened}
    days = groupby(happened, key=lambda each: each.at.astimezone().date())
    for number, (day, entries) in enumerate(days, 1):
        yield Day(f"giorno-{number}", words.day(day), tuple(_row(each, undone, state, words) for each in entries))


def _row(happening: AuditEntry, at: Mapping[int, datetime], state: MatchState, words: Words) -> EntryRow:
    told = tell(happening, Say(words, happening.names, state))
    return EntryRow(
        anchor=_anchor(happening.sequence),
        clock=words.clock(happening.at.astimezone()),
        by=_by(happening.by, happening.names, words),
        what=told.what,
        more=told.more,
        undone="" if happening.undone is None else _undone(happening.at, at[happening.undone], words),
    )


def _undone(done: datetime, undone: datetime, words: Words) -> str:
    """When it was undone; with the day where that was another."""
    if done.astimezone().date() != undone.astimezone().date():
        return words.text("history.undone.later", when=moment(undone, words))
    return words.text("history.undone", clock=words.clock(undone.astimezone()))


def _anchor(sequence: int) -> str:
    return f"voce-{sequence}"


def _by(doer: Actor, names: tuple[str, ...], words: Words) -> str:
    """The device, and the side that it counts for."""
    device = _device(doer, words)
    if doer.side is None or doer.side >= len(names):
        return device
    return words.text("history.by.side", device=device, side=names[doer.side])


def _device(doer: Actor, words: Words) -> str:
    if doer.is_keeper:
        return words.text("history.by.keeper")
    if doer.number is None:
        # Only a browser with the home privilege does anything without ever having come in.
        return words.text("history.by.machine-mine" if doer.is_mine else "history.by.machine")
    if doer.is_mine:
        return words.text("history.by.mine", number=doer.number)
    return words.text("history.by.phone", number=doer.number)
