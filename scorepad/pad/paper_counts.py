"""How far each hand is agreed to, on the match sheet: corrections, two countings side by side, confirmations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

from scorepad.pad.lines import LineKey, keyed
from scorepad.pad.paper_words import PaperWords
from scorepad.pad.values import HandState, HandVersion, MatchState
from scorepad.rules.score import Line
from scorepad.sheets import Cell, Change, Correction


def corrections(state: MatchState, say: PaperWords) -> Iterator[Correction]:
    """Every time that a hand was counted again, and that counting held."""
    for hand in state.hands:
        for before, after in zip(hand.versions, hand.versions[1:], strict=False):
            yield _correction(hand, before, after, say)


def contests(state: MatchState, say: PaperWords) -> Iterator[Correction]:
    """The hands that the other side counted otherwise, as long as nobody has chosen between the two countings."""
    for hand in state.hands:
        if hand.checked.contest is not None:
            yield _correction(hand, hand.versions[-1], hand.checked.contest, say)


def checked(state: MatchState, hand: HandState, say: PaperWords) -> str:
    """How far the other side is with checking a hand; empty where nobody checks it."""
    if hand.checked.contest is not None:
        return say.words.text("sheets.contested")
    if hand.checked.confirmed is not None:
        return _confirmed(hand.checked.confirmed.astimezone(), state.started.astimezone(), say)
    return say.words.text("sheets.waits") if hand.checked.waits else ""


def _confirmed(at: datetime, started: datetime, say: PaperWords) -> str:
    """When a hand was confirmed; the day of the match stands in the head of the sheet."""
    clock = say.words.clock(at)
    if at.date() == started.date():
        return say.words.text("sheets.confirmed", clock=clock)
    return say.words.text("sheets.confirmed-later", day=say.words.day(at), clock=clock)


def _correction(hand: HandState, before: HandVersion, after: HandVersion, say: PaperWords) -> Correction:
    changes = tuple(_changes(before, after, say))
    return Correction(say.number(hand.number), after.at.astimezone(), say.free(after.note), changes)


def _changes(before: HandVersion, after: HandVersion, say: PaperWords) -> Iterator[Change]:
    for name, was, now in zip(say.names, before.sides, after.sides, strict=True):
        old, new = keyed(was), keyed(now)
        for key in dict.fromkeys((*old, *new)):
            change = Change(name, _what(key, before, after, new, say), _cell(old.get(key)), _cell(new.get(key)))
            if change.before != change.after:
                yield change
        sums = [Cell(None, sum(line.points for line in lines)) for lines in (was, now)]
        if sums[0] != sums[1]:
            yield Change(name, say.words.text("sheets.hand-total"), *sums)


def _what(key: LineKey, before: HandVersion, after: HandVersion, new: Mapping[LineKey, Line], say: PaperWords) -> str:
    return say.what(key, (after if key in new else before).hand)


def _cell(line: Line | None) -> Cell | None:
    return None if line is None else Cell(line.count, line.points)
