"""What the match sheet says below the table: penalties with their reasons, doubts, corrections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scorepad.i18n.findings import message
from scorepad.pad.paper_words import LineKey, PaperWords, keyed
from scorepad.pad.values import SIDE_KEYS, HandVersion, MatchState
from scorepad.rules.loader import Penalty
from scorepad.rules.score import Line
from scorepad.sheets import Cell, Change, Correction, Doubt, Remark


def penalties(state: MatchState, say: PaperWords) -> Iterator[Remark]:
    """Every penalty and every agreed correction of points, each with what was said of it."""
    for hand in state.hands:
        counted = hand.versions[-1].hand["sides"]
        for name, key in zip(say.names, SIDE_KEYS, strict=False):
            side = counted.get(key, {})
            for given in side.get("penalties", ()):
                yield _penalty(hand.number, name, given, state.rules.penalties, say)
            for agreed in side.get("adjustments", ()):
                what = say.words.text("item.adjustment")
                yield Remark(hand.number, name, what, agreed["points"], say.free(agreed["reason"]))


def _penalty(
    number: int, side: str, given: str | Mapping[str, Any], known: Mapping[str, Penalty], say: PaperWords
) -> Remark:
    own: Mapping[str, Any] = {"code": given} if isinstance(given, str) else given
    rule = known[own["code"]]
    points = own.get("points") if rule.points is None else rule.points
    places = rule.cited.citations
    return Remark(
        number=number,
        side=side,
        what=say.words.text(f"penalty.{rule.code}"),
        points=None if points is None else -points,
        reason=say.free(own.get("reason") or ""),
        source=say.source(str(places[0])) if places else "",
    )


def doubts(state: MatchState, say: PaperWords) -> Iterator[Doubt]:
    """The rules that hands only break since an earlier one was corrected."""
    for hand in state.hands:
        for doubt in hand.doubts:
            source = say.source(doubt.sources[0]) if doubt.sources else ""
            yield Doubt(hand.number, message(doubt, say.names, say.words), source)


def corrections(state: MatchState, say: PaperWords) -> Iterator[Correction]:
    """Every time that a hand was counted again."""
    for hand in state.hands:
        for before, after in zip(hand.versions, hand.versions[1:], strict=False):
            changes = tuple(_changes(before, after, say))
            yield Correction(hand.number, after.at.astimezone(), say.free(after.note), changes)


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
