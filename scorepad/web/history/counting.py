"""A counting of a hand in words: what each side made, what a correction changed, what the table agreed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from operator import add

from scorepad.i18n import Words
from scorepad.i18n.findings import fact
from scorepad.matches.access import SIDE_KEYS
from scorepad.matches.audit import AuditEntry
from scorepad.matches.events import Contest, Counted
from scorepad.matches.projection import MatchState
from scorepad.rules.entries import HOUSE
from scorepad.rules.score import ITEMS, Line
from scorepad.web.wording import line_word

_FROM_THE_TABLE = ("sum", "penalty", "adjustment")
"""Items that do not come from the cards."""
_Key = tuple[str, str | None, str | None]


@dataclass(frozen=True, slots=True)
class Say:
    """What it takes to tell something of a match: the words, what the sides were called then, the match."""

    words: Words
    names: tuple[str, ...]
    state: MatchState

    @property
    def variant(self) -> str:
        """The variant that is played."""
        return self.state.rules.variant


def counted_what(done: AuditEntry, say: Say) -> str:
    """A hand counted for the first time, corrected, or counted by the other side beside it."""
    counted, before, words = done.event, done.before, say.words
    assert isinstance(counted, Counted), counted
    is_contest = isinstance(counted, Contest)
    if before is None or is_contest:
        key = "history.contest" if is_contest else "history.hand"
        return words.text(key, number=counted.deal, points=points_made(counted, say))
    return words.text("history.correction", number=counted.deal, points=points_changed(before, counted, say))


def counted_more(done: AuditEntry, say: Say) -> Iterator[str]:
    """What there is to say beside it."""
    counted, before, words = done.event, done.before, say.words
    assert isinstance(counted, Counted), counted
    if before is None:
        yield _totals(counted, say)
        yield from _from_the_table(counted, say)
    else:
        yield from changes(before, counted, say)
    old = set() if before is None else set(_house_penalties(before, say))
    yield from (told for told in _house_penalties(counted, say) if told not in old)
    if _has_sum(counted):
        yield words.text("history.not-checked")
    if counted.agreed:
        yield words.text("checking.agreed", reason=counted.agreed)
        yield from (fact(finding, say.names, words) for finding in counted.findings if finding.is_error)
    if counted.remark and (before is None or before.remark != counted.remark):
        yield words.text("checking.remark", text=counted.remark)
    if counted.note:
        yield words.text("history.note", note=counted.note)


def points_made(counted: Counted, say: Say) -> str:
    """What each side made: `Noi +430, Loro −60`."""
    return ", ".join(
        say.words.text("history.points", side=name, points=say.words.signed(side.points))
        for name, side in zip(say.names, counted.sides, strict=True)
    )


def points_changed(before: Counted, after: Counted, say: Say) -> str:
    """What each side made before and makes now: `Noi da +430 a +530, Loro sempre −60`."""
    sides = zip(say.names, before.sides, after.sides, strict=True)
    return ", ".join(_points(name, old.points, new.points, say.words) for name, old, new in sides)


def _points(name: str, before: int, after: int, words: Words) -> str:
    if before == after:
        return words.text("history.points.same", side=name, points=words.signed(after))
    return words.text("history.points.changed", side=name, before=words.signed(before), after=words.signed(after))


def changes(before: Counted, after: Counted, say: Say) -> Iterator[str]:
    """The lines of the score that are others, with what they were."""
    found = [told for side in range(len(say.names)) for told in _changes_of(side, before, after, say)]
    yield from found or [say.words.text("history.changed.nothing")]


def _changes_of(side: int, before: Counted, after: Counted, say: Say) -> Iterator[str]:
    old, new = (_by_key(counted.sides[side].lines) for counted in (before, after))
    for key in sorted({*old, *new}, key=lambda key: (ITEMS.index(key[0]), key[1] or "", key[2] or "")):
        was, now = (_cells(each.get(key, []), say.words) for each in (old, new))
        if was != now:
            change = "changed" if was and now else "added" if now else "gone"
            item = _item(new[key][0], after, say) if now else _item(old[key][0], before, say)
            yield say.words.text(
                f"history.changed.{change}", side=say.names[side], item=item, before=was or "", after=now or ""
            )


def _by_key(lines: tuple[Line, ...]) -> Mapping[_Key, list[Line]]:
    kept: dict[_Key, list[Line]] = {}
    for line in lines:
        kept.setdefault((line.item, line.code, line.reason), []).append(line)
    return kept


def _cells(lines: list[Line], words: Words) -> str:
    """Points, and how many of what, where that is counted: `+600 (2)`; empty for no line."""
    return ", ".join(
        words.signed(line.points)
        if line.count is None or line.item == "out"
        else words.text("history.cell", points=words.signed(line.points), count=line.count)
        for line in lines
    )


def _item(line: Line, counted: Counted, say: Say) -> str:
    concealed = bool((counted.hand.get("out") or {}).get("concealed"))
    return line_word(line, say.words, concealed=concealed, variant=say.variant)


def _totals(counted: Counted, say: Say) -> str:
    """The totals after the hand, as they stood when it was counted."""
    after = map(add, counted.before, (side.points for side in counted.sides))
    return say.words.text("history.totals", totals=totals_told(say.names, after, say.words))


def totals_told(names: Iterable[str], totals: Iterable[int], words: Words) -> str:
    """Totals of the sides: `Noi 1.280, Loro −15`."""
    sides = zip(names, totals, strict=True)
    return ", ".join(words.text("history.points", side=name, points=words.figure(total)) for name, total in sides)


def _from_the_table(counted: Counted, say: Say) -> Iterator[str]:
    """Sums, penalties of the rules and adjustments: what no card shows."""
    for name, side in zip(say.names, counted.sides, strict=True):
        for line in side.lines:
            if line.item in _FROM_THE_TABLE and line.code != HOUSE:
                shown = replace(line, count=None) if line.count == 1 else line
                item, points = _item(line, counted, say), _cells([shown], say.words)
                yield say.words.text("history.changed.added", side=name, item=item, before="", after=points)


def _house_penalties(counted: Counted, say: Say) -> Iterator[str]:
    """Penalties of the table's own, each with its reason."""
    for name, key in zip(say.names, SIDE_KEYS, strict=False):
        for penalty in counted.hand["sides"].get(key, {}).get("penalties", ()):
            if isinstance(penalty, Mapping) and penalty.get("code") == HOUSE:
                what, points = say.words.text(f"penalty.{HOUSE}"), say.words.signed(-int(penalty["points"]))
                yield say.words.text("history.why", side=name, what=what, points=points, reason=str(penalty["reason"]))


def _has_sum(counted: Counted) -> bool:
    return any(line.item == "sum" for side in counted.sides for line in side.lines)
